// Journeys: play, look elsewhere, come back, reload, go back, open a link, play on. Nothing that a
// person made is ever lost.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  counted,
  eventually,
  onBoard,
  own,
  panel,
  paste,
  reload,
  shared,
  site,
  solve,
  solutionOf,
} from "./browser.mjs";

const { withPage, another } = site();

const ROOM = "#######\n#     #\n# @$. #\n#     #\n#######\n";

/** Presses keys on the board, and waits until all of them are counted. */
async function play(page, ...keys) {
  await page.locator(".board").focus();
  for (const key of keys) await page.keyboard.press(key);
}

const title = (page, name) => page.locator(".title", { hasText: name }).waitFor();

test("the page opens on a level that can be played at once", () =>
  withPage(async (page) => {
    await title(page, "The pantry");
    await page.getByText("Push every box onto a diamond.").first().waitFor();
    await page.keyboard.press("ArrowLeft");
    await counted(page, 1);
    await page.getByText("?", { exact: true }).click();
    await page.getByText(/You push one box at a time/).waitFor();
  }));

test("moves outlive a reload, with what was undone", () =>
  withPage(async (page) => {
    await paste(page, ROOM);
    await play(page, "ArrowUp", "ArrowLeft", "ArrowDown", "ArrowRight");
    await counted(page, 4);
    await page.getByRole("button", { name: "Undo" }).first().click();
    await counted(page, 3);
    const before = await onBoard(page);
    await page.waitForTimeout(400);
    await reload(page);
    await counted(page, 3);
    assert.deepEqual(await onBoard(page), before);
    await page.getByRole("button", { name: "Redo" }).first().click();
    await counted(page, 4);
    for (const left of [3, 2, 1, 0]) {
      await page.keyboard.press("Control+z");
      await counted(page, left);
    }
  }));

test("moves outlive a reload right after the last of them", () =>
  withPage(async (page) => {
    await paste(page, ROOM);
    await play(page, "ArrowUp", "ArrowLeft");
    await counted(page, 2);
    await reload(page);
    await counted(page, 2);
  }));

test("Back and Forward go through levels, each where it was left", () =>
  withPage(async (page) => {
    await own(page, "sokoban", "staircase");
    await play(page, "ArrowDown");
    await own(page, "snowman", "first-snowman");
    await play(page, "ArrowRight");
    await counted(page, 1);
    await own(page, "flow", "first-paths");
    await page.goBack();
    await page.locator(".board[data-puzzle=snowman]").waitFor();
    await counted(page, 1);
    await page.goBack();
    await page.locator(".board[data-puzzle=sokoban]").waitFor();
    await page.goForward();
    await page.locator(".board[data-puzzle=snowman]").waitFor();
    await counted(page, 1);
  }));

test("a level that was left is found again where it was, from the list and on another visit", () =>
  withPage(async (page, address) => {
    await own(page, "sokoban", "pantry");
    await play(page, "ArrowLeft", "ArrowRight");
    await counted(page, 2);
    await own(page, "sokoban", "staircase");
    await counted(page, 0);
    await own(page, "sokoban", "pantry");
    await counted(page, 2);
    await page.goto(address);
    await page.waitForFunction(() => document.documentElement.dataset.ready === "true");
    await title(page, "The pantry");
    await counted(page, 2);
  }));

test("Restart can be undone", () =>
  withPage(async (page) => {
    await paste(page, ROOM);
    await play(page, "ArrowUp", "ArrowLeft");
    await counted(page, 2);
    await page.keyboard.press("r");
    await counted(page, 0);
    await play(page, "ArrowDown");
    await counted(page, 1);
    await page.keyboard.press("z");
    await counted(page, 0);
    await page.keyboard.press("z");
    await counted(page, 2);
  }));

test("a link with moves opens with its whole history", () =>
  withPage(async (page) => {
    await paste(page, ROOM);
    await play(page, "ArrowUp", "ArrowLeft", "ArrowDown");
    await counted(page, 3);
    await page.getByRole("tab", { name: "Levels" }).click();
    const friend = await another(await shared(page, "Copy a link with my moves"));
    await counted(friend, 3);
    for (const left of [2, 1, 0]) {
      await friend.getByRole("button", { name: "Undo" }).first().click();
      await counted(friend, left);
    }
    await friend.getByRole("button", { name: "Redo" }).first().click();
    await counted(friend, 1);
    await friend.context().close();
  }));

test("a link with a solution opens as a film, and can be played", () =>
  withPage(async (page) => {
    await own(page, "sokoban", "pantry");
    await solve(page);
    const friend = await another(await shared(page, "Copy a link with this solution"));
    const film = friend.locator(".film");
    await film.getByText("0 / 26").waitFor();
    await film.getByRole("button", { name: "Next" }).click();
    await film.getByText("1 / 26").waitFor();
    await film.getByRole("button", { name: "Play from here" }).click();
    await counted(friend, 1);
    await friend.getByRole("button", { name: "Undo" }).first().click();
    await counted(friend, 0);
    await friend.context().close();
  }));

test("a draft outlives other panels, other families, another level and a reload", () =>
  withPage(async (page) => {
    await page.getByRole("tab", { name: "Design" }).click();
    await page.getByRole("button", { name: "New level" }).click();
    const text = page.getByLabel("The level as text");
    await page.getByRole("radio", { name: "goal", exact: true }).check();
    await page.locator(".board [data-cell='1,5']").dispatchEvent("none");
    const cell = await page.locator(".board [data-cell='1,5']").boundingBox();
    await page.mouse.click(cell.x + cell.width / 2, cell.y + cell.height / 2);
    const painted = /^#    \. #$/m;
    await eventually(async () => assert.match(await text.inputValue(), painted));
    await page.getByRole("tab", { name: "Help" }).click();
    await page.getByRole("tab", { name: "Design" }).click();
    assert.match(await text.inputValue(), painted);
    await panel(page).locator("select").first().selectOption("flow");
    await eventually(async () => assert.match(await text.inputValue(), /shape/));
    await panel(page).locator("select").first().selectOption("sokoban");
    await eventually(async () => assert.match(await text.inputValue(), painted));
    await own(page, "sokoban", "staircase");
    await page.getByRole("tab", { name: "Design" }).click();
    await eventually(async () => assert.match(await text.inputValue(), painted));
    await reload(page);
    await page.getByRole("tab", { name: "Design" }).click();
    await panel(page).locator("select").first().selectOption("sokoban");
    await eventually(async () => assert.match(await text.inputValue(), painted));
    await page.getByRole("button", { name: "Undo" }).click();
    await eventually(async () => assert.doesNotMatch(await text.inputValue(), painted));
  }));

test("a verdict is there after a look elsewhere, after another level, and after a reload", () =>
  withPage(async (page) => {
    await own(page, "sokoban", "pantry");
    const said = await solve(page);
    const verdict = page.locator("#panel-solve .verdict .sentence");
    await page.getByRole("tab", { name: "Help" }).click();
    await page.getByRole("tab", { name: "Solve" }).click();
    assert.equal(await verdict.innerText(), said);
    await own(page, "sokoban", "staircase");
    await page.getByRole("tab", { name: "Solve" }).click();
    assert.equal(await verdict.count(), 0, "it is about another level");
    await own(page, "sokoban", "pantry");
    await page.getByRole("tab", { name: "Solve" }).click();
    assert.equal(await verdict.innerText(), said);
    await reload(page);
    await page.getByRole("tab", { name: "Solve" }).click();
    await eventually(async () => assert.equal(await verdict.innerText(), said));
  }));

test("what is worked on is seen and stopped from anywhere, and answers what it was asked about", () =>
  withPage(async (page) => {
    const inside = (text) => `#${text}#`;
    const rows = Array.from({ length: 10 }, (_, i) => inside(i < 5 ? " $ $ $ $ $ $  " : " . . . . . .  "));
    const hard = [
      "#".repeat(16),
      inside(" ".repeat(14)),
      ...rows,
      inside("      @       "),
      "#".repeat(16),
    ].join("\n");
    await paste(page, hard, "sokoban");
    await page.getByRole("tab", { name: "Solve" }).click();
    await panel(page).getByRole("button", { name: "Solve", exact: true }).click();
    await page.locator(".working").waitFor();
    await own(page, "snowman", "first-snowman");
    for (const tab of ["Levels", "Help", "Design"]) {
      await page.getByRole("tab", { name: tab }).click();
      assert.ok(await page.locator(".working").isVisible(), tab);
    }
    await page.locator(".working").getByRole("button", { name: "Stop" }).click();
    await eventually(async () => assert.equal(await page.locator(".working").count(), 0));
  }));

test("a stroke of Flow has the colour of its letter, is undone as one, and stays in links", () =>
  withPage(async (page) => {
    await paste(page, "A..A\nC..C\nB..B\n", "flow");
    const draw = async (...cells) => {
      const at = async ([row, column]) => {
        const box = await page.locator(`.board [data-cell="${row},${column}"]`).boundingBox();
        return [box.x + box.width / 2, box.y + box.height / 2];
      };
      await page.mouse.move(...(await at(cells[0])));
      await page.mouse.down();
      for (const cell of cells.slice(1)) await page.mouse.move(...(await at(cell)), { steps: 6 });
      await page.mouse.up();
    };
    await draw([0, 0], [0, 3]);
    await draw([2, 0], [2, 3]);
    const strokes = page.locator(".board .drawn .stroke");
    await eventually(async () => assert.equal(await strokes.count(), 2));
    const colours = await page.locator(".board").evaluate((board) =>
      [...board.querySelectorAll(".drawn .stroke")].map((stroke) => {
        const label = stroke.dataset.label;
        const end = [...board.querySelectorAll(".ends g")].find((end) => end.textContent === label);
        return [getComputedStyle(stroke).stroke, getComputedStyle(end.querySelector("circle")).fill];
      }),
    );
    for (const [stroke, end] of colours) assert.equal(stroke, end);
    assert.notEqual(colours[0][0], colours[1][0]);
    // Letters lie above what is drawn.
    const order = await page
      .locator(".board svg")
      .evaluate((svg) => [...svg.children].map((part) => part.getAttribute("class")));
    assert.ok(order.indexOf("drawn") < order.indexOf("ends"), String(order));
    await page.getByRole("tab", { name: "Levels" }).click();
    const friend = await another(await shared(page, "Copy a link with my moves"));
    await eventually(async () => assert.equal(await friend.locator(".board .drawn .stroke").count(), 2));
    await friend.context().close();
    await draw([1, 0], [1, 3]);
    await page.getByText("Solved!").first().waitFor();
    await page.keyboard.press("Control+z");
    await eventually(async () => assert.equal(await strokes.count(), 2, "one stroke, one undo"));
    await eventually(async () => assert.equal(await page.getByText("Solved!").count(), 0));
    await reload(page);
    await eventually(async () => assert.equal(await strokes.count(), 2));
  }));

test("hexagons are drawn on", () =>
  withPage(async (page) => {
    await own(page, "flow", "hexagon").catch(() => own(page, "flow", "hexagons"));
    const ends = await page.locator(".board .ends g").count();
    assert.ok(ends >= 2);
  }));

test("a cut link says so", () =>
  withPage(async (page) => {
    await paste(page, ROOM);
    await page.getByRole("tab", { name: "Levels" }).click();
    const link = await shared(page, "Copy a link to this level");
    for (const broken of [link.slice(0, -9), link.replace("#1", "#2")]) {
      const friend = await another(broken);
      await friend.getByText(/This link is incomplete/).waitFor();
      await friend.locator(".board").first().waitFor();
      await friend.context().close();
    }
  }));

test("pieces slide: each keeps its own element", () =>
  withPage(async (page) => {
    await paste(page, ROOM);
    await page.locator(".board .is-box").evaluate((box) => (box.dataset.mine = "yes"));
    await play(page, "ArrowRight");
    await page.getByText("Solved!").first().waitFor();
    assert.equal(await page.locator(".board .is-box").getAttribute("data-mine"), "yes");
    assert.match(await page.locator(".board .is-box").getAttribute("style"), /translate\(4px, ?2px\)/);
  }));

test("winning says what it means, and leads on", () =>
  withPage(async (page) => {
    await own(page, "sokoban", "pantry");
    await solve(page);
    const keys = { u: "ArrowUp", r: "ArrowRight", d: "ArrowDown", l: "ArrowLeft" };
    const moves = [...(await solutionOf(page))].map((letter) => keys[letter.toLowerCase()]);
    await play(page, ...moves);
    const won = page.locator(".won");
    await won.getByText("6 pushes: you matched the shortest solution.").waitFor();
    await won.getByRole("button", { name: "Next level" }).click();
    await title(page, "Round the corner");
    await page.getByRole("tab", { name: "Levels" }).click();
    await page.locator(".samples .card", { hasText: "Pantry" }).locator(".tick").waitFor();
  }));

test("a push that loses the game is marked at once, and undone", () =>
  withPage(async (page) => {
    await paste(page, "######\n#    #\n# $@ #\n#  . #\n#    #\n######\n", "sokoban");
    await play(page, "ArrowLeft");
    await page.locator(".board .mark.lost").waitFor();
    await page.getByText(/can no longer be solved/).waitFor();
    await page.keyboard.press("Control+z");
    await eventually(async () => assert.equal(await page.locator(".board .mark.lost").count(), 0));
  }));

test("arrow keys never open another level", () =>
  withPage(async (page) => {
    await page.getByRole("tab", { name: "Levels" }).click();
    await page.locator(".samples .card", { hasText: "Staircase" }).click();
    await title(page, "staircase");
    const before = page.url().slice(0, 40);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.waitForTimeout(300);
    await title(page, "staircase");
    assert.ok(before);
  }));
