//! SAT solvers side by side on formulas of all families.
//!
//! `cargo run --release -- UNSTUCK FOLDER RUNS SOLVER...` takes the program, a folder with the
//! collections that `levels.tsv` names (levels of the project itself are found without it), and a
//! table of runs, which is continued when it is there: with the same options. Solvers are `varisat`,
//! `varisat-defaults` (with its own parameters), `batsat`,
//! and commands such as `kissat -q {cnf}`; the others are compared with the first.
//!
//! Formulas are chosen by a seed among those of a size that is given here, never by the time of a solver:
//! of each family as many horizons at the optimum as below it. Each is asked in several orders of
//! its variables and clauses, the first of them its own. All solvers take an order right after each
//! other, and the next order begins with another of them. A run is a process of its own, from reading
//! the formula to the answer, and seconds are those of the processor. Orders come in an order of
//! chance, so that a run that is interrupted has a sample, too: `--table` prints what it shows, and
//! `--hard SECONDS` leaves out the orders that every solver settles sooner.

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use fastrand::Rng;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::error::Error;
use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::{self, Stdio};
use unstuck::backend::{self, Answer};
use unstuck::formula::ClauseList;
use unstuck::limits::Limits;
use unstuck_encodings::Lit;

/// Families, optima (`-` where a puzzle has no horizon), and levels with their options.
const LEVELS: &str = include_str!("../levels.tsv");

/// How many clauses a formula may have.
const SIZES: std::ops::RangeInclusive<usize> = 20_000..=400_000;

/// Samples for the intervals.
const SAMPLES: usize = 10_000;

/// Seconds that count as one tick of the processor's clock.
const TICK: f64 = 0.01;

/// Exit codes of the SAT competitions.
const SAT: i32 = 10;
const UNSAT: i32 = 20;

/// Solvers that only this benchmark knows.
const BATSAT: &str = "batsat";
const VARISAT_DEFAULTS: &str = "varisat-defaults";

type Fallible<T> = Result<T, Box<dyn Error>>;

fn main() -> Fallible<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [word, solver, file] = &arguments[..]
        && word == "--decide"
    {
        process::exit(decide(solver, &Cnf::read(&fs::read_to_string(file)?)?)?);
    }
    let path =
        |name: &'static str| Arg::new(name).required(true).value_parser(value_parser!(PathBuf));
    let count = |name: &'static str, most: &'static str| {
        Arg::new(name).long(name).value_parser(value_parser!(u64)).default_value(most)
    };
    let matches = Command::new("formulas")
        .args([path("UNSTUCK"), path("FOLDER"), path("RUNS")])
        .arg(Arg::new("SOLVER").required(true).num_args(1..))
        .arg(count("limit", "20").help("Seconds for one run"))
        .arg(count("formulas", "2").help("Formulas of each family and kind"))
        .arg(count("orders", "2").help("Orders of each formula"))
        .arg(count("seed", "0").help("What chooses formulas and orders"))
        .arg(count("hard", "0").help("Only orders that take some solver so many seconds"))
        .arg(
            Arg::new("table").long("table").action(ArgAction::SetTrue).help("Only print the table"),
        )
        .get_matches();
    let bench = Bench::new(&matches)?;
    let mut runs = if matches.get_flag("table") { bench.known() } else { bench.measure()? };
    keep_hard(&mut runs, *matches.get_one::<u64>("hard").expect("a default") as f64);
    print!("{}", table(&runs, &bench.solvers, bench.limit as f64));
    Ok(())
}

/// Decides a formula by a solver that is built in; the exit code.
fn decide(solver: &str, cnf: &Cnf) -> Fallible<i32> {
    match solver {
        BATSAT => return Ok(batsat(cnf)),
        VARISAT_DEFAULTS => return varisat_with_its_defaults(cnf),
        _ => {}
    }
    let mut list = ClauseList::default();
    for clause in &cnf.clauses {
        list.add(clause.iter().filter_map(|&number| Lit::from_dimacs(number)));
    }
    let list = list.over(cnf.variables);
    Ok(match backend::from_name(solver)?.solve(&list, &Limits::none())? {
        Answer::Sat(_) => SAT,
        Answer::Unsat => UNSAT,
        Answer::Stopped(_) => 0,
    })
}

fn batsat(cnf: &Cnf) -> i32 {
    use batsat::{BasicSolver, Lit, SolverInterface, lbool};
    let mut solver = BasicSolver::default();
    for clause in &cnf.clauses {
        let mut lits: Vec<Lit> = clause
            .iter()
            .map(|&number| Lit::new(solver.var_of_int(number.unsigned_abs() - 1), number > 0))
            .collect();
        solver.add_clause_reuse(&mut lits);
    }
    match solver.solve_limited(&[]) {
        answer if answer == lbool::TRUE => SAT,
        answer if answer == lbool::FALSE => UNSAT,
        _ => 0,
    }
}

fn varisat_with_its_defaults(cnf: &Cnf) -> Fallible<i32> {
    use varisat::{ExtendFormula, Lit, Solver};
    let mut solver = Solver::new();
    for clause in &cnf.clauses {
        let lits: Vec<Lit> =
            clause.iter().map(|&number| Lit::from_dimacs(number as isize)).collect();
        solver.add_clause(&lits);
    }
    Ok(if solver.solve()? { SAT } else { UNSAT })
}

/// A formula as DIMACS has it.
struct Cnf {
    variables: usize,
    clauses: Vec<Vec<i32>>,
}

impl Cnf {
    fn read(text: &str) -> Fallible<Self> {
        let mut cnf = Self { variables: 0, clauses: Vec::new() };
        for line in text.lines().filter(|line| !line.starts_with('c')) {
            if let Some(sizes) = line.strip_prefix("p cnf ") {
                cnf.variables = sizes.split(' ').next().unwrap_or_default().parse()?;
                continue;
            }
            let numbers: Result<Vec<i32>, _> = line.split_whitespace().map(str::parse).collect();
            let mut numbers = numbers?;
            numbers.pop();
            cnf.clauses.push(numbers);
        }
        Ok(cnf)
    }

    /// Renames variables and shuffles clauses and their literals. Signs stay: solvers begin with
    /// *false*, and the encodings know it.
    fn shuffle(&mut self, rng: &mut Rng) {
        let mut names: Vec<i32> = (1..=self.variables as i32).collect();
        rng.shuffle(&mut names);
        for clause in &mut self.clauses {
            for number in clause.iter_mut() {
                *number = names[number.unsigned_abs() as usize - 1] * number.signum();
            }
            rng.shuffle(clause);
        }
        rng.shuffle(&mut self.clauses);
    }

    fn write(&self, path: &Path) -> Fallible<()> {
        let mut file = BufWriter::new(fs::File::create(path)?);
        writeln!(file, "p cnf {} {}", self.variables, self.clauses.len())?;
        for clause in &self.clauses {
            clause.iter().try_for_each(|number| write!(file, "{number} "))?;
            writeln!(file, "0")?;
        }
        Ok(file.flush()?)
    }
}

/// A formula of a level.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Chosen {
    family: &'static str,
    /// The level, its options, and the horizon.
    words: String,
}

/// A run that has ended.
struct Run {
    family: String,
    formula: String,
    order: u64,
    solver: String,
    /// `sat`, `unsat`, or `open`.
    verdict: String,
    seconds: f64,
}

impl Run {
    fn read(line: &str) -> Option<Self> {
        let mut fields = line.split('\t');
        let mut next = || fields.next().map(str::to_owned);
        Some(Self {
            family: next()?,
            formula: next()?,
            order: next()?.parse().ok()?,
            solver: next()?,
            verdict: next()?,
            seconds: next()?.parse().ok()?,
        })
    }

    fn write(&self) -> String {
        let Self { family, formula, order, solver, verdict, seconds } = self;
        format!("{family}\t{formula}\t{order}\t{solver}\t{verdict}\t{seconds:.2}\n")
    }
}

struct Bench {
    program: PathBuf,
    folder: PathBuf,
    runs: PathBuf,
    solvers: Vec<String>,
    limit: u64,
    formulas: usize,
    orders: u64,
    seed: u64,
}

impl Bench {
    fn new(matches: &ArgMatches) -> Fallible<Self> {
        let path = |name: &str| matches.get_one::<PathBuf>(name).expect("required").clone();
        let count = |name: &str| *matches.get_one::<u64>(name).expect("a default");
        Ok(Self {
            program: path("UNSTUCK").canonicalize()?,
            folder: path("FOLDER"),
            runs: path("RUNS"),
            solvers: matches.get_many("SOLVER").expect("required").cloned().collect(),
            limit: count("limit"),
            formulas: count("formulas") as usize,
            orders: count("orders"),
            seed: count("seed"),
        })
    }

    /// The formula of some words.
    fn export(&self, words: &str) -> Fallible<Cnf> {
        let mut words = shlex::split(words).ok_or("a quote is not closed")?;
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../puzzles/levels");
        let mut files = [&self.folder, &own].into_iter().map(|folder| folder.join(&words[0]));
        let file = files.find(|file| file.is_file()).ok_or_else(|| format!("no {}", words[0]))?;
        words[0] = file.display().to_string();
        let output = process::Command::new(&self.program).arg("export").args(&words).output()?;
        Cnf::read(&String::from_utf8(output.stdout)?)
    }

    /// The formulas: of each family and kind the first of the right size in an order of chance.
    fn choose(&self) -> Fallible<Vec<Chosen>> {
        let mut kinds: BTreeMap<(&str, &str), Vec<String>> = BTreeMap::new();
        for line in LEVELS.lines() {
            let [family, optimum, words] = line.split('\t').collect::<Vec<_>>()[..] else {
                return Err(format!("{line}: not three fields").into());
            };
            let mut add = |kind, words| kinds.entry((family, kind)).or_default().push(words);
            match optimum.parse::<u32>() {
                Ok(optimum) => {
                    add("at", format!("{words} --horizon {optimum}"));
                    add("below", format!("{words} --horizon {}", optimum.saturating_sub(1)));
                }
                Err(_) => add("board", words.to_owned()),
            }
        }
        let mut chosen = Vec::new();
        for ((family, kind), mut all) in kinds {
            Rng::with_seed(self.seed).shuffle(&mut all);
            // A board has no horizon, so it stands for both kinds.
            let wanted = self.formulas * if kind == "board" { 2 } else { 1 };
            let before = chosen.len();
            for words in all {
                if chosen.len() - before == wanted {
                    break;
                }
                match self.export(&words) {
                    Ok(cnf) if SIZES.contains(&cnf.clauses.len()) => {
                        chosen.push(Chosen { family, words });
                    }
                    Ok(_) => {}
                    Err(error) => eprintln!("{words}: left out: {error}"),
                }
            }
        }
        Ok(chosen)
    }

    /// The runs that the table has.
    fn known(&self) -> Vec<Run> {
        let known = fs::read_to_string(&self.runs).unwrap_or_default();
        known.lines().filter_map(Run::read).collect()
    }

    /// Runs what the table lacks.
    fn measure(&self) -> Fallible<Vec<Run>> {
        let mut runs = self.known();
        let mut table = OpenOptions::new().create(true).append(true).open(&self.runs)?;
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("formula.cnf");
        let mut tasks: Vec<(Chosen, u64)> = Vec::new();
        for chosen in self.choose()? {
            tasks.extend((0..self.orders).map(|order| (chosen.clone(), order)));
        }
        Rng::with_seed(self.seed).shuffle(&mut tasks);
        for (index, (Chosen { family, words }, order)) in tasks.iter().enumerate() {
            let done = |solver: &&String| {
                let is =
                    |run: &Run| (&run.formula, run.order, &run.solver) == (words, *order, solver);
                runs.iter().any(is)
            };
            let mut open: Vec<&String> =
                self.solvers.iter().filter(|solver| !done(solver)).collect();
            if open.is_empty() {
                continue;
            }
            let turn = index % open.len();
            open.rotate_left(turn);
            let mut cnf = self.export(words)?;
            if *order > 0 {
                cnf.shuffle(&mut Rng::with_seed(self.seed.wrapping_add(*order)));
            }
            cnf.write(&file)?;
            for solver in open {
                let (verdict, seconds) = self.run(solver, &file)?;
                let run = Run {
                    family: (*family).to_owned(),
                    formula: words.clone(),
                    order: *order,
                    solver: solver.clone(),
                    verdict: verdict.to_owned(),
                    seconds,
                };
                table.write_all(run.write().as_bytes())?;
                eprint!("{}/{} {}", index + 1, tasks.len(), run.write());
                runs.push(run);
            }
        }
        match disagreement(&runs) {
            Some(formula) => Err(format!("{formula}: solvers disagree").into()),
            None => Ok(runs),
        }
    }

    /// What a solver says of a formula within the limit, and the seconds that it took.
    fn run(&self, solver: &str, file: &Path) -> Fallible<(&'static str, f64)> {
        let own = [BATSAT, VARISAT_DEFAULTS].contains(&solver) || backend::is_built_in(solver);
        let file = file.display().to_string();
        let words = if own {
            let program = std::env::current_exe()?.display().to_string();
            vec![program, "--decide".to_owned(), solver.to_owned(), file]
        } else {
            let words = shlex::split(solver).ok_or("a quote is not closed")?;
            words.iter().map(|word| word.replace("{cnf}", &file)).collect()
        };
        let before = processor()?;
        let status = process::Command::new("sh")
            .args(["-c", "ulimit -t \"$0\"; exec \"$@\"", &self.limit.to_string()])
            .args(words)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()?;
        let seconds = processor()? - before;
        Ok(match status.code() {
            Some(SAT) => ("sat", seconds),
            Some(UNSAT) => ("unsat", seconds),
            None => ("open", self.limit as f64),
            Some(code) => return Err(format!("{solver} ends with {code}").into()),
        })
    }
}

/// Seconds of the processor that processes have had which this one waited for.
fn processor() -> Fallible<f64> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    let (_, fields) = stat.rsplit_once(')').ok_or("no name")?;
    let ticks = fields.split_whitespace().skip(13).take(2);
    Ok(ticks.map(|ticks| ticks.parse::<f64>().expect("a number")).sum::<f64>() * TICK)
}

/// A formula that is satisfiable by one solver or order and not by another.
fn disagreement(runs: &[Run]) -> Option<&str> {
    let mut known: HashMap<&str, &str> = HashMap::new();
    let settled = runs.iter().filter(|run| run.verdict != "open");
    let mut wrong =
        settled.filter(|run| *known.entry(&run.formula).or_insert(&run.verdict) != run.verdict);
    wrong.next().map(|run| run.formula.as_str())
}

/// Keeps the orders for which some solver needs at least so many seconds.
fn keep_hard(runs: &mut Vec<Run>, seconds: f64) {
    let slow = runs.iter().filter(|run| run.seconds >= seconds);
    let hard: BTreeSet<_> = slow.map(|run| (run.formula.clone(), run.order)).collect();
    runs.retain(|run| hard.contains(&(run.formula.clone(), run.order)));
}

/// For each formula the logarithms of a solver's times beside those of the first, one an order. An
/// open run counts with the limit, and orders that no solver settles are left out.
fn ratios(runs: &[&Run], solver: &str, first: &str) -> Vec<f64> {
    let mut orders: BTreeMap<(&str, u64), BTreeMap<&str, &Run>> = BTreeMap::new();
    for run in runs {
        orders.entry((&run.formula, run.order)).or_default().insert(&run.solver, run);
    }
    let mut formulas: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for ((formula, _), by) in &orders {
        if let (Some(one), Some(other)) = (by.get(solver), by.get(first))
            && by.values().any(|run| run.verdict != "open")
        {
            let ratio = one.seconds.max(TICK) / other.seconds.max(TICK);
            formulas.entry(formula).or_default().push(ratio.ln());
        }
    }
    formulas.values().map(|orders| orders.iter().sum::<f64>() / orders.len() as f64).collect()
}

fn geometric(logarithms: &[f64]) -> f64 {
    (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp()
}

/// The geometric mean, and where it lies in 95 of 100 samples of the formulas.
fn interval(ratios: &[f64]) -> String {
    let mut rng = Rng::with_seed(0);
    let mut sample = || {
        let drawn: Vec<f64> = ratios.iter().map(|_| ratios[rng.usize(..ratios.len())]).collect();
        geometric(&drawn)
    };
    let mut means: Vec<f64> = (0..SAMPLES).map(|_| sample()).collect();
    means.sort_unstable_by(f64::total_cmp);
    let at = |part: f64| means[(SAMPLES as f64 * part) as usize];
    format!("{:.2} ({:.2} to {:.2})", geometric(ratios), at(0.025), at(0.975))
}

/// The table of a run: settled orders, seconds of all, and times beside the first solver's.
fn table(runs: &[Run], solvers: &[String], limit: f64) -> String {
    let families: BTreeSet<&str> = runs.iter().map(|run| run.family.as_str()).collect();
    let verdicts: HashMap<&str, &str> = runs
        .iter()
        .filter(|run| run.verdict != "open")
        .map(|run| (run.formula.as_str(), run.verdict.as_str()))
        .collect();
    let formulas: BTreeSet<&str> = runs.iter().map(|run| run.formula.as_str()).collect();
    let orders: BTreeSet<_> = runs.iter().map(|run| (&run.formula, run.order)).collect();
    let mut text = format!(
        "{} formulas, {} orders, {limit} s each; times beside those of {}.\n\n",
        formulas.len(),
        orders.len(),
        solvers[0]
    );
    let kinds = ["unsat", "sat"];
    let heads: Vec<&str> =
        ["all"].into_iter().chain(kinds).chain(families.iter().copied()).collect();
    let _ = writeln!(text, "| solver | settled | seconds | {} |", heads.join(" | "));
    let _ = writeln!(text, "| --- | --- | --- |{}", " --- |".repeat(heads.len()));
    for solver in solvers {
        let own = runs.iter().filter(|run| run.solver == *solver);
        let settled = own.clone().filter(|run| run.verdict != "open").count();
        let seconds: f64 = own.map(|run| run.seconds).sum();
        let _ = write!(text, "| `{solver}` | {settled} | {seconds:.0} |");
        for head in &heads {
            let is_of = |run: &&Run| {
                *head == "all"
                    || run.family == *head
                    || verdicts.get(run.formula.as_str()).is_some_and(|verdict| verdict == head)
            };
            let some: Vec<&Run> = runs.iter().filter(is_of).collect();
            let ratios = ratios(&some, solver, &solvers[0]);
            let _ = match ratios.len() {
                _ if *solver == solvers[0] => write!(text, " {} |", ratios.len()),
                0 => write!(text, " |"),
                _ if families.contains(head) => write!(text, " {:.2} |", geometric(&ratios)),
                _ => write!(text, " {} |", interval(&ratios)),
            };
        }
        text.push('\n');
    }
    text
}
