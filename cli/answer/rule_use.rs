//! Which rules of a game act in the shortest solutions of its levels (`--rules`).

use crate::input::applies::{REMOVE, refused};
use crate::terminal::columns;
use crate::terminal::failure::Failure;
use std::collections::BTreeSet;
use unstuck::atlas::Atlas;
use unstuck::instance::Instance;
use unstuck::limits::{Limits, Stop};
use unstuck::questions::enumerate::Enumeration;
use unstuck::questions::rules;
use unstuck::report::RuleUse;

/// Refuses a family whose rules are not written in a file.
pub(crate) fn check(instance: &dyn Instance) -> Result<(), Failure> {
    let lines = instance.moves().and_then(|game| game.rule_lines());
    lines.map(drop).ok_or_else(|| unwritten(instance))
}

fn unwritten(instance: &dyn Instance) -> Failure {
    let why = format!("the rules of {} are not written in a file", instance.family());
    refused("rules", &why, REMOVE)
}

/// Searches all shortest solutions of a level, or says which limit struck; without any no rule acts.
///
/// # Errors
/// When the rules are not written in a file.
pub(crate) fn of_level(
    instance: &dyn Instance,
    atlas: &mut dyn Atlas,
    counted: &Enumeration,
    limits: &Limits,
) -> Result<Result<RuleUse, Stop>, Failure> {
    rules::rule_use(instance, atlas, counted, limits).ok_or_else(|| unwritten(instance))
}

/// How many rules act, of how many.
pub(crate) fn cell(level: Option<&RuleUse>) -> String {
    let shown = |it: &RuleUse| format!("{}/{}", it.acting.len(), it.acting.len() + it.idle.len());
    columns::figure(level.map(shown))
}

/// The rules of a level that has a solution.
pub(crate) fn text(level: &Result<RuleUse, Stop>) -> String {
    match level {
        Err(stop) => format!("rules that act in a shortest solution: unknown: {stop}\n"),
        Ok(RuleUse { acting, idle }) => format!(
            "rules that act in a shortest solution: {}\nrules that act in none: {}\n",
            lines(acting),
            lines(idle)
        ),
    }
}

/// Lines by their numbers.
fn lines(lines: &BTreeSet<usize>) -> String {
    let numbers: Vec<String> = lines.iter().map(ToString::to_string).collect();
    match numbers.as_slice() {
        [] => "none".to_owned(),
        [line] => format!("line {line}"),
        lines => format!("lines {}", lines.join(", ")),
    }
}

/// The rules of a game that act in no shortest solution of its levels, where there are several.
pub(crate) fn of_game(source: &str, levels: &[Option<RuleUse>]) -> String {
    let known = levels.iter().flatten();
    let Some(idle) = known.clone().map(|level| level.idle.clone()).reduce(|all, it| &all & &it)
    else {
        return String::new();
    };
    if levels.len() == 1 {
        return String::new();
    }
    let open = match levels.len() - known.count() {
        0 => String::new(),
        open => format!(" ({open} unknown)"),
    };
    let levels = levels.len();
    format!(
        "{source}: rules that act in no shortest solution of {levels} levels{open}: {}\n",
        lines(&idle)
    )
}
