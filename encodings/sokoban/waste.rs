//! Strengthening of the push encodings for a given horizon: time windows and the waste counter.
//!
//! Both hold for plans of at most `horizon` pushes only, so they are added per horizon
//! ([`Encoding::windows`](crate::Encoding::windows)).

use super::bounds::Potential;
use super::moves::TIME_WINDOW;
use super::push::PushEncoding;
use super::vars::Var;
use crate::cnf::{Cnf, Lit, Rule, Step};

/// The total waste of a plan within the horizon is capped; pushes that alone exceed it are out.
pub const WASTE_CAP: Rule = Rule::strengthening("waste-cap");

impl PushEncoding {
    /// Boxes are not further from the start than pushes made, nor from all goals than pushes left.
    pub(super) fn add_time_windows(&self, horizon: Step, cnf: &mut Cnf<Var>) {
        let scope = self.scope(cnf);
        for spot in (0..scope.holds.len()).filter(|&spot| scope.holds[spot]) {
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
        let scope = self.scope(cnf);
        let wastes: Vec<Lit> = (1..=cap).map(|units| cnf.lit(t, Var::Wastes(units))).collect();
        for pair in wastes.windows(2) {
            cnf.add(WASTE_CAP, [!pair[1], pair[0]]);
        }
        for push in &scope.pushes {
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
}
