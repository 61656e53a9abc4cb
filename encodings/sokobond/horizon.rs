//! What holds in every plan that ends by a horizon: what time alone forbids.

use super::graph::Floor;
use super::vars::Var;
use crate::cnf::{Cnf, Lit, Rule, Step};
use petgraph::graph::NodeIndex;

/// Where the player can be at a time.
pub(super) const PLAYER_REACH: Rule = Rule::strengthening("player-reach");
/// A free electron needs a partner within reach of the moves that are left.
pub(super) const PARTNER_REACH: Rule = Rule::strengthening("partner-reach");

/// Where the player can be at all: near enough to its start, and on a cell of the right colour of
/// the checkerboard as long as no step was idle.
pub(super) fn player_reach(floor: &Floor, horizon: Step, cnf: &mut Cnf<Var>) {
    for t in 1..=horizon {
        for node in floor.nodes() {
            let player = cnf.lit(t, Var::Player(floor.place(node)));
            let distance = floor.distance[node.index()];
            if distance > t {
                cnf.add(PLAYER_REACH, [!player]);
            } else if (distance ^ t) & 1 == 1 {
                let idle = cnf.lit(t - 1, Var::Idle);
                cnf.add(PLAYER_REACH, [!player, idle]);
            }
        }
    }
}

/// A free electron needs a partner that can become its neighbour in the moves that are left.
pub(super) fn partner_reach(floor: &Floor, horizon: Step, cnf: &mut Cnf<Var>) {
    for t in 0..horizon {
        for alone in alone(floor, t, horizon - t, cnf) {
            cnf.add(PARTNER_REACH, alone.into_iter().map(|lit| !lit));
        }
    }
}

/// For each cell: an electron is free there in layer t, and nothing that could be its partner can
/// become a neighbour in so many moves (see [`super::pair_distance`]).
pub(super) fn alone(floor: &Floor, t: Step, left: Step, cnf: &mut Cnf<Var>) -> Vec<Vec<Lit>> {
    let mut all = Vec::new();
    for node in floor.nodes() {
        let in_time = |other: &NodeIndex| {
            let moves = floor.pair_distance.moves(node.index(), other.index());
            *other != node && moves.is_some_and(|moves| moves <= left)
        };
        let near: Vec<NodeIndex> = floor.nodes().filter(in_time).collect();
        if near.len() + 1 == floor.places.len() {
            continue;
        }
        let mut alone = vec![cnf.lit(t, Var::Free(floor.place(node)))];
        for other in near {
            // `/` can free an electron of any atom.
            let partner = if floor.weakens { Var::Occupied } else { Var::Free };
            alone.push(!cnf.lit(t, partner(floor.place(other))));
        }
        if floor.levels > 1 {
            // `+` may need no new partner.
            let bonds = floor.around(node).map(|(_, _, edge)| floor.joint(edge).link);
            alone.extend(bonds.map(|link| !cnf.lit(t, Var::Bond(link, 1))));
        }
        all.push(alone);
    }
    all
}
