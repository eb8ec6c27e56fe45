//! The neural parts, made with candle: a classifier of short texts, and a language model that gives
//! sentences vectors. Without the feature `neural` both say that this build does without them.

#[cfg(not(feature = "neural"))]
mod absent;
#[cfg(feature = "neural")]
mod classifier;
#[cfg(feature = "neural")]
mod language_model;
#[cfg(feature = "neural")]
mod layers;

#[cfg(not(feature = "neural"))]
pub(crate) use absent::{TextClassifier, sentence_vectors};
#[cfg(feature = "neural")]
pub(crate) use classifier::TextClassifier;
#[cfg(feature = "neural")]
pub(crate) use language_model::sentence_vectors;
