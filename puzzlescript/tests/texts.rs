//! Texts of games, and texts that are nearly games: for these tests, and for those of levels as
//! puzzles.

use fastrand::Rng;

macro_rules! own {
    ($name:literal) => {
        include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../puzzles/levels/puzzlescript/",
            $name,
            ".puzzlescript"
        ))
    };
}

/// Games of the project.
pub(crate) const GAMES: [&str; 3] = [own!("push"), own!("slide"), own!("merge")];

/// A game about a player `P`, walls `#`, crates `*`, targets `O`, red and blue things `r` and `b`
/// on a layer of their own, with these rules and win conditions and one level.
pub(crate) fn text(settings: &str, rules: &str, conditions: &str, level: &str) -> String {
    format!(
        "{settings}\nOBJECTS\nBackground\ngreen\n\nWall\ngray\n\nPlayer\nblack\n\nCrate\nbrown\n\n\
         Target\nblue\n\nRed\nred\n\nBlue\nblue\n\nLEGEND\n. = Background\n# = Wall\nP = Player\n\
         * = Crate\nO = Target\nr = Red\nb = Blue\n@ = Crate and Target\nQ = Player and Red\n\
         Solid = Wall or Crate\nPaint = Red or Blue\nAny = Crate or Red\n\
         Parked = Crate and Target\n\nSOUNDS\n\nCOLLISIONLAYERS\nBackground\nTarget\nPlayer, Wall, Crate\nPaint\n\nRULES\n{rules}\n\n\
         WINCONDITIONS\n{conditions}\n\nLEVELS\n\n{level}\n"
    )
}

/// Words that bend a game more than single letters do.
pub(crate) const WORDS: [&str; 34] = [
    "[",
    "]",
    "|",
    "->",
    "...",
    ">",
    "<",
    "^",
    "v",
    "no",
    "late",
    "rigid",
    "+",
    "startloop\n",
    "endloop\n",
    "again",
    "cancel",
    "win",
    "restart",
    "checkpoint",
    "message",
    "moving",
    "stationary",
    "perpendicular",
    "parallel",
    "up",
    "horizontal",
    "action",
    "and",
    "or",
    "=",
    "(",
    ")",
    "\n\n",
];

/// Games to bend: those of the project, and one with everything.
pub(crate) fn seeds() -> Vec<String> {
    let rules = "right [ > Player | Crate ] -> [ > Player | > Crate ]\n\
                 rigid [ moving Crate | Crate ] -> [ moving Crate | moving Crate ]\nstartloop\n\
                 right [ Paint | ... | no Paint ] -> [ | ... | Paint ]\n\
                 + [ Any ] [ Red ] -> [ Any ] [ ]\n\
                 endloop\n[ action Q ] -> [ > Player Blue ] again\n\
                 late [ Player Target ] -> checkpoint\nlate [ Q | Solid ] -> cancel\n\
                 late [ Blue | Blue ] -> message Two\n\
                 late [ Blue | ... | @ ] -> [ | ... | Crate ] again";
    let settings = "title A\nrun_rules_on_level_start\nrequire_player_movement";
    let level = "#####.\nPr*@O.\n.b.Q#.\n\nmessage Next\n\nP*O\n.r.";
    let mut games: Vec<String> = GAMES.map(str::to_owned).to_vec();
    games.push(text(settings, rules, "all crate on target\nno paint", level));
    games.push(text("", &rules.replace("late ", ""), "some any on parked", level));
    games
}

/// The text with some pieces cut out, doubled, moved or replaced.
pub(crate) fn bent(rng: &mut Rng, text: &str) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..rng.usize(1..4) {
        let at = rng.usize(..=letters.len());
        let length = rng.usize(..12).min(letters.len() - at);
        let piece: Vec<char> = letters[at..at + length].to_vec();
        match rng.u32(..5) {
            0 => drop(letters.drain(at..at + length)),
            1 => drop(letters.splice(at..at, piece)),
            2 => {
                let word = format!(" {} ", rng.choice(WORDS).unwrap_or_default());
                drop(letters.splice(at..at, word.chars()));
            }
            3 => {
                letters.drain(at..at + length);
                let to = rng.usize(..=letters.len());
                drop(letters.splice(to..to, piece));
            }
            _ => {
                let any =
                    rng.choice(['\u{301}', 'ß', '\t', '0', 'P', '*', '\u{1F600}', '\r', '#', ',']);
                drop(letters.splice(at..at, any));
            }
        }
    }
    letters.into_iter().collect()
}
