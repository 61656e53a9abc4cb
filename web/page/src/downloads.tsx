// A level as files: its text as it stands, every format that the engine writes, and its picture.

import { useEffect, useState } from "preact/hooks";
import { save, savePng } from "./files";
import type { Level, Written } from "./protocol";
import * as store from "./store";
import { texts } from "./texts";

interface Props {
  text: string;
  /** The same level, read, and its picture; `null` where the text cannot be read, or was not yet. */
  level: Level | null;
  svg: string;
}

export function Downloads({ text, level, svg }: Props) {
  // The buttons stay while another text is read, so that nothing jumps.
  const [made, setMade] = useState<{ of: Level | null; formats: readonly Written[] }>({ of: null, formats: [] });
  const { level: words } = texts;
  useEffect(() => {
    let current = true;
    if (level === null) return;
    void store.engines.quick<readonly Written[]>({ ask: "formats", level }).then((answer) => {
      if (current && "ok" in answer) setMade({ of: level, formats: answer.ok });
    });
    return () => {
      current = false;
    };
  }, [level]);
  return (
    <div class="row" role="group" aria-label={words.download}>
      <span>{words.download}</span>
      <button onClick={() => save("level.txt", text, "text/plain")}>{words.asText}</button>
      {made.formats.map((one) => (
        <button key={one.name} disabled={made.of !== level} onClick={() => save(`level.${one.extension}`, one.text, "text/plain")}>{one.name}</button>
      ))}
      <button disabled={level === null} onClick={() => save("level.svg", svg, "image/svg+xml")}>{words.asSvg}</button>
      <button disabled={level === null} onClick={() => void savePng("level.png", svg)}>{words.asPng}</button>
    </div>
  );
}
