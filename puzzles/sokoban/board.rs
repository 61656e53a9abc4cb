//! The level: walls, goals, boxes, the player, and what makes them a legal level.

use crate::grid::{Cell, Grid};
use itertools::Itertools;

/// What a cell of the board is, whatever stands on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tile {
    /// Neither the player nor a box can be here. Everything outside the walls is wall too.
    Wall,
    /// Plain floor.
    Floor,
    /// A place where a box should end.
    Goal,
}

/// A legal Sokoban level.
///
/// Legal means: the player cannot leave the board, every box off goal stands in the part of the
/// board that the player could walk if there were no boxes, and there is a goal for each box.
/// Goals and boxes on goals outside that part are scenery; they may be there, and stay.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sokoban {
    grid: Grid<Tile>,
    /// The cells that the player could reach if there were no boxes.
    inside: Grid<bool>,
    /// Walls that are drawn as blank: ground that cannot be reached.
    blank: Grid<bool>,
    boxes: Vec<Cell>,
    goals: Vec<Cell>,
    player: Cell,
}

/// Why a board is not a legal level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelError {
    /// The cell to look at, where there is one.
    pub cell: Option<Cell>,
    /// What is wrong, as one sentence without a full stop.
    pub message: String,
    /// What to do about it.
    pub help: &'static str,
}

impl LevelError {
    fn at(cell: Cell, message: impl Into<String>, help: &'static str) -> Self {
        Self { cell: Some(cell), message: message.into(), help }
    }
}

impl Sokoban {
    /// A level from its parts; the boxes may come in any order.
    ///
    /// Floor that the player could not reach even without boxes becomes wall, so that from here
    /// on every open cell that is not scenery is one that matters.
    ///
    /// # Errors
    /// The first thing that makes the level illegal.
    pub fn new(
        mut grid: Grid<Tile>,
        mut boxes: Vec<Cell>,
        player: Cell,
    ) -> Result<Self, LevelError> {
        boxes.sort_unstable();
        check_places(&grid, &boxes, player)?;
        let inside = playable(&grid, player)?;
        let goals: Vec<Cell> = grid.cells().filter(|&cell| grid[cell] == Tile::Goal).collect();
        if let Some(&lost) = boxes.iter().find(|&&at| grid[at] != Tile::Goal && !inside[at]) {
            return Err(LevelError::at(
                lost,
                "this box is off goal and the player can never get near it",
                "open a way to it, put it on a goal, or remove it",
            ));
        }
        if boxes.len() > goals.len() {
            let plural = |n: usize, one: &str, many: &str| {
                format!("{n} {}", if n == 1 { one } else { many })
            };
            let goal_words = match goals.len() {
                0 => "no goal".to_owned(),
                n => format!("only {}", plural(n, "goal", "goals")),
            };
            let message = format!("{} but {goal_words}", plural(boxes.len(), "box", "boxes"));
            let cell = boxes.iter().copied().find(|&at| grid[at] != Tile::Goal);
            let help = "add goals or remove boxes";
            return Err(LevelError { cell, message, help });
        }
        let mut blank = grid.map(|_| false);
        for cell in grid.cells() {
            if grid[cell] == Tile::Floor && !inside[cell] {
                grid[cell] = Tile::Wall;
                blank[cell] = true;
            }
        }
        Ok(Self { grid, inside, blank, boxes, goals, player })
    }

    /// The same level with boxes (in increasing order) and player elsewhere, as moves could have
    /// brought them there.
    pub(super) fn with_position(&self, boxes: Vec<Cell>, player: Cell) -> Self {
        Self { boxes, player, ..self.clone() }
    }

    /// The board without boxes and player; what is outside the walls is [`Tile::Wall`].
    pub fn grid(&self) -> &Grid<Tile> {
        &self.grid
    }

    /// Where the boxes stand at the start, in increasing order.
    pub fn boxes(&self) -> &[Cell] {
        &self.boxes
    }

    /// All goals, in increasing order; there may be more of them than boxes.
    pub fn goals(&self) -> &[Cell] {
        &self.goals
    }

    /// Where the player stands at the start.
    pub fn player(&self) -> Cell {
        self.player
    }

    /// Whether player and boxes can be on a cell as far as the walls are concerned.
    pub fn is_open(&self, cell: Cell) -> bool {
        self.grid[cell] != Tile::Wall
    }

    /// Whether the player could come to a cell if there were no boxes. What happens, happens on
    /// these cells; open cells outside are scenery.
    pub fn is_inside(&self, cell: Cell) -> bool {
        self.inside[cell]
    }

    /// Whether a cell is a goal.
    pub fn is_goal_cell(&self, cell: Cell) -> bool {
        self.grid[cell] == Tile::Goal
    }

    /// Whether a wall is only unreachable ground outside.
    pub(super) fn is_blank(&self, cell: Cell) -> bool {
        self.blank[cell]
    }

    /// The board in XSB with these boxes (in increasing order) and the player here.
    pub(super) fn drawing(&self, boxes: &[Cell], player: Cell) -> String {
        let symbol = |cell| {
            let goal = self.is_goal_cell(cell);
            match (cell == player, boxes.binary_search(&cell).is_ok()) {
                (true, _) => {
                    if goal {
                        '+'
                    } else {
                        '@'
                    }
                }
                (_, true) => {
                    if goal {
                        '*'
                    } else {
                        '$'
                    }
                }
                _ if goal => '.',
                _ if self.is_open(cell) || self.is_blank(cell) => ' ',
                _ => '#',
            }
        };
        let cells = self.grid.cells().collect_vec();
        let mut text = String::new();
        for row in cells.chunks(self.grid.width()) {
            let row: String = row.iter().map(|&cell| symbol(cell)).collect();
            // A blank line would end the board.
            let row = if row.trim_end().is_empty() { "-" } else { row.trim_end() };
            text.push_str(row);
            text.push('\n');
        }
        text
    }
}

/// Player and boxes stand on open cells of their own.
fn check_places(grid: &Grid<Tile>, boxes: &[Cell], player: Cell) -> Result<(), LevelError> {
    let standing = boxes.iter().copied().chain([player]).sorted().collect_vec();
    if let Some(&cell) = standing.iter().find(|cell| cell.index() >= grid.len()) {
        let message = format!("cell {} is not on the board", cell.0);
        return Err(LevelError { cell: None, message, help: "use cells of this board" });
    }
    if let Some(&cell) = standing.iter().find(|&&cell| grid[cell] == Tile::Wall) {
        return Err(LevelError::at(cell, "something stands in a wall", "put it on the floor"));
    }
    if let Some((&cell, _)) = standing.iter().tuple_windows().find(|(one, other)| one == other) {
        return Err(LevelError::at(cell, "two things stand on one cell", "move one of them"));
    }
    Ok(())
}

/// The cells that the player could reach if there were no boxes; the board's edge must not be
/// among them.
fn playable(grid: &Grid<Tile>, player: Cell) -> Result<Grid<bool>, LevelError> {
    let mut inside = grid.map(|_| false);
    inside[player] = true;
    let mut open = vec![player];
    while let Some(cell) = open.pop() {
        if grid.neighbours(cell).count() < 4 {
            return Err(LevelError::at(
                cell,
                "the board leaks: from here the player can walk off it",
                "close the wall around the part that the player can reach",
            ));
        }
        for (_, next) in grid.neighbours(cell) {
            if grid[next] != Tile::Wall && !inside[next] {
                inside[next] = true;
                open.push(next);
            }
        }
    }
    Ok(inside)
}

/// A position of the game.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    /// Where the boxes are, in increasing order; boxes have no identity.
    pub boxes: Vec<Cell>,
    /// Where the player is.
    pub player: Cell,
}

impl State {
    /// Whether a box stands here.
    pub fn has_box(&self, cell: Cell) -> bool {
        self.boxes.binary_search(&cell).is_ok()
    }
}
