// Which piece of a position is which one of the position before: so that pieces slide where they
// go, instead of being drawn anew.

import type { Figure } from "./protocol";

/** A figure that keeps its number from one position to the next. */
export interface Keyed extends Figure {
  readonly key: number;
}

const spot = (kind: string, row: number, column: number) => `${kind} ${row},${column}`;
const spotOf = ({ kind, places: [[row, column] = [0, 0]] }: Figure) => spot(kind, row, column);

function distance(a: Figure, b: Figure): number {
  const [[aRow, aColumn] = [0, 0], [bRow, bColumn] = [0, 0]] = [a.places[0], b.places[0]];
  return Math.abs(aRow - bRow) + Math.abs(aColumn - bColumn);
}

/** Which way the player went, where that was one step. */
function stepOf(before: readonly Figure[], after: readonly Figure[]): readonly [number, number] | null {
  const [from, to] = [before, after].map((all) => all.find(({ kind }) => kind === "player")?.places[0]);
  if (!from || !to) return null;
  const step = [to[0] - from[0], to[1] - from[1]] as const;
  return Math.abs(step[0]) + Math.abs(step[1]) === 1 ? step : null;
}

/**
 * The figures with numbers: what stays keeps its own; what went one step keeps it too, also where
 * several went in a row; and what is gone otherwise gives it to the nearest new one of its kind.
 */
export function keyed(before: readonly Keyed[], figures: readonly Figure[]): readonly Keyed[] {
  const was = new Map(before.map((figure) => [spotOf(figure), figure]));
  const is = new Set(figures.map(spotOf));
  const keys = new Map<string, number>();
  const step = stepOf(before, figures);
  for (const figure of before) {
    if (step === null || is.has(spotOf(figure))) continue;
    // From the place that was left, along the step, to the place that is new.
    const row: Keyed[] = [];
    let [[at, across] = [0, 0]] = figure.places;
    while (was.has(spot(figure.kind, at, across)) && row.length <= before.length) {
      row.push(was.get(spot(figure.kind, at, across))!);
      [at, across] = [at + step[0], across + step[1]];
    }
    if (!is.has(spot(figure.kind, at, across))) continue;
    for (const one of row) {
      const [[from, fromAcross] = [0, 0]] = one.places;
      keys.set(spot(one.kind, from + step[0], fromAcross + step[1]), one.key);
    }
  }
  const taken = new Set(keys.values());
  for (const spot of is) {
    const same = was.get(spot);
    if (!keys.has(spot) && same && !taken.has(same.key)) keys.set(spot, same.key);
  }
  for (const key of keys.values()) taken.add(key);
  const gone = before.filter(({ key }) => !taken.has(key));
  let next = before.reduce((most, { key }) => Math.max(most, key), -1) + 1;
  return figures.map((figure) => {
    const known = keys.get(spotOf(figure));
    if (known !== undefined) return { ...figure, key: known };
    const near = gone
      .filter(({ kind }) => kind === figure.kind)
      .sort((a, b) => distance(a, figure) - distance(b, figure))[0];
    if (near) gone.splice(gone.indexOf(near), 1);
    return { ...figure, key: near?.key ?? next++ };
  });
}

/** The figures that are not where they were: what a plan has changed. */
export function changed(before: readonly Figure[], after: readonly Figure[]): readonly Figure[] {
  const name = (figure: Figure) => `${spotOf(figure)} ${figure.number}`;
  const known = new Set(before.map(name));
  return after.filter((figure) => !known.has(name(figure)));
}
