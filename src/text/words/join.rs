//! Joining what jieba splits: times, numbers with their units.

use super::super::numeral::digit;
use super::super::time::Time;
use super::{List, Lists, Tag, Word};

/// Makes one word of every time expression. Words that a time cuts through are cut there.
pub(super) fn join_times(words: &mut Vec<Word>, times: &[Time]) {
    if times.is_empty() {
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

/// Makes one word of a number, its unit and what stands between: 15.8亿元, 0.5个百分点, １０余万.
pub(super) fn join_numbers(words: &mut Vec<Word>, piece: &str, offset: usize) {
    let text_of = |word: &Word| {
        let start = word.start as usize - offset;
        piece.get(start..start + word.length()).unwrap_or_default()
    };
    let mut kept = 0;
    let mut at = 0;
    while at < words.len() {
        let first = words[at];
        let text = text_of(&first);
        let mut next = at + 1;
        if is_numeric(&first, text) && first.trigger == 0 {
            let mut lists = unit_lists(text);
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
            words[kept] = number;
        } else {
            words[kept] = first;
        }
        kept += 1;
        at = next;
    }
    words.truncate(kept);
}

fn is_numeric(word: &Word, text: &str) -> bool {
    word.tag == Tag::Number && word.concept == 0
        || (matches!(word.tag, Tag::Sign | Tag::Other) && text.chars().all(|c| digit(c).is_some()))
}

/// True for what goes on with a number: more digits, units, 多, 余, a point between digits.
fn continues_number(word: &Word, text: &str, next: Option<&str>) -> bool {
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
        _ => matches!(
            text,
            "多" | "余" | "百分点" | "个百分点" | "基点" | "个基点" | "成"
        ),
    }
}

fn unit_lists(text: &str) -> Lists {
    let lists = Lists::default();
    let last = text.chars().next_back().unwrap_or(' ');
    match last {
        '%' | '％' | '点' | '‰' | '成' => lists.with(List::Percent),
        '元' | '镑' => lists.with(List::Money),
        _ => lists,
    }
}
