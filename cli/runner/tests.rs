//! Workers that die, hang and grow cost their own work alone.

use super::*;
use crate::runner::frame::Frame;
use crate::runner::processes::Processes;
use crate::runner::threads::Threads;
use std::collections::BTreeMap;
use std::process::Command;

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

fn in_a_shell() -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", WORKER]);
    command
}

/// What a worker holds is not known.
fn nothing(_: u32) -> Option<u64> {
    None
}

fn ended(
    texts: &[String],
    workers: usize,
    patience: Option<Duration>,
    memory: Option<Memory>,
    held: fn(u32) -> Option<u64>,
) -> BTreeMap<String, String> {
    let runner = Processes { command: &in_a_shell, held };
    let pool = Pool { runner: &runner, workers, patience, memory, stop: &|| false };
    let ended = Mutex::new(BTreeMap::new());
    let take = |text: String, how: JobEnd<Frame>| {
        let how = match how {
            JobEnd::Answered(frame) => frame.text,
            JobEnd::Lost(how) => format!("lost: {how}"),
            JobEnd::Ended(stop) => stop.name().to_owned(),
        };
        assert_eq!(lock(&ended).insert(text.clone(), how), None, "{text} ended twice");
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
        let ended = ended(&texts, workers, None, None, nothing);
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
    let ended = ended(&texts, 1, Some(Duration::from_millis(300)), None, nothing);
    assert_eq!(ended["wait"], "time");
    assert_eq!((ended["a"].as_str(), ended["b"].as_str()), ("A", "B"));
}

#[test]
fn who_holds_most_makes_room_and_is_tried_again_alone() {
    let around = tempfile::tempdir().unwrap();
    let folder = around.path().join("place");
    std::fs::create_dir(&folder).unwrap();
    let place = folder.display();
    let texts = [format!("grow1 {place}"), format!("grow2 {place}"), "a".into(), "b".into()];
    static FOLDER: std::sync::OnceLock<std::path::PathBuf> = std::sync::OnceLock::new();
    let _ = FOLDER.set(folder.clone());
    let held = |process: u32| {
        let has_grown = FOLDER.get()?.join(process.to_string()).exists();
        Some(if has_grown { 100 } else { 1 })
    };
    let room_time = Duration::from_secs(1);
    // One of two that have grown is begun again, whether it heeds the request to end or not.
    for (workers, limit, begun) in [(2, 150, 3), (3, 250, 2), (1, 150, 2)] {
        let ended =
            ended(&texts, workers, None, Some(Memory { limit, room_time, is_one: false }), held);
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
    let memory = Memory { limit: 50, room_time, is_one: false };
    let texts = ["a", "wait", "b"].map(str::to_owned);
    let ended = ended(&texts, 1, None, Some(memory), |_| Some(60));
    assert_eq!(ended["wait"], "memory");
    assert_eq!((ended["a"].as_str(), ended["b"].as_str()), ("A", "B"));
}

#[test]
fn a_stop_request_is_heeded_and_a_missing_program_is_reported() {
    let stop = AtomicBool::new(false);
    let stopped = || stop.load(Ordering::Relaxed);
    let runner = Processes { command: &in_a_shell, held: nothing };
    let (patience, memory) = (None, None);
    let pool = Pool { runner: &runner, workers: 2, patience, memory, stop: &stopped };
    let taken = AtomicUsize::new(0);
    let take = |_: String, _: JobEnd<Frame>| {
        if taken.fetch_add(1, Ordering::Relaxed) == 10 {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let mut endless = (0..).map(|number: u32| number.to_string());
    pool.run(&mut endless, &take, &mut || {}).unwrap();
    assert!(taken.load(Ordering::Relaxed) < 40);
    let missing = || Command::new("no-such-program-anywhere");
    let runner = Processes { command: &missing, held: nothing };
    let pool = Pool { runner: &runner, workers: 2, patience, memory, stop: &|| false };
    let mut endless = (0..).map(|number: u32| number.to_string());
    let ignored = |_: String, _: JobEnd<Frame>| {};
    assert!(pool.run(&mut endless, &ignored, &mut || {}).is_err());
}

/// The same loop feeds threads; one that cannot be stopped is left to itself.
#[test]
fn a_thread_that_does_not_end_costs_its_own_work_alone() {
    let runner = Threads::new(|&number: &u32| match number {
        7 => std::thread::sleep(Duration::from_secs(60)),
        9 => panic!("nine"),
        _ => {}
    });
    let (patience, memory) = (Some(Duration::from_secs(8)), None);
    let pool = Pool { runner: &runner, workers: 2, patience, memory, stop: &|| false };
    let ended = Mutex::new(BTreeMap::new());
    let take = |number: u32, end: JobEnd<()>| drop(lock(&ended).insert(number, end));
    pool.run(&mut (0..20), &take, &mut || {}).unwrap();
    let ended = ended.into_inner().unwrap();
    assert_eq!(ended.len(), 20);
    for (number, end) in ended {
        match number {
            7 => assert!(matches!(end, JobEnd::Ended(Stop::Time))),
            9 => assert!(matches!(end, JobEnd::Lost(_))),
            _ => assert!(matches!(end, JobEnd::Answered(())), "{number}"),
        }
    }
}

/// The process holds more than the limit all the time: work that does not end soon is left alone, and
/// the rest is done.
#[test]
fn a_thread_that_takes_too_much_memory_costs_its_own_work_alone() {
    for workers in [1, 2] {
        let runner = Threads::new(|&number: &u32| {
            if number == 3 {
                std::thread::sleep(Duration::from_secs(60));
            }
        });
        let room_time = Duration::from_secs(1);
        let memory = Some(Memory { limit: 1, room_time, is_one: true });
        let pool = Pool { runner: &runner, workers, patience: None, memory, stop: &|| false };
        let ended = Mutex::new(BTreeMap::new());
        let take = |number: u32, end: JobEnd<()>| drop(lock(&ended).insert(number, end));
        pool.run(&mut (0..8), &take, &mut || {}).unwrap();
        let ended = ended.into_inner().unwrap();
        assert_eq!(ended.len(), 8);
        for (number, end) in ended {
            match number {
                3 => assert!(matches!(end, JobEnd::Ended(Stop::Memory)), "{end:?}"),
                _ => assert!(matches!(end, JobEnd::Answered(())), "{number}: {end:?}"),
            }
        }
    }
}
