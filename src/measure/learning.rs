//! How learners cut functions: which questions their rules are made of.
//!
//! Everything that a learner may ask is a literal, and every literal comes from a [`Cut`] in the entry
//! of its function. Learners depend on the order of literals (where two explain as much, the first is
//! taken), so cuts say where theirs stand: in which [`Round`], there at which place, and at one place
//! in which turn.

use super::node::Node;

/// Who a function is asked about: nodes or words, or nobody for the gap itself.
pub type Place = &'static [Node];

pub(super) const S: Place = &[Node::S];
pub(super) const A: Place = &[Node::A];
pub(super) const B: Place = &[Node::B];
pub(super) const C: Place = &[Node::C];
const E: Place = &[Node::E];
pub(super) const SA: Place = &[Node::S, Node::A];
pub(super) const AB: Place = &[Node::A, Node::B];
pub(super) const BC: Place = &[Node::B, Node::C];
pub(super) const CE: Place = &[Node::C, Node::E];
pub(super) const AC: Place = &[Node::A, Node::C];
pub(super) const SC: Place = &[Node::S, Node::C];
const PREV2: Place = &[Node::Prev2];
pub(super) const PREV: Place = &[Node::Prev];
pub(super) const NEXT: Place = &[Node::Next];
const NEXT2: Place = &[Node::Next2];
const HERE: Place = &[];

/// A part of the list of literals.
#[derive(Debug, Clone, Copy)]
pub struct Round {
    /// Its number among those of its scope.
    pub number: u8,
    /// The places, in order: all turns at the first, then all at the next. Where none are listed,
    /// turns alone decide.
    pub places: &'static [Place],
}

const fn round(number: u8, places: &'static [Place]) -> Round {
    Round { number, places }
}

/// What is asked of single nodes.
pub(super) const NODES: Round = round(1, &[S, A, B, C, E]);
/// How many verbs and words they have.
pub(super) const COUNTS: Round = round(2, &[A, B, C]);
/// What is inside nodes on the stack.
pub(super) const INSIDES: Round = round(3, &[S, A, B]);
/// What matters for labels only.
pub(super) const HEADS: Round = round(4, &[A, B]);
/// Breaks between neighbours.
pub(super) const BREAKS: Round = round(5, &[SA, AB, BC, CE]);
/// How two measures compare.
pub(super) const ORDERS: Round = round(6, &[]);
/// What is asked of two nodes.
pub(super) const PAIRS: Round = round(7, &[SA, AB, BC, AC, CE]);
/// What nodes share with the sentence to come.
pub(super) const AHEAD: Round = round(8, &[AC, BC, SC]);
/// What they share with all that is to come.
pub(super) const ONWARD: Round = round(9, &[SC, AC, BC]);
/// How these shares compare.
pub(super) const ONWARD_ORDERS: Round = round(10, &[]);
/// The same for the sentence to come.
pub(super) const AHEAD_ORDERS: Round = round(11, &[]);
/// How far breaks reach, and how long nodes are beside each other.
pub(super) const REACHES: Round = round(12, &[AB, BC, SA]);

/// What is asked of the words at a gap.
pub(super) const WORDS: Round = round(1, &[PREV2, PREV, NEXT, NEXT2]);
/// Which words they are.
pub(super) const SEEN_WORDS: Round = round(2, &[PREV2, PREV, NEXT, NEXT2]);
/// What is asked of the gap itself.
pub(super) const GAPS: Round = round(3, &[HERE]);

/// Questions that learners ask of one function.
#[derive(Debug, Clone, Copy)]
pub struct Cut {
    /// What is asked.
    pub ask: Ask,
    /// In which part of the list.
    pub round: Round,
    /// Which comes first at one place.
    pub turn: u8,
    /// Where several functions have the same turn they are asked value by value, in this order.
    pub seat: u8,
    /// Whom it is asked about.
    pub places: &'static [Place],
    /// Where its literals may stand in pairs with others.
    pub pairs: Pairs,
    /// Which of its values may.
    pub paired: Paired,
}

/// A question, or one for each of several values.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Ask {
    /// `f`
    Holds,
    /// `not f`
    Fails,
    /// `known(f)`
    Known,
    /// `not known(f)`
    Missing,
    /// `f = value`, for every symbol of the domain.
    Each,
    /// The same without `none`.
    EachButNone,
    /// `contains(f, value)`, without `none`.
    Contains,
    /// `f(A, symbol)`, for every symbol that a leaf can have.
    LeafSymbols,
    /// `f = "value"`, for every text that was seen often.
    Seen,
    /// `f = number`
    Equals(i64),
    /// `f >= number`
    AtLeast(&'static [i64]),
    /// `f > number`
    Above(&'static [f64]),
    /// `f >= level`
    AtLeastLevel(&'static [&'static str]),
    /// `f < level` and `f > level`
    BesideLevel(&'static [&'static str]),
    /// `f(left) = f(right)`, a function of one node asked of two.
    Same,
    /// `f < g`, `f = g` and `f > g`, with the function of that name at each of these places.
    Against(&'static str, &'static [Place]),
}

/// Where literals may stand in pairs.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Pairs {
    /// Nowhere.
    Nowhere,
    /// At every place.
    Everywhere,
    /// At these.
    At(&'static [Place]),
}

/// Which values may stand in pairs.
#[derive(Debug, Clone, Copy)]
pub enum Paired {
    /// All of them.
    All,
    /// All but `none`.
    ButNone,
    /// These numbers.
    Numbers(&'static [i64]),
}

impl Cut {
    /// Asks at all places of a round.
    pub(super) const fn new(ask: Ask, round: Round, turn: u8) -> Cut {
        Cut {
            ask,
            round,
            turn,
            seat: 0,
            places: round.places,
            pairs: Pairs::Nowhere,
            paired: Paired::All,
        }
    }

    /// Asks at these places only.
    pub(super) const fn of(mut self, places: &'static [Place]) -> Cut {
        self.places = places;
        self
    }

    /// Asks beside others of the same turn, value by value.
    pub(super) const fn beside(mut self, seat: u8) -> Cut {
        self.seat = seat;
        self
    }

    /// May stand in pairs at these places.
    pub(super) const fn in_pairs_at(mut self, places: &'static [Place]) -> Cut {
        self.pairs = Pairs::At(places);
        self
    }

    /// May stand in pairs.
    pub(super) const fn in_pairs(mut self) -> Cut {
        self.pairs = Pairs::Everywhere;
        self
    }

    /// `none` may not.
    pub(super) const fn but_none(mut self) -> Cut {
        self.paired = Paired::ButNone;
        self
    }

    /// Only these numbers may.
    pub(super) const fn with(mut self, numbers: &'static [i64]) -> Cut {
        self.paired = Paired::Numbers(numbers);
        self
    }

    /// True when a literal of it may stand in pairs; `value` is what it is compared with.
    pub fn may_pair(&self, place: Place, value: &str) -> bool {
        let here = match self.pairs {
            Pairs::Nowhere => false,
            Pairs::Everywhere => true,
            Pairs::At(places) => places.contains(&place),
        };
        here && match self.paired {
            Paired::All => true,
            Paired::ButNone => value != "none",
            Paired::Numbers(numbers) => {
                let number = value.parse::<i64>();
                number.is_ok_and(|number| numbers.contains(&number))
            }
        }
    }
}
