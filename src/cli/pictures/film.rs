//! Films of plans and replays: animated GIF and animated PNG.
//!
//! Each picture holds only the rectangle in which it differs from the one before.

use super::raster;
use crate::cli::Failure;
use gif::{DisposalMethod, Encoder, Repeat};
use png::{BitDepth, BlendOp, ColorType, DisposeOp};
use resvg::tiny_skia::Pixmap;
use std::path::Path;
use unstuck_puzzles::{Frame, Shots, Style};

/// The form of a film.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
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
    pub fn of(path: &Path) -> Result<Self, Failure> {
        let extension = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
        match extension.to_ascii_lowercase().as_str() {
            "gif" => Ok(Self::Gif),
            "png" | "apng" => Ok(Self::Apng),
            _ => Err(Failure::usage(format!("{}: not a kind of film", path.display()))
                .help("name it FILE.gif, or FILE.png for an animated PNG")),
        }
    }
}

/// Moves a second, unless that takes longer than [`LONGEST`].
const SPEED: f64 = 6.0;

/// Seconds that a film takes at most when no speed is given.
const LONGEST: f64 = 60.0;

/// Pictures a second at most; both forms count hundredths of a second.
const RATE: f64 = 20.0;

/// How long the last picture stays, in hundredths of a second.
const PAUSE: u16 = 150;

/// The longest side of a film in pixels.
const SIDE: f32 = 640.0;

/// How many pictures a film of so many moves has at most, and how many hundredths of a second each
/// stays.
fn pace(moves: u32, speed: Option<f64>) -> (usize, u16) {
    let moves = f64::from(moves.max(1));
    let seconds = match speed {
        Some(speed) => moves / speed,
        None => (moves / SPEED).min(LONGEST),
    };
    let pictures = moves.min((seconds * RATE).ceil()).max(1.0);
    let delay = (seconds / pictures * 100.0).round().clamp(2.0, 60_000.0);
    (pictures as usize + 1, delay as u16)
}

/// Makes a film of all moves.
///
/// # Errors
/// When a picture cannot be drawn.
pub fn film(
    form: Form,
    speed: Option<f64>,
    stages: &dyn Fn(Shots) -> Vec<Frame>,
) -> Result<Vec<u8>, Failure> {
    // The last stage of a plan, drawn alone, says how many moves there are.
    let ends = stages(Shots { every_move: true, style: Style::Plain, most: 2 });
    let moves = ends.last().map_or(0, |frame| frame.moves);
    let (most, delay) = pace(moves, speed);
    let frames = stages(Shots { every_move: true, style: Style::Svg, most });
    let Some(first) = frames.first() else {
        return Err(Failure::internal("there is nothing to film"));
    };
    let first = raster::pixels(&first.board, SIDE)?;
    let (width, height) = (first.width(), first.height());
    let mut before: Option<Pixmap> = None;
    // One picture after the other: a film of a minute has too many to keep.
    let pieces = frames.iter().enumerate().map(|(number, frame)| {
        let now = raster::pixels(&frame.board, SIDE)?;
        let delay = if number + 1 == frames.len() { PAUSE } else { delay };
        let piece = match &before {
            None => Piece::whole(&now, delay),
            Some(before) => Piece::difference(before, &now, delay),
        };
        before = Some(now);
        Ok(piece)
    });
    match form {
        Form::Gif => gif((width, height), pieces),
        Form::Apng => apng((width, height), frames.len(), pieces),
    }
}

/// A film that cannot be written: a mistake of ours, for it is written into memory.
fn fault(error: impl std::fmt::Display) -> Failure {
    Failure::internal(format!("the film cannot be written: {error}"))
}

/// The rectangle in which a picture differs from the one before.
struct Piece {
    left: u32,
    top: u32,
    width: u32,
    height: u32,
    /// Red, green, blue, opacity of each pixel.
    pixels: Vec<u8>,
    /// Hundredths of a second.
    delay: u16,
}

impl Piece {
    fn whole(pixmap: &Pixmap, delay: u16) -> Self {
        Self::cut(pixmap, (0, 0, pixmap.width() - 1, pixmap.height() - 1), delay)
    }

    fn difference(before: &Pixmap, now: &Pixmap, delay: u16) -> Self {
        let mut corners: Option<(u32, u32, u32, u32)> = None;
        let width = now.width() as usize;
        for (at, (a, b)) in before.pixels().iter().zip(now.pixels()).enumerate() {
            if a != b {
                let (x, y) = ((at % width) as u32, (at / width) as u32);
                let (left, top, right, bottom) = corners.unwrap_or((x, y, x, y));
                corners = Some((left.min(x), top.min(y), right.max(x), bottom.max(y)));
            }
        }
        // A picture of nothing is not allowed: one pixel stays as it is.
        Self::cut(now, corners.unwrap_or((0, 0, 0, 0)), delay)
    }

    fn cut(pixmap: &Pixmap, (left, top, right, bottom): (u32, u32, u32, u32), delay: u16) -> Self {
        let (width, height) = (right - left + 1, bottom - top + 1);
        let mut pixels = Vec::with_capacity(width as usize * height as usize * 4);
        for y in top..=bottom {
            for x in left..=right {
                let colour = pixmap.pixel(x, y).map(|pixel| pixel.demultiply());
                let colour = colour.map_or([0; 4], |c| [c.red(), c.green(), c.blue(), 255]);
                pixels.extend(colour);
            }
        }
        Self { left, top, width, height, pixels, delay }
    }
}

fn gif(
    (width, height): (u32, u32),
    pieces: impl Iterator<Item = Result<Piece, Failure>>,
) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, width as u16, height as u16, &[]).map_err(fault)?;
    encoder.set_repeat(Repeat::Infinite).map_err(fault)?;
    for piece in pieces {
        let mut piece = piece?;
        let (width, height) = (piece.width as u16, piece.height as u16);
        let mut frame = gif::Frame::from_rgba_speed(width, height, &mut piece.pixels, 10);
        frame.left = piece.left as u16;
        frame.top = piece.top as u16;
        frame.delay = piece.delay;
        frame.dispose = DisposalMethod::Keep;
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
        writer.set_frame_dimension(piece.width, piece.height).map_err(fault)?;
        writer.set_frame_position(piece.left, piece.top).map_err(fault)?;
        writer.set_frame_delay(piece.delay, 100).map_err(fault)?;
        writer.set_blend_op(BlendOp::Source).map_err(fault)?;
        writer.set_dispose_op(DisposeOp::None).map_err(fault)?;
        writer.write_image_data(&piece.pixels).map_err(fault)?;
    }
    writer.finish().map_err(fault)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

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
