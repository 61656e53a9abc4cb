//! Marks on SVG pictures: what an answer says about cells, drawn on the board.

use crate::instance::Instance;
use serde::Serialize;
use unstuck_puzzles::pieces::{Coord, Squares};
use unstuck_puzzles::svg::{self, Point};
use unstuck_puzzles::{Part, Picture};

/// What a mark means; distinguished by its shape, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MarkStyle {
    /// Something to look at: a ring.
    Pointed,
    /// Something that is lost, or that makes a level unsolvable: a ring and a cross.
    Lost,
    /// Something that counts: a plate with letters on it.
    Counts,
    /// Something that changes nothing: a small grey plate.
    Idle,
}

/// A mark on a cell, or between two cells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(rename = "MarkView"))]
pub struct Mark {
    /// The cells: one, or two that are joined.
    pub places: Vec<Coord>,
    /// What it means.
    #[cfg_attr(feature = "schema", ts(type = "string"))]
    pub look: MarkStyle,
    /// A few letters, where the look has room for them.
    pub label: String,
}

impl Mark {
    /// A mark on a cell.
    pub fn new(place: Coord, look: MarkStyle, label: impl Into<String>) -> Self {
        Self { places: vec![place], look, label: label.into() }
    }

    /// The same mark on all cells of a part.
    pub fn part<'a>(
        part: &'a Part,
        look: MarkStyle,
        label: &'a str,
    ) -> impl Iterator<Item = Self> + 'a {
        part.places.iter().map(move |&place| Self::new(place, look, label))
    }

    /// The mark, drawn; nothing where one of its cells is not in the picture.
    fn draw(&self, middle: Middle<'_>) -> Option<String> {
        let ends = self.places.iter().map(|&place| middle(place)).collect::<Option<Vec<_>>>()?;
        let side = ends.first()?.1;
        let ends: Vec<Point> = ends.into_iter().map(|(at, _)| at).collect();
        let count = ends.len().max(1) as f64;
        let sum = ends.iter().fold((0.0, 0.0), |(x, y), end| (x + end.0, y + end.1));
        let at = (sum.0 / count, sum.1 / count);
        let ring = |colour: &str, radius: f64| {
            let look = |width: f64, colour: &str| {
                format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width:.1}\"")
            };
            // A light rim makes it visible on any ground.
            svg::disc(at, radius, &look(side * 0.14, "#ffffff"))
                + &svg::disc(at, radius, &look(side * 0.08, colour))
        };
        let plate = |fill: &str, radius: f64, ink: &str| {
            let look = format!("fill=\"{fill}\" stroke=\"#ffffff\" stroke-width=\"1\"");
            svg::disc(at, radius, &look) + &svg::label(&self.label, at, radius, ink)
        };
        let bar = match ends.as_slice() {
            [a, b] => {
                let line = |width: f64, colour: &str| {
                    let look = format!("stroke=\"{colour}\" stroke-width=\"{width:.1}\"");
                    svg::polygon(&[*a, *b], &look)
                };
                line(side * 0.22, "#ffffff") + &line(side * 0.14, "#0072b2")
            }
            _ => String::new(),
        };
        let mark = match self.look {
            MarkStyle::Pointed => ring("#d55e00", side * 0.43),
            MarkStyle::Lost => {
                let r = side * 0.28;
                let stroke = |a: Point, b: Point| {
                    let look = format!("stroke=\"#d55e00\" stroke-width=\"{:.1}\"", side * 0.1);
                    svg::polygon(&[a, b], &look)
                };
                ring("#d55e00", side * 0.43)
                    + &stroke((at.0 - r, at.1 - r), (at.0 + r, at.1 + r))
                    + &stroke((at.0 - r, at.1 + r), (at.0 + r, at.1 - r))
            }
            MarkStyle::Counts => plate("#d55e00", side * 0.36, "#ffffff"),
            MarkStyle::Idle => plate("#9a9a9a", side * 0.2, "#ffffff"),
        };
        Some(bar + &mark)
    }
}

/// Where the middle of a cell is in a picture, and how wide cells are there.
type Middle<'a> = &'a dyn Fn(Coord) -> Option<(Point, f64)>;

/// The picture of an instance with marks; as it is where its cells have no places.
pub fn on(picture: Picture, instance: &dyn Instance, marks: &[Mark]) -> Picture {
    let side = instance.squares().and_then(|squares| side(&picture, &squares));
    let square = |(row, column): Coord| {
        let side = side?;
        Some((((column as f64 + 0.5) * side, (row as f64 + 0.5) * side), side))
    };
    drawn(picture, &|place| instance.middle(place).or_else(|| square(place)), marks)
}

/// How wide the squares of a picture are.
fn side(picture: &str, squares: &Squares) -> Option<f64> {
    let width = picture.split_once(" width=\"")?.1.split_once('"')?.0;
    let width: f64 = width.parse().ok()?;
    (squares.columns > 0).then(|| width / squares.columns as f64)
}

fn drawn(picture: Picture, middle: Middle<'_>, marks: &[Mark]) -> Picture {
    let drawn: String = marks.iter().filter_map(|mark| mark.draw(middle)).collect();
    let body = picture.trim_end().trim_end_matches(svg::CLOSE.trim_end());
    format!("{body}{drawn}{}", svg::CLOSE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_lie_on_their_cells() {
        let sheet = svg::open(80.0, 40.0, "#ffffff") + svg::CLOSE;
        let squares = Squares { rows: 2, columns: 4, ends: Vec::new() };
        assert_eq!(side(&sheet, &squares), Some(20.0));
        let middle = |(row, column): Coord| {
            let known = row < 2 && column < 4;
            known.then_some(((column as f64 * 20.0 + 10.0, row as f64 * 20.0 + 10.0), 20.0))
        };
        let marked = drawn(sheet.clone(), &middle, &[Mark::new((1, 2), MarkStyle::Pointed, "")]);
        assert!(marked.contains("cx=\"50\" cy=\"30\""), "{marked}");
        assert!(marked.starts_with("<svg") && marked.ends_with("</svg>\n"), "{marked}");
        let off = Mark::new((7, 2), MarkStyle::Lost, "");
        assert_eq!(drawn(sheet.clone(), &middle, &[off]), sheet);
    }
}
