// A question that takes long: its button, its progress in words, and Stop.

import { useRef, useState } from "preact/hooks";
import { FAMILY_UI } from "./families";
import type { Ask, Level, Progress } from "./protocol";
import * as store from "./store";
import { texts } from "./texts";

/** What runs now, and what is known of it. */
export interface Long<T> {
  readonly running: boolean;
  readonly progress: Progress | null;
  readonly answer: T | null;
  /** Asks in one way, or in several at once; `settles` tells an answer that ends all of them. */
  ask(ways: Ask | readonly Ask[], settles?: (answer: T) => boolean): Promise<T | null>;
  clear(): void;
}

export function useLong<T>(): Long<T> {
  const [running, setRunning] = useState(false);
  const [progress, setProgress] = useState<Progress | null>(null);
  const [answer, setAnswer] = useState<T | null>(null);
  /** The question that is asked now; answers to earlier ones are dropped. */
  const now = useRef(0);
  const ask = async (ways: Ask | readonly Ask[], settles: (answer: T) => boolean = () => true) => {
    const mine = (now.current += 1);
    setRunning(true);
    setProgress(null);
    const asked = store.level.value;
    // An event tells one bound; the other is still known.
    const onProgress = (event: Progress) =>
      setProgress((known) => ({
        doing: event.doing,
        lower: strictest(Math.max, event.lower, known?.lower),
        upper: strictest(Math.min, event.upper, known?.upper),
      }));
    const asks = "ask" in ways ? [ways] : ways;
    const given = await store.engines.long<T>(asks, (answer) => "ok" in answer && settles(answer.ok), onProgress);
    if (now.current !== mine) return null;
    setRunning(false);
    if ("error" in given && given.error.message === texts.stopped) {
      store.remark.value = texts.stopped;
      return null;
    }
    // So are those for a level that is no longer open.
    const taken = asked === store.level.value ? store.taken(given) : null;
    if (taken !== null) setAnswer(taken);
    return taken;
  };
  return { running, progress, answer, ask, clear: () => setAnswer(null) };
}

/** The stricter of two bounds; workers that look in several ways tell theirs in turn. */
function strictest(of: (...values: number[]) => number, ...bounds: (number | null | undefined)[]): number | null {
  const known = bounds.filter((bound) => bound !== null && bound !== undefined);
  return known.length === 0 ? null : of(...known);
}

/** The unit that an objective counts, in the family's word. */
export function unit(level: Level, objective: string): string {
  const measures = FAMILY_UI[level.puzzle]?.measures;
  return (objective.startsWith("pushes") ? measures?.pushes : measures?.moves) ?? objective;
}

/** Bounds in words: at least 41, at most 47 pushes. */
export function bounds(lower: number | null, upper: number | null, unit: string): string {
  const { solve } = texts;
  if (lower !== null && lower > 0 && upper !== null) return solve.between(lower, upper, unit);
  if (upper !== null) return solve.atMost(upper, unit);
  return lower !== null && lower > 0 ? solve.atLeast(lower, unit) : "";
}

export function Working({ long, unit }: { long: Long<unknown>; unit: string }) {
  if (!long.running) return null;
  const { progress } = long;
  return (
    <div class="working" role="status">
      <progress aria-label={texts.solve.run} />
      <p>
        {progress?.doing ?? ""} <b>{progress === null ? "" : bounds(progress.lower, progress.upper, unit)}</b>
      </p>
      <button onClick={() => store.engines.stop()}>{texts.stop}</button>
    </div>
  );
}
