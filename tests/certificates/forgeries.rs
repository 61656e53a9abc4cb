//! Forgeries: false claims with evidence made up to look right. Every one was accepted once.

use crate::common::{self, sample::sum};
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use unstuck::backend::varisat::Varisat;
use unstuck::backend::{Answer, Backend, Prover};
use unstuck::certificate::check::CheckError;
use unstuck::certificate::{Claim, Evidence, MANIFEST, Manifest, PatternProofs};
use unstuck::closed::close::ClosureError;
use unstuck::formula::{Clauses, dimacs};
use unstuck::instance::{Formula, Instance, Question, Relaxation};
use unstuck::learn::LearnOptions;
use unstuck::limits::{Limits, Monitor, Stop};
use unstuck::proof::propagate::Propagator;
use unstuck::questions::analysis::Analysis;
use unstuck::questions::hint::hint;
use unstuck::registry::by_name;
use unstuck::solve::{EngineChoice, Request, Verdict, solve};
use unstuck::transition::{Budget, CubeList, Obligation};
use unstuck_encodings::{Filter, Lit};
use unstuck_puzzles::constraints::Constraints;
use unstuck_puzzles::{Objective, Options};

const TWO_PUSHES: &str = "#######\n#@ $ .#\n#     #\n#######\n";

/// A "refutation" of any formula in which propagation finds a literal: it deletes all clauses with
/// that literal, so that its negation is a resolution asymmetric tautology for lack of anything to
/// resolve with. A checker that keeps what the deleted clauses had propagated sees a contradiction.
fn made_up(formula: &dyn Clauses) -> String {
    let clauses = || (0..formula.len()).map(|index| formula.clause(index));
    let mut engine = Propagator::new(formula.variables(), clauses());
    assert_eq!(engine.propagate(), None, "the formula has no model, so there is no forgery");
    let stated = |lit: Lit| clauses().any(|clause| clause == [lit]);
    let numbers = 1..=i32::try_from(formula.variables()).expect("few variables");
    let lit = numbers
        .flat_map(|number| [number, -number])
        .filter_map(Lit::from_dimacs)
        .find(|&lit| engine.value(lit) > 0 && !stated(lit))
        .expect("a literal that propagation finds");
    let deleted = (1..).zip(clauses()).filter(|(_, clause)| clause.contains(&lit));
    let deleted: Vec<String> = deleted.map(|(id, _)| id.to_string()).collect();
    let (last, lemma) = (formula.len(), formula.len() + 1);
    let (deleted, not) = (deleted.join(" "), (!lit).to_dimacs());
    format!("{last} d {deleted} 0\n{lemma} {not} 0 0\n{} 0 {lemma} 0\n", lemma + 1)
}

/// The formula of a horizon as certificates have it.
fn within(instance: &dyn Instance, horizon: u32) -> Box<dyn Formula + '_> {
    instance.formula(&Question { filter: Filter::defining(), ..Question::within(horizon) })
}

/// A forged folder.
struct Forgery {
    place: tempfile::TempDir,
    manifest: Manifest,
}

impl Forgery {
    fn new(family: &str, puzzle: &str, objective: Objective, claim: Claim) -> Self {
        let options = Options::new(by_name(family).expect("registered").options, []);
        let forgery = Self {
            place: tempfile::tempdir().expect("a temporary folder"),
            manifest: Manifest {
                claim,
                objective,
                after: String::new(),
                constraints: Constraints::default(),
                family: family.to_owned(),
                reading: String::new(),
                options: common::listed(&options.expect("defaults fit")),
                evidence: Evidence::Nothing,
                encodings: BTreeMap::new(),
                files: BTreeMap::new(),
                tool: "nobody".to_owned(),
            },
        };
        forgery.with("puzzle.txt", puzzle.as_bytes())
    }

    fn sokoban(claim: Claim) -> Self {
        Self::new("sokoban", TWO_PUSHES, Objective::Pushes, claim)
    }

    fn path(&self) -> PathBuf {
        self.place.path().join("certificate")
    }

    fn with(mut self, name: &str, bytes: &[u8]) -> Self {
        fs::create_dir_all(self.path()).expect("a writable folder");
        fs::write(self.path().join(name), bytes).expect("a writable folder");
        self.manifest.files.insert(name.to_owned(), sum(bytes));
        self
    }

    fn change(mut self, change: impl FnOnce(&mut Manifest)) -> Self {
        change(&mut self.manifest);
        self
    }

    fn instance(&self) -> Box<dyn Instance> {
        let manifest = &self.manifest;
        let family = by_name(&manifest.family).expect("registered");
        let given = manifest.options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let options = Options::new(family.options, given).expect("options");
        let text = fs::read_to_string(self.path().join("puzzle.txt")).expect("a text");
        let opened = (family.read)(&text, &options).expect("a level").remove(0).puzzle;
        let mut instances = opened.expect("a level").instances(manifest.objective).expect("listed");
        instances.retain(|instance| instance.reading() == manifest.reading);
        instances.remove(0)
    }

    /// With the formula of a horizon and a made-up refutation.
    fn horizon(self, horizon: u32) -> Self {
        let instance = self.instance();
        let formula = within(instance.as_ref(), horizon);
        let proof = made_up(formula.as_ref());
        self.with_horizon(horizon, formula.as_ref(), proof.as_bytes())
    }

    /// With the formula of a horizon and a refutation that holds.
    fn refuted(self, horizon: u32) -> Self {
        let instance = self.instance();
        let formula = within(instance.as_ref(), horizon);
        self.with_refuted(horizon, formula.as_ref())
    }

    /// The same with a formula that the solver refutes.
    fn with_refuted(self, horizon: u32, formula: &dyn Formula) -> Self {
        let mut proof = Vec::new();
        let answer = Varisat.refute(formula, &mut proof, &Limits::none());
        assert_eq!(answer, Ok(Answer::Unsat), "horizon {horizon}");
        self.with_horizon(horizon, formula, &proof)
    }

    fn with_horizon(self, horizon: u32, formula: &dyn Formula, proof: &[u8]) -> Self {
        let mut cnf = Vec::new();
        dimacs::write_cnf(&mut cnf, formula, formula.names()).expect("memory");
        let evidence = Evidence::Horizon { horizon, tie: None };
        self.with(&format!("horizon-{horizon}.cnf"), &cnf)
            .with(&format!("horizon-{horizon}.lrat"), proof)
            .change(|manifest| manifest.evidence = evidence)
    }

    /// With a list of cubes, its formulas, and refutations, made up where there is none.
    fn invariant(mut self, text: &str) -> Self {
        let list = CubeList::read(text.as_bytes()).expect("a list");
        let instance = self.instance();
        let induction =
            instance.moves().expect("a game").induction(&list).expect("cubes of this level");
        self = self.with("invariant.txt", text.as_bytes());
        for part in Obligation::ALL {
            let formula = induction.formula(part, &mut Monitor::silent(&Limits::none())).unwrap();
            let mut cnf = Vec::new();
            dimacs::write_cnf(&mut cnf, &formula, induction.names()).expect("memory");
            let mut proof = Vec::new();
            let answer = Varisat.refute(&formula, &mut proof, &Limits::none());
            if answer != Ok(Answer::Unsat) {
                proof = made_up(&formula).into_bytes();
            }
            self = self
                .with(&format!("{}.cnf", part.name()), &cnf)
                .with(&format!("{}.lrat", part.name()), &proof);
        }
        self.change(|manifest| manifest.evidence = Evidence::Invariant)
    }

    /// Checks it as it stands.
    fn judged(&self) -> Result<Vec<String>, CheckError> {
        let path = self.path();
        fs::write(path.join(MANIFEST), self.manifest.to_string()).expect("a writable folder");
        common::checked(&path).map(|report| report.checked)
    }

    #[track_caller]
    fn refused(&self, reason: &str) {
        match self.judged() {
            Err(CheckError::Invalid { reason: given, .. }) => {
                assert!(given.contains(reason), "because: {given}")
            }
            Err(other) => panic!("not judged: {other}"),
            Ok(checked) => panic!("a forgery was accepted: {checked:?}"),
        }
    }
}

#[test]
fn a_level_of_two_pushes_does_not_need_more_than_fifty() {
    let forgery = Forgery::sokoban(Claim::NothingWithin(50)).horizon(50);
    forgery.refused("horizon-50.lrat: line ");
}

#[test]
fn a_solvable_level_is_not_unsolvable_by_an_invariant() {
    let list = "unstuck invariant 1\nclaim *\ncubes 1\n* box(1,3)\n";
    Forgery::sokoban(Claim::Unsolvable).invariant(list).refused(".lrat: line ");
}

#[test]
fn a_flow_board_with_a_solution_is_not_unsolvable() {
    let board = "A.A\nB.B\n";
    let forgery = Forgery::new("flow", board, Objective::Any, Claim::Unsolvable);
    let forgery = forgery.change(|manifest| manifest.reading = "no self-touch".to_owned());
    forgery.horizon(0).refused("horizon-0.lrat: line ");
}

#[test]
fn a_game_with_moves_has_no_single_solution() {
    // One plan is the only one of its length that solves the puzzle; longer ones do so too.
    let warehouse = "#######\n#@O...#\n#######\n\n>\n";
    for (family, text, plan, steps) in
        [("sokoban", TWO_PUSHES, "rRR\n", 3), ("warehouse", warehouse, ">\n", 1)]
    {
        let forgery = Forgery::new(family, text, Objective::Moves, Claim::Unique)
            .with("moves.txt", plan.as_bytes());
        let instance = forgery.instance();
        let mut formula = within(instance.as_ref(), steps);
        let answer = Varisat.solve(formula.as_ref(), &Limits::none());
        let Ok(Answer::Sat(model)) = answer else { panic!("there is a plan") };
        assert!(formula.block(&model));
        let lits: Vec<String> = model.lits().map(|lit| lit.to_string()).collect();
        // It is the only one of its length.
        forgery
            .with("model.txt", format!("s SATISFIABLE\nv {} 0\n", lits.join(" ")).as_bytes())
            .with_refuted(steps, formula.as_ref())
            .refused("a game with moves, of which `unique` cannot be claimed");
    }
}

/// An honest folder: nothing within one push.
fn honest() -> Forgery {
    let forgery = Forgery::sokoban(Claim::NothingWithin(0));
    let list = "unstuck invariant 1\nclaim 0\ncubes 1\n0 box(1,3)\n";
    forgery.invariant(list)
}

#[test]
fn what_any_plan_will_do_for_has_no_cost() {
    honest().judged().unwrap_or_else(|error| panic!("{error}"));
    for claim in [Claim::NothingWithin(0), Claim::Optimal(2)] {
        let forgery = honest().with("moves.txt", b"rRR\n").change(|manifest| {
            manifest.objective = Objective::Any;
            manifest.claim = claim;
        });
        forgery.refused("objective `any`");
    }
}

#[test]
fn every_file_is_listed() {
    for name in ["puzzle.txt", "invariant.txt", "start.cnf", "step.lrat"] {
        let forgery = honest().change(|manifest| drop(manifest.files.remove(name)));
        forgery.refused(&format!("{name} is not listed"));
    }
    honest().change(|manifest| manifest.files.clear()).refused("puzzle.txt is not listed");
}

#[test]
fn comments_of_a_formula_are_its_names() {
    let forgery = honest();
    let text = fs::read_to_string(forgery.path().join("start.cnf")).expect("a formula");
    for (from, to) in [
        ("c v 1 ", "c v 2 "),
        ("c v 1 ", "c v 1 not-"),
        ("p cnf", "c the level is another one\np cnf"),
        ("c v 1 ", "c hello\nc v 1 "),
    ] {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text);
        honest().with("start.cnf", changed.as_bytes()).refused("start.cnf: line ");
    }
    let without: String = text
        .lines()
        .filter(|line| !line.starts_with('c'))
        .map(|line| format!("{line}\n"))
        .collect();
    honest().with("start.cnf", without.as_bytes()).refused("start.cnf: line ");
    let after = format!("{text}c box(1,3) is a wall\n");
    honest().with("start.cnf", after.as_bytes()).refused("start.cnf: line ");
}

/// With an empty clause more, any formula is refuted.
#[test]
fn a_formula_of_a_list_has_no_further_clause() {
    for part in Obligation::ALL {
        let name = format!("{}.cnf", part.name());
        let text = fs::read_to_string(honest().path().join(&name)).expect("a formula");
        let header = text.lines().find(|line| line.starts_with("p cnf ")).expect("a header");
        let (front, clauses) = header.rsplit_once(' ').expect("two numbers");
        let more = clauses.parse::<usize>().expect("a number") + 1;
        let forged = text.replacen(header, &format!("{front} {more}"), 1) + "0\n";
        let forgery = honest().with(&name, forged.as_bytes());
        forgery.refused(&format!("{name} has clauses that the list has not"));
    }
}

/// The board has two solutions; one of them is claimed, and the model of the other is given.
#[test]
fn the_only_solution_is_the_one_that_the_model_means() {
    let forgery = Forgery::new("flow", "A..\n...\n..A\n", Objective::Any, Claim::Unique)
        .change(|manifest| manifest.reading = "self-touch allowed".to_owned());
    let instance = forgery.instance();
    let mut formula = within(instance.as_ref(), 0);
    // A model may have a ring of cells beside a path: it means no solution.
    let mut next = || loop {
        let answer = Varisat.solve(formula.as_ref(), &Limits::none());
        let Ok(Answer::Sat(model)) = answer else { panic!("there are two solutions") };
        let meant = formula.read(&model).map(|solution| solution.text().to_owned());
        assert!(formula.block(&model));
        let lits: Vec<String> = model.lits().map(|lit| lit.to_string()).collect();
        if let Ok(solution) = meant {
            return (solution, format!("s SATISFIABLE\nv {} 0\n", lits.join(" ")));
        }
    };
    let ((one, _), (other, model)) = (next(), next());
    assert_ne!(one, other);
    let evidence = Evidence::Horizon { horizon: 0, tie: None };
    forgery
        .with("moves.txt", one.as_bytes())
        .with("model.txt", model.as_bytes())
        .with("horizon-0.cnf", b"p cnf 0 0\n")
        .change(|manifest| manifest.evidence = evidence)
        .refused("it means another solution than moves.txt");
}

#[test]
fn numbers_are_looked_at_before_anything_is_made_of_them() {
    let most = 4_000_000_000;
    let list = format!("unstuck invariant 1\nclaim {most}\ncubes 1\n0 box(1,3)\n");
    let claim = |manifest: &mut Manifest| manifest.claim = Claim::NothingWithin(most);
    let forgery = honest().with("invariant.txt", list.as_bytes()).change(claim);
    forgery.refused("bytes are too few for 4000000000");
    let horizon = Evidence::Horizon { horizon: most, tie: None };
    let forgery = Forgery::sokoban(Claim::NothingWithin(most))
        .with(&format!("horizon-{most}.cnf"), b"p cnf 1 1\n1 0\n")
        .with(&format!("horizon-{most}.lrat"), b"2 0 1 0\n")
        .change(|manifest| manifest.evidence = horizon);
    forgery.refused("bytes are too few for 4000000000");
    let long = "unstuck invariant 1\nclaim 0\ncubes 18446744073709551615\n0 box(1,3)\n";
    honest().with("invariant.txt", long.as_bytes()).refused("ends where one of the cubes belongs");
    let wide = "c\np cnf 18446744073709551615 18446744073709551615\n1 0\n";
    honest().with("start.cnf", wide.as_bytes()).refused("start.cnf: line 1");
}

#[cfg(unix)]
#[test]
fn only_plain_files_are_read() {
    let forgery = honest();
    let path = forgery.path().join("start.cnf");
    let elsewhere = forgery.place.path().join("elsewhere");
    fs::rename(&path, &elsewhere).expect("a writable folder");
    std::os::unix::fs::symlink(&elsewhere, &path).expect("links");
    forgery.refused("start.cnf is not a regular file");
    fs::remove_file(&path).expect("a writable folder");
    let made = std::process::Command::new("mkfifo").arg(&path).status().expect("mkfifo runs");
    assert!(made.success());
    forgery.refused("start.cnf is not a regular file");
    fs::remove_file(&path).expect("a writable folder");
    fs::create_dir(&path).expect("a writable folder");
    forgery.refused("start.cnf is not a regular file");
}

/// A list that shows that one push is too little, and says nothing of moves.
const ONE_PUSH: &str = "unstuck closed set 1\nclaim 1\nbound none\nentries 3\n\
                        1 8 10\n0 8 9\n0 8 11\n";

/// What claims of a plan with two pushes and five moves, where three would do.
fn longer(claim: Claim, list: &str) -> Forgery {
    Forgery::new("sokoban", TWO_PUSHES, Objective::PushesMoves, claim)
        .with("moves.txt", b"druRR\n")
        .with("closed-set.txt", list.as_bytes())
        .change(|manifest| manifest.evidence = Evidence::ClosedSet { bound: None, lrat: false })
}

#[test]
fn the_tie_break_of_a_longer_plan_is_never_certified() {
    longer(Claim::Optimal(2), ONE_PUSH).judged().expect("the pushes are certified, as before");
    let tied = Claim::OptimalTied(2, 5);
    longer(tied, ONE_PUSH).refused("about another claim");
    let titled = ONE_PUSH.replace("set 1", "set 2");
    longer(tied, &titled).refused("what is this claim?");
    let claimed = titled.replace("claim 1", "claim 2,4");
    longer(tied, &claimed).refused("the start is not listed with the budget of the claim");
    let started = claimed.replace("\n1 8 10", "\n2,4 8 10");
    longer(tied, &started).refused("is not listed with budget 2,3");
    let classes = claimed.replace("\n1 8 10", "\n2 8 10").replace("\n0", "\n1");
    longer(tied, &classes).refused("is not listed with budget 0");
    let nothing = longer(tied, ONE_PUSH).change(|it| it.evidence = Evidence::Nothing);
    nothing.refused("no evidence for the claim");
    for tie in [None, Some(3), Some(4)] {
        let evidence = Evidence::Horizon { horizon: 1, tie };
        let forgery = longer(tied, ONE_PUSH).change(|manifest| manifest.evidence = evidence);
        forgery.refused("refuting horizon 1 does not show the claim");
    }
    let evidence = Evidence::Horizon { horizon: 2, tie: Some(3) };
    let forgery = longer(tied, ONE_PUSH).change(|manifest| manifest.evidence = evidence);
    forgery.refused("refuting horizon 2 does not show the claim");
    longer(Claim::OptimalTied(2, 3), ONE_PUSH).refused("has 5 moves, but the certificate claims 3");
    for objective in [Objective::Pushes, Objective::Moves] {
        let forgery = longer(tied, ONE_PUSH).change(|manifest| manifest.objective = objective);
        forgery.refused("has no tie-break to claim anything of");
    }
}

/// A formula is about the level as it begins: one push is left after the first.
#[test]
fn formulas_say_nothing_of_later_positions_nor_of_constraints() {
    let sound = || Forgery::sokoban(Claim::NothingWithin(1)).refuted(1);
    sound().judged().unwrap_or_else(|error| panic!("{error}"));
    let reason = "only closed sets know constraints and earlier moves";
    sound().change(|manifest| manifest.after = "rR".to_owned()).refused(reason);
    let constrained = sound().change(|manifest| {
        manifest.constraints.forbid("pushed 2,2").expect("a constraint");
    });
    constrained.refused(reason);
}

/// A puzzle with a completeness threshold is unsolvable from that horizon on, not below it.
#[test]
fn a_horizon_below_the_threshold_is_not_enough() {
    let text = fs::read_to_string("puzzles/levels/warehouse/shorten.warehouse").expect("a level");
    let forgery = Forgery::new("warehouse", &text, Objective::Moves, Claim::Unsolvable);
    let threshold = forgery.instance().encoded().completeness_threshold().expect("a known plan");
    assert!(threshold > 4);
    forgery.refuted(4).refused("refuting horizon 4 does not show the claim");
}

/// A list of cubes, and one of patterns, names its claim.
#[test]
fn lists_are_about_the_claim() {
    let further = honest().change(|manifest| manifest.claim = Claim::NothingWithin(2));
    further.refused("invariant.txt is about another claim");
    let forgery = Forgery::sokoban(Claim::NothingWithin(1));
    let game = forgery.instance();
    let learned = game.capability::<dyn Relaxation>().expect("boxes may be dropped").learn(
        LearnOptions { exclude: Some(1), ..LearnOptions::default() },
        &Limits::none(),
        &mut |_| {},
    );
    let mut list = std::sync::Arc::unwrap_or_clone(learned.expect("boxes").list);
    list.claim = Some(1);
    let sound = |claim| {
        Forgery::sokoban(claim).with("patterns.txt", list.to_string().as_bytes()).change(
            |manifest| manifest.evidence = Evidence::Patterns { proofs: PatternProofs::None },
        )
    };
    sound(Claim::NothingWithin(1)).judged().unwrap_or_else(|error| panic!("{error}"));
    for claim in [Claim::NothingWithin(2), Claim::Unsolvable] {
        sound(claim).refused("it is about another claim");
    }
}

/// Names that lead out of the folder, or hide in it, are not those of files of a certificate.
#[test]
fn files_lie_in_the_folder() {
    let above = ["..", "outside"].join("/");
    for name in [above.as_str(), "a\\b", ".hidden", "/hostname"] {
        let forgery = honest().change(|manifest| {
            manifest.files.insert(name.to_owned(), "0".repeat(64));
        });
        if !name.starts_with('/') {
            fs::write(forgery.path().join(name), "").expect("a writable folder");
        }
        let forgery = forgery.change(|manifest| {
            manifest.files.insert(name.to_owned(), sum(b""));
        });
        forgery.refused("invalid file name");
    }
}

/// What is held in memory is held whole: a text is never judged by its beginning.
#[test]
fn a_text_that_is_too_long_is_not_read_in_part() {
    let long = format!("{TWO_PUSHES}\n{}", " ".repeat(64 << 20));
    let forgery = Forgery::new("sokoban", &long, Objective::Pushes, Claim::NothingWithin(0));
    forgery.refused("puzzle.txt is larger than 64 MiB");
}

/// A game in which a box is pushed along a row, to a target behind a wall, and a rule of the author's.
fn walled(rule: &str) -> String {
    let rows = [format!("P*.#O{}", ".".repeat(235)), ",".repeat(240)].join("\n");
    format!(
        "OBJECTS\nbackground .\nblack\n\nwall #\ngrey\n\nplayer P\nblue\n\ncrate *\nbrown\n\n\
         target O\nred\n\ndust ,\nwhite\n\nLEGEND\n\nSOUNDS\n\nCOLLISIONLAYERS\nbackground\n\
         target\nwall, player, crate, dust\n\nRULES\n\
         [ > Player | Crate ] -> [ > Player | > Crate ]\n{rule}\n\nWINCONDITIONS\n\
         all Target on Crate\n\nLEVELS\n\n{rows}\n"
    )
}

/// A push against the wall is felt in three places of the dust, in each of two million ways:
/// this takes too long to play, though it wins.
const LONG: &str = "right [ > Player | Crate | Wall ] [ Dust | ... | Dust | ... | Dust ] -> \
                    [ > Player | Crate | Wall ] [ Dust | ... | | ... | ] win";

/// What the engine wins by restarting a level that is drawn won, or by closing a message on it.
const WON: [&str; 2] = ["[ > Player ] -> restart", "[ > Player ] -> cancel message hello"];

/// Such a level is not called unsolvable, whatever bound or formula would say so.
#[test]
fn a_level_that_is_drawn_won_may_be_won_by_restarting() {
    for rule in WON {
        // Without the action key, which would be a turn, and win.
        let game = walled(rule).replace("all Target on Crate", "no Crate on Target");
        let game = format!("noaction\n\n{}", game.replace("P*.", "#P#"));
        let claimed = Forgery::new("puzzlescript", &game, Objective::Moves, Claim::Unsolvable);
        for engine in EngineChoice::ALL {
            let request = Request::default().with_engine(engine);
            let outcome = solve(claimed.instance().as_ref(), &request, &|_| {});
            let verdict = outcome.ok().map(|outcome| outcome.verdict);
            let unknown = Verdict::Unknown(Some(Stop::UnknownMove));
            assert!(verdict.is_none_or(|it| it == unknown), "{engine:?}: {rule}: {verdict:?}");
        }
        for use_bound in [false, true] {
            let closed = common::close(claimed.instance().as_ref(), Budget::Any, use_bound);
            let unknown = matches!(closed, Err(ClosureError::Stopped(Stop::UnknownMove)));
            assert!(unknown, "{rule}: {closed:?}");
        }
    }
}

/// Nothing is concluded from moves whose results are not known.
#[test]
fn a_move_without_a_known_end_leaves_everything_open() {
    let claimed = |rules: &str| {
        Forgery::new("puzzlescript", &walled(rules), Objective::Moves, Claim::Unsolvable)
    };
    let close = |instance: &dyn Instance| common::close(instance, Budget::Any, false);
    let list = close(claimed("").instance().as_ref()).expect("few positions");
    let mut text = Vec::new();
    list.write(&mut text).expect("memory");
    let with_list = |rules: &str| {
        claimed(rules)
            .with("closed-set.txt", &text)
            .change(|manifest| manifest.evidence = Evidence::ClosedSet { bound: None, lrat: false })
    };
    with_list("").judged().unwrap_or_else(|error| panic!("{error}"));
    let open = with_list(LONG);
    assert_eq!(open.judged(), Err(CheckError::Stopped(Stop::UnknownMove)));
    let closed = close(open.instance().as_ref());
    assert!(matches!(closed, Err(ClosureError::Stopped(Stop::UnknownMove))));
    for engine in EngineChoice::ALL {
        let request = Request::default().with_engine(engine);
        let verdict =
            |rules: &str| match solve(claimed(rules).instance().as_ref(), &request, &|_| {}) {
                Ok(outcome) => Some((outcome.verdict, outcome.lower)),
                Err(_) => None,
            };
        let unknown = Verdict::Unknown(Some(Stop::UnknownMove));
        if let Some((Verdict::Unsolvable, _)) = verdict("") {
            let long = verdict(LONG);
            assert!(long.is_none_or(|long| long == (unknown, 0)), "{engine:?}: {long:?}");
        }
    }
    let level = open.instance();
    let mut asked = Analysis::new(level.as_ref(), &Constraints::default()).expect("moves");
    let answer = hint(&mut asked, None, 1, &Limits::none());
    assert_eq!(answer.stop, Some(Stop::UnknownMove));
}
