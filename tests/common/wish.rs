//! Random constraints on boards of paths, each with what it says of a solution.

use unstuck_puzzles::ParseError;
use unstuck_puzzles::constraints::Constraints;
use unstuck_puzzles::flow::{Board, Name, Solution};

/// What a constraint says of a solution, and whether that must be so.
pub(crate) struct Wish {
    text: String,
    pub(crate) required: bool,
    says: Box<dyn Fn(&Solution) -> bool>,
}

impl Wish {
    /// A constraint about a cell of a board on a lattice, and a pair or an edge of it.
    pub(crate) fn random(board: &Board, rng: &mut fastrand::Rng) -> Option<Self> {
        let written = |name: &Name| {
            let (row, column) = name.place()?;
            Some(format!("{},{}", row + 1, column + 1))
        };
        let name = rng.choice(board.cells())?.name.clone();
        let (at, required) = (written(&name)?, rng.bool());
        Some(match rng.u8(..4) {
            0 => {
                let on = move |it: &Solution| it.flows.iter().any(|it| it.cells.contains(&name));
                Self { text: format!("cell {at}"), required, says: Box::new(on) }
            }
            1 | 2 => {
                let label = rng.choice(board.pairs())?.label.clone();
                let text = format!("colour {at} {label}");
                let on = move |it: &Solution| {
                    it.flows.iter().any(|it| it.label == label && it.cells.contains(&name))
                };
                Self { text, required, says: Box::new(on) }
            }
            _ => {
                let &[a, b] = rng.choice(board.edges())?;
                let [a, b] = [a, b].map(|node| board.cell_of(node).name.clone());
                let text = format!("edge {} {}", written(&a)?, written(&b)?);
                let on = move |it: &Solution| {
                    let ends = |step: &[Name]| {
                        step == [a.clone(), b.clone()] || step == [b.clone(), a.clone()]
                    };
                    it.flows.iter().any(|it| it.cells.windows(2).any(ends))
                };
                Self { text, required, says: Box::new(on) }
            }
        })
    }

    /// Whether a solution keeps it.
    pub(crate) fn is_kept(&self, solution: &Solution) -> bool {
        (self.says)(solution) == self.required
    }

    /// The constraints that these wishes are.
    pub(crate) fn constraints(all: &[Self]) -> Result<Constraints, ParseError> {
        let mut constraints = Constraints::default();
        for wish in all {
            let put = if wish.required { Constraints::require } else { Constraints::forbid };
            put(&mut constraints, &wish.text)?;
        }
        Ok(constraints)
    }
}
