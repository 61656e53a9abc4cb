// The page: one board, what is done on it, and four panels beside it.

import "./styles";
import { effect } from "@preact/signals";
import { render } from "preact";
import { useEffect } from "preact/hooks";
import * as address from "./keep/address";
import * as drafts from "./design/drafts";
import { EditBoards, EditPanel } from "./design/edit";
import { saveCard } from "./keep/cards";
import { engines, player, solver } from "./engine/engine";
import { Labelled } from "./labelled";
import { FAMILY_UI, nameOfFamily, stepOfKey } from "./families";
import * as film from "./play/film";
import { FilmBar } from "./play/film-bar";
import { HelpPanel } from "./ask/help";
import * as helping from "./ask/help-state";
import { LevelPanel } from "./levels/level";
import { fromHash } from "./keep/link";
import { kept } from "./keep/keep";
import { keepForOffline, takeOver, waiting } from "./keep/offline";
import * as play from "./play/play";
import { PlayBoard } from "./play/play-board";
import type { Family, Position } from "./protocol";
import * as questions from "./ask/questions";
import * as reading from "./levels/reading";
import * as records from "./keep/records";
import { share } from "./keep/share";
import { SolvePanel } from "./ask/solve";
import * as state from "./state";
import { Thumbnail } from "./board/thumbnail";
import { Working } from "./ask/working";
import { texts } from "./texts";

const STEPS = [texts.play.up, texts.play.right, texts.play.down, texts.play.left] as const;
const ARROWS = ["↑", "→", "↓", "←"] as const;
/** The order in which step buttons are seen, and reached by the tab key. */
const SEEN = [0, 3, 2, 1] as const;

const isDesigning = () => state.tab.value === "edit";

/** How many were made; beside it the player's best and the best known. */
function Counter({
  name,
  measure,
  now,
}: {
  name: (count: number) => string;
  measure: records.Measure;
  now: number;
}) {
  const [best, known] = [records.best.value[measure], records.known.value[measure]];
  const others = [
    ...(best === undefined ? [] : [`${texts.play.best} ${best}`]),
    ...(known === undefined
      ? []
      : [`${known.shortest ? texts.play.shortest : texts.play.known} ${known.length}`]),
  ];
  return (
    <span>
      <b>{now}</b> {name(now)}
      {others.length > 0 && <small> ({others.join(", ")})</small>}
    </span>
  );
}

function Counters({ position }: { position: Position }) {
  const measures = FAMILY_UI[play.level.value?.puzzle ?? ""]?.measures;
  if (!measures || play.board.value !== null) return null;
  return (
    <p class="counters">
      <Counter name={measures.moves} measure="moves" now={position.tally.moves} />
      {measures.pushes !== null && (
        <Counter name={measures.pushes} measure="pushes" now={position.tally.pushes} />
      )}
      <small class="keys">{texts.play.keys}</small>
    </p>
  );
}

function Controls() {
  const { play: words } = texts;
  const level = play.level.value;
  const isMoving = play.board.value === null;
  const isBusy = questions.running.value.has("help");
  return (
    <div class="controls">
      <div class="buttons">
        <button onClick={play.undo} disabled={!play.canUndo.value}>
          {words.undo}
        </button>
        <button onClick={play.redo} disabled={!play.canRedo.value}>
          {words.redo}
        </button>
        <button onClick={play.restart} disabled={play.made.value === ""}>
          {words.restart}
        </button>
        <button
          disabled={isBusy}
          onClick={() => void (isMoving ? helping.askHint("move") : helping.askFact())}
        >
          {words.hint}
        </button>
        <button onClick={() => level && void share(level, play.made.value)}>{words.share}</button>
      </div>
      {isMoving && (
        <div class="pad">
          {SEEN.map((direction) => (
            <button
              key={direction}
              class={`step-${direction}`}
              aria-label={STEPS[direction]}
              onClick={() => play.step(direction)}
            >
              {ARROWS[direction]}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

/** What winning means, and the way on. */
function Won() {
  const level = play.level.value;
  if (level === null || !play.solved.value || film.film.value !== null) return null;
  const { play: words } = texts;
  const tally = play.position.value?.tally;
  const measures = FAMILY_UI[level.puzzle]?.measures;
  const pushes = records.known.value.pushes;
  const measure = measures?.pushes && (pushes || !records.known.value.moves) ? "pushes" : "moves";
  const count = (number: number) => `${number} ${(measures?.[measure] ?? measures?.moves)?.(number) ?? ""}`;
  const [mine, known] = [tally?.[measure] ?? 0, records.known.value[measure]];
  const said =
    play.board.value !== null
      ? words.wonDrawing
      : !known?.shortest
        ? words.won(count(mine))
        : mine <= known.length
          ? words.wonShortest(count(mine))
          : words.wonLonger(count(mine), count(known.length));
  const next = reading.nextLevel();
  return (
    <div class="won">
      <p>
        <b>{words.solved}</b> {said}
      </p>
      <div class="row">
        {next && (
          <button class="main" onClick={() => void next()}>
            {words.next}
          </button>
        )}
        <button onClick={play.restart}>{words.again}</button>
        <button onClick={() => void share(level, play.made.value)}>{words.share}</button>
        <Labelled
          words={texts.solve.card}
          onClick={() => void saveCard(level, play.made.value, [words.solved, said])}
        />
      </div>
    </div>
  );
}

const isWriting = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest("input, textarea, select, [data-own-keys]") !== null;

function onKey(event: KeyboardEvent) {
  if (isWriting(event.target) || event.altKey) return;
  const designs = isDesigning();
  const [undo, redo] = designs ? [drafts.undo, drafts.redo] : [play.undo, play.redo];
  const key = event.key.toLowerCase();
  if (event.ctrlKey || event.metaKey) {
    if (key === "z") (event.shiftKey ? redo : undo)();
    else if (key === "y") redo();
    else return;
  } else {
    const direction = stepOfKey(event.key);
    const isMoving = play.board.value === null && film.film.value === null;
    const action = FAMILY_UI[play.level.value?.puzzle ?? ""]?.action;
    if (direction !== null && !designs && isMoving) play.step(direction);
    else if (key === action && !designs && isMoving) void play.make(action);
    else if (key === "z" || event.key === "Backspace") undo();
    else if (key === "y") redo();
    else if (key === "r" && !designs) play.restart();
    else return;
  }
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
  void reading.readFile(file);
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
          <option key={theme} value={theme} selected={theme === now}>
            {texts.theme[theme]}
          </option>
        ))}
      </select>
    </label>
  );
}

const PANELS = { level: LevelPanel, solve: SolvePanel, help: HelpPanel, edit: EditPanel } as const;

function Tabs() {
  const names = Object.keys(PANELS) as state.Tab[];
  const turn = (event: KeyboardEvent, index: number) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = by && names[(index + by + names.length) % names.length];
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    state.tab.value = next;
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
            aria-selected={state.tab.value === name}
            aria-controls={`panel-${name}`}
            tabIndex={state.tab.value === name ? 0 : -1}
            onClick={() => (state.tab.value = name)}
            onKeyDown={(event) => turn(event, index)}
          >
            {texts.tabs[name]}
          </button>
        ))}
      </div>
      {/* All of them stay: what was asked or typed is there when one comes back. */}
      {names.map((name) => {
        const Panel = PANELS[name];
        return (
          <div
            key={name}
            id={`panel-${name}`}
            class="panel"
            role="tabpanel"
            aria-labelledby={`tab-${name}`}
            hidden={state.tab.value !== name}
          >
            <Panel />
          </div>
        );
      })}
    </section>
  );
}

/** What went wrong, with its place and the way out. */
function FaultNotice() {
  const fault = state.fault.value;
  if (fault === null) return null;
  return (
    <div class="fault notice" role="alert">
      <p>
        {fault.line !== undefined && <b>{texts.fault(fault.line, fault.column)}: </b>}
        {fault.message}
      </p>
      {fault.help !== undefined && <p class="way-out">{fault.help}</p>}
      <button onClick={() => (state.fault.value = null)}>{texts.close}</button>
    </div>
  );
}

/** The engine comes: how much of it is here. */
function Loading() {
  return (
    <div class="board-place loading">
      <p>{texts.loading}</p>
      <progress aria-label={texts.loading} max={1} value={player.loaded.value} />
    </div>
  );
}

/** A card for each game, with a picture and its aim. */
function Games() {
  const { samples } = reading;
  return (
    <nav class="games" aria-label={texts.level.begin}>
      {Object.entries(texts.families).map(([puzzle, { name, aim }]) => {
        const starter = samples.value.find(
          (one) => one.puzzle === puzzle && one.name === FAMILY_UI[puzzle]?.starter,
        );
        const isOpen = play.level.value?.puzzle === puzzle;
        return (
          <button
            key={puzzle}
            class={isOpen ? "game open" : "game"}
            aria-current={isOpen}
            disabled={!starter}
            onClick={() => void reading.openSample(starter).then(() => (state.tab.value = "level"))}
          >
            {starter && <Thumbnail level={{ text: starter.text, puzzle, options: {}, title: null }} />}
            <span>
              <b>{name}</b>
              <small>{aim}</small>
            </span>
          </button>
        );
      })}
    </nav>
  );
}

function Aim({ puzzle }: { puzzle: string }) {
  const words = texts.families[puzzle as keyof typeof texts.families];
  if (!words) return null;
  return (
    <div class="aim">
      <p>{words.aim}</p>
      <details>
        <summary aria-label={texts.rules}>?</summary>
        <p>{words.rules}</p>
      </details>
    </div>
  );
}

/** Asks why the game is lost. */
function why() {
  state.tab.value = "help";
  void helping.askDiagnosis();
}

function PlayArea() {
  const [level, position] = [play.level.value, film.film.value?.position ?? play.position.value];
  if (level === null || position === null) return state.families.value.length === 0 ? <Loading /> : null;
  const name = nameOfFamily(level.puzzle);
  return (
    <>
      <div class="heading">
        <h2 class="title">{level.title ?? name}</h2>
        {level.title && <span class="family">{name}</span>}
      </div>
      <Aim puzzle={level.puzzle} />
      <PlayBoard />
      {film.film.value === null ? <Controls /> : <FilmBar />}
      <p
        class={state.remark.value === texts.play.solved ? "remark unseen" : "remark"}
        role="status"
        aria-live="polite"
      >
        {state.remark.value}
        {helping.warning.value.length > 0 && (
          <button class="why" onClick={why}>
            {texts.help.why}
          </button>
        )}
      </p>
      <p class="unseen" aria-live="polite">
        {play.spoken.value}
      </p>
      <Counters position={position} />
      <Won />
    </>
  );
}

function App() {
  useEffect(() => {
    void start();
    window.addEventListener("keydown", onKey);
    window.addEventListener("dragover", onDragOver);
    window.addEventListener("drop", onDrop);
    return () => {
      window.removeEventListener("keydown", onKey);
      window.removeEventListener("dragover", onDragOver);
      window.removeEventListener("drop", onDrop);
    };
  }, []);
  return (
    <>
      <header>
        <h1>{texts.title}</h1>
        <p>{texts.tagline}</p>
        <Theme />
      </header>
      {waiting.value && (
        <p class="newer" role="status">
          {texts.newVersion} <button onClick={takeOver}>{texts.reload}</button>
        </p>
      )}
      <Games />
      <main>
        <section class="play">
          <FaultNotice />
          {isDesigning() ? <EditBoards /> : <PlayArea />}
          <Working />
        </section>
        <Tabs />
      </main>
    </>
  );
}

/** What a bookmark on another site hands over: its address, where the puzzle is in it. */
const FROM = "#from=";

/** The level of the address, else the one that was open last, else one of ours. */
async function openFirst() {
  if (window.location.hash.startsWith(FROM)) {
    const text = decodeURIComponent(window.location.hash.slice(FROM.length));
    reading.source.value = text;
    if (await reading.read(text, null)) return;
  }
  const isFrom = window.location.hash.startsWith(FROM);
  const shared = isFrom ? null : fromHash(window.location.hash);
  if (shared !== null && shared !== "broken") {
    const { level, moves } = shared;
    if (await play.open(level, { moves, state: window.history.state, isThere: true, isFirst: true })) return;
  }
  const fault = shared === "broken" ? play.BROKEN : state.fault.value;
  const last = fromHash(kept("last", (value) => (typeof value === "string" ? value : null)) ?? "");
  const isOpen = last !== null && last !== "broken" && (await play.open(last.level));
  if (!isOpen)
    await reading.openSample(
      reading.samples.value.find(({ name }) => name === FAMILY_UI["sokoban"]?.starter),
    );
  if (fault !== null) state.fault.value = fault;
}

async function start() {
  questions.restore();
  drafts.restore();
  const [families] = await Promise.all([
    engines.quick<Family[]>({ ask: "families" }),
    reading.loadSamples().catch(() => undefined),
  ]);
  state.families.value = state.taken(families) ?? [];
  await openFirst();
  drafts.follow();
  drafts.watch(isDesigning);
  helping.watch();
  window.addEventListener("pagehide", address.flush);
  window.addEventListener("popstate", (event) => {
    address.forget();
    const there = fromHash(window.location.hash);
    if (there === "broken") state.fault.value = play.BROKEN;
    else if (there !== null)
      void play.open(there.level, { moves: there.moves, state: event.state, isThere: true });
  });
  document.documentElement.dataset["ready"] = "true";
  fetchAhead();
}

/**
 * Fetches the solver when the page has nothing to do: the first push is looked at. Where the person
 * saves data, it waits for a question.
 */
function fetchAhead() {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData) return;
  // Not every browser says when it is idle.
  const idle = window.requestIdleCallback ?? ((then: () => void) => setTimeout(then, 200));
  idle(() => void engines.prepare().catch(() => undefined));
}

const root = document.getElementById("page");
if (root) {
  root.textContent = "";
  render(<App />, root);
}
// A first visit keeps the files when all of them are here: sooner, they would hold up the level.
if (navigator.serviceWorker?.controller) void keepForOffline();
else effect(() => void (solver.loaded.value === 1 && keepForOffline()));
