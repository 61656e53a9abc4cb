//! No position on the way of a known plan may be called dead.
//!
//! The plans of the project's own levels stand here. Others are looked at on request: for each file
//! that `UNSTUCK_KNOWN_PLANS` names (with `:` between), a collection with recorded solutions.

use super::*;
use std::path::Path;

/// The project's own levels, with a plan of each.
const OWN: &[(&str, &[&str])] = &[
    (
        "crowds.sok",
        &[
            "RDrdLuullLDldRuurrrUdlllUdrrruruLddllluluR",
            "rrrddddddlluRdrUdlllluRRdrUlllLdlUrrrrrUdlllluuruuurrdddRuruulDrdLulDuLulDDuulDrdLulD",
            "rruuuuullDDuullddddrRlluuuurrddDuuurrdddLrddlllluuuRDluuurrrrdLullD",
        ],
    ),
    (
        "first-steps.sok",
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
        "longer-ways.sok",
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
    ("pantry.xsb", &["rruuLLLrrruullDurrddlLdL"]),
    ("spare-places.xsb", &["lddrrrruuLDuuullllddrddrrRllluuUdddrrruuuullL"]),
    (
        "staircase.xsb",
        &["dddRRRdrUUruulDDDllllddrUluRRRddrruLdlUrULLLdlUrrrrUdllllUdrrrruruulDDDlllluUrDl\
             dRRRddrruLdlUrULLLulDDrurrrUruulDDDlddrruLdlUruLLLdlUU"],
    ),
];

/// Follows a plan and asks every prune about each position that a push makes; how many there were.
fn followed(name: &str, puzzle: &Sokoban, moves: &str) -> usize {
    let solution = puzzle.read_solution(moves).unwrap_or_else(|error| panic!("{name}: {error}"));
    let replay = puzzle.replay(&puzzle.plan(&solution));
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
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace");
    for (file, plans) in OWN {
        let file = project.join("puzzles/levels/sokoban").join(file);
        let text = std::fs::read_to_string(file).expect("a level");
        let levels = Sokoban::read(&text, &Options::default()).expect("a collection");
        for (level, plan) in levels.iter().zip(*plans) {
            let puzzle = level.puzzle.as_ref().expect("a level");
            positions += followed(level.title.as_deref().unwrap_or("a level"), puzzle, plan);
        }
    }
    assert!(positions > 250, "{positions}");
}

#[test]
#[ignore = "looks at the collections that UNSTUCK_KNOWN_PLANS names"]
fn no_prefix_of_a_plan_from_elsewhere_is_dead() {
    let files = std::env::var("UNSTUCK_KNOWN_PLANS").expect("collections with `:` between");
    for file in files.split(':') {
        let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{file}: {error}"));
        let levels = Sokoban::read(&text, &Options::default()).expect("a collection");
        let mut plans = 0;
        for level in &levels {
            let Ok(puzzle) = &level.puzzle else { continue };
            for moves in &level.solutions {
                followed(level.title.as_deref().unwrap_or("a level"), puzzle, moves);
                plans += 1;
            }
        }
        assert!(plans > 0, "{file}: no plans");
    }
}
