//! The families, their types erased: what a program needs to offer all of them to a person.
//!
//! To add a built-in one: a folder beside this file and an entry here. A family that is made
//! elsewhere makes its own [`PuzzleFamily`].

use crate::any_puzzle::AnyPuzzle;
use crate::error::ParseError;
use crate::flow::{self, Board as FlowBoard};
use crate::level::{Level, Warning};
use crate::moves::Moves;
use crate::objective::{Measures, Objective};
use crate::options::{OptionSpec, Options};
use crate::puzzle::{Puzzle, RecordSupport};
use crate::puzzlescript::{self, PuzzleScript};
use crate::resemblance;
use crate::session::{GameSession, PlayedSession};
use crate::snowman::{self, Snowman};
use crate::sokoban::{self, Sokoban};
use crate::sokobond::{self, Sokobond};
use crate::warehouse::{self, Warehouse};
use std::any::Any;
use std::sync::Arc;

/// Reads the levels of a text.
pub type ReadFn = fn(&str, &Options) -> Result<Vec<Level<Arc<dyn AnyPuzzle>>>, ParseError>;

/// A family as its rules make it.
#[derive(Clone, Copy, Debug)]
pub struct PuzzleFamily {
    /// Name on the command line.
    pub name: &'static str,
    /// What it is, in a few words, for `--help`.
    pub about: &'static str,
    /// File name extensions that belong to it alone, without the dot.
    pub extensions: &'static [&'static str],
    /// Its options.
    pub options: &'static [OptionSpec],
    /// Its objectives, the default first.
    pub objectives: &'static [Objective],
    /// Whether it is played in moves.
    pub has_moves: bool,
    /// Begins a game under a person's hand, where it is played in moves.
    pub session: Option<SessionFn>,
    /// What lengths are called: see [`Puzzle::MEASURES`].
    pub measures: Measures,
    /// What a file of it can record.
    pub records: RecordSupport,
    /// How a text is recognised as one of this family.
    pub sniff: Recognition,
    /// How many percent a text that no family reads resembles one of this family.
    pub resembles: fn(&str) -> usize,
    /// Whether a text asks for nothing but where its own moves lead; then what is said of it.
    pub own_moves: fn(&str) -> Option<Warning>,
    /// Reads the levels of a text.
    pub read: ReadFn,
    /// Makes levels.
    pub generator: Option<Generator>,
}

/// How a text is recognised as one of a family, where no extension settles it.
#[derive(Clone, Copy, Debug)]
pub enum Recognition {
    /// Not at all: the family has to be named.
    Never,
    /// Whether there is a board of it, judged by more than its alphabet.
    Board(fn(&str) -> bool),
    /// Whether it has headings that no other family has: these settle it, whatever the boards below
    /// them look like.
    Headings(fn(&str) -> bool),
}

/// Begins a session on a puzzle; `None` when it is one of another family.
pub type SessionFn = fn(Arc<dyn AnyPuzzle>) -> Option<Box<dyn GameSession>>;

/// Drafts boards of a family; whether a draft has one solution only is asked afterwards.
#[derive(Clone, Copy, Debug)]
pub struct Generator {
    /// What it makes, in a few words, for `--help`.
    pub about: &'static str,
    /// What the boards should be like.
    pub options: &'static [OptionSpec],
    /// The draft of a seed in the family's format; none when the seed leads nowhere. A large draft
    /// asks now and then whether to continue.
    pub draft: DraftFn,
}

/// Makes the draft of a seed, and asks now and then whether to continue.
pub type DraftFn = fn(&Options, u64, &dyn Fn() -> bool) -> Result<Option<String>, ParseError>;

impl Generator {
    /// A draft of a run: see [`attempt_seed`].
    ///
    /// # Errors
    /// When the options contradict each other.
    pub fn attempt(
        &self,
        options: &Options,
        seed: u64,
        attempt: u64,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Option<String>, ParseError> {
        (self.draft)(options, attempt_seed(seed, attempt), go_on)
    }
}

/// The seed of an attempt of a run. Runs with other seeds share none: attempts number far fewer than
/// 2^20.
pub fn attempt_seed(seed: u64, attempt: u64) -> u64 {
    (seed << 20) + attempt
}

impl PuzzleFamily {
    /// A family of games with moves, which has to be named.
    pub const fn of_games<P: Moves>(about: &'static str) -> Self {
        Self {
            has_moves: true,
            session: Some(|puzzle| {
                let puzzle: Arc<dyn Any + Send + Sync> = puzzle;
                Some(Box::new(PlayedSession::new(puzzle.downcast::<P>().ok()?)))
            }),
            ..Self::of_boards::<P>(about)
        }
    }

    /// A family of boards that are filled without moves, which has to be named.
    pub const fn of_boards<P: Puzzle>(about: &'static str) -> Self {
        Self {
            name: P::NAME,
            about,
            extensions: &[],
            options: P::OPTIONS,
            objectives: P::OBJECTIVES,
            has_moves: false,
            session: None,
            measures: P::MEASURES,
            records: match P::EXTRAS.records {
                Some(records) => records.support,
                None => RecordSupport::Nothing,
            },
            sniff: Recognition::Never,
            resembles: |_| 0,
            own_moves: |_| None,
            read: |text, options| {
                let erased = |puzzle: P| -> Arc<dyn AnyPuzzle> { Arc::new(puzzle) };
                Ok(P::read(text, options)?.into_iter().map(|level| level.map(erased)).collect())
            },
            generator: None,
        }
    }
}

/// The family of [`Sokoban`].
pub const SOKOBAN: PuzzleFamily = PuzzleFamily {
    extensions: &["xsb", "sok", "slc", "pddl"],
    sniff: Recognition::Board(looks_like_sokoban),
    resembles: resemblance::sokoban,
    generator: Some(Generator {
        about: "Random rooms, played backwards from the goals",
        options: sokoban::generate::OPTIONS,
        draft: |options, seed, _| sokoban::generate::draft_text(options, seed),
    }),
    ..PuzzleFamily::of_games::<Sokoban>("push boxes onto goals")
};

/// The family of [`FlowBoard`].
pub const FLOW: PuzzleFamily = PuzzleFamily {
    extensions: &["flow"],
    sniff: Recognition::Board(looks_like_flow),
    resembles: |text| if flow::is_link(text) { 100 } else { resemblance::flow(text) },
    generator: Some(Generator {
        about: "Boards of squares or hexagons, with walls, holes, bridges and warps",
        options: flow::generate::OPTIONS,
        draft: flow::generate::draft_text,
    }),
    ..PuzzleFamily::of_boards::<FlowBoard>("join equal labels by paths (Flow, Numberlink)")
};

/// The family of [`Sokobond`].
pub const SOKOBOND: PuzzleFamily = PuzzleFamily {
    extensions: &["sokobond"],
    sniff: Recognition::Board(looks_like_sokobond),
    resembles: resemblance::sokobond,
    generator: Some(Generator {
        about: "Random rooms with given atoms",
        options: sokobond::generate::OPTIONS,
        draft: |options, seed, _| sokobond::generate::draft_text(options, seed),
    }),
    ..PuzzleFamily::of_games::<Sokobond>("bond atoms until no electron is free")
};

/// The family of [`Snowman`].
pub const SNOWMAN: PuzzleFamily = PuzzleFamily {
    extensions: &["snowman"],
    sniff: Recognition::Board(looks_like_snowman),
    resembles: resemblance::snowman,
    generator: Some(Generator {
        about: "Random gardens with balls and snow for so many snowmen",
        options: snowman::generate::OPTIONS,
        draft: |options, seed, _| snowman::generate::draft_text(options, seed),
    }),
    ..PuzzleFamily::of_games::<Snowman>(
        "roll balls of snow and pile them to snowmen (A Good Snowman Is Hard To Build)",
    )
};

/// The family of [`Warehouse`].
pub const WAREHOUSE: PuzzleFamily = PuzzleFamily {
    extensions: &["warehouse"],
    sniff: Recognition::Board(warehouse::sniff),
    resembles: resemblance::warehouse,
    own_moves: warehouse::own_moves,
    ..PuzzleFamily::of_games::<Warehouse>(
        "the robot warehouse of Advent of Code 2024, day 15, with questions",
    )
};

/// The family of [`PuzzleScript`].
pub const PUZZLESCRIPT: PuzzleFamily = PuzzleFamily {
    extensions: &["puzzlescript"],
    sniff: Recognition::Headings(puzzlescript::sniff),
    resembles: |text| (puzzlescript::headings(text) * 25).min(100),
    ..PuzzleFamily::of_games::<PuzzleScript>("games whose rules are in the file (PuzzleScript)")
};

/// The built-in families.
pub static FAMILIES: &[PuzzleFamily] = &[SOKOBAN, FLOW, SOKOBOND, SNOWMAN, WAREHOUSE, PUZZLESCRIPT];

/// Those of some families that a file can belong to: by its extension where that settles it, else by
/// what its text looks like.
pub fn fitting<'a>(
    families: impl Iterator<Item = &'a PuzzleFamily> + Clone,
    extension: Option<&str>,
    text: &str,
) -> Vec<&'a PuzzleFamily> {
    let those = |fit: &dyn Fn(&PuzzleFamily) -> bool| -> Vec<&'a PuzzleFamily> {
        families.clone().filter(|family| fit(family)).collect()
    };
    let has = |family: &PuzzleFamily| extension.is_some_and(|e| family.extensions.contains(&e));
    let by_extension = those(&has);
    if !by_extension.is_empty() {
        return by_extension;
    }
    // Maps below the headings of one family may look like boards of others.
    let headed = those(&|family| matches!(family.sniff, Recognition::Headings(has) if has(text)));
    if !headed.is_empty() {
        return headed;
    }
    those(&|family| matches!(family.sniff, Recognition::Board(looks) if looks(text)))
}

/// The family that a text resembles most which none of them reads, if it resembles any; in doubt
/// whether it is a level at all only one that is beyond doubt.
pub fn resembled<'a>(
    families: impl Iterator<Item = &'a PuzzleFamily>,
    text: &str,
    in_doubt: bool,
) -> Option<&'a PuzzleFamily> {
    let least = if in_doubt { resemblance::CERTAIN } else { resemblance::LEAST };
    let by_likeness = families.map(|family| (family, (family.resembles)(text)));
    // Of several that it resembles as much the first.
    let best = by_likeness.reduce(|best, next| if next.1 > best.1 { next } else { best })?;
    (best.1 >= least).then_some(best.0)
}

/// A board in XSB: rows of its letters alone, with walls, a box and a player.
fn looks_like_sokoban(text: &str) -> bool {
    let is_row = |line: &&str| line.contains('#') && line.chars().all(|c| "# @+$*.-_".contains(c));
    let rows: Vec<&str> = text.lines().filter(is_row).collect();
    let has = |letters: [char; 2]| rows.iter().any(|row| row.contains(letters));
    text.contains("<SokobanLevels") || has(['@', '+']) && has(['$', '*'])
}

/// A text with a board on which each label stands exactly twice: hardly by chance.
fn looks_like_flow(text: &str) -> bool {
    let defaults = Options::new(FlowBoard::OPTIONS, []).expect("defaults are allowed");
    let levels = FlowBoard::read(text, &defaults).unwrap_or_default();
    levels.iter().any(|level| level.puzzle.is_ok())
}

/// A grid of walls, floor and atoms (after `v2` with blanks and modifiers between them), with an
/// atom in upper case.
fn looks_like_sokobond(text: &str) -> bool {
    let rows = text.lines().filter(|line| !line.starts_with("v2") && !line.starts_with('='));
    let cells: String = rows.flat_map(str::chars).filter(|c| !c.is_whitespace()).collect();
    cells.chars().all(|c| "-xXhoncHONCeE/+@".contains(c))
        && cells.contains(['x', 'X'])
        && cells.contains(['H', 'O', 'N', 'C', 'E'])
}

/// A board with balls and one player, in any of the legends.
fn looks_like_snowman(text: &str) -> bool {
    let defaults = Options::new(Snowman::OPTIONS, []).expect("defaults are allowed");
    let levels = Snowman::read(text, &defaults).unwrap_or_default();
    levels.iter().any(|level| level.puzzle.is_ok())
}
