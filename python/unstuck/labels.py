"""What is true of many levels and positions."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any, Union

from . import _native
from .game import STATES, Game
from .level import Level, read

#: A level, its text, or a position: a level and the moves that lead there (or a drawing of it).
Item = Union[Level, str, "tuple[Level, str]"]

#: Items that one worker may be ahead of the one whose label is next.
_AHEAD = 1024


@dataclass(frozen=True)
class Label:
    """What is true of a level or a position. Each statement is exact, or `None` where it is open."""

    dead: bool | None
    """Whether there is no solution."""
    distance: int | None
    """What the shortest solution from here costs, in what the objective counts first."""
    optimum: int | None
    """The same, with what the moves have cost that lead here."""
    lower: int | None
    """No solution from here costs less."""
    plan: str | None
    """A shortest solution from here; any, where `distance` is open."""
    optimal_plans: int | None
    """How many shortest solutions there are, where that was asked; see `Level.enumerate`."""
    unique: bool | None
    """Whether there is one only."""
    shown_by: str | None
    """What showed it."""
    stopped_by: str | None
    """The limit that struck: `time`, `memory` or `states`."""
    reading: str
    """The reading of the rules that this holds of; empty where there is only one."""

    def as_dict(self) -> dict[str, Any]:
        """The label as a row, for JSON Lines or a table."""
        return asdict(self)


def label(
    items: Iterable[Item],
    *,
    objective: str | None = None,
    workers: int | None = None,
    plans: bool | None = None,
    count: bool = False,
    states: int | None = None,
    timeout: float | None = None,
) -> Iterator[Label]:
    """What is true of levels and positions, in the order in which they come.

    `items` is drawn from as labels are taken, some way ahead, so that it may be without end. Positions
    of one level that follow each other share what is learned of it.

    Args:
        items: Levels, texts of levels, or pairs of a level and moves.
        objective: What distances count; the family's first if not given.
        workers: Threads; all cores if not given.
        plans: Whether plans are wanted; if not given, of levels and not of positions.
        count: Whether the shortest solutions are counted. Only `timeout` limits that.
        states: The most states that a search expands for each: the same labels on every machine.
            Not with `count`.
        timeout: Seconds for each.

    Raises:
        LevelError: A text is no level.
        IllegalMove: The moves of a position are not possible, or its family does not know the
            objective.
        ValueError: `states` was given with `count`.

    Examples:
        >>> level = read("#######\\n#@ $ .#\\n#######\\n")
        >>> [(row.dead, row.distance) for row in label([level, (level, "rR")])]
        [(False, 2), (False, 1)]
    """
    if count and states is not None:
        raise ValueError("`states` does not limit `count`: give `timeout`")
    workers = workers or os.cpu_count() or 1
    labels = _native.Labels(
        workers=workers,
        objective=objective,
        plans=plans,
        count=count,
        states=states,
        timeout=timeout,
    )
    try:
        for item in items:
            if isinstance(item, tuple):
                labels.put(item[0]._native, item[1])
            else:
                labels.put((read(item) if isinstance(item, str) else item)._native, None)
            if labels.pending >= workers * _AHEAD:
                yield Label(*labels.take())
        while labels.pending:
            yield Label(*labels.take())
    finally:
        labels.close()


def verify(level: Level, moves: str) -> bool:
    """Whether moves, or a drawing, solve a level: judged by the rules alone.

    Text that is no list of moves solves nothing, so that whatever a model writes can be judged.
    """
    from .errors import LevelError

    try:
        return level.replay(moves).verdict == "valid"
    except LevelError:
        return False


def reward(
    level: Level,
    moves: str,
    *,
    objective: str | None = None,
    states: int = STATES,
    timeout: float | None = None,
) -> float:
    """How much of the way to the goal moves have gone, from -1 to 1.

    1 for a shortest solution, and optimum / length for a longer one; 0 for a game that is as far from
    its end as before, between 0 and 1 for one that is nearer; -1 for moves that are not possible, or
    after which there is no solution.

    Args:
        level: The level.
        moves: What was played.
        objective: What is counted; the family's first if not given.
        states: Positions that a search looks at, at most; where they are not enough, only solutions
            are rewarded.
        timeout: Seconds, as in `Game.distance`.
    """
    from .errors import UnstuckError

    game = Game(level, objective)
    optimum = game.distance(states=states, timeout=timeout)
    try:
        game.step(moves)
    except UnstuckError:
        return -1.0
    counts_pushes = game.objective.startswith("pushes")
    spent = game.length[1] if counts_pushes else game.length[0]
    if game.is_solved:
        return 1.0 if not spent or optimum is None else min(1.0, optimum / spent)
    if game.is_dead(states=states, timeout=timeout):
        return -1.0
    left = game.distance(states=states, timeout=timeout)
    if optimum is None or left is None or not optimum:
        return 0.0
    return max(0.0, (optimum - left) / optimum) * (1 - 1 / (optimum + 1))
