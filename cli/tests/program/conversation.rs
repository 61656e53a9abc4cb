//! A program at work, listened to: a test waits for what it says, never for time to pass.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The longest that a test waits for a line: it fails then.
const PATIENCE: Duration = Duration::from_secs(120);

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

    /// Waits until a line has this text.
    #[track_caller]
    pub(crate) fn until(&mut self, text: &str) {
        let begun = Instant::now();
        while let Ok((is_out, line)) = self.lines.recv_timeout(PATIENCE) {
            let found = line.contains(text);
            self.heard(is_out, &line);
            if found {
                return;
            }
            assert!(begun.elapsed() < PATIENCE, "no line had `{text}`: {}{}", self.out, self.err);
        }
        panic!("no line had `{text}`: {}{}", self.out, self.err);
    }

    /// What it said in all, when it has ended.
    pub(crate) fn end(mut self) -> Output {
        let lines: Vec<_> = self.lines.iter().collect();
        for (is_out, line) in lines {
            self.heard(is_out, &line);
        }
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
