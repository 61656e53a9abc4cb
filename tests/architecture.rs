//! Who may know what: the rules of the layout that cargo cannot enforce.

use std::fs;
use std::path::{Path, PathBuf};

fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    fn walk(folder: &Path, into: &mut Vec<(PathBuf, String)>) {
        for entry in fs::read_dir(folder).expect("a folder of the project") {
            let path = entry.expect("a readable entry").path();
            if path.is_dir() {
                walk(&path, into);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).expect("a readable source");
                into.push((path, text));
            }
        }
    }
    let mut found = Vec::new();
    walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut found);
    assert!(!found.is_empty(), "no sources in {folder}");
    found
}

/// Whether the code of a source contains a text, comments left aside.
fn says(text: &str, wanted: &str) -> bool {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.into_iter().any(|line| line.contains(wanted))
}

fn assert_only_in(folders: &[&str], wanted: &str, allowed: &dyn Fn(&Path) -> bool) {
    for folder in folders {
        for (path, text) in sources(folder) {
            assert!(
                allowed(&path) || !says(&text, wanted),
                "{} says `{wanted}`, which it must not know",
                path.display()
            );
        }
    }
}

#[test]
fn petgraph_is_known_in_encodings_only() {
    assert_only_in(&["puzzles", "src"], "petgraph::", &|_| false);
}

#[test]
fn varisat_is_known_in_its_backend_only() {
    let backend = |path: &Path| path.ends_with("src/backend/varisat.rs");
    // `varisat::` alone is also the path of our own module.
    assert_only_in(&["puzzles", "encodings", "src"], "varisat::Solver", &backend);
    assert_only_in(&["puzzles", "encodings", "src"], "varisat::ExtendFormula", &backend);
}

#[test]
fn clap_is_known_on_the_command_line_only() {
    let command_line = |path: &Path| path.components().any(|part| part.as_os_str() == "cli");
    assert_only_in(&["puzzles", "encodings", "src"], "clap::", &command_line);
}

#[test]
fn only_the_registry_names_families() {
    let registry = |path: &Path| path.ends_with("src/registry.rs");
    for family in ["sokoban", "sokobond", "snowman", "warehouse", "flow"] {
        assert_only_in(&["src"], &format!("puzzles::{family}"), &registry);
        assert_only_in(&["src"], &format!("encodings::{family}"), &registry);
    }
}

#[test]
fn the_project_names_no_place_of_a_machine() {
    let own = |path: &Path| path.ends_with("tests/architecture.rs");
    // The folder that this checkout stands in, whatever it is called, and whatever lies beside it.
    let around = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a checkout has a place");
    let around = format!("{}/", around.display().to_string().trim_end_matches('/'));
    for place in ["/home/", "/root/", "\"../", around.as_str()].into_iter().filter(|p| *p != "/") {
        assert_only_in(&["puzzles", "encodings", "src", "tests"], place, &own);
    }
}
