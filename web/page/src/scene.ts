// A board as what is drawn: of a position as the engine gives it, or of a text that is painted and
// may not be a level yet.

import type { FamilyUi } from "./families";
import type { Figure, Paths, Squares } from "./protocol";
import { key, sizeOf, wallsOf, type Board, type Sheet } from "./sheet";
import { texts } from "./texts";

export interface Scene {
  readonly ground: Squares | Paths;
  readonly figures: readonly Figure[];
}

/** The squares of a board of a sheet, by the tiles of the family. */
export function sceneOf(sheet: Sheet, of: number, ui: FamilyUi): Scene {
  const board = sheet.boards[of] ?? { rows: [], after: [] };
  if (ui.form === "paths") return { ground: pathsOf(sheet, board), figures: [] };
  const [rows, columns] = sizeOf(board);
  const tiles = new Map(ui.paints.map(({ glyph, tile }) => [glyph, tile]));
  const kinds: string[] = [];
  const squares: number[] = [];
  const figures: Figure[] = [];
  board.rows.forEach((line, row) =>
    [...line.padEnd(columns, ui.outside)].forEach((glyph, column) => {
      const { ground, on = [] } = tiles.get(glyph) ?? { ground: "unknown" };
      if (!kinds.includes(ground)) kinds.push(ground);
      squares.push(kinds.indexOf(ground));
      for (const [kind, number = 0] of on) figures.push({ kind, places: [[row, column]], number });
    }),
  );
  const corners = [...sheet.corners].map(([at, sign]) => {
    const [row = 0, column = 0] = at.split(",").map(Number);
    const kind = { "/": "weaken", "+": "strengthen", "@": "rotate" }[sign] ?? sign;
    return { at: [row, column] as [number, number], kind };
  });
  const ground: Squares = { rows, columns, kinds, squares, corners: of === 0 ? corners : [] };
  return { ground, figures };
}

/** Colours of labels while they are painted; the engine has its own for those of a level. */
const HUES = [0, 137, 275, 52, 190, 327, 105, 242, 20, 157];

/** Cells, letters and walls of a drawing of paths. */
function pathsOf(sheet: Sheet, board: Board): Paths {
  const [height, width] = sizeOf(board);
  const cells: Paths["cells"] = [];
  const numbers = new Map<string, number>();
  const labels = new Map<string, number[]>();
  board.rows.forEach((line, row) =>
    [...line.padEnd(width, ".")].forEach((glyph, column) => {
      if (glyph === "#") return;
      numbers.set(key(row, column), cells.length);
      if (/[A-Za-z0-9]/.test(glyph)) {
        labels.set(glyph, [...(labels.get(glyph) ?? []), cells.length]);
      }
      cells.push({ name: key(row, column), x: column + 0.5, y: row + 0.5, bridge: glyph === "+" });
    }),
  );
  const walls = wallsOf(sheet).flatMap(([a, b]) => {
    const ends = [numbers.get(key(...a)), numbers.get(key(...b))] as const;
    return ends[0] === undefined || ends[1] === undefined ? [] : [[ends[0], ends[1]] as [number, number]];
  });
  const ends = [...labels].map(([label, at], index) => ({
    label,
    colour: `hsl(${HUES[index % HUES.length]} 75% 65%)`,
    cells: [at[0] ?? 0, at[1] ?? at[0] ?? 0] as [number, number],
  }));
  return { square: true, width, height, cells, ways: [], walls, ends };
}

/** What stands on each square, in words; by `row,column`. */
export function described({ ground, figures }: Scene): ReadonlyMap<string, string> {
  const things = texts.things as Readonly<Record<string, string>>;
  const all = new Map<string, string[]>();
  const add = (place: string, word: string | undefined) => {
    if (word) all.set(place, [...(all.get(place) ?? []), word]);
  };
  if ("squares" in ground) {
    for (const { kind, places, number } of figures) {
      const word = kind === "balls" ? texts.balls[number] : things[kind];
      for (const place of kind === "bond" ? [] : places) add(key(...place), word);
    }
    ground.squares.forEach((kind, index) => {
      const place = key(Math.floor(index / ground.columns), index % ground.columns);
      const word = ground.kinds[kind] ?? "";
      if (word !== "floor" || !all.has(place)) add(place, things[word]);
    });
  } else {
    const labels = new Map(ground.ends.flatMap(({ label, cells }) => cells.map((at) => [at, label])));
    ground.cells.forEach(({ name, bridge }, number) => {
      const label = labels.get(number);
      add(name, label ? texts.paints.terminus(label) : bridge ? things["bridge"] : things["open"]);
    });
  }
  return new Map([...all].map(([place, words]) => [place, words.join(", ")]));
}
