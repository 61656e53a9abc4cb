use super::{Collection, Sokoban};
use crate::moves::Moves;
use crate::options::Options;
use crate::puzzle::Puzzle;

#[test]
fn samples_survive_printing_and_reading() {
    for seed in 0..500 {
        let level = Sokoban::sample(seed);
        let again = Sokoban::parse(&level.print(), &Options::default());
        assert_eq!(again.as_ref(), Ok(&level), "seed {seed}");
        assert_eq!(level.read_state(&level.write_state(&level.start())), Some(level.start()));
    }
}

#[test]
fn a_collection_keeps_what_it_does_not_know() {
    let text = "Collection: two\nMood: calm\n\none\n\n####\n#.@##\n# $ #\n#####\n\nShoe size: 43\n";
    let collection = Collection::read(text).expect("a collection");
    assert_eq!(collection.to_string(), text);
}
