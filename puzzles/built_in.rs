//! Levels that come with the program, so that there is something to play and to solve at once.

/// A file of levels that is always at hand.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn {
    /// Its name, which stands in place of a file's.
    pub name: &'static str,
    /// The name of its file, whose ending says what it is.
    pub file: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// One of them, of a folder of `levels`.
macro_rules! level {
    ($folder:literal, $name:literal, $ending:literal) => {
        BuiltIn {
            name: $name,
            file: concat!($name, ".", $ending),
            text: include_str!(concat!("levels/", $folder, "/", $name, ".", $ending)),
        }
    };
}

/// All of them, the easiest first.
pub const BUILT_IN: &[BuiltIn] = &[
    level!("sokoban", "first-steps", "sok"),
    level!("sokoban", "pantry", "xsb"),
    level!("sokoban", "longer-ways", "sok"),
    level!("sokoban", "stuck", "sok"),
    level!("flow", "first-paths", "txt"),
    level!("flow", "twelve", "txt"),
    level!("snowman", "twins", "snowman"),
    level!("sokobond", "water", "sokobond"),
    level!("warehouse", "eight-by-fifteen", "warehouse"),
    level!("puzzlescript", "slide", "puzzlescript"),
];

/// The one of a name, or of the name of a file.
pub fn by_name(name: &str) -> Option<&'static BuiltIn> {
    BUILT_IN.iter().find(|known| known.name == name || known.file == name)
}

#[cfg(test)]
mod tests {
    use super::{BUILT_IN, by_name};
    use crate::catalogue::{FAMILIES, fitting};
    use crate::options::Options;

    #[test]
    fn every_level_that_comes_along_is_recognised_and_read() {
        for built_in in BUILT_IN {
            for name in [built_in.name, built_in.file] {
                assert_eq!(by_name(name).map(|it| it.text), Some(built_in.text));
            }
            let ending = built_in.file.rsplit_once('.').map(|(_, ending)| ending);
            let families = fitting(FAMILIES.iter(), ending, built_in.text);
            let [family] = families[..] else { panic!("{}: {families:?}", built_in.name) };
            let defaults = Options::new(family.options, []).expect("defaults fit");
            let levels = (family.read)(built_in.text, &defaults).expect("it is read");
            assert!(!levels.is_empty() && levels.iter().all(|level| level.puzzle.is_ok()));
        }
    }
}
