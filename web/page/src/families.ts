// What the page must know of a family beyond the engine's word: keys, and tiles of the editor.
// Rules, positions and formats are the engine's alone.

import type { Form } from "./design/sheet";
import { texts } from "./texts";

const words = texts.paints;

/** What a character of a format shows: the ground of its square, and what is on it. */
export interface Tile {
  readonly ground: string;
  readonly on?: readonly (readonly [kind: string, number?: number])[];
}

/** A character of the family's format, with its name for a person. */
export interface Paint {
  readonly glyph: string;
  readonly name: string;
  /** How it looks; `null` for what stands between squares, or is a letter. */
  readonly tile: Tile | null;
  /** Where it stands if not on a cell: on the corner of one, or between two. */
  readonly on?: "corner" | "pair";
}

type More = Omit<Paint, "glyph" | "name" | "tile"> & { tile?: Tile | null };

const tile = (ground: string, ...on: readonly (readonly [string, number?])[]): Tile => ({ ground, on });

/** The paints of these glyphs, in this order, by the family's words for them. */
function named<Glyph extends string>(
  words: Readonly<Record<Glyph, string>>,
  paints: readonly (readonly [Glyph, More])[],
): readonly Paint[] {
  return paints.map(([glyph, more]) => ({ glyph, name: words[glyph], tile: null, ...more }));
}

export interface FamilyUi {
  /** The letter of a step up, right, down, left in the family's notation. */
  readonly steps: readonly [string, string, string, string];
  readonly paints: readonly Paint[];
  /** How boards stand in its text. */
  readonly form: Form;
  /** The paint that rubs out. */
  readonly blank: string;
  /** What boards have around them; `null` where they have nothing. */
  readonly wall: string | null;
  /** What is beyond the end of a short row. */
  readonly outside: string;
  /** The key of an action, where games may have one. */
  readonly action?: string;
  /** A small level to begin from; it can be solved. */
  readonly example: string;
  /** The name of a level of ours to begin with. */
  readonly starter: string;
  /** The measures that a counter shows: words of the family for moves and pushes. */
  readonly measures: {
    readonly moves: (count: number) => string;
    readonly pushes: ((count: number) => string) | null;
  };
}

const atom = (element: string, electrons: number, isPlayer = false): More => ({
  tile: tile("floor", [element, electrons], ...(isPlayer ? [["player"] as const] : [])),
});

const snowman: readonly (readonly [keyof typeof words.snowman, More])[] = [
  ["X", { tile: tile("wall") }],
  ["-", { tile: tile("floor") }],
  ["*", { tile: tile("floor", ["snow"]) }],
  ["1", { tile: tile("floor", ["balls", 1]) }],
  ["2", { tile: tile("floor", ["balls", 2]) }],
  ["4", { tile: tile("floor", ["balls", 4]) }],
  ["#", { tile: tile("floor", ["player"]) }],
  ["3", { tile: tile("floor", ["balls", 3]) }],
  ["5", { tile: tile("floor", ["balls", 5]) }],
  ["6", { tile: tile("floor", ["balls", 6]) }],
  ["7", { tile: tile("floor", ["balls", 7]) }],
  ["%", { tile: tile("floor", ["snow"], ["player"]) }],
  ["+", { tile: tile("target") }],
  ["=", { tile: tile("target", ["snow"]) }],
  ["@", { tile: tile("target", ["player"]) }],
  ["&", { tile: tile("target", ["snow"], ["player"]) }],
  ["a", { tile: tile("target", ["balls", 1]) }],
  ["b", { tile: tile("target", ["balls", 2]) }],
  ["c", { tile: tile("target", ["balls", 3]) }],
  ["d", { tile: tile("target", ["balls", 4]) }],
  ["e", { tile: tile("target", ["balls", 5]) }],
  ["f", { tile: tile("target", ["balls", 6]) }],
  ["T", { tile: tile("teleporter") }],
  ["U", { tile: tile("teleporter", ["player"]) }],
];

export const FAMILY_UI: Readonly<Record<string, FamilyUi>> = {
  sokoban: {
    steps: ["u", "r", "d", "l"],
    paints: named(words.sokoban, [
      ["#", { tile: tile("wall") }],
      [" ", { tile: tile("floor") }],
      [".", { tile: tile("goal") }],
      ["$", { tile: tile("floor", ["box"]) }],
      ["*", { tile: tile("goal", ["box"]) }],
      ["@", { tile: tile("floor", ["player"]) }],
      ["+", { tile: tile("goal", ["player"]) }],
    ]),
    form: "board",
    blank: " ",
    wall: "#",
    outside: " ",
    example: "########\n#      #\n# @$ . #\n#      #\n#      #\n########\n",
    starter: "pantry",
    measures: texts.measures.sokoban,
  },
  sokobond: {
    steps: ["W", "D", "S", "A"],
    paints: [
      ...named(words.sokobond, [
        ["x", { tile: tile("wall") }],
        ["-", { tile: tile("floor") }],
        ["H", atom("hydrogen", 1, true)],
        ["O", atom("oxygen", 2, true)],
        ["N", atom("nitrogen", 3, true)],
        ["C", atom("carbon", 4, true)],
        ["h", atom("hydrogen", 1)],
        ["o", atom("oxygen", 2)],
        ["n", atom("nitrogen", 3)],
        ["c", atom("carbon", 4)],
        ["e", atom("helium", 0)],
        ["/", { on: "corner" }],
        ["+", { on: "corner" }],
        ["@", { on: "corner" }],
      ]),
      // Which of the atoms a person steers.
      { glyph: "H", name: words.steered, tile: tile("floor", ["player"]) },
    ],
    form: "molecules",
    blank: "-",
    wall: "x",
    outside: "x",
    example: "xxxxxxx\nxH----x\nx--o--x\nx----hx\nxxxxxxx\n",
    starter: "water",
    measures: texts.measures.sokobond,
  },
  snowman: {
    steps: ["W", "D", "S", "A"],
    paints: named(words.snowman, snowman),
    form: "board",
    blank: "-",
    wall: "X",
    outside: "X",
    example: "; legend: published\nXXXXXXX\nX#--2-X\nX-4-1-X\nX-----X\nXXXXXXX\n",
    starter: "first-snowman",
    measures: texts.measures.snowman,
  },
  warehouse: {
    steps: ["^", ">", "v", "<"],
    paints: named(words.warehouse, [
      ["#", { tile: tile("wall") }],
      [".", { tile: tile("floor") }],
      ["@", { tile: tile("floor", ["player"]) }],
      ["O", { tile: tile("floor", ["box"]) }],
      ["[", { tile: tile("floor", ["box-left"]) }],
      ["=", { tile: tile("floor", ["box-middle"]) }],
      ["]", { tile: tile("floor", ["box-right"]) }],
      ["?", { tile: tile("anything") }],
    ]),
    form: "maps",
    blank: ".",
    wall: "#",
    outside: "#",
    example: "######\n#....#\n#.O@.#\n#....#\n######\n\n######\n#O...#\n#....#\n#....#\n######\n",
    starter: "first-box",
    measures: texts.measures.warehouse,
  },
  flow: {
    steps: ["", "", "", ""],
    paints: [
      ...named(words.flow, [
        [".", { tile: tile("open") }],
        ["#", { tile: tile("hole") }],
      ]),
      ..."ABCDEFGHIJ".split("").map((glyph) => ({ glyph, name: words.terminus(glyph), tile: tile("open") })),
      ...named(words.flow, [
        ["+", { tile: tile("bridge") }],
        ["WALL", { on: "pair" }],
        ["LINK", { on: "pair" }],
      ]),
    ],
    form: "paths",
    blank: ".",
    wall: null,
    outside: ".",
    example: "shape: square\n\nA..B\n....\n.BA.\n....\n",
    starter: "first-paths",
    measures: texts.measures.flow,
  },
  puzzlescript: {
    steps: ["u", "r", "d", "l"],
    action: "x",
    // What maps are made of is in the legend of each game.
    paints: [],
    form: "game",
    blank: ".",
    wall: null,
    outside: ".",
    example: `title Example

OBJECTS

Background
lightgreen

Wall
brown

Player
black

Crate
orange

Target
darkblue
.....
.000.
.0.0.
.000.
.....

LEGEND
. = Background
# = Wall
P = Player
* = Crate
O = Target
@ = Crate and Target

SOUNDS

COLLISIONLAYERS
Background
Target
Player, Wall, Crate

RULES
[ > Player | Crate ] -> [ > Player | > Crate ]

WINCONDITIONS
All Target on Crate

LEVELS

######
#O.*P#
######
`,
    starter: "push",
    measures: texts.measures.puzzlescript,
  },
};

/** The step of a key: its index in [`FamilyUi.steps`], or null. */
export function stepOfKey(key: string): number | null {
  const letters = ["w", "d", "s", "a"];
  const arrows = ["ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft"];
  const index = Math.max(arrows.indexOf(key), letters.indexOf(key.toLowerCase()));
  return index < 0 ? null : index;
}

/** What people call a family. */
export function nameOfFamily(puzzle: string): string {
  const known = texts.families as Readonly<Record<string, { readonly name: string }>>;
  return known[puzzle]?.name ?? puzzle;
}
