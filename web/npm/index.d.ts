// Puzzles solved in a worker, in browsers and in Node.
//
// Answers are the objects that the page of unstuck has, and of `solve` those that `unstuck solve --json`
// prints: their types are made from the library's.

import type { Count, Family, HintLevel, Progress, ReadLevel, ShownDiagnosis, ShownHint, Verdict } from "./protocol.js";

export type * from "./protocol.js";

/** Which level of a text is meant, and how it is read. */
export interface Reading {
  /** The family; found out by the text where that is possible. */
  puzzle?: string;
  /** Options of the family by their names. */
  options?: Record<string, string>;
}

/** How a question is asked. */
export interface Asking extends Reading {
  /** The number of the level in the text, from 1. */
  level?: number;
  /** What a solution is to be shortest in: `pushes`, `moves`; the family's first if not given. */
  objective?: string;
  /** Seconds until it ends with what is known. */
  seconds?: number;
  /** The most memory that the worker may hold. */
  megabytes?: number;
  /** Ends it at once, with nothing. */
  signal?: AbortSignal;
  /** What happens meanwhile. */
  onProgress?: (progress: Progress) => void;
}

/** Who answers. */
export type Engine = "auto" | "sat" | "search" | "learn";

/** A level of a text: its fault where it has one. */
export type FoundLevel = ReadLevel & { puzzle: string; options: Record<string, string> };

/** Why there is no answer; line and column, from 1, where a text has a fault. */
export class UnstuckError extends Error {
  readonly line?: number;
  readonly column?: number;
  readonly help?: string;
}

/** The families by their names. */
export function families(): Promise<Record<string, Family>>;

/** The levels of a text. Throws an {@link UnstuckError} where no family reads it, or several do. */
export function read(text: string, reading?: Reading): Promise<FoundLevel[]>;

/** A shortest solution, or that there is none; the best that is known where a limit strikes. */
export function solve(text: string, asking?: Asking & { engine?: Engine }): Promise<Verdict>;

/** The same with a certificate, whose files `unstuck check` reads: their contents by their names. */
export function prove(
  text: string,
  asking?: Asking & { engine?: Engine; formulas?: boolean },
): Promise<Verdict & { files?: Record<string, Uint8Array> }>;

/** What to do next after some moves, and no more than the degree says. */
export function hint(
  text: string,
  moves?: string,
  asking?: Omit<Asking, "objective"> & { degree?: HintLevel },
): Promise<ShownHint>;

/** Where a game went wrong. */
export function diagnose(text: string, moves: string, asking?: Omit<Asking, "objective">): Promise<ShownDiagnosis>;

/** How many shortest solutions there are; with `rules` also which rules of a game act in them. */
export function count(text: string, asking?: Asking & { rules?: boolean }): Promise<Count>;

/** Ends all workers that have nothing to do. */
export function close(): void;
