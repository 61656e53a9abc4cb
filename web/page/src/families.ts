// What the page must know of a family beyond the engine's word: keys, and paints of the editor.
// Rules, pictures and formats are the engine's alone.

import type { Form } from "./sheet";
import { texts } from "./texts";

const words = texts.paints;

/** A character of the family's format, with its name for a person. */
export interface Paint {
  readonly glyph: string;
  readonly name: string;
  /** Where it stands if not on a cell: on the corner of one, or between two. */
  readonly on?: "corner" | "pair";
  /** There is one of it on a board: what stays behind when it is put elsewhere. */
  readonly leaves?: string;
  /** What shows it, where the glyph is a word. */
  readonly shown?: string;
}

/** The paints of these glyphs, in this order, by the family's words for them. */
const named = <Glyph extends string>(
  words: Readonly<Record<Glyph, string>>,
  glyphs: readonly Glyph[],
  more: Partial<Record<Glyph, Omit<Paint, "glyph" | "name">>> = {},
): readonly Paint[] => glyphs.map((glyph) => ({ glyph, name: words[glyph], ...more[glyph] }));

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
  /** A small level to begin from. */
  readonly example: string;
  /** The name of a level of ours to begin with. */
  readonly starter: string;
  /** The measures that a counter shows: words of the family for moves and pushes. */
  readonly measures: { readonly moves: string; readonly pushes: string | null };
}

export const FAMILY_UI: Readonly<Record<string, FamilyUi>> = {
  sokoban: {
    steps: ["u", "r", "d", "l"],
    paints: named(words.sokoban, ["#", " ", ".", "$", "*", "@", "+"], {
      "@": { leaves: " " },
      "+": { leaves: "." },
    }),
    form: "board",
    blank: " ",
    wall: "#",
    outside: " ",
    example: "#######\n#.@ $ #\n#######\n",
    starter: "pantry",
    measures: texts.measures.sokoban,
  },
  sokobond: {
    steps: ["W", "D", "S", "A"],
    paints: named(words.sokobond, ["x", "-", "H", "O", "N", "C", "h", "o", "n", "c", "e", "/", "+", "@"], {
      "H": { leaves: "-" },
      "O": { leaves: "-" },
      "N": { leaves: "-" },
      "C": { leaves: "-" },
      "/": { on: "corner" },
      "+": { on: "corner" },
      "@": { on: "corner" },
    }),
    form: "molecules",
    blank: "-",
    wall: "x",
    outside: "x",
    example: "xxxxxx\nx-h-ox\nx-H--x\nxxxxxx\n",
    starter: "water",
    measures: texts.measures.sokobond,
  },
  snowman: {
    steps: ["W", "D", "S", "A"],
    paints: named(words.snowman, ["X", "-", "*", "+", "=", "T", "1", "2", "3", "4", "5", "6", "7", "#", "%", "@", "&", "U", "a", "b", "c", "d", "e", "f"], {
      "#": { leaves: "-" },
      "%": { leaves: "*" },
      "@": { leaves: "+" },
      "&": { leaves: "=" },
      "U": { leaves: "T" },
    }),
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
    paints: named(words.warehouse, ["#", ".", "@", "O", "[", "=", "]", "?"], {
      "@": { leaves: "." },
    }),
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
      ...named(words.flow, [".", "#"]),
      ..."ABCDEFGHIJ".split("").map((glyph) => ({ glyph, name: words.terminus(glyph) })),
      ...named(words.flow, ["+", "WALL", "LINK"], {
        WALL: { on: "pair", shown: "|" },
        LINK: { on: "pair", shown: "~" },
      }),
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
  const index = {
    ArrowUp: 0, w: 0, W: 0,
    ArrowRight: 1, d: 1, D: 1,
    ArrowDown: 2, s: 2, S: 2,
    ArrowLeft: 3, a: 3, A: 3,
  }[key];
  return index ?? null;
}

/** The steps of a move string, each with what belongs to it (the number of a teleporter, say). */
export function stepsOf(moves: string): string[] {
  return moves.match(/[^\s\d]\d*/g) ?? [];
}
