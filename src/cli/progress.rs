//! Progress on standard error, when it is a terminal.

use crate::limits::resident_memory;
use crate::solve::Event;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::Mutex;
use std::time::Duration;

/// A line of progress: what search and solver do, and the bounds so far.
pub struct Display {
    bar: ProgressBar,
    parts: Mutex<Parts>,
}

#[derive(Default)]
struct Parts {
    search: String,
    solver: String,
    upper: Option<u32>,
}

impl Display {
    /// A display; it stays silent when `quiet`, or when standard error is no terminal.
    pub fn new(name: &str, quiet: bool) -> Self {
        let bar = ProgressBar::new_spinner();
        if quiet {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        if let Ok(style) = ProgressStyle::with_template("{spinner} {prefix} {elapsed} {msg}") {
            bar.set_style(style);
        }
        bar.set_prefix(name.to_owned());
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { bar, parts: Mutex::default() }
    }

    /// Takes note of an event.
    pub fn note(&self, event: &Event) {
        let Ok(mut parts) = self.parts.lock() else { return };
        match event {
            Event::Searching(effort) => {
                let (lower, states) = (effort.lower.primary(), effort.states);
                let memory = resident_memory().map_or(0, |bytes| bytes >> 20);
                parts.search = format!("search: at least {lower}, {states} states, {memory} MiB");
            }
            Event::Asking { horizon, variables, clauses } => {
                parts.solver =
                    format!("horizon {horizon}: {variables} variables, {clauses} clauses");
            }
            Event::Answered(asked) => {
                parts.solver = format!("horizon {}: {}", asked.horizon, asked.answer);
            }
            Event::Plan(upper) => parts.upper = Some(*upper),
        }
        let upper = parts.upper.map(|upper| format!("at most {upper}"));
        let shown: Vec<_> = [Some(parts.search.clone()), Some(parts.solver.clone()), upper]
            .into_iter()
            .flatten()
            .filter(|part| !part.is_empty())
            .collect();
        self.bar.set_message(shown.join("; "));
    }
}

impl Display {
    /// Shows a sentence.
    pub fn say(&self, text: &str) {
        self.bar.set_message(text.to_owned());
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
