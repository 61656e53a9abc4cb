// Collections that were pasted, dropped or opened: their texts are kept, so that a journey goes on
// on the next visit.

import { signal } from "@preact/signals";
import { byTime, drop, isRecord, keep, kept, onOther, optionsFrom } from "../keep/keep";

export interface Source {
  readonly id: string;
  readonly name: string;
  readonly puzzle: string;
  readonly options: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Collections that are kept. */
const MOST = 30;

/** Ids of the collections that the browser keeps, the one that was opened last at the beginning. */
export const ids = signal<readonly string[]>([]);

/** A short name that the same text always has. */
export function idOf(text: string, puzzle: string): string {
  let [a, b] = [0x811c9dc5, 0x01000193];
  for (const letter of `${puzzle}\n${text}`) {
    a = Math.imul(a ^ letter.codePointAt(0)!, 0x01000193);
    b = Math.imul(b + letter.codePointAt(0)!, 0x85ebca6b) ^ (b >>> 13);
  }
  return (a >>> 0).toString(36) + (b >>> 0).toString(36);
}

function sourceFrom(id: string, value: unknown): Source | null {
  if (!isRecord(value)) return null;
  const { name, puzzle, text } = value;
  const options = optionsFrom(value["options"]);
  const isText = (one: unknown): one is string => typeof one === "string";
  return isText(name) && isText(puzzle) && isText(text) && options
    ? { id, name, puzzle, options, text }
    : null;
}

export const get = (id: string) => kept(`collection:${id}`, (value) => sourceFrom(id, value));

export function put({ id, ...source }: Source) {
  keep(`collection:${id}`, { ...source, time: Date.now() });
  for (const old of byTime("collection:").slice(0, -MOST)) drop(old);
  look();
}

export function remove(id: string) {
  drop(`collection:${id}`);
  look();
}

function look() {
  ids.value = byTime("collection:")
    .map((name) => name.slice("collection:".length))
    .reverse();
}

export function restore() {
  look();
  onOther("collection:", look);
}
