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

export interface Manner {
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

export const MANNERS: Readonly<Record<string, Manner>> = {
  sokoban: {
    steps: ["u", "r", "d", "l"],
    paints: [
      { glyph: "#", name: words.sokoban["#"] },
      { glyph: " ", name: words.sokoban[" "] },
      { glyph: ".", name: words.sokoban["."] },
      { glyph: "$", name: words.sokoban["$"] },
      { glyph: "*", name: words.sokoban["*"] },
      { glyph: "@", name: words.sokoban["@"], leaves: " " },
      { glyph: "+", name: words.sokoban["+"], leaves: "." },
    ],
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
    paints: [
      { glyph: "x", name: words.sokobond["x"] },
      { glyph: "-", name: words.sokobond["-"] },
      { glyph: "H", name: words.sokobond["H"], leaves: "-" },
      { glyph: "O", name: words.sokobond["O"], leaves: "-" },
      { glyph: "N", name: words.sokobond["N"], leaves: "-" },
      { glyph: "C", name: words.sokobond["C"], leaves: "-" },
      { glyph: "h", name: words.sokobond["h"] },
      { glyph: "o", name: words.sokobond["o"] },
      { glyph: "n", name: words.sokobond["n"] },
      { glyph: "c", name: words.sokobond["c"] },
      { glyph: "e", name: words.sokobond["e"] },
      { glyph: "/", name: words.sokobond["/"], on: "corner" },
      { glyph: "+", name: words.sokobond["+"], on: "corner" },
      { glyph: "@", name: words.sokobond["@"], on: "corner" },
    ],
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
    paints: [
      { glyph: "X", name: words.snowman["X"] },
      { glyph: "-", name: words.snowman["-"] },
      { glyph: "*", name: words.snowman["*"] },
      { glyph: "+", name: words.snowman["+"] },
      { glyph: "=", name: words.snowman["="] },
      { glyph: "T", name: words.snowman["T"] },
      { glyph: "1", name: words.snowman["1"] },
      { glyph: "2", name: words.snowman["2"] },
      { glyph: "3", name: words.snowman["3"] },
      { glyph: "4", name: words.snowman["4"] },
      { glyph: "5", name: words.snowman["5"] },
      { glyph: "6", name: words.snowman["6"] },
      { glyph: "7", name: words.snowman["7"] },
      { glyph: "#", name: words.snowman["#"], leaves: "-" },
      { glyph: "%", name: words.snowman["%"], leaves: "*" },
      { glyph: "@", name: words.snowman["@"], leaves: "+" },
      { glyph: "&", name: words.snowman["&"], leaves: "=" },
      { glyph: "U", name: words.snowman["U"], leaves: "T" },
      { glyph: "a", name: words.snowman["a"] },
      { glyph: "b", name: words.snowman["b"] },
      { glyph: "c", name: words.snowman["c"] },
      { glyph: "d", name: words.snowman["d"] },
      { glyph: "e", name: words.snowman["e"] },
      { glyph: "f", name: words.snowman["f"] },
    ],
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
    paints: [
      { glyph: "#", name: words.warehouse["#"] },
      { glyph: ".", name: words.warehouse["."] },
      { glyph: "@", name: words.warehouse["@"], leaves: "." },
      { glyph: "O", name: words.warehouse["O"] },
      { glyph: "[", name: words.warehouse["["] },
      { glyph: "=", name: words.warehouse["="] },
      { glyph: "]", name: words.warehouse["]"] },
      { glyph: "?", name: words.warehouse["?"] },
    ],
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
      { glyph: ".", name: words.flow["."] },
      { glyph: "#", name: words.flow["#"] },
      ..."ABCDEFGHIJ".split("").map((glyph) => ({ glyph, name: words.terminus(glyph) })),
      { glyph: "+", name: words.flow["+"] },
      { glyph: "WALL", name: words.flow["WALL"], on: "pair", shown: "|" },
      { glyph: "LINK", name: words.flow["LINK"], on: "pair", shown: "~" },
    ],
    form: "paths",
    blank: ".",
    wall: null,
    outside: ".",
    example: "shape: square\n\nA..B\n....\n.BA.\n....\n",
    starter: "first-paths",
    measures: texts.measures.flow,
  },
};

/** The step of a key: its index in [`Manner.steps`], or null. */
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
