// Which level: one of ours, of a collection, or pasted, dropped, opened.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Downloads } from "../keep/downloads";
import { nameOfFamily } from "../families";
import { Options } from "./options";
import * as play from "../play/play";
import type { Level } from "../protocol";
import * as reading from "./reading";
import { bestOf, solvedCount } from "../keep/records";
import { share } from "../keep/share";
import { families } from "../state";
import { Thumbnail } from "../board/thumbnail";
import { texts } from "../texts";

const { level: words } = texts;

/** One of several levels, with its picture, and a tick where it was solved. */
function Card(props: { level: Level; name: string; onOpen(): void }) {
  void solvedCount.value;
  const [level, setLevel] = useState(props.level);
  const isSolved = bestOf(level) !== null;
  const isOpen = play.level.value?.text === level.text;
  return (
    <button class={isOpen ? "card open" : "card"} aria-current={isOpen} onClick={props.onOpen}>
      <Thumbnail level={props.level} onRead={setLevel} />
      <span class="name">
        {props.name}
        {isSolved && (
          <span class="tick" role="img" aria-label={words.solvedMark}>
            ✓
          </span>
        )}
      </span>
    </button>
  );
}

/** A bookmark that hands the address of the page where it is used to this one. */
function bookmarklet(): string {
  const here = new URL("./", window.location.href).href;
  return `javascript:location.href=${JSON.stringify(here)}+"#from="+encodeURIComponent(location.href)`;
}

/** So many cards at once: a collection has thousands. */
const MOST = 60;

function Collection({ of }: { of: reading.Collection }) {
  const [wanted, setWanted] = useState("");
  const place = useRef<HTMLElement>(null);
  const all = useMemo(
    () =>
      of.levels.map((read, index) => {
        const { text, title } = read;
        const level: Level = { text, puzzle: of.puzzle, options: { ...of.options }, title };
        return { read, level, name: `${index + 1} ${title ?? words.nth(index + 1)}` };
      }),
    [of],
  );
  // What was read at the end of the panel appears at its beginning.
  useEffect(() => place.current?.scrollIntoView({ block: "nearest" }), [of]);
  const found = all.filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()));
  const at = found.findIndex(({ level }) => level.text === play.level.value?.text);
  const from = Math.max(0, Math.min(at - MOST / 2, found.length - MOST));
  return (
    <section class="collection" ref={place}>
      <h3>{words.levels(of.levels.length)}</h3>
      {of.levels.length > 12 && (
        <label class="stacked">
          {words.search}
          <input type="search" value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} />
        </label>
      )}
      <div class="cards">
        {found.slice(from, from + MOST).map(({ read, level, name }) => (
          <Card key={name} level={level} name={name} onOpen={() => void reading.choose(read, of)} />
        ))}
      </div>
    </section>
  );
}

function Samples() {
  const { samples } = reading;
  const [family, setFamily] = useState<string | null>(null);
  const open = family ?? play.level.value?.puzzle ?? "sokoban";
  return (
    <section class="samples">
      <h3>{words.own}</h3>
      <div class="row" role="group" aria-label={words.family}>
        {Object.entries(texts.families).map(([puzzle, { name }]) => (
          <button key={puzzle} class="chip" aria-pressed={puzzle === open} onClick={() => setFamily(puzzle)}>
            {name}
          </button>
        ))}
      </div>
      <div class="cards">
        {samples.value
          .filter(({ puzzle }) => puzzle === open)
          .map((sample) => (
            <Card
              key={sample.name}
              level={{ text: sample.text, puzzle: sample.puzzle, options: {}, title: null }}
              name={reading.titled(sample.name)}
              onOpen={() => void reading.openSample(sample)}
            />
          ))}
      </div>
    </section>
  );
}

export function LevelPanel() {
  const text = reading.source.value;
  const [puzzle, setPuzzle] = useState("");
  const level = play.level.value;
  const take = async (file: File | undefined) => {
    if (!file) return;
    setPuzzle("");
    await reading.readFile(file);
  };
  return (
    <div>
      {reading.collection.value && <Collection of={reading.collection.value} />}
      <Samples />
      <h3>{words.more}</h3>
      <label class="stacked">
        {words.paste}
        <textarea
          rows={5}
          spellcheck={false}
          value={text}
          onInput={(event) => (reading.source.value = event.currentTarget.value)}
        />
      </label>
      <div class="row">
        <label>
          {words.family}
          <select value={puzzle} onChange={(event) => setPuzzle(event.currentTarget.value)}>
            <option value="">{words.guess}</option>
            {families.value.map(({ name }) => (
              <option key={name} value={name}>
                {nameOfFamily(name)}
              </option>
            ))}
          </select>
        </label>
        <button class="main" disabled={text === ""} onClick={() => void reading.read(text, puzzle || null)}>
          {words.read}
        </button>
        <label class="file button">
          {words.open}
          <input type="file" onChange={(event) => void take(event.currentTarget.files?.[0])} />
        </label>
      </div>
      {reading.candidates.value.length > 0 && (
        <div class="row" role="group" aria-label={words.which}>
          <span>{words.which}</span>
          {reading.candidates.value.map((name) => (
            <button key={name} onClick={() => void reading.read(text, name)}>
              {nameOfFamily(name)}
            </button>
          ))}
        </div>
      )}
      {level !== null && (
        <Options
          puzzle={level.puzzle}
          options={level.options as Record<string, string>}
          set={(options) => void reading.reread(level, options)}
        />
      )}
      {level !== null && (
        <div class="row">
          <button onClick={() => void share(level, "")}>{words.share}</button>
          <button onClick={() => void share(level, play.made.value)}>{words.shareWith}</button>
        </div>
      )}
      {level !== null && <Downloads text={level.text} level={level} />}
      <p class="how">
        <a class="button" href={bookmarklet()} onClick={(event) => event.preventDefault()}>
          {words.bookmarklet}
        </a>{" "}
        {words.bookmarkletHow}
      </p>
    </div>
  );
}
