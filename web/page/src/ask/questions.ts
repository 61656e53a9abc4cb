// Questions that take long. They go on whatever the person looks at; their answers are kept under
// the level that they are about, so that coming back finds them.

import { computed, signal } from "@preact/signals";
import * as certificates from "./certificates";
import { AT_ONCE, engines, type Lane } from "../engine/engine";
import { FAMILY_UI } from "../families";
import { isRecord, keep, kept } from "../keep/keep";
import * as play from "../play/play";
import type {
  Count,
  Level,
  Limits,
  LongAsk,
  Progress,
  ShownDiagnosis,
  ShownFacts,
  ShownHint,
  Verdict,
} from "../protocol";
import * as records from "../keep/records";
import { familyOf, remark, taken } from "../state";
import { texts } from "../texts";

/** A verdict, and the size of its certificate. */
export interface Proved extends Verdict {
  readonly files?: number;
  /** In bytes. */
  readonly size?: number;
}

/** An answer with the files of a certificate, as the worker has packed them. */
interface Packed extends Proved {
  readonly archive?: Uint8Array<ArrayBuffer>;
}

/** What is worked on now. */
export interface Running {
  readonly lane: Lane;
  readonly level: Level;
  readonly progress: Progress | null;
}

export const running = signal<ReadonlyMap<Lane, Running>>(new Map());

function setRunning(lane: Lane, next: Running | null) {
  const all = new Map(running.value);
  if (next === null) all.delete(lane);
  else all.set(lane, next);
  running.value = all;
}

/** Answers of a kind that are kept. */
const MOST = 20;

/** A kind of question, with its answers by name. */
export class Question<T extends object> {
  readonly answers = signal<ReadonlyMap<string, T>>(new Map());
  /** The question that is asked now; answers to earlier ones are dropped. */
  private now = 0;

  constructor(
    readonly lane: Lane,
    private readonly most = MOST,
    /** What an answer is worth that was stopped: what was known by then. */
    private readonly stopped?: (known: Progress, ways: readonly LongAsk[]) => T | null,
  ) {}

  answer(name: string | null): T | null {
    return (name !== null && this.answers.value.get(name)) || null;
  }

  set(name: string, answer: T) {
    const others = [...this.answers.value].filter(([other]) => other !== name);
    this.answers.value = new Map([...others, [name, answer] as const].slice(-this.most));
  }

  forget(name: string) {
    this.answers.value = new Map([...this.answers.value].filter(([other]) => other !== name));
  }

  /** Asks in one way or in several at once; `settles` tells an answer that ends all of them. */
  async ask(
    name: string,
    level: Level,
    ways: readonly LongAsk[],
    settles: (answer: T) => boolean = () => true,
  ): Promise<T | null> {
    const mine = (this.now += 1);
    const { lane } = this;
    setRunning(lane, { lane, level, progress: null });
    const onProgress = (event: Progress) => {
      const known = running.value.get(lane)?.progress;
      const moves = event.moves ?? known?.moves;
      // An event tells one bound; the other is still known.
      const progress = {
        // What is done goes on when a solution was found on the way.
        doing: event.moves ? (known?.doing ?? event.doing) : event.doing,
        ...(moves && { moves }),
        lower: strictest(Math.max, event.lower, known?.lower),
        upper: strictest(Math.min, event.upper, known?.upper),
      };
      if (this.now === mine) setRunning(lane, { lane, level, progress });
    };
    const isSettled = (answer: { ok: T } | { error: object }) => "ok" in answer && settles(answer.ok);
    const given = await engines.long<T>(lane, ways, isSettled, onProgress);
    if (this.now !== mine) return null;
    const known = running.value.get(lane)?.progress ?? null;
    setRunning(lane, null);
    if ("error" in given && given.error.message === texts.stopped) {
      if (lane === "solve" || lane === "help") remark.value = texts.stopped;
      return known === null ? null : (this.stopped?.(known, ways) ?? null);
    }
    const answer = taken(given);
    if (answer !== null) this.set(name, answer);
    return answer;
  }
}

function strictest(
  of: (...bounds: number[]) => number,
  ...bounds: (number | null | undefined)[]
): number | null {
  const known = bounds.filter((bound) => bound !== null && bound !== undefined);
  return known.length === 0 ? null : of(...known);
}

export function stop(lane: Lane) {
  engines.stop(lane);
}

/** What is known of a level when its solving is stopped: the best solution, and the bounds. */
function stoppedAt({ moves, lower, upper }: Progress, [way]: readonly LongAsk[]): Packed | null {
  if (moves === undefined && lower === null && upper === null) return null;
  const objective = way && "objective" in way ? way.objective : "any";
  return {
    sentence: moves === undefined ? texts.solve.stoppedWithout : texts.solve.stoppedWith,
    how: "",
    verdict: moves === undefined ? "unknown" : "solved",
    objective,
    solution: moves === undefined ? null : { moves },
    unique: null,
    optimal: null,
    lower,
    upper,
    stopped_by: "interrupted",
    seconds: 0,
  };
}

export const verdicts = new Question<Packed>("solve", MOST, stoppedAt);
export const counts = new Question<Count>("solve");
export const hints = new Question<ShownHint>("help");
export const diagnoses = new Question<ShownDiagnosis>("help");
export const facts = new Question<ShownFacts>("help");

/** Most memory of a question, in megabytes, unless the person says otherwise. */
const MEGABYTES = ((navigator as { deviceMemory?: number }).deviceMemory ?? 8) <= 4 ? 500 : 1500;

/** How a level is solved. */
export const settings = signal({
  objective: "",
  engine: "auto",
  seconds: 60,
  megabytes: MEGABYTES,
  formulas: true,
});

export const HELP_LIMITS: Limits = { seconds: 60, megabytes: MEGABYTES };

export const levelName = computed(() =>
  play.level.value === null ? null : records.nameOf(play.level.value),
);

/** The name of a question about the position on the board. */
export const positionName = computed(() =>
  levelName.value === null ? null : `${levelName.value} ${play.made.value}`,
);

/** The objective that is wanted, among those that the family has. */
export function objectiveOf(level: Level): string {
  const objectives = familyOf(level)?.objectives ?? [];
  const { objective } = settings.value;
  return objectives.includes(objective) ? objective : (objectives[0] ?? "any");
}

function question(level: Level, wanted = objectiveOf(level)) {
  const { seconds, megabytes, engine } = settings.value;
  const moves = familyOf(level)?.moves ?? false;
  return {
    level,
    objective: wanted,
    engine: moves ? engine : "auto",
    limits: { seconds, megabytes },
  };
}

/** Time that is more by so much, where it was too little. */
const LONGER = 5;

/** Solves the level on the board with more time. */
export function solveLonger() {
  settings.value = { ...settings.value, seconds: settings.value.seconds * LONGER };
  return solve();
}

/** Solves the level on the board. */
export async function solve(wanted?: string) {
  const level = play.level.value;
  if (level === null) return;
  const asked = question(level, wanted);
  // Where there are cores for it, what one worker does in turn others do all the time.
  const isFree = asked.engine === "auto" && familyOf(level)?.moves;
  const ways = isFree ? ["auto", "sat", "search"].slice(0, AT_ONCE) : [asked.engine];
  const asks = ways.map((engine) => ({ ask: "solve", ...asked, engine }) as const);
  const settles = (answer: Verdict) => answer.verdict !== "unknown" && answer.stopped_by === null;
  const before = verdicts.answer(records.nameOf(level));
  note(level, before, await verdicts.ask(records.nameOf(level), level, asks, settles));
}

/** Solves the level on the board with a certificate. */
export async function prove() {
  const level = play.level.value;
  if (level === null) return;
  const { formulas } = settings.value;
  const asks = [{ ask: "prove", ...question(level), formulas } as const];
  note(level, null, await verdicts.ask(records.nameOf(level), level, asks));
}

/** Takes note of a verdict; a certificate for just what it says stays with it. */
export function note(level: Level, before: Proved | null, verdict: Packed | null) {
  if (verdict === null) return;
  records.learn(level, play.level.value === level, verdict);
  const name = records.nameOf(level);
  const { archive, ...plain } = verdict;
  const isSame = (["verdict", "objective", "lower", "upper"] as const).every(
    (part) => before?.[part] === plain[part],
  );
  const { certificate, files, size } = before ?? {};
  const known = isSame && certificate && !plain.certificate ? { certificate, files, size } : {};
  const told = { ...plain, ...(archive && { size: archive.length }), ...known } as Proved;
  verdicts.set(name, told);
  if (archive) void certificates.put(name, archive);
  // Another tab may have kept some since.
  const others = keptVerdicts().filter(([other]) => other !== name);
  keep("verdicts", [...others, [name, told]].slice(-MOST));
}

/** Counts the shortest solutions of the level on the board. */
export async function count(objective: string) {
  const level = play.level.value;
  if (level === null) return;
  const { limits } = question(level);
  await counts.ask(countName(level, objective), level, [
    { ask: "count", level, objective, rules: false, limits },
  ]);
}

/** What is found out of a level that nobody asks about: its verdict, and how many shortest solutions it
 * has, with the rules that act in them where these are wanted. */
export interface Look {
  readonly verdicts: Question<Verdict>;
  readonly counts: Question<Count>;
  readonly rules: boolean;
}

/** Time for such a level. */
const LOOK_LIMITS = { seconds: 10, megabytes: 800 };

/** Finds out what is not known yet, while `goesOn` says that it is wanted. */
export async function findOut(
  name: string,
  level: Level,
  { verdicts, counts, rules }: Look,
  goesOn: () => boolean,
) {
  const [objective, limits] = [familyOf(level)?.objectives[0] ?? "any", LOOK_LIMITS];
  const solve = { ask: "solve", level, objective, engine: "auto", limits } as const;
  const found = verdicts.answer(name) ?? (await verdicts.ask(name, level, [solve]));
  if (!found?.optimal || objective === "any" || counts.answer(name) !== null || !goesOn()) return;
  await counts.ask(name, level, [{ ask: "count", level, objective, rules, limits }]);
}

export function countName(level: Level, objective: string): string {
  return `${records.nameOf(level)} ${objective}`;
}

/** Verdicts of earlier visits. */
function keptVerdicts(): readonly (readonly [string, Proved])[] {
  const pairs = kept("verdicts", (value) => (Array.isArray(value) ? (value as unknown[]) : null));
  return (pairs ?? []).flatMap((pair) => {
    if (!Array.isArray(pair) || typeof pair[0] !== "string" || !isRecord(pair[1])) return [];
    const { sentence, verdict, objective } = pair[1];
    if (![sentence, verdict, objective].every((one) => typeof one === "string")) return [];
    return [[pair[0], pair[1] as unknown as Proved] as const];
  });
}

export function restore() {
  for (const [name, verdict] of keptVerdicts()) verdicts.set(name, verdict);
  void certificates.restore();
}

/** The unit that an objective counts, in the family's word. */
export function unit(level: Level, objective: string): string {
  const measures = FAMILY_UI[level.puzzle]?.measures;
  const word = objective.startsWith("pushes") ? measures?.pushes : measures?.moves;
  return word?.(2) ?? objective;
}

/** Bounds in words: at least 41, at most 47 pushes. */
export function bounds(lower: number | null, upper: number | null, unit: string): string {
  const { solve: words } = texts;
  if (lower !== null && lower > 0 && upper !== null) return words.between(lower, upper, unit);
  if (upper !== null) return words.atMost(upper, unit);
  return lower !== null && lower > 0 ? words.atLeast(lower, unit) : "";
}
