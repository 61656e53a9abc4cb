//! Finding closed sets: lower bounds and unsolvability without a horizon. What a closed set is, and
//! what verifies it, is in the crate `unstuck-check`; it shares nothing with this search.

pub mod close;
mod goal_distances;

pub use unstuck_check::closed::*;
