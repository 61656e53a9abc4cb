//! Random boards, each with an objective and a reading of the rules.

use crate::brute::{Truth, truth};
use std::time::Duration;
use unstuck::instance::Instance;
use unstuck::registry::Family;
use unstuck_puzzles::{Objective, Options};

/// What is spent on one board.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    /// States after which brute force gives it up.
    pub(crate) states: usize,
    /// Time for one question.
    pub(crate) patience: Duration,
    /// How many boards are drafted, two times in three, until one has a solution.
    pub(crate) drafts: u32,
}

/// A board with a question.
pub(crate) struct Board {
    pub(crate) family: &'static Family,
    pub(crate) text: String,
    pub(crate) options: Options,
    pub(crate) objective: Objective,
    pub(crate) instance: Box<dyn Instance>,
    pub(crate) seed: u64,
    pub(crate) stats: Effort,
    /// `None` when brute force gave it up.
    pub(crate) truth: Option<Truth>,
}

impl Board {
    /// The board of a seed. Most boards that are thrown together have no solution, and of those
    /// there is little to ask, so most of the time several are drafted until one has.
    pub(crate) fn new(family: &'static Family, seed: u64, stats: Effort) -> Option<Self> {
        let mut rng = fastrand::Rng::with_seed(seed);
        let drafts = if rng.u8(..3) == 0 { 1 } else { stats.drafts.max(1) };
        let mut last = None;
        for draft in 0..drafts {
            // The first draft of a seed is the board of that seed.
            let drafted = if draft == 0 { seed } else { rng.u64(..) };
            last = Self::drafted(family, drafted, seed, stats).or(last);
            let truth = last.as_ref().and_then(|board| board.truth);
            if truth.is_some_and(|it| !matches!(it, Truth::Cost(None) | Truth::Solutions(0))) {
                break;
            }
        }
        last
    }

    fn drafted(family: &'static Family, draft: u64, seed: u64, stats: Effort) -> Option<Self> {
        let mut rng = fastrand::Rng::with_seed(draft);
        let objective = family.objectives[rng.usize(..family.objectives.len())];
        let text = match family.name {
            "sokoban" if rng.bool() => rooms(&mut rng),
            _ => {
                let mut text = (family.sample)(draft).instances(objective)?.remove(0).text();
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
        let reading = instance.reading();
        let truth = truth(family.name, &text, &options, reading, objective, stats.states);
        Some(Self { family, text, options, objective, instance, seed, stats, truth })
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
