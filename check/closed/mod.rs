//! Closed sets: lower bounds and unsolvability without a horizon.
//!
//! A closed set is a list of classes of states ([`Play::class`]), each with a budget r: "no state
//! of this class can finish with cost r or less". It is a proof when the class of the start is
//! listed with at least the claimed budget, no listed state is solved, and every legal move of cost
//! w from a listed state leads to a class that is listed with at least r - w (or, where the list
//! names an admissible bound, to a state whose bound exceeds r - w). That is an inductive invariant
//! over state and budget: it has no horizon, and its checker needs to know the rules only.
//!
//! Where a tie-break is claimed, budgets are pairs in the order of costs ([`Budget::Tied`]). An
//! entry with such a budget speaks of one state, because walking is not free in a tie-break; an
//! entry without a limit on the tie-break speaks of a class as before.
//!
//! * [`backwards`]: needs no list, where the game can be played backwards.
//! * [`check`]: verifies it from the rules.
//! * [`formulas`]: turns it into three formulas, which can be proved without a solver.

pub mod backwards;
pub mod check;
mod error;
pub mod formulas;

use crate::limits::Monitor;
use crate::transition::Budget;
use crate::transition::list_format::{ListError, ListReader};
use error::ClosedSetError;
use hashbrown::HashMap;
use std::hash::Hash;
use std::io::{self, BufRead, Write};
use unstuck_encodings::{Cost, Space};
use unstuck_puzzles::{Moves, Objective, Play};

/// A list of classes of states with their budgets, with the types of the family erased.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClosedSet {
    /// What is claimed of the start.
    pub claim: Budget,
    /// Name of the bound that left states out; `None` where the list needs no bound.
    pub bound: Option<String>,
    /// Budget and text ([`Moves::write_state`]) of the least state of each class; of the state
    /// itself where the budget counts the tie-break.
    pub entries: Vec<(Budget, String)>,
}

const TITLE: &str = "unstuck closed set 1";

/// Title of lists that count a tie-break.
const TIED: &str = "unstuck closed set 2";

impl ClosedSet {
    /// Writes the list as text: a title, the claim, the bound, the number of entries, then one
    /// entry a line, its budget first (`*` where there is no solution at all).
    ///
    /// # Errors
    /// When `out` cannot be written.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", if self.claim.second().is_some() { TIED } else { TITLE })?;
        writeln!(out, "claim {}", self.claim.write())?;
        writeln!(out, "bound {}", self.bound.as_deref().unwrap_or("none"))?;
        writeln!(out, "entries {}", self.entries.len())?;
        for (budget, state) in &self.entries {
            writeln!(out, "{} {state}", budget.write())?;
        }
        Ok(())
    }

    /// Reads what [`ClosedSet::write`] wrote.
    ///
    /// # Errors
    /// The line that is not as it should be.
    pub fn read(input: impl BufRead) -> Result<Self, ListError> {
        let (mut reader, title) = ListReader::one_of(input, &[TITLE, TIED])?;
        let tied = title == TIED;
        let budget = if tied { Budget::read_tied } else { Budget::read };
        let claim = reader
            .field("claim", |text| budget(text).filter(|claim| claim.second().is_some() == tied))?;
        let bound =
            reader.field("bound", |name| Some((name != "none").then(|| name.to_owned())))?;
        let entries = reader.entries("entries", |line| {
            let (left, state) = line.split_once(' ')?;
            Some((budget(left)?, state.to_owned()))
        })?;
        Ok(Self { claim, bound, entries })
    }
}

/// A family's admissible bound: states from which everything costs more than a budget are left out
/// of lists that name it.
pub struct Bound<'a, P: Moves> {
    name: &'static str,
    space: Box<dyn Bounds<P> + 'a>,
}

/// What a space says of states of the rules. Those that do not fit into it are not bounded.
trait Bounds<P: Moves> {
    /// The least primary cost from a state; `None` for a dead one.
    fn least(&mut self, state: &P::State) -> Option<u32>;

    /// See [`Space::is_dead`].
    fn is_dead(&mut self, state: &P::State) -> bool;
}

impl<S: Space> Bounds<S::Puzzle> for S {
    fn least(&mut self, state: &<S::Puzzle as Moves>::State) -> Option<u32> {
        self.pack(state).map_or(Some(0), |packed| self.bound(&packed).map(Cost::primary))
    }

    fn is_dead(&mut self, state: &<S::Puzzle as Moves>::State) -> bool {
        self.pack(state).is_some_and(|packed| Space::is_dead(self, &packed))
    }
}

impl<'a, P: Moves> Bound<'a, P> {
    /// The bound of a space; `None` when that is always zero.
    pub fn of<S: Space<Puzzle = P> + 'a>(space: S) -> Option<Self> {
        Some(Self { name: S::BOUND?, space: Box::new(space) })
    }

    /// Its name, as lists give it.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Whether nothing that a budget pays for finishes a state.
    pub fn excludes(&mut self, state: &P::State, budget: Budget) -> bool {
        let least = self.space.least(state);
        least.is_none_or(|least| budget.first().is_some_and(|budget| least > budget))
    }

    /// Whether nothing finishes a state at all, by the dearest look that the space has.
    pub fn is_dead(&mut self, state: &P::State) -> bool {
        self.space.is_dead(state)
    }
}

/// The entries as states of a puzzle: number and budget of each.
struct ListEntries<S> {
    /// Classes, by their least states.
    classes: HashMap<S, (u32, Budget)>,
    /// Single states, whose budgets count the tie-break.
    single: HashMap<S, (u32, Budget)>,
}

impl<S: Hash + Eq> ListEntries<S> {
    /// The entries that speak of a state, whose class has this least state.
    fn of<'a>(&'a self, state: &S, least: &S) -> impl Iterator<Item = (u32, Budget)> + use<'a, S> {
        self.classes.get(least).into_iter().chain(self.single.get(state)).copied()
    }
}

/// Reads the entries as states of a puzzle.
///
/// # Errors
/// The entry that is no state, no least state of its class, or listed twice; or a limit.
fn states<P: Moves>(
    puzzle: &P,
    objective: Objective,
    set: &ClosedSet,
    monitor: &mut Monitor<'_>,
) -> Result<ListEntries<P::State>, ClosedSetError> {
    monitor.begin("looking up the entries", set.entries.len() as u64)?;
    let refuse =
        |text: &str, fault: &str| Err(ClosedSetError::Refused(format!("entry `{text}` {fault}")));
    let mut listed = ListEntries { classes: HashMap::new(), single: HashMap::new() };
    for (index, (budget, text)) in set.entries.iter().enumerate() {
        monitor.tick()?;
        let Some(state) = puzzle.read_state(text) else {
            return refuse(text, "is no state of this puzzle");
        };
        let single = budget.second().is_some();
        if !single && puzzle.representative(&state, objective.first()) != state {
            return refuse(text, "is not the least state of its class");
        }
        let among = if single { &mut listed.single } else { &mut listed.classes };
        if among.insert(state, (index as u32, *budget)).is_some() {
            return refuse(text, "is listed twice");
        }
    }
    Ok(listed)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A list reads back; with something replaced it does not read, for a reason that is named.
    fn reads_back_and_reports_errors(set: &ClosedSet, faults: &[(&str, &str, &str)]) {
        let mut text = Vec::new();
        set.write(&mut text).unwrap();
        assert_eq!(ClosedSet::read(text.as_slice()).as_ref(), Ok(set));
        let text = String::from_utf8(text).unwrap();
        for (from, to, reason) in faults {
            let error = ClosedSet::read(text.replace(from, to).as_bytes()).unwrap_err();
            assert!(error.to_string().contains(reason), "{error}: {reason}");
        }
    }

    #[test]
    fn a_list_reads_back_and_faults_are_named() {
        let entries = vec![(Budget::Within(3), "1 2".to_owned()), (Budget::Any, "4 5".to_owned())];
        let set = ClosedSet { claim: Budget::Within(3), bound: Some("x".to_owned()), entries };
        reads_back_and_reports_errors(
            &set,
            &[
                ("set 1", "set 3", "line 1"),
                ("claim 3", "claim x", "line 2"),
                ("bound x", "bonud x", "line 3"),
                ("entries 2", "entries 3", "ends where one of the entries belongs"),
                ("entries 2", "entries 1", "line 6: more entries than announced"),
                ("\n3 1 2", "\n03 1 2", "line 5: not one of the entries"),
            ],
        );
    }

    #[test]
    fn budgets_with_a_tie_break_stand_in_lists_of_their_own() {
        let entries = vec![(Budget::Tied(3, 8), "1 2".to_owned()), (Budget::Within(2), "4".into())];
        let set = ClosedSet { claim: Budget::Tied(3, 8), bound: None, entries };
        reads_back_and_reports_errors(
            &set,
            &[
                ("set 2", "set 1", "line 2: what is this claim?"),
                ("claim 3,8", "claim 3", "line 2: what is this claim?"),
                ("\n3,8 1", "\n3,08 1", "line 5: not one of the entries"),
            ],
        );
    }
}
