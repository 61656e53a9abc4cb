//! Games whose rules stand in the file: a collection of levels, some of them without clauses.

use super::{TestFolder, own};
use std::fs;

/// A folder with an own game under a name that says nothing of it.
fn with_game(name: &str) -> TestFolder {
    let place = TestFolder::new();
    let text = fs::read_to_string(own(&format!("puzzlescript/{name}.puzzlescript")));
    place.write("game.txt", &text.expect("an own game"));
    place
}

#[test]
fn a_game_is_a_collection_known_by_its_sections() {
    let place = with_game("push");
    let table = place.run("solve game.txt").ends(20).says("moves/changes");
    table.says("4 levels: 3 solved (all optimal), 1 unsolvable");
    assert_eq!(place.objects("list game.txt", 0).len(), 4);
    let levels = place.objects("solve game.txt -q", 20);
    let verdicts = levels.iter().filter_map(|level| level["verdict"].as_str());
    assert_eq!(verdicts.collect::<Vec<_>>(), ["solved", "solved", "solved", "unsolvable"]);
    let facts = &place.object("list game.txt -l 2", 0)["facts"];
    assert_eq!((&facts["game"], &facts["width"]), (&"Push".into(), &6.into()));
    place.run("replay game.txt rrr -l 1").ends(0).says("valid: solved in 3 moves and 2 changes");
    place.run("replay game.txt rrx -l 1").ends(1).says("`x` is not possible here");
}

/// What a game is asked beside a solution.
#[test]
fn questions_are_answered_in_the_game_s_words() {
    let place = with_game("push");
    for (question, answer) in [
        ("hint game.txt -l 2 --degree move", "crate (3,3) to crate (2,3)"),
        ("diagnose game.txt u -l 3", "move"),
        ("enumerate game.txt -l 2", "there is only one shortest solution (8 moves)"),
        ("forced game.txt -l 2", "all shortest solutions make these 4 changes"),
        ("difficulty game.txt -l 2", "choices"),
        ("needed game.txt -l 2", "rule of line 78    unsolvable without it"),
        ("needed game.txt -l 4 --kind condition", "condition of line 84"),
    ] {
        place.run(question).ends(0).says(answer);
    }
    place.run("solve game.txt -l 2 --forbid 'cell 4,5'").ends(20);
    place.run("explain game.txt -l 4").ends(2).complains("puzzlescript has none");
}

#[test]
fn what_needs_clauses_is_refused_with_the_line_of_a_rule() {
    let place = with_game("slide");
    let reason = "the rule of line 77 asks for another tick (again)";
    for command in [
        "solve game.txt -l 1 --engine sat",
        "solve game.txt -l 1 --backend varisat",
        "solve game.txt -l 1 --defining-only",
        "prove game.txt -l 1 --evidence horizon -o x",
        "prove game.txt -l 1 --lrat -o x",
        "export game.txt -l 1 --format dimspec -o x",
        "export game.txt -l 1 --horizon 3 -o x",
    ] {
        place.run(command).ends(2).complains(reason);
        assert!(!place.has("x"), "{command}");
    }
    let known = "it has: moves pushes any";
    place.run("solve game.txt -l 1 --objective moves,pushes").ends(2).complains(known);
    let counted = "a step is a move, and changes are counted";
    place.run("solve game.txt -l 1 --objective pushes --engine sat").ends(2).complains(counted);
}

/// What clauses are for, on a game that has them.
#[test]
fn clauses_solve_and_prove() {
    let place = with_game("push");
    place.run("solve game.txt -l 2 --engine sat").ends(0).says("8 moves");
    place.run("solve game.txt -l 3 --engine sat --backend varisat --defining-only").ends(0);
    place.run("prove game.txt -l 2 --evidence horizon -o optimal -q").ends(0);
    place.run("prove game.txt -l 4 --evidence invariant -o lost -q").ends(20);
    place.run("prove game.txt -l 1 --bound never --lrat -o closed -q").ends(0);
    for folder in ["optimal", "lost", "closed"] {
        place.run(&format!("check {folder}")).ends(0);
    }
    place.run("export game.txt -l 2 --format dimspec -o steps").ends(0);
}

#[test]
fn games_of_chance_are_refused_with_their_line() {
    let place = TestFolder::new();
    let text = fs::read_to_string(own("puzzlescript/push.puzzlescript")).expect("an own game");
    let rule = "[ > Player | Crate ] ->";
    let line = text.lines().position(|it| it.starts_with(rule)).expect("its rule") + 1;
    place.write("chance.txt", &text.replace(rule, &format!("random {rule}")));
    place.run("solve chance.txt").ends(2).complains(&format!("chance.txt:{line}:"));
}

#[test]
fn levels_are_proved_and_drawn() {
    let place = with_game("push");
    place.run("prove game.txt -l 2 -o optimal -q").ends(0);
    place.run("prove game.txt -l 4 -o lost -q").ends(20);
    for folder in ["optimal", "lost"] {
        place.run(&format!("check {folder}")).ends(0);
    }
    let list = place.read("lost/closed-set.txt");
    place.write("lost/closed-set.txt", &list.replacen("entries 5", "entries 4", 1));
    place.run("check lost").ends(1);
    place.run("solve game.txt -l 2 -q --svg e.svg --png e.png --film e.gif").ends(0);
    // The crates have the colour that the game gives them.
    assert!(place.read("e.svg").contains("#eb8931"));
    for (file, begins) in [("e.png", &b"\x89PNG"[..]), ("e.gif", b"GIF8")] {
        assert!(fs::read(place.path(file)).expect("written").starts_with(begins), "{file}");
    }
    place.run("solve game.txt -l 2 --html e.html").ends(0);
    assert!(place.read("e.html").contains("#eb8931"));
}
