//! One player move a step: the encoding of the `moves` objectives, and the transition on which
//! closed-set certificates rest.
//!
//! It permits every legal move and knows nothing of dead cells or bounds.

use super::bounds;
use super::graph::Spot;
use super::rules::{IDLE_LAST, Layer, Model, NOT_SHORTER, START};
use super::vars::Var;
use crate::cnf::{Assignment, Cnf, Lit, Rule, Step};
use crate::encoding::{DecodeError, Encoding, Paid, Transition};
use crate::logic::{at_most, at_most_one, exactly_one};
use unstuck_puzzles::grid::Direction;
use unstuck_puzzles::snowman::{Move, Snowman, Solution, State};
use unstuck_puzzles::{Moves, Objective};

/// In each step the player, who is in exactly one place, goes in exactly one direction, or the step
/// is idle; where a move takes the player, and where it came from.
pub const PLAYER_MOVE: Rule = Rule::defining("player-move");
/// Who walks into a ball pushes it; where the player is afterwards.
pub const PLAYER_PUSH: Rule = Rule::defining("player-push");
/// Into one teleporter and out of another.
pub const TELEPORT: Rule = Rule::defining("teleport");
/// How many steps push.
pub const PUSH_COUNT: Rule = Rule::defining("push-count");

/// The one-move encoding of a level.
#[derive(Clone, Debug)]
pub struct MoveEncoding {
    model: Model,
    objective: Objective,
    lower_bound: Option<Step>,
}

impl MoveEncoding {
    fn go(&self, t: Step, direction: Direction, cnf: &mut Cnf<Var>) -> Lit {
        cnf.lit(t, Var::Go(direction))
    }

    fn exit(&self, t: Step, teleporter: Spot, cnf: &mut Cnf<Var>) -> Lit {
        cnf.lit(t, Var::Exit(self.model.place(teleporter)))
    }

    /// Where the player goes who walks.
    fn add_player(&self, t: Step, now: &Layer, next: &Layer, cnf: &mut Cnf<Var>) {
        let board = &self.model.board;
        let [busy, drops] = [Var::Busy, Var::Drops].map(|var| cnf.lit(t, var));
        exactly_one(cnf, PLAYER_MOVE, t, &now.player);
        for spot in 0..board.len() {
            let (here, after) = (now.player[spot], next.player[spot]);
            cnf.add(PLAYER_MOVE, [busy, !here, after]);
            // Who acts and stays takes the top off a stack.
            cnf.add(PLAYER_MOVE, [!busy, !here, !after, drops]);
            cnf.add(PLAYER_MOVE, [!here, !drops, after]);
            for direction in Direction::ALL {
                let go = self.go(t, direction, cnf);
                let Some(ahead) = board.ahead(spot, direction) else {
                    cnf.add(PLAYER_MOVE, [!here, !go]);
                    continue;
                };
                if !board.takes_balls(ahead) {
                    let into = cnf.lit(t, Var::Into(self.model.place(ahead)));
                    cnf.add(TELEPORT, [!here, !go, into]);
                    continue;
                }
                cnf.add(PLAYER_MOVE, [!here, !go, next.player[ahead], drops]);
                cnf.add(PLAYER_MOVE, [!here, !next.player[ahead], go]);
                cnf.add(PLAYER_MOVE, [!here, !next.player[ahead], !drops]);
            }
            if board.takes_balls(spot) {
                let near = board.around(spot).map(|(_, near)| now.player[near]);
                cnf.add(PLAYER_MOVE, [!after, here].into_iter().chain(near));
            }
        }
    }

    /// Walking into a ball is a push, and nothing else is.
    fn add_balls(&self, t: Step, now: &Layer, next: &Layer, cnf: &mut Cnf<Var>) {
        let board = &self.model.board;
        for &push in &self.model.pushes {
            let lit = self.model.push(t, push, cnf);
            let go = self.go(t, push.direction, cnf);
            cnf.add(PLAYER_PUSH, [!lit, go]);
            cnf.add(
                PLAYER_PUSH,
                [!lit].into_iter().chain(board.behind(push).map(|b| now.player[b])),
            );
        }
        for spot in 0..board.grounds() {
            let leave = cnf.lit(t, Var::Leave(self.model.place(spot)));
            for ball in now.balls[spot] {
                cnf.add(PLAYER_PUSH, [!next.player[spot], !ball, leave]);
            }
            for direction in Direction::ALL {
                let Some(behind) = board.ahead(spot, direction.opposite()) else { continue };
                let go = self.go(t, direction, cnf);
                let push = self.model.push_of(t, spot, direction, cnf);
                for ball in now.balls[spot] {
                    let into = [!now.player[behind], !go, !ball];
                    cnf.add(PLAYER_PUSH, into.into_iter().chain(push));
                }
            }
        }
    }

    /// Steps into and off teleporters.
    fn add_teleporters(&self, t: Step, now: &Layer, next: &Layer, cnf: &mut Cnf<Var>) {
        let board = &self.model.board;
        let pushing = cnf.lit(t, Var::Pushing);
        let exits: Vec<Lit> = board.teleporters().map(|it| self.exit(t, it, cnf)).collect();
        at_most_one(cnf, TELEPORT, t, &exits);
        let into: Vec<Lit> =
            board.teleporters().map(|it| cnf.lit(t, Var::Into(self.model.place(it)))).collect();
        for (index, teleporter) in board.teleporters().enumerate() {
            let (enter, exit) = (into[index], exits[index]);
            // Out at another one than in, and not where the player was.
            cnf.add(TELEPORT, [!enter, !exit]);
            cnf.add(TELEPORT, [!enter].into_iter().chain(exits.iter().copied()));
            cnf.add(TELEPORT, [!exit].into_iter().chain(into.iter().copied()));
            cnf.add(TELEPORT, [!exit, !now.player[teleporter]]);
            cnf.add(TELEPORT, [!exit, next.player[teleporter]]);
            cnf.add(TELEPORT, [!exit, !pushing]);
            let busy = cnf.lit(t, Var::Busy);
            cnf.add(TELEPORT, [!enter, busy]);
            // Whatever the direction: who steps in was next to it.
            let near = board.around(teleporter).map(|(_, near)| now.player[near]);
            cnf.add(TELEPORT, [!enter].into_iter().chain(near));
            // On a teleporter is who came out there, or was there and did not leave.
            cnf.add(TELEPORT, [!next.player[teleporter], now.player[teleporter], exit]);
            for ground in 0..board.grounds() {
                cnf.add(TELEPORT, [!exit, !next.player[ground]]);
            }
            for direction in Direction::ALL {
                let go = self.go(t, direction, cnf);
                let from = board.ahead(teleporter, direction.opposite());
                let from = from.map(|from| now.player[from]);
                cnf.add(TELEPORT, [!enter, !go].into_iter().chain(from));
                let Some(ahead) = board.ahead(teleporter, direction) else { continue };
                if board.takes_balls(ahead) {
                    let off = cnf.lit(t, Var::Off(self.model.place(teleporter), direction));
                    let was = now.player[teleporter];
                    for effect in [go, was, next.player[ahead], !pushing] {
                        cnf.add(TELEPORT, [!off, effect]);
                    }
                    cnf.add(TELEPORT, [off, !was, !next.player[ahead], pushing]);
                }
            }
        }
    }
}

impl Encoding for MoveEncoding {
    type Puzzle = Snowman;
    type Var = Var;
    const NAME: &'static str = "snowman-moves";

    fn new(puzzle: &Snowman, objective: Objective) -> Self {
        let model = Model::new(puzzle);
        let lower_bound = bounds::of_level(puzzle, &model.board);
        Self { model, objective, lower_bound }
    }

    fn lower_bound(&self) -> Option<Step> {
        self.lower_bound
    }

    fn hopeless(&self) -> Option<String> {
        bounds::why_hopeless(&self.model.puzzle, self.lower_bound)
    }

    fn start(&self, cnf: &mut Cnf<Var>) {
        for lit in self.literals(0, &self.model.puzzle.start(), cnf) {
            cnf.add(START, [lit]);
        }
    }

    fn step(&self, t: Step, cnf: &mut Cnf<Var>) {
        let (now, next) = (self.model.layer(t, cnf), self.model.layer(t + 1, cnf));
        let busy = [t, t + 1].map(|t| cnf.lit(t, Var::Busy));
        let go = Direction::ALL.map(|direction| self.go(t, direction, cnf));
        exactly_one(cnf, PLAYER_MOVE, t, &go.into_iter().chain([!busy[0]]).collect::<Vec<_>>());
        cnf.add(IDLE_LAST, [busy[0], !busy[1]]);
        self.model.add_pushes(t, &now, &next, cnf);
        self.add_player(t, &now, &next, cnf);
        self.add_balls(t, &now, &next, cnf);
        self.add_teleporters(t, &now, &next, cnf);
    }

    fn goal(&self, t: Step, cnf: &mut Cnf<Var>) -> Vec<Lit> {
        vec![self.model.solved(t, cnf)]
    }

    fn at_least(&self, least: Step, cnf: &mut Cnf<Var>) {
        for t in 0..least {
            let busy = cnf.lit(t, Var::Busy);
            cnf.add(NOT_SHORTER, [busy]);
        }
    }

    fn cap_secondary(&self, horizon: Step, cap: u32, cnf: &mut Cnf<Var>) {
        let pushing: Vec<Lit> = (0..horizon).map(|t| cnf.lit(t, Var::Pushing)).collect();
        at_most(cnf, PUSH_COUNT, horizon, &pushing, cap as usize);
    }

    fn decode(
        &self,
        horizon: Step,
        assignment: Assignment<'_, Var>,
    ) -> Result<Solution, DecodeError> {
        let mut plan = Vec::new();
        for t in 0..horizon {
            let mut going = Direction::ALL.into_iter().filter(|&d| assignment.holds(t, Var::Go(d)));
            let direction = match (going.next(), going.next()) {
                (Some(direction), None) => direction,
                (None, _) => continue,
                _ => return Err(DecodeError(format!("two moves in step {t}"))),
            };
            let out = |&(_, it): &(u16, Spot)| assignment.holds(t, Var::Exit(self.model.place(it)));
            let exit = (1u16..).zip(self.model.board.teleporters()).find(out);
            plan.push(Move { direction, exit: exit.map(|(number, _)| number) });
        }
        Ok(self.model.puzzle.solution(&plan))
    }

    fn distinguish(&self, assignment: Assignment<'_, Var>) -> Vec<Lit> {
        assignment.true_lits(|var| matches!(var, Var::Go(_) | Var::Exit(_)))
    }
}

impl Transition for MoveEncoding {
    fn literals(&self, t: Step, state: &State, cnf: &mut Cnf<Var>) -> Vec<Lit> {
        self.model.literals(t, state, cnf)
    }

    fn move_literals(&self, t: Step, _state: &State, mv: Move, cnf: &mut Cnf<Var>) -> Vec<Lit> {
        let board = &self.model.board;
        let go = self.go(t, mv.direction, cnf);
        let mut lits = vec![go];
        match mv.exit {
            Some(number) => {
                let teleporter = (1u16..).zip(board.teleporters()).find(|&(n, _)| n == number);
                // There is no such exit: nothing that could be made.
                lits.push(teleporter.map_or(!go, |(_, it)| self.exit(t, it, cnf)));
            }
            // Between two teleporters the exit need not be named.
            None if board.teleporters().len() == 2 => {}
            None => lits.extend(board.teleporters().map(|it| !self.exit(t, it, cnf))),
        }
        lits
    }

    /// Under `pushes` the pushes and the steps into and off teleporters, which cannot always be
    /// taken back.
    fn actions(&self, t: Step, cnf: &mut Cnf<Var>) -> Vec<Lit> {
        let board = &self.model.board;
        let mut actions: Vec<Lit> = board.teleporters().map(|it| self.exit(t, it, cnf)).collect();
        if self.objective.first() == Objective::Moves {
            actions.extend(Direction::ALL.map(|direction| self.go(t, direction, cnf)));
            return actions;
        }
        for teleporter in board.teleporters() {
            for (direction, ahead) in board.around(teleporter) {
                if board.takes_balls(ahead) {
                    actions.push(cnf.lit(t, Var::Off(self.model.place(teleporter), direction)));
                }
            }
        }
        actions.extend(self.model.pushes.iter().map(|&push| self.model.push(t, push, cnf)));
        actions
    }

    fn paid(&self, t: Step, cnf: &mut Cnf<Var>) -> Paid {
        match self.objective.first() {
            Objective::Moves => Paid::Always,
            _ => Paid::If(cnf.lit(t, Var::Pushing)),
        }
    }
}
