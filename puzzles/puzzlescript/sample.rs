//! Small random games for the laws and the oracle tests.

use super::PuzzleScript;
use crate::extras::PuzzleExt;
use crate::options::Options;
use crate::puzzle::Puzzle;
use fastrand::Rng;

/// Rules that games are put together from.
const RULES: [&str; 43] = [
    "[ > Player | Crate ] -> [ > Player | > Crate ]",
    "[ > Player | Crate ] -> [ > Player | > Crate ]\n\
     + [ > Crate | Crate ] -> [ > Crate | > Crate ]",
    "[ < Player | Crate ] -> [ < Player | < Crate ]",
    "[ > Player | ... | Crate ] -> [ > Player | ... | > Crate ]",
    "[ > Player | Crate | Crate ] -> [ > Player | | Gem ]",
    "[ > Player | Gem ] -> [ > Player | ]",
    "[ > Player ] [ Gem ] -> [ > Player ] [ > Gem ]",
    "[ perpendicular Player | Crate ] -> [ perpendicular Player | perpendicular Crate ]",
    "[ action Player | Solid ] -> [ Player | ]",
    "[ > Player | Wall ] -> cancel",
    "rigid [ > Player | Crate ] -> [ > Player | > Crate ]\n\
     + rigid [ moving Crate | Crate ] -> [ moving Crate | moving Crate ]",
    "startloop\nright [ Paint | Gem ] -> [ Paint | Gem Paint ]\n\
     down [ Paint | Gem ] -> [ Paint | Gem Paint ]\nendloop",
    "[ Crate Paint ] -> [ Gem Paint ]",
    "late [ Player | Crate ] -> [ Player | Crate Paint ]",
    "late [ Gem | Gem | Gem ] -> [ | | ]",
    "down [ stationary Crate | no Solid no Player ] -> [ down Crate | ] again",
    // Push, pull and slide without movement, swap.
    "[ > Player | Crate | no Solid no Player ] -> [ | Player | Crate ]",
    "[ > Player | ... | Crate | no Solid no Player ] -> [ > Player | ... | | Crate ]",
    "[ > Player | Gem ] -> [ Gem | Player ]",
    "[ > Player | ... | Crate | ... | Gem ] -> [ > Player | ... | Gem | ... | Crate ]",
    "[ > Crate | Gem ] -> [ > Crate | > Gem ]\n+ [ > Gem | Crate ] -> [ > Gem | > Crate ]",
    "[ > Player ] [ Crate ] -> [ > Player ] [ < Crate ]",
    "[ stationary Gem ] [ > Player ] -> [ > Gem ] [ > Player ]",
    // Slide on paint; a step at a time, or all at once.
    "[ > Player | Crate ] -> [ > Player | > Crate Paint ]\n\
     [ Crate Paint ] -> [ right Crate Paint ] again",
    "late right [ Crate Paint | no Solid no Player ] -> [ | Crate Paint ]",
    // Paint.
    "late [ Player no Paint ] -> [ Player Paint ]",
    "[ > Player Paint ] -> [ > Player ]",
    "[ > Player | Paint ] -> [ > Player | no Paint ]",
    "late [ Thing no Paint | Paint ] -> [ Thing Paint | Paint ]",
    // Merge and split, and movement that is left where nothing is.
    "late [ Crate | Crate ] -> [ Gem | ]",
    "[ > Crate ] -> [ > Gem ]",
    "[ > Player | Gem | ] -> [ > Player | Crate | Crate ]",
    "[ > Crate ] -> [ no Crate ]\n[ no Solid Target ] -> [ Gem Target ]",
    "[ action Player ] [ Wall ] -> [ Player ] [ Gem ]",
    "[ action Player | Thing ] -> [ action Player | Wall ]",
    // Marks that are gone by the end of a turn, and dust that nothing depends on.
    "late [ Player | Crate ] -> [ Player | Crate Mark ]\n\
     late [ Mark ] [ Gem ] -> [ Mark ] [ Paint ]\nlate [ Mark ] -> [ ]",
    "[ > Player ] -> [ > Player Mark ]\n[ Mark | Crate ] -> [ Mark | > Crate ]",
    "late [ Player no Dust ] -> [ Player Dust ]",
    "late [ Dust ] -> [ ]\nlate [ Player ] -> [ Player Dust ]",
    // Commands.
    "late [ Player Target ] -> checkpoint",
    "late [ Player Paint ] [ Target no Crate ] -> restart",
    "late [ Player Paint Target ] -> win",
    "late [ Crate Paint ] -> message Wet paint",
];

/// What may be asked.
const CONDITIONS: [&str; 13] = [
    "all target on crate",
    "no gem",
    "some player on target",
    "all gem on target",
    "no crate on paint",
    "some parked",
    "all target on thing",
    "all crate on target",
    "all thing on target",
    "no gem on paint",
    "some gem on crate",
    "some gem",
    "all player on target",
];

/// What stands on the board, the player aside.
const CELLS: [char; 12] = ['.', '.', '.', '.', '#', '*', '*', 't', 'g', 'k', '@', ','];

/// A game of a few rules on a board of at most 4 by 4 cells.
pub(super) fn puzzle(seed: u64) -> PuzzleScript {
    let mut rng = Rng::with_seed(seed);
    loop {
        let text = text(&mut rng);
        // Now and then the rules ask for what cannot be, or begin without an end.
        if let Some(options) = Options::new(PuzzleScript::OPTIONS, []).ok()
            && let Ok(puzzle) = PuzzleScript::parse(&text, &options)
        {
            return puzzle;
        }
    }
}

fn text(rng: &mut Rng) -> String {
    let mut lines = |from: &[&str], most: usize| -> String {
        let chosen = (0..rng.usize(1..=most)).filter_map(|_| rng.choice(from).copied());
        chosen.collect::<Vec<_>>().join("\n")
    };
    let (rules, conditions) = (lines(&RULES, 4), lines(&CONDITIONS, 2));
    let settings = ["noaction", "require_player_movement", "run_rules_on_level_start"];
    let settings = settings.into_iter().filter(|_| rng.u32(0..6) == 0);
    let settings = settings.collect::<Vec<_>>().join("\n");
    let (width, height) = (rng.usize(2..=4), rng.usize(1..=4));
    let mut cells: Vec<char> =
        (0..width * height).map(|_| rng.choice(CELLS).unwrap_or('.')).collect();
    let at = rng.usize(..cells.len());
    cells[at] = 'P';
    if rng.u32(0..8) == 0 {
        let at = rng.usize(..cells.len());
        cells[at] = 'P';
    }
    // The player, or two that are moved together.
    let player = match rng.u32(0..4) {
        0 => ("Hero\nblack\n\nTwin\ngray", "Player = Hero or Twin\n", "Hero", "Hero, Twin"),
        _ => ("Player\nblack", "", "Player", "Player"),
    };
    let (objects, legend, hero, members) = player;
    if !legend.is_empty() {
        let at = rng.usize(..cells.len());
        cells[at] = if cells[at] == 'P' { 'P' } else { 'w' };
    }
    let twin = if legend.is_empty() { hero } else { "Twin" };
    let rows: Vec<String> = cells.chunks(width).map(|row| row.iter().collect()).collect();
    format!(
        "title Sample\n{settings}\n\nOBJECTS\n\nBackground\ngreen\n\nWall\nbrown\n\n\
         {objects}\n\nCrate\norange\n\nGem\nblue\n\nTarget\nyellow\n\nPaint\nred\n\nMark\nwhite\n\n\
         Dust\ngray\n\n\
         LEGEND\n. = Background\n# = Wall\n{legend}P = {hero}\nw = {twin}\n* = Crate\nt = Target\ng = Gem\nk = Gem and Paint\n, = Paint\n\
         @ = Crate and Target\nSolid = Wall or Crate or Gem\nThing = Crate or Gem\n\
         Parked = Crate and Target\n\nSOUNDS\n\nCOLLISIONLAYERS\nBackground\nTarget\n\
         {members}, Wall, Crate, Gem\nPaint\nMark\nDust\n\nRULES\n{rules}\n\nWINCONDITIONS\n{conditions}\n\n\
         LEVELS\n\n{}\n",
        rows.join("\n")
    )
}
