use super::super::lrat;
use super::*;
use crate::backend::{Answer, Backend as _, Prover as _, varisat::Varisat};
use crate::formula::ClauseList;
use crate::limits::Limits;

/// So many pigeons in one hole less.
fn pigeons(count: i32) -> ClauseList {
    let at = |pigeon: i32, hole: i32| Lit::from_dimacs(pigeon * (count - 1) + hole + 1).unwrap();
    let mut list = ClauseList::default();
    for pigeon in 0..count {
        list.add((0..count - 1).map(|hole| at(pigeon, hole)));
        for other in 0..pigeon {
            (0..count - 1).for_each(|hole| list.add([!at(pigeon, hole), !at(other, hole)]));
        }
    }
    list
}

/// Random clauses of three literals.
fn random(seed: u64, variables: i32, clauses: usize) -> ClauseList {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut list = ClauseList::default();
    for _ in 0..clauses {
        let mut lit = || {
            let number = random.i32(1..=variables);
            Lit::from_dimacs(if random.bool() { number } else { -number }).unwrap()
        };
        list.add([lit(), lit(), lit()]);
    }
    list
}

fn cubes_of(formula: &dyn Clauses, wanted: usize) -> Cubes {
    split(formula, wanted, &mut Monitor::silent(&Limits::none())).unwrap()
}

fn refuted(formula: &dyn Clauses, cube: &[Lit]) -> Derivation {
    let under = CubeFormula::new(formula, cube);
    let mut proof = Vec::new();
    let answer = Varisat.refute(&under, None, &mut proof, &Limits::none()).unwrap();
    assert_eq!(answer, Answer::Unsat);
    Derivation::of_lrat(&under, proof.as_slice(), &Limits::none()).unwrap()
}

fn all_refuted(formula: &dyn Clauses, cubes: &Cubes) -> Vec<Derivation> {
    cubes.all().iter().map(|cube| refuted(formula, cube)).collect()
}

fn is_accepted(formula: &dyn Clauses, whole: &Derivation) -> bool {
    let mut proof = Vec::new();
    whole.write(&mut proof).unwrap();
    lrat::check(formula, proof.as_slice(), &Limits::none()).is_ok()
}

#[test]
fn cubes_cover_everything_and_no_two_meet() {
    for seed in 0..50 {
        let formula = random(seed, 8, 20);
        let cubes = cubes_of(&formula, 1 + seed as usize % 12);
        let all = cubes.all();
        for model in 0..1u32 << 8 {
            let holds = |lit: &Lit| (model >> (lit.number() - 1) & 1 == 1) == lit.is_positive();
            assert_eq!(all.iter().filter(|cube| cube.iter().all(holds)).count(), 1);
        }
    }
}

#[test]
fn refutations_of_cubes_become_one_that_the_checker_accepts() {
    let mut formulas: Vec<ClauseList> = (3..7).map(pigeons).collect();
    let unsolvable = (0..150).map(|seed| random(seed, 12, 90));
    formulas.extend(
        unsolvable
            .filter(|formula| Varisat.solve(formula, &Limits::none()).unwrap() == Answer::Unsat),
    );
    assert!(formulas.len() > 100);
    for formula in &formulas {
        for wanted in [1, 2, 5, 16] {
            let cubes = cubes_of(formula, wanted);
            let whole = compose(formula, &cubes, &all_refuted(formula, &cubes)).unwrap();
            assert!(is_accepted(formula, &whole), "{wanted} cubes");
        }
    }
}

#[test]
fn what_does_not_fit_is_not_composed_or_not_accepted() {
    let formula = pigeons(5);
    let cubes = cubes_of(&formula, 8);
    let parts = all_refuted(&formula, &cubes);
    assert!(parts.len() >= 8);
    let composed = |cubes: &Cubes, parts: &[Derivation]| {
        compose(&formula, cubes, parts).is_ok_and(|whole| is_accepted(&formula, &whole))
    };
    assert!(composed(&cubes, &parts));
    // A dropped cube.
    assert!(!composed(&cubes, &parts[1..]));
    assert!(!composed(&cubes, &parts[..parts.len() - 1]));
    // The cubes of another formula, a model of which they hide.
    let mut solvable = ClauseList::default();
    (1..formula.len()).for_each(|index| solvable.add(formula.clause(index).iter().copied()));
    let whole = compose(&formula, &cubes, &parts).unwrap();
    assert!(!is_accepted(&solvable, &whole));
    assert!(!compose(&solvable, &cubes, &parts).is_ok_and(|it| is_accepted(&solvable, &it)));
    // A leaf that is cut off the tree.
    let mut cut = cubes.clone();
    let (_, yes, _) = cut.nodes[0].split.unwrap();
    cut.nodes[0].split = Some((cut.nodes[0].split.unwrap().0, yes, yes));
    assert!(!composed(&cut, &parts));
    // A refutation whose end is missing, and one without anything.
    let mut broken = parts.clone();
    broken[0] = Derivation::new(formula.len() as Id);
    assert!(!composed(&cubes, &broken));
}

/// Formulas that have models: each cube with a model gets the refutation of another cube, and the
/// others keep their own, or all are turned by one place.
#[test]
fn no_parts_whatever_refute_what_has_a_model() {
    let (mut formulas, mut tried) = (0, 0);
    for formula in (0..150).map(|seed| random(seed, 12, 45)) {
        let cubes = cubes_of(&formula, 8);
        let all = cubes.all();
        let answer = |cube: &&[Lit]| {
            Varisat.solve(&CubeFormula::new(&formula, cube), &Limits::none()).expect("an answer")
        };
        let unsat: Vec<bool> = all.iter().map(|cube| answer(cube) == Answer::Unsat).collect();
        let own = |at: usize| unsat[at].then(|| refuted(&formula, all[at]));
        let parts: Vec<Option<Derivation>> = (0..all.len()).map(own).collect();
        let Some(any) = parts.iter().flatten().next() else { continue };
        if unsat.iter().all(|&is_unsat| is_unsat) {
            continue;
        }
        formulas += 1;
        for other in parts.iter().flatten() {
            let filled = |turn: usize| -> Vec<Derivation> {
                let at = |at: usize| parts[(at + turn) % parts.len()].as_ref().unwrap_or(other);
                (0..parts.len()).map(|number| at(number).clone()).collect()
            };
            let same = vec![any.clone(); parts.len()];
            for forged in [filled(0), filled(1), same] {
                tried += 1;
                let whole = compose(&formula, &cubes, &forged);
                assert!(!whole.is_ok_and(|whole| is_accepted(&formula, &whole)));
            }
        }
    }
    assert!(formulas > 50 && tried > 300, "{formulas} {tried}");
}
