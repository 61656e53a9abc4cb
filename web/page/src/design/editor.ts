// The text editor: a file of its own, fetched when somebody opens the text of a game.

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** Something that is said of a line, from 1. */
export interface Said {
  readonly line: number;
  readonly column?: number | undefined;
  readonly what: string;
  readonly isFault: boolean;
}

export interface Editor {
  set(text: string): void;
  say(all: readonly Said[]): void;
  go(line: number): void;
  close(): void;
}

const SECTIONS = /^(objects|legend|sounds|collisionlayers|rules|winconditions|levels)$/i;
const KEYWORDS =
  /^(late|rigid|again|cancel|checkpoint|restart|win|message|all|any|some|no|on|and|or|up|down|left|right|moving|stationary|action|horizontal|vertical|perpendicular|parallel|orthogonal|randomdir|random|title|author|homepage)$/i;

const game = StreamLanguage.define<{ depth: number }>({
  startState: () => ({ depth: 0 }),
  token(stream, state) {
    if (state.depth > 0 || stream.peek() === "(") {
      while (!stream.eol()) {
        const next = stream.next();
        if (next === "(") state.depth += 1;
        else if (next === ")" && --state.depth === 0) break;
      }
      return "comment";
    }
    if (stream.sol() && stream.match(/^=+\s*$/)) return "comment";
    if (stream.eatSpace()) return null;
    if (stream.match(/^(->|[[\]|>^<])/)) return "operator";
    const word = stream.match(/^[\w.]+/) as RegExpMatchArray | null;
    if (word === null) {
      stream.next();
      return null;
    }
    if (SECTIONS.test(word[0])) return "heading";
    return KEYWORDS.test(word[0]) ? "keyword" : null;
  },
});

const colours = HighlightStyle.define([
  { tag: tags.heading, color: "var(--accent)", fontWeight: "700" },
  { tag: tags.keyword, color: "var(--good)" },
  { tag: tags.operator, color: "var(--goal)" },
  { tag: tags.comment, color: "var(--quiet)" },
]);

const look = EditorView.theme({
  "&": { height: "100%", backgroundColor: "var(--card)", color: "var(--ink)", fontSize: "0.85rem" },
  ".cm-scroller": { fontFamily: "ui-monospace, monospace" },
  ".cm-gutters": { backgroundColor: "var(--ground)", color: "var(--quiet)", border: "none" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--soft) 50%, transparent)" },
  "&.cm-focused": { outline: "2px solid var(--accent)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-tooltip": { backgroundColor: "var(--card)", color: "var(--ink)", borderColor: "var(--line)" },
});

/** Opens an editor in a place; `changed` hears what a person writes. */
export function open(
  place: HTMLElement,
  label: string,
  text: string,
  changed: (text: string) => void,
): Editor {
  let isOurs = false;
  const view = new EditorView({
    parent: place,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        highlightActiveLine(),
        lintGutter(),
        game,
        syntaxHighlighting(colours),
        look,
        EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false" }),
        keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !isOurs) changed(update.state.doc.toString());
        }),
      ],
    }),
  });
  const lineAt = (line: number) => view.state.doc.line(Math.max(1, Math.min(view.state.doc.lines, line)));
  return {
    set(text) {
      const before = view.state.doc.toString();
      if (text === before) return;
      // Only what differs is replaced, so that the cursor stays.
      let [from, end] = [0, 0];
      const least = Math.min(before.length, text.length);
      while (from < least && before[from] === text[from]) from += 1;
      while (end < least - from && before.at(-1 - end) === text.at(-1 - end)) end += 1;
      isOurs = true;
      view.dispatch({
        changes: { from, to: before.length - end, insert: text.slice(from, text.length - end) },
      });
      isOurs = false;
    },
    say(all) {
      const marks = all.map(({ line, column, what, isFault }): Diagnostic => {
        const at = lineAt(line);
        const from = Math.min(at.to, at.from + Math.max(0, (column ?? 1) - 1));
        return { from, to: at.to, severity: isFault ? "error" : "warning", message: what };
      });
      view.dispatch(setDiagnostics(view.state, marks));
    },
    go(line) {
      const { from } = lineAt(line);
      view.dispatch({
        selection: { anchor: from },
        effects: EditorView.scrollIntoView(from, { y: "center" }),
      });
      view.focus();
    },
    close: () => view.destroy(),
  };
}
