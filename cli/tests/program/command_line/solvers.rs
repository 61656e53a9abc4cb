//! Programs as solvers: what their proofs are counts, not what they were asked to write.

use super::TestFolder;
use std::fs;

/// Two pushes. That one is too few, propagation alone shows.
const LEVEL: &str = "#######\n#@ $ .#\n#     #\n#######\n";

/// A solver in a shell: its proof is in the file `small` for formulas of four clauses, and in the
/// file `large` for others.
const SOLVER: &str = r#"home=$(dirname "$0")
grep -q '^p cnf [0-9]* 4$' "$1" && proof=small || proof=large
cat "$home/$proof" > "$2"
echo 's UNSATISFIABLE'
exit 20
"#;

/// Refutations of all four clauses over two variables.
const SMALL_LRAT: &str = "5 1 0 1 2 0\n6 0 5 3 4 0\n";
const SMALL_DRAT: &str = "1 0\n0\n";

const PROVE: &str =
    "prove a.xsb --evidence horizon --force --backend './solver {cnf} {proof}' -o c";

fn prepared(small: &str) -> TestFolder {
    let place = TestFolder::new().with("a.xsb", LEVEL).with("small", small);
    place.write_program("solver", SOLVER);
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
        place.run(PROVE).ends(0).says("certified");
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
        let printed = place.run(PROVE).ends(2);
        printed.complains("the proof that `./solver {cnf} {proof}` wrote does not hold");
        assert!(!place.has("c"));
    }
}

/// The formula of one push, and a model of it, as a solver prints them.
fn one_push() -> (TestFolder, String) {
    let place = TestFolder::new().with("a.xsb", "#####\n#@$.#\n#####\n");
    place.run("export a.xsb --horizon 1 -o a.cnf").ends(0);
    let model = model(&place.read("a.cnf")).iter().map(|lit| format!(" {lit}")).collect::<String>();
    (place, format!("s SATISFIABLE\nv{model} 0\n"))
}

/// A model of a small formula, by trying: unit propagation, and both values of what is left.
fn model(cnf: &str) -> Vec<i32> {
    let lines = cnf.lines().filter(|line| !line.starts_with(['c', 'p']));
    let numbers =
        lines.flat_map(str::split_whitespace).map(|word| word.parse::<i32>().expect("a literal"));
    let numbers: Vec<i32> = numbers.collect();
    let clauses: Vec<&[i32]> = numbers.split(|&lit| lit == 0).collect();
    fn tried(clauses: &[&[i32]], mut model: Vec<i32>) -> Option<Vec<i32>> {
        loop {
            let open = clauses
                .iter()
                .filter(|it| !it.is_empty() && !it.iter().any(|lit| model.contains(lit)));
            let left: Vec<Vec<i32>> = open
                .map(|it| it.iter().copied().filter(|lit| !model.contains(&-lit)).collect())
                .collect();
            match left.iter().min_by_key(|it| it.len()).map(Vec::as_slice) {
                None => return Some(model),
                Some([]) => return None,
                Some([only]) => model.push(*only),
                Some([first, ..]) => {
                    let [yes, no] = [*first, -first].map(|lit| [&model[..], &[lit]].concat());
                    return tried(clauses, yes).or_else(|| tried(clauses, no));
                }
            }
        }
    }
    let clauses: Vec<&[i32]> = clauses.into_iter().filter(|it| !it.is_empty()).collect();
    tried(&clauses, Vec::new()).expect("a model")
}

#[test]
fn answers_are_read_as_solvers_and_shells_write_them() {
    let (place, answer) = one_push();
    let wide = |text: &str, bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        format!("\u{feff}{text}").encode_utf16().flat_map(bytes).collect()
    };
    for (name, bytes, code) in [
        ("plain", answer.clone().into_bytes(), 0),
        ("mark", format!("\u{feff}{answer}").into_bytes(), 0),
        ("little", wide(&answer.replace('\n', "\r\n"), u16::to_le_bytes), 0),
        ("big", wide(&answer, u16::to_be_bytes), 0),
        ("unknown", b"c --- [ limit ]\nc UNKNOWN\nc raising signal\n".to_vec(), 30),
        ("nothing", b"c nothing at all\n".to_vec(), 2),
    ] {
        fs::write(place.path(name), bytes).expect("written");
        let printed = place.run(&format!("decode a.cnf {name}")).ends(code);
        if code == 0 {
            printed.says("solved in 1 move and 1 push");
        }
    }
}

#[test]
fn a_solver_that_has_found_the_only_model_ends_with_both_codes() {
    let (place, answer) = one_push();
    place.write("answer", &answer);
    let solve = "solve a.xsb --engine sat --horizon 1 --backend './solver {cnf}'";
    for (said, code, ends) in [
        ("cat answer", 10, 0),
        ("cat answer", 30, 0),
        ("cat answer", 20, 2),
        ("echo s UNSATISFIABLE", 30, 2),
        ("echo s UNSATISFIABLE", 20, 21),
        ("echo c UNKNOWN", 0, 30),
    ] {
        place.write_program("solver", &format!("{said}\nexit {code}\n"));
        place.run(solve).ends(ends);
    }
}

#[test]
fn a_program_is_asked_what_it_writes() {
    for (small, form) in [(SMALL_LRAT, "lrat"), (SMALL_DRAT, "drat"), ("", "none")] {
        let place = prepared(small);
        let listed = place.run("backends './solver {cnf} {proof}'").ends(0);
        listed.says(&format!("  proofs: {form}\n"));
    }
}
