//! Solves a level of a file, and says what was shown.
//!
//!     cargo run --release --example solve_level -- puzzles/levels/sokoban/pantry.xsb

use std::time::Duration;
use unstuck::limits::Limits;
use unstuck::puzzles::Options;
use unstuck::registry::guess;
use unstuck::solve::{Request, solve_readings};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let default = "puzzles/levels/sokoban/pantry.xsb".to_owned();
    let file = std::env::args().nth(1).unwrap_or(default);
    let text = std::fs::read_to_string(&file)?;
    let extension = std::path::Path::new(&file).extension().and_then(|it| it.to_str());
    let family = *guess(extension, &text).first().ok_or("no family reads this")?;

    let options = Options::new(family.options, [])?;
    let level = (family.read)(&text, &options)?.remove(0);
    // Where the rules can be read in several ways, each reading is an instance.
    let instances = level.puzzle?.instances(family.objectives[0]).ok_or("no such objective")?;

    let limits = Limits::new(Some(Duration::from_secs(20)), Some(2 << 30));
    let request = Request::default().with_limits(limits);
    let outcomes = solve_readings(&instances, &request, &|_| {})?;
    let outcome = outcomes.last().ok_or("no reading")?;
    match &outcome.best {
        Some(plan) => println!("{}\noptimal: {}", plan.text(), outcome.optimal),
        None => println!("{:?}, at least {}", outcome.verdict, outcome.lower),
    }
    Ok(())
}
