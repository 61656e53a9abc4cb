//! Certificates whose refutation was put together from those of cubes: the judge accepts them as it
//! does others, and none in which a piece is missing or changed.

use serde_json::Value;
use sha2::{Digest as _, Sha256};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn unstuck(folder: &Path, line: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_unstuck"));
    command.args(line.split_whitespace()).current_dir(folder).output().expect("it runs")
}

#[track_caller]
fn ends(folder: &Path, line: &str, code: i32) -> String {
    let Output { status, stdout, stderr } = unstuck(folder, line);
    let printed =
        [stdout, stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert_eq!(status.code(), Some(code), "{line}: {printed}");
    printed
}

const ROOM: &str = "#######\n#  .  #\n#@$ $ #\n# . $ #\n#  .  #\n#######\n";

/// The one LRAT proof of a certificate.
fn proof(certificate: &Path) -> std::path::PathBuf {
    let entries = fs::read_dir(certificate).expect("a certificate");
    let mut proofs = entries.map(|entry| entry.expect("an entry").path());
    proofs.find(|path| path.extension().is_some_and(|it| it == "lrat")).expect("a proof")
}

/// Puts another proof into a certificate, with the sum that belongs to it.
fn reseal(certificate: &Path, text: &str) {
    let path = proof(certificate);
    fs::write(&path, text).expect("written");
    let manifest = certificate.join("certificate.json");
    let about = fs::read_to_string(&manifest).expect("a manifest");
    let mut about: Value = serde_json::from_str(&about).expect("JSON");
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    let sum = Sha256::digest(text.as_bytes());
    let sum: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
    about["files"][name] = sum.into();
    fs::write(manifest, about.to_string()).expect("written");
}

#[test]
fn games_and_puzzles_are_certified_by_cubes() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fs::write(folder.join("room.xsb"), ROOM).expect("written");
    fs::write(folder.join("board.flow"), "A..B\n....\n.AB.\nC..C\n").expect("written");
    fs::write(folder.join("lost.flow"), "AB\nBA\n").expect("written");
    for cubes in [2, 7, 40] {
        for (line, code) in [
            ("room.xsb --evidence horizon", 0),
            ("room.xsb --evidence horizon --proof drat --engine sat", 0),
            ("room.xsb --evidence horizon --horizon 3", 21),
            ("lost.flow --evidence horizon", 20),
        ] {
            let line = format!("prove {line} -o c --force --cubes {cubes} --threads 2");
            ends(folder, &line, code);
            let printed = ends(folder, "check c", 0);
            assert!(printed.contains("by the LRAT checker"), "{printed}");
        }
    }
}

#[test]
fn a_piece_that_is_missing_or_changed_is_seen() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fs::write(folder.join("room.xsb"), ROOM).expect("written");
    ends(folder, "prove room.xsb -o c --evidence horizon --cubes 9 --threads 1", 0);
    let certificate = folder.join("c");
    let honest = fs::read_to_string(proof(&certificate)).expect("text");
    let lines: Vec<&str> = honest.lines().collect();
    let lemmas: Vec<usize> =
        (0..lines.len()).filter(|&at| lines[at].split(' ').nth(1) != Some("d")).collect();
    assert!(lemmas.len() > 20, "{} lemmas", lemmas.len());
    let mut random = fastrand::Rng::with_seed(1);
    for round in 0..60 {
        let mut forged: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        let at = lemmas[random.usize(..lemmas.len())];
        match round % 3 {
            // A lemma is dropped: all that is left is needed by another.
            0 => drop(forged.remove(at)),
            // A literal is dropped: the lemma says more than was shown.
            1 => {
                let mut words: Vec<&str> = lines[at].split(' ').collect();
                if words[1] == "0" {
                    continue;
                }
                words.remove(1);
                forged[at] = words.join(" ");
            }
            // A hint is dropped.
            _ => {
                let mut words: Vec<&str> = lines[at].split(' ').collect();
                words.remove(words.len() - 2);
                forged[at] = words.join(" ");
            }
        }
        reseal(&certificate, &(forged.join("\n") + "\n"));
        let printed = unstuck(folder, "check c");
        assert_eq!(printed.status.code(), Some(1), "round {round}, line {}", at + 1);
    }
    reseal(&certificate, &honest);
    ends(folder, "check c", 0);
}
