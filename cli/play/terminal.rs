//! A level in the terminal, from its first picture to the last key.

use crate::commands::export;
use crate::input::applies::{self, Demand, REMOVE};
use crate::input::args::Named;
use crate::input::{self, SelectedLevel};
use crate::play::hint_worker::HintWorker;
use crate::play::session::{KeyAction, Session};
use crate::play::state::PlayState;
use crate::play::{PlayCommand, view};
use crate::terminal::failure::{CommandResult, Failure};
use crate::terminal::{guard, output, text};
use ratatui::crossterm::event::{self, Event, KeyEventKind};
use std::io::{IsTerminal, stdin, stdout};
use std::path::Path;
use std::time::{Duration, Instant};
use unstuck::instance::Instance;
use unstuck::limits::Limits;

/// Time for a hint or a diagnosis, where no limit is given.
const QUESTION_TIME: Duration = Duration::from_secs(20);

/// How long a key is waited for before answers are looked at.
const TICK_INTERVAL: Duration = Duration::from_millis(50);

/// How long after the last change the game is saved.
const REST: Duration = Duration::from_secs(2);

pub(super) fn run(args: &PlayCommand) -> CommandResult {
    let found = args.levels.found()?;
    let demands = [
        Demand::one_level("after", args.after.after.is_some()),
        Demand::one_level("game", args.game.is_some()),
    ];
    applies::check(&found, demands)?;
    let several = found.len() > 1 && args.reading.reading.is_some();
    applies::refuse_idle([("reading", several, "is chosen for one level")], REMOVE)?;
    // Of several levels those that are broken cannot be gone to.
    let levels: Vec<SelectedLevel> = match <[_; 1]>::try_from(found) {
        Ok([only]) => vec![only.map_err(|read_failure| read_failure.failure)?],
        Err(several) => several.into_iter().flatten().filter(|it| it.opened().is_ok()).collect(),
    };
    if levels.is_empty() {
        return Err(Failure::usage("no level that can be played"));
    }
    let game = args.game.as_deref();
    let mut moves: Vec<Option<String>> = vec![None; levels.len()];
    moves[0] = resumed(args)?;
    let mut at = 0;
    loop {
        let (text, ending) = level(args, (at, &levels), moves[at].take())?;
        moves[at] = Some(text).filter(|text| !text.trim().is_empty());
        at = match ending {
            Ending::Next => (at + 1) % levels.len(),
            Ending::Previous => (at + levels.len() - 1) % levels.len(),
            Ending::Left => break,
        };
    }
    if game.is_none() {
        output::print(played(&levels, &moves));
    }
    Ok(if guard::is_interrupted() { 30 } else { 0 })
}

/// The moves that were made: of several levels each under its title.
fn played(levels: &[SelectedLevel], moves: &[Option<String>]) -> String {
    let made = levels.iter().zip(moves).filter_map(|(chosen, text)| Some((chosen, text.as_ref()?)));
    let lines = made.map(|(chosen, text)| match levels {
        [_] => format!("{}\n", text.trim_end()),
        _ => format!("; {}\n{}\n", chosen.short_name(), text.trim_end()),
    });
    lines.collect()
}

/// How the play of a level ends.
enum Ending {
    Next,
    Previous,
    Left,
}

/// Plays one of the levels, from these moves on. Gives the moves, too.
fn level(
    args: &PlayCommand,
    (at, levels): (usize, &[SelectedLevel]),
    moves: Option<String>,
) -> Result<(String, Ending), Failure> {
    let (chosen, game) = (&levels[at], args.game.as_deref());
    let mut instances = chosen.instances(args.levels.reading.objective)?;
    let instance = match &args.reading.reading {
        Some(name) => export::of_reading(instances, Some(name))?.instance,
        // The last reading allows most.
        None => instances.pop().expect("every puzzle has a reading"),
    };
    let mut table = PlayState::new(instance.as_ref())
        .ok_or_else(|| Failure::usage(format!("{} cannot be played", instance.family())))?;
    if let Some(text) = moves {
        table.take_up(&text).map_err(|error| {
            let name = game.map_or("--after".to_owned(), |path| path.display().to_string());
            Failure::parse(&name, &error, &text).help("this is not a game of this level")
        })?;
    }
    if !stdin().is_terminal() || !stdout().is_terminal() {
        return Err(Failure::usage("play needs a terminal")
            .help("`replay` and `hint` show boards anywhere"));
    }
    let mut title = chosen.level.title.clone().unwrap_or_else(|| chosen.name());
    if levels.len() > 1 {
        title = format!("{}/{} {title}", at + 1, levels.len());
    }
    let mut limits = args.limits.begin();
    limits.deadline = None;
    let patience = args.limits.timeout.unwrap_or(QUESTION_TIME);
    let is_followed = at + 1 < levels.len();
    let title = text::one_line(&title);
    let session = Session::new(title, table, args.plain.style(), is_followed);
    run_session(session, instance.as_ref(), limits, patience, game)
}

/// The game that is taken up, if there is one.
fn resumed(args: &PlayCommand) -> Result<Option<String>, Failure> {
    match &args.game {
        Some(path) if path.exists() => {
            output::not_input(path)?;
            input::source_of_output(path).map(|source| Some(source.text))
        }
        _ => args.after.read(),
    }
}

/// Plays until the person leaves the level. The terminal is as before whatever happens.
fn run_session(
    mut session: Session,
    instance: &dyn Instance,
    limits: Limits,
    patience: Duration,
    game: Option<&Path>,
) -> Result<(String, Ending), Failure> {
    guard::idle();
    guard::rescue(|_| {
        let _ = ratatui::try_restore();
    });
    let fail = |error: std::io::Error| Failure::file("the terminal", &error);
    // Also sees to it that a panic leaves the terminal as it was.
    let mut terminal = ratatui::try_init().map_err(fail)?;
    let mut saved = (session.table.text(), Instant::now());
    let ending = std::thread::scope(|scope| -> Result<Ending, Failure> {
        let mut worker = HintWorker::new(scope, instance, limits, patience);
        loop {
            session.receive(instance, worker.responses());
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
            let ending = match constraint {
                _ if guard::is_interrupted() => Some(Ending::Left),
                KeyAction::Leave => Some(Ending::Left),
                KeyAction::Next => Some(Ending::Next),
                KeyAction::Previous => Some(Ending::Previous),
                KeyAction::Nothing | KeyAction::Save => None,
            };
            let rested = saved.1.elapsed() > REST;
            if let Some(path) = game
                && (constraint == KeyAction::Save || ending.is_some() || rested)
            {
                let text = session.table.text();
                if text != saved.0 || (constraint == KeyAction::Save && !path.exists()) {
                    write(path, &text)?;
                }
                saved = (text, Instant::now());
            }
            if constraint == KeyAction::Save {
                session.message = match game {
                    Some(path) => format!("saved in {}", path.display()),
                    None => "no file: start with `--game FILE`".to_owned(),
                };
            }
            if let Some(ending) = ending {
                // The adviser may be in a step that cannot be stopped.
                let _ = ratatui::try_restore();
                if let (Ending::Left, None) = (&ending, game) {
                    let text = session.table.text();
                    let code = if guard::is_interrupted() { 30 } else { 0 };
                    guard::know(format!("{}\n", text.trim_end()).trim_start(), code, true);
                }
                return Ok(ending);
            }
        }
    });
    ratatui::try_restore().map_err(fail)?;
    Ok((session.table.text(), ending?))
}

/// Saves the game: the file was named for just that.
fn write(path: &Path, text: &str) -> Result<(), Failure> {
    output::write_file(path, true, |out| writeln!(out, "{}", text.trim_end()))
}
