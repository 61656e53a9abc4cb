// Which piece of a position is which one of the position before: so that pieces slide where they
// go, instead of being drawn anew.

import type { Figure } from "../protocol";

/** A figure that keeps its number from one position to the next. */
export interface Keyed extends Figure {
  readonly key: number;
}

/** Things that a level's own text draws. */
const DRAWN = ["piece", "scenery", "background"];
/** What nobody moves from one square to another. */
const FIXED = ["player", "snow", "bond", "scenery", "background"];

const isDrawn = ({ kind }: Figure) => DRAWN.includes(kind);
export const isPiece = ({ kind }: Figure) => !FIXED.includes(kind);

/** What a thing stays as long as it is itself: one that is drawn otherwise is another. */
const nameOf = (figure: Figure) =>
  isDrawn(figure) || figure.kind === "player" ? `${figure.kind}-${figure.number}` : figure.kind;
const spot = (name: string, row: number, column: number) => `${name} ${row},${column}`;
const spotOf = (figure: Figure) => spot(nameOf(figure), ...(figure.places[0] ?? [0, 0]));

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
 * Where a level has rules of its own, things come and go: there only a step that is beyond doubt
 * counts. Figures of a kind are in the order of their numbers, so that nothing that stays is drawn
 * anew.
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
    const name = nameOf(figure);
    while (was.has(spot(name, at, across)) && row.length <= before.length) {
      row.push(was.get(spot(name, at, across))!);
      [at, across] = [at + step[0], across + step[1]];
    }
    if (!is.has(spot(name, at, across))) continue;
    for (const one of row) {
      const [[from, fromAcross] = [0, 0]] = one.places;
      keys.set(spot(name, from + step[0], fromAcross + step[1]), one.key);
    }
  }
  const taken = new Set(keys.values());
  for (const spot of is) {
    const same = was.get(spot);
    if (!keys.has(spot) && same && !taken.has(same.key)) keys.set(spot, same.key);
  }
  for (const key of keys.values()) taken.add(key);
  const gone = before.filter(({ key }) => !taken.has(key));
  const come = figures.filter((figure) => !keys.has(spotOf(figure)));
  let next = before.reduce((most, { key }) => Math.max(most, key), -1) + 1;
  const all = figures.map((figure) => {
    const known = keys.get(spotOf(figure));
    if (known !== undefined) return { ...figure, key: known };
    const near = isDrawn(figure)
      ? stepped(gone, come, figure)
      : like(gone, figure).sort((a, b) => distance(a, figure) - distance(b, figure))[0];
    if (near) gone.splice(gone.indexOf(near), 1);
    return { ...figure, key: near?.key ?? next++ };
  });
  const groups = new Map<string, number>();
  for (const one of all) if (!groups.has(nameOf(one))) groups.set(nameOf(one), groups.size);
  const group = (one: Figure) => groups.get(nameOf(one)) ?? 0;
  return all.sort((a, b) => group(a) - group(b) || a.key - b.key);
}

function like<T extends Figure>(all: readonly T[], figure: Figure): T[] {
  return all.filter((one) => nameOf(one) === nameOf(figure));
}

/** The one that went a step to where this one is, if only it can have and it can have gone only there. */
function stepped<T extends Figure>(gone: readonly T[], come: readonly Figure[], figure: Figure) {
  const beside = <F extends Figure>(all: readonly F[], here: Figure) =>
    like(all, here).filter((one) => distance(one, here) === 1);
  const [one, ...others] = beside(gone, figure);
  return one && others.length === 0 && beside(come, one).length === 1 ? one : undefined;
}

/** The figures that are not where they were: what a plan has changed. */
export function changed(before: readonly Figure[], after: readonly Figure[]): readonly Figure[] {
  const name = (figure: Figure) => `${spotOf(figure)} ${figure.number}`;
  const known = new Set(before.map(name));
  return after.filter((figure) => !known.has(name(figure)));
}
