// Pictures of the page at three widths and in both themes, to be looked at:
// `node tests/looks.mjs FOLDER`. Not a test.

import { mkdir } from "node:fs/promises";
import path from "node:path";
import { launch, open, own, serve, solve } from "./browser.mjs";

const folder = process.argv[2] ?? "looks";
const WIDTHS = [
  [390, 844],
  [900, 1100],
  [1600, 1000],
];

await mkdir(folder, { recursive: true });
const server = await serve();
const browser = await launch();
for (const [width, height] of WIDTHS) {
  for (const theme of ["light", "dark"]) {
    const page = await open(browser, server.address, { viewport: { width, height } });
    const shot = (name) =>
      page.screenshot({ path: path.join(folder, `${name}-${width}-${theme}.png`), fullPage: true });
    await page.getByLabel("Theme").selectOption(theme);
    await shot("empty");
    await own(page, "sokoban", "pantry");
    await solve(page);
    await page.getByRole("button", { name: "Prove" }).click();
    await page.locator(".certificate").waitFor({ timeout: 60_000 });
    await shot("solve");
    await page.locator(".board").focus();
    for (const key of ["ArrowUp", "ArrowLeft", "ArrowDown"]) await page.keyboard.press(key);
    await page.getByRole("tab", { name: "Help" }).click();
    await page.getByRole("button", { name: "Which piece?" }).click();
    await page.locator("#panel .verdict .sentence").waitFor({ timeout: 60_000 });
    await shot("help");
    await own(page, "flow", "first-paths");
    await page.getByRole("tab", { name: "Edit" }).click();
    await page.locator("#panel .verdict .sentence", { hasText: /solved/ }).waitFor({ timeout: 60_000 });
    await shot("edit");
    await page.context().close();
  }
}
await browser.close();
server.close();
