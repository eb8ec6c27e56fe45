//! Formulas that are never or always true, by intervals and sets of values.
//!
//! Sound, not complete: what is reported is certain (as far as all values are known), what is more
//! involved than a few literals is let pass.

use super::super::formula::{Argument, Comparison, Domain, Formula, Literal};
use super::super::functions::Answer;
use super::super::vocabulary::Vocabulary;

/// Longer conjunctions and disjunctions are let pass.
const MAX_LITERALS: usize = 64;
/// How often alternatives may branch.
const MAX_BRANCHING: usize = 3;

/// True when the conjunction of `parts` can never be true.
pub(super) fn never(parts: &[Formula], vocabulary: &Vocabulary<'_>) -> bool {
    let literals: Vec<Signed<'_>> = parts.iter().map(|part| (part, true)).collect();
    contradictory(&literals, vocabulary, MAX_BRANCHING)
}

/// True when the formula cannot be false.
pub(super) fn always(formula: &Formula, vocabulary: &Vocabulary<'_>) -> bool {
    contradictory(&[(formula, false)], vocabulary, MAX_BRANCHING)
}

/// Two parts that exclude each other, or one that excludes itself.
pub(super) fn clash(parts: &[Formula], vocabulary: &Vocabulary<'_>) -> Option<(usize, usize)> {
    let parts = parts.get(..parts.len().min(MAX_LITERALS))?;
    for (second, part) in parts.iter().enumerate() {
        if contradictory(&[(part, true)], vocabulary, MAX_BRANCHING) {
            return Some((second, second));
        }
        for (first, other) in parts.iter().enumerate().take(second) {
            if contradictory(&[(other, true), (part, true)], vocabulary, MAX_BRANCHING) {
                return Some((first, second));
            }
        }
    }
    None
}

/// A formula and whether it is affirmed.
type Signed<'f> = (&'f Formula, bool);

fn contradictory(signed: &[Signed<'_>], vocabulary: &Vocabulary<'_>, branching: usize) -> bool {
    let mut literals = Vec::new();
    let mut branches = Vec::new();
    for &(formula, positive) in signed {
        flatten(formula, positive, &mut literals, &mut branches);
    }
    if literals.len() > MAX_LITERALS {
        return false;
    }
    let mut facts = Facts::new(vocabulary);
    if !literals.iter().all(|literal| facts.admit(*literal)) || !facts.possible() {
        return true;
    }
    if branching == 0 {
        return false;
    }
    let impossible = |branch: &Vec<Signed<'_>>| {
        branch.len() <= MAX_LITERALS
            && branch.iter().all(|alternative| {
                let mut together = literals.clone();
                together.push(*alternative);
                contradictory(&together, vocabulary, branching - 1)
            })
    };
    branches.iter().any(impossible)
}

/// Splits a formula into literals that must all hold, and branches of which one must.
fn flatten<'f>(
    formula: &'f Formula,
    positive: bool,
    literals: &mut Vec<Signed<'f>>,
    branches: &mut Vec<Vec<Signed<'f>>>,
) {
    match (formula, positive) {
        (Formula::Not(inner), _) => flatten(inner, !positive, literals, branches),
        (Formula::And(items), true) | (Formula::Or(items), false) => {
            for item in items {
                flatten(item, positive, literals, branches);
            }
        }
        (Formula::And(items), false) | (Formula::Or(items), true) => {
            branches.push(items.iter().map(|item| (item, positive)).collect());
        }
        (Formula::Implies(left, right), true) => {
            branches.push(vec![(left, false), (right, true)]);
        }
        (Formula::Implies(left, right), false) => {
            flatten(left, true, literals, branches);
            flatten(right, false, literals, branches);
        }
        _ => literals.push((formula, positive)),
    }
}

/// What a conjunction says about its terms.
struct Facts<'f, 'v> {
    vocabulary: &'v Vocabulary<'v>,
    terms: Vec<(&'f Formula, Known<'f>)>,
    orders: Vec<(&'f Formula, &'f Formula, Orders)>,
}

/// What is known of one term.
#[derive(Default)]
struct Known<'f> {
    truth: Option<bool>,
    low: Option<Bound>,
    high: Option<Bound>,
    allowed: Option<Vec<&'f Literal>>,
    excluded: Vec<&'f Literal>,
}

#[derive(Clone, Copy)]
struct Bound {
    at: f64,
    open: bool,
}

/// How two terms may be ordered.
#[derive(Clone, Copy, PartialEq)]
struct Orders {
    less: bool,
    equal: bool,
    greater: bool,
}

impl Orders {
    fn of(op: Comparison) -> Orders {
        use std::cmp::Ordering::*;
        Orders {
            less: op.holds(Less),
            equal: op.holds(Equal),
            greater: op.holds(Greater),
        }
    }

    fn both(self, other: Orders) -> Orders {
        Orders {
            less: self.less && other.less,
            equal: self.equal && other.equal,
            greater: self.greater && other.greater,
        }
    }

    fn none(self) -> bool {
        !(self.less || self.equal || self.greater)
    }
}

impl<'f, 'v> Facts<'f, 'v> {
    fn new(vocabulary: &'v Vocabulary<'v>) -> Facts<'f, 'v> {
        Facts {
            vocabulary,
            terms: Vec::new(),
            orders: Vec::new(),
        }
    }

    /// Takes a literal in; false when it contradicts at once.
    fn admit(&mut self, (formula, positive): Signed<'f>) -> bool {
        match formula {
            Formula::Literal(Literal::Bool(value)) => *value == positive,
            Formula::Compare(op, left, right) => {
                let op = if positive { *op } else { op.opposite() };
                self.compare(op, left, right)
            }
            Formula::In(value, set) => match (&**value, &**set) {
                (Formula::Literal(_), _) => self.truth(formula, positive),
                (term, Formula::Set(items)) => self.member(formula, term, items, positive),
                _ => self.truth(formula, positive),
            },
            _ => self.truth(formula, positive),
        }
    }

    fn compare(&mut self, op: Comparison, left: &'f Formula, right: &'f Formula) -> bool {
        match (left, right) {
            (Formula::Literal(left), Formula::Literal(right)) => {
                order(left, right).is_none_or(|order| op.holds(order))
            }
            (term, Formula::Literal(literal)) => self.against(op, term, literal),
            (Formula::Literal(literal), term) => self.against(op.swapped(), term, literal),
            (left, right) if left == right => Orders::of(op).equal,
            (left, right) => self.order_of(op, left, right),
        }
    }

    fn order_of(&mut self, op: Comparison, left: &'f Formula, right: &'f Formula) -> bool {
        for (first, second, orders) in &mut self.orders {
            let new = if *first == left && *second == right {
                Orders::of(op)
            } else if *first == right && *second == left {
                Orders::of(op.swapped())
            } else {
                continue;
            };
            *orders = orders.both(new);
            return !orders.none();
        }
        self.orders.push((left, right, Orders::of(op)));
        true
    }

    fn against(&mut self, op: Comparison, term: &'f Formula, literal: &'f Literal) -> bool {
        if let Literal::Bool(value) = literal {
            return match op {
                Comparison::Equal => self.truth(term, *value),
                Comparison::NotEqual => self.truth(term, !*value),
                _ => true,
            };
        }
        let known = self.known(term);
        match (op, number(literal)) {
            (Comparison::Equal, Some(at)) => {
                known.raise(at, false);
                known.lower(at, false);
            }
            (Comparison::Equal, None) => known.allow(&[literal]),
            (Comparison::NotEqual, _) => known.excluded.push(literal),
            (Comparison::Less, Some(at)) => known.lower(at, true),
            (Comparison::LessEqual, Some(at)) => known.lower(at, false),
            (Comparison::Greater, Some(at)) => known.raise(at, true),
            (Comparison::GreaterEqual, Some(at)) => known.raise(at, false),
            (_, None) => {}
        }
        true
    }

    fn member(
        &mut self,
        formula: &'f Formula,
        term: &'f Formula,
        items: &'f [Formula],
        positive: bool,
    ) -> bool {
        let mut literals = Vec::with_capacity(items.len());
        for item in items {
            match item {
                Formula::Literal(literal) => literals.push(literal),
                _ => return self.truth(formula, positive),
            }
        }
        let known = self.known(term);
        if positive {
            known.allow(&literals)
        } else {
            known.excluded.extend(literals)
        }
        true
    }

    fn truth(&mut self, term: &'f Formula, value: bool) -> bool {
        let known = self.known(term);
        let earlier = known.truth.replace(value);
        earlier.is_none_or(|earlier| earlier == value)
    }

    fn known(&mut self, term: &'f Formula) -> &mut Known<'f> {
        let at = match self.terms.iter().position(|(known, _)| *known == term) {
            Some(at) => at,
            None => {
                let mut known = Known::default();
                if let Some((low, high)) = bounds(term) {
                    known.raise(low, false);
                    known.lower(high, false);
                }
                self.terms.push((term, known));
                self.terms.len() - 1
            }
        };
        &mut self.terms[at].1
    }

    /// True when every term can have a value.
    fn possible(&self) -> bool {
        self.terms
            .iter()
            .all(|(term, known)| known.possible(term, self.vocabulary))
    }
}

impl<'f> Known<'f> {
    fn raise(&mut self, at: f64, open: bool) {
        let higher = self
            .low
            .is_none_or(|low| at > low.at || (at == low.at && open));
        if higher {
            self.low = Some(Bound { at, open });
        }
    }

    fn lower(&mut self, at: f64, open: bool) {
        let lower = self
            .high
            .is_none_or(|high| at < high.at || (at == high.at && open));
        if lower {
            self.high = Some(Bound { at, open });
        }
    }

    fn allow(&mut self, literals: &[&'f Literal]) {
        match &mut self.allowed {
            Some(allowed) => allowed.retain(|literal| literals.contains(literal)),
            None => self.allowed = Some(literals.to_vec()),
        }
    }

    fn possible(&self, term: &Formula, vocabulary: &Vocabulary<'_>) -> bool {
        if let Some(allowed) = &self.allowed {
            return allowed
                .iter()
                .any(|literal| !self.excluded.contains(literal) && self.within(literal));
        }
        if !self.interval_possible(term) {
            return false;
        }
        if self.excluded.is_empty() {
            return true;
        }
        let Some(values) = symbol_domain(term).and_then(|domain| vocabulary.values(domain)) else {
            return true;
        };
        let is_excluded = |value: &&str| {
            self.excluded.iter().any(|literal| match literal {
                Literal::Symbol(name) => **name == **value,
                Literal::Rank(values, rank) => values.get(usize::from(*rank)) == Some(value),
                _ => false,
            })
        };
        !values.iter().all(is_excluded)
    }

    fn within(&self, literal: &Literal) -> bool {
        let Some(at) = number(literal) else {
            return true;
        };
        self.low
            .is_none_or(|low| at > low.at || (at == low.at && !low.open))
            && self
                .high
                .is_none_or(|high| at < high.at || (at == high.at && !high.open))
    }

    fn interval_possible(&self, term: &Formula) -> bool {
        let (Some(low), Some(high)) = (self.low, self.high) else {
            return true;
        };
        let (low, high) = if is_whole(term) {
            (first_whole(low), last_whole(high))
        } else {
            (low, high)
        };
        if low.at > high.at || (low.at == high.at && (low.open || high.open)) {
            return false;
        }
        // A single value left, and that one excluded.
        let only = low.at == high.at;
        !(only
            && self
                .excluded
                .iter()
                .any(|literal| number(literal) == Some(low.at)))
    }
}

/// The least whole number above a lower bound.
fn first_whole(bound: Bound) -> Bound {
    let at = if bound.open && bound.at.fract() == 0.0 {
        bound.at + 1.0
    } else {
        bound.at.ceil()
    };
    Bound { at, open: false }
}

/// The greatest whole number below an upper bound.
fn last_whole(bound: Bound) -> Bound {
    let at = if bound.open && bound.at.fract() == 0.0 {
        bound.at - 1.0
    } else {
        bound.at.floor()
    };
    Bound { at, open: false }
}

fn number(literal: &Literal) -> Option<f64> {
    match literal {
        Literal::Int(number) => Some(*number as f64),
        Literal::Float(number) => Some(*number),
        Literal::Rank(_, rank) => Some(f64::from(*rank)),
        _ => None,
    }
}

fn order(left: &Literal, right: &Literal) -> Option<std::cmp::Ordering> {
    match (left, right) {
        (Literal::Symbol(left), Literal::Symbol(right))
        | (Literal::Text(left), Literal::Text(right)) => Some(left.cmp(right)),
        (Literal::Bool(left), Literal::Bool(right)) => Some(left.cmp(right)),
        _ => number(left)?.partial_cmp(&number(right)?),
    }
}

/// The values that a function can give, where they are bounded.
fn bounds(term: &Formula) -> Option<(f64, f64)> {
    let Formula::Call(function, _) = term else {
        return None;
    };
    match function.get().result {
        Answer::Int(low, high) => Some((low as f64, high as f64)),
        Answer::Float(low, high) => Some((low, high)),
        Answer::Symbol(Domain::Ordered(values)) => Some((0.0, values.len() as f64 - 1.0)),
        _ => None,
    }
}

fn is_whole(term: &Formula) -> bool {
    match term {
        Formula::Call(function, arguments) => match function.get().result {
            Answer::Int(..) | Answer::Symbol(_) => true,
            Answer::SameAsArgument => arguments.iter().all(|argument| match argument {
                Argument::Value(value) => is_whole(value),
                Argument::Node(_) => false,
            }),
            _ => false,
        },
        Formula::Literal(literal) => matches!(literal, Literal::Int(_) | Literal::Rank(..)),
        _ => false,
    }
}

fn symbol_domain(term: &Formula) -> Option<Domain> {
    match term {
        Formula::Call(function, _) => match function.get().result {
            Answer::Symbol(domain) => Some(domain),
            _ => None,
        },
        Formula::Attribute(_, at) => Some(Domain::Attribute(*at as usize)),
        _ => None,
    }
}
