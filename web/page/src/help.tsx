// Help: a hint by degrees, what went wrong, what is certain.

import { useEffect } from "preact/hooks";
import { useLong, Working, unit } from "./long";
import type { Degree, Diagnosis, Forced, Hint } from "./protocol";
import * as store from "./store";
import { texts } from "./texts";

const LIMITS = { seconds: 60, megabytes: 1500 };
const DEGREES: readonly Degree[] = ["solvable", "piece", "move", "plan"];

function Hints() {
  const level = store.level.value;
  const hint = useLong<Hint>();
  useEffect(() => hint.clear(), [level, store.moves.value.now]);
  if (level === null) return null;
  return (
    <section>
      <h3>{texts.help.hint}</h3>
      <div class="row">
        {DEGREES.map((degree) => (
          <button key={degree} disabled={hint.running} onClick={() => void hint.ask({ ask: "hint", level, moves: store.moves.value.now, degree, limits: LIMITS })}>
            {texts.help.degree[degree]}
          </button>
        ))}
      </div>
      <Working long={hint} unit={unit(level, "pushes")} />
      {hint.answer !== null && (
        <div class="verdict">
          <p class="sentence">{hint.answer.sentence}</p>
          {hint.answer.svg !== null && (
            <div class="picture" role="img" aria-label={texts.help.hinted} dangerouslySetInnerHTML={{ __html: hint.answer.svg }} />
          )}
          {hint.answer.moves !== "" && (
            <button onClick={() => hint.answer && void store.make(hint.answer.moves)}>{texts.help.doIt}</button>
          )}
        </div>
      )}
    </section>
  );
}

function Diagnoses() {
  const level = store.level.value;
  const diagnosis = useLong<Diagnosis>();
  useEffect(() => diagnosis.clear(), [level, store.moves.value.now]);
  if (level === null) return null;
  const answer = diagnosis.answer;
  return (
    <section>
      <h3>{texts.help.diagnose}</h3>
      <div class="row">
        <button disabled={diagnosis.running || store.moves.value.now === ""} onClick={() => void diagnosis.ask({ ask: "diagnose", level, moves: store.moves.value.now, limits: LIMITS })}>
          {texts.help.diagnose}
        </button>
      </div>
      <Working long={diagnosis} unit={unit(level, "pushes")} />
      {answer !== null && (
        <div class="verdict">
          <p class="sentence">{answer.sentence}</p>
          <ol class="moves" aria-label={texts.help.diagnose}>
            {answer.moves.map((move, index) => {
              const word = move.class === null ? texts.help.unknown : texts.help.legend[move.class];
              const cost = move.cost ? ` +${move.cost}` : "";
              return <li key={index} class={move.class ?? "unknown"} title={`${index + 1}: ${word}${cost}`}>{move.move}</li>;
            })}
          </ol>
          <p class="legend">
            {(["free", "costly", "fatal"] as const).map((name) => (
              <span key={name}><i class={name} /> {texts.help.legend[name]}</span>
            ))}
          </p>
          {answer.reason !== null && <p>{answer.reason}</p>}
          {answer.svg !== null && (
            <div class="picture" role="img" aria-label={texts.help.lost} dangerouslySetInnerHTML={{ __html: answer.svg }} />
          )}
        </div>
      )}
    </section>
  );
}

function Certain() {
  const level = store.level.value;
  const forced = useLong<Forced>();
  useEffect(() => forced.clear(), [level]);
  if (level === null) return null;
  return (
    <section>
      <h3>{texts.help.forced}</h3>
      <div class="row">
        <button disabled={forced.running} onClick={() => void forced.ask({ ask: "forced", level, limits: LIMITS })}>{texts.help.forced}</button>
      </div>
      <Working long={forced} unit="" />
      {forced.answer !== null && (
        <div class="verdict">
          <p class="sentence">{forced.answer.sentence}</p>
          {forced.answer.svg !== null && (
            <div class="picture" role="img" aria-label={texts.help.certain} dangerouslySetInnerHTML={{ __html: forced.answer.svg }} />
          )}
          <ol>{forced.answer.steps.map((step, index) => <li key={index}>{step.what} <small>{step.why}</small></li>)}</ol>
        </div>
      )}
    </section>
  );
}

export function HelpPanel() {
  const level = store.level.value;
  if (level === null) return <p>{texts.level.paste}</p>;
  return store.isMoving(level) ? <><Hints /><Diagnoses /></> : <Certain />;
}
