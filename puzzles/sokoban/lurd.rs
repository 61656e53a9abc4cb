//! Solutions, written as LURD: `l u r d` for a step, the capital letter for a push.

use super::board::Sokoban;
use super::pddl;
use super::runlength;
use crate::error::ParseError;
use crate::grid::Direction;
use crate::moves::Moves;
use std::fmt;

/// The longest move string that is read: longer than any solution known.
const MAX_STEPS: usize = 4_000_000;

/// The moves of a player. [`fmt::Display`] gives LURD with a capital letter for each push.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Solution {
    /// Direction, and whether a box is pushed.
    steps: Vec<(Direction, bool)>,
}

impl Solution {
    /// A solution whose pushes are found by playing it. From the first illegal move on the pushes
    /// stay as they are given, to help find the error.
    pub(super) fn replayed(
        puzzle: &Sokoban,
        steps: impl IntoIterator<Item = (Direction, bool)>,
    ) -> Self {
        let mut state = Some(puzzle.start());
        let steps = steps.into_iter().map(|(direction, push)| {
            let stepped = state.take().and_then(|from| puzzle.step(&from, direction).ok());
            let Some(stepped) = stepped else { return (direction, push) };
            state = Some(stepped.state);
            (direction, stepped.tally.pushes > 0)
        });
        Self { steps: steps.collect() }
    }

    /// The moves, in order.
    pub fn moves(&self) -> impl Iterator<Item = Direction> {
        self.steps.iter().map(|&(direction, _)| direction)
    }

    /// Number of moves, pushes included.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there is no move at all.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Number of pushes.
    pub fn pushes(&self) -> usize {
        self.steps.iter().filter(|(_, push)| *push).count()
    }
}

impl fmt::Display for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.steps.iter().try_for_each(|&(direction, push)| {
            let letter = letter(direction);
            write!(f, "{}", if push { letter.to_ascii_uppercase() } else { letter })
        })
    }
}

fn letter(direction: Direction) -> char {
    match direction {
        Direction::Up => 'u',
        Direction::Left => 'l',
        Direction::Down => 'd',
        Direction::Right => 'r',
    }
}

fn direction(letter: char) -> Option<Direction> {
    let known = |&it: &Direction| self::letter(it) == letter.to_ascii_lowercase();
    Direction::ALL.into_iter().find(known).or_else(|| Direction::of_arrow(letter))
}

/// Reads LURD in any case, or arrows, with spaces, line breaks, run lengths and a `*` position mark; or
/// the plan of a planner.
pub(super) fn read(puzzle: &Sokoban, text: &str) -> Result<Solution, ParseError> {
    let text = text.replace('\u{feff}', "");
    let text = pddl::moves(&text).unwrap_or(Ok(text))?;
    let symbols = text.lines().enumerate().flat_map(|(line, content)| {
        let place = move |column| (line + 1, column + 1);
        content.chars().enumerate().map(move |(column, symbol)| (symbol, place(column)))
    });
    let symbols: Vec<_> =
        symbols.filter(|(symbol, _)| !symbol.is_whitespace() && *symbol != '*').collect();
    for &(symbol, (line, column)) in &symbols {
        if let Some((message, help)) = refusal(symbol) {
            return Err(ParseError::at(line, column, message).help(help));
        }
    }
    let symbols = runlength::expand(symbols, MAX_STEPS).map_err(|fault| {
        let (line, column) = fault.place();
        ParseError::at(line, column, fault.message())
            .help("run lengths are written `3r4U` or `2(rU)`")
    })?;
    let steps = symbols.into_iter().filter_map(|(symbol, _)| {
        direction(symbol).map(|direction| (direction, symbol.is_ascii_uppercase()))
    });
    Ok(Solution::replayed(puzzle, steps))
}

/// Why a character cannot stand in a move string, and what to do; `None` when it can.
fn refusal(symbol: char) -> Option<(String, &'static str)> {
    let moves = "moves are l, u, r, d, in capitals for pushes, perhaps with run lengths as in 3r4U";
    Some(match symbol {
        _ if direction(symbol).is_some() || matches!(symbol, '0'..='9' | '(' | ')') => return None,
        '[' | ']' => (
            "this move string is from reverse play, where boxes are pulled".to_owned(),
            "give the moves of forward play",
        ),
        '{' | '}' => (
            "this move string is for several players".to_owned(),
            "only levels with one player are read",
        ),
        _ => (format!("`{symbol}` is not a move"), moves),
    })
}
