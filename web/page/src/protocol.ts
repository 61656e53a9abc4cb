// What the page and the engine say to each other. The engine's side is `web/src/`; the fields of a
// verdict are those of `unstuck solve --json`.

/** A level as it was read: reading its text alone, with these options, gives the same puzzle. */
export interface Level {
  readonly text: string;
  readonly puzzle: string;
  readonly options: Readonly<Record<string, string>>;
  readonly title: string | null;
}

/** When a long question ends without its answer. */
export interface Limits {
  readonly seconds: number;
  readonly megabytes: number;
}

export type Degree = "solvable" | "piece" | "move" | "plan";

/** A question; its name says which command of the program it is. */
export type Ask =
  | { ask: "families" }
  | { ask: "read"; text: string; puzzle: string | null; options: Record<string, string> }
  | { ask: "formats"; level: Level }
  | { ask: "show"; level: Level; moves: string }
  | { ask: "walk"; level: Level; moves: string; to: Cell }
  | { ask: "drag"; level: Level; moves: string; from: Cell; to: Cell }
  | { ask: "solve"; level: Level; objective: string; engine: string; limits: Limits }
  | { ask: "prove"; level: Level; objective: string; engine: string; formulas: boolean; limits: Limits }
  | { ask: "hint"; level: Level; moves: string; degree: Degree; limits: Limits }
  | { ask: "diagnose"; level: Level; moves: string; limits: Limits }
  | { ask: "forced"; level: Level; limits: Limits }
  | { ask: "count"; level: Level; objective: string; limits: Limits };

/** Row and column, from 0. */
export type Cell = readonly [number, number];

/** Why there is no answer: always shown to the user, never dropped. */
export interface Fault {
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
  readonly help?: string;
}

export type Answer<T> = { readonly ok: T } | { readonly error: Fault };

export interface OptionSpec {
  readonly name: string;
  readonly kind: "flag" | "choice" | "number" | "text";
  readonly choices?: readonly string[];
  readonly low?: number;
  readonly high?: number;
  readonly default: string;
  readonly help: string;
}

export interface Family {
  readonly name: string;
  readonly about: string;
  readonly moves: boolean;
  readonly options: readonly OptionSpec[];
  readonly objectives: readonly string[];
}

export interface ReadLevel {
  readonly title: string | null;
  readonly line: number;
  readonly text: string;
  readonly fault: Fault | null;
  readonly warnings: readonly string[];
  readonly solutions: readonly string[];
}

export interface Read {
  /** The families that the text can belong to; levels only when it is one. */
  readonly families: readonly string[];
  readonly levels: readonly ReadLevel[];
}

/** A level in one of the formats that are written. */
export interface Written {
  readonly name: string;
  readonly extension: string;
  readonly text: string;
}

/** A position: the level after some moves, or with a drawn solution. */
export interface Shown {
  readonly svg: string;
  /** The legal part of the moves, in the family's own notation. */
  readonly moves: string;
  readonly tally: { readonly moves: number; readonly pushes: number };
  readonly solved: boolean;
  /** The first move that is not possible, or what is wrong at the end. */
  readonly fault: string | null;
  /** Rows and columns of the picture where cells are squares; `null` elsewhere. */
  readonly grid: { readonly rows: number; readonly columns: number } | null;
  /** Flow: the termini of each label. */
  readonly ends: readonly { readonly label: string; readonly cells: readonly [Cell, Cell] }[];
}

export interface Solution {
  readonly moves: string;
  readonly length: { readonly moves: number; readonly pushes: number };
}

/** A verdict, as `unstuck solve --json` prints it, with its sentence. */
export interface Verdict {
  readonly sentence: string;
  readonly how: string;
  readonly verdict: "solved" | "unsolvable" | "no-solution-within" | "unknown";
  readonly objective: string;
  readonly solution: Solution | null;
  readonly others?: readonly Solution[];
  readonly unique: boolean | null;
  readonly optimal: boolean;
  readonly lower: number | null;
  readonly upper: number | null;
  readonly stopped_by: string | null;
  readonly seconds: number;
}

/** What was certified, and how it was checked on the spot. */
export interface Certificate {
  readonly claim: string;
  readonly evidence: string;
  readonly checked: readonly string[];
  readonly trusted: readonly string[];
}

/** A verdict with its certificate, or with the reason why there is none. */
export interface Proved extends Verdict {
  readonly certificate?: Certificate;
  readonly reason?: string;
  /** The files of the certificate, packed by the worker. */
  readonly archive?: Uint8Array<ArrayBuffer>;
  readonly files?: readonly { readonly name: string; readonly bytes: number }[];
}

export interface Hint {
  readonly sentence: string;
  readonly moves: string;
  readonly solvable: boolean | null;
  /** The position with marks, where the hint points at something. */
  readonly svg: string | null;
}

export type MoveClass = "free" | "costly" | "fatal";

export interface Diagnosis {
  readonly fatal: number | null;
  readonly moves: readonly { readonly move: string; readonly class: MoveClass | null; readonly cost: number | null }[];
  readonly reason: string | null;
  readonly sentence: string;
  readonly svg: string | null;
}

export interface Forced {
  readonly sentence: string;
  /** The board with the steps, by number. */
  readonly svg: string | null;
  readonly steps: readonly { readonly what: string; readonly why: string }[];
}

/** How many shortest solutions there are: a number of up to 39 digits, or `null` where unknown. */
export interface Count {
  readonly plans: string | null;
  readonly sentence: string;
}

/** Something that happened while a long question is worked on. */
export interface Progress {
  readonly lower: number | null;
  readonly upper: number | null;
  readonly doing: string;
}
