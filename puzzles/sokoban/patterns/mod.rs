//! What a dead pattern of Sokoban is, and whether a list of them proves its claim.
//!
//! This is the definition, and it needs nothing but the level. It shares no code with the pattern
//! search; a few hundred lines, to be read in one sitting.
//!
//! # Waste
//!
//! A **potential** gives each box, by its cell and the side of it on which the player is, a whole
//! number, and each goal has a price. As long as a box is not pushed the player cannot change
//! sides, so only pushes change potentials. A push **wastes** `1 + after - before`; this must never
//! be negative. A box at the end wastes `-price - potential`, a goal that stays empty `-price`, and
//! neither may be negative. Summed over a solution of N pushes everything telescopes:
//!
//! N = sum of the potentials at the start + sum of all prices + total waste.
//!
//! So a lower bound on waste is one on pushes. A box whose potential is not given is **lost**: no
//! push may bring it back, and on a goal every box has a potential.
//!
//! # Patterns
//!
//! A pattern names boxes, cells that are empty, the player's part of the floor without those boxes,
//! and a value: a state with boxes there (and any others elsewhere), no box on the empty cells, and
//! the player in that part wastes at least so much before it is solved. There are two readings. A
//! **dead** pattern or a **matching** says that its *own* boxes waste that much, so patterns
//! without a common box add up. The other kinds say it of *all* boxes, so one must do alone.
//!
//! Between them are a **zone** and what is **outside** it. What the contents of a zone promise is
//! wasted by pushes that begin or end in it, and at the end. A pattern outside the zone says that
//! its own boxes waste so much by other pushes. No push is of both sorts, so the contents of a zone
//! and patterns outside it, without a common box, add up to what all boxes waste.
//!
//! All patterns are shown at once, by induction over the pushes that are still to come; so they may
//! lean on each other in circles. For each pattern of value v:
//!
//! * an *own* push of waste w, possible on the floor without other boxes, must be covered: w >= v,
//!   or the box is lost, or what it leads to is covered by v - w ([`Judge::covers`]);
//! * another box's push leaves pattern and player where they are, and wastes at least 0; if the
//!   pattern names empty cells, a push into one of them must be covered too;
//! * if the pattern's boxes are all on goals, they waste at least v by ending there, unless an
//!   empty goal shows that this is not the end.
//!
//! Pushes of other boxes need no look: that is why patterns are few.

mod ground;
mod judge;
mod leaves;
mod outside;
mod spell;
mod walls;
mod weights;
mod zone;

#[cfg(test)]
mod tests;

use super::board::{Sokoban, State};
use crate::grid::Direction;
use crate::moves::Moves;
use crate::patterns::{
    Cover, Pattern, PatternCoord, PatternError, PatternExpansion, PatternId, PatternList,
    PatternReason, PatternRules, PatternStats, Value,
};
use crate::picture::Style;
use ground::{Ground, Set, Spot};
use judge::{Counted, Entry, Judge, Target};
use std::collections::HashMap;
use std::fmt;
use walls::Walls;
use weights::{INFINITE_COST, Push, Weights, refuse};

fn amount(value: Value) -> u64 {
    value.map_or(INFINITE_COST, u64::from)
}

impl PatternRules for Sokoban {
    fn judge_patterns(
        &self,
        list: &PatternList,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<PatternStats, PatternError> {
        let ground = Ground::new(self);
        let weights = Weights::new(&ground, list)?;
        let mut judge = Judge {
            ground,
            weights,
            entries: Vec::new(),
            zones: Vec::new(),
            walls: Walls::default(),
            judged: PatternStats { patterns: list.patterns.len(), ..PatternStats::default() },
        };
        judge.prepare(list)?;
        for number in 0..judge.entries.len() {
            if !go_on() {
                return Err(PatternError::Stopped);
            }
            judge.entry(number).map_err(|error| match error {
                PatternError::Refused(reason) => {
                    PatternError::Refused(format!("pattern {number}: {reason}"))
                }
                stopped => stopped,
            })?;
        }
        judge.zones(go_on)?;
        judge.claim(list)?;
        Ok(judge.judged)
    }

    fn spell_out(&self, list: &PatternList) -> Result<PatternExpansion, PatternError> {
        spell::spell_out(&Ground::new(self), list)
    }

    fn draw_pattern(&self, pattern: &Pattern, style: Style) -> Option<String> {
        let cell =
            |place: PatternCoord| self.grid().cell(usize::from(place.0), usize::from(place.1));
        let mut boxes = pattern.pieces.iter().map(|&at| cell(at)).collect::<Option<Vec<_>>>()?;
        boxes.sort_unstable();
        self.draw(&State { boxes, player: cell(pattern.player)? }, style)
    }
}

impl<'a> Judge<'a> {
    fn spot(&self, place: PatternCoord) -> Result<Spot, PatternError> {
        let named =
            || PatternError::because(format!("{},{} is no cell to stand on", place.0, place.1));
        self.ground.spot(place).ok_or_else(named)
    }

    fn spots(&self, places: &[PatternCoord]) -> Result<Vec<Spot>, PatternError> {
        let spots: Vec<Spot> =
            places.iter().map(|&place| self.spot(place)).collect::<Result<_, _>>()?;
        if Set::of(&spots).len() < spots.len() {
            return refuse("a cell is named twice");
        }
        Ok(spots)
    }

    /// Puts the list into numbers.
    fn prepare(&mut self, list: &'a PatternList) -> Result<(), PatternError> {
        for zone in &list.zones {
            self.zones.push(Set::of(&self.spots(zone)?));
        }
        for (number, pattern) in list.patterns.iter().enumerate() {
            let boxes = self.spots(&pattern.pieces)?;
            let empty = Set::of(&self.spots(&pattern.empty)?);
            let player = self.spot(pattern.player)?;
            if boxes.contains(&player) || boxes.iter().any(|&at| empty.has(at)) {
                return refuse(format!("pattern {number}: two things on one cell"));
            }
            if boxes.len() > self.ground.boxes.len() {
                return refuse(format!("pattern {number}: more boxes than the level has"));
            }
            let part = self.ground.reach(&Set::of(&boxes), player);
            let (value, why) = (amount(pattern.value), &pattern.why);
            self.entries.push(Entry { boxes, empty, player, part, value, why });
        }
        Ok(())
    }

    /// Judges one pattern.
    fn entry(&mut self, number: usize) -> Result<(), PatternError> {
        match self.entries[number].why {
            PatternReason::Dead(covers) => self.dead(number, covers, false),
            PatternReason::Total(covers) => self.dead(number, covers, true),
            PatternReason::Matching(still, covers) => self.matching(number, still, covers),
            PatternReason::Unserved(still, goals, covers) => {
                self.unserved(number, still, goals, covers)
            }
            PatternReason::Outside(zone, covers) => self.outside(number, *zone, covers),
            // All of one zone are judged together.
            PatternReason::Zone(zone) => self.zone(*zone).map(|_| ()),
        }
    }

    /// A pattern shown by its pushes.
    fn dead(&mut self, number: usize, covers: &[Cover], total: bool) -> Result<(), PatternError> {
        let Entry { boxes, empty, part, value, .. } = &self.entries[number];
        let value = *value;
        if !total && !empty.is_empty() {
            return refuse("its own boxes do not need empty cells");
        }
        let is_whole = boxes.len() == self.ground.boxes.len();
        // With all boxes named, every other cell is empty.
        let known = if is_whole { self.ground.all().minus(&Set::of(boxes)) } else { empty.clone() };
        let covers = self.covers_by_push(covers)?;
        let counted = if total || is_whole { Counted::All } else { Counted::Own };
        let mut looked = self.own_pushes(boxes, part, value, &known, counted, &covers)?;
        if !is_whole {
            looked += self.pushes_into(boxes, empty, part, value, &covers)?;
        }
        if boxes.iter().all(|&at| self.ground.is_goal(at)) && self.may_be_over(empty, is_whole) {
            let mut waste: u64 = boxes.iter().map(|&at| self.ends(at, part)).sum();
            if is_whole {
                let open = self.ground.goals.iter().filter(|goal| !boxes.contains(goal));
                waste += open.map(|&goal| self.weights.unused(goal)).sum::<u64>();
            }
            if waste < value {
                return refuse(format!("a solved state wastes {waste} only"));
            }
        }
        self.judged.pushes += looked;
        Ok(())
    }

    /// What a box of a pattern wastes by ending on its goal.
    fn ends(&self, goal: Spot, part: &Set) -> u64 {
        let player = part.first().unwrap_or(goal);
        self.weights.end(goal, self.ground.side(goal, player))
    }

    /// Whether a state without boxes on some cells can be solved: enough goals are left.
    fn may_be_over(&self, empty: &Set, is_whole: bool) -> bool {
        let open = self.ground.goals.iter().filter(|&&goal| !empty.has(goal)).count();
        is_whole || open >= self.ground.boxes.len()
    }

    fn covers_by_push(
        &self,
        covers: &'a [Cover],
    ) -> Result<HashMap<(Spot, Direction), &'a [PatternId]>, PatternError> {
        let named =
            |cover: &'a Cover| Ok(((self.spot(cover.from)?, cover.direction), cover.by.as_slice()));
        covers.iter().map(named).collect()
    }

    /// Every push of the boxes themselves, as if there were no others; how many.
    fn own_pushes(
        &self,
        boxes: &[Spot],
        part: &Set,
        value: u64,
        known: &Set,
        counted: Counted,
        covers: &HashMap<(Spot, Direction), &[PatternId]>,
    ) -> Result<usize, PatternError> {
        let mut looked = 0;
        for &from in boxes {
            for push in self.ground.pushes(from) {
                if !part.has(push.behind) || boxes.contains(&push.to) {
                    continue;
                }
                let Push::Wastes(waste) = self.weights.push(&self.ground, &push) else { continue };
                let waste = if self.is_counted(counted, push.to) { waste } else { 0 };
                if waste >= value {
                    continue;
                }
                looked += 1;
                let after: Vec<Spot> =
                    boxes.iter().map(|&at| if at == from { push.to } else { at }).collect();
                let mut empty = known.clone();
                empty.insert(from);
                empty.remove(push.to);
                let target = Target { boxes: &after, empty: &empty, player: from };
                let by = covers.get(&(from, push.direction)).copied();
                self.covers(&target, by, counted, rest(value, waste))
                    .map_err(|reason| self.uncovered(from, push.direction, &reason))?;
            }
        }
        Ok(looked)
    }

    /// Whether pushes to a cell from outside a zone are counted.
    fn is_counted(&self, counted: Counted, to: Spot) -> bool {
        !matches!(counted, Counted::Outside(zone) if self.zones[zone as usize].has(to))
    }

    /// Every push of another box into an empty cell; how many.
    fn pushes_into(
        &self,
        boxes: &[Spot],
        empty: &Set,
        part: &Set,
        value: u64,
        covers: &HashMap<(Spot, Direction), &[PatternId]>,
    ) -> Result<usize, PatternError> {
        let mut looked = 0;
        for to in empty.iter() {
            for push in self.ground.pushes_to(to) {
                let from = push.from;
                if boxes.contains(&from) || empty.has(from) || !part.has(push.behind) {
                    continue;
                }
                let Push::Wastes(waste) = self.weights.push(&self.ground, &push) else { continue };
                if waste >= value {
                    continue;
                }
                looked += 1;
                let after: Vec<Spot> = boxes.iter().copied().chain([to]).collect();
                let mut left = empty.clone();
                left.insert(from);
                left.remove(to);
                let target = Target { boxes: &after, empty: &left, player: from };
                let by = covers.get(&(from, push.direction)).copied();
                self.covers(&target, by, Counted::All, rest(value, waste))
                    .map_err(|reason| self.uncovered(from, push.direction, &reason))?;
            }
        }
        Ok(looked)
    }

    fn uncovered(&self, from: Spot, direction: Direction, reason: &CoverError) -> PatternError {
        let (row, column) = self.ground.place(from);
        PatternError::because(format!("the push of {row},{column} {direction}: {reason}"))
    }

    /// Whether patterns cover a position: their boxes are there, the player is in their parts, and
    /// what they promise reaches `need`. Patterns without a common box add up; one that speaks of
    /// all boxes must be alone, its empty cells must be known to be empty, and it may be used only
    /// where the waste of all boxes is asked for. The contents of a zone may have patterns beside
    /// them that count what is wasted outside it. Where only that is asked for nothing else counts.
    fn covers(
        &self,
        target: &Target<'_>,
        by: Option<&[PatternId]>,
        counted: Counted,
        need: u64,
    ) -> Result<(), CoverError> {
        let by = by.ok_or(CoverError::None)?;
        let mut used = Set::default();
        let mut sum = 0;
        for &id in by {
            let entry = self.entries.get(id as usize).ok_or(CoverError::Missing(id))?;
            if !entry.part.has(target.player) {
                return Err(CoverError::Player(id));
            }
            match counted {
                Counted::Outside(zone) if entry.outside() != Some(zone) => {
                    return Err(CoverError::Outside(id));
                }
                Counted::Own if entry.is_total() => return Err(CoverError::Total(id)),
                Counted::All if entry.is_total() && !self.stands(entry, by) => {
                    return Err(CoverError::Total(id));
                }
                _ => {}
            }
            if !self.empties(entry).all(|cell| target.empty.has(cell)) {
                return Err(CoverError::Empty(id));
            }
            for &at in &entry.boxes {
                if !target.boxes.contains(&at) || used.has(at) {
                    return Err(CoverError::Box(id));
                }
                used.insert(at);
            }
            // A pattern of all boxes may count what all of them waste.
            let is_whole = entry.boxes.len() == self.ground.boxes.len();
            if is_whole && entry.outside().is_none() && by.len() > 1 {
                return Err(CoverError::AllBoxes(id));
            }
            sum += entry.value;
        }
        if sum < need { Err(CoverError::Waste { sum, need }) } else { Ok(()) }
    }

    /// Whether a pattern of all boxes is alone, or is the only one of a zone among patterns that
    /// count what is wasted outside it.
    fn stands(&self, entry: &Entry<'_>, by: &[PatternId]) -> bool {
        let PatternReason::Zone(zone) = entry.why else { return by.len() == 1 };
        let outside = |id: PatternId| self.entries.get(id as usize)?.outside();
        by.iter().filter(|&&id| outside(id) != Some(*zone)).count() == 1
    }

    /// The cells that must be empty for a pattern to apply.
    fn empties<'e>(&'e self, entry: &'e Entry<'_>) -> Box<dyn Iterator<Item = Spot> + 'e> {
        match entry.why {
            PatternReason::Zone(zone) => {
                let inside = self.zones.get(*zone as usize).into_iter().flat_map(Set::iter);
                Box::new(inside.filter(|cell| !entry.boxes.contains(cell)))
            }
            _ => Box::new(entry.empty.iter()),
        }
    }

    /// The claim: what covers the start excludes all plans of that length.
    fn claim(&self, list: &PatternList) -> Result<(), PatternError> {
        let ground = &self.ground;
        let Some(lower) = self.weights.start(ground) else { return Ok(()) };
        let empty = ground.all().minus(&Set::of(&ground.boxes));
        let target = Target { boxes: &ground.boxes, empty: &empty, player: ground.player };
        let waste: u64 = list
            .root
            .iter()
            .filter_map(|&id| self.entries.get(id as usize))
            .map(|entry| entry.value)
            .sum();
        self.covers(&target, Some(&list.root), Counted::All, waste)
            .map_err(|reason| PatternError::because(format!("the start: {reason}")))?;
        if waste >= INFINITE_COST {
            return Ok(());
        }
        let Some(claim) = list.claim else {
            return refuse("the start is not shown to be lost");
        };
        let shown = lower + i64::from(self.weights.unit()) * waste as i64;
        if shown <= i64::from(claim) {
            return refuse(format!("plans of {shown} pushes are not excluded"));
        }
        Ok(())
    }
}

/// Why patterns do not cover a position.
#[derive(Debug)]
enum CoverError {
    /// None is named.
    None,
    /// The list has no pattern of this number.
    Missing(PatternId),
    /// The player is not in the part that the pattern names.
    Player(PatternId),
    /// The pattern counts the waste of all boxes, and others are added to it.
    Total(PatternId),
    /// The pattern counts more than what is wasted outside the zone in question.
    Outside(PatternId),
    /// A cell that the pattern needs empty may be taken.
    Empty(PatternId),
    /// A box of the pattern is not there, or another pattern has it.
    Box(PatternId),
    /// The pattern names all boxes, so it may count the waste of all, and others are added to it.
    AllBoxes(PatternId),
    /// The values add up to too little.
    Waste { sum: u64, need: u64 },
}

impl fmt::Display for CoverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("no pattern covers it"),
            Self::Missing(id) => write!(f, "no pattern {id}"),
            Self::Player(id) => write!(f, "the player is not where pattern {id} has him"),
            Self::Total(id) => write!(f, "pattern {id} speaks of all boxes and cannot be added"),
            Self::Outside(id) => write!(f, "pattern {id} counts pushes of the zone, too"),
            Self::Empty(id) => write!(f, "pattern {id} needs empty cells that may be taken"),
            Self::Box(id) => write!(f, "pattern {id} needs a box that is not there for it"),
            Self::AllBoxes(id) => write!(f, "pattern {id} names all boxes and cannot be added"),
            Self::Waste { sum, need } => write!(f, "the patterns waste {sum}, not {need}"),
        }
    }
}

/// What is left to be covered after a waste.
fn rest(value: u64, waste: u64) -> u64 {
    if value >= INFINITE_COST { INFINITE_COST } else { value - waste }
}
