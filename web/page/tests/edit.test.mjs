// The editor, links, and visits without a network.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { eventually, onBoard, own, panel, paste, shared, site, solve, swipe } from "./browser.mjs";

const { withPage, another } = site();

/** A paint of each family, the cell of the first board that it goes to, and what the text has then. */
const PAINTED = [
  ["sokoban", "goal", [1, 3], /^#  \.   #$/m],
  ["sokobond", "hydrogen", [2, 2], /^x-ho--x$/m],
  ["snowman", "snow", [1, 2], /^X#\*-2-X$/m],
  ["warehouse", "wall", [1, 1], /^##\.\.\.#$/m],
  ["flow", "hole", [1, 1], /^\.#\.\.$/m],
];

/** The formats that the editor writes a level of each family in, by the ends of their files. */
const FORMATS = {
  sokoban: ["xsb", "rle.txt"],
  sokobond: ["sokobond", "v2.sokobond"],
  snowman: ["snowman", "author.snowman"],
  warehouse: ["warehouse"],
  // An address of puzz.link means the rules of Nikoli, which the level of the editor does not have.
  flow: ["txt", "wh.txt", "drawing.txt", "json"],
};

/** Begins a level of a family in the editor; its text. */
async function begin(page, puzzle) {
  await page.getByRole("tab", { name: "Design" }).click();
  await panel(page).locator("select").first().selectOption(puzzle);
  await panel(page).getByRole("button", { name: "New level" }).click();
  return page.getByLabel("The level as text");
}

const choose = (page, paint) => page.getByRole("radio", { name: paint, exact: true }).check();

/** A cell of a board that is painted: what is done to it, is done by the mouse. */
function cell(page, row, column, board = 0) {
  const there = page.locator(".board.painting").nth(board).locator(`[data-cell="${row},${column}"]`);
  const middle = async () => {
    await there.scrollIntoViewIfNeeded();
    const { x, y, width, height } = await there.boundingBox();
    return [x + width / 2, y + height / 2];
  };
  return {
    middle,
    click: async () => page.mouse.click(...(await middle())),
    hover: async () => page.mouse.move(...(await middle()), { steps: 4 }),
  };
}

const has = (text, pattern) => eventually(async () => assert.match(await text.inputValue(), pattern));
const judged = (page, pattern) => panel(page).locator(".verdict .sentence", { hasText: pattern }).waitFor();
const undo = (page) => page.getByRole("button", { name: "Undo", exact: true }).click();

/** Presses a download button; name and content of what comes. */
async function downloaded(page, button) {
  const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
  return [download.suggestedFilename(), (await readFile(await download.path())).toString("latin1")];
}

for (const [puzzle, paint, [row, column], painted] of PAINTED) {
  test(`${puzzle}: edited, judged while one edits, turned, taken back, exported, played`, () =>
    withPage(async (page) => {
      const text = await begin(page, puzzle);
      const first = await text.inputValue();
      // What a designer begins with can be solved, and says so.
      await judged(page, /solved/i);
      await panel(page).locator(".badge.verdict-name", { hasText: "Solvable" }).waitFor();
      await choose(page, paint);
      await cell(page, row, column).click();
      await has(text, painted);
      await panel(page).locator(".verdict").locator(".sentence, .fault", { hasText: /\S/ }).first().waitFor();
      await undo(page);
      await eventually(async () => assert.equal(await text.inputValue(), first, "taken back"));
      for (let turn = 0; turn < 2; turn += 1) await page.getByRole("button", { name: "Mirror" }).click();
      for (let turn = 0; turn < 4; turn += 1) await page.getByRole("button", { name: "Rotate" }).click();
      await eventually(async () => assert.equal(await text.inputValue(), first, "turned all round"));
      const cells = page.locator(".board.painting [data-cell]");
      const count = await cells.count();
      await page.getByLabel("Columns").fill("12");
      await page.getByLabel("Columns").blur();
      await eventually(async () => assert.ok((await cells.count()) > count, "wider"));
      await undo(page);
      await eventually(async () => assert.equal(await cells.count(), count, "as wide as before"));
      const buttons = panel(page).getByRole("group", { name: "Download" }).getByRole("button");
      await eventually(async () => assert.equal(await buttons.count(), FORMATS[puzzle].length + 3));
      const files = [];
      for (const button of await buttons.all()) files.push(await downloaded(page, button));
      const [asItStands, svg, png] = [files.shift(), ...files.splice(-2)];
      assert.deepEqual(asItStands, ["level.txt", first]);
      assert.ok(svg[0] === "level.svg" && svg[1].startsWith("<svg"), String(svg).slice(0, 40));
      assert.ok(png[0] === "level.png" && png[1].startsWith("\x89PNG"), String(png).slice(0, 40));
      assert.deepEqual(
        files.map(([name]) => name),
        FORMATS[puzzle].map((end) => `level.${end}`),
      );
      await page.getByRole("button", { name: "Play this level" }).click();
      await page.locator(`.board:not(.painting)[data-puzzle=${puzzle}]`).waitFor();
      const played = await onBoard(page);
      // Every format is read again as the same level; other labels are other letters.
      for (const [name, content] of files.filter(([name]) => !/link|json/.test(name))) {
        await paste(page, content, puzzle);
        await eventually(async () => assert.deepEqual(await onBoard(page), played, name));
      }
    }));
}

test("what one begins to design while the level on the board is read stays", () =>
  withPage(async (page) => {
    // The engine gets the question for the level's own format when it is released.
    await page.addInitScript(() => {
      const post = Worker.prototype.postMessage;
      Worker.prototype.postMessage = function (message, ...rest) {
        if (message.ask?.ask !== "formats") return post.call(this, message, ...rest);
        window.release = () =>
          new Promise((answered) => {
            this.addEventListener("message", () => setTimeout(answered), { once: true });
            post.call(this, message, ...rest);
          });
      };
    });
    await page.reload();
    await page.waitForFunction(() => window.release !== undefined);
    const text = await begin(page, "sokobond");
    await page.evaluate(() => window.release());
    await choose(page, "hydrogen");
    await cell(page, 2, 2).click();
    await has(text, /^x-ho--x$/m);
  }, {}));

test("signs on bonds are painted on corners, and turn with the level", () =>
  withPage(async (page) => {
    const text = await begin(page, "sokobond");
    await choose(page, "turns bonds");
    await cell(page, 1, 2).click();
    await has(text, /^v2\nx x x x x x x\n\nx H - - - - x\n     @\nx - - o/);
    await page.locator(".board.painting [data-corner=rotate]").waitFor();
    await page.getByRole("button", { name: "Mirror" }).click();
    await has(text, /^x - - - - H x\n       @\n/m);
    await page.getByRole("button", { name: "Rotate" }).click();
    await page.locator(".board.painting [data-corner=rotate]").waitFor();
    await choose(page, "weakens bonds");
    await cell(page, 3, 2).click();
    await has(text, /\//);
    await cell(page, 3, 2).click();
    await eventually(async () =>
      assert.equal(await page.locator(".board.painting [data-corner]").count(), 0),
    );
    assert.equal(await panel(page).locator(".fault").count(), 0);
  }));

test("walls, warps and links of Flow are painted between cells, and its options chosen", () =>
  withPage(async (page) => {
    const text = await begin(page, "flow");
    await choose(page, "wall between two cells");
    await cell(page, 0, 0).click();
    await cell(page, 1, 0).click();
    await has(text, /^WALL 0,0 1,0$/m);
    await page.locator(".board.painting .wall-between").waitFor({ state: "attached" });
    await choose(page, "warp or link of two cells");
    await cell(page, 2, 0).click();
    await cell(page, 2, 3).click();
    await has(text, /^WARP row 2$/m);
    // Drawn from the one to the other.
    await cell(page, 0, 1).hover();
    await page.mouse.down();
    await cell(page, 1, 2).hover();
    await page.mouse.up();
    await has(text, /^LINK 0,1 1,2$/m);
    await judged(page, /\S/);
    await page.getByRole("button", { name: "Rotate" }).click();
    await has(text, /^WALL 0,3 0,2$/m);
    await has(text, /^WARP column 1$/m);
    await has(text, /^LINK 1,3 2,2$/m);
    await choose(page, "wall between two cells");
    await cell(page, 0, 2).click();
    await cell(page, 0, 3).click();
    await eventually(async () =>
      assert.doesNotMatch(await text.inputValue(), /WALL/, "a second tap removes it"),
    );
    await panel(page).locator("[data-option=cover] select").selectOption("no");
    await page.getByRole("button", { name: "Play this level" }).click();
    await page.locator(".board:not(.painting)").waitFor();
    await page.getByRole("tab", { name: "Levels" }).click();
    const cover = panel(page).locator("[data-option=cover] select");
    await eventually(async () => assert.equal(await cover.inputValue(), "no"));
  }));

test("both maps of a warehouse are painted and turned", () =>
  withPage(async (page) => {
    const text = await begin(page, "warehouse");
    await choose(page, "anything (goal map)");
    await cell(page, 2, 2, 1).click();
    await has(text, /\n\n######\n#O\.\.\.#\n#\.\?\.\.#\n/);
    await page.getByRole("button", { name: "Mirror" }).click();
    await has(text, /^#\.@O\.#$[^]*^#\.\.\.O#\n#\.\.\?\.#$/m);
    await judged(page, /solved/);
  }));

test("a level is painted by keys and by a finger, a stroke at a time", () =>
  withPage(
    async (page) => {
      const text = await begin(page, "sokoban");
      await choose(page, "wall");
      await page.locator(".board.painting").focus();
      for (const key of ["ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight", " "])
        await page.keyboard.press(key);
      await has(text, /^#  #   #$/m);
      await choose(page, "box");
      await swipe(page, [await cell(page, 0, 1).middle(), await cell(page, 0, 4).middle()]);
      await has(text, /^#\$\$\$\$###$/m);
      await undo(page);
      await has(text, /^########\n#  #   #$/m);
    },
    { hasTouch: true, viewport: { width: 390, height: 844 } },
  ));

test("strokes are undone and made again by keys", () =>
  withPage(async (page) => {
    const text = await begin(page, "sokoban");
    await choose(page, "wall");
    await cell(page, 1, 3).click();
    await has(text, /^#  #   #$/m);
    await page.locator(".board.painting").focus();
    await page.keyboard.press("Control+z");
    await eventually(async () => assert.doesNotMatch(await text.inputValue(), /^#  #   #$/m));
    await page.keyboard.press("Control+Shift+z");
    await has(text, /^#  #   #$/m);
  }));

test("symmetric painting does both sides", () =>
  withPage(async (page) => {
    const text = await begin(page, "sokoban");
    await page.getByLabel("Symmetric").check();
    await choose(page, "wall");
    await cell(page, 1, 2).click();
    await has(text, /^# #  # #$/m);
  }));

test("a level of one's own: sized within its walls, drawn, judged, counted, named, played and proved", () =>
  withPage(async (page) => {
    const text = await begin(page, "sokoban");
    for (const [size, length] of [
      ["Rows", "5"],
      ["Columns", "9"],
    ]) {
      await page.getByLabel(size).fill(length);
      await page.getByLabel(size).blur();
    }
    await has(text, /^#########\n#       #\n# @\$ \.  #\n#       #\n#########\n$/);
    // There is one player: put elsewhere, it leaves floor.
    for (const [paint, ...at] of [
      ["floor", 2, 5],
      ["goal", 2, 6],
      ["player", 3, 2],
    ]) {
      await choose(page, paint);
      await cell(page, ...at).click();
    }
    await has(text, /^#########\n#       #\n#  \$  \. #\n# @     #\n#########\n$/);
    await judged(page, /solved in \d+ moves and 3 pushes; no solution has fewer/);
    for (const badge of ["Solvable", "3 pushes", "proved shortest", "unique"]) {
      await panel(page).locator(".badge", { hasText: badge }).waitFor();
    }
    await panel(page).locator(".verdict .how", { hasText: "there is only one shortest solution" }).waitFor();
    await page.getByRole("textbox", { name: "Title" }).fill("Mine");
    await page.getByLabel("Author").fill("Me");
    const xsb = panel(page).getByRole("button", { name: "XSB" });
    await eventually(async () => assert.ok(await xsb.isEnabled()));
    await eventually(async () => {
      const [name, content] = await downloaded(page, xsb);
      assert.equal(name, "mine.xsb");
      assert.match(content, /Title: Mine\nAuthor: Me\n$/);
    });
    await page.getByRole("button", { name: "Play this level" }).click();
    await page.locator(".board.playing").waitFor();
    await page.locator(".title", { hasText: "Mine" }).waitFor();
    await page.getByRole("tab", { name: "Solve" }).click();
    await panel(page).getByRole("button", { name: "Prove" }).click();
    await page.locator(".certificate", { hasText: /solvable with 3 pushes/ }).waitFor();
  }));

test("a number that is being typed outlives what is drawn meanwhile", () =>
  withPage(async (page) => {
    const text = await begin(page, "sokoban");
    await page.getByLabel("Rows").fill("5");
    // Drawn anew while the number is half typed: the paint is chosen without leaving the field.
    await page.evaluate(() => [...document.querySelectorAll("input[name=paint]")].at(-1).click());
    await page.locator("label.chosen input[name=paint]").last().waitFor({ state: "attached" });
    assert.equal(await page.getByLabel("Rows").inputValue(), "5");
    await page.getByLabel("Rows").blur();
    await has(text, /^########\n#      #\n# @\$ \. #\n#      #\n########\n$/);
    // What is no number leaves the old one; what is too large the largest.
    for (const [written, rows] of [
      ["", "5"],
      ["1000", "100"],
    ]) {
      await page.getByLabel("Rows").fill(written);
      await page.getByLabel("Rows").blur();
      await eventually(async () => assert.equal(await page.getByLabel("Rows").inputValue(), rows));
    }
  }));

test("a level that was read in another format is edited in the family's own", () =>
  withPage(async (page) => {
    await paste(page, "https://puzz.link/p?numlin/3/2/1g21g2\n");
    await page.getByRole("tab", { name: "Design" }).click();
    const text = page.getByLabel("The level as text");
    await has(text, /^shape: square\ntouch: allow\ncover: no\n\n1\.2\n1\.2\n/);
  }));

test("a level in a line, as the page writes it, is recognised", () =>
  withPage(async (page) => {
    await own(page, "sokoban", "pantry");
    const before = await onBoard(page);
    const button = panel(page).getByRole("button", { name: "run lengths" });
    await eventually(async () => assert.ok(await button.isEnabled()));
    const [name, content] = await downloaded(page, button);
    assert.equal(name, "the-pantry.rle.txt");
    await own(page, "snowman", "first-snowman");
    await paste(page, content);
    await eventually(async () => assert.deepEqual(await onBoard(page), before));
  }));

test("a link carries level, options and solution", () =>
  withPage(async (page) => {
    await paste(page, "A..\n...\n..A\n", "flow");
    const opened = page.url();
    await panel(page).locator("[data-option=cover] select").selectOption("no");
    await page.waitForFunction((opened) => location.href !== opened, opened);
    await solve(page);
    const again = await another(await shared(page, "Copy a link with this solution"));
    await page.getByRole("button", { name: "Show the solution" }).first().click();
    const line = await page.locator(".board .other .stroke").getAttribute("d");
    await eventually(async () =>
      assert.equal(await again.locator(".board .drawn .stroke").getAttribute("d"), line),
    );
    await again.getByText("Solved!").first().waitFor();
    await again.getByRole("tab", { name: "Levels" }).click();
    await eventually(async () =>
      assert.equal(await again.locator("#panel-level [data-option=cover] select").inputValue(), "no"),
    );
  }));

test("a second solution is drawn where it differs", () =>
  withPage(async (page) => {
    const text = await begin(page, "flow");
    await text.fill("shape: square\n\nA..\n...\n..A\n");
    await panel(page).locator("[data-option=cover] select").selectOption("no");
    await panel(page).locator(".badge", { hasText: "several solutions" }).waitFor();
    await page.locator(".board.painting .other .stroke").waitFor();
  }));

test("a second shortest solution of a game is drawn where it parts from the first, and said", () =>
  withPage(async (page) => {
    const text = await begin(page, "sokoban");
    await text.fill("########\n#      #\n#      #\n#  $   #\n# @    #\n#    . #\n########\n");
    await panel(page).locator(".badge", { hasText: "several solutions" }).waitFor();
    const box = "row 4, column 4";
    const words = new RegExp(
      `1 moves the box in ${box} to row (\\d), column (\\d); 2 moves the box in ${box} to`,
    );
    await panel(page).locator(".how", { hasText: words }).waitFor();
    const arrow = (of, way) => of.locator(`.board .mark.way-${way} .bar`);
    const drawn = await Promise.all([1, 2].map((way) => arrow(page, way).getAttribute("d")));
    assert.deepEqual([...drawn].sort(), ["M3.5 3.5L3.5 4.5", "M3.5 3.5L4.5 3.5"]);
    assert.equal(await page.locator(".board .ghosts .is-box").count(), 2);
    // Beside the game, too.
    await page.getByRole("button", { name: "Play this level" }).click();
    await solve(page);
    await page.getByRole("button", { name: "Is this the only shortest solution?" }).click();
    await page.getByRole("button", { name: "Show where they part" }).click();
    assert.deepEqual(await Promise.all([1, 2].map((way) => arrow(page, way).getAttribute("d"))), drawn);
    await page.getByRole("button", { name: "Show where they part" }).click();
    await eventually(async () => assert.equal(await arrow(page, 1).count(), 0));
    await panel(page).getByText("Another solution").waitFor();
    await page.getByRole("button", { name: "Watch the solution" }).last().click();
    const film = page.locator(".film");
    await film.getByLabel("Speed").fill("30");
    await eventually(async () => {
      const [at, length] = (await film.locator(".steps").innerText()).split(" / ");
      assert.equal(at, length);
    });
    assert.ok((await onBoard(page)).includes("row 6, column 6: box, goal"));
  }));

test("after the first visit the page works without a network", () =>
  withPage(async (page) => {
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.waitForFunction(async () => {
      const names = await caches.keys();
      const cache = names.length === 1 ? await caches.open(names[0]) : null;
      return cache !== null && (await cache.match("solver.wasm")) !== undefined;
    });
    await page.context().setOffline(true);
    // Also where the address has a query, as links from elsewhere have.
    await page.goto(`${new URL(page.url()).origin}/?from=elsewhere`);
    await page.waitForFunction(() => document.documentElement.dataset.ready === "true");
    await own(page, "sokoban", "pantry");
    assert.match(await solve(page), /solved in/);
  }, {}));
