//! The JSON schemas of what `arsg embed` and `arsg cluster` print for machines.

use schemars::{JsonSchema, schema_for};

use super::neighbours::PairJson;
use super::topic::TopicCheck;
use super::{ClusterJson, Epoch, ImpactJson, Near};

/// The schemas by the names of their files under `schemas/json`.
pub fn json_schemas() -> [(&'static str, String); 6] {
    [
        ("epoch", json_schema::<Epoch>()),
        ("near", json_schema::<Near>()),
        ("impact", json_schema::<ImpactJson>()),
        ("pair", json_schema::<PairJson>()),
        ("cluster", json_schema::<ClusterJson>()),
        ("topic-check", json_schema::<TopicCheck>()),
    ]
}

/// The JSON schema of a type, laid out for people.
pub(crate) fn json_schema<T: JsonSchema>() -> String {
    let schema = serde_json::to_string_pretty(&schema_for!(T));
    schema.map_or_else(|_| String::new(), |text| text + "\n")
}
