//! Lists of patterns for small random levels: honest ones, as strong as the definition allows, and
//! forged ones, which break one rule of it and are as strong as they would then be. Tests are in
//! `accepted`.
//!
//! The definition is written a second time here, on masks: what a pattern has to cover, and what may
//! cover it. Values are the largest ones that keep to it: all begin as "no solution", and fall until
//! nothing is promised that its pushes and its end do not show.

mod accepted;
mod outside;

use super::truth::{Board, Mask, NEVER, Potential, Shove, bit, bits};
use crate::grid::{Cell, Grid};
use crate::patterns::{Cover, Pattern, PatternId, PatternList, PatternReason, PatternRules};
use crate::sokoban::Sokoban;
use crate::sokoban::board::Tile;
use fastrand::Rng;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};

/// The rule that a forged list breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flaw {
    None,
    /// The player may be elsewhere.
    Player,
    /// One that counts the waste of all boxes is added to another.
    TotalAdded,
    /// One that counts the waste of all boxes is used for that of a pattern's own.
    TotalForOwn,
    /// Cells that must be empty may be taken.
    Empty,
    /// A box is not there.
    Box,
    /// A box counts twice.
    Shared,
    /// Pushes of the pattern's boxes are not covered.
    Own,
    /// Pushes into empty cells are not covered.
    Into,
    /// A pattern of its own boxes names empty cells, and so is covered by what all boxes waste.
    OwnEmpty,
    /// Values are too high by one, somewhere.
    Higher,
}

const FLAWS: [Flaw; 11] = [
    Flaw::None,
    Flaw::Player,
    Flaw::TotalAdded,
    Flaw::TotalForOwn,
    Flaw::Empty,
    Flaw::Box,
    Flaw::Shared,
    Flaw::Own,
    Flaw::Into,
    Flaw::OwnEmpty,
    Flaw::Higher,
];

/// A random level of at most twelve cells.
pub(super) fn board(rng: &mut Rng, spare: usize) -> Option<Board> {
    let (width, height) = (rng.usize(4..=7), rng.usize(4..=6));
    let mut grid = Grid::filled(width, height, Tile::Wall)?;
    let density = rng.f32() * 0.4;
    let inner: Vec<Cell> =
        grid.cells().filter(|&cell| grid.neighbours(cell).count() == 4).collect();
    for cell in inner {
        if rng.f32() >= density {
            grid[cell] = Tile::Floor;
        }
    }
    let mut floor: Vec<Cell> = grid.cells().filter(|&cell| grid[cell] == Tile::Floor).collect();
    if !(5..=12).contains(&floor.len()) {
        return None;
    }
    let boxes = if floor.len() < 11 { rng.usize(1..=3) } else { rng.usize(1..=2) };
    rng.shuffle(&mut floor);
    let player = floor.pop()?;
    let boxes: Vec<Cell> = (0..boxes).filter_map(|_| floor.pop()).collect();
    floor.push(player);
    floor.extend(boxes.iter().copied().filter(|_| rng.bool()));
    rng.shuffle(&mut floor);
    for _ in 0..boxes.len() + spare {
        grid[floor.pop()?] = Tile::Goal;
    }
    let board = Board::of(Sokoban::new(grid, boxes, player).ok()?);
    // Boxes that the player can never come to are no part of the game.
    let all_inside = board.boxes.count_ones() as usize == board.level.boxes().len();
    (board.cells.len() >= 5 && board.boxes != 0 && all_inside).then_some(board)
}

/// A random potential that keeps to the rules, with prices, as a list without patterns.
fn weights(board: &Board, rng: &mut Rng) -> PatternList {
    let cells = board.cells.len();
    let is_full = board.goals.count_ones() == board.boxes.count_ones();
    let colour = |at: usize| {
        let (row, column) = board.place(at);
        i64::from((row + column) % 2)
    };
    let unit = if is_full && rng.bool() { 2 } else { 1 };
    let flat = unit == 1 && rng.u8(..4) == 0;
    let mut number: Vec<Vec<i64>> = vec![vec![NEVER; cells]; cells];
    for goal in bits(board.goals) {
        let above = 2 * rng.i64(0..=1) + if unit == 2 { colour(goal) } else { rng.i64(0..=1) };
        let above = if flat { 0 } else { above };
        number[goal] = vec![number[goal][0].min(above); cells];
    }
    // The least number of pushes to a goal and what that goal asks for, side by side.
    let mut changed = !flat;
    while changed {
        changed = false;
        for &Shove { from, to, behind, .. } in &board.shoves {
            let after = number[to][from] + 1;
            for side in bits(board.reach(bit(from), behind)) {
                if after < number[from][side] && after < NEVER {
                    number[from][side] = after;
                    changed = true;
                }
            }
        }
    }
    // A box that is lost may have a number all the same.
    let lost = (rng.u8(..3) == 0).then_some(20);
    let potential: Potential = (0..cells)
        .map(|at| {
            let known = |it: i64| (it < NEVER).then_some(it);
            let given = |it: i64| known(it).or(lost.map(|more| more + colour(at)));
            number[at].iter().map(|&it| if flat { Some(0) } else { given(it) }).collect()
        })
        .collect();
    let more = rng.i64(0..=1);
    let prices = bits(board.goals).map(|goal| {
        let sides = (0..cells).filter(|&side| side != goal);
        let most = sides.filter_map(|side| potential[goal][side]).max().unwrap_or(0);
        (board.place(goal), (-most - more * i64::from(unit)) as i32)
    });
    let mut list = PatternList { unit, prices: prices.collect(), ..PatternList::default() };
    for (at, numbers) in potential.iter().enumerate() {
        let mut rest = board.all() & !bit(at);
        while rest != 0 {
            let side = rest.trailing_zeros() as usize;
            rest &= !board.reach(bit(at), side);
            if let Some(number) = numbers[side] {
                list.potential.push((board.place(at), board.place(side), number as i32));
            }
        }
    }
    list
}

/// What a pattern is about.
#[derive(Clone, Copy, Debug)]
struct Shape {
    /// Whether it counts the waste of all boxes.
    total: bool,
    boxes: Mask,
    empty: Mask,
    player: usize,
    part: Mask,
}

/// What a push leads to.
struct Target {
    from: usize,
    shove: Shove,
    waste: i64,
    boxes: Mask,
    empty: Mask,
    total: bool,
}

/// The patterns of a list, with what each has to show.
struct Forge<'a> {
    board: &'a Board,
    list: PatternList,
    potential: Potential,
    prices: Vec<i64>,
    /// Cells that patterns may say to be empty.
    empties: Mask,
    shapes: Vec<Shape>,
    by: HashMap<(bool, Mask, Mask), Vec<usize>>,
}

fn subsets(mask: Mask) -> impl Iterator<Item = Mask> {
    (0..=mask).filter(move |it| it & !mask == 0)
}

impl<'a> Forge<'a> {
    fn new(board: &'a Board, rng: &mut Rng, flaw: Flaw) -> Self {
        let list = weights(board, rng);
        let potential = board.potential(&list);
        let mut prices = vec![0; board.cells.len()];
        for (goal, price) in bits(board.goals).zip(&list.prices) {
            prices[goal] = i64::from(price.1);
        }
        let count = board.boxes.count_ones();
        let mut cells: Vec<usize> = (0..board.cells.len()).collect();
        rng.shuffle(&mut cells);
        let empties = match rng.u8(..3) {
            0 => board.goals,
            _ => cells.iter().take(if count < 3 { 2 } else { 1 }).map(|&at| bit(at)).sum(),
        };
        let (shapes, by) = (Vec::new(), HashMap::new());
        let mut forge = Self { board, list, potential, prices, empties, shapes, by };
        for boxes in (0..=board.all()).filter(|boxes| boxes.count_ones() <= count) {
            for empty in subsets(empties & !boxes) {
                if (boxes != 0 && empty == 0) || flaw == Flaw::OwnEmpty {
                    forge.add(false, boxes, empty);
                }
                // Those without empty cells are the same for all boxes, and weaker.
                if empty != 0 || rng.u8(..4) == 0 {
                    forge.add(true, boxes, empty);
                }
            }
        }
        forge
    }

    fn add(&mut self, total: bool, boxes: Mask, empty: Mask) {
        let mut rest = self.board.all() & !boxes;
        while rest != 0 {
            let player = rest.trailing_zeros() as usize;
            let part = self.board.reach(boxes, player);
            rest &= !part;
            self.by.entry((total, boxes, empty)).or_default().push(self.shapes.len());
            self.shapes.push(Shape { total, boxes, empty, player, part });
        }
    }

    fn is_whole(&self, boxes: Mask) -> bool {
        boxes.count_ones() == self.board.boxes.count_ones()
    }

    fn waste(&self, shove: &Shove) -> Option<i64> {
        let before = self.potential[shove.from][shove.behind]?;
        Some((1 + self.potential[shove.to][shove.from]? - before) / i64::from(self.list.unit))
    }

    /// What the pushes of a pattern lead to.
    fn targets(&self, shape: &Shape) -> Vec<Target> {
        let whole = self.is_whole(shape.boxes);
        let known = if whole { self.board.all() & !shape.boxes } else { shape.empty };
        let can = |it: &&Shove| shape.part & bit(it.behind) != 0 && shape.boxes & bit(it.to) == 0;
        let mut targets = Vec::new();
        for shove in self.board.shoves.iter().filter(can) {
            let (from, to) = (bit(shove.from), bit(shove.to));
            let Some(waste) = self.waste(shove) else { continue };
            let own = shape.boxes & from != 0;
            if !own && (whole || shape.empty & to == 0 || shape.empty & from != 0) {
                continue;
            }
            targets.push(Target {
                from: shove.from,
                shove: *shove,
                waste,
                boxes: shape.boxes & !from | to,
                empty: (if own { known } else { shape.empty } | from) & !to,
                total: !own || shape.total || whole,
            });
        }
        targets
    }

    /// What is wasted by ending with the boxes of a pattern where they are; `None` if it cannot be.
    fn end(&self, shape: &Shape) -> Option<i64> {
        let whole = self.is_whole(shape.boxes);
        let free = (self.board.goals & !shape.empty).count_ones();
        if shape.boxes & !self.board.goals != 0 || !(whole || free >= self.board.boxes.count_ones())
        {
            return None;
        }
        let unit = i64::from(self.list.unit);
        let ends = |goal: usize| {
            -self.prices[goal] - self.potential[goal][shape.player].expect("not lost")
        };
        let own: i64 = bits(shape.boxes).map(|goal| ends(goal) / unit).sum();
        let open = bits(self.board.goals & !shape.boxes).map(|goal| -self.prices[goal] / unit);
        Some(own + if whole { open.sum::<i64>() } else { 0 })
    }

    fn with_player(&self, key: (bool, Mask, Mask), player: usize) -> Option<usize> {
        let mut all = self.by.get(&key)?.iter().copied();
        all.find(|&it| self.shapes[it].part & bit(player) != 0)
    }

    /// Patterns that cover a target by the rules, or by all of them but one.
    fn cover(&self, target: &Target, flaw: Flaw, rng: &mut Rng) -> Option<Vec<usize>> {
        let &Target { from, boxes, empty, total, .. } = target;
        let find = |total, boxes, empty| self.with_player((total, boxes, empty), from);
        let some = |mask: Mask, rng: &mut Rng| mask & rng.u32(..);
        let breaks = rng.u8(..3) > 0;
        match flaw {
            Flaw::Player if breaks => {
                let of_boxes = self.by.get(&(false, boxes, 0))?;
                let other = of_boxes.iter().find(|&&it| self.shapes[it].part & bit(from) == 0);
                if let Some(&other) = other {
                    return Some(vec![other]);
                }
            }
            Flaw::TotalAdded if breaks && total => {
                let one = some(boxes, rng);
                let pair = find(false, one, 0).zip(find(true, boxes & !one, empty & self.empties));
                if let Some((one, other)) = pair {
                    return Some(if rng.bool() { vec![one, other] } else { vec![other, one] });
                }
            }
            Flaw::TotalForOwn if breaks => {
                let cells = self.empties & empty & !boxes;
                if let Some(one) = find(true, boxes, cells) {
                    return Some(vec![one]);
                }
            }
            Flaw::Empty if breaks && total => {
                let cells = some(self.empties & !boxes, rng);
                if let Some(one) = find(true, boxes, cells) {
                    return Some(vec![one]);
                }
            }
            Flaw::Box if breaks => {
                let there =
                    some(boxes, rng) | some(self.board.all() & !bit(from), rng) & rng.u32(..);
                if let Some(one) = find(false, there, 0) {
                    return Some(vec![one]);
                }
            }
            Flaw::Shared if breaks => {
                let (one, other) = (some(boxes, rng), some(boxes, rng));
                let both = [find(false, one, 0), find(false, other, 0)];
                if one & other != 0 {
                    return Some(both.into_iter().flatten().collect());
                }
            }
            _ => {}
        }
        let known = empty & self.empties & !boxes;
        match rng.u8(..10) {
            0 => find(false, some(boxes, rng), 0).map(|it| vec![it]),
            1..=3 if boxes.count_ones() > 1 => {
                let one = some(boxes, rng);
                let both = [find(false, one, 0), find(false, boxes & !one, 0)];
                Some(both.into_iter().flatten().collect())
            }
            4..=6 if total => find(true, boxes, known).map(|it| vec![it]),
            7 if total => find(true, some(boxes, rng), known).map(|it| vec![it]),
            _ if total && self.is_whole(boxes) && rng.bool() => {
                find(true, boxes, known).map(|it| vec![it])
            }
            _ => find(false, boxes, 0).map(|it| vec![it]),
        }
    }

    /// A list with the largest values that its covers show.
    fn forge(&self, flaw: Flaw, rng: &mut Rng) -> Forged {
        let mut shown: Vec<Vec<(Target, Option<Vec<usize>>)>> = Vec::new();
        for shape in &self.shapes {
            let targets = self.targets(shape).into_iter();
            let whole = self.is_whole(shape.boxes);
            let targets = targets.filter(|target| match flaw {
                Flaw::Own => shape.boxes & bit(target.from) == 0,
                Flaw::Into => shape.boxes & bit(target.from) != 0,
                _ => true,
            });
            let covered = targets.map(|target| {
                // Of two covers the one that is more likely to be strong.
                let exact = self.with_player((false, target.boxes, 0), target.from);
                let by = match rng.u8(..3) {
                    0 if flaw == Flaw::None => exact.map(|it| vec![it]),
                    _ => self.cover(&target, flaw, rng),
                };
                (target, by)
            });
            shown.push(covered.collect());
            debug_assert!(!whole || shape.boxes != 0 || self.board.boxes == 0);
        }
        let mut values: Vec<i64> =
            self.shapes.iter().map(|shape| self.end(shape).unwrap_or(NEVER)).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for (at, shown) in shown.iter().enumerate() {
                for (target, by) in shown {
                    let sum = by.iter().flatten().map(|&it| values[it]).sum::<i64>();
                    let most = (target.waste + sum).min(NEVER);
                    if most < values[at] {
                        values[at] = most;
                        changed = true;
                    }
                }
            }
        }
        if flaw == Flaw::Higher {
            let at = rng.usize(..values.len());
            values[at] = if values[at] < NEVER { values[at] + 1 } else { NEVER };
        }
        let covers = shown.into_iter().enumerate().map(|(at, shown)| {
            let needed = shown.into_iter().filter(|(target, _)| target.waste < values[at]);
            needed.filter_map(|(target, by)| Some((target.shove, by?))).collect()
        });
        Forged { covers: covers.collect(), values }
    }

    fn reason(
        &self,
        total: bool,
        covers: &[(Shove, Vec<usize>)],
        numbers: &Numbers,
    ) -> PatternReason {
        let covers = covers.iter().map(|(shove, by)| Cover {
            from: self.board.place(shove.from),
            direction: shove.direction,
            by: by.iter().map(|it| numbers[it]).collect(),
        });
        if total {
            PatternReason::Total(covers.collect())
        } else {
            PatternReason::Dead(covers.collect())
        }
    }

    /// The patterns that some lean on, as a list; they themselves are the first.
    fn list(&self, forged: &Forged, first: &[usize]) -> (PatternList, Numbers) {
        let (mut numbers, mut order) = (Numbers::new(), Vec::new());
        let mut open: Vec<usize> = first.iter().rev().copied().collect();
        while let Some(at) = open.pop() {
            if let Entry::Vacant(number) = numbers.entry(at) {
                number.insert(order.len() as PatternId);
                order.push(at);
                open.extend(forged.covers[at].iter().flat_map(|(_, by)| by));
            }
        }
        let patterns = order.iter().map(|&at| {
            let shape = &self.shapes[at];
            Pattern {
                pieces: self.board.places(shape.boxes),
                empty: self.board.places(shape.empty),
                player: self.board.place(shape.player),
                value: value(forged.values[at]),
                why: self.reason(shape.total, &forged.covers[at], &numbers),
            }
        });
        (PatternList { patterns: patterns.collect(), ..self.list.clone() }, numbers)
    }

    /// What a list claims whose patterns show so much waste at the start; `None` when even that
    /// claims nothing.
    fn claim(&self, waste: i64) -> Option<Option<u32>> {
        let sides = bits(self.board.boxes).map(|at| self.potential[at][self.board.player]);
        let Some(lower) = sides.sum::<Option<i64>>() else { return Some(None) };
        if waste >= NEVER {
            return Some(None);
        }
        let shown = lower + self.prices.iter().sum::<i64>() + i64::from(self.list.unit) * waste;
        u32::try_from(shown - 1).ok().map(Some)
    }
}

type Numbers = BTreeMap<usize, PatternId>;

struct Forged {
    covers: Vec<Vec<(Shove, Vec<usize>)>>,
    values: Vec<i64>,
}

fn value(waste: i64) -> Option<u32> {
    (waste < NEVER).then_some(waste as u32)
}

fn is_accepted(board: &Board, list: &PatternList) -> bool {
    board.level.judge_patterns(list, &mut || true).is_ok()
}

/// Boards of a test, some with a goal to spare.
fn boards(seed: u64, count: usize) -> impl Iterator<Item = (u64, Board, Rng)> {
    let seeds = (0..).map(move |number| seed + number);
    let drawn = seeds.filter_map(|seed| {
        let mut rng = Rng::with_seed(seed);
        let spare = usize::from(rng.u8(..3) == 0);
        let board = board(&mut rng, spare)?;
        Some((seed, board, rng))
    });
    drawn.take(count)
}
