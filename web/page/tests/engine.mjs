// An engine of the page in Node, and the program beside it.

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";

const HERE = import.meta.dirname;
const TARGET = path.join(HERE, "..", "..", "..", "target");

/** The program that the page is compared with: `UNSTUCK_PROGRAM`, else one that was built here. */
export const program =
  process.env.UNSTUCK_PROGRAM ||
  [path.join(TARGET, "release", "unstuck"), path.join(TARGET, "debug", "unstuck")].find((file) =>
    existsSync(file),
  ) ||
  "unstuck";

/** Loads an engine, `player` or `solver`: `ask` from requests to answers, and the bytes that it holds. */
export async function load(name) {
  let exports;
  const decode = (pointer, length) =>
    new TextDecoder().decode(new Uint8Array(exports.memory.buffer, pointer, length));
  const host = {
    now: () => performance.now() / 1000,
    event: () => undefined,
    file: () => undefined,
    panicked: (pointer, length) => console.error(decode(pointer, length)),
  };
  const code = await readFile(path.join(HERE, "..", "dist", `${name}.wasm`));
  exports = (await WebAssembly.instantiate(code, { host })).instance.exports;
  const ask = (request) => {
    const bytes = new TextEncoder().encode(JSON.stringify(request));
    const pointer = exports.alloc(bytes.length);
    new Uint8Array(exports.memory.buffer, pointer, bytes.length).set(bytes);
    const length = exports.ask(pointer, bytes.length);
    return JSON.parse(decode(exports.answer_at(), length));
  };
  return { ask, held: () => exports.memory.buffer.byteLength };
}
