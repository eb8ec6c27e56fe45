//! Cuts a file into statements before anything is parsed, so that one mistake hides no other.
//!
//! A line begins a statement when its first word is a keyword of a statement, or when it looks like
//! the head of a production, or when it stands at the margin and begins with two words (a
//! misspelt keyword) or like a production that is not well written. All other lines continue the
//! statement above them.

use super::syntax::{Comment, Span};
use crate::diagnostic::half_width;

/// A piece of a file: a statement, a comment line, or blank lines.
#[derive(Debug)]
pub(super) enum Piece {
    Blank,
    Comment(Comment),
    Statement(Chunk),
}

/// The lines of one statement, not yet parsed.
#[derive(Debug)]
pub(super) struct Chunk {
    pub(super) span: Span,
    pub(super) comments: Vec<Comment>,
    /// Marks that cannot be read, or that lack their other half.
    pub(super) faults: Vec<Fault>,
}

/// What the scanner itself finds wrong.
#[derive(Debug, Clone, Copy)]
pub(super) enum Fault {
    /// A text without its closing quote.
    OpenText(Span),
    /// A full-width mark, with the one to write instead.
    FullWidth(Span, char),
    /// Brackets nested deeper than [`MAX_NESTING`].
    TooDeep(Span),
    /// `//` where a comment was meant.
    Slashes(Span),
}

/// How deep brackets may nest: deeper than any person reads, shallow enough for any stack.
pub(super) const MAX_NESTING: usize = 64;

pub(super) const STATEMENT_WORDS: &[&str] = &[
    "grammar", "schema", "use", "start", "decide", "fallback", "rule", "table", "prefer",
    "boundary", "block", "no",
];

/// Words that begin the rest of a rule, even at the margin.
const CONTINUING_WORDS: &[&str] = &["when", "set", "and", "or", "not", "implies", "in", "x", "w"];

/// Cuts `text` into pieces.
pub(super) fn cut(text: &str) -> Vec<Piece> {
    let mut cutter = Cutter::default();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        cutter.line(start, line);
        start += line.len();
    }
    cutter.finish()
}

/// Where the statements of a text are, whether or not they can be read.
pub(crate) fn statement_spans(text: &str) -> Vec<std::ops::Range<usize>> {
    let pieces = cut(text).into_iter();
    let spans = pieces.filter_map(|piece| match piece {
        Piece::Statement(chunk) => Some(chunk.span.range()),
        Piece::Blank | Piece::Comment(_) => None,
    });
    spans.collect()
}

#[derive(Default)]
struct Cutter {
    pieces: Vec<Piece>,
    /// The statement being read.
    open: Option<Chunk>,
    /// Comments and blank lines since its last line: inside it if it goes on, after it if not.
    waiting: Vec<Piece>,
    /// True while all that was read of it is `rule NAME` or `table NAME`.
    only_named: bool,
    nesting: usize,
    /// True when its last line leaves a formula open: in a bracket, or after an operator.
    in_formula: bool,
}

impl Cutter {
    fn line(&mut self, start: usize, line: &str) {
        let code = line.trim_start_matches([' ', '\t', '\u{3000}']);
        let begin = start + line.len() - code.len();
        let code = code.trim_end();
        if code.is_empty() {
            if !matches!(self.waiting.last(), Some(Piece::Blank)) {
                self.waiting.push(Piece::Blank);
            }
            return;
        }
        if code.starts_with('#') {
            self.waiting
                .push(Piece::Comment(comment(begin, code, true)));
            return;
        }
        if code.starts_with("//") && self.open.is_some() {
            // What was meant as a comment shall not end the rule it stands in.
            let more = scan(begin, code, &mut self.nesting);
            self.open
                .iter_mut()
                .for_each(|open| open.faults.extend_from_slice(&more.faults));
            return;
        }
        let line = Line {
            code,
            at_margin: begin == start,
            in_formula: self.in_formula,
        };
        let goes_on = self.open.is_some() && !line.begins_statement(self.only_named);
        if !goes_on {
            self.close();
            self.nesting = 0;
        }
        let scanned = scan(begin, code, &mut self.nesting);
        let written = code.get(..scanned.span.end - scanned.span.start);
        self.in_formula = self.nesting > 0 || written.is_some_and(wants_more);
        self.only_named =
            !goes_on && matches!(first_word(code), "rule" | "table") && words_in(code) <= 2;
        if goes_on {
            self.continue_with(scanned)
        } else {
            self.open = Some(scanned)
        }
    }

    fn continue_with(&mut self, more: Chunk) {
        let Some(open) = &mut self.open else { return };
        let inside = self.waiting.drain(..).filter_map(|piece| match piece {
            Piece::Comment(comment) => Some(comment),
            _ => None,
        });
        open.comments.extend(inside);
        open.comments.extend(more.comments);
        open.faults.extend(more.faults);
        open.span.end = more.span.end;
    }

    fn close(&mut self) {
        self.pieces.extend(self.open.take().map(Piece::Statement));
        self.pieces.append(&mut self.waiting);
    }

    fn finish(mut self) -> Vec<Piece> {
        self.close();
        self.pieces
    }
}

/// Scans a line of code for its comment and its faults.
fn scan(begin: usize, code: &str, nesting: &mut usize) -> Chunk {
    let mut chunk = Chunk {
        span: Span::new(begin, begin + code.len()),
        comments: Vec::new(),
        faults: Vec::new(),
    };
    let mut letters = code.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '#' => {
                let rest = code.get(at..).unwrap_or_default();
                chunk.comments.push(comment(begin + at, rest, false));
                let before = code.get(..at).unwrap_or_default().trim_end();
                chunk.span.end = begin + before.len();
                break;
            }
            '"' => {
                if !skip_text(&mut letters) {
                    let open = Span::new(begin + at, begin + code.len());
                    chunk.faults.push(Fault::OpenText(open));
                }
            }
            '/' if code.get(at..).is_some_and(|rest| rest.starts_with("//")) => {
                let rest = Span::new(begin + at, begin + code.len());
                chunk.faults.push(Fault::Slashes(rest));
                break;
            }
            '(' | '{' | '[' => {
                *nesting += 1;
                if *nesting == MAX_NESTING + 1 {
                    let deep = Span::new(begin + at, begin + at + 1);
                    chunk.faults.push(Fault::TooDeep(deep));
                }
            }
            ')' | '}' | ']' => *nesting = nesting.saturating_sub(1),
            _ if letter.is_ascii() => {}
            _ => {
                if let Some(narrow) = half_width(letter) {
                    let wide = Span::new(begin + at, begin + at + letter.len_utf8());
                    chunk.faults.push(Fault::FullWidth(wide, narrow));
                }
            }
        }
    }
    chunk
}

/// Moves past a text in quotes; false when it does not end on its line.
fn skip_text(letters: &mut std::str::CharIndices<'_>) -> bool {
    while let Some((_, letter)) = letters.next() {
        match letter {
            '"' => return true,
            '\\' => {
                letters.next();
            }
            _ => {}
        }
    }
    false
}

fn comment(begin: usize, text: &str, own_line: bool) -> Comment {
    let text = text.trim_end();
    Comment {
        text: text.into(),
        span: Span::new(begin, begin + text.len()),
        own_line,
    }
}

/// A line with something on it, and where it stands.
struct Line<'t> {
    code: &'t str,
    at_margin: bool,
    /// The line above leaves a formula open.
    in_formula: bool,
}

impl Line<'_> {
    fn begins_statement(&self, only_named: bool) -> bool {
        let word = first_word(self.code);
        let body = matches!(word, "prefer" | "boundary" | "block" | "no" | "no-boundary")
            || is_production(self.code)
            || (self.at_margin && self.is_broken_production());
        if body || STATEMENT_WORDS.contains(&word) {
            return !(body && only_named);
        }
        let rest = self.code.get(word.len()..).unwrap_or_default();
        let second = rest.trim_start();
        self.at_margin
            && !word.is_empty()
            && !CONTINUING_WORDS.contains(&word)
            && second.len() < rest.len()
            && second.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '"')
            && !CONTINUING_WORDS.contains(&first_word(second))
    }

    /// `NAME[...`, `NAME(...` or a name and an arrow: somebody meant a production.
    fn is_broken_production(&self) -> bool {
        // The paper begins with its equations, and its preferences with a bracket.
        if self.code.starts_with('(') {
            return !self.in_formula;
        }
        let word = head_word(self.code);
        if word.is_empty() || CONTINUING_WORDS.contains(&word) {
            return false;
        }
        let rest = self.code.get(word.len()..).unwrap_or_default().trim_start();
        let has_arrow = ["<-", "←", "->"].iter().any(|arrow| rest.contains(arrow));
        match rest.chars().next() {
            Some('[') => true,
            // A formula may go on at the margin with a function or a node.
            Some('(') => !self.in_formula,
            Some('.') => false,
            _ => has_arrow && !self.in_formula,
        }
    }
}

/// True after an operator or a comma: what was begun goes on in the next line.
fn wants_more(code: &str) -> bool {
    let code = code.trim_end();
    let last = code
        .rsplit(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_'))
        .next()
        .unwrap_or_default();
    let word = CONTINUING_WORDS.contains(&last) && !matches!(last, "x" | "w");
    word || code.ends_with([
        '=', '<', '>', '+', '-', '*', '/', ',', '≠', '≤', '≥', '∈', '∧', '∨', '¬', '→',
    ])
}

/// `NAME[relation] <-` or `NAME <-` at the start of the line.
fn is_production(code: &str) -> bool {
    let word = head_word(code);
    if word.is_empty() {
        return false;
    }
    let mut rest = code.get(word.len()..).unwrap_or_default().trim_start();
    if let Some(inner) = rest.strip_prefix('[') {
        match inner.split_once(']') {
            Some((_, after)) => rest = after.trim_start(),
            None => return false,
        }
    }
    rest.starts_with("<-") || rest.starts_with('←')
}

/// The symbol that a production begins with: a name or `_`.
fn head_word(code: &str) -> &str {
    if code.starts_with('_') {
        code.get(..1).unwrap_or_default()
    } else {
        first_word(code)
    }
}

fn first_word(code: &str) -> &str {
    if !code.starts_with(char::is_alphabetic) {
        return "";
    }
    let end = code
        .find(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_'))
        .unwrap_or(code.len());
    code.get(..end).unwrap_or_default()
}

fn words_in(code: &str) -> usize {
    let code = code.split('#').next().unwrap_or_default();
    code.split_whitespace().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statements(text: &str) -> Vec<&str> {
        let pieces = cut(text);
        let spans = pieces.iter().filter_map(|piece| match piece {
            Piece::Statement(chunk) => Some(chunk.span.range()),
            _ => None,
        });
        spans.map(|range| &text[range]).collect()
    }

    #[test]
    fn a_rule_goes_on_until_the_next_statement() {
        let text = "rule 涨因\n上涨[cause] <- 上涨:N 下跌:S x 3\nwhen B.cue = because\n\nprefer shift _ _ . _\n  # why\n  when true\n";
        assert_eq!(
            statements(text),
            [
                "rule 涨因\n上涨[cause] <- 上涨:N 下跌:S x 3\nwhen B.cue = because",
                "prefer shift _ _ . _\n  # why\n  when true",
            ]
        );
    }

    #[test]
    fn a_misspelt_keyword_at_the_margin_begins_a_statement() {
        let text = "start Text\nrul a\nText[joint] <- _ _\n";
        assert_eq!(
            statements(text),
            ["start Text", "rul a", "Text[joint] <- _ _"]
        );
    }

    #[test]
    fn a_broken_production_at_the_margin_swallows_no_rule() {
        let good = "上涨[cause] <- 上涨 下跌 x 3";
        for broken in [
            "上涨[cause <- 上涨 下跌",
            "上涨(原因) <- 上涨(N), 下跌(S) 12",
            "上涨 下跌 -> 上涨",
            "_[cause ← _ _",
            "(ae): 上涨(原因) <- 上涨(N), 下跌(S) 12",
        ] {
            let text = format!("{good}\n{broken}\n{good}\n");
            assert_eq!(statements(&text), [good, broken, good], "{broken}");
        }
    }

    #[test]
    fn a_formula_may_go_on_at_the_margin() {
        let text = "prefer shift _ _ . _\nwhen B.speech and\nsame(A.object, B.object) and (\nlevel(A, B) < comma)\n";
        assert_eq!(statements(text).len(), 1);
    }

    #[test]
    fn slashes_end_no_rule() {
        let text = "prefer shift _ _ . _\n// 注\nwhen B.speech\n";
        assert_eq!(statements(text).len(), 1);
    }

    #[test]
    fn a_hash_inside_a_text_begins_no_comment() {
        let text = "use \"a#b.arsg\" # 注\n";
        assert_eq!(statements(text), ["use \"a#b.arsg\""]);
    }
}
