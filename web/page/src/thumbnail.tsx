// A small picture of a level, drawn when it comes into sight.

import { useEffect, useRef, useState } from "preact/hooks";
import { engines } from "./engine";
import type { Level, Picture } from "./protocol";
import { nameOf } from "./records";

const drawn = new Map<string, string>();

export function Thumbnail({ level }: { level: Level }) {
  const place = useRef<HTMLSpanElement>(null);
  const name = nameOf(level);
  const [svg, setSvg] = useState(drawn.get(name) ?? null);
  useEffect(() => {
    if (svg !== null || place.current === null) return;
    let current = true;
    const seen = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      seen.disconnect();
      void engines.quick<Picture>({ ask: "picture", level, moves: "" }).then((answer) => {
        if (!("ok" in answer)) return;
        drawn.set(name, answer.ok.svg);
        if (current) setSvg(answer.ok.svg);
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
