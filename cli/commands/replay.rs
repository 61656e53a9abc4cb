//! `unstuck replay`: judges moves and shows where they lead.

use crate::answer::{Answer, text_boards};
use crate::commands::query;
use crate::driver::{Ask, Asked, Subject};
use crate::input::applies::{self, Demand, REMOVE};
use crate::input::args::{ForceArgs, GameArgs, LevelArgs, PlainArgs, long_help};
use crate::input::{SelectedLevel, SelectedLevels};
use crate::pictures::{PictureArgs, Scene, frames};
use crate::terminal::failure::{Failure, INVALID};
use crate::terminal::output::{self, OutputArgs};
use crate::terminal::text::Text;
use clap::Args;
use serde::Serialize;
use unstuck::instance::{Instance, ReplayReport, VerifyError};
use unstuck::report::ReplayAnswer;
use unstuck_puzzles::{Facts, FrameOptions, Style};

const LONG_HELP: &str = "\
Moves that are legal but do not solve the level yet are no error: the position
is shown, and what is missing.

Exit codes: 0 the moves solve the level; 1 they do not (yet), or one is not
legal; 2 wrong usage or bad input.";

const EXAMPLES: &str = "\
Examples:
  unstuck replay level.xsb rrDDrULL
  unstuck replay level.xsb @moves.txt --stages  from a file; each push drawn
  unstuck replay level.sok --level 2            solutions of the file
  unstuck replay level.xsb rrDDrULL --film game.gif";

/// Check moves against the rules and show them
#[derive(Args)]
#[command(after_help = EXAMPLES, after_long_help = long_help!(LONG_HELP, EXAMPLES))]
pub(crate) struct ReplayCommand {
    #[command(flatten)]
    level: LevelArgs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    game: GameArgs,
    /// Print the board after each push
    #[arg(long)]
    stages: bool,
    /// Print the board after every move
    #[arg(long)]
    trace: bool,
    #[command(flatten)]
    plain: PlainArgs,
    #[command(flatten)]
    pictures: PictureArgs,
    #[command(flatten)]
    force: ForceArgs,
}

impl Ask for ReplayCommand {
    type Fields = ReplaysAnswer;
    const NAME: &'static str = "replay";

    fn asked(&self) -> Asked<'_> {
        Asked { levels: &self.level, limits: None, output: self.output }
    }

    fn check(&self, found: &'static SelectedLevels) -> Result<(), Failure> {
        let demands = [
            Demand::moves("stages", self.stages, "`--svg` draws the solution"),
            Demand::moves("trace", self.trace, REMOVE),
        ];
        applies::check(found, demands.into_iter().chain(self.pictures.demands()))?;
        self.pictures.check()?;
        output::prepare(self.output.json, self.force.force, &self.pictures.outputs())
    }

    fn ask(&'static self, subject: &Subject) -> Result<Answer<ReplaysAnswer>, Failure> {
        let chosen = subject.chosen;
        let instances = chosen.instances(self.level.reading.objective)?;
        let texts = match self.game.read()? {
            Some(moves) => vec![moves],
            None => recorded(chosen, &instances),
        };
        if texts.is_empty() {
            return Err(Failure::usage(format!("{}: no recorded solution", chosen.name()))
                .help("give the moves after the file"));
        }
        if texts.len() > 1 && self.pictures.wanted() {
            let message = format!("{}: {} recorded solutions to draw", chosen.name(), texts.len());
            return Err(Failure::usage(message).help("give the moves of one after the file"));
        }
        let style = self.plain.style();
        let shots = (self.stages || self.trace).then_some(FrameOptions::all(self.trace, style));
        let (mut code, mut replays) = (0, Vec::new());
        let (mut said, mut quiet) = (Text::default(), Text::default());
        for text in &texts {
            let (instance, replayed) = replay(&instances, text, style, shots)?;
            if replayed.verdict.is_err() {
                code = INVALID;
            }
            replays.push(ReplayAnswer::of(instance, &replayed));
            let sentence = sentence(instance, &replayed);
            said.push_text(&replay_text(&replayed));
            // A number may be what was asked for: the score of a warehouse.
            quiet.push_str(&text_boards::fact_lines(&numbers(&replayed.facts)));
            for text in [&mut said, &mut quiet] {
                text.push_str(&format!("{sentence}\n"));
            }
            let scene = Scene {
                picture: Box::new(|| instance.replay(text, Style::Svg, None).ok()?.last),
                stages: Box::new(|shots| frames(instance, text, shots)),
            };
            self.pictures.write(self.force, instance.family(), &scene)?;
            self.pictures.write_page(self.force, chosen, instance, text, &sentence)?;
        }
        Ok(Answer::new(code, ReplaysAnswer { exit: code, replays }).saying(said).quietly(quiet))
    }
}

/// The recorded solutions of a level that are moves of it; the others, those of reverse play say, are
/// said not to be checked.
fn recorded(chosen: &SelectedLevel, instances: &[Box<dyn Instance>]) -> Vec<String> {
    let mut texts = chosen.level.solutions.clone();
    texts.retain(|text| match instances.iter().find_map(|it| it.verify(text).err()) {
        Some(VerifyError::Unreadable(error)) => {
            output::say(format!("{}: a recorded solution is not checked: {error}", chosen.name()));
            false
        }
        _ => true,
    });
    texts
}

/// Replays of a level.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ReplaysAnswer {
    /// The exit code of the level alone.
    exit: u8,
    /// The replays, one for each solution.
    replays: Vec<ReplayAnswer>,
}

/// Replays moves under the most generous reading: what is right under one is right.
fn replay<'a>(
    instances: &'a [Box<dyn Instance>],
    text: &str,
    style: Style,
    shots: Option<FrameOptions>,
) -> Result<(&'a dyn Instance, ReplayReport), Failure> {
    query::first_open(instances, |instance| {
        let replayed = instance
            .replay(text, style, shots)
            .map_err(|error| Failure::parse("moves", &error, text))?;
        let wrong = replayed.verdict.is_err();
        Ok(((instance, replayed), wrong))
    })
}

fn replay_text(replayed: &ReplayReport) -> Text {
    let mut text = Text::default();
    text.push_drawing(text_boards::stages(&replayed.frames).trim_start_matches('\n'));
    if let (true, Some(last)) = (replayed.frames.is_empty(), &replayed.last) {
        text.push_board(last);
    }
    text.push_str(&text_boards::fact_lines(&replayed.facts));
    text
}

/// What the moves are, as a sentence.
fn sentence(instance: &dyn Instance, replayed: &ReplayReport) -> String {
    let under = instance.terms().bracketed();
    match (&replayed.verdict, replayed.verdict_name()) {
        (Ok(verified), _) if instance.moves().is_some() => {
            format!("valid: solved in {}{under}", instance.measures().length(verified.tally()))
        }
        (Ok(_), _) => format!("valid: solved{under}"),
        (Err(violation), "not-solved") => format!("not solved yet: {}{under}", violation.message),
        (Err(violation), _) => format!("invalid: {violation}{under}"),
    }
}

/// The facts that are numbers.
pub(crate) fn numbers(facts: &Facts) -> Facts {
    facts.iter().filter(|(_, value)| value.is_number()).cloned().collect()
}
