//! A rule, applied once wherever it was found, as a circuit.

use super::board::Board;
use super::effects::Form;
use super::gates::{Circuit, Signal};
use super::places::{PlacedRow, PlacedRule};
use super::rounds::Plan;
use crate::cnf::Rule as ClauseRule;
use crate::encoding::EncodeError;
use unstuck_puzzles::puzzlescript::Rule;

/// Whether a rule fits in a place.
pub(super) const MATCH: ClauseRule = ClauseRule::defining("match");
/// What is in a cell after a rule was applied or not.
const REPLACE: ClauseRule = ClauseRule::defining("replace");

/// Rules all of whose places must be combined have at most so many combinations.
const MAX_COMBINATIONS: usize = 4096;

/// What has been asked for in a turn.
#[derive(Clone, Debug, Default)]
pub(super) struct Asked {
    /// Rules with CANCEL or RESTART were found.
    pub(super) ends: Vec<Signal>,
    pub(super) wins: Vec<Signal>,
    pub(super) messages: Vec<Signal>,
}

impl Asked {
    fn queue(&mut self, rule: &Rule, found: Signal) {
        for command in &rule.commands {
            match command.word() {
                "cancel" | "restart" => self.ends.push(found),
                "win" => self.wins.push(found),
                "message" => self.messages.push(found),
                _ => {}
            }
        }
    }
}

/// Applies a group until nothing changes.
///
/// # Errors
/// Why there is no circuit for that.
pub(super) fn apply_group(
    board: &mut Board,
    rules: &[PlacedRule<'_>],
    plan: &Plan,
    asked: &mut Asked,
    circuit: &mut Circuit,
) -> Result<(), EncodeError> {
    for round in 1..=plan.rounds {
        for ((rule, &form), last) in rules.iter().zip(&plan.forms).zip(&plan.last) {
            let mut pass = Pass { board, rule, last, round, circuit };
            let found = pass.apply(form).ok_or_else(|| {
                format!("the rule of line {} can be found in too many ways", rule.rule.line)
            })?;
            asked.queue(rule.rule, found);
            if circuit.is_full() {
                return Ok(());
            }
        }
    }
    Ok(())
}

struct Pass<'a> {
    board: &'a mut Board,
    rule: &'a PlacedRule<'a>,
    last: &'a [usize],
    round: usize,
    circuit: &'a mut Circuit,
}

impl Pass<'_> {
    /// Applies the rule; says where it was found, or nothing if there are too many combinations.
    fn apply(&mut self, form: Form) -> Option<Signal> {
        self.circuit.rule = MATCH;
        match form {
            Form::Asks if self.rule.rows.len() == 1 => Some(self.apply_row(0, false)),
            Form::Row(row) => Some(self.apply_row(row, true)),
            _ if self.last.iter().all(|&last| last < self.round) => Some(Signal::FALSE),
            Form::Asks | Form::Apart => Some(self.apply_apart(form == Form::Apart)),
            Form::Product => self.apply_product(),
        }
    }

    /// Whether each place of a row fits.
    fn found(&mut self, row: &PlacedRow<'_>) -> Vec<Signal> {
        let places = row.places.iter();
        places.map(|cells| self.board.fits(self.circuit, &row.patterns, cells)).collect()
    }

    /// Whether each row fits anywhere.
    fn anywhere(&mut self, found: &[Vec<Signal>]) -> Vec<Signal> {
        found.iter().map(|found| self.circuit.or(found.iter().copied())).collect()
    }

    /// Changes the cells of a row in a place.
    fn replace(&mut self, row: &PlacedRow<'_>, cells: &[usize], applied: Signal) {
        self.circuit.rule = REPLACE;
        for (pattern, &cell) in row.patterns.iter().zip(cells) {
            if let Some(change) = &pattern.replacement {
                self.board.replace(self.circuit, change, cell, applied);
            }
        }
        self.circuit.rule = MATCH;
    }

    /// One row changes, place by place, wherever it was found before and still is.
    fn apply_row(&mut self, own: usize, replaces: bool) -> Signal {
        let row = &self.rule.rows[own];
        let mut others = Signal::TRUE;
        for at in (0..self.rule.rows.len()).filter(|&at| at != own) {
            let found = self.found(&self.rule.rows[at]);
            let anywhere = self.circuit.or(found);
            others = self.circuit.and([others, anywhere]);
        }
        let mut found = Vec::new();
        for (cells, _) in row.places.iter().zip(self.last).filter(|it| *it.1 >= self.round) {
            let fits = self.board.fits(self.circuit, &row.patterns, cells);
            let fits = self.circuit.and([fits, others]);
            if fits != Signal::FALSE {
                found.push((cells, fits));
            }
        }
        for &(cells, before) in found.iter().filter(|_| replaces) {
            let now = self.board.fits(self.circuit, &row.patterns, cells);
            let applied = self.circuit.and([before, now]);
            self.replace(row, cells, applied);
        }
        self.circuit.or(found.into_iter().map(|(_, found)| found))
    }

    /// Rows change wherever they were found, if all were, in whichever order.
    fn apply_apart(&mut self, replaces: bool) -> Signal {
        let rows = &self.rule.rows;
        let found: Vec<Vec<Signal>> = rows.iter().map(|row| self.found(row)).collect();
        let anywhere = self.anywhere(&found);
        let all = self.circuit.and(anywhere);
        for (row, found) in rows.iter().zip(found).filter(|_| replaces) {
            for (cells, found) in row.places.iter().zip(found) {
                let applied = self.circuit.and([found, all]);
                self.replace(row, cells, applied);
            }
        }
        all
    }

    /// All combinations of the places of rows, the first row fastest.
    fn apply_product(&mut self) -> Option<Signal> {
        let rows = &self.rule.rows;
        let found: Vec<Vec<Signal>> = rows.iter().map(|row| self.found(row)).collect();
        let places = found.iter().map(|found| {
            let places = (0..found.len()).filter(|&at| found[at] != Signal::FALSE);
            places.collect::<Vec<usize>>()
        });
        let places: Vec<Vec<usize>> = places.collect();
        let size = places.iter().try_fold(1_usize, |size, row| size.checked_mul(row.len()))?;
        if size > MAX_COMBINATIONS {
            return None;
        }
        let anywhere = self.anywhere(&found);
        for mut number in 0..size {
            let mut chosen = Vec::new();
            for row in &places {
                chosen.push(row[number % row.len()]);
                number /= row.len();
            }
            let mut all = Vec::new();
            for ((row, &at), found) in rows.iter().zip(&chosen).zip(&found) {
                all.push(found[at]);
                all.push(self.board.fits(self.circuit, &row.patterns, &row.places[at]));
            }
            let applied = self.circuit.and(all);
            if applied != Signal::FALSE {
                for (row, &at) in rows.iter().zip(&chosen) {
                    self.replace(row, &row.places[at], applied);
                }
            }
        }
        Some(self.circuit.and(anywhere))
    }
}
