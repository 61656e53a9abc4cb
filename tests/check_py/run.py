"""Runs docs/check.py inside one process.

    python3 run.py cases             every case of cases.py has the exit code that it should have
    python3 run.py write FOLDER      writes the cases as folders, and index.txt
    python3 run.py deletions [N]     every check of check.py is deleted in turn: a case must notice
    python3 run.py serve             judges the folders that standard input names, one a line
"""

import ast
import contextlib
import io
import os
import random
import resource
import signal
import sys
import tempfile
import traceback
import types

HERE = os.path.dirname(os.path.abspath(__file__))
CHECKER = os.path.join(HERE, "..", "..", "docs", "check.py")
# What a case may take: one that is refused for its size would take for ever.
SECONDS, BYTES = 3, 1 << 30


def module(tree):
    """The checker, from its text or from its tree."""
    made = types.ModuleType("check")
    exec(compile(tree, "check.py", "exec"), made.__dict__)
    return made


def source():
    with open(CHECKER, encoding="ascii") as file:
        return file.read()


def told(checker, folder):
    """Exit code and output of a folder."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        code = checker.main(folder)
    return code, out.getvalue()


class Hung(Exception):
    """It takes too long."""


def ring(*_):
    raise Hung


def judged(checker, folder):
    """The exit code; "crash" where the checker has a fault, with the lines of check.py."""
    signal.alarm(SECONDS)
    try:
        code, lines = checker.check(folder, [])[0], []
    except Exception as fault:
        signal.alarm(0)
        code = {"Invalid": 1, "Unread": 2}.get(type(fault).__name__, "crash")
        lines = [line for _, line in traceback.walk_tb(fault.__traceback__)]
    signal.alarm(0)
    return code, lines


def prepared(place):
    """Writes all cases; (name, folder, code, flag) of each."""
    sys.path.insert(0, HERE)
    import cases
    found = []
    for number, (name, files, code, flag) in enumerate(cases.cases(module(source()))):
        folder = os.path.join(place, f"{number:03}")
        os.mkdir(folder)
        for file, data in files.items():
            path = os.path.join(folder, file)
            if data == "pipe":
                os.mkfifo(path)
            elif isinstance(data, str):
                os.symlink(data, path)
            else:
                with open(path, "wb") as out:
                    # A number: so many bytes, none of which takes room.
                    out.truncate(data) if isinstance(data, int) else out.write(data)
        found.append((name, folder, code, flag))
    return found


def run_cases():
    checker, wrong = module(source()), 0
    with tempfile.TemporaryDirectory() as place:
        everything = prepared(place)
        for name, folder, code, _ in everything:
            actual, said = told(checker, folder)
            bad = [c for c in said if not (" " <= c <= "~" or c == "\n")]
            if actual != code or bad or "a fault of this program" in said or not said.endswith("\n"):
                wrong += 1
                print(f"{name}: {actual}, not {code}: {said.splitlines()[:1]}")
            # What is drawn is what was read.
            family = checker.FAMILIES.get(said.splitlines()[1].split(",")[0]) if code in (0, 3) else None
            if family in (checker.Sokoban, checker.Snowman):
                drawn = [row for row in said.splitlines()[2:] if not row.startswith("finished")]
                again = family(drawn, {}, "")
                if again.drawn()[:len(drawn)] != drawn:
                    wrong += 1
                    print(f"{name}: drawn in another way: {drawn}")
    print(f"{len(everything)} cases, {wrong} wrong")
    return wrong


# Deletions

# In these a `return` decides what is accepted.
DECIDE = {"possible", "solved", "holds", "degree", "cut", "joins"}
# What these tables hold is a pattern of what is read.
TABLES = {"OPTIONS", "HEADS"}


def is_check(node):
    return (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
            and getattr(node.value.func, "id", "") in ("need", "known"))


def parts(condition):
    return len(condition.values) if isinstance(condition, ast.BoolOp) and isinstance(condition.op, ast.And) else 0


def sites(tree):
    """(what, line, last line, how to change the tree): all that can be deleted."""
    found = []

    def without(condition, part):
        def change():
            condition.values[part] = ast.copy_location(ast.Constant(True), condition.values[part])
        return change

    def add(what, node, change):
        last = node.test if isinstance(node, ast.If) else node
        found.append((what, node.lineno, last.end_lineno, change))

    def visit(node, function):
        if isinstance(node, ast.FunctionDef):
            if node.name in ("need", "known"):
                return
            function = node.name
        for field in ("body", "orelse", "handlers"):
            block = getattr(node, field, None)
            for at, one in enumerate(block if isinstance(block, list) else []):
                def replace(block=block, at=at, one=one):
                    block[at] = ast.copy_location(ast.Pass(), one)
                if is_check(one):
                    add("the check", one, replace)
                    condition = one.value.args[0]
                    for part in range(parts(condition)):
                        add(f"part {part + 1} of the check", one, without(condition, part))
                elif isinstance(one, ast.Raise) and function != "number":
                    add("the refusal", one, replace)
                elif isinstance(one, ast.Return) and function in DECIDE and one.value is not None:
                    for part in range(parts(one.value)):
                        add(f"part {part + 1} of what is returned", one, without(one.value, part))
                    if isinstance(one.value, ast.Constant) and one.value.value is False:
                        def accept(one=one):
                            one.value = ast.copy_location(ast.Constant(True), one.value)
                        add("the refusal", one, accept)
                elif isinstance(one, ast.If) and function in DECIDE:
                    for part in range(parts(one.test)):
                        add(f"part {part + 1} of the condition", one, without(one.test, part))
                elif isinstance(one, ast.Assign) and getattr(one.targets[0], "id", "") in TABLES:
                    table = one.value
                    for key, value in zip(table.keys, table.values) if isinstance(table, ast.Dict) else []:
                        def widen(table=table, value=value):
                            wide = ast.copy_location(ast.Constant(".*"), value)
                            table.values[table.values.index(value)] = wide
                        if getattr(value, "value", "") != ".*":
                            add(f"the values of {key.value}", value, widen)
        for child in ast.iter_child_nodes(node):
            visit(child, function)

    visit(tree, "")
    return found


def run_deletions(most):
    text = source()
    original = module(text)
    ranks = {1: 0, 2: 0, "crash": 0, 3: 1, 0: 2}
    with tempfile.TemporaryDirectory() as place:
        everything = prepared(place)
        before = {folder: judged(original, folder) for _, folder, _, _ in everything}
        refused = [(folder, *before[folder]) for _, folder, _, _ in everything if before[folder][0] != 0]
        accepted = [(folder, 0, []) for _, folder, _, _ in everything if before[folder][0] == 0]
        numbers = list(range(len(sites(ast.parse(text)))))
        if most is not None:
            numbers = random.Random(1).sample(numbers, min(most, len(numbers)))
        unnoticed = others = 0
        for number in sorted(numbers):
            tree = ast.parse(text)
            what, first, last, change = sites(tree)[number]
            change()
            mutant = module(ast.fix_missing_locations(tree))

            # What was refused there; where there is nothing of the kind, all that was refused.
            here = [it for it in refused if any(first <= line <= last for line in it[2])]
            other = False
            for folder, code, _ in (here or refused) + accepted:
                after = judged(mutant, folder)[0]
                if after == "crash" or ranks[after] > ranks[code] or (folder, code, []) in accepted and after != code:
                    break
                other = other or after != code
            else:
                word = "another refusal" if other else "unnoticed"
                others, unnoticed = others + other, unnoticed + (not other)
                print(f"{word}: {what}, line {first}: {text.splitlines()[first - 1].strip()}")
    print(f"{len(numbers)} deletions: {unnoticed} unnoticed, {others} end in another refusal, "
          f"all others in a crash or a false verdict ({len(everything)} cases)")
    return unnoticed


def main(task, *words):
    if task == "serve":
        checker = module(source())
        for folder in sys.stdin:
            code, said = told(checker, folder.removesuffix("\n"))
            print(code, said.splitlines()[0], flush=True)
        return 0
    if task == "write":
        with open(os.path.join(words[0], "index.txt"), "w", encoding="ascii") as index:
            for name, folder, code, flag in prepared(words[0]):
                index.write(f"{os.path.basename(folder)}\t{code}\t{flag}\t{name}\n")
        return 0
    signal.signal(signal.SIGALRM, ring)
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    if task == "cases":
        return run_cases() > 0
    return run_deletions(int(words[0]) if words else None) > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
