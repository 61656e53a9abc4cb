//! Films of plans and replays: animated GIF and animated PNG.
//!
//! Each picture holds only the rectangle in which it differs from the one before.

use crate::pictures::raster;
use crate::terminal::failure::Failure;
use gif::{DisposalMethod, Encoder, Repeat};
use png::{BitDepth, BlendOp, ColorType, DisposeOp};
use resvg::tiny_skia::Pixmap;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::path::Path;
use std::thread;
use unstuck::machine::all_threads;
use unstuck_puzzles::{Frame, FrameOptions, Style, svg};

/// The form of a film.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Animated GIF.
    Gif,
    /// Animated PNG.
    Apng,
}

impl Form {
    /// The form that a file's name asks for.
    ///
    /// # Errors
    /// When it asks for none of them.
    pub(super) fn of(path: &Path) -> Result<Self, Failure> {
        let extension = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
        match extension.to_ascii_lowercase().as_str() {
            "gif" => Ok(Self::Gif),
            "png" | "apng" => Ok(Self::Apng),
            _ => Err(Failure::usage(format!("{}: not a kind of film", path.display()))
                .help("name it FILE.gif, or FILE.png for an animated PNG")),
        }
    }
}

/// Moves a second, unless that takes longer than [`MAX_SECONDS`].
const SPEED: f64 = 6.0;

/// Seconds that a film takes at most when no speed is given.
const MAX_SECONDS: f64 = 60.0;

/// Pictures a second at most; both forms count hundredths of a second.
const RATE: f64 = 20.0;

/// How long the last picture stays, in hundredths of a second.
const FRAME_MILLISECONDS: u16 = 150;

/// The longest side of a film in pixels.
const SIDE: f32 = 640.0;

/// How many pictures a film of this many moves has at most, and how many hundredths of a second each
/// stays.
fn pace(moves: u32, speed: Option<f64>) -> (usize, u16) {
    let moves = f64::from(moves.max(1));
    let seconds = match speed {
        Some(speed) => moves / speed,
        None => (moves / SPEED).min(MAX_SECONDS),
    };
    let pictures = moves.min((seconds * RATE).ceil()).max(1.0);
    let delay = (seconds / pictures * 100.0).round().clamp(2.0, 60_000.0);
    (pictures as usize + 1, delay as u16)
}

/// Makes a film of all moves.
///
/// # Errors
/// When a picture cannot be drawn.
pub(super) fn film(
    form: Form,
    speed: Option<f64>,
    stages: &dyn Fn(FrameOptions) -> Vec<Frame>,
) -> Result<Vec<u8>, Failure> {
    // The last stage of a plan, drawn alone, says how many moves there are.
    let ends = stages(FrameOptions { every_move: true, style: Style::Plain, most: 2 });
    let moves = ends.last().map_or(0, |frame| frame.moves);
    let (most, delay) = pace(moves, speed);
    let frames = stages(FrameOptions { every_move: true, style: Style::Svg, most });
    let (Some(first), Some(middle), Some(last)) =
        (frames.first(), frames.get(frames.len() / 2), frames.last())
    else {
        return Err(Failure::internal("there is nothing to film"));
    };
    let backdrop = Backdrop::of(&frames)?;
    let samples = [backdrop.draw(first)?, backdrop.draw(middle)?, backdrop.draw(last)?];
    let size = (samples[0].width(), samples[0].height());
    let mut before: Option<Pixmap> = None;
    // A few pictures at a time: a film of a minute has too many to keep.
    let drawn = frames.chunks(AT_A_TIME).flat_map(|some| backdrop.draw_all(some));
    let pieces = drawn.enumerate().map(|(number, now)| {
        let now = now?;
        let delay = if number + 1 == frames.len() { FRAME_MILLISECONDS } else { delay };
        let piece = Piece::between(before.as_ref(), &now, delay);
        before = Some(now);
        Ok(piece)
    });
    match form {
        Form::Gif => gif(size, Palette::of(&samples), pieces),
        Form::Apng => apng(size, frames.len(), pieces),
    }
}

/// How many pictures are drawn before they are put into the film.
const AT_A_TIME: usize = 32;

/// What all pictures of a film begin with, board and all, drawn once.
struct Backdrop {
    /// The line that opens a picture.
    opening: String,
    /// How many bytes of each picture are drawn.
    drawn: usize,
    pixels: Pixmap,
}

impl Backdrop {
    /// The lines with which all pictures begin. Each line is an element by itself.
    fn of(frames: &[Frame]) -> Result<Self, Failure> {
        let first = frames.first().map_or("", |frame| &frame.board);
        let common = |drawn: usize, frame: &Frame| {
            let pairs = first[..drawn].split_inclusive('\n').zip(frame.board.split_inclusive('\n'));
            pairs.take_while(|(a, b)| a == b).map(|(line, _)| line.len()).sum()
        };
        let drawn = frames.iter().fold(first.trim_end().rfind('\n').unwrap_or(0), common);
        let opening = first.split_inclusive('\n').next().unwrap_or_default().to_owned();
        let pixels = raster::pixels(&format!("{}{}", &first[..drawn], svg::CLOSE), SIDE)?;
        Ok(Self { opening, drawn, pixels })
    }

    fn draw(&self, frame: &Frame) -> Result<Pixmap, Failure> {
        let rest = format!("{}{}", self.opening, &frame.board[self.drawn..]);
        raster::over(Some(&self.pixels), &rest, SIDE)
    }

    /// Draws pictures, on all cores: nothing takes longer in a film.
    fn draw_all(&self, frames: &[Frame]) -> Vec<Result<Pixmap, Failure>> {
        let share = frames.len().div_ceil(all_threads()).max(1);
        thread::scope(|scope| {
            let draw = |some: &[Frame]| some.iter().map(|it| self.draw(it)).collect::<Vec<_>>();
            let threads = frames.chunks(share).map(|some| scope.spawn(move || draw(some)));
            let threads: Vec<_> = threads.collect();
            let done = threads.into_iter().map(|one| one.join().expect("drawing does not panic"));
            done.flatten().collect()
        })
    }
}

/// A film that cannot be written: an internal error, since it is written to memory.
fn fault(error: impl std::fmt::Display) -> Failure {
    Failure::internal(format!("the film cannot be written: {error}"))
}

/// Red, green, blue.
type Colour = [u8; 3];

/// The rectangle in which a picture differs from the one before.
struct Piece {
    left: u32,
    top: u32,
    width: u32,
    height: u32,
    /// Row by row; none where the picture is as before.
    pixels: Vec<Option<Colour>>,
    /// Hundredths of a second.
    delay: u16,
}

impl Piece {
    /// What is to be drawn over `before` (nothing: all) to have `now`. Pictures are opaque.
    fn between(before: Option<&Pixmap>, now: &Pixmap, delay: u16) -> Self {
        let width = now.width() as usize;
        let before = before.map(Pixmap::pixels);
        let changed = |at: usize| before.is_none_or(|before| before[at] != now.pixels()[at]);
        let mut corners: Option<(usize, usize, usize, usize)> = None;
        for at in (0..now.pixels().len()).filter(|&at| changed(at)) {
            let (x, y) = (at % width, at / width);
            let (left, top, right, bottom) = corners.unwrap_or((x, y, x, y));
            corners = Some((left.min(x), top.min(y), right.max(x), bottom.max(y)));
        }
        // A picture of nothing is not allowed: one pixel stays as it is.
        let (left, top, right, bottom) = corners.unwrap_or((0, 0, 0, 0));
        let within = (top..=bottom).flat_map(|y| (left..=right).map(move |x| y * width + x));
        let colour = |at: usize| {
            let pixel = now.pixels()[at];
            changed(at).then(|| [pixel.red(), pixel.green(), pixel.blue()])
        };
        Self {
            left: left as u32,
            top: top as u32,
            width: (right - left + 1) as u32,
            height: (bottom - top + 1) as u32,
            pixels: within.map(colour).collect(),
            delay,
        }
    }
}

/// The colours of a GIF, which has 256 at most. Boards are drawn in few colours; those between two of
/// them, at edges, are many, and look like others that are near.
struct Palette {
    colours: Vec<Colour>,
    /// The place of each colour that was asked for so far.
    known: HashMap<Colour, u8>,
}

impl Palette {
    /// The place after the colours stands for what is as before.
    const MAX_COLOURS: usize = 255;

    /// The colours that pictures have most of.
    fn of(pictures: &[Pixmap]) -> Self {
        let mut counts: HashMap<Colour, usize> = HashMap::new();
        for pixel in pictures.iter().flat_map(Pixmap::pixels) {
            *counts.entry([pixel.red(), pixel.green(), pixel.blue()]).or_insert(0) += 1;
        }
        let mut colours: Vec<(Colour, usize)> = counts.into_iter().collect();
        colours.sort_unstable_by_key(|&(colour, count)| (Reverse(count), colour));
        colours.truncate(Self::MAX_COLOURS);
        Self {
            colours: colours.into_iter().map(|(colour, _)| colour).collect(),
            known: HashMap::new(),
        }
    }

    /// The place of the nearest colour; that after the last for what is as before.
    fn place(&mut self, colour: Option<Colour>) -> u8 {
        let Some(colour) = colour else { return self.colours.len() as u8 };
        let colours = &self.colours;
        *self.known.entry(colour).or_insert_with(|| {
            let far = |other: &Colour| -> u32 {
                colour.iter().zip(other).map(|(a, b)| u32::from(a.abs_diff(*b)).pow(2)).sum()
            };
            let nearest = (0..=u8::MAX).zip(colours).min_by_key(|(_, other)| far(other));
            nearest.map_or(0, |(place, _)| place)
        })
    }
}

fn gif(
    (width, height): (u32, u32),
    mut palette: Palette,
    pieces: impl Iterator<Item = Result<Piece, Failure>>,
) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let colours = palette.colours.concat();
    let mut encoder =
        Encoder::new(&mut bytes, width as u16, height as u16, &colours).map_err(fault)?;
    encoder.set_repeat(Repeat::Infinite).map_err(fault)?;
    for piece in pieces {
        let piece = piece?;
        let places: Vec<u8> = piece.pixels.iter().map(|&colour| palette.place(colour)).collect();
        let frame = gif::Frame {
            left: piece.left as u16,
            top: piece.top as u16,
            width: piece.width as u16,
            height: piece.height as u16,
            delay: piece.delay,
            dispose: DisposalMethod::Keep,
            transparent: Some(palette.place(None)),
            buffer: places.into(),
            ..gif::Frame::default()
        };
        encoder.write_frame(&frame).map_err(fault)?;
    }
    drop(encoder);
    Ok(bytes)
}

fn apng(
    (width, height): (u32, u32),
    count: usize,
    pieces: impl Iterator<Item = Result<Piece, Failure>>,
) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(ColorType::Rgba);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_animated(count as u32, 0).map_err(fault)?;
    let mut writer = encoder.write_header().map_err(fault)?;
    for piece in pieces {
        let piece = piece?;
        // The rectangle of the picture before would not let a larger one in.
        writer.reset_frame_position().map_err(fault)?;
        writer.set_frame_dimension(piece.width, piece.height).map_err(fault)?;
        writer.set_frame_position(piece.left, piece.top).map_err(fault)?;
        writer.set_frame_delay(piece.delay, 100).map_err(fault)?;
        writer.set_blend_op(BlendOp::Over).map_err(fault)?;
        writer.set_dispose_op(DisposeOp::None).map_err(fault)?;
        let opaque = |[red, green, blue]: Colour| [red, green, blue, 255];
        let pixels: Vec<[u8; 4]> =
            piece.pixels.iter().map(|colour| colour.map_or([0; 4], opaque)).collect();
        writer.write_image_data(pixels.as_flattened()).map_err(fault)?;
    }
    writer.finish().map_err(fault)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_over_the_backdrop_are_whole() {
        let picture = |more: &str| {
            let text = svg::open(40.0, 20.0, "#ffffff")
                + &svg::rect((2.0, 2.0), (9.5, 9.5), "fill=\"#224466\"")
                + more
                + svg::CLOSE;
            Frame { moves: 0, label: String::new(), board: text }
        };
        let disc = |x: f64| svg::disc((x, 9.0), 5.0, "fill=\"#aa4422\" stroke=\"#000000\"");
        let frames = [picture(&disc(8.0)), picture(&disc(20.5)), picture("")];
        for frames in [&frames[..], &frames[..1], &frames[2..]] {
            let backdrop = Backdrop::of(frames).expect("drawn");
            for frame in frames {
                let whole = raster::pixels(&frame.board, SIDE).expect("drawn");
                assert_eq!(backdrop.draw(frame).expect("drawn").data(), whole.data());
            }
        }
    }

    #[test]
    fn films_of_long_runs_take_a_minute() {
        assert_eq!(pace(12, None), (13, 17));
        let (pictures, delay) = pace(20_000, None);
        assert!(pictures <= 1201 && (pictures - 1) * usize::from(delay) <= 6_001, "{pictures}");
        let (pictures, delay) = pace(20_000, Some(10.0));
        assert_eq!((pictures, delay), (20_001, 10));
        assert_eq!(pace(100, Some(100.0)), (21, 5));
        assert_eq!(pace(0, None).0, 2);
    }
}
