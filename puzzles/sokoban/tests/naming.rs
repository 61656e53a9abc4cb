use super::level;
use crate::puzzle::Puzzle;
use crate::sokoban::Sokoban;
use std::collections::BTreeMap;

/// The level in a mirror, or lying on its side.
fn mirrored(text: &str, transpose: bool) -> String {
    let rows: Vec<Vec<char>> = text.lines().map(|line| line.chars().collect()).collect();
    if !transpose {
        return rows.iter().rev().map(|row| row.iter().collect::<String>() + "\n").collect();
    }
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    let column = |x: usize| -> String {
        let symbols = rows.iter().map(|row| row.get(x).copied().unwrap_or(' '));
        symbols.collect::<String>().trim_end().to_owned() + "\n"
    };
    (0..width).map(column).collect()
}

#[test]
fn ids_survive_turning_mirroring_and_scenery() {
    for seed in 0..200 {
        let original = Sokoban::sample(seed);
        let mut text = original.print();
        for turn in 0..8 {
            text = mirrored(&text, turn % 2 == 0);
            let turned = level(&text);
            assert_eq!(turned.exact_id(), original.exact_id(), "seed {seed}\n{text}");
            assert_eq!(turned.push_id(), original.push_id(), "seed {seed}\n{text}");
        }
        assert_eq!(text, original.print(), "eight turns lead back");
    }
    let plain = level("#####\n#@$.#\n#####\n");
    let rich = level("#########\n##@$.#*##\n##########\n#        #\n");
    assert_eq!(plain.exact_id(), rich.exact_id());
}

#[test]
fn the_push_id_forgets_where_in_its_region_the_player_is() {
    let [one, two, three] = ["# @ $.#", "#@  $.#", "#  $@.#"]
        .map(|row| level(&format!("#######\n{row}\n#     #\n#     #\n#######\n")));
    assert_ne!(one.exact_id(), two.exact_id());
    assert_eq!(one.push_id(), two.push_id());
    assert_ne!(one.push_id(), three.push_id());
}

#[test]
fn different_levels_have_different_ids() {
    let mut seen = BTreeMap::new();
    for seed in 0..2000 {
        let level = Sokoban::sample(seed);
        let form = level.normal_form(false);
        assert_eq!(level.exact_id().len(), 16);
        assert_eq!(*seen.entry(level.exact_id()).or_insert(form.clone()), form);
    }
}

#[test]
fn an_id_is_the_hash_of_the_normal_form() {
    let level = level("#####\n#@$.#\n#####\n");
    // Of "#####\n#.$@#\n#####" and its seven fellows this is the least; the digits are from
    // `printf … | sha256sum`.
    assert_eq!(level.normal_form(false), "###\n#.#\n#$#\n#@#\n###");
    assert_eq!(level.exact_id(), "cb5d723561e3b50e");
}

#[test]
fn facts_name_size_pieces_and_ids() {
    let level = level("######\n#@$..#\n######\n");
    let facts: BTreeMap<_, _> = level.facts().into_iter().collect();
    assert_eq!(facts["width"], 6);
    assert_eq!(facts["floor"], 4);
    assert_eq!(facts["boxes"], 1);
    assert_eq!(facts["goals"], 2);
    assert_eq!(facts["exact id"], level.exact_id());
}
