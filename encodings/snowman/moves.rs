//! One player move a step: the encoding of the `moves` objectives, and the transition on which
//! closed-set certificates rest.
//!
//! It permits every legal move and knows nothing of dead cells or bounds.

use super::bounds;
use super::graph::Spot;
use super::rules::{Layer, PushRules, START};
use super::vars::Var;
use crate::cnf::{Assignment, Cnf, Lit, Rule, Step};
use crate::encoding::{DecodeError, EncodeError, Encoding, EncodingExtras, StepCost, Transition};
use crate::logic::{at_most, at_most_one, exactly_one};
use crate::steps::{IDLE_LAST, chosen_direction, last_push, not_shorter, paid_moves};
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
pub struct SnowmanMoves {
    rules: PushRules,
    objective: Objective,
    lower_bound: Option<Step>,
}

impl SnowmanMoves {
    fn go(&self, t: Step, direction: Direction, cnf: &mut Cnf<Var>) -> Lit {
        cnf.lit(t, Var::Go(direction))
    }

    fn exit(&self, t: Step, teleporter: Spot, cnf: &mut Cnf<Var>) -> Lit {
        cnf.lit(t, Var::Exit(self.rules.place(teleporter)))
    }

    /// Where the player goes who walks.
    fn add_player(&self, t: Step, now: &Layer, next: &Layer, cnf: &mut Cnf<Var>) {
        let floor = &self.rules.floor;
        let [busy, drops] = [Var::Busy, Var::Drops].map(|var| cnf.lit(t, var));
        exactly_one(cnf, PLAYER_MOVE, t, &now.player);
        for spot in 0..floor.len() {
            let (here, after) = (now.player[spot], next.player[spot]);
            cnf.add(PLAYER_MOVE, [busy, !here, after]);
            // Who acts and stays takes the top off a stack.
            cnf.add(PLAYER_MOVE, [!busy, !here, !after, drops]);
            cnf.add(PLAYER_MOVE, [!here, !drops, after]);
            for direction in Direction::ALL {
                let go = self.go(t, direction, cnf);
                let Some(ahead) = floor.ahead(spot, direction) else {
                    cnf.add(PLAYER_MOVE, [!here, !go]);
                    continue;
                };
                if !floor.takes_balls(ahead) {
                    let into = cnf.lit(t, Var::Into(self.rules.place(ahead)));
                    cnf.add(TELEPORT, [!here, !go, into]);
                    continue;
                }
                cnf.add(PLAYER_MOVE, [!here, !go, next.player[ahead], drops]);
                cnf.add(PLAYER_MOVE, [!here, !next.player[ahead], go]);
                cnf.add(PLAYER_MOVE, [!here, !next.player[ahead], !drops]);
            }
            if floor.takes_balls(spot) {
                let near = floor.around(spot).map(|near| now.player[near]);
                cnf.add(PLAYER_MOVE, [!after, here].into_iter().chain(near));
            }
        }
    }

    /// Walking into a ball is a push, and nothing else is.
    fn add_balls(&self, t: Step, now: &Layer, next: &Layer, cnf: &mut Cnf<Var>) {
        let floor = &self.rules.floor;
        for &push in &self.rules.pushes {
            let lit = self.rules.push(t, push, cnf);
            let go = self.go(t, push.direction, cnf);
            cnf.add(PLAYER_PUSH, [!lit, go]);
            cnf.add(
                PLAYER_PUSH,
                [!lit].into_iter().chain(floor.behind(push).map(|b| now.player[b])),
            );
        }
        for spot in 0..floor.grounds() {
            let leave = cnf.lit(t, Var::Leave(self.rules.place(spot)));
            for ball in now.balls[spot] {
                cnf.add(PLAYER_PUSH, [!next.player[spot], !ball, leave]);
            }
            for direction in Direction::ALL {
                let Some(behind) = floor.ahead(spot, direction.opposite()) else { continue };
                let go = self.go(t, direction, cnf);
                let push = self.rules.push_of(t, spot, direction, cnf);
                for ball in now.balls[spot] {
                    let into = [!now.player[behind], !go, !ball];
                    cnf.add(PLAYER_PUSH, into.into_iter().chain(push));
                }
            }
        }
    }

    /// Steps into and off teleporters.
    fn add_teleporters(&self, t: Step, now: &Layer, next: &Layer, cnf: &mut Cnf<Var>) {
        let floor = &self.rules.floor;
        let pushing = cnf.lit(t, Var::Pushing);
        let exits: Vec<Lit> = floor.teleporters().map(|it| self.exit(t, it, cnf)).collect();
        at_most_one(cnf, TELEPORT, t, &exits);
        let into: Vec<Lit> =
            floor.teleporters().map(|it| cnf.lit(t, Var::Into(self.rules.place(it)))).collect();
        for (index, teleporter) in floor.teleporters().enumerate() {
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
            let near = floor.around(teleporter).map(|near| now.player[near]);
            cnf.add(TELEPORT, [!enter].into_iter().chain(near));
            // On a teleporter is who came out there, or was there and did not leave.
            cnf.add(TELEPORT, [!next.player[teleporter], now.player[teleporter], exit]);
            for ground in 0..floor.grounds() {
                cnf.add(TELEPORT, [!exit, !next.player[ground]]);
            }
            for direction in Direction::ALL {
                let go = self.go(t, direction, cnf);
                let from = floor.ahead(teleporter, direction.opposite());
                let from = from.map(|from| now.player[from]);
                cnf.add(TELEPORT, [!enter, !go].into_iter().chain(from));
                let Some(ahead) = floor.ahead(teleporter, direction) else { continue };
                if floor.takes_balls(ahead) {
                    let off = cnf.lit(t, Var::Off(self.rules.place(teleporter), direction));
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

impl Encoding for SnowmanMoves {
    type Puzzle = Snowman;
    type Var = Var;
    const NAME: &'static str = "snowman-moves";
    const EXTRAS: EncodingExtras<Self> = EncodingExtras {
        cap_secondary: Some(|_, horizon, cap, cnf| {
            let pushing: Vec<Lit> = (0..horizon).map(|t| cnf.lit(t, Var::Pushing)).collect();
            at_most(cnf, PUSH_COUNT, horizon, &pushing, cap as usize);
        }),
        ..EncodingExtras::NONE
    };

    fn new(puzzle: &Snowman, objective: Objective) -> Result<Self, EncodeError> {
        let rules = PushRules::new(puzzle);
        let lower_bound = bounds::of_level(puzzle, &rules.floor);
        Ok(Self { rules, objective, lower_bound })
    }

    fn lower_bound(&self) -> Option<Step> {
        self.lower_bound
    }

    fn unsolvable_reason(&self) -> Option<String> {
        bounds::why_hopeless(&self.rules.puzzle, self.lower_bound)
    }

    fn start(&self, cnf: &mut Cnf<Var>) {
        for lit in self.literals(0, &self.rules.puzzle.start(), cnf) {
            cnf.add(START, [lit]);
        }
    }

    fn step(&self, t: Step, cnf: &mut Cnf<Var>) {
        let (now, next) = (self.rules.layer(t, cnf), self.rules.layer(t + 1, cnf));
        let busy = [t, t + 1].map(|t| cnf.lit(t, Var::Busy));
        let go = Direction::ALL.map(|direction| self.go(t, direction, cnf));
        exactly_one(cnf, PLAYER_MOVE, t, &go.into_iter().chain([!busy[0]]).collect::<Vec<_>>());
        cnf.add(IDLE_LAST, [busy[0], !busy[1]]);
        self.rules.add_pushes(t, &now, &next, cnf);
        self.add_player(t, &now, &next, cnf);
        self.add_balls(t, &now, &next, cnf);
        self.add_teleporters(t, &now, &next, cnf);
    }

    fn goal(&self, t: Step, cnf: &mut Cnf<Var>) -> Vec<Lit> {
        vec![self.rules.solved(t, cnf)]
    }

    fn within(&self, least: Step, horizon: Step, cnf: &mut Cnf<Var>) {
        let pushing = |t, cnf: &mut Cnf<Var>| cnf.lit(t, Var::Pushing);
        last_push(horizon, cnf, |t, cnf| [cnf.lit(t, Var::Busy)], pushing);
        not_shorter(least, cnf, |t, cnf| [cnf.lit(t, Var::Busy)]);
    }

    fn decode(
        &self,
        horizon: Step,
        assignment: Assignment<'_, Var>,
    ) -> Result<Solution, DecodeError> {
        let mut plan = Vec::new();
        for t in 0..horizon {
            let Some(direction) = chosen_direction(t, assignment, Var::Go)? else { continue };
            let out = |&(_, it): &(u16, Spot)| assignment.holds(t, Var::Exit(self.rules.place(it)));
            let exit = (1u16..).zip(self.rules.floor.teleporters()).find(out);
            plan.push(Move { direction, exit: exit.map(|(number, _)| number) });
        }
        Ok(self.rules.puzzle.solution(&plan))
    }

    fn projection(&self, assignment: Assignment<'_, Var>) -> Vec<Lit> {
        assignment.true_lits(|var| matches!(var, Var::Go(_) | Var::Exit(_)))
    }
}

impl Transition for SnowmanMoves {
    fn literals(&self, t: Step, state: &State, cnf: &mut Cnf<Var>) -> Vec<Lit> {
        self.rules.literals(t, state, cnf)
    }

    fn move_literals(&self, t: Step, _state: &State, mv: Move, cnf: &mut Cnf<Var>) -> Vec<Lit> {
        let floor = &self.rules.floor;
        let go = self.go(t, mv.direction, cnf);
        let mut lits = vec![go];
        match mv.exit {
            Some(number) => {
                let teleporter = (1u16..).zip(floor.teleporters()).find(|&(n, _)| n == number);
                // There is no such exit: nothing that could be made.
                lits.push(teleporter.map_or(!go, |(_, it)| self.exit(t, it, cnf)));
            }
            // Between two teleporters the exit need not be named.
            None if floor.teleporters().len() == 2 => {}
            None => lits.extend(floor.teleporters().map(|it| !self.exit(t, it, cnf))),
        }
        lits
    }

    /// Under `pushes` the pushes and the steps into and off teleporters, which cannot always be
    /// taken back.
    fn actions(&self, t: Step, cnf: &mut Cnf<Var>) -> Vec<Lit> {
        let floor = &self.rules.floor;
        let mut actions: Vec<Lit> = floor.teleporters().map(|it| self.exit(t, it, cnf)).collect();
        if self.objective.first() == Objective::Moves {
            actions.extend(Direction::ALL.map(|direction| self.go(t, direction, cnf)));
            return actions;
        }
        for teleporter in floor.teleporters() {
            for (direction, ahead) in floor.ways(teleporter) {
                if floor.takes_balls(ahead) {
                    actions.push(cnf.lit(t, Var::Off(self.rules.place(teleporter), direction)));
                }
            }
        }
        actions.extend(self.rules.pushes.iter().map(|&push| self.rules.push(t, push, cnf)));
        actions
    }

    fn paid(&self, t: Step, cnf: &mut Cnf<Var>) -> StepCost {
        paid_moves(self.objective, || cnf.lit(t, Var::Pushing))
    }
}
