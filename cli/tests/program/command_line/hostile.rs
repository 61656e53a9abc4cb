//! Nothing that others wrote does anything to a terminal: control characters, direction marks and
//! invisible characters stand in every string of every file, and in every argument, and none comes
//! out of any command as it is.
//!
//! | what is hostile | where |
//! | --- | --- |
//! | titles, authors, comments, solutions, labels, rows, names of files | `LEVELS`, each with all of `LINES` |
//! | every option and every argument of every command | `arguments_are_printed_harmless`, by clap's own list |
//! | every string and key of certificates, locks, logs, results, maps, stores | one test each, string by string |
//! | what solvers and checkers of others say | `programs_are_repeated_harmless` |
//!
//! A new command has to have lines: `every_command_is_tried` goes by the program's own list.

use super::{TestFolder, commands};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Stdio;
use unstuck::backend::external;
use unstuck_puzzles::is_printable;

/// What a title may hold to forge a verdict: a window's title, hidden text, a line begun again, text
/// from right to left, new lines by other names, and what cannot be seen.
const EVIL: &str = "x\x1b]0;t\x07\x1b[8m\x1b[2J\r\u{85}\u{202e}\u{2028}\u{2029}\u{9b}\u{200f}\u{200b}\u{61c}\u{7f}y";

/// The same without what ends a line in some formats, or is no XML.
const MARKS: &str = "x\u{202e}\u{85}\u{2066}\u{200b}\u{2028}y";

/// Levels of all formats with `EVIL` or `MARKS` in every string, each behind a word by which it is
/// known in what is printed. Those that are readable are solved by the lines below.
const LEVELS: &[(&str, &str)] = &[
    (
        "a.sok",
        "Collection: collection EVIL\nAuthor: author EVIL\nHomepage: page EVIL\nComment:\ncomment EVIL\n\
         Comment-End:\n\ntitle EVIL\n\n#####\n#@$.#\n#####\n\nAuthor: mine EVIL\nnote EVIL\n\nSolution name EVIL\nR\n",
    ),
    (
        "a.slc",
        "<?xml version=\"1.0\"?><SokobanLevels><Title>title MARKS</Title><Description>words MARKS\
         </Description><Email>mail MARKS</Email><LevelCollection Copyright=\"owner MARKS\"><Level Id=\"id MARKS\">\
         <L>#####</L><L>#@$.#</L><L>#####</L></Level></LevelCollection></SokobanLevels>",
    ),
    ("row.sok", "title EVIL\n\n#####\n#@$.EVIL\n#####\n"),
    ("a.flow", "title: title EVIL\nauthor: author EVIL\nnote: note EVIL\n\nAB\nAB\n"),
    ("pack.flow", "# title EVIL\n2 2\nAB\nAB\n"),
    ("label.flow", "A\u{202e}A\u{202e}\n....\n"),
    ("words.flow", "aEVIL b\naEVIL b\n"),
    (
        "graph.json",
        "{\"title\": \"title JSON\", \"nodes\": [\"a\", \"b\"], \"edges\": [[\"a\", \"b\"]], \"pairs\": [[\"a\", \"b\", \"P\"]]}",
    ),
    (
        "node.json",
        "{\"nodes\": [\"aJSON\", \"b\"], \"edges\": [[\"aJSON\", \"b\"]], \"pairs\": [[\"aJSON\", \"b\", \"P\"]]}",
    ),
    (
        "label.json",
        "{\"nodes\": [\"a\", \"b\"], \"edges\": [[\"a\", \"b\"]], \"pairs\": [[\"a\", \"b\", \"PJSON\"]], \"cover\": \"JSON\", \"JSON\": 1}",
    ),
    (
        "a.snowman",
        "; title: title EVIL\n; legend: published\n; note EVIL\n-----\n-----\n#1-6-\n-----\n",
    ),
    ("a.sokobond", "xxxxx\nx-hHx\nxxxxx\n=WEVIL\n"),
    ("row.sokobond", "xxxxx\nxEVILhHx\nxxxxx\n"),
    ("a.warehouse", "#####\n#@O.#\n#####\n\n>EVIL\n"),
    ("words", "nothing of the kind EVIL\nand so on EVIL"),
];

/// What is run with each level `L`. Each part may fail: what it prints is looked at all the same.
const LINES: &[(&str, &[&str])] = &[
    (
        "solve",
        &[
            "L",
            "L --json",
            "L --stages --color always",
            "L --record - --compare",
            "L L --log log --timeout 5",
            "L --after EVIL",
            "L --svg -",
            "L --html -",
            "L --html page.html --force --json",
            "L --forbid EVIL",
        ],
    ),
    ("list", &["L", "L --json", "L --svg -"]),
    ("replay", &["L", "L --json", "L --stages", "L EVIL"]),
    (
        "export",
        &[
            "L --horizon 1",
            "L",
            "L --horizon 1 --format dimspec",
            "L --horizon 1 --format wcnf",
            "L --horizon 1 -o a.cnf --force --json",
        ],
    ),
    ("decode", &["L --horizon 1 answer", "L answer --json", "a.cnf answer"]),
    ("prove", &["L -o proof --force", "L -o proof --force --json"]),
    ("check", &["proof", "proof --json", "proof --with EVIL"]),
    ("play", &["L", "L --game EVIL"]),
    ("hint", &["L", "L --json"]),
    ("diagnose", &["L --moves R", "L --json"]),
    ("enumerate", &["L", "L --json"]),
    ("needed", &["L", "L --json"]),
    ("explain", &["L", "L --json"]),
    ("forced", &["L", "L --json"]),
    ("difficulty", &["L", "L --json"]),
    ("lock", &["L -o lock --force --timeout 5", "L -o lock --force --json --timeout 5"]),
    ("check", &["--locked lock", "--locked lock --json"]),
    ("solve", &["L --store run --prove --workers 1"]),
    ("list", &["run", "run --json"]),
    ("check", &["run", "run --json"]),
    ("merge", &["run"]),
    (
        "bench",
        &[
            "L --engine search --timeout 5 --log results",
            "L --engine search --timeout 5 --log results --format csv",
            "L --engine search --timeout 5 --log results --format json",
        ],
    ),
];

/// Commands that read no level; their arguments are tried with those of the others.
const WITHOUT_LEVEL: [&str; 4] = ["generate", "backends", "completions", "man"];

/// What came out of the program, looked at.
fn run(place: &TestFolder, arguments: &[String]) -> String {
    let mut command = place.command_with(arguments);
    let output = command.stdin(Stdio::null()).output().expect("the program runs");
    let has = |word: &str| arguments.iter().any(|argument| argument == word);
    let mut all = String::new();
    for (stream, bytes) in [("stdout", output.stdout), ("stderr", output.stderr)] {
        let text = String::from_utf8(bytes);
        let text =
            text.unwrap_or_else(|error| panic!("{arguments:?}: {stream} is no text: {error}"));
        // Colours of drawings; what is hostile hides a text, which no drawing does.
        let plain = if has("always") { without_colours(&text) } else { text.clone() };
        let bad: Vec<char> =
            plain.chars().filter(|&c| !is_printable(c) && c != '\n' && c != '\t').collect();
        assert!(bad.is_empty(), "{arguments:?}: {stream} has {bad:?}:\n{}", text.escape_debug());
        // No line pretends to be a verdict of its own.
        // Pages and tables are texts of their own, in which a title may have lines.
        let a_file = ["--html", "merge", "csv"].into_iter().any(has);
        let forged = !a_file && plain.lines().any(|line| line.starts_with("forged"));
        assert!(!forged, "{arguments:?}:\n{plain}");
        all.push_str(&text);
    }
    all
}

/// A text without the sequences that switch colours, other than the hostile one.
fn without_colours(text: &str) -> String {
    let mut parts = text.split("\x1b[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
        match rest.strip_prefix('m').filter(|_| !part.starts_with("8m")) {
            Some(rest) => all + rest,
            None => all + "\x1b[" + part,
        }
    })
}

/// The words of a line, with a level and hostile arguments in their places.
fn words(command: &str, line: &str, level: &str) -> Vec<String> {
    let word = |word: &str| match word {
        "L" => level.to_owned(),
        "EVIL" => EVIL.to_owned(),
        word => word.to_owned(),
    };
    std::iter::once(command.to_owned()).chain(line.split_whitespace().map(word)).collect()
}

fn filled(text: &str) -> String {
    let json = serde_json::to_string(&format!("{EVIL}\nforged")).expect("JSON");
    text.replace("EVIL", EVIL).replace("MARKS", MARKS).replace("JSON", json.trim_matches('"'))
}

/// Runs all lines with a level; gives for each command what it printed.
fn tried(name: &str, text: &str) -> BTreeMap<&'static str, String> {
    let place = TestFolder::new().with(name, &filled(text));
    place.write("answer", &filled("c comment EVIL\ns SATISFIABLE EVIL\nv 1 EVIL\n"));
    let mut printed: BTreeMap<&str, String> = BTreeMap::new();
    for (command, lines) in LINES {
        for line in *lines {
            printed.entry(command).or_default().push_str(&run(&place, &words(command, line, name)));
        }
    }
    printed
}

/// The levels whose names `fits`; some are read, so that all commands work on something hostile.
fn levels_are_printed_harmless(fits: impl Fn(&str) -> bool) {
    let mut titled = 0;
    for (name, text) in LEVELS.iter().filter(|(name, _)| fits(name)) {
        let printed = tried(name, text);
        let listed = &printed["list"];
        if name.starts_with("a.") || name.starts_with("pack.") || name.starts_with("graph.") {
            // A hostile text is no instruction of a warehouse.
            let what = if *name == "a.warehouse" { "is not an instruction" } else { "solved" };
            assert!(printed["solve"].contains(what), "{name}: {}", printed["solve"]);
            if text.contains("title") || text.contains("Id=") {
                // What is hostile was there, and is shown in its harmless form.
                titled += usize::from(listed.contains("\\u202e"));
                let shown = ["list", "solve"].map(|it| printed[it].contains("\\u202e"));
                assert_eq!(shown, [true; 2], "{name}: {listed}");
            }
        } else {
            assert!(listed.contains("error: "), "{name}: {listed}");
        }
    }
    assert!(titled > 0);
}

#[test]
fn sokoban_is_printed_harmless() {
    levels_are_printed_harmless(|name| name.ends_with("sok") || name.ends_with("slc"));
}

#[test]
fn flow_is_printed_harmless() {
    levels_are_printed_harmless(|name| name.ends_with("flow") || name.ends_with("json"));
}

#[test]
fn other_families_are_printed_harmless() {
    let others = ["snowman", "sokobond", "warehouse", "words"];
    levels_are_printed_harmless(|name| others.iter().any(|other| name.ends_with(other)));
}

#[test]
fn every_command_is_tried() {
    let all: BTreeSet<String> = commands().into_iter().collect();
    let tried = LINES.iter().map(|(name, _)| *name).chain(WITHOUT_LEVEL).map(str::to_owned);
    assert_eq!(all, tried.collect(), "each command has lines");
}

#[cfg(unix)]
#[test]
fn names_of_files_are_printed_harmless() {
    let place = TestFolder::new();
    let name = format!("{}\nforged.sok", EVIL.replace('/', ""));
    fs::create_dir(place.path("folder")).expect("a folder");
    for (name, text) in [
        (&*name, "one\n\n#####\n#@$.#\n#####\n\ntwo\n\n######\n#@ $.#\n######\n"),
        (&*format!("b{name}"), "#####\n#@$.\n"),
        (&*format!("c{name}.txt"), "words"),
    ] {
        fs::write(place.path("folder").join(name), text).expect("written");
    }
    let level = format!("folder/{name}");
    let mut shown = 0;
    for (command, lines) in LINES {
        for line in *lines {
            for level in ["folder", &level] {
                shown += usize::from(run(&place, &words(command, line, level)).contains("\\u202e"));
            }
        }
    }
    assert!(shown > 60, "{shown} times");
}

/// Every option and every argument of every command, by clap's own list.
#[test]
fn arguments_are_printed_harmless() {
    let place = TestFolder::new().with("a.sok", "#####\n#@$.#\n#####\n");
    let evil = format!("{EVIL}\nforged");
    let mut given = 0;
    let mut command = unstuck_cli::command();
    command.build();
    let families = command.get_subcommands().flat_map(|it| {
        let below = it.get_subcommands().map(|below| vec![it.get_name(), below.get_name()]);
        std::iter::once(vec![it.get_name()]).chain(below).map(move |path| (it, path))
    });
    for (top, path) in families {
        let command = path.get(1).and_then(|name| top.find_subcommand(name)).unwrap_or(top);
        let head: Vec<String> = path.iter().map(|&word| word.to_owned()).collect();
        let level = command.get_positionals().any(|it| it.get_id() == "file");
        let level = level.then(|| "a.sok".to_owned());
        for argument in command.get_arguments().filter(|it| it.get_action().takes_values()) {
            let mut words = head.clone();
            match argument.get_long() {
                Some(name) => {
                    words.extend(level.clone());
                    words.push(format!("--{name}={evil}"));
                }
                None => words.push(evil.clone()),
            }
            run(&place, &words);
            given += 1;
        }
        run(&place, &[head.clone(), vec![evil.clone(), evil.clone(), evil.clone()]].concat());
        run(&place, &[head, vec![format!("--{evil}"), "--json".to_owned()]].concat());
    }
    assert!(given > 250, "{given} arguments");
    run(&place, std::slice::from_ref(&evil));
}

/// All places in a value where no object or list stands, as JSON pointers, and those of all keys,
/// which are said to be such.
pub(super) fn places(value: &Value) -> Vec<(String, bool)> {
    fn walk(value: &Value, at: &str, into: &mut Vec<(String, bool)>) {
        match value {
            Value::Object(fields) => {
                for (name, field) in fields {
                    let below = format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
                    into.push((below.clone(), true));
                    walk(field, &below, into);
                }
            }
            Value::Array(values) => {
                for (at_index, value) in values.iter().enumerate() {
                    walk(value, &format!("{at}/{at_index}"), into);
                }
            }
            _ => into.push((at.to_owned(), false)),
        }
    }
    let mut all = Vec::new();
    walk(value, "", &mut all);
    all
}

/// Copies of a value, each with one string (or one key) made hostile.
fn hostile(value: &Value) -> Vec<Value> {
    let evil = |old: &str| format!("{old}{EVIL}\nforged");
    let change = |(path, is_key): (String, bool)| {
        let mut copy = value.clone();
        if is_key {
            let (parent, name) = path.rsplit_once('/').expect("a path");
            let name = name.replace("~1", "/").replace("~0", "~");
            let fields =
                copy.pointer_mut(parent).and_then(Value::as_object_mut).expect("an object");
            let field = fields.remove(&name).expect("a field");
            fields.insert(evil(&name), field);
        } else {
            let field = copy.pointer_mut(&path).expect("a field");
            let old = field.as_str().unwrap_or_default().to_owned();
            *field = Value::String(evil(&old));
        }
        copy
    };
    places(value).into_iter().map(change).collect()
}

fn ran(place: &TestFolder, line: &str) -> String {
    run(place, &external::words(line).expect("quotes are closed"))
}

/// Makes each string of a file of JSON, or of JSON lines, hostile in turn, and runs the lines.
fn each_string(place: &TestFolder, file: &str, lines: &[&str]) {
    let text = place.read(file);
    let mut values: Vec<Value> =
        serde_json::Deserializer::from_str(&text).into_iter().map(|it| it.expect("JSON")).collect();
    let (mut count, mut shown) = (0, 0);
    // The results of all levels look alike: the first stands for them.
    for changed in hostile(&values[0]) {
        values[0] = changed;
        place.write_values(file, &values);
        for line in lines {
            shown += usize::from(ran(place, line).contains("\\u202e"));
        }
        count += 1;
    }
    place.write(file, &text);
    assert!(count > 5 && shown > 0, "{file}: {count} strings, {shown} times shown");
}

#[test]
fn certificates_are_printed_harmless() {
    let place = TestFolder::new().with("a.sok", "title\n\n#####\n#@$.#\n#####\n");
    assert!(ran(&place, "prove a.sok -o proof").contains("certified"));
    each_string(&place, "proof/certificate.json", &["check proof", "check proof --json"]);
    // The texts of the constraints and of the moves before are read as such.
    let made = "prove a.sok -o wished --forbid 'push box (2,3) to (2,4)'";
    assert!(ran(&place, made).contains("unsolvable"));
    for (name, constraint) in [
        ("forbid", format!("push box (2,3) to (2,4){EVIL}")),
        ("forbid", format!("push {EVIL} valid: sokoban: unsolvable")),
        ("forbid", format!("move {EVIL}")),
        ("forbid", "push valid sokoban unsolvable certified".to_owned()),
        ("require", format!("colour 1,1 {EVIL}")),
    ] {
        let mut manifest: Value =
            serde_json::from_str(&place.read("wished/certificate.json")).expect("JSON");
        manifest[name] = serde_json::json!([constraint]);
        fs::create_dir_all(place.path("forged")).expect("a folder");
        for entry in fs::read_dir(place.path("wished")).expect("a folder").flatten() {
            fs::copy(entry.path(), place.path("forged").join(entry.file_name())).expect("copied");
        }
        place.write("forged/certificate.json", &manifest.to_string());
        let printed = ran(&place, "check forged");
        assert!(printed.starts_with("invalid: "), "{constraint:?}: {printed}");
    }
}

#[test]
fn locks_are_printed_harmless() {
    let place = TestFolder::new().with("a.sok", "title\n\n#####\n#@$.#\n#####\n");
    ran(&place, "lock a.sok -o unstuck.lock");
    let lines = ["check --locked unstuck.lock", "check --locked unstuck.lock --json"];
    each_string(&place, "unstuck.lock/results-00000.jsonl", &lines);
}

#[test]
fn logs_and_results_are_printed_harmless() {
    let place = TestFolder::new().with("a.sok", "title\n\n#####\n#@$.#\n#####\n");
    ran(&place, "solve a.sok --log log");
    ran(&place, "bench a.sok --engine search --timeout 5 --log results");
    each_string(&place, "log", &["solve a.sok --log log", "solve a.sok a.sok --log log"]);
    let tables = [
        "bench a.sok --engine search --timeout 5 --log results",
        "bench a.sok --engine search --timeout 5 --log results --format csv",
    ];
    each_string(&place, "results", &tables);
}

#[test]
fn maps_are_printed_harmless() {
    let place = TestFolder::new();
    place.write("a.sok", "title\n\n#####\n#@$.#\n#####\n").write("answer", "s UNSATISFIABLE\n");
    ran(&place, "export a.sok --horizon 1 -o a.cnf");
    each_string(&place, "a.cnf.map.json", &["decode a.cnf answer", "decode a.cnf answer --json"]);
}

#[test]
fn stores_are_printed_harmless() {
    let place = TestFolder::new();
    place.write(
        "a.sok",
        "title\n\n#####\n#@$.#\n#####\n\nstuck\n\n######\n#$   #\n#@ . #\n######\n",
    );
    ran(&place, "solve a.sok --store run --prove --workers 1 --shards 1");
    let lines = ["list run", "check run", "check run --json", "merge run"];
    each_string(&place, "run/results-00000.jsonl", &lines);
}

#[cfg(unix)]
#[test]
fn programs_are_repeated_harmless() {
    let place = TestFolder::new().with("a.sok", "title\n\n#####\n#@$.#\n#####\n");
    let talks = "cat <<'END'\n1.0 MARKS\nc EVIL\nEVIL\ns EVIL\nEND\ncat <<'END' >&2\nEVIL\nforged\nEND\nexit 3\n";
    let lies = "cat <<'END'\nc EVIL\ns SATISFIABLE\nv 1 EVIL 0\nEND\nexit 10\n";
    place.write_program("talks", &filled(talks)).write_program("lies", &filled(lies));
    ran(&place, "prove a.sok -o proof --lrat");
    place.write("f.flow", "A..\n...\n..A\n");
    let mut shown = 0;
    for line in [
        "backends ./talks",
        "backends ./talks --json",
        "solve f.flow --backend ./talks",
        "solve f.flow --backend ./lies",
        "solve f.flow --backend ./lies --json",
        "check proof --with ./talks",
        "check proof --with ./talks --json",
    ] {
        let path = std::env::var("PATH").unwrap_or_default();
        let path = format!("{}:{path}", place.folder.path().display());
        let output = place.command(line).env("PATH", path).output().expect("it runs");
        for bytes in [output.stdout, output.stderr] {
            let text = String::from_utf8(bytes).expect("text");
            let fine = text.chars().all(|c| is_printable(c) || c == '\n' || c == '\t');
            assert!(fine && !text.contains("\nforged"), "{line}: {text:?}");
            shown += usize::from(text.contains("\\u202e") || text.contains("\\u001b"));
        }
    }
    assert!(shown > 4, "{shown}");
}
