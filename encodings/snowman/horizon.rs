//! What holds in every plan that ends by a horizon: time windows, and pushes to spare.
//!
//! The large balls of the last layer tell where the bases are. A push brings one ball nearer to
//! its nearest base by one, or is wasted, and one that brings it away is wasted twice. So the
//! distances at the start and what is wasted in each step add up to the horizon at most.

use super::graph::{Push, Spot};
use super::pushes::SnowmanPushes;
use super::vars::Var;
use crate::cnf::{Cnf, Lit, Rule, Step};
use crate::logic::{count, define_or};

/// A ball is not where it cannot have come to yet, nor farther from every base than there is time.
pub const TIME_WINDOW: Rule = Rule::strengthening("time-window");
/// Pushes that bring no ball nearer to a base are missing at the end.
pub const PUSH_BUDGET: Rule = Rule::strengthening("push-budget");

/// For each distance from a spot whether a base is that near; beyond the last one all are.
type Near = Vec<Lit>;

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
            self.add_push_budget(&near, horizon, cnf);
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

    fn add_time_windows(&self, near: &[Near], horizon: Step, cnf: &mut Cnf<Var>) {
        let starts: Vec<Spot> = self.start_balls().collect();
        for (spot, near) in near.iter().enumerate() {
            let early = starts.iter().filter_map(|&start| self.distances[start][spot]).min();
            for t in 0..=horizon {
                let balls = [0, 1, 2].map(|size| Var::Ball(self.rules.place(spot), size));
                // In the end a large ball lies on a base that is near enough.
                let left = (horizon - t) as usize;
                let near_enough = near.get(left).or(near.last()).copied();
                let in_time = early.is_some_and(|early| early <= t);
                for ball in balls {
                    let lit = cnf.lit(t, ball);
                    cnf.add(TIME_WINDOW, near_enough.filter(|_| in_time).into_iter().chain([!lit]));
                }
            }
        }
    }

    /// The spots of all balls at the start.
    fn start_balls(&self) -> impl Iterator<Item = Spot> + '_ {
        let stacks = self.rules.puzzle.stacks().iter();
        stacks.flat_map(|(&cell, stack)| {
            let spot = self.rules.floor.spot(cell);
            stack.balls().filter_map(move |_| spot)
        })
    }

    fn add_push_budget(&self, near: &[Near], horizon: Step, cnf: &mut Cnf<Var>) {
        for &push in &self.rules.pushes {
            self.add_progress(push, near, horizon, cnf);
        }
        let distances = self.start_balls().flat_map(|spot| near[spot].iter().map(|&near| !near));
        let mut spent: Vec<Lit> = distances.collect();
        for t in 0..horizon {
            let [busy, idles, harms] = [Var::Busy, Var::Idles, Var::Harms].map(|it| cnf.lit(t, it));
            cnf.add(PUSH_BUDGET, [busy, idles]);
            for push in &self.rules.pushes {
                let place = self.rules.place(push.at);
                let pushed = cnf.lit(t, Var::Push(place, push.direction));
                let [nearer, farther] =
                    [Var::Nearer(place, push.direction), Var::Farther(place, push.direction)]
                        .map(|var| cnf.lit(horizon, var));
                cnf.add(PUSH_BUDGET, [!pushed, nearer, idles]);
                cnf.add(PUSH_BUDGET, [!pushed, !farther, harms]);
            }
            spent.extend([idles, harms]);
        }
        let most = horizon as usize;
        let sums = count(cnf, PUSH_BUDGET, horizon, &spent, most + 1);
        if let Some(&too_many) = sums.get(most) {
            cnf.add(PUSH_BUDGET, [!too_many]);
        }
    }

    /// What a push does to the distance from the nearest base.
    fn add_progress(&self, push: Push, near: &[Near], horizon: Step, cnf: &mut Cnf<Var>) {
        let Some(beyond) = self.rules.floor.beyond(push) else { return };
        let place = self.rules.place(push.at);
        let nearer = cnf.lit(horizon, Var::Nearer(place, push.direction));
        let farther = cnf.lit(horizon, Var::Farther(place, push.direction));
        let (from, to) = (&near[push.at], &near[beyond]);
        for (within, &from) in from.iter().enumerate() {
            let closer = within.checked_sub(1).and_then(|less| to.get(less).or(to.last()));
            cnf.add(PUSH_BUDGET, [!nearer, !from].into_iter().chain(closer.copied()));
            let as_close = to.get(within).or(to.last());
            cnf.add(PUSH_BUDGET, [farther, !from].into_iter().chain(as_close.copied()));
        }
    }
}
