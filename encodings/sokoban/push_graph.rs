//! What the push encodings speak of: cells that can hold a box, pushes, and the graph of the walk.

use super::bounds::{Bounds, Push};
use super::graph::Spot;
use itertools::Itertools;
use petgraph::graph::{NodeIndex, UnGraph};
use unstuck_puzzles::grid::Direction;

/// The cells and pushes of a level that are worth a variable.
#[derive(Clone, Debug)]
pub(super) struct PushGraph {
    /// Whether a spot can hold a box.
    pub holds: Vec<bool>,
    /// The pushes.
    pub pushes: Vec<Push>,
    /// Places in `pushes` by the cell that the box leaves, for each direction.
    out: Vec<[Option<usize>; 4]>,
    /// Places in `pushes` by the cell that the box comes to.
    into: Vec<Vec<usize>>,
    /// Where the player can stand after a push, and at the start; in increasing order.
    pub stands: Vec<Spot>,
    /// The floor as the walk sees it: each node is one spot that can hold a box, or a connected
    /// region of spots that cannot. Node weights name one spot of each.
    pub walk: UnGraph<Spot, ()>,
    /// The node of each spot.
    pub node: Vec<usize>,
}

impl PushGraph {
    /// The slots that satisfy `keep`, and the pushes between them. Regions that never hold a box
    /// become one node of the walk each, unless every cell of a walk is to be distinguished.
    pub(super) fn new(bounds: &Bounds, keep: impl Fn(&Bounds, usize) -> bool, merge: bool) -> Self {
        let floor = bounds.floor();
        let holds: Vec<bool> = (0..floor.len())
            .map(|spot| bounds.sides().of(spot).any(|slot| keep(bounds, slot)))
            .collect();
        let kept = |push: &&Push| keep(bounds, push.before) && keep(bounds, push.after);
        let pushes: Vec<Push> = bounds.pushes().iter().filter(kept).copied().collect();
        let mut out = vec![[None; 4]; floor.len()];
        let mut into = vec![Vec::new(); floor.len()];
        for (number, push) in pushes.iter().enumerate() {
            out[push.from][push.direction.index()] = Some(number);
            into[push.to].push(number);
        }
        let stands = pushes.iter().map(|push| push.from).chain([floor.player()]);
        let stands = stands.sorted().dedup().collect();
        let (walk, node) = contracted(bounds, |spot| merge && !holds[spot]);
        Self { holds, pushes, out, into, stands, walk, node }
    }

    /// The push of a box on a spot in a direction.
    pub(super) fn push(&self, from: Spot, direction: Direction) -> Option<&Push> {
        self.out[from][direction.index()].map(|number| &self.pushes[number])
    }

    /// The pushes that bring a box to a spot.
    pub(super) fn pushes_to(&self, to: Spot) -> impl Iterator<Item = &Push> {
        self.into[to].iter().map(|&number| &self.pushes[number])
    }

    /// The spots that can hold a box.
    pub(super) fn holding(&self) -> impl Iterator<Item = Spot> + Clone + '_ {
        self.holds.iter().positions(|&holds| holds)
    }
}

/// The floor with each connected region of `merged` spots made one node.
fn contracted(bounds: &Bounds, merged: impl Fn(Spot) -> bool) -> (UnGraph<Spot, ()>, Vec<usize>) {
    let floor = bounds.floor();
    let mut walk = UnGraph::default();
    let mut node: Vec<Option<NodeIndex>> = vec![None; floor.len()];
    for spot in 0..floor.len() {
        if node[spot].is_some() {
            continue;
        }
        let this = walk.add_node(spot);
        if merged(spot) {
            let region = floor.flood(spot, |other| !merged(other));
            region.iter().positions(|&reached| reached).for_each(|other| node[other] = Some(this));
        } else {
            node[spot] = Some(this);
        }
    }
    let node: Vec<NodeIndex> = node.into_iter().flatten().collect();
    for (spot, &this) in node.iter().enumerate() {
        for that in floor.around(spot).map(|next| node[next]).filter(|&that| that > this) {
            walk.update_edge(this, that, ());
        }
    }
    (walk, node.into_iter().map(NodeIndex::index).collect())
}
