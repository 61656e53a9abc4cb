// What the page and the engine say to each other. Made from the types of `web/src` by
// `BLESS=1 cargo test -p unstuck-web`; not to be changed by hand.

export type Answer<T> = { ok: T } | { error: Fault };

export type QuickAsk = { "ask": "families" } | { "ask": "read", text: string, puzzle: string | null, options: { [key in string]: string }, } | { "ask": "formats", level: Level, } | { "ask": "picture", level: Level, moves: string, } | { "ask": "open", id: number, level: Level, moves: string, } | { "ask": "close", id: number, } | { "ask": "play", id: number, at: number, moves: string, } | { "ask": "view", id: number, at: number, } | { "ask": "walk", id: number, at: number, to: [number, number], } | { "ask": "drag", id: number, at: number, from: [number, number], to: [number, number], } | { "ask": "reached", id: number, at: number, from: [number, number], } | { "ask": "judge", id: number, drawing: string, };

export type LongAsk = { "ask": "solve", level: Level, objective: string, engine: string, limits: Limits, } | { "ask": "prove", level: Level, objective: string, engine: string, formulas: boolean, limits: Limits, } | { "ask": "hint", level: Level, moves: string, degree: Degree, limits: Limits, } | { "ask": "diagnose", level: Level, moves: string, limits: Limits, } | { "ask": "forced", level: Level, limits: Limits, } | { "ask": "count", level: Level, objective: string, limits: Limits, };

export type Level = { text: string, puzzle: string, options: { [key in string]: string }, 
/**
 * For people only: the engine does not read it.
 */
title: string | null, };

export type Limits = { seconds: number | null, megabytes: number | null, };

export type Degree = "solvable" | "piece" | "move" | "plan";

export type Fault = { message: string, 
/**
 * Its line, from 1.
 */
line?: number, 
/**
 * Its column, from 1.
 */
column?: number, 
/**
 * The way out.
 */
help?: string, 
/**
 * Set where there is no session of that number: it is to be opened again.
 */
closed?: boolean, };

export type Family = { name: string, about: string, 
/**
 * Whether pieces move; else paths are drawn.
 */
moves: boolean, options: Array<OptionSpec>, objectives: Array<string>, };

export type OptionSpec = { name: string, default: string, help: string, kind: OptionKind, 
/**
 * The values of a choice.
 */
choices: Array<string>, };

export type OptionKind = "flag" | "choice" | "number" | "text";

export type Read = { 
/**
 * The families that the text can belong to; levels only when it is one.
 */
families: Array<string>, levels: Array<ReadLevel>, };

export type ReadLevel = { title: string | null, line: number, text: string, fault: Fault | null, warnings: Array<string>, solutions: Array<string>, };

export type Written = { name: string, extension: string, text: string, };

export type Picture = { svg: string, };

export type Ground = { "of": "squares" } & Squares | { "of": "paths" } & Paths;

export type Squares = { rows: number, columns: number, 
/**
 * What squares can be.
 */
kinds: Array<string>, 
/**
 * What each square is, row by row: its place in `kinds`.
 */
squares: Array<number>, 
/**
 * What stands on the lower right corners of squares.
 */
corners: Array<Corner>, 
/**
 * How figures look, by their numbers, where the text of a level says so.
 */
sprites: Array<Sprite>, };

export type Corner = { at: [number, number], kind: string, };

export type Sprite = { name: string, 
/**
 * Dots side by side: row, column of the first, how many there are, and their colour.
 */
runs: Array<[number, number, number, string]>, };

export type Paths = { square: boolean, 
/**
 * In widths of a cell.
 */
width: number, height: number, cells: Array<PathCell>, 
/**
 * Pairs of cells between which a path may go, by their numbers.
 */
ways: Array<[number, number]>, walls: Array<[number, number]>, ends: Array<PathPair>, };

export type PathCell = { 
/**
 * As solutions name it.
 */
name: string, 
/**
 * Its middle, in widths of a cell.
 */
x: number, y: number, 
/**
 * Whether paths cross here.
 */
bridge: boolean, };

export type PathPair = { label: string, colour: string, cells: [number, number], };

export type Figure = { kind: string, 
/**
 * The squares that it covers, or the two that it joins.
 */
places: Array<[number, number]>, 
/**
 * What its kind counts: free electrons, lines of a bond, the sum of a stack of balls; on
 * squares with sprites, which of them it has; else 0.
 */
number: number, };

export type Tally = { moves: number, pushes: number, };

export type Position = { 
/**
 * Moves made so far.
 */
at: number, tally: Tally, solved: boolean, figures: Array<Figure>, };

export type Opened = { ground: Ground, 
/**
 * The legal part of the moves, in the family's own notation.
 */
moves: string, 
/**
 * The first move that is not possible.
 */
fault: string | null, position: Position, };

export type Played = { 
/**
 * The legal part of the moves, in the family's own notation.
 */
moves: string, 
/**
 * The first move that is not possible.
 */
fault: string | null, position: Position, };

export type Way = { 
/**
 * `null` where there is no way.
 */
moves: string | null, };

export type Judged = { solved: boolean, fault: string | null, };

export type Verdict = { sentence: string, how: string, verdict: VerdictName, objective: string, solution: Solution | null, others?: Array<Solution>, unique: boolean | null, optimal: boolean | null, lower: number | null, upper: number | null, stopped_by: string | null, seconds: number, 
/**
 * What was certified, and how it was checked on the spot.
 */
certificate?: Certificate, 
/**
 * Why there is no certificate, or one without all files.
 */
reason?: string, };

export type VerdictName = "solved" | "unsolvable" | "no-solution-within" | "unknown";

export type Solution = { moves: string, 
/**
 * Only where something is counted.
 */
length?: Tally, };

export type Certificate = { claim: string, evidence: string, checked: Array<string>, trusted: Array<string>, };

export type MarkView = { 
/**
 * The cells: one, or two that are joined.
 */
places: Array<[number, number]>, look: string, label: string, };

export type Hint = { sentence: string, moves: string, solvable: boolean | null, 
/**
 * What the hint points at, in the position that is played.
 */
marks: Array<MarkView>, 
/**
 * The position after these moves; empty where none are said.
 */
after: Array<Figure>, };

export type Diagnosis = { 
/**
 * The number of the move that lost the game, from 1.
 */
fatal: number | null, moves: Array<JudgedMove>, reason: string | null, sentence: string, 
/**
 * The position to look at: after so many moves.
 */
shown: number, 
/**
 * What is lost there.
 */
marks: Array<MarkView>, };

export type JudgedMove = { move: string, class: string | null, 
/**
 * By how much it made the shortest solution longer.
 */
cost: number | null, };

export type Forced = { sentence: string, steps: Array<Fact>, };

export type Fact = { 
/**
 * What it says of its cells, such as `joined`.
 */
kind: string, 
/**
 * Whether it is so, or in no solution.
 */
holds: boolean, 
/**
 * The names of the cells, as in solutions.
 */
cells: Array<string>, 
/**
 * Its cells for people.
 */
what: string, 
/**
 * How it was found: `direct`, `contradiction` or `search`.
 */
how: string, 
/**
 * The rules that it follows from.
 */
rules: Array<string>, };

export type Count = { 
/**
 * Up to 39 digits; `null` where unknown.
 */
plans: string | null, sentence: string, 
/**
 * Two of them, where there are several.
 */
fork: Fork | null, };

export type Fork = { 
/**
 * Moves that both begin with.
 */
at: number, 
/**
 * What stands where after them.
 */
before: Array<Figure>, ways: Array<ForkWay>, };

export type ForkWay = { 
/**
 * All of its moves.
 */
moves: string, 
/**
 * What stands where after the first push, or whatever the family counts, that the other one
 * does not make there.
 */
after: Array<Figure>, };

export type Progress = { lower: number | null, upper: number | null, doing: string, 
/**
 * The moves of the best solution so far, where this is about one: its length is `upper` where
 * something is counted. What stops the work has left it.
 */
moves?: string, };
