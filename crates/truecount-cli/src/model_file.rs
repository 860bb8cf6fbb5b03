//! Model files: written whole or not at all, read with care.

use crate::failure::Failure;
use crate::{input, whole_file};
use std::io::{self, Read, Write};
use std::path::Path;
use truecount::Model;

pub fn read(path: &Path) -> Result<Model, Failure> {
    let mut bytes = Vec::new();
    input::open(path)?.read_to_end(&mut bytes).map_err(Failure::at(input::name(path)))?;
    Model::from_json(&String::from_utf8_lossy(&bytes)).map_err(Failure::within(input::name(path)))
}

/// `-` is standard output.
pub fn write(path: &Path, model: &Model) -> Result<(), Failure> {
    let json = model.to_json();
    if input::is_stdio(path) {
        return io::stdout().write_all(json.as_bytes()).map_err(Failure::at("standard output"));
    }
    whole_file::write(path, json.as_bytes())
}
