// The engines beside the page. The player knows the rules alone: it is small, comes first, and answers
// at once. The solver is the whole library; it is fetched when the page stands, or when it is asked.
// Each worker holds one of the two as WebAssembly, compiled once.
//
// A worker that computes hears nothing, so Stop means ending it. Spare ones are kept warm, so that
// the next question does not wait for a start.

import { signal } from "@preact/signals";
import type { Answer, LongAsk, Progress, QuickAsk } from "../protocol";
import { texts } from "../texts";

/** The bytes of each module as it is built: what is sent may be packed, and then says no size. */
declare const SIZES: { readonly player: number; readonly solver: number };

interface Pending {
  resolve(answer: Answer<unknown>): void;
  progress?: ((event: Progress) => void) | undefined;
}

/** What the worker posts. */
export type Posted =
  /** It can answer no more: it could not be started, or has trapped since. */
  | { kind: "failed"; message: string; started: boolean }
  /** An answer, and the bytes of memory that the module holds now, which it never gives back. */
  | { kind: "answer"; answer: Answer<unknown>; held: number }
  | { kind: "event"; event: Progress };

/** What the page posts: the compiled module first, then questions. */
export type ToWorker = { module: WebAssembly.Module } | { ask: Ask };

type Ask = QuickAsk | LongAsk;

/** Bytes from which on a worker is replaced after its answer. */
const WORN = 256 << 20;

/** A module that is fetched when it is first wanted, and compiled once for all workers. */
class Module {
  /** How much of it is here, from 0 to 1: then it can be used. */
  readonly loaded = signal(0);
  private coming: Promise<WebAssembly.Module> | null = null;

  /** `missing` says that it could not be had. */
  constructor(
    private readonly address: string,
    private readonly size: number,
    readonly missing: string,
  ) {}

  /** Whether it is here, or on its way. */
  get isCalled(): boolean {
    return this.coming !== null;
  }

  /** What could not be fetched is fetched anew when it is wanted again. */
  get(): Promise<WebAssembly.Module> {
    if (this.coming === null) {
      this.coming = this.compile();
      this.coming.catch(() => (this.coming = null));
    }
    return this.coming;
  }

  private async compile(): Promise<WebAssembly.Module> {
    const response = await fetch(this.address);
    if (!response.ok || response.body === null) throw new Error(`${response.status}`);
    let here = 0;
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        here += chunk.length;
        this.loaded.value = Math.min(0.99, here / this.size);
        controller.enqueue(chunk);
      },
    });
    const stream = response.body.pipeThrough(counted);
    const typed = new Response(stream, { headers: { "content-type": "application/wasm" } });
    const module = await WebAssembly.compileStreaming(typed);
    this.loaded.value = 1;
    return module;
  }
}

/** What answers questions of playing. */
export const player = new Module("player.wasm", SIZES.player, texts.engineMissing);
/** What answers questions that may take long. */
export const solver = new Module("solver.wasm", SIZES.solver, texts.solverMissing);

class Engine {
  private readonly worker: Worker;
  private pending: Pending | null = null;
  private queue: Promise<unknown> = Promise.resolve();
  /** Whether a question has made it so large that the next one shall begin with another. */
  worn = false;
  /** Why it answers no more, where it does not. */
  private over: string | null = null;

  constructor(private readonly module: Module) {
    this.worker = new Worker("worker.js", { type: "module" });
    this.worker.onmessage = (message: MessageEvent<Posted>) => this.hear(message.data);
    this.worker.onerror = () => this.end(texts.engineFailed);
    this.queue = module.get().then(
      (module) => this.send({ module }),
      () => this.end(module.missing),
    );
  }

  /** Whether it answers no more. */
  get ended(): boolean {
    return this.over !== null;
  }

  /** Whether a question is being worked on. */
  get busy(): boolean {
    return this.pending !== null;
  }

  private send(message: ToWorker) {
    if (this.over === null) this.worker.postMessage(message);
  }

  /** Asks when the questions before it are answered. */
  ask<T>(ask: Ask, progress?: (event: Progress) => void): Promise<Answer<T>> {
    const asked = this.queue.then(
      () =>
        new Promise<Answer<T>>((resolve) => {
          if (this.over !== null) return resolve({ error: { message: this.over } });
          this.pending = { resolve: resolve as Pending["resolve"], progress };
          this.send({ ask });
        }),
    );
    this.queue = asked;
    return asked;
  }

  /** Ends the worker; a question that it was working on is answered with `message`. */
  end(message: string): void {
    this.worker.terminate();
    this.over = message;
    const pending = this.pending;
    this.pending = null;
    pending?.resolve({ error: { message } });
  }

  private hear(posted: Posted): void {
    if (posted.kind === "event") {
      this.pending?.progress?.(posted.event);
    } else if (posted.kind === "answer") {
      this.worn = posted.held > WORN;
      const pending = this.pending;
      this.pending = null;
      pending?.resolve(posted.answer);
    } else {
      // A trap says nothing to a person; the console has it.
      console.error(posted.message);
      this.end(posted.started ? texts.engineFailed : this.module.missing);
    }
  }
}

/** How many workers work on one question: as many as cores are left, but no more than ways differ. */
export const AT_ONCE = Math.max(1, Math.min(3, (navigator.hardwareConcurrency || 1) - 1));

/** Questions of a lane end the one before; those of different lanes leave each other alone. */
export type Lane = "solve" | "help" | "edit" | "watch" | "check" | "day";

/** One engine for positions, which answers at once, and some for questions that take long. */
class Engines {
  private hand = new Engine(player);
  /** Workers with the solver that are warm and have nothing to do. */
  private readonly idle: Engine[] = [];
  private readonly lanes = new Map<Lane, readonly Engine[]>();

  /** A question that takes milliseconds. */
  quick<T>(ask: QuickAsk): Promise<Answer<T>> {
    if (this.hand.ended) this.hand = new Engine(player);
    return this.hand.ask<T>(ask);
  }

  /** Fetches the solver, so that it is there when it is asked. */
  async prepare(): Promise<void> {
    await solver.get();
    this.warm();
  }

  /**
   * A question that may take long, in one way or in several at once; it ends the one before in its
   * lane. The answer is the first one that settles it, else the last.
   */
  async long<T>(
    lane: Lane,
    ways: readonly LongAsk[],
    settles: (answer: Answer<T>) => boolean,
    progress: (event: Progress) => void,
  ): Promise<Answer<T>> {
    this.stop(lane);
    const mine = ways.map(() => this.idle.pop() ?? new Engine(solver));
    this.lanes.set(lane, mine);
    const answer = await new Promise<Answer<T>>((resolve) => {
      let open = ways.length;
      ways.forEach(async (way, index) => {
        const given = await mine[index]!.ask<T>(way, progress);
        open -= 1;
        if (open === 0 || settles(given)) resolve(given);
      });
    });
    if (this.lanes.get(lane) === mine) this.rest(lane, mine);
    return answer;
  }

  /** Ends the long question of a lane at once. */
  stop(lane: Lane): void {
    const ended = this.lanes.get(lane) ?? [];
    this.lanes.delete(lane);
    for (const engine of ended) engine.end(texts.stopped);
    if (ended.length > 0) this.warm();
  }

  /** The question is answered: who works on is ended, who is done is kept. */
  private rest(lane: Lane, mine: readonly Engine[]): void {
    for (const engine of mine) {
      if (engine.ended) continue;
      if (engine.busy || engine.worn || this.idle.length >= AT_ONCE) engine.end(texts.stopped);
      else this.idle.push(engine);
    }
    this.lanes.delete(lane);
    this.warm();
  }

  private warm(): void {
    if (solver.loaded.value < 1) return;
    while (this.idle.length < AT_ONCE) this.idle.push(new Engine(solver));
  }
}

export const engines = new Engines();
