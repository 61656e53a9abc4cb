//! Where pieces may be dropped, boards may be large; where they may not, a counterexample says why.

use crate::common;
use unstuck::instance::{LearnEnd, LearnReport, PatternJudge, Relaxation};
use unstuck::learn::LearnOptions;
use unstuck::limits::{Limits, Monitor};
use unstuck::registry::by_name;
use unstuck_puzzles::Objective;

/// A shortest plan of a level does not solve it any more when one piece is dropped, and is no plan of
/// the others either: dropping is no relaxation.
fn dropping_breaks_a_plan(family: &str, whole: &str, dropped: &str) {
    let objective = by_name(family).expect("registered").objectives[0];
    let [whole, dropped] = [whole, dropped].map(|text| common::instance(family, text, objective));
    let plan = common::oracle(whole.as_ref(), 1000).expect("a small level").expect("a plan");
    let mut session = dropped.moves().expect("a game").session();
    session.play(0, plan.text()).expect("moves");
    assert!(!session.view(usize::MAX).solved, "{family}: {} solves the rest too", plan.text());
    assert!(dropped.capability::<dyn Relaxation>().is_none(), "{family}");
}

#[test]
fn in_a_warehouse_a_box_carries_another_along() {
    let ask = "#######\n#????O#\n#######\n";
    let with = |row: &str| format!("#######\n#{row}#\n#######\n\n{ask}");
    dropping_breaks_a_plan("warehouse", &with("@OO.."), &with("@.O.."));
}

#[test]
fn a_snowman_needs_its_middle() {
    let with = |row: &str| format!("XXXXXX\nX{row}X\nXXXXXX\n");
    dropping_breaks_a_plan("snowman", &with("#1-6"), &with("#1-4"));
}

#[test]
fn an_atom_needs_another_to_bond_with() {
    let with = |row: &str| format!("xxxxxx\nx{row}x\nxxxxxx\n");
    dropping_breaks_a_plan("sokobond", &with("H--h"), &with("H---"));
}

/// A hall of fifty by fifty cells with sixty boxes beside their goals, some of them there already,
/// goals to spare, and a room that cannot be entered.
fn hall() -> String {
    let mut rows = vec![vec![' '; 50]; 50];
    for at in 0..50 {
        for (row, column) in [(0, at), (49, at), (at, 0), (at, 49)] {
            rows[row][column] = '#';
        }
    }
    for number in 0..60 {
        let (row, column) = (3 + 4 * (number / 10), 3 + 4 * (number % 10));
        if number % 12 == 0 {
            rows[row][column] = '*';
        } else {
            rows[row][column] = '$';
            rows[row][column + 1] = '.';
        }
    }
    for spare in 0..3 {
        rows[32][5 + 9 * spare] = '.';
    }
    for at in 0..7 {
        for (row, column) in [(40, 20 + at), (46, 20 + at), (40 + at, 20), (40 + at, 26)] {
            rows[row][column] = '#';
        }
    }
    rows[1][1] = '@';
    rows.into_iter().map(|row| row.into_iter().collect::<String>() + "\n").collect()
}

#[test]
fn a_large_hall_is_solved_and_its_list_is_judged() {
    let instance = common::sokoban(&hall(), Objective::Pushes);
    let dropping = instance.capability::<dyn Relaxation>().expect("boxes may be dropped");
    let learned = dropping.learn(LearnOptions::default(), &Limits::none(), &mut |_| {});
    let LearnReport { end, list, .. } = learned.expect("boxes may be dropped");
    let LearnEnd::Found(plan, None) = end else { panic!("{end:?}") };
    assert_eq!(plan.tally().pushes, 55);
    assert_eq!(list.claim, Some(54));
    let judge = instance.capability::<dyn PatternJudge>().expect("boxes may be dropped");
    judge.judge_patterns(&list, &mut Monitor::silent(&Limits::none())).expect("a list that holds");
}

/// Twelve boxes, of which four in a block can never be moved; the others have room for millions of
/// positions.
const BLOCK: &str = "\
##############
#            #
# $  $  $  $ #
#            #
#  $$    ..  #
#  $$    ..  #
#  ...   ... #
# $  $  $  $ #
#  .       . #
#     @      #
##############
";

#[test]
fn twelve_boxes_are_lost_by_few_patterns() {
    let instance = common::sokoban(BLOCK, Objective::Pushes);
    let dropping = instance.capability::<dyn Relaxation>().expect("boxes may be dropped");
    let learned = dropping.learn(LearnOptions::default(), &Limits::none(), &mut |_| {});
    let LearnReport { end, list, lost, .. } = learned.expect("boxes may be dropped");
    assert!(matches!(end, LearnEnd::Lost), "{end:?}");
    assert!(list.patterns.len() < 20, "{} patterns", list.patterns.len());
    assert_eq!(list.claim, None);
    assert!(lost[0].pieces.len() <= 4 && lost[0].of == 12);
    assert!(lost[0].svg.contains("<svg") && lost[0].text.contains("$$"));
}
