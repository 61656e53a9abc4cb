//! Reads one line of a game as a rule.

use crate::error::ParseError;
use crate::language::legend::{ELLIPSIS, Legend, Name};
use crate::language::source::{RuleLine, Source};
use crate::language::stream::is_space;
use crate::language::words;

/// An object in a cell of a rule, with the word before it (empty where there is none).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Term {
    pub(crate) word: &'static str,
    pub(crate) name: Name,
}

/// A cell of a rule.
pub(crate) type Cell = Vec<Term>;

/// What stands in one pair of brackets.
pub(crate) type Row = Vec<Cell>;

/// What a rule asks for beside a change of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// The turn has not happened.
    Cancel,
    /// Begin again, at the start or at the last checkpoint.
    Restart,
    /// Restarts lead here from now on.
    Checkpoint,
    /// The level is won.
    Win,
    /// Another turn without an input follows.
    Again,
    /// A text is shown.
    Message(String),
    /// A sound is played.
    Sound(&'static str),
}

impl Command {
    /// Its word in a rule.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Cancel => "cancel",
            Self::Restart => "restart",
            Self::Checkpoint => "checkpoint",
            Self::Win => "win",
            Self::Again => "again",
            Self::Message(_) => "message",
            Self::Sound(word) => word,
        }
    }
}

/// A rule as it is written, with its directions still to be put in.
#[derive(Clone, Debug)]
pub(crate) struct SourceRule {
    pub(crate) line: usize,
    /// The line of the first rule of its group.
    pub(crate) group: usize,
    pub(crate) directions: Vec<&'static str>,
    pub(crate) left: Vec<Row>,
    pub(crate) right: Vec<Row>,
    pub(crate) late: bool,
    pub(crate) rigid: bool,
    pub(crate) commands: Vec<Command>,
}

/// What a line of the section of rules is.
pub(crate) enum RuleItem {
    Rule(SourceRule),
    /// The start of a loop (`true`) or its end.
    Loop(bool),
    /// A rule that the engine leaves out after a warning.
    Nothing,
}

/// A word of a rule with its place: columns from 1, and where it ends in the line.
struct Token {
    text: String,
    column: usize,
    end: usize,
}

/// More words than that are in no rule.
const MAX_TOKENS: usize = 4096;

fn tokens(line: &RuleLine) -> Vec<Token> {
    let text = &line.text;
    let mut tokens: Vec<Token> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        if is_space(text[at]) {
            at += 1;
            continue;
        }
        let is_arrow = |at: usize| text[at] == '-' && text.get(at + 1) == Some(&'>');
        let is_bracket = |at: usize| ['[', ']', '|'].contains(&text[at]);
        let length = if is_arrow(at) {
            2
        } else if is_bracket(at) || tokens.is_empty() && text[at] == '+' {
            1
        } else {
            let ends = |&at: &usize| is_space(text[at]) || is_bracket(at) || is_arrow(at);
            (at..text.len()).find(ends).unwrap_or(text.len()) - at
        };
        let end = at + length;
        tokens.push(Token { text: text[at..end].iter().collect(), column: line.column + at, end });
        at = end;
    }
    tokens
}

/// Reads a line; `before` are the rules of the lines before it.
pub(crate) fn read(
    line: &RuleLine,
    source: &mut Source,
    before: &[SourceRule],
) -> Result<RuleItem, ParseError> {
    let tokens = tokens(line);
    if tokens.len() > MAX_TOKENS {
        return Err(ParseError::at(
            line.line,
            0,
            format!("this rule has more than {MAX_TOKENS} words"),
        ));
    }
    let has_arrow = tokens.iter().any(|token| token.text == "->");
    if line.has_comment && !has_arrow {
        return Err(ParseError::at(line.line, 0, "a comment hides the arrow of this rule")
            .help("comments cannot appear inside rules"));
    }
    if let [only] = &tokens[..]
        && (only.text == "startloop" || only.text == "endloop")
    {
        return Ok(RuleItem::Loop(only.text == "startloop"));
    }
    if !has_arrow {
        return Err(ParseError::at(
            line.line,
            0,
            "a rule needs an arrow (->), and this one has none",
        ));
    }
    let mut parser = RuleParser {
        line,
        source,
        before,
        rule: SourceRule {
            line: line.line,
            group: line.line,
            directions: Vec::new(),
            left: Vec::new(),
            right: Vec::new(),
            late: false,
            rigid: false,
            commands: Vec::new(),
        },
        row: Vec::new(),
        cell: Vec::new(),
        word: None,
        depth: 0,
        in_row: false,
        after_arrow: false,
    };
    let mut at = 0;
    while at < tokens.len() && tokens[at].text != "[" {
        parser.prefix(&tokens[at], at)?;
        at += 1;
    }
    if parser.rule.directions.is_empty() {
        parser.rule.directions = words::several("orthogonal").to_vec();
    }
    let last_bracket = tokens.iter().rposition(|token| token.text == "]").unwrap_or(0);
    for (at, token) in tokens.iter().enumerate().skip(at) {
        match parser.token(token, at < last_bracket)? {
            Next::Word => {}
            Next::End => break,
            Next::LeaveOut => return Ok(RuleItem::Nothing),
        }
    }
    parser.finish()
}

/// Whether the rule goes on after a word.
enum Next {
    Word,
    End,
    LeaveOut,
}

struct RuleParser<'a> {
    line: &'a RuleLine,
    source: &'a mut Source,
    before: &'a [SourceRule],
    rule: SourceRule,
    row: Row,
    cell: Cell,
    /// The word that waits for its object, with its column.
    word: Option<(&'static str, usize)>,
    depth: i32,
    in_row: bool,
    after_arrow: bool,
}

impl RuleParser<'_> {
    fn fault(&self, token: &Token, message: impl Into<String>) -> ParseError {
        ParseError::at(self.line.line, token.column, message)
    }

    fn warn(&mut self, message: impl Into<String>) {
        self.source.warnings.push((self.line.line, message.into()));
    }

    /// A word before the first bracket.
    fn prefix(&mut self, token: &Token, at: usize) -> Result<(), ParseError> {
        let several = words::several(&token.text);
        match token.text.as_str() {
            "+" => {
                let Some(last) = self.before.last() else {
                    return Err(
                        self.fault(token, "`+` joins a rule to the one before, but there is none")
                    );
                };
                if at > 0 {
                    return Err(self.fault(token, "`+` must be the first character of its line"));
                }
                self.rule.group = last.group;
            }
            "late" => self.rule.late = true,
            "rigid" => self.rule.rigid = true,
            "random" => return Err(refuse_random(self.line.line, token.column)),
            word if words::RELATIVE.contains(&word) => {
                let message = "a relative direction cannot say where a rule applies";
                return Err(self.fault(token, message).help(
                    "up, down, left, right, horizontal and vertical can; without any, it is all four",
                ));
            }
            _ if !several.is_empty() => self.rule.directions.extend(several),
            word => {
                let known =
                    ["up", "down", "left", "right"].into_iter().find(|&known| known == word);
                let Some(direction) = known else {
                    let message =
                        format!("only directions may stand before the first bracket, not `{word}`");
                    return Err(self.fault(token, message));
                };
                self.rule.directions.push(direction);
            }
        }
        Ok(())
    }

    /// A word from the first bracket on.
    fn token(&mut self, token: &Token, brackets_follow: bool) -> Result<Next, ParseError> {
        let text = token.text.as_str();
        let cell_word = words::CELL_WORDS.into_iter().find(|&word| word == text);
        if let Some(word) = cell_word {
            self.cell_word(token, word)?;
        } else if text == "[" {
            self.depth += 1;
            if self.depth > 1 {
                self.warn("a bracket is opened inside another");
            }
            if !self.cell.is_empty() || self.word.is_some() {
                return Err(self.fault(token, "the bracket before this one is not closed"));
            }
            self.in_row = true;
        } else if text == "|" {
            if self.in_row {
                self.end_cell(token)?;
            } else {
                self.warn("`|` belongs inside brackets");
            }
        } else if text == "]" {
            self.depth -= 1;
            if self.depth < 0 {
                self.warn("a bracket is closed that was not opened: the rule is left out");
                return Ok(Next::LeaveOut);
            }
            self.end_cell(token)?;
            let row = std::mem::take(&mut self.row);
            if self.after_arrow {
                self.rule.right.push(row)
            } else {
                self.rule.left.push(row)
            }
            self.in_row = false;
        } else if text == "->" {
            if self.before.last().is_some_and(|last| {
                self.rule.group != self.rule.line && last.late != self.rule.late
            }) {
                self.warn("this group mixes late rules with others");
            }
            if self.in_row {
                self.warn("an arrow inside brackets is ignored");
            } else if self.after_arrow {
                return Err(self.fault(token, "a rule has only one arrow"));
            } else {
                self.after_arrow = true;
            }
        } else if let Some(name) = self.source.legend.find(text) {
            self.object(token, name)?;
        } else if text == "..." {
            if !self.in_row {
                self.warn("an ellipsis belongs inside brackets");
            } else if self.word.is_some() {
                return Err(self.fault(token, "an object is expected here, not an ellipsis"));
            } else {
                self.cell.push(Term { word: "...", name: ELLIPSIS });
            }
        } else if let Some(word) = words::command(text) {
            if !self.after_arrow {
                return Err(self.fault(token, "commands belong at the end of a rule"));
            }
            if self.in_row || brackets_follow && text != "message" {
                self.warn("commands belong at the end of a rule");
            }
            return Ok(self.command(token, word));
        } else {
            return Err(self.fault(token, format!("`{text}` has no place in a rule")));
        }
        Ok(Next::Word)
    }

    fn cell_word(&mut self, token: &Token, word: &'static str) -> Result<(), ParseError> {
        if self.word.is_some() {
            return Err(
                self.fault(token, "an object can have only one direction or action at a time")
            );
        }
        if !self.in_row {
            self.warn("directions belong at the start of a rule or inside brackets");
            return Ok(());
        }
        if word == "random" || word == "randomdir" {
            return Err(refuse_random(self.line.line, token.column));
        }
        if self.rule.late && word != "no" {
            return Err(self.fault(token, "movements cannot appear in late rules"));
        }
        self.word = Some((word, token.column));
        Ok(())
    }

    fn object(&mut self, token: &Token, name: Name) -> Result<(), ParseError> {
        if !self.in_row {
            self.warn(format!("`{}` belongs inside brackets", token.text));
            return Ok(());
        }
        let word = self.word.take().map_or("", |(word, _)| word);
        if let Some(other) = self.cell.iter().find(|term| term.name == name) {
            if other.word != "no" || word != "no" {
                let message = format!("`{}` is named twice in one cell", token.text);
                return Err(self.fault(token, message));
            }
            self.warn(format!("NO {} is named twice in one cell", token.text));
        }
        self.cell.push(Term { word, name });
        Ok(())
    }

    fn end_cell(&mut self, token: &Token) -> Result<(), ParseError> {
        if let Some((word, column)) = self.word {
            let message =
                format!("`{word}` needs an object, but the cell ends at column {}", token.column);
            return Err(ParseError::at(self.line.line, column, message));
        }
        self.row.push(std::mem::take(&mut self.cell));
        Ok(())
    }

    fn command(&mut self, token: &Token, word: &'static str) -> Next {
        let command = match word {
            "cancel" => Command::Cancel,
            "restart" => Command::Restart,
            "checkpoint" => Command::Checkpoint,
            "win" => Command::Win,
            "again" => Command::Again,
            "message" => {
                let text: String =
                    self.line.mixed.get(token.end..).unwrap_or_default().iter().collect();
                let text = text.trim_matches(is_space);
                let text = if text.is_empty() { " " } else { text };
                self.rule.commands.push(Command::Message(text.to_owned()));
                return Next::End;
            }
            sound => {
                if !self.source.sounds.iter().any(|known| known == sound) {
                    self.warn(format!("`{sound}` has no sound"));
                }
                Command::Sound(sound)
            }
        };
        self.rule.commands.push(command);
        Next::Word
    }

    fn finish(mut self) -> Result<RuleItem, ParseError> {
        let line = self.line.line;
        if self.rule.late && self.rule.rigid {
            return Err(ParseError::at(
                line,
                0,
                "a late rule cannot be rigid, since nothing moves after it",
            ));
        }
        let (left, right) = (&self.rule.left, &self.rule.right);
        if left.len() != right.len() {
            if self.rule.commands.is_empty() || !right.is_empty() {
                self.warn("both sides of a rule need the same number of brackets: it is left out");
                return Ok(RuleItem::Nothing);
            }
        } else if left.iter().zip(right).any(|(left, right)| left.len() != right.len()) {
            let message = "the brackets on both sides of a rule need the same number of cells";
            return Err(ParseError::at(line, 0, message));
        }
        if left.is_empty() {
            return Err(ParseError::at(line, 0, "this rule looks for nothing"));
        }
        let is_relative =
            |row: &Row| row.iter().flatten().any(|term| words::RELATIVE.contains(&term.word));
        let looks_around = left.iter().any(|row| row.len() > 1 || is_relative(row))
            || right.iter().any(is_relative);
        if !looks_around {
            self.rule.directions.truncate(1);
        }
        Ok(RuleItem::Rule(self.rule))
    }
}

fn refuse_random(line: usize, column: usize) -> ParseError {
    ParseError::at(line, column, "the game depends on chance here (random)")
        .help("only games without random rules can be judged")
}

/// A rule after some steps of expansion as text, as the engine prints it: rules of a group with one
/// text are one rule.
pub(crate) fn print(legend: &Legend, rule: &SourceRule, direction: &str) -> String {
    let mut text = format!("({}) ", rule.line);
    if rule.left.iter().any(|row| row.len() > 1) {
        text += &format!("{} ", direction.to_uppercase());
    }
    if rule.rigid {
        text = format!("RIGID {text} ");
    }
    if rule.late {
        text = format!("LATE {text} ");
    }
    let rows = |text: &mut String, rows: &[Row]| {
        for row in rows {
            *text += "[ ";
            for (at, cell) in row.iter().enumerate() {
                *text += if at > 0 { "| " } else { "" };
                for term in cell {
                    if term.name == ELLIPSIS {
                        *text += "... ";
                    } else {
                        *text += &format!("{} {} ", term.word, legend.text(term.name));
                    }
                }
            }
            *text += "] ";
        }
    };
    rows(&mut text, &rule.left);
    text += "-> ";
    rows(&mut text, &rule.right);
    for command in &rule.commands {
        match command {
            Command::Message(message) => text += &format!("(message, {message}) "),
            other => text += other.word(),
        }
    }
    text
}
