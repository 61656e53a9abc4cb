//! What only some puzzles have: each family lists its own in [`Puzzle::EXTRAS`].

use crate::constraints::Constraints;
use crate::error::ParseError;
use crate::level::Level;
use crate::objective::Objective;
use crate::options::{Options, Term};
use crate::part::Part;
use crate::picture::{Frame, FrameOptions, Style};
use crate::pieces::{Coord, Squares};
use crate::planning::PlanningTask;
use crate::puzzle::{Facts, Puzzle, Reading, RecordSupport, Recording, short_hash};
use crate::scene::Ground;
use crate::sketch::{Sketch, Span};
use crate::svg::Point;
use crate::text_format::TextFormat;

/// What a puzzle has that others need not have, as functions of its family; [`Extras::NONE`] is a
/// puzzle with one reading, one format and pictures.
#[expect(clippy::type_complexity, reason = "each is said once, with what it means")]
pub struct Extras<P: Puzzle> {
    /// The readings to try, in order; just the puzzle itself where the rules leave nothing open.
    pub readings: fn(&P) -> Vec<Reading<P>>,
    /// What an option comes to for this puzzle, whether it was given as the second text or left to the
    /// file; of a puzzle with several readings, for one of these. Every answer names it.
    pub term: fn(&P, &str, &str) -> Term,
    /// The puzzle in every format that is written and can say it, that of [`Puzzle::print`] first.
    /// Reading any of them gives the same puzzle, with other labels where a format has none.
    pub formats: fn(&P) -> Vec<TextFormat>,
    /// The puzzle as a task for planners, whose plans [`Puzzle::read_solution`] reads; or why it is
    /// none.
    pub planning: fn(&P, Objective) -> Result<PlanningTask, &'static str>,
    /// The rules and the board as text, and nothing else: two puzzles with one canonical text have
    /// the same plays and the same solutions, letter for letter. Title, author, colours and comments
    /// are not in it. Evidence about one puzzle counts for another one with the same text.
    pub canonical_text: fn(&P) -> String,
    /// A name for the puzzle that does not depend on its file, title or place in a collection:
    /// the same puzzle has the same name. Families whose levels are turned and mirrored freely
    /// give one name to all positions.
    pub identity: fn(&P) -> String,
    /// Level and solution in the family's own file format.
    pub records: Option<Records<P>>,
    /// The board stage by stage, the start first. Stops before the first illegal move.
    pub frames: fn(&P, &P::Solution, FrameOptions) -> Vec<Frame>,
    /// Facts about a solution beside its length: a score, say. Also for solutions that do not
    /// solve the puzzle, as far as they go.
    pub solution_facts: fn(&P, &P::Solution) -> Facts,
    /// What of the board never changes, as data; where it is not said, there is only the picture.
    pub ground: Option<fn(&P) -> Ground>,
    /// The squares of the SVG picture, for those who point at it; `None` where the picture does not
    /// consist of squares.
    pub squares: fn(&P) -> Option<Squares>,
    /// The middle of a cell in the SVG picture, and how wide cells are there, where the picture does
    /// not consist of squares.
    pub middle: fn(&P, Coord) -> Option<(Point, f64)>,
    /// Where the cell of a row and a column (from 0) stands in a drawing made of letters.
    pub span: fn(&P, Coord, Style) -> Span,
    /// The empty board under a person's hand, where no player moves.
    pub sketch: Option<fn(&P) -> Box<dyn Sketch>>,
    /// What can be left out of a level.
    pub parts: Option<Parts<P>>,
    /// The puzzle with constraints (see [`crate::constraints`]) as rules of its own, for families
    /// without moves; else the first constraint that means nothing here.
    pub constrained: fn(&P, &Constraints) -> Result<P, ParseError>,
}

impl<P: Puzzle> Extras<P> {
    /// A puzzle with one reading, one format and pictures.
    pub const NONE: Self = Self {
        readings: |puzzle| vec![Reading { name: "", puzzle: puzzle.clone() }],
        term: |_, _, given| Term { value: given.to_owned(), ..Term::default() },
        formats: |puzzle| vec![TextFormat::new("unstuck's own format", P::NAME, puzzle.print())],
        planning: |_, _| Err("this family has no moves that a task could list"),
        canonical_text: P::print,
        identity: |puzzle| short_hash(&puzzle.canonical_text()),
        records: None,
        frames: |_, _, _| Vec::new(),
        solution_facts: |_, _| Facts::new(),
        ground: None,
        squares: |puzzle| match P::EXTRAS.ground?(puzzle) {
            Ground::Squares(ground) => {
                let (rows, columns) = (ground.rows, ground.columns);
                Some(Squares { rows, columns, ends: Vec::new() })
            }
            Ground::Paths(_) => None,
        },
        middle: |_, _| None,
        span: |_, (row, column), _| Span { line: row, column, width: 1 },
        sketch: None,
        parts: None,
        constrained: |_, _| Err(ParseError::whole(format!("{} takes no constraints", P::NAME))),
    };
}

/// Solutions in a family's own files, which [`Puzzle::read`] reads and, where there is such a thing,
/// other programs of the community can import. Records joined by blank lines make a collection, where
/// `support` says that there are any.
pub struct Records<P: Puzzle> {
    /// What a file can record.
    pub support: RecordSupport,
    /// A level and a solution as text.
    pub write: fn(&P, &P::Solution, Recording<'_>) -> String,
}

/// What can be left out of a level.
pub struct Parts<P> {
    /// The parts, in a fixed order.
    pub all: fn(&P) -> Vec<Part>,
    /// The puzzle without some of them (by their places in the list); `None` when what is left is no
    /// level. Its moves mean the same, its cells may have other numbers.
    pub without: fn(&P, &[usize]) -> Option<P>,
}

/// What every puzzle can do, by what its family lists in [`Puzzle::EXTRAS`].
pub trait PuzzleExt: Puzzle {
    /// Reads a text that holds one level.
    ///
    /// # Errors
    /// Like [`Puzzle::read`]; also when the text holds no level or more than one.
    fn parse(text: &str, options: &Options) -> Result<Self, ParseError> {
        let mut levels: Vec<Level<Self>> = Self::read(text, options)?;
        match (levels.pop(), levels.len()) {
            (Some(level), 0) => level.puzzle,
            (None, _) => Err(ParseError::whole("no level in this text")),
            (Some(_), more) => {
                Err(ParseError::whole(format!("{} levels in a text for one", more + 1)))
            }
        }
    }

    /// See [`Extras::readings`].
    fn readings(&self) -> Vec<Reading<Self>> {
        (Self::EXTRAS.readings)(self)
    }

    /// See [`Extras::canonical_text`].
    fn canonical_text(&self) -> String {
        (Self::EXTRAS.canonical_text)(self)
    }

    /// See [`Extras::identity`].
    fn identity(&self) -> String {
        (Self::EXTRAS.identity)(self)
    }

    /// See [`Extras::frames`].
    fn frames(&self, solution: &Self::Solution, shots: FrameOptions) -> Vec<Frame> {
        (Self::EXTRAS.frames)(self, solution, shots)
    }

    /// See [`Extras::solution_facts`].
    fn solution_facts(&self, solution: &Self::Solution) -> Facts {
        (Self::EXTRAS.solution_facts)(self, solution)
    }

    /// The parts that can be left out.
    fn parts(&self) -> Vec<Part> {
        Self::EXTRAS.parts.map_or_else(Vec::new, |parts| (parts.all)(self))
    }

    /// See [`Parts::without`].
    fn without(&self, parts: &[usize]) -> Option<Self> {
        (Self::EXTRAS.parts?.without)(self, parts)
    }
}

impl<P: Puzzle> PuzzleExt for P {}
