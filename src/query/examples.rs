//! The shortest passages of a treebank in which a rule speaks, and in which it just does not.

use serde::Serialize;

use super::bank::{Bank, Treebank};
use crate::automaton::{Configuration, NodeFacts};
use crate::grammar::formula::Formula;
use crate::grammar::{Action, AnyRule, Grammar, OutcomePattern, Pattern, Roles, Rule, Table};
use crate::tree::NodeId;

/// What a treebank shows of a rule, or of a row of a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Shown {
    /// The rule's id, or the table's name.
    pub rule: String,
    /// Of a row: what it is about, and what it says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<String>,
    /// As it is written.
    pub statement: String,
    /// What its doc comment says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doc: Option<String>,
    /// How often it spoke.
    pub spoke: usize,
    /// How often what it speaks for is what the tree has.
    pub right: usize,
    /// The shortest passages in which it spoke; those that it is right about first.
    pub speaks: Vec<Passage>,
    /// The shortest passages in which one part of its reason alone did not hold.
    pub just_not: Vec<Passage>,
}

/// A configuration on the way to a tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Passage {
    /// The text's id.
    pub id: String,
    /// The EDUs of A and B: `3-5`.
    pub edus: String,
    /// The text of A.
    pub a: String,
    /// The text of B.
    pub b: String,
    /// The next EDU.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub c: Option<String>,
    /// What the tree does there: `shift`, or what A and B become.
    pub tree: String,
    /// What the rule speaks for is what the tree has.
    pub right: bool,
    /// The part of the reason that does not hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
    /// What that part asks, and the answers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<(String, String)>,
}

/// What speaks: a rule, or a row of a table.
struct Voice<'g> {
    rule: &'g Rule,
    row: Option<String>,
    statement: String,
    pattern: Vec<Pattern>,
    reason: Vec<Formula>,
    wants: Wants,
    /// A weight against what it names speaks for everything else.
    is_against: bool,
}

/// What it speaks for.
enum Wants {
    Action(Action),
    Outcome(OutcomePattern),
}

/// Shows the rules of a grammar that `is_wanted` asks for, with so many passages each. Productions and
/// preferences are shown; of tables every row, where the table itself is asked for by its name.
pub fn show_rules(
    bank: &Treebank,
    grammar: &Grammar,
    count: usize,
    is_wanted: impl Fn(&str, bool) -> bool,
) -> Vec<Shown> {
    let mut voices: Vec<Voice<'_>> = Vec::new();
    let wanted = grammar
        .rules()
        .filter(|any| is_wanted(&any.rule().id, false));
    voices.extend(wanted.filter_map(|any| Voice::of_rule(any, bank)));
    for table in grammar
        .tables
        .iter()
        .filter(|table| is_wanted(&table.rule.id, true))
    {
        voices.extend(rows_of(table, bank));
    }
    let ways: Vec<(&Bank, Vec<Configuration>)> = bank
        .banks
        .iter()
        .map(|own| (own, own.asked.configurations()))
        .collect();
    use rayon::prelude::*;
    voices
        .par_iter()
        .map(|voice| voice.show(bank, &ways, count))
        .collect()
}

fn rows_of<'g>(table: &'g Table, bank: &Treebank) -> Vec<Voice<'g>> {
    let schema = &bank.schema;
    let rows = table.rows.iter().filter_map(|row| {
        let wants = match (table.decision.as_str(), &row.outcome) {
            ("shift", _) => Wants::Action(Action::Shift),
            ("reduce", _) => Wants::Action(Action::Reduce),
            ("label", Some(outcome)) => Wants::Outcome(outcome.clone()),
            _ => return None,
        };
        let keys: Vec<String> = row.keys.iter().map(crate::grammar::Key::text).collect();
        let outcome = row.outcome.as_ref().map(|outcome| outcome.text(schema));
        let said = outcome.map_or(String::new(), |outcome| format!(" {outcome}"));
        let weight = row.weight.get();
        Some(Voice {
            rule: &table.rule,
            row: Some(format!("{}{said} {weight:+}", keys.join(", "))),
            statement: table.head(schema),
            pattern: Vec::new(),
            reason: conjuncts(table.row_reason(row).as_ref()),
            is_against: weight < 0.0,
            wants,
        })
    });
    rows.collect()
}

fn conjuncts(reason: Option<&Formula>) -> Vec<Formula> {
    reason.map_or_else(Vec::new, |reason| reason.conjuncts().to_vec())
}

impl<'g> Voice<'g> {
    fn of_rule(any: AnyRule<'g>, bank: &Treebank) -> Option<Voice<'g>> {
        let (pattern, wants) = match any {
            AnyRule::Production(production) => {
                let shape = &production.shape;
                let outcome = OutcomePattern {
                    relation: crate::grammar::RelationPattern::One(shape.relation),
                    roles: Some(shape.roles),
                };
                (shape.children.to_vec(), Wants::Outcome(outcome))
            }
            AnyRule::Preference(preference) => (
                preference.pattern.to_vec(),
                Wants::Action(preference.action),
            ),
            _ => return None,
        };
        let rule = any.rule();
        Some(Voice {
            rule,
            row: None,
            statement: any.statement(&bank.schema),
            pattern,
            reason: conjuncts(rule.reason.as_ref()),
            is_against: rule.pull().is_some_and(|pull| pull < 0.0),
            wants,
        })
    }

    fn show(&self, bank: &Treebank, ways: &[(&Bank, Vec<Configuration>)], count: usize) -> Shown {
        let mut shown = Shown {
            rule: self.rule.id.to_string(),
            row: self.row.clone(),
            statement: self.statement.trim_end().to_owned(),
            doc: self.rule.doc.as_ref().map(ToString::to_string),
            spoke: 0,
            right: 0,
            speaks: Vec::new(),
            just_not: Vec::new(),
        };
        let mut speaks: Vec<(bool, usize, Passage)> = Vec::new();
        let mut just_not: Vec<(bool, usize, Passage)> = Vec::new();
        for (own, way) in ways {
            for at in way {
                if !self.is_asked(bank, own, at) {
                    continue;
                }
                let facts = own.asked.facts_of(*at);
                let failed: Vec<&Formula> = self
                    .reason
                    .iter()
                    .filter(|part| !part.holds(&facts))
                    .take(2)
                    .collect();
                let right = self.is_right(bank, own, at) != self.is_against;
                match failed.as_slice() {
                    [] => {
                        shown.spoke += 1;
                        shown.right += usize::from(right);
                        let passage = passage(own, at, right);
                        keep(&mut speaks, count, (!right, length(&passage), passage));
                    }
                    [part] => {
                        let mut passage = passage(own, at, right);
                        passage.failed = Some(part.text(&bank.schema));
                        passage.answers = answers(part, &facts, bank);
                        keep(&mut just_not, count, (false, length(&passage), passage));
                    }
                    _ => {}
                }
            }
        }
        shown.speaks = speaks.into_iter().map(|(_, _, passage)| passage).collect();
        shown.just_not = just_not
            .into_iter()
            .map(|(_, _, passage)| passage)
            .collect();
        shown
    }

    /// True where the rule is asked at all: its pattern fits, and there is something to decide. What two
    /// nodes become is asked where they are joined.
    fn is_asked(&self, bank: &Treebank, own: &Bank, at: &Configuration) -> bool {
        let edus = u32::try_from(own.asked.tree().edus.len()).unwrap_or(u32::MAX);
        let is_there = match self.wants {
            Wants::Action(_) => at.next < edus,
            Wants::Outcome(_) => at.made.is_some(),
        };
        let c = own.asked.leaf_of(at.next);
        let nodes = [at.a, at.b, c];
        is_there
            && self.pattern.iter().zip(nodes).all(|(pattern, node)| {
                let symbol = node.and_then(|node: NodeId| own.asked.symbol(node));
                symbol.is_some_and(|symbol| pattern.matches(symbol, &bank.schema))
            })
    }

    fn is_right(&self, bank: &Treebank, own: &Bank, at: &Configuration) -> bool {
        match &self.wants {
            Wants::Action(action) => (*action == Action::Reduce) == at.made.is_some(),
            Wants::Outcome(pattern) => at.made.is_some_and(|made| {
                let pair = own.asked.tree().node(made).pair();
                pair.is_some_and(|pair| fits(pattern, pair.relation.as_deref(), pair.roles, bank))
            }),
        }
    }
}

fn fits(pattern: &OutcomePattern, relation: Option<&str>, roles: Roles, bank: &Treebank) -> bool {
    let name = relation.unwrap_or(crate::tree::UNLABELLED);
    let known = bank
        .schema
        .rhetoric
        .iter()
        .position(|known| known.name == name);
    known.is_some_and(|known| {
        pattern.fits(crate::schema::RhetoricId::new(known), roles, &bank.schema)
    })
}

fn passage(own: &Bank, at: &Configuration, right: bool) -> Passage {
    let tree = own.asked.tree();
    let text = |node: Option<NodeId>| node.map_or(String::new(), |node| tree.text(node));
    let span = |node: Option<NodeId>| node.map(|node| tree.node(node).span());
    let edus = match (span(at.a), span(at.b)) {
        (Some(a), Some(b)) => format!("{}-{}", a.first(), b.last()),
        _ => String::new(),
    };
    let done = match at.made.and_then(|made| tree.node(made).pair()) {
        None => "shift".to_owned(),
        Some(pair) => format!(
            "{} {}",
            pair.relation.as_deref().unwrap_or(crate::tree::UNLABELLED),
            pair.roles
        ),
    };
    Passage {
        id: own.id().to_owned(),
        edus,
        a: text(at.a),
        b: text(at.b),
        c: own.asked.leaf_of(at.next).map(|leaf| tree.text(leaf)),
        tree: done,
        right,
        failed: None,
        answers: Vec::new(),
    }
}

/// What a part of a reason asks, and the answers.
fn answers(part: &Formula, facts: &NodeFacts<'_>, bank: &Treebank) -> Vec<(String, String)> {
    let mut answers: Vec<(String, String)> = Vec::new();
    part.visit(&mut |inner| {
        // What a condition says of itself need not be said twice.
        let asks = matches!(inner, Formula::Attribute(..) | Formula::Call(..));
        let says_itself = inner == part && is_truth(inner);
        if asks && !says_itself {
            let asked = inner.text(&bank.schema);
            if !answers.iter().any(|(known, _)| *known == asked) {
                let value = inner.evaluate(facts);
                let value = value.map_or_else(|| "unknown".to_owned(), |value| value.to_string());
                answers.push((asked, value));
            }
        }
    });
    answers
}

/// True for a function that is true or false by itself.
fn is_truth(formula: &Formula) -> bool {
    let Formula::Call(function, _) = formula else {
        return false;
    };
    matches!(function.get().result, crate::measure::Answer::Bool)
}

fn length(passage: &Passage) -> usize {
    passage.a.chars().count() + passage.b.chars().count()
}

/// Keeps the best so many, of equals the first.
fn keep<T>(best: &mut Vec<(bool, usize, T)>, count: usize, new: (bool, usize, T)) {
    let at = best.partition_point(|known| (known.0, known.1) <= (new.0, new.1));
    if at < count {
        best.insert(at, new);
        best.truncate(count);
    }
}
