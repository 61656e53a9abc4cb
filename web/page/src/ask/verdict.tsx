// A verdict as badges: what is known at a glance.

import { FAMILY_UI } from "../families";
import type { Count, Level, Verdict } from "../protocol";
import { measureOf } from "../keep/records";
import { texts } from "../texts";

const { badge } = texts.solve;

/** "6 pushes", by the objective of a verdict. */
function lengthOf(level: Level, { objective, solution }: Verdict): string | null {
  const measures = FAMILY_UI[level.puzzle]?.measures;
  if (!solution?.length || !measures || objective === "any") return null;
  const measure = measureOf(objective);
  const count = solution.length[measure];
  return `${count} ${(measures[measure] ?? measures.moves)(count)}`;
}

/** The sentence of a verdict, without the reading of the rules, which is behind "How we know". */
export function sentenceOf({ sentence }: Verdict): string {
  return (sentence ?? "").replace(/ \[[^\]]*\]/, "");
}

interface Props {
  level: Level;
  verdict: Verdict;
  /** How many shortest solutions there are, where that was counted. */
  plans: Count["optimal_plans"];
}

/** What is known, in a few words each. */
export function badgesOf({ level, verdict, plans }: Props): readonly string[] {
  const length = lengthOf(level, verdict);
  const isUnique = plans === null ? verdict.unique === true : verdict.optimal && plans === 1;
  const isSeveral = plans === null ? verdict.unique === false : Number(plans) > 1;
  return [
    badge[verdict.verdict],
    ...(length === null ? [] : [length]),
    ...(verdict.optimal ? [badge.shortest] : []),
    ...(isUnique ? [badge.unique] : []),
    ...(isSeveral ? [badge.several] : []),
  ];
}

export function Badges(props: Props) {
  const [name, ...others] = badgesOf(props);
  return (
    <p class={`badges ${props.verdict.verdict}`}>
      <span class="badge verdict-name">{name}</span>
      {others.map((word) => (
        <span key={word} class={word === badge.unique ? "badge good" : "badge"}>
          {word}
        </span>
      ))}
    </p>
  );
}
