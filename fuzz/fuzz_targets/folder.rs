//! Certificates with several things changed at once: names, sizes, lines, words, links. Whatever is
//! still accepted has to claim what brute force finds to be true.
//!
//! The certificates are made at the start, from small levels: every family, with and without a
//! tie-break, each kind of evidence. Sums are put right after a change, so that what is behind them
//! is reached.
#![no_main]

#[path = "../../tests/common/brute.rs"]
mod brute;

use brute::truth;
use libfuzzer_sys::fuzz_target;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;
use unstuck::certificate::check::{Report, check};
use unstuck::certificate::files::MemoryFiles;
use unstuck::certificate::prove::{BoundUse, EvidenceKind, ProofOptions, ProofTask, prove_in};
use unstuck::certificate::{MANIFEST, Manifest, PUZZLE};
use unstuck::instance::Instance;
use unstuck::limits::Limits;
use unstuck::registry::{FAMILIES, by_name};
use unstuck::solve::{Request, solve};
use unstuck_puzzles::Options;

/// States after which brute force gives up.
const STATES: usize = 20_000;

/// Bytes up to which a changed file may grow.
const LARGEST: usize = 1 << 16;

type Files = BTreeMap<String, Vec<u8>>;

/// Random boards of each family and objective to begin with.
const BOARDS: u64 = 4;

const KINDS: [EvidenceKind; 5] = [
    EvidenceKind::Closed,
    EvidenceKind::Backwards,
    EvidenceKind::Horizon,
    EvidenceKind::Invariant,
    EvidenceKind::Patterns,
];

/// What can be claimed of an instance, by each kind of evidence that can be had.
fn certificates(instance: &dyn Instance, text: &str, made: &mut Vec<Files>) {
    let limits = || Limits::new(Some(Duration::from_secs(1)), None);
    let request = Request::default().with_solutions(2).with_limits(limits());
    let Ok(outcome) = solve(instance, &request, &|_| {}) else { return };
    let Some(claim) = outcome.claim(instance) else { return };
    let claims = [claim, claim.untied()];
    for (claim, wanted) in claims.into_iter().flat_map(|claim| KINDS.map(|kind| (claim, kind))) {
        for lrat in [false, true] {
            let task = ProofTask {
                solution: outcome.best.as_ref().filter(|_| claim.has_solution()),
                ..ProofTask::new(instance, text, claim)
            };
            let proof_options = ProofOptions {
                wanted,
                lrat,
                use_bound: BoundUse::Never,
                ..ProofOptions::default()
            };
            let mut files = MemoryFiles::new(LARGEST);
            let request = request.clone().with_limits(limits());
            if prove_in(&mut files, &task, &proof_options, &request, &mut |_| {}).is_ok() {
                made.push(files.files);
            }
        }
    }
}

static MADE: LazyLock<Vec<Files>> = LazyLock::new(|| {
    let mut made = Vec::new();
    for family in FAMILIES {
        let options = Options::new(family.options, []).expect("defaults fit");
        for (&objective, seed) in
            family.objectives.iter().flat_map(|it| (0..BOARDS).map(move |seed| (it, seed)))
        {
            let text = (family.sample)(seed).instances(objective).expect("listed")[0].text();
            let Ok(mut levels) = (family.read)(&text, &options) else { continue };
            let Some(Ok(opened)) = levels.pop().map(|level| level.puzzle) else { continue };
            for instance in opened.instances(objective).into_iter().flatten() {
                certificates(instance.as_ref(), &text, &mut made);
            }
        }
    }
    assert!(made.len() > 20, "certificates to begin with");
    made
});

/// The folder of this process.
static FOLDER: LazyLock<PathBuf> =
    LazyLock::new(|| std::env::temp_dir().join(format!("unstuck-fuzz-{}", std::process::id())));

/// A change: what, of which file, at which line and word, and a number that says more.
type Change = (u8, u8, u16, u8, u32);

fn change(files: &mut Files, (what, file, line, word, number): Change) {
    let names: Vec<String> = files.keys().cloned().collect();
    let pick = |at: usize| names[at % names.len()].clone();
    let (name, other) = (pick(file.into()), pick(number as usize));
    let bytes = files[&name].clone();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let at = usize::from(line) % lines.len().max(1);
    match what % 12 {
        // Names and sizes.
        0 => {
            let taken = files.insert(other, bytes).unwrap_or_default();
            files.insert(name, taken);
            return;
        }
        1 => return drop(files.remove(&name)),
        2 => {
            files.insert(name, bytes[..number as usize % (bytes.len() + 1)].to_vec());
            return;
        }
        3 => {
            files.insert(name, [bytes.as_slice(), &files[&other]].concat());
            return;
        }
        // Lines and words.
        _ if lines.is_empty() => return,
        4 => drop(lines.remove(at)),
        5 => lines.insert(at, lines[at].clone()),
        6 => {
            let to = number as usize % lines.len();
            lines.swap(at, to);
        }
        7 => {
            let from = String::from_utf8_lossy(&files[&other]).into_owned();
            let from = from.lines().nth(number as usize >> 8).unwrap_or_default().to_owned();
            lines.insert(at, from);
        }
        kind => {
            let mut words: Vec<String> = lines[at].split(' ').map(str::to_owned).collect();
            let at_word = usize::from(word) % words.len();
            let here = words[at_word].clone();
            match kind {
                8 => drop(words.remove(at_word)),
                9 => words.insert(at_word, here),
                10 => words[at_word] = near(&here, number),
                _ => {
                    let to = number as usize % words.len();
                    words.swap(at_word, to);
                }
            }
            lines[at] = words.join(" ");
        }
    }
    let text: String = lines.into_iter().map(|line| line + "\n").collect();
    if text.len() <= LARGEST {
        files.insert(name, text.into_bytes());
    }
}

/// A word with another number in it, or negated, or with another character.
fn near(word: &str, number: u32) -> String {
    let digits = word.find(|c: char| c.is_ascii_digit());
    let Some(first) = digits else {
        let mut chars: Vec<char> = word.chars().collect();
        let length = chars.len().max(1);
        if let Some(c) = chars.get_mut(number as usize % length) {
            *c = char::from(b' ' + (number >> 8) as u8 % 95);
        }
        return chars.into_iter().collect();
    };
    let end = word[first..].find(|c: char| !c.is_ascii_digit()).map_or(word.len(), |n| first + n);
    let old: u64 = word[first..end].parse().unwrap_or(0);
    let new = match number % 5 {
        0 => old + 1,
        1 => old.saturating_sub(1),
        2 => u64::from(number >> 3),
        3 => old + 100,
        _ => return format!("-{word}"),
    };
    format!("{}{new}{}", &word[..first], &word[end..])
}

/// Puts the sums right.
fn sum(files: &mut Files) {
    let text = files.get(MANIFEST).map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    let Some(Ok(mut manifest)) = text.as_deref().map(Manifest::read) else { return };
    for (name, sum) in &mut manifest.files {
        if let Some(bytes) = files.get(name) {
            *sum = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        }
    }
    files.insert(MANIFEST.to_owned(), manifest.to_string().into_bytes());
}

/// Whether what was accepted is true; `None` where brute force gives up.
fn is_true(files: &Files, report: &Report) -> Option<bool> {
    let Manifest { family, reading, objective, claim, .. } = &report.manifest;
    if !report.manifest.after.is_empty() || !report.manifest.constraints.is_empty() {
        return None;
    }
    let text = String::from_utf8_lossy(&files[PUZZLE]).into_owned();
    let given = report.manifest.options.iter();
    let given = given.map(|(name, value)| (name.as_str(), value.as_str()));
    let options = Options::new(by_name(family)?.options, given).ok()?;
    let truth = truth(family, &text, &options, reading, *objective, STATES)?;
    Some(truth.confirms(*claim))
}

fuzz_target!(|input: (u8, Vec<Change>, Option<(u8, u8)>)| {
    let (which, changes, link) = input;
    let mut files = MADE[usize::from(which) % MADE.len()].clone();
    for one in changes.into_iter().take(8) {
        if files.is_empty() {
            return;
        }
        change(&mut files, one);
    }
    sum(&mut files);
    let _ = fs::remove_dir_all(&*FOLDER);
    fs::create_dir_all(&*FOLDER).expect("a writable folder");
    for (name, bytes) in &files {
        fs::write(FOLDER.join(name), bytes).expect("a writable folder");
    }
    // A link in the place of a file, to another one.
    #[cfg(unix)]
    if let (Some((from, to)), Some(_)) = (link, files.keys().next()) {
        let names: Vec<&String> = files.keys().collect();
        let (from, to) = (names[from as usize % names.len()], names[to as usize % names.len()]);
        let _ = fs::remove_file(FOLDER.join(from));
        std::os::unix::fs::symlink(FOLDER.join(to), FOLDER.join(from)).expect("a link");
        assert!(
            check(&FOLDER, None, &Limits::none(), &mut |_| {}).is_ok_and(|report| !report
                .manifest
                .files
                .contains_key(from)
                && from != MANIFEST)
                || check(&FOLDER, None, &Limits::none(), &mut |_| {}).is_err(),
            "a link was followed"
        );
        return;
    }
    let limits = Limits::new(Some(Duration::from_secs(5)), None);
    if let Ok(report) = check(&FOLDER, None, &limits, &mut |_| {}) {
        let claim = report.manifest.claim;
        assert!(is_true(&files, &report) != Some(false), "a false claim was accepted: {claim:?}");
    }
});
