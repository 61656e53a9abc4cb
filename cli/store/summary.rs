//! What came out of many levels, counted.

use crate::store::result::LevelResult;
use crate::terminal::failure::{INTERNAL, USAGE};
use crate::terminal::text::one_line;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use unstuck::report::sentences;

/// Counts of results, for people and for programs.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Summary {
    /// How many there are.
    pub levels: u64,
    /// For each verdict, as a word, how many have it.
    pub verdicts: BTreeMap<String, u64>,
    /// Solutions that are known to be shortest.
    pub optimal: u64,
    /// Results with a certificate.
    pub certified: u64,
    /// Bytes of packed certificates.
    pub certificate_bytes: u64,
    /// The time that the levels took, together.
    pub seconds: f64,
    /// Solutions that are known to be the only one, and those that may be, where that was asked.
    #[serde(skip)]
    unique: [u64; 2],
}

impl Summary {
    /// Counts a result, with the size of its packed certificate where it has one.
    pub(crate) fn add(
        &mut self,
        LevelResult { asked, answer, .. }: &LevelResult,
        certificate: Option<u64>,
    ) {
        self.levels += 1;
        let word = match (answer.verdict.as_str(), answer.stopped_by.as_deref()) {
            ("" | "error", _) if *answer.exit == Some(INTERNAL) => "crashed".to_owned(),
            ("", _) => "error".to_owned(),
            ("unknown", Some(stop)) => format!("unknown ({stop})"),
            (verdict, _) => verdict.to_owned(),
        };
        *self.verdicts.entry(one_line(&word)).or_default() += 1;
        self.optimal += u64::from(*answer.optimal == Some(true));
        if let Some(bytes) = certificate {
            self.certified += 1;
            self.certificate_bytes += bytes;
        }
        self.seconds += answer.seconds.unwrap_or_default();
        if asked.question.unique && answer.verdict == "solved" && *answer.unique != Some(false) {
            self.unique[usize::from(answer.unique.is_none())] += 1;
        }
    }

    /// The exit code: 70 when workers died of a level, 2 when one is broken, 30 when one is open.
    pub(crate) fn exit(&self) -> u8 {
        let has = |word: &str| self.verdicts.keys().any(|verdict| verdict.starts_with(word));
        match () {
            () if has("crashed") => INTERNAL,
            () if has("error") => USAGE,
            () if has("unknown") => 30,
            () => 0,
        }
    }

    /// As a sentence without a full stop, most frequent first.
    pub(crate) fn text(&self) -> String {
        let mut verdicts: Vec<_> = self.verdicts.iter().collect();
        verdicts.sort_by_key(|(_, count)| Reverse(**count));
        let mut parts: Vec<String> = Vec::new();
        for (verdict, count) in verdicts {
            let word = match verdict.as_str() {
                "error" => "not read",
                "no-solution-within" => "without a solution that short",
                word => word,
            };
            parts.push(match self.optimal {
                1.. if word == "solved" && self.optimal == *count => {
                    format!("{count} solved (all optimal)")
                }
                1.. if word == "solved" => format!("{count} solved ({} optimal)", self.optimal),
                _ => format!("{count} {word}"),
            });
            if word == "solved" {
                let counts = self.unique.iter().zip(["unique", "perhaps unique"]);
                let counts = counts.filter(|(count, _)| **count > 0);
                parts.extend(counts.map(|(count, word)| format!("{count} {word}")));
            }
        }
        let mut text = sentences::count(self.levels, "levels");
        if !parts.is_empty() {
            text.push_str(&format!(": {}", parts.join(", ")));
        }
        if self.certified > 0 {
            let bytes = bytes(self.certificate_bytes);
            text.push_str(&format!("; {} with a certificate ({bytes})", self.certified));
        }
        text
    }
}

/// An amount of bytes for people.
pub(crate) fn bytes(bytes: u64) -> String {
    match bytes {
        0..10_000 => format!("{bytes} bytes"),
        10_000..10_000_000 => format!("{} kB", bytes / 1_000),
        _ => format!("{} MB", bytes / 1_000_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::result::LevelQuestion;
    use unstuck::report::LevelAnswer;

    #[test]
    fn what_is_worst_decides_the_exit_code() {
        let mut summary = Summary::default();
        assert_eq!(summary.exit(), 0);
        let answer =
            |verdict: &str| LevelAnswer { verdict: verdict.to_owned(), ..LevelAnswer::default() };
        for (answer, code) in [
            (LevelAnswer { optimal: true.into(), seconds: 1.5.into(), ..answer("solved") }, 0),
            (answer("unsolvable"), 0),
            (LevelAnswer { stopped_by: "time".to_owned().into(), ..answer("unknown") }, 30),
            (answer("error"), 2),
            (answer("crashed"), 70),
        ] {
            let result = LevelResult::new(LevelQuestion::default(), answer.clone());
            summary.add(&result, None);
            assert_eq!(summary.exit(), code, "{answer:?}");
        }
        let solved = LevelResult::new(LevelQuestion::default(), answer("solved"));
        summary.add(&solved, Some(70_000));
        assert_eq!(
            summary.text(),
            "6 levels: 2 solved (1 optimal), 1 crashed, 1 not read, 1 unknown (time), \
             1 unsolvable; 1 with a certificate (70 kB)"
        );
    }
}
