//! A folder for one test, and the program run in it.

use crate::wait::comes;
use serde_json::Value;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::{fmt, fs};
use unstuck::backend::external::words;

/// A folder for one test, and the program run in it.
pub(crate) struct TestFolder {
    pub(crate) folder: tempfile::TempDir,
}

impl TestFolder {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder") }
    }

    /// With a file in it.
    pub(crate) fn with(self, name: &str, text: &str) -> Self {
        self.write(name, text);
        self
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> &Self {
        fs::write(self.path(name), text).expect("written");
        self
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The objects of a file that has one on each line.
    pub(crate) fn values(&self, name: &str) -> Vec<Value> {
        parsed(&self.read(name))
    }

    pub(crate) fn write_values(&self, name: &str, values: &[Value]) -> &Self {
        self.write(name, &values.iter().map(|value| format!("{value}\n")).collect::<String>())
    }

    /// Writes a program, in the language of the shell.
    #[cfg(unix)]
    pub(crate) fn write_program(&self, name: &str, text: &str) -> &Self {
        use std::os::unix::fs::PermissionsExt;
        self.write(name, &format!("#!/bin/sh\n{text}"));
        let allowed = fs::Permissions::from_mode(0o755);
        fs::set_permissions(self.path(name), allowed).expect("allowed");
        self
    }

    /// Makes a pipe, in place of what is there.
    #[cfg(unix)]
    pub(crate) fn make_pipe(&self, name: &str) {
        let _ = fs::remove_file(self.path(name));
        let made = Command::new("mkfifo").arg(self.path(name)).status();
        assert!(made.expect("mkfifo runs").success());
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    /// The program with these arguments, all its streams piped.
    pub(crate) fn command_with(&self, arguments: &[String]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_unstuck"));
        command.args(arguments).current_dir(self.folder.path()).env_remove("NO_COLOR");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// The same with the words of a line, quoted as in a shell, and without an input.
    pub(crate) fn command(&self, line: &str) -> Command {
        let words = words(line).expect("quotes are closed");
        let mut command = self.command_with(&words);
        command.stdin(Stdio::null());
        command
    }

    /// Runs the words of a line with an input.
    pub(crate) fn fed(&self, line: &str, input: &str) -> CommandOutput {
        let mut command = self.command(line);
        let mut child = command.stdin(Stdio::piped()).spawn().expect("the program starts");
        // A program that fails early does not read its input.
        let _ = child.stdin.take().expect("piped").write_all(input.as_bytes());
        let output = child.wait_with_output().expect("the program ends");
        CommandOutput { line: line.to_owned(), ..CommandOutput::of(&output) }
    }

    /// Runs the words of a line with an input that is empty.
    pub(crate) fn run(&self, line: &str) -> CommandOutput {
        self.fed(line, "")
    }

    /// Runs the words of a line, which must end soon: what hangs is ended, and is a failure.
    #[track_caller]
    pub(crate) fn soon(&self, line: &str) -> CommandOutput {
        let mut child = self.command(line).spawn().expect("the program starts");
        if !comes(|| child.try_wait().expect("a child").is_some()) {
            child.kill().expect("it is killed");
            panic!("it hangs: {line}");
        }
        CommandOutput::of(&child.wait_with_output().expect("it has ended"))
    }

    /// The objects that the words of a line print, which must end with this code.
    #[track_caller]
    pub(crate) fn objects(&self, line: &str, code: i32) -> Vec<Value> {
        self.run(&format!("{line} --json")).ends(code).objects()
    }

    /// The same of a line that prints one.
    #[track_caller]
    pub(crate) fn object(&self, line: &str, code: i32) -> Value {
        let mut objects = self.objects(line, code);
        assert_eq!(objects.len(), 1, "{line}: {objects:?}");
        objects.remove(0)
    }
}

/// Objects, one a line.
fn parsed(lines: &str) -> Vec<Value> {
    let object = |line: &str| serde_json::from_str(line).unwrap_or_else(|e| panic!("{line}: {e}"));
    lines.lines().map(object).collect()
}

/// What the program printed.
#[derive(Debug)]
pub(crate) struct CommandOutput {
    /// What was run.
    line: String,
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl CommandOutput {
    pub(crate) fn of(output: &Output) -> Self {
        Self {
            line: String::new(),
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// The objects that were printed, one a line.
    pub(crate) fn objects(&self) -> Vec<Value> {
        parsed(&self.out)
    }

    #[track_caller]
    pub(crate) fn ends(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self}");
        self
    }

    #[track_caller]
    pub(crate) fn says(self, part: &str) -> Self {
        assert!(self.out.contains(part), "not said: {part}\n{self}");
        self
    }

    #[track_caller]
    pub(crate) fn complains(self, part: &str) -> Self {
        assert!(self.err.contains(part), "not complained: {part}\n{self}");
        self
    }
}

impl fmt::Display for CommandOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]\n{}{}", self.line, self.code, self.out, self.err)
    }
}
