use super::*;
use crate::constrained::ConstrainedPuzzle;
use crate::constraints::Constraints;
use crate::extras::PuzzleExt;
use crate::grid::Direction;
use crate::play::Play;
use proptest::prelude::*;

fn options(given: &[(&'static str, &'static str)]) -> Options {
    Options::new(Snowman::OPTIONS, given.iter().copied()).unwrap()
}

fn level(text: &str) -> Snowman {
    Snowman::parse(text, &options(&[])).unwrap()
}

fn fault(text: &str) -> ParseError {
    Snowman::parse(text, &options(&[])).unwrap_err()
}

/// The board after some moves, and how long they are.
fn after(puzzle: &Snowman, moves: &str) -> (String, Tally) {
    let solution = puzzle.read_solution(moves).unwrap();
    let replay = puzzle.replay(&puzzle.plan(&solution));
    assert_eq!(replay.stop, None);
    (puzzle.drawing(replay.states.last().unwrap()), replay.tally)
}

/// The rule that the last of some moves breaks.
fn broken(puzzle: &Snowman, moves: &str) -> &'static str {
    let solution = puzzle.read_solution(moves).unwrap();
    let violation = puzzle.check(&solution).unwrap_err();
    assert_eq!(violation.at, Some(solution.moves().len()));
    violation.rule
}

#[test]
fn balls_roll_and_grow() {
    let puzzle = level("#1-**--");
    assert_eq!(after(&puzzle, "D"), ("-#1**--\n".into(), Tally { moves: 1, pushes: 1 }));
    assert_eq!(after(&puzzle, "DD").0, "--#2*--\n");
    assert_eq!(after(&puzzle, "DDDDD").0, "-----#4\n");
    assert_eq!(broken(&puzzle, "DDDDDD"), "ball-blocked");
    // A large ball eats snow, too.
    assert_eq!(after(&level("#4*-"), "D").0, "-#4-\n");
}

#[test]
fn smaller_balls_climb_larger_ones() {
    assert_eq!(after(&level("#24"), "D").0, "-#6\n");
    assert_eq!(after(&level("#16"), "D").0, "-#7\n");
    assert_eq!(after(&level("#14"), "D").0, "-#5\n");
    for board in ["#22", "#42", "#25", "#13X", "#11"] {
        assert_eq!(broken(&level(board), "D"), "ball-blocked", "{board}");
    }
}

#[test]
fn pushing_the_top_off_leaves_the_player_where_it_is() {
    assert_eq!(after(&level("#3-"), "D"), ("#21\n".into(), Tally { moves: 1, pushes: 1 }));
    assert_eq!(after(&level("#3*"), "D").0, "#22\n");
    assert_eq!(after(&level("#6*"), "D").0, "#44\n");
    assert_eq!(broken(&level("#34"), "D"), "stack-blocked");
    assert_eq!(broken(&level("#3X"), "D"), "stack-blocked");
}

#[test]
fn finished_snowmen_stay_unless_dismantling_is_allowed() {
    assert_eq!(broken(&level("#7-"), "D"), "snowman");
    assert_eq!(after(&level("; rules: dismantle\n#7-"), "D").0, "#61\n");
    let allowed = Snowman::parse("#7*", &options(&[("dismantle", "true")])).unwrap();
    assert_eq!(after(&allowed, "D").0, "#62\n");
}

#[test]
fn teleporters_take_the_player_but_no_balls() {
    let puzzle = level("#T-\n-1T\nT--");
    assert_eq!(after(&puzzle, "D2").0, "-T-\n-1U\nT--\n");
    assert_eq!(after(&puzzle, "D3W").0, "-T-\n#1T\nT--\n");
    assert_eq!(broken(&puzzle, "D"), "teleporter-exit");
    assert_eq!(broken(&puzzle, "D1"), "teleporter-exit");
    assert_eq!(broken(&puzzle, "D4"), "teleporter-exit");
    assert_eq!(broken(&puzzle, "S1"), "no-teleporter");
    assert_eq!(broken(&puzzle, "SD"), "ball-blocked");
    // Back to where one stands is no move, and with two teleporters the number may be left out.
    let pair = level("UT1\n---");
    assert_eq!(broken(&pair, "D1"), "teleporter-exit");
    assert_eq!(after(&level("#T1\nT--"), "DD").0, "-T1\nT#-\n");
}

#[test]
fn targets_must_be_met() {
    assert!(level("#7").check(&Solution::default()).is_ok());
    assert!(level("#g+").check(&Solution::default()).is_ok());
    let beside = level("#7+").check(&Solution::default()).unwrap_err();
    assert_eq!((beside.at, beside.rule), (None, "not-solved"));
}

#[test]
fn legends_differ_where_they_should() {
    let read = |legend| Snowman::parse("#-+=1", &options(&[("legend", legend)])).unwrap();
    assert_eq!(read("published").print(), "; legend: published\n#-+=1\n");
    assert_eq!(read("author").print(), "; legend: published\n#-=+1\n");
    assert_eq!(read("auto"), read("published"));
    assert_eq!(level("; legend: author\n#-+=1").legend(), Legend::Author);
    let research = level("xx##\n#q'.1\n#2347\n");
    assert_eq!(research.legend(), Legend::Research);
    assert_eq!(research.print(), "; legend: published\nXXXXX\nX#-*1\nX2347\n");
    assert_eq!(level("#p1'").print(), "; legend: published\nX%1-\n");
    let doubtful = Snowman::read("#7+", &options(&[])).unwrap();
    assert_eq!(doubtful[0].warnings.len(), 1);
}

#[test]
fn a_text_may_hold_many_levels() {
    let text = "; title: One\n; legend: author\n#1=\n\n\n; title: Two\n; solution: D\n#24\n-1-\n";
    let levels = Snowman::read(text, &options(&[])).unwrap();
    let titles: Vec<_> = levels.iter().map(|it| (it.title.as_deref(), it.line)).collect();
    assert_eq!(titles, [(Some("One"), 1), (Some("Two"), 6)]);
    assert_eq!(levels[1].solutions, ["D"]);
    for it in &levels {
        assert_eq!(level(&it.text), *it.puzzle.as_ref().unwrap());
    }
}

#[test]
fn faults_name_their_place_and_the_way_out() {
    let place = |text: &str| {
        let fault = fault(text);
        assert!(fault.help.is_some(), "{fault}");
        (fault.line, fault.column, fault.message)
    };
    assert_eq!(place("; a\n1-2\n"), (2, 0, "no player on the board".into()));
    assert_eq!(place("\n#1-\n-#"), (3, 2, "a second player".into()));
    assert_eq!(place("#1-\n-?"), (2, 2, "`?` is unknown in the published legend".into()));
    assert_eq!(place("#1T").1, 3);
    assert_eq!(place("#--"), (1, 0, "no ball on the board".into()));
    assert_eq!(place("; legend: other\n#1").0, 1);
    assert_eq!(place("; rules: other\n#1").0, 1);
    assert_eq!(place(""), (0, 0, "no level in this text".into()));
    let wide = format!("#1\n{}", "-".repeat(70_000));
    assert_eq!(place(&wide).2, "the board is too large");
}

#[test]
fn counting_tells_hopeless_levels() {
    let why = |text| level(text).unsolvable_reason().unwrap_or_default();
    assert!(why("#11-**").contains("2 balls"));
    assert!(why("#1117**+").contains("only 1 target for"));
    assert!(why("#441").contains("2 large"));
    assert!(why("#122").contains("grow 1"));
    assert!(why("#222*").contains("0 small"));
    assert!(why("#111**").contains("grow 3"));
    assert_eq!(why("#111***"), "");
    let warned = Snowman::read("#11-**", &options(&[])).unwrap();
    assert_eq!(warned[0].warnings.len(), 1);
}

#[test]
fn faults_in_move_strings_name_their_place() {
    let puzzle = level("#1-");
    let place = |text| puzzle.read_solution(text).map_err(|fault| (fault.line, fault.column));
    assert_eq!(place("WA\nSxD"), Err((2, 2)));
    assert_eq!(place("2D"), Err((1, 1)));
    assert_eq!(place("D 2"), Err((1, 3)));
    assert_eq!(place("D99999"), Err((1, 6)));
    assert_eq!(place("D0"), Err((1, 2)));
    let moves = place("w a\ns12D").unwrap();
    assert_eq!(moves.to_string(), "WAS12D");
    assert_eq!(moves.moves()[2], Move { direction: Direction::Down, exit: Some(12) });
}

#[test]
fn samples_print_and_states_are_written_faithfully() {
    for seed in 0..300 {
        let puzzle = Snowman::sample(seed);
        assert_eq!(level(&puzzle.print()), puzzle, "seed {seed}");
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut state = puzzle.start();
        for _ in 0..20 {
            let text = puzzle.write_state(&state);
            assert_eq!(puzzle.read_state(&text).as_ref(), Some(&state), "{text}");
            let class = puzzle.class(&state, Objective::Pushes);
            assert_eq!(puzzle.representative(&state, Objective::Pushes), class[0]);
            let moves = puzzle.moves(&state);
            let Some(&mv) = rng.choice(&moves) else { break };
            let next = puzzle.step(&state, mv).unwrap().state;
            assert_ne!(next, state);
            state = next;
        }
    }
}

#[test]
fn states_that_cannot_be_are_not_read() {
    let puzzle = level("#1*T\nXT2-");
    assert!(puzzle.read_state("0/2/1:1,6:2").is_some());
    for wrong in [
        "0/2/1:1,6:2 ",
        "00/2/1:1",
        "0/3/1:1",
        "0/2/1:8",
        "0/2/1:0",
        "1/2/1:1",
        "0/2/2:1",
        "4//1:1",
        "0/2,2/1:1",
        "0/2/5:1",
        "9//1:1",
        "",
        "//",
        "0/2",
        "0/2/1:1/",
        "0/2/6:2,1:1",
    ] {
        assert_eq!(puzzle.read_state(wrong), None, "{wrong}");
    }
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(text in any::<String>()) {
        let _ = Snowman::read(&text, &options(&[]));
        let _ = level("#1T-T").read_solution(&text);
        let _ = level("#1T-T").read_state(&text);
    }

    #[test]
    fn printing_is_the_identity_on_what_was_printed(
        text in "(;( legend: (author|research)| rules: dismantle)?\n)?([-X*#+=T%@&U1-7a-gxqp'.]{1,7}\n){1,4}",
        legend in prop::sample::select(vec!["auto", "published", "author", "research"]),
    ) {
        if let Ok(puzzle) = Snowman::parse(&text, &options(&[("legend", legend)])) {
            let printed = puzzle.print();
            prop_assert_eq!(level(&printed).print(), printed);
        }
    }

    #[test]
    fn move_strings_print_as_they_are_read(text in "([WASD]([1-9][0-9]{0,3})?){0,20}") {
        prop_assert_eq!(level("#1-").read_solution(&text).unwrap().to_string(), text);
    }
}

/// A key is pressed also where the number of a teleporter follows it.
#[test]
fn a_forbidden_key_does_not_lead_into_a_teleporter() {
    let puzzle = level("; legend: published\n; rules: dismantle\n#X-\nTT7\n");
    let keys = |moves: &[Move]| -> Vec<String> {
        moves.iter().map(|&mv| puzzle.solution(&[mv]).to_string()).collect()
    };
    let down = keys(&puzzle.moves(&puzzle.start()));
    assert!(down.iter().any(|key| key.len() > 1 && key.starts_with('S')), "{down:?}");
    let mut constraints = Constraints::default();
    constraints.forbid("move s").unwrap();
    let game = ConstrainedPuzzle::of(&puzzle, &constraints);
    let left = keys(&game.moves(&game.start()));
    assert!(!left.iter().any(|key| key.starts_with('S')), "{left:?}");
}
