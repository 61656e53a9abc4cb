// Sharing: the address of the level, with moves or without.

import * as address from "./address";
import { offer } from "./files";
import { toHash, type Record } from "./link";
import type { Level } from "../protocol";
import { remark } from "../state";
import { texts } from "../texts";

/**
 * Copies a link; on a device with a menu for sharing, it is offered there instead. With a record, it is
 * a challenge, and says so.
 */
export async function share(level: Level, moves: string, record?: Record) {
  const hash = toHash({ level, moves, record });
  const title = level.title ?? texts.title;
  const text = record && texts.challenge.mine(title, record.count, record.shortest);
  const link = new URL(hash, window.location.href).href;
  address.flush();
  if (await offer({ title, url: link, ...(text && { text }) })) return;
  try {
    await navigator.clipboard.writeText(text ? `${text} ${link}` : link);
    remark.value = texts.level.shared;
  } catch {
    // No permission: the address bar has it.
    window.history.replaceState(window.history.state, "", hash);
    remark.value = texts.level.inAddress;
  }
}
