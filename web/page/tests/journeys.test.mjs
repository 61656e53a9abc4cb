// Journeys: play, look elsewhere, come back, reload, go back, open a link, play on. Nothing that a
// person made is ever lost.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  counted,
  eventually,
  HARD,
  onBoard,
  own,
  panel,
  paste,
  reload,
  shared,
  site,
  solve,
  solutionOf,
  warm,
} from "./browser.mjs";

const { withPage, another } = site();

const ROOM = "#######\n#     #\n# @$. #\n#     #\n#######\n";

/** Presses keys on the board, and waits until all of them are counted. */
async function play(page, ...keys) {
  await page.locator(".board").focus();
  for (const key of keys) await page.keyboard.press(key);
}

const title = (page, name) => page.locator(".title", { hasText: name }).waitFor();

test("the page opens on a level that can be played at once", () =>
  withPage(async (page) => {
    await title(page, "The pantry");
    await page.getByText("Push every box onto a diamond.").first().waitFor();
    await page.keyboard.press("ArrowLeft");
    await counted(page, 1);
    await page.getByText("?", { exact: true }).click();
    await page.getByText(/You push one box at a time/).waitFor();
  }));

test("moves outlive a reload, with what was undone", () =>
  withPage(async (page) => {
    await paste(page, ROOM);
    await play(page, "ArrowUp", "ArrowLeft", "ArrowDown", "ArrowRight");
    await counted(page, 4);
    await page.getByRole("button", { name: "Undo" }).first().click();
    await counted(page, 3);
    const before = await onBoard(page);
    await page.waitForTimeout(400);
    await reload(page);
    await counted(page, 3);
    assert.deepEqual(await onBoard(page), before);
    await page.getByRole("button", { name: "Redo" }).first().click();
    await counted(page, 4);
    for (const left of [3, 2, 1, 0]) {
      await page.keyboard.press("Control+z");
      await counted(page, left);
    }
  }));

test("moves outlive a reload right after the last of them", () =>
  withPage(async (page) => {
    await paste(page, ROOM);
    await play(page, "ArrowUp", "ArrowLeft");
    await counted(page, 2);
    await reload(page);
    await counted(page, 2);
  }));

test("Back and Forward go through levels, each where it was left", () =>
  withPage(async (page) => {
    await own(page, "sokoban", "staircase");
    await play(page, "ArrowDown");
    await own(page, "snowman", "first-snowman");
    await play(page, "ArrowRight");
    await counted(page, 1);
    await own(page, "flow", "first-paths");
    await page.goBack();
    await page.locator(".board[data-puzzle=snowman]").waitFor();
    await counted(page, 1);
    await page.goBack();
    await page.locator(".board[data-puzzle=sokoban]").waitFor();
    await page.goForward();
    await page.locator(".board[data-puzzle=snowman]").waitFor();
    await counted(page, 1);
  }));

test("a level that was left is found again where it was, from the list and on another visit", () =>
  withPage(async (page, address) => {
    await own(page, "sokoban", "pantry");
    await play(page, "ArrowLeft", "ArrowRight");
    await counted(page, 2);
    await own(page, "sokoban", "staircase");
    await counted(page, 0);
    await own(page, "sokoban", "pantry");
    await counted(page, 2);
    await page.goto(address);
    await page.waitForFunction(() => document.documentElement.dataset.ready === "true");
    await title(page, "The pantry");
    await counted(page, 2);
  }));

test("Restart can be undone", () =>
  withPage(async (page) => {
    await paste(page, ROOM);
    await play(page, "ArrowUp", "ArrowLeft");
    await counted(page, 2);
    await page.keyboard.press("r");
    await counted(page, 0);
    await play(page, "ArrowDown");
    await counted(page, 1);
    await page.keyboard.press("z");
    await counted(page, 0);
    await page.keyboard.press("z");
    await counted(page, 2);
  }));

test("a link with moves opens with its whole history", () =>
  withPage(async (page) => {
    await paste(page, ROOM);
    await play(page, "ArrowUp", "ArrowLeft", "ArrowDown");
    await counted(page, 3);
    await page.getByRole("tab", { name: "Levels" }).click();
    const friend = await another(await shared(page, "Copy a link with my moves"));
    await counted(friend, 3);
    for (const left of [2, 1, 0]) {
      await friend.getByRole("button", { name: "Undo" }).first().click();
      await counted(friend, left);
    }
    await friend.getByRole("button", { name: "Redo" }).first().click();
    await counted(friend, 1);
  }));

test("a friend's link does not take away what one has made oneself", () =>
  withPage(async (page, address) => {
    await paste(page, ROOM);
    await play(page, "ArrowUp", "ArrowLeft");
    await counted(page, 2);
    await page.getByRole("tab", { name: "Levels" }).click();
    const link = await shared(page, "Copy a link with my moves");
    await page.keyboard.press("r");
    await play(page, "ArrowDown", "ArrowDown", "ArrowLeft");
    await own(page, "snowman", "first-snowman");
    await page.goto(address);
    await page.goto(link);
    await page.reload();
    await page.waitForFunction(() => document.documentElement.dataset.ready === "true");
    await counted(page, 2);
    for (const left of [1, 0, 2]) {
      await page.getByRole("button", { name: "Undo" }).first().click();
      await counted(page, left);
    }
    await page.locator(".board [aria-label='row 4, column 2: player']").waitFor({ state: "attached" });
  }));

test("a link with a solution opens on the level, and shows the film when it is asked for", () =>
  withPage(async (page) => {
    await own(page, "sokoban", "pantry");
    await solve(page);
    const friend = await another(await shared(page, "Copy a link with this solution"));
    await friend.getByText("This link comes with a solution.").waitFor();
    assert.equal(await friend.locator(".film").count(), 0, "it is not shown at once");
    await friend.getByRole("button", { name: "Show me" }).click();
    const film = friend.locator(".film");
    await film.getByRole("button", { name: "Pause" }).click();
    await film.getByRole("button", { name: "First" }).click();
    await film.getByText("0 / 26").waitFor();
    await film.getByRole("button", { name: "Next" }).click();
    await film.getByText("1 / 26").waitFor();
    await film.getByRole("button", { name: "Play from here" }).click();
    await counted(friend, 1);
    await friend.getByRole("button", { name: "Undo" }).first().click();
    await counted(friend, 0);
  }));

test("a draft outlives other panels, other families, another level and a reload", () =>
  withPage(async (page) => {
    await page.getByRole("tab", { name: "Design" }).click();
    await page.getByRole("button", { name: "New level" }).click();
    const text = page.getByLabel("The level as text");
    await page.getByRole("radio", { name: "goal", exact: true }).check();
    await page.locator(".board [data-cell='1,5']").dispatchEvent("none");
    const cell = await page.locator(".board [data-cell='1,5']").boundingBox();
    await page.mouse.click(cell.x + cell.width / 2, cell.y + cell.height / 2);
    const painted = /^#    \. #$/m;
    await eventually(async () => assert.match(await text.inputValue(), painted));
    await page.getByRole("tab", { name: "Help" }).click();
    await page.getByRole("tab", { name: "Design" }).click();
    assert.match(await text.inputValue(), painted);
    await panel(page).locator("select").first().selectOption("flow");
    await eventually(async () => assert.match(await text.inputValue(), /shape/));
    await panel(page).locator("select").first().selectOption("sokoban");
    await eventually(async () => assert.match(await text.inputValue(), painted));
    await own(page, "sokoban", "staircase");
    await page.getByRole("tab", { name: "Design" }).click();
    await eventually(async () => assert.match(await text.inputValue(), painted));
    await reload(page);
    await page.getByRole("tab", { name: "Design" }).click();
    await panel(page).locator("select").first().selectOption("sokoban");
    await eventually(async () => assert.match(await text.inputValue(), painted));
    await page.getByRole("button", { name: "Undo" }).click();
    await eventually(async () => assert.doesNotMatch(await text.inputValue(), painted));
  }));

test("a verdict is there after a look elsewhere, after another level, and after a reload", () =>
  withPage(async (page) => {
    await own(page, "sokoban", "pantry");
    const said = await solve(page);
    const verdict = page.locator("#panel-solve .verdict .sentence");
    await page.getByRole("tab", { name: "Help" }).click();
    await page.getByRole("tab", { name: "Solve" }).click();
    assert.equal(await verdict.textContent(), said);
    await own(page, "sokoban", "staircase");
    await page.getByRole("tab", { name: "Solve" }).click();
    assert.equal(await verdict.count(), 0, "it is about another level");
    await own(page, "sokoban", "pantry");
    await page.getByRole("tab", { name: "Solve" }).click();
    assert.equal(await verdict.textContent(), said);
    await reload(page);
    await page.getByRole("tab", { name: "Solve" }).click();
    await eventually(async () => assert.equal(await verdict.textContent(), said));
  }));

test("what is worked on is seen and stopped from anywhere, and answers what it was asked about", () =>
  withPage(async (page) => {
    await paste(page, HARD, "sokoban");
    await page.getByRole("tab", { name: "Solve" }).click();
    await panel(page).getByRole("button", { name: "Solve", exact: true }).click();
    await page.locator(".working").waitFor();
    await own(page, "snowman", "first-snowman");
    for (const tab of ["Levels", "Help", "Design"]) {
      await page.getByRole("tab", { name: tab }).click();
      assert.ok(await page.locator(".working").isVisible(), tab);
    }
    await page.locator(".working").getByRole("button", { name: "Stop" }).click();
    await eventually(async () => assert.equal(await page.locator(".working").count(), 0));
  }));

test("a solution that is found is watched while the search goes on, and kept when it is stopped", () =>
  withPage(async (page) => {
    await paste(page, HARD, "sokoban");
    await page.getByRole("tab", { name: "Solve" }).click();
    await panel(page).getByRole("button", { name: "Solve", exact: true }).click();
    await page
      .locator(".working")
      .getByRole("button", { name: /^Watch \d+ pushes/ })
      .click();
    await page.locator(".film").waitFor();
    await page.locator(".working").getByRole("button", { name: "Stop" }).click();
    await page.locator("#panel-solve .sentence", { hasText: "a solution is known" }).waitFor();
  }));

test("a stroke of Flow has the colour of its letter, is undone as one, and stays in links", () =>
  withPage(async (page) => {
    await paste(page, "A..A\nC..C\nB..B\n", "flow");
    const draw = async (...cells) => {
      const at = async ([row, column]) => {
        const box = await page.locator(`.board [data-cell="${row},${column}"]`).boundingBox();
        return [box.x + box.width / 2, box.y + box.height / 2];
      };
      await page.mouse.move(...(await at(cells[0])));
      await page.mouse.down();
      for (const cell of cells.slice(1)) await page.mouse.move(...(await at(cell)), { steps: 6 });
      await page.mouse.up();
    };
    await draw([0, 0], [0, 3]);
    await draw([2, 0], [2, 3]);
    const strokes = page.locator(".board .drawn .stroke");
    await eventually(async () => assert.equal(await strokes.count(), 2));
    const colours = await page.locator(".board").evaluate((board) =>
      [...board.querySelectorAll(".drawn .stroke")].map((stroke) => {
        const label = stroke.dataset.label;
        const end = [...board.querySelectorAll(".ends g")].find((end) => end.textContent === label);
        return [getComputedStyle(stroke).stroke, getComputedStyle(end.querySelector("circle")).fill];
      }),
    );
    for (const [stroke, end] of colours) assert.equal(stroke, end);
    assert.notEqual(colours[0][0], colours[1][0]);
    // Letters lie above what is drawn.
    const order = await page
      .locator(".board svg")
      .evaluate((svg) => [...svg.children].map((part) => part.getAttribute("class")));
    assert.ok(order.indexOf("drawn") < order.indexOf("ends"), String(order));
    await page.getByRole("tab", { name: "Levels" }).click();
    const friend = await another(await shared(page, "Copy a link with my moves"));
    await eventually(async () => assert.equal(await friend.locator(".board .drawn .stroke").count(), 2));
    await draw([1, 0], [1, 3]);
    await page.getByText("Solved!").first().waitFor();
    await page.keyboard.press("Control+z");
    await eventually(async () => assert.equal(await strokes.count(), 2, "one stroke, one undo"));
    await eventually(async () => assert.equal(await page.getByText("Solved!").count(), 0));
    await reload(page);
    await eventually(async () => assert.equal(await strokes.count(), 2));
  }));

/** Drags the mouse over cells by their names. */
async function drawn(page, names) {
  const at = async (name) => {
    const box = await page.locator(`.board [data-cell="${name}"]`).boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  await page.mouse.move(...(await at(names[0])));
  await page.mouse.down();
  for (const name of names.slice(1)) await page.mouse.move(...(await at(name)), { steps: 6 });
  await page.mouse.up();
}

for (const name of ["hexagons", "petersen"]) {
  test(`${name}: cells of any shape are drawn on, up to the end`, () =>
    withPage(async (page) => {
      await own(page, "flow", name);
      await solve(page);
      const lines = (await solutionOf(page)).trim().split("\n");
      for (const line of lines) await drawn(page, line.split(":")[1].trim().split(/\s+/));
      await page.locator(".won", { hasText: "Every pair is joined." }).waitFor();
      assert.equal(await page.locator(".board .drawn .stroke").count(), lines.length);
    }));
}

test("a path is drawn by keys", () =>
  withPage(async (page) => {
    await paste(page, "A..A\nB..B\n", "flow");
    await page.locator(".board").focus();
    const right = ["ArrowRight", "ArrowRight", "ArrowRight"];
    for (const key of [" ", ...right, " ", "ArrowDown", " ", "ArrowLeft", "ArrowLeft", "ArrowLeft"]) {
      await page.keyboard.press(key);
    }
    await page.locator(".won").waitFor();
  }));

test("a cut link says so", () =>
  withPage(async (page) => {
    await paste(page, ROOM);
    await page.getByRole("tab", { name: "Levels" }).click();
    const link = await shared(page, "Copy a link to this level");
    for (const broken of [link.slice(0, -9), link.replace("#1", "#2")]) {
      const friend = await another(broken);
      await friend.getByText(/This link is incomplete/).waitFor();
      await friend.locator(".board").first().waitFor();
    }
  }));

test("pieces slide: each keeps its own element", () =>
  withPage(async (page) => {
    await paste(page, ROOM);
    await page.locator(".board .is-box").evaluate((box) => (box.dataset.mine = "yes"));
    await play(page, "ArrowRight");
    await page.getByText("Solved!").first().waitFor();
    assert.equal(await page.locator(".board .is-box").getAttribute("data-mine"), "yes");
    assert.match(await page.locator(".board .is-box").getAttribute("style"), /translate\(4px, ?2px\)/);
  }));

test("winning says what it means, and leads on", () =>
  withPage(async (page) => {
    await own(page, "sokoban", "pantry");
    await solve(page);
    const keys = { u: "ArrowUp", r: "ArrowRight", d: "ArrowDown", l: "ArrowLeft" };
    const moves = [...(await solutionOf(page))].map((letter) => keys[letter.toLowerCase()]);
    await play(page, ...moves);
    const won = page.locator(".won");
    await won.getByText("6 pushes: nobody can do better. Proved.").waitFor();
    await won.getByRole("button", { name: "Next level" }).click();
    await title(page, "Round the corner");
    await page.getByRole("tab", { name: "Levels" }).click();
    await page.locator(".samples .card", { hasText: "Pantry" }).locator(".tick").waitFor();
  }));

test("a push that loses the game is marked at once, and undone", () =>
  withPage(async (page) => {
    await paste(page, "######\n#    #\n# $@ #\n#  . #\n#    #\n######\n", "sokoban");
    await play(page, "ArrowLeft");
    await page.locator(".board .mark.warning").waitFor();
    await page.getByText(/can no longer be solved/).waitFor();
    await page.keyboard.press("Control+z");
    await eventually(async () => assert.equal(await page.locator(".board .mark.warning").count(), 0));
  }));

test("arrow keys never open another level", () =>
  withPage(async (page) => {
    await own(page, "sokoban", "pantry");
    await page.locator(".samples .card", { hasText: "Pantry" }).focus();
    await title(page, "The pantry");
    await page.keyboard.press("ArrowLeft");
    await counted(page, 1);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowRight");
    await counted(page, 2);
    assert.equal(await page.locator(".title").innerText(), "The pantry");
  }));

test("each engine is fetched once for all workers", () =>
  // A page of its own: what the page before it is still fetching does not count.
  withPage(async (page) => {
    await warm(page);
    const fetched = page.asked.filter((name) => name.endsWith(".wasm"));
    assert.deepEqual(fetched.sort(), ["player.wasm", "solver.wasm"]);
  }, {}));

test("cells are labelled, and moves are said", () =>
  withPage(async (page) => {
    await paste(page, ROOM);
    const board = page.getByRole("grid", { name: /^Board/ });
    assert.equal(await board.getByRole("gridcell").count(), 35);
    assert.deepEqual(await onBoard(page), [
      "row 3, column 3: player",
      "row 3, column 4: box",
      "row 3, column 5: goal",
    ]);
    await play(page, "ArrowRight");
    await page.locator(".unseen", { hasText: "row 3, column 5: box; row 3, column 4: player" }).waitFor();
    const active = await board.getAttribute("aria-activedescendant");
    assert.equal(await page.locator(`#${active}`).getAttribute("aria-label"), "row 3, column 4: player");
  }));

test("a large board reads out what is around the player", () =>
  withPage(async (page) => {
    const row = (inside) => `#${inside.padEnd(98)}#`;
    const rows = Array.from({ length: 98 }, (_, at) => row(at === 49 ? "  @$ ." : ""));
    await paste(page, ["#".repeat(100), ...rows, "#".repeat(100)].join("\n"), "sokoban");
    await page.locator(".board[aria-rowcount='100']").waitFor();
    assert.ok((await page.getByRole("gridcell").count()) < 2_500);
    assert.ok((await page.locator(".board svg *").count()) < 6_000);
    await play(page, "ArrowRight");
    await page.locator("[aria-label='row 51, column 6: box']").waitFor({ state: "attached" });
  }));

test("a bookmark hands over the address of another site", () =>
  withPage(async (page, address) => {
    const from = "https://puzz.link/p?numlin/6/6/123h3k2g4i4g5n1g5k";
    const opened = await another(`${address}#from=${encodeURIComponent(from)}`);
    await opened.locator(".board[data-puzzle=flow]").waitFor();
    await opened.getByRole("tab", { name: "Levels" }).click();
    assert.equal(await opened.getByLabel(/Paste a level/).inputValue(), from);
    await page.getByRole("tab", { name: "Levels" }).click();
    const bookmark = await page.getByRole("link", { name: "Open in unstuck" }).getAttribute("href");
    assert.ok(bookmark.startsWith(`javascript:location.href="${address}"+"#from="`), bookmark);
  }));

test("a collection has pictures, ticks, a search, and goes on after a win", () =>
  withPage(async (page) => {
    const levels = Array.from(
      { length: 14 },
      (_, at) =>
        `#######\n#${" ".repeat(at % 3)}@$.${" ".repeat(2 - (at % 3))}#\n#######\n\nTitle: Walk ${at + 1}\n`,
    );
    await paste(page, levels.join("\n"), "sokoban");
    await page.getByText("0 of 14 solved").waitFor();
    await title(page, "Walk 1");
    const cards = page.locator(".collection .card");
    assert.equal(await cards.count(), 14);
    await cards.first().locator(".thumbnail svg").waitFor();
    // Its picture is that of the board, in the theme that one chooses.
    const wall = (place) =>
      page
        .locator(`${place} .ground.wall`)
        .first()
        .evaluate((one) => getComputedStyle(one).fill);
    const seen = new Set();
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      assert.equal(await wall(".collection"), await wall(".board"));
      seen.add(await wall(".board"));
    }
    assert.equal(seen.size, 2);
    await play(page, "ArrowRight");
    await cards.first().locator(".tick").waitFor();
    await page.getByRole("button", { name: "Next level" }).click();
    await title(page, "Walk 2");
    await page.getByLabel("Find a level").fill("walk 13");
    await eventually(async () => assert.equal(await cards.count(), 1));
    await cards.first().click();
    await title(page, "Walk 13");
  }));

test("without motion, nothing slides", () =>
  withPage(
    async (page) => {
      await paste(page, ROOM);
      const duration = await page
        .locator(".board .is-box")
        .evaluate((box) => getComputedStyle(box).transitionDuration);
      assert.equal(Number.parseFloat(duration), 0);
    },
    { reducedMotion: "reduce" },
  ));

test("a game of PuzzleScript is played, undone, designed and solved like any other", () =>
  withPage(async (page) => {
    await own(page, "puzzlescript", "push");
    const before = await onBoard(page);
    const [player, crate, target] = [
      [2, "player"],
      [4, "crate"],
      [6, "target"],
    ].map(([column, what]) => `row 2, column ${column}: ${what}`);
    assert.deepEqual(before, [player, crate, target]);
    await solve(page);
    const keys = { u: "ArrowUp", r: "ArrowRight", d: "ArrowDown", l: "ArrowLeft", x: "x" };
    const moves = [...(await solutionOf(page))].map((letter) => keys[letter]);
    await play(page, ...moves);
    await page.locator(".won").waitFor();
    assert.notDeepEqual(await onBoard(page), before);
    for (const _ of moves) await page.keyboard.press("z");
    await eventually(async () => assert.deepEqual(await onBoard(page), before));
    await page.getByRole("tab", { name: "Design" }).click();
    await page.locator(".board.painting .figure.is-player use").waitFor({ state: "attached" });
    await panel(page).locator(".badge.verdict-name", { hasText: "Solvable" }).waitFor();
  }));

test("what the author of a PuzzleScript game has drawn slides, and its moves are said", () =>
  withPage(async (page) => {
    await own(page, "puzzlescript", "push");
    const mark = (kind) => page.locator(`.board .is-${kind}`).evaluate((one) => (one.dataset.mine = "yes"));
    await mark("piece");
    await mark("player");
    await play(page, "ArrowRight", "ArrowRight");
    await counted(page, 2);
    for (const [kind, column] of [
      ["piece", 4],
      ["player", 3],
    ]) {
      const there = page.locator(`.board .is-${kind}`);
      assert.equal(await there.getAttribute("data-mine"), "yes", kind);
      assert.match(await there.getAttribute("style"), new RegExp(`translate\\(${column}px, ?1px\\)`));
      const slides = await there.evaluate((one) => getComputedStyle(one).transitionDuration);
      assert.equal(slides, "0.1s");
    }
    await page.locator(".unseen", { hasText: "row 2, column 4: player; row 2, column 5: crate" }).waitFor();
  }));
