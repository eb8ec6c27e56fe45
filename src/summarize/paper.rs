//! Algorithms 7 and 8 as printed.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::anchor::make_whole;
use super::pick::{line_of, says_the_same};
use super::shown::{size_of, size_of_text};
use super::unit::{Budget, Size, UnitKind, units};
use super::{Line, SourceText, SummaryOptions};
use crate::diagnostic::Source;
use crate::error::Result;
use crate::grammar::formula::{Formula, FunctionId, Node};
use crate::grammar::{Facts, Value, load_formula};
use crate::schema::ValueType;
use crate::text::words::Punctuation;
use crate::tree::{Role, Tree};

/// Algorithm 7: the EDUs of a tree in the order of the balanced nucleus-first search, counted from 0.
///
/// From the root down, at every node to its (first) nucleus, until a leaf; then again from the pending
/// sibling that is highest: of least depth, then nucleus before satellite, then left to right.
/// An n-ary node is one node: its children are siblings, however it is kept inside.
pub fn priority_sequence(tree: &Tree) -> Vec<usize> {
    let mut sequence = Vec::with_capacity(tree.edus.len());
    let mut pending = BinaryHeap::from([Reverse((0usize, Role::Nucleus, 0u32, tree.root()))]);
    while let Some(Reverse((mut depth, _, _, mut id))) = pending.pop() {
        loop {
            let children = tree.children(id);
            let first_nucleus = children.iter().position(|c| c.role == Role::Nucleus);
            let Some(down) = first_nucleus.and_then(|at| children.get(at)) else {
                break;
            };
            depth += 1;
            for child in children.iter().filter(|child| child.node != down.node) {
                let start = tree.node(child.node).span().start;
                pending.push(Reverse((depth, child.role, start, child.node)));
            }
            id = down.node;
        }
        sequence.push(tree.node(id).span().start as usize);
    }
    sequence
}

/// The priority function f(x, y) of Algorithm 8: a formula of the grammar language over `weight` (the
/// text's, from its cube), `rank` (the EDU's place in SEd, from 1), `place` (the text's place in STr,
/// from 1), `edus` (of the text) and `texts` (how many).
#[derive(Debug, Clone)]
pub struct Priority {
    formula: Formula,
}

const VARIABLES: &[(&str, ValueType)] = &[
    ("weight", ValueType::Float),
    ("rank", ValueType::Int),
    ("place", ValueType::Int),
    ("edus", ValueType::Int),
    ("texts", ValueType::Int),
];

impl Priority {
    /// The function as it is written in `source`.
    pub fn read(source: &Arc<Source>) -> Result<Priority> {
        let formula = load_formula(source, VARIABLES, ValueType::Float)?;
        Ok(Priority { formula })
    }

    /// Its value; what cannot be computed (a division by zero) comes last.
    fn value(&self, facts: &Known) -> f64 {
        self.formula.number(facts).unwrap_or(f64::NEG_INFINITY)
    }
}

impl Default for Priority {
    /// `weight / rank`.
    fn default() -> Priority {
        use crate::grammar::formula::Arithmetic;
        let [weight, rank] = [0, 1].map(|at| Box::new(Formula::Variable(at)));
        Priority {
            formula: Formula::Arithmetic(Arithmetic::Divide, weight, rank),
        }
    }
}

/// What the formula may ask, in the order of [`VARIABLES`].
struct Known {
    weight: f64,
    counts: [usize; 4],
}

impl Facts for Known {
    fn attribute(&self, _: Node, _: u32) -> Option<Value> {
        None
    }

    fn measure(&self, _: FunctionId, _: &[Node], _: &[Value]) -> Option<Value> {
        None
    }

    fn variable(&self, at: u32) -> Option<Value> {
        match at.checked_sub(1) {
            None => Some(Value::Float(self.weight)),
            Some(at) => {
                let count = self.counts.get(at as usize)?;
                i64::try_from(*count).ok().map(Value::Int)
            }
        }
    }
}

/// A unit with its synthesized priority.
struct Prioritized {
    priority: f64,
    place: usize,
    rank: usize,
    text: usize,
    edu: usize,
    unit: std::ops::Range<usize>,
}

impl Prioritized {
    /// The EDUs it shows: a single EDU as it is, or as a readable whole.
    fn edus(&self, text: &SourceText, kind: UnitKind, whole: bool) -> Vec<std::ops::Range<usize>> {
        match kind {
            UnitKind::Edu if whole => make_whole(text, self.edu),
            _ => vec![self.unit.clone()],
        }
    }
}

/// Algorithm 8 from step 5 on: texts come with their weights and trees.
pub(super) fn choose(texts: &[SourceText], options: &SummaryOptions) -> Vec<Line> {
    let kind = options.unit.unwrap_or(UnitKind::Edu);
    let mut all = prioritize(texts, options, kind);
    all.sort_by(|a, b| {
        let by_priority = b.priority.total_cmp(&a.priority);
        by_priority.then((a.place, a.rank).cmp(&(b.place, b.rank)))
    });
    let mut all_texts = Size::default();
    texts
        .iter()
        .for_each(|text| all_texts += size_of_text(text));
    let mut budget = Budget::new(options.length, true, all_texts, texts.len());
    let mut numbers = FxHashMap::default();
    let mut said: Vec<Vec<u32>> = Vec::new();
    let mut shown: Vec<Vec<bool>> = texts
        .iter()
        .map(|text| vec![false; text.analysis.edus.len()])
        .collect();
    let mut lines = Vec::new();
    for unit in all {
        if budget.is_spent() {
            break;
        }
        let source = &texts[unit.text];
        // What came along with another EDU is counted once.
        let is_shown = &mut shown[unit.text];
        let stretches = unit.edus(source, kind, options.whole);
        let size = size_of(source, &stretches);
        let mut own = stretches.iter().cloned().flatten();
        if own.any(|edu| is_shown[edu]) || size.words == 0 || !budget.fits(size) {
            continue;
        }
        let tokens = number_words(source, &stretches, &mut numbers);
        if said
            .iter()
            .any(|other| says_the_same(&tokens, other, options.likeness_allowed()))
        {
            continue;
        }
        budget.take(size);
        for edu in stretches.iter().cloned().flatten() {
            is_shown[edu] = true;
        }
        said.push(tokens);
        lines.push(line_of(
            texts,
            unit.text,
            stretches,
            unit.rank,
            unit.priority,
        ));
    }
    lines
}

/// SEd(i) of every text with f over it: the EDUs, or the units they lie in, each at its first EDU.
fn prioritize(texts: &[SourceText], options: &SummaryOptions, kind: UnitKind) -> Vec<Prioritized> {
    let places = 0..texts.len();
    let mut by_weight: Vec<usize> = places.filter(|at| texts[*at].is_representative).collect();
    by_weight.sort_by(|a, b| texts[*b].weight.total_cmp(&texts[*a].weight));
    let mut all = Vec::new();
    for (place, &at) in by_weight.iter().enumerate() {
        let text = &texts[at];
        let edus = text.analysis.edus.len();
        let sequence = match text.tree() {
            Some(tree) => priority_sequence(tree),
            None => (0..edus).collect(),
        };
        let units = units(&text.analysis, kind);
        let mut unit_of = vec![0; edus];
        for (number, unit) in units.iter().enumerate() {
            unit_of[unit.edus.clone()].fill(number);
        }
        let mut is_listed = vec![false; units.len()];
        let mut rank = 0;
        for edu in sequence {
            let number = unit_of[edu];
            if std::mem::replace(&mut is_listed[number], true) {
                continue;
            }
            rank += 1;
            let counts = [rank, place + 1, edus, texts.len()];
            let weight = text.weight;
            all.push(Prioritized {
                priority: options.priority.value(&Known { weight, counts }),
                place,
                rank,
                text: at,
                edu,
                unit: units[number].edus.clone(),
            });
        }
    }
    all
}

/// The words of the EDUs as numbers, marks left out.
fn number_words<'t>(
    text: &'t SourceText,
    edus: &[std::ops::Range<usize>],
    numbers: &mut FxHashMap<&'t str, u32>,
) -> Vec<u32> {
    let edus = edus.iter().cloned().flatten();
    edus.filter_map(|edu| text.analysis.edus.get(edu))
        .flat_map(|edu| &text.analysis.words[edu.words.clone()])
        .filter(|word| word.punctuation == Punctuation::None)
        .map(|word| {
            let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
            *numbers
                .entry(word.text(&text.document.text))
                .or_insert(next)
        })
        .collect()
}
