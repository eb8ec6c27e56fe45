//! Edits and remarks as labels write them, and as the workbench sends them.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::action::Join;
use super::edit::{Edge, Edit, Made, Remark, Sign};
use crate::tree::{EduSpan, Role, Roles};

/// The first and last EDU of a node, from 1.
type SpanJson = (u32, u32);

/// A change of what stands. Nodes are named by their first and last EDU, from 1.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum EditJson {
    /// Join a node with another.
    Attach {
        /// The node.
        node: (u32, u32),
        /// What it holds on to.
        to: (u32, u32),
        /// What the node becomes: `N` or `S`.
        #[schemars(regex(pattern = r"^[NS]$"))]
        role: char,
        /// The relation between them.
        relation: Arc<str>,
    },
    /// Give a node another relation or nuclearity.
    Relate {
        /// The node.
        node: (u32, u32),
        /// `NS`, `SN` or `NN`.
        #[schemars(regex(pattern = r"^(NS|SN|NN)$"))]
        roles: Arc<str>,
        /// The relation.
        relation: Arc<str>,
    },
    /// Take a node out of its tree.
    Unlink {
        /// The node.
        node: (u32, u32),
    },
    /// Divide an EDU.
    Cut {
        /// The EDU, from 1.
        edu: u32,
        /// How many characters the first half has.
        at: u32,
        /// What the halves are to each other.
        #[schemars(regex(pattern = r"^(NS|SN|NN)$"))]
        roles: Arc<str>,
        /// The relation between the halves.
        relation: Arc<str>,
    },
    /// Join an EDU with the next.
    Unite {
        /// The first of them, from 1.
        edu: u32,
    },
    /// Put another structure over some EDUs.
    Take {
        /// The EDUs.
        over: (u32, u32),
        /// The steps that make it.
        steps: Vec<StepJson>,
    },
}

/// `shift`, or what the two topmost nodes become.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum StepJson {
    /// Take the next EDU.
    Shift,
    /// Join the two topmost nodes.
    Reduce {
        /// `NS`, `SN` or `NN`.
        #[schemars(regex(pattern = r"^(NS|SN|NN)$"))]
        roles: Arc<str>,
        /// The relation.
        relation: Arc<str>,
        /// The symbol of the new node, where it is not the nucleus's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        symbol: Option<Arc<str>>,
        /// Attribute equations.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        equations: Vec<Arc<str>>,
    },
}

/// Something said beside the tree.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum RemarkJson {
    /// Do these EDUs belong together?
    Answer {
        /// The EDUs.
        span: (u32, u32),
        /// Left out to take an earlier answer back.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        together: Option<bool>,
    },
    /// A note on a node.
    Note {
        /// The node.
        span: (u32, u32),
        /// Empty to take it away.
        text: Arc<str>,
    },
    /// Words that signal the relation of a node to its parent.
    Signal(SignJson),
    /// A relation between two nodes beside the tree.
    Edge(EdgeJson),
}

/// Words that signal the relation of a node to its parent.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SignJson {
    /// The node.
    pub span: (u32, u32),
    /// Its type: `dm`, `lexical` ...
    #[serde(rename = "type")]
    pub kind: Arc<str>,
    /// Its subtype.
    #[serde(default)]
    pub subtype: Arc<str>,
    /// The words.
    #[serde(default)]
    pub words: Arc<str>,
    /// False takes it away.
    #[serde(default = "yes")]
    pub stands: bool,
}

/// A relation between two nodes beside the tree.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EdgeJson {
    /// From here.
    pub source: (u32, u32),
    /// To there.
    pub target: (u32, u32),
    /// The relation.
    pub relation: Arc<str>,
    /// False takes it away.
    #[serde(default = "yes")]
    pub stands: bool,
}

fn yes() -> bool {
    true
}

fn span(written: SpanJson) -> Result<EduSpan, String> {
    let (first, last) = written;
    match first.checked_sub(1).filter(|start| *start < last) {
        Some(start) => Ok(EduSpan { start, end: last }),
        None => Err(format!("no EDUs go from {first} to {last}")),
    }
}

fn written(span: EduSpan) -> SpanJson {
    (span.first(), span.last())
}

fn roles(letters: &str) -> Result<Roles, String> {
    let all = [
        Roles::NucleusSatellite,
        Roles::SatelliteNucleus,
        Roles::NucleusNucleus,
    ];
    let found = all.into_iter().find(|roles| roles.as_str() == letters);
    found.ok_or_else(|| format!("`{letters}` is none of `NS`, `SN`, `NN`"))
}

fn edu(number: u32) -> Result<u32, String> {
    number
        .checked_sub(1)
        .ok_or_else(|| "EDUs are numbered from 1".to_owned())
}

impl TryFrom<EditJson> for Edit {
    type Error = String;

    fn try_from(json: EditJson) -> Result<Edit, String> {
        Ok(match json {
            EditJson::Attach {
                node,
                to,
                role,
                relation,
            } => {
                let role = match role {
                    'N' => Role::Nucleus,
                    'S' => Role::Satellite,
                    other => return Err(format!("`{other}` is neither `N` nor `S`")),
                };
                let join = Join::new(relation, Roles::NucleusSatellite);
                Edit::Attach {
                    node: span(node)?,
                    to: span(to)?,
                    role,
                    join,
                }
            }
            EditJson::Relate {
                node,
                roles: letters,
                relation,
            } => Edit::Relate {
                node: span(node)?,
                join: Join::new(relation, roles(&letters)?),
            },
            EditJson::Unlink { node } => Edit::Unlink { node: span(node)? },
            EditJson::Cut {
                edu: number,
                at,
                roles: letters,
                relation,
            } => Edit::Cut {
                edu: edu(number)?,
                at,
                join: Join::new(relation, roles(&letters)?),
            },
            EditJson::Unite { edu: number } => Edit::Unite { edu: edu(number)? },
            EditJson::Take { over, steps } => {
                let made = steps.into_iter().map(made);
                Edit::Take {
                    over: span(over)?,
                    made: made.collect::<Result<_, _>>()?,
                }
            }
        })
    }
}

fn made(json: StepJson) -> Result<Made, String> {
    Ok(match json {
        StepJson::Shift => None,
        StepJson::Reduce {
            roles: letters,
            relation,
            symbol,
            equations,
        } => Some(Arc::new(Join {
            symbol,
            equations,
            ..Join::new(relation, roles(&letters)?)
        })),
    })
}

impl From<&Made> for StepJson {
    fn from(made: &Made) -> StepJson {
        match made {
            None => StepJson::Shift,
            Some(join) => StepJson::Reduce {
                roles: join.roles.as_str().into(),
                relation: Arc::clone(&join.relation),
                symbol: join.symbol.clone(),
                equations: join.equations.clone(),
            },
        }
    }
}

impl From<&Edit> for EditJson {
    fn from(edit: &Edit) -> EditJson {
        match edit {
            Edit::Attach {
                node,
                to,
                role,
                join,
            } => EditJson::Attach {
                node: written(*node),
                to: written(*to),
                role: role.letter(),
                relation: Arc::clone(&join.relation),
            },
            Edit::Relate { node, join } => EditJson::Relate {
                node: written(*node),
                roles: join.roles.as_str().into(),
                relation: Arc::clone(&join.relation),
            },
            Edit::Unlink { node } => EditJson::Unlink {
                node: written(*node),
            },
            Edit::Cut { edu, at, join } => EditJson::Cut {
                edu: edu + 1,
                at: *at,
                roles: join.roles.as_str().into(),
                relation: Arc::clone(&join.relation),
            },
            Edit::Unite { edu } => EditJson::Unite { edu: edu + 1 },
            Edit::Take { over, made } => EditJson::Take {
                over: written(*over),
                steps: made.iter().map(StepJson::from).collect(),
            },
        }
    }
}

impl TryFrom<RemarkJson> for Remark {
    type Error = String;

    fn try_from(json: RemarkJson) -> Result<Remark, String> {
        Ok(match json {
            RemarkJson::Answer { span: at, together } => Remark::Answer {
                span: span(at)?,
                together,
            },
            RemarkJson::Note { span: at, text } => Remark::Note {
                span: span(at)?,
                text,
            },
            RemarkJson::Signal(sign) => Remark::Signal(Sign {
                span: span(sign.span)?,
                kind: sign.kind,
                subtype: sign.subtype,
                words: sign.words,
                stands: sign.stands,
            }),
            RemarkJson::Edge(edge) => Remark::Edge(Edge {
                source: span(edge.source)?,
                target: span(edge.target)?,
                relation: edge.relation,
                stands: edge.stands,
            }),
        })
    }
}

impl From<&Remark> for RemarkJson {
    fn from(remark: &Remark) -> RemarkJson {
        match remark {
            Remark::Answer { span, together } => RemarkJson::Answer {
                span: written(*span),
                together: *together,
            },
            Remark::Note { span, text } => RemarkJson::Note {
                span: written(*span),
                text: Arc::clone(text),
            },
            Remark::Signal(sign) => RemarkJson::Signal(sign.into()),
            Remark::Edge(edge) => RemarkJson::Edge(edge.into()),
        }
    }
}

impl From<&Sign> for SignJson {
    fn from(sign: &Sign) -> SignJson {
        SignJson {
            span: written(sign.span),
            kind: Arc::clone(&sign.kind),
            subtype: Arc::clone(&sign.subtype),
            words: Arc::clone(&sign.words),
            stands: sign.stands,
        }
    }
}

impl From<&Edge> for EdgeJson {
    fn from(edge: &Edge) -> EdgeJson {
        EdgeJson {
            source: written(edge.source),
            target: written(edge.target),
            relation: Arc::clone(&edge.relation),
            stands: edge.stands,
        }
    }
}
