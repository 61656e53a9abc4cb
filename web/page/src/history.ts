// What can be taken back and made again.

export interface History<T> {
  readonly past: readonly T[];
  readonly now: T;
  readonly future: readonly T[];
}

export function begin<T>(now: T): History<T> {
  return { past: [], now, future: [] };
}

/** Goes on; what had been taken back is forgotten. */
export function advance<T>(history: History<T>, next: T): History<T> {
  return { past: [...history.past, history.now], now: next, future: [] };
}

/** Goes on within the last change: both are taken back together. */
export function amend<T>(history: History<T>, next: T): History<T> {
  return { past: history.past, now: next, future: [] };
}

export function undo<T>(history: History<T>): History<T> {
  const last = history.past.at(-1);
  if (last === undefined) return history;
  return { past: history.past.slice(0, -1), now: last, future: [history.now, ...history.future] };
}

export function redo<T>(history: History<T>): History<T> {
  const [next, ...later] = history.future;
  if (next === undefined) return history;
  return { past: [...history.past, history.now], now: next, future: later };
}
