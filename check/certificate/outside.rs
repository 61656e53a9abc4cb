//! Independent checkers of proofs, which the caller may bring.

use crate::limits::{Limits, Stop};
use std::path::Path;

/// A checker that shares nothing with this one.
pub trait OutsideChecker {
    /// Its name.
    fn name(&self) -> &str;

    /// Has it judge the LRAT proof of a formula.
    fn check(&self, cnf: &Path, proof: &Path, limits: &Limits) -> ExternalCheck;
}

/// How an outside checker ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExternalCheck {
    /// It accepts the proof, in these words.
    Accepts(String),
    /// It does not.
    Rejects(String),
    /// It cannot be run, or reads no LRAT.
    Missing(String),
    /// A limit struck.
    Stopped(Stop),
}
