//! Which characters a text may have that other people will see.

/// Whether a character shows itself, and does nothing else: control characters move a cursor or
/// command a terminal, direction marks and invisible ones let a line read as another, and
/// noncharacters stand in no text that is exchanged.
pub fn is_printable(c: char) -> bool {
    let hidden = matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}');
    let noncharacter = matches!(c, '\u{fdd0}'..='\u{fdef}') || u32::from(c) & 0xfffe == 0xfffe;
    !c.is_control() && !hidden && !noncharacter
}

/// The first character of a text that is not [printable](is_printable), as it may be shown.
pub fn unprintable(text: &str) -> Option<String> {
    let found = text.chars().find(|&c| !is_printable(c))?;
    Some(format!("U+{:04X}", u32::from(found)))
}

/// Appends a text with its characters that are not printable in the form that JSON has for them:
/// so what is JSON stays JSON, with the same value. Lines stay lines.
pub fn escape(text: &str, into: &mut String) {
    for c in text.chars() {
        if is_printable(c) || matches!(c, '\n' | '\t') {
            into.push(c);
        } else {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                into.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
}

/// A text from elsewhere in one line: a name among other words.
pub fn one_line(text: &str) -> String {
    let mut line = String::new();
    escape(text, &mut line);
    line.replace('\n', "\\n").replace('\t', "\\t")
}

/// Most characters of a line of an error, and most lines of it.
const LONGEST: usize = 500;
const MOST_LINES: usize = 100;

/// A text from elsewhere as far as it is worth showing: what is too long is cut. Lines after the
/// first are indented, so that none can be taken for an answer.
pub fn cut(text: &str) -> String {
    let cut = |(number, line): (usize, &str)| {
        let indent =
            if number == 0 || line.starts_with(' ') || line.is_empty() { "" } else { "  " };
        match line.char_indices().nth(LONGEST) {
            Some((end, _)) => format!("{indent}{}…", &line[..end]),
            None => format!("{indent}{line}"),
        }
    };
    let mut lines: Vec<String> = text.lines().take(MOST_LINES).enumerate().map(cut).collect();
    if text.lines().nth(MOST_LINES).is_some() {
        lines.push("…".to_owned());
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_all_scripts_are_printable_and_what_hides_is_not() {
        for c in "aZ0 ~é€Ω界\u{1f600}\u{301}\u{fffd}א".chars() {
            assert!(is_printable(c), "{c:?}");
        }
        let hidden = "\0\t\n\r\x1b\x7f\u{80}\u{85}\u{9b}\u{ad}\u{61c}\u{200b}\u{200e}\u{200f}\u{2028}\u{2029}\
                      \u{202a}\u{202e}\u{2060}\u{2066}\u{2069}\u{feff}\u{fff9}\u{fffe}\u{fdd0}\u{e0041}\u{10ffff}";
        for c in hidden.chars() {
            assert!(!is_printable(c), "{c:?}");
        }
        assert_eq!(unprintable("a\u{202e}b\x1b").as_deref(), Some("U+202E"));
        assert_eq!(unprintable("plain"), None);
    }

    #[test]
    fn what_is_too_long_is_cut() {
        assert_eq!(cut("a\n  = help: b\nvalid: c"), "a\n  = help: b\n  valid: c");
        assert_eq!(cut(&"é".repeat(9999)).chars().count(), LONGEST + 1);
        assert_eq!(cut(&"x\n".repeat(9999)).lines().count(), MOST_LINES + 1);
    }
}
