// What is seen at first sight, and what is not: the board and what one does on it without scrolling,
// one board only, verdicts before settings, words instead of the names of the command line.

import assert from "node:assert/strict";
import { test } from "node:test";
import { EACH, eventually, own, panel, paste, site, solve } from "./browser.mjs";

const { withPage } = site();

/** Whether things are wholly in the window. */
const inSight = (page, ...all) =>
  eventually(async () => {
    for (const one of all) {
      const [box, { width, height }] = [await one.boundingBox(), page.viewportSize()];
      const isInside = box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height;
      assert.ok(isInside, `${one}: ${JSON.stringify(box)}`);
    }
  });

for (const [width, height] of [
  [1280, 800],
  [1024, 768],
  [768, 1024],
]) {
  test(`at ${width} x ${height} one plays, undoes and sees the verdict without scrolling`, () =>
    withPage(
      async (page) => {
        const button = (name) => page.getByRole("button", { name, exact: true }).first();
        const controls = ["Undo", "Redo", "Restart", "Hint", "Up", "Left", "Down", "Right"].map(button);
        await inSight(page, page.locator(".board svg"), ...controls);
        await solve(page);
        if (width > 1000) await inSight(page, panel(page).locator(".badges"));
      },
      { viewport: { width, height } },
    ));
}

test("there is one board, whatever is done on it", () =>
  withPage(async (page) => {
    for (const tab of ["Levels", "Solve", "Help", "Design", "Solve"]) {
      await page.getByRole("tab", { name: tab }).click();
      assert.equal(await page.locator(".board").count(), 1, tab);
    }
    await solve(page);
    await page.getByRole("button", { name: "Watch the solution" }).click();
    await page.locator(".film").waitFor();
    assert.equal(await page.locator(".board").count(), 1);
  }));

test("a verdict is some badges; settings and how it is known are a tap away", () =>
  withPage(async (page) => {
    await own(page, "sokoban", "pantry");
    assert.match(await solve(page), /^solved in 26 moves and 6 pushes; no solution has fewer pushes$/);
    for (const badge of ["Solvable", "6 pushes", "proved shortest"]) {
      await panel(page).locator(".badge", { hasText: badge }).waitFor();
    }
    for (const hidden of [
      page.getByLabel("Time limit (s)"),
      page.getByLabel("Engine"),
      panel(page).locator(".notation"),
    ]) {
      assert.equal(await hidden.isVisible(), false);
    }
    // Each number says of what it is the fewest.
    const counters = page.locator(".counters span");
    await eventually(async () =>
      assert.match(await counters.nth(1).innerText(), /0 pushes \(fewest possible 6\)/),
    );
    assert.match(await counters.nth(0).innerText(), /0 moves \(fewest possible 24\)/);
  }));

test("what a level's rules can be has names and a sentence", () =>
  withPage(async (page) => {
    for (const [puzzle, name] of EACH) {
      await own(page, puzzle, name);
      const options = panel(page).locator("[data-option]");
      for (const option of await options.all()) {
        const [label, named] = [(await option.innerText()).trim(), await option.getAttribute("data-option")];
        assert.notEqual(label.split("\n")[0], named, puzzle);
        assert.match(await option.locator("small").innerText(), /^[A-Z].*\.$/);
      }
    }
  }));

test("brushes are tiles, and a player stands on no wall", () =>
  withPage(async (page) => {
    await page.getByRole("tab", { name: "Design" }).click();
    for (const [puzzle] of EACH) {
      await panel(page).locator("select").first().selectOption(puzzle);
      const brushes = panel(page).locator(".paints label");
      await eventually(async () => assert.ok((await brushes.count()) > 3));
      for (const brush of await brushes.all()) {
        const name = await brush.locator("input").getAttribute("aria-label");
        const isTile = (await brush.locator("svg.tile").count()) === 1;
        assert.ok(isTile || /^end point |between|warp/.test(name), `${puzzle}: ${name}`);
        if (/player|robot/.test(name)) assert.equal(await brush.locator(".ground.wall").count(), 0, name);
      }
      for (const one of await page.locator(".board.painting .is-player").all()) {
        const cell = await one.evaluate((figure) => figure.style.transform.match(/\d+/g).reverse().join());
        const label = await page
          .locator(`.board.painting [data-cell="${cell}"]`)
          .first()
          .getAttribute("aria-label");
        assert.doesNotMatch(label, /wall/, puzzle);
      }
    }
  }));

test("step buttons are reached in the order in which they are seen", () =>
  withPage(async (page) => {
    const names = await page.locator(".pad button").evaluateAll((all) => all.map((one) => one.ariaLabel));
    assert.deepEqual(names, ["Up", "Left", "Down", "Right"]);
    const places = await page
      .locator(".pad button")
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ x, y }) => [y, x]));
    const seen = [...places].sort(([y, x], [toY, toX]) => y - toY || x - toX);
    assert.deepEqual(places, seen);
  }));

test("what designers and readers of forums paste is understood, or its fault is named", () =>
  withPage(async (page) => {
    const alert = page.locator("[role=alert]");
    for (const [text, said] of [
      ["#######\n#\t@$. #\n#######\n", /tab/i],
      ["https://puzz.link/p?slither/5/5/g1122bg3cg3b02h03b\n", /slither/i],
    ]) {
      await paste(page, text);
      await alert.filter({ hasText: said }).waitFor();
    }
  }));

for (const [puzzle, aim] of [
  ["sokoban", "Push every box onto a diamond."],
  ["sokobond", "Join the atoms until no free electron"],
  ["snowman", "Build snowmen"],
  ["warehouse", "Push the boxes onto the diamonds."],
  ["flow", "Join each pair of letters by a path"],
]) {
  test(`${puzzle}: a card with a picture and its aim, and its rules behind a question mark`, () =>
    withPage(async (page) => {
      const card = page.locator(".games .game", { hasText: aim });
      await card.locator("img").waitFor();
      await card.click();
      await page.locator(`.board[data-puzzle=${puzzle}]`).waitFor();
      const rules = page.locator(".aim details p");
      assert.equal(await rules.isVisible(), false);
      await page.locator(".aim summary").click();
      assert.ok((await rules.innerText()).length > 80);
    }));
}
