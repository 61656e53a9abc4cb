//! A Good Snowman Is Hard To Build as a graph, as clauses and as a search space.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `board` | the open cells as a petgraph graph |
//! | `vars` | the typed variables |
//! | `rules` | what a push does, as clauses |
//! | `actions` | one ball action a step, with the walk inside |
//! | `windows` | what strengthens it: counts, snow, dead cells |
//! | `waste` | what strengthens it for a horizon: time, pushes to spare |
//! | `moves` | one move a step: the transition of certificates |
//! | `bounds` | how many ball actions a position needs at least |
//! | `parting` | the cheapest way to part balls into triples |
//! | `freeze` | stacks that can never move again |
//! | `packing` | positions in a few machine words, up to symmetry |
//! | `space` | the state space for explicit search |

pub mod actions;
pub mod board;
pub mod bounds;
pub mod freeze;
pub mod moves;
pub mod packing;
pub mod parting;
pub mod rules;
pub mod space;
pub mod vars;
pub mod waste;
pub mod windows;

pub use actions::ActionEncoding;
pub use board::{Board, Push, Spot};
pub use bounds::{Ball, Bounds};
pub use moves::MoveEncoding;
pub use space::SnowmanSpace;
pub use vars::Var;
