//! Lower bounds by single steps: against exhaustive search, and as lists that prove themselves.

use crate::common;
use crate::common::extent::extent;
use std::sync::LazyLock;
use std::time::Duration;
use unstuck::backend::varisat::Varisat;
use unstuck::backend::{Answer, Backend};
use unstuck::instance::{Instance, SingleSteps};
use unstuck::invariant::confine::{ConfineResult, ConfineTask, Premises};
use unstuck::invariant::pdr::InvariantError;
use unstuck::limits::{Limits, Monitor, Stop};
use unstuck::registry::FAMILIES;
use unstuck::solve::{EngineChoice, Justification, Request, Tuning, Verdict, solve};
use unstuck::transition::{Budget, CubeList, Obligation};
use unstuck_puzzles::Objective;

/// States after which exhaustive search gives a sample up.
const STATES: usize = 30_000;

/// Boards of a family with a plan, and without, that are looked at.
static ENOUGH: LazyLock<u64> = LazyLock::new(|| extent(8, 25));

/// Classes in a list whose formulas are refuted.
const SHORT: usize = 200;

/// More than any sample has.
const PLENTY: usize = 1_000_000;

fn confine(
    instance: &dyn Instance,
    budget: u32,
    known: Premises,
) -> Result<ConfineResult, InvariantError> {
    let steps = instance.capability::<dyn SingleSteps>().expect("a game");
    steps.confine(
        ConfineTask { budget, known, most: PLENTY },
        &Varisat,
        &mut Monitor::silent(&Limits::none()),
    )
}

/// The parts of a list that are not refuted.
fn open_parts(instance: &dyn Instance, list: &CubeList) -> Vec<Obligation> {
    let induction = instance.moves().expect("a game").induction(list);
    let induction = induction.unwrap_or_else(|reason| panic!("{reason}"));
    let open = |part: &Obligation| {
        let formula = induction.formula(*part, &mut Monitor::silent(&Limits::none())).unwrap();
        Varisat.solve(&formula, &Limits::none()).unwrap() != Answer::Unsat
    };
    Obligation::ALL.into_iter().filter(open).collect()
}

#[test]
fn a_budget_is_too_small_exactly_where_exhaustive_search_says_so() {
    for family in FAMILIES {
        let counted = |o: &&Objective| o.first() == **o && **o != Objective::Any;
        for &objective in family.objectives.iter().filter(counted) {
            let mut counts = Counts::default();
            let mut seeds = 0..16 * *ENOUGH;
            while let Some(seed) = seeds.next().filter(|_| !counts.are_enough()) {
                for instance in (family.sample)(seed).instances(objective).expect("listed") {
                    if instance.moves().is_some() && common::has_clauses(instance.as_ref()) {
                        counts.look(instance.as_ref(), seed);
                    }
                }
            }
            println!("{} {}: {counts:?}", family.name, objective.name());
            let is_game = counts != Counts::default();
            assert!(!is_game || counts.are_enough(), "{counts:?}");
        }
    }
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    /// Boards with a plan.
    solved: u64,
    /// Boards without.
    lost: u64,
    /// Those with a plan and a list that is short enough to be refuted at once.
    lists: u64,
    /// A class says less than its states, and may seem to allow more.
    loose: u64,
}

impl Counts {
    fn are_enough(&self) -> bool {
        self.solved >= *ENOUGH && self.lost >= *ENOUGH && self.lists >= *ENOUGH / 2
    }

    fn look(&mut self, instance: &dyn Instance, seed: u64) {
        let objective = instance.objective();
        let name = format!("{} {} {seed}", instance.family(), objective.name());
        let Some(best) = common::oracle(instance, STATES) else { return };
        let cost = best.map(|plan| objective.primary(plan.tally()));
        let budget = match cost {
            Some(0) => {
                let nothing = confine(instance, 0, Premises::TooFar);
                assert!(matches!(nothing, Err(InvariantError::Solvable)), "{name}");
                return;
            }
            Some(cost) if self.solved < *ENOUGH => cost - 1,
            // Where there is no plan, any budget is too small.
            None if self.lost < *ENOUGH => seed as u32 % 9,
            _ => return,
        };
        let found = [Premises::TooFar, Premises::Nothing].map(|it| confine(instance, budget, it));
        if found.iter().any(|it| matches!(it, Err(InvariantError::Unfit(_)))) {
            self.loose += 1;
            return;
        }
        let [_, confined] = found.map(|it| it.unwrap_or_else(|error| panic!("{name}: {error}")));
        let mut list = confined.list.expect("nothing is known");
        assert_eq!(list.claim, Budget::Within(budget), "{name}");
        let is_short = confined.classes <= SHORT;
        if is_short {
            assert_eq!(open_parts(instance, &list), [], "{name}");
        }
        let Some(cost) = cost else {
            self.lost += 1;
            return;
        };
        let more = confine(instance, cost, Premises::TooFar);
        assert!(matches!(more, Err(InvariantError::Solvable)), "{name}: {more:?}");
        self.solved += 1;
        if !is_short {
            return;
        }
        // The same list with one more for all of it claims what is not so.
        list.claim = Budget::Within(cost);
        for (left, _) in &mut list.cubes {
            *left = Budget::Within(left.first().expect("a number") + 1);
        }
        assert_ne!(open_parts(instance, &list), [], "{name}: a false list");
        self.lists += 1;
    }
}

/// A level of 56 moves with fewer than 3,000 positions on the way.
fn hinge() -> Box<dyn Instance> {
    let text = std::fs::read_to_string("puzzles/levels/sokobond/hinge.sokobond").expect("a level");
    common::instance("sokobond", &text, Objective::Moves)
}

#[test]
fn too_many_positions_and_limits_end_it() {
    let hinge = hinge();
    let ended = |most, limits: Limits| {
        let task = ConfineTask { budget: 55, known: Premises::TooFar, most };
        let steps = hinge.capability::<dyn SingleSteps>().expect("a game");
        steps.confine(task, &Varisat, &mut Monitor::silent(&limits)).expect_err("not shown")
    };
    let few = ended(1000, Limits::none());
    assert!(matches!(few, InvariantError::TooMany(1000)), "{few:?}");
    let late = ended(PLENTY, Limits::new(Some(Duration::ZERO), None));
    assert!(matches!(late, InvariantError::Stopped(Stop::Time)), "{late:?}");
    // It is seen soon that the rest takes longer than there is time.
    let short = ended(PLENTY, Limits::new(Some(Duration::from_millis(1)), None));
    let is_early =
        matches!(short, InvariantError::TooMany(_) | InvariantError::Stopped(Stop::Time));
    assert!(is_early, "{short:?}");
}

/// With no time for horizons, steps settle this level.
#[test]
fn the_engine_says_what_showed_the_bound() {
    let hinge = hinge();
    for threads in [1, 2] {
        let mut tuning = Tuning::default();
        tuning.set("search_solo", &[0]).expect("it may be none");
        let request = Request::default().with_engine(EngineChoice::Sat).with_threads(threads);
        let request = request.with_tuning(tuning);
        let outcome = solve(hinge.as_ref(), &request, &|_| {}).expect("no fault");
        assert_eq!(outcome.verdict, Verdict::Solved);
        assert!(outcome.optimal && outcome.stop.is_none());
        // Beside horizons it is a race.
        let by_steps = matches!(outcome.shown, Some(Justification::Steps { .. }));
        let has_worked = outcome.stages.iter().any(|stage| stage.engine == "steps");
        assert!(by_steps || has_worked, "{:?}", outcome.shown);
    }
}
