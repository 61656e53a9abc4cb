//! Dropping the cubes of an invariant that its proof does not need.

use super::error::InvariantError;
use super::oracle::Cube;
use crate::backend::{AssumptionAnswer, Incremental};
use crate::limits::Limits;
use crate::transition::TransitionRelation;
use hashbrown::HashMap;
use unstuck_encodings::{Lit, Transition};

/// The cubes that are needed, beginning with one that holds the start: those into which steps lead
/// from needed ones, as far as the solver uses them.
///
/// # Errors
/// When a limit strikes; or when the cubes are no invariant, which is an internal error.
pub fn trim<T: Transition>(
    step: &mut TransitionRelation<T>,
    start: &[Lit],
    cubes: Vec<Cube>,
    backend: &dyn Incremental,
    limits: &Limits,
) -> Result<Vec<Cube>, InvariantError> {
    let mut solver = backend.session(limits);
    step.step_clauses().for_each(|clause| solver.add(clause));
    let first = cubes.iter().position(|cube| cube.iter().all(|lit| start.contains(lit)));
    let first = first.ok_or_else(|| InvariantError::Unfit("no cube holds the start".to_owned()))?;
    let mut outside = Vec::with_capacity(cubes.len());
    for cube in &cubes {
        let after: Option<Vec<Lit>> = cube.iter().map(|&lit| step.later(!lit)).collect();
        outside.push(after.unwrap_or_default());
    }
    let mut guards = HashMap::new();
    for (index, mut clause) in outside.into_iter().enumerate() {
        let number = i32::try_from(step.variables() + index + 1).expect("fewer than 2^31");
        let guard = Lit::from_dimacs(number).expect("numbers start at 1");
        clause.insert(0, !guard);
        solver.add(&clause);
        guards.insert(guard, index);
    }
    let mut order = vec![first];
    let mut done = 0;
    while done < order.len() {
        // The guards of the cubes that are needed already come first: cores prefer these.
        let rank = |index: usize| order.iter().position(|&known| known == index);
        let mut assumptions: Vec<Lit> = guards.keys().copied().collect();
        assumptions.sort_by_key(|guard| {
            let index = guards[guard];
            (rank(index).unwrap_or(usize::MAX), index)
        });
        assumptions.extend(cubes[order[done]].iter().copied());
        done += 1;
        match solver.ask(&assumptions)? {
            AssumptionAnswer::Model(_) => {
                return Err(InvariantError::Unfit("a step leads out of the cubes".to_owned()));
            }
            AssumptionAnswer::Core(core) => {
                let mut used: Vec<usize> =
                    core.iter().filter_map(|lit| guards.get(lit).copied()).collect();
                used.sort_unstable();
                used.retain(|index| !order.contains(index));
                order.extend(used);
            }
        }
    }
    Ok(order.into_iter().map(|index| cubes[index].clone()).collect())
}
