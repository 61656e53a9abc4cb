//! A family in one file: the puzzle of sliding tiles, from its rules to a certificate.
//!
//!     cargo run --release --example sliding_tiles
//!
//! Numbered tiles fill a rectangle but for one hole; a move slides a neighbour of the hole into it.
//! In the end the tiles stand in order and the hole is last. Half of all boards cannot be solved.
//! Nothing here changes the library: rules, clauses, and an entry that joins its registry.

use std::fmt;
use unstuck::encodings::steps::{chosen_direction, not_shorter};
use unstuck::encodings::{
    Assignment, Cnf, DecodeError, EncodeError, Encoding, Lit, PlainSpace, Rule, Step, StepCost,
    Transition, logic,
};
use unstuck::instance::MoveGame;
use unstuck::puzzles::catalogue::PuzzleFamily;
use unstuck::puzzles::pieces::Pieces;
use unstuck::puzzles::{
    Direction, Level, MoveError, Moves, Objective, Options, ParseError, Picture, Play, Puzzle,
    Style, Successor, Tally, Violation,
};
use unstuck::registry::{Entry, Family, Method, join, register};
use unstuck::solve::Request;

/// A board: for each cell, row by row, the number of its tile; 0 is the hole.
#[derive(Clone, Debug)]
struct Tiles {
    width: usize,
    start: Vec<u8>,
}

/// The directions in which tiles slide, one after the other, as letters.
#[derive(Clone, Debug, PartialEq)]
struct Slides(Vec<Direction>);

const LETTERS: [(char, Direction); 4] =
    [('u', Direction::Up), ('d', Direction::Down), ('l', Direction::Left), ('r', Direction::Right)];

impl fmt::Display for Slides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |d: &Direction| LETTERS.iter().find(|(_, known)| known == d).map(|it| it.0);
        f.write_str(&self.0.iter().filter_map(letter).collect::<String>())
    }
}

impl Tiles {
    /// The cell that is next in a direction.
    fn next(&self, cell: usize, direction: Direction) -> Option<usize> {
        let (down, right) = direction.delta();
        let row = (cell / self.width).checked_add_signed(down)?;
        let column = (cell % self.width).checked_add_signed(right)?;
        let inside = row < self.start.len() / self.width && column < self.width;
        inside.then_some(row * self.width + column)
    }

    /// Where a tile belongs; the hole comes last.
    fn home(&self, tile: u8) -> usize {
        usize::from(tile).checked_sub(1).unwrap_or(self.start.len() - 1)
    }

    fn rows(&self, tiles: &[u8]) -> String {
        let row = |row: &[u8]| row.iter().map(u8::to_string).collect::<Vec<_>>().join(" ") + "\n";
        tiles.chunks(self.width).map(row).collect()
    }
}

fn hole(tiles: &[u8]) -> usize {
    tiles.iter().position(|&tile| tile == 0).expect("a board has a hole")
}

// The rules: the judge of every plan, and all that search needs.

impl Puzzle for Tiles {
    const NAME: &'static str = "tiles";
    const OBJECTIVES: &'static [Objective] = &[Objective::Moves];
    type Solution = Slides;

    fn read(text: &str, _: &Options) -> Result<Vec<Level<Self>>, ParseError> {
        let mut start: Vec<u8> = Vec::new();
        let mut width = 0;
        for (number, line) in (1..).zip(text.trim_end().lines()) {
            for word in line.split_whitespace() {
                let wrong = |_| ParseError::at(number, 1, format!("`{word}` is no tile"));
                start.push(word.parse().map_err(wrong)?);
            }
            width = if number == 1 { start.len() } else { width };
            if width == 0 || start.len() != number * width {
                return Err(ParseError::at(number, 1, "all rows need as many tiles as the first"));
            }
        }
        let mut sorted = start.clone();
        sorted.sort_unstable();
        if start.is_empty() || !sorted.iter().copied().eq(0..start.len().min(256) as u8) {
            return Err(ParseError::whole("each number from 0 (the hole) up must be there once"));
        }
        let puzzle = Self { width, start };
        Ok(vec![Level::new(1, puzzle.print(), Ok(puzzle))])
    }

    fn print(&self) -> String {
        self.rows(&self.start)
    }

    fn sample(seed: u64) -> Self {
        let width = 2 + (seed % 2) as usize;
        let mut start: Vec<u8> = (0..2 * width as u8).collect();
        let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        for last in (1..start.len()).rev() {
            random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            start.swap(last, (random >> 33) as usize % (last + 1));
        }
        Self { width, start }
    }

    fn read_solution(&self, text: &str) -> Result<Slides, ParseError> {
        let letter = |(at, c)| {
            let known = LETTERS.iter().find(|(letter, _)| *letter == c);
            known.map(|it| it.1).ok_or_else(|| ParseError::at(1, at, format!("`{c}` is no slide")))
        };
        Ok(Slides((1..).zip(text.trim().chars()).map(letter).collect::<Result<_, _>>()?))
    }

    fn check(&self, solution: &Slides) -> Result<Tally, Violation> {
        self.judge(&solution.0)
    }

    fn picture(&self, solution: Option<&Slides>, style: Style) -> Option<Picture> {
        let plan = solution.map_or(&[][..], |slides| &slides.0);
        self.draw(self.replay(plan).states.last()?, style)
    }
}

impl Moves for Tiles {
    type State = Vec<u8>;
    type Move = Direction;

    fn start(&self) -> Vec<u8> {
        self.start.clone()
    }

    fn moves(&self, state: &Vec<u8>) -> Vec<Direction> {
        let hole = hole(state);
        let slides = |slide: &Direction| self.next(hole, slide.opposite()).is_some();
        Direction::ALL.into_iter().filter(slides).collect()
    }

    fn step(&self, state: &Vec<u8>, slide: Direction) -> Result<Successor<Vec<u8>>, MoveError> {
        let hole = hole(state);
        let tile = self.next(hole, slide.opposite()).ok_or("rim")?;
        let mut state = state.clone();
        state.swap(hole, tile);
        Ok(Successor { state, tally: Tally { moves: 1, pushes: 0 } })
    }

    fn is_goal(&self, state: &Vec<u8>) -> bool {
        state.iter().enumerate().all(|(cell, &tile)| self.home(tile) == cell)
    }

    fn solution(&self, plan: &[Direction]) -> Slides {
        Slides(plan.to_vec())
    }

    fn plan(&self, solution: &Slides) -> Vec<Direction> {
        solution.0.clone()
    }

    fn pieces(&self, state: &Vec<u8>) -> Pieces {
        let place = |cell: usize| (cell / self.width, cell % self.width);
        let tiles = (0..state.len()).filter(|&cell| state[cell] != 0);
        Pieces { player: place(hole(state)), others: tiles.map(|cell| vec![place(cell)]).collect() }
    }

    fn begun_at(&self, state: &Vec<u8>) -> Self {
        Self { start: state.clone(), ..self.clone() }
    }

    fn action(&self, before: &Vec<u8>, after: &Vec<u8>) -> String {
        let (from, to) = (hole(after), hole(before));
        let place = |cell: usize| format!("({},{})", cell / self.width + 1, cell % self.width + 1);
        format!("tile {} {} to {}", before[from], place(from), place(to))
    }

    fn draw(&self, state: &Vec<u8>, style: Style) -> Option<String> {
        (style == Style::Plain).then(|| self.rows(state))
    }

    fn write_state(&self, state: &Vec<u8>) -> String {
        self.rows(state).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn read_state(&self, text: &str) -> Option<Vec<u8>> {
        let tiles: Vec<u8> =
            text.split(' ').map(|word| word.parse().ok()).collect::<Option<_>>()?;
        let mut sorted = tiles.clone();
        sorted.sort_unstable();
        let each_once = (0..).zip(&sorted).all(|(number, &tile)| number == usize::from(tile));
        (tiles.len() == self.start.len() && each_once).then_some(tiles)
    }
}

// The clauses: which tile is where, and which way one slides.

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Var {
    /// This tile is in this cell.
    Tile(u8, usize),
    /// In this step a tile slides this way.
    Go(Direction),
}

impl fmt::Display for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tile(tile, cell) => write!(f, "tile({tile},{cell})"),
            Self::Go(direction) => write!(f, "go({direction})"),
        }
    }
}

const START: Rule = Rule::defining("start");
const SLIDE: Rule = Rule::defining("slide");
const FRAME: Rule = Rule::defining("frame");
const IDLE_LAST: Rule = Rule::strengthening("idle-last");

struct TilesMoves(Tiles);

impl TilesMoves {
    fn go(&self, t: Step, cnf: &mut Cnf<Var>) -> [Lit; 4] {
        Direction::ALL.map(|direction| cnf.lit(t, Var::Go(direction)))
    }

    fn cells(&self) -> std::ops::Range<usize> {
        0..self.0.start.len()
    }
}

impl Encoding for TilesMoves {
    type Puzzle = Tiles;
    type Var = Var;
    const NAME: &'static str = "tiles-moves";

    /// The clauses of a step grow with the square of the tiles.
    fn new(puzzle: &Tiles, _: Objective) -> Result<Self, EncodeError> {
        let tiles = puzzle.start.len() - 1;
        match tiles > 63 {
            true => Err(EncodeError(format!("{tiles} tiles take too many clauses"))),
            false => Ok(Self(puzzle.clone())),
        }
    }

    /// A slide brings one tile nearer to its home by one cell at most.
    fn lower_bound(&self) -> Option<Step> {
        let place = |cell: usize| (cell / self.0.width, cell % self.0.width);
        let far =
            self.0.start.iter().enumerate().filter(|(_, tile)| **tile != 0).map(|(at, &it)| {
                let ((row, column), (y, x)) = (place(at), place(self.0.home(it)));
                row.abs_diff(y) + column.abs_diff(x)
            });
        Some(far.sum::<usize>() as Step)
    }

    fn start(&self, cnf: &mut Cnf<Var>) {
        for lit in self.literals(0, &self.0.start, cnf) {
            cnf.add(START, [lit]);
        }
    }

    fn step(&self, t: Step, cnf: &mut Cnf<Var>) {
        let go = self.go(t, cnf);
        logic::at_most_one(cnf, SLIDE, t, &go);
        for next in self.go(t + 1, cnf) {
            cnf.add(IDLE_LAST, go.into_iter().chain([!next]));
        }
        for cell in self.cells() {
            let hole = cnf.lit(t, Var::Tile(0, cell));
            for direction in Direction::ALL {
                let go = go[direction.index()];
                let Some(from) = self.0.next(cell, direction.opposite()) else {
                    cnf.add(SLIDE, [!hole, !go]);
                    continue;
                };
                // The tile behind comes here, and leaves the hole.
                let left = cnf.lit(t + 1, Var::Tile(0, from));
                cnf.add(SLIDE, [!hole, !go, left]);
                for tile in 1..self.0.start.len() as u8 {
                    let before = cnf.lit(t, Var::Tile(tile, from));
                    let after = cnf.lit(t + 1, Var::Tile(tile, cell));
                    logic::implies(cnf, SLIDE, &[hole, go, before], &[after]);
                    logic::implies(cnf, SLIDE, &[hole, go, after], &[before]);
                }
            }
            for tile in 0..self.0.start.len() as u8 {
                let [before, after] = [t, t + 1].map(|t| cnf.lit(t, Var::Tile(tile, cell)));
                // Nothing changes in an idle step, and nothing where the hole is neither before
                // nor after.
                cnf.add(FRAME, go.into_iter().chain([!before, after]));
                cnf.add(FRAME, go.into_iter().chain([before, !after]));
                if tile != 0 {
                    let hole_after = cnf.lit(t + 1, Var::Tile(0, cell));
                    cnf.add(FRAME, [hole, hole_after, !before, after]);
                    cnf.add(FRAME, [hole, hole_after, before, !after]);
                    cnf.add(FRAME, [!hole_after, !after]);
                }
            }
            // The hole comes from a neighbour, against the slide, or stays in an idle step.
            let hole_after = cnf.lit(t + 1, Var::Tile(0, cell));
            for direction in Direction::ALL {
                let came = self.0.next(cell, direction);
                let came = came.map(|from| cnf.lit(t, Var::Tile(0, from)));
                cnf.add(FRAME, [!hole_after, !go[direction.index()]].into_iter().chain(came));
            }
        }
    }

    fn goal(&self, t: Step, cnf: &mut Cnf<Var>) -> Vec<Lit> {
        let tiles = 0..self.0.start.len() as u8;
        tiles.map(|tile| cnf.lit(t, Var::Tile(tile, self.0.home(tile)))).collect()
    }

    fn within(&self, least: Step, _: Step, cnf: &mut Cnf<Var>) {
        not_shorter(least, cnf, |t, cnf| self.go(t, cnf));
    }

    fn decode(&self, horizon: Step, model: Assignment<'_, Var>) -> Result<Slides, DecodeError> {
        let chosen = (0..horizon).map(|t| chosen_direction(t, model, Var::Go));
        Ok(Slides(chosen.filter_map(Result::transpose).collect::<Result<_, _>>()?))
    }

    fn projection(&self, model: Assignment<'_, Var>) -> Vec<Lit> {
        model.true_lits(|var| matches!(var, Var::Go(_)))
    }
}

impl Transition for TilesMoves {
    fn literals(&self, t: Step, state: &Vec<u8>, cnf: &mut Cnf<Var>) -> Vec<Lit> {
        let mut lits = Vec::new();
        for cell in self.cells() {
            for tile in 0..state.len() as u8 {
                lits.push(cnf.lit(t, Var::Tile(tile, cell)).when(state[cell] == tile));
            }
        }
        lits
    }

    fn move_literals(
        &self,
        t: Step,
        _: &Vec<u8>,
        slide: Direction,
        cnf: &mut Cnf<Var>,
    ) -> Vec<Lit> {
        Direction::ALL
            .map(|direction| cnf.lit(t, Var::Go(direction)).when(direction == slide))
            .into()
    }

    fn actions(&self, t: Step, cnf: &mut Cnf<Var>) -> Vec<Lit> {
        self.go(t, cnf).to_vec()
    }

    fn paid(&self, _: Step, _: &mut Cnf<Var>) -> StepCost {
        StepCost::Always
    }
}

// The entry: what the library needs to know, no more.

struct Ours;

impl Entry for Ours {
    type Puzzle = Tiles;
    const RULES: PuzzleFamily = PuzzleFamily::of_games::<Tiles>("slide numbered tiles into order");
    const METHODS: &'static [Method<Tiles>] =
        &[(Objective::Moves, join::<TilesMoves, MoveGame<TilesMoves, PlainSpace<Tiles>>>)];
}

static TILES: Family = Family::of::<Ours>();

fn main() -> Result<(), Box<dyn std::error::Error>> {
    register(&TILES);
    let board = unstuck::open("tiles", "1 2 3\n0 4 5\n", Objective::Moves)?;
    let outcome = board.solve(&Request::default())?;
    let plan = outcome.best.ok_or("no plan")?;
    println!(
        "{plan} brings the tiles into order; optimal: {}",
        outcome.optimal,
        plan = plan.text()
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use unstuck::certificate::Claim;
    use unstuck::certificate::check::check;
    use unstuck::certificate::prove::{EvidenceKind, ProofOptions, ProofTask, prove};
    use unstuck::limits::Limits;
    use unstuck::solve::{EngineChoice, Verdict, solve};

    /// A board that the encoding refuses is searched and closed all the same.
    #[test]
    fn a_board_without_formulas_is_searched() {
        register(&TILES);
        let numbers: Vec<String> = (1..82).map(|number| number.to_string()).collect();
        let rows: Vec<String> = numbers.chunks(9).map(|row| row.join(" ")).collect();
        let rows = rows.join("\n").replace("80 81", "0 80");
        let board = unstuck::open("tiles", &rows, Objective::Moves).expect("a board");
        board.first().laws(0).expect("those of search hold");
        let outcome = board.solve(&Request::default()).expect("no fault");
        assert_eq!(outcome.best.expect("a plan").tally().moves, 1);
        // With a greatest horizon the solver is alone.
        let request = Request::default().with_engine(EngineChoice::Sat).with_max_horizon(Some(10));
        let refusal = board.solve(&request).expect_err("no formula");
        assert!(refusal.to_string().ends_with(": 80 tiles take too many clauses"), "{refusal}");
    }

    /// Every law, and every engine against every other, on random boards.
    #[test]
    fn laws_search_and_sat_agree() {
        let (mut solvable, mut unsolvable) = (0, 0);
        for seed in 0..20 {
            let instances = (TILES.sample)(seed).instances(Objective::Moves).expect("an objective");
            let instance = instances[0].as_ref();
            instance.laws(seed).unwrap_or_else(|broken| panic!("sample {seed}: {broken}"));
            let by = |engine, max_horizon| {
                let request = Request::default()
                    .with_engine(engine)
                    .with_max_horizon(max_horizon)
                    .with_threads(1);
                solve(instance, &request, &|_| {}).expect("no fault")
            };
            let searched = by(EngineChoice::Search, None);
            match &searched.best {
                Some(plan) if plan.tally().moves <= 10 => {
                    // With a greatest horizon the solver is alone: the plan is its own.
                    let asked = by(EngineChoice::Sat, Some(10));
                    let other = asked.best.expect("a plan");
                    assert_eq!(plan.tally().moves, other.tally().moves, "sample {seed}");
                    assert!(searched.optimal && asked.optimal, "sample {seed}");
                    solvable += 1;
                }
                Some(_) => {}
                None => {
                    assert_eq!(searched.verdict, Verdict::Unsolvable, "sample {seed}");
                    let asked = by(EngineChoice::Sat, Some(4));
                    assert_eq!(asked.verdict, Verdict::NoSolutionWithin(4), "sample {seed}");
                    unsolvable += 1;
                }
            }
        }
        assert!(solvable > 3 && unsolvable > 3, "{solvable} {unsolvable}");
    }

    /// A closed set and a refuted horizon, each written and checked; a false claim is refused.
    #[test]
    fn claims_are_proved_and_checked() {
        register(&TILES);
        let folder = tempfile::tempdir().expect("a folder");
        let say = &mut |_: &str| {};
        let claims = [
            ("2 1 3\n4 5 0\n", Claim::Unsolvable, EvidenceKind::Closed, true),
            ("1 2 3\n0 4 5\n", Claim::NothingWithin(1), EvidenceKind::Horizon, true),
            ("1 2 3\n0 4 5\n", Claim::Unsolvable, EvidenceKind::Closed, false),
        ];
        for (number, (text, claim, wanted, holds)) in (0..).zip(claims) {
            let board = unstuck::open("tiles", text, Objective::Moves).expect("a board");
            let target = folder.path().join(format!("{number}"));
            let task = ProofTask::new(board.first(), text, claim);
            let proof_options = ProofOptions { wanted, ..ProofOptions::default() };
            let proved = prove(&task, &proof_options, &Request::default(), &target, say);
            assert_eq!(proved.is_ok(), holds, "{text}: {:?}", proved.err());
            if holds {
                let report = check(&target, None, &Limits::none(), say).expect("a certificate");
                assert_eq!(report.manifest.claim, claim);
            }
        }
    }
}
