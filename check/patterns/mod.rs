//! Simple lists of dead patterns as cubes over the one-move transition.
//!
//! A list is **simple** when each push is covered by one pattern, and no pattern speaks of empty
//! cells, matchings or zones. Then a pattern is a cube: its pieces are there, and the player is on
//! none of the cells outside its part of the ground. The budget is waste, so pushes have prices
//! ([`CostModel::Priced`]), and walking is free: a list has no horizon, so reachability need not be
//! said in clauses at all. The transition permits every legal push; that a piece may be lost is one
//! more cube, without any budget, for each cell and side where it is.
//!
//! The three formulas are refuted by propagation alone ([`StepGuide`]). What they count is a choice
//! ([`Counts`]): waste, and that prices are right (no push wastes less than nothing, and pushes are
//! what the potential says) is for the rules to judge, in a few lines; or pushes, and the potential
//! is defined inside the formulas ([`PotentialEncoding`]), so that nothing rests on it. The latter
//! takes many more lemmas.

mod sums;

pub use sums::{PatternSums, SumFormula, SumPattern, SumPush};

use crate::limits::Monitor;
use crate::transition::{
    Budget, CostModel, Induction, PotentialEncoding, StepGuide, Term, TransitionRelation,
    WriteError, counted, unfit,
};
use hashbrown::{HashMap, HashSet};
use unstuck_encodings::{Lit, PieceLiterals};
use unstuck_puzzles::Objective;
use unstuck_puzzles::grid::Direction;
use unstuck_puzzles::patterns::{
    PatternCoord, PatternError, PatternExpansion, PatternList, PatternReason, PatternRules,
};

/// What the formulas of a list count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// Waste, by prices that the rules judge.
    Waste,
    /// Pushes, with the potential as definitions.
    Pushes,
}

impl Counts {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Waste, Self::Pushes];

    /// Name in certificates.
    pub fn name(self) -> &'static str {
        match self {
            Self::Waste => "waste",
            Self::Pushes => "pushes",
        }
    }
}

/// A simple list compiled over the one-move transition.
pub struct CompiledPatterns {
    cubes: Induction,
    /// By cube: the pushes of its own pieces.
    actions: Vec<Vec<Lit>>,
    /// By cube: those that may hold after such a push.
    after: Vec<Vec<usize>>,
    /// Number of cubes that are patterns; lost pieces follow.
    patterns: usize,
    names: HashMap<u32, String>,
    /// Where pushes are counted: all of them, with those that lose a piece the cube that says so.
    counted: Vec<(Lit, Option<usize>)>,
}

/// Whether each push is covered by one pattern that is shown by its pushes alone.
fn is_simple(list: &PatternList) -> bool {
    let alone = |why: &PatternReason| match why {
        PatternReason::Dead(covers) => covers.iter().all(|cover| cover.by.len() == 1),
        _ => false,
    };
    list.root.len() <= 1 && list.patterns.iter().all(|pattern| alone(&pattern.why))
}

impl CompiledPatterns {
    /// Compiles a list.
    ///
    /// # Errors
    /// When the list is not simple, or none of this puzzle.
    pub fn new<T: PieceLiterals<Puzzle: PatternRules>>(
        puzzle: &T::Puzzle,
        objective: Objective,
        list: &PatternList,
        counts: Counts,
        monitor: &mut Monitor<'_>,
    ) -> Result<Self, WriteError> {
        if !is_simple(list) {
            return Err(unfit("patterns are added, or say more than where pieces are"));
        }
        let spelled = puzzle.spell_out(list).map_err(|error| match error {
            PatternError::Refused(reason) => unfit(reason),
            PatternError::Stopped => unfit("stopped"),
        })?;
        let step = TransitionRelation::<T>::new(puzzle, counted::<T::Puzzle>(objective))?;
        Compiler { step, list, spelled: &spelled, counts, cubes: Vec::new() }.compile(monitor)
    }
}

/// How many lemmas it takes to show that the potential of a list is one, about; nothing where pushes
/// are not counted.
pub fn potential_lemmas(puzzle: &impl PatternRules, list: &PatternList) -> u64 {
    let (Ok(spelled), Some(claim)) = (puzzle.spell_out(list), list.claim) else { return 0 };
    let Ok((offset, terms)) = weights(&spelled) else { return 0 };
    let top = i64::from(claim).saturating_add(offset).max(0) as u64 + 1;
    top.saturating_mul((terms.len() * (spelled.pushes.len() + 7)) as u64)
}

/// A piece is on a cell, and the player on one of these, if there are any; and what that weighs.
type Weight = (PatternCoord, Vec<PatternCoord>, u32);

/// A potential without negative numbers: what is added to it, and its terms.
///
/// A piece on a cell has the least number of that cell's sides; and for each larger one what is
/// more, where the player is on a side with as much.
fn weights(spelled: &PatternExpansion) -> Result<(i64, Vec<Weight>), WriteError> {
    let numbers = spelled.potential.iter().flat_map(|(_, sides)| sides);
    let lift = numbers.map(|&(_, number)| -number).max().unwrap_or(0).max(0);
    if lift > 0 && !spelled.is_full {
        return Err(unfit("a potential below 0, and goals that may stay empty"));
    }
    let mut terms = Vec::new();
    for (at, sides) in &spelled.potential {
        let mut numbers: Vec<i64> = sides.iter().map(|&(_, number)| number).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let mut last = -lift;
        for (index, number) in numbers.into_iter().enumerate() {
            let weight = u32::try_from(number - last);
            let weight = weight.map_err(|_| unfit("a potential that makes no sense"))?;
            let sides = sides.iter().filter(|(_, other)| index > 0 && *other >= number);
            let cells = sides.flat_map(|(cells, _)| cells.iter().copied()).collect();
            if weight > 0 {
                terms.push((*at, cells, weight));
            }
            last = number;
        }
    }
    Ok((lift * i64::from(spelled.pieces) - spelled.prices, terms))
}

impl StepGuide for CompiledPatterns {
    fn cubes(&self) -> &Induction {
        &self.cubes
    }

    fn actions(&self, cube: usize) -> &[Lit] {
        &self.actions[cube]
    }

    fn after(&self, cube: usize) -> Vec<usize> {
        self.after[cube].clone()
    }

    fn counted(&self) -> &[(Lit, Option<usize>)] {
        &self.counted
    }

    fn name(&self, cube: usize) -> String {
        match cube.checked_sub(self.patterns) {
            None => format!("pattern {cube}"),
            Some(number) => format!("lost piece {number}"),
        }
    }

    fn action_name(&self, action: Lit) -> String {
        self.names.get(&action.number()).cloned().unwrap_or_default()
    }
}

/// What ending takes: so much for each conjunction that holds.
type Ending = Vec<(Box<[Lit]>, u32)>;

/// What is left of a list while it is compiled.
struct Compiler<'a, T: PieceLiterals> {
    step: TransitionRelation<T>,
    list: &'a PatternList,
    spelled: &'a PatternExpansion,
    counts: Counts,
    cubes: Vec<(Budget, Box<[Lit]>)>,
}

impl<T: PieceLiterals> Compiler<'_, T> {
    fn compile(mut self, monitor: &mut Monitor<'_>) -> Result<CompiledPatterns, WriteError> {
        let (list, spelled) = (self.list, self.spelled);
        // Without a claim about a number nothing is counted.
        let claim = list.claim.filter(|_| self.counts == Counts::Pushes);
        if spelled.by_potential && claim.is_none() {
            return self.spent();
        }
        let count = list.patterns.len() + spelled.lost.len();
        monitor.begin("writing the patterns as cubes", count as u64)?;
        for (pattern, part) in list.patterns.iter().zip(&spelled.parts) {
            monitor.tick()?;
            let budget = match pattern.value {
                None => Budget::Any,
                Some(0) => return Err(unfit("a pattern that says nothing")),
                Some(value) => Budget::Within(value - 1),
            };
            if budget != Budget::Any && spelled.excluded.is_none() && !spelled.by_potential {
                return Err(unfit("a pattern with a value where nothing is counted"));
            }
            self.cube(budget, &pattern.pieces, part);
        }
        for (at, side) in &spelled.lost {
            monitor.tick()?;
            self.cube(Budget::Any, &[*at], side);
        }
        let lost: HashMap<(PatternCoord, PatternCoord), usize> = (list.patterns.len()..)
            .zip(&spelled.lost)
            .flat_map(|(cube, (at, side))| side.iter().map(move |&cell| ((*at, cell), cube)))
            .collect();
        let (mut actions, mut after) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for (pattern, part) in list.patterns.iter().zip(&spelled.parts) {
            let PatternReason::Dead(covers) = &pattern.why else { continue };
            let mut next: Vec<usize> =
                covers.iter().flat_map(|cover| &cover.by).map(|&id| id as usize).collect();
            if next.iter().any(|&id| id >= list.patterns.len()) {
                return Err(unfit("a pattern that is not in the list"));
            }
            let own = self.own(&pattern.pieces, part, &lost, &mut next);
            actions.push(own);
            after.push(next);
        }
        for (at, side) in &spelled.lost {
            let mut next = Vec::new();
            actions.push(self.own(&[*at], side, &lost, &mut next));
            after.push(next);
        }
        let mut counted = Vec::new();
        let (claim, costs) = match claim {
            None => {
                let claim = spelled.excluded.map_or(Budget::Any, Budget::Within);
                let (prices, ending) = self.costs();
                (claim, CostModel::Priced { actions: prices, ending, spent: false })
            }
            Some(claim) => {
                // Less is left than the potential asks for: the last cube, which may hold after
                // every push, and which no step leaves.
                after.iter_mut().for_each(|after| after.push(count));
                actions.push(Vec::new());
                after.push(vec![count]);
                self.cubes.push((Budget::Any, Box::default()));
                counted = self.counted(&lost)?;
                (Budget::Within(claim), CostModel::Weighed(self.weighing()?))
            }
        };
        let names = actions.iter().flatten().chain(counted.iter().map(|(action, _)| action));
        let names = names.filter_map(|&lit| Some((lit.number(), self.step.name(lit)?))).collect();
        let Self { step, cubes, .. } = self;
        let cubes = Induction::with_costs(step, claim, cubes, costs);
        let cubes = cubes.map_err(|error| unfit(error.to_string()))?;
        let patterns = list.patterns.len();
        Ok(CompiledPatterns { cubes, actions, after, patterns, names, counted })
    }

    /// All pushes, with those that lose a piece the cube that says so.
    fn counted(
        &mut self,
        lost: &HashMap<(PatternCoord, PatternCoord), usize>,
    ) -> Result<Vec<(Lit, Option<usize>)>, WriteError> {
        let mut counted = Vec::new();
        for &(from, direction, waste) in &self.spelled.pushes {
            let cube = lost.get(&(ahead(from, direction), from)).copied();
            if waste.is_none() && cube.is_none() {
                return Err(unfit("a lost piece that a push brings back"));
            }
            counted.push((self.step.pushed(from, direction), cube));
        }
        Ok(counted)
    }

    /// The potential over the literals of the transition.
    fn weighing(&mut self) -> Result<PotentialEncoding, WriteError> {
        let (offset, terms) = weights(self.spelled)?;
        let terms = terms.into_iter().map(|(at, cells, weight)| {
            let any = cells.into_iter().map(|cell| self.step.player(cell)).collect();
            Term { lit: self.step.piece(at), any, weight }
        });
        let terms = terms.collect();
        Ok(PotentialEncoding { paid: self.step.paid(), unit: self.list.unit, offset, terms })
    }

    /// Even a plan without waste is longer than what is claimed: nothing is left at the start,
    /// nothing comes back, and the end takes one.
    fn spent(mut self) -> Result<CompiledPatterns, WriteError> {
        let (actions, _) = self.costs();
        let costs = CostModel::Priced { actions, ending: vec![(Box::default(), 1)], spent: true };
        let cubes: Vec<(Budget, Box<[Lit]>)> = vec![(Budget::Within(0), Box::default())];
        let cubes = Induction::with_costs(self.step, Budget::Within(1), cubes, costs);
        Ok(CompiledPatterns {
            cubes: cubes.map_err(|error| unfit(error.to_string()))?,
            actions: vec![Vec::new()],
            after: vec![Vec::new()],
            patterns: 1,
            names: HashMap::new(),
            counted: Vec::new(),
        })
    }

    /// Pieces on these cells, and the player on none outside of a part.
    fn cube(&mut self, budget: Budget, pieces: &[PatternCoord], part: &[PatternCoord]) {
        let part: HashSet<PatternCoord> = part.iter().copied().collect();
        let mut lits: Vec<Lit> = pieces.iter().map(|&at| self.step.piece(at)).collect();
        for &cell in self.spelled.cells.iter().filter(|cell| !part.contains(*cell)) {
            lits.push(!self.step.player(cell));
        }
        self.cubes.push((budget, lits.into_boxed_slice()));
    }

    /// The pushes of pieces that the player in a part can make; what loses a piece is noted.
    fn own(
        &mut self,
        pieces: &[PatternCoord],
        part: &[PatternCoord],
        lost: &HashMap<(PatternCoord, PatternCoord), usize>,
        next: &mut Vec<usize>,
    ) -> Vec<Lit> {
        let mut own = Vec::new();
        for &(from, direction, waste) in &self.spelled.pushes {
            if !pieces.contains(&from) || !part.contains(&before(from, direction)) {
                continue;
            }
            let to = ahead(from, direction);
            if pieces.contains(&to) {
                continue;
            }
            if waste.is_none() {
                next.extend(lost.get(&(to, from)));
            }
            own.push(self.step.pushed(from, direction));
        }
        next.sort_unstable();
        next.dedup();
        own
    }

    /// What each push and each end takes.
    fn costs(&mut self) -> (Vec<(Lit, u32)>, Ending) {
        let spelled = self.spelled;
        let mut actions = Vec::new();
        for &(from, direction, waste) in &spelled.pushes {
            actions.push((self.step.pushed(from, direction), waste.unwrap_or(0)));
        }
        let mut ending: Ending = Vec::new();
        for (goal, side, waste) in &spelled.ends {
            let side: HashSet<PatternCoord> = side.iter().copied().collect();
            let elsewhere = |cell: &&PatternCoord| !side.contains(*cell) && *cell != goal;
            let mut lits = vec![self.step.piece(*goal)];
            for &cell in spelled.cells.iter().filter(elsewhere) {
                lits.push(!self.step.player(cell));
            }
            ending.push((lits.into_boxed_slice(), *waste));
        }
        for &(goal, waste) in &spelled.unused {
            ending.push((Box::new([!self.step.piece(goal)]), waste));
        }
        (actions, ending)
    }
}

fn ahead((row, column): PatternCoord, direction: Direction) -> PatternCoord {
    let (down, right) = direction.delta();
    (row.wrapping_add_signed(down as i16), column.wrapping_add_signed(right as i16))
}

fn before(at: PatternCoord, direction: Direction) -> PatternCoord {
    ahead(at, direction.opposite())
}
