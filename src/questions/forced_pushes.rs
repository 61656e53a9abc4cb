//! What all shortest solutions of a game have in common, and what a solution costs without it.

use super::analysis::Analysis;
use super::enumerate::{CommonAction, Enumeration, enumerate};
use super::sentences;
use crate::atlas::{Atlas, CostToGo};
use crate::instance::{Instance, atlas};
use crate::limits::{Limits, Stop};
use crate::report::in_64_bits;
use serde::Serialize;
use std::time::Duration;
use unstuck_encodings::Cost;
use unstuck_puzzles::constraints::{Constraints, Prohibition};

/// Pushes that all optimal plans make.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ForcedPushes {
    /// How much all plans have in common.
    pub sentence: String,
    /// Whether there is a plan.
    pub solvable: Option<bool>,
    /// What an optimal one costs.
    #[cfg_attr(feature = "schema", schemars(with = "Option<u32>"))]
    pub optimum: Option<Cost>,
    /// What every plan costs at least.
    #[cfg_attr(feature = "schema", schemars(with = "Option<u32>"))]
    pub at_least: Option<Cost>,
    /// The pushes, as often as each is made, in the order of a first plan.
    pub common: Option<Vec<String>>,
    /// The same, each once, by when they are made.
    pub steps: Option<Vec<ForcedPush>>,
    /// The number of optimal plans (for programs where it fits into 64 bits).
    #[serde(serialize_with = "in_64_bits")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<u64>"))]
    pub optimal_plans: Option<u128>,
    /// The limit that struck.
    pub stop: Option<Stop>,
}

/// A push that all optimal plans make.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ForcedPush {
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
    pub without: Option<PlansWithout>,
}

/// What plans without a push cost.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct PlansWithout {
    /// Whether there is one.
    pub solvable: Option<bool>,
    /// What a shortest one costs.
    #[cfg_attr(feature = "schema", schemars(with = "Option<u32>"))]
    pub optimum: Option<Cost>,
    /// What each costs at least.
    #[cfg_attr(feature = "schema", schemars(with = "Option<u32>"))]
    pub at_least: Option<Cost>,
}

/// Time for the question what a push is good for, where no limit is given.
const WHY_TIME: Duration = Duration::from_secs(5);

/// Finds what all shortest solutions have in common. With `why`, which are the constraints of the
/// game, also what a solution without each of the pushes costs; `progress` hears before each how many
/// are done, of how many.
pub fn forced_pushes(
    game: &mut Analysis<'_>,
    why: Option<&Constraints>,
    limits: &Limits,
    progress: &dyn Fn(usize, usize),
) -> ForcedPushes {
    let counted = enumerate(game, 0, limits);
    let (mut stop, count) = (counted.stop, counted.shared.len());
    let step = |(done, shared): (usize, &CommonAction)| {
        let push = game.atlas.action_name(shared.action).to_owned();
        let without = why.map(|constraints| {
            progress(done, count);
            let rest = (count - done) as u32;
            let time = limits.time_left().map_or(WHY_TIME, |left| (left / rest * 4).min(left));
            cost_without(game.instance(), constraints, &push, &limits.within(time))
        });
        stop = stop.or(without.and_then(|cost| cost.stop()));
        let times = counted.common.iter().filter(|&&action| action == shared.action).count();
        let without = without.map(PlansWithout::from);
        ForcedPush {
            push,
            first: shared.first,
            last: shared.last,
            times,
            only: shared.only,
            without,
        }
    };
    let steps: Vec<ForcedPush> = counted.shared.iter().enumerate().map(step).collect();
    let is_known = counted.positions > 0;
    ForcedPushes {
        sentence: sentence(&counted, stop, game.atlas.as_ref()),
        solvable: counted.solvable,
        optimum: counted.optimum,
        at_least: counted.at_least,
        common: counted.common_names.filter(|_| is_known),
        steps: is_known.then_some(steps),
        optimal_plans: counted.plans,
        stop,
    }
}

/// What all shortest solutions of a game have in common; `stop` is what struck while it was asked.
fn sentence(answer: &Enumeration, stop: Option<Stop>, atlas: &dyn Atlas) -> String {
    let measures = atlas.measures();
    match (answer.solvable, answer.positions > 0) {
        (Some(false), _) => "the level has no solution".to_owned(),
        (_, true) => {
            let common = measures.pushes.count(answer.common.len() as u32);
            format!("all shortest solutions make these {common}")
        }
        _ => {
            let least = sentences::at_least(measures, atlas.objective(), answer.at_least);
            let why = stop.map_or(String::new(), |stop| format!(": {stop}"));
            format!("unknown what all shortest solutions have in common{least}{why}")
        }
    }
}

/// What the game costs where a push is never made.
fn cost_without(
    instance: &dyn Instance,
    constraints: &Constraints,
    push: &str,
    limits: &Limits,
) -> CostToGo {
    if let Some(stop) = limits.reached_any() {
        return CostToGo::Stopped(stop, Cost::ZERO);
    }
    let mut constraints = constraints.clone();
    constraints.forbidden.push(Prohibition::Push(push.to_owned()));
    let mut atlas = atlas(instance, &constraints).expect("a game");
    let start = atlas.start();
    atlas.cost_to_go(start, None, limits)
}

impl From<CostToGo> for PlansWithout {
    fn from(cost: CostToGo) -> Self {
        let solvable = match cost {
            CostToGo::Exactly(_) => Some(true),
            CostToGo::Never => Some(false),
            CostToGo::AtLeast(_) | CostToGo::Stopped(..) => None,
        };
        Self { solvable, optimum: cost.exactly(), at_least: cost.at_least() }
    }
}
