// Measures the engine of PuzzleScript (increpare/PuzzleScript) under node.
//
//     node puzzlescript_engine.js CHECKOUT walk SECONDS LEVELS FILE...
//     node puzzlescript_engine.js CHECKOUT search SECONDS LEVEL FILE...
//
// * `walk`: turns of the first LEVELS levels of each game. It walks at random, once to warm up and once to
//   measure, for SECONDS of processor time each. In each position it plays all five inputs, each from that
//   position, as a search does, and goes on with one of them. A line of JSON for each level: file, place
//   of the level, inputs of the walk, turns played and seconds of processor time.
// * `search`: breadth-first search through level LEVEL (from 1, messages not counted) of each game, for at
//   most SECONDS of processor time. A line of JSON: file, verdict (`solved`, `unsolvable` or `open`), the
//   length of a shortest solution, states found, turns played and seconds of processor time.
'use strict';
const fs = require('fs');
const path = require('path');
const vm = require('vm');

const [checkout, mode, seconds, levels, ...files] = process.argv.slice(2);
const say = console.log.bind(console);

// What the engine wants of a browser.
const nothing = () => {};
const element = () => ({
    style: {}, classList: { contains: () => false }, getContext: () => null,
    addEventListener: nothing, removeEventListener: nothing,
});
const stored = {};
global.window = global;
global.localStorage = { getItem: (key) => stored[key] ?? null, setItem: (key, value) => { stored[key] = value; } };
global.document = {
    URL: 'bench://', body: element(), createElement: element, getElementById: () => null,
    addEventListener: nothing, removeEventListener: nothing,
};
global.canvas = global.lastDownTarget = null;
global.input = element();
global.levelString = global.inputString = global.outputString = '';
global.editor = { getValue: () => global.levelString };
for (const name of [
    'canvasResize', 'redraw', 'forceRegenImages', 'regenSpriteImages', 'jumpToLine', 'printLevel', 'playSound',
    'consolePrint', 'consolePrintFromRule', 'console_print_raw', 'consoleError', 'consoleCacheDump',
    'killAudioButton', 'showAudioButton',
]) {
    global[name] = nothing;
}
console.log = console.warn = console.error = nothing;
const sources = [
    'storagewrapper', 'bitvec', 'level', 'languageConstants', 'globalVariables', 'debug', 'font', 'rng', 'riffwave',
    'sfxr', 'codemirror/stringstream', 'colorhelpers', 'colors', 'engine', 'parser', 'compiler', 'soundbar',
];
const code = sources.map((name) => fs.readFileSync(path.join(checkout, 'src/js', `${name}.js`), 'utf8'));

// In one scope with the engine, whose names are not properties of an object.
const bench = `
lazyFunctionGeneration = false;
// A game may ask the editor for a timeline while it starts.
globalThis.addToDebugTimeline = () => { debug_visualisation_array[debugger_turnIndex] ??= []; };
function play(input) {
    processInput(input, true);
    for (let ticks = 0; againing && ticks < 1000; ticks++) {
        againing = false;
        processInput(-1, true);
    }
}
function clock() {
    const begin = process.cpuUsage();
    return () => {
        const { user, system } = process.cpuUsage(begin);
        return (user + system) / 1e6;
    };
}
function measure(text, place, seconds) {
    unitTesting = true;
    resetParserErrorState();
    compile(['loadLevel', place], text, 'bench');
    verbose_logging = cache_console_messages = false;
    for (let ticks = 0; againing && ticks < 1000; ticks++) {
        againing = false;
        processInput(-1, true);
    }
    const start = Int32Array.from(level.objects);
    let position = start;
    const inputs = [];
    let random = 1;
    let turns = 0;
    const spent = clock();
    do {
        random = (random * 1103515245 + 12345) % 2147483648;
        const chosen = Math.floor(random / 65536) % 5;
        let next = position;
        for (let input = 0; input < 5; input++) {
            level.objects.set(position);
            level.movements.fill(0);
            backups = [];
            winning = false;
            play(input);
            turns++;
            if (input === chosen && level.objects.length === position.length) {
                next = Int32Array.from(level.objects);
            }
        }
        if (inputs.length < 400) {
            inputs.push(chosen);
            position = next;
        } else {
            position = start;
        }
    } while (spent() < seconds);
    return { inputs, turns, seconds: spent() };
}
// Waits until everything has come to rest: ticks by AGAIN, and messages that are closed. Says whether it does.
function settle() {
    for (let ticks = 0; ticks < 10000; ticks++) {
        if (winning) return true;
        if (againing && messagetext.length === 0) {
            processInput(-1);
        } else if (textMode) {
            messagetext = '';
            textMode = titleScreen = false;
            checkWin();
        } else {
            return true;
        }
    }
    return false;
}
function search(text, place, seconds) {
    resetParserErrorState();
    compile(['loadLevel', place], text, 'bench');
    verbose_logging = cache_console_messages = false;
    const spent = clock();
    let turns = 0;
    const seen = new Set();
    const found = (verdict, length) => ({ verdict, length, states: seen.size, turns, seconds: spent() });
    settle();
    if (winning) return found('solved', 0);
    const { width, height } = level;
    const inputs = 'noaction' in state.metadata ? 4 : 5;
    const target = restartTarget;
    // The words of the objects as a text, so that no two positions have the same name.
    const name = (objects) => String.fromCharCode.apply(null, new Uint16Array(objects.buffer, objects.byteOffset, 2 * objects.length));
    let layer = [level.objects.slice()];
    seen.add(name(layer[0]));
    for (let length = 1; layer.length > 0; length++) {
        const next = [];
        for (const position of layer) {
            if (spent() > seconds) return found('open', null);
            for (let input = 0; input < inputs; input++) {
                restoreLevel({ dat: position, width, height, oldflickscreendat: [] });
                backups = [];
                level.commandQueue = [];
                level.commandQueueSourceRules = [];
                winning = againing = textMode = restarting = false;
                messagetext = '';
                restartTarget = target;
                // What it says of a turn with too many rounds; after too many of these it gives up.
                resetParserErrorState();
                processInput(input);
                turns++;
                if (!settle()) continue;
                if (winning) return found('solved', length);
                const after = level.objects.slice();
                const text = name(after);
                if (!seen.has(text)) {
                    seen.add(text);
                    next.push(after);
                }
            }
        }
        layer = next;
    }
    return found('unsolvable', null);
}
function stages(text) {
    resetParserErrorState();
    compile(['restart'], text, 'bench');
    return errorCount > 0 ? [] : state.levels.map((it) => it.message === undefined);
}
`;
vm.runInThisContext(code.join('\n') + bench, { filename: 'engine.js' });
global.stripHTMLTags = (text) => text.replace(/<[^>]*>/g, '');
// These the engine defines itself.
for (const name of ['drawMessageScreen', 'playSound', 'canvasResize', 'redraw', 'nextLevel']) global[name] = nothing;

const modes = {
    walk: (text, places) => places.slice(0, Number(levels)).map((place) => {
        global.measure(text, place, Number(seconds));
        return { place, ...global.measure(text, place, Number(seconds)) };
    }),
    search: (text, places) => places.slice(levels - 1, levels).map((place) => global.search(text, place, Number(seconds))),
};
for (const file of files) {
    try {
        const text = fs.readFileSync(file, 'utf8');
        const places = global.stages(text).flatMap((isLevel, place) => (isLevel ? [place] : []));
        for (const row of modes[mode](text, places)) say(JSON.stringify({ file, ...row }));
    } catch (error) {
        say(JSON.stringify({ file, error: String(error) }));
    }
}
