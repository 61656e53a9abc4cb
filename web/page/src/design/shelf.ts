// My levels: every level that a person has painted, kept one by one in the browser. Each tab writes
// only what it has changed; what two tabs have changed is kept twice.

import { effect, signal } from "@preact/signals";
import { byTime, drop, isRecord, keep, kept, onOther, optionsFrom } from "../keep/keep";
import * as histories from "../play/history";

/** All that a person gives a level: undone together. */
export interface Content {
  readonly text: string;
  readonly title: string;
  readonly author: string;
  readonly options: Readonly<Record<string, string>>;
}

export interface Draft {
  readonly id: string;
  readonly puzzle: string;
  readonly content: histories.History<Content>;
  /** The text that was played or opened last: what differs from it is not in use yet. */
  readonly used: string;
  /** What was known of a text of it, in a few words each. */
  readonly known: { readonly of: string; readonly words: readonly string[] } | null;
}

/** Rest after the last change before it is kept, in milliseconds. */
const REST = 400;
/** Versions of a level that the browser keeps. */
const MOST = 40;

/** Those that this tab knows, by their id. */
export const drafts = signal<Readonly<Record<string, Draft>>>({});
/** The one of each family that is painted. */
export const current = signal<Readonly<Record<string, string>>>({});
/** Their ids, the one that was changed last at the beginning. */
export const order = signal<readonly string[]>([]);

/** When each was written that this tab has read or written. */
const times = new Map<string, number>();
/** Those that this tab has changed since. */
const changed = new Set<string>();
/** Those that this tab has ever changed: of others it writes nothing. */
const mine = new Set<string>();

export function fresh(puzzle: string, content: Content): Draft {
  const id = crypto.getRandomValues(new Uint32Array(2)).reduce((all, part) => all + part.toString(36), "");
  return { id, puzzle, content: histories.begin(content), used: content.text, known: null };
}

/** Whether a person has made something of it: else it gives way to the next level. */
export const isOwn = ({ content }: Draft) => content.past.length + content.future.length > 0;

/** Puts a draft in the place of the version before; it is the one of its family that is painted. */
export function put(draft: Draft) {
  drafts.value = { ...drafts.value, [draft.id]: draft };
  if (current.value[draft.puzzle] !== draft.id)
    current.value = { ...current.value, [draft.puzzle]: draft.id };
  if (!isOwn(draft)) return;
  changed.add(draft.id);
  mine.add(draft.id);
}

/** What is known of a level: kept with it by the tab that paints it. */
export function note(draft: Draft, known: Draft["known"]) {
  drafts.value = { ...drafts.value, [draft.id]: { ...draft, known } };
  if (mine.has(draft.id)) changed.add(draft.id);
}

/** Takes a level from the shelf, until it is put back. */
export function remove(id: string) {
  const { [id]: _, ...others } = drafts.value;
  drafts.value = others;
  changed.delete(id);
  times.delete(id);
  drop(`level:${id}`);
  order.value = order.value.filter((other) => other !== id);
}

export function putBack(draft: Draft) {
  changed.add(draft.id);
  mine.add(draft.id);
  drafts.value = { ...drafts.value, [draft.id]: draft };
}

function contentFrom(value: unknown): Content | null {
  if (!isRecord(value)) return null;
  const { text, title, author } = value;
  const options = optionsFrom(value["options"]);
  const isText = (one: unknown): one is string => typeof one === "string";
  return isText(text) && isText(title) && isText(author) && options ? { text, title, author, options } : null;
}

function draftFrom(id: string, value: unknown): readonly [Draft, number] | null {
  if (!isRecord(value)) return null;
  const { puzzle, used, time, known } = value;
  const content = histories.historyFrom(value["content"], contentFrom);
  if (content === null || typeof puzzle !== "string" || typeof used !== "string" || typeof time !== "number")
    return null;
  const isKnown = isRecord(known) && typeof known["of"] === "string" && Array.isArray(known["words"]);
  return [{ id, puzzle, content, used, known: isKnown ? (known as unknown as Draft["known"]) : null }, time];
}

const read = (id: string) => kept(`level:${id}`, (value) => draftFrom(id, value));

/** Saves this tab's version as a separate level, because another tab has changed the same one. */
function part(ours: Draft, [theirs, time]: readonly [Draft, number]): Draft {
  const draft = { ...ours, id: fresh(ours.puzzle, ours.content.now).id };
  drafts.value = { ...drafts.peek(), [ours.id]: theirs, [draft.id]: draft };
  times.set(ours.id, time);
  mine.delete(ours.id);
  mine.add(draft.id);
  if (current.peek()[draft.puzzle] === ours.id)
    current.value = { ...current.peek(), [draft.puzzle]: draft.id };
  return draft;
}

/** Whether the history of one version contains the content of another. */
function isKnownTo(theirs: Draft, ours: Draft) {
  const { past, now, future } = theirs.content;
  const made = JSON.stringify(ours.content.now);
  return [...past, now, ...future].some((one) => JSON.stringify(one) === made);
}

function save() {
  for (const id of [...changed]) {
    changed.delete(id);
    let draft = drafts.peek()[id];
    if (draft === undefined) continue;
    const other = read(id);
    if (other !== null && other[1] !== times.get(id)) draft = part(draft, other);
    const { past, now, future } = draft.content;
    const content = { past: past.slice(-MOST), now, future: future.slice(0, MOST) };
    const { puzzle, used, known } = draft;
    const time = Math.max(Date.now(), (times.get(draft.id) ?? 0) + 1);
    if (!keep(`level:${draft.id}`, { puzzle, content, used, known, time })) continue;
    times.set(draft.id, time);
    keep(`painted:${puzzle}`, draft.id);
    order.value = [draft.id, ...order.peek().filter((one) => one !== draft?.id)];
  }
}

/** Takes up the levels of earlier visits and of other tabs, and keeps them from now on. */
export function restore() {
  const take = (name: string) => {
    const id = name.slice("level:".length);
    if (changed.has(id)) return;
    const found = read(id);
    if (found === null) return remove(id);
    const ours = drafts.peek()[id];
    // Both tabs wrote at the same moment, and the other one came last: it has overwritten this
    // tab's version, which is still in memory here.
    if (ours && mine.has(id) && !isKnownTo(found[0], ours)) changed.add(part(ours, found).id);
    times.set(id, found[1]);
    drafts.value = { ...drafts.peek(), [id]: found[0] };
    order.value = [id, ...order.peek().filter((one) => one !== id)];
  };
  byTime("level:").forEach(take);
  const painted: Record<string, string> = {};
  for (const id of [...order.peek()].reverse()) {
    const puzzle = drafts.peek()[id]?.puzzle ?? "";
    const last = kept(`painted:${puzzle}`, (value) => (typeof value === "string" ? value : null));
    painted[puzzle] = last !== null && drafts.peek()[last] ? last : id;
  }
  current.value = painted;
  onOther("level:", take);
  let timer: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    void drafts.value;
    clearTimeout(timer);
    timer = setTimeout(save, REST);
  });
  window.addEventListener("pagehide", save);
}
