// Check all: the verdict on each level of a collection, one after the other.

import { signal } from "@preact/signals";
import { Question } from "../ask/questions";
import { badgesOf } from "../ask/verdict";
import { engines } from "../engine/engine";
import { nameOf } from "../keep/records";
import type { Level, Verdict } from "../protocol";
import { familyOf } from "../state";

/** Time for a level. */
const LIMITS = { seconds: 10, megabytes: 800 };

/** What is checked now: how many levels of how many are done. */
export const running = signal<{ readonly at: number; readonly total: number } | null>(null);

const verdicts = new Question<Verdict>("check", Infinity);

/** What is known of a level, in a few words each; `null` where it was not checked. */
export function badgeOf(
  level: Level,
): { readonly verdict: string; readonly words: readonly string[] } | null {
  const verdict = verdicts.answer(nameOf(level));
  return verdict && { verdict: verdict.verdict, words: badgesOf({ level, verdict, plans: null }) };
}

/** Checks all levels that were not checked yet. */
export async function checkAll(levels: readonly Level[]) {
  const mine = { at: 0, total: levels.length };
  running.value = mine;
  for (const [at, level] of levels.entries()) {
    const now = { at: at + 1, total: levels.length };
    running.value = now;
    if (verdicts.answer(nameOf(level)) === null) {
      const objective = familyOf(level)?.objectives[0] ?? "any";
      const ask = { ask: "solve", level, objective, engine: "auto", limits: LIMITS } as const;
      await verdicts.ask(nameOf(level), level, [ask]);
    }
    if (running.peek() !== now) return;
  }
  running.value = null;
}

export function stop() {
  running.value = null;
  engines.stop("check");
}
