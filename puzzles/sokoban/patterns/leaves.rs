//! Patterns that are shown without looking at what follows: boxes that stand still, and what is
//! left for the others.
//!
//! Suppose that a solution wastes less than v. If every push of some boxes T leads to a waste of v
//! (or is impossible as long as the others of T stand), none of them is ever pushed: look at the
//! first such push. So they are walls for everybody else, and the others' distances may be taken
//! around them.

use super::ground::{Set, Spot};
use super::judge::{Counted, Entry, Judge};
use super::weights::{INFINITE_COST, refuse};
use crate::patterns::{Cover, PatternCoord, PatternError};

impl<'a> Judge<'a> {
    /// The boxes of a pattern that stand still, once that is shown.
    fn stand_still(
        &mut self,
        number: usize,
        still: &[PatternCoord],
        covers: &'a [Cover],
    ) -> Result<Set, PatternError> {
        let still = self.spots(still)?;
        let Entry { boxes, player, value, .. } = &self.entries[number];
        if still.iter().any(|at| !boxes.contains(at)) {
            return refuse("a box that stands still is not of the pattern");
        }
        let (player, value) = (*player, *value);
        let set = Set::of(&still);
        let part = self.ground.reach(&set, player);
        let covers = self.covers_by_push(covers)?;
        let looked =
            self.own_pushes(&still, &part, value, &Set::default(), Counted::Own, &covers)?;
        self.judged.pushes += looked;
        Ok(set)
    }

    /// A pattern whose other boxes have to find goals around those that stand still.
    pub(super) fn matching(
        &mut self,
        number: usize,
        still: &[PatternCoord],
        covers: &'a [Cover],
    ) -> Result<(), PatternError> {
        let still = self.stand_still(number, still, covers)?;
        if still.iter().any(|at| !self.ground.is_goal(at)) {
            return Ok(());
        }
        let distances = self.walls.around(&self.ground, &self.weights, &still);
        let Entry { boxes, empty, player, part, value, .. } = &self.entries[number];
        if !empty.is_empty() {
            return refuse("its own boxes do not need empty cells");
        }
        let row = |&at: &Spot| -> Vec<u64> {
            let side = usize::from(self.ground.side(at, *player));
            distances.iter().map(|to_goal| to_goal[at][side]).collect()
        };
        let rows: Vec<Vec<u64>> = boxes.iter().filter(|&&at| !still.has(at)).map(row).collect();
        let waste = still.iter().map(|at| self.ends(at, part)).sum::<u64>();
        let waste = waste + assignment(&rows, self.ground.goals.len());
        if waste < *value {
            return refuse(format!("the matching wastes {waste} only"));
        }
        Ok(())
    }

    /// A pattern with goals that cannot all be served: by its own boxes at their distance, or by
    /// any other box from a cell that may hold one.
    pub(super) fn unserved(
        &mut self,
        number: usize,
        still: &[PatternCoord],
        goals: &[PatternCoord],
        covers: &'a [Cover],
    ) -> Result<(), PatternError> {
        let still = self.stand_still(number, still, covers)?;
        if still.iter().any(|at| !self.ground.is_goal(at)) {
            return Ok(());
        }
        if self.ground.goals.len() != self.ground.boxes.len() {
            return refuse("a goal may stay empty");
        }
        let goals = self.spots(goals)?;
        let distances = self.walls.around(&self.ground, &self.weights, &still);
        let Entry { boxes, empty, player, value, .. } = &self.entries[number];
        let part = self.ground.reach(&still, *player);
        let elsewhere = |at: &Spot| !boxes.contains(at) && !empty.has(*at) && !still.has(*at);
        let mut rows = Vec::new();
        for goal in &goals {
            let Some(index) = self.ground.goals.iter().position(|other| other == goal) else {
                return refuse("a cell to be served is no goal");
            };
            if still.has(*goal) {
                return refuse("a goal to be served is taken");
            }
            let from = |at: Spot, player: Spot| {
                distances[index][at][usize::from(self.ground.side(at, player))]
            };
            let named = boxes.iter().filter(|&&at| !still.has(at)).map(|&at| from(at, *player));
            let others = (0..self.ground.len()).filter(elsewhere).flat_map(|at| {
                part.iter().filter(move |&other| other != at).map(move |other| from(at, other))
            });
            let nearest = others.min().unwrap_or(INFINITE_COST);
            rows.push(named.chain(goals.iter().map(|_| nearest)).collect::<Vec<u64>>());
        }
        let columns = rows.first().map_or(0, Vec::len);
        let waste = assignment(&rows, columns);
        if waste < *value {
            return refuse(format!("the goals are served with a waste of {waste}"));
        }
        Ok(())
    }
}

/// The least total cost of giving each row a column of its own: shortest augmenting paths by
/// relaxing as long as anything changes.
fn assignment(rows: &[Vec<u64>], columns: usize) -> u64 {
    const INFINITE: i64 = i64::MAX / 4;
    let cost = |row: usize, column: usize| rows[row][column] as i64;
    let mut owner: Vec<Option<usize>> = vec![None; columns];
    let mut total: i64 = 0;
    for first in 0..rows.len() {
        let mut length = vec![INFINITE; columns];
        let mut came: Vec<Option<usize>> = vec![None; columns];
        for (column, length) in length.iter_mut().enumerate() {
            *length = cost(first, column);
        }
        let mut changed = true;
        while changed {
            changed = false;
            for through in 0..columns {
                let Some(row) = owner[through] else { continue };
                let base = length[through] - cost(row, through);
                for column in (0..columns).filter(|&column| column != through) {
                    if base + cost(row, column) < length[column] {
                        length[column] = base + cost(row, column);
                        came[column] = Some(through);
                        changed = true;
                    }
                }
            }
        }
        let free = (0..columns).filter(|&column| owner[column].is_none());
        let Some(mut column) = free.min_by_key(|&column| length[column]) else {
            return INFINITE_COST;
        };
        total += length[column];
        while let Some(previous) = came[column] {
            owner[column] = owner[previous];
            column = previous;
        }
        owner[column] = Some(first);
    }
    u64::try_from(total).unwrap_or(0).min(INFINITE_COST)
}
