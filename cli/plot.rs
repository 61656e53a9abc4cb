//! Figures of several levels as a picture: a bar for each level, cut into parts that add up to it.

use unstuck_puzzles::svg::{self, Point};

/// A part of all bars: what it stands for, in capitals, and its colour. Bright and dark take turns,
/// so that neighbours differ without colours, too.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    /// What it stands for.
    pub name: &'static str,
    /// Its colour.
    pub colour: &'static str,
}

/// The bar of a level.
#[derive(Clone, Debug)]
pub(super) struct Bar {
    /// The name of the level.
    pub name: String,
    /// How much there is of each kind.
    pub parts: Vec<usize>,
    /// What stands behind the bar.
    pub figure: String,
}

const HEIGHT: f64 = 22.0;
const LEFT: f64 = 230.0;
const WIDTH: f64 = 400.0;
const RIGHT: f64 = 110.0;
const INK: &str = "#222222";
/// Size of letters.
const SIZE: f64 = 9.0;
/// Letters of a name that have room.
const MAX_NAME_LETTERS: usize = 24;

/// A text that begins at a place.
fn text(words: &str, (x, y): Point) -> String {
    let step = SIZE * 0.9;
    let letters: Vec<char> = words.to_uppercase().chars().collect();
    let drawn = letters.iter().enumerate().map(|(at, letter)| {
        svg::label(&letter.to_string(), (x + (at as f64 + 0.5) * step, y), SIZE, INK)
    });
    drawn.collect()
}

/// The picture; bars show shares of their sum where `shares` is set, else all have one scale.
pub(super) fn bars(kinds: &[Kind], bars: &[Bar], shares: bool) -> String {
    let sum = |bar: &Bar| bar.parts.iter().sum::<usize>() as f64;
    let most = bars.iter().map(sum).fold(1.0, f64::max);
    let height = (bars.len() as f64 + 2.5) * HEIGHT;
    let mut picture = svg::open(LEFT + WIDTH + RIGHT, height, "#ffffff");
    for (number, kind) in (0..).zip(kinds) {
        let x = LEFT + f64::from(number) * WIDTH / kinds.len() as f64;
        let look = format!("fill=\"{}\" stroke=\"{INK}\"", kind.colour);
        picture += &svg::rect((x, HEIGHT * 0.5), (12.0, 12.0), &look);
        picture += &text(kind.name, (x + 18.0, HEIGHT * 0.5 + 6.0));
    }
    for (number, bar) in (0..).zip(bars) {
        let top = (f64::from(number) + 2.0) * HEIGHT;
        let middle = top + HEIGHT / 2.0;
        let name: String = bar.name.chars().take(MAX_NAME_LETTERS).collect();
        picture += &text(&name, (10.0, middle));
        let whole = if shares { sum(bar).max(1.0) } else { most };
        let mut x = LEFT;
        for (&part, kind) in bar.parts.iter().zip(kinds).filter(|(part, _)| **part > 0) {
            let width = part as f64 / whole * WIDTH;
            let look = format!("fill=\"{}\" stroke=\"#ffffff\"", kind.colour);
            picture += &svg::rect((x, top + 3.0), (width, HEIGHT - 6.0), &look);
            x += width;
        }
        picture += &text(&bar.figure, (LEFT + WIDTH + 8.0, middle));
    }
    picture + svg::CLOSE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_their_parts() {
        let kinds = [Kind { name: "A", colour: "#0072b2" }, Kind { name: "B", colour: "#e69f00" }];
        let bar = |parts: &[usize]| Bar {
            name: "level".to_owned(),
            parts: parts.to_vec(),
            figure: "7".to_owned(),
        };
        let picture = bars(&kinds, &[bar(&[1, 3]), bar(&[0, 2])], true);
        assert!(picture.contains("width=\"100\"") && picture.contains("width=\"300\""));
        assert!(picture.contains("width=\"400\""), "{picture}");
        let picture = bars(&kinds, &[bar(&[1, 3]), bar(&[0, 2])], false);
        assert!(picture.contains("width=\"200\"") && !picture.contains("width=\"400\""));
    }
}
