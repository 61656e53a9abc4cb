//! The text format: map, instructions, and what is asked, in blocks between blank lines.

use super::board::{Cell, Instructions, Layout, State, WideBox};
use super::goal::{Arrangement, Goal, ScoreGoal, ScoreGoalError};
use crate::error::ParseError;
use crate::grid::Direction;
use crate::level::Warning;

/// Letters of a line of instructions that is printed.
const LINE_LETTERS: usize = 70;

/// What a text says, before options and replay.
pub(super) struct Sketch {
    pub(super) layout: Layout,
    pub(super) start: State,
    pub(super) instructions: Instructions,
    pub(super) demand: Option<GoalText>,
}

/// The third block.
pub(super) enum GoalText {
    Map(Arrangement),
    Score(ScoreGoal),
}

/// Whether a text looks like a warehouse and like nothing else. Sokoban shares `#`, `@` and `.`
/// (with another meaning), so a box or an instruction of the warehouse's own must be there.
pub fn sniff(text: &str) -> bool {
    let (mut own, mut robot) = (false, false);
    for block in blocks(text) {
        let letters = || block.lines.iter().flat_map(|(_, line)| line.chars());
        let known = match block.kind {
            Kind::Map => letters().all(|letter| "#.O[=]@?".contains(letter)),
            Kind::Instructions => letters().all(|letter| Direction::of_arrow(letter).is_some()),
            Kind::Score => true,
        };
        if !known {
            return false;
        }
        robot |= letters().any(|letter| letter == '@');
        own |= block.kind == Kind::Instructions || letters().any(|letter| "O[".contains(letter));
    }
    own && robot
}

/// What is said where a text asks for nothing but where its own instructions lead, as those of
/// Advent of Code do.
pub fn own_moves(text: &str) -> Option<Warning> {
    let sketch = Sketch::read(text).ok()?;
    if sketch.instructions.0.is_empty() || sketch.demand.is_some() {
        return None;
    }
    let text = "the instructions of the file are followed: part 1 of the puzzle. In part 2 \
                everything is twice as wide";
    Some(Warning::from(text).settled_by("widen", "1"))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Map,
    Instructions,
    Score,
}

/// Lines of one kind without a blank line between, each with its number.
struct Block<'a> {
    kind: Kind,
    lines: Vec<(usize, &'a str)>,
}

fn blocks(text: &str) -> Vec<Block<'_>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut fresh = true;
    for (number, line) in (1..).zip(text.lines().map(str::trim_end)) {
        let Some(first) = line.chars().next() else {
            fresh = true;
            continue;
        };
        if fresh {
            let kind = match first {
                'g' => Kind::Score,
                _ if Direction::of_arrow(first).is_some() => Kind::Instructions,
                _ => Kind::Map,
            };
            blocks.push(Block { kind, lines: Vec::new() });
            fresh = false;
        }
        if let Some(block) = blocks.last_mut() {
            block.lines.push((number, line));
        }
    }
    blocks
}

impl Sketch {
    pub(super) fn read(text: &str) -> Result<Self, ParseError> {
        let mut maps = Vec::new();
        let mut instructions = Instructions::default();
        let mut demand = None;
        for block in blocks(text) {
            let line = block.lines[0].0;
            match block.kind {
                Kind::Instructions => read_instructions(&block.lines, &mut instructions)?,
                Kind::Map if maps.len() < 2 => maps.push(block.lines),
                Kind::Map => {
                    return Err(ParseError::at(line, 0, "a third map").help(
                        "a file holds one warehouse: its map, instructions, and a goal map",
                    ));
                }
                Kind::Score if demand.is_some() => {
                    return Err(ParseError::at(line, 0, "a second demand on the score"));
                }
                Kind::Score => demand = Some(GoalText::Score(read_score(&block.lines)?)),
            }
        }
        let mut maps = maps.into_iter();
        let map = maps.next().ok_or_else(|| {
            ParseError::whole("no map in this text").help("`#` wall, `.` floor, `O` box, `@` robot")
        })?;
        let picture = Picture::read(&map)?;
        let (layout, start) = picture.start(map[0].0)?;
        if let Some(map) = maps.next() {
            if demand.is_some() {
                let message = "a goal map and a demand on the score in one file";
                return Err(ParseError::at(map[0].0, 0, message).help("keep one of the two"));
            }
            demand = Some(GoalText::Map(Picture::read(&map)?.goal(&layout, &map)?));
        }
        Ok(Self { layout, start, instructions, demand })
    }
}

pub(super) fn read_instructions(
    lines: &[(usize, &str)],
    instructions: &mut Instructions,
) -> Result<(), ParseError> {
    for &(number, line) in lines {
        for (column, letter) in (1..).zip(line.chars()) {
            match Direction::of_arrow(letter) {
                Some(direction) => instructions.0.push(direction),
                None if letter.is_whitespace() => {}
                None => {
                    let message = format!("`{letter}` is not an instruction");
                    return Err(ParseError::at(number, column, message)
                        .help("the instructions are `^`, `v`, `<` and `>`"));
                }
            }
        }
    }
    Ok(())
}

fn read_score(lines: &[(usize, &str)]) -> Result<ScoreGoal, ParseError> {
    let (number, line) = lines[0];
    if let Some(&(extra, _)) = lines.get(1) {
        return Err(ParseError::at(extra, 0, "the demand on the score is one line"));
    }
    let rest = line.strip_prefix("gps").ok_or_else(|| {
        ParseError::at(number, 1, "neither a map nor instructions nor a demand on the score")
            .help("a demand on the score is a line such as `gps >= 1200`")
    })?;
    rest.parse().map_err(|error: ScoreGoalError| {
        ParseError::at(number, 4, error.to_string()).help(ScoreGoal::HELP)
    })
}

/// A map as drawn, start or goal.
struct Picture {
    rows: Vec<Vec<char>>,
    walls: Vec<Vec<bool>>,
    /// Line of the first row.
    line: usize,
    /// Each box as row, column and width.
    boxes: Vec<(usize, usize, u32)>,
    robot: Option<(usize, usize)>,
}

impl Picture {
    fn read(lines: &[(usize, &str)]) -> Result<Self, ParseError> {
        let rows: Vec<Vec<char>> = lines.iter().map(|(_, line)| line.chars().collect()).collect();
        let walls = rows.iter().map(|row| row.iter().map(|&c| c == '#').collect()).collect();
        let line = lines[0].0;
        let mut picture = Self { rows, walls, line, boxes: Vec::new(), robot: None };
        for row in 0..picture.rows.len() {
            picture.read_row(row)?;
        }
        Ok(picture)
    }

    fn read_row(&mut self, row: usize) -> Result<(), ParseError> {
        let letters = &self.rows[row];
        let mut column = 0;
        while column < letters.len() {
            let mut width = 1;
            match letters[column] {
                '#' | '.' | '?' => {}
                'O' => self.boxes.push((row, column, 1)),
                '[' => {
                    width = wide_box(&letters[column..])
                        .map_err(|fault| self.fault(row, column, fault))?;
                    self.boxes.push((row, column, width));
                }
                '@' => match self.robot {
                    None => self.robot = Some((row, column)),
                    Some((other, _)) => {
                        let first = self.line + other;
                        return Err(self
                            .fault(row, column, "a second robot")
                            .help(format!("the first one is in line {first}; keep one `@`")));
                    }
                },
                other => return Err(self.unknown(row, column, other)),
            }
            column += width as usize;
        }
        Ok(())
    }

    fn fault(&self, row: usize, column: usize, message: impl Into<String>) -> ParseError {
        let message = message.into();
        let fault = ParseError::at(self.line + row, column + 1, message);
        match self.rows[row].get(column) {
            Some('[' | ']' | '=') => {
                fault.help("a wide box is `[]`, `[=]`, `[==]` and so on, all in one row")
            }
            _ => fault,
        }
    }

    fn unknown(&self, row: usize, column: usize, letter: char) -> ParseError {
        match letter {
            ']' | '=' => self.fault(row, column, format!("`{letter}` without a `[` before it")),
            _ => self.fault(row, column, format!("`{letter}` is not part of a map")).help(
                match letter {
                    '$' | '*' | '+' => "this may be Sokoban; here a box is `O` and floor is `.`",
                    ' ' => "floor is `.`",
                    _ if Direction::of_arrow(letter).is_some() => {
                        "instructions stand below the map, after a blank line"
                    }
                    _ => "`#` wall, `.` floor, `O` box, `[]` wide box, `@` robot",
                },
            ),
        }
    }

    /// The building and the start, when this is the first map.
    fn start(&self, line: usize) -> Result<(Layout, State), ParseError> {
        let layout = Layout::from_rows(&self.walls).ok_or_else(|| {
            ParseError::at(line, 0, format!("a map of more than {} cells", Layout::MAX_CELLS))
        })?;
        let free = self.rows.iter().enumerate().find_map(|(row, letters)| {
            Some((row, letters.iter().position(|&letter| letter == '?')?))
        });
        if let Some((row, column)) = free {
            return Err(self
                .fault(row, column, "`?` in the map of the start")
                .help("only a goal map, the second one of a file, may leave cells open"));
        }
        let (row, column) = self.robot.ok_or_else(|| {
            ParseError::at(line, 0, "no robot in the map").help("put one `@` on the floor")
        })?;
        let robot = Cell((row * layout.width() + column) as u32);
        let boxes = self.placed_boxes(&layout);
        Ok((layout, State { robot, boxes }))
    }

    fn placed_boxes(&self, layout: &Layout) -> Vec<WideBox> {
        let cell = |row, column| Cell((row * layout.width() + column) as u32);
        let boxes = self.boxes.iter();
        boxes.map(|&(row, column, width)| WideBox { left: cell(row, column), width }).collect()
    }

    /// The arrangement that is asked for, when this is the second map.
    fn goal(&self, layout: &Layout, lines: &[(usize, &str)]) -> Result<Arrangement, ParseError> {
        if self.rows.len() != layout.height() {
            let (asked, is) = (layout.height(), self.rows.len());
            let message = format!("the goal map has {is} rows, the map has {asked}");
            return Err(ParseError::at(lines[0].0, 0, message)
                .help("a goal map has the size and the walls of the map"));
        }
        let mut clear = Vec::new();
        for (row, letters) in self.rows.iter().enumerate() {
            if letters.len() > layout.width() {
                return Err(self.fault(row, layout.width(), "beyond the right edge of the map"));
            }
            for column in 0..layout.width() {
                let cell = Cell((row * layout.width() + column) as u32);
                match (letters.get(column), layout.is_wall(cell)) {
                    (None | Some('#' | '.' | '?'), true)
                    | (Some('O' | '[' | '=' | ']' | '?'), false) => {}
                    (Some('.' | '@'), false) => clear.push(cell),
                    (None, false) => {
                        return Err(self.fault(
                            row,
                            letters.len(),
                            "the row ends before the map's",
                        ));
                    }
                    (_, true) => {
                        return Err(self
                            .fault(row, column, "the map has a wall here")
                            .help("a goal map shows a wall as `#`"));
                    }
                    (_, false) => {
                        return Err(self
                            .fault(row, column, "the map has no wall here")
                            .help("`.` asks for no box, `?` asks for nothing"));
                    }
                }
            }
        }
        let robot = self.robot.and_then(|(row, column)| layout.cell(row, column));
        Ok(Arrangement { boxes: self.placed_boxes(layout), clear, robot })
    }
}

/// Width of the box that begins with the first letter, a `[`.
fn wide_box(letters: &[char]) -> Result<u32, &'static str> {
    let middle = letters[1..].iter().take_while(|&&letter| letter == '=').count();
    match letters.get(1 + middle) {
        Some(']') => Ok(middle as u32 + 2),
        Some('#') => Err("this box is cut off by a wall"),
        None => Err("this box is cut off by the edge of the map"),
        Some(_) => Err("this box has no right end"),
    }
}

/// The start, the instructions and the demand as text.
pub(super) fn print(
    layout: &Layout,
    start: &State,
    instructions: &Instructions,
    goal: &Goal,
) -> String {
    let mut text = draw(layout, start);
    if !instructions.0.is_empty() {
        text.push('\n');
        let letters: Vec<char> = instructions.to_string().chars().collect();
        for line in letters.chunks(LINE_LETTERS) {
            text.extend(line);
            text.push('\n');
        }
    }
    match goal {
        Goal::Map(arrangement) => {
            text.push('\n');
            text.push_str(&draw_goal(layout, arrangement));
        }
        Goal::Score(goal) => text.push_str(&format!("\ngps {goal}\n")),
        Goal::Same(_) | Goal::Anything => {}
    }
    text
}

/// A position as a map.
pub(super) fn draw(layout: &Layout, state: &State) -> String {
    let mut letters = blank(layout, '.');
    put_boxes(&mut letters, &state.boxes);
    letters[state.robot.index()] = '@';
    rows(layout, &letters)
}

fn draw_goal(layout: &Layout, arrangement: &Arrangement) -> String {
    let mut letters = blank(layout, '?');
    for cell in &arrangement.clear {
        letters[cell.index()] = '.';
    }
    put_boxes(&mut letters, &arrangement.boxes);
    if let Some(robot) = arrangement.robot {
        letters[robot.index()] = '@';
    }
    rows(layout, &letters)
}

fn blank(layout: &Layout, floor: char) -> Vec<char> {
    let mut letters = vec!['#'; layout.len()];
    for cell in layout.floor() {
        letters[cell.index()] = floor;
    }
    letters
}

fn put_boxes(letters: &mut [char], boxes: &[WideBox]) {
    for &wide in boxes {
        for (cell, letter) in wide.cells().zip(wide.letters()) {
            letters[cell.index()] = letter;
        }
    }
}

fn rows(layout: &Layout, letters: &[char]) -> String {
    letters
        .chunks(layout.width().max(1))
        .flat_map(|row| row.iter().copied().chain(['\n']))
        .collect()
}
