//! Questions about all optimal plans: how many there are, and what they have in common.

use crate::Counts;
use crate::game::Sequences;
use crate::questions::{Asking, Verdict, price, same};
use std::collections::{BTreeMap, BTreeSet};
use unstuck::atlas::{Atlas, WALK};
use unstuck::questions::analysis::Analysis;
use unstuck::questions::enumerate::{Enumeration, enumerate};
use unstuck_puzzles::Moves;

/// Plans that are asked for.
const LISTED: usize = 20;

/// Beginnings of optimal plans after which the truth is given up.
const SEQUENCES: usize = 600;

impl<P: Moves> Asking<'_, P> {
    /// Optimal plans are counted as sequences of pushes, walks left out, of which two are one when
    /// exchanges of neighbouring pushes that lead to the same position make one of the other.
    pub(crate) fn enumerated(&mut self, counts: &mut Counts) -> Verdict {
        let instance = self.instance;
        let mut asked = Analysis::new(instance, self.constraints()).ok_or("no atlas")?;
        let answer = enumerate(&mut asked, LISTED, &self.limits);
        let atlas = asked.atlas.as_mut();
        if self.is_open(answer.stop, counts) {
            return Ok(());
        }
        let optimum = self.chart.optimum();
        same("optimum", answer.optimum.map(price), optimum)?;
        same("at least", answer.at_least.map(price), optimum)?;
        same("solvable", answer.solvable, Some(optimum.is_some()))?;
        if optimum.is_none() {
            return same("plans", (answer.plans, answer.listed.len()), (Some(0), 0));
        }
        let plans = answer.plans.ok_or("plans were not counted")?;
        same("listed", answer.listed.len() as u128, plans.min(LISTED as u128))?;
        same("all listed", answer.all_listed, plans <= LISTED as u128)?;
        for actions in &answer.listed {
            let text = atlas.plan(actions).ok_or("a plan that is not possible")?;
            same(&format!("price of {text}"), self.chart.game.wins(&text), optimum)?;
        }
        let Some(sequences) = self.chart.sequences(SEQUENCES) else {
            counts.add("plans: too many to list");
            return Ok(());
        };
        let (number, class) = sequences.classes();
        let words = |actions: &[unstuck::atlas::Action]| -> Vec<String> {
            let pushes = actions.iter().filter(|action| action.name != WALK);
            pushes.map(|action| atlas.action_name(action.name).to_owned()).collect()
        };
        let listed: Vec<Vec<String>> = answer.listed.iter().map(|actions| words(actions)).collect();
        let found: BTreeSet<Option<&usize>> = listed.iter().map(|plan| class.get(plan)).collect();
        same("listed plans that are none", found.contains(&None), false)?;
        if !self.walks_matter() {
            same("plans", plans, number as u128)?;
            same("different plans among those listed", found.len(), answer.listed.len())?;
        } else {
            // Pushes may lead to the same board and not be exchanged; but no sequence counts twice.
            let different: BTreeSet<&Vec<String>> = listed.iter().collect();
            same("different sequences listed", different.len(), listed.len())?;
            same("plans beyond all sequences", plans > sequences.whole.len() as u128, false)?;
        }
        counts.add(if plans == 1 { "plans: one" } else { "plans: several" });
        self.shared(&sequences, &answer, atlas)
    }

    /// Pushes that all optimal plans make, as often as each does, and when they come.
    fn shared(&self, sequences: &Sequences<P>, answer: &Enumeration, atlas: &dyn Atlas) -> Verdict {
        let mut least: BTreeMap<&str, usize> = BTreeMap::new();
        for name in sequences.whole.iter().flatten() {
            let times = |plan: &Vec<String>| plan.iter().filter(|it| *it == name).count();
            let fewest = sequences.whole.iter().map(times).min().unwrap_or(0);
            if fewest > 0 {
                least.insert(name, fewest);
            }
        }
        let mut said: BTreeMap<&str, usize> = BTreeMap::new();
        for &action in answer.common.iter().filter(|&&action| action != WALK) {
            *said.entry(atlas.action_name(action)).or_default() += 1;
        }
        same("pushes of all plans", &said, &least)?;
        let shared: BTreeSet<&str> =
            answer.shared.iter().map(|it| atlas.action_name(it.action)).collect();
        same("shared pushes", shared, least.keys().copied().collect())?;
        for it in &answer.shared {
            let name = atlas.action_name(it.action);
            let made = |plan: &Vec<String>| -> Vec<u32> {
                let numbered = (1..).zip(plan).filter(|(_, made)| *made == name);
                numbered.map(|(place, _)| place).collect()
            };
            let places: Vec<u32> = sequences.whole.iter().flat_map(made).collect();
            let range = (places.iter().min().copied(), places.iter().max().copied());
            same(&format!("range of {name}"), (Some(it.first), Some(it.last)), range)?;
        }
        Ok(())
    }
}
