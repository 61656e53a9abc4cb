// A level's text as a grid of characters, for painting.

export type Rows = readonly string[];

export function rowsOf(text: string): Rows {
  return text.replace(/\n+$/, "").split("\n");
}

export function textOf(rows: Rows): string {
  return `${rows.map((row) => row.trimEnd()).join("\n")}\n`;
}

/** Puts a character; the row grows as far as it must. */
export function paint(rows: Rows, row: number, column: number, glyph: string, blank: string): Rows {
  return rows.map((line, index) => {
    if (index !== row) return line;
    const padded = line.padEnd(column + 1, blank);
    return padded.slice(0, column) + glyph + padded.slice(column + 1);
  });
}

/** The first run of rows that are a board: no headers, no blank lines. */
export function boardOf(rows: Rows): { first: number; last: number } {
  const isBoard = (row: string) => row.trim() !== "" && !/^(;|v2|=|[A-Za-z-]+:)/.test(row);
  const first = rows.findIndex(isBoard);
  if (first < 0) return { first: 0, last: -1 };
  const length = rows.slice(first).findIndex((row) => !isBoard(row));
  return { first, last: length < 0 ? rows.length - 1 : first + length - 1 };
}

/** Replaces the board by what `turn` makes of it. */
function withBoard(rows: Rows, blank: string, turn: (board: Rows) => Rows): Rows {
  const { first, last } = boardOf(rows);
  const board = rows.slice(first, last + 1);
  const width = Math.max(0, ...board.map((row) => row.length));
  const square = board.map((row) => row.padEnd(width, blank));
  return [...rows.slice(0, first), ...turn(square), ...rows.slice(last + 1)];
}

/** A quarter turn to the right. */
export function rotate(rows: Rows, blank: string): Rows {
  return withBoard(rows, blank, (board) => {
    const width = board[0]?.length ?? 0;
    return Array.from({ length: width }, (_, column) =>
      board.map((row) => row[column] ?? blank).reverse().join(""),
    );
  });
}

/** Left and right change places. */
export function mirror(rows: Rows, blank: string): Rows {
  const swapped: Record<string, string> = { "[": "]", "]": "[" };
  const turn = (row: string) => [...row].reverse().map((glyph) => swapped[glyph] ?? glyph).join("");
  return withBoard(rows, blank, (board) => board.map(turn));
}

/** Makes the board larger or smaller at its right and lower rim. */
export function resize(rows: Rows, height: number, width: number, blank: string): Rows {
  return withBoard(rows, blank, (board) =>
    Array.from({ length: height }, (_, row) => (board[row] ?? "").padEnd(width, blank).slice(0, width)),
  );
}
