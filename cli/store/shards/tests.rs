//! A store keeps what was written, cuts what was torn, and refuses what is forged.

use super::*;
use crate::store::lines::MAX_LINE_BYTES;
use crate::store::open_store::{OpenStore, Shard};
use crate::store::result::LevelResult;
use std::fs::File;
use unstuck::limits::Limits;
use unstuck::report::LevelAnswer;

fn line(key: Key, verdict: &str) -> LevelResult {
    let asked = LevelQuestion { key: Some(shown(key)), ..LevelQuestion::default() };
    LevelResult::new(asked, LevelAnswer { verdict: verdict.to_owned(), ..LevelAnswer::default() })
}

/// The results of a store of one shard.
fn results(store: &Store) -> Vec<(Key, LevelResult)> {
    let mut results = Vec::new();
    let visited = store.visit(0, &mut |key, line| {
        results.push((key, line));
        Ok::<(), StoreError>(())
    });
    visited.unwrap();
    results
}

fn known(store: &Store) -> Vec<(Key, String)> {
    results(store).into_iter().map(|(key, line)| (key, line.answer.verdict)).collect()
}

/// The last result of a store.
fn last(store: &Store) -> LevelQuestion {
    results(store).pop().unwrap().1.asked
}

fn of(store: &Store, line: &LevelQuestion) -> Result<Option<MemoryFiles>, CheckFailure> {
    store.certificate(line, MAX_CERTIFICATE_BYTES as u64, &mut Monitor::silent(&Limits::none()))
}

fn certificate(key: Key, text: &str) -> (MemoryFiles, Vec<u8>) {
    let mut files = MemoryFiles::new(1 << 20);
    files.files.insert("a.txt".to_owned(), text.as_bytes().to_vec());
    let packed = pack::pack(&shown(key), &files).unwrap();
    (files, packed)
}

#[test]
fn what_was_written_is_there_and_the_last_line_of_a_key_counts() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::begin(&folder.path().join("store"), Some(1)).unwrap();
    let mut shard = Shard::open(&store, 0).unwrap();
    assert!(matches!(Shard::open(&store, 0), Err(StoreError::Busy(_))));
    for (key, verdict) in [(1, "unknown"), (2, "solved"), (1, "solved")] {
        shard.append(key, line(key, verdict), &[]).unwrap();
    }
    shard.sync().unwrap();
    assert_eq!(known(&store), [(2, "solved".to_owned()), (1, "solved".to_owned())]);
    drop(shard);
    let mut open = OpenStore::open(store.clone()).unwrap();
    assert_eq!(open.find(1).unwrap(), Some(line(1, "solved")));
    assert_eq!(open.find(3).unwrap(), None);
    assert_eq!(open.shards[0].get_mut().unwrap().known.len(), 2);
    drop(open);
    assert!(Store::begin(store.place(), Some(2)).is_err(), "another number of shards");
    assert_eq!(Store::begin(store.place(), None).unwrap().shards(), 1);
}

#[test]
fn a_torn_end_is_cut_wherever_it_was_torn() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::begin(&folder.path().join("store"), Some(1)).unwrap();
    let mut shard = Shard::open(&store, 0).unwrap();
    let certificates = [(9, "one"), (2, "two")].map(|(key, text)| certificate(key, text));
    for (key, (_, packed)) in (1..).zip(&certificates) {
        shard.append(key, line(key, "solved"), packed).unwrap();
    }
    drop(shard);
    let (results, packs) = (store.results(0), store.certificates(0));
    let (lines, packed) = (fs::read(&results).unwrap(), fs::read(&packs).unwrap());
    let first = lines.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    for end in 0..=lines.len() {
        fs::write(&results, &lines[..end]).unwrap();
        // What is written first may be there although the line is not.
        fs::write(&packs, &packed).unwrap();
        let mut shard = Shard::open(&store, 0).unwrap();
        let whole = usize::from(end >= first) + usize::from(end == lines.len());
        assert_eq!(shard.known.len(), whole, "{end}");
        // What is appended then is found again.
        shard.append(9, line(9, "solved"), &certificates[0].1).unwrap();
        let files = of(&store, &last(&store)).unwrap().unwrap();
        assert_eq!(files.files, certificates[0].0.files, "{end}");
    }
    // A line whose certificate is gone does not count.
    fs::write(&results, &lines).unwrap();
    fs::write(&packs, &packed[..packed.len() - 1]).unwrap();
    let seen = Shard::open(&store, 0).unwrap().known;
    assert_eq!(seen.into_keys().collect::<Vec<_>>(), [1]);
}

#[test]
fn what_is_no_store_is_not_written_to() {
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(Store::open(folder.path()), Err(StoreError::Missing(_))));
    fs::write(folder.path().join("letter.txt"), "mine").unwrap();
    assert!(matches!(Store::begin(folder.path(), None), Err(StoreError::Foreign(_))));
    fs::write(folder.path().join(ABOUT), "{\"schema\": 2, \"shards\": 0}").unwrap();
    assert!(matches!(Store::begin(folder.path(), None), Err(StoreError::Later(_))));
    fs::write(folder.path().join(ABOUT), "{\"schema\": 2, \"shards\": 1}").unwrap();
    let store = Store::open(folder.path()).unwrap();
    fs::write(store.results(0), "{\"key\": 7}\n").unwrap();
    assert!(matches!(Shard::open(&store, 0), Err(StoreError::NoResult(_, 1))));
}

#[test]
fn a_forged_certificate_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::begin(&folder.path().join("store"), Some(1)).unwrap();
    let mut shard = Shard::open(&store, 0).unwrap();
    shard.append(1, line(1, "solved"), &certificate(1, "one").1).unwrap();
    let mut result = last(&store);
    assert!(of(&store, &result).unwrap().is_some());
    let place = result.certificate.as_ref().unwrap().clone();
    for forged in [
        PackLocation { sha256: "00".to_owned(), ..place.clone() },
        PackLocation { offset: 1, ..place.clone() },
        PackLocation { bytes: u64::MAX, ..place.clone() },
        PackLocation { shard: 7, ..place.clone() },
    ] {
        let forged = LevelQuestion { certificate: forged.into(), ..result.clone() };
        let refused = of(&store, &forged);
        assert!(refused.is_err_and(|it| !matches!(it, CheckFailure::Stopped(_))), "{place:?}");
    }
    result.key = Some(shown(2));
    assert!(matches!(of(&store, &result), Err(CheckFailure::Fault(_))), "another's");
    // Without room for it nothing is known of it.
    result.key = Some(shown(1));
    for room in [place.bytes - 1, place.bytes + 2] {
        let without = store.certificate(&result, room, &mut Monitor::silent(&Limits::none()));
        assert_eq!(without.err(), Some(CheckFailure::Stopped(Stop::Memory)));
    }
}

#[cfg(unix)]
#[test]
fn files_of_a_store_are_regular_files_in_its_folder() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let store = Store::begin(&folder.path().join("store"), Some(1)).unwrap();
    let other = folder.path().join("other");
    let refused = |what: &str| {
        let message = Failure::from(Shard::open(&store, 0).map(drop).unwrap_err()).message;
        assert!(message.contains(what), "{message}");
    };
    // Nothing elsewhere is written to, nor cut, nor made.
    symlink(&other, store.results(0)).unwrap();
    refused("No such file");
    assert!(!other.exists());
    fs::write(&other, "a letter").unwrap();
    refused("leads out of the folder");
    assert_eq!(fs::read(&other).unwrap(), b"a letter");
    fs::remove_file(store.results(0)).unwrap();
    symlink(&other, store.certificates(0)).unwrap();
    refused("leads out of the folder");
    assert_eq!(fs::read(&other).unwrap(), b"a letter");
    fs::remove_file(store.certificates(0)).unwrap();
    let pipe = std::process::Command::new("mkfifo").arg(store.results(0)).status();
    assert!(pipe.unwrap().success());
    refused("not a regular file");
    let visited = store.visit(0, &mut |_, _: Value| Ok::<(), StoreError>(()));
    assert!(Failure::from(visited.unwrap_err()).message.contains("not a regular file"));
}

#[test]
fn lines_that_are_too_long_are_no_results() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::begin(&folder.path().join("store"), Some(1)).unwrap();
    File::create(store.results(0)).unwrap().set_len(MAX_LINE_BYTES + 2).unwrap();
    let visited = store.visit(0, &mut |_, _: Value| Ok::<(), StoreError>(()));
    assert!(matches!(visited, Err(StoreError::NoResult(_, 1))));
    fs::remove_file(store.results(0)).unwrap();
    let mut shard = Shard::open(&store, 0).unwrap();
    let long = "x".repeat(MAX_LINE_BYTES as usize);
    assert!(shard.append(1, line(1, &long), &[]).is_err());
    assert!(known(&store).is_empty());
}

/// A log is a store of one file; what is not the beginning of a result is not cut off.
#[test]
fn logs_are_tidied_and_other_files_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let open = || OpenStore::open(Store::log(&path));
    let log = open().unwrap();
    for (key, verdict) in [(1, "unknown"), (2, "solved"), (3, "solved"), (1, "solved")] {
        log.keep(key, line(key, verdict), &[]).unwrap();
    }
    assert!(matches!(open(), Err(StoreError::Busy(_))));
    log.tidy().unwrap();
    let lines = [1, 2, 3].map(|key| format!("{}\n", line(key, "solved"))).concat();
    assert_eq!(fs::read_to_string(&path).unwrap(), lines);
    // What is appended behind the new content is found, and so is what was there.
    log.keep(4, line(4, "unsolvable"), &[]).unwrap();
    for (key, verdict) in [(3, "solved"), (4, "unsolvable")] {
        assert_eq!(log.find(key).unwrap(), Some(line(key, verdict)));
    }
    drop(log);
    let whole = fs::read_to_string(&path).unwrap();
    assert!(Store::is_at(&path) && known(&Store::log(&path)).len() == 4);
    for end in 0..whole.len() {
        fs::write(&path, &whole[..end]).unwrap();
        let log = open().unwrap();
        let lines = whole[..end].matches('\n').count() as Key;
        for key in 1..=4 {
            assert_eq!(log.find(key).unwrap().is_some(), key <= lines, "{end}");
        }
    }
    for letter in ["hello", "{\"a\": 1}\n", "{\"schema\":2}\n", "{ \"schema\":", "x\n"] {
        fs::write(&path, letter).unwrap();
        let refused = Failure::from(open().unwrap_err()).message;
        assert!(refused.contains(":1: not a result of unstuck"), "{letter}: {refused}");
        assert_eq!(fs::read_to_string(&path).unwrap(), letter);
    }
}
