// What a person designs: a level of each family is at hand, whatever is looked at meanwhile; all of
// them are on the shelf. And what the engine says of it while it is painted.

import { computed, effect, signal, untracked } from "@preact/signals";
import { engines } from "../engine/engine";
import { FAMILY_UI } from "../families";
import * as histories from "../play/history";
import * as play from "../play/play";
import type { Count, Fault, Level, Read, SolutionReport, Verdict, Written } from "../protocol";
import { findOut, Question } from "../ask/questions";
import { badgesOf } from "../ask/verdict";
import type { Scene } from "../board/scene";
import { Session } from "../play/session";
import { painting, tab } from "../state";
import * as reading from "../levels/reading";
import * as shelf from "./shelf";

/** Rest after the last change before the verdict is asked, in milliseconds. */
const REST = 400;

/** The family that is designed. */
export const family = signal("sokoban");

/** Which of the maps of a game is painted. */
export const part = signal(0);

/** What nobody has painted yet, by family. */
const blanks = new Map<string, shelf.Draft>();

function example(puzzle: string): shelf.Draft {
  const text = FAMILY_UI[puzzle]?.example ?? "";
  const made = blanks.get(puzzle) ?? shelf.fresh(puzzle, { text, title: "", author: "", options: {} });
  blanks.set(puzzle, made);
  return made;
}

export const draft = computed<shelf.Draft>(() => {
  const id = shelf.current.value[family.value] ?? "";
  return shelf.drafts.value[id] ?? example(family.value);
});

export const content = computed(() => draft.value.content.now);

export const isUnsaved = computed(() => content.value.text !== draft.value.used);

/** What was changed last, so that letters of a title are undone together. */
let last = "";

/** Changes the level; a stroke that goes on is undone together with its beginning. */
export function change(next: Partial<shelf.Content>, goesOn = false) {
  const { content } = draft.value;
  const changed = { ...content.now, ...next };
  const parts = Object.keys(next) as (keyof shelf.Content)[];
  if (parts.every((part) => changed[part] === content.now[part])) return;
  const name = `${draft.value.id} ${parts.join()}`;
  const isSame = goesOn || (name === last && !parts.includes("text") && !parts.includes("options"));
  last = name;
  const history = (isSame ? histories.amend : histories.advance)(content, changed);
  shelf.put({ ...draft.value, content: history });
}

/** Changes the text of the level. */
export function write(next: (text: string) => string, goesOn = false) {
  change({ text: next(content.value.text) }, goesOn);
}

function travel(where: typeof histories.undo) {
  last = "";
  shelf.put({ ...draft.value, content: where(draft.value.content) });
}

export const undo = () => travel(histories.undo);
export const redo = () => travel(histories.redo);

/** Begins a level of its own: the one before stays on the shelf. */
function begin(puzzle: string, content: shelf.Content) {
  last = "";
  const before = shelf.drafts.value[shelf.current.value[puzzle] ?? ""];
  if (before && !shelf.isOwn(before)) shelf.remove(before.id);
  family.value = puzzle;
  shelf.put(shelf.fresh(puzzle, content));
}

export function blank() {
  const { author } = content.value;
  part.value = 0;
  begin(family.value, { text: FAMILY_UI[family.value]?.example ?? "", title: "", author, options: {} });
}

/** Goes on with a level of the shelf. */
export function goOn(id: string) {
  const found = shelf.drafts.value[id];
  if (found === undefined) return;
  part.value = 0;
  family.value = found.puzzle;
  shelf.current.value = { ...shelf.current.value, [found.puzzle]: id };
}

/**
 * Takes a level as what is painted. Not where it is no longer wanted when the engine has answered.
 */
export async function take(level: Level, isWanted: () => boolean = () => true) {
  const answer = await engines.quick<Written[]>({ ask: "formats", level });
  // A level that was read in another format is painted in the family's own.
  const form = FAMILY_UI[level.puzzle]?.form;
  const own = "ok" in answer ? answer.ok[0]?.text : undefined;
  const isPlain = form === "board" && !level.text.includes("|");
  // A game is written as a whole.
  const [all, at] = [reading.collection.peek(), reading.place.peek()];
  const whole = form === "game" && all !== null && at >= 0 ? all.text : null;
  const text = whole ?? (isPlain ? level.text : (own ?? level.text));
  if (!isWanted()) return;
  part.value = whole === null ? 0 : at;
  begin(level.puzzle, { text, title: level.title ?? "", author: "", options: level.options });
}

/** The level on the board that was painted here. */
const played = signal<{ readonly level: Level; readonly id: string } | null>(null);

/** Whether the level on the board is the one that is painted. */
export const isPlayed = computed(
  () =>
    play.level.value !== null &&
    played.value?.level === play.level.value &&
    played.value.id === draft.value.id,
);

/** Follows the board: a draft that has nothing of its own gives way to the level that is opened. */
export function follow() {
  let followed: Level | null = null;
  effect(() => {
    const level = play.level.value;
    if (level === null || level === followed) return;
    followed = level;
    if (played.peek()?.level === level) return;
    const [chosen, mine] = [family.peek(), shelf.drafts.peek()[shelf.current.peek()[level.puzzle] ?? ""]];
    // A person who has begun to design meanwhile goes on with that.
    const isWanted = () =>
      family.peek() === chosen && shelf.drafts.peek()[shelf.current.peek()[level.puzzle] ?? ""] === mine;
    if (mine && mine.content.now.text !== mine.used) family.value = level.puzzle;
    else void take(level, isWanted);
  });
}

/** What the engine says of a draft: the level that it is, or what is wrong. */
export interface Seen {
  /** The text that was read. */
  readonly of: string;
  readonly level: Level | null;
  readonly fault: Fault | null;
  readonly warnings: readonly string[];
  /** All levels of the text: a game has several. */
  readonly levels: readonly Level[];
  /** The level as the engine draws it. */
  readonly scene: Scene | null;
}

export const seen = signal<Seen>({ of: "", level: null, fault: null, warnings: [], levels: [], scene: null });
export const verdicts = new Question<Verdict>("edit");
export const counts = new Question<Count>("edit");

/** What is known of the draft as it stands. */
export const verdict = computed(() => verdicts.answer(draftName()));
export const counted = computed(() => counts.answer(draftName()));

function draftName(): string {
  const { text, options } = content.value;
  return JSON.stringify([family.value, text, options, part.value]);
}

/** The levels of the game that is written. */
export const game = computed<readonly Level[]>(() =>
  FAMILY_UI[family.value]?.form === "game" && seen.value.of === content.value.text ? seen.value.levels : [],
);

/** The level on the board, where it is another one. */
export const open = computed(() => {
  const level = play.level.value;
  const isThis = level?.text === content.value.text || level?.text === seen.value.level?.text;
  return level !== null && !isThis && !isPlayed.value ? level : null;
});

/** The colour that the engine gives a letter of the board, if it knows it. */
export function colourOf(letter: string): string | null {
  const ground = seen.value.scene?.ground;
  const ends = ground && "ends" in ground ? ground.ends : [];
  return ends.find(({ label }) => label === letter)?.colour ?? null;
}

/** A solution of the draft, and another one where there are several. */
export const solutions = computed<readonly SolutionReport[]>(() => {
  const { solution, others } = verdict.value ?? {};
  return solution ? [solution, ...(others ?? [])] : [];
});

/** Reads the draft and asks for its verdict whenever it changes, while it is looked at. */
export function watch(isLooked: () => boolean) {
  let now = 0;
  const look = async (puzzle: string, { text, options, title }: shelf.Content, name: string) => {
    const mine = (now += 1);
    const asked = { ask: "read", text, puzzle, options } as const;
    const answer = await engines.quick<Read>(asked);
    if (mine !== now) return;
    const all = "ok" in answer ? answer.ok.levels : [];
    const read = "ok" in answer ? (answer.ok.levels[part.peek()] ?? answer.ok.levels[0]) : undefined;
    const fault = "error" in answer ? answer.error : (read?.fault ?? null);
    if (!read || fault) {
      engines.stop("edit");
      seen.value = { of: text, level: null, fault, warnings: [], levels: [], scene: null };
      return;
    }
    const level = { text: read.text, puzzle, options, title: title || read.title };
    const session = new Session(level, () => "");
    const opened = await session.open("");
    session.close();
    if (mine !== now) return;
    const scene = "ok" in opened ? { ground: opened.ok.ground, ...opened.ok.position } : null;
    const warnings = read.warnings;
    const levels = all.map((one) => ({ text: one.text, puzzle, options, title: one.title }));
    seen.value = { of: text, level, fault: null, warnings, levels, scene };
    if (verdicts.answer(name) !== null) return;
    await new Promise((rest) => setTimeout(rest, REST));
    if (mine !== now) return;
    await findOut(name, level, { verdicts, counts, rules: false }, () => mine === now);
  };
  effect(() => {
    const [{ of, level }, known] = [seen.value, verdict.value];
    if (level === null || known === null || of !== content.value.text) return;
    const words = badgesOf({ level, verdict: known, plans: counted.value?.optimal_plans ?? null });
    untracked(() => note(of, words));
  });
  effect(() => {
    const [puzzle, current, name] = [family.value, content.value, draftName()];
    if (isLooked()) void look(puzzle, current, name);
  });
}

/** What is known of the level stays with it on the shelf. */
function note(text: string, words: readonly string[]) {
  const { known } = draft.value;
  if (!shelf.isOwn(draft.value) || (known?.of === text && known.words.join() === words.join())) return;
  shelf.note(draft.value, { of: text, words });
}

/** What the engine says of the draft as it stands, once it has read it. */
function settled(): Promise<Seen> {
  return new Promise((resolve) => {
    const stop = effect(() => {
      if (seen.value.of !== content.value.text) return;
      resolve(seen.value);
      queueMicrotask(() => stop());
    });
  });
}

/** Plays the draft. */
export async function use(): Promise<boolean> {
  const { of, level } = await settled();
  if (level === null) return false;
  if (isPlayed.value && of === draft.value.used) return true;
  const { id } = draft.value;
  played.value = { level, id };
  if (!(await play.open(level))) return false;
  if (draft.value.id === id) shelf.put({ ...draft.value, used: of });
  return true;
}

/** From painting to playing: the level that is painted. */
export async function playIt() {
  if (await use()) painting.value = false;
}

/** From painting to playing and back, at the same level. */
export async function turn() {
  if (painting.value) return playIt();
  const level = play.level.value;
  // What is played is painted on; a level that was painted and not played yet comes first.
  if (level !== null && !isPlayed.value && !isUnsaved.value) await take(level);
  tab.value = "edit";
  painting.value = true;
}
