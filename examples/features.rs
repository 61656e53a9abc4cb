//! What each feature, advisor and pruning of Sokoban's feature-space search gives: levels solved
//! with all of them, and with each left out, within so many states a level.
//!
//! ```text
//! cargo run --release --example features -- LEVELS.xsb [STATES] [odd|even|all] [VARIANT] [PART,PART...]
//! ```
//!
//! Features and advice are those of variants that pack in a consistent order, which have odd
//! numbers; prunings are those of all.
//!
//! States are counted, not seconds, so that every run gives the same figures; the processor time
//! beside them does not.

use std::collections::BTreeMap;
use std::error::Error;
use std::time::Instant;
use unstuck::encodings::FeatureSpace;
use unstuck::encodings::sokoban::{FeatureToggles, SokobanFeatures};
use unstuck::feature_search::{Attempt, Direction, FeatureSearchOutcome, Perimeter, search};
use unstuck::limits::Limits;
use unstuck::puzzles::sokoban::Sokoban;
use unstuck::puzzles::{Moves, Options, Puzzle};

/// States of one level, unless the command line says otherwise.
const STATES: u64 = 30_000;

/// Levels that one set of parts has solved, by number, with the states that it took.
#[derive(Default)]
struct Solved {
    states: BTreeMap<usize, u64>,
    seconds: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let file = given.first().ok_or("which levels?")?;
    let most = given.get(1).map_or(Ok(STATES), |states| states.parse())?;
    let half = given.get(2).map(String::as_str);
    let variant = given.get(3).map_or(Ok(1), |variant| variant.parse())?;
    let text = std::fs::read_to_string(file)?;
    let levels = Sokoban::read(&text, &Options::default())?;
    let wanted = |number: &usize| match half {
        Some("odd") => !number.is_multiple_of(2),
        Some("even") => number.is_multiple_of(2),
        _ => true,
    };

    // Each part, and all advice together.
    let advice = |name: &str| ["packer", "merger", "unblocker"].contains(&name);
    let leaving_out = |is_out: &dyn Fn(&str) -> bool| {
        let mut knobs = FeatureToggles::ALL;
        let parts = FeatureToggles::PARTS.iter().filter(|(name, _)| is_out(name));
        parts.for_each(|(_, part)| *part(&mut knobs) = false);
        knobs
    };
    let without =
        FeatureToggles::PARTS.iter().map(|&(name, _)| (name, leaving_out(&|one| one == name)));
    let without = without.chain([("advice", leaving_out(&advice))]);
    // Only these rows, if some are named.
    let rows: Vec<&str> = given.get(4).map_or(Vec::new(), |names| names.split(',').collect());
    let without = without.filter(|(name, _)| rows.is_empty() || rows.contains(name));
    let mut all: Option<Solved> = None;
    println!("| without | solved | lost | won | states, ratio | seconds |");
    println!("| --- | --- | --- | --- | --- | --- |");
    for (name, knobs) in [("nothing", FeatureToggles::ALL)].into_iter().chain(without) {
        let mut solved = Solved::default();
        for (number, level) in (1..).zip(&levels).filter(|(number, _)| wanted(number)) {
            let Ok(puzzle) = &level.puzzle else { continue };
            let begun = Instant::now();
            if let Some(states) = attempt(puzzle, knobs, variant, most)? {
                solved.states.insert(number, states);
            }
            solved.seconds += begun.elapsed().as_secs_f64();
        }
        let with_all = all.as_ref().unwrap_or(&solved);
        println!("{}", row(name, &solved, with_all));
        all.get_or_insert(solved);
    }
    Ok(())
}

/// States until a plan was found, which the rules have judged.
fn attempt(
    puzzle: &Sokoban,
    knobs: FeatureToggles,
    variant: u32,
    most: u64,
) -> Result<Option<u64>, Box<dyn Error>> {
    let mut space = <SokobanFeatures<4>>::new(puzzle, variant)?.with(knobs);
    let slice = Attempt { direction: Direction::Forward, variant, most };
    let perimeter = Perimeter::default();
    let (end, stats) = search(&mut space, slice, &perimeter, &Limits::none(), &mut |_| {});
    let FeatureSearchOutcome::Found(path) = end else { return Ok(None) };
    puzzle.judge(&space.plan(&path))?;
    Ok(Some(stats.states))
}

/// A row of the table: solved, which levels only the full set solves, which it does not, and the
/// geometric mean of the ratio of states on levels that both solve.
fn row(name: &str, solved: &Solved, with_all: &Solved) -> String {
    let missing = |from: &Solved, of: &Solved| {
        let numbers = from.states.keys().filter(|&number| !of.states.contains_key(number));
        numbers.map(usize::to_string).collect::<Vec<_>>().join(" ")
    };
    let ratios: Vec<f64> = solved
        .states
        .iter()
        .filter_map(|(number, &states)| {
            Some(states.max(1) as f64 / (*with_all.states.get(number)?).max(1) as f64)
        })
        .collect();
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
    let (lost, won) = (missing(with_all, solved), missing(solved, with_all));
    let (count, seconds) = (solved.states.len(), solved.seconds);
    format!("| {name} | {count} | {lost} | {won} | {mean:.2} | {seconds:.0} |")
}
