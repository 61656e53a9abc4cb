// A small picture of a level, drawn when it comes into sight.

import { useEffect, useRef, useState } from "preact/hooks";
import { engines } from "./engine";
import type { Level, Picture, Read } from "./protocol";
import { nameOf } from "./records";

/** The picture of a level, or of the first of several in a text. */
async function picture(level: Level, onRead?: (level: Level) => void): Promise<string | null> {
  const { text, puzzle, options } = level;
  const read = await engines.quick<Read>({ ask: "read", text, puzzle, options });
  const first = "ok" in read ? read.ok.levels.find(({ fault }) => fault === null) : undefined;
  if (first === undefined) return null;
  const one = { ...level, text: first.text };
  onRead?.(one);
  const answer = await engines.quick<Picture>({ ask: "picture", level: one, moves: "" });
  return "ok" in answer ? answer.ok.svg : null;
}

const drawn = new Map<string, string>();

interface Props {
  level: Level;
  /** The level as it was read: the name of a text and of its level are not the same. */
  onRead?(level: Level): void;
}

export function Thumbnail({ level, onRead }: Props) {
  const place = useRef<HTMLSpanElement>(null);
  const name = nameOf(level);
  const [svg, setSvg] = useState(drawn.get(name) ?? null);
  useEffect(() => {
    if (svg !== null || place.current === null) return;
    let current = true;
    const seen = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      seen.disconnect();
      void picture(level, onRead).then((svg) => {
        if (svg !== null) drawn.set(name, svg);
        if (current) setSvg(svg);
      });
    });
    seen.observe(place.current);
    return () => {
      current = false;
      seen.disconnect();
    };
  }, [name]);
  const address = svg === null ? undefined : `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  return (
    <span class="thumbnail" ref={place}>
      {address && <img src={address} alt="" />}
    </span>
  );
}
