//! The families, each with its encodings and with what its certificates are judged by. The library
//! `unstuck` has the same families with search.

use crate::instance::{
    ClauseSupport, Instance, MoveGame, MoveSupport, NoMoves, PatternClauses, PuzzleInstance,
};
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::{Arc, PoisonError, RwLock};
use unstuck_encodings::flow::FlowEdges;
use unstuck_encodings::puzzlescript::{PuzzleScriptMoves, PuzzleScriptSpace};
use unstuck_encodings::snowman::{SnowmanMoves, SnowmanPushes, SnowmanSpace};
use unstuck_encodings::sokoban::{SokobanMoves, SokobanParallel, SokobanPushes, SokobanSpace};
use unstuck_encodings::sokobond::{SokobondMoves, SokobondSpace};
use unstuck_encodings::warehouse::{WarehouseMoves, WarehousePushes, WarehouseSpace};
use unstuck_puzzles::catalogue::{self, PuzzleFamily};
use unstuck_puzzles::flow::Board as FlowBoard;
use unstuck_puzzles::puzzlescript::PuzzleScript;
use unstuck_puzzles::snowman::Snowman;
use unstuck_puzzles::sokoban::Sokoban;
use unstuck_puzzles::sokobond::Sokobond;
use unstuck_puzzles::warehouse::Warehouse;
use unstuck_puzzles::{
    AnyPuzzle, Level, Objective, Options, ParseError, Puzzle, PuzzleExt, Reading,
};

/// Opens a puzzle that was read with some options, under one reading, for the objective of its method.
pub type OpenFn<P> = fn(Reading<P>, Arc<Options>, Objective) -> Box<dyn Instance>;

/// An objective of a family and the encoding, transition and space that serve it.
pub type Method<P> = (Objective, OpenFn<P>);

/// Reads the levels of a text.
pub type ReadFn = fn(&str, &Options) -> Result<Vec<Level<ParsedPuzzle>>, ParseError>;

/// A puzzle family with its encodings, its types erased. What its rules say of it is read as its own
/// (`family.name`).
pub struct Family {
    /// What its rules make it.
    pub rules: PuzzleFamily,
    /// Reads the levels of a text.
    pub read: ReadFn,
    /// A small random puzzle for tests.
    pub sample: fn(u64) -> ParsedPuzzle,
}

impl Deref for Family {
    type Target = PuzzleFamily;

    fn deref(&self) -> &PuzzleFamily {
        &self.rules
    }
}

/// Opens a puzzle for an objective, under each reading of its rules.
type OpenedFn = dyn Fn(Objective) -> Option<Vec<Box<dyn Instance>>> + Send + Sync;

/// A puzzle that has been read, before an objective is chosen. What its rules say of it is read as
/// its own (`parsed.identity()`).
pub struct ParsedPuzzle {
    puzzle: Arc<dyn AnyPuzzle>,
    open: Box<OpenedFn>,
}

impl ParsedPuzzle {
    /// A puzzle that was read with some options.
    fn of<P: Puzzle>(puzzle: P, options: Arc<Options>, methods: &'static [Method<P>]) -> Self {
        let puzzle = Arc::new(puzzle);
        let opened = puzzle.clone();
        let open = move |objective| {
            let (_, open) = methods.iter().find(|(known, _)| *known == objective)?;
            let readings = opened.readings().into_iter();
            Some(readings.map(|reading| open(reading, options.clone(), objective)).collect())
        };
        Self { puzzle, open: Box::new(open) }
    }

    /// The instances for an objective, one for each reading, in the order to try; `None` when the
    /// family does not know the objective.
    pub fn instances(&self, objective: Objective) -> Option<Vec<Box<dyn Instance>>> {
        (self.open)(objective)
    }
}

impl Deref for ParsedPuzzle {
    type Target = dyn AnyPuzzle;

    fn deref(&self) -> &Self::Target {
        self.puzzle.as_ref()
    }
}

impl fmt::Debug for ParsedPuzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.puzzle.fmt(f)
    }
}

/// Opens a puzzle under one reading: `E` is its encoding ([`NoClauses`] for puzzles without), `X`
/// what plays it ([`MoveGame`], or [`NoMoves`] for puzzles without moves).
///
/// [`NoClauses`]: crate::instance::NoClauses
pub fn join<E, X>(
    reading: Reading<E::Puzzle>,
    options: Arc<Options>,
    objective: Objective,
) -> Box<dyn Instance>
where
    E: ClauseSupport,
    X: MoveSupport<E::Puzzle> + 'static,
{
    Box::new(PuzzleInstance::<E, X>::new(reading, objective).read_with(options))
}

/// What a family is made of: its rules, and for each objective the encoding and what plays it.
///
/// Implemented by a type without values for each family; [`Family::of`] makes the entry.
pub trait Entry {
    /// The puzzle.
    type Puzzle: Puzzle;

    /// The family as the rules of the puzzle make it.
    const RULES: PuzzleFamily;

    /// For each objective how a puzzle is opened, most of them with [`join`].
    const METHODS: &'static [Method<Self::Puzzle>];
}

impl Family {
    /// The family of an entry.
    pub const fn of<E: Entry>() -> Self {
        Self {
            rules: E::RULES,
            read: |text, options| {
                let levels = E::Puzzle::read(text, options)?.into_iter();
                let given = Arc::new(options.clone());
                let parsed = |puzzle| ParsedPuzzle::of(puzzle, given.clone(), E::METHODS);
                Ok(levels.map(|level| level.map(parsed)).collect())
            },
            sample: |seed| ParsedPuzzle::of(E::Puzzle::sample(seed), Arc::default(), E::METHODS),
        }
    }
}

/// One of the built-in families: its rules, its encoding for each objective, and `X` that plays it.
macro_rules! family {
    ($name:ident, $rules:expr, $puzzle:ty, { $($objective:ident => $encoding:ty;)+ }) => {
        #[doc = concat!("The family of [`", stringify!($puzzle), "`], played by `X`.")]
        pub struct $name<X>(PhantomData<fn(X)>);

        impl<X: MoveSupport<$puzzle> + 'static> Entry for $name<X> {
            type Puzzle = $puzzle;
            const RULES: PuzzleFamily = $rules;
            const METHODS: &'static [Method<$puzzle>] =
                &[$((Objective::$objective, join::<$encoding, X>)),+];
        }
    };
}

family!(SokobanEntry, catalogue::SOKOBAN, Sokoban, {
    Pushes => SokobanPushes;
    PushesMoves => SokobanPushes;
    Moves => SokobanMoves;
    MovesPushes => SokobanMoves;
    Any => SokobanParallel;
});
family!(FlowEntry, catalogue::FLOW, FlowBoard, {
    Any => FlowEdges;
});
family!(SokobondEntry, catalogue::SOKOBOND, Sokobond, {
    Moves => SokobondMoves;
    Any => SokobondMoves;
});
family!(SnowmanEntry, catalogue::SNOWMAN, Snowman, {
    Pushes => SnowmanPushes;
    PushesMoves => SnowmanPushes;
    Moves => SnowmanMoves;
    MovesPushes => SnowmanMoves;
    Any => SnowmanPushes;
});
family!(WarehouseEntry, catalogue::WAREHOUSE, Warehouse, {
    Moves => WarehouseMoves;
    MovesPushes => WarehouseMoves;
    Pushes => WarehousePushes;
    PushesMoves => WarehousePushes;
    Any => WarehousePushes;
});
family!(PuzzleScriptEntry, catalogue::PUZZLESCRIPT, PuzzleScript, {
    Moves => PuzzleScriptMoves;
    Pushes => PuzzleScriptMoves;
    Any => PuzzleScriptMoves;
});

/// Transition and spaces of Sokoban: positions in few words where they fit, else in more.
pub type SokobanPlay<C> = MoveGame<SokobanMoves, SokobanSpace<4>, SokobanSpace<16>, C>;

/// Those of Sokobond.
pub type SokobondPlay = MoveGame<SokobondMoves, SokobondSpace>;

/// Those of A Good Snowman: positions in two words where they fit, else in three.
pub type SnowmanPlay = MoveGame<SnowmanMoves, SnowmanSpace<2, true>, SnowmanSpace<3, true>>;

/// Those of the warehouse.
pub type WarehousePlay = MoveGame<WarehouseMoves, WarehouseSpace>;

/// Those of PuzzleScript: positions in four words where they fit, and games of more objects or layers
/// in any number.
pub type PuzzleScriptPlay<C = ()> = MoveGame<
    PuzzleScriptMoves,
    PuzzleScriptSpace<[u64; 4], 1>,
    PuzzleScriptSpace<Box<[u64]>, 3>,
    C,
>;

/// All families, with what judges their certificates.
pub static FAMILIES: &[Family] = &[
    Family::of::<SokobanEntry<SokobanPlay<PatternClauses<SokobanMoves>>>>(),
    Family::of::<FlowEntry<NoMoves>>(),
    Family::of::<SokobondEntry<SokobondPlay>>(),
    Family::of::<SnowmanEntry<SnowmanPlay>>(),
    Family::of::<WarehouseEntry<WarehousePlay>>(),
    Family::of::<PuzzleScriptEntry<PuzzleScriptPlay>>(),
];

/// Families that were added at run time.
static ADDED: RwLock<Vec<&'static Family>> = RwLock::new(Vec::new());

/// Adds a family that was made elsewhere: from now on its levels are read and its certificates
/// checked like those of [`FAMILIES`]. `false` when a family of this name is there already.
pub fn register(family: &'static Family) -> bool {
    let mut added = ADDED.write().unwrap_or_else(PoisonError::into_inner);
    let is_new = !FAMILIES.iter().chain(added.iter().copied()).any(|it| it.name == family.name);
    if is_new {
        added.push(family);
    }
    is_new
}

/// The families that were added.
pub fn added() -> Vec<&'static Family> {
    ADDED.read().unwrap_or_else(PoisonError::into_inner).clone()
}

/// The family of a name.
pub fn by_name(name: &str) -> Option<&'static Family> {
    FAMILIES.iter().chain(added()).find(|family| family.name == name)
}
