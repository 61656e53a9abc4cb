// Edit: paint the level's own format; the verdict is asked again in the background.

import { useEffect, useState } from "preact/hooks";
import { MANNERS } from "./families";
import { boardOf, mirror, paint, resize, rotate, rowsOf, textOf, type Rows } from "./grid";
import { advance, begin, redo, undo } from "./history";
import { Downloads } from "./downloads";
import { useLong } from "./long";
import type { Read, Shown, Verdict } from "./protocol";
import * as store from "./store";
import { texts } from "./texts";

/** Rest after the last change before the verdict is asked, in milliseconds. */
const REST = 400;
const LIMITS = { seconds: 10, megabytes: 800 };

export function EditPanel() {
  const level = store.level.value;
  const [family, setFamily] = useState(level?.puzzle ?? "sokoban");
  const manner = MANNERS[family];
  const [history, setHistory] = useState(() => begin<Rows>(rowsOf(level?.text ?? manner?.example ?? "")));
  const [glyph, setGlyph] = useState(manner?.paints[0]?.glyph ?? "#");
  const [picture, setPicture] = useState<{ svg: string; fault: string }>({ svg: "", fault: "" });
  const watching = useLong<Verdict>();
  const rows = history.now;
  const text = textOf(rows);
  // Always from the newest rows: a quick hand is ahead of what is drawn.
  const change = (next: (rows: Rows) => Rows) =>
    setHistory((history) => {
      const changed = next(history.now);
      return changed.join("\n") === history.now.join("\n") ? history : advance(history, changed);
    });

  // The picture at once, the verdict after a rest.
  useEffect(() => {
    let current = true;
    const ask = async () => {
      const read = await store.engines.quick<Read>({ ask: "read", text, puzzle: family, options: {} });
      if (!current) return;
      const first = "ok" in read ? read.ok.levels[0] : undefined;
      const fault = "error" in read ? read.error : first?.fault;
      if (!first || fault) {
        const at = fault?.line === undefined ? "" : `${texts.fault(fault.line, fault.column)}: `;
        setPicture({ svg: "", fault: at + (fault?.message ?? "") });
        return;
      }
      const edited = { text: first.text, puzzle: family, options: {}, title: first.title };
      const shown = await store.engines.quick<Shown>({ ask: "show", level: edited, moves: "" });
      if (current && "ok" in shown) setPicture({ svg: shown.ok.svg, fault: "" });
      await new Promise((rest) => setTimeout(rest, REST));
      const objective = store.families.value.find((one) => one.name === family)?.objectives[0] ?? "any";
      if (current) void watching.ask({ ask: "solve", level: edited, objective, engine: "auto", limits: LIMITS });
    };
    void ask();
    return () => {
      current = false;
    };
  }, [text, family]);

  if (!manner) return null;
  const board = boardOf(rows);
  const width = Math.max(1, ...rows.slice(board.first, board.last + 1).map((row) => row.length));
  const height = board.last - board.first + 1;
  const isKnown = (used: string) => manner.paints.some((known) => known.glyph === used);
  const used = [...new Set(rows.slice(board.first, board.last + 1).join(""))].filter((used) => !isKnown(used));
  const paints = [...manner.paints, ...used.map((glyph) => ({ glyph, name: glyph }))];
  const words = texts.edit;
  const size = (height: number, width: number) => change((rows) => resize(rows, height, width, manner.blank));
  const begun = (name: string) => {
    setFamily(name);
    setHistory(begin(rowsOf(MANNERS[name]?.example ?? "")));
    setGlyph(MANNERS[name]?.paints[0]?.glyph ?? "#");
  };
  const brush = (event: PointerEvent | MouseEvent) => {
    const cell = (event.target as HTMLElement).closest<HTMLElement>("[data-cell]");
    if (cell === null || ("buttons" in event && event.buttons !== 1 && event.type !== "click")) return;
    const [row, column] = (cell.dataset["cell"] ?? "0,0").split(",").map(Number);
    change((rows) => paint(rows, row ?? 0, column ?? 0, glyph, manner.blank));
  };
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
        <button onClick={() => change((rows) => rotate(rows, manner.blank))}>{words.rotate}</button>
        <button onClick={() => change((rows) => mirror(rows, manner.blank))}>{words.mirror}</button>
        <label>
          {words.rows}
          <input type="number" min={1} max={60} value={height} onChange={(event) => size(Number(event.currentTarget.value), width)} />
        </label>
        <label>
          {words.columns}
          <input type="number" min={1} max={60} value={width} onChange={(event) => size(height, Number(event.currentTarget.value))} />
        </label>
      </div>
      <fieldset class="paints" data-own-keys>
        <legend>{words.paint}</legend>
        {paints.map((one) => (
          <label key={one.glyph} class={one.glyph === glyph ? "chosen" : ""}>
            <input type="radio" name="paint" checked={one.glyph === glyph} onChange={() => setGlyph(one.glyph)} />
            <code>{one.glyph === " " ? "␣" : one.glyph}</code> {one.name}
          </label>
        ))}
      </fieldset>
      <div class="painting" role="group" aria-label={words.grid} onPointerDown={brush} onPointerOver={brush} onClick={brush}>
        {rows.map((row, index) => (
          <div key={index} class="line">
            {[...row.padEnd(index >= board.first && index <= board.last ? width : row.length, " ")].map((glyph, column) => (
              <span key={column} data-cell={`${index},${column}`} data-glyph={glyph}>{glyph}</span>
            ))}
          </div>
        ))}
      </div>
      <label class="stacked">
        {words.text}
        <textarea rows={Math.min(14, rows.length + 1)} spellcheck={false} value={`${rows.join("\n")}\n`} onInput={(event) => {
          const written = rowsOf(event.currentTarget.value);
          change(() => written);
        }} />
      </label>
      <div class="verdict" role="status">
        {picture.fault !== "" && <p class="fault">{picture.fault}</p>}
        {picture.fault === "" && <p class="sentence">{watching.running ? words.watching : (watching.answer?.sentence ?? words.watching)}</p>}
        {picture.svg !== "" && <div class="picture" dangerouslySetInnerHTML={{ __html: picture.svg }} />}
      </div>
      <div class="row">
        <button class="main" disabled={picture.fault !== ""} onClick={() => void store.read(text, family)}>{words.use}</button>
      </div>
      <Downloads text={text} svg={picture.svg} />
    </div>
  );
}
