//! Nodes and what can be said of them.

use std::sync::Arc;

use super::value::Attributes;
use crate::schema::RhetoricKind;

/// A node of one tree (or of one builder): an index into its arena.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    pub(super) fn new(index: usize) -> NodeId {
        NodeId(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// Its place in the arena: in a tree, its place in post-order.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Neighbouring EDUs: from `start` (counted from 0) up to but not including `end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EduSpan {
    /// The first EDU.
    pub start: u32,
    /// One after the last EDU.
    pub end: u32,
}

impl EduSpan {
    /// How many EDUs it covers.
    pub fn edus(self) -> usize {
        (self.end - self.start) as usize
    }

    /// The EDUs' places in the text.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// True when `other` lies inside it.
    pub fn covers(self, other: EduSpan) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// The number of its first EDU as people and formats count: from 1.
    pub fn first(self) -> u32 {
        self.start + 1
    }

    /// The number of its last EDU as people and formats count: from 1.
    pub fn last(self) -> u32 {
        self.end
    }
}

/// `3` or `3-7`, counted from 1.
impl std::fmt::Display for EduSpan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.edus() == 1 {
            write!(f, "{}", self.first())
        } else {
            write!(f, "{}-{}", self.first(), self.last())
        }
    }
}

/// What a node is to its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// What the writer mainly says.
    Nucleus,
    /// What supports it.
    Satellite,
}

impl Role {
    /// `N` or `S`.
    pub fn letter(self) -> char {
        match self {
            Role::Nucleus => 'N',
            Role::Satellite => 'S',
        }
    }
}

/// The roles of two neighbours. Two satellites cannot be said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Roles {
    /// Nucleus left, satellite right.
    NucleusSatellite,
    /// Satellite left, nucleus right.
    SatelliteNucleus,
    /// Two nuclei.
    NucleusNucleus,
}

impl Roles {
    /// The roles of a pair; none for two satellites.
    pub fn of(left: Role, right: Role) -> Option<Roles> {
        match (left, right) {
            (Role::Nucleus, Role::Satellite) => Some(Roles::NucleusSatellite),
            (Role::Satellite, Role::Nucleus) => Some(Roles::SatelliteNucleus),
            (Role::Nucleus, Role::Nucleus) => Some(Roles::NucleusNucleus),
            (Role::Satellite, Role::Satellite) => None,
        }
    }

    /// Of the left one.
    pub fn left(self) -> Role {
        match self {
            Roles::SatelliteNucleus => Role::Satellite,
            Roles::NucleusSatellite | Roles::NucleusNucleus => Role::Nucleus,
        }
    }

    /// Of the right one.
    pub fn right(self) -> Role {
        match self {
            Roles::NucleusSatellite => Role::Satellite,
            Roles::SatelliteNucleus | Roles::NucleusNucleus => Role::Nucleus,
        }
    }

    /// What "don't care" comes to for a relation of that kind.
    pub fn usual(kind: RhetoricKind) -> Roles {
        match kind {
            RhetoricKind::Rst => Roles::NucleusSatellite,
            RhetoricKind::Multinuc => Roles::NucleusNucleus,
        }
    }

    /// True when a relation of that kind can have these roles.
    pub fn fit(self, kind: RhetoricKind) -> bool {
        (self == Roles::NucleusNucleus) == (kind == RhetoricKind::Multinuc)
    }

    /// The roles as letters.
    pub fn letters(self) -> [&'static str; 2] {
        match self {
            Roles::NucleusSatellite => ["N", "S"],
            Roles::SatelliteNucleus => ["S", "N"],
            Roles::NucleusNucleus => ["N", "N"],
        }
    }

    /// `NS`, `SN` or `NN`.
    pub fn as_str(self) -> &'static str {
        match self {
            Roles::NucleusSatellite => "NS",
            Roles::SatelliteNucleus => "SN",
            Roles::NucleusNucleus => "NN",
        }
    }
}

impl std::fmt::Display for Roles {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Two neighbours joined.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    /// The left one.
    pub left: NodeId,
    /// The right one.
    pub right: NodeId,
    /// What they are to each other.
    pub roles: Roles,
    /// The rhetorical relation between them.
    pub relation: Option<Arc<str>>,
    /// The right nucleus's own relation, in others' multi-nuclear nodes whose nuclei disagree.
    pub(super) unlike: Option<Arc<str>>,
}

impl Pair {
    /// The relation that formats write on the left child: none on a lone nucleus.
    pub fn left_relation(&self) -> Option<&Arc<str>> {
        match self.roles {
            Roles::NucleusSatellite => None,
            Roles::SatelliteNucleus | Roles::NucleusNucleus => self.relation.as_ref(),
        }
    }

    /// The relation that formats write on the right child: none on a lone nucleus.
    pub fn right_relation(&self) -> Option<&Arc<str>> {
        match self.roles {
            Roles::SatelliteNucleus => None,
            Roles::NucleusSatellite => self.relation.as_ref(),
            Roles::NucleusNucleus => self.unlike.as_ref().or(self.relation.as_ref()),
        }
    }
}

/// Why a parse made a node.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// The rule's stable id.
    pub rule: Arc<str>,
    /// The probability of the step.
    pub probability: f64,
    /// The reason that held.
    pub reason: Option<Arc<str>>,
    /// The best rule that did not win, and its probability.
    pub runner_up: Option<(Arc<str>, f64)>,
}

/// A node of a tree: a leaf over one EDU, or a pair.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    pub(super) span: EduSpan,
    pub(super) parent: Option<NodeId>,
    pub(super) pair: Option<Pair>,
    pub(super) part: bool,
    /// The grammar's symbol (a domain relation).
    pub symbol: Option<Arc<str>>,
    /// The attributes.
    pub attributes: Attributes,
    /// The rule and probability, where a parse made it.
    pub decision: Option<Decision>,
    /// True where no rule or annotator decided, but a declared fallback.
    pub fallback: bool,
    /// Its id in the file it was read from.
    pub name: Option<Arc<str>>,
}

impl Node {
    pub(super) fn new(span: EduSpan, pair: Option<Pair>) -> Node {
        Node {
            span,
            parent: None,
            pair,
            part: false,
            symbol: None,
            attributes: Attributes::default(),
            decision: None,
            fallback: false,
            name: None,
        }
    }

    /// The EDUs it covers.
    pub fn span(&self) -> EduSpan {
        self.span
    }

    /// The node above it; the root has none.
    pub fn parent(&self) -> Option<NodeId> {
        self.parent
    }

    /// Its two children; a leaf has none.
    pub fn pair(&self) -> Option<&Pair> {
        self.pair.as_ref()
    }

    /// True for a leaf.
    pub fn is_leaf(&self) -> bool {
        self.pair.is_none()
    }

    /// True for an inner link of an n-ary node: binary inside, absent from [`super::Tree::children`].
    pub fn is_part(&self) -> bool {
        self.part
    }

    /// The rhetorical relation between its children.
    pub fn relation(&self) -> Option<&Arc<str>> {
        self.pair.as_ref()?.relation.as_ref()
    }
}

/// A child of an n-ary node.
#[derive(Debug, Clone, PartialEq)]
pub struct Child {
    /// The node.
    pub node: NodeId,
    /// What it is to its parent.
    pub role: Role,
    /// The relation on it: a satellite's own, or that of several nuclei. A lone nucleus has none.
    pub relation: Option<Arc<str>>,
}
