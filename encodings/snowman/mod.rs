//! A Good Snowman Is Hard To Build as a graph, as clauses and as a search space.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `graph` | the open cells as a petgraph graph |
//! | `vars` | the typed variables |
//! | `rules` | what a push does, as clauses |
//! | `pushes` | one ball action a step, with the walk inside |
//! | `strengthening` | what strengthens it: counts, snow, dead cells |
//! | `horizon` | what strengthens it for a horizon: time, pushes to spare |
//! | `mirror` | strengthening: levels that look the same in a mirror |
//! | `moves` | one move a step: the transition of certificates |
//! | `bounds` | how many ball actions a position needs at least |
//! | `triples` | the cheapest way to part balls into triples |
//! | `freeze` | stacks that can never move again |
//! | `packing` | positions in a few machine words, up to symmetry |
//! | `space` | the state space for explicit search |

pub mod bounds;
pub mod freeze;
pub mod graph;
pub mod horizon;
mod mirror;
pub mod moves;
pub mod packing;
pub mod pushes;
pub mod rules;
pub mod space;
pub mod strengthening;
pub mod triples;
pub mod vars;

pub use bounds::Bounds;
pub use graph::Ball;
pub use graph::{Floor, Push, Spot};
pub use moves::SnowmanMoves;
pub use pushes::SnowmanPushes;
pub use space::SnowmanSpace;
pub use vars::Var;
