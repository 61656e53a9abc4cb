//! Boards as letters and as box drawing.

use super::board::{Board, Heading, Name, Shape, Touch};
use super::check::{Solution, check};
use super::print::{cell_edges, is_side, place, print, side, walls};
use crate::picture::Style;
use crate::sketch::Span;
use std::collections::HashMap;

/// A step of a path between two cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) pair: usize,
    pub(super) from: usize,
    pub(super) to: usize,
}

/// The steps of all paths, as far as the board knows their labels and cells.
pub(super) fn steps(board: &Board, solution: &Solution) -> Vec<Step> {
    let numbers: HashMap<&Name, usize> =
        board.cells.iter().enumerate().map(|(number, cell)| (&cell.name, number)).collect();
    let pairs = board.pair_numbers();
    let mut steps = Vec::new();
    for flow in &solution.flows {
        let Some(&pair) = pairs.get(flow.label.as_str()) else { continue };
        let cells: Vec<usize> = flow.cells.iter().filter_map(|n| numbers.get(n).copied()).collect();
        steps.extend(cells.windows(2).map(|step| Step { pair, from: step[0], to: step[1] }));
    }
    steps
}

/// For each cell the pair whose path passes it; a bridge has none.
fn owners(board: &Board, steps: &[Step]) -> Vec<Option<usize>> {
    let mut owners = vec![None; board.cells.len()];
    for step in steps {
        owners[step.from] = Some(step.pair);
        owners[step.to] = Some(step.pair);
    }
    for (cell, owner) in board.cells.iter().zip(&mut owners) {
        if cell.is_bridge() {
            *owner = None;
        }
    }
    owners
}

/// The board in the file's format; a solved one with the label of its path on each cell, and with
/// the steps between them where the labels alone do not show the paths.
pub(super) fn plain(board: &Board, solution: Option<&Solution>) -> String {
    let Some(solution) = solution else { return print(board) };
    let clear = check(&board.under(Touch::Never, false), solution).is_ok();
    let width = board.pairs.iter().map(|pair| pair.label.chars().count()).max().unwrap_or(1);
    match board.shape {
        Shape::Graph => format!("{solution}\n"),
        Shape::Square if clear => {
            let owners = owners(board, &steps(board, solution));
            let (rows, columns) = board.extent().unwrap_or_default();
            let mut grid = vec![vec!["#"; columns]; rows];
            for (cell, owner) in board.cells.iter().zip(&owners) {
                let (row, column) = cell.name.place().unwrap_or_default();
                grid[row][column] = match owner {
                    Some(pair) => &board.pairs[*pair].label,
                    None if cell.is_bridge() => "+",
                    None => ".",
                };
            }
            let gap = if width > 1 { " " } else { "" };
            let line = |row: &Vec<&str>| {
                let cells: Vec<_> = row.iter().map(|label| format!("{label:width$}")).collect();
                cells.join(gap).trim_end().to_owned() + "\n"
            };
            grid.iter().map(line).collect()
        }
        _ => draw(board, Some(solution), false, PathStyle::Letters),
    }
}

/// The board as box drawing.
pub(super) fn unicode(board: &Board, solution: Option<&Solution>, color: bool) -> String {
    match (board.shape, solution) {
        (Shape::Graph, Some(solution)) => format!("{solution}\n"),
        (Shape::Graph, None) => print(board),
        _ => draw(board, solution, color, PathStyle::Tubes),
    }
}

/// A drawing that need not be finished, as letters with the steps between them.
pub(super) fn letters(board: &Board, drawn: &Solution) -> String {
    match board.shape {
        Shape::Graph => format!("{drawn}\n"),
        _ => draw(board, Some(drawn), false, PathStyle::Letters),
    }
}

/// Where a cell stands in [`letters`] or in [`unicode`].
pub(super) fn span(board: &Board, drawn: &Solution, cell: usize, style: Style) -> Option<Span> {
    let look = match style {
        Style::Plain => PathStyle::Letters,
        Style::Unicode { .. } => PathStyle::Tubes,
        Style::Svg => return None,
    };
    let (row, column) = board.cells[cell].name.place()?;
    let raster = Raster::of(board, look);
    let above = canvas(board, Some(drawn), look).0.blank_lines_above();
    let (line, column) = raster.at(row, column);
    Some(Span { line: line - above, column, width: raster.wide - 1 })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PathStyle {
    /// Each cell shows the label of its path.
    Letters,
    /// Each cell shows how the path runs through it.
    Tubes,
}

/// Characters with the number of the pair that colours them.
struct Canvas {
    look: PathStyle,
    lines: Vec<Vec<(char, Option<usize>)>>,
}

impl Canvas {
    /// Draws a part of a path or of the board; as letters with what every keyboard has.
    fn stroke(&mut self, y: usize, x: usize, symbol: char, pair: Option<usize>) {
        let plain = match symbol {
            '─' => '-',
            '│' => '|',
            '╱' => '/',
            '╲' => '\\',
            '┼' => '+',
            _ => '.',
        };
        self.put(y, x, if self.look == PathStyle::Letters { plain } else { symbol }, pair);
    }

    fn put(&mut self, y: usize, x: usize, symbol: char, pair: Option<usize>) {
        if let Some(slot) = self.lines.get_mut(y).and_then(|line| line.get_mut(x)) {
            *slot = (symbol, pair);
        }
    }

    fn blank_lines_above(&self) -> usize {
        self.lines.iter().take_while(|line| line.iter().all(|slot| slot.0 == ' ')).count()
    }

    fn text(&self, color: bool) -> String {
        let line = |line: &Vec<(char, Option<usize>)>| {
            let end = line.iter().rposition(|slot| slot.0 != ' ').map_or(0, |last| last + 1);
            let mut out = String::new();
            for &(symbol, pair) in &line[..end] {
                match pair.filter(|_| color && symbol != ' ') {
                    Some(pair) => {
                        let (r, g, b) = hue(pair);
                        out += &format!("\x1b[38;2;{r};{g};{b}m{symbol}\x1b[0m");
                    }
                    None => out.push(symbol),
                }
            }
            out + "\n"
        };
        self.lines.iter().map(line).collect()
    }
}

/// A colour for each pair: steps of the golden angle around the colour circle keep neighbours in
/// the list far apart.
pub(super) fn hue(pair: usize) -> (u8, u8, u8) {
    let sector = (pair * 1375 % 3600) as f64 / 600.0;
    let low = if (pair / 8).is_multiple_of(2) { 70.0 } else { 120.0 };
    let ramp = |offset: f64| {
        let distance = ((sector + offset) % 6.0 - 3.0).abs() - 1.0;
        (low + (250.0 - low) * distance.clamp(0.0, 1.0)) as u8
    };
    (ramp(0.0), ramp(4.0), ramp(2.0))
}

/// Where cells lie on a canvas.
#[derive(Clone, Copy)]
struct Raster {
    tall: usize,
    /// Letters of a cell, and one between cells.
    wide: usize,
}

impl Raster {
    fn of(board: &Board, look: PathStyle) -> Self {
        let sides = cell_edges(board);
        let wide = board.pairs.iter().map(|pair| pair.label.chars().count()).max().unwrap_or(1) + 1;
        let diagonal = sides.iter().any(|&(a, b)| crooked(board, a, b));
        // Between letters the steps show that there is no way; tubes leave room for walls.
        let roomy = diagonal || look == PathStyle::Letters || !walls(board).is_empty();
        Self { tall: if roomy { 2 } else { 1 }, wide }
    }

    /// Line and column. A margin of one row and column is for paths that leave over the rim.
    fn at(self, row: usize, column: usize) -> (usize, usize) {
        (row * self.tall + 1, column * self.wide + 2)
    }
}

fn draw(board: &Board, solution: Option<&Solution>, color: bool, look: PathStyle) -> String {
    let (canvas, far) = canvas(board, solution, look);
    let text = canvas.text(color);
    let text = text.trim_end().trim_start_matches('\n');
    format!("{text}\n{}", far.concat())
}

/// The drawing, and the steps that cannot be drawn, in words.
fn canvas(board: &Board, solution: Option<&Solution>, look: PathStyle) -> (Canvas, Vec<String>) {
    let steps = solution.map(|solution| steps(board, solution)).unwrap_or_default();
    let (rows, columns) = board.extent().unwrap_or_default();
    let walls = if look == PathStyle::Tubes { walls(board) } else { Vec::new() };
    let raster = Raster::of(board, look);
    let (tall, wide) = (raster.tall, raster.wide);
    let at = |row: usize, column: usize| raster.at(row, column);
    let mut canvas =
        Canvas { look, lines: vec![vec![(' ', None); columns * wide + 3]; rows * tall + 2] };
    for &(a, b) in &walls {
        let ((row, column), (below, beside)) = (place(board, a), place(board, b));
        let ((y, x), (v, u)) = (at(row, column), at(below, beside));
        let symbol = if row == below { '┃' } else { '━' };
        canvas.stroke((y + v).div_ceil(2), if row == below { u - 1 } else { x }, symbol, None);
    }
    let mut far = Vec::new();
    for step in &steps {
        if is_side(board, step.from, step.to) || crooked(board, step.from, step.to) {
            draw_step(board, &mut canvas, step, at);
        } else if let Some(heading) = rim(board, step) {
            let stub = |canvas: &mut Canvas, cell, heading: Heading| {
                let (row, column) = place(board, cell);
                let (y, x) = at(row, column);
                match heading {
                    Heading::N => canvas.stroke(y - 1, x, '│', Some(step.pair)),
                    Heading::S => canvas.stroke(y + 1, x, '│', Some(step.pair)),
                    Heading::W => canvas.stroke(y, x - 1, '─', Some(step.pair)),
                    _ => (1..wide).for_each(|i| canvas.stroke(y, x + i, '─', Some(step.pair))),
                }
            };
            stub(&mut canvas, step.from, heading);
            stub(&mut canvas, step.to, heading.opposite());
        } else {
            let [from, to] = [step.from, step.to].map(|cell| &board.cells[cell].name);
            far.push(format!("{}: {from} = {to}\n", board.pairs[step.pair].label));
        }
    }
    draw_cells(board, &mut canvas, &steps, look, at);
    (canvas, far)
}

/// Whether two cells lie diagonally beside each other in the drawing.
fn crooked(board: &Board, a: usize, b: usize) -> bool {
    let (a, b) = (place(board, a), place(board, b));
    a.0.abs_diff(b.0) == 1 && a.1.abs_diff(b.1) == 1
}

/// The side over which a step leaves the board, if it joins opposite ends of a row or column.
pub(super) fn rim(board: &Board, step: &Step) -> Option<Heading> {
    let (rows, columns) = board.extent().filter(|_| board.shape == Shape::Square)?;
    let (from, to) = (place(board, step.from), place(board, step.to));
    match (from.0 == to.0, from.1 == to.1) {
        (true, _) if from.1 == 0 && to.1 + 1 == columns => Some(Heading::W),
        (true, _) if to.1 == 0 && from.1 + 1 == columns => Some(Heading::E),
        (_, true) if from.0 == 0 && to.0 + 1 == rows => Some(Heading::N),
        (_, true) if to.0 == 0 && from.0 + 1 == rows => Some(Heading::S),
        _ => None,
    }
}

fn draw_step(
    board: &Board,
    canvas: &mut Canvas,
    step: &Step,
    at: impl Fn(usize, usize) -> (usize, usize),
) {
    let (from, to) = (place(board, step.from), place(board, step.to));
    let ((y, x), (v, u)) = (at(from.0, from.1), at(to.0, to.1));
    let pair = Some(step.pair);
    if y == v {
        (x.min(u) + 1..x.max(u)).for_each(|x| canvas.stroke(y, x, '─', pair));
    } else if x == u {
        (y.min(v) + 1..y.max(v)).for_each(|y| canvas.stroke(y, x, '│', pair));
    } else {
        let symbol = if (y < v) == (x < u) { '╲' } else { '╱' };
        canvas.stroke((y + v) / 2, (x + u).div_ceil(2), symbol, pair);
    }
}

fn draw_cells(
    board: &Board,
    canvas: &mut Canvas,
    steps: &[Step],
    look: PathStyle,
    at: impl Fn(usize, usize) -> (usize, usize),
) {
    let owners = owners(board, steps);
    let mut sides: Vec<Vec<Heading>> = vec![Vec::new(); board.cells.len()];
    for step in steps {
        for (cell, other) in [(step.from, step.to), (step.to, step.from)] {
            let turned = Step { from: cell, to: other, ..*step };
            sides[cell].extend(side(board, cell, other).or_else(|| rim(board, &turned)));
        }
    }
    let mut termini = vec![None; board.cells.len()];
    for (number, pair) in board.pairs.iter().enumerate() {
        for end in pair.ends {
            termini[board.owners[end]] = Some(number);
        }
    }
    for (number, cell) in board.cells.iter().enumerate() {
        let (row, column) = place(board, number);
        let (y, x) = at(row, column);
        let owner = owners[number];
        let labelled = match owner {
            Some(pair) if look == PathStyle::Letters => Some(pair),
            _ => termini[number],
        };
        if let Some(pair) = labelled {
            for (i, symbol) in board.pairs[pair].label.chars().enumerate() {
                canvas.put(y, x + i, symbol, Some(pair));
            }
        } else {
            let symbol = match (look, owner) {
                _ if cell.is_bridge() => '┼',
                (PathStyle::Tubes, Some(_)) if board.shape == Shape::Square => tube(&sides[number]),
                (PathStyle::Tubes, Some(_)) => '•',
                _ => '·',
            };
            canvas.stroke(y, x, symbol, owner);
        }
    }
}

fn tube(sides: &[Heading]) -> char {
    use Heading::{E, N, S, W};
    match [N, E, S, W].map(|side| sides.contains(&side)) {
        [true, false, true, false] => '│',
        [false, true, false, true] => '─',
        [true, true, false, false] => '└',
        [true, false, false, true] => '┘',
        [false, true, true, false] => '┌',
        [false, false, true, true] => '┐',
        [true, false, false, false] => '╵',
        [false, true, false, false] => '╶',
        [false, false, true, false] => '╷',
        [false, false, false, true] => '╴',
        _ => '•',
    }
}
