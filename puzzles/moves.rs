//! Games in which a player moves step by step.

use crate::error::Violation;
use crate::objective::{Objective, Tally};
use crate::picture::{Frame, FrameOptions, Style};
use crate::pieces::{Coord, Pieces};
use crate::puzzle::Puzzle;
use crate::scene::Figure;
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::hash::Hash;

/// A move that was made: what it leads to and what it costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Successor<S> {
    /// The state after the move.
    pub state: S,
    /// Its length: one move (`moves` is 1), and one push if it pushes.
    pub tally: Tally,
}

/// The rules of a game as a state machine, written to be read: the simplest correct version.
///
/// It judges solutions, drives exhaustive search in tests, and verifies closed-set certificates.
/// Each player move is one step; walking is free when pushes are counted, and costs a move when
/// moves are counted.
pub trait Moves: Puzzle {
    /// Whether there are bonds between cells.
    const BONDS: bool = false;

    /// Whether the family's format can write every position of a game as a level.
    const DRAWN: bool = false;

    /// Everything that the future depends on, and nothing else. Ordered so that a class of states
    /// has a least member.
    type State: Clone + Eq + Ord + Hash + Debug + Send + Sync;

    /// One move.
    type Move: Copy + Eq + Debug + Send + Sync;

    /// Where the game begins.
    fn start(&self) -> Self::State;

    /// The legal moves that change the state, in a fixed order.
    fn moves(&self, state: &Self::State) -> Vec<Self::Move>;

    /// Makes a move.
    ///
    /// # Errors
    /// The name of the rule that forbids it.
    fn step(
        &self,
        state: &Self::State,
        mv: Self::Move,
    ) -> Result<Successor<Self::State>, &'static str>;

    /// Whether this game, or a clone of it, has refused a move only because its result is not known.
    /// The rules may allow that move, so nothing that was concluded from refused moves is shown.
    fn met_unknown_move(&self) -> bool {
        false
    }

    /// Whether the game is won.
    fn is_goal(&self, state: &Self::State) -> bool;

    /// A plan as a solution.
    fn solution(&self, plan: &[Self::Move]) -> Self::Solution;

    /// The moves of a solution, in order.
    fn plan(&self, solution: &Self::Solution) -> Vec<Self::Move>;

    /// Where the player and the pieces that can be moved are: what a person can point at.
    fn pieces(&self, state: &Self::State) -> Pieces;

    /// What moves or changes, as it stands in a state, to be drawn in this order.
    fn figures(&self, state: &Self::State) -> Vec<Figure> {
        let Pieces { player, others } = self.pieces(state);
        let boxes = others.into_iter().map(|places| Figure { kind: "box", places, number: 0 });
        boxes.chain([Figure::at("player", player)]).collect()
    }

    /// The pieces that a move moves, each as it stands before it. Families in which one piece can
    /// come to where another stood override it: from the places alone that cannot be seen.
    fn moved(&self, state: &Self::State, mv: Self::Move) -> Vec<Vec<Coord>> {
        let Ok(stepped) = self.step(state, mv) else { return Vec::new() };
        let after = self.pieces(&stepped.state).others;
        self.pieces(state).others.into_iter().filter(|piece| !after.contains(piece)).collect()
    }

    /// The same game begun in a position of it.
    ///
    /// Its text need not say all of the position: where a family's format has no place for
    /// something (bonds, say), reading [`Puzzle::print`] gives another game.
    #[must_use]
    fn begun_at(&self, state: &Self::State) -> Self;

    /// The position in which another level begins, as one of this game; `None` when it is another
    /// level, with other ground or other pieces. Nothing says that the position can be reached.
    fn position_of(&self, _other: &Self) -> Option<Self::State> {
        None
    }

    /// What a move has changed beside the place of the player, for people: `box (2,3) to (2,4)`,
    /// rows and columns from 1. Moves that change the same pieces in the same way say the same,
    /// whatever else stands on the board; so pushes can be recognised in another order.
    fn action(&self, before: &Self::State, after: &Self::State) -> String;

    /// Whether [`Moves::action`] can say this of a push, where `@` stands for each row and column:
    /// `box @ to @`. A family that does not say takes any printable text.
    fn says(shape: &str) -> bool {
        shape.chars().all(|c| c.is_ascii_graphic() || c == ' ')
    }

    /// How long a move is that changes nothing because this rule blocks it, where such moves may
    /// stand in a solution; `None` where the rule makes a solution invalid.
    fn idle(&self, _rule: &str) -> Option<Tally> {
        None
    }

    /// Makes a move that stands in a solution: also one that changes nothing, where such moves may.
    ///
    /// # Errors
    /// The name of the rule that forbids it.
    fn spend(
        &self,
        state: &Self::State,
        mv: Self::Move,
    ) -> Result<Successor<Self::State>, &'static str> {
        self.step(state, mv).or_else(|rule| {
            let tally = self.idle(rule).ok_or(rule)?;
            Ok(Successor { state: state.clone(), tally })
        })
    }

    /// Whether a move would have another outcome without the modifier on the lower right corner of
    /// a cell. Never in families without modifiers.
    fn uses(&self, _state: &Self::State, _mv: Self::Move, _modifier: Coord) -> bool {
        false
    }

    /// Whether there is a modifier on the lower right corner of a cell; `None` in families without
    /// modifiers.
    fn has_modifier(&self, _corner: Coord) -> Option<bool> {
        None
    }

    /// Makes a move, and says by their lines which rules act in it: those that change something or ask
    /// for something, such as the end of the level, also where that is undone later in the move. So
    /// without a rule that does not act, the move leads to the same position. None acts in families
    /// whose rules are not written in a file.
    ///
    /// # Errors
    /// The name of the rule that forbids it.
    fn step_with_rules(
        &self,
        state: &Self::State,
        mv: Self::Move,
    ) -> Result<(Successor<Self::State>, BTreeSet<usize>), &'static str> {
        Ok((self.step(state, mv)?, BTreeSet::new()))
    }

    /// The lines of the rules that have acted before the first move.
    fn starting(&self) -> BTreeSet<usize> {
        BTreeSet::new()
    }

    /// The lines that have rules, from 1; `None` in families whose rules are not written in a file.
    fn rule_lines(&self) -> Option<BTreeSet<usize>> {
        None
    }

    /// Whether there is a bond between two cells. Never in families without bonds.
    fn joined(&self, _state: &Self::State, _one: Coord, _other: Coord) -> bool {
        false
    }

    /// Draws a state. Only [`Style::Plain`] must be known.
    fn draw(&self, state: &Self::State, style: Style) -> Option<String>;

    /// A state as one line of printable text without line breaks, for certificates.
    fn write_state(&self, state: &Self::State) -> String;

    /// Reads what [`Moves::write_state`] wrote; `None` for anything that is not a state of this
    /// puzzle. Never panics.
    fn read_state(&self, text: &str) -> Option<Self::State>;

    /// All states that can be reached from `state` by moves that cost nothing under `objective`,
    /// `state` included, in increasing order. Under `moves` that is the state alone; under
    /// `pushes` the player may walk.
    ///
    /// Free moves must be reversible, so that these classes do not overlap.
    fn class(&self, state: &Self::State, objective: Objective) -> Vec<Self::State> {
        let mut class = BTreeSet::from([state.clone()]);
        if objective.first() != Objective::Moves {
            let mut open = vec![state.clone()];
            while let Some(from) = open.pop() {
                for mv in self.moves(&from) {
                    if let Ok(stepped) = self.step(&from, mv)
                        && stepped.tally.pushes == 0
                        && class.insert(stepped.state.clone())
                    {
                        open.push(stepped.state);
                    }
                }
            }
        }
        class.into_iter().collect()
    }

    /// The least member of the class of a state: the key under which certificates list it.
    /// Families override it where [`Moves::class`] is slow. The check of a closed set rests on it
    /// and on [`Moves::class`].
    fn representative(&self, state: &Self::State, objective: Objective) -> Self::State {
        if objective.first() == Objective::Moves {
            return state.clone();
        }
        self.class(state, objective).swap_remove(0)
    }

    /// What one move leads to from any state of the class of `state`, apart from free moves inside
    /// the class. The same result may come several times.
    ///
    /// Families override it where a class has many states from which nothing but walks is possible;
    /// `closed::check` never calls it, so nothing rests on such shortcuts.
    fn departures(&self, state: &Self::State, objective: Objective) -> Vec<Successor<Self::State>> {
        let class = self.class(state, objective);
        let mut found = Vec::new();
        for from in &class {
            for mv in self.moves(from) {
                if let Ok(stepped) = self.step(from, mv)
                    && (objective.primary(stepped.tally) > 0
                        || class.binary_search(&stepped.state).is_err())
                {
                    found.push(stepped);
                }
            }
        }
        found
    }

    /// Whether a state of the class of `state` is solved.
    fn is_solved_class(&self, state: &Self::State, objective: Objective) -> bool {
        self.class(state, objective).iter().any(|state| self.is_goal(state))
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
                Err(rule) => {
                    let message = format!("{mv:?} is not possible here");
                    replay.stop = Some(Violation::at(index + 1, rule, message));
                    break;
                }
            }
        }
        replay
    }

    /// What the judge says of the first move of a solution that is not possible.
    fn refusal(&self, solution: &Self::Solution, at: usize, rule: &'static str) -> Violation {
        let judged = self.check(solution).err().filter(|violation| violation.at == Some(at));
        judged.unwrap_or_else(|| Violation::at(at, rule, "this move is not possible here"))
    }

    /// [`Puzzle::check`] for move games: every move legal, the goal reached at the end.
    ///
    /// # Errors
    /// The first illegal move, or `not-solved`.
    fn judge(&self, plan: &[Self::Move]) -> Result<Tally, Violation> {
        let mut state = self.start();
        let mut tally = Tally::default();
        for (index, &mv) in plan.iter().enumerate() {
            let stepped = self.step(&state, mv).map_err(|rule| {
                Violation::at(index + 1, rule, format!("{mv:?} is not possible here"))
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

    /// [`Puzzle::frames`] for move games.
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

/// [`Moves::says`] for what [`action_of`] makes: whether the things that are gone, and those that have
/// come, are named as these functions allow.
pub(crate) fn says_of(
    shape: &str,
    gone: impl Fn(&[&str]) -> bool,
    come: impl Fn(&[&str]) -> bool,
) -> bool {
    let fits =
        |list: &str, fits: &dyn Fn(&[&str]) -> bool| fits(&list.split(' ').collect::<Vec<_>>());
    if let Some(list) = shape.strip_suffix(" away") {
        fits(list, &gone)
    } else if let Some(list) = shape.strip_prefix("new ") {
        fits(list, &come)
    } else {
        let parts = shape.split_once(" to ");
        parts.is_some_and(|(first, second)| fits(first, &gone) && fits(second, &come))
    }
}

/// Whether a list names things as a kind and a place each: `box @ box @`.
pub(crate) fn are_placed(words: &[&str], is_kind: impl Fn(&str) -> bool) -> bool {
    let pairs = words.chunks(2);
    pairs.into_iter().all(|pair| matches!(pair, [kind, "@"] if is_kind(kind)))
}

/// [`Moves::action`] from the things that are gone after a move and those that have come.
pub(crate) fn action_of(
    gone: impl IntoIterator<Item = String>,
    come: impl IntoIterator<Item = String>,
) -> String {
    let listed = |things: &mut dyn Iterator<Item = String>| itertools::join(things, " ");
    let (gone, come) = (listed(&mut gone.into_iter()), listed(&mut come.into_iter()));
    match (gone.is_empty(), come.is_empty()) {
        (true, true) => "nothing".to_owned(),
        (false, true) => format!("{gone} away"),
        (true, false) => format!("new {come}"),
        (false, false) => format!("{gone} to {come}"),
    }
}
