//! Trees side by side over the EDUs of a text: what stands of a label, and what edits do to it.
//!
//! Whatever is done, every node covers neighbouring EDUs: edits never leave a tree with crossing arms, nor a
//! multi-nuclear node with one child. A forest is also a configuration of the automaton: its first trees stand
//! on the stack, the last single EDUs are still to come.

use std::sync::Arc;

use super::action::Join;
use super::edit::{Edit, Made};
use crate::error::{Error, Result};
use crate::tree::{EduSpan, Role, Roles, Tree};

/// Trees side by side.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Forest {
    /// In post-order, tree by tree.
    knots: Vec<Knot>,
    roots: Vec<usize>,
    /// How many roots stand on the stack; all others are EDUs to come.
    shifted: usize,
}

/// A node of a forest.
#[derive(Debug, Clone, PartialEq)]
pub struct Knot {
    /// The EDUs it covers.
    pub span: EduSpan,
    /// The node above, by its place.
    pub parent: Option<usize>,
    /// What it joins; none for an EDU.
    pub link: Option<Link>,
}

/// Two neighbours joined.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// The left one's place.
    pub left: usize,
    /// The right one's place.
    pub right: usize,
    /// What they became. A symbol that is the nucleus's own is left out.
    pub join: Arc<Join>,
}

impl Forest {
    /// All EDUs to come.
    pub fn new(edus: usize) -> Forest {
        let leaf = |at: usize| Knot {
            span: edu_span(at),
            parent: None,
            link: None,
        };
        Forest {
            knots: (0..edus).map(leaf).collect(),
            roots: (0..edus).collect(),
            shifted: 0,
        }
    }

    /// A finished tree.
    pub fn of_tree(tree: &Tree) -> Forest {
        let knots = tree.post_order().map(|(_, node)| Knot {
            span: node.span(),
            parent: node.parent().map(|parent| parent.index()),
            link: node.pair().map(|pair| Link {
                left: pair.left.index(),
                right: pair.right.index(),
                join: Arc::new(Join::new(
                    pair.relation.clone().unwrap_or_else(|| "".into()),
                    pair.roles,
                )),
            }),
        });
        Forest {
            knots: knots.collect(),
            roots: vec![tree.root().index()],
            shifted: 1,
        }
    }

    /// How many EDUs there are.
    pub fn edus(&self) -> usize {
        self.knots.iter().filter(|knot| knot.link.is_none()).count()
    }

    /// All nodes, children before parents, tree by tree.
    pub fn knots(&self) -> &[Knot] {
        &self.knots
    }

    /// The places of the roots, in text order.
    pub fn roots(&self) -> &[usize] {
        &self.roots
    }

    /// How many of the roots stand on the automaton's stack.
    pub fn shifted(&self) -> usize {
        self.shifted
    }

    /// True when one tree covers the text.
    pub fn is_complete(&self) -> bool {
        self.roots.len() <= 1 && self.shifted == self.roots.len()
    }

    /// How many shifts and reductions make what stands.
    pub fn steps_done(&self) -> usize {
        let waiting = self.roots.len() - self.shifted;
        self.knots.len() - waiting
    }

    /// The shifts and reductions that make what stands.
    pub fn steps(&self) -> Vec<Made> {
        let done = self.knots.iter().take(self.steps_done());
        done.map(|knot| knot.link.as_ref().map(|link| Arc::clone(&link.join)))
            .collect()
    }

    /// The shifts and reductions that make one node.
    pub fn steps_of(&self, span: EduSpan) -> Option<Vec<Made>> {
        let at = self.find(span)?;
        let first = at + 2 - 2 * span.edus();
        let below = self.knots.get(first..=at)?.iter();
        Some(
            below
                .map(|knot| knot.link.as_ref().map(|link| Arc::clone(&link.join)))
                .collect(),
        )
    }

    /// The place of the node over these EDUs.
    pub fn find(&self, span: EduSpan) -> Option<usize> {
        self.knots.iter().position(|knot| knot.span == span)
    }

    /// The join of the node over these EDUs.
    pub fn join_of(&self, span: EduSpan) -> Option<&Join> {
        let knot = self.knots.get(self.find(span)?)?;
        knot.link.as_ref().map(|link| &*link.join)
    }

    /// Takes the next EDU on the stack.
    pub(super) fn shift(&mut self) {
        self.shifted = (self.shifted + 1).min(self.roots.len());
    }

    /// Puts the topmost EDU back.
    pub(super) fn unshift(&mut self) {
        self.shifted = self.shifted.saturating_sub(1);
    }

    /// Joins the two topmost nodes.
    pub(super) fn reduce(&mut self, join: Arc<Join>) {
        if let Some(second) = self.shifted.checked_sub(2) {
            let (left, right) = (self.roots[second], self.roots[second + 1]);
            let top = self.push_pair(left, right, join);
            self.roots.splice(second..second + 2, [top]);
            self.shifted -= 1;
            self.settle();
        }
    }

    /// Takes the topmost node apart.
    pub(super) fn unreduce(&mut self) {
        let top = self.shifted.checked_sub(1);
        let top = top.and_then(|at| Some((at, *self.roots.get(at)?)));
        let Some((at, root)) = top else { return };
        let Some(link) = self.knots[root].link.take() else {
            return;
        };
        self.knots[link.left].parent = None;
        self.knots[link.right].parent = None;
        self.roots.splice(at..=at, [link.left, link.right]);
        self.shifted += 1;
        self.settle();
    }

    /// The forest after an edit, or why it cannot be done.
    pub fn edited(&self, edit: &Edit) -> Result<Forest> {
        let mut forest = self.clone();
        match edit {
            Edit::Attach {
                node,
                to,
                role,
                join,
            } => forest.attach(*node, *to, *role, join)?,
            Edit::Relate { node, join } => forest.relate(*node, join)?,
            Edit::Unlink { node } => forest.unlink(*node)?,
            Edit::Cut { edu, join, .. } => forest.cut(*edu, join)?,
            Edit::Unite { edu } => forest.unite(*edu)?,
            Edit::Take { over, made } => forest.take(*over, made)?,
        }
        forest.settle();
        forest.wait();
        Ok(forest)
    }

    /// What `attach` would join the node with: the node named, or the nearest above it that stands beside.
    pub fn target(&self, node: EduSpan, to: EduSpan) -> Result<EduSpan> {
        let (node, to) = (self.place(node)?, self.place(to)?);
        let target = self.find_target(node, to)?;
        Ok(self.knots[target].span)
    }

    fn place(&self, span: EduSpan) -> Result<usize> {
        self.find(span)
            .ok_or_else(|| Error::Missing(format!("no node covers exactly EDUs {span}")))
    }

    fn find_target(&self, node: usize, to: usize) -> Result<usize> {
        let (own, wanted) = (self.knots[node].span, self.knots[to].span);
        if own == wanted {
            return Err(Error::Usage("a node cannot hold on to itself".to_owned()));
        }
        if own.covers(wanted) {
            return Err(Error::Usage(format!(
                "EDUs {wanted} stand inside EDUs {own}; take them out first"
            )));
        }
        if wanted.covers(own) {
            let is_edge = wanted.start == own.start || wanted.end == own.end;
            return if is_edge {
                Ok(to)
            } else {
                Err(between(own, wanted))
            };
        }
        let mut at = to;
        loop {
            let span = self.knots[at].span;
            if span.covers(own) {
                return Err(between(own, wanted));
            }
            if span.end == own.start || own.end == span.start {
                return Ok(at);
            }
            at = self.knots[at].parent.ok_or_else(|| between(own, wanted))?;
        }
    }

    fn attach(&mut self, node: EduSpan, to: EduSpan, role: Role, join: &Join) -> Result<()> {
        let (node, to) = (self.place(node)?, self.place(to)?);
        let mut target = self.find_target(node, to)?;
        let own = self.knots[node].span;
        let around = self.knots[target].span;
        let is_right = if around.covers(own) {
            own.end == around.end
        } else {
            around.end == own.start
        };
        if let Some(parent) = self.knots[node].parent {
            let sibling = self.detach(node, parent);
            if target == parent {
                target = sibling;
            }
        } else {
            self.roots.retain(|root| *root != node);
        }
        let roles = match (role, is_right) {
            (Role::Nucleus, _) => Roles::NucleusNucleus,
            (Role::Satellite, true) => Roles::NucleusSatellite,
            (Role::Satellite, false) => Roles::SatelliteNucleus,
        };
        let join = Arc::new(Join {
            roles,
            ..join.clone()
        });
        if is_right && roles == Roles::NucleusNucleus {
            target = self.last_of_chain(target, &join.relation);
        }
        let (left, right) = if is_right {
            (target, node)
        } else {
            (node, target)
        };
        self.put_above(target, left, right, join);
        Ok(())
    }

    /// Where a further nucleus goes in a chain of nuclei: beside the last one, so that the chain grows on its
    /// right.
    fn last_of_chain(&self, top: usize, relation: &str) -> usize {
        let mut at = top;
        while let Some(link) = &self.knots[at].link {
            let same = link.join.roles == Roles::NucleusNucleus && *link.join.relation == *relation;
            if !same {
                break;
            }
            at = link.right;
        }
        at
    }

    /// Takes a node from its parent, whose other child takes the parent's place.
    fn detach(&mut self, node: usize, parent: usize) -> usize {
        let link = self.knots[parent].link.as_ref();
        let sibling = link.map_or(parent, |link| {
            if link.left == node {
                link.right
            } else {
                link.left
            }
        });
        self.knots[node].parent = None;
        self.replace(parent, sibling);
        sibling
    }

    /// Puts another node in the place of one.
    fn replace(&mut self, old: usize, new: usize) {
        let above = self.knots[old].parent;
        self.knots[new].parent = above;
        let link = above.and_then(|above| self.knots[above].link.as_mut());
        match link {
            Some(link) if link.left == old => link.left = new,
            Some(link) => link.right = new,
            None => {
                for root in self.roots.iter_mut().filter(|root| **root == old) {
                    *root = new;
                }
            }
        }
    }

    /// Joins two nodes in the place of one of them.
    fn put_above(&mut self, old: usize, left: usize, right: usize, join: Arc<Join>) {
        let above = self.knots[old].parent;
        let top = self.push_pair(left, right, join);
        self.knots[top].parent = above;
        match above.and_then(|above| self.knots[above].link.as_mut()) {
            Some(link) if link.left == old => link.left = top,
            Some(link) => link.right = top,
            None => {
                for root in self.roots.iter_mut().filter(|root| **root == old) {
                    *root = top;
                }
            }
        }
    }

    fn push_pair(&mut self, left: usize, right: usize, join: Arc<Join>) -> usize {
        let at = self.knots.len();
        let span = EduSpan {
            start: self.knots[left].span.start,
            end: self.knots[right].span.end,
        };
        self.knots[left].parent = Some(at);
        self.knots[right].parent = Some(at);
        self.knots.push(Knot {
            span,
            parent: None,
            link: Some(Link { left, right, join }),
        });
        at
    }

    /// Gives a node another relation or nuclearity; several nuclei change theirs together.
    fn relate(&mut self, node: EduSpan, join: &Join) -> Result<()> {
        let mut at = self.place(node)?;
        let Some(old) = self.knots[at].link.as_ref() else {
            return Err(Error::Usage(format!("EDU {node} is no pair")));
        };
        let old = Arc::clone(&old.join);
        let new = Arc::new(join.clone());
        let is_chain = old.roles == Roles::NucleusNucleus && join.roles == Roles::NucleusNucleus;
        while let Some(link) = &mut self.knots[at].link {
            if link.join.roles != old.roles || link.join.relation != old.relation {
                break;
            }
            link.join = Arc::clone(&new);
            at = link.right;
            if !is_chain {
                break;
            }
        }
        Ok(())
    }

    /// Takes a node out. What stood on one side of it stays together; a node with arms on both sides falls
    /// apart, and so does all above it.
    fn unlink(&mut self, node: EduSpan) -> Result<()> {
        let node = self.place(node)?;
        if self.knots[node].parent.is_none() {
            return Err(Error::Usage(
                "this node stands by itself already".to_owned(),
            ));
        }
        let (mut lefts, mut rights) = (Vec::new(), Vec::new());
        // What is left of the tree below, and whether it stands on the left.
        let mut open: Option<(usize, bool)> = None;
        let mut broken = false;
        let (mut below, mut top) = (node, node);
        while let Some(parent) = self.knots[below].parent {
            let Some(link) = self.knots[parent].link.clone() else {
                break;
            };
            let is_left = link.right == below;
            let sibling = if is_left { link.left } else { link.right };
            match open {
                None if !broken => open = Some((sibling, is_left)),
                Some((rest, side)) if side == is_left => {
                    if let Some(link) = &mut self.knots[parent].link {
                        if is_left {
                            link.right = rest;
                        } else {
                            link.left = rest;
                        }
                    }
                    self.knots[rest].parent = Some(parent);
                    open = Some((parent, side));
                }
                _ => {
                    broken = true;
                    if let Some((rest, side)) = open.take() {
                        if side {
                            lefts.push(rest)
                        } else {
                            rights.push(rest)
                        }
                    }
                    if is_left {
                        lefts.push(sibling)
                    } else {
                        rights.push(sibling)
                    }
                }
            }
            (below, top) = (parent, parent);
        }
        if let Some((rest, side)) = open {
            if side {
                lefts.push(rest)
            } else {
                rights.push(rest)
            }
        }
        lefts.reverse();
        lefts.push(node);
        lefts.extend(rights);
        for piece in &lefts {
            self.knots[*piece].parent = None;
        }
        if let Some(at) = self.roots.iter().position(|root| *root == top) {
            self.roots.splice(at..=at, lefts);
        }
        Ok(())
    }

    /// Divides an EDU. The first half keeps its place; the second joins it there, or stands beside it where
    /// the EDU stood by itself.
    fn cut(&mut self, edu: u32, join: &Join) -> Result<()> {
        let first = self.place(edu_span(edu as usize))?;
        let second = self.knots.len();
        self.knots.push(Knot {
            span: self.knots[first].span,
            parent: None,
            link: None,
        });
        if self.knots[first].parent.is_some() {
            self.put_above(first, first, second, Arc::new(join.clone()));
        } else if let Some(at) = self.roots.iter().position(|root| *root == first) {
            self.roots.insert(at + 1, second);
        }
        Ok(())
    }

    /// Joins an EDU with the next into one, which has the place of the first.
    fn unite(&mut self, edu: u32) -> Result<()> {
        self.place(edu_span(edu as usize))?;
        let second = self.place(edu_span(edu as usize + 1))?;
        match self.knots[second].parent {
            Some(parent) => {
                self.detach(second, parent);
            }
            None => self.roots.retain(|root| *root != second),
        }
        Ok(())
    }

    /// Puts another structure over some EDUs. What crosses it falls apart.
    fn take(&mut self, over: EduSpan, made: &[Made]) -> Result<()> {
        let old = self.find(over);
        let tops = self.build(over, made)?;
        if let (Some(old), [top]) = (old, tops.as_slice()) {
            self.replace(old, *top);
            return Ok(());
        }
        let (mut before, mut after) = (Vec::new(), Vec::new());
        let mut pending: Vec<usize> = self.roots.iter().rev().copied().collect();
        while let Some(at) = pending.pop() {
            let span = self.knots[at].span;
            if span.end <= over.start {
                before.push(at);
            } else if span.start >= over.end {
                after.push(at);
            } else if let Some(link) = &self.knots[at].link {
                pending.extend([link.right, link.left]);
            }
        }
        self.roots = before;
        self.roots.extend(tops);
        self.roots.extend(after);
        for root in &self.roots {
            self.knots[*root].parent = None;
        }
        Ok(())
    }

    /// New nodes over some EDUs; the roots among them.
    fn build(&mut self, over: EduSpan, made: &[Made]) -> Result<Vec<usize>> {
        let wrong = || Error::Usage(format!("these steps make no trees over EDUs {over}"));
        let shifts = made.iter().filter(|step| step.is_none()).count();
        if over.start >= over.end || over.end as usize > self.edus() || shifts != over.edus() {
            return Err(wrong());
        }
        let (mut stack, mut next) = (Vec::new(), over.start as usize);
        for step in made {
            match step {
                None => {
                    stack.push(self.knots.len());
                    self.knots.push(Knot {
                        span: edu_span(next),
                        parent: None,
                        link: None,
                    });
                    next += 1;
                }
                Some(join) => {
                    let (right, left) = stack.pop().zip(stack.pop()).ok_or_else(wrong)?;
                    stack.push(self.push_pair(left, right, Arc::clone(join)));
                }
            }
        }
        Ok(stack)
    }

    /// Puts all nodes in order again and counts their EDUs.
    fn settle(&mut self) {
        // Root, right, left, reversed: left, right, root.
        let mut order = Vec::with_capacity(self.knots.len());
        let mut pending: Vec<usize> = self.roots.clone();
        while let Some(at) = pending.pop() {
            order.push(at);
            if let Some(link) = &self.knots[at].link {
                pending.extend([link.left, link.right]);
            }
        }
        order.reverse();
        let mut places = vec![usize::MAX; self.knots.len()];
        for (place, at) in order.iter().enumerate() {
            places[*at] = place;
        }
        let mut knots: Vec<Knot> = Vec::with_capacity(order.len());
        let mut edus = 0;
        for at in order {
            let old = &self.knots[at];
            let link = old.link.as_ref().map(|link| Link {
                left: places[link.left],
                right: places[link.right],
                join: Arc::clone(&link.join),
            });
            let span = match &link {
                None => edu_span(edus),
                Some(link) => EduSpan {
                    start: knots[link.left].span.start,
                    end: knots[link.right].span.end,
                },
            };
            edus += usize::from(link.is_none());
            knots.push(Knot {
                span,
                parent: old.parent.map(|parent| places[parent]),
                link,
            });
        }
        for root in &mut self.roots {
            *root = places[*root];
        }
        self.knots = knots;
    }

    /// After an edit everything stands on the stack but the last EDUs that stand by themselves.
    fn wait(&mut self) {
        let single = |root: &&usize| self.knots[**root].link.is_none();
        let waiting = self.roots.iter().rev().take_while(single).count();
        self.shifted = match self.roots.len() {
            1 => 1,
            all => all - waiting,
        };
    }
}

/// An EDU by its place.
fn edu_span(at: usize) -> EduSpan {
    let start = u32::try_from(at).unwrap_or(u32::MAX - 1);
    EduSpan {
        start,
        end: start + 1,
    }
}

fn between(own: EduSpan, wanted: EduSpan) -> Error {
    Error::Usage(format!(
        "EDUs {own} and EDUs {wanted} are no neighbours: what stands between them must hold on to one of them first"
    ))
}

#[cfg(test)]
mod tests;
