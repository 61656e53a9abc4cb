//! Holds this crate against what the engine of the language has done.
//!
//! ```text
//! cargo bench -p puzzlescript --bench engine -- tests FILE
//! ```
//!
//! * `tests FILE`: recorded play. A list of `[name, [game, inputs, board, level, ...]]` as the
//!   engine has it in its tests: inputs 0 to 4 are up, left, down, right and action; the words are
//!   undo, restart and tick. The board at the end must be the recorded one, to the letter.
//! * `rules FILE`: compiled games. A list of objects with `name`, `source`, `dump` (the compiled
//!   game as text, see [`dump`], or null) and `list`, the messages of the compiler with their
//!   `line` and whether they only `warn`.
//! * `turns FILE`: play turn by turn. A list of objects with `source`, `level`, `inputs`,
//!   `hashes` (of the board at the start and after each input, see [`hash`]), and `won`, the number
//!   of the input that wins. With `micros`, the time of a turn in the engine, speeds are compared.
//!
//! Files may be compressed by gzip. They are not part of the project: without a mode and a file there
//! is nothing to do.

use puzzlescript::{
    Game, Group, Input, Key, Kind, Map, Mask, ParseError, Pattern, Quantifier, Session, Stage, bits,
};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::io::Read;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Cargo adds a flag of its own.
    let given = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let arguments: Vec<String> = given.collect();
    let [mode, file] = &arguments[..] else { return Ok(()) };
    let bytes = std::fs::read(file)?;
    let mut text = String::new();
    if bytes.starts_with(&[0x1f, 0x8b]) {
        flate2::read::GzDecoder::new(&bytes[..]).read_to_string(&mut text)?;
    } else {
        text = String::from_utf8(bytes)?;
    }
    let data: Value = serde_json::from_str(&text)?;
    let entries = data.as_array().ok_or("a list is wanted")?;
    match mode.as_str() {
        "tests" => tests(entries),
        "rules" => rules(entries),
        "turns" => turns(entries),
        _ => return Err("modes are tests, rules and turns".into()),
    }
    Ok(())
}

/// Numbers of cases by what came of them, for the end.
#[derive(Default)]
struct Counts(BTreeMap<String, usize>);

impl Counts {
    fn add(&mut self, what: impl Into<String>) {
        *self.0.entry(what.into()).or_default() += 1;
    }

    fn print(&self) {
        self.0.iter().for_each(|(what, count)| println!("{count:>7} {what}"));
    }
}

/// Whether a game is refused because it depends on chance or on time.
fn is_of_chance(error: &ParseError) -> bool {
    error.message.contains("chance") || error.message.contains("real time")
}

fn key(value: &Value) -> Option<Key> {
    const INPUTS: [Input; 5] = [Input::Up, Input::Left, Input::Down, Input::Right, Input::Action];
    match value.as_str() {
        Some("undo") => Some(Key::Undo),
        Some("restart") => Some(Key::Restart),
        Some("tick") => Some(Key::Tick),
        Some(_) => None,
        None => {
            value.as_u64().and_then(|at| INPUTS.get(at as usize)).map(|&input| Key::Input(input))
        }
    }
}

/// A board as the engine's tests have it: lines as long as the level is wide of the cells in the
/// order in which they are kept, equal cells by number.
fn serialized(game: &Game, map: &Map, cells: &[u64]) -> String {
    let mut known: Vec<String> = Vec::new();
    let words = game.object_words;
    let mut text = String::new();
    for (at, cell) in cells.chunks(words).enumerate() {
        let mut names: Vec<&str> = bits(cell).map(|bit| game.bits[bit].as_str()).collect();
        names.sort_unstable();
        let names = names.join(" ");
        let number = known.iter().position(|other| *other == names).unwrap_or_else(|| {
            let _ = write!(text, "{names}:");
            known.push(names);
            known.len() - 1
        });
        let _ = write!(text, "{number},");
        if at % map.width == map.width - 1 {
            text.push('\n');
        }
    }
    text
}

fn tests(entries: &[Value]) {
    let mut counts = Counts::default();
    let mut inputs = 0;
    let mut time = Duration::ZERO;
    for (number, entry) in entries.iter().enumerate() {
        let name = entry[0].as_str().unwrap_or_default();
        let record = &entry[1];
        let game = match Game::read(record[0].as_str().unwrap_or_default()) {
            Ok(game) => game,
            Err(error) => {
                println!("{number} {name}: refused: {error}");
                let of_chance = "refused for chance or time";
                counts.add(if is_of_chance(&error) { of_chance } else { "refused for a fault" });
                continue;
            }
        };
        let keys: Vec<Key> = record[1].as_array().into_iter().flatten().filter_map(key).collect();
        let stage = record[3].as_u64().or_else(|| record[3].as_str()?.parse().ok());
        let stage = stage.unwrap_or(0) as usize;
        let clock = Instant::now();
        let Some(session) = Session::new(&game, stage) else {
            println!("{number} {name}: no level {stage}");
            counts.add("no such level");
            continue;
        };
        let played = session.and_then(|mut session| {
            keys.iter().try_for_each(|&key| session.press(key)).map(|()| session)
        });
        let took = clock.elapsed();
        if took > Duration::from_millis(300) {
            println!("{number} {name}: {took:.1?} for {} inputs", keys.len());
        }
        time += took;
        inputs += keys.len();
        match played {
            Err(reason) => {
                println!("{number} {name}: {reason:?}");
                counts.add("no end");
            }
            Ok(session) => {
                let is_same = serialized(&game, session.map(), session.cells())
                    == record[2].as_str().unwrap_or_default();
                if !is_same {
                    println!("{number} {name}: another level at the end");
                }
                counts.add(if is_same { "as recorded" } else { "another level at the end" });
            }
        }
    }
    counts.print();
    println!("{inputs} inputs in {time:.1?}");
}

fn listed(numbers: impl Iterator<Item = usize>, between: &str) -> String {
    numbers.map(|number| number.to_string()).collect::<Vec<_>>().join(between)
}

fn mask_bits(mask: &Mask) -> String {
    listed(mask.bits(), ",")
}

fn movements(game: &Game, mask: &Mask) -> String {
    let layers = mask.movements(game.layers.len());
    let bits = layers.flat_map(|(layer, movement)| {
        (0..5).filter(move |bit| movement >> bit & 1 == 1).map(move |bit| 5 * layer + bit)
    });
    listed(bits, ",")
}

fn kind(kind: &Kind) -> (bool, String) {
    match kind {
        Kind::Any(mask) => (false, mask_bits(mask)),
        Kind::All(mask) => (true, mask_bits(mask)),
    }
}

fn dump_groups(game: &Game, title: &str, groups: &[Group], out: &mut String) {
    for group in groups {
        let back = group.loop_to.map_or(String::new(), |at| format!(" loop {at}"));
        let _ = writeln!(out, "{title} group{back}");
        for rule in &group.rules {
            let commands: Vec<&str> = rule.commands.iter().map(|command| command.word()).collect();
            let _ = writeln!(out, "  {}", rule.text.trim());
            let direction = 1 << rule.direction as u32;
            let (line, rigid, replaces) = (rule.line, rule.rigid, rule.replaces);
            let commands = commands.join(",");
            let _ = writeln!(
                out,
                "    dir {direction} line {line} rigid {rigid} random false \
                 replaces {replaces} commands {commands}"
            );
            for row in &rule.rows {
                out.push_str("    row\n");
                for pattern in row {
                    let Pattern::Cell(cell) = pattern else {
                        out.push_str("      ...\n");
                        continue;
                    };
                    let any: Vec<String> = cell.any.iter().map(mask_bits).collect();
                    let (present, absent, any) =
                        (mask_bits(&cell.present), mask_bits(&cell.absent), any.join(";"));
                    let (moving, not) =
                        (movements(game, &cell.moving), movements(game, &cell.not_moving));
                    let _ = write!(out, "      P {present} M {absent} A {any} m {moving} s {not}");
                    if let Some(change) = &cell.replacement {
                        let (clear, set) = (mask_bits(&change.clear), mask_bits(&change.set));
                        let of = |mask| movements(game, mask);
                        let (stop, start, decided) =
                            (of(&change.stop), of(&change.start), of(&change.decided));
                        let _ = write!(
                            out,
                            " -> C {clear} S {set} c {stop} s {start} l {decided} r  d "
                        );
                    }
                    out.push('\n');
                }
            }
        }
    }
}

/// A compiled game as text, line by line as the engine's own form of it can be written.
fn dump(game: &Game) -> String {
    let mut out = format!("objects {}\n", game.bits.join(" "));
    let layers: Vec<String> = game.layers.iter().map(mask_bits).collect();
    let _ = writeln!(out, "layers {}", layers.join(" | "));
    let (is_aggregate, player) = kind(&game.player);
    let _ = writeln!(out, "player {is_aggregate} {player} background {}", game.background);
    dump_groups(game, "rules", &game.rules, &mut out);
    dump_groups(game, "late", &game.late_rules, &mut out);
    for condition in &game.conditions {
        let quantifier = match condition.quantifier {
            Quantifier::No => -1,
            Quantifier::Some => 0,
            Quantifier::All => 1,
        };
        let (is_aggregate, what) = kind(&condition.what);
        let (on_aggregate, on) = condition.on.as_ref().map_or((false, "all".to_owned()), kind);
        let _ = writeln!(out, "win {quantifier} {is_aggregate} {what} on {on_aggregate} {on}");
    }
    for stage in &game.levels {
        let Stage::Level(map) = stage else {
            out.push_str("message\n");
            continue;
        };
        let cells = map.cells.chunks(game.object_words);
        let cells = cells.map(|cell| listed(bits(cell), "."));
        let cells = cells.collect::<Vec<_>>().join(" ");
        let _ = writeln!(out, "level {}x{} line {} {cells}", map.width, map.height, map.line);
    }
    out
}

fn rules(entries: &[Value]) {
    let mut counts = Counts::default();
    for entry in entries {
        let name = entry["name"].as_str().unwrap_or_default();
        let corpus = name.split('/').next().unwrap_or_default();
        let wanted = entry["dump"].as_str().map(|dump| {
            dump.lines()
                .filter(|line| !line.starts_with("meta "))
                .map(str::trim_end)
                .collect::<Vec<_>>()
        });
        let faults = entry["list"].as_array().into_iter().flatten();
        let first =
            faults.filter(|fault| fault["warn"] == false).find_map(|fault| fault["line"].as_u64());
        match (Game::read(entry["source"].as_str().unwrap_or_default()), wanted) {
            (Ok(game), Some(wanted)) => {
                let ours = dump(&game);
                let ours: Vec<&str> = ours.lines().map(str::trim_end).collect();
                if ours == wanted {
                    counts.add(format!("{corpus}: the same game"));
                    continue;
                }
                counts.add(format!("{corpus}: ANOTHER game"));
                let at = ours.iter().zip(&wanted).position(|(one, other)| one != other);
                let at = at.unwrap_or(ours.len().min(wanted.len()));
                let line = |lines: &[&str]| -> String {
                    lines.get(at).copied().unwrap_or("(end)").chars().take(300).collect()
                };
                println!("{name}: line {at}\n  ours   {}\n  engine {}", line(&ours), line(&wanted));
            }
            (Err(error), Some(_)) => {
                let chance = is_of_chance(&error);
                let why =
                    if chance { "refused for chance or time" } else { "REFUSED without a fault" };
                counts.add(format!("{corpus}: {why}"));
                if !chance {
                    println!("{name}: {error}, but the engine finds no fault");
                }
            }
            (Ok(_), None) => {
                counts.add(format!("{corpus}: accepted WITH a fault"));
                println!("{name}: accepted, but the engine says: {}", entry["list"]);
            }
            (Err(error), None) => {
                let is_same = first.is_none_or(|line| line as usize == error.line);
                let chance = is_of_chance(&error);
                counts.add(match (is_same, chance) {
                    (true, _) => format!("{corpus}: the same fault, by its line"),
                    (_, true) => format!("{corpus}: has a fault and chance or time"),
                    _ => format!("{corpus}: another line"),
                });
                if !is_same && !chance {
                    println!("{name}: {error}; the engine: line {first:?} {}", entry["list"]);
                }
            }
        }
    }
    counts.print();
}

/// A number that stands for a board, the same in JavaScript: bits of objects, cell by cell.
fn hash(game: &Game, cells: &[u64]) -> u32 {
    cells.chunks(game.object_words).fold(0, |hash: u32, cell| {
        let hash =
            bits(cell).fold(hash, |hash, bit| hash.wrapping_mul(31).wrapping_add(bit as u32 + 1));
        hash.wrapping_mul(31).wrapping_add(7)
    })
}

fn turns(entries: &[Value]) {
    let mut counts = Counts::default();
    let (mut played, mut time) = (0_u32, Duration::ZERO);
    // Microseconds of a turn, of the engine and here.
    let mut speeds: Vec<(f64, f64)> = Vec::new();
    let mut known: Option<(&str, Game)> = None;
    for entry in entries {
        let name = entry["name"].as_str().unwrap_or_default();
        let source = entry["source"].as_str().unwrap_or_default();
        if known.as_ref().is_none_or(|(text, _)| *text != source) {
            let Ok(game) = Game::read(source) else {
                counts.add(if entry["won"].as_i64() >= Some(0) {
                    "refused, though won"
                } else {
                    "refused"
                });
                continue;
            };
            known = Some((source, game));
        }
        let Some((_, game)) = &known else { continue };
        let level = entry["level"].as_u64().unwrap_or(0) as usize;
        let Some(Stage::Level(map)) = game.levels.get(level) else { continue };
        let mut state = match game.start(map) {
            Ok(state) => state,
            Err(rule) => {
                counts.add(format!("begins with {rule}"));
                continue;
            }
        };
        let before = (played, time);
        let won = entry["won"].as_i64().unwrap_or(-1);
        let hashes = entry["hashes"].as_array().cloned().unwrap_or_default();
        let inputs = entry["inputs"].as_array().cloned().unwrap_or_default();
        let mut result = String::from("the same");
        if state.won != (won == 0)
            || hashes.first().and_then(Value::as_u64) != Some(hash(game, &state.cells).into())
        {
            result = "ANOTHER start".to_owned();
            println!("{name} level {level}: another board at the start");
        }
        for (at, input) in inputs.iter().enumerate() {
            if result != "the same" || state.won {
                break;
            }
            let Some(Key::Input(input)) = key(input) else { break };
            played += 1;
            let clock = Instant::now();
            let turn = game.turn(map, &state, input);
            time += clock.elapsed();
            match turn {
                Ok(next) => state = next,
                Err("no-action") => {}
                Err(rule) => {
                    result = format!("the same until {rule}");
                    break;
                }
            }
            let ours = u64::from(hash(game, &state.cells));
            if hashes.get(at + 1).and_then(Value::as_u64) != Some(ours) && !state.won {
                result = "ANOTHER board".to_owned();
                println!("{name} level {level}: another board after input {}", at + 1);
            } else if state.won != (won == at as i64 + 1) {
                result = "ANOTHER end".to_owned();
                println!(
                    "{name} level {level}: won {} after input {}, the engine {won}",
                    state.won,
                    at + 1
                );
            }
        }
        if let Some(micros) = entry["micros"].as_f64() {
            let ours =
                (time - before.1).as_secs_f64() * 1e6 / f64::from(played - before.0).max(1.0);
            speeds.push((micros, ours));
        }
        if result == "the same" && won >= 0 {
            result = "the same, and won".to_owned();
        }
        counts.add(result);
    }
    counts.print();
    println!(
        "{played} turns in {time:.1?}: {:.0} a second",
        f64::from(played) / time.as_secs_f64()
    );
    let median = |mut numbers: Vec<f64>| {
        numbers.sort_by(f64::total_cmp);
        numbers.get(numbers.len() / 2).copied()
    };
    let of = |number: fn(&(f64, f64)) -> f64| median(speeds.iter().map(number).collect());
    if let (Some(engine), Some(ours), Some(factor)) =
        (of(|it| it.0), of(|it| it.1), of(|it| it.0 / it.1))
    {
        println!(
            "medians: {engine:.1} microseconds a turn in the engine, {ours:.1} here, {factor:.1} times"
        );
    }
}
