//! Work written down for machines that share a file system: tasks of some hundred levels each.
//!
//! A task is a file of what is asked, a line each, and a store of its own for what comes out, its
//! part. The process that works on a task writes only its part; the process that handed the tasks
//! out collects what the parts have into the store, while they grow. So a task that is killed and
//! begun again, here or elsewhere, goes on where it was, and nothing of it is lost with the one who
//! waits for it.

use crate::store::result::{LevelQuestion, LevelResult};
use crate::store::shards::{Key, MAX_CERTIFICATE_BYTES, Store, StoreError, at};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::fs;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use unstuck::certificate::folder::write_whole;
use unstuck::machine::regular;
use unstuck::report::Field;

/// The folder of the tasks of a store.
const FOLDER: &str = "tasks";

/// The file that says who runs them.
const ABOUT: &str = "tasks.json";

/// What it says.
#[derive(Serialize, Deserialize)]
struct About {
    job: String,
}

/// The tasks of a store.
#[derive(Clone, Debug)]
pub struct Tasks {
    folder: PathBuf,
}

impl Tasks {
    /// The tasks of the store of a folder, whether there are any or not.
    pub fn of(store: &Path) -> Self {
        Self { folder: store.join(FOLDER) }
    }

    /// The folder of the tasks.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether there are any: those of an earlier run.
    pub fn exist(&self) -> bool {
        self.folder.exists()
    }

    /// How many there are.
    pub fn count(&self) -> u32 {
        (0..).find(|&number| !self.file(number).exists()).unwrap_or(u32::MAX)
    }

    fn file(&self, number: u32) -> PathBuf {
        self.folder.join(format!("{number:06}.jsonl"))
    }

    /// Writes down what is asked, so many levels a task; how many tasks these are.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn write(
        &self,
        asked: &mut dyn Iterator<Item = String>,
        levels: usize,
    ) -> Result<u32, StoreError> {
        fs::create_dir_all(&self.folder).map_err(at(&self.folder))?;
        let mut number = 0;
        loop {
            let lines: Vec<String> = asked.take(levels).collect();
            if lines.is_empty() {
                return Ok(number);
            }
            whole(&self.file(number), &lines.join("\n"))?;
            number += 1;
        }
    }

    /// What is asked in a task.
    ///
    /// # Errors
    /// When there is no such task.
    pub(crate) fn asked(
        &self,
        number: u32,
    ) -> Result<impl Iterator<Item = LevelQuestion> + Send + use<>, StoreError> {
        let path = self.file(number);
        let file = regular::open(&path).map_err(at(&path))?.file;
        let lines = BufReader::new(file).lines().map_while(Result::ok);
        Ok(lines.filter_map(|line| serde_json::from_str(&line).ok()))
    }

    /// The store of what comes out of a task.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn part(&self, number: u32) -> Result<Store, StoreError> {
        Store::begin(&self.folder.join(format!("{number:06}")), Some(1))
    }

    /// Where errors of a task are written; the placeholder of its number is theirs.
    pub fn errors(&self, number: &str) -> PathBuf {
        self.folder.join(format!("{number}.err"))
    }

    /// Writes down who runs the tasks.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn set_job(&self, job: &str) -> Result<(), StoreError> {
        let about = json!(About { job: job.to_owned() });
        whole(&self.folder.join(ABOUT), &about.to_string())
    }

    /// Who runs the tasks, where that was written down.
    pub fn job(&self) -> Option<String> {
        let text = regular::read_text(&self.folder.join(ABOUT), regular::MOST).ok()?;
        serde_json::from_str(&text).ok().map(|About { job }| job)
    }

    /// Removes them, with their parts.
    ///
    /// # Errors
    /// When they cannot be removed.
    pub fn remove(&self) -> Result<(), StoreError> {
        match fs::remove_dir_all(&self.folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(at(&self.folder)(error)),
            _ => Ok(()),
        }
    }

    /// Collects what the parts have, from their beginning.
    pub fn collector(&self) -> Collector {
        Collector { tasks: self.clone(), count: self.count(), places: Vec::new() }
    }
}

/// Collects what the parts of tasks have, as they grow.
#[derive(Debug)]
pub struct Collector {
    tasks: Tasks,
    count: u32,
    /// How much of each part has been read.
    places: Vec<u64>,
}

impl Collector {
    /// Takes what is new in the parts: each result, and its packed certificate. What is no whole
    /// result, or whose certificate is not as it says, is left where it is, for it is asked again.
    ///
    /// # Errors
    /// When a part cannot be read.
    pub(crate) fn collect(
        &mut self,
        take: &mut dyn FnMut(Key, LevelResult, Vec<u8>),
    ) -> Result<(), StoreError> {
        self.places.resize(self.count as usize, 0);
        for (number, place) in (0..self.count).zip(&mut self.places) {
            let part = match Store::open(&self.tasks.folder.join(format!("{number:06}"))) {
                Err(StoreError::Missing(_)) => continue,
                part => part?,
            };
            // A task that was begun again has cut off what was torn.
            *place = part.visit_from(0, *place, &mut |key, mut line| {
                let packed = match &*line.asked.certificate {
                    None => Some(Vec::new()),
                    Some(place) => part.packed(place, MAX_CERTIFICATE_BYTES as u64).ok(),
                };
                line.asked.certificate = Field::null();
                if let Some(packed) = packed {
                    take(key, line, packed);
                }
                Ok::<(), StoreError>(())
            })?;
        }
        Ok(())
    }
}

/// Writes lines whole or not at all.
fn whole(path: &Path, text: &str) -> Result<(), StoreError> {
    write_whole(path, |out| writeln!(out, "{text}")).map_err(at(path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::shards::{Shard, shown};
    use unstuck::report::LevelAnswer;

    fn line(key: Key) -> LevelResult {
        let asked = LevelQuestion { key: Some(shown(key)), ..LevelQuestion::default() };
        LevelResult::new(
            asked,
            LevelAnswer { verdict: "solved".to_owned(), ..LevelAnswer::default() },
        )
    }

    fn collected(collector: &mut Collector) -> Vec<(Key, Vec<u8>)> {
        let mut taken = Vec::new();
        collector.collect(&mut |key, _, packed| taken.push((key, packed))).unwrap();
        taken
    }

    #[test]
    fn parts_are_collected_as_they_grow_and_once() {
        let folder = tempfile::tempdir().unwrap();
        let tasks = Tasks::of(folder.path());
        assert!(!tasks.exist());
        let mut asked = (0..5).map(|key| line(key).to_string());
        assert_eq!(tasks.write(&mut asked, 2).unwrap(), 3);
        assert_eq!((tasks.count(), tasks.asked(2).unwrap().count()), (3, 1));
        assert!(tasks.asked(3).is_err() && tasks.job().is_none());
        tasks.set_job("7").unwrap();
        assert_eq!(tasks.job().as_deref(), Some("7"));
        let mut collector = tasks.collector();
        assert_eq!(collected(&mut collector), []);
        let part = tasks.part(1).unwrap();
        let mut shard = Shard::open(&part, 0, &mut |_, _| {}).unwrap();
        shard.append(line(2), b"abc").unwrap();
        assert_eq!(collected(&mut collector), [(2, b"abc".to_vec())]);
        assert_eq!(collected(&mut collector), []);
        // The beginning of a line is no line; what is torn is cut off by the next who writes.
        drop(shard);
        let text = fs::read(part.results(0)).unwrap();
        fs::write(part.results(0), [text, b"{\"key\"".to_vec()].concat()).unwrap();
        assert_eq!(collected(&mut collector), []);
        let mut shard = Shard::open(&part, 0, &mut |_, _| {}).unwrap();
        shard.append(line(3), b"").unwrap();
        assert_eq!(collected(&mut collector), [(3, Vec::new())]);
        // A certificate that is not what its result says is not taken, nor its result.
        shard.append(line(4), b"xyz").unwrap();
        fs::write(part.certificates(0), b"abcxyy").unwrap();
        assert_eq!(collected(&mut collector), []);
        tasks.remove().unwrap();
        tasks.remove().unwrap();
        assert!(!tasks.exist());
    }
}
