//! Options that do not apply are reported before any work is done, never ignored.

use super::input::{SelectedLevel, SelectedLevels};
use super::{Failure, arguments, input};
use clap::ArgMatches;
use clap::parser::ValueSource;
use std::collections::BTreeSet;
use std::path::PathBuf;
use unstuck::instance::Question;
use unstuck::limits::Limits;
use unstuck::registry::{Family, ParsedPuzzle};
use unstuck_encodings::{Rule, Strength};
use unstuck_puzzles::{Objective, RecordSupport};

/// Whether an option stands on the command line. Options that the command does not have do not.
pub(super) fn given(matches: &ArgMatches, name: &str) -> bool {
    matches.ids().any(|id| id.as_str() == name)
        && matches.value_source(name) == Some(ValueSource::CommandLine)
}

/// A condition under which an option means nothing, and what to do instead.
struct Inapplicable {
    option: &'static str,
    why: &'static str,
    help: &'static str,
}

/// What means nothing where a puzzle has no moves.
const WITHOUT_MOVES: [Inapplicable; 9] = [
    inapplicable("stages", "has no moves, so no stages", "`--svg` draws the solution"),
    inapplicable("trace", "has no moves", "remove this option"),
    inapplicable(
        "horizon",
        "has no moves, so no horizon",
        "`--count` says how many solutions to look for",
    ),
    inapplicable("max-horizon", "has no moves, so no horizon", "remove this option"),
    inapplicable("film", "has no moves to film", "`--svg` and `--png` draw the solution"),
    inapplicable("dimspec", "has no moves: there is no transition", "remove this option"),
    inapplicable("compare", "has no lengths to compare", "remove this option"),
    inapplicable("moves", "has no moves", "remove this option: the solution is drawn"),
    inapplicable("improve", "has no lengths, so none is shorter", "remove this option"),
];

/// What means nothing where a puzzle has moves.
const WITH_MOVES: [Inapplicable; 2] = [
    inapplicable(
        "count",
        "is played in moves: one shortest solution is looked for",
        "remove this option",
    ),
    inapplicable("cuts", "needs no cuts: its formulas are complete", "remove this option"),
];

/// What means nothing when explicit search alone answers.
const SEARCH_ONLY: [Inapplicable; 3] = [
    inapplicable("backend", "explicit search asks no solver", "use `--engine sat` or `auto`"),
    inapplicable("without", "explicit search has no clauses", "use `--engine sat` or `auto`"),
    inapplicable("defining-only", "explicit search has no clauses", "use `--engine sat` or `auto`"),
];

const fn inapplicable(option: &'static str, why: &'static str, help: &'static str) -> Inapplicable {
    Inapplicable { option, why, help }
}

fn refused(option: &str, why: &str, help: &str) -> Failure {
    Failure::usage(format!("--{option}: {why}")).help(help)
}

/// Checks options against the families, the number and the kind of the levels that were found.
///
/// # Errors
/// The first option that would have been ignored.
pub(super) fn check(matches: &ArgMatches, found: &SelectedLevels) -> Result<(), Failure> {
    let levels: Vec<&SelectedLevel> = found.iter().flatten().collect();
    let mut names = BTreeSet::new();
    let families = levels.iter().map(|chosen| chosen.family);
    for family in families.filter(|family| names.insert(family.name)) {
        family_takes(matches, family)?;
    }
    let search = matches.ids().any(|id| id == "engine")
        && matches.get_one::<String>("engine").is_some_and(|engine| engine == "search");
    if search {
        let inapplicable =
            SEARCH_ONLY.iter().find(|inapplicable| given(matches, inapplicable.option));
        inapplicable.map_or(Ok(()), |inapplicable| {
            Err(refused(inapplicable.option, inapplicable.why, inapplicable.help))
        })?;
    }
    clauses_exist(matches, &levels)?;
    rules_exist(matches, &levels)?;
    if given(matches, "compare") && levels.iter().all(|chosen| chosen.level.solutions.is_empty()) {
        let why = "the file records no solution to compare with";
        return Err(refused("compare", why, "remove this option"));
    }
    let record = given(matches, "record").then(|| matches.get_one::<PathBuf>("record")).flatten();
    if record.and_then(|path| path.extension()).is_some_and(|it| it.eq_ignore_ascii_case("slc")) {
        let why = "a record is plain text, and readers of `.slc` expect XML";
        return Err(refused("record", why, "give the file another name, such as FILE.sok"));
    }
    if found.len() > 1 {
        let single = levels.iter().find(|it| it.family.records == RecordSupport::OneLevel);
        if let (true, Some(chosen)) = (given(matches, "record"), single) {
            let name = chosen.family.name;
            let why = format!("a file of {name} holds one level, and there are {}", found.len());
            let help = "choose one with `--level`; `--log FILE` and `--json` keep all solutions";
            return Err(refused("record", &why, help));
        }
        if let Some(option) = ONE_LEVEL.into_iter().find(|option| given(matches, option)) {
            let why = format!("works on one level, and there are {}", found.len());
            return Err(refused(option, &why, "choose it: `--level N`"));
        }
    }
    Ok(())
}

/// What is asked of one level alone, or written for one.
const ONE_LEVEL: [&str; 7] =
    ["svg", "png", "film", "after", "from-solution", "certificate", "game"];

/// The only level that the arguments name, with which all of them make sense.
///
/// # Errors
/// When there is no such level, there are several, or an option would be ignored.
pub(super) fn single(matches: &ArgMatches) -> Result<SelectedLevel, Failure> {
    let found = vec![Ok(input::single(matches)?)];
    check(matches, &found)?;
    Ok(found.into_iter().flatten().next().expect("one level was put in"))
}

/// Checks that none of some options is given, which mean nothing for a reason.
///
/// # Errors
/// The first that is.
pub(super) fn none(matches: &ArgMatches, options: &[&str], why: &str) -> Result<(), Failure> {
    let inapplicable = options.iter().find(|option| given(matches, option));
    inapplicable.map_or(Ok(()), |option| Err(refused(option, why, "remove this option")))
}

/// Checks that there are constraints for one level only, and that no option stands beside those of
/// a game that means nothing there.
///
/// # Errors
/// When there are more levels, or there is such an option.
pub(super) fn with_constraints(
    matches: &ArgMatches,
    found: &SelectedLevels,
    inapplicable: &[&str],
) -> Result<(), Failure> {
    let Some(constraint) =
        ["forbid", "require"].into_iter().find(|constraint| given(matches, constraint))
    else {
        return Ok(());
    };
    if found.len() > 1 {
        return Err(refused(constraint, "works on one level", "choose it with `--level`"));
    }
    if found.iter().flatten().all(|chosen| !chosen.family.has_moves) {
        return Ok(());
    }
    none(matches, inapplicable, "a game with constraints is solved by explicit search")
}

/// Checks that a question for which search alone is asked where there are moves names no solver then.
///
/// # Errors
/// When it does.
pub(super) fn solver_is_asked(matches: &ArgMatches, family: &Family) -> Result<(), Failure> {
    if !(family.has_moves && given(matches, "backend")) {
        return Ok(());
    }
    let why = format!("{} is answered by search, which asks no solver", family.name);
    Err(refused("backend", &why, "remove this option"))
}

fn family_takes(matches: &ArgMatches, family: &Family) -> Result<(), Failure> {
    let inapplicable: &[Inapplicable] = if family.has_moves { &WITH_MOVES } else { &WITHOUT_MOVES };
    if let Some(inapplicable) =
        inapplicable.iter().find(|inapplicable| given(matches, inapplicable.option))
    {
        return Err(refused(
            inapplicable.option,
            &format!("{} {}", family.name, inapplicable.why),
            inapplicable.help,
        ));
    }
    let engine = matches.ids().any(|id| id == "engine");
    let engine = engine.then(|| matches.get_one::<String>("engine")).flatten();
    if !family.has_moves && engine.is_some_and(|engine| engine == "search") {
        let why = format!("{} has no moves to search through", family.name);
        return Err(refused("engine", &why, "use `--engine sat` or `auto`"));
    }
    if given(matches, "record") && family.records == RecordSupport::Nothing {
        let why = format!("files of {} have no place for solutions", family.name);
        return Err(refused("record", &why, "`--log FILE` and `--json` keep solutions"));
    }
    Ok(())
}

/// Steps up to which formulas are made to learn the names of their rules.
const MAX_STEPS: u32 = 3;

/// Puzzles of a family that are looked at to learn the names of its rules.
const SAMPLES: u64 = 40;

/// Checks that rules exist in the encodings of the levels.
///
/// # Errors
/// The first name that is no rule's.
pub(super) fn rules(
    matches: &ArgMatches,
    found: &SelectedLevels,
    names: &[&String],
) -> Result<(), Failure> {
    if names.is_empty() {
        // The levels need not be compiled for this.
        return Ok(());
    }
    let levels: Vec<&SelectedLevel> = found.iter().flatten().collect();
    let given = matches.get_many::<String>("objective").unwrap_or_default();
    let mut objectives: Vec<_> = given.map(|name| Objective::from_name(name)).collect();
    if objectives.is_empty() {
        objectives.push(None);
    }
    let known = objectives.into_iter().map(|objective| rules_of_levels(objective, &levels));
    let known: Vec<BTreeSet<Rule>> = known.collect::<Result<_, _>>()?;
    let known = known.into_iter().flatten().collect();
    names.iter().try_for_each(|name| known_rule(name, &known).map(drop))
}

/// Refuses options about clauses where a family has none, judged by its first level.
fn clauses_exist(matches: &ArgMatches, levels: &[&SelectedLevel]) -> Result<(), Failure> {
    let options = ["backend", "defining-only"];
    let Some(option) = options.into_iter().find(|option| given(matches, option)) else {
        return Ok(());
    };
    let objective = arguments::objective(matches);
    let mut seen = BTreeSet::new();
    let readable = levels.iter().filter(|chosen| chosen.level.puzzle.is_ok());
    readable.filter(|chosen| seen.insert(chosen.family.name)).try_for_each(|chosen| {
        let instances = chosen.instances(objective)?;
        let refusal = instances.iter().find_map(|instance| instance.encoded().refusal());
        refusal.map_or(Ok(()), |reason| Err(refused(option, reason, "remove this option")))
    })
}

/// Whether all rules that are to be left out exist in the levels' encodings, and leave answers that
/// are right where there is an engine to answer: a formula without a defining rule asks something
/// else.
fn rules_exist(matches: &ArgMatches, levels: &[&SelectedLevel]) -> Result<(), Failure> {
    if !given(matches, "without") {
        return Ok(());
    }
    let objective = arguments::objective(matches);
    let known = rules_of_levels(objective, levels)?;
    // Whether the command has such an option, given or not.
    let answers = matches.try_contains_id("engine").is_ok();
    arguments::given_filter(matches).without.iter().try_for_each(|name| {
        let strength = known_rule(name, &known)?;
        if answers && strength == Strength::Defining {
            let message = format!("--without: `{name}` defines the puzzle");
            let help = "`export` omits it, and `bench` measures without it; an answer would be to another question";
            return Err(Failure::usage(message).help(help));
        }
        Ok(())
    })
}

/// All rules of the levels' families under an objective.
fn rules_of_levels(
    objective: Option<Objective>,
    levels: &[&SelectedLevel],
) -> Result<BTreeSet<Rule>, Failure> {
    let mut known = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut families: Vec<&SelectedLevel> = levels.to_vec();
    families.retain(|chosen| seen.insert(chosen.family.name));
    for chosen in families {
        let objective = chosen.objective(objective)?;
        let samples: Vec<_> = (0..SAMPLES).map(|seed| (chosen.family.sample)(seed)).collect();
        let opened = samples.iter().chain(chosen.level.puzzle.as_ref().ok());
        for opened in opened {
            known.extend(rules_of(opened.as_ref(), objective));
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
        return Err(refused("without", "there are no clauses here", "remove this option"));
    }
    let near =
        nearest(name, &names).map_or(String::new(), |near| format!("did you mean `{near}`? "));
    let help = format!("{near}there are: {}", names.join(", "));
    Err(Failure::usage(format!("--without: no rule `{name}` here")).help(help))
}

fn rules_of(opened: &dyn ParsedPuzzle, objective: Objective) -> Vec<Rule> {
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
