//! Workers that are processes: a crash, an abort, or the system's own end to a process that takes too
//! much memory costs one piece of work and not all.

use crate::runner::frame::Frame;
use crate::runner::{GRACE_TIME, Handle, Runner, Worker};
use std::fmt::Display;
use std::io::{self, BufReader};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use unstuck::machine::{self, Instant, groups, lock};

/// Time between two looks whether a process has ended.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Starts processes, which read work as frames and answer each with one.
pub(crate) struct Processes<'a> {
    /// Makes the command of one.
    pub command: &'a (dyn Fn() -> Command + Sync),
    /// What a process holds, where that can be known.
    pub held: fn(u32) -> Option<u64>,
}

impl<J: Display> Runner<J, Frame> for Processes<'_> {
    fn start(&self) -> io::Result<Box<dyn Worker<J, Frame>>> {
        let mut command = (self.command)();
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = groups::spawn(&mut command)?;
        let gone = || io::Error::other("a worker without pipes");
        let input = child.stdin.take().ok_or_else(gone)?;
        let output = BufReader::new(child.stdout.take().ok_or_else(gone)?);
        let process = Process { child: Mutex::new(Some(child)), held: self.held };
        Ok(Box::new(Pipes { input, output, process: Arc::new(process) }))
    }

    /// One may have been ended by the system or by a person.
    fn tries(&self) -> u32 {
        3
    }
}

/// The ends of a process's pipes. Without an input it ends.
struct Pipes {
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    process: Arc<Process>,
}

impl<J: Display> Worker<J, Frame> for Pipes {
    fn send(&mut self, job: &J) -> usize {
        let frame = Frame::of(job.to_string());
        let _ = frame.write(&mut self.input);
        frame.text.len()
    }

    fn receive(&mut self) -> Option<(Frame, bool)> {
        let frame = Frame::read(&mut self.output).ok().flatten()?;
        let last = frame.last;
        Some((frame, last))
    }

    fn handle(&self) -> Arc<dyn Handle> {
        self.process.clone()
    }
}

/// A process; none when it was ended.
struct Process {
    child: Mutex<Option<Child>>,
    held: fn(u32) -> Option<u64>,
}

impl Handle for Process {
    fn interrupt(&self) {
        lock(&self.child).iter().for_each(groups::interrupt);
    }

    /// With all that it has started.
    fn end(&self, at_once: bool) -> Option<String> {
        let mut child = lock(&self.child).take()?;
        let mut how = None;
        let begun = Instant::now();
        while !at_once && how.is_none() && begun.elapsed() < GRACE_TIME {
            how = child.try_wait().ok().flatten();
            if how.is_none() {
                machine::sleep(POLL_INTERVAL);
            }
        }
        groups::end(&mut child);
        Some(how.map_or_else(|| "it was ended".to_owned(), |status| status.to_string()))
    }

    fn held(&self) -> Option<u64> {
        lock(&self.child).as_ref().and_then(|child| (self.held)(child.id()))
    }
}
