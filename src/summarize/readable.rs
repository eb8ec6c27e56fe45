//! What a reader understands where it stands: sentences that are whole, and what they lean on.

use super::SourceText;
use super::lexicon::SummaryLexicon;
use super::material::Lean;
use super::unit::{Unit, UnitKind};
use crate::text::BlockKind;
use crate::text::segment::carries_predicate;
use crate::text::words::{List, Punctuation, Tag, Word};

/// Fewer words than this tell no news.
const FEWEST_WORDS: usize = 4;
/// A unit of more words than this is a table or a list that was never meant to be read aloud.
const MOST_WORDS: usize = 120;

/// Where a unit would stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Setting {
    /// In the summary of its own text.
    Alone,
    /// Among units of other texts.
    AmongOthers,
}

/// True when a reader would understand the unit where it would stand: running text, with a predicate, whole
/// quotations and brackets, and (of sentences) an end. What its text opens with is never passed over unless it is
/// about the page; and in the summary of its own text, what opens a paragraph need not be as whole.
pub(super) fn is_sound(
    text: &SourceText,
    unit: &Unit,
    kind: UnitKind,
    is_lede: bool,
    setting: Setting,
    lexicon: &SummaryLexicon,
) -> bool {
    let block = text.document.blocks.get(unit.block);
    if block.is_some_and(|block| matches!(block.kind, BlockKind::Heading(_))) {
        return false;
    }
    let words = &text.analysis.words[unit.words.clone()];
    let said = words
        .iter()
        .filter(|word| word.punctuation == Punctuation::None)
        .count();
    let enough = said >= FEWEST_WORDS || kind != UnitKind::Sentence;
    let shown = shown(text, words);
    let is_about_page = shown.contains('\u{fffd}') || lexicon.lists.page.stand_in(shown);
    if !enough || is_about_page {
        return false;
    }
    let is_alone = setting == Setting::Alone;
    if is_lede && (is_alone || (ends_plainly(words) && !is_item(shown))) {
        return true;
    }
    if said > MOST_WORDS || !carries_predicate(words) && !has_verb(words) {
        return false;
    }
    let is_whole = kind != UnitKind::Sentence
        || if is_alone {
            is_whole_enough(words, shown)
        } else {
            is_whole(words, shown, &text.document.text)
        };
    is_whole && (is_alone || opens_well(text, words))
}

/// True for a verb of any kind that does not modify what follows it: 是 is one.
fn has_verb(words: &[Word]) -> bool {
    words.iter().enumerate().any(|(at, word)| {
        let modifies = words.get(at + 1).is_some_and(|next| next.tag == Tag::De);
        word.tag == Tag::Verb && !modifies
    })
}

/// True when a sentence opens with a word, a bracket or a quotation.
fn opens_well(text: &SourceText, words: &[Word]) -> bool {
    let opening = words
        .iter()
        .find(|word| !word.text(&text.document.text).trim().is_empty());
    opening.is_some_and(|word| {
        use Punctuation::{None, OpenBracket, OpenQuote};
        matches!(word.punctuation, None | OpenBracket | OpenQuote)
    })
}

/// True when the words end with a full stop, or with no mark at all.
fn ends_plainly(words: &[Word]) -> bool {
    let marks = words.iter().rev().map(|word| word.punctuation);
    let mut marks = marks.take_while(|mark| *mark != Punctuation::None);
    marks.all(|mark| {
        use Punctuation::{CloseBracket, CloseQuote, Ellipsis, Semicolon, Stop};
        matches!(
            mark,
            CloseBracket | CloseQuote | Ellipsis | Semicolon | Stop
        )
    })
}

/// True when a sentence in the summary of its own text is no aside, question or announcement of a list.
fn is_whole_enough(words: &[Word], shown: &str) -> bool {
    let marks = words.iter().rev().map(|word| word.punctuation);
    let mut marks = marks.take_while(|mark| *mark != Punctuation::None);
    let goes_on = marks.any(|mark| {
        use Punctuation::{Colon, Comma, Enumeration, Question};
        matches!(mark, Colon | Comma | Enumeration | Question)
    });
    !goes_on && !shown.trim_start().starts_with(ASIDES)
}

/// True when the unit only announces what follows in its text.
pub(super) fn announces(text: &SourceText, words: &[Word], lexicon: &SummaryLexicon) -> bool {
    lexicon.lists.overview.stand_in(shown(text, words))
}

/// The words as they stand in the text.
fn shown<'t>(text: &'t SourceText, words: &[Word]) -> &'t str {
    let (Some(first), Some(last)) = (words.first(), words.last()) else {
        return "";
    };
    let range = first.start as usize..last.end as usize;
    text.document.slice(&range)
}

/// True when a sentence has its end and its beginning: neither an aside that was cut off from what it
/// explains, nor an item of a list, nor words that nobody says.
fn is_whole(words: &[Word], shown: &str, text: &str) -> bool {
    let is_aside = shown.trim_start().starts_with(ASIDES);
    ends(words)
        && is_balanced(words, text)
        && !is_aside
        && !is_item(shown)
        && !is_bare_quotation(shown)
}

/// What opens an aside; 【 and 《 open headlines and titles.
const ASIDES: [char; 6] = ['（', '(', '[', '［', '〔', '{'];

/// True when the words end with a final mark; questions and calls are headlines rather than news.
fn ends(words: &[Word]) -> bool {
    let marks = words.iter().rev().map(|word| word.punctuation);
    let mut marks = marks.take_while(|mark| *mark != Punctuation::None);
    marks.any(|mark| {
        mark.ends_sentence() && !matches!(mark, Punctuation::Question | Punctuation::Exclamation)
    })
}

/// True when every quotation and bracket that opens also closes, and the other way round.
fn is_balanced(words: &[Word], text: &str) -> bool {
    let mut open = 0i32;
    let mut straight = 0;
    for word in words {
        match word.punctuation {
            Punctuation::OpenBracket | Punctuation::OpenQuote => open += 1,
            Punctuation::CloseBracket | Punctuation::CloseQuote => open -= 1,
            _ if word.text(text) == "\"" => straight += 1,
            // A time may hold brackets: 9月1日（周一）.
            Punctuation::None => open += brackets_inside(word.text(text)),
            _ => {}
        }
        if open < 0 {
            return false;
        }
    }
    open == 0 && straight % 2 == 0
}

/// How many brackets a word opens and does not close.
fn brackets_inside(word: &str) -> i32 {
    let marks = word.chars().map(|c| match c {
        '（' | '(' | '【' | '[' | '《' => 1,
        '）' | ')' | '】' | ']' | '》' => -1,
        _ => 0,
    });
    marks.sum()
}

/// True for an item of a list: 2、海外工厂…… and ③……; 3.5% is a number.
fn is_item(shown: &str) -> bool {
    let shown = shown.trim_start();
    if shown.starts_with(|c: char| ('①'..='⒛').contains(&c)) {
        return true;
    }
    let counts = |c: char| c.is_ascii_digit() || "一二三四五六七八九十".contains(c);
    let rest = shown.trim_start_matches(counts);
    let mut behind = rest.chars();
    rest.len() < shown.len()
        && match behind.next() {
            // 一、二季度 counts quarters; an item goes on with what it tells.
            Some('、') => !behind.next().is_some_and(counts),
            Some('）' | ')') => true,
            Some('.' | '．') => !behind.next().is_some_and(|c| c.is_ascii_digit()),
            _ => false,
        }
}

/// True when all of it stands in one pair of quotation marks: who says it is told elsewhere.
fn is_bare_quotation(shown: &str) -> bool {
    let shown = shown.trim();
    let inner = shown.trim_end_matches(['。', '.', '…', ' ']);
    if let Some(rest) = inner.strip_prefix('"') {
        return rest.find('"') == Some(rest.len().saturating_sub(1));
    }
    let mut open = 0usize;
    for (at, c) in inner.char_indices() {
        match c {
            '“' | '「' | '『' => open += 1,
            '”' | '」' | '』' => open = open.saturating_sub(1),
            _ => {}
        }
        // Outside of all quotation marks before the end.
        if open == 0 {
            return at > 0 && at + c.len_utf8() == inner.len();
        }
    }
    false
}

/// What the unit needs to be understood: it may open with what leans on another sentence, its first statement may
/// point at something that was said before, or it may speak of 我们 without saying who.
pub(super) fn lean(text: &SourceText, words: &[Word], lexicon: &SummaryLexicon) -> Lean {
    let mut is_first = true;
    let mut has_verb = false;
    let mut is_first_statement = true;
    let mut is_told = false;
    let mut is_view = false;
    let mut quoted = 0i32;
    for word in words {
        match word.punctuation {
            Punctuation::None => {}
            mark => {
                quoted += match mark {
                    Punctuation::OpenQuote => 1,
                    Punctuation::CloseQuote => -1,
                    _ => 0,
                };
                if mark.parts_clauses() {
                    // 从战略角度看，此次收购……: where it is seen from is no statement.
                    has_verb &= !is_view;
                    is_first_statement &= !has_verb;
                }
                continue;
            }
        }
        let spelling = word.text(&text.document.text);
        if is_first && let Some(lean) = opening_lean(text, word, spelling, lexicon) {
            return lean;
        }
        is_first = false;
        let points = is_first_statement && points(word, spelling, lexicon);
        let speaks = lexicon.lists.we.has(spelling) && quoted <= 0 && !is_told;
        if points || speaks {
            return if lexicon.lists.loose.has(spelling) {
                Lean::Loosely
            } else {
                Lean::Closely
            };
        }
        // Who says or thinks something has not said it yet: 高盛认为，这将……
        let tells = word.is(List::Speech) || word.is(List::Cognition);
        is_told |= tells;
        is_view = lexicon.lists.viewpoint.end(spelling);
        has_verb |= word.tag == Tag::Verb && !tells;
    }
    Lean::No
}

/// What a sentence that opens with the word leans on, if it does.
fn opening_lean(
    text: &SourceText,
    word: &Word,
    spelling: &str,
    lexicon: &SummaryLexicon,
) -> Option<Lean> {
    let rest = text
        .document
        .text
        .get(word.start as usize..)
        .unwrap_or_default();
    let lists = &lexicon.lists;
    if lists.loose.has(spelling) || word.is(List::Person) {
        return Some(Lean::Loosely);
    }
    // 各地, 每家, 某公司 do not point back; 本次, 这家 do.
    let points_back = word.tag == Tag::Pronoun && !lists.quantifier.begin(spelling);
    let leans = lists.leaning.has(spelling) || points_back || lists.opening.begin(rest);
    leans.then_some(Lean::Closely)
}

/// 这笔, 那份, 该轮 point at something; 那么 does not.
fn points(word: &Word, spelling: &str, lexicon: &SummaryLexicon) -> bool {
    let lists = &lexicon.lists;
    let is_demonstrative =
        word.tag == Tag::Pronoun && lists.demonstrative.begin(spelling) && spelling != HERE;
    is_demonstrative || lists.pointing.has(spelling)
}

/// The demonstrative that points at a place and not at something said before.
const HERE: &str = "这里";

/// True when the unit opens with what belongs to somebody (业绩, 资金) or speaks of 公司 before it names
/// one; 石油公司 and 美国公司 say which they are. So it is when it says neither who nor when, when it
/// opens with a label that names nobody, or without a subject.
pub(super) fn is_nameless(text: &SourceText, words: &[Word], lexicon: &SummaryLexicon) -> bool {
    let lists = &lexicon.lists;
    let mut previous: Option<&Word> = None;
    let mut is_first = true;
    let mut opens_with_noun = false;
    let mut is_named = false;
    let mut is_placed = false;
    let mut is_timed = false;
    for word in words {
        if word.punctuation != Punctuation::None {
            if word.punctuation.parts_clauses() {
                // 出海方面，公司……: what is an aspect names nobody.
                let is_aspect =
                    previous.is_some_and(|word| lists.aspect.has(word.text(&text.document.text)));
                opens_with_noun &= !is_aspect;
                previous = None;
            }
            continue;
        }
        let spelling = word.text(&text.document.text);
        let says_which = previous.is_some_and(|previous| {
            modifies(previous.tag) && !lists.period.has(previous.text(&text.document.text))
        });
        let is_bare = lists.company.has(spelling) && !says_which && !is_named && !opens_with_noun;
        let belongs = is_first && lists.nameless.has(spelling);
        let counts = !is_named && !is_placed && counts_known(text, word, lexicon);
        if is_bare || belongs || counts || lists.reader.has(spelling) {
            return true;
        }
        is_named |= names(word, spelling);
        is_placed |= word.tag == Tag::Place;
        is_timed |= word.tag == Tag::Time;
        let is_period = lists.period.has(spelling);
        opens_with_noun |= is_first && word.tag == Tag::Noun && !is_period;
        // 前三季度净利润……: when it was does not say whose it is.
        is_first &= word.tag == Tag::Time;
        previous = Some(word);
    }
    let has_name = is_named || is_placed;
    let says_who_or_when = has_name || (is_timed && !lacks_subject(text, words, lexicon));
    !says_who_or_when || is_labelled(text, words, lexicon)
}

/// True for somebody or something by name; token and app are words as any other.
fn names(word: &Word, spelling: &str) -> bool {
    match word.tag {
        Tag::Person | Tag::Organisation | Tag::Proper | Tag::Abbreviation => true,
        Tag::Latin => spelling.contains(char::is_uppercase),
        _ => false,
    }
}

/// True when some are counted who were named before: 两家公司均…….
fn counts_known(text: &SourceText, word: &Word, lexicon: &SummaryLexicon) -> bool {
    let rest = text.document.text.get(word.start as usize..);
    rest.is_some_and(|rest| lexicon.lists.counted.begin(rest))
}

/// True when a verb stands before anything that could do it: 已服务……, 将持续加强…….
fn lacks_subject(text: &SourceText, words: &[Word], lexicon: &SummaryLexicon) -> bool {
    let mut said = words
        .iter()
        .filter(|word| word.punctuation == Punctuation::None);
    let next = said.find(|word| word.tag != Tag::Adverb);
    next.is_some_and(|word| {
        let spelling = word.text(&text.document.text);
        word.tag == Tag::Verb && !lexicon.lists.setting.has(spelling)
    })
}

/// True when a label opens the unit that leaves open whose it is (游戏业务：……), or who answers a question.
fn is_labelled(text: &SourceText, words: &[Word], lexicon: &SummaryLexicon) -> bool {
    let label = words
        .iter()
        .take(LABEL)
        .position(|word| word.punctuation == Punctuation::Colon);
    let Some(label) = label.and_then(|end| words.get(..end)) else {
        return false;
    };
    let spelled = |word: &Word| word.text(&text.document.text);
    match label {
        [only] if only.tag == Tag::Person => true,
        [.., last] => {
            let is_named = label.iter().any(|word| names(word, spelled(word)));
            !is_named && lexicon.lists.label.has(spelled(last))
        }
        [] => false,
    }
}

/// Words of a label at most, and its colon.
const LABEL: usize = 5;

/// True for words that say which one the next word is: 石油公司, 多家公司, 上市的公司.
fn modifies(tag: Tag) -> bool {
    let others = [
        Tag::Number,
        Tag::Measure,
        Tag::Distinguisher,
        Tag::Adjective,
        Tag::De,
    ];
    tag.is_nominal() || others.contains(&tag)
}
