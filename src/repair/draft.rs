//! Rules as they are drafted: from literals that hold to a rule with a name, a comment and an example.

use std::sync::Arc;

use super::correction::label_text;
use super::ground::{Ground, Literal};
use crate::automaton::{Deed, Engine, Text, TriedRule, Walk};
use crate::grammar::formula::Formula;
use crate::grammar::{
    Action, AnyRule, Count, Decide, Pattern, Preference, Production, Rule, Shape, Strength, Weight,
};
use crate::schema::Schema;
use crate::tree::tidy_text;

/// How loudly a rule speaks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Force {
    Strength(Strength),
    Weight(f64),
    Count(u64),
}

/// What is tried where weights decide, the weakest first. A weight beyond `always` is the last resort.
const WEIGHTS: [Force; 6] = [
    Force::Strength(Strength::Mild),
    Force::Strength(Strength::Strong),
    Force::Strength(Strength::Always),
    Force::Weight(12.0),
    Force::Weight(18.0),
    Force::Weight(30.0),
];
/// What is tried where counts decide.
const COUNTS: [Force; 6] = [
    Force::Count(4),
    Force::Count(10),
    Force::Count(25),
    Force::Count(60),
    Force::Count(150),
    Force::Count(1000),
];

impl Force {
    /// What can be tried, the weakest first.
    pub(super) fn ladder(decide: Decide) -> &'static [Force] {
        match decide {
            Decide::Weights => &WEIGHTS,
            Decide::Counts => &COUNTS,
        }
    }

    /// What it adds where the rule speaks.
    pub(super) fn amount(self) -> f64 {
        match self {
            Force::Strength(strength) => strength.weight(),
            Force::Weight(weight) => weight,
            Force::Count(count) => count as f64,
        }
    }

    pub(super) fn write(self, rule: &mut Rule) {
        (rule.strength, rule.weight, rule.count) = (None, None, None);
        match self {
            Force::Strength(strength) => rule.strength = Some(strength),
            Force::Weight(weight) => rule.weight = Weight::new(weight),
            Force::Count(count) => rule.count = Count::new(count),
        }
    }
}

/// A rule that is drafted, with what it was drafted from.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    pub(super) rule: TriedRule,
    pub(super) deed: Deed,
    /// Its pattern and its reason as one formula, to ask where it speaks; none where it always does.
    pub(super) asked: Option<Formula>,
}

/// How far a rule names the symbols of its nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Symbols {
    /// As its reason says.
    Asked,
    /// That of B, too.
    Right,
    /// Those of A and B.
    Both,
    /// Those of A, B and C.
    All,
}

impl Symbols {
    pub(super) const ALL: [Symbols; 4] =
        [Symbols::Asked, Symbols::Right, Symbols::Both, Symbols::All];

    pub(super) fn names(self, node: usize) -> bool {
        match self {
            Symbols::Asked => false,
            Symbols::Right => node == 1,
            Symbols::Both => node < 2,
            Symbols::All => true,
        }
    }
}

impl Draft {
    /// The rule for a deed whose reason are these literals.
    pub(super) fn new(
        engine: &Engine,
        ground: &Ground,
        reason: &[usize],
        deed: Deed,
        symbols: Symbols,
    ) -> Draft {
        let schema = engine.schema();
        let literals: Vec<&Literal> = reason
            .iter()
            .filter_map(|at| ground.literals.get(*at))
            .collect();
        let mut pattern = [Pattern::Any; 3];
        let mut parts: Vec<Formula> = Vec::new();
        for literal in &literals {
            match literal.symbol {
                // Symbols stand in the pattern, where people look for them.
                Some((node, symbol)) if node < seats(deed) => {
                    pattern[node] = Pattern::Symbol(symbol)
                }
                _ => parts.push(literal.formula.clone()),
            }
        }
        for (node, own) in pattern.iter_mut().enumerate().take(seats(deed)) {
            if let (true, Some(symbol)) = (symbols.names(node), ground.symbols[node]) {
                *own = Pattern::Symbol(symbol);
            }
        }
        let asked = conjunction(
            parts
                .iter()
                .cloned()
                .chain(pattern_formulas(&pattern, schema))
                .collect(),
        );
        let when = conjunction(parts);
        let rule = match deed {
            Deed::Act(action) => {
                TriedRule::Preference(Preference::new(action, pattern, when, schema))
            }
            Deed::Label(outcome) => {
                let shape = Shape {
                    parent: outcome.parent,
                    relation: outcome.relation,
                    children: [pattern[0], pattern[1]],
                    roles: outcome.roles,
                };
                TriedRule::Production(Production::new(shape, when, Vec::new(), schema))
            }
        };
        let mut draft = Draft { rule, deed, asked };
        draft.rule_mut().id = slug(deed, &literals, schema).into();
        draft.rule_mut().named = true;
        draft
    }

    pub(super) fn rule(&self) -> &Rule {
        match &self.rule {
            TriedRule::Production(production) => &production.rule,
            TriedRule::Preference(preference) => &preference.rule,
        }
    }

    fn rule_mut(&mut self) -> &mut Rule {
        match &mut self.rule {
            TriedRule::Production(production) => &mut production.rule,
            TriedRule::Preference(preference) => &mut preference.rule,
        }
    }

    /// Lets it speak so loudly.
    pub(super) fn set_force(&mut self, force: Force) {
        force.write(self.rule_mut());
    }

    /// Gives it a name that no rule of the grammar and none of these has.
    pub(super) fn name_apart(&mut self, engine: &Engine, taken: &[Arc<str>]) {
        let own = Arc::clone(&self.rule().id);
        let free = |name: &str| {
            engine.grammar().rule(name).is_none() && !taken.iter().any(|other| **other == *name)
        };
        let mut name = own.to_string();
        let mut number = 2;
        while !free(&name) {
            name = format!("{own}-{number}");
            number += 1;
        }
        self.rule_mut().id = name.into();
    }

    /// Writes its comment: what it was found in, and what it says in words.
    pub(super) fn describe(&mut self, ground: &Ground, walk: &Walk, text: &Text, schema: &Schema) {
        let example = example(ground, self.deed, text);
        let facts = self
            .asked
            .as_ref()
            .map_or_else(Vec::new, |asked| walk.facts(asked));
        let does = match self.deed {
            Deed::Act(Action::Shift) => "C comes before A and B are joined".to_owned(),
            Deed::Act(Action::Reduce) => "A and B are joined before C comes".to_owned(),
            Deed::Label(outcome) => format!("A and B are {}", label_text(outcome, schema)),
        };
        let doc = if facts.is_empty() {
            format!("{example}\n{does}.")
        } else {
            format!("{example}\n{does}: {}.", facts.join("; "))
        };
        self.rule_mut().doc = Some(doc.into());
    }

    /// The rule as a grammar has it.
    pub(super) fn to_text(&self, schema: &Schema) -> String {
        match &self.rule {
            TriedRule::Production(production) => AnyRule::Production(production).to_text(schema),
            TriedRule::Preference(preference) => AnyRule::Preference(preference).to_text(schema),
        }
    }
}

/// How many nodes a rule's pattern has.
fn seats(deed: Deed) -> usize {
    match deed {
        Deed::Act(_) => 3,
        Deed::Label(_) => 2,
    }
}

pub(super) fn conjunction(mut parts: Vec<Formula>) -> Option<Formula> {
    match parts.len() {
        0 => None,
        1 => parts.pop(),
        _ => Some(Formula::And(parts)),
    }
}

/// The symbols of a pattern as a reason asks for them.
fn pattern_formulas<'p>(
    pattern: &'p [Pattern],
    schema: &'p Schema,
) -> impl Iterator<Item = Formula> + 'p {
    let nodes = pattern.iter().zip(["A", "B", "C"]);
    nodes.filter_map(|(symbol, node)| {
        let Pattern::Symbol(symbol) = symbol else {
            return None;
        };
        let text = format!("is({node}, {})", schema.relation_name(*symbol));
        let source = crate::diagnostic::Source::new("<pattern>", text);
        crate::grammar::load_reason(&source, schema).ok()
    })
}

/// How many literals a name is made of.
const NAMED: usize = 2;

/// A name that says what the rule is about: `wait-because-comma`, `causal-cause-because`.
fn slug(deed: Deed, literals: &[&Literal], schema: &Schema) -> String {
    let head = match deed {
        Deed::Act(Action::Shift) => "wait".to_owned(),
        Deed::Act(Action::Reduce) => "join".to_owned(),
        Deed::Label(outcome) => {
            let relation = schema.rhetoric_of(outcome.relation);
            relation.map_or_else(|| "label".to_owned(), |relation| relation.name.clone())
        }
    };
    let words = literals
        .iter()
        .filter_map(|literal| last_word(&literal.text));
    let words: Vec<String> = words.take(NAMED).collect();
    let name = std::iter::once(head).chain(words);
    name.collect::<Vec<_>>().join("-")
}

/// The word of a literal that says most: its value, or what it asks.
fn last_word(literal: &str) -> Option<String> {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
    let words = literal.split(|letter| !is_letter(letter));
    let telling = words
        .filter(|word| word.len() > 1 && !word.starts_with(|c: char| !c.is_ascii_alphabetic()));
    let last = telling.last()?;
    let name = last.to_ascii_lowercase();
    let name = name.trim_matches('-');
    let negated = literal.starts_with("not ");
    Some(match (negated, name) {
        (true, name) => format!("no-{name}"),
        (false, "none") => {
            let asked = literal.split_once('.').map_or("", |(_, rest)| rest);
            let asked = asked.split(' ').next().unwrap_or_default();
            format!("no-{asked}")
        }
        (false, name) => name.to_owned(),
    })
}

/// So many characters of an EDU stand in a comment.
const SHOWN: usize = 30;

/// The words at which the rule was found.
fn example(ground: &Ground, deed: Deed, text: &Text) -> String {
    let [a, b] = ground.spans;
    let edu = |at: u32| {
        let edu = text.edus.get(at as usize);
        edu.map_or_else(String::new, |edu| short(&tidy_text(&edu.text)))
    };
    let part = |(first, last): (u32, u32)| match last - first {
        0 => edu(first),
        1 => format!("{}{}", edu(first), edu(last)),
        _ => format!("{}……{}", edu(first), edu(last)),
    };
    let next = match deed {
        Deed::Act(_) => ground.next.map(edu),
        Deed::Label(_) => None,
    };
    let parts = [Some(part(a)), Some(part(b)), next];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    parts.join(" | ")
}

fn short(text: &str) -> String {
    if text.chars().count() > SHOWN {
        let cut: String = text.chars().take(SHOWN).collect();
        format!("{cut}…")
    } else {
        text.to_owned()
    }
}
