// Pictures of the page at four widths and in both themes, to be looked at:
// `node tests/looks.mjs FOLDER`, or only some: `node tests/looks.mjs FOLDER 360-dark 1280-light`. Not a
// test.

import { mkdir } from "node:fs/promises";
import path from "node:path";
import { launch, open, own, panel, paste, serve, solve } from "./browser.mjs";

const [folder = "looks", ...wanted] = process.argv.slice(2);
const WIDTHS = [
  [360, 740],
  [768, 1024],
  [1280, 800],
  [1920, 1080],
];

await mkdir(folder, { recursive: true });
const server = await serve();
const browser = await launch();
for (const [width, height] of WIDTHS) {
  for (const theme of ["light", "dark"]) {
    if (wanted.length > 0 && !wanted.includes(`${width}-${theme}`)) continue;
    const hand = width < 800 ? { hasTouch: true, isMobile: true } : {};
    const page = await open(browser, server.address, { viewport: { width, height }, ...hand });
    const shot = (name) =>
      page.screenshot({ path: path.join(folder, `${name}-${width}-${theme}.png`), fullPage: true });
    await page.getByRole("tab", { name: "Levels" }).click();
    await page.getByLabel("Theme").selectOption(theme);
    for (const [puzzle, name] of [
      ["flow", "first-paths"],
      ["sokobond", "water"],
      ["snowman", "fresh-snow"],
      ["warehouse", "beam"],
      ["sokoban", "pantry"],
    ]) {
      await own(page, puzzle, name);
      await shot(puzzle);
    }
    await solve(page);
    await panel(page).getByRole("button", { name: "Prove" }).click();
    await page.locator(".certificate").waitFor({ timeout: 60_000 });
    await page.getByRole("button", { name: "Watch the solution" }).click();
    await shot("solve");
    await page.locator(".film").getByRole("button", { name: "Close" }).click();
    await page.getByRole("tab", { name: "Help" }).click();
    await page.getByRole("button", { name: "Next move" }).click();
    await page.locator(".board .ghosts").waitFor({ state: "attached" });
    await shot("help");
    await page.getByRole("tab", { name: "Design" }).click();
    await page.locator(".badge.verdict-name").last().waitFor();
    await shot("design");
    const walk = (at) =>
      `#######\n#${" ".repeat(at % 3)}@$.${" ".repeat(2 - (at % 3))}#\n#######\n\nTitle: Walk ${at + 1}\n`;
    await paste(page, Array.from({ length: 14 }, (_, at) => walk(at)).join("\n"), "sokoban");
    await page.keyboard.press("ArrowRight");
    await page.locator(".won").waitFor();
    await shot("won");
    await page.getByRole("tab", { name: "Levels" }).click();
    await page.locator(".daily").click();
    await page.locator(".place").waitFor({ state: "detached" });
    await page.getByRole("tab", { name: "Levels" }).click();
    await page.locator(".daily .thumbnail svg").waitFor();
    await shot("levels");
    await page.context().close();
  }
}
await browser.close();
server.close();
