// The board under a designer's hand: painted by mouse, finger or keys.

import { useRef, useState } from "preact/hooks";
import { Board, cursorKeys, isSquares, squareAt, type Point, type Spot } from "../board/board";
import { keyed } from "../board/figures";
import { forkView } from "../board/fork";
import { drawingFrom } from "../board/paths";
import { sceneOf, type Scene } from "../board/scene";
import { isMoving } from "../state";
import { texts } from "../texts";
import { brush, isThere, put, putSign, sheet, tie, ui, type Stroke } from "./brush";
import * as drafts from "./drafts";
import { sizeOf } from "./sheet";

const { edit: words } = texts;

/** The squares from one to another, each beside the one before: a quick hand leaves them out. */
function between(from: Spot, to: Spot): readonly Spot[] {
  const all: Spot[] = [];
  let [row, column] = from;
  while (row !== to[0] || column !== to[1]) {
    const [down, across] = [to[0] - row, to[1] - column];
    if (Math.abs(down) > Math.abs(across)) row += Math.sign(down);
    else column += Math.sign(across);
    all.push([row, column]);
  }
  return all;
}

function EditBoard({ of }: { of: number }) {
  const [cursor, setCursor] = useState<Spot | null>(null);
  /** The first of two cells that are to be joined or parted. */
  const [first, setFirst] = useState<Spot | null>(null);
  const stroke = useRef<{ last: Spot; does: Stroke; goesOn: boolean } | null>(null);
  const level = drafts.seen.value.of === drafts.content.value.text ? drafts.seen.value : null;
  const own = sceneOf(sheet(), of, ui());
  const [rows, columns] = sizeOf(sheet().boards[of] ?? { rows: [], after: [] });
  // What the engine makes of the text is better still: it knows the bonds.
  const known = of === (ui().form === "game" ? drafts.part.value : 0) && level?.scene ? level.scene : null;
  const isSame =
    known && isSquares(known.ground) && known.ground.rows === rows && known.ground.columns === columns;
  const { ground, figures }: Scene = isSame ? known : own;
  const fork = isSame ? drafts.counted.value?.fork : undefined;
  const parting = fork && isSquares(ground) ? forkView(fork, figures, ground.sprites) : null;
  const another = level?.level && !isMoving(level.level) ? drafts.solutions.value[1] : undefined;
  const spotOf = (point: Point) => squareAt({ rows, columns }, point);

  const pair = (spot: Spot) => {
    if (first === null) return setFirst(spot);
    if (first.join() !== spot.join()) tie(first, spot);
    setFirst(null);
  };
  const begin = (spot: Spot, erases: boolean) => {
    const { on } = brush();
    setCursor(spot);
    if (on === "pair") return pair(spot);
    if (on === "corner") return putSign(spot);
    const does = erases ? "erases" : isThere(of, spot) ? "takes" : "puts";
    stroke.current = { last: spot, does, goesOn: put(of, spot, does, false) };
  };
  const down = (point: Point, event: PointerEvent) => {
    const spot = spotOf(point);
    if (spot === null || (event.button !== 0 && event.button !== 2)) return;
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    stroke.current = { last: spot, does: "puts", goesOn: false };
    begin(spot, event.button === 2);
  };
  const move = (point: Point) => {
    const [now, spot] = [stroke.current, spotOf(point)];
    if (now === null || spot === null || spot.join() === now.last.join()) return;
    let { goesOn } = now;
    if (!brush().on) {
      for (const passed of between(now.last, spot)) goesOn = put(of, passed, now.does, goesOn) || goesOn;
    }
    stroke.current = { ...now, last: spot, goesOn };
    setCursor(spot);
  };
  const up = (point: Point) => {
    const [begun, spot] = [stroke.current, spotOf(point)];
    stroke.current = null;
    // Drawn from the one to the other, instead of two taps.
    if (spot && begun && brush().on === "pair" && first !== null && spot.join() !== first.join()) pair(spot);
  };
  const press = (event: KeyboardEvent) => {
    const [row, column] = cursor ?? [0, 0];
    const within = (at: number, size: number) => Math.max(0, Math.min(size - 1, at));
    cursorKeys(
      event,
      ([down, right]) => setCursor([within(row + down, rows), within(column + right, columns)]),
      () => begin([row, column], false),
    );
    if (event.key === "Delete") put(of, [row, column], "erases", false);
  };
  return (
    <Board
      ground={ground}
      figures={keyed([], figures)}
      ghosts={parting?.ghosts ?? []}
      marks={parting?.marks ?? []}
      label={of > 0 && ui().form === "maps" ? `${words.goalMap}. ${words.grid}` : words.grid}
      mode="painting"
      puzzle={drafts.family.value}
      cursor={isSquares(ground) ? cursor : null}
      first={first ?? (isSquares(ground) ? null : cursor)}
      other={another && !isSquares(ground) ? drawingFrom(ground, another.moves) : undefined}
      onDown={down}
      onMove={move}
      onUp={up}
      onCancel={() => (stroke.current = null)}
      onKey={press}
    />
  );
}

/** All boards of the draft. */
export function EditBoards() {
  const { boards } = sheet();
  // A game has a map for each level: one is painted.
  const isGame = ui().form === "game";
  const shown = isGame ? [Math.min(drafts.part.value, boards.length - 1)] : boards.map((_, of) => of);
  return (
    <div class={shown.length > 1 ? "boards several" : "boards"}>
      {shown.map((of) => (
        <EditBoard key={of} of={of} />
      ))}
    </div>
  );
}
