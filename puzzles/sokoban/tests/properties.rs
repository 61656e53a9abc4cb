use crate::extras::PuzzleExt;
use crate::grid::Direction;
use crate::moves::Moves;
use crate::options::Options;
use crate::picture::{FrameOptions, Style};
use crate::play::Play;
use crate::puzzle::Puzzle;
use crate::sokoban::{Collection, Sokoban};
use proptest::prelude::*;

/// Lines that look like parts of collections, in any order.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[#@$.*+ _-]{0,9}",
        4 => "#[@$.* -]{0,6}#",
        2 => "[#@$.*+ 0-9()|wpbPB-]{0,9}",
        1 => "; ?[a-z0-9#:]{0,6}",
        1 => "(Title|Comment|Comment-End|Solution|Author|Game|x y): ?[a-zA-Z#]{0,5}",
        1 => "(Solution|Saved game)( [0-9]/[0-9])?",
        1 => "[lurdLURD0-9*]{1,12}",
        1 => "::[a-z:]{0,3}",
        1 => "[a-z#;: ]{0,8}",
        2 => Just(String::new()),
        2 => Just("#####\n#@$.#\n#####".to_owned()),
    ]
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        1 => ".{0,200}",
        1 => "(?s).{0,200}",
        6 => proptest::collection::vec(line(), 0..30).prop_map(|lines| lines.join("\n")),
    ]
}

/// What must hold for any text: nothing panics, and what was understood can be written and read.
pub(super) fn survives(text: &str) {
    let Ok(levels) = Sokoban::read(text, &Options::default()) else { return };
    for level in levels {
        let Ok(puzzle) = level.puzzle else { continue };
        let options = Options::default();
        let printed = puzzle.print();
        assert_eq!(Sokoban::parse(&printed, &options), Ok(puzzle.clone()), "{printed}");
        assert_eq!(Sokoban::parse(&level.text, &options), Ok(puzzle.clone()), "{}", level.text);
        for solution in level.solutions {
            if let Ok(solution) = puzzle.read_solution(&solution) {
                let _ = puzzle.check(&solution);
            }
        }
    }
    let collection = Collection::read(text).expect("it was read before");
    let printed = collection.to_string();
    let again = Collection::read(&printed).expect("what we print can be read");
    assert_eq!(again.to_string(), printed);
    let summary = |collection: &Collection| -> Vec<_> {
        let entries = collection.entries.iter();
        entries
            .map(|it| (it.title().map(str::to_owned), it.puzzle.clone().ok(), it.solutions()))
            .collect()
    };
    assert_eq!(summary(&again), summary(&collection), "{printed}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn any_text_is_read_without_panic_and_survives_printing(text in text()) {
        survives(&text);
    }

    #[test]
    fn any_move_string_is_read_without_panic(seed in 0u64..50, text in "(.{0,40}|[lurdLURD0-9()* ]{0,40})") {
        let level = Sokoban::sample(seed);
        if let Ok(solution) = level.read_solution(&text) {
            let printed = solution.to_string();
            prop_assert_eq!(level.read_solution(&printed), Ok(solution.clone()));
            let _ = level.check(&solution);
            prop_assert!(level.picture(Some(&solution), Style::Svg).is_some());
            prop_assert!(level.frames(&solution, FrameOptions::all(true, Style::Plain)).len() <= solution.len() + 1);
        }
    }

    #[test]
    fn any_state_text_is_read_without_panic(seed in 0u64..50, text in "(.{0,20}|[0-9 ]{0,20})") {
        let level = Sokoban::sample(seed);
        if let Some(state) = level.read_state(&text) {
            prop_assert_eq!(level.write_state(&state), text);
        }
    }

    #[test]
    fn legal_walks_are_judged_as_they_were_played(seed in 0u64..200, turns in proptest::collection::vec(0usize..4, 0..60)) {
        let level = Sokoban::sample(seed);
        let mut state = level.start();
        let mut plan: Vec<Direction> = Vec::new();
        for turn in turns {
            let moves = level.moves(&state);
            let Some(&mv) = moves.get(turn % moves.len().max(1)) else { break };
            state = level.step(&state, mv).expect("it was offered").state;
            plan.push(mv);
        }
        let solution = level.solution(&plan);
        prop_assert_eq!(level.plan(&solution), plan.clone());
        prop_assert_eq!(level.check(&solution).is_ok(), level.is_goal(&state));
        prop_assert_eq!(level.replay(&plan).tally.pushes as usize, solution.pushes());
        prop_assert_eq!(level.read_state(&level.write_state(&state)), Some(state));
    }
}
