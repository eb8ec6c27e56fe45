//! Answers.

use std::cmp::Ordering;

/// What was measured. Codes stand for symbols of the function's domain.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Measured<'v> {
    /// Nobody knows.
    Unknown,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number.
    Float(f64),
    /// A symbol, by its code.
    Code(u32),
    /// A text.
    Name(&'v str),
    /// A set of cue classes, by their numbers.
    Cues(&'v [u16]),
}

impl<'v> Measured<'v> {
    /// A symbol of a short list.
    pub(super) fn code(code: u8) -> Measured<'v> {
        Measured::Code(u32::from(code))
    }

    /// A count.
    pub(super) fn count(count: u32) -> Measured<'v> {
        Measured::Int(i64::from(count))
    }

    /// A share, where there is something to have a share of.
    pub(super) fn share(share: Option<f64>) -> Measured<'v> {
        share.map_or(Measured::Unknown, Measured::Float)
    }

    /// A text, where there is one.
    pub(super) fn name(name: Option<&'v str>) -> Measured<'v> {
        name.map_or(Measured::Unknown, Measured::Name)
    }

    /// The answer as a number, if it is one.
    pub fn number(self) -> Option<f64> {
        match self {
            Measured::Int(value) => Some(value as f64),
            Measured::Float(value) => Some(value),
            _ => None,
        }
    }

    /// How two answers of one kind are ordered.
    pub fn compare(self, other: Measured<'_>) -> Option<Ordering> {
        match (self, other) {
            (Measured::Code(left), Measured::Code(right)) => Some(left.cmp(&right)),
            (Measured::Bool(left), Measured::Bool(right)) => Some(left.cmp(&right)),
            (Measured::Name(left), Measured::Name(right)) => Some(left.cmp(right)),
            _ => self.number()?.partial_cmp(&other.number()?),
        }
    }
}
