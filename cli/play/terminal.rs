//! A level in the terminal, from its first picture to the last key.

use super::hint_worker::HintWorker;
use super::session::{KeyAction, Session};
use super::state::PlayState;
use super::view;
use crate::{CommandResult, Failure, applies, arguments, guard, input, output, query, text};
use clap::ArgMatches;
use ratatui::crossterm::event::{self, Event, KeyEventKind};
use std::io::{IsTerminal, stdin, stdout};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use unstuck::instance::Instance;
use unstuck::limits::Limits;

/// Time for a hint or a diagnosis, where no limit is given.
const QUESTION_TIME: Duration = Duration::from_secs(20);

/// How long a key is waited for before answers are looked at.
const TICK_INTERVAL: Duration = Duration::from_millis(50);

/// How long after the last change the game is saved.
const REST: Duration = Duration::from_secs(2);

pub(crate) fn run(matches: &ArgMatches) -> CommandResult {
    let found = vec![Ok(input::single(matches)?)];
    applies::check(matches, &found)?;
    let chosen = found.into_iter().flatten().next().expect("one level was put in");
    let mut instances = chosen.instances(arguments::objective(matches))?;
    let instance = match matches.get_one::<String>("reading") {
        Some(name) => {
            let known: Vec<&str> = instances.iter().map(|it| it.reading()).collect();
            let at = known.iter().position(|it| it == name).ok_or_else(|| {
                Failure::usage(format!("--reading: this level has no reading `{name}`"))
                    .help(format!("it has: {}", known.join(", ")))
            })?;
            instances.swap_remove(at)
        }
        // The last reading allows most.
        None => instances.pop().expect("every puzzle has a reading"),
    };
    let mut table = PlayState::new(instance.as_ref())
        .ok_or_else(|| Failure::usage(format!("{} cannot be played", instance.family())))?;
    let game = matches.get_one::<PathBuf>("game");
    if let Some(text) = begun(matches, game.map(PathBuf::as_path))? {
        table.take_up(&text).map_err(|error| {
            let name = game.map_or("--after".to_owned(), |path| path.display().to_string());
            Failure::parse(&name, &error, &text).help("this is not a game of this level")
        })?;
    }
    if !stdin().is_terminal() || !stdout().is_terminal() {
        return Err(Failure::usage("play needs a terminal")
            .help("`replay` and `hint` show boards anywhere"));
    }
    let title = chosen.level.title.clone().unwrap_or_else(|| chosen.name());
    let mut limits = arguments::given_limits(matches);
    limits.deadline = None;
    let patience = arguments::time(matches).unwrap_or(QUESTION_TIME);
    let style = output::style(matches.get_flag("plain"));
    let session = Session::new(text::one_line(&title), table, style);
    sit_down(session, instance.as_ref(), limits, patience, game.map(PathBuf::as_path))
}

/// The game that is taken up, if there is one.
fn begun(matches: &ArgMatches, game: Option<&Path>) -> Result<Option<String>, Failure> {
    match game {
        Some(path) if path.exists() => {
            output::not_input(path)?;
            input::source_of_output(path).map(|source| Some(source.text))
        }
        _ => query::moves_after(matches),
    }
}

/// Plays until the person leaves. The terminal is as before whatever happens.
fn sit_down(
    mut session: Session,
    instance: &dyn Instance,
    limits: Limits,
    patience: Duration,
    game: Option<&Path>,
) -> CommandResult {
    let interrupted = arguments::interrupt();
    guard::idle();
    guard::rescue(|_| {
        let _ = ratatui::try_restore();
    });
    let fail = |error: std::io::Error| Failure::file("the terminal", &error);
    // Also sees to it that a panic leaves the terminal as it was.
    let mut terminal = ratatui::try_init().map_err(fail)?;
    let mut saved = (session.text(), Instant::now());
    let played = std::thread::scope(|scope| -> Result<(), Failure> {
        let mut worker = HintWorker::new(scope, instance, limits, patience);
        loop {
            session.hear(instance, worker.responses());
            terminal.draw(|frame| view::draw(frame, &mut session, instance)).map_err(fail)?;
            let mut constraint = KeyAction::Nothing;
            if event::poll(TICK_INTERVAL).map_err(fail)?
                && let Event::Key(key) = event::read().map_err(fail)?
                && key.kind != KeyEventKind::Release
            {
                constraint = session.press(instance, key);
            }
            while let Some(asked) = session.asks() {
                worker.ask(asked);
            }
            let leaves = constraint == KeyAction::Leave || interrupted.load(Ordering::Relaxed);
            let rested = saved.1.elapsed() > REST;
            if let Some(path) = game
                && (constraint == KeyAction::Save || leaves || rested)
            {
                let text = session.text();
                if text != saved.0 || (constraint == KeyAction::Save && !path.exists()) {
                    write(path, &text)?;
                }
                saved = (text, Instant::now());
            }
            if constraint == KeyAction::Save {
                session.say(match game {
                    Some(path) => format!("saved in {}", path.display()),
                    None => "no file: start with `--game FILE`".to_owned(),
                });
            }
            if leaves {
                // The adviser may be in a step that cannot be stopped.
                let _ = ratatui::try_restore();
                let text = if game.is_none() { session.text() } else { String::new() };
                let line = if text.is_empty() { text } else { format!("{}\n", text.trim_end()) };
                guard::know(&line, if interrupted.load(Ordering::Relaxed) { 30 } else { 0 }, true);
                return Ok(());
            }
        }
    });
    ratatui::try_restore().map_err(fail)?;
    played?;
    let text = session.text();
    if game.is_none() && !text.is_empty() {
        output::print(&format!("{}\n", text.trim_end()));
    }
    Ok(if interrupted.load(Ordering::Relaxed) { 30 } else { 0 })
}

/// Saves the game: the file was named for just that.
fn write(path: &Path, text: &str) -> Result<(), Failure> {
    output::write_file(path, true, |out| writeln!(out, "{}", text.trim_end()))
}
