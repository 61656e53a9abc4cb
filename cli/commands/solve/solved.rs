//! A level that was solved.

use crate::commands::solve::unique::Counted;
use unstuck::instance::{Instance, Verified};
use unstuck::report::sentences;
use unstuck::solve::Outcome;

/// A level with its outcome, and the instance of the reading that counts.
pub(crate) struct SolvedLevel {
    pub(super) instances: Vec<Box<dyn Instance>>,
    pub outcome: Outcome,
    /// The solution that was to be improved, where one was known.
    pub(super) begun: Option<Verified>,
    /// The shortest solutions, where they were to be counted.
    pub(super) counted: Option<Counted>,
}

impl SolvedLevel {
    pub(crate) fn new(
        instances: Vec<Box<dyn Instance>>,
        outcome: Outcome,
        counted: Option<Counted>,
    ) -> Self {
        Self { instances, outcome, begun: None, counted }
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
