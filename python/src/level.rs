//! Levels, and what is asked about one. Answers are the JSON of the program.

use super::fault::{illegal, unfit, unreadable};
use super::waiting::{limits, working};
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use unstuck::instance::readings::{self, first_open};
use unstuck::instance::{Instance, Terms};
use unstuck::puzzles::constraints::Constraints;
use unstuck::puzzles::{FrameOptions, Objective, Options, ParseError, Style, Values};
use unstuck::questions::analysis::Analysis;
use unstuck::questions::diagnose::diagnose;
use unstuck::questions::enumerate::enumerate;
use unstuck::questions::hint::{HintLevel, hint};
use unstuck::questions::reasons::reason;
use unstuck::registry::{self, Family, ParsedPuzzle};
use unstuck::report::{LevelAnswer, ReplayAnswer, sentences};
use unstuck::solve::{EngineChoice, Request, solve_readings};

/// Time for finding a reason that a person can see.
const REASON_TIME: Duration = Duration::from_secs(3);

/// A level that has been read.
#[pyclass(frozen, module = "unstuck._native")]
pub(crate) struct Level {
    pub(crate) family: &'static Family,
    puzzle: Arc<ParsedPuzzle>,
    #[pyo3(get)]
    text: String,
    #[pyo3(get)]
    title: Option<String>,
    /// Its number in its text, from 1.
    #[pyo3(get)]
    number: usize,
    /// The line at which it begins, from 1.
    #[pyo3(get)]
    line: usize,
    #[pyo3(get)]
    options: BTreeMap<String, String>,
    #[pyo3(get)]
    solutions: Vec<String>,
    #[pyo3(get)]
    warnings: Vec<String>,
}

/// The levels of a text; `skips` leaves out those that are broken.
#[pyfunction]
pub(crate) fn read(
    py: Python<'_>,
    text: &str,
    family: Option<&str>,
    extension: Option<&str>,
    options: BTreeMap<String, String>,
    skips: bool,
) -> PyResult<Vec<Level>> {
    let fault = |error: ParseError| unreadable(py, &error);
    let family = match family {
        Some(name) => registry::by_name(name)
            .ok_or_else(|| unfit(py, format!("there is no family `{name}`")))?,
        None => guessed(text, extension).map_err(fault)?,
    };
    let given = options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let read_with = Options::new(family.options, given).map_err(fault)?;
    let levels = py.detach(|| (family.read)(text, &read_with)).map_err(fault)?;
    let mut read = Vec::new();
    for (number, level) in (1..).zip(levels) {
        let puzzle = match level.puzzle {
            Ok(puzzle) => puzzle.into(),
            Err(_) if skips => continue,
            Err(error) => return Err(fault(error)),
        };
        read.push(Level {
            family,
            puzzle,
            text: level.text,
            title: level.title,
            number,
            line: level.line,
            options: options.clone(),
            solutions: level.solutions,
            warnings: level.warnings.iter().map(ToString::to_string).collect(),
        });
    }
    Ok(read)
}

/// The only family that a text can belong to.
fn guessed(text: &str, extension: Option<&str>) -> Result<&'static Family, ParseError> {
    let families = registry::guess(extension, text);
    match families.as_slice() {
        [family] => Ok(family),
        [] => Err(ParseError::whole("no family reads this text").help("name the family")),
        families => {
            let names: Vec<_> = families.iter().map(|family| family.name).collect();
            let names = names.join(", ");
            let message = format!("it may be a level of several families: {names}");
            Err(ParseError::whole(message).help("name the family"))
        }
    }
}

/// The families with their objectives and options, as JSON.
#[pyfunction]
pub(crate) fn families() -> String {
    let families = registry::families().into_iter().map(|family| {
        let options = family.options.iter().map(|option| {
            let values = match option.values {
                Values::Flag => json!(["true", "false"]),
                Values::Choice(words) => json!(words),
                Values::Number(least, most) => json!({ "minimum": least, "maximum": most }),
                Values::Text(_) => Value::Null,
            };
            let (default, help) = (option.default, option.help);
            (option.name, json!({ "default": default, "help": help, "values": values }))
        });
        let objectives: Vec<_> = family.objectives.iter().map(|it| it.name()).collect();
        let options: BTreeMap<_, _> = options.collect();
        let (moves, about) = (family.has_moves, family.about);
        let said =
            json!({ "about": about, "moves": moves, "objectives": objectives, "options": options });
        (family.name, said)
    });
    json!(families.collect::<BTreeMap<_, _>>()).to_string()
}

/// An objective by its name.
pub(crate) fn objective(
    py: Python<'_>,
    family: &Family,
    name: Option<&str>,
) -> PyResult<Objective> {
    objective_of(family, name).map_err(|why| unfit(py, why))
}

/// The same, with why there is none.
pub(crate) fn objective_of(family: &Family, name: Option<&str>) -> Result<Objective, String> {
    let Some(name) = name else { return Ok(family.objectives[0]) };
    Objective::from_name(name).filter(|it| family.objectives.contains(it)).ok_or_else(|| {
        let known: Vec<_> = family.objectives.iter().map(|it| it.name()).collect();
        let known = known.join(", ");
        format!("{} has no objective `{name}`; it has: {known}", family.name)
    })
}

impl Level {
    /// Its readings under an objective: at least one.
    pub(crate) fn readings(&self, objective: Objective) -> Vec<Box<dyn Instance>> {
        self.puzzle.instances(objective).expect("the family has the objective")
    }

    /// The readings under the name of an objective, after some moves or in a position that is drawn:
    /// those under which the moves are legal.
    fn continued(
        &self,
        py: Python<'_>,
        named: Option<&str>,
        moves: Option<&str>,
    ) -> PyResult<Vec<Box<dyn Instance>>> {
        let readings = self.readings(objective(py, self.family, named)?);
        let Some(moves) = moves else { return Ok(readings) };
        readings::continued(readings, moves).map_err(|error| illegal(py, error))
    }

    /// An answer as the program prints it: what it is about, and what was asked.
    fn answered(&self, terms: Value, after: Option<&str>, answer: Value, begun: Instant) -> String {
        let mut all = json!({
            "number": self.number,
            "title": self.title,
            "puzzle": self.family.name,
            "id": self.puzzle.identity(),
            "after": after,
            "wishes": null,
        });
        let fields = all.as_object_mut().expect("an object");
        for part in [terms, answer] {
            fields.extend(part.as_object().cloned().unwrap_or_default());
        }
        fields.entry("seconds").or_insert_with(|| begun.elapsed().as_secs_f64().into());
        all.to_string()
    }
}

/// The game of a reading.
fn analysis(instance: &dyn Instance) -> Result<Analysis<'_>, String> {
    Analysis::new(instance, &Constraints::default())
        .ok_or_else(|| sentences::without_moves(instance))
}

/// The question of an answer.
fn terms(instance: &dyn Instance) -> Value {
    json!(Terms { objective: instance.asked(), ..instance.terms() })
}

type Answered = (String, bool);

#[pymethods]
impl Level {
    #[getter]
    fn family(&self) -> &'static str {
        self.family.name
    }

    #[getter]
    fn id(&self) -> String {
        self.puzzle.identity()
    }

    #[getter]
    fn has_moves(&self) -> bool {
        self.family.has_moves
    }

    #[getter]
    fn objectives(&self) -> Vec<&'static str> {
        self.family.objectives.iter().map(|objective| objective.name()).collect()
    }

    /// The level in each format that is written, by its name.
    fn formats(&self) -> BTreeMap<&'static str, String> {
        self.puzzle.formats().into_iter().map(|format| (format.name, format.text)).collect()
    }

    /// The verdict.
    #[pyo3(signature = (
        *, objective, engine, after, horizon, solutions, states, timeout, memory, threads
    ))]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn solve(
        &self,
        py: Python<'_>,
        objective: Option<&str>,
        engine: &str,
        after: Option<&str>,
        horizon: Option<u32>,
        solutions: usize,
        states: Option<u64>,
        timeout: Option<f64>,
        memory: Option<u64>,
        threads: Option<usize>,
    ) -> PyResult<Answered> {
        let readings = self.continued(py, objective, after)?;
        let engine = EngineChoice::from_name(engine)
            .ok_or_else(|| unfit(py, format!("there is no engine `{engine}`")))?;
        let limits = limits(py, timeout, memory)?;
        let mut request = Request::default()
            .with_engine(engine)
            .with_horizon(horizon)
            .with_solutions(solutions)
            .with_states(states);
        request.threads = threads.unwrap_or(request.threads).max(1);
        let (solved, interrupted) = working(py, |flag| {
            let request = request.with_limits(limits.with_flag(flag));
            solve_readings(&readings, &request, &|_| {})
        })?;
        let outcome = solved.map_err(|error| unfit(py, error))?.pop().expect("there is a reading");
        let about = readings.iter().find(|it| it.reading() == outcome.reading);
        let instance = about.expect("an outcome is about one of the readings").as_ref();
        let asked = json!({ "objective": instance.objective().name() });
        let answer = json!(LevelAnswer::of(instance, &outcome).with_stages(&outcome));
        Ok((self.answered(asked, after, answer, Instant::now()), interrupted))
    }

    /// What to do next.
    #[pyo3(signature = (*, after, degree, steps, objective, timeout, memory))]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn hint(
        &self,
        py: Python<'_>,
        after: Option<&str>,
        degree: &str,
        steps: usize,
        objective: Option<&str>,
        timeout: Option<f64>,
        memory: Option<u64>,
    ) -> PyResult<Answered> {
        let begun = Instant::now();
        let degree = HintLevel::ALL
            .into_iter()
            .find(|it| it.name() == degree)
            .ok_or_else(|| unfit(py, format!("there is no degree `{degree}`")))?;
        let steps = match degree {
            HintLevel::Solvable => 0,
            HintLevel::Plan => usize::MAX,
            _ => steps,
        };
        let readings = self.continued(py, objective, after)?;
        let starts = self.continued(py, objective, None)?;
        let last = after.and_then(|moves| last_push(starts.last()?.as_ref(), moves));
        let limits = limits(py, timeout, memory)?;
        let (answered, interrupted) = working(py, |flag| {
            let limits = limits.with_flag(flag);
            first_open(&readings, |instance| {
                let mut asked = analysis(instance)?;
                let mut answer = hint(&mut asked, last.as_deref(), steps, &limits);
                let lost = answer.solvable == Some(false);
                let start = starts.iter().find(|it| it.reading() == instance.reading());
                if let (true, Some(_), Some(start)) = (lost, after, start) {
                    let mut start = analysis(start.as_ref())?;
                    answer.start_solvable = hint(&mut start, None, 0, &limits).solvable;
                }
                let atlas = asked.atlas.as_ref();
                let answer = answer.limited(degree, after.is_some(), atlas);
                Ok(((terms(instance), json!(answer)), lost))
            })
        })?;
        let (terms, answer) = answered.map_err(|error: String| unfit(py, error))?;
        Ok((self.answered(terms, after, answer, begun), interrupted))
    }

    /// Where a game went wrong.
    #[pyo3(signature = (moves, *, objective, timeout, memory))]
    fn diagnose(
        &self,
        py: Python<'_>,
        moves: &str,
        objective: Option<&str>,
        timeout: Option<f64>,
        memory: Option<u64>,
    ) -> PyResult<Answered> {
        let begun = Instant::now();
        let readings = self.continued(py, objective, None)?;
        let limits = limits(py, timeout, memory)?;
        let (answered, interrupted) = working(py, |flag| {
            let limits = limits.with_flag(flag);
            let (instance, mut asked, game) = first_open(&readings, |instance| {
                let mut asked = analysis(instance).map_err(Unasked::Unfit)?;
                let game = asked.atlas.play(moves).map_err(Unasked::Unreadable)?;
                let stops = game.stop.is_some();
                Ok(((instance, asked, game), stops))
            })?;
            let mut answer = diagnose(&mut asked, &game, &limits);
            let soon = limits.within(REASON_TIME);
            answer.reason = reason(instance, &answer, &Constraints::default(), &soon);
            Ok((terms(instance), json!(answer)))
        })?;
        let (terms, answer) = answered.map_err(|error| match error {
            Unasked::Unfit(why) => unfit(py, why),
            Unasked::Unreadable(error) => unreadable(py, &error),
        })?;
        Ok((self.answered(terms, None, answer, begun), interrupted))
    }

    /// How many shortest solutions there are, and some of them.
    #[pyo3(signature = (*, count, after, objective, timeout, memory))]
    fn enumerate(
        &self,
        py: Python<'_>,
        count: usize,
        after: Option<&str>,
        objective: Option<&str>,
        timeout: Option<f64>,
        memory: Option<u64>,
    ) -> PyResult<Answered> {
        let begun = Instant::now();
        let readings = self.continued(py, objective, after)?;
        let limits = limits(py, timeout, memory)?;
        let (answered, interrupted) = working(py, |flag| {
            let limits = limits.with_flag(flag);
            first_open(&readings, |instance| {
                let mut asked = analysis(instance)?;
                let answer = enumerate(&mut asked, count, &limits);
                let lost = answer.solvable == Some(false);
                Ok(((terms(instance), json!(answer)), lost))
            })
        })?;
        let (terms, answer) = answered.map_err(|error: String| unfit(py, error))?;
        Ok((self.answered(terms, after, answer, begun), interrupted))
    }

    /// Where moves lead, judged by the rules; with the stages where they are wanted, drawn in the
    /// style.
    #[pyo3(signature = (moves, *, style, frames, every_move))]
    fn replay(
        &self,
        py: Python<'_>,
        moves: &str,
        style: &str,
        frames: bool,
        every_move: bool,
    ) -> PyResult<String> {
        let begun = Instant::now();
        let style = self::style(py, style)?;
        let shots = frames.then(|| FrameOptions::all(every_move, style));
        let readings = self.readings(self.family.objectives[0]);
        let replayed = first_open(&readings, |instance| {
            let report = instance.replay(moves, style, shots)?;
            let refused = report.verdict_name() == "invalid";
            Ok((json!(ReplayAnswer::of(instance, &report)), refused))
        });
        let answer = replayed.map_err(|error: ParseError| unreadable(py, &error))?;
        Ok(self.answered(Value::Null, None, answer, begun))
    }

    /// The board; none in a style that the family does not know.
    fn draw(&self, py: Python<'_>, style: &str) -> PyResult<Option<String>> {
        let style = self::style(py, style)?;
        Ok(self.readings(self.family.objectives[0])[0].picture(None, style))
    }
}

/// How boards are drawn.
pub(crate) fn style(py: Python<'_>, name: &str) -> PyResult<Style> {
    match name {
        "svg" => Ok(Style::Svg),
        "text" => Ok(Style::Plain),
        other => Err(unfit(py, format!("there is no style `{other}`"))),
    }
}

/// Why nothing came out of a question about a game.
enum Unasked {
    Unfit(String),
    Unreadable(ParseError),
}

/// What was pushed last, in words.
fn last_push(start: &dyn Instance, moves: &str) -> Option<String> {
    let mut asked = analysis(start).ok()?;
    let game = asked.atlas.play(moves).ok()?;
    let last = game.moves.iter().rev().find_map(|made| made.action)?;
    Some(asked.atlas.action_name(last).to_owned())
}
