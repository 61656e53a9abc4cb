"""Levels: read, solved, explained."""

from __future__ import annotations


import json
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, Literal, TypeVar

from . import _native, _program
from .answers import (
    DiagnoseAnswer,
    Difficulty,
    EnumerateAnswer,
    ExplainAnswer,
    ExportAnswer,
    ForcedFactsAnswer,
    ForcedPushesAnswer,
    HintAnswer,
    ProveAnswer,
    ReplayAnswer,
    SolveAnswer,
)
from .errors import Interrupted, LevelError

_A = TypeVar("_A")

Degree = Literal["solvable", "piece", "move", "plan"]
Engine = Literal["auto", "sat", "search", "learn"]


@dataclass(frozen=True)
class Family:
    """A kind of puzzle."""

    name: str
    about: str
    """What it is, in a few words."""
    moves: bool
    """Whether it is played in moves; else a solution is a drawing."""
    objectives: list[str]
    """What a shortest solution may be shortest in; the first is meant where none is named."""
    options: dict[str, dict[str, Any]]
    """Its options by their names: `default`, `values` and `help`."""


def families() -> dict[str, Family]:
    """All families by their names."""
    known = json.loads(_native.families())
    return {name: Family(name=name, **said) for name, said in known.items()}


def read(text: str, family: str | None = None, **options: str | int | bool) -> Level:
    """Reads a level.

    Args:
        text: One level, in any format of its family.
        family: Its family; found out by the text where that is possible.
        options: Options of the family, such as `touch="allow"`; see `families`.

    Raises:
        LevelError: The text is no level, or holds several (`read_all` reads those).
    """
    levels = _read(text, family, None, "raise", options)
    if len(levels) != 1:
        raise LevelError(f"there are {len(levels)} levels in this text", help="`read_all` reads several")
    return levels[0]


def read_all(
    text: str,
    family: str | None = None,
    *,
    broken: Literal["raise", "skip"] = "raise",
    **options: str | int | bool,
) -> list[Level]:
    """Reads all levels of a text.

    Args:
        text: Any number of levels, in any format of their family.
        family: Their family; found out by the text where that is possible.
        broken: Whether a level with a fault is an error or left out.
        options: Options of the family.

    Raises:
        LevelError: No family reads the text, or several do, or a level has a fault: `line` and
            `column` say where.
    """
    return _read(text, family, None, broken, options)


def read_file(
    path: str | PathLike[str],
    family: str | None = None,
    *,
    broken: Literal["raise", "skip"] = "raise",
    **options: str | int | bool,
) -> list[Level]:
    """Reads all levels of a file, whose extension may tell the family.

    Raises:
        LevelError: As `read_all`.
        OSError: The file cannot be read.
    """
    path = Path(path)
    text = path.read_text(encoding="utf-8-sig", errors="replace")
    return _read(text, family, path.suffix.lstrip(".") or None, broken, options)


def _read(
    text: str,
    family: str | None,
    extension: str | None,
    broken: str,
    options: dict[str, str | int | bool],
) -> list[Level]:
    def word(value: str | int | bool) -> str:
        return str(value).lower() if isinstance(value, bool) else str(value)

    given = {name.replace("_", "-"): word(value) for name, value in options.items()}
    levels = _native.read(text, family, extension, given, broken == "skip")
    return [Level(level) for level in levels]


class Level:
    """A level. `read` makes it.

    It does not change: what is asked about it has no effect on it, and threads may share it.
    """

    __slots__ = ("_native",)

    def __init__(self, native: _native.Level) -> None:
        self._native = native

    @property
    def text(self) -> str:
        """The level's own text: reading it alone gives the same level."""
        return self._native.text

    @property
    def title(self) -> str | None:
        """Its title, where the text gives one."""
        return self._native.title

    @property
    def number(self) -> int:
        """Its number in its text, from 1."""
        return self._native.number

    @property
    def line(self) -> int:
        """The line of the text at which it begins, from 1."""
        return self._native.line

    @property
    def family(self) -> str:
        """The name of its family."""
        return self._native.family

    @property
    def id(self) -> str:
        """A name that levels share which are the same puzzle."""
        return self._native.id

    @property
    def has_moves(self) -> bool:
        """Whether it is played in moves; else a solution is a drawing."""
        return self._native.has_moves

    @property
    def objectives(self) -> list[str]:
        """What a shortest solution may be shortest in; the first is meant where none is named."""
        return self._native.objectives

    @property
    def options(self) -> dict[str, str]:
        """The options with which it was read."""
        return self._native.options

    @property
    def solutions(self) -> list[str]:
        """Solutions that its text records; nobody has checked them."""
        return self._native.solutions

    @property
    def warnings(self) -> list[str]:
        """What was read in spite of a doubt, a sentence each."""
        return self._native.warnings

    def formats(self) -> dict[str, str]:
        """The level in each format that its family writes, by the format's name."""
        return self._native.formats()

    def solve(
        self,
        *,
        objective: str | None = None,
        timeout: float | None = None,
        states: int | None = None,
        memory: int | None = None,
        engine: Engine = "auto",
        after: str | None = None,
        horizon: int | None = None,
        solutions: int = 2,
        threads: int | None = None,
    ) -> SolveAnswer:
        """Finds a shortest solution, or shows that there is none.

        Args:
            objective: What it is to be shortest in; see `objectives`.
            timeout: Seconds. A limit that strikes is no error: the answer has the best bounds.
            states: The most states that each search looks at, and conflicts of the SAT solver: in
                one thread, with the same answer on every machine.
            memory: Bytes that the process may hold; half of the machine's memory if not given.
            engine: Who answers.
            after: Moves that were made before, or a position that is drawn as a level.
            horizon: Ask only whether there is a solution of at most this length.
            solutions: How many solutions to look for, in families without moves: two show whether
                there is one only.
            threads: All cores if not given.

        Raises:
            QuestionError: The family does not know the objective, or the engine cannot answer.
            IllegalMove: `after` is not possible.
            Interrupted: Ctrl-C; its `answer` is a `SolveAnswer`.
        """
        said, interrupted = self._native.solve(
            objective=objective,
            engine=engine,
            after=after,
            horizon=horizon,
            solutions=solutions,
            states=states,
            timeout=timeout,
            memory=memory,
            threads=threads,
        )
        answer = SolveAnswer.from_json(json.loads(said))
        return _answered(answer, interrupted)

    def hint(
        self,
        after: str | None = None,
        *,
        degree: Degree = "move",
        steps: int = 1,
        objective: str | None = None,
        timeout: float | None = None,
        memory: int | None = None,
    ) -> HintAnswer:
        """What to do next, and no more than is wanted.

        Args:
            after: Moves that were made, or a position that is drawn as a level.
            degree: How much to say: whether it can be solved, which piece, the next moves, all moves.
            steps: How many pushes to show, for the degrees `piece` and `move`.
            objective: What the rest is to be shortest in.
            timeout: Seconds.
            memory: Bytes.

        Raises:
            QuestionError: The family has no moves.
            IllegalMove: `after` is not possible.
            Interrupted: Ctrl-C.
        """
        said, interrupted = self._native.hint(
            after=after,
            degree=degree,
            steps=steps,
            objective=objective,
            timeout=timeout,
            memory=memory,
        )
        return _answered(HintAnswer.from_json(json.loads(said)), interrupted)

    def diagnose(
        self,
        moves: str,
        *,
        objective: str | None = None,
        timeout: float | None = None,
        memory: int | None = None,
    ) -> DiagnoseAnswer:
        """Where a game went wrong: what each move cost, and which one lost it.

        Raises:
            LevelError: The text is no list of moves.
            QuestionError: The family has no moves.
            Interrupted: Ctrl-C.
        """
        said, interrupted = self._native.diagnose(
            moves, objective=objective, timeout=timeout, memory=memory
        )
        return _answered(DiagnoseAnswer.from_json(json.loads(said)), interrupted)

    def enumerate(
        self,
        count: int = 10,
        *,
        after: str | None = None,
        objective: str | None = None,
        timeout: float | None = None,
        memory: int | None = None,
    ) -> EnumerateAnswer:
        """Counts the shortest solutions exactly, and lists some of them.

        Solutions that differ only in walking, or in the order of independent pushes, count as one.

        Args:
            count: How many to list.
            after: Moves that were made before.
            objective: What they are shortest in.
            timeout: Seconds.
            memory: Bytes.

        Raises:
            QuestionError: The family has no moves (`solve(solutions=...)` counts those).
            Interrupted: Ctrl-C.
        """
        said, interrupted = self._native.enumerate(
            count=count, after=after, objective=objective, timeout=timeout, memory=memory
        )
        return _answered(EnumerateAnswer.from_json(json.loads(said)), interrupted)

    @property
    def is_unique(self) -> bool | None:
        """Whether there is one solution only, of games one shortest solution; `None` if unknown."""
        if not self.has_moves:
            return self.solve(solutions=2).unique
        counted = self.enumerate(0)
        if counted.solvable is False:
            return False
        return int(counted.optimal_plans) == 1 if counted.optimal_plans is not None else None

    def replay(
        self,
        moves: str,
        *,
        frames: bool = False,
        every_move: bool = False,
        style: Literal["text", "svg"] = "text",
    ) -> ReplayAnswer:
        """Plays moves by the rules, and judges whether they are a solution.

        Args:
            moves: The moves, or a solution as its family writes it.
            frames: Whether the board after each push is wanted.
            every_move: Whether those after every move are.
            style: How boards are drawn.

        Raises:
            LevelError: The text is no list of moves.
        """
        said = self._native.replay(moves, style=style, frames=frames, every_move=every_move)
        return ReplayAnswer.from_json(json.loads(said))

    def prove(
        self,
        folder: str | PathLike[str],
        *,
        objective: str | None = None,
        after: str | None = None,
        timeout: float | None = None,
        lrat: bool = False,
        force: bool = False,
    ) -> ProveAnswer:
        """Solves the level, and writes a certificate of the verdict that others can check.

        Args:
            folder: Where the certificate goes; it must not exist unless `force` is given.
            objective: What a shortest solution is shortest in.
            after: Moves that were made before.
            timeout: Seconds; the certificate gets the same time again.
            lrat: Whether formulas and proofs for other checkers are written, too.
            force: Whether a certificate that is there is replaced.

        Raises:
            ProgramError: Nothing was shown that can be certified, or the folder cannot be written.
        """
        given = ["--output", str(folder)]
        given += [] if after is None else [f"--after={after}"]
        given += ["--lrat"] if lrat else []
        given += ["--force"] if force else []
        return ProveAnswer.from_json(self._asked("prove", given, objective, timeout))

    def explain(self, *, timeout: float | None = None) -> ExplainAnswer:
        """Why there is no solution: smallest sets of parts that have none.

        Raises:
            ProgramError: The level has a solution that was found, or a limit struck.
        """
        return ExplainAnswer.from_json(self._asked("explain", [], None, timeout))

    def forced(self, *, timeout: float | None = None) -> ForcedPushesAnswer | ForcedFactsAnswer:
        """What all solutions have in common, of games all shortest ones.

        Raises:
            ProgramError: A limit struck first.
        """
        said = self._asked("forced", [], None, timeout)
        if self.has_moves:
            return ForcedPushesAnswer.from_json(said)
        return ForcedFactsAnswer.from_json(said)

    def difficulty(self, *, timeout: float | None = None) -> Difficulty:
        """Figures of how hard the level is for a person.

        Raises:
            ProgramError: A limit struck first.
        """
        return Difficulty.from_json(self._asked("difficulty", [], None, timeout)["figures"])

    def export(
        self,
        horizon: int | None = None,
        *,
        output: str | PathLike[str] | None = None,
        objective: str | None = None,
        timeout: float | None = None,
    ) -> str | ExportAnswer:
        """The question whether there is a solution of at most this length, as DIMACS.

        Args:
            horizon: The length; needless in families without moves.
            output: A file. Beside it goes a map, with which `unstuck.decode` reads an answer.
            objective: What the length counts.
            timeout: Seconds.

        Returns:
            The formula as text, or what was written where `output` is given.

        Raises:
            ProgramError: There is no such question, or the file cannot be written.
        """
        given = [] if horizon is None else [f"--horizon={horizon}"]
        if output is not None:
            given += ["--output", str(output)]
            return ExportAnswer.from_json(self._asked("export", given, objective, timeout))
        return _program.text(["export", *self._arguments(given, objective, timeout)], self.text)

    def svg(self, moves: str | None = None) -> str:
        """The board as a picture, after moves or with a solution.

        Raises:
            LevelError: The text is no list of moves, or the family has no pictures.
        """
        if moves is not None:
            return self.replay(moves, style="svg").board or ""
        return self._native.draw("svg") or ""

    def film(self, moves: str, *, seconds: float = 0.4) -> Film:
        """The stages of a replay as HTML that shows one after the other, without any script: a text,
        which notebooks show.

        Args:
            moves: The moves.
            seconds: How long each stage is shown.
        """
        frames = self.replay(moves, frames=True, style="svg").frames or []
        return Film.of([frame.board for frame in frames], seconds)

    def _arguments(
        self, given: list[str], objective: str | None, timeout: float | None
    ) -> list[str]:
        """What says to the program which level is asked about, and how long."""
        options = [f"--{name}={value}" for name, value in self.options.items() if value != "false"]
        options = [option.removesuffix("=true") for option in options]
        given = [*given, f"--puzzle={self.family}", *options]
        given += [] if objective is None else [f"--objective={objective}"]
        given += [] if timeout is None else [f"--timeout={timeout}"]
        return [*given, "-"]

    def _asked(
        self, command: str, given: list[str], objective: str | None, timeout: float | None
    ) -> dict[str, Any]:
        return _program.one([command, *self._arguments(given, objective, timeout)], self.text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Level) and (self.family, self.id) == (other.family, other.id)

    def __hash__(self) -> int:
        return hash((self.family, self.id))

    def __repr__(self) -> str:
        title = f" {self.title!r}" if self.title else ""
        return f"<unstuck.Level{title}: {self.family}, number {self.number}>"

    def __str__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.text, self.family, self.options)

    def _repr_svg_(self) -> str | None:
        return self._native.draw("svg")


def _again(text: str, family: str, options: dict[str, str]) -> Level:
    (level,) = (Level(level) for level in _native.read(text, family, None, options, False))
    return level


def _answered(answer: _A, interrupted: bool) -> _A:
    if interrupted:
        raise Interrupted(answer)
    return answer


class Film(str):
    """HTML that shows pictures one after the other, for ever, as a notebook does at once."""

    __slots__ = ()

    @classmethod
    def of(cls, boards: list[str], seconds: float) -> Film:
        """A film of pictures, each of which is shown for so many seconds."""
        count = max(len(boards), 1)
        # Pages have one style for all of their films: those of another length have another name.
        name, part = f"unstuck-{count}", 100 / count
        style = (
            f"@keyframes {name}{{0%{{opacity:1}}{part:.3f}%{{opacity:1}}"
            f"{part + 0.001:.3f}%{{opacity:0}}100%{{opacity:0}}}}"
            ".unstuck{display:grid}.unstuck>*{grid-area:1/1;opacity:0}"
        )
        stages = "".join(
            f'<div style="animation:{name} {seconds * count:.2f}s {number * seconds:.2f}s infinite">'
            f"{board}</div>"
            for number, board in enumerate(boards)
        )
        return cls(f"<style>{style}</style><div class=unstuck>{stages}</div>")

    def _repr_html_(self) -> str:
        return self


