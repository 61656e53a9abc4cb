// What watches a clock, and is tested when nothing else is.

import assert from "node:assert/strict";
import { test } from "node:test";
import { advanced, counted, eventually, HARD, panel, paste, site } from "../browser.mjs";

const { withPage } = site();

test("Stop ends a long question within 200 ms, and the page answers on", () =>
  withPage(async (page) => {
    await paste(page, HARD, "sokoban");
    await page.getByRole("tab", { name: "Solve" }).click();
    await panel(page).getByRole("button", { name: "Solve", exact: true }).click();
    await page.locator(".working p", { hasText: /at least|at most/ }).waitFor();
    const took = await page.evaluate(async () => {
      const begun = performance.now();
      [...document.querySelectorAll("button")].find((button) => button.textContent === "Stop").click();
      while (document.querySelector(".working")) await new Promise((next) => requestAnimationFrame(next));
      return performance.now() - begun;
    });
    assert.ok(took < 200, `Stop took ${took} ms`);
    await page.locator(".board").focus();
    await page.keyboard.press("ArrowLeft");
    await counted(page, 1);
  }));

/** How long the level of minutes is watched: enough to see it go on, or as long as is asked for. */
const WATCHED = Number(process.env.UNSTUCK_WATCHED ?? 12);

test(
  "a level that takes minutes is worked on with progress in words, and playing goes on",
  { timeout: 1e6 },
  () =>
    withPage(async (page) => {
      await paste(page, HARD, "sokoban");
      await advanced(page);
      await page.getByLabel("Minimise").selectOption("moves");
      await page.getByLabel("Time limit (s)").fill(String(WATCHED + 5));
      await panel(page).getByRole("button", { name: "Solve", exact: true }).click();
      const words = page.locator(".working p");
      await words.filter({ hasText: /at least \d+ moves|at most \d+ moves/ }).waitFor();
      const told = new Set();
      const end = performance.now() + 1_000 * WATCHED;
      while (performance.now() < end) {
        told.add(await words.innerText());
        await page.waitForTimeout(200);
      }
      assert.ok(told.size >= 5, `${told.size} different words in ${WATCHED} seconds`);
      await page.locator(".board").focus();
      await page.keyboard.press("ArrowLeft");
      await counted(page, 1);
      // The limit of time holds, and what is known by then is said.
      await panel(page)
        .locator(".verdict .sentence", { hasText: /time limit/ })
        .waitFor();
      await eventually(async () =>
        assert.match(await panel(page).locator(".verdict").innerText(), /at least \d+|lower bound \d+/),
      );
    }),
);
