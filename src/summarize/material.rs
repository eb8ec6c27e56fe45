//! The units of all texts side by side, with their words as numbers.

use rustc_hash::{FxHashMap, FxHashSet};

use super::lexicon::{Lexicon, shipped};
use super::unit::{Unit, UnitKind, units};
use super::{Options, Text};
use crate::text::BlockKind;
use crate::text::segment::carries_predicate;
use crate::text::words::{List, Punctuation, Tag, Word};

/// A unit that may be chosen.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    /// Its text, by its place among those given.
    pub(super) text: usize,
    /// Its EDUs and words.
    pub(super) unit: Unit,
    /// How many candidates of its text stand before it.
    pub(super) place: usize,
    /// All its words but marks, as numbers.
    pub(super) words: Vec<u32>,
    /// Those that carry content, in order.
    pub(super) content: Vec<u32>,
    /// Those that tell what a text is about, be they common or not.
    pub(super) telling: Vec<u32>,
    /// It opens with what leans on the sentence before it.
    pub(super) leans: bool,
    /// It speaks of somebody whom it does not name: clear in its text, an orphan among others.
    pub(super) is_nameless: bool,
    /// The candidate right before it in the text, by its place among the candidates.
    pub(super) before: Option<usize>,
}

/// The candidates of all texts.
#[derive(Debug, Default)]
pub(super) struct Material {
    /// In the order of the texts.
    pub(super) candidates: Vec<Candidate>,
    /// How many different words there are.
    pub(super) vocabulary: usize,
    /// How many EDUs all texts have.
    pub(super) edus: usize,
    /// Whether there are several texts.
    pub(super) is_several: bool,
}

impl Material {
    /// The units of all texts that a reader would understand by themselves; where a text has none of
    /// those, whatever it has.
    pub(super) fn gather(texts: &[Text], options: &Options) -> Material {
        let kind = options.unit.unwrap_or(options.method.default_unit());
        let lexicon = shipped();
        let mut numbers: FxHashMap<&str, u32> = FxHashMap::default();
        let mut material = Material::default();
        for (at, text) in texts.iter().enumerate() {
            material.edus += text.analysis.edus.len();
            let all = units(&text.analysis, kind);
            let sound: Vec<bool> = all
                .iter()
                .map(|unit| is_sound(text, unit, kind, lexicon))
                .collect();
            let any_sound = sound.contains(&true);
            let mut place = 0;
            let mut before: Option<(usize, usize)> = None;
            for (unit, is_sound) in all.into_iter().zip(sound) {
                let says_something = text.analysis.words[unit.words.clone()]
                    .iter()
                    .any(|word| word.punctuation == Punctuation::None);
                if !says_something || (any_sound && !is_sound) {
                    continue;
                }
                let candidate = candidate(text, at, unit, place, lexicon, &mut numbers);
                let number = material.candidates.len();
                let neighbour = before.filter(|(_, end)| *end == candidate.unit.edus.start);
                before = Some((number, candidate.unit.edus.end));
                material.candidates.push(Candidate {
                    before: neighbour.map(|(number, _)| number),
                    ..candidate
                });
                place += 1;
            }
        }
        material.vocabulary = numbers.len();
        material.is_several = texts.len() > 1;
        material
    }

    /// True when a candidate needs the sentence before it.
    pub(super) fn leans(&self, candidate: &Candidate) -> bool {
        candidate.leans || (self.is_several && candidate.is_nameless)
    }

    /// At most about `most` candidates: the first ones of every text.
    pub(super) fn leading(mut self, most: usize) -> Material {
        let mut depth = 0;
        let mut counts: Vec<usize> = Vec::new();
        for candidate in &self.candidates {
            if counts.len() <= candidate.place {
                counts.resize(candidate.place + 1, 0);
            }
            counts[candidate.place] += 1;
        }
        let mut total = 0;
        for count in counts {
            total += count;
            if total > most && depth > 0 {
                break;
            }
            depth += 1;
        }
        let mut moved = vec![None; self.candidates.len()];
        let mut kept = 0;
        for (at, candidate) in self.candidates.iter().enumerate() {
            if candidate.place < depth {
                moved[at] = Some(kept);
                kept += 1;
            }
        }
        self.candidates.retain(|candidate| candidate.place < depth);
        for candidate in &mut self.candidates {
            candidate.before = candidate.before.and_then(|before| moved[before]);
        }
        self
    }

    /// In how many texts each word stands.
    fn text_frequencies(&self, words: Words) -> Vec<u32> {
        let mut counts = vec![0; self.vocabulary];
        let mut last_text = vec![usize::MAX; self.vocabulary];
        for candidate in &self.candidates {
            for &word in words(candidate) {
                let word = word as usize;
                if last_text[word] != candidate.text {
                    last_text[word] = candidate.text;
                    counts[word] += 1;
                }
            }
        }
        counts
    }

    /// The candidates' words as tf-idf, sparse and sorted by word.
    pub(super) fn weights(&self, words: Words) -> Vec<Vec<(u32, f64)>> {
        let frequencies = self.text_frequencies(words);
        let texts: FxHashSet<usize> = self.candidates.iter().map(|c| c.text).collect();
        let texts = texts.len() as f64;
        let candidates = self.candidates.iter();
        candidates
            .map(|candidate| {
                let mut words = words(candidate).to_vec();
                words.sort_unstable();
                let mut vector: Vec<(u32, f64)> = Vec::new();
                for word in words {
                    match vector.last_mut() {
                        Some((last, count)) if *last == word => *count += 1.0,
                        _ => vector.push((word, 1.0)),
                    }
                }
                for (word, value) in &mut vector {
                    let frequency = f64::from(frequencies[*word as usize]);
                    *value *= ((1.0 + texts) / (1.0 + frequency)).ln() + 1.0;
                }
                vector
            })
            .collect()
    }

    /// The same of the content, each of length 1.
    pub(super) fn vectors(&self) -> Vec<Vec<(u32, f64)>> {
        let mut vectors = self.weights(|candidate| &candidate.content);
        for vector in &mut vectors {
            let norm = vector.iter().map(|(_, v)| v * v).sum::<f64>().sqrt();
            vector.iter_mut().for_each(|(_, value)| *value /= norm);
        }
        vectors
    }
}

/// Which words of a candidate count.
pub(super) type Words = fn(&Candidate) -> &[u32];

/// The product of two sparse vectors that are sorted by word.
pub(super) fn dot(left: &[(u32, f64)], right: &[(u32, f64)]) -> f64 {
    let (mut a, mut b, mut sum) = (0, 0, 0.0);
    while let (Some(x), Some(y)) = (left.get(a), right.get(b)) {
        match x.0.cmp(&y.0) {
            std::cmp::Ordering::Less => a += 1,
            std::cmp::Ordering::Greater => b += 1,
            std::cmp::Ordering::Equal => {
                sum += x.1 * y.1;
                a += 1;
                b += 1;
            }
        }
    }
    sum
}

fn candidate<'t>(
    text: &'t Text,
    at: usize,
    unit: Unit,
    place: usize,
    lexicon: &Lexicon,
    numbers: &mut FxHashMap<&'t str, u32>,
) -> Candidate {
    let mut words = Vec::new();
    let mut content = Vec::new();
    let mut telling = Vec::new();
    let own = &text.analysis.words[unit.words.clone()];
    for word in own
        .iter()
        .filter(|word| word.punctuation == Punctuation::None)
    {
        let spelling = word.text(&text.document.text);
        let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
        let number = *numbers.entry(spelling).or_insert(next);
        words.push(number);
        if carries_content(word, spelling, lexicon) {
            content.push(number);
        }
        if tells(word) {
            telling.push(number);
        }
    }
    Candidate {
        text: at,
        place,
        leans: leans(text, own, lexicon),
        is_nameless: is_nameless(text, own, lexicon),
        unit,
        words,
        content,
        telling,
        before: None,
    }
}

/// Names, things, events and what is said of them: what the centroid of texts is made of.
pub(crate) fn tells(word: &Word) -> bool {
    let kind = match word.tag {
        Tag::Verb => !word.is(List::Stop) && !word.is(List::Modal),
        Tag::Adjective | Tag::Idiom => true,
        tag => tag.is_nominal(),
    };
    kind && word.punctuation == Punctuation::None
}

/// Names, things, events and what is said of them; neither times nor the commonest words of news.
fn carries_content(word: &Word, spelling: &str, lexicon: &Lexicon) -> bool {
    let kind = match word.tag {
        Tag::Verb => !word.is(List::Stop) && !word.is(List::Modal) && !word.is(List::Speech),
        Tag::Adjective | Tag::Distinguisher | Tag::Idiom => true,
        Tag::Number => word.is(List::Money) || word.is(List::Percent),
        tag => tag.is_nominal(),
    };
    kind && !word.is(List::Hollow) && !lexicon.common.contains(spelling)
}

/// True when the unit only makes sense behind another sentence: it opens with what leans on one, or its
/// first statement points at something that was said before.
fn leans(text: &Text, words: &[Word], lexicon: &Lexicon) -> bool {
    let mut is_first = true;
    let mut has_verb = false;
    for word in words {
        if word.punctuation != Punctuation::None {
            if has_verb && word.punctuation.parts_clauses() {
                break;
            }
            continue;
        }
        let spelling = word.text(&text.document.text);
        let opens_leaning = lexicon.leaning.contains(spelling)
            || word.is(List::Person)
            || (word.tag == Tag::Pronoun && !is_quantifier(spelling));
        if is_first {
            let rest = text
                .document
                .text
                .get(word.start as usize..)
                .unwrap_or_default();
            let opens_so = |phrase: &String| rest.starts_with(phrase.as_str());
            if opens_leaning || lexicon.opening.iter().any(opens_so) {
                return true;
            }
        }
        is_first = false;
        if lexicon.pointing.contains(spelling) {
            return true;
        }
        // Who says or thinks something has not said it yet: 高盛认为，这将……
        has_verb |= word.tag == Tag::Verb && !word.is(List::Speech) && !word.is(List::Cognition);
    }
    false
}

/// The word for a company that was named before.
const COMPANY: &str = "公司";

/// True when the unit opens with what belongs to somebody (业绩, 资金) or speaks of 公司 before it names
/// one; 石油公司 and 美国公司 say which they are.
fn is_nameless(text: &Text, words: &[Word], lexicon: &Lexicon) -> bool {
    let mut previous: Option<&Word> = None;
    let mut is_first = true;
    let mut opens_with_noun = false;
    let mut is_named = false;
    for word in words {
        if word.punctuation != Punctuation::None {
            if word.punctuation.parts_clauses() {
                // 出海方面，公司……: what is an aspect names nobody.
                let is_aspect =
                    previous.is_some_and(|word| word.text(&text.document.text) == ASPECT);
                opens_with_noun &= !is_aspect;
                previous = None;
            }
            continue;
        }
        let spelling = word.text(&text.document.text);
        let says_which = previous.is_some_and(|previous| modifies(previous.tag));
        let is_bare = spelling == COMPANY && !says_which && !is_named && !opens_with_noun;
        let belongs = is_first && lexicon.nameless.contains(spelling);
        if is_bare || belongs || READER.contains(&spelling) {
            return true;
        }
        is_named |= matches!(
            word.tag,
            Tag::Person | Tag::Organisation | Tag::Proper | Tag::Abbreviation | Tag::Latin
        );
        opens_with_noun |= is_first && word.tag == Tag::Noun;
        is_first = false;
        previous = Some(word);
    }
    false
}

/// What ends a phrase that says under which aspect something is so.
const ASPECT: &str = "方面";
/// Words for the reader: a column talks so, a report does not.
const READER: [&str; 4] = ["你", "您", "你们", "咱们"];

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

/// 各地, 每家, 某公司 do not point back; 本次, 这家 do.
fn is_quantifier(pronoun: &str) -> bool {
    pronoun.starts_with(['各', '每', '某', '谁', '何', '哪', '任'])
}

/// Fewer words than this tell no news.
const FEWEST_WORDS: usize = 4;
/// A unit of more words than this is a table or a list that was never meant to be read aloud.
const MOST_WORDS: usize = 120;

/// True when a reader would understand the unit by itself: running text, with a predicate, whole
/// quotations and brackets, and (of sentences) an end.
fn is_sound(text: &Text, unit: &Unit, kind: UnitKind, lexicon: &Lexicon) -> bool {
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
    if !enough || said > MOST_WORDS || !carries_predicate(words) {
        return false;
    }
    if kind == UnitKind::Sentence && !(ends(words) && is_balanced(words, &text.document.text)) {
        return false;
    }
    let (Some(first), Some(last)) = (words.first(), words.last()) else {
        return false;
    };
    let opening = words
        .iter()
        .find(|word| !word.text(&text.document.text).trim().is_empty());
    let opens_well = opening.is_some_and(|word| {
        use Punctuation::{None, OpenBracket, OpenQuote};
        matches!(word.punctuation, None | OpenBracket | OpenQuote)
    });
    let shown = text
        .document
        .slice(&(first.start as usize..last.end as usize));
    let is_broken = shown.contains('\u{fffd}');
    opens_well && !is_broken && !lexicon.page.iter().any(|word| shown.contains(word))
}

/// True when the words end with a final mark; questions and calls are headlines rather than news.
fn ends(words: &[Word]) -> bool {
    let marks = words.iter().rev().map(|word| word.punctuation);
    let mut marks = marks.take_while(|mark| *mark != Punctuation::None);
    marks.any(|mark| {
        mark.ends_sentence() && !matches!(mark, Punctuation::Question | Punctuation::Exclamation)
    })
}

/// True when every quotation and bracket that opens also closes, and the other way round.
pub(super) fn is_balanced(words: &[Word], text: &str) -> bool {
    let mut open = 0i32;
    let mut straight = 0;
    for word in words {
        match word.punctuation {
            Punctuation::OpenBracket | Punctuation::OpenQuote => open += 1,
            Punctuation::CloseBracket | Punctuation::CloseQuote => open -= 1,
            _ if word.text(text) == "\"" => straight += 1,
            _ => {}
        }
        if open < 0 {
            return false;
        }
    }
    open == 0 && straight % 2 == 0
}
