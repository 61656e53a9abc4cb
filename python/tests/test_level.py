from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import unstuck

from .plain import boards

PUSH = "#######\n#@ $ .#\n#######\n"
DEAD = "#####\n#$  #\n#@ .#\n#####\n"
FLOW = "A..A\nB..B\nC..C\n"
GAME = """title Push
========
OBJECTS
========
Background
Black
Wall
Grey
Player
Blue
Crate
Orange
Target
Red
=======
LEGEND
=======
. = Background
# = Wall
P = Player
* = Crate
O = Target
=======
SOUNDS
=======
================
COLLISIONLAYERS
================
Background
Target
Player, Wall, Crate
======
RULES
======
[ > Player | Crate ] -> [ > Player | > Crate ]
==============
WINCONDITIONS
==============
All Target on Crate
=======
LEVELS
=======
#######
#P.*.O#
#######
"""


def test_a_level_is_solved_and_the_solution_is_checked() -> None:
    level = unstuck.read(PUSH)
    answer = level.solve()
    assert answer.verdict == "solved" and answer.optimal is True
    assert answer.solution is not None and answer.solution.moves == "rRR"
    assert (answer.lower, answer.upper) == (2, 2)
    assert answer.solution.length is not None and answer.solution.length.moves == 3
    assert unstuck.verify(level, answer.solution.moves)
    assert not unstuck.verify(level, "rR") and not unstuck.verify(level, "no moves")
    assert level.solve(objective="moves").upper == 3
    assert level.solve(after="rR").upper == 1
    assert level.solve(horizon=1).verdict == "no-solution-within"


def test_all_families_are_read() -> None:
    assert unstuck.read(FLOW).family == "flow"
    flow = unstuck.read(FLOW).solve()
    assert flow.verdict == "solved" and flow.unique is not None
    game = unstuck.read(GAME)
    assert game.family == "puzzlescript"
    answer = game.solve()
    assert answer.solution is not None and answer.upper == 3
    assert set(unstuck.families()) >= {"sokoban", "flow", "puzzlescript"}


def test_what_cannot_be_solved_is_said() -> None:
    level = unstuck.read(DEAD)
    assert level.solve().verdict == "unsolvable"
    assert level.is_unique is False
    assert unstuck.read(PUSH).is_unique is True
    assert unstuck.read("#####\n#@  #\n# $ #\n# . #\n#####\n").is_unique is True


def test_questions_have_answers() -> None:
    level = unstuck.read(PUSH)
    hint = level.hint("r")
    assert (hint.solvable, hint.moves, hint.rest) == (True, "R", 2)
    assert level.hint(degree="solvable").moves is None
    said = unstuck.read("######\n#@$ .#\n#    #\n######\n").diagnose("rdR")
    assert said.illegal is None and [one.move for one in said.moves] == ["R", "d", "r"]
    lost = unstuck.read("######\n#  $.#\n# @  #\n######\n").diagnose("U")
    assert lost.illegal is not None or lost.fatal is None
    counted = level.enumerate()
    assert (counted.optimal_plans, counted.plans, counted.complete) == (1, ["rRR"], True)


def test_faults_have_a_place() -> None:
    with pytest.raises(unstuck.LevelError) as raised:
        unstuck.read("####\n#@$#\n####\n", "sokoban")
    assert raised.value.message and isinstance(raised.value, ValueError)
    with pytest.raises(unstuck.LevelError) as raised:
        unstuck.read_all(PUSH + "\n#####\n#@@ #\n#$. #\n#####\n", "sokoban")
    assert raised.value.line is not None and raised.value.line > 4
    assert len(unstuck.read_all(PUSH + "\n#####\n#@@ #\n#$. #\n#####\n", broken="skip")) == 1
    level = unstuck.read(PUSH)
    with pytest.raises(unstuck.QuestionError, match="objective"):
        level.solve(objective="beauty")
    with pytest.raises(unstuck.QuestionError):
        level.solve(timeout=-1)
    with pytest.raises(unstuck.IllegalMove):
        level.solve(after="uuu")
    with pytest.raises(unstuck.QuestionError):
        unstuck.Game(unstuck.read(FLOW))
    with pytest.raises(unstuck.QuestionError):
        unstuck.read(PUSH, "chess")


def test_levels_are_values() -> None:
    level, other = unstuck.read(PUSH), unstuck.read(PUSH)
    assert level == other and len({level, other}) == 1
    assert pickle.loads(pickle.dumps(level)) == level and copy.copy(level) == level
    assert unstuck.read(level.text) == level and "sokoban" in repr(level)


def test_notebooks_have_pictures() -> None:
    level = unstuck.read(PUSH)
    assert "<svg" in (level._repr_svg_() or "") and "<svg" in level.svg("rR")
    film = level.film("rRR")
    assert film.count("<svg") == 3 and film._repr_html_() == film
    # Two films of different lengths stand on one page.
    assert film.split("{")[0] != level.film("r").split("{")[0]
    assert "solved" in level.solve()._repr_html_()


def test_random_boards_are_as_search_has_them() -> None:
    dead = alive = 0
    for board, level in boards(150):
        distance = board.distances()[board.start]
        answer = level.solve(objective="moves", threads=1)
        assert answer.upper == distance, level.text
        assert answer.verdict == ("unsolvable" if distance is None else "solved"), level.text
        dead, alive = dead + (distance is None), alive + (distance is not None)
    assert dead > 20 and alive > 20


def test_answers_are_those_of_the_program() -> None:
    """Field by field, but for times and for what the program says of itself."""
    level = unstuck.read(PUSH)
    questions = {
        "solve": (["--json", "-"], level.solve(threads=1)),
        "hint": (["--json", "-"], level.hint()),
        "enumerate": (["--json", "-"], level.enumerate()),
        "diagnose": (["--json", "--moves", "rRR", "-"], level.diagnose("rRR")),
    }
    changes = {"seconds", "begun", "peak_memory_bytes", "stages"}
    for command, (arguments, answer) in questions.items():
        program = [sys.executable, "-m", "unstuck", command, *arguments]
        said = subprocess.run(program, input=PUSH, capture_output=True, text=True, check=True)
        printed = json.loads(said.stdout)
        own = answer.to_json()
        for name, value in own.items():
            if name not in changes:
                assert printed[name] == value, (command, name)
        left = {"schema", "command", "file", "question", "limits"}
        silent = {name for name, value in printed.items() if value is not None and name not in own}
        assert silent <= left | changes, command


def test_answers_are_made_of_the_schema() -> None:
    maker = Path(__file__).parent.parent / "make_answers.py"
    subprocess.run([sys.executable, str(maker), "--check"], check=True)
