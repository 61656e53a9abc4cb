// A solution step by step, on the board; the game lies beneath it as it was.

import { signal } from "@preact/signals";
import { keyed, type Keyed } from "../board/figures";
import { stepsOf } from "./game";
import type { Level, Position } from "../protocol";
import { Session } from "./session";
import { taken, toBoard } from "../state";

export interface Film {
  readonly level: Level;
  readonly moves: string;
  readonly steps: readonly string[];
  readonly at: number;
  readonly position: Position;
  readonly figures: readonly Keyed[];
}

export const film = signal<Film | null>(null);
export const isRunning = signal(false);
/** Steps in a second. */
export const speed = signal(4);

let session: Session | null = null;
let timer: ReturnType<typeof setTimeout> | null = null;

/** Shows a solution from its beginning, or from a later step. */
export async function open(level: Level, moves: string, at = 0) {
  close();
  const mine = new Session(level, () => moves);
  session = mine;
  const opened = taken(await mine.open(moves));
  const start = taken(await mine.view(at));
  if (opened === null || start === null || session !== mine) return;
  toBoard();
  const figures = keyed([], start.figures);
  film.value = { level, moves, steps: stepsOf(opened.moves), at, position: start, figures };
}

export function close() {
  pause();
  session?.close();
  session = null;
  film.value = null;
}

export async function goTo(at: number) {
  const [mine, now] = [session, film.value];
  if (mine === null || now === null) return;
  const to = Math.max(0, Math.min(now.steps.length, at));
  film.value = { ...now, at: to };
  const position = taken(await mine.view(to));
  // Who drags the slider is ahead of the engine: what is late is not shown.
  if (position === null || session !== mine || film.value?.at !== to) return;
  film.value = { ...film.value, position, figures: keyed(film.value.figures, position.figures) };
}

export function pause() {
  if (timer !== null) clearTimeout(timer);
  timer = null;
  isRunning.value = false;
}

/** Runs from where it stands; from the beginning, where it stands at the end. */
export function run() {
  const now = film.value;
  if (now === null) return;
  isRunning.value = true;
  const next = async () => {
    const current = film.value;
    if (current === null || current.at >= current.steps.length) return pause();
    await goTo(current.at + 1);
    if (isRunning.value) timer = setTimeout(() => void next(), 1000 / speed.value);
  };
  const first = now.at >= now.steps.length ? goTo(0) : Promise.resolve();
  void first.then(() => {
    timer = setTimeout(() => void next(), 1000 / speed.value);
  });
}
