// Keys, files that are dropped, and texts that are pasted, wherever one is on the page.

import * as helping from "../ask/help-state";
import * as drafts from "../design/drafts";
import { stepOfKey } from "../families";
import * as reading from "../levels/reading";
import { closeMessage, message } from "../levels/told";
import * as film from "../play/film";
import * as play from "../play/play";
import { isWon, next } from "../play/won";
import * as state from "../state";

const isIn = (target: EventTarget | null, places: string) =>
  target instanceof HTMLElement && target.closest(places) !== null;

/** Where a text is written, or a control has keys of its own. */
const WRITTEN = "input, textarea, select, [data-own-keys]";
const PRESSED = "button, a, summary";

/** Undo and redo by the keys that other programs have. */
function isVersionKey(event: KeyboardEvent, key: string, undo: () => void, redo: () => void): boolean {
  if (key === "z") (event.shiftKey ? redo : undo)();
  else if (key === "y") redo();
  else return false;
  return true;
}

function isFilmKey(key: string): boolean {
  const now = film.film.value;
  if (now === null) return false;
  const go = (to: number) => {
    film.pause();
    void film.goTo(to);
  };
  if (key === " ") (film.isRunning.value ? film.pause : film.run)();
  else if (key === "ArrowLeft") go(now.at - 1);
  else if (key === "ArrowRight") go(now.at + 1);
  else if (key === "Home") go(0);
  else if (key === "End") go(now.steps.length);
  else if (key === "Escape") film.close();
  else return false;
  return true;
}

function isGameKey(event: KeyboardEvent, key: string): boolean {
  const isMoving = play.board.value === null;
  const direction = stepOfKey(event.key);
  if (direction !== null && isMoving) play.step(direction);
  else if (play.action.value && (key === play.action.value || key === " ")) play.act();
  else if (key === "z" || key === "backspace") play.undo();
  else if (key === "y") play.redo();
  else if (key === "r") play.restart();
  else if (key === "h") helping.askNext();
  else if (key === "f") void helping.solveOn();
  else return false;
  return true;
}

function isTaken(event: KeyboardEvent): boolean {
  const key = event.key.toLowerCase();
  const isPainting = state.painting.value;
  const [undo, redo] = isPainting ? [drafts.undo, drafts.redo] : [play.undo, play.redo];
  if (event.ctrlKey || event.metaKey) return isVersionKey(event, key, undo, redo);
  if ((key === "enter" || key === " ") && isIn(event.target, PRESSED)) return false;
  if (key === "e") void drafts.turn();
  else if (isPainting) return isVersionKey(event, key === "backspace" ? "z" : key, undo, redo);
  else if (message.value !== null && ["enter", " ", "x", "escape"].includes(key)) closeMessage();
  else if (isFilmKey(event.key)) return true;
  else if (key === "enter" && isWon()) return next();
  else if (key === "escape" && state.tab.value !== null) state.tab.value = null;
  else return isGameKey(event, key);
  return true;
}

function onKey(event: KeyboardEvent) {
  if (isIn(event.target, WRITTEN) || event.altKey) return;
  if (isTaken(event)) event.preventDefault();
}

/** A file may be dropped anywhere. */
function onDragOver(event: DragEvent) {
  if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
}

function onDrop(event: DragEvent) {
  const files = [...(event.dataTransfer?.files ?? [])];
  if (files.length === 0) return;
  event.preventDefault();
  void reading.readFiles(files);
}

/** A level may be pasted anywhere. */
function onPaste(event: ClipboardEvent) {
  const text = event.clipboardData?.getData("text/plain") ?? "";
  if (isIn(event.target, WRITTEN) || text.trim() === "") return;
  event.preventDefault();
  void reading.readGiven(text, null);
}

/** Listens until the function that it returns is called. */
export function listen(): () => void {
  const gone = new AbortController();
  const { signal } = gone;
  window.addEventListener("keydown", onKey, { signal });
  window.addEventListener("dragover", onDragOver, { signal });
  window.addEventListener("drop", onDrop, { signal });
  window.addEventListener("paste", onPaste, { signal });
  return () => gone.abort();
}
