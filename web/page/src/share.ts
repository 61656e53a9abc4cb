// Sharing: the address of the level, with moves or without, in the clipboard.

import * as address from "./address";
import { toHash } from "./link";
import type { Level } from "./protocol";
import { remark } from "./state";
import { texts } from "./texts";

/** Copies a link; where a device has a way to share links, it is offered that instead. */
export async function share(level: Level, moves: string) {
  const hash = toHash({ level, moves });
  const link = new URL(hash, window.location.href).href;
  address.flush();
  try {
    await navigator.clipboard.writeText(link);
    remark.value = texts.level.shared;
  } catch {
    // No permission: the address bar has it.
    window.history.replaceState(window.history.state, "", hash);
    remark.value = texts.level.inAddress;
  }
}
