//! Building trees from the leaves up.

use std::sync::Arc;

use super::annotation::Annotations;
use super::edus::Edu;
use super::node::{Child, EduSpan, Node, NodeId, Pair, Role, Roles};
use super::{Tree, UNLABELLED};

/// Why nodes cannot be joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JoinError {
    /// Nothing to join.
    #[error("there is nothing to join")]
    Empty,
    /// No child is a nucleus.
    #[error("no child is a nucleus")]
    NoNucleus,
    /// Two children are no neighbours.
    #[error("EDUs {left} and EDUs {right} are no neighbours")]
    NotAdjacent {
        /// What the left one covers.
        left: EduSpan,
        /// What the right one covers.
        right: EduSpan,
    },
    /// A node already has a parent.
    #[error("EDUs {0} already stand under another node")]
    Taken(EduSpan),
    /// The root does not cover the text.
    #[error("the root covers EDUs {root} of {edus}")]
    NotWhole {
        /// What it covers.
        root: EduSpan,
        /// How many EDUs there are.
        edus: usize,
    },
}

/// A tree in the making: a forest over the EDUs.
#[derive(Debug, Clone, Default)]
pub struct Builder {
    /// The text's id.
    pub id: Option<Arc<str>>,
    /// What is said beyond the tree; it may speak of the builder's nodes.
    pub annotations: Annotations,
    edus: Vec<Edu>,
    nodes: Vec<Node>,
}

impl Builder {
    /// Begins with nothing; [`Builder::add_leaf`] adds EDUs in text order.
    pub fn new() -> Builder {
        Builder::default()
    }

    /// Begins with all leaves: EDU number i is node number i.
    pub fn over(edus: impl IntoIterator<Item = Edu>) -> Builder {
        let mut builder = Builder::new();
        for edu in edus {
            builder.add_leaf(edu);
        }
        builder
    }

    /// Adds the next EDU of the text.
    pub fn add_leaf(&mut self, edu: Edu) -> NodeId {
        let start = u32::try_from(self.edus.len()).unwrap_or(u32::MAX - 1);
        self.edus.push(edu);
        let span = EduSpan {
            start,
            end: start + 1,
        };
        self.push(Node::new(span, None))
    }

    /// The nodes that are the leaves of the EDUs added so far, in text order.
    pub fn leaves(&self) -> Vec<NodeId> {
        let all = self.nodes.iter().enumerate();
        all.filter(|(_, node)| node.is_leaf())
            .map(|(at, _)| NodeId::new(at))
            .collect()
    }

    /// How many EDUs were added so far.
    pub fn edus(&self) -> usize {
        self.edus.len()
    }

    /// A node, to read.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// A node, to give it a symbol, attributes, a decision or a name.
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }

    /// Joins two neighbours.
    pub fn join(
        &mut self,
        left: NodeId,
        right: NodeId,
        roles: Roles,
        relation: Option<Arc<str>>,
    ) -> Result<NodeId, JoinError> {
        let (a, b) = (self.node(left), self.node(right));
        for node in [a, b] {
            if node.parent.is_some() {
                return Err(JoinError::Taken(node.span));
            }
        }
        if a.span.end != b.span.start {
            return Err(JoinError::NotAdjacent {
                left: a.span,
                right: b.span,
            });
        }
        let span = EduSpan {
            start: a.span.start,
            end: b.span.end,
        };
        let pair = Pair {
            left,
            right,
            roles,
            relation: named(relation),
            unlike: None,
        };
        let id = self.push(Node::new(span, Some(pair)));
        self.node_mut(left).parent = Some(id);
        self.node_mut(right).parent = Some(id);
        Ok(id)
    }

    /// Joins any number of neighbours into one n-ary node. Inside it is binary: nuclei right-heavy;
    /// a satellite joins its nucleus, or the nuclei together, right satellites before left ones,
    /// near before far. A lone child is returned as it is.
    pub fn join_all(&mut self, children: &[Child]) -> Result<NodeId, JoinError> {
        let (Some(first), Some(_)) = (children.first(), children.last()) else {
            return Err(JoinError::Empty);
        };
        self.check_joinable(children)?;
        if children.len() == 1 {
            return Ok(first.node);
        }
        let is_nucleus = |child: &&Child| child.role == Role::Nucleus;
        let before = children.iter().take_while(|c| !is_nucleus(c)).count();
        let after = children.iter().rev().take_while(|c| !is_nucleus(c)).count();
        let (lead, rest) = children.split_at(before);
        let (core, trail) = rest.split_at(rest.len() - after);
        let mut top = self.join_nuclei(core)?;
        for satellite in trail {
            top = self.link(top, satellite.node, Roles::NucleusSatellite, satellite)?;
        }
        for satellite in lead.iter().rev() {
            top = self.link(satellite.node, top, Roles::SatelliteNucleus, satellite)?;
        }
        self.node_mut(top).part = false;
        Ok(top)
    }

    /// Joins everything flat under one multi-nuclear node that nobody decided on.
    pub fn join_flat(
        &mut self,
        nodes: &[NodeId],
        relation: Option<Arc<str>>,
    ) -> Result<NodeId, JoinError> {
        let child = |&node| Child {
            node,
            role: Role::Nucleus,
            relation: relation.clone(),
        };
        let children: Vec<Child> = nodes.iter().map(child).collect();
        let before = self.nodes.len();
        let top = self.join_all(&children)?;
        for node in self.nodes.iter_mut().skip(before) {
            node.fallback = true;
        }
        Ok(top)
    }

    /// Marks a node as an inner link of its parent's n-ary node.
    pub fn mark_part(&mut self, id: NodeId) {
        self.node_mut(id).part = true;
    }

    /// The tree under `root`, which must cover all EDUs.
    pub fn finish(mut self, root: NodeId) -> Result<Tree, JoinError> {
        let span = self.node(root).span;
        if span.start != 0 || span.edus() != self.edus.len() {
            return Err(JoinError::NotWhole {
                root: span,
                edus: self.edus.len(),
            });
        }
        self.node_mut(root).part = false;
        self.node_mut(root).parent = None;
        let order = self.post_order(root);
        let mut places: Vec<Option<NodeId>> = vec![None; self.nodes.len()];
        for (at, id) in order.iter().enumerate() {
            places[id.index()] = Some(NodeId::new(at));
        }
        let place = |id: NodeId| places.get(id.index()).copied().flatten();
        let mut old: Vec<Option<Node>> = self.nodes.into_iter().map(Some).collect();
        let mut nodes: Vec<Node> = Vec::with_capacity(order.len());
        for id in order {
            let Some(mut node) = old[id.index()].take() else {
                continue;
            };
            node.parent = node.parent.and_then(place);
            if let Some(pair) = &mut node.pair {
                // A satellite is a constituent of its own.
                let satellite = match pair.roles {
                    Roles::NucleusSatellite => Some(pair.right),
                    Roles::SatelliteNucleus => Some(pair.left),
                    Roles::NucleusNucleus => None,
                };
                if let Some(satellite) = satellite.and_then(place) {
                    nodes[satellite.index()].part = false;
                }
                pair.left = place(pair.left).unwrap_or(pair.left);
                pair.right = place(pair.right).unwrap_or(pair.right);
            }
            nodes.push(node);
        }
        Ok(Tree {
            id: self.id,
            edus: self.edus,
            annotations: self.annotations.rename_nodes(place),
            nodes,
        })
    }

    fn push(&mut self, node: Node) -> NodeId {
        let id = NodeId::new(self.nodes.len());
        self.nodes.push(node);
        id
    }

    /// Nothing is changed unless everything fits.
    fn check_joinable(&self, children: &[Child]) -> Result<(), JoinError> {
        if children.len() > 1 && children.iter().all(|c| c.role == Role::Satellite) {
            return Err(JoinError::NoNucleus);
        }
        let taken = children.iter().map(|c| self.node(c.node));
        if let Some(node) = taken.into_iter().find(|node| node.parent.is_some()) {
            return Err(JoinError::Taken(node.span));
        }
        for pair in children.windows(2) {
            let (left, right) = (self.node(pair[0].node).span, self.node(pair[1].node).span);
            if left.end != right.start {
                return Err(JoinError::NotAdjacent { left, right });
            }
        }
        Ok(())
    }

    /// `core` begins and ends with a nucleus; satellites between nuclei go to the nucleus before.
    fn join_nuclei(&mut self, core: &[Child]) -> Result<NodeId, JoinError> {
        let mut nuclei: Vec<(NodeId, Option<Arc<str>>)> = Vec::new();
        for child in core {
            match (child.role, nuclei.last().map(|(node, _)| *node)) {
                (Role::Satellite, Some(nucleus)) => {
                    let joined = self.link(nucleus, child.node, Roles::NucleusSatellite, child)?;
                    if let Some(last) = nuclei.last_mut() {
                        last.0 = joined;
                    }
                }
                _ => nuclei.push((child.node, named(child.relation.clone()))),
            }
        }
        let Some((mut top, mut right_relation)) = nuclei.pop() else {
            return Err(JoinError::NoNucleus);
        };
        let mut is_last = true;
        for (node, relation) in nuclei.into_iter().rev() {
            top = self.join(node, top, Roles::NucleusNucleus, relation.clone())?;
            let joined = self.node_mut(top);
            joined.part = true;
            if is_last
                && right_relation != relation
                && let Some(pair) = &mut joined.pair
            {
                pair.unlike = right_relation.take();
            }
            is_last = false;
        }
        Ok(top)
    }

    fn link(
        &mut self,
        left: NodeId,
        right: NodeId,
        roles: Roles,
        satellite: &Child,
    ) -> Result<NodeId, JoinError> {
        let joined = self.join(left, right, roles, satellite.relation.clone())?;
        self.mark_part(joined);
        Ok(joined)
    }

    fn post_order(&self, root: NodeId) -> Vec<NodeId> {
        // Root, right, left, reversed: left, right, root.
        let mut order = Vec::with_capacity(2 * self.edus.len());
        let mut pending = vec![root];
        while let Some(id) = pending.pop() {
            order.push(id);
            if let Some(pair) = &self.node(id).pair {
                pending.push(pair.left);
                pending.push(pair.right);
            }
        }
        order.reverse();
        order
    }
}

fn named(relation: Option<Arc<str>>) -> Option<Arc<str>> {
    relation.filter(|name| !matches!(&**name, "" | UNLABELLED))
}
