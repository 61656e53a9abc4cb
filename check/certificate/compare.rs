//! A stored formula compared with the same one compiled again.

use crate::formula::Clauses;
use crate::formula::dimacs::{self, CnfReader};
use std::io::BufRead;
use unstuck_encodings::Lit;

/// How a stored formula differs from the one compiled again.
pub(super) enum Difference {
    Unreadable(dimacs::OutputError),
    Counts { what: &'static str, stored: usize, own: usize },
    Clause(usize),
}

impl From<dimacs::OutputError> for Difference {
    fn from(error: dimacs::OutputError) -> Self {
        Self::Unreadable(error)
    }
}

/// Reads a formula beside the one compiled again; the clauses that follow after its last one.
pub(super) fn compare<'n>(
    input: impl BufRead,
    own: &dyn Clauses,
    comments: impl IntoIterator<Item = String> + 'n,
) -> Result<Vec<Vec<Lit>>, Difference> {
    let mut stored = CnfReader::with_comments(input, comments)?;
    if stored.variables() != own.variables() {
        let counts = (stored.variables(), own.variables());
        return Err(Difference::Counts { what: "variables", stored: counts.0, own: counts.1 });
    }
    if stored.promised() < own.len() {
        let counts = (stored.promised(), own.len());
        return Err(Difference::Counts { what: "clauses", stored: counts.0, own: counts.1 });
    }
    let mut further = Vec::new();
    let mut index = 0;
    while let Some(clause) = stored.next_clause()? {
        match index < own.len() {
            true if clause != own.clause(index) => return Err(Difference::Clause(index + 1)),
            true => {}
            false => further.push(clause.to_vec()),
        }
        index += 1;
    }
    Ok(further)
}
