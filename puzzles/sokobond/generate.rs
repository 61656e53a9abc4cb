//! Levels thrown together at random, in which the electrons come out even. Most of them have no
//! solution: that is for a solver to say.

use super::state::Element;
use super::{Bonding, format};
use crate::error::ParseError;
use crate::options::{OptionSpec, Options, Values};
use crate::puzzle::Puzzle;
use fastrand::Rng;

/// What a level should be like, as options of a command.
pub const OPTIONS: &[OptionSpec] = &[
    OptionSpec::number("width", 1, 15, "6", "Number of columns, without the walls around"),
    OptionSpec::number("height", 1, 15, "6", "Number of rows, without the walls around"),
    OptionSpec::number("walls", 0, 60, "15", "How many of a hundred cells are walls"),
    OptionSpec {
        name: "atoms",
        values: Values::Text("atoms: letters of h, o, n, c and e, the player first"),
        default: "ohh",
        help: "The atoms by their letters, the player first",
    },
];

/// The level of a seed; none when the seed leads nowhere.
///
/// # Errors
/// When the atoms are none that can be complete.
pub fn draft_text(options: &Options, seed: u64) -> Result<Option<String>, ParseError> {
    let fault = |message: &str| {
        let message = format!("option `atoms` cannot be `{}`: {message}", options.get("atoms"));
        ParseError::whole(message).help("give letters of h, o, n, c and e, the player first")
    };
    let letters: Vec<char> = options.get("atoms").to_lowercase().chars().collect();
    let elements: Option<Vec<Element>> =
        letters.iter().map(|&letter| Element::from_letter(letter)).collect();
    let elements = elements.filter(|elements| !elements.is_empty());
    let elements = elements.ok_or_else(|| fault("no such atoms"))?;
    if elements.iter().map(|element| u32::from(element.valence())).sum::<u32>() % 2 == 1 {
        return Err(fault("their electrons do not come out even"));
    }
    let (width, height) = (options.number("width") as usize, options.number("height") as usize);
    let mut rng = Rng::with_seed(seed);
    let mut cells: Vec<char> = (0..width * height)
        .map(|_| if rng.u64(0..100) < options.number("walls") { 'x' } else { '-' })
        .collect();
    let mut free: Vec<usize> = (0..cells.len()).filter(|&at| cells[at] == '-').collect();
    rng.shuffle(&mut free);
    if free.len() < letters.len() {
        return Ok(None);
    }
    for (index, (&letter, &at)) in letters.iter().zip(&free).enumerate() {
        cells[at] = if index == 0 { letter.to_ascii_uppercase() } else { letter };
    }
    let rim: String = "x".repeat(width + 2);
    let rows = cells.chunks(width).map(|row| format!("x{}x\n", String::from_iter(row)));
    let text = format!("{rim}\n{}{rim}\n", String::from_iter(rows));
    let levels = format::read(&text, Bonding::Auto)?;
    let level = levels.into_iter().next().and_then(|level| level.puzzle.ok());
    Ok(level.map(|level| level.print()))
}
