// Puzzles solved in a worker: see `index.d.ts` for what is offered.
//
// The player, which knows the rules alone, finds out what a text is; the solver, the whole library,
// answers questions. Each is a module of WebAssembly in workers of its own, so that a page never waits.

const isNode = typeof process === "object" && typeof process.versions?.node === "string";

/** Why there is no answer, and where in the text. */
export class UnstuckError extends Error {
  constructor(fault) {
    const place = fault.line === undefined ? "" : `line ${fault.line}: `;
    super(place + fault.message);
    this.name = "UnstuckError";
    this.line = fault.line;
    this.column = fault.column;
    this.help = fault.help;
  }
}

/** A worker of either system, behind what both have. */
async function started(name) {
  const file = new URL("worker.js", import.meta.url);
  if (isNode) {
    const { Worker } = await import("node:worker_threads");
    const worker = new Worker(file, { workerData: name });
    // A process ends when nothing is asked any more.
    worker.unref();
    return {
      hear: (hear, fail) =>
        worker.removeAllListeners().on("message", hear).on("error", fail).on("messageerror", fail),
      hold: (holds) => (holds ? worker.ref() : worker.unref()),
      post: (message) => worker.postMessage(message),
      end: () => worker.terminate(),
    };
  }
  const worker = new Worker(file, { type: "module", name });
  return {
    hear: (hear, fail) => {
      worker.onmessage = ({ data }) => hear(data);
      worker.onerror = (event) => fail(new Error(event.message));
    },
    hold: () => {},
    post: (message) => worker.postMessage(message),
    end: () => worker.terminate(),
  };
}

/** Workers of one engine that have nothing to do. */
const idle = { player: [], solver: [] };

async function ask(name, request, { signal, onProgress } = {}) {
  signal?.throwIfAborted();
  const worker = idle[name].pop() ?? (await started(name));
  worker.hold(true);
  let stop;
  try {
    const answer = await new Promise((resolve, reject) => {
      stop = () => reject(signal.reason);
      signal?.addEventListener("abort", stop);
      const files = {};
      worker.hear((said) => {
        if (said.event !== undefined) onProgress?.(said.event);
        else if (said.file !== undefined) files[said.file] = said.content;
        else if (said.failed !== undefined) reject(new UnstuckError({ message: said.failed }));
        else resolve({ ...said.answer, files });
      }, reject);
      worker.post(request);
    });
    worker.hold(false);
    idle[name].push(worker);
    if (answer.error !== undefined) throw new UnstuckError(answer.error);
    return { ...answer.ok, ...(Object.keys(answer.files).length > 0 && { files: answer.files }) };
  } catch (error) {
    // What computes hears nothing: a worker that is stopped, or has failed, is ended.
    if (!idle[name].includes(worker)) worker.end();
    throw error;
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

/** Ends all workers that have nothing to do. */
export function close() {
  for (const workers of Object.values(idle)) workers.splice(0).forEach((worker) => worker.end());
}

let known;

/** The families by their names. */
export async function families() {
  known ??= ask("player", { ask: "families" }).catch((fault) => {
    // The next one may have more luck.
    known = undefined;
    throw fault;
  });
  const all = Object.values(await known);
  return Object.fromEntries(all.map((family) => [family.name, family]));
}

/** The levels of a text. */
export async function read(text, { puzzle, options = {} } = {}) {
  const request = { ask: "read", text, puzzle: puzzle ?? null, options };
  const found = await ask("player", request);
  if (found.families.length !== 1) {
    const several = `it may be a level of several families: ${found.families.join(", ")}`;
    const message = found.families.length === 0 ? "no family reads this text" : several;
    throw new UnstuckError({ message, help: "name the family: { puzzle }" });
  }
  return found.levels.map((level) => ({ ...level, puzzle: found.families[0], options }));
}

/** The level that is asked about, as the solver wants it. */
async function chosen(text, given) {
  const levels = await read(text, given);
  const level = levels[(given.level ?? 1) - 1];
  if (level === undefined) throw new UnstuckError({ message: `there are ${levels.length} levels` });
  if (level.fault !== null) throw new UnstuckError(level.fault);
  const { text: own, puzzle, options, title } = level;
  const objective = given.objective ?? (await families())[puzzle].objectives[0];
  const limits = { seconds: given.seconds ?? null, megabytes: given.megabytes ?? null };
  return { level: { text: own, puzzle, options, title }, objective, limits };
}

/** A shortest solution, or that there is none. */
export async function solve(text, given = {}) {
  const { level, objective, limits } = await chosen(text, given);
  const engine = given.engine ?? "auto";
  return ask("solver", { ask: "solve", level, objective, engine, limits }, given);
}

/** The same with a certificate: its files are in `files`. */
export async function prove(text, given = {}) {
  const { level, objective, limits } = await chosen(text, given);
  const [engine, formulas] = [given.engine ?? "auto", given.formulas ?? false];
  return ask("solver", { ask: "prove", level, objective, engine, formulas, limits }, given);
}

/** What to do next after some moves. */
export async function hint(text, moves = "", given = {}) {
  const { level, limits } = await chosen(text, given);
  return ask("solver", { ask: "hint", level, moves, degree: given.degree ?? "move", limits }, given);
}

/** Where a game went wrong. */
export async function diagnose(text, moves, given = {}) {
  const { level, limits } = await chosen(text, given);
  return ask("solver", { ask: "diagnose", level, moves, limits }, given);
}

/** How many shortest solutions there are; with `rules` also which rules of a game act in them. */
export async function count(text, given = {}) {
  const { level, objective, limits } = await chosen(text, given);
  return ask("solver", { ask: "count", level, objective, rules: given.rules ?? false, limits }, given);
}
