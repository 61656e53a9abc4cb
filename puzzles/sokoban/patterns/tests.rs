//! A list written by hand: the definition, without a pattern search.

mod forging;
mod truth;

use crate::grid::Direction;
use crate::options::Options;
use crate::patterns::{
    Cover, Pattern, PatternCoord, PatternError, PatternExpansion, PatternList, PatternReason,
    PatternRules,
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

type Change<'a> = &'a dyn Fn(&mut PatternList);

/// Each change of the list is refused, with its reason.
fn all_refused(cases: &[(&str, Change<'_>)]) {
    for (reason, change) in cases {
        let mut changed = list();
        change(&mut changed);
        match judge(&changed) {
            Err(PatternError::Refused(refused)) => {
                assert!(refused.contains(reason), "{refused}: {reason}");
            }
            other => panic!("{other:?}: {reason}"),
        }
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
    let cover = || Cover { from: (0, 0), direction: Direction::Up, by: vec![7] };
    all_refused(&[
        ("no pattern covers it", &|list| list.patterns[0].pieces.truncate(1)),
        ("the potential gives a waste of -1", &|list| list.potential[8].2 = 2),
        ("needs a box that is not there", &|list| list.patterns[0].pieces = vec![(1, 4), (1, 5)]),
        ("needs a box that is not there", &|list| list.root = vec![0, 0]),
        ("not shown to be lost", &|list| list.root.clear()),
        ("a goal has no price", &|list| list.prices.truncate(2)),
        ("said to be lost", &|list| list.potential.retain(|(cell, ..)| *cell != (2, 2))),
        ("no zone", &|list| list.patterns[0].why = PatternReason::Zone(3)),
        ("no cell to stand on", &|list| {
            list.patterns[0].why = PatternReason::Dead(vec![cover()]);
        }),
    ]);
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

/// Every kind of pattern, with all that a line can say, reads back as it was written.
#[test]
fn every_kind_of_pattern_reads_back() {
    let cover = |by: &[u32]| Cover { from: (1, 3), direction: Direction::Left, by: by.to_vec() };
    let whys = [
        PatternReason::Dead(vec![cover(&[0]), cover(&[])]),
        PatternReason::Total(vec![cover(&[1, 2])]),
        PatternReason::Matching(vec![(1, 6)], vec![cover(&[0])]),
        PatternReason::Matching(Vec::new(), Vec::new()),
        PatternReason::Unserved(vec![(2, 2)], vec![(3, 3), (1, 6)], vec![cover(&[3])]),
        PatternReason::Zone(1),
        PatternReason::Outside(0, vec![cover(&[4]), cover(&[])]),
    ];
    let patterns = whys.into_iter().zip(0..).map(|(why, number)| Pattern {
        empty: if number % 2 == 0 { Vec::new() } else { vec![(3, 5), (3, 6)] },
        value: (number > 2).then_some(number),
        why,
        ..list().patterns[0].clone()
    });
    let zones = vec![vec![(1, 1)], vec![(2, 2), (1, 6), (3, 3)]];
    let all = PatternList { patterns: patterns.collect(), zones, claim: Some(7), ..list() };
    let text = all.to_string();
    assert_eq!(PatternList::read(text.as_bytes()), Ok(all));
    assert!(text.contains(" : 1,3 "), "{text}");
    assert!(text.contains(" still 2,2 goals 3,3 1,6 :"), "{text}");
}

#[test]
fn lists_that_say_something_else_are_not_read() {
    let text = list().to_string();
    let zone = PatternList {
        patterns: vec![Pattern { why: PatternReason::Zone(0), ..list().patterns[0].clone() }],
        ..list()
    };
    let zone = zone.to_string();
    for (text, at, other, reason) in [
        (&text, "unstuck patterns 1", "unstuck patterns 2", "expected unstuck patterns 1"),
        (&text, "\npatterns 1\n", "\npatterns 2\n", "expected 2 patterns, found 1"),
        (&text, "\npatterns 1\n", "\npatterns 0\n", "expected 0 patterns, found 1"),
        (&text, "\n0 dead", "\n1 dead", "expected pattern 0"),
        (&text, "claim *", "claim * 1", "expected the end of the line, found `1`"),
        (&text, "player 2,3", "player 2,3 5", "expected the end of the line, found `5`"),
        (&text, "player 2,3", "gamer 2,3", "expected player, found `gamer`"),
        (&text, "0 dead", "0 alive", "expected a kind of pattern, found `alive`"),
        (&zone, "of 0", "in 0", "expected of, found `in`"),
    ] {
        assert!(text.contains(at), "{text}");
        let broken = text.replace(at, other);
        let error = PatternList::read(broken.as_bytes()).expect_err(other).to_string();
        assert!(error.contains(reason), "{error}: {reason}");
    }
}

/// What each line of a list is held to before any pattern is looked at.
#[test]
fn cells_and_numbers_that_make_no_sense_are_refused() {
    let huge = 1 << 25;
    all_refused(&[
        ("the unit of waste", &|list| list.unit = 0),
        ("the unit of waste", &|list| list.unit = 3),
        ("no cell 0,0", &|list| list.potential[0].0 = (0, 0)),
        ("no cell 0,0", &|list| list.prices[0].0 = (0, 0)),
        ("a potential that makes no sense", &|list| list.potential[3].1 = list.potential[3].0),
        ("a potential that makes no sense", &|list| list.potential[3].2 = huge),
        ("a potential that makes no sense", &|list| list.potential[3].2 = -huge),
        ("a potential is given twice", &|list| list.potential.push(list.potential[3])),
        ("a price that makes no sense", &|list| list.prices.push(((1, 1), 0))),
        ("a price that makes no sense", &|list| list.prices.push(list.prices[0])),
        ("a price that makes no sense", &|list| list.prices[0].1 = -huge),
        ("the potential gives a waste of -1", &|list| list.prices[0].1 = 1),
        ("a push brings a lost box back", &|list| {
            list.potential.retain(|(cell, ..)| *cell != (2, 4));
        }),
        ("a cell is named twice", &|list| list.patterns[0].pieces = vec![(1, 3), (1, 3)]),
        ("two things on one cell", &|list| list.patterns[0].player = (1, 3)),
        ("two things on one cell", &|list| list.patterns[0].empty = vec![(1, 4)]),
        ("more boxes than the level has", &|list| {
            list.patterns[0].pieces = vec![(1, 1), (1, 2), (1, 3), (1, 4)];
        }),
        ("its own boxes do not need empty cells", &|list| list.patterns[0].empty = vec![(3, 6)]),
        ("a zone must hold all goals", &|list| {
            list.zones = vec![vec![(2, 2), (3, 3)]];
            list.patterns[0].pieces = vec![(2, 2), (3, 3)];
            list.patterns[0].value = Some(1);
            list.patterns[0].why = PatternReason::Zone(0);
        }),
    ]);
}

/// With a goal to spare an empty one must cost nothing.
#[test]
fn a_goal_that_may_stay_empty_has_no_price() {
    let text = PAIR.replace("#  .   #", "#  . . #");
    let mut spare = list();
    spare.prices.push(((3, 5), 0));
    let judge = |list: &PatternList| level(&text).judge_patterns(list, &mut || true).map(|_| ());
    assert_eq!(judge(&spare), Ok(()));
    spare.prices[3].1 = 1;
    let Err(PatternError::Refused(reason)) = judge(&spare) else { panic!("it is accepted") };
    assert!(reason.contains("has a price above 0"), "{reason}");
}

/// Where the player can come to no box, a pattern without boxes names all of them: it counts the goals
/// that stay empty, and those count once.
#[test]
fn a_pattern_of_all_boxes_is_added_to_none() {
    let list = PatternList {
        claim: Some(0),
        unit: 1,
        prices: vec![((1, 3), -1)],
        potential: vec![
            ((1, 1), (1, 2), 0),
            ((1, 2), (1, 1), 0),
            ((1, 2), (1, 3), 0),
            ((1, 3), (1, 2), 0),
        ],
        zones: Vec::new(),
        root: vec![0, 0],
        patterns: vec![Pattern {
            pieces: Vec::new(),
            empty: Vec::new(),
            player: (1, 1),
            value: Some(1),
            why: PatternReason::Dead(Vec::new()),
        }],
    };
    // It is solved as it stands.
    let level = level("########\n#@ .##*#\n########\n");
    let judge = |list: &PatternList| level.judge_patterns(list, &mut || true).map(|_| ());
    let Err(PatternError::Refused(reason)) = judge(&list) else { panic!("it is accepted") };
    assert!(reason.contains("names all boxes"), "{reason}");
    let Err(PatternError::Refused(reason)) = judge(&PatternList { root: vec![0], ..list }) else {
        panic!("it is accepted")
    };
    assert!(reason.contains("plans of 0 pushes"), "{reason}");
}

/// A box that has to be pushed once, with a potential by which ending wastes one; nobody comes back
/// from the left corner.
fn corridor() -> (Sokoban, PatternList) {
    let potential = vec![
        ((1, 2), (1, 1), -1),
        ((1, 2), (1, 3), -1),
        ((1, 3), (1, 2), 0),
        ((1, 3), (1, 4), 0),
        ((1, 4), (1, 3), -1),
    ];
    let list = PatternList {
        claim: Some(0),
        unit: 1,
        prices: vec![((1, 4), 0)],
        potential,
        zones: vec![vec![(1, 3), (1, 4)]],
        root: vec![0],
        patterns: vec![Pattern {
            pieces: vec![(1, 3)],
            empty: Vec::new(),
            player: (1, 1),
            value: Some(1),
            why: PatternReason::Zone(0),
        }],
    };
    (level("######\n#@ $.#\n######\n"), list)
}

#[test]
fn contents_of_a_zone_cover_the_start() {
    let (level, list) = corridor();
    assert!(level.judge_patterns(&list, &mut || true).is_ok());
    // The box stands in this zone, too, and is none of what the pattern names.
    let mut more = list;
    more.patterns[0].pieces.clear();
    let Err(PatternError::Refused(reason)) = level.judge_patterns(&more, &mut || true) else {
        panic!("it is accepted")
    };
    assert!(reason.contains("may be taken"), "{reason}");
}

#[test]
fn a_list_is_spelled_out_cell_by_cell() {
    let (level, list) = corridor();
    let left = vec![(1, 1), (1, 2), (1, 3)];
    let spelled = PatternExpansion {
        cells: vec![(1, 1), (1, 2), (1, 3), (1, 4)],
        parts: vec![vec![(1, 1), (1, 2)]],
        pushes: vec![
            ((1, 2), Direction::Left, None),
            ((1, 2), Direction::Right, Some(2)),
            ((1, 3), Direction::Left, Some(0)),
            ((1, 3), Direction::Right, Some(0)),
        ],
        lost: vec![((1, 1), vec![(1, 2), (1, 3), (1, 4)])],
        ends: vec![((1, 4), left.clone(), 1)],
        unused: Vec::new(),
        excluded: Some(0),
        by_potential: false,
        potential: vec![
            ((1, 2), vec![(vec![(1, 1)], -1), (vec![(1, 3), (1, 4)], -1)]),
            ((1, 3), vec![(vec![(1, 1), (1, 2)], 0), (vec![(1, 4)], 0)]),
            ((1, 4), vec![(left, -1)]),
        ],
        prices: 0,
        pieces: 1,
        start: (vec![(1, 3)], (1, 1)),
        is_full: true,
    };
    assert_eq!(level.spell_out(&list), Ok(spelled));
}
