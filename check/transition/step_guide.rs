//! The formulas of a list, with the types of the family erased, and where its steps lead.

use super::Induction;
use unstuck_encodings::Lit;

/// Knows where the steps from each cube lead.
pub trait StepGuide {
    /// The cubes.
    fn cubes(&self) -> &Induction;

    /// The actions that may lead from a cube into others. All other steps must stay in it, as
    /// propagation shows.
    fn actions(&self, cube: usize) -> &[Lit];

    /// The cubes that may hold after such an action.
    fn after(&self, cube: usize) -> Vec<usize>;

    /// The actions that count, where the formulas have a potential; with each that leaves what the
    /// potential speaks of, the cube that holds after it.
    fn counted(&self) -> &[(Lit, Option<usize>)] {
        &[]
    }

    /// A cube as people know it.
    fn name(&self, cube: usize) -> String;

    /// An action as people know it.
    fn action_name(&self, action: Lit) -> String;
}
