//! Answers to questions as objects for programs.
//!
//! Costs are in what the objective counts first. What is `null` is not known, or was not wanted.

use super::diagnose::{Diagnosis, JudgedMove, MoveClass};
use super::difficulty::Difficulty;
use super::enumerate::{CommonAction, Enumeration};
use super::explain::{Core, Explanation};
use super::forced::{DeducedFact, DeductionMethod, ForcedFacts};
use super::hint::{Hint, HintLevel, piece_of};
use super::needed::{Change, LevelFacts, NecessityReport, PartReport};
use super::reasons::Reason;
use super::sentences;
use crate::atlas::{Atlas, CostToGo};
use crate::limits::Stop;
use crate::report::{Field, PartAnswer, RuleUse, ViolationAnswer};
use serde::Serialize;
use serde_json::Value;
use std::fmt;
use unstuck_encodings::Cost;
use unstuck_puzzles::Style;

/// What to do next, and no more than is wanted.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HintAnswer {
    /// What it says of the rest of the game.
    pub sentence: String,
    /// How much is wanted.
    pub degree: HintLevel,
    /// Whether there is a solution from here.
    pub solvable: Option<bool>,
    /// What a shortest one costs.
    pub rest: Option<u32>,
    /// What every solution costs at least.
    pub at_least: Option<u32>,
    /// What the solution costs that the hint is taken from, where it need not be a shortest one.
    pub at_most: Option<u32>,
    /// What is pushed next.
    pub pieces: Option<Vec<String>>,
    /// The next pushes.
    pub pushes: Option<Vec<String>>,
    /// The moves up to and with the last of them.
    pub moves: Option<String>,
    /// The board after them.
    pub board: Option<String>,
    /// The limit that struck.
    pub stop: Option<Stop>,
}

impl HintAnswer {
    /// As much of a hint as the degree allows. The game may be `begun`.
    pub fn of(degree: HintLevel, hint: &Hint, atlas: &dyn Atlas, begun: bool) -> Self {
        let (piece, moves) = (degree >= HintLevel::Piece, degree >= HintLevel::Move);
        let pieces = hint.actions.iter().map(|action| piece_of(action).to_owned()).collect();
        Self {
            sentence: sentences::hint(degree, hint, atlas, begun),
            degree,
            solvable: hint.solvable,
            rest: primary(hint.rest).filter(|_| piece),
            at_least: primary(hint.at_least).filter(|_| piece),
            at_most: hint.at_most.filter(|_| piece),
            pieces: piece.then_some(pieces),
            pushes: moves.then(|| hint.actions.clone()),
            moves: hint.moves.clone().filter(|_| moves),
            board: hint.after.filter(|_| moves).and_then(|after| atlas.draw(after, Style::Plain)),
            stop: hint.stop,
        }
    }
}

/// Where a game went wrong.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DiagnosisAnswer {
    /// Where it went wrong.
    pub sentence: String,
    /// The number of the move that lost the game, from 1.
    #[cfg_attr(feature = "schema", schemars(extend("minimum" = 1)))]
    pub fatal: Option<usize>,
    /// The moves, as far as they are legal.
    pub moves: Vec<JudgedMoveAnswer>,
    /// Why the game is lost.
    pub reason: Option<ReasonAnswer>,
    /// Whether the game is solved at its end.
    pub solved: bool,
    /// What a shortest solution of the level costs.
    pub optimum: Option<u32>,
    /// What the shortest end of the game costs.
    pub rest: Option<u32>,
    /// What was lost before the fatal move.
    pub wasted: Option<u32>,
    /// After so many moves there is a solution.
    pub solvable_after: Option<usize>,
    /// After so many moves there is none.
    pub lost_after: Option<usize>,
    /// The first move that is not legal.
    pub illegal: Option<ViolationAnswer>,
    /// The board before the fatal move, else at the end.
    pub board: Option<String>,
    /// Positions that search looked at.
    pub positions: u64,
    /// The limit that struck.
    pub stop: Option<Stop>,
    /// Where the certificate was written.
    pub certificate: Option<String>,
}

/// A move and what it did.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct JudgedMoveAnswer {
    /// The move.
    #[serde(rename = "move")]
    pub text: String,
    /// What it did.
    pub class: Option<MoveClass>,
    /// By how much it made the shortest solution longer.
    pub cost: Option<u32>,
}

/// Why a game is lost.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReasonAnswer {
    /// What shows it: `bound`, `parts` or `search`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["bound", "parts", "search"])))]
    pub kind: &'static str,
    /// One sentence without a full stop.
    pub text: String,
    /// The parts that are lost by themselves, where that is the reason.
    pub parts: Vec<PartAnswer>,
}

impl DiagnosisAnswer {
    /// What is known of a game, and where the certificate was written.
    pub fn of(
        diagnosis: &Diagnosis,
        reason: Option<&Reason>,
        atlas: &dyn Atlas,
        certificate: Option<String>,
    ) -> Self {
        Self {
            sentence: sentences::diagnosis(diagnosis, atlas),
            fatal: diagnosis.fatal,
            moves: diagnosis.moves.iter().map(JudgedMoveAnswer::from).collect(),
            reason: reason.map(ReasonAnswer::from),
            solved: diagnosis.solved,
            optimum: primary(diagnosis.optimum),
            rest: primary(diagnosis.rest),
            wasted: diagnosis.wasted(),
            solvable_after: diagnosis.solvable,
            lost_after: diagnosis.lost,
            illegal: diagnosis.illegal.as_ref().map(ViolationAnswer::from),
            board: atlas.draw(diagnosis.positions[diagnosis.shown()], Style::Plain),
            positions: diagnosis.seen,
            stop: diagnosis.stop,
            certificate,
        }
    }
}

impl From<&JudgedMove> for JudgedMoveAnswer {
    fn from(judged: &JudgedMove) -> Self {
        let cost = judged.cost.map(|(cost, _)| cost);
        Self { text: judged.text.clone(), class: judged.class, cost }
    }
}

impl From<&Reason> for ReasonAnswer {
    fn from(reason: &Reason) -> Self {
        let parts = reason.parts.iter().map(PartAnswer::from).collect();
        Self { kind: reason.kind, text: reason.text.clone(), parts }
    }
}

/// What each part of a level is there for.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NecessityAnswer {
    /// The level itself.
    pub level: LevelFactsAnswer,
    /// Its parts.
    pub parts: Vec<NeededPartAnswer>,
}

/// What is known of a level.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LevelFactsAnswer {
    /// Whether there is a solution.
    pub solvable: Option<bool>,
    /// What a shortest one costs.
    pub optimum: Option<u32>,
    /// What every solution costs at least.
    pub at_least: Option<u32>,
    /// How many there are, where the number fits into 64 bits.
    pub solutions: Option<u64>,
    /// The limit that struck.
    pub stop: Option<Stop>,
}

/// What happens without a part.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NeededPartAnswer {
    /// The part.
    #[serde(flatten)]
    pub part: PartAnswer,
    /// What happens, in a word.
    pub effect: &'static str,
    /// By how much the shortest solution is shorter or longer.
    pub by: Option<u32>,
    /// What is known of the level without it.
    pub without: LevelFactsAnswer,
}

impl From<&NecessityReport> for NecessityAnswer {
    fn from(report: &NecessityReport) -> Self {
        let parts = report.parts.iter().map(NeededPartAnswer::from).collect();
        Self { level: report.level.into(), parts }
    }
}

impl From<LevelFacts> for LevelFactsAnswer {
    fn from(known: LevelFacts) -> Self {
        Self {
            solvable: known.solvable,
            optimum: primary(known.optimum),
            at_least: primary(known.at_least),
            solutions: known.solutions.and_then(|number| number.try_into().ok()),
            stop: known.stop,
        }
    }
}

impl From<&PartReport> for NeededPartAnswer {
    fn from(report: &PartReport) -> Self {
        let by = match report.effect {
            Change::Sooner(by) | Change::Later(by) => Some(by),
            _ => None,
        };
        let without = report.without.into();
        Self { part: (&report.part).into(), effect: report.effect.name(), by, without }
    }
}

/// Why a level has no solution.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExplanationAnswer {
    /// Whether it has one.
    pub solvable: Option<bool>,
    /// Different explanations, the smallest first.
    pub explanations: Vec<CoreAnswer>,
    /// The limit that struck.
    pub stop: Option<Stop>,
    /// Where the certificate was written.
    pub certificate: Option<String>,
}

/// Parts of a level that have no solution.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CoreAnswer {
    /// The parts.
    pub parts: Vec<PartAnswer>,
    /// Whether it is known that each of them is needed.
    pub minimal: bool,
    /// The level with these parts, all others gone.
    pub level: String,
}

impl ExplanationAnswer {
    /// What was found, and where the certificate was written.
    pub fn of(explanation: &Explanation, certificate: Option<String>) -> Self {
        Self {
            solvable: explanation.solvable,
            explanations: explanation.cores.iter().map(CoreAnswer::from).collect(),
            stop: explanation.stop,
            certificate,
        }
    }
}

impl From<&Core> for CoreAnswer {
    fn from(core: &Core) -> Self {
        let parts = core.named.iter().map(PartAnswer::from).collect();
        Self { parts, minimal: core.minimal, level: core.level.text() }
    }
}

/// How many optimal plans there are, and which.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EnumerationAnswer {
    /// How many there are.
    pub sentence: String,
    /// What each of them costs.
    pub optimum: Option<u32>,
    /// What every plan costs at least.
    pub at_least: Option<u32>,
    /// A number, or a text where it is larger than others can read.
    #[cfg_attr(feature = "schema", schemars(extend("type" = ["integer", "string", "null"])))]
    pub optimal_plans: Value,
    /// Whether that number is known.
    pub complete: bool,
    /// Some of them.
    pub plans: Vec<String>,
    /// Whether these are all.
    pub all_listed: bool,
    /// Pushes that all of them make.
    pub common: Option<Vec<String>>,
    /// Positions on them.
    pub positions: u64,
    /// Whether there is a plan.
    pub solvable: Option<bool>,
    /// The limit that struck.
    pub stop: Option<Stop>,
    /// Which rules of the game act in them, where that was asked.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub rules: Field<RuleUse>,
}

impl EnumerationAnswer {
    /// What was counted, with some plans as moves, and the rules that act in them.
    pub fn of(
        counted: &Enumeration,
        plans: Vec<String>,
        atlas: &dyn Atlas,
        rules: Field<RuleUse>,
    ) -> Self {
        Self {
            sentence: sentences::enumeration(counted, atlas.measures(), atlas.objective()),
            optimum: primary(counted.optimum),
            at_least: primary(counted.at_least),
            optimal_plans: counted.number(),
            complete: counted.unsolvable || counted.plans.is_some(),
            plans,
            all_listed: counted.all_listed,
            common: counted.optimum.map(|_| common(counted, atlas)),
            positions: counted.positions,
            solvable: counted.solvable(),
            stop: counted.stop,
            rules,
        }
    }
}

/// Pushes that all optimal plans make.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ForcedPushesAnswer {
    /// How much all plans have in common.
    pub sentence: String,
    /// Whether there is a plan.
    pub solvable: Option<bool>,
    /// What an optimal one costs.
    pub optimum: Option<u32>,
    /// What every plan costs at least.
    pub at_least: Option<u32>,
    /// The pushes, as often as each is made, in the order of a first plan.
    pub common: Option<Vec<String>>,
    /// The same, each once, by when they are made.
    pub steps: Option<Vec<ForcedPushAnswer>>,
    /// The number of optimal plans, where it fits into 64 bits.
    pub optimal_plans: Option<u64>,
    /// The limit that struck.
    pub stop: Option<Stop>,
}

/// A push that all optimal plans make.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ForcedPushAnswer {
    /// The push.
    pub push: String,
    /// Which push it is, from 1, where it comes first.
    pub first: u32,
    /// Which push it is where it comes last.
    pub last: u32,
    /// How often all plans make it at least.
    pub times: usize,
    /// Whether all optimal plans come to one position in which no other push keeps the optimum.
    pub only: bool,
    /// What plans without it cost, where that was asked.
    pub without: Option<WithoutAnswer>,
}

/// What plans without a push cost.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WithoutAnswer {
    /// Whether there is one.
    pub solvable: Option<bool>,
    /// What a shortest one costs.
    pub optimum: Option<u32>,
    /// What each costs at least.
    pub at_least: Option<u32>,
}

impl ForcedPushesAnswer {
    /// What was counted, with the pushes and what stopped the search for what is without them.
    pub fn of(
        counted: &Enumeration,
        steps: Vec<ForcedPushAnswer>,
        stop: Option<Stop>,
        atlas: &dyn Atlas,
    ) -> Self {
        let closed = counted.positions > 0;
        Self {
            sentence: sentences::forced_pushes(counted, stop, atlas),
            solvable: counted.solvable(),
            optimum: primary(counted.optimum),
            at_least: primary(counted.at_least),
            common: closed.then(|| common(counted, atlas)),
            steps: closed.then_some(steps),
            optimal_plans: counted.plans.and_then(|plans| plans.try_into().ok()),
            stop,
        }
    }
}

impl ForcedPushAnswer {
    /// A push by its name, how often it is made, and what a plan costs without it.
    pub fn of(push: String, shared: CommonAction, times: usize, without: Option<CostToGo>) -> Self {
        let CommonAction { first, last, only, .. } = shared;
        Self { push, first, last, times, only, without: without.map(WithoutAnswer::from) }
    }
}

impl From<CostToGo> for WithoutAnswer {
    fn from(cost: CostToGo) -> Self {
        let (solvable, optimum, at_least) = match cost {
            CostToGo::Exactly(cost) => (Some(true), Some(cost), Some(cost)),
            CostToGo::Never => (Some(false), None, None),
            CostToGo::AtLeast(cost) | CostToGo::Stopped(_, cost) => (None, None, Some(cost)),
        };
        Self { solvable, optimum: primary(optimum), at_least: primary(at_least) }
    }
}

/// What all solutions of a puzzle without moves have in common.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ForcedFactsAnswer {
    /// How much all solutions have in common.
    pub sentence: String,
    /// How they were found.
    #[serde(flatten)]
    pub figures: DeductionAnswer,
    /// The facts, in the order in which they were found.
    pub steps: Vec<DeducedFact>,
    /// Facts of the first solution that do not hold in all.
    pub open: Option<Vec<String>>,
}

/// How hard it is to find out what all solutions have in common.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DeductionAnswer {
    /// Whether there is a solution.
    pub solvable: Option<bool>,
    /// Whether there is one alone.
    pub unique: Option<bool>,
    /// Facts that one clause says.
    pub direct: usize,
    /// Facts whose opposite leads to a contradiction.
    pub contradiction: usize,
    /// Facts whose opposite was refuted by search.
    pub search: usize,
    /// Clauses of the largest step.
    pub largest: Option<usize>,
    /// The limit that struck.
    pub stop: Option<Stop>,
}

impl From<&ForcedFacts> for ForcedFactsAnswer {
    fn from(forced: &ForcedFacts) -> Self {
        Self {
            sentence: sentences::forced_facts(forced),
            figures: forced.into(),
            steps: forced.steps.clone(),
            open: forced.open.clone(),
        }
    }
}

impl From<&ForcedFacts> for DeductionAnswer {
    fn from(forced: &ForcedFacts) -> Self {
        Self {
            solvable: forced.solvable,
            unique: forced.open.as_ref().map(Vec::is_empty),
            direct: forced.of_method(DeductionMethod::Direct),
            contradiction: forced.of_method(DeductionMethod::Contradiction),
            search: forced.of_method(DeductionMethod::Search),
            largest: forced.steps.iter().map(|step| step.clauses).max(),
            stop: forced.stop,
        }
    }
}

/// How hard a game is; without a known optimum most is unknown.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DifficultyAnswer {
    /// Whether there is a solution.
    pub solvable: Option<bool>,
    /// What a shortest plan costs.
    pub optimum: Option<u32>,
    /// How much of that can be seen at the start.
    pub bound: Option<u32>,
    /// Moves of the plan.
    pub moves: Option<usize>,
    /// Pushes of the plan.
    pub pushes: Option<usize>,
    /// How often a push takes up another piece than the push before.
    pub changes: Option<usize>,
    /// Pushes that are possible along the plan.
    pub choices: Option<usize>,
    /// Those of them that keep the optimum.
    pub optimal: Option<usize>,
    /// Those that make the rest longer.
    pub costly: Option<usize>,
    /// Those after which there is no solution.
    pub fatal: Option<usize>,
    /// Those of which that is not known.
    pub unknown: Option<usize>,
    /// Positions along the plan in which all pushes but one are fatal.
    pub forced: Option<usize>,
    /// Positions that search looked at.
    pub positions: u64,
    /// The limit that struck.
    pub stop: Option<Stop>,
}

impl From<&Difficulty> for DifficultyAnswer {
    fn from(figures: &Difficulty) -> Self {
        let known = |figure: usize| figures.optimum.map(|_| figure);
        Self {
            solvable: figures.solvable,
            optimum: primary(figures.optimum),
            bound: primary(figures.bound),
            moves: known(figures.moves),
            pushes: known(figures.pushes),
            changes: known(figures.changes),
            choices: known(figures.choices),
            optimal: known(figures.optimal),
            costly: known(figures.costly),
            fatal: known(figures.fatal),
            unknown: known(figures.unknown),
            forced: known(figures.forced),
            positions: figures.seen,
            stop: figures.stop,
        }
    }
}

macro_rules! shown_as_sentence {
    ($($answer:ty),+) => {
        $(
            impl fmt::Display for $answer {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str(&self.sentence)
                }
            }
        )+
    };
}

shown_as_sentence!(
    HintAnswer,
    DiagnosisAnswer,
    EnumerationAnswer,
    ForcedPushesAnswer,
    ForcedFactsAnswer
);

fn primary(cost: Option<Cost>) -> Option<u32> {
    cost.map(Cost::primary)
}

fn common(counted: &Enumeration, atlas: &dyn Atlas) -> Vec<String> {
    counted.common.iter().map(|&action| atlas.action_name(action).to_owned()).collect()
}
