//! One puzzle joined with its encoding and with what plays it.

use super::encoded_puzzle::{EncodedPuzzle, RefusedPuzzle};
use super::question::CompiledQuestion;
use super::verified::{ContinueError, ReplayReport, Verified, VerifyError, judged};
use super::{Formula, FormulaError, Game, Instance, MoveSupport, Question, Terms};
use crate::formula::GOAL;
use crate::formula::dimspec::{self, Layers};
use crate::limits::Limits;
use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::sync::{Arc, OnceLock};
use unstuck_encodings::laws::{self, LawViolation};
use unstuck_encodings::{Cnf, EncodeError, Encoding, Filter};
use unstuck_puzzles::constraints::Constraints;
use unstuck_puzzles::pieces::{Coord, Squares};
use unstuck_puzzles::scene::Ground;
use unstuck_puzzles::sketch::{Sketch, Span};
use unstuck_puzzles::svg::Point;
use unstuck_puzzles::{
    Facts, FrameOptions, Measures, Objective, Options, ParseError, Part, Picture, Puzzle, Reading,
    Recording, Style,
};

/// The one implementation of [`Instance`]: a puzzle, an encoding `E`, and what plays it, `X`.
pub struct PuzzleInstance<E: Encoding, X> {
    /// Name of the reading of the rules.
    reading: &'static str,
    /// The options that were given when the puzzle was read.
    options: Arc<Options>,
    puzzle: Arc<E::Puzzle>,
    objective: Objective,
    /// Made when first needed: a replay needs none.
    encoding: OnceLock<Result<E, RefusedPuzzle>>,
    game: Option<Box<dyn Game>>,
    plays: PhantomData<fn(X)>,
}

impl<E: Encoding, X: MoveSupport<E::Puzzle>> PuzzleInstance<E, X> {
    /// Joins a puzzle with its encoding and with what plays it.
    pub fn new(reading: Reading<E::Puzzle>, objective: Objective) -> Self {
        let (reading, puzzle) = (reading.name, Arc::new(reading.puzzle));
        let game = X::game(&puzzle, objective);
        let encoding = OnceLock::new();
        let options = Arc::default();
        Self { reading, options, puzzle, objective, encoding, game, plays: PhantomData }
    }

    /// The same, read with options that were given.
    #[must_use]
    pub fn read_with(self, options: Arc<Options>) -> Self {
        Self { options, ..self }
    }

    /// Another puzzle under the same reading and objective.
    fn another(&self, puzzle: E::Puzzle) -> Self {
        let reading = Reading { name: self.reading, puzzle };
        Self::new(reading, self.objective).read_with(self.options.clone())
    }

    /// The encoding, unless it refuses the puzzle.
    fn compiler(&self) -> Result<&E, &RefusedPuzzle> {
        let make = || {
            E::of(&self.puzzle, self.objective).map_err(|EncodeError(reason)| RefusedPuzzle(reason))
        };
        self.encoding.get_or_init(make).as_ref()
    }
}

impl<E, X> Instance for PuzzleInstance<E, X>
where
    E: Encoding + 'static,
    X: MoveSupport<E::Puzzle> + 'static,
{
    fn family(&self) -> &'static str {
        E::Puzzle::NAME
    }

    fn objective(&self) -> Objective {
        self.objective
    }

    fn measures(&self) -> Measures {
        E::Puzzle::MEASURES
    }

    fn reading(&self) -> &'static str {
        self.reading
    }

    fn terms(&self) -> Terms {
        Terms::of(self.puzzle.as_ref(), self.objective, self.reading, &self.options)
    }

    fn encoding(&self) -> &'static str {
        E::NAME
    }

    fn encodings(&self) -> BTreeMap<String, u32> {
        let own = self.compiler().is_ok().then_some((E::NAME, E::VERSION));
        let transition = self.game.as_ref().and_then(|game| game.transition());
        own.into_iter()
            .chain(transition)
            .map(|(name, version)| (name.to_owned(), version))
            .collect()
    }

    fn encoded(&self) -> &dyn EncodedPuzzle {
        match self.compiler() {
            Ok(encoding) => encoding,
            Err(refused) => refused,
        }
    }

    fn text(&self) -> String {
        self.puzzle.print()
    }

    fn canonical_text(&self) -> String {
        self.puzzle.canonical_text()
    }

    fn facts(&self) -> Facts {
        self.puzzle.facts()
    }

    fn record(&self, solution: &Verified, recording: Recording<'_>) -> Option<String> {
        self.puzzle.record(solution.solution()?, recording)
    }

    fn picture(&self, solution: Option<&Verified>, style: Style) -> Option<Picture> {
        self.puzzle.picture(solution.and_then(Verified::solution), style)
    }

    fn verify(&self, text: &str) -> Result<Verified, VerifyError> {
        let solution = self.puzzle.read_solution(text).map_err(VerifyError::Unreadable)?;
        judged(self.puzzle.as_ref(), &solution).map_err(VerifyError::Wrong)
    }

    fn replay(
        &self,
        text: &str,
        style: Style,
        shots: Option<FrameOptions>,
    ) -> Result<ReplayReport, ParseError> {
        let puzzle = self.puzzle.as_ref();
        let solution = puzzle.read_solution(text)?;
        Ok(ReplayReport {
            verdict: judged(puzzle, &solution),
            text: solution.to_string(),
            frames: shots.map_or_else(Vec::new, |shots| puzzle.frames(&solution, shots)),
            last: puzzle.picture(Some(&solution), style),
            facts: puzzle.solution_facts(&solution),
        })
    }

    fn squares(&self) -> Option<Squares> {
        self.puzzle.squares()
    }

    fn ground(&self) -> Option<Ground> {
        self.puzzle.ground()
    }

    fn middle(&self, place: Coord) -> Option<(Point, f64)> {
        self.puzzle.middle(place)
    }

    fn span(&self, place: Coord, style: Style) -> Span {
        self.puzzle.span(place, style)
    }

    fn sketch(&self) -> Option<Box<dyn Sketch>> {
        self.puzzle.sketch()
    }

    fn formula_within(
        &self,
        question: &Question,
        limits: &Limits,
    ) -> Result<Box<dyn Formula + '_>, FormulaError> {
        let go_on = || limits.reached_any().map_or(Ok(()), Err);
        go_on()?;
        let encoding =
            self.compiler().map_err(|refused| FormulaError::Refused(refused.0.clone()))?;
        let mut cnf = Cnf::new(question.filter.clone());
        encoding.start(&mut cnf);
        for t in 0..question.horizon {
            go_on()?;
            encoding.step(t, &mut cnf);
        }
        for lit in encoding.goal(question.horizon, &mut cnf) {
            cnf.add(GOAL, [lit]);
        }
        go_on()?;
        encoding.horizon_clauses(question.horizon, &mut cnf);
        go_on()?;
        encoding.at_least(question.at_least.min(question.horizon), &mut cnf);
        if let Some(cap) = question.secondary {
            encoding.cap_secondary(question.horizon, cap, &mut cnf);
        }
        go_on()?;
        let formula = CompiledQuestion::new(self.puzzle.as_ref(), encoding, cnf, question.horizon);
        Ok(Box::new(formula))
    }

    fn layers(&self, filter: &Filter) -> Option<Layers> {
        self.game.as_ref()?;
        Some(dimspec::layers(self.compiler().ok()?, filter))
    }

    fn moves(&self) -> Option<&dyn Game> {
        self.game.as_deref()
    }

    fn continued(&self, moves: &str) -> Result<Box<dyn Instance>, ContinueError> {
        let puzzle = X::continued(&self.puzzle, moves)?;
        Ok(Box::new(self.another(puzzle)))
    }

    fn constrained(&self, constraints: &Constraints) -> Result<Box<dyn Instance>, ParseError> {
        let puzzle = X::constrained(&self.puzzle, constraints)?;
        Ok(Box::new(self.another(puzzle)))
    }

    fn parts(&self) -> Vec<Part> {
        self.puzzle.parts()
    }

    fn without(&self, parts: &[usize]) -> Option<Box<dyn Instance>> {
        let puzzle = self.puzzle.without(parts)?;
        Some(Box::new(self.another(puzzle)))
    }

    fn laws(&self, seed: u64) -> Result<(), LawViolation> {
        if let Ok(encoding) = self.compiler() {
            laws::numbering(encoding)?;
            if self.game.is_some() {
                laws::layers(encoding)?;
            }
        }
        self.moves().map_or(Ok(()), |game| game.laws(seed))
    }
}
