//! Varisat's proofs as LRAT: it keeps, for each lemma, the clauses that became unit on the way to
//! its conflict, in their order. These are the hints of LRAT, so nothing has to be searched for.
//!
//! Varisat numbers the clauses of the formula from 0, in their order, duplicates and tautologies
//! among them, and its lemmas after those that it has loaded: it stops loading when they contradict
//! each other. LRAT counts from 1, and lemmas after all clauses. Nothing here is trusted: the proof
//! is checked like that of any other solver.

use super::limited_writer::LimitedWriter;
use std::io::{self, BufWriter, Write};
use varisat::checker::{CheckedProofStep, CheckerData, ProofProcessor};

/// Writes LRAT while varisat solves, and fails when a limit strikes.
pub(super) struct Lrat<'a, W: Write> {
    out: BufWriter<LimitedWriter<'a, W>>,
    /// Number of clauses of the formula.
    clauses: u64,
    /// How many of them were loaded.
    loaded: u64,
    /// Whether the empty clause is written: nothing comes after it.
    complete: bool,
}

impl<'a, W: Write> Lrat<'a, W> {
    pub(super) fn new(out: LimitedWriter<'a, W>, clauses: u64) -> Self {
        // What is written is written in large pieces, but limits are looked at before each step.
        Self { out: BufWriter::with_capacity(1 << 16, out), clauses, loaded: 0, complete: false }
    }

    /// The number of a clause in LRAT.
    fn number(&self, id: u64) -> u64 {
        id + 1 + if id < self.loaded { 0 } else { self.clauses - self.loaded }
    }

    /// A clause of the formula.
    fn load(&mut self, id: u64) -> io::Result<()> {
        if id != self.loaded {
            return Err(io::Error::other("a lemma before the last clause"));
        }
        self.loaded += 1;
        Ok(())
    }

    fn lemma(
        &mut self,
        id: u64,
        lits: &[varisat::Lit],
        hints: &[u64],
        data: CheckerData<'_, '_>,
    ) -> io::Result<()> {
        write!(self.out, "{}", self.number(id))?;
        for lit in lits {
            let var = data.user_from_proof_var(lit.var());
            let var = var.ok_or_else(|| io::Error::other("a lemma about a hidden variable"))?;
            write!(self.out, " {}", var.lit(lit.is_positive()).to_dimacs())?;
        }
        self.out.write_all(b" 0")?;
        for &hint in hints {
            write!(self.out, " {}", self.number(hint))?;
        }
        self.out.write_all(b" 0\n")?;
        self.complete = lits.is_empty();
        if self.complete { self.out.flush() } else { Ok(()) }
    }
}

impl<W: Write> ProofProcessor for Lrat<'_, W> {
    fn process_step(
        &mut self,
        step: &CheckedProofStep<'_>,
        data: CheckerData<'_, '_>,
    ) -> Result<(), anyhow::Error> {
        self.out.get_mut().poll()?;
        match *step {
            _ if self.complete => {}
            CheckedProofStep::AddClause { id, clause } => {
                self.load(id)?;
                if clause.is_empty() {
                    self.lemma(self.loaded, clause, &[id], data)?;
                }
            }
            CheckedProofStep::DuplicatedClause { id, .. }
            | CheckedProofStep::TautologicalClause { id, .. } => self.load(id)?,
            CheckedProofStep::AtClause { id, clause, propagations, .. } => {
                self.lemma(id, clause, propagations, data)?;
            }
            CheckedProofStep::DeleteClause { id, .. }
            | CheckedProofStep::DeleteAtClause { id, keep_as_redundant: false, .. } => {
                // The first number has no meaning.
                let number = self.number(id);
                writeln!(self.out, "{number} d {number} 0")?;
            }
            _ => {}
        }
        Ok(())
    }
}
