//! Boards that have a solution, made from random paths.
//!
//! A board is covered by paths of single cells, then the paths are joined and recombined at their
//! ends at random until as many are left as there are colours; their ends are the termini. A path
//! never lies beside itself, so the board has a solution without touching. Whether it is the only
//! one is for a solver to say.

use super::board::{Board, Name, Touch};
use super::builder::{BoardError, Builder};
use super::check::{Flow, Solution};
use crate::error::ParseError;
use crate::options::{OptionSpec, Options, Values};
use crate::puzzle::Puzzle;
use std::collections::BTreeSet;

/// What a board to be made should be like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Number of pairs.
    pub colours: usize,
    /// Hexagons in place of squares.
    pub hex: bool,
    /// Number of walls.
    pub walls: usize,
    /// Number of bridges.
    pub bridges: usize,
    /// Number of holes.
    pub holes: usize,
    /// Whether opposite rims are joined.
    pub warps: bool,
}

/// The recipe as options of a command.
pub const OPTIONS: &[OptionSpec] = &[
    OptionSpec::number("width", 1, 1000, "7", "Number of columns"),
    OptionSpec::number("height", 1, 1000, "7", "Number of rows"),
    OptionSpec::number("colours", 1, 1000, "6", "Number of pairs"),
    OptionSpec::number("walls", 0, 1000, "0", "Number of walls"),
    OptionSpec::number("bridges", 0, 1000, "0", "Number of bridges"),
    OptionSpec::number("holes", 0, 1000, "0", "Number of holes"),
    flag("hex", "Hexagons in place of squares"),
    flag("warps", "Join opposite rims"),
    OptionSpec {
        name: "touch",
        values: Values::Choice(&["never", "allow"]),
        default: "never",
        help: "The rule under which the solution is the only one: may a path lie beside itself?",
    },
    OptionSpec {
        name: "cover",
        values: Values::Choice(&["yes", "no"]),
        default: "yes",
        help: "The rule under which the solution is the only one: must every cell be on a path?",
    },
];

const fn flag(name: &'static str, help: &'static str) -> OptionSpec {
    OptionSpec { name, values: Values::Flag, default: "false", help }
}

/// The draft of a seed as text, under the rules on touching and cover that the options name. A large
/// one takes its time: `go_on` is asked now and then, and where it says no there is no draft.
///
/// # Errors
/// When no board can be like this.
pub fn draft_text(
    options: &Options,
    seed: u64,
    go_on: &dyn Fn() -> bool,
) -> Result<Option<String>, ParseError> {
    let amount = |name| options.number(name) as usize;
    let recipe = Recipe {
        width: amount("width"),
        height: amount("height"),
        colours: amount("colours"),
        hex: options.flag("hex"),
        walls: amount("walls"),
        bridges: amount("bridges"),
        holes: amount("holes"),
        warps: options.flag("warps"),
    };
    let touch = Touch::from_word(options.get("touch")).unwrap_or(Touch::Never);
    let cover = options.get("cover") == "yes";
    match draft(&recipe, seed, go_on) {
        Ok(draft) => Ok(draft.map(|(board, _)| board.under(touch, cover).print())),
        Err(fault) => Err(fault.at(0, 0)),
    }
}

impl Recipe {
    /// Squares without anything special.
    pub fn plain(width: usize, height: usize, colours: usize) -> Self {
        Self { width, height, colours, hex: false, walls: 0, bridges: 0, holes: 0, warps: false }
    }
}

/// Nodes of a path that is not trivial.
const MIN_PATH_NODES: usize = 3;

/// Recombinations tried for each cell before a draft is given up.
const RECOMBINATIONS_PER_CELL: usize = 400;

/// A board with a solution that covers it without touching, and that solution; the same for the
/// same seed. `None` when this seed leads nowhere, or `go_on` said no.
///
/// # Errors
/// When no board can be like this: no cell, too many cells, warps of hexagons.
pub fn draft(
    recipe: &Recipe,
    seed: u64,
    go_on: &dyn Fn() -> bool,
) -> Result<Option<(Board, Solution)>, BoardError> {
    let mut random = fastrand::Rng::with_seed(seed);
    let ground = ground(recipe, &mut random, go_on)?;
    let Some(ground) = ground else { return Ok(None) };
    let mut paths = Paths::new(&ground);
    if !paths.mix(recipe.colours, &mut random, go_on) {
        return Ok(None);
    }
    let mut builder = lay_out(recipe, &ground)?;
    let mut flows = Vec::new();
    for (number, path) in paths.list().into_iter().enumerate() {
        let cells: Vec<Name> = path.iter().map(|&node| ground.cell_of(node).name.clone()).collect();
        let label = label(number);
        builder.pair(&label, cells[0].clone(), cells[cells.len() - 1].clone())?;
        flows.push(Flow { label, cells });
    }
    // A wall where no path passes keeps the solution.
    let mut idle: Vec<[usize; 2]> =
        ground.edges().iter().copied().filter(|&[a, b]| !paths.joined(a, b)).collect();
    random.shuffle(&mut idle);
    let whole = |node: &usize| ground.lane(*node).is_none();
    let walls = idle.iter().filter(|edge| edge.iter().all(whole)).take(recipe.walls);
    for &[a, b] in walls {
        builder.wall(ground.cell_of(a).name.clone(), ground.cell_of(b).name.clone())?;
    }
    let board = builder.touch(Touch::Auto).build()?;
    Ok(Some((board, Solution { flows })))
}

/// Labels that read well in a grid: letters, then Greek and Cyrillic ones, then numbers.
fn label(number: usize) -> String {
    let letters = ('A'..='Z').chain('a'..='z').chain('α'..='ω').chain('Б'..='я');
    let distinct = letters.filter(|&c| c != 'ς');
    distinct.clone().nth(number).map_or_else(|| number.to_string(), |letter| letter.to_string())
}

/// The lattice of the recipe with one pair on it, so that it is a board whose graph can be asked.
fn ground(
    recipe: &Recipe,
    random: &mut fastrand::Rng,
    go_on: &dyn Fn() -> bool,
) -> Result<Option<Board>, BoardError> {
    let mut builder = bare(recipe)?;
    let places = (0..recipe.height).flat_map(|r| (0..recipe.width).map(move |c| (r, c)));
    let mut places: Vec<_> = places.collect();
    random.shuffle(&mut places);
    let mut places = places.into_iter();
    for place in places.by_ref().take(recipe.holes) {
        builder.hole(place)?;
    }
    let mut bridges = 0;
    while bridges < recipe.bridges {
        let Some(place) = places.next().filter(|_| go_on()) else { return Ok(None) };
        let mut attempt = builder.clone();
        attempt.bridge(place)?;
        if attempt.clone().with_any_pair().is_some() {
            builder = attempt;
            bridges += 1;
        }
    }
    Ok(builder.with_any_pair())
}

fn bare(recipe: &Recipe) -> Result<Builder, BoardError> {
    let mut builder = match recipe.hex {
        true => Builder::hex(recipe.width, recipe.height)?,
        false => Builder::square(recipe.width, recipe.height)?,
    };
    if recipe.warps {
        builder.warp_all()?;
    }
    Ok(builder)
}

/// A builder with the holes and bridges of a board.
fn lay_out(recipe: &Recipe, ground: &Board) -> Result<Builder, BoardError> {
    let mut builder = bare(recipe)?;
    for place in (0..recipe.height).flat_map(|r| (0..recipe.width).map(move |c| (r, c))) {
        match ground.cell_named(&Name::from(place)) {
            None => drop(builder.hole(place)?),
            Some(cell) if ground.cells()[cell].is_bridge() => drop(builder.bridge(place)?),
            Some(_) => {}
        }
    }
    Ok(builder)
}

impl Builder {
    /// The board with a pair on two plain cells, wherever they are; `None` when it cannot be.
    fn with_any_pair(mut self) -> Option<Board> {
        let mut plain = self.plain_cells().into_iter();
        let (a, b) = (plain.next()?, plain.next()?);
        self.pair("A", a, b).ok()?;
        self.build().ok()
    }
}

/// Disjoint paths that cover all nodes of a board.
struct Paths<'a> {
    board: &'a Board,
    /// The one or two neighbours of each node on its path.
    joints: Vec<Vec<usize>>,
    /// Number of the path of each node.
    path: Vec<usize>,
    paths: usize,
}

impl<'a> Paths<'a> {
    fn new(board: &'a Board) -> Self {
        let nodes = board.nodes();
        let mut paths = Self {
            board,
            joints: vec![Vec::new(); nodes],
            path: (0..nodes).collect(),
            paths: nodes,
        };
        // The two edges of a lane are on a path from the start and stay there.
        for node in (0..nodes).filter(|&node| board.lane(node).is_some()) {
            for &end in board.neighbours(node) {
                if !paths.joined(node, end) {
                    paths.join(node, end);
                }
            }
        }
        paths
    }

    fn joined(&self, a: usize, b: usize) -> bool {
        self.joints[a].contains(&b)
    }

    fn join(&mut self, a: usize, b: usize) {
        self.joints[a].push(b);
        self.joints[b].push(a);
        let (from, to) = (self.path[b], self.path[a]);
        if from != to {
            self.paths -= 1;
            for node in self.members(b) {
                self.path[node] = to;
            }
        }
    }

    /// Cuts a path in two; the part of `b` gets the given number.
    fn cut(&mut self, a: usize, b: usize, fresh: usize) {
        self.joints[a].retain(|&node| node != b);
        self.joints[b].retain(|&node| node != a);
        for node in self.members(b) {
            self.path[node] = fresh;
        }
        self.paths += 1;
    }

    /// The nodes of a path, from `start` outwards.
    fn members(&self, start: usize) -> Vec<usize> {
        let mut members = vec![start];
        let mut seen = BTreeSet::from([start]);
        let mut next = 0;
        while let Some(&node) = members.get(next) {
            next += 1;
            members.extend(self.joints[node].iter().copied().filter(|&other| seen.insert(other)));
        }
        members
    }

    /// Whether no node of this path lies beside another without being joined to it, and the path
    /// is not closed.
    fn is_sound(&self, node: usize) -> bool {
        let members = self.members(node);
        let ends = members.iter().filter(|&&node| self.joints[node].len() == 1).count();
        let open = members.len() == 1 || ends == 2;
        open && members.iter().all(|&node| {
            self.joints[node].len() <= 2
                && self
                    .board
                    .neighbours(node)
                    .iter()
                    .all(|&other| self.path[other] != self.path[node] || self.joined(node, other))
        })
    }

    /// Joins and recombines until `wanted` paths of at least three nodes are left (two where that
    /// is not to be had); `false` when patience runs out, or `go_on` says no.
    fn mix(&mut self, wanted: usize, random: &mut fastrand::Rng, go_on: &dyn Fn() -> bool) -> bool {
        let nodes = self.board.nodes();
        if nodes == 0 || (0..nodes).any(|node| !self.is_sound(node)) {
            return false;
        }
        let mut changed = true;
        for round in 0..RECOMBINATIONS_PER_CELL * nodes {
            if !go_on() {
                return false;
            }
            let shortest =
                if round < RECOMBINATIONS_PER_CELL * nodes / 2 { MIN_PATH_NODES } else { 2 };
            let done = changed && self.paths == wanted;
            if done && self.list().iter().all(|path| self.fits(path, shortest)) {
                return true;
            }
            changed = self.recombine(wanted, random);
        }
        false
    }

    fn fits(&self, path: &[usize], shortest: usize) -> bool {
        let ends = [path[0], path[path.len() - 1]];
        path.len() >= shortest && ends.iter().all(|&end| self.board.lane(end).is_none())
    }

    /// One random change at the end of a path: join two ends, or take over a part of the path that
    /// the end meets. A change that breaks a rule is undone. Says whether anything changed.
    fn recombine(&mut self, wanted: usize, random: &mut fastrand::Rng) -> bool {
        let end = random.usize(..self.board.nodes());
        let neighbours = self.board.neighbours(end);
        if self.joints[end].len() > 1 || neighbours.is_empty() {
            return false;
        }
        let other = neighbours[random.usize(..neighbours.len())];
        if self.path[end] == self.path[other] {
            return false;
        }
        let away = match self.joints[other][..] {
            [a, b] => Some(if random.bool() { a } else { b }),
            _ => None,
        };
        let is_lane = |node: usize| self.board.lane(node).is_some();
        if away.map_or(self.paths <= wanted, |away| is_lane(other) || is_lane(away)) {
            return false;
        }
        let touched = self.members(end).into_iter().chain(self.members(other));
        let before: Vec<_> =
            touched.map(|node| (node, self.joints[node].clone(), self.path[node])).collect();
        let paths = self.paths;
        // The number of the end's path is free once that path has joined the other.
        let free = self.path[end];
        self.join(other, end);
        if let Some(away) = away {
            self.cut(other, away, free);
        }
        // Once there are few enough paths, what is left of one that was cut is not too short: so
        // short paths only grow rarer.
        let long = |away| self.paths > wanted || self.members(away).len() >= MIN_PATH_NODES;
        let enough = away.is_none_or(long);
        let sound = enough && self.is_sound(end);
        if !sound {
            for (node, joints, path) in before {
                self.joints[node] = joints;
                self.path[node] = path;
            }
            self.paths = paths;
        }
        sound
    }

    /// The paths, each from its end with the smaller number.
    fn list(&self) -> Vec<Vec<usize>> {
        let mut listed = vec![false; self.board.nodes()];
        let mut list = Vec::new();
        for start in 0..listed.len() {
            if !listed[start] && self.joints[start].len() <= 1 {
                let path = self.members(start);
                path.iter().for_each(|&node| listed[node] = true);
                list.push(path);
            }
        }
        list
    }
}
