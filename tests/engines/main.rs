//! The engines and what they stand on: solvers, closed sets, invariants, patterns, searches.

#[path = "../common/mod.rs"]
mod common;

mod backends;
mod backward;
mod closed;
mod confine;
mod feature_search;
mod improve;
mod invariant;
mod pattern_sums;
mod patterns;
mod schedules;
