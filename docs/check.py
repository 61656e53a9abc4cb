#!/usr/bin/env python3
"""Checks a certificate without any code of the program that wrote it.

    python3 check.py FOLDER

Written from the book's pages alone; needs nothing but Python. It judges

* the sums of all files;
* plans and closed sets of the four games, by rules of its own;
* dead patterns of Sokoban that are shown by their pushes, as `prove --lrat` writes them;
* what is claimed of Flow boards of squares: the solution, and that every clause of the formula
  holds in every solution (so a refutation refutes the board);
* every LRAT proof, against the formula beside it.

It reads one grammar, which is closed: every line of every file and every field of the description
must have a form that is listed here. What has another form may mean something to other programs,
so nothing is said of the folder then. Exit codes:

* 0: valid: all that is claimed was judged;
* 1: invalid: it was understood, and something is not as it should be;
* 2: not read: something was not understood (wishes, other formats, other proofs, no folder);
* 3: valid as far as it was judged: all was understood, and formulas of games or a bound, which
  this program cannot judge, are named.

The first line is the verdict; below it stand the question and the board, as they were understood.
"""

import collections
import hashlib
import itertools
import json
import os
import re
import sys

UP, LEFT, DOWN, RIGHT = STEPS = (-1, 0), (0, -1), (1, 0), (0, 1)


class Invalid(Exception):
    """It was understood, and it is wrong."""


class Unread(Exception):
    """It was not understood."""


def need(condition, reason):
    if not condition:
        raise Invalid(reason)


def known(condition, reason):
    if not condition:
        raise Unread(reason)


# Words and lines

# Nothing that is read here has larger numbers, more cells, or longer files.
NUMBER = "(?:0|[1-9][0-9]{0,8})"
SIGNED = "(?:0|-?[1-9][0-9]{0,8})"
LITERAL = "-?[1-9][0-9]{0,8}"
IDENTIFIER = "[1-9][0-9]{0,17}"
PLACE = f"{NUMBER},{NUMBER}"
BUDGET = rf"(?:\*|{NUMBER})"
CELLS = 65535
BYTES = 1 << 31


def read(folder, name):
    """The bytes of a plain file."""
    path = os.path.join(folder, name)
    need(os.path.isfile(path) and not os.path.islink(path), f"{name} is no plain file")
    known(os.path.getsize(path) <= BYTES, f"{name} is too large")
    with open(path, "rb") as file:
        return file.read()


def lines(name, data):
    """The lines of a file: printable ASCII, each ended by a line feed, perhaps with a carriage
    return before it. The last one may lack its end."""
    data = data.replace(b"\r\n", b"\n")
    known(not re.search(rb"[^ -~\n]", data), f"{name} has signs that are not read here")
    return data.decode("ascii").removesuffix("\n").split("\n") if data else []


def groups(form, line, reason):
    """The groups of a line that has a form."""
    found = re.fullmatch(form, line)
    known(found, f"{reason}: {line[:60]}")
    return found.groups()


def fits(value, form, where):
    """Holds a value of the description to a form: a tuple has the values that it may be, text is a
    pattern for text, a type is for any value of it, and a dictionary has the fields of an object, those in
    square brackets perhaps missing."""
    if isinstance(form, tuple):
        good = any(type(value) is type(it) and value == it for it in form)
    elif isinstance(form, str):
        good = type(value) is str and re.fullmatch(form, value)
    else:
        good = type(value) is (dict if isinstance(form, dict) else form)
    known(good, f"{where} has a value that is not read here")
    if isinstance(form, dict):
        names = {name.strip("[]"): it for name, it in form.items()}
        known(set(value) <= set(names), f"{where} has fields that are not read here")
        need(set(form) & set(names) <= set(value), f"{where} lacks a field")
        for name in value:
            fits(value[name], names[name], name)


# Games


class Game:
    """A game with moves. A cell is row times width plus column; a state is a tuple.

    Games have `start`, `moves(state)` with (letter, next, what it counts beside a move),
    `solved(state)`, `state(text)` with its counterpart `text(state)`, `possible(state)`, and for the
    picture `signs(state)`, the sign of each cell that is no wall.
    """

    NAME, WALL = "", "#"
    OPTIONS = {}
    READINGS = ("",)
    OBJECTIVES = ("pushes", "pushes,moves", "moves", "moves,pushes", "any")

    def board(self, rows):
        """The characters of the board by cell; what a short row lacks is not there."""
        known(rows, "no board")
        self.width, self.height = max(map(len, rows)), len(rows)
        known(self.width * self.height <= CELLS, "a board that is too large")
        spots = ((r * self.width + c, tile) for r, row in enumerate(rows) for c, tile in enumerate(row))
        return dict(spots)

    def next(self, cell, step):
        """The open cell beside another one."""
        row, column = divmod(cell, self.width)
        row, column = row + step[0], column + step[1]
        beside = row * self.width + column
        return beside if 0 <= column < self.width and beside in self.open else None

    def reach(self, taken, cell):
        """The open cells to which one can walk from a cell."""
        found, left = {cell}, [cell]
        while left:
            at = left.pop()
            beside = {self.next(at, step) for step in STEPS} - found - set(taken) - {None}
            found |= beside
            left.extend(beside)
        return frozenset(found)

    def plan(self, rows):
        """The moves that stand in some lines."""
        moves = []
        for row in rows:
            groups(f"(?:{self.MOVE})*", row, "moves in another form, or a position that is drawn")
            moves += re.findall(self.MOVE, row)
        return moves

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

    def closed(self, rows, claim, bound, count_moves):
        """Verifies a closed set: from no listed state the puzzle is solved within its budget. Where
        the list names a bound, only that no listed state is solved.

        A budget is a pair in the order of costs: so much in the first count, so much in the
        tie-break; None is less than any.
        """
        tied = "," in claim
        title = [f"unstuck closed set {2 if tied else 1}", f"claim {claim}", f"bound {bound or 'none'}"]
        need(rows[:3] == title, "closed-set.txt is about something else")
        need(rows[3:4] == [f"entries {len(rows) - 4}"], "closed-set.txt has not as many entries as announced")
        infinite, nothing = float("inf"), (-1, -1)
        word = f"{BUDGET}|{PLACE}" if tied else BUDGET

        def said(budget):
            numbers = [infinite if number == "*" else int(number) for number in budget.split(",")]
            return tuple(numbers) if len(numbers) == 2 else (numbers[0], infinite)

        listed, left = {}, []
        for row in rows[4:]:
            budget, text = groups(f"({word}) ({self.STATE})", row, "closed-set.txt")[:2]
            state = self.state(text)
            need(self.possible(state) and self.text(state) == text, f"no state: {text}")
            left.append((state, said(budget)))
        # What costs nothing belongs to the same class; where ties are counted every move costs.
        while left:
            state, budget = left.pop()
            if listed.get(state, nothing) >= budget:
                continue
            listed[state] = budget
            if not count_moves and budget[1] == infinite:
                left.extend((move[1], budget) for move in self.moves(state) if not move[2])
        covers = lambda state, budget: bound or listed.get(state, nothing) >= budget
        need(covers(self.start, said(claim)), "the start is not listed with the claim")
        for state, (most, tie) in listed.items():
            need(not self.solved(state), f"a solved state is listed: {state}")
            for _, after, counts in self.moves(state):
                first, second = (1, counts) if count_moves else (counts, 1)
                rest = (most - first, tie - second) if tie >= second else (most - first - 1, infinite)
                need(rest[0] < 0 or covers(after, rest), f"not closed: {state} to {after}")

    def backwards(self, classes, budget):
        """Counts the classes from which the puzzle is solved within a budget of pushes, from the end."""
        least = lambda state: (min(self.reach(state[1], state[0])), *state[1:])
        start, found = least(self.start), set()
        layer, pushes = {least(end) for end in self.ends()}, 0
        while layer and len(found) <= classes:
            found |= layer
            need(start not in layer, "the start leads to the end within the budget")
            if pushes == budget:
                break
            pushes += 1
            layer = {least(before) for state in layer for before in self.before(state)} - found
        need(len(found) == classes, "another number of classes leads to the end than is claimed")

    def drawn(self):
        """The board as it was understood, with the state of the start."""
        signs = self.signs(self.start)
        every = [signs.get(cell, self.WALL) for cell in range(self.width * self.height)]
        return ["".join(every[row * self.width:][:self.width]) for row in range(self.height)]


class Sokoban(Game):
    """A state is (player, boxes)."""

    NAME, BOUND, MOVE = "sokoban", "sided-matching-and-freeze", "[lurdLURD]"
    STATE = f"{NUMBER}(?: {NUMBER})*"

    def __init__(self, rows, options, reading):
        while rows and not rows[-1]:
            rows = rows[:-1]
        for row in rows:
            known(re.fullmatch(r"[#.$*@+ _-]*", row) and row.strip(), f"no row of a board: {row[:60]}")
        known(rows and "#" in rows[0], "a board that does not begin with a wall")
        # Floor around the board has no numbers.
        rows = [row.rstrip(" _-") for row in rows]
        margin = min(len(row) - len(row.lstrip(" _-")) for row in rows if row)
        tiles = self.board([row[margin:] for row in rows[:max(r for r, row in enumerate(rows) if row) + 1]])
        every = range(self.width * self.height)
        cells = lambda letters: {cell for cell in tiles if tiles[cell] in letters}
        self.open = set(every) - cells("#")
        self.goals, boxes, players = cells(".*+"), cells("$*"), cells("@+")
        known(len(players) == 1, "not one player")
        self.start = (min(players), tuple(sorted(boxes)))
        self.floor = self.reach((), self.start[0])
        rim = {cell for cell in every if cell % self.width in (0, self.width - 1)}
        rim.update(every[:self.width], every[-self.width:])
        known(not self.floor & rim, "a board that the player can walk off")
        known(len(boxes) <= len(self.goals), "more boxes than goals")
        known(boxes - self.goals <= self.floor, "boxes that nobody can reach")

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

    def ends(self):
        """The solved states."""
        for boxes in itertools.combinations(sorted(self.goals), len(self.start[1])):
            yield from ((player, boxes) for player in self.floor - set(boxes))

    def before(self, state):
        """The states from which one push leads to where the player can walk from a state."""
        for player in self.reach(state[1], state[0]):
            for step in STEPS:
                ahead, back = self.next(player, step), self.next(player, (-step[0], -step[1]))
                if ahead in state[1] and back is not None and back not in state[1]:
                    yield back, tuple(sorted({*state[1]} - {ahead} | {player}))

    def solved(self, state):
        return self.goals.issuperset(state[1])

    def state(self, text):
        player, *boxes = map(int, text.split(" "))
        return player, tuple(sorted(set(boxes)))

    def text(self, state):
        return " ".join(map(str, [state[0], *state[1]]))

    def possible(self, state):
        player, boxes = state
        return len(boxes) == len(self.start[1]) and player not in boxes and self.open >= {player, *boxes}

    def signs(self, state):
        sign = lambda cell: 2 * (cell in state[1]) + 4 * (cell == state[0]) + (cell in self.goals)
        return {cell: " .$*@+"[sign(cell)] for cell in self.open}


class Patterns:
    """Judges a list of dead patterns, by the page on them; `dead` ones only, and their sums."""

    COVER = rf" : {PLACE} (?:up|left|down|right)(?: {NUMBER})*"

    def __init__(self, board, rows):
        self.board, self.floor, self.goals = board, board.floor, board.goals & board.floor
        known(self.floor.issuperset(board.start[1]), "boxes that nobody can reach")
        self.price, self.potential, self.entries, self.sides = {}, {}, [], {}
        need(rows[:1] == ["unstuck patterns 1"], "no list of patterns")
        rows = collections.deque(rows[1:])
        fields = lambda form: groups(form, rows.popleft() if rows else "", "patterns.txt")
        (self.claim,) = fields(f"claim ({BUDGET})")
        self.unit = int(fields("unit ([12])")[0])
        while rows and rows[0].startswith("price "):
            goal, number = fields(f"price ({PLACE}) ({SIGNED})")
            need(self.cell(goal) not in self.price, f"two prices of {goal}")
            self.price[self.cell(goal)] = int(number)
        while rows and rows[0].startswith("potential "):
            at, side, number = fields(f"potential ({PLACE}) ({PLACE}) ({SIGNED})")
            at, side = self.cell(at), self.cell(side)
            need(at != side, "a player in the place of a box")
            self.potential[at, self.side(at, side)] = int(number)
        self.root = [int(number) for number in fields(f"root((?: {NUMBER})*)")[0].split()]
        (count,) = fields(f"patterns ({NUMBER})")
        need(int(count) == len(rows), "not as many patterns as announced")
        for number in range(len(rows)):
            place, kind, rest = fields(f"({NUMBER}) ([a-z]+) (.*)")
            need(int(place) == number, "patterns are not in order")
            known(kind == "dead", f"patterns of the kind {kind}")
            self.entries.append(self.entry(rest))

    def cell(self, word):
        row, column = map(int, word.split(","))
        need(column < self.board.width, f"no cell {word}")
        cell = row * self.board.width + column
        need(cell in self.floor, f"no cell {word}")
        return cell

    def entry(self, text):
        """Value, boxes, the part with the player, and what covers pushes: {(from, step): numbers}."""
        form = f"({BUDGET}) pieces((?: {PLACE})+) player ({PLACE})((?:{self.COVER})*)"
        value, boxes, player, covers = groups(form, text, "patterns.txt")
        boxes, player = [self.cell(word) for word in boxes.split()], self.cell(player)
        need(len({player, *boxes}) == len(boxes) + 1, "two things on one cell")
        ways = dict(zip(("up", "left", "down", "right"), STEPS))
        covers = [cover.split() for cover in covers.split(" : ")[1:]]
        covers = {(self.cell(cover[0]), ways[cover[1]]): list(map(int, cover[2:])) for cover in covers}
        value = float("inf") if value == "*" else int(value)
        return value, frozenset(boxes), self.board.reach(boxes, player), covers

    def side(self, at, player):
        """The least cell on that side of a box on which the player is."""
        if at not in self.sides:
            self.sides[at] = {}
            for cell in self.floor - {at}:
                if cell not in self.sides[at]:
                    part = self.board.reach((at,), cell)
                    self.sides[at].update(dict.fromkeys(part, min(part)))
        return self.sides[at][player]

    def of(self, at, player):
        """The potential of a box; None where it is lost."""
        return self.potential.get((at, self.side(at, player)))

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
                        by = covers.get((at, step), [])
                        need(self.sum(by, own - {at} | {to}, at) >= value - waste, "an uncovered push")
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
            need(number < len(self.entries), f"no pattern {number}")
            more, own, part, _ = self.entries[number]
            need(player in part and own <= boxes and not own & used, f"pattern {number} does not hold")
            used |= own
            value += more
        return value


class Warehouse(Game):
    """A state is (robot, ((left cell, width), ...)).

    What is asked is a score, or an arrangement: boxes that must stand there, cells that no box may
    cover, and cells of which the robot must end on one, if there are any.
    """

    NAME, BOUND, MOVE = "warehouse", "bottleneck", "[v^<>]"
    STATE = f"{NUMBER}(?: {NUMBER}(?:x{NUMBER})?)*"
    SCORE = f"(<=|>=|=|) ?({NUMBER})"
    OPTIONS = {"[widen]": "1?[0-9]|20", "[widen-boxes]": ("double", "grow"),
               "[gps]": ".*"}
    OBJECTIVES = ("moves", "moves,pushes", "pushes", "pushes,moves", "any")

    def __init__(self, rows, options, reading):
        maps, told, scores = [], "", []
        for empty, block in itertools.groupby(rows, key=lambda row: not row):
            block = list(block)
            if all(re.fullmatch(r"(?:[#.O@?]|\[=*\])+", row) for row in block):
                maps.append(block)
            elif all(re.fullmatch(f"{self.MOVE}+", row) for row in block):
                told += "".join(block)
            elif not empty:
                known(len(block) == 1, "no block of a warehouse")
                scores.append(groups(f"gps ?{self.SCORE}", block[0], "no block of a warehouse"))
        known(1 <= len(maps) <= 2 and len(maps) + len(scores) <= 2, "not one map, and one demand at most")
        self.board(maps[0])
        cells = lambda rows, signs: {(r, c) for r, row in enumerate(rows) for c, sign in enumerate(row)
                                     if sign in signs}
        boxes = lambda rows: {(r, found.start(), len(found[0])) for r, row in enumerate(rows)
                              for found in re.finditer(r"O|\[=*\]", row)}
        floor, robots = cells(maps[0], ".O[]=@"), cells(maps[0], "@")
        known(len(robots) == 1, "not one robot")
        known(not cells(maps[0], "?"), "`?` in the map of the start")
        start, asked = boxes(maps[0]), (set(), set(), set())
        if maps[1:]:
            known([len(row) for row in maps[0]] == [len(row) for row in maps[1]]
                  and cells(maps[0], "#") == cells(maps[1], "#"), "a goal map of another building")
            asked = boxes(maps[1]), cells(maps[1], ".@"), cells(maps[1], "@")
            known(len(asked[2]) <= 1, "two robots in the goal map")
        halves = lambda spots: {(r, 2 * c + half) for r, c in spots for half in (0, 1)}
        lefts = lambda spots: {(r, 2 * c) for r, c in spots}
        grow = options.get("widen-boxes") == "grow"
        wider = lambda boxes: ({(r, 2 * c, 2 * w) for r, c, w in boxes} if grow else
                               {(r, 2 * (c + k), 2) for r, c, w in boxes for k in range(w)})
        for _ in range(int(options.get("widen", 0))):
            self.width *= 2
            known(self.width * self.height <= CELLS, "a board that is too large")
            floor, robots, start = halves(floor), lefts(robots), wider(start)
            asked = wider(asked[0]), halves(asked[1]), lefts(asked[2])
        at = lambda spots: {r * self.width + c for r, c in spots}
        placed = lambda boxes: tuple(sorted((r * self.width + c, w) for r, c, w in boxes))
        self.open = at(floor)
        self.start = (min(at(robots)), placed(start))
        self.asked = placed(asked[0]), at(asked[1]), at(asked[2])
        if told and not maps[1:]:
            # As the instructions leave the boxes; one that is blocked changes nothing.
            state = self.start
            for letter in told:
                state = next((move[1] for move in self.moves(state) if move[0] == letter), state)
            self.asked = state[1], self.open - self.covered(state[1]), set()
        self.score = None
        if options.get("gps"):
            scores = [groups(self.SCORE, options["gps"], "gps")]
        if scores:
            self.score, self.asked = scores[0], ((), set(), set())

    def covered(self, boxes):
        return {left + k for left, width in boxes for k in range(width)}

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

    def solved(self, state):
        if self.score:
            sign, number = self.score
            score = sum(100 * (left // self.width) + left % self.width for left, _ in state[1])
            compare = {"<=": int.__le__, ">=": int.__ge__}.get(sign, int.__eq__)
            return compare(score, int(number))
        boxes, clear, robots = self.asked
        return (set(boxes) <= set(state[1]) and not self.covered(state[1]) & clear
                and robots <= {state[0]})

    def state(self, text):
        robot, *boxes = text.split(" ")
        pairs = (box.partition("x") for box in boxes)
        return int(robot), tuple(sorted((int(left), int(width or 1)) for left, _, width in pairs))

    def text(self, state):
        boxes = (f"{left}x{width}" if width != 1 else str(left) for left, width in state[1])
        return " ".join([str(state[0]), *boxes])

    def possible(self, state):
        robot, boxes = state
        widths = lambda boxes: sorted(width for _, width in boxes)
        if widths(boxes) != widths(self.start[1]):
            return False
        cells = self.covered(boxes)
        return (self.open >= cells | {robot} and robot not in cells and len(cells) == sum(widths(boxes))
                and all(left % self.width + width <= self.width for left, width in boxes))

    def placed(self, boxes):
        """The signs of boxes."""
        forms = ((left, "O" if width == 1 else f"[{'=' * (width - 2)}]") for left, width in boxes)
        return {left + k: sign for left, form in forms for k, sign in enumerate(form)}

    def signs(self, state):
        return dict.fromkeys(self.open, ".") | self.placed(state[1]) | {state[0]: "@"}

    def drawn(self):
        rows, now = super().drawn(), self.signs
        if self.score:
            return [*rows, f"asked: score {self.score[0] or '='} {self.score[1]}"]
        boxes, clear, robots = self.asked
        self.signs = lambda _: (dict.fromkeys(self.open, "?") | dict.fromkeys(clear, ".")
                                | self.placed(boxes) | dict.fromkeys(robots, "@"))
        rows, self.signs = [*rows, "asked:", *super().drawn()], now
        return rows


class Snowman(Game):
    """A state is (player, snow, ((cell, stack), ...)); a stack is the sum of its sizes 1, 2, 4."""

    NAME, WALL, BOUND = "snowman", "X", "snowman-triples"
    MOVE = "[wasdWASD](?:[1-9][0-9]{0,3})?"
    STATE = f"{NUMBER}/(?:{NUMBER}(?:,{NUMBER})*)?/(?:{NUMBER}:[1-7](?:,{NUMBER}:[1-7])*)?"
    OPTIONS = {"[legend]": ("auto", "published"), "[dismantle]": ("true", "false")}
    HEADS = {"legend": "published", "rules": "game|dismantle", "title": ".*", "solution": ".*"}

    def __init__(self, rows, options, reading):
        heads, board = {}, []
        for row in rows:
            if row.startswith(";"):
                name, value = groups("; ([a-z]+): (.*)", row, "no header of a level")
                known(re.fullmatch(self.HEADS.get(name, "(?!)"), value), f"a header that is not read: {row[:60]}")
                known(name not in heads and not board, "a header twice, or below the board")
                heads[name] = value
            elif row or board:
                board.append(row)
        while board and not board[-1]:
            board.pop()
        known(all(re.fullmatch("[-X*#%@&+=TU1-7a-g]+", row) for row in board), "no row of a board")
        tiles = self.board(board)
        cells = lambda letters: {cell for cell in tiles if tiles[cell] in letters}
        self.open = cells("-*#%@&+=TU1234567abcdefg")
        self.doors, self.targets = sorted(cells("TU")), cells("@&+=abcdefg")
        self.apart = options.get("dismantle") == "true" or heads.get("rules") == "dismantle"
        stacks = {cell: "1234567".find(tiles[cell]) + 1 or "abcdefg".find(tiles[cell]) + 1
                  for cell in cells("1234567abcdefg")}
        players = cells("#%@&U")
        known(len(players) == 1, "not one player")
        known(stacks and len(self.doors) != 1, "no ball, or a door that leads nowhere")
        self.start = (min(players), tuple(sorted(cells("*%&="))), tuple(sorted(stacks.items())))

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
        return (int(player), tuple(sorted({int(cell) for cell in snow.split(",") if cell})),
                tuple(sorted({int(cell): int(stack) for cell, stack in pairs}.items())))

    def text(self, state):
        player, snow, stacks = state
        return f"{player}/{','.join(map(str, snow))}/{','.join(f'{cell}:{it}' for cell, it in stacks)}"

    def possible(self, state):
        player, snow, stacks = state[0], set(state[1]), dict(state[2])
        balls = lambda stacks: sum(stack.bit_count() for stack in stacks)
        return (player in self.open and player not in stacks and not snow & set(stacks)
                and self.open - set(self.doors) >= snow | set(stacks)
                and balls(stacks.values()) == balls(dict(self.start[2]).values()))

    def signs(self, state):
        player, snow, stacks = state
        ground = {cell: "T" if cell in self.doors else "-+"[cell in self.targets] for cell in self.open}
        signs = ground | {cell: "*="[cell in self.targets] for cell in snow}
        signs |= {cell: ("1234567", "abcdefg")[cell in self.targets][stack - 1] for cell, stack in stacks}
        return signs | {player: "#@%&U"["-+*=T".index(signs[player])]}

    def drawn(self):
        rules = "finished snowmen can be taken apart" if self.apart else "finished snowmen stay"
        return [*super().drawn(), rules]


class Sokobond(Game):
    """A state is (atoms, bonds): sorted (cell, letter), the player's a capital, and (a, b, n)."""

    NAME, BOUND, MOVE = "sokobond", "nearest-partner", "[wasdWASD]"
    STATE = (f"[honceHONCE]{NUMBER}(?: [honceHONCE]{NUMBER})*"
             rf"(?: {NUMBER}-{NUMBER}\*[1-9])*")
    OPTIONS = {"[bonding]": ("auto", "strict", "ordered")}
    READINGS, OBJECTIVES = ("strict", "ordered"), ("moves", "any")
    ELECTRONS = {"h": 1, "o": 2, "n": 3, "c": 4, "e": 0}

    def __init__(self, rows, options, reading):
        need(options.get("bonding", "auto") in ("auto", reading), "the options give another reading")
        self.strict = reading == "strict"
        end = next((at for at, row in enumerate(rows) if row.startswith("=")), len(rows))
        known(all(re.fullmatch(f"(?:=(?:{self.MOVE})*)?", row) for row in rows[end:]), "no recorded solution")
        rows = rows[:end]
        while rows and not rows[-1]:
            rows = rows[:-1]
        two = bool(rows) and re.fullmatch("v2(?: multiple)?", rows[0])
        cell = "[-xXhonceHONCE]"
        form = f"{cell}(?: {cell})*" if two else f"{cell}+"
        grid, between = (rows[1::2], rows[2::2]) if two else (rows, [])
        known(all(re.fullmatch(form, row) for row in grid), "no row of a board")
        known(all(re.fullmatch("(?: [ /+@])* ?", row) for row in between), "no row of modifiers")
        tiles = self.board([row[::2] if two else row for row in grid])
        self.open = {cell for cell in tiles if tiles[cell] not in "xX"}
        self.modifiers = {(r, x // 2): sign for r, line in enumerate(between)
                          for x, sign in enumerate(line) if sign != " "}
        known(all(r + 1 < self.height and c + 1 < self.width for r, c in self.modifiers),
              "a modifier on the edge")
        atoms = [[cell, tiles[cell]] for cell in sorted(tiles) if tiles[cell] not in "xX-"]
        known(0 < len(atoms) < 256 and any(atom[1].isupper() for atom in atoms), "no player")
        for atom in [atom for atom in atoms if atom[1].isupper()][:-1]:
            atom[1] = atom[1].lower()
        atoms = tuple(map(tuple, atoms))
        molecules = [[atom] for atom in sorted(atoms, key=lambda atom: atom[1].islower())]
        bonds, free = {}, self.free(atoms, {})
        while True:
            for one, other in itertools.combinations(molecules, 2):
                before = len(bonds)
                for (a, _), (b, _) in itertools.product(one, other):
                    if free[a] and free[b] and any(self.next(a, step) == b for step in STEPS):
                        bonds[min(a, b), max(a, b)] = 1
                        free[a], free[b] = free[a] - 1, free[b] - 1
                if len(bonds) > before:
                    one.extend(other)
                    molecules.remove(other)
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
        return self.modifiers.get((min(row, other, row + step[0], other + step[0]),
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

    def text(self, state):
        atoms = (f"{letter}{cell}" for cell, letter in state[0])
        return " ".join([*atoms, *(f"{a}-{b}*{n}" for a, b, n in state[1])])

    def possible(self, state):
        atoms, bonds = state[0], {(a, b): n for a, b, n in state[1]}
        kinds = lambda atoms: sorted(letter for _, letter in atoms)
        cells = {cell for cell, _ in atoms}
        if kinds(atoms) != kinds(self.start[0]) or len(cells) < len(atoms):
            return False
        near = all(a < b and {a, b} <= cells and any(self.next(a, step) == b for step in STEPS)
                   for a, b in bonds)
        return self.open >= cells and near and min(self.free(atoms, bonds).values()) >= 0

    def drawn(self):
        letters, place = dict(self.start[0]), lambda cell: "{},{}".format(*divmod(cell, self.width))
        sign = lambda cell: letters.get(cell, "-" if cell in self.open else "x")
        rows = []
        for r in range(self.height):
            rows.append(" ".join(sign(r * self.width + c) for c in range(self.width)))
            rows.append("".join(" " + self.modifiers.get((r, c), " ") for c in range(self.width)).rstrip())
        bonds = (f" {place(a)}-{place(b)}*{n}" for a, b, n in self.start[1])
        return [*rows[:-1], "bonds:" + ("".join(bonds) or " none")]


class Flow:
    """A board of squares; a node is "r,c", or "r,c/0" and "r,c/1" for the lanes of a bridge."""

    NAME, OBJECTIVES = "flow", ("any",)
    READINGS = ("no self-touch", "self-touch allowed")
    OPTIONS = {"[touch]": ("file", "auto", "never", "allow"), "[cover]": ("file", "yes", "no")}
    HEADS = {"shape": "square", "touch": "auto|never|allow", "cover": "yes|no",
             "title": ".*", "author": ".*", "note": ".*"}
    # First rows that announce a drawing, if no shape is given.
    DRAWINGS = ("STANDARD", "BRIDGES", "HEX", "WARPS")
    # What stands in the names of variables: nodes, and the number of a bit.
    NODE = f"{PLACE}(?:/[01])?"
    KINDS = {"joined": f"({NODE};{NODE})()", "used": f"({NODE})()",
             "colour": f"({NODE});({NUMBER})", "differ": f"({NODE};{NODE});({NUMBER})"}

    def __init__(self, rows, options, reading):
        heads = {}
        while rows and (head := re.fullmatch("([a-z]+): ?(.*)", rows[0])):
            name, value = head.groups()
            known(name not in heads and re.fullmatch(self.HEADS.get(name, "(?!)"), value),
                  f"a header that is not read: {rows[0][:60]}")
            heads[name], rows = value, rows[1:]
        while heads and rows and not rows[0]:
            rows = rows[1:]
        end = next((at for at, row in enumerate(rows) if not re.fullmatch("[A-Za-z0-9.#+]+", row)), len(rows))
        rows, orders = rows[:end], [row for row in rows[end:] if row]
        known(len(set(map(len, rows))) == 1, "no board of squares")
        known("shape" in heads or rows[0] not in self.DRAWINGS and not re.search("[#+]", "".join(rows)),
              "a board without the header `shape: square`")
        touch = options.get("touch", "file")
        touch = heads.get("touch", "auto") if touch == "file" else touch
        need(touch in ("auto", "allow" if reading == "self-touch allowed" else "never"),
             "the options, or the file, give another reading")
        cover = options.get("cover", "file")
        self.cover = (heads.get("cover", "yes") if cover == "file" else cover) == "yes"
        self.touch, self.rows, self.orders = reading == "self-touch allowed", rows, orders
        tiles = {(r, c): tile for r, row in enumerate(rows) for c, tile in enumerate(row) if tile != "#"}
        name = lambda cell, way: f"{cell[0]},{cell[1]}" + f"/{way}" * (tiles[cell] == "+")
        self.nodes = {name(cell, way): cell for cell in tiles for way in (0, 1)}
        beside = {frozenset([(r, c), other]): way for r, c in tiles
                  for way, other in enumerate([(r + 1, c), (r, c + 1)]) if other in tiles}
        ordered = [groups(f"(WALL|LINK) ({PLACE}) ({PLACE})", order, "no order that is read") for order in orders]
        # Walls first: a link may join again what a wall has parted.
        known([order[0] for order in ordered] == sorted((order[0] for order in ordered), reverse=True),
              "a wall below a link")
        links = set()
        for order, *ends in ordered:
            ends = [tuple(map(int, end.split(","))) for end in ends]
            pair = frozenset(ends)
            if order == "WALL":
                known(beside.pop(pair, None) is not None, "a wall between cells that are not neighbours")
            else:
                known(len(pair) == 2 and all(tiles.get(end, "+") != "+" for end in ends)
                      and pair not in beside, "a link that is not read")
                links.add(frozenset(name(end, 0) for end in ends))
        self.edges = links | {frozenset(name(cell, way) for cell in pair) for pair, way in beside.items()}
        self.at, self.lanes = {node: [] for node in self.nodes}, {}
        for node in self.nodes:
            self.lanes.setdefault(node.split("/")[0], []).append(node)
        for edge in self.edges:
            for node in edge:
                self.at[node].append(edge)
        bridges = (node for node, cell in self.nodes.items() if tiles[cell] == "+")
        known(all(len(self.at[node]) == 2 for node in bridges), "a bridge without two ends of a lane")
        known(max(map(len, self.at.values())) <= 12, "too many links at one cell")
        pairs = {}
        for cell, tile in tiles.items():
            if tile not in ".+":
                pairs.setdefault(tile, []).append(name(cell, 0))
        known(pairs and all(len(ends) == 2 for ends in pairs.values()), "labels that are no pairs")
        self.pairs = {label: sorted(ends) for label, ends in pairs.items()}
        self.ends = {end: label for label, ends in pairs.items() for end in ends}

    def drawn(self):
        cover = "every cell is on a path" if self.cover else "cells may be left free"
        touch = "a path may touch itself" if self.touch else "no path touches itself"
        return [*self.rows, *self.orders, f"{cover}; {touch}"]

    def solution(self, rows):
        """The edges of a solution, which is judged."""
        passed, on, left = set(), set(), dict(self.pairs)
        for row in rows:
            label, cells = groups(f"([A-Za-z0-9]):((?: {PLACE})+)", row, "moves.txt")
            cells, path = cells.split(), []
            for before, cell, after in zip([None] + cells, cells, cells[1:] + [None]):
                found = self.lanes.get(cell, [])
                ways = [node for node in found if self.joins(node, before) and self.joins(node, after)]
                need(len(ways) == 1, f"the path of {label} is broken at {cell}")
                path += ways
            ends = left.pop(label, None)
            need(sorted([path[0], path[-1]]) == ends, f"the ends of {label}")
            need(len(passed | set(path)) == len(passed) + len(path), f"{label} meets a path")
            passed |= set(path)
            links = {frozenset(link) for link in zip(path, path[1:])}
            beside = {edge for edge in self.edges if edge <= set(path)} - links
            need(self.touch or not beside, f"the path of {label} touches itself")
            on |= links
        need(not left and (not self.cover or passed == set(self.nodes)), "the board is not solved")
        return on

    def joins(self, node, cell):
        beside = {other.split("/")[0] for edge in self.at[node] for other in edge - {node}}
        return cell is None or cell in beside

    def parsed(self, name):
        """Kind, nodes and number of a variable."""
        kind, inside = groups(r"([a-z]+)\((.*)\)@0", name, "a variable")
        known(kind in self.KINDS, f"a variable of the kind {kind}")
        nodes, bit = groups(self.KINDS[kind], inside, "a variable")
        nodes = frozenset(nodes.split(";"))
        need(nodes <= set(self.nodes), f"no node: {name}")
        need(kind not in ("joined", "differ") or nodes in self.edges, f"no edge: {name}")
        return kind, nodes, [bit] * bool(bit)

    def sound(self, count, names, clauses, found):
        """Every clause holds in every solution, but for the one that excludes the found solution."""
        need(len(names) == count, "a variable without a name")
        self.variables = {number: self.parsed(name) for number, name in names.items()}
        self.bits = {name[2][0] for name in self.variables.values() if name[0] == "colour"}
        self.codes = {label: {} for label in self.ends.values()}
        self.apart = False
        for clause in clauses:
            literals = [(lit > 0, *self.variables[abs(lit)]) for lit in clause]
            edges = {nodes for sign, kind, nodes, _ in literals if kind == "joined" and not sign}
            excludes = edges == found and len(edges) == len(clause)
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
            if right and not any(value.get(it) is sign for it, sign in fits.items()):
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


# Formulas and proofs


def formula(name, rows):
    """The number of variables, their names, and the clauses."""
    names, rows = {}, collections.deque(rows)
    while rows and rows[0].startswith("c"):
        number, word = groups(f"c v ({IDENTIFIER}) ([!-~]+)", rows.popleft(), name)
        need(int(number) not in names, f"{name}: a variable with two names")
        names[int(number)] = word
    variables, count = groups(f"p cnf ({NUMBER}) ({NUMBER})", rows.popleft() if rows else "", name)
    variables = int(variables)
    need(all(number <= variables for number in names), f"{name}: a name of no variable")
    need(len(rows) == int(count), f"{name}: not as many clauses as announced")
    clauses = []
    for row in rows:
        (literals,) = groups(f"((?:{LITERAL} )*)0", row, name)
        clauses.append([int(word) for word in literals.split()])
        need(all(abs(lit) <= variables for lit in clauses[-1]), f"{name}: no such variable: {row[:60]}")
    return variables, names, clauses


def lrat(name, variables, clauses, rows):
    """Verifies a refutation, by unit propagation through the hints."""
    lemmas, last = dict(enumerate(clauses, 1)), len(clauses)
    for number, row in enumerate(rows, 1):
        where = f"{name} line {number}"
        deletion = re.fullmatch(f"{IDENTIFIER} d((?: {IDENTIFIER})*) 0", row)
        if deletion:
            for word in deletion[1].split():
                need(lemmas.pop(int(word), None) is not None, f"{where}: deletes what is not there")
            continue
        form = f"({IDENTIFIER})((?: {LITERAL})*) 0((?: {IDENTIFIER})*) 0"
        words = groups(form, row, where)
        label, lemma, hints = (list(map(int, word.split())) for word in words)
        need(label[0] > last, f"{where}: a number that is not above those before")
        last = label[0]
        need(all(abs(lit) <= variables for lit in lemma), f"{where}: no such variable")
        true, conflict = {-lit for lit in lemma}, any(-lit in lemma for lit in lemma)
        for hint in hints:
            need(not conflict and hint in lemmas, f"{where}: hint {hint}")
            left = {lit for lit in lemmas[hint] if -lit not in true}
            need(len(left) <= 1, f"{where}: hint {hint} is no unit clause")
            conflict = not left
            true |= left
        need(conflict, f"{where}: the hints end without a conflict")
        if not lemma:
            need(number == len(rows), f"{where}: lines below the empty clause")
            return
        lemmas[last] = lemma
    raise Invalid(f"{name}: the empty clause is missing")


# The description

FAMILIES = {board.NAME: board for board in (Sokoban, Warehouse, Snowman, Sokobond, Flow)}
PARTS = ("start", "goal", "step")
EVIDENCE = {
    "nothing": {},
    "backwards": {"classes": int},
    "closed": {"bound": (None, *(it.BOUND for it in FAMILIES.values() if it is not Flow)),
               "lrat": (True, False)},
    "horizon": {"horizon": int, "[tie_break]": int, "proof": ("lrat",)},
    "invariant": {"proof": ("lrat",)},
    "patterns": {"lrat": (True, False), "[counts]": ("waste", "pushes"), "[proof]": ("cutting-planes",)},
}
ENCODINGS = {"sokoban": ("moves", "pushes", "parallel"), "warehouse": ("moves", "pushes"),
             "snowman": ("moves", "pushes"), "sokobond": ("moves",), "flow": ("edges",)}


def description(folder):
    """What `certificate.json` says; every field has a value that is known here."""
    def once(pairs):
        known(len(dict(pairs)) == len(pairs), "a field twice")
        return dict(pairs)

    def number(word):
        known(re.fullmatch(NUMBER, word), f"a number that is not read here: {word[:60]}")
        return int(word)

    known(os.path.isfile(os.path.join(folder, "certificate.json")), "no certificate.json")
    text = "\n".join(lines("certificate.json", read(folder, "certificate.json")))
    try:
        about = json.loads(text, object_pairs_hook=once, parse_int=number, parse_float=number,
                           parse_constant=number)
    except (ValueError, RecursionError):
        raise Unread("certificate.json is no JSON")
    known(type(about) is dict, "certificate.json is no object")
    family, evidence = about.get("family"), about.get("evidence")
    known(type(family) is str and family in FAMILIES, "a family that is not known here")
    kind = evidence.get("kind") if type(evidence) is dict else None
    known(type(kind) is str and kind in EVIDENCE, "evidence of a kind that is not known here")
    board = FAMILIES[family]
    fits(about, {
        "schema": (1,),
        "tool": "[ -~]{0,80}",
        "family": (family,),
        "reading": board.READINGS,
        "options": board.OPTIONS,
        "objective": board.OBJECTIVES,
        "[after]": "[ -~]*",
        "claim": ("optimal", "nothing-within", "unsolvable", "unique"),
        "cost": (None,) if about.get("cost") is None else int,
        "[tie_break]": int,
        "evidence": {"kind": (kind,), **EVIDENCE[kind]},
        "[encodings]": {f"[{family}-{way}]": int for way in ENCODINGS[family]},
        "files": dict,
    }, "certificate.json")
    return about


def excluded(about):
    """The budget that the evidence must exclude, as lists have it; None where nothing is left."""
    claim, cost, tie = about["claim"], about["cost"], about.get("tie_break")
    if claim in ("unsolvable", "unique"):
        return "*"
    if claim == "nothing-within":
        return str(cost)
    if tie:
        return f"{cost},{tie - 1}"
    return str(cost - 1) if cost else None


def veripb(clauses, rows):
    """The same proof in VeriPB's format, in which lemmas are numbered behind the clauses."""
    numbers, last = {}, len(clauses)
    out = ["pseudo-Boolean proof version 3.0", f"f {last} ;"]
    for label, *words in map(str.split, rows):
        cut = words.index("0")
        lemma, hints = words[:cut], words[cut + 1:-1]
        if words[0] == "d":
            lemma, hints = None, words[1:-1]
        named = "".join(f" {numbers.get(hint, hint)}" for hint in hints)
        if lemma is None:
            out += [f"del id{named} ;"] * bool(named)
            continue
        literals = (f" 1 {'~' * (lit[0] == '-')}x{lit.lstrip('-')}" for lit in lemma)
        out.append(f"rup{''.join(literals)} >= 1 :{named} ~ ;")
        last += 1
        numbers[label] = last
    return out + ["output NONE ;", f"conclusion UNSAT : {last} ;", "end pseudo-Boolean proof ;"]


def readme(about):
    """What a certificate with proofs for VeriPB says of itself."""
    claim = about["claim"] + ("" if about["cost"] is None else f", cost {about['cost']}")
    claim += "" if about.get("tie_break") is None else f", tie-break {about['tie_break']}"
    solution = "moves.txt" if about["claim"] in ("optimal", "unique") else ""
    options = ", ".join(f"{name}={value}" for name, value in sorted(about["options"].items()))
    fields = [("family", about["family"]), ("options", options), ("reading", about["reading"]),
              ("objective", about["objective"])]
    fields += [(name, wish) for name in ("forbid", "require") for wish in about.get(name, ())]
    fields += [("claim", claim), ("solution", solution), ("evidence", about["evidence"]["kind"])]
    text = ["A certificate about the level in puzzle.txt.", ""]
    text += [f"{name + ':':10} {value}" for name, value in fields if value]
    names = sorted(proofs(about["evidence"]) or sums(about["evidence"]))
    if not names:
        return text
    text += ["", "VeriPB judges the proofs, each by a command:", ""]
    kind = "opb" if sums(about["evidence"]) else "cnf"
    text += [f"    veripb --{kind} {name}.{kind} {name}.pbp" for name in names]
    return text + ["", "That the formulas are those of the level and of the claim, no checker of proofs can see: "
                   "`unstuck check` compiles them again from puzzle.txt and compares."]


def proofs(evidence):
    """The names of the formulas that are refuted."""
    if evidence["kind"] == "horizon":
        horizon, tie = evidence["horizon"], evidence.get("tie_break")
        plain = [f"horizon-{horizon}"] if tie is None else [f"horizon-{horizon - 1}"] * (horizon > 0)
        return plain + [f"horizon-{horizon}-tie-break-{tie}"] * (tie is not None)
    return PARTS if evidence["kind"] == "invariant" or evidence.get("lrat") else ()


def sums(evidence):
    """The names of the pseudo-Boolean formulas, which are not judged here."""
    return PARTS if evidence["kind"] == "patterns" and "proof" in evidence else ()


def needed(about):
    """The names of the files of a certificate."""
    lists = {"closed": ["closed-set.txt"], "invariant": ["invariant.txt"], "patterns": ["patterns.txt"]}
    names = ["puzzle.txt", *lists.get(about["evidence"]["kind"], [])]
    names += ["moves.txt"] * (about["claim"] in ("optimal", "unique"))
    names += ["model.txt"] * (about["claim"] == "unique")
    ends = ["cnf", "lrat"] + ["pbp"] * ("README.txt" in about["files"])
    names += ["README.txt"] * ("README.txt" in about["files"])
    names += [f"{name}.{end}" for name in sums(about["evidence"]) for end in ("opb", "pbp")]
    return names + [f"{name}.{end}" for name in proofs(about["evidence"]) for end in ends]


# The judge


def consistent(about):
    """Whether such a claim can be made of such a puzzle, and such evidence be for it."""
    claim, evidence, tie = about["claim"], about["evidence"], about.get("tie_break")
    first, *ties = about["objective"].split(",")
    whole = claim in ("unsolvable", "unique")
    need((about["cost"] is None) == whole, "a cost where there is none, or none where there is one")
    need(tie is None or claim == "optimal" and ties, "a tie-break where there is none")
    need(whole or first != "any", "`any` has no cost")
    budget, kind = excluded(about), evidence["kind"]
    need((kind == "nothing") == (budget is None), "evidence where there is nothing to show, or none")
    if about["family"] == "flow":
        need(kind == "horizon" and not about.get("after"), "a board without moves")
        need(evidence["horizon"] == 0 and "tie_break" not in evidence, "a board without moves")
        return
    need(claim != "unique", "plans of a game can be made longer")
    need(not about.get("after") or kind in ("nothing", "closed") and not evidence.get("lrat"),
         "evidence that knows what was before")
    need(kind != "backwards" or about["family"] == "sokoban" and first != "moves" and "," not in budget,
         "pushes of Sokoban are counted from the end")
    need(not sums(evidence) or not evidence["lrat"] and "counts" not in evidence, "proofs of two forms")
    need(kind != "patterns" or about["family"] == "sokoban" and first != "moves" and "," not in budget,
         "patterns count the pushes of Sokoban")
    bounds = (None, FAMILIES[about["family"]].BOUND)
    need(evidence.get("bound") in bounds, "the bound of another family")
    if kind == "horizon":
        need(budget != "*", "no horizon shows that there is no solution at all")
        least = list(map(int, budget.split(",")))
        refuted = [evidence["horizon"], *([evidence["tie_break"]] if "tie_break" in evidence else [])]
        need(len(refuted) == len(least) and all(a >= b for a, b in zip(refuted, least)),
             "a horizon that does not show the claim")


def judge(about, texts, said, judged, open_):
    """Judges what is claimed; tells the board, what was judged, and what could not be."""
    evidence, budget = about["evidence"], excluded(about)
    board = FAMILIES[about["family"]](texts["puzzle.txt"], about["options"], about["reading"])
    if about["family"] == "flow":
        said.extend(board.drawn())
        found = None
        if about["claim"] == "unique":
            found = board.solution(texts["moves.txt"])
            judged.append("the solution")
        board.sound(*formula("horizon-0.cnf", texts["horizon-0.cnf"]), found)
        judged.append("the formula")
        return
    first = about["objective"].split(",")[0]
    board.start, _ = board.played(board.plan([about.get("after", "")]), "after")
    said.extend(board.drawn())
    if about["claim"] == "optimal":
        moves, pushes = board.replay(board.plan(texts["moves.txt"]))
        cost, other = (moves, pushes) if first == "moves" else (pushes, moves)
        need(cost == about["cost"], "the plan has another cost")
        need(about.get("tie_break") in (None, other), "the plan has another cost in the tie-break")
        judged.append("the plan")
    if evidence["kind"] == "closed":
        board.closed(texts["closed-set.txt"], budget, evidence["bound"], first == "moves")
        judged.append("the closed set")
        if evidence["bound"]:
            open_.append(f"the bound {evidence['bound']}")
    elif evidence["kind"] == "backwards":
        board.backwards(evidence["classes"], None if budget == "*" else int(budget))
        judged.append("what leads to the end")
    elif evidence["kind"] == "patterns":
        Patterns(board, texts["patterns.txt"]).judge(None if budget == "*" else int(budget))
        judged.append("the patterns")
        open_.extend(["formulas with sums"] * bool(sums(evidence)))
    elif evidence["kind"] == "invariant":
        rows = texts["invariant.txt"]
        need(rows[:2] == ["unstuck invariant 1", f"claim {budget}"], "invariant.txt is about something else")
        need(rows[2:3] == [f"cubes {len(rows) - 3}"], "invariant.txt has not as many cubes as announced")
        for row in rows[3:]:
            groups(f"{BUDGET}(?: -?[a-z][!-~]*)+", row, "invariant.txt")
    if evidence["kind"] in ("horizon", "invariant"):
        open_.append("formulas of games")


def check(folder, said):
    """The exit code and the verdict; `said` is told the question and the board."""
    about = description(folder)
    files, names = about["files"], needed(about)
    consistent(about)
    known(set(files) <= set(names), "a file that does not belong here")
    need(set(files) == set(names), "a file is missing")
    texts = {}
    for name in sorted(files):
        data = read(folder, name)
        need(hashlib.sha256(data).hexdigest() == files[name], f"{name} is not the listed file")
        texts[name] = lines(name, data)
    options = "".join(f", {name} {value or 'none'}" for name, value in sorted(about["options"].items()))
    reading = about["reading"] and f", reading {about['reading']}"
    after = about.get("after") and f", after {about['after']}"
    said.append(f"{about['family']}{options}, objective {about['objective']}{reading}{after or ''}")
    judged, open_ = [], []
    judge(about, texts, said, judged, open_)
    for name in proofs(about["evidence"]):
        variables, _, clauses = formula(f"{name}.cnf", texts[f"{name}.cnf"])
        lrat(f"{name}.lrat", variables, clauses, texts[f"{name}.lrat"])
        judged.append(f"{name}.lrat")
        if f"{name}.pbp" in texts:
            same = texts[f"{name}.pbp"] == veripb(clauses, texts[f"{name}.lrat"])
            need(same, f"{name}.pbp is not {name}.lrat translated")
            judged.append(f"{name}.pbp")
    need("README.txt" not in texts or not about.get("after"), "README.txt knows no earlier moves")
    need(texts.get("README.txt") in (None, readme(about)), "README.txt says something else")
    claimed = about["claim"] + ("" if about["cost"] is None else f" {about['cost']}")
    claimed += "" if about.get("tie_break") is None else f", {about['tie_break']} in the tie-break"
    word = f"valid as far as it was judged (not: {', '.join(open_)})" if open_ else "valid"
    return 3 if open_ else 0, f"{word}: {claimed}; judged: {', '.join(judged) or 'the sums'}"


def main(folder):
    said = []
    try:
        code, verdict = check(folder, said)
    except Invalid as reason:
        code, verdict = 1, f"invalid: {reason}"
    except (Unread, OSError) as reason:
        code, verdict = 2, f"not read: {reason}"
    except Exception as fault:
        code, verdict = 2, f"not read: a fault of this program: {fault!r}"
    for line in [verdict, *said]:
        print(re.sub("[^ -~]", "?", line))
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]) if len(sys.argv) == 2 else print(__doc__) or 2)
