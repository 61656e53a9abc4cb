//! A proof as a stream of bytes, taken apart into numbers, in text and in the compact binary form.

use super::ProofError;
use std::io::BufRead;
use unstuck_encodings::Lit;

/// A proof that is being read.
pub struct Tokens<R> {
    input: R,
    binary: bool,
    /// The line that is being read, from 1.
    line: u64,
    /// The step that is being read, from 1.
    pub step: u64,
    /// The largest variable that a literal may name.
    variables: usize,
}

impl<R: BufRead> Tokens<R> {
    /// A proof in text or in the compact binary form, about so many variables.
    pub fn new(input: R, binary: bool, variables: usize) -> Self {
        Self { input, binary, line: 1, step: 0, variables }
    }

    /// Whether a proof begins in the binary form.
    pub(super) fn looks_binary(&mut self) -> Result<bool, ProofError> {
        Ok(matches!(self.peek()?, Some(b'a' | b'd')))
    }

    /// From here on in the binary form, or not.
    pub(super) fn set_binary(&mut self, binary: bool) {
        self.binary = binary;
    }

    /// Whether the proof is read in the binary form.
    pub fn is_binary(&self) -> bool {
        self.binary
    }

    /// Refuses the step that is being read, naming its line (in the binary form its number).
    pub fn refuse(&self, reason: impl Into<String>) -> ProofError {
        let line = (!self.binary).then_some(self.line);
        let (reason, trace) = (reason.into(), String::new());
        ProofError::Refused { line, step: self.step, reason, trace }
    }

    /// The next byte, which stays there.
    fn peek(&mut self) -> Result<Option<u8>, ProofError> {
        Ok(self.input.fill_buf()?.first().copied())
    }

    /// Takes the next byte.
    pub fn byte(&mut self) -> Result<Option<u8>, ProofError> {
        let byte = self.peek()?;
        if let Some(byte) = byte {
            self.input.consume(1);
            self.line += u64::from(byte == b'\n');
        }
        Ok(byte)
    }

    /// Skips white space and comment lines; gives the first byte of what follows.
    pub fn skip_space(&mut self) -> Result<Option<u8>, ProofError> {
        loop {
            match self.peek()? {
                Some(byte) if byte.is_ascii_whitespace() => drop(self.byte()?),
                Some(b'c') => while self.byte()?.is_some_and(|byte| byte != b'\n') {},
                other => return Ok(other),
            }
        }
    }

    /// The next number.
    pub fn number(&mut self) -> Result<i64, ProofError> {
        if self.binary { self.packed() } else { self.decimal() }
    }

    /// Reads literals up to the closing 0.
    pub fn literals(&mut self, into: &mut Vec<Lit>) -> Result<(), ProofError> {
        loop {
            let number = self.number()?;
            if number == 0 {
                return Ok(());
            }
            let lit = i32::try_from(number).ok().and_then(Lit::from_dimacs);
            match lit.filter(|lit| lit.number() as usize <= self.variables) {
                Some(lit) => into.push(lit),
                None => {
                    let most = self.variables;
                    let reason = format!("{number} is no literal of a formula of {most} variables");
                    return Err(self.refuse(reason));
                }
            }
        }
    }

    fn decimal(&mut self) -> Result<i64, ProofError> {
        let negative = self.skip_space()? == Some(b'-');
        if negative {
            self.byte()?;
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

    /// Seven bits a byte, the sign in the lowest bit.
    fn packed(&mut self) -> Result<i64, ProofError> {
        let (mut value, mut shift) = (0u64, 0);
        loop {
            let Some(byte) = self.byte()? else {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(bytes: &[u8]) -> Result<i64, ProofError> {
        Tokens::new(bytes, true, 9).number()
    }

    #[test]
    fn numbers_of_the_binary_form() {
        assert_eq!(packed(&[2]), Ok(1));
        assert_eq!(packed(&[3]), Ok(-1));
        assert_eq!(packed(&[0x80, 0x01]), Ok(64));
        assert!(packed(&[0x80]).is_err() && packed(&[]).is_err() && packed(&[0xFF; 12]).is_err());
        assert!(packed(&[0x82, 0x00]).is_err(), "not in its shortest form");
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
            assert_eq!(packed(&bytes), Ok(number));
        }
    }

    #[test]
    fn decimal_numbers() {
        let read = |text: &str| Tokens::new(text.as_bytes(), false, 9).number();
        assert_eq!((read(" -17 "), read("c note\n5")), (Ok(-17), Ok(5)));
        assert!(read("").is_err() && read("-").is_err() && read("1x").is_err());
        assert!(read("99999999999999999999").is_err());
    }

    #[test]
    fn literals_are_those_of_the_formula() {
        let read = |text: &str| {
            let mut lits = Vec::new();
            Tokens::new(text.as_bytes(), false, 3).literals(&mut lits).map(|()| lits.len())
        };
        assert_eq!(read("1 -3 0"), Ok(2));
        for wrong in ["4 0", "-4 0", "99999999999 0", "-2147483648 0"] {
            let error = read(wrong).unwrap_err().to_string();
            assert!(error.contains("is no literal of a formula of 3 variables"), "{error}");
        }
    }
}
