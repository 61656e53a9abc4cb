//! The one-move transition as clauses, and what lists of states say of it.
//!
//! Closed sets ([`crate::closed`]) and invariants are lists of cubes with
//! [`Budget`]s over one step of the game; they differ in where the list comes from and in how it is
//! checked. What they share is here.
//!
//! * [`TransitionRelation`]: the one-move transition, compiled once.
//! * [`CubeList`]: cubes with their budgets as text.
//! * [`Induction`]: the three formulas of a list of cubes.
//! * [`PotentialEncoding`]: a potential as definitions in these formulas, so that nothing rests on it.
//! * [`list_format`]: reading the lists of certificates.
//! * [`StepGuide`]: the three formulas of a list, and where its steps lead.

mod budget;
mod cubes;
mod error;
mod induction;
pub mod list_format;
mod potential;
mod relation;
mod step_guide;

pub use budget::{Budget, counted, counted_for};
pub use cubes::{CubeList, NOT, NamedCube};
pub use error::{WriteError, unfit};
pub use induction::{CostModel, Induction, Obligation};
pub use potential::{PotentialEncoding, Remainder, Term, TermClauses};
pub use relation::TransitionRelation;
pub(crate) use relation::literal;
pub use step_guide::StepGuide;
