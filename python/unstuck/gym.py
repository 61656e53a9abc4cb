"""Environments for Gymnasium: any family with moves, games in PuzzleScript among them.

Needs `pip install unstuck[gym]`. Importing this module registers `unstuck/Puzzle-v0`:

    >>> import gymnasium, unstuck.gym
    >>> env = gymnasium.make("unstuck/Puzzle-v0", levels=unstuck.read_all(text))  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from .game import STATES, Game
from .level import Level, read

Observation = NDArray[np.uint8]

#: What an agent can do; the last in PuzzleScript only.
ACTIONS = ("up", "down", "left", "right", "action")

#: How families write it, where they do not write `udlr`.
_LETTERS = {"snowman": "wsad", "warehouse": "^v<>", "puzzlescript": "udlrx"}

#: What else than the first position shows may come up in a game.
_KINDS = {
    "sokobond": ["player", "hydrogen", "helium", "oxygen", "nitrogen", "carbon", "bond"],
    "snowman": ["player", "snow", "balls"],
}

#: The side of a square in a picture, in dots.
_SIDE = 5

_DEFAULT_LEVEL = "#######\n#@ $ .#\n#  $ .#\n#     #\n#######\n"


class PuzzleEnv(gymnasium.Env[Observation, np.int64]):
    """A level that an agent plays.

    Observations are `uint8` of shape (rows, columns, planes) for `grid`: a plane for each name in
    `planes`, which holds 0 where the thing is not, else 1 and what it counts (the sum of a stack of
    balls, say). For `rgb` their shape is (5 rows, 5 columns, 3). Smaller levels of several are padded
    below and to the right.

    Actions are numbers of `actions`. One that the rules refuse changes nothing, and costs a step. Of
    several ways out of a teleporter the first is taken.
    `info["action_mask"]` says which are possible.

    An episode ends (`terminated`) when the level is solved, and, with `ends_when_dead`, as soon as it
    is proved that it cannot be solved any more.

    Args:
        levels: Levels, of one family with moves; each reset takes one of them at random, or the one
            that `options={"level": number}` names.
        objective: What distances count: steps, unless another one is named.
        observation: What is observed.
        info: What `info` says beside the mask: `distance` and `dead` (exact, `None` if a limit struck)
            and `optimal_actions` (a mask).
        reward: `sparse` gives 1 for the solved level; `distance` also pays what each step has brought
            the end nearer, 1 for the whole way, and takes 1 for the step that loses the level.
        ends_when_dead: Whether an episode ends when it cannot be solved any more.
        states: Positions that each question looks at, at most.
        render_mode: `rgb_array`, or `ansi` for letters.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array", "ansi"], "render_fps": 8}  # noqa: RUF012

    def __init__(
        self,
        levels: Sequence[Level] | Level | None = None,
        *,
        objective: str | None = "moves",
        observation: Literal["grid", "rgb"] = "grid",
        info: Sequence[Literal["distance", "dead", "optimal_actions"]] = (),
        reward: Literal["sparse", "distance"] = "sparse",
        ends_when_dead: bool = False,
        states: int = STATES,
        render_mode: str | None = None,
    ) -> None:
        if levels is None:
            levels = read(_DEFAULT_LEVEL)
        self.levels = [levels] if isinstance(levels, Level) else list(levels)
        families = {level.family for level in self.levels}
        if len(families) != 1:
            raise ValueError(f"the levels are to be of one family, and not of {len(families)}")
        self.objective, self.observation, self.said = objective, observation, tuple(info)
        self.reward, self.ends_when_dead, self.states = reward, ends_when_dead, states
        self.render_mode = render_mode
        games = [Game(level, objective) for level in self.levels]
        grounds = [game.ground() for game in games]
        self.rows = max(ground[0] for ground in grounds)
        self.columns = max(ground[1] for ground in grounds)
        kinds = [kind for ground in grounds for kind in ground[2]]
        kinds += [sprite for ground in grounds for sprite in ground[3]]
        if not grounds[0][3]:
            kinds += [kind for game in games for kind, _, _ in game.figures()]
            kinds += _KINDS.get(families.pop(), [])
        #: What each plane shows.
        self.planes = list(dict.fromkeys(kinds))
        letters = _LETTERS.get(self.levels[0].family, "udlr")
        self._letters = letters
        #: The actions by their numbers.
        self.actions = ACTIONS[: len(letters)]
        self.action_space = spaces.Discrete(len(letters))
        shape = (self.rows, self.columns, len(self.planes))
        if observation == "rgb":
            shape = (_SIDE * self.rows, _SIDE * self.columns, 3)
        self.observation_space = spaces.Box(0, 255, shape, np.uint8)
        self._games: dict[int, Game] = dict(enumerate(games))
        self.game = games[0]
        self._colours = [_colours(game) for game in games]
        self._colour = self._colours[0]
        self._before: int | None = None
        self._optimum: int | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins a level anew: one at random, or `options["level"]`."""
        super().reset(seed=seed)
        number = (options or {}).get("level")
        if number is None:
            number = int(self.np_random.integers(len(self.levels)))
        self.game, self._colour = self._games[number], self._colours[number]
        self.game.reset()
        if self.reward == "distance":
            self._optimum = self._before = self.game.distance(states=self.states)
        return self._observed(), self._info()

    def step(
        self, action: np.int64 | int
    ) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Makes a move; one that is not possible changes nothing."""
        letter = self._letters[int(action)]
        meant = [move for move in self.game.legal_moves() if move[:1].lower() == letter]
        if meant:
            self.game.step(meant[0])
        solved = self.game.is_solved
        dead = self.ends_when_dead and not solved and self._is_dead()
        return self._observed(), self._earned(solved), solved or dead, False, self._info()

    def action_mask(self) -> NDArray[np.int8]:
        """Which actions are possible: 1 or 0 for each."""
        return self._mask(self.game.legal_moves())

    def render(self) -> Any:
        """The position, as `render_mode` says."""
        if self.render_mode == "ansi":
            return self.game.board
        if self.render_mode == "rgb_array":
            return self._picture()
        return None

    def _mask(self, moves: list[str]) -> NDArray[np.int8]:
        mask = np.zeros(len(self._letters), np.int8)
        for move in moves:
            letter = move[:1].lower()
            if letter in self._letters:
                mask[self._letters.index(letter)] = 1
        return mask

    def _is_dead(self) -> bool:
        return self.game.is_dead(states=self.states) is True

    def _earned(self, solved: bool) -> float:
        if self.reward == "sparse" or self._optimum is None:
            return float(solved)
        now = 0 if solved else self.game.distance(states=self.states)
        before, self._before = self._before, now
        if now is None:
            return -1.0 if before is not None and self._is_dead() else 0.0
        return 0.0 if before is None or not self._optimum else (before - now) / self._optimum

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self.action_mask()}
        if "distance" in self.said:
            info["distance"] = self.game.distance(states=self.states)
        if "dead" in self.said:
            info["dead"] = self.game.is_dead(states=self.states)
        if "optimal_actions" in self.said:
            best = self.game.optimal_moves(states=self.states)
            info["optimal_actions"] = None if best is None else self._mask(best)
        return info

    def _observed(self) -> Observation:
        return self._picture() if self.observation == "rgb" else self._grid()

    def _grid(self) -> Observation:
        grid = np.zeros((self.rows, self.columns, len(self.planes)), np.uint8)
        rows, columns, squares, sprites = self.game.ground()
        for at, kind in enumerate(squares):
            grid[at // columns, at % columns, self.planes.index(kind)] = 1
        for kind, places, number in self.game.figures():
            name, value = (sprites[number], 1) if sprites else (kind, min(number + 1, 255))
            plane = self.planes.index(name)
            for row, column in places:
                grid[row, column, plane] = max(grid[row, column, plane], value)
        return grid

    def _picture(self) -> Observation:
        """Five by five dots for each square."""
        picture = np.zeros((_SIDE * self.rows, _SIDE * self.columns, 3), np.uint8)
        rows, columns, squares, sprites = self.game.ground()
        for at, kind in enumerate(squares):
            _paint(picture, (at // columns, at % columns), self._colour[kind])
        for kind, places, number in self.game.figures():
            for place in places:
                _paint(picture, place, self._colour[sprites[number] if sprites else kind])
        return picture


def _paint(picture: Observation, place: tuple[int, int], dots: NDArray[np.int16]) -> None:
    row, column = place[0] * _SIDE, place[1] * _SIDE
    square = picture[row : row + _SIDE, column : column + _SIDE]
    shown = dots[:, :, 0] >= 0
    square[shown] = dots[shown].astype(np.uint8)


_PAINT = {
    "wall": (70, 70, 90),
    "floor": (220, 210, 190),
    "goal": (240, 150, 150),
    "target": (240, 150, 150),
    "box": (170, 110, 40),
    "player": (40, 90, 200),
    "snow": (250, 250, 255),
    "balls": (160, 190, 230),
}


class _Dots(dict[str, NDArray[np.int16]]):
    """The dots of each thing; those that have no colour of their own get one by their names."""

    def __missing__(self, kind: str) -> NDArray[np.int16]:
        dots = np.full((_SIDE, _SIDE, 3), -1, np.int16)
        seed = sum(ord(letter) * (at + 7) for at, letter in enumerate(kind))
        colour = _PAINT.get(kind, (60 + seed % 180, 60 + seed // 7 % 180, 60 + seed // 31 % 180))
        inner = slice(None) if kind in ("wall", "floor", "goal", "target") else slice(1, 4)
        dots[inner, inner] = colour
        self[kind] = dots
        return dots


def _colours(game: Game) -> _Dots:
    colours = _Dots()
    for name, runs in game._native.sprites():
        dots = np.full((_SIDE, _SIDE, 3), -1, np.int16)
        for (row, column), colour in runs.items():
            if row < _SIDE and column < _SIDE:
                dots[row, column] = _rgb(colour)
        colours[name] = dots
    return colours


def _rgb(colour: str) -> tuple[int, int, int]:
    digits = colour.removeprefix("#")
    if len(digits) == 3:
        digits = "".join(digit * 2 for digit in digits)
    return int(digits[0:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)

if "unstuck/Puzzle-v0" not in gymnasium.registry:
    gymnasium.register(id="unstuck/Puzzle-v0", entry_point="unstuck.gym:PuzzleEnv")
