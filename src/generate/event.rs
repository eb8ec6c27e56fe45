//! Events: what several texts tell of, and the words they share.

use std::collections::BTreeMap;

use jiff::ToSpan as _;
use jiff::civil::{Date, date};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use super::frames::{Frames, Topic};
use super::wishes::THINGS;
use crate::text::spell_digit;

/// Slots inside words inside words: deeper ones stay empty.
const DEEPEST_SLOT: usize = 4;
/// How often a clause is about the event's first thing, where nothing else is wished.
const ABOUT_FIRST: f64 = 0.55;

/// Something that happened, with the words that all its texts draw from.
#[derive(Debug, Clone)]
pub(super) struct Event {
    /// The topic, by its place.
    pub(super) topic: usize,
    /// When it happened.
    pub(super) day: Date,
    /// For each slot some words.
    fillings: BTreeMap<String, Vec<String>>,
}

impl Event {
    /// Draws an event of a topic.
    pub(super) fn draw(topic: usize, frames: &Frames, random: &mut ChaCha8Rng) -> Event {
        let start = date(2018, 1, 1);
        let days: i64 = random.random_range(0..1400);
        let mut event = Event {
            topic,
            day: start.saturating_add(days.days()),
            fillings: BTreeMap::new(),
        };
        let Some(about) = frames.topics.get(topic) else {
            return event;
        };
        let slots = about.words.keys().chain(frames.words.keys());
        for slot in slots {
            event.settle(slot, about, frames, random, 0);
        }
        event
    }

    /// Draws the words for a slot, and before them those for slots inside these.
    fn settle(
        &mut self,
        slot: &str,
        topic: &Topic,
        frames: &Frames,
        random: &mut ChaCha8Rng,
        depth: usize,
    ) {
        if self.fillings.contains_key(slot) || depth > DEEPEST_SLOT {
            return;
        }
        let words: Vec<&String> = topic.words(slot, frames).sample(random, THINGS).collect();
        let mut filled = Vec::with_capacity(words.len());
        for (number, word) in words.into_iter().enumerate() {
            for (inner, _) in slots(word) {
                self.settle(inner, topic, frames, random, depth + 1);
            }
            filled.push(self.fill(word, Some(number), random));
        }
        self.fillings.insert(slot.to_owned(), filled);
    }

    /// A clause with its slots filled; `about` says which of the event's things it is about.
    pub(super) fn fill(
        &self,
        clause: &str,
        about: Option<usize>,
        random: &mut ChaCha8Rng,
    ) -> String {
        let mut out = String::with_capacity(2 * clause.len());
        let mut rest = 0;
        for (slot, range) in slots(clause) {
            out.push_str(clause.get(rest..range.start).unwrap_or_default());
            rest = range.end;
            match self.number(slot, random) {
                Some(number) => out.push_str(&number),
                None => out.push_str(self.word(slot, about, random)),
            }
        }
        out.push_str(clause.get(rest..).unwrap_or_default());
        out
    }

    /// True when the event has words for every slot of a clause.
    pub(super) fn can_fill(&self, clause: &str) -> bool {
        slots(clause).iter().all(|(slot, _)| {
            let words = self.fillings.get(*slot);
            NUMBERS.contains(slot) || words.is_some_and(|words| !words.is_empty())
        })
    }

    fn word(&self, slot: &str, about: Option<usize>, random: &mut ChaCha8Rng) -> &str {
        let words = self.fillings.get(slot).map_or(&[][..], Vec::as_slice);
        let word = match about {
            Some(number) => words.get(number % words.len().max(1)),
            None if random.random_bool(ABOUT_FIRST) => words.first(),
            None => words.choose(random),
        };
        word.map_or("", String::as_str)
    }

    fn number(&self, slot: &str, random: &mut ChaCha8Rng) -> Option<String> {
        let tenths = |n: u32| format!("{}.{}", n / 10, n % 10);
        Some(match slot {
            "percent" => format!("{}%", tenths(random.random_range(2..380))),
            "amount" => {
                if random.random_bool(0.7) {
                    format!("{}亿元", tenths(random.random_range(11..4000)))
                } else {
                    format!("{}万元", random.random_range(120..9800))
                }
            }
            "count" => format!("{}", random.random_range(2..99) * 100),
            "price" => tenths(random.random_range(40..900)),
            "points" => format!("{}", random.random_range(2..90) * 5),
            "day" => {
                let earlier: i64 = random.random_range(0..3);
                let day = self.day.saturating_sub(earlier.days());
                format!("{}月{}日", day.month(), day.day())
            }
            "month" => format!("{}月", self.day.month()),
            "quarter" => {
                let quarter = usize::try_from((self.day.month() + 2) / 3).unwrap_or(1);
                format!("{}季度", spell_digit(quarter).unwrap_or('一'))
            }
            _ => return None,
        })
    }
}

/// Slots that numbers and times fill.
const NUMBERS: [&str; 8] = [
    "percent", "amount", "count", "price", "points", "day", "month", "quarter",
];

/// The slots of a clause with their places, braces included.
fn slots(clause: &str) -> Vec<(&str, std::ops::Range<usize>)> {
    let mut found = Vec::new();
    let mut rest = 0;
    while let Some(open) = clause.get(rest..).and_then(|text| text.find('{')) {
        let start = rest + open;
        let Some(length) = clause.get(start..).and_then(|text| text.find('}')) else {
            break;
        };
        let end = start + length;
        found.push((
            clause.get(start + 1..end).unwrap_or_default(),
            start..end + 1,
        ));
        rest = end + 1;
    }
    found
}
