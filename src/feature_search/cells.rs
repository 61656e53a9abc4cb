//! The cells of the feature space, and whose turn it is.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap};
use unstuck_encodings::{Features, TurnRule};

/// The best choice of a state that was not made yet. The least goes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub weight: u32,
    pub tie: u32,
    /// The state; among equals the newest goes first.
    pub node: u32,
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let key = |entry: &Self| (entry.weight, entry.tie, Reverse(entry.node));
        key(self).cmp(&key(other))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// The choices of one line in a cell.
#[derive(Debug, Default)]
struct Line {
    served: u32,
    open: BinaryHeap<Reverse<Entry>>,
}

#[derive(Debug)]
struct Cell {
    features: Features,
    /// Number of choices.
    open: usize,
    lines: BTreeMap<u32, Line>,
}

/// All cells.
#[derive(Debug)]
pub(super) struct Cells {
    cells: Vec<Cell>,
    known: HashMap<Features, u32>,
    /// Those that have choices left, by their numbers, and by their features where the best is asked
    /// for.
    open: BTreeSet<u32>,
    by_features: BTreeSet<(Features, u32)>,
    /// Cells that were not served yet, the last one first; none where the best cell comes first.
    fresh: Vec<u32>,
    /// Whose turn it is.
    turn: u32,
    turns: TurnRule,
    /// Whether the last turn was that of the best cell.
    was_best: bool,
}

impl Cells {
    /// No cells yet.
    pub(super) fn new(turns: TurnRule) -> Self {
        Self {
            cells: Vec::new(),
            known: HashMap::new(),
            open: BTreeSet::new(),
            by_features: BTreeSet::new(),
            fresh: Vec::new(),
            turn: 0,
            turns,
            was_best: true,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    /// The cell of some features.
    pub(super) fn of(&mut self, features: Features) -> u32 {
        *self.known.entry(features).or_insert_with(|| {
            let id = self.cells.len() as u32;
            self.cells.push(Cell { features, open: 0, lines: BTreeMap::new() });
            if self.turns != TurnRule::Greedy {
                self.fresh.push(id);
            }
            id
        })
    }

    pub(super) fn features(&self, cell: u32) -> Features {
        self.cells[cell as usize].features
    }

    /// Adds a choice to a cell.
    pub(super) fn open(&mut self, number: u32, line: u32, entry: Entry) {
        let cell = &mut self.cells[number as usize];
        cell.open += 1;
        self.open.insert(number);
        if self.turns != TurnRule::Lines {
            self.by_features.insert((cell.features, number));
        }
        cell.lines.entry(line).or_default().open.push(Reverse(entry));
    }

    /// The state whose best choice is to be made; `None` when no choice is left.
    pub(super) fn next(&mut self) -> Option<u32> {
        while let Some(cell) = self.fresh.pop() {
            if let Some(node) = self.serve(cell) {
                return Some(node);
            }
        }
        self.was_best = match self.turns {
            TurnRule::Lines => false,
            TurnRule::BestCell => !self.was_best,
            TurnRule::Greedy => true,
        };
        if self.was_best {
            let &(_, best) = self.by_features.first()?;
            return self.serve(best);
        }
        let later = self.open.range(self.turn + 1..).next();
        self.turn = *later.or_else(|| self.open.first())?;
        self.serve(self.turn)
    }

    /// The next choice of a cell: the best one of the line that was served least.
    fn serve(&mut self, number: u32) -> Option<u32> {
        let cell = &mut self.cells[number as usize];
        let open = cell.lines.values_mut().filter(|line| !line.open.is_empty());
        let line = open.min_by_key(|line| line.served)?;
        line.served += 1;
        cell.open -= 1;
        if cell.open == 0 {
            self.open.remove(&number);
            self.by_features.remove(&(cell.features, number));
        }
        line.open.pop().map(|Reverse(entry)| entry.node)
    }
}
