// Solve: the verdict, and the solution as a film on the board.

import { save } from "./files";
import { NumberField } from "./field";
import * as film from "./film";
import { overlay } from "./help-state";
import * as paths from "./paths";
import * as play from "./play";
import type { Level, Solution } from "./protocol";
import * as questions from "./questions";
import { share } from "./share";
import { familyOf, isMoving } from "./state";
import { Badges, sentenceOf } from "./verdict";
import { texts } from "./texts";

const MOST_MEGABYTES = 3500;
const ENGINES = ["auto", "search", "sat"] as const;

const { solve: words } = texts;

/** What can be done with a solution. */
function SolutionRow({ level, solution, name }: { level: Level; solution: Solution; name: string }) {
  const board = play.board.value;
  const shown =
    board !== null && overlay.value !== null && paths.notation(board, overlay.value) === solution.moves;
  const lay = () => {
    if (board === null) return;
    overlay.value = shown ? null : paths.drawingFrom(board, solution.moves);
  };
  return (
    <div class="row solution">
      {name !== "" && <b>{name}</b>}
      {isMoving(level) ? (
        <button class="main" onClick={() => void film.open(level, solution.moves).then(film.run)}>
          {words.watch}
        </button>
      ) : (
        <button class="main" aria-pressed={shown} onClick={lay}>
          {shown ? words.hide : words.show}
        </button>
      )}
      <button onClick={() => void share(level, solution.moves)}>{words.share}</button>
    </div>
  );
}

/** A certificate that was checked, and its files; or why there is none. */
function Certified({ proved }: { proved: questions.Proved }) {
  const { certificate, archive, files, reason } = proved;
  const list = (name: string, sentences: readonly string[]) => (
    <details>
      <summary>{name}</summary>
      <ul>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </details>
  );
  return (
    <>
      {certificate && (
        <section class="certificate" aria-label={words.certified}>
          <p>
            <b>{words.certified}</b>: {certificate.claim}.
          </p>
          {list(words.checked, certificate.checked)}
          {list(words.trusted, certificate.trusted)}
          {archive && files !== undefined ? (
            <button class="main" onClick={() => save("certificate.zip", archive, "application/zip")}>
              {words.save(files, words.megabytes(archive.length))}
            </button>
          ) : (
            <p class="how">{words.again}</p>
          )}
        </section>
      )}
      {reason !== undefined && <p class="how">{reason}</p>}
    </>
  );
}

function Settings({ level }: { level: Level }) {
  const { settings } = questions;
  const set = (next: Partial<typeof settings.value>) => (settings.value = { ...settings.value, ...next });
  const family = familyOf(level);
  return (
    <details class="advanced">
      <summary>{words.advanced}</summary>
      <div class="row">
        <label>
          {words.objective}
          <select
            value={questions.objectiveOf(level)}
            onChange={(event) => set({ objective: event.currentTarget.value })}
          >
            {family?.objectives.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        {family?.moves && (
          <label>
            {words.engine}
            <select
              value={settings.value.engine}
              onChange={(event) => set({ engine: event.currentTarget.value })}
            >
              {ENGINES.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
        )}
        <label>
          {words.seconds}
          <NumberField
            min={1}
            max={86400}
            value={settings.value.seconds}
            set={(seconds) => set({ seconds })}
          />
        </label>
        <label>
          {words.memory}
          <NumberField
            min={32}
            max={MOST_MEGABYTES}
            value={settings.value.megabytes}
            set={(megabytes) => set({ megabytes })}
          />
        </label>
      </div>
      <label class="beside">
        <input
          type="checkbox"
          checked={settings.value.formulas}
          onChange={(event) => set({ formulas: event.currentTarget.checked })}
        />
        {words.formulas}
      </label>
    </details>
  );
}

export function SolvePanel() {
  const level = play.level.value;
  if (level === null) return <p>{texts.level.paste}</p>;
  const verdict = questions.verdicts.answer(questions.levelName.value);
  const count = verdict && questions.counts.answer(questions.countName(level, verdict.objective));
  const isBusy = questions.running.value.has("solve");
  const word = questions.unit(level, verdict?.objective ?? "");
  return (
    <div>
      <div class="row">
        <button class="main" disabled={isBusy} onClick={() => void questions.solve()}>
          {words.run}
        </button>
        <button disabled={isBusy} onClick={() => void questions.prove()}>
          {words.prove}
        </button>
      </div>
      <Settings level={level} />
      {verdict !== null && (
        <div class={`verdict ${verdict.verdict}`}>
          <Badges level={level} verdict={verdict} plans={count?.plans ?? null} />
          <p class="sentence">{sentenceOf(verdict)}</p>
          {!verdict.optimal && <p class="bounds">{questions.bounds(verdict.lower, verdict.upper, word)}</p>}
          {verdict.solution !== null && <SolutionRow level={level} solution={verdict.solution} name="" />}
          {(verdict.others ?? []).map((other) => (
            <SolutionRow key={other.moves} level={level} solution={other} name={words.other} />
          ))}
          {verdict.optimal && isMoving(level) && !count && (
            <button disabled={isBusy} onClick={() => void questions.count(verdict.objective)}>
              {words.count}
            </button>
          )}
          {count && <p class="how counted">{count.sentence}</p>}
          <Certified proved={verdict} />
          {(verdict.how !== "" || verdict.solution !== null) && (
            <details>
              <summary>{words.how}</summary>
              <p class="how">{verdict.sentence}</p>
              {verdict.how !== "" && <p class="how">{verdict.how}</p>}
              {verdict.certificate && <p class="how">{words.evidence(verdict.certificate.evidence)}</p>}
              {verdict.solution !== null && <output class="notation">{verdict.solution.moves}</output>}
            </details>
          )}
        </div>
      )}
    </div>
  );
}
