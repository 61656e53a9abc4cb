//! The packed state space of a level.

use crate::cost::Cost;
use crate::puzzlescript::analysis::facts::Facts;
use crate::puzzlescript::analysis::numbering::{Numbering, Words};
use crate::puzzlescript::analysis::relevance;
use crate::puzzlescript::bounds::Bounds;
use crate::puzzlescript::dead::DeadPositions;
use crate::puzzlescript::machine::board::Board;
use crate::puzzlescript::machine::packing::{Packing, Store};
use crate::puzzlescript::machine::play::{Machine, Turn};
use crate::puzzlescript::machine::program::Program;
use crate::space::{PackingError, Space};
use std::collections::HashSet;
use std::sync::Arc;
use unstuck_puzzles::puzzlescript::{Input, Kind, PuzzleScript, State};
use unstuck_puzzles::{Moves, Objective, Play, Tally};

/// Positions among which a shorter walk is looked for.
const MAX_WALKED: usize = 10_000;

/// The states of a level in words `S`, for games with at most `64 * N` objects and `12 * N` layers
/// in which something moves.
#[derive(Clone, Debug)]
pub struct PuzzleScriptSpace<S, const N: usize> {
    puzzle: Arc<PuzzleScript>,
    pub(super) objective: Objective,
    numbering: Arc<Numbering>,
    packing: Arc<Packing>,
    pub(super) bounds: Arc<Bounds>,
    dead: DeadPositions,
    pub(super) machine: Machine<N>,
    /// A board with all that never changes.
    fixed: Board<N>,
    /// The objects that are players.
    players: Words<N>,
    start: S,
}

impl<S: Store, const N: usize> PuzzleScriptSpace<S, N> {
    /// How many bits a state takes.
    pub fn state_bits(&self) -> usize {
        self.packing.bits
    }

    /// How states are packed.
    pub(super) fn packing(&self) -> &Packing {
        &self.packing
    }

    /// Puts a state on the board on which turns begin.
    pub(super) fn set_up(&mut self, state: &S) {
        self.machine.start.copy(&self.fixed);
        self.packing.decode(state.as_ref(), &mut self.machine.start);
    }

    /// The state after an input from the one that is set up, which is `state`, and what the input
    /// costs; nothing if that is no move.
    pub(super) fn after(&mut self, state: &S, input: Input) -> Option<(S, Tally)> {
        let (next, pushes) = match self.machine.turn(input) {
            Turn::Refused => return None,
            // A counter has ended what would have taken away objects that states do not know.
            Turn::Legal { .. }
                if self.machine.errors > 0
                    && self.packing.has_strays(self.machine.board.objects()) =>
            {
                self.puzzle.note_unknown_move();
                return None;
            }
            Turn::Legal { won } => {
                let (before, after) = (self.machine.start.objects(), self.machine.board.objects());
                let next = self.packing.encode_changed((state, before), after, won);
                let next = next.expect("the facts allow every board that a turn leads to");
                (next, u32::from(self.changes(before, after)))
            }
            Turn::Unknown => {
                let stepped = self.puzzle.step(&self.unpack(state), input).ok()?;
                let packed = self.pack(&stepped.state);
                if packed.is_none() {
                    self.puzzle.note_unknown_move();
                }
                (packed?, stepped.tally.pushes)
            }
        };
        (next != *state).then_some((next, Tally { moves: 1, pushes }))
    }

    /// Whether more differs than where the players are, where that counts.
    fn changes(&self, before: &[Words<N>], after: &[Words<N>]) -> bool {
        let differs = |(before, after): (&Words<N>, &Words<N>)| {
            (0..N).any(|at| (before[at] ^ after[at]) & !self.players[at] != 0)
        };
        self.objective.first() == Objective::Pushes && before.iter().zip(after).any(differs)
    }

    /// Inputs that lead from one state to another and change nothing on the way: a shortest way, where
    /// that is found soon and is shorter than one that is known.
    fn walk(&mut self, from: &S, to: &S, known: Vec<Input>) -> Vec<Input> {
        if self.objective.first() != Objective::Pushes || known.len() < 2 {
            return known;
        }
        let inputs = self.machine.program().inputs.clone();
        let mut reached: Vec<(S, Vec<Input>)> = vec![(from.clone(), Vec::new())];
        let mut seen = HashSet::from([from.clone()]);
        let mut at = 0;
        while at < reached.len().min(MAX_WALKED) && reached[at].1.len() + 1 < known.len() {
            let (state, way) = reached[at].clone();
            self.set_up(&state);
            for &input in &inputs {
                let Some((next, Tally { pushes: 0, .. })) = self.after(&state, input) else {
                    continue;
                };
                let way = way.iter().copied().chain([input]).collect();
                if next == *to {
                    return way;
                }
                // Nothing is played on from where the level is won.
                if !self.is_goal(&next) && seen.insert(next.clone()) {
                    reached.push((next, way));
                }
            }
            at += 1;
        }
        known
    }
}

impl<S: Store, const N: usize> Space for PuzzleScriptSpace<S, N> {
    type Puzzle = PuzzleScript;
    type State = S;
    const BOUND: Option<&'static str> = Some("relaxed distance");

    fn new(puzzle: &PuzzleScript, objective: Objective) -> Result<Self, PackingError> {
        let (game, map) = (puzzle.game(), puzzle.map());
        let facts = Facts::new(puzzle)
            .ok_or_else(|| PackingError("the level is too large for an analysis".to_owned()))?;
        let counts_changes = objective.first() == Objective::Pushes;
        // Where changes count, so do those on which nothing depends.
        let layers = match counts_changes {
            true => vec![true; game.layers.len()],
            false => relevance::relevant_layers(game, &facts),
        };
        let numbering = Arc::new(Numbering::new(game, &facts, &layers));
        let lasting = relevance::lasting(game, &facts, &puzzle.start().cells);
        let packing = Packing::new(&numbering, &facts, &lasting);
        let packing = Arc::new(
            packing.ok_or_else(|| PackingError("a layer has too many objects".to_owned()))?,
        );
        if S::zeroed(packing.words).is_none() {
            return Err(PackingError(format!("a state takes {} words", packing.words)));
        }
        let bounds = Bounds::new(puzzle.game(), &facts, &numbering, &packing, counts_changes);
        let dead = DeadPositions::new(game, &facts, &numbering, &packing);
        let program = Arc::new(Program::new(game, &facts, &layers, numbering.clone())?);
        let ask = layers.iter().all(|&relevant| relevant);
        let mut machine = Machine::new(program, map.width, map.height, ask);
        machine.is_plain = relevance::is_plain(puzzle);
        let mut fixed = machine.start.clone();
        packing.set_up(&mut fixed);
        let start = puzzle.start();
        let objects = numbering.board::<N>(&start.cells);
        let start = objects.and_then(|objects| packing.encode(&objects, start.won));
        let start = start.ok_or_else(|| PackingError("the start does not fit".to_owned()))?;
        let (Kind::Any(players) | Kind::All(players)) = &game.player;
        let players = numbering.mask(players);
        Ok(Self {
            puzzle: Arc::new(puzzle.clone()),
            objective,
            numbering,
            packing,
            bounds: Arc::new(bounds),
            dead,
            machine,
            fixed,
            players,
            start,
        })
    }

    fn start(&self) -> S {
        self.start.clone()
    }

    fn is_goal(&self, state: &S) -> bool {
        Packing::is_won(state.as_ref())
    }

    fn met_unknown_move(&self) -> bool {
        self.puzzle.met_unknown_move()
    }

    fn expand(&mut self, state: &S, successors: &mut Vec<(S, Cost)>) {
        if self.is_goal(state) {
            return;
        }
        self.set_up(state);
        for number in 0..self.machine.program().inputs.len() {
            let input = self.machine.program().inputs[number];
            if let Some((next, tally)) = self.after(state, input) {
                successors.push((next, Cost::of(self.objective, tally)));
            }
        }
    }

    fn bound(&mut self, state: &S) -> Option<Cost> {
        if !self.machine.is_plain {
            // What comes of some turns is not modelled: they may lead anywhere.
            return Some(Cost::ZERO);
        }
        let turns = self.bounds.of(&self.packing, state.as_ref())?;
        let effort = std::mem::take(&mut self.machine.effort);
        if !self.is_goal(state) && self.dead.sees(state.as_ref(), effort) {
            return None;
        }
        Some(Cost::of(self.objective, Tally { moves: turns, pushes: turns }))
    }

    fn is_dead(&mut self, state: &S) -> bool {
        self.machine.is_plain && !self.is_goal(state) && self.dead.is_dead(state.as_ref())
    }

    fn pieces(&mut self, state: &S, pieces: &mut Vec<u32>) {
        let objects = self.numbering.objects.len();
        for field in &self.packing.fields {
            if let Some(object) = field.options[field.value(state.as_ref())] {
                pieces.push((field.cell * objects + object) as u32);
            }
        }
    }

    fn pack(&self, state: &State) -> Option<S> {
        let objects = self.numbering.board::<N>(&state.cells)?;
        let is_known = state.cells.len() == self.puzzle.map().cells.len()
            && !self.packing.has_strays(&objects);
        is_known.then(|| self.packing.encode(&objects, state.won)).flatten()
    }

    /// In layers that do not matter it is as at the start.
    fn unpack(&self, state: &S) -> State {
        let mut board = self.fixed.clone();
        self.packing.decode(state.as_ref(), &mut board);
        let mut cells = self.puzzle.start().cells;
        self.numbering.overwrite(&mut cells, board.objects());
        State { cells, won: self.is_goal(state) }
    }

    fn plan(&mut self, path: &[S]) -> Vec<Input> {
        let inputs = self.machine.program().inputs.clone();
        let (mut plan, mut walk, mut begun) = (Vec::new(), Vec::new(), 0);
        for (at, pair) in path.windows(2).enumerate() {
            self.set_up(&pair[0]);
            let leads = |&input: &Input| {
                let (next, tally) = self.after(&pair[0], input)?;
                (next == pair[1]).then_some((input, tally))
            };
            let found = inputs.iter().find_map(leads);
            let (input, tally) = found.expect("a path follows the edges of expand");
            if tally.pushes == 0 {
                walk.push(input);
                continue;
            }
            let walked = std::mem::take(&mut walk);
            plan.extend(self.walk(&path[begun], &path[at], walked));
            plan.push(input);
            begun = at + 1;
        }
        plan.extend(self.walk(&path[begun], &path[path.len() - 1], walk));
        plan
    }
}
