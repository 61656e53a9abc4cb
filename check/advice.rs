//! What the caller can do about an error, as data. The library names no flag: the command line says
//! it in its own words.

/// The way out of an error. It may grow: whoever shows it needs words for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advice {
    /// Ask a SAT solver: there are no moves to search through.
    SatEngine,
    /// Take the strongest evidence that can be had.
    AnyEvidence,
    /// Take a closed set as evidence.
    ClosedSet,
    /// Take the refutation of a horizon as evidence.
    Horizon,
    /// Leave the formulas of a closed set out: the list alone is a certificate.
    ListAlone,
    /// Write the formulas of a closed set and their proofs as well.
    WithFormulas,
    /// Have the program that wrote it check it, or prove the claim again.
    ProveAgain,
    /// Take a solver that writes proofs.
    ProvingSolver,
    /// Allow that what is there is replaced.
    Replace,
}
