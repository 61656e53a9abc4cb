//! Solutions: inputs as letters.

use super::board::Input;
use crate::error::ParseError;
use std::fmt;

/// Inputs in order, one letter each: `udlr` for the arrows and `x` for the action key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inputs(pub Vec<Input>);

/// The letters of [`Input::ALL`].
const LETTERS: [char; 5] = ['u', 'd', 'l', 'r', 'x'];

impl Input {
    /// Its letter in solutions.
    pub fn letter(self) -> char {
        LETTERS[self as usize]
    }
}

impl fmt::Display for Inputs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|input| write!(f, "{}", input.letter()))
    }
}

/// Reads letters, large or small, with any space between them.
pub(super) fn read(text: &str) -> Result<Inputs, ParseError> {
    let mut inputs = Vec::new();
    for (line, letters) in (1..).zip(text.lines()) {
        for (column, letter) in (1..).zip(letters.chars()) {
            let at = LETTERS.iter().position(|&known| known == letter.to_ascii_lowercase());
            match at.map(|at| Input::ALL[at]) {
                Some(input) => inputs.push(input),
                None if letter.is_whitespace() => {}
                None => {
                    let message = format!("`{letter}` is not an input");
                    return Err(ParseError::at(line, column, message).help(
                        "inputs are u, d, l and r for the arrows, and x for the action key",
                    ));
                }
            }
        }
    }
    Ok(Inputs(inputs))
}
