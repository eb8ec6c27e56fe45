//! The literals that learned rules are made of: everything worth asking about a configuration or a
//! gap, as formulas of the grammar language.
//!
//! What is asked of a function stands in its entry ([`crate::measure::learning`]); here it is written
//! out for a schema and for the texts at hand.

use std::collections::BTreeMap;

use crate::automaton::Text;
use crate::diagnostic::Source;
use crate::error::Result;
use crate::grammar::formula::Formula;
use crate::grammar::functions::{Answer, Domain, FUNCTIONS, Function, LEVELS, Scope};
use crate::grammar::{load_boundary_reason, load_reason};
use crate::measure::learning::{Ask, Cut, Place};
use crate::measure::{Measure, Measured, Measurer, ParsedSpan, Tables};
use crate::schema::Schema;

/// A list of literals, and which of them may stand in pairs.
#[derive(Debug, Default)]
pub(crate) struct Literals {
    pub(crate) formulas: Vec<Formula>,
    /// The text of each, for looking one up.
    texts: Vec<String>,
    /// What each asks, and the answer that it wants.
    pub(crate) asked: Vec<Asked>,
    /// The first of those that ask the same as each.
    firsts: Vec<u32>,
    /// May be combined with any other of these.
    pub(crate) pairs: Vec<bool>,
    /// Is asked only when two nodes get their label.
    pub(crate) for_labels: Vec<bool>,
}

/// Texts that functions often answer, by the name of the function.
pub(crate) type Seen = BTreeMap<&'static str, Vec<String>>;

/// An answer is worth asking for when so many EDUs give it.
pub(crate) const LEAST_SEEN: usize = 8;

/// What functions of a node often answer about single EDUs, where learners ask for what was seen.
pub(crate) fn seen_in<'t>(
    schema: &Schema,
    texts: impl Iterator<Item = &'t Text>,
    least: usize,
) -> Seen {
    let tables = Tables::new(schema);
    let mut counts: BTreeMap<&'static str, BTreeMap<&str, usize>> = BTreeMap::new();
    for text in texts {
        let measurer = Measurer {
            text,
            tables: &tables,
        };
        for edu in 0..text.len() as u32 {
            let span = ParsedSpan::leaf(text, edu);
            for function in asked_for_what_was_seen() {
                if let Measure::Node(measure) = function.measure
                    && let Measured::Name(name) = measure(&measurer, &span)
                {
                    let counts = counts.entry(function.name).or_default();
                    *counts.entry(name).or_default() += 1;
                }
            }
        }
    }
    let often = |counts: BTreeMap<&str, usize>| {
        let often = counts.into_iter().filter(|(_, n)| *n >= least);
        often.map(|(text, _)| text.to_owned()).collect()
    };
    let counts = counts.into_iter();
    counts.map(|(name, counts)| (name, often(counts))).collect()
}

fn asked_for_what_was_seen() -> impl Iterator<Item = &'static Function> {
    let seen = |cut: &Cut| matches!(cut.ask, Ask::Seen);
    FUNCTIONS.iter().filter(move |f| f.cuts.iter().any(seen))
}

impl Literals {
    /// The literals about nodes, without those that ask some functions.
    pub(crate) fn of_nodes(schema: &Schema, seen: &Seen, without: &[String]) -> Literals {
        let asked = |literal: &Written| !without.iter().any(|name| literal.asked.names(name));
        Literals::of(Scope::Nodes, schema, seen, asked, load_reason)
    }

    /// The literals about the words that nodes begin and end with, as far as they were seen.
    pub(crate) fn of_words(schema: &Schema, seen: &Seen) -> Literals {
        let is_word = |literal: &Written| match &literal.asked.wants {
            Wants::Value(value) => value.starts_with('"'),
            _ => false,
        };
        Literals::of(Scope::Nodes, schema, seen, is_word, load_reason)
    }

    /// The text of a literal.
    pub(crate) fn text(&self, at: usize) -> &str {
        self.texts.get(at).map_or("", String::as_str)
    }

    /// The literals about gaps between words.
    pub(crate) fn of_gaps(schema: &Schema, seen: &Seen) -> Literals {
        Literals::of(Scope::Words, schema, seen, |_| true, load_boundary_reason)
    }

    fn of(
        scope: Scope,
        schema: &Schema,
        seen: &Seen,
        is_asked: impl Fn(&Written) -> bool,
        load: impl Fn(&std::sync::Arc<Source>, &Schema) -> Result<Formula>,
    ) -> Literals {
        let mut literals = Literals::default();
        let mut firsts: BTreeMap<String, u32> = BTreeMap::new();
        let all = written(scope, schema, seen);
        for literal in all.into_iter().filter(is_asked) {
            let source = Source::new("<literal>", literal.text.as_str());
            if let Ok(formula) = load(&source, schema) {
                let next = literals.formulas.len() as u32;
                let subject = literal.asked.subject.clone();
                literals.firsts.push(*firsts.entry(subject).or_insert(next));
                literals.formulas.push(formula);
                literals.texts.push(literal.text);
                literals.asked.push(literal.asked);
                literals.pairs.push(literal.pairs);
                literals.for_labels.push(literal.for_labels);
            }
        }
        literals
    }

    /// The place of a literal.
    pub(crate) fn find(&self, text: &str) -> Option<u32> {
        let at = self.texts.iter().position(|known| known == text);
        at.and_then(|at| u32::try_from(at).ok())
    }

    /// All literals that ask the same.
    pub(crate) fn of_subject(&self, subject: &str) -> Vec<u32> {
        let asked = self.asked.iter().enumerate();
        let own = asked.filter(|(_, asked)| asked.subject == subject);
        own.map(|(at, _)| at as u32).collect()
    }

    /// The first literal that asks the same as this one.
    pub(crate) fn first_of_subject(&self, literal: u32) -> u32 {
        self.firsts
            .get(literal as usize)
            .copied()
            .unwrap_or(literal)
    }
}

/// What a literal asks: the subject of a table, and which of its answers it wants.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Asked {
    /// As it stands after `by`: `B.cue`, `level(A, B) vs level(B, C)`.
    pub(crate) subject: String,
    pub(crate) wants: Wants,
    /// What the function says of itself, in English and in Chinese.
    pub(crate) docs: [&'static str; 2],
}

impl Asked {
    /// True when it asks a function of this name.
    fn names(&self, function: &str) -> bool {
        let is_letter = |letter: char| letter.is_alphanumeric() || letter == '-';
        let mut words = self.subject.split(|letter| !is_letter(letter));
        words.any(|word| word == function)
    }
}

/// The answers that a literal wants.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Wants {
    Truth(bool),
    Known,
    Unknown,
    /// One value, as written.
    Value(String),
    /// A member of a set.
    Member(String),
    /// A symbol or a kind of it.
    Kind(String),
    /// A whole number.
    Number(i64),
    AtLeast(i64),
    Above(f64),
    /// A level and all above it, by rank.
    FromLevel(usize),
    BelowLevel(usize),
    AboveLevel(usize),
    /// `less`, `equal` or `greater`.
    Order(&'static str),
}

/// A literal as it is written.
struct Written {
    text: String,
    asked: Asked,
    pairs: bool,
    for_labels: bool,
    /// Round, place, turn, value, seat: where it stands in the list.
    order: [usize; 5],
}

/// Every literal of a scope, in the order of the list.
fn written(scope: Scope, schema: &Schema, seen: &Seen) -> Vec<Written> {
    let mut all = Vec::new();
    for function in FUNCTIONS.iter().filter(|f| f.scope == scope) {
        for cut in function.cuts {
            for place in cut.places {
                add(&mut all, function, cut, place, schema, seen);
            }
        }
    }
    all.sort_by_key(|literal| literal.order);
    all
}

/// Adds what a cut asks at a place.
fn add(
    all: &mut Vec<Written>,
    function: &Function,
    cut: &Cut,
    place: Place,
    schema: &Schema,
    seen: &Seen,
) {
    let at = cut.round.places.iter().position(|known| *known == place);
    let questions = questions(function, cut.ask, place, schema, seen);
    for (number, question) in questions.into_iter().enumerate() {
        let Question {
            text,
            value,
            subject,
            wants,
        } = question;
        all.push(Written {
            text,
            asked: Asked {
                subject,
                wants,
                docs: [function.doc, function.zh],
            },
            pairs: cut.may_pair(place, &value),
            for_labels: function.for_labels,
            order: [
                usize::from(cut.round.number),
                at.unwrap_or(0),
                usize::from(cut.turn),
                number,
                usize::from(cut.seat),
            ],
        });
    }
}

/// A question that a cut asks.
struct Question {
    text: String,
    /// What it compares with.
    value: String,
    subject: String,
    wants: Wants,
}

/// What is asked of a function at a place.
fn questions(
    function: &Function,
    ask: Ask,
    place: Place,
    schema: &Schema,
    seen: &Seen,
) -> Vec<Question> {
    let asked = function.asked(place);
    let one = |text: String, wants: Wants| {
        vec![Question {
            text,
            value: String::new(),
            subject: asked.clone(),
            wants,
        }]
    };
    let compared = |op: &str, values: Vec<(String, Wants)>| -> Vec<Question> {
        let values = values.into_iter();
        let questions = values.map(|(value, wants)| Question {
            text: format!("{asked} {op} {value}"),
            value,
            subject: asked.clone(),
            wants,
        });
        questions.collect()
    };
    let by_name = |name: &str| (name.to_owned(), Wants::Value(name.to_owned()));
    let all = || values(function.result, schema);
    let but_none = || all().filter(|value| *value != "none");
    let rank = |level: &str| LEVELS.iter().position(|known| *known == level).unwrap_or(0);
    match ask {
        Ask::Holds => one(asked.clone(), Wants::Truth(true)),
        Ask::Fails => one(format!("not {asked}"), Wants::Truth(false)),
        Ask::Known => one(format!("known({asked})"), Wants::Known),
        Ask::Missing => one(format!("not known({asked})"), Wants::Unknown),
        Ask::Each => compared("=", all().map(by_name).collect()),
        Ask::EachButNone => compared("=", but_none().map(by_name).collect()),
        Ask::Contains => but_none()
            .map(|value| Question {
                text: format!("contains({asked}, {value})"),
                value: value.to_owned(),
                subject: asked.clone(),
                wants: Wants::Member(value.to_owned()),
            })
            .collect(),
        Ask::LeafSymbols => {
            let node = place.first().map_or("", |node| node.as_str());
            let questions = leaf_symbols(schema).map(|symbol| Question {
                text: format!("{}({node}, {symbol})", function.name),
                value: symbol.to_owned(),
                subject: format!("{node}.symbol"),
                wants: Wants::Kind(symbol.to_owned()),
            });
            questions.collect()
        }
        Ask::Seen => {
            let texts = seen.get(function.name).into_iter().flatten();
            let quoted = texts.map(|text| by_name(&format!("\"{text}\"")));
            compared("=", quoted.collect())
        }
        Ask::Equals(number) => compared("=", vec![(number.to_string(), Wants::Number(number))]),
        Ask::AtLeast(cuts) => {
            let cuts = cuts
                .iter()
                .map(|cut| (cut.to_string(), Wants::AtLeast(*cut)));
            compared(">=", cuts.collect())
        }
        Ask::Above(cuts) => {
            let cuts = cuts.iter().map(|cut| (cut.to_string(), Wants::Above(*cut)));
            compared(">", cuts.collect())
        }
        Ask::AtLeastLevel(levels) => {
            let levels = levels.iter();
            let levels = levels.map(|level| ((*level).to_owned(), Wants::FromLevel(rank(level))));
            compared(">=", levels.collect())
        }
        Ask::BesideLevel(levels) => {
            let beside = |level: &str| {
                let (name, rank) = (level.to_owned(), rank(level));
                let mut both = compared("<", vec![(name.clone(), Wants::BelowLevel(rank))]);
                both.extend(compared(">", vec![(name, Wants::AboveLevel(rank))]));
                both
            };
            levels.iter().flat_map(|level| beside(level)).collect()
        }
        Ask::Same => {
            let sides = place.iter().map(|node| function.asked(&[*node]));
            let text = sides.collect::<Vec<String>>().join(" = ");
            vec![Question {
                text: text.clone(),
                value: String::new(),
                subject: text,
                wants: Wants::Truth(true),
            }]
        }
        Ask::Against(name, places) => {
            let other = FUNCTIONS.iter().find(|other| other.name == name);
            let others = places.iter().filter_map(|place| Some(other?.asked(place)));
            let orders = [("<", "less"), ("=", "equal"), (">", "greater")];
            let each = others.flat_map(|other| orders.map(|order| (order, other.clone())));
            each.map(|((op, order), other)| Question {
                text: format!("{asked} {op} {other}"),
                subject: format!("{asked} vs {other}"),
                value: other,
                wants: Wants::Order(order),
            })
            .collect()
        }
    }
}

/// The symbols that a function can answer, `none` of cues last.
fn values(answer: Answer, schema: &Schema) -> Box<dyn Iterator<Item = &str> + '_> {
    let (Answer::Symbol(domain) | Answer::Set(domain)) = answer else {
        return Box::new(std::iter::empty());
    };
    match domain {
        Domain::Cues => {
            let classes = schema.cues.iter().map(|class| class.name.as_str());
            Box::new(classes.chain(["none"]))
        }
        Domain::Rhetoric => Box::new(schema.rhetoric.iter().map(|r| r.name.as_str())),
        Domain::Classes => Box::new(classes(schema).into_iter()),
        _ => Box::new(domain.list().unwrap_or_default().iter().copied()),
    }
}

/// The coarse classes of rhetorical relations, each once.
fn classes(schema: &Schema) -> Vec<&str> {
    let mut classes: Vec<&str> = Vec::new();
    for rhetoric in &schema.rhetoric {
        if !classes.contains(&rhetoric.class.as_str()) {
            classes.push(&rhetoric.class);
        }
    }
    classes
}

/// Symbols that a leaf can have.
fn leaf_symbols(schema: &Schema) -> impl Iterator<Item = &str> {
    let leaf = |relation: &&crate::schema::Relation| {
        !relation.triggers.is_empty() || !relation.forms.is_empty()
    };
    let relations = schema.relations.iter().filter(leaf);
    relations.map(|relation| relation.name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{embedded_schema, embedded_schema_names};

    fn seen() -> Seen {
        let texts = [("begins", "把"), ("ends", "时"), ("word", "因为")];
        let texts = texts.map(|(name, text)| (name, vec![text.to_owned()]));
        texts.into()
    }

    #[test]
    fn every_literal_is_a_formula_of_the_language() {
        for name in embedded_schema_names() {
            let schema = embedded_schema(name).unwrap();
            for scope in [Scope::Nodes, Scope::Words] {
                for literal in written(scope, &schema, &seen()) {
                    let source = Source::new("<literal>", literal.text.as_str());
                    let loaded = match scope {
                        Scope::Words => load_boundary_reason(&source, &schema),
                        _ => load_reason(&source, &schema),
                    };
                    assert!(loaded.is_ok(), "{}", literal.text);
                }
            }
        }
    }

    #[test]
    fn no_literal_stands_twice_and_none_at_the_place_of_another() {
        let schema = embedded_schema("general").unwrap();
        for scope in [Scope::Nodes, Scope::Words] {
            let all = written(scope, &schema, &seen());
            for pair in all.windows(2) {
                let [left, right] = pair else { continue };
                assert!(left.order < right.order, "{} {}", left.text, right.text);
            }
            let texts: std::collections::BTreeSet<&str> =
                all.iter().map(|literal| literal.text.as_str()).collect();
            assert_eq!(texts.len(), all.len());
        }
    }
}
