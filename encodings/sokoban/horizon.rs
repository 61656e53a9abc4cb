//! Strengthening of the push encodings for a given horizon: time windows, the waste counter, and
//! what pairs of boxes must waste.
//!
//! All hold for plans of at most `horizon` pushes only, so they are added per horizon
//! ([`Encoding::within`](crate::Encoding::within)).

use super::bounds::Potential;
use super::moves::TIME_WINDOW;
use super::pairs::{Pairs, Waste};
use super::pushes::SokobanPushes;
use super::vars::Var;
use crate::cnf::{Cnf, Lit, Rule, Step};
use itertools::Itertools;

/// The total waste of a plan within the horizon is capped; pushes that alone exceed it are out.
pub const WASTE_CAP: Rule = Rule::strengthening("waste-cap");
/// Two boxes that must waste more than is left are lost.
pub const PAIR_WASTE: Rule = Rule::strengthening("pair-waste");

/// A plan that ends early has wasted less, and must have a length that plans can have.
pub const IDLE_WASTE: Rule = Rule::strengthening("idle-waste");

/// Above so many pairs of cells in all layers their clauses would cost more than they save.
const MAX_PAIRS: usize = 1_000_000;

impl SokobanPushes {
    /// Boxes are not further from the start than pushes made, nor from all goals than pushes left.
    pub(super) fn add_time_windows(&self, horizon: Step, cnf: &mut Cnf<Var>) {
        let graph = self.graph(cnf);
        for spot in graph.holding() {
            let (early, late) = self.bounds.window(spot, horizon);
            for t in (0..=horizon).filter(|t| !(early..=late).contains(t)) {
                let lit = cnf.lit(t, Var::Box(self.place(spot)));
                cnf.add(TIME_WINDOW, [!lit]);
            }
        }
    }

    /// A unary counter of the waste so far, with its cap.
    pub(super) fn add_waste(&self, horizon: Step, cnf: &mut Cnf<Var>) {
        let Some(potential) = &self.potential else { return };
        let Some(cap) = potential.allowance(horizon) else { return };
        for t in 0..horizon {
            self.add_waste_of_step(t, cap, potential, cnf);
            self.add_waste_so_far(t, cap, cnf);
        }
    }

    /// `Wastes(w)`: the push of step t wastes at least w units, for w up to the cap.
    fn add_waste_of_step(&self, t: Step, cap: u32, potential: &Potential, cnf: &mut Cnf<Var>) {
        let graph = self.graph(cnf);
        let wastes: Vec<Lit> = (1..=cap).map(|units| cnf.lit(t, Var::Wastes(units))).collect();
        for pair in wastes.windows(2) {
            cnf.add(WASTE_CAP, [!pair[1], pair[0]]);
        }
        for push in &graph.pushes {
            let lit = self.push_lit(t, push, cnf);
            match potential.waste(push) {
                Some(0) => {}
                Some(units) if units <= cap => {
                    cnf.add(WASTE_CAP, [!lit, wastes[units as usize - 1]]);
                }
                _ => cnf.add(WASTE_CAP, [!lit]),
            }
        }
    }

    /// `Wasted(w)` in layer t + 1: at least w units are wasted so far.
    fn add_waste_so_far(&self, t: Step, cap: u32, cnf: &mut Cnf<Var>) {
        let [before, after] = [t, t + 1].map(|t| -> Vec<Lit> {
            (1..=cap).map(|units| cnf.lit(t, Var::Wasted(units))).collect()
        });
        let wastes: Vec<Lit> = (1..=cap).map(|units| cnf.lit(t, Var::Wastes(units))).collect();
        for (units, (&had, &has)) in before.iter().zip(&after).enumerate() {
            if let Some(&less) = units.checked_sub(1).and_then(|less| after.get(less)) {
                cnf.add(WASTE_CAP, [!has, less]);
            }
            cnf.add(WASTE_CAP, [!had, has]);
            cnf.add(WASTE_CAP, [!wastes[units], has]);
            for (more, &wastes) in wastes.iter().enumerate() {
                let sum = after.get(units + more + 1).copied();
                cnf.add(WASTE_CAP, [!had, !wastes].into_iter().chain(sum));
            }
        }
    }

    /// Where the first idle step can be. A horizon permits shorter plans, but a plan of t pushes may
    /// waste less than one of the horizon, and t must be a length that plans can have.
    pub(super) fn add_idle(&self, horizon: Step, cnf: &mut Cnf<Var>) {
        let Some(potential) = &self.potential else { return };
        let Some(cap) = potential.allowance(horizon) else { return };
        for t in 0..horizon {
            let busy = cnf.lit(t, Var::Busy);
            match potential.allowance(t) {
                None => cnf.add(IDLE_WASTE, [busy]),
                Some(_) if !(t - potential.lower_bound()).is_multiple_of(potential.unit()) => {
                    let before = t.checked_sub(1).map(|before| !cnf.lit(before, Var::Busy));
                    cnf.add(IDLE_WASTE, [busy].into_iter().chain(before));
                }
                Some(most) if most < cap && cnf.keeps(WASTE_CAP) => {
                    let more = cnf.lit(t, Var::Wasted(most + 1));
                    cnf.add(IDLE_WASTE, [busy, !more]);
                }
                Some(_) => {}
            }
        }
    }

    /// Two boxes have wasted something to be where they are, and must waste something still.
    pub(super) fn add_pairs(&self, horizon: Step, cnf: &mut Cnf<Var>) {
        if !cnf.keeps(PAIR_WASTE) || !cnf.keeps(WASTE_CAP) {
            return;
        }
        let cells = self.graph(cnf).holding().count();
        if cells * cells * horizon as usize > MAX_PAIRS {
            return;
        }
        let Some((potential, pairs)) = self.potential.as_ref().zip(self.pairs()) else { return };
        let Some(cap) = potential.allowance(horizon) else { return };
        self.add_pairs_pushed(horizon, cap, potential, pairs, cnf);
        self.add_pairs_standing(horizon, cap, pairs, cnf);
    }

    /// A push after which the pushed box and another one must waste more than before: there must be
    /// enough left.
    fn add_pairs_pushed(
        &self,
        horizon: Step,
        cap: u32,
        potential: &Potential,
        pairs: &Pairs,
        cnf: &mut Cnf<Var>,
    ) {
        let graph = self.graph(cnf);
        for (push, other) in graph.pushes.iter().cartesian_product(graph.holding()) {
            if [push.from, push.to, push.behind].contains(&other) {
                continue;
            }
            let Some(now) = potential.waste(push) else { continue };
            let before = pairs.waste(push.from, other, push.behind);
            let to_come = now + pairs.waste(push.to, other, push.from).to_come;
            if before.so_far + before.to_come > cap || to_come <= before.to_come {
                // Does not occur before the push, or is no worse after it.
                continue;
            }
            for t in 0..horizon {
                let both = [self.push_lit(t, push, cnf), cnf.lit(t, Var::Box(self.place(other)))];
                let spent = (before.so_far + to_come <= cap)
                    .then(|| !cnf.lit(t, Var::Wasted(cap - to_come + 1)));
                cnf.add(PAIR_WASTE, both.map(|lit| !lit).into_iter().chain(spent));
            }
        }
    }

    /// Two boxes that stand somewhere, wherever the player is.
    fn add_pairs_standing(&self, horizon: Step, cap: u32, pairs: &Pairs, cnf: &mut Cnf<Var>) {
        let graph = self.graph(cnf);
        for [a, b] in graph.holding().array_combinations() {
            let players = (0..graph.holds.len()).filter(|&player| player != a && player != b);
            let wastes = players.map(|player| pairs.waste(a, b, player));
            let possible = wastes.filter(|waste| waste.so_far + waste.to_come <= cap);
            let least = possible.reduce(|a, b| Waste {
                so_far: a.so_far.min(b.so_far),
                to_come: a.to_come.min(b.to_come),
            });
            for t in 1..=horizon {
                let boxes = [a, b].map(|spot| !cnf.lit(t, Var::Box(self.place(spot))));
                let Some(Waste { so_far, to_come }) = least else {
                    cnf.add(PAIR_WASTE, boxes);
                    continue;
                };
                if so_far > 0 {
                    let wasted = cnf.lit(t, Var::Wasted(so_far));
                    cnf.add(PAIR_WASTE, boxes.into_iter().chain([wasted]));
                }
                if to_come > 0 {
                    let too_much = cnf.lit(t, Var::Wasted(cap - to_come + 1));
                    cnf.add(PAIR_WASTE, boxes.into_iter().chain([!too_much]));
                }
            }
        }
    }
}
