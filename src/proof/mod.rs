//! Proofs of unsatisfiability: checking them, and writing those that need no solver.
//!
//! * [`lrat`]: a checker for proofs whose lemmas name the clauses that imply them.
//! * [`drat`]: a checker for proofs that leave the search for reasons to the checker.
//! * [`propagate`]: unit propagation that remembers reasons, from which LRAT is written directly.
//!
//! The checkers share no code with any solver, and read proofs as a stream: memory holds the
//! clauses that are alive, never the proof.

pub mod drat;
pub mod lrat;
pub mod propagate;

use crate::limits::Stop;
use std::fmt;
use std::io::{self, BufRead};

/// Why a proof is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProofError {
    /// A step of the proof does not hold, or is no step at all.
    Refused {
        /// Number of the step, from 1.
        step: u64,
        /// What is wrong with it, as one sentence without a full stop.
        reason: String,
    },
    /// The proof ends without the empty clause: it refutes nothing.
    Unfinished {
        /// Number of steps that were read.
        steps: u64,
    },
    /// The proof cannot be read.
    Read(String),
    /// A limit struck.
    Stopped(Stop),
}

impl fmt::Display for ProofError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused { step, reason } => write!(f, "step {step}: {reason}"),
            Self::Unfinished { steps } => {
                write!(f, "the proof ends after {steps} steps without the empty clause")
            }
            Self::Read(reason) => write!(f, "the proof cannot be read: {reason}"),
            Self::Stopped(stop) => write!(f, "checking the proof was stopped: {stop}"),
        }
    }
}

impl std::error::Error for ProofError {}

impl From<io::Error> for ProofError {
    fn from(error: io::Error) -> Self {
        Self::Read(error.to_string())
    }
}

/// What an accepted proof took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accepted {
    /// Lemmas that were checked, the empty clause included.
    pub lemmas: u64,
    /// All steps, deletions included.
    pub steps: u64,
}

/// Steps between two looks at the limits.
const WATCH: u64 = 1024;

/// A proof as a stream of bytes, taken apart into numbers.
struct Tokens<R> {
    input: R,
    /// The step that is being read, from 1.
    step: u64,
}

impl<R: BufRead> Tokens<R> {
    fn new(input: R) -> Self {
        Self { input, step: 0 }
    }

    fn refuse(&self, reason: impl Into<String>) -> ProofError {
        ProofError::Refused { step: self.step, reason: reason.into() }
    }

    fn peek(&mut self) -> Result<Option<u8>, ProofError> {
        Ok(self.input.fill_buf()?.first().copied())
    }

    fn next(&mut self) -> Result<Option<u8>, ProofError> {
        let byte = self.peek()?;
        if byte.is_some() {
            self.input.consume(1);
        }
        Ok(byte)
    }

    /// Skips white space and comment lines; gives the first byte of what follows.
    fn skip_space(&mut self) -> Result<Option<u8>, ProofError> {
        loop {
            match self.peek()? {
                Some(byte) if byte.is_ascii_whitespace() => self.input.consume(1),
                Some(b'c') => while self.next()?.is_some_and(|byte| byte != b'\n') {},
                other => return Ok(other),
            }
        }
    }

    /// A decimal number.
    fn decimal(&mut self) -> Result<i64, ProofError> {
        let first = self.skip_space()?;
        let negative = first == Some(b'-');
        if negative {
            self.input.consume(1);
        }
        let mut value: Option<i64> = None;
        while let Some(digit) = self.peek()?.filter(u8::is_ascii_digit) {
            self.input.consume(1);
            let more = value.unwrap_or(0).checked_mul(10);
            let more = more.and_then(|value| value.checked_add(i64::from(digit - b'0')));
            value = Some(more.ok_or_else(|| self.refuse("a number is too large"))?);
        }
        match (value, self.peek()?) {
            (Some(value), None) => Ok(if negative { -value } else { value }),
            (Some(value), Some(byte)) if byte.is_ascii_whitespace() => {
                Ok(if negative { -value } else { value })
            }
            (None, None) => Err(self.refuse("the proof ends in the middle of a step")),
            (_, byte) => {
                let byte = char::from(byte.unwrap_or_default()).escape_default();
                Err(self.refuse(format!("`{byte}` where a number belongs")))
            }
        }
    }

    /// A number of the compact binary form: seven bits a byte, the sign in the lowest bit.
    fn packed(&mut self) -> Result<i64, ProofError> {
        let (mut value, mut shift) = (0u64, 0);
        loop {
            let Some(byte) = self.next()? else {
                return Err(self.refuse("the proof ends in the middle of a step"));
            };
            let bits = u64::from(byte & 0x7F);
            let last = byte & 0x80 == 0;
            // Zero bytes are legal inside a number (16,384 has two); a last one says nothing.
            if shift > 56 || (last && shift > 0 && bits == 0) {
                return Err(self.refuse("a number is too large or not in its shortest form"));
            }
            value |= bits << shift;
            shift += 7;
            if last {
                let magnitude = (value >> 1) as i64;
                return Ok(if value & 1 == 1 { -magnitude } else { magnitude });
            }
        }
    }
}

/// A literal as a proof holds it; the number of variables is bounded so that no proof can make a
/// checker reserve absurd amounts of memory.
fn literal(number: i64) -> Option<i32> {
    i32::try_from(number).ok().filter(|lit| lit.unsigned_abs() < 1 << 28)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::ClauseList;
    use unstuck_encodings::Lit;

    /// Clauses by their DIMACS numbers.
    pub fn listed(clauses: &[&[i32]]) -> ClauseList {
        let mut list = ClauseList::default();
        for clause in clauses {
            list.add(clause.iter().filter_map(|&number| Lit::from_dimacs(number)));
        }
        list
    }

    /// All four clauses over two variables.
    pub fn square() -> ClauseList {
        listed(&[&[1, 2], &[1, -2], &[-1, 2], &[-1, -2]])
    }

    #[test]
    fn numbers_of_the_binary_form() {
        let read = |bytes: &[u8]| Tokens::new(bytes).packed();
        assert_eq!(read(&[2]), Ok(1));
        assert_eq!(read(&[3]), Ok(-1));
        assert_eq!(read(&[0x80, 0x01]), Ok(64));
        assert!(read(&[0x80]).is_err() && read(&[]).is_err() && read(&[0xFF; 12]).is_err());
        assert!(read(&[0x82, 0x00]).is_err(), "not in its shortest form");
    }

    #[test]
    fn every_number_of_the_binary_form_reads_back() {
        for number in (1..70_000i64).chain([1 << 20, 1 << 27]).flat_map(|n| [n, -n]) {
            let mut rest = number.unsigned_abs() << 1 | u64::from(number < 0);
            let mut bytes = Vec::new();
            while rest >= 0x80 {
                bytes.push((rest & 0x7F) as u8 | 0x80);
                rest >>= 7;
            }
            bytes.push(rest as u8);
            assert_eq!(Tokens::new(bytes.as_slice()).packed(), Ok(number));
        }
    }

    #[test]
    fn decimal_numbers() {
        let read = |text: &str| Tokens::new(text.as_bytes()).decimal();
        assert_eq!((read(" -17 "), read("c note\n5")), (Ok(-17), Ok(5)));
        assert!(read("").is_err() && read("-").is_err() && read("1x").is_err());
        assert!(read("99999999999999999999").is_err());
    }
}
