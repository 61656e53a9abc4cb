#!/usr/bin/env node
// Checks a certificate of a PuzzleScript level by the engine of the language itself.
//
//     node check_puzzlescript.js ENGINE FOLDER [GAME LEVEL]
//
// ENGINE is a checkout of the engine (github.com/increpare/PuzzleScript), FOLDER a certificate.
// The level is the one in the certificate, or, where GAME and LEVEL are given, that level of a game
// file, counted from 1 without messages: then the claim is about your own file.
//
// No code of the program that wrote the certificate is used. The engine compiles the game, starts
// the level, plays the plan, and plays every input in every listed position. What this file adds is
// the bookkeeping, and the keys that a person would press to close messages.
//
// A closed set is a list of positions, each with a budget: the cost within which it is claimed not to
// be won, or `*` for any. An input costs 1; where changes are counted, only one that changes more than
// where the players are, and all others 0. The list holds if the start is listed with the budget of the
// claim, and if no input of a cost c in a listed position with a budget r of c or more wins or leads to
// a position that is not listed with r - c or more. Then there is no way to win within the claim.
//
// A certificate may say that a rule, by its line, never acts (then inputs that make it act do not
// count), or that it acts (then each position says with bits which of these rules have). A rule acts
// in a turn when it changes an object or a movement, or asks for something, also where that is undone
// later in the turn. In an input that changes nothing no rule acts.
//
// One grammar is read, which is closed: what has another form may mean something to other programs,
// so nothing is said of the folder then. Exit codes:
//
// * 0: valid: the engine confirms all that is claimed;
// * 1: invalid: it was understood, and something is wrong;
// * 2: not read: something was not understood (a bound, other constraints, chance, no engine), and
//   nothing is said.

"use strict";

const crypto = require("crypto");
const fs = require("fs");
const path = require("path");
const vm = require("vm");

class Invalid extends Error {}
class Unread extends Error {}

function need(condition, reason) {
  if (!condition) throw new Invalid(reason);
}

function known(condition, reason) {
  if (!condition) throw new Unread(reason);
}

const NUMBER = "(?:0|[1-9][0-9]{0,8})";
// A place and the objects there.
const CHANGE = new RegExp(`^(${NUMBER}):(.*)$`);
const MOST_BYTES = 2 ** 29;
// No chain of ticks by AGAIN is followed further.
const MOST_TICKS = 10000;

// The engine

// The files of the engine that play, in the order in which its page has them.
const SOURCES = [
  "storagewrapper", "bitvec", "level", "languageConstants", "globalVariables", "debug", "font", "rng",
  "riffwave", "sfxr", "codemirror/stringstream", "colorhelpers", "colors", "engine", "parser", "compiler",
  "soundbar",
];

// What of the engine's script this file uses: only its own scope can reach these.
const INSIDE = `
// A game may ask the editor for a timeline while it starts.
globalThis.addToDebugTimeline = () => { debug_visualisation_array[debugger_turnIndex] ??= []; };
let acting = new Set();
let restarted = false;
{
  const restart = DoRestart;
  DoRestart = (...of) => {
    restarted = true;
    return restart(...of);
  };
  const { tryApply, queueCommands } = Rule.prototype;
  Rule.prototype.tryApply = function (...of) {
    const changed = tryApply.apply(this, of);
    if (changed) acting.add(this.lineNumber);
    return changed;
  };
  // Called where a rule is found.
  Rule.prototype.queueCommands = function (...of) {
    if (this.commands.length > 0) acting.add(this.lineNumber);
    return queueCommands.apply(this, of);
  };
}
globalThis.engine = {
  acting: () => acting,
  hasRestarted: () => restarted,
  compile: (index, text) => { compile(["loadLevel", index], text, "seed"); },
  faults: () => errorStrings,
  faultCount: () => errorCount,
  state: () => state,
  level: () => level,
  input: (input) => { processInput(input); },
  restore: (dat) => {
    restoreLevel({ dat, width: level.width, height: level.height, oldflickscreendat: [] });
    backups = [];
    level.commandQueue = [];
    level.commandQueueSourceRules = [];
    winning = againing = textMode = restarting = false;
    messagetext = "";
    // It counts what it says of rules that come to no end, and gives up when that is too much.
    resetParserErrorState();
    acting = new Set();
    restarted = false;
  },
  isWon: () => winning,
  isTicking: () => againing && messagetext.length === 0,
  hasMessage: () => textMode,
  message: () => messagetext,
  // What the action key does to a message, as in update() of inputoutput.js.
  closeMessage: () => { messagetext = ""; textMode = false; titleScreen = false; checkWin(); },
  quiet: () => { verbose_logging = false; cache_console_messages = false; },
  withoutChance: (refuse) => { RNG.prototype.uniform = refuse; },
};
`;

// Loads the engine into this process; gives its name, a hash of its files.
function load(folder) {
  const kept = new Map();
  const nothing = () => {};
  const element = () => ({ style: {}, innerHTML: "", textContent: "", getContext: () => null });
  Object.assign(globalThis, {
    localStorage: {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => { kept.set(key, String(value)); },
      removeItem: (key) => { kept.delete(key); },
    },
    document: {
      URL: "", createElement: element, getElementById: () => null,
      body: { classList: { contains: () => false }, addEventListener: nothing, removeEventListener: nothing },
    },
    window: globalThis, lastDownTarget: null, canvas: null, input: element(),
    editor: { getValue: () => "" }, levelString: "", inputString: "", outputString: "",
  });
  // Drawing, sound and the console of the editor.
  for (const name of [
    "canvasResize", "redraw", "forceRegenImages", "regenSpriteImages", "consolePrintFromRule",
    "consolePrint", "consoleError", "consoleCacheDump", "killAudioButton",
    "showAudioButton", "jumpToLine", "printLevel", "playSound", "clearInputHistory", "pushInput",
  ]) globalThis[name] = nothing;
  globalThis.console_print_raw = nothing;
  const texts = SOURCES.map((name) => {
    const file = path.join(folder, "src", "js", `${name}.js`);
    known(fs.existsSync(file), `${file} is missing: is this a checkout of the engine?`);
    return fs.readFileSync(file, "utf8");
  });
  const log = console.log;
  console.log = nothing;
  vm.runInThisContext(texts.join("\n") + INSIDE, { filename: "engine" });
  console.log = log;
  // These the engine defines itself, to show what goes on.
  for (const name of ["drawMessageScreen", "playSound", "canvasResize", "redraw"]) globalThis[name] = nothing;
  return crypto.createHash("sha256").update(texts.join("\n")).digest("hex").slice(0, 16);
}

// Does something without what the engine prints.
function silently(work) {
  const kept = [console.log, console.error, console.warn];
  console.log = console.error = console.warn = () => {};
  try {
    return work();
  } finally {
    [console.log, console.error, console.warn] = kept;
  }
}

// A level as the engine plays it.
class Play {
  constructor(text, number, constraints, countsChanges) {
    this.countsChanges = countsChanges;
    const { engine } = globalThis;
    engine.withoutChance(() => { throw new Unread("the game depends on chance"); });
    const count = silently(() => {
      engine.compile(0, text);
      return engine.state().levels.filter((level) => level.message === undefined).length;
    });
    known(engine.faultCount() === 0, `the engine finds faults: ${String(engine.faults()[0]).replace(/<[^>]*>/g, "")}`);
    known(number !== null || count === 1, `${count} levels in a certificate of one`);
    const index = engine.state().levels.flatMap((level, at) => (level.message === undefined ? [at] : []))[(number ?? 1) - 1];
    known(index !== undefined, `there is no level ${number}`);
    silently(() => {
      engine.compile(index, text);
      engine.quiet();
      this.settle();
    });
    const { metadata, rules, lateRules } = engine.state();
    known(!("realtime_interval" in metadata), "the game runs in real time");
    const flat = [...rules, ...lateRules].flat();
    const asks = (word) => flat.some((rule) => rule.commands.some(([command]) => command === word));
    known(!flat.some((rule) => rule.randomRule), "the game depends on chance");
    // Where a checkpoint is restored depends on more than the position.
    known(!(asks("restart") && asks("checkpoint")), "RESTART and CHECKPOINT in one game");
    this.inputs = "noaction" in metadata ? [0, 1, 2, 3] : [0, 1, 2, 3, 4];
    const lines = new Set(flat.map((rule) => rule.lineNumber));
    for (const line of [...constraints.forbid, ...constraints.require]) need(lines.has(line), `line ${line} has no rule`);
    this.forbidden = constraints.forbid;
    this.required = constraints.require;
    this.wins = engine.isWon();
    // No rule has acted then.
    known(!this.wins || this.required.length === 0, "a level that is won before any input, and a rule that is required");
    this.start = engine.level().objects.slice();
    this.cells = engine.level().n_tiles;
    this.words = this.start.length / this.cells;
    this.players = engine.state().playerMask[1].data;
  }

  // Waits until everything has come to rest: ticks by AGAIN, and messages that are closed.
  settle() {
    const { engine } = globalThis;
    for (let ticks = 0; ticks < MOST_TICKS; ticks += 1) {
      if (engine.isWon()) return;
      if (engine.isTicking()) {
        engine.input(-1);
      } else if (engine.hasMessage()) {
        known(engine.message() !== "", "a message without a text, which ends the level");
        engine.closeMessage();
      } else {
        return;
      }
    }
    throw new Unread("a turn without an end");
  }

  // Plays an input in a position: the objects after it, what has happened so far of what is required
  // (a bit each), whether it wins, and whether it is allowed.
  turn({ objects, happened }, input) {
    const { engine } = globalThis;
    return silently(() => {
      engine.restore(objects);
      try {
        engine.input(input);
        this.settle();
      } catch (error) {
        if (error instanceof Unread) throw error;
        throw new Unread(`the engine fails in a turn: ${error.message}`);
      }
      const after = engine.level().objects.slice();
      const wins = engine.isWon();
      // In a turn that changes nothing no rule counts.
      const acting = wins || key(after) !== key(objects) ? engine.acting() : new Set();
      const happens = this.required.reduce((bits, line, at) => bits + (acting.has(line) ? 2 ** at : 0), 0);
      // Bits as one number, for there are at most 32. Whoever begins again has done nothing yet.
      const both = engine.hasRestarted() ? 0 : Number(BigInt(happened) | BigInt(happens));
      const isSolved = wins && both === 2 ** this.required.length - 1;
      const isAllowed = !this.forbidden.some((line) => acting.has(line));
      return { objects: after, happened: both, wins, isSolved, isAllowed, cost: this.cost(objects, after) };
    });
  }

  // What an input costs that leads from some objects to others.
  cost(before, after) {
    const differs = (word, at) => ((word ^ before[at]) & ~this.players[at % this.words]) !== 0;
    return !this.countsChanges || after.some(differs) ? 1 : 0;
  }

  // A position as the engine has it, from the words of a list: the objects of each cell as hexadecimal
  // numbers of 64 bits, column by column; after `=`, those that differ from the start, each with its
  // place.
  position(text) {
    const bits = this.required.length + this.forbidden.length > 0 ? /^(0|[1-9][0-9]{0,9})\|(.*)$/.exec(text) : ["", "0", text];
    known(bits, `no position with constraints: ${text.slice(0, 60)}`);
    const happened = Number(bits[1]);
    need(happened < 2 ** this.required.length, `more has happened than is required: ${text.slice(0, 60)}`);
    // Over, without all that is required.
    const isOver = this.required.length > 0 && bits[2].startsWith("won ");
    const numbers = bits[2].slice(isOver ? 4 : 0).split(" ");
    const wide = Math.ceil(this.words / 2);
    const isChange = numbers[0] === "=";
    need(isChange || numbers.length === this.cells * wide, `a position with other cells: ${text.slice(0, 60)}`);
    const objects = isChange ? this.start.slice() : new Int32Array(this.cells * this.words);
    let least = 0;
    const changed = (change) => {
      const found = CHANGE.exec(change);
      known(found, `no change of a cell: ${change.slice(0, 60)}`);
      const at = Number(found[1]);
      need(at >= least && at < this.cells * wide, `a change at another place: ${change.slice(0, 60)}`);
      least = at + 1;
      return [found[2], at];
    };
    const set = isChange ? numbers.slice(1).map(changed) : numbers.map((number, at) => [number, at]);
    set.forEach(([number, at]) => {
      known(/^(?:0|[1-9a-f][0-9a-f]{0,15})$/.test(number), `no number of objects: ${number.slice(0, 60)}`);
      const digits = number.padStart(16, "0");
      const [cell, first] = [Math.floor(at / wide), 2 * (at % wide)];
      const [low, high] = [digits.slice(8), digits.slice(0, 8)].map((half) => parseInt(half, 16) | 0);
      const place = cell * this.words + first;
      const isWide = first + 1 < this.words;
      need(isWide || high === 0, `objects that the game does not have: ${number}`);
      const differs = objects[place] !== low || (isWide && objects[place + 1] !== high);
      need(differs || !isChange, `a change to what is there: ${text.slice(0, 60)}`);
      objects[place] = low;
      if (isWide) objects[place + 1] = high;
    });
    return { objects, happened, isOver };
  }
}

// The objects of a position as a key.
const key = (objects) => Buffer.from(objects.buffer, objects.byteOffset, objects.byteLength).toString("latin1");

// The certificate

function fields(value, forms, where) {
  known(value !== null && typeof value === "object" && !Array.isArray(value), `${where} is no object`);
  const names = Object.keys(value).sort().join(" ");
  known(names === Object.keys(forms).sort().join(" "), `${where} has other fields: ${names}`);
  for (const [name, fits] of Object.entries(forms)) {
    known(fits(value[name]), `${name} has a value that is not read here`);
  }
}

const is = (...values) => (value) => values.includes(value);
const isEmpty = (value) => JSON.stringify(value) === "{}";
// The clauses that a level has, which a closed set does not need.
const isEncodings = (value) => /^\{("puzzlescript-moves":\d{1,9})?\}$/.test(JSON.stringify(value));
const isCost = (value) => value === null || Number.isSafeInteger(value) && value >= 0 && value < 1e9;

function read(folder, name) {
  const file = path.join(folder, name);
  const about = fs.lstatSync(file, { throwIfNoEntry: false });
  need(about !== undefined && about.isFile(), `${name} is no plain file`);
  known(about.size <= MOST_BYTES, `${name} is too large`);
  return fs.readFileSync(file);
}

// Reads the description and the files that it lists.
function certificate(folder) {
  const text = read(folder, "certificate.json").toString("utf8");
  let about;
  try {
    about = JSON.parse(text);
  } catch {
    throw new Unread("certificate.json is no JSON");
  }
  // The writer's form, to the letter: so no field stands twice.
  known(JSON.stringify(about, null, 2) === text.trimEnd(), "certificate.json has another form");
  const lists = ["forbid", "require"].filter((name) => name in about);
  const isList = (value) => Array.isArray(value) && value.length > 0 && value.length <= 32;
  fields(about, {
    schema: is(1), tool: (value) => typeof value === "string", family: is("puzzlescript"), reading: is(""),
    options: isEmpty, objective: is("moves", "pushes", "any"), claim: is("optimal", "nothing-within", "unsolvable"),
    cost: isCost, evidence: () => true, encodings: isEncodings, files: () => true,
    ...Object.fromEntries(lists.map((name) => [name, isList])),
  }, "certificate.json");
  // Under `any` a list with constraints leaves out positions that walks lead to.
  known(lists.length === 0 || about.objective === "moves", "constraints where moves are not counted");
  const [forbid, require] = ["forbid", "require"].map((name) => (about[name] ?? []).map((text) => {
    const found = new RegExp(`^rule (${NUMBER})$`).exec(text);
    known(found, `a constraint that is not about a rule: ${String(text).slice(0, 60)}`);
    return Number(found[1]);
  }));
  const { evidence } = about;
  const isNothing = about.claim === "optimal" && about.cost === 0;
  if (isNothing) fields(evidence, { kind: is("nothing") }, "evidence");
  else fields(evidence, { kind: is("closed"), bound: is(null), lrat: is(false) }, "evidence");
  need((about.claim === "unsolvable") === (about.cost === null), "the cost does not belong to the claim");
  known(about.objective !== "any" || about.claim === "unsolvable", "a cost where nothing is counted");
  const names = ["puzzle.txt", ...(isNothing ? [] : ["closed-set.txt"]), ...(about.claim === "optimal" ? ["moves.txt"] : [])];
  const sum = (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
  fields(about.files, Object.fromEntries(names.map((name) => [name, sum])), "files");
  const here = fs.readdirSync(folder).filter((name) => name !== "certificate.json").sort().join(" ");
  need(here === names.sort().join(" "), `other files than are listed: ${here}`);
  const texts = Object.fromEntries(names.map((name) => {
    const data = read(folder, name);
    const found = crypto.createHash("sha256").update(data).digest("hex");
    need(found === about.files[name], `${name} is not the file that is listed`);
    return [name, data.toString("utf8")];
  }));
  return { about, texts, constraints: { forbid, require } };
}

// The claim's plan wins with its last input, and costs as much as is claimed.
function judgePlan(play, text, cost) {
  known(/^[udlrx]*\n$/.test(text), "moves.txt has other letters than u, d, l, r and x");
  const plan = [...text.trimEnd()];
  let position = { objects: play.start, happened: 0, isSolved: play.wins };
  let spent = 0;
  plan.forEach((letter, at) => {
    const input = "uldrx".indexOf(letter);
    need(play.inputs.includes(input), `input ${at + 1}: there is no action key`);
    position = play.turn(position, input);
    spent += position.cost;
    need(position.isAllowed, `input ${at + 1} makes a rule act that never does`);
    need(position.wins === (at + 1 === plan.length), `input ${at + 1} ${position.wins ? "wins already" : "does not win"}`);
  });
  need(position.isSolved, "the plan does not win, or a rule that is required does not act");
  need(spent === cost, `the plan costs ${spent}, and the claim is ${cost}`);
}

// Plays all inputs in all listed positions; how many positions and turns that were.
function judgeClosed(play, text, claim) {
  const rows = text.split("\n");
  known(rows.pop() === "", "closed-set.txt has no end of its last line");
  const head = ["unstuck closed set 1", `claim ${claim === Infinity ? "*" : claim}`, "bound none"];
  need(head.every((line, at) => rows[at] === line), "closed-set.txt is about something else");
  need(rows[3] === `entries ${rows.length - 4}`, "closed-set.txt has not as many entries as announced");
  const budgets = new Map();
  const name = ({ objects, happened, isOver }) => `${happened}|${isOver ? "won" : ""}|${key(objects)}`;
  const entries = rows.slice(4).map((row) => {
    const found = new RegExp(`^(\\*|${NUMBER}) (.*)$`).exec(row);
    known(found, `closed-set.txt: ${row.slice(0, 60)}`);
    const budget = found[1] === "*" ? Infinity : Number(found[1]);
    const position = play.position(found[2]);
    need(!budgets.has(name(position)), `a position stands in the list twice: ${found[2].slice(0, 60)}`);
    budgets.set(name(position), budget);
    return [position, budget, found[2]];
  });
  const covers = (position, least) => (budgets.get(name(position)) ?? -1) >= least;
  need(covers({ objects: play.start, happened: 0 }, claim), "the start is not listed with the budget of the claim");
  let turns = 0;
  for (const [position, budget, text] of entries) {
    // With nothing left no input is played whose cost is known beforehand.
    if ((budget === 0 && !play.countsChanges) || position.isOver) continue;
    for (const input of play.inputs) {
      const after = play.turn(position, input);
      turns += 1;
      if (!after.isAllowed || after.cost > budget) continue;
      const where = `after ${"uldrx"[input]} in ${text.slice(0, 200)}`;
      need(!after.isSolved, `the level is won ${where}`);
      // Where it is won without all that is required, nothing follows.
      need(after.wins || covers(after, budget - after.cost), `not closed ${where}`);
    }
  }
  return `${entries.length} positions, ${turns} turns`;
}

function check([engineFolder, folder, game, number, ...more]) {
  known(folder !== undefined && (game === undefined) === (number === undefined) && more.length === 0,
    "usage: node check_puzzlescript.js ENGINE FOLDER [GAME LEVEL]");
  known(number === undefined || /^[1-9][0-9]{0,8}$/.test(number), "LEVEL is a number from 1");
  const { about, texts, constraints } = certificate(folder);
  const engine = load(engineFolder);
  const own = texts["puzzle.txt"];
  const text = game === undefined ? own : read(path.dirname(game), path.basename(game)).toString("utf8");
  const line = (text, number) => text.split("\n")[number - 1]?.trim();
  for (const number of [...constraints.forbid, ...constraints.require]) {
    need(line(own, number) === line(text, number), `line ${number} of the game file is another one`);
  }
  const play = new Play(text, number === undefined ? null : Number(number), constraints, about.objective === "pushes");
  const { claim, cost } = about;
  need(!play.wins || (claim === "optimal" && cost === 0), "the level is won before any input");
  const judged = [];
  if (claim === "optimal") {
    judgePlan(play, texts["moves.txt"], cost);
    judged.push("the plan");
  }
  const excluded = claim === "unsolvable" ? Infinity : claim === "optimal" ? cost - 1 : cost;
  if (excluded >= 0) judged.push(`the closed set (${judgeClosed(play, texts["closed-set.txt"], excluded)})`);
  const of = game === undefined ? "the level of the certificate" : `level ${number} of ${path.basename(game)}`;
  const { title } = globalThis.engine.state().metadata;
  const named = [...constraints.forbid.map((it) => `without rule ${it}`), ...constraints.require.map((it) => `with rule ${it}`)];
  return [
    `valid: ${[claim, cost ?? [], named.join(", ")].flat().filter((it) => it !== "").join(" ")}; judged by PuzzleScript ${engine}: ${judged.join(", ")}`,
    `${of}${title === undefined ? "" : `, titled ${JSON.stringify(title.slice(0, 60))}`}`,
  ];
}

// The only door to the terminal: of what a certificate, a game or the engine says only printable ASCII
// goes out, each as one line, so that none of it can pass for a verdict or erase one.
function say(line) {
  process.stdout.write(`${line.replace(/[^ -~]/g, "?")}\n`);
}

// Who has read enough may close the pipe.
process.stdout.on("error", (error) => {
  if (error.code !== "EPIPE") throw error;
});

try {
  check(process.argv.slice(2)).forEach(say);
} catch (error) {
  const isInvalid = error instanceof Invalid;
  const reason = isInvalid || error instanceof Unread ? error.message : `a fault of this program: ${error}`;
  say(`${isInvalid ? "invalid" : "not read"}: ${reason}`);
  process.exitCode = isInvalid ? 1 : 2;
}
