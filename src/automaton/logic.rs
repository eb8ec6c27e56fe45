//! `and` and `or` inside a conjunct, over atoms that other rules share.

use super::atoms::{AtomId, Bin, Questions, SlotId};

/// A combination of atoms.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Logic {
    Atom(AtomId),
    /// True when all are.
    All(Vec<Logic>),
    /// True when one is.
    Any(Vec<Logic>),
}

impl Logic {
    /// Whether it holds where slots have these bins; nothing where that hangs on something unknown.
    pub(super) fn truth(
        &self,
        questions: &Questions,
        bin: &mut dyn FnMut(SlotId) -> Bin,
    ) -> Option<bool> {
        match self {
            Logic::Atom(atom) => {
                let atom = questions.atom(*atom);
                let bin = bin(atom.slot);
                (bin > 0).then(|| atom.holds(bin))
            }
            Logic::All(parts) => decided_by(false, parts, questions, bin),
            Logic::Any(parts) => decided_by(true, parts, questions, bin),
        }
    }
}

/// One part that is `deciding` decides; without one, a part that is unknown leaves it open.
fn decided_by(
    deciding: bool,
    parts: &[Logic],
    questions: &Questions,
    bin: &mut dyn FnMut(SlotId) -> Bin,
) -> Option<bool> {
    let mut found = Some(!deciding);
    for part in parts {
        match part.truth(questions, bin) {
            Some(truth) if truth == deciding => return Some(deciding),
            Some(_) => {}
            None => found = None,
        }
    }
    found
}
