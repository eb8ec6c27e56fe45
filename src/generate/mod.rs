//! A grammar run backwards: made-up texts with gold trees.
//!
//! A text tells of an event of some topic. Its tree is drawn from the top down: productions by
//! their counts and by what the topic likes, each with what its reason asks of its children; leaves
//! are said with clauses ([`Frames`]) that the engine reads as the symbol, cue and form that is
//! wanted. Then the text is parsed: where the parse differs from the plan, that part is drawn again, a
//! few times. In the end the tree is the parse, so that every text parses back to its tree, attributes
//! and all; nearly all of its nodes are the planned ones, and the rest the grammar likes better.
//!
//! Text `n` depends on the seed and `n` alone, so that texts can be made in any order on any number
//! of threads.

mod event;
mod frames;
mod plan;
mod stock;
mod wishes;

pub use frames::Frames;

use std::sync::Arc;

use jiff::ToSpan as _;
use jiff::civil::Date;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::automaton::{Engine, ParseOptions};
use crate::embed::{Purpose, stream};
use crate::error::{Error, Result};
use crate::grammar::{Pattern, Production};
use crate::schema::Schema;
use crate::text::Document;
use crate::tree::Tree;
use event::Event;
use plan::{Break, Plan};
use stock::{Stock, draw_one};

/// Parts of a plan that are drawn again.
const MENDINGS: usize = 12;
/// Plans that are tried for a text; each is over fewer EDUs than the last.
const PLANS: usize = 12;
/// A production that names its symbols is drawn so many times more for each of them: it goes before
/// general ones where it holds, and a plan that ignored it would not be read back.
const NAMED: f64 = 3.0;
/// A symbol with this share of a topic's clauses is one of its own.
const OWN_SHARE: f64 = 0.15;
/// Texts that tell of one event, on the average.
const TEXTS_PER_EVENT: u64 = 8;
/// A text has so many EDUs at least, and so many paragraphs at most where it is long enough.
const FEWEST_EDUS: usize = 4;
const MOST_PARAGRAPHS: usize = 4;
/// Texts that are made at once.
const BATCH: u64 = 1024;

/// Makes texts of a grammar.
pub struct Generator {
    engine: Arc<Engine>,
    frames: Frames,
    stocks: Vec<Stock>,
    /// For each topic, the weight of every production.
    weights: Vec<Vec<(usize, f64)>>,
}

/// A made-up text.
#[derive(Debug, Clone)]
pub struct Made {
    /// The text, divided into EDUs.
    pub document: Document,
    /// Its tree.
    pub tree: Tree,
    /// What it is about.
    pub topic: String,
    /// How many nodes of the tree are as they were planned; the others are what the grammar makes of
    /// the text.
    pub planned: usize,
}

impl Generator {
    /// Reads all clauses with the engine's schema.
    pub fn new(engine: Arc<Engine>, frames: Frames) -> Result<Generator> {
        let topics = 0..frames.topics.len();
        let stocks: Vec<Stock> = topics
            .into_par_iter()
            .map(|topic| Stock::of(topic, &frames, &engine))
            .collect();
        let mut generator = Generator {
            engine,
            frames,
            stocks,
            weights: Vec::new(),
        };
        for topic in 0..generator.frames.topics.len() {
            let weights = generator.weigh(topic);
            if weights.is_empty() {
                return Err(Error::Mismatch(format!(
                    "the grammar has no production for the clauses of the topic `{}`",
                    generator.frames.topics[topic].name
                )));
            }
            generator.weights.push(weights);
        }
        Ok(generator)
    }

    /// Text `number` of `texts`.
    pub fn text(&self, seed: u64, number: u64, texts: u64) -> Result<Made> {
        let mut random = stream(seed, Purpose::MadeText, number);
        let event_number = random.random_range(0..texts.div_ceil(TEXTS_PER_EVENT).max(1));
        let event = self.event(seed, event_number);
        let topic = self.frames.topics[event.topic].name.clone();
        let unfit = || {
            Error::Mismatch(format!(
                "the grammar's productions and the clauses of the topic `{topic}` do not fit together"
            ))
        };
        let mut plans = (0..PLANS).filter_map(|attempt| {
            let breaks = skeleton(PLANS - attempt, &mut random);
            Plan::draw(self, &event, breaks, &mut random)
        });
        let plan = plans.next().ok_or_else(unfit)?;
        drop(plans);
        let id = format!("made-{number:06}");
        let later: i64 = random.random_range(0..3);
        let day = event.day.saturating_add(later.days());
        let (plan, mut document, missed) = self.mend_plan(plan, &id, day, &mut random);
        let parse = self.engine.parse(&document);
        let tree = parse.into_tree().ok_or_else(unfit)?;
        document.title = Some(plan.headline(&mut random));
        document.url = Some(format!("http://{topic}.example.org/event-{event_number}"));
        Ok(Made {
            document,
            tree,
            topic,
            planned: plan.joins() - missed,
        })
    }

    /// Draws parts of a plan again, a few times, until the text is parsed as planned; what made it
    /// worse is dropped. The plan with its text, and how many of its nodes the parse does not have.
    fn mend_plan<'g>(
        &'g self,
        plan: Plan<'g>,
        id: &str,
        day: Date,
        random: &mut ChaCha8Rng,
    ) -> (Plan<'g>, Document, usize) {
        let look = |plan: &Plan<'_>| {
            let mut document = plan.document(id);
            document.date = Some(day);
            let text = self.engine.read(&document);
            let steps = self.engine.steps(&text, &ParseOptions::default());
            let missed = plan.find_missed(&steps);
            (document, missed)
        };
        let (mut document, mut missed) = look(&plan);
        let mut best = plan;
        for _ in 0..MENDINGS {
            if missed.is_empty() {
                break;
            }
            let mut plan = best.clone();
            plan.mend(&missed, random);
            let (new, new_missed) = look(&plan);
            if new_missed.len() <= missed.len() {
                (best, document, missed) = (plan, new, new_missed);
            }
        }
        let missed = missed.len();
        (best, document, missed)
    }

    /// Makes texts on all threads and hands them over in order.
    pub fn make_each(
        &self,
        seed: u64,
        texts: u64,
        mut take: impl FnMut(Made) -> Result<()>,
    ) -> Result<()> {
        for first in (0..texts).step_by(BATCH as usize) {
            let numbers = first..(first + BATCH).min(texts);
            let batch = numbers
                .into_par_iter()
                .map(|number| self.text(seed, number, texts));
            let batch: Vec<Result<Made>> = batch.collect();
            for made in batch {
                take(made?)?;
            }
        }
        Ok(())
    }

    fn schema(&self) -> &Schema {
        self.engine.schema()
    }

    fn productions(&self) -> &[Production] {
        &self.engine.grammar().productions
    }

    fn stock(&self, topic: usize) -> Option<&Stock> {
        self.stocks.get(topic)
    }

    /// Event `number`: the same for all texts that tell of it.
    fn event(&self, seed: u64, number: u64) -> Event {
        let mut random = stream(seed, Purpose::Event, number);
        let topics: Vec<usize> = (0..self.frames.topics.len()).collect();
        let share = |topic: &usize| self.frames.topics[*topic].share;
        let topic = draw_one(&topics, share, &mut random).copied().unwrap_or(0);
        Event::draw(topic, &self.frames, &mut random)
    }

    fn draw_production(&self, topic: usize, random: &mut ChaCha8Rng) -> Option<usize> {
        let weights = self.weights.get(topic)?;
        draw_one(weights, |(_, weight)| *weight, random).map(|(production, _)| *production)
    }

    /// How often a topic uses each production: its count, times what the topic likes, where the
    /// topic has clauses or productions for both children.
    fn weigh(&self, topic: usize) -> Vec<(usize, f64)> {
        let schema = self.schema();
        let about = &self.frames.topics[topic];
        let stock = &self.stocks[topic];
        // How well a child suits the topic: by its clauses, or where productions make such nodes.
        let suits = |pattern: Pattern| match pattern {
            Pattern::Any => 1.0,
            Pattern::Symbol(wanted) => {
                let is_made = self.productions().iter().any(|production| {
                    let parent = production.shape.parent;
                    matches!(parent, Pattern::Symbol(symbol) if schema.is_a(symbol, wanted))
                });
                let share = stock.share(wanted, schema) / OWN_SHARE;
                let made = f64::from(u8::from(is_made));
                NAMED * share.max(made).min(1.0)
            }
        };
        let mut weights = Vec::new();
        for (at, production) in self.productions().iter().enumerate() {
            let shape = production.shape;
            let liked = about.relations.get(shape.relation.index()).copied();
            let weight = production.rule.count().get() as f64
                * liked.unwrap_or(1.0)
                * shape
                    .children
                    .iter()
                    .map(|child| suits(*child))
                    .product::<f64>();
            if weight > 0.0 {
                weights.push((at, weight));
            }
        }
        weights
    }
}

/// Breaks of a text: paragraphs of sentences of clauses, fewer of them for smaller sizes.
fn skeleton(size: usize, random: &mut ChaCha8Rng) -> Vec<Break> {
    let mut breaks = Vec::new();
    let most = size.clamp(1, MOST_PARAGRAPHS);
    let paragraphs = random.random_range(most.div_ceil(2)..=most);
    while breaks.len() < FEWEST_EDUS
        || breaks.iter().filter(|b| **b == Break::Paragraph).count() < paragraphs
    {
        for _ in 0..random.random_range(1..=2) {
            for _ in 1..random.random_range(1..=4) {
                breaks.push(if random.random_bool(0.12) {
                    Break::Semicolon
                } else {
                    Break::Comma
                });
            }
            breaks.push(Break::Sentence);
        }
        if let Some(last) = breaks.last_mut() {
            *last = Break::Paragraph;
        }
    }
    breaks
}
