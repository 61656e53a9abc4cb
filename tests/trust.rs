//! The page on what has to be trusted says how long that is: counted here.

use std::fs;
use std::path::Path;

/// No part that has to be trusted may be longer.
const MOST: usize = 1_500;

/// Lines of code: tests, comments and blank lines left aside.
fn lines_of_code(file: &str) -> usize {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{file}: {error}"));
    let code = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    code.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//")).count()
}

#[test]
fn the_page_on_trust_counts_right() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/trust.md");
    let page = fs::read_to_string(path).expect("the page");
    let mut parts = 0;
    for row in page.lines().filter(|line| line.starts_with("| ") && line.contains(".rs`")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let Ok(said) = cells[2].replace(',', "").parse::<usize>() else { continue };
        let files = cells[3].split_whitespace().map(|file| file.trim_matches('`'));
        let lines: usize = files.map(lines_of_code).sum();
        assert!(lines < MOST, "{}: {lines} lines", cells[1]);
        // Rounded up, so that the page need not follow every line.
        let fits = lines <= said && said <= lines + lines / 4 + 50;
        assert!(fits, "{}: the page says {said}, but it is {lines}", cells[1]);
        parts += 1;
    }
    assert_eq!(parts, 12, "parts of the table");
}
