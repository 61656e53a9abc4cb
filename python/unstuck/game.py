"""A level under a player's hand, with the truth about each position."""

from __future__ import annotations

from typing import Literal

from . import _native
from .errors import Interrupted, UnstuckError
from .level import Level

#: States that a question looks at before it is given up, where nothing else is said.
STATES = 200_000


class Game:
    """A level that is played move by move.

    What is learned of one position serves the questions about all others: asking after each move
    takes little more than asking once.

    Args:
        level: The level, of a family with moves.
        objective: What distances count; the family's first if not given. Under `pushes` walking is
            free: for an agent whose every step counts, `moves` is meant.

    Raises:
        QuestionError: The family has no moves, or does not know the objective.
    """

    def __init__(self, level: Level, objective: str | None = None) -> None:
        self.level = level
        self._native = _native.Game(level._native, objective)

    @property
    def objective(self) -> str:
        """What distances count."""
        return self._native.objective

    @property
    def moves(self) -> list[str]:
        """The moves that were made, in the family's notation."""
        return self._native.moves

    @property
    def length(self) -> tuple[int, int]:
        """How many moves were made, and how many pushes are among them."""
        return self._native.length

    @property
    def is_solved(self) -> bool:
        """Whether the level is solved."""
        return self._native.is_solved

    @property
    def board(self) -> str:
        """The position in letters, in the family's own format where that can show it."""
        return self._native.draw("text") or ""

    def legal_moves(self) -> list[str]:
        """The moves that are possible, in a fixed order, in the family's notation."""
        return self._native.legal_moves()

    def step(self, moves: str) -> None:
        """Makes a move, or several: all of them or none.

        Raises:
            IllegalMove: One of them is not possible.
            LevelError: The text is no list of moves.
        """
        self._native.step(moves)

    def undo(self, count: int = 1) -> None:
        """Takes moves back: as many as there are, where `count` is more."""
        self._native.undo(count)

    def reset(self) -> None:
        """Takes all moves back."""
        self._native.undo(len(self._native.moves))

    def is_dead(self, *, states: int = STATES, timeout: float | None = None) -> bool | None:
        """Whether there is no solution from here any more: exact, by proof.

        Args:
            states: Positions that a search looks at, at most.
            timeout: Seconds. Where it is given, and the search is not enough, all engines join.

        Returns:
            `None` where a limit struck before it was shown.

        Raises:
            Interrupted: Ctrl-C; its `answer` is `None`.
        """
        return self._truth(states, timeout)[0]

    def distance(self, *, states: int = STATES, timeout: float | None = None) -> int | None:
        """What the shortest solution from here costs: exact.

        Args:
            states: Positions that a search looks at, at most.
            timeout: Seconds. Where it is given, and the search is not enough, all engines join.

        Returns:
            `None` where there is none (`is_dead`), or a limit struck before it was shown.

        Raises:
            Interrupted: Ctrl-C; its `answer` is `None`.
        """
        return self._truth(states, timeout)[1]

    def optimal_moves(
        self, *, states: int = STATES, timeout: float | None = None
    ) -> list[str] | None:
        """The moves with which a shortest solution can begin; none from a dead or solved position.

        Args:
            states: Positions that a search looks at for each, at most.
            timeout: Seconds for the distance, as in `distance`.

        Returns:
            `None` where a limit struck before all were known.

        Raises:
            Interrupted: Ctrl-C; its `answer` is `None`.
        """
        if self.is_solved:
            return []
        moves, interrupted = self._native.optimal_moves(states=states, timeout=timeout)
        if interrupted:
            raise Interrupted(None)
        return moves

    def svg(self) -> str:
        """The position as a picture.

        Raises:
            UnstuckError: The family has no pictures.
        """
        picture = self._native.draw("svg")
        if picture is None:
            raise UnstuckError(f"{self.level.family} has no SVG pictures")
        return picture

    def figures(self) -> list[tuple[str, list[tuple[int, int]], int]]:
        """What moves or changes: its kind, its places (row and column from 0), what it counts."""
        return self._native.figures()

    def ground(self) -> tuple[int, int, list[str], list[str]]:
        """What never changes: rows, columns, a word for each square row by row, names of sprites.

        Raises:
            UnstuckError: The board has no squares.
        """
        ground = self._native.ground()
        if ground is None:
            raise UnstuckError(f"{self.level.family} is not played on squares")
        return ground

    def _truth(self, states: int, timeout: float | None) -> tuple[bool | None, int | None]:
        dead, distance, interrupted = self._native.truth(states=states, timeout=timeout)
        if interrupted:
            raise Interrupted(None)
        return dead, distance

    def _repr_svg_(self) -> str | None:
        return self._native.draw("svg")

    def __repr__(self) -> str:
        solved: Literal["", ", solved"] = ", solved" if self.is_solved else ""
        return f"<unstuck.Game after {len(self.moves)} moves{solved}: {self.level!r}>"
