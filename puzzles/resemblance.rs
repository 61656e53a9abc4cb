//! Which family a text resembles that no family can read, so that this family alone says what is
//! wrong with it.
//!
//! Each function says in percent how sure it is, and is sure of nothing that has too little in it.

/// A text that resembles no family so much is just a text.
pub(crate) const LEAST: usize = 60;

/// As much as that where it is not even certain that a text is a level.
pub(crate) const CERTAIN: usize = 90;

/// How many percent of the characters of some rows are among those that are known; 0 where there
/// are fewer rows than a board has.
fn share<'a>(rows: impl IntoIterator<Item = &'a str>, known: &str, least_rows: usize) -> usize {
    let (mut count, mut all, mut fitting) = (0, 0, 0);
    for row in rows {
        count += 1;
        all += row.chars().count();
        fitting += row.chars().filter(|&c| known.contains(c)).count();
    }
    if count < least_rows { 0 } else { fitting * 100 / all.max(1) }
}

/// Rows with walls, in which there are pieces.
fn walled(text: &str) -> Option<Vec<&str>> {
    let rows = text.split(['\n', '|']).map(str::trim);
    let rows: Vec<&str> = rows.filter(|row| row.contains('#')).collect();
    rows.iter().any(|row| row.contains(['@', '$', '*', '.', '+', 'O', '['])).then_some(rows)
}

/// Rows of XSB; those of one line may have run lengths.
pub(crate) fn sokoban(text: &str) -> usize {
    let known = if text.contains('|') { "#@+$*. -_0123456789()" } else { "#@+$*. -_" };
    walled(text).map_or(0, |rows| share(rows, known, 3))
}

/// Maps with boxes of their own, or walled rows with instructions below.
pub(crate) fn warehouse(text: &str) -> usize {
    let is_instructions =
        |line: &str| !line.trim().is_empty() && line.trim().chars().all(|c| "<>^v".contains(c));
    let rows = walled(text).unwrap_or_default();
    let own = rows.iter().any(|row| row.contains(['O', '['])) || text.lines().any(is_instructions);
    if own { share(rows, "#.O@[]=?", 3) } else { 0 }
}

/// Rows of letters and dots that are equally long.
pub(crate) fn flow(text: &str) -> usize {
    let rows: Vec<&str> = text.lines().map(str::trim).filter(|row| !row.is_empty()).collect();
    let width = |row: &str| row.chars().count();
    let alike = |one: &&str| rows.iter().filter(|row| width(row) == width(one)).count();
    let Some(common) = rows.iter().take(64).map(alike).max() else { return 0 };
    let is_label = |c: char| c.is_ascii_alphanumeric() || c == ' ';
    let marks = text.chars().filter(|c| !is_label(*c) && *c != '.' && !c.is_whitespace()).count();
    let has_blanks = rows.iter().any(|row| row.contains('.'));
    if !has_blanks || marks > 2 || rows.len() < 2 || rows.iter().any(|row| width(row) < 2) {
        return 0;
    }
    common * 85 / rows.len()
}

/// Rows of floor and walls with atoms.
pub(crate) fn sokobond(text: &str) -> usize {
    let rows = || text.lines().map(str::trim).filter(|row| !row.is_empty() && *row != "v2");
    let all: String = rows().collect();
    if !all.contains(['-', 'x']) || !all.contains(['h', 'o', 'n', 'c', 'e', 'H', 'O', 'N', 'C']) {
        return 0;
    }
    share(rows(), "-xXhoncHONCeE/+@ ", 2)
}

/// Rows of grass, snow and walls with balls, which are numbers.
pub(crate) fn snowman(text: &str) -> usize {
    let rows = || {
        let rows = text.lines().map(str::trim);
        rows.filter(|row| !row.is_empty() && !row.starts_with(';'))
    };
    let all: String = rows().collect();
    let has_walls = all.contains(['X', 'x', '#']) && all.contains(['-', '\'', '.', '*']);
    if !has_walls || !all.contains(['1', '2', '4']) {
        return 0;
    }
    share(rows(), "X-*#+=T%@&Ux'.qp1234567abcdefg", 2)
}

#[cfg(test)]
mod tests {
    use crate::catalogue::{self, FAMILIES};

    fn resembled(text: &str) -> Option<&'static str> {
        catalogue::resembled(FAMILIES.iter(), text, false).map(|family| family.name)
    }

    #[test]
    fn a_faulty_text_resembles_one_family() {
        for (text, family) in [
            ("#####\n#   #\n# $.#\n#####\n", Some("sokoban")),
            ("#####\n#@$?#\n#####\n", Some("sokoban")),
            ("#####\n#@\u{a0}#\n#$.##\n#####\n", Some("sokoban")),
            ("1 #####\n2 #@$.#\n3 #####\n", Some("sokoban")),
            ("> #####\n> #@$.#\n> #####\n", Some("sokoban")),
            ("5#|#@$.#|5#", Some("sokoban")),
            ("########\n#..O..O#\n########\n\n<^^>>\n", Some("warehouse")),
            ("########\n#..O.@O#\n########\n\n<^^>>f\n", Some("warehouse")),
            ("ABA.\n....\n..CB\n", Some("flow")),
            ("https://puzz.link/p?numlin/2/2/1112\n", Some("flow")),
            ("xxxx\nx-hx\nx?Hx\nxxxx\n", Some("sokobond")),
            ("XXXXX\nX124X\nX---X\nX-?-X\n", Some("snowman")),
            ("OBJECTS\n\nLEGND\n\nSOUNDS\n\nRULES\n\nLEVLES\n", Some("puzzlescript")),
            ("Dear reader, this is a letter.\nIt has two lines.\n", None),
            ("# A #\n## Chapter ##\n### Word for word ###\n", None),
            ("~~~ %%% ^^^\n", None),
            ("", None),
        ] {
            assert_eq!(resembled(text), family, "{text:?}");
        }
    }
}
