//! The sections of a game that declare things: objects, legend, sounds, layers; and rules as lines.

use crate::error::ParseError;
use crate::language::legend::{Meaning, Name};
use crate::language::source::{IN_MESSAGE, Reader, RuleLine};
use crate::language::stream::{Stream, is_space, is_word};
use crate::language::words;

/// All properties and aggregates of a legend together have at most so many objects.
const MAX_MEMBERS: usize = 1 << 20;

/// No name is longer, in bytes.
const MAX_NAME: usize = 200;

/// What the next line of the section of objects is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ObjectStage {
    /// A name.
    #[default]
    Name,
    /// The line with a name is being read.
    Named,
    /// Colours.
    Colors,
    /// A row of the sprite, or the next name.
    Sprite { rows: usize },
}

impl Reader {
    pub(crate) fn object_word(
        &mut self,
        stream: &mut Stream,
        first: bool,
    ) -> Result<(), ParseError> {
        if first && self.object == ObjectStage::Colors {
            self.object = ObjectStage::Sprite { rows: 0 };
        }
        if first && self.object == ObjectStage::Named {
            self.object = ObjectStage::Colors;
        }
        match self.object {
            ObjectStage::Name | ObjectStage::Named => self.object_name(stream, first),
            ObjectStage::Colors => {
                let column = stream.column();
                let Some(color) = color(stream) else {
                    let name = self.source.legend.objects.last().map_or("", |last| &last.name);
                    let message = format!("a colour for the object `{name}` is expected here");
                    return Err(self.fault(column, message));
                };
                stream.skip_space();
                if let Some(object) = self.source.legend.objects.last_mut() {
                    object.colors.push(color);
                }
                Ok(())
            }
            ObjectStage::Sprite { rows } => self.sprite_dot(stream, first, rows),
        }
    }

    /// Refuses a name that cannot be a new one, and warns of one that is bad.
    fn check_new_name(&mut self, name: &str, column: usize) -> Result<(), ParseError> {
        // Every table of the engine has these from the beginning.
        if ["constructor", "__proto__"].contains(&name) {
            let message = format!("`{name}` cannot be a name: it is one of JavaScript");
            return Err(self.fault(column, message));
        }
        if let Some(known) = self.source.legend.find(name) {
            let line = self.source.legend.line(known);
            let message = format!("the name `{name}` is already in use (line {line})");
            return Err(self.fault(column, message));
        }
        // Expanded rules repeat names often.
        if name.len() > MAX_NAME {
            return Err(self.fault(column, format!("this name has more than {MAX_NAME} bytes")));
        }
        if words::is_keyword(name) {
            self.warn(format!("`{name}` is a keyword, so it is a bad name"));
        }
        Ok(())
    }

    fn object_name(&mut self, stream: &mut Stream, first: bool) -> Result<(), ParseError> {
        let column = stream.column();
        let name = if first { stream.name() } else { stream.chunk() };
        let Some(name) = name else {
            stream.until_comment();
            self.warn("an object's name consists of letters, digits and `_`; this is ignored");
            return Ok(());
        };
        self.check_new_name(&name, column)?;
        if first {
            self.source.legend.declare_object(&name, self.line);
        } else if let Some(object) = self.source.legend.objects.last() {
            let object = object.name.clone();
            if let Some(known) = self.source.legend.find(&object) {
                self.source.legend.declare(&name, self.line, Meaning::Synonym(known));
            }
        } else {
            return Err(self
                .fault(column, "the first name of an object consists of letters, digits and `_`"));
        }
        self.object = ObjectStage::Named;
        Ok(())
    }

    fn sprite_dot(
        &mut self,
        stream: &mut Stream,
        first: bool,
        rows: usize,
    ) -> Result<(), ParseError> {
        let column = stream.column();
        let dot = stream.peek().filter(|&c| c == '.' || c.is_ascii_digit());
        let Some(dot) = dot else {
            if rows == 0 {
                return self.object_name(stream, first);
            }
            return Err(self.fault(column, "a sprite consists of digits and dots"));
        };
        stream.next();
        let Some(object) = self.source.legend.objects.last_mut() else { return Ok(()) };
        let rows = rows + usize::from(first);
        if first {
            object.sprite.push(String::new());
        }
        let row = object.sprite.last_mut();
        let width = row.map_or(0, |row| {
            row.push(dot);
            row.len()
        });
        self.object = ObjectStage::Sprite { rows };
        if width > 5 {
            if let Some(row) = object.sprite.last_mut() {
                row.truncate(5);
            }
            stream.until_comment();
            self.warn("sprites are 5 wide and 5 high");
            return Ok(());
        }
        if rows == 5 && width == 5 {
            self.object = ObjectStage::Name;
        }
        let colors = object.colors.len();
        if dot.to_digit(10).is_some_and(|digit| digit as usize >= colors) {
            let message = format!("the object has {colors} colours; they are numbered from 0");
            return Err(self.fault(column, message));
        }
        Ok(())
    }

    pub(crate) fn legend_word(&mut self, stream: &mut Stream) -> Result<(), ParseError> {
        const SHAPE: &str = "a line of the legend is `A = B`, `A = B and C` or `A = B or C`";
        let column = stream.column();
        let word = match self.word {
            0 => stream.take_while(|c| c != '=' && c != '(' && !is_space(c)),
            1 => {
                if !stream.literal("=") {
                    return Err(self.fault(column, "`=` is expected here").help(SHAPE));
                }
                stream.skip_space();
                "=".to_owned()
            }
            place => {
                let Some(word) = stream.name() else {
                    return Err(self.fault(column, "a name is expected here").help(SHAPE));
                };
                if place % 2 == 1 {
                    if word != "and" && word != "or" {
                        let message = format!("AND or OR is expected here, not `{word}`");
                        return Err(self.fault(column, message).help(SHAPE));
                    }
                    if place >= 5 && word != self.words[3].0 {
                        return Err(self.fault(column, "AND and OR cannot be mixed in one line"));
                    }
                }
                word
            }
        };
        self.word += 1;
        self.words.push((word, column));
        if stream.is_at_end() { self.legend_line() } else { Ok(()) }
    }

    /// Takes a whole line of the legend.
    pub(crate) fn legend_line(&mut self) -> Result<(), ParseError> {
        let words = std::mem::take(&mut self.words);
        let Some((name, column)) = words.first() else { return Ok(()) };
        if words.len() == 1 || words.len().is_multiple_of(2) {
            let (last, column) = &words[words.len() - 1];
            return Err(self
                .fault(*column, format!("this line of the legend ends with `{last}`"))
                .help("a line of the legend is `A = B`, `A = B and C` or `A = B or C`"));
        }
        if words.len() > 2 * crate::MAX_OBJECTS {
            return Err(self.fault(*column, "this line of the legend names too many objects"));
        }
        self.check_new_name(name, *column)?;
        let mut parts: Vec<Name> = Vec::new();
        for (word, column) in words.iter().skip(2).step_by(2) {
            if word == name {
                return Err(self.fault(*column, format!("`{name}` is defined in terms of itself")));
            }
            let Some(part) = self.source.legend.find(word) else {
                let message = format!("there is no object called `{word}`");
                return Err(self.fault(*column, message));
            };
            if parts.contains(&part) {
                self.warn(format!("`{word}` is named twice here"));
            }
            parts.push(part);
        }
        let meaning = match words.get(3).map(|(word, _)| word.as_str()) {
            None => Meaning::Synonym(self.source.legend.resolved(parts[0])),
            joined => self.joined(joined == Some("and"), &parts, &words)?,
        };
        let name = name.clone();
        self.source.legend.declare(&name, self.line, meaning);
        Ok(())
    }

    /// What names joined by AND (`all`) or OR stand for; `words` are those of the line.
    fn joined(
        &mut self,
        all: bool,
        parts: &[Name],
        words: &[(String, usize)],
    ) -> Result<Meaning, ParseError> {
        let mut members = Vec::new();
        for (&part, (word, column)) in parts.iter().zip(words.iter().skip(2).step_by(2)) {
            let fault = match (self.source.legend.meaning(part), all) {
                (Some(Meaning::Property(_)), true) => {
                    format!("`{word}` is any of several objects (OR) and cannot be joined with AND")
                }
                (Some(Meaning::Aggregate(_)), false) => {
                    format!("`{word}` is several objects together (AND), not to be joined with OR")
                }
                _ => {
                    members.extend(self.source.legend.members(part));
                    if members.len() <= crate::MAX_OBJECTS {
                        continue;
                    }
                    "this line of the legend names too many objects".to_owned()
                }
            };
            return Err(self.fault(*column, fault));
        }
        self.members += members.len();
        if self.members > MAX_MEMBERS {
            return Err(self.fault(0, "the legend up to here names too many objects"));
        }
        Ok(if all { Meaning::Aggregate(members) } else { Meaning::Property(members) })
    }

    /// A word of a line of sounds. Sounds change nothing in a game, but a line that is wrong is a
    /// fault of it.
    pub(crate) fn sound_word(&mut self, stream: &mut Stream) -> Result<(), ParseError> {
        let column = stream.column();
        match self.words.len() {
            0 => {
                let event = stream.one_of(&words::SOUND_EVENTS);
                if let Some(event) = event.or_else(|| stream.one_of(&words::SOUNDS)) {
                    if !self.source.sounds.iter().any(|known| known == event) {
                        self.source.sounds.push(event.to_owned());
                    }
                    self.words.push(("event".to_owned(), column));
                } else if let Some(name) = stream.name() {
                    let Some(known) = self.source.legend.find(&name) else {
                        let message = format!("`{name}` is neither an event nor an object");
                        return Err(self.fault(column, message));
                    };
                    let is_many = self.source.legend.aggregate(known).is_some();
                    self.words.push((if is_many { "many" } else { "one" }.to_owned(), column));
                } else {
                    // The rest of such a line is ignored.
                    stream.skip_to_end();
                    self.warn("an event or an object is expected here; this sound is ignored");
                }
            }
            _ if self.words[0].0 == "event" => {
                if self.words.len() > 1 || !seed(stream) {
                    return Err(self.fault(column, "an event has one number as its sound"));
                }
                self.words.push(("seed".to_owned(), column));
            }
            1 => {
                let Some(verb) = stream.one_of(&words::SOUND_VERBS) else {
                    let verbs = words::SOUND_VERBS.join(", ");
                    return Err(self.fault(column, format!("one of {verbs} is expected here")));
                };
                if self.words[0].0 == "many" {
                    let message = "several objects together (AND) cannot have a sound";
                    return Err(self.fault(self.words[0].1, message));
                }
                self.words.push((verb.to_owned(), column));
            }
            more => {
                let directed = ["move", "cantmove"].contains(&self.words[1].0.as_str());
                let is_over = self.words[more - 1].0 == "seed";
                if !is_over && directed && stream.one_of(&words::SOUND_DIRECTIONS).is_some() {
                    self.words.push(("direction".to_owned(), column));
                } else if !is_over && seed(stream) {
                    self.words.push(("seed".to_owned(), column));
                } else {
                    return Err(self.fault(column, "a direction or a number is expected here"));
                }
            }
        }
        Ok(())
    }

    pub(crate) fn layer_word(
        &mut self,
        stream: &mut Stream,
        first: bool,
    ) -> Result<(), ParseError> {
        if first {
            if self.source.layers.len() >= crate::MAX_LAYERS {
                return Err(self.fault(0, "there are too many collision layers"));
            }
            self.source.layers.push(Vec::new());
            self.words.clear();
            self.word = 0;
        }
        let column = stream.column();
        let Some(text) = stream.name() else {
            if stream.take_while(|c| c == ' ' || c == ',').is_empty() {
                return Err(self.fault(column, "names and commas are expected here"));
            }
            return Ok(());
        };
        let legend = &self.source.legend;
        let Some(name) = legend.find(&text) else {
            return Err(self.fault(column, format!("there is no object called `{text}`")));
        };
        let last = self.source.layers.len().saturating_sub(1);
        if text == "background" {
            if self.source.layers.get(last).is_some_and(|layer| !layer.is_empty()) {
                return Err(self.fault(column, "the background must have a layer of its own"));
            }
            self.word = 1;
        } else if self.word != 0 {
            return Err(self.fault(column, "the background must have a layer of its own"));
        }
        if legend.aggregate(name).is_some() {
            let message =
                format!("`{text}` is several objects together (AND), which cannot be in one layer");
            return Err(self.fault(column, message));
        }
        let members = legend.members(name);
        let others = &self.source.layers[..last];
        if members.iter().any(|member| others.iter().any(|layer| layer.contains(member))) {
            self.warn(format!("`{text}` is in several layers; the last counts"));
        }
        if self.words.iter().any(|(word, _)| *word == text) {
            self.warn(format!("`{text}` is named twice here"));
        }
        self.words.push((text, column));
        if let Some(layer) = self.source.layers.get_mut(last) {
            layer.extend(members);
        }
        let objects: usize = self.source.layers.iter().map(Vec::len).sum();
        if objects > crate::MAX_OBJECTS {
            return Err(self.fault(column, "the layers name too many objects"));
        }
        Ok(())
    }

    /// A word of a rule. Here only its words are looked at; [`crate::language::rule`] reads it.
    pub(crate) fn rule_word(
        &mut self,
        stream: &mut Stream,
        first: bool,
        ahead: Option<char>,
    ) -> Result<(), ParseError> {
        if first {
            let (lower, mixed) = stream.whole();
            let start = lower.iter().take_while(|&&c| c == '(').count();
            let length = lower[start..].iter().take_while(|&&c| c != '(').count();
            self.source.rules.push(RuleLine {
                line: self.line,
                column: start + 1,
                text: lower[start..start + length].to_vec(),
                mixed: mixed[start..].to_vec(),
                has_comment: lower.contains(&'('),
            });
            self.word = 0;
        }
        if self.word == IN_MESSAGE {
            stream.skip_to_end();
            return Ok(());
        }
        if stream.literal("->") {
            stream.skip_space();
            return Ok(());
        }
        if let Some('[' | '|' | ']' | '+') = ahead {
            if ahead != Some('+') {
                self.word = 1;
            }
            stream.next();
            stream.skip_space();
            return Ok(());
        }
        let column = stream.column();
        let word = stream.take_while(|c| !is_space(c) && !['[', '|', ']'].contains(&c));
        let text = word.as_str();
        let is_prefix = words::RULE_PREFIXES.contains(&text)
            || ["rigid", "startloop", "endloop"].contains(&text);
        if self.word == 0 && is_prefix || self.word == 1 && words::CELL_WORDS.contains(&text) {
            stream.skip_space();
        } else if self.source.legend.find(text).is_some() {
            if first {
                return Err(self.fault(column, "objects can only appear inside brackets in a rule"));
            }
            stream.skip_space();
        } else if words::command(text).is_some() {
            if text == "message" {
                self.word = IN_MESSAGE;
            }
        } else if !["...", "rigid", "random"].contains(&text) {
            return Err(self.fault(column, format!("there is no object called `{text}`")));
        }
        Ok(())
    }
}

/// The colour that begins here.
fn color(stream: &mut Stream) -> Option<String> {
    if stream.peek() == Some('#') {
        let digits = stream.rest()[1..].iter().take_while(|c| c.is_ascii_hexdigit()).count();
        let length = if digits >= 6 { 6 } else { digits - digits % 3 };
        let color: String = stream.rest()[..=length].iter().collect();
        return (length > 0 && stream.literal(&color)).then_some(color);
    }
    words::COLORS.iter().find(|color| stream.literal(color)).map(|&color| color.to_owned())
}

/// The number of a sound, if one stands here.
fn seed(stream: &mut Stream) -> bool {
    let digits = stream.rest().iter().take_while(|c| c.is_ascii_digit()).count();
    let ends = stream.rest().get(digits).is_none_or(|&c| !(is_word(c) && c.is_ascii()));
    digits > 0 && ends && {
        stream.take_while(|c| c.is_ascii_digit());
        true
    }
}
