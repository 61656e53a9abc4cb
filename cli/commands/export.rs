//! `unstuck export`: questions as DIMACS, puzzles as DIMSPEC transition systems or as tasks for
//! planners.

use crate::answer::{Answer, json};
use crate::driver::{Ask, Asked, Subject};
use crate::input::applies::{self, Demand, REMOVE};
use crate::input::args::{
    FilterArgs, ForceArgs, LevelsArgs, ReadingNameArgs, input_file, long_help,
};
use crate::input::{self, SelectedLevel, SelectedLevels, file_names};
use crate::terminal::failure::Failure;
use crate::terminal::guard::LimitArgs;
use crate::terminal::output::{self, OutputArgs, Target};
use crate::terminal::values::{Horizons, words};
use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::VecDeque;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use unstuck::backend::varisat::Varisat;
use unstuck::formula::dimacs::{self, SolverStatus};
use unstuck::formula::dimspec;
use unstuck::formula::wcnf::MaxSat;
use unstuck::instance::{Formula, Instance, Question, Term, Terms};
use unstuck::limits::Limits;
use unstuck::machine::lock;
use unstuck::solve::complete;
use unstuck_encodings::{Filter, Rule, Strength};
use unstuck_puzzles::Objective;

const LONG_HELP: &str = "\
Comments in the file name the puzzle, the question, its answer (where a recorded
solution or the lower bound shows it) and every variable; a JSON map beside it
(FILE.map.json) has the same and all that `unstuck decode` needs to turn a
solver's answer back into moves. A formula is of one reading of the rules: the
first, unless `--reading` names another. Several levels or horizons are written
into a folder, one file each.

A task for planners (PDDL) is written as FILE, and its domain beside it as
FILE.domain.pddl; what a planner prints is read wherever moves are. An action
costs what the objective counts first.

Exit codes: 0 written; 2 wrong usage or bad input; 30 a limit struck first.";

const EXAMPLES: &str = "\
Examples:
  unstuck export level.xsb --horizon 20 -o level.cnf
  cadical -q level.cnf > answer.txt; unstuck decode level.cnf answer.txt
  unstuck export levels.xsb --horizon 10..12 -o formulas     a folder of files
  unstuck export level.xsb --format dimspec -o level.dimspec
  unstuck export level.xsb --format wcnf --horizon 20 -o level.wcnf
  unstuck export level.xsb --format pddl -o level.pddl
  unstuck replay level.xsb --moves @sas_plan     what a planner has found
  unstuck export board.txt --cuts -o board.cnf               with all loop cuts
  unstuck export board.txt --answer answer.txt -o board.cnf  with its own cuts";

/// Arguments that fix a question: `export` and `decode` must agree on them.
#[derive(Args)]
pub(crate) struct QuestionArgs {
    /// Solved within N steps (needless for puzzles without moves)?
    ///
    /// `A..B` asks about each N from A to B.
    #[arg(long, value_name = "N|A..B")]
    pub horizon: Option<Horizons>,
    #[command(flatten)]
    pub reading: ReadingNameArgs,
    #[command(flatten)]
    pub filter: FilterArgs,
}

impl QuestionArgs {
    /// Checks the question against the levels that were found.
    ///
    /// # Errors
    /// The first option that would have been ignored.
    pub(crate) fn check(
        &self,
        objective: Option<Objective>,
        found: &SelectedLevels,
    ) -> Result<(), Failure> {
        let horizon = "remove this option: the whole puzzle is one question";
        applies::check(found, [Demand::moves("horizon", self.horizon.is_some(), horizon)])?;
        let levels: Vec<&SelectedLevel> = found.iter().flatten().collect();
        applies::clauses_exist("defining-only", self.filter.defining_only, objective, &levels)?;
        applies::rules_exist(&self.filter.filter().without, &[objective], &levels, false)
    }

    /// The chosen reading.
    ///
    /// # Errors
    /// When there is no such reading, or the level is broken.
    pub(crate) fn instance(
        &self,
        objective: Option<Objective>,
        chosen: &SelectedLevel,
    ) -> Result<ReadingChoice, Failure> {
        of_reading(chosen.instances(objective)?, self.reading.reading.as_deref())
    }

    /// The question of a horizon.
    ///
    /// # Errors
    /// When the horizon is missing.
    pub(crate) fn question(
        &self,
        instance: &dyn Instance,
        horizon: Option<u32>,
    ) -> Result<Question, Failure> {
        let horizon = steps(instance.moves().is_some(), horizon)?;
        Ok(Question { filter: self.filter.filter(), ..Question::within(horizon) })
    }
}

/// The steps of a question: none where there are no moves.
fn steps(has_moves: bool, horizon: Option<u32>) -> Result<u32, Failure> {
    let missing = || {
        Failure::usage("missing `--horizon`")
            .help("`--horizon N` asks for plans of at most N steps")
    };
    horizon.or((!has_moves).then_some(0)).ok_or_else(missing)
}

/// Write questions as DIMACS CNF for any SAT solver
#[derive(Args)]
#[command(after_help = EXAMPLES, after_long_help = long_help!(LONG_HELP, EXAMPLES))]
pub(crate) struct ExportCommand {
    #[command(flatten)]
    levels: LevelsArgs,
    #[command(flatten)]
    question: QuestionArgs,
    /// Output file, or folder for several [default: standard output, without the map]
    #[arg(long, short, value_name = "FILE")]
    output: Option<Target>,
    /// What to write: one bounded question (cnf), initial state, goal and transition (dimspec), the
    /// shortest plan within a horizon (wcnf, for MaxSAT), or a task for planners (pddl)
    #[arg(
        long,
        value_name = "FORMAT",
        value_parser = words(Format::ALL.map(|format| (format.name(), format))),
        default_value = "cnf"
    )]
    format: Format,
    /// Add the clauses that a solver's model shows to be missing
    ///
    /// Flow: those against detached loops. Give every answer so far.
    #[arg(long, value_name = "FILE", value_parser = input_file)]
    answer: Vec<String>,
    /// Solve first, and add all the clauses that this finds missing
    #[arg(long)]
    cuts: bool,
    #[command(flatten)]
    force: ForceArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    shown: OutputArgs,
    /// The files that are still to be written.
    #[arg(skip)]
    targets: Mutex<VecDeque<Target>>,
}

/// What is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Cnf,
    Dimspec,
    Pddl,
    Wcnf,
}

impl Format {
    const ALL: [Self; 4] = [Self::Cnf, Self::Dimspec, Self::Pddl, Self::Wcnf];

    /// Whether it asks for plans within a horizon.
    fn is_bounded(self) -> bool {
        matches!(self, Self::Cnf | Self::Wcnf)
    }

    /// Its name, which is the extension of its files.
    fn name(self) -> &'static str {
        match self {
            Self::Cnf => "cnf",
            Self::Dimspec => "dimspec",
            Self::Pddl => "pddl",
            Self::Wcnf => "wcnf",
        }
    }
}

/// A level under one reading of its rules: one formula is one reading.
pub(crate) struct ReadingChoice {
    pub instance: Box<dyn Instance>,
    /// The question, with the reading as asked for where it was named.
    pub terms: Terms,
    /// The readings of which nothing is asked, though this one was not chosen.
    pub left: Vec<String>,
}

impl ReadingChoice {
    /// Which reading it is, where others are left.
    pub(crate) fn note(&self) -> Option<String> {
        let left = self.left.join("`, `");
        let reading = self.instance.reading();
        let help = "`--reading` chooses";
        let note = format!("the formula is of the reading `{reading}`, not of `{left}`: {help}");
        (!self.left.is_empty()).then_some(note)
    }
}

/// The instance of a reading; the first where none is named.
///
/// # Errors
/// When there is no such reading.
pub(crate) fn of_reading(
    mut instances: Vec<Box<dyn Instance>>,
    wanted: Option<&str>,
) -> Result<ReadingChoice, Failure> {
    let names: Vec<_> = instances.iter().map(|instance| instance.reading()).collect();
    let Some(wanted) = wanted else {
        let left = names[1..].iter().map(|&name| name.to_owned()).collect();
        let instance = instances.swap_remove(0);
        return Ok(ReadingChoice { terms: instance.terms(), instance, left });
    };
    let index = names.iter().position(|name| *name == wanted).ok_or_else(|| {
        let known = names.iter().filter(|name| !name.is_empty()).copied().collect::<Vec<_>>();
        let help = match known.as_slice() {
            [] => "this puzzle has only one reading: remove `--reading`".to_owned(),
            known => format!("there are: {}", known.join(", ")),
        };
        Failure::usage(format!("no reading `{wanted}`")).help(help)
    })?;
    let instance = instances.swap_remove(index);
    let mut terms = instance.terms();
    for term in terms.terms.iter_mut().filter(|term| term.rule == wanted) {
        term.asked = true;
    }
    Ok(ReadingChoice { instance, terms, left: Vec::new() })
}

fn heading(chosen: &SelectedLevel, reading: &ReadingChoice) -> Vec<String> {
    let instance = reading.instance.as_ref();
    let mut lines = vec![
        format!("unstuck {}", env!("CARGO_PKG_VERSION")),
        format!("puzzle {} {}", instance.family(), chosen.name().replace('\n', " ")),
        format!("objective {}, encoding {}", instance.objective().name(), instance.encoding()),
    ];
    let terms = &reading.terms;
    if !instance.reading().is_empty() {
        lines.push(format!("reading {}", instance.reading()));
    }
    let option = |(name, value): (String, String)| format!("option {name} = {value}");
    lines.extend(terms.options().into_iter().map(option));
    lines.extend(Some(terms.rules()).filter(|it| !it.is_empty()).map(|it| format!("rules: {it}")));
    lines.extend(reading.left.iter().map(|name| format!("not in this formula: reading {name}")));
    lines.extend(instance.text().lines().map(|line| format!("| {line}")));
    lines
}

/// A formula or transition system that was written.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ExportAnswer {
    /// Of which question.
    #[serde(flatten)]
    terms: Terms,
    /// Readings of the rules of which the formula says nothing.
    left: Vec<String>,
    /// The name of the encoding.
    encoding: &'static str,
    /// The horizon; `null` where there is none.
    horizon: Option<u32>,
    /// What was written.
    written: ExportedFile,
    /// The exit code.
    exit: u8,
}

/// What was written of a piece.
#[derive(Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ExportedFile {
    /// The format.
    #[cfg_attr(test, schemars(extend("enum" = ["cnf", "dimspec", "pddl", "wcnf"])))]
    form: &'static str,
    /// The file; `null` for standard output.
    output: Option<String>,
    /// The map of a formula beside it.
    map: Option<String>,
    /// The domain of a task beside it.
    domain: Option<String>,
    /// The number of variables; a task has none.
    variables: usize,
    /// The number of clauses.
    clauses: usize,
    /// The number of clauses that were found missing and added.
    cuts: usize,
}

impl Ask for ExportCommand {
    type Fields = ExportAnswer;
    const NAME: &'static str = "export";

    fn asked(&self) -> Asked<'_> {
        Asked { levels: &self.levels, limits: Some(self.limits), output: self.shown }
    }

    fn parts(&self) -> usize {
        self.horizons().len()
    }

    fn check(&self, found: &'static SelectedLevels) -> Result<(), Failure> {
        let complete = "needs no cuts: its formulas are complete";
        let whole = self.format != Format::Cnf;
        let filter = &self.question.filter;
        let (is_task, bounded) = (self.format == Format::Pddl, "is for bounded questions");
        let idle = [
            ("horizon", !self.format.is_bounded() && self.question.horizon.is_some(), bounded),
            ("answer", whole && !self.answer.is_empty(), bounded),
            ("cuts", whole && self.cuts, bounded),
            ("without", is_task && !filter.filter().without.is_empty(), "is for formulas"),
            ("defining-only", is_task && filter.defining_only, "is for formulas"),
        ];
        applies::refuse_idle(idle, REMOVE)?;
        let demands =
            [Demand::moves("format", whole, REMOVE), Demand::no_moves("cuts", self.cuts, complete)];
        applies::check(found, demands)?;
        let objective = self.levels.reading.objective;
        self.question.check(objective, found)?;
        // A missing horizon is reported before anything is written.
        if self.format.is_bounded() && found.iter().flatten().any(|chosen| chosen.family.has_moves)
        {
            steps(true, self.horizons()[0])?;
        }
        *lock(&self.targets) = self.targets(found)?.into();
        Ok(())
    }

    fn ask(&'static self, subject: &Subject) -> Result<Answer<ExportAnswer>, Failure> {
        let target = lock(&self.targets).pop_front().expect("a file for each question");
        let (chosen, horizon) = (subject.chosen, self.horizons()[subject.part]);
        let reading = self.question.instance(self.levels.reading.objective, chosen)?;
        let piece = OutputFile { chosen, reading, horizon };
        let written = match self.format {
            Format::Cnf => self.bounded(&piece, &target, &subject.limits)?,
            Format::Dimspec | Format::Wcnf => self.transition(&piece, &target)?,
            Format::Pddl => self.task(&piece, &target)?,
        };
        let text = match &target {
            Target::File(path) if !subject.alone => {
                format!("{}: {}\n", path.display(), chosen.name())
            }
            _ => String::new(),
        };
        let note = piece.reading.note().map(|note| format!("{}: {note}", chosen.name()));
        let fields = ExportAnswer {
            terms: piece.reading.terms.clone(),
            encoding: piece.reading.instance.encoding(),
            left: piece.reading.left,
            horizon,
            written,
            exit: 0,
        };
        Ok(Answer { note, ..Answer::new(0, fields).saying(text).quietly("") })
    }
}

/// What is written into a file.
struct OutputFile<'a> {
    chosen: &'a SelectedLevel,
    reading: ReadingChoice,
    horizon: Option<u32>,
}

impl ExportCommand {
    /// The horizons that were asked for; none where there are none.
    fn horizons(&self) -> Vec<Option<u32>> {
        Horizons::each(self.question.horizon.as_ref())
    }

    /// Where each piece goes: a folder takes several.
    fn targets(&self, found: &SelectedLevels) -> Result<Vec<Target>, Failure> {
        let force = self.force.force;
        let target = self.output.clone();
        let horizons = self.horizons();
        if found.len() * horizons.len() == 1 {
            if target.is_none() && self.shown.json {
                return Err(Failure::usage("--json and the formula both want standard output")
                    .help("name a file for the formula: `-o FILE`"));
            }
            output::prepare(self.shown.json, force, &[("output", target.as_ref())])?;
            if let Some(Target::File(path)) = &target
                && let Some(beside) = self.beside(path)
            {
                output::writable(&beside, force)?;
            }
            return Ok(vec![target.unwrap_or(Target::Stdout)]);
        }
        let Some(Target::File(folder)) = target else {
            return Err(Failure::usage("several files cannot all go to standard output")
                .help("name a folder: `-o FOLDER`"));
        };
        let extension = self.format.name();
        let mut names = Vec::new();
        for chosen in found.iter().flatten() {
            let name = file_names::of_level(chosen);
            names.extend(horizons.iter().map(|horizon| match horizon {
                Some(horizon) if horizons.len() > 1 => format!("{name}-h{horizon}.{extension}"),
                _ => format!("{name}.{extension}"),
            }));
        }
        let paths = file_names::in_folder(&folder, &names, force)?;
        Ok(paths.into_iter().map(Target::File).collect())
    }

    /// What is written beside a file.
    fn beside(&self, path: &Path) -> Option<PathBuf> {
        match self.format {
            Format::Cnf => Some(map_path(path)),
            Format::Dimspec | Format::Wcnf => None,
            Format::Pddl => Some(named_beside(path, "domain.pddl")),
        }
    }

    /// What is written into a file, before it is known what that has.
    fn written(&self, target: &Target) -> ExportedFile {
        let (form, output) = (self.format.name(), target.path().map(shown));
        ExportedFile { form, output, ..ExportedFile::default() }
    }

    /// Writes a task for planners; on standard output the domain stands above it.
    fn task(&self, piece: &OutputFile<'_>, target: &Target) -> Result<ExportedFile, Failure> {
        let instance = piece.reading.instance.as_ref();
        let task = instance.planning(instance.objective()).map_err(|reason| {
            let family = instance.family();
            Failure::usage(format!("{family}: this is not written as a planning task: {reason}"))
        })?;
        let force = self.force.force;
        let comments: String = heading(piece.chosen, &piece.reading)
            .iter()
            .map(|line| format!("; {line}\n"))
            .collect();
        let domain = target.path().and_then(|path| self.beside(path));
        if let Some(domain) = &domain {
            output::write_file(domain, force, |out| out.write_all(task.domain.as_bytes()))?;
        }
        target.write(force, |out| {
            if domain.is_none() {
                out.write_all(task.domain.as_bytes())?;
            }
            write!(out, "{comments}{}", task.problem)
        })?;
        Ok(ExportedFile { domain: domain.as_deref().map(shown), ..self.written(target) })
    }

    fn transition(&self, piece: &OutputFile<'_>, target: &Target) -> Result<ExportedFile, Failure> {
        let instance = piece.reading.instance.as_ref();
        if let Some(reason) = instance.encoded().refusal() {
            return Err(Failure::usage(format!("{}: not written: {reason}", piece.chosen.name())));
        }
        let layers = instance.layers(&self.question.filter.filter()).ok_or_else(|| {
            Failure::usage(format!("{} has no time: there is no transition", instance.family()))
        })?;
        let mut comments = heading(piece.chosen, &piece.reading);
        comments
            .extend((1..).zip(&layers.names).map(|(n, name): (u32, _)| format!("v {n} {name}")));
        let mut clauses = layers.initial.len() + layers.goal.len() + layers.transition.len();
        let mut variables = layers.names.len();
        if let (Format::Wcnf, Some(horizon)) = (self.format, piece.horizon) {
            comments.push(format!("the same {variables} again for each of {horizon} steps"));
            let formula = MaxSat::new(&layers, horizon)
                .ok_or_else(|| Failure::usage("too many variables: use a smaller horizon"))?;
            variables = formula.variables();
            target.write(self.force.force, |out| {
                clauses = formula.write(out, comments.iter().cloned())?;
                Ok(())
            })?;
        } else {
            target.write(self.force.force, |out| {
                dimspec::write(out, &layers, comments.iter().cloned())
            })?;
        }
        Ok(ExportedFile { variables, clauses, ..self.written(target) })
    }

    fn bounded(
        &self,
        piece: &OutputFile<'_>,
        target: &Target,
        limits: &Limits,
    ) -> Result<ExportedFile, Failure> {
        let instance = piece.reading.instance.as_ref();
        let question = self.question.question(instance, piece.horizon)?;
        let mut formula = instance.formula_within(&question, limits).map_err(|error| {
            Failure::formula(&format!("{}: not written", piece.chosen.name()), &error)
        })?;
        let cuts = self.add_cuts(formula.as_mut(), limits)?;
        let mut comments = heading(piece.chosen, &piece.reading);
        comments.push(if instance.moves().is_some() {
            let unit = instance.measures().first(instance.objective());
            format!("question: solved within {}?", unit.count(question.horizon))
        } else {
            "question: solved?".to_owned()
        });
        let known = known_status(piece.chosen, instance, &question);
        comments.extend(known.map(|known| format!("status {known}")));
        comments.extend(rule_lines(formula.as_ref()));
        comments.extend(cuts);
        let names = (1..=formula.variables() as u32).map(|n| (n, formula.variable_name(n)));
        let names: Vec<(u32, String)> = names.collect();
        comments.extend(names.iter().map(|(number, name)| format!("v {number} {name}")));
        let force = self.force.force;
        if let Target::File(path) = target {
            let map = FormulaMap::new(piece.chosen, &piece.reading, &question, &names);
            let map = json::of_level("export", piece.chosen, map);
            output::write_file(&map_path(path), force, |out| writeln!(out, "{map}"))?;
        }
        target.write(force, |out| {
            dimacs::write_cnf(out, formula.as_ref(), comments.iter().cloned())
        })?;
        Ok(ExportedFile {
            map: target.path().map(|path| shown(&map_path(path))),
            variables: formula.variables(),
            clauses: formula.len(),
            cuts: formula.cuts().len(),
            ..self.written(target)
        })
    }

    /// Adds the clauses that the given answers, or a solver, show to be missing; a line for each.
    fn add_cuts(&self, formula: &mut dyn Formula, limits: &Limits) -> Result<Vec<String>, Failure> {
        for path in &self.answer {
            let refused = |message: String| Failure::usage(format!("{path}: {message}"));
            let said = dimacs::read_output(&input::answer(path)?);
            let SolverStatus::Sat(lits) = said.map_err(|error| refused(error.to_string()))? else {
                return Err(refused(
                    "this answer has no model, so no clause can come of it".into(),
                ));
            };
            let model = dimacs::checked_model(formula, &lits);
            formula.refine(&model.map_err(|error| refused(error.to_string()))?);
        }
        if self.cuts {
            let stop = complete(formula, &Varisat, limits);
            if let Some(stop) = stop.map_err(|error| Failure::usage(error.to_string()))? {
                output::say(format!(
                    "stopped by the {stop}: there may be models that need more cuts"
                ));
            }
        }
        let line = |(clause, name): &(usize, String)| format!("cut {name}: clause {}", clause + 1);
        Ok(formula.cuts().iter().map(line).collect())
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// The map beside a formula.
pub(crate) fn map_path(path: &Path) -> PathBuf {
    named_beside(path, "map.json")
}

fn named_beside(path: &Path, ending: &str) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{name}.{ending}"))
}

/// All that is needed to read a solver's answer to a question about a level.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FormulaMap {
    /// The level.
    pub text: String,
    /// Options of the family.
    pub options: BTreeMap<String, String>,
    /// What a shortest solution is shortest in.
    pub objective: String,
    /// The name of the encoding.
    pub encoding: String,
    /// The reading of the rules; empty where there is only one.
    pub reading: String,
    /// Readings of which the formula says nothing.
    pub left: Vec<String>,
    /// What each option of the family comes to.
    pub terms: Vec<Term>,
    /// None where there are no moves.
    pub horizon: Option<u32>,
    /// Rules that are left out.
    pub without: BTreeSet<String>,
    /// Whether all strengthening rules are.
    pub defining_only: bool,
    /// The number of each variable, by its name.
    pub variables: Map<String, Value>,
}

impl FormulaMap {
    fn new(
        chosen: &SelectedLevel,
        reading: &ReadingChoice,
        question: &Question,
        names: &[(u32, String)],
    ) -> Self {
        let instance = reading.instance.as_ref();
        Self {
            text: chosen.level.text.clone(),
            options: input::options(&chosen.options),
            objective: instance.objective().name().to_owned(),
            encoding: instance.encoding().to_owned(),
            reading: instance.reading().to_owned(),
            left: reading.left.clone(),
            terms: reading.terms.terms.clone(),
            horizon: instance.moves().is_some().then_some(question.horizon),
            without: question.filter.without.clone(),
            defining_only: question.filter.defining_only,
            variables: names.iter().map(|(number, name)| (name.clone(), json!(number))).collect(),
        }
    }
}

/// What a solver must answer, where that shows without one: the file records a solution, or the
/// family's bound is above the horizon. Rules that are left out may let more through, never less.
fn known_status(
    chosen: &SelectedLevel,
    instance: &dyn Instance,
    question: &Question,
) -> Option<String> {
    let objective = instance.objective();
    let mut recorded = chosen.level.solutions.iter().filter_map(|text| instance.verify(text).ok());
    if instance.moves().is_none() {
        return recorded.next().map(|_| "SATISFIABLE (the file records a solution)".to_owned());
    }
    if objective == Objective::Any {
        return None;
    }
    let unit = instance.measures().first(objective);
    let shortest = recorded.map(|plan| objective.primary(plan.tally())).min();
    if let Some(length) = shortest.filter(|&length| length <= question.horizon) {
        let length = unit.count(length);
        return Some(format!("SATISFIABLE (the file records a solution in {length})"));
    }
    let bound = instance.encoded().lower_bound().filter(|&bound| bound > question.horizon)?;
    let is_whole = question.filter == Filter::default();
    is_whole.then(|| format!("UNSATISFIABLE (no solution takes fewer than {})", unit.count(bound)))
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
