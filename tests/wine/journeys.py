"""Journeys through the Windows program, each beside the same one through the program of this system.

    python3 journeys.py [--only WORD] PROGRAM WINDOWS_PROGRAM SOLVER WINDOWS_SOLVER

Both programs run with the same words in folders of their own: exit codes and what is printed must be
the same, slashes apart, and so must the files that do not tell of time. Windows programs run under
wine, whose environment is the caller's. SOLVER is made of solver.c.
"""

import fcntl
import json
import os
import pty
import shutil
import signal
import subprocess
import sys
import tempfile
import termios
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PROJECT = os.path.dirname(os.path.dirname(HERE))
LEVELS = os.path.join(PROJECT, "puzzles", "levels")
PATIENCE = 300

# What tells of time and of the machine.
VOLATILE = {
    "seconds", "peak_memory_bytes", "limits", "stages", "begun", "cpu_seconds", "memory_bytes",
    "search", "horizons",
}

# Twelve boxes in a large room: solved by nobody soon.
ROOM = "\n".join(
    "".join(
        "#" if row in (0, 39) or column in (0, 39) else
        "$" if row in (20, 23, 26) and column in (20, 23, 26, 29) else
        "." if row in (4, 7, 10) and column in (4, 7, 10, 13) else
        "@" if (row, column) == (36, 36) else " "
        for column in range(40)
    )
    for row in range(40)
) + "\n"


class Path(str):
    """A word that is a path: on Windows with backslashes."""


class Side:
    """One of the two programs, with its folder."""

    def __init__(self, is_windows, program, solver, folder):
        self.is_windows, self.solver, self.folder = is_windows, solver, folder
        self.argv = ["wine", program] if is_windows else [program]

    def words(self, words):
        turned = lambda word: word.replace("/", "\\") if isinstance(word, Path) else word
        return self.argv + [turned(word) if self.is_windows else str(word) for word in words]

    def place(self, name):
        return os.path.join(self.folder, name)

    def start(self, words, **how):
        pipe = subprocess.PIPE
        return subprocess.Popen(
            self.words(words), cwd=self.folder,
            **{"stdin": subprocess.DEVNULL, "stdout": pipe, "stderr": pipe, **how})

    def run(self, words, text=b""):
        """Exit code and what is printed to both outputs."""
        with self.start(words, stdin=subprocess.PIPE) as process:
            out, err = process.communicate(text, timeout=PATIENCE)
        # Lines end as they do elsewhere: what is written on Windows is read on other systems.
        assert b"\r" not in out, f"{words}: {out}"
        return process.returncode, out.decode(), err.decode()

    def read(self, name):
        with open(self.place(name), "rb") as file:
            return file.read()

    def has(self, name):
        return os.path.exists(self.place(name))

    def write(self, name, content):
        os.makedirs(os.path.dirname(self.place(name)), exist_ok=True)
        with open(self.place(name), "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())

    def remains(self):
        """Unfinished files anywhere in the folder."""
        walk = os.walk(self.folder)
        return [name for _, folders, files in walk for name in folders + files
                if name.startswith(".unstuck-")]


class Both:
    """Both programs, and what they must have in common."""

    def __init__(self, unix, windows):
        self.unix, self.windows, self.sides = unix, windows, (unix, windows)

    def write(self, name, content):
        for side in self.sides:
            side.write(name, content)

    def level(self, name, to=None):
        with open(os.path.join(LEVELS, name), "rb") as file:
            self.write(to or os.path.basename(name), file.read())

    def run(self, *words, code=0, text=b"", says="", complains=""):
        """Runs both; what they print in common."""
        told = []
        for side in self.sides:
            ended, out, err = side.run(words, text)
            assert ended == code, f"{words} on {side.argv[0]}: ends with {ended}\n{out}\n{err}"
            assert says in out, f"{words}: {says!r} is not in\n{out}"
            assert complains in err, f"{words}: {complains!r} is not in\n{err}"
            told.append(settled(out).replace("\\\\", "/").replace("\\", "/"))
        assert told[0] == told[1], f"{words}:\n{told[0]}\nbut on Windows\n{told[1]}"
        return told[0]

    def same_file(self, name):
        texts = [settled(side.read(name).decode()) for side in self.sides]
        assert texts[0] == texts[1], f"{name}:\n{texts[0]}\nbut on Windows\n{texts[1]}"

    def same_folder(self, name):
        lists = [sorted(os.listdir(side.place(name))) for side in self.sides]
        assert lists[0] == lists[1] and lists[0], lists
        for file in lists[0]:
            self.same_file(f"{name}/{file}")


def settled(text):
    """A text without what tells of time: objects lose these fields, sentences the seconds."""
    return "".join(line if not line.startswith("{") else unvolatile(line)
                   for line in text.splitlines(keepends=True))


def unvolatile(line):
    try:
        value = json.loads(line)
    except ValueError:
        return line
    return json.dumps({name: it for name, it in value.items() if name not in VOLATILE}) + "\n"


def objects(side, name):
    """The lines of a log or a shard, by the texts or names of their levels."""
    values = [json.loads(line) for line in side.read(name).splitlines()]
    of_certificate = ("offset", "bytes", "sha256")
    for value in values:
        for field in of_certificate:
            (value.get("certificate") or {}).pop(field, None)
        for field in VOLATILE | {"shown_by", "encoding"}:
            value.pop(field, None)
    return sorted(json.dumps(value, sort_keys=True) for value in values)


def size(path):
    return os.path.getsize(path) if os.path.exists(path) else -1


def until(what, fact):
    since = time.monotonic()
    while not fact():
        assert time.monotonic() - since < PATIENCE, f"waited in vain for {what}"
        time.sleep(0.02)


def pressed(side, words, ready):
    """Runs a program on a terminal and presses Ctrl-C when `ready`; exit code, and what was shown."""
    ours, its = pty.openpty()
    take = lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    process = side.start(
        words, stdin=its, stdout=its, stderr=its, start_new_session=True, preexec_fn=take)
    os.close(its)
    shown = bytearray()

    def read():
        try:
            while piece := os.read(ours, 4096):
                shown.extend(piece)
        except OSError:
            # The last end of the terminal was closed.
            pass

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    until(f"{words} to work", lambda: process.poll() is not None or ready(shown))
    assert process.poll() is None, f"{words} ended too soon: {bytes(shown)}"
    os.write(ours, b"\x03")
    code = process.wait(PATIENCE)
    reader.join(1)
    os.close(ours)
    return code, shown.decode(errors="replace")


def killed(process):
    """Ends a program as no signal handler notices."""
    process.send_signal(signal.SIGKILL)
    process.communicate()


# The journeys.

def solving(both):
    for name in ["sokoban/first-steps.sok", "sokoban/stuck.sok", "flow/first-paths.txt",
                 "snowman/first-snowman.snowman", "warehouse/first-box.warehouse"]:
        both.level(name)
    plain = ["--threads", "1"]
    both.run("solve", "first-steps.sok", "--engine", "search", "--quiet", *plain)
    both.run("solve", "first-steps.sok", "--engine", "search", "--json", *plain)
    both.run("solve", "stuck.sok", "--level", "1", code=20, says="unsolvable")
    both.run("solve", "first-steps.sok", "-l", "2", "--horizon", "1", code=21)
    both.run("solve", "first-paths.txt", "--plain", says="only solution")
    both.run("solve", "first-snowman.snowman", "--engine", "search", "--stages", *plain)
    both.run("solve", "first-box.warehouse", "--engine", "search", "--quiet", *plain)
    both.run("first-steps.sok", "-l", "1", "--quiet", says="urDrdL")
    both.run("solve", "none.sok", code=2)
    both.run("solve", "first-steps.sok", "--no-such-option", "sat", code=2, complains="--no-such-option")
    both.run("list", "first-steps.sok", "--json")
    both.run("list", "first-steps.sok")
    both.run("replay", "first-steps.sok", "-l", "1", "urDrdL", "--trace")
    both.run("replay", "first-steps.sok", "-l", "1", "uuu", code=1)
    both.run("solve", "first-steps.sok", "--color", "always", "-l", "1", "--stages",
             "--engine", "search", *plain)
    # Limits of time and memory are kept, and what a process holds is known.
    both.write("room.xsb", ROOM)
    for side in both.sides:
        for limit, what in [(["--timeout", "1"], "time"),
                            (["--memory", "70M", "--timeout", "50"], "memory")]:
            code, out, _ = side.run(["solve", "room.xsb", "--json", "--engine", "search", *limit])
            assert code == 30 and f'"stopped_by":"{what}"' in out, (limit, code, out)
        told = json.loads(side.run(["solve", "first-steps.sok", "-l", "1", "--json"])[1])
        assert 1 << 20 < told["peak_memory_bytes"] < 1 << 30, told
        assert told["limits"]["memory_bytes"] > 1 << 28, told


def batches(both):
    both.level("sokoban/first-steps.sok", "ours.sok")
    both.write("ours.sok", both.unix.read("ours.sok") + b"\nroom\n\n" + ROOM.encode())
    words = ["solve", "ours.sok", "--log", "log.jsonl", "--record", "solved.sok", "--threads", "1",
             "--engine", "search"]
    for side in both.sides:
        first = side.start(words + ["--timeout", "50"])
        until("ten results", lambda: side.has("log.jsonl") and
              side.read("log.jsonl").count(b"\n") == 10)
        # While it runs nobody else writes there; a reader may read.
        code, _, err = side.run(words)
        assert code == 2 and "another run is writing this store" in err, (code, err)
        assert first.poll() is None
        killed(first)
        # The lock has ended with it, and what it has found is not done again.
        code, out, err = side.run(words + ["--timeout", "1"])
        assert code == 30 and "10 solved (all optimal)" in out, (code, out, err)
        assert side.run(words + ["--timeout", "1", "--retry", "none"])[0] == 30
        # The lines of the room are replaced by one.
        assert side.read("log.jsonl").count(b"\n") == 11
    assert objects(both.unix, "log.jsonl") == objects(both.windows, "log.jsonl")
    without_times = lambda text: [line for line in text.splitlines() if b"ime" not in line]
    records = [without_times(side.read("solved.sok")) for side in both.sides]
    assert records[0] == records[1] and len(records[0]) > 50, records


def proofs(both):
    both.level("sokoban/first-steps.sok")
    both.level("sokoban/no-way-out.sok")
    for kind, level in [("closed", "2"), ("horizon", "2"), ("patterns", "2")]:
        words = ["prove", "first-steps.sok", "-l", level, "--evidence", kind, "--threads", "1"]
        both.run(*words, "-o", kind, says="certified")
        both.same_folder(kind)
        both.run(*words, "-o", kind, code=2, complains="already exists")
        both.run(*words, "-o", kind, "--force", "--quiet")
        both.same_folder(kind)
    both.run("prove", "first-steps.sok", "-l", "1-3", "-o", Path("all of them/"), "--quiet",
             "--lrat", "--evidence", "closed", "--threads", "1")
    both.same_folder("all of them/first-steps-01-down-and-left")
    both.run("prove", "no-way-out.sok", "-l", "1", "-o", "never", "--evidence", "invariant",
             code=20, says="unsolvable")
    for side in both.sides:
        # What a killed run has left goes when it is old, and no earlier.
        side.write(".unstuck-old/file", "half")
        side.write(".unstuck-new/file", "half")
        os.utime(side.place(".unstuck-old"), (0, 0))
    both.run("prove", "first-steps.sok", "-l", "1", "-o", "last", "--quiet", "--threads", "1")
    for side in both.sides:
        assert side.remains() == [".unstuck-new"], side.remains()


def checks(both):
    both.level("sokoban/first-steps.sok")
    both.run("prove", "first-steps.sok", "-l", "2", "-o", "good", "--evidence", "closed",
             "--threads", "1", "--quiet")
    both.run("check", "good", says="valid")
    # Each judges what the other wrote, and the checker in the book both.
    shutil.copytree(both.unix.place("good"), both.windows.place("other"))
    shutil.copytree(both.windows.place("good"), both.unix.place("other"))
    both.run("check", "other", "--json", says='"valid"')
    checker = os.path.join(PROJECT, "docs", "check.py")
    for side in both.sides:
        judged = subprocess.run([sys.executable, checker, side.place("good")], capture_output=True)
        assert judged.returncode == 0, judged
        text = side.read("other/moves.txt")
        side.write("other/moves.txt", text.replace(b"r", b"l", 1))
    both.run("check", "other", code=1)
    both.run("check", "none", code=2)
    # Files of a manifest and of a lock lie in its folder, whatever slash leads out of it.
    both.run("lock", "first-steps.sok", "-l", "1", "--quiet")
    for name in ["../first-steps.sok", "..\\\\first-steps.sok", "C:\\\\first-steps.sok", "NUL"]:
        for side in both.sides:
            shutil.rmtree(side.place("forged"), ignore_errors=True)
            shutil.copytree(side.place("unstuck.lock"), side.place("forged"))
            text = side.read("forged/results-00000.jsonl").decode()
            side.write("forged/results-00000.jsonl", text.replace('"first-steps.sok"', f'"{name}"'))
            ended, out, err = side.run(["check", Path("forged/")])
            assert ended in (1, 2), (name, ended, out, err)


def formulas(both):
    both.level("sokoban/first-steps.sok")
    both.level("flow/first-paths.txt")
    both.write("a folder/file", "")
    both.run("export", "first-steps.sok", "-l", "1", "--horizon", "2", "-o", "f.cnf")
    both.run("export", "first-paths.txt", "-o", Path("a folder/f.cnf"))
    for name in ["f.cnf", "a folder/f.cnf"]:
        both.same_file(name)
        both.same_file(f"{name}.map.json")
        for side in both.sides:
            solver = ["wine", side.solver] if side.is_windows else [side.solver]
            answer = subprocess.run(
                solver + [name], cwd=side.folder, capture_output=True, timeout=PATIENCE)
            assert answer.returncode == 10, answer
            # On Windows with carriage returns, as other programs write.
            side.write("answer.txt", answer.stdout)
        both.run("decode", Path(name), "answer.txt")
        both.run("decode", Path(name), "-", text=both.windows.read("answer.txt"))
    both.run("decode", "f.cnf", "answer.txt", code=1)


def outside_solvers(both):
    both.level("flow/first-paths.txt")
    both.level("sokoban/first-steps.sok")
    for side in both.sides:
        name = os.path.basename(side.solver)
        os.makedirs(side.place("my solvers/new"))
        shutil.copy(side.solver, side.place(f"my solvers/new/{name}"))

    def command(side, quote, folder, suffix=""):
        path = f"{folder}my solvers/new/solver{suffix}"
        return f"{quote}{Path(path.replace('/', chr(92)) if side.is_windows else path)}{quote}"

    for quote, absolute, suffix in [('"', 0, ""), ("'", 0, ".exe"), ('"', 1, ".exe")]:
        told = []
        for side in both.sides:
            folder = "./" if not absolute else \
                ("Z:" if side.is_windows else "") + side.folder + "/"
            given = command(side, quote, folder, suffix if side.is_windows else "")
            listed = side.run(["backends", given + " {cnf}"])
            assert listed[0] == 0 and "external program" in listed[1], listed
            told.append(side.run(["solve", "first-paths.txt", "--backend", given + " {cnf}",
                                  "--plain", "--quiet"]))
            assert told[-1][0] == 0, told
        assert told[0][1] == told[1][1], told
    for side in both.sides:
        # What it has started ends with it, and it with the time limit.
        given = command(side, '"', "./")
        late = side.run(["solve", "first-paths.txt", "--timeout", "1", "--backend",
                         f"{given} idle 'my heart' {{cnf}}"])
        assert late[0] == 30, late
        beats = size(side.place("my heart"))
        time.sleep(0.3)
        assert beats > 0 and size(side.place("my heart")) == beats
    both.run("solve", "first-paths.txt", "--backend", "no-such-solver {cnf}", code=2,
             complains="not found")


def stores(both):
    rooms = "".join(
        f"room {at}\n\n" + "\n".join(
            ["#######", f"#@{'  $ '[at % 4:] + '  $ '[:at % 4]}#", f"#{' ' * (at % 5)}${' ' * (4 - at % 5)}#",
             f"#{'.' if at % 3 else ' '}  . #", f"#  {' ' if at % 3 else '.'}  #", "#######"]) + "\n\n"
        for at in range(60))
    both.write("rooms.sok", rooms)
    words = ["solve", "rooms.sok", "--store", "store", "--workers", "2", "--shards", "2", "--prove",
             "--quiet"]
    for side in both.sides:
        first = side.start(words)
        until("some results", lambda: size(side.place("store/results-00000.jsonl")) > 3_000 or
              first.poll() is not None)
        busy = side.run(words)
        # The first may have ended meanwhile.
        assert busy[0] == 2 and "another run" in busy[2] or busy[0] == 0, busy
        killed(first)
        code, _, err = side.run(words)
        assert code == 0, (code, err)
        assert side.run(words)[0] == 0
        assert side.remains() == [], side.remains()
    both.run("check", "store", says="valid: ")
    for shard in ["store/results-00000.jsonl", "store/results-00001.jsonl"]:
        one, other = (counted(side, shard) for side in both.sides)
        assert one == other and len(one) > 5, (one, other)
    # Each reads the other's store.
    shutil.copytree(both.unix.place("store"), both.windows.place("other"))
    shutil.copytree(both.windows.place("store"), both.unix.place("other"))
    both.run("check", "other", says="valid: ")
    # A torn end is cut off.
    for side in both.sides:
        with open(side.place("store/results-00000.jsonl"), "ab") as file:
            file.write(b'{"schema":2,"key":"torn')
        assert side.run(words)[0] == 0
        assert not side.read("store/results-00000.jsonl").endswith(b"torn")


def counted(side, name):
    """Verdicts and lengths by key, as they count: the last of each."""
    last = {}
    for line in side.read(name).splitlines():
        value = json.loads(line)
        last[value["key"]] = (value["verdict"], value["upper"], value["lower"], value["certified"])
    return last


def strange_paths(both):
    for folder in ["two words/für ☃/", "deep/er/"]:
        both.level("sokoban/first-push.xsb", f"{folder}a level.xsb")
        file = Path(f"{folder}a level.xsb")
        both.run("solve", file, "--quiet", says="R")
        both.run("solve", Path(folder), "--json")
        both.run("prove", file, "-o", Path(f"{folder}proof"), "--threads", "1")
        both.run("check", Path(f"{folder}proof/"))
        both.run("export", file, "--horizon", "2", "-o", Path(f"{folder}f.cnf"), "--json")
        both.run("solve", file, "--log", Path(f"{folder}l.jsonl"), "--record",
                 Path(f"{folder}r.sok"), "--quiet")
        both.run("solve", file, "--svg", Path(f"{folder}s.svg"), "--quiet")
        both.same_file(f"{folder}s.svg")
    # Locks name files with slashes, and are for all systems.
    both.level("sokoban/first-steps.sok", "deep/er/other.sok")
    both.run("lock", Path("two words/für ☃/a level.xsb"), Path("deep/er/other.sok"), "-o",
             Path("./unstuck.lock"), "--quiet", "--threads", "1", "--engine", "search")
    results = "unstuck.lock/results-00000.jsonl"
    assert objects(both.unix, results) == objects(both.windows, results)
    both.run("check", "unstuck.lock")


def line_ends(both):
    both.level("sokoban/first-steps.sok")
    text = both.unix.read("first-steps.sok").decode()
    plain = both.run("solve", "first-steps.sok", "--engine", "search", "--moves", "--threads", "1",
                     "--quiet").replace("first-steps.sok", "file.sok")
    forms = {
        "CRLF": text.replace("\n", "\r\n").encode(),
        "UTF-16": text.replace("\n", "\r\n").encode("utf-16"),
        "UTF-16BE": b"\xfe\xff" + text.encode("utf-16-be"),
        "BOM": text.encode("utf-8-sig"),
        "CR": text.replace("\n", "\r").encode(),
    }
    for form, content in forms.items():
        both.write("file.sok", content)
        told = both.run("solve", "file.sok", "--engine", "search", "--moves", "--threads", "1",
                        "--quiet")
        assert told == plain, f"{form}: {told}"
        told = both.run("solve", "-", "--puzzle", "sokoban", "--engine", "search", "--moves",
                        "--threads", "1", "--quiet", text=content)
        assert told == plain.replace("file.sok", "<stdin>"), f"{form}: {told}"
    # Without words what is piped in is read.
    both.run(code=0, text=b"#####\r\n#@$.#\r\n#####\r\n", says="R")


def ctrl_c(both):
    both.level("sokoban/first-steps.sok", "ours.sok")
    both.write("ours.sok", both.unix.read("ours.sok") + b"\nroom\n\n" + ROOM.encode())
    both.level("flow/first-paths.txt")
    both.level("flow/no-way-out.txt")
    for side in both.sides:
        # A batch says what it knows, and the same command goes on.
        words = ["solve", "ours.sok", "--log", "log.jsonl", "--engine", "search"]
        ten = lambda _: side.has("log.jsonl") and side.read("log.jsonl").count(b"\n") >= 10
        code, shown = pressed(side, words, ten)
        assert code == 30 and "repeat the command to resume" in shown, (code, shown)
        code, out, _ = side.run(words + ["--timeout", "1"])
        assert code == 30 and "10 solved (all optimal)" in out, (code, out)
        # An outside program does not see it, and ends with what it has started.
        given = "my\\solver.exe" if side.is_windows else "./solver"
        os.makedirs(side.place("my"), exist_ok=True)
        shutil.copy(side.solver, side.place("my/solver.exe" if side.is_windows else "solver"))
        code, shown = pressed(
            side, ["solve", "first-paths.txt", "--backend", f"{given} idle beat {{cnf}}"],
            lambda _: size(side.place("beat")) > 0)
        assert code == 30 and "interrupted" in shown, (code, shown)
        beats = size(side.place("beat"))
        time.sleep(0.3)
        assert size(side.place("beat")) == beats
        # What it has not finished writing is removed. (No key before the solver runs: wine hangs
        # where it has to tell of one while it starts a program.)
        code, shown = pressed(
            side, ["prove", "no-way-out.txt", "-o", "proof", "--evidence", "horizon", "--backend",
                   f"{given} idle other-beat {{cnf}} {{proof}}"],
            lambda _: side.remains() and size(side.place("other-beat")) > 0)
        assert code == 30 and not side.has("proof") and side.remains() == [], (code, shown)
        # Worker processes hear it too, and answer with what they know.
        words = ["solve", "ours.sok", "--store", "store", "--workers", "2", "--shards", "1",
                 "--engine", "search"]
        code, shown = pressed(
            side, words, lambda _: side.has("store/results-00000.jsonl") and
            side.read("store/results-00000.jsonl").count(b"\n") >= 9)
        assert code == 30 and "repeat the command to resume" in shown, (code, shown)
        assert b'"stopped_by":"interrupted"' in side.read("store/results-00000.jsonl")


def outputs(both):
    both.level("sokoban/first-push.xsb")
    export = ["export", "first-push.xsb", "--horizon", "2"]
    both.run(*export, "-o", "f.cnf")
    both.run(*export, "-o", "f.cnf", code=2, complains="already exists")
    both.run("export", "first-push.xsb", "--horizon", "3", "-o", "f.cnf", "--force")
    both.same_file("f.cnf")
    both.run("solve", "first-push.xsb", "--svg", "s.svg", "--png", "s.svg", code=2,
             complains="two outputs")
    both.run("solve", "first-push.xsb", "--svg", Path("no/s.svg"), code=2, complains="no folder")
    # No output replaces an input, by whatever name.
    for side in both.sides:
        os.link(side.place("first-push.xsb"), side.place("same.xsb"))
    for name in ["first-push.xsb", "./first-push.xsb", "same.xsb"]:
        both.run("solve", "first-push.xsb", "--svg", Path(name), "--force", code=2,
                 complains="is not replaced")
    with open(both.windows.place("first-push.xsb"), "rb") as file:
        code, _, err = both.windows.run(
            ["solve", "FIRST-PUSH.XSB", "--svg", "first-push.xsb", "--force"])
        assert code == 2 and "is not replaced" in err, (code, err)
    # A file that is only read, one that is open elsewhere, and the device that keeps nothing.
    both.run("solve", "first-push.xsb", "--svg", "f.cnf", "--force", "--quiet")
    assert both.windows.read("f.cnf").startswith(b"<svg")
    for side in both.sides:
        nothing = "NUL" if side.is_windows else "/dev/null"
        code, _, err = side.run(["solve", "first-push.xsb", "--svg", nothing, "--quiet"])
        assert code == 0 and not side.has("NUL"), (code, err)
        assert side.remains() == [], side.remains()
    both.run("solve", "first-push.xsb", "--svg", "-", "--quiet", says="<svg")
    # A reader that goes away is no fault.
    for side in both.sides:
        with side.start(["completions", "powershell"]) as process:
            process.stdout.read(1)
            process.stdout.close()
            told = process.stderr.read()
        assert process.returncode == 0 and told == b"", (process.returncode, told)


JOURNEYS = [solving, batches, proofs, checks, formulas, outside_solvers, stores, strange_paths,
            line_ends, ctrl_c, outputs]


def main(words):
    only = ""
    if words[:1] == ["--only"]:
        only, words = words[1], words[2:]
    if len(words) != 4:
        sys.exit(__doc__)
    program, windows, solver, windows_solver = map(os.path.abspath, words)
    passed = failed = 0
    for journey in JOURNEYS:
        if only not in journey.__name__:
            continue
        since = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="unstuck wine ") as folder:
            sides = []
            for name, it in [("unix", (False, program, solver)),
                             ("windows", (True, windows, windows_solver))]:
                place = os.path.join(os.path.realpath(folder), name)
                os.mkdir(place)
                sides.append(Side(*it, place))
            try:
                journey(Both(*sides))
                passed += 1
                how = "ok"
            except (AssertionError, OSError, subprocess.SubprocessError) as error:
                failed += 1
                how = f"FAILED: {error}"
        print(f"journey {journey.__name__} ... {how} ({time.monotonic() - since:.1f} s)", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
