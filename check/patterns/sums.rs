//! Lists of dead patterns that add up, as pseudo-Boolean formulas over the one-move transition.
//!
//! The formulas count pushes, and nothing else: no potential, no waste. Each box carries a number,
//! **what it still takes**: the pushes of this box until the end, less the price of the goal on
//! which it ends. Along a plan these numbers are known, so they may be written beside each state:
//!
//! * at the start they add up to the length of the plan less all prices, or to less than that where
//!   goals stay empty, because the price of such a goal is not above 0;
//! * a push takes at least one from the number of its box, and adds nothing to the others;
//! * at the end a box on a goal has at least what that goal's price leaves.
//!
//! That holds whatever the prices are. A pattern says: with boxes on these cells and the player in
//! that part of the floor, the numbers of these boxes add up to at least so much. That is one linear
//! constraint, and patterns without a common box are added by adding these: one step of cutting
//! planes, where clauses would have to speak of every way to share out the sum. The potential is
//! among the patterns: each cell and side of it is a pattern of one box.
//!
//! With Inv for "a pattern is violated" the three formulas are those of [`Induction`]: the start,
//! and no pattern is violated; one is violated, and the state is solved; one is violated, one step,
//! and none is violated after it. A plan that is too short would violate a pattern in each of its
//! states, and end unsolved.
//!
//! [`Induction`]: crate::transition::Induction

use super::{ahead, before};
use crate::formula::pseudo_boolean::{ConstraintList, WeightedLit, name};
use crate::formula::{ClauseList, Clauses};
use crate::limits::{Monitor, Stop};
use crate::transition::{Obligation, TransitionRelation, WriteError, counted, literal, unfit};
use hashbrown::{HashMap, HashSet};
use unstuck_encodings::{Lit, PieceLiterals, Step};
use unstuck_puzzles::Objective;
use unstuck_puzzles::grid::Direction;
use unstuck_puzzles::patterns::{
    PatternCoord, PatternError, PatternExpansion, PatternId, PatternList, PatternReason,
    PatternRules,
};

/// A pattern over the literals of the transition.
#[derive(Clone, Debug)]
pub struct SumPattern {
    /// By layer: its boxes are there, and the player is in its part of the floor.
    pub lits: [Vec<Lit>; 2],
    /// Its boxes, by the numbers of their cells.
    pub boxes: Vec<usize>,
    /// What their numbers, each lifted, add up to at least; `None`: there is no plan at all.
    pub least: Option<u64>,
    /// The pushes of its boxes that the player can make, by their numbers, each with the patterns
    /// that hold after it.
    pub pushes: Vec<(usize, Vec<usize>)>,
}

/// A push that walls allow.
#[derive(Clone, Copy, Debug)]
pub struct SumPush {
    /// The number of the cell of its box.
    pub from: usize,
    /// The number of the cell to which it goes.
    pub to: usize,
    /// The literal that says that it is made.
    pub action: Lit,
}

/// A list of dead patterns compiled over the one-move transition.
#[derive(Clone, Debug)]
pub struct PatternSums {
    names: Vec<String>,
    start: ClauseList,
    goal: ClauseList,
    step: ClauseList,
    cells: Vec<PatternCoord>,
    /// By layer, then by cell: a box is there.
    boxes: [Vec<Lit>; 2],
    /// All pushes.
    pub pushes: Vec<SumPush>,
    /// The patterns of the list, then those of a single box.
    pub patterns: Vec<SumPattern>,
    /// Those that hold at the start, without a common box.
    pub root: Vec<usize>,
    /// Bits of a number; none where there is no number.
    bits: u32,
    /// The numbers of the boxes at the start, each lifted, add up to at most this much; with their
    /// cells.
    total: Option<(Vec<usize>, i64)>,
    /// By goal: its cell, and the least number, lifted, of a box that ends there.
    pub ends: Vec<(usize, u64)>,
}

/// A formula, and the numbers of its constraints, from 1.
#[derive(Clone, Debug)]
pub struct SumFormula {
    /// The constraints: first clauses of the transition, then what numbers do, then the patterns.
    pub constraints: ConstraintList,
    /// The clauses of the transition, which come first.
    pub clauses: ClauseList,
    /// The first constraint about numbers: those at the start, at each end, or of each box that
    /// stays.
    pub numbers: usize,
    /// The first constraint about the number of a pushed box.
    pub pushes: usize,
    /// By pattern: its first constraint where it is violated, one for each of its literals, and then
    /// the one about its numbers.
    pub violated: Vec<usize>,
    /// "Some pattern is violated." Behind it, for each pattern: it is not violated in the layer that
    /// the part asks about.
    pub some: usize,
}

impl PatternSums {
    /// Compiles a list.
    ///
    /// # Errors
    /// When the list has patterns of another kind than those that add up, or is none of this
    /// puzzle.
    pub fn new<T: PieceLiterals<Puzzle: PatternRules>>(
        puzzle: &T::Puzzle,
        objective: Objective,
        list: &PatternList,
        monitor: &mut Monitor<'_>,
    ) -> Result<Self, WriteError> {
        let spelled = puzzle.spell_out(list).map_err(|error| match error {
            PatternError::Refused(reason) => unfit(reason),
            PatternError::Stopped => unfit("stopped"),
        })?;
        let step = TransitionRelation::<T>::new(puzzle, counted::<T::Puzzle>(objective))?;
        Compiler::new(step, list, &spelled).compile(monitor)
    }

    /// What the lifted numbers at the start add up to at most, where there are numbers.
    pub fn total(&self) -> Option<i64> {
        self.total.as_ref().map(|(_, total)| *total)
    }

    /// The bit of a number in a layer.
    fn bit(&self, layer: Step, cell: usize, bit: u32) -> Lit {
        let number = layer as usize * self.cells.len() + cell;
        literal(self.names.len() + number * self.bits as usize + bit as usize + 1)
    }

    /// "This pattern is violated before the step."
    pub fn chosen(&self, pattern: usize) -> Lit {
        let numbers = 2 * self.cells.len() * self.bits as usize;
        literal(self.names.len() + numbers + pattern + 1)
    }

    /// "A box is on this cell."
    pub fn box_at(&self, layer: Step, cell: usize) -> Lit {
        self.boxes[layer as usize][cell]
    }

    /// The largest number.
    fn most(&self) -> u64 {
        (1 << self.bits) - 1
    }

    /// The number of the box on a cell.
    fn number(&self, layer: Step, cell: usize) -> impl Iterator<Item = WeightedLit> + '_ {
        (0..self.bits).map(move |bit| (1 << bit, self.bit(layer, cell, bit)))
    }

    /// What the number of the box on a cell leaves of the largest.
    fn rest(&self, layer: Step, cell: usize) -> impl Iterator<Item = WeightedLit> + '_ {
        self.number(layer, cell).map(|(weight, lit)| (weight, !lit))
    }

    /// What the variables mean, as the comments of files say it.
    pub fn comments(&self) -> impl Iterator<Item = String> + '_ {
        let numbers = (0..=1).flat_map(move |layer| {
            self.cells.iter().flat_map(move |(row, column)| {
                (0..self.bits).map(move |bit| format!("takes({row},{column}).{bit}@{layer}"))
            })
        });
        let chosen = (0..self.patterns.len()).map(|number| format!("violated-{number}@0"));
        let names = self.names.iter().cloned().chain(numbers).chain(chosen);
        (1..).zip(names).map(|(number, meaning)| format!("{} {meaning}", name(literal(number))))
    }

    /// The formula of a part.
    ///
    /// # Errors
    /// The limit that struck.
    pub fn formula(&self, part: Obligation, monitor: &mut Monitor<'_>) -> Result<SumFormula, Stop> {
        monitor.begin(format!("compiling {}", part.name()), 2 * self.patterns.len() as u64)?;
        let clauses = match part {
            Obligation::Initiation => &self.start,
            Obligation::Safety => &self.goal,
            Obligation::Consecution => &self.step,
        };
        let mut list = ConstraintList::default();
        for index in 0..clauses.len() {
            list.clause(clauses.clause(index).iter().copied());
        }
        let numbers = list.len() + 1;
        match part {
            Obligation::Initiation => self.given(&mut list),
            Obligation::Safety => self.left_at_the_end(&mut list),
            Obligation::Consecution => self.staying(&mut list),
        }
        let pushes = list.len() + 1;
        if part == Obligation::Consecution {
            self.pushing(&mut list);
        }
        let mut violated = Vec::new();
        if part != Obligation::Initiation {
            for index in 0..self.patterns.len() {
                monitor.tick()?;
                violated.push(list.len() + 1);
                self.violate(index, &mut list);
            }
            list.clause((0..self.patterns.len()).map(|index| self.chosen(index)));
        }
        let some = list.len();
        if part != Obligation::Safety {
            let layer = Step::from(part == Obligation::Consecution);
            for pattern in &self.patterns {
                monitor.tick()?;
                self.keep(layer, pattern, &mut list);
            }
        }
        let clauses = clauses.clone().over(self.variables());
        Ok(SumFormula { constraints: list, clauses, numbers, pushes, violated, some })
    }

    fn variables(&self) -> usize {
        self.names.len() + 2 * self.cells.len() * self.bits as usize + self.patterns.len()
    }

    /// The numbers at the start.
    fn given(&self, list: &mut ConstraintList) {
        let Some((cells, total)) = &self.total else { return };
        let all = cells.len() as i64 * self.most() as i64;
        let rest = cells.iter().flat_map(|&cell| self.rest(0, cell));
        list.add(rest, u64::try_from(all - total).unwrap_or(0));
    }

    /// The numbers at the end.
    fn left_at_the_end(&self, list: &mut ConstraintList) {
        for &(cell, least) in &self.ends {
            let free = (least, !self.box_at(0, cell));
            list.add(self.number(0, cell).chain([free]), least);
        }
    }

    /// What a step adds to the number of a box that stays: nothing. A box on a cell before and after
    /// one move is the same box.
    fn staying(&self, list: &mut ConstraintList) {
        if self.bits == 0 {
            return;
        }
        for cell in 0..self.cells.len() {
            let free = [0, 1].map(|layer| (self.most(), !self.box_at(layer, cell)));
            let less = self.number(0, cell).chain(self.rest(1, cell));
            list.add(less.chain(free), self.most());
        }
    }

    /// What a push takes.
    fn pushing(&self, list: &mut ConstraintList) {
        if self.bits == 0 {
            return;
        }
        let needed = self.most() + 1;
        for push in &self.pushes {
            let less = self.number(0, push.from).chain(self.rest(1, push.to));
            list.add(less.chain([(needed, !push.action)]), needed);
        }
    }

    /// A pattern that is violated before the step.
    fn violate(&self, index: usize, list: &mut ConstraintList) {
        let pattern = &self.patterns[index];
        let chosen = self.chosen(index);
        for &lit in &pattern.lits[0] {
            list.clause([!chosen, lit]);
        }
        if let Some(least) = pattern.least {
            let all = pattern.boxes.len() as i64 * self.most() as i64;
            let needed = u64::try_from(all - least as i64 + 1).unwrap_or(0);
            let rest = pattern.boxes.iter().flat_map(|&cell| self.rest(0, cell));
            list.add(rest.chain([(needed, !chosen)]), needed);
        }
    }

    /// A pattern that is not violated.
    fn keep(&self, layer: Step, pattern: &SumPattern, list: &mut ConstraintList) {
        let least = pattern.least.unwrap_or(1);
        let boxes = pattern.boxes.iter().filter(|_| pattern.least.is_some());
        let numbers = boxes.flat_map(|&cell| self.number(layer, cell));
        let elsewhere = pattern.lits[layer as usize].iter().map(|&lit| (least, !lit));
        list.add(numbers.chain(elsewhere), least);
    }
}

/// What is left of a list while it is compiled.
struct Compiler<'a, T: PieceLiterals> {
    step: TransitionRelation<T>,
    list: &'a PatternList,
    spelled: &'a PatternExpansion,
    /// By place: the number of a cell.
    numbers: HashMap<PatternCoord, usize>,
    /// By cell, then by a cell of the player: the pattern of this one box.
    single: HashMap<(usize, usize), usize>,
    /// By cell, then by a cell of the player: the potential.
    potential: HashMap<(usize, usize), i64>,
    /// What is added to each number, so that none is below 0.
    lift: i64,
}

impl<'a, T: PieceLiterals> Compiler<'a, T> {
    fn new(
        step: TransitionRelation<T>,
        list: &'a PatternList,
        spelled: &'a PatternExpansion,
    ) -> Self {
        let numbers = spelled.cells.iter().copied().zip(0..).collect();
        let highest = list.prices.iter().map(|&(_, price)| i64::from(price)).max();
        let lift = highest.unwrap_or(0).max(0);
        let (single, potential) = Default::default();
        Self { step, list, spelled, numbers, single, potential, lift }
    }

    fn cell(&self, at: PatternCoord) -> Result<usize, WriteError> {
        self.numbers.get(&at).copied().ok_or_else(|| unfit("a cell that is none of the floor"))
    }

    fn compile(mut self, monitor: &mut Monitor<'_>) -> Result<PatternSums, WriteError> {
        let (list, spelled) = (self.list, self.spelled);
        if !spelled.is_full && list.prices.iter().any(|&(_, price)| price > 0) {
            return Err(unfit("a goal that may stay empty has a price above 0"));
        }
        monitor.begin("writing the patterns as sums", list.patterns.len() as u64)?;
        let mut patterns = Vec::new();
        let mut sides: Vec<(PatternCoord, &[PatternCoord], Option<i64>)> = Vec::new();
        for (at, numbers) in &spelled.potential {
            sides.extend(
                numbers.iter().map(|(cells, number)| (*at, cells.as_slice(), Some(*number))),
            );
        }
        sides.extend(spelled.lost.iter().map(|(at, cells)| (*at, cells.as_slice(), None)));
        if list.claim.is_none() {
            // Where nothing is counted a potential says nothing.
            sides.retain(|(.., number)| number.is_none());
        }
        for (number, &(at, cells, potential)) in (list.patterns.len()..).zip(&sides) {
            let at = self.cell(at)?;
            for &cell in cells {
                let cell = self.cell(cell)?;
                self.single.insert((at, cell), number);
                potential.map(|potential| self.potential.insert((at, cell), potential));
            }
        }
        for (pattern, part) in list.patterns.iter().zip(&spelled.parts) {
            monitor.tick()?;
            let PatternReason::Dead(covers) = &pattern.why else {
                return Err(unfit("patterns that do not add up"));
            };
            let boxes = self.cells(&pattern.pieces)?;
            let least = match (pattern.value, list.claim) {
                (None, _) => None,
                (Some(_), None) => return Err(unfit("a value where nothing is counted")),
                (Some(value), Some(_)) => {
                    let player = part.first().map(|&cell| self.cell(cell)).transpose()?;
                    let of =
                        |&at: &usize| self.potential.get(&(at, player?)).map(|n| n + self.lift);
                    let sum = boxes.iter().map(of).sum::<Option<i64>>();
                    let sum = sum.ok_or_else(|| unfit("a value of a box that is lost"))?;
                    u64::try_from(sum + i64::from(list.unit) * i64::from(value)).ok().or(Some(0))
                }
            };
            let covers: HashMap<_, _> =
                covers.iter().map(|cover| ((cover.from, cover.direction), &cover.by)).collect();
            let by = |from, direction| covers.get(&(from, direction)).map_or(&[][..], |by| by);
            patterns.push(self.pattern(&pattern.pieces, part, least, &by)?);
        }
        for (at, cells, potential) in sides {
            monitor.tick()?;
            let least = potential.map(|number| u64::try_from(number + self.lift).unwrap_or(0));
            patterns.push(self.pattern(&[at], cells, least, &|_, _| &[])?);
        }
        self.finish(patterns)
    }

    fn cells(&self, places: &[PatternCoord]) -> Result<Vec<usize>, WriteError> {
        places.iter().map(|&at| self.cell(at)).collect()
    }

    /// A pattern, with what holds after each push of its boxes.
    fn pattern<'c>(
        &mut self,
        pieces: &[PatternCoord],
        part: &[PatternCoord],
        least: Option<u64>,
        by: &dyn Fn(PatternCoord, Direction) -> &'c [PatternId],
    ) -> Result<SumPattern, WriteError> {
        let inside: HashSet<PatternCoord> = part.iter().copied().collect();
        let mut now: Vec<Lit> = pieces.iter().map(|&at| self.step.piece(at)).collect();
        for &cell in self.spelled.cells.iter().filter(|cell| !inside.contains(*cell)) {
            now.push(!self.step.player(cell));
        }
        let mut next = Vec::with_capacity(now.len());
        for &lit in &now {
            let later = self.step.later(lit);
            next.push(later.ok_or_else(|| unfit("an auxiliary variable in a state"))?);
        }
        let mut pushes = Vec::new();
        for (number, &(from, direction, _)) in self.spelled.pushes.iter().enumerate() {
            let to = ahead(from, direction);
            let own = pieces.contains(&from) && !pieces.contains(&to);
            if own && inside.contains(&before(from, direction)) {
                let after = pieces.iter().map(|&at| if at == from { to } else { at });
                let after = self.cover(by(from, direction), &after.collect::<Vec<_>>(), from)?;
                pushes.push((number, after));
            }
        }
        Ok(SumPattern { lits: [now, next], boxes: self.cells(pieces)?, least, pushes })
    }

    /// These patterns, and for each box of none of them the pattern of this box alone.
    fn cover(
        &self,
        by: &[PatternId],
        boxes: &[PatternCoord],
        player: PatternCoord,
    ) -> Result<Vec<usize>, WriteError> {
        let mut cover = Vec::new();
        let mut taken = HashSet::new();
        for &id in by {
            let pattern = self.list.patterns.get(id as usize);
            let pattern = pattern.ok_or_else(|| unfit("a pattern that is not in the list"))?;
            taken.extend(pattern.pieces.iter().copied());
            cover.push(id as usize);
        }
        let player = self.cell(player)?;
        for &at in boxes.iter().filter(|at| !taken.contains(*at)) {
            cover.extend(self.single.get(&(self.cell(at)?, player)));
        }
        Ok(cover)
    }

    fn finish(mut self, patterns: Vec<SumPattern>) -> Result<PatternSums, WriteError> {
        let (list, spelled) = (self.list, self.spelled);
        let mut boxes: [Vec<Lit>; 2] = [Vec::new(), Vec::new()];
        for &cell in &spelled.cells {
            let here = self.step.piece(cell);
            boxes[0].push(here);
            let later = self.step.later(here);
            boxes[1].push(later.ok_or_else(|| unfit("an auxiliary variable in a state"))?);
        }
        let mut pushes = Vec::new();
        for &(from, direction, _) in &spelled.pushes {
            let action = self.step.pushed(from, direction);
            let to = self.cell(ahead(from, direction))?;
            pushes.push(SumPush { from: self.cell(from)?, to, action });
        }
        let start = &spelled.start;
        let root = self.cover(&list.root, &start.0, start.1)?;
        let lowest = list.prices.iter().map(|&(_, price)| i64::from(price)).min();
        let (mut bits, mut total, mut ends) = (0, None, Vec::new());
        if let Some(claim) = list.claim {
            let most = i64::from(claim) - lowest.unwrap_or(0).min(0) + self.lift;
            // Where there are numbers they have a bit, if only one that is never set.
            bits = i64::BITS - most.max(1).leading_zeros();
            let sum = i64::from(claim) - spelled.prices + start.0.len() as i64 * self.lift;
            total = Some((self.cells(&start.0)?, sum));
            for &(goal, price) in &list.prices {
                let least = u64::try_from(self.lift - i64::from(price)).unwrap_or(0);
                ends.push((self.cell(goal)?, least));
            }
        }
        let mut goal: ClauseList = self.step.goal_clauses().collect();
        self.step.goal().iter().for_each(|&lit| goal.add([lit]));
        let names = self.step.names();
        let variables = (2 * spelled.cells.len() * bits as usize)
            .saturating_add(names.len())
            .saturating_add(patterns.len());
        if variables >= 1 << 31 {
            return Err(unfit(format!("it needs {variables} variables")));
        }
        Ok(PatternSums {
            names,
            start: self.step.start_clauses().collect(),
            goal,
            step: self.step.step_clauses().collect(),
            cells: spelled.cells.clone(),
            boxes,
            pushes,
            patterns,
            root,
            bits,
            total,
            ends,
        })
    }
}
