#!/usr/bin/env python3
"""Checks a certificate without any code of the program that wrote it.

    python3 check.py FOLDER

Written from the book's pages alone; needs nothing but Python. It judges

* the sums of all files;
* plans and closed sets of the four games, by rules of its own (no list that rests on a bound);
* dead patterns of Sokoban that are shown by their pushes, as `prove --lrat` writes them;
* what is claimed of Flow boards of squares: the solution, and that every clause of the formula
  holds in every solution (so a refutation refutes the board);
* every LRAT proof, against the formula beside it.

What it cannot judge it names: formulas of games, wishes, other patterns, other formats.
Exit codes: 0 valid, 1 invalid, 3 valid as far as it was judged.
"""

import hashlib
import itertools
import json
import os
import re
import sys

UP, LEFT, DOWN, RIGHT = STEPS = (-1, 0), (0, -1), (1, 0), (0, 1)


class Invalid(Exception):
    """The certificate is wrong."""


class Unread(Exception):
    """The certificate may be right; this program cannot tell."""


def need(condition, reason):
    if not condition:
        raise Invalid(reason)


def known(condition, reason):
    if not condition:
        raise Unread(reason)


def read(folder, name, files):
    need(os.path.basename(name) == name, f"{name} is no name of a file")
    path = os.path.join(folder, name)
    need(os.path.isfile(path) and not os.path.islink(path), f"{name} is no plain file")
    with open(path, "rb") as file:
        data = file.read()
    need(hashlib.sha256(data).hexdigest() == files[name], f"{name} is not the listed file")
    return data.decode()


class Game:
    """A game with moves. A cell is row times width plus column; a state is a tuple.

    Games have `start`, `moves(state)` with (letter, next, what it counts beside a move),
    `solved(state)` and `state(text)`.
    """

    def board(self, rows):
        """The characters of the board by cell; what a short row lacks is not there."""
        known(rows, "no board that is read here")
        self.width, self.height = max(map(len, rows)), len(rows)
        spots = ((r * self.width + c, tile) for r, row in enumerate(rows) for c, tile in enumerate(row))
        return dict(spots)

    def next(self, cell, step):
        """The open cell beside another one."""
        row, column = divmod(cell, self.width)
        row, column = row + step[0], column + step[1]
        beside = row * self.width + column
        return beside if 0 <= column < self.width and beside in self.open else None

    def played(self, plan, name):
        """The state after a plan, and what it counts beside its moves."""
        state, pushes = self.start, 0
        for number, wanted in enumerate(plan, 1):
            found = [move for move in self.moves(state) if self.is_called(move, wanted)]
            need(len(found) == 1, f"{name}: move {number} is not possible")
            state, pushes = found[0][1], pushes + found[0][2]
        return state, pushes

    def replay(self, plan):
        """The cost of a plan as (moves, what counts beside them)."""
        state, pushes = self.played(plan, "moves.txt")
        need(self.solved(state), "moves.txt: the puzzle is not solved at the end")
        return len(plan), pushes

    def is_called(self, move, wanted):
        return move[0] == wanted.upper()

    def closed(self, text, claim, count_moves):
        """Verifies a closed set: from no listed state the puzzle is solved within its budget.

        A budget is a pair in the order of costs: so much in the first count, so much in the
        tie-break; None is less than any.
        """
        lines = text.splitlines()
        tied = "," in claim
        need(lines[:1] == [f"unstuck closed set {2 if tied else 1}"] and len(lines) >= 4, "no closed set")
        need(lines[1] == f"claim {claim}", "the list has another claim")
        known(lines[2] == "bound none", "a closed set that rests on a bound")
        need(lines[3] == f"entries {len(lines) - 4}", "not as many entries as announced")
        infinite, nothing = float("inf"), (-1, -1)

        def said(word):
            need(re.fullmatch(r"\*|\d+(,\d+)?" if tied else r"\*|\d+", word), f"no budget: {word}")
            numbers = [infinite if number == "*" else int(number) for number in word.split(",")]
            return tuple(numbers) if len(numbers) == 2 else (numbers[0], infinite)

        listed, left = {}, []
        for line in lines[4:]:
            budget, text = line.split(" ", 1)
            left.append((self.state(text), said(budget)))
        # What costs nothing belongs to the same class; where ties are counted every move costs.
        while left:
            state, budget = left.pop()
            if listed.get(state, nothing) >= budget:
                continue
            listed[state] = budget
            if not count_moves and budget[1] == infinite:
                left.extend((move[1], budget) for move in self.moves(state) if not move[2])
        need(listed.get(self.start, nothing) >= said(claim), "the start is not listed with the claim")
        for state, (most, tie) in listed.items():
            need(not self.solved(state), f"a solved state is listed: {state}")
            for _, after, counts in self.moves(state):
                first, second = (1, counts) if count_moves else (counts, 1)
                rest = (most - first, tie - second) if tie >= second else (most - first - 1, infinite)
                need(rest[0] < 0 or listed.get(after, nothing) >= rest, f"not closed: {state} to {after}")


class Sokoban(Game):
    """A state is (player, boxes)."""

    WALLS, GOALS, BOXES, PLAYERS = "#", ".*+oBP", "$*bB", "@+pP"
    FACTS = frozenset(WALLS + GOALS + BOXES + PLAYERS + " -_")

    def __init__(self, text, options, reading):
        rows = [line for line in text.splitlines() if "#" in line and set(line) <= self.FACTS]
        others = [line for line in text.splitlines() if line.strip() and line not in rows]
        known(not any(set(line) <= self.FACTS for line in others), "no board that is read here")
        tiles = self.board(rows)
        every = range(self.width * self.height)
        self.open = {cell for cell in every if tiles.get(cell, " ") not in self.WALLS}
        self.goals = {cell for cell in tiles if tiles[cell] in self.GOALS}
        players = [cell for cell in tiles if tiles[cell] in self.PLAYERS]
        need(len(players) == 1, "not one player")
        self.start = (players[0], tuple(sorted(cell for cell in tiles if tiles[cell] in self.BOXES)))

    def moves(self, state):
        player, boxes = state
        for letter, step in zip("ULDR", STEPS):
            ahead = self.next(player, step)
            if ahead is not None and ahead not in boxes:
                yield letter, (ahead, boxes), 0
            elif ahead is not None:
                beyond = self.next(ahead, step)
                if beyond is not None and beyond not in boxes:
                    yield letter, (ahead, tuple(sorted({*boxes} - {ahead} | {beyond}))), 1

    def solved(self, state):
        return self.goals.issuperset(state[1])

    def state(self, text):
        player, *boxes = map(int, text.split(" "))
        return player, tuple(sorted(boxes))


class Patterns:
    """Judges a list of dead patterns, by the page on them; `dead` ones only, and their sums."""

    def __init__(self, board, text):
        self.board = board
        player, boxes = board.start
        self.floor = self.reach((), player)
        known(self.floor.issuperset(boxes), "boxes that nobody can reach")
        self.goals = board.goals & self.floor
        lines = [line.split(" ") for line in text.splitlines()]
        need(lines.pop(0) == ["unstuck", "patterns", "1"], "no list of patterns")
        self.claim, self.unit = lines.pop(0)[1], int(lines.pop(0)[1])
        need(self.unit in (1, 2), "another unit of waste")
        self.price, self.potential, self.entries, self.sides = {}, {}, [], {}
        self.root = announced = None
        for words in lines:
            if words[0] == "price":
                self.price[self.cell(words[1])] = int(words[2])
            elif words[0] == "potential":
                at, side = map(self.cell, words[1:3])
                self.potential[at, min(self.reach((at,), side))] = int(words[3])
            elif words[0] == "root":
                self.root = list(map(int, words[1:]))
            elif words[0] == "patterns":
                announced = int(words[1])
            else:
                known(words[0] != "zone", "patterns of zones")
                need(int(words[0]) == len(self.entries), "patterns are not in order")
                known(words[1] == "dead", f"patterns of the kind {words[1]}")
                self.entries.append(self.entry(words[2:]))
        need(len(self.entries) == announced, "not as many patterns as announced")

    def cell(self, word):
        row, column = map(int, word.split(","))
        cell = row * self.board.width + column
        need(cell in self.floor and column < self.board.width, f"no cell {word}")
        return cell

    def reach(self, boxes, player):
        found, left = {player}, [player]
        while left:
            cell = left.pop()
            beside = {self.board.next(cell, step) for step in STEPS} - found - set(boxes) - {None}
            found |= beside
            left.extend(beside)
        return frozenset(found)

    def entry(self, words):
        """Value, boxes, the part with the player, and what covers pushes: {(from, step): numbers}."""
        head, *covers = " ".join(words[1:]).split(" : ")
        boxes, player = re.fullmatch(r"pieces (.*) player (\S+)", head).groups()
        boxes, player = [self.cell(word) for word in boxes.split(" ")], self.cell(player)
        need(len({player, *boxes}) == len(boxes) + 1, "two things on one cell")
        ways = dict(zip(("up", "left", "down", "right"), STEPS))
        covers = [cover.split(" ") for cover in covers]
        covers = {(self.cell(cover[0]), ways[cover[1]]): list(map(int, cover[2:])) for cover in covers}
        value = float("inf") if words[0] == "*" else int(words[0])
        return value, frozenset(boxes), self.reach(boxes, player), covers

    def of(self, at, player):
        """The potential of a box; None where it is lost."""
        if (at, player) not in self.sides:
            self.sides[at, player] = self.potential.get((at, min(self.reach((at,), player))))
        return self.sides[at, player]

    def units(self, waste):
        need(waste >= 0 and waste % self.unit == 0, "a potential by which a push gains")
        return waste // self.unit

    def pushes(self, at):
        """(from behind, step, to, what it wastes) of a box; a waste of None loses the box."""
        for step in STEPS:
            to, behind = self.board.next(at, step), self.board.next(at, (-step[0], -step[1]))
            if to is not None and behind is not None:
                before, after = self.of(at, behind), self.of(to, at)
                need(before is not None or after is None, "a push brings a lost box back")
                lost = before is None or after is None
                yield behind, step, to, None if lost else self.units(1 + after - before)

    def judge(self, claim):
        """Verifies that the claim (None: any cost) is excluded."""
        need(self.claim == ("*" if claim is None else str(claim)), "the list has another claim")
        need(set(self.price) == self.goals, "not one price for each goal")
        boxes, player = frozenset(self.board.start[1]), self.board.start[0]
        dear = max(self.price.values(), default=0) > 0
        need(len(self.goals) == len(boxes) or not dear, "a price of a goal that may stay empty")
        for goal in self.goals:
            for beside in self.floor - {goal}:
                need(self.of(goal, beside) is not None, "a box on a goal is said to be lost")
                self.units(-self.price[goal] - self.of(goal, beside))
        self.moves = {at: list(self.pushes(at)) for at in self.floor}
        for value, own, part, covers in self.entries:
            for at in own:
                for behind, step, to, waste in self.moves[at]:
                    if behind in part and to not in own and waste is not None and waste < value:
                        by = covers.get((at, step))
                        need(by and self.sum(by, own - {at} | {to}, at) >= value - waste, "an uncovered push")
            if own <= self.goals:
                side = min(part)
                ends = sum(self.units(-self.price[at] - self.of(at, side)) for at in own)
                empty = self.goals - own if len(own) == len(boxes) < len(self.goals) else ()
                need(ends + sum(-self.price[goal] // self.unit for goal in empty) >= value, "solved too soon")
        lower = [self.of(at, player) for at in boxes]
        if None not in lower:
            waste = self.sum(self.root, boxes, player)
            lower = sum(lower) + sum(self.price.values()) + self.unit * waste
            need(lower == float("inf") or claim is not None and lower > claim, "the claim is not excluded")

    def sum(self, numbers, boxes, player):
        """What disjoint patterns that hold waste together."""
        used, value = set(), 0
        for number in numbers:
            more, own, part, _ = self.entries[number]
            need(player in part and own <= boxes and not own & used, f"pattern {number} does not hold")
            used |= own
            value += more
        return value


class Warehouse(Game):
    """A state is (robot, ((left cell, width), ...))."""

    def __init__(self, text, options, reading):
        blocks = re.split(r"\n[ \t]*(?:\n[ \t]*)+", text.strip("\n"))
        blocks = [[line.rstrip() for line in block.split("\n")] for block in blocks]
        maps = [block for block in blocks if block[0][0] in "#.O[@?"]
        told = "".join("".join(block) for block in blocks if block[0][0] in "^v<>")
        asked = options.get("gps") or "".join(block[0][3:] for block in blocks if block[0][0] == "g")
        self.board([line for line in maps[0]])
        at = lambda r, c: r * self.width + c
        spots = lambda rows, tiles: {(r, c) for r, row in enumerate(rows)
                                     for c, tile in enumerate(row) if tile in tiles}
        boxes = lambda rows: {(r, found.start(), len(found[0])) for r, row in enumerate(rows)
                              for found in re.finditer(r"O|\[=*\]", row)}
        parts = [[spots(rows, ".?O[]=@"), boxes(rows), spots(rows, "@"), spots(rows, ".@")] for rows in maps]
        for _ in range(int(options.get("widen", 0))):
            self.width *= 2
            for part in parts:
                twice = lambda cells: {(r, 2 * c + half) for r, c in cells for half in (0, 1)}
                if options.get("widen-boxes", "double") == "grow":
                    part[1] = {(r, 2 * c, 2 * w) for r, c, w in part[1]}
                else:
                    part[1] = {(r, 2 * c + 2 * k, 2) for r, c, w in part[1] for k in range(w)}
                part[0], part[3] = twice(part[0]), twice(part[3])
                part[2] = {(r, 2 * c) for r, c in part[2]}
        cells = lambda spots: {at(*spot) for spot in spots}
        placed = lambda boxes: tuple(sorted((at(r, c), w) for r, c, w in boxes))
        self.open = cells(parts[0][0])
        self.start = (min(cells(parts[0][2])), placed(parts[0][1]))
        covered = lambda boxes: {left + k for left, width in boxes for k in range(width)}
        if asked:
            sign, number = re.fullmatch(r"\s*(<=|>=|=|)\s*(\d+)\s*", asked).groups()
            number = int(number)
            holds = {"<=": number.__ge__, ">=": number.__le__}.get(sign, number.__eq__)
            score = lambda left: 100 * (left // self.width) + left % self.width
            self.solved = lambda state: holds(sum(score(left) for left, _ in state[1]))
        elif maps[1:]:
            wanted, robot, clear = set(placed(parts[1][1])), cells(parts[1][2]), cells(parts[1][3])
            self.solved = lambda state: (wanted <= set(state[1]) and not covered(state[1]) & clear
                                         and robot <= {state[0]})
        elif told:
            state = self.start
            for letter in told.replace(" ", ""):
                state = next((move[1] for move in self.moves(state) if move[0] == letter), state)
            self.solved = lambda now: now[1] == state[1]
        else:
            self.solved = lambda state: True

    def moves(self, state):
        robot, boxes = state
        at = {left + k: (left, width) for left, width in boxes for k in range(width)}
        for letter, step in zip("^<v>", STEPS):
            ahead = self.next(robot, step)
            pushed, entered = set(), [ahead]
            while entered and None not in entered:
                met = at.get(entered.pop())
                if met and met not in pushed:
                    pushed.add(met)
                    entered.extend(self.next(met[0] + k, step) for k in range(met[1]))
            if None not in entered:
                by = step[0] * self.width + step[1]
                after = tuple(sorted((box[0] + by, box[1]) if box in pushed else box for box in boxes))
                yield letter, (ahead, after), int(bool(pushed))

    def is_called(self, move, wanted):
        return move[0] == wanted

    def state(self, text):
        robot, *boxes = text.split(" ")
        pairs = (box.partition("x") for box in boxes)
        return int(robot), tuple(sorted((int(left), int(width or 1)) for left, _, width in pairs))


class Snowman(Game):
    """A state is (player, snow, ((cell, stack), ...)); a stack is the sum of its sizes 1, 2, 4."""

    def __init__(self, text, options, reading):
        rows = [line for line in text.splitlines() if line.strip() and not line.startswith(";")]
        heads = dict(re.findall(r"(?m)^;\s*(\w+)\s*:\s*(.*?)\s*$", text))
        known(options.get("legend") in ("auto", "published", None) and heads.get("legend", "published")
              == "published" and set("".join(rows)) <= set("X-*#%@&+=T1234567abcdefgU"),
              "a legend that is not read here")
        tiles = self.board(rows)
        cells = lambda letters: {cell for cell in tiles if tiles[cell] in letters}
        self.open = cells("-*#%@&+=T1234567abcdefgU")
        self.doors, self.targets = sorted(cells("TU")), cells("@&+=abcdefg")
        self.apart = options.get("dismantle") in (True, "true") or heads.get("rules") == "dismantle"
        stacks = {cell: "1234567".find(tiles[cell]) + 1 or "abcdefg".find(tiles[cell]) + 1
                  for cell in cells("1234567abcdefg")}
        (player,) = cells("#%@&U")
        self.start = (player, tuple(sorted(cells("*%&="))), tuple(sorted(stacks.items())))

    def moves(self, state):
        player, snow, stacks = state
        for letter, step in zip("WASD", STEPS):
            ahead = self.next(player, step)
            if ahead in self.doors:
                outs = [out for out in self.doors if out not in (ahead, player)]
                yield from ((f"{letter}{self.doors.index(out) + 1}", (out, snow, stacks), 0) for out in outs)
            elif ahead is not None and ahead not in dict(stacks):
                yield letter, (ahead, snow, stacks), 0
            elif ahead is not None:
                yield from self.push(letter, step, ahead, state)

    def push(self, letter, step, ahead, state):
        player, snow, stacks = state[0], set(state[1]), dict(state[2])
        stack, beyond = stacks.pop(ahead), self.next(ahead, step)
        ball = stack & -stack
        onto = stacks.get(beyond, 0)
        if beyond is None or beyond in self.doors or stack == 7 and not self.apart:
            return
        if onto and (stack != ball or onto & -onto <= ball):
            return
        grown = min(2 * ball, 4) if beyond in snow else ball
        stacks[beyond] = onto + grown
        if stack != ball:
            stacks[ahead] = stack - ball
        yield letter, (player if stack != ball else ahead, tuple(sorted(snow - {beyond})),
                       tuple(sorted(stacks.items()))), 1

    def is_called(self, move, wanted):
        return move[0] == wanted.upper() or len(self.doors) == 2 and move[0][:-1] == wanted.upper()

    def solved(self, state):
        return all(stack == 7 and (not self.targets or cell in self.targets) for cell, stack in state[2])

    def state(self, text):
        player, snow, stacks = text.split("/")
        pairs = (word.split(":") for word in stacks.split(",") if word)
        return (int(player), tuple(sorted(int(cell) for cell in snow.split(",") if cell)),
                tuple(sorted((int(cell), int(stack)) for cell, stack in pairs)))


class Sokobond(Game):
    """A state is (atoms, bonds): sorted (cell, letter), the player's a capital, and (a, b, n)."""

    ELECTRONS = {"h": 1, "o": 2, "n": 3, "c": 4, "e": 0}

    def __init__(self, text, options, reading):
        self.strict = reading.startswith("strict")
        lines = text.split("=")[0].rstrip().splitlines()
        two = lines[0].startswith("v2")
        rows = [row[::2] for row in lines[1::2]] if two else lines
        tiles = self.board([row.rstrip() for row in rows])
        self.open = {cell for cell in tiles if tiles[cell] not in "xX"}
        signs = enumerate(lines[2::2] if two else [])
        self.signs = {(r, x // 2): sign for r, line in signs for x, sign in enumerate(line) if sign != " "}
        atoms = [[cell, tiles[cell]] for cell in sorted(tiles) if tiles[cell] not in "xX-"]
        for atom in [atom for atom in atoms if atom[1].isupper()][:-1]:
            atom[1] = atom[1].lower()
        atoms = tuple(map(tuple, atoms))
        groups = [[atom] for atom in sorted(atoms, key=lambda atom: atom[1].islower())]
        bonds = {}
        while True:
            for one, other in itertools.combinations(groups, 2):
                before = len(bonds)
                for (a, _), (b, _) in itertools.product(one, other):
                    free = self.free(atoms, bonds)
                    if free[a] and free[b] and any(self.next(a, step) == b for step in STEPS):
                        bonds[min(a, b), max(a, b)] = 1
                if len(bonds) > before:
                    one.extend(other)
                    groups.remove(other)
                    break
            else:
                break
        self.start = self.packed(atoms, bonds)

    def packed(self, atoms, bonds):
        return tuple(sorted(atoms)), tuple(sorted((a, b, n) for (a, b), n in bonds.items()))

    def free(self, atoms, bonds):
        """Electrons that no bond uses, by cell."""
        free = {cell: self.ELECTRONS[letter.lower()] for cell, letter in atoms}
        for (a, b), n in bonds.items():
            free[a], free[b] = free[a] - n, free[b] - n
        return free

    def swept(self, a, b, step):
        """The modifier that a bond sweeps when an end of it moves across it."""
        (row, column), (other, beside) = divmod(a, self.width), divmod(b, self.width)
        if (other - row, beside - column) in (step, (-step[0], -step[1])) or step is None:
            return None
        return self.signs.get((min(row, other, row + step[0], other + step[0]),
                               min(column, beside, column + step[1], beside + step[1])))

    def motion(self, state, step):
        """Which atoms go where: directions by cell; None when the move is blocked."""
        atoms, bonds = dict(state[0]), {(a, b): n for a, b, n in state[1]}
        (player,) = (cell for cell in atoms if atoms[cell].isupper())
        goes, arrived, left = {}, set(), [(player, None, step)]
        while left:
            while left:
                cell, via, way = left.pop()
                if goes.setdefault(cell, way) != way:
                    return None
                if (cell, via) in arrived:
                    continue
                arrived.add((cell, via))
                for (a, b), n in bonds.items():
                    if cell not in (a, b) or via == a + b - cell:
                        continue
                    other, sign = a + b - cell, self.swept(a, b, way)
                    if sign == "@":
                        left.append((other, cell, next(s for s in STEPS if self.next(other, s) == cell)))
                    elif not (sign == "/" and n == 1):
                        left.append((other, cell, way))
            for cell, way in goes.items():
                ahead = self.next(cell, way)
                if ahead in atoms and ahead not in goes:
                    left.append((ahead, None, way))
        ends = {cell: self.next(cell, goes[cell]) if cell in goes else cell for cell in atoms}
        clash = None in ends.values() or len(set(ends.values())) < len(ends)
        swap = any(ends.get(ends[cell]) == cell != ends[cell] for cell in ends)
        return None if clash or swap else (goes, ends)

    def moves(self, state):
        for letter, step in zip("WASD", STEPS):
            moved = self.motion(state, step)
            after = moved and self.changed(state, *moved)
            if after:
                yield letter, *after

    def changed(self, state, goes, ends):
        """What modifiers and new bonds make of a move: the state, and whether it is an event."""
        atoms = tuple((ends[cell], letter) for cell, letter in state[0])
        pair = lambda a, b: (min(a, b), max(a, b))
        bonds, cut, stronger = {}, set(), []
        for a, b, n in state[1]:
            signs = {self.swept(a, b, goes[end]) for end in (a, b) if end in goes}
            here = pair(ends[a], ends[b])
            if n - ("/" in signs) == 0:
                cut.add(here)
                continue
            bonds[here] = n - ("/" in signs)
            stronger += [here] * ("+" in signs)
        free = self.free(atoms, bonds)
        short = lambda pairs, free: any(sum(cell in it for it in pairs) > free[cell] for cell in free)
        stronger = [(a, b) for a, b in stronger if free[a] and free[b]]
        if short(stronger, free):
            return None
        for here in stronger:
            bonds[here] += 1
        carried, free = dict(bonds), self.free(atoms, bonds)
        still = {ends[cell]: cell not in goes for cell, _ in state[0]}
        candidates = []
        for cell in sorted(still, key=lambda cell: (still[cell], cell)):
            for beside in (self.next(cell, way) for way in (LEFT, RIGHT, UP, DOWN)):
                if beside in still and free[cell] and free[beside]:
                    here = pair(cell, beside)
                    if here not in bonds and here not in cut and here not in candidates:
                        candidates.append(here)
        if self.strict and short(candidates, free):
            return None
        for a, b in candidates:
            if free[a] and free[b]:
                bonds[a, b], free[a], free[b] = 1, free[a] - 1, free[b] - 1
        return self.packed(atoms, bonds), int(not self.idles(state, goes, ends, carried, bonds))

    def idles(self, state, goes, ends, carried, bonds):
        """Whether a move only carried the player's molecule, so that the opposite one leads back."""
        molecule = {cell for cell, letter in state[0] if letter.isupper()}
        for _ in state[1]:
            for a, b, _ in state[1]:
                molecule |= {a, b} if molecule & {a, b} else set()
        before = {(min(ends[a], ends[b]), max(ends[a], ends[b])): n for a, b, n in state[1]}
        bonded = {(a, b): n for a, b, n in state[1]}
        free = self.free(state[0], bonded)
        could = any(free[a] and free.get(self.next(a, step)) and (a, self.next(a, step)) not in bonded
                    for a in free for step in (RIGHT, DOWN))
        return (before == carried == bonds and len(set(goes.values())) == 1
                and set(goes) == molecule and not could)

    def solved(self, state):
        return not any(self.free(state[0], {(a, b): n for a, b, n in state[1]}).values())

    def state(self, text):
        atoms, bonds = [], {}
        for word in text.split(" "):
            if "*" in word:
                a, b, n = map(int, re.split("[-*]", word))
                bonds[a, b] = n
            else:
                atoms.append((int(word[1:]), word[0]))
        return self.packed(atoms, bonds)


GAMES = {"sokoban": Sokoban, "warehouse": Warehouse, "snowman": Snowman, "sokobond": Sokobond}


class Flow:
    """A board of squares; a node is "r,c", or "r,c/0" and "r,c/1" for the lanes of a bridge."""

    def __init__(self, text, options, reading):
        lines = [line.split("//")[0].rstrip() for line in text.splitlines()]
        lines = [line for line in lines if line]
        heads = [re.fullmatch(r"(shape|touch|cover|title|author|note):\s*(.*)", line) for line in lines]
        rules = dict(head.groups() for head in heads if head)
        lines = [line for line, head in zip(lines, heads) if not head]
        orders = [line.split() for line in lines if line[:5] in ("WALL ", "LINK ")]
        rows = [line for line in lines if line[:5] not in ("WALL ", "LINK ")]
        known(rules.get("shape", "square") == "square" and len(set(map(len, rows))) == 1
              and not re.search(r"[ \t{/]", "".join(rows)), "a board that is not read here")
        cover = options["cover"] if options["cover"] != "file" else rules.get("cover", "yes")
        self.cover, self.touch = cover == "yes", reading != "no self-touch"
        tiles = {(r, c): tile for r, row in enumerate(rows) for c, tile in enumerate(row) if tile != "#"}
        spot = lambda word: tuple(map(int, word.split(",")))
        name = lambda cell, way: f"{cell[0]},{cell[1]}" + f"/{way}" * (tiles[cell] == "+")
        cut = {frozenset(map(spot, order[1:3])) for order in orders if order[0] == "WALL"}
        self.nodes = {name(cell, way): cell for cell in tiles for way in (0, 1)}
        self.edges = set()
        for r, c in tiles:
            for way, beside in enumerate([(r + 1, c), (r, c + 1)]):
                if beside in tiles and frozenset([(r, c), beside]) not in cut:
                    self.edges.add(frozenset([name((r, c), way), name(beside, way)]))
        for order in orders:
            ends = [spot(word) for word in order[1:3]]
            if order[0] == "LINK":
                plain = len(order) == 3 and all(tiles.get(end) not in ("+", None) for end in ends)
                known(plain, "a link with sides")
                self.edges.add(frozenset(name(end, 0) for end in ends))
        self.pairs = {}
        for cell, tile in tiles.items():
            if tile not in ".+":
                self.pairs.setdefault(tile, []).append(name(cell, 0))
        known(all(len(ends) == 2 for ends in self.pairs.values()), "labels that are no pairs")
        self.ends = {end: label for label, ends in self.pairs.items() for end in ends}
        self.at = {node: [edge for edge in self.edges if node in edge] for node in self.nodes}

    def solution(self, text):
        """The edges of a solution, which is judged."""
        passed, on = {}, set()
        for line in text.splitlines():
            label, *cells = line.replace(":", "", 1).split() if line[0] != ":" else (":", *line[2:].split())
            path = []
            for before, cell, after in zip([None] + cells, cells, cells[1:] + [None]):
                found = [node for node in self.nodes if node.split("/")[0] == cell]
                ways = [node for node in found if self.joins(node, before) and self.joins(node, after)]
                need(len(ways) == 1, f"the path of {label} is broken at {cell}")
                path += ways
            need(sorted([path[0], path[-1]]) == sorted(self.pairs.pop(label, [])), f"the ends of {label}")
            need(not set(path) & set(passed) and len(set(path)) == len(path), f"{label} meets a path")
            passed.update(dict.fromkeys(path, label))
            links = {frozenset(link) for link in zip(path, path[1:])}
            need(links <= self.edges, f"the path of {label} jumps")
            beside = {edge for edge in self.edges if edge <= set(path)} - links
            need(self.touch or not beside, f"the path of {label} touches itself")
            on |= links
        need(not self.pairs and (not self.cover or set(passed) == set(self.nodes)), "the board is not solved")
        return on

    def joins(self, node, cell):
        beside = {other.split("/")[0] for edge in self.at[node] for other in edge - {node}}
        return cell is None or cell in beside

    def sound(self, names, clauses, found):
        """Every clause holds in every solution, but for the one that excludes the found solution."""
        def parsed(name):
            kind, inside = re.fullmatch(r"(\w+)\((.*)\)@0", name).groups()
            words = inside.split(";")
            nodes = words[:1] if kind in ("used", "colour") else words[:2]
            need(set(nodes) <= set(self.nodes), f"no node: {name}")
            need(kind not in ("joined", "differ") or frozenset(nodes) in self.edges, f"no edge: {name}")
            return kind, frozenset(nodes), words[len(nodes):]
        self.variables = {number: parsed(name) for number, name in names.items()}
        self.bits = {name[2][0] for name in self.variables.values() if name[0] == "colour"}
        self.codes = {label: {} for label in self.ends.values()}
        self.apart = False
        for clause in clauses:
            literals = [(lit > 0, *self.variables[abs(lit)]) for lit in clause]
            edges = {nodes for sign, kind, nodes, _ in literals if kind == "joined" and not sign}
            excludes = found is not None and edges == found and len(edges) == len(clause)
            need(excludes or self.holds(literals), f"a clause that a solution may break: {clause}")
        codes = [tuple(sorted(code.items())) for code in self.codes.values()]
        known_apart = len(set(codes)) == len(codes) and all(len(code) == len(self.bits) for code in codes)
        need(known_apart or not self.apart, "two pairs of one colour")

    def holds(self, literals):
        kinds = sorted(kind for _, kind, _, _ in literals)
        if kinds == ["colour"]:
            (sign, _, (node,), (bit,)), = [(s, k, tuple(n), w) for s, k, n, w in literals]
            code = self.codes.get(self.ends.get(node))
            return code is not None and code.setdefault(bit, sign) == sign
        if kinds.count("colour") == 2 and len(kinds) == 3:
            (head, kind, nodes, bit), = [it for it in literals if it[1] != "colour"]
            one, other = [it for it in literals if it[1] == "colour"]
            return (one[2] | other[2] == nodes and one[3] == other[3] and not head
                    and (one[0] == other[0] and bit == one[3] if kind == "differ" else one[0] != other[0]))
        idle = {node for sign, kind, (node, *_), _ in literals if kind == "used" and not sign}
        used = lambda node: self.cover or node in self.ends or node in idle
        for link in [nodes for sign, kind, nodes, _ in literals if kind == "joined" and sign]:
            bits = {words[0] for sign, _, nodes, words in literals if words and nodes == link and sign}
            if not self.touch and bits == self.bits and all(map(used, link)):
                self.apart = True
                return True
        nodes = frozenset().union(*(it[2] for it in literals)) or self.nodes
        return any(self.degree(node, literals) for node in nodes) or self.cut(literals)

    def degree(self, node, literals):
        """Whether the degree of a node makes a clause hold."""
        fits = {(kind, nodes): sign for sign, kind, nodes, _ in literals}
        if not all(node in nodes for _, nodes in fits) or len(fits) < len(literals):
            return False
        for on in itertools.product([False, True], repeat=len(self.at[node])):
            used = sum(on) > 0
            right = sum(on) == 1 if node in self.ends else sum(on) == 2 or not (used or self.cover)
            value = dict(zip((("joined", edge) for edge in self.at[node]), on))
            value["used", frozenset([node])] = used
            if right and not any(value[it] == sign for it, sign in fits.items()):
                return False
        return True

    def cut(self, literals):
        """Whether some path must leave a part of the board by one of the edges."""
        edges = {nodes for sign, kind, nodes, _ in literals if kind == "joined" and sign}
        idle = {node for sign, kind, (node, *_), _ in literals if kind == "used" and not sign}
        starts = idle if not self.cover else {node for edge in edges for node in edge}
        for start in starts:
            part, left = {start}, [start]
            while left:
                for edge in self.at[left.pop()]:
                    if edge not in edges:
                        left.extend(edge - part)
                        part |= edge
            if not part & set(self.ends):
                return True
        return False


# LRAT

def formula(text):
    """The names of the variables, and the clauses."""
    comments = (line.split(" ", 3) for line in text.splitlines() if line.startswith("c v "))
    names = {int(words[2]): words[3] for words in comments}
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
    return names, clauses


def lrat(name, clauses, text):
    """Verifies a refutation, by unit propagation through the hints."""
    lemmas = dict(enumerate(clauses, 1))
    for number, line in enumerate(text.splitlines(), 1):
        where = f"{name} line {number}"
        words = line.split()
        if not words or words[0] == "c":
            continue
        if words[1:2] == ["d"]:
            for word in words[2:-1]:
                need(lemmas.pop(int(word), None) is not None, f"{where}: deletes what is not there")
            continue
        end = words.index("0", 1)
        lemma, hints = [int(word) for word in words[1:end]], [int(word) for word in words[end + 1:-1]]
        true, conflict = {-lit for lit in lemma}, any(-lit in lemma for lit in lemma)
        for hint in hints:
            need(not conflict and hint in lemmas, f"{where}: hint {hint}")
            left = {lit for lit in lemmas[hint] if -lit not in true}
            need(len(left) <= 1, f"{where}: hint {hint} is no unit clause")
            conflict = not left
            true |= left
        need(conflict, f"{where}: the hints end without a conflict")
        if not lemma:
            return
        need(int(words[0]) not in lemmas, f"{where}: a number is used twice")
        lemmas[int(words[0])] = lemma
    raise Invalid(f"{name}: the empty clause is missing")


def steps(plan):
    """The moves of a plan; a position may be drawn instead, which is not read here."""
    moves = re.findall(r"[a-zA-Z]\d*|[<>^]", plan)
    known("".join(moves) == "".join(plan.split()), "a position that is drawn, or moves in another form")
    return moves


def judge(about, texts, judged):
    """Judges what is claimed; an `Unread` says what could not be judged."""
    family, claim, cost, tie = about["family"], about["claim"], about["cost"], about.get("tie_break")
    objective, *ties = about["objective"].split(",")
    need(tie is None or ties and claim == "optimal", "a tie-break where there is none")
    need(claim in ("unsolvable", "unique") or objective != "any", "`any` has no cost")
    need((claim == "unique") <= (family == "flow") and (cost is None) == (claim in ("unsolvable", "unique")),
         "a claim that this family cannot make")
    known(not about.get("forbid") and not about.get("require"), "wishes")
    if family == "flow":
        need(claim in ("unsolvable", "unique") and not about.get("after"), "a board without moves")
        board = Flow(texts["puzzle.txt"], about["options"], about["reading"])
        found = None
        if claim == "unique":
            found = board.solution(texts["moves.txt"])
            judged.append("the solution")
        board.sound(*formula(texts["horizon-0.cnf"]), found)
        judged.append("the formula")
        need("horizon-0.lrat" in texts, "no refutation")
        return
    game = GAMES[family](texts["puzzle.txt"], about["options"], about["reading"])
    game.start, _ = game.played(steps(about.get("after") or ""), "after")
    if claim == "optimal":
        moves, pushes = game.replay(steps(texts["moves.txt"]))
        first, second = (moves, pushes) if objective == "moves" else (pushes, moves)
        need(cost == first and tie in (None, second), "the plan has another cost")
        judged.append("the plan")
    excluded = {"optimal": lambda: cost - 1, "nothing-within": lambda: cost}.get(claim, lambda: None)()
    if excluded == -1 and not tie:
        return
    if family == "sokoban" and "patterns.txt" in texts:
        need(objective != "moves" and not tie, "patterns count pushes")
        Patterns(game, texts["patterns.txt"]).judge(excluded)
        judged.append("the patterns")
    else:
        known("closed-set.txt" in texts, f"evidence of the kind {about['evidence']['kind']}")
        claimed = "*" if excluded is None else f"{cost},{tie - 1}" if tie else str(excluded)
        game.closed(texts["closed-set.txt"], claimed, objective == "moves")
        judged.append("the closed set")


def main(folder):
    with open(os.path.join(folder, "certificate.json"), encoding="utf-8") as file:
        about = json.load(file)
    need(about["schema"] == 1, "another schema")
    texts = {name: read(folder, name, about["files"]) for name in about["files"]}
    judged, word, code = [], "valid", 0
    try:
        judge(about, texts, judged)
    except Unread as what:
        word, code = f"valid as far as it was judged (not: {what})", 3
    for name in sorted(name for name in texts if name.endswith(".lrat")):
        lrat(name, formula(texts[f"{name[:-5]}.cnf"])[1], texts[name])
        judged.append(name)
    claim, cost = about["claim"], about["cost"]
    question = [about["family"], str(about["options"]), f"objective {about['objective']}"]
    question += [repr(about["reading"])]
    question += [f"after {about['after']}"] if about.get("after") else []
    claimed = claim if cost is None else f"{claim} {cost}"
    claimed += "" if about.get("tie_break") is None else f", {about['tie_break']} in the tie-break"
    print(f"{word}: {', '.join(question)}: {claimed}; judged: {', '.join(judged) or 'the sums'}")
    return code


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1]))
    except (Invalid, KeyError, ValueError, IndexError, TypeError, AttributeError, OSError) as error:
        print(f"invalid: {error}")
        sys.exit(1)
