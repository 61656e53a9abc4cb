#!/usr/bin/env python3
"""Checks a certificate without any code of the program that wrote it.

    python3 check.py FOLDER

Written from the book's page on certificates alone; needs nothing but Python. It judges

* the sums of all files;
* plans and closed sets of Sokoban, by its own rules (lists that rest on a bound it does not judge);
* every LRAT proof, against the formula beside it.

Whether a formula says what it should it does not know; then the verdict says so.
Exit codes: 0 valid, 1 invalid, 3 valid as far as it was judged.
"""

import hashlib
import json
import os
import sys


class Invalid(Exception):
    """The certificate is wrong."""


def need(condition, reason):
    if not condition:
        raise Invalid(reason)


def read(folder, name, files):
    need(name in files, f"{name} is not listed")
    path = os.path.join(folder, name)
    need(os.path.isfile(path) and not os.path.islink(path), f"{name} is no plain file")
    with open(path, "rb") as file:
        data = file.read()
    need(hashlib.sha256(data).hexdigest() == files[name], f"{name} is not the listed file")
    return data.decode()


# Sokoban

WALLS, GOALS, BOXES, PLAYERS = "#", ".*+oBP", "$*bB", "@+pP"
BOARD = set(WALLS + GOALS + BOXES + PLAYERS + " -_")
STEPS = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}


class Sokoban:
    """A board; a cell is row times width plus column, a state is (player, boxes)."""

    def __init__(self, text):
        rows = [line for line in text.splitlines() if "#" in line and set(line) <= BOARD]
        others = [line for line in text.splitlines() if line.strip() and line not in rows]
        need(rows and not any(set(line) <= BOARD for line in others), "no board that is read here")
        self.width = max(map(len, rows))
        rows = [row.ljust(self.width) for row in rows]
        self.height = len(rows)
        cells = {r * self.width + c: rows[r][c] for r in range(self.height) for c in range(self.width)}
        self.open = {cell for cell, tile in cells.items() if tile not in WALLS}
        self.goals = {cell for cell, tile in cells.items() if tile in GOALS}
        boxes = tuple(sorted(cell for cell, tile in cells.items() if tile in BOXES))
        players = [cell for cell, tile in cells.items() if tile in PLAYERS]
        need(len(players) == 1, "not one player")
        self.start = (players[0], boxes)

    def beside(self, cell, step):
        row, column = divmod(cell, self.width)
        row, column = row + step[0], column + step[1]
        inside = 0 <= row < self.height and 0 <= column < self.width
        cell = row * self.width + column
        return cell if inside and cell in self.open else None

    def move(self, state, step):
        """The state after a move and whether it pushes; None when it is not possible."""
        player, boxes = state
        ahead = self.beside(player, step)
        if ahead is None:
            return None
        if ahead not in boxes:
            return (ahead, boxes), False
        beyond = self.beside(ahead, step)
        if beyond is None or beyond in boxes:
            return None
        return (ahead, tuple(sorted(set(boxes) - {ahead} | {beyond}))), True

    def solved(self, state):
        return set(state[1]) <= self.goals

    def region(self, state):
        """All states that differ by a walk only."""
        found, left = {state}, [state]
        while left:
            here = left.pop()
            for step in STEPS.values():
                moved = self.move(here, step)
                if moved and not moved[1] and moved[0] not in found:
                    found.add(moved[0])
                    left.append(moved[0])
        return found

    def replay(self, plan):
        """The cost of a plan as (moves, pushes)."""
        state, pushes = self.start, 0
        for number, letter in enumerate(plan, 1):
            moved = self.move(state, STEPS[letter.lower()]) if letter.lower() in STEPS else None
            need(moved and moved[1] == letter.isupper(), f"moves.txt: move {number} is not possible")
            state, pushes = moved[0], pushes + moved[1]
        need(self.solved(state), "moves.txt: not every box is on a goal at the end")
        return len(plan), pushes

    def closed(self, text, claim, count_pushes):
        """Verifies a closed set; a budget of None stands for any cost."""
        lines = text.splitlines()
        need(lines[:1] == ["unstuck closed set 1"] and len(lines) >= 4, "no closed set")
        budget = lambda word: None if word == "*" else int(word)
        need(lines[1] == f"claim {'*' if claim is None else claim}", "the list has another claim")
        if lines[2] != "bound none":
            return False
        need(lines[3] == f"entries {len(lines) - 4}", "not as many entries as announced")
        group = self.region if count_pushes else lambda state: {state}
        listed = {}
        for line in lines[4:]:
            words = line.split(" ")
            cells = [int(word) for word in words[1:]]
            state = (cells[0], tuple(cells[1:]))
            fits = len(state[1]) == len(self.start[1]) and set(cells) <= self.open
            need(fits and sorted(set(state[1])) == list(state[1]) and state[0] not in state[1],
                 f"no state: {line}")
            need(state == min(group(state)) and state not in listed, f"no entry: {line}")
            listed[state] = budget(words[0])

        def covered(state, left):
            least = min(group(state))
            if least not in listed:
                return False
            has = listed[least]
            return has is None or (left is not None and has >= left)

        need(covered(self.start, claim), "the start is not listed with the claim")
        for entry, has in listed.items():
            for state in group(entry):
                need(not self.solved(state), f"a solved state is listed: {state}")
                for step in STEPS.values():
                    moved = self.move(state, step)
                    if not moved:
                        continue
                    cost = int(moved[1]) if count_pushes else 1
                    left = None if has is None else has - cost
                    if left is None or left >= 0:
                        need(covered(moved[0], left), f"not closed: {state} to {moved[0]}")
        return True


# LRAT

def formula(text):
    lines = [line for line in text.splitlines() if not line.startswith("c")]
    head = lines[0].split()
    need(head[:2] == ["p", "cnf"], "no header")
    clauses, clause = [], []
    for word in " ".join(lines[1:]).split():
        if word == "0":
            clauses.append(clause)
            clause = []
        else:
            clause.append(int(word))
    need(not clause and len(clauses) == int(head[3]), "not as many clauses as announced")
    return clauses


def lrat(name, clauses, text):
    """Verifies a refutation, by unit propagation through the hints."""
    known = dict(enumerate(clauses, 1))
    for number, line in enumerate(text.splitlines(), 1):
        where = f"{name} line {number}"
        words = line.split()
        if not words or words[0] == "c":
            continue
        if words[1:2] == ["d"]:
            for word in words[2:-1]:
                need(known.pop(int(word), None) is not None, f"{where}: deletes what is not there")
            continue
        end = words.index("0", 1)
        lemma, hints = [int(word) for word in words[1:end]], [int(word) for word in words[end + 1:-1]]
        true, conflict = {-lit for lit in lemma}, any(-lit in lemma for lit in lemma)
        for hint in hints:
            need(not conflict and hint in known, f"{where}: hint {hint}")
            left = {lit for lit in known[hint] if -lit not in true}
            need(len(left) <= 1, f"{where}: hint {hint} is no unit clause")
            conflict = not left
            true |= left
        need(conflict, f"{where}: the hints end without a conflict")
        if not lemma:
            return
        need(int(words[0]) not in known, f"{where}: a number is used twice")
        known[int(words[0])] = lemma
    raise Invalid(f"{name}: the empty clause is missing")


def main(folder):
    with open(os.path.join(folder, "certificate.json"), encoding="utf-8") as file:
        about = json.load(file)
    need(about["schema"] == 1, "another schema")
    if any(about.get(name) for name in ("after", "forbid", "require")):
        print("not judged: this checker knows neither moves before nor wishes")
        return 3
    files = about["files"]
    texts = {name: read(folder, name, files) for name in files}
    claim, cost, objective = about["claim"], about["cost"], about["objective"].split(",")[0]
    need(claim in ("unsolvable", "unique") or objective != "any", "`any` has no cost")
    excluded = {"optimal": lambda: cost - 1, "nothing-within": lambda: cost}.get(claim, lambda: None)()
    judged = []
    complete = False
    if about["family"] == "sokoban":
        need(claim != "unique", "a game with moves has no single solution")
        board = Sokoban(texts["puzzle.txt"])
        if claim == "optimal":
            moves, pushes = board.replay(texts["moves.txt"].strip())
            need(cost == (moves if objective == "moves" else pushes), "the plan has another cost")
            judged.append("the plan")
            complete = cost == 0
        if "closed-set.txt" in texts:
            complete = board.closed(texts["closed-set.txt"], excluded, objective != "moves")
            judged.extend(["the closed set"] * complete)
    for name in sorted(name for name in texts if name.endswith(".lrat")):
        stem = name[: -len(".lrat")]
        lrat(name, formula(texts[f"{stem}.cnf"]), texts[name])
        judged.append(name)
    options = {key: value for key, value in about["options"].items()}
    question = f"{about['family']}, {options}, objective {about['objective']}, {about['reading']!r}"
    claimed = claim if cost is None else f"{claim} {cost}"
    word = "valid" if complete else "valid as far as it was judged"
    print(f"{word}: {question}: {claimed}; judged: {', '.join(judged) or 'the sums'}")
    return 0 if complete else 3


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1]))
    except (Invalid, KeyError, ValueError, IndexError, TypeError, OSError) as error:
        print(f"invalid: {error}")
        sys.exit(1)
