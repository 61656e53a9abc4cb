//! Any text as the lists of a certificate: cubes, and dead patterns. What can be read survives
//! writing, and no list of patterns shows of a level with a plan that it needs more pushes than that.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;
use unstuck::transition::CubeList;
use unstuck_puzzles::patterns::{PatternList, PatternRules};
use unstuck_puzzles::sokoban::Sokoban;
use unstuck_puzzles::{Options, Puzzle, PuzzleExt};

const CUBES: &str = "unstuck invariant 1\n";
const PATTERNS: &str = "unstuck patterns 1\n";

/// Pushes of a shortest plan of the level.
const OPTIMUM: u32 = 5;

/// Two boxes, one two and one three pushes from its goal.
static LEVEL: LazyLock<Sokoban> = LazyLock::new(|| {
    let options = Options::new(Sokoban::OPTIONS, []).expect("defaults");
    Sokoban::parse("########\n#      #\n#@ $ . #\n# $  . #\n#      #\n########\n", &options)
        .expect("a level")
});

fuzz_target!(|input: (bool, &str)| {
    let (cubes, text) = input;
    if cubes {
        let Ok(list) = CubeList::read(format!("{CUBES}{text}").as_bytes()) else { return };
        let mut written = Vec::new();
        list.write(&mut written).expect("memory takes it");
        assert_eq!(CubeList::read(written.as_slice()), Ok(list));
        return;
    }
    let Ok(list) = PatternList::read(format!("{PATTERNS}{text}").as_bytes()) else { return };
    assert_eq!(PatternList::read(list.to_string().as_bytes()), Ok(list.clone()));
    let mut looks = 0;
    let shown = LEVEL.judge_patterns(&list, &mut || {
        looks += 1;
        looks < 10_000
    });
    assert!(shown.is_err() || list.claim.is_some_and(|claim| claim < OPTIMUM), "{list}");
});
