//! The truth by brute force, from the rules alone: every plain state of a game, every path of every
//! pair of a flow board. Slow, simple, and sharing nothing with search, encodings or certificates.
#![allow(dead_code, reason = "each test uses its part")]

use std::collections::{BTreeMap, BTreeSet, HashMap};
use unstuck::certificate::Claim;
use unstuck_puzzles::flow::{Board, Flow, Solution, Touch};
use unstuck_puzzles::puzzlescript::PuzzleScript;
use unstuck_puzzles::snowman::Snowman;
use unstuck_puzzles::sokoban::Sokoban;
use unstuck_puzzles::sokobond::Sokobond;
use unstuck_puzzles::warehouse::Warehouse;
use unstuck_puzzles::{Moves, Objective, Options, Puzzle, PuzzleExt};

/// What is true of a puzzle under one reading and one objective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Truth {
    /// The least cost of a plan of a game, the tie-break second; `None` when there is no plan.
    Cost(Option<(u32, u32)>),
    /// The number of solutions of a puzzle without moves, two standing for more.
    Solutions(usize),
}

impl Truth {
    /// Whether a claim is true.
    pub(crate) fn confirms(self, claim: Claim) -> bool {
        match (self, claim) {
            (Self::Cost(cost), Claim::Optimal(claimed)) => cost.is_some_and(|it| it.0 == claimed),
            (Self::Cost(cost), Claim::OptimalTied(claimed, tie)) => cost == Some((claimed, tie)),
            (Self::Cost(cost), Claim::NothingWithin(most)) => cost.is_none_or(|it| it.0 > most),
            (Self::Cost(cost), Claim::Unsolvable) => cost.is_none(),
            (Self::Solutions(count), Claim::Unique) => count == 1,
            (Self::Solutions(count), Claim::Unsolvable) => count == 0,
            _ => false,
        }
    }
}

/// The truth about a text; `None` when it is no single level, or has more than so many states.
pub(crate) fn truth(
    family: &str,
    text: &str,
    options: &Options,
    reading: &str,
    objective: Objective,
    states: usize,
) -> Option<Truth> {
    match family {
        "flow" => {
            let board = read::<Board>(text, options, reading)?;
            Some(Truth::Solutions(Enumerator::solutions(&board, 2).len()))
        }
        "sokoban" => game::<Sokoban>(text, options, reading, objective, states),
        "sokobond" => game::<Sokobond>(text, options, reading, objective, states),
        "snowman" => game::<Snowman>(text, options, reading, objective, states),
        "warehouse" => game::<Warehouse>(text, options, reading, objective, states),
        "puzzlescript" => game::<PuzzleScript>(text, options, reading, objective, states),
        _ => None,
    }
}

/// The puzzle of a text under one reading.
pub(crate) fn read<P: Puzzle>(text: &str, options: &Options, reading: &str) -> Option<P> {
    let readings = P::parse(text, options).ok()?.readings();
    readings.into_iter().find(|it| it.name == reading).map(|it| it.puzzle)
}

fn game<P: Moves>(
    text: &str,
    options: &Options,
    reading: &str,
    objective: Objective,
    states: usize,
) -> Option<Truth> {
    cheapest(&read::<P>(text, options, reading)?, objective, states).map(Truth::Cost)
}

/// The least cost of a plan and the least tie-break with it (0 where there is none), by Dijkstra's algorithm over plain states; `None` when there are more
/// states than `most`.
pub(crate) fn cheapest<P: Moves>(
    puzzle: &P,
    objective: Objective,
    most: usize,
) -> Option<Option<(u32, u32)>> {
    let mut costs = HashMap::from([(puzzle.start(), (0, 0))]);
    let mut open = BTreeMap::from([((0, 0), vec![puzzle.start()])]);
    while let Some(mut first) = open.first_entry() {
        let cost = *first.key();
        let Some(state) = first.get_mut().pop() else {
            first.remove();
            continue;
        };
        if costs[&state] < cost {
            continue;
        }
        if puzzle.is_goal(&state) {
            return Some(Some(cost));
        }
        for mv in puzzle.moves(&state) {
            let stepped = puzzle.step(&state, mv).expect("a legal move");
            let tally = stepped.tally;
            let next = (cost.0 + objective.primary(tally), cost.1 + objective.secondary(tally));
            if costs.get(&stepped.state).is_none_or(|&known| next < known) {
                costs.insert(stepped.state.clone(), next);
                open.entry(next).or_default().push(stepped.state);
            }
        }
        if costs.len() > most {
            return None;
        }
    }
    Some(None)
}

/// All solutions, up to `cap`, by trying every path of every pair in turn. It prunes nothing but
/// nodes that are taken.
pub(crate) struct Enumerator<'a> {
    board: &'a Board,
    path_of: Vec<Option<usize>>,
    paths: Vec<Vec<usize>>,
    solutions: BTreeMap<String, Solution>,
    cap: usize,
}

impl<'a> Enumerator<'a> {
    /// The texts of the solutions.
    pub(crate) fn solutions(board: &'a Board, cap: usize) -> BTreeSet<String> {
        Self::all(board, cap).into_keys().collect()
    }

    /// The solutions by their texts.
    pub(crate) fn all(board: &'a Board, cap: usize) -> BTreeMap<String, Solution> {
        let mut path_of = vec![None; board.nodes()];
        for (number, pair) in board.pairs().iter().enumerate() {
            for end in pair.ends {
                path_of[end] = Some(number);
            }
        }
        let mut all = Self { board, path_of, paths: Vec::new(), solutions: BTreeMap::new(), cap };
        all.next_pair();
        all.solutions
    }

    fn next_pair(&mut self) {
        match self.board.pairs().get(self.paths.len()) {
            Some(pair) => {
                self.paths.push(vec![pair.ends[0]]);
                self.next_node(pair.ends[1]);
                self.paths.pop();
            }
            None => self.finish(),
        }
    }

    fn next_node(&mut self, end: usize) {
        let pair = self.paths.len() - 1;
        let here = *self.paths[pair].last().expect("a path has a start");
        for &next in self.board.neighbours(here) {
            if self.solutions.len() >= self.cap {
                return;
            }
            if next == end {
                self.paths[pair].push(end);
                self.next_pair();
                self.paths[pair].pop();
            } else if self.path_of[next].is_none() {
                self.path_of[next] = Some(pair);
                self.paths[pair].push(next);
                self.next_node(end);
                self.paths[pair].pop();
                self.path_of[next] = None;
            }
        }
    }

    fn finish(&mut self) {
        let covered = self.path_of.iter().all(Option::is_some);
        let touches = self.paths.iter().any(|path| {
            let beside = |a, b| self.board.neighbours(path[a]).contains(&path[b]);
            (0..path.len()).any(|a| (a + 2..path.len()).any(|b| beside(a, b)))
        });
        if (self.board.cover() && !covered) || (self.board.touch() == Touch::Never && touches) {
            return;
        }
        let flows = self.board.pairs().iter().zip(&self.paths).map(|(pair, path)| Flow {
            label: pair.label.clone(),
            cells: path.iter().map(|&node| self.board.cell_of(node).name.clone()).collect(),
        });
        let solution = Solution { flows: flows.collect() };
        self.solutions.insert(solution.to_string(), solution);
    }
}
