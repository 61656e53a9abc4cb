//! Feature-space search: finds plans where an admissible bound is no guide, and shows nothing.
//!
//! States are projected to cells by their features. The search goes round the cells that have
//! something left to try, new cells at once, and makes one macro move from each: so it keeps on
//! looking from very different states, and the number of boxes packed, say, may fall again on the
//! way. In a cell the macro moves are taken by weight: the weight of a state is that of its parent,
//! plus one for a move that no advisor named. A cell serves its *lines* in turn, the first moves
//! from the start, so that no line starves; a family may do without them.
//!
//! The cell of a state is that of its features if they are better than those of every ancestor,
//! else that of the best ancestor: small steps back stay where they came from.
//!
//! Reference: Shoham and Schaeffer, "The FESS Algorithm: A Feature Based Approach to Single-Agent
//! Search", 2020. Lines, ties and the projection by the best ancestor are our own.
//!
//! **No end means "unsolvable".** A [`FeatureSpace`] may drop states for reasons that are only
//! likely to be good, so [`FeatureSearchOutcome`] has no word for it.

mod cells;

use crate::limits::{Limits, Stop};
use cells::{Cells, Entry};
use hashbrown::{DefaultHashBuilder, HashTable};
use std::fmt;
use std::hash::BuildHasher;
use unstuck_encodings::{Choice, FeatureSpace, TurnRule};

/// One try: how to look at the puzzle, and how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// See [`FeatureSpace::new`].
    pub variant: u32,
    /// States that may be kept.
    pub most: u64,
}

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FeatureSearchOutcome<S> {
    /// The states of a plan, from the start of the game to its goal.
    Found(Vec<S>),
    /// Nothing is left of what this search is willing to try.
    NothingLeft,
    /// Its states are used up.
    GaveUp,
    /// A limit struck.
    Stopped(Stop),
}

/// What a search has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FeatureSearchStats {
    /// States that were looked at.
    pub states: u64,
    /// Cells of the feature space.
    pub cells: u64,
}

impl fmt::Display for FeatureSearchStats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "looking for any plan: {} states in {} cells", self.states, self.cells)
    }
}

/// States between two looks at the limits: on large boards one takes milliseconds.
const STATES_PER_ROUND: u64 = 16;

/// Rounds between two looks at memory, and two reports.
const ROUNDS_PER_REPORT: u64 = 256;

/// A search for a plan within so many states. A limit interrupts it: asked again, it goes on.
pub struct Search<F: FeatureSpace> {
    tree: Tree<F>,
    /// States that may be kept.
    most: u64,
    rounds: u64,
}

impl<F: FeatureSpace> Search<F> {
    /// A search that has not begun.
    pub fn new(space: F, most: u64) -> Self {
        Self { tree: Tree::new(space), most, rounds: 0 }
    }

    /// The space that is searched.
    pub fn space(&mut self) -> &mut F {
        &mut self.tree.space
    }

    /// Searches until the end, or until a limit strikes. `progress` is called now and then.
    pub fn run(
        &mut self,
        limits: &Limits,
        progress: &mut dyn FnMut(FeatureSearchStats),
    ) -> (FeatureSearchOutcome<F::State>, FeatureSearchStats) {
        let Self { tree, most, rounds } = self;
        let end = loop {
            match tree.step() {
                Some(Step::Goal(node)) => {
                    break FeatureSearchOutcome::Found(tree.path(node));
                }
                None => break FeatureSearchOutcome::NothingLeft,
                Some(Step::Grown | Step::Known) => {}
            }
            tree.steps += 1;
            if tree.nodes.len() as u64 >= *most {
                break FeatureSearchOutcome::GaveUp;
            }
            if tree.steps.is_multiple_of(STATES_PER_ROUND) {
                *rounds += 1;
                let long = rounds.is_multiple_of(ROUNDS_PER_REPORT);
                if long {
                    progress(tree.stats());
                }
                if let Some(stop) = if long { limits.reached_any() } else { limits.reached() } {
                    break FeatureSearchOutcome::Stopped(stop);
                }
            }
        };
        (end, tree.stats())
    }
}

/// What one step of the search did.
enum Step {
    /// A goal was reached: the state's number.
    Goal(u32),
    /// A state was added.
    Grown,
    /// The state was known, or is given up.
    Known,
}

/// The parent of the start.
const NONE: u32 = u32::MAX;

/// A state of the tree, and the choices from it that were not made yet.
struct TreeNode<S, M> {
    state: S,
    parent: u32,
    cell: u32,
    line: u32,
    weight: u32,
    /// The best one last.
    choices: Vec<Choice<M>>,
}

/// The states that were reached.
struct Tree<F: FeatureSpace> {
    space: F,
    nodes: Vec<TreeNode<F::State, F::Macro>>,
    known: HashTable<u32>,
    hasher: DefaultHashBuilder,
    cells: Cells,
    turns: TurnRule,
    /// Working memory.
    choices: Vec<Choice<F::Macro>>,
    steps: u64,
}

impl<F: FeatureSpace> Tree<F> {
    fn new(mut space: F) -> Self {
        let (start, turns) = (space.start(), space.turns());
        let features = space.features(&start);
        let mut tree = Self {
            space,
            nodes: Vec::new(),
            known: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
            cells: Cells::new(turns),
            turns,
            choices: Vec::new(),
            steps: 0,
        };
        let cell = tree.cells.of(features);
        tree.add(TreeNode {
            state: start,
            parent: NONE,
            cell,
            line: NONE,
            weight: 0,
            choices: Vec::new(),
        });
        tree
    }

    fn stats(&self) -> FeatureSearchStats {
        FeatureSearchStats { states: self.nodes.len() as u64, cells: self.cells.len() as u64 }
    }

    /// Makes the next choice; `None` when there is none left.
    fn step(&mut self) -> Option<Step> {
        if self.nodes.len() == 1 && self.space.is_goal(&self.nodes[0].state) {
            return Some(Step::Goal(0));
        }
        let parent = self.cells.next()?;
        let node = &mut self.nodes[parent as usize];
        let choice = node.choices.pop().expect("an open node has choices");
        let left = node.choices.len() as u32;
        let line =
            if node.parent == NONE && self.turns == TurnRule::Lines { left } else { node.line };
        let weight = node.weight + u32::from(!choice.advised);
        let (state, cell) = (node.state.clone(), node.cell);
        self.open(parent);
        let state = self.space.after(&state, choice.mv);
        if self.is_known(&state) {
            return Some(Step::Known);
        }
        let own = self.turns == TurnRule::Greedy || choice.features < self.cells.features(cell);
        let cell = if own { self.cells.of(choice.features) } else { cell };
        Some(self.add(TreeNode { state, parent, cell, line, weight, choices: Vec::new() }))
    }

    fn is_known(&self, state: &F::State) -> bool {
        let hash = self.hasher.hash_one(state);
        self.known.find(hash, |&other| self.nodes[other as usize].state == *state).is_some()
    }

    /// Adds a state that is not known yet, with its choices.
    fn add(&mut self, mut node: TreeNode<F::State, F::Macro>) -> Step {
        let id = self.nodes.len() as u32;
        let is_goal = self.space.is_goal(&node.state);
        if !is_goal && !self.space.is_doomed(&node.state) {
            self.space.choices(&node.state, &mut self.choices);
            // Later choices go first among equals, as later states do.
            self.choices.sort_by_key(|choice| std::cmp::Reverse((!choice.advised, choice.tie)));
            node.choices = self.choices.as_slice().into();
            self.choices.clear();
        }
        let hash = self.hasher.hash_one(&node.state);
        self.nodes.push(node);
        let (nodes, hasher) = (&self.nodes, &self.hasher);
        self.known.insert_unique(hash, id, |&i| hasher.hash_one(&nodes[i as usize].state));
        if is_goal {
            return Step::Goal(id);
        }
        self.open(id);
        Step::Grown
    }

    /// Puts the best choice of a state with those of its cell.
    fn open(&mut self, id: u32) {
        let node = &self.nodes[id as usize];
        if let Some(choice) = node.choices.last() {
            let weight = node.weight + u32::from(!choice.advised);
            let first = node.parent == NONE && self.turns == TurnRule::Lines;
            let line = if first { node.choices.len() as u32 - 1 } else { node.line };
            self.cells.open(node.cell, line, Entry { weight, tie: choice.tie, node: id });
        }
    }

    /// The states on the way to one.
    fn path(&self, mut id: u32) -> Vec<F::State> {
        let mut path = Vec::new();
        while id != NONE {
            let node = &self.nodes[id as usize];
            path.push(node.state.clone());
            id = node.parent;
        }
        path.reverse();
        path
    }
}
