//! Digests of many texts: stories first, each told in order of time, with how many sources say what.
//!
//! A [`Digester`] reads documents into [`Piece`]s: a report is one piece, a roundup as many as it has items. [`digest`]
//! joins pieces that tell of one event to stories and chooses their lines: each fact once, the latest version
//! first and the earlier named, what sources say against each other side by side.

mod event;
mod feed;
mod headline;
mod known;
mod lines;
mod page;
mod piece;
mod query;
mod report;
mod stories;
mod versions;
mod write;

pub use feed::{to_atom, to_rss};
pub use known::Known;
pub use page::to_digest_page;
pub use piece::{Digester, LeftOut, Piece, Reading};
pub use query::query;
pub use report::{
    AgainstJson, DigestJson, DigestLineJson, EarlierJson, OtherJson, SourceJson, StoryJson,
    TimelineJson, json_schema,
};
pub use write::{DigestLayout, to_digest_markdown, to_digest_text};

use jiff::civil::Date;

use super::unit::Length;
use super::{SourceText, Tastes};
use crate::automaton::Engine;
use crate::setters::setters;
use crate::stopwatch::Stopwatch;
use rayon::prelude::*;

/// What a digest should be like.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct DigestOptions {
    /// How long all stories are together; at most 400 characters a story when nothing is said.
    pub length: Length,
    /// Stories told at most; the others are named by their headlines.
    pub stories: usize,
    /// Headlines of other texts at most.
    pub others: usize,
    /// Only what was written on this day or later.
    pub since: Option<Date>,
    /// What a reader has read.
    pub known: Known,
    /// Words that a reader asks for, each with how much it counts.
    pub query: Vec<(String, f64)>,
    /// What units are liked for.
    pub tastes: Tastes,
}

setters! {
    DigestOptions {
        length: Length,
        stories: usize,
        others: usize,
        since: Option<Date>,
        known: Known,
        query: Vec<(String, f64)>,
        tastes: Tastes,
    }
}

/// A reader takes in so many stories.
const STORIES: usize = 12;
/// And so many headlines besides.
const OTHERS: usize = 20;

impl Default for DigestOptions {
    fn default() -> DigestOptions {
        DigestOptions {
            length: Length::Usual,
            stories: STORIES,
            others: OTHERS,
            since: None,
            known: Known::default(),
            query: Vec::new(),
            tastes: Tastes::default(),
        }
    }
}

/// The digest of pieces; the engine parses those that are told.
pub fn digest(mut pieces: Vec<Piece>, engine: &Engine, options: &DigestOptions) -> DigestJson {
    let watch = Stopwatch::start();
    let texts = piece::count_documents(&pieces);
    let mut found = stories::find(&pieces);
    found.retain(|story| story.is_since(&pieces, options.since));
    stories::rank(&mut found, &pieces, options);
    let told = stories::told(&found, &pieces, options);
    let rest = found.split_off(told);
    let mut is_told = vec![false; pieces.len()];
    for place in found.iter().flat_map(|story| &story.members) {
        if let Some(is_told) = is_told.get_mut(*place) {
            *is_told = true;
        }
    }
    pieces
        .par_iter_mut()
        .zip(is_told)
        .filter(|(_, is_told)| *is_told)
        .for_each(|(piece, _)| piece.text.parse(engine, &Default::default()));
    let shares = stories::shares(&found, &pieces, options);
    let stories: Vec<StoryJson> = found
        .par_iter()
        .zip(shares)
        .filter_map(|(story, share)| lines::tell(story, &pieces, share, options))
        .collect();
    let others = stories::others(&rest, &pieces, options);
    tracing::info!(texts, stories = stories.len(), took = %watch, "digested");
    DigestJson {
        texts,
        first: piece::dates(&pieces).0.map(|date| date.to_string()),
        last: piece::dates(&pieces).1.map(|date| date.to_string()),
        timeline: report::timeline(&stories),
        more: rest.len().saturating_sub(others.len()),
        others,
        stories,
    }
}

/// A piece's text, by its place.
fn text_of(pieces: &[Piece], place: usize) -> Option<&SourceText> {
    pieces.get(place).map(|piece| &piece.text)
}
