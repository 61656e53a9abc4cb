//! Makes a Flow board in code and counts its solutions.
//!
//!     cargo run --release --example count_solutions

use unstuck::encodings::flow::FlowEdges;
use unstuck::instance::{NoMoves, PuzzleInstance};
use unstuck::puzzles::flow::{Builder, Touch};
use unstuck::puzzles::{Objective, PuzzleExt};
use unstuck::solve::{Request, solve};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Four by four cells; row and column are counted from 0.
    let mut builder = Builder::square(4, 4)?;
    builder.pair("A", (0, 0), (3, 3))?.pair("B", (0, 1), (2, 3))?;
    builder.touch(Touch::Allow);
    let board = builder.build()?;

    let reading = board.readings().into_iter().next().ok_or("every board has a reading")?;
    let instance = PuzzleInstance::<FlowEdges, NoMoves>::new(reading, Objective::Any);
    let request = Request::default().with_solutions(100);
    let outcome = solve(&instance, &request, &|_| {})?;
    let solutions = outcome.solutions.as_ref();
    let complete = solutions.ok_or("puzzles without moves count their solutions")?.complete;
    println!("{} solutions; all of them: {complete}", outcome.all().count());
    outcome.all().for_each(|solution| println!("{}", solution.text()));
    Ok(())
}
