//! Which engine works when, with what share of the machine, and until when: tables.
//!
//! A schedule has lanes. All lanes go on at the same time, each in a thread of its own; in a lane one
//! stage follows the other. When the ledger has the answer, all end. Without threads
//! (WebAssembly) lanes go one after the other, so such runs have schedules of their own.

use crate::engines::counting::CountingEngine;
use crate::engines::features::FeatureEngine;
use crate::engines::horizons::HorizonEngine;
use crate::engines::improvement::ImprovementEngine;
use crate::engines::invariant::InvariantEngine;
use crate::engines::learning::LearningEngine;
use crate::engines::search::SearchEngine;
use crate::engines::steps::StepEngine;
use crate::engines::weighted::{WeightedAttempts, WeightedEngine};
use crate::instance::SatisficingSearch;
use crate::ledger::{Engine, EngineChoice, Goal, Task};
use crate::machine;
use crate::tuning::{Tuning, milliseconds, thousandths};
use std::time::Duration;
use unstuck_puzzles::Objective;

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
    /// Its priority.
    pub priority: ThreadPriority,
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
    /// When this lane has ended, and some time later.
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
    /// Until learning joins.
    Learning,
    /// As long as A* may have shown less than learning: at most a quarter of the time that is left.
    Overtaking,
    /// While one horizon is asked at a time.
    Horizon,
}

/// The priority of a lane's threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreadPriority {
    /// That of the process.
    Usual,
    /// Less: others have the machine first.
    Companion,
}

/// An engine at work.
pub struct Stage {
    /// The engine.
    pub engine: &'static dyn Engine,
    /// What it has of the threads.
    pub threads: ThreadShare,
    /// What it has of the memory limit.
    pub memory: MemoryShare,
    /// What it has of the time.
    pub time: TimeShare,
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

/// Some of the memory limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryShare {
    /// All of it.
    All,
    /// What leaves a solver beside it some.
    Search,
}

/// Some of the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeShare {
    /// All of it.
    All,
    /// As long as this.
    Within(Delay),
    /// Until so long after the beginning of the run.
    Until(Delay),
    /// The part of a first plan.
    FirstPlan,
    /// The part of feature-space search where others wait for it.
    Features,
    /// The part of single steps where others wait for them.
    Steps,
}

/// When a stage is of use.
#[derive(Clone, Copy)]
pub enum StageCondition {
    /// Always.
    Always,
    /// While there is no plan.
    WithoutPlan,
    /// With a plan about which this engine can say something.
    WithPlanFor(&'static dyn Engine),
}

impl Stage {
    /// An engine with some of the threads and all else.
    pub const fn new(engine: &'static dyn Engine, threads: ThreadShare) -> Self {
        Self {
            engine,
            threads,
            memory: MemoryShare::All,
            time: TimeShare::All,
            only: StageCondition::Always,
        }
    }

    const fn timed(engine: &'static dyn Engine, threads: ThreadShare, time: TimeShare) -> Self {
        Self { time, ..Self::new(engine, threads) }
    }
}

impl Lane {
    /// A lane that ends with its stages, at the usual priority.
    pub const fn new(name: &'static str, start: StartCondition, stages: &'static [Stage]) -> Self {
        Self { name, start, end: EndCondition::WithStages, priority: ThreadPriority::Usual, stages }
    }
}

const fn lanes(name: &'static str, lanes: &'static [Lane]) -> Schedule {
    Schedule { name, lanes, afterwards: &[] }
}

/// A* to the end, with an eye to the memory of those beside it.
const SEARCH_LANE: Lane = Lane {
    end: EndCondition::GivesWay,
    ..Lane::new(
        "search",
        StartCondition::AtOnce,
        &[Stage { memory: MemoryShare::Search, ..Stage::new(&SearchEngine, ThreadShare::All) }],
    )
};

/// Soon reverse reachability, for the time of the scout.
const INVARIANT_LANE: Lane = Lane {
    end: EndCondition::With("search"),
    ..Lane::new(
        "invariant",
        StartCondition::After(Delay::Solo),
        &[Stage::timed(&InvariantEngine, ThreadShare::One, TimeShare::Until(Delay::Scout))],
    )
};

/// When A* takes long: plans that it need not look beyond, then horizons.
const COMPANION_LANE: Lane = Lane {
    end: EndCondition::GivesWay,
    priority: ThreadPriority::Companion,
    ..Lane::new(
        "companion",
        StartCondition::AfterOr(Delay::Scout, "search"),
        &[
            Stage::timed(&FeatureEngine::Once, ThreadShare::One, TimeShare::Within(Delay::Scout)),
            Stage::timed(
                &WeightedEngine(WeightedAttempts::Once),
                ThreadShare::One,
                TimeShare::Within(Delay::Scout),
            ),
            Stage::new(&HorizonEngine, ThreadShare::Rest),
        ],
    )
};

/// When A* holds much memory: plans that save it some.
const SAVING_LANE: Lane = Lane {
    end: EndCondition::With("search"),
    ..Lane::new(
        "saving",
        StartCondition::MemoryHigh(Delay::Scout),
        &[Stage::new(&WeightedEngine(WeightedAttempts::Saving), ThreadShare::One)],
    )
};

/// Soon learning, which goes on whatever the others do.
const LEARNING_LANE: Lane = Lane::new(
    "learning",
    StartCondition::After(Delay::Learning),
    &[Stage::new(&LearningEngine, ThreadShare::Half)],
);

/// Where learning has shown more than A*, plans from above in place of A*.
const IMPROVING_LANE: Lane = Lane {
    end: EndCondition::With("learning"),
    ..Lane::new(
        "improving",
        StartCondition::Overtaken(Delay::Overtaking, "learning", "search"),
        &[
            Stage {
                only: StageCondition::WithoutPlan,
                ..Stage::new(&FeatureEngine::InOneThread, ThreadShare::One)
            },
            Stage::new(&ImprovementEngine::InRounds, ThreadShare::One),
        ],
    )
};

const AUTO: Schedule = lanes(
    "auto",
    &[SEARCH_LANE, INVARIANT_LANE, COMPANION_LANE, SAVING_LANE, LEARNING_LANE, IMPROVING_LANE],
);

const AUTO_ONE_THREAD: Schedule = lanes(
    "auto, within a horizon or with one thread",
    &[SEARCH_LANE, INVARIANT_LANE, COMPANION_LANE, SAVING_LANE],
);

const AUTO_IN_TURN: Schedule = lanes(
    "auto, without threads",
    &[Lane::new(
        "all",
        StartCondition::AtOnce,
        &[
            Stage::timed(&SearchEngine, ThreadShare::One, TimeShare::Within(Delay::Scout)),
            Stage::timed(&InvariantEngine, ThreadShare::One, TimeShare::Within(Delay::Scout)),
            Stage::new(&HorizonEngine, ThreadShare::One),
        ],
    )],
);

const SEARCH: Schedule = lanes(
    "search",
    &[
        Lane::new("search", StartCondition::AtOnce, &[Stage::new(&SearchEngine, ThreadShare::All)]),
        SAVING_LANE,
    ],
);

const SEARCH_IN_TURN: Schedule = lanes(
    "search, without threads",
    &[Lane::new("search", StartCondition::AtOnce, &[Stage::new(&SearchEngine, ThreadShare::One)])],
);

/// Any plan will do: features at once.
const FEATURES_LANE: Lane = Lane::new(
    "features",
    StartCondition::AtOnce,
    &[Stage::new(&FeatureEngine::FromBothEnds, ThreadShare::Half)],
);

/// A* beside features, which need the machine more.
const ANY_SEARCH_LANE: Lane = Lane {
    priority: ThreadPriority::Companion,
    ..Lane::new(
        "search",
        StartCondition::AtOnce,
        &[Stage {
            memory: MemoryShare::Search,
            ..Stage::new(&SearchEngine, ThreadShare::AllButOne)
        }],
    )
};

/// Where any plan will do, learning helps where features fail, and must not hold them up.
const ANY_LEARNING_LANE: Lane = Lane { priority: ThreadPriority::Companion, ..LEARNING_LANE };

const ANY_INVARIANT_LANE: Lane = Lane { priority: ThreadPriority::Companion, ..INVARIANT_LANE };

/// Horizons when A* takes long: there is no upper bound to be had by plans.
const ANY_COMPANION_LANE: Lane = Lane {
    priority: ThreadPriority::Companion,
    ..Lane::new(
        "companion",
        StartCondition::AfterOr(Delay::Scout, "search"),
        &[Stage::new(&HorizonEngine, ThreadShare::One)],
    )
};

/// A plan that was found in haste has detours.
const AFTERWARDS: &[Stage] = &[Stage::new(&ImprovementEngine::Quick, ThreadShare::One)];

const ANY: Schedule = Schedule {
    name: "auto, any plan",
    lanes: &[
        FEATURES_LANE,
        ANY_SEARCH_LANE,
        ANY_INVARIANT_LANE,
        ANY_COMPANION_LANE,
        ANY_LEARNING_LANE,
    ],
    afterwards: AFTERWARDS,
};

/// With one thread features go first.
const FEATURES_FIRST_LANE: Lane = Lane::new(
    "features",
    StartCondition::AtOnce,
    &[Stage::timed(&FeatureEngine::InOneThread, ThreadShare::One, TimeShare::Features)],
);

const ANY_ONE_THREAD: Schedule = Schedule {
    name: "auto, any plan with one thread",
    lanes: &[
        FEATURES_FIRST_LANE,
        Lane { start: StartCondition::AfterLane("features", Delay::None), ..SEARCH_LANE },
        Lane { start: StartCondition::AfterLane("features", Delay::Solo), ..INVARIANT_LANE },
        Lane { start: StartCondition::AfterLane("features", Delay::Scout), ..ANY_COMPANION_LANE },
    ],
    afterwards: AFTERWARDS,
};

const ANY_IN_TURN: Schedule = Schedule {
    name: "auto, any plan without threads",
    lanes: &[Lane::new(
        "all",
        StartCondition::AtOnce,
        &[
            Stage::timed(&FeatureEngine::InOneThread, ThreadShare::One, TimeShare::Features),
            Stage::timed(&SearchEngine, ThreadShare::One, TimeShare::Within(Delay::Scout)),
            Stage::timed(&InvariantEngine, ThreadShare::One, TimeShare::Within(Delay::Scout)),
            Stage::new(&HorizonEngine, ThreadShare::One),
        ],
    )],
    afterwards: AFTERWARDS,
};

const ANY_BY_SEARCH: Schedule = Schedule {
    name: "search, any plan",
    lanes: &[FEATURES_LANE, ANY_SEARCH_LANE],
    afterwards: AFTERWARDS,
};

const ANY_BY_SEARCH_IN_TURN: Schedule = Schedule {
    name: "search, any plan with one thread",
    lanes: &[Lane::new(
        "all",
        StartCondition::AtOnce,
        &[
            Stage::timed(&FeatureEngine::InOneThread, ThreadShare::One, TimeShare::Features),
            Stage::new(&SearchEngine, ThreadShare::One),
        ],
    )],
    afterwards: AFTERWARDS,
};

/// A plan before the first horizon is asked. Where the plan is optimal, as it mostly is, the
/// question at the optimum is never asked, which is often more expensive than all refutations
/// together, and one refutation is left.
const FIRST_BY_FEATURES: Stage =
    Stage::timed(&FeatureEngine::Once, ThreadShare::One, TimeShare::FirstPlan);

/// The same in families without features.
const FIRST_BY_WEIGHT: Stage = Stage {
    only: StageCondition::WithoutPlan,
    ..Stage::timed(&WeightedEngine(WeightedAttempts::Short), ThreadShare::One, TimeShare::FirstPlan)
};

const SAT: Schedule = lanes(
    "sat",
    &[
        Lane::new("plan", StartCondition::AtOnce, &[FIRST_BY_FEATURES, FIRST_BY_WEIGHT]),
        Lane::new(
            "horizons",
            StartCondition::AfterLane("plan", Delay::None),
            &[Stage::new(&HorizonEngine, ThreadShare::Rest)],
        ),
        Lane {
            end: EndCondition::With("horizons"),
            ..Lane::new(
                "steps",
                StartCondition::AfterLane("plan", Delay::Horizon),
                &[Stage::new(&StepEngine, ThreadShare::One)],
            )
        },
    ],
);

const SAT_IN_TURN: Schedule = lanes(
    "sat with one thread",
    &[Lane::new(
        "all",
        StartCondition::AtOnce,
        &[
            FIRST_BY_FEATURES,
            FIRST_BY_WEIGHT,
            Stage {
                only: StageCondition::WithPlanFor(&StepEngine),
                ..Stage::timed(&HorizonEngine, ThreadShare::One, TimeShare::Within(Delay::Horizon))
            },
            Stage {
                only: StageCondition::WithPlanFor(&StepEngine),
                ..Stage::timed(&StepEngine, ThreadShare::One, TimeShare::Steps)
            },
            Stage::new(&HorizonEngine, ThreadShare::One),
        ],
    )],
);

/// Where a horizon is named, or any plan will do, the solver alone is asked.
const SAT_ALONE: Schedule = lanes(
    "sat alone",
    &[Lane::new(
        "horizons",
        StartCondition::AtOnce,
        &[Stage::new(&HorizonEngine, ThreadShare::All)],
    )],
);

const LEARN: Schedule = lanes(
    "learn",
    &[Lane::new(
        "learning",
        StartCondition::AtOnce,
        &[Stage::new(&LearningEngine, ThreadShare::All)],
    )],
);

const COUNT: Schedule = lanes(
    "solutions",
    &[Lane::new(
        "counting",
        StartCondition::AtOnce,
        &[Stage::new(&CountingEngine, ThreadShare::All)],
    )],
);

const IMPROVE: Schedule = lanes(
    "improve",
    &[Lane::new(
        "all",
        StartCondition::AtOnce,
        &[
            Stage {
                only: StageCondition::WithoutPlan,
                ..Stage::new(&FeatureEngine::InOneThread, ThreadShare::One)
            },
            Stage {
                only: StageCondition::WithoutPlan,
                ..Stage::new(&WeightedEngine(WeightedAttempts::First), ThreadShare::All)
            },
            Stage::new(&ImprovementEngine::Whole, ThreadShare::One),
        ],
    )],
);

/// All schedules, to be looked at.
pub const ALL: &[&Schedule] = &[
    &AUTO,
    &AUTO_ONE_THREAD,
    &AUTO_IN_TURN,
    &ANY,
    &ANY_ONE_THREAD,
    &ANY_IN_TURN,
    &SEARCH,
    &SEARCH_IN_TURN,
    &ANY_BY_SEARCH,
    &ANY_BY_SEARCH_IN_TURN,
    &SAT,
    &SAT_IN_TURN,
    &SAT_ALONE,
    &LEARN,
    &COUNT,
    &IMPROVE,
];

/// The schedule of a task.
pub fn of(task: Task<'_>, goal: Goal) -> &'static Schedule {
    let request = task.request;
    if task.instance.moves().is_none() {
        return match request.engine {
            EngineChoice::Search => &SEARCH,
            EngineChoice::Learn => &LEARN,
            EngineChoice::Auto | EngineChoice::Sat => &COUNT,
        };
    }
    let threads = machine::has_threads();
    let many = threads && request.threads > 1;
    let is_bounded = request.bounded().is_some();
    let is_any = task.objective() == Objective::Any;
    let has_features = task.instance.capability::<dyn SatisficingSearch>().is_some();
    let by_features = is_any && !is_bounded && has_features;
    match request.engine {
        _ if goal == Goal::BetterPlans => &IMPROVE,
        EngineChoice::Learn => &LEARN,
        EngineChoice::Sat if is_bounded || is_any => &SAT_ALONE,
        EngineChoice::Sat if many => &SAT,
        EngineChoice::Sat => &SAT_IN_TURN,
        EngineChoice::Search if by_features && many => &ANY_BY_SEARCH,
        EngineChoice::Search if by_features => &ANY_BY_SEARCH_IN_TURN,
        EngineChoice::Search if threads => &SEARCH,
        EngineChoice::Search => &SEARCH_IN_TURN,
        EngineChoice::Auto if by_features && many => &ANY,
        EngineChoice::Auto if by_features && threads => &ANY_ONE_THREAD,
        EngineChoice::Auto if by_features => &ANY_IN_TURN,
        EngineChoice::Auto if many && !is_bounded => &AUTO,
        EngineChoice::Auto if threads => &AUTO_ONE_THREAD,
        EngineChoice::Auto => &AUTO_IN_TURN,
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
            Self::Learning => milliseconds(tuning.learning_solo),
            Self::Overtaking => quarter(tuning.learning_overtakes),
            Self::Horizon => milliseconds(tuning.horizons_solo),
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

impl TimeShare {
    /// The part of the time that is left, in thousandths, where it is one.
    pub fn share(self, tuning: &Tuning) -> Option<f64> {
        let share = match self {
            Self::All | Self::Within(_) | Self::Until(_) => return None,
            Self::FirstPlan => tuning.first_share,
            Self::Features => tuning.features_share,
            Self::Steps => tuning.steps_share,
        };
        Some(thousandths(share))
    }
}
