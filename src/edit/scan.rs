//! The words and marks of a grammar file, whether or not they make sense together.

use std::ops::Range;

/// A word, a number, a text, a mark or a comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    /// The first byte.
    pub(super) start: usize,
    /// One past the last byte.
    pub(super) end: usize,
}

/// What a token looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A name, a keyword, `_`; also `causal-*`.
    Word,
    /// Digits, with a fraction or an exponent.
    Number,
    /// What stands in quotes, with its quotes; it may lack the second.
    Text,
    /// `<-`, `=`, `(` and their kin.
    Mark,
    /// From `#` to the end of the line.
    Comment,
    /// From `##` to the end of the line.
    Doc,
}

impl Token {
    /// Where it is.
    pub(super) fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// Marks of two letters.
const LONG_MARKS: [&str; 8] = ["<-", "->", "<=", ">=", "==", "!=", "<>", "//"];

/// The tokens of a text, in order.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..) {
        let Some(first) = rest.chars().next() else {
            break;
        };
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let (kind, length) = token(rest, first);
        let end = at + length.max(first.len_utf8());
        tokens.push(Token {
            kind,
            start: at,
            end,
        });
        at = end;
    }
    tokens
}

/// The kind of the token that a text begins with, and how many bytes it has.
fn token(rest: &str, first: char) -> (TokenKind, usize) {
    if first == '#' {
        let line = rest.lines().next().unwrap_or_default();
        let is_doc = line.starts_with("##") && !line.starts_with("###");
        let kind = if is_doc {
            TokenKind::Doc
        } else {
            TokenKind::Comment
        };
        return (kind, line.trim_end().len());
    }
    if first == '"' {
        return (TokenKind::Text, text_length(rest));
    }
    if first.is_ascii_digit() {
        return (TokenKind::Number, number_length(rest));
    }
    if first.is_alphabetic() || first == '_' {
        return (TokenKind::Word, word_length(rest));
    }
    let is_long = |mark: &&&str| rest.starts_with(**mark);
    let long = LONG_MARKS.iter().find(is_long);
    (
        TokenKind::Mark,
        long.map_or(first.len_utf8(), |mark| mark.len()),
    )
}

/// A text in quotes, or up to the end of its line where it does not end.
fn text_length(rest: &str) -> usize {
    let mut letters = rest.char_indices().skip(1);
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return at + 1,
            '\n' => return at,
            '\\' => {
                letters.next();
            }
            _ => {}
        }
    }
    rest.len()
}

fn number_length(rest: &str) -> usize {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let whole = digits(rest);
    let after = rest.get(whole..).unwrap_or_default();
    let fraction = after.strip_prefix('.').map_or(0, digits);
    let mut length = whole + if fraction > 0 { fraction + 1 } else { 0 };
    // A count that is no number is one token all the same.
    length += rest
        .get(length..)
        .unwrap_or_default()
        .chars()
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .map(char::len_utf8)
        .sum::<usize>();
    length
}

/// True for what may stand in a name after its first letter, hyphens aside.
pub(super) fn is_name_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

fn word_length(rest: &str) -> usize {
    let mut end = 0;
    let mut letters = rest.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let next = letters.peek().map(|(_, next)| *next);
        let joins = next.is_some_and(|next| is_name_letter(next) || next == '-');
        match letter {
            // `causal-*` stands for a class.
            '-' if next == Some('*') => return at + 2,
            '-' if joins => {}
            _ if is_name_letter(letter) => {}
            _ => break,
        }
        end = at + letter.len_utf8();
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        tokens(text)
            .iter()
            .map(|token| &text[token.range()])
            .collect()
    }

    #[test]
    fn a_rule_is_cut_into_words_and_marks() {
        assert_eq!(
            words("上涨[causal-cause] <- _:N 下跌:S  x 12"),
            [
                "上涨",
                "[",
                "causal-cause",
                "]",
                "<-",
                "_",
                ":",
                "N",
                "下跌",
                ":",
                "S",
                "x",
                "12"
            ]
        );
        assert_eq!(
            words("| but, >= 3  causal-*  NN -1.25 x 4 !  # 注"),
            [
                "|", "but", ",", ">=", "3", "causal-*", "NN", "-", "1.25", "x", "4", "!", "# 注"
            ]
        );
        assert_eq!(words("A.length-B"), ["A", ".", "length-B"]);
    }

    #[test]
    fn a_text_without_its_end_stops_at_the_line() {
        assert_eq!(words("use \"油价\nrule"), ["use", "\"油价", "rule"]);
        assert_eq!(words("\"a\\\"b\" c"), ["\"a\\\"b\"", "c"]);
    }
}
