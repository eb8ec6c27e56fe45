//! A project that stands on a shipped grammar: one rule, and a case that shows it.

use crate::error::Result;
use crate::grammar::{Decide, embedded_grammar};
use crate::named::named_enum;

named_enum! {
    /// What a new grammar stands on.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Base {
        /// The grammar for texts of any kind.
        General = "general",
        /// The grammar of finance news.
        Finance = "finance",
        /// Nothing but the words of the schema `general`.
        Empty = "empty",
    }
}

named_enum! {
    /// The language of comments.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Language {
        /// English.
        English = "en",
        /// Chinese.
        Chinese = "zh",
    }
}

macro_rules! own {
    ($path:literal) => {
        include_str!(concat!("../../examples/overlay/", $path))
    };
}

/// What stands in the examples for the name of the grammar below.
const BASE: &str = "BASE";
/// What stands there for how strongly the rule speaks.
const STRENGTH: &str = "STRENGTH";
/// So often the rule was seen, where counts decide.
const SEEN: &str = "x 40";

/// All files with their texts.
pub(super) fn contents(base: Base, language: Language) -> Result<Vec<(String, String)>> {
    let (overlay, empty, readme) = match language {
        Language::English => (
            own!("en/mine.arsg"),
            own!("en/empty.arsg"),
            own!("en/README.md"),
        ),
        Language::Chinese => (
            own!("zh/mine.arsg"),
            own!("zh/empty.arsg"),
            own!("zh/README.md"),
        ),
    };
    let (grammar, decide) = match base {
        Base::Empty => (empty.to_owned(), Decide::Weights),
        Base::General | Base::Finance => {
            let name = base.as_str();
            (overlay.replace(BASE, name), embedded_grammar(name)?.decide)
        }
    };
    let strength = match decide {
        Decide::Weights => "always",
        Decide::Counts => SEEN,
    };
    let files = [
        ("arsg.toml", own!("arsg.toml").to_owned()),
        ("README.md", readme.to_owned()),
        ("grammars/mine.arsg", grammar.replace(STRENGTH, strength)),
        ("cases/mine.case", own!("mine.case").to_owned()),
        ("texts/today.txt", own!("today.txt").to_owned()),
    ];
    Ok(files.map(|(path, text)| (path.to_owned(), text)).into())
}
