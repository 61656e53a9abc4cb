//! `unstuck solve`: one level, or all levels of the given files as a batch.

pub(crate) mod args;
mod improved;
mod job;
mod run;
mod shown;
pub(crate) mod solved;
pub(crate) mod stored;
pub(crate) mod unique;

use crate::answer::{Answer, rule_use};
use crate::commands::constrained::ConstrainedQuestion;
use crate::commands::query;
use crate::commands::solve::args::{KeptArgs, ShownArgs, SolveCommand};
use crate::driver::{self, Ask, Asked, Run, Subject, Watched};
use crate::input::applies::{self, Demand, REMOVE, refuse_idle, refused};
use crate::input::args::Named;
use crate::input::{self, SelectedLevel, SelectedLevels};
use crate::terminal::failure::{CommandResult, Failure};
use crate::terminal::output::{self, Target};
use serde::Serialize;
use std::path::Path;
use unstuck::registry::Family;
use unstuck::solve::{ScheduleText, explained};
use unstuck_puzzles::{Objective, RecordSupport};

impl Run for SolveCommand {
    fn watched(&self) -> Watched {
        Watched { json: self.answer.output.json, limits: Some(self.answer.limits) }
    }

    fn run(&'static self) -> CommandResult {
        let KeptArgs { record, log, store, part, retry, .. } = &self.kept;
        let retries = retry.is_some() && log.is_none() && store.is_none();
        refuse_idle([("retry", retries, "is for `--log` and `--store`")], REMOVE)?;
        if let Some(folder) = store {
            return stored::run(self, folder);
        }
        let mut found = self.levels.found()?;
        let id = |one: &Result<SelectedLevel, _>| one.as_ref().ok().and_then(SelectedLevel::id);
        found.retain(|one| part.is_none_or(|part| part.has(id(one).as_deref())));
        self.check(&found)?;
        input::note_duplicates(&found);
        let words = self.solve.words.iter().chain(&self.solution.words);
        let meaningless = words.filter(|it| !["tune", "unique"].contains(&it.as_str()));
        let constrained = applies::constrained(&self.answer.constraints, &found, meaningless)?;
        let unique = constrained && self.solution.unique;
        let moves = !constrained && found.len() == 1 && self.solution.shown.moves;
        let idle = [
            ("unique", unique, "`enumerate` counts the solutions of a game with constraints"),
            ("moves", moves, "the moves of a single level are printed anyway"),
        ];
        refuse_idle(idle, REMOVE)?;
        if self.solution.explain_schedule {
            return driver::over(Box::leak(Box::new(ScheduleQuestion(self))), found);
        }
        self.pictures.check()?;
        // A record that a log knows may be resumed.
        let named = ("record", record.as_ref().filter(|_| log.is_none()));
        let outputs = [&self.pictures.outputs()[..], &[named]].concat();
        let (json, force) = (self.answer.output.json, self.answer.force.force);
        output::prepare(json, force, &outputs)?;
        if log.is_some() && *record == Some(Target::Stdout) {
            output::speak_aside();
        }
        if constrained {
            return driver::over(Box::leak(Box::new(ConstrainedQuestion(self))), found);
        }
        run::all(self, found)
    }
}

impl SolveCommand {
    /// Refuses options that the levels have no use for.
    fn check(&self, found: &SelectedLevels) -> Result<(), Failure> {
        let ShownArgs { stages, moves, compare, verbose } = self.solution.shown;
        let one = "is played in moves: one shortest solution is looked for";
        let drawn = "`--svg` draws the solution";
        let demands = [
            Demand::no_moves("count", self.solution.count.is_some(), one),
            Demand::moves("stages", stages, drawn),
            Demand::moves("moves", moves, drawn),
            Demand::moves("compare", compare, REMOVE),
            Demand::moves("improve", self.solution.improve, REMOVE),
            Demand::moves("rules", self.solution.rules, REMOVE),
            Demand::one_level("verbose", verbose),
            Demand::one_level("after", self.after.after.is_some()),
            Demand::one_level("from-solution", self.solution.from_solution.is_some()),
        ];
        applies::check(found, demands.into_iter().chain(self.pictures.demands()))?;
        applies::solving(&self.solve, self.levels.reading.objective, found)?;
        let mut read = found.iter().flatten();
        let unique = self.solution.unique && self.levels.reading.objective == Some(Objective::Any);
        let compared = compare && read.clone().all(|chosen| chosen.level.solutions.is_empty());
        let idle = [
            ("unique", unique, "`--objective any` looks for no shortest solution"),
            ("compare", compared, "the file records no solution to compare with"),
        ];
        refuse_idle(idle, REMOVE)?;
        if self.solution.rules {
            let levels: Vec<&SelectedLevel> = found.iter().flatten().collect();
            for chosen in applies::one_of_each_family(&levels) {
                // A level that is broken is reported when its turn comes.
                let instances = chosen.instances(self.levels.reading.objective).unwrap_or_default();
                if let Some(instance) = instances.first() {
                    rule_use::check(instance.as_ref())?;
                }
            }
        }
        if let Some(record) = &self.kept.record {
            let refusal = read.find_map(|it| unrecordable(it.family, found.len(), record));
            return refusal.map_or(Ok(()), Err);
        }
        self.solve.solver.check()
    }
}

/// Why so many levels of a family cannot be recorded in a file.
fn unrecordable(family: &Family, levels: usize, record: &Target) -> Option<Failure> {
    let name = family.name;
    let extension = record.path().and_then(Path::extension);
    if family.records == RecordSupport::Nothing {
        let why = format!("files of {name} have no place for solutions");
        return Some(refused("record", &why, "`--log FILE` and `--json` keep solutions"));
    }
    if extension.is_some_and(|it| it.eq_ignore_ascii_case("slc")) {
        let why = "a record is plain text, and readers of `.slc` expect XML";
        return Some(refused("record", why, "give the file another name, such as FILE.sok"));
    }
    (levels > 1 && family.records == RecordSupport::OneLevel).then(|| {
        let why = format!("a file of {name} holds one level, and there are {levels}");
        let help = "choose one with `--level`; `--log FILE` and `--json` keep all solutions";
        refused("record", &why, help)
    })
}

/// `solve --explain-schedule`: which engine would work when.
struct ScheduleQuestion(&'static SolveCommand);

impl Ask for ScheduleQuestion {
    type Fields = ScheduleAnswer;
    const NAME: &'static str = "solve";

    fn asked(&self) -> Asked<'_> {
        Asked { levels: &self.0.levels, limits: None, output: self.0.answer.output }
    }

    fn parts(&self) -> usize {
        self.0.solve.horizons().len()
    }

    fn ask(&'static self, subject: &Subject) -> Result<Answer<ScheduleAnswer>, Failure> {
        let SolveCommand { levels, solve, answer, solution, after, .. } = self.0;
        let (after, constraints) = (after.read()?, answer.constraints.read()?);
        let objective = levels.reading.objective;
        let instances = query::asked(subject.chosen, objective, after.as_deref(), &constraints)?;
        let request = solve.request(solve.horizons()[subject.part], &answer.limits)?;
        let request = request.with_states(solution.states);
        let schedule = explained(instances[0].as_ref(), &request, solution.improve);
        let name = if subject.alone { String::new() } else { subject.chosen.name() + "\n" };
        let text = format!("{name}{schedule}");
        Ok(Answer::new(0, ScheduleAnswer { schedule }).saying(text))
    }
}

/// The schedule of a level.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ScheduleAnswer {
    /// What would be done.
    schedule: ScheduleText,
}
