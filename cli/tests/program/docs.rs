//! The transcripts of README and docs are run and compared, so that they cannot rot.
//!
//! A transcript is a fenced block whose opening line is ```` ```console ````. Lines that begin with
//! `$ ` are run by a shell, one after the other, in a folder of the block's file that has the
//! project's `puzzles/` in it; what they print (standard output, then standard error) must be what
//! follows, where `[..]` stands for anything within a line and `...` alone for any lines. A command
//! that does not end with 0 is followed by a line `[exit N]`. After `console` the words
//! `needs=PROGRAM` say that the block is skipped, aloud, where the program is not on PATH.
//!
//! `BLESS=1 cargo test --test program docs::` writes what the commands print into the files.
//!
//! The chapters of the families are complete, too: each rule of an encoding stands in a table with
//! its clauses.

use crate::{on_path, root};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use unstuck::instance::Question;
use unstuck::registry::{FAMILIES, Family};

fn documents() -> Vec<PathBuf> {
    let mut documents = vec![root().join("README.md")];
    let mut folders = vec![root().join("docs"), root().join("notebook")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("docs/ is a folder") {
            let path = entry.expect("a readable entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                documents.push(path);
            }
        }
    }
    documents.sort();
    documents
}

/// Runs a line of a transcript and gives what it prints.
fn run(line: &str, folder: &Path) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_unstuck"));
    let own = program.parent().expect("a program is in a folder").to_path_buf();
    let others = std::env::var_os("PATH").unwrap_or_default();
    let path = std::iter::once(own).chain(std::env::split_paths(&others));
    let output = Command::new("sh")
        .arg("-c")
        .arg(line.replace("cargo run --release -- ", "unstuck "))
        .current_dir(folder)
        .env("PATH", std::env::join_paths(path).expect("folders of PATH"))
        .env("NO_COLOR", "1")
        .output()
        .expect("a shell");
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    if !output.status.success() {
        text.push_str(&format!("[exit {}]\n", output.status.code().unwrap_or(-1)));
    }
    text
}

/// Whether a line is as expected, `[..]` standing for anything.
fn line_matches(expected: &str, line: &str) -> bool {
    let mut parts = expected.split("[..]");
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = line.strip_prefix(first) else { return false };
    let parts: Vec<_> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// Whether lines are as expected, a lone `...` standing for any number of lines.
fn lines_match(expected: &[&str], lines: &[&str]) -> bool {
    match (expected.split_first(), lines.split_first()) {
        (None, None) => true,
        (Some((&"...", after)), None) => lines_match(after, lines),
        (Some((&"...", after)), Some((_, rest))) => {
            lines_match(after, lines) || lines_match(expected, rest)
        }
        (Some((wanted, after)), Some((line, rest))) => {
            line_matches(wanted.trim_end(), line.trim_end()) && lines_match(after, rest)
        }
        _ => false,
    }
}

/// Checks one document; gives its text as it should be, and how many commands were run.
fn check(path: &Path, failures: &mut Vec<String>) -> (String, usize) {
    let text = fs::read_to_string(path).expect("a readable document");
    let folder = tempfile::tempdir().expect("a temporary folder");
    #[cfg(unix)]
    std::os::unix::fs::symlink(root().join("puzzles"), folder.path().join("puzzles"))
        .expect("a link to the levels");
    #[cfg(unix)]
    for script in ["check.py", "plot.py"] {
        std::os::unix::fs::symlink(root().join("docs").join(script), folder.path().join(script))
            .expect("a link to the book's scripts");
    }
    let lines: Vec<_> = text.lines().collect();
    let mut should = Vec::new();
    let mut count = 0;
    let mut at = 0;
    while at < lines.len() {
        let opening = lines[at];
        should.push(opening.to_owned());
        at += 1;
        let Some(words) = opening.trim().strip_prefix("```console") else { continue };
        let missing = words
            .split_whitespace()
            .filter_map(|word| word.strip_prefix("needs="))
            .find(|program| !on_path(program));
        if let Some(program) = missing {
            eprintln!("SKIPPED: {}:{at}: `{program}` is not on PATH", path.display());
            continue;
        }
        while at < lines.len() && lines[at].trim() != "```" {
            let Some(command) = lines[at].strip_prefix("$ ") else {
                should.push(lines[at].to_owned());
                at += 1;
                continue;
            };
            should.push(lines[at].to_owned());
            let place = format!("{}:{}", path.display(), at + 1);
            at += 1;
            let from = at;
            while at < lines.len() && lines[at].trim() != "```" && !lines[at].starts_with("$ ") {
                at += 1;
            }
            let printed = run(command, folder.path());
            count += 1;
            let printed: Vec<_> = printed.lines().map(str::trim_end).collect();
            // A blank line before the next command belongs to the document.
            let expected: Vec<_> = lines[from..at].to_vec();
            if lines_match(&expected, &printed) {
                should.extend(expected.iter().map(|&line| line.to_owned()));
            } else {
                failures.push(format!(
                    "{place}: $ {command}\n--- written\n{}\n--- printed\n{}\n",
                    expected.join("\n"),
                    printed.join("\n")
                ));
                should.extend(printed.iter().map(|&line| line.to_owned()));
            }
        }
    }
    (should.join("\n") + "\n", count)
}

#[test]
#[cfg(unix)]
fn transcripts_are_true() {
    let bless = std::env::var_os("BLESS").is_some();
    let mut failures = Vec::new();
    let mut commands = 0;
    for document in documents() {
        let (should, count) = check(&document, &mut failures);
        commands += count;
        if bless {
            fs::write(&document, should).expect("a writable document");
        }
    }
    assert!(commands > 0, "no transcript in any document");
    assert!(bless || failures.is_empty(), "{}", failures.join("\n"));
}

/// The targets of the links of a document.
fn links(text: &str) -> Vec<String> {
    let mut links = Vec::new();
    let mut code = false;
    for line in text.lines() {
        code ^= line.trim_start().starts_with("```");
        if code {
            continue;
        }
        let targets = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        links.extend(targets.map(str::to_owned));
    }
    links
}

/// The names of the headings of a document, as links ask for them.
fn anchors(text: &str) -> Vec<String> {
    let headings = text.lines().filter_map(|line| line.strip_prefix('#'));
    let name = |heading: &str| -> String {
        let words = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = words.chars().filter(|&c| c.is_alphanumeric() || " -_".contains(c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(name).collect()
}

/// What the book links to in the repository.
const SOURCES: &str = "https://github.com/unstuck-solver/unstuck/blob/main/";

#[test]
fn links_lead_somewhere_and_the_book_has_every_chapter() {
    let summary = fs::read_to_string(root().join("docs/SUMMARY.md")).expect("the summary");
    let mut count = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).expect("a readable document");
        let folder = document.parent().expect("a document is in a folder");
        for link in links(&text) {
            let (path, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = match path.strip_prefix(SOURCES) {
                Some(path) => root().join(path),
                None if path.contains("://") => continue,
                None if path.is_empty() => document.clone(),
                None => folder.join(path),
            };
            count += 1;
            assert!(target.exists(), "{}: no {path}", document.display());
            // The book has nothing but what lies in its folder.
            let leaves = folder.ends_with("docs") && path.starts_with("..");
            assert!(!leaves, "{}: {path} is not in the book", document.display());
            if !anchor.is_empty() {
                let anchors = anchors(&fs::read_to_string(&target).expect("a chapter"));
                assert!(anchors.iter().any(|it| it == anchor), "{}: {link}", document.display());
            }
        }
        if let Ok(page) = document.strip_prefix(root().join("docs")) {
            let page = page.to_string_lossy().replace('\\', "/");
            let listed = page == "SUMMARY.md" || summary.contains(&format!("({page})"));
            assert!(listed, "SUMMARY.md does not have {page}");
        }
    }
    assert!(count > 20, "only {count} links were found");
    // mdBook takes titles and lists of links, nothing else.
    for line in summary.lines().filter(|line| !line.trim().is_empty()) {
        let link = line.trim_start_matches("- ");
        let is_link = link.starts_with('[') && link.ends_with(".md)");
        assert!(line.starts_with("# ") || is_link, "SUMMARY.md: {line}");
    }
    assert!(root().join("book.toml").is_file());
}

#[test]
fn wildcards_match_as_documented() {
    assert!(line_matches("a [..] c", "a b c") && !line_matches("a [..] c", "a b d"));
    assert!(line_matches("[..]", "") && line_matches("x", "x") && !line_matches("x", "xy"));
    assert!(lines_match(&["a", "...", "d"], &["a", "b", "c", "d"]));
    assert!(lines_match(&["..."], &[]) && !lines_match(&["a"], &[]));
}

/// The names of the rules that a family's formulas have, and of those that its sources declare.
fn rules_of(family: &Family) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for &objective in family.objectives {
        for seed in 0..12 {
            let instances = (family.sample)(seed).instances(objective).expect("a listed objective");
            for instance in instances.iter().filter(|it| it.encoded().refusal().is_none()) {
                let timed = instance.moves().is_some();
                let question = Question::within(if timed { 2 } else { 0 });
                let rules = instance.formula(&question).rules();
                names.extend(rules.iter().map(|rule| rule.name.to_owned()));
            }
        }
    }
    let mut open = vec![root().join("encodings").join(family.name)];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(path).expect("a folder of the project");
            open.extend(entries.map(|entry| entry.expect("an entry").path()));
            continue;
        }
        let text = fs::read_to_string(path).expect("a source");
        for maker in ["Rule::defining(\"", "Rule::strengthening(\""] {
            let after = text.split(maker).skip(1);
            names.extend(after.filter_map(|rest| rest.split('"').next()).map(str::to_owned));
        }
    }
    names
}

/// The rules that no row of a table in a chapter says the clauses of.
fn undescribed<'a>(rules: &'a BTreeSet<String>, chapter: &str) -> Vec<&'a str> {
    let rows: Vec<(&str, &str)> = chapter
        .lines()
        .filter_map(|line| line.strip_prefix('|')?.split_once('|'))
        .filter(|(_, clauses)| clauses.trim_matches([' ', '|']).len() > 5)
        .collect();
    let described = |rule: &&str| rows.iter().any(|(name, _)| name.contains(&format!("`{rule}`")));
    rules.iter().map(String::as_str).filter(|rule| !described(rule)).collect()
}

#[test]
fn every_rule_stands_in_its_chapter_with_its_clauses() {
    for family in FAMILIES {
        let chapter = root().join("docs").join(format!("{}.md", family.name));
        let chapter = fs::read_to_string(chapter).expect("a family has a chapter");
        let rules = rules_of(family);
        assert!(rules.len() >= 5, "{}: {rules:?}", family.name);
        let missing = undescribed(&rules, &chapter);
        assert!(missing.is_empty(), "docs/{}.md: no clauses of {missing:?}", family.name);
        // A row that goes is missed.
        for rule in &rules {
            let other = chapter.replace(&format!("`{rule}`"), "`gone`");
            assert_eq!(undescribed(&rules, &other), [rule.as_str()], "{}", family.name);
        }
    }
}

/// What a family has to have, by the list of `docs/adding-a-puzzle.md`.
fn places(family: &str) -> Vec<String> {
    let list = fs::read_to_string(root().join("docs/adding-a-puzzle.md")).expect("a chapter");
    let rows = list.lines().filter_map(|line| line.strip_prefix("| `")?.split('|').next());
    let names =
        rows.flat_map(|cell| cell.split('`').step_by(2).map(str::to_owned).collect::<Vec<_>>());
    let paths = names.filter(|name| name.contains('/') || name.contains('.'));
    paths.map(|path| path.replace("<family>", family)).collect()
}

#[test]
fn every_family_has_every_place_of_the_list() {
    for family in FAMILIES {
        let places = places(family.name);
        assert_eq!(places.len(), 15, "{places:?}");
        for place in places {
            let path = root().join(&place);
            assert!(path.exists(), "{} has no {place}", family.name);
            // Places that all families share name each of them, by its chapter or its target.
            if !place.contains(family.name) && path.extension().is_some_and(|it| it != "rs") {
                let text = fs::read_to_string(&path).expect("a readable file");
                let name = family.name;
                let named = [format!("{name}.md"), format!("\"{name}\""), format!("  {name}: {{")];
                assert!(named.iter().any(|it| text.contains(it)), "{place}: no {}", family.name);
            }
        }
    }
}
