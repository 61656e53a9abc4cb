// The editor, links, and visits without a network.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { eventually, own, paste, shared, site, solve } from "./browser.mjs";

const { withPage, another } = site();

/** A paint of each family, the cell that it goes to, and what the editor says of the level then. */
const PAINTED = [
  ["sokoban", "floor", [0, 0], /./],
  ["sokobond", "hydrogen", [2, 2], /./],
  ["snowman", "snow", [1, 3], /./],
  ["warehouse", "wall", [1, 1], /./],
  ["flow", "hole", [3, 3], /./],
];

for (const [puzzle, paint, [row, column], said] of PAINTED) {
  test(`${puzzle}: edited, judged while one edits, turned, taken back, played`, () =>
    withPage(async (page) => {
      await page.getByRole("tab", { name: "Edit" }).click();
      await page.locator("#panel select").first().selectOption(puzzle);
      const text = page.getByLabel("The level as text");
      const first = await text.inputValue();
      const verdict = page.locator("#panel .verdict");
      await verdict.locator(".sentence", { hasText: /solved|unsolvable|no solution/i }).waitFor();
      await page.locator(".paints label", { hasText: new RegExp(`^\\s*\\S*\\s*${paint}$`) }).first().click();
      await page.locator(`.painting [data-cell="${row},${column}"]`).click();
      await eventually(async () => assert.notEqual(await text.inputValue(), first, "painted"));
      await verdict.locator(".sentence, .fault", { hasText: said }).first().waitFor();
      await page.getByRole("button", { name: "Undo" }).last().click();
      await eventually(async () => assert.equal(await text.inputValue(), first, "taken back"));
      await page.getByRole("button", { name: "Mirror" }).click();
      await page.getByRole("button", { name: "Mirror" }).click();
      for (let turn = 0; turn < 4; turn += 1) await page.getByRole("button", { name: "Rotate" }).click();
      const bare = async () => (await text.inputValue()).replace(/ +$/gm, "");
      await eventually(async () => assert.equal(await bare(), first, "turned all round"));
      const cells = page.locator(".painting [data-cell]");
      const count = await cells.count();
      await page.getByLabel("Columns").fill("12");
      await page.getByLabel("Columns").blur();
      await eventually(async () => assert.ok((await cells.count()) > count, "wider"));
      await page.getByRole("button", { name: "Undo" }).last().click();
      await eventually(async () => assert.equal(await cells.count(), count, "as wide as before"));
      const downloads = page.getByRole("group", { name: "Download" });
      for (const [button, name, begin] of [["level as text", "level.txt", first], ["picture (SVG)", "level.svg", "<svg"], ["picture (PNG)", "level.png", "\x89PNG"]]) {
        const [download] = await Promise.all([
          page.waitForEvent("download"),
          downloads.getByRole("button", { name: button }).click(),
        ]);
        assert.equal(download.suggestedFilename(), name);
        const content = (await readFile(await download.path())).toString("latin1");
        assert.ok(content.startsWith(begin), `${name}: ${content.slice(0, 20)}`);
      }
      await page.getByRole("button", { name: "Play this level" }).click();
      await page.locator(".board svg").first().waitFor();
    }));
}

test("a link carries level, options and solution", () =>
  withPage(async (page) => {
    await paste(page, "A..\n...\n..A\n", "flow");
    const opened = page.url();
    await page.locator("fieldset label", { hasText: "cover" }).locator("select").selectOption("no");
    await page.waitForFunction((opened) => location.href !== opened, opened);
    await solve(page);
    const again = await another(await shared(page, "Copy a link with this solution"));
    await page.locator(".film .picture svg").first().waitFor();
    const film = await page.locator(".film .picture").first().innerHTML();
    await eventually(async () => assert.equal(await again.locator(".board .picture").innerHTML(), film));
    const cover = again.locator("fieldset label", { hasText: "cover" }).locator("select");
    await eventually(async () => assert.equal(await cover.inputValue(), "no"));
    await again.context().close();
  }));

test("a link with moves opens at the position after them", () =>
  withPage(async (page) => {
    await own(page, "sokoban", "pantry");
    await solve(page);
    const again = await another(await shared(page, "Copy a link with this solution"));
    await again.getByText("Solved!").waitFor();
    await again.context().close();
  }));

test("after the first visit the page works without a network", () =>
  withPage(async (page) => {
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.waitForFunction(async () => {
      const names = await caches.keys();
      const cache = names.length === 1 ? await caches.open(names[0]) : null;
      return cache !== null && (await cache.match("engine.wasm")) !== undefined;
    });
    await page.context().setOffline(true);
    await page.reload();
    await page.waitForFunction(() => document.querySelectorAll("optgroup").length === 5, null);
    await own(page, "sokoban", "pantry");
    assert.match(await solve(page), /solved in/);
  }));
