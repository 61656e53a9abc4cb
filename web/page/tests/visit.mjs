// A first visit over a slow line: `node tests/visit.mjs [FOLDER ...]`, folders with built pages beside
// each other, in turns (else `dist`). Not a test; the figures in the notebook come from here.
//
// The server is what is slow, for all of a page alike: what Chromium's own slowing down leaves out are
// workers, of which one keeps the files for visits without a network. Each answer begins after a delay,
// and all of them share the bytes a second. Files are sent by Brotli, as from a host of pages.

import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { brotliCompressSync } from "node:zlib";
import { TYPES } from "../serve.mjs";
import { launch } from "./browser.mjs";

const VISITS = Number(process.env.UNSTUCK_VISITS ?? 5);
/** Bytes a second of the line, and milliseconds until an answer begins. */
const SPEED = 200_000;
const LATENCY = 400;
/** Milliseconds between pieces of what is sent. */
const BEAT = 20;

const after = (time) => new Promise((then) => setTimeout(then, time));

/** A line on which answers share its speed. */
class Line {
  sent = new Map();
  open = [];

  constructor() {
    this.timer = setInterval(() => {
      const share = Math.floor((SPEED * BEAT) / 1000 / Math.max(1, this.open.length));
      for (const answer of [...this.open]) {
        const piece = answer.rest.subarray(0, share);
        answer.response.write(piece);
        answer.rest = answer.rest.subarray(piece.length);
        this.sent.set(answer.name, (this.sent.get(answer.name) ?? 0) + piece.length);
        if (answer.rest.length > 0) continue;
        answer.response.end();
        this.open.splice(this.open.indexOf(answer), 1);
      }
    }, BEAT);
  }

  async send(response, name, { type, packed }) {
    await after(LATENCY);
    response.writeHead(200, {
      "content-type": type,
      "content-encoding": "br",
      "cache-control": "max-age=600",
      etag: `"${createHash("sha256").update(packed).digest("hex").slice(0, 16)}"`,
    });
    this.open.push({ response, name, rest: packed });
  }

  total = () => [...this.sent.values()].reduce((all, bytes) => all + bytes, 0);
}

/** The files of a page by their names, packed. */
async function packed(folder) {
  const files = new Map();
  for (const name of await readdir(folder)) {
    const content = await readFile(path.join(folder, name));
    const type = TYPES[path.extname(name)] ?? "application/octet-stream";
    files.set(name, { type, packed: brotliCompressSync(content) });
  }
  return files;
}

/** Seconds of a first visit until the level is on the board, a key has moved, and a hint is there. */
async function visit(browser, files) {
  const line = new Line();
  const server = createServer((request, response) => {
    const name = new URL(request.url, "http://localhost").pathname.slice(1) || "index.html";
    const file = files.get(name);
    if (file) void line.send(response, name, file);
    else response.writeHead(404).end();
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  const begun = performance.now();
  const since = () => (performance.now() - begun) / 1000;
  await page.goto(`http://127.0.0.1:${server.address().port}/`, { waitUntil: "commit" });
  await page.locator(".board .player").first().waitFor({ timeout: 120_000 });
  const board = since();
  await page.locator(".board").focus();
  await page.keyboard.press("ArrowLeft");
  await page.locator(".counters b", { hasText: /^1$/ }).waitFor();
  const [key, played] = [since(), line.total()];
  await page.getByRole("button", { name: "Hint", exact: true }).first().click();
  await page.locator(".remark", { hasText: /to go/ }).waitFor({ timeout: 120_000 });
  const hint = since();
  await page.waitForFunction(() => caches.match("index.html").then(Boolean), null, { timeout: 120_000 });
  const kept = since();
  await page.context().close();
  clearInterval(line.timer);
  server.closeAllConnections();
  server.close();
  return { board, key, hint, kept, played, sent: line.total() };
}

const given = process.argv.slice(2);
const folders = given.length > 0 ? given : [path.join(import.meta.dirname, "..", "dist")];
const pages = [];
for (const folder of folders) pages.push({ folder, files: await packed(folder), seen: [] });
for (const { folder, files } of pages) {
  const sizes = [...files].map(([name, { packed }]) => `${name} ${packed.length}`);
  console.log(`${folder} by Brotli: ${sizes.join(", ")}`);
}
const browser = await launch();
for (let turn = 0; turn < VISITS; turn += 1)
  for (const { files, seen } of pages) seen.push(await visit(browser, files));
await browser.close();

/** The median and the range of a figure. */
function shown(seen, figure, digits) {
  const all = seen.map((one) => one[figure]).sort((a, b) => a - b);
  const [least, median, most] = [all[0], all[all.length >> 1], all.at(-1)].map((it) => it.toFixed(digits));
  return `${median} (${least} to ${most})`;
}
console.log("| page | level | key | hint | kept | bytes until the key | bytes in all |");
console.log("| --- | --- | --- | --- | --- | --- | --- |");
for (const { folder, seen } of pages) {
  const seconds = ["board", "key", "hint", "kept"].map((figure) => shown(seen, figure, 2));
  const bytes = ["played", "sent"].map((figure) => shown(seen, figure, 0));
  console.log(`| ${path.basename(folder)} | ${[...seconds, ...bytes].join(" | ")} |`);
}
