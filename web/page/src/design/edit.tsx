// Design: brushes, the verdict that follows while one paints, and what a level has beside its board.

import { isSquares } from "../board/board";
import { forkView } from "../board/fork";
import { CORNERS } from "../board/scene";
import { CornerIcon, LetterIcon, TileIcon } from "../board/tiles";
import { FAMILY_UI, nameOfFamily, type Paint } from "../families";
import { NumberField } from "../frame/field";
import { Downloads } from "../keep/downloads";
import { isHandheld } from "../keep/files";
import { share } from "../keep/share";
import { Options } from "../levels/options";
import * as film from "../play/film";
import type { Fork } from "../protocol";
import { families, isMoving, painting, remark } from "../state";
import { texts } from "../texts";
import { Badges, sentenceOf } from "../ask/verdict";
import { brush, choose, mainBoard, paints, reshape, sheet, symmetric, ui } from "./brush";
import * as drafts from "./drafts";
import { legend } from "./legend";
import { mirror, resize, rotate, sizeOf } from "./sheet";
import { Source } from "./source";

export { EditBoards } from "./edit-board";

/** Rows and columns that can be asked for. */
const LARGEST = 100;

const { edit: words } = texts;

function BrushIcon({ glyph, tile, on }: Paint) {
  if (on === "corner") return <CornerIcon kind={CORNERS[glyph] ?? glyph} />;
  const isEnd = drafts.family.value === "flow" && /[A-Za-z0-9]/.test(glyph);
  if (isEnd && on === undefined) return <LetterIcon letter={glyph} colour={drafts.colourOf(glyph)} />;
  const letter = legend.value.get(glyph);
  if (letter && letter.figures.length > 0)
    return <TileIcon ground="floor" drawn={letter.figures.map(({ number }) => letter.sprites[number])} />;
  if (tile) return <TileIcon {...tile} />;
  return <code>{{ WALL: "|", LINK: "~" }[glyph] ?? glyph}</code>;
}

function Brushes() {
  const chosen = brush();
  const erase = isHandheld() ? words.eraseByTouch : words.erase;
  return (
    <fieldset class="paints" data-own-keys data-puzzle={drafts.family.value}>
      <legend>{words.paint}</legend>
      {paints().map((one) => (
        <label key={one.name} class={one.name === chosen.name ? "chosen" : ""} title={one.name}>
          <input
            type="radio"
            name="paint"
            aria-label={one.name}
            checked={one.name === chosen.name}
            onChange={() => choose(one)}
          />
          <BrushIcon {...one} />
        </label>
      ))}
      <span class="chosen-name">
        {chosen.name} <small>{chosen.on === undefined ? erase : words.how[chosen.on]}</small>
      </span>
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
  const isCurrent = of === drafts.content.value.text;
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
      </div>
    );
  }
  const watch = async () => {
    await drafts.playIt();
    await film.open(level, solution?.moves ?? "");
    film.run();
  };
  return (
    <div class={`verdict live ${verdict.verdict}`} role="status">
      <Badges level={level} verdict={verdict} plans={counted?.optimal_plans ?? null} />
      <p class="sentence">{sentenceOf(verdict)}</p>
      {counted && <p class="how">{counted.sentence}</p>}
      {counted?.fork && <p class="how">{partingWords(counted.fork)}</p>}
      {another && !isMoving(level) && <p class="how">{words.differs}</p>}
      {solution && isMoving(level) && <button onClick={() => void watch()}>{words.watch}</button>}
    </div>
  );
}

function Size() {
  const [height, width] = sizeOf(mainBoard(sheet()));
  const size = (wanted: { rows?: number; columns?: number }) => {
    const asked = Math.max(wanted.rows ?? 0, wanted.columns ?? 0);
    if (asked > LARGEST) remark.value = words.cut(LARGEST);
    const most = (length: number) => Math.min(LARGEST, length);
    reshape((sheet) => {
      const [height, width] = sizeOf(sheet.boards[0] ?? { rows: [], after: [] });
      return resize(sheet, most(wanted.rows ?? height), most(wanted.columns ?? width), ui().blank, ui().wall);
    });
  };
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
      <button onClick={() => reshape((sheet) => rotate(sheet, ui().blank))}>{words.rotate}</button>
      <button onClick={() => reshape((sheet) => mirror(sheet, ui().blank))}>{words.mirror}</button>
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

/** The switch between painting and playing, and whether what is painted was played. */
function Switch() {
  const { seen } = drafts;
  const isRead = seen.value.level !== null && seen.value.of === drafts.content.value.text;
  return (
    <div class="row">
      {painting.value ? (
        <button class="main" disabled={!isRead} onClick={() => void drafts.playIt()}>
          {words.use}
        </button>
      ) : (
        <button class="main" onClick={() => (painting.value = true)}>
          {words.goOn}
        </button>
      )}
      {drafts.isUnsaved.value && <small class="unsaved">{words.unsaved}</small>}
    </div>
  );
}

function Named() {
  const { title, author } = drafts.content.value;
  return (
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
  );
}

export function EditPanel() {
  const { text, options, author } = drafts.content.value;
  const { seen } = drafts;
  const open = drafts.open.value;
  const level = seen.value.of === text ? seen.value.level : null;
  const isGame = FAMILY_UI[drafts.family.value]?.form === "game";
  return (
    <div>
      <Brushes />
      <Live />
      <Switch />
      {isGame && <Source />}
      <Size />
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
        {open !== null && <button onClick={() => void drafts.take(open)}>{words.takeOpen}</button>}
      </div>
      <Named />
      <Options puzzle={drafts.family.value} options={options} set={(options) => drafts.change({ options })} />
      {!isGame && (
        <label class="stacked">
          {words.text}
          <textarea
            rows={Math.min(14, text.split("\n").length + 1)}
            spellcheck={false}
            value={text}
            onInput={(event) => {
              const written = event.currentTarget.value;
              drafts.write(() => written);
            }}
          />
        </label>
      )}
      <Downloads text={text} level={level} author={author} />
      {level && (
        <div class="row">
          <button onClick={() => void share(level, "")}>{texts.level.share}</button>
        </div>
      )}
    </div>
  );
}
