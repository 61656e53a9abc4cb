//! A game under the hands of a player: levels one after the other, with undo, restart and
//! checkpoints.
//!
//! This is the way in which the engine's own tests play: messages are not shown, and the next level
//! follows at once. Searching for a shortest solution needs none of it: undo and restart lead back
//! to where one has been.

use crate::engine::board::{Input, NoEnd};
use crate::engine::tick::{Tick, TurnStats};
use crate::game::{Game, Map, Stage};

/// A key that is pressed, or a moment that passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// A move or an action.
    Input(Input),
    /// Nothing is pressed, but the rules run.
    Tick,
    /// The last change is taken back.
    Undo,
    /// The level begins again, at the last checkpoint if there was one.
    Restart,
}

/// No chain of ticks by AGAIN is followed further.
const MAX_AGAIN: usize = 10_000;

/// A game that is being played.
#[derive(Clone, Debug)]
pub struct Session<'a> {
    game: &'a Game,
    /// The level by its place, and the map of the board, which stays when a message follows.
    stage: usize,
    map: &'a Map,
    cells: Vec<u64>,
    undo: Vec<Vec<u64>>,
    restart: Vec<u64>,
    /// Whether another tick follows by AGAIN.
    again: bool,
    restarting: bool,
    /// Whether a message or the end of the game is shown, so that nothing can be won.
    is_text: bool,
    wins: usize,
    /// Of the key that was pressed last.
    stats: TurnStats,
}

impl<'a> Session<'a> {
    /// Begins a level, by its place among messages and levels from 0; nothing if there is none.
    ///
    /// # Errors
    /// When rules that run on the start of the level do not end.
    pub fn new(game: &'a Game, stage: usize) -> Option<Result<Self, NoEnd>> {
        let Stage::Level(map) = game.levels.get(stage)? else { return None };
        let mut session = Self {
            game,
            stage,
            map,
            cells: Vec::new(),
            undo: Vec::new(),
            restart: Vec::new(),
            again: false,
            restarting: false,
            is_text: false,
            wins: 0,
            stats: TurnStats::default(),
        };
        Some(session.load(map).and_then(|()| session.follow()).map(|()| session))
    }

    /// The map of the level that is played, for its size.
    pub fn map(&self) -> &'a Map {
        self.map
    }

    /// The objects of the cells, column by column.
    pub fn cells(&self) -> &[u64] {
        &self.cells
    }

    /// How many levels were won.
    pub fn wins(&self) -> usize {
        self.wins
    }

    /// Presses a key, and waits until everything has come to rest.
    ///
    /// # Errors
    /// When no one could say where the turn ends.
    pub fn press(&mut self, key: Key) -> Result<(), NoEnd> {
        self.stats = TurnStats::default();
        match key {
            Key::Input(input) => self.play(Some(input), false)?,
            Key::Tick => self.play(None, false)?,
            Key::Undo => self.undo_key(),
            Key::Restart if self.game.settings.no_restart => {}
            Key::Restart => self.restart(false)?,
        }
        self.follow()
    }

    /// Plays the ticks that AGAIN asks for.
    fn follow(&mut self) -> Result<(), NoEnd> {
        for _ in 0..MAX_AGAIN {
            if !self.again {
                return Ok(());
            }
            self.play(None, false)?;
        }
        Err(NoEnd::TooLong)
    }

    fn load(&mut self, map: &'a Map) -> Result<(), NoEnd> {
        self.again = false;
        self.is_text = false;
        self.map = map;
        self.cells.clone_from(&map.cells);
        self.restart.clone_from(&map.cells);
        self.undo.clear();
        if self.game.settings.run_rules_on_level_start { self.play(None, true) } else { Ok(()) }
    }

    /// Plays a tick and does what it asks for. `is_start` says that the level is about to begin.
    fn play(&mut self, input: Option<Input>, is_start: bool) -> Result<(), NoEnd> {
        self.again = false;
        let game = self.game;
        let before = self.cells.clone();
        let Tick { cells, commands, undone, .. } =
            game.tick_within(&mut self.stats, self.map, &before, input)?;
        let asks = |word: &str| commands.iter().any(|command| command.word() == word);
        if undone || asks("cancel") {
            return Ok(());
        }
        self.cells = cells;
        let restarts = asks("restart");
        if restarts {
            self.undo.push(before.clone());
            self.restart(true)?;
        }
        // A restart forgets what else was asked for, unless another is going on.
        let forgets = restarts && !self.restarting;
        let asks = |word: &str| !forgets && asks(word);
        let changed = self.cells != before;
        if changed && input.is_some() {
            self.undo.push(before);
        }
        let is_won = asks("win") || game.conditions_hold(&self.cells);
        if is_won && !self.is_text && !is_start {
            self.wins += 1;
            // Where a message follows, the board stays, and so does what was asked for.
            if self.next_level()? {
                return Ok(());
            }
        }
        if asks("checkpoint") {
            self.restart.clone_from(&self.cells);
        }
        if asks("again") && changed { self.try_again() } else { Ok(()) }
    }

    /// Tries the tick that AGAIN asks for: it is only played if it does something.
    fn try_again(&mut self) -> Result<(), NoEnd> {
        let trial = self.game.tick_within(&mut self.stats, self.map, &self.cells, None)?;
        self.again = trial.does_something(&self.cells);
        if trial.asks("cancel") {
            return Ok(());
        }
        if trial.asks("restart") {
            self.undo.push(self.cells.clone());
        }
        if !self.again && trial.asks("checkpoint") {
            self.restart.clone_from(&self.cells);
        }
        Ok(())
    }

    /// Goes on to the next entry of the section of levels; whether that is a level.
    fn next_level(&mut self) -> Result<bool, NoEnd> {
        self.again = false;
        let game = self.game;
        if self.stage + 1 < game.levels.len() {
            self.stage += 1;
            if let Stage::Level(map) = &game.levels[self.stage] {
                self.load(map)?;
                return Ok(true);
            }
        } else {
            self.stage = 0;
        }
        self.is_text = true;
        Ok(false)
    }

    /// Begins the level again; `by_rule` if a rule asked for it.
    fn restart(&mut self, by_rule: bool) -> Result<(), NoEnd> {
        if self.restarting {
            return Ok(());
        }
        self.restarting = true;
        if !by_rule {
            self.undo.push(self.cells.clone());
        }
        self.cells.clone_from(&self.restart);
        self.again = false;
        let played = if self.game.settings.run_rules_on_level_start {
            self.play(None, true)
        } else {
            Ok(())
        };
        self.restarting = false;
        played
    }

    fn undo_key(&mut self) {
        if self.game.settings.no_undo {
            return;
        }
        while self.undo.last() == Some(&self.cells) {
            self.undo.pop();
        }
        if let Some(before) = self.undo.pop() {
            self.cells = before;
            self.again = false;
        }
    }
}
