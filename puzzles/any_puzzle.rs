//! Puzzles with their types erased: what programs see that offer all families.

use crate::error::{ParseError, Violation};
use crate::extras::PuzzleExt;
use crate::objective::{Measures, Objective, Tally};
use crate::part::Part;
use crate::picture::{Frame, FrameOptions, Picture, Style};
use crate::pieces::{Coord, Squares};
use crate::planning::PlanningTask;
use crate::puzzle::{Facts, Puzzle, Recording};
use crate::scene::Ground;
use crate::sketch::{Sketch, Span};
use crate::svg::Point;
use crate::text_format::TextFormat;
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// A puzzle of any family; each method is that of the same name of [`Puzzle`] or of what the family
/// lists beside it ([`Extras`](crate::Extras)), where nothing else is said. Solutions are what
/// [`AnyPuzzle::judge`] has read: nothing is done with those of another family.
pub trait AnyPuzzle: Any + Send + Sync {
    /// Name of the family.
    fn family(&self) -> &'static str;

    /// See [`Puzzle::MEASURES`].
    fn measures(&self) -> Measures;

    /// See [`Puzzle::print`].
    fn text(&self) -> String;

    /// See [`Extras::formats`](crate::Extras::formats).
    fn formats(&self) -> Vec<TextFormat>;

    /// See [`Extras::planning`](crate::Extras::planning).
    fn planning(&self, objective: Objective) -> Result<PlanningTask, &'static str>;

    /// See [`Extras::canonical_text`](crate::Extras::canonical_text).
    fn canonical_text(&self) -> String;

    /// See [`Extras::identity`](crate::Extras::identity).
    fn identity(&self) -> String;

    /// See [`Puzzle::facts`].
    fn facts(&self) -> Facts;

    /// The puzzle under the last reading of its rules, the one that permits most.
    fn last_reading(&self) -> Option<Arc<dyn AnyPuzzle>>;

    /// Reads and judges a solution.
    ///
    /// # Errors
    /// When the text is no solution text.
    fn judge(&self, text: &str) -> Result<Judgement, ParseError>;

    /// See [`Puzzle::picture`].
    fn picture_of(&self, solution: Option<&dyn Any>, style: Style) -> Option<Picture>;

    /// See [`Extras::frames`](crate::Extras::frames).
    fn frames_of(&self, solution: &dyn Any, shots: FrameOptions) -> Vec<Frame>;

    /// Level and solution in the family's own format: see [`Records`](crate::extras::Records).
    fn record_of(&self, solution: &dyn Any, recording: Recording<'_>) -> Option<String>;

    /// See [`Extras::ground`](crate::Extras::ground).
    fn ground(&self) -> Option<Ground>;

    /// See [`Extras::squares`](crate::Extras::squares).
    fn squares(&self) -> Option<Squares>;

    /// See [`Extras::middle`](crate::Extras::middle).
    fn middle(&self, place: Coord) -> Option<(Point, f64)>;

    /// See [`Extras::span`](crate::Extras::span).
    fn span(&self, place: Coord, style: Style) -> Span;

    /// See [`Extras::sketch`](crate::Extras::sketch).
    fn sketch(&self) -> Option<Box<dyn Sketch>>;

    /// The parts that can be left out.
    fn parts(&self) -> Vec<Part>;
}

impl fmt::Debug for dyn AnyPuzzle + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnyPuzzle").field("identity", &self.identity()).finish_non_exhaustive()
    }
}

/// A solution that was read and judged.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The solution, of the family's own type.
    pub solution: Arc<dyn Any + Send + Sync>,
    /// It in the family's own notation.
    pub text: String,
    /// What else is to be said of it.
    pub facts: Facts,
    /// Its length, or the first fault.
    pub verdict: Result<Tally, Violation>,
}

impl Judgement {
    /// Has a solution judged by the rules.
    pub fn of<P: Puzzle>(puzzle: &P, solution: &P::Solution) -> Self {
        Self {
            solution: Arc::new(solution.clone()),
            text: solution.to_string(),
            facts: puzzle.solution_facts(solution),
            verdict: puzzle.check(solution),
        }
    }
}

impl<P: Puzzle> AnyPuzzle for P {
    fn family(&self) -> &'static str {
        P::NAME
    }

    fn measures(&self) -> Measures {
        P::MEASURES
    }

    fn text(&self) -> String {
        self.print()
    }

    fn formats(&self) -> Vec<TextFormat> {
        (P::EXTRAS.formats)(self)
    }

    fn planning(&self, objective: Objective) -> Result<PlanningTask, &'static str> {
        (P::EXTRAS.planning)(self, objective)
    }

    fn canonical_text(&self) -> String {
        PuzzleExt::canonical_text(self)
    }

    fn identity(&self) -> String {
        PuzzleExt::identity(self)
    }

    fn facts(&self) -> Facts {
        Puzzle::facts(self)
    }

    fn last_reading(&self) -> Option<Arc<dyn AnyPuzzle>> {
        Some(Arc::new(self.readings().pop()?.puzzle))
    }

    fn judge(&self, text: &str) -> Result<Judgement, ParseError> {
        Ok(Judgement::of(self, &self.read_solution(text)?))
    }

    fn picture_of(&self, solution: Option<&dyn Any>, style: Style) -> Option<Picture> {
        self.picture(solution.and_then(|solution| solution.downcast_ref()), style)
    }

    fn frames_of(&self, solution: &dyn Any, shots: FrameOptions) -> Vec<Frame> {
        let solution = solution.downcast_ref();
        solution.map_or_else(Vec::new, |solution| self.frames(solution, shots))
    }

    fn record_of(&self, solution: &dyn Any, recording: Recording<'_>) -> Option<String> {
        Some((P::EXTRAS.records?.write)(self, solution.downcast_ref()?, recording))
    }

    fn ground(&self) -> Option<Ground> {
        P::EXTRAS.ground.map(|ground| ground(self))
    }

    fn squares(&self) -> Option<Squares> {
        (P::EXTRAS.squares)(self)
    }

    fn middle(&self, place: Coord) -> Option<(Point, f64)> {
        (P::EXTRAS.middle)(self, place)
    }

    fn span(&self, place: Coord, style: Style) -> Span {
        (P::EXTRAS.span)(self, place, style)
    }

    fn sketch(&self) -> Option<Box<dyn Sketch>> {
        P::EXTRAS.sketch.map(|sketch| sketch(self))
    }

    fn parts(&self) -> Vec<Part> {
        PuzzleExt::parts(self)
    }
}
