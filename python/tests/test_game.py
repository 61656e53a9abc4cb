from __future__ import annotations

import random

import pytest

import unstuck

from .plain import STEPS, boards

PUSH = "#######\n#@ $ .#\n#######\n"


def test_a_game_is_played() -> None:
    game = unstuck.Game(unstuck.read(PUSH), "moves")
    assert game.legal_moves() == ["r"] and game.distance() == 3 and game.optimal_moves() == ["r"]
    game.step("rR")
    assert game.moves == ["r", "R"] and game.length == (2, 1) and not game.is_solved
    assert game.is_dead() is False and game.distance() == 1
    game.undo()
    assert game.moves == ["r"] and game.distance() == 2
    with pytest.raises(unstuck.IllegalMove):
        game.step("u")
    assert game.moves == ["r"]
    game.step("rr")
    assert game.is_solved and game.distance() == 0 and game.optimal_moves() == []
    game.undo(99)
    assert game.moves == [] and "@ $ ." in game.board
    assert game.ground()[:2] == (3, 7) and ("box", [(1, 3)], 0) in game.figures()


def test_the_truth_is_that_of_search() -> None:
    """Every position of random walks on random boards."""
    checked = dead = 0
    for seed, (board, level) in enumerate(boards(60)):
        distances = board.distances()
        game, chance = unstuck.Game(level, "moves"), random.Random(seed)
        for _ in range(3):
            game.reset()
            state = board.start
            for _ in range(12):
                legal = [letter for letter in STEPS if board.step(state, letter) is not None]
                assert sorted(move.lower() for move in game.legal_moves()) == sorted(legal)
                if not legal:
                    break
                letter = chance.choice(legal)
                after = board.step(state, letter)
                assert after is not None
                state = after
                game.step(letter)
                known = distances[state]
                assert game.is_solved == board.is_solved(state)
                assert game.is_dead() == (known is None) and game.distance() == known
                best = [
                    one
                    for one in STEPS
                    if known
                    and (after := board.step(state, one)) is not None
                    and distances[after] == known - 1
                ]
                found = game.optimal_moves()
                assert found is not None and sorted(move.lower() for move in found) == sorted(best)
                checked, dead = checked + 1, dead + (known is None)
    assert checked > 1_000 and dead > 100


def test_what_is_not_known_is_not_said() -> None:
    text = "########\n#@     #\n# $ $  #\n#  $ $ #\n# .... #\n########\n"
    game = unstuck.Game(unstuck.read(text), "moves")
    assert game.is_dead(states=1) is None and game.distance(states=1) is None
    assert game.optimal_moves(states=1) is None
    assert game.is_dead(states=1, timeout=60) is False


def test_every_family_with_moves_is_played() -> None:
    for family, said in unstuck.families().items():
        if not said.moves or family in ("warehouse", "puzzlescript"):
            continue
        level = unstuck.read(next(iter(unstuck.generate(family, seed=2))).text, family)
        game = unstuck.Game(level)
        answer = level.solve()
        assert answer.solution is not None and game.distance() == answer.upper
        game.step(answer.solution.moves)
        assert game.is_solved


def test_a_game_takes_no_move_that_changes_nothing() -> None:
    level = unstuck.read("######\n#@.O.#\n######\n\n######\n#...O#\n######\n", family="warehouse")
    game = unstuck.Game(level)
    for moves in ("^", "^>>", ">^"):
        with pytest.raises(unstuck.IllegalMove):
            game.step(moves)
        assert game.moves == [] and game.length == (0, 0), moves
    best = game.distance()
    assert best is not None and best > 0
    for _ in range(best):
        moves_now = game.optimal_moves()
        assert moves_now
        game.step(moves_now[0])
    assert game.is_solved and game.distance() == 0 and game.length[0] == best
    # In a level, whose plans may have such moves, they count.
    (row,) = unstuck.label([(level, "^>")])
    assert row.distance is not None and row.optimum == row.distance + 2
    (with_plan,) = unstuck.label([(level, "^>")], plans=True)
    assert with_plan.optimum == row.optimum
