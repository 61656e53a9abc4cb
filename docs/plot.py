#!/usr/bin/env python3
"""Draws as SVG, on standard output, what unstuck measured, read from standard input:

    unstuck bench ... --format json | python3 plot.py     times of the first column against the others
    unstuck difficulty ... --json   | python3 plot.py     what pushes or deductions are, level by level
    cat STORE/results-*.jsonl       | python3 plot.py     optimum, states and seconds of a store
"""

import json
import sys
from collections import Counter
from html import escape
from math import log

COLOURS = ["#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9"]
SHARES = {"optimal": "#0072b2", "costly": "#f0e442", "fatal": "#d55e00", "unknown": "#dddddd"}
WAYS = {"direct": "#56b4e9", "contradiction": "#f0e442", "search": "#d55e00"}
LEAST = 0.01  # seconds: shorter times are noise


def svg(width, height, parts):
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">'
    return "\n".join([head, f'<rect width="{width}" height="{height}" fill="white"/>', *parts, "</svg>"])


def words(x, y, text, anchor="start", fill="#222222"):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{fill}">{escape(str(text))}</text>'


def bars(rows, legend=()):
    """Rows of a name, parts (length and colour) that add up to the whole width, and a figure."""
    parts = []
    for at, (name, colour) in enumerate(legend):
        parts.append(f'<rect x="{230 + 100 * at}" y="6" width="12" height="12" fill="{colour}"/>')
        parts.append(words(247 + 100 * at, 17, name))
    for at, (name, pieces, figure) in enumerate(rows):
        x, y = 230.0, 30 + 22 * at
        parts.append(words(220, y + 15, name[:30], "end"))
        for share, colour in pieces:
            parts.append(f'<rect x="{x:.1f}" y="{y + 3}" width="{400 * share:.1f}" height="16" fill="{colour}"/>')
            x += 400 * share
        parts.append(words(640, y + 15, figure))
    return svg(740, 40 + 22 * len(rows), parts)


def difficulty(values):
    kinds = SHARES if "optimum" in values[0]["figures"] else WAYS
    rows = []
    for value in values:
        counts = [value["figures"].get(kind) or 0 for kind in kinds]
        figure = value["figures"].get("optimum", value["figures"].get("largest"))
        shares = [(count / max(1, sum(counts)), kinds[kind]) for count, kind in zip(counts, kinds)]
        rows.append((value["title"] or f'{value["file"]} {value["number"]}', shares, "?" if figure is None else figure))
    return bars(rows, kinds.items())


def store(values):
    """Levels by optimum, and by powers of four of the states and of ten of the seconds."""
    def power(number, base):
        bound = 0.0001 if base == 10 else 1
        while bound < number:
            bound *= base
        return float(f"{bound:.6g}")

    columns = {
        "optimum {:g}": Counter(it["upper"] for it in values if it.get("optimal") is True),
        "up to {:g} states": Counter(power(it["search"]["expanded"], 4) for it in values if it.get("search")),
        "up to {:g} s": Counter(power(it["seconds"], 10) for it in values if it.get("seconds") is not None),
    }
    rows = []
    for (name, counts), colour in zip(columns.items(), COLOURS):
        most = max(counts.values(), default=1)
        rows += [(name.format(key), [(counts[key] / most, colour)], counts[key]) for key in sorted(counts)]
    return bars(rows)


def bench(rows):
    """A point for each level; below the diagonal the later column is faster. Runs without an answer
    lie on the far edges."""
    names = list(dict.fromkeys(row["variant"] for row in rows))
    limit = max(row["limits"]["seconds"] for row in rows)
    runs = {(row["variant"], row["file"], row["number"]): row for row in rows}

    def along(row):
        settled = row["verdict"] == "unsolvable" or row["verdict"] == "solved" and row["optimal"] is not False
        seconds = min(limit, max(LEAST, row.get("cpu_seconds") or row.get("seconds") or 0))
        return 480 * (0.95 * log(seconds / LEAST) / log(limit / LEAST) if settled else 1)

    parts = ['<rect x="60" y="60" width="480" height="480" fill="none" stroke="#888888"/>',
             '<line x1="60" y1="540" x2="516" y2="84" stroke="#cccccc"/>', words(300, 580, names[0], "middle")]
    tick = LEAST
    while tick <= limit:
        at = 480 * 0.95 * log(tick / LEAST) / log(limit / LEAST)
        parts += [words(60 + at, 556, f"{tick:g} s", "middle"), words(54, 544 - at, f"{tick:g}", "end")]
        tick *= 10
    for name, colour in zip(names[1:], COLOURS * len(names)):
        parts.append(words(68, 78 + 16 * (names.index(name) - 1), name, fill=colour))
        for (variant, file, number), row in runs.items():
            first = runs.get((names[0], file, number))
            if variant == name and first:
                x, y = 60 + along(first), 540 - along(row)
                parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}" fill-opacity="0.6">'
                             f"<title>{escape(file)} #{number}</title></circle>")
    return svg(600, 600, parts)


def main():
    text = sys.stdin.read()
    values = json.loads(text) if text.startswith("[") else [json.loads(line) for line in text.splitlines()]
    values = [value for value in values if not value.get("error")]
    if not values:
        sys.exit("plot.py: nothing to draw")
    if "figures" in values[0]:
        print(difficulty(values))
    else:
        print(bench(values) if "variant" in values[0] else store(values))


main()
