//! Says which text belongs to which board, and which line is a title.
//!
//! A title is the last line of text before a board, where it does not end a paragraph of several lines
//! (as SOK has it: it follows a blank line, or is the only one). Files in which the first board has nothing
//! above it, and every board has text right below, have their titles there.

use super::collection::{Collection, Entry};
use super::note::Note;
use super::scan::Item;
use std::mem;

/// Makes a collection of the pieces of a text.
pub(super) fn gather(items: Vec<Item>) -> Collection {
    let mut entries: Vec<Entry> = Vec::new();
    // What stands before the first board, and after each.
    let mut groups: Vec<Vec<Item>> = vec![Vec::new()];
    for item in items {
        if let Item::Board { line, text, puzzle } = item {
            entries.push(Entry { heading: None, line, text, puzzle, notes: Vec::new() });
            groups.push(Vec::new());
        } else if let Some(group) = groups.last_mut() {
            group.push(item);
        }
    }
    let below = titles_below(&groups);
    for index in 0..entries.len() {
        let (heading, notes) = if below {
            let group = &mut groups[index + 1];
            let first = group.iter().position(is_text);
            (first.and_then(|at| take_text(group, at)), Vec::new())
        } else {
            heading(&mut groups[index], index == 0)
        };
        entries[index].heading = heading;
        entries[index].notes = notes;
    }
    let mut groups = groups.into_iter().map(notes);
    let head = groups.next().unwrap_or_default();
    entries.iter_mut().zip(groups).for_each(|(entry, notes)| entry.notes.extend(notes));
    Collection { notes: head, entries }
}

/// Whether titles stand below their boards.
fn titles_below(groups: &[Vec<Item>]) -> bool {
    let begins_with_text = |group: &Vec<Item>| {
        group.iter().find(|item| !matches!(item, Item::Blank)).is_some_and(is_text)
    };
    let mut groups = groups.iter();
    groups.next().is_some_and(|head| !head.iter().any(is_text)) && groups.all(begins_with_text)
}

fn is_text(item: &Item) -> bool {
    matches!(item, Item::Text(_) | Item::Aside(_))
}

/// Whether the text at a place ends a paragraph of several lines.
fn ends_paragraph(group: &[Item], at: usize) -> bool {
    let last = group[..=at].iter().rev().take(2);
    last.filter(|item| matches!(item, Item::Text(_))).count() == 2
}

fn take_text(group: &mut Vec<Item>, at: usize) -> Option<String> {
    match group.remove(at) {
        Item::Text(text) | Item::Aside(text) => Some(text),
        _ => None,
    }
}

/// Takes the title of the next board, and notes that come with it, out of the text above it.
fn heading(group: &mut Vec<Item>, is_head: bool) -> (Option<String>, Vec<Note>) {
    let is_game = |item: &Item| matches!(item, Item::Note(Note::Record(_)));
    let title = group.iter().rposition(is_text);
    let title = title.filter(|&at| !group[at..].iter().any(is_game) && !ends_paragraph(group, at));
    let Some(title) = title else {
        return (None, notes(group.split_off(touching(group))));
    };
    if is_head {
        return (take_text(group, title), Vec::new());
    }
    // Lines of text right above the title go with it, and so does what follows it.
    let above = group[..title].iter().rev().take_while(|item| is_text(item)).count();
    let mut own = group.split_off(title - above);
    let heading = take_text(&mut own, above);
    (heading, notes(own))
}

/// Where the metadata begins that touches the board below and holds its title.
fn touching(group: &[Item]) -> usize {
    let is_key = |item: &Item| matches!(item, Item::Note(Note::Key(..)));
    let is_title = |item: &Item| matches!(item, Item::Note(Note::Key(key, _)) if key.eq_ignore_ascii_case("title"));
    let from = group.iter().rposition(|item| !is_key(item)).map_or(0, |last| last + 1);
    if group[from..].iter().any(is_title) { from } else { group.len() }
}

/// Turns pieces into notes; lines of text become comments.
pub(super) fn notes(items: Vec<Item>) -> Vec<Note> {
    let mut notes = Vec::new();
    let mut text: Vec<String> = Vec::new();
    for item in items {
        match item {
            Item::Text(line) | Item::Aside(line) => text.push(line),
            Item::Blank if !text.is_empty() => text.push(String::new()),
            Item::Blank | Item::Board { .. } => {}
            Item::Note(note) => {
                notes.extend(comment(&mut text));
                notes.push(note);
            }
        }
    }
    notes.extend(comment(&mut text));
    notes
}

/// The comment of the collected lines, if there are any.
fn comment(text: &mut Vec<String>) -> Option<Note> {
    let length = text.iter().rposition(|line| !line.is_empty())? + 1;
    text.truncate(length);
    Some(Note::Comment(mem::take(text)))
}
