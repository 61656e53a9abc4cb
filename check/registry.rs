//! The families, each with its encodings and with what its certificates are judged by. The library
//! `unstuck` has the same families with search.

use crate::instance::{Instance, MoveGame, MoveSupport, NoMoves, PatternClauses, PuzzleInstance};
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::{Arc, PoisonError, RwLock};
use unstuck_encodings::Encoding;
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
use unstuck_puzzles::text_format::TextFormat;
use unstuck_puzzles::warehouse::Warehouse;
use unstuck_puzzles::{Level, Objective, Options, ParseError, Puzzle, Reading};

/// Opens a puzzle that was read with some options, under one reading, for the objective of its method.
pub type OpenFn<P> = fn(Reading<P>, Arc<Options>, Objective) -> Box<dyn Instance>;

/// An objective of a family and the encoding, transition and space that serve it.
pub type Method<P> = (Objective, OpenFn<P>);

/// Reads the levels of a text.
pub type ReadFn = fn(&str, &Options) -> Result<Vec<Level<Box<dyn ParsedPuzzle>>>, ParseError>;

/// A puzzle family with its encodings, its types erased. What its rules say of it is read as its own
/// (`family.name`).
pub struct Family {
    /// What its rules make it.
    pub rules: PuzzleFamily,
    /// Reads the levels of a text.
    pub read: ReadFn,
    /// A small random puzzle for tests.
    pub sample: fn(u64) -> Box<dyn ParsedPuzzle>,
}

impl Deref for Family {
    type Target = PuzzleFamily;

    fn deref(&self) -> &PuzzleFamily {
        &self.rules
    }
}

/// A puzzle that has been read, before an objective is chosen.
pub trait ParsedPuzzle: Send + Sync {
    /// The instances for an objective, one for each reading, in the order to try; `None` when the
    /// family does not know the objective.
    fn instances(&self, objective: Objective) -> Option<Vec<Box<dyn Instance>>>;

    /// See [`Puzzle::identity`].
    fn identity(&self) -> String;

    /// See [`Puzzle::canonical_text`].
    fn canonical_text(&self) -> String;

    /// See [`Puzzle::formats`].
    fn formats(&self) -> Vec<TextFormat>;
}

impl fmt::Debug for dyn ParsedPuzzle + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ParsedPuzzle").field("identity", &self.identity()).finish_non_exhaustive()
    }
}

struct PuzzleWithMethods<P: Puzzle> {
    puzzle: P,
    /// The options with which it was read.
    options: Arc<Options>,
    methods: &'static [Method<P>],
}

impl<P: Puzzle> ParsedPuzzle for PuzzleWithMethods<P> {
    fn instances(&self, objective: Objective) -> Option<Vec<Box<dyn Instance>>> {
        let (_, open) = self.methods.iter().find(|(known, _)| *known == objective)?;
        let readings = self.puzzle.readings().into_iter();
        Some(readings.map(|reading| open(reading, self.options.clone(), objective)).collect())
    }

    fn identity(&self) -> String {
        self.puzzle.identity()
    }

    fn canonical_text(&self) -> String {
        self.puzzle.canonical_text()
    }

    fn formats(&self) -> Vec<TextFormat> {
        self.puzzle.formats()
    }
}

/// Opens a puzzle under one reading: `E` is its encoding, `X` what plays it ([`MoveGame`], or
/// [`NoMoves`] for puzzles without moves).
///
/// [`MoveGame`]: crate::instance::MoveGame
/// [`NoMoves`]: crate::instance::NoMoves
pub fn join<E, X>(
    reading: Reading<E::Puzzle>,
    options: Arc<Options>,
    objective: Objective,
) -> Box<dyn Instance>
where
    E: Encoding + 'static,
    X: MoveSupport<E::Puzzle> + 'static,
{
    Box::new(PuzzleInstance::<E, X>::new(reading, objective).read_with(options))
}

fn read_levels<P: Puzzle>(
    text: &str,
    options: &Options,
    methods: &'static [Method<P>],
) -> Result<Vec<Level<Box<dyn ParsedPuzzle>>>, ParseError> {
    let given = Arc::new(options.clone());
    let open = |puzzle| -> Box<dyn ParsedPuzzle> {
        Box::new(PuzzleWithMethods { puzzle, options: given.clone(), methods })
    };
    Ok(P::read(text, options)?.into_iter().map(|level| level.map(open)).collect())
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
            read: |text, options| read_levels::<E::Puzzle>(text, options, E::METHODS),
            sample: |seed| {
                let puzzle = E::Puzzle::sample(seed);
                Box::new(PuzzleWithMethods { puzzle, options: Arc::default(), methods: E::METHODS })
            },
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
    Any => PuzzleScriptMoves;
});

/// Transition and spaces of Sokoban: positions in few words where they fit, else in more.
type SokobanPlay =
    MoveGame<SokobanMoves, SokobanSpace<4>, SokobanSpace<16>, PatternClauses<SokobanMoves>>;

/// Those of A Good Snowman: positions in two words where they fit, else in three.
type SnowmanPlay = MoveGame<SnowmanMoves, SnowmanSpace<2, true>, SnowmanSpace<3, true>>;

/// Those of PuzzleScript: positions in four words where they fit, and games of more objects or layers
/// in any number.
type PuzzleScriptPlay =
    MoveGame<PuzzleScriptMoves, PuzzleScriptSpace<[u64; 4], 1>, PuzzleScriptSpace<Box<[u64]>, 2>>;

/// All families, with what judges their certificates.
pub static FAMILIES: &[Family] = &[
    Family::of::<SokobanEntry<SokobanPlay>>(),
    Family::of::<FlowEntry<NoMoves>>(),
    Family::of::<SokobondEntry<MoveGame<SokobondMoves, SokobondSpace>>>(),
    Family::of::<SnowmanEntry<SnowmanPlay>>(),
    Family::of::<WarehouseEntry<MoveGame<WarehouseMoves, WarehouseSpace>>>(),
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
