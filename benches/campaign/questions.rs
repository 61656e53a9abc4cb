//! What people ask about a board, each answer held against the truth.

use crate::board::Board;
use crate::game::{Chart, Game, Price};
use crate::{Counts, brute, constraints, flow};
use unstuck::instance::Instance;
use unstuck::limits::{Limits, Stop};
use unstuck_encodings::Cost;
use unstuck_puzzles::constraints::{Constraints, Prohibition};
use unstuck_puzzles::puzzlescript::PuzzleScript;
use unstuck_puzzles::snowman::Snowman;
use unstuck_puzzles::sokoban::Sokoban;
use unstuck_puzzles::sokobond::Sokobond;
use unstuck_puzzles::warehouse::Warehouse;
use unstuck_puzzles::{Moves, Objective};

/// What came of a question: `Ok` when the answer is right, or a limit left it open.
pub(crate) type Verdict = Result<(), String>;

/// What the program says that a plan costs.
pub(crate) fn price(cost: Cost) -> Price {
    (cost.primary(), cost.secondary())
}

/// Compares what is said with what is true.
pub(crate) fn same<T: PartialEq + std::fmt::Debug>(what: &str, said: T, truth: T) -> Verdict {
    if said == truth { Ok(()) } else { Err(format!("{what}: {said:?}, but in truth {truth:?}")) }
}

/// A question about a game.
type Ask<'a, P> = fn(&mut Asking<'a, P>, &mut Counts) -> Verdict;

/// A game that is asked about.
pub(crate) struct Asking<'a, P: Moves> {
    pub(crate) instance: &'a dyn Instance,
    pub(crate) chart: Chart<P>,
    pub(crate) limits: Limits,
    /// Positions after which the truth about a part of a question is given up.
    pub(crate) most: usize,
    pub(crate) rng: fastrand::Rng,
}

impl<P: Moves> Asking<'_, P> {
    pub(crate) fn constraints(&self) -> &Constraints {
        &self.chart.game.constraints
    }

    /// Whether constraints tell positions from each other that otherwise differ by a walk: what has
    /// happened on the way, or walks that cannot be walked back.
    pub(crate) fn walks_matter(&self) -> bool {
        let one_way =
            |it: &Prohibition| matches!(it, Prohibition::Move(_) | Prohibition::Modifier(_));
        !self.constraints().required.is_empty() || self.constraints().forbidden.iter().any(one_way)
    }

    /// Whether a limit struck, which leaves a question open.
    pub(crate) fn is_open(&self, stop: Option<Stop>, counts: &mut Counts) -> bool {
        if stop.is_some() {
            counts.add("question not settled");
        }
        stop.is_some()
    }
}

impl Board {
    /// Asks everything; what disagrees with the truth.
    pub(crate) fn ask(&self, counts: &mut Counts) -> Vec<String> {
        match self.family.name {
            "flow" => flow::ask(self, counts),
            "sokoban" => self.ask_game::<Sokoban>(counts),
            "sokobond" => self.ask_game::<Sokobond>(counts),
            "snowman" => self.ask_game::<Snowman>(counts),
            "warehouse" => self.ask_game::<Warehouse>(counts),
            "puzzlescript" => self.ask_game::<PuzzleScript>(counts),
            other => vec![format!("nothing is asked about {other}")],
        }
    }

    fn ask_game<P: Moves>(&self, counts: &mut Counts) -> Vec<String> {
        let reading = self.instance.reading();
        let Some(puzzle) = brute::read::<P>(&self.text, &self.options, reading) else {
            return vec!["the text is read in another way".to_owned()];
        };
        // Where any plan will do, questions count what the family counts first.
        let objective = match self.objective {
            Objective::Any => P::OBJECTIVES[0],
            objective => objective,
        };
        let mut rng = fastrand::Rng::with_seed(self.seed);
        let most = self.stats.states;
        let game = Game::new(puzzle, Constraints::default(), objective);
        let Some(mut chart) = Chart::of(game, most) else {
            counts.add("too large for questions");
            return Vec::new();
        };
        if rng.bool() {
            let constraints = match constraints::random(&chart, &self.text, &mut rng) {
                Ok(constraints) => constraints,
                Err(error) => return vec![error],
            };
            if let Err(error) = self.instance.constrained(&constraints) {
                return vec![format!("{constraints}: {error}")];
            }
            let solvable = chart.optimum().is_some();
            let Some(constrained) = Chart::of(Game { constraints, ..chart.game }, most) else {
                counts.add("too large for questions");
                return Vec::new();
            };
            chart = constrained;
            if solvable && chart.optimum().is_none() {
                counts.add("no solution with wishes");
            }
        }
        let instance = self.instance.as_ref();
        let limits = Limits::new(Some(self.stats.patience), None);
        let mut asking = Asking { instance, chart, limits, most, rng };
        let constraints = asking.constraints().to_string();
        let questions: [(&str, Ask<'_, P>); 5] = [
            ("diagnose", Asking::diagnosed),
            ("hint", Asking::hinted),
            ("enumerate", Asking::enumerated),
            ("needed", Asking::needed),
            ("explain", Asking::explained),
        ];
        let mut faults = Vec::new();
        for (name, ask) in questions {
            asking.limits = Limits::new(Some(self.stats.patience), None);
            if let Err(fault) = ask(&mut asking, counts) {
                let objective = objective.name();
                faults.push(format!("{name} ({objective}) [{constraints}]: {fault}"));
            }
        }
        faults
    }
}
