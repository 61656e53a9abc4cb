//! What is true about a list of patterns, from the rules alone: every state of a small level is
//! visited, and what the list says is held to the least that any solution wastes from there.

use crate::grid::{Cell, Direction};
use crate::moves::Moves;
use crate::patterns::{Pattern, PatternCoord, PatternList, PatternReason};
use crate::sokoban::Sokoban;
use crate::sokoban::board::State;
use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// Cells by their numbers.
pub(super) type Mask = u32;

/// More than any solution wastes.
pub(super) const NEVER: i64 = 1 << 40;

pub(super) fn bits(mask: Mask) -> std::vec::IntoIter<usize> {
    (0..Mask::BITS as usize).filter(|&at| mask >> at & 1 == 1).collect::<Vec<_>>().into_iter()
}

pub(super) fn bit(at: usize) -> Mask {
    1 << at
}

/// A push of a box that stands alone on the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shove {
    pub from: usize,
    pub direction: Direction,
    pub to: usize,
    pub behind: usize,
}

/// A move: the player and the boxes after it, and the cells of a pushed box.
struct Move {
    player: usize,
    boxes: Mask,
    pushed: Option<(usize, usize)>,
}

/// A small level in numbers.
pub(super) struct Board {
    pub level: Sokoban,
    pub cells: Vec<Cell>,
    pub goals: Mask,
    pub boxes: Mask,
    pub player: usize,
    pub shoves: Vec<Shove>,
    /// All moves of all states, by boxes and player.
    moves: HashMap<Mask, Vec<Vec<Move>>>,
}

/// The potential of a box by its cell and the player's.
pub(super) type Potential = Vec<Vec<Option<i64>>>;

impl Board {
    pub(super) fn of(level: Sokoban) -> Self {
        let cells: Vec<Cell> = level.grid().cells().filter(|&cell| level.is_inside(cell)).collect();
        assert!(cells.len() <= Mask::BITS as usize);
        let number = |cell: Cell| cells.iter().position(|&it| it == cell);
        let mask = |of: &[Cell]| of.iter().filter_map(|&it| number(it)).map(bit).sum();
        let mut board = Self {
            goals: mask(level.goals()),
            boxes: mask(level.boxes()),
            player: number(level.player()).expect("inside"),
            shoves: Vec::new(),
            moves: HashMap::new(),
            level,
            cells,
        };
        board.moves = (0..1 << board.cells.len())
            .filter(|mask: &Mask| mask.count_ones() == board.boxes.count_ones())
            .map(|boxes| (boxes, (0..board.cells.len()).map(|it| board.step(boxes, it)).collect()))
            .collect();
        let alone = (0..board.cells.len())
            .flat_map(|from| (0..board.cells.len()).map(move |behind| (from, behind)));
        board.shoves = alone
            .flat_map(|(from, behind)| {
                let pushes = board.step(bit(from), behind).into_iter();
                pushes.filter_map(move |it| Some((from, behind, it.pushed?.1)))
            })
            .map(|(from, behind, to)| {
                let way = |way: &Direction| {
                    board.level.open_next(board.cells[from], *way) == Some(board.cells[to])
                };
                let direction = Direction::ALL.into_iter().find(way).expect("beside it");
                Shove { from, direction, to, behind }
            })
            .collect();
        board
    }

    pub(super) fn all(&self) -> Mask {
        (0..self.cells.len()).map(bit).sum()
    }

    pub(super) fn place(&self, at: usize) -> PatternCoord {
        let (row, column) = self.level.grid().place(self.cells[at]);
        (row as u16, column as u16)
    }

    pub(super) fn places(&self, mask: Mask) -> Vec<PatternCoord> {
        bits(mask).map(|at| self.place(at)).collect()
    }

    fn number(&self, place: PatternCoord) -> usize {
        (0..self.cells.len()).find(|&at| self.place(at) == place).expect("a cell")
    }

    fn mask(&self, places: &[PatternCoord]) -> Mask {
        places.iter().map(|&place| bit(self.number(place))).fold(0, |all, it| all | it)
    }

    fn state(&self, boxes: Mask, player: usize) -> State {
        State { boxes: bits(boxes).map(|at| self.cells[at]).collect(), player: self.cells[player] }
    }

    /// Where the player can walk to.
    pub(super) fn reach(&self, boxes: Mask, player: usize) -> Mask {
        let reach = self.level.reach(&self.state(boxes, player));
        (0..self.cells.len()).filter(|&at| reach.contains(&self.cells[at])).map(bit).sum()
    }

    fn step(&self, boxes: Mask, player: usize) -> Vec<Move> {
        if boxes & bit(player) != 0 {
            return Vec::new();
        }
        let state = self.state(boxes, player);
        let made = self.level.moves(&state).into_iter().map(|mv| self.level.step(&state, mv));
        made.map(|stepped| {
            let after = stepped.expect("legal").state;
            let number = |cell| self.cells.iter().position(|&it| it == cell).expect("inside");
            let now: Mask = after.boxes.iter().map(|&it| bit(number(it))).sum();
            let pushed = (now != boxes)
                .then(|| ((boxes & !now).trailing_zeros(), (now & !boxes).trailing_zeros()))
                .map(|(from, to)| (from as usize, to as usize));
            Move { player: number(after.player), boxes: now, pushed }
        })
        .collect()
    }

    /// The least that is paid from each state to a solved one: `price` says what the pushes of the
    /// marked boxes cost, and `end` what a solved state costs. `None` is a push that is not made.
    /// The states are boxes, marked boxes, player.
    fn least(
        &self,
        marked: impl Fn(Mask) -> Vec<Mask>,
        price: impl Fn(usize, usize, usize) -> Option<i64>,
        end: impl Fn(Mask, usize) -> i64,
    ) -> HashMap<(Mask, Mask, usize), i64> {
        type Node = (Mask, Mask, usize);
        let mut ways_in: HashMap<Node, Vec<(Node, i64)>> = HashMap::new();
        let mut least: HashMap<Node, i64> = HashMap::new();
        let mut open = BinaryHeap::new();
        for (&boxes, moves) in &self.moves {
            for own in marked(boxes) {
                for (player, moves) in moves.iter().enumerate() {
                    let node = (boxes, own, player);
                    if boxes & bit(player) == 0 && boxes & !self.goals == 0 {
                        open.push(Reverse((end(own, player), node)));
                    }
                    for made in moves {
                        let (mut now, mut paid) = (own, Some(0));
                        if let Some((from, to)) = made.pushed {
                            let cost = price(from, to, player);
                            paid = cost;
                            if own & bit(from) != 0 {
                                now = own & !bit(from) | bit(to);
                            } else {
                                paid = cost.map(|_| 0);
                            }
                        }
                        if let Some(paid) = paid {
                            let next = (made.boxes, now, made.player);
                            ways_in.entry(next).or_default().push((node, paid));
                        }
                    }
                }
            }
        }
        while let Some(Reverse((paid, node))) = open.pop() {
            if least.contains_key(&node) {
                continue;
            }
            least.insert(node, paid);
            for &(before, more) in ways_in.get(&node).into_iter().flatten() {
                open.push(Reverse((paid + more, before)));
            }
        }
        least
    }

    /// The least number of pushes of a solution.
    pub(super) fn optimum(&self) -> Option<i64> {
        let least = self.least(|boxes| vec![boxes], |_, _, _| Some(1), |_, _| 0);
        least.get(&(self.boxes, self.boxes, self.player)).copied()
    }

    /// A potential by cells.
    pub(super) fn potential(&self, list: &PatternList) -> Potential {
        let mut potential = vec![vec![None; self.cells.len()]; self.cells.len()];
        for &(at, player, value) in &list.potential {
            let (at, player) = (self.number(at), self.number(player));
            for side in bits(self.reach(bit(at), player)) {
                potential[at][side] = Some(i64::from(value));
            }
        }
        potential
    }
}

/// The least that some boxes waste, by these and the player, wherever the others are.
type Marked = HashMap<(Mask, usize), i64>;

/// The least that is wasted from every state under the potential of a list.
pub(super) struct Wastes {
    /// Of the boxes that count.
    own: Marked,
    /// Of all boxes, and of goals that stay empty, by boxes and player.
    all: HashMap<(Mask, usize), i64>,
    /// Like `own`, by pushes that neither begin nor end in a zone, for the zones asked for.
    outside: RefCell<HashMap<Mask, Marked>>,
}

/// What the potential of a list must keep to.
fn potential_is_sound(board: &Board, list: &PatternList) -> bool {
    let potential = board.potential(list);
    let unit = i64::from(list.unit);
    let is_waste = |waste: i64| waste >= 0 && waste % unit == 0;
    let price = prices(board, list);
    let is_full = board.goals.count_ones() == board.boxes.count_ones();
    let goals = bits(board.goals).all(|goal| {
        let sides = (0..board.cells.len()).filter(|&player| player != goal);
        price[goal].is_some_and(|price| {
            (is_full || price <= 0)
                && sides
                    .map(|it| potential[goal][it])
                    .all(|it| it.is_some_and(|it| is_waste(-price - it)))
        })
    });
    let pushes = board.shoves.iter().all(|it| {
        match (potential[it.from][it.behind], potential[it.to][it.from]) {
            (None, Some(_)) => false,
            (Some(before), Some(after)) => is_waste(1 + after - before),
            (_, None) => true,
        }
    });
    matches!(unit, 1 | 2) && goals && pushes
}

fn prices(board: &Board, list: &PatternList) -> Vec<Option<i64>> {
    let mut prices = vec![None; board.cells.len()];
    list.prices.iter().for_each(|&(goal, it)| prices[board.number(goal)] = Some(i64::from(it)));
    prices
}

impl Wastes {
    pub(super) fn of(board: &Board, list: &PatternList) -> Self {
        let potential = board.potential(list);
        let price = prices(board, list);
        let price = |goal: usize| price[goal].unwrap_or(0);
        let push = |from: usize, to: usize, player: usize| {
            Some(1 + potential[to][from]? - potential[from][player]?)
        };
        let ends = |own: Mask, player: usize| -> i64 {
            bits(own).map(|goal| -price(goal) - potential[goal][player].unwrap_or(0)).sum()
        };
        let own = Self::own(board, push, ends);
        let whole = |own: Mask, player: usize| {
            ends(own, player) + bits(board.goals & !own).map(|goal| -price(goal)).sum::<i64>()
        };
        let all = board.least(|boxes| vec![boxes], push, whole);
        let all = all.into_iter().map(|((boxes, _, player), waste)| ((boxes, player), waste));
        Self { own, all: all.collect(), outside: RefCell::default() }
    }

    /// What boxes waste, when their pushes and their end cost so much.
    fn own(
        board: &Board,
        push: impl Fn(usize, usize, usize) -> Option<i64>,
        end: impl Fn(Mask, usize) -> i64,
    ) -> Marked {
        let subsets = |boxes: Mask| (0..=boxes).filter(|own| own & !boxes == 0).collect();
        let mut least = Marked::new();
        for ((_, marked, player), waste) in board.least(subsets, push, end) {
            let known = least.entry((marked, player)).or_insert(NEVER);
            *known = waste.min(*known);
        }
        least
    }

    /// What boxes waste outside a zone.
    fn outside(board: &Board, list: &PatternList, zone: Mask) -> Marked {
        let potential = board.potential(list);
        let push = |from: usize, to: usize, player: usize| {
            let waste = 1 + potential[to][from]? - potential[from][player]?;
            Some(if zone & (bit(from) | bit(to)) == 0 { waste } else { 0 })
        };
        Self::own(board, push, |_, _| 0)
    }

    /// What a pattern may promise.
    fn least(&self, board: &Board, list: &PatternList, pattern: &Pattern) -> i64 {
        let boxes = board.mask(&pattern.pieces);
        let mut empty = board.mask(&pattern.empty);
        let part = board.reach(boxes, board.number(pattern.player));
        let is_whole = boxes.count_ones() == board.boxes.count_ones();
        let of_all = match &pattern.why {
            PatternReason::Dead(_) | PatternReason::Matching(..) => is_whole,
            PatternReason::Total(_) | PatternReason::Unserved(..) => true,
            PatternReason::Zone(zone) => {
                empty |= board.mask(&list.zones[*zone as usize]) & !boxes;
                true
            }
            PatternReason::Outside(zone, _) => {
                let zone = board.mask(&list.zones[*zone as usize]);
                let mut known = self.outside.borrow_mut();
                let known = known.entry(zone).or_insert_with(|| Self::outside(board, list, zone));
                let wastes = bits(part).filter_map(|player| known.get(&(boxes, player)).copied());
                return wastes.min().unwrap_or(NEVER);
            }
        };
        if of_all {
            let there = |&(all, player): &(Mask, usize)| {
                all & boxes == boxes && all & empty == 0 && part & bit(player) != 0
            };
            let wastes = self.all.iter().filter(|(state, _)| there(state)).map(|(_, &waste)| waste);
            return wastes.min().unwrap_or(NEVER);
        }
        let wastes = bits(part).filter_map(|player| self.own.get(&(boxes, player)).copied());
        wastes.min().unwrap_or(NEVER)
    }
}

/// What a list says that is not true; `None` when all is.
pub(super) fn falsehood(
    board: &Board,
    optimum: Option<i64>,
    wastes: Option<&Wastes>,
    list: &PatternList,
) -> Option<String> {
    match (list.claim.map(i64::from), optimum) {
        (None, Some(optimum)) => return Some(format!("no plan, but one has {optimum} pushes")),
        (Some(claim), Some(optimum)) if claim >= optimum => {
            return Some(format!("none of {claim}, but one has {optimum} pushes"));
        }
        _ => {}
    }
    let found = match wastes {
        Some(_) => None,
        None if potential_is_sound(board, list) => Some(Wastes::of(board, list)),
        None => return Some("the potential breaks its rules".to_owned()),
    };
    let wastes = wastes.or(found.as_ref()).expect("one of them");
    list.patterns.iter().enumerate().find_map(|(number, pattern)| {
        let said = pattern.value.map_or(NEVER, |value| i64::from(value) * i64::from(list.unit));
        let least = wastes.least(board, list, pattern);
        (least < said)
            .then(|| format!("pattern {number} promises {said}, but {least} will do: {pattern}"))
    })
}
