//! Programs with all that they start: each has a process group of its own, on Windows a job.

#[cfg(unix)]
pub use of_processes::{end, end_all, interrupt, spawn, spawn as spawn_apart};

#[cfg(windows)]
pub use jobs::{end, end_all, interrupt, spawn, spawn_apart};

#[cfg(not(any(unix, windows)))]
pub use alone::{end, end_all, interrupt, spawn, spawn as spawn_apart};

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

#[cfg(windows)]
mod jobs {
    use crate::machine::lock;
    use std::io;
    use std::os::windows::io::AsRawHandle;
    use std::os::windows::process::CommandExt;
    use std::process::{Child, Command};
    use std::sync::Mutex;
    use win32job::{ExtendedLimitInfo, Job};

    /// Name of the system's interface: Ctrl-C on the console does not reach the program.
    const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;

    /// What runs, each with the job that ends with its last handle, which is here.
    static RUNNING: Mutex<Vec<(u32, Job)>> = Mutex::new(Vec::new());

    /// Starts a program that heeds Ctrl-C itself, which reaches it from the console.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn spawn(command: &mut Command) -> io::Result<Child> {
        // Locked, so that no other thread ends all in between.
        let mut running = lock(&RUNNING);
        let child = command.spawn()?;
        let job = Job::create_with_limit_info(ExtendedLimitInfo::new().limit_kill_on_job_close());
        // What has ended by now takes no job, and where there are none the program alone is ended.
        if let Ok(job) = job
            && job.assign_process(child.as_raw_handle() as isize).is_ok()
        {
            running.push((child.id(), job));
        }
        Ok(child)
    }

    /// Starts a program that only [`end`] ends, not Ctrl-C.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn spawn_apart(command: &mut Command) -> io::Result<Child> {
        spawn(command.creation_flags(CREATE_NEW_PROCESS_GROUP))
    }

    /// Ends a program, if it has not ended, and all that it has started.
    pub fn end(child: &mut Child) {
        lock(&RUNNING).retain(|(other, _)| *other != child.id());
        let _ = child.kill();
        let _ = child.wait();
    }

    /// Nothing to do: the console tells all programs at once, and there is no other way.
    pub fn interrupt(_: &Child) {}

    /// Ends all programs that are running. For a process that is about to end itself.
    pub fn end_all() {
        lock(&RUNNING).clear();
    }
}

/// Elsewhere only the program itself is ended.
#[cfg(not(any(unix, windows)))]
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
