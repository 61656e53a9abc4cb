"""Certificates for docs/check.py, honest and hostile, each with the exit code that it must have.

A case is (name, files, code, flag). The flag is "true" where `unstuck check` must accept it too,
"false" where the claim is false, so that neither may accept it, and "" where the other checker may
know more (other formats), or where formulas of games are made up.
"""

import hashlib
import json

OBJECTIVE = {"sokoban": "pushes", "snowman": "pushes", "warehouse": "moves", "sokobond": "moves", "flow": "any"}
READING = {"sokobond": "strict", "flow": "self-touch allowed"}

TWO = "#######\n#@ $ .#\n#     #\n#######\n"
ONE = "#####\n#@$.#\n#####\n"
LOST = "#####\n#@$##\n#. ##\n#####\n"
PAIR = "########\n#  $$ .#\n# .@ $ #\n#  .   #\n########\n"
WALK = "#######\n#. $@ #\n#######\n"
MORE = "######\n#@$..#\n######\n"
TOLD = "#####\n#@O.#\n#...#\n#####\n\n>\n"
GOAL = "#####\n#@O.#\n#####\n\n#####\n#.@O#\n#####\n"
BALL = "; title: T\n; legend: published\n-#1-6-\n------\n"
DOOR = "T-#\n1-T\n6X-\n"
ATOM = "H-h\n"
MODS = "v2\nH - h\n \n- - -\n"
UNIQUE = "A.\nA.\n"
CROSS = "AB\nBA\n"
ROWS = "AA\nBB\n"


def signed(files):
    """The files with their sums in the description, unless that was made by hand."""
    files = {name: data.encode() if isinstance(data, str) else data for name, data in files.items()}
    about = files["certificate.json"]
    if isinstance(about, dict):
        sums = {name: hashlib.sha256(data).hexdigest() for name, data in files.items() if name != "certificate.json"}
        given = about.get("files", {})
        listed = {**sums, **given} if isinstance(given, dict) else given
        files["certificate.json"] = json.dumps({**about, "files": listed}).encode()
    return files


class Maker:
    """Makes certificates; of games with lists that are closed by the rules of the checker."""

    def __init__(self, checker):
        self.checker = checker

    def listed(self, about, puzzle):
        """A list of all that can be reached within the claim."""
        board = self.checker.FAMILIES[about["family"]](
            puzzle.split("\n")[:-1], about["options"], about["reading"])
        board.start, _ = board.played(board.plan([about.get("after", "")]), "after")
        budget = self.checker.excluded(about)
        if budget is None or budget == "*":
            first = [float("inf")] * 2
        else:
            first = [*map(int, budget.split(",")), float("inf")][:2]
        moves, tied = about["objective"].startswith("moves"), budget is not None and "," in budget
        best, left = {}, [(board.start, tuple(first))]
        while left:
            state, budget = left.pop()
            if best.get(state, (-1, -1)) >= budget or board.solved(state):
                continue
            best[state] = budget
            for _, after, counts in board.moves(state):
                w, v = (1, counts) if moves else (counts, 1)
                rest = (budget[0] - w, budget[1] - v) if budget[1] >= v else (budget[0] - w - 1, float("inf"))
                if rest[0] >= 0:
                    left.append((after, rest))
        word = lambda n: "*" if n == float("inf") else str(n)
        said = lambda budget: word(budget[0]) + (f",{budget[1]}" if budget[1] != float("inf") else "")
        # One entry for each class: what moves that cost nothing lead to needs none.
        rows, held = [], {}
        for state, budget in sorted(best.items()):
            if held.get(state, (-1, -1)) < budget:
                rows.append(f"{said(budget)} {board.text(state)}")
            left = [state] if budget[1] == float("inf") and not moves else []
            while left:
                state = left.pop()
                if held.get(state, (-1, -1)) < budget:
                    held[state] = budget
                    left.extend(after for _, after, counts in board.moves(state) if not counts)
        head = [f"unstuck closed set {1 + tied}", f"claim {self.checker.excluded(about)}", "bound none"]
        return "\n".join([*head, f"entries {len(rows)}", *rows]) + "\n"

    def make(self, family, puzzle, claim, cost=None, plan=None, *, files=None, lists=True, sums=None, **more):
        """The files of a certificate, the description as a dictionary."""
        about = {
            "schema": 1, "tool": "a test", "family": family, "reading": READING.get(family, ""),
            "options": {}, "objective": OBJECTIVE[family], "claim": claim, "cost": cost,
            "evidence": {"kind": "closed", "bound": None, "lrat": False}, "files": sums or {}, **more,
        }
        made = {"puzzle.txt": puzzle, **({} if plan is None else {"moves.txt": plan + "\n"})}
        if about["evidence"]["kind"] == "closed" and lists:
            made["closed-set.txt"] = self.listed(about, puzzle)
        return {"certificate.json": about, **made, **(files or {})}

    def zero(self, puzzle, claim, rest, unit=1, price=None, at=lambda at, side: 0):
        """A list of patterns with a potential; None where a box is lost."""
        board = self.checker.Sokoban(puzzle.split("\n")[:-1], {}, "")
        place = lambda cell: "{},{}".format(*divmod(cell, board.width))
        rows = [f"price {place(goal)} {(price or {}).get(goal, 0)}" for goal in sorted(board.goals & board.floor)]
        for box in sorted(board.floor):
            sides = {min(board.reach((box,), side)): side for side in sorted(board.floor - {box}, reverse=True)}
            for side in sides.values():
                if at(box, side) is not None:
                    rows.append(f"potential {place(box)} {place(side)} {at(box, side)}")
        return "\n".join(["unstuck patterns 1", f"claim {claim}", f"unit {unit}", *rows, rest]) + "\n"


def changed(files, name, old, new):
    """The files with a text changed in one of them."""
    text = files[name]
    assert old in text, f"{name} has no {old}"
    return {**files, name: text.replace(old, new, 1)}


def with_about(files, /, **fields):
    """The files with other fields of the description; `...` takes one away."""
    about = {**files["certificate.json"], **fields}
    return {**files, "certificate.json": {key: it for key, it in about.items() if it is not ...}}


def by_hand(files, old, new):
    """The files with their sums and a change of the text of the description."""
    made = signed(files)
    text = made["certificate.json"].decode()
    assert old in text, f"no {old}"
    return {**made, "certificate.json": text.replace(old, new, 1).encode()}


def cases(checker):
    """All cases; see above."""
    found = []

    def add(name, files, code, flag="", is_signed=False):
        found.append((name, files if is_signed else signed(files), code, flag))

    maker = Maker(checker)
    for part in (honest, descriptions, texts, boards, lists, patterns, proofs, veripb, flows):
        part(maker, add)
    names = [name for name, *_ in found]
    assert len(set(names)) == len(names), [name for name in names if names.count(name) > 1]
    return found


# A refutation of a formula that says nothing of any game.
CNF = "c v 1 box(1,1)@0\np cnf 1 2\n1 0\n-1 0\n"
LRAT = "3 0 1 2 0\n"


def refuted(*names):
    return {f"{name}.{end}": {"cnf": CNF, "lrat": LRAT}[end] for name in names for end in ("cnf", "lrat")}


def flow(maker, puzzle, claim, cnf, lrat, plan=None, **more):
    files = {"horizon-0.cnf": cnf, "horizon-0.lrat": lrat}
    if claim == "unique":
        files["model.txt"] = "s SATISFIABLE\nv 1 -2 3 4 0\n"
    evidence = {"kind": "horizon", "horizon": 0, "proof": "lrat"}
    return maker.make("flow", puzzle, claim, None, plan, files=files, evidence=evidence, **more)


UNIQUE_CNF = ("c v 1 joined(0,0;0,1)@0\nc v 2 joined(0,0;1,0)@0\nc v 3 joined(0,1;1,1)@0\n"
              "c v 4 joined(1,0;1,1)@0\np cnf 4 9\n1 2 0\n-1 -2 0\n1 0\n3 0\n-1 3 0\n2 4 0\n4 0\n3 4 0\n-1 -3 -4 0\n")
UNIQUE_LRAT = "10 0 3 4 7 9 0\n"
CROSS_CNF = ("".join(f"c v {n} joined({a})@0\n" for n, a in enumerate(
    ("0,0;0,1", "0,0;1,0", "0,1;1,1", "1,0;1,1"), 1))
    + "".join(f"c v {n} colour({a};0)@0\n" for n, a in enumerate(("0,0", "0,1", "1,0", "1,1"), 5))
    + "p cnf 8 8\n1 2 0\n-5 0\n6 0\n7 0\n-8 0\n-1 -5 6 0\n-1 5 -6 0\n-2 5 -7 0\n")
CROSS_LRAT = "9 -1 0 2 3 7 0\n10 -2 0 2 4 8 0\n11 0 9 10 1 0\n"


def bases(maker):
    """Honest certificates of small boards, all of which are accepted."""
    patterns = {"kind": "patterns", "lrat": False}
    return {
        "two": maker.make("sokoban", TWO, "optimal", 2, "rRR"),
        "two, moves": maker.make("sokoban", TWO, "optimal", 3, "rRR", objective="moves"),
        "two, tied": maker.make("sokoban", TWO, "optimal", 2, "rRR", objective="pushes,moves", tie_break=3),
        "two, moves tied": maker.make("sokoban", TWO, "optimal", 3, "rRR", objective="moves,pushes", tie_break=2),
        "two, within": maker.make("sokoban", TWO, "nothing-within", 1),
        "two, after": maker.make("sokoban", TWO, "optimal", 1, "R", after="rR"),
        "lost": maker.make("sokoban", LOST, "unsolvable"),
        "lost, any": maker.make("sokoban", LOST, "unsolvable", objective="any"),
        "nothing": maker.make("sokoban", "#####\n#@*##\n#####\n", "optimal", 0, "", evidence={"kind": "nothing"}),
        "formulas": maker.make("sokoban", TWO, "optimal", 2, "rRR", files=refuted("start", "goal", "step"),
                               evidence={"kind": "closed", "bound": None, "lrat": True}),
        "patterns": maker.make("sokoban", TWO, "nothing-within", 1, evidence=patterns, files={
            "patterns.txt": maker.zero(TWO, 1, "root\npatterns 0", 2, at=distance)}),
        "told": maker.make("warehouse", TOLD, "optimal", 1, ">"),
        "goal": maker.make("warehouse", GOAL, "optimal", 1, ">"),
        "score": maker.make("warehouse", TOLD.replace(">", "gps >= 103"), "optimal", 1, ">"),
        "score by option": maker.make("warehouse", TOLD, "optimal", 1, ">", options={"gps": "=103"}),
        "wide": maker.make("warehouse", GOAL, "optimal", 4, ">>><", options={"widen": "1", "widen-boxes": "grow"}),
        "double": maker.make("warehouse", "######\n#@[]..#\n######\n\n#######\n#??[].#\n#######\n".replace(
            "######\n#@[]..#\n######\n\n", "#######\n#@[]..#\n#######\n\n"), "optimal", 3, ">>>", options={"widen": "1"}),
        "ball": maker.make("snowman", BALL, "optimal", 2, "DD"),
        "door": maker.make("snowman", DOOR, "optimal", 1, "S1S"),
        "apart": maker.make("snowman", "7#--\n", "optimal", 0, "", evidence={"kind": "nothing"}),
        "atom": maker.make("sokobond", ATOM, "optimal", 1, "D"),
        "modifiers": maker.make("sokobond", MODS, "optimal", 1, "D"),
        "unique": flow(maker, UNIQUE, "unique", UNIQUE_CNF, UNIQUE_LRAT, "A: 0,0 0,1 1,1 1,0"),
        "cross": flow(maker, CROSS, "unsolvable", CROSS_CNF, CROSS_LRAT),
    }


def distance(at, side):
    """Pushes of TWO: the box is lost but in the upper row."""
    row, column = divmod(at, 7)
    return 5 - column if row == 1 and column > 1 else None


# Their formulas are made up, or their lists have other entries than those of the program.
MADE_UP = {"formulas", "unique", "cross", "two, tied", "door"}


def honest(maker, add):
    for name, files in bases(maker).items():
        add(f"honest: {name}", files, 0, "" if name in MADE_UP else "true")
    two = bases(maker)["two"]
    add("carriage returns", {name: data.replace("\n", "\r\n") if isinstance(data, str) else data
                             for name, data in two.items()}, 0, "true")
    add("no end of the last line", {**two, "puzzle.txt": TWO[:-1], "moves.txt": "rRR"}, 0, "true")
    add("horizon", maker.make("sokoban", TWO, "optimal", 2, "rRR", files=refuted("horizon-1"),
                              evidence={"kind": "horizon", "horizon": 1, "proof": "lrat"}), 3)
    add("horizon of a tie-break", maker.make(
        "sokoban", TWO, "optimal", 2, "rRR", objective="pushes,moves", tie_break=3,
        files=refuted("horizon-1", "horizon-2-tie-break-2"),
        evidence={"kind": "horizon", "horizon": 2, "tie_break": 2, "proof": "lrat"}), 3)
    add("invariant", invariant(maker), 3)
    add("a bound", bounded(maker), 3)


def invariant(maker):
    cubes = "unstuck invariant 1\nclaim *\ncubes 1\n* box(1,2) -player(1,1)\n"
    return maker.make("sokoban", LOST, "unsolvable", files={"invariant.txt": cubes, **refuted("start", "goal", "step")},
                      evidence={"kind": "invariant", "proof": "lrat"})


def bounded(maker):
    name = "sided-matching-and-freeze"
    files = maker.make("sokoban", TWO, "optimal", 2, "rRR", evidence={"kind": "closed", "bound": name, "lrat": False},
                       lists=False, files={"closed-set.txt": f"unstuck closed set 1\nclaim 1\nbound {name}\nentries 1\n1 8 10\n"})
    return files


def descriptions(maker, add):
    base = bases(maker)
    two, told, unique = base["two"], base["told"], base["unique"]
    evidence = two["certificate.json"]["evidence"]

    def say(name, code, flag="", of=two, **fields):
        add(f"description: {name}", with_about(of, **fields), code, flag)

    say("schema 2", 2, schema=2)
    say("schema as text", 2, schema="1")
    say("schema true", 2, schema=True)
    say("no tool", 1, tool=...)
    say("a tool with an escape", 2, tool="\x1b[2K")
    say("another family", 2, family="hexoban")
    say("a family that is a list", 2, family=["sokoban"])
    say("a reading where there is none", 2, reading="strict")
    say("a reading in capitals", 2, of=base["atom"], reading="Strict")
    say("a reading with a blank", 2, of=unique, reading="self-touch allowed ")
    say("options that are a list", 2, options=[])
    say("an option of another family", 2, options={"widen": "0"})
    say("an option that is no text", 2, of=told, options={"widen": 0})
    say("widen beyond its range", 2, of=told, options={"widen": "21"})
    say("widen by a milliard", 2, of=told, options={"widen": "1000000000"})
    say("too wide", 2, of=told, options={"widen": "20"})
    say("widen with leading zeros", 2, of=told, options={"widen": "00"})
    say("another way to widen", 2, of=told, options={"widen-boxes": "Grow"})
    say("a score in words", 2, of=told, options={"gps": "> 4"})
    say("an objective in capitals", 2, "false", objective="Moves")
    say("an objective with a blank", 2, "false", objective="moves ")
    say("an objective of another family", 2, of=base["atom"], objective="pushes")
    say("an objective of another order", 2, objective="moves, pushes")
    say("claim solvable in", 2, claim="solvable in")
    say("claim in capitals", 2, claim="Optimal")
    say("cost as text", 2, cost="2")
    say("cost true", 2, "false", cost=True)
    say("no cost", 1, cost=None)
    say("cost missing", 1, cost=...)
    say("a tie-break where there is none", 1, tie_break=3)
    say("a tie-break that is null", 2, tie_break=None)
    say("an unknown field", 2, note="x")
    say("wishes to forbid", 2, forbid=["move u"])
    say("wishes to require", 2, require=["box 1,2"])
    say("another kind of evidence", 2, evidence={**evidence, "kind": "Closed"})
    say("evidence that is text", 2, evidence="closed")
    say("a kind of evidence that is a list", 2, evidence={**evidence, "kind": ["closed"]})
    say("no evidence", 2, evidence=...)
    say("evidence with more fields", 2, evidence={**evidence, "proof": "lrat"})
    say("evidence without a field", 1, evidence={"kind": "closed", "bound": None})
    say("a bound that nobody has", 2, evidence={**evidence, "bound": "x"})
    say("evidence with lrat as text", 2, evidence={**evidence, "lrat": "false"})
    say("evidence with lrat as number", 2, evidence={**evidence, "lrat": 0})
    say("encodings of another family", 2, encodings={"flow-edges": 1})
    say("encodings as text", 2, encodings={"sokoban-moves": "1"})
    say("encodings", 0, "true", encodings={"sokoban-moves": 2, "sokoban-pushes": 2})
    say("after as a list", 2, after=["r"])
    say("after with a control character", 2, after="r\x1b[2K")
    say("after with a tab", 2, after="r\t")
    say("after with other moves", 2, after="x")
    say("after that is not possible", 1, after="u")
    say("after that solves it", 1, after="rRR")
    say("files as a list", 2, files=[])
    say("a file with a path", 2, files={"../x.txt": "0" * 64})
    say("a file in capitals", 2, files={"NOTES.txt": "0" * 64})
    say("a file that does not belong here", 2, files={"x.txt": "0" * 64})
    say("a sum that is none", 1, files={"puzzle.txt": "0"})
    say("another sum", 1, "false", files={"puzzle.txt": "0" * 64})
    add("description: a file that is not there", {name: it for name, it in with_about(
        two, files={"moves.txt": "0" * 64}).items() if name != "moves.txt"}, 1, "false")
    add("description: a file that is not listed", {name: it for name, it in two.items() if name != "moves.txt"}, 1, "false")
    hashed = signed(two)
    add("description: a link", {**hashed, "other": hashed["moves.txt"], "moves.txt": "other"}, 1, "false", True)
    add("description: a pipe", {**hashed, "moves.txt": "pipe"}, 1, "false", True)
    add("description: a large file", {**hashed, "moves.txt": (1 << 31) + 1}, 2, "", True)
    add("description: none", {"puzzle.txt": hashed["puzzle.txt"]}, 2, "false", True)
    add("description: one more file", {**two, "more.txt": "x"}, 2)
    add("description: a model of a game", {**two, "model.txt": "s SATISFIABLE\n"}, 2)
    hand = lambda name, old, new, code, flag="": add(f"description: {name}", by_hand(two, old, new), code, flag)
    hand("a field twice", '"cost": 2', '"cost": 3, "cost": 2', 2)
    hand("an inner field twice", '"lrat": false', '"lrat": true, "lrat": false', 2)
    hand("a number with a point", '"cost": 2', '"cost": 2.0', 2)
    hand("a number with an exponent", '"cost": 2', '"cost": 2e0', 2)
    hand("not a number", '"cost": 2', '"cost": NaN', 2)
    hand("infinite", '"cost": 2', '"cost": Infinity', 2)
    hand("less than nothing", '"cost": 2', '"cost": -2', 2, "false")
    hand("minus nothing", '"cost": 2', '"cost": -0', 2, "false")
    hand("a huge number", '"cost": 2', '"cost": ' + "9" * 5000, 2)
    hand("a large number", '"cost": 2', '"cost": 4000000000', 2, "false")
    hand("a tab", '"cost"', '\t"cost"', 2)
    hand("no JSON", '"cost"', 'cost', 2)
    hand("a mark of the byte order", "{", "\ufeff{", 2)
    add("description: a list", {**signed(two), "certificate.json": b"[]"}, 2)
    add("description: nested deep", {**signed(two), "certificate.json": b"[" * 200000}, 2)
    add("description: empty", {**signed(two), "certificate.json": b""}, 2)
    add("description: no UTF-8", {**signed(two), "certificate.json": b"\xff"}, 2)

    # Claims and evidence that do not fit.
    say("unsolvable with a cost", 1, claim="unsolvable")
    say("a game with one solution", 1, "false", of=with_about({**two, "model.txt": "s SATISFIABLE\n"}), claim="unique", cost=None)
    lost = {**base["lost"], "moves.txt": "\n", "model.txt": "s SATISFIABLE\n"}
    say("a game without solution that has one", 1, "false", of=lost, claim="unique")
    say("nothing where something is to be shown", 1, "false", evidence={"kind": "nothing"},
        of={name: it for name, it in two.items() if name != "closed-set.txt"})
    say("a list where nothing is to be shown", 1, of={**base["nothing"], "closed-set.txt": "x\n"}, evidence=evidence)
    say("any with a cost", 1, "false", of=base["two, within"], objective="any")
    say("any within nothing", 1, "false", of=maker.make("sokoban", TWO, "nothing-within", 0), objective="any")
    say("a tie-break of a claim without", 1, of=maker.make("sokoban", TWO, "nothing-within", 1, objective="pushes,moves"),
        tie_break=3)
    say("a tie-break of one count", 1, of=base["two, tied"], objective="pushes")
    say("the bound of another family", 1, of=changed(bounded(maker), "closed-set.txt", "sided-matching-and-freeze", "bottleneck"),
        evidence={**evidence, "bound": "bottleneck"})
    say("a horizon that is too small", 1, "false", of={name: it for name, it in two.items() if name != "closed-set.txt"}
        | refuted("horizon-0"), evidence={"kind": "horizon", "horizon": 0, "proof": "lrat"})
    say("a horizon for any length", 1, "false", of={name: it for name, it in base["lost"].items() if name != "closed-set.txt"}
        | refuted("horizon-9"), evidence={"kind": "horizon", "horizon": 9, "proof": "lrat"})
    say("a horizon without the tie-break", 1, "false", of={name: it for name, it in base["two, tied"].items() if name != "closed-set.txt"}
        | refuted("horizon-2"), evidence={"kind": "horizon", "horizon": 2, "proof": "lrat"})
    say("a tie-break that is too small", 1, "false", of={name: it for name, it in base["two, tied"].items() if name != "closed-set.txt"}
        | refuted("horizon-1", "horizon-2-tie-break-1"),
        evidence={"kind": "horizon", "horizon": 2, "tie_break": 1, "proof": "lrat"})
    say("a proof without hints", 2, of={name: it for name, it in two.items() if name != "closed-set.txt"}
        | {"horizon-1.cnf": CNF, "horizon-1.drat": "0\n"}, evidence={"kind": "horizon", "horizon": 1, "proof": "drat"})
    say("formulas after moves", 1, of=maker.make(
        "sokoban", TWO, "optimal", 1, "R", after="rR", files=refuted("start", "goal", "step"),
        evidence={"kind": "closed", "bound": None, "lrat": True}))
    say("a horizon after moves", 1, of=maker.make("sokoban", TWO, "optimal", 1, "R", after="rR", files=refuted("horizon-0"),
                                                   evidence={"kind": "horizon", "horizon": 0, "proof": "lrat"}))

    # What leads to the end, by its number of classes.
    back = lambda classes: {"kind": "backwards", "classes": classes}
    end = lambda *words, classes, **more: maker.make("sokoban", *words, lists=False, evidence=back(classes), **more)
    say("from the end", 0, "true", of=end(TWO, "optimal", 2, "rRR", classes=2))
    say("from the end, one class less", 1, of=end(TWO, "optimal", 2, "rRR", classes=1))
    say("from the end, one class more", 1, of=end(TWO, "optimal", 2, "rRR", classes=3))
    say("from the end, too far", 1, "false", of=end(TWO, "nothing-within", 2, classes=3))
    say("from the end, too far to count", 1, "false", of=end(TWO, "nothing-within", 9, classes=2))
    say("from the end where there is one", 1, "false", of=end(TWO, "unsolvable", classes=3))
    say("from the end of a lost level", 0, "true", of=end(LOST, "unsolvable", classes=1))
    say("from each of several ends", 0, "true", of=end(MORE, "optimal", 1, "R", classes=3))
    say("from the end, counting moves", 1, of=end(TWO, "optimal", 3, "rRR", classes=2, objective="moves"))
    say("from the end with a tie-break", 1, of=end(TWO, "optimal", 2, "rRR", classes=2, objective="pushes,moves", tie_break=3))
    say("from the end of another family", 1, of=with_about(told), evidence=back(2))
    say("from the end, after moves", 1, of=end(TWO, "optimal", 1, "R", classes=1, after="rR"))
    say("patterns that count moves", 1, of=with_about(base["patterns"]), objective="moves")
    say("patterns of another family", 1, "false", of={name: it for name, it in told.items() if name != "closed-set.txt"}
        | {"patterns.txt": "x\n"}, evidence={"kind": "patterns", "lrat": False})
    tied = base["patterns"] | {"moves.txt": "rRR\n"}
    say("patterns of a tie-break", 1, "false", of=tied, claim="optimal", cost=2, tie_break=3, objective="pushes,moves")
    say("a flow with a cost", 1, of=unique, claim="optimal", cost=3)
    say("a flow after moves", 1, of=unique, after="A")
    say("a flow with a closed set", 1, of={"puzzle.txt": CROSS, "closed-set.txt": "x\n", "certificate.json": base["cross"]["certificate.json"]},
        evidence=evidence)
    say("a flow at another horizon", 1, of={name.replace("-0", "-1"): it for name, it in base["cross"].items()},
        evidence={"kind": "horizon", "horizon": 1, "proof": "lrat"})
    say("a flow with a tie-break", 1, of={name.replace("-0", "-0-tie-break-1"): it for name, it in base["cross"].items()},
        evidence={"kind": "horizon", "horizon": 0, "tie_break": 1, "proof": "lrat"})
    say("false: three pushes", 1, "false", cost=3)
    say("false: one move", 1, "false", of=base["two, moves"], cost=2)
    say("false: another tie-break", 1, "false", of=base["two, tied"], tie_break=2)
    say("false: unsolvable", 1, "false", claim="unsolvable", cost=None, of={name: it for name, it in two.items() if name != "moves.txt"})
    say("a score instead of the map", 1, of=told, options={"gps": "<=5"})


# What a line may not have, though other programs may end it there, or not see it.
MARKS = {"form feed": "\x0c", "vertical tab": "\x0b", "file separator": "\x1c", "record separator": "\x1e",
         "next line": "\x85", "line separator": "\u2028", "paragraph separator": "\u2029", "tab": "\t",
         "nothing": "\x00", "escape": "\x1b", "byte order": "\ufeff", "right to left": "\u202e", "blank": "\xa0",
         "other digit": "\u0661", "carriage return": "\r"}


def texts(maker, add):
    base = bases(maker)
    for name, mark in MARKS.items():
        add(f"{name} in the board", {**base["two"], "puzzle.txt": TWO.replace("#     #", f"#    {mark}#")}, 2)
        add(f"{name} below the board", {**base["two"], "puzzle.txt": f"{TWO}{mark}"}, 2)
        add(f"{name} in a plan", {**base["two"], "moves.txt": f"r{mark}RR\n"}, 2)
        add(f"{name} in a list", changed(base["two"], "closed-set.txt", "8 10", f"8{mark}10"), 2)
        add(f"{name} in a formula", changed(base["cross"], "horizon-0.cnf", "-5 0", f"-5{mark}0"), 2)
        add(f"{name} in a proof", changed(base["cross"], "horizon-0.lrat", "9 -1 0", f"9 -1{mark}0"), 2)
    # A board above another one that only some readers see.
    add("false: a form feed ends a row", maker_text(maker, LOST, "\x0c\n" + TWO), 2)
    add("plans with more moves", {**base["two"], "moves.txt": "rRRR\n"}, 1, "false")
    add("plans that do not solve", {**base["two"], "moves.txt": "rR\n"}, 1, "false")
    add("plans with a detour", {**base["two, moves"], "moves.txt": "lrrRR\n"}, 1, "false")
    add("plans with run lengths", {**base["two"], "moves.txt": "r2R\n"}, 2)
    add("plans with blanks", {**base["two"], "moves.txt": "r RR\n"}, 2)
    add("plans on two lines", {**base["two"], "moves.txt": "rR\nR\n"}, 0, "true")
    add("plans of another game", {**base["two"], "moves.txt": ">>>\n"}, 2)
    add("a position that is drawn", with_about(base["two"], after="#######\n#@ $ .#\n#     #\n#######\n"), 2)
    add("plans with more pushes than claimed", {**base["two"], "moves.txt": "drrruLdlluRRR\n"}, 1, "false")
    add("a longer plan in the tie-break", {**base["two, tied"], "moves.txt": "druRR\n"}, 1, "false")


def maker_text(maker, board, more):
    """A list about one board below the text of that board and more."""
    files = maker.make("sokoban", board, "unsolvable")
    return {**files, "puzzle.txt": board + more}


def boards(maker, add):
    base = bases(maker)
    lost = lambda name, puzzle, flag="": add(f"sokoban: {name}", {**base["lost"], "puzzle.txt": puzzle}, 2, flag)
    # What is left of these without the lines that are not understood has no solution.
    lost("run lengths between the rows", "#####\n#@$##\n1#2-.1#\n#. ##\n#####\n")
    lost("run lengths", "#####\n#@$##\n#.-2#\n5#\n")
    lost("walls as letters", "#####\n#@$##\nw. ww\n#####\n")
    lost("rows on one line", "#####|#@$##|#. ##|#####\n")
    lost("tabs", "#####\n#@$##\n#.\t#\n#####\n")
    lost("a comment with a board", f"Comment:\n{LOST}Comment-End:\n{TWO}", "false")
    lost("a board below a comment", f"{LOST}\nComment:\n{TWO}Comment-End:\n")
    lost("two boards", f"{LOST}\n{TWO}", "false")
    lost("a title", f"Title: a\n{LOST}")
    lost("a line of text", f"{LOST}\nLevel 1\n")
    lost("a blank line between the rows", LOST.replace("#. ##", "\n#. ##"))
    lost("a row of blanks", LOST.replace("#. ##", "   \n#. ##"))
    lost("another game", f"{LOST}\nGame: Multiban\n", "false")
    lost("no wall above", f". \n{LOST}")
    lost("nothing", "")
    lost("no player", LOST.replace("@", " "))
    lost("two players", LOST.replace(". ", ".@"), "false")
    add("sokoban: a solved box and two players", {**base["nothing"], "puzzle.txt": "######\n#@*@##\n######\n"}, 2, "false")
    lost("more boxes than goals", "######\n#@$$.#\n######\n")
    add("sokoban: less goals than boxes", maker.make("sokoban", LOST, "unsolvable", lists=False, files={
        "puzzle.txt": "#####\n#@$##\n#.$##\n#####\n", "closed-set.txt": "unstuck closed set 1\nclaim *\nbound none\nentries 1\n* 6 7 12\n"}), 2, "false")
    add("sokoban: a box behind a wall", maker.make("sokoban", LOST, "unsolvable", lists=False, files={
        "puzzle.txt": "#######\n#@*.#$#\n#######\n",
        "closed-set.txt": "unstuck closed set 1\nclaim *\nbound none\nentries 3\n* 8 9 12\n* 9 10 12\n* 8 10 12\n"}), 2, "false")
    above = changed(base["lost"], "closed-set.txt", "* 6 7", "* 11 12")
    add("sokoban: a goal above the walls", {**above, "puzzle.txt": f".\n{LOST}"}, 2)
    lost("a letter on the floor", LOST.replace(". ", ".x"))
    lost("a row of blanks below", LOST + "   \n")
    for side, puzzle in {"left": "###\n@*#\n###\n", "right": "###\n#*@\n###\n", "above": "#@#\n#*#\n###\n", "below": "###\n#*#\n#@#\n"}.items():
        add(f"sokoban: a leak {side}", {**base["nothing"], "puzzle.txt": puzzle}, 2, "false")
    add("sokoban: floor around", {**base["two"], "puzzle.txt": "".join(f"  {row}_-\n" for row in TWO.split("\n")[:-1]) + "-\n"}, 0, "true")
    wide = "#" + "#" * 70000 + "\n"
    add("sokoban: too large", {**base["lost"], "puzzle.txt": f"{LOST}{wide}"}, 2)
    add("sokoban: far too large", {**base["lost"], "puzzle.txt": LOST + wide * 2 + "#\n" * 70000}, 2)

    told = lambda name, puzzle, code=2, flag="", of="told", **more: add(
        f"warehouse: {name}", with_about({**base[of], "puzzle.txt": puzzle}, **more), code, flag)
    told("blanks in a row", TOLD.replace("O.", "O "))
    told("instructions with blanks", TOLD.replace("\n>", "\n> "))
    told("a block of text", TOLD + "\nhello\n")
    told("two demands", TOLD.replace(">", "gps 1\n\ngps 2"), 2, "false")
    told("two demands on a block", TOLD.replace(">", "gps 1\ngps 2"), 2, "false")
    add("warehouse: a demand of two lines", changed(base["score"], "puzzle.txt", "gps >= 103", "gps >= 103\ngps 999"), 2)
    add("warehouse: two demands of one kind", changed(base["score"], "puzzle.txt", "gps >= 103", "gps >= 103\n\ngps 999"), 2)
    add("warehouse: a goal map beside a demand", changed(base["score"], "puzzle.txt", "gps", "#####\n#???#\n#???#\n#####\n\ngps"), 2)
    wider = maker.make("warehouse", "@O.\n\n.@O\n", "optimal", 1, ">")
    add("warehouse: a goal map with a cell more", {**wider, "puzzle.txt": "@O.\n\n.@O.\n"}, 2)
    robots = maker.make("warehouse", GOAL.replace("#.@O#", "#@@O#"), "unsolvable", lists=False, files={
        "closed-set.txt": "unstuck closed set 1\nclaim *\nbound none\nentries 3\n* 6 7\n* 6 8\n* 7 8\n"})
    add("warehouse: a goal map for two robots", robots, 2)
    missing = "#####\n#@O.#\n#...#\n#####\n\n#####\n#???#\n#?O?#\n#####\n"
    add("warehouse: false: a box that is missing", maker.make("warehouse", missing, "optimal", 0, "", evidence={"kind": "nothing"}), 1, "false")
    told("three maps", GOAL + "\n#####\n#.@O#\n#####\n", 2, "false")
    told("a demand and a goal map", GOAL + "\ngps 1\n", 2, "false")
    told("no map", ">\n", 2, "false")
    told("two robots", TOLD.replace("...", ".@."), 2, "false")
    told("no robot", TOLD.replace("@", "."), 2, "false")
    told("an open cell at the start", TOLD.replace("...", ".?."), 2, "false")
    told("half a box", TOLD.replace("O.", "[="), 2, "false")
    told("a goal map of another size", GOAL.replace("#.@O#\n#####\n", "#.@O#\n"), 2, "false")
    told("a goal map with other walls", GOAL.replace("#.@O#", "#.@##"), 2, "false")
    told("a goal map that is narrower", GOAL.replace("#.@O#", "#.@O"), 2, "")
    told("a goal map with two robots", GOAL.replace("#.@O#", "#@@O#"), 2, "false")
    told("a score with leading zeros", TOLD.replace(">", "gps 0103"))
    told("carriage returns without feeds", TOLD.replace("\n", "\r"))
    told("false: with carriage returns", TOLD.replace("\n", "\r\n"), 1, "false", of="nothing", family="warehouse", objective="moves")
    told("too large", "#####\n#@O.#\n#...#\n#" + "#" * 70000 + "\n\n>\n")
    add("warehouse: false: no box must move", {**base["goal"], "moves.txt": "<\n"}, 1, "false")
    add("warehouse: false: a score that is not reached", changed(base["score"], "puzzle.txt", "103", "104"), 1, "false")
    add("warehouse: false: a score from below", changed(base["score"], "puzzle.txt", ">= 103", "<= 102"), 1, "false")
    add("warehouse: false: another score", changed(base["score"], "puzzle.txt", ">= 103", "= 104"), 1, "false")
    add("warehouse: false: a robot elsewhere", changed(base["goal"], "puzzle.txt", "#.@O#", "#@.O#"), 1, "false")
    add("warehouse: false: a cell that must be clear", changed(base["goal"], "puzzle.txt", "#.@O#", "#?@.#"), 1, "false")
    add("warehouse: false: a box that must be there", {**base["goal"], "puzzle.txt": "#####\n#@O.#\n#...#\n#####\n\n#####\n#???#\n#?O?#\n#####\n"}, 1, "false")

    ball = lambda name, old, new, code=2, flag="", of="ball": add(f"snowman: {name}", changed(base[of], "puzzle.txt", old, new), code, flag)
    ball("rules in capitals", "; title: T", "; Rules: dismantle")
    ball("other rules", "; title: T", "; rules: Dismantle")
    ball("rules twice", "; title: T", "; rules: dismantle\n; rules: game")
    ball("another legend", "published", "author")
    ball("a legend in capitals", "published", "Published")
    ball("a remark", "; title: T", "; a remark")
    ball("a header of another key", "; title: T", "; wind: west")
    ball("a header below the board", "------\n", "------\n; rules: dismantle\n")
    ball("a sign of another legend", "------", "--'---")
    ball("a blank line in the board", "6-\n---", "6-\n\n---")
    ball("no player", "#", "-")
    ball("two players", "------", "--#---", 2, "false")
    ball("no board", "-#1-6-\n------\n", "")
    ball("one door", "------", "-----T", 2, "false")
    add("snowman: no ball", {**base["apart"], "puzzle.txt": "-#--\n"}, 2, "false")
    add("snowman: options of another legend", with_about(base["ball"], options={"legend": "author"}), 2)
    add("snowman: dismantle in capitals", with_about(base["ball"], options={"dismantle": "TRUE"}), 2, "false")
    add("snowman: dismantle that is no text", with_about(base["ball"], options={"dismantle": True}), 2, "false")
    add("snowman: too large", {**base["ball"], "puzzle.txt": "-#1-6-\n" + "-" * 70000 + "\n"}, 2)
    add("snowman: false: a solved start elsewhere", {**base["apart"], "puzzle.txt": "7#-+\n"}, 1, "false")
    add("snowman: false: two balls", {**base["apart"], "puzzle.txt": "6#--\n"}, 1, "false")
    add("snowman: a door of many", changed(base["door"], "moves.txt", "S1S", "SS"), 0, "")
    for rules in ("dismantle", "game"):
        puzzle = f"; rules: {rules}\nXXX---\n#7----\nXXX+--\n------\n"
        add(f"snowman: rules {rules}", maker.make("snowman", puzzle, "nothing-within", 2), 0, "true")
    puzzle = "#7--+\n"
    add("snowman: false: rules from the header", {**maker.make("snowman", puzzle, "unsolvable"),
                                                 "puzzle.txt": f"; rules: dismantle\n{puzzle}"}, 1, "")

    atom = lambda name, puzzle, code=2, flag="", of="atom", **more: add(
        f"sokobond: {name}", with_about({**base[of], "puzzle.txt": puzzle}, **more), code, flag)
    atom("recorded solutions", "H-h\n\n=D\n=dD\n", 0, "true")
    atom("another level below the solution", "H-h\n=D\nH--h\n", 2, "false")
    atom("a solution with other letters", "H-h\n=x\n")
    atom("another letter", "H-h-k\n", 2, "false")
    atom("a blank line", "H-h\n\n---\n", 2, "false")
    atom("no player", "h-h\n", 2, "false")
    atom("no atom", "---\n", 2, "false")
    atom("nothing", "\n", 2, "false")
    atom("cells without blanks in v2", "v2\nH-h\n \n- - -\n", 2, "false", "modifiers")
    atom("other words behind v2", "v2 single\nH - h\n", 2, "false", "modifiers")
    atom("several molecules", "v2 multiple\nH - h\n", 0, "true", "modifiers")
    atom("another modifier", "v2\nH - h\n *\n- - -\n", 2, "false", "modifiers")
    atom("a modifier above a cell", "v2\nH - h\n/\n- - -\n", 2, "", "modifiers")
    atom("a modifier on the edge", "v2\nH - h\n     +\n- - -\n", 2, "false", "modifiers")
    atom("a modifier below", "v2\nH - h\n +\n", 2, "false", "modifiers")
    atom("strict by option", ATOM, 0, "true", options={"bonding": "strict"})
    atom("ordered by option, strict by reading", ATOM, 1, "false", options={"bonding": "ordered"})
    atom("an option in capitals", ATOM, 2, "false", options={"bonding": "Strict"})
    atom("too many atoms", "H-h" + "e" * 300 + "\n", 2, "false")
    add("sokobond: too many atoms that are done", maker.make(
        "sokobond", "E" + "e" * 300 + "\n", "optimal", 0, "", evidence={"kind": "nothing"}), 2, "false")
    atom("too large", "H-h\n" + "x" * 70000 + "\n")
    add("sokobond: false: no key", {**base["atom"], "moves.txt": "\n"}, 1, "false")
    add("sokobond: false: a plan too long", with_about({**base["atom"], "moves.txt": "DD\n"}, cost=2), 1, "false")
    add("sokobond: false: free electrons", {**base["atom"], "puzzle.txt": "H-o\n"}, 1, "false")


def lists(maker, add):
    base = bases(maker)
    two, tied = base["two"], base["two, tied"]
    list_ = lambda name, old, new, code, flag="false", of=two: add(f"list: {name}", changed(of, "closed-set.txt", old, new), code, flag)
    list_("another title", "set 1", "set 2", 1)
    list_("no title", "unstuck closed set 1\n", "", 1)
    list_("another claim", "claim 1", "claim 0", 1)
    list_("another bound", "bound none", "bound x", 1)
    list_("a bound that the description has not", "bound none", "bound sided-matching-and-freeze", 1)
    list_("an entry less announced", "entries ", "entries 1", 1)
    list_("entries as hexadecimals", "entries ", "entries 0x", 1)
    list_("entries with a sign", "entries ", "entries +", 1, "")
    list_("a budget with a leading zero", "\n1 8 10", "\n01 8 10", 2)
    list_("a budget with a sign", "\n1 8 10", "\n+1 8 10", 2)
    list_("a budget with an underscore", "\n1 8 10", "\n1_0 8 10", 2)
    list_("a budget that is a pair", "\n1 8 10", "\n1,1 8 10", 2)
    list_("a cell with a leading zero", "\n1 8 10", "\n1 08 10", 2)
    list_("two blanks", "\n1 8 10", "\n1  8 10", 2)
    list_("a blank at the end", "\n1 8 10", "\n1 8 10 ", 2)
    list_("a state of no box", "\n0 8 11", "\n0 8", 1)
    list_("a state of two boxes", "\n0 8 11", "\n0 8 9 11", 1)
    list_("a box in a wall", "\n0 8 11", "\n0 8 7", 1)
    list_("a box on the player", "\n0 8 11", "\n0 8 8", 1)
    list_("a player in a wall", "\n0 8 11", "\n0 7 11", 1)
    list_("a cell that is not there", "\n0 8 11", "\n0 8 999", 1)
    list_("a solved state", "\n0 8 11", "\n0 8 12", 1)
    add("list: boxes out of order", {**base["lost"], "puzzle.txt": PAIR, "closed-set.txt":
        changed(maker.make("sokoban", PAIR, "unsolvable"), "closed-set.txt", " 11 12 ", " 12 11 ")["closed-set.txt"]}, 1, "false")
    # One more entry that changes nothing but is no state.
    def more(name, entry, of=two, flag="false", code=1):
        text = of["closed-set.txt"]
        count = text.count("\n") - 4
        text = text.replace(f"entries {count}", f"entries {count + 1}") + entry + "\n"
        family = of["certificate.json"]["family"]
        add(f"list: one more, {family}: {name}", {**of, "closed-set.txt": text}, code, flag)
    more("without a box", "0 8")
    more("a box in a wall", "0 8 7")
    more("two boxes", "0 8 10 17")
    more("a player in a box", "0 10 10")
    more("a box twice", "0 8 10 10")
    more("a solved state", "0 11 12")
    more("a solved state with the budget of nothing", "0 8 12")
    pair = maker.make("sokoban", PAIR, "unsolvable")
    more("boxes out of order", "* 9 12 11 21", pair)
    told, wide, double = base["told"], base["wide"], base["double"]
    more("a box in a wall", "0 6 5", told)
    more("a robot in a wall", "0 5 7", told)
    more("a robot in a box", "0 7 7", told)
    more("another width", "0 6 7x2", told)
    more("no box", "0 6", told)
    more("a width of one", "0 6 7x1", told)
    more("two boxes on one cell", "0 8 10x2 11x2", {**maker.make("warehouse", "#######\n#@O.O.#\n#.....#\n#######\n\n>\n", "optimal", 1, ">", options={"widen": "0"})}, code=1)
    over = maker.make("warehouse", "########\n#@[][].#\n#......#\n########\n\n>\n", "optimal", 1, ">")
    more("boxes that overlap", "0 9 11x2 12x2", over)
    edge = maker.make("warehouse", "@[].\n....\n\n>\n", "optimal", 1, ">")
    more("a box around the edge", "0 1 3x2", edge)
    ball, door, atom = base["ball"], base["door"], base["atom"]
    more("a player off the board", "0 99//2:1,4:6", ball)
    more("a player in a stack", "0 2//2:1,4:6", ball)
    more("snow under a stack", "0 0/2/2:1,4:6", ball)
    more("snow off the board", "0 0/99/2:1,4:6", ball)
    more("a stack off the board", "0 0//99:1,4:6", ball)
    more("another number of balls", "0 0//2:1", ball, "")
    more("snow on a door", "0 1/0/3:1,6:6", door)
    more("snow out of order", "0 0/9,8/2:1,4:6", ball)
    more("an atom in a wall", "0 H9 h2", atom)
    walls = maker.make("sokobond", "H-hx\n", "optimal", 1, "D")
    more("an atom behind a wall", "0 H0 h3", walls)
    more("another atom", "0 H0 o2", atom)
    more("no player", "0 h0 h2", atom)
    more("two atoms on one cell", "0 H0 h0", atom)
    far = maker.make("sokobond", "H--h\no---\n", "nothing-within", 0)
    more("a bond with nothing", "0 H0 h3 o4 0-1*1", far)
    more("a bond over a distance", "0 H0 h3 o4 0-3*1", far)
    more("a bond backwards", "0 H0 h3 o4 4-0*1", far)
    more("too many bonds", "0 H0 h3 o4 0-4*2", far)
    more("atoms out of order", "0 h3 H0 o4", far, code=1)
    more("a bond of nothing", "0 H0 h3 o4 0-4*0", far, code=2)
    # Lists that are not closed.
    for name, files in base.items():
        if "closed-set.txt" in files:
            rows = files["closed-set.txt"].split("\n")[:-1]
            for at in {4, len(rows) - 1}:
                less = rows[:3] + [f"entries {len(rows) - 5}"] + [row for number, row in enumerate(rows[4:], 4) if number != at]
                if "lost" not in name or at == 4:
                    add(f"list: {name} without entry {at}", {**files, "closed-set.txt": "\n".join(less) + "\n"}, 1, "false")
    add("list: nothing", {**two, "closed-set.txt": ""}, 1, "false")
    add("list: three lines", {**two, "closed-set.txt": "unstuck closed set 1\nclaim 1\nbound none\n"}, 1, "false")
    add("list: classes for a tie-break", {**tied, "closed-set.txt": changed(two, "closed-set.txt", "claim 1", "claim 2,2")["closed-set.txt"]}, 1, "false")
    add("list: a bound: solved", changed(bounded(maker), "closed-set.txt", "8 10", "8 12"), 1)
    add("list: a bound: no state", changed(bounded(maker), "closed-set.txt", "8 10", "8 7"), 1)
    add("list: a bound: garbage", changed(bounded(maker), "closed-set.txt", "8 10", "x"), 2)
    cubes = invariant(maker)
    add("cubes: another claim", changed(cubes, "invariant.txt", "claim *", "claim 3"), 1)
    add("cubes: another title", changed(cubes, "invariant.txt", "invariant 1", "invariant 2"), 1)
    add("cubes: another count", changed(cubes, "invariant.txt", "cubes 1", "cubes 2"), 1)
    add("cubes: garbage", changed(cubes, "invariant.txt", "-player", "--player"), 2)
    add("cubes: nothing", {**cubes, "invariant.txt": ""}, 1)


def patterns(maker, add):
    evidence = {"kind": "patterns", "lrat": False}

    def say(name, puzzle, cost, text, code=1, flag="false", **more):
        claim = "unsolvable" if cost is None else "nothing-within"
        made = maker.make("sokoban", puzzle, claim, cost, evidence=evidence, files={"patterns.txt": text}, **more)
        add(f"patterns: {name}", made, code, flag)

    two = lambda claim, rest, **more: maker.zero(TWO, claim, rest, **more)
    good = two(1, "root\npatterns 0", unit=2, at=distance)
    own = two(0, "root 0\npatterns 1\n0 dead 1 pieces 1,3 player 1,1")
    say("a pattern", TWO, 0, own, 0, "true")
    say("another claim", TWO, 0, good)
    say("another title", TWO, 1, good.replace("patterns 1", "patterns 2"))
    say("nothing", TWO, 1, "")
    say("another unit", TWO, 1, good.replace("unit 2", "unit 3"), 2)
    say("a unit of nothing", TWO, 1, good.replace("unit 2", "unit 0"), 2)
    say("two prices", TWO, 1, good.replace("price 1,5 0\n", "price 1,5 0\nprice 1,5 0\n"))
    say("no price", TWO, 1, good.replace("price 1,5 0\n", ""))
    say("a price of no goal", TWO, 5, two(5, "root\npatterns 0", unit=2, at=distance).replace("price 1,5 0\n", "price 1,4 4\nprice 1,5 0\n"))
    say("a price with a sign", TWO, 1, good.replace("price 1,5 0", "price 1,5 -0"), 2, "")
    say("a potential in the place of a box", TWO, 1, good.replace("unit 2\nprice 1,5 0\n", "unit 2\nprice 1,5 0\npotential 1,2 1,2 3\n"))
    say("a potential in a wall", TWO, 1, good.replace("unit 2\nprice 1,5 0\n", "unit 2\nprice 1,5 0\npotential 0,2 1,2 3\n"))
    say("a cell beyond the edge", TWO, 1, good.replace("price 1,5", "price 0,12"))
    say("lines out of order", TWO, 1, good.replace("root\n", "root\nprice 1,5 0\n"), 2, "")
    say("zones", TWO, 1, good.replace("root\n", "zone 1,5\nroot\n"), 2, "")
    say("more announced", TWO, 1, good.replace("patterns 0", "patterns 1"))
    say("less announced", TWO, 0, own.replace("patterns 1\n0", "patterns 0\n0"))
    say("another number", TWO, 0, own.replace("0 dead", "1 dead"))
    say("of another kind", TWO, 0, own.replace("dead", "total"), 2, "")
    say("of no kind", TWO, 0, own.replace("dead", "alive"), 2)
    say("a player in a box", TWO, 0, own.replace("player 1,1", "player 1,3"))
    say("a box twice", TWO, 0, own.replace("pieces 1,3", "pieces 1,3 1,3"))
    say("a negative value", TWO, 0, own.replace("dead 1", "dead -1"), 2)
    say("a value with a plus", TWO, 0, own.replace("dead 1", "dead +1"), 2, "")
    say("another direction", TWO, 0, own.replace("player 1,1", "player 1,1 : 1,3 Right 0"), 2)
    say("false: a potential that gains", TWO, 3, two(3, "root\npatterns 0", unit=2, at=lambda at, side: None if distance(at, side) is None else 2 * distance(at, side)))
    say("false: a potential that gains a push", TWO, 3, two(3, "root\npatterns 0", at=lambda at, side: None if distance(at, side) is None else 2 * distance(at, side)))
    say("a potential in halves of a unit", TWO, 0, two(0, "root\npatterns 0", unit=2, at=lambda at, side: {9: 2, 10: 1, 11: 1, 12: 0}.get(at)))
    say("false: a potential of another parity", TWO, 2, two(2, "root\npatterns 0", unit=2, at=lambda at, side: None if distance(at, side) is None else distance(at, side) + (at == 10)))
    say("false: lost boxes", TWO, None, two("*", "root\npatterns 0", at=lambda at, side: distance(at, side) if at != 10 else None))
    say("false: lost goals", TWO, None, two("*", "root\npatterns 0", at=lambda at, side: None))
    say("false: a goal that costs", MORE, 1, maker.zero(MORE, 1, "root\npatterns 0", price={10: 1}, at=lambda at, side: {8: 1, 9: 0, 10: -1}.get(at, 2)))
    say("false: a goal that costs more", MORE, 1, maker.zero(MORE, 1, "root\npatterns 0", price={9: 1, 10: 1}, at=lambda at, side: {8: 0, 9: -1, 10: -1}.get(at, 2)))
    say("false: uncovered", TWO, None, two("*", "root 0\npatterns 1\n0 dead * pieces 1,3 player 1,1"))
    say("false: covered too little", TWO, 3, two(3, "root 0\npatterns 1\n0 dead 4 pieces 1,3 player 1,1 : 1,3 right : 1,3 left"))
    say("false: solved too soon", TWO, None, two("*", "root 2\npatterns 4\n0 dead * pieces 1,5 player 1,1\n"
        "1 dead * pieces 1,4 player 1,1 : 1,4 right 0 : 1,4 left 2\n2 dead * pieces 1,3 player 1,1 : 1,3 right 1 : 1,3 left 3\n"
        "3 dead * pieces 1,2 player 1,1 : 1,2 right 2 : 1,2 left 4".replace(" : 1,2 left 4", "") , at=lambda at, side: 0 if at != 8 else None))
    say("false: the claim is not excluded", TWO, 2, two(2, "root\npatterns 0", unit=2, at=distance))
    say("false: any length is not excluded", TWO, None, two("*", "root\npatterns 0", unit=2, at=distance))
    say("false: a pattern that is not there", TWO, None, two("*", "root 0\npatterns 0"))
    say("false: a pattern of another box", TWO, None, two("*", "root 0\npatterns 1\n0 dead * pieces 2,1 player 1,1"))
    say("false: a pattern twice", TWO, 2, two(2, "root 0 0 0\npatterns 1\n0 dead 1 pieces 1,3 player 1,1"))
    say("false: a player elsewhere", WALK, None, maker.zero(WALK, "*", "root 0\npatterns 3\n0 dead * pieces 1,3 player 1,2 : 1,3 right 1\n"
        "1 dead * pieces 1,4 player 1,3 : 1,4 right 2\n2 dead * pieces 1,5 player 1,4",
        at=lambda at, side: at - 8 if side > at else None))
    scene = "##########\n#@$.###..#\n##########\n".replace("###..#", "###*.#")
    say("false: a box behind a wall", scene, None, maker.zero(scene, "*", "root\npatterns 0", at=lambda at, side: 0), 2)
    say("dead at a wall", PAIR, None, maker.zero(PAIR, "*", "root 0\npatterns 1\n0 dead * pieces 1,3 1,4 player 1,1"), 0, "true")


def proofs(maker, add):
    cross = bases(maker)["cross"]

    def formula(name, old, new, code, flag=""):
        add(f"formula: {name}", changed(cross, "horizon-0.cnf", old, new), code, flag)

    formula("no header", "p cnf 8 8\n", "", 2)
    formula("a header of another form", "p cnf 8 8", "p dnf 8 8", 2)
    formula("a header with two blanks", "p cnf 8 8", "p cnf  8 8", 2)
    formula("a header with a plus", "p cnf 8 8", "p cnf +8 8", 2)
    formula("milliards of variables", "p cnf 8 8", "p cnf 99999999999 8", 2)
    formula("many variables", "p cnf 8 8", "p cnf 999999999 8", 1)
    formula("less variables", "p cnf 8 8", "p cnf 7 8", 1)
    formula("more clauses announced", "p cnf 8 8", "p cnf 8 9", 1)
    formula("milliards of clauses", "p cnf 8 8", "p cnf 8 999999999", 1)
    formula("two clauses on a line", "-5 0\n6 0\n", "-5 0 6 0\n", 1)
    formula("a clause on two lines", "-1 -5 6 0", "-1 -5\n6 0", 1)
    formula("a literal of no variable", "6 0\n", "6 9 0\n", 1)
    formula("a comment below the header", "p cnf 8 8\n", "p cnf 8 8\nc v 9 x@0\n", 1)
    formula("another comment", "c v 1", "c hello\nc v 1", 2)
    formula("a variable with two names", "c v 1 ", "c v 1 joined(0,0;0,1)@0\nc v 1 ", 1)
    formula("a name of no variable", "p cnf", "c v 9 joined(0,0;0,1)@0\np cnf", 1)
    formula("a variable with no name", "c v 8 colour(1,1;0)@0\n", "", 1)
    formula("no end of a clause", "-2 5 -7 0\n", "-2 5 -7\n", 2)
    garbage = maker.make("sokoban", TWO, "optimal", 2, "rRR", files=refuted("horizon-1"),
                         evidence={"kind": "horizon", "horizon": 1, "proof": "lrat"})
    add("formula: of a horizon, a name of no variable", changed(garbage, "horizon-1.cnf", "c v 1", "c v 2"), 1, "")
    add("formula: nothing", {**cross, "horizon-0.cnf": ""}, 2)
    # Words that Python takes for nothing, or for another number.
    for word in ("00", "+0", "-0", "0_0", "0x0", "+5", "05", "5_0", "\uff15", "1e0", "--5"):
        formula(f"the literal {word!a}", "-5 0", f"-5 {word} 0", 2)
        board = flow(maker, "A.A\n", "unsolvable", A_CNF, "")
        for name, text in {"lemma": f"3 {word} 0 0\n4 0 3 0\n", "hint": f"3 0 {word} 0\n", "number": f"{word} 0 1 2 0\n",
                           "end": f"3 0 1 2 {word}\n", "deletion": f"2 d {word} 0\n3 0 1 2 0\n"}.items():
            add(f"false: {word!a} as {name}", {**board, "horizon-0.lrat": text}, 2, "false")

    def proof(name, text, code=1, flag="false", of=cross):
        add(f"proof: {name}", {**of, "horizon-0.lrat": text}, code, flag)

    rows = CROSS_LRAT.split("\n")[:-1]
    proof("nothing", "")
    proof("an empty line", "\n" + CROSS_LRAT, 2, "")
    proof("a comment", "c x\n" + CROSS_LRAT, 2, "")
    proof("two blanks", CROSS_LRAT.replace(" 0 ", "  0 ", 1), 2, "")
    proof("two steps on a line", CROSS_LRAT.replace("\n", " ", 1), 2, "")
    proof("without its end", "\n".join(rows[:-1]) + "\n")
    proof("without a step", "\n".join(rows[1:]) + "\n")
    proof("lines below the empty clause", CROSS_LRAT + "12 1 0 1 0\n", 1, "")
    proof("a number twice", CROSS_LRAT.replace("10 -2 0", "9 -2 0").replace("9 10 1", "9 9 1"))
    proof("a number of a clause", CROSS_LRAT.replace("9 -1 0", "1 -1 0"))
    proof("numbers that fall", "10 -1 0 2 3 7 0\n9 -2 0 2 4 8 0\n11 0 10 9 1 0\n")
    proof("a literal of no variable", "9 9 0 1 0\n" + CROSS_LRAT.replace("9 -1", "10 -1").replace("9 10 1", "10 11 1"))
    proof("a lemma with another variable", "9 -9 -1 0 2 3 7 0\n10 9 -1 0 2 3 7 0\n11 -1 0 9 10 0\n12 -2 0 2 4 8 0\n13 0 11 12 1 0\n")
    proof("a hint that is not there", CROSS_LRAT.replace("11 0 9", "11 0 99 9"))
    proof("a hint behind the conflict", CROSS_LRAT.replace("10 1 0", "10 1 2 0"), 1, "")
    proof("a hint behind the conflict that is one too", CROSS_LRAT.replace("10 1 0", "10 1 1 0"), 1, "")
    two = UNIQUE_CNF.split("p cnf")[0] + "p cnf 4 2\n1 2 0\n-1 -2 0\n"
    add("proof: false: a hint that is no unit clause", flow(maker, UNIQUE, "unsolvable", two, "3 0 1 2 0\n"), 1, "false")
    proof("a hint that is no unit clause", "9 -1 0 6 3 7 0\n")
    proof("a conflict that is none", "9 0 2 3 0\n")
    proof("a step that keeps satisfiability", "9 5 0 -2 0\n", 2)
    proof("a deletion of nothing", "8 d 99 0\n" + CROSS_LRAT)
    proof("a deletion of a hint", "8 d 2 0\n" + CROSS_LRAT)
    proof("a deletion", CROSS_LRAT.replace("10 -2", "9 d 6 0\n10 -2"), 0, "")
    proof("a tautology", "9 1 -1 0 0\n" + CROSS_LRAT.replace("9 -1", "10 -1").replace("10 -2 0", "11 -2 0").replace("11 0 9 10", "12 0 10 11"), 0, "")
    proof("binary", b"a\x12\x00\x00", 2)
    formulas = bases(maker)["formulas"]
    add("proof: a wrong one beside a closed set", {**formulas, "step.lrat": "3 0 1 0\n"}, 1, "false")
    add("proof: another formula beside a closed set", {**formulas, "step.cnf": CNF.replace("-1 0", "1 0")}, 1, "false")
    garbage = maker.make("sokoban", TWO, "optimal", 2, "rRR", files={"horizon-1.cnf": "x\n", "horizon-1.lrat": "x\n"},
                         evidence={"kind": "horizon", "horizon": 1, "proof": "lrat"})
    add("proof: garbage at a horizon", garbage, 2, "false")


A_CNF = "c v 1 joined(0,0;0,1)@0\nc v 2 joined(0,1;0,2)@0\np cnf 2 2\n1 0\n2 0\n"


VERIPB = """pseudo-Boolean proof version 3.0
f 8 ;
rup 1 ~x1 >= 1 : 2 3 7 ~ ;
rup 1 ~x2 >= 1 : 2 4 8 ~ ;
del id 3 4 ;
rup >= 1 : 9 10 1 ~ ;
output NONE ;
conclusion UNSAT : 11 ;
end pseudo-Boolean proof ;
"""
README = """A certificate about the level in puzzle.txt.

family:    flow
reading:   self-touch allowed
objective: any
claim:     unsolvable
evidence:  horizon

VeriPB judges the proofs, each by a command:

    veripb --cnf horizon-0.cnf horizon-0.pbp

That the formulas are those of the level and of the claim, no checker of proofs can see: `unstuck check` compiles them again from puzzle.txt and compares.
"""


def veripb(maker, add):
    lrat = CROSS_LRAT.replace("11 0", "10 d 3 4 0\n11 0")
    cross = {**flow(maker, CROSS, "unsolvable", CROSS_CNF, lrat), "horizon-0.pbp": VERIPB, "README.txt": README}
    add("veripb: honest", cross, 0)
    for word, other in [("rup", "pol"), ("1 ~x1", "1 x1"), ("2 3 7", "2 7"), ("del id 3 4 ;\n", ""), (": 11", ": 10")]:
        add(f"veripb: {word.strip()} as {other}", changed(cross, "horizon-0.pbp", word, other), 1, "false")
    for word, other in [("flow", "snowman"), ("self-touch allowed", "strict"), ("unsolvable", "unique"),
                        ("horizon-0.pbp", "other.pbp"), ("compares", "believes")]:
        add(f"veripb: {word} as {other} for readers", changed(cross, "README.txt", word, other), 1, "false")
    for name in ("horizon-0.pbp", "README.txt"):
        add(f"veripb: without {name}", {other: data for other, data in cross.items() if other != name},
            1 if name == "horizon-0.pbp" else 2)
    later = bases(maker)["two, after"]
    add("veripb: after moves", {**later, "README.txt": README[:README.index("family")]
        + "family:    sokoban\nobjective: pushes\nclaim:     optimal, cost 1\nsolution:  moves.txt\nevidence:  closed\n"}, 1)
    nothing = bases(maker)["nothing"]
    text = README[:README.index("family")] + "family:    sokoban\nobjective: pushes\nclaim:     optimal, cost 0\n" \
        "solution:  moves.txt\nevidence:  nothing\n"
    add("veripb: nothing to judge", {**nothing, "README.txt": text}, 0, "true")
    # Of pseudo-Boolean formulas this checker knows that they are there, and says that it does not judge them.
    form = {"kind": "patterns", "lrat": False, "proof": "cutting-planes"}
    made = {f"{part}.{end}": f"{part} {end}\n" for part in ("start", "goal", "step") for end in ("opb", "pbp")}
    text = README[:README.index("family")] + "family:    sokoban\nobjective: pushes\nclaim:     nothing-within, cost 1\n" \
        "evidence:  patterns\n\nVeriPB judges the proofs, each by a command:\n\n" \
        + "".join(f"    veripb --opb {part}.opb {part}.pbp\n" for part in ("goal", "start", "step")) \
        + README[README.index("\nThat the"):]
    list_ = maker.zero(TWO, 1, "root\npatterns 0", unit=2, at=distance)
    sums = lambda files, evidence=form: maker.make("sokoban", TWO, "nothing-within", 1, evidence=evidence,
                                                   files={"patterns.txt": list_, **files})
    whole = {**made, "README.txt": text}
    add("sums: honest", sums(whole), 3, "")
    add("sums: nothing for readers", sums(made), 3, "")
    add("sums: clauses for readers", sums({**made, "README.txt": text.replace("opb", "cnf")}), 1, "")
    add("sums: a formula less", sums({name: data for name, data in whole.items() if name != "goal.opb"}), 1, "")
    add("sums: without their name", sums(whole, {"kind": "patterns", "lrat": False}), 2, "")
    add("sums: by another name", sums(whole, {**form, "proof": "lrat"}), 2, "")
    add("sums: and clauses", sums(whole, {**form, "lrat": True}), 1, "")
    add("sums: that count", sums(whole, {**form, "counts": "pushes"}), 1, "")


def rows_cnf(extra, *names):
    """Clauses that hold of ROWS (A has the code 1, 0 and B 0, 1), then further ones."""
    words = ["joined(0,0;0,1)", "joined(1,0;1,1)", "joined(0,0;1,0)", "joined(0,1;1,1)", "colour(0,0;0)", "colour(0,1;0)",
             "colour(1,0;0)", "colour(1,1;0)", "colour(0,0;1)", "colour(0,1;1)", "colour(1,0;1)", "colour(1,1;1)",
             "differ(0,0;1,0;0)", "differ(0,0;1,0;1)", *names]
    clauses = ["5", "6", "-7", "-8", "-9", "-10", "11", "12", "1 3", "-3 -5 7", "2 3", "1 4", "-4 -6 8"]
    clauses += [extra] if isinstance(extra, str) else extra
    names = "".join(f"c v {number} {word}@0\n" for number, word in enumerate(words, 1))
    return names + f"p cnf {len(words)} {len(clauses)}\n" + "".join(f"{clause} 0\n" for clause in clauses)


# -3, then 1: these follow from what holds of ROWS. Then the further clause is refuted.
ROWS_LRAT = "20 -3 0 1 3 10 0\n21 1 0 20 9 0\n22 2 0 20 11 0\n23 -4 0 2 4 13 0\n"


def flows(maker, add):
    base = bases(maker)
    unique, cross = base["unique"], base["cross"]

    def clause(name, extra, hints, *names, puzzle=ROWS, reading="self-touch allowed", flag="false", code=1, lrat=ROWS_LRAT):
        board = flow(maker, puzzle, "unsolvable", rows_cnf(extra, *names), lrat + f"30 0 {hints} 0\n", reading=reading)
        add(f"clause: {name}", board, code, flag)

    clause("an edge", "-1", "21 14")
    clause("another edge", "3", "20 14")
    clause("two edges", "-1 -2", "21 22 14")
    clause("a cut that both sides can do without", "3 4", "20 23 14")
    clause("one colour twice", "-5", "1 14")
    clause("joined cells of other colours", "-1 -5 -6", "21 1 2 14")
    clause("joined cells and colours of others", "-1 -5 7", "21 1 3 14")
    clause("joined cells and other bits", "-1 -5 10", "21 1 6 14")
    clause("cells that are not joined", "3 -5 7", "20 1 3 14")
    clause("one cell and its colour twice", "-1 -5 -5", "21 1 14")
    # Names that are no names, or of more words than they have.
    for name in ("joined(0,0;1,1)", "joined(0,0;9,9)", "joined(0,0;0,0)", "used(9,9)", "differ(0,0;1,1;0)", "differ(0,0;0,0;0)"):
        clause(f"a variable {name}", "15", "14", name, lrat="")
    for name in ("joined(0,0;1,0)x", "Joined(0,0;1,0)", "join(0,0;1,0)", "joined(0,0; 1,0)", "joined(\u0660,0;1,0)"):
        clause(f"a variable {name!a}", "15", "14", name, lrat="", code=2)
    for name in ("used(0,0;0)", "used(0,0;0,1)", "colour(0,0)", "colour(0,0;0;1)", "differ(0,0;1,0)", "joined(0,0)", "colour(0,0;00)",
                 "joined(0,0;1,0;0)", "used(0,0/2)"):
        clause(f"a variable {name}", "15", "14", name, lrat="", code=2)
    for name in ("joined(0,0;1,1)", "joined(0,0;0,0)", "differ(0,0;1,1;0)", "used(9,9)"):
        more = changed(changed(unique, "horizon-0.cnf", "p cnf 4", f"c v 5 {name}@0\np cnf 5"), "model.txt", "4 0", "4 5 0")
        add(f"clause: a variable {name} of no clause", more, 1, "")
    clause("three edges and a colour", "-1 -2 -5 7", "21 22 1 3 14")
    # Under `no self-touch` cells of one path that are side by side are joined; nothing else is so.
    clause("touch: joined by a name with a bit", ["3 15 16", "-15", "-16"], "20 14 15 16", "joined(0,0;1,0;0)", "joined(0,0;1,0;1)",
           reading="no self-touch", code=2)
    touch_cnf = ("c v 1 joined(0,0;0,1)@0\nc v 2 joined(0,0;1,0)@0\nc v 3 joined(0,1;1,1)@0\nc v 4 joined(1,0;1,1)@0\n"
                 "p cnf 4 4\n1 0\n3 0\n4 0\n2 0\n")
    touch_cnf = touch_cnf.replace("p cnf 4 4", "p cnf 4 5") + "-1 -2 0\n"
    add("touch: a path beside itself", flow(maker, UNIQUE, "unsolvable", touch_cnf, "6 0 1 4 5 0\n"), 1, "false")
    add("touch: a path not beside itself", flow(maker, UNIQUE, "unsolvable", touch_cnf, "6 0 1 4 5 0\n", reading="no self-touch"), 0, "")
    # Two pairs of one colour would never be side by side.
    same = "c v 1 joined(0,0;1,0)@0\nc v 2 joined(0,0;0,1)@0\np cnf 2 3\n1 0\n2 0\n-1 -2 0\n"
    add("touch: two pairs of one colour", flow(maker, ROWS, "unsolvable", same, "4 0 1 2 3 0\n", reading="no self-touch"), 1, "false")
    idle = "c v 1 joined(2,0;2,1)@0\np cnf 1 2\n1 0\n-1 0\n"
    add("touch: cells that are on no path", flow(maker, "shape: square\ncover: no\nAA\n##\n..\n", "unsolvable", idle, "3 0 1 2 0\n", reading="no self-touch"), 1, "false")
    words = ("joined(0,0;1,0)", "joined(0,0;0,1)", "colour(0,0;0)", "colour(0,0;1)", "colour(1,0;0)", "colour(1,0;1)", "differ(0,0;1,0;0)")
    bits = "".join(f"c v {number} {word}@0\n" for number, word in enumerate(words, 1))
    bits += "p cnf 7 7\n-3 0\n-4 0\n-5 0\n6 0\n-7 3 5 0\n1 7 0\n-1 -6 4 0\n"
    add("touch: one bit of two", flow(maker, ROWS, "unsolvable", bits, "8 0 2 4 7 1 3 5 6 0\n", reading="no self-touch"), 1, "false")
    free = "c v 1 colour(0,1;0)@0\np cnf 1 2\n1 0\n-1 0\n"
    add("clause: the colour of a cell without a label", flow(maker, "A.A\n", "unsolvable", free, "3 0 1 2 0\n"), 1, "false")

    # Boards.
    board = lambda name, puzzle, code=2, flag="", of=cross, **more: add(
        f"flow: {name}", with_about({**of, "puzzle.txt": puzzle}, **more), code, flag)
    board("a header in capitals", "Shape: square\nAB\nBA\n")
    board("another shape", "shape: hex\nAB\nBA\n")
    board("a shape with a blank", "shape: square \nAB\nBA\n", 2, "")
    board("a header twice", "cover: no\ncover: yes\nAB\nBA\n")
    board("cover in capitals", CROSS, 2, "false", options={"cover": "YES"})
    board("cover that is no text", CROSS, 2, "false", options={"cover": True})
    board("touch in capitals", CROSS, 2, "false", options={"touch": "Allow"})
    board("cover: YES in the file", "cover: YES\nAB\nBA\n", 2, "false")
    board("touch of the file against the reading", "touch: never\nA.\nA.\n", 1, "false", of=unique)
    board("touch of the options against the reading", UNIQUE, 1, "false", of=unique, options={"touch": "never"})
    board("touch of the options against the file", "touch: never\nA.\nA.\n", 0, "", of=unique, options={"touch": "allow"})
    board("allowed by the file, but not by the reading", "touch: allow\nA.\nA.\n", 1, "false", of=unique, reading="no self-touch")
    board("cover of the file", "cover: no\nA.\nA.\n", 1, "false", of=unique)
    board("cover of the options", UNIQUE, 1, "false", of=unique, options={"cover": "no"})
    board("cover of the options against the file", "cover: no\nA.\nA.\n", 0, "", of=unique, options={"cover": "yes"})
    board("title and author", "title: a\nauthor: b\nnote: c\nshape: square\ntouch: auto\n\nAB\nBA\n", 0, "")
    board("holes without a shape", "AB#\nBA#\n")
    board("bridges without a shape", "AB+\nBA+\n")
    board("blanks", "A B\nB A\n")
    board("a drawing", "HEX\nHEX\n")
    board("a drawing with a shape", "shape: square\nHEX\nHEX\n", 1, "false")
    board("comments", "AB // x\nBA\n")
    board("rows of other lengths", "AB\nBAC\n")
    board("no row", "shape: square\n", 2, "false")
    board("a size", "2 2\nAB\nBA\n")
    board("a graph", "{\"pairs\": []}\n")
    board("an address", "https://puzz.link/p?numlin/2/2/1221\n")
    board("a label once", "AB\nB.\n", 2, "false")
    board("a label three times", "AB\nBA\n.A\n", 2, "false")
    board("no labels", "..\n..\n", 2, "false")
    board("other orders", CROSS + "WARP all\n")
    board("an order with a comment", CROSS + "WALL 0,0 0,1 // x\n")
    board("an order with other numbers", CROSS + "WALL 00,0 0,1\n")
    board("a wall between cells that are apart", CROSS + "WALL 0,0 1,1\n", 2, "false")
    board("a wall twice", CROSS + "WALL 0,0 0,1\nWALL 0,1 0,0\n", 2, "false")
    board("a wall beyond the edge", CROSS + "WALL 0,0 0,9\n", 2, "false")
    board("a wall below a link", CROSS + "LINK 0,0 1,1\nWALL 0,0 0,1\n")
    board("a link to itself", CROSS + "LINK 0,0 0,0\n", 2, "false")
    board("a link beyond the edge", CROSS + "LINK 0,0 9,9\n", 2, "false")
    board("a link of neighbours", CROSS + "LINK 0,0 0,1\n")
    board("a link to a bridge", "shape: square\n.A.\nB+B\n.A.\nLINK 0,0 1,1\n", 2, "")
    board("a bridge at the rim", "shape: square\nA+A\n...\n", 2, "false")
    board("a bridge beside a hole", "shape: square\n.A.\nB+B\n.#A\n", 2, "false")
    board("rows below the orders", CROSS + "WALL 0,0 0,1\nCC\n", 2, "")
    many = "A" + "." * 14 + "A\n"
    links = "".join(f"LINK 0,1 0,{n}\n" for n in range(3, 16))
    board("links in plenty", many + links)
    board("a wall that parts the board", "AB\nAB\nWALL 0,0 1,0\n", 1, "", of=unique)

    # A board with a terminus that has no neighbour, and something else that is not read.
    void = lambda name, more, flag="": add(f"flow, lost: {name}", flow(
        maker, f"shape: square\nA#A\n###\n{more}", "unsolvable", "p cnf 0 1\n0\n", "2 0 1 0\n"), 2, flag)
    add("flow, lost", flow(maker, "shape: square\nA#A\n###\n...\n", "unsolvable", "p cnf 0 1\n0\n", "2 0 1 0\n"), 0, "")
    three = "c v 1 joined(2,0;2,1)@0\nc v 2 joined(2,1;2,2)@0\nc v 3 joined(2,1;3,1)@0\np cnf 3 2\n-1 -2 -3 0\n0\n"
    add("flow, lost: three edges of a cell", flow(maker, "shape: square\nA#A\n###\n...\n...\n", "unsolvable", three, "3 0 2 0\n"), 0, "")
    void("a wall below a link", "...\n...\nLINK 2,0 3,1\nWALL 2,0 3,0\n")
    void("a bridge at the rim", "+..\n")
    void("a link to itself", "...\nLINK 2,0 2,0\n", "false")
    void("a link to a bridge", "...\n.+.\n...\nLINK 2,0 3,1\n")
    void("a link of neighbours", "...\nLINK 2,0 2,1\n")
    void("a link beyond the edge", "...\nLINK 2,0 9,9\n", "false")
    void("a wall of nothing", "...\nWALL 2,0 2,2\n", "false")
    void("links in plenty", "...\n" * 6 + "".join(f"LINK 2,0 {r},{c}\n" for r in range(4, 8) for c in range(3)) + "LINK 2,0 3,1\n")
    void("another order", "...\nHOLE 2,0\n")
    void("a row with a sign", ".*.\n")
    void("a third label", ".A.\n", "false")
    add("flow, lost: no label", flow(maker, "shape: square\n.#.\n", "unsolvable", "p cnf 0 1\n0\n", "2 0 1 0\n"), 2, "false")
    add("flow: a row of holes that is shorter", {**unique, "puzzle.txt": "shape: square\nA.\nA.\n#\n"}, 2, "false")
    add("flow: touch of the file in capitals, of the options as read", with_about(
        {**unique, "puzzle.txt": "touch: Never\nA.\nA.\n"}, options={"touch": "allow"}), 2, "false")

    # Solutions.
    plan = lambda name, text, code=1, flag="false": add(f"solution: {name}", {**unique, "moves.txt": text}, code, flag)
    plan("another label", "B: 0,0 0,1 1,1 1,0\n")
    plan("nothing", "")
    plan("a step that is missing", "A: 0,0 1,1 1,0\n")
    plan("a jump", "A: 0,0 1,1 0,1 1,0\n")
    plan("a cell twice", "A: 0,0 0,1 0,0 0,1 1,1 1,0\n")
    plan("not every cell", "A: 0,0 1,0\n")
    plan("not from end to end", "A: 0,0 0,1 1,1\n")
    plan("a path twice", "A: 0,0 0,1 1,1 1,0\nA: 0,0 0,1 1,1 1,0\n")
    plan("a cell that is not there", "A: 0,0 0,1 1,1 1,0 2,0\n")
    plan("leading zeros", "A: 0,0 0,01 1,1 1,0\n", 2)
    plan("two blanks", "A: 0,0  0,1 1,1 1,0\n", 2, "")
    plan("no colon", "A 0,0 0,1 1,1 1,0\n", 2)
    add("solution: a path beside itself", with_about(unique, reading="no self-touch"), 1, "false")
    short = flow(maker, UNIQUE, "unique", touch_cnf, "6 0 1 4 5 0\n", "A: 0,0 1,0", reading="no self-touch")
    add("solution: not every cell, of a board without one", short, 1, "false")
    add("solution: no path, of a board without one", {**flow(
        maker, f"cover: no\n{CROSS}", "unique", CROSS_CNF, CROSS_LRAT), "moves.txt": ""}, 1, "false")
    ends = flow(maker, "A.A.\n", "unique", "p cnf 0 1\n0\n", "2 0 1 0\n", "A: 0,0 0,1 0,2 0,3")
    add("solution: another end, of a board without one", ends, 1, "false")
    line = flow(maker, "A.A\nB.B\n", "unique", "c v 1 joined(0,0;0,1)@0\np cnf 1 1\n-1 0\n", "2 0 1 0\n", "A: 0,0 0,1 0,2\nB: 1,0 1,1 1,2")
    add("solution: two paths on one cell", {**line, "moves.txt": "A: 0,0 0,1 0,2\nB: 1,0 1,1 0,1 1,1 1,2\n"}, 1, "false")
    more = flow(maker, "cover: no\nA.A\n...\n", "unique", "c v 1 joined(0,0;0,1)@0\nc v 2 joined(0,1;0,2)@0\np cnf 2 1\n-1 -2 0\n",
                "2 0 1 0\n", "A: 0,0 0,1 0,2")
    add("solution: one of two", more, 1, "false")
