// Levels from texts: pasted, dropped, opened, from a link, or one of ours.

import { signal } from "@preact/signals";
import * as play from "../play/play";
import { engines } from "../engine/engine";
import type { Level, Read, ReadLevel } from "../protocol";
import type { Recorded } from "../keep/records";
import { fault, remark, tab, taken } from "../state";

/** The text in the field for levels, as it was pasted, dropped or opened. */
export const source = signal("");
/** Families among which a text does not decide. */
export const candidates = signal<readonly string[]>([]);

/** Levels that belong together, in their order. */
export interface Collection {
  readonly puzzle: string;
  readonly options: Readonly<Record<string, string>>;
  readonly levels: readonly ReadLevel[];
  readonly recorded: readonly Recorded[];
}

/** The levels of the text that was read last, when there are several. */
export const collection = signal<Collection | null>(null);

/** Our own levels, a text a file. */
export interface Sample {
  readonly puzzle: string;
  readonly name: string;
  readonly text: string;
  readonly known: readonly Recorded[];
}

export const samples = signal<readonly Sample[]>([]);

/** Fetches our own levels: they are a file of their own, so that the page comes sooner. */
export async function loadSamples() {
  const response = await fetch("samples.json");
  samples.value = (await response.json()) as readonly Sample[];
}

/** Reads a text and opens its first level; asks which family where that is not settled. */
export async function read(
  text: string,
  puzzle: string | null,
  options: Readonly<Record<string, string>> = {},
  named: { name?: string; recorded?: readonly Recorded[] } = {},
): Promise<boolean> {
  const found = taken(await engines.quick<Read>({ ask: "read", text, puzzle, options }));
  if (found === null) return false;
  candidates.value = found.families.length > 1 ? found.families : [];
  const [family, first] = [found.families[0], found.levels[0]];
  if (family === undefined || first === undefined) return false;
  const recorded = named.recorded ?? [];
  const all = { puzzle: family, options, levels: found.levels, recorded };
  const isLone = found.levels.length === 1;
  collection.value = isLone ? null : all;
  return choose(isLone ? { ...first, title: first.title ?? named.name ?? null } : first, all);
}

/** Reads a file that was dropped or opened. */
export async function readFile(file: File) {
  source.value = await file.text();
  tab.value = "level";
  await read(source.value, null, {}, { name: file.name.replace(/\.[^.]*$/, "") });
}

/** Opens one of the levels that were read. */
export async function choose(of: ReadLevel, { puzzle, options, recorded }: Collection) {
  if (of.fault !== null) {
    fault.value = of.fault;
    return false;
  }
  const isOpen = await play.open({ text: of.text, puzzle, options, title: of.title }, { recorded });
  if (isOpen && of.warnings.length > 0) remark.value = of.warnings.join(" ");
  return isOpen;
}

/** Reads the level on the board under other rules. */
export function reread(level: Level, options: Readonly<Record<string, string>>) {
  return read(level.text, level.puzzle, options, level.title === null ? {} : { name: level.title });
}

/** The name of a sample, as its title where it has none. */
export const titled = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll("-", " ");

export function openSample(sample: Sample | undefined): Promise<boolean> {
  if (sample === undefined) return Promise.resolve(false);
  const { text, puzzle, name, known } = sample;
  source.value = text;
  return read(text, puzzle, {}, { name: titled(name), recorded: known });
}

/** The level of the collection, or of our own, that comes after the one on the board. */
export function nextLevel(): (() => Promise<boolean>) | null {
  const current = play.level.value;
  if (current === null) return null;
  const all = collection.value;
  if (all !== null) {
    const at = all.levels.findIndex(({ text }) => text === current.text);
    const next = all.levels.slice(at + 1).find(({ fault }) => fault === null);
    return at >= 0 && next ? () => choose(next, all) : null;
  }
  const family = samples.value.filter(({ puzzle }) => puzzle === current.puzzle);
  const at = family.findIndex(({ text, name }) => {
    return titled(name) === current.title || text.includes(current.text.trim());
  });
  const next = at < 0 ? undefined : family[at + 1];
  return next ? () => openSample(next) : null;
}
