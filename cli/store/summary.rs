//! What came out of many levels, counted.

use crate::terminal::text::one_line;
use serde::Serialize;
use std::collections::BTreeMap;
use unstuck::report::{LevelAnswer, sentences};

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
}

impl Summary {
    /// Counts a result, with the size of its packed certificate where it has one.
    pub(crate) fn add(&mut self, answer: &LevelAnswer, certificate: Option<u64>) {
        self.levels += 1;
        let word = match (answer.verdict.as_str(), answer.stopped_by.as_deref()) {
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
    }

    /// The exit code: 70 when workers died of a level, 2 when one is broken, 30 when one is open.
    pub(crate) fn exit(&self) -> u8 {
        let has = |word: &str| self.verdicts.keys().any(|verdict| verdict.starts_with(word));
        match () {
            () if has("crashed") => 70,
            () if has("error") => 2,
            () if has("unknown") => 30,
            () => 0,
        }
    }

    /// As a sentence without a full stop.
    pub(crate) fn text(&self) -> String {
        let mut parts: Vec<String> = Vec::new();
        for (verdict, count) in &self.verdicts {
            let mut part = format!("{count} {verdict}");
            if verdict == "solved" && self.optimal > 0 {
                match self.optimal == *count {
                    true => part.push_str(" (all optimal)"),
                    false => part.push_str(&format!(" ({} optimal)", self.optimal)),
                }
            }
            parts.push(part);
        }
        // Most frequent first.
        parts.sort_by_key(|part| {
            let count = part.split(' ').next().and_then(|count| count.parse::<u64>().ok());
            std::cmp::Reverse(count)
        });
        let levels = sentences::count(self.levels, "levels");
        let mut text = levels;
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
            summary.add(&answer, None);
            assert_eq!(summary.exit(), code, "{answer:?}");
        }
        summary.add(&answer("solved"), Some(70_000));
        assert_eq!(
            summary.text(),
            "6 levels: 2 solved (1 optimal), 1 crashed, 1 error, 1 unknown (time), \
             1 unsolvable; 1 with a certificate (70 kB)"
        );
    }
}
