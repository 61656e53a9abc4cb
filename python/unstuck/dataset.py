"""Questions about generated levels, with a scorer that knows the truth.

A data set in the manner of reasoning-gym and verifiers: entries are dicts of a question, an answer and
metadata, and `score_answer` judges whatever a model writes.

    >>> from unstuck.dataset import PuzzleDataset
    >>> data = PuzzleDataset("sokoban", size=3, seed=1, boxes=2)
    >>> entry = data[0]
    >>> data.score_answer(entry["answer"], entry)
    1.0
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ._program import generate
from .labels import reward, verify
from .level import Level, read

_ASKED = {
    "sokoban": (
        "Solve this Sokoban level in as few pushes as you can. `#` is a wall, `@` the player (`+` on a "
        "goal), `$` a box (`*` on a goal), `.` a goal. Answer with the moves alone: u, d, l, r for "
        "steps and U, D, L, R for pushes."
    ),
    "flow": (
        "Join each pair of equal letters by a path, so that paths do not cross and every cell is on "
        "one. Answer with the board, each cell with the letter of its path."
    ),
    "snowman": (
        "Solve this level of A Good Snowman Is Hard To Build. Answer with the moves alone: u, d, l, r."
    ),
    "sokobond": "Solve this level of Sokobond. Answer with the moves alone: u, d, l, r.",
}


class PuzzleDataset:
    """Levels that were generated, each with a question and a proved answer.

    The same arguments give the same entries on every machine.

    Args:
        family: `sokoban`, `flow`, `snowman` or `sokobond`.
        size: How many entries.
        seed: Another seed, other levels.
        grades: Ranges of the length of a shortest solution, the easiest first; entries take turns.
            Families without moves have none.
        options: Those of `unstuck.generate`.
    """

    def __init__(
        self,
        family: str = "sokoban",
        *,
        size: int = 100,
        seed: int = 1,
        grades: list[tuple[int, int]] | None = None,
        **options: str | int | bool,
    ) -> None:
        self.family, self.size, self.seed, self.options = family, size, seed, options
        self.grades = grades if grades is not None else [(1, 1_000_000)]
        self._entries: list[dict[str, Any]] | None = None

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self._made())

    def __getitem__(self, number: int) -> dict[str, Any]:
        return self._made()[number]

    def _made(self) -> list[dict[str, Any]]:
        """All entries, made when the first is asked for."""
        if self._entries is None:
            by_grade = [self._of_grade(grade) for grade in range(len(self.grades))]
            turns = (by_grade[at % len(by_grade)][at // len(by_grade)] for at in range(self.size))
            self._entries = list(turns)
        return self._entries

    def _of_grade(self, grade: int) -> list[dict[str, Any]]:
        count = len(range(grade, self.size, len(self.grades)))
        if not count:
            return []
        least, most = self.grades[grade]
        options: dict[str, Any] = dict(self.options)
        if self.family != "flow":
            options |= {"at_least": least, "at_most": most}
        made = generate(self.family, count=count, seed=self.seed + grade, **options)
        return [self._entry(one.text, one.solution.moves, grade) for one in made]

    def _entry(self, text: str, answer: str, grade: int) -> dict[str, Any]:
        level = read(text, self.family)
        length = level.replay(answer).length
        metadata = {
            "source_dataset": f"unstuck/{self.family}",
            "level": level.text,
            "puzzle": self.family,
            "grade": grade,
            "moves": length.moves if length else None,
            "pushes": length.pushes if length else None,
        }
        return {
            "question": f"{_ASKED[self.family]}\n\n{level.text}",
            "answer": answer,
            "metadata": metadata,
        }

    def score_answer(self, answer: str | None, entry: dict[str, Any]) -> float:
        """What an answer is worth, from 0 to 1.

        1 for a shortest solution, optimum / length for a longer one, up to a half for moves after which
        the end is nearer than before, 0 for all else. A drawing is right or wrong.
        """
        if not answer:
            return 0.0
        level = read(entry["metadata"]["level"], entry["metadata"]["puzzle"])
        said = _inside(answer)
        if not level.has_moves:
            return float(verify(level, said))
        worth = max(0.0, reward(level, _moves(said)))
        return worth if _is_solution(level, said) else worth / 2


def _is_solution(level: Level, said: str) -> bool:
    return verify(level, _moves(said))


def _inside(answer: str) -> str:
    """What stands between tags for the answer, or in the last block of code, else all of it."""
    tags = re.findall(r"<answer>(.*?)</answer>", answer, re.DOTALL)
    blocks = re.findall(r"```[a-z]*\n?(.*?)```", answer, re.DOTALL)
    return str((tags or blocks or [answer])[-1]).strip("\n")


def _moves(said: str) -> str:
    return "".join(said.split())
