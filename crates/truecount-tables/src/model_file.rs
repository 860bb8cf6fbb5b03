//! Model files: written whole or not at all, and checked when read.

use crate::input;
use crate::{Progress, whole_file};
use std::path::Path;
use truecount::{Error, ErrorLocation, Model};

/// Reads the model in a file, or from standard input.
///
/// # Errors
/// If it cannot be read, or is not a model.
pub fn read(path: &Path, progress: &dyn Progress) -> Result<Model, Error> {
    let input = input::open(path, progress)?;
    let name = input.name().to_owned();
    // Of what is no model not more is read than shows it: it may have no end.
    let may_be = input.start().trim_ascii_start().first().is_none_or(|first| *first == b'{');
    let content = if may_be { input.content()? } else { input.start().to_owned() };
    Model::from_json(&String::from_utf8_lossy(&content)).map_err(|error| ErrorLocation::file(name).error(error))
}

/// Writes a model.
///
/// # Errors
/// If it cannot be written.
pub fn write(path: &Path, model: &Model) -> Result<(), Error> {
    whole_file::write(path, model.to_json().as_bytes())
}
