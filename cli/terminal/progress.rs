//! Progress on standard error: a line that changes on a terminal, elsewhere a sign of life now and
//! then.

use crate::terminal::columns::shortened;
use crate::terminal::output::{self, OutputArgs};
use crate::terminal::screen;
use crate::terminal::text::one_line;
use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use itertools::Itertools;
use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use unstuck::machine::resident_memory;
use unstuck::solve::Event;

/// How often there is a sign of life where there is no terminal.
static EVERY: OnceLock<Duration> = OnceLock::new();

/// Takes note of `--progress`; zero means never.
pub(crate) fn set_every(time: Duration) {
    let _ = EVERY.set(time);
}

fn every() -> Duration {
    EVERY.get().copied().unwrap_or(Duration::from_secs(30))
}

/// Whether progress is shown on a terminal.
pub(crate) fn is_on_terminal() -> bool {
    std::io::stderr().is_terminal()
}

/// The columns of the terminal; without one as many as any line may take.
pub(crate) fn columns() -> usize {
    console::Term::stderr().size_checked().map_or(usize::MAX, |(_, columns)| columns.into())
}

/// What search and solver do, and the bounds so far.
pub(crate) struct Display {
    parts: Arc<Mutex<Parts>>,
    shown: ProgressDisplay,
}

/// How progress is shown.
enum ProgressDisplay {
    Nowhere,
    /// A line of a terminal.
    Line(ProgressBar),
    /// Signs of life; the sender ends the thread by going away.
    Signs(Option<Sender<()>>, Option<JoinHandle<()>>),
}

#[derive(Default)]
struct Parts {
    search: String,
    learning: String,
    solver: String,
    /// What questions about single steps are at.
    steps: String,
    upper: Option<u32>,
    said: String,
}

impl Parts {
    fn text(&self) -> String {
        let upper = self.upper.map_or_else(String::new, |upper| format!("at most {upper}"));
        let Self { search, learning, solver, steps, said, .. } = self;
        let parts = [search, &upper, learning, solver, steps, said];
        parts.into_iter().filter(|part| !part.is_empty()).join("; ")
    }
}

impl Display {
    /// A display of work with this time limit: silent with `--quiet`, and with `--json` unless
    /// `--progress` asks for it.
    pub(crate) fn new(name: &str, output: OutputArgs, limit: Option<Duration>) -> Self {
        let unasked = output.json && EVERY.get().is_none();
        let quiet = unasked || output.quiet;
        let parts = Arc::new(Mutex::new(Parts::default()));
        let shown = if is_on_terminal() && !quiet {
            ProgressDisplay::Line(line(name, limit))
        } else if quiet || every().is_zero() {
            ProgressDisplay::Nowhere
        } else {
            signs(name.to_owned(), limit, parts.clone())
        };
        Self { parts, shown }
    }

    /// Takes note of an event.
    pub(crate) fn note(&self, event: &Event) {
        self.change(|parts| match event {
            Event::Searching(stats) => {
                let (lower, states) = (stats.lower.primary(), stats.states);
                let memory = resident_memory().map_or(0, |bytes| bytes >> 20);
                let bound = if lower > 0 { format!("at least {lower}, ") } else { String::new() };
                parts.search = format!("{bound}{} states, {memory} MiB", HumanCount(states));
            }
            Event::Confining(text) => parts.steps.clone_from(text),
            Event::Learning(stats) => parts.learning = stats.to_string(),
            Event::Improving(stats) => {
                parts.search = format!("{} states", HumanCount(stats.expanded));
                parts.upper = Some(stats.cost.primary());
            }
            Event::Asking { horizon, clauses, .. } => {
                parts.solver =
                    format!("horizon {horizon}: {} clauses", HumanCount(*clauses as u64));
            }
            Event::Answered(asked) => {
                parts.solver = format!("horizon {}: {}", asked.horizon, asked.answer);
            }
            Event::Plan(upper) => parts.upper = Some(*upper),
            _ => {}
        });
    }

    /// Shows a sentence.
    pub(crate) fn say(&self, text: &str) {
        self.change(|parts| *parts = Parts { said: text.to_owned(), ..Parts::default() });
    }

    fn change(&self, change: impl FnOnce(&mut Parts)) {
        let Ok(mut parts) = self.parts.lock() else { return };
        change(&mut parts);
        if let ProgressDisplay::Line(bar) = &self.shown {
            bar.set_message(one_line(&parts.text()));
        }
    }
}

/// A line that fits the terminal: what does not is cut off at its end.
fn line(name: &str, limit: Option<Duration>) -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    let template = format!("{{spinner}} {{prefix}} {{elapsed}}{} {{wide_msg}}", of(limit));
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    bar.set_prefix(fitted(&one_line(name)));
    bar.enable_steady_tick(Duration::from_millis(200));
    if let Ok(mut line) = screen::LINE.lock() {
        *line = Some(bar.clone());
    }
    bar
}

/// How much time there is.
fn of(limit: Option<Duration>) -> String {
    limit.map_or_else(String::new, |limit| format!(" of {}", humantime::format_duration(limit)))
}

/// The name of a level, without its folders where that is long: its number and its title say more.
fn fitted(name: &str) -> String {
    let path = name.split(" #").next().unwrap_or(name);
    let file = path.rfind('/').map_or(0, |end| end + 1);
    shortened(if name.chars().count() > MAX_PREFIX { &name[file..] } else { name }, MAX_PREFIX)
}

/// Columns of a line that the name of a level takes at most.
const MAX_PREFIX: usize = 30;

fn signs(name: String, limit: Option<Duration>, parts: Arc<Mutex<Parts>>) -> ProgressDisplay {
    let (alive, ended) = channel::<()>();
    let begun = Instant::now();
    let thread = std::thread::spawn(move || {
        while ended.recv_timeout(every()) == Err(RecvTimeoutError::Timeout) {
            let text = parts.lock().map(|parts| parts.text()).unwrap_or_default();
            let limit = of(limit);
            let elapsed = Duration::from_secs(begun.elapsed().as_secs());
            let elapsed = humantime::format_duration(elapsed);
            output::say(one_line(&format!("{name}: {elapsed}{limit}: {text}")));
        }
    });
    ProgressDisplay::Signs(Some(alive), Some(thread))
}

impl Drop for Display {
    fn drop(&mut self) {
        match &mut self.shown {
            ProgressDisplay::Nowhere => {}
            ProgressDisplay::Line(bar) => {
                bar.finish_and_clear();
                if let Ok(mut line) = screen::LINE.lock() {
                    *line = None;
                }
            }
            ProgressDisplay::Signs(alive, thread) => {
                drop(alive.take());
                if let Some(thread) = thread.take() {
                    let _ = thread.join();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_a_level_is_shown_before_its_folders() {
        let name = "levels/sokoban/large/xsokoban-90.xsb #88 \"In/Out\"";
        assert_eq!(fitted(name), "xsokoban-90.xsb #88 \"In/Out\"");
        assert_eq!(fitted("levels/a.xsb #3"), "levels/a.xsb #3");
    }
}
