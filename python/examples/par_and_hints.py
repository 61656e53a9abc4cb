"""Par, hints and dead ends for a randomizer or a level set: one JSON object a level.

    python par_and_hints.py levels.xsb --states 200000

The same table comes out on every machine: work is limited by states and not by time. Where a shortest
solution was not found within them, `par` is the length of the best one, and `exact` says so. Where none
was found at all, any is looked for, in a hundred times as many states.
"""

import argparse
import json

import unstuck


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--states", type=int, default=100_000)
    parser.add_argument("--timeout", type=float, help="seconds for a level, instead of states")
    given = parser.parse_args()
    states = None if given.timeout else given.states
    for level in unstuck.read_file(given.file, broken="skip"):
        objective = level.objectives[0]
        answer = level.solve(states=states, timeout=given.timeout, objective=objective)
        best, par = answer, answer.upper
        if answer.verdict == "unknown" and objective != "any":
            more = None if states is None else 100 * states
            best = level.solve(states=more, timeout=given.timeout, objective="any")
            if best.solution:
                par = getattr(best.solution.length, objective.split(",")[0])
        moves = best.solution.moves if best.solution else None
        row = {
            "level": level.number,
            "title": level.title,
            "verdict": best.verdict,
            "par": par,
            "at_least": answer.lower,
            "exact": answer.optimal,
            "hints": hints(level, moves) if moves else [],
        }
        print(json.dumps(row), flush=True)


def hints(level: unstuck.Level, moves: str) -> list[str]:
    """What to tell a player who asks three times: after a third of the solution, and two thirds."""
    return [moves[: len(moves) * part // 3] for part in (1, 2)]


if __name__ == "__main__":
    main()
