//! One puzzle joined with its encoding and what moves it has.

use super::question::Compiled;
use super::verified::{NotVerified, Replayed, Verified, judged};
use super::{Formula, Instance, Play, Question, Searched};
use crate::closed::ClosedSet;
use crate::closed::check::{Looked, NotProved};
use crate::closed::close::{Closing, NotClosed};
use crate::closed::lrat::{Formulas, NotWritten};
use crate::formula::GOAL;
use crate::formula::dimspec::{self, Layers};
use crate::invariant::pdr::{self, NotFound};
use crate::laws;
use crate::limits::{Limits, Stop, Watch};
use crate::search::{Effort, Strategy};
use crate::transition::{CubeList, Induction};
use std::marker::PhantomData;
use std::sync::OnceLock;
use unstuck_encodings::{Cnf, Encoding, Filter, Step};
use unstuck_puzzles::{
    Facts, Objective, ParseError, Picture, Puzzle, Reading, Recording, Shots, Style,
};

/// The one implementation of [`Instance`]: a puzzle, an encoding `E`, and what moves it has.
pub struct Joined<E: Encoding, X> {
    reading: Reading<E::Puzzle>,
    objective: Objective,
    /// Made when first needed: a replay needs none.
    encoding: OnceLock<E>,
    play: PhantomData<fn() -> X>,
}

impl<E: Encoding, X: Play<E::Puzzle>> Joined<E, X> {
    /// Joins a puzzle with its encoding.
    pub fn new(reading: Reading<E::Puzzle>, objective: Objective) -> Self {
        Self { reading, objective, encoding: OnceLock::new(), play: PhantomData }
    }

    fn encoded(&self) -> &E {
        self.encoding.get_or_init(|| E::new(&self.reading.puzzle, self.objective))
    }

    fn puzzle(&self) -> &E::Puzzle {
        &self.reading.puzzle
    }
}

impl<E: Encoding + 'static, X: Play<E::Puzzle>> Instance for Joined<E, X> {
    fn family(&self) -> &'static str {
        E::Puzzle::NAME
    }

    fn objective(&self) -> Objective {
        self.objective
    }

    fn reading(&self) -> &'static str {
        self.reading.name
    }

    fn encoding(&self) -> &'static str {
        E::NAME
    }

    fn text(&self) -> String {
        self.puzzle().print()
    }

    fn facts(&self) -> Facts {
        self.puzzle().facts()
    }

    fn looser(&self) -> Vec<(&'static str, &'static str)> {
        self.encoded().looser()
    }

    fn encoding_facts(&self) -> Facts {
        self.encoded().facts()
    }

    fn record(&self, solution: &Verified, recording: Recording<'_>) -> Option<String> {
        let solution = self.puzzle().read_solution(solution.text()).ok()?;
        self.puzzle().record(&solution, recording)
    }

    fn picture(&self, solution: Option<&Verified>, style: Style) -> Option<Picture> {
        let solution = solution.and_then(|s| self.puzzle().read_solution(s.text()).ok());
        self.puzzle().picture(solution.as_ref(), style)
    }

    fn verify(&self, text: &str) -> Result<Verified, NotVerified> {
        let solution = self.puzzle().read_solution(text).map_err(NotVerified::Unreadable)?;
        judged(self.puzzle(), &solution).map_err(NotVerified::Wrong)
    }

    fn replay(
        &self,
        text: &str,
        style: Style,
        shots: Option<Shots>,
    ) -> Result<Replayed, ParseError> {
        let puzzle = self.puzzle();
        let solution = puzzle.read_solution(text)?;
        Ok(Replayed {
            verdict: judged(puzzle, &solution),
            text: solution.to_string(),
            frames: shots.map_or_else(Vec::new, |shots| puzzle.frames(&solution, shots)),
            last: puzzle.picture(Some(&solution), style),
            facts: puzzle.solution_facts(&solution),
        })
    }

    fn lower_bound(&self) -> Option<Step> {
        self.encoded().lower_bound()
    }

    fn hopeless(&self) -> Option<String> {
        self.encoded().hopeless()
    }

    fn after(&self, refuted: Step) -> Step {
        self.encoded().after(refuted)
    }

    fn enough(&self) -> Option<Step> {
        self.encoded().enough()
    }

    fn formula_within(
        &self,
        question: &Question,
        limits: &Limits,
    ) -> Result<Box<dyn Formula + '_>, Stop> {
        let go_on = || limits.reached_any().map_or(Ok(()), Err);
        go_on()?;
        let encoding = self.encoded();
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
        encoding.ending_by(question.horizon, &mut cnf);
        go_on()?;
        encoding.at_least(question.at_least.min(question.horizon), &mut cnf);
        if let Some(cap) = question.secondary {
            encoding.cap_secondary(question.horizon, cap, &mut cnf);
        }
        go_on()?;
        Ok(Box::new(Compiled::new(self.puzzle(), encoding, cnf, question.horizon)))
    }

    fn layers(&self, filter: &Filter) -> Option<Layers> {
        X::MOVES.then(|| dimspec::layers(self.encoded(), filter))
    }

    fn searchable(&self) -> bool {
        X::MOVES
    }

    fn search(
        &self,
        strategy: Strategy,
        limits: &Limits,
        progress: &mut dyn FnMut(Effort),
    ) -> Searched {
        X::search(self.puzzle(), self.objective, strategy, limits, progress)
    }

    fn close(
        &self,
        closing: Closing,
        limits: &Limits,
        progress: &mut dyn FnMut(Effort),
    ) -> Result<ClosedSet, NotClosed> {
        X::close(self.puzzle(), self.objective, closing, limits, progress)
    }

    fn check_closed(&self, set: &ClosedSet, watch: &mut Watch<'_>) -> Result<Looked, NotProved> {
        X::check_closed(self.puzzle(), self.objective, set, watch)
    }

    fn closed_formulas(
        &self,
        set: &ClosedSet,
        watch: &mut Watch<'_>,
    ) -> Result<Box<dyn Formulas>, NotWritten> {
        X::formulas(self.puzzle(), self.objective, set, watch)
    }

    fn invariant(
        &self,
        limits: &Limits,
        progress: &mut dyn FnMut(pdr::Effort),
    ) -> Result<CubeList, NotFound> {
        X::invariant(self.puzzle(), self.objective, limits, progress)
    }

    fn induction(&self, list: &CubeList) -> Result<Induction, String> {
        X::induction(self.puzzle(), self.objective, list)
    }

    fn laws(&self, seed: u64) -> Result<(), String> {
        laws::numbering(self.encoded())?;
        if X::MOVES {
            laws::layers(self.encoded())?;
        }
        X::laws(self.puzzle(), self.objective, seed)
    }
}
