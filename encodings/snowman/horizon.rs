//! What holds in every plan that ends by a horizon: time windows, and pushes to spare.
//!
//! The large balls of the last layer show where the bases are. A push brings one ball nearer to its
//! nearest base by one, or is wasted, and one that brings it away is wasted twice. So the distances
//! at the start and what is wasted in each step add up to the horizon at most.
//!
//! A ball that lies on a base, but not on all larger sizes, *is misplaced*: nothing gets under it,
//! so it must leave and come back to this base or go to another one. Its distance is that of a ball
//! which has to be pushed at least once. Whether it is misplaced changes only when it is pushed
//! itself, so that the sum above still holds.

use super::graph::{Push, Spot};
use super::pushes::SnowmanPushes;
use super::vars::{CellCoord, Placement, Var};
use crate::cnf::{Cnf, Lit, Rule, Step};
use crate::logic::{count, define_or};
use itertools::Itertools;
use unstuck_puzzles::grid::Direction;

/// A ball is not where it cannot have come to yet, nor farther from every base than there is time.
pub const TIME_WINDOW: Rule = Rule::strengthening("time-window");
/// Pushes that bring no ball nearer to a base are missing at the end.
pub const PUSH_BUDGET: Rule = Rule::strengthening("push-budget");
/// Balls that lie on a base, but not on what belongs under them, must leave it.
pub const MISPLACED: Rule = Rule::strengthening("lies-amiss");

/// For each distance from a spot whether a base is that near; beyond the last one all are.
type Near = Vec<Lit>;

/// How far balls at a spot are from the bases of the last layer.
struct Ways {
    /// A ball that may stay where it is.
    near: Near,
    /// A misplaced ball; `None` where that is the same: on no base.
    misplaced: Option<Near>,
}

impl Ways {
    fn of(&self, placement: Placement) -> &Near {
        match (placement, &self.misplaced) {
            (Placement::Misplaced, Some(misplaced)) => misplaced,
            _ => &self.near,
        }
    }

    /// The ways of a ball that make a difference, that which costs least first.
    fn before(&self) -> &'static [Placement] {
        if self.misplaced.is_some() {
            &[Placement::Misplaced, Placement::Correct]
        } else {
            &[Placement::Misplaced]
        }
    }

    /// The same for a ball that has arrived.
    fn after(&self) -> &'static [Placement] {
        if self.misplaced.is_some() {
            &[Placement::Correct, Placement::Misplaced]
        } else {
            &[Placement::Correct]
        }
    }
}

/// Whether a base is within so many pushes.
fn within(near: &Near, pushes: usize) -> Option<Lit> {
    near.get(pushes).or(near.last()).copied()
}

impl SnowmanPushes {
    /// Where balls can be in each layer of a plan that ends by the horizon.
    pub(super) fn add_windows(&self, horizon: Step, cnf: &mut Cnf<Var>) {
        if !cnf.keeps(TIME_WINDOW) && !cnf.keeps(PUSH_BUDGET) {
            return;
        }
        let spots = 0..self.rules.floor.grounds();
        let near: Vec<Near> = spots.map(|spot| self.near(spot, horizon, cnf)).collect();
        self.add_time_windows(&near, horizon, cnf);
        if cnf.keeps(PUSH_BUDGET) {
            self.add_push_budget(near, horizon, cnf);
        }
    }

    /// Defines how far a spot is from the bases of the last layer.
    fn near(&self, spot: Spot, horizon: Step, cnf: &mut Cnf<Var>) -> Near {
        let rule = if cnf.keeps(TIME_WINDOW) { TIME_WINDOW } else { PUSH_BUDGET };
        let large =
            |base, cnf: &mut Cnf<Var>| cnf.lit(horizon, Var::Ball(self.rules.place(base), 2));
        let bases: Vec<(Spot, Step)> = self.bases_from(spot).collect();
        let farthest = bases.iter().map(|&(_, pushes)| pushes).max();
        let mut near: Near = Vec::new();
        for within in 0..farthest.map_or(0, |farthest| farthest.min(horizon) + 1) {
            let reached = bases.iter().filter(|&&(_, pushes)| pushes == within);
            let mut some: Vec<Lit> = reached.map(|&(base, _)| large(base, cnf)).collect();
            some.extend(near.last());
            let target = cnf.lit(horizon, Var::Near(self.rules.place(spot), within));
            define_or(cnf, rule, target, &some);
            near.push(target);
        }
        near
    }

    /// Defines how far a ball is from them that must leave its spot first.
    fn misplaced(&self, spot: Spot, near: &[Near], horizon: Step, cnf: &mut Cnf<Var>) -> Near {
        let pushes = self.rules.pushes.iter().filter(|push| push.at == spot);
        let next: Vec<Spot> = pushes.filter_map(|&push| self.rules.floor.beyond(push)).collect();
        let farthest = next.iter().map(|&next| near[next].len()).max().unwrap_or(0);
        let mut misplaced: Near = Vec::new();
        for pushes in 0..=farthest.min(horizon as usize) {
            let before = pushes.checked_sub(1);
            let reached = next.iter().filter_map(|&next| within(&near[next], before?));
            let reached: Vec<Lit> = reached.collect();
            let target =
                cnf.lit(horizon, Var::NearMisplaced(self.rules.place(spot), pushes as u32));
            define_or(cnf, MISPLACED, target, &reached);
            misplaced.push(target);
        }
        misplaced
    }

    fn add_time_windows(&self, near: &[Near], horizon: Step, cnf: &mut Cnf<Var>) {
        let starts: Vec<Spot> = self.start_balls().map(|(spot, _)| spot).collect();
        for (spot, near) in near.iter().enumerate() {
            let early = starts.iter().filter_map(|&start| self.distances[start][spot]).min();
            for t in 0..=horizon {
                let balls = [0, 1, 2].map(|size| Var::Ball(self.rules.place(spot), size));
                // In the end a large ball lies on a base that is near enough.
                let near_enough = within(near, (horizon - t) as usize);
                let in_time = early.is_some_and(|early| early <= t);
                for ball in balls {
                    let lit = cnf.lit(t, ball);
                    cnf.add(TIME_WINDOW, near_enough.filter(|_| in_time).into_iter().chain([!lit]));
                }
            }
        }
    }

    /// The spots of all balls at the start, and how they lie there.
    fn start_balls(&self) -> impl Iterator<Item = (Spot, Placement)> + '_ {
        let stacks = self.rules.puzzle.stacks().iter();
        stacks.flat_map(|(&cell, stack)| {
            let spot = self.rules.floor.spot(cell);
            let balls: Vec<usize> = stack.balls().map(|size| size as usize).collect();
            let placement = balls.clone().into_iter().map(move |ball| {
                let larger = balls.iter().filter(|&&other| other > ball).count();
                if larger == 2 - ball { Placement::Correct } else { Placement::Misplaced }
            });
            placement.filter_map(move |placement| Some((spot?, placement)))
        })
    }

    fn add_push_budget(&self, near: Vec<Near>, horizon: Step, cnf: &mut Cnf<Var>) {
        let misplaced: Vec<Option<Near>> = (0..near.len())
            .map(|spot| {
                let reports_placement = cnf.keeps(MISPLACED) && self.rules.floor.is_base(spot);
                reports_placement.then(|| self.misplaced(spot, &near, horizon, cnf))
            })
            .collect();
        let ways: Vec<Ways> = near
            .into_iter()
            .zip(misplaced)
            .map(|(near, misplaced)| Ways { near, misplaced })
            .collect();
        for &push in &self.rules.pushes {
            self.add_progress(push, &ways, horizon, cnf);
        }
        let distances = self
            .start_balls()
            .flat_map(|(spot, placement)| ways[spot].of(placement).iter().map(|&it| !it));
        let mut spent: Vec<Lit> = distances.collect();
        for t in 0..horizon {
            let [busy, idles, harms] = [Var::Busy, Var::Idles, Var::Harms].map(|it| cnf.lit(t, it));
            cnf.add(PUSH_BUDGET, [busy, idles]);
            self.add_placements(t, &ways, cnf);
            let [well, misplaced] = [Var::LiesWell, Var::LandsMisplaced].map(|it| cnf.lit(t, it));
            for &push in &self.rules.pushes {
                let Some(beyond) = self.rules.floor.beyond(push) else { continue };
                let place = self.rules.place(push.at);
                let pushed = cnf.lit(t, Var::Push(place, push.direction));
                let (from, to) = (&ways[push.at], &ways[beyond]);
                for (&before, &after) in from.before().iter().cartesian_product(to.after()) {
                    let [nearer, farther] = progress(place, push.direction, before, after)
                        .map(|var| cnf.lit(horizon, var));
                    let is_so = [
                        (before == Placement::Correct).then_some(!well),
                        (after == Placement::Misplaced).then_some(!misplaced),
                    ];
                    let is_known = is_so.iter().any(Option::is_some);
                    let rule = if is_known { MISPLACED } else { PUSH_BUDGET };
                    let premises = || [Some(!pushed)].into_iter().chain(is_so).flatten();
                    cnf.add(rule, premises().chain([nearer, idles]));
                    cnf.add(rule, premises().chain([!farther, harms]));
                }
            }
            spent.extend([idles, harms]);
        }
        let most = horizon as usize;
        let sums = count(cnf, PUSH_BUDGET, horizon, &spent, most + 1);
        if let Some(&too_many) = sums.get(most) {
            cnf.add(PUSH_BUDGET, [!too_many]);
        }
    }

    /// How the ball that is pushed lies before and after, where that makes a difference.
    fn add_placements(&self, t: Step, ways: &[Ways], cnf: &mut Cnf<Var>) {
        if !cnf.keeps(MISPLACED) {
            return;
        }
        let (now, next) = (self.rules.layer(t, cnf), self.rules.layer(t + 1, cnf));
        let [well, misplaced] = [Var::LiesWell, Var::LandsMisplaced].map(|it| cnf.lit(t, it));
        for (spot, _) in ways.iter().enumerate().filter(|(_, ways)| ways.misplaced.is_some()) {
            let place = self.rules.place(spot);
            let [leave, enter] = [Var::Leave(place), Var::Enter(place)].map(|it| cnf.lit(t, it));
            // The ball that is pushed is the smallest of its spot.
            let [small, medium, large] = now.balls[spot];
            cnf.add(MISPLACED, [!leave, !large, !medium, well]);
            cnf.add(MISPLACED, [!leave, !large, small, well]);
            let [small, medium, large] = next.balls[spot];
            cnf.add(MISPLACED, [!enter, large, misplaced]);
            cnf.add(MISPLACED, [!enter, !small, medium, misplaced]);
        }
    }

    /// What a push does to the distance from the nearest base.
    fn add_progress(&self, push: Push, ways: &[Ways], horizon: Step, cnf: &mut Cnf<Var>) {
        let Some(beyond) = self.rules.floor.beyond(push) else { return };
        let place = self.rules.place(push.at);
        let (from, to) = (&ways[push.at], &ways[beyond]);
        for (&before, &after) in from.before().iter().cartesian_product(to.after()) {
            let [nearer, farther] =
                progress(place, push.direction, before, after).map(|var| cnf.lit(horizon, var));
            let to = to.of(after);
            for (pushes, &from) in from.of(before).iter().enumerate() {
                let closer = pushes.checked_sub(1).and_then(|less| within(to, less));
                cnf.add(PUSH_BUDGET, [!nearer, !from].into_iter().chain(closer));
                let as_close = within(to, pushes);
                cnf.add(PUSH_BUDGET, [farther, !from].into_iter().chain(as_close));
            }
        }
    }
}

/// Whether a push brings a ball nearer, and whether it takes it away.
fn progress(
    place: CellCoord,
    direction: Direction,
    before: Placement,
    after: Placement,
) -> [Var; 2] {
    [Var::Nearer(place, direction, before, after), Var::Farther(place, direction, before, after)]
}
