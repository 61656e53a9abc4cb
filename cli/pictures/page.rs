//! `--html`: a level with its solution as a film, in one file for any browser.

use crate::input::{SelectedLevel, file_names};
use serde_json::json;
use std::collections::HashMap;
use unstuck::instance::Instance;
use unstuck_puzzles::{Frame, FrameOptions, Style};

/// The page, with names in double braces where something belongs.
const PAGE: &str = include_str!("page.html");

/// Pictures of a film at most; a longer one leaves moves out, evenly.
const PICTURES: usize = 2_000;

/// The whole page of some moves, or of a drawing, with a sentence about them.
pub(super) fn page(
    chosen: &SelectedLevel,
    sentence: &str,
    instance: &dyn Instance,
    moves: &str,
) -> String {
    let title = chosen.level.title.clone().unwrap_or_else(|| file_names::of_level(chosen));
    let shots = FrameOptions { every_move: true, style: Style::Svg, most: PICTURES };
    let replayed = instance.replay(moves, Style::Svg, Some(shots)).ok();
    let (picture, frames) = replayed.map(|it| (it.last, it.frames)).unwrap_or_default();
    let generator = format!("unstuck {}", env!("CARGO_PKG_VERSION"));
    let texts = [
        ("title", escape(&title)),
        ("sentence", escape(sentence)),
        ("generator", escape(&generator)),
        ("home", escape(env!("CARGO_PKG_REPOSITORY"))),
        ("picture", picture.unwrap_or_default()),
        ("moves", escape(moves)),
        ("frames", packed(&frames)),
    ];
    filled(PAGE, &texts.into_iter().collect())
}

/// A text as HTML shows it.
fn escape(text: &str) -> String {
    let plain = |c| match c {
        '&' => "&amp;".to_owned(),
        '<' => "&lt;".to_owned(),
        '>' => "&gt;".to_owned(),
        '"' => "&quot;".to_owned(),
        other => other.to_string(),
    };
    text.chars().map(plain).collect()
}

/// A text with something in the place of each name in double braces. What is put in is not looked
/// at again.
fn filled(mut text: &str, with: &HashMap<&str, String>) -> String {
    let mut out = String::new();
    while let Some((before, rest)) = text.split_once("{{") {
        let (name, after) = rest.split_once("}}").expect("names are closed");
        out.push_str(before);
        out.push_str(&with[name]);
        text = after;
    }
    out + text
}

/// Pictures as JSON for a script element: each line once, and the lines of each picture.
fn packed<'a>(frames: &'a [Frame]) -> String {
    let mut lines: Vec<&str> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    let mut number = |line: &'a str| {
        *known.entry(line).or_insert_with(|| {
            lines.push(line);
            lines.len() - 1
        })
    };
    let mut picture =
        |frame: &'a Frame| (frame.moves, frame.board.lines().map(&mut number).collect::<Vec<_>>());
    let pictures: Vec<_> = frames.iter().map(&mut picture).collect();
    // No end of the script element can be in it.
    json!({ "lines": lines, "frames": pictures }).to_string().replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn lines_are_kept_once_and_no_text_ends_the_script() {
        let frame = |moves, board: &str| Frame { moves, label: String::new(), board: board.into() };
        let text = packed(&[frame(0, "<svg>\na\n</script>"), frame(2, "<svg>\nb\n</script>")]);
        assert!(!text.contains('<'), "{text}");
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["lines"], json!(["<svg>", "a", "</script>", "b"]));
        assert_eq!(value["frames"], json!([[0, [0, 1, 2]], [2, [0, 3, 2]]]));
    }

    #[test]
    fn texts_are_no_elements() {
        assert_eq!(escape("<b>\"A & B\""), "&lt;b&gt;&quot;A &amp; B&quot;");
    }

    #[test]
    fn what_is_put_in_is_not_looked_at_again() {
        let with = HashMap::from([("a", "{{b}}".to_owned()), ("b", "x".to_owned())]);
        assert_eq!(filled("<{{a}}|{{b}}>", &with), "<{{b}}|x>");
    }
}
