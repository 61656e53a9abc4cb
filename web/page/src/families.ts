// What the page must know of a family beyond the engine's word: keys, and paints of the editor.
// Rules, pictures and formats are the engine's alone.

import type { Form } from "./sheet";

/** A character of the family's format, with its name for a person. */
export interface Paint {
  readonly glyph: string;
  readonly name: string;
  /** Where it stands if not on a cell: on the corner of one, or between two. */
  readonly on?: "corner" | "pair";
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
      { glyph: "#", name: "wall" },
      { glyph: " ", name: "floor" },
      { glyph: ".", name: "goal" },
      { glyph: "$", name: "box" },
      { glyph: "*", name: "box on a goal" },
      { glyph: "@", name: "player" },
      { glyph: "+", name: "player on a goal" },
    ],
    form: "board",
    blank: " ",
    outside: " ",
    example: "#######\n#.@ $ #\n#######\n",
    starter: "pantry",
    measures: { moves: "moves", pushes: "pushes" },
  },
  sokobond: {
    steps: ["W", "D", "S", "A"],
    paints: [
      { glyph: "x", name: "wall" },
      { glyph: "-", name: "floor" },
      { glyph: "H", name: "player, hydrogen" },
      { glyph: "O", name: "player, oxygen" },
      { glyph: "N", name: "player, nitrogen" },
      { glyph: "C", name: "player, carbon" },
      { glyph: "h", name: "hydrogen" },
      { glyph: "o", name: "oxygen" },
      { glyph: "n", name: "nitrogen" },
      { glyph: "c", name: "carbon" },
      { glyph: "e", name: "helium" },
      { glyph: "/", name: "weakens bonds", on: "corner" },
      { glyph: "+", name: "strengthens bonds", on: "corner" },
      { glyph: "@", name: "turns bonds", on: "corner" },
    ],
    form: "molecules",
    blank: "-",
    outside: "x",
    example: "xxxxxx\nx-h-ox\nx-H--x\nxxxxxx\n",
    starter: "water",
    measures: { moves: "moves", pushes: null },
  },
  snowman: {
    steps: ["W", "D", "S", "A"],
    paints: [
      { glyph: "X", name: "wall" },
      { glyph: "-", name: "bare ground" },
      { glyph: "*", name: "snow" },
      { glyph: "+", name: "target on bare ground" },
      { glyph: "=", name: "target on snow" },
      { glyph: "T", name: "teleporter" },
      { glyph: "1", name: "small ball" },
      { glyph: "2", name: "medium ball" },
      { glyph: "3", name: "small on medium" },
      { glyph: "4", name: "large ball" },
      { glyph: "5", name: "small on large" },
      { glyph: "6", name: "medium on large" },
      { glyph: "7", name: "complete snowman" },
      { glyph: "#", name: "player on bare ground" },
      { glyph: "%", name: "player on snow" },
      { glyph: "@", name: "player on a bare target" },
      { glyph: "&", name: "player on a snowy target" },
      { glyph: "U", name: "player on a teleporter" },
      { glyph: "a", name: "small ball on a target" },
      { glyph: "b", name: "medium ball on a target" },
      { glyph: "c", name: "small on medium on a target" },
      { glyph: "d", name: "large ball on a target" },
      { glyph: "e", name: "small on large on a target" },
      { glyph: "f", name: "medium on large on a target" },
    ],
    form: "board",
    blank: "-",
    outside: "X",
    example: "; legend: published\nXXXXXXX\nX#--2-X\nX-4-1-X\nX-----X\nXXXXXXX\n",
    starter: "first-snowman",
    measures: { moves: "moves", pushes: "ball actions" },
  },
  warehouse: {
    steps: ["^", ">", "v", "<"],
    paints: [
      { glyph: "#", name: "wall" },
      { glyph: ".", name: "floor" },
      { glyph: "@", name: "robot" },
      { glyph: "O", name: "box" },
      { glyph: "[", name: "left end of a wide box" },
      { glyph: "=", name: "middle of a wide box" },
      { glyph: "]", name: "right end of a wide box" },
      { glyph: "?", name: "anything (goal map)" },
    ],
    form: "maps",
    blank: ".",
    outside: "#",
    example: "######\n#....#\n#.O@.#\n#....#\n######\n\n######\n#O...#\n#....#\n#....#\n######\n",
    starter: "first-box",
    measures: { moves: "instructions", pushes: "pushes" },
  },
  flow: {
    steps: ["", "", "", ""],
    paints: [
      { glyph: ".", name: "open cell" },
      { glyph: "#", name: "hole" },
      ..."ABCDEFGHIJ".split("").map((glyph) => ({ glyph, name: `terminus ${glyph}` })),
      { glyph: "+", name: "bridge" },
      { glyph: "WALL", name: "wall between two cells", on: "pair", shown: "|" },
      { glyph: "LINK", name: "warp or link of two cells", on: "pair", shown: "~" },
    ],
    form: "paths",
    blank: ".",
    outside: ".",
    example: "shape: square\n\nA..B\n....\n.BA.\n....\n",
    starter: "first-paths",
    measures: { moves: "steps", pushes: null },
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
