//! The files that solvers read and write: DIMACS CNF, DIMSPEC transition problems, solver output.
//!
//! References: the DIMACS format as the SAT competitions use it; DIMSPEC (sections `i`, `u`, `g`,
//! `t`: initial, universal, goal, transition) as IncPlan and other SAT planners read it.

use crate::backend::Clauses;
use std::fmt;
use std::io::{self, BufRead, Write};
use unstuck_encodings::{Lit, Model};

/// Writes clauses as DIMACS CNF, comments first (without the leading `c`).
///
/// # Errors
/// When `out` cannot be written.
pub fn write_cnf(
    out: &mut dyn Write,
    clauses: &dyn Clauses,
    comments: impl IntoIterator<Item = String>,
) -> io::Result<()> {
    for comment in comments {
        writeln!(out, "c {comment}")?;
    }
    writeln!(out, "p cnf {} {}", clauses.variables(), clauses.len())?;
    for index in 0..clauses.len() {
        write_clause(out, clauses.clause(index).iter().map(|lit| lit.to_dimacs()))?;
    }
    Ok(())
}

/// Writes one clause and its closing 0.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_clause(out: &mut dyn Write, numbers: impl IntoIterator<Item = i32>) -> io::Result<()> {
    for number in numbers {
        write!(out, "{number} ")?;
    }
    writeln!(out, "0")
}

/// Reads DIMACS CNF: the number of variables, and the clauses in their order.
///
/// # Errors
/// The line that is not as it should be. Never panics, whatever the input.
pub fn read_cnf(input: impl BufRead) -> Result<(usize, Vec<Vec<Lit>>), OutputError> {
    let mut header: Option<(usize, usize)> = None;
    let mut clauses = Vec::new();
    let mut clause = Vec::new();
    for (index, line) in input.lines().enumerate() {
        let fault = |message: String| OutputError { line: index + 1, message };
        let line = line.map_err(|error| fault(error.to_string()))?;
        if line.starts_with('c') {
            continue;
        }
        if let Some(counts) = line.strip_prefix("p cnf ") {
            let mut counts = counts.split_whitespace().map(str::parse);
            match (counts.next(), counts.next(), counts.next(), header) {
                (Some(Ok(variables)), Some(Ok(count)), None, None) => {
                    header = Some((variables, count));
                }
                _ => return Err(fault("not a header, or a second one".to_owned())),
            }
            continue;
        }
        for word in line.split_whitespace() {
            let (variables, _) = header.ok_or_else(|| fault("no header before this".to_owned()))?;
            let number: i32 =
                word.parse().map_err(|_| fault(format!("`{word}` is not a literal")))?;
            match Lit::from_dimacs(number) {
                None if number == 0 => clauses.push(std::mem::take(&mut clause)),
                Some(lit) if lit.number() as usize <= variables => clause.push(lit),
                _ => return Err(fault(format!("`{word}` is not a literal of this formula"))),
            }
        }
    }
    let whole = |message: String| OutputError { line: 0, message };
    let (variables, count) = header.ok_or_else(|| whole("no header `p cnf`".to_owned()))?;
    if !clause.is_empty() || clauses.len() != count {
        let message = format!("the header promises {count} clauses, there are {}", clauses.len());
        return Err(whole(message));
    }
    Ok((variables, clauses))
}

/// What a solver's output says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// Satisfiable; the literals that it gives.
    Sat(Vec<Lit>),
    /// Unsatisfiable.
    Unsat,
    /// Neither.
    Unknown,
}

/// Why an output cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputError {
    /// Line of the fault, from 1; 0 for the output as a whole.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for OutputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => f.write_str(&self.message),
            line => write!(f, "line {line}: {}", self.message),
        }
    }
}

impl std::error::Error for OutputError {}

/// Reads what a solver printed: `s` and `v` lines in the form of the SAT competitions, or the
/// result file of MiniSat (`SAT`, `UNSAT` or `INDET`, then one line of literals).
///
/// # Errors
/// When there is no status, when two contradict each other, or when the literals are not literals.
/// Never panics, whatever the text.
pub fn read_output(text: &str) -> Result<Said, OutputError> {
    let mut status: Option<Said> = None;
    let mut lits = Vec::new();
    let mut plain_literals = false;
    for (index, line) in text.lines().enumerate() {
        let fault = |message: String| OutputError { line: index + 1, message };
        let line = line.trim_matches(|c: char| c.is_whitespace() || c == '\0');
        let said = match line {
            "s SATISFIABLE" | "SAT" | "SATISFIABLE" => Some(Said::Sat(Vec::new())),
            "s UNSATISFIABLE" | "UNSAT" | "UNSATISFIABLE" => Some(Said::Unsat),
            "s UNKNOWN" | "INDET" | "INDETERMINATE" | "s INDETERMINATE" => Some(Said::Unknown),
            _ => None,
        };
        if let Some(said) = said {
            if status.as_ref().is_some_and(|before| *before != said) {
                return Err(fault("two status lines contradict each other".to_owned()));
            }
            plain_literals = line == "SAT";
            status = Some(said);
            continue;
        }
        let values = match line.strip_prefix('v') {
            Some(rest) if rest.is_empty() || rest.starts_with(char::is_whitespace) => rest,
            _ if plain_literals && !line.is_empty() && !line.starts_with('c') => line,
            _ => continue,
        };
        for word in values.split_whitespace() {
            let number: i32 =
                word.parse().map_err(|_| fault(format!("`{word}` is not a literal")))?;
            if number != 0 {
                let lit = Lit::from_dimacs(number);
                lits.push(lit.ok_or_else(|| fault(format!("`{word}` is not a literal")))?);
            }
        }
    }
    match status {
        Some(Said::Sat(_)) => Ok(Said::Sat(lits)),
        Some(other) => Ok(other),
        None => Err(OutputError {
            line: 0,
            message: "no status line (`s SATISFIABLE`, `s UNSATISFIABLE`, `SAT` or `UNSAT`)"
                .to_owned(),
        }),
    }
}

/// A model from the literals that a solver gave, checked against the formula.
///
/// # Errors
/// When a literal and its negation are given, when a variable is not one of the formula, or when a
/// clause is not satisfied (variables that are not mentioned count as false).
pub fn checked_model(clauses: &dyn Clauses, lits: &[Lit]) -> Result<Model, OutputError> {
    let whole = |message: String| OutputError { line: 0, message };
    let mut given = vec![None; clauses.variables()];
    for &lit in lits {
        let Some(value) = given.get_mut(lit.number() as usize - 1) else {
            let most = clauses.variables();
            return Err(whole(format!("literal {lit}: the formula has {most} variables only")));
        };
        if value.replace(lit.is_positive()).is_some_and(|before| before != lit.is_positive()) {
            let number = lit.number();
            return Err(whole(format!("variable {number} is given as true and as false")));
        }
    }
    let model = Model::new(clauses.variables(), lits.iter().copied());
    let broken = (0..clauses.len())
        .find(|&index| !clauses.clause(index).iter().any(|&lit| model.holds(lit)));
    match broken {
        Some(index) => {
            Err(whole(format!("the literals do not satisfy clause {} of the formula", index + 1)))
        }
        None => Ok(model),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lits(numbers: &[i32]) -> Vec<Lit> {
        numbers.iter().map(|&n| Lit::from_dimacs(n).unwrap()).collect()
    }

    #[test]
    fn competition_output_and_minisat_files_are_read() {
        let said = read_output("c hello\ns SATISFIABLE\nv 1 -2\nv 3 0\n");
        assert_eq!(said, Ok(Said::Sat(lits(&[1, -2, 3]))));
        assert_eq!(read_output("SAT\n1 -2 3 0\n"), Ok(Said::Sat(lits(&[1, -2, 3]))));
        assert_eq!(read_output("\rs UNSATISFIABLE\r\n"), Ok(Said::Unsat));
        assert_eq!(read_output("UNSAT\n"), Ok(Said::Unsat));
        assert_eq!(read_output("INDET\n"), Ok(Said::Unknown));
    }

    #[test]
    fn nonsense_is_refused_with_its_line() {
        assert!(read_output("").is_err());
        assert_eq!(read_output("s SATISFIABLE\nv 1 x 0\n").unwrap_err().line, 2);
        assert_eq!(read_output("s SATISFIABLE\ns UNSATISFIABLE\n").unwrap_err().line, 2);
        assert!(read_output("s SATISFIABLE\nv 99999999999 0").is_err());
        assert!(read_output("s SATISFIABLE\nv -2147483648 0").is_err());
    }
}
