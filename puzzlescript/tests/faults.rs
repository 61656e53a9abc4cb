//! What is refused, and where.

use super::texts::text;
use crate::Game;
use crate::error::ParseError;

fn fault(text: &str) -> ParseError {
    match Game::read(text) {
        Ok(_) => panic!("this is a game:\n{text}"),
        Err(error) => error,
    }
}

/// The fault of a game in which one line of [`text`] is another: column and message.
fn fault_of(old: &str, new: &str) -> (usize, String) {
    let text = text("", "[ > Player | Crate ] -> [ > Player | > Crate ]", "no crate", "P*.");
    let changed = text.replacen(old, new, 1);
    assert_ne!(text, changed, "{old:?} is not in the game");
    let error = fault(&changed);
    // Only faults of the text as a whole have no place.
    let line = changed.lines().position(|line| line.contains(new));
    if error.line > 0 && error.column > 0 && new.lines().count() == 1 {
        assert_eq!(Some(error.line), line.map(|line| line + 1), "{error}");
    }
    (error.column, error.message)
}

#[test]
fn faults_have_their_place() {
    let cases = [
        ("\nOBJECTS", "colour blue\nOBJECTS", 1, "no setting"),
        ("Crate\nbrown", "Crate\nbrownish", 6, "colour"),
        ("Target\nblue", "Crate\nblue", 1, "in use"),
        ("* = Crate", "* == Crate", 4, "name is expected"),
        ("* = Crate", "* Crate", 3, "`=` is expected"),
        ("* = Crate", "* = Crote", 5, "no object called `crote`"),
        ("* = Crate", "* = Crate and", 11, "ends with `and`"),
        ("Solid = Wall or Crate", "Solid = Wall or Solid", 17, "in terms of itself"),
        ("* = Crate", "* = Crate or Red and Blue", 18, "cannot be mixed"),
        ("Q = Player and Red", "R = Player and Solid", 1, ""),
        ("@ = Crate and Target", "@ = Crate and Wall", 0, "one layer"),
        ("SOUNDS\n", "SOUNDS\nCrate jump 12", 7, "move, action"),
        ("Player, Wall, Crate", "Player, Wall; Crate", 13, "commas"),
        ("Player, Wall, Crate", "Player, Wall", 0, "in no collision layer"),
        ("Player, Wall, Crate", "Background, Player, Wall, Crate", 13, "layer of its own"),
        ("[ > Player | Crate ] ->", "[ > Player | Create ] ->", 14, "no object called `create`"),
        ("[ > Player | Crate ] ->", "[ > > Player | Crate ] ->", 5, "at a time"),
        ("[ > Player | Crate ] ->", "[ > | Crate ] ->", 3, "needs an object"),
        ("[ > Player | Crate ] ->", "> [ > Player | Crate ] ->", 1, ""),
        ("[ > Player | Crate ] ->", "late [ > Player | Crate ] ->", 8, "late rules"),
        ("[ > Player | Crate ] ->", "+ [ > Player | Crate ] ->", 1, "there is none"),
        ("[ > Player | Crate ] -> [", "[ > Player | Crate ] [", 0, "arrow"),
        ("[ > Player | Crate ] ->", "[ > Player | Crate | ] ->", 0, "same number of cells"),
        ("[ > Player | Crate ] ->", "[ > Player Crate | Crate ] ->", 0, "one layer"),
        ("Crate\nbrown", "constructor\nbrown", 1, "`constructor` cannot be a name"),
        ("* = Crate", "__proto__ = Crate", 1, "`__proto__` cannot be a name"),
        ("no crate", "no create", 4, "no object called `create`"),
        ("no crate", "none crate", 1, "begins with"),
        ("no crate", "no crate at target", 10, "ON is expected"),
        ("P*.", "P*x", 3, "not in the legend"),
    ];
    for (old, new, column, message) in cases {
        let (found, text) = fault_of(old, new);
        if !message.is_empty() {
            assert!(text.contains(message), "{new}: {text}");
            assert_eq!(found, column, "{new}: {text}");
        }
    }
}

/// The engine has line feeds for ends of lines, and so this is a game of one line.
#[test]
fn carriage_returns_alone_end_no_line() {
    let game = text("", "", "no crate", "P*.");
    let error = fault(&game.replace('\n', "\r"));
    assert!(error.message.contains("carriage returns alone"), "{error}");
    assert!(Game::read(&game.replace('\n', "\r\n")).is_ok());
}

#[test]
fn what_depends_on_chance_is_refused() {
    let at = |rules: &str| fault(&text("", rules, "no crate", "P*."));
    for rules in [
        "random [ Crate ] -> [ Red ]",
        "[ Crate ] -> [ random Paint ]",
        "[ Crate ] -> [ randomdir Crate ]",
    ] {
        assert!(at(rules).message.contains("chance"), "{rules}: {}", at(rules));
    }
}

#[test]
fn what_cannot_be_asked_is_told() {
    let game = |settings, rules, conditions| {
        Game::read(&text(settings, rules, conditions, "P*.")).expect("a game")
    };
    assert!(game("", "", "no crate").refusal().is_none());
    assert!(game("", "late [ Crate Target ] -> win", "").refusal().is_none());
    let reason = game("", "", "").refusal().expect("a reason");
    assert!(reason.message.contains("cannot be won"), "{reason}");
    let reason = game("title A\nrealtime_interval 0.5", "", "no crate").refusal();
    assert_eq!(reason.expect("a reason").line, 2);
}

#[test]
fn other_dialects_are_named() {
    let error = fault(&text("case_sensitive", "", "no crate", "P*."));
    assert!(error.message.contains("PuzzleScript Plus"), "{error}");
}

#[test]
fn large_claims_are_refused() {
    let wide = format!("{}\n{}", ".".repeat(3000), ".\n".repeat(3000));
    let error = fault(&text("", "", "no crate", &wide));
    assert!(error.message.contains("cells"), "{error}");
    // Each of these words stands for several directions, for each of its cells again.
    let cells = ["moving Player"; 9].join(" | ");
    let error = fault(&text("", &format!("[ {cells} ] -> [ {cells} ]"), "no crate", "P*."));
    assert!(error.message.contains("too many rules"), "{error}");
    let layers = "Crate\n".repeat(5000);
    let many = text("", "", "no crate", "P*.")
        .replace("COLLISIONLAYERS\n", &format!("COLLISIONLAYERS\n{layers}"));
    assert!(fault(&many).message.contains("too many"));
    let name = "long".repeat(100);
    let named =
        text("", "", "no crate", "P*.").replace("\nTarget\n", &format!("\nTarget {name}\n"));
    assert!(fault(&named).message.contains("name"));
    let long = ["no Crate"; 5000].join(" ");
    let error = fault(&text("", &format!("[ {long} ] -> [ ]"), "no crate", "P*."));
    assert!(error.message.contains("words"), "{error}");
}

#[test]
fn a_misspelt_heading_is_named() {
    let game = text("", "[ > Player | Crate ] -> [ > Player | > Crate ]", "no crate", "P*.");
    for (heading, typos) in [
        ("LEVELS", &["LEVLES", "LEVEL", "lvels"][..]),
        ("WINCONDITIONS", &["WINCONDITION", "WIN CONDITIONS"]),
        ("RULES", &["RULSE", "RULE"]),
        ("COLLISIONLAYERS", &["COLLISIONLAYER", "COLISIONLAYERS"]),
        ("SOUNDS", &["SOUND"]),
        ("LEGEND", &["LEGNED"]),
        ("OBJECTS", &["OBJECT"]),
    ] {
        for typo in typos {
            let wrong = game.replace(heading, typo);
            let error = fault(&wrong);
            let line = 1 + wrong.lines().position(|line| line == *typo).expect("it is there");
            let help = format!("did you mean `{heading}`?");
            assert_eq!((error.line, error.help.as_deref()), (line, Some(&*help)), "{error}");
            assert!(error.message.contains(typo), "{error}");
        }
    }
    // Words that are not near are no headings.
    let error = fault(&game.replace("WINCONDITIONS", "GOALS"));
    assert!(!error.message.contains("GOALS") || error.help.is_none(), "{error}");
}
