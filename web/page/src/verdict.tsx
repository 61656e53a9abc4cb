// A verdict as badges: what is known at a glance.

import { FAMILY_UI } from "./families";
import type { Level, Verdict } from "./protocol";
import { measureOf } from "./records";
import { texts } from "./texts";

const { badge } = texts.solve;

/** "6 pushes", by the objective of a verdict. */
export function lengthOf(level: Level, { objective, solution }: Verdict): string | null {
  const measures = FAMILY_UI[level.puzzle]?.measures;
  if (!solution?.length || !measures || objective === "any") return null;
  const measure = measureOf(objective);
  const count = solution.length[measure];
  return `${count} ${(measures[measure] ?? measures.moves)(count)}`;
}

/** The sentence of a verdict, without the reading of the rules, which is behind "How we know". */
export function sentenceOf({ sentence }: Verdict): string {
  return sentence.replace(/ \[[^\]]*\]/, "");
}

interface Props {
  level: Level;
  verdict: Verdict;
  /** How many shortest solutions there are, where that was counted. */
  plans: string | null;
}

export function Badges({ level, verdict, plans }: Props) {
  const length = lengthOf(level, verdict);
  const isUnique = verdict.optimal
    ? plans === "1" || (plans === null && verdict.unique === true)
    : verdict.unique === true;
  const several = plans !== null ? Number(plans) > 1 : verdict.unique === false;
  return (
    <p class={`badges ${verdict.verdict}`}>
      <span class="badge verdict-name">{badge[verdict.verdict]}</span>
      {length !== null && <span class="badge">{length}</span>}
      {verdict.optimal && <span class="badge">{badge.shortest}</span>}
      {isUnique && <span class="badge good">{badge.unique}</span>}
      {several && <span class="badge">{badge.several}</span>}
    </p>
  );
}
