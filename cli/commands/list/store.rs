//! `unstuck list STORE`: what a store has, also while it is being filled.

use crate::answer::Answer;
use crate::driver;
use crate::store::result::LevelResult;
use crate::store::shards::Store;
use crate::store::summary::{Summary, bytes};
use crate::terminal::failure::{CommandResult, Failure};
use crate::terminal::output::OutputArgs;
use crate::terminal::text::one_line;
use crate::terminal::{file_id, values};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

/// What a store has.
#[derive(Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct StatusAnswer {
    /// The folder of the store, or its file.
    store: String,
    /// What came out of its levels.
    answered: Summary,
    /// For each optimum how many levels have it.
    optima: BTreeMap<u32, u64>,
    /// The exit code.
    exit: u8,
    /// The slowest, by seconds.
    #[serde(skip)]
    slowest: Option<(f64, String)>,
}

/// Prints what the store at a path has.
pub(super) fn list(path: &Path, shown: OutputArgs) -> CommandResult {
    file_id::note_folder(path);
    let mut status = StatusAnswer { store: path.display().to_string(), ..StatusAnswer::default() };
    Store::at(path)?.visit_all(&mut |_, line| {
        status.add(&line);
        Ok::<(), Failure>(())
    })?;
    status.exit = status.answered.exit();
    let (code, text) = (status.exit, status.text());
    let answer = Answer::new(code, status).saying(text).quietly("");
    driver::show(&answer, answer.printed("list", None, shown), shown);
    Ok(code)
}

impl StatusAnswer {
    fn add(&mut self, result: &LevelResult) {
        let LevelResult { asked, answer, .. } = result;
        self.answered.add(result, asked.certificate.as_ref().map(|place| place.bytes));
        if let (Some(true), Some(upper)) = (*answer.optimal, *answer.upper) {
            *self.optima.entry(upper).or_default() += 1;
        }
        let seconds = answer.seconds.unwrap_or_default();
        if self.slowest.as_ref().is_none_or(|(most, _)| seconds > *most) {
            let number = asked.number.unwrap_or_default();
            let name = format!("{} #{number}", one_line(&asked.file));
            self.slowest = Some((seconds, name));
        }
    }

    /// The least optimum with at least this part of the levels at or below it.
    fn quantile(&self, part: f64) -> u32 {
        let all: u64 = self.optima.values().sum();
        let mut below = 0;
        let found = self.optima.iter().find(|(_, count)| {
            below += **count;
            below as f64 >= part * all as f64
        });
        found.map_or(0, |(optimum, _)| *optimum)
    }

    fn text(&self) -> String {
        let summary = &self.answered;
        let mut text = format!("{}\n", summary.text());
        if let (Some(least), Some(most)) =
            (self.optima.keys().next(), self.optima.keys().next_back())
        {
            let (median, nine) = (self.quantile(0.5), self.quantile(0.9));
            text.push_str(&format!(
                "optimum: {least} to {most}, half up to {median}, nine of ten up to {nine}\n"
            ));
        }
        if let Some(each) = summary.certificate_bytes.checked_div(summary.certified) {
            text.push_str(&format!("certificates: {} each\n", bytes(each)));
        }
        if let Some((seconds, name)) = &self.slowest {
            let (all, most) = (summary.seconds, *seconds);
            let [all, most] = [all, most].map(values::shown_seconds);
            text.push_str(&format!("time: {all} together; the slowest {most}: {name}\n"));
        }
        text
    }
}
