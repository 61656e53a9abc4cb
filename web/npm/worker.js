// A worker: the player or the solver as WebAssembly behind a function, a request in JSON and its answer.

const isNode = typeof process === "object" && typeof process.versions?.node === "string";
const threads = isNode ? await import("node:worker_threads") : null;
const post = isNode ? (said) => threads.parentPort.postMessage(said) : (said) => self.postMessage(said);

async function compiled(name) {
  const file = new URL(`${name}.wasm`, import.meta.url);
  if (!isNode) return WebAssembly.compileStreaming(fetch(file));
  const { readFile } = await import("node:fs/promises");
  return WebAssembly.compile(await readFile(file));
}

let exports;
let panic = null;
const bytes = (pointer, length) => new Uint8Array(exports.memory.buffer, pointer, length);
const text = (pointer, length) => new TextDecoder().decode(bytes(pointer, length));
const host = {
  now: () => performance.now() / 1000,
  event: (pointer, length) => post({ event: JSON.parse(text(pointer, length)) }),
  file: (name, nameLength, content, length) =>
    post({ file: text(name, nameLength), content: bytes(content, length).slice() }),
  panicked: (pointer, length) => (panic = text(pointer, length)),
};

const ready = compiled(isNode ? threads.workerData : self.name)
  .then((module) => WebAssembly.instantiate(module, { host }))
  .then((instance) => (exports = instance.exports));

async function answer(request) {
  try {
    await ready;
    const asked = new TextEncoder().encode(JSON.stringify(request));
    const pointer = exports.alloc(asked.length);
    bytes(pointer, asked.length).set(asked);
    const length = exports.ask(pointer, asked.length);
    post({ answer: JSON.parse(text(exports.answer_at(), length)) });
  } catch (error) {
    post({ failed: panic ?? String(error) });
  }
}

if (isNode) threads.parentPort.on("message", answer);
else self.onmessage = ({ data }) => answer(data);
