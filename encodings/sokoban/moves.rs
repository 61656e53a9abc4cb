//! One player move a step: the encoding of the `moves` objectives, and the transition on which
//! closed-set certificates rest.
//!
//! It permits every legal move and knows nothing of dead cells or bounds except in rules tagged as
//! strengthening. There is no reachability in it: walking is just moves.

use super::bounds::{Bounds, Push};
use super::goal;
use super::graph::Spot;
use super::info::facts;
use super::single_box::SingleBoxMoves;
use super::vars::{CellCoord, Var};
use crate::cnf::{Assignment, Cnf, Lit, Rule, Step};
use crate::encoding::{
    DecodeError, EncodeError, Encoding, EncodingExtras, PieceLiterals, StepCost, Transition,
};
use crate::logic::{at_most, at_most_one, define_or, exactly_one};
use crate::steps::{IDLE_LAST, chosen_direction, last_push, not_shorter, paid_moves};
use unstuck_puzzles::grid::Direction;
use unstuck_puzzles::patterns;
use unstuck_puzzles::sokoban::{Sokoban, State};
use unstuck_puzzles::{Facts, Moves, Objective};

/// Where boxes and player are at the start.
pub const START: Rule = Rule::defining("start");
/// In each step the player goes in exactly one direction, or the step is idle; where a move takes
/// the player, and where it came from.
pub const PLAYER_MOVE: Rule = Rule::defining("player-move");
/// Walking into a box pushes it; what a push needs and what it does.
pub const PUSH: Rule = Rule::defining("push");
/// Boxes stay unless pushed.
pub const BOX_FRAME: Rule = Rule::defining("box-frame");
/// How many steps push.
pub const PUSH_COUNT: Rule = Rule::defining("push-count");
/// The player is in one place. True in every layer by induction; defining all the same, because
/// from a class of states (law 8) a push must determine where the player has been, and so is not.
pub const ONE_PLAYER: Rule = Rule::defining("one-player");
/// The player is not on a box: true in every layer by induction.
pub const OFF_BOX: Rule = Rule::strengthening("off-box");
/// No box in a cell, and no push to a side, from where no goal can be reached.
pub const DEAD_SQUARE: Rule = Rule::strengthening("dead-square");
/// A box that is still far from every goal cannot be late, one far from its start not early.
pub const TIME_WINDOW: Rule = Rule::strengthening("time-window");
/// With each move the player changes its colour on the chessboard.
pub const PLAYER_COLOUR: Rule = Rule::strengthening("player-colour");

/// The one-move encoding of a level.
#[derive(Clone, Debug)]
pub struct SokobanMoves {
    puzzle: Sokoban,
    objective: Objective,
    bounds: Bounds,
    /// One box alone, in moves; `None` on large floors, and where moves do not count.
    alone: Option<SingleBoxMoves>,
}

/// The literals of one layer, looked up once.
struct Layer {
    boxes: Vec<Lit>,
    player: Vec<Lit>,
}

impl SokobanMoves {
    fn layer(&self, t: Step, cnf: &mut Cnf<Var>) -> Layer {
        let places = || (0..self.bounds.floor().len()).map(|spot| self.place(spot));
        let boxes = places().map(|place| cnf.lit(t, Var::Box(place))).collect();
        let player = places().map(|place| cnf.lit(t, Var::Player(place))).collect();
        Layer { boxes, player }
    }

    /// Steps before the first push, which is one to a slot that is not lost; 0 if there is none.
    fn walk_to_first_push(&self) -> u32 {
        let floor = self.bounds.floor();
        let boxed = |spot: Spot| floor.boxes().contains(&spot);
        let steps = floor.steps(floor.player(), boxed);
        let possible = floor.boxes().iter().flat_map(|&at| self.bounds.pushes_from(at));
        let possible = possible.filter(|push| self.bounds.is_live(push.after) && !boxed(push.to));
        possible.filter_map(|push| steps[push.behind]).min().unwrap_or(0)
    }

    fn place(&self, spot: Spot) -> CellCoord {
        self.bounds.floor().place(spot)
    }

    fn push_lit(&self, t: Step, push: &Push, cnf: &mut Cnf<Var>) -> Lit {
        cnf.lit(t, Var::Push(self.place(push.from), push.direction))
    }

    fn all_pushes(&self, t: Step, cnf: &mut Cnf<Var>) -> Vec<Lit> {
        self.bounds.pushes().iter().map(|push| self.push_lit(t, push, cnf)).collect()
    }

    /// The player moves: from a cell in a direction to the next cell, and comes from there only.
    fn add_player(&self, t: Step, now: &Layer, next: &Layer, cnf: &mut Cnf<Var>) {
        let floor = self.bounds.floor();
        let busy = cnf.lit(t, Var::Busy);
        let go = Direction::ALL.map(|direction| cnf.lit(t, Var::Go(direction)));
        for spot in 0..floor.len() {
            for direction in Direction::ALL {
                let go = go[direction.index()];
                let ahead = floor.ahead(spot, direction).map(|ahead| next.player[ahead]);
                cnf.add(PLAYER_MOVE, [!now.player[spot], !go].into_iter().chain(ahead));
                let behind = floor.ahead(spot, direction.opposite()).map(|b| now.player[b]);
                cnf.add(PLAYER_MOVE, [!next.player[spot], !go].into_iter().chain(behind));
            }
            cnf.add(PLAYER_MOVE, [busy, !now.player[spot], next.player[spot]]);
            cnf.add(PLAYER_MOVE, [busy, !next.player[spot], now.player[spot]]);
            // Whatever the direction: the player was here or next to here.
            let near = floor.around(spot).map(|near| now.player[near]);
            let here = [!next.player[spot], now.player[spot]];
            cnf.add(PLAYER_MOVE, here.into_iter().chain(near));
        }
    }

    fn add_pushes(&self, t: Step, now: &Layer, next: &Layer, cnf: &mut Cnf<Var>) {
        let floor = self.bounds.floor();
        for push in self.bounds.pushes() {
            let lit = self.push_lit(t, push, cnf);
            let go = cnf.lit(t, Var::Go(push.direction));
            for effect in [
                go,
                now.player[push.behind],
                now.boxes[push.from],
                !now.boxes[push.to],
                !next.boxes[push.from],
                next.boxes[push.to],
            ] {
                cnf.add(PUSH, [!lit, effect]);
            }
        }
        for spot in 0..floor.len() {
            // Who comes to where a box stood has pushed it, whatever the direction.
            let gone = self.bounds.pushes_from(spot);
            let gone: Vec<Lit> = gone.map(|push| self.push_lit(t, push, cnf)).collect();
            let into_box = [!next.player[spot], !now.boxes[spot]];
            cnf.add(PUSH, into_box.into_iter().chain(gone.iter().copied()));
            for direction in Direction::ALL {
                let Some(at) = floor.ahead(spot, direction) else { continue };
                let go = cnf.lit(t, Var::Go(direction));
                let push = self.bounds.push(at, direction);
                let push = push.map(|push| self.push_lit(t, push, cnf));
                cnf.add(PUSH, [!now.player[spot], !go, !now.boxes[at]].into_iter().chain(push));
            }
            let come = self.bounds.pushes_to(spot);
            let come: Vec<Lit> = come.map(|push| self.push_lit(t, push, cnf)).collect();
            let (before, after) = (now.boxes[spot], next.boxes[spot]);
            cnf.add(BOX_FRAME, [!before, after].into_iter().chain(gone));
            cnf.add(BOX_FRAME, [before, !after].into_iter().chain(come));
        }
    }

    /// As long as no step is idle, the colour of the player's cell is known from the time. It
    /// depends on the start and on the time, so it is no part of the step.
    fn add_colour(&self, horizon: Step, cnf: &mut Cnf<Var>) {
        let floor = self.bounds.floor();
        let start = floor.is_odd(floor.player());
        for t in 1..=horizon {
            let busy = cnf.lit(t - 1, Var::Busy);
            let odd = start ^ (t % 2 == 1);
            for spot in (0..floor.len()).filter(|&spot| floor.is_odd(spot) != odd) {
                let player = cnf.lit(t, Var::Player(self.place(spot)));
                cnf.add(PLAYER_COLOUR, [!player, !busy]);
            }
        }
    }

    /// Each box is where some box, alone on the floor, can be at that time and still come to a goal.
    fn add_windows(&self, horizon: Step, cnf: &mut Cnf<Var>) {
        for spot in 0..self.bounds.floor().len() {
            let (early, late) = self.bounds.window(spot, horizon);
            let in_time = self.alone.as_ref().map(|alone| alone.window(spot, horizon));
            let may = |t: Step| {
                (early..=late).contains(&t) && in_time.as_ref().is_none_or(|at| at[t as usize])
            };
            for t in (0..=horizon).filter(|&t| !may(t)) {
                let lit = cnf.lit(t, Var::Box(self.place(spot)));
                cnf.add(TIME_WINDOW, [!lit]);
            }
        }
    }

    /// What holds in every layer of a plan that succeeds.
    fn strengthen(&self, t: Step, cnf: &mut Cnf<Var>) {
        let layer = self.layer(t, cnf);
        for spot in 0..self.bounds.floor().len() {
            cnf.add(OFF_BOX, [!layer.player[spot], !layer.boxes[spot]]);
            if self.bounds.is_dead_spot(spot) {
                cnf.add(DEAD_SQUARE, [!layer.boxes[spot]]);
            }
        }
    }
}

impl Encoding for SokobanMoves {
    type Puzzle = Sokoban;
    type Var = Var;
    const NAME: &'static str = "sokoban-moves";
    const VERSION: u32 = 2;
    const EXTRAS: EncodingExtras<Self> = EncodingExtras {
        cap_secondary: Some(|_, horizon, cap, cnf| {
            let pushing: Vec<Lit> = (0..horizon).map(|t| cnf.lit(t, Var::Pushing)).collect();
            at_most(cnf, PUSH_COUNT, horizon, &pushing, cap as usize);
        }),
        ..EncodingExtras::NONE
    };

    fn new(puzzle: &Sokoban, objective: Objective) -> Result<Self, EncodeError> {
        let bounds = Bounds::new(puzzle);
        let counts = objective.first() == Objective::Moves;
        let alone = if counts { SingleBoxMoves::new(bounds.floor()) } else { None };
        Ok(Self { puzzle: puzzle.clone(), objective, bounds, alone })
    }

    fn lower_bound(&self) -> Option<Step> {
        let pushes = self.bounds.lower_bound()?;
        let before = if pushes > 0 { self.walk_to_first_push() } else { 0 };
        let alone = self.alone.as_ref().map_or(Some(0), |alone| alone.moves(self.bounds.floor()));
        Some(alone?.max(pushes + before))
    }

    fn unsolvable_reason(&self) -> Option<String> {
        self.bounds.unsolvable_reason()
    }

    fn facts(&self) -> Facts {
        facts(&self.bounds)
    }

    fn start(&self, cnf: &mut Cnf<Var>) {
        for lit in self.literals(0, &self.puzzle.start(), cnf) {
            cnf.add(START, [lit]);
        }
    }

    fn step(&self, t: Step, cnf: &mut Cnf<Var>) {
        let (now, next) = (self.layer(t, cnf), self.layer(t + 1, cnf));
        let busy = [t, t + 1].map(|t| cnf.lit(t, Var::Busy));
        let go = Direction::ALL.map(|direction| cnf.lit(t, Var::Go(direction)));
        exactly_one(cnf, PLAYER_MOVE, t, &go.into_iter().chain([!busy[0]]).collect::<Vec<_>>());
        cnf.add(IDLE_LAST, [busy[0], !busy[1]]);
        at_most_one(cnf, ONE_PLAYER, t, &now.player);
        self.add_player(t, &now, &next, cnf);
        self.add_pushes(t, &now, &next, cnf);
        let pushes = self.all_pushes(t, cnf);
        let pushing = cnf.lit(t, Var::Pushing);
        define_or(cnf, PUSH, pushing, &pushes);
        for push in self.bounds.pushes().iter().filter(|push| !self.bounds.is_live(push.after)) {
            let lit = self.push_lit(t, push, cnf);
            cnf.add(DEAD_SQUARE, [!lit]);
        }
        self.strengthen(t + 1, cnf);
    }

    fn goal(&self, t: Step, cnf: &mut Cnf<Var>) -> Vec<Lit> {
        goal::solved(&self.bounds, |_| true, t, cnf)
    }

    fn within(&self, least: Step, horizon: Step, cnf: &mut Cnf<Var>) {
        goal::count(&self.bounds, |_| true, horizon, cnf);
        self.add_colour(horizon, cnf);
        self.add_windows(horizon, cnf);
        let pushing = |t, cnf: &mut Cnf<Var>| cnf.lit(t, Var::Pushing);
        last_push(horizon, cnf, |t, cnf| [cnf.lit(t, Var::Busy)], pushing);
        not_shorter(least, cnf, |t, cnf| [cnf.lit(t, Var::Busy)]);
    }

    fn decode(
        &self,
        horizon: Step,
        assignment: Assignment<'_, Var>,
    ) -> Result<unstuck_puzzles::sokoban::Solution, DecodeError> {
        let mut plan = Vec::new();
        for t in 0..horizon {
            plan.extend(chosen_direction(t, assignment, Var::Go)?);
        }
        Ok(self.puzzle.solution(&plan))
    }

    fn projection(&self, assignment: Assignment<'_, Var>) -> Vec<Lit> {
        assignment.true_lits(|var| matches!(var, Var::Go(_)))
    }
}

impl Transition for SokobanMoves {
    fn literals(&self, t: Step, state: &State, cnf: &mut Cnf<Var>) -> Vec<Lit> {
        let layer = self.layer(t, cnf);
        let floor = self.bounds.floor();
        let boxes =
            (0..floor.len()).map(|spot| layer.boxes[spot].when(state.has_box(floor.cell(spot))));
        let player =
            (0..floor.len()).map(|spot| layer.player[spot].when(floor.cell(spot) == state.player));
        boxes.chain(player).collect()
    }

    fn move_literals(
        &self,
        t: Step,
        _state: &State,
        mv: Direction,
        cnf: &mut Cnf<Var>,
    ) -> Vec<Lit> {
        vec![cnf.lit(t, Var::Go(mv))]
    }

    fn actions(&self, t: Step, cnf: &mut Cnf<Var>) -> Vec<Lit> {
        match self.objective.first() {
            Objective::Moves => Direction::ALL.map(|d| cnf.lit(t, Var::Go(d))).to_vec(),
            _ => self.all_pushes(t, cnf),
        }
    }

    fn paid(&self, t: Step, cnf: &mut Cnf<Var>) -> StepCost {
        paid_moves(self.objective, || cnf.lit(t, Var::Pushing))
    }
}

impl PieceLiterals for SokobanMoves {
    fn piece(&self, t: Step, at: patterns::PatternCoord, cnf: &mut Cnf<Var>) -> Lit {
        cnf.lit(t, Var::Box(CellCoord::named(at)))
    }

    fn player(&self, t: Step, at: patterns::PatternCoord, cnf: &mut Cnf<Var>) -> Lit {
        cnf.lit(t, Var::Player(CellCoord::named(at)))
    }

    fn pushed(
        &self,
        t: Step,
        from: patterns::PatternCoord,
        direction: Direction,
        cnf: &mut Cnf<Var>,
    ) -> Lit {
        cnf.lit(t, Var::Push(CellCoord::named(from), direction))
    }
}
