//! What is data is not code: lists of Chinese words stand in `schemas/`, never in the sources.
//!
//! A list is two or more Chinese words in quotes that only commas, bars, brackets or calls of
//! `tag` part, or one literal of more Chinese characters than any word has. Single words may stand in
//! code, where a rule of grammar is about that very word.

#![allow(clippy::expect_used, clippy::panic)] // a test fails by panicking

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Files that may hold such lists, and why.
const FORMS: &[(&str, &str)] = &[
    ("src/text/numeral.rs", "the numerals"),
    ("src/text/time/mod.rs", "calendar forms: 今年, 上月, 周三"),
    (
        "src/text/time/shape/clock.rs",
        "the forms of hours: 3时, 3点半",
    ),
    (
        "src/text/time/shape/date.rs",
        "calendar forms: 去年, 上半年, 8月5日",
    ),
    (
        "src/text/time/shape/mod.rs",
        "calendar forms: 十二五, 上世纪90年代, 周三",
    ),
    (
        "src/text/time/shape/vague.rs",
        "counts of time: 三个月后, 过去两年",
    ),
    (
        "src/text/document.rs",
        "how the date of a document is written: 2019年9月1日",
    ),
    (
        "src/measure/form.rs",
        "numerals that count the items of a list",
    ),
    (
        "src/summarize/readable.rs",
        "numerals that count the items of a list",
    ),
    ("src/measure/functions/gaps.rs", "Chinese docs"),
    ("src/measure/functions/lines.rs", "Chinese docs"),
    ("src/measure/functions/nodes.rs", "Chinese docs"),
    ("src/measure/functions/pairs.rs", "Chinese docs"),
    ("src/measure/functions/places.rs", "Chinese docs"),
    ("src/measure/functions/values.rs", "Chinese docs"),
    (
        "src/grammar/rewrite.rs",
        "the Chinese names of nucleus and satellite",
    ),
    (
        "src/demo/run.rs",
        "the two words whose neighbours the demo shows",
    ),
];

/// No word has more characters.
const LONGEST_WORD: usize = 6;

#[test]
fn no_source_file_holds_a_list_of_chinese_words() {
    let mut found = Vec::new();
    for file in sources() {
        let name = file.display().to_string();
        if !FORMS.iter().any(|(known, _)| *known == name) {
            let lists = lists_of(&read(&file)).into_iter();
            found.extend(lists.map(|(line, words)| format!("{name}:{line}: {}", words.join(" "))));
        }
    }
    assert!(
        found.is_empty(),
        "these words belong in schemas/lexicon/ or in a schema:\n{}",
        found.join("\n")
    );
}

#[test]
fn every_file_that_may_hold_forms_holds_some() {
    for (file, _) in FORMS {
        let lists = lists_of(&read(Path::new(file)));
        assert!(
            !lists.is_empty(),
            "`{file}` needs no leave to hold lists any more"
        );
    }
}

#[test]
fn lists_are_found_however_they_are_written() {
    let found = |source: &str| lists_of(source).len();
    assert_eq!(found(r#"const A: [&str; 2] = ["公司", "集团"];"#), 1);
    assert_eq!(found(r#"matches!(word, "被" | "遭")"#), 1);
    assert_eq!(found(r#"alt((tag("春节"), tag("国庆")))"#), 1);
    assert_eq!(found("matches!(c, '楼' | '线')"), 1);
    assert_eq!(found(r#""楼线院馆机门矿".contains(c)"#), 1);
    assert_eq!(found(r#"const A: &str = "将"; // "被", "把""#), 0);
    assert_eq!(found("/// 被, 把\nfn a<'a>(b: &'a str) {}"), 0);
    assert_eq!(found("['，', '。', '；']"), 0);
    assert_eq!(
        found("#[cfg(test)]\nmod tests {\n let a = [\"涨\", \"跌\"];\n}\n"),
        0
    );
    assert_eq!(
        found("#[cfg(test)]\nmod tests;\nlet a = [\"涨\", \"跌\"];"),
        1
    );
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// The source files that are no tests, in order.
fn sources() -> Vec<PathBuf> {
    let mut files = BTreeSet::new();
    let mut folders = vec![PathBuf::from("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("the sources can be listed") {
            let path = entry.expect("the sources can be listed").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") {
                files.insert(path);
            }
        }
    }
    let tests: Vec<PathBuf> = files.iter().flat_map(|file| test_modules(file)).collect();
    files.retain(|file| !tests.contains(file));
    assert!(files.len() > 100, "the tests run in the project's folder");
    files.into_iter().collect()
}

/// The files that a file declares as modules for tests only.
fn test_modules(file: &Path) -> Vec<PathBuf> {
    let text = read(file);
    let folder = match file.file_stem().and_then(|stem| stem.to_str()) {
        Some("mod" | "lib" | "main") => file.with_file_name(""),
        _ => file.with_extension(""),
    };
    let mut modules = Vec::new();
    let mut lines = text.lines().map(str::trim).peekable();
    while let Some(line) = lines.next() {
        if line != "#[cfg(test)]" {
            continue;
        }
        let next = lines.peek().copied().unwrap_or_default();
        if let Some(rest) = next.strip_prefix("#[path = \"") {
            modules.push(file.with_file_name(rest.trim_end_matches("\"]")));
        } else if let Some(name) = next.strip_prefix("mod ") {
            modules.push(folder.join(name.replace(';', ".rs")));
        }
    }
    modules
}

/// What a list is made of.
enum Token {
    /// A text or a character in quotes, with its line.
    Literal(usize, String),
    /// A name or a word of the language.
    Name(String),
    /// Any other sign.
    Sign(char),
}

/// The lists of Chinese words in a source text, each with the line of its first word.
fn lists_of(source: &str) -> Vec<(usize, Vec<String>)> {
    let mut lists = Vec::new();
    let mut list: Vec<String> = Vec::new();
    let mut first = 0;
    for token in without_tests(tokens(source)) {
        match token {
            Token::Literal(line, text) if is_word(&text) => {
                if list.is_empty() {
                    first = line;
                }
                list.push(text);
            }
            Token::Sign(',' | '|' | '&' | '(' | ')' | '[' | ']') => {}
            Token::Name(name) if name == "tag" => {}
            _ => lists.push((first, std::mem::take(&mut list))),
        }
    }
    lists.push((first, list));
    lists.retain(|(_, list)| is_list(list));
    lists
}

fn is_list(words: &[String]) -> bool {
    let is_long =
        |word: &String| word.chars().all(is_chinese) && word.chars().count() > LONGEST_WORD;
    words.len() > 1 || words.iter().any(is_long)
}

/// True for Chinese characters without marks or spaces; with them it is a sentence or a message.
fn is_word(text: &str) -> bool {
    text.chars().any(is_chinese) && text.chars().all(char::is_alphanumeric)
}

fn is_chinese(c: char) -> bool {
    ('\u{4e00}'..='\u{9fff}').contains(&c) || c == '〇'
}

/// The tokens without the modules that only tests have.
fn without_tests(tokens: Vec<Token>) -> Vec<Token> {
    let mut kept = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let closes_attribute = matches!(token, Token::Sign(']'));
        kept.push(token);
        let opens_module = matches!(tokens.peek(), Some(Token::Name(name)) if name == "mod");
        if !(closes_attribute && opens_module && ends_in_cfg_test(&kept)) {
            continue;
        }
        let mut depth = 0;
        for token in tokens.by_ref() {
            match token {
                Token::Sign('{') => depth += 1,
                Token::Sign('}') => depth -= 1,
                Token::Sign(';') if depth == 0 => break,
                _ => continue,
            }
            if depth == 0 {
                break;
            }
        }
    }
    kept
}

/// True when the last tokens are `#[cfg(test)]`.
fn ends_in_cfg_test(tokens: &[Token]) -> bool {
    let last = tokens.iter().rev().filter_map(|token| match token {
        Token::Name(name) => Some(name.as_str()),
        _ => None,
    });
    last.take(2).eq(["test", "cfg"])
}

/// The tokens of a source text; comments and white space are left out.
fn tokens(source: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = source;
    let mut line = 1;
    while let Some(c) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some((length, text)) = literal(rest) {
            tokens.push(Token::Literal(line, text));
            length
        } else if c.is_alphanumeric() || c == '_' {
            let is_part = |c: char| c.is_alphanumeric() || c == '_';
            let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            tokens.push(Token::Name(rest[..length].to_owned()));
            length
        } else {
            if !c.is_whitespace() {
                tokens.push(Token::Sign(c));
            }
            c.len_utf8()
        };
        line += rest[..length].matches('\n').count();
        rest = &rest[length..];
    }
    tokens
}

/// The literal that a text begins with: its length with its quotes, and what it says.
fn literal(text: &str) -> Option<(usize, String)> {
    if let Some(inner) = text.strip_prefix('"') {
        return quoted(inner, '"').map(|said| (said.len() + 2, said.to_owned()));
    }
    if let Some(raw) = text.strip_prefix('r') {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        let inner = raw[hashes..].strip_prefix('"')?;
        let said = &inner[..inner.find(&format!("\"{}", "#".repeat(hashes)))?];
        return Some((said.len() + 2 * hashes + 3, said.to_owned()));
    }
    let said = quoted(text.strip_prefix('\'')?, '\'')?;
    // 'a and 'static are lifetimes.
    let is_character = said.chars().count() == 1 || said.starts_with('\\');
    is_character.then(|| (said.len() + 2, said.to_owned()))
}

/// What stands before the closing quote.
fn quoted(text: &str, quote: char) -> Option<&str> {
    let mut is_escaped = false;
    let end = text.find(|c| {
        let closes = c == quote && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        closes
    })?;
    Some(&text[..end])
}
