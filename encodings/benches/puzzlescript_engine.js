// Measures turns of the engine of PuzzleScript (increpare/PuzzleScript) under node.
//
//     node puzzlescript_engine.js CHECKOUT SECONDS LEVELS FILE...
//
// For the first LEVELS levels of each game it walks at random, once to warm up and once to measure, for
// SECONDS of processor time each. In each position it plays all five inputs, each from that position,
// as a search does, and goes on with one of them. A line of JSON for
// each level: file, place of the level, inputs of the walk, turns played and seconds of processor time.
'use strict';
const fs = require('fs');
const path = require('path');
const vm = require('vm');

const [checkout, seconds, levels, ...files] = process.argv.slice(2);
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
    'addToDebugTimeline', 'killAudioButton', 'showAudioButton',
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
unitTesting = true;
lazyFunctionGeneration = false;
function play(input) {
    processInput(input, true);
    for (let ticks = 0; againing && ticks < 1000; ticks++) {
        againing = false;
        processInput(-1, true);
    }
}
function measure(text, place, seconds) {
    resetParserErrorState();
    compile(['loadLevel', place], text, 'bench');
    for (let ticks = 0; againing && ticks < 1000; ticks++) {
        againing = false;
        processInput(-1, true);
    }
    const start = Int32Array.from(level.objects);
    let position = start;
    const inputs = [];
    let random = 1;
    let turns = 0;
    const clock = process.cpuUsage();
    const spent = () => {
        const { user, system } = process.cpuUsage(clock);
        return (user + system) / 1e6;
    };
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
function stages(text) {
    resetParserErrorState();
    compile(['restart'], text, 'bench');
    return errorCount > 0 ? [] : state.levels.map((it) => it.message === undefined);
}
`;
vm.runInThisContext(code.join('\n') + bench, { filename: 'engine.js' });
global.stripHTMLTags = (text) => text.replace(/<[^>]*>/g, '');
for (const file of files) {
    try {
        const text = fs.readFileSync(file, 'utf8');
        const places = global.stages(text).flatMap((isLevel, place) => (isLevel ? [place] : []));
        for (const place of places.slice(0, Number(levels))) {
            global.measure(text, place, Number(seconds));
            say(JSON.stringify({ file, place, ...global.measure(text, place, Number(seconds)) }));
        }
    } catch (error) {
        say(JSON.stringify({ file, error: String(error) }));
    }
}
