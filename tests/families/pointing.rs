//! Ways that a person points at: found in every family whose player moves, and played by the rules.

use unstuck_puzzles::pointing::{drag, walk};
use unstuck_puzzles::snowman::Snowman;
use unstuck_puzzles::sokoban::Sokoban;
use unstuck_puzzles::sokobond::Sokobond;
use unstuck_puzzles::warehouse::Warehouse;
use unstuck_puzzles::{Moves, Options, Play, Puzzle, PuzzleExt};

fn sokoban(text: &str) -> Sokoban {
    Sokoban::parse(text, &Options::new(Sokoban::OPTIONS, []).expect("defaults")).expect("a level")
}

#[test]
fn a_walk_goes_round_boxes_and_gives_up_behind_them() {
    let level = sokoban("#######\n#@    #\n# $$$ #\n#  .. #\n#    .#\n#######\n");
    let start = level.start();
    let plan = walk(&level, &start, (3, 3)).expect("a way round");
    assert_eq!(plan.len(), 4);
    assert!(walk(&level, &start, (2, 3)).is_none(), "a box stands there");
    let shut = sokoban("#####\n#@$.#\n#####\n");
    assert!(walk(&shut, &shut.start(), (1, 3)).is_none());
}

#[test]
fn a_drag_moves_that_piece_and_no_other() {
    let level = sokoban("########\n#@     #\n# $ $  #\n#   .. #\n#      #\n########\n");
    let plan = drag(&level, &level.start(), (2, 2), (3, 3)).expect("a way");
    let replay = level.replay(&plan);
    let last = level.pieces(replay.states.last().expect("the start at least"));
    assert_eq!(last.others, [vec![(2, 4)], vec![(3, 3)]]);
    assert!(drag(&level, &level.start(), (2, 3), (3, 3)).is_none(), "nothing is there");
}

/// Every walk and drag on random boards plays by the rules and does what was asked.
fn holds<P: Moves>() {
    let mut ways = 0;
    for seed in 0..60 {
        let puzzle = P::sample(seed);
        let start = puzzle.start();
        let pieces = puzzle.pieces(&start);
        for to in (0..5).flat_map(|row| (0..5).map(move |column| (row, column))) {
            if let Some(plan) = walk(&puzzle, &start, to) {
                let replay = puzzle.replay(&plan);
                assert_eq!((replay.stop.is_none(), replay.tally.pushes), (true, 0));
                let last = replay.states.last().expect("the start at least");
                assert_eq!(puzzle.pieces(last).player, to);
                ways += 1;
            }
        }
        for piece in pieces.others.iter().filter_map(|piece| piece.first()) {
            for to in [(piece.0 + 1, piece.1), (piece.0, piece.1 + 1)] {
                let Some(plan) = drag(&puzzle, &start, *piece, to) else { continue };
                let replay = puzzle.replay(&plan);
                let last = puzzle.pieces(replay.states.last().expect("the start at least"));
                assert!(last.others.iter().any(|piece| piece.contains(&to)));
                let moved =
                    last.others.iter().filter(|piece| !pieces.others.contains(piece)).count();
                assert!(moved <= 1, "{plan:?}");
                ways += 1;
            }
        }
    }
    assert!(ways > 60, "hardly a way in {ways}");
}

#[test]
fn ways_do_what_was_asked_in_every_family() {
    holds::<Sokoban>();
    holds::<Sokobond>();
    holds::<Snowman>();
    holds::<Warehouse>();
}
