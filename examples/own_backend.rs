//! Brings a solver of one's own: a small complete one by unit propagation and trying.
//!
//!     cargo run --release --example own_backend

use std::sync::Arc;
use unstuck::backend::{Answer, Backend, BackendError, SolverResult};
use unstuck::encodings::{Lit, Model};
use unstuck::formula::Clauses;
use unstuck::limits::Limits;
use unstuck::puzzles::Objective;
use unstuck::solve::{EngineChoice, Request};

/// The procedure of Davis, Putnam, Logemann and Loveland, without any art.
struct Trying;

/// The truth values so far, by the numbers of the variables.
type Values = Vec<Option<bool>>;

fn value(values: &Values, lit: Lit) -> Option<bool> {
    values[lit.number() as usize].map(|value| value == lit.is_positive())
}

/// Sets what clauses with one literal left ask for; `false` when a clause has none left.
fn propagate(clauses: &dyn Clauses, values: &mut Values) -> bool {
    loop {
        let mut changed = false;
        for index in 0..clauses.len() {
            let clause = clauses.clause(index);
            if clause.iter().any(|&lit| value(values, lit) == Some(true)) {
                continue;
            }
            let mut open = clause.iter().filter(|&&lit| value(values, lit).is_none());
            match (open.next(), open.next()) {
                (None, _) => return false,
                (Some(&unit), None) => {
                    values[unit.number() as usize] = Some(unit.is_positive());
                    changed = true;
                }
                _ => {}
            }
        }
        if !changed {
            return true;
        }
    }
}

fn search(clauses: &dyn Clauses, mut values: Values, limits: &Limits) -> Answer {
    if let Some(stop) = limits.reached() {
        return Answer::Stopped(stop);
    }
    if !propagate(clauses, &mut values) {
        return Answer::Unsat;
    }
    let Some(variable) = (1..values.len()).find(|&variable| values[variable].is_none()) else {
        let lit = |number: usize| {
            let lit = Lit::from_dimacs(number as i32).expect("variables are numbered from 1");
            lit.when(values[number] == Some(true))
        };
        return Answer::Sat(Model::new(clauses.variables(), (1..values.len()).map(lit)));
    };
    for tried in [false, true] {
        let mut values = values.clone();
        values[variable] = Some(tried);
        match search(clauses, values, limits) {
            Answer::Unsat => {}
            answer => return answer,
        }
    }
    Answer::Unsat
}

impl Backend for Trying {
    fn name(&self) -> String {
        "trying".to_owned()
    }

    fn decide(
        &self,
        clauses: &dyn Clauses,
        _near: Option<&Model>,
        limits: &Limits,
    ) -> Result<SolverResult, BackendError> {
        let answer = search(clauses, vec![None; clauses.variables() + 1], limits);
        Ok(SolverResult { answer, conflicts: None })
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let level = "######\n#@$ .#\n######\n";
    let level = unstuck::open(unstuck::SOKOBAN, level, Objective::Pushes)?;
    // With a horizon the solver is alone: no plan is looked for before it is asked.
    let (backend, horizon) = (Arc::new(Trying), Some(2));
    let request = Request::default()
        .with_engine(EngineChoice::Sat)
        .with_backend(backend)
        .with_horizon(horizon);
    let outcome = level.solve(&request)?;
    println!("{} by {}", outcome.best.ok_or("no plan")?.text(), request.backend.name());
    Ok(())
}
