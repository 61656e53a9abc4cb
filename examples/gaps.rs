//! Looks for what formulas imply and unit propagation does not see.
//!
//! A formula can be right, small and tested, and still lack a fact that every refutation then has to
//! find again. On small random boards this program asks a solver, under assumptions, which literals
//! (and, with `pairs`, which two literals of one layer together) the formula of a solvable horizon
//! implies although propagation does not give them; once with start and goal, once with each alone.
//! It counts them by shape, the most frequent first, each with one example.
//!
//! ```text
//! cargo run --release --example gaps -- FAMILY [OBJECTIVE] [BOARDS] [pairs] [without=RULE,...]
//! ```

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::env;
use std::process::ExitCode;
use unstuck::backend::varisat::Varisat;
use unstuck::backend::{AssumptionAnswer, Backend, Session};
use unstuck::instance::{Formula, Instance, Question, SearchEnd};
use unstuck::limits::Limits;
use unstuck::proof::propagate::Propagator;
use unstuck::registry::{self, Family};
use unstuck::search::Strategy;
use unstuck_encodings::{Filter, Lit, Step};
use unstuck_puzzles::Objective;

/// Boards with longer plans are left out.
const LONGEST: u32 = 16;

/// Models that have to agree before two literals are asked about.
const MODELS: usize = 60;

/// Pairs that are asked about on one board.
const PAIRS: usize = 400;

/// Shapes that are printed.
const SHOWN: usize = 15;

/// Which ends of the plan are fixed.
#[derive(Clone, Copy)]
struct Ends {
    name: &'static str,
    without: Option<&'static str>,
}

const ENDS: [Ends; 3] = [
    Ends { name: "start and goal", without: None },
    Ends { name: "start only", without: Some("goal") },
    Ends { name: "goal only", without: Some("start") },
];

/// What is asked for on the command line.
struct Wanted {
    family: &'static Family,
    objectives: Vec<Objective>,
    boards: u64,
    pairs: bool,
    without: Vec<String>,
}

fn wanted() -> Option<Wanted> {
    let mut words = env::args().skip(1);
    let family = registry::by_name(&words.next()?)?;
    let mut wanted = Wanted {
        family,
        objectives: family.objectives.to_vec(),
        boards: 20,
        pairs: false,
        without: Vec::new(),
    };
    for word in words {
        if let Some(objective) = Objective::from_name(&word) {
            wanted.objectives = vec![objective];
        } else if let Ok(boards) = word.parse() {
            wanted.boards = boards;
        } else if let Some(rules) = word.strip_prefix("without=") {
            wanted.without = rules.split(',').map(str::to_owned).collect();
        } else if word == "pairs" {
            wanted.pairs = true;
        } else {
            return None;
        }
    }
    Some(wanted)
}

/// How often a shape was met, and where first.
#[derive(Default)]
struct Tally {
    shapes: BTreeMap<String, (usize, String)>,
    literals: usize,
    asked: usize,
}

impl Tally {
    fn note(&mut self, shape: String, example: impl FnOnce() -> String) {
        let entry = self.shapes.entry(shape).or_insert_with(|| (0, example()));
        entry.0 += 1;
    }

    fn print(&self, boards: usize) {
        println!(
            "    {boards} boards, {} literals open after propagation, {} gaps",
            self.literals,
            self.shapes.values().map(|(count, _)| count).sum::<usize>()
        );
        let mut most: Vec<_> = self.shapes.iter().collect();
        most.sort_by_key(|(_, (count, _))| Reverse(*count));
        for (shape, (count, example)) in most.into_iter().take(SHOWN) {
            println!("    {count:>6}  {shape:<44}  such as {example}");
        }
    }
}

/// A formula with a solver that keeps what it has learnt.
struct GapQuery<'a> {
    formula: &'a dyn Formula,
    session: Box<dyn Session + 'a>,
    engine: Propagator,
    horizon: Step,
}

impl<'a> GapQuery<'a> {
    fn new(formula: &'a dyn Formula, horizon: Step, limits: &'a Limits) -> Option<Self> {
        let mut session = Varisat.incremental().expect("varisat keeps formulas").session(limits);
        (0..formula.len()).for_each(|index| session.add(formula.clause(index)));
        let clauses = (0..formula.len()).map(|index| formula.clause(index));
        let mut engine = Propagator::new(formula.variables(), clauses);
        if engine.propagate().is_some() {
            return None;
        }
        Some(Self { formula, session, engine, horizon })
    }

    /// A model under assumptions, as the set of its true literals; `None` when there is none.
    fn model(&mut self, assumed: &[Lit]) -> Option<Vec<bool>> {
        let lits = match self.session.ask(assumed).expect("no limit strikes") {
            AssumptionAnswer::Model(lits) => lits,
            AssumptionAnswer::Core(_) => return None,
        };
        let mut model = vec![false; self.formula.variables()];
        for lit in lits {
            if let Some(value) = model.get_mut(lit.number() as usize - 1) {
                *value = lit.is_positive();
            }
        }
        Some(model)
    }

    fn open(&self) -> Vec<Lit> {
        let numbers = 1..=i32::try_from(self.formula.variables()).expect("few variables");
        let lits = numbers.filter_map(Lit::from_dimacs);
        lits.filter(|&lit| self.engine.value(lit) == 0 && self.layer(lit).is_some()).collect()
    }

    /// Literals that hold in all models although propagation leaves them open.
    fn implied(&mut self) -> Vec<Lit> {
        let Some(model) = self.model(&[]) else { return Vec::new() };
        let holds =
            |model: &[bool], lit: Lit| model[lit.number() as usize - 1] == lit.is_positive();
        let mut candidates: Vec<Lit> = self
            .open()
            .into_iter()
            .map(|lit| if holds(&model, lit) { lit } else { !lit })
            .collect();
        let mut implied = Vec::new();
        while let Some(lit) = candidates.pop() {
            match self.model(&[!lit]) {
                None => implied.push(lit),
                Some(other) => candidates.retain(|&lit| holds(&other, lit)),
            }
        }
        implied
    }

    /// Pairs of literals of one layer, one of which holds in all models, although propagation does
    /// not find the second from the negation of the first.
    fn implied_pairs(&mut self) -> Vec<[Lit; 2]> {
        let mut models: Vec<Vec<bool>> = Vec::new();
        let open = self.open();
        for &lit in open.iter().cycle().take(MODELS.max(open.len().min(4 * MODELS))) {
            let side = if models.len().is_multiple_of(2) { lit } else { !lit };
            models.extend(self.model(&[side]));
        }
        let mut layered: BTreeMap<_, Vec<Lit>> = BTreeMap::new();
        open.iter().for_each(|&lit| layered.entry(self.layer(lit)).or_default().push(lit));
        let mut pairs = Vec::new();
        for lits in layered.values() {
            for (a, b) in pairs_of(lits) {
                for pair in [[a, b], [!a, b], [a, !b], [!a, !b]] {
                    let some = |model: &Vec<bool>| {
                        pair.iter().any(|lit| model[lit.number() as usize - 1] == lit.is_positive())
                    };
                    if models.iter().all(some) && !self.sees(pair) {
                        pairs.push(pair);
                    }
                }
            }
        }
        // Spread over the whole formula, however many there are.
        let step = pairs.len().div_ceil(PAIRS).max(1);
        let chosen: Vec<[Lit; 2]> = pairs.into_iter().step_by(step).collect();
        chosen.into_iter().filter(|&[a, b]| self.model(&[!a, !b]).is_none()).collect()
    }

    /// Whether propagation finds one of two literals from the negation of the other.
    fn sees(&mut self, [a, b]: [Lit; 2]) -> bool {
        let mark = self.engine.mark();
        let seen = !self.engine.assume(!a, None)
            || self.engine.propagate().is_some()
            || self.engine.value(b) > 0;
        self.engine.undo(mark);
        seen
    }

    /// The layer of a literal; `None` for auxiliary variables.
    fn layer(&self, lit: Lit) -> Option<Step> {
        let name = self.formula.variable_name(lit.number());
        if name.contains('#') {
            return None;
        }
        name.rsplit_once('@').and_then(|(_, layer)| layer.parse().ok())
    }

    /// Kind and sign of a literal, and where it stands in the plan.
    fn shape(&self, lit: Lit) -> String {
        let name = self.formula.variable_name(lit.number());
        let kind = name.split(['(', '@']).next().unwrap_or_default();
        format!("{}{kind}", if lit.is_positive() { "" } else { "not " })
    }

    fn when(&self, lit: Lit) -> &'static str {
        match self.layer(lit).unwrap_or_default() {
            0 | 1 => "at the start",
            t if t + 1 >= self.horizon => "at the end",
            _ => "between",
        }
    }

    fn name(&self, lit: Lit) -> String {
        let sign = if lit.is_positive() { "" } else { "not " };
        format!("{sign}{}", self.formula.variable_name(lit.number()))
    }
}

/// Every two of some literals.
fn pairs_of(lits: &[Lit]) -> impl Iterator<Item = (Lit, Lit)> + '_ {
    let after = |(index, &a): (usize, &Lit)| lits[index + 1..].iter().map(move |&b| (a, b));
    lits.iter().enumerate().flat_map(after)
}

/// The length of a shortest plan, if it is short enough to be of use; 0 for puzzles without time.
fn optimum(instance: &dyn Instance) -> Option<Step> {
    let Some(game) = instance.moves() else { return Some(0) };
    let strategy = Strategy { max_states: Some(50_000), ..Strategy::default() };
    match game.states().search(strategy, &Limits::none(), &mut |_| {}).end {
        SearchEnd::Found(plan) => {
            let length = instance.objective().primary(plan.tally());
            (2..=LONGEST).contains(&length).then_some(length)
        }
        _ => None,
    }
}

/// Looks at one board with the given ends; whether its formula could be used.
fn look(
    instance: &dyn Instance,
    ends: Ends,
    wanted: &Wanted,
    seed: u64,
    tally: &mut Tally,
) -> bool {
    let limits = Limits::none();
    let Some(horizon) = optimum(instance) else { return false };
    let mut filter = Filter::everything();
    filter.without.extend(wanted.without.iter().cloned());
    filter.without.extend(ends.without.map(str::to_owned));
    let formula = instance.formula(&Question { filter, ..Question::within(horizon) });
    let Some(mut asked) = GapQuery::new(formula.as_ref(), horizon, &limits) else { return false };
    tally.literals += asked.open().len();
    tally.asked += 1;
    for lit in asked.implied() {
        let example = || format!("{} (horizon {horizon}, sample {seed})", asked.name(lit));
        tally.note(format!("{} {}", asked.shape(lit), asked.when(lit)), example);
        asked.session.add(&[lit]);
        asked.engine.assume(lit, None);
    }
    asked.engine.propagate();
    if wanted.pairs {
        for [a, b] in asked.implied_pairs() {
            let mut shapes = [a, b].map(|lit| asked.shape(lit));
            shapes.sort();
            let shape = format!("{} {}", shapes.join(" or "), asked.when(a));
            let example = || format!("{} or {} (sample {seed})", asked.name(a), asked.name(b));
            tally.note(shape, example);
        }
    }
    true
}

fn main() -> ExitCode {
    let Some(wanted) = wanted() else {
        let families: Vec<&str> = registry::FAMILIES.iter().map(|family| family.name).collect();
        let families = families.join(", ");
        eprintln!("usage: gaps FAMILY [OBJECTIVE] [BOARDS] [pairs] [without=RULE,...]\n{families}");
        return ExitCode::from(2);
    };
    for &objective in &wanted.objectives {
        for ends in ENDS {
            let (mut tally, mut boards, mut seed) = (Tally::default(), 0, 0);
            let mut encoding = "";
            while boards < wanted.boards as usize && seed < 20 * wanted.boards {
                let opened = (wanted.family.sample)(seed);
                for instance in opened.instances(objective).into_iter().flatten().take(1) {
                    encoding = instance.encoding();
                    boards += usize::from(look(instance.as_ref(), ends, &wanted, seed, &mut tally));
                }
                seed += 1;
            }
            println!("{encoding} ({}), given {}", objective.name(), ends.name);
            tally.print(boards);
        }
    }
    ExitCode::SUCCESS
}
