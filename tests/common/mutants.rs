//! Certificates with one thing changed: each that is still accepted, by this program or by the
//! checker in the book, must claim what is true.

use super::brute::{Truth, truth};
use super::extent::{extent, is_whole};
use super::sample::put;
use super::second::Second;
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use unstuck::certificate::check::check;
use unstuck::certificate::{MANIFEST, Manifest, PUZZLE};
use unstuck::limits::Limits;
use unstuck::registry::by_name;
use unstuck_puzzles::Options;

/// How many mutants of a certificate are tried, at random; in the sample and in the whole.
const MUTANTS: (u64, u64) = (12, 100);

/// One mutant in so many goes through the second checker, too, in the sample: it is slower by far.
const SECOND: usize = 8;

/// States after which brute force gives a mutant up.
const STATES: usize = 300_000;

/// What is done to a line, or to a word of it.
#[derive(Clone, Copy, Debug)]
enum Change {
    DropLine,
    DoubleLine,
    SwapLines,
    DropWord,
    DoubleWord,
    /// The word takes the place of the next one.
    CopyWord,
    More,
    Less,
    Negate,
    /// One of the words that mean something in descriptions.
    Another(&'static str),
    /// The character takes the place of the next one.
    CopyChar(usize),
}

const LINES: [Change; 3] = [Change::DropLine, Change::DoubleLine, Change::SwapLines];

const WORDS: [Change; 6] = [
    Change::DropWord,
    Change::DoubleWord,
    Change::CopyWord,
    Change::More,
    Change::Less,
    Change::Negate,
];

/// Values of the fields of descriptions.
const VALUES: [&str; 18] = [
    "\"optimal\"",
    "\"nothing-within\"",
    "\"unsolvable\"",
    "\"unique\"",
    "\"any\"",
    "\"moves\"",
    "\"moves,pushes\"",
    "\"pushes\"",
    "\"pushes,moves\"",
    "\"horizon\"",
    "\"closed\"",
    "\"invariant\"",
    "\"nothing\"",
    "\"lrat\"",
    "null",
    "false",
    "0",
    "1",
];

/// Counts of mutants.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MutantReport {
    /// All.
    pub tried: usize,
    /// Those that were accepted, their claims confirmed.
    pub accepted: usize,
    /// Those that the checker in the book accepted, their claims confirmed.
    pub second: usize,
    /// Those that were accepted, their claims too large for brute force.
    pub open: usize,
}

impl MutantReport {
    /// Adds the counts of another certificate.
    pub(crate) fn add(&mut self, other: Self) {
        self.tried += other.tried;
        self.accepted += other.accepted;
        self.second += other.second;
        self.open += other.open;
    }
}

/// Mutates the certificate in a folder; panics when a false claim is accepted. The folder is as it
/// was afterwards.
pub(crate) fn mutate(folder: &Path, seed: u64, name: &str) -> MutantReport {
    let whole = fs::read_to_string(folder.join(MANIFEST)).expect("a description");
    let manifest = Manifest::read(&whole).expect("a description");
    let files: Vec<&str> = manifest.files.keys().map(String::as_str).chain([MANIFEST]).collect();
    let texts: Vec<String> = files
        .iter()
        .map(|file| fs::read_to_string(folder.join(file)).expect("certificates are text"))
        .collect();
    let most = extent(MUTANTS.0, MUTANTS.1) as usize;
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut known = HashMap::new();
    let every = if is_whole() { 1 } else { SECOND };
    let mut second = Second::start();
    let mut tried = MutantReport::default();
    // The files in turn, so that long proofs do not get all mutants.
    let mut all: Vec<Vec<(usize, usize, Change)>> =
        (0..files.len()).map(|file| changes(&texts[file], files[file])).collect();
    for list in &mut all {
        rng.shuffle(list);
    }
    while tried.tried < most && all.iter().any(|list| !list.is_empty()) {
        for (file, list) in all.iter_mut().enumerate() {
            let Some((line, word, change)) = list.pop() else { continue };
            let Some(text) = changed(&texts[file], line, word, change) else { continue };
            tried.tried += 1;
            put(folder, files[file], text.as_bytes());
            let accepted = check(folder, None, &Limits::none(), &mut |_| {}).is_ok();
            let sampled = second.as_mut().filter(|_| tried.tried.is_multiple_of(every));
            let second = sampled.map(|second| second.judge(folder));
            if let Some((_, verdict)) = second.as_ref().filter(|(_, it)| it.contains("a fault of"))
            {
                panic!("{name}: {} line {}, {change:?}: {verdict}", files[file], line + 1);
            }
            let by_second = second.is_some_and(|(code, _)| code == 0);
            if accepted || by_second {
                let what = || format!("{name}: {} line {}, {change:?}", files[file], line + 1);
                match confirmed(folder, &mut known) {
                    Some(true) => {
                        tried.accepted += usize::from(accepted);
                        tried.second += usize::from(by_second);
                    }
                    Some(false) if accepted => panic!("a false claim was accepted: {}", what()),
                    Some(false) => panic!("check.py accepted a false claim: {}", what()),
                    None => tried.open += 1,
                }
            }
            fs::write(folder.join(files[file]), &texts[file]).expect("a writable file");
            fs::write(folder.join(MANIFEST), &whole).expect("a writable file");
        }
    }
    tried
}

/// All changes of a text: line, word, and what is done.
fn changes(text: &str, file: &str) -> Vec<(usize, usize, Change)> {
    let mut all = Vec::new();
    for (number, line) in text.lines().enumerate() {
        all.extend(LINES.map(|change| (number, 0, change)));
        for word in 0..line.split_whitespace().count() {
            all.extend(WORDS.map(|change| (number, word, change)));
        }
        match file {
            MANIFEST => all.extend(VALUES.map(|value| (number, 1, Change::Another(value)))),
            PUZZLE => all.extend((0..line.len()).map(|at| (number, 0, Change::CopyChar(at)))),
            _ => {}
        }
    }
    all
}

/// The changed text; `None` where the change changes nothing.
fn changed(text: &str, at: usize, word: usize, change: Change) -> Option<String> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    match change {
        Change::DropLine => drop(lines.remove(at)),
        Change::DoubleLine => lines.insert(at, lines[at].clone()),
        Change::SwapLines if at + 1 < lines.len() => lines.swap(at, at + 1),
        Change::SwapLines => return None,
        Change::CopyChar(position) => {
            let mut chars: Vec<char> = lines[at].chars().collect();
            let c = *chars.get(position)?;
            *chars.get_mut(position + 1)? = c;
            lines[at] = chars.into_iter().collect();
        }
        _ => {
            let line = &lines[at];
            let indent = line.len() - line.trim_start().len();
            let (space, rest) = line.split_at(indent);
            let mut words: Vec<String> = rest.split_whitespace().map(str::to_owned).collect();
            change_word(&mut words, word, change)?;
            lines[at] = format!("{space}{}", words.join(" "));
        }
    }
    let new: String = lines.into_iter().map(|line| line + "\n").collect();
    (new.trim_end() != text.trim_end()).then_some(new)
}

fn change_word(words: &mut Vec<String>, at: usize, change: Change) -> Option<()> {
    let word = words.get(at)?.clone();
    let comma = if word.ends_with(',') { "," } else { "" };
    match change {
        Change::DropWord => drop(words.remove(at)),
        Change::DoubleWord => words.insert(at, word),
        Change::CopyWord => *words.get_mut(at + 1)? = word,
        Change::Another(value) => words[at] = format!("{value}{comma}"),
        Change::Negate => {
            words[at] = word.strip_prefix('-').map_or(format!("-{word}"), str::to_owned);
        }
        _ => {
            let digits = word.find(|c: char| c.is_ascii_digit())?;
            let end = word[digits..].find(|c: char| !c.is_ascii_digit());
            let end = end.map_or(word.len(), |length| digits + length);
            let number: u64 = word[digits..end].parse().ok()?;
            let other = match change {
                Change::More => number.checked_add(1)?,
                _ => number.checked_sub(1)?,
            };
            words[at] = format!("{}{other}{}", &word[..digits], &word[end..]);
        }
    }
    Some(())
}

/// Whether brute force confirms what was accepted; `None` where that is too much work.
fn confirmed(folder: &Path, known: &mut HashMap<String, Option<Truth>>) -> Option<bool> {
    let text = fs::read_to_string(folder.join(MANIFEST)).expect("a description");
    let manifest = Manifest::read(&text).expect("a description that was read");
    let Manifest { family, reading, objective, claim, options, .. } = &manifest;
    let specs = by_name(family).expect("a family that was read").options;
    let given = options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let options = Options::new(specs, given).expect("options that were read");
    let text = fs::read_to_string(folder.join(PUZZLE)).expect("a puzzle");
    // What is claimed of no level is not true.
    let levels = (by_name(family).expect("read").read)(&text, &options).unwrap_or_default();
    if !matches!(levels.as_slice(), [level] if level.puzzle.is_ok()) {
        return Some(false);
    }
    let listed: Vec<_> = options.iter().collect();
    let key = format!("{text} {listed:?} {reading} {}", objective.name());
    let ask = || truth(family, &text, &options, reading, *objective, STATES);
    let truth = (*known.entry(key).or_insert_with(ask))?;
    Some(truth.confirms(*claim))
}
