//! The words of the s-expression format.

use std::ops::Range;

/// A word.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    Open,
    Close,
    OpenBrace,
    CloseBrace,
    OpenBracket,
    CloseBracket,
    Bar,
    Colon,
    Equals,
    At,
    Bang,
    /// In quotes, without them.
    Text(String),
    Word(String),
}

/// Splits a text into words.
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Lexer<'a> {
        Lexer { text, at: 0 }
    }

    /// The next word and where it stands; an error for a text without its closing quote.
    pub(super) fn next(&mut self) -> Option<(Result<Token, &'static str>, Range<usize>)> {
        self.skip_blank();
        let rest = self.text.get(self.at..)?;
        let start = self.at;
        let first = rest.chars().next()?;
        let single = match first {
            '(' => Token::Open,
            ')' => Token::Close,
            '{' => Token::OpenBrace,
            '}' => Token::CloseBrace,
            '[' => Token::OpenBracket,
            ']' => Token::CloseBracket,
            '|' => Token::Bar,
            ':' => Token::Colon,
            '=' => Token::Equals,
            '@' => Token::At,
            '!' => Token::Bang,
            '"' => {
                let token = self.quoted(rest);
                return Some((token, start..self.at));
            }
            _ => {
                let length = rest.find(ends_word).unwrap_or(rest.len());
                self.at += length;
                let word = rest.get(..length).unwrap_or_default().to_owned();
                return Some((Ok(Token::Word(word)), start..self.at));
            }
        };
        self.at += first.len_utf8();
        Some((Ok(single), start..self.at))
    }

    /// White space, and comments from `;` to the end of the line.
    fn skip_blank(&mut self) {
        loop {
            let rest = self.text.get(self.at..).unwrap_or_default();
            let body = rest.trim_start();
            self.at += rest.len() - body.len();
            if !body.starts_with(';') {
                return;
            }
            self.at += body.find('\n').unwrap_or(body.len());
        }
    }

    fn quoted(&mut self, rest: &str) -> Result<Token, &'static str> {
        let mut text = String::new();
        let mut letters = rest.char_indices().skip(1);
        while let Some((at, c)) = letters.next() {
            match c {
                '"' => {
                    self.at += at + 1;
                    return Ok(Token::Text(text));
                }
                '\\' => match letters.next() {
                    Some((_, 'n')) => text.push('\n'),
                    Some((_, 't')) => text.push('\t'),
                    Some((_, escaped)) => text.push(escaped),
                    None => break,
                },
                c => text.push(c),
            }
        }
        self.at = self.text.len();
        Err("a text without its closing quote")
    }
}

fn ends_word(c: char) -> bool {
    c.is_whitespace() || "(){}[]|:=@!\";".contains(c)
}

/// A name as it must be written: bare where it can be, else in quotes.
pub(super) fn name(name: &str) -> String {
    let bare = !name.is_empty() && name != "_" && !name.contains(ends_word);
    if bare { name.to_owned() } else { quoted(name) }
}

/// A text in quotes.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
