//! What holds in every plan: ball counts, snow, dead cells.
//!
//! All of it is strengthening: it follows from the rules and from asking for a solution, but a
//! solver does not see it. Ball counts are from the planning papers; the others rest on push
//! distances and on counting snow.

use super::pushes::SnowmanPushes;
use super::rules::Layer;
use super::vars::Var;
use crate::cnf::{Cnf, Lit, Rule, Step};
use crate::logic::at_most;

/// At most n large balls and at most 2n that are not small, for n snowmen.
pub const BALL_COUNT: Rule = Rule::strengthening("ball-count");
/// Snow that large balls eat is missing where balls have to grow.
pub const SNOW_BUDGET: Rule = Rule::strengthening("snow-budget");
/// No ball where no base can be reached from; a ball that cannot leave a cell is the lower part of
/// a stack there.
pub const DEAD_CELL: Rule = Rule::strengthening("dead-cell");

/// Wasted snow is counted up to this slack; above, it hardly ever binds.
const MAX_SLACK: isize = 8;

impl SnowmanPushes {
    /// Bases that a ball at a spot can still get to.
    pub(super) fn bases_from(&self, spot: usize) -> impl Iterator<Item = (usize, u32)> + '_ {
        let bases = (0..self.rules.floor.grounds()).filter(|&base| self.rules.floor.is_base(base));
        bases.filter_map(move |base| Some((base, self.distances[spot][base]?)))
    }

    /// What holds in each layer after the first, and for each step.
    pub(super) fn strengthen(&self, t: Step, next: &Layer, cnf: &mut Cnf<Var>) {
        self.add_ball_counts(t + 1, next, cnf);
        self.add_snow_budget(t, cnf);
        for (spot, &[small, medium, large]) in next.balls.iter().enumerate() {
            let bases: Vec<usize> = self.bases_from(spot).map(|(base, _)| base).collect();
            match bases[..] {
                [] => [small, medium, large].iter().for_each(|&b| cnf.add(DEAD_CELL, [!b])),
                [only] if only == spot && self.distances[spot].iter().flatten().count() == 1 => {
                    cnf.add(DEAD_CELL, [!small, large]);
                    cnf.add(DEAD_CELL, [!medium, large]);
                }
                _ => {}
            }
        }
    }

    fn add_ball_counts(&self, t: Step, layer: &Layer, cnf: &mut Cnf<Var>) {
        if !cnf.keeps(BALL_COUNT) {
            return;
        }
        let snowmen = self.rules.puzzle.balls().iter().sum::<usize>() / 3;
        let large: Vec<Lit> = layer.balls.iter().map(|balls| balls[2]).collect();
        let grown: Vec<Lit> = layer.balls.iter().flat_map(|balls| [balls[1], balls[2]]).collect();
        for (lits, most) in [(large, snowmen), (grown, 2 * snowmen)] {
            at_most(cnf, BALL_COUNT, t, &lits, most);
        }
    }

    /// Counts the cells of snow that large balls eat: no more than there are to spare.
    fn add_snow_budget(&self, t: Step, cnf: &mut Cnf<Var>) {
        let slack = self.rules.puzzle.snow().len() as isize - self.rules.puzzle.growth();
        if !(0..=MAX_SLACK).contains(&slack) {
            return;
        }
        let slack = slack as u32;
        let now = self.rules.layer(t, cnf);
        let large = cnf.lit(t, Var::Moved(2));
        for (spot, snow) in now.snow.iter().enumerate() {
            let Some(snow) = *snow else { continue };
            let enter = cnf.lit(t, Var::Enter(self.rules.place(spot)));
            for wasted in 0..=slack {
                // One more than before; one more than all that can be spared is too much.
                let premises = [!large, !snow, !enter];
                let before = wasted.checked_sub(1).map(|_| !cnf.lit(t, Var::Wasted(wasted)));
                let after = (wasted < slack).then(|| cnf.lit(t + 1, Var::Wasted(wasted + 1)));
                cnf.add(SNOW_BUDGET, premises.into_iter().chain(before).chain(after));
            }
        }
        for wasted in 1..=slack {
            let [before, after] = [t, t + 1].map(|t| cnf.lit(t, Var::Wasted(wasted)));
            cnf.add(SNOW_BUDGET, [!before, after]);
        }
    }
}
