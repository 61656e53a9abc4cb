//! The judge: walks each path over the board, and knows nothing of how it was found.

use super::board::{Board, Name, Touch, Walk};
use super::constraints;
use crate::error::{ParseError, Violation};
use std::collections::HashMap;
use std::fmt;

/// The path of one pair.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Flow {
    /// Label of the pair.
    pub label: String,
    /// The cells from one terminus to the other. A bridge appears once for each crossing.
    pub cells: Vec<Name>,
}

/// A path for each pair. Its text has one line for each: the label, a colon, the cells.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Solution {
    /// The paths.
    pub flows: Vec<Flow>,
}

impl fmt::Display for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, flow) in self.flows.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{}:", flow.label)?;
            for cell in &flow.cells {
                write!(f, " {cell}")?;
            }
        }
        Ok(())
    }
}

/// Reads what the display of [`Solution`] writes.
pub(super) fn read_solution(board: &Board, text: &str) -> Result<Solution, ParseError> {
    let names: HashMap<String, &Name> =
        board.cells.iter().map(|cell| (cell.name.to_string(), &cell.name)).collect();
    let mut flows = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let mut words = line.split_whitespace();
        let Some(first) = words.next() else { continue };
        let Some(label) = first.strip_suffix(':').filter(|label| !label.is_empty()) else {
            let message = format!("`{first}` is not a label with a colon");
            let help = "a path is a label, a colon and cells: `A: 0,0 0,1 0,2`";
            return Err(ParseError::at(index + 1, 1, message).help(help));
        };
        let mut cells = Vec::new();
        for word in words {
            let Some(&name) = names.get(word) else {
                let before = word.as_ptr() as usize - line.as_ptr() as usize;
                let column = line[..before].chars().count() + 1;
                let message = format!("there is no cell `{word}` on this board");
                return Err(ParseError::at(index + 1, column, message));
            };
            cells.push(name.clone());
        }
        flows.push(Flow { label: label.to_owned(), cells });
    }
    Ok(Solution { flows })
}

/// Accepts a solution, or names the first fault.
pub(super) fn check(board: &Board, solution: &Solution) -> Result<(), Violation> {
    let walk = walk(board, solution)?;
    if board.cover
        && let Some(node) = walk.iter().position(Option::is_none)
    {
        let cell = board.cell_of(node).name.for_people();
        let part = if board.lane(node).is_some() { "a lane of the bridge" } else { "the cell" };
        return Err(Violation::whole("cover", format!("{part} {cell} is on no path")));
    }
    if board.touch == Touch::Never {
        for &[a, b] in &board.edges {
            if let (Some((pair, i)), Some((other, j))) = (walk[a], walk[b])
                && pair == other
                && i.abs_diff(j) != 1
            {
                let label = &board.pairs[pair].label;
                let [a, b] = [a, b].map(|node| board.cell_of(node).name.for_people());
                let message = format!("the path of {label} touches itself between {a} and {b}");
                return Err(Violation::whole("touch", message));
            }
        }
    }
    constraints::broken(board, &walk).map_or(Ok(()), Err)
}

/// Walks all paths: each joins its termini over neighbours, no node is passed twice.
pub(super) fn walk(board: &Board, solution: &Solution) -> Result<Walk, Violation> {
    let numbers: HashMap<&Name, usize> =
        board.cells.iter().enumerate().map(|(number, cell)| (&cell.name, number)).collect();
    let pairs = board.pair_numbers();
    let mut walk: Walk = vec![None; board.nodes()];
    let mut done = vec![false; board.pairs.len()];
    for flow in &solution.flows {
        let label = &flow.label;
        let Some(&pair) = pairs.get(label.as_str()) else {
            return Err(Violation::whole("pairs", format!("there is no pair {label}")));
        };
        if std::mem::replace(&mut done[pair], true) {
            return Err(Violation::whole("pairs", format!("two paths for the pair {label}")));
        }
        let unknown = |name: &Name| {
            Violation::whole("cells", format!("there is no cell {}", name.for_people()))
        };
        let number = |name| numbers.get(name).copied().ok_or_else(|| unknown(name));
        let cells = flow.cells.iter().map(number).collect::<Result<Vec<_>, _>>()?;
        walk_path(board, pair, &cells, &mut walk)?;
    }
    if let Some(pair) = done.iter().position(|done| !done) {
        let label = &board.pairs[pair].label;
        return Err(Violation::whole("pairs", format!("no path for the pair {label}")));
    }
    Ok(walk)
}

fn walk_path(
    board: &Board,
    pair: usize,
    cells: &[usize],
    walk: &mut Walk,
) -> Result<(), Violation> {
    let label = &board.pairs[pair].label;
    let name = |cell: usize| board.cells[cell].name.for_people();
    let mut ends =
        [cells.first(), cells.last()].map(|cell| cell.map(|&c| board.cells[c].nodes.start));
    ends.sort_unstable();
    if cells.len() < 2 || ends != board.pairs[pair].ends.map(Some) {
        let message = format!("the path of {label} does not begin and end at its termini");
        return Err(Violation::whole("ends", message));
    }
    let mut last: Option<usize> = None;
    for (index, &cell) in cells.iter().enumerate() {
        let around = [index.checked_sub(1).map(|i| cells[i]), cells.get(index + 1).copied()];
        let node = node_at(board, cell, around, walk).ok_or_else(|| {
            let message =
                format!("the path of {label} does not run along a lane at {}", name(cell));
            Violation::whole("lane", message)
        })?;
        if let Some(last) = last
            && !board.neighbours[last].contains(&node)
        {
            let (from, to) = (name(board.owners[last]), name(cell));
            let message = format!("the path of {label} jumps from {from} to {to}");
            return Err(Violation::whole("neighbours", message));
        }
        if let Some((other, _)) = walk[node] {
            let other = &board.pairs[other].label;
            let message = format!("the paths of {other} and {label} meet at {}", name(cell));
            return Err(Violation::whole("meet", message));
        }
        walk[node] = Some((pair, index));
        last = Some(node);
    }
    Ok(())
}

/// The node of a cell that a path passes between two cells: on a bridge a free lane that joins
/// them.
fn node_at(board: &Board, cell: usize, around: [Option<usize>; 2], walk: &Walk) -> Option<usize> {
    if !board.cells[cell].is_bridge() {
        return Some(board.cells[cell].nodes.start);
    }
    let [from, to] = [around[0]?, around[1]?];
    let lane = |node: &usize| {
        let [a, b] = board.lane_ends(*node).map(|end| board.owners[end]);
        ([a, b] == [from, to] || [b, a] == [from, to]) && walk[*node].is_none()
    };
    board.cells[cell].nodes.clone().find(lane)
}
