//! The one-move transition as clauses, and what lists of states say of it.
//!
//! Closed sets ([`crate::closed`]) and invariants ([`crate::invariant`]) are lists of cubes with
//! [`Budget`]s over one step of the game; they differ in where the list comes from and in how it is
//! checked. What they share is here.
//!
//! * [`TransitionRelation`]: the one-move transition, compiled once.
//! * [`CubeList`]: cubes with their budgets as text.
//! * [`Induction`]: the three formulas of a list of cubes.
//! * [`PotentialEncoding`]: a potential as definitions in these formulas, so that nothing rests on it.
//! * [`list_format`]: reading the lists of certificates.
//! * [`lrat`]: the proofs of the three formulas, without a solver.

mod budget;
mod cubes;
mod error;
mod induction;
mod ladder;
pub mod list_format;
pub mod lrat;
mod potential;
mod relation;

pub use budget::{Budget, counted, counted_for};
pub use cubes::{CubeList, NOT, NamedCube};
pub use induction::{CostModel, Induction, Obligation};
pub use potential::{PotentialEncoding, Term};
pub use relation::TransitionRelation;
