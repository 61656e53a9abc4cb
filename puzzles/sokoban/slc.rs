//! `.slc`: collections of levels as XML, the format of several other Sokoban programs.
//!
//! `<SokobanLevels>` has `<Title>`, `<Description>`, `<Email>`, `<Url>`, and a `<LevelCollection
//! Copyright="...">` of `<Level Id="...">` with a row in each `<L>`. It is rewritten as the plain text
//! of a collection, each row in the line in which it stands in the XML, so that faults are found.

use crate::error::ParseError;
use roxmltree::{Document, Node, ParsingOptions};

/// Whether a text is of this format.
pub(super) fn is_slc(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with('<') && text.contains("<SokobanLevels")
}

/// The collection as plain text.
pub(super) fn plain_text(text: &str) -> Result<String, ParseError> {
    // Old files name the DTD of the format. Entities of their own they have no use for.
    let allow_dtd = !text.contains("<!ENTITY");
    let options = ParsingOptions { allow_dtd, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| {
        let place = error.pos();
        ParseError::at(place.row as usize, place.col as usize, format!("broken XML: {error}"))
            .help("an .slc file is XML with a `<Level>` for each level and an `<L>` for each row")
    })?;
    let mut lines = Lines { lines: Vec::new() };
    for node in document.descendants().filter(Node::is_element) {
        let line = document.text_pos_at(node.range().start).row as usize;
        let said = node.text().map(str::trim).unwrap_or_default();
        match node.tag_name().name() {
            "Title" if !said.is_empty() => lines.put(line, &format!("Collection: {}", flat(said))),
            "Email" | "Url" if !said.is_empty() => {
                lines.put(line, &format!("{}: {}", node.tag_name().name(), flat(said)));
            }
            "Description" if !said.is_empty() => {
                lines.put(line, &format!("Description: {}", flat(said)));
            }
            "LevelCollection" => {
                if let Some(name) = node.attribute("Copyright") {
                    lines.put(line, &format!("Copyright: {}", flat(name)));
                }
            }
            "Level" => {
                // A blank line above, so that the title belongs to what follows.
                lines.put(line, "");
                if let Some(title) = node.attribute("Id").filter(|title| !title.trim().is_empty()) {
                    lines.put(line, &format!("; {}", flat(title)));
                    lines.put(line, "");
                }
            }
            "L" => lines.put(line, node.text().unwrap_or_default().trim_end()),
            _ => {}
        }
    }
    Ok(lines.lines.join("\n") + "\n")
}

/// A text on one line.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Lines at the places that they have in the XML, as far as there is room.
struct Lines {
    lines: Vec<String>,
}

impl Lines {
    /// Puts a line at the place `number` (from 1), or below what stands there already.
    fn put(&mut self, number: usize, line: &str) {
        while self.lines.len() + 1 < number {
            self.lines.push(String::new());
        }
        self.lines.push(line.replace('\n', " "));
    }
}

#[cfg(test)]
mod tests {
    use crate::options::Options;
    use crate::puzzle::Puzzle;
    use crate::sokoban::Sokoban;

    const XML: &str = "<?xml version=\"1.0\"?>\n<SokobanLevels>\n  <Title>Own &amp; small</Title>\n\
        <LevelCollection Copyright=\"Nobody\">\n\n\n<Level Id=\"First\" Width=\"5\">\n\
        <L>#####</L>\n<L>#@$.#</L>\n<L>#####</L>\n</Level>\n\n\n\
        <Level Id=\"Second\">\n<L>  ####</L>\n<L>  #.@#</L>\n<L>  # $#</L>\n<L>  ####</L></Level>\
        <Level><L>#####</L><L>#.$@#</L><L>#####</L></Level></LevelCollection></SokobanLevels>";

    #[test]
    fn collections_in_xml_are_read() {
        let levels = Sokoban::read(XML, &Options::default()).expect("levels");
        let titles: Vec<_> = levels.iter().map(|level| level.title.as_deref()).collect();
        assert_eq!(titles, [Some("First"), Some("Second"), None]);
        assert!(levels.iter().all(|level| level.puzzle.is_ok()));
        assert!(levels[0].notes.file.contains("Own & small"), "{:?}", levels[0].notes);
        assert!(levels[0].notes.file.contains("Nobody"), "{:?}", levels[0].notes);
    }

    #[test]
    fn faults_name_the_line_of_the_xml() {
        let broken = XML.replace("#@$.#", "#@$ #");
        let levels = Sokoban::read(&broken, &Options::default()).expect("levels");
        let fault = levels[0].puzzle.as_ref().expect_err("a box without a goal");
        assert!((8..=11).contains(&fault.line), "{fault}");
        for text in ["<SokobanLevels>", "<SokobanLevels><L>", "<a/><SokobanLevels/>"] {
            assert!(Sokoban::read(text, &Options::default()).is_err(), "{text}");
        }
    }
}
