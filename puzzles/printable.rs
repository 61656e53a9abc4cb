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
}
