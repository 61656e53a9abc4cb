//! One level of a game as a puzzle.

use super::drawing::{self, Frame};
use super::parts;
use super::sample;
use super::solution::{self, Inputs};
use crate::error::{ParseError, Violation};
use crate::extras::{Extras, Parts, PuzzleExt};
use crate::game_extras::{Classes, GameExtras, RuleFile};
use crate::level::{Level, Warning};
use crate::moves::{self, MoveError, Moves, Successor};
use crate::objective::{Measure, Measures, Objective, Tally};
use crate::options::Options;
use crate::picture::{FrameOptions, Picture, Style};
use crate::pieces::{Coord, Pieces};
use crate::play::Play;
use crate::puzzle::{Facts, Puzzle};
use crate::scene::{Figure, Ground, SquareGround};
use crate::text_format::TextFormat;
use puzzlescript_engine::{
    Command, Game, Group, Input, Kind, Map, Mask, NoEnd, Pattern, Rule, Settings, Stage, State,
    TurnStats, WinCondition, has,
};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The texts of all levels, each with the whole game around it, have at most so many bytes.
const MAX_TEXT: usize = 1 << 27;

/// The starts of all levels of a game look at about so many places at most.
const MAX_STEPS: u64 = 1_000_000_000;

/// The boards within a turn that are shown one after the other.
const MOST_SHOWN: usize = 60;

/// A level of a game.
#[derive(Clone, Debug)]
pub struct PuzzleScript {
    game: Arc<Game>,
    frame: Arc<Frame>,
    map: Map,
    /// Where it begins: as it is drawn, or after the rules have run once.
    start: State,
    /// The lines of the rules that have acted before it begins.
    starting: BTreeSet<usize>,
    /// Whether a turn without a known end was met; clones share it.
    met_no_end: Arc<AtomicBool>,
}

impl PuzzleScript {
    /// The game that the level belongs to.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The level as it is drawn.
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// Notes that a turn was met whose result is not known: see [`GameExtras::met_unknown_move`].
    pub fn note_unknown_move(&self) {
        self.met_no_end.store(true, Ordering::Relaxed);
    }

    /// A level of a game, unless the starts of those before it have taken too many `steps`.
    fn new(
        game: &Arc<Game>,
        frame: &Arc<Frame>,
        map: &Map,
        steps: &mut u64,
    ) -> Result<Self, ParseError> {
        let mut stats = TurnStats::default();
        let start = if *steps > MAX_STEPS {
            Err(NoEnd::TooLong.rule())
        } else {
            game.start_within(&mut stats, map)
        };
        *steps += stats.steps;
        let starting = stats.acting;
        let start = start.map_err(|rule| {
            let message =
                format!("the rules that run at the start of this level come to no end ({rule})");
            ParseError::at(map.line, 0, message)
        })?;
        let (game, frame, map) = (game.clone(), frame.clone(), map.clone());
        Ok(Self { game, frame, map, start, starting, met_no_end: Arc::default() })
    }

    /// The level with the board of a position.
    fn map_at(&self, state: &State) -> Map {
        Map { cells: state.cells.clone(), ..self.map.clone() }
    }

    /// Whether an input can set anything in motion at the start.
    fn has_player(&self) -> bool {
        let mut cells = self.start.cells.chunks(self.game.object_words);
        cells.any(|cell| self.game.player.is_in(cell))
    }

    fn place(&self, cell: usize) -> Coord {
        (cell % self.map.height, cell / self.map.height)
    }

    /// What a turn counts: one move, and one change where more than the players differs.
    fn tally(&self, before: &State, after: &State) -> Tally {
        let (Kind::Any(player) | Kind::All(player)) = &self.game.player;
        let players = player.words().iter().cycle();
        let mut words = before.cells.iter().zip(&after.cells).zip(players);
        let differs = words.any(|((before, after), player)| (before ^ after) & !player != 0);
        Tally { moves: 1, pushes: u32::from(differs) }
    }

    /// A turn, and the lines of the rules that act in it. One that changes nothing is refused as
    /// `nothing`, and spent where it stands in a solution.
    fn turn(
        &self,
        state: &State,
        input: Input,
    ) -> Result<(Successor<State>, BTreeSet<usize>), MoveError> {
        let mut stats = TurnStats::default();
        let next =
            self.game.turn_within(&mut stats, &self.map, state, input).inspect_err(|rule| {
                if NoEnd::names(rule) {
                    self.note_unknown_move();
                }
            })?;
        if next == *state {
            return Err(MoveError { rule: "nothing", idle: Some(Tally { moves: 1, pushes: 0 }) });
        }
        let tally = self.tally(state, &next);
        Ok((Successor { state: next, tally }, stats.acting))
    }

    /// The boards on which AGAIN goes on, as many of them as a person would wait for.
    fn passed(&self, state: &State, input: Input) -> Vec<State> {
        let mut boards = Vec::new();
        let watch = |board: &State| {
            if boards.len() < MOST_SHOWN {
                boards.push(board.clone());
            }
        };
        let stats = &mut TurnStats::default();
        let turn = self.game.turn_watched(stats, &self.map, state, input, watch);
        turn.map_or_else(|_| Vec::new(), |_| boards)
    }

    /// All objects, layer over layer; those that no rule can change are `scenery`.
    fn figures(&self, state: &State) -> Vec<Figure> {
        let pieces = self.pieces_mask();
        let mut figures = Vec::new();
        for (number, object) in (0..).zip(drawing::by_layer(&self.game)) {
            let kind = match object.bit {
                bit if self.game.player.has(bit) => "player",
                bit if bit == self.game.background => "background",
                bit if pieces.has(bit) => "piece",
                _ => "scenery",
            };
            let cells = state.cells.chunks(self.game.object_words).enumerate();
            let standing = cells.filter(|(_, cell)| has(cell, object.bit));
            figures.extend(standing.map(|(at, _)| Figure {
                kind,
                places: vec![self.place(at)],
                number,
            }));
        }
        figures
    }

    /// The rules as they are compiled, and the board. Every field that can change a play is named
    /// here, so that a new one cannot be forgotten.
    fn compiled_text(&self) -> String {
        let Game {
            bits,
            layers,
            player,
            background,
            rules,
            late_rules,
            conditions,
            settings,
            object_words,
            movement_words,
            title: _,
            author: _,
            objects: _,
            levels: _,
            warnings: _,
            glyphs: _,
            letters: _,
            headings: _,
            capitals: _,
        } = &*self.game;
        let settings = Settings { realtime: None, ..*settings };
        let words = (object_words, movement_words);
        let mut text =
            format!("{bits:?} {layers:?} {player:?} {background} {settings:?} {words:?}");
        for (late, group) in
            rules.iter().map(|group| (false, group)).chain(late_rules.iter().map(|it| (true, it)))
        {
            let Group { rules, loop_to, rigid } = group;
            let _ = write!(text, "\ngroup {late} {loop_to:?} {rigid:?}");
            for rule in rules {
                let Rule { line: _, text: _, direction, rows, needs, replaces, rigid, commands } =
                    rule;
                // What a message says is read by the player alone.
                let commands: Vec<_> = commands.iter().map(Command::word).collect();
                let _ = write!(
                    text,
                    "\n{direction:?} {rows:?} {needs:?} {replaces} {rigid} {commands:?}"
                );
            }
        }
        for WinCondition { line: _, quantifier, what, on } in conditions {
            let _ = write!(text, "\n{quantifier:?} {what:?} {on:?}");
        }
        let (width, height) = (self.map.width, self.map.height);
        let State { cells, won } = &self.start;
        let drawn = (&self.map.cells, whole(cells, *won));
        let _ = write!(text, "\n{width} {height} {drawn:?}");
        text
    }

    /// The cells of the start with what differs from them: ` AT:WORD` for each, in their order.
    fn changed(&self, text: &str) -> Option<Vec<u64>> {
        let mut cells = self.start.cells.clone();
        let mut changes = text.split(' ');
        changes.next().filter(|nothing| nothing.is_empty())?;
        let mut least = 0;
        for change in changes {
            let (at, word) = change.split_once(':')?;
            let (place, word) = (at.parse::<usize>().ok()?, number(word)?);
            let is_plain = place >= least && place.to_string() == at;
            let cell = cells.get_mut(place).filter(|cell| is_plain && **cell != word)?;
            (*cell, least) = (word, place + 1);
        }
        Some(cells)
    }

    /// Objects that a rule can set in motion, make or take away, players aside.
    fn pieces_mask(&self) -> Mask {
        let game = &self.game;
        let mut pieces = Mask::empty(game.object_words);
        let groups = game.rules.iter().chain(&game.late_rules);
        for pattern in groups.flat_map(|group| &group.rules).flat_map(|rule| &rule.rows).flatten() {
            if let Pattern::Cell(cell) = pattern
                && let Some(change) = &cell.replacement
            {
                [&cell.present, &change.set]
                    .into_iter()
                    .chain(&cell.any)
                    .for_each(|it| pieces.add(it));
            }
        }
        pieces
    }

    /// The objects on a board, each with its cell.
    fn objects<'a>(&'a self, cells: &'a [u64]) -> impl Iterator<Item = (usize, &'a super::Object)> {
        let cells = cells.chunks(self.game.object_words).enumerate();
        cells.flat_map(move |(at, cell)| {
            let objects = self.game.objects.iter().filter(move |object| has(cell, object.bit));
            objects.map(move |object| (at, object))
        })
    }
}

impl Puzzle for PuzzleScript {
    const NAME: &'static str = "puzzlescript";

    const OBJECTIVES: &'static [Objective] = &[Objective::Moves, Objective::Pushes, Objective::Any];

    /// A push is a turn that changes more than where the players are.
    const MEASURES: Measures = Measures {
        moves: Measure { one: "move", many: "moves" },
        pushes: Measure { one: "change", many: "changes" },
    };

    const EXTRAS: Extras<Self> = Extras {
        planning: |_, _| Err("rules are rewritten until nothing changes, which no action says"),
        formats: |level| vec![TextFormat::new("PuzzleScript", Self::NAME, level.print())],
        canonical_text: Self::compiled_text,
        // A stage for each input: any of them may be the one that matters.
        frames: |level, solution, shots| {
            level.stages(&solution.0, FrameOptions { every_move: true, ..shots })
        },
        // Sprites do all of it: even the background is a thing that rules may change.
        ground: Some(|level| {
            let (rows, columns) = (level.map.height, level.map.width);
            let sprites = drawing::by_layer(&level.game).into_iter().map(drawing::sprite).collect();
            let squares = vec!["floor"; rows * columns];
            let ground =
                SquareGround { rows, columns, squares, sprites, ..SquareGround::default() };
            Ground::Squares(ground)
        }),
        parts: Some(Parts {
            all: |level| parts::parts(&level.game),
            // Reads the text again.
            without: |level, parts| {
                let (game, map) = (&level.game, &level.map);
                let text = parts::without(game, &level.frame, parts)?.print(game, map);
                Self::parse(&text, &Options::new(Self::OPTIONS, []).ok()?).ok()
            },
        }),
        ..Extras::NONE
    };

    type Solution = Inputs;

    fn read(text: &str, _options: &Options) -> Result<Vec<Level<Self>>, ParseError> {
        if text.trim().is_empty() {
            return Ok(Vec::new());
        }
        let game = Arc::new(Game::read(text)?);
        if let Some(reason) = game.refusal() {
            return Err(reason.into());
        }
        let frame = Arc::new(Frame::new(text, &game));
        let warnings =
            game.warnings.iter().map(|(line, warning)| format!("line {line}: {warning}"));
        let mut warnings: Vec<_> = warnings.map(Warning::of_file).collect();
        if text.len().saturating_mul(game.levels.len()) > MAX_TEXT {
            return Err(ParseError::whole("the game is too long for so many levels"));
        }
        let mut levels = Vec::new();
        let mut steps = 0;
        for stage in &game.levels {
            let Stage::Level(map) = stage else { continue };
            let puzzle = Self::new(&game, &frame, map, &mut steps);
            // What is odd about a game is said once, with its first level.
            let mut warnings = std::mem::take(&mut warnings);
            if puzzle.as_ref().is_ok_and(|level| !level.has_player()) {
                let text = format!("no player is in this level, which begins on line {}", map.line);
                warnings.push(text.into());
            }
            let level = Level::new(map.line, frame.print(&game, map), puzzle);
            levels.push(Level { warnings, ..level });
        }
        Ok(levels)
    }

    fn print(&self) -> String {
        self.frame.print(&self.game, &self.map)
    }

    fn sample(seed: u64) -> Self {
        sample::puzzle(seed)
    }

    fn read_solution(&self, text: &str) -> Result<Inputs, ParseError> {
        solution::read(text)
    }

    /// Inputs that change nothing are spent.
    fn check(&self, solution: &Inputs) -> Result<Tally, Violation> {
        let mut state = self.start.clone();
        let mut tally = Tally::default();
        for (number, &input) in (1..).zip(&solution.0) {
            let next = self.game.turn(&self.map, &state, input).map_err(|rule| {
                let message = match NoEnd::names(rule) {
                    true => format!("the result of `{}` here is not known", input.letter()),
                    false => format!("`{}` is not possible here", input.letter()),
                };
                Violation::at(number, rule, message)
            })?;
            tally = tally + self.tally(&state, &next);
            state = next;
        }
        if state.won {
            Ok(tally)
        } else {
            Err(Violation::whole("not-solved", "the inputs are possible, but the level is not won"))
        }
    }

    fn picture(&self, solution: Option<&Inputs>, style: Style) -> Option<Picture> {
        let inputs = solution.map_or(&[][..], |solution| &solution.0);
        let end = inputs.iter().try_fold(self.start.clone(), |state, &input| {
            self.game.turn(&self.map, &state, input).ok()
        });
        self.draw(&end?, style)
    }

    fn facts(&self) -> Facts {
        let rules = self.game.rule_lines().len();
        let mut facts: Facts = Vec::new();
        facts.extend(self.game.title.as_deref().map(|title| ("game", title.into())));
        facts.extend(self.game.author.as_deref().map(|author| ("author", author.into())));
        facts.extend([
            ("width", self.map.width.into()),
            ("height", self.map.height.into()),
            ("objects", self.game.objects.len().into()),
            ("rules", rules.into()),
        ]);
        facts
    }
}

impl Moves for PuzzleScript {
    const GAME: GameExtras<Self> = GameExtras {
        // No move can be relied on to lead back, also where walks are free.
        classes: Classes::ALONE,
        figures: Self::figures,
        passed: Self::passed,
        rules: Some(RuleFile {
            lines: |level| level.game.rule_lines(),
            starting: |level| level.starting.clone(),
            step: Self::turn,
        }),
        met_unknown_move: |level| level.met_no_end.load(Ordering::Relaxed),
        ..GameExtras::NONE
    };

    type State = State;
    type Move = Input;

    fn start(&self) -> State {
        self.start.clone()
    }

    fn moves(&self, state: &State) -> Vec<Input> {
        Input::ALL.into_iter().filter(|&input| self.step(state, input).is_ok()).collect()
    }

    fn step(&self, state: &State, input: Input) -> Result<Successor<State>, MoveError> {
        Ok(self.turn(state, input)?.0)
    }

    fn is_goal(&self, state: &State) -> bool {
        state.won
    }

    fn solution(&self, plan: &[Input]) -> Inputs {
        Inputs(plan.to_vec())
    }

    fn plan(&self, solution: &Inputs) -> Vec<Input> {
        solution.0.clone()
    }

    /// The first of several players is the one that is pointed with; the others are pieces.
    fn pieces(&self, state: &State) -> Pieces {
        let pieces = self.pieces_mask();
        let mut player = None;
        let mut others = Vec::new();
        for (at, object) in self.objects(&state.cells) {
            if player.is_none() && self.game.player.has(object.bit) {
                player = Some(self.place(at));
            } else if pieces.has(object.bit) {
                others.push(vec![self.place(at)]);
            }
        }
        others.sort_unstable();
        others.dedup();
        Pieces { player: player.unwrap_or_default(), others }
    }

    fn begun_at(&self, state: &State) -> Self {
        let starting = BTreeSet::new();
        Self { map: self.map_at(state), start: state.clone(), starting, ..self.clone() }
    }

    fn action(&self, before: &State, after: &State) -> String {
        let changed = |one: &State, other: &State| {
            let words = self.game.object_words;
            let objects = self.objects(&one.cells).filter(|&(at, object)| {
                !self.game.player.has(object.bit) && !has(&other.cells[at * words..], object.bit)
            });
            let named = objects.map(|(at, object)| {
                let (row, column) = self.place(at);
                format!("{} ({},{})", object.name, row + 1, column + 1)
            });
            named.collect::<Vec<_>>()
        };
        moves::action_of(changed(before, after), changed(after, before))
    }

    fn draw(&self, state: &State, style: Style) -> Option<String> {
        let map = self.map_at(state);
        match style {
            Style::Plain | Style::Unicode { color: false } => {
                Some(drawing::plain(&self.game, &map))
            }
            Style::Unicode { color: true } => Some(drawing::coloured(&self.game, &map)),
            Style::Svg => Some(drawing::picture(&self.game, &map)),
        }
    }

    /// What differs from the start, column by column, as most cells never change: the place of a
    /// word of objects and its value; after `won` where the level is won.
    fn write_state(&self, state: &State) -> String {
        let words = state.cells.iter().zip(&self.start.cells).enumerate();
        let changed = words.filter(|(_, (word, first))| word != first);
        let changed = changed.map(|(at, (word, _))| format!("{at}:{word:x}"));
        let won = state.won.then(|| "won".to_owned());
        itertools::join(won.into_iter().chain(["=".to_owned()]).chain(changed), " ")
    }

    /// In older certificates a position has all its cells.
    fn read_state(&self, text: &str) -> Option<State> {
        let (won, text) = match text.strip_prefix("won ") {
            Some(words) => (true, words),
            None => (false, text),
        };
        let cells = match text.strip_prefix('=') {
            Some(changed) => self.changed(changed)?,
            None => text.split(' ').map(number).collect::<Option<_>>()?,
        };
        let state = State { cells, won };
        let known = |cell: &[u64]| {
            let of_layer = |layer: &Mask| -> u32 {
                layer
                    .words()
                    .iter()
                    .zip(cell)
                    .map(|(layer, cell)| (layer & cell).count_ones())
                    .sum()
            };
            let objects: u32 = self.game.layers.iter().map(of_layer).sum();
            let bits: u32 = cell.iter().map(|word| word.count_ones()).sum();
            objects == bits && self.game.layers.iter().all(|layer| of_layer(layer) < 2)
        };
        let is_board = state.cells.len() == self.map.cells.len()
            && state.cells.chunks(self.game.object_words).all(known);
        is_board.then_some(state)
    }
}

/// All cells of a position, as the identity of a level has them.
fn whole(cells: &[u64], won: bool) -> String {
    let words = cells.iter().map(|word| format!("{word:x}"));
    itertools::join(won.then(|| "won".to_owned()).into_iter().chain(words), " ")
}

/// The number that is written like this in states: each in one way only.
fn number(word: &str) -> Option<u64> {
    let is_digit = |digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f');
    let is_plain = word.bytes().all(is_digit) && (word == "0" || !word.starts_with('0'));
    u64::from_str_radix(word, 16).ok().filter(|_| is_plain)
}
