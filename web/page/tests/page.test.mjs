// The page as a person uses it, in a real browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import AxeSource from "axe-core";
import { EACH, eventually, own, paste, shared, site, solve } from "./browser.mjs";

const { withPage: inPage, another } = site();

/** Thirty boxes in a hall: nobody solves it in minutes. */
const row = (inside) => `#${inside}#`;
const HARD = [
  "################",
  row(" ".repeat(14)),
  ...Array.from({ length: 10 }, (_, i) => row(i < 5 ? " $ $ $ $ $ $  " : " . . . . . .  ")),
  row("      @       "),
  "################",
].join("\n");

const withPage = (options, run) => inPage(run, options);

for (const [puzzle, name, key] of EACH) {
  test(`${puzzle}: opened, played, solved, shared and opened again`, () =>
    withPage({}, async (page) => {
      await own(page, puzzle, name);
      const before = await page.locator(".board .picture").innerHTML();
      if (key !== null) {
        await page.locator(".board").focus();
        await page.keyboard.press(key);
        await page.waitForFunction((was) => document.querySelector(".board .picture").innerHTML !== was, before);
        await page.getByRole("button", { name: "Undo" }).click();
        await page.waitForFunction((was) => document.querySelector(".board .picture").innerHTML === was, before);
      }
      assert.match(await solve(page), /solved|shortest|optimal|only/i);
      await page.getByRole("tab", { name: "Level" }).click();
      const again = await another(await shared(page, "Copy a link to this level"));
      const picture = again.locator(".board .picture");
      await eventually(async () => assert.equal(await picture.innerHTML(), before));
      await again.context().close();
    }));
}

test("a level is played to its end by keys, and the record is kept", () =>
  withPage({}, async (page) => {
    await paste(page, "#######\n#.@ $ #\n#.$   #\n#     #\n#######\n", "sokoban");
    await page.locator(".board").focus();
    for (const key of ["d", "s", "a", "ArrowUp"]) await page.keyboard.press(key);
    await page.getByText(/moves/).first().waitFor();
    await solve(page);
    await page.getByRole("button", { name: "First" }).click();
    await page.getByText(/^0 \//).waitFor();
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText(/^1 \//).waitFor();
    // The record: what was played to its end, beside what is known to be shortest.
    const solution = await page.locator(".notation").innerText();
    await page.getByRole("button", { name: "Restart" }).click();
    await page.locator(".board").focus();
    const keys = { u: "ArrowUp", r: "ArrowRight", d: "ArrowDown", l: "ArrowLeft" };
    for (const letter of solution) await page.keyboard.press(keys[letter.toLowerCase()]);
    await page.getByText("Solved!").waitFor();
    const counters = page.locator(".counters");
    const told = (words) => eventually(async () => assert.match(await counters.innerText(), words));
    await told(/pushes \(your best \d+, shortest \d+\)/);
    await page.reload();
    await told(/your best \d+, shortest \d+/);
  }));

test("the solution is a film: slider, speed, single steps, taken over at one", () =>
  withPage({}, async (page) => {
    await page.getByRole("group", { name: /Try one/ }).getByRole("button", { name: "sokoban" }).click();
    await page.locator(".board svg").waitFor();
    await solve(page);
    const film = page.locator("#panel .film").first();
    const at = (step) => film.getByText(`${step} / `).waitFor();
    await at(0);
    const picture = film.locator(".picture");
    const start = await picture.innerHTML();
    await film.getByRole("button", { name: "Next" }).click();
    await at(1);
    await eventually(async () => assert.notEqual(await picture.innerHTML(), start));
    await film.getByRole("button", { name: "Previous" }).click();
    await at(0);
    await film.getByRole("slider", { name: "Solution" }).fill("5");
    await at(5);
    await film.getByRole("button", { name: "Play from here" }).click();
    await page.locator(".counters b", { hasText: /^5$/ }).first().waitFor();
    await solve(page);
    const count = film.locator(".steps");
    const [, length] = (await count.innerText()).split(" / ");
    await film.getByLabel("Speed").fill("30");
    await film.getByRole("button", { name: "Play", exact: true }).click();
    await film.getByRole("button", { name: "Pause" }).waitFor();
    await eventually(async () => assert.equal(await count.innerText(), `${length} / ${length}`));
    await film.getByRole("button", { name: "Play", exact: true }).waitFor();
  }));

test("whether a shortest solution is the only one is counted", () =>
  withPage({}, async (page) => {
    for (const [text, said] of [
      ["######\n#@$ .#\n######\n", /It is the only shortest solution/],
      // Right and down in any order.
      ["########\n#      #\n#      #\n#  $   #\n# @    #\n#    . #\n########\n", /There are \d+ shortest solutions/],
    ]) {
      await paste(page, text, "sokoban");
      await solve(page);
      await page.getByRole("button", { name: "Is this the only shortest solution?" }).click();
      await page.locator("#panel .how", { hasText: said }).waitFor();
    }
  }));

test("a file is dropped anywhere, or opened", () =>
  withPage({}, async (page) => {
    const content = "#####\n#@$.#\n#####\n";
    const dropped = await page.evaluateHandle((content) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], "level.xsb", { type: "text/plain" }));
      return transfer;
    }, content);
    await page.dispatchEvent(".board", "drop", { dataTransfer: dropped });
    await page.locator(".board svg").waitFor();
    assert.equal(await page.getByLabel(/Paste a level/).inputValue(), content);
    await page.locator("input[type=file]").setInputFiles({ name: "two.txt", mimeType: "text/plain", buffer: Buffer.from("A.A\nB.B\n") });
    await page.locator(".title", { hasText: "flow" }).waitFor();
  }));

test("an address of puzz.link is opened and solved", () =>
  withPage({}, async (page) => {
    await paste(page, "https://puzz.link/p?numlin/6/6/123h3k2g4i4g5n1g5k\n");
    await page.locator(".title", { hasText: "flow" }).waitFor();
    assert.match(await solve(page), /solved/);
  }));

test("a text that looks like no puzzle is asked about", () =>
  withPage({}, async (page) => {
    const text = "#####\n#@..#\n#####\n";
    await paste(page, text);
    await page.locator("[role=alert]", { hasText: /choose one to see/ }).waitFor();
    await paste(page, text, "warehouse");
    await page.locator(".title", { hasText: "warehouse" }).waitFor();
    await eventually(async () => assert.equal(await page.locator("[role=alert]").count(), 0));
  }));

test("bad input is told with its line and column", () =>
  withPage({}, async (page) => {
    await paste(page, "#####\n#@$?#\n#####\n", "sokoban");
    const fault = page.locator(".fault[role=alert]");
    await fault.waitFor();
    await eventually(async () => assert.match(await fault.innerText(), /line 2, column 4/));
  }));

test("Stop ends a long question within 200 ms, and the page answers on", () =>
  withPage({}, async (page) => {
    await paste(page, HARD, "sokoban");
    await page.getByRole("tab", { name: "Solve" }).click();
    await page.getByRole("button", { name: "Solve", exact: true }).click();
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
    await page.locator(".counters b", { hasText: /^1$/ }).first().waitFor();
  }));

/** How long the level of minutes is watched: enough to see it go on, or as long as is asked for. */
const WATCHED = Number(process.env.UNSTUCK_WATCHED ?? 12);

test("a level that takes minutes is worked on with progress in words, and playing goes on", { timeout: 1e6 }, () =>
  withPage({}, async (page) => {
    await paste(page, HARD, "sokoban");
    await page.getByRole("tab", { name: "Solve" }).click();
    await page.getByLabel("Time limit (s)").fill(String(WATCHED + 5));
    await page.getByRole("button", { name: "Solve", exact: true }).click();
    const words = page.locator(".working p");
    await words.filter({ hasText: /at least \d+ pushes|at most \d+ pushes/ }).waitFor();
    const told = new Set();
    for (let second = 0; second < WATCHED; second += 1) {
      told.add(await words.innerText());
      await page.waitForTimeout(1_000);
    }
    assert.ok(told.size >= 5, `${told.size} different words in ${WATCHED} seconds`);
    await page.locator(".board").focus();
    await page.keyboard.press("ArrowLeft");
    await page.locator(".counters b", { hasText: /^1$/ }).first().waitFor();
    // The limit of time holds, and what is known by then is said.
    await page.locator(".verdict .sentence", { hasText: /time limit/ }).waitFor();
    await eventually(async () => assert.match(await page.locator(".verdict").innerText(), /at least \d+/));
  }));

test("the limit of memory holds, and what is known by then is said", () =>
  withPage({}, async (page) => {
    await paste(page, HARD, "sokoban");
    await page.getByRole("tab", { name: "Solve" }).click();
    await page.getByLabel("Engine").selectOption("sat");
    await page.getByLabel("Memory limit (MB)").fill("48");
    await page.getByRole("button", { name: "Solve", exact: true }).click();
    await page.locator(".verdict .sentence", { hasText: /memory limit/ }).waitFor();
    await eventually(async () => assert.match(await page.locator(".verdict").innerText(), /at least \d+/));
    // The worker that has grown large is gone, and another one answers.
    await own(page, "sokoban", "pantry");
    assert.match(await solve(page), /solved/);
  }));

for (const cores of [null, 1, 8]) {
  test(`with ${cores ?? "the machine's"} cores so many workers look at once, and Stop ends them`, () =>
    withPage({ cores }, async (page) => {
      const told = await page.evaluate(() => navigator.hardwareConcurrency);
      if (cores !== null) assert.equal(told, cores);
      const atOnce = Math.max(1, Math.min(3, told - 1));
      // One shows positions, the others are warm.
      await eventually(async () => assert.equal(page.workers().length, 1 + atOnce));
      const before = new Set(page.workers());
      await paste(page, HARD, "sokoban");
      await page.getByRole("tab", { name: "Solve" }).click();
      await page.getByRole("button", { name: "Solve", exact: true }).click();
      await page.locator(".working p", { hasText: /at least|at most/ }).waitFor();
      await page.getByRole("button", { name: "Stop" }).click();
      await page.locator(".remark", { hasText: "Stopped." }).waitFor();
      // All that thought were ended and replaced; the one for positions stays.
      await eventually(async () => {
        const kept = page.workers().filter((worker) => before.has(worker));
        assert.deepEqual([page.workers().length, kept.length], [1 + atOnce, 1]);
      });
    }));
}

test("an engine that breaks down is told in words, and another one takes its place", () =>
  withPage({}, async (page) => {
    await own(page, "sokoban", "pantry");
    // The engine's module is made to trap: every call of it fails from now on.
    for (const worker of page.workers()) {
      await worker.evaluate(() => {
        self.TextEncoder.prototype.encode = () => {
          const broken = new Uint8Array(1);
          return Object.defineProperty(broken, "length", { value: 2 ** 31 });
        };
      });
    }
    await page.getByRole("tab", { name: "Solve" }).click();
    await page.getByRole("button", { name: "Solve", exact: true }).click();
    await page.locator("[role=alert]", { hasText: /engine stopped unexpectedly/ }).waitFor();
    await page.locator(".board").focus();
    await page.keyboard.press("ArrowLeft");
    await page.getByRole("button", { name: "Solve", exact: true }).click();
    await page.locator(".verdict .sentence", { hasText: /solved/ }).waitFor();
  }));

test("nothing serious is found by the accessibility checker, in both themes", () =>
  withPage({}, async (page) => {
    await own(page, "sokoban", "pantry");
    for (const theme of ["light", "dark"]) {
      await page.getByLabel("Theme").selectOption(theme);
      for (const tab of ["Level", "Solve", "Help", "Edit"]) {
        await page.getByRole("tab", { name: tab }).click();
        await page.evaluate(AxeSource.source);
        const report = await page.evaluate(() => window.axe.run());
        const serious = report.violations.filter((violation) => ["serious", "critical"].includes(violation.impact));
        assert.deepEqual(serious.map(({ id, nodes }) => `${theme} ${tab}: ${id} ${nodes[0]?.html}`), []);
      }
    }
  }));
