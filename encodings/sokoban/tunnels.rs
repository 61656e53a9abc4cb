//! Pushes that go on at once: of plans with the same pushes in another order only one is looked for.
//!
//! A box has just been pushed from a cell c to a cell d that is no goal. Other boxes may be pushed
//! before it goes on; but in two cases that gains nothing, and a plan of as many pushes has the two
//! pushes one after the other.
//!
//! * **No way past.** From its side of d the player can push the box on and nowhere else; not back
//!   either, so the cell beyond d is on another side. All that happens before the box goes on happens
//!   on this side, where it is in the way in d and not beyond it: it can be pushed on at once.
//! * **A passage behind it.** c has walls on both sides, and the box cannot be pushed sideways from
//!   d. As long as it stands in d, c is an end where no box can come to (none would leave it, nor
//!   would this one leave d) and where the player has nothing to do but to push it on. So it can as
//!   well be left in c, and pushed to d when it is to be pushed on. If it is pushed back to c by
//!   the other way, both pushes are needless.
//!
//! Both at once are no contradiction: of a row of such pushes of one box the first kind comes last,
//! since beyond a cell that nothing gets past there is no way round either. The former move towards
//! the last push of their row, the latter towards the first of theirs.
//!
//! The order of pushes changes the walks between them, so this is for plans whose moves do not
//! count. They are the tunnel macros of search, as clauses (A. Junghanns, J. Schaeffer, "Sokoban:
//! Enhancing general single-agent search methods using domain knowledge", 2001).

use super::bounds::Push;
use super::push_graph::PushGraph;
use super::pushes::SokobanPushes;
use super::vars::Var;
use crate::cnf::{Cnf, Rule, Step};
use unstuck_puzzles::grid::Direction;

/// After a push into a tunnel the same box is pushed on.
pub(super) const TUNNEL: Rule = Rule::strengthening("tunnel");

impl SokobanPushes {
    /// No other box is pushed between two pushes of one that need nothing between them.
    pub(super) fn add_tunnels(&self, horizon: Step, cnf: &mut Cnf<Var>) {
        if !self.merged || !cnf.keeps(TUNNEL) {
            return;
        }
        let graph = self.graph(cnf);
        for push in graph.pushes.iter().filter(|push| self.goes_on(graph, push)) {
            let onward = graph.push(push.to, push.direction);
            for t in 1..horizon {
                let made = self.push_lit(t - 1, push, cnf);
                let onward = onward.map(|onward| self.push_lit(t, onward, cnf));
                cnf.add(TUNNEL, [!made].into_iter().chain(onward));
            }
        }
    }

    /// Whether a box may as well be pushed on right after a push.
    fn goes_on(&self, graph: &PushGraph, push: &Push) -> bool {
        !self.bounds.floor().is_goal(push.to)
            && (self.has_no_way_past(push) || self.has_passage_behind(graph, push))
    }

    /// Were there a way to the cell beyond, the box could be pushed back from there.
    fn has_no_way_past(&self, push: &Push) -> bool {
        let mut here = self.bounds.pushes_from(push.to).filter(|next| next.before == push.after);
        here.all(|next| next.direction == push.direction)
    }

    fn has_passage_behind(&self, graph: &PushGraph, push: &Push) -> bool {
        let floor = self.bounds.floor();
        let is_sideways =
            |side: &Direction| ![push.direction, push.direction.opposite()].contains(side);
        Direction::ALL.into_iter().filter(is_sideways).all(|side| {
            floor.ahead(push.from, side).is_none() && graph.push(push.to, side).is_none()
        })
    }
}
