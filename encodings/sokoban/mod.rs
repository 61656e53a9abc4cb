//! Sokoban as a graph, as clauses and as a search space.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `graph` | the floor as a petgraph graph; the sides of a cell |
//! | `bounds` | push distances, the matching bound, potential and waste |
//! | `info` | what `list` shows of them |
//! | `single_box` | how many moves one box alone needs |
//! | `space` | packed states for explicit search |
//! | `pulls` | the same from the end, on bits of the grid |
//! | `features` | macro moves, features and advice for feature-space search |
//! | `vars` | the typed variables of the encodings |
//! | `goal` | what a solved position looks like in clauses |
//! | `push_graph` | the cells, pushes and walks that the push encodings speak of |
//! | `pieces` | boxes as pieces that may be dropped, for the learning engine |
//! | `pairs` | what two boxes alone must waste |
//! | `pushes` | one push a step: the encoding of `pushes` |
//! | `horizon` | its strengthening for a horizon: time windows, the waste counter |
//! | `tunnels` | pushes that go on at once |
//! | `parallel` | several pushes a step: the encoding of `any` |
//! | `walker` | from pushes to moves |
//! | `moves` | one move a step: the transition, and the encoding of `moves` |

pub mod bounds;
pub mod features;
mod goal;
pub mod graph;
pub mod horizon;
mod info;
pub mod moves;
mod pairs;
pub mod parallel;
pub mod pieces;
pub mod pulls;
mod push_graph;
pub mod pushes;
mod single_box;
pub mod space;
mod tunnels;
pub mod vars;
mod walker;

pub use bounds::{Bounds, Potential, Push};
pub use features::SokobanFeatures;
pub use graph::{Floor, Sides, Slot, Spot};
pub use moves::SokobanMoves;
pub use parallel::SokobanParallel;
pub use pieces::SokobanPieces;
pub use pulls::SokobanPulls;
pub use pushes::SokobanPushes;
pub use space::SokobanSpace;
pub use vars::{CellCoord, Var};
