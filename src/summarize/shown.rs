//! What a line shows of its EDUs, and how much that is.

use std::ops::Range;

use super::SourceText;
use super::lexicon::shipped;
use super::unit::Size;
use crate::lexcore::dateline;
use crate::text::Edu;
use crate::text::words::{Punctuation, Word};

/// How many characters a text has, marks counted and white space not: what a length in characters counts.
pub fn characters(text: &str) -> usize {
    text.chars().filter(|c| !c.is_whitespace()).count()
}

/// How much all content of a text is.
pub(super) fn size_of_text(text: &SourceText) -> Size {
    size_of(text, std::slice::from_ref(&(0..text.analysis.edus.len())))
}

/// How much is shown of EDUs.
pub(super) fn size_of(text: &SourceText, edus: &[Range<usize>]) -> Size {
    let mut size = Size::default();
    for stretch in edus {
        let own = stretch_of(text, stretch);
        size.edus += own.len();
        for word in shown_words(text, own) {
            size.words += usize::from(word.punctuation == Punctuation::None);
            size.characters += characters(word.text(&text.document.text));
        }
    }
    size
}

fn stretch_of<'t>(text: &'t SourceText, edus: &Range<usize>) -> &'t [Edu] {
    text.analysis.edus.get(edus.clone()).unwrap_or_default()
}

/// The words of a stretch of EDUs that are shown: without a dateline, which stands at the start of a block.
fn shown_words<'t>(text: &'t SourceText, edus: &[Edu]) -> &'t [Word] {
    let (Some(first), Some(last)) = (edus.first(), edus.last()) else {
        return &[];
    };
    let words = &text.analysis.words;
    let own = words
        .get(first.words.start..last.words.end)
        .unwrap_or_default();
    let opens = text
        .analysis
        .blocks
        .get(first.block)
        .is_some_and(|block| block.start == first.words.start);
    let skipped = if opens {
        behind_dateline(own, &text.document.text)
    } else {
        0
    };
    // A dateline that is all there is stays.
    let rest = own.get(skipped..).unwrap_or_default();
    let says = |word: &Word| word.punctuation == Punctuation::None;
    if rest.iter().any(says) { rest } else { own }
}

/// How many words a dateline takes, with the comma or blank behind it.
fn behind_dateline(words: &[Word], text: &str) -> usize {
    let end = dateline(words, text);
    if end == 0 {
        return 0;
    }
    let rest = words.get(end..).unwrap_or_default();
    let marks = rest.iter().take_while(|word| {
        matches!(word.punctuation, Punctuation::Comma | Punctuation::Colon)
            || word.text(text).trim().is_empty()
    });
    end + marks.count()
}

/// The EDUs as a line that a person reads: joined, without a dateline, a bullet, the number of an item or
/// blanks at the ends, with whole quotations, closed by a final mark.
pub(super) fn show(text: &SourceText, edus: &[Range<usize>]) -> String {
    let mut line = String::new();
    for stretch in edus {
        let words = shown_words(text, stretch_of(text, stretch));
        let (Some(first), Some(last)) = (words.first(), words.last()) else {
            continue;
        };
        let piece = text
            .document
            .slice(&(first.start as usize..last.end as usize));
        line.extend(piece.chars().map(|c| if c == '\n' { ' ' } else { c }));
    }
    let line = without_relay(without_bullet(line.trim_matches(is_blank)));
    let open = line.trim_end_matches(['，', ',', '；', ';', '：', ':', '、', '—']);
    let mut line = with_whole_quotations(open);
    let end = line.trim_end_matches(is_closing);
    if !line.is_empty() && !end.ends_with(['。', '！', '？', '!', '?', '…', '.', '．', '；'])
    {
        line.push('。');
    }
    line
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{3000}'
}

fn is_closing(c: char) -> bool {
    matches!(c, '”' | '’' | '」' | '』' | '）' | ')' | '】' | '》' | '"')
}

/// Without a bullet before it.
fn without_bullet(line: &str) -> &str {
    let bullets = [
        '•', '●', '■', '◆', '▲', '▶', '►', '·', '-', '—', '*', '★', '☆', '○', '◎', '※',
    ];
    let rest = line
        .trim_start_matches(bullets)
        .trim_start_matches(is_blank);
    // -5% is a number, and a line of bullets shows what it has.
    let is_number = line.starts_with(['-', '—']) && rest.starts_with(|c: char| c.is_ascii_digit());
    if rest.is_empty() || is_number {
        line
    } else {
        rest
    }
}

/// Without a clause that only says who passes the news on.
fn without_relay(line: &str) -> &str {
    const LONGEST: usize = 10;
    match line.split_once('，') {
        Some((who, rest))
            if !rest.is_empty()
                && who.chars().count() <= LONGEST
                && shipped().lists.relay.end(who) =>
        {
            rest
        }
        _ => line,
    }
}

/// A quotation that goes on behind the line is closed; one that began before it is not closed.
fn with_whole_quotations(line: &str) -> String {
    let mut open: Vec<char> = Vec::new();
    let mut whole = String::with_capacity(line.len() + '”'.len_utf8());
    for c in line.chars() {
        match c {
            '“' | '「' | '『' => open.push(closing_of(c)),
            '”' | '」' | '』' => match open.pop() {
                Some(_) => {}
                None => continue,
            },
            _ => {}
        }
        whole.push(c);
    }
    whole.extend(open.into_iter().rev());
    whole
}

fn closing_of(open: char) -> char {
    match open {
        '「' => '」',
        '『' => '』',
        _ => '”',
    }
}
