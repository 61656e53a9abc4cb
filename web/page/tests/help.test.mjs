// Hints, diagnoses and forced facts, as a player asks for them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { counted, EACH, eventually, onBoard, own, panel, paste, site } from "./browser.mjs";

const { withPage } = site();

const sentence = async (page) => {
  const told = panel(page).locator(".verdict .sentence").first();
  await told.waitFor();
  return told.innerText();
};

for (const [puzzle, name, key] of EACH.filter(([, , key]) => key !== null)) {
  test(`${puzzle}: a hint by degrees, up to the end`, () =>
    withPage(async (page) => {
      await own(page, puzzle, name);
      await page.getByRole("tab", { name: "Help" }).click();
      const told = [];
      for (const degree of ["Can I still win?", "Which piece?", "Next move", "Full solution"]) {
        await page.getByRole("button", { name: degree }).click();
        await page.waitForFunction((before) => {
          const now = document.querySelector("#panel-help .verdict .sentence")?.textContent;
          return now !== undefined && now !== before && !document.querySelector(".working");
        }, told.at(-1));
        told.push(await sentence(page));
        if (degree === "Next move") {
          const ghosts = page.locator(".board .ghosts .figure");
          await eventually(async () => assert.ok((await ghosts.count()) > 0, "where it comes to is shown"));
        }
        if (degree === "Which piece?") {
          // On the board itself.
          const marks = page.locator(".board .mark.pointed");
          await eventually(async () => assert.ok((await marks.count()) > 0, "the piece is ringed"));
        }
      }
      assert.match(told[0], /^solvable from here$/i);
      assert.match(
        told[1],
        /^Next: the piece in row \d+, column \d+; solvable from here: \d+ [a-z ]+ to go, and not fewer$/,
      );
      assert.match(told[2], /^Next: [↑→↓←\d]+; solvable from here: \d+ [a-z ]+ to go, and not fewer$/);
      assert.match(told[3], /^solvable from here: .*, and not fewer$/i);
      await page.getByRole("button", { name: "Play these moves" }).click();
      await page.getByText("Solved!").first().waitFor();
      assert.ok(key);
    }));
}

test("a diagnosis marks the moves made, and draws what is lost", () =>
  withPage(async (page) => {
    // The second push brings the box past its goal into the corner.
    await paste(page, "#######\n#@$. ##\n#   ###\n#######\n", "sokoban");
    await page.locator(".board").focus();
    for (const key of ["ArrowDown", "ArrowUp", "ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
    await counted(page, 4);
    await page.getByRole("tab", { name: "Help" }).click();
    await page.getByRole("button", { name: "What went wrong?" }).click();
    assert.match(await sentence(page), /^move 4, R, lost the game; the position before it can be solved$/i);
    const classes = () => page.locator("ol.moves li").evaluateAll((all) => all.map((one) => one.className));
    await eventually(async () => assert.deepEqual(await classes(), ["free", "free", "free", "fatal"]));
    // The board shows the position before the losing move, until one goes back to the game.
    await page.locator(".board .mark.pointed").waitFor();
    assert.ok((await onBoard(page)).includes("row 2, column 4: box, goal"), String(await onBoard(page)));
    await page.getByRole("button", { name: "Back to the game" }).click();
    await eventually(async () => assert.ok((await onBoard(page)).includes("row 2, column 5: box")));
  }));

test("a detour is reported as a detour", () =>
  withPage(async (page) => {
    await paste(page, "#########\n#       #\n#  $@ . #\n#       #\n#########\n", "sokoban");
    await page.locator(".board").focus();
    await page.keyboard.press("ArrowLeft");
    await counted(page, 1);
    await page.getByRole("tab", { name: "Help" }).click();
    await page.getByRole("button", { name: "What went wrong?" }).click();
    assert.match(await sentence(page), /^still solvable: 4 pushes to go$/i);
    await page.locator("ol.moves li.costly button[title='1: detour +2']").waitFor();
  }));

test("boxes that are stuck together are crossed out", () =>
  withPage(async (page) => {
    // Side by side along the upper wall, which has two goals: nothing frees them. The third is free.
    await paste(page, "########\n#   .. #\n# $$   #\n#  @   #\n# $  . #\n#      #\n########\n", "sokoban");
    await page.locator(".board").focus();
    for (const key of ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowUp"]) await page.keyboard.press(key);
    await counted(page, 4);
    await page.getByRole("tab", { name: "Help" }).click();
    await page.getByRole("button", { name: "What went wrong?" }).click();
    assert.match(await sentence(page), /^move 4, U, lost the game/i);
    await page.getByText(/even alone on the board, .* and .* are lost together/).waitFor();
    // The third box has none.
    const crosses = page.locator(".board .mark.lost .cross");
    await eventually(async () => assert.equal(await crosses.count(), 2, "two boxes are crossed out"));
  }));

test("Flow says one certain line at a time, drawn on the board, and all of them on request", () =>
  withPage(async (page) => {
    await own(page, "flow", "first-paths");
    await page.getByRole("tab", { name: "Help" }).click();
    await page.getByRole("button", { name: "Next certain line" }).click();
    assert.match(await sentence(page), /facts hold in all solutions/);
    await page.locator(".board .fact.holds").waitFor({ state: "attached" });
    await panel(page)
      .getByText(/Next certain line: \(\d,\d\) \(\d,\d\) \(.*\)/)
      .waitFor();
    await page.getByText("All facts, in deduction order").click();
    await eventually(async () => assert.ok((await panel(page).locator("ol li").count()) > 10));
  }));
