//! Constraints that mean nothing for a game are reported, never ignored.

use crate::constraints::{Constraints, Prohibition, Requirement};
use crate::error::ParseError;
use crate::moves::Moves;
use crate::pieces::Coord;
use crate::play::Play;
use std::collections::{BTreeSet, VecDeque};

/// Looks whether each constraint means something for a game and its board.
///
/// # Errors
/// The first constraint that does not.
pub fn validate<P: Moves>(puzzle: &P, constraints: &Constraints) -> Result<(), ParseError> {
    let forbidden = constraints.forbidden.iter().map(|it| (it.to_string(), forbidden(puzzle, it)));
    let required = constraints.required.iter().map(|it| (it.to_string(), required(puzzle, it)));
    match forbidden.chain(required).find_map(|(constraint, fault)| Some((constraint, fault?))) {
        None => Ok(()),
        Some((constraint, fault)) => Err(ParseError::whole(format!("`{constraint}`: {fault}"))),
    }
}

fn forbidden<P: Moves>(puzzle: &P, constraint: &Prohibition) -> Option<String> {
    match constraint {
        Prohibition::Cell(at) | Prohibition::Player(at) | Prohibition::Pushed(at) => {
            off(puzzle, *at)
        }
        Prohibition::Piece(at) => {
            let pieces = puzzle.pieces(&puzzle.start()).others;
            let none = !pieces.iter().any(|piece| piece.contains(at));
            none.then(|| "no piece stands there at the start".to_owned())
        }
        Prohibition::Move(letter) => {
            let reads = |text: &str| {
                let read = puzzle.read_solution(text);
                read.is_ok_and(|keys| keys.to_string().to_lowercase() == *letter)
            };
            let key =
                letter.chars().count() == 1 && (reads(letter) || reads(&letter.to_uppercase()));
            (!key).then(|| format!("{} has no such key; its keys are {}", P::NAME, keys(puzzle)))
        }
        Prohibition::Modifier(at) => match P::GAME.modifiers.map(|it| (it.stands)(puzzle, *at)) {
            None => Some(format!("{} has no modifiers", P::NAME)),
            Some(false) => Some("there is no modifier".to_owned()),
            Some(true) => None,
        },
        Prohibition::Push(action) => {
            let says = shape(puzzle, action).is_some_and(|shape| (P::GAME.says)(&shape));
            (!says).then(|| unsaid(puzzle))
        }
        Prohibition::Rule(line) => no_rule(puzzle, *line),
        Prohibition::Colour(..) | Prohibition::Edge(..) => Some(no_paths::<P>()),
    }
}

/// The keys of a family, in lower case.
fn keys<P: Moves>(puzzle: &P) -> String {
    let one = |c: char| {
        let text = puzzle.read_solution(&c.to_string()).ok()?.to_string().to_lowercase();
        (text.chars().count() == 1).then_some(text)
    };
    itertools::join((' '..='~').filter_map(one).collect::<BTreeSet<_>>(), ", ")
}

/// The words for a push with `@` in the place of each row and column; `None` when one of these is
/// not on the board, or not written as [`Moves::action`] writes it.
fn shape<P: Moves>(puzzle: &P, action: &str) -> Option<String> {
    let mut parts = action.split('(');
    let mut shape = parts.next()?.to_owned();
    for part in parts {
        let (words, rest) = part.split_once(')')?;
        let at = crate::constraints::place(Some(words))?;
        let written = format!("{},{}", at.0 + 1, at.1 + 1) == words;
        if !written || off(puzzle, at).is_some() {
            return None;
        }
        shape.push('@');
        shape.push_str(rest);
    }
    (shape.matches('@').count() == action.matches('(').count()).then_some(shape)
}

/// Why a push is refused, with some that can be made.
fn unsaid<P: Moves>(puzzle: &P) -> String {
    let examples = itertools::join(pushes(puzzle).iter().map(|it| format!("`push {it}`")), ", ");
    let examples =
        if examples.is_empty() { examples } else { format!("; the first pushes are {examples}") };
    format!("{} has no push of that name: `forced` and `hint` name them{examples}", P::NAME)
}

/// Positions that are looked at for pushes to name, and how many are named.
const LOOKED: usize = 200;
const NAMED: usize = 4;

/// Some pushes that can be made first.
fn pushes<P: Moves>(puzzle: &P) -> BTreeSet<String> {
    let mut seen = BTreeSet::from([puzzle.start()]);
    let (mut open, mut found) = (VecDeque::from([puzzle.start()]), BTreeSet::new());
    while let Some(from) = open.pop_front().filter(|_| found.len() < NAMED) {
        for mv in puzzle.moves(&from) {
            let Ok(stepped) = puzzle.step(&from, mv) else { continue };
            if stepped.tally.pushes > 0 {
                found.insert(puzzle.action(&from, &stepped.state));
            } else if seen.len() < LOOKED && seen.insert(stepped.state.clone()) {
                open.push_back(stepped.state);
            }
        }
    }
    found.into_iter().take(NAMED).collect()
}

fn required<P: Moves>(puzzle: &P, constraint: &Requirement) -> Option<String> {
    match constraint {
        Requirement::Player(at) | Requirement::Piece(at) | Requirement::Cell(at) => {
            off(puzzle, *at)
        }
        Requirement::Bond(..) if P::GAME.bonds.is_none() => {
            Some(format!("{} has no bonds", P::NAME))
        }
        Requirement::Bond(one, other) => off(puzzle, *one).or_else(|| off(puzzle, *other)),
        Requirement::Rule(line) => no_rule(puzzle, *line),
        Requirement::Colour(..) | Requirement::Edge(..) => Some(no_paths::<P>()),
    }
}

/// What is wrong with a line that has no rule.
fn no_rule<P: Moves>(puzzle: &P, line: usize) -> Option<String> {
    let Some(lines) = puzzle.rule_lines() else {
        return Some(format!("the rules of {} are not written in a file", P::NAME));
    };
    let known = itertools::join(&lines, ", ");
    (!lines.contains(&line)).then(|| match lines.is_empty() {
        true => "the game has no rules".to_owned(),
        false => format!("there is no rule in this line; the rules are in lines {known}"),
    })
}

fn no_paths<P: Moves>() -> String {
    format!("{} has no paths to draw", P::NAME)
}

/// What is wrong with a place that is not on the board.
fn off<P: Moves>(puzzle: &P, (row, column): Coord) -> Option<String> {
    let squares = (P::EXTRAS.squares)(puzzle)?;
    let (rows, columns) = (squares.rows, squares.columns);
    let off = row >= rows || column >= columns;
    off.then(|| format!("the board has {rows} rows and {columns} columns"))
}
