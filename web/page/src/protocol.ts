// What the page and the engine say to each other. Made from the types of `web/src` by
// `BLESS=1 cargo test -p unstuck-web`; not to be changed by hand.

export type Answer<T> = { ok: T } | { error: Fault };

export type VerdictName = "solved" | "unsolvable" | "no-solution-within" | "unknown";

export type QuickAsk = { "ask": "families" } | { "ask": "read", text: string, puzzle: string | null, options: { [key in string]: string }, } | { "ask": "formats", level: Level, } | { "ask": "picture", level: Level, moves: string, } | { "ask": "open", id: number, level: Level, moves: string, } | { "ask": "close", id: number, } | { "ask": "play", id: number, at: number, moves: string, } | { "ask": "view", id: number, at: number, } | { "ask": "walk", id: number, at: number, to: [number, number], } | { "ask": "drag", id: number, at: number, from: [number, number], to: [number, number], } | { "ask": "reached", id: number, at: number, from: [number, number], } | { "ask": "judge", id: number, drawing: string, };

export type LongAsk = { "ask": "solve", level: Level, objective: string, engine: string, limits: Limits, } | { "ask": "prove", level: Level, objective: string, engine: string, formulas: boolean, limits: Limits, } | { "ask": "hint", level: Level, moves: string, degree: HintLevel, limits: Limits, } | { "ask": "diagnose", level: Level, moves: string, limits: Limits, } | { "ask": "forced", level: Level, limits: Limits, } | { "ask": "count", level: Level, objective: string, rules: boolean, limits: Limits, } | { "ask": "generate", puzzle: string, options: { [key in string]: string }, seed: number, least: number, limits: Limits, };

export type Level = { text: string, puzzle: string, options: { [key in string]: string }, 
/** For people only: the engine does not read it. */
title: string | null, };

export type Limits = { seconds: number | null, megabytes: number | null, 
/** States that a search looks at: a limit that does not depend on the machine. */
states?: number, };

export type HintLevel = "solvable" | "piece" | "move" | "plan";

export type Fault = { message: string, 
/** Its line, from 1. */
line?: number, 
/** Its column, from 1. */
column?: number, 
/** The way out. */
help?: string, 
/** Set where there is no session of that number: it is to be opened again. */
closed?: boolean, };

export type Family = { name: string, about: string, 
/** Whether pieces move; else paths are drawn. */
moves: boolean, options: Array<OptionSpec>, objectives: Array<string>, };

export type OptionSpec = { name: string, default: string, help: string, kind: OptionKind, 
/** The values of a choice. */
choices: Array<string>, };

export type OptionKind = "flag" | "choice" | "number" | "text";

export type Read = { 
/** The families that the text can belong to; levels only when it is one. */
families: Array<string>, levels: Array<ReadLevel>, };

export type ReadLevel = { title: string | null, line: number, text: string, fault: Fault | null, warnings: Array<string>, solutions: Array<string>, };

export type Written = { 
/** What people call the format. */
name: string, 
/** How the names of such files end, without the dot. */
extension: string, 
/** The puzzle; reading it gives the same puzzle. */
text: string, };

export type Picture = { svg: string, };

export type Ground = { "of": "squares" } & Squares | { "of": "paths" } & Paths;

export type Squares = { rows: number, columns: number, 
/** What squares can be. */
kinds: Array<string>, 
/** What each square is, row by row: its place in `kinds`. */
squares: Array<number>, 
/** What stands on the lower right corners of squares. */
corners: Array<Corner>, 
/** How figures look, by their numbers, where the text of a level says so. */
sprites: Array<Sprite>, };

export type Corner = { at: [number, number], kind: string, };

export type Sprite = { name: string, 
/** Dots side by side: row, column of the first, how many there are, and their colour. */
runs: Array<[number, number, number, string]>, };

export type Paths = { square: boolean, 
/** In widths of a cell. */
width: number, height: number, cells: Array<PathCell>, 
/** Pairs of cells between which a path may go, by their numbers. */
ways: Array<[number, number]>, walls: Array<[number, number]>, ends: Array<PathPair>, };

export type PathCell = { 
/** As solutions name it. */
name: string, 
/** Its middle, in widths of a cell. */
x: number, y: number, 
/** Whether paths cross here. */
bridge: boolean, };

export type PathPair = { label: string, colour: string, cells: [number, number], };

export type Figure = { 
/** What it is: a word such as `box`. */
kind: string, 
/** The squares that it covers, or the two that it joins. */
places: Array<[number, number]>, 
/** What its kind counts: the electrons that an atom has free, the lines of a bond, the sum of
 * a stack of balls; on ground with sprites, which of them it has; else 0. */
number: number, };

export type Tally = { 
/** Player moves, pushes included (for the warehouse: instructions). */
moves: number, 
/** Moves that push (for the snowman: ball actions). */
pushes: number, };

export type Position = { 
/** Moves made so far. */
at: number, 
/** Their length. */
tally: Tally, 
/** Whether the game is won here. */
solved: boolean, 
/** What moves or changes, to be drawn. */
figures: Array<Figure>, };

export type Opened = { ground: Ground, 
/** The legal part of the moves, in the family's own notation. */
moves: string, 
/** The first move that is not possible. */
fault: string | null, position: Position, 
/** What stood where on the way from the last move to this position, where the game shows that. */
passed: Array<Array<Figure>>, };

export type Played = { 
/** The legal part of the moves, in the family's own notation. */
moves: string, 
/** The first move that is not possible. */
fault: string | null, position: Position, 
/** What stood where on the way from the last move to this position, where the game shows that. */
passed: Array<Array<Figure>>, };

export type Way = { 
/** `null` where there is no way. */
moves: string | null, };

export type Judged = { solved: boolean, fault: string | null, };

export type Verdict = { objective: string, how: string, 
/** What was certified, and how it was checked on the spot. */
certificate?: Certificate, 
/** Why there is no certificate, or one without all files. */
reason?: string, 
/** The reading of the rules; empty where there is only one. */
reading?: string | null, 
/** The verdict in one word; `error` and `crashed` say that there is none. */
verdict: VerdictName, 
/** The exit code of the level alone. */
exit?: number | null, 
/** The verdict as a sentence. */
sentence?: string | null, 
/** The horizon within which there is no solution, where that is the verdict. */
horizon?: number | null, 
/** The limit that struck. */
stopped_by?: Stop | null, 
/** The best solution. */
solution?: SolutionReport | null, 
/** No solution is shorter, in what the objective counts first. */
lower?: number | null, 
/** The length of the best solution, in the same. */
upper?: number | null, 
/** Whether the solution is shortest. */
optimal?: boolean | null, 
/** Whether its tie-break is least, too. */
tie_break_optimal?: boolean | null, 
/** Whether a certificate was written and checked. */
certified?: boolean | null, 
/** Whether all or a part of it was read from a store of earlier runs, and not found in this one;
 * not there where all was found. */
from_store?: boolean | null, 
/** What showed the verdict. */
shown_by?: string | null, 
/** The name of the encoding. */
encoding?: string | null, 
/** Wall-clock time. */
seconds?: number | null, 
/** The most memory that the process has held, where the system says so. */
peak_memory_bytes?: number | null, 
/** Whether there is no other shortest solution; `null` where that is not known. */
unique?: boolean | null, 
/** Whether there are no solutions beside these. */
all_found?: boolean | null, 
/** Further solutions, of families without moves. */
others?: Array<SolutionReport> | null, 
/** Why there is no certificate, where one was wanted. */
not_certified?: string | null, };

export type SolutionReport = { 
/** The moves, or what a solution without moves is written as. */
moves: string, 
/** Its length, in families with moves. */
length?: Length, };

export type Length = { 
/** Moves, pushes among them. */
moves: number, 
/** Pushes. */
pushes: number, };

export type Stop = "time" | "memory" | "states" | "unknown-move" | "interrupted" | "cancelled" | "paused";

export type Certificate = { claim: string, evidence: string, checked: Array<string>, trusted: Array<string>, };

export type Generated = { text: string, verdict: Verdict, };

export type MarkView = { 
/** The cells: one, or two that are joined. */
places: Array<[number, number]>, 
/** What it means. */
look: string, 
/** A few letters, where the look has room for them. */
label: string, };

export type ShownHint = { 
/** What the hint points at, in the position that is played. */
marks: Array<MarkView>, 
/** The position after its moves; empty where none are said. */
after: Array<Figure>, 
/** What it says of the rest of the game. */
sentence: string, 
/** How much is wanted. */
degree: HintLevel, 
/** Whether there is a solution from here; not known when a limit struck first. */
solvable: boolean | null, 
/** What the shortest solution from here costs. */
rest: number | null, 
/** What every solution from here costs at least, where there may be one. */
at_least: number | null, 
/** What the solution costs that the hint is taken from, where it need not be a shortest one; in
 * the objective's primary count. */
at_most: number | null, 
/** What is pushed next. */
pieces: Array<string> | null, 
/** The next pushes, in words. */
pushes: Array<string> | null, 
/** The moves up to and with the last of them. */
moves: string | null, 
/** The board after them. */
board: string | null, 
/** The limit that struck. */
stop: Stop | null, };

export type ShownDiagnosis = { 
/** Its sentence, with what is on the board, and the limit that struck. */
summary: string, 
/** The position to look at: after so many moves. */
shown: number, 
/** What is lost there. */
marks: Array<MarkView>, 
/** Where it went wrong. */
sentence: string, 
/** The number of the move that lost the game, from 1. */
fatal: number | null, 
/** The moves, as far as they are legal. */
moves: Array<JudgedMove>, 
/** Why the game is lost, where that was asked (see [`super::reasons`]). */
reason: Reason | null, 
/** Whether the game is solved at its end, by a walk at most where walking costs nothing. */
solved: boolean, 
/** What a shortest solution of the level costs. */
optimum: number | null, 
/** What the shortest end of the game costs from its last position. */
rest: number | null, 
/** What was lost before the fatal move, where all of it is known. */
wasted: number | null, 
/** After so many moves there is a solution, and after no more that is known of. */
solvable_after: number | null, 
/** After so many moves there is none, and after no fewer that is known of; 0 when the level has
 * no solution. */
lost_after: number | null, 
/** The first move that is not legal. */
illegal: Violation | null, 
/** The board before the fatal move, else at the end. */
board: string | null, 
/** Positions that search looked at. */
positions: number, 
/** The limit that left something open. */
stop: Stop | null, 
/** Where the certificate was written. */
certificate: string | null, };

export type JudgedMove = { 
/** The move in the family's notation. */
move: string, 
/** What it did, where that is known; nothing in a game that was lost before. */
class: MoveClass | null, 
/** By how much it made the shortest solution longer, in the objective's primary count. */
cost: number | null, };

export type MoveClass = "free" | "costly" | "fatal";

export type Reason = { 
/** What shows it: `bound`, `parts` or `search`. */
kind: string, 
/** One sentence without a full stop. */
text: string, 
/** The parts that are lost by themselves, where that is the reason. */
parts: Array<Part>, };

export type Part = { 
/** What it is, in one word: `wall`, `box`. */
kind: string, 
/** What it is and where, for people: `box (2,3)`, rows and columns from 1. */
name: string, 
/** Row and column of its cells: from 0 here, from 1 where they are written. */
cells: Array<[number, number]>, };

export type Violation = { 
/** Number of the first move that breaks a rule, from 1; `None` when all moves are legal and
 * only the end is wrong (or when the family has no moves). */
move: number | null, 
/** Name of the rule, the same word that the documentation uses (`"wall"`, `"not-solved"`). */
rule: string, 
/** One sentence without a full stop. */
message: string, };

export type ShownFacts = { 
/** Its steps for people. */
words: Array<string>, 
/** How much all solutions have in common. */
sentence: string, 
/** The facts, in the order in which they were found. */
steps: Array<DeducedFact>, 
/** Facts of the first solution that do not hold in all, where that is known. */
open: Array<string> | null, 
/** Whether there is a solution. */
solvable: boolean | null, 
/** Whether there is one alone. */
unique: boolean | null, 
/** Facts that one clause says. */
direct: number, 
/** Facts whose opposite leads to a contradiction. */
contradiction: number, 
/** Facts whose opposite was refuted by search. */
search: number, 
/** Clauses of the largest step. */
largest: number | null, 
/** The limit that struck. */
stop: Stop | null, };

export type DeducedFact = { 
/** The name of the variable, such as `joined(0,1;0,2)`. */
fact: string, 
/** Whether it is true or false. */
value: boolean, 
/** How it was found. */
how: DeductionMethod, 
/** Clauses that the step took; 0 for search. */
clauses: number, 
/** Their rules. */
rules: Array<string>, };

export type DeductionMethod = "direct" | "contradiction" | "search";

export type Count = { 
/** Two of them, where there are several. */
fork: Fork | null, 
/** How many there are. */
sentence: string, 
/** What an optimal plan costs, where that is known. */
optimum: number | null, 
/** What every plan costs at least, where that is known. */
at_least: number | null, 
/** The number of optimal plans, up to exchanges; not known when a limit struck, or when it
 * does not fit into 128 bits. For programs a number, or a text where it is larger than others can
 * read. */
optimal_plans: number | string | null, 
/** Whether that number is known. */
complete: boolean, 
/** The moves of plans, one for each class, as many as were wanted. */
plans: Array<string>, 
/** Whether these are all. */
all_listed: boolean, 
/** Pushes that every optimal plan makes, as often as each does, in the order of a first plan;
 * in words. */
common: Array<string> | null, 
/** Positions on optimal plans, the start and the ends included. */
positions: number, 
/** Whether there is a plan, where that is known. */
solvable: boolean | null, 
/** The limit that struck. */
stop: Stop | null, 
/** Which rules of the game act in the plans, where that was asked (see [`super::rules`]). */
rules?: RuleUse | null, };

export type RuleUse = { 
/** Those that act in one of them, or before the first move. */
acting: Array<number>, 
/** All others. */
idle: Array<number>, };

export type Fork = { 
/** Moves that both begin with. */
at: number, 
/** What stands where after them. */
before: Array<Figure>, ways: Array<ForkWay>, };

export type ForkWay = { 
/** All of its moves. */
moves: string, 
/** What stands where after the first push, or whatever the family counts, that the other one
 * does not make there. */
after: Array<Figure>, };

export type Progress = { lower: number | null, upper: number | null, doing: string, 
/** The moves of the best solution so far, where this is about one: its length is `upper` where
 * something is counted. What stops the work has left it. */
moves?: string, };
