// Bundles the page into `dist/`: nothing is fetched from anywhere else when it runs.

import { createHash } from "node:crypto";
import { build } from "esbuild";
import { cp, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";

const here = import.meta.dirname;
const dist = path.join(here, "dist");
const levels = path.join(here, "..", "..", "puzzles", "levels");

/** The shortest lengths that are known of a file's levels, under the rules as the file has them. */
function shortest(expected, file) {
  const plain = (entry) =>
    entry.file === file && Number.isInteger(entry.optimum) && !entry.options && !entry.reading;
  const one = ({ title, objective, optimum }) => ({ title: title ?? null, objective, optimum });
  return expected.filter((entry) => plain(entry) && ["moves", "pushes"].includes(entry.objective)).map(one);
}

/** What a person meets first, by family: the other levels come by their shortest lengths. */
const FIRST = {
  sokoban: ["first-push", "pantry", "round-the-corner", "first-steps", "spare-places"],
  sokobond: ["water", "first-bond", "oxygen", "carbon-pair", "two-waters", "ammonia"],
  snowman: ["first-snowman", "fresh-snow", "narrow-yard"],
  warehouse: ["first-box", "errand", "beam"],
  flow: ["first-paths", "walls", "holes", "bridge", "six", "gaps", "hexagons", "twelve"],
  puzzlescript: ["push", "merge", "slide", "snowman", "warehouse", "lamps"],
};

/** The verdicts that are expected of a file's levels under the rules as the file has them, in their order. */
function verdicts(expected, file) {
  const levels = new Map();
  for (const { level, title, verdict, options } of expected.filter((entry) => entry.file === file)) {
    const name = level ?? title ?? null;
    const isUsual = !options || Object.values(options).every((value) => value === "auto");
    if (!levels.has(name) || isUsual) levels.set(name, verdict);
  }
  return [...levels.values()];
}

/**
 * Our own levels, one entry a file, in the order in which they teach. Those that cannot be solved say
 * so; what no family reads is not among them.
 */
async function ownLevels() {
  const own = [];
  for (const puzzle of (await readdir(levels)).sort()) {
    const files = (await readdir(path.join(levels, puzzle))).sort();
    if (!files.includes("expected.json")) continue;
    const expected = JSON.parse(await readFile(path.join(levels, puzzle, "expected.json"), "utf8")).levels;
    const rank = ({ name, known }) => {
      const first = FIRST[puzzle]?.indexOf(name) ?? -1;
      return first >= 0 ? first : 1000 + Math.max(0, ...known.map(({ optimum }) => optimum));
    };
    const ours = [];
    for (const file of files.filter((file) => file !== "expected.json")) {
      const found = verdicts(expected, file);
      if (found.every((verdict) => verdict === "invalid")) continue;
      const text = await readFile(path.join(levels, puzzle, file), "utf8");
      const traps = found.flatMap((verdict, at) => (verdict === "solved" ? [] : [at]));
      const [name, known] = [path.parse(file).name, shortest(expected, file)];
      ours.push({ puzzle, name, text, known, traps, unsolvable: traps.length === found.length });
    }
    own.push(...ours.sort((a, b) => rank(a) - rank(b)));
  }
  return own;
}

/** The bytes of an engine. */
const size = async (name) => (await stat(path.join(dist, name))).size;

await mkdir(dist, { recursive: true });
await writeFile(path.join(dist, "samples.json"), JSON.stringify(await ownLevels()));
await build({
  entryPoints: {
    page: path.join(here, "src", "frame", "main.tsx"),
    worker: path.join(here, "src", "engine", "worker.ts"),
    editor: path.join(here, "src", "design", "editor.ts"),
    gif: path.join(here, "src", "keep", "gif.ts"),
    zip: path.join(here, "src", "engine", "zip.ts"),
  },
  outdir: dist,
  bundle: true,
  define: {
    SIZES: JSON.stringify({ player: await size("player.wasm"), solver: await size("solver.wasm") }),
  },
  format: "esm",
  minify: true,
  sourcemap: process.env.UNSTUCK_MAPS === "1",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
});
for (const file of ["theme.js", "icon.svg", "icon.png", "page.webmanifest"])
  await cp(path.join(here, "src", "frame", file), path.join(dist, file));
await cp(path.join(here, "index.html"), path.join(dist, "index.html"));

// What is kept for visits without a network is all files of the build, under its name: their sum.
const files = (await readdir(dist)).filter((file) => file !== "offline.js" && !file.endsWith(".map")).sort();
const sum = createHash("sha256");
for (const file of files) sum.update(await readFile(path.join(dist, file)));
const offline = await readFile(path.join(here, "src", "keep", "offline.js"), "utf8");
const filled = offline.replace("{{files}}", files.join(" "));
await writeFile(path.join(dist, "offline.js"), filled.replace("{{build}}", sum.digest("hex").slice(0, 16)));
