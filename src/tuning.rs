//! Every number of engines and schedules that was found by experiment: name, value, range, unit,
//! what it means, and the benchmark that chose it.
//!
//! Experiments change one; tests inject their own where they must not
//! depend on how fast a machine is.

use std::fmt;
use std::time::Duration;

/// A number of [`Tuning`].
#[derive(Clone, Copy, Debug)]
pub struct TuningEntry {
    /// Its name.
    pub name: &'static str,
    /// What it counts.
    pub unit: &'static str,
    /// Its value, unless another one is asked for; several for a list of numbers.
    pub default: &'static [u64],
    /// The least and the greatest value that makes sense, for each number of a list.
    pub range: (u64, u64),
    /// What it means.
    pub meaning: &'static str,
    /// What chose it.
    pub chosen_by: &'static str,
}

/// Why a number is not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TuningError {
    /// There is no number of this name.
    Unknown(String),
    /// It must lie between these.
    OutOfRange(&'static str, u64, u64),
    /// It is a list of so many numbers.
    WrongLength(&'static str, usize),
}

impl fmt::Display for TuningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) => write!(f, "there is no number `{name}`"),
            Self::OutOfRange(name, least, most) => {
                write!(f, "`{name}` lies between {least} and {most}")
            }
            Self::WrongLength(name, length) => write!(f, "`{name}` takes {length} numbers"),
        }
    }
}

impl std::error::Error for TuningError {}

/// What a number and a list of numbers are in [`Tuning`], in [`TUNING`], and for changes.
macro_rules! shape {
    (type [$($number:literal),*]) => { [u64; <[u64]>::len(&[$($number),*])] };
    (type $number:literal) => { u64 };
    (slice [$($number:literal),*]) => { &[$($number),*] };
    (slice $number:literal) => { &[$number] };
    (mut $place:expr, [$($number:literal),*]) => { &mut $place };
    (mut $place:expr, $number:literal) => { std::slice::from_mut(&mut $place) };
}

macro_rules! tuning {
    ($($name:ident = $default:tt, $least:literal, $most:literal, $unit:literal,
        $meaning:literal, $chosen_by:literal;)*) => {
        /// The numbers, each with its default. [`TUNING`] explains them.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct Tuning {
            $(#[doc = concat!($meaning, " (", $unit, ")")] pub $name: shape!(type $default),)*
        }

        /// All numbers of [`Tuning`], by engine.
        pub const TUNING: &[TuningEntry] = &[$(TuningEntry {
            name: stringify!($name),
            unit: $unit,
            default: shape!(slice $default),
            range: ($least, $most),
            meaning: $meaning,
            chosen_by: $chosen_by,
        },)*];

        impl Tuning {
            /// The numbers that were chosen.
            pub const DEFAULT: Self = Self { $($name: $default,)* };

            fn place(&mut self, name: &str) -> Option<&mut [u64]> {
                match name {
                    $(stringify!($name) => Some(shape!(mut self.$name, $default)),)*
                    _ => None,
                }
            }
        }
    };
}

tuning! {
    search_solo = 1_000, 0, 600_000, "ms",
        "how long A* is alone under `auto`",
        "most levels of Microban and Boxoban are settled by then";
    search_scout = 8_000, 0, 600_000, "ms",
        "how long A* has the machine before others join it for good; a quarter of the time that is \
         left, if that is less",
        "XSokoban and Sasquatch at 60 s";
    invariant_time = 60_000, 0, 600_000, "ms",
        "how long an invariant is looked for; a quarter of the time that is left, if that is less",
        "level 3 of `lamps`, which nothing else settles, on a machine at a load of 7";
    search_memory = 75, 1, 100, "% of the memory limit",
        "what A* may take where a solver runs beside it",
        "XSokoban at 60 s and 8 GiB";
    greedy_weight = 30, 10, 1_000, "tenths",
        "weight of the bound where any plan will do",
        "Sokobond and Snowman, any plan within 1 s";
    backward_weight = 10, 0, 10, "tenths",
        "weight of the bound in search from the end where lengths count",
        "SokHard under `pushes`";
    backward_states = 10_000_000, 1, 4_000_000_000, "states",
        "what search from the end may keep where lengths count: on large boards A* is better",
        "SokHard under `pushes`";
    greedy_states = 20_000_000, 1, 4_000_000_000, "states",
        "what weighted A* may keep that looks for a plan beside A*",
        "XSokoban at 60 s";
    saving_from = 25, 1, 100, "% of the memory limit",
        "what the process holds when plans are looked for that save memory",
        "Sasquatch at 60 s and 8 GiB";
    saving_weight = 20, 10, 1_000, "tenths",
        "weight of the first search for plans that save memory",
        "Sasquatch at 60 s and 8 GiB";
    saving_states = 6_000_000, 1, 4_000_000_000, "states",
        "what that search may keep",
        "Sasquatch at 60 s and 8 GiB";
    saving_last_weight = 15, 10, 1_000, "tenths",
        "weight of the second one: a smaller weight takes longer and finds shorter plans",
        "Sasquatch at 60 s and 8 GiB";
    saving_last_states = 25_000_000, 1, 4_000_000_000, "states",
        "what the second one may keep",
        "Sasquatch at 60 s and 8 GiB";
    companion_niceness = 5, 0, 19, "nice",
        "priority of those who work beside A*: with as many search threads as cores they have \
         about an eighth of the machine",
        "XSokoban at 60 s";
    first_states = 100_000, 1, 4_000_000_000, "states",
        "what weighted A* may keep that looks for a plan before the first horizon",
        "Sokobond and Snowman by `sat` at 10 s";
    first_shorter_states = 10_000, 1, 4_000_000_000, "states",
        "what it may keep when it looks again with smaller weights",
        "Snowman by `sat` at 60 s (carla_jordina_snow)";
    first_second_weight = 20, 10, 1_000, "tenths",
        "weight of the second look",
        "Snowman by `sat` at 60 s";
    first_third_weight = 15, 10, 1_000, "tenths",
        "weight of the third look",
        "Snowman by `sat` at 60 s";
    first_share = 125, 1, 1_000, "thousandths of the time left",
        "after which horizons are asked in any case",
        "Sokobond by `sat` at 10 s";
    horizons_solo = 1_000, 0, 600_000, "ms",
        "how long only one horizon is asked at a time: most puzzles are solved by then, in the \
         same way in every run",
        "Microban and Sokobond by `sat`";
    horizons_skipped = 8, 1, 1_000, "part of a horizon",
        "no more than this part of it is skipped where refutations grow slowly",
        "Microban `moves` by `sat`";
    horizons_far = 8, 1, 1_000, "part of a plan",
        "the bound is far from a plan when more than this part of its length is open",
        "Sokobond by `sat` at 60 s";
    conflict_work = 64, 1, 1_000_000, "clauses",
        "a conflict counts for as much work as so many clauses",
        "Microban `moves` by `sat`";
    steps_states = 500_000, 0, 4_000_000_000, "states",
        "that may be asked about by single steps: 0.05 to 0.5 ms and a kilobyte each",
        "Microban `moves` and Sokobond by `sat` at 60 s";
    plans_solo = 50, 0, 600_000, "ms",
        "how long the others work before a plan is looked for, which is there soon or not at all; a \
         quarter of the time that is left, if that is less",
        "XSokoban by `auto` at 2 s, Microban and Boxoban";
    learning_solo = 100, 0, 600_000, "ms",
        "how long the others work before learning joins: easy levels are settled by then",
        "XSokoban by `auto` at 2 s, Microban and Boxoban";
    learning_overtakes = 8_000, 0, 600_000, "ms",
        "how long A* may have shown less than learning; a quarter of the time that is left, if \
         that is less",
        "XSokoban at 60 s";
    learning_restart_nodes = [1_600, 6_400], 1, 4_000_000_000, "nodes",
        "of the shortest runs before a restart, thread by thread in turn: long plans are found in \
         long runs, some refutations in short ones",
        "18 levels of XSokoban that take 0.5 to 10 s, and levels 10, 36 and 90";
    learning_orders = [0, 1, 4, 2, 3, 5, 6, 1], 0, 6, "number of an order",
        "how shoves are chosen, run by run",
        "XSokoban at 40 s";
    learning_first_contents = 2_000, 1, 4_000_000_000, "contents",
        "of a zone that are looked at before the first node; a tenth on fields of more than 256 \
         sites, as for the next three",
        "XSokoban 3, 5, 7 and 12";
    learning_zone_share = 10, 0, 1_000_000, "contents",
        "of a zone that may be looked at for each node",
        "29 levels of XSokoban that take 0.5 to 150 s";
    learning_contents = 2_000_000, 1, 4_000_000_000, "contents",
        "of a zone that are looked at at most",
        "XSokoban 46, 47 and 71";
    learning_few_contents = 300_000, 1, 4_000_000_000, "contents",
        "the same at most beyond the first two threads, and in a browser: each thread has its own, \
         and a million takes some 100 MB",
        "XSokoban 46";
    learning_zone_reaches = [0, 1, 2, 3, 5, 8], 0, 2_560, "steps",
        "over live sites, how far zones reach around the goals",
        "XSokoban at 40 s";
    learning_outside_states = 5_000, 1, 4_000_000_000, "states",
        "of a small game outside a zone before it is given up",
        "XSokoban 46, 47 and 71";
    learning_outside_all_states = 1_000, 1, 4_000_000_000, "states",
        "the same for all pieces outside: where they have a plan it is found soon",
        "XSokoban 46, 47 and 71";
    learning_outside_share = 150, 0, 4_000_000_000, "states",
        "of small games outside zones that may be looked at for each node: about as much work",
        "XSokoban 46, 47 and 71";
    learning_look_wastes = [2, 4, 8, 12, 16, 24], 0, 1_000_000, "waste",
        "from which on all states are looked at, in case there is no plan",
        "random rooms of Sokoban without a solution";
    learning_look_states = [3_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000],
        1, 4_000_000_000, "states",
        "that are looked at then; a field with a plan gives one soon, and is never looked at again",
        "random rooms of Sokoban without a solution";
    learning_drop_states = 60_000, 1, 4_000_000_000, "states",
        "that are looked at when a piece is dropped where there is no plan",
        "random rooms of Sokoban without a solution";
    learning_packing_steps = 200, 1, 1_000_000, "steps",
        "of the search for disjoint entries that add up, before it is given up",
        "XSokoban at 40 s";
    learning_matching_pieces = 4, 0, 64, "pieces",
        "a matching of more is tried to be said by the goals that it cannot serve",
        "XSokoban at 40 s";
    learning_news = 200, 1, 1_000_000, "entries",
        "that are new since a state was looked at, from which on it is faster to look everything \
         up again",
        "XSokoban at 40 s";
    learning_branching_sets = 16, 1, 1_000_000, "sets",
        "of a list in a tree of sets before it branches",
        "XSokoban at 40 s";
    learning_flood_words = 65_536, 1, 1_000_000_000, "words",
        "of floods that are kept: few enough to lie near the processor",
        "XSokoban at 40 s";
    reason_time = 500, 0, 600_000, "ms",
        "for finding out which pieces are lost, where it is known that there is no solution",
        "XSokoban after fatal moves";
    features_quick_states = 3_000, 1, 4_000_000_000, "states",
        "of the first attempts that find a plan early or not at all",
        "XSokoban: four attempts find 80 plans within 2,000 states, 82 within 3,000, 83 within 4,000";
    features_quick_attempts = 4, 1, 1_000, "attempts",
        "of that kind with as many states",
        "XSokoban, any plan within 8 s";
    features_quick_doublings = 1, 0, 40, "doublings",
        "of these states from one round to the next, whose plans are others",
        "XSokoban, any plan within 8 s";
    features_single_states = 100_000, 1, 4_000_000_000, "states",
        "of a single attempt, where a plan is only the beginning",
        "Microban by `sat`";
    features_states = 50_000, 1, 4_000_000_000, "states",
        "of the first long attempts from the start; later ones have more and more",
        "XSokoban, any plan within 60 s";
    features_attempts = 4, 1, 1_000, "attempts",
        "from the start with as many states in one thread; the next ones have twice as many",
        "XSokoban, any plan within 60 s";
    features_shared_states = 2_000_000, 1, 4_000_000_000_000, "states",
        "after which feature-space search leaves a thread to the others where no time limit does",
        "Microban, any plan";
    features_own_states = 100_000_000, 1, 4_000_000_000_000, "states",
        "the same where it has threads of its own",
        "XSokoban, any plan";
    features_fruitless = 16, 1, 1_000_000, "attempts",
        "that may end because nothing was left to try: the next one hardly fares better",
        "XSokoban, any plan";
    improving_quick_states = 30_000, 1, 4_000_000_000, "states",
        "around a plan when better plans were not asked for: most of what can be gained is gained \
         by then",
        "XSokoban, lengths of plans";
    improving_quick_time = 1_000, 0, 600_000, "ms",
        "for which that goes on where any plan will do; a quarter of the time that is left, if that \
         is less",
        "XSokoban: of twelve plans half were found within 0.4 s";
    improving_states = 3_000_000, 1, 4_000_000_000_000, "states",
        "around a plan where no time limit says when to end",
        "XSokoban, improvement of plans";
    improving_first_states = 2_000_000, 1, 4_000_000_000, "states",
        "what weighted A* may keep for a first plan",
        "Sokobond and Snowman, improvement of plans";
    improving_round_states = 100_000, 1, 4_000_000_000, "states",
        "around the best plan in the first round; each round has twice those of the one before",
        "XSokoban at 60 s";
    improving_rounds = 16, 1, 40, "rounds",
        "of improvement: the last ones take days",
        "XSokoban at 60 s";
    preferred_share = 250, 1, 1_000, "thousandths of the time left",
        "for a solution of the kind that the encoding prefers",
        "Flow, 22 boards by `sat`";
}

impl Default for Tuning {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl Tuning {
    /// The number of this name, or the numbers of the list.
    pub fn get(&self, name: &str) -> Option<Vec<u64>> {
        self.clone().place(name).map(|place| place.to_vec())
    }

    /// Sets a number, or all numbers of a list.
    ///
    /// # Errors
    /// When there is none of this name, or a value makes no sense.
    pub fn set(&mut self, name: &str, values: &[u64]) -> Result<(), TuningError> {
        let entry = TUNING.iter().find(|entry| entry.name == name);
        let (Some(entry), Some(place)) = (entry, self.place(name)) else {
            return Err(TuningError::Unknown(name.to_owned()));
        };
        let (least, most) = entry.range;
        if !values.iter().all(|value| (least..=most).contains(value)) {
            return Err(TuningError::OutOfRange(entry.name, least, most));
        }
        if values.len() != place.len() {
            return Err(TuningError::WrongLength(entry.name, place.len()));
        }
        place.copy_from_slice(values);
        Ok(())
    }
}

/// A number of milliseconds as time.
pub(crate) fn milliseconds(value: u64) -> Duration {
    Duration::from_millis(value)
}

/// A number of thousandths as a part of one.
pub(crate) fn thousandths(value: u64) -> f64 {
    value as f64 / 1_000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_a_name_a_range_and_a_reason() {
        let default = Tuning::default();
        for entry in TUNING {
            let (least, most) = entry.range;
            let length = entry.default.len();
            assert_eq!(default.get(entry.name), Some(entry.default.to_vec()), "{}", entry.name);
            for number in entry.default {
                assert!((least..=most).contains(number), "{}", entry.name);
            }
            for text in [entry.unit, entry.meaning, entry.chosen_by] {
                assert!(!text.is_empty(), "{}", entry.name);
            }
            let mut other = default.clone();
            let lowest = vec![least; length];
            other.set(entry.name, &lowest).expect("the least value is in the range");
            assert_eq!(other.get(entry.name), Some(lowest), "{}", entry.name);
            let beyond = TuningError::OutOfRange(entry.name, least, most);
            assert_eq!(other.set(entry.name, &vec![most + 1; length]), Err(beyond));
            let longer = TuningError::WrongLength(entry.name, length);
            assert_eq!(other.set(entry.name, &vec![least; length + 1]), Err(longer));
        }
        let unknown = TuningError::Unknown("speed".to_owned());
        assert_eq!(Tuning::default().set("speed", &[1]), Err(unknown));
    }
}
