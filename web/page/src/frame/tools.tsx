// The bar at the edge: what is done all the time, and the panels. On a phone it is at the thumb.

import * as helping from "../ask/help-state";
import * as questions from "../ask/questions";
import * as drafts from "../design/drafts";
import * as film from "../play/film";
import * as play from "../play/play";
import * as state from "../state";
import { texts } from "../texts";
import { hold, release, wasHeld } from "./hold";
import { Icon, type IconName } from "./icons";

const { play: words } = texts;

interface ToolProps {
  icon: IconName;
  name: string;
  disabled?: boolean;
  /** Whether it goes on while it is held: as long as this is so. */
  again?: () => boolean;
  onClick(): void;
}

function Tool({ icon, name, disabled = false, again, onClick }: ToolProps) {
  const held = again && {
    onPointerDown: () => hold(onClick, again),
    onPointerUp: release,
    onPointerLeave: release,
    onPointerCancel: release,
    onContextMenu: (event: Event) => event.preventDefault(),
  };
  // The end of holding it is no press of its own.
  const press = (event: MouseEvent) => {
    if (!again || event.detail === 0 || !wasHeld()) onClick();
  };
  return (
    <button class="tool" disabled={disabled} onClick={press} {...held}>
      <Icon name={icon} />
      <span>{name}</span>
    </button>
  );
}

/** Undo stops, while it is held, at the beginning of the game: before it lie other games. */
const goesBack = () => play.board.value !== null || play.attemptLength.value > 0;

function Acts() {
  const isPainting = state.painting.value;
  const { past, future } = drafts.draft.value.content;
  const isBusy = questions.running.value.has("help");
  if (isPainting) {
    return (
      <>
        <Tool
          icon="undo"
          name={words.undo}
          disabled={past.length === 0}
          again={() => true}
          onClick={drafts.undo}
        />
        <Tool icon="redo" name={words.redo} disabled={future.length === 0} onClick={drafts.redo} />
        <Tool
          icon="play"
          name={texts.edit.play}
          disabled={drafts.seen.value.level === null}
          onClick={() => void drafts.playIt()}
        />
      </>
    );
  }
  if (film.film.value !== null) return null;
  return (
    <>
      <Tool
        icon="undo"
        name={words.undo}
        disabled={!play.canUndo.value}
        again={goesBack}
        onClick={play.undo}
      />
      <Tool icon="redo" name={words.redo} disabled={!play.canRedo.value} onClick={play.redo} />
      <Tool icon="restart" name={words.restart} disabled={play.made.value === ""} onClick={play.restart} />
      <Tool icon="hint" name={words.hint} disabled={isBusy} onClick={helping.askNext} />
      {play.action.value && (
        <div class="action">
          <Tool icon="act" name={words.act} onClick={play.act} />
        </div>
      )}
    </>
  );
}

const TABS = Object.keys(texts.tabs) as state.Tab[];

function Tabs() {
  const turn = (event: KeyboardEvent, index: number) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const next = by && TABS[(index + by + TABS.length) % TABS.length];
    // Who has pressed a tab goes on with the game: arrows turn tabs only for keys that came here.
    if (!next || !(event.currentTarget as HTMLElement).matches(":focus-visible")) return;
    event.preventDefault();
    event.stopPropagation();
    state.show(next);
    document.getElementById(`tab-${next}`)?.focus();
  };
  const open = state.tab.value;
  return (
    <div class="tabs" role="tablist" aria-label={texts.title}>
      {TABS.map((name, index) => (
        <button
          key={name}
          class="tool"
          role="tab"
          id={`tab-${name}`}
          aria-selected={open === name}
          aria-controls={`panel-${name}`}
          tabIndex={(open ?? TABS[0]) === name ? 0 : -1}
          onClick={() => state.show(name)}
          onKeyDown={(event) => turn(event, index)}
        >
          <Icon name={name} />
          <span>{texts.tabs[name]}</span>
        </button>
      ))}
    </div>
  );
}

export function Tools() {
  return (
    <div class="tools">
      <div class="acts" role="toolbar" aria-label={words.board}>
        <Acts />
      </div>
      <Tabs />
    </div>
  );
}
