// Paint and play are one board with a switch; brushes put layers; a solution plays where one is.

import assert from "node:assert/strict";
import { test } from "node:test";
import { counted, eventually, onBoard, own, panel, paste, site } from "./browser.mjs";

const { withPage } = site();

const text = (page) => page.getByLabel("The level as text");
const has = (page, pattern) => eventually(async () => assert.match(await text(page).inputValue(), pattern));
const choose = (page, paint) => page.getByRole("radio", { name: paint, exact: true }).check();

async function begin(page, puzzle) {
  await page.getByRole("tab", { name: "Design" }).click();
  await panel(page).locator("select").first().selectOption(puzzle);
  await panel(page).getByRole("button", { name: "New level" }).click();
}

async function middle(page, row, column) {
  const { x, y, width, height } = await page
    .locator(`.board.painting [data-cell="${row},${column}"]`)
    .first()
    .boundingBox();
  return [x + width / 2, y + height / 2];
}

for (const puzzle of ["sokoban", "sokobond", "snowman", "warehouse", "flow"]) {
  test(`${puzzle}: what is painted is played, and painted on at the same place`, () =>
    withPage(async (page) => {
      await begin(page, puzzle);
      await panel(page).locator(".badge.verdict-name", { hasText: "Solvable" }).waitFor();
      await page.getByRole("button", { name: "Play this level" }).click();
      // Nothing else is pressed: the board is played now, and the verdict stays beside it.
      await page
        .locator(`.board.playing[data-puzzle=${puzzle}], .board.drawing[data-puzzle=${puzzle}]`)
        .waitFor();
      await panel(page).locator(".badge.verdict-name", { hasText: "Solvable" }).waitFor();
      const before = await text(page).inputValue();
      if (puzzle === "sokoban") {
        await page.keyboard.press("ArrowRight");
        await counted(page, 1);
      }
      await page.getByRole("button", { name: "Go on painting" }).click();
      await page.locator(".board.painting").first().waitFor();
      assert.equal(await text(page).inputValue(), before);
      if (puzzle !== "flow") {
        await page.getByRole("button", { name: "Watch the solution" }).click();
        await page.locator(".film").waitFor();
        await page.locator(".board.playing").waitFor();
        await eventually(async () => {
          const [at, of] = (await page.locator(".film .steps").innerText()).split(" / ");
          assert.equal(at, of);
        });
        await page.getByRole("button", { name: "Close", exact: true }).click();
      }
    }));
}

test("a key turns from playing to painting and back", () =>
  withPage(async (page) => {
    await own(page, "sokoban", "pantry");
    await page.keyboard.press("ArrowLeft");
    await counted(page, 1);
    await page.keyboard.press("e");
    await page.locator(".board.painting").waitFor();
    await has(page, /@/);
    await page.locator(".title", { hasText: "The pantry" }).waitFor();
    await page.keyboard.press("e");
    await page.locator(".board.playing").waitFor();
  }));

test("a brush puts a layer: a box on a goal stays on it, and the right button takes away the uppermost", () =>
  withPage(async (page) => {
    await begin(page, "sokoban");
    await choose(page, "box");
    await page.mouse.click(...(await middle(page, 2, 5)));
    await has(page, /^# @\$ \* #$/m);
    await page.mouse.click(...(await middle(page, 2, 5)), { button: "right" });
    await has(page, /^# @\$ \. #$/m);
    await page.mouse.click(...(await middle(page, 2, 5)), { button: "right" });
    await has(page, /^# @\$   #$/m);
    await choose(page, "goal");
    await page.mouse.click(...(await middle(page, 2, 2)));
    await has(page, /^# \+\$   #$/m);
    // Painting the same again takes it away, too.
    await page.mouse.click(...(await middle(page, 2, 2)));
    await has(page, /^# @\$   #$/m);
    const brushes = panel(page).locator(".paints label");
    assert.equal(await brushes.count(), 5);
    await panel(page).locator("select").first().selectOption("snowman");
    await eventually(async () => assert.equal(await brushes.count(), 9));
    await choose(page, "small ball");
    await page.mouse.click(...(await middle(page, 1, 4)));
    await has(page, /^X#--3-X$/m);
  }));

test("a quick stroke has no gaps, and is undone at once", () =>
  withPage(async (page) => {
    await begin(page, "sokoban");
    await choose(page, "wall");
    const before = await text(page).inputValue();
    const [x, y] = await middle(page, 4, 1);
    await page.mouse.move(x, y);
    await page.mouse.down();
    // One event for five squares.
    await page.mouse.move(...(await middle(page, 4, 6)));
    await page.mouse.up();
    await has(page, /^########\n########\n$/m);
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await eventually(async () => assert.equal(await text(page).inputValue(), before));
  }));

test("atoms that are painted have the colours of their elements", () =>
  withPage(async (page) => {
    await begin(page, "sokobond");
    const colours = { hydrogen: null, oxygen: null, carbon: null };
    for (const [name, ...at] of [
      ["hydrogen", 1, 3],
      ["oxygen", 1, 4],
      ["carbon", 3, 2],
      ["hydrogen", 3, 3],
      ["oxygen", 2, 2],
    ]) {
      await choose(page, name);
      await page.mouse.click(...(await middle(page, ...at)));
      await eventually(async () => {
        const atoms = await page
          .locator(".board.painting .atom")
          .evaluateAll((all) =>
            all.map((atom) => [
              atom.getAttribute("class").split(" ")[1],
              getComputedStyle(atom.querySelector("circle")).fill,
            ]),
          );
        for (const [element, fill] of atoms) {
          colours[element] ??= fill;
          assert.equal(fill, colours[element], element);
        }
      });
    }
    assert.equal(new Set(Object.values(colours)).size, 3);
  }));

test("levels are pasted anywhere, and a link of this page is known", () =>
  withPage(async (page) => {
    const put = (text) =>
      page.evaluate((text) => {
        const data = new DataTransfer();
        data.setData("text/plain", text);
        document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
      }, text);
    await put("Look at this:\n\n```\n#######\n# @ $.#\n#######\n```\n");
    await eventually(async () =>
      assert.deepEqual(await onBoard(page), [
        "row 2, column 3: player",
        "row 2, column 5: box",
        "row 2, column 6: goal",
      ]),
    );
    const link = await page.evaluate(() => {
      window.dispatchEvent(new Event("pagehide"));
      return location.href;
    });
    await own(page, "snowman", "first-snowman");
    await paste(page, link);
    await page.locator(".board[data-puzzle=sokoban]").waitFor();
  }));

test("texts in other letters are read, and several files are one collection", () =>
  withPage(async (page) => {
    const level = (title) => `#####\n#@$.#\n#####\n\nTitle: ${title}\n`;
    const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(level("Größe"), "utf16le")]);
    const narrow = Buffer.from(level("Größe"), "latin1");
    await page.getByRole("tab", { name: "Levels" }).click();
    const files = page.locator("input[type=file]");
    for (const buffer of [wide, narrow]) {
      await own(page, "sokoban", "pantry");
      await files.setInputFiles({ name: "one.xsb", mimeType: "text/plain", buffer });
      await page.locator(".title", { hasText: /^Größe$/ }).waitFor();
    }
    await files.setInputFiles(
      ["One", "Two"].map((title) => ({
        name: `${title}.xsb`,
        mimeType: "text/plain",
        buffer: Buffer.from(level(title)),
      })),
    );
    await page.locator(".place", { hasText: "1 / 2" }).waitFor();
  }));
