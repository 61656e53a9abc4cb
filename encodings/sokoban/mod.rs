//! Sokoban as a graph, as clauses and as a search space.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `floor` | the floor as a petgraph graph; the sides of a cell |
//! | `matching` | minimum-cost matching of boxes to goals |
//! | `bounds` | push distances, the matching bound, potential and waste |
//! | `facts` | what `info` shows of them |
//! | `space` | packed states for explicit search |
//! | `vars` | the typed variables of the encodings |
//! | `scope` | the cells, pushes and walks that the push encodings speak of |
//! | `pairs` | what two boxes alone must waste |
//! | `push` | one push a step: the encoding of `pushes` |
//! | `waste` | its strengthening for a horizon: time windows, the waste counter |
//! | `parallel` | several pushes a step: the encoding of `any` |
//! | `walker` | from pushes to moves |
//! | `moves` | one move a step: the transition, and the encoding of `moves` |

pub mod bounds;
mod facts;
pub mod floor;
pub mod matching;
pub mod moves;
mod pairs;
pub mod parallel;
pub mod push;
mod scope;
pub mod space;
pub mod vars;
mod walker;
pub mod waste;

pub use bounds::{Bounds, Potential, Push};
pub use floor::{Floor, Sides, Slot, Spot};
pub use moves::MoveEncoding;
pub use parallel::ParallelEncoding;
pub use push::PushEncoding;
pub use space::SokobanSpace;
pub use vars::{Place, Var};
