//! `prove` and `check` as their users run them: what forged certificates are refused for, and what
//! is left behind when a certificate cannot be finished.
use crate::store_folder::signal;
use crate::test_folder::{CommandOutput, TestFolder};
use crate::wait::until;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use unstuck::certificate::files::hex;

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

const PROVE: &str = "prove level.xsb -o certificate";

/// What lies in the folder beside the level, hidden files included.
fn others(place: &TestFolder) -> Vec<String> {
    let entries = fs::read_dir(place.folder.path()).expect("readable");
    let names = entries.map(|entry| entry.expect("readable").file_name());
    let names = names.map(|name| name.to_string_lossy().into_owned());
    names.filter(|name| name != "level.xsb").collect()
}

/// A certificate to be spoilt.
struct Certificate {
    place: TestFolder,
    path: PathBuf,
}

impl Certificate {
    fn of(options: &str) -> Self {
        Self::of_level(TWO_PUSHES, options)
    }

    fn of_level(level: &str, options: &str) -> Self {
        let place = TestFolder::new().with("level.xsb", level);
        place.run(&format!("{PROVE} {options}")).ends(0);
        let path = place.path("certificate");
        Self { place, path }
    }

    fn horizon() -> Self {
        Self::of("--evidence horizon")
    }

    fn closed() -> Self {
        Self::of("--evidence closed --bound never --lrat")
    }

    /// The list alone, without its formulas.
    fn list() -> Self {
        Self::of("--evidence closed --bound never")
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
        self.manifest(|manifest| manifest["files"][name] = hex(&Sha256::digest(content)).into())
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

    fn check(&self) -> CommandOutput {
        self.place.run("check certificate")
    }

    /// Exit code 1 and the reason, in words and for programs.
    #[track_caller]
    fn refused(&self, reason: &str) {
        let printed = self.check().ends(1).says(reason);
        assert!(printed.out.starts_with("invalid: "), "{printed}");
        let value = self.place.object("check certificate", 1);
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
    same.check().ends(0);
    let last = |certificate: &Certificate| {
        let text = certificate.read_text("horizon-1.cnf");
        text.lines().count() - 1
    };
    let certificate = Certificate::horizon().manifest(other);
    let line = last(&certificate);
    let text = certificate.read_text("horizon-1.cnf");
    let clause = text.lines().nth(line).expect("a clause").to_owned();
    let changed = certificate.edit("horizon-1.cnf", &format!("\n{clause}\n"), "\n1 2 0\n");
    let printed = changed.check().ends(2);
    let printed = printed.complains("version 1 of the encoding `sokoban-pushes`");
    printed.complains("program has version 2");
    // Without a word of versions it is of the first one.
    let silent = |manifest: &mut Value| {
        manifest.as_object_mut().expect("an object").remove("encodings");
    };
    changed.manifest(silent).check().ends(2);
}

#[test]
fn a_certificate_with_drat_is_left_to_the_version_that_wrote_it() {
    for form in ["drat", "binary-drat"] {
        let older = |manifest: &mut Value| manifest["evidence"]["proof"] = form.into();
        let printed = Certificate::horizon().manifest(older).check().ends(2);
        printed.complains("DRAT, which only versions before the first release");
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
    let traced = forged.place.run("check certificate --trace-failed").ends(1);
    let traced = traced.says(&format!("  lemma {}", lemma.replacen(' ', ": ", 1)));
    traced.says("  hint 9999: is not there\n");
}

/// Proofs are trimmed: each lemma is needed, with all its literals and hints.
#[test]
fn proofs_without_a_piece_are_refused() {
    let mut certificate = Certificate::of_level(ROOM, "--evidence horizon");
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
            let code = certificate.check().code;
            assert_eq!(code, 1, "round {round}, line {}", line + 1);
        }
    }
    certificate.replace(&name, honest.as_bytes()).check().ends(0);
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
    for (name, text, option, first) in [
        (
            "flow",
            "A.A\nB.B\n",
            Some(("cover", "no")),
            "flow, touch never, cover no, objective any, reading",
        ),
        (
            "warehouse",
            warehouse,
            Some(("gps", "<= 1")),
            "warehouse, gps \"<= 1\", objective moves: ",
        ),
        ("sokoban", "Title: Two\n\n######\n#$   #\n#@ . #\n######\n", None, "sokoban, "),
    ] {
        let place = TestFolder::new().with("level.xsb", text);
        let given = option.map(|(option, value)| format!("--{option} '{value}'"));
        let given = given.unwrap_or_default();
        let proved = place.run(&format!("{PROVE} --puzzle {name} --quiet {given}"));
        assert!(place.has("certificate"), "{proved}");
        let printed = place.run("check certificate");
        let line = printed.out.lines().next().unwrap_or_default();
        assert!(line.starts_with(&format!("valid: {first}")), "{line}");
        assert!(line.ends_with(", certified"), "{line}");
        let value = place.object("check certificate", 0);
        if let Some((option, wanted)) = option {
            assert_eq!(value["options"][option], wanted, "{value}");
        }
        assert_eq!(value["puzzle"], name);
    }
}

#[test]
fn an_existing_folder_is_replaced_only_when_asked() {
    let Certificate { place, path } = Certificate::list();
    place.run(PROVE).ends(2).complains("already exists").complains("--force");
    let force = format!("{PROVE} --force");
    place.run(&force).ends(0);
    fs::remove_dir_all(&path).expect("removable");
    fs::create_dir(&path).expect("a writable folder");
    place.write("certificate/letter.txt", "mine");
    place.run(&force).ends(2).complains("not a certificate: it is not replaced");
    assert_eq!(place.read("certificate/letter.txt"), "mine");
    assert_eq!(others(&place), ["certificate"]);
}

#[test]
fn a_full_disk_leaves_nothing() {
    let closed = "--evidence closed --bound never --lrat";
    for (how, blocks) in [("--evidence horizon", 1), (closed, 1), (closed, 4)] {
        let place = TestFolder::new().with("level.xsb", TWO_PUSHES);
        // No file may have more than so many blocks of 512 bytes (the signal ignored, writing
        // fails as it does on a full disk).
        let program = env!("CARGO_BIN_EXE_unstuck");
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec '{program}' {PROVE} {how}");
        let mut shell = Command::new("sh");
        shell.args(["-c", &script]).current_dir(place.folder.path());
        let printed = CommandOutput::of(&shell.output().expect("a shell")).ends(2);
        assert!(printed.err.to_lowercase().contains("file too large"), "{printed}");
        assert_eq!(others(&place), [""; 0], "{how}");
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let place = TestFolder::new().with("level.xsb", TWO_PUSHES);
    place.run("prove level.xsb -o no/such/place").ends(2).complains("no/such/place");
    // A file where a folder belongs is refused to everybody, the superuser included.
    place.run("prove level.xsb -o level.xsb/certificate").ends(2);
    assert_eq!(others(&place), [""; 0]);
}

#[test]
fn a_run_that_is_ended_leaves_nothing_and_says_so() {
    let place = TestFolder::new().with("level.xsb", MANY_STATES);
    let line = format!("{PROVE} --engine search --evidence closed --bound never");
    let child = place.command(&line).spawn().expect("the program starts");
    until("a draft", || !others(&place).is_empty());
    signal(child.id(), "-INT");
    let output = child.wait_with_output().expect("the program ends");
    // Whether that was before or after the solution was found is up to the machine.
    let printed = CommandOutput::of(&output).ends(30).to_string();
    assert!(printed.contains("interrupted"), "{printed}");
    assert_eq!(others(&place), [""; 0]);
    let printed = place.run(&format!("{line} --timeout 1")).ends(30).to_string();
    assert!(printed.contains("time limit"), "{printed}");
    assert_eq!(others(&place), [""; 0]);
}

#[test]
fn a_check_that_is_stopped_judges_nothing() {
    let place = Certificate::closed().place;
    place.run("check certificate --timeout 0").ends(30).complains("not judged: time limit");
}
