//! A list written by hand: the definition, without a pattern search.

use crate::grid::Direction;
use crate::options::Options;
use crate::patterns::{
    Cover, Pattern, PatternCoord, PatternError, PatternList, PatternReason, PatternRules,
};
use crate::puzzle::Puzzle;
use crate::sokoban::Sokoban;

/// Two boxes side by side against the wall, one of them off goal.
const PAIR: &str = "########\n#  $$ .#\n# .@ $ #\n#  .   #\n########\n";

fn level(text: &str) -> Sokoban {
    let options = Options::new(Sokoban::OPTIONS, []).expect("defaults fit");
    Sokoban::read(text, &options).expect("levels").remove(0).puzzle.expect("a level")
}

fn judge(list: &PatternList) -> Result<(), PatternError> {
    level(PAIR).judge_patterns(list, &mut || true).map(|_| ())
}

/// The list that says it: every push wastes one, nothing is lost but by the pattern.
fn list() -> PatternList {
    let cells = || (1u16..=3).flat_map(|row| (1u16..=6).map(move |column| (row, column)));
    let beside =
        |(row, column): PatternCoord| if column > 1 { (row, column - 1) } else { (row, 2) };
    PatternList {
        claim: None,
        unit: 1,
        prices: vec![((1, 6), 0), ((2, 2), 0), ((3, 3), 0)],
        potential: cells().map(|cell| (cell, beside(cell), 0)).collect(),
        zones: Vec::new(),
        root: vec![0],
        patterns: vec![Pattern {
            pieces: vec![(1, 3), (1, 4)],
            empty: Vec::new(),
            player: (2, 3),
            value: None,
            why: PatternReason::Dead(Vec::new()),
        }],
    }
}

fn refused(change: impl FnOnce(&mut PatternList)) -> String {
    let mut changed = list();
    change(&mut changed);
    match judge(&changed) {
        Err(PatternError::Refused(reason)) => reason,
        other => panic!("{other:?}"),
    }
}

#[test]
fn two_boxes_against_a_wall_are_lost() {
    assert_eq!(judge(&list()), Ok(()));
    let within = PatternList { claim: Some(1000), ..list() };
    assert_eq!(judge(&within), Ok(()));
    assert_eq!(PatternList::read(list().to_string().as_bytes()), Ok(list()));
}

#[test]
fn what_does_not_follow_is_refused_with_the_reason() {
    let one_box = refused(|list| list.patterns[0].pieces.truncate(1));
    assert!(one_box.contains("no pattern covers it"), "{one_box}");
    let gains = refused(|list| list.potential[8].2 = 2);
    assert!(gains.contains("the potential gives a waste of -1"), "{gains}");
    let elsewhere = refused(|list| list.patterns[0].pieces = vec![(1, 4), (1, 5)]);
    assert!(elsewhere.contains("needs a box that is not there"), "{elsewhere}");
    let two = refused(|list| list.root = vec![0, 0]);
    assert!(two.contains("needs a box that is not there"), "{two}");
    let nothing = refused(|list| list.root.clear());
    assert!(nothing.contains("not shown to be lost"), "{nothing}");
    let no_price = refused(|list| list.prices.truncate(2));
    assert!(no_price.contains("a goal has no price"), "{no_price}");
    let lost_goal = refused(|list| list.potential.retain(|(cell, ..)| *cell != (2, 2)));
    assert!(lost_goal.contains("said to be lost"), "{lost_goal}");
    let zone = refused(|list| list.patterns[0].why = PatternReason::Zone(3));
    assert!(zone.contains("no zone"), "{zone}");
    let cover = Cover { from: (0, 0), direction: Direction::Up, by: vec![7] };
    let nowhere = refused(|list| list.patterns[0].why = PatternReason::Dead(vec![cover]));
    assert!(nowhere.contains("no cell to stand on"), "{nowhere}");
}

#[test]
fn stopping_is_no_verdict() {
    let stopped = level(PAIR).judge_patterns(&list(), &mut || false);
    assert_eq!(stopped, Err(PatternError::Stopped));
}

#[test]
fn broken_lists_are_refused_with_the_line() {
    let text = list().to_string();
    for (at, broken) in [("unit 1", "unit x"), ("root 0", "roof 0"), ("patterns 1", "patterns 2")] {
        let broken = text.replace(at, broken);
        assert!(PatternList::read(broken.as_bytes()).is_err(), "{broken}");
    }
    for length in 0..text.len() {
        // Whatever is left of it, nothing panics.
        let _ = PatternList::read(&text.as_bytes()[..length]);
    }
}
