//! A turn: an input, and the ticks that follow it by AGAIN, with what they ask for.

use crate::engine::board::{Input, NoEnd};
use crate::engine::tick::{Tick, TurnStats};
use crate::game::{Game, Map};
use crate::language::rule::Command;

/// A position of a level, and whether it is won.
///
/// That is no property of the board: win conditions are looked at after a turn only, so a level
/// that begins solved still takes an input.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    /// The objects of the cells, column by column.
    pub cells: Vec<u64>,
    /// Whether the level is over.
    pub won: bool,
}

impl Game {
    /// Where a level begins: as it is drawn, or after the rules have run once.
    ///
    /// # Errors
    /// The name of a rule, when the beginning has no end.
    pub fn start(&self, map: &Map) -> Result<State, &'static str> {
        self.start_within(&mut TurnStats::default(), map)
    }

    /// Where a level begins, and what is counted on the way.
    pub fn start_within(&self, stats: &mut TurnStats, map: &Map) -> Result<State, &'static str> {
        let cells = map.cells.clone();
        if !self.settings.run_rules_on_level_start {
            return Ok(State { cells, won: false });
        }
        let tick = self.tick_within(stats, map, &cells, None).map_err(NoEnd::rule)?;
        if tick.asks("cancel") {
            return match self.cancels_plainly(&cells) {
                true => Ok(State { cells, won: false }),
                false => Err(NoEnd::Unmodelled.rule()),
            };
        }
        // The level cannot be won now, unless a message is shown: when that is closed, win
        // conditions are looked at.
        if tick.asks("message") && self.conditions_hold(&tick.cells) {
            return Ok(State { cells: tick.cells, won: true });
        }
        let goes_on = tick.asks("again") && tick.cells != cells;
        self.go_on(stats, map, tick.cells, goes_on, |_| ())
    }

    /// Plays a turn.
    ///
    /// # Errors
    /// The name of the rule that forbids it: `over` after the end, `no-action` where there is no
    /// action key, `restart` where the turn would begin the level again, `endless` where the rules
    /// come to no end. Or that of a [`NoEnd`], where the result is not known.
    pub fn turn(&self, map: &Map, state: &State, input: Input) -> Result<State, &'static str> {
        self.turn_within(&mut TurnStats::default(), map, state, input)
    }

    /// Plays a turn, and counts.
    pub fn turn_within(
        &self,
        stats: &mut TurnStats,
        map: &Map,
        state: &State,
        input: Input,
    ) -> Result<State, &'static str> {
        self.turn_watched(stats, map, state, input, |_| ())
    }

    /// Plays a turn, and counts; `passed` is shown the boards on which AGAIN goes on, one after the
    /// other. The last board of the turn is not among them.
    pub fn turn_watched(
        &self,
        stats: &mut TurnStats,
        map: &Map,
        state: &State,
        input: Input,
        passed: impl FnMut(&State),
    ) -> Result<State, &'static str> {
        if state.won {
            return Err("over");
        }
        if input == Input::Action && self.settings.no_action {
            return Err("no-action");
        }
        let tick = self.tick_within(stats, map, &state.cells, Some(input));
        let (state, goes_on) = self.end_tick(map, &state.cells, tick.map_err(NoEnd::rule)?)?;
        if goes_on { self.go_on(stats, map, state.cells, true, passed) } else { Ok(state) }
    }

    /// What comes of one tick, and whether another may follow.
    fn end_tick(
        &self,
        map: &Map,
        before: &[u64],
        tick: Tick,
    ) -> Result<(State, bool), &'static str> {
        if tick.asks("cancel") && !self.cancels_plainly(before) {
            return Err(NoEnd::Unmodelled.rule());
        }
        if tick.undone || tick.asks("cancel") {
            return Ok((State { cells: before.to_vec(), won: false }, false));
        }
        if tick.asks("restart") {
            return Err(match self.restarts_plainly(map) {
                true => "restart",
                false => NoEnd::Unmodelled.rule(),
            });
        }
        // WIN is lost when a message is shown, since it is forgotten until that is closed.
        let is_won = tick.asks("win") && !tick.asks("message") || self.conditions_hold(&tick.cells);
        let goes_on = !is_won && tick.asks("again") && tick.cells != before;
        Ok((State { cells: tick.cells, won: is_won }, goes_on))
    }

    /// Plays ticks without input as long as they are asked for and do something. What a tick leads to
    /// follows from the board, so a chain that comes to a board again never ends: boards are compared
    /// with one that is kept for twice as many ticks each time (Brent, "An Improved Monte Carlo
    /// Factorization Algorithm", 1980).
    fn go_on(
        &self,
        stats: &mut TurnStats,
        map: &Map,
        cells: Vec<u64>,
        goes_on: bool,
        mut passed: impl FnMut(&State),
    ) -> Result<State, &'static str> {
        let mut state = State { cells, won: false };
        if !goes_on {
            return Ok(state);
        }
        let (mut kept, mut ticks, mut until) = (state.cells.clone(), 0_u64, 1);
        loop {
            let tick = self.tick_within(stats, map, &state.cells, None).map_err(NoEnd::rule)?;
            if !tick.does_something(&state.cells) {
                return Ok(state);
            }
            passed(&state);
            let (next, goes_on) = self.end_tick(map, &state.cells, tick)?;
            state = next;
            if !goes_on {
                return Ok(state);
            }
            if state.cells == kept {
                return Err("endless");
            }
            ticks += 1;
            if ticks == until {
                kept.clone_from(&state.cells);
                until *= 2;
            }
        }
    }

    /// Whether RESTART by a rule leads to where the level has begun, and wins nothing. The engine looks
    /// at the win conditions once the level is there again and its start rules have run once; it may
    /// go to a checkpoint, which need not be a board on which a turn has ended.
    pub fn restarts_plainly(&self, map: &Map) -> bool {
        let is_sound = |command: &Command| matches!(command, Command::Sound(_));
        let is_plain =
            |tick: Tick| tick.commands.iter().all(is_sound) && !self.conditions_hold(&tick.cells);
        !self.has_command(|command| matches!(command, Command::Checkpoint))
            && !self.conditions_hold(&map.cells)
            && (!self.settings.run_rules_on_level_start
                || self.tick(map, &map.cells, None).is_ok_and(is_plain))
    }

    /// Whether CANCEL on a board leaves everything as it is: when a message that was shown with it is
    /// closed, the engine looks at the win conditions.
    pub fn cancels_plainly(&self, cells: &[u64]) -> bool {
        !self.conditions_hold(cells)
            || !self.has_command(|command| matches!(command, Command::Message(_)))
    }

    /// Whether a rule asks for something.
    pub fn has_command(&self, is_it: impl Fn(&Command) -> bool) -> bool {
        let groups = self.rules.iter().chain(&self.late_rules);
        groups.flat_map(|group| &group.rules).flat_map(|rule| &rule.commands).any(is_it)
    }

    /// Whether the win conditions hold on a board; a game without any is won by WIN alone.
    pub fn conditions_hold(&self, cells: &[u64]) -> bool {
        let holds = |condition: &crate::game::WinCondition| {
            condition.holds(cells.chunks(self.object_words))
        };
        !self.conditions.is_empty() && self.conditions.iter().all(holds)
    }
}

impl Tick {
    /// Whether a tick that AGAIN asks for is played at all: the engine tries it first.
    pub(crate) fn does_something(&self, before: &[u64]) -> bool {
        if self.asks("cancel") {
            return self.commands.len() > 1;
        }
        self.cells != before || self.asks("win") || self.asks("restart")
    }
}
