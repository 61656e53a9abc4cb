"""The truth about grid puzzles: shortest solutions, dead or alive, distance, and certificates.

    >>> import unstuck
    >>> level = unstuck.read("#######\\n#@ $ .#\\n#######\\n")
    >>> answer = level.solve()
    >>> answer.solution.moves, answer.upper, answer.optimal
    ('rRR', 2, True)

Sokoban, Sokobond, A Good Snowman Is Hard To Build, warehouses of Advent of Code, Flow (Numberlink)
and games in PuzzleScript. Costs are counted in what the objective names first (`pushes`, `moves`);
times are in seconds, memory in bytes; rows and columns are counted from 0 unless an answer says
otherwise. Long questions leave Python's lock to other threads, and Ctrl-C ends them with what is
known (`Interrupted`).
"""

from __future__ import annotations

from ._native import VERSION as __version__
from ._program import check, decode, generate
from .errors import (
    IllegalMove,
    Interrupted,
    LevelError,
    ProgramError,
    QuestionError,
    UnstuckError,
)
from .game import Game
from .labels import Label, label, reward, verify
from .level import Family, Level, families, read, read_all, read_file

__all__ = [
    "Family",
    "Game",
    "IllegalMove",
    "Interrupted",
    "Label",
    "Level",
    "LevelError",
    "ProgramError",
    "QuestionError",
    "UnstuckError",
    "__version__",
    "check",
    "decode",
    "families",
    "generate",
    "label",
    "read",
    "read_all",
    "read_file",
    "reward",
    "verify",
]
