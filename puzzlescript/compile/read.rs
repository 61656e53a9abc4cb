//! From the text of a game to the game: sections, names, rules, win conditions and maps together.

use crate::compile::expand::expand;
use crate::compile::groups::compile;
use crate::compile::tables::Tables;
use crate::error::ParseError;
use crate::game::{Game, Kind, Map, Quantifier, Settings, Stage, WinCondition};
use crate::language::legend::Name;
use crate::language::rule::{self, Command, RuleItem};
use crate::language::source::{Condition, LevelText, Source};
use crate::mask::{Mask, has};
use crate::{MAX_CELLS, MAX_WORDS};
use std::collections::HashMap;

impl Game {
    /// Reads a game.
    ///
    /// # Errors
    /// The first fault that PuzzleScript's own compiler calls an error, or the first thing that
    /// makes the game depend on chance. Never panics, whatever the text.
    pub fn read(text: &str) -> Result<Self, ParseError> {
        let mut source = Source::read(text)?;
        let tables = Tables::new(&source)?;
        let player = tables.legend.find("player").map(|name| kind(&tables, name));
        let player = player.ok_or_else(|| ParseError::whole("no object is called `player`"))?;
        let background = tables.legend.object(tables.background).map(|object| object.bit);
        let background =
            background.ok_or_else(|| ParseError::whole("the background is no object"))?;
        let levels = levels(&tables, &source)?;
        let (mut rules, mut loops) = (Vec::new(), Vec::new());
        for line in std::mem::take(&mut source.rules) {
            match rule::read(&line, &mut source, &rules)? {
                RuleItem::Rule(rule) => rules.push(rule),
                RuleItem::Loop(begins) => loops.push((line.line, begins)),
                RuleItem::Nothing => {}
            }
        }
        let expanded = expand(&tables, rules, &mut source.warnings)?;
        let groups = compile(&tables, expanded, &loops, &mut source.warnings)?;
        let conditions =
            source.conditions.iter().map(|condition| win_condition(&tables, condition));
        let conditions = conditions.collect::<Result<Vec<_>, _>>()?;
        check_colors(&source)?;
        if levels.is_empty() {
            return Err(ParseError::whole("the game has no levels"));
        }
        let text_of = |key| source.setting(key).map(|setting| setting.value.clone());
        let has = |key| source.setting(key).is_some();
        Ok(Self {
            title: text_of("title"),
            author: text_of("author"),
            bits: tables.bits.iter().map(|&name| tables.legend.text(name).to_owned()).collect(),
            objects: tables.legend.objects.clone(),
            player,
            background,
            rules: groups.rules,
            late_rules: groups.late_rules,
            conditions,
            settings: Settings {
                run_rules_on_level_start: has("run_rules_on_level_start"),
                require_player_movement: has("require_player_movement"),
                no_action: has("noaction"),
                no_undo: has("noundo"),
                no_restart: has("norestart"),
                realtime: source.setting("realtime_interval").map(|setting| setting.line),
            },
            levels,
            warnings: source.warnings,
            letters: letters(&tables).map(|(letter, _)| letter).collect(),
            glyphs: glyphs(&tables),
            capitals: capitals(text, &source.levels),
            headings: source.headings,
            object_words: tables.object_words,
            movement_words: tables.movement_words,
            layers: tables.layers,
        })
    }

    /// Why there is nothing to ask of the game's levels, if it is so: it does not wait for the
    /// player, or nothing wins.
    pub fn refusal(&self) -> Option<ParseError> {
        if let Some(line) = self.settings.realtime {
            let error = ParseError::at(line, 0, "the game runs in real time");
            return Some(error.help("only games that wait for the player can be judged"));
        }
        let mut rules = self.rules.iter().chain(&self.late_rules).flat_map(|group| &group.rules);
        let wins = rules.any(|rule| rule.commands.contains(&Command::Win));
        (self.conditions.is_empty() && !wins).then(|| {
            ParseError::whole("this game cannot be won")
                .help("it has neither win conditions nor a rule with the command WIN")
        })
    }
}

fn kind(tables: &Tables, name: Name) -> Kind {
    let mask = tables.any_mask(name).cloned().unwrap_or_default();
    if tables.legend.aggregate(name).is_some() { Kind::All(mask) } else { Kind::Any(mask) }
}

fn win_condition(tables: &Tables, condition: &Condition) -> Result<WinCondition, ParseError> {
    let words: Vec<&str> = condition.words.iter().map(String::as_str).collect();
    let line = condition.line;
    let kind_of = |word: &str| {
        let found = tables.legend.find(word).map(|name| kind(tables, name));
        found.ok_or_else(|| ParseError::at(line, 0, format!("there is no object called `{word}`")))
    };
    let [quantifier, what, more @ ..] = &words[..] else {
        return Err(ParseError::at(
            line,
            0,
            "a win condition is like `all crate on target` or `no fruit`",
        ));
    };
    let on = match more {
        [_, on] => Some(kind_of(on)?),
        _ => None,
    };
    let quantifier = match *quantifier {
        "no" => Quantifier::No,
        "all" => Quantifier::All,
        _ => Quantifier::Some,
    };
    Ok(WinCondition { line, quantifier, what: kind_of(what)?, on })
}

/// Colours of the prelude must be colours, though they change nothing in the game.
fn check_colors(source: &Source) -> Result<(), ParseError> {
    for key in ["text_color", "background_color"] {
        let Some(setting) = source.setting(key) else { continue };
        let value = setting.value.as_str();
        let digits = value.strip_prefix('#').unwrap_or_default();
        let is_code =
            [3, 6].contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_hexdigit());
        if !is_code && !crate::language::words::COLORS.contains(&value) {
            return Err(ParseError::at(setting.line, 0, format!("`{value}` is not a colour")));
        }
    }
    Ok(())
}

fn levels(tables: &Tables, source: &Source) -> Result<Vec<Stage>, ParseError> {
    let mut words = 0;
    let mut stages = Vec::new();
    for level in &source.levels {
        stages.push(match level {
            LevelText::Message(text) => Stage::Message(text.clone()),
            LevelText::Map { line, rows } => {
                let map = map(tables, *line, rows)?;
                words += map.cells.len();
                if words > MAX_WORDS {
                    return Err(ParseError::at(
                        *line,
                        0,
                        "the levels up to this one are too large together",
                    ));
                }
                Stage::Level(map)
            }
        });
    }
    Ok(stages)
}

/// Names of one letter.
fn letters(tables: &Tables) -> impl Iterator<Item = (char, Name)> {
    tables.legend.names().filter_map(|(name, text)| {
        let mut letters = text.chars();
        let letter = letters.next().filter(|_| letters.next().is_none())?;
        Some((letter, name))
    })
}

/// What maps may be drawn with.
fn glyphs(tables: &Tables) -> Vec<(char, Mask)> {
    let drawn = letters(tables).filter(|&(_, name)| tables.legend.property(name).is_none());
    drawn.filter_map(|(letter, name)| Some((letter, tables.any_mask(name)?.clone()))).collect()
}

/// Which letters are written as capitals: in the maps, or where none has them in the legend.
fn capitals(text: &str, levels: &[LevelText]) -> HashMap<char, char> {
    let lines: Vec<&str> = text.split('\n').collect();
    let maps = levels.iter().filter_map(|level| match level {
        LevelText::Map { line, rows } => lines.get(line - 1..line - 1 + rows.len()),
        LevelText::Message(_) => None,
    });
    let drawn = maps.flatten().flat_map(|row| row.split('(').next().unwrap_or_default().chars());
    let declared = lines.iter().filter_map(|line| {
        let mut letters = line.split_once('=')?.0.trim().chars();
        letters.next().filter(|_| letters.next().is_none())
    });
    let mut written = HashMap::new();
    for letter in drawn.chain(declared) {
        let mut small = letter.to_lowercase();
        if let (Some(small), None) = (small.next(), small.next()) {
            written.entry(small).or_insert(letter);
        }
    }
    written.retain(|small, letter| small != letter);
    written
}

/// Puts a map in bits. The first row says how wide it is; shorter rows go on with their last glyph.
fn map(tables: &Tables, line: usize, rows: &[Vec<char>]) -> Result<Map, ParseError> {
    let (width, height) = (rows[0].len(), rows.len());
    if width.checked_mul(height).is_none_or(|cells| cells > MAX_CELLS) {
        let message = format!("this level has more than {MAX_CELLS} cells");
        return Err(ParseError::at(line, 0, message));
    }
    let glyph = |c: char| {
        let name = tables.legend.find(c.encode_utf8(&mut [0; 4]))?;
        tables.any_mask(name).filter(|_| tables.legend.property(name).is_none())
    };
    let mut cells = Vec::with_capacity(width * height * tables.object_words);
    for column in 0..width {
        for (at, row) in rows.iter().enumerate() {
            let letter = row.get(column).or(row.last()).copied().unwrap_or(' ');
            let objects = glyph(letter).ok_or_else(|| {
                let message = format!("`{letter}` cannot stand in a map");
                ParseError::at(line + at, (column + 1).min(row.len()), message)
                    .help("maps are made of objects and of what is joined by AND, not by OR")
            })?;
            cells.extend_from_slice(objects.words());
        }
    }
    if let Some(object) = tables.legend.object(tables.background) {
        add_background(&tables.layers[object.layer], object.bit, tables.object_words, &mut cells);
    }
    Ok(Map { line, width, height, cells })
}

impl Game {
    /// What is read where these letters stand in a map, column by column; nothing if one of them
    /// is not in the legend.
    pub fn cells_of(&self, letters: &[char]) -> Option<Vec<u64>> {
        let glyphs: HashMap<char, &Mask> = self.glyphs.iter().map(|(c, mask)| (*c, mask)).collect();
        let mut cells = Vec::with_capacity(letters.len() * self.object_words);
        for letter in letters {
            cells.extend_from_slice(glyphs.get(letter)?.words());
        }
        add_background(self.background_layer(), self.background, self.object_words, &mut cells);
        Some(cells)
    }
}

/// Cells without a background have the first one of the level, or the first of the game.
fn add_background(layer: &Mask, default: usize, words: usize, cells: &mut [u64]) {
    let first = cells.chunks(words).find(|cell| layer.meets(cell));
    let mut background = Mask::empty(words);
    match first {
        Some(cell) => {
            layer.bits().filter(|&bit| has(cell, bit)).for_each(|bit| background.insert(bit));
        }
        None => background.insert(default),
    }
    for cell in cells.chunks_mut(words).filter(|cell| !layer.meets(cell)) {
        cell.iter_mut().zip(background.words()).for_each(|(word, more)| *word |= more);
    }
}
