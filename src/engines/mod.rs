//! The engines: a file each. They know the ledger, and none of them another one.
//!
//! The kernels (A*, feature-space search, learning and so on) have rooms of their own; here stands
//! what their ends mean. Which of them works when is said in [`crate::solve::schedule`].

pub use crate::ledger::{Budget, Engine, EngineEnd, Goal, Ledger, Task, Work};

pub mod backward;
pub mod counting;
pub mod features;
pub mod horizons;
pub mod improvement;
pub mod invariant;
pub mod learning;
pub mod search;
pub mod steps;
pub mod weighted;

pub(crate) mod plans;
pub(crate) mod sat;
