//! One tick of a game: what an input, or none, does to a board. This is the judge.
//!
//! A tick is: the input sets the players in motion; the groups of rules are applied in order;
//! everything moves; the late groups are applied. What the rules ask for beside that is left to
//! [`crate::engine::turn`].

use crate::engine::board::{Board, Input, NoEnd};
use crate::game::{CellPattern, Direction, Game, Group, Kind, Map, Pattern, Rule};
use crate::language::rule::Command;
use std::collections::BTreeSet;

/// A group that still changes something after so many rounds is left, as in the engine.
const MAX_ROUNDS: usize = 200;

/// After so many jumps back a loop, and all groups behind it, are left, as in the engine.
const MAX_JUMPS: usize = 200;

/// So often the rules are begun again because something rigid could not move, as in the engine.
const MAX_RIGID_TRIES: usize = 50;

/// No turn may look at more places than that. The engine would go on, for minutes or for ever.
const MAX_STEPS: u64 = 100_000_000;

/// A place where a row was found takes memory and counts as so many that are looked at.
const STEPS_A_FIND: usize = 50;

/// After so many groups and loops that a counter ends the engine gives up. It counts them as long as
/// it runs; here, in a turn.
const MAX_ERRORS: usize = 100;

/// The engine takes the places where a row with two ellipses begins in a cell as arguments of one
/// call: what JavaScript can pass differs, and this is below it everywhere.
const MAX_ENDS: usize = 50_000;

/// What is counted of a turn while it is played.
#[derive(Clone, Debug, Default)]
pub struct TurnStats {
    /// How many places it has looked at.
    pub steps: u64,
    /// The lines of the rules that have changed objects or movements, or asked for something, also
    /// where that was undone.
    pub acting: BTreeSet<usize>,
    /// How many groups and loops a counter has ended.
    errors: usize,
}

impl TurnStats {
    fn count(&mut self, steps: usize) -> Result<(), NoEnd> {
        self.steps += steps as u64;
        if self.steps > MAX_STEPS { Err(NoEnd::TooLong) } else { Ok(()) }
    }

    fn count_error(&mut self) -> Result<(), NoEnd> {
        self.errors += 1;
        if self.errors > MAX_ERRORS { Err(NoEnd::Torn) } else { Ok(()) }
    }
}

/// What a tick has led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tick {
    /// The objects of the board.
    pub cells: Vec<u64>,
    /// What rules have asked for, each once, in order.
    pub commands: Vec<Command>,
    /// Whether the players had to move and did not, so that nothing has happened.
    pub undone: bool,
}

impl Tick {
    /// Whether a command was asked for.
    pub fn asks(&self, word: &str) -> bool {
        self.commands.iter().any(|command| command.word() == word)
    }
}

impl Game {
    /// Plays one tick on a board of the size of `map`.
    ///
    /// # Errors
    /// When no one could say where the tick ends.
    pub fn tick(&self, map: &Map, cells: &[u64], input: Option<Input>) -> Result<Tick, NoEnd> {
        self.tick_within(&mut TurnStats::default(), map, cells, input)
    }

    /// Plays one tick of a turn.
    pub(crate) fn tick_within(
        &self,
        stats: &mut TurnStats,
        map: &Map,
        cells: &[u64],
        input: Option<Input>,
    ) -> Result<Tick, NoEnd> {
        let board = Board::new(self, map.width, map.height, cells);
        let mut running = Running { board, commands: Vec::new(), stats };
        running.tick(input)
    }
}

/// A tick on its way.
struct Running<'a> {
    board: Board<'a>,
    commands: Vec<Command>,
    stats: &'a mut TurnStats,
}

/// Where a row of a rule was found: its first cell, and how many cells each ellipsis stands for.
#[derive(Clone, Copy, Debug)]
struct Place {
    at: usize,
    gaps: [usize; 2],
}

impl<'a> Running<'a> {
    fn tick(&mut self, input: Option<Input>) -> Result<Tick, NoEnd> {
        let game = self.board.game;
        let before = self.board.objects.clone();
        let players = if input.is_some() { self.board.players() } else { Vec::new() };
        if let Some(input) = input {
            self.board.push_players(&players, input);
        }
        self.rigid_rules()?;
        if game.settings.require_player_movement && !players.is_empty() {
            let (Kind::Any(mask) | Kind::All(mask)) = &game.player;
            if players.iter().all(|&at| mask.meets(self.board.cell(at))) {
                return Ok(Tick { cells: before, commands: Vec::new(), undone: true });
            }
        }
        Ok(Tick {
            cells: std::mem::take(&mut self.board.objects),
            commands: std::mem::take(&mut self.commands),
            undone: false,
        })
    }

    /// Rules and movement, again without the rigid groups that set in motion what could not move;
    /// then late rules.
    fn rigid_rules(&mut self) -> Result<(), NoEnd> {
        let game = self.board.game;
        let start = (!self.board.rigid.is_empty()).then(|| self.board.clone());
        // The engine's numbers of groups run into one another where two groups have set the same
        // thing in motion; the last place stands for numbers that no group has.
        let mut banned = vec![false; game.rules.len() + 1];
        for _ in 0..MAX_RIGID_TRIES {
            self.apply_groups(&game.rules, &banned)?;
            while self.board.sweep()? {
                self.stats.count(self.board.len())?;
            }
            let failed = self.board.clear_movements();
            let mut again = false;
            for number in failed {
                let group = game.rules.iter().position(|group| group.rigid == Some(number));
                let group = group.unwrap_or(game.rules.len());
                again |= !std::mem::replace(&mut banned[group], true);
            }
            let Some(start) = start.as_ref().filter(|_| again) else {
                return self.apply_groups(&game.late_rules, &[]);
            };
            self.board = start.clone();
            self.commands.clear();
        }
        Ok(())
    }

    /// Applies groups in order, with their loops.
    fn apply_groups(&mut self, groups: &'a [Group], banned: &[bool]) -> Result<(), NoEnd> {
        let (mut at, mut jumps) = (0, 0);
        // Whether anything has changed since the last jump.
        let mut changed = false;
        while let Some(group) = groups.get(at) {
            if !banned.get(at).is_some_and(|&banned| banned) {
                changed |= self.apply_group(group)?;
            }
            at += 1;
            if let Some(first) = group.loop_to.filter(|_| changed) {
                at = first;
                changed = false;
                jumps += 1;
                if jumps > MAX_JUMPS {
                    self.stats.count_error()?;
                    break;
                }
            }
        }
        Ok(())
    }

    /// Applies the rules of a group in rounds, until a round changes nothing.
    fn apply_group(&mut self, group: &'a Group) -> Result<bool, NoEnd> {
        for round in 0..MAX_ROUNDS {
            let mut changed = false;
            for rule in &group.rules {
                changed |= self.apply_rule(rule, group.rigid)?;
            }
            if !changed {
                return Ok(round > 0);
            }
        }
        self.stats.count_error()?;
        Ok(true)
    }

    /// Applies a rule once wherever it was found before it changed anything, if it is still found
    /// there. With several rows that is everywhere where each row was found, in all combinations.
    fn apply_rule(&mut self, rule: &'a Rule, rigid: Option<u64>) -> Result<bool, NoEnd> {
        if !self.board.may_have(rule) {
            return Ok(false);
        }
        let mut found = Vec::with_capacity(rule.rows.len());
        for row in &rule.rows {
            let places = self.find(rule.direction, row)?;
            if places.is_empty() {
                return Ok(false);
            }
            found.push(places);
        }
        let changed = rule.replaces && self.apply_at(rule, rigid, &found)?;
        self.queue(&rule.commands);
        if changed || !rule.commands.is_empty() {
            self.stats.acting.insert(rule.line);
        }
        Ok(changed)
    }

    /// Applies a rule where its rows were found, in all combinations, as long as they are still
    /// there.
    fn apply_at(
        &mut self,
        rule: &Rule,
        rigid: Option<u64>,
        found: &[Vec<Place>],
    ) -> Result<bool, NoEnd> {
        let mut changed = false;
        let mut chosen = vec![0; found.len()];
        let mut is_first = true;
        loop {
            self.stats.count(rule.rows.len())?;
            let places = || {
                let places = chosen.iter().zip(found).map(|(&at, places)| places[at]);
                rule.rows.iter().zip(places)
            };
            if is_first || places().all(|(row, place)| self.fits(rule.direction, row, place)) {
                for (row, place) in places() {
                    changed |= self.replace(rule, rigid, row, place);
                }
            }
            is_first = false;
            // The first row runs fastest.
            let next = (0..found.len()).find(|&row| chosen[row] + 1 < found[row].len());
            let Some(next) = next else { return Ok(changed) };
            chosen[next] += 1;
            chosen[..next].fill(0);
        }
    }

    /// Where a row of a rule fits, in the order of the engine: line by line in the direction of the
    /// rule, whichever way it looks.
    fn find(&mut self, direction: Direction, row: &'a [Pattern]) -> Result<Vec<Place>, NoEnd> {
        let (width, height) = (self.board.width, self.board.height);
        self.stats.count(width * height)?;
        let is_vertical = matches!(direction, Direction::Up | Direction::Down);
        let (lines, length) = if is_vertical { (width, height) } else { (height, width) };
        let cells = row.iter().filter(|pattern| matches!(pattern, Pattern::Cell(_))).count();
        let dots = row.len() - cells;
        let mut found = Vec::new();
        // How many cells there are in the line beside those that the row needs.
        let Some(spare) = length.checked_sub(cells) else { return Ok(found) };
        for line in 0..lines {
            for start in 0..=spare {
                let (place, room) = match direction {
                    Direction::Down | Direction::Right => (start, spare - start),
                    Direction::Up | Direction::Left => (start + cells - 1, start),
                };
                let at = if is_vertical { line * height + place } else { place * height + line };
                let begins =
                    matches!(row.first(), Some(Pattern::Cell(cell)) if self.board.fits(cell, at));
                if begins && dots > 0 {
                    self.find_ends(direction, row, at, room, &mut found)?;
                } else if begins && self.fits(direction, row, Place { at, gaps: [0, 0] }) {
                    found.push(Place { at, gaps: [0, 0] });
                    self.stats.count(STEPS_A_FIND)?;
                }
            }
        }
        Ok(found)
    }

    /// Adds the ways in which a row with ellipses fits at a place, with `room` cells for them: the
    /// first takes few cells first, and for each number of its cells so does the second.
    fn find_ends(
        &mut self,
        direction: Direction,
        row: &'a [Pattern],
        at: usize,
        room: usize,
        found: &mut Vec<Place>,
    ) -> Result<(), NoEnd> {
        let dots = |pattern: &Pattern| matches!(pattern, Pattern::Ellipsis);
        let parts: Vec<&[Pattern]> = row.split(dots).collect();
        if !self.fits(direction, parts[0], Place { at, gaps: [0, 0] }) {
            return Ok(());
        }
        if parts.iter().any(|part| part.is_empty()) {
            // Two ellipses side by side: the engine takes the second for a cell.
            return Err(NoEnd::Torn);
        }
        let middle = row.len() - parts[parts.len() - 1].len();
        let before = found.len();
        for first in 0..=room {
            let most = if parts.len() == 2 { 0 } else { room - first };
            self.stats.count(most + 1)?;
            if most > 0 && !self.fits(direction, &row[..middle], Place { at, gaps: [first, 0] }) {
                continue;
            }
            for second in 0..=most {
                let place = Place { at, gaps: [first, second] };
                if self.fits(direction, row, place) {
                    found.push(place);
                    self.stats.count(STEPS_A_FIND)?;
                }
            }
            if found.len() - before > MAX_ENDS {
                return Err(NoEnd::Torn);
            }
        }
        Ok(())
    }

    /// The cells of a row that was found, with what is wanted there.
    fn cells<'b>(
        board: &Board<'_>,
        direction: Direction,
        row: &'b [Pattern],
        place: Place,
    ) -> impl Iterator<Item = (&'b CellPattern, usize)> + use<'b> {
        let step = board.step(direction);
        let mut gaps = place.gaps.into_iter();
        let mut at = place.at as isize;
        row.iter().filter_map(move |pattern| match pattern {
            Pattern::Ellipsis => {
                at += step * gaps.next().unwrap_or(0) as isize;
                None
            }
            Pattern::Cell(cell) => {
                let here = at as usize;
                at += step;
                Some((cell, here))
            }
        })
    }

    fn fits(&self, direction: Direction, row: &[Pattern], place: Place) -> bool {
        Self::cells(&self.board, direction, row, place).all(|(cell, at)| self.board.fits(cell, at))
    }

    fn replace(&mut self, rule: &Rule, rigid: Option<u64>, row: &[Pattern], place: Place) -> bool {
        let mut changed = false;
        for (cell, at) in Self::cells(&self.board, rule.direction, row, place) {
            if let Some(change) = &cell.replacement {
                changed |= self.board.replace(rule, rigid, change, at);
            }
        }
        changed
    }

    /// Adds what a rule asks for. CANCEL drops everything else, before and after it, and RESTART
    /// everything but CANCEL.
    fn queue(&mut self, commands: &[Command]) {
        let has = |commands: &[Command], wanted: &Command| commands.contains(wanted);
        if commands.is_empty() || has(&self.commands, &Command::Cancel) {
            return;
        }
        let cancels = has(commands, &Command::Cancel);
        if has(&self.commands, &Command::Restart) && !cancels {
            return;
        }
        if cancels || has(commands, &Command::Restart) {
            self.commands.clear();
        }
        for command in commands {
            if self.commands.iter().all(|known| known.word() != command.word()) {
                self.commands.push(command.clone());
            }
        }
    }
}
