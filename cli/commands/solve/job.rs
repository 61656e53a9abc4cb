//! The levels of a batch, as they are asked about, and the way from one to its answer.

use crate::answer::Answer;
use crate::commands::query::{self, AnswerArgs};
use crate::commands::replay;
use crate::commands::solve::args::SolveCommand;
use crate::commands::solve::improved;
use crate::commands::solve::shown::rendered;
use crate::commands::solve::solved::SolvedLevel;
use crate::driver::{Subject, Turn};
use crate::input::{ReadFailure, SelectedLevel, SelectedLevels};
use crate::store::derive::{OPEN, Recalled};
use crate::store::open_store::OpenStore;
use crate::store::question::SOLUTIONS;
use crate::store::result::{GivenLimits, LevelQuestion, LevelResult};
use crate::store::retry::{Retry, should_retry};
use crate::store::shards::Key;
use crate::terminal::failure::Failure;
use crate::terminal::guard::{self, LimitArgs};
use crate::terminal::output;
use std::collections::BTreeMap;
use std::sync::Mutex;
use unstuck::instance::Instance;
use unstuck::limits::Stop;
use unstuck::machine::lock;
use unstuck::report::sentences;
use unstuck::solve::{Event, Outcome, Verdict};
use unstuck_puzzles::Style;
use unstuck_puzzles::constraints::Constraints;

/// One level and one horizon of a batch.
pub(super) struct Task {
    pub chosen: &'static SelectedLevel,
    pub horizon: Option<u32>,
    /// Level, question, limits.
    pub asked: LevelQuestion,
    /// The readings; or what is wrong with the level.
    pub instances: Result<Vec<Box<dyn Instance>>, Failure>,
    /// Its key in the log, where there is one, and what that says of it.
    pub key: Option<Key>,
    pub earlier: Option<Recalled>,
}

/// What came of a level.
pub(super) type Solved = Result<SolvedLevel, Failure>;

/// A task, or a file that could not be read.
pub(super) type Item = Result<Task, &'static ReadFailure>;

/// What is to be done.
pub(super) struct Job {
    pub args: &'static SolveCommand,
    /// Whether it is one level in one horizon.
    pub single: bool,
    pub items: Vec<Item>,
    after: Option<String>,
    constraints: Constraints,
    /// What search has found of levels that are at work.
    known: Mutex<BTreeMap<usize, Outcome>>,
}

impl Job {
    /// All levels in all horizons.
    ///
    /// # Errors
    /// When a level has no such objective, or moves or constraints cannot be read.
    pub(super) fn new(
        args: &'static SolveCommand,
        found: &'static SelectedLevels,
    ) -> Result<Self, Failure> {
        let (after, constraints) = (args.after.read()?, args.answer.constraints.read()?);
        let (single, items, known) = (args.is_single(found), Vec::new(), Mutex::default());
        let mut job = Self { args, single, items, after, constraints, known };
        for one in found {
            match one {
                Err(unread) => job.items.push(Err(unread)),
                Ok(chosen) => {
                    for horizon in args.solve.horizons() {
                        let task = job.task(chosen, horizon)?;
                        job.items.push(Ok(task));
                    }
                }
            }
        }
        Ok(job)
    }

    fn task(&self, chosen: &'static SelectedLevel, horizon: Option<u32>) -> Result<Task, Failure> {
        let AnswerArgs { limits, .. } = &self.args.answer;
        let limits = GivenLimits::new(limits.timeout, limits.memory());
        let mut asked = self.args.question(chosen, horizon, limits)?;
        if self.args.solution.improve {
            "improve".clone_into(&mut asked.question.engine);
        }
        asked.after.clone_from(&self.after);
        asked.wishes = Some(self.constraints.to_string()).filter(|wishes| !wishes.is_empty());
        let instances = self.instances(chosen);
        Ok(Task { chosen, horizon, asked, instances, key: None, earlier: None })
    }

    /// The readings of a level, as it is asked about.
    fn instances(&self, chosen: &SelectedLevel) -> Result<Vec<Box<dyn Instance>>, Failure> {
        let objective = self.args.levels.reading.objective;
        query::asked(chosen, objective, self.after.as_deref(), &self.constraints)
    }

    /// Looks up all levels in the log. What it says and what cannot be is not taken.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(super) fn recall(&mut self, log: &OpenStore) -> Result<(), Failure> {
        for task in self.items.iter_mut().flatten() {
            let Ok(instances) = &task.instances else { continue };
            task.key = task.asked.clone().in_store(task.chosen).stored_key();
            let line = task.key.map(|key| log.find(key)).transpose()?.flatten();
            let recalled =
                line.and_then(|line| Recalled::taken(&task.asked, task.chosen, instances, &line));
            task.earlier = recalled.filter(|recalled| recalled.outcome.is_some());
        }
        Ok(())
    }

    /// What the log knows of a level, unless it is to be solved again.
    pub(super) fn known<'a>(&self, task: &'a Task) -> Option<&'a Recalled> {
        let retry = self.args.kept.retry.unwrap_or(Retry::Unknown);
        let earlier = task.earlier.as_ref()?;
        (!should_retry(&earlier.result, retry, task.asked.limits)).then_some(earlier)
    }

    /// The levels that are to be solved, each in its place.
    pub(super) fn turns(&self) -> Vec<Option<Turn>> {
        let turn = |(at, item): (usize, &Item)| {
            let task = item.as_ref().ok().filter(|task| task.instances.is_ok())?;
            let (chosen, label) = (task.chosen, self.label(at, task));
            self.known(task).is_none().then_some(Turn { chosen, part: 0, label })
        };
        self.items.iter().enumerate().map(turn).collect()
    }

    /// How many levels are solved at once: as many as there are threads where none has moves, for
    /// a solver in one thread answers these; else one that takes all threads.
    pub(super) fn at_once(&self) -> usize {
        let has_moves = |item: &Item| item.as_ref().is_ok_and(|it| it.chosen.family.has_moves);
        if self.single || self.items.iter().any(has_moves) {
            return 1;
        }
        let backend = self.args.solve.solver.open();
        let most = backend.map_or(1, |backend| backend.at_once());
        self.args.solve.threads.count().min(most).max(1)
    }

    /// Whether levels have turns in rounds. What is counted has its own end, and what is kept in a file
    /// its order.
    pub(super) fn goes_in_rounds(&self) -> bool {
        let SolveCommand { answer, solution, kept, .. } = self.args;
        let is_limited = answer.limits.timeout.is_some() || solution.states.is_some();
        let counts = solution.unique || solution.count.is_some();
        let is_kept = kept.log.is_some() || kept.record.is_some();
        !(self.single || is_limited || counts || is_kept)
    }

    /// Solves a level whose turn has come, within these limits.
    pub(super) fn solve(&'static self, subject: &Subject, limits: &LimitArgs) -> Solved {
        let task = self.items[subject.at].as_ref().ok().expect("a level has its turn");
        let (args, chosen) = (self.args, task.chosen);
        let instances = self.instances(chosen)?;
        if self.single && !args.answer.output.quiet && self.after.is_none() {
            as_given(chosen, &instances);
        }
        let mut request = args.solve.request(task.horizon, limits)?;
        request.solutions = task.asked.question.count.unwrap_or(SOLUTIONS);
        request.states = args.solution.states;
        let note = |event: &Event, instances: &[Box<dyn Instance>]| match event {
            Event::Known(outcome) if self.single => self.know(task, outcome),
            Event::Known(outcome) => {
                lock(&self.known).insert(subject.at, outcome.as_ref().clone());
            }
            event => subject.note(event, instances),
        };
        if args.solution.improve {
            let given = args.solution.from_solution.as_ref();
            return improved::solved(given, chosen, instances, &request, &note);
        }
        let mut solved = SolvedLevel::of(chosen, instances, &request, &note)?;
        if args.solution.unique && self.single {
            self.know(task, &solved.outcome);
        }
        solved.count(&task.asked.question, &request)?;
        Ok(solved)
    }

    /// Takes note of what search has found, while others may still be at work.
    fn know(&'static self, task: &'static Task, outcome: &Outcome) {
        let Ok(instances) = self.instances(task.chosen) else { return };
        let mut solved = SolvedLevel::new(instances, outcome.clone());
        // Files that were asked for are written at the end.
        let kept = &self.args.kept;
        let files = self.args.pictures.wanted() || kept.record.is_some() || kept.log.is_some();
        let objective = solved.instance().objective();
        let settled = outcome.is_final(objective) && solved.instances.len() == 1;
        let unique = self.args.solution.unique;
        let code = match outcome.verdict.exit_code() {
            0 if unique => OPEN,
            code => code,
        };
        let known = move |stop| {
            solved.outcome.stop = stop;
            let mut result = solved.result(task.asked.clone());
            result.answer = result.answer.with_stages(&solved.outcome);
            self.answer(task, &solved, result).printed_alone(self.args.answer.output)
        };
        guard::know_until(known, code, settled && !files && !unique);
    }

    /// What is known of a level that did not end in time.
    pub(super) fn left(&self, at: usize, task: &Task, stop: Stop) -> Solved {
        let instances = self.instances(task.chosen)?;
        let known = lock(&self.known).remove(&at);
        let mut outcome = known.unwrap_or_else(|| Outcome::new(instances[0].as_ref()));
        outcome.stop = Some(stop);
        if let Verdict::Unknown(why) = &mut outcome.verdict {
            *why = Some(stop);
        }
        Ok(SolvedLevel::new(instances, outcome))
    }

    /// What the log knows of a level, as what came of it.
    pub(super) fn remembered(&self, task: &Task, recalled: &Recalled) -> Solved {
        let outcome = recalled.outcome.clone().expect("others are not taken");
        Ok(SolvedLevel::new(self.instances(task.chosen)?, outcome))
    }

    /// The answer about a level by itself.
    pub(super) fn answer(
        &self,
        task: &Task,
        solved: &SolvedLevel,
        result: LevelResult,
    ) -> Answer<LevelResult> {
        let (chosen, code) = (task.chosen, solved.outcome.verdict.exit_code());
        let readings = solved.before.iter().map(|outcome| {
            let verdict = sentences::verdict(solved.instances[0].as_ref(), outcome);
            format!("{}: {verdict}", chosen.name())
        });
        let note = Some(readings.collect::<Vec<_>>().join("\n"));
        let note = note.filter(|note| self.single && !note.is_empty());
        Answer { note, ..Answer::new(code, result).saying(rendered(self.args, chosen, solved)) }
    }

    /// Whether the next task is the same level in a larger horizon: of a sweep the largest decides.
    pub(super) fn has_next_horizon(&self, at: usize) -> bool {
        match (self.items.get(at), self.items.get(at + 1)) {
            (Some(Ok(task)), Some(Ok(next))) => std::ptr::eq(task.chosen, next.chosen),
            _ => false,
        }
    }

    /// What the display calls a level.
    pub(super) fn label(&self, at: usize, task: &Task) -> String {
        match self.single {
            true => task.chosen.name(),
            false => format!("[{}/{}] {}", at + 1, self.items.len(), self.name(task)),
        }
    }

    /// What a row calls a level: in a sweep with the horizon.
    pub(super) fn name(&self, task: &Task) -> String {
        let name = task.chosen.short_name();
        match task.horizon.filter(|_| self.args.solve.horizons().len() > 1) {
            Some(horizon) => format!("{name} in {horizon}"),
            None => name,
        }
    }
}

/// Says which numbers the recorded solution of a level leads to: some files ask for those alone,
/// and no shorter solution answers them.
fn as_given(chosen: &SelectedLevel, instances: &[Box<dyn Instance>]) {
    let Some(given) = chosen.level.solutions.first() else { return };
    let replayed = instances.iter().find_map(|it| it.replay(given, Style::Plain, None).ok());
    let facts = replayed.map(|replayed| replay::numbers(&replayed.facts)).unwrap_or_default();
    if facts.is_empty() {
        return;
    }
    let words: Vec<String> = facts.iter().map(|(name, value)| format!("{name} {value}")).collect();
    output::say(format!(
        "note: as recorded in the file: {}; `unstuck replay` shows the end",
        words.join(", ")
    ));
}
