// A level that the engine keeps open. The engine may have dropped it, or be another one by now:
// then it is opened again, where it stood.

import { engines } from "../engine/engine";
import type { Answer, Judged, Level, Opened, Played, Position, QuickAsk, Way } from "../protocol";

let last = 0;

export class Session {
  private readonly id = (last += 1);

  /** `moves` gives all that were made when the level must be opened again. */
  constructor(
    readonly level: Level,
    private readonly moves: () => string,
  ) {}

  open(moves: string): Promise<Answer<Opened>> {
    return engines.quick<Opened>({ ask: "open", id: this.id, level: this.level, moves });
  }

  close() {
    void engines.quick<null>({ ask: "close", id: this.id });
  }

  play(at: number, moves: string): Promise<Answer<Played>> {
    return this.ask<Played>({ ask: "play", id: this.id, at, moves });
  }

  view(at: number): Promise<Answer<Position>> {
    return this.ask<Position>({ ask: "view", id: this.id, at });
  }

  walk(at: number, to: [number, number]): Promise<Answer<Way>> {
    return this.ask<Way>({ ask: "walk", id: this.id, at, to });
  }

  drag(at: number, from: [number, number], to: [number, number]): Promise<Answer<Way>> {
    return this.ask<Way>({ ask: "drag", id: this.id, at, from, to });
  }

  reached(at: number, from: [number, number]): Promise<Answer<[number, number][]>> {
    return this.ask<[number, number][]>({ ask: "reached", id: this.id, at, from });
  }

  judge(drawing: string): Promise<Answer<Judged>> {
    return this.ask<Judged>({ ask: "judge", id: this.id, drawing });
  }

  private async ask<T>(question: QuickAsk): Promise<Answer<T>> {
    const answer = await engines.quick<T>(question);
    if (!("error" in answer && answer.error.closed)) return answer;
    const opened = await this.open(this.moves());
    return "error" in opened ? opened : engines.quick<T>(question);
  }
}
