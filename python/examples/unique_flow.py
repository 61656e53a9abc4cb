"""A data set of Flow boards with one solution each, as JSON Lines.

    python unique_flow.py 20 > flow.jsonl
"""

import json
import sys

from unstuck.dataset import PuzzleDataset


def main() -> None:
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    data = PuzzleDataset("flow", size=size, seed=3, width=6, height=6, colours=5)
    for entry in data:
        assert data.score_answer(entry["answer"], entry) == 1.0
        print(json.dumps(entry))


if __name__ == "__main__":
    main()
