//! Boards as letters of the legend and as pictures, and games with one level as text.

use crate::scene::{Run, Sprite};
use crate::svg;
use puzzlescript_engine::{Game, Map, Mask, Object, has};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The text of a game around its levels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    /// Up to the heading of the sounds, where the legend ends.
    before_sounds: String,
    /// From there up to the heading of the levels, with it.
    before_levels: String,
}

impl Frame {
    /// Takes a text apart at the headings that its reader has found.
    pub(super) fn new(text: &str, game: &Game) -> Self {
        let [sounds, levels] = game.headings;
        let offset = |(line, column): (usize, usize)| {
            let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
            let start = starts.clone().nth(line.saturating_sub(1)).unwrap_or(text.len());
            let letters = text[start..].char_indices().map(|(at, _)| start + at);
            letters.clone().nth(column.saturating_sub(1)).unwrap_or(text.len())
        };
        let (sounds, levels) = (offset(sounds), offset(levels).max(offset(sounds)));
        let before_levels = format!("{}LEVELS\n", &text[sounds..levels]);
        Self { before_sounds: text[..sounds].to_owned(), before_levels }
    }

    /// The text without a rule or a win condition, by its line; nothing where a comment stands in
    /// the way.
    pub(super) fn without(&self, line: usize) -> Option<Self> {
        self.with_line(line, |text| {
            let (words, comment) = text.split_at(text.find('(').unwrap_or(text.len()));
            let is_plain = !words.trim().is_empty() && !words.contains(')');
            is_plain.then(|| comment.to_owned())
        })
    }

    /// The text with a rule, by its line, as the first of its group.
    pub(super) fn begun(&self, line: usize) -> Option<Self> {
        self.with_line(line, |text| Some(text.trim_start().strip_prefix('+')?.to_owned()))
    }

    fn with_line(&self, line: usize, change: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let before = self.before_sounds.matches('\n').count();
        let mut lines: Vec<&str> = self.before_levels.split('\n').collect();
        let place = lines.get_mut(line.checked_sub(before + 1)?)?;
        let changed = change(place)?;
        *place = &changed;
        Some(Self { before_levels: lines.join("\n"), ..self.clone() })
    }

    /// The game with this board as its only level.
    pub(super) fn print(&self, game: &Game, map: &Map) -> String {
        let mut legend = String::new();
        let glyphs = drawn(game, map).unwrap_or_else(|| with_new_glyphs(game, map, &mut legend));
        let legend = if legend.is_empty() { legend } else { format!("\n{legend}\n") };
        let rows = rows(map, &glyphs);
        format!("{}{legend}{}\n{rows}", self.before_sounds, self.before_levels)
    }
}

fn cells<'a>(game: &Game, map: &'a Map) -> std::slice::Chunks<'a, u64> {
    map.cells.chunks(game.object_words)
}

/// The letters of the legend, with their objects, that any row may have: one of nothing but `=` is
/// no row to the reader.
fn row_glyphs(game: &Game) -> impl Iterator<Item = &(char, Mask)> {
    game.glyphs.iter().filter(|(glyph, _)| *glyph != '=')
}

/// Letters for the cells, if the legend has some that are read as just this board.
fn drawn(game: &Game, map: &Map) -> Option<Vec<char>> {
    let background = game.background_layer();
    let without = |cell: &[u64]| -> Vec<u64> {
        cell.iter().zip(background.words()).map(|(cell, background)| cell & !background).collect()
    };
    let mut exact: BTreeMap<&[u64], char> = BTreeMap::new();
    for (glyph, mask) in row_glyphs(game) {
        exact.entry(mask.words()).or_insert(*glyph);
    }
    let glyph = |cell: &[u64]| exact.get(cell).or_else(|| exact.get(&without(cell)[..])).copied();
    let letters: Option<Vec<char>> = cells(game, map).map(glyph).collect();
    let letters = letters?;
    (game.cells_of(&letters)? == map.cells).then_some(letters)
}

/// Letters for the cells, with new ones in the legend for all that have none of just their objects.
/// Where rules have taken a background away, it will be read again: maps cannot do without.
fn with_new_glyphs(game: &Game, map: &Map, legend: &mut String) -> Vec<char> {
    let mut known: BTreeMap<Vec<u64>, char> = BTreeMap::new();
    for (glyph, mask) in row_glyphs(game) {
        known.entry(mask.words().to_vec()).or_insert(*glyph);
    }
    let is_free =
        |c: &char| c.is_alphanumeric() && c.to_lowercase().eq([*c]) && !game.letters.contains(c);
    let mut free = ('0'..='\u{2fff}').filter(is_free);
    let cells = cells(game, map).map(|cell| {
        *known.entry(cell.to_vec()).or_insert_with(|| {
            let glyph = free.next().unwrap_or('?');
            // No map can say that nothing is in a cell, not even a background.
            let is_empty = cell.iter().all(|&word| word == 0);
            let objects = game.objects.iter().filter(|object| {
                has(cell, object.bit) || is_empty && object.bit == game.background
            });
            let names: Vec<&str> = objects.map(|object| object.name.as_str()).collect();
            let _ = writeln!(legend, "{glyph} = {}", names.join(" and "));
            glyph
        })
    });
    cells.collect()
}

fn rows(map: &Map, letters: &[char]) -> String {
    let mut text = String::new();
    for row in 0..map.height {
        text.extend((0..map.width).map(|column| letters[column * map.height + row]));
        text.push('\n');
    }
    text
}

/// A board as letters of the legend, as the file writes them.
pub(super) fn plain(game: &Game, map: &Map) -> String {
    let letters: Vec<char> = seen(game, map).collect();
    rows(map, &letters)
}

/// The letter of each cell, column by column: that of its objects, else that of what can be seen
/// on top, with as much of the rest as a letter has; `?` where there is none.
fn seen<'a>(game: &'a Game, map: &'a Map) -> impl Iterator<Item = char> + 'a {
    let is_seen = |object: &&Object| object.colors.iter().any(|color| hex(color).is_some());
    let mut seen = Mask::empty(game.object_words);
    game.objects.iter().filter(is_seen).for_each(|object| seen.insert(object.bit));
    let on_top = move |cell: &[u64]| {
        let top = seen.bits().filter(|&bit| has(cell, bit)).last()?;
        let fits = |(_, mask): &&(char, Mask)| mask.has(top) && mask.is_within(cell);
        game.glyphs.iter().filter(fits).max_by_key(|(_, mask)| mask.bits().count())
    };
    let background = game.background_layer();
    let shown = move |cell: &[u64], mask: &Mask| {
        let pairs = cell.iter().zip(mask.words()).zip(background.words());
        pairs.clone().all(|((cell, mask), background)| cell & !background == mask & !background)
    };
    cells(game, map).map(move |cell| {
        let exact = game.glyphs.iter().find(|(_, mask)| mask.words() == cell);
        let near = || game.glyphs.iter().find(|(_, mask)| shown(cell, mask));
        let glyph = exact.or_else(near).or_else(|| on_top(cell)).map_or('?', |&(glyph, _)| glyph);
        game.capitals.get(&glyph).copied().unwrap_or(glyph)
    })
}

/// A board for a terminal: the same letters in the colour of what is on top, on that of what is
/// below.
pub(super) fn coloured(game: &Game, map: &Map) -> String {
    let objects = by_layer(game);
    let colours: Vec<_> = objects.iter().map(|&object| (object.bit, main_colour(object))).collect();
    let letters: Vec<char> = seen(game, map).collect();
    let tiles: Vec<String> = cells(game, map)
        .zip(letters)
        .map(|(cell, letter)| {
            let standing = colours.iter().filter(|(bit, _)| has(cell, *bit));
            let mut looks = standing.filter_map(|(_, look)| *look);
            let Some((mut below, _)) = looks.next() else { return letter.to_string() };
            let mut above = below;
            for (colour, fills) in looks {
                above = colour;
                below = if fills { colour } else { below };
            }
            if above == below {
                let [red, green, blue] = below.map(u32::from);
                let is_light = 3 * red + 6 * green + blue > 1275;
                above = if is_light { [0; 3] } else { [255; 3] };
            }
            let code = |[red, green, blue]: [u8; 3]| format!("8;2;{red};{green};{blue}");
            format!("\u{1b}[3{};4{}m{letter}\u{1b}[0m", code(above), code(below))
        })
        .collect();
    let mut text = String::new();
    for row in 0..map.height {
        text.extend((0..map.width).map(|column| tiles[column * map.height + row].as_str()));
        text.push('\n');
    }
    text
}

/// The colour that most of a sprite has, and whether it fills its cell; nothing where no dot of it
/// can be seen.
fn main_colour(object: &Object) -> Option<([u8; 3], bool)> {
    let mut lengths: BTreeMap<String, usize> = BTreeMap::new();
    for run in sprite(object).runs {
        *lengths.entry(run.colour).or_default() += run.length;
    }
    let fills = lengths.values().sum::<usize>() == 25;
    let (colour, _) = lengths.into_iter().max_by_key(|&(_, length)| length)?;
    let digits: Vec<u8> =
        colour.chars().filter_map(|c| c.to_digit(16)).map(|digit| digit as u8).collect();
    let rgb = match digits[..] {
        [red, green, blue] => [red, green, blue].map(|digit| digit * 17),
        [a, b, c, d, e, f, ..] => [a * 16 + b, c * 16 + d, e * 16 + f],
        _ => return None,
    };
    Some((rgb, fills))
}

/// Side of one dot of a sprite.
const DOT: f64 = 4.0;

/// A board as a picture: the sprites of each cell, layer over layer.
pub(super) fn picture(game: &Game, map: &Map) -> String {
    let size = |cells: usize| cells as f64 * 5.0 * DOT;
    let mut text = svg::open(size(map.width), size(map.height), "#000000");
    let objects: Vec<_> =
        by_layer(game).into_iter().map(|object| (object.bit, sprite(object).runs)).collect();
    for (at, cell) in cells(game, map).enumerate() {
        let (left, top) = (size(at / map.height), size(at % map.height));
        for (_, runs) in objects.iter().filter(|(bit, _)| has(cell, *bit)) {
            for Run { row, column, length, colour } in runs {
                let corner = (left + *column as f64 * DOT, top + *row as f64 * DOT);
                let look = format!("fill=\"{colour}\" shape-rendering=\"crispEdges\"");
                text += &svg::rect(corner, (*length as f64 * DOT, DOT), &look);
            }
        }
    }
    text + svg::CLOSE
}

/// The objects in the order of drawing.
pub(super) fn by_layer(game: &Game) -> Vec<&Object> {
    let mut objects: Vec<_> = game.objects.iter().collect();
    objects.sort_by_key(|object| object.bit);
    objects
}

/// How an object looks.
pub(super) fn sprite(object: &Object) -> Sprite {
    let dot = |row: usize, column: usize| match object.sprite.get(row) {
        Some(dots) => dots.chars().nth(column).and_then(|dot| dot.to_digit(10)),
        None => object.sprite.is_empty().then_some(0),
    };
    let mut runs = Vec::new();
    for row in 0..5 {
        let dots: Vec<Option<u32>> = (0..5).map(|column| dot(row, column)).collect();
        let mut column = 0;
        for run in dots.chunk_by(|a, b| a == b) {
            let named = run[0].and_then(|number| object.colors.get(number as usize));
            if let Some(colour) = named.and_then(|name| hex(name)) {
                runs.push(Run { row, column, length: run.len(), colour });
            }
            column += run.len();
        }
    }
    Sprite { name: object.name.clone(), runs }
}

/// A colour as SVG knows it; nothing for what is transparent. Names have the values of the palette
/// that games have by default.
fn hex(name: &str) -> Option<String> {
    let value = match name {
        "black" => "#000000",
        "white" => "#ffffff",
        "grey" | "gray" => "#9d9d9d",
        "darkgrey" | "darkgray" => "#697175",
        "lightgrey" | "lightgray" => "#cccccc",
        "red" => "#be2633",
        "darkred" => "#732930",
        "lightred" => "#e06f8b",
        "brown" => "#a46422",
        "darkbrown" => "#493c2b",
        "lightbrown" => "#eeb62f",
        "orange" => "#eb8931",
        "yellow" => "#f7e26b",
        "green" => "#44891a",
        "darkgreen" => "#2f484e",
        "lightgreen" => "#a3ce27",
        "blue" => "#1d57f7",
        "lightblue" => "#b2dcef",
        "darkblue" => "#1b2632",
        "purple" => "#342a97",
        "pink" => "#de65e2",
        code if code.starts_with('#') => code,
        _ => return None,
    };
    Some(value.to_owned())
}
