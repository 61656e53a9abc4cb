//! How fast the warehouse replays, and how that grows: `cargo bench -p unstuck-puzzles`.
//!
//! Each line is one generated input, narrow or widened: the best of several runs of the replay
//! alone (parsing and setting up the board excluded), per instruction as well, and the number of
//! boxes that were moved. A replay allocates nothing per instruction, so memory is that of the
//! board.

use std::time::{Duration, Instant};
use unstuck_puzzles::warehouse::{FastState, Instructions, Warehouse};
use unstuck_puzzles::{Options, Puzzle, PuzzleExt};

/// A square map with its wall around, walls on 5 cells in 100 and boxes on `boxes` in 100.
fn input(size: usize, instructions: usize, boxes: u32) -> String {
    let mut rng = fastrand::Rng::with_seed(15);
    let mut text = String::with_capacity(size * (size + 1) + instructions + 2);
    for row in 0..size {
        for column in 0..size {
            let edge = |n: usize| n == 0 || n == size - 1;
            text.push(match rng.u32(0..100) {
                _ if edge(row) || edge(column) => '#',
                _ if (row, column) == (size / 2, size / 2) => '@',
                chance if chance < 5 => '#',
                chance if chance < 5 + boxes => 'O',
                _ => '.',
            });
        }
        text.push('\n');
    }
    text.push('\n');
    text.extend((0..instructions).map(|_| ['^', 'v', '<', '>'][rng.usize(0..4)]));
    text
}

/// A triangle of wide boxes, each standing on two, and the robot under its tip, pushing up.
fn triangle(rows: usize) -> String {
    let width = 2 * rows + 2;
    let mut text = format!("{}\n", ".".repeat(width));
    for row in 0..rows {
        let boxes = "[]".repeat(rows - row);
        let left = ".".repeat(row + 1);
        text.push_str(&format!("{left}{boxes}{}\n", ".".repeat(width - left.len() - boxes.len())));
    }
    text + &format!("{}@\n\n^\n", ".".repeat(rows))
}

fn replay(warehouse: &Warehouse, instructions: &Instructions) -> (Duration, u64) {
    let mut board = FastState::new(warehouse);
    let begin = Instant::now();
    board.obey_all(instructions);
    (begin.elapsed(), board.score())
}

fn report(name: &str, text: &str, widen: &str, runs: usize) {
    let options = Options::new(Warehouse::OPTIONS, [("widen", widen), ("gps", "0")]);
    let warehouse = Warehouse::parse(text, &options.expect("options of the family"));
    let warehouse = warehouse.expect("a generated map");
    let instructions = warehouse.instructions();
    let runs: Vec<_> = (0..runs).map(|_| replay(&warehouse, instructions)).collect();
    let (best, score) = runs.into_iter().min().expect("at least one run");
    let each = best.as_nanos() as f64 / instructions.0.len() as f64;
    println!("{name:<34} {best:>12.3?} {each:>12.1} ns each   score {score}");
}

fn main() {
    let published = input(50, 20_000, 25);
    for widen in ["0", "1", "2"] {
        report(&format!("50x50, 20,000, widened {widen}x"), &published, widen, 50);
    }
    for size in [100, 200, 500] {
        report(&format!("{size}x{size}, 1,000,000"), &input(size, 1_000_000, 25), "0", 5);
    }
    let large = input(1000, 10_000_000, 25);
    for widen in ["0", "1"] {
        report(&format!("1000x1000, 10,000,000, widened {widen}x"), &large, widen, 2);
    }
    for rows in [140, 450, 1400] {
        let boxes = rows * (rows + 1) / 2;
        report(&format!("one push of {boxes} boxes"), &triangle(rows), "0", 5);
    }
}
