// The board under a player's hand: swipe, tap, drag, keys; and what hints and films show on it.

import { useRef, useState } from "preact/hooks";
import { Board, cursorKeys, squareAt, type Point, type Spot } from "../board/board";
import { changed, isPiece } from "../board/figures";
import { hold, release } from "../frame/hold";
import { film } from "./film";
import { positionShown, factShown, overlay, warning, type Fact } from "../ask/help-state";
import { cellNear, extend, grab } from "../board/paths";
import * as play from "./play";
import type { Paths, Squares } from "../protocol";
import { hints, positionName } from "../ask/questions";
import { texts } from "../texts";

/** How far a finger goes before it means a direction, in pixels. */
const SWIPE = 24;
/** A finger that rests after a swipe goes on, in milliseconds. */
const RESTS = 350;
const EVERY = 150;
/** One that rests so long on a piece takes it up: longer, so that a slow swipe is none. */
const TAKES = 600;

/** The direction of a way, as the index of a step: up, right, down, left. */
function directionOf(across: number, down: number): number {
  if (Math.abs(across) > Math.abs(down)) return across > 0 ? 1 : 3;
  return down > 0 ? 2 : 0;
}

const isSame = (a: Spot, b: Spot) => a[0] === b[0] && a[1] === b[1];

interface Begun {
  readonly spot: Spot | null;
  /** Where the finger was when it last meant a direction. */
  readonly x: number;
  readonly y: number;
  /** The direction in which it goes. */
  readonly direction: number | null;
  /** Whether it has taken up the piece on which it rested. */
  readonly takes: boolean;
}

export function PlayBoard() {
  const ground = play.ground.value;
  const name = play.level.value?.title ?? play.level.value?.puzzle ?? "";
  if (ground === null) return null;
  const label = texts.play.boardOf(name, ground.of === "squares" ? texts.play.board : texts.play.flowBoard);
  if (ground.of === "paths") return <PathBoard key={name} ground={ground} label={label} />;
  return <GameBoard ground={ground} label={label} />;
}

function GameBoard({ ground, label }: { ground: Squares; label: string }) {
  const begun = useRef<Begun | null>(null);
  const shown = film.value ?? positionShown.value;
  const figures = shown?.figures ?? play.figures.value;
  const player = figures.find(({ kind }) => kind === "player")?.places[0] ?? null;
  const hint = film.value === null ? hints.answer(positionName.value) : null;
  const marks = film.value ? [] : (positionShown.value?.marks ?? hint?.marks ?? warning.value);
  // Where the player comes to is no hint: the piece lies there.
  const hinted = hint ? changed(play.figures.value, hint.after).filter(isPiece) : [];
  const ghosts = film.value ? [] : (positionShown.value?.ghosts ?? hinted);
  const taken = film.value === null ? play.takenUp.value : null;
  const isOnPiece = (spot: Spot) =>
    figures.some((figure) => isPiece(figure) && figure.places.some((place) => isSame(place, spot)));
  // Where a game has rules of its own, looking where a piece can go would take long.
  const canBeTaken = (spot: Spot) => ground.sprites.length === 0 && isOnPiece(spot);

  const down = (point: Point, event: PointerEvent) => {
    const spot = squareAt(ground, point);
    if (event.button !== 0 || film.value !== null) return;
    begun.current = { spot, x: event.clientX, y: event.clientY, direction: null, takes: false };
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    if (event.pointerType === "touch" && spot !== null && canBeTaken(spot)) {
      const takeUp = () => {
        if (begun.current === null || begun.current.direction !== null) return;
        begun.current = { ...begun.current, takes: true };
        void play.takeUp(spot);
      };
      hold(takeUp, () => begun.current?.takes === false, TAKES);
    }
  };
  const move = (_: Point, event: PointerEvent) => {
    const now = begun.current;
    if (now === null || now.takes || event.pointerType !== "touch") return;
    const [across, way] = [event.clientX - now.x, event.clientY - now.y];
    if (Math.hypot(across, way) <= SWIPE) return;
    const direction = directionOf(across, way);
    begun.current = { ...now, x: event.clientX, y: event.clientY, direction };
    if (direction !== now.direction) play.step(direction);
    hold(
      () => play.step(direction),
      () => begun.current !== null,
      RESTS,
      EVERY,
    );
  };
  const up = (point: Point, event: PointerEvent) => {
    release();
    const [from, spot] = [begun.current, squareAt(ground, point)];
    begun.current = null;
    if (from === null || from.spot === null || from.direction !== null || spot === null) return;
    const isMoved = !isSame(spot, from.spot);
    const drags = from.takes || (event.pointerType !== "touch" && isOnPiece(from.spot));
    if (isMoved && drags && !(player && isSame(from.spot, player))) return void play.drag(from.spot, spot);
    if (!isMoved && from.takes) return;
    if (taken && isIn(spot, taken.places)) return void play.drag(taken.from, spot);
    play.letGo();
    if (player === null || taken) return;
    if (isSame(spot, player)) return play.act();
    if (canBeTaken(spot) && !isBeside(spot, player)) return void play.takeUp(spot);
    tap(spot, player);
  };
  return (
    <Board
      ground={ground}
      figures={figures}
      ghosts={ghosts}
      marks={marks}
      label={label}
      mode="playing"
      puzzle={play.level.value?.puzzle ?? ""}
      cursor={player}
      onDown={down}
      onMove={move}
      onUp={up}
      onCancel={() => {
        release();
        begun.current = null;
      }}
    >
      {taken && (
        <g class="reached">
          <rect class="from" x={taken.from[1]} y={taken.from[0]} width="1" height="1" />
          {taken.places.map(([row, column]) => (
            <circle key={`${row},${column}`} cx={column + 0.5} cy={row + 0.5} r=".16" />
          ))}
        </g>
      )}
    </Board>
  );
}

const isIn = (spot: Spot, places: readonly Spot[]) => places.some((place) => isSame(place, spot));

const isBeside = (a: Spot, b: Spot) => Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]) === 1;

/** Goes one step to a square beside the player (and pushes what is there), else walks. */
function tap(spot: Spot, player: Spot) {
  const [way, across] = [spot[0] - player[0], spot[1] - player[1]];
  if (isBeside(spot, player)) play.step(directionOf(across, way));
  else void play.walkTo(spot);
}

function PathBoard({ ground, label }: { ground: Paths; label: string }) {
  const drawn = useRef<{ label: string; last: Point } | null>(null);
  const [cursor, setCursor] = useState<number | null>(null);
  /** The label that keys draw. */
  const [pen, setPen] = useState<string | null>(null);
  const drawing = play.drawing.value.now;

  const begin = (cell: number): string | null => {
    const grabbed = grab(ground, play.drawing.value.now, cell);
    if (grabbed !== null) play.draw(grabbed[1], false);
    return grabbed?.[0] ?? null;
  };
  const go = (label: string, cell: number) => {
    const before = play.drawing.value.now;
    const next = extend(ground, before, label, cell);
    if (next !== before) play.draw(next, true);
  };
  const down = (point: Point, event: PointerEvent) => {
    const cell = cellNear(ground, point.x, point.y);
    if (event.button !== 0 || cell === null) return;
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    const label = begin(cell);
    drawn.current = label === null ? null : { label, last: point };
  };
  const move = (point: Point) => {
    const current = drawn.current;
    if (current === null) return;
    // A quick hand leaves out cells: they lie on the line.
    const { x, y } = current.last;
    const parts = Math.ceil(Math.hypot(point.x - x, point.y - y) / 0.25);
    for (let part = 1; part <= parts; part += 1) {
      const at = part / parts;
      const cell = cellNear(ground, x + (point.x - x) * at, y + (point.y - y) * at);
      if (cell !== null) go(current.label, cell);
    }
    drawn.current = { label: current.label, last: point };
  };
  const key = (event: KeyboardEvent) => {
    const at = cursor ?? ground.ends[0]?.cells[0] ?? 0;
    const step = (way: readonly [number, number]) => {
      const next = towards(ground, at, way);
      setCursor(next ?? at);
      if (next !== null && pen !== null) go(pen, next);
    };
    cursorKeys(event, step, () => {
      setCursor(at);
      setPen(pen === null ? begin(at) : null);
    });
  };
  return (
    <Board
      ground={ground}
      figures={[]}
      drawing={drawing}
      other={overlay.value ?? undefined}
      label={pen === null ? label : `${label} ${texts.play.drawing(pen)}`}
      mode="drawing"
      puzzle={play.level.value?.puzzle ?? ""}
      cursor={cursor === null ? null : [cursor, 0]}
      onDown={down}
      onMove={move}
      onUp={() => (drawn.current = null)}
      onCancel={() => (drawn.current = null)}
      onKey={key}
    >
      {factShown.value && <FactLine ground={ground} fact={factShown.value} />}
    </Board>
  );
}

/** The cell that lies nearest in a direction, among those that a way leads to. */
function towards(ground: Paths, from: number, [down, across]: readonly [number, number]): number | null {
  const here = ground.cells[from];
  let [best, most] = [-1, 0.3];
  for (const [a, b] of ground.ways) {
    const other = a === from ? b : b === from ? a : null;
    const there = other === null ? undefined : ground.cells[other];
    if (!here || !there || other === null) continue;
    const [x, y] = [there.x - here.x, there.y - here.y];
    const along = (x * across + y * down) / Math.hypot(x, y);
    if (along > most) [best, most] = [other, along];
  }
  return best < 0 ? null : best;
}

/** A line that all solutions have, or a wall where none has one. */
function FactLine({ ground, fact }: { ground: Paths; fact: Fact }) {
  const cells = fact.cells.map((name) => ground.cells.find((cell) => cell.name === name));
  const [a, b = a] = cells;
  if (!a || !b) return null;
  const d = `M${a.x} ${a.y}L${b.x} ${b.y}h0`;
  return <path class={`fact ${fact.value ? "holds" : "never"}`} d={d} />;
}
