//! Questions about the parts of a level: what each is there for, and which of them leave no
//! solution.

use crate::Counts;
use crate::game::{Chart, Game};
use crate::questions::{Asking, Verdict, price, same};
use unstuck::questions::explain::explain;
use unstuck::questions::needed::{Change, needed};
use unstuck_puzzles::constraints::Requirement;
use unstuck_puzzles::{Moves, Part, PuzzleExt};

/// Beginnings of optimal plans after which the number of plans is not looked at.
const SEQUENCES: usize = 200;

impl<P: Moves> Asking<'_, P> {
    /// A chart of the level without parts, with the same constraints: `None` when that is no level
    /// or too large.
    fn without(&self, parts: &[usize]) -> Option<Chart<P>> {
        let puzzle = self.chart.game.puzzle.without(parts)?;
        let game = Game::new(puzzle, self.constraints().clone(), self.chart.game.objective);
        Chart::of(game, self.most)
    }

    /// What a shortest plan costs without each part, and with `plans` whether it is still the only
    /// one.
    pub(crate) fn needed(&mut self, counts: &mut Counts) -> Verdict {
        let parts = self.chart.game.puzzle.parts();
        let Some(kind) = self.rng.choice(&parts).map(|part| part.kind) else { return Ok(()) };
        let plans = self.rng.u8(..4) == 0;
        // Walls are many.
        if kind == "wall" && self.rng.u8(..4) > 0 {
            return Ok(());
        }
        let (constraints, limits) = (self.constraints(), &self.limits);
        let answer =
            needed(self.instance, Some(kind), plans, constraints, limits, &mut |_, _, _| {});
        let answer = answer.map_err(|error| error.to_string())?;
        if self.is_open(answer.level.stop, counts) {
            return Ok(());
        }
        let optimum = self.chart.optimum();
        let number = |chart: &Chart<P>| {
            let sequences = chart.sequences(SEQUENCES).filter(|_| !self.walks_matter());
            sequences.filter(|_| plans).map(|it| it.classes().0 as u128)
        };
        let level_plans = number(&self.chart);
        same("the level", answer.level.optimum.map(price), optimum)?;
        if level_plans.is_some() {
            same("plans of the level", answer.level.solutions, level_plans)?;
        }
        let listed: Vec<(usize, &Part)> =
            parts.iter().enumerate().filter(|(_, part)| part.kind == kind).collect();
        same("parts", answer.parts.len(), listed.len())?;
        for ((place, part), said) in listed.into_iter().zip(&answer.parts) {
            let of = |what: &str| format!("{what} without {}", part.name);
            same("part", &said.part, part)?;
            if self.is_open(said.without.stop, counts) {
                continue;
            }
            if self.chart.game.puzzle.without(&[place]).is_none() {
                same(&of("effect"), said.effect, Change::NoLevel)?;
                continue;
            }
            let Some(less) = self.without(&[place]) else { continue };
            same(&of("optimum"), said.without.optimum.map(price), less.optimum())?;
            same(&of("solvable"), said.without.solvable, Some(less.optimum().is_some()))?;
            let fewer = number(&less);
            if fewer.is_some() {
                same(&of("plans"), said.without.solutions, fewer)?;
            }
            let truth = match (optimum.map(|it| it.0), less.optimum().map(|it| it.0)) {
                (None, None) => Change::None,
                (Some(_), None) => Change::Unsolvable,
                (None, Some(_)) => Change::Solvable,
                (Some(with), Some(without)) if without < with => Change::Sooner(with - without),
                (Some(with), Some(without)) if without > with => Change::Later(without - with),
                _ => match (level_plans, fewer) {
                    (Some(1), Some(more)) if more > 1 => Change::NotUnique,
                    (Some(1), Some(_)) => Change::None,
                    _ if plans => continue,
                    _ => Change::None,
                },
            };
            same(&of("effect"), said.effect, truth)?;
        }
        counts.add("needed");
        Ok(())
    }

    /// The parts that explain why there is no solution leave none by themselves, and with any of
    /// them gone there is one.
    pub(crate) fn explained(&mut self, counts: &mut Counts) -> Verdict {
        let parts = self.chart.game.puzzle.parts();
        let solvable = self.chart.optimum().is_some();
        if self.rng.u8(..4) > 0 {
            return Ok(());
        }
        let one = self.rng.choice(&parts).map(|part| part.kind).filter(|_| self.rng.bool());
        let kinds: Vec<&str> = one.into_iter().collect();
        let answer = explain(self.instance, &kinds, 2, self.constraints(), &self.limits);
        let answer = answer.map_err(|error| error.to_string())?;
        if self.is_open(answer.stop, counts) {
            return Ok(());
        }
        same("solvable", answer.solvable, Some(solvable))?;
        same("without an explanation", answer.cores.is_empty(), solvable)?;
        // A piece that is required somewhere may be any of them, so that none can be left out.
        let pieces = self.constraints().required.iter();
        let pieces =
            pieces.filter(|it| matches!(it, Requirement::Piece(_) | Requirement::Bond(..)));
        let no_piece = pieces.count() > 0;
        let may_go = |part: &Part| {
            part.loosens
                && (kinds.is_empty() || kinds.contains(&part.kind))
                && (part.kind == "wall" || !no_piece)
        };
        let gone = |kept: &[usize]| -> Vec<usize> {
            (0..parts.len()).filter(|it| may_go(&parts[*it]) && !kept.contains(it)).collect()
        };
        let found = |gone: &[usize]| self.without(gone).map(|less| less.optimum().is_some());
        for core in &answer.cores {
            let names: Vec<&str> = core.named.iter().map(|part| part.name.as_str()).collect();
            let of = |what: &str| format!("{what} of {}", names.join(", "));
            same(&of("minimal"), core.minimal, true)?;
            if found(&gone(&core.parts)) == Some(true) {
                return Err(of("there is a solution with nothing but these parts"));
            }
            for part in &core.parts {
                let fewer: Vec<usize> =
                    core.parts.iter().copied().filter(|it| it != part).collect();
                if found(&gone(&fewer)) == Some(false) {
                    return Err(of(&format!("{} is not needed", parts[*part].name)));
                }
            }
            counts.add("explained");
        }
        Ok(())
    }
}
