// Levels from texts: pasted, dropped, opened, from a link, or one of ours.

import { computed, signal } from "@preact/signals";
import { engines } from "../engine/engine";
import { keep, kept } from "../keep/keep";
import { fromHash, type Within } from "../keep/link";
import { bestOf, solvedCount, type Recorded } from "../keep/records";
import * as play from "../play/play";
import type { Fault, Level, Read, ReadLevel } from "../protocol";
import { fault, remark, tab, taken } from "../state";
import { texts } from "../texts";
import * as collections from "./collections";
import { scriptOf } from "./script";

/** The text in the field for levels, as it was pasted, dropped or opened. */
export const source = signal("");
/** Families among which a text does not decide. */
export const candidates = signal<readonly string[]>([]);
/** What is wrong with the text of the field: said there, too. */
export const unread = signal<Fault | null>(null);

/** Levels that belong together, in their order. */
export interface Collection extends collections.Source {
  readonly levels: readonly ReadLevel[];
  readonly recorded: readonly Recorded[];
  /** Places of levels that cannot be solved: a journey passes them by. */
  readonly traps: readonly number[];
}

/** The levels that were opened last, where there are several. */
export const collection = signal<Collection | null>(null);

/** The place of the level on the board in the collection, or -1. */
export const place = computed(() => {
  const [all, within] = [collection.value, play.series.value];
  return all !== null && within?.collection === all.id ? within.at : -1;
});

/** Our own levels, a text a file. */
export interface Sample {
  readonly puzzle: string;
  readonly name: string;
  readonly text: string;
  readonly known: readonly Recorded[];
  /** Places of levels that cannot be solved. */
  readonly traps: readonly number[];
  /** Whether none can be solved: such files are a shelf of their own. */
  readonly unsolvable: boolean;
}

export const samples = signal<readonly Sample[]>([]);
/** The one that was opened last. */
export const sample = signal<Sample | null>(null);

/** Fetches our own levels: they are a file of their own, so that the page comes sooner. */
export async function loadSamples() {
  const response = await fetch("samples.json");
  samples.value = (await response.json()) as readonly Sample[];
}

interface Named {
  readonly name?: string;
  readonly recorded?: readonly Recorded[];
  readonly traps?: readonly number[];
  /** Where a level that is alone in its text stands among our own. */
  readonly within?: Within;
}

async function readAll(
  text: string,
  puzzle: string | null,
  options: Readonly<Record<string, string>>,
  named: Named,
): Promise<Collection | null> {
  const found = taken(await engines.quick<Read>({ ask: "read", text, puzzle, options }));
  if (found === null) return null;
  candidates.value = found.families.length > 1 ? found.families : [];
  const family = found.families[0];
  if (family === undefined || found.levels.length === 0) return null;
  const id = collections.idOf(text, family);
  const said = titleOf(text, family) ?? texts.level.levels(found.levels.length);
  const name = named.name ?? collections.get(id)?.name ?? said;
  const { recorded = [], traps = [] } = named;
  return { id, name, puzzle: family, options, text, levels: found.levels, recorded, traps };
}

/** The title that a text gives itself as a whole. */
function titleOf(text: string, family: string): string | null {
  if (family === "puzzlescript") return scriptOf(text).title;
  const line = /^(?:collection|set):\s*(.+)$/im.exec(text.slice(0, 2000));
  return line?.[1]?.trim() ?? null;
}

/** Reads a text and opens its first level; asks which family where that is not settled. */
export async function read(
  text: string,
  puzzle: string | null,
  options: Readonly<Record<string, string>> = {},
  named: Named = {},
): Promise<boolean> {
  const all = await readAll(text, puzzle, options, named);
  if (all === null) return false;
  if (!named.recorded) sample.value = null;
  const [first] = all.levels;
  if (all.levels.length === 1 && first) {
    collection.value = null;
    return openRead({ ...first, title: first.title ?? named.name ?? null }, all, named.within ?? null);
  }
  collection.value = all;
  if (!named.recorded) collections.put(all);
  return choose(firstOpen(all), all);
}

/** Whether a level was solved by the player. */
const isSolved = (of: Collection, at: number) => {
  const read = of.levels[at];
  return read !== undefined && bestOf(levelOf(of, read)) !== null;
};

export const levelOf = ({ puzzle, options }: Collection, { text, title }: ReadLevel): Level => ({
  text,
  puzzle,
  options: { ...options },
  title,
});

/** Where a journey goes on: the first level that can be opened and was not solved. */
function firstOpen(of: Collection): number {
  const places = of.levels.map((_, at) => at).filter((at) => of.levels[at]?.fault === null);
  return places.find((at) => !of.traps.includes(at) && !isSolved(of, at)) ?? places[0] ?? 0;
}

/** What an address says of itself: a link of this page that was pasted. */
function linkIn(text: string): string | null {
  const address = text.trim();
  return /^\S+#1\S+$/.test(address) ? address.slice(address.indexOf("#")) : null;
}

/** Reads what a person has given in the field, by a file, or by the clipboard. */
export async function readGiven(text: string, puzzle: string | null, named: Named = {}): Promise<boolean> {
  source.value = text;
  unread.value = null;
  const link = linkIn(text);
  const shared = link && fromHash(link);
  if (shared === "broken") unread.value = play.BROKEN;
  const isOpen =
    shared && shared !== "broken"
      ? await play.open(shared.level, { moves: shared.moves })
      : await read(text, puzzle, {}, named);
  if (!isOpen && candidates.value.length === 0) unread.value ??= fault.value;
  return isOpen;
}

/** The text of a file, whatever its letters are written in. */
async function textOf(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const wide = { "255,254": "utf-16le", "254,255": "utf-16be" }[bytes.slice(0, 2).join()];
  if (wide) return new TextDecoder(wide).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("latin1").decode(bytes);
  }
}

/** Reads files that were dropped or opened: the levels of several are one collection. */
export async function readFiles(files: readonly File[]): Promise<boolean> {
  const [first] = files;
  if (first === undefined) return false;
  tab.value = "level";
  const all = await Promise.all(files.map(textOf));
  const name = first.name.replace(/\.[^.]*$/, "");
  return readGiven(all.join("\n"), null, { name });
}

async function openRead(of: ReadLevel, all: Collection, within: Within | null) {
  if (of.fault !== null) {
    taken({ error: of.fault });
    return false;
  }
  const isOpen = await play.open(levelOf(all, of), { recorded: all.recorded, within });
  if (isOpen && all.puzzle !== "puzzlescript" && of.warnings.length > 0) remark.value = of.warnings.join(" ");
  return isOpen;
}

/** Opens one of the levels that were read. */
export function choose(at: number, all: Collection): Promise<boolean> {
  const read = all.levels[at];
  if (read === undefined) return Promise.resolve(false);
  return openRead(read, all, { collection: all.id, at, total: all.levels.length });
}

/** Takes up a collection of an earlier visit, without opening any of its levels. */
export async function recollect(within: Within | undefined): Promise<Within | null> {
  sample.value = null;
  if (within === undefined) return null;
  if (within.collection.startsWith(OWN)) {
    collection.value = null;
    sample.value = journey(within.collection.slice(OWN.length))[within.at] ?? null;
    return within;
  }
  const mine = samples.value.find(({ text, puzzle }) => collections.idOf(text, puzzle) === within.collection);
  const known = mine ? { ...mine, options: {} } : collections.get(within.collection);
  if (known === null) return null;
  sample.value = mine ?? null;
  const named = mine
    ? { name: titled(mine.name), recorded: mine.known, traps: mine.traps }
    : { name: known.name };
  const all = await readAll(known.text, known.puzzle, known.options, named);
  if (all === null || all.levels[within.at] === undefined) return null;
  collection.value = all;
  return within;
}

/** Goes on with a collection that the browser keeps. */
export async function goOn(id: string) {
  const known = collections.get(id);
  if (known !== null) await read(known.text, known.puzzle, known.options, { name: known.name });
}

/** Reads the level on the board under other rules. */
export function reread(level: Level, options: Readonly<Record<string, string>>) {
  return read(level.text, level.puzzle, options, level.title === null ? {} : { name: level.title });
}

/** The name of a sample, as its title where it has none. */
export const titled = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll("-", " ");

/** The beginning of the names of our own journeys, a family each. */
const OWN = "own-";

export function openSample(of: Sample | undefined): Promise<boolean> {
  if (of === undefined) return Promise.resolve(false);
  sample.value = of;
  keep(`sample:${of.puzzle}`, of.name);
  const { text, puzzle, name, known, traps } = of;
  const ours = journey(puzzle);
  const within = { collection: `${OWN}${puzzle}`, at: ours.indexOf(of), total: ours.length };
  const named = { name: titled(name), recorded: known, traps };
  return read(text, puzzle, {}, within.at < 0 ? named : { ...named, within });
}

/** Goes on with our own levels of a family: with the one that was opened last, else with the first. */
export function goOnWith(puzzle: string): Promise<boolean> {
  const last = kept(`sample:${puzzle}`, (value) => (typeof value === "string" ? value : null));
  const ours = journey(puzzle);
  return openSample(ours.find(({ name }) => name === last) ?? ours[0]);
}

/** Our own levels of a family, in the order in which they teach; or those that cannot be solved. */
export const journey = (puzzle: string, isTraps = false) =>
  samples.value.filter((one) => one.puzzle === puzzle && one.unsolvable === isTraps);

/** The next level that was not solved, in the collection or among our own; else the next one. */
export function nextLevel(): (() => Promise<boolean>) | null {
  void solvedCount.value;
  const [all, at] = [collection.value, place.value];
  if (all !== null && at >= 0) {
    const later = all.levels.map((_, index) => index).slice(at + 1);
    const open = later.filter((index) => all.levels[index]?.fault === null && !all.traps.includes(index));
    const next = open.find((index) => !isSolved(all, index)) ?? open[0];
    if (next !== undefined) return () => choose(next, all);
  }
  const current = sample.value;
  if (current === null || current.puzzle !== play.level.value?.puzzle) return null;
  const ours = journey(current.puzzle, current.unsolvable);
  const next = ours[ours.indexOf(current) + 1];
  return next ? () => openSample(next) : null;
}
