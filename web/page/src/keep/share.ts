// Sharing: the address of the level, with moves or without.

import * as address from "./address";
import { offer } from "./files";
import { toHash } from "./link";
import type { Level } from "../protocol";
import { remark } from "../state";
import { texts } from "../texts";

/** Copies a link; on a device with a menu for sharing, it is offered there instead. */
export async function share(level: Level, moves: string) {
  const hash = toHash({ level, moves });
  const link = new URL(hash, window.location.href).href;
  address.flush();
  if (await offer({ title: level.title ?? texts.title, url: link })) return;
  try {
    await navigator.clipboard.writeText(link);
    remark.value = texts.level.shared;
  } catch {
    // No permission: the address bar has it.
    window.history.replaceState(window.history.state, "", hash);
    remark.value = texts.level.inAddress;
  }
}
