// What one shows to others: pictures, films, links by the menu of a phone; what sites and phones
// look up of the page; and that a newer page is announced.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { eventually, open, own, panel, paste, serve, site, solve, launch } from "./browser.mjs";

const { withPage } = site();

/** Presses a button; name and content of the file that comes. */
async function downloaded(page, button) {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: button }).first().click(),
  ]);
  return [download.suggestedFilename(), await readFile(await download.path())];
}

/** The pictures in a file, as the browser sees them: their size, and the part of each that a colour has. */
function pictures(page, content, type, [red, green, blue]) {
  return page.evaluate(
    async ({ data, type, colour }) => {
      const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
      const decoder = new ImageDecoder({ data: bytes, type });
      await decoder.tracks.ready;
      const all = [];
      for (let frameIndex = 0; frameIndex < decoder.tracks.selectedTrack.frameCount; frameIndex += 1) {
        const { image } = await decoder.decode({ frameIndex });
        const [width, height] = [image.displayWidth, image.displayHeight];
        const canvas = new OffscreenCanvas(width, height).getContext("2d");
        canvas.drawImage(image, 0, 0);
        const { data } = canvas.getImageData(0, 0, width, height);
        let count = 0;
        for (let at = 0; at < data.length; at += 4) {
          if (colour.every((value, part) => Math.abs(data[at + part] - value) < 12)) count += 1;
        }
        all.push({ width, height, part: count / (width * height) });
        image.close();
      }
      return all;
    },
    { data: content.toString("base64"), type, colour: [red, green, blue] },
  );
}

const BOX = [0xe6, 0x9f, 0x00];
const HOME = [0x00, 0x78, 0x5a];

test("a level is a card, and its solution a film, with the verdict", () =>
  withPage(
    async (page) => {
      await paste(page, "#######\n#     #\n# @$. #\n#     #\n#######\n", "sokoban");
      await solve(page);
      const [name, png] = await downloaded(page, /^Picture to/);
      assert.equal(name, "level.png");
      const [card] = await pictures(page, png, "image/png", BOX);
      assert.deepEqual([card.width, card.height], [1200, 630]);
      assert.ok(card.part > 0.005, `${card.part} of the card is a box`);
      const [film, gif] = await downloaded(page, /^GIF of/);
      assert.equal(film, "level.gif");
      const [first, last, ...others] = await pictures(page, gif, "image/gif", HOME);
      assert.equal(others.length, 0);
      assert.ok(first.part < 0.001 && last.part > 0.005, `the box comes home: ${first.part}, ${last.part}`);
    },
    { colorScheme: "light" },
  ));

test("a card says where it can be played, and a win shows the level, not the way", () =>
  withPage(
    async (page, address) => {
      await paste(page, "A..A\nB..B\n", "flow");
      await page.evaluate(() => {
        const { set } = Object.getOwnPropertyDescriptor(HTMLImageElement.prototype, "src");
        Object.defineProperty(HTMLImageElement.prototype, "src", {
          set(value) {
            window.drawn = decodeURIComponent(value);
            set.call(this, value);
          },
        });
      });
      const card = async (button) => {
        await downloaded(page, button);
        return page.evaluate(() => window.drawn);
      };
      await solve(page);
      const solved = await card(/^Picture to/);
      const here = new URL(address);
      assert.ok(solved.includes("Can you solve it?"));
      assert.ok(solved.includes(`>${here.host}<`), "the address is on it");
      assert.ok(solved.includes(">Solvable"), "and the verdict");
      const strokes = (svg) => svg.match(/<g class="drawn"[^>]*><path/g)?.length ?? 0;
      assert.ok(strokes(solved) > 0);
      const board = await page.locator(".board svg").boundingBox();
      const at = (row, column) => [
        board.x + ((column + 0.5) / 4) * board.width,
        board.y + ((row + 0.5) / 2) * board.height,
      ];
      for (const row of [0, 1]) {
        await page.mouse.move(...at(row, 0));
        await page.mouse.down();
        await page.mouse.move(...at(row, 3), { steps: 8 });
        await page.mouse.up();
      }
      await page.locator(".won").waitFor();
      await page.getByRole("button", { name: "Close the panel" }).click();
      const won = await card(/^Picture to/);
      assert.ok(won.includes("Solved!"));
      assert.equal(strokes(won), 0, "the way is not given away");
    },
    { colorScheme: "light" },
  ));

test("a drawing is a card with its paths, in the theme that is seen", () =>
  withPage(
    async (page) => {
      await paste(page, "A..A\nB..B\n", "flow");
      await solve(page);
      const [, png] = await downloaded(page, /^Picture to/);
      const [{ part: ground }] = await pictures(page, png, "image/png", [0x14, 0x17, 0x1a]);
      assert.ok(ground > 0.3, `${ground} of the card is dark`);
      assert.equal(
        await panel(page)
          .getByRole("button", { name: /^GIF of/ })
          .count(),
        0,
      );
      const colour = await page
        .locator(".board .ends circle")
        .first()
        .evaluate((end) => getComputedStyle(end).fill);
      const [{ part: path }] = await pictures(page, png, "image/png", colour.match(/\d+/g).map(Number));
      assert.ok(path > 0.02, `${path} of the card has the colour of the path`);
    },
    { colorScheme: "dark" },
  ));

test("a phone offers its own menu for links and pictures, and closing it does nothing else", () =>
  withPage(
    async (page) => {
      await page.evaluate(() => {
        window.offered = [];
        navigator.canShare = () => true;
        navigator.share = async (what) => {
          window.offered.push(what.files ? what.files[0].name : what.url);
          if (window.offered.length === 2) throw new DOMException("closed", "AbortError");
        };
      });
      await own(page, "sokoban", "pantry");
      await page.getByRole("tab", { name: "Levels" }).click();
      const link = panel(page).getByRole("button", { name: "Copy a link to this level" });
      const offered = (count) =>
        eventually(async () => assert.equal((await page.evaluate(() => window.offered)).length, count));
      for (const count of [1, 2]) {
        await link.click();
        await offered(count);
      }
      assert.equal(await page.locator(".remark", { hasText: "Copied" }).count(), 0);
      await solve(page);
      await page.getByRole("button", { name: /^Picture to/ }).click();
      await offered(3);
      const [url, , file] = await page.evaluate(() => window.offered);
      assert.match(url, /#1/);
      assert.equal(file, "the-pantry.png");
    },
    { hasTouch: true, isMobile: true },
  ));

test("sites and phones find what they show of the page: title, picture, icons", () =>
  withPage(async (page, address) => {
    const said = await page.evaluate(() =>
      Object.fromEntries(
        [...document.querySelectorAll("meta[property^='og:']")].map((one) => [
          one.getAttribute("property"),
          one.content,
        ]),
      ),
    );
    assert.deepEqual(Object.keys(said).sort(), ["og:description", "og:image", "og:title", "og:type"]);
    const manifest = await (await page.request.get(new URL("page.webmanifest", address).href)).json();
    assert.equal(manifest.display, "standalone");
    assert.ok(manifest.icons.some(({ sizes }) => sizes === "512x512"));
    for (const file of [said["og:image"], ...manifest.icons.map(({ src }) => src)]) {
      const answer = await page.request.get(new URL(file, address).href);
      assert.ok(answer.ok(), file);
      assert.match(answer.headers()["content-type"], /^image\//, file);
    }
    // Chromium names what would keep the page from being installed.
    const session = await page.context().newCDPSession(page);
    await page.evaluate(() => navigator.serviceWorker.ready);
    const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
    const wrong = installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito");
    assert.deepEqual(wrong, []);
  }));

test("a newer page is announced, and taken when one wants", async () => {
  const server = await serve();
  const browser = await launch();
  try {
    const page = await open(browser, server.address);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.reload();
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    const now = await readFile(path.join(import.meta.dirname, "..", "dist", "offline.js"), "utf8");
    server.replaced.set("offline.js", now.replace(/unstuck-(?=[0-9a-f]{16})/, "unstuck-newer-"));
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).update());
    const notice = page.locator(".newer");
    await notice.filter({ hasText: "A new version of this page is ready." }).waitFor();
    await Promise.all([page.waitForEvent("load"), notice.getByRole("button", { name: "Reload" }).click()]);
    await eventually(async () => {
      const caches_ = await page.evaluate(() => caches.keys());
      assert.ok(caches_.length === 1 && caches_[0].startsWith("unstuck-newer-"), String(caches_));
    });
    assert.equal(await notice.count(), 0);
    assert.deepEqual(page.faults, []);
  } finally {
    await browser.close();
    server.close();
  }
});
