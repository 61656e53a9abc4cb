//! A Good Snowman Is Hard To Build: balls of snow are rolled, grow, and are piled to snowmen.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `board` | the level itself and what makes it a legal one |
//! | `format` | level files in three legends |
//! | `picture` | SVG |
//! | `pddl` | levels as tasks for planners |
//! | `parts` | boxes, walls and so on that can be left out |
//! | `rules` | the game: states, moves, the goal |
//! | `solution` | solutions, written as W A S D |
//! | `sample`, `generate` | random levels for tests and for designers |
//!
//! The game is by Alan Hazelden and Benjamin Davis (2015). Level files and the rules as planning
//! problems: Bofill, Borralleras, Espasa, Martín, Patow, Villaret, "A Good Snowman is Hard to
//! Plan", 2023.

mod board;
mod format;
pub mod generate;
mod parts;
mod pddl;
mod picture;
mod rules;
mod sample;
mod solution;
#[cfg(test)]
mod tests;

pub use board::{Ground, Legend, LevelError, Pieces, Size, Snowman, Stack, State};
pub use solution::{Move, Solution};

use crate::error::{ParseError, Violation};
use crate::extras::{Extras, Parts, Records};
use crate::level::Level;
use crate::moves::Moves;
use crate::objective::{Measure, Measures, Objective, Tally};
use crate::options::{OptionSpec, Options, Term, Values};
use crate::picture::{Picture, Style};
use crate::planning;
use crate::play::Play;
use crate::puzzle::{Facts, Puzzle, RecordSupport};
use crate::scene::{self, SquareGround};
use crate::text_format::TextFormat;
use serde_json::json;

impl Puzzle for Snowman {
    const NAME: &'static str = "snowman";

    const OPTIONS: &'static [OptionSpec] = &[
        OptionSpec {
            name: "legend",
            values: Values::Choice(&["auto", "published", "author", "research"]),
            default: "auto",
            help: "What the characters of a level file mean",
        },
        OptionSpec {
            name: "dismantle",
            values: Values::Flag,
            default: "false",
            help: "Let finished snowmen be taken apart, as the planning papers do",
        },
    ];

    const OBJECTIVES: &'static [Objective] = &[
        Objective::Pushes,
        Objective::PushesMoves,
        Objective::Moves,
        Objective::MovesPushes,
        Objective::Any,
    ];
    const MEASURES: Measures = Measures {
        pushes: Measure { one: "ball action", many: "ball actions" },
        ..Measures::PLAIN
    };

    const EXTRAS: Extras<Self> = Extras {
        term: |level, option, _| {
            let legend = level.legend();
            let (value, rule, is_strict) = match (option, level.dismantle()) {
                ("dismantle", true) => {
                    ("true", "finished snowmen can be taken apart".to_owned(), false)
                }
                ("dismantle", false) => ("false", "finished snowmen stay whole".to_owned(), true),
                _ if legend == Legend::Published => (legend.name(), String::new(), false),
                _ => (legend.name(), format!("{} legend", legend.name()), false),
            };
            Term { value: value.to_owned(), rule, is_strict }
        },
        formats: |level| {
            vec![
                TextFormat::new("published legend", Self::NAME, level.print()),
                TextFormat::new("the author's legend", "author.snowman", level.printed_as_author()),
            ]
        },
        planning: pddl::task,
        records: Some(Records { support: RecordSupport::Levels, write: format::recorded }),
        frames: |level, solution, shots| level.stages(&level.plan(solution), shots),
        ground: Some(|level| {
            let word = |_, ground: &Ground| match ground {
                Ground::Wall => "wall",
                Ground::Floor => "floor",
                Ground::Target => "target",
                Ground::Teleporter => "teleporter",
            };
            scene::Ground::Squares(SquareGround::of(level.ground(), word))
        }),
        parts: Some(Parts { all: parts::parts, without: parts::without }),
        ..Extras::NONE
    };

    type Solution = Solution;

    fn read(text: &str, options: &Options) -> Result<Vec<Level<Self>>, ParseError> {
        format::read(text, options)
    }

    fn print(&self) -> String {
        self.printed()
    }

    fn sample(seed: u64) -> Self {
        sample::board(seed)
    }

    fn read_solution(&self, text: &str) -> Result<Solution, ParseError> {
        match planning::plan(text, &pddl::MOVES, &pddl::IDLE) {
            Some(plan) => {
                let step = |(_, direction)| Move { direction, exit: None };
                Ok(Solution::new(&plan?.into_iter().map(step).collect::<Vec<_>>()))
            }
            None => solution::read(text),
        }
    }

    fn check(&self, solution: &Solution) -> Result<Tally, Violation> {
        self.judge(&self.plan(solution)).map_err(rules::explain)
    }

    fn picture(&self, solution: Option<&Solution>, style: Style) -> Option<Picture> {
        let plan = solution.map(|solution| self.plan(solution)).unwrap_or_default();
        self.draw(self.replay(&plan).states.last()?, style)
    }

    fn facts(&self) -> Facts {
        let [small, medium, large] = self.balls();
        let open = self.ground().cells().filter(|&cell| self.is_open(cell)).count();
        let mut facts = vec![
            ("width", json!(self.ground().width())),
            ("height", json!(self.ground().height())),
            ("floor", json!(open)),
            ("balls", json!({ "small": small, "medium": medium, "large": large })),
            ("snow", json!(self.snow().len())),
            ("sizes to grow", json!(self.growth())),
            ("targets", json!(self.targets().count())),
            ("teleporters", json!(self.teleporters().len())),
            ("legend", json!(self.legend().name())),
            ("dismantle", json!(self.dismantle())),
        ];
        facts.extend(self.unsolvable_reason().map(|why| ("hopeless", json!(why))));
        facts
    }
}
