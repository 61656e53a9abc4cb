// What is there before the solver is, and without it.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { counted, EACH, eventually, launch, open, own, panel, paste, serve, warm } from "./browser.mjs";

const ROOM = "#######\n#     #\n# @$. #\n#     #\n#######";

let browser;
before(async () => (browser = await launch()));
after(() => browser?.close());

/** A first visit, with its own server; `solver` is what it sends in the place of the solver. */
async function visit(solver, run, options = {}) {
  const server = await serve();
  if (solver) server.replaced.set("solver.wasm", solver);
  try {
    const page = await open(browser, server.address, options);
    await run(page, server);
    assert.deepEqual(page.faults, []);
    await page.context().close();
  } finally {
    server.close();
  }
}

const hint = (page) => page.getByRole("button", { name: "Hint", exact: true }).first().click();
const waits = (page) => page.locator(".working", { hasText: "Loading the solver" });

test("a level is played and won before the solver is here; help waits for it", async () => {
  let send;
  await visit(new Promise((resolve) => (send = resolve)), async (page, server) => {
    for (const [puzzle, name, key] of EACH.filter(([, , key]) => key !== null)) {
      await own(page, puzzle, name);
      await page.locator(".board").focus();
      await page.keyboard.press(key);
      await counted(page, 1);
    }
    await paste(page, ROOM, "sokoban");
    await page.locator(".board").focus();
    await page.keyboard.press("ArrowRight");
    await page.locator(".won", { hasText: "Solved" }).waitFor();
    // Nobody waits for the solver yet.
    assert.equal(await waits(page).count(), 0);
    assert.equal(page.workers().length, 1);
    await page.keyboard.press("z");
    await hint(page);
    await waits(page).getByRole("progressbar").waitFor();
    // Meanwhile one plays on.
    await page.locator(".board").focus();
    await page.keyboard.press("ArrowLeft");
    await counted(page, 1);
    await page.keyboard.press("z");
    await counted(page, 0);
    server.replaced.delete("solver.wasm");
    const response = await page.request.get(`${server.address}solver.wasm`);
    send(await response.body());
    await page.locator(".remark", { hasText: /to go/ }).waitFor();
    assert.equal(await waits(page).count(), 0);
    await warm(page);
  });
});

test("a page without a solver says so, and playing goes on", async () => {
  const nothing = Promise.reject(new Error("nothing is sent"));
  nothing.catch(() => undefined);
  await visit(nothing, async (page, server) => {
    await own(page, "sokoban", "pantry");
    await hint(page);
    await page.locator("[role=alert]", { hasText: "The solver could not be loaded" }).waitFor();
    assert.equal(await page.locator(".working").count(), 0);
    await page.locator(".board").focus();
    await page.keyboard.press("ArrowLeft");
    await counted(page, 1);
    server.replaced.delete("solver.wasm");
    await hint(page);
    await page.locator(".remark", { hasText: /to go/ }).waitFor();
    assert.equal(await page.locator("[role=alert]").count(), 0);
  });
});

test("where data is saved, the solver comes when it is asked", () =>
  visit(
    null,
    async (page) => {
      await own(page, "sokoban", "pantry");
      await page.locator(".board").focus();
      // Pushes, too, are looked at only where the solver is here.
      for (const key of ["ArrowLeft", "ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
      await page.evaluate(() => new Promise((idle) => requestIdleCallback(idle)));
      await page.waitForTimeout(500);
      assert.ok(!page.asked.includes("solver.wasm"), String(page.asked));
      assert.equal(await page.evaluate(() => navigator.serviceWorker.controller), null);
      await page.getByRole("tab", { name: "Solve" }).click();
      await panel(page).getByRole("button", { name: "Solve", exact: true }).click();
      await panel(page)
        .locator(".verdict .sentence", { hasText: /solved/ })
        .waitFor();
      // From then on all is there for visits without a network.
      await page.evaluate(() => navigator.serviceWorker.ready);
      await eventually(async () => {
        const isKept = () => caches.match("solver.wasm").then((kept) => kept !== undefined);
        assert.ok(await page.evaluate(isKept));
      });
    },
    { saves: true },
  ));
