// The page: one board, one row of controls, four panels.

import { render } from "preact";
import { useEffect } from "preact/hooks";
import { Board } from "./board";
import { EditPanel } from "./edit";
import { FAMILY_UI, stepOfKey } from "./families";
import { HelpPanel } from "./help";
import { LevelPanel } from "./level";
import { OWN, openOwn } from "./own";
import { SolvePanel } from "./solve";
import * as store from "./store";
import { texts } from "./texts";

const STEPS = [texts.play.up, texts.play.right, texts.play.down, texts.play.left] as const;
const ARROWS = ["↑", "→", "↓", "←"] as const;

/** How many were made; beside it the player's best and the best known. */
function Counter({ name, measure, now }: { name: string; measure: store.Measure; now: number }) {
  const [best, known] = [store.best.value[measure], store.known.value[measure]];
  const others = [
    ...(best === undefined ? [] : [`${texts.play.best} ${best}`]),
    ...(known === undefined ? [] : [`${known.shortest ? texts.play.shortest : texts.play.known} ${known.length}`]),
  ];
  return <span><b>{now}</b> {name}{others.length > 0 && <small> ({others.join(", ")})</small>}</span>;
}

function Counters() {
  const [shown, level] = [store.shown.value, store.level.value];
  const measures = FAMILY_UI[level?.puzzle ?? ""]?.measures;
  if (!shown || !measures || !store.isMoving(level)) return null;
  return (
    <p class="counters">
      <Counter name={measures.moves} measure="moves" now={shown.tally.moves} />
      {measures.pushes !== null && <Counter name={measures.pushes} measure="pushes" now={shown.tally.pushes} />}
    </p>
  );
}

function Controls() {
  const moving = store.isMoving(store.level.value);
  const history = moving ? store.moves.value : store.drawing.value;
  const { play } = texts;
  return (
    <div class="controls">
      <div class="buttons">
        <button onClick={store.undoMove} disabled={history.past.length === 0}>{play.undo}</button>
        <button onClick={store.redoMove} disabled={history.future.length === 0}>{play.redo}</button>
        <button onClick={store.restart} disabled={history.past.length === 0}>{play.restart}</button>
      </div>
      {moving && (
        <div class="pad">
          {STEPS.map((name, direction) => (
            <button key={name} class={`step-${direction}`} aria-label={name} onClick={() => store.step(direction)}>
              {ARROWS[direction]}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

const isWriting = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest("input, textarea, select, [data-own-keys]") !== null;

function onKey(event: KeyboardEvent) {
  if (isWriting(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
  const direction = stepOfKey(event.key);
  if (direction !== null && store.isMoving(store.level.value)) store.step(direction);
  else if (event.key === "z" || event.key === "Backspace") store.undoMove();
  else if (event.key === "y") store.redoMove();
  else if (event.key === "r") store.restart();
  else return;
  event.preventDefault();
}

/** A file may be dropped anywhere. */
function onDragOver(event: DragEvent) {
  if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
}

function onDrop(event: DragEvent) {
  const file = event.dataTransfer?.files[0];
  if (file === undefined) return;
  event.preventDefault();
  void store.readFile(file);
}

const THEMES = ["auto", "light", "dark"] as const;

function Theme() {
  const set = (theme: string) => {
    document.documentElement.dataset["theme"] = theme;
    try {
      localStorage.setItem("unstuck-theme", theme);
    } catch {
      // A browser that keeps nothing: the theme lasts as long as the page.
    }
  };
  const now = document.documentElement.dataset["theme"] ?? "auto";
  return (
    <label class="theme">
      {texts.theme.label}
      <select onChange={(event) => set(event.currentTarget.value)}>
        {THEMES.map((theme) => (
          <option key={theme} value={theme} selected={theme === now}>{texts.theme[theme]}</option>
        ))}
      </select>
    </label>
  );
}

const PANELS = { level: LevelPanel, solve: SolvePanel, help: HelpPanel, edit: EditPanel } as const;

function Tabs() {
  const names = Object.keys(PANELS) as store.Tab[];
  const Panel = PANELS[store.tab.value];
  const turn = (event: KeyboardEvent, index: number) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    const next = names[(index + by + names.length) % names.length];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    store.tab.value = next;
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <section class="panels">
      <div role="tablist" aria-label={texts.title} data-own-keys>
        {names.map((name, index) => (
          <button
            key={name}
            role="tab"
            id={`tab-${name}`}
            aria-selected={store.tab.value === name}
            aria-controls="panel"
            tabIndex={store.tab.value === name ? 0 : -1}
            onClick={() => (store.tab.value = name)}
            onKeyDown={(event) => turn(event, index)}
          >
            {texts.tabs[name]}
          </button>
        ))}
      </div>
      <div id="panel" role="tabpanel" aria-labelledby={`tab-${store.tab.value}`} tabIndex={-1}>
        <FaultNotice />
        <Panel />
      </div>
    </section>
  );
}

/** What went wrong, with its place and the way out. */
function FaultNotice() {
  const fault = store.fault.value;
  if (fault === null) return null;
  return (
    <div class="fault" role="alert">
      <p>
        {fault.line !== undefined && <b>{texts.fault(fault.line, fault.column)}: </b>}
        {fault.message}
      </p>
      {fault.help !== undefined && <p class="way-out">{fault.help}</p>}
      <button onClick={() => (store.fault.value = null)}>{texts.close}</button>
    </div>
  );
}

/** No level yet: the way in, and one level of each family to begin with. */
function Empty() {
  if (store.families.value.length === 0) return <div class="board empty">{texts.loading}</div>;
  return (
    <div class="board empty">
      <p>{texts.level.paste}</p>
      <div class="row" role="group" aria-label={texts.level.begin}>
        <span>{texts.level.begin}</span>
        {store.families.value.map(({ name, about }) => (
          <button key={name} title={about} onClick={() => void openOwn(OWN.find((one) => one.puzzle === name && one.name === FAMILY_UI[name]?.starter))}>
            {name}
          </button>
        ))}
      </div>
    </div>
  );
}

function App() {
  useEffect(() => {
    void store.start();
    window.addEventListener("keydown", onKey);
    window.addEventListener("dragover", onDragOver);
    window.addEventListener("drop", onDrop);
    return () => {
      window.removeEventListener("keydown", onKey);
      window.removeEventListener("dragover", onDragOver);
      window.removeEventListener("drop", onDrop);
    };
  }, []);
  const [shown, level] = [store.shown.value, store.level.value];
  return (
    <>
      <header>
        <h1>{texts.title}</h1>
        <p>{texts.tagline}</p>
        <Theme />
      </header>
      <main>
        <section class="play">
          <h2 class="title">{level?.title ?? level?.puzzle ?? ""}</h2>
          {shown === null ? (
            <Empty />
          ) : (
            <Board
              shown={shown}
              label={level?.title ?? level?.puzzle ?? ""}
              drawing={store.isMoving(level) ? null : store.drawing.value.now}
              onDrawing={(next) => void store.draw(next)}
              onTap={(cell) => void store.walkTo(cell)}
              onDrag={(from, to) => void store.drag(from, to)}
            />
          )}
          <p class="remark" role="status" aria-live="polite">{store.remark.value}</p>
          {shown !== null && <Counters />}
          {shown !== null && <Controls />}
        </section>
        <Tabs />
      </main>
    </>
  );
}

const root = document.getElementById("page");
if (root) render(<App />, root);
if ("serviceWorker" in navigator && window.isSecureContext) {
  void navigator.serviceWorker.register("offline.js");
}
