//! How a test waits: for a line that a program says, for a file, for an end. Never for time to pass,
//! and for nothing without a bound.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The longest that a test waits for anything: it fails then. Nothing takes so long on a machine
/// that is only slow, or busy with other things.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// Waits until something is so; `false` where it has not come in time.
#[must_use]
pub(crate) fn comes(mut is_so: impl FnMut() -> bool) -> bool {
    let begun = Instant::now();
    while !is_so() {
        let waited = begun.elapsed();
        if waited > PATIENCE {
            return false;
        }
        // Closely at first; what takes longer is looked at less often, since that costs time, too.
        thread::sleep((waited / 50).clamp(Duration::from_millis(1), Duration::from_millis(20)));
    }
    true
}

/// Waits until something is so, which must come.
#[track_caller]
pub(crate) fn until(what: &str, is_so: impl FnMut() -> bool) {
    assert!(comes(is_so), "{what} did not come");
}

/// A program that was started, and what it has said so far.
pub(crate) struct Conversation {
    child: Child,
    lines: Receiver<(bool, String)>,
    out: String,
    err: String,
}

impl Conversation {
    /// Starts a program with both streams piped.
    pub(crate) fn start(command: &mut Command) -> Self {
        let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let (send, lines) = channel();
        listen(child.stdout.take().expect("piped"), true, send.clone());
        listen(child.stderr.take().expect("piped"), false, send);
        Self { child, lines, out: String::new(), err: String::new() }
    }

    /// The number of the process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// The child's standard input, the first time.
    pub(crate) fn stdin(&mut self) -> std::process::ChildStdin {
        self.child.stdin.take().expect("piped")
    }

    /// Waits until one more line has this text.
    #[track_caller]
    pub(crate) fn until(&mut self, text: &str) {
        let end = Instant::now() + PATIENCE;
        let mut found = false;
        while !found {
            let left = end.saturating_duration_since(Instant::now());
            let line = (!left.is_zero()).then(|| self.lines.recv_timeout(left).ok()).flatten();
            let Some((is_out, line)) = line else {
                panic!("no line had `{text}`: {}{}", self.out, self.err);
            };
            found = line.contains(text);
            self.heard(is_out, &line);
        }
    }

    /// Hears all that it says, until it says nothing more.
    pub(crate) fn hear_all(&mut self) {
        let lines: Vec<_> = self.lines.iter().collect();
        for (is_out, line) in lines {
            self.heard(is_out, &line);
        }
    }

    /// What it said in all, when it has ended.
    pub(crate) fn end(mut self) -> Output {
        self.hear_all();
        let status = self.child.wait().expect("a child");
        Output { status, stdout: self.out.into_bytes(), stderr: self.err.into_bytes() }
    }

    /// Ends it at once.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("it is killed");
        self.child.wait().expect("a child");
    }

    fn heard(&mut self, is_out: bool, line: &str) {
        if is_out { &mut self.out } else { &mut self.err }.push_str(line);
    }
}

fn listen(stream: impl Read + Send + 'static, is_out: bool, send: Sender<(bool, String)>) {
    thread::spawn(move || {
        let mut reader = BufReader::new(stream);
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
            let text = String::from_utf8_lossy(&line).into_owned();
            if send.send((is_out, text)).is_err() {
                return;
            }
            line.clear();
        }
    });
}
