//! The families with all that they can do, and the way from a text to one of them.
//!
//! To add a built-in one: a folder in `puzzles/` with an entry in the catalogue there, one in
//! `encodings/`, an entry in `check/registry.rs`, and one in [`FAMILIES`]. A family that is made
//! elsewhere is an [`Entry`] of its own and joins them by [`register`].

use crate::instance::{
    DroppedPieces, FeatureGuidance, Instance, NoMoves, PatternClauses, ReversedGame, Searched,
};
use std::fmt;
pub use unstuck_check::registry::{
    Entry, Family, FlowEntry, Method, OpenFn, ParsedPuzzle, PuzzleScriptEntry, ReadFn,
    SnowmanEntry, SokobanEntry, SokobondEntry, WarehouseEntry, join, register,
};
use unstuck_check::registry::{
    PuzzleScriptPlay, SnowmanPlay, SokobanPlay, SokobondPlay, WarehousePlay, added,
};
use unstuck_encodings::puzzlescript::PuzzleScriptFeatures;
use unstuck_encodings::sokoban::{SokobanFeatures, SokobanMoves, SokobanPieces, SokobanPulls};
use unstuck_puzzles::catalogue;
use unstuck_puzzles::flow::Board as FlowBoard;
use unstuck_puzzles::puzzlescript::PuzzleScript;
use unstuck_puzzles::snowman::Snowman;
use unstuck_puzzles::sokoban::Sokoban;
use unstuck_puzzles::sokobond::Sokobond;
use unstuck_puzzles::warehouse::Warehouse;
use unstuck_puzzles::{Objective, Options, ParseError, Puzzle};

/// Features and what leads from the end are looked at where boards fit into few words, else into
/// more; from the end none of more than 256 cells. Boxes may be dropped.
type SokobanCapabilities = (
    FeatureGuidance<SokobanFeatures<4>, SokobanFeatures<16>>,
    ReversedGame<SokobanPulls<2>, SokobanPulls<4>>,
    DroppedPieces<SokobanPieces>,
    PatternClauses<SokobanMoves>,
);

/// Features of levels that fit into few words, and of others.
type PuzzleScriptCapabilities =
    FeatureGuidance<PuzzleScriptFeatures<[u64; 4], 1>, PuzzleScriptFeatures<Box<[u64]>, 3>>;

/// Name of the family of [`Sokoban`].
pub const SOKOBAN: &str = Sokoban::NAME;
/// Name of the family of [`FlowBoard`]: Flow, Numberlink.
pub const FLOW: &str = FlowBoard::NAME;
/// Name of the family of [`Sokobond`].
pub const SOKOBOND: &str = Sokobond::NAME;
/// Name of the family of [`Snowman`]: A Good Snowman Is Hard To Build.
pub const SNOWMAN: &str = Snowman::NAME;
/// Name of the family of [`Warehouse`]: Advent of Code 2024, day 15.
pub const WAREHOUSE: &str = Warehouse::NAME;
/// Name of the family of [`PuzzleScript`].
pub const PUZZLESCRIPT: &str = PuzzleScript::NAME;

/// All families.
pub static FAMILIES: &[Family] = &[
    Family::of::<SokobanEntry<Searched<SokobanPlay<SokobanCapabilities>>>>(),
    Family::of::<FlowEntry<NoMoves>>(),
    Family::of::<SokobondEntry<Searched<SokobondPlay>>>(),
    Family::of::<SnowmanEntry<Searched<SnowmanPlay>>>(),
    Family::of::<WarehouseEntry<Searched<WarehousePlay>>>(),
    Family::of::<PuzzleScriptEntry<Searched<PuzzleScriptPlay<PuzzleScriptCapabilities>>>>(),
];

/// All families: the built-in ones, then those that were added.
pub fn families() -> Vec<&'static Family> {
    FAMILIES.iter().chain(added()).collect()
}

/// The family of a name.
pub fn by_name(name: &str) -> Option<&'static Family> {
    families().into_iter().find(|family| family.name == name)
}

/// The families that a file can belong to: by its extension where that settles it, else by what
/// its text looks like.
///
/// # Examples
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use unstuck::puzzles::Options;
/// use unstuck::registry::guess;
///
/// let text = "#####\n#@$.#\n#####\n\n######\n#@ $.#\n######\n";
/// let families = guess(None, text);
/// let [family] = families.as_slice() else { return Err("which family is it?".into()) };
/// assert_eq!(family.name, unstuck::SOKOBAN);
/// let levels = (family.read)(text, &Options::new(family.options, [])?)?;
/// assert_eq!(levels.len(), 2);
/// # Ok(())
/// # }
/// ```
pub fn guess(extension: Option<&str>, text: &str) -> Vec<&'static Family> {
    let mut families = families();
    let fitting = catalogue::fitting(families.iter().map(|family| &family.rules), extension, text);
    let names: Vec<_> = fitting.iter().map(|family| family.name).collect();
    families.retain(|family| names.contains(&family.name));
    families
}

/// The family that a text resembles most which none reads; see [`catalogue::resembled`].
pub fn resembled(text: &str, in_doubt: bool) -> Option<&'static Family> {
    let families = families();
    let rules = families.iter().map(|family| &family.rules);
    by_name(catalogue::resembled(rules, text, in_doubt)?.name)
}

/// Why a puzzle could not be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OpenError {
    /// There is no family of this name.
    NoFamily(String),
    /// The text is no level of this family.
    Unreadable(ParseError),
    /// The family does not know the objective.
    NoObjective(Objective),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoFamily(name) => write!(f, "there is no family `{name}`"),
            Self::Unreadable(error) => error.fmt(f),
            Self::NoObjective(objective) => {
                write!(f, "the family has no objective `{}`", objective.name())
            }
        }
    }
}

impl std::error::Error for OpenError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unreadable(error) => Some(error),
            Self::NoFamily(_) | Self::NoObjective(_) => None,
        }
    }
}

/// The first level of a text, with the family's defaults: an instance for each reading of its rules,
/// in the order to try them, and at least one.
///
/// # Errors
/// See [`OpenError`].
pub fn readings(
    family: &str,
    text: &str,
    objective: Objective,
) -> Result<Vec<Box<dyn Instance>>, OpenError> {
    let family = by_name(family).ok_or_else(|| OpenError::NoFamily(family.to_owned()))?;
    let options = Options::new(family.options, []).expect("defaults are allowed");
    let levels = (family.read)(text, &options).map_err(OpenError::Unreadable)?;
    let none = || ParseError::whole("no level in this text");
    let level = levels.into_iter().next().ok_or_else(none).and_then(|level| level.puzzle);
    let instances = level.map_err(OpenError::Unreadable)?.instances(objective);
    instances.filter(|it| !it.is_empty()).ok_or(OpenError::NoObjective(objective))
}

/// The readings of a random small board of a family, for tests.
#[cfg(test)]
pub(crate) fn sampled(family: &str, objective: Objective, seed: u64) -> Vec<Box<dyn Instance>> {
    let family = by_name(family).expect("it is registered");
    (family.sample)(seed).instances(objective).expect("a known objective")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::shown_at_the_start;
    use crate::limits::Limits;
    use fastrand::Rng;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    use unstuck_encodings::pieces::Pieces;
    use unstuck_puzzles::patterns::{PatternReason, PatternRules};

    /// Goals in a room with one door; boxes in it, and before it in each other's way.
    fn room(rng: &mut Rng) -> Option<Sokoban> {
        let (width, height, boxes) = (rng.usize(9..=11), rng.usize(5..=7), rng.usize(3..=5));
        let (wall, door) = (width - 4, rng.usize(1..height - 1));
        let mut rows = vec![vec!['#'; width]; height];
        let (mut outside, mut inside) = (Vec::new(), Vec::new());
        for (row, cells) in rows.iter_mut().enumerate().take(height - 1).skip(1) {
            for (column, cell) in cells.iter_mut().enumerate().take(width - 1).skip(1) {
                let is_wall = if column == wall { row != door } else { rng.u8(..7) == 0 };
                if !is_wall {
                    *cell = ' ';
                    if column < wall { &mut outside } else { &mut inside }.push((row, column));
                }
            }
        }
        rng.shuffle(&mut outside);
        rng.shuffle(&mut inside);
        for _ in 0..boxes {
            let goal = inside.pop()?;
            rows[goal.0][goal.1] = '.';
        }
        rng.shuffle(&mut inside);
        let in_the_room = rng.usize(0..boxes);
        for number in 0..boxes {
            let (row, column) = if number < in_the_room { inside.pop()? } else { outside.pop()? };
            rows[row][column] = '$';
        }
        let walker = outside.pop()?;
        rows[walker.0][walker.1] = '@';
        let text: String =
            rows.into_iter().map(|row| row.into_iter().collect::<String>() + "\n").collect();
        let options = Options::new(Sokoban::OPTIONS, []).expect("defaults fit");
        Sokoban::read(&text, &options).ok()?.pop()?.puzzle.ok()
    }

    /// What a zone and the pieces outside it waste together is accepted by the judge, who shares no
    /// code with the search for it.
    #[test]
    fn sums_with_a_zone_are_proved() {
        let (mut sums, mut entries) = (0, 0);
        let interrupted = Limits::none().with_flag(Arc::new(AtomicBool::new(true)));
        for seed in 0..2_000 {
            let mut rng = Rng::with_seed(seed);
            let Some(level) = room(&mut rng) else { continue };
            let Some(pieces) = SokobanPieces::new(&level, Objective::Pushes) else { continue };
            let budget = rng.u32(0..4);
            let interrupted = shown_at_the_start(&pieces, budget, &interrupted);
            assert!(interrupted.is_empty(), "seed {seed} was looked at all the same");
            for (value, list) in shown_at_the_start(&pieces, budget, &Limits::none()) {
                let field = pieces.field();
                assert_eq!(list.claim, Some(field.lower + field.unit * value - 1), "seed {seed}");
                let judged = level.judge_patterns(&list, &mut || true);
                assert!(judged.is_ok(), "seed {seed}: {judged:?}\n{list}");
                let is_zone = |why: &_| matches!(why, PatternReason::Zone(_));
                match list.patterns.iter().any(|it| is_zone(&it.why)) {
                    true => sums += 1,
                    false => entries += list.patterns.len(),
                }
            }
        }
        assert!(sums > 1_000 && entries > 300, "{sums} sums, {entries} entries");
    }
}
