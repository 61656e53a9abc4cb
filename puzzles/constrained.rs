//! A game with constraints is another game.
//!
//! "Is there a solution without my trick?" is a question about the same rules, with some moves
//! forbidden, won only when everything that is required has happened. [`ConstrainedPuzzle`] is that
//! game, made from any other.

use crate::constraints::{Constraints, Prohibition, Requirement};
use crate::error::{ParseError, Violation};
use crate::extras::{Extras, PuzzleExt};
use crate::game_extras::{Classes, GameExtras, RuleFile, StepWithRules};
use crate::level::Level;
use crate::moves::{MoveError, Moves, Successor};
use crate::objective::{Measures, Objective, Tally};
use crate::options::Options;
use crate::picture::{Picture, Style};
use crate::pieces::{Coord, Pieces};
use crate::play::Play;
use crate::puzzle::{Facts, Puzzle};
use std::collections::BTreeSet;

/// A game with constraints.
#[derive(Clone, Debug)]
pub struct ConstrainedPuzzle<P> {
    /// The game.
    pub puzzle: P,
    /// The constraints.
    pub constraints: Constraints,
}

/// A position, and what has happened so far of what is required.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConstrainedState<S> {
    /// The position of the game.
    pub position: S,
    /// A bit for each required thing.
    pub happened: u32,
}

impl<P: Moves> ConstrainedPuzzle<P> {
    /// A game with constraints.
    pub fn of(puzzle: &P, constraints: &Constraints) -> Self {
        Self { puzzle: puzzle.clone(), constraints: constraints.clone() }
    }

    /// The constraint that a position breaks, as the name of a rule.
    fn broken(&self, position: &P::State) -> Option<&'static str> {
        let pieces = self.puzzle.pieces(position);
        self.constraints.forbidden.iter().find_map(|forbidden| match forbidden {
            Prohibition::Cell(at) => {
                (pieces.player == *at || covers(&pieces, *at)).then_some("forbidden-cell")
            }
            Prohibition::Player(at) => (pieces.player == *at).then_some("forbidden-player"),
            Prohibition::Pushed(at) => covers(&pieces, *at).then_some("forbidden-pushed"),
            Prohibition::Piece(_)
            | Prohibition::Move(_)
            | Prohibition::Push(_)
            | Prohibition::Modifier(_)
            | Prohibition::Rule(_)
            | Prohibition::Colour(..)
            | Prohibition::Edge(..) => None,
        })
    }

    /// The constraint that a move breaks by itself, in which these rules act.
    fn forbids(
        &self,
        from: &P::State,
        mv: P::Move,
        acting: impl Fn(usize) -> bool,
    ) -> Option<&'static str> {
        self.constraints.forbidden.iter().find_map(|forbidden| match forbidden {
            // It has stood there since the start: no other piece has come to its place.
            Prohibition::Piece(at) => {
                let start = self.puzzle.pieces(&self.puzzle.start());
                let moved = || self.puzzle.moved(from, mv).iter().any(|piece| piece.contains(at));
                (covers(&start, *at) && moved()).then_some("forbidden-piece")
            }
            // The number of a teleporter may follow the key.
            Prohibition::Move(letter) => {
                let text = self.puzzle.begun_at(from).solution(&[mv]).to_string();
                text.to_lowercase().starts_with(letter).then_some("forbidden-move")
            }
            Prohibition::Modifier(at) => {
                let acts =
                    P::GAME.modifiers.is_some_and(|it| (it.acts)(&self.puzzle, from, mv, *at));
                acts.then_some("forbidden-modifier")
            }
            Prohibition::Push(action) => {
                let stepped = self.puzzle.step(from, mv).ok()?;
                let made =
                    stepped.tally.pushes > 0 && self.puzzle.action(from, &stepped.state) == *action;
                made.then_some("forbidden-push")
            }
            Prohibition::Rule(line) => acting(*line).then_some("forbidden-rule"),
            _ => None,
        })
    }

    /// What has happened in a position or before it; `acting` says of the line of a rule whether it
    /// has led to it.
    fn happened(&self, position: &P::State, acting: impl Fn(usize) -> bool, before: u32) -> u32 {
        let pieces = self.puzzle.pieces(position);
        self.constraints.required.iter().enumerate().fold(before, |happened, (bit, required)| {
            let now = match required {
                Requirement::Player(at) | Requirement::Cell(at) => pieces.player == *at,
                Requirement::Piece(at) => covers(&pieces, *at),
                Requirement::Bond(one, other) => {
                    let bonds = P::GAME.bonds;
                    bonds.is_some_and(|joined| joined(&self.puzzle, position, *one, *other))
                }
                Requirement::Rule(line) => acting(*line),
                Requirement::Colour(..) | Requirement::Edge(..) => false,
            };
            happened | u32::from(now) << bit
        })
    }

    /// Whether a move without a push leads from one position back to another (ways through a
    /// teleporter may not).
    fn leads_back(
        &self,
        from: &ConstrainedState<P::State>,
        to: &ConstrainedState<P::State>,
    ) -> bool {
        self.puzzle.moves(&from.position).into_iter().any(|mv| {
            let stepped = self.puzzle.step(&from.position, mv);
            stepped.is_ok_and(|it| it.tally.pushes == 0 && it.state == to.position)
        })
    }

    /// A move, and the lines of the rules that act in it.
    fn made(
        &self,
        state: &ConstrainedState<P::State>,
        mv: P::Move,
    ) -> Result<StepWithRules<Self>, MoveError> {
        let (Successor { state: position, tally }, lines) =
            self.puzzle.step_with_rules(&state.position, mv)?;
        // Nothing can be done in a game that begins with a constraint broken.
        let broken = self.broken(&position).or_else(|| self.broken(&state.position));
        let acting = |line: usize| lines.contains(&line);
        if let Some(rule) = broken.or_else(|| self.forbids(&state.position, mv, acting)) {
            return Err(rule.into());
        }
        let happened = self.happened(&position, acting, state.happened);
        Ok((Successor { state: ConstrainedState { position, happened }, tally }, lines))
    }

    /// Where a direction or a rule is forbidden, walks cannot be walked back, so that every position
    /// is a class of its own. Elsewhere a walk can be walked back, and what has happened on it only
    /// helps: the least position of the class is as good as any.
    fn class_of(
        &self,
        state: &ConstrainedState<P::State>,
        objective: Objective,
    ) -> Vec<ConstrainedState<P::State>> {
        let one_way = |it: &Prohibition| {
            matches!(it, Prohibition::Move(_) | Prohibition::Modifier(_) | Prohibition::Rule(_))
        };
        let mut class = BTreeSet::from([state.clone()]);
        if objective.first() != Objective::Moves && !self.constraints.forbidden.iter().any(one_way)
        {
            let mut open = vec![state.clone()];
            while let Some(from) = open.pop() {
                for mv in self.moves(&from) {
                    if let Ok(stepped) = self.step(&from, mv)
                        && stepped.tally.pushes == 0
                        && self.leads_back(&stepped.state, &from)
                        && class.insert(stepped.state.clone())
                    {
                        open.push(stepped.state);
                    }
                }
            }
        }
        // What has happened most comes first: it is at least as good as the others.
        let mut class: Vec<_> = class.into_iter().collect();
        class.sort_by(|a, b| b.happened.count_ones().cmp(&a.happened.count_ones()).then(a.cmp(b)));
        class
    }

    fn everything(&self) -> u32 {
        (0..self.constraints.required.len()).fold(0, |all, bit| all | 1 << bit)
    }
}

impl<P: Moves> Moves for ConstrainedPuzzle<P> {
    const GAME: GameExtras<Self> = GameExtras {
        classes: Classes {
            are_mutual: P::GAME.classes.are_mutual,
            class: Self::class_of,
            ..Classes::BY_MOVES
        },
        rules: match P::GAME.rules {
            Some(_) => Some(RuleFile {
                lines: |it| it.puzzle.rule_lines().unwrap_or_default(),
                starting: |it| it.puzzle.starting(),
                step: Self::made,
            }),
            None => None,
        },
        met_unknown_move: |it| it.puzzle.met_unknown_move(),
        ..GameExtras::NONE
    };

    type State = ConstrainedState<P::State>;
    type Move = P::Move;

    fn start(&self) -> Self::State {
        let position = self.puzzle.start();
        let happened = self.happened(&position, |_| false, 0);
        ConstrainedState { position, happened }
    }

    fn moves(&self, state: &Self::State) -> Vec<P::Move> {
        let moves = self.puzzle.moves(&state.position).into_iter();
        moves.filter(|&mv| self.step(state, mv).is_ok()).collect()
    }

    fn step(&self, state: &Self::State, mv: P::Move) -> Result<Successor<Self::State>, MoveError> {
        Ok(self.made(state, mv)?.0)
    }

    fn is_goal(&self, state: &Self::State) -> bool {
        state.happened == self.everything()
            && self.puzzle.is_goal(&state.position)
            && self.broken(&state.position).is_none()
    }

    fn solution(&self, plan: &[P::Move]) -> P::Solution {
        self.puzzle.solution(plan)
    }

    fn plan(&self, solution: &P::Solution) -> Vec<P::Move> {
        self.puzzle.plan(solution)
    }

    fn pieces(&self, state: &Self::State) -> Pieces {
        self.puzzle.pieces(&state.position)
    }

    /// What has happened before is forgotten.
    fn begun_at(&self, state: &Self::State) -> Self {
        Self {
            puzzle: self.puzzle.begun_at(&state.position),
            constraints: self.constraints.clone(),
        }
    }

    fn action(&self, before: &Self::State, after: &Self::State) -> String {
        self.puzzle.action(&before.position, &after.position)
    }

    fn draw(&self, state: &Self::State, style: Style) -> Option<String> {
        self.puzzle.draw(&state.position, style)
    }

    fn write_state(&self, state: &Self::State) -> String {
        format!("{}|{}", state.happened, self.puzzle.write_state(&state.position))
    }

    fn read_state(&self, text: &str) -> Option<Self::State> {
        let (happened, position) = text.split_once('|')?;
        let position = self.puzzle.read_state(position)?;
        let state = ConstrainedState { position, happened: happened.parse().ok()? };
        let possible = state.happened & !self.everything() == 0;
        (possible && state.happened.to_string() == happened).then_some(state)
    }
}

impl<P: Moves> Puzzle for ConstrainedPuzzle<P> {
    const NAME: &'static str = P::NAME;
    const OBJECTIVES: &'static [Objective] = P::OBJECTIVES;
    const MEASURES: Measures = P::MEASURES;
    const EXTRAS: Extras<Self> = Extras {
        frames: |it, solution, shots| it.puzzle.frames(solution, shots),
        solution_facts: |it, solution| it.puzzle.solution_facts(solution),
        ..Extras::NONE
    };

    type Solution = P::Solution;

    fn read(text: &str, options: &Options) -> Result<Vec<Level<Self>>, ParseError> {
        let constrained = |puzzle| Self { puzzle, constraints: Constraints::default() };
        Ok(P::read(text, options)?.into_iter().map(|level| level.map(constrained)).collect())
    }

    fn print(&self) -> String {
        self.puzzle.print()
    }

    fn sample(seed: u64) -> Self {
        Self { puzzle: P::sample(seed), constraints: Constraints::default() }
    }

    fn read_solution(&self, text: &str) -> Result<P::Solution, ParseError> {
        self.puzzle.read_solution(text)
    }

    fn check(&self, solution: &P::Solution) -> Result<Tally, Violation> {
        self.puzzle.check(solution)?;
        let mut state = self.start();
        let mut tally = Tally::default();
        for (index, &mv) in self.plan(solution).iter().enumerate() {
            let stepped = self.spend(&state, mv);
            let stepped = stepped
                .map_err(|it| Violation::at(index + 1, it.rule, "this move was forbidden"))?;
            state = stepped.state;
            tally = tally + stepped.tally;
        }
        if self.is_goal(&state) {
            Ok(tally)
        } else {
            Err(Violation::whole("required", "not everything that was required has happened"))
        }
    }

    fn picture(&self, solution: Option<&P::Solution>, style: Style) -> Option<Picture> {
        self.puzzle.picture(solution, style)
    }

    fn facts(&self) -> Facts {
        self.puzzle.facts()
    }
}

fn covers(pieces: &Pieces, at: Coord) -> bool {
    pieces.others.iter().any(|piece| piece.contains(&at))
}
