//! Turns a second of PuzzleScript: the judge, the compiled machine and the engine of the language,
//! side by side in one run.
//!
//! ```text
//! cargo bench -p unstuck-encodings --bench puzzlescript -- [--engine CHECKOUT] [--seconds S]
//!     [--levels N] FILE...
//! ```
//!
//! Each of the first N levels of each game is walked at random, for S seconds of processor time. In
//! each position all inputs are played, as a search does; the walk is the engine's where a checkout
//! of increpare/PuzzleScript is given, and `node` plays it there. What the machine makes of each
//! position is compared with the judge first. A line for each level, and quantiles at the end.

use serde_json::Value;
use std::collections::HashSet;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use unstuck_encodings::puzzlescript::{PuzzleScriptSpace, Store};
use unstuck_encodings::{Cost, Space};
use unstuck_puzzles::puzzlescript::{Input, PuzzleScript, Stage, State};
use unstuck_puzzles::{Moves, Objective, Options, Puzzle};

/// What stands behind `cargo bench ... --`.
struct Arguments {
    engine: Option<String>,
    seconds: f64,
    levels: usize,
    files: Vec<String>,
}

/// A walk of the engine through a level, with its speed.
struct Walk {
    inputs: Vec<Input>,
    turns_a_second: f64,
}

/// What was measured of a level.
struct Row {
    engine: Option<f64>,
    judge: f64,
    /// Turns a second, bytes of a state and seconds of preparation.
    machine: Option<(f64, usize, f64)>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = Arguments { engine: None, seconds: 0.2, levels: 2, files: Vec::new() };
    // Cargo adds a flag of its own.
    let mut given = std::env::args().skip(1).filter(|argument| argument != "--bench");
    while let Some(argument) = given.next() {
        match argument.as_str() {
            "--engine" => arguments.engine = given.next(),
            "--seconds" => arguments.seconds = given.next().ok_or("a number is wanted")?.parse()?,
            "--levels" => arguments.levels = given.next().ok_or("a number is wanted")?.parse()?,
            _ => arguments.files.push(argument),
        }
    }
    let mut rows = Vec::new();
    for file in &arguments.files {
        rows.extend(game(file, &arguments)?);
    }
    if !rows.is_empty() {
        summary(&rows);
    }
    Ok(())
}

/// Processor time of this thread where the system says it, else the time on the wall.
fn clock(begin: Instant) -> Duration {
    let said = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = said.and_then(|text| text.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| begin.elapsed(), Duration::from_nanos)
}

/// Walks of the engine through the levels of a game, by their places.
fn walks(file: &str, arguments: &Arguments) -> Result<Vec<(u64, Walk)>, std::io::Error> {
    let Some(checkout) = &arguments.engine else { return Ok(Vec::new()) };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/puzzlescript_engine.js");
    let (seconds, levels) = (arguments.seconds.to_string(), arguments.levels.to_string());
    let mut node = Command::new("node");
    node.args([script, checkout, "walk", &seconds, &levels, file]).stdin(Stdio::null());
    let output = node.stderr(Stdio::inherit()).output()?;
    let lines = String::from_utf8_lossy(&output.stdout);
    let lines = lines.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    // The engine's numbers of inputs.
    const INPUTS: [Input; 5] = [Input::Up, Input::Left, Input::Down, Input::Right, Input::Action];
    let walks = lines.filter_map(|line| {
        let inputs = line["inputs"].as_array()?.iter();
        let inputs = inputs.filter_map(|it| INPUTS.get(it.as_u64()? as usize).copied()).collect();
        let turns_a_second = line["turns"].as_f64()? / line["seconds"].as_f64()?;
        Some((line["place"].as_u64()?, Walk { inputs, turns_a_second }))
    });
    Ok(walks.collect())
}

fn game(file: &str, arguments: &Arguments) -> Result<Vec<Row>, Box<dyn std::error::Error>> {
    let name = file.rsplit('/').next().unwrap_or(file);
    let text = std::fs::read_to_string(file)?;
    let options = Options::new(PuzzleScript::OPTIONS, [])?;
    let levels = match PuzzleScript::read(&text, &options) {
        Ok(levels) => levels,
        Err(error) => {
            println!("{name}: refused: {error}");
            return Ok(Vec::new());
        }
    };
    let walks = walks(file, arguments)?;
    let mut rows = Vec::new();
    for level in levels.into_iter().take(arguments.levels) {
        let Ok(puzzle) = level.puzzle else { continue };
        let is_this = |stage: &Stage| matches!(stage, Stage::Level(map) if map == puzzle.map());
        let place = puzzle.game().levels.iter().position(is_this).unwrap_or_default() as u64;
        let walk = walks.iter().find(|it| it.0 == place).map(|it| &it.1);
        let row = measure(&puzzle, walk, arguments);
        let rate = |rate: Option<f64>| rate.map_or("-".to_owned(), |rate| format!("{rate:.0}"));
        let machine = row.machine.as_ref();
        println!(
            "{name} line {}: engine {}, judge {:.0}, machine {} turns a second; {} bytes, {} ms",
            level.line,
            rate(row.engine),
            row.judge,
            rate(machine.map(|it| it.0)),
            machine.map_or("-".to_owned(), |it| it.1.to_string()),
            machine.map_or("-".to_owned(), |it| format!("{:.1}", 1000.0 * it.2)),
        );
        rows.push(row);
    }
    Ok(rows)
}

/// The positions of a walk.
fn positions(puzzle: &PuzzleScript, walk: Option<&Walk>) -> Vec<State> {
    let mut rng = fastrand::Rng::with_seed(1);
    let random: Vec<Input> = (0..400).filter_map(|_| rng.choice(Input::ALL)).collect();
    let inputs = walk.map_or(&random, |walk| &walk.inputs);
    let mut states = vec![puzzle.start()];
    for &input in inputs {
        let state = &states[states.len() - 1];
        match puzzle.step(state, input) {
            Ok(next) if !next.state.won => states.push(next.state),
            _ => {}
        }
    }
    states
}

/// Does something again and again for some time; how often a second, if each time counts as many.
fn rate(seconds: f64, mut each: impl FnMut(usize) -> usize) -> f64 {
    let wall = Instant::now();
    let begin = clock(wall);
    let (mut done, mut number, mut looked) = (0, 0, wall);
    loop {
        done += each(number);
        number += 1;
        // To ask for the processor time takes as long as a turn.
        if looked.elapsed() > Duration::from_millis(5) {
            looked = Instant::now();
            let spent = clock(wall).saturating_sub(begin).as_secs_f64();
            if spent >= seconds {
                return done as f64 / spent;
            }
        }
    }
}

fn measure(puzzle: &PuzzleScript, walk: Option<&Walk>, arguments: &Arguments) -> Row {
    let states = positions(puzzle, walk);
    let inputs = Input::ALL.len() - usize::from(puzzle.game().settings.no_action);
    let judge = rate(arguments.seconds, |number| {
        let state = &states[number % states.len()];
        for input in Input::ALL {
            let _ = std::hint::black_box(puzzle.step(state, input));
        }
        inputs
    });
    let small = PuzzleScriptSpace::<[u64; 4], 1>::new(puzzle, Objective::Moves);
    let machine = match small {
        Ok(_) => machine::<[u64; 4], 1>(puzzle, &states, inputs, arguments.seconds),
        Err(_) => machine::<Box<[u64]>, 3>(puzzle, &states, inputs, arguments.seconds),
    };
    Row { engine: walk.map(|walk| walk.turns_a_second), judge, machine }
}

fn machine<S: Store, const N: usize>(
    puzzle: &PuzzleScript,
    states: &[State],
    inputs: usize,
    seconds: f64,
) -> Option<(f64, usize, f64)> {
    let mut space = match PuzzleScriptSpace::<S, N>::new(puzzle, Objective::Moves) {
        Ok(space) => space,
        Err(error) => {
            println!("no machine: {error}");
            return None;
        }
    };
    let preparations = rate(seconds / 4.0, |_| {
        let _ = std::hint::black_box(PuzzleScriptSpace::<S, N>::new(puzzle, Objective::Moves));
        1
    });
    let packed: Vec<S> = states.iter().map(|it| space.pack(it).expect("a position")).collect();
    let mut successors: Vec<(S, Cost)> = Vec::new();
    // Each position once for the judge's opinion; long walks repeat themselves.
    for (state, packed) in states.iter().zip(&packed).take(100) {
        successors.clear();
        space.expand(packed, &mut successors);
        let ours: HashSet<&S> = successors.iter().map(|it| &it.0).collect();
        let judged = puzzle.moves(state).into_iter().map(|mv| puzzle.step(state, mv));
        let judged: Vec<S> = judged
            .map(|next| space.pack(&next.expect("a move").state).expect("a position"))
            .filter(|next| next != packed)
            .collect();
        if ours != judged.iter().collect() {
            println!("ANOTHER turn than the judge's from\n{}", puzzle.begun_at(state).print());
            break;
        }
    }
    let turns = rate(seconds, |number| {
        successors.clear();
        space.expand(&packed[number % packed.len()], &mut successors);
        std::hint::black_box(&successors);
        inputs
    });
    let bytes = size_of::<S>() + if N == 1 { 0 } else { space.state_bits().div_ceil(64) * 8 };
    Some((turns, bytes, 1.0 / preparations))
}

fn quantiles(name: &str, mut numbers: Vec<f64>) {
    numbers.sort_by(f64::total_cmp);
    let at = |percent: usize| {
        let number = numbers[(numbers.len() - 1) * percent / 100];
        if number < 100.0 { format!("{number:.1}") } else { format!("{number:.0}") }
    };
    if !numbers.is_empty() {
        println!(
            "{name}: {} / {} / {} / {} / {} (10, 25, 50, 75, 90 % of {})",
            at(10),
            at(25),
            at(50),
            at(75),
            at(90),
            numbers.len()
        );
    }
}

fn summary(rows: &[Row]) {
    let of = |number: &dyn Fn(&Row) -> Option<f64>| rows.iter().filter_map(number).collect();
    quantiles("engine, turns a second", of(&|row| row.engine));
    quantiles("judge, turns a second", of(&|row| Some(row.judge)));
    quantiles("machine, turns a second", of(&|row| Some(row.machine.as_ref()?.0)));
    quantiles("machine to engine", of(&|row| Some(row.machine.as_ref()?.0 / row.engine?)));
    quantiles("machine to judge", of(&|row| Some(row.machine.as_ref()?.0 / row.judge)));
    quantiles("bytes of a state", of(&|row| Some(row.machine.as_ref()?.1 as f64)));
    quantiles("milliseconds of preparation", of(&|row| Some(1000.0 * row.machine.as_ref()?.2)));
}
