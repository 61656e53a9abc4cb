//! A level from its text to its answer, in two calls.

use super::solve_readings;
use crate::instance::Instance;
use crate::ledger::{Outcome, Request, SolveError};
use crate::registry::{self, OpenError};
use unstuck_puzzles::Objective;

/// A level for one objective, under each reading of its rules.
#[derive(Debug)]
pub struct OpenedLevel {
    /// At least one.
    readings: Vec<Box<dyn Instance>>,
}

/// Opens the first level of a text, with its family's defaults.
///
/// # Errors
/// See [`OpenError`].
///
/// # Examples
/// Where the rules leave a choice, the first reading that has a solution counts, as in the program:
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use unstuck::puzzles::Objective;
/// use unstuck::solve::Request;
///
/// // Each cell has to be on the path, which cannot but touch itself.
/// let level = unstuck::open(unstuck::FLOW, "A..A\n....\n....\n", Objective::Any)?;
/// let outcome = level.solve(&Request::default().with_solutions(50))?;
/// assert_eq!(level.first().reading(), "no self-touch");
/// assert_eq!(outcome.reading, "self-touch allowed");
/// assert!(outcome.all().count() > 1);
/// # Ok(())
/// # }
/// ```
pub fn open(family: &str, text: &str, objective: Objective) -> Result<OpenedLevel, OpenError> {
    registry::readings(family, text, objective).map(|readings| OpenedLevel { readings })
}

impl OpenedLevel {
    /// Solves it under its readings, in order, until one has a solution; the outcome names the
    /// reading that counts. See [`solve_readings`] for how they share the time.
    ///
    /// # Errors
    /// See [`SolveError`]. A limit that strikes is no error: the outcome then has the best bounds.
    pub fn solve(&self, request: &Request) -> Result<Outcome, SolveError> {
        let mut outcomes = solve_readings(&self.readings, request, &|_| {})?;
        Ok(outcomes.pop().expect("a level has a reading"))
    }

    /// All readings, the strictest first.
    pub fn readings(&self) -> &[Box<dyn Instance>] {
        &self.readings
    }

    /// The strictest reading; the only one in most families.
    pub fn first(&self) -> &dyn Instance {
        self.readings[0].as_ref()
    }

    /// The reading that an outcome of this level is about.
    ///
    /// # Panics
    /// When it is an outcome of another level.
    pub fn reading(&self, outcome: &Outcome) -> &dyn Instance {
        let about = self.readings.iter().find(|it| it.reading() == outcome.reading);
        about.expect("an outcome is about one of the readings").as_ref()
    }
}
