//! How a command is run: the one place that prints answers, counts exit codes and talks to the guard.

use crate::answer::{Answer, json};
use crate::input::args::Named;
use crate::input::{ReadFailure, SelectedLevel, SelectedLevels};
use crate::runner::threads::Threads;
use crate::runner::{JobEnd, Memory, Pool};
use crate::terminal::columns::shortened;
use crate::terminal::failure::{CommandResult, Failure, of_several};
use crate::terminal::guard::{self, LimitArgs};
use crate::terminal::output::{self, OutputArgs};
use crate::terminal::progress::Display;
use crate::terminal::text::Text;
use clap::Command;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, Weak};
use std::time::{Duration, Instant};
use unstuck::instance::Instance;
use unstuck::limits::Limits;
use unstuck::machine::lock;
use unstuck::solve::Event;

/// What the dispatcher has to know of a command before it runs.
#[derive(Clone, Copy, Default)]
pub(crate) struct Watched {
    /// Whether programs read the answer.
    pub json: bool,
    /// Its limits; a command without any is ended by a signal at once.
    pub limits: Option<LimitArgs>,
}

/// A command as it was given.
pub(crate) trait Run {
    /// What it needs of the dispatcher: nothing where it has no answer for programs, and no limits.
    fn watched(&self) -> Watched {
        Watched::default()
    }

    /// Runs it.
    fn run(&'static self) -> CommandResult;
}

/// A question that is asked of levels, one after the other.
pub(crate) trait Ask: Sync {
    /// What its answers say to programs.
    #[cfg(not(test))]
    type Fields: Serialize + Send + 'static;
    /// What its answers say to programs, which the schema describes.
    #[cfg(test)]
    type Fields: Serialize + Send + schemars::JsonSchema + 'static;

    /// The command.
    const NAME: &'static str;

    /// The levels, the limits, and what is printed.
    fn asked(&self) -> Asked<'_>;

    /// The heads of the table of several levels, after the name; without any the texts follow each
    /// other.
    fn heads(&self) -> &'static [&'static str] {
        &[]
    }

    /// How many questions are asked of each level.
    fn parts(&self) -> usize {
        1
    }

    /// The answer about something that is no level, where that is named.
    fn instead(&self) -> Option<CommandResult> {
        None
    }

    /// Looks at the options before any work is done.
    ///
    /// # Errors
    /// The first that would be ignored, or an output that cannot be written.
    fn check(&self, _found: &'static SelectedLevels) -> Result<(), Failure> {
        Ok(())
    }

    /// Answers the question about one level. Prints nothing: of several levels one that does not end
    /// in time is left to itself.
    ///
    /// # Errors
    /// When the level is broken, or the question does not fit.
    fn ask(&'static self, subject: &Subject) -> Result<Answer<Self::Fields>, Failure>;

    /// Takes note of an answer whose turn it is, before it is printed: the answers of levels that did
    /// not end in time never come here.
    fn take(&self, _chosen: &SelectedLevel, _answer: &mut Answer<Self::Fields>) {}

    /// What is printed after the last level; programs get nothing.
    fn end(&self, _quiet: bool) -> Text {
        Text::default()
    }
}

/// What the driver has to know of a question.
pub(crate) struct Asked<'a> {
    /// The levels that are named.
    pub levels: &'a dyn Named,
    /// Its limits, if it has some.
    pub limits: Option<LimitArgs>,
    /// What is printed.
    pub output: OutputArgs,
}

/// A level whose turn comes.
pub(crate) struct Turn {
    /// The level.
    pub chosen: &'static SelectedLevel,
    /// Which question is asked of it, from 0.
    pub part: usize,
    /// What the display calls it.
    pub label: String,
}

/// A level that is asked about.
pub(crate) struct Subject {
    /// The level.
    pub chosen: &'static SelectedLevel,
    /// The limits, which count from the start.
    pub limits: Limits,
    /// Its place among all that is asked.
    pub at: usize,
    /// Which question is asked of it, from 0.
    pub part: usize,
    /// Whether there is no other question.
    pub alone: bool,
    /// When the question was asked.
    pub begun: Instant,
    command: &'static str,
    output: OutputArgs,
    shown: Weak<Shown>,
}

/// Shows that the work on a level goes on, from when something is to be shown, and for as long as
/// its answer is waited for.
struct Shown {
    name: String,
    output: OutputArgs,
    limits: LimitArgs,
    display: OnceLock<Display>,
}

impl Subject {
    fn display(&self, show: impl FnOnce(&Display)) {
        if let Some(shown) = self.shown.upgrade() {
            let new = || Display::new(&shown.name, shown.output, shown.limits.timeout);
            show(shown.display.get_or_init(new));
        }
    }

    /// Shows an event of the work on these readings; of the only level the guard takes note of it.
    pub(crate) fn note(&self, event: &Event, readings: &[Box<dyn Instance>]) {
        if self.alone {
            guard::hear(event, readings);
        }
        self.display(|display| display.note(event));
    }

    /// Shows what is being done.
    pub(crate) fn say(&self, text: &str) {
        self.display(|display| display.say(text));
    }

    /// Has this printed where a limit ends the process before the answer is there.
    pub(crate) fn know<F: Serialize>(&self, answer: &Answer<F>) {
        let about = Some(self.chosen);
        guard::know(answer.printed(self.command, about, self.output), answer.code, false);
    }
}

impl<C: Ask> Run for C {
    fn watched(&self) -> Watched {
        let Asked { limits, output, .. } = self.asked();
        Watched { json: output.json, limits }
    }

    fn run(&'static self) -> CommandResult {
        if let Some(done) = self.instead() {
            return done;
        }
        let found = self.asked().levels.found()?;
        over(self, found)
    }
}

/// Asks about these levels, one after the other.
///
/// # Errors
/// When an option does not fit them, or the only one has no answer.
pub(crate) fn over<C: Ask>(command: &'static C, found: SelectedLevels) -> CommandResult {
    let Asked { limits, output, .. } = command.asked();
    // What does not end in time may look at the levels to the end.
    let found: &'static SelectedLevels = Box::leak(Box::new(found));
    command.check(found)?;
    let (parts, heads) = (command.parts(), command.heads());
    let asked: Vec<_> =
        found.iter().flat_map(|one| (0..parts).map(move |part| (one, part))).collect();
    let turn = |&(one, part): &(&'static Result<SelectedLevel, ReadFailure>, usize)| {
        let chosen = one.as_ref().ok()?;
        Some(Turn { chosen, part, label: chosen.name() })
    };
    let turns: Vec<_> = asked.iter().map(turn).collect();
    let as_table = !(asked.len() == 1 || output.json || heads.is_empty());
    if as_table && !output.quiet {
        output::print(row("level", heads, heads.iter().copied()));
    }
    let mut codes = Vec::new();
    let work = Work { command: C::NAME, output, limits, at_once: 1, turns };
    // Nothing more is asked of a level that failed.
    let failed_level = Mutex::new(None);
    let ask = move |subject: &Subject| {
        let level = Some(subject.at - subject.part);
        if *lock(&failed_level) == level {
            return None;
        }
        Some(command.ask(subject).inspect_err(|_| *lock(&failed_level) = level))
    };
    let done = in_turn(work, ask, &mut |at, end| {
        let (one, part) = asked[at];
        let answered: Result<Answer<C::Fields>, Failure> = match (one, end) {
            (Ok(_), Some(JobEnd::Answered(None))) => return Ok(()),
            (Err(_), _) if part > 0 => return Ok(()),
            (Ok(_), Some(JobEnd::Answered(Some(answered)))) => answered,
            (Ok(_), Some(JobEnd::Ended(stop))) => {
                guard::print_left(stop);
                codes.push(30);
                return Ok(());
            }
            (Ok(chosen), Some(JobEnd::Lost(how))) => Err(crashed(chosen, &how)),
            (Err(unread), _) => Err(unread.failure.clone()),
            (Ok(_), None) => unreachable!("a level that was read has its turn"),
        };
        let answered = answered.map(|mut answer| {
            one.iter().for_each(|chosen| command.take(chosen, &mut answer));
            answer
        });
        match (answered, one) {
            (Ok(answer), Ok(chosen)) if as_table => {
                note(&answer, output);
                let cells = answer.cells.iter().map(String::as_str);
                output::print(row(&chosen.short_name(), heads, cells));
                codes.push(answer.code);
            }
            (Ok(answer), one) => {
                show(&answer, answer.printed(C::NAME, one.as_ref().ok(), output), output);
                codes.push(answer.code);
            }
            (Err(failure), _) if asked.len() == 1 => return Err(failure),
            (Err(failure), _) => codes.push(failed(&failure, C::NAME, one.as_ref(), output.json)),
        }
        Ok(())
    })?;
    if done < asked.len() {
        codes.push(30);
    }
    sum_up(output, command.end(output.quiet));
    Ok(guard::answered(of_several(&codes)))
}

/// What is to be done, how, and within which limits.
pub(crate) struct Work {
    /// The command.
    pub command: &'static str,
    /// What is printed.
    pub output: OutputArgs,
    /// The limits of each level, if there are some.
    pub limits: Option<LimitArgs>,
    /// How many levels are worked on at the same time.
    pub at_once: usize,
    /// All in their order; none where nothing is left to do.
    pub turns: Vec<Option<Turn>>,
}

/// Has levels worked on, and hands over what came of each in their order, until Ctrl-C ends that. The
/// only one has this thread for itself; each of several is left to itself where it does not end in
/// time. Gives how many had their turn.
///
/// # Errors
/// The first of `take`.
pub(crate) fn in_turn<T: Send + 'static>(
    Work { command, output, limits, at_once, turns }: Work,
    work: impl Fn(&Subject) -> T + Send + Sync + 'static,
    take: &mut (dyn FnMut(usize, Option<JobEnd<T>>) -> Result<(), Failure> + Send),
) -> Result<usize, Failure> {
    let count = turns.len();
    let alone = count == 1;
    let turns = Arc::new(turns);
    let begin = |turn: &Turn| guard::level(turn.chosen.place(), &turn.label);
    let limit = limits.unwrap_or_default();
    let shown: Arc<Mutex<BTreeMap<usize, Arc<Shown>>>> = Arc::default();
    let (waiting, displays) = (turns.clone(), shown.clone());
    let worked = move |&at: &usize| {
        let Turn { chosen, part, label } = waiting[at].as_ref().expect("it has its turn");
        let (name, display) = (label.clone(), OnceLock::new());
        let shown = Arc::new(Shown { name, output, limits: limit, display });
        let (begun, limits) = (Instant::now(), limit.begin());
        let (part, shown_here) = (*part, Arc::downgrade(&shown));
        // One line has no room for several levels.
        if at_once == 1 {
            lock(&displays).insert(at, shown);
        }
        let shown = shown_here;
        work(&Subject { chosen, limits, at, part, alone, begun, command, output, shown })
    };
    if let (true, Some(Some(turn))) = (alone, turns.first()) {
        begin(turn);
        let found = worked(&0);
        lock(&shown).clear();
        return take(0, Some(JobEnd::Answered(found))).map(|()| 1);
    }
    let runner = Threads::new(worked);
    let fault = Mutex::new(None);
    let memory = |limit| Memory { limit, room_time: GRACE_TIME, is_one: true };
    let pool = Pool {
        runner: &runner,
        workers: at_once,
        patience: limit.timeout.map(|time| time + GRACE_TIME),
        memory: limits.and_then(|limits| limits.memory()).map(memory),
        stop: &|| guard::is_interrupted() || lock(&fault).is_some(),
    };
    // Each level keeps its limits by itself, or is left.
    guard::signals_only();
    let state = Mutex::new((0, BTreeMap::new(), take));
    let advance = |came: Option<(usize, JobEnd<T>)>| {
        let (next, ready, take) = &mut *lock(&state);
        if let Some((at, _)) = &came {
            lock(&shown).remove(at);
        }
        ready.extend(came);
        while *next < count && lock(&fault).is_none() {
            let end = match &turns[*next] {
                None => None,
                Some(turn) => {
                    begin(turn);
                    let Some(end) = ready.remove(next) else { return };
                    Some(end)
                }
            };
            match take(*next, end) {
                Ok(()) => *next += 1,
                Err(failure) => *lock(&fault) = Some(failure),
            }
        }
    };
    advance(None);
    let mut open = (0..count).filter(|&at| turns[at].is_some());
    let ran = pool.run(&mut open, &|at, end| advance(Some((at, end))), &mut || {});
    ran.map_err(|error| Failure::internal(format!("a thread cannot be started: {error}")))?;
    let failure = lock(&fault).take();
    let done = lock(&state).0;
    failure.map_or(Ok(done), Err)
}

/// What a level may take beyond its limits before it is left to itself.
const GRACE_TIME: Duration = Duration::from_millis(2_500);

/// That the work on a level has crashed.
pub(crate) fn crashed(chosen: &SelectedLevel, how: &str) -> Failure {
    let message = format!("{}: this level crashed: {how}", chosen.name());
    Failure::internal(message).help("please report it, with the level")
}

/// Prints an answer, and says what is to be said beside it.
pub(crate) fn show<F>(answer: &Answer<F>, printed: Text, output: OutputArgs) {
    note(answer, output);
    output::print(printed);
}

fn note<F>(answer: &Answer<F>, output: OutputArgs) {
    if let (Some(note), true) = (&answer.note, output.talks()) {
        output::say(note);
    }
}

/// Says what came of all; programs count for themselves.
pub(crate) fn sum_up(output: OutputArgs, text: impl Into<Text>) {
    if !output.json {
        output::print(text);
    }
}

/// Asks about things that are no levels, one after the other. Gives the exit codes.
///
/// # Errors
/// When the only one fails.
pub(crate) fn each<T, F: Serialize>(
    command: &str,
    output: OutputArgs,
    subjects: &[T],
    mut ask: impl FnMut(&T) -> Result<Answer<F>, Failure>,
) -> Result<Vec<u8>, Failure> {
    let mut codes = Vec::new();
    guard::levels(subjects.len());
    for subject in subjects {
        if guard::is_interrupted() {
            codes.push(30);
            break;
        }
        codes.push(match ask(subject) {
            Ok(answer) => {
                output::print(answer.printed(command, None, output));
                answer.code
            }
            Err(failure) if subjects.len() == 1 => return Err(failure),
            Err(failure) => ended(&failure, command, output.json),
        });
    }
    Ok(codes)
}

/// A line of a table: the name of a level, and cells that are flushed right under their heads.
fn row<'a>(name: &str, heads: &[&str], cells: impl Iterator<Item = &'a str>) -> String {
    let mut line = format!("{:<28}", shortened(name, 28));
    for (head, cell) in heads.iter().zip(cells) {
        line.push_str(&format!("  {cell:>width$}", width = head.len().max(7)));
    }
    line + "\n"
}

/// Reports a level or file that failed where the command continues with the others. Gives the
/// exit code.
pub(crate) fn failed(
    failure: &Failure,
    command: &str,
    about: Result<&SelectedLevel, &ReadFailure>,
    as_json: bool,
) -> u8 {
    let answer = failure.answer();
    match about {
        Ok(chosen) => report(failure, &json::of_level(command, chosen, answer), as_json),
        Err(unread) => report(failure, &json::of_file(command, &unread.source, answer), as_json),
    }
}

/// Reports a failure, to programs as this object. Gives the exit code.
pub(crate) fn report(failure: &Failure, object: &dyn fmt::Display, as_json: bool) -> u8 {
    output::complain(failure);
    if as_json {
        output::print(format!("{object}\n"));
    }
    failure.code
}

/// Reports what ends a command, or a part of it that has no level. Gives the exit code.
pub(crate) fn ended(failure: &Failure, command: &str, as_json: bool) -> u8 {
    report(failure, &object(failure, command).trim_end(), as_json)
}

/// The object that a command prints instead of an answer.
pub(crate) fn object(failure: &Failure, command: &str) -> String {
    format!("{}\n", json::object(command, failure.answer()))
}

/// The whole command line, once it is known.
pub(crate) static COMMAND_LINE: OnceLock<fn() -> Command> = OnceLock::new();

/// The whole command line, to be described.
pub(crate) fn command_line() -> Command {
    COMMAND_LINE.get().map_or_else(|| Command::new("unstuck"), |command| command())
}
