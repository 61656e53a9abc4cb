//! Many positions of one level: where searches have taken long enough, a table of all states answers.

use unstuck::atlas::CostToGo;
use unstuck::instance::{SearchEnd, StateSpace, atlas};
use unstuck::limits::Limits;
use unstuck::search::Strategy;
use unstuck_encodings::Cost;
use unstuck_puzzles::Objective;
use unstuck_puzzles::constraints::Constraints;

const LEVEL: &str = "\
########
#   #  #
#  $ . #
#  # $ #
# @ .  #
#  $.  #
########
";

#[test]
fn a_table_says_what_a_search_of_each_does() {
    let level = unstuck::open(unstuck::SOKOBAN, LEVEL, Objective::Moves).expect("a level");
    let instance = level.first();
    let mut atlas = atlas(instance, &Constraints::default()).expect("a game");
    let mut rng = fastrand::Rng::with_seed(1);
    let (mut lost, mut solvable, mut seen) = (0, 0, 0);
    for number in 0..60 {
        let (mut at, mut moves) = (atlas.start(), String::new());
        for _ in 0..rng.usize(1..40) {
            let steps = atlas.steps(at);
            let Some(step) = rng.choice(&steps) else { break };
            at = step.to;
            moves += &step.text;
        }
        if number == 40 {
            seen = atlas.seen();
        }
        let later = instance.continued(&moves).expect("legal moves");
        let states = later.capability::<dyn StateSpace>().expect("a game");
        let expected = match states.search(Strategy::default(), &Limits::none(), &mut |_| {}).end {
            SearchEnd::Found(plan) => CostToGo::Exactly(Cost::new(plan.tally().moves, 0)),
            SearchEnd::Exhausted => CostToGo::Never,
            other => panic!("{moves}: {other:?}"),
        };
        assert_eq!(atlas.cost_to_go(at, None, &Limits::none()), expected, "{moves}");
        match expected.exactly() {
            None => lost += 1,
            Some(left) => {
                solvable += 1;
                let below = atlas.cost_to_go(at, Some(left), &Limits::none());
                assert_eq!(below, CostToGo::AtLeast(left), "{moves}");
            }
        }
    }
    assert!(lost > 10 && solvable > 10, "{lost} lost, {solvable} solvable");
    assert_eq!(atlas.seen(), seen, "the table was not asked");
}
