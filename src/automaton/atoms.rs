//! Reasons taken apart: what is asked (slots), what answers are told apart (bins), and what a rule
//! wants (atoms).
//!
//! A reason is a conjunction of atoms. Most atoms compare one measured value with constants, so
//! for every value that is asked for there is one slot, the constants of all rules cut its range
//! into bins, and an atom is a set of bins. Whatever else a conjunct says becomes a slot of its
//! own that is true or false. A slot is measured at most once in a configuration, and only when a
//! rule that could fire asks for it. Bin 0 is "unknown", and no atom accepts it.

mod questions;

use std::cmp::Ordering;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::logic::Logic;
use crate::grammar::formula::{Argument, Comparison, Domain, Formula, FunctionId, Literal, Node};
use crate::measure::{Answer, Codes, Measure, Scope};
use crate::schema::{RelationId, Schema};

pub(super) use questions::{Questions, truth_bin};

/// Index of a slot.
pub(super) type SlotId = u32;

/// Index of an atom.
pub(super) type AtomId = u32;

/// Number of a bin; 0 is "unknown".
pub(super) type Bin = u32;

/// What is asked about a configuration.
#[derive(Debug, Clone, PartialEq)]
enum Source {
    Measure(FunctionId, Vec<Node>),
    Attribute(Node, u32),
    /// Whether a set that is measured has the member of that code.
    Member(FunctionId, Vec<Node>, u32),
    /// How two slots compare.
    Order(SlotId, SlotId),
    /// `and` and `or` over atoms.
    Logic(Logic),
    /// Anything else.
    Formula(Formula),
}

/// How the values of a slot are told apart.
#[derive(Debug, Clone)]
enum Bins {
    /// By code: bin = code + 1. Holds how many codes there are.
    Codes(u32),
    /// 1 false, 2 true.
    Truth,
    /// 1 less, 2 equal, 3 greater.
    Order,
    /// By cuts: odd bins lie between them, even ones are on them.
    Numbers(Vec<f64>),
    /// By name; 1 is any other.
    Names(Vec<Arc<str>>),
    /// Like numbers, over times.
    Times(Vec<Arc<str>>),
}

#[derive(Debug, Clone)]
struct Slot {
    source: Source,
    bins: Bins,
}

/// A set of bins of a slot.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Atom {
    pub(super) slot: SlotId,
    accepts: Accepts,
}

/// Bins as bits where a word holds them all, else as stretches: a slot that thousands of rules cut
/// has thousands of bins.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Accepts {
    Bits(u64),
    Stretches(Box<[(Bin, Bin)]>),
}

impl Atom {
    fn new(slot: SlotId, bins: Bin, accepts: impl Fn(Bin) -> bool) -> Atom {
        let accepted = (1..bins).filter(|bin| accepts(*bin));
        let accepts = if bins <= u64::BITS {
            Accepts::Bits(accepted.fold(0, |bits, bin| bits | 1 << bin))
        } else {
            let mut stretches: Vec<(Bin, Bin)> = Vec::new();
            for bin in accepted {
                match stretches.last_mut() {
                    Some((_, last)) if *last + 1 == bin => *last = bin,
                    _ => stretches.push((bin, bin)),
                }
            }
            Accepts::Stretches(stretches.into())
        };
        Atom { slot, accepts }
    }

    pub(super) fn holds(&self, bin: Bin) -> bool {
        match &self.accepts {
            Accepts::Bits(bits) => bits.checked_shr(bin).unwrap_or(0) & 1 == 1,
            Accepts::Stretches(stretches) => stretches
                .iter()
                .any(|(first, last)| (*first..=*last).contains(&bin)),
        }
    }

    /// The bins it accepts.
    pub(super) fn bins(&self) -> impl Iterator<Item = Bin> + '_ {
        let stretches = match &self.accepts {
            Accepts::Bits(_) => &[(0, u64::BITS - 1)][..],
            Accepts::Stretches(stretches) => stretches,
        };
        let all = stretches.iter().flat_map(|(first, last)| *first..=*last);
        all.filter(|bin| self.holds(*bin))
    }

    /// The bins it accepts as bits, if a word holds them.
    pub(super) fn bits(&self) -> Option<u64> {
        match self.accepts {
            Accepts::Bits(bits) => Some(bits),
            Accepts::Stretches(_) => None,
        }
    }

    /// How many bins it accepts.
    pub(super) fn count(&self) -> u32 {
        match &self.accepts {
            Accepts::Bits(bits) => bits.count_ones(),
            Accepts::Stretches(stretches) => {
                stretches.iter().map(|(first, last)| last - first + 1).sum()
            }
        }
    }
}

/// What a conjunct wants of its slot, before all cuts are known.
#[derive(Debug, Clone)]
struct Wish {
    slot: SlotId,
    test: Test,
    negated: bool,
}

#[derive(Debug, Clone)]
enum Test {
    Codes(Vec<u32>),
    True,
    Order(Comparison),
    Number(Comparison, f64),
    Numbers(Vec<f64>),
    Names(Vec<Arc<str>>),
    Time(Comparison, Arc<str>),
}

/// Collects slots and wishes while rules are read.
pub(super) struct Collector<'s> {
    codes: Codes<'s>,
    slots: Vec<Slot>,
    by_key: FxHashMap<String, SlotId>,
    wishes: Vec<Wish>,
    wish_by_key: FxHashMap<String, u32>,
}

impl<'s> Collector<'s> {
    pub(super) fn new(schema: &'s Schema, classes: &'s [Arc<str>]) -> Collector<'s> {
        Collector {
            codes: Codes { schema, classes },
            slots: Vec::new(),
            by_key: FxHashMap::default(),
            wishes: Vec::new(),
            wish_by_key: FxHashMap::default(),
        }
    }

    /// The atoms that together make a reason, by their future ids, each once.
    pub(super) fn reason(&mut self, reason: Option<&Formula>) -> Vec<AtomId> {
        let conjuncts = reason.map_or(&[][..], Formula::conjuncts);
        let atoms = conjuncts.iter().map(|conjunct| self.atom(conjunct));
        let mut atoms: Vec<AtomId> = atoms.collect();
        atoms.sort_unstable();
        atoms.dedup();
        atoms
    }

    /// The future id of the atom that a conjunct becomes.
    fn atom(&mut self, conjunct: &Formula) -> AtomId {
        let wish = self.wish(conjunct, false);
        let key = format!("{} {:?} {}", wish.slot, wish.test, wish.negated);
        *self.wish_by_key.entry(key).or_insert_with(|| {
            self.wishes.push(wish);
            (self.wishes.len() - 1) as u32
        })
    }

    /// All slots with their bins, and all atoms.
    pub(super) fn finish(mut self) -> Questions {
        for wish in &self.wishes {
            let bins = &mut self.slots[wish.slot as usize].bins;
            match (&wish.test, bins) {
                (Test::Number(_, cut), Bins::Numbers(cuts)) => cuts.push(*cut),
                (Test::Numbers(wanted), Bins::Numbers(cuts)) => cuts.extend(wanted),
                (Test::Names(wanted), Bins::Names(names)) => names.extend(wanted.iter().cloned()),
                (Test::Time(_, cut), Bins::Times(cuts)) => cuts.push(Arc::clone(cut)),
                _ => {}
            }
        }
        for slot in &mut self.slots {
            match &mut slot.bins {
                Bins::Numbers(cuts) => {
                    cuts.sort_by(f64::total_cmp);
                    cuts.dedup();
                }
                Bins::Names(cuts) | Bins::Times(cuts) => {
                    cuts.sort();
                    cuts.dedup();
                }
                _ => {}
            }
        }
        let atoms = self.wishes.iter().map(|wish| {
            let bins = &self.slots[wish.slot as usize].bins;
            let accepts = |bin| wish.test.accepts(bin, bins) != wish.negated;
            Atom::new(wish.slot, bins.count(), accepts)
        });
        let atoms = atoms.collect();
        Questions {
            slots: self.slots,
            atoms,
        }
    }

    fn wish(&mut self, formula: &Formula, negated: bool) -> Wish {
        if let Formula::Not(inner) = formula {
            return self.wish(inner, !negated);
        }
        let plain = self.plain(formula);
        let (slot, test) = plain.unwrap_or_else(|| {
            let source = match formula {
                Formula::And(_) | Formula::Or(_) => Source::Logic(self.logic(formula)),
                _ => Source::Formula(formula.clone()),
            };
            (self.slot(source, Bins::Truth), Test::True)
        });
        Wish {
            slot,
            test,
            negated,
        }
    }

    /// `and` and `or` taken apart, down to atoms.
    fn logic(&mut self, formula: &Formula) -> Logic {
        match formula {
            Formula::And(parts) => Logic::All(parts.iter().map(|part| self.logic(part)).collect()),
            Formula::Or(parts) => Logic::Any(parts.iter().map(|part| self.logic(part)).collect()),
            other => Logic::Atom(self.atom(other)),
        }
    }

    /// Whether a measured set has a member.
    fn member(&mut self, set: &Formula, item: &Formula) -> Option<(SlotId, Test)> {
        let (Formula::Call(function, arguments), Formula::Literal(Literal::Symbol(name))) =
            (set, item)
        else {
            return None;
        };
        let Answer::Set(domain) = function.get().result else {
            return None;
        };
        let code = self.codes.code(domain, name)?;
        let source = Source::Member(*function, nodes(arguments)?, code);
        Some((self.slot(source, Bins::Truth), Test::True))
    }

    /// A conjunct that compares one measured value with constants, or two measured values.
    fn plain(&mut self, formula: &Formula) -> Option<(SlotId, Test)> {
        match formula {
            Formula::Compare(op, left, right) => match (&**left, &**right) {
                (value, Formula::Literal(literal)) => self.constant(*op, value, literal),
                (Formula::Literal(literal), value) => self.constant(op.swapped(), value, literal),
                (left, right) => {
                    let left = self.measured(left)?.0;
                    let right = self.measured(right)?.0;
                    let slot = self.slot(Source::Order(left, right), Bins::Order);
                    Some((slot, Test::Order(*op)))
                }
            },
            Formula::In(value, set) => {
                let Formula::Set(items) = &**set else {
                    return self.member(set, value);
                };
                let literals: Option<Vec<&Literal>> = items
                    .iter()
                    .map(|item| match item {
                        Formula::Literal(literal) => Some(literal),
                        _ => None,
                    })
                    .collect();
                self.one_of(value, &literals?)
            }
            Formula::Call(function, arguments) => match function.get().measure {
                Measure::Symbols(holds) => self.of_symbols(holds, arguments),
                _ if function.get().name == "contains" => match arguments.as_slice() {
                    [Argument::Value(set), Argument::Value(item)] => self.member(set, item),
                    _ => None,
                },
                _ => self.truth(formula),
            },
            _ => self.truth(formula),
        }
    }

    /// A conjunct that is true or false by itself.
    fn truth(&mut self, formula: &Formula) -> Option<(SlotId, Test)> {
        let (slot, bins) = self.measured(formula)?;
        matches!(bins, Bins::Truth).then_some((slot, Test::True))
    }

    /// A conjunct about the symbol of a node and one that it names: the symbols for which it holds.
    fn of_symbols(
        &mut self,
        holds: fn(&Schema, RelationId, RelationId) -> bool,
        arguments: &[Argument],
    ) -> Option<(SlotId, Test)> {
        let [
            Argument::Node(node),
            Argument::Value(Formula::Literal(Literal::Symbol(name))),
        ] = arguments
        else {
            return None;
        };
        let schema = self.codes.schema;
        let wanted = schema.relation(name)?;
        let all = 0..self.codes.count(Domain::Relations)?;
        let fitting = all
            .clone()
            .filter(|code| holds(schema, RelationId(*code), wanted));
        let symbol = FunctionId::find("symbol", Scope::Nodes)?;
        let source = Source::Measure(symbol, vec![*node]);
        let slot = self.slot(source, Bins::Codes(all.end));
        Some((slot, Test::Codes(fitting.collect())))
    }

    fn constant(
        &mut self,
        op: Comparison,
        value: &Formula,
        literal: &Literal,
    ) -> Option<(SlotId, Test)> {
        let (slot, bins) = self.measured(value)?;
        let test = match (&bins, literal) {
            (Bins::Codes(_), Literal::Rank(list, rank)) => {
                let ranks = 0..list.len() as u32;
                let fits = |code: &u32| op.holds(code.cmp(&u32::from(*rank)));
                Test::Codes(ranks.filter(fits).collect())
            }
            (Bins::Codes(_), Literal::Symbol(name)) => {
                let domain = domain(value)?;
                let all = 0..self.codes.count(domain)?;
                let code = self.codes.code(domain, name)?;
                let fits = |other: &u32| op.holds(other.cmp(&code));
                Test::Codes(all.filter(fits).collect())
            }
            (Bins::Truth, Literal::Bool(wanted)) => {
                let same = (op == Comparison::Equal) == *wanted;
                match (op, same) {
                    (Comparison::Equal | Comparison::NotEqual, true) => Test::True,
                    _ => return None,
                }
            }
            (Bins::Numbers(_), Literal::Int(number)) => Test::Number(op, *number as f64),
            (Bins::Numbers(_), Literal::Float(number)) => Test::Number(op, unsigned_zero(*number)),
            (Bins::Times(_), Literal::Time(time)) => Test::Time(op, Arc::clone(time)),
            (Bins::Names(_), Literal::Symbol(name) | Literal::Text(name)) => match op {
                Comparison::Equal => Test::Names(vec![Arc::clone(name)]),
                _ => return None,
            },
            _ => return None,
        };
        Some((slot, test))
    }

    fn one_of(&mut self, value: &Formula, literals: &[&Literal]) -> Option<(SlotId, Test)> {
        let (slot, bins) = self.measured(value)?;
        let test = match bins {
            Bins::Codes(_) => {
                let codes: Option<Vec<u32>> = literals
                    .iter()
                    .map(|literal| match literal {
                        Literal::Rank(_, rank) => Some(u32::from(*rank)),
                        Literal::Symbol(name) => self.codes.code(domain(value)?, name),
                        _ => None,
                    })
                    .collect();
                Test::Codes(codes?)
            }
            Bins::Numbers(_) => {
                let numbers: Option<Vec<f64>> = literals
                    .iter()
                    .map(|literal| match literal {
                        Literal::Int(number) => Some(*number as f64),
                        Literal::Float(number) => Some(unsigned_zero(*number)),
                        _ => None,
                    })
                    .collect();
                Test::Numbers(numbers?)
            }
            Bins::Names(_) => {
                let names: Option<Vec<Arc<str>>> = literals
                    .iter()
                    .map(|literal| match literal {
                        Literal::Symbol(name) | Literal::Text(name) => Some(Arc::clone(name)),
                        _ => None,
                    })
                    .collect();
                Test::Names(names?)
            }
            _ => return None,
        };
        Some((slot, test))
    }

    /// The slot of a formula that is a measure or an attribute.
    fn measured(&mut self, formula: &Formula) -> Option<(SlotId, Bins)> {
        use crate::schema::ValueType;
        let (source, bins) = match formula {
            Formula::Call(function, arguments) => {
                let source = Source::Measure(*function, nodes(arguments)?);
                let bins = match function.get().result {
                    Answer::Bool => Bins::Truth,
                    Answer::Int(..) | Answer::Float(..) => Bins::Numbers(Vec::new()),
                    Answer::Symbol(domain) => Bins::Codes(self.codes.count(domain)?),
                    Answer::Text => Bins::Names(Vec::new()),
                    _ => return None,
                };
                (source, bins)
            }
            Formula::Attribute(node, attribute) => {
                let declared = self.codes.schema.attributes.get(*attribute as usize)?;
                let bins = match declared.value_type {
                    ValueType::Bool => Bins::Truth,
                    ValueType::Int | ValueType::Float => Bins::Numbers(Vec::new()),
                    ValueType::Symbol | ValueType::Text => Bins::Names(Vec::new()),
                    ValueType::Time => Bins::Times(Vec::new()),
                    ValueType::Set => return None,
                };
                (Source::Attribute(*node, *attribute), bins)
            }
            _ => return None,
        };
        Some((self.slot(source, bins.clone()), bins))
    }

    fn slot(&mut self, source: Source, bins: Bins) -> SlotId {
        let key = format!("{source:?}");
        if let Some(known) = self.by_key.get(&key) {
            return *known;
        }
        let id = self.slots.len() as SlotId;
        self.slots.push(Slot { source, bins });
        self.by_key.insert(key, id);
        id
    }
}

/// The nodes that a function is asked about, where it is asked about nothing else.
fn nodes(arguments: &[Argument]) -> Option<Vec<Node>> {
    let nodes = arguments.iter().map(|argument| match argument {
        Argument::Node(node) => Some(*node),
        Argument::Value(_) => None,
    });
    nodes.collect()
}

/// The symbols that a formula can come to.
fn domain(formula: &Formula) -> Option<Domain> {
    match formula {
        Formula::Call(function, _) => match function.get().result {
            Answer::Symbol(domain) => Some(domain),
            _ => None,
        },
        _ => None,
    }
}

impl Bins {
    /// How many bins there are, "unknown" included.
    fn count(&self) -> Bin {
        let count = match self {
            Bins::Codes(codes) => *codes as usize + 1,
            Bins::Truth => 3,
            Bins::Order => 4,
            Bins::Numbers(cuts) => 2 * cuts.len() + 2,
            Bins::Names(names) => names.len() + 2,
            Bins::Times(cuts) => 2 * cuts.len() + 2,
        };
        Bin::try_from(count).unwrap_or(Bin::MAX)
    }
}

/// Cuts are in total order, in which -0 is less than 0.
fn unsigned_zero(number: f64) -> f64 {
    number + 0.0
}

/// The bin of a value among cuts: 1, 3, 5 ... between them, 2, 4 ... on them.
fn cut_bin<T>(cuts: &[T], compare: impl FnMut(&T) -> std::cmp::Ordering) -> Bin {
    let bin = match cuts.binary_search_by(compare) {
        Ok(at) => 2 * at + 2,
        Err(at) => 2 * at + 1,
    };
    Bin::try_from(bin).unwrap_or(Bin::MAX)
}

impl Test {
    fn accepts(&self, bin: Bin, bins: &Bins) -> bool {
        let at = bin as usize;
        // How a value in that bin compares with the cut of that number.
        let against = |cut: usize| at.cmp(&(2 * cut + 2));
        match (self, bins) {
            (Test::Codes(codes), _) => codes.contains(&(bin - 1)),
            (Test::True, _) => bin == 2,
            (Test::Order(op), _) => op.holds(match bin {
                1 => Ordering::Less,
                2 => Ordering::Equal,
                _ => Ordering::Greater,
            }),
            (Test::Number(op, wanted), Bins::Numbers(cuts)) => {
                let cut = cuts.binary_search_by(|cut| cut.total_cmp(wanted));
                cut.is_ok_and(|cut| op.holds(against(cut)))
            }
            (Test::Numbers(wanted), Bins::Numbers(cuts)) => {
                let cut = at.checked_sub(2).filter(|at| at % 2 == 0).map(|at| at / 2);
                let value = cut.and_then(|cut| cuts.get(cut));
                value.is_some_and(|value| wanted.contains(value))
            }
            (Test::Names(wanted), Bins::Names(names)) => {
                let name = at.checked_sub(2).and_then(|at| names.get(at));
                name.is_some_and(|name| wanted.contains(name))
            }
            (Test::Time(op, wanted), Bins::Times(cuts)) => {
                let cut = cuts.binary_search(wanted);
                cut.is_ok_and(|cut| op.holds(against(cut)))
            }
            _ => false,
        }
    }
}
