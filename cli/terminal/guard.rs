//! The last resort: ends the process when its work does not heed a limit in time.
//!
//! All loops look at the limits and end with what is known so far. But some steps are done in one
//! go, and on very large levels one of them takes longer than any limit. So the dispatcher starts a
//! thread that watches over every command, from before the first file is read. When work goes on
//! for too long after a limit, the thread prints what is known by then, if only that the limit
//! struck, removes unfinished files and ends the process.
//!
//! Commands refine what it says: the subject, the lower bound, an answer that is already known, and
//! what else is to be done with partial results.
//!
//! # What time is allowed
//! `--timeout` is a limit for each level. A command about one level has that time, counted from
//! its start. In a command about several ([`levels`]) the clock starts again with each of them, or
//! those that do the work watch over it themselves ([`signals_only`]). Waiting for input or for the next save does not count
//! ([`waiting`], [`idle`]), and reading is allowed a second more for each MiB, and a little for each
//! file.

use crate::terminal::text::{Text, one_line};
use crate::terminal::{json, output, screen, values};
use clap::Args;
use serde::Serialize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::thread;
use std::time::{Duration, Instant};
use unstuck::instance::Instance;
use unstuck::limits::{Limits, Stop};
use unstuck::machine::{
    groups, half_of_memory, lock, processor_time, resident_memory, stale_files,
};
use unstuck::solve::Event;

/// Time and memory.
#[derive(Args, Clone, Copy, Default)]
pub(crate) struct LimitArgs {
    /// Time limit (per level), like 30, 90s or 10m
    #[arg(help_heading = output::HEADING, long, value_name = "TIME", allow_hyphen_values = true, value_parser = values::time)]
    pub timeout: Option<Duration>,
    /// Memory limit, in MiB or like 2G [default: half of the machine's memory]
    #[arg(help_heading = output::HEADING, long, value_name = "SIZE", value_parser = values::memory, hide_short_help = true)]
    pub memory: Option<u64>,
}

impl LimitArgs {
    /// The memory limit: what was given, else half of the machine's memory.
    pub(crate) fn memory(&self) -> Option<u64> {
        self.memory.or_else(half_of_memory)
    }

    /// The limits. The time of the only level of a command counts from the start of the command,
    /// that of one of several from now: see [`limits`].
    pub(crate) fn begin(&self) -> Limits {
        limits(self.timeout, self.memory()).with_flag(interrupt())
    }
}

/// How long work may go on after a limit has struck, or after the answer is known.
const GRACE_TIME: Duration = Duration::from_millis(700);

/// Processor time that the work must have had in that time: on a machine that is busy with other
/// things it may need longer to end.
const GRACE_CPU_TIME: Duration = Duration::from_millis(300);

/// How long it may go on even then.
const MAX_GRACE_TIME: Duration = Duration::from_millis(2_500);

/// Bytes that are given back in a millisecond at least, where they are in small pieces.
const MEMORY_A_MILLISECOND: u64 = 1 << 22;

/// Time between two looks.
const POLL_INTERVAL: Duration = Duration::from_millis(25);

/// How long the last words may take, for a reader that does not read must not keep the process.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// Bytes of input that may take a second to read, and what a file may take beside its bytes.
const BYTES_A_SECOND: u64 = 1 << 20;
const A_FILE: Duration = Duration::from_millis(20);

/// What is known of the answer.
struct BestAnswer {
    /// As it is to be printed, when a limit has struck.
    text: Box<dyn FnOnce(Option<Stop>) -> Text + Send>,
    /// The exit code.
    code: u8,
    /// Since when nothing is left to find out, if that is so.
    settled: Option<Since>,
    /// How many answers had been printed by then: after another one it is no news.
    printed: u64,
}

/// What is done with partial results before the end.
type Rescue = Box<dyn FnOnce(Stop) + Send>;

/// A moment.
#[derive(Clone, Copy)]
struct Since {
    moment: Instant,
    /// The processor time used by then.
    used: Duration,
    /// What giving back the memory of then may take.
    giving_back: Duration,
}

impl Since {
    fn now() -> Self {
        let memory = resident_memory().unwrap_or_default() / MEMORY_A_MILLISECOND;
        let used = processor_time().unwrap_or_default();
        Self { moment: Instant::now(), used, giving_back: Duration::from_millis(memory) }
    }

    /// Whether work has had all the time that it may take beyond its end.
    fn is_late(self, patient: bool) -> bool {
        let had_time =
            || processor_time().unwrap_or_default().saturating_sub(self.used) >= GRACE_CPU_TIME;
        let elapsed = self.moment.elapsed().saturating_sub(self.giving_back);
        elapsed > MAX_GRACE_TIME || (!patient && elapsed > GRACE_TIME && had_time())
    }
}

/// How much time there is, and since when it runs.
struct Clock {
    begun: Instant,
    /// The time for each level.
    time: Option<Duration>,
    /// Whether it starts again with each level.
    of_several: bool,
    /// What reading may take beyond that.
    allowance: Duration,
    /// Whether time does not count now.
    stands: bool,
}

impl Clock {
    fn new(time: Option<Duration>) -> Self {
        let begun = Instant::now();
        Self { begun, time, of_several: false, allowance: Duration::ZERO, stands: false }
    }

    /// What is left of the time; `None` where there is no limit.
    fn left(&self) -> Option<Duration> {
        let all = self.time?.saturating_add(self.allowance);
        (!self.stands).then(|| all.saturating_sub(self.begun.elapsed()))
    }
}

struct State {
    command: String,
    subject: String,
    place: Place,
    as_json: bool,
    clock: Clock,
    memory: Option<u64>,
    known: Option<BestAnswer>,
    /// Cheaper solutions there are none, as far as was shown by now.
    lower: Option<u32>,
    /// How many subjects there were before.
    turn: u64,
    /// How many answers had been printed before the subject.
    printed: u64,
    rescue: Option<Rescue>,
    /// Whether a signal ends the process at once: the work does not look at it, or nothing is lost.
    at_once: bool,
    /// Whether the process has to wait for others to end.
    patient: bool,
    done: bool,
}

impl State {
    fn new(command: &str, as_json: bool, time: Option<Duration>, memory: Option<u64>) -> Self {
        Self {
            command: command.to_owned(),
            subject: command.to_owned(),
            place: Place::default(),
            as_json,
            clock: Clock::new(time),
            memory,
            known: None,
            lower: None,
            turn: 0,
            printed: screen::printed(),
            rescue: None,
            at_once: false,
            patient: false,
            done: false,
        }
    }

    fn limits(&self) -> Limits {
        Limits::new(self.clock.left(), self.memory).with_flag(interrupt())
    }

    /// Forgets what was known of the level before.
    fn begin(&mut self, subject: &str, place: Place) {
        subject.clone_into(&mut self.subject);
        self.place = place;
        self.turn += 1;
        (self.known, self.lower, self.printed) = (None, None, screen::printed());
        if self.clock.of_several {
            (self.clock.begun, self.clock.allowance) = (Instant::now(), Duration::ZERO);
        }
    }

    /// What is known and was not printed yet.
    fn news(&self) -> Option<&BestAnswer> {
        self.known.as_ref().filter(|known| known.printed == screen::printed())
    }

    fn hear(&mut self, event: &Event, readings: &[Box<dyn Instance>]) {
        // Of several readings each has a bound of its own.
        if let ((Some(lower), _), [_]) = (event.bounds(), readings) {
            self.lower = self.lower.max(Some(lower));
        }
    }
}

/// What watches, once a command has begun.
static WATCHED: OnceLock<Mutex<State>> = OnceLock::new();

/// The state, unless the process is about to end: then this thread does nothing any more.
fn state() -> Option<MutexGuard<'static, State>> {
    screen::wait_for_end();
    WATCHED.get().map(lock)
}

fn change(change: impl FnOnce(&mut State)) {
    if let Some(mut state) = state() {
        change(&mut state);
    }
}

/// Watches over a command as long as it lives.
pub(crate) struct Guard(());

impl Drop for Guard {
    fn drop(&mut self) {
        change(|state| state.done = true);
    }
}

/// Begins to watch over a command, which may have limits; without, a signal ends it at once.
pub(crate) fn begin(name: &str, as_json: bool, limits: Option<LimitArgs>) -> Guard {
    let time = limits.and_then(|limits| limits.timeout);
    let memory = limits.and_then(|limits| limits.memory());
    interrupt();
    let at_once = limits.is_none();
    let state = State { at_once, ..State::new(name, as_json, time, memory) };
    let begun = WATCHED.set(Mutex::new(state)).is_ok();
    if begun {
        // Without a thread for it the work goes on unwatched.
        let _ = thread::Builder::new().name("guard".to_owned()).spawn(watch);
    }
    Guard(())
}

/// The flag that Ctrl-C raises. A second Ctrl-C ends the process at once.
pub(crate) fn interrupt() -> Arc<AtomicBool> {
    static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    FLAG.get_or_init(|| {
        let flag = Arc::new(AtomicBool::new(false));
        let raised = flag.clone();
        let mut first: Option<Instant> = None;
        // Without a handler Ctrl-C ends the process, which is a fair way to stop too.
        let _ = ctrlc::set_handler(move || {
            let since = *first.get_or_insert_with(Instant::now);
            // `timeout` and others signal a process and then its group: that is one request.
            let again = since.elapsed() > Duration::from_millis(100);
            if raised.swap(true, Ordering::Relaxed) && again {
                groups::end_all();
                stale_files::remove_unfinished();
                std::process::exit(130);
            }
        });
        flag
    })
    .clone()
}

/// Whether there was a Ctrl-C.
pub(crate) fn is_interrupted() -> bool {
    interrupt().load(Ordering::Relaxed)
}

/// The limits of `--timeout` and `--memory` from here on: of the only level from the start of the
/// command, of one of several from now.
pub(crate) fn limits(time: Option<Duration>, memory: Option<u64>) -> Limits {
    let spent = state().filter(|state| !state.clock.of_several && !state.clock.stands);
    let spent = spent.map_or(Duration::ZERO, |state| state.clock.begun.elapsed());
    Limits::new(time.map(|time| time.saturating_sub(spent)), memory)
}

/// Says how many levels the work is on, each of which has the time limit from when it becomes
/// the [`subject`].
pub(crate) fn levels(count: usize) {
    change(|state| state.clock.of_several = count > 1);
}

/// Says which file or folder the work is on now; what was known of the subject before is forgotten.
pub(crate) fn subject(file: &str) {
    let place = Place { file: Some(file.to_owned()), ..Place::default() };
    change(|state| state.begin(file, place));
}

/// The same of a level, under a name for people.
pub(crate) fn level(place: Place, name: &str) {
    change(|state| state.begin(name, place));
}

/// Gives the command all its time again.
pub(crate) fn should_retry() {
    change(|state| (state.clock, state.patient) = (Clock::new(state.clock.time), false));
}

/// Says that the command has no end of its own: from now on only a signal ends it, and the memory
/// limit.
pub(crate) fn idle() {
    change(|state| state.clock.stands = true);
}

/// Says that others do the work, threads or processes, which are watched over by the loop that feeds
/// them: at a signal they have to be ended, too.
pub(crate) fn signals_only() {
    change(|state| {
        (state.clock.stands, state.memory, state.patient) = (true, None, true);
    });
}

/// Allows time for reading a file of this size: there may be very many files, and very many levels
/// in one.
pub(crate) fn reading(bytes: usize) {
    let time = A_FILE + Duration::from_millis(bytes as u64 * 1000 / BYTES_A_SECOND);
    change(|state| state.clock.allowance = state.clock.allowance.saturating_add(time));
}

/// Waits for input: that does not count as time, and a signal ends the process at once.
pub(crate) fn waiting<T>(wait: impl FnOnce() -> T) -> T {
    let begun = Instant::now();
    let before = state().map(|mut state| {
        let before = (state.at_once, state.clock.stands);
        (state.at_once, state.clock.stands) = (true, true);
        before
    });
    let input = wait();
    change(|state| {
        (state.at_once, state.clock.stands) = before.unwrap_or_default();
        state.clock.begun += begun.elapsed();
    });
    input
}

/// Takes note of what is known by now; `settled` when nothing is left to find out.
pub(crate) fn know(text: impl Into<Text>, code: u8, settled: bool) {
    let text = text.into();
    know_until(move |_| text, code, settled);
}

/// The same where the answer says which limit has struck.
pub(crate) fn know_until(
    text: impl FnOnce(Option<Stop>) -> Text + Send + 'static,
    code: u8,
    settled: bool,
) {
    let (settled, printed, text) = (settled.then(Since::now), screen::printed(), Box::new(text));
    change(|state| state.known = Some(BestAnswer { text, code, settled, printed }));
}

/// Gives the exit code of a command that has answered: what it still does is cleaning up.
pub(crate) fn answered(code: u8) -> u8 {
    know("", code, true);
    code
}

/// Takes note of the lower bound of an event about these readings, which is printed where nothing else
/// is known.
pub(crate) fn hear(event: &Event, readings: &[Box<dyn Instance>]) {
    change(|state| state.hear(event, readings));
}

/// Has this done with partial results before the process is ended.
pub(crate) fn rescue(rescue: impl FnOnce(Stop) + Send + 'static) {
    change(|state| state.rescue = Some(Box::new(rescue)));
}

/// Looks at the limits until the command is done, or ends the process.
fn watch() {
    let Some(watched) = WATCHED.get() else { return };
    let (mut struck, mut turn): (Option<Since>, u64) = (None, 0);
    let mut blocked: Option<Since> = None;
    loop {
        thread::sleep(POLL_INTERVAL);
        let Some(right_to_print) = screen::turn() else {
            // Another thread prints, perhaps into a pipe without a reader: that must not keep the
            // process.
            let since = *blocked.get_or_insert_with(Since::now);
            if is_interrupted() && since.moment.elapsed() > MAX_GRACE_TIME {
                end(30);
            }
            continue;
        };
        blocked = None;
        let state = lock(watched);
        if state.done {
            return;
        }
        if turn != state.turn {
            // Work that goes on to the next level has heeded the limit: memory that stays in use
            // ends each level soon, not the process.
            (turn, struck) = (state.turn, None);
        }
        let stop = state.limits().reached_any();
        struck = stop.map(|_| struck.unwrap_or_else(Since::now));
        let late = |since: Option<Since>| since.is_some_and(|it| it.is_late(state.patient));
        let settled = state.news().and_then(|known| known.settled);
        let at_once = stop == Some(Stop::Interrupted) && state.at_once;
        if late(settled) || late(struck) || at_once {
            finish(state, right_to_print, stop);
        }
    }
}

/// Says what is known, and ends the process.
fn finish(mut state: MutexGuard<'static, State>, turn: screen::Turn, stop: Option<Stop>) -> ! {
    let known = if state.news().is_some() { state.known.take() } else { None };
    let rescue = state.rescue.take();
    let code = known.as_ref().map_or(30, |known| known.code);
    let printed = state.printed != screen::printed();
    let (lower, as_json) = (state.lower, state.as_json);
    let step = !state.at_once;
    let (command, subject, place) =
        (state.command.clone(), state.subject.clone(), state.place.clone());
    let (ready, words) = channel();
    let (say, said) = channel();
    // In a thread of its own: where it blocks, this one ends the process all the same.
    let speaker = thread::Builder::new().spawn(move || {
        let _ = words.recv();
        match (known, stop) {
            (Some(known), stop) => {
                let text = (known.text)(stop);
                if !text.as_str().is_empty() {
                    output::print(text);
                }
            }
            (None, Some(stop)) if as_json && !printed => {
                output::print(format!("{}\n", object(stop, lower, &command, &place)));
            }
            (None, Some(stop)) if step => {
                output::say(format!("error: {}", sentence(stop, lower, &subject)))
            }
            (None, Some(stop)) => output::say(format!("error: {}: {stop}", one_line(&subject))),
            (None, None) => {}
        }
        if let (Some(rescue), Some(stop)) = (rescue, stop) {
            rescue(stop);
        }
        let _ = say.send(());
    });
    drop(state);
    if let Ok(speaker) = &speaker {
        screen::leave_to(speaker.thread().id(), &turn);
        drop(turn);
        let _ = ready.send(());
        let _ = said.recv_timeout(LAST_WORDS);
    }
    end(code);
}

/// Says that a level did not end in time.
pub(crate) fn say_left(stop: Stop, subject: &str) {
    output::say(format!("{}: {stop}, in a step that could not be stopped", one_line(subject)));
}

/// Prints what is known of a level that did not end in time: the limit.
pub(crate) fn print_left(stop: Stop) {
    let Some(state) = state() else { return };
    let (as_json, command, subject) = (state.as_json, state.command.clone(), state.subject.clone());
    let place = state.place.clone();
    drop(state);
    match as_json {
        true => output::print(format!("{}\n", object(stop, None, &command, &place))),
        false => say_left(stop, &subject),
    }
}

/// Where the work is: nothing before the first file.
#[derive(Clone, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Place {
    /// The file or folder that the command was at.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// The number of the level in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<usize>,
    /// The title of the level.
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
}

impl Place {
    /// A level of a file.
    pub(crate) fn level(file: &str, number: usize, title: Option<&str>) -> Self {
        let title = title.map(str::to_owned);
        Self { file: Some(file.to_owned()), number: Some(number), title }
    }
}

/// What is known when a limit ends a command in a step that could not be stopped.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct EndedAnswer<'a> {
    #[serde(flatten)]
    place: &'a Place,
    /// That there is none.
    #[cfg_attr(test, schemars(extend("const" = "unknown")))]
    verdict: &'static str,
    /// The exit code.
    #[cfg_attr(test, schemars(extend("const" = 30)))]
    exit: u8,
    /// The limit.
    stopped_by: Stop,
    /// No solution is shorter.
    #[serde(skip_serializing_if = "Option::is_none")]
    lower: Option<u32>,
}

fn object(stop: Stop, lower: Option<u32>, command: &str, place: &Place) -> String {
    let fields = EndedAnswer { place, verdict: "unknown", exit: 30, stopped_by: stop, lower };
    json::object(command, fields).to_string()
}

fn sentence(stop: Stop, lower: Option<u32>, subject: &str) -> String {
    let subject = one_line(subject);
    let bound = lower.map_or_else(String::new, |lower| format!("; lower bound {lower}"));
    format!("{subject}: unknown: {stop}, in a step that could not be stopped{bound}")
}

fn end(code: u8) -> ! {
    groups::end_all();
    stale_files::remove_unfinished();
    std::process::exit(code.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use unstuck::{learn, registry, search};
    use unstuck_encodings::Cost;
    use unstuck_puzzles::Objective;

    fn readings() -> Vec<Box<dyn Instance>> {
        let text = "######\n#@$ .#\n######\n";
        registry::readings("sokoban", text, Objective::Pushes).unwrap()
    }

    #[test]
    fn a_level_is_named_by_file_number_and_title() {
        let object = |place: &Place| -> serde_json::Value {
            serde_json::from_str(&object(Stop::Time, Some(3), "solve", place)).unwrap()
        };
        let said = object(&Place::level("a b.xsb", 1, Some("One")));
        assert_eq!(
            (&said["file"], &said["number"], &said["title"]),
            (&"a b.xsb".into(), &1.into(), &"One".into())
        );
        assert_eq!(said["lower"], 3);
        // Before the first file there is none.
        let said = object(&Place::default());
        assert!(said.get("file").is_none() && said["command"] == "solve", "{said}");
    }

    #[test]
    fn the_greatest_lower_bound_is_reported_where_nothing_else_is_known() {
        let mut state = State::new("prove", false, None, None);
        let searching = |lower| {
            Event::Searching(search::SearchStats {
                lower: Cost::new(lower, 0),
                ..Default::default()
            })
        };
        let readings = readings();
        state.hear(&Event::Plan(9), &readings);
        assert_eq!(state.lower, None);
        state.hear(&searching(3), &readings);
        state.hear(
            &Event::Learning(learn::LearnStats { judged: 5, ..Default::default() }),
            &readings,
        );
        state.hear(&searching(4), &readings);
        assert_eq!(state.lower, Some(5));
        // Each of two readings has a bound of its own.
        let two: Vec<_> = readings.into_iter().chain(self::readings()).collect();
        state.hear(&searching(8), &two);
        assert_eq!(state.lower, Some(5));

        let text = sentence(Stop::Time, state.lower, "here");
        assert!(text.ends_with("lower bound 5"), "{text}");
        assert!(!sentence(Stop::Time, None, "here").contains("at least"));
        let object = object(Stop::Memory, state.lower, "prove", &Place::default());
        assert!(object.ends_with(r#""exit":30,"stopped_by":"memory","lower":5}"#), "{object}");
        let object = self::object(Stop::Time, None, "prove", &Place::default());
        assert!(object.ends_with(r#""stopped_by":"time"}"#), "{object}");
        state.begin("there", Place::default());
        assert_eq!((state.subject.as_str(), state.lower), ("there", None));
    }

    #[test]
    fn time_counts_for_each_level_and_stands_while_there_is_nothing_to_do() {
        let mut clock = Clock::new(Some(Duration::from_secs(100)));
        let left = |clock: &Clock| clock.left().map_or(-1, |left| left.as_secs_f64().ceil() as i64);
        assert_eq!(left(&clock), 100);
        clock.allowance = Duration::from_secs(7);
        assert_eq!(left(&clock), 107);
        clock.stands = true;
        assert_eq!(left(&clock), -1);
        assert_eq!(Clock::new(None).left(), None);
        let mut state = State::new("solve", false, Some(Duration::ZERO), None);
        assert_eq!(state.limits().reached(), Some(Stop::Time));
        state.clock.of_several = true;
        (state.clock.time, state.clock.begun) =
            (Some(Duration::from_secs(9)), Instant::now() - Duration::from_secs(10));
        assert_eq!(state.limits().reached(), Some(Stop::Time));
        state.begin("the next level", Place::default());
        assert_eq!(state.limits().reached(), None);
        state.clock.time = Some(Duration::ZERO);
        state.clock.stands = true;
        assert_eq!(state.limits().reached(), None);
    }
}
