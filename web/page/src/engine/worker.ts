// A worker: one of the engines as WebAssembly behind a function, a request in JSON and its answer.

import { part } from "../parts";
import type { Posted, ToWorker } from "./engine";
import type { Answer, Progress } from "../protocol";

interface Exports {
  memory: WebAssembly.Memory;
  alloc(length: number): number;
  /** Answers the request; the answer's length, its place by `answer_at`. */
  ask(pointer: number, length: number): number;
  answer_at(): number;
}

const post = (posted: Posted) => self.postMessage(posted);

/** The files that belong to the answer that is being made. */
let files: Record<string, Uint8Array> = {};

function text(memory: WebAssembly.Memory, pointer: number, length: number): string {
  return new TextDecoder().decode(new Uint8Array(memory.buffer, pointer, length));
}

/** The folder in the archive of a certificate. */
const FOLDER = "certificate/";

/** The answer with its files, packed here, so that the page never waits for that. */
async function withFiles(answer: Answer<object>): Promise<Answer<object>> {
  if (!("ok" in answer) || Object.keys(files).length === 0) return answer;
  const inside = Object.entries(files).map(([name, content]) => [FOLDER + name, content] as const);
  const zip = await part("zip").catch(() => null);
  // The verdict stands without its files.
  if (zip === null) return answer;
  const archive = zip.zipSync(Object.fromEntries(inside));
  return { ok: { ...answer.ok, files: inside.length, archive } };
}

async function start(module: WebAssembly.Module): Promise<Exports> {
  let exports: Exports;
  const host = {
    now: () => performance.now() / 1000,
    event: (pointer: number, length: number) => {
      const event = JSON.parse(text(exports.memory, pointer, length)) as Progress;
      post({ kind: "event", event });
    },
    file: (name: number, nameLength: number, content: number, length: number) => {
      const copied = new Uint8Array(exports.memory.buffer, content, length).slice();
      files[text(exports.memory, name, nameLength)] = copied;
    },
    panicked: (pointer: number, length: number) => console.error(text(exports.memory, pointer, length)),
  };
  exports = (await WebAssembly.instantiate(module, { host })).exports as unknown as Exports;
  return exports;
}

let engine: Promise<Exports> | null = null;

self.onmessage = async ({ data }: MessageEvent<ToWorker>) => {
  if ("module" in data) {
    engine = start(data.module);
    engine.catch((error: unknown) => post({ kind: "failed", message: String(error), started: false }));
    return;
  }
  if (engine === null) return;
  const exports = await engine;
  files = {};
  try {
    const request = new TextEncoder().encode(JSON.stringify(data.ask));
    const pointer = exports.alloc(request.length);
    new Uint8Array(exports.memory.buffer, pointer, request.length).set(request);
    const length = exports.ask(pointer, request.length);
    const answered = text(exports.memory, exports.answer_at(), length);
    const answer = await withFiles(JSON.parse(answered) as Answer<object>);
    post({ kind: "answer", answer, held: exports.memory.buffer.byteLength });
  } catch (error) {
    // A trap leaves the module in an unknown state: this worker is done for.
    post({ kind: "failed", message: String(error), started: true });
  }
};
