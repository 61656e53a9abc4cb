//! Small random warehouses for the laws and the oracle tests.

use super::board::{Cell, Instructions, Layout, State, WideBox};
use super::format::{GoalText, Sketch};
use super::goal::{Arrangement, Relation, ScoreGoal};
use super::{FastState, Warehouse};
use crate::grid::Direction;
use fastrand::Rng;
use itertools::Itertools;

/// Boards made against faults that chance rarely meets: the right box is to be pushed from where
/// the left one stands; of three boxes in a fan one meets a wall; a robot that must end behind
/// what it pushed.
const MADE: &[&str] = &[
    "...@.\n.OO..\n.....\n.....\n\n.....\n.O.O.\n.....\n.....\n",
    "..#..\n.[][]\n..[].\n..@..\n\n..#..\n.[]??\n..???\n..???\n",
    "@O....\n......\n..#...\n\n......\n..O@..\n..#...\n",
];

/// A warehouse of at most 5 rows and 6 columns with up to 4 boxes of widths 1 to 3. Boxes stand
/// close together, so that chains and fan-outs are common.
pub(super) fn warehouse(seed: u64) -> Warehouse {
    let mut rng = Rng::with_seed(seed);
    if rng.u32(0..12) == 0
        && let Some(Ok(sketch)) = rng.choice(MADE).map(|text| Sketch::read(text))
    {
        return Warehouse::from_sketch(sketch);
    }
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
    let mut rows: Vec<Vec<bool>> =
        (0..height).map(|_| (0..width).map(|_| rng.u32(0..100) < walls).collect()).collect();
    // Now and then a wall across, with a gap or without: robot and boxes may be kept apart.
    if rng.u32(0..4) == 0 {
        let column = rng.usize(0..width);
        let gap = rng.usize(0..2 * height);
        (0..height).filter(|&row| row != gap).for_each(|row| rows[row][column] = true);
    }
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
        let left = Cell(rng.u32(0..layout.len() as u32));
        let wide = WideBox { left, width };
        if boxes.len() < wanted && fits(layout, &boxes, wide) {
            boxes.push(wide);
        }
    }
    boxes.sort_unstable();
    let free = |cell: &Cell| !boxes.iter().any(|wide: &WideBox| wide.covers(*cell));
    let robot = rng.choice(layout.floor().filter(free).collect_vec())?;
    Some(State { robot, boxes })
}

fn fits(layout: &Layout, boxes: &[WideBox], wide: WideBox) -> bool {
    let inside = layout.place(wide.left).1 + wide.width as usize <= layout.width();
    let free = |cell| !layout.is_wall(cell) && !boxes.iter().any(|other| other.covers(cell));
    inside && wide.cells().all(free)
}

/// One of the kinds of goals: mostly where a random walk leads, so that it can be reached; now and
/// then what a broken rule would reach.
fn with_demand(layout: Layout, mut start: State, rng: &mut Rng) -> Sketch {
    if rng.u32(0..3) == 0
        && let Some((robot, boxes)) = near_miss(&layout, &start, rng)
    {
        // Now and then the robot stands ready for the push.
        start.robot = if rng.u32(0..3) == 0 { robot.unwrap_or(start.robot) } else { start.robot };
        let demand = Some(GoalText::Map(Arrangement::exactly(&layout, boxes)));
        return Sketch { layout, start, instructions: Instructions::default(), demand };
    }
    let walk = random_walk(rng);
    let mut board = FastState::at(&layout, &start);
    board.obey_all(&walk);
    let end = board.state();
    let mut instructions = Instructions::default();
    let demand = match rng.u32(0..10) {
        0..=3 => Some(GoalText::Map(goal_map(&layout, &end, rng))),
        4 => random_start(&layout, rng).map(|other| GoalText::Map(goal_map(&layout, &other, rng))),
        5 | 6 => {
            instructions = walk;
            None
        }
        7 | 8 => {
            let spread = [0, 1, 50, 200][rng.usize(0..4)];
            let low = board.score().saturating_sub(spread);
            let value = rng.u64(low..=board.score() + spread);
            let relations = [Relation::AtMost, Relation::Exactly, Relation::AtLeast];
            Some(GoalText::Score(ScoreGoal { relation: relations[rng.usize(0..3)], value }))
        }
        _ => None,
    };
    Sketch { layout, start, instructions, demand }
}

/// What a push of some box does to the boxes without asking whether the robot can get there, or
/// whether a wall is in the way: what cannot move stays, and of two equal boxes on one cell one is
/// lost. Gives also the cell from which the robot would push, when it is free.
fn near_miss(
    layout: &Layout,
    start: &State,
    rng: &mut Rng,
) -> Option<(Option<Cell>, Vec<WideBox>)> {
    let pushes = start.boxes.iter().copied().cartesian_product(Direction::ALL).collect_vec();
    let behind = |&(wide, direction): &(WideBox, Direction)| {
        layout.next_floor(wide.left, direction.opposite())
    };
    // A box that stands where the robot would have to stand makes the nearest misses.
    let taken = |push: &&_| behind(push).is_some_and(|cell| start.box_at(cell).is_some());
    let preferred = pushes.iter().copied().filter(|push| taken(&push)).collect_vec();
    let preferred = rng.choice(preferred).filter(|_| rng.bool());
    let (first, direction) = preferred.or(rng.choice(pushes))?;
    let moved = |wide: WideBox| {
        let entered: Option<Vec<Cell>> =
            wide.cells().map(|cell| layout.next_floor(cell, direction)).collect();
        entered.map(|cells| WideBox { left: cells[0], ..wide })
    };
    let mut pushed = vec![first];
    let mut next = 0;
    while let Some(&wide) = pushed.get(next) {
        next += 1;
        for cell in moved(wide).into_iter().flat_map(|to| to.cells().collect_vec()) {
            pushed.extend(start.box_at(cell).filter(|met| !pushed.contains(met)));
        }
    }
    let then = |&wide: &WideBox| {
        if pushed.contains(&wide) { moved(wide).unwrap_or(wide) } else { wide }
    };
    let boxes = start.boxes.iter().map(then).sorted().dedup().collect_vec();
    let apart = boxes.windows(2).all(|pair| pair[0].left.0 + pair[0].width <= pair[1].left.0);
    let robot = behind(&(first, direction)).filter(|&cell| start.box_at(cell).is_none());
    apart.then_some((robot, boxes))
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
