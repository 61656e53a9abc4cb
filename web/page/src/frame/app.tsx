// The page: the board is the stage. Around it one line, a bar of tools, and a panel where one is open.

import { useEffect, useRef } from "preact/hooks";
import { HelpPanel } from "../ask/help";
import { SolvePanel } from "../ask/solve";
import { Working } from "../ask/working";
import { EditBoards, EditPanel } from "../design/edit";
import { player } from "../engine/engine";
import { isFull } from "../keep/keep";
import { takeOver, waiting } from "../keep/offline";
import { LevelPanel } from "../levels/level";
import { Messages } from "../levels/messages";
import { Challenge } from "../play/challenge";
import * as film from "../play/film";
import { FilmBar } from "../play/film-bar";
import * as play from "../play/play";
import { PlayBoard } from "../play/play-board";
import { Status } from "../play/status";
import { Won } from "../play/won";
import * as state from "../state";
import { texts } from "../texts";
import { Header } from "./header";
import { Icon } from "./icons";
import { listen } from "./keys";
import { Tools } from "./tools";

const PANELS = { level: LevelPanel, solve: SolvePanel, help: HelpPanel, edit: EditPanel } as const;
const TABS = Object.keys(PANELS) as state.Tab[];

function Panels() {
  const open = state.tab.value;
  const place = useRef<HTMLElement>(null);
  // Each panel is seen from its beginning.
  useEffect(() => place.current?.scrollTo(0, 0), [open]);
  return (
    <aside
      ref={place}
      class="panels"
      hidden={open === null}
      aria-label={open === null ? texts.title : texts.tabs[open]}
    >
      <button class="leave" aria-label={texts.closePanel} onClick={() => (state.tab.value = null)}>
        <Icon name="close" />
      </button>
      {/* All of them stay: what was asked or typed is there when one comes back. */}
      {TABS.map((name) => {
        const Panel = PANELS[name];
        return (
          <div
            key={name}
            id={`panel-${name}`}
            class="panel"
            role="tabpanel"
            aria-labelledby={`tab-${name}`}
            hidden={open !== name}
          >
            <Panel />
          </div>
        );
      })}
    </aside>
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

/** What the page says of itself. */
function Notices() {
  return (
    <>
      {waiting.value && (
        <p class="notice newer" role="status">
          {texts.newVersion} <button onClick={takeOver}>{texts.reload}</button>
        </p>
      )}
      {isFull.value && (
        <p class="notice full" role="status">
          {texts.full} <button onClick={() => (isFull.value = false)}>{texts.close}</button>
        </p>
      )}
    </>
  );
}

/** The engine comes: how much of it is here. */
function Loading() {
  return (
    <div class="loading">
      <p>{texts.loading}</p>
      <progress aria-label={texts.loading} max={1} value={player.loaded.value} />
    </div>
  );
}

/** The board, and whatever is asked for, which comes to it. */
function Stage() {
  const isOpen = play.level.value !== null;
  const isPainting = state.painting.value;
  return (
    <main class="stage" data-puzzle={play.level.value?.puzzle}>
      {isPainting ? (
        <EditBoards />
      ) : isOpen ? (
        <PlayBoard />
      ) : (
        state.families.value.length === 0 && <Loading />
      )}
      <div class="over top">
        <FaultNotice />
        <Notices />
        {!isPainting && <Challenge />}
      </div>
      <div class="over bottom">
        <Working />
        {!isPainting && <Messages />}
        {!isPainting && <Won />}
      </div>
    </main>
  );
}

export function App({ start }: { start(): Promise<void> }) {
  useEffect(() => {
    void start();
    return listen();
  }, []);
  return (
    <div class={state.tab.value === null ? "page" : "page with-panel"}>
      <Header />
      <Stage />
      <div class="foot">
        {film.film.value !== null && !state.painting.value && <FilmBar />}
        <Status />
      </div>
      <Panels />
      <Tools />
    </div>
  );
}
