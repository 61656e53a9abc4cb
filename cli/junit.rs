//! Reports in the form that build servers read: JUnit's XML.

use super::text::one_line;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, Event};
use std::io::{self, Write};

/// Writes a report: for each case its name, and what is wrong with it if anything is. What XML has
/// no room for is escaped.
///
/// # Errors
/// When it cannot be written.
pub(super) fn write<'a>(
    out: &mut dyn Write,
    cases: impl ExactSizeIterator<Item = (&'a str, Option<String>)> + Clone,
) -> io::Result<()> {
    let mut xml = Writer::new_with_indent(&mut *out, b' ', 2);
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let tests = cases.len().to_string();
    let failures = cases.clone().filter(|(_, fault)| fault.is_some()).count().to_string();
    let suite = [("name", "unstuck"), ("tests", &*tests), ("failures", &*failures)];
    xml.create_element("testsuite").with_attributes(suite).write_inner_content(|xml| {
        for (name, fault) in cases {
            let name = one_line(name);
            let case = xml.create_element("testcase").with_attribute(("name", &*name));
            match fault {
                None => case.write_empty()?,
                Some(fault) => case.write_inner_content(|xml| {
                    let fault = one_line(&fault);
                    let failure = xml.create_element("failure");
                    failure.with_attribute(("message", &*fault)).write_empty().map(drop)
                })?,
            };
        }
        Ok(())
    })?;
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_well_formed_whatever_the_names() {
        let all: String =
            (0..0x1_1000).chain(0x1_fffe..0x2_0010).filter_map(char::from_u32).collect();
        let cases = [(all.as_str(), None), ("a<b>&\"'", Some(all.clone())), ("]]>", None)];
        let mut text = Vec::new();
        write(&mut text, cases.iter().cloned()).unwrap();
        let text = String::from_utf8(text).unwrap();
        let read = roxmltree::Document::parse(&text).unwrap();
        let suite = read.root_element();
        assert_eq!((suite.attribute("tests"), suite.attribute("failures")), (Some("3"), Some("1")));
        let names: Vec<_> = suite.children().filter_map(|it| it.attribute("name")).collect();
        assert_eq!(names, [one_line(&all).as_str(), "a<b>&\"'", "]]>"]);
        let failure = suite.descendants().find(|it| it.has_tag_name("failure")).unwrap();
        assert_eq!(failure.attribute("message"), Some(one_line(&all).as_str()));
    }
}
