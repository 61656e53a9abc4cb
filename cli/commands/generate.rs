//! `unstuck generate`: levels that meet conditions.
//!
//! The family drafts levels from a seed, or `like` varies a level; solver and questions decide whether
//! a draft meets the conditions: a Flow board has one solution only, a level of a game has a shortest
//! solution of some length.

use crate::answer::Answer;
use crate::commands::query;
use crate::driver::{Run, Watched};
use crate::input::SelectedLevel;
use crate::input::applies::{REMOVE, refuse_idle, refused};
use crate::input::args::{ConstraintArgs, FilterArgs, ForceArgs, LevelArgs, SolverArgs, long_help};
use crate::input::families;
use crate::terminal::failure::{CommandResult, Failure};
use crate::terminal::guard::{self, LimitArgs};
use crate::terminal::output::{self, OutputArgs, Target};
use crate::terminal::progress::Display;
use crate::terminal::screen;
use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand, value_parser};
use fastrand::Rng;
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;
use unstuck::atlas::CostToGo;
use unstuck::instance::{Instance, Verified};
use unstuck::limits::Limits;
use unstuck::puzzles::catalogue::{Generator, attempt_seed};
use unstuck::questions::analysis::Analysis;
use unstuck::questions::enumerate::enumerate;
use unstuck::questions::hint::hint;
use unstuck::questions::needed::{Change, needed};
use unstuck::registry::{self, Family, by_name};
use unstuck::report::{self, SolutionReport};
use unstuck::solve::{Request, Solutions, Verdict, solve};
use unstuck_encodings::Cost;
use unstuck_puzzles::constraints::Constraints;
use unstuck_puzzles::variation::Drawing;
use unstuck_puzzles::{Objective, Options, ParseError, RecordSupport, Recording};

const EXIT_CODES: &str = "\
Exit codes: 0 all levels were generated; 2 wrong usage, or no draft met the
conditions; 30 a limit struck first.";

const EXAMPLES: &str = "\
Examples:
  unstuck generate flow --width 8 --height 8 --colours 7 --seed 3
  unstuck generate flow --colours 5 --every-piece
  unstuck generate flow --hex --colours 6 --walls 4 -o board.flow
  unstuck generate sokoban --boxes 3 --at-least 8 --every-piece --count 3
  unstuck generate like level.xsb --edits 4 --at-least 6 --tighten
  unstuck generate snowman --snowmen 1 --json";

/// Generate levels that meet conditions: a unique solution, or a minimum length
#[derive(Args)]
#[command(
    after_help = EXAMPLES,
    after_long_help = long_help!(EXIT_CODES, EXAMPLES),
    subcommand_required = true,
    arg_required_else_help = true
)]
pub(crate) struct GenerateCommand {
    #[command(subcommand)]
    choice: GeneratorChoice,
}

/// What is generated: each family that has a generator is a command with options of its own, and
/// [`LIKE`] is one for variations of a level.
struct GeneratorChoice {
    source: DraftSource,
    args: GeneratorArgs,
}

/// Where drafts come from.
enum DraftSource {
    /// A family, with its options that were given.
    Family(&'static Family, Generator, Vec<(&'static str, String)>),
    /// A level.
    Like(LikeArgs),
}

/// The command that varies a level.
const LIKE: &str = "like";

/// Variations of a level, under its own rules
#[derive(Args)]
struct LikeArgs {
    #[command(flatten)]
    level: LevelArgs,
    /// Edit at most so many cells
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..), default_value_t = 3)]
    edits: u32,
}

/// The families that make levels.
fn generators() -> impl Iterator<Item = (&'static Family, Generator)> {
    registry::families().into_iter().filter_map(|family| Some((family, family.generator?)))
}

impl Subcommand for GeneratorChoice {
    fn augment_subcommands(command: Command) -> Command {
        let made = |command: Command| {
            GeneratorArgs::augment_args(command)
                .after_help(EXAMPLES)
                .after_long_help(long_help!(EXIT_CODES, EXAMPLES))
        };
        let families = generators().map(|(family, generator)| {
            let specs = generator.options.iter().map(|&spec| families::option(spec, spec.help));
            made(Command::new(family.name).args(specs).about(generator.about))
        });
        let like = LikeArgs::augment_args(Command::new(LIKE));
        command.subcommands(families).subcommand(made(like))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        name == LIKE || generators().any(|(family, _)| family.name == name)
    }
}

impl FromArgMatches for GeneratorChoice {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let (name, given) = matches.subcommand().expect("clap demands a family");
        let args = GeneratorArgs::from_arg_matches(given)?;
        if name == LIKE {
            return Ok(Self {
                source: DraftSource::Like(LikeArgs::from_arg_matches(given)?),
                args,
            });
        }
        let known = generators().find(|(family, _)| family.name == name);
        let (family, generator) = known.expect("clap accepts known families only");
        let options = families::given(generator.options.iter().copied(), given.clone());
        Ok(Self { source: DraftSource::Family(family, generator, options), args })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// How levels are generated, of whatever family.
#[derive(Args)]
struct GeneratorArgs {
    /// The same seed makes the same board
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Give up after this many drafts
    #[arg(long, value_name = "N", default_value_t = 2000)]
    attempts: u64,
    /// How many levels to make
    #[arg(
        long,
        value_name = "N",
        value_parser = value_parser!(u64).range(1..),
        default_value_t = 1
    )]
    count: u64,
    #[command(flatten)]
    wanted: LevelSpec,
    #[command(flatten)]
    solver: SolverArgs,
    #[command(flatten)]
    filter: FilterArgs,
    #[command(flatten)]
    limits: LimitArgs,
    /// Write to a file: one with all levels, where it may hold several, with solutions
    #[arg(long, short, value_name = "FILE")]
    output: Option<Target>,
    #[command(flatten)]
    force: ForceArgs,
    #[command(flatten)]
    shown: OutputArgs,
}

/// What a level of a game should be like, beside its size.
#[derive(Args)]
struct LevelSpec {
    /// Games: a shortest solution has at least N pushes (Sokobond, PuzzleScript: moves) [default: 0]
    #[arg(long, value_name = "N")]
    at_least: Option<u32>,
    /// Games: a shortest solution has at most N pushes
    #[arg(long, value_name = "N")]
    at_most: Option<u32>,
    /// Only one shortest solution, as `enumerate` counts (Flow: always)
    #[arg(long)]
    unique: bool,
    /// Every piece (Flow: pair) matters: removing any one changes the answer
    #[arg(long)]
    every_piece: bool,
    /// Games: no shortest solution without it, such as `rule 78` or `pushed 3,4` of --forbid
    #[arg(long, value_name = "CONSTRAINT")]
    needs: Vec<String>,
    /// Clear cells that no condition needs, as long as the length stays the same
    #[arg(long)]
    tighten: bool,
}

/// Makes the text of an attempt, and asks now and then whether to continue.
type DraftFn = dyn Fn(u64, &dyn Fn() -> bool) -> Result<Option<String>, ParseError>;

/// Drafts of a family, and how they are read.
struct Drafts {
    family: &'static Family,
    options: Options,
    objective: Objective,
    /// The level that they are like.
    like: Option<String>,
    make: Box<DraftFn>,
}

impl DraftSource {
    /// The drafts of a seed, of which levels are to be kept that need this.
    fn open(&'static self, seed: u64, needs: &[Constraints]) -> Result<Drafts, Failure> {
        match self {
            Self::Family(family, generator, given) => {
                let given = given.iter().map(|(name, value)| (*name, value.as_str()));
                let recipe = Options::new(generator.options, given)
                    .map_err(|error| Failure::parse(family.name, &error, ""))?;
                Ok(Drafts {
                    family,
                    options: Options::new(family.options, []).expect("defaults are allowed"),
                    objective: family.objectives[0],
                    like: None,
                    make: Box::new(move |attempt, go_on| {
                        generator.attempt(&recipe, seed, attempt, go_on)
                    }),
                })
            }
            Self::Like(LikeArgs { level, edits }) => {
                let chosen = level.single()?;
                let objective = chosen.objective(level.reading.objective)?;
                if chosen.family.has_moves && objective == Objective::Any {
                    let why = "levels are judged by their shortest solutions";
                    return Err(refused("objective", why, REMOVE));
                }
                // What means nothing here is refused before anything is drafted.
                for constraints in needs {
                    query::constrained(chosen.instances(Some(objective))?, constraints)?;
                }
                let drawing = Drawing::of(&chosen.opened()?.text());
                Ok(Drafts {
                    family: chosen.family,
                    options: chosen.options.clone(),
                    objective,
                    like: chosen.id(),
                    make: Box::new(move |attempt, _| {
                        let mut random = Rng::with_seed(attempt_seed(seed, attempt));
                        let edits = random.u32(1..=*edits) as usize;
                        Ok(Some(drawing.varied(edits, &mut random).to_string()))
                    }),
                })
            }
        }
    }
}

impl Drafts {
    /// A text under the first reading of its rules, where it is a level.
    fn read(&self, text: &str) -> Option<Box<dyn Instance>> {
        let draft = SelectedLevel::of_text("draft", self.family, self.options.clone(), text);
        draft.ok()?.instances(Some(self.objective)).ok()?.into_iter().next()
    }
}

impl Run for GenerateCommand {
    fn watched(&self) -> Watched {
        let args = &self.choice.args;
        Watched { json: args.shown.json, limits: Some(args.limits) }
    }

    fn run(&'static self) -> CommandResult {
        let GeneratorChoice { source, args } = &self.choice;
        let needs = args.wanted.needs()?;
        let drafts = source.open(args.seed, &needs)?;
        let family = drafts.family.name;
        args.check(drafts.family)?;
        let request = Request::default()
            .with_backend(args.solver.open()?)
            .with_filter(args.filter.filter())
            .with_solutions(2)
            .with_limits(args.limits.begin());
        let files = args.files(family);
        match files.len() {
            0 | 1 => output::prepare(
                args.shown.json,
                args.force.force,
                &[("output", args.output.as_ref())],
            ),
            _ => files.iter().try_for_each(|path| output::writable(path, args.force.force)),
        }?;
        let GeneratorArgs { attempts, count, ref wanted, .. } = *args;
        guard::subject(family);
        let display = Display::new(family, args.shown, args.limits.timeout);
        let (mut made, mut drafted) = (0, false);
        let mut known: BTreeSet<String> = drafts.like.iter().cloned().collect();
        let mut collection = collects(family).then(String::new);
        for attempt in 0..attempts {
            display.say(&format!("{made} of {count} levels, {attempt} drafts"));
            if let Some(stop) = request.limits.reached_any() {
                let message = format!("{made} of {count} levels after {attempt} drafts: {stop}");
                return Err(Failure::new(Verdict::Unknown(Some(stop)).exit_code(), message)
                    .help("try another `--seed`, weaker conditions or more time"));
            }
            let go_on = || request.limits.reached().is_none();
            let draft = (drafts.make)(attempt, &go_on);
            let draft = draft.map_err(|error| Failure::parse(family, &error, ""))?;
            let Some(text) = draft else { continue };
            let Some(instance) = drafts.read(&text) else {
                if drafts.like.is_some() {
                    continue;
                }
                return Err(Failure::internal(format!("the draft is no level:\n{text}")));
            };
            drafted = true;
            if known.contains(&instance.identity()) {
                continue;
            }
            let Some(plan) = wanted.met(instance.as_ref(), &needs, &request)? else { continue };
            let mut level = GeneratedLevel { instance, text, plan, number: made + 1, attempt };
            if wanted.tighten {
                level.tighten(&drafts, wanted, &needs, &request)?;
            }
            if !known.insert(level.instance.identity()) {
                continue;
            }
            made += 1;
            screen::aside(|| level.write(args, &mut collection))?;
            if made == count {
                drop(display);
                if let ([first, .., last], false) = (files.as_slice(), args.shown.quiet) {
                    output::say(format!("written: {} to {}", first.display(), last.display()));
                }
                return Ok(0);
            }
        }
        let message = format!("only {made} of {count} levels found in {attempts} drafts");
        Err(Failure::usage(message).help(match drafted {
            _ if drafts.like.is_some() => "ask for less, or raise `--edits` or `--attempts`",
            true if !drafts.family.has_moves => "allow more colours, or raise `--attempts`",
            true => "make the board larger, ask for less, or raise `--attempts`",
            false => {
                "no draft had room for what the board must hold: make it larger, or ask for less"
            }
        }))
    }
}

impl GeneratorArgs {
    /// Refuses what means nothing for a family: games are judged by search, other boards by a solver.
    fn check(&self, family: &Family) -> Result<(), Failure> {
        let games = family.has_moves;
        let why = if games { "is judged by search, which asks no solver" } else { "has no moves" };
        let why = format!("{} {why}", family.name);
        let why = why.as_str();
        let idle = [
            ("backend", games && self.solver.backend.is_some(), why),
            ("without", games && !self.filter.without.is_empty(), why),
            ("defining-only", games && self.filter.defining_only, why),
            ("at-least", !games && self.wanted.at_least.is_some(), why),
            ("at-most", !games && self.wanted.at_most.is_some(), why),
            ("needs", !games && !self.wanted.needs.is_empty(), why),
        ];
        refuse_idle(idle, REMOVE)
    }

    /// The files that are written: one with all levels, or one for each where a file of the family
    /// holds one only.
    fn files(&self, family: &str) -> Vec<PathBuf> {
        match self.output.as_ref().and_then(Target::path) {
            Some(path) if self.count > 1 && !collects(family) => {
                (1..=self.count).map(|number| numbered(path, number)).collect()
            }
            path => path.into_iter().map(Path::to_owned).collect(),
        }
    }
}

/// Whether a file of a family may hold several levels.
fn collects(family: &str) -> bool {
    by_name(family).is_some_and(|family| family.records == RecordSupport::Levels)
}

/// Time for one draft of a game: there are many.
const DRAFT_TIME: Duration = Duration::from_secs(5);

impl LevelSpec {
    /// A solution, of a game a shortest one, if it could be shown in time that a level meets the
    /// conditions.
    fn met(
        &self,
        instance: &dyn Instance,
        needs: &[Constraints],
        request: &Request,
    ) -> Result<Option<Verified>, Failure> {
        let limits = request.limits.within(DRAFT_TIME);
        let plan = match Analysis::new(instance, &Constraints::default()) {
            Some(mut asked) => {
                let moves = self.shortest(&mut asked, &limits);
                let plan = moves.map(|moves| instance.verify(&moves)).transpose();
                plan.map_err(|error| Failure::internal(error.to_string()))?
            }
            None => {
                let outcome = solve(instance, request, &|_| {});
                let outcome = outcome.map_err(|error| Failure::solving(&error))?;
                let only = |all: &Solutions| all.complete && all.others.is_empty();
                outcome.best.filter(|_| outcome.solutions.as_ref().is_some_and(only))
            }
        };
        let Some(plan) = plan else { return Ok(None) };
        let fits =
            self.needs_all(instance, &limits)? && all_are_needed(needs, instance, &plan, &limits)?;
        Ok(fits.then_some(plan))
    }

    /// What no shortest solution does without, each as the constraint that forbids it.
    fn needs(&self) -> Result<Vec<Constraints>, Failure> {
        self.needs.iter().map(|text| ConstraintArgs::forbidding(text).read()).collect()
    }

    /// The moves of a shortest solution of a game, if that is as it should be.
    fn shortest(&self, asked: &mut Analysis<'_>, limits: &Limits) -> Option<String> {
        let wanted = self.at_least.unwrap_or(0).max(1)..=self.at_most.unwrap_or(u32::MAX);
        let cost = asked.rest(limits).cost.exactly()?;
        let fits = wanted.contains(&cost.primary())
            && (!self.unique || enumerate(asked, 0, limits).plans == Some(1));
        fits.then(|| hint(asked, None, usize::MAX, limits).moves).flatten()
    }

    /// Whether the level would be another without any of its pieces, where that is wanted. Walls
    /// and rules are no pieces.
    fn needs_all(&self, instance: &dyn Instance, limits: &Limits) -> Result<bool, Failure> {
        let mut kinds = query::kinds(instance);
        kinds.retain(|&kind| self.every_piece && kind != "wall" && kind != "cover");
        // Of a board without moves there is nothing to compare but how many solutions it has.
        let count = instance.moves().is_none();
        for kind in kinds {
            let none = Constraints::default();
            let answer = needed(instance, Some(kind), count, &none, limits, &mut |_, _, _| {});
            let answer = answer.map_err(|error| Failure::solving(&error))?;
            let idle = |effect| matches!(effect, Change::None | Change::Unknown);
            if answer.parts.iter().any(|part| idle(part.effect)) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Whether under each of the constraints a game is known to be longer, or has no solution.
///
/// # Errors
/// When a constraint means nothing for the level.
fn all_are_needed(
    needs: &[Constraints],
    instance: &dyn Instance,
    plan: &Verified,
    limits: &Limits,
) -> Result<bool, Failure> {
    let shortest = Cost::of(instance.objective(), plan.tally());
    for constraints in needs {
        let constrained = instance.constrained(constraints);
        let constrained = constrained.map_err(|error| Failure::parse("constraints", &error, ""))?;
        let Some(mut asked) = Analysis::new(constrained.as_ref(), constraints) else {
            return Ok(false);
        };
        let is_needed = match asked.rest(limits).cost {
            CostToGo::Never => true,
            CostToGo::Exactly(least) | CostToGo::AtLeast(least) => least > shortest,
            CostToGo::Stopped(..) => false,
        };
        if !is_needed {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A level that meets the conditions.
struct GeneratedLevel {
    instance: Box<dyn Instance>,
    text: String,
    /// A shortest solution.
    plan: Verified,
    /// From 1.
    number: u64,
    /// Which draft it was, from 0.
    attempt: u64,
}

impl GeneratedLevel {
    /// Clears one cell after the other, where the level still meets the conditions and is as long.
    fn tighten(
        &mut self,
        drafts: &Drafts,
        wanted: &LevelSpec,
        needs: &[Constraints],
        request: &Request,
    ) -> Result<(), Failure> {
        let mut drawing = Drawing::of(&self.text);
        for place in drawing.places() {
            if request.limits.reached_any().is_some() {
                break;
            }
            let Some(cleared) = drawing.cleared(place) else { continue };
            let text = cleared.to_string();
            let Some(instance) = drafts.read(&text) else { continue };
            let Some(plan) = wanted.met(instance.as_ref(), needs, request)? else { continue };
            if plan.tally() == self.plan.tally() {
                drawing = cleared;
                (self.instance, self.text, self.plan) = (instance, text, plan);
            }
        }
        Ok(())
    }

    /// Prints the level, and writes it: into one file with those before it, where a file of the family
    /// holds a collection, else into one with its number in the name.
    fn write(&self, args: &GeneratorArgs, collection: &mut Option<String>) -> Result<(), Failure> {
        let several = args.count > 1;
        let title = format!("Level {}, seed {}", self.number, args.seed);
        let recording = Recording { title: Some(&title), ..Recording::default() };
        let recorded = collection.is_some().then(|| self.instance.record(&self.plan, recording));
        let text = recorded.flatten().unwrap_or_else(|| self.text.clone());
        let target = match (args.output.clone(), several && collection.is_none()) {
            (Some(Target::File(path)), true) => Some(Target::File(numbered(&path, self.number))),
            (target, _) => target,
        };
        let between = if several { "\n" } else { "" };
        let block = format!("{text}{between}");
        if let Some(target @ Target::File(_)) = &target {
            let force = args.force.force || (collection.is_some() && self.number > 1);
            let all = collection.clone().unwrap_or_default() + &block;
            target.write(force, |file| file.write_all(all.as_bytes()))?;
            collection.iter_mut().for_each(|collection| collection.clone_from(&all));
        }
        let shown = if matches!(target, Some(Target::File(_))) { String::new() } else { block };
        let fields = self.fields(text, args.seed, target.as_ref());
        let answer = Answer::new(0, fields).saying(shown);
        output::print(answer.printed("generate", None, args.shown));
        Ok(())
    }

    fn fields(&self, text: String, seed: u64, target: Option<&Target>) -> GenerateAnswer {
        let instance = self.instance.as_ref();
        GenerateAnswer {
            file: target.and_then(Target::path).map(|path| path.display().to_string()),
            number: self.number,
            puzzle: instance.family(),
            seed,
            attempt: self.attempt + 1,
            text,
            solution: SolutionReport::of(&self.plan, instance.moves().is_some()),
            facts: report::facts(&instance.facts()),
            exit: 0,
        }
    }
}

/// A level that was generated.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct GenerateAnswer {
    /// The file that it was written to; `null` where it went nowhere else.
    file: Option<String>,
    /// Its number in the file, from 1.
    #[cfg_attr(test, schemars(extend("minimum" = 1)))]
    number: u64,
    /// The family.
    puzzle: &'static str,
    /// The seed of the random numbers.
    seed: u64,
    /// Which attempt succeeded, from 1.
    #[cfg_attr(test, schemars(extend("minimum" = 1)))]
    attempt: u64,
    /// The level.
    text: String,
    /// A shortest solution.
    solution: SolutionReport,
    /// Facts about the level.
    facts: Map<String, Value>,
    /// The exit code.
    exit: u8,
}

/// `level.xsb` as `level-3.xsb`.
fn numbered(path: &Path, number: u64) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().map(|it| format!(".{}", it.to_string_lossy()));
    path.with_file_name(format!("{stem}-{number}{}", extension.unwrap_or_default()))
}
