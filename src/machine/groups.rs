//! Programs with all that they start: each has a process group of its own.

#[cfg(unix)]
pub use of_processes::{end, end_all, interrupt, spawn};

#[cfg(not(unix))]
pub use alone::{end, end_all, interrupt, spawn};

#[cfg(unix)]
mod of_processes {
    use crate::machine::lock;
    use rustix::process::{Pid, Signal, kill_process_group};
    use std::io;
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command};
    use std::sync::Mutex;

    static RUNNING: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

    /// Starts a program.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn spawn(command: &mut Command) -> io::Result<Child> {
        // Locked, so that no other thread ends all in between.
        let mut running = lock(&RUNNING);
        let child = command.process_group(0).spawn()?;
        running.extend(Pid::from_raw(child.id() as i32));
        Ok(child)
    }

    /// Ends a program, if it has not ended, and all that it has started.
    pub fn end(child: &mut Child) {
        let group = Pid::from_raw(child.id() as i32);
        lock(&RUNNING).retain(|&other| Some(other) != group);
        // A group that has ended by itself is no fault.
        let _ = group.map(|group| kill_process_group(group, Signal::KILL));
        let _ = child.wait();
    }

    /// Asks a program, and all that it has started, to end as Ctrl-C does.
    pub fn interrupt(child: &Child) {
        let group = Pid::from_raw(child.id() as i32);
        let _ = group.map(|group| kill_process_group(group, Signal::INT));
    }

    /// Ends all programs that are running. For a process that is about to end itself.
    pub fn end_all() {
        for group in lock(&RUNNING).drain(..) {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

/// Elsewhere only the program itself is ended.
#[cfg(not(unix))]
mod alone {
    use std::io;
    use std::process::{Child, Command};

    /// Starts a program.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn spawn(command: &mut Command) -> io::Result<Child> {
        command.spawn()
    }

    /// Ends a program.
    pub fn end(child: &mut Child) {
        let _ = child.kill();
        let _ = child.wait();
    }

    /// There is no process to ask.
    pub fn interrupt(_: &Child) {}

    /// No process is known.
    pub fn end_all() {}
}
