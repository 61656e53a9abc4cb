use super::*;
use crate::extras::PuzzleExt;
use crate::options::Options;
use proptest::prelude::*;

fn options(given: &[(&'static str, &'static str)]) -> Options {
    Options::new(Board::OPTIONS, given.iter().copied()).unwrap()
}

fn parse(text: &str) -> Result<Board, ParseError> {
    Board::parse(text, &options(&[]))
}

/// Width and height of the extent, number of cells, number of edges, labels.
fn outline(text: &str) -> (usize, usize, usize, usize, String) {
    let board = parse(text).unwrap_or_else(|error| panic!("{text}\n{error}"));
    let (rows, columns) = board.extent().unwrap_or_default();
    let labels: Vec<_> = board.pairs().iter().map(|pair| pair.label.clone()).collect();
    (columns, rows, board.cells().len(), board.edges().len(), labels.join(" "))
}

#[test]
fn grids_of_characters() {
    assert_eq!(outline("A.B\n...\nA.B\n"), (3, 3, 9, 12, "A B".into()));
    // Upper and lower case differ, and so do all other characters.
    assert_eq!(outline("aA_\n#+#\n_+A\na.."), (3, 4, 12, 17, "a A _ # +".into()));
    assert_eq!(outline("é.α\né.α"), (3, 2, 6, 7, "é α".into()));
    // Blanks are blank cells; lost blanks at the ends of rows come back.
    assert_eq!(outline("A  B\n\u{20}\u{20}\u{20}\nA  B\n"), (4, 3, 12, 17, "A B".into()));
    assert_eq!(outline("A.B   \n...\nA.B  \n"), (3, 3, 9, 12, "A B".into()));
    assert_eq!(outline("\u{feff}AA\r\n"), (2, 1, 2, 1, "A".into()));
}

#[test]
fn grids_of_tokens() {
    assert_eq!(outline("12 . 3\n.  . .\n12 . 3"), (3, 3, 9, 12, "12 3".into()));
    assert_eq!(outline("1 - 1\n2 - 2"), (3, 2, 6, 7, "1 2".into()));
    assert_eq!(outline("1 2\n1 2"), (2, 2, 4, 4, "1 2".into()));
    assert_eq!(outline("A . B\n# . .\nA . B"), (3, 3, 8, 9, "A B".into()));
}

#[test]
fn files_of_many_boards() {
    let text = "# two boards\n3 1\nA.A\n\n# another\n2 2\nAB\nAB\n0 0\n";
    let levels = Board::read(text, &options(&[])).unwrap();
    let sizes: Vec<_> = levels.iter().map(|l| l.puzzle.as_ref().unwrap().cells().len()).collect();
    assert_eq!(sizes, [3, 4]);
    assert_eq!(levels[1].line, 6);
    for level in &levels {
        assert_eq!(parse(&level.text).as_ref(), level.puzzle.as_ref());
    }
    assert_eq!(outline("3 2\nA . A\nB . B\nWALL 0,1 1,1\n"), (3, 2, 6, 6, "A B".into()));
    // One broken board leaves the others readable.
    let levels = Board::read("2 1\nAB\n2 1\nAA\n", &options(&[])).unwrap();
    assert!(levels[0].puzzle.is_err() && levels[1].puzzle.is_ok());
}

#[test]
fn directives() {
    let text =
        "A...\n....\n...A\nB..B\nWALL 0,0 0,1\nHOLE 1,0 // none here\nLINK 0,0 3,0\nBRIDGE 1,2\n";
    assert_eq!(outline(text), (4, 4, 15, 24 - 1 - 3 + 1, "A B".into()));
    let board = parse(text).unwrap();
    assert_eq!(board.nodes(), 16);
    assert_eq!(outline("A..A\nB..B\nWARP all\n").3, 10 + 2);
    assert_eq!(outline("A..A\nB..B\nWARP row 1\n").3, 10 + 1);
    assert_eq!(outline("...\n...\nPAIR 12 0,0 1,2").4, "12");
    // Found by fuzzing: a label that looks like a comment.
    for label in ["//", "A//", "//A"] {
        let board = parse(&format!("...\n...\nPAIR {label} 0,0 1,2// the only one\n")).unwrap();
        assert_eq!(board.pairs()[0].label, label);
        assert_eq!(parse(&board.print()).as_ref(), Ok(&board));
    }
    assert_eq!(outline("..\n..\n..\nPAIR A 0,0 2,0\nSEAM 0,1 2,1 U D").3, 8);
}

#[test]
fn drawings() {
    let bridges = "BRIDGES\n  A-B-C\n  | | |\nA-.-.-.-C\n| | | | |\nD-.-*-.-D\n| | | | |\nE-.-B-.-E\n  | | |\n  .-.-.";
    let board = parse(bridges).unwrap();
    assert_eq!((board.cells().len(), board.nodes(), board.pairs().len()), (21, 22, 5));
    let warps = "WARPS\n  A-.-A\n  | | |\nB-C-.-C-B-.-\n  | | |\n  D-.-D";
    assert_eq!(outline(warps), (6, 3, 12, 2 + 3 + 6 + 3 + 2, "A B C D".into()));
    let hex = "HEX\n  A   B\n /|\\ /|\\\nC-.-.-.-D\n|/|\\|/|\\|\n.-A-C-B-D";
    let board = parse(hex).unwrap();
    assert_eq!(board.shape(), Shape::Hex { odd_low: true });
    assert_eq!((board.cells().len(), board.edges().len()), (12, 6 + 4 + 9 + 4));
    assert!(board.is_planar());
    assert_eq!(parse(&hex.replace("A-C", "A C")).unwrap().edges().len(), 22);
    let low = "HEX\nA-.\n|\\|\n.-A";
    assert_eq!(parse(low).unwrap().shape(), Shape::Hex { odd_low: false });
}

#[test]
fn graphs() {
    let text = r#"{"nodes": ["n", "e", "s", "w", "x", 7], "pairs": [["n", "s"], ["w", "e", "ö"]],
        "edges": [["n", "x"], ["s", "x"], ["w", "x"], ["e", "x"], ["n", 7]],
        "bridges": [{"node": "x", "lanes": [["n", "s"], ["w", "e"], [7, "w"]]}],
        "cover": false, "touch": "never"}"#;
    let fault = parse(text).unwrap_err();
    assert_eq!(fault.message, "7 is on a lane of the bridge at x but no neighbour");
    let text = text.replace(", [7, \"w\"]", "");
    let board = parse(&text).unwrap();
    assert_eq!((board.nodes(), board.edges().len(), board.cover()), (7, 5, false));
    assert_eq!(board.touch(), Touch::Never);
    assert_eq!(parse(&board.print()).unwrap(), board);
}

#[test]
fn addresses() {
    let board = parse("https://puzz.link/p?numlin/6/6/j4h14m2n2h133k").unwrap();
    assert_eq!((board.touch(), board.cover()), (Touch::Allow, false));
    let grid = "....4.\n.14...\n....2.\n......\n.2..13\n3.....\n";
    assert_eq!(board.print().split_once("\n\n").unwrap().1, grid);
    assert_eq!(outline("http://pzv.jp/p.html?numlin/2/2/-10h-10").4, "16");
    let rules = |given: &[(&'static str, &'static str)]| {
        let board = Board::parse("numlin/2/1/11", &options(given)).unwrap();
        (board.touch(), board.cover())
    };
    assert_eq!(rules(&[("touch", "never"), ("cover", "yes")]), (Touch::Never, true));
    // So it was before each format brought its rules.
    assert_eq!(rules(&[("touch", "file"), ("cover", "file")]), (Touch::Auto, true));
    let open = parse("https://puzz.link/p?numlin/2/2/.h1").unwrap_err();
    assert_eq!((open.line, open.column), (1, 32));
    assert_eq!(Board::read("numlin/2/1/11\nnumlin/1/2/11\n", &options(&[])).unwrap().len(), 2);
}

#[test]
fn headers_and_options() {
    let text = "title: small\nshape: square\ntouch: never\ncover: no\n\nA+.\n#.A\n";
    let level = Board::read(text, &options(&[])).unwrap().remove(0);
    assert_eq!(level.title.as_deref(), Some("small"));
    assert!(level.puzzle.is_err(), "a bridge at the rim has lanes with one end");
    let text = text.replace('+', ".");
    let board = parse(&text).unwrap();
    assert_eq!((board.touch(), board.cover(), board.cells().len()), (Touch::Never, false, 5));
    let board = Board::parse(&text, &options(&[("touch", "auto"), ("cover", "yes")])).unwrap();
    assert_eq!((board.touch(), board.cover()), (Touch::Auto, true));
    assert_eq!(board.readings().len(), 2);
}

#[test]
fn faults_name_the_place_and_the_way_out() {
    let cases = [
        ("A.B\nA..", 1, 3, "the label B stands on one cell only"),
        ("AA\nA.", 2, 1, "the label A stands on 3 cells: (1,1) (1,2) (2,1)"),
        ("A.\n.\u{202e}", 2, 2, "the character U+202E cannot be in a label"),
        ("A  x\u{200b}\n.  .", 1, 4, "the character U+200B cannot be in a label"),
        ("A\x1b\nA.", 1, 2, "the character U+001B cannot be in a label"),
        ("A.A\n..", 2, 3, "this row has 2 cells, the first row has 3"),
        ("3 2\nA.A\n", 1, 1, "1 rows follow, not 2"),
        ("3 1\nA.AA\n", 2, 4, "this row has 4 cells, the board is 3 wide"),
        ("A.A\nWALL 0,0 0,2", 2, 0, "not neighbours"),
        ("A.A\nWALL 0;0 0,1", 2, 6, "`0;0` is no place"),
        ("A.A\nHOLE 0,0", 2, 0, "terminus of A"),
        ("A.A\nBRIDGE 0,0", 1, 1, "is a bridge"),
        ("touch: maybe\n\nA.A", 1, 0, "cannot be `maybe`"),
        ("STANDARD\nA-.A", 2, 4, "`A` cannot stand here"),
        ("STANDARD\nA-. B\n| |  \n.-.-A", 2, 5, "one cell only"),
        ("...\n...", 1, 0, "at least one pair"),
        ("{\"pairs\": [}", 1, 12, "expected value"),
        ("{\"pairs\": [], \"nodes\": [], \"edges\": [], \"colour\": 1}", 0, 0, "no key `colour`"),
    ];
    for (text, line, column, message) in cases {
        let fault = parse(text).unwrap_err();
        assert!(fault.message.contains(message), "{text}\n{fault}");
        assert_eq!((fault.line, fault.column), (line, column), "{text}\n{fault}");
    }
}

/// Neither the size that an address claims nor one long row among many short ones takes memory.
#[test]
fn large_boards_are_refused_before_they_are_made() {
    let claimed = "https://puzz.link/p?numlin/1024/1024/1z1\n";
    let one_long_row = format!("A{}B\n{}", " ".repeat(29_998), ".\n".repeat(30_000));
    let faults = [(claimed, "22 cells, not 1024 x 1024"), (&one_long_row, "30000 x 30001 cells")];
    for (text, fault) in faults {
        let levels = Board::read(text, &options(&[])).unwrap();
        let error = levels[0].puzzle.as_ref().expect_err("no board");
        assert!(error.to_string().contains(fault), "{error}");
    }
}

/// Every text is read as a board when it is asked what it may be.
#[test]
fn a_large_text_of_another_game_is_refused_at_its_third_wall() {
    let levels = Board::read(&"#####\n#@$.#\n#####\n".repeat(20_000), &options(&[])).unwrap();
    let error = levels[0].puzzle.as_ref().expect_err("no board");
    assert_eq!((error.line, error.column), (1, 3), "{error}");
}

#[test]
fn the_builder_refuses_what_cannot_be_a_board() {
    assert!(Builder::square(0, 3).is_err());
    assert!(Builder::square(100_000, 100_000).is_err());
    let start = || Builder::square(3, 3).unwrap();
    assert!(start().build().is_err(), "no pair");
    assert!(start().pair("A", (0, 0), (0, 0)).is_err(), "one cell twice");
    assert!(start().pair("A B", (0, 0), (0, 1)).is_err(), "white space in a label");
    assert!(start().pair("A", (0, 0), (3, 0)).is_err(), "no such cell");
    assert!(start().wall((0, 0), (1, 1)).is_err());
    assert!(start().link((0, 0), (0, 0)).is_err());
    assert!(Builder::hex(3, 3).unwrap().warp_row(0).is_err());
    let bridge = |place| start().pair("A", (0, 0), (2, 2)).unwrap().bridge(place).unwrap().build();
    assert!(bridge((1, 1)).is_ok());
    assert!(bridge((0, 1)).is_err(), "a lane with one end");
    assert!(bridge((0, 0)).is_err(), "a terminus");
    assert!(Builder::graph().cell("a").unwrap().cell("a").is_err());
}

#[test]
fn bridges_of_hexagons_have_three_lanes() {
    let mut builder = Builder::hex(3, 3).unwrap();
    let board = builder.bridge((1, 1)).unwrap().pair("A", (0, 0), (2, 2)).unwrap().build().unwrap();
    assert_eq!(board.nodes(), 9 + 2);
    assert_eq!(parse(&board.print()).unwrap(), board);
}

const BOARD: &str = "touch: allow\n\nA.B\n...\nA.B";

fn judge(rules: &str, solution: &str) -> Result<(), &'static str> {
    let board = parse(rules).unwrap();
    let solution = board.read_solution(solution).unwrap();
    board.check(&solution).map(drop).map_err(|violation| violation.rule)
}

#[test]
fn the_judge_walks_the_paths() {
    let bend = "B: 0,2 1,2 2,2\nA: 2,0 2,1 1,1 0,1 0,0 1,0";
    assert_eq!(judge(BOARD, bend), Err("ends"));
    let good = "A: 0,0 0,1 1,1 1,0 2,0\nB: 0,2 1,2 2,2";
    assert_eq!(judge(BOARD, good), Err("cover"));
    let without = BOARD.replace("allow", "allow\ncover: no");
    assert_eq!(judge(&without, good), Ok(()));
    assert_eq!(judge(&without.replace("allow", "never"), good), Err("touch"));
    assert_eq!(judge(&without, "A: 0,0 1,0 2,0\nB: 0,2 1,2 2,2\nB: 0,2 1,2 2,2"), Err("pairs"));
    assert_eq!(judge(&without, "A: 0,0 1,0 2,0"), Err("pairs"));
    assert_eq!(judge(&without, "A: 0,0 1,0 2,0\nC: 0,2 1,2 2,2"), Err("pairs"));
    assert_eq!(judge(&without, "A: 0,0 2,0\nB: 0,2 1,2 2,2"), Err("neighbours"));
    assert_eq!(judge(&without, "A: 0,0 1,0 1,1 1,2 1,1 1,0 2,0\nB: 0,2 1,2 2,2"), Err("meet"));
    assert_eq!(judge(&without, "A: 0,0 1,0 1,1 1,2 2,2\nB: 0,2 1,2 2,2"), Err("ends"));
    let all = "A: 2,0 2,1 1,1 0,1 0,0";
    assert_eq!(judge(&BOARD.replace("A.B\n...\nA.B", "A..\n...\nA.."), all), Err("cover"));
    let board = parse(BOARD).unwrap();
    assert_eq!(board.read_solution("A 0,0").unwrap_err().column, 1);
    assert_eq!(board.read_solution("A: 0,0 9,9").unwrap_err().column, 8);
}

#[test]
fn paths_cross_on_bridges_and_do_not_turn_there() {
    let text = "shape: square\ncover: no\n\n.A.\nB+B\n.A.";
    assert_eq!(judge(text, "A: 0,1 1,1 2,1\nB: 1,0 1,1 1,2"), Ok(()));
    let text = "shape: square\ncover: no\n\nA..\n.+.\n..A";
    assert_eq!(judge(text, "A: 0,0 0,1 1,1 1,2 2,2"), Err("lane"));
    assert_eq!(judge(text, "A: 0,0 0,1 1,1 2,1 2,2"), Ok(()));
}

#[test]
fn pictures() {
    let text =
        "shape: square\ntouch: never\n\n.A.\nB+B\n.A.\nHOLE 0,0\nHOLE 0,2\nHOLE 2,0\nHOLE 2,2\n";
    let board = parse(text).unwrap();
    let solution = board.read_solution("A: 0,1 1,1 2,1\nB: 1,0 1,1 1,2").unwrap();
    assert_eq!(board.check(&solution), Ok(Tally::default()));
    assert_eq!(board.picture(Some(&solution), Style::Plain).unwrap(), "#A#\nB+B\n#A#\n");
    let tubes = board.picture(Some(&solution), Style::Unicode { color: false }).unwrap();
    assert_eq!(tubes, "    A\n  B─┼─B\n    A\n");
    let board = parse("A.B\n...\nA.B\nWALL 0,1 1,1").unwrap();
    let solution = board.read_solution("A: 0,0 1,0 2,0\nB: 0,2 1,2 2,2").unwrap();
    let tubes = board.picture(Some(&solution), Style::Unicode { color: false }).unwrap();
    assert_eq!(tubes, "  A · B\n  │ ━ │\n  │ · │\n  │   │\n  A · B\n");
    let svg = board.picture(Some(&solution), Style::Svg).unwrap();
    assert_eq!(svg.matches("<line").count(), 4 + 1);
}

#[test]
fn letters_show_the_steps_of_paths_that_touch_themselves() {
    let board = parse("A.\nA.").unwrap();
    let solution = board.read_solution("A: 0,0 0,1 1,1 1,0").unwrap();
    assert_eq!(board.picture(Some(&solution), Style::Plain).unwrap(), "  A-A\n    |\n  A-A\n");
    let hex = parse("HEX\nA-.\n|/|\n.-A").unwrap();
    let solution = hex.read_solution("A: 0,0 1,0 0,1 1,1").unwrap();
    assert_eq!(hex.picture(Some(&solution), Style::Plain).unwrap(), "  A A\n  |/|\n  A A\n");
}

#[test]
fn samples_have_every_feature_and_print_as_they_are() {
    let boards: Vec<_> = (0..600).map(Board::sample).collect();
    for board in &boards {
        let text = board.print();
        let again = parse(&text).unwrap_or_else(|error| panic!("{text}\n{error}"));
        assert_eq!((&again, again.print()), (board, text.clone()), "{text}");
        for style in [Style::Plain, Style::Unicode { color: true }, Style::Svg] {
            assert!(board.picture(None, style).is_some());
        }
    }
    let count = |what: &dyn Fn(&Board) -> bool| boards.iter().filter(|board| what(board)).count();
    assert!(count(&|b| b.shape() == Shape::Graph) > 30);
    assert!(count(&|b| matches!(b.shape(), Shape::Hex { .. })) > 30);
    assert!(count(&|b| b.cells().iter().any(Cell::is_bridge)) > 30);
    assert!(count(&|b| !print::walls(b).is_empty()) > 30);
    assert!(count(&|b| b.shape() == Shape::Square && b.print().contains("WARP")) > 10);
    assert!(count(&|b| b.print().contains("LINK")) > 10);
    assert!(count(&|b| !b.cover()) > 60);
}

#[test]
fn drafts_come_with_a_solution_that_does_not_touch() {
    let plain = generate::Recipe::plain(7, 6, 5);
    let recipes = [
        generate::Recipe { hex: true, holes: 2, ..plain.clone() },
        generate::Recipe { warps: true, bridges: 2, walls: 4, ..plain.clone() },
        plain,
    ];
    for recipe in recipes {
        let drafts: Vec<_> =
            (0..12).filter_map(|seed| generate::draft(&recipe, seed, &|| true).unwrap()).collect();
        assert!(drafts.len() >= 4, "{recipe:?}: {}", drafts.len());
        for (board, solution) in drafts {
            assert_eq!(board.pairs().len(), 5);
            let verdict = board.under(Touch::Never, true).check(&solution);
            assert_eq!(verdict, Ok(Tally::default()), "{}\n{solution}", board.print());
        }
    }
    let again = generate::Recipe::plain(5, 5, 4);
    assert_eq!(generate::draft(&again, 3, &|| true), generate::draft(&again, 3, &|| true));
}

fn arbitrary_text() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        "[A-D.# +]{0,6}",
        "[0-9]{1,2} [0-9]{1,2}",
        "(WALL|HOLE|BRIDGE|LINK|SEAM|WARP|PAIR)( [0-4],[0-4]| row| col| all| A){0,4}",
        "(shape|touch|cover|title): ?(square|hex|never|allow|no|x)",
        "(STANDARD|BRIDGES|HEX|WARPS)",
        r"[A-C.*]([-A. ][A-C.* ]){0,4}-?",
        r"[|/\\ X]{0,9}",
        "p.numlin/[0-9]/[0-9]/[0-9a-z.+-]{0,12}",
        ".{0,8}",
    ];
    prop::collection::vec(line, 0..8).prop_map(|lines| lines.join("\n"))
}

fn arbitrary_graph() -> impl Strategy<Value = String> {
    let name = "[a-d]";
    let two = (name, name).prop_map(|(a, b)| format!("[\"{a}\",\"{b}\"]"));
    let list = prop::collection::vec(two, 0..6).prop_map(|items| items.join(","));
    (list.clone(), list.clone(), list).prop_map(|(edges, pairs, lanes)| {
        format!(
            "{{\"nodes\":[\"a\",\"b\",\"c\",\"d\"],\"edges\":[{edges}],\"pairs\":[{pairs}],\
             \"bridges\":[{{\"node\":\"a\",\"lanes\":[{lanes}]}}]}}"
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_text_panics_and_what_is_read_prints_as_it_is(
        text in prop_oneof![3 => arbitrary_text(), 1 => arbitrary_graph(), 1 => any::<String>()]
    ) {
        for level in Board::read(&text, &options(&[])).unwrap_or_default() {
            if let Ok(board) = level.puzzle {
                let printed = board.print();
                let again = parse(&printed).map_err(|e| TestCaseError::fail(format!("{printed}\n{e}")))?;
                prop_assert_eq!(&again, &board, "{}", printed);
                prop_assert_eq!(again.print(), printed);
            }
        }
    }

    #[test]
    fn no_solution_text_panics(seed in 0..50u64, text in "([Ab1:0-4,n \n]{0,30})|.{0,20}") {
        let board = Board::sample(seed);
        if let Ok(solution) = board.read_solution(&text) {
            let written = solution.to_string();
            prop_assert_eq!(board.read_solution(&written).unwrap(), solution.clone());
            for style in [Style::Plain, Style::Unicode { color: true }, Style::Svg] {
                board.picture(Some(&solution), style);
            }
            let _verdict = board.check(&solution);
        }
    }
}
