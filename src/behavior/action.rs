//! What an annotator does, and what there was to see when it was done.

use std::sync::Arc;

use super::edit::{Edit, Remark};
use crate::automaton::{NodeIndex, Session};
use crate::grammar::Roles;
use crate::schema::Schema;
use crate::tree::{self, Attributes};

/// One action of an annotator.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Act {
    /// Take the next EDU on the stack.
    Shift,
    /// Join the two topmost nodes.
    Reduce(Join),
    /// Change what stands.
    Edit(Box<Edit>),
    /// Say something beside the tree. It neither counts as a step nor is taken back by undo.
    Remark(Box<Remark>),
    /// Take the last action back.
    Undo,
    /// Do again what was taken back last.
    Redo,
}

impl Act {
    /// As written in labels.
    pub fn as_str(&self) -> &'static str {
        match self {
            Act::Shift => "shift",
            Act::Reduce(_) => "reduce",
            Act::Edit(_) => "edit",
            Act::Remark(_) => "remark",
            Act::Undo => "undo",
            Act::Redo => "redo",
        }
    }
}

/// What two nodes become. Names are those of the schema.
#[derive(Debug, Clone, PartialEq)]
pub struct Join {
    /// The rhetorical relation between them.
    pub relation: Arc<str>,
    /// Which of them is a nucleus.
    pub roles: Roles,
    /// The symbol D of the new node; none takes the nucleus's, of two nuclei the left one's.
    pub symbol: Option<Arc<str>>,
    /// Attribute equations, as a grammar writes them: `D.time = A.time`. None means "straight
    /// forward".
    pub equations: Vec<Arc<str>>,
}

impl Join {
    /// A join without equations that takes the nucleus's symbol.
    pub fn new(relation: impl Into<Arc<str>>, roles: Roles) -> Join {
        Join {
            relation: relation.into(),
            roles,
            symbol: None,
            equations: Vec::new(),
        }
    }
}

/// An action as a label keeps it.
#[derive(Debug, Clone, PartialEq)]
pub struct Recorded {
    /// What was done.
    pub act: Act,
    /// Why, as a formula of the grammar language: the reason of the production, and of the
    /// preference where there was a choice.
    pub reason: Option<Arc<str>>,
    /// How probable the annotator held it, where it says.
    pub probability: Option<f64>,
    /// The time spent on it, where somebody spent time.
    pub seconds: Option<f64>,
    /// What there was to see, of shifts and reductions.
    pub context: Option<Context>,
}

impl Recorded {
    /// An action of which nothing more is known.
    pub fn new(act: Act) -> Recorded {
        Recorded {
            act,
            reason: None,
            probability: None,
            seconds: None,
            context: None,
        }
    }
}

/// The nodes that a rule can speak of when an action is done.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Context {
    /// The node below the topmost.
    pub a: Option<Seen>,
    /// The topmost node of the stack.
    pub b: Option<Seen>,
    /// The next EDU.
    pub c: Option<Seen>,
    /// The node below A.
    pub s: Option<Seen>,
    /// The EDU after C.
    pub e: Option<Seen>,
}

/// A node as it was seen.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    /// The EDUs it covers.
    pub span: tree::EduSpan,
    /// Its symbol.
    pub symbol: Arc<str>,
    /// Its attributes.
    pub attributes: Attributes,
}

impl Context {
    /// What there is to see in a session now.
    pub fn of(session: &Session) -> Context {
        let stack = session.stack();
        let see = |node: Option<NodeIndex>| node.and_then(|node| Seen::of(session, node));
        let next = session.next_edu();
        let after = next
            .map(|next| next + 1)
            .filter(|after| (*after as usize) < session.text().len());
        Context {
            a: see(stack.get(1).copied()),
            b: see(stack.first().copied()),
            c: see(next.map(NodeIndex::of_edu)),
            s: see(stack.get(2).copied()),
            e: see(after.map(NodeIndex::of_edu)),
        }
    }

    /// True where shifting and reducing were both possible.
    pub fn has_choice(&self) -> bool {
        self.a.is_some() && self.b.is_some() && self.c.is_some()
    }

    /// Its nodes with their letters.
    pub fn nodes(&self) -> [(&'static str, Option<&Seen>); 5] {
        [
            ("A", self.a.as_ref()),
            ("B", self.b.as_ref()),
            ("C", self.c.as_ref()),
            ("S", self.s.as_ref()),
            ("E", self.e.as_ref()),
        ]
    }
}

impl Seen {
    /// A node of a session.
    pub fn of(session: &Session, node: NodeIndex) -> Option<Seen> {
        let schema: &Schema = session.engine().schema();
        let node = session.node(node)?;
        let mut attributes = Attributes::default();
        for (attribute, value) in schema.attributes.iter().zip(node.attributes.iter()) {
            if let Some(value) = value {
                attributes.set(attribute.name.as_str(), value.clone());
            }
        }
        Some(Seen {
            span: tree::EduSpan {
                start: node.first,
                end: node.last + 1,
            },
            symbol: schema.relation_name(node.symbol).into(),
            attributes,
        })
    }
}
