//! What a production's reason asks of the texts of its children.
//!
//! A reason is read as a list of wishes: of alternatives one is drawn, of what is not understood
//! nothing is wished. Whether a reason holds is seen when the text is parsed; wishes only make it
//! likely.

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use crate::grammar::formula::{Argument, Comparison, Formula, FunctionId, Literal, Node};
use crate::grammar::functions::{LEVELS, PUNCTUATION};
use crate::schema::{RelationId, Schema};
use crate::text::words::tail_names;

/// What is allowed, one bit each: cue classes (0 is none), tails, marks, levels.
pub(super) type Allowed = u128;

/// Everything is allowed.
pub(super) const ANY: Allowed = Allowed::MAX;

/// What is wished of a node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Wish {
    /// Cue classes that it may begin with; `ANY` when nobody cares.
    pub(super) cue: Allowed,
    /// Classes of its final word.
    pub(super) tail: Allowed,
    /// The mark it ends with.
    pub(super) punct: Allowed,
    /// Whether it ends in a verb of speech.
    pub(super) speech: Option<bool>,
    /// Whether it is one EDU.
    pub(super) single: Option<bool>,
    /// Its symbol or a kind of it.
    pub(super) symbol: Option<RelationId>,
    /// Which of the event's things it is about; nodes with the same number speak of the same.
    pub(super) about: Option<usize>,
}

impl Default for Wish {
    fn default() -> Wish {
        Wish {
            cue: ANY,
            tail: ANY,
            punct: ANY,
            speech: None,
            single: None,
            symbol: None,
            about: None,
        }
    }
}

impl Wish {
    /// Both wishes; none where they exclude each other.
    pub(super) fn and(self, other: Wish, schema: &Schema) -> Option<Wish> {
        let agree = |a: Option<bool>, b: Option<bool>| match (a, b) {
            (Some(a), Some(b)) if a != b => None,
            _ => Some(a.or(b)),
        };
        let symbol = match (self.symbol, other.symbol) {
            (Some(a), Some(b)) if schema.is_a(a, b) => Some(a),
            (Some(a), Some(b)) if schema.is_a(b, a) => Some(b),
            (Some(_), Some(_)) => return None,
            (a, b) => a.or(b),
        };
        let wish = Wish {
            cue: self.cue & other.cue,
            tail: self.tail & other.tail,
            punct: self.punct & other.punct,
            speech: agree(self.speech, other.speech)?,
            single: agree(self.single, other.single)?,
            symbol,
            about: self.about.or(other.about),
        };
        (wish.cue != 0 && wish.tail != 0 && wish.punct != 0).then_some(wish)
    }

    /// What the left child of a node must be so that the node is as wished.
    pub(super) fn of_left(self) -> Wish {
        Wish {
            cue: self.cue,
            ..Wish::default()
        }
    }

    /// The same for the right child.
    pub(super) fn of_right(self) -> Wish {
        Wish {
            tail: self.tail,
            punct: self.punct,
            speech: self.speech,
            ..Wish::default()
        }
    }

    /// The same for a nucleus.
    pub(super) fn of_nucleus(self) -> Wish {
        Wish {
            symbol: self.symbol,
            about: self.about,
            ..Wish::default()
        }
    }
}

/// What a reason asks of A, of B, and of the break between them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wishes {
    pub(super) a: Wish,
    pub(super) b: Wish,
    pub(super) level: Allowed,
}

impl Wishes {
    /// What a reason asks; of alternatives one is drawn.
    pub(super) fn of(reason: Option<&Formula>, schema: &Schema, random: &mut ChaCha8Rng) -> Wishes {
        let mut gather = Gather {
            schema,
            random,
            wishes: Wishes {
                a: Wish::default(),
                b: Wish::default(),
                level: ANY,
            },
        };
        if let Some(reason) = reason {
            gather.take(reason, true);
        }
        gather.wishes
    }
}

struct Gather<'g> {
    schema: &'g Schema,
    random: &'g mut ChaCha8Rng,
    wishes: Wishes,
}

/// How many things of an event nodes can be told to be about.
pub(super) const THINGS: usize = 3;

impl Gather<'_> {
    /// Takes up what makes a formula true, or false; false when it is not understood.
    fn take(&mut self, formula: &Formula, wanted: bool) -> bool {
        match (formula, wanted) {
            (Formula::And(parts), true) | (Formula::Or(parts), false) => {
                let taken: Vec<bool> = parts.iter().map(|part| self.take(part, wanted)).collect();
                taken.iter().all(|taken| *taken)
            }
            (Formula::Or(parts), true) | (Formula::And(parts), false) => {
                self.take_one(parts, wanted)
            }
            (Formula::Not(inner), _) => self.take(inner, !wanted),
            (Formula::Implies(if_so, then), true) => {
                if self.random.random_bool(0.5) {
                    self.take(if_so, false)
                } else {
                    self.take(then, true)
                }
            }
            (Formula::Compare(op, left, right), _) => {
                let op = if wanted { *op } else { op.opposite() };
                self.compare(op, left, right)
            }
            (Formula::In(value, set), _) => self.member(value, set, wanted),
            (Formula::Call(function, arguments), _) => self.call(*function, arguments, wanted),
            _ => false,
        }
    }

    /// One of several ways, of those that are understood if any is.
    fn take_one(&mut self, parts: &[Formula], wanted: bool) -> bool {
        let before = self.wishes;
        let mut ways: Vec<Wishes> = Vec::new();
        for part in parts {
            self.wishes = before;
            if self.take(part, wanted) {
                ways.push(self.wishes);
            }
        }
        let drawn = ways.choose(self.random).copied();
        self.wishes = drawn.unwrap_or(before);
        drawn.is_some()
    }

    fn compare(&mut self, op: Comparison, left: &Formula, right: &Formula) -> bool {
        let Formula::Call(function, arguments) = left else {
            return false;
        };
        match right {
            Formula::Literal(Literal::Rank(_, rank)) => {
                let holds = |level: usize| op.holds(level.cmp(&usize::from(*rank)));
                let allowed = bits((0..LEVELS.len()).filter(|level| holds(*level)));
                self.allow(*function, arguments, allowed)
            }
            Formula::Literal(Literal::Symbol(name)) => {
                let Some(own) = self.numbers(*function, &[name]) else {
                    return false;
                };
                match op {
                    Comparison::Equal => self.allow(*function, arguments, own),
                    Comparison::NotEqual => self.allow(*function, arguments, !own),
                    _ => false,
                }
            }
            Formula::Literal(Literal::Int(number)) if function.get().name == "length" => {
                let one = op.holds(1.cmp(number));
                let more = op.holds(2.cmp(number));
                self.wish_of(arguments, |wish| {
                    wish.single = (one != more).then_some(one);
                })
            }
            Formula::Literal(Literal::Float(_)) if function.get().name == "overlap" => {
                let same = matches!(op, Comparison::Greater | Comparison::GreaterEqual);
                self.about(same)
            }
            _ => false,
        }
    }

    fn member(&mut self, value: &Formula, set: &Formula, wanted: bool) -> bool {
        let (Formula::Call(function, arguments), Formula::Set(members)) = (value, set) else {
            return false;
        };
        let names = members.iter().filter_map(|member| match member {
            Formula::Literal(Literal::Symbol(name)) => Some(&**name),
            _ => None,
        });
        let names: Vec<&str> = names.collect();
        let Some(own) = self.numbers(*function, &names) else {
            return false;
        };
        self.allow(*function, arguments, if wanted { own } else { !own })
    }

    fn call(&mut self, function: FunctionId, arguments: &[Argument], wanted: bool) -> bool {
        match (function.get().name, arguments) {
            ("speech", _) => self.wish_of(arguments, |wish| wish.speech = Some(wanted)),
            ("same", [Argument::Value(left), Argument::Value(right)]) => {
                let is_attribute = |value: &Formula| matches!(value, Formula::Attribute(..));
                is_attribute(left) && is_attribute(right) && self.about(wanted)
            }
            ("shared-entity" | "continues", _) => self.about(wanted),
            (
                "is",
                [
                    Argument::Node(_),
                    Argument::Value(Formula::Literal(Literal::Symbol(name))),
                ],
            ) if wanted => {
                let symbol = self.schema.relation(name);
                self.wish_of(arguments, |wish| wish.symbol = symbol)
            }
            _ => false,
        }
    }

    /// Both speak of the same, or of different things.
    fn about(&mut self, same: bool) -> bool {
        let first = self.random.random_range(0..THINGS);
        let second = if same { first } else { (first + 1) % THINGS };
        self.wishes.a.about = Some(first);
        self.wishes.b.about = Some(second);
        true
    }

    /// The numbers of names that a function can answer, as bits.
    fn numbers(&self, function: FunctionId, names: &[&str]) -> Option<Allowed> {
        let cue = |name: &&str| match *name {
            "none" => Some(0),
            name => {
                let at = self.schema.cues.iter().position(|cue| cue.name == name);
                at.map(|at| at + 1)
            }
        };
        let mark = |name: &&str| PUNCTUATION.iter().position(|mark| mark == name);
        let tail = |name: &&str| tail_names().iter().position(|tail| tail == name);
        let places: Option<Vec<usize>> = match function.get().name {
            "cue" => names.iter().map(cue).collect(),
            "punct" => names.iter().map(mark).collect(),
            "tail" => names.iter().map(tail).collect(),
            _ => None,
        };
        places.map(|places| bits(places.into_iter()))
    }

    fn allow(&mut self, function: FunctionId, arguments: &[Argument], allowed: Allowed) -> bool {
        match (function.get().name, arguments) {
            ("level", [Argument::Node(Node::A), Argument::Node(Node::B)]) => {
                self.wishes.level &= allowed;
                true
            }
            ("cue", _) => self.wish_of(arguments, |wish| wish.cue &= allowed),
            ("punct", _) => self.wish_of(arguments, |wish| wish.punct &= allowed),
            ("tail", _) => self.wish_of(arguments, |wish| wish.tail &= allowed),
            _ => false,
        }
    }

    fn wish_of(&mut self, arguments: &[Argument], change: impl FnOnce(&mut Wish)) -> bool {
        match arguments.first() {
            Some(Argument::Node(Node::A)) => change(&mut self.wishes.a),
            Some(Argument::Node(Node::B)) => change(&mut self.wishes.b),
            _ => return false,
        }
        true
    }
}

/// Numbers as bits; what has no bit is left out.
pub(super) fn bits(numbers: impl Iterator<Item = usize>) -> Allowed {
    let bit = |number: usize| {
        u32::try_from(number)
            .ok()
            .and_then(|n| 1_u128.checked_shl(n))
    };
    numbers.filter_map(bit).fold(0, |all, bit| all | bit)
}

/// True when a number is among those allowed.
pub(super) fn allows(allowed: Allowed, number: usize) -> bool {
    allowed & bits([number].into_iter()) != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Source;
    use crate::error::Result;
    use crate::grammar::load_reason;
    use crate::schema::embedded_schema;
    use rand::SeedableRng;

    fn wishes(reason: &str) -> Result<(Wishes, Schema)> {
        let schema = embedded_schema("finance")?;
        let formula = load_reason(&Source::new("r", reason), &schema)?;
        let mut random = ChaCha8Rng::seed_from_u64(1);
        Ok((Wishes::of(Some(&formula), &schema, &mut random), schema))
    }

    fn cue(name: &str, schema: &Schema) -> usize {
        let at = schema.cues.iter().position(|cue| cue.name == name);
        at.map_or(0, |at| at + 1)
    }

    #[test]
    fn reasons_are_read_as_wishes() -> Result<()> {
        let (found, schema) =
            wishes("B.cue in {because, none} and level(A, B) <= comma and not A.speech")?;
        assert!(allows(found.b.cue, 0) && allows(found.b.cue, cue("because", &schema)));
        assert!(!allows(found.b.cue, cue("so", &schema)));
        assert!(allows(found.level, 2) && !allows(found.level, 3));
        assert_eq!(found.a.speech, Some(false));
        let (found, _) = wishes("not same(A.object, B.object) and B.length = 1")?;
        assert!(found.a.about.is_some() && found.a.about != found.b.about);
        assert_eq!(found.b.single, Some(true));
        Ok(())
    }

    #[test]
    fn of_alternatives_one_that_is_understood_is_drawn() -> Result<()> {
        let (found, schema) = wishes("B.cue = because or A.time < B.time")?;
        assert_eq!(found.b.cue, bits([cue("because", &schema)].into_iter()));
        let (found, _) = wishes("A.time < B.time")?;
        assert_eq!(found.b, Wish::default());
        Ok(())
    }
}
