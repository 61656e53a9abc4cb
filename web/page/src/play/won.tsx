// Winning, on the board: what it means, and the way on.

import { saveCard } from "../keep/cards";
import { FAMILY_UI } from "../families";
import { Labelled } from "../frame/labelled";
import * as records from "../keep/records";
import { share } from "../keep/share";
import * as reading from "../levels/reading";
import type { Level } from "../protocol";
import { familyOf } from "../state";
import { texts } from "../texts";
import * as film from "./film";
import * as play from "./play";

const { play: words } = texts;

/** As near to the shortest as silver is. */
const SILVER = 1.1;

type Medal = "gold" | "silver" | "bronze";

/** What a win is worth, by what is known of the shortest solutions. */
function judged(level: Level): { readonly medal: Medal; readonly said: string; readonly count: string } {
  const tally = play.position.value?.tally;
  const measures = FAMILY_UI[level.puzzle]?.measures;
  if (play.board.value !== null) return { medal: "gold", said: words.wonDrawing, count: "" };
  const { pushes, moves } = records.known.value;
  const isOfPushes = pushes || (!moves && familyOf(level)?.objectives[0] === "pushes");
  const measure = measures?.pushes && isOfPushes ? "pushes" : "moves";
  const count = (number: number) => `${number} ${(measures?.[measure] ?? measures?.moves)?.(number) ?? ""}`;
  const [mine, known] = [tally?.[measure] ?? 0, records.known.value[measure]];
  if (!known?.shortest) return { medal: "bronze", said: words.won(count(mine)), count: count(mine) };
  if (mine <= known.length)
    return { medal: "gold", said: words.wonShortest(count(mine)), count: count(mine) };
  const medal = mine <= known.length * SILVER ? "silver" : "bronze";
  return { medal, said: words.wonLonger(count(mine), count(known.length)), count: count(mine) };
}

export function Seal({ medal, label = words.medals[medal] }: { medal: Medal; label?: string }) {
  const points = Array.from({ length: 32 }, (_, at) => {
    const [angle, radius] = [(at * Math.PI) / 16, at % 2 === 0 ? 29 : 25];
    return `${32 + radius * Math.sin(angle)},${32 - radius * Math.cos(angle)}`;
  });
  return (
    <svg class={`seal ${medal}`} viewBox="0 0 64 64" role="img" aria-label={label}>
      <polygon points={points.join(" ")} />
      <circle cx="32" cy="32" r="20" />
      <path d="M22 33l7 7 14-16" />
    </svg>
  );
}

export const isWon = () =>
  play.level.value !== null && play.solved.value && !play.isPassing.value && film.film.value === null;

/** Goes on to the next level, where there is one. */
export function next() {
  const go = reading.nextLevel();
  if (go === null) return false;
  void go();
  return true;
}

export function Won() {
  const level = play.level.value;
  if (level === null || !isWon()) return null;
  const { medal, said, count } = judged(level);
  const record = { count, shortest: medal === "gold" && count !== "" };
  return (
    <div class="won">
      <Seal medal={medal} />
      <div>
        <p>
          <b>{words.solved}</b> {said}
        </p>
        <div class="row">
          {reading.nextLevel() && (
            <button class="main" onClick={next}>
              {words.next}
            </button>
          )}
          <button onClick={() => void share(level, play.made.value, record)}>{words.challenge}</button>
          <button onClick={play.restart}>{words.again}</button>
          <Labelled words={texts.solve.card} onClick={() => void saveCard(level, "", [words.solved, said])} />
        </div>
      </div>
    </div>
  );
}
