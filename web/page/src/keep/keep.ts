// What the browser keeps from one visit to the next. It may keep nothing, or what another version
// of the page has written: what is read is checked, and what is no such thing is not there.
//
// Several tabs share it. So there is a key for each thing that a person makes, written only by the
// tab that has changed it, with a time: who finds another time than the one it knows has met the
// work of another tab, and keeps both.

import { signal } from "@preact/signals";

const PREFIX = "unstuck-";

/** Whether the browser is full: what is made from now on lasts as long as the page. */
export const isFull = signal(false);

export function kept<T>(name: string, check: (value: unknown) => T | null): T | null {
  try {
    return check(JSON.parse(window.localStorage.getItem(PREFIX + name) ?? "null"));
  } catch {
    return null;
  }
}

/** The names of what is kept that begin so, in no order. */
export function namesOf(beginning: string): readonly string[] {
  try {
    const all = Object.keys(window.localStorage).filter((key) => key.startsWith(PREFIX + beginning));
    return all.map((key) => key.slice(PREFIX.length));
  } catch {
    return [];
  }
}

/** Keeps something; false in a browser that keeps nothing, or is full. */
export function keep(name: string, value: unknown): boolean {
  const text = JSON.stringify(value);
  for (;;) {
    try {
      window.localStorage.setItem(PREFIX + name, text);
      return true;
    } catch (error) {
      const isRoomWanted = error instanceof DOMException && error.name === "QuotaExceededError";
      if (isRoomWanted && dropOldest(name)) continue;
      isFull.value ||= isRoomWanted;
      return false;
    }
  }
}

/** What this tab alone keeps, over reloads: one thing. */
const TAB = `${PREFIX}tab`;

export function keepForTab(value: unknown) {
  try {
    window.sessionStorage.setItem(TAB, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing.
  }
}

export function keptForTab<T>(check: (value: unknown) => T | null): T | null {
  try {
    return check(JSON.parse(window.sessionStorage.getItem(TAB) ?? "null"));
  } catch {
    return null;
  }
}

export function drop(name: string) {
  try {
    window.localStorage.removeItem(PREFIX + name);
  } catch {
    // A browser that keeps nothing.
  }
}

/** Games can be played again: the oldest goes where there is no room for something else. */
function dropOldest(wanted: string): boolean {
  const oldest = byTime("game:").find((name) => name !== wanted);
  if (oldest !== undefined) drop(oldest);
  return oldest !== undefined;
}

const timeFrom = (value: unknown) =>
  isRecord(value) && typeof value["time"] === "number" ? value["time"] : 0;

/** The names of what is kept that begin so, by the time that stands in each, the oldest first. */
export function byTime(beginning: string): readonly string[] {
  const all = namesOf(beginning).map((name) => [kept(name, timeFrom) ?? 0, name] as const);
  return all.sort(([a], [b]) => a - b).map(([, name]) => name);
}

/** Calls back when another tab has written something that begins so, or dropped it. */
export function onOther(beginning: string, changed: (name: string) => void) {
  window.addEventListener("storage", ({ key }) => {
    if (key?.startsWith(PREFIX + beginning)) changed(key.slice(PREFIX.length));
  });
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Options of a family, or `null`. */
export function optionsFrom(value: unknown): Record<string, string> | null {
  if (!isRecord(value)) return null;
  return Object.values(value).every((one) => typeof one === "string")
    ? (value as Record<string, string>)
    : null;
}
