// Check all: the verdict on each level of a collection, one after the other.

import { signal } from "@preact/signals";
import { findOut, Question } from "../ask/questions";
import { badgesOf } from "../ask/verdict";
import { engines } from "../engine/engine";
import { nameOf } from "../keep/records";
import type { Count, Level, Verdict } from "../protocol";

/** What is checked now: how many levels of how many are done. */
export const running = signal<{ readonly at: number; readonly total: number } | null>(null);

const verdicts = new Question<Verdict>("check", Infinity);
/** How many shortest solutions there are, and which rules act in them. */
const counts = new Question<Count>("check", Infinity);

/** What is known of a level, in a few words each; `null` where it was not checked. */
export function badgeOf(
  level: Level,
): { readonly verdict: string; readonly words: readonly string[] } | null {
  const verdict = verdicts.answer(nameOf(level));
  const plans = counts.answer(nameOf(level))?.optimal_plans ?? null;
  return verdict && { verdict: verdict.verdict, words: badgesOf({ level, verdict, plans }) };
}

/** The lines of the rules that act in no shortest solution of levels that were checked, and of how many
 * levels that is not known; `null` where it is known of none. */
export function idleRules(
  levels: readonly Level[],
): { readonly lines: readonly number[]; readonly open: number } | null {
  // Where there is no solution, no rule acts in one.
  const solvable = levels.filter((level) => verdicts.answer(nameOf(level))?.verdict !== "unsolvable");
  const used = solvable.map((level) => counts.answer(nameOf(level))?.rules?.idle ?? null);
  const known = used.filter((idle) => idle !== null);
  const [first, ...others] = known;
  if (first === undefined) return null;
  const lines = first.filter((line) => others.every((idle) => idle.includes(line)));
  return { lines, open: used.length - known.length };
}

/** Checks all levels that were not checked yet. */
export async function checkAll(levels: readonly Level[]) {
  const mine = { at: 0, total: levels.length };
  running.value = mine;
  for (const [at, level] of levels.entries()) {
    const now = { at: at + 1, total: levels.length };
    running.value = now;
    await findOut(nameOf(level), level, { verdicts, counts, rules: true }, () => running.peek() === now);
    if (running.peek() !== now) return;
  }
  running.value = null;
}

export function stop() {
  running.value = null;
  engines.stop("check");
}
