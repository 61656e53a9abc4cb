// A small picture of a level, drawn when it comes into sight.

import { useEffect, useRef, useState } from "preact/hooks";
import { engines } from "../engine/engine";
import type { Level, Opened, Read } from "../protocol";
import { nameOf } from "../keep/records";
import { Session } from "../play/session";
import { Still } from "./board";

interface Drawn extends Pick<Opened, "ground" | "position"> {
  /** The level as it was read. */
  readonly level: Level;
}

/** How a level begins, or the first of several in a text. */
async function beginning(level: Level): Promise<Drawn | null> {
  const { text, puzzle, options } = level;
  const read = await engines.quick<Read>({ ask: "read", text, puzzle, options });
  const first = "ok" in read ? read.ok.levels.find(({ fault }) => fault === null) : undefined;
  if (first === undefined) return null;
  const one = { ...level, text: first.text };
  const session = new Session(one, () => "");
  const answer = await session.open("");
  session.close();
  return "ok" in answer ? { ...answer.ok, level: one } : null;
}

const drawn = new Map<string, Drawn>();

interface Props {
  level: Level;
  /** The level as it was read: the name of a text and of its level are not the same. */
  onRead?(level: Level): void;
}

export function Thumbnail({ level, onRead }: Props) {
  const place = useRef<HTMLSpanElement>(null);
  const name = nameOf(level);
  const [made, setMade] = useState(drawn.get(name) ?? null);
  useEffect(() => {
    if (made !== null) onRead?.(made.level);
    if (made !== null || place.current === null) return;
    let current = true;
    const seen = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      seen.disconnect();
      void beginning(level).then((made) => {
        if (made === null) return;
        drawn.set(name, made);
        if (current) setMade(made);
      });
    });
    seen.observe(place.current);
    return () => {
      current = false;
      seen.disconnect();
    };
  }, [name, made]);
  return (
    <span class="thumbnail" ref={place}>
      {made && <Still puzzle={made.level.puzzle} ground={made.ground} figures={made.position.figures} />}
    </span>
  );
}
