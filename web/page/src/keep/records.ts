// What is known of levels: the player's best, and the shortest solutions. It stays in the browser.

import { signal } from "@preact/signals";
import { isRecord, keep, kept } from "./keep";
import { toHash } from "./link";
import type { Level, Position, Verdict } from "../protocol";

export type Measure = "moves" | "pushes";

/** Moves and pushes, each as far as there is a record of it. */
export type Lengths = Readonly<Partial<Record<Measure, number>>>;

/** A length that was reached, and whether none is shorter. */
export interface Known {
  readonly length: number;
  readonly shortest: boolean;
}

/** A shortest length that was shown before, of a level of ours. */
export interface Recorded {
  readonly title: string | null;
  readonly objective: string;
  readonly optimum: number;
}

/** The player's record on the level that is open, by measure. */
export const best = signal<Lengths>({});
/** What is known of its shortest solutions, by measure. */
export const known = signal<Readonly<Partial<Record<Measure, Known>>>>({});
/** Raised when a level is solved, so that lists of solved ones are drawn anew. */
export const solvedCount = signal(0);

const names = new WeakMap<Level, string>();

/** A name that the same level always has, whatever it is called. */
export function nameOf(level: Level): string {
  let name = names.get(level);
  if (name === undefined) {
    name = toHash({ level: { ...level, title: null }, moves: "" });
    names.set(level, name);
  }
  return name;
}

const MEASURES: readonly Measure[] = ["moves", "pushes"];

function lengthsFrom(value: unknown): Lengths | null {
  if (!isRecord(value)) return null;
  const numbers = MEASURES.filter((measure) => typeof value[measure] === "number");
  return Object.fromEntries(numbers.map((measure) => [measure, value[measure] as number]));
}

function knownFrom(value: unknown): Readonly<Partial<Record<Measure, Known>>> | null {
  if (!isRecord(value)) return null;
  const isKnown = (one: unknown) =>
    isRecord(one) && typeof one["length"] === "number" && typeof one["shortest"] === "boolean";
  const measures = MEASURES.filter((measure) => isKnown(value[measure]));
  return Object.fromEntries(measures.map((measure) => [measure, value[measure] as Known]));
}

export function measureOf(objective: string): Measure {
  return objective.startsWith("pushes") ? "pushes" : "moves";
}

/** The player's best on a level; `null` where it was never solved. */
export function bestOf(level: Level): Lengths | null {
  return kept(`best:${nameOf(level)}`, lengthsFrom);
}

/** Looks up what is known of a level; `recorded` is what was shown before of one of ours. */
export function recall(level: Level, recorded: readonly Recorded[]) {
  const mine = recorded.filter((one) => one.title === null || one.title === level.title);
  const ours = mine.map(({ objective, optimum }) => {
    return [measureOf(objective), { length: optimum, shortest: true }] as const;
  });
  best.value = bestOf(level) ?? {};
  const learnt = kept(`known:${nameOf(level)}`, knownFrom);
  known.value = { ...Object.fromEntries(ours), ...learnt };
  // The next visit opens the level without its list.
  if (ours.length > 0 && learnt === null) keep(`known:${nameOf(level)}`, known.value);
}

/** Takes note of what an engine has found out about the shortest solutions of a level. */
export function learn(level: Level, isOpen: boolean, { solution, objective, optimal }: Verdict) {
  if (!solution?.length || objective === "any") return;
  const measure = measureOf(objective);
  const all = isOpen ? known.value : (kept(`known:${nameOf(level)}`, knownFrom) ?? {});
  const before = all[measure];
  const length = solution.length[measure];
  if (before && (before.length < length || (before.shortest && !optimal))) return;
  const next = { ...all, [measure]: { length, shortest: optimal === true } };
  if (isOpen) known.value = next;
  keep(`known:${nameOf(level)}`, next);
}

/** Takes note that the player has solved a level. */
export function win(level: Level, tally: Position["tally"] | null) {
  const before = bestOf(level) ?? {};
  const least = (measure: Measure) => Math.min(before[measure] ?? Infinity, tally?.[measure] ?? 0);
  best.value = tally === null ? {} : { moves: least("moves"), pushes: least("pushes") };
  keep(`best:${nameOf(level)}`, best.value);
  solvedCount.value += 1;
}
