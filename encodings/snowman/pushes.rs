//! One ball action a step, the walk to it inside the step: the encoding of the `pushes`
//! objectives.
//!
//! A layer holds the balls, the snow and where the player is since the last action. A step is one
//! push: a cell, a direction, and a walk from the player to behind that cell (see
//! [`crate::reach`]). Pushing the top off a stack leaves the player where it is; without
//! teleporters and with no walks to count, it does so after rolling, too: what is behind the ball
//! and where the ball was belong to the same part of the floor.
//!
//! A walk through teleporters is up to three walks: two hops are always enough. The first gets to
//! any teleporter but one, a second one from there to that one.

use super::graph::Spot;
use super::rules::{Layer, PushRules, START};
use super::vars::Var;
use super::{bounds, mirror};
use crate::cnf::{Assignment, Cnf, Lit, Rule, Step};
use crate::encoding::{DecodeError, EncodeError, Encoding, EncodingExtras};
use crate::logic::{at_most, at_most_one, define_and, exactly_one};
use crate::reach::Walk;
use crate::steps::{IDLE_LAST, not_shorter};
use itertools::Itertools;
use unstuck_puzzles::grid::Direction;
use unstuck_puzzles::snowman::{Move, Snowman, Solution};
use unstuck_puzzles::{Moves, Objective};

/// In each step balls leave at most one cell, in one direction; none do in an idle step.
pub const ONE_PUSH: Rule = Rule::defining("one-push");
/// Where the player is after a push.
pub const PLAYER_AFTER: Rule = Rule::defining("player-after");
/// The walk begins where the player is, ends behind what is pushed, and avoids balls.
pub const WALK_FREE: Rule = Rule::defining("walk-free");
/// How the parts of a walk are joined by teleporters.
pub const HOP: Rule = Rule::defining("hop");
/// How many steps all walks have together.
pub const WALK_LENGTH: Rule = Rule::defining("walk-length");

/// The most teleporters that a walk needs to use.
const MAX_TELEPORTS: u8 = 2;

/// The ball-action encoding of a level.
#[derive(Clone, Debug)]
pub struct SnowmanPushes {
    pub(super) rules: PushRules,
    pub(super) lower_bound: Option<Step>,
    /// Least pushes from each spot to each other.
    pub(super) distances: Vec<Vec<Option<u32>>>,
    /// Whether the player's cell must be known exactly.
    exact: bool,
    /// The images under which the level looks the same.
    images: Vec<Vec<Spot>>,
}

/// One part of a walk, between teleporters.
struct Leg {
    from: Vec<Option<Lit>>,
    to: Vec<Option<Lit>>,
}

impl SnowmanPushes {
    /// From where the push of step t is made (in an idle step, where the player is). Where the
    /// player's cell need not be known exactly, that is where it counts as being afterwards.
    fn at(&self, t: Step, spot: Spot, cnf: &mut Cnf<Var>) -> Lit {
        let place = self.rules.place(spot);
        if self.exact { cnf.lit(t, Var::At(place)) } else { cnf.lit(t + 1, Var::Player(place)) }
    }

    /// Which push is made, and from where.
    fn add_push(&self, t: Step, now: &Layer, next: &Layer, cnf: &mut Cnf<Var>) {
        let floor = &self.rules.floor;
        let busy = cnf.lit(t, Var::Busy);
        let go = Direction::ALL.map(|direction| cnf.lit(t, Var::Go(direction)));
        exactly_one(cnf, ONE_PUSH, t, &go.into_iter().chain([!busy]).collect_vec());
        let leave = |spot, cnf: &mut Cnf<Var>| cnf.lit(t, Var::Leave(self.rules.place(spot)));
        let leaving: Vec<Lit> = (0..floor.grounds()).map(|spot| leave(spot, cnf)).collect();
        exactly_one(cnf, ONE_PUSH, t, &leaving.iter().copied().chain([!busy]).collect_vec());
        let mut pushed_from = vec![Vec::new(); floor.len()];
        for (spot, direction) in (0..floor.grounds()).cartesian_product(Direction::ALL) {
            let both = [leaving[spot], go[direction.index()]];
            let behind = floor.ahead(spot, direction.opposite());
            match (self.rules.push_of(t, spot, direction, cnf), behind) {
                (Some(push), Some(behind)) => {
                    define_and(cnf, ONE_PUSH, push, &both);
                    pushed_from[behind].push(push);
                }
                _ => cnf.add(ONE_PUSH, both.map(|lit| !lit)),
            }
        }
        for (spot, pushes) in pushed_from.iter().enumerate() {
            let at = self.at(t, spot, cnf);
            for &push in pushes {
                cnf.add(ONE_PUSH, [!push, at]);
            }
            let before = now.player[spot];
            cnf.add(ONE_PUSH, [!at, !busy].into_iter().chain(pushes.iter().copied()));
            cnf.add(ONE_PUSH, [busy, !before, at]);
            cnf.add(ONE_PUSH, [busy, before, !at]);
        }
        if self.exact {
            self.add_player_after(t, next, cnf);
        }
    }

    /// Where the player is afterwards, exactly.
    fn add_player_after(&self, t: Step, next: &Layer, cnf: &mut Cnf<Var>) {
        let [busy, drops] = [Var::Busy, Var::Drops].map(|var| cnf.lit(t, var));
        exactly_one(cnf, PLAYER_AFTER, t + 1, &next.player);
        for spot in 0..self.rules.floor.len() {
            let at = self.at(t, spot, cnf);
            cnf.add(PLAYER_AFTER, [!at, busy, next.player[spot]]);
            cnf.add(PLAYER_AFTER, [!at, !drops, next.player[spot]]);
        }
        for spot in 0..self.rules.floor.grounds() {
            let leave = cnf.lit(t, Var::Leave(self.rules.place(spot)));
            cnf.add(PLAYER_AFTER, [!leave, drops, next.player[spot]]);
        }
    }

    /// The walk from the player to where the push is made, in one part or through teleporters.
    fn add_walk(&self, t: Step, now: &Layer, cnf: &mut Cnf<Var>) {
        let floor = &self.rules.floor;
        let all = 0..floor.len();
        let player: Vec<Option<Lit>> = now.player.iter().copied().map(Some).collect();
        let at: Vec<Lit> = all.clone().map(|spot| self.at(t, spot, cnf)).collect();
        if floor.teleporters().is_empty() {
            let to = at.iter().copied().map(Some).collect();
            self.add_leg(t, 0, &Leg { from: player, to }, now, cnf);
            return;
        }
        let mut from = player;
        for leg in 0..=MAX_TELEPORTS {
            let to = |spot, cnf: &mut Cnf<Var>| cnf.lit(t, Var::To(leg, self.rules.place(spot)));
            let to: Vec<Lit> = all.clone().map(|spot| to(spot, cnf)).collect();
            at_most_one(cnf, WALK_FREE, t, &to);
            let again = (leg < MAX_TELEPORTS).then(|| cnf.lit(t, Var::Hops(leg + 1)));
            // The last part ends where the push is made.
            for spot in all.clone() {
                cnf.add(WALK_FREE, [!to[spot], at[spot]].into_iter().chain(again));
            }
            let ends = Leg { from, to: to.iter().copied().map(Some).collect() };
            self.add_leg(t, leg, &ends, now, cnf);
            from = match again {
                Some(again) => self.add_hop(t, leg + 1, again, &to, cnf),
                None => Vec::new(),
            };
        }
    }

    /// The hop after a part of a walk: where the next part begins.
    fn add_hop(
        &self,
        t: Step,
        hop: u8,
        used: Lit,
        to: &[Lit],
        cnf: &mut Cnf<Var>,
    ) -> Vec<Option<Lit>> {
        let floor = &self.rules.floor;
        let busy = cnf.lit(t, Var::Busy);
        cnf.add(HOP, [!used, busy]);
        if hop > 1 {
            let before = cnf.lit(t, Var::Hops(hop - 1));
            cnf.add(HOP, [!used, before]);
        }
        let mut ends = [Vec::new(), Vec::new()];
        let mut from = vec![None; floor.len()];
        for teleporter in floor.teleporters() {
            let place = self.rules.place(teleporter);
            let [enter, leave] =
                [Var::HopIn(hop, place), Var::HopOut(hop, place)].map(|var| cnf.lit(t, var));
            cnf.add(HOP, [!enter, !leave]);
            // The part before ends next to the teleporter that is entered.
            let near = floor.around(teleporter).map(|near| to[near]);
            cnf.add(HOP, [!enter].into_iter().chain(near));
            ends[0].push(enter);
            ends[1].push(leave);
            from[teleporter] = Some(leave);
        }
        for lits in &ends {
            exactly_one(cnf, HOP, t, &lits.iter().copied().chain([!used]).collect_vec());
        }
        from
    }

    /// A walk without teleporters.
    fn add_leg(&self, t: Step, leg: u8, ends: &Leg, now: &Layer, cnf: &mut Cnf<Var>) {
        let floor = &self.rules.floor;
        let mut walk = Walk { on: Vec::new(), from: ends.from.clone(), to: ends.to.clone() };
        for spot in 0..floor.len() {
            let on = cnf.lit(t, Var::Walk(leg, self.rules.place(spot)));
            walk.on.push(on);
            if floor.takes_balls(spot) {
                for ball in now.balls[spot] {
                    cnf.add(WALK_FREE, [!on, !ball]);
                }
            } else {
                // On a teleporter a walk can only begin.
                cnf.add(WALK_FREE, [!on].into_iter().chain(ends.from[spot]));
            }
        }
        walk.connect(floor.graph(), t, cnf);
    }

    /// The moves of one step of a model.
    fn decode_step(
        &self,
        t: Step,
        player: Spot,
        assignment: Assignment<'_, Var>,
    ) -> Result<Option<(Vec<Move>, Spot)>, DecodeError> {
        let floor = &self.rules.floor;
        let made = self.rules.pushes.iter().filter(|push| {
            assignment.holds(t, Var::Push(self.rules.place(push.at), push.direction))
        });
        let push = match made.at_most_one() {
            Ok(Some(push)) => *push,
            Ok(None) => return Ok(None),
            Err(_) => return Err(DecodeError(format!("two pushes in step {t}"))),
        };
        let blocked = |spot: Spot| {
            let ball = |size| assignment.holds(t, Var::Ball(self.rules.place(spot), size));
            floor.takes_balls(spot) && (0..3).any(ball)
        };
        let way = floor.behind(push).and_then(|behind| {
            let mut moves = floor.walk(player, behind, blocked)?;
            moves.push(Move { direction: push.direction, exit: None });
            let stays = assignment.holds(t, Var::Drops);
            Some((moves, if stays { behind } else { push.at }))
        });
        way.map(Some).ok_or_else(|| DecodeError(format!("no walk to the push of step {t}")))
    }
}

impl Encoding for SnowmanPushes {
    type Puzzle = Snowman;
    type Var = Var;
    const NAME: &'static str = "snowman-pushes";
    const EXTRAS: EncodingExtras<Self> = EncodingExtras {
        cap_secondary: Some(|encoding, horizon, cap, cnf| {
            // A part of a walk over n cells has n - 1 steps, and a hop or the push is one more. An
            // idle step has a walk of one cell, which counts for nothing.
            let legs = if encoding.rules.floor.teleporters().is_empty() {
                0..=0
            } else {
                0..=MAX_TELEPORTS
            };
            let on = (0..horizon).flat_map(|t| {
                legs.clone().cartesian_product(0..encoding.rules.floor.len()).map(move |it| (t, it))
            });
            let on = on.map(|(t, (leg, spot))| (t, Var::Walk(leg, encoding.rules.place(spot))));
            let counted = on.chain((0..horizon).map(|t| (t, Var::Busy)));
            let counted: Vec<Lit> = counted.map(|(t, var)| cnf.lit(t, var)).collect();
            at_most(cnf, WALK_LENGTH, horizon, &counted, cap as usize + horizon as usize);
        }),
        ..EncodingExtras::NONE
    };

    fn new(puzzle: &Snowman, objective: Objective) -> Result<Self, EncodeError> {
        let rules = PushRules::new(puzzle);
        let lower_bound = bounds::of_level(puzzle, &rules.floor);
        let exact = objective == Objective::PushesMoves || !rules.floor.teleporters().is_empty();
        let distances = bounds::distances(&rules.floor);
        let images = mirror::images(puzzle, &rules.floor, exact);
        Ok(Self { rules, lower_bound, distances, exact, images })
    }

    fn lower_bound(&self) -> Option<Step> {
        self.lower_bound
    }

    fn unsolvable_reason(&self) -> Option<String> {
        bounds::why_hopeless(&self.rules.puzzle, self.lower_bound)
    }

    fn start(&self, cnf: &mut Cnf<Var>) {
        for lit in self.rules.literals(0, &self.rules.puzzle.start(), cnf) {
            cnf.add(START, [lit]);
        }
    }

    fn step(&self, t: Step, cnf: &mut Cnf<Var>) {
        let (now, next) = (self.rules.layer(t, cnf), self.rules.layer(t + 1, cnf));
        let busy = [t, t + 1].map(|t| cnf.lit(t, Var::Busy));
        cnf.add(IDLE_LAST, [busy[0], !busy[1]]);
        self.rules.add_pushes(t, &now, &next, cnf);
        self.add_push(t, &now, &next, cnf);
        self.add_walk(t, &now, cnf);
        self.strengthen(t, &next, cnf);
    }

    fn goal(&self, t: Step, cnf: &mut Cnf<Var>) -> Vec<Lit> {
        vec![self.rules.solved(t, cnf)]
    }

    fn within(&self, least: Step, horizon: Step, cnf: &mut Cnf<Var>) {
        self.add_windows(horizon, cnf);
        mirror::add(&self.rules, &self.images, horizon, cnf);
        not_shorter(least, cnf, |t, cnf| [cnf.lit(t, Var::Busy)]);
    }

    fn decode(
        &self,
        horizon: Step,
        assignment: Assignment<'_, Var>,
    ) -> Result<Solution, DecodeError> {
        let floor = &self.rules.floor;
        let mut player = floor
            .spot(self.rules.puzzle.player())
            .ok_or_else(|| DecodeError("the player is in a wall".to_owned()))?;
        let mut plan = Vec::new();
        for t in 0..horizon {
            if let Some((moves, at)) = self.decode_step(t, player, assignment)? {
                plan.extend(moves);
                player = at;
            }
        }
        Ok(self.rules.puzzle.solution(&plan))
    }

    fn projection(&self, assignment: Assignment<'_, Var>) -> Vec<Lit> {
        assignment.true_lits(|var| matches!(var, Var::Push(..)))
    }
}
