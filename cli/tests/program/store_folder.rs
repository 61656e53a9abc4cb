//! Stores in tests: the program run on collections, and what its stores have.

use crate::test_folder::TestFolder;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

impl TestFolder {
    /// The lines of a store by their keys, the last of each; whole lines only.
    pub(crate) fn lines(&self, store: &str) -> BTreeMap<String, Value> {
        let mut lines = BTreeMap::new();
        for entry in fs::read_dir(self.path(store)).expect("a store") {
            let name = entry.expect("an entry").file_name().into_string().expect("text");
            if name.ends_with(".jsonl") {
                for line in self.values(&format!("{store}/{name}")) {
                    lines.insert(line["key"].as_str().expect("a key").to_owned(), line);
                }
            }
        }
        lines
    }
}

/// What an answer says, without what another run does otherwise.
fn said(line: &Value) -> String {
    let fields = ["id", "text", "question", "verdict", "solution", "lower", "upper", "optimal"];
    fields.iter().map(|&name| format!("{name}={} ", line[name])).collect()
}

pub(crate) fn all_said(lines: &BTreeMap<String, Value>) -> BTreeMap<String, String> {
    lines.iter().map(|(key, line)| (key.clone(), said(line))).collect()
}

/// Small random rooms, each with one to three boxes: many can be solved, some cannot.
pub(crate) fn rooms(count: usize, seed: u64) -> String {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut text = String::new();
    for number in 0..count {
        let (width, height) = (random.usize(4..7), random.usize(4..7));
        let mut floor: Vec<char> = vec![' '; width * height];
        let boxes = random.usize(1..4);
        let mut places: Vec<usize> = (0..floor.len()).collect();
        random.shuffle(&mut places);
        // Boxes mostly stand away from the walls.
        let edge = |&place: &usize| {
            let (row, column) = (place / width, place % width);
            row == 0 || column == 0 || row + 1 == height || column + 1 == width
        };
        if random.u8(..) > 20 {
            places.sort_by_key(edge);
        }
        for (&place, piece) in places.iter().zip([vec!['$'; boxes], vec!['.'; boxes]].concat()) {
            floor[place] = piece;
        }
        let player = places.iter().rev().find(|&&place| floor[place] == ' ').expect("room");
        floor[*player] = '@';
        text.push_str(&format!("; {number}\n{}\n", "#".repeat(width + 2)));
        for row in floor.chunks(width) {
            text.push_str(&format!("#{}#\n", row.iter().collect::<String>()));
        }
        text.push_str(&format!("{}\n\n", "#".repeat(width + 2)));
    }
    text
}

pub(crate) fn signal(pid: u32, signal: &str) {
    let _ = Command::new("kill").args([signal, &pid.to_string()]).stderr(Stdio::null()).status();
}

/// How many bytes the results and certificates of a store have.
pub(crate) fn size(store: &Path) -> u64 {
    let entries = fs::read_dir(store).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.metadata().ok()).map(|about| about.len()).sum()
}
