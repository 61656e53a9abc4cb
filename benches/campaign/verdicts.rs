//! Verdicts, plans, optima and certificates against the truth.

use crate::Counts;
use crate::board::Board;
use crate::brute::Truth;
use std::path::Path;
use unstuck::certificate::Claim;
use unstuck::certificate::prove::{
    BoundUse, EvidenceKind, ProofOptions, ProofTask, ProveError, prove,
};
use unstuck::limits::Limits;
use unstuck::solve::{EngineChoice, Outcome, Request, Verdict, solve};
use unstuck_puzzles::Objective;

/// Longer plans are not asked of SAT alone.
const LONGEST: u32 = 10;

/// One certificate for so many boards: they take longer than verdicts.
const CERTIFIED: u64 = 8;

impl Board {
    /// What disagrees with the truth.
    pub(crate) fn judge(&self, truth: Truth, place: &Path, counts: &mut Counts) -> Vec<String> {
        let instance = self.instance.as_ref();
        let patience = self.stats.patience;
        let mut faults = Vec::new();
        let mut claim = None;
        for engine in [EngineChoice::Search, EngineChoice::Sat, EngineChoice::Auto] {
            let long = matches!(truth, Truth::Cost(cost) if cost.is_none_or(|it| it.0 > LONGEST));
            if (engine == EngineChoice::Search && instance.moves().is_none())
                || (engine == EngineChoice::Sat && long)
            {
                continue;
            }
            let limits = Limits::new(Some(patience), None);
            // With a greatest horizon the solver is alone: what is judged is a plan of its own.
            let max_horizon = match truth {
                Truth::Cost(cost) if engine == EngineChoice::Sat => {
                    cost.filter(|_| self.objective != Objective::Any).map(|it| it.0)
                }
                _ => None,
            };
            let request = Request::default()
                .with_engine(engine)
                .with_max_horizon(max_horizon)
                .with_solutions(2)
                .with_threads(1)
                .with_limits(limits);
            match solve(instance, &request, &|_| {}) {
                Err(error) => faults.push(format!("{}: {error}", engine.name())),
                Ok(outcome) => match self.agrees(&outcome, truth) {
                    Ok(None) => counts.add("not settled"),
                    Ok(Some(right)) => claim = Some((right, outcome)),
                    Err(fault) => faults.push(format!("{}: {fault}", engine.name())),
                },
            }
        }
        if let Some((claim, outcome)) = claim.filter(|_| self.seed.is_multiple_of(CERTIFIED)) {
            match self.certified(claim, &outcome, place) {
                Ok(kind) => counts.add(&format!("certified: {kind}")),
                Err(fault) => faults.push(format!("certificate: {fault}")),
            }
        }
        faults
    }

    /// Whether an outcome is the truth, and what can then be claimed; `None` when it says too
    /// little.
    fn agrees(&self, outcome: &Outcome, truth: Truth) -> Result<Option<Claim>, String> {
        let cost = outcome.best.as_ref().map(|best| {
            (self.objective.primary(best.tally()), self.objective.secondary(best.tally()))
        });
        let wrong = || Err(format!("{:?} with {cost:?}, but in truth {truth:?}", outcome.verdict));
        Ok(match (outcome.verdict, truth) {
            (Verdict::Unknown(_), _) => None,
            (Verdict::Unsolvable, Truth::Cost(None) | Truth::Solutions(0)) => {
                Some(Claim::Unsolvable)
            }
            (Verdict::Solved, Truth::Cost(Some(_))) if self.objective == Objective::Any => None,
            (Verdict::Solved, Truth::Cost(Some(least))) => match cost {
                Some(cost) if cost < least => return wrong(),
                Some(cost) if outcome.optimal && cost.0 > least.0 => return wrong(),
                Some(cost) if outcome.optimal && outcome.tie_optimal && cost > least => {
                    return wrong();
                }
                Some(_) if outcome.optimal => outcome.claim(self.instance.as_ref()),
                _ => None,
            },
            (Verdict::Solved, Truth::Solutions(known)) if known > 0 => {
                let solutions = outcome.solutions.as_ref();
                let one = solutions.is_some_and(|it| it.complete && it.others.is_empty());
                match (one, known) {
                    (true, 1) => Some(Claim::Unique),
                    (true, _) => return wrong(),
                    (false, 1) if solutions.is_some_and(|it| !it.others.is_empty()) => {
                        return wrong();
                    }
                    _ => None,
                }
            }
            _ => return wrong(),
        })
    }

    /// Writes a certificate, which is checked as it is kept; the kind of its evidence.
    fn certified(&self, claim: Claim, outcome: &Outcome, place: &Path) -> Result<String, String> {
        let instance = self.instance.as_ref();
        let task = ProofTask {
            solution: outcome.best.as_ref().filter(|_| claim.has_solution()),
            ..ProofTask::new(instance, &self.text, claim)
        };
        let wanted = match (self.seed / CERTIFIED % 3, claim) {
            _ if instance.moves().is_none() => EvidenceKind::Horizon,
            (0, Claim::Optimal(cost) | Claim::OptimalTied(cost, _)) if cost <= LONGEST => {
                EvidenceKind::Horizon
            }
            (0, Claim::Unsolvable) => EvidenceKind::Invariant,
            (1, _) => EvidenceKind::Auto,
            _ => EvidenceKind::Closed,
        };
        let use_bound = if self.seed.is_multiple_of(2) { BoundUse::Auto } else { BoundUse::Never };
        let proof_options =
            ProofOptions { wanted, use_bound, force: true, ..ProofOptions::default() };
        // An invariant is looked for to the end of the time where there is none.
        let limits = Limits::new(Some(self.stats.patience / 4), None);
        let request = Request::default().with_limits(limits);
        match prove(&task, &proof_options, &request, &place.join("certificate"), &mut |_| {}) {
            Ok(report) => Ok(report.manifest.evidence.name().to_owned()),
            Err(ProveError::Stopped(_)) => Ok("stopped".to_owned()),
            Err(error) => Err(format!("{wanted:?}: {error}")),
        }
    }
}
