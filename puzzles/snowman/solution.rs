//! Solutions, written with the keys of the game: W A S D.
//!
//! A step into a teleporter is followed by the number of the teleporter at which the player comes
//! out: `D2` steps to the right into a teleporter and comes out at the second one in reading
//! order. The number may be left out where there are only two teleporters.

use crate::error::ParseError;
use crate::grid::Direction;
use std::fmt;

/// A move: one step in a direction, walking or pushing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Where the step goes.
    pub direction: Direction,
    /// Number (from 1, in reading order) of the teleporter at which the player comes out, when the
    /// step goes into one.
    pub exit: Option<u16>,
}

/// The moves of a player.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Solution {
    moves: Vec<Move>,
}

impl Solution {
    /// A solution of these moves.
    pub fn new(moves: &[Move]) -> Self {
        Self { moves: moves.to_vec() }
    }

    /// The moves, in order.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }
}

impl fmt::Display for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.moves.iter().try_for_each(|mv| {
            write!(f, "{}", mv.direction.key())?;
            mv.exit.map_or(Ok(()), |exit| write!(f, "{exit}"))
        })
    }
}

/// Reads W A S D in either case, or arrows, with spaces and line breaks anywhere between moves.
pub(super) fn read(text: &str) -> Result<Solution, ParseError> {
    let mut moves: Vec<Move> = Vec::new();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (line, content) in text.lines().enumerate() {
        // Whether a digit now would belong to the last move.
        let mut open = false;
        for (column, symbol) in content.chars().enumerate() {
            let fault = |message: String, help: &str| {
                Err(ParseError::at(line + 1, column + 1, message).help(help))
            };
            if let Some(direction) = Direction::of_key(symbol) {
                moves.push(Move { direction, exit: None });
                open = true;
            } else if let Some(digit) = symbol.to_digit(10) {
                let Some(last) = moves.last_mut().filter(|_| open) else {
                    return fault(
                        "a number without a move before it".to_owned(),
                        "a number names the teleporter at which the step before it comes out",
                    );
                };
                let exit = last.exit.unwrap_or(0).checked_mul(10);
                let exit = exit.and_then(|exit| exit.checked_add(digit as u16));
                if exit.is_none_or(|exit| exit == 0) {
                    return fault(
                        "no such teleporter".to_owned(),
                        "teleporters are numbered from 1 in reading order",
                    );
                }
                last.exit = exit;
            } else if symbol.is_whitespace() {
                open = false;
            } else {
                return fault(
                    format!("`{}` is not a move", symbol.escape_debug()),
                    "moves are W, A, S and D; a number after one is a teleporter's",
                );
            }
        }
    }
    Ok(Solution { moves })
}
