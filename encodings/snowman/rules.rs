//! What a push does, as clauses: shared by the encoding with one ball action a step and the one
//! with one move a step.
//!
//! A push of what is at c in direction d makes a ball leave c and enter the next cell. Which ball
//! that is, and whether it leaves others behind, are few global facts of the step; so the effects
//! at a cell need no case for each direction.

use super::graph::{Floor, Push, Spot};
use super::vars::{CellCoord, Var};
use crate::cnf::{Cnf, Lit, Rule, Step};
use crate::logic::define_or;
use unstuck_puzzles::grid::Direction;
use unstuck_puzzles::snowman::{Snowman, State};

/// Where everything is at the start.
pub const START: Rule = Rule::defining("start");
/// Where a ball leaves and where it enters.
pub const PUSH: Rule = Rule::defining("push");
/// Which ball is pushed, and whether it was alone; finished snowmen are not taken apart.
pub const MOVED: Rule = Rule::defining("moved-ball");
/// What is left behind where a ball leaves; where it lands, on free ground or on a larger ball, and
/// that it grows on snow.
pub const EFFECT: Rule = Rule::defining("push-effect");
/// Balls and snow stay where no push changes them.
pub const FRAME: Rule = Rule::defining("frame");
/// All balls are in snowmen that stand on targets, if there are any.
pub const SOLVED: Rule = Rule::defining("solved");

/// The literals of one layer, looked up once.
#[derive(Clone, Debug)]
pub struct Layer {
    /// For each spot that takes balls: a ball of this size is here.
    pub balls: Vec<[Lit; 3]>,
    /// For each such spot: snow lies here; `None` where it never does.
    pub snow: Vec<Option<Lit>>,
    /// For each spot: the player is here.
    pub player: Vec<Lit>,
}

/// A level as both encodings see it: what is pushed where.
#[derive(Clone, Debug)]
pub struct PushRules {
    /// The level.
    pub puzzle: Snowman,
    /// Its floor.
    pub floor: Floor,
    /// All pushes that the ground allows.
    pub pushes: Vec<Push>,
}

impl PushRules {
    /// The pushes of a level.
    pub fn new(puzzle: &Snowman) -> Self {
        let floor = Floor::new(puzzle);
        Self { puzzle: puzzle.clone(), pushes: floor.pushes().collect(), floor }
    }

    /// The place of a spot.
    pub fn place(&self, spot: Spot) -> CellCoord {
        self.floor.place(spot)
    }

    /// The literals of a layer.
    pub fn layer(&self, t: Step, cnf: &mut Cnf<Var>) -> Layer {
        let grounds = 0..self.floor.grounds();
        let ball = |spot, size, cnf: &mut Cnf<Var>| cnf.lit(t, Var::Ball(self.place(spot), size));
        let balls = grounds.clone().map(|spot| [0, 1, 2].map(|size| ball(spot, size, cnf)));
        let balls = balls.collect();
        let snow = grounds.map(|spot| {
            let snowy = self.puzzle.snow().contains(&self.floor.cell(spot));
            snowy.then(|| cnf.lit(t, Var::Snow(self.place(spot))))
        });
        let snow = snow.collect();
        let player =
            (0..self.floor.len()).map(|spot| cnf.lit(t, Var::Player(self.place(spot)))).collect();
        Layer { balls, snow, player }
    }

    /// All literals that describe a state in a layer.
    pub fn literals(&self, t: Step, state: &State, cnf: &mut Cnf<Var>) -> Vec<Lit> {
        let layer = self.layer(t, cnf);
        let mut lits = Vec::new();
        for spot in 0..self.floor.grounds() {
            let cell = self.floor.cell(spot);
            let stack = state.stacks.get(&cell).map_or(0, |stack| stack.number());
            for (size, lit) in layer.balls[spot].into_iter().enumerate() {
                lits.push(lit.when(stack >> size & 1 == 1));
            }
            lits.extend(layer.snow[spot].map(|lit| lit.when(state.snow.contains(&cell))));
        }
        for (spot, &lit) in layer.player.iter().enumerate() {
            lits.push(lit.when(self.floor.cell(spot) == state.player));
        }
        lits
    }

    /// The literal of a push.
    pub fn push(&self, t: Step, push: Push, cnf: &mut Cnf<Var>) -> Lit {
        cnf.lit(t, Var::Push(self.place(push.at), push.direction))
    }

    /// The literal of the push of what is at a spot in a direction, if the ground allows it.
    pub fn push_of(
        &self,
        t: Step,
        at: Spot,
        direction: Direction,
        cnf: &mut Cnf<Var>,
    ) -> Option<Lit> {
        let push = Push { at, direction };
        self.pushes.contains(&push).then(|| self.push(t, push, cnf))
    }

    /// What the push of step t changes on the board.
    pub fn add_pushes(&self, t: Step, now: &Layer, next: &Layer, cnf: &mut Cnf<Var>) {
        let leave: Vec<Lit> = (0..self.floor.grounds())
            .map(|spot| cnf.lit(t, Var::Leave(self.place(spot))))
            .collect();
        let enter: Vec<Lit> = (0..self.floor.grounds())
            .map(|spot| cnf.lit(t, Var::Enter(self.place(spot))))
            .collect();
        let mut leaving = vec![Vec::new(); self.floor.grounds()];
        let mut entering = leaving.clone();
        for &push in &self.pushes {
            let lit = self.push(t, push, cnf);
            leaving[push.at].push(lit);
            if let Some(beyond) = self.floor.beyond(push) {
                entering[beyond].push(lit);
            }
        }
        let drops = cnf.lit(t, Var::Drops);
        let pushing = cnf.lit(t, Var::Pushing);
        define_or(cnf, PUSH, pushing, &leave);
        cnf.add(MOVED, [!drops, pushing]);
        let moved = [0, 1, 2].map(|size| cnf.lit(t, Var::Moved(size)));
        for [a, b] in [[0, 1], [0, 2], [1, 2]] {
            cnf.add(MOVED, [!moved[a], !moved[b]]);
        }
        for spot in 0..self.floor.grounds() {
            define_or(cnf, PUSH, leave[spot], &leaving[spot]);
            define_or(cnf, PUSH, enter[spot], &entering[spot]);
            self.add_leave(leave[spot], moved, drops, now.balls[spot], next.balls[spot], cnf);
            let land = Landing { enter: enter[spot], moved, drops };
            let snow = now.snow[spot].zip(next.snow[spot]);
            add_landing(land, now.balls[spot], next.balls[spot], snow, cnf);
            for size in 0..3 {
                let (before, after) = (now.balls[spot][size], next.balls[spot][size]);
                cnf.add(FRAME, [!before, after, leave[spot]]);
                cnf.add(FRAME, [before, !after, enter[spot]]);
            }
            if let Some((before, after)) = snow {
                cnf.add(FRAME, [!before, after, enter[spot]]);
                cnf.add(FRAME, [before, !after]);
            }
        }
    }

    /// The top ball leaves a cell; the others stay.
    fn add_leave(
        &self,
        leave: Lit,
        moved: [Lit; 3],
        drops: Lit,
        [small, medium, large]: [Lit; 3],
        after: [Lit; 3],
        cnf: &mut Cnf<Var>,
    ) {
        cnf.add(MOVED, [!leave, small, medium, large]);
        cnf.add(MOVED, [!leave, !small, moved[0]]);
        cnf.add(MOVED, [!leave, small, !medium, moved[1]]);
        cnf.add(MOVED, [!leave, small, medium, moved[2]]);
        for two in [[small, medium], [small, large], [medium, large]] {
            cnf.add(MOVED, [!leave, !two[0], !two[1], drops]);
        }
        for [one, other, third] in
            [[small, medium, large], [medium, small, large], [large, small, medium]]
        {
            cnf.add(MOVED, [!leave, !one, other, third, !drops]);
        }
        if !self.puzzle.dismantle() {
            cnf.add(MOVED, [!leave, !small, !medium, !large]);
        }
        cnf.add(EFFECT, [!leave, !after[0]]);
        cnf.add(EFFECT, [!leave, small, !after[1]]);
        cnf.add(EFFECT, [!leave, medium, !after[1]]);
        cnf.add(EFFECT, [!leave, !small, !medium, after[1]]);
        cnf.add(EFFECT, [!leave, small, medium, !after[2]]);
        cnf.add(EFFECT, [!leave, large, !after[2]]);
        cnf.add(EFFECT, [!leave, !small, !large, after[2]]);
        cnf.add(EFFECT, [!leave, !medium, !large, after[2]]);
    }

    /// A literal that says that layer t is solved.
    pub fn solved(&self, t: Step, cnf: &mut Cnf<Var>) -> Lit {
        let layer = self.layer(t, cnf);
        let solved = cnf.lit(t, Var::Solved);
        for (spot, [small, medium, large]) in layer.balls.into_iter().enumerate() {
            for (one, other) in [(small, medium), (medium, large), (large, small)] {
                cnf.add(SOLVED, [!solved, !one, other]);
            }
            if !self.floor.is_base(spot) {
                cnf.add(SOLVED, [!solved, !large]);
            }
        }
        if !self.puzzle.balls().iter().sum::<usize>().is_multiple_of(3) {
            cnf.add(SOLVED, [!solved]);
        }
        solved
    }
}

/// The facts of a step that matter where a ball lands.
#[derive(Clone, Copy)]
struct Landing {
    enter: Lit,
    moved: [Lit; 3],
    drops: Lit,
}

/// A ball lands: what it needs, and what is there afterwards.
fn add_landing(
    Landing { enter, moved, drops }: Landing,
    [small, medium, large]: [Lit; 3],
    after: [Lit; 3],
    snow: Option<(Lit, Lit)>,
    cnf: &mut Cnf<Var>,
) {
    // Nothing goes onto a small ball, only a small one onto a medium one, no large one onto a
    // large one; and what is pushed off a stack needs free ground.
    cnf.add(EFFECT, [!enter, !small]);
    cnf.add(EFFECT, [!enter, !medium, moved[0]]);
    cnf.add(EFFECT, [!enter, !large, !moved[2]]);
    cnf.add(EFFECT, [!enter, !medium, !drops]);
    cnf.add(EFFECT, [!enter, !large, !drops]);
    // Without snow the ball keeps its size, and what lay there stays under it.
    let bare = snow.map(|(before, _)| before);
    let below = [small, medium, large];
    for size in 0..3 {
        cnf.add(EFFECT, [!enter, !moved[size], after[size]].into_iter().chain(bare));
        let other = [!enter, moved[size], below[size], !after[size]];
        cnf.add(EFFECT, other.into_iter().chain(bare));
        cnf.add(EFFECT, [!enter, !below[size], after[size]]);
    }
    // On snow it grows, and the snow is gone.
    let Some((before, gone)) = snow else { return };
    cnf.add(EFFECT, [!enter, !gone]);
    cnf.add(EFFECT, [!enter, !before, !after[0]]);
    cnf.add(EFFECT, [!enter, !before, !moved[0], after[1]]);
    cnf.add(EFFECT, [!enter, !before, moved[0], !after[1]]);
    cnf.add(EFFECT, [!enter, !before, !moved[0], !after[2]]);
    cnf.add(EFFECT, [!enter, !before, moved[0], after[2]]);
}
