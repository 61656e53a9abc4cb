// The page's answers are the command line's: the same engine as WebAssembly and as a program, on the
// same levels.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { load, program } from "./engine.mjs";

const LEVELS = path.join(import.meta.dirname, "..", "..", "..", "puzzles", "levels");

/** Files of each family, and what the program answers within a second; more teaches nothing. */
const FILES = 6;

/** What a run alone decides: time and memory. */
const OWN = ["seconds", "peak_memory_bytes", "horizons"];

const player = await load("player");

/** The solver, a fresh one where it has grown: its memory never shrinks, and limits hold. */
let solver;
const WORN = 256 << 20;
async function ask(request) {
  if (!solver || solver.held() > WORN) solver = await load("solver");
  return solver.ask(request);
}

const without = (object) =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !OWN.includes(name)));

/** What the program prints of a file, an object a level. */
function printed(...words) {
  const { stdout, error } = spawnSync(program, [...words, "--json"], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (error) throw error;
  return stdout
    .trim()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

for (const puzzle of ["sokoban", "sokobond", "snowman", "warehouse", "flow", "puzzlescript"]) {
  test(`${puzzle}: the same answers as \`unstuck solve --json\``, { timeout: 600_000 }, async () => {
    const files = (await readdir(path.join(LEVELS, puzzle)))
      .sort()
      .filter((file) => file !== "expected.json");
    let compared = 0;
    for (const file of files.slice(0, FILES)) {
      const full = path.join(LEVELS, puzzle, file);
      const read = player.ask({ ask: "read", text: await readFile(full, "utf8"), puzzle, options: {} });
      assert.ok(read.ok, JSON.stringify(read));
      // Of some games of PuzzleScript no formula can be made.
      for (const by of ["flow", "puzzlescript"].includes(puzzle) ? ["auto"] : ["auto", "sat"]) {
        const told = printed(
          "solve",
          full,
          "--puzzle",
          puzzle,
          "--engine",
          by,
          "--threads",
          "1",
          "--timeout",
          "1",
        );
        for (const native of told) {
          const level = read.ok.levels[native.number - 1];
          if (native.error) {
            assert.ok(!level || level.fault, `${file}: ${JSON.stringify(native.error)}`);
            continue;
          }
          // What a limit ended is known as far as that run came, and no further.
          if (native.verdict === "unknown" || native.stopped_by) continue;
          const asked = { text: level.text, puzzle, options: {}, title: level.title };
          const limits = { seconds: 120, megabytes: 1500 };
          const page = (
            await ask({ ask: "solve", level: asked, objective: native.objective, engine: by, limits })
          ).ok;
          const [mine, its] = [without(native), without(page)];
          for (const name of Object.keys(its)) {
            if (
              !(name in mine) ||
              ["how", "solution", "others", "search", "shown_by", "sentence"].includes(name)
            )
              continue;
            // Where there is no solution every lower bound holds.
            if (name === "lower" && native.verdict === "unsolvable") continue;
            assert.deepEqual(its[name], mine[name], `${file} ${native.number} ${by}: ${name}`);
          }
          // Which of several shortest plans is found is chance; its length is not.
          const primary = native.objective.startsWith("pushes") ? "pushes" : "moves";
          assert.equal(its.solution === null, mine.solution === null, `${file} ${native.number}`);
          if (mine.solution?.length)
            assert.equal(its.solution.length[primary], mine.solution.length[primary], file);
          else assert.deepEqual(its.solution, mine.solution, file);
          compared += 1;
        }
      }
    }
    assert.ok(compared >= 5, `${compared} levels were compared`);
  });
}
