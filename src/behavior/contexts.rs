//! Contexts of actions, from general to special, as patterns and reasons.

use crate::automaton::{Questionnaire, Walk};
use crate::diagnostic::Source;
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

impl Contexts {
    pub(super) fn new(schema: &Schema) -> Contexts {
        let mut questions: Vec<Question> = Vec::new();
        let mut ask = |question: Question| {
            questions.push(question);
            questions.len() - 1
        };
        let order = |left: &str, right: &str| -> Question {
            ["<", "=", ">"]
                .iter()
                .map(|op| format!("{left} {op} {right}"))
                .collect()
        };
        let compare = ask(order("level(A, B)", "level(B, C)"));
        let stage = ask(order("level(A, B)", "sentence"));
        let below = ask(order("level(S, A)", "level(A, B)"));
        let beyond = ask(order("level(B, C)", "level(C, E)"));
        let cue = |node: &str| -> Question {
            schema
                .cues
                .iter()
                .map(|class| format!("{node}.cue = {}", class.name))
                .collect()
        };
        let (cue_a, cue_b, cue_c) = (ask(cue("A")), ask(cue("B")), ask(cue("C")));
        let tail = |node: &str| -> Question {
            tail_names()
                .iter()
                .skip(1)
                .map(|name| format!("{node}.tail = {name}"))
                .collect()
        };
        let (tail_a, tail_b) = (ask(tail("A")), ask(tail("B")));
        let says = ask(vec!["A.speech".to_owned()]);
        let whole = |node: &str| -> Question {
            COMPLETENESS
                .iter()
                .map(|name| format!("{node}.completeness = {name}"))
                .collect()
        };
        let (whole_a, whole_b) = (ask(whole("A")), ask(whole("B")));
        let mut classes: Vec<&str> = schema.rhetoric.iter().map(|r| r.class.as_str()).collect();
        classes.sort_unstable();
        classes.dedup();
        let class = |node: &str| -> Question {
            classes
                .iter()
                .map(|class| format!("{node}.class = {class}"))
                .collect()
        };
        let (class_a, class_b) = (ask(class("A")), ask(class("B")));
        let texts = questions.iter().enumerate();
        let literals: Vec<(usize, String)> = texts
            .flat_map(|(at, answers)| answers.iter().map(move |text| (at, text.clone())))
            .collect();
        let read =
            |text: &String| load_reason(&Source::new("<literal>", text.as_str()), schema).ok();
        let (literals, formulas): (Vec<(usize, String)>, Vec<_>) = literals
            .into_iter()
            .filter_map(|(at, text)| read(&text).map(|formula| ((at, text), formula)))
            .unzip();
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

    /// The contexts of a choice between shift and reduce.
    pub(super) fn of_action(&self, walk: &Walk) -> Vec<ContextKey<3>> {
        let answers = self.answers(walk);
        let reasons = self
            .action_ladder
            .iter()
            .map(|asked| self.reason(asked, &answers));
        let mut contexts: Vec<ContextKey<3>> = reasons.map(|reason| ([None; 3], reason)).collect();
        contexts.dedup();
        contexts
    }

    /// The contexts of a label.
    pub(super) fn of_label(&self, walk: &Walk) -> Vec<ContextKey<2>> {
        let answers = self.answers(walk);
        let reasons = self
            .label_ladder
            .iter()
            .map(|asked| self.reason(asked, &answers));
        let mut contexts: Vec<ContextKey<2>> = reasons.map(|reason| ([None; 2], reason)).collect();
        contexts.dedup();
        let mut stack = walk.stack().map(|(_, span)| span.symbol);
        if let (Some(b), Some(a)) = (stack.next(), stack.next()) {
            let reason = self
                .label_ladder
                .get(1)
                .map(|asked| self.reason(asked, &answers));
            contexts.push(([Some(a), Some(b)], reason.unwrap_or_default()));
        }
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
