// Certificates: made, checked and handed over in the browser; the program checks them again.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { unzipSync } from "fflate";
import { advanced, EACH, own, paste, site, solve } from "./browser.mjs";
import { program } from "./engine.mjs";

const { withPage } = site();

/** Proves the open level; the files of the certificate. */
async function prove(page) {
  await advanced(page);
  await page.getByLabel("Time limit (s)").fill("300");
  await page.getByRole("button", { name: "Prove" }).click();
  await page.locator(".certificate").waitFor({ timeout: 300_000 });
  return downloaded(page);
}

/** The files of the certificate that is shown. */
async function downloaded(page) {
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

const LOST = "######\n#$  .#\n#  @ #\n######\n";

test("that there is no solution is proved, and the certificate is there on later visits", () =>
  withPage(async (page) => {
    await paste(page, LOST, "sokoban");
    const files = await prove(page);
    assert.match(await checked(files), /unsolvable, certified/);
    await own(page, "snowman", "first-snowman");
    await page.reload();
    await paste(page, LOST, "sokoban");
    await page.getByRole("tab", { name: "Solve" }).click();
    assert.deepEqual(await downloaded(page), files);
    // Solved once more, without a proof: what was proved still is.
    assert.match(await solve(page), /unsolvable/);
    assert.deepEqual(await downloaded(page), files);
  }));

test("a browser that keeps nothing says so, and hands the certificate out until then", () =>
  withPage(async (page) => {
    await page.addInitScript(() => {
      IDBFactory.prototype.open = () => {
        throw new DOMException("none", "SecurityError");
      };
    });
    await page.reload();
    await paste(page, LOST, "sokoban");
    await prove(page);
    await page.reload();
    await page.getByRole("tab", { name: "Solve" }).click();
    await page.getByText("The certificate was not kept. Prove again to download it.").waitFor();
    await prove(page);
  }, {}));
