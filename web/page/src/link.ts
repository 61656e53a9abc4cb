// A level in the address: everything after `#`, compressed, so that no server sees it.

import { deflateSync, inflateSync, strFromU8, strToU8 } from "fflate";
import type { Level } from "./protocol";

/** What an address carries. */
export interface Shared {
  readonly level: Level;
  /** Moves made, or a solution; empty for the start. */
  readonly moves: string;
}

/** The first letter says how the rest is packed; another one is another way. */
const DEFLATED = "1";

/** The most text that an address may unpack to. */
const LARGEST = 1 << 20;

export function toHash(shared: Shared): string {
  const { text, puzzle, options, title } = shared.level;
  const packed = deflateSync(strToU8(JSON.stringify([puzzle, text, options, title, shared.moves])), { level: 9 });
  let bytes = "";
  for (const byte of packed) bytes += String.fromCharCode(byte);
  const base64 = btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return `#${DEFLATED}${base64}`;
}

/** What an address carries; `null` when it carries nothing, or nothing that can be read. */
export function fromHash(hash: string): Shared | null {
  if (!hash.startsWith(`#${DEFLATED}`)) return null;
  try {
    const bytes = atob(hash.slice(2).replaceAll("-", "+").replaceAll("_", "/"));
    const packed = Uint8Array.from(bytes, (byte) => byte.charCodeAt(0));
    // A buffer of the largest size: an address that unpacks to more is refused, not believed.
    const unpacked = inflateSync(packed, { out: new Uint8Array(LARGEST) });
    const [puzzle, text, options, title, moves] = JSON.parse(strFromU8(unpacked)) as unknown[];
    if (typeof puzzle !== "string" || typeof text !== "string" || typeof moves !== "string") return null;
    if (typeof options !== "object" || options === null) return null;
    const level = {
      puzzle,
      text,
      options: options as Record<string, string>,
      title: typeof title === "string" ? title : null,
    };
    return { level, moves };
  } catch {
    return null;
  }
}
