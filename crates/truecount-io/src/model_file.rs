//! Model files: written whole or not at all, and checked when read.

use crate::{Error, Progress, input, whole_file};
use std::io::Read;
use std::path::Path;
use truecount::Model;

/// Reads the model in a file, or from standard input.
///
/// # Errors
/// If it cannot be read, or is not a model.
pub fn read(path: &Path, progress: &dyn Progress) -> Result<Model, Error> {
    let (mut bytes, name) = (Vec::new(), input::name(path));
    input::open(path, progress)?.read_to_end(&mut bytes).map_err(Error::unreadable(&name))?;
    Model::from_json(&String::from_utf8_lossy(&bytes)).map_err(|error| Error::in_file(name, error))
}

/// Writes a model.
///
/// # Errors
/// If it cannot be written.
pub fn write(path: &Path, model: &Model) -> Result<(), Error> {
    whole_file::write(path, model.to_json().as_bytes())
}
