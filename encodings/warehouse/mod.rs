//! Warehouse as clauses, as a packed state space, and its bounds.
//!
//! Boxes have no identity: a variable says that some box of a width has its left cell here. What
//! a push moves is a least fixpoint along the direction of the push (`rules`). Two encodings
//! share it: one instruction a step ([`WarehouseMoves`]), which is also the one-move transition of
//! closed-set certificates, and one push a step with the walk inside ([`WarehousePushes`]). Blocked
//! instructions change nothing and are left out of plans.

mod bounds;
mod goal;
mod graph;
mod horizon;
mod known_plan;
mod moves;
mod pushes;
mod rules;
mod space;
mod vars;

#[cfg(test)]
mod tests;

pub use moves::WarehouseMoves;
pub use pushes::WarehousePushes;
pub use space::WarehouseSpace;
pub use vars::{Berth, CellCoord, Var};
