//! Small random boards for laws and oracle tests, with every feature now and then.

use super::board::{Board, Name, Touch};
use super::builder::{BoardError, Builder};
use super::generate::{Recipe, draft};

/// A board of at most about sixteen cells: made from paths (so that it has a solution), or with
/// termini, walls, holes, bridges, warps and links anywhere, or a random graph.
pub(super) fn sample(seed: u64) -> Board {
    let mut random = fastrand::Rng::with_seed(seed);
    loop {
        let board = match random.u32(..10) {
            0..=3 => from_paths(&mut random),
            4..=7 => anywhere(&mut random),
            _ => graph(&mut random),
        };
        // Many a random choice is no board; the next one may be.
        if let Ok(Some(board)) = board {
            let touch = [Touch::Never, Touch::Allow, Touch::Auto][random.usize(..3)];
            return board.under(touch, random.u32(..10) < 7);
        }
    }
}

fn from_paths(random: &mut fastrand::Rng) -> Result<Option<Board>, BoardError> {
    let hex = random.u32(..4) == 0;
    let bridges = usize::from(random.u32(..3) == 0);
    // The lanes of a bridge need neighbours on all sides.
    let least = 2 + bridges;
    let recipe = Recipe {
        width: random.usize(least..=4),
        height: random.usize(least..=4),
        colours: random.usize(1..=4),
        hex,
        walls: random.usize(..3),
        bridges,
        holes: usize::from(random.u32(..4) == 0),
        warps: !hex && random.u32(..5) == 0,
    };
    Ok(draft(&recipe, random.u64(..), &|| true)?.map(|(board, _)| board))
}

fn anywhere(random: &mut fastrand::Rng) -> Result<Option<Board>, BoardError> {
    let (width, height) = (random.usize(1..=4), random.usize(1..=4));
    let mut builder = match random.u32(..4) {
        0 => Builder::hex(width, height)?,
        _ => Builder::square(width, height)?,
    };
    let mut cells = builder.plain_cells();
    random.shuffle(&mut cells);
    if random.u32(..4) == 0 {
        // Hexagons do not warp; then there is nothing to do.
        builder.warp_all().ok();
    }
    for _ in 0..random.usize(..3) {
        let [a, b] = [0; 2].map(|_| cells[random.usize(..cells.len())].clone());
        // Walls between cells that are not neighbours, and links of a cell to itself, are refused.
        match random.u32(..8) {
            0 => builder.link(a, b).ok(),
            _ => builder.wall(a, b).ok(),
        };
    }
    if random.u32(..4) == 0 {
        builder.bridge(cells.pop().unwrap_or(Name::At(0, 0)))?;
    }
    if random.u32(..4) == 0 {
        builder.hole(cells.pop().unwrap_or(Name::At(0, 0)))?;
    }
    pairs(&mut builder, &cells, random)
}

fn graph(random: &mut fastrand::Rng) -> Result<Option<Board>, BoardError> {
    let mut builder = Builder::graph();
    let size = random.usize(3..=8);
    for number in 0..size {
        builder.cell(format!("n{number}").as_str())?;
    }
    let mut cells = builder.plain_cells();
    // Neighbours in a row, so that most cells are connected, and then some more.
    for pair in cells.windows(2) {
        builder.link(pair[0].clone(), pair[1].clone())?;
    }
    for _ in 0..random.usize(..=size) {
        let [a, b] = [0; 2].map(|_| random.usize(..size));
        if a != b {
            builder.link(cells[a].clone(), cells[b].clone())?;
        }
    }
    random.shuffle(&mut cells);
    if random.u32(..3) == 0 && size > 6 {
        let ends = [1, 2, 3, 4].map(|i| cells[cells.len() - 1 - i].clone());
        let bridge = cells.pop().unwrap_or(Name::At(0, 0));
        for end in ends.clone() {
            builder.link(bridge.clone(), end)?;
        }
        let [a, b, c, d] = ends;
        builder.bridge_between(bridge, &[[a, b], [c, d]])?;
    }
    pairs(&mut builder, &cells, random)
}

fn pairs(
    builder: &mut Builder,
    cells: &[Name],
    random: &mut fastrand::Rng,
) -> Result<Option<Board>, BoardError> {
    for (ends, label) in cells.chunks_exact(2).take(random.usize(1..=3)).zip(["A", "b", "10"]) {
        builder.pair(label, ends[0].clone(), ends[1].clone())?;
    }
    builder.build().map(Some)
}
