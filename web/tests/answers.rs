//! The function behind the page, on our own levels, as in a browser: without threads.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use unstuck::certificate::check::{CheckError, check_files};
use unstuck::certificate::files::MemoryFiles;
use unstuck::limits::Limits;
use unstuck::machine::without_threads;
use unstuck_web::player;
use unstuck_web::solver::{self, Host};

/// What came beside an answer.
#[derive(Default)]
struct SideOutput {
    files: Mutex<BTreeMap<String, Vec<u8>>>,
    events: Mutex<Vec<Value>>,
}

impl Host for SideOutput {
    fn event(&self, event: &str) {
        let event = serde_json::from_str(event).expect("events are JSON");
        self.events.lock().expect("one thread").push(event);
    }

    fn file(&self, name: &str, content: &[u8]) {
        let mut files = self.files.lock().expect("one thread");
        files.insert(name.to_owned(), content.to_vec());
    }
}

/// What is asked of the solver; all else of the player.
const LONG: [&str; 7] = ["solve", "prove", "hint", "diagnose", "forced", "count", "generate"];

fn asked(request: &Value) -> (Value, SideOutput) {
    let beside = SideOutput::default();
    let (text, is_long) =
        (request.to_string(), LONG.contains(&request["ask"].as_str().expect("a name")));
    let answered = match is_long {
        true => without_threads(|| solver::answer(&text, &beside)),
        false => player::answer(&text),
    };
    (serde_json::from_str(&answered).expect("answers are JSON"), beside)
}

fn ask(request: &Value) -> Value {
    asked(request).0
}

/// The first level of one of our files, opened.
fn own(puzzle: &str, file: &str) -> Value {
    nth(puzzle, file, 0)
}

fn nth(puzzle: &str, file: &str, index: usize) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../puzzles/levels");
    let text = fs::read_to_string(path.join(puzzle).join(file)).expect("our own level");
    let read = ask(&json!({ "ask": "read", "text": text, "puzzle": puzzle, "options": {} }));
    let level = &read["ok"]["levels"][index];
    assert_eq!(level["fault"], Value::Null, "{read}");
    json!({ "text": level["text"], "puzzle": puzzle, "options": {}, "title": level["title"] })
}

/// Opens a session of number 1 on a level, after some moves.
fn open(level: &Value, moves: &str) -> Value {
    let opened = ask(&json!({ "ask": "open", "id": 1, "level": level, "moves": moves }));
    assert!(opened["ok"].is_object(), "{opened}");
    opened["ok"].clone()
}

fn solve(level: &Value, objective: &str, engine: &str) -> Value {
    let limits = json!({ "seconds": 60, "megabytes": 1500 });
    let solved = ask(&json!({
        "ask": "solve", "level": level, "objective": objective, "engine": engine, "limits": limits,
    }));
    solved["ok"].clone()
}

#[test]
fn each_family_is_solved_as_well_as_is_known_and_its_solution_shown() {
    for (puzzle, file, objective, count, optimum) in [
        ("sokoban", "pantry.xsb", "pushes", "pushes", Some(6)),
        ("sokobond", "water.sokobond", "moves", "moves", None),
        ("snowman", "first-snowman.snowman", "pushes", "pushes", Some(2)),
        ("warehouse", "beam.warehouse", "moves", "moves", Some(14)),
        ("flow", "first-paths.txt", "any", "moves", None),
    ] {
        let level = own(puzzle, file);
        for engine in ["auto", "sat"] {
            let verdict = solve(&level, objective, engine);
            assert_eq!(verdict["verdict"], "solved", "{puzzle} by {engine}: {verdict}");
            let solution = &verdict["solution"];
            if let Some(optimum) = optimum {
                assert_eq!(verdict["optimal"], true, "{verdict}");
                assert_eq!(solution["length"][count], json!(optimum), "{verdict}");
            }
            let moves = &solution["moves"];
            let solved = if puzzle == "flow" {
                open(&level, "");
                ask(&json!({ "ask": "judge", "id": 1, "drawing": moves }))["ok"]["solved"].clone()
            } else {
                open(&level, moves.as_str().expect("moves"))["position"]["solved"].clone()
            };
            assert_eq!(solved, true, "{puzzle} by {engine}");
        }
    }
}

#[test]
fn what_cannot_be_solved_is_said_to_be_unsolvable() {
    let verdict = solve(&own("flow", "around-a-hole.txt"), "any", "auto");
    assert_eq!(verdict["verdict"], "unsolvable", "{verdict}");
    let level = own("sokobond", "between-two.sokobond");
    assert_eq!(solve(&level, "moves", "auto")["verdict"], "unsolvable");
    // Search alone does not end here: learning shows it.
    let verdict = solve(&nth("sokoban", "lost-halls.sok", 1), "pushes", "auto");
    assert_eq!(verdict["verdict"], "unsolvable", "{verdict}");
    assert!(verdict["shown_by"].as_str().is_some_and(|by| by.contains("patterns")), "{verdict}");
}

#[test]
fn errors_are_reported_with_their_place() {
    let text = "#####\n#@$?#\n#####\n";
    let request = json!({ "ask": "read", "text": text, "puzzle": "sokoban", "options": {} });
    let read = ask(&request);
    let fault = match &read["error"] {
        Value::Null => &read["ok"]["levels"][0]["fault"],
        fault => fault,
    };
    assert_eq!((&fault["line"], &fault["column"]), (&json!(2), &json!(4)), "{read}");
}

#[test]
fn strange_requests_are_refused_in_words() {
    for request in ["", "{}", "[]", "{\"ask\": \"fly\"}", "{\"ask\": \"solve\", \"level\": 3}"] {
        for answered in [player::answer(request), solver::answer(request, &SideOutput::default())] {
            let answered: Value = serde_json::from_str(&answered).expect("JSON");
            assert!(answered["error"]["message"].is_string(), "{request}: {answered}");
        }
    }
}

fn help(ask_for: &str, level: &Value, more: &Value) -> Value {
    let mut request = json!({ "ask": ask_for, "level": level, "limits": { "seconds": 60 } });
    for (name, value) in more.as_object().expect("an object") {
        request[name.as_str()] = value.clone();
    }
    let answered = ask(&request);
    assert!(answered["ok"].is_object(), "{answered}");
    answered["ok"].clone()
}

#[test]
fn a_hint_says_as_much_as_is_wanted() {
    let level = own("sokoban", "pantry.xsb");
    for degree in ["solvable", "piece"] {
        let printed = help("hint", &level, &json!({ "moves": "", "degree": degree }));
        assert_eq!(
            (&printed["solvable"], &printed["moves"]),
            (&json!(true), &Value::Null),
            "{printed}"
        );
    }
    let whole = help("hint", &level, &json!({ "moves": "", "degree": "plan" }));
    let position = open(&level, whole["moves"].as_str().expect("moves"))["position"].clone();
    assert_eq!(position["solved"], true, "{whole}");
    assert_eq!(position["tally"]["pushes"], 6);
    assert_eq!(position["figures"], whole["after"]);
}

#[test]
fn the_move_that_loses_a_game_is_named() {
    // The box goes past its goal into the corner.
    let level = json!({
        "puzzle": "sokoban", "options": {}, "title": null, "text": "######\n#@$. #\n######\n",
    });
    let printed = help("diagnose", &level, &json!({ "moves": "rr" }));
    assert_eq!(printed["fatal"], 2, "{printed}");
    assert_eq!(printed["moves"][0]["class"], "free");
    assert_eq!(printed["moves"][1]["class"], "fatal");
    assert_eq!(printed["shown"], 1);
    assert_eq!(printed["marks"][0]["places"], json!([[1, 3]]), "{printed}");
}

#[test]
fn forced_facts_of_flow_are_reported_with_their_rules() {
    let printed = help("forced", &own("flow", "first-paths.txt"), &json!({}));
    assert!(!printed["steps"].as_array().expect("steps").is_empty(), "{printed}");
}

#[test]
fn each_family_is_proved_and_a_changed_certificate_refused() {
    for (puzzle, file, objective) in [
        ("sokoban", "pantry.xsb", "pushes"),
        ("sokobond", "water.sokobond", "moves"),
        ("sokobond", "between-two.sokobond", "moves"),
        ("snowman", "first-snowman.snowman", "pushes"),
        ("warehouse", "first-box.warehouse", "moves"),
        ("flow", "first-paths.txt", "any"),
        ("flow", "around-a-hole.txt", "any"),
    ] {
        let (proved, beside) = asked(&json!({
            "ask": "prove", "level": own(puzzle, file), "objective": objective, "engine": "auto",
            "formulas": true, "limits": { "seconds": 60 },
        }));
        let proved = &proved["ok"];
        assert_eq!(proved["certified"], true, "{file}: {proved}");
        assert!(proved["certificate"]["claim"].is_string(), "{file}: {proved}");
        assert!(!beside.events.into_inner().expect("one thread").is_empty());
        let given = beside.files.into_inner().expect("one thread");
        assert!(given.keys().any(|name| name.ends_with(".cnf")), "{file}: {:?}", given.keys());
        let mut files = MemoryFiles { files: given, most: 0 };
        let check = |files: &MemoryFiles| check_files(files, None, &Limits::none(), &mut |_| {});
        check(&files).unwrap_or_else(|error| panic!("{file}: {error}"));
        let text = files.files.get_mut("puzzle.txt").expect("the puzzle");
        text.push(b' ');
        let refused = check(&files).err();
        assert!(matches!(refused, Some(CheckError::Invalid { .. })), "{file}: {refused:?}");
    }
}

#[test]
fn shortest_solutions_are_counted_as_by_enumerate() {
    let limits = json!({ "seconds": 60, "megabytes": 1500 });
    let count = |level: &Value, objective: &str| {
        let rules = level["puzzle"] == "puzzlescript";
        ask(&json!({
            "ask": "count", "level": level, "objective": objective, "rules": rules, "limits": limits
        }))
    };
    let pantry = count(&own("sokoban", "pantry.xsb"), "pushes");
    assert_eq!(pantry["ok"]["optimal_plans"], 1, "{pantry}");
    // Two to the right and two down, in any order.
    let corner = "########\n#      #\n#      #\n#  $   #\n# @    #\n#    . #\n########\n";
    let corner = json!({ "text": corner, "puzzle": "sokoban", "options": {} });
    let six = count(&corner, "pushes");
    assert_eq!(six["ok"]["optimal_plans"], 6);
    // The two that are shown begin alike, and then push the box to different squares.
    let fork = &six["ok"]["fork"];
    let boxes = |figures: &Value| {
        let figures = figures.as_array().expect("a list").iter();
        let of_boxes = figures.filter(|figure| figure["kind"] == "box");
        of_boxes.map(|figure| figure["places"].clone()).collect::<Vec<_>>()
    };
    let after = [&fork["ways"][0], &fork["ways"][1]].map(|way| boxes(&way["after"]));
    assert_ne!(after[0], after[1], "{fork}");
    assert!(after.iter().all(|boxes_after| *boxes_after != boxes(&fork["before"])), "{fork}");
    let at = fork["at"].as_u64().expect("a number") as usize;
    let moves = [0, 1].map(|way| fork["ways"][way]["moves"].as_str().expect("moves"));
    assert_eq!(moves[0][..at], moves[1][..at], "{fork}");
    assert_ne!(moves[0], moves[1]);
    let pushed = json!({ "text": "#####\n#@$.#\n#####\n", "puzzle": "sokoban", "options": {} });
    let only = count(&pushed, "pushes");
    assert_eq!(only["ok"]["optimal_plans"], 1, "{only}");
    assert!(only["ok"]["fork"].is_null(), "{only}");
    let lost = json!({ "text": "#####\n#$@.#\n#####\n", "puzzle": "sokoban", "options": {} });
    let none = &count(&lost, "moves")["ok"];
    assert_eq!(
        (&none["optimal_plans"], &none["sentence"], &none["fork"]),
        (&json!(0), &json!("the level has no solution"), &Value::Null)
    );
    assert!(none["rules"].is_null(), "they were not asked for: {none}");
    let game = count(&own("puzzlescript", "push.puzzlescript"), "moves");
    let acting = game["ok"]["rules"]["acting"].as_array().expect("lines");
    assert!(!acting.is_empty(), "{game}");
    assert!(game["ok"]["rules"]["idle"].is_array(), "{game}");
    // Paths are no moves: there the verdict says whether it is the only one.
    assert!(count(&own("flow", "first-paths.txt"), "any")["error"]["message"].is_string());
}

#[test]
fn levels_are_written_in_every_format_the_own_first() {
    for (puzzle, file, names) in [
        ("sokoban", "pantry.xsb", vec!["XSB", "run lengths"]),
        ("sokobond", "water.sokobond", vec!["unstuck's own format", "second format (v2)"]),
        ("snowman", "first-snowman.snowman", vec!["published legend", "the author's legend"]),
        ("warehouse", "first-box.warehouse", vec!["unstuck's own format"]),
    ] {
        let written = ask(&json!({ "ask": "formats", "level": own(puzzle, file) }));
        let formats = written["ok"].as_array().expect("a list").clone();
        let printed: Vec<_> = formats.iter().filter_map(|format| format["name"].as_str()).collect();
        assert_eq!(printed, names, "{puzzle}");
        for format in &formats {
            let text = &format["text"];
            let again = json!({ "text": text, "puzzle": puzzle, "options": {}, "title": null });
            let rewritten = ask(&json!({ "ask": "formats", "level": again }));
            assert_eq!(rewritten["ok"], written["ok"], "{puzzle} as {}", format["name"]);
        }
    }
}

/// Plays the solution of a level at once, step by step with every step undone and made again, and
/// by looking at positions in any order: all of it leads to the same positions.
#[test]
fn a_session_keeps_the_positions_that_were_passed() {
    for (puzzle, file, objective) in [
        ("sokoban", "pantry.xsb", "pushes"),
        ("sokobond", "water.sokobond", "moves"),
        ("snowman", "first-snowman.snowman", "pushes"),
        ("warehouse", "errand.warehouse", "moves"),
    ] {
        let level = own(puzzle, file);
        let moves = solve(&level, objective, "auto")["solution"]["moves"].clone();
        let whole = open(&level, moves.as_str().expect("moves"));
        assert_eq!(whole["moves"], moves, "{puzzle}");
        let count = whole["position"]["at"].as_u64().expect("a number");
        let view = |at: u64| ask(&json!({ "ask": "view", "id": 1, "at": at }))["ok"].clone();
        let passed: Vec<Value> = (0..=count).map(view).collect();
        assert_eq!(passed[count as usize], whole["position"]);
        assert!(passed.windows(2).all(|pair| pair[0]["figures"] != pair[1]["figures"]));
        let started = open(&level, "");
        let mut at = 0;
        let text = moves.as_str().expect("moves");
        let mut steps: Vec<String> = Vec::new();
        for letter in text.chars() {
            match steps.last_mut() {
                Some(last) if letter.is_ascii_digit() => last.push(letter),
                _ => steps.push(letter.to_string()),
            }
        }
        for step in &steps {
            let play = || ask(&json!({ "ask": "play", "id": 1, "at": at, "moves": step }));
            assert_eq!(play()["ok"], play()["ok"], "{puzzle}: undone and made again");
            at += 1;
            assert_eq!(view(at), passed[at as usize], "{puzzle} after {at}");
        }
        assert_eq!(view(0), started["position"], "{puzzle}");
    }
}

#[test]
fn a_piece_shows_where_it_can_be_brought() {
    for (puzzle, file) in [("sokoban", "pantry.xsb"), ("warehouse", "beam.warehouse")] {
        let opened = open(&own(puzzle, file), "");
        let ground = &opened["ground"];
        let size = |side: &str| ground[side].as_u64().expect("a number");
        let cells =
            || (0..size("rows")).flat_map(|row| (0..size("columns")).map(move |c| (row, c)));
        let figures = opened["position"]["figures"].as_array().expect("figures");
        let boxes = figures.iter().filter(|figure| figure["kind"] == "box");
        let mut all = 0;
        for places in boxes.map(|figure| figure["places"].clone()) {
            let from = &places[0];
            let shown = ask(&json!({ "ask": "reached", "id": 1, "at": 0, "from": from }));
            let is_own = |cell: &Value| places.as_array().is_some_and(|all| all.contains(cell));
            let dragged: Vec<Value> = cells()
                .map(|cell| json!(cell))
                .filter(|to| {
                    let drag = json!({ "ask": "drag", "id": 1, "at": 0, "from": from, "to": to });
                    !is_own(to) && ask(&drag)["ok"]["moves"].is_string()
                })
                .collect();
            assert_eq!(shown["ok"], json!(dragged), "{file}: {from}");
            all += dragged.len();
        }
        assert!(all > 5, "{file}: {all}");
    }
}

#[test]
fn a_session_that_is_closed_says_so() {
    open(&own("sokoban", "pantry.xsb"), "");
    ask(&json!({ "ask": "close", "id": 1 }));
    let view = ask(&json!({ "ask": "view", "id": 1, "at": 0 }));
    assert_eq!(view["error"]["closed"], true, "{view}");
}

#[test]
fn what_is_on_a_board_is_told_as_data() {
    let level = json!({
        "puzzle": "sokoban", "options": {}, "title": null, "text": "#####\n#@$.#\n#####\n",
    });
    let opened = open(&level, "");
    let (kinds, squares) = (&opened["ground"]["kinds"], &opened["ground"]["squares"]);
    let word = |at: usize| kinds[squares[at].as_u64().expect("a number") as usize].clone();
    assert_eq!((5..10).map(word).collect::<Vec<_>>(), ["wall", "floor", "floor", "goal", "wall"]);
    assert_eq!(
        opened["position"]["figures"],
        json!([
            { "kind": "box", "places": [[1, 2]], "number": 0 },
            { "kind": "player", "places": [[1, 1]], "number": 0 },
        ])
    );
    let paths = open(&own("flow", "first-paths.txt"), "")["ground"].clone();
    assert_eq!(paths["of"], "paths");
    assert_eq!(paths["cells"].as_array().map(Vec::len), Some(25));
    assert_eq!(paths["ways"].as_array().map(Vec::len), Some(40));
    let colours: Vec<&Value> =
        paths["ends"].as_array().expect("a list").iter().map(|ends| &ends["colour"]).collect();
    assert!(colours.windows(2).all(|pair| pair[0] != pair[1]), "{colours:?}");
}

#[test]
fn a_turn_that_goes_on_by_itself_says_what_it_passes() {
    let game = include_str!("../../puzzles/levels/puzzlescript/push.puzzlescript");
    let (head, _) = game.split_at(game.find("RULES").expect("its rules"));
    let text = format!(
        "{head}RULES\n[ > Player | Crate ] -> [ > Player | > Crate ] again\n\
         down [ stationary Crate | no Wall no Player no Crate ] -> [ down Crate | ] again\n\
         WINCONDITIONS\nAll Target on Crate\nLEVELS\n\n\
         #####\n#P*.#\n###.#\n###.#\n###O#\n#####\n"
    );
    let level = json!({ "text": text, "puzzle": "puzzlescript", "options": {} });
    let opened = open(&level, "");
    assert_eq!(opened["passed"], json!([]), "{opened}");
    let crates = |figures: &Value| -> Vec<Value> {
        let all = figures.as_array().expect("figures").iter();
        all.filter(|it| it["kind"] == "piece").map(|it| it["places"].clone()).collect()
    };
    let played = ask(&json!({ "ask": "play", "id": 1, "at": 0, "moves": "r" }))["ok"].clone();
    let passed: Vec<_> = played["passed"].as_array().expect("boards").iter().map(crates).collect();
    assert_eq!(passed, [1, 2, 3].map(|row| vec![json!([[row, 3]])]), "{played}");
    assert_eq!(crates(&played["position"]["figures"]), [json!([[4, 3]])]);
    // A move that was not made passes nothing.
    let over = ask(&json!({ "ask": "play", "id": 1, "at": 1, "moves": "l" }))["ok"].clone();
    assert_eq!((&over["moves"], &over["passed"]), (&json!(""), &json!([])));
}

#[test]
fn a_level_is_made_from_a_seed_and_is_as_it_is_said() {
    let limits = json!({ "seconds": null, "megabytes": null, "states": 300_000 });
    for (puzzle, least, options) in [
        ("sokoban", 14, json!({ "boxes": "3" })),
        ("sokobond", 6, json!({ "atoms": "ohh" })),
        ("snowman", 8, json!({})),
        ("flow", 0, json!({ "width": "6", "height": "6", "colours": "5" })),
    ] {
        let make = |seed: u32| {
            ask(&json!({
                "ask": "generate", "puzzle": puzzle, "options": options, "seed": seed,
                "least": least, "limits": limits,
            }))["ok"]
                .clone()
        };
        let made = make(20_000);
        assert_eq!(make(20_000)["text"], made["text"]);
        assert_ne!(make(20_001)["text"], made["text"]);
        let level = json!({ "text": made["text"], "puzzle": puzzle, "options": {} });
        let objective = made["verdict"]["objective"].as_str().expect("an objective");
        let verdict = solve(&level, objective, "auto");
        assert_eq!(verdict["verdict"], "solved");
        if puzzle == "flow" {
            assert_eq!(verdict["unique"], true);
        } else {
            assert_eq!(
                (&verdict["optimal"], &verdict["upper"]),
                (&json!(true), &made["verdict"]["upper"])
            );
            assert!(verdict["upper"].as_u64() >= Some(least), "{verdict}");
        }
    }
    let none = ask(&json!({
        "ask": "generate", "puzzle": "warehouse", "options": {}, "seed": 1, "least": 0,
        "limits": limits,
    }));
    assert_eq!(none["error"]["message"], "warehouse makes no levels");
}

#[test]
fn run_lengths_are_recognised() {
    let written = ask(&json!({ "ask": "formats", "level": own("sokoban", "pantry.xsb") }));
    let line = &written["ok"][1]["text"];
    let read = ask(&json!({ "ask": "read", "text": line, "puzzle": null, "options": {} }));
    assert_eq!(read["ok"]["families"], json!(["sokoban"]), "{line}: {read}");
    assert_eq!(read["ok"]["levels"][0]["fault"], Value::Null);
}

#[test]
fn texts_that_are_nearly_levels_are_told_what_is_missing() {
    let read = |text: &str| {
        let request = json!({ "ask": "read", "text": text, "puzzle": null, "options": {} });
        ask(&request)
    };
    let without = read("#######\n#  $. #\n#######\n");
    let message = without["error"]["message"].as_str().expect("a message");
    assert!(message.starts_with("this looks like sokoban, but "), "{message}");
    let tabbed = read("#######\n# \t$@.#\n#######\n")["error"].clone();
    assert_eq!((&tabbed["line"], &tabbed["column"]), (&json!(2), &json!(3)), "{tabbed}");
    assert_eq!(tabbed["message"], "this looks like sokoban, but a tab is no square: use spaces");
    let boxless = read("#####\n#@ .#\n#####\n");
    assert_eq!(
        boxless["error"]["message"],
        "this is nearly sokoban: choose that puzzle to read it"
    );
    let game = include_str!("../../puzzles/levels/puzzlescript/push.puzzlescript");
    let cut = read(&game[..game.find("\nLEVELS").expect("its levels")]);
    let message = cut["error"]["message"].as_str().expect("a message");
    assert!(message.starts_with("this looks like puzzlescript, but "), "{message}");
    let tagged = format!("<pre><code>{}</code></pre>\n", game.replace('>', "&gt;"));
    assert_eq!(read(&tagged)["ok"]["families"], json!(["puzzlescript"]));
    // Rows of a map are no fences.
    let (head, maps) = game.split_at(game.find("\nLEVELS").expect("its levels"));
    let maps = maps.replace('.', "`").replace("\n#######\n#P", "\n```````\n#######\n#P");
    let ticked = format!("{}{maps}", head.replace(". = Background", "` = Background"));
    assert_eq!(read(&ticked)["ok"]["families"], json!(["puzzlescript"]), "{ticked}");
    let address = read("https://www.puzzlescript.net/play.html?p=6841210\n");
    let message = address["error"]["message"].as_str().expect("a message");
    assert!(message.contains("paste its text"), "{message}");
    let other = read("https://puzz.link/p?slither/5/5/g1122bg3cg3b02h03b\n");
    assert_eq!(
        other["error"]["message"],
        "this address is of a `slither` puzzle; only Numberlink can be read"
    );
    for text in [
        "```\n#####\n#@$.#\n#####\n```\n",
        "Can you do this?\n\n```\n#####\n#@$.#\n#####\n```\nI cannot.\n",
        "> #####\n> #@$.#\n> #####\n",
        "#####\n#@\u{a0}$.#\n#####\n",
    ] {
        assert_eq!(read(text)["ok"]["levels"][0]["fault"], Value::Null, "{text}");
    }
}
