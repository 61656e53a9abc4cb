//! The rules one by one, the formats, and laws on random levels.

use super::*;
use crate::constrained::ConstrainedPuzzle;
use crate::constraints::Constraints;
use crate::extras::PuzzleExt;
use crate::grid::Cell;
use proptest::prelude::*;
use std::collections::BTreeSet;

fn options(bonding: &str) -> Options {
    Options::new(Sokobond::OPTIONS, [("bonding", bonding)]).unwrap()
}

fn level(text: &str) -> Sokobond {
    Sokobond::parse(text, &options("ordered")).unwrap()
}

/// Plays keys, none of which may be blocked, and draws the end.
fn play(puzzle: &Sokobond, keys: &str) -> String {
    let mut state = puzzle.start();
    for key in keys.chars() {
        let outcome = puzzle.step(&state, Direction::of_key(key).unwrap());
        state = outcome.unwrap_or_else(|rule| panic!("{key} is forbidden: {rule}")).state;
    }
    puzzle.draw(&state, Style::Plain).unwrap()
}

/// The rule that forbids the first of these keys.
fn forbidden(puzzle: &Sokobond, key: char) -> &'static str {
    puzzle.step(&puzzle.start(), Direction::of_key(key).unwrap()).unwrap_err().rule
}

#[test]
fn hydrogen_meets_hydrogen() {
    let puzzle = level("H-h\n");
    assert_eq!(play(&puzzle, ""), "H . h\n");
    assert_eq!(play(&puzzle, "D"), ". H-h\n");
    let keys = puzzle.read_solution("d").unwrap();
    assert_eq!(puzzle.check(&keys), Ok(Tally { moves: 1, pushes: 1 }));
    assert_eq!(puzzle.check(&Keys::default()).unwrap_err().rule, "not-solved");
}

#[test]
fn a_blocked_key_changes_nothing_and_does_not_count() {
    let puzzle = level("H-h\n");
    let keys = puzzle.read_solution("WADS").unwrap();
    assert_eq!(puzzle.check(&keys).unwrap().moves, 1);
    assert_eq!(puzzle.plan(&keys), [Direction::Right]);
    assert_eq!(puzzle.solution_facts(&keys), [("blocked keys", 3.into())]);
    assert_eq!(forbidden(&puzzle, 'W'), rules::WALL);
}

#[test]
fn pushes_go_through_molecules() {
    // The pushed helium carries nothing, the pushed hydrogen takes its partner along.
    let puzzle = level("-----\nEhh-e\n");
    assert_eq!(play(&puzzle, "D"), ". . . . .\n\n. E h-h e\n");
    assert_eq!(forbidden(&level("Ehh-\n"), 'A'), rules::WALL);
    assert_eq!(forbidden(&level("Ehhx\n"), 'D'), rules::WALL);
}

#[test]
fn weaken_cuts_a_single_bond() {
    let single = level("v2\n- -\n /\nO o\n\n- -\n");
    assert_eq!(play(&single, "W"), "O .\n /\n. o\n\n. .\n");
    // Both free again and side by side after the cut: the pair does not bond in the same move.
    let both = level("v2\n- - -\n /\nO o -\n\ne - -\n");
    assert_eq!(play(&both, "WS"), ". . .\n /\nO-o .\n\ne . .\n");
}

#[test]
fn plus_strengthens_up_to_the_valence() {
    let puzzle = level("v2\n- -\n +\nC c\n\n- -\n");
    assert_eq!(play(&puzzle, "W"), "C=c\n +\n. .\n\n. .\n");
    assert_eq!(play(&puzzle, "WS"), ". .\n +\nC3c\n\n. .\n");
    assert_eq!(play(&puzzle, "WSWSW"), "C4c\n +\n. .\n\n. .\n");
    let nitrogen = level("v2\n- -\n +\nN n\n\n- -\n");
    assert_eq!(play(&nitrogen, "WSWSWS"), ". .\n +\nN3n\n\n. .\n");
    let keys = nitrogen.read_solution("WS").unwrap();
    assert_eq!(nitrogen.check(&keys).unwrap().moves, 2);
}

#[test]
fn weaken_acts_before_strengthen() {
    // Oxygen in the middle has no free electron until `/` takes one from the left bond.
    let puzzle = level("v2\n- - - -\n / +\no O n -\n\n- - - -\n");
    assert_eq!(play(&puzzle, "W"), ". O=n .\n / +\no . . .\n\n. . . .\n");
}

#[test]
fn rotation_pulls_the_rest_like_a_snake() {
    let puzzle = level("v2\n- - - -\n @\nO o o -\n");
    // The player goes up, its partner turns into its cell and the third follows in a line.
    assert_eq!(play(&puzzle, "W"), "O . . .\n|@\no-o . .\n");
}

#[test]
fn rotation_may_chase_its_tail() {
    // The head enters the cell that the tail leaves in the same move.
    let puzzle = level("v2\nH o\n @\nh o\n");
    assert_eq!(play(&puzzle, ""), "H-o\n @|\nh-o\n");
    assert_eq!(play(&puzzle, "S"), "o-o\n|@|\nH h\n");
}

#[test]
fn a_ring_cannot_turn() {
    let puzzle = level("v2\n- - -\n @\nO o -\n\no o -\n\n- - -\n");
    assert_eq!(puzzle.start.bonds.len(), 4);
    assert_eq!(forbidden(&puzzle, 'W'), rules::TWO_DIRECTIONS);
    assert!(puzzle.step(&puzzle.start(), Direction::Down).is_ok());
}

#[test]
fn neighbours_cannot_change_places() {
    // The tail of a long molecule comes back towards the player's partner.
    let puzzle = level("v2\n- o o o\n\nh h - o\n\nO - - o\n @\no o o o\n");
    assert_eq!(puzzle.start.bonds.len(), 11);
    assert_eq!(forbidden(&puzzle, 'D'), rules::EXCHANGE);
}

#[test]
fn bonds_form_left_before_right_before_up_before_down() {
    let choice = level("x-x\nh-h\nxHx\n");
    assert_eq!(play(&choice, "W"), "x . x\n\nh-H h\n\nx . x\n");
    let strict = choice.with_bonding(Bonding::Strict);
    assert_eq!(forbidden(&strict, 'W'), rules::AMBIGUOUS_BOND);
    let keys = strict.read_solution("W").unwrap();
    assert_eq!(strict.check(&keys).unwrap_err().rule, rules::AMBIGUOUS_BOND);
}

#[test]
fn the_first_bonds_start_from_the_player() {
    // Reading order alone would join the two on the left.
    let puzzle = level("hhH\n");
    let bond = Bond { first: Cell(1), second: Cell(2), multiplicity: 1 };
    assert_eq!(puzzle.start.bonds, [bond]);
    // A square of oxygen is a ring.
    assert_eq!(level("Oo\noo\n").start.bonds.len(), 4);
}

#[test]
fn two_strengthened_bonds_never_share_one_electron() {
    let puzzle = level("v2\n- - -\n + +\nc N c\n\n- - -\n");
    assert_eq!(forbidden(&puzzle, 'W'), rules::AMBIGUOUS_STRENGTHENING);
}

#[test]
fn the_file_is_read_with_solutions_and_warnings() {
    let text = "\nv2 multiple\nH - h\n   /\ne - H\n=DA\n= S\n";
    let mut levels = Sokobond::read(text, &options("auto")).unwrap();
    let level = levels.pop().unwrap();
    let puzzle = level.puzzle.unwrap();
    assert_eq!((level.line, level.solutions.len(), level.warnings.len()), (2, 2, 1));
    assert!(puzzle.multiple && puzzle.board.modifiers[Cell(1)] == Some(Modifier::Weaken));
    assert_eq!(puzzle.start.at(Cell(5)).map(|atom| atom.player), Some(true));
    assert_eq!(puzzle.print(), "v2 multiple\nh - h\n   /\ne - H\n");
    assert_eq!(puzzle.readings().iter().map(|r| r.name).collect::<Vec<_>>(), ["strict", "ordered"]);
}

#[test]
fn faults_name_their_place() {
    let fault = |text: &str| Sokobond::parse(text, &options("auto")).unwrap_err();
    let place = |text: &str| (fault(text).line, fault(text).column);
    assert_eq!(place("xx\nx?\n"), (2, 2));
    assert_eq!(place("\nv2\nH -\n ?\n- -\n"), (4, 2));
    assert_eq!(place("v2\nH-h\n"), (2, 2));
    assert_eq!(place("v2\nH -\n   /\n- -\n"), (3, 4));
    assert_eq!(place("v2\nH - -\n  //\n- - -\n"), (3, 4));
    assert_eq!(place("v2 many\nH\n"), (1, 0));
    assert_eq!(place("h-\n"), (0, 0));
    for text in ["", "=W", "v2", "x\n\nH\n", "v2\n\nH\n"] {
        assert!(fault(text).help.is_some(), "{text:?}");
    }
}

#[test]
fn pictures_show_atoms_bonds_and_modifiers() {
    let puzzle = level("v2\nO o\n @\n- x\n");
    assert_eq!(puzzle.draw(&puzzle.start(), Style::Plain).unwrap(), "O-o\n @\n. x\n");
    let unicode = puzzle.picture(None, Style::Unicode { color: false }).unwrap();
    assert_eq!(unicode, "O─o\n @\n· █\n");
    assert!(
        puzzle.picture(None, Style::Unicode { color: true }).unwrap().contains("\u{1b}[7;1;34mO")
    );
    let svg = puzzle.picture(None, Style::Svg).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("<circle") && svg.contains("<path"));
}

/// Positions that can be reached, at most `limit`.
fn reachable(puzzle: &Sokobond, limit: usize) -> BTreeSet<State> {
    let mut known = BTreeSet::from([puzzle.start()]);
    let mut open = vec![puzzle.start()];
    while let Some(state) = open.pop().filter(|_| known.len() < limit) {
        for mv in puzzle.moves(&state) {
            let next = puzzle.step(&state, mv).unwrap().state;
            if known.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    known
}

#[test]
fn laws_hold_in_every_position_of_random_levels() {
    for seed in 0..300 {
        let puzzle = Sokobond::sample(seed);
        assert_eq!(Sokobond::parse(&puzzle.print(), &options("auto")).unwrap().start, puzzle.start);
        for state in reachable(&puzzle, 300) {
            let text = puzzle.write_state(&state);
            assert_eq!(puzzle.read_state(&text).as_ref(), Some(&state), "seed {seed}: {text}");
            for mv in puzzle.moves(&state) {
                let stepped = puzzle.step(&state, mv).unwrap();
                assert_ne!(stepped.state, state, "seed {seed}: every move goes somewhere");
                if stepped.tally.pushes == 0 {
                    let back = puzzle.step(&stepped.state, mv.opposite()).unwrap();
                    assert_eq!((back.state, back.tally.pushes), (state.clone(), 0), "seed {seed}");
                }
            }
        }
    }
}

#[test]
fn samples_meet_every_rule() {
    let mut met = BTreeSet::new();
    for seed in 0..600 {
        let puzzle = Sokobond::sample(seed);
        for state in reachable(&puzzle, 200) {
            for direction in Direction::ALL {
                met.extend(puzzle.step(&state, direction).err().map(|refused| refused.rule));
            }
            met.extend(
                state
                    .bonds
                    .iter()
                    .map(|b| ["", "one", "two", "three", "four"][b.multiplicity as usize]),
            );
        }
    }
    for rule in [
        rules::WALL,
        rules::TWO_DIRECTIONS,
        rules::COLLISION,
        rules::AMBIGUOUS_BOND,
        rules::AMBIGUOUS_STRENGTHENING,
        "three",
        "four",
    ] {
        assert!(met.contains(rule), "no sample meets {rule}: {met:?}");
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "(v2( multiple)?\n)?[-xhonceHOC/+@ =\n]{0,60}") {
        for level in Sokobond::read(&text, &options("auto")).into_iter().flatten() {
            if let Ok(puzzle) = level.puzzle {
                let printed = puzzle.print();
                let again = Sokobond::parse(&printed, &options("auto")).unwrap();
                prop_assert_eq!(again.print(), printed);
                prop_assert_eq!(again, puzzle);
            }
        }
    }

    #[test]
    fn no_text_panics(text in any::<String>()) {
        let puzzle = level("H-h\n");
        let _ = Sokobond::read(&text, &options("auto"));
        let _ = puzzle.read_solution(&text);
        let _ = puzzle.read_state(&text);
    }
}

/// Of atoms that are pushed in a row each but the last leaves its place to the one behind it.
#[test]
fn an_atom_that_must_not_move_is_not_pushed_in_a_row() {
    let puzzle = level("Hee--\n");
    for (constraint, allowed) in [("atom 1,2", false), ("atom 1,3", false), ("cell 1,5", true)] {
        let mut constraints = Constraints::default();
        constraints.forbid(constraint).unwrap();
        let game = ConstrainedPuzzle::of(&puzzle, &constraints);
        let step = game.step(&game.start(), Direction::Right);
        assert_eq!(
            step.map(|_| ()),
            if allowed { Ok(()) } else { Err("forbidden-piece".into()) },
            "{constraint}"
        );
    }
}

/// Neighbours with free electrons that no bond joins.
fn about_to_bond(puzzle: &Sokobond, state: &State) -> bool {
    let free = |cell| state.at(cell).is_some_and(|atom| state.free(atom) > 0);
    state.atoms.iter().filter(|atom| free(atom.cell)).any(|atom| {
        let beside = puzzle.board.walls.neighbours(atom.cell);
        beside
            .map(|(_, cell)| cell)
            .any(|cell| free(cell) && state.multiplicity(atom.cell, cell) == 0)
    })
}

/// What bounds of search take for granted of levels without modifiers that were read: only a level
/// without one of its atoms begins otherwise.
#[test]
fn no_position_of_a_level_that_was_read_is_about_to_bond() {
    let mut seen = 0;
    for seed in 0..4_000 {
        let puzzle = Sokobond::sample(seed);
        if puzzle.board.modifiers.iter().any(|(_, modifier)| modifier.is_some()) {
            continue;
        }
        let read = level(&puzzle.print());
        let known = reachable(&read, 300);
        for state in &known {
            assert!(!about_to_bond(&read, state), "seed {seed}: {}", read.write_state(state));
        }
        seen += known.len();
    }
    assert!(seen > 10_000, "{seen}");
    let whole = level("ooo\nEoo\n");
    let parts = whole.parts();
    let atom = parts.iter().position(|part| part.name == "atom (1,1)").expect("an atom");
    let less = whole.without(&[atom]).expect("a level");
    assert!(about_to_bond(&less, &less.start()));
}
