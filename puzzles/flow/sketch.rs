//! A board under a person's hand: paths that grow from a terminus, and cut others that they cross.

use super::board::{Board, Heading, Name, Shape};
use super::check::{self, Flow, Solution};
use super::picture;
use crate::error::ParseError;
use crate::picture::{Picture, Style};
use crate::sketch::{Arrow, DrawError, Sketch, Span};

/// Paths as far as they are drawn, each from one of its termini, as nodes.
#[derive(Clone, Debug)]
pub(super) struct Drawing {
    board: Board,
    paths: Vec<Vec<usize>>,
    /// The cell of the cursor.
    cursor: usize,
    /// The pair whose path is drawn: its last node is where the cursor stands.
    pen: Option<usize>,
}

impl Drawing {
    pub(super) fn new(board: &Board) -> Self {
        let cursor = board.pairs.first().map_or(0, |pair| board.owners[pair.ends[0]]);
        let paths = vec![Vec::new(); board.pairs.len()];
        Self { board: board.clone(), paths, cursor, pen: None }
    }

    fn is_joined(&self, pair: usize) -> bool {
        let ends = self.board.pairs[pair].ends;
        self.paths[pair].len() > 1 && self.paths[pair].last().is_some_and(|it| ends.contains(it))
    }

    /// The pair that ends on a node.
    fn terminus(&self, node: usize) -> Option<usize> {
        self.board.pairs.iter().position(|pair| pair.ends.contains(&node))
    }

    /// Pair and place on its path of a node.
    fn on_path(&self, node: usize) -> Option<(usize, usize)> {
        let place = |path: &Vec<usize>| path.iter().position(|&it| it == node);
        self.paths.iter().enumerate().find_map(|(pair, path)| Some((pair, place(path)?)))
    }

    /// What is drawn on the cursor's cell.
    fn here(&self) -> Option<(usize, usize)> {
        self.board.cells[self.cursor].nodes.clone().find_map(|node| self.on_path(node))
    }

    /// Where ways lead: from the end of the path that is drawn, else from the cell.
    fn nodes_around(&self) -> Vec<usize> {
        let from = match self.pen {
            Some(pair) => self.paths[pair].last().map_or(0..0, |&last| last..last + 1),
            None => self.board.cells[self.cursor].nodes.clone(),
        };
        from.flat_map(|node| self.board.neighbours[node].iter().copied()).collect()
    }

    /// Lets the path that is drawn go on to a neighbour of its end.
    fn draw_to(&mut self, pair: usize, node: usize) -> Result<(), DrawError> {
        let cell = self.board.owners[node];
        let path = &mut self.paths[pair];
        if path.len() > 1 && path[path.len() - 2] == node {
            path.pop();
        } else if let Some(at) = path.iter().position(|&it| it == node) {
            path.truncate(at + 1);
        } else {
            if let Some(other) = self.terminus(node).filter(|&other| other != pair) {
                return Err(DrawError::EndOf(self.board.pairs[other].label.clone()));
            }
            if let Some((other, at)) = self.on_path(node) {
                self.paths[other].truncate(at);
            }
            self.paths[pair].push(node);
        }
        self.cursor = cell;
        if self.is_joined(pair) {
            self.pen = None;
        }
        Ok(())
    }

    /// The headings that an arrow stands for, the best first.
    fn headings(&self, towards: Arrow) -> &'static [Heading] {
        use Heading::{E, N, NE, NW, S, SE, SW, W};
        match (towards, self.board.shape) {
            (Arrow::Up, _) => &[N],
            (Arrow::Down, _) => &[S],
            (Arrow::Left, Shape::Square) => &[W],
            (Arrow::Right, Shape::Square) => &[E],
            (Arrow::Left, _) => &[SW, NW],
            (Arrow::Right, _) => &[SE, NE],
        }
    }

    fn solution(&self) -> Solution {
        let named = |path: &Vec<usize>| -> Vec<Name> {
            path.iter().map(|&node| self.board.cell_of(node).name.clone()).collect()
        };
        let drawn = self.paths.iter().enumerate().filter(|(_, path)| path.len() > 1);
        let flow = |(pair, path): (usize, _)| Flow {
            label: self.board.pairs[pair].label.clone(),
            cells: named(path),
        };
        Solution { flows: drawn.map(flow).collect() }
    }

    /// The nodes of a path of cells, as far as each is a neighbour of the one before.
    fn nodes(&self, pair: usize, cells: &[Name]) -> Option<Vec<usize>> {
        let cells: Vec<usize> =
            cells.iter().map(|name| self.board.cell_named(name)).collect::<Option<_>>()?;
        let first = self.board.cells[*cells.first()?].nodes.start;
        let mut path = vec![first];
        if !self.board.pairs[pair].ends.contains(&first) {
            return None;
        }
        for (at, &cell) in cells.iter().enumerate().skip(1) {
            let next = cells.get(at + 1);
            let last = *path.last()?;
            let node = self.board.neighbours[last].iter().copied().find(|&node| {
                let goes_on = |next: &usize| {
                    self.board.neighbours[node].iter().any(|&it| self.board.owners[it] == *next)
                };
                self.board.owners[node] == cell && !path.contains(&node) && next.is_none_or(goes_on)
            })?;
            path.push(node);
        }
        Some(path)
    }

    fn named(&self, name: &str) -> Option<usize> {
        // A lane of a bridge has a number after its cell.
        let name = name.split('/').next().unwrap_or(name);
        self.board.cells.iter().position(|cell| cell.name.to_string() == name)
    }
}

impl Sketch for Drawing {
    fn go(&mut self, towards: Arrow) -> Result<(), DrawError> {
        let name = &self.board.cells[self.cursor].name;
        let Some(place) = name.place() else {
            return Err(DrawError::NoArrows);
        };
        let headings = self.headings(towards);
        let joined = headings.iter().find_map(|&it| self.board.across(self.cursor, place, it));
        if let Some(pair) = self.pen {
            let around = self.nodes_around();
            let node = around.into_iter().find(|&it| Some(self.board.owners[it]) == joined);
            let node = node.ok_or(DrawError::NoWay)?;
            return self.draw_to(pair, node);
        }
        // A cursor without a pen passes walls.
        let beside = headings.iter().find_map(|&heading| {
            self.board.cell_named(&Name::from(self.board.shape.beside(place, heading)?))
        });
        self.cursor = joined.or(beside).ok_or(DrawError::NoCell)?;
        Ok(())
    }

    fn ways(&self) -> Vec<String> {
        let around = self.nodes_around().into_iter();
        around.map(|node| self.board.cell_of(node).name.to_string()).collect()
    }

    fn take(&mut self, way: usize) -> Result<(), DrawError> {
        let node = self.nodes_around().get(way).copied();
        let node = node.ok_or(DrawError::NoSuchWay)?;
        match self.pen {
            Some(pair) => self.draw_to(pair, node),
            None => {
                self.cursor = self.board.owners[node];
                Ok(())
            }
        }
    }

    fn skip(&mut self) {
        self.pen = None;
        let open = (0..self.paths.len()).filter(|&pair| !self.is_joined(pair));
        let mut ends: Vec<usize> = open
            .flat_map(|pair| self.board.pairs[pair].ends)
            .map(|node| self.board.owners[node])
            .collect();
        ends.sort_unstable();
        let next = ends.iter().find(|&&cell| cell > self.cursor).or(ends.first());
        self.cursor = next.copied().unwrap_or(self.cursor);
    }

    fn pen(&mut self) -> Result<(), DrawError> {
        if self.pen.take().is_some() {
            return Ok(());
        }
        let terminus = self.terminus(self.board.cells[self.cursor].nodes.start);
        if let Some(pair) = terminus {
            self.paths[pair] = vec![self.board.cells[self.cursor].nodes.start];
            self.pen = Some(pair);
            return Ok(());
        }
        let (pair, at) = self.here().ok_or(DrawError::NothingToDraw)?;
        self.paths[pair].truncate(at + 1);
        self.pen = Some(pair);
        Ok(())
    }

    fn rub(&mut self) -> Result<(), DrawError> {
        let (pair, _) = self.here().ok_or(DrawError::NoPath)?;
        self.paths[pair].clear();
        self.pen = None;
        Ok(())
    }

    fn approach(&mut self, solution: &str) -> bool {
        let Ok(solution) = check::read_solution(&self.board, solution) else { return false };
        self.pen = None;
        for flow in &solution.flows {
            let Some(pair) = self.board.pairs.iter().position(|it| it.label == flow.label) else {
                continue;
            };
            let Some(mut whole) = self.nodes(pair, &flow.cells) else { continue };
            if self.paths[pair].first().is_some_and(|first| whole.last() == Some(first)) {
                whole.reverse();
            }
            let drawn = &self.paths[pair];
            let same = drawn.iter().zip(&whole).take_while(|(a, b)| a == b).count();
            if same == whole.len() && same == drawn.len() {
                continue;
            }
            if same < drawn.len() {
                self.paths[pair].truncate(same.max(1));
            } else {
                if drawn.is_empty() {
                    self.paths[pair].push(whole[0]);
                }
                let next = whole[same.max(1)];
                if let Some((other, at)) = self.on_path(next) {
                    self.paths[other].truncate(at);
                }
                self.paths[pair].push(next);
            }
            self.cursor = self.paths[pair].last().map_or(self.cursor, |&it| self.board.owners[it]);
            return true;
        }
        false
    }

    fn text(&self) -> String {
        self.solution().to_string()
    }

    fn set(&mut self, text: &str) -> Result<(), ParseError> {
        let solution = check::read_solution(&self.board, text)?;
        let mut drawn = Self { pen: None, ..Self::new(&self.board) };
        drawn.cursor = self.cursor;
        for (index, flow) in solution.flows.iter().enumerate() {
            let fault = |message: String| ParseError::at(index + 1, 1, message);
            let pair = self.board.pairs.iter().position(|pair| pair.label == flow.label);
            let pair = pair.ok_or_else(|| fault(format!("there is no pair {}", flow.label)))?;
            let path = self.nodes(pair, &flow.cells);
            let path = path.filter(|path| {
                drawn.paths[pair].is_empty() && {
                    path.iter().all(|&node| drawn.on_path(node).is_none())
                        && path[1..]
                            .iter()
                            .all(|&node| self.terminus(node).is_none_or(|other| other == pair))
                }
            });
            drawn.paths[pair] =
                path.ok_or_else(|| fault(format!("{} is no path on this board", flow.label)))?;
        }
        // The cursor goes where something has changed.
        let changed = drawn.paths.iter().zip(&self.paths).find(|(new, old)| new != old);
        if let Some(&last) = changed.and_then(|(new, _)| new.last()) {
            drawn.cursor = self.board.owners[last];
        }
        *self = drawn;
        Ok(())
    }

    fn progress(&self) -> String {
        let joined = (0..self.paths.len()).filter(|&pair| self.is_joined(pair)).count();
        let used: usize = self.paths.iter().filter(|path| path.len() > 1).map(Vec::len).sum();
        let all = self.board.nodes();
        format!("{joined} of {} pairs joined, {used} of {all} cells on paths", self.paths.len())
    }

    fn joins(&self, one: &str, other: &str) -> bool {
        let (Some(one), Some(other)) = (self.named(one), self.named(other)) else { return false };
        self.paths.iter().any(|path| {
            path.windows(2).any(|step| {
                let [a, b] = [step[0], step[1]].map(|node| self.board.owners[node]);
                [a, b] == [one, other] || [a, b] == [other, one]
            })
        })
    }

    fn draw(&self, style: Style) -> Picture {
        let solution = self.solution();
        match style {
            Style::Unicode { color } => picture::unicode(&self.board, Some(&solution), color),
            Style::Plain => picture::letters(&self.board, &solution),
            Style::Svg => super::svg::svg(&self.board, Some(&solution)),
        }
    }

    fn cursor(&self, style: Style) -> Option<Span> {
        picture::span(&self.board, &self.solution(), self.cursor, style)
    }

    fn span(&self, name: &str, style: Style) -> Option<Span> {
        picture::span(&self.board, &self.solution(), self.named(name)?, style)
    }
}
