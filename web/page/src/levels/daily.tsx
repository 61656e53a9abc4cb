// The level of the day: made by the generators from the date, so that it is the same for all on one
// day, without a server. The easiest is Monday's.

import { signal } from "@preact/signals";
import * as questions from "../ask/questions";
import { badgesOf } from "../ask/verdict";
import { Thumbnail } from "../board/thumbnail";
import { engines } from "../engine/engine";
import { nameOfFamily } from "../families";
import { isRecord, keep, kept } from "../keep/keep";
import { bestOf, solvedCount } from "../keep/records";
import * as play from "../play/play";
import { Seal } from "../play/won";
import type { Generated, Level } from "../protocol";
import { taken, toBoard } from "../state";
import { texts } from "../texts";
import * as reading from "./reading";

const { level: words } = texts;

const DAY = 86_400_000;

/** The number of a day since 1970, where the person is. */
export function dayOf(now: Date): number {
  return Math.floor((now.getTime() - now.getTimezoneOffset() * 60_000) / DAY);
}

interface Recipe {
  readonly puzzle: string;
  /** Of its generator. */
  readonly options: Readonly<Record<string, string>>;
  /** The least length of its shortest solution. */
  readonly least: number;
}

const recipe = (puzzle: string, least: number, options: Recipe["options"]): Recipe => ({
  puzzle,
  options,
  least,
});

/** By the days of the week, from Sunday. */
const RECIPES: readonly Recipe[] = [
  recipe("sokoban", 18, { width: "9", height: "9", boxes: "4" }),
  recipe("sokoban", 8, { width: "7", height: "7", boxes: "2" }),
  recipe("flow", 0, { width: "6", height: "6", colours: "5" }),
  recipe("sokobond", 9, { atoms: "ohh" }),
  recipe("sokoban", 14, { boxes: "3" }),
  recipe("snowman", 10, {}),
  recipe("flow", 0, { width: "7", height: "7", colours: "6", hex: "true", walls: "3" }),
];

/** 1970 began on a Thursday. */
export const recipeOf = (day: number) => RECIPES[(day + 4) % RECIPES.length]!;

/**
 * No limit of time, so that a slow machine makes the same level: what has no proof after so many states
 * is passed over everywhere.
 */
const LIMITS = { seconds: null, megabytes: null, states: 300_000 };

interface Made extends Generated {
  readonly day: number;
}

function madeFrom(value: unknown): Made | null {
  if (!isRecord(value)) return null;
  const { day, text, verdict } = value;
  const isKnown = typeof day === "number" && typeof text === "string" && isRecord(verdict);
  return isKnown && typeof verdict["verdict"] === "string" ? (value as unknown as Made) : null;
}

/** The one that was made last. */
const made = signal<Made | null>(null);
const isMaking = signal(false);

async function make(day: number) {
  const { puzzle, options, least } = recipeOf(day);
  const ask = { ask: "generate", puzzle, options, least, seed: day, limits: LIMITS } as const;
  isMaking.value = true;
  const answer = taken(
    await engines.long<Generated>(
      "day",
      [ask],
      () => true,
      () => undefined,
    ),
  );
  isMaking.value = false;
  if (answer === null) return;
  made.value = { ...answer, day };
  keep("day", made.value);
}

/** The one of a day, once it is made. */
function madeOn(day: number): Made | null {
  const known = made.value ?? kept("day", madeFrom);
  return known?.day === day ? known : null;
}

async function open(day: number) {
  if (madeOn(day) === null) await make(day);
  const known = madeOn(day);
  if (known === null) return;
  const { puzzle } = recipeOf(day);
  if (!(await reading.read(known.text, puzzle, {}, { name: words.ofDay(day * DAY) }))) return;
  if (play.level.value) questions.note(play.level.value, null, known.verdict);
  toBoard();
}

export function Daily() {
  void solvedCount.value;
  const day = dayOf(new Date());
  const { puzzle } = recipeOf(day);
  const known = madeOn(day);
  const level: Level = { text: known?.text ?? "", puzzle, options: {}, title: null };
  const badges = known && badgesOf({ level, verdict: known.verdict, plans: null }).slice(1);
  return (
    <button class="daily" disabled={isMaking.value} onClick={() => void open(day)}>
      {known && <Thumbnail level={level} />}
      <span>
        <b>{words.today}</b>
        {known && bestOf(level) !== null && <span class="tick"> ✓</span>}
        <small>
          {[
            words.ofDay(day * DAY),
            nameOfFamily(puzzle),
            ...(isMaking.value ? [words.making] : (badges ?? [])),
          ].join(" · ")}
        </small>
      </span>
      {badges && <Seal medal="gold" label={words.sealed} />}
    </button>
  );
}
