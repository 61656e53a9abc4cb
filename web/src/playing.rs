//! Positions: the level after some moves, and moves that a person means who points.

use crate::reading::open;
use crate::{PageError, text};
use serde_json::{Value, json};
use unstuck::instance::{Instance, PointerTarget, VerifyError};
use unstuck_puzzles::pieces::{Coord, Squares};
use unstuck_puzzles::{Style, Tally};

/// The level after the moves of a request, as far as they are legal, or with a drawn solution.
pub(crate) fn show(request: &Value) -> Result<Value, PageError> {
    let instance = instance(request)?;
    let moves = text(request, "moves")?;
    let shown = match instance.moves() {
        Some(game) => {
            let position = game.position(moves)?;
            let replayed = instance.replay(&position.moves, Style::Svg, None)?;
            BoardView {
                svg: replayed.last.unwrap_or_default(),
                moves: position.moves,
                tally: position.tally,
                solved: position.solved,
                fault: position.stop.map(|stop| stop.message),
            }
        }
        None => drawn(instance.as_ref(), moves)?,
    };
    Ok(shown.json(instance.squares()))
}

struct BoardView {
    svg: String,
    moves: String,
    tally: Tally,
    solved: bool,
    fault: Option<String>,
}

impl BoardView {
    fn json(self, squares: Option<Squares>) -> Value {
        let grid = squares.as_ref().map(|it| json!({ "rows": it.rows, "columns": it.columns }));
        let ends = squares.map(|it| it.ends).unwrap_or_default();
        let ends: Vec<_> = ends
            .into_iter()
            .map(|(label, cells)| json!({ "label": label, "cells": cells }))
            .collect();
        json!({
            "svg": self.svg,
            "moves": self.moves,
            "tally": { "moves": self.tally.moves, "pushes": self.tally.pushes },
            "solved": self.solved,
            "fault": self.fault,
            "grid": grid,
            "ends": ends,
        })
    }
}

/// A puzzle without moves: its board, with the solution when there is one, right or wrong.
fn drawn(instance: &dyn Instance, solution: &str) -> Result<BoardView, PageError> {
    let board = || instance.picture(None, Style::Svg).unwrap_or_default();
    let shown = |svg, solved, fault| BoardView {
        svg,
        moves: solution.to_owned(),
        tally: Tally::default(),
        solved,
        fault,
    };
    if solution.is_empty() {
        return Ok(shown(board(), false, None));
    }
    match instance.verify(solution) {
        Ok(plan) => {
            let svg = instance.picture(Some(&plan), Style::Svg).unwrap_or_default();
            Ok(shown(svg, true, None))
        }
        Err(VerifyError::Unreadable(error)) => Err(error.into()),
        Err(VerifyError::Wrong(violation)) => Ok(shown(board(), false, Some(violation.message))),
    }
}

/// The shortest walk to the cell of a request.
pub(crate) fn walk(request: &Value) -> Result<Value, PageError> {
    ways(request, PointerTarget::Walk(place(request, "to")?))
}

/// The shortest moves that bring the piece on one cell to another.
pub(crate) fn drag(request: &Value) -> Result<Value, PageError> {
    ways(request, PointerTarget::Drag(place(request, "from")?, place(request, "to")?))
}

fn ways(request: &Value, pointed: PointerTarget) -> Result<Value, PageError> {
    let instance = instance(request)?;
    let Some(game) = instance.moves() else { return Ok(json!({ "moves": null })) };
    let position = game.position(text(request, "moves")?)?;
    Ok(json!({ "moves": game.ways(&position, pointed) }))
}

fn place(request: &Value, name: &str) -> Result<Coord, PageError> {
    let number = |index: usize| request[name][index].as_u64().and_then(|n| usize::try_from(n).ok());
    number(0).zip(number(1)).ok_or_else(|| PageError::plain(format!("invalid cell `{name}`")))
}

/// The last reading of the level's rules: the one that permits most, for playing.
fn instance(request: &Value) -> Result<Box<dyn Instance>, PageError> {
    let (family, opened) = open(request)?;
    let instances = opened.instances(family.objectives[0]);
    let last = instances.and_then(|mut readings| readings.pop());
    last.ok_or_else(|| PageError::plain("this level has no reading"))
}
