//! Flow boards, solved by unstuck and by the crate permanganate side by side.
//!
//! `cargo run --release -- FILE...` prints a table: the times of both for a first solution without
//! self-touch, their ratio, and what the rules say of each answer. Only boards of squares with
//! nothing but holes are compared, which both read. The other crate has no time limit, so each of
//! its runs is a process of its own, ended after [`LIMIT`].

use permanganate::builder::SquareBoardBuilder;
use permanganate::{Builder as _, Location};
use std::num::NonZero;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use unstuck::instance::{NoMoves, PuzzleInstance};
use unstuck::limits::Limits;
use unstuck::solve::{EngineChoice, Request, solve};
use unstuck_encodings::flow::FlowEdges;
use unstuck_puzzles::flow::{Board, Name, Shape, Touch};
use unstuck_puzzles::{Objective, Options, Puzzle, Reading};

/// Time for one answer.
const LIMIT: Duration = Duration::from_secs(60);

/// Runs of each, in turn; the quickest counts.
const RUNS: usize = 3;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [word, file, level] = &arguments[..]
        && word == "--peer"
    {
        let level: usize = level.parse().expect("a number");
        let (seconds, answer) = peer(&boards(file)[level]);
        println!("{seconds} {answer}");
        return;
    }
    println!("| board | unstuck s | permanganate s | ratio | unstuck | permanganate |");
    println!("| --- | --- | --- | --- | --- | --- |");
    for file in &arguments {
        for (level, board) in boards(file).iter().enumerate() {
            let (mut own, mut other): (Option<(f64, String)>, Option<(f64, String)>) = (None, None);
            for _ in 0..RUNS {
                own = quicker(own, Some(ours(board)));
                let run = peer_process(file, level);
                let stopped = run.is_none();
                other = quicker(other, run);
                if stopped {
                    break;
                }
            }
            let (seconds, answer) = own.expect("one run at least");
            let name = file.rsplit('/').next().unwrap_or(file);
            let row = match other {
                Some((time, verdict)) => {
                    format!("{time:.4} | {:.0} | {answer} | {verdict}", time / seconds)
                }
                None => {
                    let limit = LIMIT.as_secs();
                    let ratio = LIMIT.as_secs_f64() / seconds;
                    format!("> {limit} | > {ratio:.0} | {answer} | no answer")
                }
            };
            println!("| {name} {} | {seconds:.4} | {row} |", level + 1);
        }
    }
}

fn quicker(a: Option<(f64, String)>, b: Option<(f64, String)>) -> Option<(f64, String)> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if b.0 < a.0 { b } else { a }),
        (a, b) => a.or(b),
    }
}

/// The boards of a file that both can read, under the rule that both know.
fn boards(file: &str) -> Vec<Board> {
    let text = std::fs::read_to_string(file).expect("a readable file");
    let options = Options::new(Board::OPTIONS, []).expect("defaults");
    let levels = Board::read(&text, &options).expect("a file of boards");
    let boards = levels.into_iter().filter_map(|level| level.puzzle.ok());
    let fits = |board: &Board| board.is_planar() && board.shape() == Shape::Square;
    boards.filter(fits).map(|board| board.under(Touch::Never, true)).collect()
}

fn ours(board: &Board) -> (f64, String) {
    let begun = Instant::now();
    let reading = Reading { name: "", puzzle: board.clone() };
    let instance = PuzzleInstance::<FlowEdges, NoMoves>::new(reading, Objective::Any);
    let request =
        Request::default().with_engine(EngineChoice::Sat).with_limits(Limits::new(Some(LIMIT), None));
    let outcome = solve(&instance, &request, &|_| {}).expect("no fault");
    (begun.elapsed().as_secs_f64(), outcome.verdict.name().to_owned())
}

/// Runs the other crate in a process; `None` when it takes too long.
fn peer_process(file: &str, level: usize) -> Option<(f64, String)> {
    let program = std::env::current_exe().expect("this program has a path");
    let mut child = Command::new(program)
        .args(["--peer", file, &level.to_string()])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("a process");
    let begun = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        if begun.elapsed() > LIMIT {
            child.kill().expect("a running child");
            child.wait().expect("a child");
            return None;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().expect("a child's output");
    let text = String::from_utf8_lossy(&output.stdout);
    match text.trim().split_once(' ') {
        Some((seconds, answer)) => Some((seconds.parse().ok()?, answer.to_owned())),
        None => Some((begun.elapsed().as_secs_f64(), "crash".to_owned())),
    }
}

/// A character for each pair that has no upper and lower case: the other crate changes case.
fn symbol(pair: usize) -> char {
    char::from_u32(0x4E00 + pair as u32).expect("an ideograph")
}

fn peer(board: &Board) -> (f64, String) {
    let begun = Instant::now();
    let (rows, columns) = board.extent().expect("a lattice");
    let size = |n: usize| NonZero::new(n).expect("a board has cells");
    let mut builder = SquareBoardBuilder::with_dims((size(columns), size(rows)));
    let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    for (row, column) in places {
        if board.cell_named(&Name::At(row, column)).is_none() {
            builder.drop_location(Location(column, row));
        }
    }
    for (number, pair) in board.pairs().iter().enumerate() {
        let [a, b] = pair.ends.map(|end| {
            let (row, column) = board.cell_of(end).name.place().expect("a lattice");
            Location(column, row)
        });
        builder.add_termini(symbol(number), (a, b));
    }
    let Ok(peer) = builder.build() else { return (0.0, "refused".to_owned()) };
    let answer = peer.solve();
    let seconds = begun.elapsed().as_secs_f64();
    match answer {
        Err(_) => (seconds, "unsolvable".to_owned()),
        Ok(solved) => (seconds, judge(board, &solved.to_string())),
    }
}

/// Follows equal characters from each terminus: cells that are not reached lie on detached loops.
fn judge(board: &Board, grid: &str) -> String {
    let rows: Vec<Vec<char>> = grid.lines().map(|line| line.chars().collect()).collect();
    let at = |node: usize| {
        let (row, column) = board.cell_of(node).name.place().expect("a lattice");
        rows[row][column]
    };
    let mut reached = vec![false; board.nodes()];
    let mut flows = Vec::new();
    for pair in board.pairs() {
        let mut path = vec![pair.ends[0]];
        reached[pair.ends[0]] = true;
        while let Some(&here) = path.last() {
            let mut next = board.neighbours(here).iter();
            let next = next.find(|&&next| at(next) == at(here) && !reached[next]);
            let Some(&next) = next else { break };
            reached[next] = true;
            path.push(next);
        }
        let cells = path.iter().map(|&node| board.cell_of(node).name.clone()).collect();
        flows.push(unstuck_puzzles::flow::Flow { label: pair.label.clone(), cells });
    }
    let left = reached.iter().filter(|reached| !**reached).count();
    let solution = unstuck_puzzles::flow::Solution { flows };
    match board.check(&solution) {
        Ok(_) => "solved".to_owned(),
        Err(_) if left > 0 => format!("WRONG: {left} cells on detached loops"),
        Err(violation) => format!("WRONG: {violation}"),
    }
}
