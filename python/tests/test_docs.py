"""The chapter and the examples do what they say."""

from __future__ import annotations

import ast
import doctest
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import unstuck

PROJECT = Path(__file__).parent.parent.parent
EXAMPLES = PROJECT / "python" / "examples"


def test_the_chapter_is_right() -> None:
    pytest.importorskip("gymnasium")
    failed, tried = doctest.testfile(str(PROJECT / "docs" / "python.md"), module_relative=False)
    assert tried > 20 and failed == 0


def test_docstrings_are_right() -> None:
    for module in (unstuck, unstuck.labels):
        failed, tried = doctest.testmod(module)
        assert tried > 0 and failed == 0


def test_the_notebook_is_right() -> None:
    cells = json.loads((EXAMPLES / "positions.ipynb").read_text("utf-8"))["cells"]
    scope: dict[str, Any] = {}
    held = 0
    for cell in (cell for cell in cells if cell["cell_type"] == "code"):
        *body, last = ast.parse("".join(cell["source"])).body
        assert isinstance(last, ast.Expr), "each cell shows something"
        exec(compile(ast.Module(body, []), "cell", "exec"), scope)
        shown = eval(compile(ast.Expression(last.value), "cell", "eval"), scope)
        if cell["outputs"]:
            ((text,),) = (output["data"]["text/plain"] for output in cell["outputs"])
            assert repr(shown) == text
            held += 1
        else:
            assert hasattr(shown, "_repr_svg_") or hasattr(shown, "_repr_html_")
    assert held > 3


def run(name: str, *arguments: str) -> str:
    command = [sys.executable, str(EXAMPLES / name), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_par_is_the_same_in_every_run() -> None:
    levels = str(PROJECT / "puzzles" / "levels" / "sokoban" / "first-steps.sok")
    first, second = (run("par_and_hints.py", levels, "--states", "2000") for _ in range(2))
    assert first == second
    rows = [json.loads(line) for line in first.splitlines()]
    assert len(rows) > 5 and all(row["exact"] for row in rows if row["verdict"] == "solved")


def test_labels_are_printed() -> None:
    levels = str(PROJECT / "puzzles" / "levels" / "sokoban" / "first-steps.sok")
    rows = [json.loads(line) for line in run("boxoban_labels.py", levels, "--walks", "2").splitlines()]
    assert len(rows) > 15 and all(row["dead"] is not None for row in rows)


def test_the_agent_is_told() -> None:
    pytest.importorskip("gymnasium")
    assert "episode 2: solved after 11 steps, reward 1.00" in run("agent.py")


def test_boards_are_unique() -> None:
    rows = [json.loads(line) for line in run("unique_flow.py", "2").splitlines()]
    for row in rows:
        assert unstuck.read(row["metadata"]["level"], "flow").is_unique is True
