//! A level that was solved.

use crate::commands::solve::unique::{self, Counted};
use crate::input::SelectedLevel;
use crate::store::result::{LevelQuestion, LevelResult, Question};
use crate::terminal::failure::Failure;
use std::cmp::Reverse;
use unstuck::instance::{Instance, Verified};
use unstuck::report::sentences;
use unstuck::solve::{Event, Outcome, Request, SolveError, explain, solve_readings};

/// Takes note of an event of the work on these readings.
pub(crate) type Note<'a> = dyn Fn(&Event, &[Box<dyn Instance>]) + Sync + 'a;

/// A level with its outcome, and the instance of the reading that counts.
pub(crate) struct SolvedLevel {
    pub(super) instances: Vec<Box<dyn Instance>>,
    pub outcome: Outcome,
    /// The outcomes of the readings before it, which came out with nothing.
    pub(super) before: Vec<Outcome>,
    /// The solution that was to be improved, where one was known.
    pub(super) begun: Option<Verified>,
    /// The shortest solutions, where they were to be counted.
    pub(super) counted: Option<Counted>,
}

impl SolvedLevel {
    pub(super) fn new(instances: Vec<Box<dyn Instance>>, outcome: Outcome) -> Self {
        Self { instances, outcome, before: Vec::new(), begun: None, counted: None }
    }

    /// Solves a level under its readings.
    ///
    /// # Errors
    /// An internal error, or what the engine cannot do.
    pub(crate) fn of(
        chosen: &SelectedLevel,
        instances: Vec<Box<dyn Instance>>,
        request: &Request,
        note: &Note<'_>,
    ) -> Result<Self, Failure> {
        let outcomes = solve_readings(&instances, request, &|event| note(event, &instances));
        let mut before = outcomes.map_err(|error| failure(chosen, &error))?;
        let mut outcome = before.pop().expect("every puzzle has a reading");
        explain(instances[before.len()].as_ref(), request, &mut outcome);
        Ok(Self { before, ..Self::new(instances, outcome) })
    }

    /// How much is known of a level that a limit has left open: whether there is a plan, how short, and
    /// then the bound. More is greater.
    pub(super) fn knowledge(&self) -> impl Ord + use<> {
        let Outcome { best, lower, .. } = &self.outcome;
        let objective = self.instance().objective();
        let length = best.as_ref().map(|best| Reverse(objective.primary(best.tally())));
        (length, *lower)
    }

    /// Counts its shortest solutions, where that is asked.
    ///
    /// # Errors
    /// When rules are asked for that are not written in a file.
    pub(crate) fn count(&mut self, asked: &Question, request: &Request) -> Result<(), Failure> {
        if asked.unique {
            let (instance, outcome) = (self.instance(), &self.outcome);
            self.counted = unique::counted(instance, outcome, asked.rules, &request.limits)?;
        }
        Ok(())
    }

    /// What came out of it, as what is kept and as programs see it.
    pub(crate) fn result(&self, asked: LevelQuestion) -> LevelResult {
        let mut result = LevelResult::of(asked, self.instance(), &self.outcome);
        if result.asked.question.unique {
            unique::complete(&mut result.answer, self);
        }
        result
    }

    pub(crate) fn instance(&self) -> &dyn Instance {
        let counts = self.instances.iter().find(|i| i.reading() == self.outcome.reading);
        counts.expect("an outcome names one of the readings").as_ref()
    }

    /// The verdict as one sentence.
    pub(super) fn verdict(&self) -> String {
        sentences::verdict(self.instance(), &self.outcome)
    }
}

/// What to report when there is no outcome. A refused model is saved for a report.
pub(super) fn failure(chosen: &SelectedLevel, error: &SolveError) -> Failure {
    let mut failure = Failure::solving(error);
    failure.message = format!("{}: {error}", chosen.name());
    let SolveError::Fault { formula, .. } = error else { return failure };
    let mut help = "this is an internal error: please report it".to_owned();
    let folder = tempfile::Builder::new().prefix("unstuck-fault-").tempdir();
    if let Ok(folder) = folder {
        let folder = folder.keep();
        let mut files = vec![("level.txt", chosen.level.text.as_str())];
        if let Some((cnf, model)) = formula {
            files.extend([("formula.cnf", cnf.as_str()), ("model.txt", model.as_str())]);
        }
        let saved =
            files.iter().all(|(name, text)| std::fs::write(folder.join(name), text).is_ok());
        if saved {
            help.push_str(&format!(" with the files in {}", folder.display()));
        }
    }
    failure.help(help)
}

#[cfg(test)]
mod tests {
    use super::*;
    use unstuck::registry::readings;
    use unstuck_puzzles::Objective;

    /// A plan is worth more than any bound, a shorter one more than a longer one.
    #[test]
    fn a_turn_that_is_cut_short_does_not_replace_what_is_known() {
        let text = "#####\n#@  #\n# $ #\n# . #\n#####\n";
        let level = |moves: Option<&str>, lower: u32| {
            let instances = readings("sokoban", text, Objective::Moves).expect("a level");
            let mut outcome = Outcome::new(instances[0].as_ref());
            outcome.best = moves.map(|moves| instances[0].verify(moves).expect("a plan"));
            outcome.lower = lower;
            SolvedLevel::new(instances, outcome)
        };
        let order = [(None, 0), (None, 2), (Some("rlrD"), 0), (Some("rD"), 0), (Some("rD"), 2)];
        for pair in order.windows(2) {
            let [less, more] = [pair[0], pair[1]].map(|(moves, lower)| level(moves, lower));
            assert!(less.knowledge() < more.knowledge(), "{pair:?}");
        }
    }
}
