//! What the clauses of all phases share: the rules by name, literals, electrons.

use super::graph::Floor;
use super::vars::Var;
use crate::cnf::{Cnf, Lit, Rule, Step};
use crate::logic::sum;
use itertools::Itertools;
use petgraph::graph::{EdgeIndex, NodeIndex};
use unstuck_puzzles::Direction;
use unstuck_puzzles::sokobond::Element;

/// Where everything is at the beginning.
pub const START: Rule = Rule::defining("start");
/// One direction a step, or none at all.
pub const CHOICE: Rule = Rule::defining("choice");
/// An atom out of the player's reach has a free electron.
pub const STRANDED: Rule = Rule::defining("stranded");
/// Which atoms move: the closure of the player under bonds and pushes.
pub const MOTION: Rule = Rule::defining("motion");
/// Whether the bond between two atoms carries the motion.
pub const HOLD: Rule = Rule::defining("hold");
/// No atom enters a wall.
pub const WALL: Rule = Rule::defining("wall");
/// Nothing moves in two directions; no two atoms enter one cell or change places.
pub const CLASH: Rule = Rule::defining("clash");
/// Where the player is after the step.
pub const PLAYER: Rule = Rule::defining("player");
/// What a cell holds when an atom has come in: that atom and no other.
pub const ARRIVAL: Rule = Rule::defining("arrival");
/// What a cell holds when nothing has come in.
pub const FRAME: Rule = Rule::defining("frame");
/// Where bonds are carried, and what `/` leaves of them.
pub const CARRY: Rule = Rule::defining("carry");
/// What `+` adds.
pub const STRENGTHEN: Rule = Rule::defining("strengthen");
/// Which bonds form.
pub const BONDING: Rule = Rule::defining("bonding");
/// In what order they form.
pub const ORDER: Rule = Rule::defining("order");
/// How many electrons the bonds of a cell use.
pub const ELECTRONS: Rule = Rule::defining("electrons");
/// No atom uses more electrons than it has.
pub const VALENCE: Rule = Rule::defining("valence");
/// Bonds join atoms; a higher multiplicity includes the lower.
pub const BOND_ENDS: Rule = Rule::strengthening("bond-ends");
/// No bond forms with which the degrees of the others can no longer be met (see
/// [`super::degrees`]).
pub const DEAD_BOND: Rule = Rule::strengthening("dead-bond");
/// A solved position is idle, and no other.
pub const IDLE: Rule = Rule::strengthening("idle");

/// The electrons that the bonds around a cell use.
pub enum Electrons {
    /// One for each of these bonds: few enough to speak of each combination.
    Bonds(Vec<Lit>),
    /// A unary number.
    Sum(Vec<Lit>),
}

/// The clauses of one step, or of its first layer.
pub struct StepBuilder<'a> {
    /// The level.
    pub floor: &'a Floor,
    /// The step: from layer t to layer t + 1.
    pub t: Step,
    /// Where the clauses go.
    pub cnf: &'a mut Cnf<Var>,
}

impl StepBuilder<'_> {
    /// A variable of the layer before the step.
    pub fn now(&mut self, variable: Var) -> Lit {
        self.cnf.lit(self.t, variable)
    }

    /// A variable of the layer after the step.
    pub fn then(&mut self, variable: Var) -> Lit {
        self.cnf.lit(self.t + 1, variable)
    }

    /// If all premises hold, one of the conclusions does.
    pub fn implies(&mut self, rule: Rule, premises: &[Lit], conclusions: &[Lit]) {
        crate::logic::implies(self.cnf, rule, premises, conclusions);
    }

    /// The move in a direction.
    pub fn go(&mut self, direction: Direction) -> Lit {
        self.now(Var::Go(direction))
    }

    /// An atom of an element before the step.
    pub fn atom(&mut self, node: NodeIndex, element: Element) -> Lit {
        self.now(Var::Atom(self.floor.place(node), element))
    }

    /// Whether a cell is occupied before the step.
    pub fn occupied(&mut self, node: NodeIndex) -> Lit {
        self.now(Var::Occupied(self.floor.place(node)))
    }

    /// The bond before the step, if that multiplicity is possible at all.
    pub fn bond(&mut self, edge: EdgeIndex, level: u8) -> Option<Lit> {
        let link = self.floor.joint(edge).link;
        (level <= self.floor.levels).then(|| self.now(Var::Bond(link, level)))
    }

    /// Whether an atom moves at all.
    pub fn moves(&mut self, node: NodeIndex) -> Lit {
        let rounds = self.floor.rounds();
        self.now(Var::Moving(rounds, self.floor.place(node)))
    }

    /// Whether the atom of a cell moves in a direction; `None` when there is no cell.
    pub fn leaves(&mut self, node: NodeIndex, direction: Direction) -> Option<Lit> {
        self.floor.next(node, direction)?;
        Some(self.now(Var::Leaves(self.floor.place(node), direction)))
    }

    /// A bond that has arrived or stayed, before new bonds form. Only single bonds form, so that
    /// the higher levels are final.
    pub fn carried(&mut self, edge: EdgeIndex, level: u8) -> Lit {
        let link = self.floor.joint(edge).link;
        self.then(if level == 1 { Var::Carried(link) } else { Var::Bond(link, level) })
    }

    /// A bond that has arrived or stayed, before `+` acts.
    pub fn weakened(&mut self, edge: EdgeIndex, level: u8) -> Lit {
        if self.floor.is_strengthened(edge) {
            let link = self.floor.joint(edge).link;
            self.then(Var::Weakened(link, level))
        } else {
            self.carried(edge, level)
        }
    }

    /// The electrons that the bonds around a cell use in the layer after the step.
    pub fn electrons(
        &mut self,
        node: NodeIndex,
        bond: impl Fn(&mut Self, EdgeIndex, u8) -> Lit,
    ) -> Electrons {
        let floor = self.floor;
        let bonds: Vec<Vec<Lit>> = floor
            .around(node)
            .map(|(_, _, edge)| (1..=floor.levels).map(|level| bond(self, edge, level)).collect())
            .collect();
        if floor.levels == 1 {
            return Electrons::Bonds(bonds.concat());
        }
        let most = floor.elements.iter().map(|element| usize::from(element.valence())).max();
        let cap = most.unwrap_or(0) + 1;
        Electrons::Sum(sum(self.cnf, ELECTRONS, self.t + 1, &bonds, cap))
    }

    /// If the premise holds and more than `most` electrons are used, the conclusion follows.
    pub fn if_more(
        &mut self,
        rule: Rule,
        premise: Lit,
        used: &Electrons,
        most: usize,
        conclusion: Option<Lit>,
    ) {
        let conclusion = conclusion.as_slice();
        match used {
            Electrons::Bonds(bonds) => {
                for some in bonds.iter().copied().combinations(most + 1) {
                    self.implies(rule, &[&some[..], &[premise]].concat(), conclusion);
                }
            }
            Electrons::Sum(sums) => {
                if let Some(&more) = sums.get(most) {
                    self.implies(rule, &[premise, more], conclusion);
                }
            }
        }
    }

    /// If the premise holds and at most `most` electrons are used, the conclusion follows.
    fn unless_more(
        &mut self,
        rule: Rule,
        premise: Lit,
        used: &Electrons,
        most: usize,
        conclusion: Lit,
    ) {
        match used {
            Electrons::Bonds(bonds) => {
                // Of so many bonds one is there, or all but `most` are missing.
                let missing = bonds.len().saturating_sub(most);
                for some in bonds.iter().copied().combinations(missing) {
                    self.implies(rule, &[premise], &[&some[..], &[conclusion]].concat());
                }
            }
            Electrons::Sum(sums) => {
                let more = sums.get(most).copied();
                let conclusions: Vec<Lit> = more.into_iter().chain([conclusion]).collect();
                self.implies(rule, &[premise], &conclusions);
            }
        }
    }

    /// `target` holds exactly when the atom of a cell, if any, has at least so many free electrons
    /// in the layer after the step, given those in use.
    pub fn define_spare(
        &mut self,
        rule: Rule,
        node: NodeIndex,
        used: &Electrons,
        at_least: u8,
        target: Lit,
    ) {
        let at = self.floor.place(node);
        let occupied = self.then(Var::Occupied(at));
        self.implies(rule, &[target], &[occupied]);
        for &element in &self.floor.elements {
            let atom = self.then(Var::Atom(at, element));
            match element.valence().checked_sub(at_least) {
                None => self.implies(rule, &[atom], &[!target]),
                Some(most) => {
                    self.if_more(rule, atom, used, most.into(), Some(!target));
                    self.unless_more(rule, atom, used, most.into(), target);
                }
            }
        }
    }
}
