// A level as files: its text as it stands, every format that the engine writes, and its picture.

import { useEffect, useState } from "preact/hooks";
import { save, savePng } from "./files";
import type { Level, Written } from "./protocol";
import * as store from "./store";
import { texts } from "./texts";

/** `level` is the same as `text` where that can be read, and `null` where it cannot. */
export function Downloads({ text, level, svg }: { text: string; level: Level | null; svg: string }) {
  const [formats, setFormats] = useState<readonly Written[]>([]);
  const { level: words } = texts;
  useEffect(() => {
    let current = true;
    setFormats([]);
    if (level === null) return;
    void store.engines.quick<readonly Written[]>({ ask: "formats", level }).then((answer) => {
      if (current && "ok" in answer) setFormats(answer.ok);
    });
    return () => {
      current = false;
    };
  }, [level]);
  return (
    <div class="row" role="group" aria-label={words.download}>
      <span>{words.download}</span>
      <button onClick={() => save("level.txt", text, "text/plain")}>{words.asText}</button>
      {formats.map((one) => (
        <button key={one.name} onClick={() => save(`level.${one.extension}`, one.text, "text/plain")}>{one.name}</button>
      ))}
      <button disabled={svg === ""} onClick={() => save("level.svg", svg, "image/svg+xml")}>{words.asSvg}</button>
      <button disabled={svg === ""} onClick={() => void savePng("level.png", svg)}>{words.asPng}</button>
    </div>
  );
}
