//! What packed states are worth: bytes a state and expansions a second of each family's own search
//! space, beside plain A* over the states of the rules, with the same bound and without one.
//!
//! ```text
//! cargo run --release --example spaces -- STATES OBJECTIVE FILE [LEVEL | OPTION=VALUE]...
//! ```
//!
//! Each search is a process of its own with one thread, and ends when it is over or has so many
//! states. Bytes are what the memory of the process grew by while it searched.

use std::env::args;
use std::error::Error;
use std::fs::read_to_string;
use std::path::Path;
use std::process::Command;
use unstuck::encodings::snowman::SnowmanSpace;
use unstuck::encodings::sokoban::space::SokobanSpace;
use unstuck::encodings::sokobond::SokobondSpace;
use unstuck::encodings::warehouse::WarehouseSpace;
use unstuck::encodings::{Cost, PackingError, PlainSpace, Space};
use unstuck::limits::Limits;
use unstuck::machine::{peak_memory, processor_time, resident_memory};
use unstuck::puzzles::snowman::Snowman;
use unstuck::puzzles::sokoban::Sokoban;
use unstuck::puzzles::sokobond::Sokobond;
use unstuck::puzzles::warehouse::Warehouse;
use unstuck::puzzles::{Moves, Objective, Options, Puzzle};
use unstuck::registry::guess;
use unstuck::search::{SearchOutcome, Strategy, search};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// States of the rules, moves of the rules, and the bound of the family's own space.
#[derive(Clone, Debug)]
struct Bounded<S: Space> {
    packed: S,
    plain: PlainSpace<S::Puzzle>,
}

impl<S: Space> Space for Bounded<S> {
    type Puzzle = S::Puzzle;
    type State = <S::Puzzle as Moves>::State;
    const BOUND: Option<&'static str> = S::BOUND;

    fn new(puzzle: &S::Puzzle, objective: Objective) -> Result<Self, PackingError> {
        let packed = S::new(puzzle, objective)?;
        Ok(Self { packed, plain: PlainSpace::of(puzzle, objective) })
    }

    fn start(&self) -> Self::State {
        self.plain.start()
    }

    fn is_goal(&self, state: &Self::State) -> bool {
        self.plain.is_goal(state)
    }

    fn expand(&mut self, state: &Self::State, successors: &mut Vec<(Self::State, Cost)>) {
        self.plain.expand(state, successors);
    }

    fn bound(&mut self, state: &Self::State) -> Option<Cost> {
        let packed = self.packed.pack(state)?;
        self.packed.bound(&packed)
    }

    fn pack(&self, state: &Self::State) -> Option<Self::State> {
        Some(state.clone())
    }

    fn unpack(&self, state: &Self::State) -> Self::State {
        state.clone()
    }

    fn plan(&mut self, path: &[Self::State]) -> Vec<<S::Puzzle as Moves>::Move> {
        self.plain.plan(path)
    }
}

/// Names the space that a process searches which is to search one alone.
const ALONE: &str = "UNSTUCK_SPACE";

/// What is searched.
const SPACES: [&str; 3] = ["packed", "bounded", "plain"];

fn main() -> Outcome<()> {
    let given: Vec<String> = args().skip(1).collect();
    let [states, objective, file, others @ ..] = &given[..] else {
        return Err("how many states, which objective, which file?".into());
    };
    let (options, mut levels): (Vec<_>, Vec<_>) =
        others.iter().map(String::as_str).partition(|other| other.contains('='));
    if levels.is_empty() {
        levels.push("1");
    }
    if let Ok(space) = std::env::var(ALONE) {
        return one(states.parse()?, objective, file, levels[0], &options, &space);
    }
    println!("level,space,cost,expanded,states,bytes,seconds");
    for level in levels {
        for space in SPACES {
            let mut alone = Command::new(std::env::current_exe()?);
            let alone = alone.args([states, objective, file, level]).args(&options);
            let alone = alone.env(ALONE, space);
            if !alone.status()?.success() {
                return Err(format!("{file}: level {level}: {space} failed").into());
            }
        }
    }
    Ok(())
}

/// Searches one space of one level.
fn one(
    most: usize,
    objective: &str,
    file: &str,
    level: &str,
    options: &[&str],
    space: &str,
) -> Outcome<()> {
    let text = read_to_string(file)?;
    let extension = Path::new(file).extension().and_then(|extension| extension.to_str());
    let family = *guess(extension, &text).first().ok_or("no family reads this")?;
    let objective = Objective::from_name(objective).ok_or("no such objective")?;
    let options = options.iter().filter_map(|option| option.split_once('='));
    let options = Options::new(family.options, options)?;
    let asked = SpaceQuery { text, options, objective, number: level.parse()?, most, space };
    let row = match family.name {
        "sokoban" => asked.row::<Sokoban, SokobanSpace<4>>(),
        "sokobond" => asked.row::<Sokobond, SokobondSpace>(),
        "snowman" => asked.row::<Snowman, SnowmanSpace<2, true>>(),
        "warehouse" => asked.row::<Warehouse, WarehouseSpace>(),
        other => Err(format!("{other} has no moves").into()),
    }?;
    let name = Path::new(file).file_stem().unwrap_or_default().to_string_lossy();
    println!("{name} {level},{space},{row}");
    Ok(())
}

/// What is asked of one process.
struct SpaceQuery<'a> {
    text: String,
    options: Options,
    objective: Objective,
    number: usize,
    most: usize,
    space: &'a str,
}

impl SpaceQuery<'_> {
    fn row<P: Puzzle + Moves, S: Space<Puzzle = P>>(&self) -> Outcome<String> {
        let mut levels = P::read(&self.text, &self.options)?;
        if !(1..=levels.len()).contains(&self.number) {
            return Err("no such level".into());
        }
        let puzzle = levels.swap_remove(self.number - 1).puzzle?;
        match self.space {
            "packed" => self.measure(S::new(&puzzle, self.objective)?),
            "bounded" => self.measure(Bounded::<S>::new(&puzzle, self.objective)?),
            _ => self.measure(PlainSpace::new(&puzzle, self.objective)?),
        }
    }

    fn measure<S: Space>(&self, mut space: S) -> Outcome<String> {
        let strategy = Strategy { max_states: Some(self.most), ..Strategy::default() };
        let before = resident_memory().ok_or("memory cannot be measured here")?;
        let begun = processor_time().unwrap_or_default();
        let (end, stats) = search(&mut space, strategy, &Limits::none(), &mut |_| {});
        let seconds = (processor_time().unwrap_or_default() - begun).as_secs_f64();
        let bytes = peak_memory().unwrap_or_default().saturating_sub(before);
        let cost = match end {
            SearchOutcome::Found(_) => stats.lower.primary().to_string(),
            SearchOutcome::Exhausted => "none".to_owned(),
            SearchOutcome::Stopped(_) => format!("at least {}", stats.lower.primary()),
        };
        let (expanded, states) = (stats.expanded, stats.states);
        Ok(format!("{cost},{expanded},{states},{bytes},{seconds:.3}"))
    }
}
