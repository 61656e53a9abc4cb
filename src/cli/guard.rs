//! The last resort: ends the process when its work does not heed a limit in time.
//!
//! All loops look at the limits, and end with the best bounds so far. But some tables are made in
//! one go, and on very large levels that takes longer than any limit. Then what is known by then is
//! told, if only that the limit struck. An answer that is known is told soon, too, when others are
//! still at work that cannot be stopped.

use super::{json, output};

use crate::instance::Instance;
use crate::limits::{Limits, Stop};
use crate::machine::{groups, leftovers, lock, processor_time};
use crate::solve::Event;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// How long work may go on after a limit has struck, or after the answer is known.
const GRACE: Duration = Duration::from_millis(850);

/// Processor time that the work must have had in that time: on a machine that is busy with other
/// things it may need longer to end.
const SHARE: Duration = Duration::from_millis(300);

/// How long it may go on even then.
const LONGEST: Duration = Duration::from_millis(2_500);

/// Time between two looks.
const PAUSE: Duration = Duration::from_millis(25);

/// What is known of the answer.
struct Known {
    /// As it is to be printed.
    text: String,
    /// The exit code.
    code: u8,
    /// Since when nothing is left to find out, if that is so.
    settled: Option<(Instant, Duration)>,
}

#[derive(Default)]
struct State {
    done: bool,
    known: Option<Known>,
    /// Cheaper solutions there are none, as far as was shown by now.
    lower: Option<u32>,
}

/// Watches as long as it lives.
pub(super) struct Guard(Arc<Mutex<State>>);

impl Guard {
    /// Watches over a command that works on something.
    pub(super) fn new(
        limits: &Limits,
        command: &'static str,
        subject: &str,
        as_json: bool,
    ) -> Self {
        let state = Arc::new(Mutex::new(State::default()));
        let (limits, watched, subject) = (limits.clone(), state.clone(), subject.to_owned());
        // Without a thread for it the work goes on unwatched.
        let _ = thread::Builder::new().name("guard".to_owned()).spawn(move || {
            let mut struck: Option<(Instant, Duration)> = None;
            let time = || processor_time().unwrap_or_default();
            loop {
                let stop = limits.reached_any();
                struck = stop.map(|_| struck.unwrap_or_else(|| (Instant::now(), time())));
                // Held until the process ends, so that nobody else prints an answer too.
                let state = lock(&watched);
                if state.done {
                    return;
                }
                let late = |since: Option<(Instant, Duration)>| {
                    since.is_some_and(|(begun, used)| {
                        let had_time = time().saturating_sub(used) >= SHARE;
                        (begun.elapsed() > GRACE && had_time) || begun.elapsed() > LONGEST
                    })
                };
                match (&state.known, stop) {
                    (Some(known), _) if late(known.settled) || late(struck) => {
                        output::print(&known.text);
                        end(known.code);
                    }
                    (None, Some(stop)) if late(struck) => {
                        tell(stop, state.lower, command, &subject, as_json);
                        end(30);
                    }
                    _ => {}
                }
                drop(state);
                thread::sleep(PAUSE);
            }
        });
        Self(state)
    }

    /// Takes note of what is known by now; `settled` when nothing is left to find out.
    pub(super) fn know(&self, text: String, code: u8, settled: bool) {
        let settled = settled.then(|| (Instant::now(), processor_time().unwrap_or_default()));
        lock(&self.0).known = Some(Known { text, code, settled });
    }

    /// Takes note of the lower bound of an event about these readings, which is told where nothing
    /// else is known.
    pub(super) fn hear(&self, event: &Event, readings: &[Box<dyn Instance>]) {
        // Of several readings each has a bound of its own.
        if let ((Some(lower), _), [_]) = (event.bounds(), readings) {
            let mut state = lock(&self.0);
            state.lower = state.lower.max(Some(lower));
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        lock(&self.0).done = true;
    }
}

fn tell(stop: Stop, lower: Option<u32>, command: &str, subject: &str, as_json: bool) {
    if as_json {
        output::print(&format!("{}\n", object(stop, lower, command, subject)));
    } else {
        eprintln!("error: {}", sentence(stop, lower, subject));
    }
}

fn object(stop: Stop, lower: Option<u32>, command: &str, subject: &str) -> Value {
    let mut value = json::object(command);
    value["file"] = json!(subject);
    value["verdict"] = json!("unknown");
    value["exit"] = json!(30);
    value["stopped_by"] = json!(stop.name());
    if let Some(lower) = lower {
        value["lower"] = json!(lower);
    }
    value
}

fn sentence(stop: Stop, lower: Option<u32>, subject: &str) -> String {
    let subject = output::harmless(subject);
    let bound =
        lower.map_or_else(String::new, |lower| format!("; a solution takes at least {lower}"));
    format!("{subject}: unknown: {stop}, in a step that could not be stopped{bound}")
}

fn end(code: u8) -> ! {
    groups::end_all();
    leftovers::remove_unfinished();
    std::process::exit(code.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::by_name;
    use crate::{learn, search};
    use unstuck_encodings::Cost;
    use unstuck_puzzles::{Objective, Options};

    fn readings() -> Vec<Box<dyn Instance>> {
        let family = by_name("sokoban").unwrap();
        let options = Options::new(family.options, []).unwrap();
        let level = (family.read)("######\n#@$ .#\n######\n", &options).unwrap().remove(0);
        level.puzzle.unwrap().instances(Objective::Pushes).unwrap()
    }

    #[test]
    fn the_greatest_lower_bound_is_told_where_nothing_else_is_known() {
        let guard = Guard::new(&Limits::none(), "prove", "here", false);
        let lower = || lock(&guard.0).lower;
        let searching = |lower| {
            Event::Searching(search::Effort { lower: Cost::new(lower, 0), ..Default::default() })
        };
        let readings = readings();
        guard.hear(&Event::Plan(9), &readings);
        assert_eq!(lower(), None);
        guard.hear(&searching(3), &readings);
        guard.hear(&Event::Learning(learn::Effort { lower: 5, ..Default::default() }), &readings);
        guard.hear(&searching(4), &readings);
        assert_eq!(lower(), Some(5));
        // Each of two readings has a bound of its own.
        let two: Vec<_> = readings.into_iter().chain(self::readings()).collect();
        guard.hear(&searching(8), &two);
        assert_eq!(lower(), Some(5));

        let told = sentence(Stop::Time, lower(), "here");
        assert!(told.ends_with("a solution takes at least 5"), "{told}");
        assert!(!sentence(Stop::Time, None, "here").contains("at least"));
        let value = object(Stop::Memory, lower(), "prove", "here");
        assert_eq!((&value["lower"], &value["stopped_by"]), (&json!(5), &json!("memory")));
        assert!(object(Stop::Time, None, "prove", "here").get("lower").is_none());
    }
}
