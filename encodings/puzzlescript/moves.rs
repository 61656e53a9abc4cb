//! One input a step: the encoding of PuzzleScript, and the transition on which certificates rest.
//!
//! For each input a circuit says what becomes of each variable ([`Turns`]); the step takes the values of
//! the input that is chosen. So the clauses simulate the engine, and a state and an input give the next
//! state by unit propagation.

use super::PuzzleScriptSpace;
use super::circuit::gates::{Literals, Signal};
use super::circuit::{ASK, Turns};
use super::vars::{CellCoord, Var};
use crate::cnf::{Assignment, Cnf, Lit, Rule, Step};
use crate::cost::Cost;
use crate::encoding::{DecodeError, EncodeError, Encoding, EncodingExtras, StepCost, Transition};
use crate::logic::{at_most_one, exactly_one};
use crate::space::Space;
use crate::steps::{IDLE_LAST, not_shorter};
use std::sync::Arc;
use unstuck_puzzles::puzzlescript::{Input, Inputs, PuzzleScript, State};
use unstuck_puzzles::{Moves, Objective};

/// Where everything is at the start.
const START: Rule = Rule::defining("start");
/// One input in each step, or none when the step is idle; none after the level is won.
const INPUT: Rule = Rule::defining("input");
/// What the input of a step makes of each object in each cell.
const TURN: Rule = Rule::defining("turn");
/// A step that is not idle changes something.
const CHANGE: Rule = Rule::defining("change");
/// Whether the level is won.
const WON: Rule = Rule::defining("won");
/// One object of a layer in a cell, one cell for an object of which there is one: true in every layer
/// by induction.
const ONE_PLACE: Rule = Rule::strengthening("one-place");

/// A turn of a level as clauses.
#[derive(Clone, Debug)]
pub struct PuzzleScriptMoves {
    puzzle: Arc<PuzzleScript>,
    pub(super) turns: Arc<Turns>,
    lower_bound: Option<Step>,
}

/// The variables of a layer that describe a state.
struct Layer {
    objects: Vec<Lit>,
    won: Lit,
}

impl PuzzleScriptMoves {
    fn var(&self, number: usize) -> Var {
        let (object, cell) = self.turns.variables[number];
        let height = self.puzzle.map().height;
        Var::Object(object as u32, CellCoord::at((cell % height, cell / height)))
    }

    fn layer(&self, t: Step, cnf: &mut Cnf<Var>) -> Layer {
        let numbers = 0..self.turns.variables.len();
        let objects = numbers.map(|number| cnf.lit(t, self.var(number))).collect();
        Layer { objects, won: cnf.lit(t, Var::Won) }
    }

    fn go(&self, t: Step, cnf: &mut Cnf<Var>) -> Vec<Lit> {
        self.turns.inputs.iter().map(|turn| cnf.lit(t, Var::Go(turn.input))).collect()
    }

    /// What becomes of each variable.
    fn turn(&self, now: &Layer, next: &Layer, go: &[Lit], gates: &Literals, cnf: &mut Cnf<Var>) {
        for (number, (&before, &after)) in now.objects.iter().zip(&next.objects).enumerate() {
            let own = self.turns.own(number);
            // What no input that changes it is chosen for stays.
            let changing: Vec<(Lit, Signal)> = self
                .turns
                .inputs
                .iter()
                .zip(go)
                .map(|(turn, &go)| (go, turn.next[number]))
                .filter(|&(_, signal)| signal != own)
                .collect();
            let changed = || changing.iter().map(|&(go, _)| go);
            cnf.add(TURN, [!before, after].into_iter().chain(changed()));
            cnf.add(TURN, [before, !after].into_iter().chain(changed()));
            for (go, signal) in changing {
                gates.add(cnf, TURN, &[!go, !after], &[signal]);
                gates.add(cnf, TURN, &[!go, after], &[!signal]);
            }
        }
    }

    /// Whether the level is won after the step.
    fn win(
        &self,
        t: Step,
        (now, next): (&Layer, &Layer),
        (go, busy): (&[Lit], Lit),
        gates: &Literals,
        cnf: &mut Cnf<Var>,
    ) {
        let turns = &self.turns;
        let conditions =
            turns.goal.define([turns.conditions], t + 1, cnf, |number, _| next.objects[number]);
        conditions.add(cnf, WON, &[!busy, next.won], &[!turns.conditions]);
        for (turn, &go) in turns.inputs.iter().zip(go) {
            gates.add(cnf, WON, &[!go, next.won], &[!turn.won]);
            let mut open = vec![!go, !next.won];
            match conditions.get(turns.conditions) {
                Ok(literal) => open.push(literal),
                Err(true) => continue,
                Err(false) => {}
            }
            gates.add(cnf, WON, &open, &[turn.won]);
        }
        cnf.add(WON, [busy, !now.won, next.won]);
        cnf.add(WON, [busy, now.won, !next.won]);
        cnf.add(WON, [!now.won, !busy]);
    }

    /// A step that is not idle changes the state.
    fn change(&self, t: Step, now: &Layer, next: &Layer, busy: Lit, cnf: &mut Cnf<Var>) {
        let pairs = now.objects.iter().zip(&next.objects);
        let mut some = vec![!busy, next.won];
        for (&before, &after) in pairs {
            let differs = cnf.aux(CHANGE, t);
            for clause in [
                [!differs, before, after],
                [!differs, !before, !after],
                [differs, !before, after],
                [differs, before, !after],
            ] {
                cnf.add(CHANGE, clause);
            }
            some.push(differs);
        }
        cnf.add(CHANGE, some);
    }
}

impl Encoding for PuzzleScriptMoves {
    type Puzzle = PuzzleScript;
    type Var = Var;
    const NAME: &'static str = "puzzlescript-moves";
    const EXTRAS: EncodingExtras<Self> = EncodingExtras {
        name: |encoding, variable| match *variable {
            Var::Object(object, cell) => {
                format!("{}({cell})", encoding.puzzle.game().bits[object as usize])
            }
            Var::Go(_) | Var::Busy | Var::Won => variable.to_string(),
        },
        ..EncodingExtras::NONE
    };

    fn new(puzzle: &PuzzleScript, objective: Objective) -> Result<Self, EncodeError> {
        if objective.first() == Objective::Pushes {
            return Err(EncodeError("a step is a move, and changes are counted".to_owned()));
        }
        let turns = Turns::new(puzzle)?;
        // That of search.
        let space = PuzzleScriptSpace::<Box<[u64]>, 3>::new(puzzle, Objective::Moves);
        let lower_bound = space.map_or(Some(0), |mut space| {
            let start = space.start();
            space.bound(&start).map(Cost::primary)
        });
        Ok(Self { puzzle: Arc::new(puzzle.clone()), turns: Arc::new(turns), lower_bound })
    }

    fn lower_bound(&self) -> Option<Step> {
        self.lower_bound
    }

    fn start(&self, cnf: &mut Cnf<Var>) {
        for literal in self.literals(0, &self.puzzle.start(), cnf) {
            cnf.add(START, [literal]);
        }
    }

    fn step(&self, t: Step, cnf: &mut Cnf<Var>) {
        let (now, next) = (self.layer(t, cnf), self.layer(t + 1, cnf));
        let go = self.go(t, cnf);
        let [busy, later] = [t, t + 1].map(|t| cnf.lit(t, Var::Busy));
        exactly_one(cnf, INPUT, t, &go.iter().copied().chain([!busy]).collect::<Vec<_>>());
        cnf.add(IDLE_LAST, [busy, !later]);
        let turns = &self.turns.inputs;
        let signals =
            turns.iter().flat_map(|turn| turn.next.iter().copied().chain([turn.refused, turn.won]));
        let gates = self.turns.circuit.define(signals, t, cnf, |number, _| now.objects[number]);
        for (turn, &go) in turns.iter().zip(&go) {
            gates.add(cnf, ASK, &[!go], &[!turn.refused]);
        }
        self.turn(&now, &next, &go, &gates, cnf);
        self.win(t, (&now, &next), (&go, busy), &gates, cnf);
        self.change(t, &now, &next, busy, cnf);
        let keeps_one_place = cnf.keeps(ONE_PLACE);
        let exclusive = self.turns.exclusive.iter().filter(|_| keeps_one_place);
        for set in exclusive {
            let set: Vec<Lit> = set.iter().map(|&number| next.objects[number]).collect();
            at_most_one(cnf, ONE_PLACE, t + 1, &set);
        }
    }

    fn goal(&self, t: Step, cnf: &mut Cnf<Var>) -> Vec<Lit> {
        vec![cnf.lit(t, Var::Won)]
    }

    fn within(&self, least: Step, _: Step, cnf: &mut Cnf<Var>) {
        not_shorter(least, cnf, |t, cnf| [cnf.lit(t, Var::Busy)]);
    }

    fn decode(
        &self,
        horizon: Step,
        assignment: Assignment<'_, Var>,
    ) -> Result<Inputs, DecodeError> {
        let mut inputs = Vec::new();
        for t in 0..horizon {
            let all = self.turns.inputs.iter().map(|turn| turn.input);
            let mut chosen = all.filter(|&input| assignment.holds(t, Var::Go(input)));
            inputs.extend(chosen.next());
            if chosen.next().is_some() {
                return Err(DecodeError(format!("step {t} has two inputs")));
            }
        }
        Ok(Inputs(inputs))
    }

    fn projection(&self, assignment: Assignment<'_, Var>) -> Vec<Lit> {
        assignment.true_lits(|var| matches!(var, Var::Go(_)))
    }
}

impl Transition for PuzzleScriptMoves {
    fn literals(&self, t: Step, state: &State, cnf: &mut Cnf<Var>) -> Vec<Lit> {
        let words = self.puzzle.game().object_words;
        let layer = self.layer(t, cnf);
        let is_there = |&(object, cell): &(usize, usize)| {
            state.cells[cell * words + object / 64] >> (object % 64) & 1 == 1
        };
        let objects = layer.objects.iter().zip(&self.turns.variables);
        let objects = objects.map(|(literal, variable)| literal.when(is_there(variable)));
        objects.chain([layer.won.when(state.won)]).collect()
    }

    fn move_literals(&self, t: Step, _: &State, input: Input, cnf: &mut Cnf<Var>) -> Vec<Lit> {
        vec![cnf.lit(t, Var::Go(input))]
    }

    fn actions(&self, t: Step, cnf: &mut Cnf<Var>) -> Vec<Lit> {
        self.go(t, cnf)
    }

    fn paid(&self, _: Step, _: &mut Cnf<Var>) -> StepCost {
        StepCost::Always
    }
}
