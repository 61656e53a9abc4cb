// Which level: one of ours, one's own, of a collection, or pasted, dropped, opened.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Thumbnail } from "../board/thumbnail";
import { Shelf } from "../design/shelf-list";
import { nameOfFamily } from "../families";
import { Theme } from "../frame/theme";
import { Downloads } from "../keep/downloads";
import { bestOf, nameOf, solvedCount } from "../keep/records";
import { share } from "../keep/share";
import * as play from "../play/play";
import type { Level } from "../protocol";
import { families, show, toBoard } from "../state";
import { texts } from "../texts";
import { Badge, CheckAll, IdleRules } from "./checks";
import * as collections from "./collections";
import { Daily } from "./daily";
import { Options } from "./options";
import * as reading from "./reading";

const { level: words } = texts;

/** Opens a level, which then comes to the board. */
async function opened(opening: Promise<boolean>) {
  if (await opening) toBoard();
}

interface CardProps {
  level: Level;
  name: string;
  isOpen: boolean;
  /** Whether it cannot be solved: a journey passes it by. */
  isTrap?: boolean;
  onOpen(): void;
}

/** One of several levels, with its picture, and a tick where it was solved. */
function Card({ level, name, isOpen, isTrap = false, onOpen }: CardProps) {
  void solvedCount.value;
  const [known, setKnown] = useState(level);
  const isSolved = bestOf(known) !== null;
  return (
    <button class={isOpen ? "card open" : "card"} aria-current={isOpen} onClick={onOpen}>
      <Thumbnail level={level} onRead={setKnown} />
      <span class="name">
        {name}
        {isSolved && (
          <span class="tick" role="img" aria-label={words.solvedMark}>
            ✓
          </span>
        )}
        {isTrap && <small>{words.trap}</small>}
        <Badge level={known} />
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
  const [from, setFrom] = useState<number | null>(null);
  const top = useRef<HTMLElement>(null);
  const all = useMemo(
    () =>
      of.levels.map((read, at) => {
        const title = read.title ?? words.nth(at + 1);
        // Many collections number their levels themselves.
        const name = title.startsWith(`${at + 1}`) ? title : `${at + 1} ${title}`;
        return { at, read, level: reading.levelOf(of, read), name };
      }),
    [of],
  );
  // What was read at the end of the panel appears at its beginning.
  useEffect(() => {
    top.current?.scrollIntoView({ block: "nearest" });
    setFrom(null);
  }, [of]);
  void solvedCount.value;
  const found = all.filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()));
  const open = found.findIndex(({ at }) => at === reading.place.value);
  const first = Math.max(0, Math.min(from ?? open - MOST / 2, found.length - MOST));
  const next = all.find(({ at, level }) => !of.traps.includes(at) && bestOf(level) === null);
  const count = all.filter(({ level }) => bestOf(level) !== null).length;
  const whole = all.filter(({ read }) => read.fault === null).map(({ level }) => level);
  return (
    <section class="collection" ref={top}>
      <h3>
        {of.name} <small>{words.solved(count, of.levels.length)}</small>
      </h3>
      <div class="row">
        {next && (
          <button class="main" onClick={() => void opened(reading.choose(next.at, of))}>
            {words.unsolved}
          </button>
        )}
        <CheckAll of={whole} />
      </div>
      <IdleRules of={whole} />
      {of.levels.length > 12 && (
        <label class="stacked">
          {words.search}
          <input type="search" value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} />
        </label>
      )}
      {first > 0 && (
        <button onClick={() => setFrom(Math.max(0, first - MOST))}>{words.earlier(first)}</button>
      )}
      <div class="cards">
        {found.slice(first, first + MOST).map(({ at, level, name }) => (
          <Card
            key={`${at} ${nameOf(level)}`}
            level={level}
            name={name}
            isOpen={at === reading.place.value}
            isTrap={of.traps.includes(at)}
            onOpen={() => void opened(reading.choose(at, of))}
          />
        ))}
      </div>
      {first + MOST < found.length && (
        <button onClick={() => setFrom(first + MOST)}>{words.later(found.length - first - MOST)}</button>
      )}
    </section>
  );
}

/** The collections that the browser keeps. */
function Kept() {
  const open = reading.collection.value?.id;
  const others = collections.ids.value.filter((id) => id !== open);
  const found = others.map(collections.get).filter((one) => one !== null);
  if (found.length === 0) return null;
  return (
    <section class="kept" aria-label={words.kept}>
      <h3>{words.kept}</h3>
      <ul>
        {found.map(({ id, name, puzzle }) => (
          <li key={id}>
            <button onClick={() => void reading.goOn(id)}>
              {name} <small>{nameOfFamily(puzzle)}</small>
            </button>
            <button class="remove" aria-label={words.remove(name)} onClick={() => collections.remove(id)}>
              {texts.removeSign}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The games: a picture and its aim each; the one that is open shows its levels. */
function Games({ puzzle }: { puzzle: string }) {
  return (
    <nav class="games" aria-label={words.begin}>
      {Object.entries(texts.families).map(([name, { name: called, aim }]) => {
        const [first] = reading.journey(name);
        return (
          <button
            key={name}
            class={name === puzzle ? "game open" : "game"}
            aria-current={name === puzzle}
            onClick={() => void opened(reading.goOnWith(name))}
          >
            {first && <Thumbnail level={{ text: first.text, puzzle: name, options: {}, title: null }} />}
            <span>
              <b>{called}</b>
              <small>{aim}</small>
            </span>
          </button>
        );
      })}
    </nav>
  );
}

function Samples() {
  const isTraps = reading.sample.value?.unsolvable ?? false;
  const puzzle = play.level.value?.puzzle ?? "sokoban";
  const cards = (samples: readonly reading.Sample[]) => (
    <div class="cards">
      {samples.map((sample) => (
        <Card
          key={`${sample.puzzle} ${sample.name}`}
          level={{ text: sample.text, puzzle: sample.puzzle, options: {}, title: null }}
          name={reading.titled(sample.name)}
          isOpen={reading.sample.value === sample}
          onOpen={() => void opened(reading.openSample(sample))}
        />
      ))}
    </div>
  );
  const traps = reading.journey(puzzle, true);
  return (
    <section class="samples">
      <Games puzzle={puzzle} />
      <h3>{words.own}</h3>
      {cards(reading.journey(puzzle))}
      {traps.length > 0 && (
        <details class="traps" open={isTraps}>
          <summary>{words.traps}</summary>
          {cards(traps)}
        </details>
      )}
    </section>
  );
}

/** A text that was pasted, or a file: what is wrong with it stands beside it. */
function Given() {
  const text = reading.source.value;
  const [puzzle, setPuzzle] = useState("");
  const load = () => void opened(reading.readGiven(text, puzzle || null));
  const take = (files: FileList | null) => {
    setPuzzle("");
    void opened(reading.readFiles([...(files ?? [])]));
  };
  return (
    <section class="given">
      <h3>{words.more}</h3>
      <label class="stacked">
        {words.paste}
        <textarea
          rows={5}
          spellcheck={false}
          value={text}
          onInput={(event) => (reading.source.value = event.currentTarget.value)}
          onKeyDown={(event) => event.key === "Enter" && (event.ctrlKey || event.metaKey) && load()}
        />
      </label>
      {reading.unread.value && <p class="fault">{reading.unread.value.message}</p>}
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
        <button class="main" disabled={text === ""} onClick={load}>
          {words.read}
        </button>
        <label class="file button">
          {words.open}
          <input type="file" multiple onChange={(event) => take(event.currentTarget.files)} />
        </label>
      </div>
      {reading.candidates.value.length > 0 && (
        <div class="row" role="group" aria-label={words.which}>
          <span>{words.which}</span>
          {reading.candidates.value.map((name) => (
            <button key={name} onClick={() => void opened(reading.read(text, name))}>
              {nameOfFamily(name)}
            </button>
          ))}
        </div>
      )}
    </section>
  );
}

/** What is done with the level that is open. */
function Open({ level }: { level: Level }) {
  return (
    <section class="this-level">
      <Options
        puzzle={level.puzzle}
        options={level.options as Record<string, string>}
        set={(options) => void reading.reread(level, options)}
      />
      <div class="row">
        <button onClick={() => void share(level, "")}>{words.share}</button>
        <button onClick={() => void share(level, play.made.value)}>{words.shareWith}</button>
        <button onClick={() => show("edit")}>{words.edit}</button>
      </div>
      <Downloads text={level.text} level={level} />
    </section>
  );
}

export function LevelPanel() {
  const level = play.level.value;
  return (
    <div>
      {reading.collection.value && <Collection of={reading.collection.value} />}
      <Daily />
      <Samples />
      <Shelf />
      <Kept />
      <Given />
      {level !== null && <Open level={level} />}
      <section>
        <h3>{words.page}</h3>
        <Theme />
        <p class="how">
          <a class="button" href={bookmarklet()} onClick={(event) => event.preventDefault()}>
            {words.bookmarklet}
          </a>{" "}
          {words.bookmarkletHow}
        </p>
      </section>
    </div>
  );
}
