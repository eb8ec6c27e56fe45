//! Asking: what slots come to in a configuration.

use std::cmp::Ordering;
use std::sync::Arc;

use super::super::logic::Logic;
use super::super::probe::Probe;
use super::{Atom, AtomId, Bin, Bins, Slot, SlotId, Source, cut_bin, unsigned_zero};
use crate::grammar::Value;
use crate::grammar::formula::{Formula, Node};
use crate::measure::Measured;

/// All slots and atoms of a grammar.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct Questions {
    pub(super) slots: Vec<Slot>,
    pub(super) atoms: Vec<Atom>,
}

impl Questions {
    pub(in super::super) fn atom(&self, id: AtomId) -> &Atom {
        &self.atoms[id as usize]
    }

    pub(in super::super) fn slots(&self) -> usize {
        self.slots.len()
    }

    /// How many bins a slot has.
    pub(in super::super) fn bins(&self, slot: SlotId) -> Bin {
        self.slots[slot as usize].bins.count()
    }

    /// How often an atom may be expected to hold, roughly: rules are looked up by their rarest.
    pub(in super::super) fn commonness(&self, id: AtomId) -> f64 {
        const MOSTLY: f64 = 0.8;
        let atom = self.atom(id);
        let slot = &self.slots[atom.slot as usize];
        match slot.bins {
            // Code 0 is `none` in most lists.
            Bins::Codes(_) if atom.holds(1) => MOSTLY,
            Bins::Truth if atom.holds(1) => MOSTLY,
            _ => f64::from(atom.count()) / f64::from(slot.bins.count()),
        }
    }

    /// True when some slot measures what content words or entities spans share.
    pub(in super::super) fn compares_words(&self) -> bool {
        self.slots.iter().any(|slot| match &slot.source {
            Source::Measure(function, _) => function.get().compares_words,
            Source::Formula(formula) => {
                let mut asks = false;
                formula.visit(&mut |part| {
                    if let Formula::Call(function, _) = part {
                        asks |= function.get().compares_words;
                    }
                });
                asks
            }
            _ => false,
        })
    }

    /// The combination of atoms that a slot asks for, if it does.
    pub(in super::super) fn logic(&self, slot: SlotId) -> Option<&Logic> {
        match &self.slots[slot as usize].source {
            Source::Logic(logic) => Some(logic),
            _ => None,
        }
    }

    /// The bin of what a slot comes to.
    pub(in super::super) fn bin(&self, slot: SlotId, probe: &impl Probe) -> Bin {
        let Slot { source, bins } = &self.slots[slot as usize];
        match source {
            Source::Measure(function, nodes) => place(probe.probe(*function, nodes), bins),
            Source::Member(function, nodes, code) => match probe.probe(*function, nodes) {
                Measured::Cues(cues) => {
                    let is_member = cues.iter().any(|cue| u32::from(*cue) == *code);
                    1 + Bin::from(is_member)
                }
                _ => 0,
            },
            Source::Logic(logic) => truth_bin(logic.truth(self, &mut |slot| self.bin(slot, probe))),
            Source::Attribute(node, attribute) => match probe.stored(*node, *attribute) {
                None => 0,
                Some(value) => place_value(value, bins),
            },
            Source::Order(left, right) => match self.order(*left, *right, probe) {
                None => 0,
                Some(Ordering::Less) => 1,
                Some(Ordering::Equal) => 2,
                Some(Ordering::Greater) => 3,
            },
            Source::Formula(formula) => truth_bin(formula.truth(probe)),
        }
    }

    fn order(&self, left: SlotId, right: SlotId, probe: &impl Probe) -> Option<Ordering> {
        use Source::{Attribute, Measure};
        let sources = (
            &self.slots[left as usize].source,
            &self.slots[right as usize].source,
        );
        let number = |node: &Node, attribute: &u32| probe.stored(*node, *attribute)?.as_number();
        match sources {
            (Measure(left, a), Measure(right, b)) => {
                probe.probe(*left, a).compare(probe.probe(*right, b))
            }
            (Attribute(a, left), Attribute(b, right)) => {
                probe.stored(*a, *left)?.compare(probe.stored(*b, *right)?)
            }
            (Attribute(node, attribute), Measure(function, nodes)) => {
                let measured = probe.probe(*function, nodes).number()?;
                number(node, attribute)?.partial_cmp(&measured)
            }
            (Measure(function, nodes), Attribute(node, attribute)) => {
                let measured = probe.probe(*function, nodes).number()?;
                measured.partial_cmp(&number(node, attribute)?)
            }
            _ => None,
        }
    }
}

/// The bin of true, false or unknown.
pub(in super::super) fn truth_bin(truth: Option<bool>) -> Bin {
    truth.map_or(0, |truth| 1 + Bin::from(truth))
}

fn place(value: Measured<'_>, bins: &Bins) -> Bin {
    match (value, bins) {
        (Measured::Bool(value), Bins::Truth) => 1 + Bin::from(value),
        (Measured::Code(code), Bins::Codes(_)) => code + 1,
        (Measured::Name(name), Bins::Names(names)) => name_bin(names, name),
        (value, Bins::Numbers(cuts)) => match value.number() {
            Some(number) => cut_bin(cuts, |cut| cut.total_cmp(&unsigned_zero(number))),
            None => 0,
        },
        _ => 0,
    }
}

fn place_value(value: &Value, bins: &Bins) -> Bin {
    match (value, bins) {
        (Value::Bool(value), Bins::Truth) => 1 + Bin::from(*value),
        (Value::Symbol(name) | Value::Text(name), Bins::Names(names)) => name_bin(names, name),
        (Value::Time(time), Bins::Times(cuts)) => cut_bin(cuts, |cut| cut.cmp(time)),
        (value, Bins::Numbers(cuts)) => match value.as_number() {
            Some(number) => cut_bin(cuts, |cut| cut.total_cmp(&unsigned_zero(number))),
            None => 0,
        },
        _ => 0,
    }
}

fn name_bin(names: &[Arc<str>], name: &str) -> Bin {
    let found = names.binary_search_by(|known| (**known).cmp(name));
    Bin::try_from(found.map_or(1, |at| at + 2)).unwrap_or(1)
}
