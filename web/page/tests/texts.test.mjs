// Every word of the page stands in `texts.ts`: none in what is drawn.

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";

const SOURCES = path.join(import.meta.dirname, "..", "src");

/** Words between tags, and in the attributes that people see or hear. */
const WORDS = [
  />[^<>{}=;()]*[A-Za-z]{2,}[^<>{}=;()]*<\//g,
  /\b(?:aria-label|title|alt|placeholder)="[^"]*"/g,
];

test("no component has words of its own", async () => {
  const files = (await readdir(SOURCES, { recursive: true })).filter((file) => file.endsWith(".tsx"));
  assert.ok(files.length >= 8, String(files));
  for (const file of files) {
    const source = await readFile(path.join(SOURCES, file), "utf8");
    for (const pattern of WORDS) assert.deepEqual(source.match(pattern) ?? [], [], file);
  }
  assert.ok(WORDS[0].test("<p>Solve it</p>") && WORDS[1].test('<p title="Solve">'), "words are seen");
});
