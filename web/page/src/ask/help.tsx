// Help: a hint by degrees, what went wrong, what is certain; the board shows all of it.

import * as help from "./help-state";
import * as play from "../play/play";
import type { HintLevel, ShownDiagnosis } from "../protocol";
import * as questions from "./questions";
import { isMoving } from "../state";
import { texts } from "../texts";

const DEGREES: readonly HintLevel[] = ["solvable", "piece", "move", "plan"];

const { help: words } = texts;

function Hints() {
  const hint = questions.hints.answer(questions.positionName.value);
  const moves = hint?.moves;
  const isBusy = questions.running.value.has("help");
  return (
    <section class="hint">
      <h3>{words.hint}</h3>
      <div class="row">
        {DEGREES.map((degree) => (
          <button key={degree} disabled={isBusy} onClick={() => void help.askHint(degree)}>
            {words.degree[degree]}
          </button>
        ))}
      </div>
      {hint !== null && (
        <div class="verdict">
          <p class="sentence">{help.hintWords(hint)}</p>
          {moves && (
            <div class="row">
              <button onClick={() => void play.make(moves)}>{words.doIt}</button>
              <button onClick={() => void help.watchOn(moves)}>{words.watch}</button>
            </div>
          )}
        </div>
      )}
    </section>
  );
}

/** The moves that were made, each with what it did; a tap shows the position before it. */
function Moves({ answer }: { answer: ShownDiagnosis }) {
  return (
    <ol class="moves" aria-label={words.diagnose}>
      {answer.moves.map(({ move, class: name, cost }, index) => {
        const word = name === null ? words.unknown : words.legend[name as keyof typeof words.legend];
        const title = `${index + 1}: ${word}${cost ? ` +${cost}` : ""}`;
        return (
          <li key={index} class={name ?? "unknown"}>
            <button
              title={title}
              aria-label={title}
              onClick={() => void help.look(index, index === answer.shown ? answer.marks : [])}
            >
              {help.arrows(move)}
            </button>
          </li>
        );
      })}
    </ol>
  );
}

function Diagnoses() {
  const answer = questions.diagnoses.answer(questions.positionName.value);
  const isBusy = questions.running.value.has("help");
  const isStart = play.made.value === "";
  return (
    <section class="diagnosis">
      <h3>{words.wrong}</h3>
      <div class="row">
        <button disabled={isBusy || isStart} onClick={() => void help.askDiagnosis()}>
          {words.diagnose}
        </button>
        {help.positionShown.value && <button onClick={help.lookAway}>{words.back}</button>}
      </div>
      {isStart && <p class="how">{words.noMoves}</p>}
      {answer !== null && (
        <div class="verdict">
          <p class="sentence">{answer.summary}</p>
          {answer.reason !== null && <p>{answer.reason.text}</p>}
          <Moves answer={answer} />
          <p class="legend">
            {(["free", "costly", "fatal"] as const).map((name) => (
              <span key={name}>
                <i class={name} /> {words.legend[name]}
              </span>
            ))}
          </p>
        </div>
      )}
    </section>
  );
}

function Certain() {
  const answer = questions.facts.answer(questions.levelName.value);
  const isBusy = questions.running.value.has("help");
  const shown = help.factShown.value;
  return (
    <section class="certain">
      <h3>{words.forced}</h3>
      <div class="row">
        <button class="main" disabled={isBusy} onClick={() => void help.askFact()}>
          {words.line}
        </button>
      </div>
      {answer !== null && (
        <div class="verdict">
          {shown !== null && <p class="next">{help.factWords(shown)}</p>}
          <p class="sentence">{answer.sentence}</p>
          <details>
            <summary>{words.all}</summary>
            <ol>
              {help.factsOf(answer).map((step) => (
                <li key={step.fact}>
                  {step.value ? step.words : words.not(step.words)} <small>{help.why(step)}</small>
                </li>
              ))}
            </ol>
          </details>
        </div>
      )}
    </section>
  );
}

export function HelpPanel() {
  const level = play.level.value;
  if (level === null) return <p>{texts.level.paste}</p>;
  return isMoving(level) ? (
    <>
      <Hints />
      <Diagnoses />
    </>
  ) : (
    <Certain />
  );
}
