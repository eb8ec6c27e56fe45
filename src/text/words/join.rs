//! Joining what jieba splits: times, numbers with their units, titles, names.

use super::super::chinese::chinese;
use super::super::numeral::digit;
use super::super::time::Time;
use super::{List, Lists, Punctuation, Tag, Word};

/// Makes one word of every title in 《》: what it says is not what the text says.
pub(super) fn join_titles(
    words: &mut Vec<Word>,
    times: &mut Vec<Time>,
    piece: &str,
    offset: usize,
) {
    const LONGEST_TITLE: usize = 40;
    if memchr::memmem::find(piece.as_bytes(), "《".as_bytes()).is_none() {
        return;
    }
    let is = |word: &Word, mark: &str| {
        word.punctuation != Punctuation::None
            && piece.get(word.start as usize - offset..word.end as usize - offset) == Some(mark)
    };
    let before = words.len();
    let opens = |word: &Word| is(word, "《");
    join_runs(words, opens, |words, at| {
        let close = words[at..]
            .iter()
            .take(LONGEST_TITLE)
            .position(|word| is(word, "》"));
        match close.map(|close| at + close) {
            Some(close) => {
                let (start, end) = (words[at].start, words[close].end);
                let title = Word::joined(start, end, Tag::Proper, Lists::default());
                (close + 1, title)
            }
            None => (at + 1, words[at]),
        }
    });
    if words.len() < before {
        times.retain(|time| {
            let at = words.partition_point(|word| (word.end as usize) <= time.range.start);
            words.get(at).is_none_or(|word| {
                word.tag != Tag::Proper || (word.start as usize) > time.range.start
            })
        });
    }
}

/// Makes one mark of every bracket that is written by its name, as treebanks do: -LSB- for [.
pub(super) fn join_named_brackets(words: &mut Vec<Word>, piece: &str, offset: usize) {
    if memchr::memmem::find(piece.as_bytes(), b"B-").is_none() {
        return;
    }
    let mut parted = Vec::with_capacity(words.len());
    let mut brackets = brackets(piece).peekable();
    for word in words.iter() {
        let mut rest = *word;
        while let Some((at, punctuation)) = brackets.peek().copied() {
            let (from, to) = ((offset + at) as u32, (offset + at + BRACKET_BYTES) as u32);
            if rest.end <= from {
                break;
            }
            if rest.start < from {
                parted.push(part_of(rest, rest.start, from, piece, offset));
            }
            if rest.start <= from {
                let bracket = Word::joined(from, to, Tag::Sign, Lists::default());
                parted.push(Word {
                    punctuation,
                    ..bracket
                });
            }
            rest.start = to.min(rest.end);
            if to > rest.end {
                break;
            }
            brackets.next();
        }
        if rest.start == word.start {
            parted.push(rest);
        } else if rest.start < rest.end {
            parted.push(part_of(rest, rest.start, rest.end, piece, offset));
        }
    }
    *words = parted;
}

/// How long the name of a bracket is, with its hyphens.
const BRACKET_BYTES: usize = 5;

/// Where brackets are written by their names, and what they do.
fn brackets(piece: &str) -> impl Iterator<Item = (usize, Punctuation)> + '_ {
    memchr::memchr_iter(b'-', piece.as_bytes()).filter_map(|at| {
        match piece.get(at..at + BRACKET_BYTES)? {
            "-LSB-" | "-LRB-" | "-LCB-" => Some((at, Punctuation::OpenBracket)),
            "-RSB-" | "-RRB-" | "-RCB-" => Some((at, Punctuation::CloseBracket)),
            _ => None,
        }
    })
}

/// What is left of a word that was cut.
fn part_of(word: Word, start: u32, end: u32, piece: &str, offset: usize) -> Word {
    let text = piece.get(start as usize - offset..end as usize - offset);
    let text = text.unwrap_or_default();
    let tag = if text.bytes().all(|b| b.is_ascii_digit()) {
        Tag::Number
    } else {
        word.tag
    };
    let part = Word::joined(start, end, tag, Lists::default());
    Word {
        punctuation: Punctuation::of(text),
        ..part
    }
}

/// Makes one word of names in foreign letters (NOV Process & Flow, Model 3) and of the items of a
/// list of names (因赛集团、科大讯飞、海天瑞声).
pub(super) fn join_names(words: &mut Vec<Word>, piece: &str, offset: usize) {
    let text_of = |word: &Word| {
        let start = word.start as usize - offset;
        piece.get(start..start + word.length()).unwrap_or_default()
    };
    join_name_at_start(words, piece, offset);
    join_listed_names(words, piece, offset);
    let is_latin = |word: &Word| word.tag == Tag::Latin;
    join_runs(words, is_latin, |words, at| {
        let mut next = at + 1;
        while let Some(end) = latin_goes_on(words, next, &text_of) {
            next = end;
        }
        let end = words[next - 1].end;
        (next, Word { end, ..words[at] })
    });
}

/// 云南能投：拟投资…, 江河集团(601886)3月16日公告: the name that a line of news begins with.
fn join_name_at_start(words: &mut Vec<Word>, piece: &str, offset: usize) {
    const LONGEST_NAME: usize = 5;
    let text_of = |word: &Word| {
        let start = word.start as usize - offset;
        piece.get(start..start + word.length()).unwrap_or_default()
    };
    let Some(end) = words.iter().take(LONGEST_NAME).position(|word| {
        matches!(
            word.punctuation,
            Punctuation::Colon | Punctuation::OpenBracket
        )
    }) else {
        return;
    };
    let coded = words[end].punctuation == Punctuation::OpenBracket
        && words.get(end + 1).is_some_and(|word| {
            let text = text_of(word);
            text.len() >= 4 && text.bytes().take(4).all(|b| b.is_ascii_digit())
        });
    let titled = words[end].punctuation == Punctuation::Colon;
    let named = if coded {
        is_coded_name(&words[..end])
    } else {
        titled && is_listed_name(&words[..end], piece, offset)
    };
    if named {
        let (first, last) = (words[0], words[end - 1]);
        words[0] = Word::joined(first.start, last.end, Tag::Organisation, Lists::default());
        words.drain(1..end);
    }
}

/// 宝新能源(000690): before the code of a share stands its name, whatever it is made of.
fn is_coded_name(item: &[Word]) -> bool {
    const LONGEST_NAME: usize = 15;
    let length: usize = item.iter().map(Word::length).sum();
    let foreign = |word: &Word| matches!(word.tag, Tag::Time | Tag::Sign | Tag::De);
    item.len() >= 2 && length <= LONGEST_NAME && !item.iter().any(foreign)
}

/// Where a name in foreign letters that has come up to `at` goes on to; none when it ends.
fn latin_goes_on<'a>(
    words: &[Word],
    at: usize,
    text_of: &impl Fn(&Word) -> &'a str,
) -> Option<usize> {
    let is_part = |word: &Word| {
        word.tag == Tag::Latin
            || (word.tag == Tag::Number && text_of(word).bytes().all(|b| b.is_ascii_digit()))
    };
    let word = words.get(at)?;
    if is_part(word) {
        return Some(at + 1);
    }
    let joins = matches!(text_of(word), " " | "&" | "-" | "." | " & " | "'" | "·");
    let next = words.get(at + 1)?;
    if text_of(word) == "." && is_cut_short(text_of(&words[at - 1]), at == 1) {
        return Some(at + 1);
    }
    if joins && is_part(next) {
        return Some(at + 2);
    }
    let spaced =
        joins && text_of(next) == "&" && words.get(at + 2).is_some_and(|w| text_of(w) == " ");
    (spaced && words.get(at + 3).is_some_and(is_part)).then_some(at + 4)
}

/// Corp, PTE.LTD, J.P: behind these a full stop ends no sentence. A letter that opens a line counts.
fn is_cut_short(name: &str, opens: bool) -> bool {
    let last = name.rsplit(['.', ' ']).next().unwrap_or_default();
    let is_letter = last.len() == 1 && last.as_bytes()[0].is_ascii_uppercase();
    if is_letter {
        !opens || last.len() < name.len()
    } else {
        let abbreviations = &chinese().classes.abbreviation;
        abbreviations.has(&last.to_ascii_lowercase())
    }
}

/// Three or more short items between enumeration marks are names or things of one word each.
fn join_listed_names(words: &mut Vec<Word>, piece: &str, offset: usize) {
    let is_mark = |word: &Word| word.punctuation == Punctuation::Enumeration;
    if words.iter().filter(|word| is_mark(word)).nth(1).is_none() {
        return;
    }
    let marks: Vec<usize> = (0..words.len()).filter(|&at| is_mark(&words[at])).collect();
    let mut joined: Vec<(usize, usize)> = Vec::new();
    for pair in marks.windows(2) {
        let item = pair[0] + 1..pair[1];
        if is_listed_name(&words[item.clone()], piece, offset) {
            joined.push((item.start, item.end));
        }
    }
    if joined.is_empty() {
        return;
    }
    for (start, end) in joined.into_iter().rev() {
        let (from, to) = (words[start].start, words[end - 1].end);
        words[start] = Word::joined(from, to, Tag::Proper, Lists::default());
        words.drain(start + 1..end);
    }
}

/// Two to four words, three to five Chinese characters in all, none of them doing anything else.
fn is_listed_name(item: &[Word], piece: &str, offset: usize) -> bool {
    let (Some(first), Some(last)) = (item.first(), item.last()) else {
        return false;
    };
    let text = piece
        .get(first.start as usize - offset..last.end as usize - offset)
        .unwrap_or_default();
    let characters = text.chars().count();
    let foreign_to_names = item.iter().any(|word| {
        word.concept != 0
            || matches!(
                word.tag,
                Tag::De
                    | Tag::Particle
                    | Tag::Time
                    | Tag::Number
                    | Tag::Sign
                    | Tag::Adverb
                    | Tag::Pronoun
                    | Tag::Conjunction
                    | Tag::Latin
            )
            || (word.trigger != 0 && word.tag == Tag::Verb && word.length() > 6)
    });
    let all_common = item
        .iter()
        .all(|word| matches!(word.tag, Tag::Noun | Tag::VerbalNoun | Tag::Verb))
        && item.iter().all(|word| word.length() == 6);
    (2..=4).contains(&item.len())
        && (3..=5).contains(&characters)
        && !foreign_to_names
        && !all_common
}

/// Makes one word of every time expression. Words that a time cuts through are cut there.
pub(super) fn join_times(words: &mut Vec<Word>, times: &[Time]) {
    let parted = times
        .iter()
        .fold(false, |parted, time| parted | !join_whole(words, time));
    if !parted {
        return;
    }
    let mut joined = Vec::with_capacity(words.len() + times.len());
    let mut times = times.iter().peekable();
    for word in words.iter().copied() {
        let mut rest = word;
        while let Some(time) = times.peek() {
            let (from, to) = (time.range.start as u32, time.range.end as u32);
            if rest.end <= from {
                break;
            }
            if rest.start < from {
                joined.push(Word { end: from, ..rest });
                rest.start = from;
            }
            if rest.start == from {
                joined.push(Word::joined(from, to, Tag::Time, Lists::default()));
            }
            rest.start = rest.start.max(to.min(rest.end));
            if to > rest.end || rest.start < to {
                break;
            }
            times.next();
            if rest.start == rest.end {
                break;
            }
        }
        if rest.start < rest.end {
            joined.push(rest);
        }
    }
    *words = joined;
}

/// Makes one word of a time that begins and ends with words; false when it cuts through one.
fn join_whole(words: &mut Vec<Word>, time: &Time) -> bool {
    let (from, to) = (time.range.start as u32, time.range.end as u32);
    let first = words.partition_point(|word| word.start < from);
    let behind = first + words[first..].partition_point(|word| word.end <= to);
    let whole = words.get(first).is_some_and(|word| word.start == from)
        && behind > first
        && words[behind - 1].end == to;
    if whole {
        let own = words[first];
        let mut time = Word::joined(from, to, Tag::Time, Lists::default());
        // 随后, 此前: one word that is a time and a connective.
        if behind == first + 1 {
            time.cue = own.cue;
            time.lists = own.lists.measure_among(List::AfterSubject);
        }
        words[first] = time;
        words.drain(first + 1..behind);
    }
    whole
}

/// Makes one word of a number, its unit and what stands between: 15.8亿元, 0.5个百分点, １０余万.
pub(super) fn join_numbers(words: &mut Vec<Word>, piece: &str, offset: usize) {
    let text_of = |word: &Word| {
        let start = word.start as usize - offset;
        piece.get(start..start + word.length()).unwrap_or_default()
    };
    let counts = |word: &Word| {
        (word.tag == Tag::Number || is_wide(word))
            && word.trigger == 0
            && is_numeric(word, text_of(word))
    };
    join_runs(words, counts, |words, at| {
        let first = words[at];
        let mut lists = unit_lists(text_of(&first));
        let mut next = at + 1;
        while let Some(word) = words.get(next) {
            let text = text_of(word);
            if !continues_number(word, text, words.get(next + 1).map(text_of)) {
                break;
            }
            lists = Lists(lists.0 | unit_lists(text).0);
            next += 1;
        }
        let end = words[next - 1].end;
        let mut number = Word::joined(first.start, end, Tag::Number, lists);
        if next == at + 1 {
            number.cue = first.cue;
            number.lists = Lists(lists.0 | first.lists.0);
        }
        (next, number)
    });
}

/// Puts in the place of every run of words, told by its first, the one word that `join` makes of
/// it; `join` also says where the run ends. What lies between is moved in one go.
fn join_runs(
    words: &mut Vec<Word>,
    begins: impl Fn(&Word) -> bool,
    join: impl Fn(&[Word], usize) -> (usize, Word),
) {
    let mut kept = 0;
    let mut at = 0;
    while let Some(first) = words[at..].iter().position(&begins) {
        let first = at + first;
        let (next, joined) = join(words, first);
        if kept < at {
            words.copy_within(at..first, kept);
        }
        kept += first - at;
        words[kept] = joined;
        kept += 1;
        at = next;
    }
    if kept < at {
        words.drain(kept..at);
    }
}

/// Full-width digits come as signs that are no punctuation.
fn is_wide(word: &Word) -> bool {
    matches!(word.tag, Tag::Sign | Tag::Other) && word.punctuation == Punctuation::None
}

fn is_numeric(word: &Word, text: &str) -> bool {
    word.tag == Tag::Number && word.concept == 0
        || (matches!(word.tag, Tag::Sign | Tag::Other) && text.chars().all(|c| digit(c).is_some()))
}

/// True for what goes on with a number: more digits, units, 多, 余, a point between digits.
fn continues_number(word: &Word, text: &str, next: Option<&str>) -> bool {
    if word.is(List::Unit) && text != "人" {
        return true;
    }
    if word.trigger != 0 || word.concept != 0 {
        return false;
    }
    match word.tag {
        Tag::Number | Tag::Measure => true,
        _ if text.chars().all(|c| digit(c).is_some()) => true,
        Tag::Sign | Tag::Other => match text {
            "%" | "％" | "‰" | "℃" => true,
            "." | "．" | "," | "，" | "·" => {
                word.end - word.start <= 3
                    && text != "，"
                    && next.is_some_and(|next| next.chars().all(|c| digit(c).is_some()))
            }
            _ => false,
        },
        _ => chinese().classes.number_ending.has(text),
    }
}

/// Whether a number with that ending is a share or money.
fn unit_lists(text: &str) -> Lists {
    let lists = Lists::default();
    let Some((at, last)) = text.char_indices().next_back() else {
        return lists;
    };
    let classes = &chinese().classes;
    match last {
        '%' | '％' | '‰' => lists.with(List::Percent),
        _ if last.is_ascii() => lists,
        _ if classes.percent_ending.has(&text[at..]) => lists.with(List::Percent),
        _ if classes.money_ending.has(&text[at..]) => lists.with(List::Money),
        _ => lists,
    }
}
