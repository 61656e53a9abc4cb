//! In place of `film` and `raster` where the program is built without the feature `pictures`: what
//! needs pixels is refused.

use crate::terminal::failure::Failure;

pub(super) fn refusal() -> Failure {
    Failure::left_out("PNG pictures and films are", "pictures")
}

pub(super) mod film {
    use super::refusal;
    use crate::terminal::failure::Failure;
    use std::path::Path;
    use unstuck_puzzles::{Frame, FrameOptions};

    pub(in crate::pictures) enum Form {
        Gif,
    }

    impl Form {
        pub(in crate::pictures) fn of(_: &Path) -> Result<Self, Failure> {
            Err(refusal())
        }
    }

    pub(in crate::pictures) fn film(
        Form::Gif: Form,
        _: Option<f64>,
        _: &dyn Fn(FrameOptions) -> Vec<Frame>,
    ) -> Result<Vec<u8>, Failure> {
        Err(refusal())
    }
}

pub(super) mod raster {
    use super::refusal;
    use crate::terminal::failure::Failure;

    pub(in crate::pictures) fn png(_: &str) -> Result<Vec<u8>, Failure> {
        Err(refusal())
    }
}
