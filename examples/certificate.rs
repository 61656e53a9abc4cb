//! Writes a certificate, checks it, and shows that a changed one is refused.
//!
//!     cargo run --release --example certificate

use unstuck::certificate::Claim;
use unstuck::certificate::check::check;
use unstuck::certificate::prove::{ProofOptions, ProofTask, prove};
use unstuck::limits::Limits;
use unstuck::puzzles::Objective;
use unstuck::solve::Request;

const LEVEL: &str = "#######\n#  .  #\n# $#  #\n#  @  #\n#######\n";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let level = unstuck::open(unstuck::SOKOBAN, LEVEL, Objective::Pushes)?;
    let outcome = level.solve(&Request::default())?;
    let plan = outcome.best.ok_or("no plan")?;

    let folder = tempfile::tempdir()?;
    let target = folder.path().join("optimal");
    let claim = Claim::Optimal(plan.tally().pushes);
    let task = ProofTask::new(level.first(), LEVEL, claim).with_solution(&plan);
    let mut say = |task: &str| println!("  {task}");
    prove(&task, &ProofOptions::default(), &Request::default(), &target, &mut say)?;

    let report = check(&target, None, &Limits::none(), &mut |_| {})?;
    println!("{} pushes, and none fewer:", plan.tally().pushes);
    report.checked.iter().for_each(|sentence| println!("- {sentence}"));

    std::fs::write(target.join("puzzle.txt"), LEVEL.replace('$', " "))?;
    let refused = check(&target, None, &Limits::none(), &mut |_| {});
    println!("after a change: {}", refused.err().ok_or("a forgery was accepted")?);
    Ok(())
}
