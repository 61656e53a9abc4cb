//! How many pushes and instructions are needed at least.
//!
//! One push moves a whole set of boxes, all by one cell in one direction. So the pushes in a
//! direction are at least as many as the moves of any single box in that direction, and no sum
//! over boxes is admissible. For each direction we take the bottleneck over all ways to assign
//! boxes to the berths asked for, and add the four; and we take the bottleneck of the whole
//! distances. Distances are those of a box alone that is moved by a helpful hand: only walls
//! count. Before the first push the robot must walk to a box.
//!
//! For a score, K boxes change it by at most 100 K with each push.

use super::goal::GoalSpec;
use super::graph::{BerthId, Floor};
use super::vars::CellCoord;
use crate::floor::Spot;
use std::collections::VecDeque;
use unstuck_puzzles::Direction;
use unstuck_puzzles::warehouse::{Relation, State};

/// A distance that is none.
pub(super) const UNREACHABLE: u32 = u32::MAX;

/// Above this many entries a table is not made, and the bound that needs it is 0.
const MAX_TABLE_ENTRIES: usize = 1 << 24;

/// A position in the terms of the floor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FloorState {
    pub(super) robot: Spot,
    pub(super) boxes: Vec<BerthId>,
}

impl Floor {
    /// A position of the rules in the terms of the floor.
    pub(super) fn stand(&self, state: &State) -> FloorState {
        let boxes = state.boxes.iter();
        FloorState {
            robot: self.spot(state.robot).expect("the robot stands on floor"),
            boxes: boxes.map(|&wide| self.berth(wide).expect("boxes stand on floor")).collect(),
        }
    }
}

/// Moves of one box from every berth to one berth.
#[derive(Clone, Debug)]
struct Distances {
    /// In all.
    total: Vec<u32>,
    /// In each direction, each as few as it can be.
    along: [Vec<u32>; 4],
}

impl Distances {
    fn to(floor: &Floor, target: BerthId) -> Self {
        let back = |direction: Option<Direction>| {
            let paid = move |d| u32::from(direction.is_none_or(|counted| counted == d));
            distances(floor.berths.len(), &[target], |berth| {
                pushes_into(floor, berth).map(move |(from, d)| (from, paid(d))).collect()
            })
        };
        Self { total: back(None), along: Direction::ALL.map(|d| back(Some(d))) }
    }
}

/// Tables for the bounds of one warehouse.
#[derive(Clone, Debug)]
pub(super) struct Bounds {
    asked: GoalSpec,
    targets: Vec<Distances>,
    /// For each berth the instructions from each cell until the robot stands beside a box there.
    beside: Vec<Vec<u32>>,
    /// Instructions from each cell to where the robot must end.
    home: Option<Vec<u32>>,
    /// The least and the greatest worth that a box from each berth can come to.
    reach: Vec<(u64, u64)>,
    /// Pushes of some box from the start to each berth.
    pub(super) box_from_start: Vec<u32>,
    /// Instructions of the robot from the start to each cell.
    pub(super) robot_from_start: Vec<u32>,
}

impl Bounds {
    pub(super) fn new(floor: &Floor, asked: &GoalSpec, start: &FloorState) -> Self {
        let (cells, berths) = (floor.len(), floor.berths.len());
        let targets =
            if berths * asked.full.len() <= MAX_TABLE_ENTRIES { &asked.full[..] } else { &[] };
        let beside = if berths * cells <= MAX_TABLE_ENTRIES { &floor.berths[..] } else { &[] };
        Self {
            asked: asked.clone(),
            targets: targets.iter().map(|&target| Distances::to(floor, target)).collect(),
            beside: beside.iter().map(|standing| walks_beside(floor, &standing.spots)).collect(),
            home: asked.robot.map(|home| walks(floor, &[home])),
            reach: reach(floor, &asked.worth),
            box_from_start: distances(berths, &start.boxes, |berth| {
                pushes_out_of(floor, berth).map(|to| (to, 1)).collect()
            }),
            robot_from_start: walks(floor, &[start.robot]),
        }
    }

    /// At least so many instructions and pushes; `None` when there is no way.
    pub(super) fn of(&self, stand: &FloorState) -> Option<(u32, u32)> {
        if self.asked.impossible.is_some() {
            return None;
        }
        let unmet = u32::from(!self.asked.met_by(&stand.boxes));
        let pushes = self.arranging(stand)?.max(self.scoring(stand)?).max(unmet);
        let mut moves = pushes;
        if pushes > 0 {
            moves += self.to_first_push(stand)?;
        }
        let home = self.to_home(stand.robot);
        moves = moves.max(home);
        if self.home.is_some() {
            // Each instruction changes the colour of the robot's cell as on a chessboard.
            moves += (moves ^ home) & 1;
        }
        (home != UNREACHABLE).then_some((moves, pushes))
    }

    /// Whether the numbers of instructions of all plans are odd together or even together.
    pub(super) fn has_parity(&self) -> bool {
        self.home.is_some()
    }

    /// Whether a box in a berth can still come to the n-th berth asked for in so many pushes.
    pub(super) fn within(&self, target: usize, berth: BerthId, pushes: u32) -> bool {
        self.targets.get(target).is_none_or(|distances| distances.total[berth] <= pushes)
    }

    /// Instructions from a cell to where the robot must end, boxes aside; 0 when it need not.
    pub(super) fn to_home(&self, spot: Spot) -> u32 {
        self.home.as_ref().map_or(0, |home| home[spot])
    }

    /// Why there is no way from here, as one sentence; `None` when the bounds see a way.
    pub(super) fn unsolvable_reason(&self, floor: &Floor, stand: &FloorState) -> Option<String> {
        if self.of(stand).is_some() {
            return None;
        }
        let named = |place: CellCoord| format!("row {}, column {}", place.row, place.column);
        let far = |(distances, _): &(&Distances, &BerthId)| {
            stand.boxes.iter().all(|&berth| distances.total[berth] == UNREACHABLE)
        };
        let unmet = self.targets.iter().zip(&self.asked.full).find(far);
        let lonely = unmet.map(|(_, &berth)| {
            let place = floor.berths[berth].berth.left;
            format!("the walls keep every box away from {}, where one is asked for", named(place))
        });
        let locked =
            self.asked.robot.filter(|_| self.to_home(stand.robot) == UNREACHABLE).map(|home| {
                format!("the walls keep the robot away from {}", named(floor.place(home)))
            });
        let scored = self
            .scoring(stand)
            .is_none()
            .then(|| "the walls keep the boxes from every position with such a score".to_owned());
        let reason = self.asked.impossible.clone().or(lonely).or(locked).or(scored);
        let other = || "the walls keep the boxes from where they are asked for".to_owned();
        Some(reason.unwrap_or_else(other))
    }

    fn arranging(&self, stand: &FloorState) -> Option<u32> {
        if stand.boxes.len() < self.asked.full.len() {
            return None;
        }
        let total = self.bottleneck(stand, |distances| &distances.total)?;
        let along = (0..4).map(|d| self.bottleneck(stand, |distances| &distances.along[d]));
        Some(total.max(along.sum::<Option<u32>>()?))
    }

    /// The least, over all assignments of boxes to the berths asked for, of the greatest distance.
    fn bottleneck(
        &self,
        stand: &FloorState,
        table: impl Fn(&Distances) -> &Vec<u32>,
    ) -> Option<u32> {
        let row = |distances| stand.boxes.iter().map(|&berth| table(distances)[berth]).collect();
        let rows: Vec<Vec<u32>> = self.targets.iter().map(row).collect();
        let nearest = rows.iter().filter_map(|row| row.iter().min().copied()).max().unwrap_or(0);
        let mut limits: Vec<u32> =
            rows.iter().flatten().copied().filter(|&d| d > nearest).collect();
        limits.push(nearest);
        limits.sort_unstable();
        limits.dedup();
        limits
            .into_iter()
            .take_while(|&limit| limit != UNREACHABLE)
            .find(|&limit| assignable(&rows, limit))
    }

    fn scoring(&self, stand: &FloorState) -> Option<u32> {
        let Some(goal) = self.asked.score else { return Some(0) };
        let sum =
            |worth: &dyn Fn(BerthId) -> u64| stand.boxes.iter().map(|&b| worth(b)).sum::<u64>();
        let score = sum(&|berth| self.asked.worth[berth]);
        let (least, most) = (sum(&|berth| self.reach[berth].0), sum(&|berth| self.reach[berth].1));
        let below = goal.value.saturating_sub(score);
        let above = score.saturating_sub(goal.value);
        let (missing, possible) = match goal.relation {
            Relation::AtMost => (above, least <= goal.value),
            Relation::Exactly => (above + below, (least..=most).contains(&goal.value)),
            Relation::AtLeast => (below, goal.value <= most),
        };
        let change = 100 * stand.boxes.len().max(1) as u64;
        possible.then(|| missing.div_ceil(change) as u32)
    }

    /// Instructions before the robot stands beside a box; `None` when it never can.
    fn to_first_push(&self, stand: &FloorState) -> Option<u32> {
        if self.beside.is_empty() {
            return Some(0);
        }
        let nearest = stand.boxes.iter().map(|&berth| self.beside[berth][stand.robot]).min();
        nearest.filter(|&steps| steps != UNREACHABLE)
    }
}

/// The berths that a box can be pushed to from here, with nothing but walls in the way.
fn pushes_out_of(floor: &Floor, berth: BerthId) -> impl Iterator<Item = BerthId> + '_ {
    let standing = &floor.berths[berth];
    Direction::ALL.into_iter().filter_map(|d| {
        let next = standing.next[d.index()]?;
        (!standing.pushed_from[d.index()].is_empty()).then_some(next)
    })
}

/// The berths from which a box can be pushed to here, and in which direction.
fn pushes_into(floor: &Floor, berth: BerthId) -> impl Iterator<Item = (BerthId, Direction)> + '_ {
    Direction::ALL.into_iter().filter_map(move |d| {
        let from = floor.berths[berth].next[d.opposite().index()]?;
        (!floor.berths[from].pushed_from[d.index()].is_empty()).then_some((from, d))
    })
}

/// Shortest distances from the nearest source over edges of length 0 and 1.
fn distances(
    nodes: usize,
    sources: &[usize],
    edges: impl Fn(usize) -> Vec<(usize, u32)>,
) -> Vec<u32> {
    let mut found = vec![UNREACHABLE; nodes];
    let mut open: VecDeque<(usize, u32)> = sources.iter().map(|&source| (source, 0)).collect();
    while let Some((node, distance)) = open.pop_front() {
        if found[node] != UNREACHABLE {
            continue;
        }
        found[node] = distance;
        for (next, length) in
            edges(node).into_iter().filter(|&(next, _)| found[next] == UNREACHABLE)
        {
            if length == 0 {
                open.push_front((next, distance));
            } else {
                open.push_back((next, distance + length));
            }
        }
    }
    found
}

/// Walking distances of all cells from the nearest of some cells, boxes aside.
fn walks(floor: &Floor, spots: &[Spot]) -> Vec<u32> {
    distances(floor.len(), spots, |spot| floor.around(spot).map(|next| (next, 1)).collect())
}

/// Instructions from each cell until the robot stands beside one of some cells.
fn walks_beside(floor: &Floor, spots: &[Spot]) -> Vec<u32> {
    let steps = walks(floor, spots).into_iter();
    steps
        .map(|steps| if steps == UNREACHABLE { UNREACHABLE } else { steps.saturating_sub(1) })
        .collect()
}

/// The least and the greatest worth that a box from each berth can come to.
fn reach(floor: &Floor, worth: &[u64]) -> Vec<(u64, u64)> {
    let mut order: Vec<BerthId> = (0..worth.len()).collect();
    order.sort_by_key(|&berth| worth[berth]);
    let least = first_reached(floor, order.iter().copied());
    let most = first_reached(floor, order.iter().rev().copied());
    least.into_iter().zip(most).map(|(a, b)| (worth[a], worth[b])).collect()
}

/// For each berth the first one of the order that a box from it can come to.
fn first_reached(floor: &Floor, order: impl Iterator<Item = BerthId>) -> Vec<BerthId> {
    let mut found: Vec<Option<BerthId>> = vec![None; floor.berths.len()];
    for goal in order {
        let mut open = vec![goal];
        while let Some(berth) = open.pop() {
            if found[berth].is_none() {
                found[berth] = Some(goal);
                open.extend(pushes_into(floor, berth).map(|(from, _)| from));
            }
        }
    }
    found.into_iter().flatten().collect()
}

/// Whether every row can have a column of its own with an entry of at most `limit`: augmenting
/// paths, as in Kuhn's algorithm for bipartite matching.
fn assignable(rows: &[Vec<u32>], limit: u32) -> bool {
    let columns = rows.first().map_or(0, Vec::len);
    let mut taken: Vec<Option<usize>> = vec![None; columns];
    (0..rows.len()).all(|row| augment(rows, limit, row, &mut taken, &mut vec![false; columns]))
}

fn augment(
    rows: &[Vec<u32>],
    limit: u32,
    row: usize,
    taken: &mut [Option<usize>],
    tried: &mut [bool],
) -> bool {
    for column in 0..tried.len() {
        if rows[row][column] <= limit && !tried[column] {
            tried[column] = true;
            if taken[column].is_none_or(|other| augment(rows, limit, other, taken, tried)) {
                taken[column] = Some(row);
                return true;
            }
        }
    }
    false
}
