//! The words of the language.

/// The sections of a game, in their order.
pub(crate) const SECTIONS: [&str; 7] =
    ["objects", "legend", "sounds", "collisionlayers", "rules", "winconditions", "levels"];

/// How many letters of a line are wrong if it is meant to be a heading; many where it is longer
/// than any.
pub(crate) fn distance(line: &str, heading: &str) -> usize {
    let word = line.trim();
    if word.len() > 2 * heading.len() {
        return word.len();
    }
    strsim::osa_distance(&word.to_lowercase(), heading)
}

/// Settings of the prelude that have a value.
pub(crate) const SETTINGS: [&str; 12] = [
    "title",
    "author",
    "homepage",
    "background_color",
    "text_color",
    "key_repeat_interval",
    "realtime_interval",
    "again_interval",
    "flickscreen",
    "zoomscreen",
    "color_palette",
    "youtube",
];

/// Settings of the prelude that have none.
pub(crate) const FLAGS: [&str; 10] = [
    "run_rules_on_level_start",
    "norepeat_action",
    "require_player_movement",
    "debug",
    "verbose_logging",
    "throttle_movement",
    "noundo",
    "noaction",
    "norestart",
    "scanline",
];

/// Words that say what a sprite is painted with; no word begins with another.
pub(crate) const COLORS: [&str; 25] = [
    "black",
    "white",
    "grey",
    "darkgrey",
    "lightgrey",
    "gray",
    "darkgray",
    "lightgray",
    "red",
    "darkred",
    "lightred",
    "brown",
    "darkbrown",
    "lightbrown",
    "orange",
    "yellow",
    "green",
    "darkgreen",
    "lightgreen",
    "blue",
    "lightblue",
    "darkblue",
    "purple",
    "pink",
    "transparent",
];

/// Palettes by name; the number of one is its place, from 1.
pub(crate) const PALETTES: [&str; 14] = [
    "mastersystem",
    "gameboycolour",
    "amiga",
    "arnecolors",
    "famicom",
    "atari",
    "pastel",
    "ega",
    "amstrad",
    "proteus_mellow",
    "proteus_rich",
    "proteus_night",
    "c64",
    "whitingjp",
];

/// Settings that only other dialects of the language have, which an error names.
pub(crate) const OTHER_DIALECTS: [(&str, &str); 15] = [
    ("case_sensitive", PLUS),
    ("custom_font", PLUS),
    ("font_size", PLUS),
    ("level_select", PLUS),
    ("local_radius", PLUS),
    ("mouse_drag", PLUS),
    ("mouse_left", PLUS),
    ("nokeyboard", PLUS),
    ("runtime_metadata_twiddling", PLUS),
    ("skip_title_screen", PLUS),
    ("smoothscreen", PLUS),
    ("sprite_size", PLUS),
    ("tween_length", PLUS),
    ("allow_undo_level", "PuzzleScript Next"),
    ("status_line", "PuzzleScript Next"),
];

const PLUS: &str = "PuzzleScript Plus and PuzzleScript Next";

/// Sounds by number: what rules can play, and what can be made to sound like something.
pub(crate) const SOUNDS: [&str; 11] =
    ["sfx0", "sfx1", "sfx2", "sfx3", "sfx4", "sfx5", "sfx6", "sfx7", "sfx8", "sfx9", "sfx10"];

/// What happens to a whole game and can have a sound, beside [`SOUNDS`].
pub(crate) const SOUND_EVENTS: [&str; 10] = [
    "undo",
    "restart",
    "titlescreen",
    "startgame",
    "cancel",
    "endgame",
    "startlevel",
    "endlevel",
    "showmessage",
    "closemessage",
];

/// What happens to an object and can have a sound.
pub(crate) const SOUND_VERBS: [&str; 5] = ["move", "action", "create", "destroy", "cantmove"];

/// Directions of a sound.
pub(crate) const SOUND_DIRECTIONS: [&str; 7] =
    ["up", "down", "left", "right", "horizontal", "vertical", "orthogonal"];

/// What a rule can ask for beside a change of the board and [`SOUNDS`].
pub(crate) const COMMANDS: [&str; 6] =
    ["cancel", "checkpoint", "restart", "win", "message", "again"];

/// What may stand before the first bracket of a rule, as far as the parser looks at words there.
pub(crate) const RULE_PREFIXES: [&str; 8] =
    ["up", "down", "left", "right", "horizontal", "vertical", "orthogonal", "late"];

/// What may stand before an object in a rule.
pub(crate) const CELL_WORDS: [&str; 19] = [
    "action",
    "up",
    "down",
    "left",
    "right",
    "^",
    "v",
    "<",
    ">",
    "moving",
    "stationary",
    "parallel",
    "perpendicular",
    "horizontal",
    "orthogonal",
    "vertical",
    "no",
    "randomdir",
    "random",
];

/// Directions that depend on the way in which a rule looks.
pub(crate) const RELATIVE: [&str; 6] = ["^", "v", "<", ">", "parallel", "perpendicular"];

/// What [`RELATIVE`] means for a rule that looks in a direction. The suffixes keep what came from
/// `parallel` and what came from `perpendicular` apart from each other and from written words.
pub(crate) fn absolute(direction: &str) -> [&'static str; 6] {
    match direction {
        "up" => ["left", "right", "down", "up", "vertical_par", "horizontal_perp"],
        "down" => ["right", "left", "up", "down", "vertical_par", "horizontal_perp"],
        "left" => ["down", "up", "right", "left", "horizontal_par", "vertical_perp"],
        _ => ["up", "down", "left", "right", "horizontal_par", "vertical_perp"],
    }
}

/// The directions that a word for several stands for; none for other words.
pub(crate) fn several(word: &str) -> &'static [&'static str] {
    match word {
        "horizontal" | "horizontal_par" | "horizontal_perp" => &["left", "right"],
        "vertical" | "vertical_par" | "vertical_perp" => &["up", "down"],
        "moving" => &["up", "down", "left", "right", "action"],
        "orthogonal" => &["up", "down", "left", "right"],
        _ => &[],
    }
}

/// The bit of a movement; none for words that are no movement.
pub(crate) fn movement(word: &str) -> u64 {
    match word {
        "up" => 0b00001,
        "down" => 0b00010,
        "left" => 0b00100,
        "right" => 0b01000,
        "action" => 0b10000,
        _ => 0,
    }
}

/// The command of this name.
pub(crate) fn command(word: &str) -> Option<&'static str> {
    COMMANDS.iter().chain(&SOUNDS).copied().find(|&command| command == word)
}

/// Whether a word is a bad name for an object.
pub(crate) fn is_keyword(word: &str) -> bool {
    let lists: [&[&str]; 5] = [&SECTIONS, &SOUND_VERBS, &SOUND_EVENTS, &SOUNDS, &OTHER_KEYWORDS];
    lists.iter().any(|words| words.contains(&word))
}

const OTHER_KEYWORDS: [&str; 29] = [
    "...",
    "|",
    "[",
    "]",
    "up",
    "down",
    "left",
    "right",
    "late",
    "rigid",
    "^",
    "v",
    ">",
    "<",
    "no",
    "randomdir",
    "random",
    "horizontal",
    "vertical",
    "any",
    "all",
    "some",
    "moving",
    "stationary",
    "parallel",
    "perpendicular",
    "message",
    "win",
    "again",
];
