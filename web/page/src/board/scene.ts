// A board as what is drawn: of a position as the engine gives it, or of a text that is painted and
// may not be a level yet.

import type { FamilyUi } from "../families";
import type { Figure, Paths, Sprite, Squares } from "../protocol";
import { key, sizeOf, wallsOf, type Board, type Sheet } from "../design/sheet";
import { texts } from "../texts";

export interface Scene {
  readonly ground: Squares | Paths;
  readonly figures: readonly Figure[];
}

/** What stands on corners, by its character. */
export const CORNERS: Readonly<Record<string, string>> = { "/": "weaken", "+": "strengthen", "@": "rotate" };

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
      const { ground, on = [] } = tiles.get(glyph) ?? { ground: glyph };
      if (!kinds.includes(ground)) kinds.push(ground);
      squares.push(kinds.indexOf(ground));
      for (const [kind, number = 0] of on) figures.push({ kind, places: [[row, column]], number });
    }),
  );
  const corners = [...sheet.corners].map(([at, sign]) => {
    const [row = 0, column = 0] = at.split(",").map(Number);
    const kind = CORNERS[sign] ?? sign;
    return { at: [row, column] as [number, number], kind };
  });
  const ground: Squares = { rows, columns, kinds, squares, corners: of === 0 ? corners : [], sprites: [] };
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

const things = texts.things as Readonly<Record<string, string>>;

/** What a figure is called, where it is called anything. */
export function wordOf({ kind, number }: Figure, sprites: readonly Sprite[]): string | undefined {
  if (kind === "bond" || kind === "background") return undefined;
  if (sprites.length > 0) return sprites[number]?.name;
  return kind === "balls" ? texts.balls[number] : things[kind];
}

/** What stands on squares, in words; by `row,column`. */
export function figureWords(
  figures: readonly Figure[],
  sprites: readonly Sprite[],
): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  for (const figure of figures) {
    const word = wordOf(figure, sprites);
    if (!word) continue;
    for (const place of figure.places) {
      const before = words.get(key(...place));
      words.set(key(...place), before === undefined ? word : `${before}, ${word}`);
    }
  }
  return words;
}

/** A square in words: what stands on it, and what it is. */
export function squareWords(
  { columns, kinds, squares }: Squares,
  standing: ReadonlyMap<string, string>,
  row: number,
  column: number,
): string {
  const kind = kinds[squares[row * columns + column] ?? -1] ?? "nothing";
  const there = standing.get(key(row, column));
  const ground = there !== undefined && kind === "floor" ? undefined : things[kind];
  return [there, ground].filter((word) => word !== undefined).join(", ");
}

/** A cell that paths pass, in words. */
export function cellWords({ cells, ends }: Paths, number: number): string {
  const label = ends.find((one) => one.cells.includes(number))?.label;
  if (label !== undefined) return texts.paints.terminus(label);
  return cells[number]?.bridge ? texts.things.bridge : texts.things.open;
}
