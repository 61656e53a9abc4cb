// The pure functions of the page, without a browser.

import assert from "node:assert/strict";
import path from "node:path";
import { before, test } from "node:test";
import { build } from "esbuild";

const SOURCES = path.join(import.meta.dirname, "..", "src");

/** A module of the page, bundled with what it imports. */
async function load(name) {
  const { outputFiles } = await build({
    entryPoints: [path.join(SOURCES, `${name}.ts`)],
    bundle: true,
    format: "esm",
    write: false,
    platform: "node",
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`);
}

const modules = {};
before(async () => {
  for (const name of [
    "play/game",
    "board/paths",
    "board/figures",
    "keep/link",
    "play/history",
    "design/sheet",
    "board/fork",
  ])
    modules[path.basename(name)] = await load(name);
});

test("a game goes back and forth, over restarts, too", () => {
  const { begun, advance, undo, redo, restart, made, goTo, canUndo, canRedo } = modules.game;
  let game = advance(advance(begun(), ["u"]), ["R", "r"]);
  assert.deepEqual(made(game), ["u", "R", "r"]);
  game = undo(undo(game));
  assert.deepEqual([made(game), canRedo(game)], [["u"], true]);
  assert.deepEqual(made(redo(game)), ["u", "R"]);
  const again = advance(restart(game), ["d"]);
  assert.deepEqual([made(again), made(undo(again)), made(undo(undo(again)))], [["d"], [], ["u"]]);
  assert.deepEqual(made(redo(redo(undo(undo(again))))), ["u", "R", "r"]);
  assert.deepEqual(made(advance(game, ["l"])), ["u", "l"]);
  assert.equal(canRedo(advance(game, ["l"])), false);
  assert.equal(canUndo(begun()), false);
  assert.equal(restart(begun()).now, 0, "nothing to begin anew");
  assert.deepEqual(made(goTo(game, 99)), ["u", "R", "r"]);
});

test("a game that was kept is read again, and nothing else is", () => {
  const { begun, dataOf, gameFrom, restart, stepsOf } = modules.game;
  const game = restart(begun(["u", "T12", "d"], 2));
  assert.deepEqual(gameFrom(JSON.parse(JSON.stringify(dataOf(game)))), game);
  for (const no of [
    null,
    3,
    {},
    { attempts: [], now: 0 },
    { attempts: [[1, 0]], now: 0 },
    { attempts: [["u", 2]], now: 0 },
    { attempts: [["u", 0]], now: 7 },
  ]) {
    assert.equal(gameFrom(no), null, JSON.stringify(no));
  }
  assert.deepEqual(stepsOf("uW3D12"), ["u", "W3", "D12"]);
});

/** A board of two rows and three columns with the ends of A in the corners. */
const BOARD = {
  square: true,
  width: 3,
  height: 2,
  walls: [],
  cells: [0, 1, 2, 3, 4, 5].map((at) => ({
    name: `${Math.floor(at / 3)},${at % 3}`,
    x: (at % 3) + 0.5,
    y: Math.floor(at / 3) + 0.5,
    bridge: false,
  })),
  ways: [
    [0, 1],
    [1, 2],
    [3, 4],
    [4, 5],
    [0, 3],
    [1, 4],
    [2, 5],
  ],
  ends: [
    { label: "A", colour: "#f00", cells: [0, 5] },
    { label: "B", colour: "#0f0", cells: [3, 2] },
  ],
};

test("paths go from neighbour to neighbour, back, and through others", () => {
  const { grab, extend, notation, drawingFrom, isComplete, cellNear, EMPTY } = modules.paths;
  const along = (drawing, label, ...cells) =>
    cells.reduce((now, cell) => extend(BOARD, now, label, cell), drawing);
  let [label, drawing] = grab(BOARD, EMPTY, 0);
  drawing = along(drawing, label, 1, 4, 5);
  assert.equal(notation(BOARD, drawing), "A: 0,0 0,1 1,1 1,2");
  assert.deepEqual(drawingFrom(BOARD, notation(BOARD, drawing)), drawing);
  assert.equal(along(drawing, label, 2), drawing, "a path ends at its end");
  assert.deepEqual(grab(BOARD, drawing, 1)[1].get("A"), [0, 1], "taken up in its middle");
  assert.deepEqual(along(grab(BOARD, EMPTY, 0)[1], "A", 5).get("A"), [0], "no jump");
  assert.deepEqual(along(grab(BOARD, EMPTY, 0)[1], "A", 1, 2).get("A"), [0, 1], "not onto another letter");
  const [, other] = grab(BOARD, drawing, 3);
  assert.deepEqual(along(other, "B", 4).get("A"), [0, 1], "cut where it is crossed");
  assert.equal(isComplete(BOARD, drawing), false);
  assert.equal(cellNear(BOARD, 2.4, 1.6), 5);
  assert.equal(cellNear(BOARD, 9, 9), null);
  assert.equal(drawingFrom(BOARD, "A: 0,0 7,7\nC: 0,0\nnonsense").size, 0);
});

test("pieces keep their numbers when they stay, when one moves, and when several move in a row", () => {
  const { keyed } = modules.figures;
  const all = (player, ...boxes) => [
    ...boxes.map((place) => ({ kind: "box", places: [place], number: 0 })),
    { kind: "player", places: [player], number: 0 },
  ];
  const start = keyed([], all([0, 0], [0, 1], [0, 2], [3, 3]));
  const numbers = (figures) => Object.fromEntries(figures.map(({ key, places }) => [key, places[0].join()]));
  assert.deepEqual(numbers(keyed(start, all([0, 1], [0, 2], [0, 3], [3, 3]))), {
    0: "0,2",
    1: "0,3",
    2: "3,3",
    3: "0,1",
  });
  assert.deepEqual(numbers(keyed(start, all([0, 0], [0, 1], [0, 2], [3, 4]))), {
    0: "0,1",
    1: "0,2",
    2: "3,4",
    3: "0,0",
  });
  const more = keyed(start, all([0, 0], [0, 1], [0, 2], [3, 3], [5, 5]));
  assert.equal(new Set(more.map(({ key }) => key)).size, 5);
});

test("what an author has drawn slides only where there is no doubt which went where", () => {
  const { keyed } = modules.figures;
  const piece = (number, ...place) => ({ kind: "piece", places: [place], number });
  const keysAt = (figures) => Object.fromEntries(figures.map(({ key, places }) => [places[0].join(), key]));
  const start = keyed([], [piece(1, 0, 0), piece(1, 0, 4), piece(2, 3, 3)]);
  const stepped = keyed(start, [piece(1, 0, 1), piece(1, 0, 4), piece(2, 2, 3)]);
  assert.deepEqual(keysAt(stepped), { "0,1": 0, "0,4": 1, "2,3": 2 });
  // Two squares are no step, another look is another thing, and of two one cannot tell which.
  assert.deepEqual(keysAt(keyed(start, [piece(1, 0, 2), piece(1, 0, 4), piece(2, 3, 3)]))["0,2"], 3);
  assert.deepEqual(keysAt(keyed(start, [piece(2, 0, 1), piece(1, 0, 4), piece(2, 3, 3)]))["0,1"], 3);
  const player = (number) => ({ kind: "player", places: [[0, 0]], number });
  assert.deepEqual(
    keyed([], [player(3), player(4)]).map(({ key }) => key),
    [0, 1],
    "a player of two parts",
  );
  const two = keyed([], [piece(1, 0, 0), piece(1, 0, 2)]);
  assert.deepEqual(keysAt(keyed(two, [piece(1, 0, 1)]))["0,1"], 2);
});

test("where two solutions part is said by what moves: a piece, a ball onto another, the player", () => {
  const { forkView } = modules.fork;
  const at = (kind, row, column, number = 0) => ({ kind, places: [[row, column]], number });
  const view = (before, ...after) => {
    const fork = { at: 1, before, ways: after.map((after) => ({ moves: "", after })) };
    return forkView(fork, before, []);
  };
  const boxes = view(
    [at("box", 1, 1), at("player", 0, 1)],
    [at("box", 2, 1), at("player", 1, 1)],
    [at("box", 1, 2), at("player", 1, 1)],
  );
  assert.equal(
    boxes.words,
    "Two of them part after 1 move: 1 moves the box in row 2, column 2 to row 3, column 2; " +
      "2 moves the box in row 2, column 2 to row 2, column 3.",
  );
  assert.deepEqual(
    boxes.marks.map(({ places }) => places),
    [
      [
        [1, 1],
        [2, 1],
      ],
      [
        [1, 1],
        [1, 2],
      ],
    ],
  );
  assert.deepEqual(
    boxes.ghosts.map(({ places }) => places[0]),
    [
      [2, 1],
      [1, 2],
    ],
  );
  // Of two pieces that one of them moves, that which the other does not move.
  const [hydrogen, oxygen] = [at("hydrogen", 1, 1), at("oxygen", 2, 1)];
  const [right, along] = [at("hydrogen", 1, 2), at("oxygen", 2, 2)];
  const atoms = view([hydrogen, oxygen], [right, along], [right, oxygen]);
  assert.match(
    atoms.words,
    /: 1 moves the oxygen in row 3, column 2 to row 3, column 3; 2 moves the hydrogen/,
  );
  const alike = view([hydrogen, oxygen], [right, along], [right, along]);
  assert.equal(alike.words, "Two of them part after 1 move.");
  const balls = view(
    [at("balls", 1, 1, 1), at("balls", 1, 2, 2), at("player", 1, 0)],
    [at("balls", 1, 2, 3), at("player", 1, 1)],
    [at("balls", 1, 1, 1), at("balls", 1, 2, 2), at("player", 2, 0)],
  );
  assert.match(
    balls.words,
    /1 moves the small ball in row 2, column 2 to row 2, column 3; 2 moves the player/,
  );
});

test("links carry all that they are given, and what is no link is told apart", () => {
  const { toHash, fromHash } = modules.link;
  const shared = {
    level: { puzzle: "sokoban", text: "#####\n#@$.#\n#####\n", options: { a: "b" }, title: "Üb €" },
    moves: "R",
  };
  const none = { record: undefined, within: undefined };
  assert.deepEqual(fromHash(toHash(shared)), { ...shared, ...none });
  const all = {
    ...shared,
    record: { count: "6 pushes", shortest: true },
    within: { collection: "abc", at: 36, total: 155 },
  };
  assert.deepEqual(fromHash(toHash(all)), all);
  assert.match(toHash(all), /&level=37&of=155&in=abc$/);
  for (const record of [{ count: "x".repeat(61), shortest: true }, { count: 6, shortest: true }, "6 pushes"])
    assert.equal(fromHash(toHash({ ...all, record })).record, undefined);
  assert.equal(fromHash(`${toHash(shared)}&level=9&of=3&in=abc`).within, undefined);
  assert.deepEqual([fromHash(""), fromHash("#")], [null, null]);
  for (const hash of [
    "#2abc",
    toHash(shared).slice(0, -5),
    "#1",
    "#1!!!",
    toHash({ ...shared, level: { ...shared.level, options: { a: 3 } } }),
  ]) {
    assert.equal(fromHash(hash), "broken", hash);
  }
});

test("what another tab has made comes before a game, and nothing is there twice", () => {
  const { begun, advance, after, undo, made, attempt } = modules.game;
  const mine = advance(begun(), ["u", "l"]);
  const other = advance(begun(), ["d"]);
  const both = after(other, mine);
  assert.deepEqual(made(both), ["u", "l"]);
  assert.deepEqual(made(undo(undo(undo(both)))), ["d"]);
  // What goes on with an attempt is that attempt.
  assert.equal(after(advance(begun(), ["u"]), mine).attempts.length, 1);
  assert.equal(after(both, both).attempts.length, 2);
  assert.equal(attempt(after(both, mine)).at, 2);
});

test("what is made in one go is undone in one go, also after a visit", () => {
  const { begun, advance, undo, redo, made, goTo, dataOf, gameFrom } = modules.game;
  const game = advance(advance(advance(begun(), ["u"]), ["r", "r", "R"], true), ["d"]);
  for (const one of [game, gameFrom(JSON.parse(JSON.stringify(dataOf(game))))]) {
    assert.deepEqual(made(undo(one)), ["u", "r", "r", "R"]);
    assert.deepEqual(made(undo(undo(one))), ["u"]);
    assert.deepEqual(made(redo(undo(undo(one)))), ["u", "r", "r", "R"]);
    assert.deepEqual(made(undo(goTo(one, 3))), ["u"]);
  }
});

test("a history keeps what was undone until something else is done", () => {
  const { begin, advance, amend, undo, redo, historyFrom } = modules.history;
  const history = amend(advance(advance(begin(1), 2), 3), 4);
  assert.equal(undo(history).now, 2);
  assert.equal(redo(undo(history)).now, 4);
  assert.equal(redo(advance(undo(history), 5)).now, 5);
  const number = (one) => (typeof one === "number" ? one : null);
  assert.deepEqual(historyFrom(history, number), history);
  assert.equal(historyFrom({ past: ["x"], now: 1, future: [] }, number), null);
});

test("sheets are turned all round and back", () => {
  const { sheetOf, textOf, rotate, mirror, resize } = modules.sheet;
  for (const [text, form] of [
    ["#####\n#@$.#\n#####\n", "board"],
    ["shape: square\n\nA.B\nA.B\nWALL 0,0 0,1\n", "paths"],
  ]) {
    const sheet = sheetOf(text, form);
    let turned = sheet;
    for (let turn = 0; turn < 4; turn += 1) turned = rotate(turned, ".");
    assert.equal(textOf(turned), text);
    assert.equal(textOf(mirror(mirror(sheet, "."), ".")), text);
  }
  assert.equal(
    textOf(resize(sheetOf("####\n#@ #\n####\n", "board"), 4, 5, " ", "#")),
    "#####\n#@  #\n#   #\n#####\n",
  );
});
