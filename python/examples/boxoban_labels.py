"""Exact labels for Boxoban, and for any positions on the way: JSON Lines on standard output.

    python boxoban_labels.py boxoban-levels/medium/train/000.txt --walks 8 > labels.jsonl
"""

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator

import unstuck


def positions(levels: list[unstuck.Level], walks: int) -> Iterator[tuple[unstuck.Level, str]]:
    """Each level, and the ends of random walks from its start."""
    chance = random.Random(1)
    for level in levels:
        yield level, ""
        game = unstuck.Game(level)
        for _ in range(walks):
            game.reset()
            for _ in range(chance.randrange(5, 40)):
                game.step(chance.choice(game.legal_moves()))
            yield level, "".join(game.moves)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--walks", type=int, default=0)
    given = parser.parse_args()
    levels = unstuck.read_file(given.file, family="sokoban")
    items = levels if not given.walks else list(positions(levels, given.walks))
    begun, count = time.perf_counter(), 0
    for row in unstuck.label(items):
        print(json.dumps(row.as_dict()))
        count += 1
    seconds = time.perf_counter() - begun
    print(f"{count} labels, {count / seconds:.0f} a second", file=sys.stderr)


if __name__ == "__main__":
    main()
