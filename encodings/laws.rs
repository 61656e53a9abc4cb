//! The laws that need types: one suite for every entry of the registry.
//!
//! The laws stand on [`Encoding`]. Those that can be seen from outside (answers, bytes) are tested
//! over `dyn Instance`; these look at layers and states. They are library code, so that a family
//! made elsewhere can be held to them too.

use crate::{Atom, Cnf, Encoding, Filter, Lit, Name, Rule, Step, Strength, Transition};
use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::hash::Hash;
use unstuck_puzzles::{Moves, Objective, Play, Tally};

/// A law that an encoding breaks, and where, as one sentence without a full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LawViolation(pub String);

impl fmt::Display for LawViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for LawViolation {}

/// The law that is broken, in the words of a format string.
macro_rules! broken {
    ($($words:tt)*) => { LawViolation(format!($($words)*)) };
}

/// How far random walks go.
const WALK_STEPS: usize = 12;

/// Law 1: names are unique, also as text, and one word each.
///
/// # Errors
/// The name that two atoms share.
pub fn numbering<E: Encoding>(encoding: &E) -> Result<(), LawViolation> {
    let mut cnf: Cnf<E::Var> = Cnf::default();
    encoding.start(&mut cnf);
    encoding.step(0, &mut cnf);
    encoding.goal(1, &mut cnf);
    let mut names = HashSet::new();
    for atom in cnf.atoms() {
        let name = atom.named(|variable| (E::EXTRAS.name)(encoding, variable));
        if name.contains(char::is_whitespace) {
            return Err(broken!("{name:?} is not one word"));
        }
        if !names.insert(name.clone()) {
            return Err(broken!("two atoms are called {name}"));
        }
    }
    Ok(())
}

type Shape<V> = BTreeSet<(Rule, Vec<(Step, Name<V>, bool)>)>;

/// The defining clauses that `step(t)` adds, with layers counted from t.
fn step_shape<E: Encoding>(encoding: &E, t: Step) -> Result<Shape<E::Var>, LawViolation> {
    let mut cnf: Cnf<E::Var> = Cnf::new(Filter::defining());
    encoding.step(t, &mut cnf);
    let literal = |lit: &Lit| {
        let Atom { layer, name } = *cnf.atom(lit.number()).expect("a clause names its own atoms");
        match layer.checked_sub(t) {
            Some(relative @ (0 | 1)) => Ok((relative, name, lit.is_positive())),
            _ => Err(broken!("step({t}) speaks of layer {layer}")),
        }
    };
    cnf.iter()
        .map(|(rule, clause)| {
            let mut lits = clause.iter().map(literal).collect::<Result<Vec<_>, _>>()?;
            lits.sort_unstable();
            Ok((rule, lits))
        })
        .collect()
}

/// Law 5: `step(t)` speaks of the layers t and t + 1 only, and is `step(0)` shifted.
///
/// # Errors
/// What differs.
pub fn layers<E: Encoding>(encoding: &E) -> Result<(), LawViolation> {
    let first = step_shape(encoding, 0)?;
    for t in [1, 5] {
        let later = step_shape(encoding, t)?;
        if let Some((rule, clause)) = first.symmetric_difference(&later).next() {
            let (rule, size) = (rule.name, clause.len());
            return Err(broken!(
                "step({t}) is not step(0) shifted: a clause of {size} literals of `{rule}` differs"
            ));
        }
    }
    Ok(())
}

/// What follows from some literals by unit propagation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Consequences(Vec<Option<bool>>);

impl Consequences {
    /// Whether a literal holds; `None` where that does not follow.
    pub(crate) fn value(&self, lit: Lit) -> Option<bool> {
        let value = self.0.get(lit.number() as usize).copied().flatten();
        value.map(|value| value == lit.is_positive())
    }
}

/// Unit propagation; `None` on a conflict.
pub(crate) fn propagate<V>(cnf: &Cnf<V>, assumed: &[Lit]) -> Option<Consequences>
where
    V: Copy + Eq + Hash,
{
    let mut values = Consequences(vec![None; cnf.variables() + 1]);
    let mut clauses_with: Vec<Vec<usize>> = vec![Vec::new(); cnf.variables() + 1];
    let mut open = assumed.to_vec();
    for (index, (_, clause)) in cnf.iter().enumerate() {
        clause.iter().for_each(|lit| clauses_with[lit.number() as usize].push(index));
        if clause.len() <= 1 {
            open.push(*clause.first()?);
        }
    }
    while let Some(lit) = open.pop() {
        match values.value(lit) {
            Some(true) => continue,
            Some(false) => return None,
            None => values.0[lit.number() as usize] = Some(lit.is_positive()),
        }
        for &index in &clauses_with[lit.number() as usize] {
            let clause = cnf.clause(index);
            if clause.iter().any(|&lit| values.value(lit) == Some(true)) {
                continue;
            }
            let mut unknown = clause.iter().filter(|&&lit| values.value(lit).is_none());
            match (unknown.next(), unknown.next()) {
                (None, _) => return None,
                (Some(&unit), None) => open.push(unit),
                _ => {}
            }
        }
    }
    Some(values)
}

/// Law 8 along a random walk: each legal move gives the successor by unit propagation, each
/// illegal one is refuted by it. Also: strengthening never touches the transition's verdict on
/// legal moves, since only defining clauses are looked at.
///
/// # Errors
/// The state and the move at which the law fails.
pub fn states<T>(transition: &T, puzzle: &T::Puzzle, seed: u64) -> Result<(), LawViolation>
where
    T: Transition<Puzzle: Moves>,
{
    let mut cnf: Cnf<T::Var> = Cnf::new(Filter::defining());
    transition.step(0, &mut cnf);
    if let Some(rule) = cnf
        .rules()
        .iter()
        .find(|rule| rule.strength == Strength::Strengthening && Filter::defining().keeps(**rule))
    {
        return Err(broken!("the filter keeps `{}`", rule.name));
    }
    let mut seen: Vec<<T::Puzzle as Moves>::Move> = Vec::new();
    let mut random = seed;
    let mut state = puzzle.start();
    for _ in 0..WALK_STEPS {
        let legal = puzzle.moves(&state);
        for &mv in &legal {
            if !seen.contains(&mv) {
                seen.push(mv);
            }
        }
        let before = transition.literals(0, &state, &mut cnf);
        for &mv in &seen {
            let mut assumed = before.clone();
            assumed.extend(transition.move_literals(0, &state, mv, &mut cnf));
            match (puzzle.step(&state, mv), propagate(&cnf, &assumed)) {
                (Err(_), None) => {}
                (Err(rule), Some(_)) => {
                    return Err(broken!(
                        "{mv:?} is illegal ({rule}) but not refuted in {}",
                        puzzle.write_state(&state)
                    ));
                }
                (Ok(_), None) => {
                    let state = puzzle.write_state(&state);
                    return Err(broken!("{mv:?} is legal but refuted in {state}"));
                }
                (Ok(stepped), Some(values)) => {
                    let after = transition.literals(1, &stepped.state, &mut cnf);
                    let missing = after.iter().find(|&&lit| values.value(lit) != Some(true));
                    if let Some(lit) = missing {
                        let name = cnf.atom(lit.number()).map(ToString::to_string);
                        return Err(broken!(
                            "after {mv:?} from {}, {}{} does not follow",
                            puzzle.write_state(&state),
                            if lit.is_positive() { "" } else { "not " },
                            name.unwrap_or_default()
                        ));
                    }
                }
            }
        }
        // A linear congruential step is random enough to walk about.
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let Some(&mv) = legal.get((random >> 33) as usize % legal.len().max(1)) else { break };
        let Ok(stepped) = puzzle.step(&state, mv) else {
            return Err(broken!("{mv:?} is listed as legal but is not"));
        };
        state = stepped.state;
    }
    Ok(())
}

/// The text of a state reads back, and the representative of a class is its least member.
///
/// # Errors
/// The state at which it fails.
pub fn classes<P: Moves>(puzzle: &P, objective: Objective) -> Result<(), LawViolation> {
    let start = puzzle.start();
    let class = puzzle.class(&start, objective);
    for state in &class {
        let text = puzzle.write_state(state);
        if puzzle.read_state(&text).as_ref() != Some(state) {
            return Err(broken!("the state {text} does not read back"));
        }
        if puzzle.representative(state, objective) != class[0] {
            return Err(broken!("the representative of {text} is not the least of its class"));
        }
    }
    departures(puzzle, objective)?;
    backwards(puzzle)
}

/// States from which one looks back.
const SAMPLED_PUSHES: usize = 300;

/// What is said of a game from its end leaves nothing out: no push, and no class that is won.
fn backwards<P: Moves>(puzzle: &P) -> Result<(), LawViolation> {
    let Some(game) = P::GAME.backwards else { return Ok(()) };
    let class = |state: &P::State| puzzle.representative(state, Objective::Pushes);
    let ends: HashSet<P::State> = (game.ends)(puzzle).map(|state| class(&state)).collect();
    let mut open = vec![puzzle.start()];
    let mut seen = HashSet::new();
    while let Some(state) = open.pop().filter(|_| seen.len() < SAMPLED_PUSHES) {
        let text = || puzzle.write_state(&state);
        if puzzle.is_goal(&state) && !ends.contains(&class(&state)) {
            return Err(broken!("{} is won, and is no end", text()));
        }
        for mv in puzzle.moves(&state) {
            let Ok(stepped) = puzzle.step(&state, mv) else { continue };
            let before = || (game.before)(puzzle, &class(&stepped.state));
            if stepped.tally.pushes > 0 && !before().contains(&(state.clone(), mv)) {
                return Err(broken!("the move {mv:?} from {} is not known backwards", text()));
            }
            if seen.insert(stepped.state.clone()) {
                open.push(stepped.state);
            }
        }
    }
    Ok(())
}

/// Classes whose departures are looked at.
const SAMPLED_CLASSES: usize = 12;

/// Shortcuts of a family find the same departures and the same solved classes as the rules do,
/// move by move.
fn departures<P: Moves>(puzzle: &P, objective: Objective) -> Result<(), LawViolation> {
    let mut open = vec![puzzle.start()];
    let mut seen = HashSet::new();
    while let Some(state) = open.pop().filter(|_| seen.len() < SAMPLED_CLASSES) {
        let class: HashSet<P::State> = puzzle.class(&state, objective).into_iter().collect();
        let one_move = |from: &P::State| -> Vec<(P::State, Tally)> {
            let moves = puzzle.moves(from).into_iter();
            let steps = moves.filter_map(|mv| puzzle.step(from, mv).ok());
            steps.map(|stepped| (stepped.state, stepped.tally)).collect()
        };
        let leaves = |it: &(P::State, Tally)| {
            objective.primary(it.1) > 0 || it.1.pushes > 0 || !class.contains(&it.0)
        };
        let expected: HashSet<_> = class.iter().flat_map(one_move).filter(leaves).collect();
        let found = puzzle.departures(&state, objective).into_iter();
        let found: HashSet<_> = found.map(|stepped| (stepped.state, stepped.tally)).collect();
        let text = || puzzle.write_state(&state);
        if found != expected {
            return Err(broken!("the departures from {} are not those of the moves", text()));
        }
        let solved = class.iter().any(|state| puzzle.is_goal(state));
        if solved != puzzle.is_solved_class(&state, objective) {
            return Err(broken!("it is not determined whether the class of {} is solved", text()));
        }
        let mut next: Vec<P::State> = found.into_iter().map(|(state, _)| state).collect();
        next.sort_unstable();
        let next = next.into_iter().map(|state| puzzle.representative(&state, objective));
        open.extend(next.filter(|state| seen.insert(state.clone())));
    }
    Ok(())
}
