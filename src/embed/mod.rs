//! The first representation: the paper's Section 3.
//!
//! Lexical cores become [`Phrases`], phrases are numbered by a [`Vocabulary`], a [`Trainer`] learns
//! a vector for each by loss (100), and a [`Model`] keeps them. A core is the vector
//! (t', a', o', s'); a text's [impact](Impacts) is the sum or the mean of its cores (Algorithm 1). Over impacts
//! there are exact [neighbours], balanced [clusters](cluster_points) and the [topic] check of
//! Section 8.

mod clusters;
mod cores;
mod impacts;
mod json;
mod model;
pub mod neighbours;
mod phrase;
mod principal;
mod seed;
mod store;
mod table;
pub mod topic;
mod train;
mod vocabulary;

pub use clusters::{Cluster, ClusterJson, cluster_points};
pub use cores::CorpusCores;
pub use impacts::{Embedder, Impact, ImpactJson, ImpactKind, Impacts, Origins};
pub use json::json_schemas;
pub use model::{Memorized, Model, Near};
pub(crate) use phrase::core_phrases;
pub use phrase::{Phrase, PhraseReader, Phrases, TimeGrain};
pub use principal::PrincipalAxes;
pub(crate) use seed::{Purpose, stream};
pub use table::Table;
pub use train::{AdamKind, Distance, Epoch, Parameters, Trainer};
pub use vocabulary::{CoreSet, Vocabulary};

use crate::named::named_enum;

/// The four parts of a core.
pub const ROLES: usize = 4;

/// A core as rows of the four tables; 0 for a part that is missing.
pub type Quad = [u32; ROLES];

named_enum! {
    /// A part of a core.
    #[derive(
        Debug,
        Clone,
        Copy,
        PartialEq,
        Eq,
        PartialOrd,
        Ord,
        Hash,
        serde::Serialize,
        serde::Deserialize,
        schemars::JsonSchema,
    )]
    #[serde(rename_all = "lowercase")]
    pub enum Role {
        /// When.
        Time = "time",
        /// Who, or where.
        Agent = "agent",
        /// What.
        Object = "object",
        /// How.
        State = "state",
    }
}
