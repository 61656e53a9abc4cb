//! Simple lists of dead patterns as cubes over the one-move transition.
//!
//! A list is **simple** when each push is covered by one pattern, and no pattern speaks of empty
//! cells, matchings or zones. Then a pattern is a cube: its pieces are there, and the player is on
//! none of the cells outside its part of the ground. The budget is waste, so pushes have prices
//! ([`Costs::Priced`]), and walking is free: a list has no horizon, so reachability need not be said
//! in clauses at all. The transition permits every legal push; that a piece may be lost is one more
//! cube, without any budget, for each cell and side where it is.
//!
//! The three formulas are refuted by propagation alone ([`crate::transition::lrat`]). That prices
//! are right (no push wastes less than nothing, and pushes are what the potential says) is for the
//! rules to judge; it is a few lines of them.

use crate::limits::Watch;
use crate::transition::lrat::{Guide, NotWritten};
use crate::transition::{Budget, Costs, Induction, OneStep, counted};
use hashbrown::{HashMap, HashSet};
use unstuck_encodings::{Lit, Placed};
use unstuck_puzzles::Objective;
use unstuck_puzzles::grid::Direction;
use unstuck_puzzles::patterns::{NotShown, PatternList, PatternRules, Place, SpelledOut, Why};

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
}

fn unfit(reason: impl Into<String>) -> NotWritten {
    NotWritten::Unfit(reason.into())
}

/// Whether each push is covered by one pattern that is shown by its pushes alone.
pub fn is_simple(list: &PatternList) -> bool {
    let alone = |why: &Why| match why {
        Why::Dead(covers) => covers.iter().all(|cover| cover.by.len() == 1),
        _ => false,
    };
    list.root.len() <= 1 && list.patterns.iter().all(|pattern| alone(&pattern.why))
}

impl CompiledPatterns {
    /// Compiles a list.
    ///
    /// # Errors
    /// When the list is not simple, or none of this puzzle.
    pub fn new<T: Placed<Puzzle: PatternRules>>(
        puzzle: &T::Puzzle,
        objective: Objective,
        list: &PatternList,
        watch: &mut Watch<'_>,
    ) -> Result<Self, NotWritten> {
        if !is_simple(list) {
            return Err(unfit("patterns are added, or say more than where pieces are"));
        }
        let spelled = puzzle.spell_out(list).map_err(|error| match error {
            NotShown::Refused(reason) => unfit(reason),
            NotShown::Stopped => unfit("stopped"),
        })?;
        let step = OneStep::<T>::new(puzzle, counted::<T::Puzzle>(objective));
        Compiler { step, list, spelled: &spelled, cubes: Vec::new() }.compile(watch)
    }
}

impl Guide for CompiledPatterns {
    fn cubes(&self) -> &Induction {
        &self.cubes
    }

    fn actions(&self, cube: usize) -> &[Lit] {
        &self.actions[cube]
    }

    fn after(&self, cube: usize) -> Vec<usize> {
        self.after[cube].clone()
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
struct Compiler<'a, T: Placed> {
    step: OneStep<T>,
    list: &'a PatternList,
    spelled: &'a SpelledOut,
    cubes: Vec<(Budget, Box<[Lit]>)>,
}

impl<T: Placed> Compiler<'_, T> {
    fn compile(mut self, watch: &mut Watch<'_>) -> Result<CompiledPatterns, NotWritten> {
        let (list, spelled) = (self.list, self.spelled);
        if spelled.by_potential {
            return self.spent();
        }
        let count = list.patterns.len() + spelled.lost.len();
        watch.begin("writing the patterns as cubes", count as u64)?;
        for (pattern, part) in list.patterns.iter().zip(&spelled.parts) {
            watch.step()?;
            let budget = match pattern.value {
                None => Budget::Any,
                Some(0) => return Err(unfit("a pattern that says nothing")),
                Some(value) => Budget::Within(value - 1),
            };
            if budget != Budget::Any && spelled.excluded.is_none() {
                return Err(unfit("a pattern with a value where nothing is counted"));
            }
            self.cube(budget, &pattern.pieces, part);
        }
        for (at, side) in &spelled.lost {
            watch.step()?;
            self.cube(Budget::Any, &[*at], side);
        }
        let lost: HashMap<(Place, Place), usize> = (list.patterns.len()..)
            .zip(&spelled.lost)
            .flat_map(|(cube, (at, side))| side.iter().map(move |&cell| ((*at, cell), cube)))
            .collect();
        let (mut actions, mut after) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for (pattern, part) in list.patterns.iter().zip(&spelled.parts) {
            let Why::Dead(covers) = &pattern.why else { continue };
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
        let names = actions.iter().flatten();
        let names = names.filter_map(|&lit| Some((lit.number(), self.step.name(lit)?))).collect();
        let claim = spelled.excluded.map_or(Budget::Any, Budget::Within);
        let (prices, ending) = self.costs();
        let costs = Costs::Priced { actions: prices, ending, spent: false };
        let Self { step, cubes, .. } = self;
        let cubes = Induction::with_costs(step, claim, cubes, costs);
        let cubes = cubes.map_err(|error| unfit(error.to_string()))?;
        Ok(CompiledPatterns { cubes, actions, after, patterns: list.patterns.len(), names })
    }

    /// Even a plan without waste is longer than what is claimed: nothing is left at the start,
    /// nothing comes back, and the end takes one.
    fn spent(mut self) -> Result<CompiledPatterns, NotWritten> {
        let (actions, _) = self.costs();
        let costs = Costs::Priced { actions, ending: vec![(Box::default(), 1)], spent: true };
        let cubes: Vec<(Budget, Box<[Lit]>)> = vec![(Budget::Within(0), Box::default())];
        let cubes = Induction::with_costs(self.step, Budget::Within(1), cubes, costs);
        Ok(CompiledPatterns {
            cubes: cubes.map_err(|error| unfit(error.to_string()))?,
            actions: vec![Vec::new()],
            after: vec![Vec::new()],
            patterns: 1,
            names: HashMap::new(),
        })
    }

    /// Pieces on these cells, and the player on none outside of a part.
    fn cube(&mut self, budget: Budget, pieces: &[Place], part: &[Place]) {
        let part: HashSet<Place> = part.iter().copied().collect();
        let mut lits: Vec<Lit> = pieces.iter().map(|&at| self.step.piece(at)).collect();
        for &cell in self.spelled.cells.iter().filter(|cell| !part.contains(*cell)) {
            lits.push(!self.step.player(cell));
        }
        self.cubes.push((budget, lits.into_boxed_slice()));
    }

    /// The pushes of pieces that the player in a part can make; what loses a piece is noted.
    fn own(
        &mut self,
        pieces: &[Place],
        part: &[Place],
        lost: &HashMap<(Place, Place), usize>,
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
            let side: HashSet<Place> = side.iter().copied().collect();
            let elsewhere = |cell: &&Place| !side.contains(*cell) && *cell != goal;
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

fn ahead((row, column): Place, direction: Direction) -> Place {
    let (down, right) = direction.delta();
    (row.wrapping_add_signed(down as i16), column.wrapping_add_signed(right as i16))
}

fn before(at: Place, direction: Direction) -> Place {
    ahead(at, direction.opposite())
}
