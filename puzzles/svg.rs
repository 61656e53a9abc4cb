//! Pieces of SVG that the families share: sheets, shapes, and letters that need no font.
//!
//! Pictures are drawn alike everywhere, so letters are strokes: whether and how a text is shown
//! depends on the fonts of the machine.

use std::fmt::Write;

/// A place in a picture.
pub type Point = (f64, f64);

/// The opening of a picture of this size with a background.
pub fn open(width: f64, height: f64, background: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"{background}\"/>\n"
    )
}

/// The end of a picture.
pub const CLOSE: &str = "</svg>\n";

/// A rectangle by its upper left corner and its size; `look` has its other attributes.
pub fn rect((x, y): Point, (width, height): (f64, f64), look: &str) -> String {
    format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" {look}/>\n")
}

/// A disc by its middle.
pub fn disc((x, y): Point, radius: f64, look: &str) -> String {
    format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" {look}/>\n")
}

/// A polygon by its corners.
pub fn polygon(corners: &[Point], look: &str) -> String {
    let mut points = String::new();
    for (x, y) in corners {
        let _ = write!(points, "{x:.1},{y:.1} ");
    }
    format!("<polygon points=\"{}\" {look}/>\n", points.trim_end())
}

/// Strokes on a grid of 4 by 6, each a chain of points as two digits (across, down); strokes are
/// separated by blanks.
fn strokes(letter: char) -> &'static str {
    match letter {
        'A' => "062046 1434",
        'B' => "00063645443303 033342413000",
        'C' => "41301001051636 3645",
        'D' => "00062644422000",
        'E' => "40000646 0333",
        'F' => "400006 0333",
        'G' => "41301001051636454323",
        'H' => "0006 4046 0343",
        'I' => "1030 2026 1636",
        'J' => "4044361605",
        'K' => "0006 400346",
        'L' => "000646",
        'M' => "0600234046",
        'N' => "06004640",
        'O' => "100105163645413010",
        'P' => "06003041423303",
        'Q' => "100105163645413010 2446",
        'R' => "06003041423303 2346",
        'S' => "4130100102133344453616",
        'T' => "0040 2026",
        'U' => "000516364540",
        'V' => "002640",
        'W' => "0016233640",
        'X' => "0046 4006",
        'Y' => "002340 2326",
        'Z' => "00400646",
        '0' => "100105163645413010 0541",
        '1' => "112026 1636",
        '2' => "01103041420646",
        '3' => "0110304142334445361605",
        '4' => "36300444",
        '5' => "400003334445361605",
        '6' => "4130100105163645443303",
        '7' => "004016",
        '8' => "1001021333444536160504133342413010",
        '9' => "4313020110304145361605",
        '+' => "2125 0343",
        '-' => "0343",
        '/' => "0640",
        '.' => "2626",
        '!' => "2024 2626",
        '?' => "011030414223 2626",
        _ => "",
    }
}

/// A text of letters, digits and a few signs around a middle, `size` high; what has no strokes is
/// left out. Small letters are drawn as small capitals with a line below, so that `a` is not `A`.
pub fn label(text: &str, (x, y): Point, size: f64, colour: &str) -> String {
    let letters: Vec<char> = text.chars().filter(|&c| c == ' ' || known(c)).collect();
    let unit = size / 6.0;
    // A long text is squeezed into the room of two letters and a half.
    let squeeze = (2.5 / letters.len().max(1) as f64).min(1.0);
    let advance = 5.4 * unit * squeeze;
    let left = x - (advance * letters.len() as f64 - 1.4 * unit * squeeze) / 2.0;
    let mut path = String::new();
    for (number, &letter) in letters.iter().enumerate() {
        let small = letter.is_lowercase();
        let scale = if small { 0.8 } else { 1.0 };
        let from = left + advance * number as f64;
        let point = |across: f64, down: f64| {
            let px = from + across * unit * squeeze;
            (px, y + (down - 3.0) * unit * scale - if small { 0.4 * unit } else { 0.0 })
        };
        for stroke in strokes(letter.to_ascii_uppercase()).split(' ').filter(|it| !it.is_empty()) {
            let digits: Vec<f64> =
                stroke.chars().filter_map(|c| c.to_digit(10)).map(f64::from).collect();
            for (index, pair) in digits.chunks_exact(2).enumerate() {
                let (px, py) = point(pair[0], pair[1]);
                let verb = if index == 0 { 'M' } else { 'L' };
                let _ = write!(path, "{verb}{px:.1} {py:.1}");
            }
        }
        if small {
            let ((ax, ay), (bx, by)) = (point(0.0, 7.4), point(4.0, 7.4));
            let _ = write!(path, "M{ax:.1} {ay:.1}L{bx:.1} {by:.1}");
        }
    }
    format!(
        "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{:.1}\" \
         stroke-linecap=\"round\" stroke-linejoin=\"round\"/>\n",
        unit * 0.9
    )
}

fn known(letter: char) -> bool {
    !strokes(letter.to_ascii_uppercase()).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_letters_have_strokes_of_whole_points() {
        for letter in ('A'..='Z').chain('0'..='9').chain("+-/?".chars()) {
            let strokes = strokes(letter);
            assert!(!strokes.is_empty(), "{letter}");
            for stroke in strokes.split(' ') {
                assert_eq!(stroke.len() % 2, 0, "{letter}: {stroke}");
                let far = |(at, c): (usize, char)| {
                    c.to_digit(10).is_none_or(|it| it > if at % 2 == 0 { 4 } else { 6 })
                };
                assert!(!stroke.chars().enumerate().any(far), "{letter}: {stroke}");
            }
        }
    }

    #[test]
    fn no_stroke_goes_back_over_itself() {
        for letter in ('A'..='Z').chain('0'..='9') {
            for stroke in strokes(letter).split(' ') {
                let digits: Vec<i32> =
                    stroke.chars().map(|c| c.to_digit(10).map_or(0, |it| it as i32)).collect();
                let points: Vec<_> = digits.chunks(2).collect();
                for three in points.windows(3) {
                    let step = |at: usize| {
                        let [from, to] = [three[at], three[at + 1]];
                        (to[0] - from[0], to[1] - from[1])
                    };
                    let ((a, b), (c, d)) = (step(0), step(1));
                    assert!(a * d != b * c || a * c + b * d > 0, "{letter}: {stroke}");
                }
            }
        }
    }

    #[test]
    fn labels_differ_where_texts_do() {
        let draw = |text| label(text, (0.0, 0.0), 10.0, "#000000");
        assert_ne!(draw("a"), draw("A"));
        assert_ne!(draw("AB"), draw("BA"));
        assert_eq!(draw("A\u{1F600}"), draw("A"));
    }
}
