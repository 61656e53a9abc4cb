//! A shortest plan as one question, for solvers of MaxSAT.
//!
//! A transition system is unrolled to a horizon, and for each layer before the last one a literal
//! says that the puzzle is solved there. A plan of cost c is solved from layer c on, as idle steps
//! fill the rest, and no layer before that of a shortest plan is solved. So the fewest of these
//! literals that are false are as many as a shortest plan costs.
//!
//! The format is that of the MaxSAT Evaluations since 2022: `h` before hard clauses, the weight
//! before others.

use super::dimacs;
use super::dimspec::Layers;
use std::io::{self, Write};

/// A transition system as a formula that is minimised.
pub struct MaxSat<'a> {
    layers: &'a Layers,
    horizon: i32,
    /// Variables of a layer.
    size: i32,
}

impl<'a> MaxSat<'a> {
    /// Unrolls so many steps; `None` where the numbers of variables run out.
    pub fn new(layers: &'a Layers, horizon: u32) -> Option<Self> {
        let (size, horizon) =
            (i32::try_from(layers.names.len()).ok()?, i32::try_from(horizon).ok()?);
        size.checked_mul(horizon.checked_add(1)?)?.checked_add(horizon)?;
        Some(Self { layers, horizon, size })
    }

    /// Number of variables: those of each layer, then those that say where it is solved.
    pub fn variables(&self) -> usize {
        (self.size * (self.horizon + 1) + self.horizon) as usize
    }

    /// The clauses that must hold.
    pub fn hard(&self) -> impl Iterator<Item = Vec<i32>> {
        let at = |clause: &Vec<i32>, layer: i32| -> Vec<i32> {
            clause.iter().map(|lit| lit + lit.signum() * self.size * layer).collect()
        };
        let Layers { initial, goal, transition, .. } = self.layers;
        let steps = (0..self.horizon)
            .flat_map(move |layer| transition.iter().map(move |clause| at(clause, layer)));
        let end = goal.iter().map(move |clause| at(clause, self.horizon));
        let sooner = (0..self.horizon).zip(self.soft()).flat_map(move |(layer, solved)| {
            goal.iter().map(move |clause| [&[-solved], &at(clause, layer)[..]].concat())
        });
        initial.iter().cloned().chain(steps).chain(end).chain(sooner)
    }

    /// The literals of which as many as possible are to hold.
    pub fn soft(&self) -> impl Iterator<Item = i32> {
        let before = self.size * (self.horizon + 1);
        (1..=self.horizon).map(move |number| before + number)
    }

    /// Writes it, comments first (without the leading `c`); the number of its clauses.
    ///
    /// # Errors
    /// When `out` cannot be written.
    pub fn write(
        &self,
        out: &mut dyn Write,
        comments: impl IntoIterator<Item = String>,
    ) -> io::Result<usize> {
        for comment in comments {
            writeln!(out, "c {comment}")?;
        }
        let mut count = 0;
        for clause in self.hard() {
            write!(out, "h ")?;
            dimacs::write_clause(out, clause)?;
            count += 1;
        }
        for solved in self.soft() {
            writeln!(out, "1 {solved} 0")?;
            count += 1;
        }
        Ok(count)
    }
}
