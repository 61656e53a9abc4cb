//! Solutions: inputs as letters.

use crate::error::ParseError;
use crate::grid::Direction;
use puzzlescript_engine::Input;
use std::fmt;

/// Inputs in order, one letter each: `udlr` for the arrows and `x` for the action key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inputs(pub Vec<Input>);

impl fmt::Display for Inputs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|input| write!(f, "{}", input.letter()))
    }
}

/// The input of a letter, large or small, or of an arrow.
fn input(letter: char) -> Option<Input> {
    let letter = match Direction::of_arrow(letter) {
        Some(Direction::Up) => 'u',
        Some(Direction::Down) => 'd',
        Some(Direction::Left) => 'l',
        Some(Direction::Right) => 'r',
        None => letter.to_ascii_lowercase(),
    };
    Input::ALL.into_iter().find(|known| known.letter() == letter)
}

/// Reads letters, large or small, or arrows, with any space between them.
pub(super) fn read(text: &str) -> Result<Inputs, ParseError> {
    let mut inputs = Vec::new();
    for (line, letters) in (1..).zip(text.lines()) {
        for (column, letter) in (1..).zip(letters.chars()) {
            match input(letter) {
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
