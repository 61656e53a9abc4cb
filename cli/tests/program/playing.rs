//! `unstuck play` through a pseudo-terminal: keys go in, and what a person sees comes out.

use crate::store_folder::signal;
use crate::test_folder::TestFolder;
use crate::wait::comes;
use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::path::Path;
use std::sync::{Arc, Mutex};

const CORNER: &str = "#######\n#     #\n# $@  #\n# ##  #\n#   . #\n#######\n";

/// The program in a terminal of 80 by 24.
struct Terminal {
    master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    seen: Arc<Mutex<vt100::Parser>>,
}

impl Terminal {
    fn start(folder: &Path, line: &str) -> Self {
        let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("a pseudo-terminal");
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_unstuck"));
        command.args(line.split(' '));
        command.cwd(folder);
        command.env("TERM", "xterm-256color");
        command.env_remove("NO_COLOR");
        let child = pair.slave.spawn_command(command).expect("the program runs");
        let mut output = pair.master.try_clone_reader().expect("a reader");
        let [rows, columns] = [24, 80].map(|side| NonZeroU16::new(side).expect("not zero"));
        let seen = Arc::new(Mutex::new(vt100::Parser::new(rows, columns, 0)));
        let screen = seen.clone();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(read @ 1..) = output.read(&mut bytes) {
                screen.lock().expect("no panic").process(&bytes[..read]);
            }
        });
        let keys = pair.master.take_writer().expect("a writer");
        Self { master: pair.master, keys, child, seen }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("keys are taken");
        self.keys.flush().expect("keys are taken");
    }

    fn text(&self) -> String {
        self.seen.lock().expect("no panic").screen().contents()
    }

    /// Waits until something is shown.
    fn shows(&self, what: &str) {
        self.until(what, |screen| screen.contents().contains(what));
    }

    fn until(&self, what: &str, is_so: impl Fn(&vt100::Screen) -> bool) {
        let shown = comes(|| is_so(self.seen.lock().expect("no panic").screen()));
        assert!(shown, "never shown: {what}\n{}", self.text());
    }

    /// Waits for the end; the terminal must be as it was.
    fn ends(mut self) -> (ExitStatus, String) {
        let status = self.child.wait().expect("it ends");
        self.until("the screen from before", |screen| {
            !screen.alternate_screen() && !screen.hide_cursor()
        });
        let termios = self.master.get_termios().expect("settings");
        let settings = format!("{:?}", termios.local_flags);
        assert!(settings.contains("ICANON") && settings.contains("ECHO"), "{settings}");
        let text = self.text();
        (status, text)
    }
}

const UP: &str = "\x1b[A";
const DOWN: &str = "\x1b[B";
const RIGHT: &str = "\x1b[C";
const LEFT: &str = "\x1b[D";

#[test]
fn moves_are_made_taken_back_and_made_again() {
    let place = TestFolder::new().with("level.xsb", CORNER);
    let mut terminal = Terminal::start(place.folder.path(), "play level.xsb");
    terminal.shows("0 moves, 0 pushes");
    terminal.press(&[RIGHT, "d", UP].concat());
    terminal.shows("3 moves");
    terminal.press("s");
    terminal.press(LEFT);
    terminal.shows("rrudl");
    terminal.shows("5 moves");
    terminal.press("u");
    terminal.shows("4 moves");
    terminal.press("y");
    terminal.shows("5 moves");
    terminal.press("r");
    terminal.shows("0 moves");
    terminal.press("yy");
    terminal.shows("2 moves");
    terminal.press("q");
    let (status, text) = terminal.ends();
    assert!(status.success());
    assert!(text.contains("rr"), "without a file the moves are printed: {text}");
}

#[test]
fn help_comes_by_degrees_and_a_solution_step_by_step() {
    let place = TestFolder::new().with("level.xsb", CORNER);
    let mut terminal = Terminal::start(place.folder.path(), "play level.xsb");
    terminal.press("h");
    terminal.shows("it can be solved from here");
    terminal.press("h");
    terminal.shows("next: box (3,3)");
    assert!(!terminal.text().contains("(3,4)"), "no more than was asked for");
    terminal.until("the box is marked", |screen| {
        let ground = |column| screen.cell(3, column).map(vt100::Cell::bgcolor);
        // Each cell of the board has two columns.
        ground(4) == Some(vt100::Color::Idx(3)) && ground(5) == Some(vt100::Color::Idx(3))
    });
    terminal.press("h");
    terminal.shows("moves: ");
    terminal.press("h");
    terminal.shows("to the end: ");
    for _ in 0..30 {
        terminal.press("n");
    }
    terminal.shows("SOLVED");
    // The fatal move, as colours.
    terminal.press("r");
    terminal.shows("0 moves");
    terminal.press(LEFT);
    terminal.shows("1 move, 1 push");
    terminal.press("h");
    terminal.shows("it cannot be solved any more");
    terminal.press("c");
    terminal.until("the fatal move is red", |screen| {
        let cell = screen.cell(17, 0);
        cell.is_some_and(|it| it.contents() == "L" && it.fgcolor() == vt100::Color::Idx(1))
    });
    terminal.press("\x03");
    assert!(terminal.ends().0.success());
}

#[test]
fn a_game_is_saved_and_taken_up_again() {
    let place = TestFolder::new().with("level.xsb", CORNER).with("other.txt", "uuuu");
    let line = "play level.xsb --game game.txt";
    let mut terminal = Terminal::start(place.folder.path(), line);
    terminal.shows("0 moves");
    terminal.press(&[RIGHT, RIGHT].concat());
    terminal.shows("2 moves");
    terminal.press("\x13");
    terminal.shows("saved in game.txt");
    assert_eq!(place.read("game.txt"), "rr\n");
    terminal.press(DOWN);
    terminal.shows("3 moves");
    // A signal ends it as Ctrl-C does, with the game saved.
    signal(terminal.child.process_id().expect("it runs"), "-TERM");
    assert_eq!(terminal.ends().0.exit_code(), 30);
    assert_eq!(place.read("game.txt"), "rrd\n");
    let mut terminal = Terminal::start(place.folder.path(), line);
    terminal.shows("3 moves");
    terminal.press("uu");
    terminal.shows("1 move");
    terminal.press("q");
    assert!(terminal.ends().0.success());
    assert_eq!(place.read("game.txt"), "r\n");
    // A file that is no game of the level is reported, and stays as it is.
    let wrong = Terminal::start(place.folder.path(), "play level.xsb --game other.txt");
    wrong.shows("not a game of this level");
    assert_eq!(wrong.ends().0.exit_code(), 2);
    assert_eq!(place.read("other.txt"), "uuuu");
}

#[test]
fn paths_are_drawn_with_a_pen() {
    let place = TestFolder::new().with("board.flow", "A.A\nB.B\nC.C\n");
    let line = "play board.flow --game drawing.txt";
    let mut terminal = Terminal::start(place.folder.path(), line);
    terminal.shows("0 of 3 pairs joined");
    terminal.press(&[" ", RIGHT, DOWN].concat());
    terminal.shows("0 of 3 pairs joined, 3 of 9");
    terminal.press(DOWN);
    terminal.shows("0 of 3 pairs joined, 4 of 9");
    terminal.press("u");
    terminal.shows("0 of 3 pairs joined, 3 of 9");
    terminal.press("x");
    terminal.shows("0 of 3 pairs joined, 0 of 9");
    // Hints are deductions.
    terminal.press("hh");
    terminal.shows("look at ");
    terminal.press(&["\t", "\t"].concat());
    for _ in 0..20 {
        terminal.press("n");
    }
    terminal.shows("SOLVED");
    terminal.press("q");
    assert!(terminal.ends().0.success());
    let drawing = place.read("drawing.txt");
    assert!(drawing.contains("A: ") && drawing.contains("B: "), "{drawing}");
    let mut terminal = Terminal::start(place.folder.path(), line);
    terminal.shows("3 of 3 pairs joined, 9 of 9");
    terminal.press("q");
    terminal.ends();
}

#[test]
fn every_family_is_played() {
    let levels = crate::root().join("puzzles/levels");
    for level in [
        "sokoban/first-push.xsb",
        "snowman/first-snowman.snowman",
        "sokobond/first-bond.sokobond",
        "warehouse/first-box.warehouse",
        "flow/walls.txt",
        "flow/hexagons.txt",
        "flow/petersen.json",
        "flow/bridge.txt",
        "puzzlescript/push.puzzlescript",
    ] {
        let family = level.split('/').next().expect("a folder");
        let mut terminal = Terminal::start(&levels, &format!("play {level} --puzzle {family}"));
        terminal.shows("q leave");
        terminal.press("nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn");
        terminal.shows("SOLVED");
        terminal.press("q");
        assert!(terminal.ends().0.success(), "{level}");
    }
}

#[test]
fn an_action_key_is_played_where_a_game_has_one() {
    let levels = crate::root().join("puzzles/levels/puzzlescript");
    let mut terminal = Terminal::start(&levels, "play merge.puzzlescript -l 3");
    terminal.shows("0 moves, 0 changes");
    terminal.press("x");
    terminal.shows("1 move, 1 change");
    // There is no pond any more that could dry up.
    terminal.press(" ");
    terminal.shows("the action key does nothing here");
    terminal.press("uq");
    assert!(terminal.ends().0.success());
}

#[test]
fn a_collection_is_played_level_after_level() {
    let one = "#######\n#@ $ .#\n#######\n";
    let text = format!("{one}; one\n\n#####\n#@$\n; broken\n\n{one}; two\n");
    let place = TestFolder::new().with("all.xsb", &text);
    let mut terminal = Terminal::start(place.folder.path(), "play all.xsb");
    terminal.shows("1/2 one");
    terminal.press("d");
    terminal.shows("1 move");
    terminal.press("]");
    terminal.shows("2/2 two");
    terminal.press("dd");
    terminal.shows("2 moves");
    // What was done stays, and the last is followed by the first.
    terminal.press("]");
    terminal.shows("1/2 one");
    terminal.shows("1 move");
    terminal.press("[q");
    let (status, text) = terminal.ends();
    assert!(status.success() && text.contains("; one") && text.contains("; two"), "{text}");
    let terminal = Terminal::start(place.folder.path(), "play all.xsb --game g");
    terminal.shows("works on one level");
    assert_eq!(terminal.ends().0.exit_code(), 2);
}

#[test]
fn without_a_terminal_it_says_so() {
    let place = TestFolder::new();
    place.write("level.xsb", CORNER).run("play level.xsb").ends(2).complains("needs a terminal");
}

#[test]
fn the_keys_and_the_next_level_are_named() {
    let two = "; One\n\n#####\n#@$.#\n#####\n\n; Two\n\n######\n#@ $.#\n######\n";
    let place = TestFolder::new().with("two.sok", two);
    let mut terminal = Terminal::start(place.folder.path(), "play two.sok");
    terminal.shows("] next level");
    terminal.press("?");
    terminal.shows("Any key goes back");
    terminal.shows("rub a path out");
    terminal.press(RIGHT);
    terminal.shows("solved: ] is the next level");
    assert!(!terminal.text().contains("Any key goes back"));
    terminal.shows("? keys");
    terminal.press("]");
    terminal.shows("2/2 Two");
    terminal.shows("0 moves");
    assert!(!terminal.text().contains("next level"));
    terminal.press("?q");
    assert!(terminal.ends().0.success());
}

#[test]
fn a_game_with_rules_is_shown_in_its_letters_and_colours() {
    let place = TestFolder::new();
    let mut terminal = Terminal::start(place.folder.path(), "play slide");
    terminal.shows("slide.puzzlescript");
    terminal.shows("P");
    terminal.until("a colour of the game", |screen| {
        let cells = (0..10).flat_map(|row| (0..20).map(move |column| (row, column)));
        let mut cells = cells.filter_map(|(row, column)| screen.cell(row, column));
        cells.any(|cell| matches!(cell.bgcolor(), vt100::Color::Rgb(..)))
    });
    terminal.press("q");
    assert!(terminal.ends().0.success());
}

#[test]
fn there_is_something_to_play_without_a_file() {
    let place = TestFolder::new();
    let mut terminal = Terminal::start(place.folder.path(), "play");
    terminal.shows("1/10 Down and left");
    terminal.press("q");
    assert!(terminal.ends().0.success());
}
