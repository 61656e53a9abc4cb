// Check all, and a badge for each level: solvable in how many, unique, unsolvable, unknown.

import type { Level } from "../protocol";
import { texts } from "../texts";
import { badgeOf, checkAll, idleRules, running, stop } from "./check";

const { level: words } = texts;

export function Badge({ level }: { level: Level }) {
  const known = badgeOf(level);
  return known && <small class={`check ${known.verdict}`}>{known.words.join(" · ")}</small>;
}

/** The button alone: where the levels are cards, their badges are on these. */
export function CheckAll({ of }: { of: readonly Level[] }) {
  const now = running.value;
  if (now !== null) {
    return (
      <div class="row checking" role="status">
        <progress aria-label={words.checking(now.at, now.total)} max={now.total} value={now.at - 1} />
        <span>{words.checking(now.at, now.total)}</span>
        <button onClick={stop}>{texts.stop}</button>
      </div>
    );
  }
  return <button onClick={() => void checkAll(of)}>{words.check}</button>;
}

/** Which rules of a game are of no use to those who know the shortest way. */
export function IdleRules({ of }: { of: readonly Level[] }) {
  const idle = running.value === null ? idleRules(of) : null;
  return idle && <p class="idle">{words.idleRules(idle.lines, idle.open)}</p>;
}

/** The levels of a text in a list, each with its badge. */
export function Checks({ of, open }: { of: readonly Level[]; open(at: number): void }) {
  if (of.length === 0) return null;
  return (
    <>
      <CheckAll of={of} />
      <ol class="checks">
        {of.map((level, index) => (
          <li key={index}>
            <button onClick={() => open(index)}>{level.title ?? words.nth(index + 1)}</button>{" "}
            <Badge level={level} />
          </li>
        ))}
      </ol>
      <IdleRules of={of} />
    </>
  );
}
