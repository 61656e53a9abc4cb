// What all parts of the page share: the families, what went wrong, what is said, which panel is open.

import { effect, signal } from "@preact/signals";
import type { Answer, Family, Fault, Level } from "./protocol";
import type { texts } from "./texts";

export type Tab = keyof typeof texts.tabs;

export const families = signal<readonly Family[]>([]);
/** The panel that is open, if one is. */
export const tab = signal<Tab | null>(null);
/** Whether the board is painted, not played. */
export const painting = signal(false);
/** What went wrong last, shown until something succeeds. */
export const fault = signal<Fault | null>(null);
/** A short remark for everybody, read out by screen readers. */
export const remark = signal("");

// What was said of the game is not about what is painted.
effect(() => {
  void painting.value;
  remark.value = "";
});

/** Opens a panel; the one of design comes with a board to paint on. */
export function show(name: Tab) {
  tab.value = name;
  painting.value = name === "edit";
}

/** Whether a panel takes away what the board needs: as on a phone. */
const isNarrow = () => matchMedia("(max-width: 999px)").matches;

/** What is asked for in a panel appears on the board: where there is little room, the panel goes. */
export function toBoard() {
  painting.value = false;
  if (isNarrow()) tab.value = null;
}

/** The value of an answer, or null, with the fault shown. */
export function taken<T>(answer: Answer<T>): T | null {
  if ("error" in answer) {
    fault.value = answer.error;
    return null;
  }
  fault.value = null;
  return answer.ok;
}

export function familyOf(of: Level | null): Family | undefined {
  return families.value.find((family) => family.name === of?.puzzle);
}

/** Whether pieces of this level move (else paths are drawn). */
export function isMoving(of: Level | null): boolean {
  return familyOf(of)?.moves ?? true;
}
