//! Which engine works when, with what share of the machine, and until when: tables.
//!
//! There is one schedule an intention. It has lanes, which go on side by side; in a lane one stage
//! follows the other. When the ledger has the answer, all end. No more lanes are at work at once
//! than there are threads: where there are more lanes, or no threads at all (WebAssembly), they
//! take turns (see `runner.rs`).

use crate::engines::backward::BackwardEngine;
use crate::engines::counting::CountingEngine;
use crate::engines::features::FeatureEngine;
use crate::engines::horizons::HorizonEngine;
use crate::engines::improvement::ImprovementEngine;
use crate::engines::invariant::InvariantEngine;
use crate::engines::learning::LearningEngine;
use crate::engines::search::SearchEngine;
use crate::engines::steps::StepEngine;
use crate::engines::weighted::{WeightedAttempts, WeightedEngine};
use crate::ledger::{Engine, EngineChoice, Goal, Task};
use crate::tuning::{Tuning, milliseconds, thousandths};
use std::time::Duration;

/// A plan of work.
pub struct Schedule {
    /// Its name.
    pub name: &'static str,
    /// What goes on side by side.
    pub lanes: &'static [Lane],
    /// What is done when the answer is there, in the time that is left.
    pub afterwards: &'static [Stage],
}

/// Stages that follow each other.
pub struct Lane {
    /// Its name, by which other lanes refer to it.
    pub name: &'static str,
    /// When it begins.
    pub start: StartCondition,
    /// When it ends, beside the limits and the answer.
    pub end: EndCondition,
    /// What a turn counts for, where lanes take turns: who has had least is next. The threads of a
    /// companion have a lower priority, too.
    pub charge: u32,
    /// What it does.
    pub stages: &'static [Stage],
}

/// When a lane begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartCondition {
    /// At once.
    AtOnce,
    /// After some time.
    After(Delay),
    /// After some time, or sooner when this lane has ended.
    AfterOr(Delay, &'static str),
    /// When this lane has ended, if only because it has nothing to say, and some time later.
    AfterLane(&'static str, Delay),
    /// When the process holds much of the memory limit, after some time.
    MemoryHigh(Delay),
    /// After some time, when one engine has shown more than another: then the lanes that give way
    /// end, and this one begins.
    Overtaken(Delay, &'static str, &'static str),
}

/// When a lane ends, though the question is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndCondition {
    /// When its stages have ended.
    WithStages,
    /// When an engine was overtaken.
    GivesWay,
    /// When this lane has ended.
    With(&'static str),
}

/// A time that [`Tuning`] says, with a time limit less.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delay {
    /// None.
    None,
    /// While A* is alone: at most half as long as until others join it.
    Solo,
    /// Until others join A* for good: at most a quarter of the time that is left.
    Scout,
    /// Until a plan is looked for: at most a quarter of the time that is left.
    Plans,
    /// Until learning joins.
    Learning,
    /// As long as an invariant is looked for: at most a quarter of the time that is left.
    Invariant,
    /// As long as a plan is made shorter where any will do: at most a quarter of the time that is
    /// left.
    Shortening,
    /// As long as A* may have shown less than learning: at most a quarter of the time that is left.
    Overtaking,
    /// The part of a first plan; without a limit of time there is no end.
    FirstPlan,
}

/// An engine at work.
pub struct Stage {
    /// The engine.
    pub engine: &'static dyn Engine,
    /// What it has of the threads.
    pub threads: ThreadShare,
    /// Whether it leaves some of the memory limit to a solver beside it.
    pub shares_memory: bool,
    /// The most that it works, unless that is all of the time. Turns of other lanes do not count.
    pub within: Option<Delay>,
    /// When it is left out.
    pub only: StageCondition,
}

/// Some of the threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreadShare {
    /// All of them.
    All,
    /// Half of them.
    Half,
    /// All but one.
    AllButOne,
    /// One.
    One,
    /// Those that no other stage has: at least one.
    Rest,
}

/// When a stage is of use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StageCondition {
    /// Always.
    Always,
    /// While there is no plan.
    WithoutPlan,
    /// Where any plan will do.
    AnyPlan,
}

impl Stage {
    /// An engine with some of the threads and all else.
    pub const fn new(engine: &'static dyn Engine, threads: ThreadShare) -> Self {
        let only = StageCondition::Always;
        Self { engine, threads, shares_memory: false, within: None, only }
    }

    /// The same with some of the memory limit.
    pub const fn sharing_memory(self) -> Self {
        Self { shares_memory: true, ..self }
    }

    /// How long it may work on a task, from now on; `None` where only the limits end it.
    pub fn time(&self, task: Task<'_>) -> Option<Duration> {
        let left = task.request.limits.time_left();
        self.within.map(|most| most.time(&task.request.tuning, left))
    }

    /// The same for some of the time.
    pub const fn within(self, time: Delay) -> Self {
        Self { within: Some(time), ..self }
    }

    /// The same where it is of use.
    pub const fn only(self, only: StageCondition) -> Self {
        Self { only, ..self }
    }
}

impl Lane {
    /// A lane that ends with its stages, at the usual priority.
    pub const fn new(name: &'static str, start: StartCondition, stages: &'static [Stage]) -> Self {
        Self { name, start, end: EndCondition::WithStages, charge: USUAL_CHARGE, stages }
    }

    /// The same with an end.
    pub const fn until(self, end: EndCondition) -> Self {
        Self { end, ..self }
    }

    /// The same at another charge.
    pub const fn charged(self, charge: u32) -> Self {
        Self { charge, ..self }
    }

    /// The same at a lower priority.
    pub const fn companion(self) -> Self {
        Self { charge: COMPANION_CHARGE, ..self }
    }
}

/// The charge of lanes that are equal.
pub(super) const USUAL_CHARGE: u32 = 16;

/// The charge of lanes that have an eighth of what others have.
pub(super) const COMPANION_CHARGE: u32 = 128;

/// A schedule that ends with its lanes.
const fn lanes(name: &'static str, lanes: &'static [Lane]) -> Schedule {
    Schedule { name, lanes, afterwards: &[] }
}

/// A* to the end, with an eye to the memory of those beside it.
const SEARCH_LANE: Lane = Lane::new(
    "search",
    StartCondition::AtOnce,
    &[Stage::new(&SearchEngine, ThreadShare::All).sharing_memory()],
)
.until(EndCondition::GivesWay);

/// Search from the end, where the family can be played backwards and the board is not large.
const BACKWARD: Stage = Stage::new(&BackwardEngine, ThreadShare::One).sharing_memory();

/// The same soon, not at once: most levels are solved by then, and in the same way in every run. What it
/// finds there is a shortest plan, so it has more of the time than first attempts at one.
const BACKWARD_LANE: Lane =
    Lane::new("backward", StartCondition::After(Delay::Solo), &[BACKWARD]).charged(1);

/// Feature-space search for a plan that is hard to find.
const THOROUGH: Stage =
    Stage::new(&FeatureEngine::InOneThread, ThreadShare::One).only(StageCondition::WithoutPlan);

/// Soon a plan: what is known when a limit strikes, and need not be looked beyond. Most levels that
/// have one within seconds have one within the first attempts, which come before other work.
const PLANS_LANE: Lane = Lane::new(
    "plans",
    StartCondition::After(Delay::Plans),
    &[Stage::new(&FeatureEngine::Once, ThreadShare::One)],
)
.charged(2)
.until(EndCondition::GivesWay);

/// Weighted A* for a plan, where features have found none; families without them have A* alone first.
const WEIGHTED_LANE: Lane = Lane::new(
    "weighted",
    StartCondition::AfterLane("plans", Delay::Solo),
    &[Stage::new(&WeightedEngine(WeightedAttempts::Once), ThreadShare::One)
        .only(StageCondition::WithoutPlan)
        .within(Delay::Scout)],
)
.until(EndCondition::GivesWay);

/// Soon learning, which goes on whatever the others do.
const LEARNING_LANE: Lane = Lane::new(
    "learning",
    StartCondition::After(Delay::Learning),
    &[Stage::new(&LearningEngine, ThreadShare::Half)],
);

/// Where learning has nothing to say, or no more, reverse reachability.
const INVARIANT_LANE: Lane = Lane::new(
    "invariant",
    StartCondition::AfterLane("learning", Delay::Solo),
    &[Stage::new(&InvariantEngine, ThreadShare::One).within(Delay::Invariant)],
)
.until(EndCondition::With("search"));

/// When A* takes long: a plan that is hard to find, then horizons.
const COMPANION_LANE: Lane = Lane::new(
    "companion",
    StartCondition::AfterOr(Delay::Scout, "search"),
    &[THOROUGH.within(Delay::Scout), Stage::new(&HorizonEngine, ThreadShare::Rest)],
)
.until(EndCondition::GivesWay)
.companion();

/// When A* holds much memory: plans that save it some.
const SAVING_LANE: Lane = Lane::new(
    "saving",
    StartCondition::MemoryHigh(Delay::Scout),
    &[Stage::new(&WeightedEngine(WeightedAttempts::Saving), ThreadShare::One)],
)
.until(EndCondition::With("search"));

/// Where learning has shown more than A*, plans from above in place of A*.
const IMPROVING_LANE: Lane = Lane::new(
    "improving",
    StartCondition::Overtaken(Delay::Overtaking, "learning", "search"),
    &[THOROUGH, Stage::new(&ImprovementEngine::InRounds, ThreadShare::One)],
)
.until(EndCondition::With("learning"));

/// A shortest plan, or a plan within a horizon.
const AUTO: Schedule = lanes(
    "auto",
    &[
        SEARCH_LANE,
        BACKWARD_LANE,
        PLANS_LANE,
        WEIGHTED_LANE,
        LEARNING_LANE,
        INVARIANT_LANE,
        COMPANION_LANE,
        SAVING_LANE,
        IMPROVING_LANE,
    ],
);

/// Feature-space search with all it has.
const FEATURES: Stage = Stage::new(&FeatureEngine::InThreads, ThreadShare::Half);

/// A plan that was found in haste has detours.
const AFTERWARDS: &[Stage] = &[Stage::new(&ImprovementEngine::Quick, ThreadShare::One)
    .within(Delay::Shortening)
    .only(StageCondition::AnyPlan)];

/// A* beside those who look for any plan.
const ANY_SEARCH: Lane = Lane::new(
    "search",
    StartCondition::AtOnce,
    &[Stage::new(&SearchEngine, ThreadShare::AllButOne).sharing_memory()],
)
.companion();

/// Any plan: features at once; the others help where these fail, and must not hold them up. Where
/// the end has the plan of a large level, that is mostly within a second.
const ANY: Schedule = Schedule {
    name: "any",
    lanes: &[
        Lane::new("features", StartCondition::AtOnce, &[FEATURES]),
        Lane::new("backward", StartCondition::AtOnce, &[BACKWARD.within(Delay::Scout)]).charged(48),
        ANY_SEARCH,
        LEARNING_LANE.companion(),
        INVARIANT_LANE.companion(),
    ],
    afterwards: AFTERWARDS,
};

/// The same where the end is the easier one. With one thread the hardest of SokHard need a third of ten
/// seconds from the end, and level 153 of Microban a third of eight by features.
const ANY_FROM_END: Schedule = Schedule {
    name: "any-from-end",
    lanes: &[
        Lane::new("backward", StartCondition::AtOnce, &[BACKWARD]).charged(12),
        Lane::new("features", StartCondition::AtOnce, &[FEATURES]),
        ANY_SEARCH,
        LEARNING_LANE.companion(),
        INVARIANT_LANE.companion(),
    ],
    afterwards: AFTERWARDS,
};

/// Explicit search alone.
const SEARCH: Schedule = Schedule {
    name: "search",
    lanes: &[
        Lane::new("search", StartCondition::AtOnce, &[Stage::new(&SearchEngine, ThreadShare::All)]),
        Lane::new("features", StartCondition::AtOnce, &[FEATURES.only(StageCondition::AnyPlan)]),
        BACKWARD_LANE,
        SAVING_LANE,
    ],
    afterwards: AFTERWARDS,
};

/// Horizons, single steps at the same time, and a plan before the first horizon is asked. Where the
/// plan is optimal, as it mostly is, the question at the optimum is never asked, which is often more
/// expensive than all refutations together, and one refutation is left.
const SAT: Schedule = lanes(
    "sat",
    &[
        Lane::new(
            "plan",
            StartCondition::AtOnce,
            &[
                Stage::new(&FeatureEngine::Once, ThreadShare::One).within(Delay::FirstPlan),
                // The same in families without features.
                Stage::new(&WeightedEngine(WeightedAttempts::Short), ThreadShare::One)
                    .only(StageCondition::WithoutPlan)
                    .within(Delay::FirstPlan),
            ],
        ),
        Lane::new("horizons", StartCondition::AfterLane("plan", Delay::None), HORIZONS),
        Lane::new(
            "steps",
            StartCondition::AfterLane("plan", Delay::Solo),
            &[Stage::new(&StepEngine, ThreadShare::One)],
        )
        .until(EndCondition::With("horizons")),
    ],
);

const HORIZONS: &[Stage] = &[Stage::new(&HorizonEngine, ThreadShare::All)];

/// Where a horizon is named, or any plan will do, the solver alone is asked.
const HORIZON: Schedule =
    lanes("horizon", &[Lane::new("horizons", StartCondition::AtOnce, HORIZONS)]);

/// Where work is counted, one engine after the other in one thread: a first plan, A*, search from the
/// end, learning, and where those come to none, a plan that is hard to find. What the clock would
/// decide is left out.
const COUNTED: Schedule = lanes(
    "counted",
    &[Lane::new(
        "counted",
        StartCondition::AtOnce,
        &[
            Stage::new(&FeatureEngine::Once, ThreadShare::One),
            Stage::new(&SearchEngine, ThreadShare::One),
            BACKWARD,
            Stage::new(&LearningEngine, ThreadShare::One),
            THOROUGH,
        ],
    )],
);

/// Search from the end while there is no plan.
const COUNTED_BACKWARD: Stage = BACKWARD.only(StageCondition::WithoutPlan);

/// A* while there is none.
const COUNTED_A_STAR: Stage =
    Stage::new(&SearchEngine, ThreadShare::One).only(StageCondition::WithoutPlan);

/// The same where any plan will do.
const COUNTED_ANY: Schedule = lanes(
    "counted-any",
    &[Lane::new("counted", StartCondition::AtOnce, &[THOROUGH, COUNTED_BACKWARD, COUNTED_A_STAR])],
);

/// The same where the end is the easier one.
const COUNTED_ANY_FROM_END: Schedule = lanes(
    "counted-any-from-end",
    &[Lane::new("counted", StartCondition::AtOnce, &[COUNTED_BACKWARD, THOROUGH, COUNTED_A_STAR])],
);

/// The same by A* alone.
const COUNTED_SEARCH: Schedule = lanes(
    "counted-search",
    &[Lane::new("search", StartCondition::AtOnce, &[Stage::new(&SearchEngine, ThreadShare::One)])],
);

const LEARNING: &[Stage] = &[Stage::new(&LearningEngine, ThreadShare::All)];

/// Learning alone.
const LEARN: Schedule = lanes("learn", &[Lane::new("learning", StartCondition::AtOnce, LEARNING)]);

const COUNTING: &[Stage] = &[Stage::new(&CountingEngine, ThreadShare::All)];

/// The solutions of a puzzle without moves.
const COUNT: Schedule = lanes("count", &[Lane::new("counting", StartCondition::AtOnce, COUNTING)]);

/// Better and better plans.
const IMPROVE: Schedule = lanes(
    "improve",
    &[Lane::new(
        "improving",
        StartCondition::AtOnce,
        &[
            THOROUGH,
            Stage::new(&WeightedEngine(WeightedAttempts::First), ThreadShare::All)
                .only(StageCondition::WithoutPlan),
            Stage::new(&ImprovementEngine::Whole, ThreadShare::One),
        ],
    )],
);

/// All schedules: one an intention.
pub const ALL: &[&Schedule] = &[
    &AUTO,
    &ANY,
    &ANY_FROM_END,
    &SEARCH,
    &SAT,
    &HORIZON,
    &LEARN,
    &COUNT,
    &IMPROVE,
    &COUNTED,
    &COUNTED_ANY,
    &COUNTED_ANY_FROM_END,
    &COUNTED_SEARCH,
];

/// The schedule of a task.
pub fn of(task: Task<'_>, goal: Goal) -> &'static Schedule {
    let request = task.request;
    let is_any = !task.counts() || goal == Goal::FirstPlan;
    let from_end = || BackwardEngine::leads(task);
    match request.engine {
        _ if goal == Goal::BetterPlans => &IMPROVE,
        EngineChoice::Search if request.states.is_some() => &COUNTED_SEARCH,
        EngineChoice::Search => &SEARCH,
        EngineChoice::Learn => &LEARN,
        _ if task.instance.moves().is_none() => &COUNT,
        EngineChoice::Sat if request.bounded().is_some() || is_any => &HORIZON,
        EngineChoice::Sat if request.states.is_some() => &HORIZON,
        EngineChoice::Auto if request.states.is_some() && !is_any => &COUNTED,
        EngineChoice::Auto if request.states.is_some() && from_end() => &COUNTED_ANY_FROM_END,
        EngineChoice::Auto if request.states.is_some() => &COUNTED_ANY,
        EngineChoice::Sat => &SAT,
        EngineChoice::Auto if is_any && from_end() => &ANY_FROM_END,
        EngineChoice::Auto if is_any => &ANY,
        EngineChoice::Auto => &AUTO,
    }
}

impl Delay {
    /// How long it is, when so much time is left.
    pub fn time(self, tuning: &Tuning, left: Option<Duration>) -> Duration {
        let quarter = |time: u64| {
            let time = milliseconds(time);
            left.map_or(time, |left| time.min(left / 4))
        };
        match self {
            Self::None => Duration::ZERO,
            Self::Solo => milliseconds(tuning.search_solo).min(Self::Scout.time(tuning, left) / 2),
            Self::Scout => quarter(tuning.search_scout),
            Self::Plans => quarter(tuning.plans_solo),
            Self::Learning => milliseconds(tuning.learning_solo),
            Self::Invariant => quarter(tuning.invariant_time),
            Self::Shortening => quarter(tuning.improving_quick_time),
            Self::Overtaking => quarter(tuning.learning_overtakes),
            Self::FirstPlan => {
                left.map_or(Duration::MAX, |left| left.mul_f64(thousandths(tuning.first_share)))
            }
        }
    }
}

impl ThreadShare {
    /// How many they are of so many; `None` for what others leave.
    pub fn of(self, all: usize) -> Option<usize> {
        Some(match self {
            Self::All => all,
            Self::Half => (all / 2).max(1),
            Self::AllButOne => (all - 1).max(1),
            Self::One => 1,
            Self::Rest => return None,
        })
    }
}
