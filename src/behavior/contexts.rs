//! Contexts of actions, from general to special, as patterns and reasons.

use crate::automaton::{Questionnaire, Walk};
use crate::diagnostic::Source;
use crate::grammar::formula::Formula;
use crate::grammar::functions::COMPLETENESS;
use crate::grammar::load_reason;
use crate::schema::{RelationId, Schema};
use crate::text::words::tail_names;

/// A question with all answers that can be given, as literals; at most one of them holds.
type Question = Vec<String>;

/// The questions that contexts are made of.
pub(super) struct Contexts {
    /// For each literal, its question and its text.
    literals: Vec<(usize, String)>,
    questionnaire: Questionnaire,
    action_ladder: Vec<Vec<usize>>,
    label_ladder: Vec<Vec<usize>>,
}

/// A context: the symbols that matter, and a reason.
pub(super) type ContextKey<const N: usize> = ([Option<RelationId>; N], String);

/// The rung whose reason stands beside symbols.
const BESIDE_SYMBOLS: usize = 1;

impl Contexts {
    pub(super) fn new(schema: &Schema) -> Contexts {
        let mut questions: Vec<Question> = Vec::new();
        let mut ask = |question: Question| {
            questions.push(question);
            questions.len() - 1
        };
        let compare = ask(order("level(A, B)", "level(B, C)"));
        let stage = ask(order("level(A, B)", "sentence"));
        let below = ask(order("level(S, A)", "level(A, B)"));
        let beyond = ask(order("level(B, C)", "level(C, E)"));
        let cues: Vec<&str> = schema.cues.iter().map(|class| &*class.name).collect();
        let [cue_a, cue_b, cue_c] = ["A", "B", "C"].map(|node| ask(equal(node, "cue", &cues)));
        let tails = tail_names().get(1..).unwrap_or_default();
        let [tail_a, tail_b] = ["A", "B"].map(|node| ask(equal(node, "tail", tails)));
        let says = ask(vec!["A.speech".to_owned()]);
        let [whole_a, whole_b] =
            ["A", "B"].map(|node| ask(equal(node, "completeness", COMPLETENESS)));
        let mut classes: Vec<&str> = schema.rhetoric.iter().map(|r| r.class.as_str()).collect();
        classes.sort_unstable();
        classes.dedup();
        let [class_a, class_b] = ["A", "B"].map(|node| ask(equal(node, "class", &classes)));
        let (literals, formulas) = read_literals(&questions, schema);
        Contexts {
            literals,
            questionnaire: Questionnaire::new(&formulas, schema),
            action_ladder: vec![
                vec![compare],
                vec![compare, stage],
                vec![compare, stage, whole_b],
                vec![compare, stage, whole_b, below, beyond],
                vec![compare, stage, whole_b, below, beyond, tail_b, cue_c],
                vec![
                    compare, stage, whole_b, below, beyond, tail_b, cue_c, cue_b, class_b,
                ],
            ],
            label_ladder: vec![
                vec![stage],
                vec![stage, cue_b, tail_a],
                vec![stage, cue_b, tail_a, says, cue_a],
                vec![stage, cue_b, tail_a, says, cue_a, whole_a, whole_b],
                vec![
                    stage, cue_b, tail_a, says, cue_a, whole_a, whole_b, class_a, class_b,
                ],
            ],
        }
    }

    /// The contexts of a choice between shift and reduce, from general to special: rungs of any
    /// symbols, then the symbols of A, B and C with the reason that was given, else with what there
    /// is to see.
    pub(super) fn of_action(&self, walk: &Walk, given: Option<&str>) -> Vec<ContextKey<3>> {
        let answers = self.answers(walk);
        let mut contexts = self.climb(&self.action_ladder, &answers);
        let mut stack = walk.stack().map(|(_, span)| span.symbol);
        if let (Some(b), Some(a), Some(c)) = (stack.next(), stack.next(), walk.next_symbol()) {
            let reason = self.beside_symbols(&self.action_ladder, &answers, given);
            contexts.push(([Some(a), Some(b), Some(c)], reason));
        }
        contexts
    }

    /// The contexts of a label, in the same order; the last one has the symbols of A and B.
    pub(super) fn of_label(&self, walk: &Walk, given: Option<&str>) -> Vec<ContextKey<2>> {
        let answers = self.answers(walk);
        let mut contexts = self.climb(&self.label_ladder, &answers);
        let mut stack = walk.stack().map(|(_, span)| span.symbol);
        if let (Some(b), Some(a)) = (stack.next(), stack.next()) {
            let reason = self.beside_symbols(&self.label_ladder, &answers, given);
            contexts.push(([Some(a), Some(b)], reason));
        }
        contexts
    }

    fn beside_symbols(
        &self,
        ladder: &[Vec<usize>],
        answers: &[u32],
        given: Option<&str>,
    ) -> String {
        match given {
            Some(reason) => reason.to_owned(),
            None => {
                let asked = ladder.get(BESIDE_SYMBOLS);
                asked.map_or_else(String::new, |asked| self.reason(asked, answers))
            }
        }
    }

    /// The contexts of any symbols, rung by rung.
    fn climb<const N: usize>(&self, ladder: &[Vec<usize>], answers: &[u32]) -> Vec<ContextKey<N>> {
        let reasons = ladder.iter().map(|asked| self.reason(asked, answers));
        let mut contexts: Vec<ContextKey<N>> = reasons.map(|reason| ([None; N], reason)).collect();
        contexts.dedup();
        contexts
    }

    /// For each literal that holds, its place.
    fn answers(&self, walk: &Walk) -> Vec<u32> {
        walk.answers(&self.questionnaire)
    }

    fn reason(&self, asked: &[usize], answers: &[u32]) -> String {
        let mut parts: Vec<&str> = Vec::new();
        for question in asked {
            let mut held = answers
                .iter()
                .filter_map(|at| self.literals.get(*at as usize));
            if let Some((_, text)) = held.find(|(at, _)| at == question) {
                parts.push(text);
            }
        }
        parts.join(" and ")
    }
}

/// Which of two levels is the stronger.
fn order(left: &str, right: &str) -> Question {
    let operators = ["<", "=", ">"].iter();
    operators.map(|op| format!("{left} {op} {right}")).collect()
}

/// Which of these values a function of a node has.
fn equal(node: &str, function: &str, values: &[&str]) -> Question {
    let values = values.iter();
    values
        .map(|value| format!("{node}.{function} = {value}"))
        .collect()
}

/// The answers that the schema can express: for each its question and its text, and what it means.
fn read_literals(questions: &[Question], schema: &Schema) -> (Vec<(usize, String)>, Vec<Formula>) {
    let answers = questions.iter().enumerate();
    let answers = answers.flat_map(|(at, answers)| answers.iter().map(move |text| (at, text)));
    let read = answers.filter_map(|(at, text)| {
        let formula = load_reason(&Source::new("<literal>", text.as_str()), schema).ok()?;
        Some(((at, text.clone()), formula))
    });
    read.unzip()
}
