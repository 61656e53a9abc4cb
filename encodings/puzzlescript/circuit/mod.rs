//! A turn as a circuit: what the judge does with an input, for all states at once.
//!
//! For each input the turn is played as the judge plays it, on a board whose cells hold signals in the
//! place of bits (`board`, `gates`). What is possible on the level, by this input alone, says where rules
//! can be found (`places`) and which signals are constant. Rules are applied as they are in the engine,
//! one place after the other (`passes`), as often as they may change anything (`effects`, `rounds`);
//! then everything moves (`sweeps`). Where that number is not known, there is no circuit.

mod board;
mod effects;
pub(super) mod gates;
mod passes;
mod places;
mod rounds;
mod sweeps;
#[cfg(test)]
mod tests;

use crate::cnf::Rule;
use crate::encoding::EncodeError;
use crate::puzzlescript::analysis::cells::Cells;
use crate::puzzlescript::analysis::counting::is_single;
use crate::puzzlescript::analysis::facts::{Facts, MAX_STEPS, MOVEMENTS, STEPS_A_FIND, Sites};
use crate::puzzlescript::analysis::relevance;
use board::Board;
use gates::{Circuit, Signal};
use passes::{Asked, MATCH, apply_group};
use places::PlacedRule;
use rounds::Plan;
use std::collections::BTreeMap;
use sweeps::let_move;
use unstuck_puzzles::Moves;
use unstuck_puzzles::puzzlescript::{
    Command, Game, Group, Input, Kind, Pattern, PuzzleScript, Quantifier, Rule as SourceRule,
    WinCondition,
};

/// Whether rules end a turn or win, and whether players have moved.
pub(super) const ASK: Rule = Rule::defining("ask");
/// Whether the win conditions hold.
pub(super) const CONDITION: Rule = Rule::defining("condition");

/// A group that still changes something after so many rounds is left by the engine.
const MAX_ROUNDS: usize = 198;

/// In a line of so many cells a row with two ellipses begins in few enough places: 300 cells leave
/// 300 · 299 / 2 of them, and 50,000 are too many.
const LONGEST: usize = 300;

/// Rules can be in so many places together.
const MAX_PLACES: usize = 1_000_000;

/// Boards of more signals than this have no circuit.
const MAX_SIGNALS: usize = 4_000_000;

/// What a turn by one input leads to.
#[derive(Clone, Debug)]
pub(super) struct InputTurn {
    pub(super) input: Input,
    /// Each variable after the turn.
    pub(super) next: Vec<Signal>,
    /// The turn is none: it is taken back, or begins the level again.
    pub(super) refused: Signal,
    /// A rule says that the level is won.
    pub(super) won: Signal,
}

/// The turns of a level.
#[derive(Clone, Debug)]
pub(super) struct Turns {
    /// The object and the cell of each variable of a state.
    pub(super) variables: Vec<(usize, usize)>,
    /// Sets of variables of which at most one holds.
    pub(super) exclusive: Vec<Vec<usize>>,
    pub(super) circuit: Circuit,
    /// The signals of the variables before the turn.
    before: Vec<Signal>,
    pub(super) inputs: Vec<InputTurn>,
    /// The win conditions, over the variables after the turn.
    pub(super) goal: Circuit,
    pub(super) conditions: Signal,
}

impl Turns {
    /// # Errors
    /// Why the level has no circuit.
    pub(super) fn new(puzzle: &PuzzleScript) -> Result<Self, EncodeError> {
        let too_large = || EncodeError("the level is too large for an analysis".to_owned());
        let game = puzzle.game();
        if !relevance::is_plain(puzzle) {
            return Err("a rule with `restart` or `cancel` may win the level".to_owned().into());
        }
        let facts = Facts::new(puzzle).ok_or_else(too_large)?;
        let lasting = relevance::lasting(game, &facts, &puzzle.start().cells);
        if facts.grid.len() * (facts.at.len() + MOVEMENTS * facts.members.len()) > MAX_SIGNALS {
            return Err(too_large());
        }
        let state = StateBits::new(game, &facts, &lasting);
        let mut circuit = Circuit::new(MATCH);
        let before = state.inputs(&mut circuit);
        let start = state.board(&facts, &before);
        let mut inputs = Vec::new();
        for input in Input::ALL {
            if input == Input::Action && game.settings.no_action {
                continue;
            }
            let facts = facts.of_input(&lasting, input as usize).ok_or_else(too_large)?;
            let mut board = start.clone();
            let turn = InputCircuit {
                game,
                facts: &facts,
                lone: &state.lone,
                circuit: &mut circuit,
                steps: 0,
            };
            let (refused, won) = turn.play(&mut board, input)?;
            let next = state.variables.iter().map(|&(object, cell)| board.object(object, cell));
            inputs.push(InputTurn { input, next: next.collect(), refused, won });
            if circuit.is_full() {
                return Err(EncodeError("a turn takes too many clauses".to_owned()));
            }
        }
        let mut goal = Circuit::new(CONDITION);
        let after = state.inputs(&mut goal);
        let board = state.board(&facts, &after);
        let conditions = conditions_hold(game, &board, &mut goal, facts.grid.len());
        if goal.is_full() {
            return Err(EncodeError("the win conditions take too many clauses".to_owned()));
        }
        let exclusive = state.exclusive();
        let variables = state.variables;
        Ok(Self { variables, exclusive, circuit, before, inputs, goal, conditions })
    }

    /// The signal of a variable before the turn.
    pub(super) fn own(&self, variable: usize) -> Signal {
        self.before[variable]
    }
}

/// What a state is made of.
struct StateBits {
    /// The object and the cell of each variable.
    variables: Vec<(usize, usize)>,
    /// Sets of objects of which there is one at most.
    lone: Vec<Vec<usize>>,
    /// For each variable, the numbers of two sets of which at most one variable holds.
    sets: Vec<[u32; 2]>,
    /// By object and cell.
    bits: Vec<Bit>,
    cells: usize,
}

#[derive(Clone, Copy)]
enum Bit {
    Constant(bool),
    Variable(usize),
}

impl StateBits {
    fn new(game: &Game, facts: &Facts, lasting: &[Cells]) -> Self {
        let cells = facts.grid.len();
        let mut state = Self {
            variables: Vec::new(),
            lone: Vec::new(),
            sets: Vec::new(),
            bits: vec![Bit::Constant(false); cells * lasting.len()],
            cells,
        };
        let (Kind::Any(player) | Kind::All(player)) = &game.player;
        let players: Vec<usize> = player.bits().collect();
        if is_single(game, facts, &players) {
            state.lone.push(players);
        }
        for object in (0..lasting.len()).filter(|&it| is_single(game, facts, &[it])) {
            if !state.lone.iter().any(|set| set.contains(&object)) {
                state.lone.push(vec![object]);
            }
        }
        let lone = |object: usize| state.lone.iter().position(|set| set.contains(&object));
        let alone: Vec<Option<usize>> = (0..lasting.len()).map(lone).collect();
        for cell in 0..cells {
            for (object, _) in lasting.iter().enumerate().filter(|it| it.1.has(cell)) {
                let bit = &mut state.bits[object * cells + cell];
                if !facts.missing[object].has(cell) {
                    *bit = Bit::Constant(true);
                    continue;
                }
                let number = state.variables.len();
                *bit = Bit::Variable(number);
                let layer = (cell * facts.members.len() + facts.layer[object]) as u32;
                // What there may be more of has a set of its own.
                let set = alone[object].unwrap_or(facts.at.len() + number) as u32;
                state.sets.push([layer, set]);
                state.variables.push((object, cell));
            }
        }
        state
    }

    /// The signals of the variables.
    fn inputs(&self, circuit: &mut Circuit) -> Vec<Signal> {
        self.sets.iter().enumerate().map(|(at, &sets)| circuit.input(at, sets)).collect()
    }

    /// The board at the end of turns.
    fn board(&self, facts: &Facts, inputs: &[Signal]) -> Board {
        Board::new(facts, |object, cell| match self.bits[object * self.cells + cell] {
            Bit::Constant(true) => Signal::TRUE,
            Bit::Constant(false) => Signal::FALSE,
            Bit::Variable(number) => inputs[number],
        })
    }

    /// The sets of variables of which at most one holds.
    fn exclusive(&self) -> Vec<Vec<usize>> {
        let mut sets: BTreeMap<(usize, u32), Vec<usize>> = BTreeMap::new();
        for (number, two) in self.sets.iter().enumerate() {
            for (kind, &set) in two.iter().enumerate() {
                sets.entry((kind, set)).or_default().push(number);
            }
        }
        sets.into_values().filter(|set| set.len() > 1).collect()
    }
}

/// The turn by one input.
struct InputCircuit<'a> {
    game: &'a Game,
    /// What is possible by this input.
    facts: &'a Facts,
    /// Sets of objects of which there is one at most.
    lone: &'a [Vec<usize>],
    circuit: &'a mut Circuit,
    /// As many places as the judge looks at, at most.
    steps: u64,
}

impl InputCircuit<'_> {
    /// Plays the turn; says whether it is none, and whether a rule wins.
    fn play(mut self, board: &mut Board, input: Input) -> Result<(Signal, Signal), EncodeError> {
        let players = self.players(board);
        self.push_players(board, &players, input);
        let mut asked = Asked::default();
        let game = self.game;
        self.apply_groups(board, &game.rules, &self.facts.early, &mut asked)?;
        let sweeps = let_move(board, self.facts, self.circuit)?;
        self.steps += (sweeps as u64 + 1) * self.facts.grid.len() as u64;
        self.apply_groups(board, &game.late_rules, &self.facts.late, &mut asked)?;
        if self.steps > MAX_STEPS {
            return Err(EncodeError("the judge of this program may give up a turn".to_owned()));
        }
        self.circuit.rule = ASK;
        if game.settings.require_player_movement {
            let stays = self.all_stay(board, &players);
            asked.ends.push(stays);
        }
        let refused = self.circuit.or(asked.ends);
        // What is won is forgotten while a message is shown.
        let (won, message) = (self.circuit.or(asked.wins), self.circuit.or(asked.messages));
        Ok((refused, self.circuit.and([won, !message])))
    }

    /// Whether a player is in each cell.
    fn players(&mut self, board: &Board) -> Vec<Signal> {
        let cells = 0..self.facts.grid.len();
        let is_in = |cell| match &self.game.player {
            Kind::Any(mask) => board.has_any(self.circuit, mask, cell),
            Kind::All(mask) => board.has_all(self.circuit, mask, cell),
        };
        cells.map(is_in).collect()
    }

    /// Sets players in motion.
    fn push_players(&mut self, board: &mut Board, players: &[Signal], input: Input) {
        let (Kind::Any(mask) | Kind::All(mask)) = &self.game.player;
        for (cell, &player) in players.iter().enumerate().filter(|it| *it.1 != Signal::FALSE) {
            for object in mask.bits() {
                let (layer, way) = (self.facts.layer[object], input as usize);
                let pushed = self.circuit.and([player, board.object(object, cell)]);
                let moves = self.circuit.or([board.movement(layer, way, cell), pushed]);
                board.set_movement(layer, way, cell, moves);
            }
        }
    }

    /// Whether there are players, and none of their cells has lost all of them.
    fn all_stay(&mut self, board: &Board, players: &[Signal]) -> Signal {
        let (Kind::Any(mask) | Kind::All(mask)) = &self.game.player;
        let mut stay = vec![self.circuit.or(players.iter().copied())];
        for (cell, &player) in players.iter().enumerate() {
            let still = board.has_any(self.circuit, mask, cell);
            stay.push(self.circuit.or([!player, still]));
        }
        self.circuit.and(stay)
    }

    /// Whether the engine may stop where a rule is found in too many places of a line.
    fn is_long(&self, rule: &SourceRule) -> bool {
        let length = self.facts.grid.width.max(self.facts.grid.height);
        length > LONGEST && rule.rows.iter().any(|row| ellipses(row) > 1)
    }

    /// As many places as the judge looks at to find the rows of a rule, at most.
    fn looks(&self, rule: &SourceRule) -> u64 {
        let grid = &self.facts.grid;
        let length = grid.width.max(grid.height) as u64 + 1;
        let row = |row: &Vec<Pattern>| {
            let places = (1 + STEPS_A_FIND) * length.pow(ellipses(row) as u32);
            (grid.len() as u64).saturating_mul(places)
        };
        rule.rows.iter().map(row).sum()
    }

    /// Applies groups in order.
    fn apply_groups(
        &mut self,
        board: &mut Board,
        groups: &[Group],
        sites: &[Vec<Sites>],
        asked: &mut Asked,
    ) -> Result<(), EncodeError> {
        let mut begun = groups.len();
        for (at, group) in groups.iter().enumerate().rev() {
            begun = group.loop_to.map_or(begun, |first| begun.min(first));
            let possible = group.rules.iter().zip(&sites[at]).filter(|(_, sites)| sites.is_some());
            for (rule, _) in possible {
                let line = rule.line;
                let reason = match () {
                    () if rule.commands.contains(&Command::Again) => {
                        "asks for another tick (again)"
                    }
                    () if group.rigid.is_some() => "is rigid",
                    () if group.loop_to.is_some() || at >= begun => "is in a loop",
                    () if !keeps_one_movement(rule, self.facts) => "can leave two movements",
                    () if self.is_long(rule) => "has two ellipses, and the board is long",
                    () if rule.rows.iter().any(|row| has_adjacent_ellipses(row)) => {
                        "has two ellipses side by side"
                    }
                    () => continue,
                };
                return Err(format!("the rule of line {line} {reason}").into());
            }
            if at == begun {
                begun = groups.len();
            }
        }
        for (group, sites) in groups.iter().zip(sites) {
            let (mut rules, mut places) = (Vec::new(), 0);
            for (rule, sites) in group.rules.iter().zip(sites) {
                if let Some(sites) = sites {
                    let placed = PlacedRule::new(rule, sites, self.facts);
                    let rows = placed.iter().flat_map(|it| &it.rows);
                    places += rows.map(|row| row.places.len()).sum::<usize>();
                    let placed = placed.filter(|_| places <= MAX_PLACES).ok_or_else(|| {
                        format!("the rule of line {} can be in too many places", rule.line)
                    })?;
                    rules.push(placed);
                }
            }
            let plan = Plan::new(&rules, self.facts, self.lone)?;
            if plan.rounds > MAX_ROUNDS {
                let line = group.rules[0].line;
                return Err(format!("the group of line {line} may have too many rounds").into());
            }
            let mut steps = group.rules.iter().map(|rule| self.looks(rule)).sum::<u64>();
            steps += rules.iter().map(PlacedRule::combinations).sum::<u64>();
            self.steps += steps.saturating_mul(plan.rounds as u64 + 1).min(MAX_STEPS);
            apply_group(board, &rules, &plan, asked, self.circuit)?;
        }
        Ok(())
    }
}

fn ellipses(row: &[Pattern]) -> usize {
    row.iter().filter(|it| matches!(it, Pattern::Ellipsis)).count()
}

fn has_adjacent_ellipses(row: &[Pattern]) -> bool {
    row.windows(2).any(|pair| ellipses(pair) == 2)
}

/// Whether what a rule sets in motion has one movement afterwards.
fn keeps_one_movement(rule: &SourceRule, facts: &Facts) -> bool {
    relevance::cells(rule).filter_map(|cell| cell.replacement.as_ref()).all(|change| {
        let mut starts = change.start.movements(facts.members.len());
        starts.all(|(layer, start)| {
            let stops = change.stop.movement(layer) | change.decided.movement(layer) | start;
            start.count_ones() == 1 && stops.count_ones() as usize == MOVEMENTS
        })
    })
}

/// Whether the win conditions hold on a board; a game without any is won by WIN alone.
fn conditions_hold(game: &Game, board: &Board, circuit: &mut Circuit, cells: usize) -> Signal {
    if game.conditions.is_empty() {
        return Signal::FALSE;
    }
    let mut all = Vec::new();
    for condition in &game.conditions {
        let meets = |cell| meets(condition, board, circuit, cell, game.bits.len());
        let met: Vec<Signal> = (0..cells).map(meets).collect();
        all.push(match condition.quantifier {
            Quantifier::Some => circuit.or(met),
            Quantifier::No => circuit.and(met.into_iter().map(|it| !it)),
            Quantifier::All => circuit.and(met),
        });
    }
    circuit.and(all)
}

/// Whether a cell has what a win condition counts: for ALL, nothing that it minds.
fn meets(
    condition: &WinCondition,
    board: &Board,
    circuit: &mut Circuit,
    cell: usize,
    objects: usize,
) -> Signal {
    let is_in = |circuit: &mut Circuit, kind: &Kind| match kind {
        Kind::Any(mask) => board.has_any(circuit, mask, cell),
        Kind::All(mask) => board.has_all(circuit, mask, cell),
    };
    let what = is_in(circuit, &condition.what);
    let on = match &condition.on {
        Some(kind) => is_in(circuit, kind),
        None => circuit.or((0..objects).map(|object| board.object(object, cell))),
    };
    match condition.quantifier {
        Quantifier::All => circuit.or([!what, on]),
        Quantifier::Some | Quantifier::No => circuit.and([what, on]),
    }
}
