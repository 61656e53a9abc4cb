//! `unstuck page`: a level with its solution as a film, in one file for any browser.

use super::args::{ForceArgs, LevelArgs, LimitArgs, OutputArgs, SolveArgs, long_help};
use super::output::{self, Target};
use super::progress::Display;
use super::{CommandResult, Run, Watched, applies, file_names, guard, outcome};
use clap::Args;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::PathBuf;
use unstuck::instance::{Instance, Verified};
use unstuck::report::sentences;
use unstuck_puzzles::{Frame, FrameOptions, Style};

const LONG_HELP: &str = "\
Solves the level and writes a page that shows its solution: with a slider,
single steps, and a film of the moves. The page is one file that needs nothing
else: no network, no engine. It can be sent to a friend or put on a site.

Exit codes: 0 written; 2 wrong usage or bad input; 20 unsolvable; 21 no solution
within the horizon; 30 a limit struck before a solution was found; 70
internal error: please report it.";

const EXAMPLES: &str = "\
Examples:
  unstuck page level.xsb                        into level.html
  unstuck page levels.xsb -l 7 -o seventh.html
  unstuck page level.xsb --objective moves --timeout 10m --force";

/// The page, with names in double braces where something belongs.
const PAGE: &str = include_str!("page.html");

/// Pictures of a film at most; a longer one leaves moves out, evenly.
const PICTURES: usize = 2_000;

/// Write a web page that shows a level and its solution
#[derive(Args)]
#[command(after_help = EXAMPLES, after_long_help = long_help!(LONG_HELP, EXAMPLES))]
pub(super) struct PageCommand {
    #[command(flatten)]
    level: LevelArgs,
    #[command(flatten)]
    solve: SolveArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    shown: OutputArgs,
    /// The page; `-` is standard output [default: the level's name with .html]
    #[arg(long, short, value_name = "FILE")]
    output: Option<Target>,
    #[command(flatten)]
    force: ForceArgs,
}

impl Run for PageCommand {
    fn watched(&self) -> Watched {
        Watched { json: self.shown.json, limits: Some(self.limits) }
    }

    fn run(&self) -> CommandResult {
        let found = vec![Ok(self.level.single()?)];
        applies::solving(&self.solve, self.level.reading.objective, &found)?;
        let chosen = found.iter().flatten().next().expect("one level was put in");
        self.solve.solver.check()?;
        let (OutputArgs { json: as_json, quiet }, force) = (self.shown, self.force.force);
        output::prepare(as_json, force, &[("output", self.output.as_ref())])?;
        let name = || Target::File(PathBuf::from(file_names::of_level(chosen) + ".html"));
        let target = self.output.clone().unwrap_or_else(name);
        if let Target::File(path) = &target {
            output::writable(path, force)?;
        }
        guard::subject(&chosen.name());
        let instances = chosen.instances(self.level.reading.objective)?;
        let request = self.solve.request(self.solve.horizon()?, &self.limits)?;
        let display = Display::new(&chosen.name(), self.shown, self.limits.timeout);
        let (instance, outcome) = outcome::solved(&instances, &request, &display)?;
        drop(display);
        let sentence = sentences::verdict(instance, &outcome);
        let mut value = outcome::object("page", chosen, instance, &outcome);
        value["page"] = Value::Null;
        let mut printed = format!("{sentence}\n");
        if let Some(best) = &outcome.best {
            let title = chosen.level.title.clone().unwrap_or_else(|| file_names::of_level(chosen));
            let page = page(&title, &sentence, instance, best);
            target.write(force, |out| out.write_all(page.as_bytes()))?;
            if let Target::File(path) = &target {
                let shown = path.display().to_string();
                printed =
                    if quiet { format!("{shown}\n") } else { format!("{printed}page: {shown}\n") };
                value["page"] = json!({ "file": shown, "bytes": page.len() });
            }
        }
        match (as_json, &target) {
            (true, _) => output::print(format!("{value}\n")),
            (false, Target::Stdout) if outcome.best.is_some() => {}
            (false, _) => output::print(&printed),
        }
        Ok(guard::answered(outcome.verdict.exit_code()))
    }
}

/// The whole page of a solution.
fn page(title: &str, sentence: &str, instance: &dyn Instance, best: &Verified) -> String {
    let shots = FrameOptions { every_move: true, style: Style::Svg, most: PICTURES };
    let replayed = instance.replay(best.text(), Style::Svg, Some(shots));
    let frames = replayed.map(|replayed| replayed.frames).unwrap_or_default();
    let picture = instance.picture(Some(best), Style::Svg).unwrap_or_default();
    let generator = format!("unstuck {}", env!("CARGO_PKG_VERSION"));
    let texts = [
        ("title", escape(title)),
        ("sentence", escape(sentence)),
        ("generator", escape(&generator)),
        ("home", escape(env!("CARGO_PKG_REPOSITORY"))),
        ("picture", picture),
        ("moves", escape(best.text())),
        ("frames", packed(&frames)),
    ];
    filled(PAGE, &texts.into_iter().collect())
}

/// A text as HTML shows it.
fn escape(text: &str) -> String {
    let plain = |c| match c {
        '&' => "&amp;".to_owned(),
        '<' => "&lt;".to_owned(),
        '>' => "&gt;".to_owned(),
        '"' => "&quot;".to_owned(),
        other => other.to_string(),
    };
    text.chars().map(plain).collect()
}

/// A text with something in the place of each name in double braces. What is put in is not looked
/// at again.
fn filled(mut text: &str, with: &HashMap<&str, String>) -> String {
    let mut out = String::new();
    while let Some((before, rest)) = text.split_once("{{") {
        let (name, after) = rest.split_once("}}").expect("names are closed");
        out.push_str(before);
        out.push_str(&with[name]);
        text = after;
    }
    out + text
}

/// Pictures as JSON for a script element: each line once, and the lines of each picture.
fn packed<'a>(frames: &'a [Frame]) -> String {
    let mut lines: Vec<&str> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    let mut number = |line: &'a str| {
        *known.entry(line).or_insert_with(|| {
            lines.push(line);
            lines.len() - 1
        })
    };
    let mut picture =
        |frame: &'a Frame| (frame.moves, frame.board.lines().map(&mut number).collect::<Vec<_>>());
    let pictures: Vec<_> = frames.iter().map(&mut picture).collect();
    // No end of the script element can be in it.
    json!({ "lines": lines, "frames": pictures }).to_string().replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_kept_once_and_no_text_ends_the_script() {
        let frame = |moves, board: &str| Frame { moves, label: String::new(), board: board.into() };
        let text = packed(&[frame(0, "<svg>\na\n</script>"), frame(2, "<svg>\nb\n</script>")]);
        assert!(!text.contains('<'), "{text}");
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["lines"], json!(["<svg>", "a", "</script>", "b"]));
        assert_eq!(value["frames"], json!([[0, [0, 1, 2]], [2, [0, 3, 2]]]));
    }

    #[test]
    fn texts_are_no_elements() {
        assert_eq!(escape("<b>\"A & B\""), "&lt;b&gt;&quot;A &amp; B&quot;");
    }

    #[test]
    fn what_is_put_in_is_not_looked_at_again() {
        let with = HashMap::from([("a", "{{b}}".to_owned()), ("b", "x".to_owned())]);
        assert_eq!(filled("<{{a}}|{{b}}>", &with), "<{{b}}|x>");
    }
}
