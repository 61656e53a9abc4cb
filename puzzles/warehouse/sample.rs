//! Small random warehouses for the laws and the oracle tests.

use super::format::{Demand, Sketch};
use super::goal::{Arrangement, Relation, ScoreGoal};
use super::map::{Instructions, Layout, Place, State, WideBox};
use super::{Board, Warehouse};
use crate::grid::Direction;
use fastrand::Rng;
use itertools::Itertools;

/// A warehouse of at most 5 rows and 6 columns with up to 4 boxes of widths 1 to 3. Boxes stand
/// close together, so that chains and fan-outs are common.
pub(super) fn warehouse(seed: u64) -> Warehouse {
    let mut rng = Rng::with_seed(seed);
    loop {
        let layout = random_layout(&mut rng);
        if let Some(start) = random_start(&layout, &mut rng) {
            let sketch = with_demand(layout, start, &mut rng);
            return Warehouse::from_sketch(sketch);
        }
    }
}

fn random_layout(rng: &mut Rng) -> Layout {
    let (width, height) = (rng.usize(3..=6), rng.usize(3..=5));
    let walls = rng.u32(0..=20);
    let rows: Vec<Vec<bool>> =
        (0..height).map(|_| (0..width).map(|_| rng.u32(0..100) < walls).collect()).collect();
    Layout::from_rows(&rows).expect("at most 30 cells")
}

/// Boxes at random, then the robot on a cell that is left; `None` when there is no such cell.
fn random_start(layout: &Layout, rng: &mut Rng) -> Option<State> {
    let widest = rng.u32(1..=3);
    let mixed = rng.u32(0..3) == 0;
    let mut boxes = Vec::new();
    let wanted = rng.usize(0..=4);
    for _ in 0..20 {
        let width = if mixed { rng.u32(1..=widest) } else { widest };
        let left = Place(rng.u32(0..layout.len() as u32));
        let wide = WideBox { left, width };
        if boxes.len() < wanted && fits(layout, &boxes, wide) {
            boxes.push(wide);
        }
    }
    boxes.sort_unstable();
    let free = |place: &Place| !boxes.iter().any(|wide: &WideBox| wide.covers(*place));
    let robot = rng.choice(layout.floor().filter(free).collect_vec())?;
    Some(State { robot, boxes })
}

fn fits(layout: &Layout, boxes: &[WideBox], wide: WideBox) -> bool {
    let inside = layout.row_column(wide.left).1 + wide.width as usize <= layout.width();
    let free = |place| !layout.is_wall(place) && !boxes.iter().any(|other| other.covers(place));
    inside && wide.cells().all(free)
}

/// One of the kinds of goals: mostly where a random walk leads, so that it can be reached.
fn with_demand(layout: Layout, start: State, rng: &mut Rng) -> Sketch {
    let walk = random_walk(rng);
    let mut board = Board::at(&layout, &start);
    board.obey_all(&walk);
    let end = board.state();
    let mut instructions = Instructions::default();
    let demand = match rng.u32(0..10) {
        0..=3 => Some(Demand::Map(goal_map(&layout, &end, rng))),
        4 => random_start(&layout, rng).map(|other| Demand::Map(goal_map(&layout, &other, rng))),
        5 | 6 => {
            instructions = walk;
            None
        }
        7 | 8 => {
            let spread = [0, 1, 50, 200][rng.usize(0..4)];
            let low = board.score().saturating_sub(spread);
            let value = rng.u64(low..=board.score() + spread);
            let relations = [Relation::AtMost, Relation::Exactly, Relation::AtLeast];
            Some(Demand::Score(ScoreGoal { relation: relations[rng.usize(0..3)], value }))
        }
        _ => None,
    };
    Sketch { layout, start, instructions, demand }
}

fn random_walk(rng: &mut Rng) -> Instructions {
    let length = rng.usize(1..=30);
    Instructions((0..length).map(|_| Direction::ALL[rng.usize(0..4)]).collect())
}

/// A goal map that a position meets, with some cells left open and the robot now and then.
fn goal_map(layout: &Layout, end: &State, rng: &mut Rng) -> Arrangement {
    let mut asked = Arrangement::exactly(layout, end.boxes.clone());
    let open = [0, 0, 30, 80][rng.usize(0..4)];
    asked.boxes.retain(|_| rng.u32(0..100) >= open);
    asked.clear.retain(|_| rng.u32(0..100) >= open);
    if rng.u32(0..3) == 0 && !end.boxes.iter().any(|wide| wide.covers(end.robot)) {
        asked.robot = Some(end.robot);
        asked.clear.push(end.robot);
        asked.clear.sort_unstable();
        asked.clear.dedup();
    }
    asked
}
