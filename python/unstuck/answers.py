"""Answers as dataclasses: the objects that the program prints with `--json`.

Made from `docs/schema.json` by `python/make_answers.py`; not to be changed by hand.
"""

# ruff: noqa: E501

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from ._answer import Answer

__all__ = [
    "CheckAnswer",
    "ConstrainedAnswer",
    "Core",
    "DecodeAnswer",
    "DeducedFact",
    "Deductions",
    "DiagnoseAnswer",
    "Difficulty",
    "EnumerateAnswer",
    "ErrorReport",
    "ExplainAnswer",
    "ExportAnswer",
    "ExportedFile",
    "ForcedFactsAnswer",
    "ForcedPush",
    "ForcedPushesAnswer",
    "Frame",
    "GenerateAnswer",
    "HintAnswer",
    "HorizonReport",
    "InvalidAnswer",
    "JudgedMove",
    "Length",
    "LevelDifficultyAnswer",
    "LevelFacts",
    "LostPieces",
    "NeededAnswer",
    "PackLocation",
    "Part",
    "PartReport",
    "PlansWithout",
    "ProveAnswer",
    "Reason",
    "RecordedReport",
    "ReplayAnswer",
    "RuleUse",
    "SearchCounts",
    "SolutionReport",
    "SolveAnswer",
    "StageReport",
    "Term",
    "UndecidedAnswer",
    "Violation",
]

@dataclass(frozen=True, kw_only=True)
class Term(Answer):
    """What an option of the family comes to."""

    option: str
    """The option."""
    value: str
    """Its value in force."""
    rule: str
    """The rule that this is, in words; empty where the value changes nothing."""
    asked: bool
    """Whether it was asked for; else the file decides, or its format, or the family."""
    strict: bool
    """Whether there may be solutions under another value where there are none under this one."""
    _nested: ClassVar[dict[str, Any]] = {}


@dataclass(frozen=True, kw_only=True)
class Length(Answer):
    """The length of a plan."""

    moves: int
    """Moves, pushes among them."""
    pushes: int
    """Pushes."""
    _nested: ClassVar[dict[str, Any]] = {}


@dataclass(frozen=True, kw_only=True)
class Violation(Answer):
    """Why a solution is wrong."""

    move: int | None
    """Number of the first move that breaks a rule, from 1; `None` when all moves are legal and
    only the end is wrong (or when the family has no moves).
    """
    rule: str
    """Name of the rule, the same word that the documentation uses (`"wall"`, `"not-solved"`)."""
    message: str
    """One sentence without a full stop."""
    _nested: ClassVar[dict[str, Any]] = {}


@dataclass(frozen=True, kw_only=True)
class Frame(Answer):
    """One stage of a replay."""

    moves: int
    """Moves made so far."""
    label: str
    """What has just been done, as a word or a piece of the move string; empty for the start."""
    board: str
    """The board."""
    _nested: ClassVar[dict[str, Any]] = {}


@dataclass(frozen=True, kw_only=True)
class ReplayAnswer(Answer):
    """What the moves are, and where they lead."""

    objective: str
    """What a shortest solution is shortest in."""
    reading: str
    """The reading of the rules; empty where there is only one."""
    terms: list[Term]
    """What each option of the family comes to."""
    verdict: Literal["valid", "not-solved", "invalid"]
    """`valid`, `not-solved` or `invalid`."""
    moves: str
    """The moves in the family's own notation."""
    board: str | None
    """The last position, as far as the moves go."""
    facts: dict[str, Any]
    """What else is to be said of it."""
    length: Length | None = None
    """The length of a solution, in families with moves."""
    fault: Violation | None = None
    """The rule that is broken."""
    frames: list[Frame] | None = None
    """The stages, where they were asked for."""
    _nested: ClassVar[dict[str, Any]] = {"terms": [Term], "length": Length, "fault": Violation, "frames": [Frame]}


@dataclass(frozen=True, kw_only=True)
class PackLocation(Answer):
    """Where a packed certificate is: the field `certificate` of a result."""

    shard: int
    """The shard, which has a file of them."""
    offset: int
    """Where in that file it begins."""
    bytes: int
    """How long it is there."""
    sha256: str
    """Its sum."""
    _nested: ClassVar[dict[str, Any]] = {}


@dataclass(frozen=True, kw_only=True)
class ErrorReport(Answer):
    """Why nothing came out: what is wrong, the way out, and where it is in the file."""

    message: str
    """What is wrong."""
    help: str | None
    """The way out."""
    line: int | None
    """The line, from 1."""
    column: int | None
    """The column, from 1."""
    _nested: ClassVar[dict[str, Any]] = {}


@dataclass(frozen=True, kw_only=True)
class SolutionReport(Answer):
    """A solution."""

    moves: str
    """The moves, or what a solution without moves is written as."""
    length: Length | None = None
    """Its length, in families with moves."""
    facts: dict[str, Any] | None = None
    """Facts about it."""
    _nested: ClassVar[dict[str, Any]] = {"length": Length}


@dataclass(frozen=True, kw_only=True)
class HorizonReport(Answer):
    """What a solver was asked."""

    horizon: int
    """The horizon."""
    tie_break_cap: int | None
    """The cap on the tie-break, if there was one."""
    variables: int
    """Number of variables."""
    clauses: int
    """Number of clauses."""
    conflicts: int | None
    """Conflicts, where the solver reports them."""
    rounds: int
    """Rounds in which clauses were found missing and added."""
    answer: str
    """`sat`, `unsat` or the limit that struck."""
    seconds: float
    """Wall-clock time of building and solving."""
    _nested: ClassVar[dict[str, Any]] = {}


@dataclass(frozen=True, kw_only=True)
class SearchCounts(Answer):
    """What explicit search did."""

    expanded: int
    """States whose moves were looked at."""
    states: int
    """States that are known."""
    _nested: ClassVar[dict[str, Any]] = {}


@dataclass(frozen=True, kw_only=True)
class LostPieces(Answer):
    """Pieces that can reach no goal, even alone."""

    pieces: list[tuple[int, int]]
    """Where they are at the start, by row and column from 0."""
    drawing: str
    """The board with these alone."""
    _nested: ClassVar[dict[str, Any]] = {}


@dataclass(frozen=True, kw_only=True)
class RuleUse(Answer):
    """Which rules of a game act in the shortest solutions of a level, by their lines."""

    acting: list[int]
    """Those that act in one of them, or before the first move."""
    idle: list[int]
    """All others."""
    _nested: ClassVar[dict[str, Any]] = {}


@dataclass(frozen=True, kw_only=True)
class RecordedReport(Answer):
    """What comes of a solution that the file records."""

    moves: str
    """The solution."""
    verdict: str
    """Whether it is right, and whether it is shortest, in words."""
    _nested: ClassVar[dict[str, Any]] = {}


@dataclass(frozen=True, kw_only=True)
class StageReport(Answer):
    """What a stage of the schedule did."""

    lane: str
    """The lane of the schedule."""
    engine: str
    """The engine."""
    begun: float
    """When it began, in seconds from the beginning of the run."""
    seconds: float
    """How long it worked."""
    work: int
    """What it counted: states that were expanded, nodes, conflicts, by engine."""
    stopped_by: Literal["time", "memory", "states", "unknown-move", "interrupted", "cancelled"] | None
    """The limit that ended it; `null` where it had nothing left to say."""
    _nested: ClassVar[dict[str, Any]] = {}


@dataclass(frozen=True, kw_only=True)
class SolveAnswer(Answer):
    """What was asked of a level, and what came out of it."""

    number: int
    """Its number in the file."""
    title: str | None
    """The title of the level."""
    puzzle: str
    """The family."""
    id: str | None
    """The level's own name; none where it is broken."""
    objective: str
    """What a shortest solution is shortest in."""
    after: str | None = None
    """Moves that were made before."""
    wishes: str | None = None
    """Constraints."""
    text: str | None = None
    """The level itself, in a store."""
    certificate: PackLocation | None = None
    """Where a store has the certificate."""
    reading: str
    """The reading of the rules; empty where there is only one."""
    terms: list[Term] | None
    """What each option of the family comes to."""
    verdict: Literal["solved", "unsolvable", "no-solution-within", "unknown"]
    """The verdict in one word; `error` and `crashed` say that there is none."""
    exit: Literal[0, 20, 21, 30]
    """The exit code of the level alone."""
    error: ErrorReport | None = None
    """Why nothing came out."""
    sentence: str
    """The verdict as a sentence."""
    horizon: int | None
    """The horizon within which there is no solution, where that is the verdict."""
    stopped_by: Literal["time", "memory", "states", "unknown-move", "interrupted"] | None
    """The limit that struck."""
    solution: SolutionReport | None
    """The best solution."""
    lower: int | None
    """No solution is shorter, in what the objective counts first."""
    upper: int | None
    """The length of the best solution, in the same."""
    optimal: bool | None
    """Whether the solution is shortest."""
    tie_break_optimal: bool | None
    """Whether its tie-break is least, too."""
    certified: bool
    """Whether a certificate was written and checked."""
    shown_by: str | None
    """What showed the verdict."""
    encoding: str
    """The name of the encoding."""
    horizons: list[HorizonReport]
    """What solvers were asked."""
    search: SearchCounts | None
    """What explicit search did."""
    seconds: float
    """Wall-clock time."""
    peak_memory_bytes: int | None
    """The most memory that the process has held, where the system says so."""
    lost: LostPieces | None = None
    """Pieces that can reach no goal, and a drawing of them."""
    optimal_plans: int | str | None = None
    """A number, or a text where it is larger than others can read."""
    unique: bool | None = None
    """Whether there is no other shortest solution; `null` where that is not known."""
    all_found: bool | None = None
    """Whether there are no solutions beside these."""
    others: list[SolutionReport] | None = None
    """Further solutions, of families without moves."""
    rules: RuleUse | None = None
    """Which rules of the game act in shortest solutions."""
    recorded: list[RecordedReport] | None = None
    """What comes of the solutions that the file records."""
    not_certified: str | None = None
    """Why there is no certificate, where one was wanted."""
    stages: list[StageReport] | None = None
    """What the stages of the schedule did; not kept."""
    _nested: ClassVar[dict[str, Any]] = {"certificate": PackLocation, "terms": [Term], "error": ErrorReport, "solution": SolutionReport, "horizons": [HorizonReport], "search": SearchCounts, "lost": LostPieces, "others": [SolutionReport], "rules": RuleUse, "recorded": [RecordedReport], "stages": [StageReport]}


@dataclass(frozen=True, kw_only=True)
class ConstrainedAnswer(Answer):
    """What the answer to a question about a level has beside its own fields."""

    number: int
    """Its number in the file, from 1."""
    title: str | None
    """Its title."""
    puzzle: str
    """The family."""
    id: str | None
    """The same for the same level, wherever it is."""
    objective: str
    """What a shortest solution is shortest in."""
    reading: str | None
    """The reading of the rules; empty where there is only one."""
    terms: list[Term] | None
    """What each option of the family comes to."""
    after: str | None
    """Moves that were made before."""
    wishes: str
    """Constraints."""
    verdict: Literal["solved", "unsolvable", "unknown"]
    """The verdict in one word; `error` and `crashed` say that there is none."""
    exit: Literal[0, 20, 30]
    """The exit code of the level alone."""
    solution: SolutionReport | None
    """The best solution."""
    lower: int | None
    """No solution is shorter, in what the objective counts first."""
    upper: int | None
    """The length of the best solution, in the same."""
    optimal: bool
    """Whether the solution is shortest."""
    certified: bool
    """Whether a certificate was written and checked."""
    shown_by: str | None
    """What showed the verdict."""
    seconds: float
    """Wall-clock time."""
    stop: Literal["time", "memory", "states", "unknown-move", "interrupted"] | None
    _nested: ClassVar[dict[str, Any]] = {"terms": [Term], "solution": SolutionReport}


@dataclass(frozen=True, kw_only=True)
class HintAnswer(Answer):
    """What the answer to a question about a level has beside its own fields."""

    number: int
    """Its number in the file, from 1."""
    title: str | None
    """Its title."""
    puzzle: str
    """The family."""
    id: str | None
    """The same for the same level, wherever it is."""
    objective: str
    """What a shortest solution is shortest in."""
    reading: str
    """The reading of the rules; empty where there is only one."""
    terms: list[Term]
    """What each option of the family comes to."""
    after: str | None
    """Moves that were made before."""
    wishes: str | None
    """Constraints."""
    sentence: str
    """What it says of the rest of the game."""
    degree: Literal["solvable", "piece", "move", "plan"]
    """How much is wanted."""
    solvable: bool | None
    """Whether there is a solution from here; not known when a limit struck first."""
    rest: int | None
    """What the shortest solution from here costs."""
    at_least: int | None
    """What every solution from here costs at least, where there may be one."""
    at_most: int | None
    """What the solution costs that the hint is taken from, where it need not be a shortest
    one; in the objective's primary count.
    """
    pieces: list[str] | None
    """What is pushed next."""
    pushes: list[str] | None
    """The next pushes, in words."""
    moves: str | None
    """The moves up to and with the last of them."""
    board: str | None
    """The board after them."""
    stop: Literal["time", "memory", "states", "unknown-move", "interrupted"] | None
    """The limit that struck."""
    seconds: float
    """Wall-clock time."""
    _nested: ClassVar[dict[str, Any]] = {"terms": [Term]}


@dataclass(frozen=True, kw_only=True)
class JudgedMove(Answer):
    """A move and what it did."""

    move: str
    """The move in the family's notation."""
    class_: Literal["free", "costly", "fatal"] | None
    """What it did, where that is known; nothing in a game that was lost before."""
    cost: int | None
    """By how much it made the shortest solution longer, in the objective's primary count."""
    _nested: ClassVar[dict[str, Any]] = {}
    _names: ClassVar[dict[str, str]] = {"class": "class_"}


@dataclass(frozen=True, kw_only=True)
class Part(Answer):
    """A part of a level."""

    kind: str
    """What it is, in one word: `wall`, `box`."""
    name: str
    """What it is and where, for people: `box (2,3)`, rows and columns from 1."""
    cells: list[list[int]]
    """Row and column of its cells: from 0 here, from 1 where they are written."""
    _nested: ClassVar[dict[str, Any]] = {}


@dataclass(frozen=True, kw_only=True)
class Reason(Answer):
    """Why a game is lost."""

    kind: Literal["bound", "parts", "search"]
    """What shows it: `bound`, `parts` or `search`."""
    text: str
    """One sentence without a full stop."""
    parts: list[Part]
    """The parts that are lost by themselves, where that is the reason."""
    _nested: ClassVar[dict[str, Any]] = {"parts": [Part]}


@dataclass(frozen=True, kw_only=True)
class DiagnoseAnswer(Answer):
    """What the answer to a question about a level has beside its own fields."""

    number: int
    """Its number in the file, from 1."""
    title: str | None
    """Its title."""
    puzzle: str
    """The family."""
    id: str | None
    """The same for the same level, wherever it is."""
    objective: str
    """What a shortest solution is shortest in."""
    reading: str
    """The reading of the rules; empty where there is only one."""
    terms: list[Term]
    """What each option of the family comes to."""
    after: str | None
    """Moves that were made before."""
    wishes: str | None
    """Constraints."""
    sentence: str
    """Where it went wrong."""
    fatal: int | None
    """The number of the move that lost the game, from 1."""
    moves: list[JudgedMove]
    """The moves, as far as they are legal."""
    reason: Reason | None
    """Why the game is lost, where that was asked (see [`super::reasons`])."""
    solved: bool
    """Whether the game is solved at its end, by a walk at most where walking costs nothing."""
    optimum: int | None
    """What a shortest solution of the level costs."""
    rest: int | None
    """What the shortest end of the game costs from its last position."""
    wasted: int | None
    """What was lost before the fatal move, where all of it is known."""
    solvable_after: int | None
    """After so many moves there is a solution, and after no more that is known of."""
    lost_after: int | None
    """After so many moves there is none, and after no fewer that is known of; 0 when the level
    has no solution.
    """
    illegal: Violation | None
    """The first move that is not legal."""
    board: str | None
    """The board before the fatal move, else at the end."""
    positions: int
    """Positions that search looked at."""
    stop: Literal["time", "memory", "states", "unknown-move", "interrupted"] | None
    """The limit that left something open."""
    certificate: str | None
    """Where the certificate was written."""
    seconds: float
    """Wall-clock time."""
    _nested: ClassVar[dict[str, Any]] = {"terms": [Term], "moves": [JudgedMove], "reason": Reason, "illegal": Violation}


@dataclass(frozen=True, kw_only=True)
class EnumerateAnswer(Answer):
    """What the answer to a question about a level has beside its own fields."""

    number: int
    """Its number in the file, from 1."""
    title: str | None
    """Its title."""
    puzzle: str
    """The family."""
    id: str | None
    """The same for the same level, wherever it is."""
    objective: str
    """What a shortest solution is shortest in."""
    reading: str
    """The reading of the rules; empty where there is only one."""
    terms: list[Term]
    """What each option of the family comes to."""
    after: str | None
    """Moves that were made before."""
    wishes: str | None
    """Constraints."""
    sentence: str
    """How many there are."""
    optimum: int | None
    """What an optimal plan costs, where that is known."""
    at_least: int | None
    """What every plan costs at least, where that is known."""
    optimal_plans: int | str | None
    """The number of optimal plans, up to exchanges; not known when a limit struck, or when it
    does not fit into 128 bits. For programs a number, or a text where it is larger than
    others can read.
    """
    complete: bool
    """Whether that number is known."""
    plans: list[str]
    """The moves of plans, one for each class, as many as were wanted."""
    all_listed: bool
    """Whether these are all."""
    common: list[str] | None
    """Pushes that every optimal plan makes, as often as each does, in the order of a first
    plan; in words.
    """
    positions: int
    """Positions on optimal plans, the start and the ends included."""
    solvable: bool | None
    """Whether there is a plan, where that is known."""
    stop: Literal["time", "memory", "states", "unknown-move", "interrupted"] | None
    """The limit that struck."""
    rules: RuleUse | None = None
    """Which rules of the game act in the plans, where that was asked (see [`super::rules`])."""
    seconds: float
    """Wall-clock time."""
    _nested: ClassVar[dict[str, Any]] = {"terms": [Term], "rules": RuleUse}


@dataclass(frozen=True, kw_only=True)
class LevelFacts(Answer):
    """What is known of a level."""

    solvable: bool | None
    """Whether there is a solution."""
    optimum: int | None
    """What a shortest one costs (for families with moves)."""
    at_least: int | None
    """What every solution costs at least."""
    solutions: int | None
    """How many there are (for programs where the number fits into 64 bits): optimal plans as
    `enumerate` counts them, or solutions where there are no moves; there only up to 2.
    """
    stop: Literal["time", "memory", "states", "unknown-move", "interrupted"] | None
    """The limit that struck."""
    _nested: ClassVar[dict[str, Any]] = {}


@dataclass(frozen=True, kw_only=True)
class PartReport(Answer):
    """A part and what happens without it."""

    kind: str
    """What it is, in one word: `wall`, `box`."""
    name: str
    """What it is and where, for people: `box (2,3)`, rows and columns from 1."""
    cells: list[list[int]]
    """Row and column of its cells: from 0 here, from 1 where they are written."""
    effect: str
    """What happens, in a word."""
    by: int | None
    """By how much the shortest solution is shorter or longer."""
    without: LevelFacts
    """What is known of the level without it."""
    _nested: ClassVar[dict[str, Any]] = {"without": LevelFacts}


@dataclass(frozen=True, kw_only=True)
class NeededAnswer(Answer):
    """What the answer to a question about a level has beside its own fields."""

    number: int
    """Its number in the file, from 1."""
    title: str | None
    """Its title."""
    puzzle: str
    """The family."""
    id: str | None
    """The same for the same level, wherever it is."""
    objective: str
    """What a shortest solution is shortest in."""
    reading: str
    """The reading of the rules; empty where there is only one."""
    terms: list[Term]
    """What each option of the family comes to."""
    after: str | None
    """Moves that were made before."""
    wishes: str | None
    """Constraints."""
    level: LevelFacts
    """The level itself."""
    parts: list[PartReport]
    """Its parts, in the order of [`unstuck_puzzles::AnyPuzzle::parts`]."""
    seconds: float
    """Wall-clock time."""
    _nested: ClassVar[dict[str, Any]] = {"terms": [Term], "level": LevelFacts, "parts": [PartReport]}


@dataclass(frozen=True, kw_only=True)
class Core(Answer):
    """A set of parts that has no solution by itself."""

    parts: list[Part]
    """The parts."""
    minimal: bool
    """Whether it is known that each of them is needed."""
    level: str
    """The level with these parts and those that cannot be left out, all others gone."""
    _nested: ClassVar[dict[str, Any]] = {"parts": [Part]}


@dataclass(frozen=True, kw_only=True)
class ExplainAnswer(Answer):
    """What the answer to a question about a level has beside its own fields."""

    number: int
    """Its number in the file, from 1."""
    title: str | None
    """Its title."""
    puzzle: str
    """The family."""
    id: str | None
    """The same for the same level, wherever it is."""
    objective: str
    """What a shortest solution is shortest in."""
    reading: str
    """The reading of the rules; empty where there is only one."""
    terms: list[Term]
    """What each option of the family comes to."""
    after: str | None
    """Moves that were made before."""
    wishes: str | None
    """Constraints."""
    solvable: bool | None
    """Whether the level has a solution, if that is known."""
    explanations: list[Core]
    """Different explanations, the smallest first."""
    stop: Literal["time", "memory", "states", "unknown-move", "interrupted"] | None
    """The limit that left something open."""
    certificate: str | None
    """Where the certificate was written."""
    seconds: float
    """Wall-clock time."""
    _nested: ClassVar[dict[str, Any]] = {"terms": [Term], "explanations": [Core]}


@dataclass(frozen=True, kw_only=True)
class PlansWithout(Answer):
    """What plans without a push cost."""

    solvable: bool | None
    """Whether there is one."""
    optimum: int | None
    """What a shortest one costs."""
    at_least: int | None
    """What each costs at least."""
    _nested: ClassVar[dict[str, Any]] = {}


@dataclass(frozen=True, kw_only=True)
class ForcedPush(Answer):
    """A push that all optimal plans make."""

    push: str
    """The push."""
    first: int
    """Which push it is, from 1, where it comes first."""
    last: int
    """Which push it is where it comes last."""
    times: int
    """How often all plans make it at least."""
    only: bool
    """Whether all optimal plans come to one position in which no other push keeps the optimum."""
    without: PlansWithout | None
    """What plans without it cost, where that was asked."""
    _nested: ClassVar[dict[str, Any]] = {"without": PlansWithout}


@dataclass(frozen=True, kw_only=True)
class ForcedPushesAnswer(Answer):
    """What the answer to a question about a level has beside its own fields."""

    number: int
    """Its number in the file, from 1."""
    title: str | None
    """Its title."""
    puzzle: str
    """The family."""
    id: str | None
    """The same for the same level, wherever it is."""
    objective: str
    """What a shortest solution is shortest in."""
    reading: str
    """The reading of the rules; empty where there is only one."""
    terms: list[Term]
    """What each option of the family comes to."""
    after: str | None
    """Moves that were made before."""
    wishes: str | None
    """Constraints."""
    sentence: str
    """How much all plans have in common."""
    solvable: bool | None
    """Whether there is a plan."""
    optimum: int | None
    """What an optimal one costs."""
    at_least: int | None
    """What every plan costs at least."""
    common: list[str] | None
    """The pushes, as often as each is made, in the order of a first plan."""
    steps: list[ForcedPush] | None
    """The same, each once, by when they are made."""
    optimal_plans: int | None
    """The number of optimal plans (for programs where it fits into 64 bits)."""
    stop: Literal["time", "memory", "states", "unknown-move", "interrupted"] | None
    """The limit that struck."""
    seconds: float
    """Wall-clock time."""
    _nested: ClassVar[dict[str, Any]] = {"terms": [Term], "steps": [ForcedPush]}


@dataclass(frozen=True, kw_only=True)
class DeducedFact(Answer):
    """A fact that holds in all solutions."""

    fact: str
    """The name of the variable, such as `joined(0,1;0,2)`."""
    value: bool
    """Whether it is true or false."""
    how: Literal["direct", "contradiction", "search"]
    """How it was found."""
    clauses: int
    """Clauses that the step took; 0 for search."""
    rules: list[str]
    """Their rules."""
    _nested: ClassVar[dict[str, Any]] = {}


@dataclass(frozen=True, kw_only=True)
class ForcedFactsAnswer(Answer):
    """What the answer to a question about a level has beside its own fields."""

    number: int
    """Its number in the file, from 1."""
    title: str | None
    """Its title."""
    puzzle: str
    """The family."""
    id: str | None
    """The same for the same level, wherever it is."""
    objective: str
    """What a shortest solution is shortest in."""
    reading: str
    """The reading of the rules; empty where there is only one."""
    terms: list[Term]
    """What each option of the family comes to."""
    after: str | None
    """Moves that were made before."""
    wishes: str | None
    """Constraints."""
    sentence: str
    """How much all solutions have in common."""
    solvable: bool | None
    """Whether there is a solution."""
    unique: bool | None
    """Whether there is one alone."""
    direct: int
    """Facts that one clause says."""
    contradiction: int
    """Facts whose opposite leads to a contradiction."""
    search: int
    """Facts whose opposite was refuted by search."""
    largest: int | None
    """Clauses of the largest step."""
    stop: Literal["time", "memory", "states", "unknown-move", "interrupted"] | None
    """The limit that struck."""
    steps: list[DeducedFact]
    """The facts, in the order in which they were found."""
    open: list[str] | None
    """Facts of the first solution that do not hold in all, where that is known."""
    seconds: float
    """Wall-clock time."""
    _nested: ClassVar[dict[str, Any]] = {"terms": [Term], "steps": [DeducedFact]}


@dataclass(frozen=True, kw_only=True)
class Difficulty(Answer):
    """How hard a game is; without a known optimum most is unknown."""

    solvable: bool | None
    """Whether there is a solution."""
    optimum: int | None
    """What a shortest plan costs."""
    bound: int | None
    """What the family's bound says at the start: how much of the length can be seen at once."""
    moves: int | None
    """Moves of the plan."""
    pushes: int | None
    """Pushes of the plan."""
    switches: int | None
    """How often a push takes up another piece than the push before."""
    choices: int | None
    """Pushes that are possible in the positions along the plan, all together."""
    optimal: int | None
    """Those of them that keep the optimum."""
    costly: int | None
    """Those that make the rest longer."""
    fatal: int | None
    """Those after which there is no solution."""
    unknown: int | None
    """Those of which that is not known."""
    forced: int | None
    """Positions along the plan in which all pushes but one are fatal."""
    positions: int
    """Positions that search looked at to find the plan."""
    stop: Literal["time", "memory", "states", "unknown-move", "interrupted"] | None
    """The limit that struck."""
    _nested: ClassVar[dict[str, Any]] = {}


@dataclass(frozen=True, kw_only=True)
class Deductions(Answer):
    """How hard it is to find out what all solutions have in common."""

    solvable: bool | None
    """Whether there is a solution."""
    unique: bool | None
    """Whether there is one alone."""
    direct: int
    """Facts that one clause says."""
    contradiction: int
    """Facts whose opposite leads to a contradiction."""
    search: int
    """Facts whose opposite was refuted by search."""
    largest: int | None
    """Clauses of the largest step."""
    stop: Literal["time", "memory", "states", "unknown-move", "interrupted"] | None
    """The limit that struck."""
    _nested: ClassVar[dict[str, Any]] = {}


@dataclass(frozen=True, kw_only=True)
class LevelDifficultyAnswer(Answer):
    """How hard a level is."""

    number: int
    """Its number in the file, from 1."""
    title: str | None
    """Its title."""
    puzzle: str
    """The family."""
    id: str | None
    """The same for the same level, wherever it is."""
    objective: str
    """What a shortest solution is shortest in."""
    reading: str
    """The reading of the rules; empty where there is only one."""
    terms: list[Term]
    """What each option of the family comes to."""
    wishes: str | None
    """Constraints."""
    figures: Difficulty | Deductions
    """The figures, of games or of puzzles without moves."""
    exit: Literal[0, 30]
    """The exit code of the level alone."""
    _nested: ClassVar[dict[str, Any]] = {"terms": [Term], "figures": Difficulty}


@dataclass(frozen=True, kw_only=True)
class ProveAnswer(Answer):
    """A certificate that holds."""

    number: int
    """Its number in the file, from 1."""
    title: str | None
    """Its title."""
    puzzle: str
    """The family."""
    id: str | None
    """The same for the same level, wherever it is."""
    certificate: str
    """The folder."""
    verdict: Literal["valid"]
    """That it holds."""
    claim: str
    """What it shows, as a sentence."""
    objective: str
    """What a shortest solution is shortest in."""
    reading: str
    """The reading of the rules; empty where there is only one."""
    terms: list[Term]
    """What each option of the family comes to."""
    options: dict[str, str]
    """Options of the family."""
    after: str | None
    """Moves that were made before."""
    wishes: str | None
    """Constraints."""
    evidence: str
    """The kind of evidence."""
    bound: str | None
    """The bound that was trusted, if any."""
    moves: str | None
    """The solution."""
    checked: list[str]
    """What was checked, in sentences."""
    trusted: list[str]
    """What was trusted, in sentences."""
    exit: Literal[0, 20, 21]
    """The exit code of the certificate alone."""
    _nested: ClassVar[dict[str, Any]] = {"terms": [Term]}


@dataclass(frozen=True, kw_only=True)
class UndecidedAnswer(Answer):
    """What is known where nothing could be certified."""

    number: int
    """Its number in the file, from 1."""
    title: str | None
    """Its title."""
    puzzle: str
    """The family."""
    id: str | None
    """The same for the same level, wherever it is."""
    objective: str
    """What a shortest solution is shortest in."""
    reading: str
    """The reading of the rules; empty where there is only one."""
    terms: list[Term] | None
    """What each option of the family comes to."""
    verdict: Literal["solved", "unsolvable", "no-solution-within", "unknown"]
    """The verdict in one word; `error` and `crashed` say that there is none."""
    exit: Literal[0, 20, 21, 30]
    """The exit code of the level alone."""
    error: ErrorReport | None = None
    """Why nothing came out."""
    sentence: str
    """The verdict as a sentence."""
    horizon: int | None
    """The horizon within which there is no solution, where that is the verdict."""
    stopped_by: Literal["time", "memory", "states", "unknown-move", "interrupted"] | None
    """The limit that struck."""
    solution: SolutionReport | None
    """The best solution."""
    lower: int | None
    """No solution is shorter, in what the objective counts first."""
    upper: int | None
    """The length of the best solution, in the same."""
    optimal: bool | None
    """Whether the solution is shortest."""
    tie_break_optimal: bool | None
    """Whether its tie-break is least, too."""
    certified: bool
    """Whether a certificate was written and checked."""
    shown_by: str | None
    """What showed the verdict."""
    encoding: str
    """The name of the encoding."""
    horizons: list[HorizonReport]
    """What solvers were asked."""
    search: SearchCounts | None
    """What explicit search did."""
    seconds: float
    """Wall-clock time."""
    peak_memory_bytes: int | None
    """The most memory that the process has held, where the system says so."""
    lost: LostPieces | None = None
    """Pieces that can reach no goal, and a drawing of them."""
    optimal_plans: int | str | None = None
    """A number, or a text where it is larger than others can read."""
    unique: bool | None = None
    """Whether there is no other shortest solution; `null` where that is not known."""
    all_found: bool | None = None
    """Whether there are no solutions beside these."""
    others: list[SolutionReport] | None = None
    """Further solutions, of families without moves."""
    rules: RuleUse | None = None
    """Which rules of the game act in shortest solutions."""
    recorded: list[RecordedReport] | None = None
    """What comes of the solutions that the file records."""
    not_certified: str | None = None
    """Why there is no certificate, where one was wanted."""
    stages: list[StageReport] | None = None
    """What the stages of the schedule did; not kept."""
    certificate: None
    """None."""
    reason: str
    """Why there is none."""
    _nested: ClassVar[dict[str, Any]] = {"terms": [Term], "error": ErrorReport, "solution": SolutionReport, "horizons": [HorizonReport], "search": SearchCounts, "lost": LostPieces, "others": [SolutionReport], "rules": RuleUse, "recorded": [RecordedReport], "stages": [StageReport]}


@dataclass(frozen=True, kw_only=True)
class CheckAnswer(Answer):
    """A certificate that holds, with the board of its level."""

    certificate: str
    """The folder."""
    verdict: Literal["valid"]
    """That it holds."""
    claim: str
    """What it shows, as a sentence."""
    objective: str
    """What a shortest solution is shortest in."""
    reading: str
    """The reading of the rules; empty where there is only one."""
    terms: list[Term]
    """What each option of the family comes to."""
    options: dict[str, str]
    """Options of the family."""
    after: str | None
    """Moves that were made before."""
    wishes: str | None
    """Constraints."""
    evidence: str
    """The kind of evidence."""
    bound: str | None
    """The bound that was trusted, if any."""
    moves: str | None
    """The solution."""
    checked: list[str]
    """What was checked, in sentences."""
    trusted: list[str]
    """What was trusted, in sentences."""
    exit: Literal[0]
    """The exit code of the certificate alone."""
    puzzle: str
    """The family."""
    title: str | None
    """The title of the level."""
    board: str | None
    """The board."""
    _nested: ClassVar[dict[str, Any]] = {"terms": [Term]}


@dataclass(frozen=True, kw_only=True)
class InvalidAnswer(Answer):
    """A certificate that does not hold."""

    certificate: str
    """The folder."""
    verdict: Literal["invalid"]
    """That it does not hold."""
    exit: Literal[1]
    """The exit code."""
    reason: str
    """Why not."""
    _nested: ClassVar[dict[str, Any]] = {}


@dataclass(frozen=True, kw_only=True)
class GenerateAnswer(Answer):
    """A level that was generated."""

    number: int
    """Its number in the file, from 1."""
    puzzle: str
    """The family."""
    seed: int
    """The seed of the random numbers."""
    attempt: int
    """Which attempt succeeded, from 1."""
    text: str
    """The level."""
    solution: SolutionReport
    """A shortest solution."""
    facts: dict[str, Any]
    """Facts about the level."""
    exit: Literal[0]
    """The exit code."""
    _nested: ClassVar[dict[str, Any]] = {"solution": SolutionReport}


@dataclass(frozen=True, kw_only=True)
class ExportedFile(Answer):
    """What was written of a piece."""

    form: Literal["cnf", "dimspec", "pddl", "wcnf"]
    """The format."""
    output: str | None
    """The file; `null` for standard output."""
    map: str | None
    """The map of a formula beside it."""
    domain: str | None
    """The domain of a task beside it."""
    variables: int
    """The number of variables; a task has none."""
    clauses: int
    """The number of clauses."""
    cuts: int
    """The number of clauses that were found missing and added."""
    _nested: ClassVar[dict[str, Any]] = {}


@dataclass(frozen=True, kw_only=True)
class ExportAnswer(Answer):
    """A formula or transition system that was written."""

    number: int
    """Its number in the file, from 1."""
    title: str | None
    """Its title."""
    puzzle: str
    """The family."""
    id: str | None
    """The same for the same level, wherever it is."""
    objective: str
    """What a shortest solution is shortest in."""
    reading: str
    """The reading of the rules; empty where there is only one."""
    terms: list[Term]
    """What each option of the family comes to."""
    left: list[str]
    """Readings of the rules of which the formula says nothing."""
    encoding: str
    """The name of the encoding."""
    horizon: int | None
    """The horizon; `null` where there is none."""
    written: ExportedFile
    """What was written."""
    exit: Literal[0]
    """The exit code."""
    _nested: ClassVar[dict[str, Any]] = {"terms": [Term], "written": ExportedFile}


@dataclass(frozen=True, kw_only=True)
class DecodeAnswer(Answer):
    """What a solver said."""

    number: int
    """Its number in the file, from 1."""
    title: str | None
    """Its title."""
    puzzle: str
    """The family."""
    id: str | None
    """The same for the same level, wherever it is."""
    objective: str
    """What a shortest solution is shortest in."""
    reading: str
    """The reading of the rules; empty where there is only one."""
    terms: list[Term]
    """What each option of the family comes to."""
    left: list[str] | None = None
    """Readings of the rules that may have a solution where this one has none."""
    verdict: Literal["solved", "unsolvable", "no-solution-within", "unknown"]
    """The verdict in one word."""
    exit: Literal[0, 20, 21, 30]
    """The exit code."""
    horizon: int | None = None
    """The horizon of the formula, where there is no solution; `null` where there are no moves."""
    solution: SolutionReport | None = None
    """The solution, replayed."""
    _nested: ClassVar[dict[str, Any]] = {"terms": [Term], "solution": SolutionReport}
