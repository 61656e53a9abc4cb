// The state of the page and what changes it. Components read it and call these functions; only
// this file asks the engine for positions.

import { signal } from "@preact/signals";
import { Engines } from "./engine";
import { FAMILY_UI, stepsOf } from "./families";
import { complete, notation, type Drawing } from "./flow";
import { advance, begin, redo, undo, type History } from "./history";
import { fromHash, toHash } from "./link";
import type { Answer, Ask, Cell, Family, Fault, Level, Read, ReadLevel, Shown, Verdict } from "./protocol";
import { texts } from "./texts";

export type Tab = keyof typeof texts.tabs;

export const engines = new Engines("worker.js");
export const families = signal<readonly Family[]>([]);
export const level = signal<Level | null>(null);
export const shown = signal<Shown | null>(null);
export const moves = signal<History<string>>(begin(""));
export const drawing = signal<History<Drawing>>(begin(new Map()));
export const tab = signal<Tab>("level");
/** The text in the field for levels, as it was pasted, dropped or opened. */
export const source = signal("");
/** What went wrong last, shown until something succeeds. */
export const fault = signal<Fault | null>(null);
/** A short remark for everybody, read out by screen readers. */
export const remark = signal("");
/** Families among which a text does not decide. */
export const candidates = signal<readonly string[]>([]);
/** The levels of the text that was read last, when there are several. */
export const choices = signal<readonly ReadLevel[]>([]);
/** The player's record on this level, by measure. */
export const best = signal<Lengths>({});
/** What is known of the level's shortest solutions, by measure. */
export const known = signal<Readonly<Record<string, Known>>>({});

/** Moves and pushes, each as far as there is a record of it. */
export type Lengths = Readonly<Partial<Record<Measure, number>>>;
export type Measure = "moves" | "pushes";

/** A length that was reached, and whether none is shorter. */
export interface Known {
  readonly length: number;
  readonly shortest: boolean;
}

/** A shortest length that was shown before, of a level of ours. */
export interface Recorded {
  readonly title: string | null;
  readonly objective: string;
  readonly optimum: number;
}

let recorded: readonly Recorded[] = [];

/** The value of an answer, or null, with the fault shown. */
export function taken<T>(answer: Answer<T>): T | null {
  if ("error" in answer) {
    fault.value = answer.error;
    return null;
  }
  fault.value = null;
  return answer.ok;
}

/** Whether pieces of this level move (else paths are drawn). */
export function isMoving(of: Level | null): boolean {
  return families.value.find((family) => family.name === of?.puzzle)?.moves ?? true;
}

/** Reads a text and opens its first level; asks which family where that is not settled. */
export async function read(text: string, puzzle: string | null, options: Record<string, string> = {}, of: readonly Recorded[] = []) {
  recorded = of;
  const found = taken(await engines.quick<Read>({ ask: "read", text, puzzle, options }));
  if (found === null) return;
  candidates.value = found.families.length > 1 ? found.families : [];
  choices.value = found.levels.length > 1 ? found.levels : [];
  const [family, first] = [found.families[0], found.levels[0]];
  if (family !== undefined && first !== undefined) await choose(first, family, options);
}

/** Reads a file that was dropped or opened. */
export async function readFile(file: File) {
  source.value = await file.text();
  tab.value = "level";
  await read(source.value, null);
}

/** Opens one of the levels that were read. */
export async function choose(of: ReadLevel, puzzle: string, options: Record<string, string>) {
  if (of.fault !== null) {
    fault.value = of.fault;
    return;
  }
  await open({ text: of.text, puzzle, options, title: of.title });
  if (of.warnings.length > 0) remark.value = of.warnings.join(" ");
}

/** Opens a level, at the start or after some moves. */
export async function open(next: Level, made = "") {
  const answer = taken(await engines.quick<Shown>({ ask: "show", level: next, moves: made }));
  if (answer === null) return;
  engines.stop();
  level.value = next;
  shown.value = answer;
  remark.value = answer.solved ? texts.play.solved : "";
  moves.value = begin(answer.moves);
  drawing.value = begin(new Map());
  best.value = remembered(BEST, next) ?? {};
  known.value = { ...ofOurs(next), ...remembered<Readonly<Record<string, Known>>>(KNOWN, next) };
  window.history.replaceState(null, "", toHash({ level: next, moves: answer.moves }));
}

/** Shows the position after these moves; false when they are not all possible. */
async function show(made: string): Promise<Shown | null> {
  const current = level.value;
  if (current === null) return null;
  const answer = taken(await engines.quick<Shown>({ ask: "show", level: current, moves: made }));
  return answer !== null && level.value === current ? answer : null;
}

let turn: Promise<unknown> = Promise.resolve();

/** Does things one after the other: quick fingers are ahead of the engine, and no move may be lost. */
function inTurn(work: () => Promise<void>): Promise<void> {
  const done = turn.then(work);
  turn = done.catch(() => undefined);
  return done;
}

/** Makes moves after those that were made. */
export function make(more: string): Promise<void> {
  return inTurn(() => makeNow(more));
}

async function makeNow(more: string) {
  const answer = await show(moves.value.now + more);
  if (answer === null) return;
  if (stepsOf(answer.moves).length <= stepsOf(moves.value.now).length) {
    remark.value = texts.play.notPossible;
    return;
  }
  moves.value = advance(moves.value, answer.moves);
  settle(answer);
}

function settle(answer: Shown) {
  shown.value = answer;
  remark.value = answer.solved ? texts.play.solved : "";
  if (answer.solved) remember(answer);
}

/** A step up, right, down or left. */
export function step(direction: number) {
  const letter = FAMILY_UI[level.value?.puzzle ?? ""]?.steps[direction];
  if (letter) void make(letter);
}

/** Goes to another point of the history. */
function travel(where: (now: History<string>) => History<string>): Promise<void> {
  return inTurn(() => travelNow(where(moves.value)));
}

async function travelNow(to: History<string>) {
  if (to === moves.value) return;
  const answer = await show(to.now);
  if (answer === null) return;
  moves.value = to;
  settle(answer);
}

export function undoMove() {
  if (isMoving(level.value)) void travel(undo);
  else drawing.value = undo(drawing.value);
}

export function redoMove() {
  if (isMoving(level.value)) void travel(redo);
  else drawing.value = redo(drawing.value);
}

export function restart() {
  if (isMoving(level.value)) void travel((now) => advance(now, ""));
  else drawing.value = advance(drawing.value, new Map());
}

/** Walks to a cell, where walking alone can. */
export async function walkTo(to: Cell) {
  await ask((current) => ({ ask: "walk", level: current, moves: moves.value.now, to }));
}

/** Moves the piece on a cell to another cell. */
export async function drag(from: Cell, to: Cell) {
  await ask((current) => ({ ask: "drag", level: current, moves: moves.value.now, from, to }));
}

function ask(question: (current: Level) => Ask): Promise<void> {
  return inTurn(() => askNow(question));
}

async function askNow(question: (current: Level) => Ask) {
  const current = level.value;
  if (current === null) return;
  const answer = taken(await engines.quick<{ moves: string | null }>(question(current)));
  if (answer?.moves) await makeNow(answer.moves);
  else if (answer !== null) remark.value = texts.play.noWay;
}

/** Takes a drawing, and asks the judge when every pair is joined. */
export async function draw(next: Drawing) {
  const [current, picture] = [level.value, shown.value];
  drawing.value = advance(drawing.value, next);
  if (picture !== null && picture.moves !== "") {
    // A solution that came with the address gives way to what is drawn.
    const bare = await show("");
    if (bare !== null) shown.value = bare;
  }
  if (current === null || picture === null || !complete(picture, next)) return;
  const judged = taken(await engines.quick<Shown>({ ask: "show", level: current, moves: notation(next) }));
  if (judged === null) return;
  remark.value = judged.solved ? texts.play.solved : (judged.fault ?? "");
  if (judged.solved) remember(judged);
}

/** What the player has made: moves, or a drawing in the notation of solutions. */
export function made(): string {
  return isMoving(level.value) ? moves.value.now : notation(drawing.value.now);
}

/** Where the browser keeps the player's records, and what was found out about levels. */
const BEST = "unstuck-best:";
const KNOWN = "unstuck-known:";

function key(kind: string, of: Level): string {
  return kind + toHash({ level: { ...of, title: null }, moves: "" });
}

function remembered<T>(kind: string, of: Level): T | null {
  try {
    return JSON.parse(window.localStorage.getItem(key(kind, of)) ?? "null") as T | null;
  } catch {
    return null;
  }
}

function keep(kind: string, of: Level, value: unknown) {
  try {
    window.localStorage.setItem(key(kind, of), JSON.stringify(value));
  } catch {
    // A browser that keeps nothing: it lasts as long as the page.
  }
}

/** What was shown before of a level of ours. */
function ofOurs(of: Level): Record<string, Known> {
  const mine = recorded.filter((one) => one.title === null || one.title === of.title);
  return Object.fromEntries(mine.map((one) => [measureOf(one.objective), { length: one.optimum, shortest: true }]));
}

function measureOf(objective: string): Measure {
  return objective.startsWith("pushes") ? "pushes" : "moves";
}

/** Takes note of what an engine has found out about the shortest solutions of a level. */
export function learn(of: Level, verdict: Verdict) {
  const { solution, objective, optimal } = verdict;
  if (solution?.length === undefined || objective === "any") return;
  const measure = measureOf(objective);
  const before = known.value[measure];
  const length = solution.length[measure];
  if (before && (before.length < length || (before.shortest && !optimal))) return;
  if (level.value !== of) return;
  known.value = { ...known.value, [measure]: { length, shortest: optimal === true } };
  keep(KNOWN, of, known.value);
}

function remember(solved: Shown) {
  if (level.value === null || !isMoving(level.value)) return;
  const least = (measure: Measure) => Math.min(best.value[measure] ?? Infinity, solved.tally[measure]);
  best.value = { moves: least("moves"), pushes: least("pushes") };
  keep(BEST, level.value, best.value);
}

/** Loads the families, then the level of the address, else one of ours. */
export async function start() {
  families.value = taken(await engines.quick<readonly Family[]>({ ask: "families" })) ?? [];
  const shared = fromHash(window.location.hash);
  if (shared !== null) await open(shared.level, shared.moves);
  window.addEventListener("hashchange", () => {
    const changed = fromHash(window.location.hash);
    if (changed !== null) void open(changed.level, changed.moves);
  });
}
