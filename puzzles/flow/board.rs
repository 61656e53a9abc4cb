//! The board: cells, the lanes of bridges, which of them are neighbours, and the pairs to join.

use std::collections::HashMap;
use std::fmt;

/// May a path lie beside itself without being joined there?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Touch {
    /// No: neighbours on one path are joined. Nearly all published boards are made for this rule.
    Never,
    /// Yes: the rules as the games print them do not forbid it.
    Allow,
    /// First without, then with: see [`crate::Extras::readings`]. As a rule for one answer it is
    /// [`Touch::Allow`].
    Auto,
}

impl Touch {
    /// The word in files and on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::Allow => "allow",
            Self::Auto => "auto",
        }
    }

    /// The rule of a word.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Never, Self::Allow, Self::Auto].into_iter().find(|touch| touch.word() == word)
    }
}

/// What a cell is called: its place on a lattice, or the name that a graph file gives it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Name {
    /// Row and column, both from 0.
    At(usize, usize),
    /// A name without white space.
    Id(String),
}

impl Name {
    /// The cell as a person names it: row and column from 1, as in constraints, or its own name.
    pub fn for_people(&self) -> String {
        match self {
            Self::At(row, column) => format!("({},{})", row + 1, column + 1),
            Self::Id(id) => id.clone(),
        }
    }

    /// Row and column of a cell on a lattice, both from 0.
    pub fn place(&self) -> Option<(usize, usize)> {
        match self {
            Self::At(row, column) => Some((*row, *column)),
            Self::Id(_) => None,
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::At(row, column) => write!(f, "{row},{column}"),
            Self::Id(id) => f.write_str(id),
        }
    }
}

impl From<(usize, usize)> for Name {
    fn from((row, column): (usize, usize)) -> Self {
        Self::At(row, column)
    }
}

impl From<&str> for Name {
    fn from(id: &str) -> Self {
        Self::Id(id.to_owned())
    }
}

/// The eight compass directions, clockwise: sides of cells on a lattice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Heading {
    /// Up.
    N,
    /// Up and right.
    NE,
    /// Right.
    E,
    /// Down and right.
    SE,
    /// Down.
    S,
    /// Down and left.
    SW,
    /// Left.
    W,
    /// Up and left.
    NW,
}

impl Heading {
    /// All eight, clockwise from north.
    pub const ALL: [Self; 8] =
        [Self::N, Self::NE, Self::E, Self::SE, Self::S, Self::SW, Self::W, Self::NW];

    /// The direction back.
    pub fn opposite(self) -> Self {
        Self::ALL[(self as usize + 4) % 8]
    }
}

/// The lattice that the cells lie on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// Squares with four sides.
    Square,
    /// Hexagons in columns; every second column lies half a cell lower.
    Hex {
        /// Whether the lower columns are the odd ones.
        odd_low: bool,
    },
    /// No lattice: cells have names only.
    Graph,
}

impl Shape {
    /// Whether a column lies half a cell lower than those beside it.
    pub fn is_low(self, column: usize) -> bool {
        matches!(self, Self::Hex { odd_low } if (column % 2 == 1) == odd_low)
    }

    /// The headings of the sides of a cell, clockwise.
    pub fn headings(self) -> &'static [Heading] {
        use Heading::{E, N, NE, NW, S, SE, SW, W};
        match self {
            Self::Square => &[N, E, S, W],
            Self::Hex { .. } => &[N, NE, SE, S, SW, NW],
            Self::Graph => &[],
        }
    }

    /// Row and column of the place that lies in a direction, if it is not above row 0 or left of
    /// column 0.
    pub fn beside(self, (row, column): (usize, usize), heading: Heading) -> Option<(usize, usize)> {
        use Heading::{E, N, NE, NW, S, SE, SW, W};
        let low = isize::from(self.is_low(column));
        let (down, right) = match (self, heading) {
            (Self::Graph, _) => return None,
            (_, N) => (-1, 0),
            (_, S) => (1, 0),
            (Self::Square, E) => (0, 1),
            (Self::Square, W) => (0, -1),
            (Self::Hex { .. }, NE) => (low - 1, 1),
            (Self::Hex { .. }, SE) => (low, 1),
            (Self::Hex { .. }, SW) => (low, -1),
            (Self::Hex { .. }, NW) => (low - 1, -1),
            _ => return None,
        };
        Some((row.checked_add_signed(down)?, column.checked_add_signed(right)?))
    }
}

/// A cell of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// What it is called.
    pub name: Name,
    /// Its nodes: one, or one for each lane of a bridge.
    pub nodes: std::ops::Range<usize>,
}

impl Cell {
    /// Whether flows cross here, each on a lane of its own.
    pub fn is_bridge(&self) -> bool {
        self.nodes.len() > 1
    }
}

/// See [`Board::extent`].
pub(super) fn extent(cells: &[Cell]) -> Option<(usize, usize)> {
    let places = || cells.iter().map(|cell| cell.name.place());
    let rows = places().map(|place| Some(place?.0 + 1)).max()??;
    let columns = places().map(|place| Some(place?.1 + 1)).max()??;
    Some((rows, columns))
}

/// Two termini of one colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The label of both.
    pub label: String,
    /// Their nodes.
    pub ends: [usize; 2],
}

/// Something that paths may do. Cells are numbers of [`Board::cells`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathFact {
    /// A path passes the cell.
    Cell(usize),
    /// The path of the pair with this label passes the cell.
    Colour(usize, String),
    /// A path goes straight from one cell to the other.
    Edge(usize, usize),
}

/// A constraint: whether something must be drawn or must not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathConstraint {
    /// What.
    pub drawn: PathFact,
    /// Whether it must be; else it must not.
    pub wanted: bool,
}

/// A Flow or Numberlink board on any graph: join each pair by a path, no two paths meet.
///
/// The unit that at most one path may pass is a *node*: a cell, or one lane of a bridge. Two
/// nodes are neighbours at most once, also where a warp and a side join the same two cells.
/// Boards are made by [`super::Builder`] and by the readers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    pub(super) shape: Shape,
    pub(super) cells: Vec<Cell>,
    /// The cell of each node.
    pub(super) owners: Vec<usize>,
    pub(super) extent: Option<(usize, usize)>,
    pub(super) edges: Vec<[usize; 2]>,
    pub(super) neighbours: Vec<Vec<usize>>,
    pub(super) pairs: Vec<Pair>,
    pub(super) planar: bool,
    pub(super) touch: Touch,
    pub(super) cover: bool,
    /// Constraints beyond the rules (see [`super::constraints`]).
    pub(super) path_constraints: Vec<PathConstraint>,
}

impl Board {
    /// The lattice of the board.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The cells: row by row on a lattice, in the order of the file on a graph.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Number of nodes: cells, bridges counted once for each lane.
    pub fn nodes(&self) -> usize {
        self.owners.len()
    }

    /// The cell that a node belongs to.
    pub fn cell_of(&self, node: usize) -> &Cell {
        &self.cells[self.owners[node]]
    }

    /// Which lane of its bridge a node is, from 0; `None` for a node that is a whole cell.
    pub fn lane(&self, node: usize) -> Option<usize> {
        let cell = self.cell_of(node);
        cell.is_bridge().then(|| node - cell.nodes.start)
    }

    /// Pairs of neighbouring nodes, the smaller number first, in increasing order.
    pub fn edges(&self) -> &[[usize; 2]] {
        &self.edges
    }

    /// The neighbours of a node; on planar boards clockwise.
    pub fn neighbours(&self, node: usize) -> &[usize] {
        &self.neighbours[node]
    }

    /// The pairs, in the order in which their labels first appear.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// The numbers of the pairs by their labels.
    pub(super) fn pair_numbers(&self) -> HashMap<&str, usize> {
        (0..).zip(&self.pairs).map(|(number, pair)| (pair.label.as_str(), number)).collect()
    }

    /// For each node the number of the pair that it is an end of.
    pub fn termini(&self) -> Vec<Option<usize>> {
        let mut termini = vec![None; self.nodes()];
        for (number, pair) in self.pairs.iter().enumerate() {
            for end in pair.ends {
                termini[end] = Some(number);
            }
        }
        termini
    }

    /// Whether the board is drawn in the plane as it stands: a lattice without bridges, warps and
    /// links, so that the order of [`Board::neighbours`] is that of the drawing.
    pub fn is_planar(&self) -> bool {
        self.planar
    }

    /// Whether a path may lie beside itself.
    pub fn touch(&self) -> Touch {
        self.touch
    }

    /// Whether every cell must be on a path (of a bridge, every lane).
    pub fn cover(&self) -> bool {
        self.cover
    }

    /// The same board under other rules.
    #[must_use]
    pub fn under(&self, touch: Touch, cover: bool) -> Self {
        Self { touch, cover, ..self.clone() }
    }

    /// The same board without some of its walls, each between two cells that lie side by side.
    pub(super) fn opened(&self, walls: &[(usize, usize)]) -> Self {
        let mut board = self.clone();
        let node = |cell: usize| self.cells[cell].nodes.start;
        let further = walls.iter().map(|&(a, b)| [node(a).min(node(b)), node(a).max(node(b))]);
        board.edges.extend(further);
        board.edges.sort_unstable();
        board.edges.dedup();
        for list in &mut board.neighbours {
            list.clear();
        }
        for &[a, b] in &board.edges {
            board.neighbours[a].push(b);
            board.neighbours[b].push(a);
        }
        if board.planar {
            board.turn_clockwise();
        }
        board
    }

    /// Orders the neighbours of each node clockwise, on a board that is drawn as it stands.
    pub(super) fn turn_clockwise(&mut self) {
        let (shape, cells, owners) = (self.shape, &self.cells, &self.owners);
        let place = |node: usize| cells[owners[node]].name.place();
        for (node, clockwise) in self.neighbours.iter_mut().enumerate() {
            clockwise.sort_by_key(|&other| {
                let leads = |heading| shape.beside(place(node)?, heading);
                let mut headings = shape.headings().iter();
                headings.position(|&heading| leads(heading) == place(other))
            });
        }
    }

    /// The number of a cell, by its name.
    pub fn cell_named(&self, name: &Name) -> Option<usize> {
        match self.shape {
            Shape::Graph => self.cells.iter().position(|cell| cell.name == *name),
            _ => self.cells.binary_search_by(|cell| cell.name.cmp(name)).ok(),
        }
    }

    /// Rows and columns of the smallest rectangle at (0, 0) that holds all cells; `None` without
    /// a lattice.
    pub fn extent(&self) -> Option<(usize, usize)> {
        self.extent
    }

    /// The two ends of a lane of a bridge, as nodes.
    pub(super) fn lane_ends(&self, node: usize) -> [usize; 2] {
        [self.neighbours[node][0], self.neighbours[node][1]]
    }

    /// Whether two cells are joined by an edge.
    pub(super) fn joins(&self, a: usize, b: usize) -> bool {
        let owner = |node: &usize| self.owners[*node] == b;
        self.cells[a].nodes.clone().any(|node| self.neighbours[node].iter().any(owner))
    }

    /// Bridges whose lanes run straight are what a bridge is unless the file says otherwise: the
    /// pairs of cells that straight lanes would join.
    pub(super) fn straight_lanes(&self, cell: usize) -> Vec<[usize; 2]> {
        let Some(place) = self.cells[cell].name.place() else { return Vec::new() };
        let across = |heading| self.across(cell, place, heading);
        let headings = self.shape.headings();
        headings[..headings.len() / 2]
            .iter()
            .filter_map(|&heading| Some([across(heading)?, across(heading.opposite())?]))
            .collect()
    }

    /// The joined neighbour on a side, around the rim where the board warps.
    pub(super) fn across(
        &self,
        cell: usize,
        place: (usize, usize),
        heading: Heading,
    ) -> Option<usize> {
        let (rows, columns) = self.extent()?;
        let find = |(row, column)| self.cell_named(&Name::At(row, column));
        let beside = self.shape.beside(place, heading).and_then(find);
        let rim = match heading {
            _ if self.shape != Shape::Square => None,
            Heading::N if place.0 == 0 => find((rows - 1, place.1)),
            Heading::S if place.0 + 1 == rows => find((0, place.1)),
            Heading::W if place.1 == 0 => find((place.0, columns - 1)),
            Heading::E if place.1 + 1 == columns => find((place.0, 0)),
            _ => None,
        };
        beside.or(rim).filter(|&other| other != cell && self.joins(cell, other))
    }
}

/// For each node the path that passes it: number of the pair and place on the path.
pub(super) type Walk = Vec<Option<(usize, usize)>>;
