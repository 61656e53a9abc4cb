//! Patterns that name the contents of a zone around the goals.
//!
//! A solution, seen from inside the zone, is a walk through contents: boxes come in from cells
//! outside of which nothing is known, are pushed around, and go out. So the least waste from some
//! contents to the solved ones, over all such walks, is one that every solution pays.

use super::ground::{Set, Spot};
use super::judge::Judge;
use super::weights::{INFINITE_COST, Push, refuse};
use crate::patterns::{PatternError, PatternReason};
use std::collections::{BTreeMap, HashMap};

/// Contents, and the first cell of the player's part of the floor without them.
type Contents = (Set, Spot);

impl Judge<'_> {
    /// Judges the patterns of all zones.
    pub(super) fn zones(&mut self, go_on: &mut dyn FnMut() -> bool) -> Result<(), PatternError> {
        for zone in 0..self.zones.len() as u32 {
            let of_zone = |why: &PatternReason| *why == PatternReason::Zone(zone);
            let entries = self.entries.iter().enumerate();
            let numbers: Vec<usize> =
                entries.filter(|(_, entry)| of_zone(entry.why)).map(|(number, _)| number).collect();
            let most = numbers.iter().map(|&number| self.entries[number].value).max().unwrap_or(0);
            if most >= INFINITE_COST {
                return refuse("a zone shows no more than a number");
            }
            let wastes = self.contents(zone, most, go_on)?;
            self.judged.contents += wastes.len();
            for number in numbers {
                let entry = &self.entries[number];
                if entry.boxes.iter().any(|&at| !self.zones[zone as usize].has(at)) {
                    return refuse(format!("pattern {number}: a box stands outside its zone"));
                }
                let key = (Set::of(&entry.boxes), entry.part.first().unwrap_or(0));
                if wastes.get(&key).is_some_and(|&waste| waste < entry.value) {
                    return refuse(format!("pattern {number}: its zone can do with less"));
                }
            }
        }
        Ok(())
    }

    /// A zone by its number.
    pub(super) fn zone(&self, number: u32) -> Result<&Set, PatternError> {
        let Some(zone) = self.zones.get(number as usize) else {
            return refuse(format!("there is no zone {number}"));
        };
        let ground = &self.ground;
        if ground.goals.len() != ground.boxes.len()
            || ground.goals.iter().any(|&goal| !zone.has(goal))
        {
            return refuse("a zone must hold all goals, and each must take a box");
        }
        Ok(zone)
    }

    /// The contents from which the solved ones can be reached with a waste below `most`.
    fn contents(
        &self,
        zone: u32,
        most: u64,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<HashMap<Contents, u64>, PatternError> {
        let (ground, inside) = (&self.ground, self.zone(zone)?);
        let mut search = Search { wastes: HashMap::new(), open: BTreeMap::new(), most };
        let solved = Set::of(&ground.goals);
        for player in (0..ground.len()).filter(|&player| !ground.is_goal(player)) {
            let part = ground.reach(&solved, player);
            let waste = ground.goals.iter().map(|&goal| self.ends(goal, &part)).sum();
            search.offer(solved.clone(), &part, waste);
        }
        while let Some((waste, keys)) = search.open.pop_first() {
            for key in keys {
                if !go_on() {
                    return Err(PatternError::Stopped);
                }
                if search.wastes[&key] == waste {
                    self.pull(inside, &key, waste, &mut search);
                }
            }
        }
        Ok(search.wastes)
    }

    /// All contents from which one push leads to these.
    fn pull(&self, inside: &Set, (contents, player): &Contents, waste: u64, search: &mut Search) {
        let ground = &self.ground;
        let part = ground.reach(contents, *player);
        let room = contents.len() < ground.boxes.len();
        for push in part.iter().flat_map(|from| ground.pushes(from)) {
            let (from_inside, to_inside) = (inside.has(push.from), inside.has(push.to));
            let there = if to_inside { contents.has(push.to) } else { room };
            if !(from_inside || to_inside) || !there || contents.has(push.behind) {
                continue;
            }
            let Push::Wastes(more) = self.weights.push(ground, &push) else { continue };
            let mut before = contents.clone();
            before.remove(push.to);
            if from_inside {
                before.insert(push.from);
            }
            let part = ground.reach(&before, push.behind);
            search.offer(before, &part, waste + more);
        }
    }
}

/// Contents by waste, the least first.
struct Search {
    wastes: HashMap<Contents, u64>,
    open: BTreeMap<u64, Vec<Contents>>,
    most: u64,
}

impl Search {
    fn offer(&mut self, contents: Set, part: &Set, waste: u64) {
        if waste >= self.most {
            return;
        }
        let key = (contents, part.first().unwrap_or(0));
        let least = self.wastes.entry(key.clone()).or_insert(u64::MAX);
        if waste < *least {
            *least = waste;
            self.open.entry(waste).or_default().push(key);
        }
    }
}
