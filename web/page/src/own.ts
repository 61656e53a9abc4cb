// Our own levels, a text a file; `bundle.mjs` gathers them.

import files from "./own-levels.json";
import * as store from "./store";

interface Own {
  readonly puzzle: string;
  readonly name: string;
  readonly text: string;
  readonly known: readonly store.Recorded[];
}

export const OWN: readonly Own[] = files;

export function openOwn(own: Own | undefined): Promise<void> {
  if (own === undefined) return Promise.resolve();
  store.source.value = own.text;
  return store.read(own.text, own.puzzle, {}, own.known);
}
