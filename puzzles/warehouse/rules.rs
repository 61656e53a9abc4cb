//! The rules as a state machine: the simplest correct version.

use super::board::{Cell, Instructions, State, WideBox};
use super::{Warehouse, format, picture};
use crate::canonical::canonical;
use crate::game_extras::GameExtras;
use crate::grid::Direction;
use crate::moves::{self, MoveError, Moves, Successor};
use crate::objective::Tally;
use crate::picture::Style;
use crate::pieces::Pieces;
use itertools::Itertools;

impl Warehouse {
    /// The boxes that give way when the robot enters a cell.
    fn pushed(
        &self,
        state: &State,
        robot: Cell,
        direction: Direction,
    ) -> Result<Vec<WideBox>, &'static str> {
        let mut pushed: Vec<WideBox> = Vec::new();
        // Cells that something is about to enter: whatever stands there must give way.
        let mut entered = vec![robot];
        while let Some(cell) = entered.pop() {
            if let Some(met) = state.box_at(cell).filter(|met| !pushed.contains(met)) {
                for cell in met.cells() {
                    entered.push(self.layout().next_floor(cell, direction).ok_or("blocked")?);
                }
                pushed.push(met);
            }
        }
        Ok(pushed)
    }
}

impl Moves for Warehouse {
    const GAME: GameExtras<Self> = GameExtras {
        // Boxes in a row are pushed together.
        moved: |level, state, direction| {
            let robot = level.layout().next_floor(state.robot, direction);
            let pushed = robot.and_then(|robot| level.pushed(state, robot, direction).ok());
            let covered = |wide: WideBox| wide.cells().map(|at| level.layout().place(at)).collect();
            pushed.unwrap_or_default().into_iter().map(covered).collect()
        },
        // What is asked is what this level asks.
        drawn: Some(|level, other| {
            let widths = |level: &Self| {
                level.start.boxes.iter().map(|wide| wide.width).sorted().collect_vec()
            };
            let same = level.layout == other.layout && widths(level) == widths(other);
            same.then(|| other.start.clone())
        }),
        says: |shape| {
            let is_width = |width: &str| canonical::<usize>(width).is_some_and(|it| it > 1);
            let is_box =
                |kind: &str| kind == "box" || kind.strip_prefix("box").is_some_and(is_width);
            let boxes = |words: &[&str]| moves::are_placed(words, is_box);
            moves::says_of(shape.strip_suffix(", at @").unwrap_or(shape), boxes, boxes)
        },
        ..GameExtras::NONE
    };

    type State = State;
    type Move = Direction;

    fn start(&self) -> State {
        self.start.clone()
    }

    /// Blocked instructions change nothing and are left out.
    fn moves(&self, state: &State) -> Vec<Direction> {
        Direction::ALL
            .into_iter()
            .filter(|&direction| self.step(state, direction).is_ok())
            .collect()
    }

    /// Instructions that are blocked are spent.
    fn step(&self, state: &State, direction: Direction) -> Result<Successor<State>, MoveError> {
        let layout = self.layout();
        let blocked = |rule| MoveError { rule, idle: Some(Tally { moves: 1, pushes: 0 }) };
        let robot = layout.next_floor(state.robot, direction).ok_or(blocked("wall"))?;
        let pushed = self.pushed(state, robot, direction).map_err(blocked)?;
        let moved = |wide: &WideBox| match layout.next(wide.left, direction) {
            Some(left) if pushed.contains(wide) => WideBox { left, ..*wide },
            _ => *wide,
        };
        let boxes = state.boxes.iter().map(moved).sorted().collect();
        let tally = Tally { moves: 1, pushes: u32::from(!pushed.is_empty()) };
        Ok(Successor { state: State { robot, boxes }, tally })
    }

    fn is_goal(&self, state: &State) -> bool {
        self.goal.fault(self.layout(), state).is_none()
    }

    fn solution(&self, plan: &[Direction]) -> Instructions {
        Instructions(plan.to_vec())
    }

    fn plan(&self, solution: &Instructions) -> Vec<Direction> {
        solution.0.clone()
    }

    fn pieces(&self, state: &State) -> Pieces {
        let place = |place| self.layout().place(place);
        let covered = |wide: &WideBox| wide.cells().map(place).collect();
        let others = state.boxes.iter().map(covered).collect();
        Pieces { player: place(state.robot), others }
    }

    fn begun_at(&self, state: &State) -> Self {
        let (instructions, goal) = (Instructions::default(), self.goal().without_instructions());
        Self { layout: self.layout.clone(), start: state.clone(), instructions, goal }
    }

    /// A wide box can be pushed at several of its cells, which leave the robot in several places.
    fn action(&self, before: &State, after: &State) -> String {
        let words = |place| {
            let (row, column) = self.layout().place(place);
            format!("({},{})", row + 1, column + 1)
        };
        let changed = |one: &State, other: &State| {
            let boxes = one.boxes.iter().filter(|&it| other.boxes.binary_search(it).is_err());
            let named = |wide: &WideBox| match wide.width {
                1 => format!("box {}", words(wide.left)),
                width => format!("box{width} {}", words(wide.left)),
            };
            boxes.map(named).collect::<Vec<_>>()
        };
        let action = moves::action_of(changed(before, after), changed(after, before));
        let wide = before.boxes.iter().any(|it| it.width > 1 && !after.boxes.contains(it));
        if wide { format!("{action}, at {}", words(after.robot)) } else { action }
    }

    fn draw(&self, state: &State, style: Style) -> Option<String> {
        Some(match style {
            Style::Plain => format::draw(self.layout(), state),
            Style::Unicode { color } => picture::unicode(self, state, color),
            Style::Svg => picture::svg(self, state),
        })
    }

    /// `14 22 30x2`: the robot's cell, then each box's left cell, with its width when above 1.
    fn write_state(&self, state: &State) -> String {
        let boxes = state.boxes.iter().map(|wide| match wide.width {
            1 => wide.left.0.to_string(),
            width => format!("{}x{width}", wide.left.0),
        });
        [state.robot.0.to_string()].into_iter().chain(boxes).join(" ")
    }

    fn read_state(&self, text: &str) -> Option<State> {
        let mut words = text.split(' ');
        let robot = Cell(words.next()?.parse().ok()?);
        let boxes: Option<Vec<WideBox>> = words
            .map(|word| {
                let (left, width) = word.split_once('x').unwrap_or((word, "1"));
                Some(WideBox { left: Cell(left.parse().ok()?), width: width.parse().ok()? })
            })
            .collect();
        let state = State { robot, boxes: boxes? };
        (self.is_position(&state) && self.write_state(&state) == text).then_some(state)
    }
}

impl Warehouse {
    /// Whether this is a position of this warehouse: the same boxes, each on floor of one row,
    /// in order, no two on one cell, none on the robot.
    fn is_position(&self, state: &State) -> bool {
        let layout = self.layout();
        let on_floor = |cell: Cell| cell.index() < layout.len() && !layout.is_wall(cell);
        let widths = |boxes: &[WideBox]| boxes.iter().map(|wide| wide.width).sorted().collect_vec();
        let stands = |wide: &WideBox| {
            let column = wide.left.index() % layout.width().max(1);
            on_floor(wide.left)
                && column + wide.width as usize <= layout.width()
                && wide.cells().all(on_floor)
        };
        let apart = |(a, b): (&WideBox, &WideBox)| a.left.0 + a.width <= b.left.0;
        widths(&state.boxes) == widths(&self.start.boxes)
            && state.boxes.iter().all(stands)
            && on_floor(state.robot)
            && state.box_at(state.robot).is_none()
            && state.boxes.iter().tuple_windows().all(apart)
    }
}
