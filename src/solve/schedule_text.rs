//! A schedule as a person reads it.

use super::schedule::{
    self, Delay, EndCondition, Lane, Stage, StageCondition, StartCondition, ThreadShare,
};
use crate::instance::Instance;
use crate::ledger::{Goal, Request, Task};
use crate::tuning::Tuning;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

/// A schedule in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ScheduleText {
    /// Its name.
    #[serde(rename = "name")]
    pub schedule: &'static str,
    /// How lanes share the threads that were asked for, one, two, and none.
    pub threads: Vec<String>,
    /// What goes on side by side.
    pub lanes: Vec<LaneText>,
}

/// A lane of a schedule in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct LaneText {
    /// Its name.
    pub lane: &'static str,
    /// When it begins and ends.
    pub when: String,
    /// Its stages, one after the other.
    pub stages: Vec<StageText>,
}

/// A stage of a schedule in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct StageText {
    /// The engine.
    pub engine: &'static str,
    /// What it has of the machine, or why it is left out.
    pub with: String,
}

impl fmt::Display for ScheduleText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "schedule: {}", self.schedule)?;
        for text in &self.threads {
            writeln!(f, "{text}")?;
        }
        for LaneText { lane, when, stages } in &self.lanes {
            writeln!(f, "{lane}: {when}")?;
            for StageText { engine, with } in stages {
                writeln!(f, "  {engine}: {with}")?;
            }
        }
        Ok(())
    }
}

/// The schedule of a request about a puzzle, to solve it or only to improve a plan.
pub fn explained(instance: &dyn Instance, request: &Request, improve: bool) -> ScheduleText {
    let task = Task { instance, request };
    let goal = if improve { Goal::BetterPlans } else { Goal::of(instance) };
    let schedule = schedule::of(task, goal);
    let words = Words { task, tuning: &request.tuning, left: request.limits.time_left() };
    let stages = |stages: &[Stage]| {
        let stages = stages
            .iter()
            .map(|stage| StageText { engine: stage.engine.name(), with: words.stage(stage) });
        stages.collect()
    };
    let lane = |lane: &Lane| LaneText {
        lane: lane.name,
        when: words.lane(lane),
        stages: stages(lane.stages),
    };
    let offers = |stage: &Stage| stage.engine.offers(task).is_ok();
    let count = schedule.lanes.iter().filter(|lane| lane.stages.iter().any(offers)).count();
    let threads = BTreeSet::from([1, 2, request.threads.max(1)]);
    let threads = threads.into_iter().map(|threads| match threads {
        _ if count <= threads => format!("with {}: all lanes at the same time", counted(threads)),
        _ => format!(
            "with {}: {count} lanes take turns, {threads} at a time{}",
            counted(threads),
            if threads == 1 { "; without threads the same" } else { "" },
        ),
    });
    let mut lanes: Vec<_> = schedule.lanes.iter().map(lane).collect();
    if !schedule.afterwards.is_empty() {
        lanes.push(LaneText {
            lane: "afterwards",
            when: "with a plan, in the time that is left".to_owned(),
            stages: stages(schedule.afterwards),
        });
    }
    ScheduleText { schedule: schedule.name, threads: threads.collect(), lanes }
}

fn counted(threads: usize) -> String {
    if threads == 1 { "1 thread".to_owned() } else { format!("{threads} threads") }
}

fn seconds(time: Duration) -> String {
    format!("{} s", time.as_millis() as f64 / 1_000.0)
}

struct Words<'a> {
    task: Task<'a>,
    tuning: &'a Tuning,
    left: Option<Duration>,
}

impl Words<'_> {
    fn wait(&self, wait: Delay) -> String {
        seconds(wait.time(self.tuning, self.left))
    }

    fn lane(&self, lane: &Lane) -> String {
        let mut parts = vec![match lane.start {
            StartCondition::AtOnce => "at once".to_owned(),
            StartCondition::After(wait) => format!("after {}", self.wait(wait)),
            StartCondition::AfterOr(wait, other) => {
                format!("after {}, or when {other} has ended", self.wait(wait))
            }
            StartCondition::AfterLane(other, Delay::None) => format!("when {other} has ended"),
            StartCondition::AfterLane(other, wait) => {
                format!("{} after {other} has ended", self.wait(wait))
            }
            StartCondition::MemoryHigh(wait) => {
                let part = self.tuning.saving_from;
                format!("after {}, when {part} % of the memory limit are used", self.wait(wait))
            }
            StartCondition::Overtaken(wait, ahead, behind) => {
                format!("after {}, when {ahead} has a better bound than {behind}", self.wait(wait))
            }
        }];
        match lane.end {
            EndCondition::WithStages => {}
            EndCondition::GivesWay => parts.push("gives way to what overtakes it".to_owned()),
            EndCondition::With(other) => parts.push(format!("ends with {other}")),
        }
        match lane.charge {
            schedule::USUAL_CHARGE => {}
            schedule::COMPANION_CHARGE => parts.push("at a lower priority".to_owned()),
            charge => {
                let tenths = (10 * schedule::USUAL_CHARGE + charge / 2) / charge;
                let times = f64::from(tenths) / 10.0;
                parts.push(format!("{times} times as much as others"));
            }
        }
        parts.join("; ")
    }

    fn stage(&self, stage: &Stage) -> String {
        if let Err(declined) = stage.engine.offers(self.task) {
            return format!("left out: {declined}");
        }
        let threads = match stage.threads.of(self.task.request.threads.max(1)) {
            _ if stage.threads == ThreadShare::Rest => "threads that are free".to_owned(),
            threads => counted(threads.unwrap_or(1)),
        };
        let time = stage.within.map(|most| match most {
            Delay::FirstPlan => {
                format!("{} % of the time left", self.tuning.first_share as f64 / 10.0)
            }
            most => format!("for {}", self.wait(most)),
        });
        let memory = stage
            .shares_memory
            .then(|| format!("{} % of the memory limit", self.tuning.search_memory));
        let only = match stage.only {
            StageCondition::Always => None,
            StageCondition::WithoutPlan => Some("only while there is no plan".to_owned()),
            StageCondition::AnyPlan => Some("only where any plan will do".to_owned()),
        };
        [Some(threads), time, memory, only].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}
