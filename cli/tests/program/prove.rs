//! `prove` and `check` as their users run them: what forged certificates are refused for, and what
//! is left behind when a certificate cannot be finished.
use crate::wait::until;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const TWO_PUSHES: &str = "#######\n#@ $ .#\n#     #\n#######\n";

/// Refuting the horizon below its optimum takes more than twenty lemmas.
const ROOM: &str = "#######\n#  .  #\n#@$ $ #\n# . $ #\n#  .  #\n#######\n";

/// Search settles this at once; listing all that can be reached takes far longer than any test.
const MANY_STATES: &str = "\
###############
#@$          .#
#             #
#  *  *  *  * #
#             #
#  *  *  *  * #
#             #
###############
";

fn unstuck(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_unstuck"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn said(output: &Output) -> String {
    let (out, err) = (&output.stdout, &output.stderr);
    format!("{}{}", String::from_utf8_lossy(out), String::from_utf8_lossy(err))
}

/// A folder with a level and room for certificates.
struct TestFolder {
    folder: tempfile::TempDir,
}

impl TestFolder {
    fn new(level: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::write(folder.path().join("level.xsb"), level).expect("a writable folder");
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).to_str().expect("a plain name").to_owned()
    }

    /// The command that proves the level.
    fn prove(&self, arguments: &[&str]) -> Command {
        let (level, target) = (self.text("level.xsb"), self.text("certificate"));
        let mut all = vec!["prove", &level, "-o", &target];
        all.extend(arguments);
        unstuck(&all)
    }

    /// What lies in the folder beside the level, hidden files included.
    fn others(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).expect("readable");
        let names = entries.map(|entry| entry.expect("readable").file_name());
        let names = names.map(|name| name.to_string_lossy().into_owned());
        names.filter(|name| name != "level.xsb").collect()
    }
}

/// A certificate to be spoilt.
struct Certificate {
    place: TestFolder,
    path: PathBuf,
}

impl Certificate {
    fn of(arguments: &[&str]) -> Self {
        Self::of_level(TWO_PUSHES, arguments)
    }

    fn of_level(level: &str, arguments: &[&str]) -> Self {
        let place = TestFolder::new(level);
        let output = place.prove(arguments).output().expect("the program runs");
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        let path = place.path("certificate");
        Self { place, path }
    }

    fn horizon() -> Self {
        Self::of(&["--evidence", "horizon"])
    }

    fn closed() -> Self {
        Self::of(&["--evidence", "closed", "--bound", "never", "--lrat"])
    }

    /// The list alone, without its formulas.
    fn list() -> Self {
        Self::of(&["--evidence", "closed", "--bound", "never"])
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path.join(name)).expect("a file of the certificate")
    }

    fn read_text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).expect("text")
    }

    /// Replaces a file and forges its sum.
    fn replace(self, name: &str, content: &[u8]) -> Self {
        assert_ne!(self.read(name), content, "{name} should change");
        fs::write(self.path.join(name), content).expect("a writable file");
        let sum: String = Sha256::digest(content).iter().map(|b| format!("{b:02x}")).collect();
        self.manifest(|manifest| manifest["files"][name] = sum.into())
    }

    fn manifest(self, change: impl FnOnce(&mut Value)) -> Self {
        let name = "certificate.json";
        let mut value: Value = serde_json::from_slice(&self.read(name)).expect("JSON");
        change(&mut value);
        fs::write(self.path.join(name), value.to_string()).expect("a writable file");
        self
    }

    fn edit(self, name: &str, from: &str, to: &str) -> Self {
        let text = self.read_text(name).replacen(from, to, 1);
        self.replace(name, text.as_bytes())
    }

    /// Without the line of this number (from 0).
    fn without_line(self, name: &str, number: usize) -> Self {
        let text = self.read_text(name);
        let kept = text.lines().enumerate().filter(|(index, _)| *index != number);
        let kept: String = kept.map(|(_, line)| format!("{line}\n")).collect();
        self.replace(name, kept.as_bytes())
    }

    fn check(&self) -> Output {
        unstuck(&["check", &self.place.text("certificate")]).output().expect("the program runs")
    }

    /// Exit code 1 and the reason, in words and for programs.
    #[track_caller]
    fn refused(&self, reason: &str) {
        let path = self.place.text("certificate");
        let output = unstuck(&["check", &path]).output().expect("the program runs");
        assert_eq!(output.status.code(), Some(1), "{}", said(&output));
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(printed.starts_with("invalid: ") && printed.contains(reason), "{printed}");
        let output = unstuck(&["check", &path, "--json"]).output().expect("the program runs");
        assert_eq!(output.status.code(), Some(1));
        let value: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
        assert_eq!((&value["verdict"], &value["exit"]), (&"invalid".into(), &1.into()));
        assert!(value["reason"].as_str().is_some_and(|given| given.contains(reason)), "{value}");
    }
}

#[test]
fn moves_puzzle_and_claim_cannot_be_forged() {
    Certificate::horizon().edit("moves.txt", "R", "L").refused("moves.txt");
    // The same moves solve this one as well, but its formula is another.
    let other = Certificate::horizon().edit("puzzle.txt", "#     #", "#    ##");
    other.refused("horizon-1.cnf: line ");
    let other = Certificate::closed().edit("puzzle.txt", "#     #", "#    ##");
    other.refused("start.cnf has");
    let other = Certificate::list().edit("puzzle.txt", "#     #", "#  $. #");
    other.refused("moves.txt: all moves are legal, but not every box is on a goal");
    let smaller = |manifest: &mut Value| manifest["cost"] = 1.into();
    let reason = "has 2 pushes, but the certificate claims 1";
    Certificate::horizon().manifest(smaller).refused(reason);
    Certificate::closed().manifest(smaller).refused(reason);
    // Without its sum forged, any change is noticed at once.
    let changed = Certificate::horizon();
    fs::write(changed.path.join("moves.txt"), "rrRR\n").expect("a writable file");
    changed.refused("moves.txt is not the file that certificate.json lists (SHA-256)");
}

#[test]
fn another_version_of_an_encoding_is_named() {
    let other = |manifest: &mut Value| manifest["encodings"]["sokoban-pushes"] = 1.into();
    // The same formulas: whatever version made them.
    let same = Certificate::horizon().manifest(other);
    assert_eq!(same.check().status.code(), Some(0));
    let last = |certificate: &Certificate| {
        let text = certificate.read_text("horizon-1.cnf");
        text.lines().count() - 1
    };
    let certificate = Certificate::horizon().manifest(other);
    let line = last(&certificate);
    let text = certificate.read_text("horizon-1.cnf");
    let clause = text.lines().nth(line).expect("a clause").to_owned();
    let changed = certificate.edit("horizon-1.cnf", &format!("\n{clause}\n"), "\n1 2 0\n");
    let output = changed.check();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    let printed = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(printed.contains("version 1 of the encoding `sokoban-pushes`"), "{printed}");
    assert!(printed.contains("program has version 2"), "{printed}");
    // Without a word of versions it is of the first one.
    let silent = |manifest: &mut Value| {
        manifest.as_object_mut().expect("an object").remove("encodings");
    };
    assert_eq!(changed.manifest(silent).check().status.code(), Some(2));
}

#[test]
fn a_certificate_with_drat_is_left_to_the_version_that_wrote_it() {
    for form in ["drat", "binary-drat"] {
        let older = |manifest: &mut Value| manifest["evidence"]["proof"] = form.into();
        let output = Certificate::horizon().manifest(older).check();
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        let printed = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            printed.contains("DRAT, which only versions before the first release"),
            "{printed}"
        );
    }
    let unknown = |manifest: &mut Value| manifest["evidence"]["proof"] = "frat".into();
    Certificate::horizon().manifest(unknown).refused("`proof`: unknown value `frat`");
}

#[test]
fn formulas_cannot_be_forged() {
    let cnf = "horizon-1.cnf";
    let text = Certificate::horizon().read_text(cnf);
    let header = text.lines().position(|line| line.starts_with("p cnf")).expect("a header");
    let counts: Vec<&str> = text.lines().nth(header).expect("it").split(' ').collect();
    let clauses: usize = counts[3].parse().expect("a number");
    let promise = |count: usize| format!("p cnf {} {count}\n", counts[2]);
    // A clause removed; and the header changed with it.
    let removed = Certificate::horizon().without_line(cnf, header + 1);
    removed.refused("clause 1 is not the one compiled again");
    let removed = Certificate::horizon()
        .edit(cnf, &promise(clauses), &promise(clauses - 1))
        .without_line(cnf, header + 1);
    removed.refused(&format!("{cnf} has {} clauses, compiled again it has", clauses - 1));
    // A clause added: the empty one would make every refutation right.
    let added = Certificate::horizon().edit(cnf, &promise(clauses), &promise(clauses + 1));
    let longer = [added.read(cnf), b"0\n".to_vec()].concat();
    added.replace(cnf, &longer).refused("does not follow from its rules");
    // A clause weakened: by one literal more.
    let last = text.lines().last().expect("a clause").to_owned();
    let weaker = Certificate::horizon().edit(cnf, &format!("\n{last}\n"), &format!("\n1 {last}\n"));
    weaker.refused(&format!("clause {clauses} is not the one compiled again"));
    for part in ["start", "goal", "step"] {
        let cnf = format!("{part}.cnf");
        let certificate = Certificate::closed();
        let last = certificate.read_text(&cnf).lines().last().expect("a clause").to_owned();
        let weaker = certificate.edit(&cnf, &format!("\n{last}\n"), &format!("\n1 {last}\n"));
        weaker.refused(&format!("{cnf}: clause"));
    }
    // Formulas that have changed places.
    let swapped = Certificate::closed();
    let (start, goal) = (swapped.read("start.cnf"), swapped.read("goal.cnf"));
    swapped.replace("start.cnf", &goal).replace("goal.cnf", &start).refused("start.cnf");
}

#[test]
fn proofs_cannot_be_forged() {
    let proof = "horizon-1.lrat";
    Certificate::horizon().replace(proof, b"").refused("without the empty clause");
    for name in ["start.lrat", "goal.lrat", "step.lrat"] {
        let whole = Certificate::closed().read(name);
        let half = &whole[..whole.len() - 3];
        Certificate::closed().replace(name, b"").refused("without the empty clause");
        Certificate::closed().replace(name, half).refused(name);
        let other = if name == "goal.lrat" { "step.lrat" } else { "goal.lrat" };
        let foreign = Certificate::closed().read(other);
        Certificate::closed().replace(name, &foreign).refused(name);
    }
    // Another number as the first hint of the first lemma: a clause that is not a unit there.
    let text = Certificate::closed().read_text("goal.lrat");
    let (lemma, hints) = text.split_once(" 0 ").expect("a lemma");
    let first = hints.split(' ').next().expect("a hint");
    let flipped = format!("{lemma} 0 9999{}", &hints[first.len()..]);
    let forged = Certificate::closed().replace("goal.lrat", flipped.as_bytes());
    forged.refused("goal.lrat: line 1: ");
    let path = forged.place.text("certificate");
    let own = unstuck(&["check", &path, "--trace-failed"]).output().expect("the program runs");
    assert_eq!(own.status.code(), Some(1));
    let printed = String::from_utf8_lossy(&own.stdout).into_owned();
    let step = format!("  lemma {}", lemma.replacen(' ', ": ", 1));
    assert!(printed.contains(&step), "{printed}: {step}");
    assert!(printed.contains("  hint 9999: is not there\n"), "{printed}");
}

/// Proofs are trimmed: each lemma is needed, with all its literals and hints.
#[test]
fn proofs_without_a_piece_are_refused() {
    let mut certificate = Certificate::of_level(ROOM, &["--evidence", "horizon"]);
    let entries = fs::read_dir(&certificate.path).expect("a certificate").flatten();
    let mut names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let name = names.find(|name| name.ends_with(".lrat")).expect("a proof");
    let honest = certificate.read_text(&name);
    let lines: Vec<&str> = honest.lines().collect();
    let is_lemma = |line: &usize| lines[*line].split(' ').nth(1) != Some("d");
    let lemmas: Vec<usize> = (0..lines.len()).filter(is_lemma).collect();
    assert!(lemmas.len() > 20, "{} lemmas", lemmas.len());
    let mut random = fastrand::Rng::with_seed(1);
    for round in 0..60 {
        let line = lemmas[random.usize(..lemmas.len())];
        let mut words: Vec<&str> = lines[line].split(' ').collect();
        match round % 3 {
            0 => words.clear(),
            1 if words[1] == "0" => continue,
            1 => drop(words.remove(1)),
            _ => drop(words.remove(words.len() - 2)),
        }
        let mut forged = lines.clone();
        let shorter = words.join(" ");
        forged[line] = &shorter;
        let forged = forged.join("\n") + "\n";
        if forged.as_bytes() != certificate.read(&name) {
            certificate = certificate.replace(&name, forged.as_bytes());
            let code = certificate.check().status.code();
            assert_eq!(code, Some(1), "round {round}, line {}", line + 1);
        }
    }
    let certificate = certificate.replace(&name, honest.as_bytes());
    assert_eq!(certificate.check().status.code(), Some(0));
}

#[test]
fn closed_sets_cannot_be_forged() {
    let list = "closed-set.txt";
    let text = Certificate::list().read_text(list);
    let entries: Vec<&str> = text.lines().skip(4).collect();
    let (counted, fewer) =
        (format!("entries {}", entries.len()), format!("entries {}", entries.len() - 1));
    // An entry dropped: that of the start, and another one.
    for (number, reason) in [(0, "the start is not listed"), (1, "is not listed with budget")] {
        let dropped = Certificate::list().edit(list, &counted, &fewer);
        dropped.without_line(list, 4 + number).refused(reason);
    }
    // A larger budget, which its successors have not; a smaller one, which its predecessor needs.
    let first = entries[0].strip_prefix("1 ").expect("the budget of the claim");
    let larger = Certificate::list().edit(list, entries[0], &format!("2 {first}"));
    larger.refused("is not listed with budget 1");
    let smaller = Certificate::list().edit(list, entries[0], &format!("0 {first}"));
    smaller.refused("the start is not listed with the budget of the claim");
    // A larger potential: the bound that is named is another, or is not known.
    let named = Certificate::list().edit(list, "bound none", "bound magic");
    named.manifest(|it| it["evidence"]["bound"] = "magic".into()).refused("the bound magic");
    // Formulas of another list.
    let weaker = Certificate::closed().edit(list, entries[0], &format!("0 {first}"));
    weaker.refused(list);
}

/// A verdict about one question must not be read as one about another.
#[test]
fn the_first_line_says_what_was_asked() {
    let warehouse = "#####\n#@O.#\n#####\n\n>\n";
    for (name, text, options, first) in [
        (
            "flow",
            "A.A\nB.B\n",
            &["--cover", "no"][..],
            "flow, touch never, cover no, objective any, reading",
        ),
        ("warehouse", warehouse, &["--gps", "<= 1"], "warehouse, gps \"<= 1\", objective moves: "),
        ("sokoban", "Title: Two\n\n######\n#$   #\n#@ . #\n######\n", &[], "sokoban, "),
    ] {
        let place = TestFolder::new(text);
        let asked = [&["--puzzle", name, "--quiet"], options].concat();
        let output = place.prove(&asked).output().expect("the program runs");
        assert!(place.path("certificate").exists(), "{name}: {}", said(&output));
        let path = place.text("certificate");
        let output = unstuck(&["check", &path]).output().expect("the program runs");
        let printed = said(&output);
        let line = printed.lines().next().unwrap_or_default();
        assert!(line.starts_with(&format!("valid: {first}")), "{line}");
        assert!(line.ends_with(", certified"), "{line}");
        let output = unstuck(&["check", &path, "--json"]).output().expect("the program runs");
        let value: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
        for option in options.chunks(2) {
            assert_eq!(value["options"][&option[0][2..]], option[1], "{value}");
        }
        assert_eq!(value["puzzle"], name);
    }
}

#[test]
fn an_existing_folder_is_replaced_only_when_asked() {
    let certificate = Certificate::list();
    let prove = |more: &[&str]| {
        let output = certificate.place.prove(more).output().expect("the program runs");
        (output.status.code(), said(&output))
    };
    let (code, printed) = prove(&[]);
    assert_eq!(code, Some(2));
    assert!(printed.contains("already exists") && printed.contains("--force"), "{printed}");
    assert_eq!(prove(&["--force"]).0, Some(0));
    fs::remove_dir_all(&certificate.path).expect("removable");
    fs::create_dir(&certificate.path).expect("a writable folder");
    fs::write(certificate.path.join("letter.txt"), "mine").expect("a writable folder");
    let (code, printed) = prove(&["--force"]);
    assert_eq!(code, Some(2), "{printed}");
    assert!(printed.contains("not a certificate: it is not replaced"), "{printed}");
    assert_eq!(
        fs::read_to_string(certificate.path.join("letter.txt")).ok().as_deref(),
        Some("mine")
    );
    assert_eq!(certificate.place.others(), ["certificate"]);
}

#[test]
fn a_full_disk_leaves_nothing() {
    let closed = "--evidence closed --bound never --lrat";
    for (how, blocks) in [("--evidence horizon", 1), (closed, 1), (closed, 4)] {
        let place = TestFolder::new(TWO_PUSHES);
        // No file may have more than so many blocks of 512 bytes (the signal ignored, writing
        // fails as it does on a full disk).
        let program = env!("CARGO_BIN_EXE_unstuck");
        let (level, target) = (place.text("level.xsb"), place.text("certificate"));
        let script = format!(
            "trap '' XFSZ; ulimit -f {blocks}; exec '{program}' prove '{level}' -o '{target}' {how}"
        );
        let output = Command::new("sh").args(["-c", &script]).output().expect("a shell");
        assert_eq!(output.status.code(), Some(2), "{how}: {}", said(&output));
        assert!(said(&output).to_lowercase().contains("file too large"), "{}", said(&output));
        assert_eq!(place.others(), [""; 0], "{how}");
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let place = TestFolder::new(TWO_PUSHES);
    let (level, target) = (place.text("level.xsb"), place.text("no/such/place"));
    let output = unstuck(&["prove", &level, "-o", &target]).output().expect("the program runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("no/such/place"), "{}", said(&output));
    // A file where a folder belongs is refused to everybody, the superuser included.
    let target = place.text("level.xsb/certificate");
    let output = unstuck(&["prove", &level, "-o", &target]).output().expect("the program runs");
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert_eq!(place.others(), [""; 0]);
}

#[test]
fn an_interrupted_run_leaves_nothing() {
    let place = TestFolder::new(MANY_STATES);
    let how = ["--engine", "search", "--evidence", "closed", "--bound", "never"];
    let child = place.prove(&how).spawn().expect("the program starts");
    until("a draft", || !place.others().is_empty());
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.expect("kill runs").success());
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(30), "{}", said(&output));
    assert!(said(&output).contains("interrupted"), "{}", said(&output));
    assert_eq!(place.others(), [""; 0]);
}

#[test]
fn a_time_limit_leaves_nothing_and_says_so() {
    let place = TestFolder::new(MANY_STATES);
    let mut command = place.prove(&["--engine", "search", "--evidence", "closed"]);
    let output = command.args(["--bound", "never", "--timeout", "1"]).output();
    let output = output.expect("the program runs");
    assert_eq!(output.status.code(), Some(30), "{}", said(&output));
    assert!(said(&output).contains("time limit"), "{}", said(&output));
    assert_eq!(place.others(), [""; 0]);
    assert!(!Path::new(&place.text("certificate")).exists());
}

#[test]
fn a_check_that_is_stopped_judges_nothing() {
    let certificate = Certificate::closed();
    let path = certificate.place.text("certificate");
    let output = unstuck(&["check", &path, "--timeout", "0"]).output().expect("the program runs");
    assert_eq!(output.status.code(), Some(30), "{}", said(&output));
    assert!(said(&output).contains("not judged: time limit"), "{}", said(&output));
}
