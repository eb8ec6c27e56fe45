//! rsd: discourse dependencies, an EDU a line, ten columns between tabs.
//!
//! The head of a node is its nucleus, of several nuclei the leftmost. Every other child hangs on
//! it, `_r` as a satellite and `_m` as a further nucleus; the third column says how many nodes lie
//! between the head's EDU and the sibling that was joined, so that the tree can be built again.

mod read;
mod signal;
mod write;

pub(super) use read::read;
pub(super) use write::write;
