use super::FlowEdges;
use crate::cnf::Cnf;
use crate::encoding::Encoding;
use unstuck_puzzles::flow::Board;
use unstuck_puzzles::{Objective, Options, Puzzle, PuzzleExt};

fn encoding(text: &str) -> FlowEdges {
    let options = Options::new(Board::OPTIONS, []).unwrap();
    FlowEdges::new(&Board::parse(text, &options).unwrap(), Objective::Any).unwrap()
}

#[test]
fn checks_before_solving_name_the_cells() {
    let cases = [
        ("A.\n.A", "parity"),
        ("A.A", ""),
        ("AB\nBA", "crossing: the termini of A at (1,1) and (2,2) and of B at (1,2) and (2,1)"),
        ("A...\n...B\n....\nB..A", "crossing"),
        ("A.B.\n....\n....\nA.B.", ""),
        ("AA.\n...\nWALL 0,2 1,2\nWALL 1,1 1,2", "dead-end: the cell (1,3) has one neighbour only"),
        ("touch: never\ncover: no\n\nAA.\n...\nWALL 0,2 1,2\nWALL 1,1 1,2", ""),
        (
            "A.B\n...\nA.B\nWALL 0,0 0,1\nWALL 0,0 1,0",
            "dead-end: the terminus (1,1) has no neighbour",
        ),
        ("AB\nAB\nWALL 0,0 1,0\nWALL 0,1 1,1", "separated"),
        (
            "AA\n..\n..\nWALL 0,0 1,0\nWALL 0,1 1,1",
            "unreached: no terminus is connected with the cell (2,1)",
        ),
        // Around a hole the termini alternate as well.
        ("......\n..A...\n.B.B..\n..A...\n......\nHOLE 2,2", "crossing"),
    ];
    for (text, reason) in cases {
        let encoding = encoding(text);
        let said = encoding.unsolvable_reason().unwrap_or_default();
        let fits = if reason.is_empty() { said.is_empty() } else { said.starts_with(reason) };
        assert!(fits, "{text}\n{said}");
        assert_eq!(encoding.lower_bound().is_none(), !said.is_empty());
    }
}

#[test]
fn variables_have_names() {
    let encoding = encoding("A.B\n.C.\nA.B\n.C.\nWARP all");
    let mut cnf = Cnf::default();
    encoding.start(&mut cnf);
    let names: Vec<_> = cnf.atoms().map(ToString::to_string).collect();
    for name in ["joined(0,0;0,1)@0", "joined(0,0;3,0)@0", "colour(1,1;1)@0"] {
        assert!(names.iter().any(|known| known == name), "{name} in {names:?}");
    }
}
