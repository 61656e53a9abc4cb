// A level as files: its text as it stands, every format that the engine writes, and its picture.

import { useEffect, useState } from "preact/hooks";
import { engines } from "../engine/engine";
import { fileName, save, savePng } from "./files";
import type { Level, Picture, Written } from "../protocol";
import { taken } from "../state";
import { texts } from "../texts";

interface Props {
  text: string;
  /** The same level, read; `null` where the text cannot be read, or was not yet. */
  level: Level | null;
  author?: string;
}

/** XSB has lines for title and author below the board. */
function signed(text: string, extension: string, title: string | null, author: string): string {
  if (extension !== "xsb") return text;
  const lines = [title && `Title: ${title}`, author && `Author: ${author}`].filter(Boolean);
  return lines.length === 0 ? text : `${text.trimEnd()}\n\n${lines.join("\n")}\n`;
}

export function Downloads({ text, level, author = "" }: Props) {
  // The buttons stay while another text is read, so that nothing jumps.
  const [made, setMade] = useState<{ of: Level | null; formats: readonly Written[] }>({
    of: null,
    formats: [],
  });
  const { level: words } = texts;
  const name = fileName(level?.title ?? null);
  useEffect(() => {
    let current = true;
    if (level === null) return;
    void engines.quick<Written[]>({ ask: "formats", level }).then((answer) => {
      if (current && "ok" in answer) setMade({ of: level, formats: answer.ok });
    });
    return () => {
      current = false;
    };
  }, [level]);
  const draw = async (then: (svg: string) => void) => {
    if (level === null) return;
    const drawn = taken(await engines.quick<Picture>({ ask: "picture", level, moves: "" }));
    if (drawn !== null) then(drawn.svg);
  };
  return (
    <div class="row downloads" role="group" aria-label={words.download}>
      <span>{words.download}</span>
      <button onClick={() => save(`${name}.txt`, text, "text/plain")}>{words.asText}</button>
      {made.formats.map(({ name: format, extension, text }) => (
        <button
          key={format}
          disabled={made.of !== level}
          onClick={() =>
            save(`${name}.${extension}`, signed(text, extension, level?.title ?? null, author), "text/plain")
          }
        >
          {format}
        </button>
      ))}
      <button
        disabled={level === null}
        onClick={() => void draw((svg) => save(`${name}.svg`, svg, "image/svg+xml"))}
      >
        {words.asSvg}
      </button>
      <button disabled={level === null} onClick={() => void draw((svg) => void savePng(`${name}.png`, svg))}>
        {words.asPng}
      </button>
    </div>
  );
}
