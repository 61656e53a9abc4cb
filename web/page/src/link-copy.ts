// Sharing: the address of the level, with moves or without, in the address line and the clipboard.

import { toHash } from "./link";
import * as store from "./store";
import { texts } from "./texts";

export async function copyLink(moves: string) {
  const level = store.level.value;
  if (level === null) return;
  const hash = toHash({ level, moves });
  const address = new URL(hash, window.location.href).href;
  window.history.replaceState(null, "", hash);
  try {
    await navigator.clipboard.writeText(address);
    store.remark.value = texts.level.shared;
  } catch {
    // No permission: the address line has it.
    store.remark.value = texts.level.inAddress;
  }
}
