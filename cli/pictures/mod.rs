//! Boards as files: SVG, PNG, films.

#[cfg(feature = "pictures")]
mod film;
#[cfg(not(feature = "pictures"))]
mod left_out;
#[cfg(feature = "pictures")]
mod raster;

use super::output::{self, Target};
use super::{Failure, arguments};
use clap::{Arg, ArgMatches, value_parser};
#[cfg(not(feature = "pictures"))]
use left_out::{film, raster};
use std::path::Path;
use unstuck::instance::{Instance, Verified};
use unstuck::solve::Outcome;
use unstuck_puzzles::{Frame, FrameOptions, Picture, Style};

/// The arguments that name picture files.
pub(super) const OUTPUTS: [&str; 3] = ["svg", "png", "film"];

/// What stands for the number of the stage in a file's name.
const NUMBER: &str = "{n}";

/// Arguments of commands that have a solution to draw.
pub(super) fn arguments() -> Vec<Arg> {
    let mut arguments = stills().to_vec();
    arguments.extend([
        arguments::target("film", "FILE", "Film the moves: FILE.gif, or FILE.png (animated PNG)"),
        Arg::new("speed")
            .long("speed")
            .value_name("N")
            .value_parser(value_parser!(f64))
            .requires("film")
            .hide_short_help(true)
            .help("Moves a second in the film [default: 6, more where that is over a minute]"),
    ]);
    arguments
}

/// Arguments of commands that have a board to draw.
pub(super) fn stills() -> [Arg; 2] {
    let argument = |name, help: &'static str| {
        // In help texts clap takes `{n}` for the end of a line: what stands between is not shown.
        let shown = NUMBER.replace('n', "\u{1b}[0mn");
        arguments::target(name, "FILE", help).long_help(format!(
            "{help}; with `{shown}` in its name one file for each stage (start, pushes, end)"
        ))
    };
    [
        argument("svg", "Draw the board as an SVG picture"),
        argument("png", "Draw the board as a PNG picture"),
    ]
}

/// Checks what can be known of picture files before the work begins.
///
/// # Errors
/// What cannot be written as asked.
pub(super) fn check(matches: &ArgMatches) -> Result<(), Failure> {
    #[cfg(not(feature = "pictures"))]
    if ["png", "film"].iter().any(|name| Target::of(matches, name).is_some()) {
        return Err(left_out::refusal());
    }
    if let Some(Target::File(path)) = Target::of(matches, "film") {
        film::Form::of(&path)?;
    }
    if let Some(&speed) = matches.get_one::<f64>("speed")
        && !(0.01..=1000.0).contains(&speed)
    {
        let message = format!("--speed {speed}: not between 0.01 and 1000 moves a second");
        return Err(Failure::usage(message).help("6 is a good speed to follow"));
    }
    Ok(())
}

/// Whether any picture is asked for.
pub(super) fn wanted(matches: &ArgMatches) -> bool {
    OUTPUTS.iter().any(|name| Target::of(matches, name).is_some())
}

/// What there is to draw.
pub(super) struct Scene<'a> {
    /// The board at its end (or as it is).
    pub picture: Box<dyn Fn() -> Option<Picture> + 'a>,
    /// Its stages.
    pub stages: Box<dyn Fn(FrameOptions) -> Vec<Frame> + 'a>,
}

/// Writes the pictures of an outcome; without a solution there is none.
///
/// # Errors
/// When a file cannot be written.
pub(super) fn write_outcome(
    matches: &ArgMatches,
    instance: &dyn Instance,
    outcome: &Outcome,
) -> Result<(), Failure> {
    if !wanted(matches) {
        return Ok(());
    }
    let Some(best) = &outcome.best else {
        if let Some(lost) = outcome.lost.first() {
            // The pieces that are lost, alone on the board.
            let picture = || Some(lost.svg.clone());
            let scene = Scene { picture: Box::new(picture), stages: Box::new(|_| Vec::new()) };
            return write_stills(matches, instance.family(), &scene);
        }
        output::say("no picture: there is no solution to draw (`unstuck info` draws the start)");
        return Ok(());
    };
    let others = outcome.solutions.iter().flat_map(|solutions| &solutions.others);
    let others: Vec<&Verified> = others.collect();
    let picture = || {
        let first = instance.picture(Some(best), Style::Svg)?;
        let pictures: Option<Vec<Picture>> =
            others.iter().map(|other| instance.picture(Some(other), Style::Svg)).collect();
        Some(beside(&[vec![first], pictures?].concat()))
    };
    let stages = |shots| {
        let replayed = instance.replay(best.text(), Style::Plain, Some(shots));
        replayed.map(|replayed| replayed.frames).unwrap_or_default()
    };
    let scene = Scene { picture: Box::new(picture), stages: Box::new(stages) };
    write(matches, instance.family(), &scene)
}

/// Writes the pictures that are asked for.
///
/// # Errors
/// When a file cannot be written.
pub(super) fn write(matches: &ArgMatches, family: &str, scene: &Scene<'_>) -> Result<(), Failure> {
    write_stills(matches, family, scene)?;
    let force = matches.get_flag("force");
    if let Some(target) = Target::of(matches, "film") {
        let form = match &target {
            Target::File(path) => film::Form::of(path)?,
            Target::Stdout => film::Form::Gif,
        };
        let speed = matches.get_one::<f64>("speed").copied();
        let bytes = film::film(form, speed, &*scene.stages)?;
        target.write_bytes(force, &bytes)?;
    }
    Ok(())
}

/// Writes the pictures that do not move.
///
/// # Errors
/// When a file cannot be written.
pub(super) fn write_stills(
    matches: &ArgMatches,
    family: &str,
    scene: &Scene<'_>,
) -> Result<(), Failure> {
    let none = || Failure::internal(format!("{family}: no picture came of this board"));
    let force = matches.get_flag("force");
    for (name, png) in [("svg", false), ("png", true)] {
        let Some(target) = Target::of(matches, name) else { continue };
        let put = |target: &Target, picture: &str| match png {
            true => target.write_bytes(force, &raster::png(picture)?),
            false => target.write(force, |out| out.write_all(picture.as_bytes())),
        };
        if let (Target::File(path), true) = (&target, is_series(&target)) {
            let frames = (scene.stages)(FrameOptions::all(false, Style::Svg));
            series(path, &frames, put)?;
            continue;
        }
        put(&target, &(scene.picture)().ok_or_else(none)?)?;
    }
    Ok(())
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
