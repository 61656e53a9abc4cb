//! Tests of format, rules and replay. The published examples are not ours to copy; inputs of the
//! same sizes are generated here and judged by two implementations that share nothing.

use super::{Cell, FastState, Goal, Instructions, State, Warehouse, WideBox, sniff};
use crate::constrained::ConstrainedPuzzle;
use crate::constraints::Constraints;
use crate::extras::PuzzleExt;
use crate::grid::Direction;
use crate::moves::Moves;
use crate::options::Options;
use crate::picture::{FrameOptions, Style};
use crate::puzzle::Puzzle;
use fastrand::Rng;
use proptest::prelude::*;

fn options(given: &[(&str, &str)]) -> Options {
    Options::new(Warehouse::OPTIONS, given.iter().copied()).expect("options of the family")
}

fn parse(text: &str) -> Warehouse {
    Warehouse::parse(text, &options(&[])).expect("a warehouse")
}

fn end_of(text: &str, given: &[(&str, &str)]) -> (String, u64) {
    let warehouse = Warehouse::parse(text, &options(given)).expect("a warehouse");
    let mut board = FastState::new(&warehouse);
    board.obey_all(warehouse.instructions());
    (warehouse.draw(&board.state(), Style::Plain).unwrap(), board.score())
}

/// The task as one would first write it down: letters in rows, recursion, `[` and `]` as two
/// special tiles. Only for boxes of width one and two.
mod naive {
    pub(super) type Grid = Vec<Vec<char>>;

    fn partner(grid: &Grid, row: usize, column: usize) -> Option<usize> {
        match grid[row][column] {
            '[' => Some(column + 1),
            ']' => Some(column - 1),
            _ => None,
        }
    }

    fn can_move(grid: &Grid, row: usize, column: usize, down: isize, right: isize) -> bool {
        let inside = |at: usize, by: isize, size| at.checked_add_signed(by).filter(|&n| n < size);
        let Some(next_row) = inside(row, down, grid.len()) else { return false };
        let Some(next_column) = inside(column, right, grid[0].len()) else { return false };
        match grid[next_row][next_column] {
            '#' => false,
            '.' => true,
            _ => {
                let ahead = can_move(grid, next_row, next_column, down, right);
                let other = match partner(grid, next_row, next_column) {
                    Some(other) if down != 0 => can_move(grid, next_row, other, down, right),
                    _ => true,
                };
                ahead && other
            }
        }
    }

    fn shift(grid: &mut Grid, row: usize, column: usize, down: isize, right: isize) {
        let (to_row, to_column) = (row.strict_add_signed(down), column.strict_add_signed(right));
        if grid[to_row][to_column] != '.' {
            let other = partner(grid, to_row, to_column).filter(|_| down != 0);
            shift(grid, to_row, to_column, down, right);
            if let Some(other) = other {
                shift(grid, to_row, other, down, right);
            }
        }
        grid[to_row][to_column] = grid[row][column];
        grid[row][column] = '.';
    }

    pub(super) fn run(map: &str, instructions: &str) -> Grid {
        let mut grid: Grid = map.lines().map(|line| line.chars().collect()).collect();
        for letter in instructions.chars() {
            let (down, right) = match letter {
                '^' => (-1, 0),
                'v' => (1, 0),
                '<' => (0, -1),
                '>' => (0, 1),
                _ => continue,
            };
            let (row, column) = (0..grid.len())
                .find_map(|row| Some((row, grid[row].iter().position(|&c| c == '@')?)))
                .unwrap();
            if can_move(&grid, row, column, down, right) {
                shift(&mut grid, row, column, down, right);
            }
        }
        grid
    }

    pub(super) fn widen(map: &str) -> String {
        map.replace(['[', ']'], "O")
            .replace('#', "##")
            .replace('.', "..")
            .replace('O', "[]")
            .replace('@', "@.")
    }

    pub(super) fn text(grid: &Grid) -> String {
        grid.iter().flat_map(|row| row.iter().chain(&['\n'])).collect()
    }

    pub(super) fn score(grid: &Grid) -> u64 {
        let cells = grid.iter().enumerate();
        let cells = cells.flat_map(|(row, line)| line.iter().enumerate().map(move |c| (row, c)));
        let boxes = cells.filter(|(_, (_, letter))| "[O".contains(**letter));
        boxes.map(|(row, (column, _))| 100 * row as u64 + column as u64).sum()
    }
}

/// A map like the published inputs: wall around, a few walls within.
fn published_size(rng: &mut Rng, size: usize, instructions: usize) -> (String, String) {
    let mut rows: Vec<Vec<char>> = (0..size)
        .map(|row| {
            let edge = |n: usize| n == 0 || n == size - 1;
            (0..size)
                .map(|column| match rng.u32(0..100) {
                    _ if edge(row) || edge(column) => '#',
                    0..=5 => '#',
                    6..=35 => 'O',
                    _ => '.',
                })
                .collect()
        })
        .collect();
    rows[size / 2][size / 2] = '@';
    let map = rows.iter().flat_map(|row| row.iter().chain(&['\n'])).collect();
    let letters = (0..instructions).map(|_| ['^', 'v', '<', '>'][rng.usize(0..4)]).collect();
    (map, letters)
}

#[test]
fn replay_agrees_with_the_naive_implementation() {
    let mut rng = Rng::with_seed(15);
    let sizes = [(8, 15, 100), (10, 700, 60), (14, 400, 30), (50, 20_000, 2)];
    for (size, length, times) in sizes {
        for _ in 0..times {
            let (mut map, instructions) = published_size(&mut rng, size, length);
            let text = format!("{map}\n{instructions}\n");
            for widen in ["0", "1", "2"] {
                let grid = naive::run(&map, &instructions);
                let (end, score) = end_of(&text, &[("widen", widen)]);
                assert_eq!(end, naive::text(&grid), "{text}");
                assert_eq!(score, naive::score(&grid));
                map = naive::widen(&map);
            }
        }
    }
}

/// The scores in `expected.json` were computed by a script that shares nothing with this crate
/// (letters in rows, a flood along the push); the naive implementation here agrees.
#[test]
fn recorded_scores_of_the_own_levels() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/levels/warehouse");
    let read = |file: &str| std::fs::read_to_string(format!("{folder}/{file}")).expect(file);
    let expected: serde_json::Value = serde_json::from_str(&read("expected.json")).unwrap();
    let mut scored = 0;
    for entry in expected["levels"].as_array().unwrap() {
        let Some(score) = entry["score"].as_u64() else { continue };
        let text = read(entry["file"].as_str().unwrap());
        let widen = entry["options"]["widen"].as_str().unwrap_or("0");
        let (map, instructions) = text.split_once("\n\n").unwrap();
        let map = if widen == "1" { naive::widen(map) } else { map.to_owned() };
        assert_eq!(naive::score(&naive::run(&map, instructions)), score, "{entry}");
        assert_eq!(end_of(&text, &[("widen", widen)]).1, score, "{entry}");
        scored += 1;
    }
    assert!(scored >= 5);
}

#[test]
fn the_fast_replay_agrees_with_the_rules() {
    let mut rng = Rng::with_seed(7);
    for seed in 0..3000 {
        let warehouse = Warehouse::sample(seed);
        let mut board = FastState::new(&warehouse);
        let mut state = warehouse.start();
        let mut pushes = 0;
        for _ in 0..40 {
            let direction = Direction::ALL[rng.usize(0..4)];
            let effect = board.obey(direction);
            match warehouse.step(&state, direction) {
                Ok(stepped) => {
                    assert_ne!(stepped.state, state);
                    pushes += stepped.tally.pushes;
                    state = stepped.state;
                    assert_eq!(
                        effect == super::InstructionEffect::Pushed,
                        stepped.tally.pushes == 1
                    );
                }
                Err(_) => assert_eq!(effect, super::InstructionEffect::Blocked),
            }
            assert_eq!(board.state(), state, "{}", warehouse.print());
            assert_eq!(
                (board.tally().pushes, board.score()),
                (pushes, state.score(warehouse.layout()))
            );
            assert_eq!(warehouse.read_state(&warehouse.write_state(&state)), Some(state.clone()));
        }
    }
}

#[test]
fn boxes_of_every_width_push_alike() {
    // Up: the box of width 3 meets both boxes above, and the right one meets a third.
    let map = "......O\n.O...[]\n..[=]..\n...@...\n\n>>\n";
    let map = map.replace("..[=]..", ".O[==].").replace(".O...[]", ".[]..O.");
    let (end, _) = end_of(&format!("{}^\n", map.replace(">>\n", "")), &[]);
    assert_eq!(end, ".[]..OO\n..[==].\n.O.@...\n.......\n");
    let (end, _) = end_of("..@[=]O[].\n\n>>\n", &[]);
    assert_eq!(end, "...@[=]O[]\n", "the second push is blocked and spent");
}

#[test]
fn growing_keeps_boxes_and_doubling_multiplies_them() {
    let text = "@O.\n";
    let widened = |given: &[_]| Warehouse::parse(text, &options(given)).unwrap().print();
    assert_eq!(widened(&[("widen", "1")]), "@.[]..\n");
    assert_eq!(widened(&[("widen", "2")]), "@...[][]....\n");
    let grow = ("widen-boxes", "grow");
    assert_eq!(widened(&[("widen", "1"), grow]), "@.[]..\n");
    assert_eq!(widened(&[("widen", "2"), grow]), "@...[==]....\n");
    let text = "@O.\n\n@?O\n";
    let widened = |given: &[_]| Warehouse::parse(text, &options(given)).unwrap().print();
    assert_eq!(widened(&[("widen", "1")]), "@.[]..\n\n@.??[]\n");
}

#[test]
fn scores_by_hand() {
    // Rows and columns from 0: 101 + 203 = 304, then the box of width two moves one to the right.
    let text = "######\n#O@..#\n#..[]#\n#....#\n######\n";
    let warehouse = parse(text);
    assert_eq!(warehouse.start().score(warehouse.layout()), 304);
    let facts = warehouse.solution_facts(&warehouse.read_solution(">v<<<").unwrap());
    // The box goes down: row 3, column 3; the last instruction meets the wall.
    assert_eq!(facts, [("score", 404.into()), ("blocked", 1.into())]);
}

#[test]
fn the_four_goals() {
    let same = parse("@O..\n\n>><\n");
    assert!(matches!(same.goal(), Goal::Same(_)));
    assert_eq!(same.check(&Instructions(vec![Direction::Right; 2])).unwrap().moves, 2);
    assert_eq!(same.check(&Instructions(vec![Direction::Right])).unwrap_err().rule, "not-solved");

    let map = parse("@O..\n\n<\n\n.@?O\n");
    assert!(map.check(&map.read_solution(">><").unwrap()).is_ok());
    assert!(map.check(&map.read_solution(">>").unwrap()).is_err(), "the robot must step back");

    for (asked, fine) in [("=2", true), ("2", true), ("<=1", false), (">= 2", true), ("=3", false)]
    {
        let score = Warehouse::parse("@O..\n", &options(&[("gps", asked)])).unwrap();
        assert_eq!(score.check(&Instructions(vec![Direction::Right])).is_ok(), fine, "{asked}");
    }
    assert_eq!(*parse("@O..\n").goal(), Goal::Anything);
    assert_eq!(parse("@O..\n\ngps <= 7\n").print(), "@O..\n\ngps <=7\n");
}

#[test]
fn faults_name_the_place_and_the_way_out() {
    let faults = [
        ("#@[#\n", "line 1, column 3: this box is cut off by a wall"),
        ("#@.\n..[\n", "line 2, column 3: this box is cut off by the edge of the map"),
        ("#@[.\n", "line 1, column 3: this box has no right end"),
        ("#@[==O\n", "line 1, column 3: this box has no right end"),
        ("#@[[]\n", "line 1, column 3: this box has no right end"),
        ("#@]#\n", "line 1, column 3: `]` without a `[` before it"),
        ("#@.=]\n", "line 1, column 4: `=` without a `[` before it"),
        ("\n#@.\n.@#\n", "line 3, column 2: a second robot"),
        ("#O#\n", "line 1: no robot in the map"),
        ("^v\n", "no map in this text"),
        ("@.$\n", "line 1, column 3: `$` is not part of a map"),
        ("@..\n\n<>x\n", "line 3, column 3: `x` is not an instruction"),
        ("@.\n\n.O\n..\n", "line 3: the goal map has 2 rows, the map has 1"),
        ("@.\n\n.#\n", "line 3, column 2: the map has no wall here"),
        ("@#\n\n.O\n", "line 3, column 2: the map has a wall here"),
        ("@.\n\n...\n", "line 3, column 3: beyond the right edge of the map"),
        ("@.\n\n.\n", "line 3, column 2: the row ends before the map's"),
        ("@?\n", "line 1, column 2: `?` in the map of the start"),
        ("@\n\n.\n\n.\n", "line 5: a third map"),
        ("@\n\ngps >= x\n", "line 3, column 4: `>= x` is not a demand on the score"),
        ("@\n\ngps 1\n\n.\n", "line 5: a goal map and a demand on the score in one file"),
    ];
    for (text, fault) in faults {
        let error = Warehouse::parse(text, &options(&[])).unwrap_err();
        assert_eq!(error.to_string(), fault);
    }
    let helped = Warehouse::parse("@$\n", &options(&[])).unwrap_err().help.unwrap();
    assert!(helped.contains("Sokoban"));
    let large = Warehouse::parse(
        &"@".replace('@', &format!("@{}", ".".repeat(99))),
        &options(&[("widen", "20")]),
    );
    assert!(large.unwrap_err().help.unwrap().contains("`widen`"));
    assert!(Warehouse::parse("@", &options(&[("gps", "~3")])).unwrap_err().help.is_some());
}

#[test]
fn a_push_can_fan_out_over_100_000_boxes() {
    // A triangle of wide boxes, each standing on two: one push at its tip moves all of them.
    let rows: usize = 450;
    let width = 2 * rows + 4;
    let mut text = ".".repeat(width) + "\n";
    for row in 0..rows {
        let boxes = rows - row;
        text.push_str(&".".repeat(row + 1));
        text.push_str(&"[]".repeat(boxes));
        text.push_str(&".".repeat(width - row - 1 - 2 * boxes));
        text.push('\n');
    }
    text.push_str(&format!("{}@\n\n^v\n", ".".repeat(rows)));
    let warehouse = parse(&text);
    let boxes = warehouse.start().boxes.len() as u64;
    assert!(boxes > 100_000);
    let mut board = FastState::new(&warehouse);
    let before = board.score();
    board.obey_all(warehouse.instructions());
    assert_eq!(board.score(), before - 100 * boxes);
    // One wall cell above the far row, and nothing moves any more.
    let mut board = FastState::new(&warehouse);
    board.obey(Direction::Up);
    let up = board.state();
    assert_eq!(board.obey(Direction::Up), super::InstructionEffect::Blocked);
    assert_eq!(board.state(), up);
}

#[test]
fn stages_obey_blocked_instructions_too() {
    let warehouse = parse("@O.\n\n>><\n");
    let frames = warehouse.frames(warehouse.instructions(), FrameOptions::all(true, Style::Plain));
    let shown: Vec<_> =
        frames.iter().map(|f| (f.moves, f.label.as_str(), f.board.as_str())).collect();
    assert_eq!(
        shown,
        [
            (0, "score 1", "@O.\n"),
            (1, "> score 2", ".@O\n"),
            (2, "> score 2", ".@O\n"),
            (3, "< score 2", "@.O\n")
        ]
    );
    let frames = warehouse.frames(warehouse.instructions(), FrameOptions::all(false, Style::Plain));
    assert_eq!(frames.last().unwrap().label, ">< score 2");
    assert!(warehouse.picture(None, Style::Svg).unwrap().starts_with("<svg"));
    assert_eq!(warehouse.picture(None, Style::Unicode { color: false }).unwrap(), "@■○\n");
}

#[test]
fn only_true_positions_are_read() {
    let warehouse = parse("@[].\n#O..\n");
    assert_eq!(warehouse.write_state(&warehouse.start()), "0 1x2 5");
    let wrong = [
        "",
        "0",
        "0 1x2",
        "0 1x2 5x2",
        "0 5 1x2",
        "4 1x2 5",
        "0 0x2 5",
        "0 3x2 5",
        "9 1x2 5",
        "0 1x2 2",
        "1 1x2 5",
        "0 1x02 5",
        "0 4294967295x2 5",
        "x",
        "0  1x2 5",
    ];
    for text in wrong {
        assert_eq!(warehouse.read_state(text), None, "{text}");
    }
    let boxes = vec![WideBox { left: Cell(2), width: 2 }, WideBox { left: Cell(5), width: 1 }];
    assert_eq!(warehouse.read_state("1 2x2 5"), Some(State { robot: Cell(1), boxes }));
}

#[test]
fn warehouses_are_distinguished_from_sokoban() {
    assert!(sniff("#@O.#\n"));
    assert!(sniff("#@.#\n\n<>\n"));
    assert!(sniff("#@[=]#\n"));
    assert!(!sniff("#@.#\n"), "a Sokoban board without boxes looks the same");
    assert!(!sniff("#@$.#\n"));
    assert!(!sniff("<><>\n"));
}

#[test]
fn samples_cover_the_family() {
    let samples: Vec<_> = (0..1000).map(Warehouse::sample).collect();
    let share = |what: &dyn Fn(&Warehouse) -> bool| samples.iter().filter(|w| what(w)).count();
    assert!(share(&|w| matches!(w.goal(), Goal::Map(_))) > 200);
    assert!(share(&|w| matches!(w.goal(), Goal::Same(_))) > 100);
    assert!(share(&|w| matches!(w.goal(), Goal::Score(_))) > 100);
    for width in 1..=3 {
        assert!(share(&|w| w.start().boxes.iter().any(|b| b.width == width)) > 100);
    }
    let mixed =
        |w: &Warehouse| w.start().boxes.windows(2).any(|pair| pair[0].width != pair[1].width);
    assert!(share(&mixed) > 50);
}

#[test]
fn printing_and_reading_samples_is_the_identity() {
    for seed in 0..2000 {
        let warehouse = Warehouse::sample(seed);
        let text = warehouse.print();
        assert_eq!(parse(&text), warehouse, "{text}");
        assert_eq!(parse(&text).print(), text);
    }
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(text in "[#.O\\[\\]=@?^v<>\ngps 0-9é\t]{0,80}", any in ".*") {
        for text in [&text, &any] {
            for given in [&[][..], &[("widen", "2"), ("widen-boxes", "grow")], &[("gps", text.as_str())]] {
                sniff(text);
                if let Ok(warehouse) = Warehouse::parse(text, &options(given)) {
                    let printed = warehouse.print();
                    prop_assert_eq!(parse(&printed).print(), printed);
                    let _ = warehouse.read_solution(text);
                    let _ = warehouse.read_state(text);
                }
            }
        }
    }
}

/// Of boxes that are pushed in a row each but the last leaves its place to the one behind it.
#[test]
fn a_box_that_must_not_move_is_not_pushed_in_a_row() {
    let puzzle = parse("@OO..\n\n..OO.\n");
    for (constraint, allowed) in [("box 1,2", false), ("box 1,3", false), ("cell 1,5", true)] {
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

#[test]
fn solutions_may_have_letters_and_files_may_not() {
    let map = "####\n#@.#\n#..#\n####\n\n>v\n";
    let warehouse = parse(map);
    for moves in [">v", "rd", "RD", "→↓"] {
        assert_eq!(warehouse.read_solution(moves).expect("moves").to_string(), ">v");
    }
    assert!(Warehouse::parse(&map.replace(">v", ">d"), &options(&[])).is_err());
}

#[test]
fn only_a_file_with_nothing_but_instructions_asks_for_their_end() {
    let map = "####\n#@.#\n#..#\n####\n";
    assert!(super::own_moves(&format!("{map}\n>v\n")).is_some());
    for text in [map.to_owned(), format!("{map}\n>v\n\ngps >= 10\n"), ">v\n".to_owned()] {
        assert_eq!(super::own_moves(&text), None, "{text}");
    }
}
