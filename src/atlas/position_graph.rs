//! The atlas of a game: the rules say what is possible, a packed space how far it is to the goal.

use super::{Action, ActionId, AppliedMove, Atlas, CostToGo, Distances, Id, Playthrough, WALK};
use crate::limits::{Limits, Stop};
use hashbrown::HashMap;
use std::collections::{BTreeSet, HashSet, VecDeque};
use std::hash::Hash;
use unstuck_encodings::{Cost, Space};
use unstuck_puzzles::pieces::Coord;
use unstuck_puzzles::{Measures, Moves, Objective, ParseError, Play, Style, Successor, Tally};

/// Things numbered in the order in which they were first seen.
#[derive(Clone, Debug)]
struct Numbering<T> {
    numbers: HashMap<T, u32>,
    things: Vec<T>,
}

impl<T: Clone + Eq + Hash> Numbering<T> {
    fn new() -> Self {
        Self { numbers: HashMap::new(), things: Vec::new() }
    }

    fn number(&mut self, thing: T) -> u32 {
        if let Some(&number) = self.numbers.get(&thing) {
            return number;
        }
        let number = self.things.len() as u32;
        self.things.push(thing.clone());
        self.numbers.insert(thing, number);
        number
    }

    fn thing(&self, number: u32) -> &T {
        &self.things[number as usize]
    }
}

/// The atlas of a puzzle over a space.
pub struct PositionGraph<P: Moves, S: Space<Puzzle = P>> {
    puzzle: P,
    objective: Objective,
    distances: Distances<S>,
    positions: Numbering<P::State>,
    names: Numbering<String>,
}

/// A position to which one can walk: the length of the walk, and the step that led there.
struct WalkStep<P: Moves> {
    state: P::State,
    walked: Tally,
    /// Place of the position before in the list, and the step from it.
    from: Option<(usize, P::Move)>,
}

impl<P: Moves, S: Space<Puzzle = P>> PositionGraph<P, S> {
    /// The atlas of a puzzle whose space this is, for the same objective.
    pub fn new(puzzle: P, objective: Objective, space: S) -> Self {
        let mut names = Numbering::new();
        let walk = names.number("walk".to_owned());
        debug_assert_eq!(walk, WALK);
        let (distances, positions) = (Distances::new(space), Numbering::new());
        Self { puzzle, objective, distances, positions, names }
    }

    /// Whether a position stands for all to which the player can walk: where walks count, even as
    /// a tie-break, the player's place makes a difference.
    fn walks_are_free(&self) -> bool {
        self.objective == Objective::Pushes
    }

    /// The position that stands for another one.
    fn standing_for(&self, state: P::State) -> P::State {
        if self.walks_are_free() {
            self.puzzle.representative(&state, self.objective)
        } else {
            state
        }
    }

    /// Everywhere that the player can walk, by shortest walks.
    fn stands(&self, state: &P::State) -> Vec<WalkStep<P>> {
        let first = WalkStep { state: state.clone(), walked: Tally::default(), from: None };
        let (mut stands, mut open) = (vec![first], VecDeque::from([0]));
        let mut known = HashSet::from([state.clone()]);
        while let Some(at) = open.pop_front() {
            for mv in self.puzzle.moves(&stands[at].state) {
                let Ok(Successor { state, tally }) = self.puzzle.step(&stands[at].state, mv) else {
                    continue;
                };
                if tally.pushes == 0 && known.insert(state.clone()) {
                    let walked = stands[at].walked + tally;
                    open.push_back(stands.len());
                    stands.push(WalkStep { state, walked, from: Some((at, mv)) });
                }
            }
        }
        stands
    }

    /// All pushes, each with the place in the list from which it is made and the position after.
    fn pushes(&self, stands: &[WalkStep<P>]) -> Vec<(usize, P::Move, Successor<P::State>)> {
        let pushes = stands.iter().enumerate().flat_map(|(at, stand)| {
            let moves = self.puzzle.moves(&stand.state).into_iter();
            moves.filter_map(move |mv| Some((at, mv, self.puzzle.step(&stand.state, mv).ok()?)))
        });
        pushes.filter(|(_, _, stepped)| stepped.tally.pushes > 0).collect()
    }

    /// The packed state of a position. There is none where a move has left what states do not know:
    /// then nothing is said of it.
    fn packed(&self, id: Id) -> Option<S::State> {
        self.distances.space().pack(self.positions.thing(id))
    }

    fn is_solved(&self, state: &P::State) -> bool {
        if self.walks_are_free() {
            self.puzzle.is_solved_class(state, self.objective)
        } else {
            self.puzzle.is_goal(state)
        }
    }

    /// The walk to a place in the list.
    fn walk(stands: &[WalkStep<P>], mut at: usize) -> Vec<P::Move> {
        let mut walk = Vec::new();
        while let Some((before, mv)) = stands[at].from {
            walk.push(mv);
            at = before;
        }
        walk.reverse();
        walk
    }

    /// A move of a real position, by number.
    fn made(&mut self, state: &P::State, mv: P::Move, stepped: Successor<P::State>) -> AppliedMove {
        let pushed = stepped.tally.pushes > 0;
        let action = pushed.then(|| self.names.number(self.puzzle.action(state, &stepped.state)));
        let text = self.puzzle.begun_at(state).solution(&[mv]).to_string();
        let to = self.positions.number(stepped.state);
        AppliedMove { text, cost: Cost::of(self.objective, stepped.tally), to, action }
    }

    /// Performs an action from a real position: the moves, and the real position after them.
    fn follow(&self, from: &P::State, action: &Action) -> Option<(Vec<P::Move>, P::State)> {
        let to = self.positions.thing(action.to);
        let stands = self.stands(from);
        if action.name == WALK {
            let at = stands.iter().position(|stand| self.puzzle.is_goal(&stand.state))?;
            return Some((Self::walk(&stands, at), stands[at].state.clone()));
        }
        let name = self.names.thing(action.name);
        let (at, mv, stepped) = self.pushes(&stands).into_iter().find(|(at, _, stepped)| {
            self.puzzle.action(&stands[*at].state, &stepped.state) == *name
                && self.standing_for(stepped.state.clone()) == *to
        })?;
        let mut moves = Self::walk(&stands, at);
        moves.push(mv);
        Some((moves, stepped.state))
    }
}

impl<P: Moves, S: Space<Puzzle = P>> Atlas for PositionGraph<P, S> {
    fn objective(&self) -> Objective {
        self.objective
    }

    fn measures(&self) -> Measures {
        P::MEASURES
    }

    fn start(&mut self) -> Id {
        self.positions.number(self.puzzle.start())
    }

    fn is_goal(&self, id: Id) -> bool {
        self.is_solved(self.positions.thing(id))
    }

    fn actions(&mut self, id: Id) -> Vec<Action> {
        let stands = self.stands(&self.positions.thing(id).clone());
        let mut cheapest: HashMap<(ActionId, Id), usize> = HashMap::new();
        let mut actions: Vec<Action> = Vec::new();
        let mut add = |action: Action| match cheapest.get(&(action.name, action.to)) {
            Some(&at) => actions[at].cost = actions[at].cost.min(action.cost),
            None => {
                cheapest.insert((action.name, action.to), actions.len());
                actions.push(action);
            }
        };
        let goal = |stand: &&WalkStep<P>| self.puzzle.is_goal(&stand.state);
        if !self.is_solved(&stands[0].state)
            && let Some(stand) = stands.iter().find(goal)
        {
            let to = self.positions.number(self.standing_for(stand.state.clone()));
            add(Action { name: WALK, to, cost: Cost::of(self.objective, stand.walked) });
        }
        for (at, _, Successor { state, tally }) in self.pushes(&stands) {
            let name = self.names.number(self.puzzle.action(&stands[at].state, &state));
            let to = self.positions.number(self.standing_for(state));
            add(Action { name, to, cost: Cost::of(self.objective, stands[at].walked + tally) });
        }
        actions
    }

    fn action_name(&self, action: ActionId) -> &str {
        self.names.thing(action)
    }

    fn cost_to_go_within(
        &mut self,
        id: Id,
        below: Option<Cost>,
        most: usize,
        limits: &Limits,
    ) -> CostToGo {
        match self.packed(id) {
            Some(packed) => self.distances.cost_to_go(&packed, below, most, limits),
            None => CostToGo::Stopped(Stop::UnknownMove, Cost::ZERO),
        }
    }

    fn learn(&mut self, id: Id, plan: Option<&str>, lower: Option<Cost>) {
        let game = plan.and_then(|plan| self.play_from(id, plan).ok());
        let (mut passed, mut last) = (vec![(id, Cost::ZERO)], (id, Cost::ZERO));
        for made in game.iter().flat_map(|game| &game.moves) {
            last = (made.to, last.1 + made.cost);
            passed.push(last);
        }
        let is_exact = lower == Some(last.1) && self.is_goal(last.0);
        for (id, spent) in passed {
            let rest = lower.map(|lower| lower.after(spent).unwrap_or_default());
            if let Some(packed) = self.packed(id) {
                self.distances.learn(&packed, rest, is_exact);
            }
        }
    }

    fn bound(&mut self, id: Id) -> Option<Cost> {
        match self.packed(id) {
            Some(packed) => self.distances.known(&packed).0,
            None => Some(Cost::ZERO),
        }
    }

    fn steps_with_rules(&mut self, id: Id) -> Vec<(AppliedMove, BTreeSet<usize>)> {
        let state = self.positions.thing(id).clone();
        let moves = self.puzzle.moves(&state).into_iter();
        let steps =
            moves.filter_map(|mv| Some((mv, self.puzzle.step_with_rules(&state, mv).ok()?)));
        let steps: Vec<_> = steps.collect();
        let made = |(mv, (stepped, rules))| (self.made(&state, mv, stepped), rules);
        steps.into_iter().map(made).collect()
    }

    fn starting(&self) -> BTreeSet<usize> {
        self.puzzle.starting()
    }

    fn player(&self, id: Id) -> Coord {
        self.puzzle.pieces(self.positions.thing(id)).player
    }

    fn play_from(&mut self, id: Id, text: &str) -> Result<Playthrough, ParseError> {
        let mut state = self.positions.thing(id).clone();
        let puzzle = match id == self.start() {
            true => self.puzzle.clone(),
            false => self.puzzle.begun_at(&state),
        };
        let solution = puzzle.read_solution(text)?;
        let mut game = Playthrough { moves: Vec::new(), stop: None };
        for (index, mv) in puzzle.plan(&solution).into_iter().enumerate() {
            let stepped = match puzzle.spend(&state, mv) {
                Ok(stepped) => stepped,
                Err(rule) => {
                    game.stop = Some(puzzle.refusal(&solution, index + 1, rule));
                    break;
                }
            };
            let after = stepped.state.clone();
            game.moves.push(self.made(&state, mv, stepped));
            state = after;
        }
        Ok(game)
    }

    fn plan(&mut self, actions: &[Action]) -> Option<String> {
        let mut state = self.puzzle.start();
        let mut plan = Vec::new();
        for action in actions {
            let (moves, reached) = self.follow(&state, action)?;
            plan.extend(moves);
            state = reached;
        }
        if self.is_solved(&state) && !self.puzzle.is_goal(&state) {
            let stands = self.stands(&state);
            let at = stands.iter().position(|stand| self.puzzle.is_goal(&stand.state))?;
            plan.extend(Self::walk(&stands, at));
        }
        Some(self.puzzle.solution(&plan).to_string())
    }

    fn draw(&self, id: Id, style: Style) -> Option<String> {
        self.puzzle.draw(self.positions.thing(id), style)
    }

    fn seen(&self) -> u64 {
        self.distances.seen() as u64
    }
}
