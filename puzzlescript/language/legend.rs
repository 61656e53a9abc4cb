//! The names of a game: its objects, and what the legend makes of them.

use std::collections::HashMap;

/// A name, as its place in the [`Legend`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Name(pub u32);

/// What a name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// An object of its own, with its place in [`Legend::objects`].
    Object(usize),
    /// Another name for what is no synonym itself.
    Synonym(Name),
    /// All of these objects together: `A = B and C`.
    Aggregate(Vec<Name>),
    /// Any of these objects: `A = B or C`.
    Property(Vec<Name>),
}

/// An object as its section declares it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Object {
    /// Its name in lower case.
    pub name: String,
    /// The line of its declaration.
    pub line: usize,
    /// Its colours, as words or as `#rgb` or `#rrggbb`.
    pub colors: Vec<String>,
    /// The rows of its sprite: digits that number the colours, or dots; none where the sprite is
    /// one square of the first colour.
    pub sprite: Vec<String>,
    /// The collision layer that it is in.
    pub layer: usize,
    /// Its bit in the cells of a board.
    pub bit: usize,
}

#[derive(Clone, Debug)]
struct Entry {
    name: String,
    line: usize,
    meaning: Meaning,
}

/// All names of a game.
#[derive(Clone, Debug, Default)]
pub(crate) struct Legend {
    entries: Vec<Entry>,
    places: HashMap<String, Name>,
    pub(crate) objects: Vec<Object>,
}

impl Legend {
    /// What a name is called.
    pub(crate) fn text(&self, name: Name) -> &str {
        if name == ELLIPSIS { "..." } else { &self.entries[name.0 as usize].name }
    }

    /// What stands for a text.
    pub(crate) fn find(&self, text: &str) -> Option<Name> {
        self.places.get(text).copied()
    }

    /// The line that declares a name.
    pub(crate) fn line(&self, name: Name) -> usize {
        self.entries[name.0 as usize].line
    }

    /// Declares a name that is not there yet.
    pub(crate) fn declare(&mut self, text: &str, line: usize, meaning: Meaning) -> Name {
        let name = Name(self.entries.len() as u32);
        self.places.insert(text.to_owned(), name);
        self.entries.push(Entry { name: text.to_owned(), line, meaning });
        name
    }

    /// Declares an object.
    pub(crate) fn declare_object(&mut self, text: &str, line: usize) {
        let object = Object { name: text.to_owned(), line, ..Object::default() };
        self.objects.push(object);
        self.declare(text, line, Meaning::Object(self.objects.len() - 1));
    }

    /// What a synonym is another name for: an object, an aggregate or a property; other names
    /// themselves.
    pub(crate) fn resolved(&self, name: Name) -> Name {
        match self.written_meaning(name) {
            Some(&Meaning::Synonym(other)) => other,
            _ => name,
        }
    }

    /// What a name stands for, synonyms followed; nothing for the dots of a rule.
    pub(crate) fn meaning(&self, name: Name) -> Option<&Meaning> {
        self.written_meaning(self.resolved(name))
    }

    /// What a name was declared as.
    pub(crate) fn written_meaning(&self, name: Name) -> Option<&Meaning> {
        self.entries.get(name.0 as usize).map(|entry| &entry.meaning)
    }

    /// The object that a name is, if it is one under its own name.
    pub(crate) fn object(&self, name: Name) -> Option<&Object> {
        match self.written_meaning(name) {
            Some(&Meaning::Object(place)) => Some(&self.objects[place]),
            _ => None,
        }
    }

    /// The objects of a property.
    pub(crate) fn property(&self, name: Name) -> Option<&[Name]> {
        match self.meaning(name) {
            Some(Meaning::Property(objects)) => Some(objects),
            _ => None,
        }
    }

    /// The objects of an aggregate.
    pub(crate) fn aggregate(&self, name: Name) -> Option<&[Name]> {
        match self.meaning(name) {
            Some(Meaning::Aggregate(objects)) => Some(objects),
            _ => None,
        }
    }

    /// The objects that a name stands for, one, all together or any of them.
    pub(crate) fn members(&self, name: Name) -> Vec<Name> {
        match self.meaning(name) {
            Some(Meaning::Object(_)) => vec![self.resolved(name)],
            Some(Meaning::Aggregate(objects) | Meaning::Property(objects)) => objects.clone(),
            _ => Vec::new(),
        }
    }

    /// The layer that all objects of a property are in.
    pub(crate) fn single_layer(&self, name: Name) -> Option<usize> {
        let mut layers = self.property(name)?.iter().filter_map(|&name| self.object(name));
        let first = layers.next()?.layer;
        layers.all(|object| object.layer == first).then_some(first)
    }

    /// All names of one character that a level may be drawn with, and those that it may not.
    pub(crate) fn names(&self) -> impl Iterator<Item = (Name, &str)> {
        (0..).map(Name).zip(self.entries.iter().map(|entry| entry.name.as_str()))
    }
}

/// What stands where a rule has dots.
pub(crate) const ELLIPSIS: Name = Name(u32::MAX);
