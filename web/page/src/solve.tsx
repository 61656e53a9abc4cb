// Solve: the verdict, and the solution as a film.

import { useEffect, useState } from "preact/hooks";
import { AT_ONCE } from "./engine";
import { stepsOf } from "./families";
import { NumberField } from "./field";
import { copyLink } from "./link-copy";
import { bounds, unit, useLong, Working } from "./long";
import { save } from "./files";
import type { Count, Level, Limits, Proved, Shown, Solution } from "./protocol";
import * as store from "./store";
import { texts } from "./texts";

/** Most memory of a question, in megabytes, unless the person says otherwise: WebAssembly has 4 GiB at most. */
const MEGABYTES = 1500;
const MOST_MEGABYTES = 3500;
const ENGINES = ["auto", "search", "sat"] as const;

/** A solution step by step. */
function Film({ level, solution }: { level: Level; solution: Solution }) {
  const moving = store.isMoving(level);
  const steps = moving ? stepsOf(solution.moves) : [];
  const [at, setAt] = useState(0);
  const [running, setRunning] = useState(false);
  const [speed, setSpeed] = useState(4);
  const [shown, setShown] = useState<Shown | null>(null);
  const { solve: words } = texts;

  useEffect(() => {
    let current = true;
    const moves = moving ? steps.slice(0, at).join("") : solution.moves;
    void store.engines.quick<Shown>({ ask: "show", level, moves }).then((answer) => {
      if (current) setShown(store.taken(answer));
    });
    return () => {
      current = false;
    };
  }, [at, level, solution.moves]);

  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => {
      setAt((now) => {
        if (now >= steps.length) setRunning(false);
        return Math.min(now + 1, steps.length);
      });
    }, 1000 / speed);
    return () => clearInterval(timer);
  }, [running, speed, steps.length]);

  const start = () => {
    if (at >= steps.length) setAt(0);
    setRunning(!running);
  };
  return (
    <figure class="film">
      <div class="picture" dangerouslySetInnerHTML={{ __html: shown?.svg ?? "" }} />
      <figcaption>{words.film}</figcaption>
      {moving && (
        <>
          <input
            type="range" min={0} max={steps.length} value={at} aria-label={words.film}
            onInput={(event) => setAt(Number(event.currentTarget.value))}
          />
          <div class="row">
            <button aria-label={words.first} onClick={() => setAt(0)}>|◀</button>
            <button aria-label={words.back} onClick={() => setAt(Math.max(0, at - 1))}>◀</button>
            <button onClick={start}>{running ? words.pause : words.play}</button>
            <button aria-label={words.on} onClick={() => setAt(Math.min(steps.length, at + 1))}>▶</button>
            <span class="steps">{`${at} / ${steps.length}`}</span>
            <label>
              {words.speed}
              <input type="range" min={1} max={30} value={speed} onInput={(event) => setSpeed(Number(event.currentTarget.value))} />
            </label>
            <button onClick={() => void store.open(level, steps.slice(0, at).join(""))}>{words.take}</button>
            <button onClick={() => void copyLink(solution.moves)}>{words.share}</button>
          </div>
          <output class="notation">{solution.moves}</output>
        </>
      )}
      {!moving && <button onClick={() => void copyLink(solution.moves)}>{words.share}</button>}
    </figure>
  );
}

/** A certificate that was checked, and its files; or why there is none. */
function Certified({ proved }: { proved: Proved }) {
  const { solve: words } = texts;
  const { certificate, archive, files, reason } = proved;
  const list = (name: string, sentences: readonly string[]) => (
    <details>
      <summary>{name}</summary>
      <ul>{sentences.map((sentence) => <li key={sentence}>{sentence}</li>)}</ul>
    </details>
  );
  return (
    <>
      {certificate && archive && files && (
        <section class="certificate" aria-label={words.certified}>
          <p><b>{words.certified}</b>: {certificate.claim} ({certificate.evidence}).</p>
          {list(words.checked, certificate.checked)}
          {list(words.trusted, certificate.trusted)}
          <button class="main" onClick={() => save("certificate.zip", archive, "application/zip")}>
            {words.save(files.length, words.megabytes(archive.length))}
          </button>
        </section>
      )}
      {reason !== undefined && <p class="how">{reason}</p>}
    </>
  );
}

/** Whether a shortest solution is the only one: asked by a button, for it may take as long again. */
function Counted({ level, objective, limits }: { level: Level; objective: string; limits: Limits }) {
  const counting = useLong<Count>();
  return (
    <>
      {counting.answer === null && !counting.running && (
        <button onClick={() => void counting.ask({ ask: "count", level, objective, limits })}>{texts.solve.count}</button>
      )}
      <Working long={counting} unit={unit(level, objective)} />
      {counting.answer !== null && <p class="how">{counting.answer.sentence}</p>}
    </>
  );
}

export function SolvePanel() {
  const level = store.level.value;
  const family = store.families.value.find((family) => family.name === level?.puzzle);
  const [objective, setObjective] = useState("");
  const [engine, setEngine] = useState<string>("auto");
  const [seconds, setSeconds] = useState(60);
  const [megabytes, setMegabytes] = useState(MEGABYTES);
  const [formulas, setFormulas] = useState(true);
  const solving = useLong<Proved>();
  useEffect(() => solving.clear(), [level]);
  if (level === null || family === undefined) return <p>{texts.level.paste}</p>;
  const wanted = family.objectives.includes(objective) ? objective : (family.objectives[0] ?? "any");
  const limits = { seconds, megabytes };
  const word = unit(level, wanted);
  const verdict = solving.answer;
  const busy = solving.running;
  // Where there are cores for it, what one worker does in turn others do all the time.
  const ways = engine === "auto" && family.moves ? ["auto", "sat", "search"].slice(0, AT_ONCE) : [engine];
  const solve = async () => {
    const asks = ways.map((engine) => ({ ask: "solve", ...question, engine }) as const);
    const found = await solving.ask(asks, (answer) => answer.verdict !== "unknown" && answer.stopped_by === null);
    if (found !== null) store.learn(level, found);
  };
  const prove = async () => {
    const found = await solving.ask({ ask: "prove", ...question, formulas });
    if (found !== null) store.learn(level, found);
  };
  const question = { level, objective: wanted, engine: family.moves ? engine : "auto", limits };
  return (
    <div>
      <div class="row">
        <label>
          {texts.solve.objective}
          <select value={wanted} onChange={(event) => setObjective(event.currentTarget.value)}>
            {family.objectives.map((name) => <option key={name}>{name}</option>)}
          </select>
        </label>
        {family.moves && (
          <label>
            {texts.solve.engine}
            <select value={engine} onChange={(event) => setEngine(event.currentTarget.value)}>
              {ENGINES.map((name) => <option key={name}>{name}</option>)}
            </select>
          </label>
        )}
        <label>
          {texts.solve.seconds}
          <NumberField min={1} max={86400} value={seconds} set={setSeconds} />
        </label>
        <label>
          {texts.solve.memory}
          <NumberField min={64} max={MOST_MEGABYTES} value={megabytes} set={setMegabytes} />
        </label>
        <button class="main" disabled={busy} onClick={() => void solve()}>
          {texts.solve.run}
        </button>
        <button disabled={busy} onClick={() => void prove()}>{texts.solve.prove}</button>
      </div>
      <label class="beside">
        <input type="checkbox" checked={formulas} onChange={(event) => setFormulas(event.currentTarget.checked)} />
        {texts.solve.formulas}
      </label>
      <Working long={solving} unit={word} />
      {verdict !== null && !solving.running && (
        <div class={`verdict ${verdict.verdict}`}>
          <p class="sentence">{verdict.sentence}</p>
          {verdict.how !== "" && !verdict.certificate && <p class="how">{verdict.how}</p>}
          {verdict.optimal && family.moves && <Counted key={verdict.objective} level={level} objective={verdict.objective} limits={limits} />}
          <Certified proved={verdict} />
          {!verdict.optimal && <p>{bounds(verdict.lower, verdict.upper, word)}</p>}
          {verdict.solution !== null && <Film key={verdict.solution.moves} level={level} solution={verdict.solution} />}
          {(verdict.others ?? []).map((other) => (
            <details key={other.moves}>
              <summary>{texts.solve.other}</summary>
              <Film level={level} solution={other} />
            </details>
          ))}
        </div>
      )}
    </div>
  );
}
