// Solve: the verdict, and the solution as a film on the board.

import { saveCard, saveFilm } from "../keep/cards";
import * as certificates from "./certificates";
import { save } from "../keep/files";
import { NumberField } from "../frame/field";
import { Labelled } from "../frame/labelled";
import * as film from "../play/film";
import { forkView } from "../board/fork";
import * as helping from "./help-state";
import * as paths from "../board/paths";
import * as play from "../play/play";
import type { Fork, Level, SolutionReport } from "../protocol";
import * as questions from "./questions";
import { share } from "../keep/share";
import { familyOf, isMoving } from "../state";
import { Badges, badgesOf, sentenceOf } from "./verdict";
import { texts } from "../texts";

const MOST_MEGABYTES = 3500;
const ENGINES = ["auto", "search", "sat"] as const;

const { solve: words } = texts;

/** What can be done with a solution. */
function SolutionRow({
  level,
  solution,
  name,
  lines,
}: {
  level: Level;
  solution: Pick<SolutionReport, "moves">;
  name: string;
  /** What a picture says of it. */
  lines: readonly string[];
}) {
  const board = play.board.value;
  const shown =
    board !== null &&
    helping.overlay.value !== null &&
    paths.notation(board, helping.overlay.value) === solution.moves;
  const lay = () => {
    if (board === null) return;
    helping.overlay.value = shown ? null : paths.drawingFrom(board, solution.moves);
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
      <Labelled words={words.share} onClick={() => void share(level, solution.moves)} />
      <Labelled words={words.card} onClick={() => void saveCard(level, solution.moves, lines)} />
      {isMoving(level) && (
        <Labelled words={words.gif} onClick={() => void saveFilm(level, solution.moves, lines)} />
      )}
    </div>
  );
}

/** Where the shortest solutions part, and the other one of two. */
function Parting({ level, fork, lines }: { level: Level; fork: Fork; lines: readonly string[] }) {
  const ground = play.ground.value;
  if (ground?.of !== "squares") return null;
  const { words: said } = forkView(fork, fork.before, ground.sprites);
  const isShown = helping.forkShown.value === fork;
  const other = fork.ways[1];
  return (
    <>
      <p class="how">{said}</p>
      <div class="row">
        <button
          aria-pressed={isShown}
          onClick={() => (isShown ? helping.lookAway() : helping.lookAtFork(fork))}
        >
          {words.parting}
        </button>
      </div>
      {other && <SolutionRow level={level} solution={other} name={words.other} lines={lines} />}
    </>
  );
}

/** A certificate that was checked, and its files; or why there is none. */
function Certified({ proved, name }: { proved: questions.Proved; name: string }) {
  const { certificate, files, size, reason } = proved;
  const download = async () => {
    const archive = await certificates.get(name);
    if (archive) save("certificate.zip", archive, "application/zip");
  };
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
          {files !== undefined && size !== undefined && certificates.available.value.has(name) ? (
            <button class="main" onClick={() => void download()}>
              {words.save(files, words.megabytes(size))}
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
  const plans = count?.optimal_plans ?? null;
  const lines = verdict === null ? [] : badgesOf({ level, verdict, plans });
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
          <Badges level={level} verdict={verdict} plans={plans} />
          <p class="sentence">{sentenceOf(verdict)}</p>
          {!verdict.optimal && (
            <p class="bounds">{questions.bounds(verdict.lower ?? null, verdict.upper ?? null, word)}</p>
          )}
          {verdict.verdict === "unknown" && (
            <div class="row">
              <button disabled={isBusy} onClick={() => void questions.solve("any")}>
                {words.anyPlan}
              </button>
              <button disabled={isBusy} onClick={() => void questions.solveLonger()}>
                {words.longer}
              </button>
            </div>
          )}
          {verdict.solution && (
            <SolutionRow level={level} solution={verdict.solution} name="" lines={lines} />
          )}
          {(verdict.others ?? []).map((other) => (
            <SolutionRow key={other.moves} level={level} solution={other} name={words.other} lines={lines} />
          ))}
          {verdict.optimal && isMoving(level) && !count && (
            <button disabled={isBusy} onClick={() => void questions.count(verdict.objective)}>
              {words.count}
            </button>
          )}
          {count && <p class="how counted">{count.sentence}</p>}
          {count?.fork && <Parting level={level} fork={count.fork} lines={lines} />}
          <Certified proved={verdict} name={questions.levelName.value ?? ""} />
          {(verdict.how !== "" || verdict.solution) && (
            <details>
              <summary>{words.how}</summary>
              <p class="how">{verdict.sentence}</p>
              {verdict.how !== "" && <p class="how">{verdict.how}</p>}
              {verdict.certificate && <p class="how">{words.evidence(verdict.certificate.evidence)}</p>}
              {verdict.solution && <output class="notation">{verdict.solution.moves}</output>}
            </details>
          )}
        </div>
      )}
    </div>
  );
}
