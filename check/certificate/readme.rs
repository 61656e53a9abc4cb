//! What stands in a certificate for people who judge it by another checker than ours.

use super::{Manifest, SOLUTION};
use crate::proof::veripb;
use std::fmt::Write;

/// The text of the file that tells a stranger what a folder is. It says nothing that the manifest does
/// not say, and part of the format is that it says it in these words: any other text is refused.
pub fn readme(manifest: &Manifest) -> String {
    let mut text = "A certificate about the level in puzzle.txt.\n\n".to_owned();
    let mut line = |name: &str, value: &str| {
        if !value.is_empty() {
            let _ = writeln!(text, "{:<10} {value}", format!("{name}:"));
        }
    };
    let claim = manifest.claim;
    let cost = claim.cost().map(|cost| format!(", cost {cost}")).unwrap_or_default();
    let tie = claim.tie().map(|tie| format!(", tie-break {tie}")).unwrap_or_default();
    let options: Vec<_> =
        manifest.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
    line("family", &manifest.family);
    line("options", &options.join(", "));
    line("reading", &manifest.reading);
    line("objective", manifest.objective.name());
    let wishes = &manifest.constraints;
    wishes.forbidden.iter().for_each(|wish| line("forbid", &wish.to_string()));
    wishes.required.iter().for_each(|wish| line("require", &wish.to_string()));
    line("claim", &format!("{}{cost}{tie}", claim.name()));
    line("solution", if claim.has_solution() { SOLUTION } else { "" });
    line("evidence", manifest.evidence.name());
    let extension = format!(".{}", veripb::EXTENSION);
    let proofs: Vec<_> =
        manifest.files.keys().filter_map(|name| name.strip_suffix(&extension)).collect();
    if proofs.is_empty() {
        return text;
    }
    text.push_str("\nVeriPB judges the proofs, each by a command:\n\n");
    for name in proofs {
        let kind = if manifest.files.contains_key(&format!("{name}.cnf")) { "cnf" } else { "opb" };
        let _ = writeln!(text, "    veripb --{kind} {name}.{kind} {name}{extension}");
    }
    text + "\nThat the formulas are those of the level and of the claim, no checker of proofs can see: \
            `unstuck check` compiles them again from puzzle.txt and compares.\n"
}
