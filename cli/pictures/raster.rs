//! SVG as pixels.

use crate::terminal::failure::Failure;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// The longest side of a picture in pixels, and how much pictures are enlarged at most.
const MAX_PIXELS: f32 = 1200.0;
const LARGEST_SCALE: f32 = 2.0;

/// A picture as PNG.
///
/// # Errors
/// When the picture cannot be drawn.
pub(super) fn png(svg: &str) -> Result<Vec<u8>, Failure> {
    pixels(svg, MAX_PIXELS)?
        .encode_png()
        .map_err(|error| Failure::internal(format!("PNG: {error}")))
}

/// A picture as pixels, its longest side at most so long.
///
/// # Errors
/// When the picture cannot be drawn.
pub(super) fn pixels(svg: &str, longest: f32) -> Result<Pixmap, Failure> {
    over(None, svg, longest)
}

/// What a picture has drawn over another one of the same size.
///
/// # Errors
/// Like [`pixels`].
pub(super) fn over(base: Option<&Pixmap>, svg: &str, longest: f32) -> Result<Pixmap, Failure> {
    let fault = |what: String| Failure::internal(format!("this picture cannot be drawn: {what}"));
    let tree =
        Tree::from_str(svg, &Options::default()).map_err(|error| fault(error.to_string()))?;
    let size = tree.size();
    let scale = (longest / size.width().max(size.height())).min(LARGEST_SCALE);
    let side = |length: f32| ((length * scale).round() as u32).max(1);
    let (width, height) = (side(size.width()), side(size.height()));
    let fresh = || Pixmap::new(width, height).ok_or_else(|| fault("too large".to_owned()));
    let mut pixmap = base.map_or_else(fresh, |base| Ok(base.clone()))?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixmap.as_mut());
    Ok(pixmap)
}
