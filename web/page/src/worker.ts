// A worker: the library as WebAssembly behind one function, a request in JSON and its answer.

import { zipSync } from "fflate";
import type { Posted } from "./engine";
import type { Answer, Ask, Progress } from "./protocol";

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

/** The answer with its files, packed here, so that the page never waits for that. */
function withFiles(answer: Answer<object>): Answer<object> {
  if (!("ok" in answer) || Object.keys(files).length === 0) return answer;
  const named = Object.entries(files).map(([name, content]) => ({ name, bytes: content.length }));
  return { ok: { ...answer.ok, files: named, archive: zipSync(files) } };
}

async function start(): Promise<Exports> {
  let exports: Exports;
  const imports = {
    host: {
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
    },
  };
  const response = await fetch(new URL("engine.wasm", import.meta.url));
  const module = await WebAssembly.instantiate(await response.arrayBuffer(), imports);
  exports = module.instance.exports as unknown as Exports;
  post({ kind: "ready" });
  return exports;
}

const engine = start();
engine.catch((error: unknown) => post({ kind: "failed", message: String(error), loaded: false }));

self.onmessage = async (message: MessageEvent<Ask>) => {
  const exports = await engine;
  files = {};
  try {
    const request = new TextEncoder().encode(JSON.stringify(message.data));
    const pointer = exports.alloc(request.length);
    new Uint8Array(exports.memory.buffer, pointer, request.length).set(request);
    const length = exports.ask(pointer, request.length);
    const answer = JSON.parse(text(exports.memory, exports.answer_at(), length)) as Answer<object>;
    post({ kind: "answer", answer: withFiles(answer), held: exports.memory.buffer.byteLength });
  } catch (error) {
    // A trap leaves the module in an unknown state: this worker is done for.
    post({ kind: "failed", message: String(error), loaded: true });
  }
};
