//! Boards made in code.

use super::board::{self, Board, Cell, Heading, Name, Pair, Shape, Touch};
use crate::error::ParseError;
use crate::printable::unprintable;
use indexmap::IndexMap;
use itertools::Itertools;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

/// The largest number of cells of a board: 1024 x 1024.
pub const MAX_CELLS: usize = 1 << 20;

/// So many of the cells that share a label are named.
const MOST_PLACES: usize = 6;

/// Refuses a rectangle of more than [`MAX_CELLS`] cells.
pub(super) fn fits(width: usize, height: usize) -> Result<(), BoardError> {
    if width.checked_mul(height).is_some_and(|cells| cells <= MAX_CELLS) {
        return Ok(());
    }
    let message = format!("a board of {width} x {height} cells is too large");
    Err(BoardError::new(message).help(format!("at most {MAX_CELLS} cells fit")))
}

/// Refuses what cannot be the name or the label of a cell.
fn one_word(word: &str, what: &str, cell: &Name) -> Result<(), BoardError> {
    let help = format!("a {what} has at least one character, no white space and nothing hidden");
    let message = match unprintable(word) {
        Some(hidden) => format!("the character {hidden} cannot be in a {what}"),
        None if word.is_empty() || word.contains(char::is_whitespace) => {
            format!("`{word}` cannot be a {what}")
        }
        None => return Ok(()),
    };
    Err(BoardError::on(cell, message).help(help))
}

/// Why something cannot be a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardError {
    /// What is wrong, as one sentence without a full stop.
    pub message: String,
    /// What to do about it, as one sentence without a full stop.
    pub help: Option<String>,
    /// The cell that it is about.
    pub cell: Option<Name>,
}

impl BoardError {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None, cell: None }
    }

    pub(super) fn on(cell: &Name, message: impl Into<String>) -> Self {
        Self { cell: Some(cell.clone()), ..Self::new(message) }
    }

    pub(super) fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// The same as a fault of a text.
    pub(super) fn at(self, line: usize, column: usize) -> ParseError {
        ParseError { line, column, message: self.message, help: self.help }
    }
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for BoardError {}

type BuildResult<'a> = Result<&'a mut Builder, BoardError>;

/// Makes boards step by step: a lattice or a graph, then termini, walls, holes, bridges, warps and
/// links, then [`Builder::build`].
///
/// ```
/// use unstuck_puzzles::flow::Builder;
///
/// let board = Builder::square(3, 2)?
///     .pair("A", (0, 0), (0, 2))?
///     .pair("B", (1, 0), (1, 2))?
///     .wall((0, 1), (1, 1))?
///     .build()?;
/// assert_eq!(board.cells().len(), 6);
/// # Ok::<(), unstuck_puzzles::flow::BoardError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Builder {
    shape: Shape,
    /// `None` once the cell has become a hole.
    cells: Vec<Option<Name>>,
    index: HashMap<Name, usize>,
    /// Rows and columns up to the last cell on a lattice, holes too.
    extent: Option<(usize, usize)>,
    /// By cell.
    neighbours: Vec<BTreeSet<usize>>,
    /// What lies on the other side of a side; holds only while the edge is there.
    sides: BTreeMap<(usize, Heading), usize>,
    bridges: BTreeMap<usize, Option<Vec<[usize; 2]>>>,
    /// By cell, in the order in which they came: the label of the terminus there.
    termini: IndexMap<usize, String>,
    touch: Touch,
    cover: bool,
}

impl Builder {
    fn empty(shape: Shape) -> Self {
        Self {
            shape,
            cells: Vec::new(),
            index: HashMap::new(),
            extent: None,
            neighbours: Vec::new(),
            sides: BTreeMap::new(),
            bridges: BTreeMap::new(),
            termini: IndexMap::new(),
            touch: Touch::Auto,
            cover: true,
        }
    }

    /// A full rectangle of squares.
    ///
    /// # Errors
    /// When it has no cell or more than [`MAX_CELLS`].
    pub fn square(width: usize, height: usize) -> Result<Self, BoardError> {
        Self::lattice(Shape::Square, width, height)
    }

    /// A full rectangle of hexagons in columns, the odd columns half a cell lower.
    ///
    /// # Errors
    /// When it has no cell or more than [`MAX_CELLS`].
    pub fn hex(width: usize, height: usize) -> Result<Self, BoardError> {
        Self::lattice(Shape::Hex { odd_low: true }, width, height)
    }

    /// No cells yet: [`Builder::cell`] and [`Builder::link`] make the graph.
    pub fn graph() -> Self {
        Self::empty(Shape::Graph)
    }

    fn lattice(shape: Shape, width: usize, height: usize) -> Result<Self, BoardError> {
        if width == 0 || height == 0 {
            return Err(BoardError::new("the board has no cell"));
        }
        fits(width, height)?;
        let mut builder = Self::empty(shape);
        for place in (0..height).flat_map(|row| (0..width).map(move |column| (row, column))) {
            builder.cell(place)?;
        }
        for cell in 0..builder.cells.len() {
            builder.join_sides(cell);
        }
        Ok(builder)
    }

    /// A lattice with cells at some places only and no edge yet.
    pub(super) fn loose(
        shape: Shape,
        places: impl IntoIterator<Item = (usize, usize)>,
    ) -> Result<Self, BoardError> {
        let mut builder = Self::empty(shape);
        for place in places {
            builder.cell(place)?;
        }
        Ok(builder)
    }

    fn join_sides(&mut self, cell: usize) {
        let place = self.cells[cell].as_ref().and_then(Name::place);
        for &heading in self.shape.headings() {
            let beside = place.and_then(|place| self.shape.beside(place, heading));
            if let Some(&other) = beside.and_then(|place| self.index.get(&Name::from(place))) {
                self.join(cell, heading, other);
            }
        }
    }

    fn join(&mut self, a: usize, heading: Heading, b: usize) {
        self.sides.insert((a, heading), b);
        self.sides.insert((b, heading.opposite()), a);
        self.connect(a, b);
    }

    fn connect(&mut self, a: usize, b: usize) {
        self.neighbours[a].insert(b);
        self.neighbours[b].insert(a);
    }

    /// Adds a cell without neighbours.
    ///
    /// # Errors
    /// When there is one of this name, or the name is empty or has white space.
    pub fn cell(&mut self, name: impl Into<Name>) -> BuildResult<'_> {
        let name = name.into();
        if let Name::Id(id) = &name {
            one_word(id, "name", &name)?;
        }
        if self.cells.len() >= MAX_CELLS {
            return Err(BoardError::new(format!("more than {MAX_CELLS} cells")));
        }
        let number = self.cells.len();
        if self.index.insert(name.clone(), number).is_some() {
            return Err(BoardError::on(&name, format!("two cells have the name {name}")));
        }
        if let Some((row, column)) = name.place() {
            let (rows, columns) = self.extent.unwrap_or_default();
            self.extent = Some((rows.max(row + 1), columns.max(column + 1)));
        }
        self.cells.push(Some(name));
        self.neighbours.push(BTreeSet::new());
        Ok(self)
    }

    /// The cells that are neither holes nor bridges.
    pub(super) fn plain_cells(&self) -> Vec<Name> {
        let plain =
            self.cells.iter().enumerate().filter(|(cell, _)| !self.bridges.contains_key(cell));
        plain.filter_map(|(_, name)| name.clone()).collect()
    }

    /// Whether there is a cell of this name.
    pub(super) fn has(&self, name: &Name) -> bool {
        self.find(name).is_ok()
    }

    fn find(&self, name: &Name) -> Result<usize, BoardError> {
        let found = self.index.get(name).copied().filter(|&cell| self.cells[cell].is_some());
        found.ok_or_else(|| BoardError::on(name, format!("there is no cell {name}")))
    }

    /// Puts a terminus on a cell.
    ///
    /// # Errors
    /// When there is no such cell, it is a terminus already, or the label is empty or has white
    /// space.
    pub fn terminus(&mut self, label: impl Into<String>, cell: impl Into<Name>) -> BuildResult<'_> {
        let (label, name) = (label.into(), cell.into());
        let cell = self.find(&name)?;
        one_word(&label, "label", &name)?;
        if let Some(other) = self.termini.get(&cell) {
            let message = format!("{name} is already a terminus of {other}");
            return Err(BoardError::on(&name, message));
        }
        self.termini.insert(cell, label);
        Ok(self)
    }

    /// Puts both termini of a pair on their cells.
    ///
    /// # Errors
    /// As [`Builder::terminus`].
    pub fn pair(&mut self, label: &str, a: impl Into<Name>, b: impl Into<Name>) -> BuildResult<'_> {
        self.terminus(label, a)?.terminus(label, b)
    }

    /// Puts a wall between two neighbours.
    ///
    /// # Errors
    /// When they are not neighbours.
    pub fn wall(&mut self, a: impl Into<Name>, b: impl Into<Name>) -> BuildResult<'_> {
        let (a_name, b_name) = (a.into(), b.into());
        let (a, b) = (self.find(&a_name)?, self.find(&b_name)?);
        if self.neighbours[a].remove(&b) && self.neighbours[b].remove(&a) {
            return Ok(self);
        }
        let message = format!("a wall between {a_name} and {b_name}, which are not neighbours");
        Err(BoardError::on(&a_name, message).help("places are `row,column` and count from 0"))
    }

    /// Removes a cell.
    ///
    /// # Errors
    /// When there is no such cell, or it is a terminus.
    pub fn hole(&mut self, cell: impl Into<Name>) -> BuildResult<'_> {
        let name = cell.into();
        let cell = self.find(&name)?;
        if let Some(label) = self.termini.get(&cell) {
            return Err(BoardError::on(
                &name,
                format!("{name} is a terminus of {label}, not a hole"),
            ));
        }
        self.cells[cell] = None;
        self.bridges.remove(&cell);
        for other in std::mem::take(&mut self.neighbours[cell]) {
            self.neighbours[other].remove(&cell);
        }
        Ok(self)
    }

    /// Makes a cell a bridge whose lanes run straight.
    ///
    /// # Errors
    /// When there is no such cell. Whether the lanes have two ends each is seen by
    /// [`Builder::build`], when all walls and warps are known.
    pub fn bridge(&mut self, cell: impl Into<Name>) -> BuildResult<'_> {
        let cell = self.find(&cell.into())?;
        self.bridges.insert(cell, None);
        Ok(self)
    }

    /// Makes a cell a bridge with the given lanes: each joins two neighbours of the bridge.
    ///
    /// # Errors
    /// When a cell is missing or a lane ends where it began.
    pub fn bridge_between(
        &mut self,
        cell: impl Into<Name>,
        lanes: &[[Name; 2]],
    ) -> BuildResult<'_> {
        let name = cell.into();
        let cell = self.find(&name)?;
        let mut found = Vec::new();
        for [a, b] in lanes {
            found.push([self.find(a)?, self.find(b)?]);
        }
        self.bridges.insert(cell, Some(found));
        Ok(self)
    }

    /// Makes two cells neighbours, wherever they lie.
    ///
    /// # Errors
    /// When a cell is missing or both are the same.
    pub fn link(&mut self, a: impl Into<Name>, b: impl Into<Name>) -> BuildResult<'_> {
        let (a_name, b_name) = (a.into(), b.into());
        let (a, b) = (self.find(&a_name)?, self.find(&b_name)?);
        if a == b {
            return Err(BoardError::on(&a_name, format!("a link from {a_name} to itself")));
        }
        self.connect(a, b);
        Ok(self)
    }

    /// Makes two cells neighbours by the given sides, so that straight lanes of bridges run there.
    ///
    /// # Errors
    /// As [`Builder::link`].
    pub fn seam(
        &mut self,
        (a, a_side): (impl Into<Name>, Heading),
        (b, b_side): (impl Into<Name>, Heading),
    ) -> BuildResult<'_> {
        let (a_name, b_name) = (a.into(), b.into());
        let (a, b) = (self.find(&a_name)?, self.find(&b_name)?);
        self.link(a_name, b_name)?;
        self.sides.insert((a, a_side), b);
        self.sides.insert((b, b_side), a);
        Ok(self)
    }

    /// Makes neighbours, by their sides, of two places of a drawing.
    pub(super) fn side(
        &mut self,
        a: (usize, usize),
        heading: Heading,
        b: (usize, usize),
    ) -> BuildResult<'_> {
        let (a, b) = (self.find(&a.into())?, self.find(&b.into())?);
        self.join(a, heading, b);
        Ok(self)
    }

    /// Joins the first and the last cell of a row around the rim.
    ///
    /// # Errors
    /// When the board is not square, or one of the two cells is missing.
    pub fn warp_row(&mut self, row: usize) -> BuildResult<'_> {
        let (_, columns) = self.square_extent()?;
        self.warp((row, columns - 1), Heading::E, (row, 0))
    }

    /// Joins the first and the last cell of a column around the rim.
    ///
    /// # Errors
    /// When the board is not square, or one of the two cells is missing.
    pub fn warp_column(&mut self, column: usize) -> BuildResult<'_> {
        let (rows, _) = self.square_extent()?;
        self.warp((rows - 1, column), Heading::S, (0, column))
    }

    /// Joins every row and column around the rim whose first and last cell are there.
    ///
    /// # Errors
    /// When the board is not square.
    pub fn warp_all(&mut self) -> BuildResult<'_> {
        let (rows, columns) = self.square_extent()?;
        for row in 0..rows {
            if self.has(&Name::At(row, 0)) && self.has(&Name::At(row, columns - 1)) {
                self.warp_row(row)?;
            }
        }
        for column in 0..columns {
            if self.has(&Name::At(0, column)) && self.has(&Name::At(rows - 1, column)) {
                self.warp_column(column)?;
            }
        }
        Ok(self)
    }

    fn square_extent(&self) -> Result<(usize, usize), BoardError> {
        let extent = (self.shape == Shape::Square).then_some(self.extent).flatten();
        extent.ok_or_else(|| BoardError::new("only boards of squares warp").help("use links"))
    }

    fn warp(&mut self, a: (usize, usize), heading: Heading, b: (usize, usize)) -> BuildResult<'_> {
        let (from, to) = (self.find(&a.into())?, self.find(&b.into())?);
        if from != to {
            self.join(from, heading, to);
        }
        Ok(self)
    }

    /// May a path lie beside itself? [`Touch::Auto`] unless this says otherwise.
    pub fn touch(&mut self, touch: Touch) -> &mut Self {
        self.touch = touch;
        self
    }

    /// Must every cell be on a path? Yes unless this says otherwise.
    pub fn cover(&mut self, cover: bool) -> &mut Self {
        self.cover = cover;
        self
    }

    /// The board.
    ///
    /// # Errors
    /// When a label does not stand on exactly two cells, a bridge is a terminus, a lane of a
    /// bridge lacks an end, or a neighbour of a bridge is on no lane.
    pub fn build(&self) -> Result<Board, BoardError> {
        let pairs = self.build_pairs()?;
        let lanes = self.build_lanes()?;
        // Numbers of the cells without the holes, row by row on a lattice.
        let mut order: Vec<usize> = (0..self.cells.len()).collect();
        order.retain(|&cell| self.cells[cell].is_some());
        if self.shape != Shape::Graph {
            order.sort_by_key(|&cell| self.cells[cell].clone());
        }
        let mut cells = Vec::new();
        let mut owners = Vec::new();
        let mut first_node = vec![0; self.cells.len()];
        for &cell in &order {
            let start = owners.len();
            first_node[cell] = start;
            let count = lanes.get(&cell).map_or(1, Vec::len);
            owners.extend(std::iter::repeat_n(cells.len(), count));
            let name = self.cells[cell].clone().expect("holes were left out");
            cells.push(Cell { name, nodes: start..owners.len() });
        }
        let mut neighbours = vec![Vec::new(); owners.len()];
        let mut edges = Vec::new();
        for [a, b] in self.edges() {
            for a_lane in lanes_towards(&lanes, a, b) {
                for b_lane in lanes_towards(&lanes, b, a) {
                    let (a_node, b_node) = (first_node[a] + a_lane, first_node[b] + b_lane);
                    edges.push([a_node.min(b_node), a_node.max(b_node)]);
                }
            }
        }
        edges.sort_unstable();
        for &[a, b] in &edges {
            neighbours[a].push(b);
            neighbours[b].push(a);
        }
        let planar = lanes.is_empty() && self.edges().all(|[a, b]| self.is_side(a, b));
        let mut pairs: Vec<Pair> = pairs
            .into_iter()
            .map(|(label, [a, b])| (label, [first_node[a], first_node[b]]))
            .map(|(label, [a, b])| Pair { label, ends: [a.min(b), a.max(b)] })
            .collect();
        pairs.sort_by_key(|pair| pair.ends);
        let (shape, touch, cover) = (self.shape, self.touch, self.cover);
        let path_constraints = Vec::new();
        let extent = board::extent(&cells);
        let mut board = Board {
            shape,
            cells,
            owners,
            extent,
            edges,
            neighbours,
            pairs,
            planar,
            touch,
            cover,
            path_constraints,
        };
        if planar {
            board.turn_clockwise();
        }
        Ok(board)
    }

    fn name(&self, cell: usize) -> Name {
        self.cells[cell].clone().unwrap_or(Name::At(0, 0))
    }

    /// Whether two cells share a side of the lattice.
    fn is_side(&self, a: usize, b: usize) -> bool {
        let [a, b] = [a, b].map(|cell| self.cells[cell].as_ref().and_then(Name::place));
        let leads = |&heading: &Heading| a.and_then(|a| self.shape.beside(a, heading)) == b;
        a.is_some() && self.shape.headings().iter().any(leads)
    }

    fn build_pairs(&self) -> Result<Vec<(String, [usize; 2])>, BoardError> {
        let mut order: Vec<&str> = Vec::new();
        let mut ends: HashMap<&str, Vec<usize>> = HashMap::new();
        for (cell, label) in &self.termini {
            let known = ends.entry(label).or_default();
            if known.is_empty() {
                order.push(label);
            }
            known.push(*cell);
        }
        if order.is_empty() {
            return Err(BoardError::new("a board needs at least one pair of termini"));
        }
        let pair = |label: &str| match ends[label][..] {
            [a, b] => Ok((label.to_owned(), [a, b])),
            [a] => {
                let message = format!("the label {label} stands on one cell only");
                Err(BoardError::on(&self.name(a), message).help("each label needs two cells"))
            }
            ref all => {
                let first = all.iter().take(MOST_PLACES).map(|&cell| self.name(cell).for_people());
                let more = all.len().saturating_sub(MOST_PLACES);
                let more = (more > 0).then(|| format!("and {more} more"));
                let (count, places) = (all.len(), first.chain(more).join(" "));
                let message = format!("the label {label} stands on {count} cells: {places}");
                let help = "each label needs exactly two cells; upper and lower case differ";
                Err(BoardError::on(&self.name(all[2]), message).help(help))
            }
        };
        order.into_iter().map(pair).collect()
    }

    fn build_lanes(&self) -> Result<BTreeMap<usize, Vec<[usize; 2]>>, BoardError> {
        self.bridges
            .iter()
            .map(|(&cell, lanes)| {
                if let Some(label) = self.termini.get(&cell) {
                    let name = self.name(cell);
                    let message =
                        format!("the terminus of {label} at {} is a bridge", name.for_people());
                    return Err(BoardError::on(&name, message));
                }
                let lanes = match lanes {
                    Some(lanes) => lanes.clone(),
                    None => self.straight_lanes(cell)?,
                };
                self.check_lanes(cell, &lanes)?;
                Ok((cell, lanes))
            })
            .collect()
    }

    fn joined(&self, a: usize, b: usize) -> bool {
        self.neighbours[a].contains(&b)
    }

    /// All pairs of neighbouring cells, the smaller number first, in increasing order.
    fn edges(&self) -> impl Iterator<Item = [usize; 2]> {
        let all = self.neighbours.iter().enumerate();
        all.flat_map(|(a, others)| others.range(a + 1..).map(move |&b| [a, b]))
    }

    fn straight_lanes(&self, cell: usize) -> Result<Vec<[usize; 2]>, BoardError> {
        let across = |heading: Heading| {
            self.sides.get(&(cell, heading)).copied().filter(|&other| self.joined(cell, other))
        };
        let mut lanes = Vec::new();
        let headings = self.shape.headings();
        for &heading in &headings[..headings.len() / 2] {
            match (across(heading), across(heading.opposite())) {
                (Some(a), Some(b)) => lanes.push([a, b]),
                (None, None) => {}
                _ => {
                    let name = self.name(cell);
                    let message =
                        format!("a lane of the bridge at {} has only one end", name.for_people());
                    let help = "a bridge needs a neighbour on both ends of each lane";
                    return Err(BoardError::on(&name, message).help(help));
                }
            }
        }
        Ok(lanes)
    }

    fn check_lanes(&self, cell: usize, lanes: &[[usize; 2]]) -> Result<(), BoardError> {
        let name = self.name(cell);
        let place = name.for_people();
        if lanes.len() < 2 {
            let message = format!("the bridge at {place} has fewer than two lanes");
            return Err(BoardError::on(&name, message).help("a bridge has two lanes or more"));
        }
        for (number, &[a, b]) in lanes.iter().enumerate() {
            if lanes[..number].iter().any(|&lane| lane == [a, b] || lane == [b, a]) {
                let message = format!("two lanes of the bridge at {place} join the same two cells");
                return Err(BoardError::on(&name, message));
            }
            if a == b {
                let message = format!("both ends of a lane of the bridge at {place} are one cell");
                return Err(BoardError::on(&name, message));
            }
            if let Some(&end) = [a, b].iter().find(|&&end| !self.joined(cell, end)) {
                let end = self.name(end).for_people();
                let message =
                    format!("{end} is on a lane of the bridge at {place} but no neighbour");
                return Err(BoardError::on(&name, message));
            }
        }
        for &other in &self.neighbours[cell] {
            let crossings = lanes.iter().filter(|lane| lane.contains(&other)).count();
            let other_bridge = self.bridges.contains_key(&other);
            if crossings == 0 || (crossings > 1 && other_bridge) {
                let other = self.name(other).for_people();
                let count = if crossings == 0 { "no lane" } else { "several lanes" };
                let message = format!("{other} is a neighbour of the bridge at {place} on {count}");
                return Err(BoardError::on(&name, message).help("list the lanes of the bridge"));
            }
        }
        Ok(())
    }
}

/// The lanes of a cell that end at another cell; lane 0 of a cell that is no bridge.
fn lanes_towards(
    lanes: &BTreeMap<usize, Vec<[usize; 2]>>,
    cell: usize,
    other: usize,
) -> Vec<usize> {
    match lanes.get(&cell) {
        None => vec![0],
        Some(lanes) => (0..lanes.len()).filter(|&lane| lanes[lane].contains(&other)).collect(),
    }
}
