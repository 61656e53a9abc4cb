// Nothing is lost: between tabs, over reloads in any order, in a browser that is full.

import assert from "node:assert/strict";
import { test } from "node:test";
import { counted, eventually, own, panel, paste, reload, site } from "./browser.mjs";

const { withPage } = site();

const ROOM = "#######\n#     #\n# @$. #\n#     #\n#######\n";

/** Another tab of the same browser. */
async function tab(page, address) {
  const other = await page.context().newPage();
  await other.goto(address);
  await other.waitForFunction(() => document.documentElement.dataset.ready === "true");
  return other;
}

const play = async (page, ...keys) => {
  await page.locator(".board").focus();
  for (const key of keys) await page.keyboard.press(key);
};

/** Paints a goal in a new level. */
async function painted(page, column) {
  await page.getByRole("tab", { name: "Design" }).click();
  await page.getByRole("button", { name: "New level" }).click();
  await page.getByRole("radio", { name: "goal", exact: true }).check();
  await page.locator(`.board.painting [data-cell="1,${column}"]`).click({ force: true });
  await has(page, `#${" ".repeat(column - 1)}.`);
}

const text = (page) => page.getByLabel("The level as text");
const has = (page, part) =>
  eventually(async () => assert.ok((await text(page).inputValue()).includes(part), part));

for (const [name, order] of [
  ["the one that painted first", ["a", "b"]],
  ["the one that painted last", ["b", "a"]],
]) {
  test(`what one tab has painted is there when another was closed after it: ${name}`, () =>
    withPage(async (page, address) => {
      const tabs = { a: page, b: await tab(page, address) };
      await painted(tabs.a, 5);
      await tabs.a.waitForTimeout(600);
      const [first, last] = order.map((one) => tabs[one]);
      await first.goto("about:blank");
      await last.goto("about:blank");
      const again = await tab(page, address);
      await again.getByRole("tab", { name: "Design" }).click();
      await has(again, "#    .");
      await again.getByRole("button", { name: "Undo", exact: true }).click();
      await eventually(async () => assert.ok(!(await text(again).inputValue()).includes("#    .")));
      assert.deepEqual(page.faults, []);
    }, {}));
}

/** What is on the shelf, as texts, after a visit. */
async function shelf(page, address) {
  const again = await tab(page, address);
  const mine = again.locator(".shelf .mine .card");
  await again.getByRole("tab", { name: "Levels" }).click();
  await eventually(async () => assert.ok((await mine.count()) >= 2));
  const found = [];
  for (let at = 0; at < (await mine.count()); at += 1) {
    await again.getByRole("tab", { name: "Levels" }).click();
    await mine.nth(at).click();
    await text(again).waitFor();
    found.push(await text(again).inputValue());
  }
  return found.join();
}

for (const [name, isDeaf] of [
  ["at once", false],
  ["without hearing of each other", true],
]) {
  test(`what two tabs have painted ${name} is kept twice, on the shelf`, () =>
    withPage(async (page, address) => {
      await painted(page, 5);
      await page.waitForTimeout(600);
      const other = await tab(page, address);
      await other.getByRole("tab", { name: "Design" }).click();
      await has(other, "#    .");
      // What the browser keeps comes to another tab some time after it was written.
      if (isDeaf)
        await other.evaluate(() => {
          const then = { ...localStorage };
          const { getItem } = Storage.prototype;
          Storage.prototype.getItem = function (key) {
            return then[key] ?? getItem.call(this, key);
          };
        });
      // Both go on with the same level.
      await other.getByRole("radio", { name: "wall", exact: true }).check();
      await page.getByRole("radio", { name: "wall", exact: true }).check();
      const strokes = [
        () => page.locator('.board.painting [data-cell="1,2"]').click({ force: true }),
        () => (isDeaf ? page.waitForTimeout(600) : null),
        () => other.locator('.board.painting [data-cell="1,1"]').click({ force: true }),
      ];
      if (isDeaf) for (const stroke of strokes) await stroke();
      else await Promise.all(strokes.map((stroke) => stroke()));
      await page.waitForTimeout(1_000);
      await page.goto("about:blank");
      await other.goto("about:blank");
      const found = await shelf(page, address);
      assert.ok(found.includes("##   ."), found);
      assert.ok(found.includes("# #  ."), found);
    }, {}));
}

test("two tabs on one level: each keeps its own game, and finds the other's as an earlier attempt", () =>
  withPage(async (page, address) => {
    await paste(page, ROOM);
    const other = await tab(page, address);
    await play(page, "ArrowUp", "ArrowLeft", "ArrowDown", "ArrowDown", "ArrowRight");
    await counted(page, 5);
    await page.waitForTimeout(600);
    await play(other, "ArrowDown");
    await counted(other, 1);
    await other.waitForTimeout(600);
    await reload(page);
    await counted(page, 5);
    for (const left of [4, 3, 2, 1, 0]) {
      await page.keyboard.press("z");
      await counted(page, left);
    }
    await page.keyboard.press("z");
    await counted(page, 1);
    await reload(other);
    await counted(other, 1);
    await other.keyboard.press("z");
    await counted(other, 0);
    await other.keyboard.press("z");
    await counted(other, 5);
  }, {}));

test("a browser without room says so once, and keeps what matters most", () =>
  withPage(async (page) => {
    await paste(page, ROOM);
    await page.evaluate(() => {
      let size = 1 << 20;
      for (let at = 0; size > 0; at += 1) {
        try {
          localStorage.setItem(`other-${at}`, "x".repeat(size));
        } catch {
          size >>= 1;
        }
      }
    });
    await painted(page, 5);
    await page.locator(".notice.full", { hasText: "no room left" }).waitFor();
    // Where old games can make room, nothing is said.
    await page.evaluate(() => {
      for (const key of Object.keys(localStorage)) if (key.startsWith("other-")) localStorage.removeItem(key);
      for (let at = 0; at < 40; at += 1) {
        const game = { moves: "x".repeat(100_000), game: null, time: at };
        try {
          localStorage.setItem(`unstuck-game:old-${at}`, JSON.stringify(game));
        } catch {
          return;
        }
      }
    });
    await page.locator(".notice.full").getByRole("button", { name: "Close" }).click();
    assert.equal(await page.locator(".notice.full").count(), 0);
    await page.locator('.board.painting [data-cell="1,3"]').click({ force: true });
    await eventually(async () => {
      const levels = await page.evaluate(() =>
        Object.keys(localStorage).filter((key) => key.startsWith("unstuck-level:")),
      );
      assert.equal(levels.length, 1);
    });
    assert.equal(await page.locator(".notice.full").count(), 0);
  }, {}));

const walk = (at) =>
  `#######\n#${" ".repeat(at % 3)}@$.${" ".repeat(2 - (at % 3))}#\n#######\n\nTitle: Walk ${at + 1}\n`;

/** Levels of which each is another one. */
const JOURNEY = Array.from({ length: 14 }, (_, at) => {
  const wall = "#".repeat(6 + at);
  return `${wall}\n#@$.${" ".repeat(at)} #\n${wall}\n\nTitle: Walk ${at + 1}\n`;
}).join("\n");

test("a collection, its ticks and the way on outlive a reload, and the address knows the place", () =>
  withPage(async (page, address) => {
    await paste(page, JOURNEY, "sokoban");
    await play(page, "ArrowRight");
    await page.locator(".won").waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".title", { hasText: "Walk 2" }).waitFor();
    await eventually(async () => assert.match(page.url(), /&level=2&of=14&in=/));
    await reload(page);
    await page.locator(".place", { hasText: "2 / 14" }).waitFor();
    await page.getByRole("tab", { name: "Levels" }).click();
    const cards = page.locator(".collection .card");
    assert.equal(await cards.count(), 14);
    await cards.first().locator(".tick").waitFor();
    assert.equal(await page.locator(".collection .tick").count(), 1);
    await play(page, "ArrowRight");
    await page.getByRole("button", { name: "Next level" }).click();
    await page.locator(".title", { hasText: "Walk 3" }).waitFor();
    // And it is found again from elsewhere.
    await own(page, "snowman", "first-snowman");
    await page.goto(address);
    await page.waitForFunction(() => document.documentElement.dataset.ready === "true");
    await page.getByRole("tab", { name: "Levels" }).click();
    await page.locator(".kept button").first().click();
    await page.locator(".title", { hasText: "Walk 3" }).waitFor();
  }));

test("the fewest pushes that are possible are known after a reload", () =>
  withPage(async (page) => {
    await own(page, "sokoban", "pantry");
    const counters = page.locator(".counters");
    await eventually(async () => assert.match(await counters.innerText(), /fewest possible 6/));
    await reload(page);
    await eventually(async () => assert.match(await counters.innerText(), /fewest possible 6/));
  }));

test("a level of one's own keeps text, title and author together when another is opened", () =>
  withPage(async (page) => {
    await painted(page, 5);
    await page.getByLabel("Title").fill("Mine");
    await page.getByLabel("Author").fill("Me");
    await page.getByRole("button", { name: "Play this level" }).click();
    await page.locator(".board.playing").waitFor();
    await own(page, "sokoban", "staircase");
    await page.getByRole("tab", { name: "Design" }).click();
    await eventually(async () => assert.equal(await page.getByLabel("Title").inputValue(), "Staircase"));
    assert.equal(await page.getByLabel("Author").inputValue(), "");
    await page.getByRole("tab", { name: "Levels" }).click();
    const card = panel(page).locator(".shelf .card", { hasText: "Mine" });
    await card.scrollIntoViewIfNeeded();
    await card.locator(".thumbnail svg").waitFor();
    assert.match(await card.innerText(), /by Me/);
    await card.click();
    await has(page, "#    .");
    assert.equal(await page.getByLabel("Title").inputValue(), "Mine");
    assert.equal(await page.getByLabel("Author").inputValue(), "Me");
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await eventually(async () => assert.equal(await page.getByLabel("Author").inputValue(), ""));
    await page.getByRole("tab", { name: "Levels" }).click();
    await page.getByRole("button", { name: "Remove Mine" }).click();
    await eventually(async () => assert.equal(await panel(page).locator(".shelf .card").count(), 0));
    await page.getByRole("button", { name: "Put it back" }).click();
    await panel(page).locator(".shelf .card", { hasText: "Mine" }).waitFor();
  }));

test("a second collection wears its own pictures and ticks", () =>
  withPage(async (page) => {
    const other = JOURNEY.replaceAll("@$.", ".$@").replaceAll("Walk", "Back");
    await paste(page, JOURNEY, "sokoban");
    await play(page, "ArrowRight");
    await page.locator(".won").waitFor();
    const picture = page.locator(".collection .card .thumbnail svg").first();
    const first = await picture.innerHTML();
    await paste(page, other, "sokoban");
    const card = page.locator(".collection .card").first();
    await eventually(async () => assert.notEqual(await picture.innerHTML(), first));
    assert.equal(await page.locator(".collection .tick").count(), 0);
    assert.equal(await card.getAttribute("aria-current"), "true");
  }));

test("levels that are the same twice are gone through in their order", () =>
  withPage(async (page) => {
    const titles = ["One", "Two", "Two again", "End"];
    const boards = [0, 1, 1, 2].map((at) => walk(at).replace(/Title: .*\n/, ""));
    await paste(page, boards.map((board, at) => `${board}Title: ${titles[at]}\n`).join("\n"), "sokoban");
    for (const title of titles) {
      await page.locator(".title", { hasText: new RegExp(`^${title}$`) }).waitFor();
      if (title === "End") break;
      await play(page, "ArrowRight");
      // The second copy is solved with the first: a journey passes it by.
      await page.locator(".won").waitFor();
      await page.keyboard.press("Enter");
      if (title === "Two") {
        await page.locator(".title", { hasText: /^End$/ }).waitFor();
        break;
      }
    }
  }));
