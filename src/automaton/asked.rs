//! A finished tree, every node of which can be asked with the grammar's formulas.

use std::sync::Arc;

use super::Text;
use super::attributes::synthesize_attributes;
use super::program::Outcome;
use super::view::{Nodes, View, value_of_nodes};
use crate::error::{Error, Result};
use crate::grammar::formula::{FunctionId, Node};
use crate::grammar::{Facts, Pattern, Value};
use crate::measure::{Codes, Joined, Measure, Measurer, NodeIndex, ParsedSpan, Tables, TreePlace};
use crate::schema::{RelationId, RhetoricId, Schema};
use crate::tree::{self, NodeId, Roles, Tree, UNLABELLED};

/// A tree over a measured text. Its nodes answer as they would have answered the automaton that made
/// them: A and B are the children, S stood below A, C and E came next. In a finished tree there are also
/// D (the node itself), its parent and its sibling.
#[derive(Debug)]
pub struct AskedTree {
    tree: Tree,
    text: Arc<Text>,
    schema: Arc<Schema>,
    tables: Arc<Tables>,
    /// By node.
    spans: Vec<ParsedSpan>,
    /// The nodes to the left that were not joined yet, by node.
    before: Vec<Option<NodeId>>,
    depths: Vec<u32>,
    leaves: Vec<NodeId>,
}

impl AskedTree {
    /// Puts a tree over its text. The schema must know all its relations; what the tree says of symbols and
    /// attributes goes before what would follow from its text.
    pub fn new(
        tree: Tree,
        text: Arc<Text>,
        schema: &Arc<Schema>,
        tables: &Arc<Tables>,
    ) -> Result<AskedTree> {
        if text.len() != tree.edus.len() {
            return Err(Error::Mismatch(format!(
                "`{}` has {} EDUs, and its tree has {}",
                text.id,
                text.len(),
                tree.edus.len()
            )));
        }
        let mut asked = AskedTree {
            spans: Vec::with_capacity(tree.len()),
            before: Vec::with_capacity(tree.len()),
            depths: tree.depths(),
            leaves: tree.leaves().map(|(id, _)| id).collect(),
            text,
            schema: Arc::clone(schema),
            tables: Arc::clone(tables),
            tree,
        };
        let tree = asked.tree.clone();
        let mut stack: Vec<NodeId> = Vec::new();
        for (id, node) in tree.post_order() {
            let mut span = match node.pair() {
                None => ParsedSpan::leaf(&asked.text, node.span().start),
                Some(pair) => {
                    stack.truncate(stack.len().saturating_sub(2));
                    asked.join(pair, stack.last().copied())?
                }
            };
            asked.before.push(stack.last().copied());
            asked.take_over(node, &mut span);
            asked.spans.push(span);
            stack.push(id);
        }
        Ok(asked)
    }

    /// The tree.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The tree, to keep.
    pub fn into_tree(self) -> Tree {
        self.tree
    }

    /// The text.
    pub fn text(&self) -> &Text {
        &self.text
    }

    /// What formulas see of a node.
    pub fn facts(&self, node: NodeId) -> NodeFacts<'_> {
        let own = self.tree.node(node);
        let pair = own.pair();
        let at = Configuration {
            node: Some(node),
            s: self.before.get(node.index()).copied().flatten(),
            a: pair.map(|pair| pair.left),
            b: pair.map(|pair| pair.right),
            next: own.span().end,
            made: pair.map(|_| node),
        };
        NodeFacts { asked: self, at }
    }

    /// What formulas see of a configuration.
    pub fn facts_of(&self, at: Configuration) -> NodeFacts<'_> {
        NodeFacts { asked: self, at }
    }

    /// The symbol of a node.
    pub fn symbol(&self, node: NodeId) -> Option<RelationId> {
        self.span(node).map(|span| span.symbol)
    }

    /// The leaf of an EDU, counted from 0.
    pub fn leaf_of(&self, edu: u32) -> Option<NodeId> {
        self.leaves.get(edu as usize).copied()
    }

    /// The configurations with two nodes or more in which the automaton decides on its way to this tree, in
    /// their order.
    pub fn configurations(&self) -> Vec<Configuration> {
        let mut all = Vec::new();
        let mut stack: Vec<NodeId> = Vec::new();
        for (id, node) in self.tree.post_order() {
            let topmost = |from_top: usize| {
                let at = stack.len().checked_sub(from_top)?;
                stack.get(at).copied()
            };
            let (s, a, b) = (topmost(3), topmost(2), topmost(1));
            let is_leaf = node.is_leaf();
            if a.is_some() && b.is_some() {
                all.push(Configuration {
                    node: None,
                    s,
                    a,
                    b,
                    next: if is_leaf {
                        node.span().start
                    } else {
                        node.span().end
                    },
                    made: (!is_leaf).then_some(id),
                });
            }
            if !is_leaf {
                stack.truncate(stack.len().saturating_sub(2));
            }
            stack.push(id);
        }
        all
    }

    /// The nodes that are looked at: single EDUs, or nodes that join others. A chain of nuclei that is one
    /// node of several counts once, as its topmost link.
    pub fn nodes(&self, edus: bool) -> impl Iterator<Item = NodeId> + '_ {
        let all = self.tree.post_order();
        let wanted = all.filter(move |(id, node)| node.is_leaf() == edus && !self.is_link(*id));
        wanted.map(|(id, _)| id)
    }

    /// True for a link of a chain of nuclei, which goes on in the node above.
    pub fn is_link(&self, id: NodeId) -> bool {
        let node = self.tree.node(id);
        let above = node.parent().map(|above| self.tree.node(above));
        let Some((own, above)) = node.pair().zip(above.and_then(tree::Node::pair)) else {
            return false;
        };
        node.is_part()
            && own.roles == Roles::NucleusNucleus
            && above.roles == own.roles
            && above.relation == own.relation
    }

    fn join(&self, pair: &tree::Pair, before: Option<NodeId>) -> Result<ParsedSpan> {
        let name = pair.relation.as_deref().unwrap_or(UNLABELLED);
        let relation = self.schema.rhetoric.iter().position(|r| r.name == name);
        let relation = relation.map(RhetoricId::new).ok_or_else(|| {
            Error::Mismatch(format!(
                "the tree of `{}` has the relation `{name}`, which the schema does not know",
                self.text.id
            ))
        })?;
        let (left, right) = (self.span(pair.left), self.span(pair.right));
        let (Some(a), Some(b)) = (left, right) else {
            return Err(Error::Internal(
                "a node stands before its children".to_owned(),
            ));
        };
        let outcome = Outcome {
            parent: Pattern::Any,
            relation,
            roles: pair.roles,
        };
        let joined = Joined {
            left: NodeIndex::new(pair.left.index()),
            right: NodeIndex::new(pair.right.index()),
            relation,
            roles: pair.roles,
        };
        let mut span = ParsedSpan::join(a, b, outcome.symbol(a.symbol, b.symbol), joined, true);
        let view = View {
            nodes: Nodes {
                a: Some(a),
                b: Some(b),
                s: before.and_then(|id| self.span(id)),
                ..Nodes::default()
            },
            measurer: self.measurer(),
            schema: &self.schema,
        };
        span.attributes = synthesize_attributes(&view, pair.roles, &[]);
        Ok(span)
    }

    /// What the tree itself says of a node.
    fn take_over(&self, node: &tree::Node, span: &mut ParsedSpan) {
        let symbol = node.symbol.as_deref();
        if let Some(symbol) = symbol.and_then(|name| self.schema.relation(name)) {
            span.symbol = symbol;
        }
        let declared = self
            .schema
            .attributes
            .iter()
            .map(|known| known.name.as_str());
        let said: Vec<Option<&Value>> = declared.map(|name| node.attributes.get(name)).collect();
        if said.iter().any(Option::is_some) {
            let own = span.attributes.iter();
            let merged = own
                .zip(&said)
                .map(|(own, said)| said.cloned().or_else(|| own.clone()));
            span.attributes = merged.collect();
        }
    }

    fn span(&self, id: NodeId) -> Option<&ParsedSpan> {
        self.spans.get(id.index())
    }

    fn leaf(&self, edu: u32) -> Option<&ParsedSpan> {
        self.span(*self.leaves.get(edu as usize)?)
    }

    fn measurer(&self) -> Measurer<'_> {
        Measurer {
            text: &self.text,
            tables: &self.tables,
        }
    }
}

/// What lies before the automaton on its way to a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Configuration {
    /// The node that is looked at: in a finished tree D; nothing on the way to one.
    node: Option<NodeId>,
    /// The node below A.
    pub s: Option<NodeId>,
    /// The node below the top of the stack.
    pub a: Option<NodeId>,
    /// The top of the stack.
    pub b: Option<NodeId>,
    /// The next EDU, from 0; the number of EDUs at the end.
    pub next: u32,
    /// What is made of A and B here; nothing where the next EDU is taken.
    pub made: Option<NodeId>,
}

/// A node of a finished tree, or a configuration on the way to it, as formulas see it.
#[derive(Debug, Clone, Copy)]
pub struct NodeFacts<'t> {
    asked: &'t AskedTree,
    at: Configuration,
}

impl<'t> NodeFacts<'t> {
    /// The node of the tree that a name of formulas stands for; none where it is missing, and for C and E,
    /// which are EDUs that may not have been joined yet.
    pub fn id(&self, node: Node) -> Option<NodeId> {
        let tree = &self.asked.tree;
        match node {
            Node::D => self.at.node,
            Node::A => self.at.a,
            Node::B => self.at.b,
            Node::S => self.at.s,
            Node::Parent => tree.node(self.at.node?).parent(),
            Node::Sibling => {
                let own = self.at.node?;
                let above = tree.node(tree.node(own).parent()?).pair()?;
                Some(if above.left == own {
                    above.right
                } else {
                    above.left
                })
            }
            _ => None,
        }
    }

    fn span(&self, node: Node) -> Option<&'t ParsedSpan> {
        let end = self.at.next;
        match node {
            Node::C => self.asked.leaf(end),
            Node::E => self.asked.leaf(end.checked_add(1)?),
            _ => self.asked.span(self.id(node)?),
        }
    }

    fn place(&self, node: Node) -> Option<TreePlace> {
        let tree = &self.asked.tree;
        let id = match node {
            Node::C | Node::E => *self.asked.leaves.get(self.span(node)?.first as usize)?,
            _ => self.id(node)?,
        };
        let own = tree.node(id);
        let above = own.parent().and_then(|above| tree.node(above).pair());
        Some(TreePlace {
            span: own.span(),
            role: above.map(|_| tree.role(id)),
            is_left: above.map(|pair| pair.left == id),
            above: *self.asked.depths.get(id.index())?,
        })
    }
}

impl Facts for NodeFacts<'_> {
    fn attribute(&self, node: Node, attribute: u32) -> Option<Value> {
        let attributes = &self.span(node)?.attributes;
        attributes.get(attribute as usize)?.clone()
    }

    fn measure(&self, function: FunctionId, nodes: &[Node], values: &[Value]) -> Option<Value> {
        let entry = function.get();
        if let (Measure::Place(measure), [node]) = (entry.measure, nodes) {
            let codes = Codes {
                schema: &self.asked.schema,
                classes: &self.asked.tables.class_names,
            };
            return codes.value(measure(&self.place(*node)?), entry.result);
        }
        let (measurer, schema) = (self.asked.measurer(), &self.asked.schema);
        let span = |node| self.span(node);
        value_of_nodes(&measurer, schema, span, function, nodes, values)
    }

    fn variable(&self, _: u32) -> Option<Value> {
        None
    }
}
