// A level in the address: everything after `#`, compressed, so that no server sees it.

import { deflateSync, inflateSync, strFromU8, strToU8 } from "fflate";
import { optionsFrom } from "./keep";
import type { Level } from "../protocol";

/** What an address carries. */
export interface Shared {
  readonly level: Level;
  /** Moves made, a drawing, or a solution; empty for the start. */
  readonly moves: string;
}

/** The first letter says how the rest is packed; another one is another way. */
const DEFLATED = "1";

/** The most text that an address may unpack to. */
const LARGEST = 1 << 20;

export function toHash({ level, moves }: Shared): string {
  const { text, puzzle, options, title } = level;
  const content = JSON.stringify([puzzle, text, options, title, moves]);
  let bytes = "";
  for (const byte of deflateSync(strToU8(content), { level: 9 })) bytes += String.fromCharCode(byte);
  const base64 = btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return `#${DEFLATED}${base64}`;
}

/** What an address carries; `null` for nothing, `"broken"` for what cannot be read. */
export function fromHash(hash: string): Shared | null | "broken" {
  if (hash === "" || hash === "#") return null;
  if (!hash.startsWith(`#${DEFLATED}`)) return "broken";
  try {
    const bytes = atob(hash.slice(2).replaceAll("-", "+").replaceAll("_", "/"));
    const packed = Uint8Array.from(bytes, (byte) => byte.charCodeAt(0));
    // A buffer of the largest size: an address that unpacks to more is refused, not believed.
    const unpacked = inflateSync(packed, { out: new Uint8Array(LARGEST) });
    const [puzzle, text, given, title, moves] = JSON.parse(strFromU8(unpacked)) as unknown[];
    const options = optionsFrom(given);
    if (typeof puzzle !== "string" || typeof text !== "string" || options === null) return "broken";
    if (typeof moves !== "string") return "broken";
    return { level: { puzzle, text, options, title: typeof title === "string" ? title : null }, moves };
  } catch {
    return "broken";
  }
}
