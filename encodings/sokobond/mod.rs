//! Sokobond as a graph, as clauses and as a search space.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `graph` | cells and places of bonds as a petgraph graph |
//! | `vars` | the variables of a layer |
//! | `moves` | one move a step: the encoding, put together from the phases |
//! | `rules` | the rules by name, and what the phases share |
//! | `motion` | who moves, where nothing turns |
//! | `turning` | who moves and where, with rotation |
//! | `carry` | atoms and bonds after the motion; `/` and `+` |
//! | `bonding` | new bonds, strict or ordered; free electrons |
//! | `mirror` | strengthening: levels that look the same in a mirror |
//! | `symmetry` | strengthening: canonical order of moves |
//! | `horizon` | strengthening for a horizon: where the player can be, who can meet in time |
//! | `bounds` | lower bounds on the moves to come |
//! | `degrees` | which elements can be bonded in the end |
//! | `pair_distance` | how far two atoms are from being neighbours |
//! | `fast_rules`, `space` | the rules on small arrays, packed positions for explicit search |
//!
//! Every level gets the clauses that it needs and no others: without `@` all that moves has one
//! direction, without `+` all bonds are single, without `/` none is cut, and the strict reading
//! needs no order.

mod bonding;
pub mod bounds;
mod carry;
pub mod degrees;
pub mod fast_rules;
pub mod graph;
mod horizon;
mod mirror;
mod motion;
pub mod moves;
pub mod pair_distance;
pub mod rules;
pub mod space;
mod symmetry;
mod turning;
pub mod vars;

#[cfg(test)]
mod tests;

pub use graph::Floor;
pub use moves::SokobondMoves;
pub use space::SokobondSpace;
pub use vars::{CellCoord, Link, Var};
