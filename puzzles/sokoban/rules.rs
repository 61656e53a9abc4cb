//! The game: what the player may do, and when it is won.

use super::board::{Sokoban, State};
use super::lurd::Solution;
use super::picture;
use crate::canonical::canonical;
use crate::error::Violation;
use crate::game_extras::{Backwards, GameExtras};
use crate::grid::{Cell, Direction};
use crate::moves::{self, MoveError, Moves, Successor};
use crate::objective::Tally;
use crate::picture::Style;
use crate::pieces::Pieces;
use crate::walking::{self, Walks};
use itertools::Itertools;
use std::collections::BTreeSet;

/// A move: one step in a direction, pushing a box if one is there.
pub type Move = Direction;

impl Sokoban {
    /// The next cell in a direction, unless that is a wall.
    pub fn open_next(&self, cell: Cell, direction: Direction) -> Option<Cell> {
        self.grid().next(cell, direction).filter(|&next| self.is_open(next))
    }

    /// The cells to which the player can walk without pushing, in increasing order.
    pub fn reach(&self, state: &State) -> BTreeSet<Cell> {
        self.walk(state).into_iter().collect()
    }

    /// The same in any order.
    fn walk(&self, state: &State) -> Vec<Cell> {
        let mut met = vec![false; self.grid().len()];
        for cell in state.boxes.iter().chain([&state.player]) {
            met[cell.index()] = true;
        }
        let mut reached = vec![state.player];
        let mut next = 0;
        while let Some(&cell) = reached.get(next) {
            next += 1;
            for direction in Direction::ALL {
                if let Some(ahead) = self.open_next(cell, direction)
                    && !std::mem::replace(&mut met[ahead.index()], true)
                {
                    reached.push(ahead);
                }
            }
        }
        reached
    }

    /// All ways to have the boxes on goals, with the player in each part of the floor.
    fn ends(&self) -> impl Iterator<Item = State> {
        let ways = self.goals().iter().copied().combinations(self.boxes().len());
        ways.flat_map(|boxes| {
            let inside = self.grid().cells().filter(|&cell| self.is_inside(cell));
            let mut left: BTreeSet<Cell> = inside.filter(|cell| !boxes.contains(cell)).collect();
            let mut parts = Vec::new();
            while let Some(&player) = left.first() {
                let state = State { boxes: boxes.clone(), player };
                self.walk(&state).iter().for_each(|cell| _ = left.remove(cell));
                parts.push(state);
            }
            parts
        })
    }

    /// Every push that leads to a place of the player within reach, with the state before it.
    fn pushes_before(&self, state: &State) -> Vec<(State, Move)> {
        let mut found = Vec::new();
        for at in self.walk(state) {
            for direction in Direction::ALL {
                // The player stood one cell further back, and the box where the player is now.
                let ahead = self.open_next(at, direction);
                let pushed = ahead.and_then(|ahead| state.boxes.binary_search(&ahead).ok());
                let back = self.open_next(at, direction.opposite());
                if let (Some(pushed), Some(player)) = (pushed, back)
                    && !state.has_box(player)
                {
                    let mut boxes = state.boxes.clone();
                    boxes[pushed] = at;
                    boxes.sort_unstable();
                    found.push((State { boxes, player }, direction));
                }
            }
        }
        found
    }
}

impl Moves for Sokoban {
    const GAME: GameExtras<Self> = GameExtras {
        classes: walking::classes(),
        drawn: Some(|level, other| {
            let same = level.grid() == other.grid()
                && level.boxes().len() == other.boxes().len()
                && level.is_inside(other.player());
            same.then(|| level.with_position(other.boxes().to_vec(), other.player()).start())
        }),
        says: |shape| {
            let gone = |words: &[&str]| moves::are_placed(words, |kind| kind == "box");
            moves::says_of(shape, gone, |words| words.iter().all(|word| *word == "@"))
        },
        backwards: Some(Backwards {
            ends: |level| Box::new(level.ends()),
            before: Self::pushes_before,
        }),
        ..GameExtras::NONE
    };

    type State = State;
    type Move = Move;

    fn start(&self) -> State {
        State { boxes: self.boxes().to_vec(), player: self.player() }
    }

    fn moves(&self, state: &State) -> Vec<Move> {
        Direction::ALL.into_iter().filter(|&mv| self.step(state, mv).is_ok()).collect()
    }

    fn step(&self, state: &State, mv: Move) -> Result<Successor<State>, MoveError> {
        let to = self.open_next(state.player, mv).ok_or("wall")?;
        let mut next = State { boxes: state.boxes.clone(), player: to };
        let Ok(pushed) = state.boxes.binary_search(&to) else {
            return Ok(Successor { state: next, tally: Tally { moves: 1, pushes: 0 } });
        };
        let beyond = self.open_next(to, mv).ok_or("box-against-wall")?;
        if state.has_box(beyond) {
            return Err("box-against-box".into());
        }
        next.boxes[pushed] = beyond;
        next.boxes.sort_unstable();
        Ok(Successor { state: next, tally: Tally { moves: 1, pushes: 1 } })
    }

    fn is_goal(&self, state: &State) -> bool {
        state.boxes.iter().all(|&cell| self.is_goal_cell(cell))
    }

    fn solution(&self, plan: &[Move]) -> Solution {
        Solution::replayed(self, plan.iter().map(|&mv| (mv, false)))
    }

    fn plan(&self, solution: &Solution) -> Vec<Move> {
        solution.moves().collect()
    }

    fn pieces(&self, state: &State) -> Pieces {
        let place = |cell: &Cell| self.grid().place(*cell);
        let others = state.boxes.iter().map(|cell| vec![place(cell)]).collect();
        Pieces { player: place(&state.player), others }
    }

    fn begun_at(&self, state: &State) -> Self {
        self.with_position(state.boxes.clone(), state.player)
    }

    fn action(&self, before: &State, after: &State) -> String {
        let gone = before.boxes.iter().filter(|&&cell| !after.has_box(cell));
        let come = after.boxes.iter().filter(|&&cell| !before.has_box(cell));
        let at = |cell: &Cell| self.grid().words(*cell);
        moves::action_of(gone.map(|cell| format!("box {}", at(cell))), come.map(at))
    }

    fn draw(&self, state: &State, style: Style) -> Option<String> {
        Some(picture::draw(self, state, style))
    }

    /// The numbers of the player's cell and of the boxes' cells, in increasing order.
    fn write_state(&self, state: &State) -> String {
        let cells = std::iter::once(&state.player).chain(&state.boxes);
        cells.map(|cell| cell.0.to_string()).collect::<Vec<_>>().join(" ")
    }

    fn read_state(&self, text: &str) -> Option<State> {
        let mut cells = text.split(' ').map(|word| {
            let cell = Cell(canonical(word)?);
            (cell.index() < self.grid().len() && self.is_open(cell)).then_some(cell)
        });
        let player = cells.next()??;
        let boxes = cells.collect::<Option<Vec<_>>>()?;
        let sound = boxes.len() == self.boxes().len()
            && boxes.is_sorted_by(|one, other| one < other)
            && !boxes.contains(&player);
        sound.then_some(State { boxes, player })
    }
}

impl Walks for Sokoban {
    fn player(state: &State) -> Cell {
        state.player
    }

    fn with_player(state: &State, player: Cell) -> State {
        State { boxes: state.boxes.clone(), player }
    }

    fn ahead(&self, cell: Cell, direction: Direction) -> Option<Cell> {
        self.open_next(cell, direction)
    }

    fn within_reach(&self, state: &State) -> BTreeSet<Cell> {
        self.reach(state)
    }
}

/// The judge's verdict in words that fit the game.
pub(super) fn explain(violation: Violation) -> Violation {
    let message = match violation.rule {
        "wall" => "the player would walk into a wall",
        "box-against-wall" => "the player would push a box into a wall",
        "box-against-box" => "the player would push a box into another box",
        "not-solved" => "all moves are legal, but not every box is on a goal at the end",
        _ => return violation,
    };
    Violation { message: message.to_owned(), ..violation }
}
