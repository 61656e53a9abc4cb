// What is seen at first sight, and what is not: the board and what one does on it without scrolling,
// one board only, verdicts before settings, words instead of the names of the command line.

import assert from "node:assert/strict";
import { test } from "node:test";
import { EACH, eventually, HARD, own, panel, paste, site, solve } from "./browser.mjs";

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

/** Windows of phones, tablets and desks. */
const WINDOWS = [
  [360, 740],
  [390, 844],
  [768, 1024],
  [1280, 720],
  [1280, 800],
  [1366, 768],
  [1920, 1080],
];

/** The part of the window that something has. */
async function part(page, place) {
  const [box, { width, height }] = [await place.boundingBox(), page.viewportSize()];
  return (box.width * box.height) / (width * height);
}

/** What can be pressed or written in, as far as it is seen. */
const controls = (page) =>
  page.evaluate(
    () =>
      [...document.querySelectorAll("button, a[href], input, select, textarea, summary")].filter((one) => {
        const { x, y, width, height } = one.getBoundingClientRect();
        return (
          one.checkVisibility() &&
          width > 0 &&
          x < innerWidth &&
          y < innerHeight &&
          x + width > 0 &&
          y + height > 0
        );
      }).length,
  );

for (const [width, height] of WINDOWS) {
  const hand = width < 800 ? { hasTouch: true, isMobile: true } : {};
  test(`at ${width} x ${height} the board is the stage, and what is asked for comes to it`, () =>
    withPage(
      async (page) => {
        const button = (name) => page.getByRole("button", { name, exact: true });
        const stage = page.locator(".board");
        assert.ok((await part(page, stage)) >= 0.6, `${await part(page, stage)} of the window`);
        // The picture goes from side to side, or from end to end.
        const [picture, place] = [await page.locator(".board svg").boundingBox(), await stage.boundingBox()];
        assert.ok(picture.width > 0.98 * place.width || picture.height > 0.98 * place.height);
        assert.ok((await controls(page)) <= 14, `${await controls(page)} controls`);
        await inSight(page, ...["Undo", "Redo", "Restart", "Hint"].map(button), page.locator(".title"));
        // A level that is chosen.
        await paste(page, "#######\n#     #\n# @$. #\n#     #\n#######\n", "sokoban");
        await inSight(page, page.locator(".board svg"));
        // A win, with the way on.
        await page.keyboard.press("ArrowRight");
        await inSight(page, page.locator(".won"), page.locator(".won .seal"));
        // A fault.
        await page.getByRole("tab", { name: "Levels" }).click();
        await page.getByLabel(/Paste a level/).fill("no level");
        await page.getByRole("button", { name: "Load" }).click();
        await inSight(page, page.locator("[role=alert]"));
        // What is worked on, and Stop.
        await paste(page, HARD, "sokoban");
        await page.getByRole("tab", { name: "Solve" }).click();
        await panel(page).getByRole("button", { name: "Solve", exact: true }).click();
        await inSight(
          page,
          page.locator(".working"),
          page.locator(".working").getByRole("button", { name: "Stop" }),
        );
        await page.locator(".working").getByRole("button", { name: "Stop" }).click();
      },
      { viewport: { width, height }, ...hand },
    ));
}

test("Enter goes on to the next level after a win, and nowhere before", () =>
  withPage(async (page) => {
    await own(page, "sokoban", "first-push");
    await page.locator(".board").focus();
    await page.keyboard.press("Enter");
    assert.equal(await page.locator(".title").innerText(), "First push");
    await page.keyboard.press("ArrowRight");
    await page.locator(".won .seal.gold").waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".title", { hasText: "The pantry" }).waitFor();
  }));

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
      await page.getByRole("tab", { name: "Levels" }).click();
      const card = page.locator(".games .game", { hasText: aim });
      await card.locator(".thumbnail svg").waitFor();
      await card.click();
      await page.locator(`.board[data-puzzle=${puzzle}]`).waitFor();
      const rules = page.locator(".rules-text");
      assert.equal(await rules.isVisible(), false);
      await page.locator(".rules summary").click();
      assert.ok((await rules.innerText()).length > 80);
    }));
}
