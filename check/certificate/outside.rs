//! Independent checkers of proofs, which the caller may bring.

use crate::limits::{Limits, Stop};
use std::path::Path;

/// A checker that shares nothing with this one.
pub trait OutsideChecker {
    /// Its name.
    fn name(&self) -> &str;

    /// Has it judge the proof of a formula: LRAT of clauses, or VeriPB's format of pseudo-Boolean
    /// constraints, as the names of the files say.
    fn check(&self, formula: &Path, proof: &Path, limits: &Limits) -> ExternalCheck;
}

/// How an outside checker ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExternalCheck {
    /// It accepts the proof, in these words.
    Accepts(String),
    /// It does not.
    Rejects(String),
    /// It cannot be run, does not read such proofs, or ended without a verdict.
    Missing(String),
    /// A limit struck.
    Stopped(Stop),
}
