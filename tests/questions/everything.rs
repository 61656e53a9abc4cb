//! What is true of a small game: all its positions by the rules alone, with what is left from each.

use crate::extent::extent;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use unstuck::instance::Instance;
use unstuck::registry::by_name;
use unstuck_encodings::Cost;
use unstuck_puzzles::{Moves, Objective, Play, PuzzleExt};

/// Boards of a family that count: more where there are several objectives.
pub(crate) fn boards(objectives: &[Objective]) -> u64 {
    extent(20 + 20 * objectives.len() as u64, 300)
}

/// Boards with more positions than this are left out.
pub(crate) const MOST: usize = 4_000;
/// Boards with more optimal sequences of pushes than this are left out.
const MAX_SEQUENCES: usize = 2_000;

/// All positions of a game, with what is left from each.
pub(crate) struct Everything<P: Moves> {
    pub(crate) puzzle: P,
    pub(crate) objective: Objective,
    /// What is left, for positions from which there is a way.
    pub(crate) left: HashMap<P::State, Cost>,
}

impl<P: Moves> Everything<P> {
    pub(crate) fn of(puzzle: P, objective: Objective, most: usize) -> Option<Self> {
        let mut ways_in: HashMap<P::State, Vec<(P::State, Cost)>> = HashMap::new();
        let mut open = VecDeque::from([puzzle.start()]);
        ways_in.insert(puzzle.start(), Vec::new());
        while let Some(state) = open.pop_front() {
            for mv in puzzle.moves(&state) {
                let stepped = puzzle.step(&state, mv).expect("listed");
                let known = ways_in.contains_key(&stepped.state);
                let paid = Cost::of(objective, stepped.tally);
                ways_in.entry(stepped.state.clone()).or_default().push((state.clone(), paid));
                if !known {
                    open.push_back(stepped.state);
                }
            }
            if ways_in.len() > most {
                return None;
            }
        }
        let mut left: HashMap<P::State, Cost> = HashMap::new();
        let mut queue: BTreeMap<Cost, Vec<P::State>> = BTreeMap::new();
        let goals = ways_in.keys().filter(|state| puzzle.is_goal(state)).cloned();
        queue.insert(Cost::ZERO, goals.collect());
        while let Some((at, states)) = queue.pop_first() {
            for state in states {
                if left.contains_key(&state) {
                    continue;
                }
                for (before, paid) in &ways_in[&state] {
                    queue.entry(at + *paid).or_default().push(before.clone());
                }
                left.insert(state, at);
            }
        }
        Some(Self { puzzle, objective, left })
    }

    /// The cost of a shortest solution.
    pub(crate) fn optimum(&self) -> Option<Cost> {
        self.left.get(&self.puzzle.start()).copied()
    }

    /// Optimal sequences of pushes, each with the position after it; those that are not complete
    /// included, except that only prefixes of complete ones are there. `None` when too many.
    pub(crate) fn sequences(&self) -> Option<BTreeMap<Vec<String>, P::State>> {
        let mut all = BTreeMap::from([(Vec::new(), self.key(&self.puzzle.start()))]);
        let mut open = vec![(Vec::new(), self.puzzle.start())];
        while let Some((sequence, state)) = open.pop() {
            for (name, next) in self.optimal_pushes(&state) {
                let mut longer: Vec<String> = sequence.clone();
                longer.push(name);
                let known = all.insert(longer.clone(), self.key(&next));
                assert!(known.is_none(), "a push has one outcome");
                open.push((longer, next));
                if all.len() > MAX_SEQUENCES {
                    return None;
                }
            }
        }
        Some(all)
    }

    /// The position up to walking, where that is free.
    fn key(&self, state: &P::State) -> P::State {
        if self.objective == Objective::Pushes {
            self.puzzle.class(state, self.objective).swap_remove(0)
        } else {
            state.clone()
        }
    }

    pub(crate) fn optimal_pushes(&self, state: &P::State) -> Vec<(String, P::State)> {
        let mut pushes = BTreeMap::new();
        let mut known = BTreeSet::from([state.clone()]);
        let mut open = vec![state.clone()];
        if self.left[state] == Cost::ZERO
            && (self.objective == Objective::Pushes || self.puzzle.is_goal(state))
        {
            return Vec::new();
        }
        while let Some(from) = open.pop() {
            for mv in self.puzzle.moves(&from) {
                let stepped = self.puzzle.step(&from, mv).expect("listed");
                let paid = Cost::of(self.objective, stepped.tally);
                if self.left.get(&stepped.state).map(|left| *left + paid) != Some(self.left[&from])
                {
                    continue;
                }
                if stepped.tally.pushes > 0 {
                    pushes.insert(self.puzzle.action(&from, &stepped.state), stepped.state);
                } else if known.insert(stepped.state.clone()) {
                    open.push(stepped.state);
                }
            }
        }
        pushes.into_iter().collect()
    }
}

/// Classes of the complete sequences: exchanges of neighbours that lead to the same position.
pub(crate) fn classes<S: PartialEq>(
    all: &BTreeMap<Vec<String>, S>,
    complete: &[&Vec<String>],
) -> usize {
    let number: HashMap<&Vec<String>, usize> = complete.iter().copied().zip(0..).collect();
    let mut root: Vec<usize> = (0..complete.len()).collect();
    fn find(root: &[usize], mut at: usize) -> usize {
        while root[at] != at {
            at = root[at];
        }
        at
    }
    for (at, sequence) in complete.iter().enumerate() {
        for first in 1..sequence.len() {
            let mut other = (*sequence).clone();
            other.swap(first - 1, first);
            let Some(&twin) = number.get(&other) else { continue };
            if all[&other[..=first]] == all[&sequence[..=first]] {
                let (one, two) = (find(&root, at), find(&root, twin));
                root[one.max(two)] = one.min(two);
            }
        }
    }
    (0..root.len()).filter(|&at| root[at] == at).count()
}

/// Calls `ask` on boards of a family until enough of them counted.
pub(crate) fn each_board<P: Moves>(
    objectives: &[Objective],
    mut ask: impl FnMut(&Everything<P>, &dyn Instance, u64) -> bool,
) {
    let family = by_name(P::NAME).expect("registered");
    let mut counted = 0;
    for seed in 0.. {
        assert!(seed < 20_000, "{}: only {counted} boards in {seed}", P::NAME);
        let objective = objectives[seed as usize % objectives.len()];
        let readings = P::sample(seed).readings();
        let instances = (family.sample)(seed).instances(objective).expect("listed");
        let (reading, instance) = (readings.into_iter().next(), instances.into_iter().next());
        let (reading, instance) = (reading.expect("one"), instance.expect("one"));
        let Some(all) = Everything::of(reading.puzzle, objective, MOST) else { continue };
        counted += u64::from(ask(&all, instance.as_ref(), seed));
        if counted == boards(objectives) {
            return;
        }
    }
}

/// A random game of legal moves, which goes for the goal now and then.
pub(crate) fn random_game<P: Moves>(all: &Everything<P>, seed: u64) -> Vec<P::Move> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut state = all.puzzle.start();
    let mut game = Vec::new();
    let aimless = rng.f32();
    for _ in 0..rng.usize(1..30) {
        let moves = all.puzzle.moves(&state);
        if moves.is_empty() {
            break;
        }
        let left = |mv: &P::Move| {
            let stepped = all.puzzle.step(&state, *mv).expect("listed");
            all.left
                .get(&stepped.state)
                .map_or(Cost::MAX, |left| *left + Cost::of(all.objective, stepped.tally))
        };
        let random = rng.usize(0..moves.len());
        let best = *moves.iter().min_by_key(|mv| left(mv)).expect("some");
        let mv = if rng.f32() < aimless { moves[random] } else { best };
        state = all.puzzle.step(&state, mv).expect("listed").state;
        game.push(mv);
    }
    game
}
