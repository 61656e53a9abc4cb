// The package in a browser (UNSTUCK_CHROMIUM names another one), as somebody has it who has installed
// it: packed, unpacked into `node_modules`, and imported by its name.

import assert from "node:assert";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { serve } from "../page/serve.mjs";
import { launch } from "../page/tests/browser.mjs";

const page = `<!doctype html>
<title>A page of somebody else</title>
<script type="importmap">
  { "imports": { "unstuck-puzzles": "./node_modules/unstuck-puzzles/index.js" } }
</script>
<script type="module">
  import { solve } from "unstuck-puzzles";
  window.answer = solve("#######\\n#@ $ .#\\n#######\\n", { seconds: 60 });
</script>
`;

test("a page solves a level in a worker", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "unstuck-"));
  let server, browser;
  try {
    const installed = path.join(folder, "node_modules", "unstuck-puzzles");
    mkdirSync(installed, { recursive: true });
    const pack = ["pack", "--silent", "--pack-destination", folder];
    execFileSync("npm", pack, { cwd: import.meta.dirname });
    const packed = readdirSync(folder).find((name) => name.endsWith(".tgz"));
    execFileSync("tar", ["-xzf", path.join(folder, packed), "-C", installed, "--strip-components=1"]);
    writeFileSync(path.join(folder, "index.html"), page);

    server = await serve({ folder });
    browser = await launch();
    const visited = await browser.newPage();
    const faults = [];
    visited.on("pageerror", (error) => faults.push(String(error)));
    await visited.goto(server.address);
    const answer = await visited.evaluate(() => window.answer);
    assert.deepEqual(faults, []);
    assert.equal(answer?.solution.moves, "rRR");
    assert.equal(answer.optimal, true);
    const workers = visited.workers().map((worker) => path.basename(worker.url()));
    assert.deepEqual(workers, ["worker.js", "worker.js"]);
  } finally {
    await browser?.close();
    server?.close();
    rmSync(folder, { recursive: true });
  }
});
