from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import unstuck

PUSH = "#######\n#@ $ .#\n#######\n"
DEAD = "#####\n#$  #\n#@ .#\n#####\n"
PROGRAM = [sys.executable, "-m", "unstuck"]
# Sixteen boxes in an open room: no search comes to an end of it.
HARD = (
    "############\n#@         #\n# $ $ $ $  #\n#  $ $ $ $ #\n# $ $ $ $  #\n#  $ $ $ $ #\n"
    "#          #\n#......... #\n# .......  #\n############\n"
)


def test_the_program_comes_along(tmp_path: Path) -> None:
    said = subprocess.run([*PROGRAM, "--version"], capture_output=True, text=True, check=True)
    assert said.stdout.split()[-1] == unstuck.__version__
    (tmp_path / "levels.xsb").write_text(PUSH + "\n" + DEAD)
    command = [*PROGRAM, "solve", "levels.xsb", "--store", "store", "--workers", "2"]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert said.returncode in (0, 20), said.stderr
    lines = [
        json.loads(line)
        for file in (tmp_path / "store").glob("results-*.jsonl")
        for line in file.read_text().splitlines()
    ]
    verdicts = sorted(line["verdict"] for line in lines if "verdict" in line)
    assert verdicts == ["solved", "unsolvable"]
    script = Path(sys.executable).with_name("unstuck")
    if script.exists():
        assert subprocess.run([script, "--version"], capture_output=True, check=True).stdout


def test_certificates_are_written_and_checked(tmp_path: Path) -> None:
    level, folder = unstuck.read(PUSH), tmp_path / "certificate"
    made = level.prove(folder)
    assert made.verdict == "valid" and "2 pushes" in made.claim
    checked = unstuck.check(folder)
    assert checked.checked and checked.verdict == "valid" and checked.board is not None
    with pytest.raises(unstuck.ProgramError):
        level.prove(folder)
    solution = next(file for file in folder.iterdir() if "rRR" in file.read_text(errors="replace"))
    solution.write_text(solution.read_text().replace("rRR", "rRr"))
    with pytest.raises(unstuck.ProgramError) as raised:
        unstuck.check(folder)
    assert raised.value.code in (1, 2)


def test_formulas_are_exported_and_answers_decoded(tmp_path: Path) -> None:
    level, formula = unstuck.read(PUSH), tmp_path / "level.cnf"
    assert "p cnf" in str(level.export(3))
    level.export(3, output=formula)
    said = unstuck.decode(formula, "s UNSATISFIABLE\n")
    assert said.verdict == "no-solution-within" and said.solution is None
    with pytest.raises(unstuck.ProgramError):
        unstuck.decode(formula, "s SATISFIABLE\nv 1 0\n")
    with pytest.raises(unstuck.ProgramError):
        level.export()


def test_levels_are_generated() -> None:
    made = list(unstuck.generate("sokoban", boxes=2, at_least=4, count=2, seed=5))
    for one in made:
        level = unstuck.read(one.text)
        assert unstuck.verify(level, one.solution.moves)
        assert (level.solve().upper or 0) >= 4
    with pytest.raises(unstuck.ProgramError):
        list(unstuck.generate("sokoban", boxes=2, at_least=900, attempts=2))


def test_why_there_is_none() -> None:
    explained = unstuck.read(DEAD).explain()
    assert explained.solvable is False and explained.explanations
    assert unstuck.read(PUSH).forced().solvable is True
    assert unstuck.read(PUSH).difficulty() is not None


@pytest.mark.skipif(os.name == "nt", reason="there is no such signal")
def test_the_lock_is_left_to_others_and_ctrl_c_ends_with_what_is_known() -> None:
    level, counted = unstuck.read(HARD), 0
    # A shell's background jobs begin with Ctrl-C ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    stop = threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT))
    running = True

    def count() -> None:
        nonlocal counted
        while running:
            counted += 1
            time.sleep(0.001)

    beside = threading.Thread(target=count)
    beside.start()
    begun = time.monotonic()
    stop.start()
    try:
        with pytest.raises(unstuck.Interrupted) as raised:
            level.solve(objective="moves", timeout=60, threads=1)
    finally:
        running = False
        beside.join()
    assert time.monotonic() - begun < 30 and counted > 50
    answer = raised.value.answer
    assert answer.stopped_by == "interrupted" and answer.lower > 0
    assert isinstance(raised.value, KeyboardInterrupt)


def test_a_limit_of_states_gives_the_same_answer_in_every_run() -> None:
    """All of the JSON but times, of the library and of the program."""

    def timeless(said: Any) -> Any:
        if isinstance(said, dict):
            times = {"seconds", "begun", "peak_memory_bytes", "cpu_seconds"}
            return {name: timeless(value) for name, value in said.items() if name not in times}
        return [timeless(each) for each in said] if isinstance(said, list) else said

    flow = "A..B.\n.....\n..C..\n.A.B.\n....C\n"
    cases = [
        (HARD, "sokoban", "moves", 500),
        (HARD, "sokoban", "any", 500),
        (PUSH, "sokoban", "pushes", 1_000),
        (flow, "flow", "any", 40),
    ]
    for text, family, objective, states in cases:
        level = unstuck.read(text, family)
        answers = [
            timeless(level.solve(states=states, objective=objective).to_json()) for _ in range(2)
        ]
        assert answers[0] == answers[1]
        command = [*PROGRAM, "solve", "--json", "--states", str(states), "--puzzle", family]
        command += ["--objective", objective, "-"]
        printed = [
            subprocess.run(command, input=text, capture_output=True, text=True, check=False).stdout
            for _ in range(2)
        ]
        said = [timeless(json.loads(one)) for one in printed]
        assert said[0] == said[1]
        assert said[0]["verdict"] == answers[0]["verdict"] and said[0]["lower"] == answers[0].get("lower")
        assert said[0]["question"]["states"] == states
    hard = unstuck.read(HARD).solve(states=500, objective="moves")
    assert hard.optimal is not True and hard.stopped_by == "states"
    assert hard.search is not None and hard.search.expanded == 500
    assert all(stage.work <= 500 for stage in hard.stages or [] if stage.engine == "search")
