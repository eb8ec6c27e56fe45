//! The words that tell what a line is for (`schemas/lexicon/lines.toml`).

use std::sync::LazyLock;

use serde::Deserialize;

use crate::named::named_enum;

const SHIPPED: &str = include_str!("../../../schemas/lexicon/lines.toml");

/// The shipped words, read once in a process. A test makes sure that they can be read.
pub(super) fn line_words() -> &'static LineWords {
    static WORDS: LazyLock<LineWords> =
        LazyLock::new(|| toml::from_str(SHIPPED).unwrap_or_default());
    &WORDS
}

named_enum! {
    /// What the words of a line tell about it.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    #[non_exhaustive]
    pub enum LineClass {
        /// Nothing.
        #[default]
        None = "none",
        /// Who speaks.
        Speaker = "speaker",
        /// Who wrote it.
        Byline = "byline",
        /// Where it comes from.
        Source = "source",
        /// Where and when it was sent.
        Dateline = "dateline",
        /// What guards against claims.
        Disclaimer = "disclaimer",
        /// What a picture is called.
        Caption = "caption",
        /// What a web page puts around a text.
        Navigation = "navigation",
        /// When and where something took place, and who was there.
        Fact = "fact",
        /// That the text is over.
        Ending = "ending",
        /// A heading that many texts have.
        Section = "section",
    }
}

/// All that the file says.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LineWords {
    class: Classes,
    pub(super) numbering: Numbering,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Classes {
    speaker: Words,
    byline: Words,
    source: Words,
    dateline: Words,
    disclaimer: Words,
    caption: Words,
    navigation: Words,
    fact: Words,
    ending: Words,
    section: Words,
}

/// The words of a class, by where they stand.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Words {
    label: Vec<String>,
    begins: Vec<String>,
    ends: Vec<String>,
    whole: Vec<String>,
}

/// What numbers a heading besides the number itself.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Numbering {
    /// What follows the number of a chapter.
    pub(super) chapter: Vec<String>,
    /// What stands before the number of a step.
    pub(super) step: Vec<String>,
}

impl LineWords {
    /// The classes in the order in which they are asked.
    fn classes(&self) -> [(LineClass, &Words); 10] {
        let class = &self.class;
        [
            (LineClass::Ending, &class.ending),
            (LineClass::Disclaimer, &class.disclaimer),
            (LineClass::Navigation, &class.navigation),
            (LineClass::Source, &class.source),
            (LineClass::Byline, &class.byline),
            (LineClass::Caption, &class.caption),
            (LineClass::Section, &class.section),
            (LineClass::Dateline, &class.dateline),
            (LineClass::Fact, &class.fact),
            (LineClass::Speaker, &class.speaker),
        ]
    }

    /// The class of what stands before a colon.
    pub(super) fn of_label(&self, label: &str) -> LineClass {
        let has = |words: &&Words| words.label.iter().any(|word| word == label);
        self.first(|words| has(&words))
    }

    /// The class of a whole line: first by all of it, then by its beginning, then by its end.
    pub(super) fn of_line(&self, line: &str) -> LineClass {
        let by_whole = self.first(|words| words.whole.iter().any(|word| word == line));
        if by_whole != LineClass::None {
            return by_whole;
        }
        let by_start = self.first(|words| {
            let mut begins = words.begins.iter();
            begins.any(|word| line.starts_with(word.as_str()))
        });
        if by_start != LineClass::None {
            return by_start;
        }
        self.first(|words| words.ends.iter().any(|word| line.ends_with(word.as_str())))
    }

    fn first(&self, holds: impl Fn(&Words) -> bool) -> LineClass {
        let found = self.classes().into_iter().find(|(_, words)| holds(words));
        found.map_or(LineClass::None, |(class, _)| class)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_words_can_be_read() {
        let words: Result<LineWords, _> = toml::from_str(SHIPPED);
        assert!(words.is_ok(), "{words:?}");
        assert!(!line_words().numbering.chapter.is_empty());
    }

    #[test]
    fn words_count_where_they_stand() {
        let words = line_words();
        assert_eq!(words.of_label("责任编辑"), LineClass::Byline);
        assert_eq!(words.of_label("主持人"), LineClass::Speaker);
        assert_eq!(words.of_line("本报记者 张三"), LineClass::Byline);
        assert_eq!(words.of_line("完"), LineClass::Ending);
        assert_eq!(words.of_line("完成了"), LineClass::None);
        assert_eq!(words.of_line("受访者供图"), LineClass::Source);
    }
}
