//! JSON: one object a tree. Nodes stand in a flat list, children before parents, so depth does not
//! nest; `schemas/json/tree.schema.json` describes it.

use std::collections::BTreeMap;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::annotation::{
    Annotations, DeclaredRelation, SecondaryEdge, Signal, SignalSource, SignalType,
};
use super::build::Builder;
use super::edus::Edu;
use super::format::Read;
use super::node::{Child, Decision, NodeId, Role};
use super::value::{Attributes, Value};
use super::{Node, Tree};
use crate::diagnostic::{Code, Diagnostic, Place, Source};

/// The JSON schema of a tree.
pub fn json_schema() -> String {
    crate::json::schema::<TreeJson>()
}

/// A rhetorical tree over the EDUs of one text.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "arsg tree")]
struct TreeJson {
    /// The text's id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    id: Option<Arc<str>>,
    /// The EDUs in text order.
    edus: Vec<EduJson>,
    /// The nodes, children before parents; the last one is the root.
    nodes: Vec<NodeJson>,
    /// Relations as a header declared them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    relations: Vec<RelationJson>,
    /// Types of signals as a header declared them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    signal_types: Vec<SignalTypeJson>,
    /// What in the text signals a relation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    signals: Vec<SignalJson>,
    /// Relations beside the tree.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    secondary_edges: Vec<EdgeJson>,
    /// What made the tree, where a parse did: program, grammar and its hash, search.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    origin: BTreeMap<Arc<str>, Arc<str>>,
}

/// An EDU: its text, or its text with what is known of it.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct EduJson {
    text: Arc<str>,
    /// The block it stands in, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    block: Option<u32>,
    /// The sentence it stands in, from 0 over the whole text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sentence: Option<u32>,
    /// What others say of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    features: Option<Arc<str>>,
}

/// A leaf (`edu`) or a node (`children`, `roles`, `relation`).
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NodeJson {
    /// Of a leaf: the number of its EDU, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    edu: Option<u32>,
    /// The first and last EDU, from 1. Written for readers; not needed on reading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    span: Option<(u32, u32)>,
    /// The places of its children in this list, from 0, left to right; two or more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    children: Vec<usize>,
    /// A letter for every child: `NS`, `SN`, `NN`, `SNS`, ...
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = r"^[NS]{2,}$"))]
    roles: Option<String>,
    /// The rhetorical relation between the children.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    relation: Option<Arc<str>>,
    /// The relation of every child, where they differ; null on a lone nucleus.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    relations: Option<Vec<Option<Arc<str>>>>,
    /// True for an inner link of an n-ary node, to be looked through.
    #[serde(default, skip_serializing_if = "is_false")]
    part: bool,
    /// The grammar's symbol.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    symbol: Option<Arc<str>>,
    /// Attribute names to values.
    #[serde(default, skip_serializing_if = "serde_json::Map::is_empty")]
    #[schemars(with = "BTreeMap<String, ValueJson>")]
    attributes: serde_json::Map<String, serde_json::Value>,
    /// The id of the rule that made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rule: Option<Arc<str>>,
    /// The probability of the step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    probability: Option<f64>,
    /// The reason that held.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<Arc<str>>,
    /// The best rule that did not win, and its probability.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    runner_up: Option<(Arc<str>, f64)>,
    /// True where a fallback decided.
    #[serde(default, skip_serializing_if = "is_false")]
    fallback: bool,
    /// Its id in the file it came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<Arc<str>>,
}

/// A symbol as a string, a set of symbols as a list, a text or a time as an object of one key.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum ValueJson {
    Bool(bool),
    Int(i64),
    Float(f64),
    Symbol(Arc<str>),
    Set(std::collections::BTreeSet<Arc<str>>),
    Tagged(TaggedJson),
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum TaggedJson {
    Text(Arc<str>),
    Time(Arc<str>),
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RelationJson {
    name: Arc<str>,
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    kind: Option<Arc<str>>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SignalTypeJson {
    #[serde(rename = "type")]
    name: Arc<str>,
    subtypes: Arc<str>,
}

/// `node` or `edge` says what it speaks for, by place in `nodes` or `secondary_edges`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SignalJson {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    node: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    edge: Option<usize>,
    #[serde(rename = "type")]
    kind: Arc<str>,
    subtype: Arc<str>,
    /// Words between spaces, numbered from 1 over the text.
    tokens: Vec<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    status: Option<Arc<str>>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct EdgeJson {
    /// A place in `nodes`.
    source: usize,
    /// A place in `nodes`.
    target: usize,
    relation: Arc<str>,
}

fn is_false(value: &bool) -> bool {
    !value
}

/// Reads one tree, or one a line.
pub(super) fn read(source: &Arc<Source>) -> Read {
    let mut read = Read::default();
    let text = source.text();
    let mut stream = serde_json::Deserializer::from_str(text).into_iter::<TreeJson>();
    loop {
        let start = stream.byte_offset();
        let Some(json) = stream.next() else {
            break;
        };
        let blank = text.get(start..).unwrap_or_default();
        let start = start + blank.len() - blank.trim_start().len();
        match json {
            Ok(json) => match json.into_tree() {
                Ok(tree) => read.trees.push(tree),
                Err(message) => {
                    let place = Place::new(source, start..start + 1);
                    let problem = Diagnostic::new(Code::R007, message).at(place);
                    read.diagnostics.push(problem);
                }
            },
            Err(error) => {
                read.diagnostics.push(syntax_problem(source, &error));
                break;
            }
        }
    }
    read
}

fn syntax_problem(source: &Arc<Source>, error: &serde_json::Error) -> Diagnostic {
    let lines = source.text().split_inclusive('\n');
    let before = lines.take(error.line().saturating_sub(1)).map(str::len);
    let at = before.sum::<usize>() + error.column().saturating_sub(1);
    let place = Place::new(source, at..at + 1);
    let message = error.to_string();
    if message.starts_with("recursion limit exceeded") {
        return Diagnostic::new(Code::R003, "nested too deep")
            .at(place)
            .help("nodes stand in one flat list; see `schemas/json/tree.schema.json`");
    }
    let message = crate::json::problem(error);
    Diagnostic::new(Code::R001, format!("not a tree in JSON: {message}")).at(place)
}

/// One line.
pub(super) fn write(tree: &Tree) -> String {
    let json = TreeJson::from(tree);
    serde_json::to_string(&json).unwrap_or_default() + "\n"
}

impl TreeJson {
    fn into_tree(mut self) -> Result<Tree, String> {
        let edus = std::mem::take(&mut self.edus);
        let mut builder = Builder::over(edus.into_iter().map(|edu| Edu {
            text: edu.text,
            block: edu.block,
            sentence: edu.sentence,
            features: edu.features,
        }));
        builder.id = self.id.take();
        let leaves = builder.leaves();
        let mut made: Vec<NodeId> = Vec::with_capacity(self.nodes.len());
        for (place, node) in std::mem::take(&mut self.nodes).into_iter().enumerate() {
            let id = match node.edu {
                Some(number) => {
                    let leaf = (number as usize).checked_sub(1).and_then(|n| leaves.get(n));
                    *leaf.ok_or_else(|| format!("node {place}: there is no EDU {number}"))?
                }
                None => node
                    .join(&mut builder, &made)
                    .map_err(|problem| format!("node {place}: {problem}"))?,
            };
            node.fill_node(builder.node_mut(id))
                .map_err(|problem| format!("node {place}: {problem}"))?;
            made.push(id);
        }
        let Some(&root) = made.last().or(leaves.first()) else {
            return Err("there is no EDU".to_owned());
        };
        builder.annotations = self.into_annotations(&made)?;
        builder.finish(root).map_err(|error| error.to_string())
    }

    /// What is said beyond the tree; `made` are the nodes by their places in the file.
    fn into_annotations(self, made: &[NodeId]) -> Result<Annotations, String> {
        let place = |at: usize| {
            let found = made.get(at).copied();
            found.ok_or_else(|| format!("there is no node {at}"))
        };
        let mut annotations = Annotations {
            origin: self.origin,
            ..Annotations::default()
        };
        for edge in self.secondary_edges {
            annotations.secondary_edges.push(SecondaryEdge {
                source: place(edge.source)?,
                target: place(edge.target)?,
                relation: edge.relation,
            });
        }
        for signal in self.signals {
            let source = match (signal.node, signal.edge) {
                (Some(node), None) => SignalSource::Node(place(node)?),
                (None, Some(edge)) => SignalSource::Secondary(edge),
                _ => return Err("a signal needs either `node` or `edge`".to_owned()),
            };
            annotations.signals.push(Signal {
                source,
                kind: signal.kind,
                subtype: signal.subtype,
                tokens: signal.tokens,
                status: signal.status,
            });
        }
        let relations = self.relations.into_iter();
        annotations.relations = relations
            .map(|relation| DeclaredRelation {
                name: relation.name,
                kind: relation.kind,
            })
            .collect();
        let types = self.signal_types.into_iter();
        annotations.signal_types = types
            .map(|kind| SignalType {
                name: kind.name,
                subtypes: kind.subtypes,
            })
            .collect();
        Ok(annotations)
    }
}

impl NodeJson {
    fn join(&self, builder: &mut Builder, made: &[NodeId]) -> Result<NodeId, String> {
        let roles = self.roles.as_deref().unwrap_or_default();
        let roles: Option<Vec<Role>> = roles
            .chars()
            .map(|letter| match letter {
                'N' => Some(Role::Nucleus),
                'S' => Some(Role::Satellite),
                _ => None,
            })
            .collect();
        let roles = roles.filter(|roles| roles.len() == self.children.len());
        let Some(roles) = roles else {
            return Err("`roles` needs one letter, N or S, for every child".to_owned());
        };
        if roles.len() < 2 {
            return Err("a node needs an `edu`, or at least two `children`".to_owned());
        }
        let labels = self.relations.as_deref();
        if labels.is_some_and(|labels| labels.len() != roles.len()) {
            return Err("`relations` needs one entry for every child".to_owned());
        }
        let mut children = Vec::with_capacity(roles.len());
        for (at, (&child, role)) in self.children.iter().zip(roles).enumerate() {
            let node = made.get(child).copied();
            children.push(Child {
                node: node.ok_or_else(|| format!("child {child} is not made before it"))?,
                role,
                relation: match labels {
                    Some(labels) => labels.get(at).cloned().flatten(),
                    None => self.relation.clone(),
                },
            });
        }
        let id = builder
            .join_all(&children)
            .map_err(|error| error.to_string())?;
        if self.part {
            builder.mark_part(id);
        }
        Ok(id)
    }

    fn fill_node(self, node: &mut Node) -> Result<(), String> {
        node.symbol = self.symbol;
        node.fallback = self.fallback;
        node.name = self.name;
        node.attributes = attributes_from(self.attributes)?;
        node.decision = self.rule.map(|rule| Decision {
            rule,
            probability: self.probability.unwrap_or(1.0),
            reason: self.reason,
            runner_up: self.runner_up,
        });
        Ok(())
    }
}

impl From<&Tree> for TreeJson {
    fn from(tree: &Tree) -> TreeJson {
        let annotations = &tree.annotations;
        TreeJson {
            id: tree.id.clone(),
            edus: tree
                .edus
                .iter()
                .map(|edu| EduJson {
                    text: Arc::clone(&edu.text),
                    block: edu.block,
                    sentence: edu.sentence,
                    features: edu.features.clone(),
                })
                .collect(),
            nodes: tree.post_order().map(|(_, node)| node.into()).collect(),
            relations: annotations
                .relations
                .iter()
                .map(|relation| RelationJson {
                    name: Arc::clone(&relation.name),
                    kind: relation.kind.clone(),
                })
                .collect(),
            signal_types: annotations
                .signal_types
                .iter()
                .map(|kind| SignalTypeJson {
                    name: Arc::clone(&kind.name),
                    subtypes: Arc::clone(&kind.subtypes),
                })
                .collect(),
            signals: annotations.signals.iter().map(Into::into).collect(),
            origin: annotations.origin.clone(),
            secondary_edges: annotations
                .secondary_edges
                .iter()
                .map(|edge| EdgeJson {
                    source: edge.source.index(),
                    target: edge.target.index(),
                    relation: Arc::clone(&edge.relation),
                })
                .collect(),
        }
    }
}

impl From<&Signal> for SignalJson {
    fn from(signal: &Signal) -> SignalJson {
        let (node, edge) = match signal.source {
            SignalSource::Node(node) => (Some(node.index()), None),
            SignalSource::Secondary(at) => (None, Some(at)),
        };
        SignalJson {
            node,
            edge,
            kind: Arc::clone(&signal.kind),
            subtype: Arc::clone(&signal.subtype),
            tokens: signal.tokens.clone(),
            status: signal.status.clone(),
        }
    }
}

impl From<&Node> for NodeJson {
    fn from(node: &Node) -> NodeJson {
        let span = node.span();
        let mut json = NodeJson {
            span: Some((span.first(), span.last())),
            part: node.is_part(),
            symbol: node.symbol.clone(),
            attributes: attributes_json(&node.attributes),
            fallback: node.fallback,
            name: node.name.clone(),
            ..NodeJson::default()
        };
        if let Some(decision) = &node.decision {
            json.rule = Some(Arc::clone(&decision.rule));
            json.probability = Some(decision.probability);
            json.reason = decision.reason.clone();
            json.runner_up = decision.runner_up.clone();
        }
        match node.pair() {
            None => json.edu = Some(span.first()),
            Some(pair) => {
                json.children = vec![pair.left.index(), pair.right.index()];
                json.roles = Some(pair.roles.as_str().to_owned());
                json.relation = pair.relation.clone();
                json.relations = pair
                    .unlike
                    .as_ref()
                    .map(|unlike| vec![pair.relation.clone(), Some(Arc::clone(unlike))]);
            }
        }
        json
    }
}

/// Attributes as a JSON object.
pub(crate) fn attributes_json(
    attributes: &Attributes,
) -> serde_json::Map<String, serde_json::Value> {
    let written = attributes.iter().filter_map(|(name, value)| {
        // JSON has no infinite numbers.
        let value = serde_json::to_value(ValueJson::from(value)).ok()?;
        (!value.is_null()).then(|| (name.to_string(), value))
    });
    written.collect()
}

/// Attributes from a JSON object, or what is wrong with it.
pub(crate) fn attributes_from(
    written: serde_json::Map<String, serde_json::Value>,
) -> Result<Attributes, String> {
    let read =
        written.into_iter().map(
            |(name, value)| match serde_json::from_value::<ValueJson>(value) {
                Ok(value) => Ok((name, value.into())),
                Err(_) => Err(format!(
                    "the attribute `{name}` has no value that attributes can have"
                )),
            },
        );
    read.collect()
}

impl From<&Value> for ValueJson {
    fn from(value: &Value) -> ValueJson {
        match value {
            Value::Bool(value) => ValueJson::Bool(*value),
            Value::Int(value) => ValueJson::Int(*value),
            Value::Float(value) => ValueJson::Float(*value),
            Value::Symbol(symbol) => ValueJson::Symbol(Arc::clone(symbol)),
            Value::Rank(..) => ValueJson::Symbol(value.to_string().into()),
            Value::Set(names) => ValueJson::Set((**names).clone()),
            Value::Text(text) => ValueJson::Tagged(TaggedJson::Text(Arc::clone(text))),
            Value::Time(time) => ValueJson::Tagged(TaggedJson::Time(Arc::clone(time))),
        }
    }
}

impl From<ValueJson> for Value {
    fn from(value: ValueJson) -> Value {
        match value {
            ValueJson::Bool(value) => Value::Bool(value),
            ValueJson::Int(value) => Value::Int(value),
            ValueJson::Float(value) => Value::Float(value),
            ValueJson::Symbol(symbol) => Value::Symbol(symbol),
            ValueJson::Set(names) => Value::Set(Arc::new(names)),
            ValueJson::Tagged(TaggedJson::Text(text)) => Value::Text(text),
            ValueJson::Tagged(TaggedJson::Time(time)) => Value::Time(time),
        }
    }
}
