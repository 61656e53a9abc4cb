//! Warehouse: the robot warehouse of Advent of Code 2024, day 15, with questions added.
//!
//! A robot obeys instructions. It pushes boxes in chains of any length; a wide box pushed up or
//! down pushes everything that one of its cells touches. When anything in the pushed set meets a
//! wall, nothing moves and the instruction is spent. Boxes of every width are one idea here: a
//! [`WideBox`] is a left cell and a number of cells.
//!
//! Blocked instructions are fine in a list of instructions ([`Puzzle::check`] and replay obey
//! them), but they change nothing, so the plans that we look for never contain any.

mod board;
mod fast_rules;
mod format;
mod goal;
mod level;
mod pddl;
mod picture;
mod rules;
mod sample;
mod widen;

#[cfg(test)]
mod tests;

pub use board::{Cell, Instructions, Layout, State, WideBox};
pub use fast_rules::{FastState, InstructionEffect};
pub use format::{own_moves, sniff};
pub use goal::{Arrangement, Goal, Relation, ScoreGoal, ScoreGoalError};
pub use level::Warehouse;

use crate::error::{ParseError, Violation};
use crate::extras::{Extras, Parts, Records};
use crate::grid::Direction;
use crate::level::{Level, Warning};
use crate::moves::Moves;
use crate::objective::{Measure, Measures, Objective, Tally};
use crate::options::{OptionSpec, Options, Term, Values};
use crate::part::Part;
use crate::picture::{Frame, FrameOptions, Picture, Style};
use crate::planning;
use crate::puzzle::{Facts, Puzzle, RecordSupport};
use crate::scene::{Ground, SquareGround};
use format::{GoalText, Sketch};
use itertools::Itertools;

impl Warehouse {
    fn from_text(text: &str, options: &Options) -> Result<Self, ParseError> {
        let asked = options.get("gps");
        let score = (!asked.is_empty()).then(|| asked.parse()).transpose();
        let score = score.map_err(|error: ScoreGoalError| {
            ParseError::whole(error.to_string())
                .help(format!("for the option `gps` {}", ScoreGoal::HELP))
        })?;
        let mut sketch = Sketch::read(text)?;
        for _ in 0..options.number("widen") {
            sketch = sketch.widened(options.get("widen-boxes"))?;
        }
        if let Some(score) = score {
            sketch.demand = Some(GoalText::Score(score));
        }
        Ok(Self::from_sketch(sketch))
    }

    fn from_sketch(sketch: Sketch) -> Self {
        let Sketch { layout, start, instructions, demand } = sketch;
        let goal = match demand {
            Some(GoalText::Map(arrangement)) => Goal::Map(arrangement),
            Some(GoalText::Score(score)) => Goal::Score(score),
            None if instructions.0.is_empty() => Goal::Anything,
            None => {
                let mut board = FastState::at(&layout, &start);
                board.obey_all(&instructions);
                Goal::Same(Arrangement::exactly(&layout, board.state().boxes))
            }
        };
        Self { layout, start, instructions, goal }
    }

    /// The level with other instructions: where the end of its own is what is asked, the map of
    /// that end takes their place.
    fn asked_with(&self, instructions: &Instructions) -> String {
        format::print(&self.layout, &self.start, instructions, &self.goal.without_instructions())
    }

    /// A stage of a replay, `since` which instructions.
    fn stage(&self, board: &FastState<'_>, since: &[Direction], style: Style) -> Frame {
        let since = Instructions(since.to_vec());
        let label = format!("{since} score {}", board.score()).trim_start().to_owned();
        let drawn = self.draw(&board.state(), style).unwrap_or_default();
        Frame { moves: board.tally().moves, label, board: drawn }
    }

    fn removable_walls(&self) -> Vec<Cell> {
        let layout = &self.layout;
        let open = |place, direction| layout.next_floor(place, direction).is_some();
        let beside = |&place: &Cell| {
            layout.is_wall(place) && Direction::ALL.into_iter().any(|d| open(place, d))
        };
        (0..layout.len() as u32).map(Cell).filter(beside).collect()
    }

    fn after(&self, instructions: &Instructions) -> FastState<'_> {
        let mut board = FastState::new(self);
        board.obey_all(instructions);
        board
    }
}

impl Sketch {
    /// Everything twice as wide, in the way that the option `widen-boxes` names.
    fn widened(self, way: &str) -> Result<Self, ParseError> {
        let boxes = if way == "grow" { widen::Boxes::Grow } else { widen::Boxes::Double };
        let layout = self.layout.widened().ok_or_else(|| {
            let most = Layout::MAX_CELLS;
            ParseError::whole(format!("the widened map has more than {most} cells"))
                .help("take a smaller number for the option `widen`")
        })?;
        let demand = match self.demand {
            Some(GoalText::Map(asked)) => Some(GoalText::Map(boxes.arrangement(&asked))),
            other => other,
        };
        Ok(Self { layout, start: boxes.state(&self.start), demand, ..self })
    }
}

impl Warehouse {
    /// Each label gives the instructions since the last stage and the score after them.
    fn frames(&self, solution: &Instructions, shots: FrameOptions) -> Vec<Frame> {
        // Once to count the stages, once to draw those that are wanted.
        let mut ends = Vec::new();
        let mut board = FastState::new(self);
        for (index, &direction) in solution.0.iter().enumerate() {
            let effect = board.obey(direction);
            if shots.every_move
                || effect == InstructionEffect::Pushed
                || index + 1 == solution.0.len()
            {
                ends.push(index);
            }
        }
        let picked = shots.picks(ends.len());
        let ends = (1..).zip(ends).filter(|&(number, _)| picked(number)).map(|(_, end)| end);
        let mut board = FastState::new(self);
        let mut frames = vec![self.stage(&board, &[], shots.style)];
        let mut since = 0;
        for end in ends {
            solution.0[since..=end].iter().for_each(|&direction| {
                board.obey(direction);
            });
            frames.push(self.stage(&board, &solution.0[since..=end], shots.style));
            since = end + 1;
        }
        frames
    }

    /// Walls beside floor.
    fn parts(&self) -> Vec<Part> {
        let places = self.removable_walls().into_iter();
        places.map(|place| Part::at("wall", self.layout.place(place), true)).collect()
    }

    fn without(&self, left_out: &[usize]) -> Option<Self> {
        let walls = self.removable_walls();
        let gone = left_out.iter().map(|&part| walls.get(part).copied());
        let gone: Vec<Cell> = gone.collect::<Option<_>>()?;
        let begun = self.begun_at(&self.start);
        Some(Self { layout: begun.layout.opened(&gone), ..begun })
    }
}

impl Puzzle for Warehouse {
    const NAME: &'static str = "warehouse";

    const OPTIONS: &'static [OptionSpec] = &[
        OptionSpec {
            name: "widen",
            values: Values::Number(0, 20),
            default: "0",
            help: "make the map twice as wide, this many times",
        },
        OptionSpec {
            name: "widen-boxes",
            values: Values::Choice(&["double", "grow"]),
            default: "double",
            help: "what widening makes of a box: one box of width two from each of its cells \
                   (double), or one box twice as wide (grow)",
        },
        OptionSpec {
            name: "gps",
            values: Values::Text(ScoreGoal::HELP),
            default: "",
            help: "ask for a score instead of what the file asks: `=2028`, `<=900` or `>=1200`",
        },
    ];

    const OBJECTIVES: &'static [Objective] = &[
        Objective::Moves,
        Objective::MovesPushes,
        Objective::Pushes,
        Objective::PushesMoves,
        Objective::Any,
    ];
    const MEASURES: Measures =
        Measures { moves: Measure { one: "instruction", many: "instructions" }, ..Measures::PLAIN };

    const EXTRAS: Extras<Self> = Extras {
        term: |level, option, given| {
            let value = match (option, &level.goal) {
                ("gps", Goal::Score(goal)) if given.is_empty() => goal.to_string(),
                _ => given.to_owned(),
            };
            let rule = match (option, value.as_str()) {
                ("gps", "") | ("widen", "0") | ("widen-boxes", "double") => String::new(),
                ("gps", goal) => format!("score {goal}"),
                ("widen", times) => format!("widened {times}x"),
                (_, way) => format!("boxes {way}"),
            };
            Term { value, rule, is_strict: false }
        },
        // The map and what is asked, whatever the instructions.
        canonical_text: |level| level.asked_with(&Instructions::default()),
        planning: pddl::task,
        // The map with the solution as its instructions, and with what is asked.
        records: Some(Records {
            support: RecordSupport::OneLevel,
            write: |level, solution, _| level.asked_with(solution),
        }),
        frames: Self::frames,
        solution_facts: |level, solution| {
            let mut board = FastState::new(level);
            let blocked = solution
                .0
                .iter()
                .filter(|&&direction| board.obey(direction) == InstructionEffect::Blocked);
            let blocked = blocked.count();
            vec![("score", board.score().into()), ("blocked", blocked.into())]
        },
        ground: Some(|level| {
            let layout = level.layout();
            let mut squares = vec!["wall"; layout.len()];
            layout.floor().for_each(|cell| squares[cell.index()] = "floor");
            picture::wanted(level).for_each(|cell| squares[cell.index()] = "goal");
            let (rows, columns) = (layout.height(), layout.width());
            Ground::Squares(SquareGround { rows, columns, squares, ..SquareGround::default() })
        }),
        parts: Some(Parts { all: Self::parts, without: Self::without }),
        ..Extras::NONE
    };

    type Solution = Instructions;

    fn read(text: &str, options: &Options) -> Result<Vec<Level<Self>>, ParseError> {
        if text.trim().is_empty() {
            return Ok(Vec::new());
        }
        let puzzle = Self::from_text(text, options);
        let (mut solutions, mut warnings) = (Vec::new(), Vec::new());
        if let Ok(warehouse) = &puzzle {
            if !warehouse.instructions.0.is_empty() {
                solutions.push(warehouse.instructions.to_string());
            }
            if warehouse.goal == Goal::Anything {
                let text =
                    "nothing is asked: the file has no goal map, no instructions and no score";
                warnings.push(Warning::from(text).settled_by("gps", "2028"));
            }
        }
        Ok(vec![Level { solutions, warnings, ..Level::new(1, text.to_owned(), puzzle) }])
    }

    fn print(&self) -> String {
        format::print(&self.layout, &self.start, &self.instructions, &self.goal)
    }

    fn sample(seed: u64) -> Self {
        sample::warehouse(seed)
    }

    fn read_solution(&self, text: &str) -> Result<Instructions, ParseError> {
        if let Some(plan) = planning::plan(text, &pddl::MOVES, &[]) {
            return Ok(Instructions(plan?.into_iter().map(|(_, direction)| direction).collect()));
        }
        // Beside its own arrows a solution may have letters, as other families have them.
        let arrow = |letter: char| match letter.to_ascii_lowercase() {
            'u' => '^',
            'l' => '<',
            'd' => 'v',
            'r' => '>',
            _ => letter,
        };
        let text: String = text.chars().map(arrow).collect();
        let lines: Vec<_> = (1..).zip(text.lines()).collect();
        let mut instructions = Instructions::default();
        format::read_instructions(&lines, &mut instructions)?;
        Ok(instructions)
    }

    fn check(&self, solution: &Instructions) -> Result<Tally, Violation> {
        let board = self.after(solution);
        match self.goal.fault(&self.layout, &board.state()) {
            None => Ok(board.tally()),
            Some(fault) => Err(Violation::whole("not-solved", fault)),
        }
    }

    fn picture(&self, solution: Option<&Instructions>, style: Style) -> Option<Picture> {
        match solution {
            None => self.draw(&self.start, style),
            Some(solution) => self.draw(&self.after(solution).state(), style),
        }
    }

    fn facts(&self) -> Facts {
        let boxes = &self.start.boxes;
        let widths = boxes.iter().map(|wide| wide.width).sorted().dedup();
        vec![
            ("width", self.layout.width().into()),
            ("height", self.layout.height().into()),
            ("boxes", boxes.len().into()),
            ("box widths", widths.collect_vec().into()),
            ("instructions", self.instructions.0.len().into()),
            ("score", self.start.score(&self.layout).into()),
            ("asked", self.goal.to_string().into()),
        ]
    }
}
