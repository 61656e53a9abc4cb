//! Cubes that any number of processes refute: they share a folder.
//!
//! There is a folder of its own for each formula, named by what it is and the SHA-256 of its files:
//!
//! | file | what it holds |
//! | --- | --- |
//! | `formula.cnf` | the formula |
//! | `cubes.txt` | its cubes from 0, a line `a LITERAL ... 0` each, as in files of the form iCNF |
//! | `N.lrat` | the refutation of the formula with the literals of cube N as unit clauses behind it |
//! | `model` | a model, where there is one: then nothing is left to refute |
//! | `N.lock` | the process that works on cube N holds a lock on it |
//!
//! Every file is there whole or not at all, and a lock ends with the process that has it: cubes of
//! one that is lost are open again. Where the file system knows no locks, cubes are refuted several
//! times, which costs time and nothing else. The process that joins the refutations checks each,
//! and those that do not hold are thrown away and done again.

use super::cubes::{RefutationResult, Refuter, composed};
use super::files::{self, Files};
use super::folder::{share, write_whole};
use super::manifest_files::read_small;
use super::proof_task::ProveError;
use super::refutation::write_model;
use crate::backend::Prover;
use crate::formula::dimacs::{self, CnfReader, SolverStatus};
use crate::formula::{ClauseList, Clauses};
use crate::limits::Limits;
use crate::machine::locks::{self, Lock};
use crate::machine::{self, lock, regular, stale_files};
use crate::proof::ProofError;
use crate::proof::cubes::{CubeFormula, Cubes};
use crate::proof::derivation::Derivation;
use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use unstuck_encodings::{Lit, Model};

const FORMULA: &str = "formula.cnf";
const CUBES: &str = "cubes.txt";
const MODEL: &str = "model";

/// How often a folder is made that others remove at the same time.
const MAX_TRIES: u32 = 100;

/// Time between two looks at what others have done.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// The cubes of one formula in a folder.
#[derive(Clone, Debug)]
pub(super) struct SharedCubes {
    folder: PathBuf,
    cubes: Vec<Vec<Lit>>,
    /// The order in which they are begun: short ones first, for these settle most.
    order: Vec<usize>,
}

/// The next cube to work on.
enum Next {
    /// This one; the lock on it, and the file that is locked.
    Cube(usize, Option<Lock>, File),
    /// The open ones are others' work.
    Elsewhere,
    /// None is open.
    None,
}

impl SharedCubes {
    fn new(folder: PathBuf, cubes: Vec<Vec<Lit>>) -> Self {
        let mut order: Vec<usize> = (0..cubes.len()).collect();
        order.sort_by_key(|&cube| cubes[cube].len());
        Self { folder, cubes, order }
    }

    /// Writes down a formula and its cubes inside a folder, where they are not there already.
    fn begin(
        within: &Path,
        name: &str,
        formula: &dyn Clauses,
        cubes: &Cubes,
    ) -> Result<Self, ProveError> {
        fs::create_dir_all(within)?;
        stale_files::sweep(within);
        let draft = tempfile::Builder::new().prefix(stale_files::PREFIX).tempdir_in(within)?;
        let _held = stale_files::hold(draft.path());
        write_whole(&draft.path().join(FORMULA), |out| dimacs::write_cnf(out, formula, []))?;
        let all: Vec<Vec<Lit>> = cubes.all().into_iter().map(<[Lit]>::to_vec).collect();
        write_whole(&draft.path().join(CUBES), |out| {
            all.iter().try_for_each(|cube| {
                write!(out, "a ")?;
                cube.iter().try_for_each(|lit| write!(out, "{lit} "))?;
                writeln!(out, "0")
            })
        })?;
        let sum = sum(draft.path())?;
        let folder = within.join(format!("{name}-{}", &sum[..16]));
        share(draft.path())?;
        let mut tries = 1..;
        while let Err(error) = fs::rename(draft.path(), &folder) {
            match self::sum(&folder) {
                Ok(there) if there == sum => return Ok(Self::new(folder, all)),
                // It was there, and has been removed this very moment.
                Err(_) if !folder.exists() && tries.next() < Some(MAX_TRIES) => {}
                Err(_) if !folder.exists() => return Err(error.into()),
                _ => return Err(invalid(&folder, &"not what its name says: remove it")),
            }
        }
        let _ = draft.keep();
        Ok(Self::new(folder, all))
    }

    /// Opens what another process has written; `None` if it is not such a folder.
    fn open(folder: &Path) -> Result<Option<Self>, ProveError> {
        if !folder.join(CUBES).is_file() {
            return Ok(None);
        }
        let text = read_small(&folder, CUBES).map_err(|error| invalid(folder, &error))?;
        let cubes: Option<Vec<Vec<Lit>>> = text.lines().map(cube).collect();
        let cubes = cubes.ok_or_else(|| invalid(folder, &format!("{CUBES}: no list of cubes")))?;
        Ok(Some(Self::new(folder.to_owned(), cubes)))
    }

    /// The formula, read from its file.
    fn formula(&self) -> Result<ClauseList, ProveError> {
        let wrong = |error: &dyn std::fmt::Display| invalid(&self.folder, error);
        let place = self.folder.as_path();
        let file = place.open(FORMULA).map_err(|error| wrong(&error))?;
        let mut reader = CnfReader::new(BufReader::new(file.input)).map_err(|e| wrong(&e))?;
        let variables = reader.variables();
        let most = self.cubes.iter().flatten().map(|lit| lit.number() as usize).max();
        if variables as u64 > file.bytes || most > Some(variables) {
            return Err(wrong(&format!("{FORMULA}: {variables} variables cannot be")));
        }
        let mut formula = ClauseList::default();
        while let Some(clause) = reader.next_clause().map_err(|error| wrong(&error))? {
            formula.add(clause.iter().copied());
        }
        Ok(formula.over(variables))
    }

    fn path(&self, cube: usize, kind: &str) -> PathBuf {
        self.folder.join(format!("{cube:06}.{kind}"))
    }

    fn is_refuted(&self, cube: usize) -> bool {
        self.path(cube, "lrat").symlink_metadata().is_ok()
    }

    fn refuted(&self) -> usize {
        (0..self.cubes.len()).filter(|&cube| self.is_refuted(cube)).count()
    }

    /// Whether nothing is left to do here, whatever is open: a model was found, or the folder was
    /// removed.
    fn is_over(&self) -> bool {
        self.folder.join(MODEL).symlink_metadata().is_ok() || !self.folder.join(CUBES).is_file()
    }

    fn next(&self) -> io::Result<Next> {
        let mut elsewhere = false;
        for &cube in self.order.iter().filter(|&&cube| !self.is_refuted(cube)) {
            let path = self.path(cube, "lock");
            let file = match regular::append(&path) {
                Err(_) if self.is_over() => return Ok(Next::None),
                file => file?,
            };
            let lock = match locks::open_file(&path, &file) {
                Err(TryLockError::WouldBlock) => {
                    elsewhere = true;
                    continue;
                }
                lock => lock.ok(),
            };
            if !self.is_refuted(cube) {
                return Ok(Next::Cube(cube, lock, file));
            }
        }
        Ok(if elsewhere { Next::Elsewhere } else { Next::None })
    }

    fn has_open(&self) -> io::Result<bool> {
        Ok(!self.is_over() && matches!(self.next()?, Next::Cube(..)))
    }

    /// Writes a file, unless the folder has been removed: then it is no longer needed.
    fn put(
        &self,
        path: &Path,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        write_whole(path, write).or_else(|error| if self.is_over() { Ok(()) } else { Err(error) })
    }

    /// The refutation of a cube; nothing where it is not there, or does not hold: then it is thrown
    /// away.
    fn part(
        &self,
        cube: usize,
        formula: &dyn Clauses,
        limits: &Limits,
        say: &mut dyn FnMut(&str),
    ) -> Result<Option<Derivation>, ProveError> {
        if !self.is_refuted(cube) {
            return Ok(None);
        }
        let under = CubeFormula::new(formula, &self.cubes[cube]);
        let path = self.path(cube, "lrat");
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let place = self.folder.as_path();
        let read = place.open(&name).map_err(|error| error.to_string());
        let read = read.and_then(|file| {
            match Derivation::of_lrat(&under, BufReader::new(file.input), limits) {
                Err(ProofError::Stopped(stop)) => Ok(Err(stop)),
                other => other.map(Ok).map_err(|error| error.to_string()),
            }
        });
        match read {
            Ok(derivation) => Ok(Some(derivation?)),
            Err(reason) => {
                say(&format!("{} does not hold ({reason}): it is done again", path.display()));
                throw_away(&path)?;
                Ok(None)
            }
        }
    }

    /// The model that another process found, if it is one.
    fn model(&self, formula: &dyn Clauses, say: &mut dyn FnMut(&str)) -> io::Result<Option<Model>> {
        let path = self.folder.join(MODEL);
        if path.symlink_metadata().is_err() {
            return Ok(None);
        }
        let text = read_small(&&*self.folder, MODEL).map_err(|error| error.to_string());
        let model = text.and_then(|text| match dimacs::read_output(&text) {
            Ok(SolverStatus::Sat(lits)) => {
                dimacs::checked_model(formula, &lits).map_err(|error| error.to_string())
            }
            Ok(_) => Err("no model".to_owned()),
            Err(error) => Err(error.to_string()),
        });
        match model {
            Ok(model) => Ok(Some(model)),
            Err(reason) => {
                say(&format!("{} is none ({reason}): thrown away", path.display()));
                throw_away(&path)?;
                Ok(None)
            }
        }
    }
}

/// Removes a file, if it is still there.
fn throw_away(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Removes the folder of a formula.
pub(super) fn remove(folder: &Path) {
    // Not removable, then it stays: nothing depends on it.
    let _ = fs::remove_dir_all(folder);
}

/// The cube of a line.
fn cube(line: &str) -> Option<Vec<Lit>> {
    let mut words = line.strip_prefix("a ")?.split(' ');
    let end = words.next_back()?;
    let lits = words.map(|word| Lit::from_dimacs(word.parse().ok()?)).collect();
    if end == "0" { lits } else { None }
}

/// SHA-256 of a formula and its cubes.
fn sum(folder: &Path) -> io::Result<String> {
    let [formula, cubes] = [FORMULA, CUBES].map(|name| regular::open(&folder.join(name)));
    files::sum(formula?.file.chain(cubes?.file))
}

fn invalid(folder: &Path, error: &dyn std::fmt::Display) -> ProveError {
    let reason = format!("{}: {error}", folder.display());
    io::Error::new(io::ErrorKind::InvalidData, reason).into()
}

impl Refuter<'_> {
    /// Refutes a formula together with the other processes that work in the folder; where its cubes
    /// are.
    pub(super) fn together(
        &self,
        formula: &dyn Clauses,
        cubes: &Cubes,
        within: &Path,
        name: &str,
        say: &mut dyn FnMut(&str),
    ) -> Result<(RefutationResult, PathBuf), ProveError> {
        loop {
            if let Some(stop) = self.limits.reached() {
                return Err(ProveError::Stopped(stop));
            }
            let shared = SharedCubes::begin(within, name, formula, cubes)?;
            self.work_off(formula, &shared, true, &AtomicUsize::new(0), say)?;
            if let Some(model) = shared.model(formula, say)? {
                remove(&shared.folder);
                return Ok((RefutationResult::Model(model), shared.folder));
            }
            if shared.is_over() {
                // By another prover of the same question, say, which is done with it.
                say(&format!("{} was removed: it is done again", shared.folder.display()));
                continue;
            }
            say("checking the refutations of the cubes");
            let parts =
                (0..shared.cubes.len()).map(|cube| shared.part(cube, formula, self.limits, say));
            let parts: Result<Vec<Option<Derivation>>, _> = parts.collect();
            // Those that are missing are done again.
            if let Some(parts) = parts?.into_iter().collect::<Option<Vec<Derivation>>>() {
                return Ok((composed(formula, cubes, &parts, say)?, shared.folder));
            }
        }
    }

    /// Refutes cubes until none is open; with `stay` until others are done with theirs, too. Counts
    /// those that are done.
    fn work_off(
        &self,
        formula: &dyn Clauses,
        shared: &SharedCubes,
        stay: bool,
        done: &AtomicUsize,
        say: &mut dyn FnMut(&str),
    ) -> Result<(), ProveError> {
        let over = Arc::new(AtomicBool::new(false));
        let limits = self.limits.clone().cancelled_by(over.clone());
        let working = AtomicUsize::new(self.threads.max(1));
        let fault: Mutex<Option<ProveError>> = Mutex::new(None);
        machine::scope(|scope| {
            for _ in 0..self.threads.max(1) {
                scope.spawn(|| {
                    let ended = self.cubes_of(formula, shared, stay, &limits, done);
                    if let Err(error) = ended
                        && !over.swap(true, Ordering::Relaxed)
                    {
                        *lock(&fault) = Some(error);
                    }
                    working.fetch_sub(1, Ordering::Release);
                });
            }
            while working.load(Ordering::Acquire) > 0 {
                let (refuted, all) = (shared.refuted(), shared.cubes.len());
                say(&format!("{refuted} of {all} cubes refuted"));
                // Then whatever the others are doing is of no use.
                if shared.is_over() {
                    over.store(true, Ordering::Relaxed);
                }
                machine::sleep(POLL_INTERVAL);
            }
        });
        lock(&fault).take().map_or(Ok(()), Err)
    }

    /// One thread of it.
    fn cubes_of(
        &self,
        formula: &dyn Clauses,
        shared: &SharedCubes,
        stay: bool,
        limits: &Limits,
        done: &AtomicUsize,
    ) -> Result<(), ProveError> {
        while !shared.is_over() {
            if let Some(stop) = limits.reached() {
                return Err(ProveError::Stopped(stop));
            }
            let (cube, _held) = match shared.next()? {
                Next::Cube(cube, lock, file) => (cube, (lock, file)),
                Next::Elsewhere if stay => {
                    machine::sleep(POLL_INTERVAL);
                    continue;
                }
                Next::Elsewhere | Next::None => return Ok(()),
            };
            let mut scratch = tempfile::tempfile()?;
            match self.one(formula, &shared.cubes[cube], &mut scratch, limits)? {
                RefutationResult::By(part) => {
                    shared.put(&shared.path(cube, "lrat"), |out| part.write(out).map(drop))?;
                    done.fetch_add(1, Ordering::Relaxed);
                }
                RefutationResult::Model(model) => {
                    shared.put(&shared.folder.join(MODEL), |out| write_model(out, &model))?;
                }
            }
        }
        Ok(())
    }
}

/// Who helps to refute cubes, and within what.
pub struct Helper<'a> {
    /// The solver.
    pub prover: &'a dyn Prover,
    /// Cubes at a time.
    pub threads: usize,
    /// For all together.
    pub limits: &'a Limits,
}

/// What a helper has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HelperReport {
    /// Cubes that it refuted.
    pub refuted: usize,
    /// Cubes that are others' work.
    pub elsewhere: usize,
}

impl Helper<'_> {
    /// Refutes what is open in a folder of shared cubes, for as long as there is something; counts
    /// what is done, also where it ends with an error.
    ///
    /// # Errors
    /// The limit that struck, a solver that fails, a folder that cannot be read.
    pub fn help(
        &self,
        folder: &Path,
        helped: &mut HelperReport,
        say: &mut dyn FnMut(&str),
    ) -> Result<(), ProveError> {
        let Self { prover, threads, limits } = *self;
        let refuter = Refuter { prover, format: None, threads, limits };
        loop {
            let before = helped.refuted;
            helped.elsewhere = 0;
            for folder in folders(folder)? {
                let Some(shared) = SharedCubes::open(&folder)? else { continue };
                if shared.has_open()? {
                    let (formula, done) = (shared.formula()?, AtomicUsize::new(0));
                    let ended = refuter.work_off(&formula, &shared, false, &done, say);
                    helped.refuted += done.into_inner();
                    ended?;
                }
                if !shared.is_over() {
                    helped.elsewhere += shared.cubes.len() - shared.refuted();
                }
            }
            if helped.refuted == before {
                return Ok(());
            }
        }
    }
}

/// The folders in a folder that are not in the making.
fn folders(folder: &Path) -> io::Result<BTreeSet<PathBuf>> {
    let entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    let made = entries.iter().filter(|entry| {
        !entry.file_name().to_string_lossy().starts_with('.') && entry.path().is_dir()
    });
    Ok(made.map(fs::DirEntry::path).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cubes_or_none() {
        let lits = |numbers: &[i32]| numbers.iter().map(|&it| Lit::from_dimacs(it)).collect();
        assert_eq!(cube("a 0"), Some(Vec::new()));
        assert_eq!(cube("a 3 -12 0"), lits(&[3, -12]));
        for broken in ["", "a", "a ", "0", "a 3", "a 3 0 0", "a 0 3", "a x 0", "a 99999999999 0"] {
            assert_eq!(cube(broken), None, "{broken}");
        }
    }

    #[test]
    fn folders_that_lie_are_refused() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("a");
        fs::create_dir(&folder).unwrap();
        assert!(SharedCubes::open(&folder).unwrap().is_none());
        let write = |formula: &str, cubes: &str| {
            fs::write(folder.join(FORMULA), formula).unwrap();
            fs::write(folder.join(CUBES), cubes).unwrap();
            SharedCubes::open(&folder).and_then(|shared| shared.expect("it has cubes").formula())
        };
        assert_eq!(write("p cnf 2 1\n1 2 0\n", "a 1 0\na -1 0\n").unwrap().len(), 1);
        for (formula, cubes) in [
            ("p cnf 2 1\n1 2 0\n", "a 1 0\na -1\n"),
            ("p cnf 2 1\n1 2 0\n", "a 1 0\na -3 0\n"),
            ("p cnf 2 2\n1 2 0\n", "a 1 0\n"),
            ("p cnf 1000000000 1\n1 2 0\n", "a 1 0\n"),
            ("", "a 1 0\n"),
        ] {
            assert!(write(formula, cubes).is_err(), "{formula:?} {cubes:?}");
        }
    }
}
