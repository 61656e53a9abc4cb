//! Programs as solvers: what their proofs are counts, not what they were asked to write.

use super::TestFolder;
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// Two pushes. That one is too few, propagation alone shows.
const LEVEL: &str = "#######\n#@ $ .#\n#     #\n#######\n";

/// A solver in a shell: its proof is in the file `small` for formulas of four clauses, and in the
/// file `large` for others.
const SOLVER: &str = r#"#!/bin/sh
home=$(dirname "$0")
grep -q '^p cnf [0-9]* 4$' "$1" && proof=small || proof=large
cat "$home/$proof" > "$2"
echo 's UNSATISFIABLE'
exit 20
"#;

/// Refutations of all four clauses over two variables.
const SMALL_LRAT: &str = "5 1 0 1 2 0\n6 0 5 3 4 0\n";
const SMALL_DRAT: &str = "1 0\n0\n";

const PROVE: [&str; 7] =
    ["prove", "a.xsb", "--evidence", "horizon", "--force", "--backend", "./solver {cnf} {proof}"];

fn prepared(small: &str) -> TestFolder {
    let place = TestFolder::new();
    place.write("a.xsb", LEVEL).write("solver", SOLVER).write("small", small);
    fs::set_permissions(place.path("solver"), fs::Permissions::from_mode(0o755)).expect("set");
    place
}

/// A proof with hints of the horizon, as the built-in solver writes it.
fn hinted(place: &TestFolder) -> String {
    place.run("prove a.xsb -o own --evidence horizon").ends(0);
    place.read("own/horizon-1.lrat")
}

#[test]
fn a_proof_is_read_as_what_it_is() {
    let place = prepared(SMALL_LRAT);
    let hinted = hinted(&place);
    // On the small formula it writes LRAT. The second proof is DRAT: the hints are found here.
    for proof in [hinted.as_str(), "0\n"] {
        place.write("large", proof);
        place.run_with(&[&PROVE[..], &["-o", "c"]].concat(), "").ends(0).says("certified");
        place.run("check c").ends(0).says("by the LRAT checker of this program");
    }
}

#[test]
fn a_proof_that_does_not_hold_is_refused() {
    let place = prepared(SMALL_LRAT);
    let hinted = hinted(&place);
    let (lemma, hints) = hinted.rsplit_once(" 0 ").expect("a lemma");
    let fewer = hints.split_once(' ').expect("hints").1;
    for proof in ["", "99999 0 1 0\n", &format!("{lemma} 0 {fewer}")] {
        place.write("large", proof);
        let printed = place.run_with(&[&PROVE[..], &["-o", "c"]].concat(), "").ends(2);
        printed.complains("the proof that `./solver {cnf} {proof}` wrote does not hold");
        assert!(!place.has("c"));
    }
}

#[test]
fn a_program_is_asked_what_it_writes() {
    for (small, form) in [(SMALL_LRAT, "lrat"), (SMALL_DRAT, "drat"), ("", "none")] {
        let place = prepared(small);
        let listed = place.run_with(&["backends", "./solver {cnf} {proof}"], "").ends(0);
        listed.says(&format!("  proofs: {form}\n"));
    }
}
