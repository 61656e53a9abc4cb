"""The module in Rust. Use the package `unstuck`, which makes its answers readable."""

from typing import final

VERSION: str

def run(arguments: list[str], own: list[str]) -> int: ...
def families() -> str: ...
def read(
    text: str,
    family: str | None,
    extension: str | None,
    options: dict[str, str],
    skips: bool,
) -> list[Level]: ...
@final
class Level:
    text: str
    title: str | None
    number: int
    line: int
    options: dict[str, str]
    solutions: list[str]
    warnings: list[str]
    family: str
    id: str
    has_moves: bool
    objectives: list[str]
    def formats(self) -> dict[str, str]: ...
    def solve(
        self,
        *,
        objective: str | None,
        engine: str,
        after: str | None,
        horizon: int | None,
        solutions: int,
        states: int | None,
        timeout: float | None,
        memory: int | None,
        threads: int | None,
    ) -> tuple[str, bool]: ...
    def hint(
        self,
        *,
        after: str | None,
        degree: str,
        steps: int,
        objective: str | None,
        timeout: float | None,
        memory: int | None,
    ) -> tuple[str, bool]: ...
    def diagnose(
        self,
        moves: str,
        *,
        objective: str | None,
        timeout: float | None,
        memory: int | None,
    ) -> tuple[str, bool]: ...
    def enumerate(
        self,
        *,
        count: int,
        after: str | None,
        objective: str | None,
        timeout: float | None,
        memory: int | None,
    ) -> tuple[str, bool]: ...
    def replay(self, moves: str, *, style: str, frames: bool, every_move: bool) -> str: ...
    def draw(self, style: str) -> str | None: ...

@final
class Game:
    objective: str
    moves: list[str]
    length: tuple[int, int]
    is_solved: bool
    def __new__(cls, level: Level, objective: str | None) -> Game: ...
    def legal_moves(self) -> list[str]: ...
    def step(self, moves: str) -> None: ...
    def undo(self, count: int) -> None: ...
    def truth(
        self, *, states: int, timeout: float | None
    ) -> tuple[bool | None, int | None, bool]: ...
    def optimal_moves(
        self, *, states: int, timeout: float | None
    ) -> tuple[list[str] | None, bool]: ...
    def figures(self) -> list[tuple[str, list[tuple[int, int]], int]]: ...
    def ground(self) -> tuple[int, int, list[str], list[str]] | None: ...
    def sprites(self) -> list[tuple[str, dict[tuple[int, int], str]]]: ...
    def draw(self, style: str) -> str | None: ...

@final
class Labels:
    pending: int
    def __new__(
        cls,
        *,
        workers: int,
        objective: str | None,
        plans: bool | None,
        count: bool,
        states: int | None,
        timeout: float | None,
    ) -> Labels: ...
    def put(self, level: Level, moves: str | None) -> None: ...
    def take(
        self,
    ) -> tuple[
        bool | None,
        int | None,
        int | None,
        int | None,
        str | None,
        int | None,
        bool | None,
        str | None,
        str | None,
        str,
    ]: ...
    def close(self) -> None: ...
