//! Games written in PuzzleScript against the families with the same rules: the same shortest
//! solutions on random boards.

use crate::common::brute::cheapest;
use crate::common::extent::extent;
use crate::common::folder;
use std::fs;
use unstuck::registry::by_name;
use unstuck_puzzles::puzzlescript::PuzzleScript;
use unstuck_puzzles::snowman::{Ground, Snowman};
use unstuck_puzzles::warehouse::{Goal, Warehouse};
use unstuck_puzzles::{Grid, Moves, Objective, Options, Puzzle, PuzzleExt};

/// States after which a board is skipped.
const STATES: usize = 20_000;

/// An own game with another board as its only level.
fn with_board(game: &str, rows: &[String]) -> PuzzleScript {
    let family = by_name(PuzzleScript::NAME).expect("registered");
    let path = folder(family).join(format!("{game}.puzzlescript"));
    let text = fs::read_to_string(path).expect("an own game");
    let (rules, _) = text.split_once("\nLEVELS\n").expect("levels");
    let text = format!("{rules}\nLEVELS\n\n{}\n", rows.join("\n"));
    let options = Options::new(PuzzleScript::OPTIONS, []).expect("defaults");
    PuzzleScript::parse(&text, &options).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Fewest moves; nothing where there are too many states.
fn optimum<P: Moves>(puzzle: &P) -> Option<Option<u32>> {
    Some(cheapest(puzzle, Objective::Moves, STATES)?.map(|(moves, _)| moves))
}

/// Compares boards that both know, as far as there is one to compare.
fn agree<P: Moves>(written: impl Fn(&P) -> Option<PuzzleScript>) {
    let boards = extent(150, 1500);
    let (mut solved, mut lost) = (0, 0);
    for seed in 0..boards {
        let puzzle = P::sample(seed);
        // What begins solved takes an input in PuzzleScript.
        let Some(game) = written(&puzzle).filter(|_| !puzzle.is_goal(&puzzle.start())) else {
            continue;
        };
        let Some(expected) = optimum(&puzzle) else { continue };
        let found = optimum(&game).expect("no more states");
        assert_eq!(found, expected, "seed {seed}:\n{}\n{}", puzzle.print(), game.print());
        *(if expected.is_some() { &mut solved } else { &mut lost }) += 1;
    }
    assert!(10 * solved > boards && 16 * lost > boards, "{}: {solved}, {lost}", P::NAME);
}

/// Letters of the own game for a board of snow; nothing for what it cannot say.
fn snow(puzzle: &Snowman) -> Option<PuzzleScript> {
    if puzzle.dismantle() || !puzzle.teleporters().is_empty() {
        return None;
    }
    let anywhere = puzzle.targets().next().is_none();
    let rows = |ground: &Grid<Ground>| {
        let letter = |cell| {
            let place = anywhere || ground[cell] == Ground::Target;
            let snow = puzzle.snow().contains(&cell);
            let choice = |on: char, off: char| if place { on } else { off };
            if ground[cell] == Ground::Wall {
                '#'
            } else if let Some(stack) = puzzle.stacks().get(&cell) {
                choice((b'0' + stack.number()).into(), (b'a' - 1 + stack.number()).into())
            } else if puzzle.player() == cell {
                if snow { choice('q', 's') } else { choice('p', 'r') }
            } else if snow {
                choice('*', ':')
            } else {
                choice('.', ',')
            }
        };
        let cells: Vec<char> = ground.cells().map(letter).collect();
        cells.chunks(ground.width()).map(|row| row.iter().collect()).collect::<Vec<String>>()
    };
    Some(with_board("snowman", &rows(puzzle.ground())))
}

#[test]
fn snowmen_by_rules_in_a_file() {
    agree(snow);
}

/// Letters of the own game for a warehouse, with walls around it; nothing for what it cannot say.
fn warehouse(puzzle: &Warehouse) -> Option<PuzzleScript> {
    let (layout, start) = (puzzle.layout(), puzzle.start());
    let (Goal::Map(goal) | Goal::Same(goal)) = puzzle.goal() else { return None };
    let wide = start.boxes.iter().any(|it| it.width > 2);
    if wide || goal.robot.is_some() || goal.boxes.len() != start.boxes.len() {
        return None;
    }
    // Nothing, a box, the left and the right half of a wide one.
    let part = |boxes: &[unstuck_puzzles::warehouse::WideBox], cell| {
        let on = boxes.iter().find(|it| it.covers(cell));
        on.map_or(0, |it| if it.width == 1 { 1 } else { 2 + usize::from(it.left != cell) })
    };
    let letter = |row: usize, column: usize| {
        let inside = row.checked_sub(1).zip(column.checked_sub(1));
        let cell = inside.and_then(|(row, column)| layout.cell(row, column));
        let Some(cell) = cell.filter(|&cell| !layout.is_wall(cell)) else { return '#' };
        let letters = match part(&start.boxes, cell) {
            _ if start.robot == cell => "@abc",
            0 => ".123",
            1 => "odef",
            2 => "lhij",
            _ => "rkmn",
        };
        letters.chars().nth(part(&goal.boxes, cell)).expect("four letters")
    };
    let row = |row| (0..layout.width() + 2).map(|column| letter(row, column)).collect();
    let rows: Vec<String> = (0..layout.height() + 2).map(row).collect();
    Some(with_board("warehouse", &rows))
}

#[test]
fn a_warehouse_by_rules_in_a_file() {
    agree(warehouse);
}
