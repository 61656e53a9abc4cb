// What the text of a PuzzleScript game says to people: its title, who made it, and the messages
// between its levels. What its rules mean is the engine's word.

export interface Script {
  readonly title: string | null;
  readonly author: string | null;
  readonly homepage: string | null;
}

/** The words of the prelude: before the first section. */
export function scriptOf(text: string): Script {
  const end = /^\s*objects\s*$/im.exec(text)?.index ?? text.length;
  const said = (word: string) => {
    const line = new RegExp(`^\\s*${word}\\s+(.+)$`, "im").exec(text.slice(0, end));
    return line?.[1]?.trim() ?? null;
  };
  return { title: said("title"), author: said("author"), homepage: said("homepage") };
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
