//! A Good Snowman Is Hard To Build as a graph, as clauses and as a search space.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `board` | the open cells as a petgraph graph |
//! | `bounds` | how many ball actions a position needs at least |
//! | `packing` | positions in a few machine words, up to symmetry |
//! | `space` | the state space for explicit search |

pub mod board;
pub mod bounds;
pub mod packing;
pub mod space;

pub use board::{Board, Push, Spot};
pub use bounds::{Ball, Bounds};
pub use space::SnowmanSpace;
