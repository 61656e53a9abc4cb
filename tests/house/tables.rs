//! Tables of modules in the documentation of a folder: they name its files, all of them.

use crate::paths::sources;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The first cells of a table of files or modules, and all that stands in it.
fn table(text: &str) -> Option<(Vec<&str>, String)> {
    let head = text.lines().take_while(|line| line.starts_with("//!"));
    let mut rows = head.filter_map(|line| line.strip_prefix("//! | "));
    rows.find(|row| row.starts_with("file |") || row.starts_with("module |"))?;
    let rows: Vec<&str> = rows.skip(1).collect();
    Some((rows.iter().filter_map(|row| row.split(" |").next()).collect(), rows.concat()))
}

/// What stands between backticks.
fn quoted(text: &str) -> BTreeSet<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// The modules in a folder, but for tests and commands, which the table need not name.
fn modules(folder: &Path) -> BTreeSet<String> {
    let named = |path: &Path| path.file_stem().expect("a name").to_string_lossy().into_owned();
    let module = |path: &Path| {
        let file = if path.is_dir() { path.join("mod.rs") } else { path.to_owned() };
        let is_source = file.extension().is_some_and(|ending| ending == "rs");
        let text = fs::read_to_string(file).ok().filter(|_| is_source)?;
        (!text.contains("impl Run for ")).then(|| named(path))
    };
    let entries = fs::read_dir(folder).expect("a folder of the project").flatten();
    let found = entries.filter_map(|entry| module(&entry.path()));
    let own = ["mod", "lib", "main", "tests"];
    found.filter(|name| !own.contains(&name.as_str())).collect()
}

#[test]
fn tables_of_modules_name_the_files() {
    let mut count = 0;
    for (path, text) in ["puzzlescript", "puzzles", "encodings", "check", "src", "cli"]
        .into_iter()
        .flat_map(sources)
    {
        let Some((first, whole)) = table(&text) else { continue };
        count += 1;
        let folder = path.parent().expect("a folder");
        let is_there =
            |name: &&str| folder.join(name).is_dir() || folder.join(format!("{name}.rs")).is_file();
        let gone: Vec<&str> =
            first.iter().flat_map(|cell| quoted(cell)).filter(|name| !is_there(name)).collect();
        assert!(gone.is_empty(), "{}: no such modules: {gone:?}", path.display());
        let known = quoted(&whole);
        let mut others = modules(folder);
        others.retain(|name| !known.contains(name.as_str()));
        assert!(others.is_empty(), "{}: nothing about {others:?}", path.display());
    }
    assert!(count > 8, "{count} tables");
}

/// How many levels of XSokoban are proved is said in two places: as many as the table has.
#[test]
fn levels_are_counted_as_the_table_counts_them() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |name: &str| fs::read_to_string(root.join(name)).expect("a file of the project");
    let file = "benchmarks/learn-xsokoban-600s.csv";
    let proved = read(&format!("docs/{file}")).lines().count() - 1;
    for (name, said) in [
        ("README.md", format!("({proved} in 10 minutes)")),
        ("docs/results.md", format!("| {proved} ([by level]({file}))")),
    ] {
        assert!(read(name).contains(&said), "{name} does not say: {said}");
    }
}
