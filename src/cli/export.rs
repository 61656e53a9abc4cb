//! `unstuck export`: a question as DIMACS, or the puzzle as a DIMSPEC transition system.

use super::input::{self, Chosen};
use super::{Ending, Failure, arguments, output};
use crate::backend::varisat::Varisat;
use crate::formula::dimacs::{self, Said};
use crate::formula::dimspec;
use crate::instance::{Formula, Instance, Question};
use crate::limits::Limits;
use crate::solve::{Verdict, complete};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use serde_json::json;
use std::path::{Path, PathBuf};
use unstuck_encodings::Strength;

const AFTER_HELP: &str = "\
Comments in the file name the puzzle, the question and every variable; the same names stand in a
JSON map beside it (FILE.map.json). `unstuck decode` turns a solver's answer back into moves.

Examples:
  unstuck export level.xsb --horizon 20 -o level.cnf
  cadical -q level.cnf > answer.txt; unstuck decode level.xsb --horizon 20 answer.txt
  unstuck export level.xsb --dimspec -o level.dimspec
  unstuck export board.txt --cuts -o board.cnf          with the loop cuts that it needs
  unstuck export board.txt --answer answer.txt -o board.cnf   with those that an answer needs";

/// Arguments that fix a question: `export` and `decode` must agree on them.
pub fn question_arguments() -> Vec<Arg> {
    let mut arguments = vec![
        Arg::new("horizon")
            .long("horizon")
            .value_name("N")
            .value_parser(value_parser!(u32))
            .help("Solved within N steps (needless for puzzles without moves)"),
        Arg::new("reading")
            .long("reading")
            .value_name("NAME")
            .help("The reading of the rules, where there are several [default: the first]"),
    ];
    arguments.extend(arguments::filter());
    arguments
}

pub fn command() -> Command {
    Command::new("export")
        .about("Write a question as DIMACS CNF for any SAT solver")
        .after_help(AFTER_HELP)
        .args(arguments::level(false))
        .args(question_arguments())
        .args([
            Arg::new("output")
                .long("output")
                .short('o')
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .help("Output file [default: standard output, without the JSON map]"),
            Arg::new("dimspec")
                .long("dimspec")
                .action(ArgAction::SetTrue)
                .help("Write initial state, goal and transition instead of a bounded question"),
            Arg::new("answer")
                .long("answer")
                .value_name("FILE")
                .action(ArgAction::Append)
                .conflicts_with("dimspec")
                .help(
                    "Add the clauses that a solver's model shows to be missing (Flow: detached \
                     loops); give every answer so far",
                ),
            Arg::new("cuts")
                .long("cuts")
                .action(ArgAction::SetTrue)
                .conflicts_with("dimspec")
                .help("Solve first, and add all the clauses that this finds missing"),
            Arg::new("force")
                .long("force")
                .action(ArgAction::SetTrue)
                .help("Replace files that exist"),
        ])
        .args(arguments::limits())
}

/// The instance of the chosen reading.
pub fn instance(matches: &ArgMatches, chosen: &Chosen) -> Result<Box<dyn Instance>, Failure> {
    let mut instances = chosen.instances(arguments::objective(matches))?;
    let Some(wanted) = matches.get_one::<String>("reading") else {
        return Ok(instances.swap_remove(0));
    };
    let names: Vec<_> = instances.iter().map(|instance| instance.reading()).collect();
    let index = names.iter().position(|name| name == wanted).ok_or_else(|| {
        Failure::usage(format!("no reading `{wanted}`; there are: {}", names.join(", ")))
    })?;
    Ok(instances.swap_remove(index))
}

/// The question that the arguments ask.
pub fn question(matches: &ArgMatches, instance: &dyn Instance) -> Result<Question, Failure> {
    let horizon = match matches.get_one::<u32>("horizon") {
        Some(&horizon) => horizon,
        None if instance.moves().is_none() => 0,
        None => {
            return Err(Failure::usage(
                "which horizon?\n  = help: `--horizon N` asks for plans of at most N steps",
            ));
        }
    };
    Ok(Question { filter: arguments::given_filter(matches), ..Question::within(horizon) })
}

fn heading(chosen: &Chosen, instance: &dyn Instance) -> Vec<String> {
    let mut lines = vec![
        format!("unstuck {}", env!("CARGO_PKG_VERSION")),
        format!("puzzle {} {}", instance.family(), chosen.name().replace('\n', " ")),
        format!("objective {}, encoding {}", instance.objective().name(), instance.encoding()),
    ];
    if !instance.reading().is_empty() {
        lines.push(format!("reading {}", instance.reading()));
    }
    lines.extend(chosen.options.iter().map(|(name, value)| format!("option {name} = {value}")));
    lines.extend(instance.text().lines().map(|line| format!("| {line}")));
    lines
}

pub fn run(matches: &ArgMatches) -> Ending {
    let chosen = input::single(matches)?;
    let instance = instance(matches, &chosen)?;
    let path = matches.get_one::<PathBuf>("output").map(PathBuf::as_path);
    let force = matches.get_flag("force");
    if matches.get_flag("dimspec") {
        transition(matches, &chosen, instance.as_ref(), path, force)
    } else {
        bounded(matches, &chosen, instance.as_ref(), path, force)
    }
}

fn transition(
    matches: &ArgMatches,
    chosen: &Chosen,
    instance: &dyn Instance,
    path: Option<&Path>,
    force: bool,
) -> Ending {
    let layers = instance.layers(&arguments::given_filter(matches)).ok_or_else(|| {
        Failure::usage(format!("{} has no time: there is no transition", instance.family()))
    })?;
    let mut comments = heading(chosen, instance);
    comments.extend((1..).zip(&layers.names).map(|(n, name): (u32, _)| format!("v {n} {name}")));
    write(path, force, |out| dimspec::write(out, &layers, comments.iter().cloned()))?;
    Ok(0)
}

fn bounded(
    matches: &ArgMatches,
    chosen: &Chosen,
    instance: &dyn Instance,
    path: Option<&Path>,
    force: bool,
) -> Ending {
    let question = question(matches, instance)?;
    let limits = arguments::given_limits(matches)?;
    let mut formula = instance.formula_within(&question, &limits).map_err(|stop| Failure {
        message: format!("not compiled: stopped by the {stop}"),
        code: Verdict::Unknown(stop).exit_code(),
    })?;
    let cuts = add_cuts(matches, formula.as_mut(), &limits)?;
    let mut comments = heading(chosen, instance);
    comments.push(if instance.moves().is_some() {
        format!("question: solved within {} steps?", question.horizon)
    } else {
        "question: solved?".to_owned()
    });
    comments.extend(rule_lines(formula.as_ref()));
    comments.extend(cuts);
    let names = (1..=formula.variables() as u32).map(|n| (n, formula.variable_name(n)));
    let names: Vec<(u32, String)> = names.collect();
    comments.extend(names.iter().map(|(number, name)| format!("v {number} {name}")));
    if let Some(path) = path {
        let map = json!({
            "schema": super::report::SCHEMA,
            "puzzle": instance.family(),
            "objective": instance.objective().name(),
            "encoding": instance.encoding(),
            "reading": instance.reading(),
            "horizon": question.horizon,
            "variables": names
                .into_iter()
                .map(|(number, name)| (name, json!(number)))
                .collect::<serde_json::Map<_, _>>(),
        });
        let beside = path.with_file_name(format!(
            "{}.map.json",
            path.file_name().unwrap_or_default().to_string_lossy()
        ));
        output::write_file(&beside, force, |out| writeln!(out, "{map}"))?;
    }
    write(path, force, |out| dimacs::write_cnf(out, formula.as_ref(), comments.iter().cloned()))?;
    Ok(0)
}

/// Adds the clauses that the given answers, or a solver, show to be missing; a line for each.
fn add_cuts(
    matches: &ArgMatches,
    formula: &mut dyn Formula,
    limits: &Limits,
) -> Result<Vec<String>, Failure> {
    for path in matches.get_many::<String>("answer").unwrap_or_default() {
        let refused = |message: String| Failure::usage(format!("{path}: {message}"));
        let said = dimacs::read_output(&input::answer(path)?);
        let Said::Sat(lits) = said.map_err(|error| refused(error.to_string()))? else {
            return Err(refused("this answer has no model, so no clause can come of it".into()));
        };
        let model = dimacs::checked_model(formula, &lits);
        formula.refine(&model.map_err(|error| refused(error.to_string()))?);
    }
    if matches.get_flag("cuts") {
        let stop = complete(formula, &Varisat, limits);
        if let Some(stop) = stop.map_err(|error| Failure::usage(error.to_string()))? {
            eprintln!("stopped by the {stop}: there may be models that need more cuts");
        }
    }
    let line = |(clause, name): &(usize, String)| format!("cut {name}: clause {}", clause + 1);
    Ok(formula.cuts().iter().map(line).collect())
}

/// The rules with the number of their clauses.
fn rule_lines(formula: &dyn Formula) -> Vec<String> {
    let mut counts = std::collections::BTreeMap::new();
    for rule in formula.rules() {
        counts.insert(rule, 0);
    }
    for clause in 0..formula.len() {
        *counts.entry(formula.rule(clause)).or_insert(0) += 1;
    }
    let kind = |strength| match strength {
        Strength::Defining => "defining",
        Strength::Strengthening => "strengthening",
    };
    let line = |(rule, count): (unstuck_encodings::Rule, usize)| {
        format!("rule {} ({}): {count} clauses", rule.name, kind(rule.strength))
    };
    counts.into_iter().map(line).collect()
}

fn write(
    path: Option<&Path>,
    force: bool,
    write: impl FnOnce(&mut dyn std::io::Write) -> std::io::Result<()>,
) -> Result<(), Failure> {
    match path {
        Some(path) => output::write_file(path, force, write),
        None => {
            let mut out = std::io::BufWriter::new(std::io::stdout().lock());
            match write(&mut out).and_then(|()| std::io::Write::flush(&mut out)) {
                Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
                    Err(Failure::usage(format!("standard output: {error}")))
                }
                _ => Ok(()),
            }
        }
    }
}
