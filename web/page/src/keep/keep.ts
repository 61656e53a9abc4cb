// What the browser keeps from one visit to the next. It may keep nothing, or what another version
// of the page has written: what is read is checked, and what is no such thing is not there.

const PREFIX = "unstuck-";

export function kept<T>(name: string, check: (value: unknown) => T | null): T | null {
  try {
    return check(JSON.parse(window.localStorage.getItem(PREFIX + name) ?? "null"));
  } catch {
    return null;
  }
}

/** Keeps something; false in a browser that keeps nothing, or is full: it lasts as long as the page. */
export function keep(name: string, value: unknown): boolean {
  try {
    window.localStorage.setItem(PREFIX + name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
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
