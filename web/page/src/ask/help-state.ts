// Help on the board: a hint by degrees, where a game went wrong, what is certain; and a quiet sign
// when a push has lost the game.

import { computed, effect, signal } from "@preact/signals";
import { engines, solver } from "../engine/engine";
import { changed, isPiece, keyed, type Keyed } from "../board/figures";
import { attempt, stepsOf } from "../play/game";
import { drawingFrom, type Drawing } from "../board/paths";
import * as film from "../play/film";
import * as play from "../play/play";
import { forkView } from "../board/fork";
import type {
  DeducedFact,
  Figure,
  Fork,
  HintLevel,
  Level,
  MarkView,
  ShownFacts,
  ShownHint,
} from "../protocol";
import {
  diagnoses,
  facts,
  HELP_LIMITS,
  hints,
  levelName,
  positionName,
  running,
  solve,
  verdicts,
} from "./questions";
import { Session } from "../play/session";
import { remark, tab, taken, toBoard } from "../state";
import { texts } from "../texts";

/** Another position that is looked at, as long as the game stands where it was asked for. */
interface Shown {
  readonly name: string;
  readonly figures: readonly Keyed[];
  readonly marks: readonly MarkView[];
  readonly ghosts: readonly Figure[];
  /** Of which solutions it is the parting. */
  readonly fork?: Fork;
}

const looked = signal<Shown | null>(null);

export const positionShown = computed(() =>
  looked.value?.name === positionName.value ? looked.value : null,
);

export const forkShown = computed(() => positionShown.value?.fork ?? null);

/** A solution that lies under what is drawn, for comparison. */
export const overlay = signal<Drawing | null>(null);

/** How much the hints on the board say. */
export const degree = signal<HintLevel>("piece");

export async function askHint(wanted: HintLevel): Promise<ShownHint | null> {
  const [level, name, moves] = [play.level.value, positionName.value, play.made.value];
  if (level === null || name === null || running.value.has("help")) return null;
  degree.value = wanted;
  looked.value = null;
  const ask = { ask: "hint", level, moves, degree: wanted, limits: HELP_LIMITS } as const;
  const answer = await hints.ask(name, level, [ask]);
  if (answer === null) return null;
  const found = answer.solvable === null ? await fromPlan(level, moves, wanted, answer) : answer;
  if (found !== answer) hints.set(name, found);
  remark.value = hintWords(found);
  toBoard();
  return found;
}

/** A hint for the position on the board: the next move, or the next line that is certain. */
export function askNext() {
  void (play.board.value === null ? askHint("move") : askFact());
}

/** Shows moves as a film that goes on from the position on the board. */
export async function watchOn(moves: string) {
  const level = play.level.value;
  if (level === null) return;
  await film.open(level, play.made.value + moves, play.attemptLength.value);
  film.run();
}

/** Solves from the position on the board, and shows it; a drawing is compared with a solution. */
export async function solveOn() {
  const [name, on] = [positionName.value, play.board.value];
  if (on === null) {
    const moves = (await askHint("plan"))?.moves;
    if (moves && name === positionName.value) await watchOn(moves);
    return;
  }
  await solve();
  const found = verdicts.answer(levelName.value)?.solution;
  if (found && play.board.value === on) overlay.value = drawingFrom(on, found.moves);
}

/** Where the engine does not know, but a solution was found that goes on from here: its next moves. */
async function fromPlan(
  level: Level,
  moves: string,
  wanted: HintLevel,
  unknown: ShownHint,
): Promise<ShownHint> {
  const plan = verdicts.answer(levelName.value)?.solution?.moves;
  if (plan === undefined || !plan.startsWith(moves) || plan === moves) return unknown;
  const later = stepsOf(plan.slice(moves.length));
  // Up to the next thing that moves: the player alone is no hint.
  const session = new Session(level, () => plan);
  await session.open(plan);
  const at = stepsOf(moves).length;
  const before = taken(await session.view(at));
  let [count, after] = [later.length, before];
  for (let made = 1; before && made <= later.length; made += 1) {
    after = taken(await session.view(at + made));
    if (!after || !changed(before.figures, after.figures).some(isPiece)) continue;
    if (wanted !== "plan") count = made;
    if (count === made) break;
  }
  session.close();
  const said = later.slice(0, count).join("");
  const marks = changed(after?.figures ?? [], before?.figures ?? []).filter(isPiece);
  return {
    ...unknown,
    sentence: texts.help.fromPlan(arrows(said)),
    moves: wanted === "move" || wanted === "plan" ? said : null,
    marks: marks.map(({ places }) => ({ places: [...places], look: "pointed", label: "" })),
    after: after?.figures ?? [],
  };
}

/** A hint in words, with the moves as arrows. */
export function hintWords(hint: ShownHint): string {
  const { help } = texts;
  const place = hint.marks[0]?.places[0];
  if (hint.solvable !== true || (place === undefined && !hint.moves)) return hint.sentence;
  if (degree.value === "plan") return hint.sentence;
  if (degree.value === "move") return `${help.nextMoves(arrows(hint.moves ?? ""))}; ${hint.sentence}`;
  if (place === undefined) return hint.sentence;
  return `${help.nextPiece(place[0] + 1, place[1] + 1)}; ${hint.sentence}`;
}

const ARROWS: Readonly<Record<string, string>> = {
  u: "↑",
  r: "→",
  d: "↓",
  l: "←",
  w: "↑",
  a: "←",
  s: "↓",
  "^": "↑",
  ">": "→",
  v: "↓",
  "<": "←",
};

/** Moves as arrows; in notations where `d` goes right (W A S D), by the letters beside it. */
export function arrows(moves: string): string {
  const isWasd = /^[WASD\d\s]+$/.test(moves);
  const arrow = (letter: string) => (isWasd && letter === "d" ? "→" : ARROWS[letter]);
  return [...moves].map((letter) => arrow(letter.toLowerCase()) ?? letter).join("");
}

export async function askDiagnosis() {
  const [level, name, moves] = [play.level.value, positionName.value, play.made.value];
  if (level === null || name === null) return;
  const ask = { ask: "diagnose", level, moves, limits: HELP_LIMITS } as const;
  const answer = await diagnoses.ask(name, level, [ask]);
  if (answer !== null && answer.fatal !== null) await look(answer.shown, answer.marks);
}

/** Asks why the game is lost. */
export function askWhy() {
  tab.value = "help";
  void askDiagnosis();
}

/** Shows the position after so many of the moves made, until the game goes on. */
export async function look(at: number, marks: readonly MarkView[]) {
  const [level, name, moves] = [play.level.value, positionName.value, play.made.value];
  if (level === null || name === null) return;
  const session = new Session(level, () => moves);
  await session.open(moves);
  const position = taken(await session.view(at));
  session.close();
  if (position === null) return;
  const figures = keyed(play.figures.value, position.figures);
  looked.value = { name, figures, marks, ghosts: [] };
  toBoard();
}

/** Shows where two solutions part. */
export function lookAtFork(fork: Fork) {
  const [name, ground] = [positionName.value, play.ground.value];
  if (name === null || ground?.of !== "squares") return;
  const figures = keyed(play.figures.value, fork.before);
  looked.value = { name, figures, fork, ...forkView(fork, figures, ground.sprites) };
  toBoard();
}

export function lookAway() {
  looked.value = null;
}

/** Something that holds in all solutions, and how people say it. */
export interface Fact extends DeducedFact {
  readonly words: string;
  /** The names of its cells, as in solutions. */
  readonly cells: readonly string[];
}

export function factsOf({ steps, words }: ShownFacts): readonly Fact[] {
  return steps.map((step, index) => {
    const cells = /\((.*)\)$/.exec(step.fact)?.[1]?.split(";") ?? [];
    return {
      ...step,
      words: words[index] ?? step.fact,
      cells: cells.map((cell) => cell.split("/")[0] ?? ""),
    };
  });
}

/** What holds in all solutions, and how much of it was shown. */
const factsSaid = signal(0);

export const factShown = computed<Fact | null>(() => {
  const lines = linesOf();
  return factsSaid.value > 0 ? (lines[factsSaid.value - 1] ?? null) : null;
});

/** The certain lines that are not drawn yet, in the order in which they can be found. */
function linesOf(): readonly Fact[] {
  const [all, board] = [facts.answer(levelName.value), play.board.value];
  if (all === null || board === null) return [];
  const joined = new Set<string>();
  for (const path of play.drawing.value.now.values()) {
    path.forEach((cell, index) => {
      const [a, b] = [board.cells[cell]?.name, board.cells[path[index - 1] ?? -1]?.name];
      joined.add(`${a};${b}`).add(`${b};${a}`);
    });
  }
  return factsOf(all).filter(
    ({ fact, value, cells }) => fact.startsWith("joined(") && value && !joined.has(cells.join(";")),
  );
}

/** Shows the next line that is certain. */
export async function askFact() {
  const [level, name] = [play.level.value, levelName.value];
  if (level === null || name === null || running.value.has("help")) return;
  if (facts.answer(name) === null) {
    const found = await facts.ask(name, level, [{ ask: "forced", level, limits: HELP_LIMITS }]);
    if (found === null) return;
  }
  factsSaid.value = 1;
  const fact = factShown.value;
  remark.value = fact === null ? texts.help.noFact : factWords(fact);
}

export function factWords(fact: Fact): string {
  return texts.help.nextLine(fact.words.replace(/^joined /, ""), why(fact));
}

/** Why something is certain, in words. */
export function why({ how, rules }: DeducedFact): string {
  const words = texts.help.rules as Readonly<Record<string, string>>;
  const named = rules.map((rule) => words[rule] ?? rule.replaceAll("-", " "));
  return [texts.help.how[how], ...named].join("; ");
}

/** A mark on what was pushed last, when it has lost the game. */
export const warning = signal<readonly MarkView[]>([]);

/** Time for a look at each push. */
const GLANCE = { seconds: 2, megabytes: 300 };
const REST = 150;

/** Looks at every push while nothing else is asked. */
export function watch() {
  let before: readonly Figure[] = [];
  let [level, at] = [play.level.value, 0];
  effect(() => {
    const [now, position, name] = [play.level.value, play.position.value, positionName.value];
    const [old, isNext] = [before, now === level && attempt(play.game.peek()).at > at];
    before = position?.figures ?? [];
    [level, at] = [now, attempt(play.game.peek()).at];
    warning.value = [];
    engines.stop("watch");
    if (now === null || position === null || position.solved || !isNext || name === null) return;
    const pushed = changed(old, before).filter(isPiece);
    if (pushed.length === 0) return;
    const moves = play.made.peek();
    const look = async () => {
      // The player has not asked for this: the solver is not fetched for it.
      if (positionName.peek() !== name || !solver.isCalled) return;
      const ask = { ask: "hint", level: now, moves, degree: "solvable", limits: GLANCE } as const;
      const answer = await engines.long<ShownHint>(
        "watch",
        [ask],
        () => true,
        () => undefined,
      );
      const isLost = "ok" in answer && answer.ok.solvable === false;
      if (!isLost || positionName.peek() !== name) return;
      warning.value = pushed.map(({ places }) => ({ places: [...places], look: "warning", label: "" }));
      remark.value = texts.help.lostNow;
    };
    setTimeout(() => void look(), REST);
  });
  // What was drawn is another hint's matter.
  effect(() => {
    void play.made.value;
    factsSaid.value = 0;
  });
}
