//! Flow and Numberlink on any graph: formats, rules, pictures, and boards made in code.
//!
//! Join each pair of equal labels by a path. No two paths meet. In Flow Free every cell is on a path
//! ([`Board::cover`]), in the Numberlink of Nikoli cells may stay empty: each format brings the rule
//! of the game that it comes from. Whether a path may lie beside itself the games leave open
//! ([`Touch`]), so every answer says under which rules it holds.

mod board;
mod builder;
mod check;
mod constraints;
mod formats;
pub mod generate;
mod picture;
mod print;
mod read;
mod sample;
mod sketch;
mod svg;
#[cfg(test)]
mod tests;

pub use board::{Board, Cell, Heading, Name, Pair, PathConstraint, PathFact, Shape, Touch};
pub use builder::{BoardError, Builder, MAX_CELLS};
pub use check::{Flow, Solution};
pub(crate) use read::is_link;

use crate::error::{ParseError, Violation};
use crate::extras::{Extras, Parts};
use crate::level::Level;
use crate::objective::{Objective, Tally};
use crate::options::{OptionSpec, Options, Term, Values};
use crate::part::Part;
use crate::picture::{Picture, Style};
use crate::pieces::Squares;
use crate::puzzle::{Facts, Puzzle, Reading};
use crate::scene::Ground;
use serde_json::json;

/// Names of the two rules on touching, of readings and in sentences.
const NO_TOUCH: &str = "no self-touch";
const TOUCH_ALLOWED: &str = "self-touch allowed";

impl Board {
    /// Walls between two squares, of which neither is a bridge.
    fn removable_walls(&self) -> Vec<(usize, usize)> {
        let mut walls = print::walls(self);
        walls.retain(|&(a, b)| ![a, b].iter().any(|&cell| self.cells[cell].is_bridge()));
        walls
    }

    /// The rule that every cell is on a path, where it holds, then the pairs, then the walls between
    /// squares. While that rule
    /// holds, a board without a pair may be harder.
    fn parts(&self) -> Vec<Part> {
        let rule = self.cover.then(|| Part {
            kind: Part::RULE,
            name: "every cell is on a path".to_owned(),
            places: Vec::new(),
            loosens: true,
        });
        // What is wished for may be drawn by any pair.
        let constrained = self.path_constraints().iter().any(|demand| demand.wanted);
        let pairs = self.pairs.iter().map(|pair| Part {
            kind: "pair",
            name: format!("pair {}", pair.label),
            places: pair.ends.iter().filter_map(|&end| self.cell_of(end).name.place()).collect(),
            loosens: !self.cover && !constrained,
        });
        // Cells that are joined may not touch without being so on a path.
        let loosens = self.touch == Touch::Allow;
        let walls = self.removable_walls().into_iter().map(|(a, b)| {
            let places: Vec<_> =
                [a, b].iter().filter_map(|&cell| self.cells[cell].name.place()).collect();
            let words = |(row, column): &(usize, usize)| format!("({},{})", row + 1, column + 1);
            let name = format!("wall {}", places.iter().map(words).collect::<Vec<_>>().join(" "));
            Part { kind: "wall", name, places, loosens }
        });
        rule.into_iter().chain(pairs).chain(walls).collect()
    }

    fn without(&self, left_out: &[usize]) -> Option<Self> {
        let rules = usize::from(self.cover);
        let kept = |number: usize| !left_out.contains(&(number + rules));
        let pairs = self.pairs.iter().enumerate().filter(|&(number, _)| kept(number));
        let pairs = pairs.map(|(_, pair)| pair.clone()).collect();
        let cover = self.cover && !left_out.contains(&0);
        let first = rules + self.pairs.len();
        let walls = self.removable_walls().into_iter().enumerate();
        let gone = walls.filter(|(number, _)| left_out.contains(&(number + first)));
        let gone: Vec<_> = gone.map(|(_, wall)| wall).collect();
        Some(Self { pairs, cover, ..self.opened(&gone) })
    }
}

impl Puzzle for Board {
    const NAME: &'static str = "flow";

    const OPTIONS: &'static [OptionSpec] = &[
        OptionSpec {
            name: "touch",
            values: Values::Choice(&["source", "file", "auto", "never", "allow"]),
            default: "source",
            help: "May a path lie beside itself? auto: first without, then with, and the answer \
                   says which; source: as the file says, else as is played where its format is \
                   from; file: as the file says, else auto",
        },
        OptionSpec {
            name: "cover",
            values: Values::Choice(&["source", "file", "yes", "no"]),
            default: "source",
            help: "Must every cell be on a path? source: as the file says, else as is played where \
                   its format is from; file: as the file says, else yes",
        },
    ];

    const OBJECTIVES: &'static [Objective] = &[Objective::Any];

    const EXTRAS: Extras<Self> = Extras {
        readings: |board| {
            let reading = |name, touch| Reading { name, puzzle: board.under(touch, board.cover) };
            let strict = reading(NO_TOUCH, Touch::Never);
            let loose = reading(TOUCH_ALLOWED, Touch::Allow);
            match board.touch {
                Touch::Never => vec![strict],
                Touch::Allow => vec![loose],
                Touch::Auto => vec![strict, loose],
            }
        },
        term: |board, option, _| {
            let (value, rule, is_strict) = match (option, board.touch, board.cover) {
                ("cover", _, true) => ("yes", "every cell on a path", true),
                ("cover", _, false) => ("no", "cells may stay empty", false),
                (_, Touch::Auto, _) => ("auto", "", false),
                (_, Touch::Never, _) => ("never", NO_TOUCH, true),
                (_, Touch::Allow, _) => ("allow", TOUCH_ALLOWED, false),
            };
            Term { value: value.to_owned(), rule: rule.to_owned(), is_strict }
        },
        formats: formats::formats,
        solution_facts: |board, solution| {
            let used: usize = solution.flows.iter().map(|flow| flow.cells.len()).sum();
            let strict = check::check(&board.under(Touch::Never, board.cover), solution).is_ok();
            vec![
                ("steps", json!(used.saturating_sub(solution.flows.len()))),
                ("touches itself", json!(!strict)),
            ]
        },
        ground: Some(|board| Ground::Paths(svg::ground_data(board))),
        squares: |board| {
            let (rows, columns) = board.extent().filter(|_| board.shape == Shape::Square)?;
            let place =
                |end: usize| board.cells[board.owners[end]].name.place().unwrap_or_default();
            let ends = board.pairs.iter().map(|pair| (pair.label.clone(), pair.ends.map(place)));
            Some(Squares { rows, columns, ends: ends.collect() })
        },
        middle: |board, (row, column)| {
            let cell = board.cell_named(&Name::At(row, column))?;
            board.extent().map(|_| (svg::centre(board, cell), svg::SIZE))
        },
        sketch: Some(|board| Box::new(sketch::Drawing::new(board))),
        parts: Some(Parts { all: Self::parts, without: Self::without }),
        constrained: Self::constrained,
        ..Extras::NONE
    };

    type Solution = Solution;

    fn read(text: &str, options: &Options) -> Result<Vec<Level<Self>>, ParseError> {
        read::read(text, options)
    }

    fn print(&self) -> String {
        print::print(self)
    }

    fn sample(seed: u64) -> Self {
        sample::sample(seed)
    }

    fn read_solution(&self, text: &str) -> Result<Solution, ParseError> {
        check::read_solution(self, text)
    }

    fn check(&self, solution: &Solution) -> Result<Tally, Violation> {
        check::check(self, solution).map(|()| Tally::default())
    }

    fn picture(&self, solution: Option<&Solution>, style: Style) -> Option<Picture> {
        Some(match style {
            Style::Plain => picture::plain(self, solution),
            Style::Unicode { color } => picture::unicode(self, solution, color),
            Style::Svg => svg::svg(self, solution),
        })
    }

    fn facts(&self) -> Facts {
        let shape = match self.shape {
            Shape::Square => "square",
            Shape::Hex { .. } => "hex",
            Shape::Graph => "graph",
        };
        let mut facts = vec![("shape", json!(shape))];
        if let Some((rows, columns)) = self.extent() {
            facts.push(("size", json!(format!("{columns} x {rows}"))));
        }
        let bridges = self.cells.iter().filter(|cell| cell.is_bridge()).count();
        let edges = print::cell_edges(self);
        let far = edges.iter().filter(|&&(a, b)| !print::is_side(self, a, b)).count();
        facts.extend([
            ("cells", json!(self.cells.len())),
            ("colours", json!(self.pairs.len())),
            ("bridges", json!(bridges)),
            ("walls", json!(print::walls(self).len())),
            ("links", json!(if self.shape == Shape::Graph { edges.len() } else { far })),
            ("touch", json!(self.touch.word())),
            ("cover", json!(if self.cover { "yes" } else { "no" })),
        ]);
        facts
    }
}
