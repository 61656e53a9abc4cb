//! Boards as text: solutions side by side, stages one under the other, facts as lines.

use console::{Alignment, measure_text_width, pad_str};
use serde_json::Value;
use std::fmt::Write;
use unstuck::instance::{Instance, Verified};
use unstuck_puzzles::{Facts, Frame, Picture, Style};

/// Facts as lines `name: value`.
pub(crate) fn fact_lines(facts: &Facts) -> String {
    facts.iter().fold(String::new(), |mut lines, (name, value)| {
        let shown = fact(value);
        if shown.contains('\n') {
            let _ = writeln!(lines, "{name}:\n{}", shown.trim_end_matches('\n'));
        } else {
            let _ = writeln!(lines, "{name}: {shown}");
        }
        lines
    })
}

/// The value of a fact for a person.
fn fact(value: &Value) -> String {
    match value {
        Value::Null => "unknown".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(fact).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value)| format!("{name} {}", fact(value));
            fields.iter().map(field).collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}

/// Stages one under the other, each with the moves that led to it.
pub(crate) fn stages(frames: &[Frame]) -> String {
    frames.iter().fold(String::new(), |mut text, frame| {
        let label = if frame.label.is_empty() { "start" } else { &frame.label };
        let _ =
            writeln!(text, "\n{}: {label}\n{}", frame.moves, frame.board.trim_end_matches('\n'));
        text
    })
}

/// The first solution, and beside the others what is different in them.
pub(crate) fn solutions(
    instance: &dyn Instance,
    first: &Verified,
    others: &[&Verified],
    style: Style,
) -> String {
    let draw = |plan: &Verified, style: Style| -> Picture {
        instance.picture(Some(plan), style).unwrap_or_else(|| plan.text().to_owned())
    };
    if others.is_empty() {
        return beside(&[("", draw(first, style))]);
    }
    let bare = match style {
        Style::Unicode { .. } => Style::Unicode { color: false },
        other => other,
    };
    let differences = |other: &Verified| differences(&draw(first, bare), &draw(other, bare));
    let mut text = String::new();
    for (number, other) in (2..).zip(others) {
        let name = format!("solution {number}");
        let mut pictures =
            vec![(name.as_str(), draw(other, style)), ("where they differ", differences(other))];
        if number == 2 {
            pictures.insert(0, ("solution 1", draw(first, style)));
        } else {
            text.push('\n');
        }
        text.push_str(&beside(&pictures));
    }
    text
}

/// The second picture where it differs from the first; a dot for what is the same.
fn differences(first: &str, second: &str) -> String {
    let mut first = first.lines();
    let line = |line: &str| {
        let mut before = first.next().unwrap_or_default().chars();
        let mark = |c: char| match before.next().unwrap_or(' ') {
            same if same == c => {
                if c == ' ' {
                    ' '
                } else {
                    '.'
                }
            }
            _ => c,
        };
        line.chars().map(mark).collect::<String>() + "\n"
    };
    second.lines().map(line).collect()
}

/// Pictures side by side, each under its name where they have names.
fn beside(pictures: &[(&str, Picture)]) -> String {
    let height = pictures.iter().map(|(_, picture)| picture.lines().count()).max().unwrap_or(0);
    let width = |(name, picture): &(&str, Picture)| {
        picture.lines().chain([*name]).map(measure_text_width).max().unwrap_or(0)
    };
    let widths: Vec<usize> = pictures.iter().map(width).collect();
    let mut text = String::new();
    let mut row = |parts: &mut dyn Iterator<Item = &str>| {
        let mut line = String::new();
        for (part, &wide) in parts.zip(&widths) {
            line.push_str(&pad_str(part, wide + 4, Alignment::Left, None));
        }
        let _ = writeln!(text, "{}", line.trim_end());
    };
    if pictures.iter().any(|(name, _)| !name.is_empty()) {
        row(&mut pictures.iter().map(|(name, _)| *name));
    }
    for at in 0..height {
        row(&mut pictures.iter().map(|(_, picture)| picture.lines().nth(at).unwrap_or_default()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_stand_beside_each_other_and_differences_are_marked() {
        let (first, second) = ("AAB\nA.B\n", "AAB\nAAB\nC\n");
        assert_eq!(differences(first, second), "...\n.A.\nC\n");
        let coloured = "\x1b[38;2;1;2;3mAA\x1b[0mB\nA".to_owned();
        let shown = beside(&[("", coloured.clone()), ("", second.to_owned())]);
        assert_eq!(shown, "\x1b[38;2;1;2;3mAA\x1b[0mB    AAB\nA      AAB\n       C\n");
        let named = beside(&[("first", coloured), ("x", second.to_owned())]);
        assert!(named.starts_with("first    x\n"), "{named}");
    }
}
