//! Formulas with a meaning: names resolved against the schema, types settled.
//!
//! One expression language serves reasons, attribute equations, boundary rules and the summary's
//! priority function. Logic is three-valued after Kleene: where an attribute is missing, what is
//! said of it is unknown, and a reason that is unknown does not hold.

use std::sync::Arc;

pub use super::syntax::BinaryOp;
pub use crate::measure::{Domain, FunctionId, Node};
use crate::named::named_enum;
use crate::schema::ValueType;

/// A typed expression.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Formula {
    /// A value that stands in the formula itself.
    Literal(Literal),
    /// An attribute of a node, by its index in the schema.
    Attribute(Node, u32),
    /// A function of nodes, words or values.
    Call(FunctionId, Vec<Argument>),
    /// A free variable, by its index in the context's list.
    Variable(u32),
    /// A set of values that may have to be computed.
    Set(Vec<Formula>),
    /// `not`
    Not(Box<Formula>),
    /// The sign `-`.
    Negate(Box<Formula>),
    /// `and`, over two or more.
    And(Vec<Formula>),
    /// `or`, over two or more.
    Or(Vec<Formula>),
    /// `implies`
    Implies(Box<Formula>, Box<Formula>),
    /// A comparison; both sides have one kind of values.
    Compare(Comparison, Box<Formula>, Box<Formula>),
    /// Membership: a value and a set.
    In(Box<Formula>, Box<Formula>),
    /// `+ - * /`
    Arithmetic(Arithmetic, Box<Formula>, Box<Formula>),
}

/// What a function is called with.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Argument {
    /// A node, or a word at a gap.
    Node(Node),
    /// A value.
    Value(Formula),
}

/// A value that stands in a formula.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Literal {
    /// true or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number.
    Float(f64),
    /// A symbol.
    Symbol(Arc<str>),
    /// An ordered symbol by its rank in its list, `comma` among the levels.
    Rank(&'static [&'static str], u8),
    /// A text.
    Text(Arc<str>),
    /// A point of time as `2019`, `2019-09` or `2019-09-01`; texts compared with times become these.
    Time(Arc<str>),
}

named_enum! {
    /// Comparisons.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Comparison {
        /// `=`
        Equal = "=",
        /// `!=`
        NotEqual = "!=",
        /// `<`
        Less = "<",
        /// `<=`
        LessEqual = "<=",
        /// `>`
        Greater = ">",
        /// `>=`
        GreaterEqual = ">=",
    }
}

impl Comparison {
    /// True when two values in that order satisfy it.
    pub fn holds(self, order: std::cmp::Ordering) -> bool {
        use std::cmp::Ordering::*;
        match self {
            Comparison::Equal => order == Equal,
            Comparison::NotEqual => order != Equal,
            Comparison::Less => order == Less,
            Comparison::LessEqual => order != Greater,
            Comparison::Greater => order == Greater,
            Comparison::GreaterEqual => order != Less,
        }
    }

    /// The comparison with its sides exchanged: `a < b` is `b > a`.
    pub fn swapped(self) -> Comparison {
        match self {
            Comparison::Less => Comparison::Greater,
            Comparison::LessEqual => Comparison::GreaterEqual,
            Comparison::Greater => Comparison::Less,
            Comparison::GreaterEqual => Comparison::LessEqual,
            same => same,
        }
    }

    /// The comparison that holds exactly when this one does not.
    pub fn opposite(self) -> Comparison {
        match self {
            Comparison::Equal => Comparison::NotEqual,
            Comparison::NotEqual => Comparison::Equal,
            Comparison::Less => Comparison::GreaterEqual,
            Comparison::LessEqual => Comparison::Greater,
            Comparison::Greater => Comparison::LessEqual,
            Comparison::GreaterEqual => Comparison::Less,
        }
    }
}

named_enum! {
    /// Arithmetic.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Arithmetic {
        /// `+`
        Add = "+",
        /// `-`
        Subtract = "-",
        /// `*`
        Multiply = "*",
        /// `/`, always a number with a fraction.
        Divide = "/",
    }
}

/// The type of an expression: the kind of value and, for symbols and sets, which symbols.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Type {
    /// The kind of value.
    pub value: ValueType,
    /// Which symbols; open for everything but symbols and sets.
    pub domain: Domain,
}

impl Type {
    /// A type that is not about symbols.
    pub const fn plain(value: ValueType) -> Type {
        Type {
            value,
            domain: Domain::Open,
        }
    }

    /// True for whole numbers and numbers.
    pub fn is_number(self) -> bool {
        matches!(self.value, ValueType::Int | ValueType::Float)
    }

    /// True when `<` means something.
    pub fn is_ordered(self) -> bool {
        self.is_number()
            || self.value == ValueType::Time
            || matches!(self.domain, Domain::Ordered(_)) && self.value == ValueType::Symbol
    }
}

impl Formula {
    /// The operands of a conjunction, or the formula itself.
    pub fn conjuncts(&self) -> &[Formula] {
        match self {
            Formula::And(items) => items,
            other => std::slice::from_ref(other),
        }
    }

    /// Calls `visit` for this formula and everything in it.
    pub fn visit<'f>(&'f self, visit: &mut impl FnMut(&'f Formula)) {
        visit(self);
        match self {
            Formula::Literal(_) | Formula::Attribute(..) | Formula::Variable(_) => {}
            Formula::Call(_, arguments) => {
                for argument in arguments {
                    if let Argument::Value(value) = argument {
                        value.visit(visit);
                    }
                }
            }
            Formula::Set(items) | Formula::And(items) | Formula::Or(items) => {
                items.iter().for_each(|item| item.visit(visit));
            }
            Formula::Not(inner) | Formula::Negate(inner) => inner.visit(visit),
            Formula::Implies(left, right)
            | Formula::Compare(_, left, right)
            | Formula::In(left, right)
            | Formula::Arithmetic(_, left, right) => {
                left.visit(visit);
                right.visit(visit);
            }
        }
    }
}
