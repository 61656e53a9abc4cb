from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest

import unstuck

from .plain import Board, State, boards

PUSH = "#######\n#@ $ .#\n#######\n"


def test_labels_are_those_of_search() -> None:
    pairs = list(boards(100))
    rows = unstuck.label((level for _, level in pairs), objective="moves", workers=3)
    for (board, level), row in zip(pairs, rows, strict=True):
        known = board.distances()[board.start]
        assert (row.dead, row.distance, row.optimum) == (known is None, known, known), level.text
        if known is not None:
            assert row.plan is not None and unstuck.verify(level, row.plan) and row.shown_by


def test_positions_share_a_level() -> None:
    items: list[tuple[unstuck.Level, str]] = []
    truth: list[tuple[int, int | None]] = []
    for seed, (board, level) in enumerate(boards(40)):
        chance = random.Random(seed)
        distances = board.distances()
        for _ in range(15):
            state: State = board.start
            moves = ""
            for _ in range(chance.randrange(10)):
                letter = chance.choice("udlr")
                after = board.step(state, letter)
                if after is not None:
                    state, moves = after, moves + letter
            items.append((level, moves))
            truth.append((len(moves), distances[state]))
    for plans in (None, True):
        rows = unstuck.label(items, objective="moves", plans=plans)
        for (level, moves), (spent, known), row in zip(items, truth, rows, strict=True):
            assert (row.dead, row.distance) == (known is None, known)
            assert row.optimum == (None if known is None else spent + known)
            if plans and known is not None:
                assert row.plan is not None and unstuck.verify(level, moves + row.plan)


ROOMS = """
########
#   #  #
#  $ . #
#  # $ #
# @ .  #
#  $.  #
########
"""


def test_many_positions_of_a_level_share_what_is_learned() -> None:
    """So many that it is learned in one group and used in the next ones."""
    level, board = unstuck.read(ROOMS), Board(ROOMS)
    game, chance, distances = unstuck.Game(level, "moves"), random.Random(1), board.distances()
    items: list[tuple[unstuck.Level, str]] = []
    truth: list[int | None] = []
    for _ in range(60):
        game.reset()
        state = board.start
        for _ in range(20):
            letter = chance.choice(game.legal_moves())
            game.step(letter)
            after = board.step(state, letter.lower())
            assert after is not None
            state = after
            items.append((level, "".join(game.moves)))
            truth.append(distances[state])
    for workers, states in itertools.product((1, 3), (None, 100_000)):
        rows = unstuck.label(items, objective="moves", workers=workers, states=states)
        assert [row.distance for row in rows] == truth
    assert 100 < truth.count(None) < len(truth) - 100


def test_labels_are_drawn_as_they_are_needed() -> None:
    level = unstuck.read(PUSH)
    rows = unstuck.label((level for _ in itertools.count()), workers=1)
    assert [row.distance for row in itertools.islice(rows, 5)] == [2] * 5
    rows.close()  # type: ignore[attr-defined]


def test_what_is_wrong_is_said() -> None:
    level = unstuck.read(PUSH)
    with pytest.raises(unstuck.IllegalMove, match="item 1"):
        list(unstuck.label([level, (level, "uu")]))
    with pytest.raises(unstuck.IllegalMove, match="objective"):
        list(unstuck.label([level], objective="beauty"))
    with pytest.raises(unstuck.LevelError):
        list(unstuck.label(["no level"]))


def test_plans_are_counted() -> None:
    (row,) = unstuck.label(["######\n#@   #\n# $. #\n#  $.#\n######\n"], count=True)
    level = unstuck.read("######\n#@   #\n# $. #\n#  $.#\n######\n")
    assert row.optimal_plans == level.enumerate().optimal_plans
    assert row.as_dict()["dead"] is False


def test_rewards_are_ordered() -> None:
    level = unstuck.read(PUSH)
    values = [unstuck.reward(level, moves) for moves in ("uuu", "", "rR", "rRR")]
    assert values[0] == -1 and values[1] == 0 and 0 < values[2] < 1 and values[3] == 1
    lost = unstuck.read("#######\n#     #\n#@$ . #\n#     #\n#######\n")
    assert unstuck.reward(lost, "rRR") == -1 or unstuck.reward(lost, "R") > 0


def test_states_limit_labels() -> None:
    text = "########\n#@     #\n# $ $  #\n#  $ $ #\n# .... #\n########\n"
    level = unstuck.read(text)
    (row,) = unstuck.label([(level, "r")], states=1, objective="moves")
    assert row.dead is None and row.distance is None and row.stopped_by == "states"


RESTARTED = """noaction

OBJECTS
background .
black

player P
blue

crate *
brown

LEGEND

SOUNDS

COLLISIONLAYERS
background
player, crate

RULES
[ > Player ] -> restart

WINCONDITIONS
no Crate

LEVELS

P.
"""


def test_nothing_is_shown_beyond_a_move_without_a_known_end() -> None:
    level = unstuck.read(RESTARTED, family="puzzlescript")
    for states, plans in itertools.product((None, 100), (None, True)):
        rows = list(unstuck.label([level, (level, "")], states=states, plans=plans))
        assert [(row.dead, row.distance) for row in rows] == [(None, None)] * 2, rows


def test_counts_have_no_limit_by_states() -> None:
    with pytest.raises(ValueError, match="timeout"):
        list(unstuck.label([PUSH], count=True, states=10))


def test_positions_are_of_the_reading_that_counts() -> None:
    folder = Path(__file__).parents[2] / "puzzles" / "levels" / "sokobond"
    files = [path for path in sorted(folder.iterdir()) if path.suffix != ".json"]
    levels = [level for path in files for level in unstuck.read_all(path.read_text(), "sokobond")]
    for level in levels[:12]:
        alone, start = unstuck.label([level, (level, "")])
        if alone.dead is False:
            game = unstuck.Game(level)
            assert start.distance == alone.distance == game.distance(), level.title
            assert start.reading == alone.reading == level.solve().reading != "", level.title
