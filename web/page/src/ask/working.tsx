// What is worked on: seen from everywhere on the page, and stopped from there.

import { solver } from "../engine/engine";
import { level as open } from "../play/play";
import { bounds, objectiveOf, running, stop, unit, type Running } from "./questions";
import { texts } from "../texts";

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
        {loaded < 1 ? texts.solverLoading : (progress?.doing ?? "")}{" "}
        <b>{progress === null ? "" : bounds(progress.lower, progress.upper, word)}</b>
      </p>
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
