// The address: each level that is opened is a place to go back to, and the moves on it are kept
// there as they are made.

/** How long moves wait before they are in the address: browsers allow only so many changes. */
const REST = 300;

export interface Place {
  readonly hash: string;
  /** What the address does not say: moves that were undone, earlier attempts. */
  readonly state: unknown;
}

let waiting: { place: () => Place; timer: ReturnType<typeof setTimeout> } | null = null;

/** Writes what waits. */
export function flush() {
  if (waiting === null) return;
  const { place, timer } = waiting;
  clearTimeout(timer);
  waiting = null;
  const { hash, state } = place();
  window.history.replaceState(state, "", hash);
}

/** Another place, to come back from; or the one where the page is already. */
export function visit({ hash, state }: Place, isThere: boolean) {
  flush();
  // The page itself, without a level, is no place to come back to.
  const isBare = window.location.hash === "";
  if (isThere || isBare || hash === window.location.hash) window.history.replaceState(state, "", hash);
  else window.history.pushState(state, "", hash);
}

/** The same place, changed. */
export function stay(place: () => Place) {
  if (waiting !== null) clearTimeout(waiting.timer);
  waiting = { place, timer: setTimeout(flush, REST) };
}

/** Forgets what waits: another place has been gone to by the person. */
export function forget() {
  if (waiting !== null) clearTimeout(waiting.timer);
  waiting = null;
}
