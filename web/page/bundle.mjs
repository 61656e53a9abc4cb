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

/** Our own levels of the families that can be solved, one entry a file: these say what is expected of them. */
async function ownLevels() {
  const own = [];
  for (const puzzle of (await readdir(levels)).sort()) {
    const files = (await readdir(path.join(levels, puzzle))).sort();
    if (!files.includes("expected.json")) continue;
    const expected = JSON.parse(await readFile(path.join(levels, puzzle, "expected.json"), "utf8"));
    for (const file of files) {
      if (file === "expected.json") continue;
      const text = await readFile(path.join(levels, puzzle, file), "utf8");
      own.push({ puzzle, name: path.parse(file).name, text, known: shortest(expected.levels, file) });
    }
  }
  return own;
}

/** The bytes of an engine. */
const size = async (name) => (await stat(path.join(dist, name))).size;

await mkdir(dist, { recursive: true });
await writeFile(path.join(dist, "samples.json"), JSON.stringify(await ownLevels()));
await build({
  entryPoints: {
    page: path.join(here, "src", "main.tsx"),
    worker: path.join(here, "src", "engine", "worker.ts"),
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
  await cp(path.join(here, "src", file), path.join(dist, file));
await cp(path.join(here, "index.html"), path.join(dist, "index.html"));

// What is kept for visits without a network has the name of the build: the sum of all its files.
const sum = createHash("sha256");
for (const file of (await readdir(dist)).sort())
  if (file !== "offline.js") sum.update(await readFile(path.join(dist, file)));
const offline = await readFile(path.join(here, "src", "keep", "offline.js"), "utf8");
await writeFile(path.join(dist, "offline.js"), offline.replace("{{build}}", sum.digest("hex").slice(0, 16)));
