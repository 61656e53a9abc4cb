//! Random boards by the thousand: search, SAT, both together, certificates and questions against
//! brute force.
//!
//! ```text
//! cargo run --release --example campaign -- --family sokoban --boards 100000 --seed 1
//! ```
//!
//! Boards come from the families' own generators, and are then pulled apart: rows and columns
//! doubled (rooms, corridors, longer plans), characters copied over others (spare goals, pieces on
//! goals, walls where none were). For Sokoban there are also boards of rooms. What cannot be read
//! as a level is skipped. Two times in three up to `--drafts N` boards (12 unless told) are drafted
//! until one has a solution. The truth is found from the rules alone, state by state.
//!
//! `--ask verdicts` asks `solve` and `prove` only, `--ask questions` only what `hint`, `diagnose`,
//! `enumerate`, `forced`, `needed` and `explain` ask, with and without constraints and after moves.
//!
//! `--states N` gives a board up that has more states (60,000 by default), and `--patience SECONDS`
//! a question that takes longer (20 by default): a few boards take most of the time.
//!
//! Whatever disagrees is printed with its text, and ends the run with exit code 1.

mod board;
#[path = "../../tests/common/brute.rs"]
mod brute;
mod constraints;
#[cfg(test)]
#[path = "../../tests/common/extent.rs"]
mod extent;
mod flow;
#[path = "../../tests/common/game.rs"]
mod game;
mod parts;
mod plans;
mod positions;
mod questions;
mod verdicts;
#[path = "../../tests/common/wish.rs"]
mod wish;

use board::{Board, Effort};
use brute::Truth;
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::time::{Duration, Instant};
use unstuck::registry::{FAMILIES, Family};

struct Arguments {
    families: Vec<&'static Family>,
    boards: u64,
    seed: u64,
    stats: Effort,
    asked: Asked,
}

/// What is asked about a board.
#[derive(Clone, Copy)]
struct Asked {
    verdicts: bool,
    questions: bool,
}

/// How often something happened, by name.
#[derive(Default)]
pub(crate) struct Counts(BTreeMap<String, u64>);

impl Counts {
    pub(crate) fn add(&mut self, what: &str) {
        *self.0.entry(what.to_owned()).or_default() += 1;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|(what, number)| write!(f, "\n  {what}: {number}"))
    }
}

fn arguments() -> Result<Arguments, String> {
    let stats = Effort { states: 60_000, patience: Duration::from_secs(20), drafts: 12 };
    let families = FAMILIES.iter().collect();
    let asked = Asked { verdicts: true, questions: true };
    let mut chosen = Arguments { families, boards: 1000, seed: 1, stats, asked };
    let mut given = std::env::args().skip(1);
    while let Some(name) = given.next() {
        let value = given.next().ok_or_else(|| format!("{name}: a value is missing"))?;
        let number = || value.parse().map_err(|_| format!("{name} {value}: not a number"));
        match name.as_str() {
            "--family" => chosen.families.retain(|family| family.name == value),
            "--boards" => chosen.boards = number()?,
            "--seed" => chosen.seed = number()?,
            "--states" => chosen.stats.states = number()? as usize,
            "--drafts" => chosen.stats.drafts = number()? as u32,
            "--patience" => chosen.stats.patience = seconds(&value)?,
            "--ask" => {
                chosen.asked = match value.as_str() {
                    "verdicts" => Asked { verdicts: true, questions: false },
                    "questions" => Asked { verdicts: false, questions: true },
                    "all" => asked,
                    _ => return Err(format!("--ask {value}: not verdicts, questions or all")),
                }
            }
            _ => {
                let known = "--family, --boards, --seed, --states, --drafts, --patience, --ask";
                return Err(format!("no option {name}: {known}"));
            }
        }
    }
    if chosen.families.is_empty() { Err("no such family".to_owned()) } else { Ok(chosen) }
}

/// A time in seconds, perhaps with a fraction.
fn seconds(text: &str) -> Result<Duration, String> {
    let given = text.parse().ok().and_then(|given| Duration::try_from_secs_f64(given).ok());
    given.ok_or_else(|| format!("--patience {text}: not a number of seconds"))
}

fn main() -> Result<(), String> {
    let Arguments { families, boards, seed, stats, asked } = arguments()?;
    let place = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut wrong = 0;
    for family in families {
        let begun = Instant::now();
        let mut counts = Counts::default();
        let faults = run(family, seed, boards, stats, asked, place.path(), &mut counts);
        wrong += faults.len();
        let seconds = begun.elapsed().as_secs_f64();
        println!("{}: {boards} boards in {seconds:.0} s:{counts}", family.name);
    }
    if wrong > 0 { Err(format!("{wrong} disagreements")) } else { Ok(()) }
}

/// Asks about so many boards of a family; what disagrees with the truth is also printed.
fn run(
    family: &'static Family,
    seed: u64,
    boards: u64,
    stats: Effort,
    asked: Asked,
    place: &Path,
    counts: &mut Counts,
) -> Vec<String> {
    let (mut tried, mut number, mut faults) = (0, seed, Vec::new());
    while tried < boards {
        number += 1;
        let Some(board) = Board::new(family, number, stats) else { continue };
        tried += 1;
        let Some(truth) = board.truth else {
            counts.add("too large");
            continue;
        };
        counts.add(match truth {
            Truth::Cost(None) | Truth::Solutions(0) => "unsolvable",
            Truth::Cost(Some((cost, _))) if cost > 30 => "solved, cost above 30",
            Truth::Cost(Some((cost, _))) if cost > 10 => "solved, cost 11 to 30",
            _ => "solved",
        });
        let mut found = Vec::new();
        if asked.verdicts {
            found.extend(board.judge(truth, place, counts));
        }
        if asked.questions {
            found.extend(board.ask(counts));
        }
        for fault in found {
            println!("{} {number}: {fault}\n{}\n", family.name, board.text);
            faults.push(fault);
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;
    use extent::extent;
    use unstuck::registry::by_name;

    /// A sample of what the campaign asks; each of `asked` must have come up.
    fn agrees(family: &str, asked: &[&str]) {
        let family = by_name(family).expect("registered");
        let stats = Effort { states: 2_000, patience: Duration::from_secs(10), drafts: 12 };
        let place = tempfile::tempdir().expect("a folder");
        let (mut counts, all) = (Counts::default(), Asked { verdicts: true, questions: true });
        let boards = extent(150, 1500);
        let faults = run(family, 0, boards, stats, all, place.path(), &mut counts);
        assert!(faults.is_empty(), "{} disagreements, see above", faults.len());
        for what in asked {
            assert!(counts.0.contains_key(*what), "{}: never {what}:{counts}", family.name);
        }
        assert!(!counts.0.contains_key("question not settled"), "{counts}");
    }

    const GAMES: [&str; 8] = [
        "diagnosed: fatal",
        "diagnosed: costly",
        "hint",
        "hint with wishes",
        "plans: one",
        "needed",
        "explained",
        "no solution with wishes",
    ];

    #[test]
    fn sokoban() {
        agrees("sokoban", &[&GAMES[..], &["plans: several"]].concat());
    }

    #[test]
    fn sokobond() {
        agrees("sokobond", &GAMES);
    }

    #[test]
    fn snowman() {
        agrees("snowman", &GAMES);
    }

    #[test]
    fn warehouse() {
        agrees("warehouse", &GAMES);
    }

    #[test]
    fn flow() {
        let asked = ["counted: 1", "counted: more", "forced", "needed", "explained", "with wishes"];
        agrees("flow", &asked);
    }
}
