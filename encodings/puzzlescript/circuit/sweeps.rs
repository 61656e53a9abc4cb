//! How things move, as a circuit.
//!
//! Objects of a layer are only in the way of objects of the same layer, so each layer moves by itself.
//! An object moves at most once: where it comes nothing was, so no movement is left there (a level in
//! which movement can be left where nothing is has no circuit).

use super::board::Board;
use super::gates::{Circuit, Signal};
use crate::cnf::Rule;
use crate::encoding::EncodeError;
use crate::puzzlescript::analysis::cells::DIRECTIONS;
use crate::puzzlescript::analysis::facts::Facts;

/// What moves, and where that leaves things.
const MOVE: Rule = Rule::defining("move");

/// A cell of a layer that may be left in a direction.
type Mover = (usize, usize);

/// Lets everything move; says in how many sweeps at most.
///
/// # Errors
/// Why there is no circuit for that.
pub(super) fn let_move(
    board: &mut Board,
    facts: &Facts,
    circuit: &mut Circuit,
) -> Result<usize, EncodeError> {
    circuit.rule = MOVE;
    let mut most = 0;
    for layer in 0..facts.members.len() {
        if facts.adrift[layer].iter().any(|cells| !cells.is_empty()) {
            return Err(EncodeError(
                "rules can leave a movement where the object is gone".to_owned(),
            ));
        }
        let ways = |cell: usize| {
            let moves = |way: &usize| {
                facts.members[layer].iter().any(|&object| facts.moving[object][*way].has(cell))
            };
            (0..DIRECTIONS.len()).filter(moves).collect::<Vec<usize>>()
        };
        let ways: Vec<Vec<usize>> = (0..facts.grid.len()).map(ways).collect();
        let mut used: Vec<usize> = ways.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        let needed = match used[..] {
            [] => 0,
            [way] => along_lines(board, facts, circuit, layer, way),
            _ => sweeps(board, facts, circuit, layer, &ways)?,
        };
        most = most.max(needed);
    }
    board.stop();
    Ok(most)
}

/// Where all of a layer moves in one direction, an object moves if there is room ahead of it, or what
/// is there moves: in whichever order that is looked at.
fn along_lines(
    board: &mut Board,
    facts: &Facts,
    circuit: &mut Circuit,
    layer: usize,
    way: usize,
) -> usize {
    let grid = &facts.grid;
    let cells = grid.len();
    // What is farthest ahead comes first.
    let is_forward = grid.step(DIRECTIONS[way]) > 0;
    let order = (0..cells).map(|at| if is_forward { cells - 1 - at } else { at });
    let mut moves = vec![Signal::FALSE; cells];
    let is_free = |cell| board.is_free(circuit, &facts.members[layer], cell);
    let room: Vec<Signal> = (0..cells).map(is_free).collect();
    for cell in order.clone() {
        if let Some(ahead) = grid.next(cell, DIRECTIONS[way]) {
            let free = circuit.or([room[ahead], moves[ahead]]);
            moves[cell] = circuit.and([board.movement(layer, way, cell), free]);
        }
    }
    for cell in order {
        let Some(ahead) = grid.next(cell, DIRECTIONS[way]) else { continue };
        board.shift(circuit, &facts.members[layer], cell, ahead, moves[cell]);
    }
    grid.width.max(grid.height)
}

/// One sweep after the other, as many as may move anything.
fn sweeps(
    board: &mut Board,
    facts: &Facts,
    circuit: &mut Circuit,
    layer: usize,
    ways: &[Vec<usize>],
) -> Result<usize, EncodeError> {
    let movers: Vec<Mover> = ways
        .iter()
        .enumerate()
        .flat_map(|(cell, ways)| ways.iter().map(move |&way| (cell, way)))
        .collect();
    let last = last_sweeps(facts, &movers, ways)
        .ok_or_else(|| EncodeError("objects of one layer can move in a circle".to_owned()))?;
    let most = last.iter().copied().max().unwrap_or(0);
    for sweep in 1..=most {
        for (&(cell, way), _) in movers.iter().zip(&last).filter(|(_, last)| **last >= sweep) {
            let Some(ahead) = facts.grid.next(cell, DIRECTIONS[way]) else { continue };
            let room = board.is_free(circuit, &facts.members[layer], ahead);
            let moves = circuit.and([board.movement(layer, way, cell), room]);
            board.shift(circuit, &facts.members[layer], cell, ahead, moves);
            let waits = circuit.and([board.movement(layer, way, cell), !moves]);
            board.set_movement(layer, way, cell, waits);
        }
    }
    Ok(most)
}

/// The last sweep in which each mover may move; nothing if there is none, because they wait in a circle.
///
/// What could not move in a sweep moves in the next one only if what was ahead of it has left since:
/// in the same sweep if its turn comes later, in the next one if it comes sooner. What is ahead can
/// leave in any direction but towards what waits for it.
fn last_sweeps(facts: &Facts, movers: &[Mover], ways: &[Vec<usize>]) -> Option<Vec<usize>> {
    let opposite = |way: usize| way ^ 1;
    let waits_for = |(cell, way): Mover| -> Vec<Mover> {
        let ahead = facts.grid.next(cell, DIRECTIONS[way]);
        let all =
            ahead.into_iter().flat_map(|ahead| ways[ahead].iter().map(move |&it| (ahead, it)));
        all.filter(|&(_, other)| other != opposite(way)).collect()
    };
    let place = |mover: &Mover| movers.binary_search(mover).ok();
    let mut waiting = vec![Vec::new(); movers.len()];
    let mut open = vec![0; movers.len()];
    for (at, &mover) in movers.iter().enumerate() {
        for ahead in waits_for(mover).iter().filter_map(place) {
            waiting[ahead].push(at);
            open[at] += 1;
        }
    }
    let mut last = vec![1; movers.len()];
    let mut done = 0;
    let mut ready: Vec<usize> = (0..movers.len()).filter(|&at| open[at] == 0).collect();
    while let Some(ahead) = ready.pop() {
        done += 1;
        for &at in &waiting[ahead] {
            let is_later = movers[ahead].0 > movers[at].0;
            last[at] = last[at].max(last[ahead] + usize::from(is_later));
            open[at] -= 1;
            if open[at] == 0 {
                ready.push(at);
            }
        }
    }
    (done == movers.len()).then_some(last)
}
