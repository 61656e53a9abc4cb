// The line under the board: what was made, beside the best that is known; and what is said.

import * as helping from "../ask/help-state";
import { FAMILY_UI } from "../families";
import * as records from "../keep/records";
import type { Position } from "../protocol";
import * as state from "../state";
import { texts } from "../texts";
import * as film from "./film";
import * as play from "./play";

interface Counted {
  name: (count: number) => string;
  measure: records.Measure;
  now: number;
}

/** How many were made; beside it the player's best and the best known. */
function Counter({ name, measure, now }: Counted) {
  const [best, known] = [records.best.value[measure], records.known.value[measure]];
  const others = [
    ...(best === undefined ? [] : [`${texts.play.best} ${best}`]),
    ...(known === undefined
      ? []
      : [`${known.shortest ? texts.play.shortest : texts.play.known} ${known.length}`]),
  ];
  return (
    <span>
      <b>{now}</b> {name(now)}
      {others.length > 0 && <small> ({others.join(", ")})</small>}
    </span>
  );
}

function Counters({ position }: { position: Position }) {
  const measures = FAMILY_UI[play.level.value?.puzzle ?? ""]?.measures;
  if (!measures || play.board.value !== null) return null;
  return (
    <p class="counters">
      <Counter name={measures.moves} measure="moves" now={position.tally.moves} />
      {measures.pushes !== null && (
        <Counter name={measures.pushes} measure="pushes" now={position.tally.pushes} />
      )}
    </p>
  );
}

export function Status() {
  const position = film.film.value?.position ?? play.position.value;
  const remark = state.remark.value;
  return (
    <div class="status">
      {!state.painting.value && position && <Counters position={position} />}
      <p class={remark === texts.play.solved ? "remark unseen" : "remark"} role="status" aria-live="polite">
        {remark}
        {helping.warning.value.length > 0 && (
          <button class="why" onClick={helping.askWhy}>
            {texts.help.why}
          </button>
        )}
      </p>
      <p class="unseen" aria-live="polite">
        {play.spoken.value}
      </p>
      {remark === "" && !state.painting.value && <small class="keys">{texts.play.keys}</small>}
    </div>
  );
}
