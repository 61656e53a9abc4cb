// The beginning of the page: what is kept is taken up, the level of the address is opened, and what
// is not wanted at once is fetched after it.

import "./styles";
import { effect } from "@preact/signals";
import { render } from "preact";
import * as helping from "../ask/help-state";
import * as questions from "../ask/questions";
import * as drafts from "../design/drafts";
import * as legend from "../design/legend";
import * as shelf from "../design/shelf";
import { engines, solver } from "../engine/engine";
import { FAMILY_UI } from "../families";
import * as address from "../keep/address";
import { kept } from "../keep/keep";
import { fromHash, type Shared } from "../keep/link";
import { keepForOffline } from "../keep/offline";
import * as collections from "../levels/collections";
import * as reading from "../levels/reading";
import * as play from "../play/play";
import type { Family } from "../protocol";
import * as state from "../state";
import { App } from "./app";

/** What a bookmark on another site hands over: its address, where the puzzle is in it. */
const FROM = "#from=";

/** Opens what an address carries. */
async function openShared({ level, moves, record, within }: Shared, kept: unknown): Promise<boolean> {
  const known = await reading.recollect(within);
  return play.open(level, { moves, record, state: kept, isThere: true, within: known });
}

/** The level of the address, else the one that was open last, else one of ours. */
async function openFirst() {
  const { hash } = window.location;
  const isFrom = hash.startsWith(FROM);
  if (isFrom && (await reading.readGiven(decodeURIComponent(hash.slice(FROM.length)), null))) return;
  const shared = isFrom ? null : fromHash(hash);
  if (
    shared !== null &&
    shared !== "broken" &&
    (await openShared(shared, play.lastOfTab(shared.level, window.history.state)))
  )
    return;
  const fault = shared === "broken" ? play.BROKEN : state.fault.value;
  const last = fromHash(kept("last", (value) => (typeof value === "string" ? value : null)) ?? "");
  const isOpen =
    last !== null &&
    last !== "broken" &&
    (await play.open(last.level, { within: await reading.recollect(last.within) }));
  if (!isOpen)
    await reading.openSample(
      reading.samples.value.find(({ name }) => name === FAMILY_UI["sokoban"]?.starter),
    );
  if (fault !== null) state.fault.value = fault;
}

async function start() {
  questions.restore();
  shelf.restore();
  collections.restore();
  const [families] = await Promise.all([
    engines.quick<Family[]>({ ask: "families" }),
    reading.loadSamples().catch(() => undefined),
  ]);
  state.families.value = state.taken(families) ?? [];
  await openFirst();
  drafts.follow();
  drafts.watch(() => state.tab.value === "edit");
  legend.follow(() =>
    state.tab.value === "edit" && FAMILY_UI[drafts.family.value]?.form === "game"
      ? drafts.content.value.text
      : null,
  );
  helping.watch();
  window.addEventListener("pagehide", address.flush);
  window.addEventListener("popstate", (event) => {
    address.forget();
    const there = fromHash(window.location.hash);
    if (there === "broken") state.fault.value = play.BROKEN;
    else if (there !== null) void openShared(there, event.state);
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
  render(<App start={start} />, root);
}
// A first visit keeps the files when all of them are here: sooner, they would hold up the level.
if (navigator.serviceWorker?.controller) void keepForOffline();
else effect(() => void (solver.loaded.value === 1 && keepForOffline()));
