//! What follows from the rules of every game: plans played, judged and filmed, classes of states.

use crate::error::Violation;
use crate::moves::{MoveError, Moves, Successor};
use crate::objective::{Objective, Tally};
use crate::picture::{Frame, FrameOptions};
use crate::pieces::Coord;
use crate::scene::Figure;
use std::collections::BTreeSet;

/// A plan played as far as it is legal.
#[derive(Clone, Debug)]
pub struct Replay<S> {
    /// The states, the start first: one more than the legal moves.
    pub states: Vec<S>,
    /// Length of the legal part.
    pub tally: Tally,
    /// The first illegal move, if any.
    pub stop: Option<Violation>,
}

/// What every game can do by its rules, and by what its family lists in [`Moves::GAME`].
pub trait Play: Moves {
    /// See [`Classes::class`](crate::game_extras::Classes::class).
    fn class(&self, state: &Self::State, objective: Objective) -> Vec<Self::State> {
        (Self::GAME.classes.class)(self, state, objective)
    }

    /// See [`Classes::representative`](crate::game_extras::Classes::representative).
    fn representative(&self, state: &Self::State, objective: Objective) -> Self::State {
        (Self::GAME.classes.representative)(self, state, objective)
    }

    /// See [`Classes::departures`](crate::game_extras::Classes::departures).
    fn departures(&self, state: &Self::State, objective: Objective) -> Vec<Successor<Self::State>> {
        (Self::GAME.classes.departures)(self, state, objective)
    }

    /// See [`Classes::is_solved`](crate::game_extras::Classes::is_solved).
    fn is_solved_class(&self, state: &Self::State, objective: Objective) -> bool {
        (Self::GAME.classes.is_solved)(self, state, objective)
    }

    /// See [`GameExtras::figures`](crate::GameExtras::figures).
    fn figures(&self, state: &Self::State) -> Vec<Figure> {
        (Self::GAME.figures)(self, state)
    }

    /// See [`GameExtras::moved`](crate::GameExtras::moved).
    fn moved(&self, state: &Self::State, mv: Self::Move) -> Vec<Vec<Coord>> {
        (Self::GAME.moved)(self, state, mv)
    }

    /// See [`GameExtras::met_unknown_move`](crate::GameExtras::met_unknown_move).
    fn met_unknown_move(&self) -> bool {
        (Self::GAME.met_unknown_move)(self)
    }

    /// Makes a move, and says by their lines which rules act in it; none in families whose rules are
    /// not written in a file.
    ///
    /// # Errors
    /// The rule that forbids it.
    fn step_with_rules(
        &self,
        state: &Self::State,
        mv: Self::Move,
    ) -> Result<(Successor<Self::State>, BTreeSet<usize>), MoveError> {
        match Self::GAME.rules {
            Some(rules) => (rules.step)(self, state, mv),
            None => Ok((self.step(state, mv)?, BTreeSet::new())),
        }
    }

    /// The lines of the rules that have acted before the first move.
    fn starting(&self) -> BTreeSet<usize> {
        Self::GAME.rules.map(|rules| (rules.starting)(self)).unwrap_or_default()
    }

    /// The lines that have rules, from 1; `None` in families whose rules are not written in a file.
    fn rule_lines(&self) -> Option<BTreeSet<usize>> {
        Self::GAME.rules.map(|rules| (rules.lines)(self))
    }

    /// Makes a move that stands in a solution: also one that changes nothing, where such moves may.
    ///
    /// # Errors
    /// The rule that forbids it.
    fn spend(
        &self,
        state: &Self::State,
        mv: Self::Move,
    ) -> Result<Successor<Self::State>, MoveError> {
        self.step(state, mv).or_else(|refused| {
            let tally = refused.idle.ok_or(refused)?;
            Ok(Successor { state: state.clone(), tally })
        })
    }

    /// Plays a plan from the start as far as it is legal.
    fn replay(&self, plan: &[Self::Move]) -> Replay<Self::State> {
        let mut replay = Replay { states: vec![self.start()], tally: Tally::default(), stop: None };
        for (index, &mv) in plan.iter().enumerate() {
            match self.step(&replay.states[index], mv) {
                Ok(stepped) => {
                    replay.tally = replay.tally + stepped.tally;
                    replay.states.push(stepped.state);
                }
                Err(MoveError { rule, .. }) => {
                    let message = format!("{mv:?} is not possible here");
                    replay.stop = Some(Violation::at(index + 1, rule, message));
                    break;
                }
            }
        }
        replay
    }

    /// What the judge says of the first move of a solution that is not possible.
    fn refusal(&self, solution: &Self::Solution, at: usize, refused: MoveError) -> Violation {
        let judged = self.check(solution).err().filter(|violation| violation.at == Some(at));
        judged.unwrap_or_else(|| Violation::at(at, refused.rule, "this move is not possible here"))
    }

    /// [`Puzzle::check`](crate::Puzzle::check) for move games: every move legal, the goal reached at the end.
    ///
    /// # Errors
    /// The first illegal move, or `not-solved`.
    fn judge(&self, plan: &[Self::Move]) -> Result<Tally, Violation> {
        let mut state = self.start();
        let mut tally = Tally::default();
        for (index, &mv) in plan.iter().enumerate() {
            let stepped = self.step(&state, mv).map_err(|refused| {
                Violation::at(index + 1, refused.rule, format!("{mv:?} is not possible here"))
            })?;
            state = stepped.state;
            tally = tally + stepped.tally;
        }
        if self.is_goal(&state) {
            Ok(tally)
        } else {
            Err(Violation::whole("not-solved", "the moves are legal, but the goal is not reached"))
        }
    }

    /// [`Extras::frames`](crate::Extras::frames) for move games.
    fn stages(&self, plan: &[Self::Move], shots: FrameOptions) -> Vec<Frame> {
        // Once to count them, once to draw those that are wanted.
        let mut ends = Vec::new();
        self.walk(plan, |index, _, tally| {
            if shots.every_move || tally.pushes > 0 || index + 1 == plan.len() {
                ends.push(index);
            }
        });
        let picked = shots.picks(ends.len());
        let drawn = (1..).zip(ends).filter(|&(number, _)| picked(number)).map(|(_, end)| end);
        let mut drawn = drawn.peekable();
        let draw = |state: &Self::State| self.draw(state, shots.style).unwrap_or_default();
        let board = draw(&self.start());
        let mut frames = vec![Frame { moves: 0, label: String::new(), board }];
        let mut since = 0;
        self.walk(plan, |index, state, _| {
            if drawn.next_if_eq(&index).is_some() {
                let label = self.solution(&plan[since..=index]).to_string();
                frames.push(Frame { moves: index as u32 + 1, label, board: draw(state) });
                since = index + 1;
            }
        });
        frames
    }

    /// Plays the moves of a solution as far as they are possible, and shows each one's number (from
    /// 0), the state after it and its length.
    fn walk(&self, plan: &[Self::Move], mut show: impl FnMut(usize, &Self::State, Tally)) {
        let mut state = self.start();
        for (index, &mv) in plan.iter().enumerate() {
            let Ok(stepped) = self.spend(&state, mv) else { break };
            state = stepped.state;
            show(index, &state, stepped.tally);
        }
    }
}

impl<P: Moves> Play for P {}
