//! A turn on the compiled game: step by step what the judge does, on masks and bitboards.
//!
//! The judge (`rules.rs` and `turn.rs` of the puzzle) is the specification, and every function here
//! has its model there. What is different: only rules that can match on this level are looked at,
//! and only in cells where bitboards say that they may begin.

use super::board::{Board, Torn};
use super::program::{Commands, Group, Program, Row, Rule, meets};
use crate::puzzlescript::analysis::facts::{MAX_STEPS, STEPS_A_FIND};
use std::sync::Arc;
use unstuck_puzzles::puzzlescript::{Direction, Input};

/// The counters of the engine, as the judge has them.
const MAX_ROUNDS: usize = 200;
const MAX_JUMPS: usize = 200;
const MAX_RIGID_TRIES: usize = 50;
const MAX_ERRORS: usize = 100;

/// As many places of a row with two ellipses in all as the judge allows for one cell.
const MAX_ENDS: u64 = 50_000;

/// What a turn leads to. The board is in [`Machine::board`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// To a position, which may be won.
    Legal { won: bool },
    /// To nothing: the judge refuses it.
    Refused,
    /// Only the judge can say whether it is one, if anybody can.
    Unknown,
}

/// Why a tick has no result.
enum Stop {
    Refused,
    Unknown,
}

impl From<Torn> for Stop {
    fn from(_: Torn) -> Self {
        Self::Unknown
    }
}

/// What a tick has led to, beside the board.
struct Tick {
    commands: Commands,
    undone: bool,
}

/// Where a row of a rule was found: its first cell, and how many cells each ellipsis stands for.
#[derive(Clone, Copy, Debug)]
struct Place {
    at: usize,
    gaps: [usize; 2],
}

/// The compiled game with boards to play on.
#[derive(Clone, Debug)]
pub(crate) struct Machine<const N: usize> {
    program: Arc<Program<N>>,
    /// The board on which turns begin.
    pub(crate) start: Board<N>,
    /// The board after the last turn.
    pub(crate) board: Board<N>,
    before: Board<N>,
    /// A board of the chain of ticks at hand, which later ones are compared with.
    kept: Board<N>,
    /// For rigid rules: the board when the rules begin.
    backup: Option<Board<N>>,
    width: usize,
    /// Whether the judge can be asked: it knows more than the machine where layers are cosmetic.
    ask: bool,
    /// Whether RESTART is no move, and CANCEL leaves everything as it is; else the judge is asked.
    pub(crate) is_plain: bool,
    /// How many groups and loops a counter has ended in this turn.
    pub(crate) errors: usize,
    commands: Commands,
    /// Places that the judge looks at in this turn: at least, and at most.
    steps: (u64, u64),
    /// How many rules were gone through in all turns since this was taken away.
    pub(crate) effort: u64,
    players: Vec<usize>,
    candidates: Vec<usize>,
    /// Places of the rows of the rule at hand.
    found: Vec<Vec<Place>>,
    chosen: Vec<usize>,
}

impl<const N: usize> Machine<N> {
    pub(crate) fn new(program: Arc<Program<N>>, width: usize, height: usize, ask: bool) -> Self {
        let board = Board::new(program.clone(), width, height);
        Self {
            backup: program.is_rigid.then(|| board.clone()),
            start: board.clone(),
            before: board.clone(),
            kept: board.clone(),
            board,
            program,
            width,
            ask,
            is_plain: true,
            errors: 0,
            commands: Commands::default(),
            steps: (0, 0),
            effort: 0,
            players: Vec::new(),
            candidates: Vec::new(),
            found: Vec::new(),
            chosen: Vec::new(),
        }
    }

    pub(crate) fn program(&self) -> &Program<N> {
        &self.program
    }

    /// Plays a turn from [`Machine::start`].
    pub(crate) fn turn(&mut self, input: Input) -> Turn {
        (self.steps, self.errors) = ((0, 0), 0);
        self.board.copy(&self.start);
        match self.ticks(input) {
            Ok(won) => Turn::Legal { won },
            Err(Stop::Refused) => Turn::Refused,
            Err(Stop::Unknown) => Turn::Unknown,
        }
    }

    fn ticks(&mut self, input: Input) -> Result<bool, Stop> {
        let tick = self.tick(Some(input))?;
        if self.is_cancelled(tick.commands)? || tick.undone {
            self.board.copy(&self.start);
            return Ok(false);
        }
        let won = self.is_won(tick.commands)?;
        let changed = self.board.objects() != self.start.objects();
        if won || !tick.commands.asks(Commands::AGAIN) || !changed {
            return Ok(won);
        }
        // A chain that comes to a board again never ends; see the judge.
        self.kept.copy(&self.board);
        let (mut ticks, mut until) = (0_u64, 1);
        loop {
            self.before.copy(&self.board);
            let Tick { commands, .. } = self.tick(None)?;
            let changed = self.board.objects() != self.before.objects();
            // The engine tries a tick before it is played.
            let does_something = changed || commands.asks(Commands::WIN | Commands::RESTART);
            if self.is_cancelled(commands)? || !does_something {
                self.board.copy(&self.before);
                return Ok(false);
            }
            let won = self.is_won(commands)?;
            if won || !commands.asks(Commands::AGAIN) || !changed {
                return Ok(won);
            }
            if self.board.objects() == self.kept.objects() {
                return Err(Stop::Refused);
            }
            ticks += 1;
            if ticks == until {
                self.kept.copy(&self.board);
                until *= 2;
            }
        }
    }

    /// Whether a tick has not happened.
    fn is_cancelled(&self, commands: Commands) -> Result<bool, Stop> {
        match commands.asks(Commands::CANCEL) {
            true if !self.is_plain => Err(Stop::Unknown),
            is_cancelled => Ok(is_cancelled),
        }
    }

    /// Whether the level is won after a tick; that it begins again is no move.
    fn is_won(&self, commands: Commands) -> Result<bool, Stop> {
        if commands.asks(Commands::RESTART) {
            return Err(if self.is_plain { Stop::Refused } else { Stop::Unknown });
        }
        let by_rule = commands.asks(Commands::WIN) && !commands.asks(Commands::MESSAGE);
        Ok(by_rule || self.board.conditions_hold())
    }

    fn tick(&mut self, input: Option<Input>) -> Result<Tick, Stop> {
        self.commands = Commands::default();
        self.players.clear();
        if let Some(input) = input {
            self.board.push_players(input as usize, &mut self.players);
        }
        self.rigid_rules(input.map_or(5, |input| input as usize))?;
        let mask = self.program.player_mask;
        let stays = |&at: &usize| meets(&mask, &self.board.objects()[at]);
        let undone = self.program.require_movement
            && !self.players.is_empty()
            && self.players.iter().all(stays);
        Ok(Tick { commands: self.commands, undone })
    }

    /// Rules and movement, again without the rigid groups that set in motion what could not move;
    /// then late rules.
    fn rigid_rules(&mut self, input: usize) -> Result<(), Stop> {
        let program = self.program.clone();
        let groups = &program.early[input];
        if let Some(backup) = &mut self.backup {
            backup.copy(&self.board);
        }
        let banned = if program.is_rigid { groups.len() + 1 } else { 0 };
        let mut banned = vec![false; banned];
        for _ in 0..MAX_RIGID_TRIES {
            self.apply_groups(groups, &banned)?;
            while self.board.sweep()? {
                self.count(0, self.board.len() as u64)?;
            }
            let failed = self.board.clear_movements();
            let mut again = false;
            for number in failed {
                let group = groups.iter().position(|group| group.rigid == Some(number));
                let group = group.unwrap_or(groups.len());
                again |= !std::mem::replace(&mut banned[group], true);
            }
            let Some(backup) = self.backup.as_ref().filter(|_| again) else {
                return self.apply_groups(&program.late, &[]);
            };
            self.board.copy(backup);
            self.commands = Commands::default();
        }
        Ok(())
    }

    /// Applies groups in order, with their loops.
    fn apply_groups(&mut self, groups: &[Group<N>], banned: &[bool]) -> Result<(), Stop> {
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
                    self.count_error()?;
                    break;
                }
            }
        }
        Ok(())
    }

    /// Applies the rules of a group in rounds, until a round changes nothing.
    fn apply_group(&mut self, group: &Group<N>) -> Result<bool, Stop> {
        for round in 0..MAX_ROUNDS {
            self.count(0, group.places)?;
            self.effort += group.rules.len() as u64;
            let mut changed = false;
            for rule in &group.rules {
                if self.board.may_have(&rule.needs) {
                    changed |= self.apply_rule(rule, group.rigid.filter(|_| rule.rigid))?;
                }
            }
            if !changed {
                return Ok(round > 0);
            }
        }
        self.count_error()?;
        Ok(true)
    }

    fn count_error(&mut self) -> Result<(), Stop> {
        self.errors += 1;
        if self.errors > MAX_ERRORS { Err(Stop::Unknown) } else { Ok(()) }
    }

    /// Counts places that the judge looks at.
    fn count(&mut self, least: u64, most: u64) -> Result<(), Stop> {
        self.steps.0 += least;
        self.steps.1 += most;
        match self.steps {
            (least, _) if least > MAX_STEPS => Err(Stop::Unknown),
            (_, most) if most > MAX_STEPS && self.ask => Err(Stop::Unknown),
            _ => Ok(()),
        }
    }

    /// Applies a rule once wherever it was found before it changed anything, if it is still found
    /// there.
    fn apply_rule(&mut self, rule: &Rule<N>, rigid: Option<u64>) -> Result<bool, Stop> {
        let rows = rule.rows.len();
        if self.found.len() < rows {
            self.found.resize(rows, Vec::new());
        }
        for (number, row) in rule.rows.iter().enumerate() {
            self.find(rule, row, number)?;
            let found = self.found[number].len() as u64;
            if found == 0 {
                return Ok(false);
            }
            if row.dots.len() > 1 && found > MAX_ENDS {
                return Err(Stop::Unknown);
            }
            self.count(STEPS_A_FIND * found, STEPS_A_FIND * found)?;
        }
        let changed = rule.replaces && self.apply_found(rule, rigid)?;
        self.commands.queue(rule.commands);
        Ok(changed)
    }

    /// Applies a rule where its rows were found, in all combinations, as long as they are still
    /// there.
    fn apply_found(&mut self, rule: &Rule<N>, rigid: Option<u64>) -> Result<bool, Stop> {
        let rows = rule.rows.len();
        let mut changed = false;
        self.chosen.clear();
        self.chosen.resize(rows, 0);
        let mut is_first = true;
        loop {
            self.count(rows as u64, rows as u64)?;
            let place = |number: usize| self.found[number][self.chosen[number]];
            let still = |number: usize| self.fits(rule, &rule.rows[number], place(number));
            if is_first || (0..rows).all(still) {
                for (number, row) in rule.rows.iter().enumerate() {
                    let place = self.found[number][self.chosen[number]];
                    changed |= self.replace(rule, rigid, row, place);
                }
            }
            is_first = false;
            // The first row runs fastest.
            let next = (0..rows).find(|&row| self.chosen[row] + 1 < self.found[row].len());
            let Some(next) = next else { return Ok(changed) };
            self.chosen[next] += 1;
            self.chosen[..next].fill(0);
        }
    }

    /// Where a row of a rule fits, in the order of the engine: line by line in the direction of the
    /// rule, whichever way it looks.
    fn find(&mut self, rule: &Rule<N>, row: &Row<N>, number: usize) -> Result<(), Stop> {
        let mut candidates = std::mem::take(&mut self.candidates);
        let mut found = std::mem::take(&mut self.found[number]);
        candidates.clear();
        found.clear();
        self.board.candidates(row, &mut candidates);
        // Cells are numbered column by column, as vertical rules look at them.
        if candidates.len() > 1 && matches!(rule.direction, Direction::Left | Direction::Right) {
            let height = self.board.height();
            candidates.sort_unstable_by_key(|at| (at % height, at / height));
        }
        let mut ends = Ok(());
        for &at in &candidates {
            if !row.dots.is_empty() {
                ends = ends.and_then(|()| self.find_ends(rule, row, at, &mut found));
            } else if self.fits(rule, row, Place { at, gaps: [0, 0] }) {
                found.push(Place { at, gaps: [0, 0] });
            }
        }
        self.candidates = candidates;
        self.found[number] = found;
        ends
    }

    /// Adds the ways in which a row with ellipses fits at a place: the first takes few cells first,
    /// and for each number of its cells so does the second. Two side by side have no result.
    fn find_ends(
        &self,
        rule: &Rule<N>,
        row: &Row<N>,
        at: usize,
        found: &mut Vec<Place>,
    ) -> Result<(), Stop> {
        let height = self.board.height();
        let (column, line) = (at / height, at % height);
        let length = match rule.direction {
            Direction::Up => line + 1,
            Direction::Down => height - line,
            Direction::Left => column + 1,
            Direction::Right => self.width - column,
        };
        let Some(room) = length.checked_sub(row.cells.len()) else { return Ok(()) };
        let first_dots = row.dots[0];
        let second_dots = row.dots.get(1).copied();
        let middle = second_dots.unwrap_or(row.cells.len());
        let fits = |from: usize, to: usize, gaps: [usize; 2]| {
            self.fit_part(rule, row, Place { at, gaps }, from, to)
        };
        if !fits(0, first_dots, [0, 0]) {
            return Ok(());
        }
        if second_dots == Some(first_dots) {
            return Err(Stop::Unknown);
        }
        for first in 0..=room {
            if !fits(first_dots, middle, [first, 0]) {
                continue;
            }
            let most = second_dots.map_or(0, |_| room - first);
            let ends = (0..=most).filter(|&second| fits(middle, row.cells.len(), [first, second]));
            found.extend(ends.map(|second| Place { at, gaps: [first, second] }));
        }
        Ok(())
    }

    /// The cell of a row that was found.
    fn cell(rule: &Rule<N>, row: &Row<N>, place: Place, number: usize) -> usize {
        let before = row.dots.iter().zip(place.gaps).filter(|(dots, _)| number >= **dots);
        let gaps: usize = before.map(|(_, gap)| gap).sum();
        place.at.wrapping_add_signed(rule.step * (number + gaps) as isize)
    }

    fn fits(&self, rule: &Rule<N>, row: &Row<N>, place: Place) -> bool {
        self.fit_part(rule, row, place, 0, row.cells.len())
    }

    /// Whether some cells of a row fit.
    fn fit_part(&self, rule: &Rule<N>, row: &Row<N>, place: Place, from: usize, to: usize) -> bool {
        (from..to).all(|it| self.board.fits(&row.cells[it], Self::cell(rule, row, place, it)))
    }

    fn replace(&mut self, rule: &Rule<N>, rigid: Option<u64>, row: &Row<N>, place: Place) -> bool {
        let mut changed = false;
        for (number, cell) in row.cells.iter().enumerate() {
            if let Some(change) = &cell.change {
                let at = Self::cell(rule, row, place, number);
                changed |= self.board.replace(change, rigid, at);
            }
        }
        changed
    }
}
