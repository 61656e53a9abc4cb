//! `unstuck list STORE`: what a store has, also while it is being filled.

use crate::answer::Answer;
use crate::store::result::LevelResult;
use crate::store::shards::Store;
use crate::store::summary::{Summary, bytes};
use crate::terminal::failure::{CommandResult, Failure};
use crate::terminal::output::{self, OutputArgs};
use crate::terminal::text::one_line;
use crate::terminal::{file_id, values};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

/// What a store has.
#[derive(Serialize)]
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
}

/// What is counted beyond a [`Summary`].
#[derive(Default)]
struct Figures {
    summary: Summary,
    /// For each optimum how many levels have it.
    optima: BTreeMap<u32, u64>,
    /// The slowest, by seconds.
    slowest: Option<(f64, String)>,
}

/// Prints what the store at a path has.
pub(super) fn list(path: &Path, shown: OutputArgs) -> CommandResult {
    file_id::note_folder(path);
    let mut figures = Figures::default();
    Store::at(path)?.visit_all(&mut |_, line| {
        figures.add(&line);
        Ok::<(), Failure>(())
    })?;
    let code = figures.summary.exit();
    let text = figures.text();
    let fields = StatusAnswer {
        store: path.display().to_string(),
        answered: figures.summary,
        optima: figures.optima,
        exit: code,
    };
    let answer = Answer::new(code, fields).saying(text).quietly("");
    output::print(answer.printed("list", None, shown));
    Ok(code)
}

impl Figures {
    fn add(&mut self, LevelResult { asked, answer, .. }: &LevelResult) {
        self.summary.add(answer, asked.certificate.as_ref().map(|place| place.bytes));
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
        let summary = &self.summary;
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
