//! Constraints take the words that a family can say, all of them and no others.

use std::collections::{BTreeSet, VecDeque};
use unstuck_puzzles::constraints::Constraints;
use unstuck_puzzles::snowman::Snowman;
use unstuck_puzzles::sokoban::Sokoban;
use unstuck_puzzles::sokobond::Sokobond;
use unstuck_puzzles::validation::validate;
use unstuck_puzzles::warehouse::Warehouse;
use unstuck_puzzles::{Moves, Options, Puzzle, PuzzleExt};

/// Every push of some games is one that its family can say; gives how many there were.
fn says_its_pushes<P: Moves>() -> usize {
    let mut pushes = 0;
    for puzzle in (0..60).map(P::sample) {
        let mut seen = BTreeSet::from([puzzle.start()]);
        let mut open = VecDeque::from([puzzle.start()]);
        while let Some(from) = open.pop_front() {
            for mv in puzzle.moves(&from) {
                let Ok(stepped) = puzzle.step(&from, mv) else { continue };
                if stepped.tally.pushes > 0 {
                    let action = puzzle.action(&from, &stepped.state);
                    let mut constraints = Constraints::default();
                    constraints.forbid(&format!("push {action}")).unwrap();
                    assert_eq!(validate(&puzzle, &constraints), Ok(()), "{}: {action}", P::NAME);
                    pushes += 1;
                }
                if seen.len() < 300 && seen.insert(stepped.state.clone()) {
                    open.push_back(stepped.state);
                }
            }
        }
    }
    pushes
}

#[test]
fn families_say_all_their_pushes() {
    for pushes in [
        says_its_pushes::<Sokoban>(),
        says_its_pushes::<Snowman>(),
        says_its_pushes::<Sokobond>(),
        says_its_pushes::<Warehouse>(),
    ] {
        assert!(pushes > 500, "{pushes}");
    }
}

#[test]
fn what_a_family_cannot_say_is_no_wish() {
    let level =
        Sokoban::parse("######\n#@$ .#\n######\n", &Options::new(Sokoban::OPTIONS, []).unwrap())
            .unwrap();
    let refused = |text: &str| {
        let mut constraints = Constraints::default();
        let fault = constraints.forbid(text).and_then(|()| validate(&level, &constraints));
        fault.err().map(|fault| fault.to_string())
    };
    for text in ["push box (2,3) to (2,4)", "push box (2,4) to (2,3)", "move r", "move L"] {
        assert_eq!(refused(text), None, "{text}");
    }
    for text in [
        "push",
        "push valid: everything",
        "push box (2,3)",
        "push box (2,3) to",
        "push box (2,3) to (2,9)",
        "push box (02,3) to (2,4)",
        "push box (2,3) to (2,4) to (2,5)",
        "push ball (2,3) to (2,4)",
        "push box @ to @",
        "push nothing",
    ] {
        let fault = refused(text).unwrap_or_else(|| panic!("{text} was taken"));
        assert!(fault.contains("the first pushes are `push box (2,3) to (2,4)`"), "{fault}");
    }
    for text in ["move x", "move rr"] {
        let fault = refused(text).unwrap_or_else(|| panic!("{text} was taken"));
        assert!(fault.contains("its keys are d, l, r, u"), "{fault}");
    }
    for hidden in ['\x1b', '\r', '\u{85}', '\u{202e}', '\u{2028}', '\u{200b}', '\u{feff}'] {
        for text in [format!("push box{hidden}(2,3) to (2,4)"), format!("move r{hidden}")] {
            assert!(refused(&text).unwrap().contains("U+"), "{text:?}");
        }
        let mut constraints = Constraints::default();
        assert!(constraints.require(&format!("player{hidden} 2,2")).is_err());
    }
}
