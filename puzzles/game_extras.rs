//! What only some games have: each family lists its own in [`Moves::GAME`].

use crate::moves::{MoveError, Moves, Successor};
use crate::objective::Objective;
use crate::pieces::{Coord, Pieces};
use crate::scene::Figure;
use std::collections::BTreeSet;

/// What a game has that others need not have, as functions of its family; [`GameExtras::NONE`] has
/// nothing but what follows from the rules.
#[expect(clippy::type_complexity, reason = "each is said once, with what it means")]
pub struct GameExtras<P: Moves> {
    /// The classes of its states, where they can be found faster or are others than free moves make.
    pub classes: Classes<P>,
    /// What moves or changes, as it stands in a state, to be drawn in this order; boxes and the player
    /// where it is not said.
    pub figures: fn(&P, &P::State) -> Vec<Figure>,
    /// The pieces that a move moves, each as it stands before it. For families in which one piece can
    /// come to where another stood: from the places alone that cannot be seen.
    pub moved: fn(&P, &P::State, P::Move) -> Vec<Vec<Coord>>,
    /// The states that a move passes before it comes to its end, where the game shows them one after the
    /// other; not all of them where there are many.
    pub passed: fn(&P, &P::State, P::Move) -> Vec<P::State>,
    /// Whether [`Moves::action`] can say this of a push, where `@` stands for each row and column:
    /// `box @ to @`. A family that does not say takes any printable text.
    pub says: fn(&str) -> bool,
    /// The position in which another level begins, as one of this game, for families whose format can
    /// write every position as a level; `None` when it is another level, with other ground or other
    /// pieces. Nothing says that the position can be reached.
    pub drawn: Option<fn(&P, &P) -> Option<P::State>>,
    /// Whether there is a bond between two cells.
    pub bonds: Option<fn(&P, &P::State, Coord, Coord) -> bool>,
    /// Modifiers of what moves do, on the corners of cells.
    pub modifiers: Option<Modifiers<P>>,
    /// The rules, where they are written in a file.
    pub rules: Option<RuleFile<P>>,
    /// The game from its end, where all that leads to a position can be said.
    pub backwards: Option<Backwards<P>>,
    /// Whether this game, or a clone of it, has refused a move only because its result is not known.
    /// The rules may allow that move, so nothing that was concluded from refused moves is shown.
    pub met_unknown_move: fn(&P) -> bool,
}

impl<P: Moves> GameExtras<P> {
    /// What follows from the rules.
    pub const NONE: Self = Self {
        classes: Classes::BY_MOVES,
        figures: |puzzle, state| {
            let Pieces { player, others } = puzzle.pieces(state);
            let boxes = others.into_iter().map(|places| Figure { kind: "box", places, number: 0 });
            boxes.chain([Figure::at("player", player)]).collect()
        },
        moved: |puzzle, state, mv| {
            let Ok(stepped) = puzzle.step(state, mv) else { return Vec::new() };
            let after = puzzle.pieces(&stepped.state).others;
            puzzle.pieces(state).others.into_iter().filter(|piece| !after.contains(piece)).collect()
        },
        passed: |_, _, _| Vec::new(),
        says: |shape| shape.chars().all(|c| c.is_ascii_graphic() || c == ' '),
        drawn: None,
        bonds: None,
        modifiers: None,
        rules: None,
        backwards: None,
        met_unknown_move: |_| false,
    };
}

/// A game from its end, under objectives for which walks are free.
pub struct Backwards<P: Moves> {
    /// A state of every class in which the game is won.
    pub ends: for<'a> fn(&'a P) -> Box<dyn Iterator<Item = P::State> + 'a>,
    /// Every push that leads into the class of a state, as a state before it and the move.
    #[expect(clippy::type_complexity, reason = "it is said once, with what it means")]
    pub before: fn(&P, &P::State) -> Vec<(P::State, P::Move)>,
}

/// Modifiers on the lower right corners of cells.
pub struct Modifiers<P: Moves> {
    /// Whether there is one on the corner of a cell.
    pub stands: fn(&P, Coord) -> bool,
    /// Whether a move would have another outcome without the one on the corner of a cell.
    pub acts: fn(&P, &P::State, P::Move, Coord) -> bool,
}

/// Rules that are written in a file, by their lines, from 1.
pub struct RuleFile<P: Moves> {
    /// The lines that have rules.
    pub lines: fn(&P) -> BTreeSet<usize>,
    /// Those that have acted before the first move.
    pub starting: fn(&P) -> BTreeSet<usize>,
    /// Makes a move, and says which rules act in it: those that change something or ask for something,
    /// such as the end of the level, also where that is undone later in the move. So without a rule
    /// that does not act, the move leads to the same position.
    pub step: StepWithRulesFn<P>,
}

/// Makes a move, and says by their lines which rules act in it.
pub type StepWithRulesFn<P> =
    fn(&P, &<P as Moves>::State, <P as Moves>::Move) -> Result<StepWithRules<P>, MoveError>;

/// What a move leads to, and the lines of the rules that acted in it.
pub type StepWithRules<P> = (Successor<<P as Moves>::State>, BTreeSet<usize>);

/// Classes of states between which free moves lead.
#[expect(clippy::type_complexity, reason = "each is said once, with what it means")]
pub struct Classes<P: Moves> {
    /// Whether walks lead back. Where any plan will do, certificates go by classes only then.
    pub are_mutual: bool,
    /// All states that can be reached from a state by moves that cost nothing under an objective, that
    /// state included, in increasing order. Under `moves` that is the state alone; under `pushes` the
    /// player may walk.
    ///
    /// Free moves must be reversible, so that these classes do not overlap.
    pub class: fn(&P, &P::State, Objective) -> Vec<P::State>,
    /// The least member of the class of a state: the key under which certificates list it. The check
    /// of a closed set rests on it and on [`Classes::class`].
    pub representative: fn(&P, &P::State, Objective) -> P::State,
    /// What one move leads to from any state of the class of a state, apart from free moves inside
    /// the class. The same result may come several times.
    ///
    /// Families have one of their own where a class has many states from which nothing but walks is
    /// possible; `closed::check` never calls it, so nothing rests on such shortcuts.
    pub departures: fn(&P, &P::State, Objective) -> Vec<Successor<P::State>>,
    /// Whether a state of the class of a state is solved.
    pub is_solved: fn(&P, &P::State, Objective) -> bool,
}

impl<P: Moves> Classes<P> {
    /// The classes that free moves make.
    pub const BY_MOVES: Self = Self {
        are_mutual: true,
        class: |puzzle, state, objective| {
            let mut class = BTreeSet::from([state.clone()]);
            if objective.first() != Objective::Moves {
                let mut open = vec![state.clone()];
                while let Some(from) = open.pop() {
                    for mv in puzzle.moves(&from) {
                        if let Ok(stepped) = puzzle.step(&from, mv)
                            && stepped.tally.pushes == 0
                            && class.insert(stepped.state.clone())
                        {
                            open.push(stepped.state);
                        }
                    }
                }
            }
            class.into_iter().collect()
        },
        representative: |puzzle, state, objective| match objective.first() {
            Objective::Moves => state.clone(),
            _ => (P::GAME.classes.class)(puzzle, state, objective).swap_remove(0),
        },
        departures: |puzzle, state, objective| {
            let class = (P::GAME.classes.class)(puzzle, state, objective);
            let mut found = Vec::new();
            for from in &class {
                for mv in puzzle.moves(from) {
                    if let Ok(stepped) = puzzle.step(from, mv)
                        && (objective.primary(stepped.tally) > 0
                            || class.binary_search(&stepped.state).is_err())
                    {
                        found.push(stepped);
                    }
                }
            }
            found
        },
        is_solved: |puzzle, state, objective| {
            let class = (P::GAME.classes.class)(puzzle, state, objective);
            class.iter().any(|state| puzzle.is_goal(state))
        },
    };

    /// Each state is a class.
    pub const ALONE: Self =
        Self { are_mutual: false, class: |_, state, _| vec![state.clone()], ..Self::BY_MOVES };
}
