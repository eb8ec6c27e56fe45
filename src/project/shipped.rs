//! What ships inside the binary, as files that people can read and copy.

use serde::Serialize;

use crate::diagnostic::likely;
use crate::error::{Error, Result};
use crate::grammar::embedded_texts;
use crate::named::named_enum;

/// A file that ships inside the binary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ShippedFile {
    /// The name by which [`shipped_file`] finds it: of a grammar the one that `use` takes (`general`), of
    /// everything else the path.
    pub name: &'static str,
    /// Its path in the repository.
    pub path: &'static str,
    /// What it is.
    pub kind: ShippedKind,
    /// Its text.
    #[serde(skip)]
    pub text: &'static str,
}

named_enum! {
    /// What a shipped file is.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum ShippedKind {
        /// A grammar for whole texts.
        Grammar = "grammar",
        /// Rules that grammars use.
        Module = "module",
        /// A vocabulary.
        Schema = "schema",
        /// Words of any text.
        Lexicon = "lexicon",
        /// Clauses of made-up texts.
        Frames = "frames",
    }
}

impl Serialize for ShippedKind {
    fn serialize<S: serde::Serializer>(&self, to: S) -> std::result::Result<S::Ok, S::Error> {
        to.serialize_str(self.as_str())
    }
}

/// What is shipped besides grammars and schemas.
const OTHERS: &[(&str, ShippedKind, &str)] = &[
    (
        "schemas/lexicon/chinese.toml",
        ShippedKind::Lexicon,
        include_str!("../../schemas/lexicon/chinese.toml"),
    ),
    (
        "schemas/lexicon/lines.toml",
        ShippedKind::Lexicon,
        include_str!("../../schemas/lexicon/lines.toml"),
    ),
    (
        "schemas/lexicon/claims.toml",
        ShippedKind::Lexicon,
        include_str!("../../schemas/lexicon/claims.toml"),
    ),
    (
        "schemas/lexicon/relations.toml",
        ShippedKind::Lexicon,
        include_str!("../../schemas/lexicon/relations.toml"),
    ),
    (
        "schemas/lexicon/summaries.toml",
        ShippedKind::Lexicon,
        include_str!("../../schemas/lexicon/summaries.toml"),
    ),
    (
        "schemas/lexicon/polarity.toml",
        ShippedKind::Lexicon,
        include_str!("../../schemas/lexicon/polarity.toml"),
    ),
    (
        "schemas/lexicon/domains.toml",
        ShippedKind::Lexicon,
        include_str!("../../schemas/lexicon/domains.toml"),
    ),
    (
        "schemas/frames/finance.toml",
        ShippedKind::Frames,
        include_str!("../../schemas/frames/finance.toml"),
    ),
];

impl ShippedFile {
    /// What it says of itself: the first line of its first comment.
    pub fn about(&self) -> &'static str {
        let comments = self.text.lines().filter_map(|line| line.strip_prefix('#'));
        let mut said = comments.map(str::trim).filter(|line| !line.is_empty());
        said.next().unwrap_or_default()
    }
}

/// Everything that ships: grammars and their modules first, then schemas, then words.
pub fn shipped_files() -> Vec<ShippedFile> {
    let texts = embedded_texts().iter().map(|(path, text)| {
        let grammar = path.strip_prefix("grammars/");
        let grammar = grammar.and_then(|file| file.strip_suffix(".arsg"));
        let is_whole = text.lines().any(|line| line.starts_with("start "));
        ShippedFile {
            name: grammar.unwrap_or(path),
            path,
            kind: match (grammar, is_whole) {
                (None, _) => ShippedKind::Schema,
                (Some(_), true) => ShippedKind::Grammar,
                (Some(_), false) => ShippedKind::Module,
            },
            text,
        }
    });
    let others = OTHERS.iter().map(|(path, kind, text)| ShippedFile {
        name: path,
        path,
        kind: *kind,
        text,
    });
    let mut all: Vec<ShippedFile> = texts.chain(others).collect();
    all.sort_by_key(|file| file.kind as u8);
    all
}

/// A shipped file by its name or its path, or by the end of its path: `general`, `general.toml`,
/// `schemas/lexicon/chinese.toml`. A grammar goes before others of the same name.
pub fn shipped_file(name: &str) -> Result<ShippedFile> {
    let all = shipped_files();
    let ends = |file: &ShippedFile| {
        let file = file.path.strip_suffix(name);
        file.is_some_and(|before| before.is_empty() || before.ends_with('/'))
    };
    let is_stem = |file: &ShippedFile| {
        let last = file.path.rsplit('/').next().unwrap_or_default();
        last.split('.').next() == Some(name)
    };
    let found = all.iter().find(|file| file.name == name);
    let found = found.or_else(|| all.iter().find(|file| ends(file)));
    let found = found.or_else(|| all.iter().find(|file| is_stem(file)));
    found.copied().ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|file| file.name).collect();
        let meant = match likely(name, &names).first() {
            Some(meant) => format!("; did you mean `{meant}`?"),
            None => String::new(),
        };
        Error::Usage(format!(
            "nothing called `{name}` is shipped; `arsg show` lists what is{meant}"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_shipped_has_a_name_of_its_own_and_says_what_it_is() {
        let all = shipped_files();
        for file in &all {
            assert_eq!(shipped_file(file.name).unwrap(), *file);
            assert_eq!(shipped_file(file.path).unwrap(), *file);
            assert!(!file.about().is_empty(), "{}", file.path);
        }
        let names: std::collections::BTreeSet<&str> = all.iter().map(|file| file.name).collect();
        assert_eq!(names.len(), all.len());
    }

    #[test]
    fn files_are_found_by_the_end_of_their_path() {
        let kind = |name| shipped_file(name).unwrap().kind;
        assert_eq!(kind("general"), ShippedKind::Grammar);
        assert_eq!(kind("general.toml"), ShippedKind::Schema);
        assert_eq!(kind("chinese"), ShippedKind::Lexicon);
        let error = shipped_file("genral").unwrap_err().to_string();
        assert!(error.ends_with("did you mean `general`?"), "{error}");
    }

    #[test]
    fn every_grammar_and_word_list_of_the_repository_is_shipped() {
        for folder in ["grammars", "schemas", "schemas/lexicon", "schemas/frames"] {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let name = path.to_str().unwrap();
                if name.ends_with(".arsg") || name.ends_with(".toml") {
                    assert_eq!(shipped_file(name).unwrap().path, name);
                }
            }
        }
    }
}
