// What all parts of the page share: the families, what went wrong, what is said, which panel is open.

import { signal } from "@preact/signals";
import type { Answer, Family, Fault, Level } from "./protocol";
import type { texts } from "./texts";

export type Tab = keyof typeof texts.tabs;

export const families = signal<readonly Family[]>([]);
export const tab = signal<Tab>("level");
/** What went wrong last, shown until something succeeds. */
export const fault = signal<Fault | null>(null);
/** A short remark for everybody, read out by screen readers. */
export const remark = signal("");

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
