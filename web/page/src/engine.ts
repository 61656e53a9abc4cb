// The engine beside the page: each worker holds the whole library as WebAssembly.
//
// A worker that computes hears nothing, so Stop means ending it. A spare one is kept warm, so that
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
  | { kind: "failed"; message: string }
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

  constructor(script: string) {
    this.worker = new Worker(script, { type: "module" });
    this.worker.onmessage = (message: MessageEvent<Posted>) => this.hear(message.data);
    this.worker.onerror = (event) => this.end(event.message || texts.engineFailed);
  }

  /** Asks when the questions before it are answered. */
  ask<T>(ask: Ask, progress?: (event: Progress) => void): Promise<Answer<T>> {
    const asked = this.queue.then(
      () =>
        new Promise<Answer<T>>((resolve) => {
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
      this.end(posted.message);
    }
  }
}

/** One engine for positions, which answers at once, and one for questions that take long. */
export class Engines {
  private readonly player: Engine;
  private thinker: Engine;
  private spare: Engine;
  private thinking = false;

  constructor(private readonly script: string) {
    this.player = new Engine(script);
    this.thinker = new Engine(script);
    this.spare = new Engine(script);
  }

  /** A question that takes milliseconds. */
  quick<T>(ask: Ask): Promise<Answer<T>> {
    return this.player.ask<T>(ask);
  }

  /** A question that may take long; it ends the one before. */
  async long<T>(ask: Ask, progress: (event: Progress) => void): Promise<Answer<T>> {
    this.stop();
    this.thinking = true;
    const thinker = this.thinker;
    const answer = await thinker.ask<T>(ask, progress);
    if (thinker !== this.thinker) return answer;
    this.thinking = false;
    if (thinker.worn) this.replace().end(texts.stopped);
    return answer;
  }

  /** Ends the long question at once. */
  stop(): void {
    if (!this.thinking) return;
    this.thinking = false;
    this.replace().end(texts.stopped);
  }

  /** Puts the spare worker in the place of the thinking one, which is given back. */
  private replace(): Engine {
    const ended = this.thinker;
    this.thinker = this.spare;
    this.spare = new Engine(this.script);
    return ended;
  }
}
