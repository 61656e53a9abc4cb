//! Wishes that mean nothing for a game are told, never ignored.

use crate::error::ParseError;
use crate::moves::Moves;
use crate::pointing::Place;
use crate::wishes::{Forbidden, Required, Wishes};

/// Looks whether each wish means something for a game and its board.
///
/// # Errors
/// The first wish that does not.
pub fn fit<P: Moves>(puzzle: &P, wishes: &Wishes) -> Result<(), ParseError> {
    let forbidden = wishes.forbidden.iter().map(|it| (it.to_string(), forbidden(puzzle, it)));
    let required = wishes.required.iter().map(|it| (it.to_string(), required(puzzle, it)));
    match forbidden.chain(required).find_map(|(wish, fault)| Some((wish, fault?))) {
        None => Ok(()),
        Some((wish, fault)) => Err(ParseError::whole(format!("`{wish}`: {fault}"))),
    }
}

fn forbidden<P: Moves>(puzzle: &P, wish: &Forbidden) -> Option<String> {
    match wish {
        Forbidden::Cell(at) | Forbidden::Player(at) | Forbidden::Pushed(at) => off(puzzle, *at),
        Forbidden::Piece(at) => {
            let pieces = puzzle.pieces(&puzzle.start()).others;
            let none = !pieces.iter().any(|piece| piece.contains(at));
            none.then(|| "no piece stands there at the start".to_owned())
        }
        Forbidden::Move(letter) => {
            let reads = |text: &str| {
                let read = puzzle.read_solution(text);
                read.is_ok_and(|keys| keys.to_string().to_lowercase() == *letter)
            };
            let key =
                letter.chars().count() == 1 && (reads(letter) || reads(&letter.to_uppercase()));
            (!key).then(|| format!("{} has no such key", P::NAME))
        }
        Forbidden::Modifier(at) => match puzzle.has_modifier(*at) {
            None => Some(format!("{} has no modifiers", P::NAME)),
            Some(false) => Some("there is no modifier".to_owned()),
            Some(true) => None,
        },
        Forbidden::Push(deed) => {
            let words = "say which, as `forced` names it: `push box (2,3) to (2,4)`";
            deed.is_empty().then(|| words.to_owned())
        }
        Forbidden::Colour(..) | Forbidden::Edge(..) => Some(no_paths::<P>()),
    }
}

fn required<P: Moves>(puzzle: &P, wish: &Required) -> Option<String> {
    match wish {
        Required::Player(at) | Required::Piece(at) | Required::Cell(at) => off(puzzle, *at),
        Required::Bond(..) if !P::BONDS => Some(format!("{} has no bonds", P::NAME)),
        Required::Bond(one, other) => off(puzzle, *one).or_else(|| off(puzzle, *other)),
        Required::Colour(..) | Required::Edge(..) => Some(no_paths::<P>()),
    }
}

fn no_paths<P: Moves>() -> String {
    format!("{} has no paths to draw", P::NAME)
}

/// What is wrong with a place that is not on the board.
fn off<P: Moves>(puzzle: &P, (row, column): Place) -> Option<String> {
    let squares = puzzle.squares()?;
    let (rows, columns) = (squares.rows, squares.columns);
    let off = row >= rows || column >= columns;
    off.then(|| format!("the board has {rows} rows and {columns} columns"))
}
