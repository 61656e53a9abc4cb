//! A game with constraints, from the rules alone: what a question about it means.
//!
//! Nothing of the library is used but [`Moves`], so that an answer is compared with what the
//! chapter on questions says, not with how the program computes it. `unstuck_puzzles::constraints`
//! is under test too, so constraints are interpreted here once more.
#![allow(dead_code, reason = "each test uses its part")]

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use unstuck_puzzles::constraints::{Constraints, Prohibition, Requirement};
use unstuck_puzzles::pieces::{Coord, Pieces};
use unstuck_puzzles::{Moves, Objective, Play, Tally};

/// What a plan costs: the primary count of the objective, then its tie-break.
pub(crate) type Price = (u32, u32);

pub(crate) fn sum(one: Price, other: Price) -> Price {
    (one.0 + other.0, one.1 + other.1)
}

/// A position of the game, and a bit for every required thing that has happened.
pub(crate) type At<P> = (<P as Moves>::State, u32);

/// A move, what it leads to, and its length.
pub(crate) type Next<P> = (<P as Moves>::Move, At<P>, Tally);

/// A game that begins somewhere, with constraints.
#[derive(Clone)]
pub(crate) struct Game<P: Moves> {
    pub(crate) puzzle: P,
    pub(crate) start: P::State,
    pub(crate) constraints: Constraints,
    pub(crate) objective: Objective,
}

fn covers(pieces: &Pieces, at: Coord) -> bool {
    pieces.others.iter().any(|piece| piece.contains(&at))
}

impl<P: Moves> Game<P> {
    pub(crate) fn new(puzzle: P, constraints: Constraints, objective: Objective) -> Self {
        let start = puzzle.start();
        Self { puzzle, start, constraints, objective }
    }

    /// The same game begun elsewhere: what is required has to happen from there on.
    pub(crate) fn begun_at(&self, start: &P::State) -> Self {
        Self { start: start.clone(), ..self.clone() }
    }

    pub(crate) fn price(&self, tally: Tally) -> Price {
        (self.objective.primary(tally), self.objective.secondary(tally))
    }

    /// Whether only pushes count, so that walks cost nothing.
    pub(crate) fn walks_are_free(&self) -> bool {
        self.objective == Objective::Pushes
    }

    /// Where the game begins.
    pub(crate) fn begin(&self) -> At<P> {
        (self.start.clone(), self.happened(&self.start, 0))
    }

    /// Whether a position breaks a constraint by itself.
    fn is_broken(&self, position: &P::State) -> bool {
        if self.constraints.forbidden.is_empty() {
            return false;
        }
        let pieces = self.puzzle.pieces(position);
        self.constraints.forbidden.iter().any(|constraint| match constraint {
            Prohibition::Cell(at) => pieces.player == *at || covers(&pieces, *at),
            Prohibition::Player(at) => pieces.player == *at,
            Prohibition::Pushed(at) => covers(&pieces, *at),
            _ => false,
        })
    }

    /// Whether a move breaks a constraint by itself.
    fn breaks(&self, from: &P::State, mv: P::Move, to: &P::State, tally: Tally) -> bool {
        self.constraints.forbidden.iter().any(|constraint| match constraint {
            Prohibition::Piece(at) => self.has_moved(*at, from, to),
            Prohibition::Move(key) => self.key(from, mv) == *key,
            Prohibition::Push(words) => tally.pushes > 0 && self.puzzle.action(from, to) == *words,
            Prohibition::Modifier(at) => {
                P::GAME.modifiers.is_some_and(|it| (it.acts)(&self.puzzle, from, mv, *at))
            }
            _ => false,
        })
    }

    /// The key that is pressed for a move: in every notation the first letter of its text.
    pub(crate) fn key(&self, from: &P::State, mv: P::Move) -> String {
        let text = self.puzzle.begun_at(from).solution(&[mv]).to_string();
        text.chars().take(1).collect::<String>().to_lowercase()
    }

    /// Whether the piece that stood on a place has been moved by a step between two positions.
    fn has_moved(&self, at: Coord, from: &P::State, to: &P::State) -> bool {
        // A constraint about a piece that is not there says nothing.
        if !covers(&self.puzzle.pieces(&self.start), at) {
            return false;
        }
        let (before, after) = (self.puzzle.pieces(from), self.puzzle.pieces(to));
        let Some(piece) = before.others.iter().find(|piece| piece.contains(&at)) else {
            return false;
        };
        let mut moved: Vec<&Vec<Coord>> =
            before.others.iter().filter(|piece| !after.others.contains(piece)).collect();
        // Where several pieces are pushed in a row, each but the last comes to where another stood.
        // Balls of snow are never pushed in a row, but one on another.
        if matches!(P::NAME, "warehouse" | "sokobond") {
            let by = |from: usize, to: usize, place: usize| (place + to).checked_sub(from);
            let shifted = |&(row, column): &Coord| {
                let row = by(before.player.0, after.player.0, row);
                row.zip(by(before.player.1, after.player.1, column))
            };
            let mut done = 0;
            while let Some(&one) = moved.get(done) {
                done += 1;
                let entered: Vec<Coord> = one.iter().filter_map(shifted).collect();
                for other in &before.others {
                    let met = other.iter().any(|place| entered.contains(place));
                    if met && other != one && !moved.contains(&other) {
                        moved.push(other);
                    }
                }
            }
        }
        moved.contains(&piece)
    }

    fn happened(&self, position: &P::State, before: u32) -> u32 {
        if self.constraints.required.is_empty() {
            return before;
        }
        let pieces = self.puzzle.pieces(position);
        self.constraints.required.iter().enumerate().fold(before, |happened, (bit, constraint)| {
            let now = match constraint {
                Requirement::Player(at) | Requirement::Cell(at) => pieces.player == *at,
                Requirement::Piece(at) => covers(&pieces, *at),
                Requirement::Bond(one, other) => {
                    P::GAME.bonds.is_some_and(|joined| joined(&self.puzzle, position, *one, *other))
                }
                _ => false,
            };
            happened | u32::from(now) << bit
        })
    }

    /// What one legal move leads to, if no constraint is against it.
    fn make(&self, at: &At<P>, mv: P::Move) -> Option<(At<P>, Tally)> {
        let stepped = self.puzzle.step(&at.0, mv).ok()?;
        let against = self.is_broken(&at.0)
            || self.is_broken(&stepped.state)
            || self.breaks(&at.0, mv, &stepped.state, stepped.tally);
        let happened = self.happened(&stepped.state, at.1);
        (!against).then_some(((stepped.state, happened), stepped.tally))
    }

    /// Everything that can be done.
    pub(crate) fn steps(&self, at: &At<P>) -> Vec<Next<P>> {
        let moves = self.puzzle.moves(&at.0).into_iter();
        moves.filter_map(|mv| self.make(at, mv).map(|(to, tally)| (mv, to, tally))).collect()
    }

    pub(crate) fn is_won(&self, at: &At<P>) -> bool {
        let all = (1u64 << self.constraints.required.len()) - 1;
        u64::from(at.1) == all && self.puzzle.is_goal(&at.0) && !self.is_broken(&at.0)
    }

    /// Plays a text from the start: the positions, and the prices of the moves. It ends before the
    /// first move that is not possible. Moves that are blocked change nothing where the rules say
    /// so.
    pub(crate) fn play(&self, text: &str) -> Option<MoveGame<P>> {
        // What a text means may depend on where the game begins.
        let begun = self.puzzle.begun_at(&self.start);
        let solution = begun.read_solution(text).ok()?;
        let mut played = MoveGame { positions: vec![self.begin()], prices: Vec::new(), stop: None };
        for (index, mv) in begun.plan(&solution).into_iter().enumerate() {
            let at = played.positions.last().expect("the start").clone();
            let made = match self.puzzle.step(&at.0, mv) {
                Ok(_) => self.make(&at, mv),
                Err(refused) => refused.idle.map(|tally| (at, tally)),
            };
            let Some((to, tally)) = made else {
                played.stop = Some(index + 1);
                break;
            };
            played.positions.push(to);
            played.prices.push(self.price(tally));
        }
        Some(played)
    }

    /// What a text costs that wins the game from its start; `None` when it does not.
    pub(crate) fn wins(&self, text: &str) -> Option<Price> {
        let played = self.play(text).filter(|played| played.stop.is_none())?;
        let won = self.is_won(played.positions.last()?);
        won.then(|| played.prices.into_iter().fold((0, 0), sum))
    }
}

/// A text that was played.
pub(crate) struct MoveGame<P: Moves> {
    pub(crate) positions: Vec<At<P>>,
    pub(crate) prices: Vec<Price>,
    /// The number of the first move that is not possible, from 1.
    pub(crate) stop: Option<usize>,
}

/// All positions that can be reached, with what is left from each.
pub(crate) struct Chart<P: Moves> {
    pub(crate) game: Game<P>,
    /// What the rest costs, for positions from which the game can be won.
    left: HashMap<At<P>, Price>,
    /// All positions in the order in which they were found.
    pub(crate) positions: Vec<At<P>>,
}

impl<P: Moves> Chart<P> {
    /// All positions of a game; `None` when there are more than `most`.
    pub(crate) fn of(game: Game<P>, most: usize) -> Option<Self> {
        let mut ways_in: HashMap<At<P>, Vec<(At<P>, Price)>> = HashMap::new();
        let mut positions = vec![game.begin()];
        ways_in.insert(game.begin(), Vec::new());
        let mut open = VecDeque::from([game.begin()]);
        while let Some(at) = open.pop_front() {
            for (_, to, tally) in game.steps(&at) {
                if !ways_in.contains_key(&to) {
                    open.push_back(to.clone());
                    positions.push(to.clone());
                }
                ways_in.entry(to).or_default().push((at.clone(), game.price(tally)));
            }
            if positions.len() > most {
                return None;
            }
        }
        let mut left: HashMap<At<P>, Price> = HashMap::new();
        let mut queue: BTreeMap<Price, Vec<At<P>>> = BTreeMap::new();
        queue.insert((0, 0), positions.iter().filter(|at| game.is_won(at)).cloned().collect());
        while let Some((price, ended)) = queue.pop_first() {
            for at in ended {
                if left.contains_key(&at) {
                    continue;
                }
                for (before, paid) in &ways_in[&at] {
                    if !left.contains_key(before) {
                        queue.entry(sum(price, *paid)).or_default().push(before.clone());
                    }
                }
                left.insert(at, price);
            }
        }
        Some(Self { game, left, positions })
    }

    pub(crate) fn left(&self, at: &At<P>) -> Option<Price> {
        self.left.get(at).copied()
    }

    /// What a shortest plan costs.
    pub(crate) fn optimum(&self) -> Option<Price> {
        self.left(&self.game.begin())
    }

    /// A random game of legal moves, which goes for the goal now and then.
    pub(crate) fn random_game(&self, rng: &mut fastrand::Rng) -> Vec<P::Move> {
        let (mut at, mut moves, aimless) = (self.game.begin(), Vec::new(), rng.f32());
        for _ in 0..rng.usize(1..30) {
            let steps = self.game.steps(&at);
            let rest = |(_, to, tally): &&Next<P>| {
                let paid = self.game.price(*tally);
                self.left(to).map_or((u32::MAX, 0), |left| sum(left, paid))
            };
            let best = steps.iter().min_by_key(rest);
            let next = if rng.f32() < aimless { rng.choice(&steps) } else { best };
            let Some((mv, to, _)) = next else { break };
            moves.push(*mv);
            at = to.clone();
        }
        moves
    }

    /// The pushes with which an optimal plan can go on from a position, after walking: words, and
    /// the position after each. Empty when nothing but a walk is left.
    fn optimal_pushes(&self, at: &At<P>) -> BTreeSet<(String, At<P>)> {
        let mut pushes = BTreeSet::new();
        let (mut known, mut open) = (BTreeSet::from([at.clone()]), vec![at.clone()]);
        while let Some(from) = open.pop() {
            // A plan ends where the game is won.
            if self.game.is_won(&from) {
                continue;
            }
            for (_, to, tally) in self.game.steps(&from) {
                let rest = self.left(&to).map(|left| sum(left, self.game.price(tally)));
                if rest.is_none() || rest != self.left(&from) {
                    continue;
                }
                if tally.pushes > 0 {
                    pushes.insert((self.game.puzzle.action(&from.0, &to.0), to));
                } else if known.insert(to.clone()) {
                    open.push(to);
                }
            }
        }
        pushes
    }

    /// Whether an optimal plan can end from here without another push.
    fn can_end(&self, at: &At<P>) -> bool {
        let (mut known, mut open) = (BTreeSet::from([at.clone()]), vec![at.clone()]);
        while let Some(from) = open.pop() {
            if self.game.is_won(&from) {
                return true;
            }
            for (_, to, tally) in self.game.steps(&from) {
                let rest = self.left(&to).map(|left| sum(left, self.game.price(tally)));
                let optimal = rest.is_some() && rest == self.left(&from);
                if tally.pushes == 0 && optimal && known.insert(to.clone()) {
                    open.push(to);
                }
            }
        }
        false
    }

    /// What tells positions after pushes from each other: where walking is free, all positions to
    /// which the player can walk (by walks that can be walked back, so not through a teleporter),
    /// else the position.
    fn key(&self, at: &At<P>) -> BTreeSet<At<P>> {
        let near = self.game.puzzle.class(&at.0, self.game.objective);
        let mut known = BTreeSet::from([at.clone()]);
        let mut open = if self.game.walks_are_free() { vec![at.clone()] } else { Vec::new() };
        while let Some(from) = open.pop() {
            for (_, to, tally) in self.game.steps(&from) {
                if tally.pushes == 0 && near.contains(&to.0) && known.insert(to.clone()) {
                    open.push(to);
                }
            }
        }
        known
    }

    /// The optimal plans as sequences of their pushes; `None` when there are more than `most` of
    /// them and their beginnings.
    pub(crate) fn sequences(&self, most: usize) -> Option<Sequences<P>> {
        self.optimum()?;
        let begin = vec![self.game.begin()];
        let mut all = Sequences { after: BTreeMap::new(), whole: BTreeSet::new() };
        let mut open = vec![(Vec::new(), begin)];
        while let Some((sequence, ends)) = open.pop() {
            let mut next: BTreeMap<String, BTreeSet<At<P>>> = BTreeMap::new();
            for (words, to) in ends.iter().flat_map(|at| self.optimal_pushes(at)) {
                next.entry(words).or_default().insert(to);
            }
            for (words, to) in next {
                let longer: Vec<String> = sequence.iter().cloned().chain([words]).collect();
                open.push((longer, to.into_iter().collect()));
            }
            if ends.iter().any(|at| self.can_end(at)) {
                all.whole.insert(sequence.clone());
            }
            all.after.insert(sequence, ends.iter().flat_map(|at| self.key(at)).collect());
            if all.after.len() > most {
                return None;
            }
        }
        Some(all)
    }
}

/// Optimal plans as sequences of pushes, each in words.
pub(crate) struct Sequences<P: Moves> {
    /// What can stand after each beginning of an optimal plan.
    after: BTreeMap<Vec<String>, BTreeSet<At<P>>>,
    /// The sequences of whole plans.
    pub(crate) whole: BTreeSet<Vec<String>>,
}

impl<P: Moves> Sequences<P> {
    /// The number of plans, where exchanges of neighbouring pushes that lead to the same position
    /// make no difference; and for each plan which one it is.
    pub(crate) fn classes(&self) -> (usize, BTreeMap<&Vec<String>, usize>) {
        let whole: Vec<&Vec<String>> = self.whole.iter().collect();
        let number: BTreeMap<&Vec<String>, usize> = whole.iter().copied().zip(0..).collect();
        let mut root: Vec<usize> = (0..whole.len()).collect();
        fn find(root: &[usize], mut at: usize) -> usize {
            while root[at] != at {
                at = root[at];
            }
            at
        }
        for (at, sequence) in whole.iter().enumerate() {
            for first in 1..sequence.len() {
                let mut other = (*sequence).clone();
                other.swap(first - 1, first);
                let Some(&twin) = number.get(&other) else { continue };
                if self.after[&other[..=first]] == self.after[&sequence[..=first]] {
                    let (one, two) = (find(&root, at), find(&root, twin));
                    root[one.max(two)] = one.min(two);
                }
            }
        }
        let classes = number.into_iter().map(|(sequence, at)| (sequence, find(&root, at)));
        ((0..root.len()).filter(|&at| root[at] == at).count(), classes.collect())
    }
}
