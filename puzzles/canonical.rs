//! Numbers in what is stored and checked: one way to write each, so that no two readers differ.

use std::fmt::Display;
use std::str::FromStr;

/// A number as it is printed: without a plus sign and leading zeros.
pub fn canonical<T: FromStr + Display>(text: &str) -> Option<T> {
    text.parse().ok().filter(|number: &T| number.to_string() == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_number_has_one_form() {
        assert_eq!(
            (canonical("0"), canonical("12"), canonical("-3")),
            (Some(0), Some(12), Some(-3))
        );
        for text in ["", "+3", "03", "-0", " 3", "3 ", "1_0", "0x1", "\u{663}"] {
            assert_eq!(canonical::<i32>(text), None, "{text:?}");
        }
        assert_eq!((canonical::<u8>("256"), canonical::<u8>("-1")), (None, None));
    }
}
