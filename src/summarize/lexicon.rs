//! The summarizer's own word lists (`schemas/lexicon/summaries.toml`).

use std::collections::BTreeMap;
use std::sync::LazyLock;

use rustc_hash::FxHashSet;
use serde::Deserialize;

const SHIPPED: &str = include_str!("../../schemas/lexicon/summaries.toml");

/// What the summarizer knows about words and relations.
#[derive(Debug, Default)]
pub(super) struct Lexicon {
    /// What a satellite step of a relation costs beyond one, by name or class.
    pub(super) relations: BTreeMap<String, f64>,
    /// Relations whose satellite clauses may be dropped.
    pub(super) dispensable: Vec<String>,
    /// Openings that lean on what stands before them.
    pub(super) leaning: FxHashSet<String>,
    /// Phrases that open sentences which lean on what stands before them.
    pub(super) opening: Vec<String>,
    /// Openings that belong to somebody who has to be named.
    pub(super) nameless: FxHashSet<String>,
    /// Words that point at something said before.
    pub(super) pointing: FxHashSet<String>,
    /// Words about the page, not about what it tells.
    pub(super) page: Vec<String>,
    /// Words that announce what follows in the text.
    pub(super) overview: Vec<String>,
    /// Words too common to be what a text is about.
    pub(super) common: FxHashSet<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    relation: BTreeMap<String, f64>,
    dispensable: Dispensable,
    list: Lists,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Dispensable {
    relations: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Lists {
    leaning: List,
    opening: List,
    nameless: List,
    pointing: List,
    page: List,
    overview: List,
    common: List,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    words: Vec<String>,
}

/// The shipped lists. A test sees to it that they can be read.
pub(super) fn shipped() -> &'static Lexicon {
    static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| read(SHIPPED).unwrap_or_default());
    &LEXICON
}

fn read(text: &str) -> Result<Lexicon, toml::de::Error> {
    let file: File = toml::from_str(text)?;
    Ok(Lexicon {
        relations: file.relation,
        dispensable: file.dispensable.relations,
        leaning: file.list.leaning.words.into_iter().collect(),
        opening: file.list.opening.words,
        nameless: file.list.nameless.words.into_iter().collect(),
        pointing: file.list.pointing.words.into_iter().collect(),
        page: file.list.page.words,
        overview: file.list.overview.words,
        common: file.list.common.words.into_iter().collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_lists_can_be_read() {
        let lexicon = read(SHIPPED);
        assert!(lexicon.is_ok(), "{lexicon:?}");
        assert!(shipped().leaning.contains("他"));
    }
}
