//! Objects with their bits and layers, and what each name means as a set of bits.

use crate::error::ParseError;
use crate::language::legend::{Legend, Meaning, Name};
use crate::language::source::Source;
use crate::language::words;
use crate::mask::Mask;

/// What the sections before the rules say, put together.
#[derive(Clone, Debug)]
pub(crate) struct Tables {
    pub(crate) legend: Legend,
    /// The object of each bit. An object that is in several layers has several; the last counts.
    pub(crate) bits: Vec<Name>,
    /// The objects of each layer.
    pub(crate) layers: Vec<Mask>,
    /// What each name stands for: the one object, all or any of several.
    masks: Vec<Mask>,
    pub(crate) object_words: usize,
    pub(crate) movement_words: usize,
    /// The object that stands where a map has no background.
    pub(crate) background: Name,
}

impl Tables {
    /// Puts the objects in their layers.
    pub(crate) fn new(source: &Source) -> Result<Self, ParseError> {
        let mut legend = source.legend.clone();
        for needed in ["player", "background"] {
            if legend.find(needed).is_none() {
                return Err(ParseError::whole(format!("no object is called `{needed}`")));
            }
        }
        if source.layers.is_empty() {
            return Err(ParseError::whole("the game has no collision layers"));
        }
        let mut is_layered = vec![false; legend.objects.len()];
        let mut bits = Vec::new();
        for (layer, objects) in source.layers.iter().enumerate() {
            for &name in objects {
                if let Some(&Meaning::Object(place)) = legend.written_meaning(name) {
                    let object = &mut legend.objects[place];
                    (object.layer, object.bit) = (layer, bits.len());
                    is_layered[place] = true;
                    bits.push(name);
                }
            }
        }
        check_palette(source)?;
        for (object, &is_layered) in legend.objects.iter().zip(&is_layered) {
            let (line, fault) = if object.colors.is_empty() {
                (object.line, "has no colour")
            } else if object.colors.len() > 10 {
                (object.line + 1, "has more than 10 colours")
            } else if !is_layered {
                (object.line, "is in no collision layer")
            } else {
                continue;
            };
            let message = format!("the object `{}` {fault}", object.name);
            return Err(ParseError::at(line, 0, message));
        }
        let object_words = Mask::object_words(bits.len());
        let mut layers = vec![Mask::empty(object_words); source.layers.len()];
        for object in &legend.objects {
            layers[object.layer].insert(object.bit);
        }
        let masks = legend.names().map(|(name, _)| {
            let mut mask = Mask::empty(object_words);
            let members = legend.members(name).into_iter();
            members
                .filter_map(|name| legend.object(name))
                .for_each(|object| mask.insert(object.bit));
            mask
        });
        let masks = masks.collect();
        let movement_words = Mask::movement_words(layers.len());
        let background = background(&legend)?;
        let tables = Self { legend, bits, layers, masks, object_words, movement_words, background };
        tables.check_aggregates()?;
        Ok(tables)
    }

    /// What a name stands for as a set; nothing for aggregates, which rules replace by their parts.
    pub(crate) fn mask(&self, name: Name) -> Option<&Mask> {
        self.legend.aggregate(name).map_or_else(|| self.any_mask(name), |_| None)
    }

    /// What a name stands for as a set, the parts of aggregates too.
    pub(crate) fn any_mask(&self, name: Name) -> Option<&Mask> {
        self.masks.get(name.0 as usize)
    }

    /// The layer of an object, or of a property whose objects are all in one.
    pub(crate) fn layer(&self, name: Name) -> Option<usize> {
        let object = self.legend.object(name).map(|object| object.layer);
        object.or_else(|| self.legend.single_layer(name))
    }

    /// No two objects of an aggregate may be in one layer.
    fn check_aggregates(&self) -> Result<(), ParseError> {
        for (name, text) in self.legend.names() {
            let Some(Meaning::Aggregate(members)) = self.legend.written_meaning(name) else {
                continue;
            };
            let layers: Vec<usize> = members.iter().filter_map(|&name| self.layer(name)).collect();
            if (1..layers.len()).any(|at| layers[..at].contains(&layers[at])) {
                let message =
                    format!("`{text}` joins objects of one layer, which cannot stand together");
                return Err(ParseError::at(self.legend.line(name), 0, message));
            }
        }
        Ok(())
    }
}

fn background(legend: &Legend) -> Result<Name, ParseError> {
    let Some(name) = legend.find("background") else {
        return Err(ParseError::whole("no object is called `background`"));
    };
    let line = legend.line(name);
    match legend.meaning(name) {
        Some(Meaning::Aggregate(_)) => {
            let message = "the background cannot be several objects together (AND)";
            Err(ParseError::at(line, 0, message))
        }
        Some(Meaning::Property(_)) if legend.single_layer(name).is_none() => {
            Err(ParseError::at(line, 0, "the objects of the background must be in one layer"))
        }
        _ => {
            let first = legend.members(name).into_iter().next();
            first.ok_or_else(|| ParseError::at(line, 0, "the background is no object"))
        }
    }
}

fn check_palette(source: &Source) -> Result<(), ParseError> {
    let Some(setting) = source.setting("color_palette") else { return Ok(()) };
    let number = setting.value.parse().unwrap_or(0);
    if (1..=words::PALETTES.len()).contains(&number)
        || words::PALETTES.contains(&setting.value.as_str())
    {
        return Ok(());
    }
    Err(ParseError::at(setting.line, 0, format!("there is no palette `{}`", setting.value))
        .help(format!("palettes are {}", words::PALETTES.join(", "))))
}
