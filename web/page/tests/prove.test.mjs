// Certificates: made, checked and handed over in the browser; the program checks them again.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { unzipSync } from "fflate";
import { advanced, EACH, own, paste, site } from "./browser.mjs";
import { program } from "./engine.mjs";

const { withPage } = site();

/** Proves the open level; the files of the certificate. */
async function prove(page) {
  await advanced(page);
  await page.getByLabel("Time limit (s)").fill("300");
  await page.getByRole("button", { name: "Prove" }).click();
  await page.locator(".certificate").waitFor({ timeout: 300_000 });
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: /Download the certificate/ }).click(),
  ]);
  assert.equal(download.suggestedFilename(), "certificate.zip");
  return unzipSync(new Uint8Array(await readFile(await download.path())));
}

/** What the program says of these files. */
async function checked(files) {
  const folder = await mkdtemp(path.join(tmpdir(), "unstuck-page-"));
  try {
    const certificate = path.join(folder, "certificate");
    await mkdir(certificate);
    // The archive has a folder of its own.
    for (const [name, content] of Object.entries(files)) await writeFile(path.join(folder, name), content);
    return execFileSync(program, ["check", certificate], { encoding: "utf8" });
  } finally {
    await rm(folder, { recursive: true });
  }
}

for (const [puzzle, name] of EACH) {
  test(`${puzzle}: proved, downloaded, and valid for the program`, { timeout: 400_000 }, () =>
    withPage(async (page) => {
      await own(page, puzzle, puzzle === "warehouse" ? "first-box" : name);
      const files = await prove(page);
      assert.ok(
        Object.keys(files).some((file) => file.endsWith(".cnf")),
        Object.keys(files).join(" "),
      );
      assert.ok(
        Object.keys(files).some((file) => file.endsWith(".lrat")),
        Object.keys(files).join(" "),
      );
      const told = await checked(files);
      assert.match(told, /^valid: /);
      assert.match(told, /\.cnf: compiled again/);
    }),
  );
}

test("that there is no solution is proved", () =>
  withPage(async (page) => {
    await paste(page, "######\n#$  .#\n#  @ #\n######\n", "sokoban");
    assert.match(await checked(await prove(page)), /unsolvable, certified/);
  }));
