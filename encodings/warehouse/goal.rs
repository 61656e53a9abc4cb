//! What is asked, in berths and cells; a score as a sum of weights in binary.
//!
//! The sum is a tree of full adders over the bits of the weights (Warners, "A linear-time
//! transformation of linear inequalities into conjunctive normal form", 1998; Eén and Sörensson,
//! "Translating Pseudo-Boolean Constraints into SAT", 2006). Given all boxes, unit propagation
//! computes every bit; the size is linear in the number of berths.

use super::graph::{BerthId, Floor};
use super::vars::Var;
use crate::cnf::{Cnf, Lit, Rule, Step};
use crate::floor::Spot;
use crate::logic::{define_and, define_or};
use std::collections::VecDeque;
use unstuck_puzzles::warehouse::{Goal, Relation, ScoreGoal, State, Warehouse};

/// The binary sum of the boxes' worths, and its comparison with the number asked for.
pub(super) const SCORE: Rule = Rule::defining("score");
/// A goal that no position meets.
pub(super) const NO_GOAL: Rule = Rule::defining("no-goal");

/// The goal of a warehouse in the terms of its floor.
#[derive(Clone, Debug, Default)]
pub(super) struct GoalSpec {
    /// Berths in which a box must stand.
    pub(super) full: Vec<BerthId>,
    /// For each berth whether a box there is against the goal.
    pub(super) barred: Vec<bool>,
    /// Where the robot must end.
    pub(super) robot: Option<Spot>,
    /// What the score must be.
    pub(super) score: Option<ScoreGoal>,
    /// What a box in each berth adds to the score.
    pub(super) worth: Vec<u64>,
    /// Why no position can meet the goal, if that is plain from the start.
    pub(super) impossible: Option<String>,
}

impl GoalSpec {
    pub(super) fn new(warehouse: &Warehouse, floor: &Floor, start: &State) -> Self {
        let layout = warehouse.layout();
        let worth = floor.berths.iter().map(|standing| layout.worth(standing.wide.left)).collect();
        let mut asked = Self { worth, barred: vec![false; floor.berths.len()], ..Self::default() };
        if let Goal::Score(score) = warehouse.goal() {
            asked.score = Some(*score);
        }
        if let Some(arrangement) = warehouse.goal().arrangement() {
            for &wide in &arrangement.boxes {
                match floor.berth(wide) {
                    Some(berth) => asked.full.push(berth),
                    None => {
                        let width = wide.width;
                        asked.impossible =
                            Some(format!("no box of the map has the width {width} that is asked"));
                    }
                }
            }
            let clear = arrangement.clear.iter().filter_map(|&spot| floor.spot(spot));
            for &berth in clear.flat_map(|spot| &floor.over[spot]) {
                asked.barred[berth] = true;
            }
            asked.robot = arrangement.robot.and_then(|spot| floor.spot(spot));
            if asked.full.len() == start.boxes.len() {
                // All boxes are asked for, so there is none elsewhere: boxes are kept, but resolution
                // would have to count them.
                asked.barred = (0..floor.berths.len()).map(|b| !asked.full.contains(&b)).collect();
            }
        }
        asked
    }

    /// Whether boxes that stand in these berths are as asked.
    pub(super) fn met_by(&self, boxes: &[BerthId]) -> bool {
        let score = || boxes.iter().map(|&berth| self.worth[berth]).sum();
        self.impossible.is_none()
            && self.full.iter().all(|berth| boxes.contains(berth))
            && !boxes.iter().any(|&berth| self.barred[berth])
            && self.score.is_none_or(|goal| goal.accepts(score()))
    }

    /// Literals that say that the boxes of layer t are as asked.
    pub(super) fn boxes(&self, floor: &Floor, t: Step, cnf: &mut Cnf<Var>) -> Vec<Lit> {
        if self.impossible.is_some() {
            return vec![never(NO_GOAL, t, cnf)];
        }
        let mut lits: Vec<Lit> =
            self.full.iter().map(|&berth| floor.boxed(t, berth, cnf)).collect();
        let barred = (0..floor.berths.len()).filter(|&berth| self.barred[berth]);
        lits.extend(barred.map(|berth| !floor.boxed(t, berth, cnf)));
        if let Some(score) = self.score {
            let worths = self.worth.iter().enumerate();
            let terms: Vec<(u64, Lit)> =
                worths.map(|(berth, &worth)| (worth, floor.boxed(t, berth, cnf))).collect();
            lits.extend(compare(&sum(&terms, t, cnf), score, t, cnf));
        }
        lits
    }
}

/// A literal that is always false.
fn never(rule: Rule, t: Step, cnf: &mut Cnf<Var>) -> Lit {
    let never = cnf.aux(rule, t);
    cnf.add(rule, [!never]);
    never
}

/// The bits of a weighted sum, lowest first.
fn sum(terms: &[(u64, Lit)], t: Step, cnf: &mut Cnf<Var>) -> Vec<Lit> {
    let mut columns: Vec<VecDeque<Lit>> = Vec::new();
    for &(weight, lit) in terms {
        for bit in (0..u64::BITS as usize).filter(|bit| weight >> bit & 1 == 1) {
            columns.resize_with(columns.len().max(bit + 1), VecDeque::new);
            columns[bit].push_back(lit);
        }
    }
    let mut bits = Vec::new();
    while bits.len() < columns.len() {
        let at = bits.len();
        let mut column = std::mem::take(&mut columns[at]);
        while column.len() > 1 {
            let inputs: Vec<Lit> = column.drain(..column.len().min(3)).collect();
            let (low, carry) = add_bits(&inputs, t, cnf);
            column.push_back(low);
            columns.resize_with(columns.len().max(at + 2), VecDeque::new);
            columns[at + 1].push_back(carry);
        }
        bits.push(column.pop_front().unwrap_or_else(|| never(SCORE, t, cnf)));
    }
    bits
}

/// Half or full adder: the sum bit and the carry of two or three literals.
fn add_bits(inputs: &[Lit], t: Step, cnf: &mut Cnf<Var>) -> (Lit, Lit) {
    let (low, carry) = (cnf.aux(SCORE, t), cnf.aux(SCORE, t));
    let n = inputs.len();
    for set in 0..1u32 << n {
        let unless =
            inputs.iter().enumerate().map(|(i, &lit)| if set >> i & 1 == 1 { !lit } else { lit });
        let ones = set.count_ones();
        cnf.add(SCORE, unless.clone().chain([low.when(ones % 2 == 1)]));
        cnf.add(SCORE, unless.chain([carry.when(ones > 1)]));
    }
    (low, carry)
}

/// Literals that compare a binary number with the number asked for.
fn compare(bits: &[Lit], goal: ScoreGoal, t: Step, cnf: &mut Cnf<Var>) -> Vec<Lit> {
    let length = (u64::BITS - goal.value.leading_zeros()) as usize;
    if length > bits.len() {
        let too_much = goal.relation != Relation::AtMost;
        return too_much.then(|| never(SCORE, t, cnf)).into_iter().collect();
    }
    let wanted = (0..bits.len()).map(|bit| goal.value >> bit & 1 == 1);
    match goal.relation {
        Relation::Exactly => bits.iter().zip(wanted).map(|(&bit, one)| bit.when(one)).collect(),
        Relation::AtLeast => at_least(bits.iter().copied().zip(wanted), t, cnf),
        // S <= N exactly when the complement of S is at least that of N.
        Relation::AtMost => {
            at_least(bits.iter().map(|&bit| !bit).zip(wanted.map(|one| !one)), t, cnf)
        }
    }
}

/// The number with the given bits (lowest first) is at least the number wanted.
fn at_least(bits: impl Iterator<Item = (Lit, bool)>, t: Step, cnf: &mut Cnf<Var>) -> Vec<Lit> {
    // Whether the lower bits are enough; `None` is true.
    let mut enough: Option<Lit> = None;
    for (bit, one) in bits {
        enough = match (enough, one) {
            (None, true) => Some(bit),
            (None, false) => None,
            (Some(lower), one) => {
                let both = cnf.aux(SCORE, t);
                let define = if one { define_and } else { define_or };
                define(cnf, SCORE, both, &[bit, lower]);
                Some(both)
            }
        };
    }
    enough.into_iter().collect()
}
