//! `unstuck export`: questions as DIMACS, or puzzles as DIMSPEC transition systems.

use super::input::{self, ReadFailure, SelectedLevel, SelectedLevels};
use super::output::{self, Target};
use super::{CommandResult, Failure, applies, arguments, file_names, guard, json, of_several};
use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use unstuck::backend::varisat::Varisat;
use unstuck::formula::dimacs::{self, SolverStatus};
use unstuck::formula::dimspec;
use unstuck::instance::{Formula, Instance, Question};
use unstuck::limits::Limits;
use unstuck::solve::{Verdict, complete};
use unstuck_encodings::{Rule, Strength};

const LONG_HELP: &str = "\
Comments in the file name the puzzle, the question and every variable; a JSON
map beside it (FILE.map.json) has the same and all that `unstuck decode` needs
to turn a solver's answer back into moves. Several levels or horizons are
written into a folder, one file each.

Exit codes: 0 written; 2 wrong usage or bad input; 30 a limit struck first.";

const EXAMPLES: &str = "\
Examples:
  unstuck export level.xsb --horizon 20 -o level.cnf
  cadical -q level.cnf > answer.txt; unstuck decode level.cnf answer.txt
  unstuck export levels.xsb --horizon 10..12 -o formulas     a folder of files
  unstuck export level.xsb --dimspec -o level.dimspec
  unstuck export board.txt --cuts -o board.cnf               with all loop cuts
  unstuck export board.txt --answer answer.txt -o board.cnf  with its own cuts";

/// Arguments that fix a question: `export` and `decode` must agree on them.
pub(super) fn question_arguments() -> Vec<Arg> {
    let mut arguments = vec![
        arguments::horizon("Solved within N steps (needless for puzzles without moves)?"),
        arguments::reading_name(),
    ];
    arguments.extend(arguments::filter());
    arguments
}

pub(super) fn command() -> Command {
    arguments::command(
        "export",
        "Write questions as DIMACS CNF for any SAT solver",
        LONG_HELP,
        EXAMPLES,
    )
    .args(arguments::level(true))
    .args(question_arguments())
    .args([
        arguments::target(
            "output",
            "FILE",
            "Output file, or folder for several [default: standard output, without the map]",
        )
        .short('o'),
        Arg::new("dimspec")
            .long("dimspec")
            .action(ArgAction::SetTrue)
            .conflicts_with("horizon")
            .help("Write initial state, goal and transition instead of one bounded question"),
        Arg::new("answer")
            .long("answer")
            .value_name("FILE")
            .action(ArgAction::Append)
            .conflicts_with("dimspec")
            .help("Add the clauses that a solver's model shows to be missing")
            .long_help(
                "Add the clauses that a solver's model shows to be missing (Flow: detached \
                     loops); give every answer so far",
            ),
        Arg::new("cuts")
            .long("cuts")
            .action(ArgAction::SetTrue)
            .conflicts_with("dimspec")
            .help("Solve first, and add all the clauses that this finds missing"),
        arguments::force(),
    ])
    .args(arguments::limits())
    .args(arguments::output())
}

/// The instance of the chosen reading.
///
/// # Errors
/// When there is no such reading, or the level is broken.
pub(super) fn instance(
    matches: &ArgMatches,
    chosen: &SelectedLevel,
) -> Result<Box<dyn Instance>, Failure> {
    let instances = chosen.instances(arguments::objective(matches))?;
    of_reading(instances, matches.get_one::<String>("reading").map(String::as_str))
}

/// The instance of a reading; the first where none is named.
///
/// # Errors
/// When there is no such reading.
pub(super) fn of_reading(
    mut instances: Vec<Box<dyn Instance>>,
    wanted: Option<&str>,
) -> Result<Box<dyn Instance>, Failure> {
    let Some(wanted) = wanted else { return Ok(instances.swap_remove(0)) };
    let names: Vec<_> = instances.iter().map(|instance| instance.reading()).collect();
    let index = names.iter().position(|name| *name == wanted).ok_or_else(|| {
        let known = names.iter().filter(|name| !name.is_empty()).copied().collect::<Vec<_>>();
        let help = match known.as_slice() {
            [] => "this puzzle has only one reading: remove `--reading`".to_owned(),
            known => format!("there are: {}", known.join(", ")),
        };
        Failure::usage(format!("no reading `{wanted}`")).help(help)
    })?;
    Ok(instances.swap_remove(index))
}

/// The question of a horizon.
///
/// # Errors
/// When the horizon is missing.
pub(super) fn question(
    matches: &ArgMatches,
    instance: &dyn Instance,
    horizon: Option<u32>,
) -> Result<Question, Failure> {
    let horizon = match horizon {
        Some(horizon) => horizon,
        None if instance.moves().is_none() => 0,
        None => {
            return Err(Failure::usage("missing `--horizon`")
                .help("`--horizon N` asks for plans of at most N steps"));
        }
    };
    Ok(Question { filter: arguments::given_filter(matches), ..Question::within(horizon) })
}

fn heading(chosen: &SelectedLevel, instance: &dyn Instance) -> Vec<String> {
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

/// One file to write.
struct OutputFile<'a> {
    one: &'a Result<SelectedLevel, ReadFailure>,
    chosen: &'a SelectedLevel,
    instance: Box<dyn Instance>,
    horizon: Option<u32>,
}

/// What was written of a piece.
struct ExportedFile {
    form: &'static str,
    variables: usize,
    clauses: usize,
    cuts: usize,
}

pub(super) fn run(matches: &ArgMatches) -> CommandResult {
    let found = input::found(matches)?;
    applies::check(matches, &found)?;
    let mut codes = Vec::new();
    let pieces = pieces(matches, &found, &mut codes)?;
    let several = found.len() > 1 || pieces.len() > 1;
    let targets = targets(matches, &pieces, several)?;
    let (as_json, quiet) = (matches.get_flag("json"), matches.get_flag("quiet"));
    guard::levels(pieces.len());
    for (piece, target) in pieces.iter().zip(&targets) {
        guard::subject(&piece.chosen.name());
        let written = if matches.get_flag("dimspec") {
            transition(matches, piece, target)
        } else {
            bounded(matches, piece, target)
        };
        match written {
            Err(failure) if !several => return Err(failure),
            Err(failure) => codes.push(failure.tell("export", piece.one, as_json)),
            Ok(written) if as_json => output::print(printed(piece, target, &written)),
            Ok(_) => {
                if let (true, Target::File(path)) = (several && !quiet, target) {
                    output::say(format!("{}: {}", path.display(), piece.chosen.name()));
                }
            }
        }
    }
    Ok(of_several(&codes))
}

/// All that is to be written; what cannot be read is reported unless it is all there is.
fn pieces<'a>(
    matches: &ArgMatches,
    found: &'a SelectedLevels,
    codes: &mut Vec<u8>,
) -> Result<Vec<OutputFile<'a>>, Failure> {
    let mut pieces = Vec::new();
    for one in found {
        for horizon in arguments::given_horizons(matches) {
            let read = match one {
                Ok(chosen) => instance(matches, chosen).map(|instance| (chosen, instance)),
                Err(read_failure) => Err(read_failure.failure.clone()),
            };
            match read {
                Ok((chosen, instance)) => {
                    // A missing horizon is reported before anything is written.
                    if !matches.get_flag("dimspec") {
                        question(matches, instance.as_ref(), horizon)?;
                    }
                    pieces.push(OutputFile { one, chosen, instance, horizon });
                }
                Err(failure) if found.len() == 1 => return Err(failure),
                Err(failure) => {
                    codes.push(failure.tell("export", one, matches.get_flag("json")));
                    break;
                }
            }
        }
    }
    Ok(pieces)
}

/// The object of a piece.
fn printed(piece: &OutputFile<'_>, target: &Target, written: &ExportedFile) -> String {
    let path = match target {
        Target::File(path) => Some(path),
        Target::Stdout => None,
    };
    let map = path.filter(|_| written.form == "cnf").map(|path| map_path(path));
    let mut value = json::of_level("export", piece.chosen);
    value["objective"] = json!(piece.instance.objective().name());
    value["encoding"] = json!(piece.instance.encoding());
    value["reading"] = json!(piece.instance.reading());
    value["horizon"] = json!(piece.horizon);
    value["written"] = json!({
        "form": written.form,
        "output": path.map(|path| path.display().to_string()),
        "map": map.map(|path| path.display().to_string()),
        "variables": written.variables,
        "clauses": written.clauses,
        "cuts": written.cuts,
    });
    value["exit"] = json!(0);
    format!("{value}\n")
}

/// Where each piece goes: a folder takes several.
fn targets(
    matches: &ArgMatches,
    pieces: &[OutputFile<'_>],
    several: bool,
) -> Result<Vec<Target>, Failure> {
    let force = matches.get_flag("force");
    let target = Target::of(matches, "output");
    if !several {
        if target.is_none() && matches.get_flag("json") {
            return Err(Failure::usage("--json and the formula both want standard output")
                .help("name a file for the formula: `-o FILE`"));
        }
        output::prepare(matches, &["output"])?;
        if let Some(Target::File(path)) = &target
            && !matches.get_flag("dimspec")
        {
            output::writable(&map_path(path), force)?;
        }
        return Ok(vec![target.unwrap_or(Target::Stdout)]);
    }
    let Some(Target::File(folder)) = target else {
        return Err(Failure::usage("several files cannot all go to standard output")
            .help("name a folder: `-o FOLDER`"));
    };
    let extension = if matches.get_flag("dimspec") { "dimspec" } else { "cnf" };
    let sweep = arguments::given_horizons(matches).len() > 1;
    let names: Vec<String> = pieces
        .iter()
        .map(|piece| {
            let name = file_names::of_level(piece.chosen);
            match piece.horizon.filter(|_| sweep) {
                Some(horizon) => format!("{name}-h{horizon}.{extension}"),
                None => format!("{name}.{extension}"),
            }
        })
        .collect();
    let paths = file_names::in_folder(&folder, &names, force)?;
    Ok(paths.into_iter().map(Target::File).collect())
}

fn transition(
    matches: &ArgMatches,
    piece: &OutputFile<'_>,
    target: &Target,
) -> Result<ExportedFile, Failure> {
    let instance = piece.instance.as_ref();
    if let Some(reason) = instance.encoded().refusal() {
        return Err(Failure::usage(format!("{}: not written: {reason}", piece.chosen.name())));
    }
    let layers = instance.layers(&arguments::given_filter(matches)).ok_or_else(|| {
        Failure::usage(format!("{} has no time: there is no transition", instance.family()))
    })?;
    let mut comments = heading(piece.chosen, instance);
    comments.extend((1..).zip(&layers.names).map(|(n, name): (u32, _)| format!("v {n} {name}")));
    target.write(matches.get_flag("force"), |out| {
        dimspec::write(out, &layers, comments.iter().cloned())
    })?;
    let clauses = layers.initial.len() + layers.goal.len() + layers.transition.len();
    Ok(ExportedFile { form: "dimspec", variables: layers.names.len(), clauses, cuts: 0 })
}

/// The map beside a formula.
pub(super) fn map_path(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{name}.map.json"))
}

fn bounded(
    matches: &ArgMatches,
    piece: &OutputFile<'_>,
    target: &Target,
) -> Result<ExportedFile, Failure> {
    let instance = piece.instance.as_ref();
    let question = question(matches, instance, piece.horizon)?;
    let limits = arguments::given_limits(matches);
    let mut formula = instance.formula_within(&question, &limits).map_err(|error| {
        let code = Verdict::Unknown(error.stop()).exit_code();
        Failure::new(code, format!("{}: not written: {error}", piece.chosen.name()))
    })?;
    let cuts = add_cuts(matches, formula.as_mut(), &limits)?;
    let mut comments = heading(piece.chosen, instance);
    comments.push(if instance.moves().is_some() {
        let unit = instance.measures().first(instance.objective());
        format!("question: solved within {}?", unit.count(question.horizon))
    } else {
        "question: solved?".to_owned()
    });
    comments.extend(rule_lines(formula.as_ref()));
    comments.extend(cuts);
    let names = (1..=formula.variables() as u32).map(|n| (n, formula.variable_name(n)));
    let names: Vec<(u32, String)> = names.collect();
    comments.extend(names.iter().map(|(number, name)| format!("v {number} {name}")));
    let force = matches.get_flag("force");
    if let Target::File(path) = target {
        let map = map(piece.chosen, instance, &question, &names);
        output::write_file(&map_path(path), force, |out| writeln!(out, "{map}"))?;
    }
    target
        .write(force, |out| dimacs::write_cnf(out, formula.as_ref(), comments.iter().cloned()))?;
    let (variables, clauses) = (formula.variables(), formula.len());
    Ok(ExportedFile { form: "cnf", variables, clauses, cuts: formula.cuts().len() })
}

/// All that is needed to read a solver's answer.
fn map(
    chosen: &SelectedLevel,
    instance: &dyn Instance,
    question: &Question,
    names: &[(u32, String)],
) -> Value {
    let options: Map<String, Value> =
        chosen.options.iter().map(|(name, value)| (name.to_owned(), json!(value))).collect();
    let variables: Map<String, Value> =
        names.iter().map(|(number, name)| (name.clone(), json!(number))).collect();
    let mut map = json::of_level("export", chosen);
    let fields = json!({
        "text": chosen.level.text,
        "options": options,
        "objective": instance.objective().name(),
        "encoding": instance.encoding(),
        "reading": instance.reading(),
        "horizon": instance.moves().is_some().then_some(question.horizon),
        "without": question.filter.without,
        "defining_only": question.filter.defining_only,
        "variables": variables,
    });
    for (name, field) in fields.as_object().into_iter().flatten() {
        map[name] = field.clone();
    }
    map
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
        let SolverStatus::Sat(lits) = said.map_err(|error| refused(error.to_string()))? else {
            return Err(refused("this answer has no model, so no clause can come of it".into()));
        };
        let model = dimacs::checked_model(formula, &lits);
        formula.refine(&model.map_err(|error| refused(error.to_string()))?);
    }
    if matches.get_flag("cuts") {
        let stop = complete(formula, &Varisat, limits);
        if let Some(stop) = stop.map_err(|error| Failure::usage(error.to_string()))? {
            output::say(format!("stopped by the {stop}: there may be models that need more cuts"));
        }
    }
    let line = |(clause, name): &(usize, String)| format!("cut {name}: clause {}", clause + 1);
    Ok(formula.cuts().iter().map(line).collect())
}

/// The rules with the number of their clauses.
fn rule_lines(formula: &dyn Formula) -> Vec<String> {
    let mut counts = BTreeMap::new();
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
    let line = |(rule, count): (Rule, usize)| {
        format!("rule {} ({}): {count} clauses", rule.name, kind(rule.strength))
    };
    counts.into_iter().map(line).collect()
}
