//! A puzzle as a transition system in the four-section DIMSPEC form.
//!
//! Reference: Gocht and Balyo, "Accelerating SAT Based Planning with Incremental SAT Solving",
//! ICAPS 2017: sections `i` (initial), `u` (universal), `g` (goal) and `t` (transition); the
//! variables 1..n are those of a layer, n+1..2n in the transition section those of the next one.

use super::{GOAL, dimacs};
use std::collections::HashMap;
use std::io::{self, Write};
use unstuck_encodings::{Cnf, Encoding, Filter, Name};

/// The transition system of a puzzle, for the four-section DIMSPEC form: variables of one layer
/// are numbered from 1 to n, those of the next layer from n + 1.
#[derive(Clone, Debug, Default)]
pub struct Layers {
    /// Names of the variables of a layer.
    pub names: Vec<String>,
    /// Clauses that hold in layer 0.
    pub initial: Vec<Vec<i32>>,
    /// Clauses of a solved layer.
    pub goal: Vec<Vec<i32>>,
    /// Clauses between a layer and the next.
    pub transition: Vec<Vec<i32>>,
}

/// The transition system of an encoding, which keeps law 5.
pub fn layers<E: Encoding>(encoding: &E, filter: &Filter) -> Layers {
    let mut initial: Cnf<E::Var> = Cnf::new(filter.clone());
    encoding.start(&mut initial);
    let mut transition: Cnf<E::Var> = Cnf::new(filter.clone());
    encoding.step(0, &mut transition);
    let mut goal: Cnf<E::Var> = Cnf::new(filter.clone());
    for lit in encoding.goal(0, &mut goal) {
        goal.add(GOAL, [lit]);
    }
    let mut numbers: HashMap<Name<E::Var>, i32> = HashMap::new();
    let mut names = Vec::new();
    for atom in initial.atoms().chain(transition.atoms()).chain(goal.atoms()) {
        numbers.entry(atom.name).or_insert_with(|| {
            let shown = atom.named(|variable| (E::EXTRAS.name)(encoding, variable));
            names.push(shown.rsplit_once('@').map_or(shown.clone(), |(name, _)| name.to_owned()));
            names.len() as i32
        });
    }
    let size = names.len() as i32;
    let clauses = |cnf: &Cnf<E::Var>| -> Vec<Vec<i32>> {
        let number = |lit: &unstuck_encodings::Lit| {
            let atom = cnf.atom(lit.number()).expect("a clause names its own atoms");
            let number = numbers[&atom.name] + size * atom.layer as i32;
            if lit.is_positive() { number } else { -number }
        };
        cnf.iter().map(|(_, clause)| clause.iter().map(number).collect()).collect()
    };
    Layers {
        initial: clauses(&initial),
        goal: clauses(&goal),
        transition: clauses(&transition),
        names,
    }
}

/// Writes a transition system, comments first (without the leading `c`).
///
/// # Errors
/// When `out` cannot be written.
pub fn write(
    out: &mut dyn Write,
    layers: &Layers,
    comments: impl IntoIterator<Item = String>,
) -> io::Result<()> {
    for comment in comments {
        writeln!(out, "c {comment}")?;
    }
    let size = layers.names.len();
    let sections: [(char, usize, &[Vec<i32>]); 4] = [
        ('i', size, &layers.initial),
        ('u', size, &[]),
        ('g', size, &layers.goal),
        ('t', 2 * size, &layers.transition),
    ];
    for (section, variables, clauses) in sections {
        writeln!(out, "{section} cnf {variables} {}", clauses.len())?;
        for clause in clauses {
            dimacs::write_clause(out, clause.iter().copied())?;
        }
    }
    Ok(())
}
