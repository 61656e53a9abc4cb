//! `unstuck decode`: a solver's answer to an exported question, back into moves.

use crate::answer::{Answer, json, text_boards};
use crate::commands::export::{self, FormulaMap, QuestionArgs, ReadingChoice};
use crate::driver::{Ask, Asked, Subject};
use crate::input::applies::{self, refused};
use crate::input::args::{
    ForceArgs, Given, LevelArgs, Named, PlainArgs, input_file, long_help, single_horizon,
};
use crate::input::{self, SelectedLevel, SelectedLevels};
use crate::pictures::PictureArgs;
use crate::terminal::failure::{Failure, INVALID};
use crate::terminal::output::{self, OutputArgs};
use crate::terminal::text::Text;
use clap::Args;
use serde::Serialize;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use unstuck::formula::dimacs::{self, SolverStatus};
use unstuck::instance::{Question, Term, Terms};
use unstuck::machine::lock;
use unstuck::registry;
use unstuck::report::{Field, SolutionReport};
use unstuck_encodings::Filter;
use unstuck_puzzles::{Objective, Options};

const LONG_HELP: &str = "\
FILE is the formula that `export` wrote (its map lies beside it and says
everything else), or the level, with the same objective, horizon and options as
were given to `export`. The answer is what the solver printed (`s` and `v`
lines) or MiniSat's result file. A model is checked against the formula and its
moves are replayed before anything is printed.

Exit codes: 0 solved; 1 the model is no solution; 2 wrong usage or bad input;
20 the solver says that there is no solution; 21 that there is none within the
horizon; 30 it did not decide, or there are readings of the rules that the
formula says nothing of.";

const EXAMPLES: &str = "\
Examples:
  cadical -q level.cnf > answer.txt; unstuck decode level.cnf answer.txt
  cadical -q level.cnf | unstuck decode level.xsb --horizon 20 -
  minisat level.cnf result.txt; unstuck decode level.cnf result.txt";

/// Turn an external solver's answer back into moves and replay them
#[derive(Args)]
#[command(after_help = EXAMPLES, after_long_help = long_help!(LONG_HELP, EXAMPLES))]
pub(crate) struct DecodeCommand {
    #[command(flatten)]
    level: Given<LevelArgs>,
    #[command(flatten)]
    given: Given<QuestionArgs>,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    pictures: PictureArgs,
    #[command(flatten)]
    force: ForceArgs,
    #[command(flatten)]
    plain: PlainArgs,
    /// File with the solver's answer; `-` is standard input
    #[arg(value_name = "ANSWER", value_parser = input_file)]
    answer: String,
    /// What was asked, once the level is known.
    #[arg(skip)]
    asked: Mutex<Option<(ReadingChoice, Question)>>,
}

/// A question that was asked of a solver.
struct SolverQuestion {
    chosen: SelectedLevel,
    reading: ReadingChoice,
    question: Question,
}

/// The level of the question that was asked.
impl Named for DecodeCommand {
    fn found(&self) -> Result<SelectedLevels, Failure> {
        let SolverQuestion { chosen, reading, question } = self.question()?;
        *lock(&self.asked) = Some((reading, question));
        Ok(vec![Ok(chosen)])
    }
}

impl Ask for DecodeCommand {
    type Fields = DecodedAnswer;
    const NAME: &'static str = "decode";

    fn asked(&self) -> Asked<'_> {
        Asked { levels: self, limits: None, output: self.output }
    }

    fn check(&self, _: &'static SelectedLevels) -> Result<(), Failure> {
        self.pictures.check()?;
        output::prepare(self.output.json, self.force.force, &self.pictures.outputs())
    }

    fn ask(&'static self, subject: &Subject) -> Result<Answer<DecodedAnswer>, Failure> {
        let (reading, question) = lock(&self.asked).take().expect("one question");
        let instance = reading.instance.as_ref();
        let path = &self.answer;
        let text = input::answer(path)?;
        let said = dimacs::read_output(&text)
            .map_err(|error| Failure::usage(format!("{path}: {error}")))?;
        let SolverStatus::Sat(lits) = said else {
            return Ok(undecided(&reading, &question, &said));
        };
        // A horizon that a map only claims must not take all memory.
        let formula = instance.formula_within(&question, &subject.limits);
        let mut formula = formula.map_err(|error| Failure::formula("not decoded", &error))?;
        let invalid = |message: String| Failure::new(INVALID, format!("{path}: {message}"));
        let model = dimacs::checked_model(formula.as_ref(), &lits)
            .map_err(|error| invalid(error.to_string()))?;
        if formula.refine(&model) > 0 {
            let names: Vec<_> = formula.cuts().iter().map(|(_, name)| name.as_str()).collect();
            let message =
                format!("the model is no solution, it needs the clauses: {}", names.join(", "));
            return Err(invalid(message)
                .help(format!("`unstuck export --answer {path}` writes the formula with them")));
        }
        let plan = formula.read(&model).map_err(|fault| invalid(fault.to_string()))?;
        let sentence = match instance.moves() {
            Some(_) => format!("solved in {}", instance.measures().length(plan.tally())),
            None => "solved".to_owned(),
        } + &reading.terms.bracketed();
        let chosen = subject.chosen;
        self.pictures.write_plans(self.force, chosen, instance, &[&plan], &sentence)?;
        let moves = instance.moves().is_some();
        let fields = DecodedAnswer {
            terms: instance.terms(),
            left: Vec::new(),
            verdict: "solved",
            exit: 0,
            horizon: Field::default(),
            solution: Some(SolutionReport::of(&plan, moves)),
        };
        let mut text = Text::default();
        match instance.picture(Some(&plan), self.plain.style()).filter(|_| !moves) {
            Some(drawing) => text.push_drawing(&drawing),
            None => text.push_str(&format!("{}\n", plan.text())),
        }
        if !moves {
            text.push_str(&text_boards::fact_lines(plan.facts()));
        }
        text.push_str(&format!("{sentence}\n"));
        Ok(Answer::new(0, fields).saying(text).quietly(format!("{}\n", plan.text())))
    }
}

impl DecodeCommand {
    /// The question: from the map of a formula, or from a level and the other arguments.
    fn question(&self) -> Result<SolverQuestion, Failure> {
        let file = &self.level.file;
        if let Some(map) = map_of(Path::new(file)) {
            return match self.level.words.iter().chain(&self.given.words).next() {
                None => from_map(&map),
                Some(given) => {
                    let why = "already given by the formula's map";
                    Err(refused(given, why, "remove this option, or name the level file"))
                }
            };
        }
        if file.ends_with(".cnf") {
            let map = export::map_path(Path::new(file));
            let message = format!("{}: the map of the formula is missing", map.display());
            return Err(Failure::usage(message).help(
                "`export` writes it beside the formula; or name the level, and ask as you did there",
            ));
        }
        let is_system = |text: &str| text.lines().any(|line| line.starts_with("i cnf "));
        let what = match file {
            _ if file.ends_with(".wcnf") => Some("a question for MaxSAT"),
            _ if input::source(file).is_ok_and(|it| is_system(&it.text)) => {
                Some("a transition system")
            }
            _ => None,
        };
        if let Some(what) = what {
            let message = format!("{file}: {what}: an answer about it has no map");
            return Err(Failure::usage(message)
                .help("`export --horizon N` asks about a formula that has one"));
        }
        let found = vec![Ok(self.level.single()?)];
        let objective = self.level.reading.objective;
        self.given.check(objective, &found)?;
        applies::check(&found, self.pictures.demands())?;
        let chosen = found.into_iter().flatten().next().expect("one level was put in");
        let reading = self.given.instance(objective, &chosen)?;
        let horizon = single_horizon(self.given.horizon.as_ref())?;
        let question = self.given.question(reading.instance.as_ref(), horizon)?;
        Ok(SolverQuestion { chosen, reading, question })
    }
}

/// The solver found no solution, or did not decide.
fn undecided(
    reading: &ReadingChoice,
    question: &Question,
    said: &SolverStatus,
) -> Answer<DecodedAnswer> {
    let instance = reading.instance.as_ref();
    let rules = reading.terms.against();
    let (word, sentence, code) = match said {
        SolverStatus::Unsat if instance.moves().is_none() => {
            let sentence = format!("the solver says: no solution{rules}; nothing was checked");
            ("unsolvable", sentence, 20)
        }
        SolverStatus::Unsat => {
            let unit = instance.measures().first(instance.objective());
            let within = unit.count(question.horizon);
            let sentence =
                format!("the solver says: no solution within {within}{rules}; nothing was checked");
            ("no-solution-within", sentence, 21)
        }
        _ => ("unknown", "the solver did not decide".to_owned(), 30),
    };
    // One formula is one reading: with others left it is no answer to the question of the level.
    let left = if word == "unknown" { Vec::new() } else { reading.left.clone() };
    let (word, sentence, code) = match left.is_empty() {
        true => (word, sentence, code),
        false => {
            ("unknown", format!("{sentence}; readings that are left: {}", left.join(", ")), 30)
        }
    };
    let horizon = instance.moves().is_some().then_some(question.horizon).into();
    let terms = reading.terms.clone();
    let fields = DecodedAnswer { terms, left, verdict: word, exit: code, horizon, solution: None };
    Answer::new(code, fields).saying(format!("{sentence}\n"))
}

/// The map of a formula: the file itself, or the one beside it.
fn map_of(file: &Path) -> Option<PathBuf> {
    if file.to_string_lossy().ends_with(".map.json") {
        return Some(file.to_owned());
    }
    let beside = export::map_path(file);
    beside.is_file().then_some(beside)
}

/// What a solver said.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct DecodedAnswer {
    /// Of which question.
    #[serde(flatten)]
    terms: Terms,
    /// Readings of the rules that may have a solution where this one has none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left: Vec<String>,
    /// The verdict in one word.
    #[cfg_attr(test, schemars(extend("enum" = ["solved", "unsolvable", "no-solution-within", "unknown"])))]
    verdict: &'static str,
    /// The exit code.
    exit: u8,
    /// The horizon of the formula, where there is no solution; `null` where there are no moves.
    #[serde(skip_serializing_if = "Field::is_missing")]
    horizon: Field<u32>,
    /// The solution, replayed.
    #[serde(skip_serializing_if = "Option::is_none")]
    solution: Option<SolutionReport>,
}

fn from_map(path: &Path) -> Result<SolverQuestion, Failure> {
    let name = path.display().to_string();
    let broken = |what: &str| {
        Failure::usage(format!("{name}: {what}"))
            .help("name the level file instead, with the options that were given to `export`")
    };
    let source = input::source(&name)?;
    let map: Value = serde_json::from_str(&source.text).map_err(|_| broken("no JSON"))?;
    if map["schema"] != json::SCHEMA {
        return Err(broken("written by another version of unstuck"));
    }
    let family = map["puzzle"].as_str().and_then(registry::by_name);
    let family = family.ok_or_else(|| broken("no family"))?;
    let map: FormulaMap = json::read(&map).map_err(|error| broken(&error.to_string()))?;
    let given = map.options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let options =
        Options::new(family.options, given).map_err(|error| Failure::parse(&name, &error, ""))?;
    let chosen = SelectedLevel::of_text(&name, family, options, &map.text)?;
    let instances = chosen.instances(Objective::from_name(&map.objective))?;
    let named = Some(map.reading.as_str()).filter(|reading| !reading.is_empty());
    let mut reading = export::of_reading(instances, named)?;
    let instance = reading.instance.as_ref();
    let unasked = |terms: &[Term]| -> Vec<Term> {
        terms.iter().map(|term| Term { asked: false, ..term.clone() }).collect()
    };
    if unasked(&map.terms) != unasked(&reading.terms.terms) {
        return Err(broken("its level and options make other rules than it says"));
    }
    (reading.left, reading.terms.terms) = (map.left, map.terms);
    let horizon = match map.horizon {
        Some(horizon) => horizon,
        None if instance.moves().is_none() => 0,
        None => return Err(broken("no horizon in it")),
    };
    let filter = Filter { defining_only: map.defining_only, without: map.without };
    let question = Question { filter, ..Question::within(horizon) };
    Ok(SolverQuestion { chosen, reading, question })
}
