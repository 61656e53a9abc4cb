//! The answer to the question of a level, as an object for programs.

use super::{Field, facts, sentences};
use crate::instance::{DeadPieces, Instance, Term, Verified};
use crate::ledger;
use crate::limits::Stop;
use crate::machine::peak_memory;
use crate::search::SearchStats;
use crate::solve::{HorizonStats, Outcome, Verdict};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use unstuck_puzzles::patterns::PatternCoord;
use unstuck_puzzles::{Objective, Tally};

/// The words for verdicts, and for having none.
#[cfg(feature = "schema")]
const VERDICTS: [&str; 6] =
    ["solved", "unsolvable", "no-solution-within", "unknown", "error", "crashed"];

/// What came out. Of what is missing nothing is known; what is `null` was not asked, or is not there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, ts_rs::TS))]
#[cfg_attr(feature = "schema", ts(optional_fields = nullable))]
#[serde(default)]
pub struct LevelAnswer {
    /// The reading of the rules; empty where there is only one.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub reading: Field<String>,
    /// What each option of the family comes to.
    #[serde(skip_serializing_if = "Field::is_missing")]
    #[cfg_attr(feature = "schema", ts(skip))]
    pub terms: Field<Vec<Term>>,
    /// The verdict in one word; `error` and `crashed` say that there is none.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "schema", schemars(extend("enum" = VERDICTS)), ts(type = "VerdictName"))]
    pub verdict: String,
    /// The exit code of the level alone.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub exit: Field<u8>,
    /// Why nothing came out.
    #[serde(skip_serializing_if = "Field::is_missing")]
    #[cfg_attr(feature = "schema", ts(skip))]
    pub error: Field<ErrorReport>,
    /// The verdict as a sentence.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub sentence: Field<String>,
    /// The horizon within which there is no solution, where that is the verdict.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub horizon: Field<u32>,
    /// The limit that struck.
    #[serde(skip_serializing_if = "Field::is_missing")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Stop>"), ts(as = "Option<Stop>"))]
    pub stopped_by: Field<String>,
    /// The best solution.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub solution: Field<SolutionReport>,
    /// No solution is shorter, in what the objective counts first.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub lower: Field<u32>,
    /// The length of the best solution, in the same.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub upper: Field<u32>,
    /// Whether the solution is shortest.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub optimal: Field<bool>,
    /// Whether its tie-break is least, too.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub tie_break_optimal: Field<bool>,
    /// Whether a certificate was written and checked.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub certified: Field<bool>,
    /// Whether all or a part of it was read from a store of earlier runs, and not found in this one;
    /// not there where all was found.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub from_store: Field<bool>,
    /// What showed the verdict.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub shown_by: Field<String>,
    /// The name of the encoding.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub encoding: Field<String>,
    /// What solvers were asked.
    #[serde(skip_serializing_if = "Field::is_missing")]
    #[cfg_attr(feature = "schema", ts(skip))]
    pub horizons: Field<Vec<HorizonReport>>,
    /// What explicit search did.
    #[serde(skip_serializing_if = "Field::is_missing")]
    #[cfg_attr(feature = "schema", ts(skip))]
    pub search: Field<SearchCounts>,
    /// Wall-clock time.
    #[serde(skip_serializing_if = "Field::is_missing", deserialize_with = "super::seconds")]
    pub seconds: Field<f64>,
    /// The most memory that the process has held, where the system says so.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub peak_memory_bytes: Field<u64>,
    /// Pieces that can reach no goal, and a drawing of them.
    #[serde(skip_serializing_if = "Field::is_missing")]
    #[cfg_attr(feature = "schema", ts(skip))]
    pub lost: Field<LostPieces>,
    /// A number, or a text where it is larger than others can read.
    #[serde(skip_serializing_if = "Field::is_missing")]
    #[cfg_attr(feature = "schema", schemars(extend("type" = ["integer", "string", "null"])))]
    #[cfg_attr(feature = "schema", ts(skip))]
    pub optimal_plans: Field<Value>,
    /// Whether there is no other shortest solution; `null` where that is not known.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub unique: Field<bool>,
    /// Whether there are no solutions beside these.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub all_found: Field<bool>,
    /// Further solutions, of families without moves.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub others: Field<Vec<SolutionReport>>,
    /// Which rules of the game act in shortest solutions.
    #[serde(skip_serializing_if = "Field::is_missing")]
    #[cfg_attr(feature = "schema", ts(skip))]
    pub rules: Field<RuleUse>,
    /// What comes of the solutions that the file records.
    #[serde(skip_serializing_if = "Field::is_missing")]
    #[cfg_attr(feature = "schema", ts(skip))]
    pub recorded: Field<Vec<RecordedReport>>,
    /// Why there is no certificate, where one was wanted.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub not_certified: Field<String>,
    /// What the stages of the schedule did; not kept.
    #[serde(skip_serializing_if = "Field::is_missing")]
    #[cfg_attr(feature = "schema", ts(skip))]
    pub stages: Field<Vec<StageReport>>,
}

/// Why nothing came out: what is wrong, the way out, and where it is in the file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct ErrorReport {
    /// What is wrong.
    pub message: String,
    /// The way out.
    #[serde(rename = "help")]
    pub way_out: Option<String>,
    /// The line, from 1.
    #[cfg_attr(feature = "schema", schemars(extend("minimum" = 1)))]
    pub line: Option<usize>,
    /// The column, from 1.
    #[cfg_attr(feature = "schema", schemars(extend("minimum" = 1)))]
    pub column: Option<usize>,
}

/// A solution.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, ts_rs::TS))]
pub struct SolutionReport {
    /// The moves, or what a solution without moves is written as.
    pub moves: String,
    /// Its length, in families with moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub length: Option<Length>,
    /// Facts about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(skip))]
    pub facts: Option<Map<String, Value>>,
}

/// What comes of a solution that the file records.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecordedReport {
    /// The solution.
    pub moves: String,
    /// Whether it is right, and whether it is shortest, in words.
    pub verdict: String,
}

/// The length of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Length {
    /// Moves, pushes among them.
    pub moves: u32,
    /// Pushes.
    pub pushes: u32,
}

/// What a solver was asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HorizonReport {
    /// The horizon.
    pub horizon: u32,
    /// The cap on the tie-break, if there was one.
    pub tie_break_cap: Option<u32>,
    /// Number of variables.
    pub variables: usize,
    /// Number of clauses.
    pub clauses: usize,
    /// Conflicts, where the solver reports them.
    pub conflicts: Option<u64>,
    /// Rounds in which clauses were found missing and added.
    pub rounds: usize,
    /// `sat`, `unsat` or the limit that struck.
    pub answer: String,
    /// Wall-clock time of building and solving.
    pub seconds: f64,
}

/// What explicit search did.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SearchCounts {
    /// States whose moves were looked at.
    pub expanded: u64,
    /// States that are known.
    pub states: u64,
}

/// Pieces that can reach no goal, even alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LostPieces {
    /// Where they are at the start, by row and column from 0.
    pub pieces: Vec<PatternCoord>,
    /// The board with these alone.
    pub drawing: String,
}

/// Which rules of a game act in the shortest solutions of a level, by their lines.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, ts_rs::TS))]
pub struct RuleUse {
    /// Those that act in one of them, or before the first move.
    pub acting: BTreeSet<usize>,
    /// All others.
    pub idle: BTreeSet<usize>,
}

/// What a stage of the schedule did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StageReport {
    /// The lane of the schedule.
    pub lane: String,
    /// The engine.
    pub engine: String,
    /// When it began, in seconds from the beginning of the run.
    pub begun: f64,
    /// How long it worked.
    pub seconds: f64,
    /// What it counted: states that were expanded, nodes, conflicts, by engine.
    pub work: u64,
    /// The limit that ended it; `null` where it had nothing left to say.
    #[cfg_attr(feature = "schema", schemars(with = "Option<Stop>"))]
    pub stopped_by: Option<String>,
}

impl LevelAnswer {
    /// What came out. What was not asked is `null`: bounds where nothing is counted, the tie-break
    /// where there is none, optimality where there is no solution. Stages are left out.
    pub fn of(instance: &dyn Instance, outcome: &Outcome) -> Self {
        let objective = instance.objective();
        let counted = objective != Objective::Any;
        let has_tie = objective.first() != objective;
        let best = outcome.best.as_ref();
        let plan = best.filter(|_| counted);
        let has_moves = instance.moves().is_some();
        let horizon = match outcome.verdict {
            Verdict::NoSolutionWithin(horizon) => Some(horizon),
            _ => None,
        };
        let answer = Self {
            reading: outcome.reading.to_owned().into(),
            terms: instance.terms().terms.into(),
            verdict: outcome.verdict.name().to_owned(),
            exit: outcome.verdict.exit_code().into(),
            sentence: sentences::verdict(instance, outcome).into(),
            horizon: horizon.into(),
            stopped_by: stop_name(outcome.stop).into(),
            solution: best.map(|plan| SolutionReport::of(plan, has_moves)).into(),
            lower: counted.then_some(outcome.lower).into(),
            upper: plan.map(|plan| objective.primary(plan.tally())).into(),
            optimal: plan.map(|_| outcome.optimal).into(),
            tie_break_optimal: plan.filter(|_| has_tie).map(|_| outcome.tie_optimal).into(),
            certified: false.into(),
            shown_by: outcome.shown.as_ref().map(ToString::to_string).into(),
            encoding: instance.encoding().to_owned().into(),
            horizons: outcome.asked.iter().map(HorizonReport::from).collect::<Vec<_>>().into(),
            search: outcome.stats.map(SearchCounts::from).into(),
            seconds: outcome.elapsed.as_secs_f64().into(),
            peak_memory_bytes: peak_memory().into(),
            ..Self::default()
        };
        let answer = match outcome.lost.first() {
            Some(lost) => Self { lost: LostPieces::from(lost).into(), ..answer },
            None => answer,
        };
        let Some(solutions) = &outcome.solutions else { return answer };
        let unique = match (solutions.others.is_empty(), solutions.complete) {
            (false, _) => Some(false),
            (true, true) => best.map(|_| true),
            (true, false) => None,
        };
        let others = solutions.others.iter().map(|plan| SolutionReport::of(plan, false));
        Self {
            unique: unique.into(),
            all_found: solutions.complete.into(),
            others: others.collect::<Vec<_>>().into(),
            ..answer
        }
    }

    /// The same with what the stages of the schedule did, in the order of their ends.
    pub fn with_stages(self, outcome: &Outcome) -> Self {
        let stages = outcome.stages.iter().map(StageReport::from);
        Self { stages: stages.collect::<Vec<_>>().into(), ..self }
    }
}

impl SolutionReport {
    /// A plan, with its length where the family `has_moves`.
    pub fn of(plan: &Verified, has_moves: bool) -> Self {
        let facts = Some(plan.facts()).filter(|facts| !facts.is_empty()).map(facts);
        let length = has_moves.then(|| plan.tally().into());
        Self { moves: plan.text().to_owned(), length, facts }
    }
}

impl From<Tally> for Length {
    fn from(tally: Tally) -> Self {
        Self { moves: tally.moves, pushes: tally.pushes }
    }
}

impl From<&HorizonStats> for HorizonReport {
    fn from(asked: &HorizonStats) -> Self {
        Self {
            horizon: asked.horizon,
            tie_break_cap: asked.secondary,
            variables: asked.variables,
            clauses: asked.clauses,
            conflicts: asked.conflicts,
            rounds: asked.rounds,
            answer: asked.answer.to_owned(),
            seconds: asked.elapsed.as_secs_f64(),
        }
    }
}

impl From<SearchStats> for SearchCounts {
    fn from(stats: SearchStats) -> Self {
        Self { expanded: stats.expanded, states: stats.states }
    }
}

impl From<&DeadPieces> for LostPieces {
    fn from(lost: &DeadPieces) -> Self {
        Self { pieces: lost.pieces.clone(), drawing: lost.text.clone() }
    }
}

impl From<&ledger::StageReport> for StageReport {
    fn from(stage: &ledger::StageReport) -> Self {
        Self {
            lane: stage.lane.to_owned(),
            engine: stage.engine.to_owned(),
            begun: stage.begun.as_secs_f64(),
            seconds: stage.elapsed.as_secs_f64(),
            work: stage.work,
            stopped_by: stop_name(stage.stop),
        }
    }
}

fn stop_name(stop: Option<Stop>) -> Option<String> {
    stop.map(|stop| stop.name().to_owned())
}
