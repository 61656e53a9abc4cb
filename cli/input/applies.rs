//! Options that do not apply are reported before any work is done, never ignored.
//!
//! What an option needs of the levels stands beside its group of arguments, as [`Demand`]s; what an
//! engine can say something about, the engines know.

use crate::input::args::{ConstraintArgs, SolveArgs, SolverArgs};
use crate::input::{SelectedLevel, SelectedLevels};
use crate::terminal::failure::Failure;
use crate::terminal::guard::LimitArgs;
use std::collections::BTreeSet;
use std::fmt::Display;
use unstuck::instance::Question;
use unstuck::limits::Limits;
use unstuck::registry::{Family, ParsedPuzzle};
use unstuck::solve::{EngineChoice, declined};
use unstuck_encodings::{Rule, Strength};
use unstuck_puzzles::Objective;

/// What an option that was given needs of the levels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Demand {
    option: &'static str,
    need: Need,
    help: &'static str,
}

#[derive(Clone, Copy, Debug)]
enum Need {
    /// A puzzle with moves.
    Moves,
    /// A puzzle without moves, and what is said of one that has some.
    NoMoves(&'static str),
    /// One level only.
    OneLevel,
}

impl Demand {
    /// An option for puzzles with moves, if it was given, and what to do elsewhere.
    pub(crate) fn moves(option: &'static str, given: bool, help: &'static str) -> Option<Self> {
        given.then_some(Self { option, need: Need::Moves, help })
    }

    /// An option for puzzles without moves, if it was given, and what is to be said of others.
    pub(crate) fn no_moves(option: &'static str, given: bool, why: &'static str) -> Option<Self> {
        given.then_some(Self { option, need: Need::NoMoves(why), help: REMOVE })
    }

    /// An option that is about one level, or writes for one, if it was given.
    pub(crate) fn one_level(option: &'static str, given: bool) -> Option<Self> {
        given.then_some(Self { option, need: Need::OneLevel, help: "choose it: `--level N`" })
    }
}

/// What to do where nothing else helps.
pub(crate) const REMOVE: &str = "remove this option";

/// The refusal of an option.
pub(crate) fn refused(option: impl Display, why: &str, help: &str) -> Failure {
    Failure::usage(format!("--{option}: {why}")).help(help)
}

/// Refuses the first of these options that was given and means nothing here, with the reason.
///
/// # Errors
/// That option.
pub(crate) fn refuse_idle<'a>(
    options: impl IntoIterator<Item = (&'static str, bool, &'a str)>,
    help: &str,
) -> Result<(), Failure> {
    let idle = options.into_iter().find(|(_, is_idle, _)| *is_idle);
    idle.map_or(Ok(()), |(option, _, why)| Err(refused(option, why, help)))
}

/// Checks what options demand of the levels that were found.
///
/// # Errors
/// The first option that would have been ignored.
pub(crate) fn check(
    found: &SelectedLevels,
    demands: impl IntoIterator<Item = Option<Demand>>,
) -> Result<(), Failure> {
    for Demand { option, need, help } in demands.into_iter().flatten() {
        let families = || found.iter().flatten().map(|chosen| chosen.family);
        let other = |moves: bool| families().find(|family| family.has_moves != moves);
        let why = match need {
            Need::Moves => other(true).map(|family| format!("{} has no moves", family.name)),
            Need::NoMoves(why) => other(false).map(|family| format!("{} {why}", family.name)),
            Need::OneLevel => (found.len() > 1)
                .then(|| format!("works on one level, and there are {}", found.len())),
        };
        if let Some(why) = why {
            return Err(refused(option, &why, help));
        }
    }
    Ok(())
}

/// Checks how levels are to be solved: that the engine has something to say about each family, that
/// the solver is asked, and that the rules exist.
///
/// # Errors
/// The first option that would have been ignored.
pub(crate) fn solving(
    solve: &SolveArgs,
    objective: Option<Objective>,
    found: &SelectedLevels,
) -> Result<(), Failure> {
    let engine = &solve.engine;
    let horizon = "`--count` says how many solutions to look for";
    check(
        found,
        [
            Demand::moves("horizon", engine.horizon.is_some(), horizon),
            Demand::moves("max-horizon", engine.max_horizon.is_some(), REMOVE),
        ],
    )?;
    let levels: Vec<&SelectedLevel> = found.iter().flatten().collect();
    if engine.engine == Some(EngineChoice::Search) {
        let filter = &solve.filter;
        let asked = [
            ("backend", solve.solver.backend.is_some(), "explicit search asks no solver"),
            ("without", !filter.without.is_empty(), "explicit search has no clauses"),
            ("defining-only", filter.defining_only, "explicit search has no clauses"),
        ];
        refuse_idle(asked, "use `--engine sat` or `auto`")?;
    }
    clauses_exist("backend", solve.solver.backend.is_some(), objective, &levels)?;
    clauses_exist("defining-only", solve.filter.defining_only, objective, &levels)?;
    rules_exist(&solve.filter.filter().without, &[objective], &levels, true)?;
    if engine.engine.is_none() {
        return Ok(());
    }
    let request = solve.request(solve.horizons()[0], &LimitArgs::default())?;
    for chosen in one_of_each_family(&levels) {
        // A level that is broken is reported when its turn comes.
        let instances = chosen.instances(objective).unwrap_or_default();
        if let Some(error) = instances.first().and_then(|it| declined(it.as_ref(), &request)) {
            return Err(Failure::usage(format!("--engine: {error}")).advised(error.advice()));
        }
    }
    Ok(())
}

/// Whether levels are games with constraints, which explicit search alone answers: then these options
/// mean nothing.
///
/// # Errors
/// When one of the options was given.
pub(crate) fn constrained<'a>(
    constraints: &ConstraintArgs,
    found: &SelectedLevels,
    mut meaningless: impl Iterator<Item = &'a String>,
) -> Result<bool, Failure> {
    let games = || found.iter().flatten().any(|chosen| chosen.family.has_moves);
    if constraints.is_empty() || !games() {
        return Ok(false);
    }
    match meaningless.next() {
        None => Ok(true),
        Some(option) => {
            let why = "a game with constraints is solved by explicit search";
            Err(refused(option, why, REMOVE))
        }
    }
}

/// Checks that a question for which search alone is asked where there are moves names no solver then.
///
/// # Errors
/// When it does.
pub(crate) fn solver_is_asked(solver: &SolverArgs, family: &Family) -> Result<(), Failure> {
    let why = format!("{} is answered by search, which asks no solver", family.name);
    refuse_idle([("backend", family.has_moves && solver.backend.is_some(), why.as_str())], REMOVE)
}

/// Steps up to which formulas are made to learn the names of their rules.
const MAX_STEPS: u32 = 3;

/// Puzzles of a family that are looked at to learn the names of its rules.
const SAMPLES: u64 = 40;

/// Checks that rules that are to be left out exist in the encodings of the levels; where there is an
/// engine to answer, that its answers are right without them, too: a formula without a defining rule
/// asks something else.
///
/// # Errors
/// The first name that is no such rule's.
pub(crate) fn rules_exist<'a>(
    names: impl IntoIterator<Item = &'a String>,
    objectives: &[Option<Objective>],
    levels: &[&SelectedLevel],
    answers: bool,
) -> Result<(), Failure> {
    let mut names = names.into_iter().peekable();
    if names.peek().is_none() {
        // The levels need not be compiled for this.
        return Ok(());
    }
    let mut known = BTreeSet::new();
    for &objective in objectives {
        known.extend(rules_of_levels(objective, levels)?);
    }
    names.try_for_each(|name| {
        let strength = known_rule(name, &known)?;
        if answers && strength == Strength::Defining {
            let why = format!("`{name}` defines the puzzle");
            let help = "`export` omits it, and `bench` measures without it; an answer would be to another question";
            return Err(refused("without", &why, help));
        }
        Ok(())
    })
}

/// Refuses an option about clauses, if it was given, where a family has none, judged by its first level.
///
/// # Errors
/// Why it has none.
pub(crate) fn clauses_exist(
    option: &str,
    given: bool,
    objective: Option<Objective>,
    levels: &[&SelectedLevel],
) -> Result<(), Failure> {
    let readable = levels.iter().copied().filter(|it| given && it.level.puzzle.is_ok());
    let readable: Vec<&SelectedLevel> = readable.collect();
    one_of_each_family(&readable).into_iter().try_for_each(|chosen| {
        let instances = chosen.instances(objective)?;
        let refusal = instances.iter().find_map(|instance| instance.encoded().refusal());
        refusal.map_or(Ok(()), |reason| Err(refused(option, reason, REMOVE)))
    })
}

/// The first level of each family.
pub(crate) fn one_of_each_family<'a>(levels: &[&'a SelectedLevel]) -> Vec<&'a SelectedLevel> {
    let mut seen = BTreeSet::new();
    levels.iter().copied().filter(|chosen| seen.insert(chosen.family.name)).collect()
}

/// All rules of the levels' families under an objective.
fn rules_of_levels(
    objective: Option<Objective>,
    levels: &[&SelectedLevel],
) -> Result<BTreeSet<Rule>, Failure> {
    let mut known = BTreeSet::new();
    for chosen in one_of_each_family(levels) {
        let objective = chosen.objective(objective)?;
        let samples: Vec<_> = (0..SAMPLES).map(|seed| (chosen.family.sample)(seed)).collect();
        let opened = samples.iter().chain(chosen.level.puzzle.as_ref().ok());
        for opened in opened {
            known.extend(rules_of(opened, objective));
        }
    }
    Ok(known)
}

/// What the rule of a name does. Fails when a name is no rule's, with those that would do.
fn known_rule(name: &str, known: &BTreeSet<Rule>) -> Result<Strength, Failure> {
    if let Some(rule) = known.iter().find(|rule| rule.name == name) {
        return Ok(rule.strength);
    }
    let names: Vec<_> = known.iter().map(|rule| rule.name).collect();
    if names.is_empty() {
        return Err(refused("without", "there are no clauses here", REMOVE));
    }
    let near =
        nearest(name, &names).map_or(String::new(), |near| format!("did you mean `{near}`? "));
    let help = format!("{near}there are: {}", names.join(", "));
    Err(Failure::usage(format!("--without: no rule `{name}` here")).help(help))
}

fn rules_of(opened: &ParsedPuzzle, objective: Objective) -> Vec<Rule> {
    let Some(instances) = opened.instances(objective) else { return Vec::new() };
    // Some rules are there only where shorter plans were ruled out.
    let question = Question { at_least: MAX_STEPS, ..Question::within(MAX_STEPS) };
    let formulas = instances.iter().map(|it| it.formula_within(&question, &Limits::none()));
    formulas.flatten().flat_map(|formula| formula.rules()).collect()
}

/// The name that is most like a wrong one, where one is like it at all.
fn nearest<'a>(wrong: &str, names: &[&'a str]) -> Option<&'a str> {
    let distance = |name: &&&str| strsim::levenshtein(wrong, name);
    let near = names.iter().min_by_key(distance)?;
    (distance(&near) <= wrong.len().max(3) / 3).then_some(*near)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_misses_are_recognized() {
        assert_eq!(nearest("one-psuh", &["one-push", "box-moves"]), Some("one-push"));
        assert_eq!(nearest("xyz", &["one-push"]), None);
    }
}
