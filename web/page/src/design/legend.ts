// The characters of a PuzzleScript game's maps, and how each looks: its legend names them, the engine
// draws them.

import { effect, signal } from "@preact/signals";
import type { Figure, Opened, Sprite } from "../protocol";
import { Session } from "../play/session";

/** What a character of a map stands for. */
export interface Letter {
  readonly name: string;
  /** What is drawn, the lowest first, with what the numbers of figures mean. */
  readonly figures: readonly Figure[];
  readonly sprites: readonly Sprite[];
}

export type Legend = ReadonlyMap<string, Letter>;

const LEVELS = /^\s*levels\s*$/im;

/** The characters that a map can have, with what the legend says of each. */
export function lettersOf(text: string): ReadonlyMap<string, string> {
  const begin = /^\s*legend\s*$/im.exec(text);
  const end = /^\s*(sounds|collisionlayers)\s*$/im.exec(text);
  if (begin === null || end === null) return new Map();
  const lines = text.slice(begin.index + begin[0].length, end.index).split("\n");
  // What is one thing or another stands in rules, not in maps.
  const pairs = lines.flatMap((line) => {
    const [, glyph, name] = /^\s*(\S)\s*=\s*(.+?)\s*$/.exec(line) ?? [];
    return glyph && name && !/\bor\b|^=+$/i.test(name) ? [[glyph, name.toLowerCase()] as const] : [];
  });
  return new Map(pairs);
}

async function drawn(head: string, letters: ReadonlyMap<string, string>): Promise<Legend> {
  const plain: Legend = new Map(
    [...letters].map(([glyph, name]) => [glyph, { name, figures: [], sprites: [] }]),
  );
  const text = `${head}\n${[...letters.keys()].join("")}\n`;
  const session = new Session({ text, puzzle: "puzzlescript", options: {}, title: null }, () => "");
  const answer = await session.open("");
  session.close();
  if ("error" in answer || answer.ok.ground.of !== "squares") return plain;
  const { ground, position } = answer.ok as Opened & { ground: { sprites: readonly Sprite[] } };
  const at = (column: number) => position.figures.filter(({ places: [place] }) => place?.[1] === column);
  return new Map(
    [...plain].map(([glyph, letter], column) => [
      glyph,
      { ...letter, figures: at(column), sprites: ground.sprites },
    ]),
  );
}

export const legend = signal<Legend>(new Map());

/** Follows the text that is edited, where it is a game. */
export function follow(text: () => string | null) {
  let known = "";
  effect(() => {
    const whole = text();
    const end = whole === null ? null : LEVELS.exec(whole);
    const head = whole !== null && end ? whole.slice(0, end.index + end[0].length) : "";
    if (head === known) return;
    known = head;
    const letters = lettersOf(head);
    if (letters.size === 0) {
      legend.value = new Map();
      return;
    }
    void drawn(head, letters).then((found) => {
      if (known === head) legend.value = found;
    });
  });
}
