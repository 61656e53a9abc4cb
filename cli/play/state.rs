//! What lies on the table: a game that is moved, or a drawing; both with a past that can be taken
//! back.

use std::fmt;
use unstuck::atlas::{AppliedMove, Atlas, Id};
use unstuck::instance::{Instance, atlas};
use unstuck_puzzles::constraints::Constraints;
use unstuck_puzzles::sketch::{Arrow, DrawError, Sketch, Span};
use unstuck_puzzles::{ParseError, Style};

/// What a person does with a drawing beside going somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DrawAction {
    /// Puts the pen down or lifts it.
    Pen,
    /// Rubs a path out.
    Rub,
    /// Goes to the next end that is not joined.
    Skip,
    /// Goes one of the ways from here, by its number.
    Way(usize),
}

/// Why a step was not made.
#[derive(Debug)]
pub(super) enum StepError {
    /// Something is in the way.
    Blocked,
    /// Only drawings know it.
    NotADrawing,
    /// The game has no action key, or it does nothing here.
    NoAction,
    /// The drawing does not change.
    Draw(DrawError),
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Blocked => f.write_str("blocked"),
            Self::NotADrawing => f.write_str("that is for puzzles in which paths are drawn"),
            Self::NoAction => f.write_str("the action key does nothing here"),
            Self::Draw(error) => error.fmt(f),
        }
    }
}

impl From<DrawError> for StepError {
    fn from(error: DrawError) -> Self {
        Self::Draw(error)
    }
}

/// The state of a puzzle that is being played.
pub(super) enum PlayState {
    /// A player moves.
    Game(GameHistory),
    /// Paths are drawn.
    Drawing(DrawingHistory),
}

impl PlayState {
    /// The puzzle as it begins.
    pub(super) fn new(instance: &dyn Instance) -> Option<Self> {
        if let Some(atlas) = atlas(instance, &Constraints::default()) {
            return Some(Self::Game(GameHistory::new(atlas)));
        }
        instance.sketch().map(|sketch| Self::Drawing(DrawingHistory::new(sketch)))
    }

    /// Takes a game up again.
    ///
    /// # Errors
    /// When the text is no game of this puzzle.
    pub(super) fn take_up(&mut self, text: &str) -> Result<(), ParseError> {
        match self {
            Self::Game(game) => game.take_up(text),
            Self::Drawing(drawing) => drawing.sketch.set(text),
        }
    }

    /// Moves or draws.
    ///
    /// # Errors
    /// When that is not possible, with the reason.
    pub(super) fn go(&mut self, towards: Arrow) -> Result<(), StepError> {
        match self {
            Self::Game(game) => game.go(towards),
            Self::Drawing(drawing) => Ok(drawing.change(|sketch| sketch.go(towards))?),
        }
    }

    /// Does something with a drawing; in a game the keys of pen and rubber are the action key.
    ///
    /// # Errors
    /// When that is not possible, with the reason.
    pub(super) fn draw(&mut self, what: DrawAction) -> Result<(), StepError> {
        let drawing = match (self, what) {
            (Self::Drawing(drawing), _) => drawing,
            (Self::Game(game), DrawAction::Pen | DrawAction::Rub) => return game.act(),
            (Self::Game(_), _) => return Err(StepError::NotADrawing),
        };
        Ok(drawing.change(|sketch| match what {
            DrawAction::Pen => sketch.pen(),
            DrawAction::Rub => sketch.rub(),
            DrawAction::Skip => {
                sketch.skip();
                Ok(())
            }
            DrawAction::Way(way) => sketch.take(way),
        })?)
    }

    /// Takes the last change back; `false` when there is none.
    pub(super) fn undo(&mut self) -> bool {
        match self {
            Self::Game(game) => game.undo(),
            Self::Drawing(drawing) => drawing.undo(),
        }
    }

    /// Makes again what was taken back; `false` when there is nothing.
    pub(super) fn redo(&mut self) -> bool {
        match self {
            Self::Game(game) => game.redo(),
            Self::Drawing(drawing) => drawing.redo(),
        }
    }

    /// Takes everything back, which can be made again.
    pub(super) fn restart(&mut self) {
        while self.undo() {}
    }

    /// Goes one step along a solution, which for a game is one from here; `false` when it is at
    /// its end, or leads elsewhere.
    pub(super) fn approach(&mut self, solution: &[String]) -> bool {
        match self {
            Self::Game(game) => solution.first().is_some_and(|next| game.make(next)),
            Self::Drawing(drawing) => solution.first().is_some_and(|whole| {
                let mut nearer = false;
                let _ = drawing.change(|sketch| {
                    nearer = sketch.approach(whole);
                    Ok(())
                });
                nearer
            }),
        }
    }

    /// The game as a text that can be taken up again.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Game(game) => game.text(),
            Self::Drawing(drawing) => drawing.sketch.text(),
        }
    }

    /// The board as it is now.
    pub(super) fn picture(&self, style: Style) -> String {
        match self {
            Self::Game(game) => game.atlas.draw(game.at(), style).unwrap_or_default(),
            Self::Drawing(drawing) => drawing.sketch.draw(style),
        }
    }

    /// Where the player or the cursor is on the picture.
    pub(super) fn focus(&self, instance: &dyn Instance, style: Style) -> Option<Span> {
        match self {
            Self::Game(game) => Some(instance.span(game.atlas.player(game.at()), style)),
            Self::Drawing(drawing) => drawing.sketch.cursor(style),
        }
    }

    /// How far it is, in a few words.
    pub(super) fn progress(&self) -> String {
        match self {
            Self::Game(game) => {
                let pushes = game.made.iter().filter(|made| made.action.is_some()).count();
                let measures = game.atlas.measures();
                let moves = measures.moves.count(game.made.len() as u32);
                format!("{moves}, {}", measures.pushes.count(pushes as u32))
            }
            Self::Drawing(drawing) => drawing.sketch.progress(),
        }
    }
}

/// A game: the moves made, and those taken back.
pub(super) struct GameHistory {
    atlas: Box<dyn Atlas>,
    start: Id,
    made: Vec<AppliedMove>,
    undone: Vec<AppliedMove>,
}

impl GameHistory {
    fn new(mut atlas: Box<dyn Atlas>) -> Self {
        let start = atlas.start();
        Self { atlas, start, made: Vec::new(), undone: Vec::new() }
    }

    fn at(&self) -> Id {
        self.made.last().map_or(self.start, |made| made.to)
    }

    /// The moves made.
    pub(super) fn moves(&self) -> impl Iterator<Item = &str> {
        self.made.iter().map(|made| made.text.as_str())
    }

    /// What was pushed last, in words.
    pub(super) fn last_push(&self) -> Option<String> {
        let action = self.made.iter().rev().find_map(|made| made.action)?;
        Some(self.atlas.action_name(action).to_owned())
    }

    fn text(&self) -> String {
        self.moves().collect()
    }

    fn take_up(&mut self, text: &str) -> Result<(), ParseError> {
        let game = self.atlas.play(text.trim())?;
        if let Some(violation) = game.stop {
            return Err(ParseError::whole(violation.to_string()));
        }
        (self.made, self.undone) = (game.moves, Vec::new());
        Ok(())
    }

    fn go(&mut self, towards: Arrow) -> Result<(), StepError> {
        let letters = match towards {
            Arrow::Up => ["u", "^"],
            Arrow::Down => ["d", "v"],
            Arrow::Left => ["l", "<"],
            Arrow::Right => ["r", ">"],
        };
        let is_meant = |text: &str| letters.contains(&text.to_lowercase().as_str());
        if self.make_where(is_meant) { Ok(()) } else { Err(StepError::Blocked) }
    }

    fn act(&mut self) -> Result<(), StepError> {
        if self.make("x") { Ok(()) } else { Err(StepError::NoAction) }
    }

    fn make(&mut self, text: &str) -> bool {
        self.make_where(|it| it.eq_ignore_ascii_case(text))
    }

    fn make_where(&mut self, is_meant: impl Fn(&str) -> bool) -> bool {
        let steps = self.atlas.steps(self.at());
        let Some(step) = steps.into_iter().find(|step| is_meant(&step.text)) else { return false };
        // What was taken back can be made again as long as nothing else is done.
        if self.undone.pop().is_none_or(|undone| undone != step) {
            self.undone.clear();
        }
        self.made.push(step);
        true
    }

    fn undo(&mut self) -> bool {
        let last = self.made.pop();
        self.undone.extend(last.clone());
        last.is_some()
    }

    fn redo(&mut self) -> bool {
        let next = self.undone.pop();
        self.made.extend(next.clone());
        next.is_some()
    }
}

/// A drawing, with what it was before each change.
pub(super) struct DrawingHistory {
    sketch: Box<dyn Sketch>,
    before: Vec<String>,
    undone: Vec<String>,
}

impl DrawingHistory {
    fn new(sketch: Box<dyn Sketch>) -> Self {
        Self { sketch, before: Vec::new(), undone: Vec::new() }
    }

    /// The drawing.
    pub(super) fn sketch(&self) -> &dyn Sketch {
        self.sketch.as_ref()
    }

    fn change(
        &mut self,
        change: impl FnOnce(&mut dyn Sketch) -> Result<(), DrawError>,
    ) -> Result<(), DrawError> {
        let before = self.sketch.text();
        change(self.sketch.as_mut())?;
        if self.sketch.text() != before {
            self.before.push(before);
            self.undone.clear();
        }
        Ok(())
    }

    fn undo(&mut self) -> bool {
        let Some(text) = self.before.pop() else { return false };
        self.undone.push(self.sketch.text());
        self.sketch.set(&text).is_ok()
    }

    fn redo(&mut self) -> bool {
        let Some(text) = self.undone.pop() else { return false };
        self.before.push(self.sketch.text());
        self.sketch.set(&text).is_ok()
    }
}
