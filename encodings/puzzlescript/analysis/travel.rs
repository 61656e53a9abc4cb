//! How many turns objects need to come somewhere, if only one of them is looked at.
//!
//! A set of objects is a graph of where one of them can be: object and cell, before and after the
//! movement of a tick, because an object moves at most once in it. There are two such graphs:
//!
//! * [`Graph::fate`]: what can become of one that is there. From where a rule takes it away an edge leads to
//!   each cell where the same row of the rule puts one of the set, or out of the level if there is
//!   none. So if one is there, then after every turn one is at the end of some edge, or has gone.
//! * [`Graph::origin`]: where one that is there can have been. To where a rule puts one an edge leads from
//!   where the rule has found one, or from nowhere if it needs none. So if one is there after a turn,
//!   then one was at the beginning of some edge, or came from nowhere.
//!
//! Rules and movements are possible by the [`Facts`], which hold in every turn. So a distance in the
//! first graph is a lower bound on the turns until one that is there is where it shall be, and in
//! the second on the turns until any of the set is there.

use super::cells::{Cells, DIRECTIONS};
use super::facts::Facts;
use std::collections::VecDeque;
use unstuck_puzzles::puzzlescript::{CellPattern, Command, Game, Mask, Pattern, Rule};

/// A number of turns.
pub(crate) type Turns = u16;

/// There is no way.
pub(crate) const NEVER: Turns = Turns::MAX;

/// A graph of more edges is not made.
const MAX_EDGES: usize = 1_000_000;

/// When in a tick something is somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// While early rules are applied, before objects move.
    Early = 0,
    /// After that, while late rules are applied.
    Late = 1,
}

/// Where one object of a set can be, with edges backwards: from each node to those before it.
pub(crate) struct Graph<'a> {
    facts: &'a Facts,
    /// The objects of the set.
    objects: Vec<usize>,
    /// The place of each object among them.
    number: Vec<Option<usize>>,
    /// Nodes before each node, with the turns between.
    before: Vec<Vec<(u32, u8)>>,
    edges: usize,
}

/// The cells of a row with the number of ellipses before each.
fn cells_of(row: &[Pattern]) -> Vec<(&CellPattern, usize)> {
    let mut dots = 0;
    let mut cells = Vec::new();
    for pattern in row {
        match pattern {
            Pattern::Ellipsis => dots += 1,
            Pattern::Cell(cell) => cells.push((cell, dots)),
        }
    }
    cells
}

impl<'a> Graph<'a> {
    /// What can become of one of these objects; nothing if the graph is too large.
    pub(crate) fn fate(game: &Game, facts: &'a Facts, objects: &[usize]) -> Option<Self> {
        let mut graph = Self::new(game, facts, objects)?;
        for (late, rule, sites) in facts.possible(game) {
            graph.add_fates(rule, sites, if late { Phase::Late } else { Phase::Early });
        }
        (graph.edges <= MAX_EDGES).then_some(graph)
    }

    /// Where one of these objects can have been; nothing if the graph is too large.
    pub(crate) fn origin(game: &Game, facts: &'a Facts, objects: &[usize]) -> Option<Self> {
        let mut graph = Self::new(game, facts, objects)?;
        for (late, rule, sites) in facts.possible(game) {
            graph.add_origins(rule, sites, if late { Phase::Late } else { Phase::Early });
        }
        (graph.edges <= MAX_EDGES).then_some(graph)
    }

    /// The nodes, and the edges that every such graph has: to stay, to move, and to the next tick.
    fn new(game: &Game, facts: &'a Facts, objects: &[usize]) -> Option<Self> {
        // Then a turn can be several ticks, and every way takes one turn.
        let is_long = facts.possible(game).any(|it| it.1.commands.contains(&Command::Again));
        let mut number = vec![None; facts.layer.len()];
        objects.iter().enumerate().for_each(|(at, &object)| number[object] = Some(at));
        let nodes = 2 * objects.len() * facts.grid.len() + 1;
        if nodes > MAX_EDGES {
            return None;
        }
        let before = vec![Vec::new(); nodes];
        let objects = objects.to_vec();
        let mut graph = Self { facts, objects, number, before, edges: 0 };
        for object in graph.objects.clone() {
            let layer = facts.layer[object];
            let is_adrift = facts.adrift[layer].iter().any(|cells| !cells.is_empty());
            // Carried along where it comes, it may go on in the same tick.
            let arrives = if is_adrift { Phase::Early } else { Phase::Late };
            let free = facts.free(layer);
            for cell in facts.at[object].iter() {
                let (early, late) =
                    (graph.node(object, cell, Phase::Early), graph.node(object, cell, Phase::Late));
                graph.edge(early, late, 0);
                graph.edge(late, early, u8::from(!is_long));
                for (way, &direction) in DIRECTIONS.iter().enumerate() {
                    let next = facts.grid.next(cell, direction).filter(|&next| free.has(next));
                    if let Some(next) = next.filter(|_| facts.moving[object][way].has(cell)) {
                        let to = graph.node(object, next, arrives);
                        graph.edge(early, to, 0);
                    }
                }
            }
        }
        Some(graph)
    }

    /// The node of an object, which must be of the set, in a cell.
    fn node(&self, object: usize, cell: usize, phase: Phase) -> u32 {
        let number = self.number[object].unwrap_or_default();
        (2 * (number * self.facts.grid.len() + cell) + phase as usize) as u32
    }

    /// The node outside of the level.
    fn outside(&self) -> u32 {
        (2 * self.objects.len() * self.facts.grid.len()) as u32
    }

    fn edge(&mut self, from: u32, to: u32, turns: u8) {
        self.before[to as usize].push((from, turns));
        self.edges += 1;
    }

    fn extra_node(&mut self) -> u32 {
        self.before.push(Vec::new());
        self.before.len() as u32 - 1
    }

    /// Adds edges for all pairs of nodes of two sets of cells, by way of a node between.
    fn join(&mut self, from: (usize, &Cells), to: (usize, &Cells), phase: Phase) {
        let between = self.extra_node();
        for cell in from.1.iter() {
            let node = self.node(from.0, cell, phase);
            self.edge(node, between, 0);
        }
        for cell in to.1.iter() {
            let node = self.node(to.0, cell, phase);
            self.edge(between, node, 0);
        }
    }

    /// Adds edges from one cell of a row to another, with the same number of ellipses before them.
    fn shift(&mut self, (from, to): (usize, usize), sites: &Cells, by: isize, phase: Phase) {
        for cell in sites.iter() {
            let (from, to) =
                (self.node(from, cell, phase), self.node(to, cell.wrapping_add_signed(by), phase));
            self.edge(from, to, 0);
        }
    }

    fn members<'b>(&'b self, mask: &'b Mask) -> impl Iterator<Item = usize> + 'b {
        mask.bits().filter(|&object| self.number[object].is_some())
    }

    /// Objects of the set that a pattern's replacement puts.
    fn puts(&self, cell: &CellPattern) -> Vec<usize> {
        cell.replacement.iter().flat_map(|it| self.members(&it.set)).collect()
    }

    /// Objects of the set that a pattern's replacement may take away.
    fn takes(&self, cell: &CellPattern) -> Vec<usize> {
        let Some(change) = &cell.replacement else { return Vec::new() };
        let has = |mask: &Mask, object: usize| mask.bits().any(|bit| bit == object);
        let can_be = |&object: &usize| {
            let layer = self.facts.layer[object];
            let of_layer = |bit: usize| self.facts.layer[bit] == layer;
            let another = cell.present.bits().any(|bit| bit != object && of_layer(bit));
            let missing = |any: &Mask| any.bits().all(of_layer) && !has(any, object);
            !another && !has(&cell.absent, object) && !cell.any.iter().any(missing)
        };
        let taken = self.members(&change.clear).filter(|&object| !has(&change.set, object));
        taken.filter(can_be).collect()
    }

    fn add_fates(&mut self, rule: &Rule, sites: &[Vec<Cells>], phase: Phase) {
        let rows: Vec<Vec<(&CellPattern, usize)>> =
            rule.rows.iter().map(|row| cells_of(row)).collect();
        let changes = |row: &&Vec<(&CellPattern, usize)>| {
            row.iter().any(|(cell, _)| !self.puts(cell).is_empty() || !self.takes(cell).is_empty())
        };
        // Rows may lie one over another, and a later one take what an earlier one has put.
        let is_plain = rows.iter().filter(changes).count() == 1;
        let step = self.facts.grid.step(rule.direction);
        for (row, sites) in rows.iter().zip(sites) {
            for (at, &(cell, dots)) in row.iter().enumerate() {
                for taken in self.takes(cell) {
                    let here = sites[at].and(&self.facts.at[taken]);
                    let mut is_put = false;
                    for (to, &(other, other_dots)) in row.iter().enumerate().filter(|_| is_plain) {
                        for put in self.puts(other) {
                            is_put = true;
                            if dots == other_dots {
                                let by = step * (to as isize - at as isize);
                                self.shift((taken, put), &here, by, phase);
                            } else {
                                self.join((taken, &here), (put, &sites[to]), phase);
                            }
                        }
                    }
                    if !is_put {
                        let outside = self.outside();
                        for cell in here.iter() {
                            let node = self.node(taken, cell, phase);
                            self.edge(node, outside, 0);
                        }
                    }
                }
            }
        }
    }

    /// Objects of the set of which a pattern needs one; none if it does not need any.
    fn needs(&self, cell: &CellPattern) -> Vec<usize> {
        if let Some(object) = self.members(&cell.present).next() {
            return vec![object];
        }
        let all = |any: &&Mask| any.bits().all(|object| self.number[object].is_some());
        cell.any.iter().find(all).map_or(Vec::new(), |any| any.bits().collect())
    }

    fn add_origins(&mut self, rule: &Rule, sites: &[Vec<Cells>], phase: Phase) {
        let rows: Vec<Vec<(&CellPattern, usize)>> =
            rule.rows.iter().map(|row| cells_of(row)).collect();
        let step = self.facts.grid.step(rule.direction);
        for (number, row) in rows.iter().enumerate() {
            for (at, &(cell, dots)) in row.iter().enumerate() {
                let was_there = |object: &usize| cell.present.bits().any(|bit| bit == *object);
                for put in self.puts(cell).into_iter().filter(|object| !was_there(object)) {
                    // The nearest that the row needs, rather one that it takes away.
                    let needed = row.iter().enumerate().filter(|(_, it)| it.1 == dots);
                    let needed = needed.filter(|(_, it)| !self.needs(it.0).is_empty());
                    let nearest = needed
                        .min_by_key(|(from, it)| (self.takes(it.0).is_empty(), from.abs_diff(at)));
                    if let Some((from, &(found, _))) = nearest {
                        let by = step * (at as isize - from as isize);
                        for object in self.needs(found) {
                            let here = sites[number][from].and(&self.facts.at[object]);
                            self.shift((object, put), &here, by, phase);
                        }
                        continue;
                    }
                    let elsewhere = rows.iter().enumerate().find_map(|(row, cells)| {
                        let from = cells.iter().position(|it| !self.needs(it.0).is_empty())?;
                        Some((row, from))
                    });
                    if let Some((row, from)) = elsewhere {
                        for object in self.needs(rows[row][from].0) {
                            let here = sites[row][from].and(&self.facts.at[object]);
                            self.join((object, &here), (put, &sites[number][at]), phase);
                        }
                        continue;
                    }
                    let outside = self.outside();
                    for cell in sites[number][at].iter() {
                        let node = self.node(put, cell, phase);
                        self.edge(outside, node, 0);
                    }
                }
            }
        }
    }

    /// Turns from each object and cell, and from outside, until an object is in one of these cells
    /// in this phase of a turn, or has left the level where that will do.
    pub(crate) fn turns(&self, to: &Cells, phase: Phase, outside: bool) -> Distances {
        let mut turns = vec![NEVER; self.before.len()];
        let mut open = VecDeque::new();
        let nodes = self.objects.iter().flat_map(|&object| {
            let here = to.and(&self.facts.at[object]);
            here.iter().map(|cell| self.node(object, cell, phase)).collect::<Vec<_>>()
        });
        for node in nodes.chain(outside.then(|| self.outside())) {
            turns[node as usize] = 1;
            open.push_back(node);
        }
        while let Some(node) = open.pop_front() {
            let known = turns[node as usize];
            for &(before, more) in &self.before[node as usize] {
                let reached = known.saturating_add(Turns::from(more));
                if reached < turns[before as usize] {
                    turns[before as usize] = reached;
                    if more == 0 { open.push_front(before) } else { open.push_back(before) }
                }
            }
        }
        let len = self.facts.grid.len();
        let outside = turns[self.outside() as usize];
        let of = |at: usize| (0..len).map(|cell| turns[2 * (at * len + cell)]).collect();
        Distances { outside, of: (0..self.objects.len()).map(of).collect() }
    }

    /// The objects of the set, in the order of [`Distances::of`].
    pub(crate) fn objects(&self) -> &[usize] {
        &self.objects
    }

    /// How much work it is to ask for [`Graph::turns`].
    pub(crate) fn size(&self) -> usize {
        self.before.len() + self.edges
    }
}

/// Turns until an object of a set is somewhere.
#[derive(Clone, Debug)]
pub(crate) struct Distances {
    /// From outside of the level.
    pub(crate) outside: Turns,
    /// From each cell, for each object of the set.
    pub(crate) of: Vec<Vec<Turns>>,
}
