// Milliseconds from a key to the drawn board, on Sokoban boards of 20 x 20 and 100 x 100 with many
// boxes: `node tests/latency.mjs`. Not a test; the figures in the notebook come from here.

import { launch, open, paste, serve } from "./browser.mjs";

const KEYS = 31;

/** A hall of so many rows and columns with a box beside a goal in every fourth place. */
function hall(size) {
  const glyph = (row, column) => {
    if (row === 1 && column === 0) return "@";
    const isThere = row % 4 === 3 && row < size - 6 && column < size - 4;
    return isThere && column % 4 === 2 ? "$" : isThere && column % 4 === 3 ? "." : " ";
  };
  const inside = Array.from({ length: size - 2 }, (_, row) =>
    Array.from({ length: size - 2 }, (_, column) => glyph(row, column)).join(""),
  );
  return ["#".repeat(size), ...inside.map((row) => `#${row}#`), "#".repeat(size)].join("\n");
}

const server = await serve();
const browser = await launch();
for (const size of [20, 100]) {
  const page = await open(browser, server.address);
  await paste(page, hall(size), "sokoban");
  await page.locator(`.board[aria-rowcount="${size}"]`).focus();
  const times = await page.evaluate(async (count) => {
    const times = [];
    const made = () => document.querySelector(".counters b").textContent;
    for (let turn = 0; turn < count; turn += 1) {
      const [before, begun] = [made(), performance.now()];
      const key = turn % 2 === 0 ? "ArrowRight" : "ArrowLeft";
      document.querySelector(".board").dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
      while (made() === before) await new Promise((next) => setTimeout(next, 1));
      await new Promise((next) => requestAnimationFrame(() => setTimeout(next, 0)));
      times.push(performance.now() - begun);
    }
    return times.sort((a, b) => a - b);
  }, KEYS);
  const nodes = await page.locator(".board svg *").count();
  const [median, most] = [times[(KEYS - 1) / 2], times.at(-1)].map((time) => time.toFixed(0));
  console.log(`${size} x ${size}: median ${median} ms, at most ${most} ms; ${nodes} nodes`);
  await page.context().close();
}
await browser.close();
server.close();
