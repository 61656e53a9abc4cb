// Drawing paths by hand, on cells of any shape. Whether a drawing is a solution is the engine's
// word; here are only the cells that the finger passed.

import type { Paths } from "../protocol";

/** The cells of the path of each label that has one, in the order of drawing. */
export type Drawing = ReadonlyMap<string, readonly number[]>;

export const EMPTY: Drawing = new Map();

/** The label whose end stands on a cell. */
function labelAt(board: Paths, cell: number): string | null {
  return board.ends.find(({ cells }) => cells.includes(cell))?.label ?? null;
}

function isWay(board: Paths, a: number, b: number): boolean {
  return board.ways.some(([one, other]) => (one === a && other === b) || (one === b && other === a));
}

/** Begins at a cell: at an end, or where a path that was drawn passes. */
export function grab(board: Paths, drawing: Drawing, cell: number): [string, Drawing] | null {
  const label = labelAt(board, cell);
  if (label !== null) return [label, new Map(drawing).set(label, [cell])];
  for (const [label, path] of drawing) {
    const at = path.indexOf(cell);
    if (at >= 0) return [label, new Map(drawing).set(label, path.slice(0, at + 1))];
  }
  return null;
}

/**
 * Draws on to a cell: back along the path, on to a neighbour, and through other paths, which end
 * there unless they cross on a bridge.
 */
export function extend(board: Paths, drawing: Drawing, label: string, cell: number): Drawing {
  const path = drawing.get(label);
  const last = path?.at(-1);
  if (path === undefined || last === undefined || last === cell) return drawing;
  const at = path.indexOf(cell);
  const bridge = board.cells[cell]?.bridge ?? false;
  if (at >= 0 && !bridge) return new Map(drawing).set(label, path.slice(0, at + 1));
  if (path.length > 1 && labelAt(board, last) === label) return drawing;
  const other = labelAt(board, cell);
  if (!isWay(board, last, cell) || (other !== null && other !== label)) return drawing;
  const next = new Map(drawing);
  for (const [crossed, cells] of drawing) {
    const cut = cells.indexOf(cell);
    if (crossed !== label && cut >= 0 && !bridge) next.set(crossed, cells.slice(0, cut));
  }
  return next.set(label, [...path, cell]);
}

/** The drawing in the notation of solutions: `A: 0,0 0,1`, a line a label. */
export function notation(board: Paths, drawing: Drawing): string {
  const name = (cell: number) => board.cells[cell]?.name ?? "";
  const lines = [...drawing].filter(([, cells]) => cells.length > 1);
  return lines.map(([label, cells]) => `${label}: ${cells.map(name).join(" ")}`).join("\n");
}

/** What [`notation`] wrote, as far as the board has such cells and labels. */
export function drawingFrom(board: Paths, text: string): Drawing {
  const numbers = new Map(board.cells.map(({ name }, number) => [name, number]));
  const drawing = new Map<string, readonly number[]>();
  for (const line of text.split("\n")) {
    const [label = "", names = ""] = line.split(/:(.*)/s);
    const cells = names
      .trim()
      .split(/\s+/)
      .map((name) => numbers.get(name));
    const isKnown = board.ends.some((ends) => ends.label === label.trim());
    if (isKnown && cells.every((cell) => cell !== undefined)) drawing.set(label.trim(), cells);
  }
  return drawing;
}

/** Whether each label joins its ends. */
export function isComplete(board: Paths, drawing: Drawing): boolean {
  return board.ends.every(({ label, cells }) => {
    const path = drawing.get(label) ?? [];
    const ends = [path[0], path.at(-1)];
    return path.length > 1 && cells.every((cell) => ends.includes(cell));
  });
}

/** The cell whose middle is nearest to a point, within reach of it. */
export function cellNear(board: Paths, x: number, y: number): number | null {
  let [nearest, least] = [-1, Infinity];
  board.cells.forEach((cell, number) => {
    const distance = Math.hypot(cell.x - x, cell.y - y);
    if (distance < least) [nearest, least] = [number, distance];
  });
  return least < 0.75 ? nearest : null;
}
