// Games of PuzzleScript by touch, and "Check all" beside `solve`: `node tests/demos.mjs FOLDER [GAMES]`.
// Not a test: the folder has somebody's games. Of each, on a phone, the first level that the program
// solves within its limit is played by swipes and taps until it is won; the first so many games whose
// levels are all known to the program within its limit are checked whole, and each verdict compared.

import { spawnSync } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { eventually, launch, open, paste, serve } from "./browser.mjs";
import { program } from "./engine.mjs";

const [folder, wanted = "10"] = process.argv.slice(2);
const PHONE = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 800 } };
/** Levels of a game that are looked at. */
const MOST = 12;
const STEPS = { l: [-1, 0], u: [0, -1], r: [1, 0], d: [0, 1] };

/** What the program says of each level. */
function answers(file, command, ...words) {
  const { stdout } = spawnSync(program, [command, file, "--puzzle", "puzzlescript", "--json", ...words], {
    encoding: "utf8",
  });
  const lines = stdout.split("\n").filter((line) => line.startsWith("{"));
  return lines.map((line) => JSON.parse(line)).filter(({ number }) => number);
}

const goOn = async (page) => {
  const button = page.getByRole("button", { name: "Go on" });
  while (await button.isVisible()) await button.tap();
};

/** A swipe that is too quick to be held. */
async function flick(touch, [x, y], [right, down]) {
  const at = (part) => ({ touchPoints: [{ x: x + part * right, y: y + part * down }] });
  await touch("touchStart", at(-40));
  for (const part of [-20, 0, 20, 40]) await touch("touchMove", at(part));
  await touch("touchEnd", { touchPoints: [] });
}

/** Plays moves on the level of this number. */
async function played(page, number, moves) {
  if (number > 1) {
    await page.getByRole("tab", { name: "Levels" }).tap();
    await page
      .locator(".collection .card")
      .nth(number - 1)
      .tap();
  }
  await goOn(page);
  const board = await page.locator(".board svg").first().boundingBox();
  const middle = [board.x + board.width / 2, board.y + board.height / 2];
  const count = page.locator(".counters b").first();
  const session = await page.context().newCDPSession(page);
  const touch = (type, points) => session.send("Input.dispatchTouchEvent", { type, ...points });
  for (const [at, letter] of [...moves].entries()) {
    const direction = STEPS[letter.toLowerCase()];
    if (!direction) await page.getByRole("button", { name: "Act", exact: true }).first().tap();
    else await flick(touch, middle, direction);
    if (at + 1 === moves.length) break;
    await eventually(async () => {
      if ((await count.innerText()) !== String(at + 1)) throw new Error(`move ${at + 1} is not counted`);
    });
  }
  await session.detach();
  await page.locator(".won").waitFor();
}

const server = await serve();
const browser = await launch();
const said = { won: 0, lost: 0, without: 0, games: 0, same: 0, different: 0 };
for (const name of (await readdir(folder)).sort()) {
  const file = path.join(folder, name);
  const count = answers(file, "list").length;
  const some = ["-l", `1-${Math.min(count, MOST)}`, "--timeout", "4", "--threads", "1"];
  const known = count > 0 ? answers(file, "solve", ...some) : [];
  const solved = known.find(({ solution }) => solution);
  if (!solved) {
    said.without += 1;
    continue;
  }
  const page = await open(browser, server.address, PHONE);
  try {
    await paste(page, await readFile(file, "utf8"), "puzzlescript");
    await played(page, solved.number, solved.solution.moves);
    said.won += 1;
  } catch (fault) {
    said.lost += 1;
    console.log(`${name}, level ${solved.number}: ${fault.message.split("\n")[0]}`);
  }
  const whole = count > 1 && count <= MOST && known.every(({ exit }) => [0, 20].includes(exit));
  if (whole && said.games < Number(wanted)) {
    said.games += 1;
    await page.getByRole("tab", { name: "Levels" }).tap();
    await page.locator(".collection").getByRole("button", { name: "Check all" }).tap();
    const badges = page.locator(".collection .check");
    await page.locator(".collection .checking").waitFor({ state: "detached", timeout: 600_000 });
    const words = await badges.allInnerTexts();
    for (const [at, { verdict, solution, optimal, number }] of known.entries()) {
      const length = solution && `${[...solution.moves].length} move`;
      const same =
        verdict === "unsolvable"
          ? /^Unsolvable/.test(words[at])
          : words[at]?.startsWith("Solvable") && (!optimal || words[at].includes(length));
      said[same ? "same" : "different"] += 1;
      if (!same) console.log(`${name}, level ${number}: ${verdict} ${length}, on the page ${words[at]}`);
    }
    console.log(`${name}: ${known.length} levels checked`);
  }
  await page.context().close();
}
console.log(JSON.stringify(said));
await browser.close();
server.close();
