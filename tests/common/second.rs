//! The checker in the book, `docs/check.py`, in one process for many folders.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// What runs it.
pub(crate) fn runner() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/check_py/run.py")
}

/// A process that judges folders.
pub(crate) struct Second {
    child: Child,
    /// `None` once it was told to end.
    folders: Option<ChildStdin>,
    verdicts: BufReader<ChildStdout>,
}

impl Second {
    /// Starts it; `None` where there is no Python.
    pub(crate) fn start() -> Option<Self> {
        if !super::on_path("python3") {
            eprintln!("SKIPPED: `python3` is not on PATH");
            return None;
        }
        let mut command = Command::new("python3");
        command.arg(runner()).arg("serve").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("python3 runs");
        let folders = child.stdin.take();
        let verdicts = BufReader::new(child.stdout.take().expect("a pipe"));
        Some(Self { child, folders, verdicts })
    }

    /// The exit code for a folder, and the verdict.
    pub(crate) fn judge(&mut self, folder: &Path) -> (i32, String) {
        let folders = self.folders.as_mut().expect("not ended");
        writeln!(folders, "{}", folder.display()).expect("it reads");
        let mut line = String::new();
        self.verdicts.read_line(&mut line).expect("it answers");
        let (code, verdict) = line.split_once(' ').unwrap_or_else(|| panic!("no answer: {line}"));
        let code = code.parse().unwrap_or_else(|_| panic!("no exit code: {line}"));
        (code, verdict.trim_end().to_owned())
    }
}

impl Drop for Second {
    fn drop(&mut self) {
        drop(self.folders.take());
        let _ = self.child.wait();
    }
}
