// The level on the board and what the player makes on it. Nothing of it is lost: it is in the
// address, in the history of the browser, and in its store.

import { batch, computed, signal } from "@preact/signals";
import * as address from "../keep/address";
import { FAMILY_UI } from "../families";
import { changed, keyed, type Keyed } from "../board/figures";
import * as film from "./film";
import * as games from "./game";
import * as histories from "./history";
import { byTime, drop, isRecord, keep, keepForTab, kept, keptForTab } from "../keep/keep";
import { toHash, type Record, type Within } from "../keep/link";
import * as paths from "../board/paths";
import type { Fault, Figure, Ground, Level, Paths, Played, Position } from "../protocol";
import * as records from "../keep/records";
import { wordOf } from "../board/scene";
import { againOf, isActionless } from "../levels/script";
import { Session } from "./session";
import * as state from "../state";
import { remark, taken } from "../state";
import { texts } from "../texts";

export const level = signal<Level | null>(null);
export const ground = signal<Ground | null>(null);
export const game = signal<games.Game>(games.begun());
export const position = signal<Position | null>(null);
export const figures = signal<readonly Keyed[]>([]);
/** Whether what the last move passed on its way is still being shown. */
export const isPassing = signal(false);
export const drawing = signal<histories.History<paths.Drawing>>(histories.begin(paths.EMPTY));
/** What the judge said of the drawing, when every pair was joined. */
export const judged = signal<{ of: string; solved: boolean } | null>(null);

/** The collection that the level belongs to, and its place there. */
export const series = signal<Within | null>(null);

/** A solution that came with a link, and what its sender says of it. */
export const challenge = signal<{ readonly moves: string; readonly record: Record | null } | null>(null);

let session: Session | null = null;

/** What the last move did, for those who do not see it. */
export const spoken = signal("");

/** The board, where paths are drawn on it. */
export const board = computed<Paths | null>(() => (ground.value?.of === "paths" ? ground.value : null));

/** What the player has made: moves, or a drawing in the notation of solutions. */
export const made = computed(() =>
  board.value === null ? games.made(game.value).join("") : paths.notation(board.value, drawing.value.now),
);

/** How many moves are made. */
export const attemptLength = computed(() => games.attempt(game.value).at);

export const solved = computed(() =>
  board.value === null
    ? (position.value?.solved ?? false)
    : judged.value?.solved === true && judged.value.of === made.value,
);

export const canUndo = computed(() =>
  board.value === null ? games.canUndo(game.value) : drawing.value.past.length > 0,
);
export const canRedo = computed(() =>
  board.value === null ? games.canRedo(game.value) : drawing.value.future.length > 0,
);

/** Levels whose games are kept. */
const MOST = 60;

/** What is kept of a game beside its level. */
interface Kept {
  readonly moves: string;
  readonly game: games.Game | null;
  /** Drawings that came before, in the notation of solutions. */
  readonly earlier: readonly string[];
  /** When, in milliseconds of the clock. */
  readonly time: number;
}

function keptFrom(value: unknown): Kept | null {
  if (!isRecord(value)) return null;
  const { moves, game, earlier, time } = value;
  if (typeof moves !== "string" || typeof time !== "number") return null;
  const texts = Array.isArray(earlier) ? earlier.filter((one) => typeof one === "string") : [];
  return { moves, game: games.gameFrom(game), earlier: texts, time };
}

const keyOf = (of: Level) => `game:${records.nameOf(of)}`;

/** When this tab wrote or read what is kept of the level that is open. */
let known = 0;

/** Takes up what another tab has made on this level meanwhile, as an earlier attempt. */
function meet(current: Level) {
  const other = kept(keyOf(current), keptFrom);
  if (other === null || other.time === known) return;
  if (other.game !== null) game.value = games.after(other.game, game.value);
  else if (board.value !== null) drawing.value = histories.after(drawing.value, drawn(board.value, other));
}

/** Drawings that were kept: those that came before, and the last one. */
function drawn(on: Paths, { earlier, moves }: Pick<Kept, "earlier" | "moves">): readonly paths.Drawing[] {
  return [...earlier, moves].map((text) => paths.drawingFrom(on, text));
}

/** Drawings that are kept of a level. */
const DRAWINGS = 20;

/** The game as data, and where to find it again. */
function place(): address.Place {
  const current = level.value;
  if (current === null) return { hash: "#", state: null };
  meet(current);
  const [on, time] = [board.value, Date.now()];
  const mine = on === null ? games.dataOf(game.value) : null;
  const earlier = on && drawing.value.past.slice(-DRAWINGS).map((one) => paths.notation(on, one));
  const state = { moves: made.value, game: mine, ...(earlier && { earlier }), time };
  if (keep(keyOf(current), state)) known = time;
  keepForTab({ of: keyOf(current), state });
  for (const old of byTime("game:").slice(0, -MOST)) drop(old);
  const within = series.value ?? undefined;
  keep("last", toHash({ level: current, moves: "", within }));
  return { hash: toHash({ level: current, moves: made.value, within }), state };
}

function moveMade() {
  address.stay(place);
}

/** What this tab made last on a level: the history does not have what was made right before a reload. */
export function lastOfTab(of: Level, inHistory: unknown): unknown {
  const last = keptForTab((value) => (isRecord(value) && value["of"] === keyOf(of) ? value["state"] : null));
  const [mine, other] = [keptFrom(last), keptFrom(inHistory)];
  return mine !== null && mine.time > (other?.time ?? 0) ? last : inHistory;
}

/** How a level is opened. */
interface Opening {
  /** Moves, a drawing, or a solution. */
  readonly moves?: string;
  /** What was kept by the history of the browser. */
  readonly state?: unknown;
  /** Whether the address is that of this level already. */
  readonly isThere?: boolean;
  readonly recorded?: readonly records.Recorded[];
  /** What the sender of a link says of the solution that comes with it. */
  readonly record?: Record | undefined;
  /** The collection that it belongs to. */
  readonly within?: Within | null;
}

/**
 * Opens a level: where it was left, unless moves are given. What comes with a solution is shown as
 * a film, from its beginning.
 */
export async function open(next: Level, opening: Opening = {}): Promise<boolean> {
  const remembered = kept(keyOf(next), keptFrom);
  // This tab's own history comes first: what another tab has made is an earlier attempt.
  const fromHistory = keptFrom(opening.state);
  const resumed = fromHistory ?? (opening.moves ? null : remembered);
  const moves = fromHistory?.moves ?? (opening.moves || (remembered?.moves ?? ""));
  const resumedGame = resumed?.game ?? null;
  const steps = resumedGame ? games.attempt(resumedGame).steps.join("") : moves;
  const opened = new Session(next, () => games.attempt(game.value).steps.join(""));
  const answer = taken(await opened.open(steps));
  if (answer === null) return false;
  address.flush();
  session?.close();
  session = opened;
  film.close();
  level.value = next;
  known = remembered?.time ?? 0;
  series.value = opening.within ?? null;
  ground.value = answer.ground;
  judged.value = null;
  challenge.value = null;
  state.painting.value = false;
  clearTimeout(passing);
  isPassing.value = false;
  if (answer.ground.of === "paths") {
    const isChallenge = opening.record !== undefined && fromHistory === null;
    const now = histories.begin(isChallenge ? paths.EMPTY : paths.drawingFrom(answer.ground, moves));
    if (isChallenge) challenge.value = { moves, record: opening.record ?? null };
    const before = [resumed, resumed === remembered ? null : remembered].filter((one) => one !== null);
    // Whatever came from elsewhere can be taken off the board.
    const past = [paths.EMPTY, ...before.flatMap((one) => drawn(answer.ground as Paths, one))];
    drawing.value = histories.after(now, past);
    position.value = answer.position;
    figures.value = [];
  } else {
    const earlier = resumed === remembered ? null : (remembered?.game ?? null);
    await openGame(opened, answer, { resumed: resumedGame, earlier, isExact: fromHistory !== null });
  }
  records.recall(next, opening.recorded ?? []);
  address.visit(place(), opening.isThere ?? false);
  document.title = next.title ? `${next.title} · ${texts.title}` : texts.title;
  await judge();
  say(answer.fault);
  if (board.value === null && opening.moves && fromHistory === null && answer.position.solved) {
    challenge.value = { moves: answer.moves, record: opening.record ?? null };
  }
  return true;
}

/** What is known of a game that is opened. */
interface Before {
  /** The game as it was left. */
  readonly resumed: games.Game | null;
  /** What the player made on the level before moves came from elsewhere. */
  readonly earlier: games.Game | null;
  /** Whether it is to stand exactly where it was left. */
  readonly isExact: boolean;
}

async function openGame(opened: Session, { position: end, moves }: Played, before: Before) {
  const { resumed, earlier, isExact } = before;
  const steps = games.stepsOf(moves);
  const kept = resumed && games.attempt(resumed).steps.join("") === moves ? resumed : null;
  const mine = kept ?? games.begun(steps);
  // A level that was solved begins again; its solution is ahead, to be redone.
  const at = end.solved && !isExact ? 0 : games.attempt(mine).at;
  const shown = at === steps.length ? end : taken(await opened.view(at));
  const next = games.goTo(mine, at);
  stand(earlier ? games.after(earlier, next) : next, shown ?? end);
}

/** Where the game stands now: moves and pieces change at once, or by what the last move passed. */
function stand(next: games.Game, where: Position, passed: Played["passed"] = []) {
  clearTimeout(passing);
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  batch(() => {
    game.value = next;
    position.value = where;
    show([...(isStill ? [] : passed), where.figures]);
  });
}

let passing: ReturnType<typeof setTimeout> | undefined;

/** Shows what stands where, one after the other. What is made meanwhile goes on from the end. */
function show([first = [], ...later]: readonly (readonly Figure[])[]) {
  figures.value = keyed(figures.value, first);
  isPassing.value = later.length > 0;
  if (later.length > 0) passing = setTimeout(() => show(later), againOf(level.value?.text ?? ""));
}

function say(fault: string | null = null) {
  remark.value = fault ?? (solved.value ? texts.play.solved : "");
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

async function makeNow(more: string, isOne = false) {
  const [current, { at }] = [session, games.attempt(game.value)];
  if (current === null) return;
  const answer = taken(await current.play(at, more));
  if (answer === null || session !== current) return;
  const steps = games.stepsOf(answer.moves);
  if (steps.length === 0) {
    remark.value = texts.play.notPossible;
    return;
  }
  const before = position.value?.figures ?? [];
  stand(games.advance(game.value, steps, isOne), answer.position, answer.passed);
  spoken.value = movedWords(before, answer.position.figures);
  say();
  if (answer.position.solved) win();
  moveMade();
}

/** Where pieces went, in words. */
function movedWords(before: readonly Figure[], after: readonly Figure[]): string {
  const sprites = ground.value?.of === "squares" ? ground.value.sprites : [];
  const words = changed(before, after).map((figure) => {
    const [[row, column] = [0, 0]] = figure.places;
    const name = wordOf(figure, sprites);
    return name ? texts.cell(row + 1, column + 1, name) : "";
  });
  return words.filter((word) => word !== "").join("; ");
}

function win() {
  if (level.value === null) return;
  records.win(level.value, board.value === null ? (position.value?.tally ?? null) : null);
}

/** The letter of an action, where the game has one. */
export const action = computed(() => {
  const { puzzle = "", text = "" } = level.value ?? {};
  return isActionless(text) ? undefined : FAMILY_UI[puzzle]?.action;
});

/** Acts, where that is a move. */
export function act() {
  if (action.value) void make(action.value);
}

/** A step up, right, down or left. */
export function step(direction: number) {
  const letter = FAMILY_UI[level.value?.puzzle ?? ""]?.steps[direction];
  if (letter) void make(letter);
}

/** Goes to another point of the game. */
function travel(where: (now: games.Game) => games.Game): Promise<void> {
  return inTurn(async () => {
    const [current, next] = [session, where(game.value)];
    if (current === null || next === game.value) return;
    // The engine keeps the positions of one attempt.
    const isOther = games.attempt(next).steps !== games.attempt(game.value).steps;
    if (isOther && taken(await current.play(0, games.attempt(next).steps.join(""))) === null) return;
    const answer = taken(await current.view(games.attempt(next).at));
    if (answer === null || session !== current) return;
    stand(next, answer);
    say();
    moveMade();
  });
}

function redraw(next: histories.History<paths.Drawing>) {
  drawing.value = next;
  say();
  moveMade();
}

export function undo() {
  if (board.value === null) void travel(games.undo);
  else redraw(histories.undo(drawing.value));
}

export function redo() {
  if (board.value === null) void travel(games.redo);
  else redraw(histories.redo(drawing.value));
}

export function restart() {
  if (board.value === null) void travel(games.restart);
  else if (drawing.value.now.size > 0) redraw(histories.advance(drawing.value, paths.EMPTY));
}

/** Goes to the position after so many moves. */
export function goTo(at: number) {
  void travel((now) => games.goTo(now, at));
}

/** Another attempt that begins with these moves; undoing goes back to what was made before. */
export function playFrom(moves: string): Promise<void> {
  return travel(games.restart).then(() => make(moves));
}

type Spot = readonly [number, number];

/** Walks to a cell, where walking alone can. */
export function walkTo([row, column]: Spot): Promise<void> {
  return point((current, at) => current.walk(at, [row, column]));
}

/** Moves the piece on a cell to another cell. */
export function drag(from: Spot, to: Spot): Promise<void> {
  return point((current, at) => current.drag(at, [from[0], from[1]], [to[0], to[1]]));
}

/** A piece that is taken up, and where it can go, as long as nothing else is made. */
const lifted = signal<{ readonly of: string; readonly from: Spot; readonly places: readonly Spot[] } | null>(
  null,
);

const lifting = () => `${level.value?.text} ${made.value}`;

export const takenUp = computed(() => (lifted.value?.of === lifting() ? lifted.value : null));

/** Takes up the piece on a cell: the board shows where it can go. */
export async function takeUp(from: Spot) {
  const [current, of] = [session, lifting()];
  if (current === null) return;
  const places = taken(await current.reached(games.attempt(game.value).at, [from[0], from[1]]));
  if (places === null || session !== current || of !== lifting()) return;
  lifted.value = { of, from, places };
  if (places.length === 0) remark.value = texts.play.isStuck;
}

export function letGo() {
  lifted.value = null;
}

function point(way: (current: Session, at: number) => ReturnType<Session["walk"]>): Promise<void> {
  return inTurn(async () => {
    if (session === null) return;
    const answer = taken(await way(session, games.attempt(game.value).at));
    if (answer?.moves) await makeNow(answer.moves, true);
    else if (answer !== null) remark.value = texts.play.noWay;
  });
}

/** Draws a solution. */
export function lay(moves: string) {
  if (board.value !== null) draw(paths.drawingFrom(board.value, moves), false);
}

/** Takes a drawing; a stroke that goes on is undone together with its beginning. */
export function draw(next: paths.Drawing, goesOn: boolean) {
  const change = goesOn ? histories.amend : histories.advance;
  drawing.value = change(drawing.value, next);
  moveMade();
  void judge().then(() => {
    if (solved.value) win();
  });
}

/** Asks the judge when every pair is joined. */
async function judge() {
  const [current, where, now] = [session, board.value, made.value];
  if (current === null || where === null) return;
  say();
  if (!paths.isComplete(where, drawing.value.now)) return;
  const answer = taken(await current.judge(now));
  if (answer === null || session !== current || made.value !== now) return;
  judged.value = { of: now, solved: answer.solved };
  say(answer.fault);
}

/** What is said where an address cannot be read. */
export const BROKEN: Fault = { message: texts.level.broken };
