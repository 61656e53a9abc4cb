// A level in the address: everything after `#`, compressed, so that no server sees it.

import { deflateSync, inflateSync, strFromU8, strToU8 } from "fflate";
import { isRecord, optionsFrom } from "./keep";
import type { Level } from "../protocol";

/** A place in a collection that this browser keeps. */
export interface Within {
  readonly collection: string;
  /** From 0. */
  readonly at: number;
  readonly total: number;
}

/** What the sender of a solution says of it. */
export interface Record {
  /** Its length in words. */
  readonly count: string;
  /** Whether it was proved that none is shorter. */
  readonly shortest: boolean;
}

/** What an address carries. */
export interface Shared {
  readonly level: Level;
  /** Moves made, a drawing, or a solution; empty for the start. */
  readonly moves: string;
  /** Only for the person whose browser has the collection. */
  readonly within?: Within | undefined;
  readonly record?: Record | undefined;
}

/** The first letter says how the rest is packed; another one is another way. */
const DEFLATED = "1";

/** The most text that an address may unpack to. */
const LARGEST = 1 << 20;

function seriesOf(within: Within | undefined): string {
  return within ? `&level=${within.at + 1}&of=${within.total}&in=${within.collection}` : "";
}

function withinFrom(words: URLSearchParams): Within | undefined {
  const [level, total, collection] = [Number(words.get("level")), Number(words.get("of")), words.get("in")];
  return collection && level >= 1 && total >= level ? { collection, at: level - 1, total } : undefined;
}

/** The longest that the words of a sender may be. */
const MOST_WORDS = 60;

function recordFrom(said: unknown): Record | undefined {
  if (!isRecord(said)) return undefined;
  const { count, shortest } = said;
  const isKnown = typeof count === "string" && count.length <= MOST_WORDS && typeof shortest === "boolean";
  return isKnown ? { count, shortest } : undefined;
}

export function toHash({ level, moves, within, record }: Shared): string {
  const { text, puzzle, options, title } = level;
  const content = JSON.stringify([puzzle, text, options, title, moves, ...(record ? [record] : [])]);
  let bytes = "";
  for (const byte of deflateSync(strToU8(content), { level: 9 })) bytes += String.fromCharCode(byte);
  const base64 = btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return `#${DEFLATED}${base64}${seriesOf(within)}`;
}

/** What an address carries; `null` for nothing, `"broken"` for what cannot be read. */
export function fromHash(hash: string): Shared | null | "broken" {
  if (hash === "" || hash === "#") return null;
  if (!hash.startsWith(`#${DEFLATED}`)) return "broken";
  try {
    const [content = "", ...words] = hash.slice(2).split("&");
    const bytes = atob(content.replaceAll("-", "+").replaceAll("_", "/"));
    const packed = Uint8Array.from(bytes, (byte) => byte.charCodeAt(0));
    // A buffer of the largest size: an address that unpacks to more is refused, not believed.
    const unpacked = inflateSync(packed, { out: new Uint8Array(LARGEST) });
    const [puzzle, text, given, title, moves, said] = JSON.parse(strFromU8(unpacked)) as unknown[];
    const options = optionsFrom(given);
    if (typeof puzzle !== "string" || typeof text !== "string" || options === null) return "broken";
    if (typeof moves !== "string") return "broken";
    const level = { puzzle, text, options, title: typeof title === "string" ? title : null };
    return {
      level,
      moves,
      record: recordFrom(said),
      within: withinFrom(new URLSearchParams(words.join("&"))),
    };
  } catch {
    return "broken";
  }
}
