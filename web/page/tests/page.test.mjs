// The page as a person uses it, in a real browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import AxeSource from "axe-core";
import {
  advanced,
  counted,
  EACH,
  eventually,
  HARD,
  onBoard,
  own,
  panel,
  paste,
  shared,
  site,
  solutionOf,
  solve,
  warm,
} from "./browser.mjs";

const { withPage, another } = site();

for (const [puzzle, name, key] of EACH) {
  test(`${puzzle}: opened, played, solved, shared and opened again`, () =>
    withPage(async (page) => {
      await own(page, puzzle, name);
      const before = await onBoard(page);
      assert.ok(before.length > 0);
      if (key !== null) {
        await page.locator(".board").focus();
        await page.keyboard.press(key);
        await eventually(async () => assert.notDeepEqual(await onBoard(page), before));
        await page.getByRole("button", { name: "Undo" }).first().click();
        await eventually(async () => assert.deepEqual(await onBoard(page), before));
      }
      assert.match(await solve(page), /solved|shortest|optimal|only/i);
      await page.getByRole("tab", { name: "Levels" }).click();
      const again = await another(await shared(page, "Copy a link to this level"));
      await eventually(async () => assert.deepEqual(await onBoard(again), before));
    }));
}

test("a level is played to its end by keys, and the record is kept", () =>
  withPage(async (page) => {
    await paste(page, "#######\n#.@ $ #\n#.$   #\n#     #\n#######\n", "sokoban");
    await page.locator(".board").focus();
    for (const key of ["d", "s", "a", "ArrowUp"]) await page.keyboard.press(key);
    await page.getByText(/moves/).first().waitFor();
    await solve(page);
    // The record: what was played to its end, beside what is known to be shortest.
    const solution = await solutionOf(page);
    await page.getByRole("button", { name: "Restart" }).click();
    await page.locator(".board").focus();
    const keys = { u: "ArrowUp", r: "ArrowRight", d: "ArrowDown", l: "ArrowLeft" };
    for (const letter of solution) await page.keyboard.press(keys[letter.toLowerCase()]);
    await page.getByText("Solved!").first().waitFor();
    const counters = page.locator(".counters");
    const told = (words) => eventually(async () => assert.match(await counters.innerText(), words));
    await told(/pushes \(your best \d+, fewest possible \d+\)/);
    await page.reload();
    await told(/your best \d+, fewest possible \d+/);
  }));

test("the solution is a film on the board: slider, speed, single steps, taken over at one", () =>
  withPage(async (page) => {
    await own(page, "sokoban", "pantry");
    await solve(page);
    await page.getByRole("button", { name: "Watch the solution" }).click();
    const film = page.locator(".film");
    const at = (step) => film.getByText(`${step} / `).waitFor();
    await film.getByRole("button", { name: "Pause" }).click();
    await film.getByRole("button", { name: "First" }).click();
    await at(0);
    const start = await onBoard(page);
    await film.getByRole("button", { name: "Next" }).click();
    await at(1);
    await eventually(async () => assert.notDeepEqual(await onBoard(page), start));
    await film.getByRole("button", { name: "Previous" }).click();
    await at(0);
    await eventually(async () => assert.deepEqual(await onBoard(page), start));
    await film.getByRole("slider", { name: "Solution" }).fill("5");
    await at(5);
    await film.getByRole("button", { name: "Play from here" }).click();
    await counted(page, 5);
    await page.getByRole("button", { name: "Watch the solution" }).click();
    const count = film.locator(".steps");
    const [, length] = (await count.innerText()).split(" / ");
    await film.getByLabel("Speed").fill("30");
    await eventually(async () => assert.equal(await count.innerText(), `${length} / ${length}`));
    await film.getByRole("button", { name: "Play", exact: true }).waitFor();
    // The game lies beneath it as it was.
    await film.getByRole("button", { name: "Close" }).click();
    await counted(page, 5);
  }));

test("whether a shortest solution is the only one is counted", () =>
  withPage(async (page) => {
    for (const [text, said] of [
      ["######\n#@$ .#\n######\n", /there is only one shortest solution/i],
      // Right and down in any order.
      [
        "########\n#      #\n#      #\n#  $   #\n# @    #\n#    . #\n########\n",
        /there are \d+ shortest solutions/i,
      ],
    ]) {
      await paste(page, text, "sokoban");
      await solve(page);
      await page.getByRole("button", { name: "Is this the only shortest solution?" }).click();
      await panel(page).locator(".how", { hasText: said }).waitFor();
    }
  }));

test("a file is dropped anywhere, or opened", () =>
  withPage(async (page) => {
    const content = "#####\n#@$.#\n#####\n";
    const dropped = await page.evaluateHandle((content) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], "level.xsb", { type: "text/plain" }));
      return transfer;
    }, content);
    await page.dispatchEvent(".board", "drop", { dataTransfer: dropped });
    await page.locator(".title", { hasText: "level" }).waitFor();
    assert.equal(await page.getByLabel(/Paste a level/).inputValue(), content);
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "two.txt", mimeType: "text/plain", buffer: Buffer.from("A.A\nB.B\n") });
    await page.locator(".title", { hasText: "two" }).waitFor();
    await page.locator(".board[data-puzzle=flow]").waitFor();
  }));

test("an address of puzz.link is opened and solved", () =>
  withPage(async (page) => {
    await paste(page, "https://puzz.link/p?numlin/6/6/123h3k2g4i4g5n1g5k\n");
    await page.locator(".board[data-puzzle=flow]").waitFor();
    assert.match(await solve(page), /solved/);
  }));

test("a text that looks like no puzzle is asked about", () =>
  withPage(async (page) => {
    const alert = page.locator("[role=alert]");
    await paste(page, "hello there\nhow are you?\n");
    await alert.filter({ hasText: /choose one to see/ }).waitFor();
    await paste(page, "#####\n#@..#\n#####\n", "warehouse");
    await page.locator(".board[data-puzzle=warehouse]").waitFor();
    await eventually(async () => assert.equal(await alert.count(), 0));
  }));

test("what is missing is named, and what chats put around a level is taken off", () =>
  withPage(async (page) => {
    const alert = page.locator("[role=alert]");
    await paste(page, "#######\n#  $. #\n#######\n");
    await alert.filter({ hasText: /this looks like sokoban, but .*player/i }).waitFor();
    const level = ["#######", "# @$. #", "#######"];
    for (const text of [
      ["```", ...level, "```"],
      level.map((line) => `> ${line}`),
      level.map((line) => line.replaceAll(" ", "\u00a0")),
    ]) {
      await paste(page, text.join("\n"));
      await page.locator(".board [aria-label='row 2, column 4: box']").waitFor({ state: "attached" });
      await eventually(async () => assert.equal(await alert.count(), 0));
      await own(page, "snowman", "first-snowman");
    }
  }));

test("bad input is told with its line and column", () =>
  withPage(async (page) => {
    await paste(page, "#####\n#@$?#\n#####\n", "sokoban");
    const fault = page.locator(".fault[role=alert]");
    await fault.waitFor();
    await eventually(async () => assert.match(await fault.innerText(), /line 2, column 4/));
  }));

test("the limit of memory holds, and what is known by then is said", () =>
  withPage(async (page) => {
    await paste(page, HARD, "sokoban");
    await advanced(page);
    await page.getByLabel("Engine").selectOption("sat");
    await page.getByLabel("Memory limit (MB)").fill("48");
    await panel(page).getByRole("button", { name: "Solve", exact: true }).click();
    await panel(page)
      .locator(".verdict .sentence", { hasText: /memory limit/ })
      .waitFor();
    await eventually(async () =>
      assert.match(await panel(page).locator(".verdict").innerText(), /at least \d+/),
    );
    // The worker that has grown large is gone, and another one answers.
    await own(page, "sokoban", "pantry");
    assert.match(await solve(page), /solved/);
  }));

for (const cores of [null, 1, 8]) {
  test(`with ${cores ?? "the machine's"} cores so many workers look at once, and Stop ends them`, () =>
    withPage(
      async (page) => {
        const told = await page.evaluate(() => navigator.hardwareConcurrency);
        if (cores !== null) assert.equal(told, cores);
        const atOnce = Math.max(1, Math.min(3, told - 1));
        await warm(page);
        const before = new Set(page.workers());
        await paste(page, HARD, "sokoban");
        await page.getByRole("tab", { name: "Solve" }).click();
        await panel(page).getByRole("button", { name: "Solve", exact: true }).click();
        await page.locator(".working p", { hasText: /at least|at most/ }).waitFor();
        await page.getByRole("button", { name: "Stop" }).click();
        await page.locator(".remark", { hasText: "Stopped." }).waitFor();
        // All that thought were ended and replaced; the one for positions stays.
        await eventually(async () => {
          const kept = page.workers().filter((worker) => before.has(worker));
          assert.deepEqual([page.workers().length, kept.length], [1 + atOnce, 1]);
        });
      },
      { cores },
    ));
}

test("an engine that breaks down is told in words, and another one takes its place", () =>
  withPage(async (page) => {
    await own(page, "sokoban", "pantry");
    await warm(page);
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
    await panel(page).getByRole("button", { name: "Solve", exact: true }).click();
    await page.locator("[role=alert]", { hasText: /engine stopped unexpectedly/ }).waitFor();
    await page.locator(".board").focus();
    await page.keyboard.press("ArrowLeft");
    await panel(page).getByRole("button", { name: "Solve", exact: true }).click();
    await panel(page)
      .locator(".verdict .sentence", { hasText: /solved/ })
      .waitFor();
  }));

test("nothing serious is found by the accessibility checker, in both themes", () =>
  withPage(async (page) => {
    await own(page, "sokoban", "pantry");
    for (const theme of ["light", "dark"]) {
      await page.getByRole("tab", { name: "Levels" }).click();
      await page.getByLabel("Theme").selectOption(theme);
      for (const tab of ["Levels", "Solve", "Help", "Design"]) {
        await page.getByRole("tab", { name: tab }).click();
        await page.evaluate(AxeSource.source);
        const report = await page.evaluate(() => window.axe.run());
        const serious = report.violations.filter((violation) =>
          ["serious", "critical"].includes(violation.impact),
        );
        assert.deepEqual(
          serious.map(({ id, nodes }) => `${theme} ${tab}: ${id} ${nodes[0]?.html}`),
          [],
        );
      }
    }
  }));
