// The engine beside the page: each worker holds the whole library as WebAssembly.
//
// A worker that computes hears nothing, so Stop means ending it. Spare ones are kept warm, so that
// the next question does not wait for the module to load.

import type { Answer, Ask, Progress } from "./protocol";
import { texts } from "./texts";

interface Pending {
  resolve(answer: Answer<unknown>): void;
  progress?: ((event: Progress) => void) | undefined;
}

/** What the worker posts. */
export type Posted =
  | { kind: "ready" }
  /** It can answer no more: it could not be loaded, or has trapped since. */
  | { kind: "failed"; message: string; loaded: boolean }
  /** An answer, and the bytes of memory that the module holds now, which it never gives back. */
  | { kind: "answer"; answer: Answer<unknown>; held: number }
  | { kind: "event"; event: Progress };

/** Bytes from which on a worker is replaced after its answer. */
const WORN = 256 << 20;

class Engine {
  private readonly worker: Worker;
  private pending: Pending | null = null;
  private queue: Promise<unknown> = Promise.resolve();
  /** Whether a question has made it so large that the next one shall begin with another. */
  worn = false;
  /** Why it answers no more, where it does not. */
  private over: string | null = null;

  constructor(script: string) {
    this.worker = new Worker(script, { type: "module" });
    this.worker.onmessage = (message: MessageEvent<Posted>) => this.hear(message.data);
    this.worker.onerror = () => this.end(texts.engineFailed);
  }

  /** Whether it answers no more. */
  get ended(): boolean {
    return this.over !== null;
  }

  /** Whether a question is being worked on. */
  get busy(): boolean {
    return this.pending !== null;
  }

  /** Asks when the questions before it are answered. */
  ask<T>(ask: Ask, progress?: (event: Progress) => void): Promise<Answer<T>> {
    const asked = this.queue.then(
      () =>
        new Promise<Answer<T>>((resolve) => {
          if (this.over !== null) return resolve({ error: { message: this.over } });
          this.pending = { resolve: resolve as Pending["resolve"], progress };
          this.worker.postMessage(ask);
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
    } else if (posted.kind === "failed") {
      // A trap says nothing to a person; the console has it.
      console.error(posted.message);
      this.end(posted.loaded ? texts.engineFailed : texts.engineMissing);
    }
  }
}

/** How many workers work on one question: as many as cores are left, but no more than ways differ. */
export const AT_ONCE = Math.max(1, Math.min(3, (navigator.hardwareConcurrency || 1) - 1));

/** One engine for positions, which answers at once, and some for questions that take long. */
export class Engines {
  private player: Engine;
  /** Workers that are warm and have nothing to do. */
  private readonly idle: Engine[] = [];
  private thinking: readonly Engine[] = [];

  constructor(private readonly script: string) {
    this.player = new Engine(script);
    this.warm();
  }

  /** A question that takes milliseconds. */
  quick<T>(ask: Ask): Promise<Answer<T>> {
    if (this.player.ended) this.player = new Engine(this.script);
    return this.player.ask<T>(ask);
  }

  /**
   * A question that may take long, in one way or in several at once; it ends the one before. The
   * answer is the first one that settles it, else the last.
   */
  async long<T>(
    ways: readonly Ask[],
    settles: (answer: Answer<T>) => boolean,
    progress: (event: Progress) => void,
  ): Promise<Answer<T>> {
    this.stop();
    const mine = ways.map(() => this.idle.pop() ?? new Engine(this.script));
    this.thinking = mine;
    const answer = await new Promise<Answer<T>>((resolve) => {
      let open = ways.length;
      ways.forEach(async (way, index) => {
        const given = await mine[index]!.ask<T>(way, progress);
        open -= 1;
        if (open === 0 || settles(given)) resolve(given);
      });
    });
    if (this.thinking === mine) this.rest();
    return answer;
  }

  /** Ends the long question at once. */
  stop(): void {
    const ended = this.thinking;
    this.thinking = [];
    for (const engine of ended) engine.end(texts.stopped);
    if (ended.length > 0) this.warm();
  }

  /** The question is answered: who works on is ended, who is done is kept. */
  private rest(): void {
    for (const engine of this.thinking) {
      if (engine.ended) continue;
      if (engine.busy || engine.worn) engine.end(texts.stopped);
      else this.idle.push(engine);
    }
    this.thinking = [];
    this.warm();
  }

  private warm(): void {
    while (this.idle.length < AT_ONCE) this.idle.push(new Engine(this.script));
  }
}
