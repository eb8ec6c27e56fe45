//! What holds where the automaton left the right path: the literals that rules can be made of.

use std::sync::Arc;

use super::evidence::symbols_of;
use crate::automaton::{Engine, Questionnaire, Text, Walk};
use crate::behavior::literals::{Asked, Literals, Seen, Wants, seen_in};
use crate::diagnostic::Source;
use crate::grammar::formula::Formula;
use crate::grammar::functions::LEVELS;
use crate::grammar::load_reason;
use crate::schema::{RelationId, Schema};

/// A literal that may stand in a reason.
#[derive(Debug, Clone)]
pub(super) struct Literal {
    /// As written.
    pub(super) text: String,
    pub(super) formula: Formula,
    /// What it asks; two literals about the same never stand in one reason.
    pub(super) subject: String,
    /// How much a person has to think about it: 0.5 for a connective, 3 for a share.
    pub(super) cost: f64,
    /// It names a connective, a word, a symbol or a kind of ending.
    pub(super) telling: bool,
    /// For a symbol: which node it is about, and which symbol it wants.
    pub(super) symbol: Option<(usize, RelationId)>,
    /// It is worth asking only where two nodes get their label.
    pub(super) for_labels: bool,
}

/// All literals of a schema but those about single words, compiled once.
#[derive(Debug)]
pub(super) struct Vocabulary {
    literals: Vec<Literal>,
    questionnaire: Questionnaire,
}

/// What holds in one configuration, the plainest first.
#[derive(Debug)]
pub(super) struct Ground {
    pub(super) literals: Vec<Literal>,
    pub(super) questionnaire: Questionnaire,
    /// The symbols of A, B and C; C is none at the end of the text.
    pub(super) symbols: [Option<RelationId>; 3],
    /// The EDUs of A and of B, and the next one, from 0.
    pub(super) spans: [(u32, u32); 2],
    pub(super) next: Option<u32>,
}

/// So many literals fit a [`Bits`].
pub(super) const MOST_LITERALS: usize = 256;

/// Which literals of a ground hold somewhere.
pub(super) type Bits = [u64; MOST_LITERALS / 64];

/// Sets the bits of some literals.
pub(super) fn bits(holding: &[u32]) -> Bits {
    let mut bits = Bits::default();
    for at in holding {
        if let Some(word) = bits.get_mut(*at as usize / 64) {
            *word |= 1 << (at % 64);
        }
    }
    bits
}

/// True where a literal holds.
pub(super) fn has(bits: &Bits, at: usize) -> bool {
    bits.get(at / 64)
        .is_some_and(|word| word >> (at % 64) & 1 == 1)
}

impl Vocabulary {
    pub(super) fn new(schema: &Schema) -> Vocabulary {
        let known = Literals::of_nodes(schema, &Seen::new(), &[]);
        let mut literals = read_literals(&known, schema);
        // Levels are asked as people write them.
        literals.retain(|literal| !is_bare_level(&literal.subject));
        literals.extend(level_literals(schema));
        let formulas: Vec<Formula> = literals.iter().map(|l| l.formula.clone()).collect();
        Vocabulary {
            questionnaire: Questionnaire::new(&formulas, schema),
            literals,
        }
    }

    /// What holds where a walk stands.
    pub(super) fn ground(&self, walk: &Walk, text: &Text, engine: &Engine) -> Ground {
        let schema = engine.schema();
        let holding = walk.answers(&self.questionnaire);
        let held = holding
            .iter()
            .filter_map(|at| self.literals.get(*at as usize));
        let mut literals: Vec<Literal> = held.cloned().collect();
        literals.extend(words_here(walk, text, schema));
        // A level that is bounded says most where it is tight.
        let exact: Vec<String> = literals
            .iter()
            .filter_map(|literal| literal.text.split_once(") = "))
            .map(|(asked, level)| format!("{asked}) {level}"))
            .collect();
        literals.retain(|literal| match bound(&literal.text) {
            Some(bound) => exact.contains(&bound),
            None => true,
        });
        literals.sort_by(|a, b| a.cost.total_cmp(&b.cost));
        literals.truncate(MOST_LITERALS);
        let formulas: Vec<Formula> = literals.iter().map(|l| l.formula.clone()).collect();
        let mut stack = walk.stack().map(|(_, span)| span);
        let (b, a) = (stack.next(), stack.next());
        let extent = |span: Option<&crate::automaton::ParsedSpan>| {
            span.map_or((0, 0), |span| (span.first, span.last))
        };
        Ground {
            questionnaire: Questionnaire::new(&formulas, schema),
            literals,
            symbols: symbols_of(walk),
            spans: [extent(a), extent(b)],
            next: walk.next_symbol().map(|_| walk.next()),
        }
    }
}

pub(super) fn read_literals(known: &Literals, schema: &Schema) -> Vec<Literal> {
    let all = known.formulas.iter().zip(&known.asked).enumerate();
    let literals = all.map(|(at, (formula, asked))| Literal {
        text: known.text(at).to_owned(),
        formula: formula.clone(),
        subject: asked.subject.clone(),
        cost: cost(asked),
        telling: is_telling(asked),
        symbol: wanted_symbol(asked, schema),
        for_labels: known.for_labels.get(at).copied().unwrap_or(false),
    });
    literals.collect()
}

/// How much a person has to think about a literal.
fn cost(asked: &Asked) -> f64 {
    let own = match &asked.wants {
        Wants::Value(value) if asked.subject.ends_with(".cue") => match value.as_str() {
            "none" => 1.5,
            _ => 0.5,
        },
        Wants::Value(value) if value == "none" => 2.0,
        // What a part begins with is what people look at; words elsewhere are chance.
        Wants::Value(value) if value.starts_with('"') => match asked.subject.as_str() {
            "B.begins" | "C.begins" => 1.2,
            _ => 2.4,
        },
        Wants::Value(_) if is_of(&asked.subject, &[".first", ".final", ".opening", ".kind"]) => 1.6,
        Wants::Truth(true) | Wants::Value(_) | Wants::Kind(_) => 1.0,
        Wants::FromLevel(_) | Wants::BelowLevel(_) | Wants::AboveLevel(_) => 1.0,
        Wants::Order(_) => 1.2,
        Wants::Member(_) => 1.5,
        Wants::Truth(false) | Wants::Number(_) | Wants::AtLeast(_) => 2.0,
        Wants::Known | Wants::Unknown => 2.5,
        Wants::Above(_) => 3.0,
    };
    let is_far = |node: &str| asked.subject.contains(node);
    let far = ["S.", "E.", "(S", "E)", ".head-"].into_iter().any(is_far);
    if far { own + 1.0 } else { own }
}

fn is_of(subject: &str, functions: &[&str]) -> bool {
    functions.iter().any(|function| subject.ends_with(function))
}

/// True for what names a connective, a word, a symbol, a kind of ending or of speech.
fn is_telling(asked: &Asked) -> bool {
    let asks = |name: &str| asked.subject.ends_with(name);
    match &asked.wants {
        Wants::Value(value) => {
            let names = [".cue", ".tail", ".speaker", ".heading"];
            value != "none" && (value.starts_with('"') || names.into_iter().any(asks))
        }
        Wants::Kind(_) | Wants::Member(_) => true,
        Wants::Truth(true) => [".speech", ".says", ".heading", ".pronoun"]
            .into_iter()
            .any(asks),
        _ => false,
    }
}

/// The node and the symbol of `is(A, Rise)`.
fn wanted_symbol(asked: &Asked, schema: &Schema) -> Option<(usize, RelationId)> {
    let Wants::Kind(name) = &asked.wants else {
        return None;
    };
    let node = asked.subject.strip_suffix(".symbol")?;
    let at = ["A", "B", "C"].iter().position(|known| *known == node)?;
    Some((at, schema.relation(name)?))
}

impl Ground {
    /// Literals about a gap between words.
    pub(super) fn of_literals(literals: Vec<Literal>, schema: &Schema) -> Ground {
        let formulas: Vec<Formula> = literals.iter().map(|l| l.formula.clone()).collect();
        Ground {
            questionnaire: Questionnaire::new(&formulas, schema),
            literals,
            symbols: [None; 3],
            spans: [(0, 0); 2],
            next: None,
        }
    }
}

fn is_bare_level(subject: &str) -> bool {
    subject.starts_with("level(") && !subject.contains(" vs ")
}

/// `level(A, B) = comma`, and the bounds from both sides.
fn level_literals(schema: &Schema) -> Vec<Literal> {
    let mut all = Vec::new();
    for subject in ["level(A, B)", "level(B, C)"] {
        for (op, cost) in [("<=", 0.8), ("=", 1.0), (">=", 1.1)] {
            for level in LEVELS {
                let text = format!("{subject} {op} {level}");
                let source = Source::new("<literal>", text.as_str());
                if let Ok(formula) = load_reason(&source, schema) {
                    all.push(Literal {
                        text,
                        formula,
                        subject: subject.to_owned(),
                        cost,
                        telling: false,
                        symbol: None,
                        for_labels: false,
                    });
                }
            }
        }
    }
    all
}

/// A bound of a level as its exact value would be noted: `level(A, B) comma`.
fn bound(text: &str) -> Option<String> {
    let (asked, level) = text
        .split_once(") <= ")
        .or_else(|| text.split_once(") >= "))?;
    let bare = asked.starts_with("level(") && LEVELS.contains(&level);
    bare.then(|| format!("{asked}) {level}"))
}

/// Literals about the words that A, B and C begin and end with.
fn words_here(walk: &Walk, text: &Text, schema: &Schema) -> Vec<Literal> {
    let mut edus: Vec<u32> = Vec::new();
    for (_, span) in walk.stack().take(2) {
        edus.extend([span.first, span.last]);
    }
    edus.push(walk.next());
    let here: Vec<_> = edus
        .iter()
        .filter_map(|at| {
            let at = *at as usize;
            Some((text.edus.get(at)?.clone(), text.leaves.get(at)?.clone()))
        })
        .collect();
    let (edus, leaves) = here.into_iter().unzip();
    let part = Text::of_leaves(Arc::clone(&text.id), edus, leaves);
    let seen = seen_in(schema, std::iter::once(&part), 1);
    let words = read_literals(&Literals::of_words(schema, &seen), schema);
    let formulas: Vec<Formula> = words.iter().map(|word| word.formula.clone()).collect();
    let holding = walk.answers(&Questionnaire::new(&formulas, schema));
    let held = holding.iter().filter_map(|at| words.get(*at as usize));
    // Figures and marks begin and end anything.
    let held = held.filter(|word| word.text.chars().any(is_ideograph));
    held.cloned().collect()
}

fn is_ideograph(letter: char) -> bool {
    ('\u{3400}'..='\u{9fff}').contains(&letter)
}
