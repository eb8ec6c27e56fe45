//! Questions instead of drawing: the trees that a grammar draws differ in few spans, and somebody who says
//! which EDUs belong together leaves fewer and fewer of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use rand::RngExt as _;

use super::engine::Engine;
use super::run::{Arena, Decider, State};
use super::search::{chance, draw};
use super::{Counting, Text};
use crate::grammar::Action;
use crate::setters::setters;
use crate::tree::{EduSpan, Tree};

/// How to ask.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct AskOptions {
    /// How many trees are drawn.
    pub draws: u32,
    /// A span is asked about when at least this share of the draws has it, and at least this share has not.
    pub doubt: f64,
    /// How many configurations are kept in looking for the most probable tree.
    pub beam: usize,
}

setters! {
    AskOptions {
        draws: u32,
        doubt: f64,
        beam: usize,
    }
}

impl Default for AskOptions {
    fn default() -> AskOptions {
        AskOptions {
            draws: 24,
            doubt: 0.12,
            beam: 8,
        }
    }
}

/// Do these EDUs belong together?
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Question {
    /// The EDUs.
    pub span: EduSpan,
    /// The share of draws in which they do.
    pub share: f64,
}

/// What is still to be asked, and the tree so far.
#[derive(Debug, Clone)]
pub struct Questions {
    /// The most divisive first; none when the draws agree.
    pub open: Vec<Question>,
    /// The most probable tree that was found under the answers; none where they contradict each other, or for
    /// a text without EDUs.
    pub tree: Option<Tree>,
    /// How many of the draws keep to the answers.
    pub draws: usize,
    /// How many trees are different in their spans.
    pub trees: usize,
}

impl Engine {
    /// Parses under answers, and finds what to ask next.
    pub fn ask(
        &self,
        text: &Arc<Text>,
        answers: &[(EduSpan, bool)],
        options: &AskOptions,
    ) -> Questions {
        let mut decider = self.decider(text, Counting::default());
        let mut arena = Arena::new(text);
        let mut within = Within {
            decider: &mut decider,
            answers,
        };
        let best = within.beam(options.beam.max(1), &mut arena);
        let tree = best.and_then(|state| self.build_tree(text, &arena, &state).ok());
        let mut drawn: BTreeMap<Vec<EduSpan>, usize> = BTreeMap::new();
        for seed in 0..u64::from(options.draws) {
            let mut arena = Arena::new(text);
            let state = within.draw(seed, &mut arena);
            if let Some(state) = state {
                *drawn.entry(spans_of(&arena, &state)).or_default() += 1;
            }
        }
        self.give_back(decider.workspace);
        let draws: usize = drawn.values().sum();
        Questions {
            open: divisive(&drawn, draws, answers, options.doubt),
            tree,
            draws,
            trees: drawn.len(),
        }
    }
}

/// The spans of more than one EDU that a derivation made, in order.
fn spans_of(arena: &Arena, state: &State) -> Vec<EduSpan> {
    let steps = arena.steps(state).into_iter();
    let made = steps.filter(|step| step.action == Action::Reduce);
    let mut spans: Vec<EduSpan> = made
        .map(|step| {
            let node = arena.node(step.node);
            EduSpan {
                start: node.first,
                end: node.last + 1,
            }
        })
        .collect();
    spans.sort();
    spans
}

/// The spans on which draws differ, the most divisive first.
fn divisive(
    drawn: &BTreeMap<Vec<EduSpan>, usize>,
    draws: usize,
    answers: &[(EduSpan, bool)],
    doubt: f64,
) -> Vec<Question> {
    let mut counts: BTreeMap<EduSpan, usize> = BTreeMap::new();
    for (spans, times) in drawn {
        for span in spans {
            *counts.entry(*span).or_default() += times;
        }
    }
    let asked = |span: &EduSpan| answers.iter().any(|(known, _)| known == span);
    let each = counts.into_iter().filter(|(span, _)| !asked(span));
    let mut open: Vec<Question> = each
        .map(|(span, times)| Question {
            span,
            share: times as f64 / draws.max(1) as f64,
        })
        .filter(|question| question.share >= doubt && question.share <= 1.0 - doubt)
        .collect();
    // Of equally divisive ones the longer, which settles more.
    open.sort_by(|a, b| {
        let divides = |question: &Question| (question.share - 0.5).abs();
        let longer = b.span.edus().cmp(&a.span.edus());
        divides(a)
            .total_cmp(&divides(b))
            .then(longer)
            .then(a.span.cmp(&b.span))
    });
    open
}

/// Walks that keep to answers.
struct Within<'w, 'd> {
    decider: &'w mut Decider<'d>,
    answers: &'w [(EduSpan, bool)],
}

impl Within<'_, '_> {
    /// Whether shift and reduce keep to the answers.
    fn allowed(&self, arena: &Arena, state: &State) -> (bool, bool) {
        let mut stack = arena.stack(state).map(|at| arena.node(at));
        let (top, below) = (stack.next(), stack.next());
        let (mut shift, mut reduce) = (true, true);
        let made = top.zip(below).map(|(b, a)| (a.first, b.last + 1));
        for (span, together) in self.answers {
            let (start, end) = (span.start, span.end);
            if *together {
                let is_open = top.is_some_and(|b| b.last + 1 == end && b.first > start);
                shift &= !is_open;
                let crosses = |(first, last): (u32, u32)| {
                    (first < start && start < last && last < end)
                        || (start < first && first < end && end < last)
                };
                reduce &= !made.is_some_and(crosses);
            } else {
                reduce &= made != Some((start, end));
            }
        }
        (shift, reduce)
    }

    /// A tree drawn by the probabilities of the steps; none where it went against an answer.
    fn draw(&mut self, seed: u64, arena: &mut Arena) -> Option<State> {
        let mut random = chance(&self.decider.text.id, seed);
        let mut state = State::START;
        loop {
            let possible = self.decider.possible(arena, &state);
            let (shift, reduce) = self.allowed(arena, &state);
            let (shift, reduce) = (shift && possible.can_shift, reduce && possible.can_reduce);
            let action = match (shift, reduce) {
                (false, false) if possible.can_shift || possible.can_reduce => return None,
                (false, false) => return (state.depth == 1).then_some(state),
                (true, false) => Action::Shift,
                (false, true) => Action::Reduce,
                (true, true) => {
                    let shift = possible.probability(Action::Shift);
                    match draw(&[shift, 1.0 - shift], random.random()) {
                        Some(0) => Action::Shift,
                        _ => Action::Reduce,
                    }
                }
            };
            state = match action {
                Action::Shift => self.decider.shift(arena, &state, &possible),
                Action::Reduce => {
                    let labels = self.decider.labels(arena, &state);
                    let shares: Vec<f64> = labels.iter().map(|label| label.probability).collect();
                    let chosen = draw(&shares, random.random()).unwrap_or(0);
                    self.decider
                        .reduce(arena, &state, &possible, &labels, chosen)
                }
            };
        }
    }

    /// The most probable of the derivations that keep to the answers, among so many kept at each step.
    fn beam(&mut self, width: usize, arena: &mut Arena) -> Option<State> {
        let mut states = vec![State::START];
        for _ in 1..2 * self.decider.text.len() {
            let mut next: Vec<State> = Vec::with_capacity(2 * states.len());
            for state in &states {
                let possible = self.decider.possible(arena, state);
                let (shift, reduce) = self.allowed(arena, state);
                if shift && possible.can_shift {
                    next.push(self.decider.shift(arena, state, &possible));
                }
                if reduce && possible.can_reduce {
                    let labels = self.decider.labels(arena, state);
                    next.push(self.decider.reduce(arena, state, &possible, &labels, 0));
                }
            }
            // Stable: equals stay in the order of their states, shift first.
            next.sort_by(|a, b| b.log_probability.total_cmp(&a.log_probability));
            next.truncate(width);
            states = next;
        }
        states.into_iter().find(|state| state.depth == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::Grammar;
    use crate::text::Document;

    fn engine() -> Engine {
        let grammar: Grammar = "schema \"general\"\n_[joint-list] <- _:N _:N x 4\n_[elaboration-additional] <- _:N _:S x 3\nprefer shift _ _ . _ x 5\nprefer reduce _ _ . _ x 5\n"
            .parse()
            .unwrap();
        Engine::new(grammar)
    }

    fn text(engine: &Engine) -> Arc<Text> {
        let edus = [
            "沪指收涨，",
            "深成指收跌，",
            "成交放大，",
            "北向资金流入。",
            "分析人士看好后市。",
        ];
        Arc::new(engine.read(&Document::from_edus("股市", [edus])))
    }

    #[test]
    fn answers_are_kept_and_leave_fewer_questions() {
        let engine = engine();
        let text = text(&engine);
        let options = AskOptions::default();
        let first = engine.ask(&text, &[], &options);
        assert!(first.open.len() > 2, "{first:?}");
        assert!(first.trees > 3);
        let gold = [(0, 2), (0, 4), (2, 4)].map(|(start, end)| EduSpan { start, end });
        let mut answers: Vec<(EduSpan, bool)> = Vec::new();
        let mut asked = 0;
        loop {
            let questions = engine.ask(&text, &answers, &options);
            let Some(question) = questions.open.first() else {
                break;
            };
            asked += 1;
            assert!(asked < 15);
            answers.push((question.span, gold.contains(&question.span)));
        }
        let last = engine.ask(&text, &answers, &options);
        let tree = last.tree.unwrap();
        let spans: Vec<EduSpan> = tree
            .post_order()
            .map(|(_, node)| node.span())
            .filter(|span| span.edus() > 1 && span.edus() < 5)
            .collect();
        assert_eq!(spans, [gold[0], gold[2], gold[1]]);
        assert!(asked >= 2);
    }

    #[test]
    fn answers_that_contradict_each_other_leave_no_tree() {
        let engine = engine();
        let text = text(&engine);
        let crossing = [
            (EduSpan { start: 0, end: 2 }, true),
            (EduSpan { start: 1, end: 3 }, true),
        ];
        let none = engine.ask(&text, &crossing, &AskOptions::default());
        assert!(
            none.tree.is_none() && none.draws == 0 && none.open.is_empty(),
            "{none:?}"
        );
    }

    #[test]
    fn a_text_without_edus_has_nothing_to_ask() {
        let engine = engine();
        let text = Arc::new(engine.read(&Document::from_text("a", "")));
        let none = engine.ask(&text, &[], &AskOptions::default());
        assert!(none.open.is_empty() && none.tree.is_none());
    }
}
