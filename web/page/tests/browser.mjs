// A real browser on the bundled page, served from this machine.

import assert from "node:assert/strict";
import path from "node:path";
import { after, before } from "node:test";
import { chromium } from "playwright-core";
import { DIST, serve as serveFolder } from "../serve.mjs";

/** Serves the bundle on a free port; `UNSTUCK_DIST` names another one, such as that of an earlier commit. */
export const serve = () => serveFolder({ folder: path.resolve(process.env.UNSTUCK_DIST ?? DIST) });

/** How long a busy machine may take for what is done at once on an idle one, in milliseconds. */
const PATIENCE = Number(process.env.UNSTUCK_PATIENCE ?? 60_000);

/** Checks until it holds: what an action changes is drawn when the machine comes to it. */
export async function eventually(check) {
  const end = performance.now() + PATIENCE;
  for (;;) {
    try {
      return await check();
    } catch (fault) {
      if (performance.now() > end) throw fault;
      await new Promise((again) => setTimeout(again, 50));
    }
  }
}

/** The browser that is installed: `UNSTUCK_CHROMIUM`, else where Debian has it. */
export function launch() {
  return chromium.launch({
    executablePath: process.env.UNSTUCK_CHROMIUM || "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/** Whether a level is on the board, and the player answers. */
const ready = () => document.documentElement.dataset.ready === "true";

const row = (inside) => `#${inside}#`;
/** Thirty boxes in a hall: fewest moves are not found in minutes. */
export const HARD = [
  "################",
  row(" ".repeat(14)),
  ...Array.from({ length: 10 }, (_, i) => row(i < 5 ? " $ $ $ $ $ $  " : " . . . . . .  ")),
  row("      @       "),
  "################",
].join("\n");

/** Waits until the solver is here: one worker plays, the others are warm. */
export async function warm(page) {
  const cores = await page.evaluate(() => navigator.hardwareConcurrency);
  const atOnce = Math.max(1, Math.min(3, cores - 1));
  await eventually(async () => assert.equal(page.workers().length, 1 + atOnce));
}

/** Loads the page again. */
export async function reload(page) {
  await page.reload();
  await page.waitForFunction(ready);
}

/** A page of the site at `address` that fails the test on an error of its own, and that fetches from nowhere else. */
export async function open(browser, address, options = {}, first = address) {
  const { cores = null, saves = false, time = null, ...others } = options;
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...others });
  // How many cores the browser says that it has.
  if (cores !== null) {
    await context.addInitScript(
      (cores) => Object.defineProperty(navigator, "hardwareConcurrency", { get: () => cores }),
      cores,
    );
  }
  // That the person wants to save data.
  if (saves) {
    await context.addInitScript(() =>
      Object.defineProperty(navigator, "connection", { get: () => ({ saveData: true }) }),
    );
  }
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  page.asked = [];
  page.faults = [];
  page.on("pageerror", (error) => page.faults.push(String(error)));
  page.on("request", (request) => {
    const url = request.url();
    page.asked.push(path.basename(new URL(url).pathname));
    if (!url.startsWith(address) && !url.startsWith("data:") && !url.startsWith("blob:"))
      page.faults.push(`fetched ${url}`);
  });
  // What its clock says.
  if (time !== null) await page.clock.setFixedTime(time);
  await page.goto(first);
  await page.waitForFunction(ready);
  return page;
}

/** Does what opens another level, and waits until it is open, or until it is told why not. */
async function opening(page, work) {
  // Each level that is opened notes the time in the history of the browser.
  const before = await page.evaluate(() => {
    window.dispatchEvent(new Event("pagehide"));
    return window.history.state?.time ?? 0;
  });
  await work();
  const opened = (before) =>
    (window.history.state?.time ?? 0) > before ||
    document.querySelector("[role=alert], [aria-label*='Which one']") !== null;
  await page.waitForFunction(opened, before);
}

const NAMES = {
  sokoban: "Sokoban",
  sokobond: "Sokobond",
  snowman: "Snowman",
  warehouse: "Warehouse",
  flow: "Flow",
  puzzlescript: "PuzzleScript",
};

/** The panel that is seen. */
export const panel = (page) => page.locator(".panel:not([hidden])");

/** Pastes a level and reads it. */
export async function paste(page, text, puzzle = "") {
  await page.getByRole("tab", { name: "Levels" }).click();
  await page.getByLabel(/Paste a level/).fill(text);
  await panel(page).locator("label", { hasText: "Puzzle" }).locator("select").selectOption(puzzle);
  await opening(page, () => page.getByRole("button", { name: "Load" }).click());
}

/** Opens one of our own levels. */
export async function own(page, puzzle, name) {
  await page.getByRole("tab", { name: "Levels" }).click();
  const game = page.locator(".games .game", { hasText: NAMES[puzzle] });
  if ((await game.getAttribute("aria-current")) !== "true") {
    await opening(page, () => game.click());
    await page.getByRole("tab", { name: "Levels" }).click();
  }
  const title = name.charAt(0).toUpperCase() + name.slice(1).replaceAll("-", " ");
  const named = page.locator(".name", { hasText: new RegExp(`^${title}(✓)?$`) });
  const card = page.locator(".samples .card").filter({ has: named });
  await card.waitFor({ state: "attached" });
  if (!(await card.isVisible())) await page.getByText("Unsolvable? Prove it").click();
  await opening(page, () => card.click());
  await page.locator(`.board[data-puzzle=${puzzle}]`).waitFor();
}

/** What is on the board: each thing and where it stands, in order of the board. */
export function onBoard(page) {
  return page
    .locator(".board")
    .first()
    .evaluate((board) =>
      [...board.querySelectorAll("[role=gridcell]")]
        .map((cell) => cell.getAttribute("aria-label"))
        .filter((word) => !/: (floor|wall|outside|nothing|open)$/.test(word)),
    );
}

/** Waits until so many moves are counted. */
export const counted = (page, count) =>
  page
    .locator(".counters b", { hasText: new RegExp(`^${count}$`) })
    .first()
    .waitFor();

/** Opens the site once more as one who has never been there. */
async function reopen(page, address, first) {
  await page.goto("about:blank");
  const session = await page.context().newCDPSession(page);
  const { origin } = new URL(address);
  await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
  await session.detach();
  page.faults.length = 0;
  await page.goto(first);
  await page.waitForFunction(ready);
}

/**
 * The bundle and a browser for all tests of a file: runs one with a page, and fails on any error that
 * the page met; or opens another page, as a friend does. With options, also none, a page is the
 * test's own; else one is opened for all, and again for each, which takes a third of the time.
 */
export function site() {
  const up = {};
  before(async () => {
    up.server = await serve();
    up.browser = await launch();
  });
  after(async () => {
    await up.browser?.close();
    up.server?.close();
  });
  const opened = async (whose, options, first) => {
    const { address } = up.server;
    if (options) return open(up.browser, address, options, first);
    if (up[whose]) await reopen(up[whose], address, first);
    else up[whose] = await open(up.browser, address, {}, first);
    return up[whose];
  };
  const close = async (whose, page) => {
    await page.context().close();
    if (up[whose] === page) up[whose] = undefined;
  };
  return {
    withPage: async (run, options) => {
      const page = await opened("page", options, up.server.address);
      try {
        await run(page, up.server.address);
        assert.deepEqual(page.faults, []);
      } catch (fault) {
        await close("page", page);
        throw fault;
      }
      if (options) await close("page", page);
    },
    another: (address) => opened("friend", undefined, address),
  };
}

/** The address that a button copies. */
export async function shared(page, button) {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate(() => navigator.clipboard.writeText(""));
  await panel(page).getByRole("button", { name: button }).first().click();
  await page.locator(".remark", { hasText: /Copied/ }).waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Draws a finger over these points of the window. */
export async function swipe(page, points) {
  const session = await page.context().newCDPSession(page);
  const touch = (type, touchPoints) => session.send("Input.dispatchTouchEvent", { type, touchPoints });
  const [[x, y], ...others] = points;
  await touch("touchStart", [{ x, y }]);
  let [atX, atY] = [x, y];
  for (const [toX, toY] of others) {
    for (let part = 1; part <= 8; part += 1) {
      await touch("touchMove", [{ x: atX + ((toX - atX) * part) / 8, y: atY + ((toY - atY) * part) / 8 }]);
    }
    [atX, atY] = [toX, toY];
  }
  await touch("touchEnd", []);
  await session.detach();
}

/** Asks for the verdict and waits for its sentence, as the engine says it. */
export async function solve(page) {
  await page.getByRole("tab", { name: "Solve" }).click();
  await panel(page).getByRole("button", { name: "Solve", exact: true }).click();
  await page.waitForFunction(
    () =>
      !document.querySelector(".working") &&
      document.querySelector("#panel-solve .verdict .sentence, [role=alert]"),
  );
  return page.locator("#panel-solve .verdict .sentence").textContent();
}

/** Opens the settings of the Solve panel. */
export async function advanced(page) {
  await page.getByRole("tab", { name: "Solve" }).click();
  if (!(await page.getByLabel("Time limit (s)").isVisible()))
    await page.getByText("Advanced", { exact: true }).click();
}

/** The notation of the solution, behind "How we know". */
export async function solutionOf(page) {
  const notation = page.locator("#panel-solve .notation").first();
  return notation.textContent();
}

/** A level of each family, of ours: its puzzle, name, and a key that moves something. */
export const EACH = [
  ["sokoban", "pantry", "ArrowLeft"],
  ["sokobond", "water", "ArrowDown"],
  ["snowman", "first-snowman", "ArrowRight"],
  ["warehouse", "errand", "ArrowUp"],
  ["flow", "first-paths", null],
];
