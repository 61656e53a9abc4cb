// Where two shortest solutions part, as what is drawn on a board, and in words.

import { changed, isPiece, keyed } from "./figures";
import type { Figure, Fork, MarkView, Sprite } from "../protocol";
import { wordOf } from "./scene";
import { texts } from "../texts";

/** Something that goes from one square to another. */
interface Step {
  readonly figure: Figure;
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
}

export interface ForkView {
  /** What would stand elsewhere. */
  readonly ghosts: readonly Figure[];
  /** An arrow for each of the two. */
  readonly marks: readonly MarkView[];
  readonly words: string;
}

const placeOf = ({ places: [[row, column] = [0, 0]] }: Figure) => [row, column] as const;
const isAt = (a: readonly [number, number], b: readonly [number, number]) => a[0] === b[0] && a[1] === b[1];

/** What moves: pieces that stay themselves, else one that becomes part of another, else the player. */
function stepsOf(before: readonly Figure[], after: readonly Figure[]): readonly Step[] {
  const start = keyed([], before);
  const was = new Map(start.map((figure) => [figure.key, figure]));
  const moved = keyed(start, after).flatMap((figure) => {
    const from = was.get(figure.key);
    const isMoved = from !== undefined && !isAt(placeOf(from), placeOf(figure));
    return isMoved ? [{ figure: from, from: placeOf(from), to: placeOf(figure) }] : [];
  });
  const pieces = moved.filter(({ figure }) => isPiece(figure));
  if (pieces.length > 0) return pieces;
  const gone = changed(after, before).filter(isPiece);
  for (const to of changed(before, after).filter(isPiece).map(placeOf)) {
    const from = gone.find((figure) => !isAt(placeOf(figure), to));
    if (from) return [{ figure: from, from: placeOf(from), to }];
  }
  return moved;
}

const isSame = (a: Step, b: Step) => isAt(a.from, b.from) && isAt(a.to, b.to);

/** A step of each that the other one does not make; the first of both where there is none. */
function partingOf(ways: readonly (readonly Step[])[]): readonly Step[] {
  const own = (mine: readonly Step[], index: number) =>
    mine.find((step) => !ways[1 - index]?.some((other) => isSame(step, other))) ?? mine[0];
  return ways.map(own).filter((step) => step !== undefined);
}

/** What is to be seen on a board where `now` stands. */
export function forkView(fork: Fork, now: readonly Figure[], sprites: readonly Sprite[]): ForkView {
  const steps = partingOf(fork.ways.map(({ after }) => stepsOf(fork.before, after)));
  const [one, other] = steps;
  // What parts them may be no place, but a bond.
  const isAlike = one !== undefined && other !== undefined && isSame(one, other);
  const isTouched = (figure: Figure) =>
    isPiece(figure) && steps.some(({ from, to }) => [from, to].some((at) => isAt(at, placeOf(figure))));
  const elsewhere = [fork.before, ...fork.ways.map(({ after }) => after)].flatMap((figures) =>
    changed(now, figures).filter(isTouched),
  );
  const marks = steps.map(({ from, to }, index) => ({
    places: [from, to].map(([row, column]): [number, number] => [row, column]),
    look: `way-${index + 1}`,
    label: String(index + 1),
  }));
  const said = steps.map(({ figure, from, to }, index) => {
    const name = wordOf(figure, sprites) ?? texts.things.unknown;
    return texts.solve.forkStep(index + 1, name, [from[0] + 1, from[1] + 1], [to[0] + 1, to[1] + 1]);
  });
  return { ghosts: elsewhere, marks, words: texts.solve.fork(fork.at, isAlike ? [] : said) };
}
