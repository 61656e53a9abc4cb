//! What every built-in solver keeps, whatever it can do: answers of random formulas against trying
//! every assignment, models nearby, questions under assumptions, proofs, and limits.

use proptest::test_runner::{Config, TestRunner};
use proptest::{collection::vec, prelude::*, sample::Index};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use unstuck::backend::{Answer, AssumptionAnswer, Backend, ProofFormat, SessionError};
use unstuck::formula::{ClauseList, Clauses};
use unstuck::limits::{Limits, Stop};
use unstuck::proof::derivation::Derivation;
use unstuck::proof::{drat, lrat};
use unstuck_encodings::{Lit, Model};

const VARIABLES: usize = 7;

fn built_in() -> Vec<Box<dyn Backend>> {
    let names = unstuck::backend::BUILT_IN.iter();
    names.map(|name| unstuck::backend::from_name(name).expect("built in")).collect()
}

fn lits(numbers: &[i32]) -> Vec<Lit> {
    numbers.iter().filter_map(|&number| Lit::from_dimacs(number)).collect()
}

fn formula(clauses: &[Vec<i32>]) -> ClauseList {
    let mut list = ClauseList::default();
    clauses.iter().for_each(|clause| list.add(lits(clause)));
    list.over(VARIABLES)
}

/// Whether an assignment, one bit a variable, makes a literal true.
fn makes(assignment: u32, lit: i32) -> bool {
    (assignment >> (lit.unsigned_abs() - 1) & 1 == 1) == (lit > 0)
}

fn satisfies(assignment: u32, clauses: &[Vec<i32>]) -> bool {
    clauses.iter().all(|clause| clause.iter().any(|&lit| makes(assignment, lit)))
}

/// Some assignment that satisfies clauses, by trying them all.
fn satisfiable(clauses: &[Vec<i32>]) -> Option<u32> {
    (0..1 << VARIABLES).find(|&assignment| satisfies(assignment, clauses))
}

fn literal() -> impl Strategy<Value = i32> {
    (1..=VARIABLES as i32, any::<bool>()).prop_map(|(v, positive)| if positive { v } else { -v })
}

fn clauses(most: usize) -> impl Strategy<Value = Vec<Vec<i32>>> {
    vec(vec(literal(), 1..4), 1..most)
}

fn holds_all(model: &Model, clauses: &[Vec<i32>]) -> bool {
    clauses.iter().all(|clause| lits(clause).into_iter().any(|lit| model.holds(lit)))
}

fn check<S: Strategy>(
    strategy: S,
    law: impl Fn(&dyn Backend, S::Value) -> Result<(), TestCaseError>,
) where
    S::Value: Clone,
{
    for backend in built_in() {
        let config = Config { failure_persistence: None, cases: 300, ..Config::default() };
        let mut runner = TestRunner::new(config);
        let ran = runner.run(&strategy, |value| law(backend.as_ref(), value));
        ran.unwrap_or_else(|error| panic!("{}: {error}", backend.name()));
    }
}

#[test]
fn answers_are_those_of_trying_every_assignment() {
    check(clauses(40), |backend, clauses| {
        let decided = backend.decide(&formula(&clauses), None, &Limits::none()).expect("it works");
        match decided.answer {
            Answer::Sat(model) => prop_assert!(holds_all(&model, &clauses)),
            answer => {
                prop_assert_eq!(answer, Answer::Unsat);
                prop_assert_eq!(satisfiable(&clauses), None);
            }
        }
        prop_assert!(decided.conflicts.is_some(), "the built-in solvers tell their conflicts");
        Ok(())
    });
}

/// A model that is asked for by its own nearness is found.
#[test]
fn a_model_that_is_near_is_found_first() {
    check(clauses(12), |backend, clauses| {
        let Some(assignment) = satisfiable(&clauses) else { return Ok(()) };
        let values = (1..=VARIABLES as i32).map(|v| if makes(assignment, v) { v } else { -v });
        let near = Model::new(VARIABLES, lits(&values.collect::<Vec<_>>()));
        let decided = backend.decide(&formula(&clauses), Some(&near), &Limits::none());
        let Answer::Sat(model) = decided.expect("it works").answer else {
            return Err(TestCaseError::fail("a satisfiable formula"));
        };
        prop_assert!(holds_all(&model, &clauses));
        let named: Vec<Lit> = clauses.iter().flat_map(|clause| lits(clause)).collect();
        prop_assert!(named.iter().all(|&lit| model.holds(lit) == near.holds(lit)));
        Ok(())
    });
}

/// A formula that grows, questions between its clauses: models satisfy clauses and assumptions,
/// cores are assumptions that suffice.
#[test]
fn questions_under_assumptions_are_answered_while_the_formula_grows() {
    let rounds = vec((clauses(6), vec(literal(), 0..5)), 1..8);
    check(rounds, |backend, rounds| {
        let Some(incremental) = backend.incremental() else { return Ok(()) };
        let limits = Limits::none();
        let mut session = incremental.session(&limits);
        let mut known: Vec<Vec<i32>> = Vec::new();
        for (clauses, assumptions) in rounds {
            clauses.iter().for_each(|clause| session.add(&lits(clause)));
            known.extend(clauses);
            let with = |assumed: &[i32]| {
                let units = assumed.iter().map(|&lit| vec![lit]);
                satisfiable(&known.iter().cloned().chain(units).collect::<Vec<_>>())
            };
            match session.ask(&lits(&assumptions)).expect("it works") {
                AssumptionAnswer::Model(model) => {
                    prop_assert!(with(&assumptions).is_some());
                    let model = Model::new(VARIABLES, model);
                    prop_assert!(holds_all(&model, &known));
                    prop_assert!(lits(&assumptions).into_iter().all(|lit| model.holds(lit)));
                }
                AssumptionAnswer::Core(core) => {
                    let core: Vec<i32> = core.into_iter().map(Lit::to_dimacs).collect();
                    prop_assert!(core.iter().all(|lit| assumptions.contains(lit)), "{:?}", core);
                    prop_assert_eq!(with(&core), None);
                }
            }
        }
        Ok(())
    });
}

#[test]
fn after_the_empty_clause_a_formula_has_no_model() {
    check((clauses(6), vec(literal(), 0..5)), |backend, (clauses, assumptions)| {
        let Some(incremental) = backend.incremental() else { return Ok(()) };
        let limits = Limits::none();
        let mut session = incremental.session(&limits);
        clauses.iter().for_each(|clause| session.add(&lits(clause)));
        session.add(&[]);
        let answer = session.ask(&lits(&assumptions)).expect("it works");
        prop_assert!(matches!(answer, AssumptionAnswer::Core(_)), "{:?}", answer);
        Ok(())
    });
}

/// A refutation comes with a proof that a checker accepts; without its hints they are found again.
#[test]
fn proofs_are_accepted() {
    check(clauses(60), |backend, clauses| {
        let Some(prover) = backend.prover() else { return Ok(()) };
        let formula = formula(&clauses);
        let mut proof = Vec::new();
        let answer = prover.refute(&formula, &mut proof, &Limits::none()).expect("it works");
        prop_assert_eq!(answer == Answer::Unsat, satisfiable(&clauses).is_none());
        if answer == Answer::Unsat {
            prop_assert_eq!(ProofFormat::of(&proof), prover.format());
            let (text, binary) =
                without_hints(&formula, std::str::from_utf8(&proof).expect("text"));
            for (format, proof) in [
                (ProofFormat::Lrat, &proof),
                (ProofFormat::Drat, &text),
                (ProofFormat::BinaryDrat, &binary),
            ] {
                prop_assert!(accepts(&formula, format, proof), "{:?} {:?}", format, proof);
            }
        }
        Ok(())
    });
}

/// An LRAT proof as DRAT, in text and in the compact binary form.
fn without_hints(formula: &ClauseList, proof: &str) -> (Vec<u8>, Vec<u8>) {
    let number = |word: &&str| word.parse::<i32>().ok().filter(|&number| number != 0);
    let all = (0..formula.len()).map(|index| formula.clause(index));
    let all = all.map(|clause| clause.iter().map(|lit| lit.to_dimacs()).collect::<Vec<_>>());
    let mut known: HashMap<i32, Vec<i32>> = (1..).zip(all).collect();
    let (mut text, mut binary) = (Vec::new(), Vec::new());
    let mut step = |kind: u8, clause: &[i32]| {
        let words: String = clause.iter().map(|lit| format!("{lit} ")).collect();
        let kind_word = if kind == b'd' { "d " } else { "" };
        text.extend(format!("{kind_word}{words}0\n").bytes());
        // Seven variables: each literal is a byte.
        let code = |lit: &i32| (2 * lit.unsigned_abs() + u32::from(*lit < 0)) as u8;
        binary.extend([kind].into_iter().chain(clause.iter().map(code)).chain([0]));
    };
    for line in proof.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        if words[1] == "d" {
            let gone = words[2..].iter().map_while(number).filter_map(|id| known.remove(&id));
            gone.for_each(|clause| step(b'd', &clause));
        } else {
            let clause: Vec<i32> = words[1..].iter().map_while(number).collect();
            step(b'a', &clause);
            known.insert(number(&words[0]).expect("a number"), clause);
        }
    }
    (text, binary)
}

/// A refutation says nothing of the formula without one of its clauses, whatever is changed in it.
#[test]
fn mutants_of_proofs_refute_no_satisfiable_formula() {
    let changes = vec((any::<Index>(), any::<Index>(), -70..70), 30);
    type Changes = Vec<(Index, Index, i32)>;
    check((clauses(60), changes), |backend, (clauses, changes): (Vec<Vec<i32>>, Changes)| {
        let prover = backend.prover().expect("the built-in solvers write proofs");
        let mut proof = Vec::new();
        let answer = prover.refute(&formula(&clauses), &mut proof, &Limits::none());
        if answer != Ok(Answer::Unsat) {
            return Ok(());
        }
        let proof = String::from_utf8(proof).expect("text");
        let lines: Vec<Vec<&str>> =
            proof.lines().map(|line| line.split_whitespace().collect()).collect();
        for dropped in 0..clauses.len() {
            // The others keep their numbers.
            let mut fewer = clauses.clone();
            fewer[dropped] = vec![1, -1];
            if satisfiable(&fewer).is_none() {
                continue;
            }
            let fewer = formula(&fewer);
            let is_refused = |proof: &str| {
                Derivation::of_lrat(&fewer, proof.as_bytes(), &Limits::none()).is_err()
                    && lrat::check(&fewer, proof.as_bytes(), &Limits::none()).is_err()
            };
            prop_assert!(is_refused(&proof), "{}", proof);
            for (line, word, number) in &changes {
                let mut mutant = lines.clone();
                let line = line.get_mut(&mut mutant);
                let (word, number) = (word.index(line.len()), number.to_string());
                if number == "0" {
                    line.remove(word);
                } else {
                    line[word] = &number;
                }
                let mutant: Vec<String> = mutant.iter().map(|line| line.join(" ")).collect();
                prop_assert!(is_refused(&mutant.join("\n")), "{:?}", mutant);
            }
        }
        Ok(())
    });
}

/// Whether the hints of a proof can be found and the checker of certificates accepts these.
fn accepts(formula: &ClauseList, format: ProofFormat, proof: &[u8]) -> bool {
    let limits = Limits::none();
    let derived = match format {
        ProofFormat::Lrat => Derivation::of_lrat(formula, proof, &limits),
        ProofFormat::Drat => drat::convert(formula, proof, false, &limits),
        ProofFormat::BinaryDrat => drat::convert(formula, proof, true, &limits),
    };
    let mut hinted = Vec::new();
    derived.expect("every lemma follows").write(&mut hinted).expect("memory is enough");
    lrat::check(formula, hinted.as_slice(), &limits).is_ok()
}

#[test]
fn a_limit_that_struck_ends_every_question() {
    let limits = Limits::none().with_flag(Arc::new(AtomicBool::new(true)));
    let formula = formula(&[vec![1, 2]]);
    for backend in built_in() {
        let stopped = backend.solve(&formula, &limits);
        assert_eq!(stopped, Ok(Answer::Stopped(Stop::Interrupted)), "{}", backend.name());
        if let Some(prover) = backend.prover() {
            let stopped = prover.refute(&formula, &mut Vec::new(), &limits);
            assert_eq!(stopped, Ok(Answer::Stopped(Stop::Interrupted)), "{}", backend.name());
        }
        if let Some(incremental) = backend.incremental() {
            let mut session = incremental.session(&limits);
            session.add(formula.clause(0));
            assert_eq!(session.ask(&[]), Err(SessionError::Stopped(Stop::Interrupted)));
        }
    }
}
