//! Planning tasks in PDDL: boards of the domain `sokoban-sequential`, which the International Planning
//! Competitions of 2008 and 2011 used, are read as levels and written for planners, and the plans that
//! planners print are read as moves.
//!
//! A task is rewritten as the plain text of a level, as XML is: rows, and a title. It says more than a
//! board can; what a board cannot show is refused, never left out.

use super::board::Sokoban;
use crate::error::ParseError;
use crate::grid::Direction;
use crate::objective::Objective;
use crate::planning::{self, PlanningTask, direction_name, direction_of, increase, location};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::fmt::Write;

/// How deep parentheses may be nested, and how many squares a board may have.
const MAX_DEPTH: usize = 32;
const MAX_SQUARES: i64 = 1_000_000;

/// Whether a text is a planning task or a domain.
pub(super) fn is_pddl(text: &str) -> bool {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let start: String = lines.filter(|line| !line.starts_with(';')).take(2).collect();
    let start: String = start.to_lowercase().split_whitespace().collect();
    start.starts_with("(define(problem") || start.starts_with("(define(domain")
}

/// A word or a list, with the place where it begins.
struct Form {
    what: Content,
    line: usize,
    column: usize,
}

enum Content {
    Word(String),
    List(Vec<Form>),
}

impl Form {
    fn fault(&self, message: impl Into<String>) -> ParseError {
        ParseError::at(self.line, self.column, message)
    }

    fn word(&self) -> Option<&str> {
        match &self.what {
            Content::Word(word) => Some(word),
            Content::List(_) => None,
        }
    }

    fn list(&self) -> &[Form] {
        match &self.what {
            Content::Word(_) => &[],
            Content::List(forms) => forms,
        }
    }

    /// The first word of a list.
    fn head(&self) -> Option<&str> {
        self.list().first()?.word()
    }

    /// The one list in this list that begins with a word.
    fn section(&self, name: &str) -> Result<&Form, ParseError> {
        let mut found = self.list().iter().filter(|form| form.head() == Some(name));
        match (found.next(), found.next()) {
            (Some(section), None) => Ok(section),
            (Some(_), Some(second)) => Err(second.fault(format!("there is a second `{name}`"))),
            (None, _) => Err(self.fault(format!("`{name}` is missing"))),
        }
    }

    /// The words of a fact; `None` where it has lists in it.
    fn words(&self) -> Option<Vec<&str>> {
        self.list().iter().map(Form::word).collect()
    }
}

/// The one list that a text is, in small letters and without comments.
fn parse(text: &str) -> Result<Form, ParseError> {
    let mut open: Vec<Form> = Vec::new();
    let mut whole = None;
    for (row, content) in text.lines().enumerate() {
        let content: Vec<char> = content.split(';').next().unwrap_or_default().chars().collect();
        let mut at = 0;
        while at < content.len() {
            let (line, column) = (row + 1, at + 1);
            let fault = |message: &str| ParseError::at(line, column, message);
            let is_end = |c: &char| c.is_whitespace() || matches!(c, '(' | ')');
            let form = match content[at] {
                '(' if open.len() == MAX_DEPTH => return Err(fault("this is nested too deep")),
                '(' => {
                    open.push(Form { what: Content::List(Vec::new()), line, column });
                    at += 1;
                    continue;
                }
                ')' => {
                    at += 1;
                    open.pop().ok_or_else(|| fault("`)` closes nothing"))?
                }
                c if c.is_whitespace() => {
                    at += 1;
                    continue;
                }
                _ => {
                    let rest = content[at..].iter();
                    let word: String = rest.take_while(|c| !is_end(c)).collect();
                    at += word.chars().count();
                    Form { what: Content::Word(word.to_lowercase()), line, column }
                }
            };
            match open.last_mut().map(|outer| &mut outer.what) {
                Some(Content::List(forms)) => forms.push(form),
                _ if whole.is_none() => whole = Some(form),
                _ => return Err(form.fault("there is more than one task in this text")),
            }
        }
    }
    match (whole, open.pop()) {
        (_, Some(left)) => Err(left.fault("this `(` is not closed")),
        (Some(whole), None) => Ok(whole),
        (None, None) => Err(ParseError::whole("there is no task in this text")),
    }
}

/// A task as the plain text of a level; nothing of a domain, which has none.
pub(super) fn plain_text(text: &str) -> Result<Option<String>, ParseError> {
    let whole = parse(text)?;
    let named = |kind: &str| whole.list().iter().find(|form| form.head() == Some(kind));
    if named("domain").is_some() {
        return Ok(None);
    }
    let title = named("problem").and_then(|form| form.list().get(1)?.word()).unwrap_or_default();
    let task = Task::read(&whole)?;
    Ok(Some(format!("{}\nTitle: {title}\n", task.rows()?)))
}

/// A task: locations by their numbers.
#[derive(Default)]
struct Task {
    names: Vec<String>,
    numbers: HashMap<String, usize>,
    /// The neighbour of each in each direction, in the order of [`Direction::ALL`].
    next: Vec<[Option<usize>; 4]>,
    goals: HashSet<usize>,
    plain: HashSet<usize>,
    taken: HashSet<usize>,
    clear: HashSet<usize>,
    stones: BTreeMap<String, usize>,
    at_goal: HashSet<String>,
    player: Option<usize>,
}

impl Task {
    fn read(whole: &Form) -> Result<Self, ParseError> {
        let known =
            ["problem", ":domain", ":requirements", ":objects", ":init", ":goal", ":metric"];
        for form in &whole.list()[1..] {
            if form.head().is_none_or(|head| !known.contains(&head)) {
                return Err(form.fault("this part of a task means nothing for Sokoban"));
            }
        }
        let types = types(whole.section(":objects")?)?;
        let is = |name: &str, wanted: &str| types.get(name).is_some_and(|kind| kind == wanted);
        let init = whole.section(":init")?;
        let mut task = Self::default();
        for fact in &init.list()[1..] {
            match fact.words().as_deref() {
                Some(["move-dir", from, to, name]) => {
                    let direction = direction_of(name).ok_or_else(|| {
                        fact.fault(format!("`{name}` is none of dir-up, -down, -left, -right"))
                    })?;
                    let (from, to) = (task.location(from), task.location(to));
                    let next = &mut task.next[from][direction.index()];
                    if next.replace(to).is_some_and(|before| before != to) {
                        return Err(fact.fault("there are two neighbours on one side"));
                    }
                }
                Some(["at", thing, place]) => {
                    let place = task.location(place);
                    let before = if is(thing, "player") {
                        task.player.replace(place)
                    } else if is(thing, "stone") {
                        task.stones.insert((*thing).to_owned(), place)
                    } else {
                        return Err(fact.fault(format!("`{thing}` is no player and no stone")));
                    };
                    if before.is_some() || !task.taken.insert(place) {
                        return Err(fact.fault("one player, and each thing in a place of its own"));
                    }
                }
                Some(["at-goal", stone]) => drop(task.at_goal.insert((*stone).to_owned())),
                Some(["is-goal", place]) => {
                    let place = task.location(place);
                    task.goals.insert(place);
                }
                Some(["clear", place]) => {
                    let place = task.location(place);
                    task.clear.insert(place);
                }
                Some(["is-nongoal", place]) => {
                    let place = task.location(place);
                    task.plain.insert(place);
                }
                // What a plan costs is another question.
                _ if fact.head() == Some("=") => {}
                _ => {
                    let help = "tasks of the domain `sokoban-sequential` are read";
                    return Err(fact.fault("this is no fact of Sokoban").help(help));
                }
            }
        }
        task.check(init, whole.section(":goal")?)?;
        Ok(task)
    }

    fn location(&mut self, name: &str) -> usize {
        let number = *self.numbers.entry(name.to_owned()).or_insert(self.names.len());
        if number == self.names.len() {
            self.names.push(name.to_owned());
            self.next.push([None; 4]);
        }
        number
    }

    /// Refuses what the same board would not say.
    fn check(&self, init: &Form, goal: &Form) -> Result<(), ParseError> {
        let wanted = goal.list().get(1).ok_or_else(|| goal.fault("there is no goal"))?;
        let all =
            if wanted.head() == Some("and") { &wanted.list()[1..] } else { &goal.list()[1..] };
        let mut open: HashSet<&str> = self.stones.keys().map(String::as_str).collect();
        for form in all {
            let fault = || form.fault("a goal is that a stone is at a goal");
            let words = form.words().ok_or_else(fault)?;
            let ["at-goal", stone] = words[..] else { return Err(fault()) };
            if !open.remove(stone) {
                return Err(form.fault(format!("`{stone}` is nowhere, or named twice")));
            }
        }
        if let Some(stone) = open.into_iter().min() {
            return Err(goal.fault(format!("`{stone}` may stay anywhere, which no board can say")));
        }
        for (stone, place) in &self.stones {
            if self.goals.contains(place) != self.at_goal.contains(stone) {
                return Err(init.fault(format!("`at-goal {stone}` contradicts where it is")));
            }
        }
        self.player.ok_or_else(|| init.fault("there is no player"))?;
        for (number, name) in self.names.iter().enumerate() {
            if self.is_wall(number) {
                continue;
            }
            if self.taken.contains(&number) == self.clear.contains(&number) {
                return Err(init.fault(format!("`clear {name}` contradicts what is there")));
            }
            // No stone may be pushed to where it is neither.
            if self.goals.contains(&number) == self.plain.contains(&number) {
                return Err(init.fault(format!("`{name}` is to be a goal or none")));
            }
        }
        Ok(())
    }

    /// Whether a location has no neighbours, no goal and nothing in it: tasks name walls, too.
    fn is_wall(&self, number: usize) -> bool {
        let is_idle = !self.goals.contains(&number) && !self.taken.contains(&number);
        is_idle && self.next[number] == [None; 4]
    }

    /// Where each location lies that is no wall, row first; parts that are not joined lie beside each
    /// other.
    fn places(&self) -> Result<BTreeMap<usize, (i64, i64)>, ParseError> {
        let mut places: BTreeMap<usize, (i64, i64)> = BTreeMap::new();
        let mut right = 0;
        for start in (0..self.names.len()).filter(|&number| !self.is_wall(number)) {
            if places.contains_key(&start) {
                continue;
            }
            places.insert(start, (0, 0));
            let (mut part, mut waiting) = (Vec::new(), VecDeque::from([(start, (0, 0))]));
            while let Some((number, (row, column))) = waiting.pop_front() {
                part.push((number, row, column));
                for direction in Direction::ALL {
                    let Some(next) = self.next[number][direction.index()] else { continue };
                    let (down, along) = direction.delta();
                    let place = (row + down as i64, column + along as i64);
                    match places.insert(next, place) {
                        None => waiting.push_back((next, place)),
                        Some(known) if known == place => {}
                        Some(_) => return Err(self.no_grid(next)),
                    }
                }
            }
            let top = part.iter().map(|&(_, row, _)| row).min().unwrap_or(0);
            let left = part.iter().map(|&(.., column)| column).min().unwrap_or(0);
            let width = part.iter().map(|&(.., column)| column - left + 1).max().unwrap_or(0);
            for (number, row, column) in part {
                places.insert(number, (row - top, column - left + right));
            }
            right += width + 1;
        }
        Ok(places)
    }

    fn no_grid(&self, number: usize) -> ParseError {
        ParseError::whole(format!("`{}` has no place on a board", self.names[number]))
            .help("neighbours must be joined both ways, and only they")
    }

    /// The board.
    fn rows(&self) -> Result<String, ParseError> {
        let places = self.places()?;
        let height = places.values().map(|place| place.0).max().unwrap_or(0) + 3;
        let width = places.values().map(|place| place.1).max().unwrap_or(0) + 3;
        if height.saturating_mul(width) > MAX_SQUARES {
            return Err(ParseError::whole("this board is too large"));
        }
        let mut of: HashMap<(i64, i64), usize> = HashMap::new();
        for (&number, &place) in &places {
            if of.insert(place, number).is_some() {
                return Err(self.no_grid(number));
            }
        }
        for (&number, &(row, column)) in &places {
            for direction in Direction::ALL {
                let (down, along) = direction.delta();
                let beside = of.get(&(row + down as i64, column + along as i64)).copied();
                if self.next[number][direction.index()] != beside {
                    return Err(self.no_grid(number));
                }
            }
        }
        let stones: HashSet<usize> = self.stones.values().copied().collect();
        let symbol = |place: (i64, i64)| {
            let Some(number) = of.get(&place) else { return '#' };
            let of = |floor, goal| if self.goals.contains(number) { goal } else { floor };
            match (self.player == Some(*number), stones.contains(number)) {
                (true, _) => of('@', '+'),
                (_, true) => of('$', '*'),
                _ => of(' ', '.'),
            }
        };
        let row =
            |row: i64| (-1..width - 1).map(|column| symbol((row, column))).collect::<String>();
        Ok((-1..height - 1).map(|at| row(at) + "\n").collect())
    }
}

/// The types of objects: names, `-`, and their type, again and again.
fn types(objects: &Form) -> Result<HashMap<&str, String>, ParseError> {
    let (mut types, mut names) = (HashMap::new(), Vec::new());
    let mut words = objects.list()[1..].iter();
    while let Some(form) = words.next() {
        match form.word() {
            None => return Err(form.fault("an object has a name")),
            Some("-") => {
                let kind = words.next().and_then(Form::word);
                let kind = kind.ok_or_else(|| form.fault("a type is missing"))?;
                types.extend(names.drain(..).map(|name| (name, kind.to_owned())));
            }
            Some(name) => names.push(name),
        }
    }
    Ok(types)
}

/// A plan as planners print it, as LURD; `None` where a text is none.
pub(super) fn moves(text: &str) -> Option<Result<String, ParseError>> {
    let letter = |(action, along): (&str, Direction)| {
        let letter = &direction_name(along)["dir-".len()..][..1];
        if action == "move" { letter.to_owned() } else { letter.to_uppercase() }
    };
    let plan = planning::plan(text, &["move", "push-to-goal", "push-to-nongoal"], &[])?;
    Some(plan.map(|plan| plan.into_iter().map(letter).collect()))
}

/// A board as a task of that domain.
pub(super) fn task(board: &Sokoban, objective: Objective) -> Result<PlanningTask, &'static str> {
    Ok(PlanningTask { domain: domain(objective), problem: problem(board) })
}

/// The domain, in which an action costs what an objective counts first.
fn domain(objective: Objective) -> String {
    let (step, push) = (increase(objective.first() == Objective::Moves), increase(true));
    let mut text = String::from(
        "(define (domain sokoban-sequential)\n\
         (:requirements :typing :action-costs)\n\
         (:types location direction thing - object player stone - thing)\n\
         (:predicates (clear ?l - location) (at ?t - thing ?l - location) (at-goal ?s - stone)\n\
         \x20 (is-goal ?l - location) (is-nongoal ?l - location)\n\
         \x20 (move-dir ?from ?to - location ?d - direction))\n\
         (:functions (total-cost) - number)\n",
    );
    let _ = writeln!(
        text,
        "(:action move :parameters (?p - player ?from ?to - location ?d - direction)\n\
         \x20:precondition (and (at ?p ?from) (clear ?to) (move-dir ?from ?to ?d))\n\
         \x20:effect (and (not (at ?p ?from)) (not (clear ?to)) (at ?p ?to) (clear ?from){step}))"
    );
    for (kind, effect) in [("nongoal", "(not (at-goal ?s))"), ("goal", "(at-goal ?s)")] {
        let _ = writeln!(
            text,
            "(:action push-to-{kind}\n\
             \x20:parameters (?p - player ?s - stone ?behind ?from ?to - location ?d - direction)\n\
             \x20:precondition (and (at ?p ?behind) (at ?s ?from) (clear ?to)\n\
             \x20 (move-dir ?behind ?from ?d) (move-dir ?from ?to ?d) (is-{kind} ?to))\n\
             \x20:effect (and (not (at ?p ?behind)) (not (at ?s ?from)) (not (clear ?to))\n\
             \x20 (at ?p ?from) (at ?s ?to) (clear ?behind) {effect}{push}))"
        );
    }
    text + ")\n"
}

fn problem(board: &Sokoban) -> String {
    let grid = board.grid();
    let place = |cell| location(grid.place(cell));
    let open: Vec<_> = grid.cells().filter(|&cell| board.is_open(cell)).collect();
    let mut text =
        String::from("(define (problem level)\n(:domain sokoban-sequential)\n(:objects\n");
    let directions = Direction::ALL.map(direction_name);
    let stones: Vec<_> =
        (1..=board.boxes().len()).map(|number| format!("stone-{number}")).collect();
    let _ = writeln!(text, " {} - direction\n player-1 - player", directions.join(" "));
    for (names, kind) in
        [(open.iter().map(|&cell| place(cell)).collect(), "location"), (stones.clone(), "stone")]
    {
        let names: Vec<String> = names;
        if !names.is_empty() {
            let _ = writeln!(text, " {} - {kind}", names.join(" "));
        }
    }
    text.push_str(")\n(:init\n (= (total-cost) 0)\n");
    let _ = writeln!(text, " (at player-1 {})", place(board.player()));
    for (stone, &cell) in stones.iter().zip(board.boxes()) {
        let _ = writeln!(text, " (at {stone} {})", place(cell));
        if board.is_goal_cell(cell) {
            let _ = writeln!(text, " (at-goal {stone})");
        }
    }
    for &cell in &open {
        let kind = if board.is_goal_cell(cell) { "goal" } else { "nongoal" };
        let _ = write!(text, " (is-{kind} {})", place(cell));
        if cell != board.player() && !board.boxes().contains(&cell) {
            let _ = write!(text, " (clear {})", place(cell));
        }
        for (direction, next) in grid.neighbours(cell) {
            if board.is_open(next) {
                let (from, to) = (place(cell), place(next));
                let _ = write!(text, " (move-dir {from} {to} {})", direction_name(direction));
            }
        }
        text.push('\n');
    }
    text.push_str(")\n(:goal (and");
    stones.iter().for_each(|stone| text.push_str(&format!(" (at-goal {stone})")));
    text + "))\n(:metric minimize (total-cost)))\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extras::PuzzleExt;
    use crate::options::Options;
    use crate::puzzle::Puzzle;

    const BOARD: &str = "#####\n#@$.#\n#####\n";

    fn read(text: &str) -> Result<Vec<Sokoban>, ParseError> {
        let levels = Sokoban::read(text, &Options::default())?;
        levels.into_iter().map(|level| level.puzzle).collect()
    }

    fn task() -> String {
        problem(&read(BOARD).unwrap()[0])
    }

    #[test]
    fn a_task_is_read_as_the_board_that_it_was_written_from() {
        for seed in 0..300 {
            let board = Sokoban::sample(seed);
            let read = read(&problem(&board)).unwrap_or_else(|error| panic!("{seed}: {error}"));
            let ids: Vec<_> = read.iter().map(PuzzleExt::identity).collect();
            assert_eq!(ids, [board.identity()], "{seed}: {}", read[0].print());
        }
    }

    #[test]
    fn parts_and_cases_and_comments_are_read() {
        let text = task().to_uppercase().replace("(:INIT", "; the start\n(:INIT");
        assert_eq!(read(&format!("; a task\n\n{text}")).unwrap()[0].print(), BOARD);
        // A wall that has a name, and a second part, in which nothing moves.
        let apart = task().replace(
            "(:init\n",
            "(:init (is-nongoal wall) (is-nongoal far) (is-nongoal away) (clear far) (clear away) \
            (move-dir far away dir-down) (move-dir away far dir-up)\n",
        );
        let board = &read(&apart).unwrap()[0];
        assert_eq!((board.boxes().len(), board.goals().len()), (1, 1));
        assert!(read(&domain(Objective::Pushes)).unwrap().is_empty());
    }

    #[test]
    fn what_a_board_cannot_show_is_refused() {
        let cases = [
            (" (at-goal stone-1)))", "))", "`stone-1` may stay anywhere"),
            (" (clear pos-4-2)", "", "`clear pos-4-2` contradicts"),
            ("(at stone-1", "(at crate-1", "`crate-1` is no player and no stone"),
            (
                "dir-left)\n",
                "dir-left) (move-dir pos-2-2 pos-4-2 dir-left)\n",
                "no place on a board",
            ),
            ("dir-left)\n", ")\n", "this is no fact of Sokoban"),
            (
                "(move-dir pos-2-2",
                "(move-dir pos-2-2 pos-4-2 dir-right) (move-dir pos-2-2",
                "two neighbours on one side",
            ),
            (" (at player-1 pos-2-2)\n", "", "there is no player"),
            ("(:goal", "(:aim", "this part of a task means nothing"),
            ("(:goal (and (at-goal stone-1)))\n", "", "`:goal` is missing"),
            ("(:goal", "(:init)\n(:goal", "there is a second `:init`"),
            (
                " (at-goal stone-1)))",
                " (at-goal stone-1) (at-goal stone-9)))",
                "`stone-9` is nowhere",
            ),
            ("(is-nongoal pos-2-2)", "", "`pos-2-2` is to be a goal or none"),
            ("(at stone-1 pos-3-2)", "(at stone-1 pos-2-2)", "each thing in a place of its own"),
            ("(:metric minimize (total-cost)))", "(:metric", "this `(` is not closed"),
            ("(total-cost)))", "(total-cost)))) (define)", "`)` closes nothing"),
        ];
        for (from, to, message) in cases {
            let text = task();
            assert!(text.contains(from), "{from}: {text}");
            let refusal = read(&text.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(refusal.contains(message), "{from}: {refusal}");
        }
        let deep = format!("(define (problem x) {}", "(".repeat(1 << 16));
        assert!(read(&deep).unwrap_err().to_string().contains("nested too deep"));
    }

    #[test]
    fn plans_become_moves() {
        let plan = "(MOVE player-1 pos-2-2 pos-2-3 dir-down)\n\
                    1.000: (push-to-goal player-1 stone-1 a b c dir-right) [1]\n; cost = 1 (unit)\n";
        assert_eq!(moves(plan), Some(Ok("dR".to_owned())));
        assert_eq!(moves("2(rU)"), None);
        for more in
            ["(wait player-1 dir-up)", "(move a b dir-up) (move b a dir-down)", "(move a b)"]
        {
            let faulty = moves(&format!("{plan}{more}\n")).unwrap().unwrap_err();
            assert_eq!(faulty.line, 4, "{more}");
        }
        let board = &read(BOARD).unwrap()[0];
        let solution = board.read_solution("(push-to-goal p s a b c dir-right)").unwrap();
        assert_eq!(solution.to_string(), "R");
    }
}
