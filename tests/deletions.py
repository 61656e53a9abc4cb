#!/usr/bin/env python3
"""Deletes each check of the judge in turn, and says which test notices.

    python3 tests/deletions.py lrat closed patterns judge
    python3 tests/deletions.py --list lrat

A copy of the project is made in which every check can be switched off by its number: each `if` that
refuses, each operand of `&&` and `||` in conditions, each condition of `filter`, `all`, `any` and
the like, and each call whose only result is an error (`f()?;`). So the project is compiled once,
and each deletion is one run of the tests with `UNSTUCK_DELETED=N`. A deletion that no test notices
is printed with its place; the run then ends with exit code 1.

A check that is not missed because another one says the same is listed in REDUNDANT, by file and
text, with the reason.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
COPY = TARGET / "deletions"
# Of its own: cargo knows packages by their place in the workspace, so in a common folder it would
# take the library of the copy for that of the project, and the other way round.
BUILT = COPY / "target"

# For each group its files, and the tests that are concerned: arguments of `cargo test`, and filters.
GROUPS = {
    "lrat": (
        ["check/proof/lrat.rs", "check/proof/tokens.rs"],
        [(["-p", "unstuck-check", "--lib"], ["proof::"])],
    ),
    "closed": (
        ["check/closed/check.rs", "check/closed/mod.rs", "check/transition/list_format.rs"],
        [
            (["-p", "unstuck-check", "--lib"], ["closed::", "transition::"]),
            (["--test", "engines"], ["closed::"]),
        ],
    ),
    "patterns": (
        [
            "puzzles/patterns.rs",
            *(f"puzzles/sokoban/patterns/{name}.rs" for name in
              ["mod", "ground", "leaves", "weights", "zone", "spell"]),
        ],
        [
            (["-p", "unstuck-puzzles", "--lib"], ["patterns"]),
            (["--test", "engines"], ["patterns::"]),
        ],
    ),
    "judge": (
        [f"check/certificate/{name}.rs" for name in ["judge", "check", "compare", "manifest_files", "patterns"]],
        [
            (["-p", "unstuck-check", "--lib"], ["certificate::"]),
            (["--test", "certificates"], ["certificates::", "forgeries::"]),
        ],
    ),
}

# Checks that may go, each with the reason.
REDUNDANT = {
    ("check/proof/lrat.rs", "operand: self.dead > 1 << 20"): "only when memory is compacted",
    ("check/proof/lrat.rs", "operand: self.dead > self.arena.len() / 2"): "only when memory is compacted",
    ("check/closed/check.rs", "operand: left == *budget"): "what costs something leaves the class",
    ("check/closed/check.rs", "operand: !walk"): "the entry itself covers a walk in its class",
    (
        "check/closed/mod.rs",
        "if: !single && puzzle.representative(&state, objective.first()) != state",
    ): "no look-up finds an entry that is not the least state of its class",
    ("puzzles/patterns.rs", "if: self.1.is_empty()"): "prints a list for others",
    (
        "puzzles/sokoban/patterns/mod.rs",
        "operand: boxes.contains(&from)",
    ): "pushes of own boxes are looked at elsewhere; to look again only asks for more",
    (
        "puzzles/sokoban/patterns/leaves.rs",
        "filter: !weights.is_lost(goal, side)",
    ): "a box on a goal is never lost, and no push leads to a side that is not there",
    ("puzzles/sokoban/patterns/leaves.rs", "if: least[at][usize::from(side)] < waste"): "an entry that is out of date, for speed",
    ("puzzles/sokoban/patterns/leaves.rs", "operand: still.has(push.from)"): "without it less is accepted",
    ("puzzles/sokoban/patterns/leaves.rs", "filter: !still.has(at)"): "a box that stands still serves no goal: its column costs too much",
    ("puzzles/sokoban/patterns/leaves.rs", "filter: column != through"): "a column costs itself as much, never less",
    ("puzzles/sokoban/patterns/zone.rs", "is_some_and: waste < entry.value"): "without it less is accepted",
    ("puzzles/sokoban/patterns/zone.rs", "if: !go_on()"): "a limit, which ends the judgement before its verdict",
    (
        "puzzles/sokoban/patterns/zone.rs",
        "operand: !(from_inside || to_inside)",
    ): "a push outside changes nothing inside, and what it wastes is not less than nothing",
    ("puzzles/sokoban/patterns/zone.rs", "if: waste >= self.most"): "for speed: what wastes as much is asked about by no pattern",
    ("check/certificate/judge.rs", "operand: !from_rules"): "without it less is accepted",
    (
        "check/certificate/judge.rs",
        "call: self.block(moveless, formula.as_mut(), solution)?;",
    ): "without it a formula is compared that has a model",
    (
        "check/certificate/judge.rs",
        "call: moveless.block(formula, &model, one).map_err(|error| match error { BlockingError::Meaningless(fault)",
    ): "without it a formula is compared that has a model",
    ("check/certificate/judge.rs", "if: let"): "says that a program was named for nothing",
    (
        "check/certificate/judge.rs",
        'call: self.says_so_much("start.cnf", most.unwrap_or(0))?;',
    ): "keeps memory small: the formula is compared afterwards",
    (
        "check/certificate/compare.rs",
        "if: stored.variables() != own.variables()",
    ): "the clauses are compared one by one; variables that are in none change nothing",
    (
        "check/certificate/manifest_files.rs",
        'call: read.map_err(|error| invalid(format!("{name}: {error}")))?;',
    ): "a text that cannot be read is left empty, which is no level and no manifest",
    ("puzzles/sokoban/patterns/spell.rs", "operand: waste > 0"): "an end that wastes nothing may be said, too",
    ("puzzles/sokoban/patterns/spell.rs", "filter: weights.unused(goal) > 0"): "a goal that wastes nothing may be said, too",
    ("puzzles/sokoban/patterns/spell.rs", "filter: left >= 0"): "a number below zero is none already",
}

TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*|/\*.*?\*/)
      |(?P<string>b?r(?P<hash>\#*)".*?"(?P=hash)|b?"(?:\\.|[^"\\])*"|b?'(?:\\.[^']*|[^'\\])')
      |(?P<life>'[A-Za-z_]\w*)
      |(?P<word>[A-Za-z_0-9][\w]*(?:\.[0-9]\w*)?)
      |(?P<punct>&&|\|\||=>|->|==|!=|<=|>=|::|\.\.=|\.\.|.)""",
    re.S | re.X,
)

CLOSERS = {"(": ")", "[": "]", "{": "}"}
# Calls that are no checks: limits can only end a check before its verdict, and lists are written for
# others.
NO_CHECK = re.compile(r"^(self\.)?(watch|clock|monitor)\b|^write(ln)?!")
REFUSES = re.compile(r"\b(Err|return|None|continue|false)\b")


class Source:
    """A source as tokens, with the checks that stand in it."""

    def __init__(self, text):
        cut = re.search(r"\n#\[cfg\(test\)\]\nmod tests \{", text)
        self.text = text[: cut.start()] if cut else text
        self.rest = text[len(self.text):]
        self.tokens = [
            (match.lastgroup if match.lastgroup != "hash" else "string", match.group(), match.start())
            for match in TOKEN.finditer(self.text)
            if match.lastgroup != "space"
        ]
        self.words = [token[1] for token in self.tokens]
        self.close = self.matching()
        self.sites = []  # (start, end, before, after, what)

    def matching(self):
        close, stack = {}, []
        for at, (kind, word, _) in enumerate(self.tokens):
            if kind == "punct" and word in CLOSERS:
                stack.append(at)
            elif kind == "punct" and word in CLOSERS.values():
                close[stack.pop()] = at
        return close

    def until(self, at, ends):
        """The first token from here on, outside of brackets, that is one of these."""
        while at < len(self.words):
            if self.words[at] in ends:
                return at
            at = self.close.get(at, at) + 1
        return at

    def add(self, first, last, before, after, what):
        """A site around the tokens from `first` up to `last`."""
        if first >= last:
            return
        start = self.tokens[first][2]
        end = self.tokens[last - 1][2] + len(self.words[last - 1])
        shown = " ".join(self.text[start:end].split())
        if what == "call" and NO_CHECK.search(shown):
            return
        self.sites.append((start, end, before, after, f"{what}: {shown[:100]}"))

    def operands(self, first, last):
        """The operands of `&&` or `||` in an expression, each with what it is an operand of."""
        parts, at, begun = [], first, first
        operators = set()
        while at < last:
            # `||` also begins a closure without arguments.
            closure = at == first or self.words[at - 1] in ("(", ",", "=", "=>", "move", "return")
            if self.words[at] in ("&&", "||") and not closure:
                operators.add(self.words[at])
                parts.append((begun, at))
                begun = at + 1
            at = self.close.get(at, at) + 1
        parts.append((begun, last))
        return parts, operators

    def is_closure(self, at):
        return self.words[at] in ("|", "||", "move")

    def condition(self, first, last, refuses, what):
        """The condition of an `if`, a guard or a closure."""
        parts, operators = self.operands(first, last)
        has_let = "let" in [self.words[at] for at, _ in parts]
        if refuses:
            if has_let:
                self.add(first, first + 1, "!D && ", "", what)
            else:
                self.add(first, last, "!D && (", ")", what)
        for one, end in parts if len(operators) == 1 else []:
            if self.words[one] == "let" or "|" in self.words[one:end]:
                continue
            if "&&" in operators:
                self.add(one, end, "(D || (", "))", "operand")
            else:
                self.add(one, end, "(!D && (", "))", "operand")

    def find(self):
        words = self.words
        for at, word in enumerate(words):
            kind = self.tokens[at][0]
            if kind == "word" and word == "if":
                opens = self.until(at + 1, {"{", "=>"})
                if opens >= len(words):
                    continue
                if words[opens] == "{":
                    block = " ".join(words[opens: self.close[opens]])
                    self.condition(at + 1, opens, bool(REFUSES.search(block)), "if")
                else:
                    parts, _ = self.operands(at + 1, opens)
                    if "let" not in [words[one] for one, _ in parts]:
                        self.add(at + 1, opens, "(D || (", "))", "guard")
                    self.condition(at + 1, opens, False, "guard")
            elif kind == "word" and word in ("filter", "all", "is_some_and", "is_none_or", "any"):
                if at < 1 or words[at - 1] != "." or words[at + 1] != "(" or words[at + 2] != "|":
                    continue
                end = self.close[at + 1]
                body = self.until(at + 3, {"|"}) + 1
                if body < end and words[body] != "{":
                    if word == "any":
                        self.add(body, end, "!D && (", ")", word)
                    else:
                        self.add(body, end, "D || (", ")", word)
                    self.condition(body, end, False, word)
            elif kind == "word" and word == "let" and words[at - 1] in ("{", ";", "}"):
                end = self.until(at, {";"})
                equals = self.until(at, {"=", ";"})
                whole = words[equals:end]
                if equals < end and "else" not in whole and "|" not in whole and "if" not in whole \
                        and not self.is_closure(equals + 1):
                    self.condition(equals + 1, end, False, "let")
            elif kind == "punct" and word == "?" and at + 1 < len(words) and words[at + 1] == ";":
                begun = at
                while words[begun - 1] not in (";", "{", "}", "=>") or begun - 1 in self.close.values():
                    if begun - 1 in self.close.values():
                        opener = next(o for o, c in self.close.items() if c == begun - 1)
                        if words[begun - 1] == "}" and words[opener - 1] not in ("(", "|", ",", "="):
                            break
                        begun = opener
                    else:
                        begun -= 1
                said = words[begun:at]
                if said and not {"let", "=", "return"} & {said[0], *self.top(begun, at)}:
                    self.add(begun, at + 2, "if !D { ", " }", "call")
        return self.sites

    def top(self, first, last):
        """The words outside of brackets."""
        found, at = [], first
        while at < last:
            found.append(self.words[at])
            at = self.close.get(at, at) + 1
        return found

    def switched(self, numbers, name):
        """The source in which each site can be switched off."""
        marks = []
        for number, (start, end, before, after, _) in zip(numbers, self.sites):
            call = f"{name}::deleted({number})"
            # Of two at one place the longer one opens first and closes last.
            marks.append((start, 1, -(end - start), before.replace("D", call)))
            marks.append((end, 0, end - start, after))
        text, done = [], 0
        for place, _, _, mark in sorted(marks, key=lambda it: it[:3]):
            text.append(self.text[done:place] + mark)
            done = place
        return "".join(text) + self.text[done:] + self.rest


HELPER = """
/// Whether a check is deleted.
pub fn deleted(number: u32) -> bool {
    static DELETED: std::sync::LazyLock<u32> = std::sync::LazyLock::new(|| {
        std::env::var("UNSTUCK_DELETED").ok().and_then(|it| it.parse().ok()).unwrap_or(0)
    });
    *DELETED == number
}
"""


def copied(but):
    """A copy of the project as it is, but for some files. What is the same keeps its time."""
    listed = subprocess.check_output(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT)
    for name in listed.decode().split("\n"):
        if name and name not in (*but, "puzzles/lib.rs") and (ROOT / name).is_file():
            write(name, (ROOT / name).read_bytes())


def write(name, content):
    place = COPY / name
    if not place.is_file() or place.read_bytes() != content:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)


def switchable(files, listing):
    """Writes the copy, these files with switches; the sites by number."""
    if not listing:
        copied(files)
    sites, number = {}, 0
    for name in files:
        source = Source((ROOT / name).read_text())
        found = source.find()
        numbers = range(number + 1, number + 1 + len(found))
        crate = "crate" if name.startswith("puzzles/") else "unstuck_puzzles"
        if not listing:
            write(name, source.switched(numbers, crate).encode())
        for at, (start, *_, what) in zip(numbers, found):
            line = source.text.count("\n", 0, start) + 1
            sites[at] = (name, line, what)
        number += len(found)
    library = (ROOT / "puzzles/lib.rs").read_text() + HELPER
    if not listing:
        write("puzzles/lib.rs", library.encode())
    return sites


def binaries(tests):
    """The test binaries, each with its filters."""
    found = []
    for arguments, filters in tests:
        command = ["cargo", "test", "--locked", "--no-run", "--message-format", "json", *arguments]
        env = {**os.environ, "CARGO_TARGET_DIR": str(BUILT), "RUSTFLAGS": os.environ.get("RUSTFLAGS", "")}
        run = subprocess.run(command, cwd=COPY, env=env, stdout=subprocess.PIPE)
        if run.returncode:
            sys.exit("the copy with switches does not compile")
        for line in run.stdout.decode().splitlines():
            message = json.loads(line)
            if message.get("executable") and message.get("profile", {}).get("test"):
                found.append((message["executable"], filters))
    return found


def noticed(tests, number):
    """The first test that fails with a check deleted."""
    for binary, filters in tests:
        folder = COPY / "puzzles" if "unstuck_puzzles" in Path(binary).name else COPY
        env = {**os.environ, "UNSTUCK_DELETED": str(number), "RUST_BACKTRACE": "0",
               "CARGO_MANIFEST_DIR": str(folder)}
        try:
            run = subprocess.run([binary, "-q", *filters], cwd=folder, env=env, timeout=300,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        except subprocess.TimeoutExpired:
            return f"{Path(binary).name}: does not end"
        if run.returncode:
            failed = re.search(r"^---- (\S+) stdout", run.stdout.decode(errors="replace"), re.M)
            name = Path(binary).name.rsplit("-", 1)[0]
            return f"{name}: {failed.group(1) if failed else 'ends early'}"
    return None


def main():
    listing = "--list" in sys.argv
    groups = [name for name in sys.argv[1:] if name != "--list"] or list(GROUPS)
    # All groups have switches always, so that the copy is compiled once.
    sites = switchable([name for files, _ in GROUPS.values() for name in files], listing)
    missed = 0
    for group in groups:
        files, tests = GROUPS[group]
        chosen = {number: site for number, site in sites.items() if site[0] in files}
        if listing:
            for number, (name, line, what) in chosen.items():
                print(f"{number} {name}:{line} {what}")
            continue
        built = binaries(tests)
        if failing := noticed(built, 0):
            sys.exit(f"{group}: the tests fail with nothing deleted: {failing}")
        begun, seen, redundant = time.time(), 0, 0
        for number, (name, line, what) in chosen.items():
            reason = REDUNDANT.get((name, what))
            by = noticed(built, number)
            seen += by is not None
            redundant += by is None and reason is not None
            missed += by is None and reason is None
            said = by or (f"redundant: {reason}" if reason else "NOT NOTICED")
            print(f"{number} {name}:{line} {what}\n    {said}", flush=True)
        print(f"{group}: {len(chosen)} checks, {seen} noticed, {redundant} redundant, "
              f"{time.time() - begun:.0f} s", flush=True)
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
