//! The JSON schemas of what `arsg embed` and `arsg cluster` print for machines.

use schemars::{JsonSchema, schema_for};

use super::neighbours::PairJson;
use super::topic::TopicCheck;
use super::{ClusterJson, Epoch, ImpactJson, Near};

/// The schemas by the names of their files under `schemas/json`.
pub fn json_schemas() -> [(&'static str, String); 6] {
    [
        ("epoch", pretty::<Epoch>()),
        ("near", pretty::<Near>()),
        ("impact", pretty::<ImpactJson>()),
        ("pair", pretty::<PairJson>()),
        ("cluster", pretty::<ClusterJson>()),
        ("topic-check", pretty::<TopicCheck>()),
    ]
}

fn pretty<T: JsonSchema>() -> String {
    let schema = serde_json::to_string_pretty(&schema_for!(T));
    schema.map_or_else(|_| String::new(), |text| text + "\n")
}
