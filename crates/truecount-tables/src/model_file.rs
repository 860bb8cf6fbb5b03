//! Model files, written atomically and validated when read.

use crate::{Progress, input, whole_file};
use std::path::Path;
use truecount::error::ErrorLocation;
use truecount::{Error, Model};

/// Reads a model from a file or standard input.
///
/// # Errors
/// Returns an error if the file cannot be read or is not a model.
pub fn read(path: &Path, progress: &dyn Progress) -> Result<Model, Error> {
    let input = input::open(path, progress)?;
    let name = input.name().to_owned();
    // An input that is not JSON may be endless, so only its first bytes are read.
    let is_object = input.start().trim_ascii_start().first().is_none_or(|first| *first == b'{');
    let content = if is_object { input.content()? } else { input.start().to_owned() };
    Model::from_json(&String::from_utf8_lossy(&content)).map_err(|error| ErrorLocation::file(name).error(error))
}

/// Writes a model.
///
/// # Errors
/// Returns an error if the file cannot be written.
pub fn write(path: &Path, model: &Model) -> Result<(), Error> {
    whole_file::write(path, model.to_json().as_bytes())
}
