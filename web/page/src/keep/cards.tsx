// Pictures to be shared: a level with what is known of it as a card, and a solution as a film.

import { render } from "preact";
import { sizeOf, Still } from "../board/board";
import { nameOfFamily } from "../families";
import { drawn, fileName, handOver } from "./files";
import { stepsOf } from "../play/game";
import { drawingFrom } from "../board/paths";
import { part } from "../parts";
import type { Figure, Ground, Level, Opened } from "../protocol";
import { Session } from "../play/session";
import { remark, taken } from "../state";
import { texts } from "../texts";

/** The size in which sites show the picture of a link. */
const WIDTH = 1200;
const HEIGHT = 630;
const MARGIN = 40;
/** Where the words begin. */
const WORDS = 760;
const LINES = 3;
/** Pixels that a letter takes, by the size of the letters. */
const LETTER = 0.55;

/** Of a film, in pixels and in milliseconds. */
const FILM = { width: 640, height: 336, step: 160, rest: 2000 };
/** Pictures of a film at most; a longer one leaves steps out. */
const PICTURES = 400;

const escaped = (text: string) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** A text in lines, cut where it is too long. */
function lined(text: string, size: number): readonly string[] {
  const most = Math.floor((WIDTH - MARGIN - WORDS) / (size * LETTER));
  const lines: string[] = [""];
  for (const word of text.split(/\s+/).filter((word) => word !== "")) {
    const line = lines.at(-1) ?? "";
    const longer = line === "" ? word : `${line} ${word}`;
    if (line === "" || longer.length <= most) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  const shown = lines.slice(0, LINES).map((line) => {
    return line.length > most ? `${line.slice(0, most - 1)}…` : line;
  });
  if (lines.length > LINES) shown.push("…");
  return shown;
}

/** The style sheet, for a picture that knows nothing of the page. */
function style(): string {
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  return escaped(rules.map((rule) => rule.cssText).join("\n"));
}

function theme(): string {
  const chosen = document.documentElement.dataset["theme"];
  if (chosen === "light" || chosen === "dark") return chosen;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

interface Seen {
  readonly ground: Ground;
  readonly figures: readonly Figure[];
  /** What is drawn on it, in the notation of solutions. */
  readonly paths: string;
}

/** The board as on the page. */
function boardOf({ puzzle }: Level, { ground, figures, paths }: Seen): string {
  const place = document.createElement("div");
  const drawing = ground.of === "paths" ? drawingFrom(ground, paths) : undefined;
  render(<Still ground={ground} figures={figures} drawing={drawing} puzzle={puzzle} />, place);
  const svg = place.querySelector("svg")!;
  const [wide, high] = [WORDS - 2 * MARGIN, HEIGHT - 2 * MARGIN];
  const [columns, rows] = sizeOf(ground);
  const side = Math.min(wide / columns, high / rows, 110);
  const [width, height] = [side * columns, side * rows];
  svg.setAttribute("x", String(MARGIN + (wide - width) / 2));
  svg.setAttribute("y", String(MARGIN + (high - height) / 2));
  svg.setAttribute("width", String(width));
  svg.setAttribute("height", String(height));
  const drawn = new XMLSerializer().serializeToString(svg);
  render(null, place);
  return drawn;
}

/** Where the page is, as people write it. */
function address(): string {
  const { host, pathname } = window.location;
  return host + pathname.replace(/(index\.html)?$/, "").replace(/\/$/, "");
}

/** A card: the board, and beside it the title, some lines, and where to play it. */
function card(level: Level, lines: readonly string[], seen: Seen): string {
  const family = nameOfFamily(level.puzzle);
  const words: string[] = [];
  let y = 150;
  const write = (text: string, size: number, look: string) => {
    for (const line of lined(text, size)) {
      words.push(`<text x="${WORDS}" y="${y}" font-size="${size}" ${look}>${escaped(line)}</text>`);
      y += size * 1.3;
    }
  };
  write(level.title ?? family, 40, 'fill="var(--ink)" font-weight="700"');
  if (level.title !== null) write(family, 28, 'fill="var(--quiet)"');
  y += 24;
  for (const line of lines) write(line, 30, 'fill="var(--good)" font-weight="600"');
  y = HEIGHT - MARGIN - 62;
  write(texts.challenge.invitation, 34, 'fill="var(--ink)" font-weight="600"');
  write(address(), 24, 'fill="var(--quiet)"');
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" ` +
    `data-theme="${theme()}" font-family="system-ui, sans-serif"><style>${style()}</style>` +
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="var(--ground)" />${boardOf(level, seen)}${words.join("")}</svg>`
  );
}

/** Opens a level beside the game, with all moves of a solution made. */
async function opened(level: Level, moves: string): Promise<[Session, Opened] | null> {
  const session = new Session(level, () => moves);
  const answer = taken(await session.open(moves));
  return answer === null ? null : [session, answer];
}

/** Hands out a level as a picture; of a drawing, with its paths. */
export async function saveCard(level: Level, moves: string, lines: readonly string[]) {
  const found = await opened(level, "");
  if (found === null) return;
  const [session, { ground, position }] = found;
  session.close();
  const svg = card(level, lines, { ground, figures: position.figures, paths: moves });
  const canvas = await drawn(svg, WIDTH, HEIGHT);
  const blob = await new Promise<Blob | null>((made) => canvas.toBlob(made));
  if (blob) await handOver(`${fileName(level.title)}.png`, blob);
}

/** Hands out a solution as a film. */
export async function saveFilm(level: Level, moves: string, lines: readonly string[]) {
  const found = await opened(level, moves);
  if (found === null) return;
  const [session, { ground, moves: made }] = found;
  remark.value = texts.solve.filming;
  const picture = async (at: number): Promise<Uint8ClampedArray | null> => {
    const position = taken(await session.view(at));
    if (position === null) return null;
    const svg = card(level, lines, { ground, figures: position.figures, paths: "" });
    const canvas = await drawn(svg, FILM.width, FILM.height);
    return canvas.getContext("2d")!.getImageData(0, 0, FILM.width, FILM.height).data;
  };
  const blob = await film(stepsOf(made).length, picture);
  session.close();
  remark.value = "";
  if (blob) await handOver(`${fileName(level.title)}.gif`, blob);
}

/** A film of so many steps; `null` where one of its pictures cannot be had. */
async function film(
  count: number,
  picture: (at: number) => Promise<Uint8ClampedArray | null>,
): Promise<Blob | null> {
  const { applyPalette, GIFEncoder, quantize } = await part("gif");
  const { width, height, step, rest } = FILM;
  // One palette for all pictures: that of the beginning, the middle and the end.
  const size = width * height * 4;
  const some = new Uint8ClampedArray(3 * size);
  for (const [index, at] of [0, Math.floor(count / 2), count].entries())
    some.set((await picture(at)) ?? [], index * size);
  const palette = quantize(some, 256);
  const gif = GIFEncoder();
  const by = Math.max(1, Math.ceil(count / PICTURES));
  for (let at = 0; ; at = Math.min(count, at + by)) {
    const pixels = await picture(at);
    if (pixels === null) return null;
    const delay = at === count ? rest : step;
    gif.writeFrame(applyPalette(pixels, palette), width, height, { palette, delay });
    if (at === count) break;
  }
  gif.finish();
  return new Blob([gif.bytes() as Uint8Array<ArrayBuffer>], { type: "image/gif" });
}
