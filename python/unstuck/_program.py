"""What the program answers: it runs beside this process, and prints JSON."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from os import PathLike
from typing import Any

from .answers import CheckAnswer, DecodeAnswer, GenerateAnswer
from .errors import ProgramError

_PROGRAM = [sys.executable, "-m", "unstuck"]


def one(arguments: list[str], text: str | None = None) -> dict[str, Any]:
    """The only object that a command prints with `--json`."""
    said = _run([*arguments, "--json"], text)
    lines = [json.loads(line) for line in said.stdout.splitlines()]
    if len(lines) != 1 or "error" in lines[0] or lines[0].get("reason") is not None and said.returncode:
        raise _failed(said, lines)
    return lines[0]  # type: ignore[no-any-return]


def text(arguments: list[str], level: str | None = None) -> str:
    """What a command prints."""
    said = _run(arguments, level)
    if said.returncode:
        raise _failed(said, [])
    return said.stdout


def _run(arguments: list[str], text: str | None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*_PROGRAM, *arguments],
        input=text if text is not None else "",
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def _failed(said: subprocess.CompletedProcess[str], objects: list[Any]) -> ProgramError:
    for known in objects:
        error = known.get("error")
        if isinstance(error, dict):
            return ProgramError(error["message"], said.returncode, error.get("help"))
        if known.get("reason") is not None:
            return ProgramError(str(known["reason"]), said.returncode)
    message = said.stderr.strip() or f"the program ended with code {said.returncode}"
    return ProgramError(message.removeprefix("error: "), said.returncode)


def check(folder: str | PathLike[str], *, timeout: float | None = None) -> CheckAnswer:
    """Checks a certificate.

    Args:
        folder: The certificate, as `Level.prove` and the program write it.
        timeout: Seconds.

    Returns:
        What it shows and of which level (`board`, `title`), what was checked, and what is trusted.

    Raises:
        ProgramError: It is not valid (`code` 1), or it could not be judged.
    """
    given = [] if timeout is None else [f"--timeout={timeout}"]
    return CheckAnswer.from_json(one(["check", str(folder), *given]))


def decode(formula: str | PathLike[str], answer: str) -> DecodeAnswer:
    """Turns a solver's answer to an exported formula back into moves, and replays them.

    Args:
        formula: The file that `Level.export` wrote, with its map beside it.
        answer: What the solver printed: lines that begin with `s` and `v`.

    Raises:
        ProgramError: The answer is no solution (`code` 1), or the file has no map.
    """
    return DecodeAnswer.from_json(one(["decode", str(formula), "-"], answer))


def generate(
    family: str,
    *,
    count: int = 1,
    seed: int = 1,
    timeout: float | None = None,
    **options: str | int | bool,
) -> Iterator[GenerateAnswer]:
    """Makes levels that meet conditions, each with a shortest solution that is proved to be one.

    Args:
        family: `sokoban`, `flow`, `snowman` or `sokobond`.
        count: How many.
        seed: The same seed makes the same levels.
        timeout: Seconds for all of them.
        options: Those of `unstuck generate FAMILY --help`, with underscores: `boxes=3, at_least=8,
            unique=True`.

    Yields:
        The levels, as soon as they are found.

    Raises:
        ProgramError: No draft met the conditions, or a limit struck.
    """
    given = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()
             if not isinstance(value, bool)]
    given += [f"--{name.replace('_', '-')}" for name, value in options.items() if value is True]
    given += [f"--count={count}", f"--seed={seed}", "--json"]
    given += [] if timeout is None else [f"--timeout={timeout}"]
    command = [*_PROGRAM, "generate", family, *given]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, encoding="utf-8",
    ) as program:
        assert program.stdout is not None and program.stderr is not None
        try:
            for line in program.stdout:
                said = json.loads(line)
                error = said.get("error")
                if error is not None:
                    raise ProgramError(error["message"], said["exit"], error.get("help"))
                yield GenerateAnswer.from_json(said)
            message = program.stderr.read().strip()
            if program.wait():
                raise ProgramError(message.removeprefix("error: "), program.returncode)
        finally:
            program.kill()
