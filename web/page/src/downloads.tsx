// A level as files: its text, and its picture in both forms.

import { save, savePng } from "./files";
import { texts } from "./texts";

export function Downloads({ text, svg }: { text: string; svg: string }) {
  const { level: words } = texts;
  return (
    <div class="row" role="group" aria-label={words.download}>
      <span>{words.download}</span>
      <button onClick={() => save("level.txt", text, "text/plain")}>{words.asText}</button>
      <button disabled={svg === ""} onClick={() => save("level.svg", svg, "image/svg+xml")}>{words.asSvg}</button>
      <button disabled={svg === ""} onClick={() => void savePng("level.png", svg)}>{words.asPng}</button>
    </div>
  );
}
