// The text of a game beside its board: with its faults at their lines, and a badge for each level.

import { effect } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { Checks } from "../levels/checks";
import { warningOf } from "../levels/script";
import { part } from "../parts";
import { texts } from "../texts";
import * as drafts from "./drafts";
import type { Editor, Said } from "./editor";

const { edit: words } = texts;

/** What the engine says of the lines of the text. */
function sayings(): readonly Said[] {
  const { of, fault, warnings } = drafts.seen.value;
  if (of !== drafts.content.value.text) return [];
  const faults = fault
    ? [{ line: fault.line ?? 1, column: fault.column, what: fault.message, isFault: true }]
    : [];
  const told = warnings
    .map(warningOf)
    .map(({ line, said }) => ({ line: line ?? 1, what: said, isFault: false }));
  return [...faults, ...told];
}

export function Source() {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor | null>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (!isOpen) return;
    let stop: (() => void) | null = null;
    let isGone = false;
    void part("editor").then(({ open }) => {
      if (isGone || place.current === null) return;
      const made = open(place.current, words.text, drafts.content.peek().text, (text) =>
        drafts.write(() => text),
      );
      editor.current = made;
      const follow = effect(() => made.set(drafts.content.value.text));
      const say = effect(() => made.say(sayings()));
      stop = () => [follow, say, made.close].forEach((end) => end());
    });
    return () => {
      isGone = true;
      stop?.();
      editor.current = null;
    };
  }, [isOpen]);
  const told = sayings();
  return (
    <section class="source">
      <div class="row">
        <button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {words.source}
        </button>
      </div>
      {isOpen && <div class="editor" ref={place} data-own-keys />}
      {told.length > 0 && (
        <details class="warnings">
          <summary>{texts.level.warnings(told.length)}</summary>
          <ul>
            {told.map(({ line, what }, index) => (
              <li key={index}>
                <button
                  class="line"
                  onClick={() => {
                    setOpen(true);
                    editor.current?.go(line);
                  }}
                >
                  {texts.fault(line, undefined)}
                </button>{" "}
                {what}
              </li>
            ))}
          </ul>
        </details>
      )}
      <Checks of={drafts.game.value} open={(at) => (drafts.part.value = at)} />
    </section>
  );
}
