// What a person designs: a draft for each family, kept whatever is looked at meanwhile, and in the
// browser; and what the engine says of it while it is painted.

import { computed, effect, signal } from "@preact/signals";
import { engines } from "../engine/engine";
import { FAMILY_UI } from "../families";
import * as histories from "../play/history";
import { isRecord, keep, kept, optionsFrom } from "../keep/keep";
import * as play from "../play/play";
import type { Count, Fault, Level, Read, Solution, Verdict, Written } from "../protocol";
import { Question } from "../ask/questions";
import type { Scene } from "../board/scene";
import { Session } from "../play/session";
import { familyOf } from "../state";

export interface Draft {
  readonly text: histories.History<string>;
  readonly options: Readonly<Record<string, string>>;
  readonly title: string;
  readonly author: string;
  /** The text that was played or opened last: what differs from it is not in use yet. */
  readonly used: string;
}

/** Rest after the last change before the verdict is asked, in milliseconds. */
const REST = 400;
const LIMITS = { seconds: 10, megabytes: 800 };

/** Versions of a draft that the browser keeps. */
const MOST = 40;

export const drafts = signal<Readonly<Record<string, Draft>>>({});
/** The family that is designed. */
export const family = signal("sokoban");

function fresh(text: string, options: Draft["options"] = {}, title = ""): Draft {
  return { text: histories.begin(text), options, title, author: "", used: text };
}

export const draft = computed<Draft>(
  () => drafts.value[family.value] ?? fresh(FAMILY_UI[family.value]?.example ?? ""),
);

export const isUnsaved = computed(() => draft.value.text.now !== draft.value.used);

export function change(next: Partial<Draft>) {
  drafts.value = { ...drafts.value, [family.value]: { ...draft.value, ...next } };
}

/** Changes the text of the draft; a stroke that goes on is undone together with its beginning. */
export function write(next: (text: string) => string, goesOn = false) {
  const { text } = draft.value;
  const changed = next(text.now);
  if (changed === text.now) return;
  change({ text: (goesOn ? histories.amend : histories.advance)(text, changed) });
}

export function undo() {
  change({ text: histories.undo(draft.value.text) });
}

export function redo() {
  change({ text: histories.redo(draft.value.text) });
}

/** Begins a new level; undoing goes back to the draft before. */
export function blank() {
  write(() => FAMILY_UI[family.value]?.example ?? "");
  change({ title: "", options: {} });
}

/**
 * Takes the level on the board as the draft of its family; undoing goes back to the draft before. Not
 * where it is no longer wanted when the engine has answered.
 */
export async function take(level: Level, isWanted: () => boolean = () => true) {
  const answer = await engines.quick<Written[]>({ ask: "formats", level });
  // A level that was read in another format is painted in the family's own.
  const form = FAMILY_UI[level.puzzle]?.form;
  const own = "ok" in answer ? answer.ok[0]?.text : undefined;
  const text = form === "board" && !level.text.includes("|") ? level.text : (own ?? level.text);
  if (!isWanted()) return;
  family.value = level.puzzle;
  const isFirst = drafts.value[level.puzzle] === undefined;
  if (isFirst) change({ text: histories.begin(text) });
  else write(() => text);
  change({ title: level.title ?? "", options: level.options, used: text });
}

/** Follows the board: a draft that has nothing of its own gives way to the level that is opened. */
export function follow() {
  let followed: Level | null = null;
  effect(() => {
    const level = play.level.value;
    if (level === null || level === followed) return;
    followed = level;
    const [chosen, mine] = [family.peek(), drafts.peek()[level.puzzle]];
    // A person who has begun to design meanwhile goes on with that.
    const isWanted = () => family.peek() === chosen && drafts.peek()[level.puzzle] === mine;
    if (mine && mine.text.now !== mine.used) family.value = level.puzzle;
    else void take(level, isWanted);
  });
}

function draftFrom(value: unknown): Draft | null {
  if (!isRecord(value)) return null;
  const { options, title, author, used } = value;
  const isText = (one: unknown) => (typeof one === "string" ? one : null);
  const [text, chosen] = [histories.historyFrom(value["text"], isText), optionsFrom(options)];
  if (text === null || chosen === null || typeof used !== "string") return null;
  return { text, options: chosen, title: isText(title) ?? "", author: isText(author) ?? "", used };
}

/** Takes up the drafts of earlier visits, and keeps them from now on. */
export function restore() {
  const check = (value: unknown) => (isRecord(value) ? value : null);
  const all = Object.entries(kept("drafts", check) ?? {});
  const read = all.map(([name, value]) => [name, draftFrom(value)] as const);
  drafts.value = Object.fromEntries(read.filter(([, draft]) => draft !== null)) as typeof drafts.value;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const save = () => {
    const light = Object.entries(drafts.peek()).map(([name, draft]) => {
      const { past, now, future } = draft.text;
      const text = { past: past.slice(-MOST), now, future: future.slice(0, MOST) };
      return [name, { ...draft, text }];
    });
    keep("drafts", Object.fromEntries(light));
  };
  effect(() => {
    void drafts.value;
    clearTimeout(timer);
    timer = setTimeout(save, REST);
  });
  window.addEventListener("pagehide", save);
}

/** What the engine says of a draft: the level that it is, or what is wrong. */
export interface Seen {
  /** The text that was read. */
  readonly of: string;
  readonly level: Level | null;
  readonly fault: Fault | null;
  /** The level as the engine draws it. */
  readonly scene: Scene | null;
}

export const seen = signal<Seen>({ of: "", level: null, fault: null, scene: null });
export const verdicts = new Question<Verdict>("edit");
export const counts = new Question<Count>("edit");

/** What is known of the draft as it stands. */
export const verdict = computed(() => verdicts.answer(draftName()));
export const counted = computed(() => counts.answer(draftName()));

function draftName(): string {
  const { text, options } = draft.value;
  return JSON.stringify([family.value, text.now, options]);
}

/** A solution of the draft, and another one where there are several. */
export const solutions = computed<readonly Solution[]>(() => {
  const { solution, others } = verdict.value ?? {};
  return solution ? [solution, ...(others ?? [])] : [];
});

/** Reads the draft and asks for its verdict whenever it changes, while it is looked at. */
export function watch(isLooked: () => boolean) {
  let now = 0;
  const look = async (puzzle: string, { text, options, title }: Draft, name: string) => {
    const mine = (now += 1);
    const asked = { ask: "read", text: text.now, puzzle, options } as const;
    const answer = await engines.quick<Read>(asked);
    if (mine !== now) return;
    const read = "ok" in answer ? answer.ok.levels[0] : undefined;
    const fault = "error" in answer ? answer.error : (read?.fault ?? null);
    if (!read || fault) {
      engines.stop("edit");
      seen.value = { of: text.now, level: null, fault, scene: null };
      return;
    }
    const level = { text: read.text, puzzle, options, title: title || read.title };
    const session = new Session(level, () => "");
    const opened = await session.open("");
    session.close();
    if (mine !== now) return;
    const scene = "ok" in opened ? { ground: opened.ok.ground, ...opened.ok.position } : null;
    seen.value = { of: text.now, level, fault: null, scene };
    if (verdicts.answer(name) !== null) return;
    await new Promise((rest) => setTimeout(rest, REST));
    if (mine !== now) return;
    const objective = familyOf(level)?.objectives[0] ?? "any";
    const solve = { ask: "solve", level, objective, engine: "auto", limits: LIMITS } as const;
    const found = await verdicts.ask(name, level, [solve]);
    if (mine !== now || !found?.optimal || objective === "any") return;
    await counts.ask(name, level, [{ ask: "count", level, objective, limits: LIMITS }]);
  };
  effect(() => {
    const [puzzle, current, name] = [family.value, draft.value, draftName()];
    if (isLooked()) void look(puzzle, current, name);
  });
}

/** Plays the draft. */
export async function use(): Promise<void> {
  const { of, level } = seen.value;
  if (level === null) return;
  if (await play.open(level)) change({ used: of });
}
