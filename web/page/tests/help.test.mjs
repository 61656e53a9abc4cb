// Hints, diagnoses and forced facts, as a player asks for them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { EACH, eventually, own, paste, site } from "./browser.mjs";

const { withPage } = site();

const sentence = async (page) => {
  const told = page.locator("#panel .verdict .sentence").first();
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
          const now = document.querySelector("#panel .verdict .sentence")?.textContent;
          return now !== undefined && now !== before && !document.querySelector(".working");
        }, told.at(-1));
        told.push(await sentence(page));
        if (degree === "Which piece?") {
          const marks = page.getByRole("img", { name: "What the hint points at" }).locator("circle[stroke='#d55e00']");
          await eventually(async () => assert.ok((await marks.count()) > 0, "the piece is ringed"));
        }
      }
      assert.equal(told[0], "Solvable from here.");
      assert.match(told[1], /^Next: .* to go\.$/);
      assert.match(told[3], /^All moves to the end: .*, and not fewer\.$/);
      await page.getByRole("button", { name: "Play these moves" }).click();
      await page.getByText("Solved!").waitFor();
      assert.ok(key);
    }));
}

test("a diagnosis marks the moves made, and draws what is lost", () =>
  withPage(async (page) => {
    // The second push brings the box past its goal into the corner.
    await paste(page, "#######\n#@$. ##\n#   ###\n#######\n", "sokoban");
    await page.locator(".board").focus();
    for (const key of ["ArrowDown", "ArrowUp", "ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
    await page.locator(".counters b", { hasText: /^4$/ }).first().waitFor();
    await page.getByRole("tab", { name: "Help" }).click();
    await page.getByRole("button", { name: "What went wrong?" }).click();
    assert.match(await sentence(page), /^Move 4, R, lost the game/);
    const classes = () => page.locator("ol.moves li").evaluateAll((all) => all.map((one) => one.className));
    await eventually(async () => assert.deepEqual(await classes(), ["free", "free", "free", "fatal"]));
    const drawn = page.getByRole("img", { name: /The position before the losing move/ });
    await eventually(async () => assert.ok((await drawn.locator("[stroke='#d55e00']").count()) > 0, "the box is ringed"));
  }));

test("a detour is reported as a detour", () =>
  withPage(async (page) => {
    await paste(page, "#########\n#       #\n#  $@ . #\n#       #\n#########\n", "sokoban");
    await page.locator(".board").focus();
    await page.keyboard.press("ArrowLeft");
    await page.locator(".counters b", { hasText: /^1$/ }).first().waitFor();
    await page.getByRole("tab", { name: "Help" }).click();
    await page.getByRole("button", { name: "What went wrong?" }).click();
    assert.match(await sentence(page), /^Still solvable: 4 pushes to go/);
    await page.locator("ol.moves li.costly[title='1: detour +2']").waitFor();
  }));

test("boxes that are stuck together are crossed out", () =>
  withPage(async (page) => {
    // Side by side along the upper wall, which has two goals: nothing frees them. The third is free.
    await paste(page, "########\n#   .. #\n# $$   #\n#  @   #\n# $  . #\n#      #\n########\n", "sokoban");
    await page.locator(".board").focus();
    for (const key of ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowUp"]) await page.keyboard.press(key);
    await page.locator(".counters b", { hasText: /^4$/ }).first().waitFor();
    await page.getByRole("tab", { name: "Help" }).click();
    await page.getByRole("button", { name: "What went wrong?" }).click();
    assert.match(await sentence(page), /^Move 4, U, lost the game/);
    await page.getByText(/even alone on the board, .* and .* are lost together/).waitFor();
    // Each cross is two strokes, corner to corner of a cell; the third box has none.
    const drawn = page.getByRole("img", { name: /The position before the losing move/ });
    const crosses = drawn.locator("polygon[stroke='#d55e00']");
    await eventually(async () => assert.equal(await crosses.count(), 4, "two boxes are crossed out"));
  }));

test("forced facts of Flow are listed and drawn", () =>
  withPage(async (page) => {
    await own(page, "flow", "first-paths");
    await page.getByRole("tab", { name: "Help" }).click();
    await page.getByRole("button", { name: "Forced facts" }).click();
    assert.match(await sentence(page), /facts hold in all solutions/);
    const drawn = page.getByRole("img", { name: /Forced facts/ });
    await eventually(async () => assert.ok((await drawn.locator("[stroke='#0072b2']").count()) > 0, "joined cells are barred"));
  }));
