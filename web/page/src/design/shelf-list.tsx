// The shelf: every level of one's own, with picture, title, author and what is known of it.

import { signal } from "@preact/signals";
import { Thumbnail } from "../board/thumbnail";
import { nameOfFamily } from "../families";
import { show } from "../state";
import { texts } from "../texts";
import * as drafts from "./drafts";
import { drafts as all, isOwn, order, putBack, remove, type Draft } from "./shelf";

const { level: words } = texts;

/** What was removed last: it can be put back. */
const removed = signal<Draft | null>(null);

const titleOf = ({ content }: Draft) => content.now.title || words.untitled;

function Mine({ draft }: { draft: Draft }) {
  const { text, author, options } = draft.content.now;
  const { known, puzzle, id } = draft;
  const open = () => {
    drafts.goOn(id);
    show("edit");
  };
  return (
    <div class="mine">
      <button class="card" onClick={open}>
        <Thumbnail level={{ text, puzzle, options: { ...options }, title: null }} />
        <span class="name">
          {titleOf(draft)}
          <small>
            {author !== "" ? words.by(author) : nameOfFamily(puzzle)}
            {known?.of === text && <> · {known.words.slice(0, 2).join(" · ")}</>}
          </small>
        </span>
      </button>
      <button
        class="remove"
        aria-label={words.remove(titleOf(draft))}
        onClick={() => {
          removed.value = draft;
          remove(id);
        }}
      >
        {texts.removeSign}
      </button>
    </div>
  );
}

export function Shelf() {
  const found = order.value.map((id) => all.value[id]).filter((draft) => draft !== undefined && isOwn(draft));
  const gone = removed.value;
  if (found.length === 0 && gone === null) return null;
  return (
    <section class="shelf" aria-label={words.mine}>
      <h3>{words.mine}</h3>
      {gone && (
        <p class="how" role="status">
          {words.removed(titleOf(gone))}{" "}
          <button
            onClick={() => {
              putBack(gone);
              removed.value = null;
            }}
          >
            {words.putBack}
          </button>
        </p>
      )}
      <div class="cards">{found.map((draft) => draft && <Mine key={draft.id} draft={draft} />)}</div>
    </section>
  );
}
