//! Levels under a person's hand: positions, moves that a person means who points, and drawn paths.

use super::reading::{by_name, open};
use crate::PageError;
use crate::protocol::{Coord, Fault, Judged, Level, Opened, Picture, Played, Way};
use std::any::Any;
use std::cell::RefCell;
use std::sync::Arc;
use unstuck_puzzles::session::{GameSession, PointerTarget, SessionPosition};
use unstuck_puzzles::{AnyPuzzle, Style, Tally};

/// The most sessions that are kept; the page opens one again that was dropped.
const MOST: usize = 8;

/// A level that is open.
struct Session {
    id: u32,
    puzzle: Arc<dyn AnyPuzzle>,
    /// What is played; `None` where paths are drawn.
    game: Option<Box<dyn GameSession>>,
}

thread_local! {
    /// The sessions, the one that was used last at the end.
    static OPEN: RefCell<Vec<Session>> = const { RefCell::new(Vec::new()) };
}

/// Opens a session on a level, after some moves.
pub(super) fn start(id: u32, level: &Level, moves: &str) -> Result<Opened, PageError> {
    let puzzle = opened(level)?;
    let ground = puzzle.ground().ok_or_else(unsaid)?.into();
    let game = begun(&puzzle)?;
    let mut session = Session { id, puzzle, game };
    let played = session.play(0, moves)?;
    close(id);
    OPEN.with_borrow_mut(|sessions| {
        if sessions.len() >= MOST {
            sessions.remove(0);
        }
        sessions.push(session);
    });
    Ok(Opened { ground, played })
}

/// Ends a session; it may have ended before.
pub(super) fn close(id: u32) {
    OPEN.with_borrow_mut(|sessions| sessions.retain(|session| session.id != id));
}

/// Does something with a session.
fn within<T>(
    id: u32,
    work: impl FnOnce(&mut Session) -> Result<T, PageError>,
) -> Result<T, PageError> {
    OPEN.with_borrow_mut(|sessions| {
        let at = sessions.iter().position(|session| session.id == id);
        let mut session = sessions.remove(at.ok_or_else(closed)?);
        let done = work(&mut session);
        sessions.push(session);
        done
    })
}

/// Drops what was made after the first moves, and plays on.
pub(super) fn play(id: u32, at: usize, moves: &str) -> Result<Played, PageError> {
    within(id, |session| session.play(at, moves))
}

/// The position after the first moves.
pub(super) fn view(id: u32, at: usize) -> Result<SessionPosition, PageError> {
    within(id, |session| Ok(session.view(at)))
}

/// The shortest walk to a cell.
pub(super) fn walk(id: u32, at: usize, to: Coord) -> Result<Way, PageError> {
    within(id, |session| Ok(session.ways(at, PointerTarget::Walk(to))))
}

/// The shortest moves that bring the piece on one cell to another.
pub(super) fn drag(id: u32, at: usize, from: Coord, to: Coord) -> Result<Way, PageError> {
    within(id, |session| Ok(session.ways(at, PointerTarget::Drag(from, to))))
}

/// The cells to which a piece can be brought.
pub(super) fn reached(id: u32, at: usize, from: Coord) -> Result<Vec<Coord>, PageError> {
    within(id, |session| {
        Ok(session.game.as_ref().map_or_else(Vec::new, |game| game.reached(at, from)))
    })
}

/// Whether drawn paths are a solution.
pub(super) fn judge(id: u32, drawing: &str) -> Result<Judged, PageError> {
    within(id, |session| {
        let fault = session.puzzle.judge(drawing)?.verdict.err().map(|violation| violation.message);
        Ok(Judged { solved: fault.is_none(), fault })
    })
}

impl Session {
    fn play(&mut self, at: usize, moves: &str) -> Result<Played, PageError> {
        let Some(game) = &mut self.game else {
            // What is drawn is the page's own until it is judged.
            let (moves, position) = (moves.to_owned(), self.view(0));
            return Ok(Played { moves, fault: None, position, passed: Vec::new() });
        };
        let (moves, stop) = game.play(at, moves)?;
        let passed = game.passed();
        let position = self.view(usize::MAX);
        Ok(Played { moves, fault: stop.map(|stop| stop.message), position, passed })
    }

    fn view(&self, at: usize) -> SessionPosition {
        let drawn = || SessionPosition {
            at: 0,
            tally: Tally::default(),
            solved: false,
            figures: Vec::new(),
        };
        self.game.as_ref().map_or_else(drawn, |game| game.view(at))
    }

    fn ways(&self, at: usize, pointed: PointerTarget) -> Way {
        Way { moves: self.game.as_ref().and_then(|game| game.ways(at, pointed)) }
    }
}

/// A level as a picture, after moves or with a solution; without them where they are wrong.
pub(super) fn picture(level: &Level, moves: &str) -> Result<Picture, PageError> {
    let puzzle = opened(level)?;
    let shown = match begun(&puzzle)? {
        Some(mut game) => Some(puzzle.judge(&game.play(0, moves)?.0)?),
        None => puzzle.judge(moves).ok().filter(|judged| judged.verdict.is_ok()),
    };
    let solution = shown.as_ref().map(|judged| judged.solution.as_ref() as &dyn Any);
    let drawn = puzzle.picture_of(solution, Style::Svg);
    Ok(Picture { svg: drawn.unwrap_or_default() })
}

/// A level, to be played.
fn opened(level: &Level) -> Result<Arc<dyn AnyPuzzle>, PageError> {
    open(level)?.last_reading().ok_or_else(PageError::unread)
}

/// The game of a puzzle at its start; `None` where paths are drawn.
fn begun(puzzle: &Arc<dyn AnyPuzzle>) -> Result<Option<Box<dyn GameSession>>, PageError> {
    let session = by_name(puzzle.family())?.session;
    Ok(session.and_then(|session| session(puzzle.clone())))
}

/// The family says its boards in pictures only.
fn unsaid() -> PageError {
    PageError::plain("boards of this family cannot be drawn here")
}

/// There is no session of that number.
fn closed() -> PageError {
    let message = "this level is no longer open".to_owned();
    PageError(Fault { message, closed: Some(true), ..Fault::default() })
}
