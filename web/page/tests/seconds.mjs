// Seconds in the browser beside the program's, on ten of our own levels: `node tests/seconds.mjs`.
// Not a test; the table in the notebook comes from here. Then the first visit: until the page can be
// used, and from there until a Sokoban level (`node tests/seconds.mjs FILE`, else ours) is solved.

import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { launch, open, paste, serve, solve } from "./browser.mjs";
import { program } from "./engine.mjs";

const LEVELS = path.join(import.meta.dirname, "..", "..", "..", "puzzles", "levels");

/** Puzzle, file, objective, engine: those that take the program longest, and some by the solver. */
const CHOSEN = [
  ["sokoban", "staircase.xsb", "pushes", "search"],
  ["sokoban", "long-haul.xsb", "moves", "search"],
  ["sokoban", "pantry.xsb", "pushes", "sat"],
  ["sokobond", "ring-of-oxygen.sokobond", "moves", "search"],
  ["sokobond", "two-waters.sokobond", "moves", "sat"],
  ["snowman", "twins.snowman", "pushes", "search"],
  ["warehouse", "long-haul.warehouse", "moves", "search"],
  ["warehouse", "errand.warehouse", "moves", "sat"],
  ["flow", "eighteen.txt", "any", "auto"],
  ["flow", "twelve.txt", "any", "auto"],
];

const limits = { seconds: 300, megabytes: 1500 };

/** The first answer of a worker with an engine that is warm, asked in the browser. */
async function inBrowser(page, engine, ask) {
  const asked = async ([engine, ask]) => {
    const module = await WebAssembly.compileStreaming(fetch(`${engine}.wasm`));
    const worker = new Worker("worker.js", { type: "module" });
    worker.postMessage({ module });
    const answered = (ask) =>
      new Promise((resolve) => {
        worker.onmessage = ({ data }) => {
          if (data.kind === "answer" || data.kind === "failed") resolve(data.answer);
        };
        worker.postMessage({ ask });
      });
    await answered({ ask: "nothing" });
    const answer = await answered(ask);
    worker.terminate();
    return answer;
  };
  return page.evaluate(asked, [engine, ask]);
}

const server = await serve();
const browser = await launch();
const page = await open(browser, server.address);
console.log(
  "| level | objective | engine | verdict | program, one thread | browser | ratio |\n| --- | --- | --- | --- | --- | --- | --- |",
);
for (const [puzzle, file, objective, engine] of CHOSEN) {
  const full = path.join(LEVELS, puzzle, file);
  const words = [
    "solve",
    full,
    "--puzzle",
    puzzle,
    "--objective",
    objective,
    "--engine",
    engine,
    "--threads",
    "1",
    "--json",
  ];
  const native = JSON.parse(spawnSync(program, words, { encoding: "utf8" }).stdout.split("\n")[0]);
  const read = await inBrowser(page, "player", {
    ask: "read",
    text: await readFile(full, "utf8"),
    puzzle,
    options: {},
  });
  const level = { text: read.ok.levels[0].text, puzzle, options: {}, title: null };
  const answer = await inBrowser(page, "solver", { ask: "solve", level, objective, engine, limits });
  const mine = answer.ok.seconds;
  const name = `${puzzle}/${file}`;
  console.log(
    `| ${name} | ${objective} | ${engine} | ${answer.ok.verdict} | ${native.seconds.toFixed(3)} | ${mine.toFixed(3)} | ${(mine / native.seconds).toFixed(1)} |`,
  );
}

const file = process.argv[2] ?? path.join(LEVELS, "sokoban", "pantry.xsb");
const begun = performance.now();
const visit = await open(browser, server.address);
const usable = performance.now();
await paste(visit, await readFile(file, "utf8"), "sokoban");
console.log(await solve(visit));
const ended = performance.now();
const seconds = (from, to) => ((to - from) / 1000).toFixed(2);
console.log(
  `first visit: usable after ${seconds(begun, usable)} s, ${path.basename(file)} pasted and solved ${seconds(usable, ended)} s later`,
);
await browser.close();
server.close();
