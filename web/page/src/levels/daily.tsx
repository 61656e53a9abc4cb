// The level of the day: the same for all on one day, without a server.

import { bestOf, solvedCount } from "../keep/records";
import { toBoard } from "../state";
import { texts } from "../texts";
import * as reading from "./reading";

const DAY = 86_400_000;

/** The number of a day since 1970, where the person is. */
export function dayOf(now: Date): number {
  return Math.floor((now.getTime() - now.getTimezoneOffset() * 60_000) / DAY);
}

/** A number that is the same for the same one, and has nothing to do with its neighbours. */
function mixed(number: number): number {
  let mix = Math.imul(number ^ 0x9e3779b9, 0x85ebca6b);
  mix = Math.imul(mix ^ (mix >>> 15), 0xc2b2ae35);
  return (mix ^ (mix >>> 16)) >>> 0;
}

/** Our own levels in an order that every day goes one further in: none comes twice in a round. */
export function levelOf(day: number, samples: readonly reading.Sample[]): reading.Sample | undefined {
  const all = samples.filter(({ unsolvable }) => !unsolvable);
  const round = Math.floor(day / all.length);
  const order = all
    .map((sample, index) => [mixed(round * 4096 + index), sample] as const)
    .sort(([a], [b]) => a - b);
  return order[day % all.length]?.[1];
}

export function Daily() {
  void solvedCount.value;
  const today = levelOf(dayOf(new Date()), reading.samples.value);
  if (today === undefined) return null;
  const level = { text: today.text, puzzle: today.puzzle, options: {}, title: null };
  const open = async () => {
    if (await reading.openSample(today)) toBoard();
  };
  return (
    <button class="daily" onClick={() => void open()}>
      <b>{texts.level.today}</b> {reading.titled(today.name)}
      {bestOf(level) !== null && <span class="tick"> ✓</span>}
    </button>
  );
}
