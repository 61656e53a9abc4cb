// What the text of a PuzzleScript game says to people: its title, who made it, and the messages
// between its levels. What its rules mean is the engine's word.

export interface Script {
  readonly title: string | null;
  readonly author: string | null;
  readonly homepage: string | null;
}

/** What stands before the first section. */
const prelude = (text: string) => text.slice(0, /^\s*objects\s*$/im.exec(text)?.index ?? text.length);

/** What the prelude says of a word. */
function said(text: string, word: string): string | null {
  const line = new RegExp(`^\\s*${word}\\s+(.+)$`, "im").exec(prelude(text));
  return line?.[1]?.trim() ?? null;
}

export function scriptOf(text: string): Script {
  return { title: said(text, "title"), author: said(text, "author"), homepage: said(text, "homepage") };
}

/** Whether its players can do nothing but move. */
export const isActionless = (text: string) => /^\s*noaction\b/im.test(prelude(text));

/** Milliseconds for each board of a turn that goes on, as the game says it in seconds, within reason. */
export function againOf(text: string): number {
  const seconds = Number(said(text, "again_interval") ?? 0.15);
  return Math.min(1000, Math.max(20, 1000 * (seconds || 0.15)));
}

const MESSAGE = /^\s*message\b\s*(.*)$/i;

/**
 * The messages of a game that stand between its levels: those before each level, by the line at which
 * the level begins (from 1), and those after the last one.
 */
export function messagesOf(
  text: string,
  lines: readonly number[],
): { readonly before: readonly (readonly string[])[]; readonly after: readonly string[] } {
  const all = text.split("\n");
  const start = all.findIndex((line) => /^\s*levels\s*$/i.test(line));
  if (start < 0) return { before: lines.map(() => []), after: [] };
  const between = (from: number, to: number) =>
    all.slice(from, to).flatMap((line) => {
      const [, words] = MESSAGE.exec(line) ?? [];
      return words ? [words.trim()] : [];
    });
  const before = lines.map((line, index) => between(index === 0 ? start : (lines[index - 1] ?? 0), line - 1));
  return { before, after: between(lines.at(-1) ?? start, all.length) };
}

/** The line that a warning is about, and what it says. */
export function warningOf(warning: string): { readonly line: number | null; readonly said: string } {
  const [, line, said] = /^line (\d+)(?:, column \d+)?:\s*(.*)$/is.exec(warning) ?? [];
  return said === undefined ? { line: null, said: warning } : { line: Number(line), said };
}
