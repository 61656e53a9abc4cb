//! The page on dependencies names every crate of the manifests, and nothing else; and which program
//! `cargo run` runs.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

/// What cargo says of the workspace's packages.
fn metadata() -> Value {
    let metadata = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    serde_json::from_slice(&metadata.stdout).expect("its answer is JSON")
}

/// The crates of others that the workspace's manifests name, each with the packages that do.
fn named() -> BTreeMap<String, BTreeSet<String>> {
    let metadata = metadata();
    let text = |value: &Value| value.as_str().expect("a name").to_owned();
    let mut named: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in metadata["packages"].as_array().expect("packages") {
        for needed in package["dependencies"].as_array().expect("dependencies") {
            // Our own have no source.
            if !needed["source"].is_null() {
                named.entry(text(&needed["name"])).or_default().insert(text(&package["name"]));
            }
        }
    }
    named
}

#[test]
fn the_page_on_dependencies_names_them_all() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/dependencies.md");
    let page = fs::read_to_string(path).expect("the page");
    let (table, _) = page.split_once("\n## ").expect("a section after the table");
    let rows = table.lines().filter(|line| line.starts_with("| `"));
    let rows: Vec<Vec<&str>> = rows.map(|row| row.split('|').map(str::trim).collect()).collect();
    let said: BTreeMap<String, BTreeSet<String>> = rows
        .iter()
        .map(|row| {
            (row[1].trim_matches('`').to_owned(), row[2].split(", ").map(str::to_owned).collect())
        })
        .collect();
    assert_eq!(said.len(), rows.len(), "a crate stands twice");
    assert_eq!(said, named());
    assert!(rows.iter().all(|row| !row[3].is_empty()), "a crate has no reason");
}

/// The first command of the README names no program, and there are several.
#[test]
fn cargo_runs_the_program_where_none_is_named() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("packages");
    let named: Vec<&str> = packages.iter().filter_map(|it| it["default_run"].as_str()).collect();
    assert_eq!(named, ["unstuck"]);
}
