//! Random boards by the thousand: search, SAT, both together and certificates against brute force.
//!
//! ```text
//! cargo run --release --example campaign -- --family sokoban --boards 100000 --seed 1
//! ```
//!
//! Boards come from the families' own generators, and are then pulled apart: rows and columns
//! doubled (rooms, corridors, longer plans), characters copied over others (spare goals, pieces on
//! goals, walls where none were). For Sokoban there are also boards of rooms. What does not read as
//! a level is passed over. The truth is found from the rules alone, state by state.
//!
//! `--states N` gives a board up that has more states (60,000 unless told), and `--patience SECONDS`
//! a question that takes longer (20 unless told): a few boards take most of the time.
//!
//! Whatever disagrees is printed with its text, and ends the run with exit code 1.

#[path = "../tests/common/brute.rs"]
mod brute;

use brute::{Truth, truth};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};
use unstuck::certificate::Claim;
use unstuck::certificate::prove::{Manner, ProveError, Task, UseBound, Wanted, prove};
use unstuck::instance::Instance;
use unstuck::limits::Limits;
use unstuck::registry::{FAMILIES, Family};
use unstuck::solve::{Engine, Outcome, Request, Verdict, solve};
use unstuck_puzzles::{Objective, Options};

/// Longer plans are not asked of SAT alone.
const LONGEST: u32 = 10;

/// One certificate for so many boards: they take longer than verdicts.
const CERTIFIED: u64 = 8;

struct Arguments {
    families: Vec<&'static Family>,
    boards: u64,
    seed: u64,
    effort: Effort,
}

/// What is spent on one board.
#[derive(Clone, Copy)]
struct Effort {
    /// States after which brute force gives it up.
    states: usize,
    /// Time for one question.
    patience: Duration,
}

fn arguments() -> Result<Arguments, String> {
    let effort = Effort { states: 60_000, patience: Duration::from_secs(20) };
    let mut chosen =
        Arguments { families: FAMILIES.iter().collect(), boards: 1000, seed: 1, effort };
    let mut given = std::env::args().skip(1);
    while let Some(name) = given.next() {
        let value = given.next().ok_or_else(|| format!("{name}: a value is missing"))?;
        let number = || value.parse().map_err(|_| format!("{name} {value}: not a number"));
        match name.as_str() {
            "--family" => chosen.families.retain(|family| family.name == value),
            "--boards" => chosen.boards = number()?,
            "--seed" => chosen.seed = number()?,
            "--states" => chosen.effort.states = number()? as usize,
            "--patience" => chosen.effort.patience = seconds(&value)?,
            _ => {
                let known = "--family, --boards, --seed, --states, --patience";
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
    let Arguments { families, boards, seed, effort } = arguments()?;
    let place = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut wrong = 0;
    for family in families {
        let begun = Instant::now();
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        let mut tried = 0;
        let mut number = seed;
        while tried < boards {
            number += 1;
            let Some(board) = Board::new(family, number, effort) else { continue };
            tried += 1;
            for fault in board.judge(place.path(), &mut counts) {
                wrong += 1;
                println!("{} {number}: {fault}\n{}\n", family.name, board.text);
            }
        }
        let seconds = begun.elapsed().as_secs_f64();
        println!("{}: {tried} boards in {seconds:.0} s: {counts:?}", family.name);
    }
    if wrong > 0 { Err(format!("{wrong} disagreements")) } else { Ok(()) }
}

/// A board with a question.
struct Board {
    family: &'static Family,
    text: String,
    options: Options,
    objective: Objective,
    instance: Box<dyn Instance>,
    seed: u64,
    effort: Effort,
}

impl Board {
    fn new(family: &'static Family, seed: u64, effort: Effort) -> Option<Self> {
        let mut rng = fastrand::Rng::with_seed(seed);
        let objective = family.objectives[rng.usize(..family.objectives.len())];
        let text = match family.name {
            "sokoban" if rng.bool() => rooms(&mut rng),
            _ => {
                let mut text = (family.sample)(seed).instances(objective)?.remove(0).text();
                for _ in 0..rng.u8(..4) {
                    text = pulled_apart(&text, &mut rng);
                }
                text
            }
        };
        let options = Options::new(family.options, []).ok()?;
        let mut levels = (family.read)(&text, &options).ok()?;
        let level = levels.pop().filter(|_| levels.is_empty())?;
        let mut instances = level.puzzle.ok()?.instances(objective)?;
        let instance = instances.swap_remove(rng.usize(..instances.len()));
        Some(Self { family, text, options, objective, instance, seed, effort })
    }

    /// What disagrees with the truth.
    fn judge(&self, place: &Path, counts: &mut BTreeMap<String, u64>) -> Vec<String> {
        let mut count = |what: &str| *counts.entry(what.to_owned()).or_default() += 1;
        let instance = self.instance.as_ref();
        let (family, reading) = (self.family.name, instance.reading());
        let Effort { states, patience } = self.effort;
        let asked = truth(family, &self.text, &self.options, reading, self.objective, states);
        let Some(truth) = asked else {
            count("too large");
            return Vec::new();
        };
        let mut faults = Vec::new();
        let mut claim = None;
        for engine in [Engine::Search, Engine::Sat, Engine::Auto] {
            let long = matches!(truth, Truth::Cost(cost) if cost.is_none_or(|it| it.0 > LONGEST));
            if (engine == Engine::Search && instance.moves().is_none())
                || (engine == Engine::Sat && long)
            {
                continue;
            }
            let limits = Limits::new(Some(patience), None);
            // With a greatest horizon the solver is alone: what is judged is a plan of its own.
            let max_horizon = match truth {
                Truth::Cost(cost) if engine == Engine::Sat => {
                    cost.filter(|_| self.objective != Objective::Any).map(|it| it.0)
                }
                _ => None,
            };
            let request = Request::default()
                .with_engine(engine)
                .with_max_horizon(max_horizon)
                .with_solutions(2)
                .with_threads(1)
                .with_limits(limits);
            match solve(instance, &request, &|_| {}) {
                Err(error) => faults.push(format!("{}: {error}", engine.name())),
                Ok(outcome) => match self.agrees(&outcome, truth) {
                    Ok(None) => count("not settled"),
                    Ok(Some(right)) => claim = Some((right, outcome)),
                    Err(fault) => faults.push(format!("{}: {fault}", engine.name())),
                },
            }
        }
        count(match truth {
            Truth::Cost(None) | Truth::Solutions(0) => "unsolvable",
            Truth::Cost(Some((cost, _))) if cost > 30 => "solved, cost above 30",
            Truth::Cost(Some((cost, _))) if cost > 10 => "solved, cost 11 to 30",
            _ => "solved",
        });
        if let Some((claim, outcome)) = claim.filter(|_| self.seed.is_multiple_of(CERTIFIED)) {
            match self.certified(claim, &outcome, place) {
                Ok(kind) => count(&format!("certified: {kind}")),
                Err(fault) => faults.push(format!("certificate: {fault}")),
            }
        }
        faults
    }

    /// Whether an outcome is the truth, and what can then be claimed; `None` when it says too
    /// little.
    fn agrees(&self, outcome: &Outcome, truth: Truth) -> Result<Option<Claim>, String> {
        let cost = outcome.best.as_ref().map(|best| {
            (self.objective.primary(best.tally()), self.objective.secondary(best.tally()))
        });
        let wrong = || Err(format!("{:?} with {cost:?}, but in truth {truth:?}", outcome.verdict));
        Ok(match (outcome.verdict, truth) {
            (Verdict::Unknown(_), _) => None,
            (Verdict::Unsolvable, Truth::Cost(None) | Truth::Solutions(0)) => {
                Some(Claim::Unsolvable)
            }
            (Verdict::Solved, Truth::Cost(Some(_))) if self.objective == Objective::Any => None,
            (Verdict::Solved, Truth::Cost(Some(least))) => match cost {
                Some(cost) if cost < least => return wrong(),
                Some(cost) if outcome.optimal && cost.0 > least.0 => return wrong(),
                Some(cost) if outcome.optimal && outcome.tie_optimal && cost > least => {
                    return wrong();
                }
                Some(_) if outcome.optimal => Claim::shown_by(self.instance.as_ref(), outcome),
                _ => None,
            },
            (Verdict::Solved, Truth::Solutions(known)) if known > 0 => {
                let solutions = outcome.solutions.as_ref();
                let one = solutions.is_some_and(|it| it.complete && it.others.is_empty());
                match (one, known) {
                    (true, 1) => Some(Claim::Unique),
                    (true, _) => return wrong(),
                    (false, 1) if solutions.is_some_and(|it| !it.others.is_empty()) => {
                        return wrong();
                    }
                    _ => None,
                }
            }
            _ => return wrong(),
        })
    }

    /// Writes a certificate, which is checked as it is kept; the kind of its evidence.
    fn certified(&self, claim: Claim, outcome: &Outcome, place: &Path) -> Result<String, String> {
        let listed = self.options.iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
        let instance = self.instance.as_ref();
        let task = Task {
            options: listed.collect(),
            solution: outcome.best.as_ref().filter(|_| claim.has_solution()),
            ..Task::new(instance, &self.text, claim)
        };
        let wanted = match (self.seed / CERTIFIED % 3, claim) {
            _ if instance.moves().is_none() => Wanted::Horizon,
            (0, Claim::Optimal(cost) | Claim::OptimalTied(cost, _)) if cost <= LONGEST => {
                Wanted::Horizon
            }
            (0, Claim::Unsolvable) => Wanted::Invariant,
            (1, _) => Wanted::Auto,
            _ => Wanted::Closed,
        };
        let use_bound = if self.seed.is_multiple_of(2) { UseBound::Auto } else { UseBound::Never };
        let manner = Manner { wanted, use_bound, force: true, ..Manner::default() };
        let request = Request::default().with_limits(Limits::new(Some(self.effort.patience), None));
        match prove(&task, &manner, &request, &place.join("certificate"), &mut |_| {}) {
            Ok(report) => Ok(report.manifest.evidence.name().to_owned()),
            Err(ProveError::Stopped(_)) => Ok("stopped".to_owned()),
            Err(error) => Err(format!("{wanted:?}: {error}")),
        }
    }
}

/// A text with a row or column doubled, or a character copied over another one.
fn pulled_apart(text: &str, rng: &mut fastrand::Rng) -> String {
    let mut rows: Vec<Vec<char>> = text.lines().map(|line| line.chars().collect()).collect();
    if rows.is_empty() {
        return text.to_owned();
    }
    match rng.u8(..3) {
        0 => {
            let row = rng.usize(..rows.len());
            rows.insert(row, rows[row].clone());
        }
        1 => {
            let widest = rows.iter().map(Vec::len).max().unwrap_or(0).max(1);
            let column = rng.usize(..widest);
            for row in rows.iter_mut().filter(|row| column < row.len()) {
                row.insert(column, row[column]);
            }
        }
        _ => {
            let mut spot = || {
                let row = rng.usize(..rows.len());
                (row, rng.usize(..rows[row].len().max(1)))
            };
            let (from, to) = (spot(), spot());
            if let Some(&c) = rows[from.0].get(from.1)
                && let Some(place) = rows[to.0].get_mut(to.1)
            {
                *place = c;
            }
        }
    }
    rows.into_iter().map(|row| row.into_iter().chain(['\n']).collect::<String>()).collect()
}

/// A Sokoban board: rooms with doors, some walls, boxes on goals now and then, a spare goal.
fn rooms(rng: &mut fastrand::Rng) -> String {
    let (height, width) = (rng.usize(5..10), rng.usize(5..11));
    let mut grid = vec![vec![' '; width]; height];
    for (row, line) in grid.iter_mut().enumerate() {
        for (column, cell) in line.iter_mut().enumerate() {
            if row == 0 || column == 0 || row + 1 == height || column + 1 == width {
                *cell = '#';
            }
        }
    }
    if rng.bool() {
        let (wall, door) = (rng.usize(2..width - 2), rng.usize(1..height - 1));
        (0..height).filter(|&row| row != door).for_each(|row| grid[row][wall] = '#');
    }
    if rng.bool() {
        let (wall, door) = (rng.usize(2..height - 2), rng.usize(1..width - 1));
        (0..width).filter(|&column| column != door).for_each(|column| grid[wall][column] = '#');
    }
    let mut put = |c: char, times: usize| {
        for _ in 0..times {
            let (row, column) = (rng.usize(1..height - 1), rng.usize(1..width - 1));
            if grid[row][column] == ' ' {
                grid[row][column] = c;
            }
        }
    };
    let boxes = 1 + (height + width) % 3;
    put('#', height / 2);
    put('$', boxes);
    put('.', boxes + 1);
    put('*', usize::from(boxes == 2));
    put('@', 1);
    grid.into_iter().map(|row| row.into_iter().chain(['\n']).collect::<String>()).collect()
}
