// What a game tells between its levels: shown over the board, one message after the other.

import { computed, effect, signal } from "@preact/signals";
import * as play from "../play/play";
import { collection, place } from "./reading";
import { messagesOf } from "./script";

/** Messages that were read before the level that is open, and after it. */
const seen = signal({ before: 0, after: 0 });

const messages = computed(() => {
  const [all, at] = [collection.value, place.value];
  if (all === null || all.puzzle !== "puzzlescript" || at < 0) return { before: [], after: [] };
  const { before, after } = messagesOf(
    all.text,
    all.levels.map(({ line }) => line),
  );
  return { before: before[at] ?? [], after: at === all.levels.length - 1 ? after : [] };
});

/** When a message is due: before a level, while nothing was made on it; after the last one, when it is won. */
const when = computed(() => (play.made.value === "" ? "before" : play.solved.value ? "after" : null));

export const message = computed<string | null>(() =>
  when.value === null ? null : (messages.value[when.value][seen.value[when.value]] ?? null),
);

export function closeMessage() {
  if (when.value !== null) seen.value = { ...seen.value, [when.value]: seen.value[when.value] + 1 };
}

effect(() => {
  void play.level.value;
  seen.value = { before: 0, after: 0 };
});
