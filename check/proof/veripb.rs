//! LRAT proofs in the format of VeriPB, a checker of pseudo-Boolean proofs with a formally verified
//! back end.
//!
//! A clause is the constraint that the sum of its literals is at least 1, and a lemma with its hints
//! is one step `rup`. Variables are called as VeriPB calls those of a DIMACS file.
//!
//! Reference: Bogaerts, Gocht, McCreesh, Nordström, "Certified Dominance and Symmetry Breaking for
//! Combinatorial Optimisation", JAIR 2023.

use super::clock::Clock;
use super::lrat::{Kind, Step, read_step};
use super::tokens::Tokens;
use super::{ProofError, ProofStats};
use crate::formula::dimacs::CnfReader;
use crate::formula::pseudo_boolean::name;
use crate::limits::Limits;
use hashbrown::HashMap;
use std::io::{self, BufRead, BufWriter, Read, Write};
use unstuck_encodings::Lit;

/// The extension of files in this format.
pub const EXTENSION: &str = "pbp";

/// The extension of files with pseudo-Boolean formulas.
pub const FORMULA_EXTENSION: &str = "opb";

/// Translates an LRAT proof of a formula, of which only the header is read. Checks nothing: a wrong
/// proof becomes a wrong one.
///
/// # Errors
/// When one of both cannot be read, the translation cannot be written, or a limit strikes.
pub fn translate(
    formula: impl BufRead,
    proof: impl BufRead,
    out: &mut dyn Write,
    limits: &Limits,
) -> Result<ProofStats, ProofError> {
    let header = CnfReader::new(formula).map_err(|error| ProofError::Io(error.to_string()))?;
    let mut tokens = Tokens::new(proof, false, header.variables());
    let binary = tokens.looks_binary()?;
    tokens.set_binary(binary);
    // Lemmas are numbered in their order here, behind the clauses.
    let mut numbers: HashMap<u64, u64> = HashMap::new();
    let mut clock = Clock::new(limits);
    let mut step = Step::default();
    let mut stats = ProofStats::default();
    let mut writer = ProofWriter::new(out, header.promised() as u64)?;
    loop {
        tokens.step = stats.steps + 1;
        let Some(kind) = read_step(&mut tokens, &mut step)? else {
            return Err(ProofError::Unfinished { steps: stats.steps });
        };
        clock.spend(1 + step.lits.len() + step.hints.len())?;
        stats.steps += 1;
        if kind == Kind::Deletion {
            let ids: Vec<u64> =
                step.hints.iter().map(|id| numbers.remove(id).unwrap_or(*id)).collect();
            writer.delete(&ids)?;
            continue;
        }
        let hints: Vec<u64> =
            step.hints.iter().map(|id| numbers.get(id).copied().unwrap_or(*id)).collect();
        numbers.insert(step.id, writer.clause(&step.lits, &hints)?);
        stats.lemmas += 1;
        if step.lits.is_empty() {
            writer.finish()?;
            return Ok(stats);
        }
    }
}

/// Writes a proof in VeriPB's format.
pub struct ProofWriter<W> {
    out: W,
    last: u64,
}

impl<W: Write> ProofWriter<W> {
    /// Begins a proof about a formula of so many constraints.
    ///
    /// # Errors
    /// When the output cannot be written, as in all that follows.
    pub fn new(mut out: W, constraints: u64) -> io::Result<Self> {
        writeln!(out, "pseudo-Boolean proof version 3.0\nf {constraints} ;")?;
        Ok(Self { out, last: constraints })
    }

    /// A clause that follows by propagation through constraints; its number.
    pub fn clause(&mut self, lits: &[Lit], hints: &[u64]) -> io::Result<u64> {
        write!(self.out, "rup")?;
        for &lit in lits {
            write!(self.out, " 1 {}", name(lit))?;
        }
        write!(self.out, " >= 1 :")?;
        for id in hints {
            write!(self.out, " {id}")?;
        }
        // The last hint is the negation of the clause itself.
        writeln!(self.out, " ~ ;")?;
        self.last += 1;
        Ok(self.last)
    }

    /// The sum of constraints; its number.
    pub fn sum(&mut self, first: u64, others: impl IntoIterator<Item = u64>) -> io::Result<u64> {
        write!(self.out, "pol {first}")?;
        for id in others {
            write!(self.out, " {id} +")?;
        }
        writeln!(self.out, " ;")?;
        self.last += 1;
        Ok(self.last)
    }

    /// Constraints that are not needed again.
    pub fn delete(&mut self, ids: &[u64]) -> io::Result<()> {
        if ids.is_empty() {
            return Ok(());
        }
        write!(self.out, "del id")?;
        for id in ids {
            write!(self.out, " {id}")?;
        }
        writeln!(self.out, " ;")
    }

    /// Ends the proof with what was derived last, which nothing satisfies.
    pub fn finish(mut self) -> io::Result<()> {
        let last = self.last;
        writeln!(self.out, "output NONE ;\nconclusion UNSAT : {last} ;\nend pseudo-Boolean proof ;")
    }
}

/// Whether a file is what [`translate`] makes of a proof, byte for byte.
///
/// # Errors
/// Like [`translate`].
pub fn is_translation(
    formula: impl BufRead,
    proof: impl BufRead,
    file: impl Read,
    limits: &Limits,
) -> Result<bool, ProofError> {
    is_same(file, |out| translate(formula, proof, out, limits).map(|_| ()))
}

/// Whether a file is what `write` writes, byte for byte.
///
/// # Errors
/// What `write` says, unless the file differs before that.
pub fn is_same(
    file: impl Read,
    write: impl FnOnce(&mut dyn Write) -> Result<(), ProofError>,
) -> Result<bool, ProofError> {
    let mut comparing = BufWriter::with_capacity(1 << 16, Comparing { file, differs: false });
    let written = write(&mut comparing).and_then(|()| Ok(comparing.flush()?));
    let Comparing { mut file, differs } = comparing.into_parts().0;
    if differs {
        return Ok(false);
    }
    written?;
    Ok(file.read(&mut [0])? == 0)
}

/// Takes what a file holds, and nothing else.
struct Comparing<R> {
    file: R,
    differs: bool,
}

impl<R: Read> Write for Comparing<R> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut own = vec![0; bytes.len()];
        let read = self.file.read_exact(&mut own);
        self.differs |= match &read {
            Ok(()) => own != bytes,
            Err(error) => error.kind() == io::ErrorKind::UnexpectedEof,
        };
        read?;
        if self.differs { Err(io::ErrorKind::InvalidData.into()) } else { Ok(bytes.len()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMULA: &[u8] = b"c all four\np cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n";
    const PROOF: &[u8] = b"7 1 0 1 2 0\n7 d 1 2 0\n9 0 7 3 4 0\n";
    const TRANSLATED: &str = "pseudo-Boolean proof version 3.0\nf 4 ;\n\
                              rup 1 x1 >= 1 : 1 2 ~ ;\ndel id 1 2 ;\nrup >= 1 : 5 3 4 ~ ;\n\
                              output NONE ;\nconclusion UNSAT : 6 ;\nend pseudo-Boolean proof ;\n";

    #[test]
    fn lemmas_are_numbered_behind_the_clauses() {
        let mut out = Vec::new();
        translate(FORMULA, PROOF, &mut out, &Limits::none()).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), TRANSLATED);
    }

    #[test]
    fn only_the_translation_is_the_translation() {
        let same = |file: &str| is_translation(FORMULA, PROOF, file.as_bytes(), &Limits::none());
        assert_eq!(same(TRANSLATED), Ok(true));
        for at in 0..TRANSLATED.len() {
            assert_eq!(same(&TRANSLATED[..at]), Ok(false), "{at}");
            let mut other = TRANSLATED.as_bytes().to_vec();
            other[at] ^= 1;
            assert_eq!(same(&String::from_utf8(other).unwrap()), Ok(false), "{at}");
        }
        assert_eq!(same(&format!("{TRANSLATED}\n")), Ok(false));
    }

    #[test]
    fn what_ends_without_a_refutation_is_none() {
        let mut out = Vec::new();
        let unfinished = translate(FORMULA, &PROOF[..12], &mut out, &Limits::none());
        assert_eq!(unfinished, Err(ProofError::Unfinished { steps: 1 }));
    }
}
