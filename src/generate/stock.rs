//! The clauses of a topic, filed under what the engine reads in them.

use rand_chacha::ChaCha8Rng;

use super::event::Event;
use super::frames::Frames;
use super::wishes::{ANY, Allowed, Wish, allows};
use crate::automaton::Engine;
use crate::embed::{Purpose, stream};
use crate::grammar::functions::PUNCTUATION;
use crate::schema::{RelationId, Schema};
use crate::text::Document;

/// How often a clause is filled to see whether it always reads the same.
const FILLINGS: usize = 3;
/// The weight of a symbol that other topics like and this one does not list.
const UNUSUAL: f64 = 0.05;

/// A clause, and what it is when nothing is set before or behind it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Filed {
    /// The clause, by its place among the frames.
    pub(super) clause: usize,
    pub(super) symbol: RelationId,
    cue: u16,
    tail: u8,
    speech: bool,
    /// The mark of its own, if it has one.
    mark: Option<u8>,
    /// How much the topic likes its symbol, shared among the clauses of the symbol.
    weight: f64,
}

/// A way to say a leaf: a clause with what is set before and behind it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Saying {
    pub(super) filed: Filed,
    pub(super) cue: Option<u16>,
    pub(super) tail: Option<u8>,
}

/// All clauses of a topic.
#[derive(Debug, Clone, Default)]
pub(super) struct Stock {
    filed: Vec<Filed>,
}

impl Stock {
    /// Reads every clause that the topic can fill.
    pub(super) fn of(topic: usize, frames: &Frames, engine: &Engine) -> Stock {
        let mut random = stream(0, Purpose::Event, topic as u64);
        let events: Vec<Event> = (0..FILLINGS)
            .map(|_| Event::draw(topic, frames, &mut random))
            .collect();
        let mut document = Document::default();
        let mut clauses = Vec::new();
        for (at, clause) in frames.clauses.iter().enumerate() {
            if !events.iter().all(|event| event.can_fill(clause)) {
                continue;
            }
            clauses.push(at);
            for event in &events {
                let text = event.fill(clause, None, &mut random);
                let text = if has_mark(&text) { text } else { text + STOP };
                let kind = crate::text::BlockKind::Paragraph;
                document.push_segmented(kind, None, [text]);
            }
        }
        let read = engine.read(&document);
        let mut filed = Vec::new();
        for (clause, leaves) in clauses.iter().zip(read.leaves.chunks(FILLINGS)) {
            let mut readings = leaves.iter().map(|leaf| Filed {
                clause: *clause,
                symbol: leaf.symbol,
                cue: leaf.cue,
                tail: leaf.tail,
                speech: leaf.speech,
                mark: has_mark(&frames.clauses[*clause]).then_some(leaf.punct),
                weight: 0.0,
            });
            let first = readings.next();
            if let Some(first) = first.filter(|first| readings.all(|other| other == *first)) {
                filed.push(first);
            }
        }
        weigh(&mut filed, topic, frames, engine.schema());
        Stock { filed }
    }

    /// The share of its clauses, by their weights, that are of a symbol.
    pub(super) fn share(&self, symbol: RelationId, schema: &Schema) -> f64 {
        let sum = |wanted: &dyn Fn(&&Filed) -> bool| -> f64 {
            let filed = self.filed.iter().filter(wanted);
            filed.map(|filed| filed.weight).sum()
        };
        let of_symbol = sum(&|filed| schema.is_a(filed.symbol, symbol));
        of_symbol / sum(&|_| true).max(f64::MIN_POSITIVE)
    }

    /// Draws a way to say a leaf that is as wished; `mark` is the mark it will end with.
    pub(super) fn say(
        &self,
        wish: &Wish,
        mark: usize,
        frames: &Frames,
        schema: &Schema,
        random: &mut ChaCha8Rng,
    ) -> Option<Saying> {
        let cues = before(wish.cue, frames);
        let tails = behind(wish.tail, frames);
        // A clause with a cue or a tail of its own is only said where somebody asks for it.
        let asks = |wished: Allowed, own: usize| wished != ANY && allows(wished, own);
        let fits = |filed: &Filed| {
            wish.symbol
                .is_none_or(|wanted| schema.is_a(filed.symbol, wanted))
                && filed.speech == wish.speech.unwrap_or(false)
                && allows(wish.punct, filed.mark.map_or(mark, usize::from))
                && filed
                    .mark
                    .is_none_or(|own| can_end(usize::from(own), mark, wish))
                && match filed.cue {
                    0 => !cues.is_empty(),
                    own => asks(wish.cue, usize::from(own)),
                }
                && match filed.tail {
                    0 => !tails.is_empty(),
                    own => asks(wish.tail, usize::from(own)),
                }
        };
        let weight = |filed: &Filed| if fits(filed) { filed.weight } else { 0.0 };
        let filed = *draw_one(&self.filed, weight, random)?;
        let cue = match filed.cue {
            0 => draw_one(&cues, |(_, weight)| *weight, random).and_then(|(cue, _)| *cue),
            _ => None,
        };
        let tail = match filed.tail {
            0 => draw_one(&tails, |_| 1.0, random).copied().flatten(),
            _ => None,
        };
        Some(Saying { filed, cue, tail })
    }
}

/// True when a clause with a mark of its own can stand before a break that is usually so marked:
/// where it is the same mark, or where the sentence ends and somebody asks for it.
fn can_end(own: usize, mark: usize, wish: &Wish) -> bool {
    let stop = PUNCTUATION.iter().position(|name| *name == "stop");
    own == mark || Some(mark) == stop && wish.punct != ANY && own > mark
}

/// The mark that clauses are read with.
const STOP: &str = "。";
/// How often a clause begins with no cue, where one would do as well.
const WITHOUT_CUE: f64 = 4.0;

/// True when a clause brings its mark along.
pub(super) fn has_mark(clause: &str) -> bool {
    clause.ends_with(['？', '！', '。', '：', '，', '；'])
}

/// What can be set before a clause without a cue so that it begins as wished, with weights.
fn before(wished: Allowed, frames: &Frames) -> Vec<(Option<u16>, f64)> {
    let mut ways = Vec::new();
    if allows(wished, 0) {
        ways.push((None, WITHOUT_CUE));
    }
    if wished != ANY {
        let classes = frames.cues.keys().copied();
        let classes = classes.filter(|class| allows(wished, usize::from(*class)));
        ways.extend(classes.map(|class| (Some(class), 1.0)));
    }
    // Where any class but a few is allowed, none is the usual thing.
    if ways.len() > FEW && allows(wished, 0) {
        ways.truncate(1);
    }
    ways
}

/// So many classes of cues are asked for; more are merely not forbidden.
const FEW: usize = 8;

/// What can be set behind a clause without a tail so that it ends as wished.
fn behind(wished: Allowed, frames: &Frames) -> Vec<Option<u8>> {
    if allows(wished, 0) {
        return vec![None];
    }
    let classes = frames.tails.keys().copied();
    let classes = classes.filter(|class| allows(wished, usize::from(*class)));
    classes.map(Some).collect()
}

/// Weights by what the topic likes; clauses of one symbol share its weight.
fn weigh(filed: &mut [Filed], topic: usize, frames: &Frames, schema: &Schema) {
    let Some(own) = frames.topics.get(topic) else {
        return;
    };
    let listed = |symbols: &[(RelationId, f64)], symbol: RelationId| {
        let mut ancestors = schema.ancestors(symbol);
        ancestors.find_map(|ancestor| {
            let known = symbols.iter().find(|(known, _)| *known == ancestor);
            known.map(|(_, weight)| *weight)
        })
    };
    let symbols: Vec<RelationId> = filed.iter().map(|filed| filed.symbol).collect();
    for clause in filed {
        let weight = listed(&own.symbols, clause.symbol).unwrap_or_else(|| {
            let mut others = frames.topics.iter();
            if others.any(|other| listed(&other.symbols, clause.symbol).is_some()) {
                UNUSUAL
            } else {
                1.0
            }
        });
        let twins = symbols
            .iter()
            .filter(|symbol| **symbol == clause.symbol)
            .count();
        clause.weight = weight / twins.max(1) as f64;
    }
}

/// Draws one of several things by their weights.
pub(super) fn draw_one<'t, T>(
    things: &'t [T],
    weight: impl Fn(&T) -> f64,
    random: &mut ChaCha8Rng,
) -> Option<&'t T> {
    use rand::RngExt as _;
    let sum: f64 = things.iter().map(&weight).sum();
    let mut left = random.random_range(0.0..1.0) * sum;
    for thing in things {
        left -= weight(thing);
        if left < 0.0 {
            return Some(thing);
        }
    }
    // Rounding may leave a little.
    things.iter().rev().find(|thing| weight(thing) > 0.0)
}
