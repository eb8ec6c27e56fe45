//! What gold texts say about a reason before any grammar is compiled: where it would turn a decision, and
//! whether that would be right.

use rayon::prelude::*;

use super::correction::alike;
use super::ground::{Bits, Ground, bits, has};
use crate::automaton::{Deed, Engine, Outcome, Step, Walk};
use crate::gold::{ParsedGold, Treebank};
use crate::schema::{RelationId, Schema};

/// A decision that a rule could turn.
#[derive(Debug, Clone)]
pub(super) struct Instance {
    /// The literals that hold there.
    pub(super) holds: Bits,
    /// Whether turning it would be right; nothing where it makes no difference.
    pub(super) good: Option<bool>,
    /// How sure the grammar was, as log-odds.
    pub(super) margin: f64,
    /// The symbols of A, B and C.
    pub(super) symbols: [Option<RelationId>; 3],
}

/// The symbols of A, B and C where a walk stands; C is none at the end of the text.
pub(super) fn symbols_of(walk: &Walk) -> [Option<RelationId>; 3] {
    let mut stack = walk.stack().map(|(_, span)| span.symbol);
    let (b, a) = (stack.next(), stack.next());
    [a, b, walk.next_symbol()]
}

/// All decisions of gold texts that went another way than `deed`, with what holds there.
pub(super) fn instances(
    bank: &Treebank,
    engine: &Engine,
    start: &Walk,
    ground: &Ground,
    deed: Deed,
    without: &str,
) -> Vec<Instance> {
    let texts = bank.texts.par_iter().filter(|text| text.id() != without);
    let found = texts.map(|text| {
        let mut found = Vec::new();
        text.walk(engine, start, |walk, _, step| {
            if let Some((good, margin)) = turned(text, walk, step, deed, engine.schema()) {
                found.push(Instance {
                    holds: bits(&walk.answers(&ground.questionnaire)),
                    good,
                    margin,
                    symbols: symbols_of(walk),
                });
            }
        });
        found
    });
    let all: Vec<Vec<Instance>> = found.collect();
    all.into_iter().flatten().collect()
}

/// Whether a step would be another one by a rule for `deed`, and whether that would be right.
fn turned(
    text: &ParsedGold,
    walk: &Walk,
    step: &Step,
    deed: Deed,
    schema: &Schema,
) -> Option<(Option<bool>, f64)> {
    match deed {
        Deed::Act(action) => {
            if step.forced || step.action == action {
                return None;
            }
            let right = text.oracle.action(walk);
            let odds = step.action_probability / (1.0 - step.action_probability);
            Some((right.map(|right| right == action), odds.ln()))
        }
        Deed::Label(wanted) => {
            let label = step.label?;
            if alike(label.outcome, wanted) {
                return None;
            }
            let gold = text.label_for(walk)?;
            let (old, new) = (label.outcome, wanted);
            let better = likeness(new, gold, schema).cmp(&likeness(old, gold, schema));
            Some((better.is_ne().then(|| better.is_gt()), f64::NEG_INFINITY))
        }
    }
}

/// How much of a label is right, as Parseval counts it: the class of its relation, its roles.
fn likeness(one: Outcome, gold: Outcome, schema: &Schema) -> u32 {
    let class = |outcome: Outcome| {
        let rhetoric = schema.rhetoric_of(outcome.relation);
        rhetoric.map(|rhetoric| rhetoric.class.as_str())
    };
    u32::from(class(one) == class(gold)) + u32::from(one.roles == gold.roles)
}

/// How many literals a reason has at most.
const LONGEST: usize = 6;
/// How many reasons are kept at each length while longer ones are looked for.
const BEAM: usize = 24;
/// How many reasons of a length are worth trying.
const TRIED: usize = 3;
/// A decision that is turned wrongly costs as much as so many turned rightly gain.
const HARM: f64 = 4.0;
/// What a literal costs beside a decision that is turned rightly.
const THOUGHT: f64 = 0.2;

/// What a reason costs that names nothing but breaks, marks and numbers, unless so many decisions that are
/// turned rightly bear it out.
const VAGUE: f64 = 2.0;
const BORNE_OUT: usize = 3;

/// A conjunction of literals of a ground.
#[derive(Debug, Clone)]
pub(super) struct Reason {
    /// The literals, the plainest first.
    pub(super) literals: Vec<usize>,
    /// The instances in which it holds, by their places.
    at: Vec<u32>,
    /// How many decisions of gold texts it turns wrongly.
    pub(super) wrong: usize,
    score: f64,
}

/// Reasons that hold on a ground, from short to long: at each length the few that turn most rightly and least
/// wrongly. Instances that are surer than `force` are not turned, nor those that do not fit the pattern.
pub(super) fn reasons(
    ground: &Ground,
    instances: &[Instance],
    deed: Deed,
    force: f64,
    fits: &dyn Fn(&Instance) -> bool,
) -> Vec<Reason> {
    let turnable = |instance: &&Instance| instance.margin < force && fits(instance);
    let instances: Vec<&Instance> = instances.iter().filter(turnable).collect();
    let usable = |at: &usize| {
        let literal = &ground.literals[*at];
        match deed {
            Deed::Act(_) => !literal.for_labels,
            // What comes next is of no account where two nodes get their label.
            Deed::Label(_) => !asks_ahead(&literal.subject),
        }
    };
    let usable: Vec<usize> = (0..ground.literals.len()).filter(usable).collect();
    search(ground, &instances, &usable)
}

/// The same where every literal may be asked and every instance counts.
pub(super) fn reasons_of(ground: &Ground, instances: &[Instance]) -> Vec<Reason> {
    let instances: Vec<&Instance> = instances.iter().collect();
    let usable: Vec<usize> = (0..ground.literals.len()).collect();
    search(ground, &instances, &usable)
}

fn search(ground: &Ground, instances: &[&Instance], usable: &[usize]) -> Vec<Reason> {
    let mut front = vec![Reason {
        literals: Vec::new(),
        at: (0..instances.len() as u32).collect(),
        wrong: usize::MAX,
        score: 0.0,
    }];
    let mut chosen: Vec<Reason> = Vec::new();
    let mut harmless = 0;
    for length in 1..=LONGEST {
        let mut longer = extended(&front, usable, ground, instances);
        longer.sort_by(|a, b| {
            let by_score = b.score.total_cmp(&a.score);
            by_score.then_with(|| a.literals.cmp(&b.literals))
        });
        longer.dedup_by(|a, b| a.literals == b.literals);
        let mut taken: Vec<&Reason> = Vec::new();
        for reason in &longer {
            let new_head = |other: &&Reason| other.literals.first() == reason.literals.first();
            if taken.len() < TRIED && !taken.iter().any(new_head) {
                taken.push(reason);
            }
        }
        harmless += taken.iter().filter(|reason| reason.wrong == 0).count();
        chosen.extend(taken.into_iter().cloned());
        longer.truncate(BEAM);
        front = longer;
        if front.is_empty() || (length >= 4 && harmless > 0) {
            break;
        }
    }
    chosen
}

fn extended(
    front: &[Reason],
    usable: &[usize],
    ground: &Ground,
    instances: &[&Instance],
) -> Vec<Reason> {
    let mut longer = Vec::new();
    for reason in front {
        for literal in usable {
            let subject = &ground.literals[*literal].subject;
            let asks_same = |other: &usize| ground.literals[*other].subject == *subject;
            if reason.literals.iter().any(asks_same) {
                continue;
            }
            let mut literals = reason.literals.clone();
            literals.push(*literal);
            literals.sort_unstable();
            let holds = |at: &&u32| has(&instances[**at as usize].holds, *literal);
            let at: Vec<u32> = reason.at.iter().filter(holds).copied().collect();
            let count = |good: bool| {
                let those = at.iter().map(|at| instances[*at as usize].good);
                those.filter(|own| *own == Some(good)).count()
            };
            let (right, wrong) = (count(true), count(false));
            let cost: f64 = literals.iter().map(|at| ground.literals[*at].cost).sum();
            // Breaks and marks alone are everywhere: without a word or a symbol gold texts must bear them out.
            let is_telling = literals.iter().any(|at| ground.literals[*at].telling);
            let vague = if is_telling || right >= BORNE_OUT {
                0.0
            } else {
                VAGUE
            };
            longer.push(Reason {
                score: (1.0 + right as f64).ln() - HARM * wrong as f64 - THOUGHT * cost - vague,
                literals,
                at,
                wrong,
            });
        }
    }
    longer
}

/// True for a question about what stands behind B.
fn asks_ahead(subject: &str) -> bool {
    let is_letter = |letter: char| letter.is_alphanumeric();
    let mut words = subject.split(|letter| !is_letter(letter));
    words.any(|word| word == "C" || word == "E")
}
