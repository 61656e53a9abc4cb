// Bundles the page into `dist/`: nothing is fetched from anywhere else when it runs.

import { build } from "esbuild";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";

const here = import.meta.dirname;
const dist = path.join(here, "dist");
const levels = path.join(here, "..", "..", "puzzles", "levels");

/** Our own levels, one entry a file. */
async function ownLevels() {
  const own = [];
  for (const puzzle of (await readdir(levels)).sort()) {
    for (const file of (await readdir(path.join(levels, puzzle))).sort()) {
      if (file === "expected.json") continue;
      const text = await readFile(path.join(levels, puzzle, file), "utf8");
      own.push({ puzzle, name: path.parse(file).name, text });
    }
  }
  return own;
}

await mkdir(dist, { recursive: true });
await writeFile(path.join(here, "src", "own-levels.json"), JSON.stringify(await ownLevels()));
await build({
  entryPoints: { page: path.join(here, "src", "main.tsx"), worker: path.join(here, "src", "worker.ts") },
  outdir: dist,
  bundle: true,
  format: "esm",
  minify: true,
  sourcemap: true,
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
});
for (const file of ["page.css", "theme.js", "offline.js", "icon.svg"]) await cp(path.join(here, "src", file), path.join(dist, file));
await cp(path.join(here, "index.html"), path.join(dist, "index.html"));
