//! Sokoban as a graph, as clauses and as a search space.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `floor` | the floor as a petgraph graph; the sides of a cell |
//! | `matching` | minimum-cost matching of boxes to goals |
//! | `bounds` | push distances, the matching bound, potential and waste |
//! | `space` | packed states for explicit search |

pub mod bounds;
pub mod floor;
pub mod matching;
pub mod space;

pub use bounds::{Bounds, Potential, Push};
pub use floor::{Floor, Sides, Slot, Spot};
pub use space::SokobanSpace;
