//! Sokoban: a warehouse keeper pushes boxes onto goals.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `board` | the level itself and what makes it a legal one |
//! | `rules` | the game: states, moves, the goal |
//! | `lurd` | solutions, written as LURD |

mod board;
mod lurd;
mod rules;
mod runlength;
mod sample;

pub use board::{Flaw, Sokoban, Tile};
pub use lurd::Solution;
pub use rules::{Move, State};

use crate::error::{ParseError, Violation};
use crate::level::Level;
use crate::moves::Moves;
use crate::options::Options;
use crate::puzzle::{Frame, Objective, Picture, Puzzle, Style, Tally};

impl Puzzle for Sokoban {
    const NAME: &'static str = "sokoban";

    const OBJECTIVES: &'static [Objective] = &[
        Objective::Pushes,
        Objective::PushesMoves,
        Objective::Moves,
        Objective::MovesPushes,
        Objective::Any,
    ];

    type Solution = Solution;

    fn read(text: &str, _options: &Options) -> Result<Vec<Level<Self>>, ParseError> {
        board::read_simple(text)
    }

    fn print(&self) -> String {
        self.drawing(self.boxes(), self.player())
    }

    fn sample(seed: u64) -> Self {
        sample::board(seed)
    }

    fn read_solution(&self, text: &str) -> Result<Solution, ParseError> {
        lurd::read(self, text)
    }

    fn check(&self, solution: &Solution) -> Result<Tally, Violation> {
        self.judge(&self.plan(solution)).map_err(rules::explain)
    }

    fn picture(&self, solution: Option<&Solution>, style: Style) -> Option<Picture> {
        let plan = solution.map(|solution| self.plan(solution)).unwrap_or_default();
        self.draw(self.replay(&plan).states.last()?, style)
    }

    fn frames(&self, solution: &Solution, every_move: bool) -> Vec<Frame> {
        self.stages(&self.plan(solution), every_move)
    }
}
