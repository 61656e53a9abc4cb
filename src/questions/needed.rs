//! What each part of a level is there for: what happens without it.

use super::analysis::Analysis;
use super::enumerate::enumerate;
use crate::instance::Instance;
use crate::limits::{Limits, Stop};
use crate::report::in_64_bits;
use crate::solve::{Request, SolveError, Verdict, solve};
use serde::Serialize;
use unstuck_encodings::Cost;
use unstuck_puzzles::Part;
use unstuck_puzzles::constraints::Constraints;

/// What is known of a level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct LevelFacts {
    /// Whether there is a solution.
    pub solvable: Option<bool>,
    /// What a shortest one costs (for families with moves).
    #[cfg_attr(feature = "schema", schemars(with = "Option<u32>"))]
    pub optimum: Option<Cost>,
    /// What every solution costs at least.
    #[cfg_attr(feature = "schema", schemars(with = "Option<u32>"))]
    pub at_least: Option<Cost>,
    /// How many there are (for programs where the number fits into 64 bits): optimal plans as
    /// `enumerate` counts them, or solutions where there are no moves; there only up to 2.
    #[serde(serialize_with = "in_64_bits")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<u64>"))]
    pub solutions: Option<u128>,
    /// The limit that struck.
    pub stop: Option<Stop>,
}

/// What happens without a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(into = "Effect")]
pub enum Change {
    /// What is left is no level.
    NoLevel,
    /// There is no solution any more.
    Unsolvable,
    /// Now there is a solution.
    Solvable,
    /// The shortest solution is shorter by this much.
    Sooner(u32),
    /// The shortest solution is longer by this much.
    Later(u32),
    /// The solution is no longer the only one.
    NotUnique,
    /// Length and uniqueness, as far as they were asked for, are the same.
    None,
    /// A limit struck.
    Unknown,
}

impl Change {
    /// The word for machines.
    pub fn name(self) -> &'static str {
        match self {
            Self::NoLevel => "no-level",
            Self::Unsolvable => "unsolvable",
            Self::Solvable => "solvable",
            Self::Sooner(_) => "sooner",
            Self::Later(_) => "later",
            Self::NotUnique => "not-unique",
            Self::None => "none",
            Self::Unknown => "unknown",
        }
    }
}

/// A change for programs.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Effect {
    /// What happens, in a word.
    effect: &'static str,
    /// By how much the shortest solution is shorter or longer.
    by: Option<u32>,
}

impl From<Change> for Effect {
    fn from(change: Change) -> Self {
        let by = match change {
            Change::Sooner(by) | Change::Later(by) => Some(by),
            _ => None,
        };
        Self { effect: change.name(), by }
    }
}

/// A part and what happens without it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct PartReport {
    /// The part.
    #[serde(flatten)]
    pub part: Part,
    /// What happens.
    #[serde(flatten)]
    #[cfg_attr(feature = "schema", schemars(with = "Effect"))]
    pub effect: Change,
    /// What is known of the level without it.
    pub without: LevelFacts,
}

/// What each part of a level is there for.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct NecessityReport {
    /// The level itself.
    pub level: LevelFacts,
    /// Its parts, in the order of [`unstuck_puzzles::AnyPuzzle::parts`].
    pub parts: Vec<PartReport>,
}

/// Asks for every part of a level (or those of one kind) what happens without it. With `plans`,
/// optimal plans are counted, too, where their length stays the same. `progress` hears before each
/// part how many are done, of how many, and the answer so far.
///
/// # Errors
/// When a solver cannot run or contradicts itself.
pub fn needed(
    instance: &dyn Instance,
    kind: Option<&str>,
    plans: bool,
    constraints: &Constraints,
    limits: &Limits,
    progress: &mut dyn FnMut(usize, usize, &NecessityReport),
) -> Result<NecessityReport, SolveError> {
    let third = limits.share(1.0 / 3.0);
    let level = worth(instance, None, plans, constraints, &third)?;
    let parts = instance.parts();
    let asked = |(_, part): &(usize, &Part)| kind.is_none_or(|kind| part.kind == kind);
    let asked: Vec<(usize, &Part)> = parts.iter().enumerate().filter(asked).collect();
    let mut answer = NecessityReport { level, parts: Vec::new() };
    for (done, &(number, part)) in asked.iter().enumerate() {
        progress(done, asked.len(), &answer);
        if let Some(stop) = limits.reached_any() {
            // The parts that are left are unknown.
            let unknown = LevelFacts { stop: Some(stop), ..LevelFacts::default() };
            let open = asked[done..].iter().map(|&(_, part)| PartReport {
                part: part.clone(),
                effect: Change::Unknown,
                without: unknown,
            });
            answer.parts.extend(open);
            return Ok(answer);
        }
        let rest = (asked.len() - done) as u32;
        // Most parts are answered quickly: one may take the time of four.
        let slice = limits.time_left().map(|left| (left / rest * 4).min(left));
        let slice = slice.map_or_else(|| limits.clone(), |time| limits.within(time));
        let (effect, without) = match instance.without(&[number]) {
            None => (Change::NoLevel, LevelFacts::default()),
            Some(less) => {
                let below = level.optimum.filter(|_| constraints.allow_without(part));
                let without = worth(less.as_ref(), below, plans, constraints, &slice)?;
                (effect(level, without), without)
            }
        };
        answer.parts.push(PartReport { part: part.clone(), effect, without });
    }
    Ok(answer)
}

/// What is known of a level; nothing beyond `below`, where it is known that no more is possible.
fn worth(
    instance: &dyn Instance,
    below: Option<Cost>,
    plans: bool,
    constraints: &Constraints,
    limits: &Limits,
) -> Result<LevelFacts, SolveError> {
    let mut worth = LevelFacts::default();
    let Some(mut asked) = Analysis::new(instance, constraints) else {
        let request = Request { solutions: 2, limits: limits.clone(), ..Request::default() };
        let outcome = solve(instance, &request, &|_| {})?;
        worth.solvable = match outcome.verdict {
            Verdict::Solved => Some(true),
            Verdict::Unsolvable => Some(false),
            _ => None,
        };
        // Where there is nothing to draw, there is no choice.
        if outcome.best.as_ref().is_some_and(|best| best.text().is_empty()) {
            worth.solutions = Some(1);
        } else if let Some(found) =
            outcome.solutions.filter(|found| found.complete || !found.others.is_empty())
        {
            worth.solutions = Some(1 + found.others.len() as u128);
        }
        worth.stop = outcome.stop;
        return Ok(worth);
    };
    let rest = asked.rest(limits);
    (worth.solvable, worth.stop) = (rest.is_solvable(), rest.cost.stop());
    (worth.optimum, worth.at_least) = (rest.cost.exactly(), rest.cost.at_least());
    if below.is_some() && worth.at_least == below {
        // Of a level that is never harder a plan of this cost is known.
        (worth.solvable, worth.optimum, worth.stop) = (Some(true), below, None);
    }
    if plans && worth.optimum.is_some() {
        let counted = enumerate(&mut asked, 0, limits);
        (worth.solutions, worth.stop) = (counted.plans, worth.stop.or(counted.stop));
    }
    Ok(worth)
}

fn effect(level: LevelFacts, without: LevelFacts) -> Change {
    match (level.solvable, without.solvable) {
        (Some(true), Some(false)) => return Change::Unsolvable,
        (Some(false), Some(true)) => return Change::Solvable,
        (Some(_), Some(_)) => {}
        _ => return Change::Unknown,
    }
    match (level.optimum.map(Cost::primary), without.optimum.map(Cost::primary)) {
        (Some(level), Some(without)) if without < level => return Change::Sooner(level - without),
        (Some(level), Some(without)) if without > level => return Change::Later(without - level),
        (Some(_), None) | (None, Some(_)) => return Change::Unknown,
        _ => {}
    }
    match (level.solutions, without.solutions) {
        (Some(1), Some(more)) if more > 1 => Change::NotUnique,
        (Some(1), None) => Change::Unknown,
        _ => Change::None,
    }
}
