//! Rows of tables compiled to dense look-ups.
//!
//! Which rows of a table speak depends on the bins of a few slots. So all rows that ask the same slots,
//! whatever tables they stand in, share one array with a cell for every combination of bins: one index
//! finds all they say, added up for each side. More rows about the same slots cost nothing more.

use std::collections::BTreeMap;

use super::atoms::{AtomId, Bin, Questions, SlotId};

/// What the rows of a cell say for one side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Said {
    pub(super) side: u32,
    /// The sum of their amounts.
    pub(super) amount: f64,
    /// The first of them in the files.
    pub(super) first: u32,
    /// The one with the greatest amount.
    pub(super) loudest: u32,
    pub(super) loudest_amount: f64,
}

/// A row that is to be looked up.
pub(super) struct LookupRow<'a> {
    /// Its number among the compiled rules.
    pub(super) rule: u32,
    pub(super) side: u32,
    pub(super) amount: f64,
    pub(super) atoms: &'a [AtomId],
}

/// All look-ups of a decision.
#[derive(Debug, Default)]
pub(super) struct Lookups {
    all: Vec<Lookup>,
}

#[derive(Debug)]
struct Lookup {
    /// The slots, each with how far apart the cells of its bins lie.
    slots: Vec<(SlotId, u32)>,
    /// Where what each cell says begins, with one more at the end.
    said_from: Vec<u32>,
    said: Vec<Said>,
    /// The same for the rows that speak.
    rules_from: Vec<u32>,
    rules: Vec<u32>,
}

/// Rows that would need more cells than this are matched one by one instead.
const MOST_CELLS: usize = 1 << 14;

/// True when rows about these atoms can be looked up.
pub(super) fn can_look_up(atoms: &[AtomId], questions: &Questions) -> bool {
    let bins = slots_of(atoms, questions).into_iter();
    let cells = bins.map(|slot| questions.bins(slot) as usize);
    cells.fold(1, usize::saturating_mul) <= MOST_CELLS
}

/// The slots of some atoms, each once, in order.
fn slots_of(atoms: &[AtomId], questions: &Questions) -> Vec<SlotId> {
    let slots = atoms.iter().map(|atom| questions.atom(*atom).slot);
    let mut slots: Vec<SlotId> = slots.collect();
    slots.sort_unstable();
    slots.dedup();
    slots
}

impl Lookups {
    /// Arranges rows by what they ask.
    pub(super) fn new<'a>(
        rows: impl Iterator<Item = LookupRow<'a>>,
        questions: &Questions,
    ) -> Lookups {
        let mut by_slots: BTreeMap<Vec<SlotId>, Vec<LookupRow<'a>>> = BTreeMap::new();
        for row in rows {
            let slots = slots_of(row.atoms, questions);
            by_slots.entry(slots).or_default().push(row);
        }
        let all = by_slots.into_iter();
        let all = all.map(|(slots, rows)| Lookup::new(&slots, &rows, questions));
        Lookups { all: all.collect() }
    }

    /// What all rows say that hold where the slots have these bins.
    #[inline]
    pub(super) fn said(&self, mut bin: impl FnMut(SlotId) -> Bin, mut hear: impl FnMut(&Said)) {
        for lookup in &self.all {
            let cell = lookup.cell(&mut bin);
            let (from, to) = (lookup.said_from[cell], lookup.said_from[cell + 1]);
            for said in &lookup.said[from as usize..to as usize] {
                hear(said);
            }
        }
    }

    /// All rows that hold where the slots have these bins.
    pub(super) fn rules(&self, mut bin: impl FnMut(SlotId) -> Bin, fired: &mut Vec<u32>) {
        for lookup in &self.all {
            let cell = lookup.cell(&mut bin);
            let (from, to) = (lookup.rules_from[cell], lookup.rules_from[cell + 1]);
            fired.extend_from_slice(&lookup.rules[from as usize..to as usize]);
        }
    }
}

impl Lookup {
    fn new(slots: &[SlotId], rows: &[LookupRow<'_>], questions: &Questions) -> Lookup {
        let mut cells = 1;
        let strides = slots.iter().map(|slot| {
            let stride = cells;
            cells *= questions.bins(*slot);
            (*slot, stride)
        });
        let slots: Vec<(SlotId, u32)> = strides.collect();
        let mut in_cell: Vec<Vec<&LookupRow<'_>>> = vec![Vec::new(); cells as usize];
        for row in rows {
            for cell in cells_of(row, &slots, questions) {
                in_cell[cell as usize].push(row);
            }
        }
        let mut lookup = Lookup {
            slots,
            said_from: vec![0],
            said: Vec::new(),
            rules_from: vec![0],
            rules: Vec::new(),
        };
        for rows in in_cell {
            let from = lookup.said.len();
            for row in rows {
                lookup.rules.push(row.rule);
                add_up(&mut lookup.said, from, row);
            }
            lookup.said_from.push(lookup.said.len() as u32);
            lookup.rules_from.push(lookup.rules.len() as u32);
        }
        lookup
    }

    #[inline]
    fn cell(&self, bin: &mut impl FnMut(SlotId) -> Bin) -> usize {
        let places = self.slots.iter().map(|(slot, stride)| bin(*slot) * stride);
        places.sum::<u32>() as usize
    }
}

/// The cells in which a row holds.
fn cells_of(row: &LookupRow<'_>, slots: &[(SlotId, u32)], questions: &Questions) -> Vec<u32> {
    let mut cells = vec![0];
    for (slot, stride) in slots {
        let atoms = row.atoms.iter().map(|atom| questions.atom(*atom));
        let own: Vec<_> = atoms.filter(|atom| atom.slot == *slot).collect();
        let holds = |bin: &Bin| own.iter().all(|atom| atom.holds(*bin));
        let bins: Vec<Bin> = (0..questions.bins(*slot)).filter(holds).collect();
        let with = |cell: &u32| {
            let cell = *cell;
            bins.iter().map(move |bin| cell + bin * stride)
        };
        cells = cells.iter().flat_map(with).collect();
    }
    cells
}

/// Adds what a row says to what others of its cell say.
fn add_up(said: &mut Vec<Said>, from: usize, row: &LookupRow<'_>) {
    let own = said[from..].iter_mut().find(|said| said.side == row.side);
    match own {
        Some(own) => {
            own.amount += row.amount;
            own.first = own.first.min(row.rule);
            if row.amount > own.loudest_amount {
                (own.loudest, own.loudest_amount) = (row.rule, row.amount);
            }
        }
        None => said.push(Said {
            side: row.side,
            amount: row.amount,
            first: row.rule,
            loudest: row.rule,
            loudest_amount: row.amount,
        }),
    }
}
