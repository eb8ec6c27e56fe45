//! A gold tree as an annotator: what it would do in any configuration.

use rustc_hash::FxHashMap;

use crate::automaton::{Outcome, ParsedSpan, Walk};
use crate::grammar::{Action, Pattern};
use crate::schema::{RhetoricId, Schema};
use crate::tree::{self, Tree};

/// What a gold tree says: its spans, and how the parts of each are joined.
#[derive(Debug, Clone)]
pub struct Oracle {
    /// The nodes of the binary tree, children before parents: first and last EDU, where the right
    /// part begins, and what they make.
    joins: Vec<Join>,
    by_span: FxHashMap<(u32, u32), usize>,
    /// How many spans of two or more EDUs begin at an EDU and end behind another, by their ends.
    ends_by_start: FxHashMap<u32, Vec<u32>>,
    starts_by_end: FxHashMap<u32, Vec<u32>>,
    edus: usize,
}

#[derive(Debug, Clone, Copy)]
struct Join {
    first: u32,
    last: u32,
    outcome: Outcome,
}

impl Oracle {
    /// Reads a tree; n-ary nodes are binary inside. Relations that the schema does not know are
    /// named in the error.
    pub fn new(tree: &Tree, schema: &Schema) -> Result<Oracle, String> {
        let tree = tree.clone().binary();
        let mut oracle = Oracle {
            joins: Vec::new(),
            by_span: FxHashMap::default(),
            ends_by_start: FxHashMap::default(),
            starts_by_end: FxHashMap::default(),
            edus: tree.edus.len(),
        };
        for (_, node) in tree.post_order() {
            let Some(pair) = node.pair() else {
                continue;
            };
            let span = node.span();
            let (first, last) = (span.start, span.end - 1);
            let number = oracle.joins.len();
            oracle.joins.push(Join {
                first,
                last,
                outcome: outcome(pair, schema)?,
            });
            oracle.by_span.insert((first, last), number);
            oracle.ends_by_start.entry(first).or_default().push(last);
            oracle.starts_by_end.entry(last).or_default().push(first);
        }
        Ok(oracle)
    }

    /// How many EDUs the text has.
    pub fn edus(&self) -> usize {
        self.edus
    }

    /// What to do where there is a choice: the action that loses fewest gold spans; none where
    /// both lose as many.
    pub fn action(&self, walk: &Walk) -> Option<Action> {
        let mut stack = walk.stack().map(|(_, span)| span);
        let (b, a) = (stack.next()?, stack.next()?);
        // Shifting loses what ends with B and begins below it; reducing loses what begins with B
        // and ends later.
        let starts = self.starts_by_end.get(&b.last);
        let on_stack = |start: &&u32| {
            **start <= a.first
                && (**start == a.first || walk.stack().skip(2).any(|(_, s)| s.first == **start))
        };
        let lost_by_shift = starts.map_or(0, |starts| starts.iter().filter(on_stack).count());
        let ends = self.ends_by_start.get(&b.first);
        let lost_by_reduce =
            ends.map_or(0, |ends| ends.iter().filter(|end| **end > b.last).count());
        match lost_by_shift.cmp(&lost_by_reduce) {
            std::cmp::Ordering::Less => Some(Action::Shift),
            std::cmp::Ordering::Greater => Some(Action::Reduce),
            std::cmp::Ordering::Equal => None,
        }
    }

    /// What two neighbours become: what the smallest gold span around both says, and whether it is
    /// exactly theirs.
    pub fn outcome(&self, a: &ParsedSpan, b: &ParsedSpan) -> Option<(Outcome, bool)> {
        if let Some(exact) = self.by_span.get(&(a.first, b.last)) {
            return Some((self.joins[*exact].outcome, true));
        }
        // Climb from the smallest span that begins at or before the last EDU of A.
        let around = |join: &Join| join.first <= a.last && join.last >= b.first;
        let smallest = self.joins.iter().position(around)?;
        Some((self.joins[smallest].outcome, false))
    }

    /// The actions that rebuild the tree.
    pub fn actions(&self) -> Vec<(Action, Option<Outcome>)> {
        let mut actions = Vec::with_capacity(2 * self.edus);
        let mut joins = self.joins.iter().peekable();
        for edu in 0..self.edus as u32 {
            actions.push((Action::Shift, None));
            // In post-order, all that ends here is joined before the next EDU is taken.
            while let Some(join) = joins.next_if(|join| join.last == edu) {
                actions.push((Action::Reduce, Some(join.outcome)));
            }
        }
        actions
    }
}

/// What joining a pair makes, in the grammar's terms.
fn outcome(pair: &tree::Pair, schema: &Schema) -> Result<Outcome, String> {
    let name = pair.relation.as_deref().unwrap_or(tree::UNLABELLED);
    let known = schema
        .rhetoric
        .iter()
        .position(|rhetoric| rhetoric.name == name);
    let relation = known.ok_or_else(|| name.to_owned())?;
    Ok(Outcome {
        parent: Pattern::Any,
        relation: RhetoricId::new(relation),
        roles: pair.roles,
    })
}
