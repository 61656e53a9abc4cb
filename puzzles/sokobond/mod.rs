//! Sokobond: push and carry atoms until every electron has a partner.
//!
//! The player is an atom. Neighbouring atoms with free electrons bond, bonded atoms move together,
//! and modifiers on the corners of cells weaken, strengthen or turn the bonds that sweep over them.
//! The rules follow from replaying solutions that people recorded; `docs/sokobond.md` says what is
//! known and what is our own choice.

mod format;
pub mod generate;
mod level;
mod picture;
pub mod rules;
mod sample;
pub mod state;

#[cfg(test)]
mod tests;

pub use level::{Bonding, Sokobond};
pub use state::{Atom, Bond, Element, Keys, Modifier, State, StaticBoard};

use crate::error::{ParseError, Violation};
use crate::extras::{Extras, Parts, Records};
use crate::game_extras::{GameExtras, Modifiers};
use crate::grid::{Cell, Direction};
use crate::level::Level;
use crate::moves::{self, MoveError, Moves, Successor};
use crate::objective::{Measure, Measures, Objective, Tally};
use crate::options::{OptionSpec, Options, Term, Values};
use crate::part::Part;
use crate::picture::{Picture, Style};
use crate::pieces::Pieces;
use crate::play::Play;
use crate::puzzle::{Facts, Puzzle, Reading, RecordSupport};
use crate::scene::{Figure, Ground, SquareGround};
use crate::sketch::Span;
use crate::text_format::TextFormat;

impl Puzzle for Sokobond {
    const NAME: &'static str = "sokobond";

    const OPTIONS: &'static [OptionSpec] = &[OptionSpec {
        name: "bonding",
        values: Values::Choice(&["auto", "strict", "ordered"]),
        default: "auto",
        help: "when several bonds compete for an electron: forbid the move (strict), use the \
               usual order (ordered), or try the first and then the second (auto)",
    }];

    const OBJECTIVES: &'static [Objective] = &[Objective::Moves, Objective::Any];
    const MEASURES: Measures =
        Measures { pushes: Measure { one: "event", many: "events" }, ..Measures::PLAIN };

    const EXTRAS: Extras<Self> = Extras {
        readings: |level| {
            let reading = |name, bonding| Reading { name, puzzle: level.with_bonding(bonding) };
            let (strict, ordered) = (("strict", Bonding::Strict), ("ordered", Bonding::Ordered));
            let readings = match level.bonding {
                Bonding::Auto => vec![strict, ordered],
                Bonding::Strict => vec![strict],
                Bonding::Ordered => vec![ordered],
            };
            readings.into_iter().map(|(name, bonding)| reading(name, bonding)).collect()
        },
        term: |level, _, _| {
            let (value, rule) = match level.bonding {
                Bonding::Auto => ("auto", ""),
                Bonding::Strict => ("strict", "strict"),
                Bonding::Ordered => ("ordered", "ordered"),
            };
            let is_strict = level.bonding == Bonding::Strict;
            Term { value: value.to_owned(), rule: rule.to_owned(), is_strict }
        },
        planning: |_, _| Err("bonded atoms move together, which takes an action for each molecule"),
        formats: |level| {
            let own = TextFormat::new("unstuck's own format", Self::NAME, level.print());
            let spaced =
                TextFormat::new("second format (v2)", "v2.sokobond", format::print_spaced(level));
            if own.text == spaced.text { vec![spaced] } else { vec![own, spaced] }
        },
        records: Some(Records {
            support: RecordSupport::Levels,
            write: |level, solution, _| format!("{}={solution}\n", level.print()),
        }),
        frames: |level, solution, shots| level.stages(&level.plan(solution), shots),
        solution_facts: |level, solution| {
            let blocked = solution.0.len() - level.plan(solution).len();
            if blocked == 0 { Facts::new() } else { vec![("blocked keys", blocked.into())] }
        },
        ground: Some(|level| {
            let (walls, modifiers) = (&level.board.walls, &level.board.modifiers);
            let ground =
                SquareGround::of(walls, |_, &is_wall| if is_wall { "wall" } else { "floor" });
            let corners = modifiers
                .iter()
                .filter_map(|(cell, modifier)| Some((walls.place(cell), (*modifier)?.word())));
            Ground::Squares(SquareGround { corners: corners.collect(), ..ground })
        }),
        // Between rows and columns there is room for bonds.
        span: |_, (row, column), _| Span { line: 2 * row, column: 2 * column, width: 1 },
        parts: Some(Parts { all: Self::parts, without: Self::without }),
        ..Extras::NONE
    };

    type Solution = Keys;

    fn read(text: &str, options: &Options) -> Result<Vec<Level<Self>>, ParseError> {
        let bonding = match options.get("bonding") {
            "strict" => Bonding::Strict,
            "ordered" => Bonding::Ordered,
            _ => Bonding::Auto,
        };
        format::read(text, bonding)
    }

    fn print(&self) -> String {
        format::print(self)
    }

    fn sample(seed: u64) -> Self {
        sample::sample(seed)
    }

    fn read_solution(&self, text: &str) -> Result<Keys, ParseError> {
        format::read_keys(text)
    }

    /// A blocked key leaves everything as it is and does not count as a move.
    fn check(&self, solution: &Keys) -> Result<Tally, Violation> {
        let mut state = self.start();
        let mut tally = Tally::default();
        for (index, &direction) in solution.0.iter().enumerate() {
            match self.step(&state, direction) {
                Ok(stepped) => {
                    state = stepped.state;
                    tally = tally + stepped.tally;
                }
                Err(MoveError { idle: Some(_), .. }) => {}
                Err(MoveError { rule, .. }) => {
                    let message = format!("it is open what {} would do here", direction.key());
                    return Err(Violation::at(index + 1, rule, message));
                }
            }
        }
        if self.is_goal(&state) {
            return Ok(tally);
        }
        let open = state.atoms.iter().filter(|&&atom| state.free(atom) > 0).count();
        let atoms = if open == 1 { "atom has" } else { "atoms have" };
        Err(Violation::whole("not-solved", format!("{open} {atoms} free electrons at the end")))
    }

    fn picture(&self, solution: Option<&Keys>, style: Style) -> Option<Picture> {
        let plan = solution.map(|keys| self.plan(keys)).unwrap_or_default();
        let state = self.replay(&plan).states.pop()?;
        self.draw(&state, style)
    }

    fn facts(&self) -> Facts {
        let walls = &self.board.walls;
        let modifiers = |wanted| {
            self.board.modifiers.iter().filter(|&(_, &modifier)| modifier == Some(wanted)).count()
        };
        vec![
            ("width", walls.width().into()),
            ("height", walls.height().into()),
            ("floor", walls.iter().filter(|(_, wall)| !*wall).count().into()),
            ("atoms", self.start.atoms.len().into()),
            ("formula", self.formula().into()),
            ("free electrons", self.free_electrons().into()),
            ("weaken", modifiers(Modifier::Weaken).into()),
            ("strengthen", modifiers(Modifier::Strengthen).into()),
            ("rotate", modifiers(Modifier::Rotate).into()),
            ("multiple", self.multiple.into()),
        ]
    }
}

impl Sokobond {
    /// The atoms as a chemist would count them: `c2 h6`.
    fn formula(&self) -> String {
        let count = |element: Element| {
            let atoms = self.start.atoms.iter().filter(|atom| atom.element == element).count();
            (atoms > 0).then(|| format!("{}{atoms}", element.letter()))
        };
        itertools::join(Element::ALL.into_iter().rev().filter_map(count), " ")
    }

    /// What can be left out, with its cell (a modifier stands to the lower right of its cell).
    fn removable(&self) -> Vec<(&'static str, Cell)> {
        let walls = &self.board.walls;
        let atoms = self.start.atoms.iter().filter(|atom| !atom.player);
        let modifiers = self.board.modifiers.iter().filter(|(_, modifier)| modifier.is_some());
        let open = |(_, cell)| !walls[cell];
        let beside = |&cell: &Cell| walls[cell] && walls.neighbours(cell).any(open);
        let atoms = atoms.map(|atom| ("atom", atom.cell));
        let modifiers = modifiers.map(|(cell, _)| ("modifier", cell));
        let walls = walls.cells().filter(beside).map(|cell| ("wall", cell));
        atoms.chain(modifiers).chain(walls).collect()
    }

    fn figures(&self, state: &State) -> Vec<Figure> {
        let place = |cell| self.board.walls.place(cell);
        let bonds = state.bonds.iter().map(|bond| Figure {
            kind: "bond",
            places: vec![place(bond.first), place(bond.second)],
            number: bond.multiplicity.into(),
        });
        let atoms = state.atoms.iter().map(|&atom| Figure {
            number: state.free(atom).into(),
            ..Figure::at(atom.element.word(), place(atom.cell))
        });
        let player = state.atoms.iter().filter(|atom| atom.player);
        let player = player.map(|atom| Figure::at("player", place(atom.cell)));
        bonds.chain(atoms).chain(player).collect()
    }

    /// Atoms that the player does not steer, modifiers, and walls beside open cells. Only without a
    /// wall a level is never harder.
    fn parts(&self) -> Vec<Part> {
        let place = |cell| self.board.walls.place(cell);
        let part = |(kind, cell)| Part::at(kind, place(cell), kind == "wall");
        self.removable().into_iter().map(part).collect()
    }

    /// Without an atom its bonds at the start are gone, too.
    fn without(&self, left_out: &[usize]) -> Option<Self> {
        let parts = self.removable();
        let mut less = self.clone();
        for &part in left_out {
            let &(kind, cell) = parts.get(part)?;
            match kind {
                "atom" => {
                    less.start.atoms.retain(|atom| atom.cell != cell);
                    less.start.bonds.retain(|bond| bond.first != cell && bond.second != cell);
                }
                "modifier" => less.board.modifiers[cell] = None,
                _ => less.board.walls[cell] = false,
            }
        }
        Some(less)
    }

    /// Free electrons at the start.
    fn free_electrons(&self) -> u32 {
        self.start.atoms.iter().map(|&atom| u32::from(self.start.free(atom))).sum()
    }
}

impl Moves for Sokobond {
    const GAME: GameExtras<Self> = GameExtras {
        figures: Self::figures,
        // Atoms of a molecule move together, so that one may come to where another was.
        moved: |level, state, mv| {
            let atoms = rules::moved(&level.board, state, mv);
            let atoms = atoms.into_iter().filter(|atom| !atom.player);
            atoms.map(|atom| vec![level.board.walls.place(atom.cell)]).collect()
        },
        says: |shape| {
            let is_element =
                |letter: char| Element::from_letter(letter.to_ascii_lowercase()).is_some();
            let is_atom = |word: &str| {
                let mut letters = word.chars();
                letters.next().is_some_and(is_element) && letters.as_str() == "@"
            };
            let is_bond = |word: &str| ["@-@", "@=@", "@#@", "@*@"].contains(&word);
            let things = |words: &[&str]| words.iter().all(|word| is_atom(word) || is_bond(word));
            moves::says_of(shape, things, things)
        },
        bonds: Some(|level, state, one, other| {
            let walls = &level.board.walls;
            let cells = walls.cell(one.0, one.1).zip(walls.cell(other.0, other.1));
            cells.is_some_and(|(one, other)| state.multiplicity(one, other) > 0)
        }),
        modifiers: Some(Modifiers {
            stands: |level, (row, column)| {
                let cell = level.board.modifiers.cell(row, column);
                cell.is_some_and(|cell| level.board.modifiers[cell].is_some())
            },
            acts: |level, state, mv, (row, column)| {
                let mut without = level.clone();
                let modifier = level.board.modifiers.cell(row, column);
                modifier.is_some_and(|cell| without.board.modifiers[cell].take().is_some())
                    && level.step(state, mv) != without.step(state, mv)
            },
        }),
        ..GameExtras::NONE
    };

    type State = State;
    type Move = Direction;

    fn start(&self) -> State {
        self.start.clone()
    }

    fn moves(&self, state: &State) -> Vec<Direction> {
        Direction::ALL.into_iter().filter(|&d| self.step(state, d).is_ok()).collect()
    }

    /// A move counts as a push when it does more than to carry the player's molecule one cell
    /// further: it pushes, bonds, cuts, strengthens or turns.
    fn step(&self, state: &State, mv: Direction) -> Result<Successor<State>, MoveError> {
        let refused = |rule| MoveError { rule, idle: rules::blocks(rule).then(Tally::default) };
        let strict = self.bonding == Bonding::Strict;
        let outcome = rules::step(&self.board, state, mv, strict).map_err(refused)?;
        let tally = Tally { moves: 1, pushes: u32::from(outcome.event) };
        Ok(Successor { state: outcome.state, tally })
    }

    fn is_goal(&self, state: &State) -> bool {
        state.is_complete()
    }

    fn solution(&self, plan: &[Direction]) -> Keys {
        Keys(plan.to_vec())
    }

    /// The moves without the blocked keys.
    fn plan(&self, solution: &Keys) -> Vec<Direction> {
        let mut state = self.start();
        let mut plan = Vec::new();
        for &direction in &solution.0 {
            match self.step(&state, direction) {
                Ok(stepped) => state = stepped.state,
                Err(MoveError { idle: Some(_), .. }) => continue,
                Err(_) => {}
            }
            plan.push(direction);
        }
        plan
    }

    /// Atoms that the player does not steer; whole molecules move, so hardly one can be dragged.
    fn pieces(&self, state: &State) -> Pieces {
        let place = |atom: &Atom| self.board.walls.place(atom.cell);
        let (player, others): (Vec<_>, Vec<_>) = state.atoms.iter().partition(|atom| atom.player);
        let player = player.first().map_or((0, 0), place);
        Pieces { player, others: others.iter().map(|atom| vec![place(atom)]).collect() }
    }

    fn begun_at(&self, state: &State) -> Self {
        Self { start: state.clone(), ..self.clone() }
    }

    fn action(&self, before: &State, after: &State) -> String {
        let walls = &self.board.walls;
        let changed = |one: &State, other: &State| {
            let atoms = one.atoms.iter().filter(|atom| !other.atoms.contains(atom));
            let atoms = atoms.map(|atom| format!("{}{}", atom.letter(), walls.words(atom.cell)));
            let bonds = one.bonds.iter().filter(|bond| !other.bonds.contains(bond)).map(|bond| {
                let [first, second] = [bond.first, bond.second].map(|cell| walls.words(cell));
                let lines = ["-", "=", "#"];
                let line = lines.get(usize::from(bond.multiplicity) - 1).unwrap_or(&"*");
                format!("{first}{line}{second}")
            });
            atoms.chain(bonds).collect::<Vec<_>>()
        };
        moves::action_of(changed(before, after), changed(after, before))
    }

    fn draw(&self, state: &State, style: Style) -> Option<String> {
        Some(match style {
            Style::Plain => picture::plain(&self.board, state),
            Style::Unicode { color } => picture::unicode(&self.board, state, color),
            Style::Svg => picture::svg(&self.board, state),
        })
    }

    fn write_state(&self, state: &State) -> String {
        format::write_state(state)
    }

    fn read_state(&self, text: &str) -> Option<State> {
        format::read_state(self, text)
    }
}
