// The package under Node, beside the program (UNSTUCK_PROGRAM).

import assert from "node:assert";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import * as unstuck from "./index.js";

const program = process.env.UNSTUCK_PROGRAM;
const folder = new URL("../../puzzles/levels/", import.meta.url);

/** A level of each of some files, ten in all. */
const files = ["sokoban", "sokobond", "snowman", "flow", "puzzlescript"].flatMap((puzzle) => {
  const all = readdirSync(new URL(`${puzzle}/`, folder)).filter((name) => !name.endsWith(".json"));
  return all.slice(0, 2).map((name) => ({ puzzle, file: new URL(`${puzzle}/${name}`, folder) }));
});

test("ten levels are solved as the program does", { skip: program === undefined }, async () => {
  for (const { puzzle, file } of files) {
    const answer = await unstuck.solve(readFileSync(file, "utf8"), { puzzle });
    const given = ["solve", file.pathname, "--puzzle", puzzle, "--level", "1", "--json"];
    let said;
    try {
      said = execFileSync(program, given, { encoding: "utf8" });
    } catch (error) {
      said = error.stdout;
    }
    const printed = JSON.parse(said);
    for (const field of ["verdict", "objective", "lower", "upper", "optimal", "unique", "sentence"])
      assert.deepEqual(answer[field], printed[field], `${file.pathname}: ${field}`);
  }
});

test("a level is read, solved, explained and counted", async () => {
  const text = "#######\n#@ $ .#\n#######\n";
  const answer = await unstuck.solve(text);
  assert.equal(answer.solution.moves, "rRR");
  assert.equal((await unstuck.hint(text, "r")).moves, "R");
  const counted = await unstuck.count(text);
  assert.equal(counted.optimal_plans, 1);
  assert.equal(counted.rules, undefined);
  assert.equal((await unstuck.diagnose(text, "rRR")).fatal, null);
  assert.equal((await unstuck.read(text))[0].puzzle, "sokoban");
  const proved = await unstuck.prove(text);
  assert.ok(Object.keys(proved.files).length > 1 && proved.certificate.checked.length > 0);
});

test("faults have a place, and a question can be ended", async () => {
  await assert.rejects(unstuck.solve("nothing"), unstuck.UnstuckError);
  await assert.rejects(unstuck.solve("####\n#@@$#\n####\n", { puzzle: "sokoban" }), ({ line }) => line > 0);
  const row = "# $ $ $ $ $ #\n";
  const hard = `#############\n#@          #\n${row}${row}${row}#           #\n#...........#\n#....       #\n#############\n`;
  const stop = AbortSignal.timeout(300);
  await assert.rejects(unstuck.solve(hard, { signal: stop }));
  const short = await unstuck.solve(hard, { seconds: 0.5 });
  assert.equal(short.stopped_by, "time");
  unstuck.close();
});
