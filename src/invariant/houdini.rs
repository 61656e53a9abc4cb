//! The largest inductive part of a list of cubes.
//!
//! Property-directed reachability grows cubes from single states, one reason at a time. Where many
//! pieces can still move it finds many reasons why the goal is some steps away, and late the one why
//! it is out of reach. Guessing helps: of all single literals that no solved state has, and later of
//! all pairs, those stay that every step leads from into one that stays. A piece lost along a whole
//! wall is found in this way at once.
//!
//! Reference: Flanagan, Leino, "Houdini, an Annotation Assistant for ESC/Java", FME 2001.

use super::oracle::{Cube, Oracle};
use crate::backend::{AssumptionAnswer, SessionError};
use unstuck_encodings::Lit;

/// More candidates than this are not tried.
const MAX_CANDIDATES: usize = 30_000;

/// Those of the cubes that every step leads from into one of them, or into one of those that `never`
/// holds. None of them holds a solved state.
///
/// # Errors
/// See [`SessionError`].
pub fn inductive(
    oracle: &mut Oracle<'_>,
    never: &[&[Lit]],
    candidates: Vec<Cube>,
) -> Result<Vec<Cube>, SessionError> {
    let mut alive = Vec::new();
    if candidates.len() > MAX_CANDIDATES {
        return Ok(alive);
    }
    for cube in candidates {
        if oracle.unsolved(&cube)?.is_some() {
            alive.push(cube);
        }
    }
    loop {
        // Those that fall in this round stay in its solver, so the next round asks again.
        let mut solver = oracle.transition();
        for cube in never.iter().copied().chain(alive.iter().map(|cube| &**cube)) {
            solver.add(&oracle.outside(cube));
        }
        let before = alive.len();
        let mut at = 0;
        while at < alive.len() {
            match solver.ask(&alive[at])? {
                AssumptionAnswer::Core(_) => at += 1,
                AssumptionAnswer::Model(model) => {
                    // Every cube that holds in the state before the step falls with this one.
                    let state = Truth::new(&model);
                    let kept = alive[..at].iter().filter(|cube| !state.holds(cube)).count();
                    alive.retain(|cube| !state.holds(cube));
                    at = kept;
                }
            }
        }
        if alive.len() == before {
            return Ok(alive);
        }
    }
}

/// These variables and their negations, each as a cube.
pub fn singles(variables: &[Lit]) -> Vec<Cube> {
    variables.iter().flat_map(|&lit| [Cube::from([lit]), Cube::from([!lit])]).collect()
}

/// The pairs of these literals, without those that hold one that is lost alone.
pub fn pairs(lits: &[Lit], lost: impl Fn(Lit) -> bool) -> Vec<Cube> {
    let lits: Vec<Lit> = lits.iter().copied().filter(|&lit| !lost(lit)).collect();
    let with =
        |(index, &a): (usize, &Lit)| lits[index + 1..].iter().map(move |&b| Cube::from([a, b]));
    lits.iter().enumerate().flat_map(with).collect()
}

/// The true literals of a model, by variable.
struct Truth(Vec<bool>);

impl Truth {
    fn new(model: &[Lit]) -> Self {
        let size = model.iter().map(|lit| lit.number() as usize + 1).max().unwrap_or(0);
        let mut values = vec![false; size];
        for lit in model {
            values[lit.number() as usize] = lit.is_positive();
        }
        Self(values)
    }

    fn holds(&self, cube: &[Lit]) -> bool {
        cube.iter().all(|lit| self.0.get(lit.number() as usize) == Some(&lit.is_positive()))
    }
}
