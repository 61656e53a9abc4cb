//! The files that solvers read and write: DIMACS CNF, DIMSPEC transition problems, solver output.
//!
//! References: the DIMACS format as the SAT competitions use it; DIMSPEC (sections `i`, `u`, `g`,
//! `t`: initial, universal, goal, transition) as IncPlan and other SAT planners read it.

use super::Clauses;
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
    let mut line = Vec::new();
    for index in 0..clauses.len() {
        line.clear();
        for lit in clauses.clause(index) {
            push_decimal(&mut line, i64::from(lit.to_dimacs()));
        }
        line.extend_from_slice(b"0\n");
        out.write_all(&line)?;
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

/// Appends a number and a space.
pub fn push_decimal(line: &mut Vec<u8>, number: i64) {
    let mut digits = [0; 20];
    let mut at = digits.len();
    let mut rest = number.unsigned_abs();
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if number < 0 {
        line.push(b'-');
    }
    line.extend_from_slice(&digits[at..]);
    line.push(b' ');
}

/// DIMACS CNF as a stream: memory holds one clause.
pub struct CnfReader<'a, R> {
    input: R,
    /// The comments that belong before the header, where they are judged at all.
    comments: Option<Box<dyn Iterator<Item = String> + 'a>>,
    line: Vec<u8>,
    /// Where the next word of the line begins.
    at: usize,
    number: usize,
    variables: usize,
    promised: usize,
    read: usize,
    clause: Vec<Lit>,
}

impl<'a, R: BufRead> CnfReader<'a, R> {
    /// Reads as far as the header, past any comments.
    ///
    /// # Errors
    /// When there is none, or it cannot be understood. Never panics, whatever the input.
    pub fn new(input: R) -> Result<Self, OutputError> {
        Self::begin(input, None)
    }

    /// Reads as far as the header; before it these comments (without the leading `c`) must stand,
    /// and no others anywhere: people read them.
    ///
    /// # Errors
    /// Like [`CnfReader::new`]; the comment that is another one.
    pub fn with_comments(
        input: R,
        comments: impl IntoIterator<Item = String> + 'a,
    ) -> Result<Self, OutputError> {
        Self::begin(input, Some(Box::new(comments.into_iter())))
    }

    fn begin(
        input: R,
        comments: Option<Box<dyn Iterator<Item = String> + 'a>>,
    ) -> Result<Self, OutputError> {
        let mut reader = Self {
            input,
            comments,
            line: Vec::new(),
            at: 0,
            number: 0,
            variables: 0,
            promised: 0,
            read: 0,
            clause: Vec::new(),
        };
        if !reader.next_line()? {
            return Err(OutputError { line: 0, message: "no header `p cnf`".to_owned() });
        }
        let header = String::from_utf8_lossy(&reader.line).into_owned();
        let counts = header.trim_end().strip_prefix("p cnf ").unwrap_or_default();
        let mut counts = counts.split_whitespace().map(str::parse);
        match (counts.next(), counts.next(), counts.next()) {
            (Some(Ok(variables)), Some(Ok(promised)), None) => {
                (reader.variables, reader.promised) = (variables, promised);
            }
            _ => return Err(reader.fault("the header `p cnf VARIABLES CLAUSES` belongs here")),
        }
        reader.at = reader.line.len();
        if let Some(missing) = reader.comments.as_mut().and_then(Iterator::next) {
            return Err(reader.fault(&format!("before it the comment `c {missing}` is missing")));
        }
        Ok(reader)
    }

    /// Number of variables that the header promises.
    pub fn variables(&self) -> usize {
        self.variables
    }

    /// Number of clauses that the header promises.
    pub fn promised(&self) -> usize {
        self.promised
    }

    /// The next clause; `None` at the end.
    ///
    /// # Errors
    /// The line that is not as it should be, or a number of clauses that is not the promised one.
    /// Never panics, whatever the input.
    pub fn next_clause(&mut self) -> Result<Option<&[Lit]>, OutputError> {
        self.clause.clear();
        loop {
            let Some(word) = self.next_word()? else {
                if self.read == self.promised && self.clause.is_empty() {
                    return Ok(None);
                }
                let (promised, read) = (self.promised, self.read);
                let message = format!("the header promises {promised} clauses, there are {read}");
                return Err(OutputError { line: 0, message });
            };
            let text = std::str::from_utf8(&self.line[word.clone()]).ok();
            match text.and_then(|text| text.parse::<i32>().ok()) {
                Some(0) => break,
                number => match number.and_then(Lit::from_dimacs) {
                    Some(lit) if lit.number() as usize <= self.variables => self.clause.push(lit),
                    _ => {
                        let text = String::from_utf8_lossy(&self.line[word]).into_owned();
                        return Err(self.fault(&format!("`{text}` is not a literal here")));
                    }
                },
            }
        }
        self.read += 1;
        Ok(Some(&self.clause))
    }

    /// Where the next word is in the line, in a further one if need be.
    fn next_word(&mut self) -> Result<Option<std::ops::Range<usize>>, OutputError> {
        loop {
            let space = |byte: &u8| byte.is_ascii_whitespace();
            let rest = &self.line[self.at..];
            if let Some(skipped) = rest.iter().position(|byte| !space(byte)) {
                let start = self.at + skipped;
                let length = self.line[start..].iter().position(space);
                self.at = length.map_or(self.line.len(), |length| start + length);
                return Ok(Some(start..self.at));
            }
            if !self.next_line()? {
                return Ok(None);
            }
        }
    }

    /// Reads the next line that is no comment; `false` at the end.
    fn next_line(&mut self) -> Result<bool, OutputError> {
        loop {
            self.line.clear();
            self.at = 0;
            self.number += 1;
            let read = self.input.read_until(b'\n', &mut self.line);
            match read.map_err(|error| self.fault(&error.to_string()))? {
                0 => return Ok(false),
                _ if self.line.starts_with(b"c") => self.judge_comment()?,
                _ => return Ok(true),
            }
        }
    }

    fn judge_comment(&mut self) -> Result<(), OutputError> {
        let Some(comments) = &mut self.comments else { return Ok(()) };
        let own = comments.next();
        let said = self.line.strip_suffix(b"\n").unwrap_or(&self.line);
        match own {
            Some(own) if said.strip_prefix(b"c ") == Some(own.as_bytes()) => Ok(()),
            Some(own) => Err(self.fault(&format!("the comment `c {own}` belongs here"))),
            None => Err(self.fault("no comment belongs here")),
        }
    }

    fn fault(&self, message: &str) -> OutputError {
        OutputError { line: self.number, message: message.to_owned() }
    }
}

/// What a solver's output says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SolverStatus {
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
/// result file of MiniSat (`SAT`, `UNSAT` or `INDET`, then one line of literals). CaDiCaL says at a
/// limit `c UNKNOWN`, and nothing else.
///
/// # Errors
/// When there is no status, when two contradict each other, or when the literals are not literals.
/// Never panics, whatever the text.
pub fn read_output(text: &str) -> Result<SolverStatus, OutputError> {
    let mut status: Option<SolverStatus> = None;
    let mut lits = Vec::new();
    let (mut plain_literals, mut gave_up) = (false, false);
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let fault = |message: String| OutputError { line: index + 1, message };
        let line = line.trim_matches(|c: char| c.is_whitespace() || c == '\0');
        let said = match line {
            "s SATISFIABLE" | "SAT" | "SATISFIABLE" => Some(SolverStatus::Sat(Vec::new())),
            "s UNSATISFIABLE" | "UNSAT" | "UNSATISFIABLE" => Some(SolverStatus::Unsat),
            "s UNKNOWN" | "INDET" | "INDETERMINATE" | "s INDETERMINATE" => {
                Some(SolverStatus::Unknown)
            }
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
        gave_up |= line == "c UNKNOWN";
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
        Some(SolverStatus::Sat(_)) => Ok(SolverStatus::Sat(lits)),
        Some(other) => Ok(other),
        None if gave_up => Ok(SolverStatus::Unknown),
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
        Some(_) if lits.is_empty() => {
            Err(whole("the answer has no literals (`v` lines)".to_owned()))
        }
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
        assert_eq!(said, Ok(SolverStatus::Sat(lits(&[1, -2, 3]))));
        assert_eq!(read_output("SAT\n1 -2 3 0\n"), Ok(SolverStatus::Sat(lits(&[1, -2, 3]))));
        assert_eq!(read_output("\rs UNSATISFIABLE\r\n"), Ok(SolverStatus::Unsat));
        assert_eq!(read_output("UNSAT\n"), Ok(SolverStatus::Unsat));
        assert_eq!(read_output("INDET\n"), Ok(SolverStatus::Unknown));
        // CaDiCaL at a limit; where there is a status line that one counts.
        assert_eq!(read_output("c ---\nc UNKNOWN\nc exit 0\n"), Ok(SolverStatus::Unknown));
        assert_eq!(read_output("c UNKNOWN\ns UNSATISFIABLE\n"), Ok(SolverStatus::Unsat));
        assert_eq!(read_output("\u{feff}s UNSATISFIABLE\n"), Ok(SolverStatus::Unsat));
    }

    fn read_all(text: &str) -> Result<Vec<Vec<Lit>>, OutputError> {
        let mut reader = CnfReader::new(text.as_bytes())?;
        let mut clauses = Vec::new();
        while let Some(clause) = reader.next_clause()? {
            clauses.push(clause.to_vec());
        }
        Ok(clauses)
    }

    #[test]
    fn clauses_are_read_as_they_come() {
        let clauses = Ok(vec![lits(&[1, -2]), lits(&[]), lits(&[2])]);
        assert_eq!(read_all("c note\np cnf 2 3\n1 -2 0\n0\n2 0\n"), clauses);
        assert_eq!(read_all("p cnf 2 3\n1\nc note\n-2 0 0 2 0"), clauses, "lines mean nothing");
        assert_eq!(read_all("p cnf 0 0\n"), Ok(Vec::new()));
    }

    #[test]
    fn comments_are_judged_where_that_is_asked_for() {
        let read = |text: &str| {
            let names = ["v 1 a", "v 2 b"].map(str::to_owned);
            let mut reader = CnfReader::with_comments(text.as_bytes(), names)?;
            while reader.next_clause()?.is_some() {}
            Ok::<_, OutputError>(())
        };
        assert_eq!(read("c v 1 a\nc v 2 b\np cnf 2 1\n1 0\n"), Ok(()));
        for (text, line, reason) in [
            ("c v 1 a\np cnf 2 1\n1 0\n", 2, "`c v 2 b` is missing"),
            ("c v 2 b\nc v 1 a\np cnf 2 1\n1 0\n", 1, "`c v 1 a` belongs here"),
            ("c v 1 a\nc v 2 b\nc\np cnf 2 1\n1 0\n", 3, "no comment belongs here"),
            ("c v 1 a\nc v 2 b\np cnf 2 1\n1 0\nc x\n", 5, "no comment belongs here"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.line == line && error.message.contains(reason), "{text:?}: {error}");
        }
    }

    #[test]
    fn what_is_no_formula_is_refused_with_its_line() {
        for (text, line, reason) in [
            ("", 0, "no header"),
            ("1 0\n", 1, "belongs here"),
            ("p cnf 1\n", 1, "belongs here"),
            ("p cnf 1 1\n2 0\n", 2, "`2` is not a literal"),
            ("p cnf 1 1\np cnf 1 1\n", 2, "`p` is not a literal"),
            ("p cnf 1 1\n1x 0\n", 2, "`1x` is not a literal"),
            ("p cnf 1 1\n-2147483648 0\n", 2, "is not a literal"),
            ("p cnf 1 2\n1 0\n", 0, "promises 2 clauses, there are 1"),
            ("p cnf 1 0\n1 0\n", 0, "promises 0 clauses, there are 1"),
            ("p cnf 1 1\n1\n", 0, "promises 1 clauses, there are 0"),
        ] {
            let error = read_all(text).unwrap_err();
            assert!(error.line == line && error.message.contains(reason), "{text:?}: {error}");
        }
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
