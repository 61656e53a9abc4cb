// PuzzleScript games whole, collections that are checked, levels that teach, and links that challenge.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { counted, eventually, open, own, panel, paste, reload, site } from "./browser.mjs";
import { program } from "./engine.mjs";

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
    assert.equal(await page.getByRole("button", { name: "Act", exact: true }).count(), 1);
    const told = (words) => page.locator(".message", { hasText: words });
    await told("Push it home.").waitFor();
    await page.keyboard.press("x");
    assert.equal(await page.locator(".message").count(), 0);
    await page.keyboard.press("ArrowRight");
    // Of such a game one counts moves.
    await page.locator(".won p", { hasText: "1 move" }).waitFor();
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

test("a game without an action has no button for it", () =>
  withPage(async (page) => {
    await paste(page, GAME.replace("homepage example.org", "noaction"));
    await page.keyboard.press("x");
    assert.equal(await page.getByRole("button", { name: "Act", exact: true }).count(), 0);
    await page.keyboard.press("x");
    await page.keyboard.press("ArrowRight");
    await page.locator(".won").waitFor();
    assert.equal(await page.locator(".counters b").first().innerText(), "1");
  }));

test("all levels are checked, and each has a badge; rules of no use are named", () =>
  withPage(async (page) => {
    const push = "[ > Player | Crate ] -> [ > Player | > Crate ]\n";
    const game = GAME.replace(push, `${push}[ > Player | Crate | Crate ] -> [ Player | Crate | Crate ]\n`);
    await paste(page, game);
    await page.getByRole("tab", { name: "Levels" }).click();
    await page.locator(".collection").getByRole("button", { name: "Check all" }).click();
    const badges = page.locator(".collection .check");
    await eventually(async () => assert.equal(await badges.count(), 3));
    const said = await badges.allInnerTexts();
    assert.match(said[0], /^Solvable · 1 move · proved shortest/);
    assert.match(said[1], /^Solvable · 3 moves · proved shortest · unique/);
    const [line] = [game.split("\n").findIndex((line) => line.includes("Crate | Crate ] ->")) + 1];
    await page.locator(".idle", { hasText: `act in no shortest solution: line ${line}.` }).waitFor();
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

/** The level of the day as one sees it who opens the page at a time: its text, and what is said of it. */
async function ofDay(page, address, time, options = {}) {
  const other = await open(page.context().browser(), address, { time, ...options });
  await other.getByRole("tab", { name: "Levels" }).click();
  await other.locator(".daily").click();
  await other.locator(".status", { hasText: /fewest possible/ }).waitFor();
  await other.getByRole("tab", { name: "Levels" }).click();
  await other.locator(".daily .seal").waitFor();
  const said = await other.locator(".daily").innerText();
  await other.getByRole("tab", { name: "Design" }).click();
  const text = await panel(other).getByLabel("The level as text").inputValue();
  await other.context().close();
  return { said, text };
}

test("the level of the day is the same for all, another one tomorrow, and what its seal says is so", () =>
  withPage(async (page, address) => {
    const today = await ofDay(page, address, new Date("2026-11-26T10:00:00"));
    const again = await ofDay(page, address, new Date("2026-11-26T22:00:00"), { locale: "de" });
    assert.deepEqual(today, again);
    const tomorrow = await ofDay(page, address, new Date("2026-11-30T10:00:00"));
    assert.notEqual(today.text, tomorrow.text);
    const [, pushes] = /Sokoban · (\d+) pushes · proved shortest/.exec(today.said) ?? [];
    assert.ok(Number(pushes) >= 14, today.said);
    const run = spawnSync(program, ["solve", "-", "--puzzle", "sokoban", "--json"], {
      encoding: "utf8",
      input: today.text,
    });
    const answer = JSON.parse(run.stdout);
    assert.equal(answer.optimal, true);
    assert.equal(answer.solution.length.pushes, Number(pushes));
  }));

test("whoever reloads has the level of the day, and its seal, without making it once more", () =>
  withPage(async (page) => {
    await page.getByRole("tab", { name: "Levels" }).click();
    await page.locator(".daily").click();
    await page.getByRole("tab", { name: "Levels" }).click();
    await page.locator(".daily .seal").waitFor();
    const title = await page.locator(".title").innerText();
    await reload(page);
    assert.equal(await page.locator(".title").innerText(), title);
    await page.getByRole("tab", { name: "Levels" }).click();
    await page.locator(".daily .seal").waitFor();
  }));

/** A game in which what is dropped falls on by itself, a board each 250 ms. */
const FALLING = GAME.replace("homepage example.org", "again_interval 0.25")
  .replace(
    "> Crate ]\n",
    "> Crate ] again\ndown [ stationary Crate | no Wall no Player no Crate ] -> [ down Crate | ] again\n",
  )
  .replace(
    /LEVELS[^]*/,
    "LEVELS\n\n#######\n#.....#\n#P*...#\n###...#\n###...#\n###...#\n###..O#\n#######\n",
  );

test("a turn that goes on by itself is shown in steps, and who goes on meanwhile loses no key", () =>
  withPage(
    async (page) => {
      await paste(page, FALLING);
      const crate = page.locator(".board [aria-label$=crate], .board [aria-label*='crate']");
      const row = async () => /row (\d+)/.exec((await crate.first().getAttribute("aria-label")) ?? "")?.[1];
      await page.evaluate(() => {
        window.rows = [];
        const look = () => {
          const label = document.querySelector(".board [aria-label*='crate']")?.getAttribute("aria-label");
          const row = /row (\d+)/.exec(label ?? "")?.[1];
          if (row !== undefined && window.rows.at(-1) !== row) window.rows.push(row);
          requestAnimationFrame(look);
        };
        look();
      });
      await page.keyboard.press("ArrowRight");
      // Every row on the way down was seen.
      const seen = () => page.evaluate(() => window.rows);
      await eventually(async () => assert.deepEqual(await seen(), ["3", "4", "5", "6", "7"]));
      await page.keyboard.press("z");
      await eventually(async () => assert.equal(await row(), "3"));
      for (const key of ["ArrowRight", "ArrowRight", "ArrowUp"]) await page.keyboard.press(key);
      await counted(page, 3);
      await eventually(async () => assert.equal(await row(), "7"));
    },
    { reducedMotion: "no-preference" },
  ));

test("a key asks for a hint, and another one solves from where the game stands", () =>
  withPage(async (page) => {
    await paste(page, GAME);
    await page.keyboard.press("x");
    await page.keyboard.press("h");
    await page.locator(".remark", { hasText: /→/ }).waitFor();
    await own(page, "sokoban", "pantry");
    await page.keyboard.press("ArrowLeft");
    await counted(page, 1);
    await page.keyboard.press("f");
    await page.locator(".film").waitFor();
    // From the position on the board, not from the beginning.
    await eventually(async () => {
      const [at, of] = (await page.locator(".film .steps").innerText()).split(" / ").map(Number);
      assert.ok(at >= 1 && of >= 24, `${at} of ${of}`);
    });
    await page.keyboard.press("End");
    await eventually(async () => {
      const [at, of] = (await page.locator(".film .steps").innerText()).split(" / ").map(Number);
      assert.equal(at, of);
    });
    await page.keyboard.press("Escape");
    await counted(page, 1);
    await own(page, "flow", "first-paths");
    await page.keyboard.press("f");
    await page.locator(".board .other path").first().waitFor({ state: "attached" });
  }));
