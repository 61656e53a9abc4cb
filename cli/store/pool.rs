//! Worker processes. Each is given one piece of work after the other; one that dies is replaced,
//! and what it was working on is tried again by another.
//!
//! Memory is shared: as long as all together hold no more than the limit each may take what it needs.
//! Beyond it the one that holds most is ended, and what it was working on is tried again by a worker
//! alone, when all else is done: what that cannot do no worker can.
//!
//! They are processes and not threads, because a crash, an abort, or the system's own end to a
//! process that takes too much memory must cost one level and not all.

use crate::store::frame::Frame;
use std::collections::VecDeque;
use std::io::{self, BufReader};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use unstuck::machine::{self, Instant, groups, lock};

/// How often work is tried whose worker dies.
const MAX_TRIES: u32 = 3;

/// Pieces of work that a quick worker is sent before it has answered the first of them.
const MAX_JOBS_AHEAD: usize = 4;

/// Bytes of work that are sent ahead: what fits into a pipe, so that neither side waits for the
/// other.
const MAX_BYTES_AHEAD: usize = 1 << 14;

/// A worker is quick when an answer takes less.
const QUICK_ANSWER_TIME: Duration = Duration::from_millis(20);

/// Time between two looks at the workers.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// How long workers may take to end when they are asked to.
const GRACE_TIME: Duration = Duration::from_millis(1_500);

/// Time between two looks at what the workers hold.
const MEMORY_POLL_INTERVAL: Duration = Duration::from_millis(100);

/// How a piece of work ended.
#[derive(Debug)]
pub enum JobEnd {
    /// The answer.
    Answered(Frame),
    /// Every worker that was given it died; how the last one did.
    Lost(String),
    /// It took longer than is allowed, and its worker was ended.
    Late,
    /// Alone it took more memory than all together may, and its worker was ended.
    Large,
}

/// What all workers may hold together.
#[derive(Clone, Copy)]
pub struct Memory<'a> {
    /// In bytes.
    pub limit: u64,
    /// What a process holds, where that can be known.
    pub held: &'a (dyn Fn(u32) -> Option<u64> + Sync),
    /// How long a worker may hold too much, once it was asked to make room or should see it by
    /// itself.
    pub room_time: Duration,
}

/// Who works, and how.
pub struct Pool<'a> {
    /// Makes the command of a worker, which reads frames and answers each with one.
    pub command: &'a (dyn Fn() -> Command + Sync),
    /// How many workers there are.
    pub workers: usize,
    /// How long a piece of work may take.
    pub patience: Option<Duration>,
    /// What they may hold together. One that works alone is expected to keep the limit by itself.
    pub memory: Option<Memory<'a>>,
    /// Whether to stop: workers are interrupted then, and what they answer to that is taken.
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

#[derive(Debug)]
struct Job {
    text: String,
    deaths: u32,
}

/// What all workers share.
struct PoolState<'a> {
    pool: &'a Pool<'a>,
    work: Mutex<&'a mut (dyn Iterator<Item = String> + Send)>,
    again: Mutex<Vec<Job>>,
    /// What there was no room for beside others.
    alone: Mutex<Vec<String>>,
    take: &'a (dyn Fn(&str, JobEnd) + Sync),
    /// Whether there is one worker only.
    is_single: bool,
    /// Why no worker could be started.
    fault: Mutex<Option<io::Error>>,
}

/// The place of a worker.
#[derive(Default)]
struct Slot {
    child: Mutex<Option<Child>>,
    /// Since when it works on something.
    since: Mutex<Option<Instant>>,
    late: AtomicBool,
    /// Since when it has been asked to make room, or has taken too much where nothing else can.
    crowded: Mutex<Option<Instant>>,
    /// How the last one ended, where we ended it.
    how: Mutex<Option<String>>,
}

/// The ends of a worker's pipes.
struct Pipes {
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Pool<'_> {
    /// Has all the work done. `take` receives how each piece ended, by several threads; `tick` is
    /// called now and then.
    ///
    /// # Errors
    /// When a worker cannot be started.
    pub fn run(
        &self,
        work: &mut (dyn Iterator<Item = String> + Send),
        take: &(dyn Fn(&str, JobEnd) + Sync),
        tick: &mut dyn FnMut(),
    ) -> io::Result<()> {
        let alone = self.phase(self.workers, work, take, tick)?;
        if alone.is_empty() || (self.stop)() {
            return Ok(());
        }
        // Each by itself: what is crowded then is too large.
        self.phase(1, &mut alone.into_iter(), take, tick).map(drop)
    }

    /// The work of so many workers; what there was no room for.
    fn phase(
        &self,
        workers: usize,
        work: &mut (dyn Iterator<Item = String> + Send),
        take: &(dyn Fn(&str, JobEnd) + Sync),
        tick: &mut dyn FnMut(),
    ) -> io::Result<Vec<String>> {
        let shared = PoolState {
            pool: self,
            work: Mutex::new(work),
            again: Mutex::default(),
            alone: Mutex::default(),
            take,
            is_single: workers <= 1,
            fault: Mutex::default(),
        };
        let slots: Vec<Slot> = (0..workers.max(1)).map(|_| Slot::default()).collect();
        let working = AtomicUsize::new(slots.len());
        machine::scope(|scope| {
            for slot in &slots {
                scope.spawn(|| {
                    let _leaves = LeaveGuard(&working);
                    shared.serve(slot);
                });
            }
            let mut stopped: Option<Instant> = None;
            let mut looked = Instant::now();
            while working.load(Ordering::Acquire) > 0 {
                machine::sleep(POLL_INTERVAL);
                tick();
                match stopped {
                    None if (self.stop)() => {
                        stopped = Some(Instant::now());
                        slots.iter().for_each(Slot::interrupt);
                    }
                    Some(since) if since.elapsed() > GRACE_TIME => slots.iter().for_each(Slot::end),
                    _ => {}
                }
                if let Some(memory) =
                    self.memory.filter(|_| looked.elapsed() > MEMORY_POLL_INTERVAL)
                {
                    looked = Instant::now();
                    memory.keep(&slots);
                }
                let Some(patience) = self.patience else { continue };
                slots.iter().for_each(|slot| slot.end_if_late(patience));
            }
        });
        match lock(&shared.fault).take() {
            Some(fault) => Err(fault),
            None => Ok(std::mem::take(&mut *lock(&shared.alone))),
        }
    }
}

impl Memory<'_> {
    /// Where all together hold too much, has the one make room that holds most, one at a time.
    fn keep(&self, slots: &[Slot]) {
        let process = |slot: &Slot| lock(&slot.child).as_ref().map(Child::id);
        let held = |slot: &Slot| process(slot).and_then(|id| (self.held)(id)).unwrap_or_default();
        let held: Vec<u64> = slots.iter().map(held).collect();
        if held.iter().sum::<u64>() <= self.limit {
            return;
        }
        let asked = |slot: &&Slot| process(slot).is_some() && lock(&slot.crowded).is_some();
        if let Some(slot) = slots.iter().find(asked) {
            let since = *lock(&slot.crowded);
            if since.is_some_and(|since| since.elapsed() > self.room_time) {
                slot.end();
            }
            return;
        }
        let works = |at: &usize| lock(&slots[*at].since).is_some();
        let Some(most) = (0..slots.len()).filter(works).max_by_key(|&at| held[at]) else { return };
        *lock(&slots[most].crowded) = Some(Instant::now());
        // A worker alone keeps the limit by itself, and has bounds to report.
        if slots.len() > 1 {
            slots[most].interrupt();
        }
    }
}

/// Counts a thread down, however it ends.
struct LeaveGuard<'a>(&'a AtomicUsize);

impl Drop for LeaveGuard<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Release);
    }
}

impl Slot {
    fn interrupt(&self) {
        if let Some(child) = &*lock(&self.child) {
            groups::interrupt(child);
        }
    }

    /// Ends the worker and all that it has started; closing its pipes wakes the threads that wait
    /// for it.
    fn end(&self) {
        if let Some(mut child) = lock(&self.child).take() {
            groups::end(&mut child);
            *lock(&self.how) = Some(status(&mut child));
        }
    }

    fn end_if_late(&self, patience: Duration) {
        let since = *lock(&self.since);
        if since.is_some_and(|since| since.elapsed() > patience) {
            self.late.store(true, Ordering::Relaxed);
            self.end();
        }
    }

    /// Sees to it that a worker has ended; how it did.
    fn bury(&self) -> String {
        if let Some(mut child) = lock(&self.child).take() {
            // Its pipes are closed: what it says now is how it ended by itself.
            let how = status(&mut child);
            groups::end(&mut child);
            return how;
        }
        lock(&self.how).take().unwrap_or_else(|| "it was gone".to_owned())
    }
}

/// How a process ended; it is ended when it does not end by itself.
fn status(child: &mut Child) -> String {
    let begun = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return status.to_string(),
            Ok(None) if begun.elapsed() < GRACE_TIME => machine::sleep(POLL_INTERVAL),
            Ok(None) => {
                let _ = child.kill();
                return "it was ended".to_owned();
            }
            Err(error) => return error.to_string(),
        }
    }
}

impl PoolState<'_> {
    fn stopped(&self) -> bool {
        (self.pool.stop)() || lock(&self.fault).is_some()
    }

    fn next(&self) -> Option<Job> {
        if self.stopped() {
            return None;
        }
        let again = lock(&self.again).pop();
        again.or_else(|| {
            let text = lock(&self.work).next()?;
            Some(Job { text, deaths: 0 })
        })
    }

    fn start(&self, slot: &Slot) -> io::Result<Pipes> {
        let mut command = (self.pool.command)();
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = groups::spawn(&mut command)?;
        let gone = || io::Error::other("a worker without pipes");
        let input = child.stdin.take().ok_or_else(gone)?;
        let output = BufReader::new(child.stdout.take().ok_or_else(gone)?);
        *lock(&slot.child) = Some(child);
        Ok(Pipes { input, output })
    }

    /// Does work in one place until there is none, by as many processes as it takes.
    fn serve(&self, slot: &Slot) {
        let mut pipes: Option<Pipes> = None;
        let mut flight: VecDeque<Job> = VecDeque::new();
        let mut quick = false;
        loop {
            self.fill(slot, &mut pipes, &mut flight, quick);
            let (Some(work), Some(ends)) = (flight.front_mut(), &mut pipes) else { break };
            let begun = Instant::now();
            *lock(&slot.since) = Some(begun);
            let answer = Frame::read(&mut ends.output);
            *lock(&slot.since) = None;
            quick = begun.elapsed() < QUICK_ANSWER_TIME;
            let ended = matches!(answer, Ok(Some(_)));
            let crowded = lock(&slot.crowded).take().is_some();
            match answer {
                // It was interrupted, perhaps in something that it had just begun.
                _ if crowded && !self.is_single => {
                    lock(&self.alone).extend(flight.pop_front().map(|work| work.text));
                }
                _ if crowded && !ended => {
                    (self.take)(&work.text, JobEnd::Large);
                    flight.pop_front();
                }
                Ok(Some(answer)) => {
                    let last = answer.last;
                    (self.take)(&work.text, JobEnd::Answered(answer));
                    flight.pop_front();
                    if !last {
                        continue;
                    }
                }
                Ok(None) | Err(_) => work.deaths += 1,
            }
            pipes = None;
            let how = slot.bury();
            self.settle(slot, &mut flight, &how);
        }
        // Without an input a worker ends.
        drop(pipes);
        slot.bury();
    }

    /// Sends work, ahead too where the worker is quick.
    fn fill(
        &self,
        slot: &Slot,
        pipes: &mut Option<Pipes>,
        flight: &mut VecDeque<Job>,
        quick: bool,
    ) {
        let ahead = if quick { MAX_JOBS_AHEAD } else { 1 };
        let mut bytes: usize = flight.iter().map(|work| work.text.len()).sum();
        while flight.is_empty() || (flight.len() < ahead && bytes < MAX_BYTES_AHEAD) {
            let Some(work) = self.next() else { return };
            if pipes.is_none() {
                match self.start(slot) {
                    Ok(started) => *pipes = Some(started),
                    Err(error) => {
                        *lock(&self.fault) = Some(error);
                        return;
                    }
                }
            }
            bytes += work.text.len();
            let frame = Frame::of(work.text.clone());
            // Where the worker is gone already, its answer will be missing.
            let _ = pipes.as_mut().map(|ends| frame.write(&mut ends.input));
            flight.push_back(work);
        }
    }

    /// After the end of a worker: what it was working on is given up or tried again, and what it had
    /// not begun goes to another.
    fn settle(&self, slot: &Slot, flight: &mut VecDeque<Job>, how: &str) {
        let late = slot.late.swap(false, Ordering::Relaxed);
        for work in flight.drain(..) {
            match work.deaths {
                1.. if late => (self.take)(&work.text, JobEnd::Late),
                MAX_TRIES.. => (self.take)(&work.text, JobEnd::Lost(how.to_owned())),
                _ if self.stopped() => {}
                _ => lock(&self.again).push(work),
            }
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// A worker in a shell: answers each frame with its own text in capitals; at `die` it kills
    /// itself, at `wait` it waits, at `leave` it answers and ends, and at `once FILE` it kills itself
    /// unless the file is there. At `grow FOLDER` it says there in a file named by its number that it
    /// has grown, and waits for another one, a second at most.
    const WORKER: &str = r#"
        while read -r mark length rest; do
            text=$(dd bs=1 count="$length" 2>/dev/null)
            last=0
            case "$text" in
                die*) kill -9 $$ ;;
                wait*) sleep 60 ;;
                leave*) last=1 ;;
                grow*)
                    place="${text#grow? }"
                    echo grown >> "$place.log"
                    : > "$place/$$"
                    for turn in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
                        test "$(ls "$place" | wc -l)" -gt 1 && break
                        sleep 0.05
                    done
                    sleep 0.5
                    rm "$place/$$" ;;
                once*) file="${text#once }"; test -e "$file" || { : > "$file"; kill -9 $$; } ;;
            esac
            answer=$(printf %s "$text" | tr a-z A-Z)
            printf 'unstuck %d 0 %d\n%s' "${#answer}" "$last" "$answer"
            test $last = 0 || exit 0
        done"#;

    fn ended(
        texts: &[String],
        workers: usize,
        patience: Option<Duration>,
        memory: Option<Memory<'_>>,
    ) -> BTreeMap<String, String> {
        let command = || {
            let mut command = Command::new("sh");
            command.args(["-c", WORKER]);
            command
        };
        let pool = Pool { command: &command, workers, patience, memory, stop: &|| false };
        let ended = Mutex::new(BTreeMap::new());
        let take = |text: &str, how: JobEnd| {
            let how = match how {
                JobEnd::Answered(frame) => frame.text,
                JobEnd::Lost(how) => format!("lost: {how}"),
                JobEnd::Late => "late".to_owned(),
                JobEnd::Large => "large".to_owned(),
            };
            assert_eq!(lock(&ended).insert(text.to_owned(), how), None, "{text} ended twice");
        };
        pool.run(&mut texts.iter().cloned(), &take, &mut || {}).unwrap();
        ended.into_inner().unwrap()
    }

    #[test]
    fn the_death_of_a_worker_costs_one_piece_of_work_at_most() {
        let folder = tempfile::tempdir().unwrap();
        let once = format!("once {}", folder.path().join("mark").display());
        let mut texts: Vec<String> = (0..40).map(|number| format!("text {number}")).collect();
        texts.insert(20, "die".to_owned());
        texts.insert(30, once.clone());
        texts.insert(35, "leave".to_owned());
        for workers in [1, 3] {
            let _ = std::fs::remove_file(folder.path().join("mark"));
            let ended = ended(&texts, workers, None, None);
            assert_eq!(ended.len(), texts.len());
            for (text, how) in ended {
                match text.as_str() {
                    "die" => assert!(how.starts_with("lost: signal: 9"), "{how}"),
                    _ => assert_eq!(how, text.to_uppercase()),
                }
            }
        }
    }

    #[test]
    fn what_takes_too_long_is_ended() {
        let texts = ["a", "wait", "b"].map(str::to_owned);
        let ended = ended(&texts, 1, Some(Duration::from_millis(300)), None);
        assert_eq!(ended["wait"], "late");
        assert_eq!((ended["a"].as_str(), ended["b"].as_str()), ("A", "B"));
    }

    #[test]
    fn who_holds_most_makes_room_and_is_tried_again_alone() {
        let around = tempfile::tempdir().unwrap();
        let folder = around.path().join("place");
        std::fs::create_dir(&folder).unwrap();
        let place = folder.display();
        let texts = [format!("grow1 {place}"), format!("grow2 {place}"), "a".into(), "b".into()];
        let held = |process: u32| {
            let has_grown = folder.join(process.to_string()).exists();
            Some(if has_grown { 100 } else { 1 })
        };
        let room_time = Duration::from_secs(1);
        // One of two that have grown is begun again, whether it heeds the request to end or not.
        for (workers, limit, begun) in [(2, 150, 3), (3, 250, 2), (1, 150, 2)] {
            let ended =
                ended(&texts, workers, None, Some(Memory { limit, held: &held, room_time }));
            assert_eq!(ended.len(), texts.len());
            assert!(ended.iter().all(|(text, how)| *how == text.to_uppercase()), "{ended:?}");
            let log = folder.with_extension("log");
            let grown = std::fs::read_to_string(&log).unwrap();
            std::fs::remove_file(log).unwrap();
            assert_eq!(grown.lines().count(), begun, "{workers} workers");
            // Who was ended has left its file.
            let files = std::fs::read_dir(&folder).unwrap();
            files.for_each(|file| std::fs::remove_file(file.unwrap().path()).unwrap());
        }
        // Who is too large alone and does not see it itself is ended.
        let memory = Memory { limit: 50, held: &|_| Some(60), room_time };
        let texts = ["a", "wait", "b"].map(str::to_owned);
        let ended = ended(&texts, 1, None, Some(memory));
        assert_eq!(ended["wait"], "large");
        assert_eq!((ended["a"].as_str(), ended["b"].as_str()), ("A", "B"));
    }

    #[test]
    fn a_stop_request_is_heeded_and_a_missing_program_is_reported() {
        let stop = AtomicBool::new(false);
        let command = || {
            let mut command = Command::new("sh");
            command.args(["-c", WORKER]);
            command
        };
        let stopped = || stop.load(Ordering::Relaxed);
        let pool =
            Pool { command: &command, workers: 2, patience: None, memory: None, stop: &stopped };
        let taken = AtomicUsize::new(0);
        let take = |_: &str, _: JobEnd| {
            if taken.fetch_add(1, Ordering::Relaxed) == 10 {
                stop.store(true, Ordering::Relaxed);
            }
        };
        let mut endless = (0..).map(|number| number.to_string());
        pool.run(&mut endless, &take, &mut || {}).unwrap();
        assert!(taken.load(Ordering::Relaxed) < 40);
        let missing = || Command::new("no-such-program-anywhere");
        let pool =
            Pool { command: &missing, workers: 2, patience: None, memory: None, stop: &|| false };
        assert!(pool.run(&mut (0..).map(|n| n.to_string()), &|_, _| {}, &mut || {}).is_err());
    }
}
