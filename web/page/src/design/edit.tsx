// Design: tiles as brushes, on the board itself; the verdict follows while one paints.

import { signal } from "@preact/signals";
import { useRef, useState } from "preact/hooks";
import { Board, cursorKeys, isSquares, squareAt, type Point, type Spot } from "../board/board";
import { Downloads } from "../keep/downloads";
import * as drafts from "./drafts";
import { FAMILY_UI, nameOfFamily, type FamilyUi, type Paint } from "../families";
import { NumberField } from "../field";
import { keyed } from "../board/figures";
import * as film from "../play/film";
import { forkView } from "../board/fork";
import { Options } from "../levels/options";
import { drawingFrom } from "../board/paths";
import * as play from "../play/play";
import type { Fork } from "../protocol";
import { CORNERS, sceneOf, type Scene } from "../board/scene";
import {
  join,
  lifted,
  mirror,
  paint,
  resize,
  rotate,
  sheetOf,
  sign,
  sizeOf,
  textOf,
  type Sheet,
} from "./sheet";
import { families, isMoving } from "../state";
import { CornerIcon, TileIcon } from "../board/tiles";
import { Badges, sentenceOf } from "../ask/verdict";
import { texts } from "../texts";

/** Rows and columns that can be asked for. */
const LARGEST = 60;

const { edit: words } = texts;

/** The brush, by its place among the paints of each family. */
const brushes = signal<Readonly<Record<string, string>>>({});
/** Whether what is painted appears on the other side, too. */
const symmetric = signal(false);

const ui = (): FamilyUi => FAMILY_UI[drafts.family.value] ?? FAMILY_UI["sokoban"]!;

function paints(): readonly Paint[] {
  const used = [
    ...new Set(
      sheet()
        .boards.flatMap(({ rows }) => rows)
        .join(""),
    ),
  ];
  const known = ui().paints;
  const others = used.filter((glyph) => !known.some((one) => one.glyph === glyph && !one.on));
  return [...known, ...others.map((glyph) => ({ glyph, name: glyph, tile: null }))];
}

function brush(): Paint {
  const name = brushes.value[drafts.family.value];
  const all = paints();
  return (
    all.find((one) => one.name === name) ?? all[0] ?? { glyph: ui().blank, name: ui().blank, tile: null }
  );
}

const sheet = (): Sheet => sheetOf(drafts.draft.value.text.now, ui().form);

/** Changes the level; always from the newest text: a quick hand is ahead of what is drawn. */
function change(next: (sheet: Sheet) => Sheet, goesOn = false) {
  drafts.write((text) => textOf(next(sheetOf(text, ui().form))), goesOn);
}

function put(of: number, cell: Spot, chosen: Paint, goesOn: boolean) {
  const left = (glyph: string) => ui().paints.find((one) => one.glyph === glyph && !one.on)?.leaves;
  change((sheet) => {
    const [, width] = sizeOf(sheet.boards[of] ?? { rows: [], after: [] });
    const alone = chosen.leaves === undefined ? sheet : lifted(sheet, of, left);
    const painted = paint(alone, of, cell, chosen.glyph, ui().blank);
    if (!symmetric.value || chosen.leaves !== undefined) return painted;
    return paint(painted, of, [cell[0], width - 1 - cell[1]], chosen.glyph, ui().blank);
  }, goesOn);
}

/** One board of the draft, to be painted on by mouse, finger or keys. */
function EditBoard({ of }: { of: number }) {
  const [cursor, setCursor] = useState<Spot | null>(null);
  /** The first of two cells that are to be joined or parted. */
  const [first, setFirst] = useState<Spot | null>(null);
  const last = useRef<Spot | null>(null);
  const level = drafts.seen.value.of === drafts.draft.value.text.now ? drafts.seen.value : null;
  const own = sceneOf(sheet(), of, ui());
  const [rows, columns] = sizeOf(sheet().boards[of] ?? { rows: [], after: [] });
  // What the engine makes of the text is better still: it knows the bonds.
  const known = of === 0 && level?.scene ? level.scene : null;
  const isSame =
    known && isSquares(known.ground) && known.ground.rows === rows && known.ground.columns === columns;
  const { ground, figures }: Scene = isSame ? known : own;
  const fork = isSame ? drafts.counted.value?.fork : undefined;
  const parting = fork && isSquares(ground) ? forkView(fork, figures, ground.sprites) : null;
  const another = level?.level && !isMoving(level.level) ? drafts.solutions.value[1] : undefined;
  const area = { rows, columns };
  const spotOf = (point: Point): Spot | null => {
    return squareAt(area, point);
  };

  const apply = (spot: Spot, goesOn: boolean) => {
    const chosen = brush();
    setCursor(spot);
    if (chosen.on === "pair") {
      if (first === null) return setFirst(spot);
      if (first.join() !== spot.join()) {
        change((sheet) => join(sheet, first, spot, chosen.glyph as "WALL" | "LINK"));
      }
      return setFirst(null);
    }
    if (chosen.on === "corner") {
      if (!goesOn) change((sheet) => sign(sheet, spot, chosen.glyph));
      return;
    }
    put(of, spot, chosen, goesOn);
  };
  const down = (point: Point, event: PointerEvent) => {
    const spot = spotOf(point);
    if (spot === null || event.button !== 0) return;
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    last.current = spot;
    apply(spot, false);
  };
  const move = (point: Point) => {
    const spot = last.current && spotOf(point);
    if (!spot || spot.join() === last.current?.join()) return;
    last.current = spot;
    if (brush().on !== "pair") apply(spot, true);
  };
  const up = (point: Point) => {
    const [begun, spot] = [last.current, spotOf(point)];
    last.current = null;
    // Drawn from the one to the other, instead of two taps.
    if (spot && begun && brush().on === "pair" && first !== null && spot.join() !== first.join())
      apply(spot, false);
  };
  const press = (event: KeyboardEvent) => {
    const [row, column] = cursor ?? [0, 0];
    const within = (at: number, size: number) => Math.max(0, Math.min(size - 1, at));
    cursorKeys(
      event,
      ([down, right]) => setCursor([within(row + down, rows), within(column + right, columns)]),
      () => apply([row, column], false),
    );
  };
  return (
    <Board
      ground={ground}
      figures={keyed([], figures)}
      ghosts={parting?.ghosts ?? []}
      marks={parting?.marks ?? []}
      label={words.grid}
      mode="painting"
      puzzle={drafts.family.value}
      cursor={isSquares(ground) ? cursor : null}
      first={first ?? (isSquares(ground) ? null : cursor)}
      other={another && !isSquares(ground) ? drawingFrom(ground, another.moves) : undefined}
      onDown={down}
      onMove={move}
      onUp={up}
      onCancel={() => (last.current = null)}
      onKey={press}
    />
  );
}

/** All boards of the draft. */
export function EditBoards() {
  return (
    <>
      {sheet().boards.map((_, of) => (
        <div key={of}>
          {of > 0 && <h3>{words.goalMap}</h3>}
          <EditBoard of={of} />
        </div>
      ))}
    </>
  );
}

function BrushIcon({ glyph, tile, on }: Paint) {
  if (on === "corner") return <CornerIcon kind={CORNERS[glyph] ?? glyph} />;
  const isLetter = drafts.family.value === "flow" && /[A-Z]/.test(glyph);
  if (tile && !isLetter) return <TileIcon {...tile} />;
  return <code>{{ WALL: "|", LINK: "~" }[glyph] ?? glyph}</code>;
}

function Brushes() {
  const chosen = brush();
  return (
    <fieldset class="paints" data-own-keys>
      <legend>{words.paint}</legend>
      {paints().map((one) => (
        <label key={one.name} class={one.name === chosen.name ? "chosen" : ""} title={one.name}>
          <input
            type="radio"
            name="paint"
            aria-label={one.name}
            checked={one.name === chosen.name}
            onChange={() => (brushes.value = { ...brushes.value, [drafts.family.value]: one.name })}
          />
          <BrushIcon {...one} />
        </label>
      ))}
      <span class="chosen-name">{chosen.name}</span>
    </fieldset>
  );
}

/** Where two solutions of the draft part, in words. */
function partingWords(fork: Fork): string {
  const ground = drafts.seen.value.scene?.ground;
  return ground && isSquares(ground) ? forkView(fork, fork.before, ground.sprites).words : "";
}

/** What is known of the draft: turns while one paints. */
function Live() {
  const { of, level, fault } = drafts.seen.value;
  const isCurrent = of === drafts.draft.value.text.now;
  const verdict = drafts.verdict.value;
  const counted = drafts.counted.value;
  const [solution, another] = drafts.solutions.value;
  if (isCurrent && fault !== null) {
    const at = fault.line === undefined ? "" : `${texts.fault(fault.line, fault.column)}: `;
    return (
      <div class="verdict live" role="status">
        <p class="fault">
          {at}
          {fault.message}
        </p>
      </div>
    );
  }
  if (!isCurrent || verdict === null || level === null) {
    return (
      <div class="verdict live" role="status">
        <p class="badges">
          <span class="badge">{words.watching}</span>
        </p>
        <p class="sentence">{words.watching}</p>
      </div>
    );
  }
  return (
    <div class={`verdict live ${verdict.verdict}`} role="status">
      <Badges level={level} verdict={verdict} plans={counted?.plans ?? null} />
      <p class="sentence">{sentenceOf(verdict)}</p>
      {counted && <p class="how">{counted.sentence}</p>}
      {counted?.fork && <p class="how">{partingWords(counted.fork)}</p>}
      {another && !isMoving(level) && <p class="how">{words.differs}</p>}
      {solution && isMoving(level) && (
        <button
          onClick={() =>
            void drafts
              .use()
              .then(() => film.open(level, solution.moves))
              .then(film.run)
          }
        >
          {words.watch}
        </button>
      )}
    </div>
  );
}

function Size() {
  const [height, width] = sizeOf(sheet().boards[0] ?? { rows: [], after: [] });
  const size = (wanted: { rows?: number; columns?: number }) =>
    change((sheet) => {
      const [height, width] = sizeOf(sheet.boards[0] ?? { rows: [], after: [] });
      return resize(sheet, wanted.rows ?? height, wanted.columns ?? width, ui().blank, ui().wall);
    });
  return (
    <div class="row">
      <label>
        {words.rows}
        <NumberField min={1} max={LARGEST} value={height} set={(rows) => size({ rows })} />
      </label>
      <label>
        {words.columns}
        <NumberField min={1} max={LARGEST} value={width} set={(columns) => size({ columns })} />
      </label>
      <button onClick={() => change((sheet) => rotate(sheet, ui().blank))}>{words.rotate}</button>
      <button onClick={() => change((sheet) => mirror(sheet, ui().blank))}>{words.mirror}</button>
      <label class="beside">
        <input
          type="checkbox"
          checked={symmetric.value}
          onChange={(event) => (symmetric.value = event.currentTarget.checked)}
        />
        {words.symmetric}
      </label>
    </div>
  );
}

export function EditPanel() {
  const { text, options, title, author } = drafts.draft.value;
  const { seen } = drafts;
  const open = play.level.value;
  const chosen = brush();
  return (
    <div>
      <div class="row">
        <label>
          {texts.level.family}
          <select
            value={drafts.family.value}
            onChange={(event) => (drafts.family.value = event.currentTarget.value)}
          >
            {families.value.map(({ name }) => (
              <option key={name} value={name}>
                {nameOfFamily(name)}
              </option>
            ))}
          </select>
        </label>
        <button onClick={drafts.blank}>{words.blank}</button>
        {open !== null && open.text !== text.now && (
          <button onClick={() => void drafts.take(open)}>{words.takeOpen}</button>
        )}
      </div>
      <Brushes />
      {chosen.on !== undefined && <p class="how">{words.how[chosen.on]}</p>}
      <div class="row">
        <button disabled={text.past.length === 0} onClick={drafts.undo}>
          {words.undo}
        </button>
        <button disabled={text.future.length === 0} onClick={drafts.redo}>
          {words.redo}
        </button>
        <button
          class="main"
          disabled={seen.value.level === null || seen.value.of !== text.now}
          onClick={() => void drafts.use()}
        >
          {words.use}
        </button>
        {drafts.isUnsaved.value && <small class="unsaved">{words.unsaved}</small>}
      </div>
      <Live />
      <Size />
      <div class="row">
        <label>
          {words.title}
          <input
            maxLength={120}
            value={title}
            onInput={(event) => drafts.change({ title: event.currentTarget.value })}
          />
        </label>
        <label>
          {words.author}
          <input
            maxLength={120}
            value={author}
            onInput={(event) => drafts.change({ author: event.currentTarget.value })}
          />
        </label>
      </div>
      <Options puzzle={drafts.family.value} options={options} set={(options) => drafts.change({ options })} />
      <label class="stacked">
        {words.text}
        <textarea
          rows={Math.min(14, text.now.split("\n").length + 1)}
          spellcheck={false}
          value={text.now}
          onInput={(event) => {
            const written = event.currentTarget.value;
            drafts.write(() => written);
          }}
        />
      </label>
      <Downloads
        text={text.now}
        level={seen.value.of === text.now ? seen.value.level : null}
        author={author}
      />
    </div>
  );
}
