//! Levels as puzzles.

use super::solution;
use crate::constrained::ConstrainedPuzzle;
use crate::constraints::Constraints;
use crate::error::ParseError;
use crate::extras::PuzzleExt;
use crate::options::Options;
use crate::pieces::Coord;
use crate::play::Play;
use crate::puzzlescript::{Map, Mask, PuzzleScript, State};
use crate::scene::{Ground, Run};
use crate::{FrameOptions, Moves, Objective, Puzzle, Style};
use fastrand::Rng;
use puzzlescript_engine::sniff;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

#[path = "../../puzzlescript/tests/texts.rs"]
mod texts;

fn read(text: &str) -> Result<Vec<PuzzleScript>, ParseError> {
    let options = Options::new(PuzzleScript::OPTIONS, [])?;
    PuzzleScript::read(text, &options)?.into_iter().map(|level| level.puzzle).collect()
}

/// All positions that can be reached, at most so many, and a shortest plan if one was met.
fn explored(
    puzzle: &PuzzleScript,
    most: usize,
) -> (Vec<<PuzzleScript as Moves>::State>, Option<Vec<crate::puzzlescript::Input>>) {
    let start = puzzle.start();
    let mut came = BTreeMap::from([(start.clone(), Vec::new())]);
    let mut open = VecDeque::from([start]);
    let mut won = None;
    while let Some(state) = open.pop_front() {
        let plan = came[&state].clone();
        if puzzle.is_goal(&state) && won.is_none() {
            won = Some(plan.clone());
        }
        for mv in puzzle.moves(&state) {
            let next = puzzle.step(&state, mv).expect("a move").state;
            if !came.contains_key(&next) && came.len() < most {
                let plan = plan.iter().copied().chain([mv]).collect();
                came.insert(next.clone(), plan);
                open.push_back(next);
            }
        }
    }
    (came.into_keys().collect(), won)
}

/// Readers skip a line of nothing but `=`, so no row may be written with it.
#[test]
fn rows_are_written_without_equals_signs() {
    let text =
        texts::text("", "", "no Crate", "...\nP*.").replace("\nBackground\n", "\nBackground =\n");
    let text = text.replacen("COLLISIONLAYERS\nBackground =", "COLLISIONLAYERS\nBackground", 1);
    let puzzle = read(&text).expect("a game").swap_remove(0);
    let again = read(&puzzle.print()).expect("a game").swap_remove(0);
    assert_eq!(again.map(), &Map { line: again.map().line, ..puzzle.map().clone() });
}

#[test]
fn samples_survive_printing_and_their_positions_do_too() {
    let (mut won, mut lost) = (0, 0);
    for seed in 0..300 {
        let puzzle = PuzzleScript::sample(seed);
        let printed = puzzle.print();
        let again = &read(&printed).expect("a game")[0];
        assert_eq!(again.print(), printed);
        assert_eq!(again.identity(), puzzle.identity(), "{printed}");
        let (states, plan) = explored(&puzzle, 200);
        for state in &states {
            for text in [puzzle.write_state(state), whole(state)] {
                assert_eq!(puzzle.read_state(&text).as_ref(), Some(state), "{text}");
            }
            assert_eq!(puzzle.begun_at(state).start(), *state);
            let text = puzzle.begun_at(state).print();
            let read = &read(&text).unwrap_or_else(|error| panic!("{error}: {text}"))[0];
            assert_eq!(read.map().cells, state.cells, "{text}");
        }
        if let Some(plan) = plan {
            won += 1;
            let solution = puzzle.solution(&plan);
            assert_eq!(puzzle.read_solution(&solution.to_string()).as_ref(), Ok(&solution));
            let tally = puzzle.check(&solution).expect("a solution");
            assert_eq!(tally.moves as usize, plan.len());
            assert_eq!(puzzle.judge(&plan), Ok(tally));
        } else {
            lost += 1;
        }
    }
    assert!(won > 60 && lost > 60, "{won} won, {lost} not");
}

#[test]
fn a_board_is_said_as_sprites_layer_over_layer() {
    let puzzle = &read(texts::GAMES[0]).expect("a game")[0];
    let Some(Ground::Squares(ground)) = crate::AnyPuzzle::ground(puzzle) else { panic!("squares") };
    assert_eq!((ground.rows, ground.columns), (3, 7));
    let start = puzzle.start();
    let figures = puzzle.figures(&start);
    let named = |kind: &str| -> Vec<(&str, Coord)> {
        let of_kind = figures.iter().filter(|figure| figure.kind == kind);
        let sprite = |number: u16| ground.sprites[usize::from(number)].name.as_str();
        of_kind.map(|figure| (sprite(figure.number), figure.places[0])).collect()
    };
    assert_eq!(named("background").len(), 21);
    assert_eq!(named("player"), [("player", (1, 1))]);
    assert_eq!(named("piece"), [("crate", (1, 3))]);
    let scenery = named("scenery");
    assert_eq!(scenery.iter().filter(|(name, _)| *name == "wall").count(), 16);
    assert!(scenery.contains(&("target", (1, 5))));
    // What lies in a later layer is drawn over all of an earlier one.
    let numbers: Vec<u16> = figures.iter().map(|figure| figure.number).collect();
    assert!(numbers.is_sorted());
    let target = ground.sprites.iter().find(|sprite| sprite.name == "target").expect("a sprite");
    let run = |row, column, length| Run { row, column, length, colour: "#1b2632".to_owned() };
    assert_eq!(target.runs, [run(1, 1, 3), run(2, 1, 1), run(2, 3, 1), run(3, 1, 3)]);
}

#[test]
fn samples_have_every_kind_of_refusal() {
    let mut rules: Vec<&str> = Vec::new();
    for seed in 0..300 {
        let puzzle = PuzzleScript::sample(seed);
        for state in explored(&puzzle, 30).0 {
            for input in crate::puzzlescript::Input::ALL {
                rules.extend(puzzle.step(&state, input).err().map(|refused| refused.rule));
            }
        }
    }
    for rule in ["nothing", "no-action", "over"] {
        assert!(rules.contains(&rule), "{rule}");
    }
}

#[test]
fn a_level_is_drawn_and_told() {
    let puzzle = &read(texts::GAMES[0]).expect("a game")[0];
    assert_eq!(puzzle.picture(None, Style::Plain).as_deref(), Some("#######\n#P.*.O#\n#######\n"));
    let solution = puzzle.read_solution("R r\nr").expect("inputs");
    assert_eq!(
        puzzle.picture(Some(&solution), Style::Plain).as_deref(),
        Some("#######\n#...P@#\n#######\n")
    );
    assert!(puzzle.picture(None, Style::Svg).is_some_and(|svg| svg.contains("#eb8931")));
    let (start, end) = (puzzle.start(), puzzle.replay(&solution.0).states.pop().expect("a state"));
    assert_eq!(puzzle.action(&start, &end), "crate (2,4) to crate (2,6)");
    assert_eq!(puzzle.pieces(&start).player, (1, 1));
    assert_eq!(puzzle.pieces(&start).others, [vec![(1, 3)]]);
    let error = puzzle.read_solution("rr\nq").expect_err("no input");
    assert_eq!((error.line, error.column), (2, 1));
    let fault = puzzle.check(&puzzle.read_solution("rrrr").expect("inputs")).expect_err("too long");
    assert_eq!((fault.at, fault.rule), (Some(4), "over"));
    for objective in [Objective::Moves, Objective::Pushes, Objective::Any] {
        assert_eq!(puzzle.class(&start, objective), std::slice::from_ref(&start));
    }
}

/// A position as older certificates have it.
fn whole(state: &State) -> String {
    let words = state.cells.iter().map(|word| format!("{word:x}"));
    itertools::join(state.won.then(|| "won".to_owned()).into_iter().chain(words), " ")
}

#[test]
fn positions_that_are_none_are_not_read() {
    let puzzle = &read(texts::GAMES[0]).expect("a game")[0];
    let start = puzzle.start();
    assert_eq!(puzzle.write_state(&start), "=");
    let first = start.cells[0];
    let differs = start.cells.iter().position(|&it| it != first).expect("a cell that is no wall");
    let (another, last) = (start.cells[differs], start.cells.len() - 1);
    let mut state = start.clone();
    state.cells.swap(0, differs);
    let text = puzzle.write_state(&state);
    assert_eq!(text, format!("= 0:{another:x} {differs}:{first:x}"));
    for text in [text, whole(&state)] {
        for broken in [
            String::new(),
            format!("{text} "),
            format!("{text} 1"),
            format!("won  {text}"),
            text.replacen('3', "03", 1),
            text.replacen('3', "ffff", 1),
            text.to_uppercase() + "X",
        ] {
            assert!(broken == text || puzzle.read_state(&broken).is_none(), "{broken}");
        }
    }
    assert!(puzzle.read_state(&format!("= 0:{another:x}")).is_some());
    for broken in [
        format!("=0:{another:x}"),
        format!("= 0:{first:x}"),
        format!("= 00:{another:x}"),
        format!("= +0:{another:x}"),
        format!("= {}:{another:x}", last + 1),
        format!("= 0:{another:x} 0:{another:x}"),
        format!("= {last}:{another:x} 0:{another:x}"),
        "= 0".to_owned(),
        "= ".to_owned(),
        "==".to_owned(),
        "= won".to_owned(),
    ] {
        assert_eq!(puzzle.read_state(&broken), None, "{broken}");
    }
}

/// Whatever is said of a position, what has happened before is written in one way.
#[test]
fn older_positions_are_read_under_constraints_too() {
    let puzzle = &read(texts::GAMES[0]).expect("a game")[0];
    let game = ConstrainedPuzzle::of(puzzle, &Constraints::default());
    let start = game.start();
    let older = whole(&puzzle.start());
    for text in [game.write_state(&start), format!("0|{older}")] {
        assert_eq!(game.read_state(&text).as_ref(), Some(&start), "{text}");
    }
    for happened in ["", "00", "+0", "1", " 0"] {
        assert_eq!(game.read_state(&format!("{happened}|{older}")), None, "{happened}");
    }
}

/// What a cell may hold is asked for millions of times, so it is said here once more, bit by bit.
#[test]
fn cells_hold_an_object_of_each_layer_at_most() {
    let mut of_one = 0;
    for seed in 0..30 {
        let puzzle = PuzzleScript::sample(seed);
        let (game, mut state) = (puzzle.game(), puzzle.start());
        for cell in 0..2 << game.bits.len() {
            state.cells[0] = cell;
            let is_there = |bit: usize| cell >> bit & 1 == 1;
            let layers = game.layers.iter();
            let crowded = |layer: &Mask| layer.bits().filter(|&bit| is_there(bit)).count() > 1;
            let is_known = !is_there(game.bits.len()) && !layers.clone().any(crowded);
            let text = puzzle.write_state(&state);
            assert_eq!(puzzle.read_state(&text), is_known.then(|| state.clone()), "{text}");
            of_one += usize::from(is_known);
            for other in [format!("0{text}"), format!("+{text}"), text.to_uppercase()] {
                assert!(other == text || puzzle.read_state(&other).is_none(), "{other}");
            }
        }
    }
    assert!(of_one > 100, "{of_one}");
}

#[test]
fn rules_and_conditions_can_be_left_out() {
    let level = "P.*O";
    let rules = "[ > Player | Crate ] -> [ > Player | > Crate ] (push)\n\
                 + [ > Crate | Crate ] -> [ > Crate | > Crate ]\n\
                 late [ Red ] -> [ ]\nlate [ Blue ] -> [ ] (odd)";
    let text = texts::text("", rules, "all target on crate\nno red", level);
    let puzzle = &read(&text).expect("a game")[0];
    let parts = puzzle.parts();
    let kinds: Vec<&str> = parts.iter().map(|part| part.kind).collect();
    assert_eq!(kinds, ["rule", "rule", "rule", "rule", "condition", "condition"]);
    let line = text.lines().position(|line| line.starts_with("late")).expect("a rule") + 1;
    assert_eq!(parts[2].name, format!("rule of line {line}"));
    let rules = |puzzle: &PuzzleScript| puzzle.game().rules.iter().map(|it| it.rules.len()).sum();
    let counts = |parts: &[usize]| {
        let less = puzzle.without(parts)?;
        assert_eq!(read(&less.print()).expect("a game")[0].identity(), less.identity());
        let rules: usize = rules(&less);
        Some((rules, less.game().late_rules.len(), less.game().conditions.len()))
    };
    assert_eq!(counts(&[]), Some((8, 2, 2)));
    // The other rule of the group begins it then.
    assert_eq!(counts(&[0]), Some((4, 2, 2)));
    assert_eq!(counts(&[1]), Some((4, 2, 2)));
    assert_eq!(counts(&[0, 1, 2]), Some((0, 1, 2)));
    assert_eq!(counts(&[3]), Some((8, 1, 2)));
    assert_eq!(counts(&[4]), Some((8, 2, 1)));
    // Nothing can win then, and there is no such part.
    assert_eq!([counts(&[4, 5]), counts(&[6])], [None; 2]);
}

/// The rules that act in each of these inputs, by what stands before their lines.
fn acting(text: &str, moves: &str) -> Vec<String> {
    let puzzle = &read(text).expect("a game")[0];
    let named = |line: usize| {
        let text = text.lines().nth(line - 1).expect("a line");
        text.split_whitespace().next().expect("a rule").to_owned()
    };
    let mut state = puzzle.start();
    let mut found = vec![puzzle.starting().into_iter().map(named).collect::<Vec<_>>().join(" ")];
    for input in solution::read(moves).expect("inputs").0 {
        let mut acting = BTreeSet::new();
        if let Ok((next, lines)) = puzzle.step_with_rules(&state, input) {
            (state, acting) = (next.state, lines);
        }
        found.push(acting.into_iter().map(named).collect::<Vec<_>>().join(" "));
    }
    found
}

#[test]
fn rules_act_where_they_change_or_ask_for_something() {
    let of = |rules: &str, level: &str, moves: &str| {
        acting(&texts::text("", rules, "no player", level), moves).split_off(1)
    };
    let rules = "right [ right Player | Crate ] -> [ right Player | right Crate ]\n\
                 left [ left Player ] -> [ left Player ]\n\
                 late [ Player Target ] -> win message Well done";
    // A bump changes nothing, so no rule counts; on the way nothing has to be pushed.
    assert_eq!(of(rules, "P.*.#", "lrrr"), ["", "", "right", ""]);
    assert_eq!(of(rules, ".PO", "lr"), ["", ""]);
    assert_eq!(of(rules, "O.P", "ll"), ["", "late"]);
    // What is undone in the same turn has been done.
    let marks = "up [ > Player ] -> [ > Player Red ]\nlate [ Red ] -> [ ]";
    assert_eq!(of(marks, ".\nP", "ud"), ["up late", ""]);
    // Ticks by AGAIN belong to the turn, and so does the one that is only tried.
    let fall = "down [ Crate | no Solid ] -> [ down Crate | ]\nlate [ Crate ] -> again";
    assert_eq!(of(fall, "*P\n..\n..", "d"), ["down late"]);
    let started = "[ Red ] -> [ Blue ]\nright [ > Player | Blue ] -> [ > Player | ]";
    let text = texts::text("run_rules_on_level_start", started, "no player", "Pr");
    assert_eq!(acting(&text, "r"), ["[", "right"]);
}

#[test]
fn a_move_is_the_same_without_a_rule_that_does_not_act() {
    let (mut idle, mut missed) = (0, 0);
    for seed in 0..250 {
        let puzzle = PuzzleScript::sample(seed);
        let lines = puzzle.rule_lines().expect("rules in a file");
        for (part, line) in lines.into_iter().enumerate() {
            assert_eq!(puzzle.parts()[part].name, format!("rule of line {line}"));
            let Some(without) = puzzle.without(&[part]) else { continue };
            for state in explored(&puzzle, 40).0 {
                for mv in puzzle.moves(&state) {
                    let (with, acting) = puzzle.step_with_rules(&state, mv).expect("a move");
                    let (with, without) = (Ok(with), without.step(&state, mv));
                    if acting.contains(&line) {
                        missed += usize::from(with != without);
                    } else {
                        assert_eq!(with, without, "seed {seed}, line {line}:\n{}", puzzle.print());
                        idle += 1;
                    }
                }
            }
        }
    }
    assert!(idle > 5000 && missed > 2000, "{idle} do not act, {missed} make a difference");
}

#[test]
fn a_change_is_more_than_where_the_players_are() {
    let rule = "[ > Player | Crate ] -> [ > Player | > Crate ]";
    let text = texts::text("", rule, "all target on crate", "P.*O");
    let puzzle = &read(&text).expect("a game")[0];
    let solution = puzzle.read_solution("lrr").expect("inputs");
    let tally = puzzle.check(&solution).expect("a solution");
    assert_eq!((tally.moves, tally.pushes), (3, 1));
    let plan = puzzle.judge(&solution.0[1..]).expect("a solution");
    assert_eq!((plan.moves, plan.pushes), (2, 1));
    // The bump at the start is a stage of its own.
    assert_eq!(puzzle.frames(&solution, FrameOptions::all(false, Style::Plain)).len(), 4);
}

#[test]
fn texts_are_known_by_their_sections() {
    for game in texts::GAMES {
        assert!(sniff(game) && sniff(&game.to_lowercase().replace('\n', "\r\n")));
        assert!(!sniff(&game.replace("COLLISIONLAYERS", "LAYERS")));
    }
    assert!(!sniff("levels\nobjects\ncollisionlayers\n") && !sniff(""));
}

/// Evidence about a level holds for another one with the same canonical text, so that text has all
/// that can change a play; and what nobody plays by changes nothing of it.
#[test]
fn the_canonical_text_has_rules_and_board_and_nothing_else() {
    let rules = "[ > Player | Crate ] -> [ > Player | > Crate ]\n\
                 [ > Crate | no Solid | Red ] -> [ > Crate | | Blue ]\nlate [ Red ] -> [ Blue ]";
    let (won, level) = ("all Target on Crate", "P*O\n.r#");
    let whole = texts::text("", rules, won, level);
    let of = |text: &str| {
        let puzzle = read(text).unwrap_or_else(|error| panic!("{error}\n{text}")).swap_remove(0);
        (puzzle.canonical_text(), puzzle.identity())
    };
    let known = of(&whole);
    let said = rules.replace("late [ Red ] -> [ Blue ]", "late [ Red ] -> [ Blue ] message Ah");
    let other_words = said.replace("message Ah", "message Oh");
    assert_eq!(
        of(&texts::text("", &said, won, level)),
        of(&texts::text("", &other_words, won, level))
    );
    for same in [
        whole.replacen("\nOBJECTS", "title Another\nauthor Another\nOBJECTS", 1),
        whole.replacen("green", "red", 1),
        whole.replacen("RULES\n", "RULES\n(a comment\nof two lines)\n\n", 1),
        whole.replace('\n', "\r\n"),
        whole.replacen("LEVELS\n", "LEVELS\n\nmessage Hello\n", 1),
        format!("{whole}\nPP*O\n"),
    ] {
        assert_eq!(of(&same), known, "{same}");
    }
    let rule = |from: &str, to: &str| texts::text("", &rules.replacen(from, to, 1), won, level);
    for other in [
        rule("late [ Red ]", "[ Red ]"),
        rule("[ > Player |", "rigid [ > Player |"),
        rule("[ > Player |", "right [ > Player |"),
        rule("[ > Crate | no", "+ [ > Crate | no"),
        rule("-> [ > Crate | | Blue ]", "-> [ > Crate | | Blue ] cancel"),
        rule("[ > Crate | no Solid | Red ] -> [ > Crate | | Blue ]\n", ""),
        rule("late [ Red ] -> [ Blue ]", "late [ Red ] -> [ Blue ] win"),
        // The same words, which mean something else.
        whole.replacen("Solid = Wall or Crate", "Solid = Wall or Player", 1),
        whole.replacen("Target\nPlayer, Wall, Crate\n", "Player, Wall, Crate\nTarget\n", 1),
        texts::text("require_player_movement", rules, won, level),
        texts::text("noaction", rules, won, level),
        texts::text("run_rules_on_level_start", rules, won, level),
        texts::text("", rules, "some Target on Crate", level),
        texts::text("", rules, "all Target on Crate\nno Red", level),
        texts::text("", rules, won, "P*O\n.b#"),
        texts::text("", rules, won, "P*O.\n.r#."),
    ] {
        let other_known = of(&other);
        assert_ne!(other_known.0, known.0, "{other}");
        assert_ne!(other_known.1, known.1, "{other}");
    }
}

/// One letter of the legend for another is how a level loses its player.
#[test]
fn a_level_without_a_player_is_warned_of() {
    let text =
        |settings: &str, rules: &str| texts::text(settings, rules, "no crate", "P*.\n\n#*.\n\nQ*.");
    let warned = |text: &str| {
        let options = Options::new(PuzzleScript::OPTIONS, []).expect("defaults");
        let levels = PuzzleScript::read(text, &options).expect("a game");
        let warned = levels.into_iter().map(|level| {
            let own = level.warnings.iter().filter(|warning| !warning.of_file);
            own.map(|warning| warning.text.clone()).collect::<Vec<_>>().concat()
        });
        warned.collect::<Vec<_>>()
    };
    let said = warned(&text("", ""));
    assert!(said[0].is_empty() && said[2].is_empty(), "{said:?}");
    assert!(said[1].starts_with("no player is in this level"), "{said:?}");
    // Rules that run before the level begins may bring one.
    let rules = "[ Wall ] -> [ Player ]";
    assert_eq!(warned(&text("run_rules_on_level_start", rules)), ["", "", ""]);
}

#[test]
fn letters_are_shown_as_the_file_writes_them_and_in_colours() {
    let level = read(&texts::text("", "", "no crate", "p*.#\nO.@.")).expect("a game").remove(0);
    assert_eq!(level.picture(None, Style::Plain).as_deref(), Some("p*.#\nO.@.\n"));
    let level = read(&texts::text("", "", "no crate", "P*.#")).expect("a game").remove(0);
    assert_eq!(level.picture(None, Style::Plain).as_deref(), Some("P*.#\n"));
    let coloured = level.picture(None, Style::Unicode { color: true }).expect("a picture");
    // Black on black cannot be seen; the letters stay what they are.
    assert!(coloured.starts_with("\u{1b}[38;2;255;255;255;48;2;0;0;0mP\u{1b}[0m"), "{coloured:?}");
    let letters: String = coloured
        .split('\u{1b}')
        .map(|part| part.split_once('m').map_or(part, |(_, letters)| letters))
        .collect();
    assert_eq!(letters, "P*.#\n");
}

#[test]
fn levels_of_bent_games_survive_printing() {
    let mut rng = Rng::with_seed(9);
    let seeds = texts::seeds();
    let options = Options::new(PuzzleScript::OPTIONS, []).expect("defaults");
    let mut levels = 0;
    for _ in 0..2000 {
        let seed = &seeds[rng.usize(..seeds.len())];
        let text = texts::bent(&mut rng, seed);
        let Ok(read) = PuzzleScript::read(&text, &options) else { continue };
        for level in read {
            let Ok(puzzle) = level.puzzle else { continue };
            levels += 1;
            let again = PuzzleScript::parse(&level.text, &options);
            let again = again.unwrap_or_else(|error| panic!("{error}\n{}", level.text));
            assert_eq!(again.map().cells, puzzle.map().cells, "{text}");
            assert_eq!((again.print(), again.identity()), (level.text, puzzle.identity()));
            if let Some(&input) = puzzle.moves(&puzzle.start()).first() {
                let state = puzzle.step(&puzzle.start(), input).expect("a move").state;
                let text = puzzle.begun_at(&state).print();
                assert!(PuzzleScript::parse(&text, &options).is_ok(), "{text}");
                assert_eq!(puzzle.read_state(&puzzle.write_state(&state)), Some(state));
            }
        }
    }
    assert!(levels > 200, "{levels} levels");
}
