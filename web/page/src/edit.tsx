// Edit: paint the level's own format; the verdict is asked again in the background.

import { useEffect, useState } from "preact/hooks";
import { Downloads } from "./downloads";
import { FAMILY_UI, type Paint } from "./families";
import { NumberField } from "./field";
import { advance, amend, begin, redo, undo } from "./history";
import { useLong } from "./long";
import { Options } from "./options";
import { Painting } from "./painting";
import type { Count, Level, Read, ReadLevel, Shown, Verdict, Written } from "./protocol";
import { mirror, resize, rotate, sheetOf, sizeOf, textOf, type Sheet } from "./sheet";
import * as store from "./store";
import { texts } from "./texts";

/** Rest after the last change before the verdict is asked, in milliseconds. */
const REST = 400;
const LIMITS = { seconds: 10, megabytes: 800 };
/** Rows and columns that can be asked for. */
const LARGEST = 60;

/** What the engine says of the text: the level that it is, its picture, or what is wrong. */
interface Seen {
  /** The text that was read. */
  readonly of: string;
  readonly level: Level | null;
  readonly read: ReadLevel | null;
  readonly svg: string;
  readonly fault: string;
}

const NOTHING: Seen = { of: "", level: null, read: null, svg: "", fault: "" };

export function EditPanel() {
  const opened = store.level.value;
  const [family, setFamily] = useState(opened?.puzzle ?? "sokoban");
  const [options, setOptions] = useState<Readonly<Record<string, string>>>(opened?.options ?? {});
  const ui = FAMILY_UI[family];
  const [history, setHistory] = useState(() => begin(opened?.text ?? ui?.example ?? ""));
  const [paint, setPaint] = useState<Paint | undefined>(ui?.paints[0]);
  const [seen, setSeen] = useState<Seen>(NOTHING);
  const watching = useLong<Verdict>();
  const counting = useLong<Count>();
  const text = history.now;

  // A level that was read in another format is painted in the family's own.
  useEffect(() => {
    if (opened === null) return;
    void store.engines.quick<readonly Written[]>({ ask: "formats", level: opened }).then((answer) => {
      const own = "ok" in answer ? answer.ok[0] : undefined;
      if (own) setHistory((history) => (history.past.length > 0 || history.now !== opened.text ? history : begin(own.text)));
    });
  }, [opened]);

  // The picture at once, the verdict after a rest.
  useEffect(() => {
    let current = true;
    counting.clear();
    const ask = async () => {
      const answer = await store.engines.quick<Read>({ ask: "read", text, puzzle: family, options });
      if (!current) return;
      const read = "ok" in answer ? answer.ok.levels[0] : undefined;
      const fault = "error" in answer ? answer.error : read?.fault;
      if (!read || fault) {
        const at = fault?.line === undefined ? "" : `${texts.fault(fault.line, fault.column)}: `;
        watching.clear();
        counting.clear();
        setSeen({ ...NOTHING, of: text, fault: at + (fault?.message ?? "") });
        return;
      }
      const level = { text: read.text, puzzle: family, options, title: read.title ?? opened?.title ?? null };
      const shown = await store.engines.quick<Shown>({ ask: "show", level, moves: "" });
      if (current && "ok" in shown) setSeen({ of: text, level, read, svg: shown.ok.svg, fault: "" });
      await new Promise((rest) => setTimeout(rest, REST));
      const objective = store.families.value.find((one) => one.name === family)?.objectives[0] ?? "any";
      if (!current) return;
      const found = await watching.ask({ ask: "solve", level, objective, engine: "auto", limits: LIMITS });
      if (current && found?.optimal && objective !== "any") void counting.ask({ ask: "count", level, objective, limits: LIMITS });
    };
    void ask();
    return () => {
      current = false;
    };
  }, [text, family, options]);

  if (!ui) return null;
  const sheet = sheetOf(text, ui.form);
  // Always from the newest text: a quick hand is ahead of what is drawn.
  const write = (next: (text: string) => string, goesOn = false) =>
    setHistory((history) => {
      const changed = next(history.now);
      if (changed === history.now) return history;
      return goesOn ? amend(history, changed) : advance(history, changed);
    });
  const change = (next: (sheet: Sheet) => Sheet, goesOn = false) =>
    write((text) => textOf(next(sheetOf(text, ui.form))), goesOn);
  const begun = (name: string) => {
    setFamily(name);
    setOptions({});
    setHistory(begin(FAMILY_UI[name]?.example ?? ""));
    setPaint(FAMILY_UI[name]?.paints[0]);
  };
  const used = [...new Set(sheet.boards.flatMap((board) => board.rows).join(""))];
  const others = used.filter((glyph) => !ui.paints.some((known) => known.glyph === glyph && !known.on));
  const paints: readonly Paint[] = [...ui.paints, ...others.map((glyph) => ({ glyph, name: glyph }))];
  const chosen = paint ?? ui.paints[0]!;
  const ofSheet = (sheet: Sheet) => sizeOf(sheet.boards[0] ?? { rows: [], after: [] });
  const [height, width] = ofSheet(sheet);
  const size = (wanted: { rows?: number; columns?: number }) =>
    change((sheet) => {
      const [height, width] = ofSheet(sheet);
      return resize(sheet, wanted.rows ?? height, wanted.columns ?? width, ui.blank, ui.wall);
    });
  const words = texts.edit;
  return (
    <div>
      <div class="row">
        <label>
          {texts.level.family}
          <select value={family} onChange={(event) => begun(event.currentTarget.value)}>
            {store.families.value.map((one) => <option key={one.name}>{one.name}</option>)}
          </select>
        </label>
        <button onClick={() => begun(family)}>{words.blank}</button>
        <button disabled={history.past.length === 0} onClick={() => setHistory(undo)}>{words.undo}</button>
        <button disabled={history.future.length === 0} onClick={() => setHistory(redo)}>{words.redo}</button>
        <button onClick={() => change((sheet) => rotate(sheet, ui.blank))}>{words.rotate}</button>
        <button onClick={() => change((sheet) => mirror(sheet, ui.blank))}>{words.mirror}</button>
        <label>
          {words.rows}
          <NumberField min={1} max={LARGEST} value={height} set={(rows) => size({ rows })} />
        </label>
        <label>
          {words.columns}
          <NumberField min={1} max={LARGEST} value={width} set={(columns) => size({ columns })} />
        </label>
      </div>
      <fieldset class="paints" data-own-keys>
        <legend>{words.paint}</legend>
        {paints.map((one) => (
          <label key={one.name} class={one.name === chosen.name ? "chosen" : ""}>
            <input type="radio" name="paint" checked={one.name === chosen.name} onChange={() => setPaint(one)} />
            <code>{one.glyph === " " ? "␣" : (one.shown ?? one.glyph)}</code> {one.name}
          </label>
        ))}
      </fieldset>
      {chosen.on !== undefined && <p class="how">{words.how[chosen.on]}</p>}
      <Painting sheet={sheet} ui={ui} chosen={chosen} change={change} />
      <div class={`verdict ${watching.running ? "" : (watching.answer?.verdict ?? "")}`} role="status">
        {seen.fault !== "" && <p class="fault">{seen.fault}</p>}
        {seen.fault === "" && <p class="sentence">{watching.running ? words.watching : (watching.answer?.sentence ?? words.watching)}</p>}
        {seen.fault === "" && <p class="how">{watching.running ? "" : (counting.answer?.sentence ?? watching.answer?.how)}</p>}
        {seen.svg !== "" && <div class="picture" dangerouslySetInnerHTML={{ __html: seen.svg }} />}
      </div>
      <div class="row">
        <button class="main" disabled={seen.read === null || seen.of !== text} onClick={() => seen.read && void store.choose({ ...seen.read, title: seen.level?.title ?? null }, family, { ...options })}>{words.use}</button>
      </div>
      <Options puzzle={family} options={options} set={setOptions} />
      <label class="stacked">
        {words.text}
        <textarea rows={Math.min(14, text.split("\n").length + 1)} spellcheck={false} value={text} onInput={(event) => {
          const written = event.currentTarget.value;
          write(() => written);
        }} />
      </label>
      <Downloads text={text} level={seen.of === text ? seen.level : null} svg={seen.svg} />
    </div>
  );
}
