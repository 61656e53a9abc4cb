"""What is raised."""

from __future__ import annotations

from typing import Any


class UnstuckError(Exception):
    """What goes wrong here is one of these."""


class LevelError(UnstuckError, ValueError):
    """A text that is no level, or no list of moves.

    Attributes:
        message: What is wrong, in a sentence without a full stop.
        line: The line, from 1; `None` where no single place is meant.
        column: The column, from 1; `None` where the whole line is meant.
        help: The way out; `None` where none is known.
    """

    def __init__(
        self,
        message: str,
        line: int | None = None,
        column: int | None = None,
        help: str | None = None,
    ) -> None:
        self.message, self.line, self.column, self.help = message, line, column, help
        place = "" if line is None else f"line {line}: "
        if line is not None and column is not None:
            place = f"line {line}, column {column}: "
        super().__init__(place + message + (f" ({help})" if help else ""))


class IllegalMove(UnstuckError, ValueError):
    """A move that the rules refuse."""


class QuestionError(UnstuckError, ValueError):
    """A question that means nothing for the level: an objective that its family does not know, say."""


class ProgramError(UnstuckError):
    """A command of the program that ended without an answer.

    Attributes:
        code: Its exit code: 2 for wrong usage or bad input, 30 where a limit struck first.
        help: The way out; `None` where none is known.
    """

    def __init__(self, message: str, code: int, help: str | None = None) -> None:
        self.code, self.help = code, help
        super().__init__(message + (f" ({help})" if help else ""))


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, with what is known by then.

    Attributes:
        answer: The answer as far as it was found out: a plan that need not be shortest, a lower bound.
    """

    def __init__(self, answer: Any) -> None:
        self.answer = answer
        super().__init__("interrupted; `answer` has what is known")
