//! Sokoban levels by the thousand: the store, plain A* of unstuck, and the crate soukoban in one run.
//!
//! `cargo run --release -- UNSTUCK FILE` takes the program and a file of levels, and prints a table:
//! levels that were solved with fewest pushes, the sum of these optima over the levels that all have
//! solved, seconds of the clock and of the processor, and levels a second of the processor. All work
//! with one thread. The other crate has no limit of time, so one that is asked to stop after
//! [`LIMIT`] counts as unsolved.

use soukoban::prelude::{Action, Level};
use soukoban::solver::{Algorithm, Solver, Strategy};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// Time for one level.
const LIMIT: Duration = Duration::from_secs(10);

/// Seconds that this process and those that it waited for had of the processor.
fn processor() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("Linux");
    let (_, fields) = stat.rsplit_once(')').expect("a name");
    let ticks = fields.split_whitespace().skip(11).take(4);
    ticks.map(|ticks| ticks.parse::<f64>().expect("a number")).sum::<f64>() / 100.0
}

/// Pushes of each level that was solved.
type Pushes = Vec<Option<usize>>;

fn measured(name: &str, work: impl FnOnce() -> Pushes) -> (String, Pushes) {
    let (begun, before) = (Instant::now(), processor());
    let pushes = work();
    let (clock, processor) = (begun.elapsed().as_secs_f64(), processor() - before);
    let solved = pushes.iter().flatten().count();
    let rate = pushes.len() as f64 / processor.max(0.01);
    (format!("| {name} | {solved} | {clock:.2} | {processor:.2} | {rate:.0} |"), pushes)
}

fn of_soukoban(text: &str) -> Pushes {
    Level::load_from_str(text)
        .map(|level| {
            let solver = Solver::new(level.expect("a level").map().clone(), Strategy::PushOptimal);
            thread::scope(|scope| {
                let (done, ended) = mpsc::channel::<()>();
                let watched = &solver;
                scope.spawn(move || {
                    if ended.recv_timeout(LIMIT) == Err(mpsc::RecvTimeoutError::Timeout) {
                        watched.request_stop();
                    }
                });
                let found = solver.search(Algorithm::AStar).ok();
                drop(done);
                let is_push = |action: &&Action| matches!(action, Action::Push(_));
                found.map(|plan| plan.iter().filter(is_push).count())
            })
        })
        .collect()
}

/// What the program says of each level, one JSON object a line.
fn of_lines<'t>(lines: impl Iterator<Item = &'t str>, count: usize) -> Pushes {
    let mut pushes = vec![None; count];
    let number = |line: &str, name: &str| {
        let rest = line.split_once(&format!("\"{name}\":"))?.1;
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        digits.parse::<usize>().ok()
    };
    for line in lines.filter(|line| line.contains("\"optimal\":true")) {
        if let Some(level) = number(line, "number") {
            pushes[level - 1] = number(line, "upper");
        }
    }
    pushes
}

fn run(program: &str, words: &[&str]) -> String {
    let ran = Command::new(program).args(words).stderr(Stdio::inherit()).output();
    String::from_utf8(ran.expect("the program runs").stdout).expect("text")
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [program, file] = &arguments[..] else { panic!("cargo run --release -- UNSTUCK FILE") };
    let text = std::fs::read_to_string(file).expect("a file of levels");
    let count = Level::load_from_str(&text).count();
    let store = std::env::temp_dir().join(format!("unstuck-bench-{}", std::process::id()));
    let folder = store.to_str().expect("text");
    let rows = [
        measured("unstuck --store", || {
            run(
                program,
                &["solve", file, "--store", folder, "--workers", "1", "--shards", "1", "-q"],
            );
            let lines = std::fs::read_to_string(store.join("results-00000.jsonl"));
            of_lines(lines.expect("results").lines(), count)
        }),
        measured("unstuck solve, A*", || {
            let words = ["solve", file, "--engine", "search", "--threads", "1", "--json"];
            of_lines(run(program, &words).lines(), count)
        }),
        measured("soukoban 0.1.5, A*", || of_soukoban(&text)),
    ];
    std::fs::remove_dir_all(&store).expect("removed");
    println!(
        "| program | push-optimal | seconds of the clock | processor seconds | levels a second |"
    );
    println!("| --- | --- | --- | --- | --- |");
    rows.iter().for_each(|(row, _)| println!("{row}"));
    let all = |level: &usize| rows.iter().all(|(_, pushes)| pushes[*level].is_some());
    let common: Vec<usize> = (0..count).filter(all).collect();
    let sums = rows.iter().map(|(_, pushes)| common.iter().filter_map(|&at| pushes[at]).sum());
    let sums: Vec<usize> = sums.collect();
    println!("\nsum of the optima of {} levels that all solved: {sums:?}", common.len());
}
