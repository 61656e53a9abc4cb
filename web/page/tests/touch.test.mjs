// Fingers and the mouse on the board: tap a cell to walk there, drag a piece, draw a path.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { counted, own, paste, site, swipe } from "./browser.mjs";
import { program } from "./engine.mjs";

const { withPage } = site();
const PHONE = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 800 } };

/** Where the middle of a cell is in the window, on a board of so many rows and columns. */
async function places(page, rows, columns) {
  const board = page.locator(".board svg").first();
  await board.waitFor();
  await board.scrollIntoViewIfNeeded();
  const box = await board.boundingBox();
  return ([row, column]) => [
    box.x + ((column + 0.5) / columns) * box.width,
    box.y + ((row + 0.5) / rows) * box.height,
  ];
}

/** A family, a level of so many rows and columns, a cell to walk to and the steps there, a drag, and what is seen then: the
 * end, or a count. */
const GAMES = [
  [
    "sokoban",
    "######\n#@   #\n# $. #\n#    #\n######\n",
    [5, 6],
    [3, 4],
    5,
    [
      [2, 2],
      [2, 3],
    ],
    "Solved!",
  ],
  [
    "sokobond",
    "xxxxxxx\nxH-e--x\nx----hx\nxxxxxxx\n",
    [4, 7],
    [2, 1],
    1,
    [
      [1, 3],
      [1, 4],
    ],
    4,
  ],
  [
    "snowman",
    "; legend: published\nXXXXXXXX\nX#---41X\nX-2----X\nX------X\nXXXXXXXX\n",
    [5, 8],
    [3, 4],
    5,
    [
      [2, 2],
      [2, 3],
    ],
    1,
  ],
  [
    "warehouse",
    "######\n#@...#\n#.O..#\n#....#\n######\n\n######\n#....#\n#..O.#\n#....#\n######\n",
    [5, 6],
    [3, 4],
    5,
    [
      [2, 2],
      [2, 3],
    ],
    "Solved!",
  ],
];

for (const [puzzle, text, size, walk, steps, drag, then] of GAMES) {
  test(`${puzzle}: a finger walks and drags`, () =>
    withPage(async (page) => {
      await paste(page, text, puzzle);
      const at = await places(page, ...size);
      await page.touchscreen.tap(...at(walk));
      await counted(page, steps);
      // A tap on a piece shows where it can go; another one brings it there.
      const [piece, to] = drag.map(at);
      await page.touchscreen.tap(...piece);
      await page.locator(".board .reached circle").first().waitFor();
      await page.touchscreen.tap(...to);
      if (then === "Solved!") await page.getByText(then).first().waitFor();
      else await counted(page, then);
    }, PHONE));
}

for (const [by, options] of [
  ["finger", PHONE],
  ["mouse", {}],
]) {
  test(`a path of Flow is drawn by ${by}, and judged`, () =>
    withPage(async (page) => {
      let at;
      const draw = async (...cells) => {
        if (by === "finger") return swipe(page, cells.map(at));
        await page.mouse.move(...at(cells[0]));
        await page.mouse.down();
        for (const cell of cells.slice(1)) await page.mouse.move(...at(cell), { steps: 8 });
        await page.mouse.up();
      };
      // Joined, but a row is left over: not solved, and told why.
      await paste(page, "A..A\n....\nB..B\n", "flow");
      at = await places(page, 3, 4);
      await draw([2, 0], [2, 3]);
      await draw([0, 0], [0, 3]);
      await page.locator(".remark", { hasText: /cell/ }).waitFor();
      await paste(page, "A..A\nB..B\n", "flow");
      await page.locator(".remark", { hasText: /^$/ }).waitFor({ state: "attached" });
      at = await places(page, 2, 4);
      await draw([1, 0], [1, 3]);
      await draw([0, 0], [0, 3]);
      await page.getByText("Solved!").first().waitFor();
    }, options));
}

/** Swipes, and rests at the end as long as it takes until `done`. */
async function swipeAndRest(page, points, done) {
  const session = await page.context().newCDPSession(page);
  const touch = (type, touchPoints) => session.send("Input.dispatchTouchEvent", { type, touchPoints });
  await touch("touchStart", [{ x: points[0][0], y: points[0][1] }]);
  for (const [x, y] of points.slice(1)) await touch("touchMove", [{ x, y }]);
  await done();
  await touch("touchEnd", []);
  await session.detach();
}

test("a tap at once after a quick swipe is not lost", () =>
  withPage(async (page) => {
    await paste(page, "######\n#@ $.#\n######\n", "sokoban");
    const at = await places(page, 3, 6);
    const [[left, y], [right]] = [at([1, 1]), at([1, 3])];
    const session = await page.context().newCDPSession(page);
    const touch = (type, ...touchPoints) => session.send("Input.dispatchTouchEvent", { type, touchPoints });
    await touch("touchStart", { x: left, y });
    await touch("touchMove", { x: right, y });
    await touch("touchEnd");
    await session.detach();
    await page.getByRole("tab", { name: "Help" }).tap();
    await page.locator("#panel-help:not([hidden])").waitFor();
    await counted(page, 1);
  }, PHONE));

test("a swipe is a step, wherever it begins, also on a box", () =>
  withPage(async (page) => {
    await paste(page, "########\n#      #\n#   @  #\n# $. . #\n#   $  #\n########\n", "sokoban");
    const at = await places(page, 6, 8);
    await swipe(page, [at([1, 2]), at([1, 4])]);
    await counted(page, 1);
    await page.locator(".board [aria-label*='column 6: player']").waitFor({ state: "attached" });
    await swipe(page, [at([1, 5]), at([3, 5])]);
    await counted(page, 2);
    // From a box to the left: a step to the left, and the box stays.
    await swipe(page, [at([4, 4]), at([4, 2])]);
    await counted(page, 3);
    await page.locator(".board [aria-label='row 5, column 5: box']").waitFor({ state: "attached" });
    // On a wall, too: nothing scrolls.
    await swipe(page, [at([0, 6]), at([0, 4])]);
    await counted(page, 4);
  }, PHONE));

test("a finger that rests goes on, and follows a turn", () =>
  withPage(async (page) => {
    await paste(page, "##########\n#@       #\n#        #\n#        #\n#     $. #\n##########\n", "sokoban");
    const at = await places(page, 6, 10);
    const [x, y] = at([2, 2]);
    const player = (row, column) =>
      page
        .locator(`.board [aria-label='row ${row}, column ${column}: player']`)
        .waitFor({ state: "attached" });
    await swipeAndRest(
      page,
      [
        [x, y],
        [x + 30, y],
      ],
      () => player(2, 9),
    );
    await swipeAndRest(
      page,
      [
        [x, y],
        [x, y + 30],
        [x - 30, y + 30],
      ],
      () => player(3, 2),
    );
  }, PHONE));

test("held Undo goes back to the beginning, and a drag is undone at once", () =>
  withPage(async (page) => {
    await paste(page, "##########\n#@       #\n#  $     #\n#   .    #\n##########\n", "sokoban");
    const at = await places(page, 5, 10);
    await page.touchscreen.tap(...at([2, 3]));
    await page.locator(".board .reached circle").first().waitFor();
    await page.touchscreen.tap(...at([2, 6]));
    await page.locator(".board [aria-label='row 3, column 7: box']").waitFor({ state: "attached" });
    await page.getByRole("button", { name: "Undo", exact: true }).tap();
    await counted(page, 0);
    for (const key of ["ArrowRight", "ArrowRight", "ArrowLeft", "ArrowLeft", "ArrowDown"])
      await page.keyboard.press(key);
    await counted(page, 5);
    const [x, y] = await page
      .getByRole("button", { name: "Undo", exact: true })
      .boundingBox()
      .then((box) => [box.x + box.width / 2, box.y + box.height / 2]);
    await swipeAndRest(page, [[x, y]], () => counted(page, 0));
  }, PHONE));

/** A lamp that is lit by the action. */
const LAMP = `title Lamp

OBJECTS

Background
black

Wall
brown

Player
blue

Lamp
gray

Lit
yellow

LEGEND
. = Background
# = Wall
P = Player
L = Lamp

SOUNDS

COLLISIONLAYERS
Background
Player, Wall, Lamp, Lit

RULES
[ action Player ] [ Lamp ] -> [ Player ] [ Lit ]

WINCONDITIONS
No Lamp

LEVELS

#####
#P.L#
#####
`;

test("a tap on oneself acts, where games have an action, and so does a button", () =>
  withPage(async (page) => {
    for (const act of [
      async () => {
        const { x, y, width, height } = await page.locator(".board .is-player").boundingBox();
        await page.touchscreen.tap(x + width / 2, y + height / 2);
      },
      () => page.getByRole("button", { name: "Act", exact: true }).tap(),
    ]) {
      await paste(page, LAMP);
      await counted(page, 0);
      await act();
      await page.locator(".won").waitFor();
      await page.getByRole("button", { name: "Undo", exact: true }).tap();
      await counted(page, 0);
    }
  }, PHONE));

/** How far a swipe goes, in pixels, by the letters of moves. */
const SWIPES = { u: [0, -70], d: [0, 70], l: [-70, 0], r: [70, 0] };

for (const name of ["push", "merge", "slide", "snowman", "warehouse", "lamps"]) {
  test(`${name}: a game of PuzzleScript is won by touch alone`, () =>
    withPage(async (page) => {
      const file = path.join(
        import.meta.dirname,
        "../../../puzzles/levels/puzzlescript",
        `${name}.puzzlescript`,
      );
      const { stdout } = spawnSync(program, ["solve", file, "--level", "1", "--json"], { encoding: "utf8" });
      const [first] = stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      assert.equal(first.verdict, "solved");
      await paste(page, await readFile(file, "utf8"));
      const message = page.locator(".message button");
      while ((await message.count()) > 0) await message.tap();
      let made = 0;
      for (const move of first.solution.moves) {
        const { x, y, width, height } = await page.locator(".board").boundingBox();
        const [atX, atY] = [x + width / 2, y + height / 2];
        if (move === "x") await page.getByRole("button", { name: "Act", exact: true }).tap();
        else
          await swipe(page, [
            [atX, atY],
            [atX + SWIPES[move][0], atY + SWIPES[move][1]],
          ]);
        await counted(page, (made += 1));
      }
      await page.locator(".won").waitFor();
    }, PHONE));
}

test("nothing is wider than the narrowest phone, and everything is large enough for a finger", () =>
  withPage(
    async (page) => {
      await own(page, "sokoban", "pantry");
      for (const tab of ["Levels", "Solve", "Help", "Design"]) {
        await page.getByRole("tab", { name: tab }).click();
        const [wide, here] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
        assert.ok(wide <= here, `${tab}: ${wide} px`);
        const small = await page.evaluate(() =>
          [...document.querySelectorAll("button, select, summary, .paints label")]
            .filter((one) => one.checkVisibility())
            .map((one) => [
              one.textContent || one.getAttribute("aria-label"),
              one.getBoundingClientRect().height,
            ])
            .filter(([, height]) => height < 43.5),
        );
        assert.deepEqual(small, [], tab);
      }
    },
    { hasTouch: true, isMobile: true, viewport: { width: 320, height: 700 } },
  ));
