// Drawing paths of Flow by hand. Whether a drawing is a solution is the engine's word; here are
// only the cells that the finger passed.

import type { Cell, Shown } from "./protocol";

/** The path of each label that has one, in the order in which it was drawn. */
export type Drawing = ReadonlyMap<string, readonly Cell[]>;

export const same = (a: Cell, b: Cell) => a[0] === b[0] && a[1] === b[1];

const beside = (a: Cell, b: Cell) => Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]) === 1;

/** The label whose terminus stands on a cell. */
export function terminus(shown: Shown, cell: Cell): string | null {
  const found = shown.ends.find((end) => end.cells.some((end) => same(end, cell)));
  return found?.label ?? null;
}

/** The label that a path from this cell belongs to: a terminus, or the end of a path begun. */
export function grab(shown: Shown, drawing: Drawing, cell: Cell): [string, Drawing] | null {
  const label = terminus(shown, cell);
  if (label !== null) return [label, new Map(drawing).set(label, [cell])];
  for (const [label, path] of drawing) {
    const at = path.findIndex((passed) => same(passed, cell));
    if (at >= 0) return [label, new Map(drawing).set(label, path.slice(0, at + 1))];
  }
  return null;
}

/** Draws on to a cell: back along the path, on to a neighbour, through other paths (which end there). */
export function extend(shown: Shown, drawing: Drawing, label: string, cell: Cell): Drawing {
  const path = drawing.get(label);
  const last = path?.at(-1);
  if (path === undefined || last === undefined || same(last, cell)) return drawing;
  const at = path.findIndex((passed) => same(passed, cell));
  if (at >= 0) return new Map(drawing).set(label, path.slice(0, at + 1));
  const end = terminus(shown, last);
  if (path.length > 1 && end === label) return drawing;
  const other = terminus(shown, cell);
  if (!beside(last, cell) || (other !== null && other !== label)) return drawing;
  const next = new Map(drawing);
  for (const [crossed, cells] of drawing) {
    const cut = cells.findIndex((passed) => same(passed, cell));
    if (crossed !== label && cut >= 0) next.set(crossed, cells.slice(0, cut));
  }
  return next.set(label, [...path, cell]);
}

/** The drawing in the notation of solutions: `A: 0,0 0,1`, a line a label. */
export function notation(drawing: Drawing): string {
  const lines = [...drawing].filter(([, cells]) => cells.length > 1);
  return lines.map(([label, cells]) => `${label}: ${cells.map((cell) => cell.join(",")).join(" ")}`).join("\n");
}

/** Whether each label joins its termini. */
export function complete(shown: Shown, drawing: Drawing): boolean {
  return shown.ends.every((end) => {
    const path = drawing.get(end.label) ?? [];
    const last = path.at(-1);
    return path.length > 1 && last !== undefined && terminus(shown, last) === end.label;
  });
}
