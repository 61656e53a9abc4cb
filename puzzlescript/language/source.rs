//! Reads the text of a game, section by section, word by word.
//!
//! The walk through the words is that of PuzzleScript's own parser, because what it makes of odd
//! spacing, comments in the middle of a line and words in the wrong place is part of the language:
//! games rely on it. The first fault ends it.

use crate::error::ParseError;
use crate::language::legend::Legend;
use crate::language::stream::{Stream, is_space};
use crate::language::words;
use std::collections::HashSet;

/// A setting of the prelude.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Setting {
    pub(crate) key: String,
    pub(crate) value: String,
    pub(crate) line: usize,
}

/// A line of the section of rules.
#[derive(Clone, Debug)]
pub(crate) struct RuleLine {
    pub(crate) line: usize,
    /// The column of the first character of `text`, from 1.
    pub(crate) column: usize,
    /// The line up to a comment, in lower case.
    pub(crate) text: Vec<char>,
    /// The same as it was written, with what a message may go on with.
    pub(crate) mixed: Vec<char>,
    /// Whether there is a comment in the line.
    pub(crate) has_comment: bool,
}

/// A win condition as words.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    pub(crate) line: usize,
    pub(crate) words: Vec<String>,
}

/// An entry of the section of levels.
#[derive(Clone, Debug)]
pub(crate) enum LevelText {
    /// A text that is shown between levels.
    Message(String),
    /// A map, with the line of its first row.
    Map { line: usize, rows: Vec<Vec<char>> },
}

/// What the sections of a game say.
#[derive(Debug, Default)]
pub(crate) struct Source {
    pub(crate) settings: Vec<Setting>,
    pub(crate) legend: Legend,
    /// The objects of each layer, in order.
    pub(crate) layers: Vec<Vec<crate::language::legend::Name>>,
    /// Sound effects that have a sound.
    pub(crate) sounds: Vec<String>,
    pub(crate) rules: Vec<RuleLine>,
    pub(crate) conditions: Vec<Condition>,
    pub(crate) levels: Vec<LevelText>,
    /// Where the headings of the sounds and of the levels stand: line and column, from 1.
    pub(crate) headings: [(usize, usize); 2],
    /// What is odd but can be played, with its line.
    pub(crate) warnings: Vec<(usize, String)>,
}

/// The parser on its way through the text.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    pub(crate) source: Source,
    pub(crate) line: usize,
    comment_level: usize,
    pub(crate) section: Option<usize>,
    visited: Vec<usize>,
    /// Whether the next word counts as the first of its line, since only comments were before it.
    first_after_comment: bool,
    /// What the line ends with, where nothing but a comment may follow.
    ended_by: Option<&'static str>,
    /// A counter of words whose meaning depends on the section.
    pub(crate) word: i32,
    /// Words of the line so far, where a section needs them together.
    pub(crate) words: Vec<(String, usize)>,
    pub(crate) object: crate::language::sections::ObjectStage,
    /// What maps may be drawn with.
    glyphs: HashSet<char>,
    /// How many objects the lines of the legend have named.
    pub(crate) members: usize,
    /// Whether the next row of a map begins a new one.
    begins_map: bool,
}

/// Where in a rule the words of a message are.
pub(crate) const IN_MESSAGE: i32 = -4;

impl Source {
    /// Reads a text.
    pub(crate) fn read(text: &str) -> Result<Self, ParseError> {
        if text.contains('\r') && !text.contains('\n') {
            let message = "its lines end with carriage returns alone, and so it has one line only";
            return Err(ParseError::whole(message).help("save it with line feeds"));
        }
        let mut reader = Reader { begins_map: true, ..Reader::default() };
        for line in text.split('\n') {
            let mut stream = Stream::new(line);
            reader.line += 1;
            reader.words.clear();
            reader.word = 0;
            reader.ended_by = None;
            loop {
                if let Err(fault) = reader.token(&mut stream) {
                    return Err(reader.misspelt(text).unwrap_or(fault));
                }
                if stream.is_at_end() {
                    break;
                }
            }
        }
        Ok(reader.source)
    }

    /// The value of a setting, the last where there are several.
    pub(crate) fn setting(&self, key: &str) -> Option<&Setting> {
        self.settings.iter().rev().find(|setting| setting.key == key)
    }
}

impl Reader {
    pub(crate) fn fault(&self, column: usize, message: impl Into<String>) -> ParseError {
        ParseError::at(self.line, column, message)
    }

    pub(crate) fn warn(&mut self, message: impl Into<String>) {
        self.source.warnings.push((self.line, message.into()));
    }

    pub(crate) fn is_in(&self, section: &str) -> bool {
        self.section.is_some_and(|at| words::SECTIONS[at] == section)
    }

    /// Where the heading that has to come next stands misspelt, if it does: what follows it then
    /// makes no sense, and the first fault of it says nothing.
    fn misspelt(&self, text: &str) -> Option<ParseError> {
        let wanted = words::SECTIONS.get(self.section.map_or(0, |at| at + 1))?;
        let near = |line: &str| (1..=2).contains(&words::distance(line, wanted));
        let lines = text.lines().take(self.line).enumerate();
        let (line, word) = lines.filter(|(_, line)| near(line)).last()?;
        let message = format!("`{}` is no heading of a section", word.trim());
        let column = 1 + word.chars().take_while(|c| c.is_whitespace()).count();
        let help = format!("did you mean `{}`?", wanted.to_uppercase());
        Some(ParseError::at(line + 1, column, message).help(help))
    }

    fn end_of_line(&mut self) -> Result<(), ParseError> {
        if self.is_in("legend") { self.legend_line() } else { Ok(()) }
    }

    /// Reads one word, or as much as belongs together.
    fn token(&mut self, stream: &mut Stream) -> Result<(), ParseError> {
        let after_comment = std::mem::take(&mut self.first_after_comment);
        let first = stream.is_at_start() || after_comment;
        stream.skip_space();
        if self.comment(stream, first)? {
            return Ok(());
        }
        let ahead = stream.peek();
        stream.skip_space();
        if first && stream.is_at_end() {
            self.end_of_line()?;
            self.begins_map = true;
            if self.is_in("objects") {
                self.object = crate::language::sections::ObjectStage::Name;
            }
            return Ok(());
        }
        if let Some(reason) = self.ended_by
            && !stream.is_at_end()
        {
            let message = format!("only a comment may follow {reason} on a line");
            return Err(self.fault(stream.column(), message));
        }
        if first && self.is_ruler(stream) {
            stream.take_while(|c| c == '=');
            self.ended_by = Some("a row of equals signs");
            return Ok(());
        }
        let column = stream.column();
        if !self.is_in("levels")
            && let Some(section) = stream.one_of(&words::SECTIONS)
            && first
        {
            return self.enter(section, column);
        }
        if stream.is_at_end() {
            return self.end_of_line();
        }
        match self.section.map(|at| words::SECTIONS[at]) {
            Some("objects") => self.object_word(stream, first),
            Some("legend") => self.legend_word(stream),
            Some("sounds") => self.sound_word(stream),
            Some("collisionlayers") => self.layer_word(stream, first),
            Some("rules") => self.rule_word(stream, first, ahead),
            Some("winconditions") => self.condition_word(stream, first),
            Some(_) => self.level_word(stream, first),
            None => self.prelude_word(stream, first),
        }
    }

    /// Reads a comment or a part of one, if there is one here. Comments can stand in one another.
    fn comment(&mut self, stream: &mut Stream, first: bool) -> Result<bool, ParseError> {
        match stream.peek() {
            Some('(') if self.word != IN_MESSAGE => {
                stream.next();
                self.comment_level += 1;
            }
            Some(')') => {
                stream.next();
                if self.comment_level == 0 {
                    self.warn("a comment is closed here that was not opened");
                    return Ok(true);
                }
                self.comment_level -= 1;
                if self.comment_level == 0 {
                    self.first_after_comment = true;
                    return Ok(true);
                }
            }
            _ => {}
        }
        if self.comment_level == 0 {
            return Ok(false);
        }
        self.first_after_comment = first;
        while let Some(c) = stream.next() {
            match c {
                '(' => self.comment_level += 1,
                ')' => self.comment_level -= 1,
                _ => {}
            }
            if self.comment_level == 0 {
                break;
            }
        }
        if stream.is_at_end() {
            self.end_of_line()?;
        }
        Ok(true)
    }

    /// Whether a row of equals signs begins here. In a map it must fill the line, since `=` may be
    /// a piece of the map.
    fn is_ruler(&self, stream: &Stream) -> bool {
        stream.peek() == Some('=')
            && (!self.is_in("levels") || stream.rest().iter().all(|&c| c == '=' || is_space(c)))
    }

    /// Begins a section.
    fn enter(&mut self, name: &'static str, column: usize) -> Result<(), ParseError> {
        let at = words::SECTIONS.iter().position(|&section| section == name).unwrap_or_default();
        let shout = name.to_uppercase();
        if self.visited.contains(&at) {
            return Err(self.fault(column, format!("there are two sections {shout}")));
        }
        if at == 0 && !self.visited.is_empty() {
            return Err(self.fault(column, format!("{shout} must be the first section")));
        }
        if at > 0 && !self.visited.contains(&(at - 1)) {
            let before = words::SECTIONS[at - 1].to_uppercase();
            let message = format!("the section {shout} must come after a section {before}");
            return Err(self
                .fault(column, message)
                .help("every section needs its heading, even where there is nothing in it"));
        }
        self.visited.push(at);
        self.section = Some(at);
        self.ended_by = Some("the heading of a section");
        if name == "objects" {
            self.object = crate::language::sections::ObjectStage::Name;
        }
        if name == "sounds" {
            self.source.headings[0] = (self.line, column);
        }
        if name == "levels" {
            self.source.headings[1] = (self.line, column);
            // Properties say too little to be drawn, but a synonym of one is only found out when
            // the map is read.
            use crate::language::legend::Meaning::{Aggregate, Object, Synonym};
            let legend = &self.source.legend;
            let drawn = legend.names().filter(|&(name, _)| {
                matches!(legend.written_meaning(name), Some(Object(_) | Synonym(_) | Aggregate(_)))
            });
            let single = drawn.filter_map(|(_, text)| {
                let mut letters = text.chars();
                letters.next().filter(|_| letters.next().is_none())
            });
            self.glyphs = single.filter(|&c| c.len_utf16() == 1).collect();
        }
        Ok(())
    }

    /// A word before the first section.
    fn prelude_word(&mut self, stream: &mut Stream, first: bool) -> Result<(), ParseError> {
        if first {
            self.word = 0;
        }
        let column = stream.column();
        if self.word != 0 {
            stream.until_comment();
            self.word += 1;
            if self.word > 2 {
                self.warn("a setting ends where its comment begins");
            }
            return Ok(());
        }
        let Some(key) = stream.name() else {
            return Err(self.fault(column, "only settings may stand before the first section"));
        };
        if !first {
            return Ok(());
        }
        if words::SETTINGS.contains(&key.as_str()) {
            let value: String = stream.mixed_rest().iter().take_while(|&&c| c != '(').collect();
            if value.is_empty() {
                return Err(self.fault(stream.column(), format!("{key} needs a value")));
            }
            let exact = ["title", "author", "homepage"].contains(&key.as_str());
            let value = if exact { value } else { value.to_lowercase() };
            if let Some(earlier) = self.source.setting(&key) {
                let message = format!("{key} was set on line {} already", earlier.line);
                self.warn(message);
            }
            let value = value.trim_matches(is_space).to_owned();
            self.source.settings.push(Setting { key, value, line: self.line });
            self.word = 1;
        } else if words::FLAGS.contains(&key.as_str()) {
            if stream.peek().is_some_and(|c| c != '(') {
                self.warn(format!("{key} takes no value"));
            }
            let value = "true".to_owned();
            self.source.settings.push(Setting { key, value, line: self.line });
            self.word = -1;
        } else if let Some((_, dialect)) =
            words::OTHER_DIALECTS.iter().find(|&&(word, _)| word == key)
        {
            let message = format!("`{key}` is a setting of {dialect} only");
            return Err(self
                .fault(column, message)
                .help("only games of plain PuzzleScript can be read"));
        } else {
            return Err(self.fault(column, format!("`{key}` is no setting of PuzzleScript")));
        }
        Ok(())
    }

    /// A word of a win condition.
    fn condition_word(&mut self, stream: &mut Stream, first: bool) -> Result<(), ParseError> {
        if first {
            let (lower, _) = stream.whole();
            let text: String =
                lower.iter().skip_while(|&&c| c == '(').take_while(|&&c| c != '(').collect();
            let words = text.split(is_space).filter(|word| !word.is_empty());
            let words = words.map(str::to_owned).collect();
            self.source.conditions.push(Condition { line: self.line, words });
            self.word = -1;
        }
        self.word += 1;
        let column = stream.column();
        let Some(word) = stream.name() else {
            return Err(self.fault(column, "a win condition consists of words"));
        };
        match self.word {
            0 if !["all", "any", "no", "some"].contains(&word.as_str()) => Err(self.fault(
                column,
                format!("a win condition begins with ALL, SOME, ANY or NO, not with `{word}`"),
            )),
            2 if word != "on" => {
                Err(self.fault(column, format!("ON is expected here, not `{word}`")))
            }
            1 | 3 if self.source.legend.find(&word).is_none() => {
                Err(self.fault(column, format!("there is no object called `{word}`")))
            }
            4.. => Err(self.fault(column, "a win condition has at most four words")),
            _ => Ok(()),
        }
    }

    /// A glyph of a map, or a message.
    fn level_word(&mut self, stream: &mut Stream, first: bool) -> Result<(), ParseError> {
        if first {
            if stream.literal("message") {
                if stream.peek().is_some_and(|c| c == '_' || c.is_ascii_alphanumeric()) {
                    self.warn("a space is missing after `message`");
                }
                stream.skip_space();
                self.word = IN_MESSAGE;
                let text: String = stream.mixed_rest().iter().collect();
                let text = text.trim_matches(is_space).to_owned();
                self.source.levels.push(LevelText::Message(text));
                self.begins_map = true;
                return Ok(());
            }
            let row: String = stream.rest().iter().take_while(|&&c| c != '(').collect();
            let row: Vec<char> = row.trim_matches(is_space).chars().collect();
            self.word = 2;
            self.map_row(row);
        } else if self.word == IN_MESSAGE {
            stream.skip_to_end();
            return Ok(());
        }
        let column = stream.column();
        match stream.next() {
            Some(glyph) if self.word == 2 && !self.glyphs.contains(&glyph) => {
                let message = format!("`{glyph}` is not in the legend");
                Err(self
                    .fault(column, message)
                    .help("maps are made of objects, synonyms and aggregates of one character"))
            }
            _ => Ok(()),
        }
    }

    fn map_row(&mut self, row: Vec<char>) {
        match self.source.levels.last_mut() {
            Some(LevelText::Map { rows, .. }) if !self.begins_map => {
                let is_even = rows[0].len() == row.len();
                rows.push(row);
                if !is_even {
                    self.warn("the rows of this map are not equally long");
                }
            }
            _ => {
                self.source.levels.push(LevelText::Map { line: self.line, rows: vec![row] });
                self.begins_map = false;
            }
        }
    }
}
