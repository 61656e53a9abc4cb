// The page that `--html` writes: a film without an engine, from the disk.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import AxeSource from "axe-core";
import { eventually, launch } from "./browser.mjs";
import { program } from "./engine.mjs";

const LEVELS = path.join(import.meta.dirname, "..", "..", "..", "puzzles", "levels");

let browser;
let folder;
before(async () => {
  browser = await launch();
  folder = await mkdtemp(path.join(tmpdir(), "unstuck-film-"));
});
after(async () => {
  await browser?.close();
  await rm(folder, { recursive: true });
});

for (const [file, last] of [
  ["sokoban/pantry.xsb", "26 / 26"],
  ["flow/first-paths.txt", null],
]) {
  test(`${file}: one file shows the level and its solution`, async () => {
    const html = path.join(folder, "film.html");
    execFileSync(program, ["solve", path.join(LEVELS, file), "--html", html, "--force"]);
    const context = await browser.newContext();
    const page = await context.newPage();
    const faults = [];
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
    page.on("request", (request) => request.url().startsWith("file:") || faults.push(request.url()));
    await page.goto(pathToFileURL(html).href);
    const board = page.locator("#board svg");
    await board.waitFor();
    if (last !== null) {
      const count = page.locator("#count");
      await eventually(async () => assert.match(await count.innerText(), /^0 \//));
      const start = await board.innerHTML();
      await page.getByRole("button", { name: "Next" }).click();
      await eventually(async () => assert.match(await count.innerText(), /^1 \//));
      await eventually(async () => assert.notEqual(await board.innerHTML(), start));
      await page.getByLabel("Speed").fill("30");
      await page.getByRole("button", { name: "Play", exact: true }).click();
      await page.getByText(last).waitFor();
      await page.getByRole("button", { name: "Play", exact: true }).waitFor();
      await page.getByRole("button", { name: "First" }).click();
      await eventually(async () => assert.equal(await board.innerHTML(), start));
    } else {
      await eventually(async () => assert.equal(await page.locator("#film").isVisible(), false));
    }
    // It says where it comes from, and what it is to sites that show links.
    await page.getByRole("link", { name: /^unstuck \d/ }).waitFor();
    const said = page.locator("meta[property='og:description']");
    assert.match(await said.getAttribute("content"), /solved/);
    await page.evaluate(AxeSource.source);
    const report = await page.evaluate(() => window.axe.run());
    const serious = report.violations.filter((violation) =>
      ["serious", "critical"].includes(violation.impact),
    );
    assert.deepEqual(
      serious.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`),
      [],
    );
    assert.deepEqual(faults, []);
    await context.close();
  });
}
