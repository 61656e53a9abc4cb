// What is worked on: seen on the board, and stopped from there. A solution that was found on the way
// can be watched at once.

import { solver } from "../engine/engine";
import * as film from "../play/film";
import { level as open } from "../play/play";
import type { Level } from "../protocol";
import { texts } from "../texts";
import { bounds, objectiveOf, running, stop, unit, type Running } from "./questions";

/** The words of the engine say the bounds, too: they stand beside it once. */
const withoutBounds = (doing: string) =>
  doing.replace(/:? ?(at least|at most) \d+(, at most \d+)?( \w+)?,? ?/g, " ").trim();

/** A solution that was found on the way. */
function Found({ level, moves, upper }: { level: Level; moves: string; upper: number | null }) {
  const count = upper === null ? "" : `${upper} ${unit(level, objectiveOf(level))}`;
  return (
    <button class="main" onClick={() => void film.open(level, moves).then(film.run)}>
      {texts.solve.watchNow(count)}
    </button>
  );
}

function One({ lane, level, progress }: Running) {
  const word = unit(level, lane === "solve" ? objectiveOf(level) : "pushes");
  const isOther = open.value !== null && level !== open.value;
  const loaded = solver.loaded.value;
  return (
    <div class="working" role="status">
      {loaded < 1 ? (
        <progress aria-label={texts.solverLoading} max={1} value={loaded} />
      ) : (
        <progress aria-label={texts.solve.run} />
      )}
      <p>
        {isOther && <b>{level.title ?? level.puzzle}: </b>}
        <b>{progress === null ? "" : bounds(progress.lower, progress.upper, word)}</b>{" "}
        <small>{loaded < 1 ? texts.solverLoading : withoutBounds(progress?.doing ?? "")}</small>
      </p>
      {progress?.moves && !isOther && <Found level={level} moves={progress.moves} upper={progress.upper} />}
      <button onClick={() => stop(lane)}>{texts.stop}</button>
    </div>
  );
}

export function Working() {
  const all = [...running.value.values()].filter(({ lane }) => lane === "solve" || lane === "help");
  return (
    <>
      {all.map((one) => (
        <One key={one.lane} {...one} />
      ))}
    </>
  );
}
