//! Labels as JSON lines: a header, then an action a line; `schemas/json/label.schema.json` describes
//! both.

use std::collections::BTreeMap;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::action::{Act, Context, Join, Recorded, Seen};
use super::edit_json::{EditJson, RemarkJson};
use super::label::Header;
use crate::error::Result;
use crate::grammar::Roles;
use crate::json;
use crate::text::DocumentJson;
use crate::tree::{self, ValueJson, attributes_from, attributes_json};

/// The version of the format, in every header.
const VERSION: u32 = 1;

/// The JSON schema of a line of a label.
pub fn json_schema() -> String {
    crate::json::schema::<LineJson>()
}

/// A line of a label: the first is the header, every other one an action.
#[derive(Debug, JsonSchema)]
#[schemars(untagged, title = "arsg label line")]
#[expect(dead_code, reason = "it exists for the JSON schema")]
enum LineJson {
    Header(Box<HeaderJson>),
    Action(Box<ActionJson>),
}

/// The text, and with what it was labelled.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct HeaderJson {
    /// The version of the format: 1.
    label: u32,
    /// Who labelled it.
    annotator: Arc<str>,
    /// The schema whose names the actions use.
    schema: NamedJson,
    /// The grammar that made suggestions.
    grammar: NamedJson,
    /// The text with its EDUs.
    document: DocumentJson,
}

/// Something with a name and the hash of its content.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NamedJson {
    name: Arc<str>,
    hash: Arc<str>,
}

/// An action. Relation, roles, symbol and equations are those of reductions.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ActionJson {
    action: KindJson,
    /// The rhetorical relation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    relation: Option<Arc<str>>,
    /// What A and B are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    roles: Option<RolesJson>,
    /// The symbol D of the new node; left out, the nucleus's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    symbol: Option<Arc<str>>,
    /// Attribute equations as a grammar writes them: `D.time = A.time`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    equations: Vec<Arc<str>>,
    /// Of an edit: what it changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    edit: Option<EditJson>,
    /// Of a remark: what it says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    remark: Option<RemarkJson>,
    /// Why: a formula of the grammar language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<Arc<str>>,
    /// How probable the annotator held it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    probability: Option<f64>,
    /// The time spent on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    /// What there was to see.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    context: Option<ContextJson>,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum KindJson {
    Shift,
    Reduce,
    Undo,
    Redo,
    Edit,
    Remark,
}

/// What two neighbours are: nucleus or satellite.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
enum RolesJson {
    #[serde(rename = "NS")]
    NucleusSatellite,
    #[serde(rename = "SN")]
    SatelliteNucleus,
    #[serde(rename = "NN")]
    NucleusNucleus,
}

/// B is the topmost node of the stack, A the one below, S the one below A; C is the next EDU, E the
/// one after it.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "UPPERCASE")]
struct ContextJson {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    a: Option<SeenJson>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    b: Option<SeenJson>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    c: Option<SeenJson>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    s: Option<SeenJson>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    e: Option<SeenJson>,
}

/// A node as it was seen.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SeenJson {
    /// Its first and last EDU, from 1.
    span: (u32, u32),
    symbol: Arc<str>,
    /// Attribute names to values.
    #[serde(default, skip_serializing_if = "serde_json::Map::is_empty")]
    #[schemars(with = "BTreeMap<String, ValueJson>")]
    attributes: serde_json::Map<String, serde_json::Value>,
}

/// What is wrong with a line, and where in it (in bytes) where that is known.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) message: String,
    pub(super) at: Option<usize>,
}

impl From<String> for Fault {
    fn from(message: String) -> Fault {
        Fault { message, at: None }
    }
}

/// The header as a line.
pub(super) fn write_header(header: &Header) -> Result<String> {
    json::line(&HeaderJson {
        label: VERSION,
        annotator: Arc::clone(&header.annotator),
        schema: NamedJson {
            name: Arc::clone(&header.schema),
            hash: Arc::clone(&header.schema_hash),
        },
        grammar: NamedJson {
            name: Arc::clone(&header.grammar),
            hash: Arc::clone(&header.grammar_hash),
        },
        document: (&header.document).into(),
    })
}

/// An action as a line.
pub(super) fn write_action(recorded: &Recorded) -> Result<String> {
    json::line(&ActionJson::from(recorded))
}

/// The header in a line.
pub(super) fn read_header(line: &str) -> std::result::Result<Header, Fault> {
    let json: HeaderJson = parse(line)?;
    if json.label != VERSION {
        return Err(format!(
            "labels of version {} cannot be read; this program knows version {VERSION}",
            json.label
        )
        .into());
    }
    Ok(Header {
        document: json.document.into_document("text")?,
        schema: json.schema.name,
        schema_hash: json.schema.hash,
        grammar: json.grammar.name,
        grammar_hash: json.grammar.hash,
        annotator: json.annotator,
    })
}

/// The action in a line.
pub(super) fn read_action(line: &str) -> std::result::Result<Recorded, Fault> {
    let json: ActionJson = parse(line)?;
    let of_reductions = json.relation.is_some() || json.roles.is_some() || json.symbol.is_some();
    let act = match (json.action, json.relation, json.roles) {
        (KindJson::Reduce, Some(relation), Some(roles)) => Act::Reduce(Join {
            relation,
            roles: roles.into(),
            symbol: json.symbol,
            equations: json.equations,
        }),
        (KindJson::Reduce, ..) => {
            return Err("a reduction needs `relation` and `roles`".to_owned().into());
        }
        _ if of_reductions || !json.equations.is_empty() => {
            return Err(
                "only reductions have `relation`, `roles`, `symbol` and `equations`"
                    .to_owned()
                    .into(),
            );
        }
        (KindJson::Shift, ..) => Act::Shift,
        (KindJson::Undo, ..) => Act::Undo,
        (KindJson::Redo, ..) => Act::Redo,
        (KindJson::Edit, ..) => match json.edit {
            Some(edit) => Act::Edit(Box::new(edit.try_into()?)),
            None => return Err("an edit needs `edit`".to_owned().into()),
        },
        (KindJson::Remark, ..) => match json.remark {
            Some(remark) => Act::Remark(Box::new(remark.try_into()?)),
            None => return Err("a remark needs `remark`".to_owned().into()),
        },
    };
    Ok(Recorded {
        act,
        reason: json.reason,
        probability: json.probability,
        seconds: json.seconds,
        context: json.context.map(ContextJson::into_context).transpose()?,
    })
}

fn parse<'l, T: Deserialize<'l>>(line: &'l str) -> std::result::Result<T, Fault> {
    serde_json::from_str(line).map_err(|error| Fault {
        message: json::problem(&error),
        at: Some(error.column().saturating_sub(1)),
    })
}

impl From<&Recorded> for ActionJson {
    fn from(recorded: &Recorded) -> ActionJson {
        let (kind, join) = match &recorded.act {
            Act::Shift => (KindJson::Shift, None),
            Act::Reduce(join) => (KindJson::Reduce, Some(join)),
            Act::Undo => (KindJson::Undo, None),
            Act::Redo => (KindJson::Redo, None),
            Act::Edit(_) => (KindJson::Edit, None),
            Act::Remark(_) => (KindJson::Remark, None),
        };
        let edit = match &recorded.act {
            Act::Edit(edit) => Some(EditJson::from(&**edit)),
            _ => None,
        };
        let remark = match &recorded.act {
            Act::Remark(remark) => Some(RemarkJson::from(&**remark)),
            _ => None,
        };
        ActionJson {
            action: kind,
            relation: join.map(|join| Arc::clone(&join.relation)),
            roles: join.map(|join| join.roles.into()),
            symbol: join.and_then(|join| join.symbol.clone()),
            equations: join.map_or_else(Vec::new, |join| join.equations.clone()),
            edit,
            remark,
            reason: recorded.reason.clone(),
            probability: recorded.probability,
            seconds: recorded.seconds,
            context: recorded.context.as_ref().map(ContextJson::from),
        }
    }
}

impl From<&Context> for ContextJson {
    fn from(context: &Context) -> ContextJson {
        let seen = |seen: &Option<Seen>| seen.as_ref().map(SeenJson::from);
        ContextJson {
            a: seen(&context.a),
            b: seen(&context.b),
            c: seen(&context.c),
            s: seen(&context.s),
            e: seen(&context.e),
        }
    }
}

impl From<&Seen> for SeenJson {
    fn from(seen: &Seen) -> SeenJson {
        SeenJson {
            span: (seen.span.first(), seen.span.last()),
            symbol: Arc::clone(&seen.symbol),
            attributes: attributes_json(&seen.attributes),
        }
    }
}

impl ContextJson {
    fn into_context(self) -> std::result::Result<Context, String> {
        let seen = |seen: Option<SeenJson>| seen.map(SeenJson::into_seen).transpose();
        Ok(Context {
            a: seen(self.a)?,
            b: seen(self.b)?,
            c: seen(self.c)?,
            s: seen(self.s)?,
            e: seen(self.e)?,
        })
    }
}

impl SeenJson {
    fn into_seen(self) -> std::result::Result<Seen, String> {
        let (first, last) = self.span;
        match first.checked_sub(1).filter(|start| *start < last) {
            Some(start) => Ok(Seen {
                span: tree::EduSpan { start, end: last },
                symbol: self.symbol,
                attributes: attributes_from(self.attributes)?,
            }),
            None => Err(format!("no EDUs go from {first} to {last}")),
        }
    }
}

impl From<Roles> for RolesJson {
    fn from(roles: Roles) -> RolesJson {
        match roles {
            Roles::NucleusSatellite => RolesJson::NucleusSatellite,
            Roles::SatelliteNucleus => RolesJson::SatelliteNucleus,
            Roles::NucleusNucleus => RolesJson::NucleusNucleus,
        }
    }
}

impl From<RolesJson> for Roles {
    fn from(roles: RolesJson) -> Roles {
        match roles {
            RolesJson::NucleusSatellite => Roles::NucleusSatellite,
            RolesJson::SatelliteNucleus => Roles::SatelliteNucleus,
            RolesJson::NucleusNucleus => Roles::NucleusNucleus,
        }
    }
}
