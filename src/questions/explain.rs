//! Why a level has no solution: a smallest set of its parts that alone makes it so.
//!
//! Parts that only ever make a level harder (walls, boxes; see [`Part::loosens`]) are left out as
//! long as there is still no solution, first many at once, then fewer. Because a level without a
//! part is never harder, a part that could not be left out then cannot be left out later: one
//! pass gives a set of which every part is needed. Boxes and atoms go before walls, so that what
//! stays is about as few of them as possible.
//!
//! Reference: Junker, "QuickXplain", 2004 (dropping by halves).

use super::analysis::Analysis;
use crate::instance::Instance;
use crate::limits::{Limits, Stop};
use crate::solve::{Request, SolveError, Verdict, solve};
use serde::{Serialize, Serializer};
use std::ops::Deref;
use std::time::Duration;
use unstuck_puzzles::Part;
use unstuck_puzzles::constraints::Constraints;

/// A set of parts that has no solution by itself.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Core {
    /// Places in the list of parts of the level, or of the level without the rule that was left out
    /// first.
    #[serde(skip)]
    pub parts: Vec<usize>,
    /// The parts.
    #[serde(rename = "parts")]
    pub named: Vec<Part>,
    /// Whether it is known that each of them is needed.
    pub minimal: bool,
    /// The level with these parts and those that cannot be left out, all others gone.
    #[serde(serialize_with = "text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub level: Box<dyn Instance>,
}

fn text<S: Serializer>(
    level: &impl Deref<Target = dyn Instance>,
    to: S,
) -> Result<S::Ok, S::Error> {
    to.serialize_str(&level.text())
}

/// Why a level has no solution.
#[derive(Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Explanation {
    /// Whether the level has a solution, if that is known.
    pub solvable: Option<bool>,
    /// Different explanations, the smallest first.
    #[serde(rename = "explanations")]
    pub cores: Vec<Core>,
    /// The limit that left something open.
    pub stop: Option<Stop>,
    /// Where the certificate was written.
    pub certificate: Option<String>,
}

/// Time of one question whether a smaller level has a solution, where no limit is given.
const DELETION_TIME: Duration = Duration::from_secs(2);

/// Looks for up to `most` explanations. `kinds` says which kinds of parts may be left out; all
/// when it is empty.
///
/// # Errors
/// When a solver cannot run or contradicts itself.
///
/// # Examples
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use unstuck::limits::Limits;
/// use unstuck::puzzles::Objective;
/// use unstuck::puzzles::constraints::Constraints;
/// use unstuck::questions::explain::explain;
///
/// let text = "######\n#$ @.#\n#    #\n######\n";
/// let level = unstuck::open(unstuck::SOKOBAN, text, Objective::Pushes)?;
/// let none = Constraints::default();
/// let answer = explain(level.first(), &["box"], 1, &none, &Limits::none())?;
/// assert_eq!((answer.solvable, answer.cores.len()), (Some(false), 1));
/// # Ok(())
/// # }
/// ```
pub fn explain(
    instance: &dyn Instance,
    kinds: &[&str],
    most: usize,
    constraints: &Constraints,
    limits: &Limits,
) -> Result<Explanation, SolveError> {
    let mut answer = Explanation::default();
    let half = limits.share(0.5);
    match solvable(instance, constraints, &half)? {
        Ok(solvable) => answer.solvable = Some(solvable),
        Err(stop) => answer.stop = Some(stop),
    }
    if answer.solvable != Some(false) {
        return Ok(answer);
    }
    let parts = instance.parts();
    // Without a rule such as Flow's that every cell is on a path other parts may go, too.
    let rule = parts.iter().position(|part| part.loosens && part.kind == Part::RULE);
    if let Some(less) = rule.and_then(|rule| instance.without(&[rule]))
        && kinds.is_empty()
        && solvable(less.as_ref(), constraints, &half)? == Ok(false)
    {
        return explain(less.as_ref(), kinds, most, constraints, limits);
    }
    let may_go = |part: &Part| {
        constraints.allow_without(part) && (kinds.is_empty() || kinds.contains(&part.kind))
    };
    let mut order: Vec<usize> = (0..parts.len()).filter(|&it| may_go(&parts[it])).collect();
    // Walls last; otherwise in the order of the list.
    order.sort_by_key(|&it| parts[it].kind == Part::WALL);
    let time = limits.time_left().map_or(DELETION_TIME, |left| left / 20);
    let mut dropping =
        DeletionSearch { instance, constraints, limits, time, minimal: true, stop: None };
    let mut tabu = vec![Vec::new()];
    while let Some(without) = tabu.pop() {
        if answer.cores.len() == most {
            break;
        }
        if let Some(stop) = limits.reached() {
            dropping.stop = Some(stop);
            break;
        }
        dropping.minimal = true;
        let rest: Vec<usize> = order.iter().copied().filter(|it| !without.contains(it)).collect();
        if !without.is_empty() && !dropping.is_unsolvable(&without)? {
            continue;
        }
        let mut gone = without.clone();
        dropping.drop(&mut gone, &rest)?;
        let kept: Vec<usize> = order.iter().copied().filter(|it| !gone.contains(it)).collect();
        if without.is_empty() {
            // Other explanations lack some piece of the first one.
            let pieces = kept.iter().filter(|&&it| parts[it].kind != Part::WALL);
            tabu.extend(pieces.map(|&piece| vec![piece]));
        }
        let known = answer.cores.iter().any(|core| core.parts == kept);
        if let (false, Some(level)) = (known, instance.without(&gone)) {
            let named = kept.iter().map(|&part| parts[part].clone()).collect();
            answer.cores.push(Core { parts: kept, named, level, minimal: dropping.minimal });
        }
    }
    answer.cores.sort_by_key(|core| core.parts.len());
    answer.stop = dropping.stop;
    Ok(answer)
}

/// Whether a level has a solution, or the limit that struck.
fn solvable(
    instance: &dyn Instance,
    constraints: &Constraints,
    limits: &Limits,
) -> Result<Result<bool, Stop>, SolveError> {
    if let Some(mut asked) = Analysis::new(instance, constraints) {
        let start = asked.atlas.start();
        let rest = asked.rest_after("", start, true, limits);
        return Ok(rest.is_solvable().ok_or(rest.cost.stop().unwrap_or(Stop::Memory)));
    }
    let request = Request { limits: limits.clone(), ..Request::default() };
    let outcome = solve(instance, &request, &|_| {})?;
    Ok(match outcome.verdict {
        Verdict::Solved => Ok(true),
        Verdict::Unsolvable => Ok(false),
        // No horizon was asked about; an engine that gives up by itself has used up its states.
        Verdict::NoSolutionWithin(_) => Err(Stop::Memory),
        Verdict::Unknown(stop) => Err(stop.unwrap_or(Stop::Memory)),
    })
}

struct DeletionSearch<'a> {
    instance: &'a dyn Instance,
    constraints: &'a Constraints,
    limits: &'a Limits,
    time: Duration,
    minimal: bool,
    stop: Option<Stop>,
}

impl DeletionSearch<'_> {
    /// Leaves out as many of the parts as possible, given those that are gone.
    fn drop(&mut self, gone: &mut Vec<usize>, parts: &[usize]) -> Result<(), SolveError> {
        if parts.is_empty() {
            return Ok(());
        }
        let all: Vec<usize> = gone.iter().chain(parts).copied().collect();
        if self.limits.reached().is_some() {
            // None of them can be left out in time.
            self.is_unsolvable(&all)?;
            return Ok(());
        }
        let before = (self.minimal, self.stop);
        if self.is_unsolvable(&all)? {
            *gone = all;
            return Ok(());
        }
        if parts.len() == 1 {
            return Ok(());
        }
        // Only of single parts it matters whether the answer was known.
        (self.minimal, self.stop) = before;
        let (first, second) = parts.split_at(parts.len() / 2);
        self.drop(gone, first)?;
        self.drop(gone, second)
    }

    /// Whether it could be shown in time that there is no solution without these parts.
    fn is_unsolvable(&mut self, gone: &[usize]) -> Result<bool, SolveError> {
        if let Some(stop) = self.limits.reached_any() {
            (self.minimal, self.stop) = (false, Some(stop));
            return Ok(false);
        }
        let Some(less) = self.instance.without(gone) else { return Ok(false) };
        Ok(match solvable(less.as_ref(), self.constraints, &self.limits.within(self.time))? {
            Ok(solvable) => !solvable,
            Err(stop) => {
                (self.minimal, self.stop) = (false, Some(stop));
                false
            }
        })
    }
}
