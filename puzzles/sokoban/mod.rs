//! Sokoban: a warehouse keeper pushes boxes onto goals.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `board` | the level itself and what makes it a legal one |
//! | `parts` | boxes, walls and so on that can be left out |
//! | `rules` | the game: states, moves, the goal |
//! | `lurd` | solutions, written as LURD |
//! | `collection` | files of levels; `scan` cuts them up, `gather` says what belongs to which level |
//! | `slc` | collections as XML |
//! | `pddl` | planning tasks, and the plans that planners print |
//! | `rows`, `note` | a line as a board row, a line as anything else |
//! | `identity` | names of levels that survive turning and mirroring |
//! | `patterns` | what a dead pattern is, and the judge of lists of them |
//! | `picture` | Unicode and SVG |
//! | `sample`, `generate` | small random levels for tests, and levels made backwards |
//! | `runlength` | the run-length notation that rows and solutions share |

mod board;
mod collection;
mod gather;
pub mod generate;
mod identity;
mod lurd;
mod note;
mod parts;
mod patterns;
mod pddl;
mod picture;
mod rows;
mod rules;
mod runlength;
mod sample;
mod scan;
mod slc;

#[cfg(test)]
mod tests;

pub use board::{LevelError, Sokoban, State, Tile};
pub use collection::{Collection, Entry, solution_record};
pub use lurd::Solution;
pub use note::{Note, Record};
pub use rules::Move;

use crate::error::{ParseError, Violation};
use crate::extras::{Extras, Parts, Records};
use crate::level::Level;
use crate::moves::Moves;
use crate::objective::{Objective, Tally};
use crate::options::Options;
use crate::picture::{Picture, Style};
use crate::play::Play;
use crate::puzzle::{Facts, Puzzle, RecordSupport};
use crate::scene::{Ground, SquareGround};
use crate::sketch::Span;
use crate::text_format::TextFormat;

impl Puzzle for Sokoban {
    const NAME: &'static str = "sokoban";

    const OBJECTIVES: &'static [Objective] = &[
        Objective::Pushes,
        Objective::PushesMoves,
        Objective::Moves,
        Objective::MovesPushes,
        Objective::Any,
    ];

    const EXTRAS: Extras<Self> = Extras {
        formats: |level| {
            let rows = level.print();
            let line = runlength::rows(&rows);
            vec![
                TextFormat::new("XSB", "xsb", rows),
                TextFormat::new("run lengths", "rle.txt", line),
            ]
        },
        planning: pddl::task,
        identity: Self::exact_id,
        records: Some(Records {
            support: RecordSupport::Levels,
            write: |level, solution, recording| {
                collection::recorded(level, solution, recording).to_string()
            },
        }),
        frames: |level, solution, shots| {
            let mut frames = level.stages(&level.plan(solution), shots);
            // Whether a letter is a capital depends on all moves before it.
            let letters: Vec<char> = solution.to_string().chars().collect();
            let mut since = 0;
            for frame in &mut frames {
                let moves = frame.moves as usize;
                frame.label = letters[since..moves].iter().collect();
                since = moves;
            }
            frames
        },
        ground: Some(|level| {
            let word = |cell, tile: &Tile| match tile {
                Tile::Wall if !level.is_blank(cell) => "wall",
                Tile::Goal => "goal",
                Tile::Floor if level.is_inside(cell) => "floor",
                Tile::Wall | Tile::Floor => "outside",
            };
            Ground::Squares(SquareGround::of(level.grid(), word))
        }),
        span: |_, (row, column), style| {
            let width = if matches!(style, Style::Unicode { .. }) { 2 } else { 1 };
            Span { line: row, column: column * width, width }
        },
        parts: Some(Parts { all: parts::parts, without: parts::without }),
        ..Extras::NONE
    };

    type Solution = Solution;

    fn read(text: &str, _options: &Options) -> Result<Vec<Level<Self>>, ParseError> {
        let Collection { notes, entries } = Collection::read(text)?;
        let notes = collection::note_lines(&notes);
        Ok(entries.into_iter().map(|entry| entry.level(&notes)).collect())
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

    fn facts(&self) -> Facts {
        let floor = self.grid().cells().filter(|&cell| self.is_inside(cell)).count();
        vec![
            ("width", self.grid().width().into()),
            ("height", self.grid().height().into()),
            ("floor", floor.into()),
            ("boxes", self.boxes().len().into()),
            ("goals", self.goals().len().into()),
            ("exact id", self.exact_id().into()),
            ("push id", self.push_id().into()),
        ]
    }
}
