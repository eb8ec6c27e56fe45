//! Regression cases: texts in plain files with the trees that are expected of them.
//!
//! ```text
//! ===
//! a cause before its effect
//! :date 2019-09-10
//! :strict
//! ===
//! 由于需求疲软，
//! 油价下跌。
//! ---
//! (causal-cause SN 1 2)
//! ```
//!
//! A case is a name, attributes, a text (one EDU per line, a blank line before a new paragraph, `# ` before
//! a title; with `:raw` running text that is segmented) and the expected tree. `docs/formats.md` has it all.

mod compare;
mod read;
mod run;
mod write;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

pub use compare::{Difference, differences};
pub use read::{CaseFile, is_case_file, read_case_file, read_cases};
pub use run::{Failure, MAX_PARSES, Verdict, update_cases};
pub use write::{write_case, write_raw_case};

use crate::diagnostic::{Place, Source};
use crate::text::Document;
use crate::tree::Tree;

/// A text with what is expected of it.
#[derive(Debug, Clone)]
pub struct Case {
    /// Unique in its file; also the document's id.
    pub name: String,
    /// The text. `:title`, `:date` and `:url` are in it.
    pub document: Document,
    /// The expected tree, if one is given.
    pub tree: Option<Tree>,
    /// What else is asked.
    pub asks: Asks,
    /// All attributes with a value: `:source`, `:polarity` and whatever else stands there.
    pub metadata: BTreeMap<String, String>,
    /// Where it begins.
    pub place: Place,
    /// Where the expected tree stands in its file.
    tree_range: Range<usize>,
}

/// What a case asks beside its tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Asks {
    /// `:skip`: it is not run.
    pub skip: bool,
    /// `:error`: rules must not cover the text.
    pub error: bool,
    /// `:strict`: rules must cover every step.
    pub strict: bool,
    /// `:raw`: the text is running text.
    pub raw: bool,
    /// `:parses(N)`: so many trees must be possible.
    pub parses: Option<usize>,
}

impl Case {
    /// The file it stands in.
    pub fn source(&self) -> &Arc<Source> {
        self.place.source()
    }

    /// True when a pattern fits its name: as a part of it, or with `*` and `?` as the whole.
    pub fn is_named_like(&self, pattern: &str) -> bool {
        if pattern.contains(['*', '?']) {
            fits(&self.name, pattern)
        } else {
            self.name.contains(pattern)
        }
    }
}

/// `*` is any text, `?` any character.
fn fits(name: &str, pattern: &str) -> bool {
    let name: Vec<char> = name.chars().collect();
    let pattern: Vec<char> = pattern.chars().collect();
    let (mut at, mut wanted) = (0, 0);
    // Where to go back to: after the last `*`, and the character it may swallow next.
    let mut back: Option<(usize, usize)> = None;
    while at < name.len() {
        match pattern.get(wanted) {
            Some('*') => {
                back = Some((wanted + 1, at));
                wanted += 1;
            }
            Some(c) if *c == '?' || *c == name[at] => {
                at += 1;
                wanted += 1;
            }
            _ => match back {
                Some((after_star, swallowed)) => {
                    back = Some((after_star, swallowed + 1));
                    (at, wanted) = (swallowed + 1, after_star);
                }
                None => return false,
            },
        }
    }
    pattern.iter().skip(wanted).all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_anything() {
        for (name, pattern, expected) in [
            ("油价下跌", "油价*", true),
            ("油价下跌", "*下跌", true),
            ("油价下跌", "油?下?", true),
            ("油价下跌", "油*跌*", true),
            ("油价下跌", "油*涨*", false),
            ("油价下跌", "?", false),
            ("", "*", true),
        ] {
            assert_eq!(fits(name, pattern), expected, "{name} {pattern}");
        }
    }
}
