//! No position on the way of a known plan may be called dead.
//!
//! The plans of the project's own levels stand here. Others are looked at on request: for each file
//! that `UNSTUCK_KNOWN_PLANS` names (with `:` between), a collection with recorded solutions.

use super::*;
use unstuck_puzzles::Options;

const OWN: &[(&str, &[&str])] = &[
    (
        include_str!("../../../../puzzles/levels/sokoban/crowds.sok"),
        &[
            "RDrdLuullLDldRuurrrUdlllUdrrruruLddllluluR",
            "rrrddddddlluRdrUdlllluRRdrUlllLdlUrrrrrUdlllluuruuurrdddRuruulDrdLulDuLulDDuulDrdLulD",
            "rruuuuullDDuullddddrRlluuuurrddDuuurrdddLrddlllluuuRDluuurrrrdLullD",
        ],
    ),
    (
        include_str!("../../../../puzzles/levels/sokoban/first-steps.sok"),
        &[
            "urDrdL",
            "rrDDlluulDD",
            "rddlluRRluLuurDrdL",
            "ddrRRurDlllluurDldRurD",
            "ldlddrruUdddrruuLrddlluUrruulLLdlddrruUdrruulL",
            "rDrdLLULrddlluUrrruL",
            "RlluurrrdDllUluR",
            "ldRRRRRllluuLLLLL",
            "lllddrRRllluRRurDDD",
        ],
    ),
    (
        include_str!("../../../../puzzles/levels/sokoban/longer-ways.sok"),
        &[
            "UdddrruuLruulLdD",
            "rrdrrUUUruLLLdlluurDldRRRurDDDrdLLLulldRRRR",
            "llldddrRlluuurrrddDuulDuulldddrR",
            "rrrdLrurrdLLullDDDldRRRurrddlUruLLLdlUUUluRRRdLulDDDldRRRurrddlUruLLLdlUUUrruRdlllluRRR",
            "DDLLdllUdrrurrrddlUruLdLLdlluRRRRurDllluRdllluRuulDDrdrruLrdrruLdlllUluurDDrddllUdrrurru\
             LdldlluRRRlluulDrdrruLdlUluurDDrrrrdLullddllUdrruurrdLullDldRluU",
            "dLLLLulldRRRRRRddlllUdrrruullLLulldRRRRlddrrruuurDlddllluulldRurrRRddlllUdrrruuu\
             rrdLulDllLddrrrrUdlllluurrrDrdLLruuurrdLulDDullldlluRRRRRurrdLddLruuulDD",
        ],
    ),
    (include_str!("../../../../puzzles/levels/sokoban/pantry.xsb"), &["rruuLLLrrruullDurrddlLdL"]),
    (
        include_str!("../../../../puzzles/levels/sokoban/spare-places.xsb"),
        &["lddrrrruuLDuuullllddrddrrRllluuUdddrrruuuullL"],
    ),
    (
        include_str!("../../../../puzzles/levels/sokoban/staircase.xsb"),
        &["dddRRRdrUUruulDDDllllddrUluRRRddrruLdlUrULLLdlUrrrrUdllllUdrrrruruulDDDlllluUrDl\
             dRRRddrruLdlUrULLLulDDrurrrUruulDDDlddrruLdlUruLLLdlUU"],
    ),
];

/// Follows a plan and asks every prune about each position that a push makes; how many there were.
fn followed(name: &str, puzzle: &Sokoban, moves: &str) -> usize {
    let direction = |letter: char| match letter.to_ascii_lowercase() {
        'u' => Direction::Up,
        'r' => Direction::Right,
        'd' => Direction::Down,
        'l' => Direction::Left,
        other => panic!("{name}: {other} is no move"),
    };
    let letters = moves.chars().filter(|letter| !letter.is_whitespace());
    let replay = puzzle.replay(&letters.map(direction).collect_vec());
    assert!(replay.stop.is_none(), "{name}: no plan");
    let mut space = <SokobanFeatures<16>>::new(puzzle, 1).expect("it fits");
    let floor = space.field.bounds().floor().clone();
    let mut positions = 0;
    for pair in replay.states.windows(2) {
        let boxes = |state: &<Sokoban as Moves>::State| -> BitSet<16> {
            state.boxes.iter().filter_map(|&cell| floor.spot(cell)).collect()
        };
        let (before, now) = (boxes(&pair[0]), boxes(&pair[1]));
        let Some(to) = now.minus(&before).first() else { continue };
        let player = floor.spot(pair[1].player).expect("the player is inside");
        let state = FeatureState::new(&space.field, now, player);
        assert!(space.is_matched(&state), "{name}: matching, push {positions}");
        assert!(!space.is_walled_off(&state), "{name}: walls, push {positions}");
        assert!(!space.is_besieged(&state), "{name}: sieges, push {positions}");
        let frozen = frozen_at(&space.field, &now, to);
        assert!(frozen.is_within(&space.goals), "{name}: frozen, push {positions}");
        let permitted = |pairs: &Pairs| pairs.permit(&now.without(to), to, player);
        assert!(space.pairs.as_ref().is_none_or(permitted), "{name}: pairs, push {positions}");
        positions += 1;
    }
    positions
}

#[test]
fn no_prefix_of_a_known_plan_is_dead() {
    let mut positions = 0;
    for (text, plans) in OWN {
        let levels = Sokoban::read(text, &Options::default()).expect("a collection");
        for (level, plan) in levels.iter().zip(*plans) {
            let puzzle = level.puzzle.as_ref().expect("a level");
            positions += followed(level.title.as_deref().unwrap_or("a level"), puzzle, plan);
        }
    }
    assert!(positions > 250, "{positions}");
}

#[test]
fn no_prefix_of_a_plan_from_elsewhere_is_dead() {
    let Ok(files) = std::env::var("UNSTUCK_KNOWN_PLANS") else {
        eprintln!("UNSTUCK_KNOWN_PLANS names no collections: nothing looked at");
        return;
    };
    for file in files.split(':') {
        let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{file}: {error}"));
        let levels = Sokoban::read(&text, &Options::default()).expect("a collection");
        let (mut plans, mut positions) = (0, 0);
        for level in &levels {
            let Ok(puzzle) = &level.puzzle else { continue };
            for moves in &level.solutions {
                let title = level.title.as_deref().unwrap_or("a level");
                positions += followed(title, puzzle, moves);
                plans += 1;
            }
        }
        eprintln!("{file}: {plans} plans, {positions} positions");
    }
}
