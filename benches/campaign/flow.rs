//! Questions about boards of paths: how many solutions there are, what they have in common, what
//! each part is there for, and why there is none, with and without constraints.

use crate::Counts;
use crate::board::Board as Asked;
use crate::brute::{self, Enumerator};
use crate::questions::{Verdict, same};
use crate::wish::Wish;
use std::collections::{BTreeMap, BTreeSet};
use unstuck::backend::varisat::Varisat;
use unstuck::instance::{ContinueError, Instance, atlas};
use unstuck::limits::Limits;
use unstuck::questions::explain::explain;
use unstuck::questions::forced::forced;
use unstuck::questions::needed::{Change, needed};
use unstuck::solve::{Request, solve};
use unstuck_puzzles::constraints::Constraints;
use unstuck_puzzles::flow::{Board, Solution};
use unstuck_puzzles::{Part, PuzzleExt};

/// Solutions after which they are not counted further.
const MOST: usize = 60;

/// A board with constraints.
struct Asking<'a> {
    instance: &'a dyn Instance,
    board: Board,
    constraints: Vec<Wish>,
    limits: Limits,
}

/// Asks everything; what disagrees with the truth.
pub(crate) fn ask(asked: &Asked, counts: &mut Counts) -> Vec<String> {
    let reading = asked.instance.reading();
    let Some(board) = brute::read::<Board>(&asked.text, &asked.options, reading) else {
        return vec!["the text is read in another way".to_owned()];
    };
    let mut rng = fastrand::Rng::with_seed(asked.seed);
    let number = if rng.bool() { rng.usize(1..=3) } else { 0 };
    let constraints: Vec<Wish> =
        (0..number).filter_map(|_| Wish::random(&board, &mut rng)).collect();
    let texts = match Wish::constraints(&constraints) {
        Ok(texts) => texts,
        Err(error) => return vec![error.to_string()],
    };
    let instance = match asked.instance.constrained(&texts) {
        Ok(instance) => instance,
        Err(error) => return vec![format!("{texts}: {error}")],
    };
    let limits = || Limits::new(Some(asked.stats.patience), None);
    let mut asking = Asking { instance: instance.as_ref(), board, constraints, limits: limits() };
    let Some(all) = asking.solutions(&asking.board) else {
        counts.add("too many solutions");
        return Vec::new();
    };
    let mut faults = Vec::new();
    let questions: [(&str, Ask<'_>); 5] = [
        ("count", Asking::counted),
        ("forced", Asking::forced),
        ("needed", Asking::needed),
        ("explain", Asking::explained),
        ("after", Asking::begun),
    ];
    for (name, ask) in questions {
        asking.limits = limits();
        if let Err(fault) = ask(&asking, &all, counts) {
            faults.push(format!("{name} [{texts}]: {fault}"));
        }
    }
    faults
}

type Ask<'a> = fn(&Asking<'a>, &Solutions, &mut Counts) -> Verdict;

type Solutions = BTreeMap<String, Solution>;

/// The steps of a solution, in both directions.
fn edges(solution: &Solution) -> BTreeSet<(String, String)> {
    let steps = solution.flows.iter().flat_map(|flow| flow.cells.windows(2));
    let both = steps.flat_map(|step| {
        let [a, b] = [step[0].to_string(), step[1].to_string()];
        [(a.clone(), b.clone()), (b, a)]
    });
    both.collect()
}

impl Asking<'_> {
    /// The solutions of a board that keep the constraints; `None` when there are too many without
    /// them.
    fn solutions(&self, board: &Board) -> Option<Solutions> {
        let mut all = Enumerator::all(board, MOST);
        let listed = all.len() < MOST;
        all.retain(|_, solution| self.constraints.iter().all(|wish| wish.is_kept(solution)));
        listed.then_some(all)
    }

    /// `solve --solutions`: all of them, each once.
    fn counted(&self, all: &Solutions, counts: &mut Counts) -> Verdict {
        let request = Request::default().with_solutions(MOST).with_limits(self.limits.clone());
        let outcome = solve(self.instance, &request, &|_| {}).map_err(|error| error.to_string())?;
        if outcome.stop.is_some() {
            counts.add("question not settled");
            return Ok(());
        }
        let found = outcome.solutions.as_ref();
        let others = found.into_iter().flat_map(|found| &found.others);
        let texts: Vec<&str> = outcome.best.iter().chain(others).map(|it| it.text()).collect();
        let different: BTreeSet<&str> = texts.iter().copied().collect();
        same("solutions", &different, &all.keys().map(String::as_str).collect())?;
        same("different solutions", different.len(), texts.len())?;
        // Where there is nothing to draw, there is nothing to ask again.
        let empty = all.len() == 1 && all.contains_key("");
        if !all.is_empty() && !empty {
            same("complete", found.is_some_and(|found| found.complete), true)?;
        }
        counts.add(match all.len() {
            0 => "counted: none",
            1 => "counted: 1",
            _ => "counted: more",
        });
        if !self.constraints.is_empty() {
            counts.add("with wishes");
        }
        Ok(())
    }

    /// Steps that all solutions make, and those that none makes.
    fn forced(&self, all: &Solutions, counts: &mut Counts) -> Verdict {
        let answer = forced(self.instance, &Varisat, &self.limits);
        let answer = answer.map_err(|error| error.to_string())?;
        if answer.figures.stop.is_some() {
            counts.add("question not settled");
            return Ok(());
        }
        same("solvable", answer.figures.solvable, Some(!all.is_empty()))?;
        // Lanes of bridges and cells of graphs have other names in solutions.
        let names = answer.steps.iter().map(|step| &step.name).chain(answer.open.iter().flatten());
        if all.is_empty() || names.into_iter().any(|it| it.contains(['/', '#'])) {
            return Ok(());
        }
        let drawn: Vec<_> = all.values().map(edges).collect();
        let edge = |name: &str| {
            let inside = name.strip_prefix("joined(").and_then(|name| name.strip_suffix(')'));
            let (a, b) = inside.and_then(|inside| inside.split_once(';'))?;
            Some((a.to_owned(), b.to_owned()))
        };
        for step in &answer.steps {
            let edge = edge(&step.name).ok_or_else(|| format!("{} is no step", step.name))?;
            let used = drawn.iter().filter(|it| it.contains(&edge)).count();
            let truth = if step.value { drawn.len() } else { 0 };
            same(&format!("solutions with {}", step.name), used, truth)?;
        }
        let shared = drawn[0].iter().filter(|edge| drawn.iter().all(|it| it.contains(*edge)));
        let said = answer.steps.iter().filter(|step| step.value).count();
        same("steps of all solutions", 2 * said, shared.count())?;
        let open = answer.open.ok_or("what differs is not known")?;
        same("nothing is open", open.is_empty(), all.len() == 1)?;
        counts.add("forced");
        Ok(())
    }

    /// What happens without each part.
    fn needed(&self, all: &Solutions, counts: &mut Counts) -> Verdict {
        let none = Constraints::default();
        let answer = needed(self.instance, None, true, &none, &self.limits, &mut |_, _, _| {});
        let answer = answer.map_err(|error| error.to_string())?;
        same("the level", answer.level.solvable, Some(!all.is_empty()))?;
        let parts = self.board.parts();
        same("parts", answer.parts.len(), parts.len())?;
        for (place, (part, said)) in parts.iter().zip(&answer.parts).enumerate() {
            same("part", (&said.part.name, &said.part.places), (&part.name, &part.places))?;
            let truth = match self.board.without(&[place]) {
                None => Change::NoLevel,
                Some(less) => {
                    let Some(less) = self.solutions(&less) else { continue };
                    match (all.len(), less.len()) {
                        (0, 0) => Change::None,
                        (0, _) => Change::Solvable,
                        (_, 0) => Change::Unsolvable,
                        (1, 2..) => Change::NotUnique,
                        _ => Change::None,
                    }
                }
            };
            if said.without.stop.is_none() {
                same(&format!("without {}", part.name), said.effect, truth)?;
            }
        }
        counts.add("needed");
        Ok(())
    }

    /// Parts that leave no solution by themselves, each of which is needed for that.
    fn explained(&self, all: &Solutions, counts: &mut Counts) -> Verdict {
        let answer = explain(self.instance, &[], 2, &Constraints::default(), &self.limits);
        let answer = answer.map_err(|error| error.to_string())?;
        if answer.stop.is_some() {
            counts.add("question not settled");
            return Ok(());
        }
        same("solvable", answer.solvable, Some(!all.is_empty()))?;
        same("without an explanation", answer.cores.is_empty(), !all.is_empty())?;
        for core in &answer.cores {
            same("minimal", core.minimal, true)?;
            let names: Vec<&str> = core.named.iter().map(|part| part.name.as_str()).collect();
            let of = |what: &str| format!("{what} of {}", names.join(", "));
            // Where the rule that every cell is on a path is none of the parts, it was left out
            // first, and the parts are those of the board without it.
            let is_rule = |part: &Part| part.kind == "cover";
            let covered = core.named.iter().any(is_rule);
            let rule = self.board.parts().iter().position(is_rule).filter(|_| !covered);
            let board = match rule {
                Some(rule) => self.board.without(&[rule]).ok_or("no board without its rule")?,
                None => self.board.clone(),
            };
            let parts = board.parts();
            // What must be drawn may be drawn by any pair.
            let required = self.constraints.iter().any(|constraint| constraint.required);
            let may_go = |part: &Part| part.loosens && (part.kind != "pair" || !required);
            let without = |kept: &[usize]| {
                let gone: Vec<usize> = (0..parts.len())
                    .filter(|it| may_go(&parts[*it]) && !kept.contains(it))
                    .collect();
                self.solutions(&board.without(&gone)?).map(|all| !all.is_empty())
            };
            let name = |part: &Part| part.name.clone();
            let places = core.parts.iter().map(|&place| parts.get(place).map(name));
            let named = core.named.iter().map(|part| Some(name(part)));
            same(&of("parts"), named.collect::<Vec<_>>(), places.collect())?;
            if without(&core.parts) == Some(true) {
                return Err(of("there is a solution with nothing but these parts"));
            }
            for part in &core.parts {
                let fewer: Vec<usize> =
                    core.parts.iter().copied().filter(|it| it != part).collect();
                if without(&fewer) == Some(false) {
                    return Err(of(&format!("{} is not needed", parts[*part].name)));
                }
            }
            counts.add("explained");
        }
        Ok(())
    }

    /// There are no moves to begin after, and nothing of what is asked about games.
    fn begun(&self, _: &Solutions, _: &mut Counts) -> Verdict {
        same("atlas", atlas(self.instance, &Constraints::default()).is_some(), false)?;
        let begun = self.instance.continued("").err();
        same("after", matches!(begun, Some(ContinueError::NoMoves(_))), true)
    }
}
