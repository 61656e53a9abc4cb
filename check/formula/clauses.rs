//! Formulas as solvers and checkers see them.

use unstuck_encodings::Lit;

/// A formula as a solver sees it.
pub trait Clauses: Sync {
    /// Number of variables; they are numbered from 1.
    fn variables(&self) -> usize;

    /// Number of clauses.
    fn len(&self) -> usize;

    /// Whether there is no clause.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A clause by its number, from 0.
    fn clause(&self, index: usize) -> &[Lit];
}

/// Clauses kept one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClauseList {
    variables: usize,
    lits: Vec<Lit>,
    /// For each clause the end of its literals.
    ends: Vec<usize>,
}

impl ClauseList {
    /// Adds a clause. There are at least as many variables as its literals name.
    pub fn add(&mut self, clause: impl IntoIterator<Item = Lit>) {
        let before = self.lits.len();
        self.lits.extend(clause);
        let named = self.lits[before..].iter().map(|lit| lit.number() as usize);
        self.variables = named.fold(self.variables, usize::max);
        self.ends.push(self.lits.len());
    }

    /// Clauses by the DIMACS numbers of their literals.
    pub fn numbered(clauses: &[&[i32]]) -> Self {
        let mut list = Self::default();
        for clause in clauses {
            list.add(clause.iter().filter_map(|&number| Lit::from_dimacs(number)));
        }
        list
    }

    /// The same clauses over at least so many variables.
    #[must_use]
    pub fn over(mut self, variables: usize) -> Self {
        self.variables = self.variables.max(variables);
        self
    }
}

impl<'c> FromIterator<&'c [Lit]> for ClauseList {
    fn from_iter<I: IntoIterator<Item = &'c [Lit]>>(clauses: I) -> Self {
        let mut list = Self::default();
        clauses.into_iter().for_each(|clause| list.add(clause.iter().copied()));
        list
    }
}

impl Clauses for ClauseList {
    fn variables(&self) -> usize {
        self.variables
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    fn clause(&self, index: usize) -> &[Lit] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.lits[start..self.ends[index]]
    }
}
