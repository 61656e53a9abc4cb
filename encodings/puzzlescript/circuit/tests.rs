//! The circuit and its clauses against the judge.

use super::super::tests::reached;
use super::super::{PuzzleScriptMoves, Var};
use super::Turns;
use crate::cnf::{Atom, Cnf, Filter, Lit, Name};
use crate::encoding::{Encoding, Transition};
use crate::laws::propagate;
use std::collections::BTreeMap;
use unstuck_puzzles::puzzlescript::{Input, PuzzleScript, State};
use unstuck_puzzles::{Moves, Objective, Puzzle};

fn has(state: &State, words: usize, (object, cell): (usize, usize)) -> bool {
    state.cells[cell * words + object / 64] >> (object % 64) & 1 == 1
}

/// The state after an input by the gates; nothing if the turn is none.
fn played(puzzle: &PuzzleScript, turns: &Turns, state: &State, input: Input) -> Option<State> {
    let words = puzzle.game().object_words;
    let turn = turns.inputs.iter().find(|turn| turn.input == input).filter(|_| !state.won)?;
    let values = turns.circuit.values(|number| has(state, words, turns.variables[number]));
    let value = |signal| super::gates::value(&values, signal);
    let mut next = state.clone();
    for (&(object, cell), &signal) in turns.variables.iter().zip(&turn.next) {
        let word = &mut next.cells[cell * words + object / 64];
        *word = *word & !(1 << (object % 64)) | u64::from(value(signal)) << (object % 64);
    }
    let after = turns.goal.values(|number| has(&next, words, turns.variables[number]));
    next.won = super::gates::value(&after, turns.conditions) || value(turn.won);
    (!value(turn.refused) && next != *state).then_some(next)
}

/// The reasons of refusals, without their lines.
fn kind(reason: &str) -> String {
    reason.replace(|c: char| c.is_ascii_digit(), "").replace(", ", "").replace("lines", "line")
}

#[test]
fn circuits_play_as_the_judge() {
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    let (mut games, mut turns_played, mut illegal) = (0, 0, 0);
    for seed in 0..3000 {
        let puzzle = PuzzleScript::sample(seed);
        let turns = match Turns::new(&puzzle) {
            Ok(turns) => turns,
            Err(reason) => {
                *refused.entry(kind(&reason.to_string())).or_default() += 1;
                continue;
            }
        };
        games += 1;
        for state in reached(&puzzle, 300) {
            for input in Input::ALL {
                let judged = puzzle.step(&state, input).ok().map(|it| it.state);
                let ours = played(&puzzle, &turns, &state, input);
                assert!(
                    ours == judged,
                    "seed {seed}: {input:?} from\n{}\nleads to\n{}\nnot to\n{}\n{}",
                    puzzle.draw(&state, unstuck_puzzles::Style::Plain).unwrap_or_default(),
                    ours.and_then(|it| puzzle.draw(&it, unstuck_puzzles::Style::Plain))
                        .unwrap_or_default(),
                    judged
                        .and_then(|it| puzzle.draw(&it, unstuck_puzzles::Style::Plain))
                        .unwrap_or_default(),
                    puzzle.print()
                );
                turns_played += 1;
                illegal += usize::from(judged.is_none());
            }
        }
    }
    let is_enough = games > 1000 && turns_played - illegal > 50_000 && illegal > 10_000;
    assert!(
        is_enough,
        "{games} games, {turns_played} turns, {illegal} illegal; refused: {refused:#?}"
    );
}

#[test]
fn a_state_and_an_input_give_one_successor_by_unit_propagation() {
    let (mut games, mut legal, mut illegal) = (0, 0, 0);
    for seed in 0..600 {
        let puzzle = PuzzleScript::sample(seed);
        let Ok(moves) = PuzzleScriptMoves::new(&puzzle, Objective::Moves) else { continue };
        let mut cnf = Cnf::new(Filter::defining());
        moves.step(0, &mut cnf);
        games += 1;
        for state in reached(&puzzle, 12) {
            for &input in moves.turns.inputs.iter().map(|it| &it.input) {
                let mut assumed = moves.literals(0, &state, &mut cnf);
                assumed.extend(moves.move_literals(0, &state, input, &mut cnf));
                let values = propagate(&cnf, &assumed);
                let Ok(judged) = puzzle.step(&state, input) else {
                    assert_eq!(values, None, "seed {seed}");
                    illegal += 1;
                    continue;
                };
                let values = values.unwrap_or_else(|| panic!("seed {seed}: {input:?} is refuted"));
                for literal in moves.literals(1, &judged.state, &mut cnf) {
                    assert_eq!(values.value(literal), Some(true), "seed {seed}");
                }
                // Nothing is open but whether the next step is idle, so that is a model and there is
                // no other.
                let is_known = |(literal, atom): (Lit, &Atom<Var>)| {
                    values.value(literal).is_some()
                        || atom.name == Name::Of(Var::Busy) && atom.layer == 1
                };
                let literals = (1..).filter_map(Lit::from_dimacs);
                assert!(literals.zip(cnf.atoms()).all(is_known), "seed {seed}");
                legal += 1;
            }
        }
    }
    let is_enough = games > 200 && legal > 3000 && illegal > 1000;
    assert!(is_enough, "{games} games, {legal} legal, {illegal} illegal");
}
