//! Workers that are threads of this process. One that does not end in time cannot be ended: it is left
//! to itself, and its answer is no longer waited for.

use crate::runner::{Handle, Runner, Worker};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use unstuck::machine::resident_memory;

/// Starts threads that all do this.
pub(crate) struct Threads<J, A>(Arc<dyn Fn(&J) -> A + Send + Sync>);

impl<J, A> Threads<J, A> {
    /// Threads that answer work so.
    pub(crate) fn new(work: impl Fn(&J) -> A + Send + Sync + 'static) -> Self {
        Self(Arc::new(work))
    }
}

impl<J: Clone + Send + 'static, A: Send + 'static> Runner<J, A> for Threads<J, A> {
    fn start(&self) -> io::Result<Box<dyn Worker<J, A>>> {
        let (jobs, asked) = channel::<J>();
        let (say, answers) = channel();
        let (work, end) = (self.0.clone(), Thread(say.clone()));
        thread::Builder::new().name("level".to_owned()).spawn(move || {
            while let Ok(job) = asked.recv() {
                let answer = catch_unwind(AssertUnwindSafe(|| work(&job))).ok();
                if answer.is_none() | say.send(answer).is_err() {
                    return;
                }
            }
        })?;
        Ok(Box::new(Channels { jobs, answers, end: Arc::new(end) }))
    }

    /// What has panicked would again.
    fn tries(&self) -> u32 {
        1
    }
}

/// The ends of a thread's channels. Without jobs it ends.
struct Channels<J, A> {
    jobs: Sender<J>,
    answers: Receiver<Option<A>>,
    end: Arc<Thread<A>>,
}

impl<J: Clone + Send, A: Send + 'static> Worker<J, A> for Channels<J, A> {
    /// Nothing is sent ahead: it would be lost with a thread that is left to itself.
    fn send(&mut self, job: &J) -> usize {
        let _ = self.jobs.send(job.clone());
        usize::MAX
    }

    fn receive(&mut self) -> Option<(A, bool)> {
        self.answers.recv().ok().flatten().map(|answer| (answer, false))
    }

    fn handle(&self) -> Arc<dyn Handle> {
        self.end.clone()
    }
}

/// A thread; a message without an answer ends the wait for it.
struct Thread<A>(Sender<Option<A>>);

impl<A: Send> Handle for Thread<A> {
    /// Ctrl-C raises a flag that threads look at by themselves.
    fn interrupt(&self) {}

    fn end(&self, _at_once: bool) -> Option<String> {
        let _ = self.0.send(None);
        Some("it panicked".to_owned())
    }

    /// All threads hold what the process does.
    fn held(&self) -> Option<u64> {
        resident_memory()
    }
}
