//! Pseudo-Boolean constraints: literals with weights, and the least that the true ones add up to.
//!
//! Files have the OPB format of the pseudo-Boolean competitions, with negated literals (`~x1`).

use std::io::{self, Write};
use unstuck_encodings::Lit;

/// A literal and what it adds where it is true: more than nothing.
pub type WeightedLit = (u64, Lit);

/// Constraints kept one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConstraintList {
    variables: usize,
    terms: Vec<WeightedLit>,
    /// For each constraint the end of its terms, and the least sum.
    ends: Vec<(usize, u64)>,
}

impl ConstraintList {
    /// Adds a constraint; its number, from 1. There are at least as many variables as it names.
    pub fn add(&mut self, terms: impl IntoIterator<Item = WeightedLit>, least: u64) -> usize {
        let before = self.terms.len();
        self.terms.extend(terms.into_iter().filter(|(weight, _)| *weight > 0));
        let named = self.terms[before..].iter().map(|(_, lit)| lit.number() as usize);
        self.variables = named.fold(self.variables, usize::max);
        self.ends.push((self.terms.len(), least));
        self.ends.len()
    }

    /// Adds a clause: at least one of these; its number, from 1.
    pub fn clause(&mut self, lits: impl IntoIterator<Item = Lit>) -> usize {
        self.add(lits.into_iter().map(|lit| (1, lit)), 1)
    }

    /// Number of variables; they are numbered from 1.
    pub fn variables(&self) -> usize {
        self.variables
    }

    /// Number of constraints.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no constraint.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The constraints in order: terms, and the least sum.
    pub fn iter(&self) -> impl Iterator<Item = (&[WeightedLit], u64)> {
        let starts = [0].into_iter().chain(self.ends.iter().map(|&(end, _)| end));
        let terms = starts.zip(&self.ends);
        terms.map(|(start, &(end, least))| (&self.terms[start..end], least))
    }

    /// Writes them as OPB, after comments.
    ///
    /// # Errors
    /// When `out` cannot be written.
    pub fn write_opb(
        &self,
        out: &mut dyn Write,
        comments: impl IntoIterator<Item = String>,
    ) -> io::Result<()> {
        writeln!(out, "* #variable= {} #constraint= {}", self.variables, self.len())?;
        for comment in comments {
            writeln!(out, "* {comment}")?;
        }
        for (terms, least) in self.iter() {
            for (weight, lit) in terms {
                write!(out, "{weight} {} ", name(*lit))?;
            }
            writeln!(out, ">= {least} ;")?;
        }
        Ok(())
    }
}

/// A literal as these formats write it.
pub fn name(lit: Lit) -> String {
    format!("{}x{}", if lit.is_positive() { "" } else { "~" }, lit.number())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints_are_written_in_their_order() {
        let lit = |number| Lit::from_dimacs(number).unwrap();
        let mut list = ConstraintList::default();
        assert_eq!(list.clause([lit(1), lit(-3)]), 1);
        assert_eq!(list.add([(2, lit(2)), (0, lit(9)), (4, lit(-1))], 5), 2);
        assert_eq!(list.add([], 0), 3);
        let mut out = Vec::new();
        list.write_opb(&mut out, ["x1 a".to_owned()]).unwrap();
        let text =
            "* #variable= 3 #constraint= 3\n* x1 a\n1 x1 1 ~x3 >= 1 ;\n2 x2 4 ~x1 >= 5 ;\n>= 0 ;\n";
        assert_eq!(String::from_utf8(out).unwrap(), text);
        assert_eq!(list.iter().nth(1).unwrap(), (&[(2, lit(2)), (4, lit(-1))][..], 5));
    }
}
