"""Sokoban as a beginner writes it: what the module says is compared with this."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator

import unstuck

STEPS = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}

State = tuple[tuple[int, int], frozenset[tuple[int, int]]]


class Board:
    """A level, and the positions that can be reached."""

    def __init__(self, text: str) -> None:
        cells = {
            (row, column): sign
            for row, line in enumerate(text.splitlines())
            for column, sign in enumerate(line)
        }
        self.walls = {at for at, sign in cells.items() if sign == "#"}
        self.goals = frozenset(at for at, sign in cells.items() if sign in ".*+")
        boxes = frozenset(at for at, sign in cells.items() if sign in "$*")
        player = next(at for at, sign in cells.items() if sign in "@+")
        self.start: State = (player, boxes)

    def step(self, state: State, letter: str) -> State | None:
        """The position after a move, if that is possible."""
        (row, column), boxes = state
        down, right = STEPS[letter]
        to = (row + down, column + right)
        if to in self.walls:
            return None
        if to in boxes:
            beyond = (to[0] + down, to[1] + right)
            if beyond in self.walls or beyond in boxes:
                return None
            boxes = boxes - {to} | {beyond}
        return to, boxes

    def is_solved(self, state: State) -> bool:
        return state[1] == self.goals

    def distances(self) -> dict[State, int | None]:
        """How many moves each position that can be reached is away from the goal."""
        before: dict[State, list[State]] = {self.start: []}
        queue = deque([self.start])
        while queue:
            state = queue.popleft()
            for letter in STEPS:
                after = self.step(state, letter)
                if after is not None:
                    if after not in before:
                        before[after] = []
                        queue.append(after)
                    before[after].append(state)
        distances: dict[State, int | None] = dict.fromkeys(before)
        queue = deque(state for state in before if self.is_solved(state))
        for state in queue:
            distances[state] = 0
        while queue:
            state = queue.popleft()
            for one in before[state]:
                if distances[one] is None:
                    known = distances[state]
                    assert known is not None
                    distances[one] = known + 1
                    queue.append(one)
        return distances


def boards(count: int) -> Iterator[tuple[Board, unstuck.Level]]:
    """Random boards, but for those of which the reader says that a box can never be reached."""
    for seed in range(count):
        text = random_board(seed)
        for level in unstuck.read_all(text, broken="skip") if text else []:
            yield Board(level.text), level


def random_board(seed: int) -> str | None:
    """A small board with two boxes, most of which can be solved, if there is room for it."""
    chance = random.Random(seed)
    rows, columns = chance.randrange(5, 7), chance.randrange(5, 8)
    inside = [(row, column) for row in range(1, rows - 1) for column in range(1, columns - 1)]
    walls = {at for at in inside if chance.random() < 0.12}
    free = [at for at in inside if at not in walls]
    middle = [at for at in free if 1 < at[0] < rows - 2 and 1 < at[1] < columns - 2]
    if len(middle) < 2:
        return None
    boxes = chance.sample(middle, 2)
    others = chance.sample([at for at in free if at not in boxes], 3)
    signs = dict(zip(boxes + others, "$$..@", strict=True))
    lines = []
    for row in range(rows):
        line = ""
        for column in range(columns):
            is_edge = row in (0, rows - 1) or column in (0, columns - 1)
            line += "#" if is_edge or (row, column) in walls else signs.get((row, column), " ")
        lines.append(line)
    return "\n".join(lines) + "\n"
