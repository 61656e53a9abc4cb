// A level's text as what the editor paints on: boards of characters, signs on the corners between
// cells, and the lines around them. What a text means is the engine's word; here is only where in
// the text things stand, so that they can be put, taken, turned and mirrored.

/** Row and column, from 0. */
export type Cell = readonly [row: number, column: number];

export type Rows = readonly string[];

/** How the boards of a family stand in its text. */
export type Form =
  /** One board, whatever stands around it. */
  | "board"
  /** A map, and perhaps a goal map below it (Warehouse). */
  | "maps"
  /** Cells, and between the rows signs on their corners (Sokobond). */
  | "molecules"
  /** Header lines, a board, and below it lines that name cells (Flow). */
  | "paths"
  /** A map below the heading of the levels (PuzzleScript). */
  | "game";

export interface Board {
  readonly rows: Rows;
  /** The lines between this board and the next one. */
  readonly after: Rows;
}

export interface Sheet {
  readonly head: Rows;
  readonly boards: readonly Board[];
  /** The sign on the lower right corner of a cell, by its place. */
  readonly corners: ReadonlyMap<string, string>;
}

const DIRECTIVE = /^(WALL|HOLE|BRIDGE|LINK|SEAM|WARP|PAIR)\s/;

const isRow: Readonly<Record<Form, (line: string) => boolean>> = {
  board: (line) => line.trim() !== "" && !/^(;|[A-Za-z][A-Za-z ]*:)/.test(line),
  maps: (line) => /^[#.@O[\]=?]+$/.test(line),
  molecules: (line) => line.trim() !== "" && !line.startsWith("="),
  paths: (line) => line.trim() !== "" && !/^[a-z]+:/.test(line) && !DIRECTIVE.test(line),
  game: (line) => line.trim() !== "" && !/^=+$/.test(line) && !/^\s*(message\b|\()/i.test(line),
};

export const key = (row: number, column: number) => `${row},${column}`;

export function sheetOf(text: string, form: Form): Sheet {
  const lines = text.replace(/\n+$/, "").split("\n");
  if (form === "molecules" && lines[0]?.startsWith("v2")) return spaced(lines);
  const first = form === "game" ? lines.findIndex((line) => /^\s*levels/i.test(line)) + 1 : 0;
  const head: string[] = lines.slice(0, first);
  const boards: { rows: string[]; after: string[] }[] = [];
  let inside = false;
  for (const line of lines.slice(first)) {
    const last = boards.at(-1);
    const begins = isRow[form](line) && (last === undefined || form === "maps" || form === "game");
    if (inside && last && isRow[form](line)) last.rows.push(line);
    else if (begins) boards.push({ rows: [line], after: [] });
    else (last?.after ?? head).push(line);
    inside = isRow[form](line) && boards.at(-1)?.after.length === 0;
  }
  return { head, boards, corners: new Map() };
}

/** Cells with blanks between them, and between their rows the signs on their corners. */
function spaced(lines: Rows): Sheet {
  const end = lines.findIndex((line) => line.startsWith("="));
  const body = lines.slice(1, end < 0 ? lines.length : end);
  const corners = new Map<string, string>();
  const rows = body.filter((_, index) => index % 2 === 0);
  body.forEach((line, index) => {
    if (index % 2 === 0) return;
    [...line].forEach(
      (sign, at) => sign !== " " && corners.set(key((index - 1) / 2, Math.floor(at / 2)), sign),
    );
  });
  const cells = (line: string) => [...line].filter((_, at) => at % 2 === 0).join("");
  return {
    head: lines.slice(0, 1),
    boards: [{ rows: rows.map(cells), after: end < 0 ? [] : lines.slice(end) }],
    corners,
  };
}

export function textOf(sheet: Sheet): string {
  const { corners, boards } = sheet;
  const isSpaced = corners.size > 0 || sheet.head[0]?.startsWith("v2");
  const head = isSpaced && sheet.head.length === 0 ? ["v2"] : sheet.head;
  const lines = boards.flatMap(({ rows, after }) => [...(isSpaced ? spread(rows, corners) : rows), ...after]);
  // A row of blanks would end the board: `-` is floor, too.
  const all = [
    ...head,
    ...lines.map((line) => (/^ +$/.test(line) && !isSpaced ? "-".repeat(line.length) : line)),
  ];
  return `${all.join("\n").replace(/\n+$/, "")}\n`;
}

function spread(rows: Rows, corners: Sheet["corners"]): Rows {
  return rows.flatMap((row, index) => {
    const cells = [...row].join(" ");
    const signs = [...row].map((_, column) => ` ${corners.get(key(index, column)) ?? " "}`).join("");
    return index + 1 < rows.length ? [cells, signs.trimEnd()] : [cells];
  });
}

/** Height and width of a board. */
export function sizeOf(board: Board): readonly [number, number] {
  return [board.rows.length, Math.max(0, ...board.rows.map((row) => [...row].length))];
}

/** Puts a character on a cell; the row grows as far as it must. */
export function paint(sheet: Sheet, of: number, [row, column]: Cell, glyph: string, blank: string): Sheet {
  const put = (line: string, index: number) => {
    if (index !== row) return line;
    const cells = [...line];
    while (cells.length <= column) cells.push(blank);
    cells[column] = glyph;
    return cells.join("");
  };
  const boards = sheet.boards.map((board, index) =>
    index === of ? { ...board, rows: board.rows.map(put) } : board,
  );
  return { ...sheet, boards };
}

/** Takes from a board what leaves something behind. */
export function lifted(sheet: Sheet, of: number, left: (glyph: string) => string | undefined): Sheet {
  const row = (line: string) => [...line].map((glyph) => left(glyph) ?? glyph).join("");
  const boards = sheet.boards.map((board, index) =>
    index === of ? { ...board, rows: board.rows.map(row) } : board,
  );
  return { ...sheet, boards };
}

/** Puts a sign on the lower right corner of a cell, or takes the same one away; the rim has none. */
export function sign(sheet: Sheet, [row, column]: Cell, glyph: string): Sheet {
  const [height, width] = sizeOf(sheet.boards[0] ?? { rows: [], after: [] });
  if (row + 1 >= height || column + 1 >= width) return sheet;
  const corners = new Map(sheet.corners);
  if (corners.get(key(row, column)) === glyph) corners.delete(key(row, column));
  else corners.set(key(row, column), glyph);
  return { ...sheet, corners };
}

const beside = (a: Cell, b: Cell) => Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]) === 1;

/** The line that ties two cells, or parts them; `null` where there is none. */
function tie(board: Board, a: Cell, b: Cell, kind: "WALL" | "LINK"): string | null {
  const [height, width] = sizeOf(board);
  const [from, to] = key(...a) < key(...b) ? [a, b] : [b, a];
  if (kind === "WALL") return beside(a, b) ? `WALL ${key(...from)} ${key(...to)}` : null;
  if (key(...a) === key(...b) || beside(a, b)) return null;
  if (a[0] === b[0] && Math.abs(a[1] - b[1]) === width - 1) return `WARP row ${a[0]}`;
  if (a[1] === b[1] && Math.abs(a[0] - b[0]) === height - 1) return `WARP column ${a[1]}`;
  return `LINK ${key(...from)} ${key(...to)}`;
}

/** Puts a wall between two cells, or joins two that are apart; or takes away what is there. */
export function join(sheet: Sheet, a: Cell, b: Cell, kind: "WALL" | "LINK"): Sheet {
  const [board, ...others] = sheet.boards;
  const line = board && tie(board, a, b, kind);
  if (!board || !line) return sheet;
  const same = (other: string) =>
    other.trim().replace(/\s+/g, " ") === line || other.trim() === swapped(line);
  const without = board.after.filter((other) => !same(other));
  const after = without.length < board.after.length ? without : [...without, line];
  return { ...sheet, boards: [{ ...board, after }, ...others] };
}

function swapped(line: string): string {
  const [word, a, b] = line.split(" ");
  return `${word} ${b} ${a}`;
}

/** The pairs of neighbours with a wall between them. */
export function wallsOf(sheet: Sheet): readonly (readonly [Cell, Cell])[] {
  const cell = (name: string | undefined) => (name ?? "").split(",").map(Number) as unknown as Cell;
  const lines = sheet.boards[0]?.after.filter((line) => line.startsWith("WALL ")) ?? [];
  return lines.map((line) => line.trim().split(/\s+/)).map(([, a, b]) => [cell(a), cell(b)] as const);
}

/** Where a turn brings cells, lines and sides of a board. */
interface Turn {
  cell(at: Cell): Cell | null;
  corner(at: Cell): Cell | null;
  line(kind: string, index: number): readonly [string, number] | null;
  side(letter: string): string;
}

/** What the lines below a board say after a turn; those whose cells are gone go with them. */
function turned(after: Rows, turn: Turn): Rows {
  return after.flatMap((line) => {
    if (!DIRECTIVE.test(line)) return [line];
    const words = line.trim().split(/\s+/);
    const warp =
      words[0] === "WARP" && words[1] !== "all" ? turn.line(words[1] ?? "", Number(words[2])) : undefined;
    if (warp !== undefined) return warp === null ? [] : [`WARP ${warp.join(" ")}`];
    const moved = words.map((word, index) => {
      if (words[0] === "SEAM" && index > 2) return turn.side(word);
      if (!/^\d+,\d+$/.test(word)) return word;
      const at = turn.cell(word.split(",").map(Number) as unknown as Cell);
      return at && key(...at);
    });
    return moved.includes(null) ? [] : [moved.join(" ")];
  });
}

function everyBoard(
  sheet: Sheet,
  blank: string,
  change: (square: Rows) => Rows,
  turnOf: (height: number, width: number) => Turn,
): Sheet {
  const first = sizeOf(sheet.boards[0] ?? { rows: [], after: [] });
  const corners = new Map<string, string>();
  for (const [at, glyph] of sheet.corners) {
    const to = turnOf(...first).corner(at.split(",").map(Number) as unknown as Cell);
    if (to !== null) corners.set(key(...to), glyph);
  }
  const boards = sheet.boards.map((board) => {
    const [height, width] = sizeOf(board);
    const square = board.rows.map((row) => row.padEnd(width, blank));
    return { rows: change(square), after: turned(board.after, turnOf(height, width)) };
  });
  return { ...sheet, boards, corners };
}

/** A quarter turn to the right. */
export function rotate(sheet: Sheet, blank: string): Sheet {
  const change = (square: Rows) =>
    Array.from({ length: square[0]?.length ?? 0 }, (_, column) =>
      square
        .map((row) => row[column] ?? blank)
        .reverse()
        .join(""),
    );
  return everyBoard(sheet, blank, change, (height) => ({
    cell: ([row, column]) => [column, height - 1 - row],
    corner: ([row, column]) => [column, height - 2 - row],
    line: (kind, index) => (kind === "row" ? ["column", height - 1 - index] : ["row", index]),
    side: (letter) => "RDLU"["URDL".indexOf(letter)] ?? letter,
  }));
}

/** Left and right change places. */
export function mirror(sheet: Sheet, blank: string): Sheet {
  const swapped: Record<string, string> = { "[": "]", "]": "[" };
  const change = (square: Rows) =>
    square.map((row) =>
      [...row]
        .reverse()
        .map((glyph) => swapped[glyph] ?? glyph)
        .join(""),
    );
  return everyBoard(sheet, blank, change, (_, width) => ({
    cell: ([row, column]) => [row, width - 1 - column],
    corner: ([row, column]) => [row, width - 2 - column],
    line: (kind, index) => (kind === "row" ? ["row", index] : ["column", width - 1 - index]),
    side: (letter) => "ULDR"["URDL".indexOf(letter)] ?? letter,
  }));
}

/** Where an index comes to when a length changes before the last one: the rim stays the rim. */
function moved(index: number, from: number, to: number): number | null {
  if (index === from - 1) return to - 1;
  return index < to - 1 ? index : null;
}

/**
 * Makes every board larger or smaller: at its right and lower side, within the rim of walls where
 * the family has one.
 */
export function resize(
  sheet: Sheet,
  rows: number,
  columns: number,
  blank: string,
  wall: string | null,
): Sheet {
  if (wall === null) {
    const change = (square: Rows) =>
      Array.from({ length: rows }, (_, row) => (square[row] ?? "").padEnd(columns, blank).slice(0, columns));
    const inside = (at: Cell, rim: number) => (at[0] < rows - rim && at[1] < columns - rim ? at : null);
    return everyBoard(sheet, blank, change, () => ({
      cell: (at) => inside(at, 0),
      corner: (at) => inside(at, 1),
      line: (kind, index) => (index < (kind === "row" ? rows : columns) ? [kind, index] : null),
      side: (letter) => letter,
    }));
  }
  const fitted = (length: number, [...all]: string[], fill: (last: string) => string) => {
    const last = all.pop() ?? fill("");
    return [...Array.from({ length: length - 1 }, (_, index) => all[index] ?? fill(last)), last];
  };
  const change = (square: Rows) => {
    // A row of walls is longer by walls, every other one by floor.
    const wider = square.map((row) =>
      fitted(columns, [...row], () => ([...row].every((glyph) => glyph === wall) ? wall : blank)).join(""),
    );
    return fitted(rows, wider, () => (columns < 2 ? blank : wall + blank.repeat(columns - 2) + wall));
  };
  return everyBoard(sheet, blank, change, (height, width) => {
    const at = (row: number | null, column: number | null): Cell | null =>
      row === null || column === null ? null : [row, column];
    return {
      cell: ([row, column]) => at(moved(row, height, rows), moved(column, width, columns)),
      corner: ([row, column]) => (row < rows - 1 && column < columns - 1 ? [row, column] : null),
      line: (kind, index) => [kind, index],
      side: (letter) => letter,
    };
  });
}
