// What can be undone and redone: drawings, and texts that are edited.

export interface History<T> {
  readonly past: readonly T[];
  readonly now: T;
  readonly future: readonly T[];
}

/** Versions that are kept. */
const MOST = 500;

export function begin<T>(now: T): History<T> {
  return { past: [], now, future: [] };
}

/** Goes on; what had been undone is forgotten. */
export function advance<T>(history: History<T>, next: T): History<T> {
  return { past: [...history.past, history.now].slice(-MOST), now: next, future: [] };
}

/** After what came before elsewhere; neighbours that are the same are there once. */
export function after<T>(history: History<T>, earlier: readonly T[]): History<T> {
  const same = (a: T, b: T | undefined) => b !== undefined && dataOf(a) === dataOf(b);
  const all = [...earlier, ...history.past, history.now];
  const past = all.slice(0, -1).filter((one, index) => !same(one, all[index + 1]));
  return { ...history, past: past.slice(-MOST) };
}

/** A version as a text, to be compared. */
const dataOf = (one: unknown) => JSON.stringify(one instanceof Map ? [...one] : one);

/** Goes on within the last change: both are undone together. */
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

/** A history that was kept as data; `null` where it is none. */
export function historyFrom<T>(value: unknown, check: (one: unknown) => T | null): History<T> | null {
  const { past, now, future } = (value ?? {}) as Partial<Record<keyof History<T>, unknown>>;
  if (!Array.isArray(past) || !Array.isArray(future)) return null;
  const all = [now, ...past, ...future].map(check);
  if (all.some((one) => one === null)) return null;
  return value as History<T>;
}
