//! The forms of proofs, and how to tell them apart.

/// The form of a proof on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofFormat {
    /// DRAT, one line a step.
    Drat,
    /// DRAT in the compact binary form.
    BinaryDrat,
    /// LRAT: each lemma names the clauses that imply it.
    Lrat,
}

impl ProofFormat {
    /// The form of a proof by how it begins; `None` where nothing is there. What is neither is taken
    /// for one of them, and refused by its reader.
    pub fn of(head: &[u8]) -> Option<Self> {
        let is_text = |byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
        if !head.iter().all(is_text) {
            return Some(Self::of_binary(head));
        }
        let text = std::str::from_utf8(head).expect("ASCII");
        text.lines().find_map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let deletes = words.iter().position(|&word| word == "d");
            let end = words.iter().position(|&word| word == "0");
            match (words.first()?, deletes, end) {
                (&"c", ..) => None,
                // Numbers of clauses stand before a deletion, and behind a lemma.
                (_, Some(1), _) => Some(Self::Lrat),
                (_, None, Some(end)) if end + 1 < words.len() => Some(Self::Lrat),
                _ => Some(Self::Drat),
            }
        })
    }

    /// A zero byte ends each list of numbers. In DRAT a step begins behind it, in LRAT the hints of
    /// a lemma stand there.
    fn of_binary(head: &[u8]) -> Self {
        let whole = head.strip_suffix(b"\0").unwrap_or(head);
        let mut lists = whole.split(|&byte| byte == 0);
        match lists.all(|list| matches!(list.first(), Some(b'a' | b'd'))) {
            true => Self::BinaryDrat,
            false => Self::Lrat,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_proofs_are_distinguished() {
        let cases: [(&[u8], Option<ProofFormat>); 12] = [
            (b"", None),
            (b"c nothing but a comment\n", None),
            (b"1 -2 0\nd 1 0\n", Some(ProofFormat::Drat)),
            (b"c comment\nd 1 2 0\n", Some(ProofFormat::Drat)),
            (b"0\n", Some(ProofFormat::Drat)),
            (b"5 1 0 1 2 0\n", Some(ProofFormat::Lrat)),
            (b"4 d 1 2 0\n5 0 3 0\n", Some(ProofFormat::Lrat)),
            (b"5 0 0\n", Some(ProofFormat::Lrat)),
            (b"a\x02\0d\x02\x04\0a\0", Some(ProofFormat::BinaryDrat)),
            (b"d\x02\x04\0", Some(ProofFormat::BinaryDrat)),
            (b"a\x0a\x02\0\x02\x04\0a\x0c\0", Some(ProofFormat::Lrat)),
            (b"d\x02\0a\x0a\0\x02\x04\0", Some(ProofFormat::Lrat)),
        ];
        for (head, form) in cases {
            assert_eq!(ProofFormat::of(head), form, "{}", head.escape_ascii());
        }
    }
}
