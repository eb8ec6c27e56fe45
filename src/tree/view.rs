//! Ways to look at a tree.

use std::sync::Arc;

use super::Tree;
use super::build::{Builder, JoinError};
use super::edus::Edu;
use super::node::{Child, Node, NodeId, Role, Roles};

impl Tree {
    /// The root: the last node in post-order.
    pub fn root(&self) -> NodeId {
        NodeId::new(self.nodes.len().saturating_sub(1))
    }

    /// A node of this tree.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// A node of this tree, to change what it carries (its place in the tree is fixed).
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }

    /// How many nodes there are: twice the EDUs, less one.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never true: a tree has at least one EDU.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All nodes, children before parents, left before right.
    pub fn post_order(
        &self,
    ) -> impl ExactSizeIterator<Item = (NodeId, &Node)> + DoubleEndedIterator {
        let all = self.nodes.iter().enumerate();
        all.map(|(at, node)| (NodeId::new(at), node))
    }

    /// A node and all below it, in post-order: neighbours in the arena.
    pub fn subtree(&self, id: NodeId) -> impl ExactSizeIterator<Item = (NodeId, &Node)> {
        let end = id.index() + 1;
        let start = end - (2 * self.node(id).span.edus() - 1);
        let nodes = self.nodes.get(start..end).unwrap_or_default();
        let numbered = nodes.iter().enumerate();
        numbered.map(move |(at, node)| (NodeId::new(start + at), node))
    }

    /// The leaves in text order.
    pub fn leaves(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        self.post_order().filter(|(_, node)| node.is_leaf())
    }

    /// The constituents (nodes that are no parts) from the root down, left to right.
    pub fn pre_order(&self) -> PreOrder<'_> {
        PreOrder {
            tree: self,
            pending: vec![(
                Child {
                    node: self.root(),
                    role: Role::Nucleus,
                    relation: None,
                },
                0,
            )],
        }
    }

    /// The children of an n-ary node: parts are looked through. A leaf has none.
    pub fn children(&self, id: NodeId) -> Vec<Child> {
        let mut children = Vec::new();
        let mut pending: Vec<Child> = Vec::with_capacity(2);
        self.push_pair(id, None, &mut pending);
        while let Some(child) = pending.pop() {
            if self.node(child.node).part {
                self.push_pair(child.node, child.relation, &mut pending);
            } else {
                children.push(child);
            }
        }
        children
    }

    /// Pushes the right child, then the left one; a lone nucleus inherits the label of its part.
    fn push_pair(&self, id: NodeId, inherited: Option<Arc<str>>, out: &mut Vec<Child>) {
        let Some(pair) = &self.node(id).pair else {
            return;
        };
        let lone = pair.roles != Roles::NucleusNucleus;
        let child = |node, role, relation: Option<&Arc<str>>, inherited: Option<Arc<str>>| Child {
            node,
            role,
            relation: match role {
                Role::Nucleus if lone => inherited,
                _ => relation.cloned(),
            },
        };
        out.push(child(
            pair.right,
            pair.roles.right(),
            pair.right_relation(),
            inherited.clone(),
        ));
        out.push(child(
            pair.left,
            pair.roles.left(),
            pair.left_relation(),
            inherited,
        ));
    }

    /// What a node is to its binary parent; the root counts as a nucleus.
    pub fn role(&self, id: NodeId) -> Role {
        let parent = self.node(id).parent.map(|parent| self.node(parent));
        match parent.and_then(Node::pair) {
            Some(pair) if pair.left == id => pair.roles.left(),
            Some(pair) => pair.roles.right(),
            None => Role::Nucleus,
        }
    }

    /// From a node down its nuclei (of two nuclei the left one) to a leaf, the node included.
    pub fn nuclei_path(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(id), |id| {
            let pair = self.node(*id).pair.as_ref()?;
            Some(match pair.roles.left() {
                Role::Nucleus => pair.left,
                Role::Satellite => pair.right,
            })
        })
    }

    /// Gives a node another relation, and other roles to its children. Links of the same chain of nuclei
    /// change with it. False where nothing is done: a leaf joins nothing, and a chain of three nuclei or more
    /// cannot become a nucleus with its satellite.
    pub fn relabel(&mut self, id: NodeId, relation: &Arc<str>, roles: Roles) -> bool {
        let Some(own) = self.node(id).pair.clone() else {
            return false;
        };
        let links = self.links(id);
        if roles != own.roles && !links.is_empty() {
            return false;
        }
        for link in links.into_iter().chain([id]) {
            if let Some(pair) = &mut self.node_mut(link).pair {
                pair.relation = Some(Arc::clone(relation));
                pair.roles = roles;
                pair.unlike = None;
            }
        }
        if roles != own.roles {
            // Other roles make another n-ary node: each pair stands for itself again.
            for part in [id, own.left, own.right] {
                self.node_mut(part).part = false;
            }
        }
        true
    }

    /// The links of the chain of nuclei below a node.
    fn links(&self, id: NodeId) -> Vec<NodeId> {
        let mut links = Vec::new();
        let mut at = id;
        while let Some(pair) = &self.node(at).pair {
            let right = self.node(pair.right);
            let goes_on = right.pair.as_ref().is_some_and(|below| {
                right.part
                    && below.roles == Roles::NucleusNucleus
                    && below.relation == pair.relation
            });
            if !goes_on || pair.roles != Roles::NucleusNucleus {
                break;
            }
            at = pair.right;
            links.push(at);
        }
        links
    }

    /// The EDU at the end of every node's nuclei path, by node.
    pub fn heads(&self) -> Vec<u32> {
        let mut heads: Vec<u32> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            heads.push(match &node.pair {
                None => node.span.start,
                Some(pair) if pair.roles.left() == Role::Nucleus => heads[pair.left.index()],
                Some(pair) => heads[pair.right.index()],
            });
        }
        heads
    }

    /// How many steps every node is below the root, by node (binary).
    pub fn depths(&self) -> Vec<u32> {
        let mut depths = vec![0; self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate().rev() {
            if let Some(parent) = node.parent {
                depths[at] = depths[parent.index()] + 1;
            }
        }
        depths
    }

    /// The same tree without n-ary nodes: their inner links become nodes of their own.
    pub fn binary(mut self) -> Tree {
        for node in &mut self.nodes {
            node.part = false;
        }
        self
    }

    /// The same tree with right-heavy chains of one multi-nuclear relation read as n-ary nodes,
    /// as treebanks that are binary by convention mean them.
    pub fn flatten(mut self) -> Tree {
        for at in 0..self.nodes.len() {
            let Some(pair) = self.nodes[at].pair.clone() else {
                continue;
            };
            let same = self.nodes[pair.right.index()]
                .pair
                .as_ref()
                .is_some_and(|right| {
                    pair.roles == Roles::NucleusNucleus
                        && right.roles == pair.roles
                        && right.relation == pair.relation
                        && pair.unlike.is_none()
                });
            if same {
                self.nodes[pair.right.index()].part = true;
            }
        }
        self
    }

    /// The same tree with every n-ary node either of one nucleus or of nuclei alone, as rs3 and rsd
    /// have them.
    pub(super) fn unmix(mut self) -> Tree {
        for at in 0..self.nodes.len() {
            let node = &self.nodes[at];
            let above = node
                .parent
                .and_then(|parent| self.nodes[parent.index()].pair());
            let (Some(pair), Some(above)) = (node.pair(), above) else {
                continue;
            };
            let is_multinuclear = |roles| roles == Roles::NucleusNucleus;
            if is_multinuclear(pair.roles) != is_multinuclear(above.roles) {
                self.nodes[at].part = false;
            }
        }
        self
    }

    /// A flat tree that nobody decided on: inside, right-branching.
    pub fn flat(edus: Vec<Edu>) -> Result<Tree, JoinError> {
        let mut builder = Builder::over(edus);
        let leaves = builder.leaves();
        let root = builder.join_flat(&leaves, None)?;
        builder.finish(root)
    }

    /// A left-branching tree of nuclei that nobody decided on.
    pub fn left_branching(edus: Vec<Edu>) -> Result<Tree, JoinError> {
        let mut builder = Builder::over(edus);
        let mut leaves = builder.leaves().into_iter();
        let mut top = leaves.next().ok_or(JoinError::Empty)?;
        for leaf in leaves {
            top = builder.join(top, leaf, Roles::NucleusNucleus, None)?;
            builder.node_mut(top).fallback = true;
        }
        builder.finish(top)
    }

    /// The text of the EDUs under a node.
    pub fn text(&self, id: NodeId) -> String {
        let edus = self.edus.get(self.node(id).span.range());
        edus.unwrap_or_default()
            .iter()
            .map(|edu| &*edu.text)
            .collect()
    }
}

/// Constituents from the root down, each with what it is to its n-ary parent and its depth.
#[derive(Debug)]
pub struct PreOrder<'t> {
    tree: &'t Tree,
    pending: Vec<(Child, usize)>,
}

impl Iterator for PreOrder<'_> {
    type Item = (Child, usize);

    fn next(&mut self) -> Option<(Child, usize)> {
        let (child, depth) = self.pending.pop()?;
        let below = self.tree.children(child.node);
        let below = below.into_iter().rev().map(|child| (child, depth + 1));
        self.pending.extend(below);
        Some((child, depth))
    }
}
