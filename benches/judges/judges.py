"""Certificates for checkers of other people: writes them, has them judged, and forges them.

    python3 judges.py table UNSTUCK LEVELS [-l LEVELS] [--formats F,...] [--limit SECONDS] [--keep FOLDER]
    python3 judges.py forge UNSTUCK CERTIFICATE

`table` proves every level of a collection (or of a folder) in each format, and prints one line of CSV
for each: what was claimed, sizes, and processor time of `prove`, `check` and VeriPB. With `--keep` the
certificates stay there, as a benchmark for checkers; what is there already is judged again, not proved.

`forge` takes a certificate with pseudo-Boolean formulas (`prove --evidence patterns --format veripb`)
and spoils it in ways that a checker of proofs cannot see, with checksums that fit: `unstuck check` must
refuse each, whatever VeriPB says of it.

A format is a kind of evidence, and `+lrat`, `+veripb` or both. VeriPB is the program `veripb` on PATH.
"""

import argparse
import csv
import glob
import hashlib
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile

FORMATS = ["patterns+veripb", "patterns+lrat", "closed+veripb"]
PARTS = ("start", "goal", "step")


def run(*command):
    """Exit code, output, and seconds of processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.returncode, done.stdout + done.stderr, seconds


def size(folder, *ends):
    return sum(os.path.getsize(file) for end in ends for file in glob.glob(f"{folder}/*.{end}"))


def veripb(folder):
    """What VeriPB says of all proofs of a certificate, and how long that took."""
    words, seconds = set(), 0
    for proof in sorted(glob.glob(f"{folder}/*.pbp")):
        name = proof.removesuffix(".pbp")
        kind = "cnf" if os.path.exists(f"{name}.cnf") else "opb"
        _, said, took = run("veripb", f"--{kind}", f"{name}.{kind}", proof)
        words.add(next((line for line in said.split("\n") if line.startswith("s ")), "not verified"))
        seconds += took
    return "; ".join(sorted(words)), seconds


def certificate(options, level, form, folder):
    """One line of the table."""
    evidence, *proofs = form.split("+")
    command = [options.unstuck, "prove", level["file"], "-l", str(level["number"]), "-o", folder, "-q",
               "--evidence", evidence, "--timeout", str(options.limit), "--threads", "1"]
    command += [word for proof in proofs for word in {"lrat": ["--lrat"], "veripb": ["--format", "veripb"]}[proof]]
    if evidence == "closed" or "lrat" in proofs:
        command += ["--bound", "never"]
    row = {"format": form}
    if not os.path.isdir(folder):
        _, said, prove = run(*command)
        row["prove_seconds"] = f"{prove:.2f}"
    if not os.path.isdir(folder):
        lines = said.strip().split("\n")
        return {**row, "claim": "none", "reason": next((line for line in lines if "error" in line), lines[-1])[:100]}
    about = json.load(open(f"{folder}/certificate.json"))
    code, _, check = run(options.unstuck, "check", folder, "-q")
    row |= {"claim": about["claim"], "cost": about["cost"], "list_bytes": size(folder, "txt"),
            "formula_bytes": size(folder, "cnf", "opb"), "proof_bytes": size(folder, "lrat", "pbp"),
            "check": "valid" if code == 0 else f"exit {code}", "check_seconds": f"{check:.2f}"}
    if "veripb" in proofs and shutil.which("veripb"):
        said, seconds = veripb(folder)
        row |= {"veripb": said, "veripb_seconds": f"{seconds:.2f}"}
    return row


def table(options):
    fields = ["level", "format", "claim", "cost", "list_bytes", "formula_bytes", "proof_bytes", "prove_seconds",
              "check", "check_seconds", "veripb", "veripb_seconds", "reason"]
    out = csv.DictWriter(sys.stdout, fields)
    out.writeheader()
    chosen = ["-l", options.l] if options.l else []
    listed = run(options.unstuck, "list", options.levels, *chosen, "--json")[1]
    for level in (json.loads(line) for line in listed.split("\n") if line.startswith("{")):
        for form in options.formats.split(","):
            with tempfile.TemporaryDirectory() as place:
                name = f"{os.path.basename(level['file'])}-{level['number']}"
                folder = os.path.join(options.keep or place, f"{name}-{form}")
                out.writerow({"level": name, **certificate(options, level, form, folder)})
                sys.stdout.flush()


def first_sum(text):
    """The first constraint with large numbers: what numbers at the start, at an end or in a step keep to."""
    return next(line for line in text.split("\n") if re.search(r">= \d{3,} ;$", line))


def forgeries(read):
    """Forged files by name of the forgery."""
    contradiction = "* #variable= 1 #constraint= 2\n1 x1 >= 1 ;\n1 ~x1 >= 1 ;\n"
    refutation = ("pseudo-Boolean proof version 3.0\nf 2 ;\npol 1 2 + ;\noutput NONE ;\nconclusion UNSAT : 3 ;\n"
                  "end pseudo-Boolean proof ;\n")
    for part in PARTS:
        opb, pbp = f"{part}.opb", f"{part}.pbp"
        yield f"{part}: a right proof of a wrong formula", {opb: contradiction, pbp: refutation}
        yield f"{part}: no proof", {pbp: ""}
        yield f"{part}: a proof without its last step", {pbp: re.sub(r"rup >= 1 .*\n", "", read(pbp))}
        line = first_sum(read(opb))
        more = re.sub(r">= (\d+) ;$", lambda found: f">= {int(found[1]) + 2} ;", line)
        yield f"{part}: a stronger sum", {opb: read(opb).replace(line, more)}
        lines = read(opb).split("\n")
        count = re.sub(r"#constraint= (\d+)", lambda found: f"#constraint= {int(found[1]) - 1}", lines[0])
        fewer = [count] + [other for other in lines[1:] if other != line]
        yield f"{part}: a constraint less", {opb: "\n".join(fewer)}
        swapped = re.sub(r"^(\d+) (~?x\d+) (\d+)", r"\3 \2 \1", line)
        yield f"{part}: swapped counters", {opb: read(opb).replace(line, swapped)}
    patterns = read("patterns.txt")
    claim = re.search(r"claim (\d+)", patterns)
    if claim:
        yield "the list claims more", {"patterns.txt": patterns.replace(claim[0], f"claim {int(claim[1]) + 2}", 1)}


def forge(options):
    accepted = 0
    read = lambda name: open(os.path.join(options.certificate, name)).read()
    for name, files in forgeries(read):
        with tempfile.TemporaryDirectory() as place:
            folder = os.path.join(place, "forged")
            shutil.copytree(options.certificate, folder)
            about = json.loads(read("certificate.json"))
            for file, text in files.items():
                if text == read(file):
                    sys.exit(f"{name}: nothing is forged")
                open(os.path.join(folder, file), "w").write(text)
                about["files"][file] = hashlib.sha256(text.encode()).hexdigest()
            json.dump(about, open(os.path.join(folder, "certificate.json"), "w"))
            code, said, _ = run(options.unstuck, "check", folder)
            part = os.path.join(folder, name.split(":")[0])
            word = "-"
            if os.path.exists(f"{part}.opb") and shutil.which("veripb"):
                code_there, _, _ = run("veripb", "--opb", f"{part}.opb", f"{part}.pbp")
                word = "accepts" if code_there == 0 else "refuses"
            reason = next((line for line in said.split("\n") if "invalid" in line), said.strip()[:80])
            print(f"{name}: VeriPB {word}; check exits with {code}: {reason[:100]}")
            accepted += code != 1
    sys.exit(f"{accepted} forgeries were not refused" if accepted else 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = parser.add_subparsers(required=True)
    one = kinds.add_parser("table")
    one.set_defaults(run=table)
    one.add_argument("unstuck")
    one.add_argument("levels")
    one.add_argument("-l")
    one.add_argument("--formats", default=",".join(FORMATS))
    one.add_argument("--limit", type=int, default=30)
    one.add_argument("--keep")
    two = kinds.add_parser("forge")
    two.set_defaults(run=forge)
    two.add_argument("unstuck")
    two.add_argument("certificate")
    options = parser.parse_args()
    options.run(options)


main()
