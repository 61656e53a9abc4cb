// A small picture of a level, drawn when it comes into sight.

import { useEffect, useRef, useState } from "preact/hooks";
import { engines } from "../engine/engine";
import type { Level, Picture, Read } from "../protocol";
import { nameOf } from "../keep/records";

interface Drawn {
  readonly svg: string;
  /** The level as it was read. */
  readonly level: Level;
}

/** The picture of a level, or of the first of several in a text. */
async function picture(level: Level): Promise<Drawn | null> {
  const { text, puzzle, options } = level;
  const read = await engines.quick<Read>({ ask: "read", text, puzzle, options });
  const first = "ok" in read ? read.ok.levels.find(({ fault }) => fault === null) : undefined;
  if (first === undefined) return null;
  const one = { ...level, text: first.text };
  const answer = await engines.quick<Picture>({ ask: "picture", level: one, moves: "" });
  return "ok" in answer ? { svg: answer.ok.svg, level: one } : null;
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
      void picture(level).then((picture) => {
        if (picture === null) return;
        drawn.set(name, picture);
        if (current) setMade(picture);
      });
    });
    seen.observe(place.current);
    return () => {
      current = false;
      seen.disconnect();
    };
  }, [name, made]);
  const address = made && `data:image/svg+xml;charset=utf-8,${encodeURIComponent(made.svg)}`;
  return (
    <span class="thumbnail" ref={place}>
      {address && <img src={address} alt={""} />}
    </span>
  );
}
