//! A level that is played, with the truth about each position.

use super::fault::{illegal, unfit, unreadable};
use super::label;
use super::level::{self, Level};
use super::waiting::{limits, working};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use unstuck::atlas::{AppliedMove, Atlas, CostToGo, Id};
use unstuck::instance::{Instance, atlas};
use unstuck::limits::Limits;
use unstuck::puzzles::Style;
use unstuck::puzzles::constraints::Constraints;
use unstuck::puzzles::scene::{Figure, Ground};
use unstuck::puzzles::session::GameSession;
use unstuck::questions::analysis::Analysis;
use unstuck::report::sentences;

/// A level under a player's hand.
#[pyclass(frozen, module = "unstuck._native")]
pub(crate) struct Game {
    /// One reading of the rules, the last: it permits most.
    instance: Box<dyn Instance>,
    played: Mutex<Played>,
}

/// Where a game stands.
struct Played {
    /// What is known of all positions.
    atlas: Box<dyn Atlas>,
    session: Box<dyn GameSession>,
    /// The position at the start and after each move, and the moves.
    passed: Vec<Id>,
    moves: Vec<String>,
    /// The legal moves of the last position, once they were asked for.
    legal: Option<Vec<AppliedMove>>,
}

impl Played {
    fn at(&self) -> Id {
        *self.passed.last().expect("the start is never taken back")
    }

    /// The legal moves.
    fn legal(&mut self) -> &[AppliedMove] {
        let at = self.at();
        let atlas = &mut self.atlas;
        self.legal.get_or_insert_with(|| atlas.steps(at))
    }

    fn made(&mut self, text: String, to: Id) {
        self.passed.push(to);
        self.moves.push(text);
        self.legal = None;
    }

    /// What the rest of the game costs, from what is known and a search of so many positions.
    fn rest(&mut self, at: Id, most: usize, limits: &Limits) -> CostToGo {
        self.atlas.cost_to_go_within(at, None, most, limits)
    }
}

/// What is known of the cost of a rest: whether there is no way, and what it costs.
fn known(rest: CostToGo) -> (Option<bool>, Option<u32>) {
    match rest {
        CostToGo::Never => (Some(true), None),
        CostToGo::Exactly(cost) => (Some(false), Some(cost.primary())),
        CostToGo::AtLeast(_) | CostToGo::Stopped(..) => (None, None),
    }
}

impl Game {
    /// Where the game stands. Python's lock is left to others while another thread has this one.
    fn played(&self, py: Python<'_>) -> MutexGuard<'_, Played> {
        self.played.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    /// What the rest of the game costs after the moves that were made, by search and, with more time,
    /// by all engines.
    fn rest(
        &self,
        py: Python<'_>,
        states: usize,
        timeout: Option<f64>,
    ) -> PyResult<(CostToGo, bool)> {
        let played = &mut *self.played(py);
        let at = played.at();
        // Most is known already, or found at once: that needs no thread.
        let soon = played.rest(at, states.min(FEW), &Limits::none());
        if soon.stop().is_none() {
            return Ok((soon, false));
        }
        let wants_time = timeout.is_some();
        let limits = limits(py, timeout, None)?;
        working(py, |flag| {
            let limits = limits.with_flag(flag);
            let seen = played.rest(at, states, &limits);
            if seen.stop().is_none() || !wants_time {
                return seen;
            }
            let Some(mut asked) = Analysis::new(self.instance.as_ref(), &Constraints::default())
            else {
                return seen;
            };
            std::mem::swap(&mut asked.atlas, &mut played.atlas);
            let rest = asked.rest_after(&played.moves.concat(), at, false, &limits).cost;
            std::mem::swap(&mut asked.atlas, &mut played.atlas);
            rest
        })
    }
}

/// Positions that are looked at without a thread: a few milliseconds.
const FEW: usize = 2_000;

type FigureView = (&'static str, Vec<(usize, usize)>, u16);

/// The colours of dots by their rows and columns.
type Dots = BTreeMap<(usize, usize), String>;

/// Rows, columns, what each square is, and the names of sprites.
type GroundView = (usize, usize, Vec<&'static str>, Vec<String>);

fn view(figure: Figure) -> FigureView {
    (figure.kind, figure.places, figure.number)
}

#[pymethods]
impl Game {
    #[new]
    fn new(py: Python<'_>, level: &Level, objective: Option<&str>) -> PyResult<Self> {
        let objective = level::objective(py, level.family, objective)?;
        let mut readings = level.readings(objective);
        let at = label::counted(&readings);
        let instance = readings.swap_remove(at);
        let parts = atlas(instance.as_ref(), &Constraints::default())
            .zip(instance.moves().map(|game| game.session()));
        let Some((mut atlas, session)) = parts else {
            return Err(unfit(py, sentences::without_moves(instance.as_ref())));
        };
        let passed = vec![atlas.start()];
        let played = Played { atlas, session, passed, moves: Vec::new(), legal: None };
        Ok(Self { instance, played: Mutex::new(played) })
    }

    #[getter]
    fn objective(&self) -> &'static str {
        self.instance.asked().name()
    }

    /// The moves that were made.
    #[getter]
    fn moves(&self, py: Python<'_>) -> Vec<String> {
        self.played(py).moves.clone()
    }

    /// How long the game is: moves, and pushes among them.
    #[getter]
    fn length(&self, py: Python<'_>) -> (u32, u32) {
        let tally = self.played(py).session.view(usize::MAX).tally;
        (tally.moves, tally.pushes)
    }

    #[getter]
    fn is_solved(&self, py: Python<'_>) -> bool {
        self.played(py).session.view(usize::MAX).solved
    }

    /// The legal moves, in a fixed order.
    fn legal_moves(&self, py: Python<'_>) -> Vec<String> {
        self.played(py).legal().iter().map(|step| step.text.clone()).collect()
    }

    /// Makes a move, or several.
    fn step(&self, py: Python<'_>, moves: &str) -> PyResult<()> {
        let played = &mut *self.played(py);
        let at = played.at();
        let game = played.atlas.play_from(at, moves).map_err(|error| unreadable(py, &error))?;
        if let Some(refused) = game.stop {
            return Err(illegal(py, refused));
        }
        let made = played.moves.len();
        let (_, refused) =
            played.session.play(made, moves).map_err(|error| unreadable(py, &error))?;
        if let Some(refused) = refused {
            // A move that changes nothing is none of a game under a hand.
            played.session.play(made, "").map_err(|error| unreadable(py, &error))?;
            return Err(illegal(py, refused));
        }
        for step in game.moves {
            played.made(step.text, step.to);
        }
        Ok(())
    }

    /// Takes back so many moves: fewer where there are not so many.
    fn undo(&self, py: Python<'_>, count: usize) -> PyResult<()> {
        let played = &mut *self.played(py);
        let left = played.moves.len().saturating_sub(count);
        played.moves.truncate(left);
        played.passed.truncate(left + 1);
        played.legal = None;
        let taken = played.session.play(left, "");
        taken.map(drop).map_err(|error| unreadable(py, &error))
    }

    /// Whether there is no solution any more, what the shortest one costs, and whether Ctrl-C ended
    /// the question; none where a limit struck.
    #[pyo3(signature = (*, states, timeout))]
    fn truth(
        &self,
        py: Python<'_>,
        states: usize,
        timeout: Option<f64>,
    ) -> PyResult<(Option<bool>, Option<u32>, bool)> {
        let (rest, interrupted) = self.rest(py, states, timeout)?;
        let (dead, cost) = known(rest);
        Ok((dead, cost, interrupted))
    }

    /// The moves that begin a shortest solution; none where that is not known of all.
    #[pyo3(signature = (*, states, timeout))]
    fn optimal_moves(
        &self,
        py: Python<'_>,
        states: usize,
        timeout: Option<f64>,
    ) -> PyResult<(Option<Vec<String>>, bool)> {
        let (rest, interrupted) = self.rest(py, states, timeout)?;
        let Some(rest) = rest.exactly() else {
            return Ok(((rest == CostToGo::Never).then(Vec::new), interrupted));
        };
        let played = &mut *self.played(py);
        let mut best = Vec::new();
        for step in played.legal().to_vec() {
            py.check_signals()?;
            let Some(left) = rest.after(step.cost) else { continue };
            let below = Some(left.successor());
            match played.atlas.cost_to_go_within(step.to, below, states, &Limits::none()) {
                CostToGo::Exactly(cost) if cost == left => best.push(step.text),
                CostToGo::Stopped(..) => return Ok((None, false)),
                _ => {}
            }
        }
        Ok((Some(best), false))
    }

    /// What moves or changes: kind, places by row and column from 0, number.
    fn figures(&self, py: Python<'_>) -> Vec<FigureView> {
        let view = self.played(py).session.view(usize::MAX);
        view.figures.into_iter().map(self::view).collect()
    }

    /// What never changes; none where there are no squares.
    fn ground(&self) -> Option<GroundView> {
        match self.instance.ground()? {
            Ground::Squares(ground) => {
                let sprites = ground.sprites.into_iter().map(|sprite| sprite.name).collect();
                Some((ground.rows, ground.columns, ground.squares, sprites))
            }
            Ground::Paths(_) => None,
        }
    }

    /// How things look that the author has drawn: the dots that are not transparent, by their names.
    fn sprites(&self) -> Vec<(String, Dots)> {
        let Some(Ground::Squares(ground)) = self.instance.ground() else { return Vec::new() };
        let dots = |sprite: unstuck::puzzles::scene::Sprite| {
            let mut dots = Dots::new();
            for run in sprite.runs {
                for column in run.column..run.column + run.length {
                    dots.insert((run.row, column), run.colour.clone());
                }
            }
            (sprite.name, dots)
        };
        ground.sprites.into_iter().map(dots).collect()
    }

    /// The board; none in a style that the family does not know.
    fn draw(&self, py: Python<'_>, style: &str) -> PyResult<Option<String>> {
        let style: Style = level::style(py, style)?;
        let played = self.played(py);
        Ok(played.atlas.draw(played.at(), style))
    }
}
