//! The JSON schemas of what `arsg embed` and `arsg cluster` print for machines.

use super::neighbours::PairJson;
use super::topic::TopicCheck;
use super::{ClusterJson, Epoch, ImpactJson, Near};
use crate::json;

/// The schemas by the names of their files under `schemas/json`.
pub fn json_schemas() -> [(&'static str, String); 6] {
    [
        ("epoch", json::schema::<Epoch>()),
        ("near", json::schema::<Near>()),
        ("impact", json::schema::<ImpactJson>()),
        ("pair", json::schema::<PairJson>()),
        ("cluster", json::schema::<ClusterJson>()),
        ("topic-check", json::schema::<TopicCheck>()),
    ]
}
