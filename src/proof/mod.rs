//! Proofs of unsatisfiability: writing them. The checker of the crate `unstuck-check` accepts one form
//! ([`lrat`]), in which every lemma follows by unit propagation through the clauses that it names.
//!
//! * [`derivation`]: lemmas with the clauses that imply them; trims and writes them as LRAT.
//! * [`forward`]: finds these clauses for lemmas that come without, from [`drat`] proofs.
//! * [`propagate`]: unit propagation that remembers reasons, for proofs that need no solver.
//! * [`probing`]: literals that fail under unit propagation, before a solver is asked.

pub mod derivation;
pub mod drat;
pub mod forward;
pub mod probing;
pub mod propagate;

pub use unstuck_check::proof::*;
