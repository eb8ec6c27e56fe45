//! S1 and S2 of Algorithm 4: texts with labels and texts without.

use std::collections::BTreeMap;

use ndarray::ArrayView2;

use super::Transfer;
use crate::embed::neighbours::{Neighbour, Pair, Reach};

/// The impacts, divided into those of labelled texts (S1) and the others (S2).
pub struct Division<'a> {
    reach: Reach<'a>,
    /// For a text of S1 the text, labelled by people, whose label it carries.
    label_of: Vec<Option<u32>>,
    labelled: usize,
    /// Members of S1 that S2 has not been compared with.
    fresh: Vec<u32>,
    /// Texts from here on have been compared with nobody.
    compared: usize,
}

/// What is near: S12, and what follows from it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Near {
    /// |S12|.
    pub pairs: u64,
    /// S2': every near text with the text whose label it will carry, that of its nearest neighbour.
    pub texts: Vec<(u32, u32)>,
    /// How many instances the rules of each text, labelled by people, gain.
    pub times: Vec<(u32, u64)>,
}

impl<'a> Division<'a> {
    /// All texts (rows) are without labels.
    pub fn new(impacts: ArrayView2<'a, f32>) -> Division<'a> {
        Division {
            reach: Reach::new(impacts),
            label_of: vec![None; impacts.nrows()],
            labelled: 0,
            fresh: Vec::new(),
            compared: 0,
        }
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.label_of.len()
    }

    /// True without texts.
    pub fn is_empty(&self) -> bool {
        self.label_of.is_empty()
    }

    /// |S1|.
    pub fn labelled(&self) -> usize {
        self.labelled
    }

    /// |S2|.
    pub fn unlabelled(&self) -> usize {
        self.len() - self.labelled
    }

    /// The text whose label a text carries: itself when people labelled it, none when it is in S2.
    pub fn label_of(&self, text: u32) -> Option<u32> {
        self.label_of.get(text as usize).copied().flatten()
    }

    /// Moves texts to S1, each with the text whose label it carries.
    pub fn label(&mut self, texts: impl IntoIterator<Item = (u32, u32)>) {
        let first = self.fresh.len();
        for (text, donor) in texts {
            if let Some(label @ None) = self.label_of.get_mut(text as usize) {
                *label = Some(donor);
                self.labelled += 1;
                self.fresh.push(text);
            }
        }
        let new = self.fresh.get(first..).unwrap_or_default();
        self.reach.add(new);
    }

    /// S12 = {(e', e)}: e' in S2, e in S1, nearer than epsilon. What stayed in S2 was no nearer to
    /// the old members of S1, so only new members are compared, and new texts with all members.
    pub fn near(&self, epsilon: f64, transfer: Transfer) -> Near {
        let mut near = Near::default();
        let mut times: BTreeMap<u32, u64> = BTreeMap::new();
        for (text, nearest) in self.reach.nearest().iter().enumerate() {
            let text = text as u32;
            let Some(nearest) = nearest.filter(|nearest| nearest.distance < epsilon) else {
                continue;
            };
            if self.is_labelled(text) {
                continue;
            }
            if let Some(donor) = self.label_of(nearest.number) {
                near.texts.push((text, donor));
                *times.entry(donor).or_default() += 1;
            }
        }
        if transfer == Transfer::All && !near.texts.is_empty() {
            times = self.times_of_all_pairs(epsilon);
        }
        near.pairs = times.values().sum();
        near.times = times.into_iter().collect();
        near
    }

    /// The texts of S2 that are nearest to S1, whatever epsilon is, each with its nearest label.
    pub fn nearest(&self, count: usize) -> Near {
        let mut all: Vec<(f64, u32, u32)> = Vec::new();
        for (text, nearest) in self.reach.nearest().iter().enumerate() {
            let text = text as u32;
            if let (false, Some(nearest)) = (self.is_labelled(text), nearest)
                && let Some(donor) = self.label_of(nearest.number)
            {
                all.push((nearest.distance, text, donor));
            }
        }
        all.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        all.truncate(count);
        all.sort_unstable_by_key(|(_, text, _)| *text);
        let mut times: BTreeMap<u32, u64> = BTreeMap::new();
        for (_, _, donor) in &all {
            *times.entry(*donor).or_default() += 1;
        }
        Near {
            pairs: all.len() as u64,
            texts: all.iter().map(|(_, text, donor)| (*text, *donor)).collect(),
            times: times.into_iter().collect(),
        }
    }

    /// The pairs of S12 themselves, sorted by the text without a label.
    pub fn pairs(&self, epsilon: f64) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for (members, old) in self.comparisons() {
            let wanted = |text: u32| self.is_compared(text) == old && !self.is_labelled(text);
            pairs.extend(self.reach.pairs(&members, wanted, epsilon));
        }
        pairs.sort_unstable_by_key(|pair| (pair.left, pair.right));
        pairs
    }

    /// Moves near texts to S1: the first `compared` texts have been compared with all members but
    /// these.
    pub fn take_near(&mut self, texts: &[(u32, u32)], compared: usize) {
        self.fresh.clear();
        self.compared = compared;
        self.label(texts.iter().copied());
    }

    /// S3: the texts of S2 that are farthest from S1, the farthest first, equally far ones by their
    /// numbers.
    pub fn far(&self, count: usize) -> Vec<Neighbour> {
        let mut far: Vec<Neighbour> = self
            .reach
            .nearest()
            .iter()
            .enumerate()
            .filter(|(text, _)| !self.is_labelled(*text as u32))
            .map(|(text, nearest)| Neighbour {
                number: text as u32,
                distance: nearest.map_or(f64::INFINITY, |nearest| nearest.distance),
            })
            .collect();
        let before = |a: &Neighbour, b: &Neighbour| {
            let farther = b.distance.total_cmp(&a.distance);
            farther.then(a.number.cmp(&b.number))
        };
        if count < far.len() {
            far.select_nth_unstable_by(count, before);
            far.truncate(count);
        }
        far.sort_unstable_by(before);
        far
    }

    fn is_labelled(&self, text: u32) -> bool {
        self.label_of(text).is_some()
    }

    fn is_compared(&self, text: u32) -> bool {
        (text as usize) < self.compared
    }

    /// Texts compared before meet the new members of S1, new texts meet all members.
    fn comparisons(&self) -> Vec<(Vec<u32>, bool)> {
        let mut comparisons = vec![(self.fresh.clone(), true)];
        if self.compared < self.len() {
            let texts = 0..self.len() as u32;
            let members = texts.filter(|text| self.is_labelled(*text));
            comparisons.push((members.collect(), false));
        }
        comparisons
    }

    fn times_of_all_pairs(&self, epsilon: f64) -> BTreeMap<u32, u64> {
        let mut times: BTreeMap<u32, u64> = BTreeMap::new();
        for (members, old) in self.comparisons() {
            let wanted = |text: u32| self.is_compared(text) == old && !self.is_labelled(text);
            let counts = self.reach.count_near(&members, wanted, epsilon);
            for (member, count) in members.into_iter().zip(counts) {
                if let Some(donor) = self.label_of(member).filter(|_| count > 0) {
                    *times.entry(donor).or_default() += count;
                }
            }
        }
        times
    }
}
