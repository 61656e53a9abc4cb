// PuzzleScript games whole, collections that are checked, levels that teach, and links that challenge.

import assert from "node:assert/strict";
import { test } from "node:test";
import { counted, eventually, own, panel, paste, reload, site } from "./browser.mjs";

const { withPage, another } = site();

const GAME = `title Two Rooms
author Somebody
homepage example.org

OBJECTS

Background
darkgreen

Wall
brown

Player
blue

Crate
orange
00000
0...0
0...0
0...0
00000

Target
yellow

======
LEGEND
======

. = Background
# = Wall
P = Player
* = Crate
O = Target

SOUNDS

COLLISIONLAYERS
Background
Target
Player, Wall, Crate

RULES
[ > Player | Crate ] -> [ > Player | > Crate ]

WINCONDITIONS
All Target on Crate

LEVELS

message Push it home.

######
#P*O.#
######

message Now this one.

#######
#P.*.O#
#######

message The end.

#####
#P.*#
#..O#
#...#
#####

message Well done.
`;

test("a game has its title, its author and its messages", () =>
  withPage(async (page) => {
    await paste(page, GAME);
    await page.locator(".title", { hasText: "Two Rooms" }).waitFor();
    await page.locator(".author", { hasText: "by Somebody" }).waitFor();
    const told = (words) => page.locator(".message", { hasText: words });
    await told("Push it home.").waitFor();
    await page.keyboard.press("x");
    assert.equal(await page.locator(".message").count(), 0);
    await page.keyboard.press("ArrowRight");
    await page.locator(".won").waitFor();
    await page.keyboard.press("Enter");
    await told("Now this one.").getByRole("button", { name: "Go on" }).click();
    await page.locator(".place", { hasText: "2 / 3" }).waitFor();
    for (let step = 0; step < 3; step += 1) await page.keyboard.press("ArrowRight");
    await page.locator(".won").waitFor();
    await page.keyboard.press("Enter");
    await told("The end.").waitFor();
    await page.keyboard.press("x");
    for (const key of ["ArrowUp", "ArrowRight", "ArrowDown"]) await page.keyboard.press(key);
    await page.locator(".won, .counters").first().waitFor();
  }));

test("all levels are checked, and each has a badge", () =>
  withPage(async (page) => {
    await paste(page, GAME);
    await page.getByRole("tab", { name: "Levels" }).click();
    await page.locator(".collection").getByRole("button", { name: "Check all" }).click();
    const badges = page.locator(".collection .check");
    await eventually(async () => assert.equal(await badges.count(), 3));
    const said = await badges.allInnerTexts();
    assert.match(said[0], /^Solvable · 1 move · proved shortest/);
    assert.match(said[1], /^Solvable · 3 moves · proved shortest/);
    await page.locator(".collection").getByRole("button", { name: "Check all" }).waitFor();
  }));

test("a game is written beside its board: a fault at its line, sprites as brushes, each map painted", () =>
  withPage(async (page) => {
    await paste(page, GAME);
    await page.keyboard.press("x");
    await page.getByRole("tab", { name: "Design" }).click();
    // Brushes are what the game draws.
    await page.locator(".paints [title=crate] svg.tile rect[fill]").first().waitFor({ state: "attached" });
    assert.deepEqual(
      await page.locator(".paints input").evaluateAll((all) => all.map((one) => one.ariaLabel)),
      ["background", "wall", "player", "crate", "target"],
    );
    await page.getByRole("button", { name: "Text of the game" }).click();
    const editor = page.locator(".cm-content");
    await editor.waitFor();
    assert.match(await editor.innerText(), /title Two Rooms/);
    await page.getByRole("button", { name: "Check all" }).last().click();
    await eventually(async () => assert.equal(await panel(page).locator(".checks .check").count(), 3));
    // The second map is painted.
    await panel(page).locator(".checks button").nth(1).click();
    await page.locator('.board.painting [data-cell="1,6"]').waitFor();
    await page.getByRole("radio", { name: "wall", exact: true }).check();
    await page.locator('.board.painting [data-cell="1,2"]').click({ force: true });
    await panel(page).locator(".badge.verdict-name", { hasText: "Unsolvable" }).waitFor();
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await panel(page).locator(".badge.verdict-name", { hasText: "Solvable" }).waitFor();
    // A fault is said, and leads to its line.
    await editor.click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("nonsense\n");
    await page.locator(".cm-lintRange, .cm-lint-marker").first().waitFor();
    await panel(page).locator(".warnings summary, .verdict .fault").first().waitFor();
  }));

test("our own levels are a path without traps; those that cannot be solved are a shelf of their own", () =>
  withPage(async (page) => {
    await page.getByRole("tab", { name: "Levels" }).click();
    const seen = page.locator(".samples > .cards .card .name");
    await eventually(async () => assert.ok((await seen.count()) >= 8));
    const names = await seen.allInnerTexts();
    assert.match(names[0], /^First push/);
    for (const trap of ["No way out", "Stuck", "Lost halls"])
      assert.ok(!names.some((name) => name.startsWith(trap)), trap);
    await page.getByText("Unsolvable? Prove it").click();
    const traps = await page.locator(".traps .card .name").allInnerTexts();
    for (const trap of ["No way out", "Stuck", "Lost halls"])
      assert.ok(
        traps.some((name) => name.startsWith(trap)),
        trap,
      );
  }));

test("every level of the paths can be won, as their files say", () =>
  withPage(async (page, address) => {
    const samples = await (await page.request.get(new URL("samples.json", address).href)).json();
    for (const { name, traps, unsolvable } of samples.filter((one) => !one.unsolvable))
      assert.ok(!unsolvable && !traps.includes(0), name);
    assert.ok(samples.filter((one) => one.unsolvable).length >= 20);
    assert.ok(!samples.some(({ name }) => ["cut-off", "two-robots"].includes(name)), "what no family reads");
  }));

test("a win is a challenge to a friend: the level first, the record in words, the way there hidden", () =>
  withPage(async (page) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await own(page, "sokoban", "first-push");
    await page.keyboard.press("ArrowRight");
    await page.getByRole("button", { name: "Challenge a friend" }).click();
    await page.locator(".remark", { hasText: /Copied/ }).waitFor();
    const said = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(said, /^I solved “First push” in 1 push\. Proved shortest\. Can you\? http/);
    const friend = await another(said.slice(said.indexOf("http")));
    await friend
      .getByText("A friend solved this in 1 push. Nobody can do better: that is proved. Can you?")
      .waitFor();
    await counted(friend, 0);
    assert.equal(await friend.locator(".film").count(), 0);
    await friend.keyboard.press("ArrowRight");
    await friend.locator(".won .seal").waitFor();
    await friend.keyboard.press("z");
    await friend.getByRole("button", { name: "Show me" }).click();
    await friend.locator(".film").waitFor();
  }));

test("the level of the day is the same for all, and another one tomorrow", () =>
  withPage(async (page, address) => {
    const seen = async (time) => {
      const context = await page.context().browser().newContext();
      const other = await context.newPage();
      await other.clock.setFixedTime(time);
      await other.goto(address);
      await other.getByRole("tab", { name: "Levels" }).click();
      const name = await other.locator(".daily").innerText();
      await context.close();
      return name;
    };
    const [today, again, tomorrow] = [
      await seen(new Date("2026-11-27T10:00:00")),
      await seen(new Date("2026-11-27T22:00:00")),
      await seen(new Date("2026-11-28T10:00:00")),
    ];
    assert.equal(today, again);
    assert.notEqual(today, tomorrow);
    await page.getByRole("tab", { name: "Levels" }).click();
    await page.locator(".daily").click();
    await reload(page);
    await page.locator(".board").waitFor();
  }));
