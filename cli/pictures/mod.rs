//! Boards as files: SVG, PNG, films.

#[cfg(feature = "pictures")]
mod film;
#[cfg(not(feature = "pictures"))]
mod left_out;
mod page;
#[cfg(feature = "pictures")]
mod raster;

use crate::input::SelectedLevel;
use crate::input::applies::Demand;
use crate::input::args::ForceArgs;
use crate::terminal::failure::Failure;
use crate::terminal::output::{self, NamedOutput, Target};
use crate::terminal::values;
use clap::Args;
#[cfg(not(feature = "pictures"))]
use left_out::{film, raster};
use std::path::Path;
use unstuck::instance::{Instance, Verified};
use unstuck::report::sentences;
use unstuck::solve::Outcome;
use unstuck_puzzles::{Frame, FrameOptions, Picture, Style};

/// What stands for the number of the stage in a file's name.
const NUMBER: &str = "{n}";

/// Pictures of a board.
#[derive(Args, Clone)]
pub(super) struct StillArgs {
    #[arg(
        help_heading = "Pictures",
        long,
        value_name = "FILE",
        help = "Draw the board as an SVG picture",
        long_help = series_help("SVG")
    )]
    pub svg: Option<Target>,
    #[arg(
        help_heading = "Pictures",
        long,
        value_name = "FILE",
        help = "Draw the board as a PNG picture",
        long_help = series_help("PNG")
    )]
    pub png: Option<Target>,
}

fn series_help(form: &str) -> String {
    // In help texts clap takes `{n}` for the end of a line: what stands between is not shown.
    let shown = NUMBER.replace('n', "\u{1b}[0mn");
    format!(
        "Draw the board as {} {form} picture; with `{shown}` in its name one file for each stage (start, pushes, end)",
        if form == "SVG" { "an" } else { "a" }
    )
}

/// Pictures of a solution.
#[derive(Args, Clone)]
pub(super) struct PictureArgs {
    #[command(flatten)]
    pub stills: StillArgs,
    /// Film the moves: FILE.gif, or FILE.png (animated PNG)
    #[arg(help_heading = "Pictures", long, value_name = "FILE")]
    pub film: Option<Target>,
    /// Write a web page that shows the moves, in one file
    #[arg(help_heading = "Pictures", long, value_name = "FILE")]
    pub html: Option<Target>,
    /// Moves a second in the film [default: 6, more where that is over a minute]
    #[arg(
        help_heading = "Pictures",
        long,
        value_name = "N",
        value_parser = values::speed,
        requires = "film",
        hide_short_help = true
    )]
    speed: Option<f64>,
}

impl StillArgs {
    /// What is written.
    pub(super) fn outputs(&self) -> [NamedOutput<'_>; 2] {
        [("svg", self.svg.as_ref()), ("png", self.png.as_ref())]
    }

    /// Checks what can be known of the files before the work begins.
    ///
    /// # Errors
    /// What cannot be written as asked.
    pub(super) fn check(&self) -> Result<(), Failure> {
        #[cfg(not(feature = "pictures"))]
        if self.png.is_some() {
            return Err(left_out::refusal());
        }
        Ok(())
    }
}

impl PictureArgs {
    /// What is written.
    pub(super) fn outputs(&self) -> [NamedOutput<'_>; 4] {
        let [svg, png] = self.stills.outputs();
        [svg, png, ("film", self.film.as_ref()), ("html", self.html.as_ref())]
    }

    /// Whether any picture is asked for.
    pub(super) fn wanted(&self) -> bool {
        self.outputs().iter().any(|(_, target)| target.is_some())
    }

    /// What they need of the levels.
    pub(super) fn demands(&self) -> [Option<Demand>; 5] {
        let film = self.film.is_some();
        [
            Demand::moves("film", film, "`--svg` and `--png` draw the solution"),
            Demand::one_level("svg", self.stills.svg.is_some()),
            Demand::one_level("png", self.stills.png.is_some()),
            Demand::one_level("film", film),
            Demand::one_level("html", self.html.is_some()),
        ]
    }

    /// Checks what can be known of the files before the work begins.
    ///
    /// # Errors
    /// What cannot be written as asked.
    pub(super) fn check(&self) -> Result<(), Failure> {
        self.stills.check()?;
        #[cfg(not(feature = "pictures"))]
        if self.film.is_some() {
            return Err(left_out::refusal());
        }
        match &self.film {
            Some(Target::File(path)) => film::Form::of(path).map(drop),
            _ => Ok(()),
        }
    }
}

/// What there is to draw.
pub(super) struct Scene<'a> {
    /// The board at its end (or as it is).
    pub picture: Box<dyn Fn() -> Option<Picture> + 'a>,
    /// Its stages.
    pub stages: Box<dyn Fn(FrameOptions) -> Vec<Frame> + 'a>,
}

impl PictureArgs {
    /// Writes the pictures of an outcome; without a solution there is none.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub(super) fn write_outcome(
        &self,
        force: ForceArgs,
        chosen: &SelectedLevel,
        instance: &dyn Instance,
        outcome: &Outcome,
    ) -> Result<(), Failure> {
        if !self.wanted() {
            return Ok(());
        }
        if outcome.best.is_none() {
            if let Some(lost) = outcome.lost.first() {
                // The pieces that are lost, alone on the board.
                let picture = || Some(lost.svg.clone());
                let scene = Scene { picture: Box::new(picture), stages: Box::new(|_| Vec::new()) };
                return self.stills.write(force, instance.family(), &scene);
            }
            output::say(
                "no picture: there is no solution to draw (`unstuck list` draws the start)",
            );
            return Ok(());
        }
        let sentence = sentences::verdict(instance, outcome);
        let plans: Vec<&Verified> = outcome.all().collect();
        self.write_plans(force, chosen, instance, &plans, &sentence)
    }

    /// Writes the pictures of solutions: the boards of all of them, the stages of the first. A page
    /// has a sentence about them.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub(super) fn write_plans(
        &self,
        force: ForceArgs,
        chosen: &SelectedLevel,
        instance: &dyn Instance,
        plans: &[&Verified],
        sentence: &str,
    ) -> Result<(), Failure> {
        let picture = || {
            let one = |plan: &&Verified| instance.picture(Some(plan), Style::Svg);
            let pictures: Option<Vec<Picture>> = plans.iter().map(one).collect();
            Some(beside(&pictures?))
        };
        let stages = |shots| frames(instance, plans[0].text(), shots);
        let scene = Scene { picture: Box::new(picture), stages: Box::new(stages) };
        self.write(force, instance.family(), &scene)?;
        self.write_page(force, chosen, instance, plans[0].text(), sentence)
    }

    /// Writes the page of some moves, where one is asked for.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn write_page(
        &self,
        force: ForceArgs,
        chosen: &SelectedLevel,
        instance: &dyn Instance,
        moves: &str,
        sentence: &str,
    ) -> Result<(), Failure> {
        let Some(target) = &self.html else { return Ok(()) };
        let page = page::page(chosen, sentence, instance, moves);
        target.write(force.force, |out| out.write_all(page.as_bytes()))
    }

    /// Writes the pictures that are asked for.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub(super) fn write(
        &self,
        force: ForceArgs,
        family: &str,
        scene: &Scene<'_>,
    ) -> Result<(), Failure> {
        self.stills.write(force, family, scene)?;
        let Some(target) = &self.film else { return Ok(()) };
        let form = match target {
            Target::File(path) => film::Form::of(path)?,
            Target::Stdout => film::Form::Gif,
        };
        let bytes = film::film(form, self.speed, &*scene.stages)?;
        target.write_bytes(force.force, &bytes)
    }
}

/// The frames of moves.
pub(super) fn frames(instance: &dyn Instance, moves: &str, shots: FrameOptions) -> Vec<Frame> {
    let replayed = instance.replay(moves, Style::Plain, Some(shots));
    replayed.map(|replayed| replayed.frames).unwrap_or_default()
}

impl StillArgs {
    /// Writes the pictures that do not move.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub(super) fn write(
        &self,
        ForceArgs { force }: ForceArgs,
        family: &str,
        scene: &Scene<'_>,
    ) -> Result<(), Failure> {
        let none = || Failure::internal(format!("{family}: no picture came of this board"));
        for (target, png) in [(&self.svg, false), (&self.png, true)] {
            let Some(target) = target else { continue };
            let put = |target: &Target, picture: &str| match png {
                true => target.write_bytes(force, &raster::png(picture)?),
                false => target.write(force, |out| out.write_all(picture.as_bytes())),
            };
            if let (Target::File(path), true) = (target, is_series(target)) {
                let frames = (scene.stages)(FrameOptions::all(false, Style::Svg));
                series(path, &frames, put)?;
                continue;
            }
            put(target, &(scene.picture)().ok_or_else(none)?)?;
        }
        Ok(())
    }
}

fn is_series(target: &Target) -> bool {
    matches!(target, Target::File(path) if path.to_string_lossy().contains(NUMBER))
}

/// One file for each stage.
fn series(
    path: &Path,
    frames: &[Frame],
    put: impl Fn(&Target, &str) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let digits = frames.len().to_string().len();
    for (number, frame) in frames.iter().enumerate() {
        let name = path.to_string_lossy().replace(NUMBER, &format!("{number:0digits$}"));
        put(&Target::File(name.into()), &frame.board)?;
    }
    Ok(())
}

/// Space between pictures, and above them for their names.
const GAP: f64 = 20.0;

/// SVG pictures side by side, numbered where there are several.
fn beside(pictures: &[Picture]) -> Picture {
    let [first, _, ..] = pictures else { return pictures.concat() };
    let Some((width, height)) = size(first) else { return first.clone() };
    let count = pictures.len();
    let (whole, tall) = ((width + GAP) * count as f64 - GAP, height + GAP);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {whole} {tall}\" \
         width=\"{whole}\" height=\"{tall}\">\n<rect width=\"{whole}\" height=\"{tall}\" \
         fill=\"#ffffff\"/>\n"
    );
    for (number, picture) in pictures.iter().enumerate() {
        let x = (width + GAP) * number as f64;
        let name = unstuck_puzzles::svg::label(
            &(number + 1).to_string(),
            (x + width / 2.0, GAP / 2.0),
            GAP * 0.7,
            "#222222",
        );
        text.push_str(&name);
        text.push_str(&picture.replacen("<svg ", &format!("<svg x=\"{x}\" y=\"{GAP}\" "), 1));
    }
    text + "</svg>\n"
}

/// Width and height of an SVG picture, from its view box.
fn size(picture: &str) -> Option<(f64, f64)> {
    let (_, rest) = picture.split_once("viewBox=\"")?;
    let (numbers, _) = rest.split_once('"')?;
    let numbers: Vec<f64> = numbers.split_whitespace().filter_map(|n| n.parse().ok()).collect();
    match numbers.as_slice() {
        [_, _, width, height] => Some((*width, *height)),
        _ => None,
    }
}
