//! Figures in files: the options, and the formats by the ending of the name.

use crate::error::CliError;
use crate::options::one_of;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use truecount_report::drawing::{Drawing, FigureSize};
use truecount_tables::whole_file;

/// The endings of a page's file.
pub const PAGE_ENDINGS: [&str; 2] = ["html", "htm"];

/// The options of a figure in a file. Commands replace the help of `--figure`.
#[derive(clap::Args)]
pub struct FigureArgs {
    /// SVG or PNG file with a figure
    #[arg(long, value_name = "FILE")]
    figure: Option<PathBuf>,
    /// Size of the figure
    #[arg(long = "size", id = "figure_size", value_name = "SIZE", requires = "figure")]
    #[arg(value_parser = one_of(FigureSize::TABLE), default_value = "page")]
    pub size: FigureSize,
}

impl FigureArgs {
    /// Returns the file, if a figure is requested.
    pub fn file(&self) -> Option<&Path> {
        self.figure.as_deref()
    }

    /// Returns an error for a file name with an unknown ending.
    pub fn check(&self) -> Result<(), CliError> {
        check_ending("--figure", self.file(), &["svg", "png"])
    }

    /// Writes the figure in the format that the ending names; without an ending as SVG.
    pub fn write(&self, drawing: &Drawing) -> Result<(), CliError> {
        let Some(path) = self.file() else { return Ok(()) };
        let is_png = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png"));
        let bytes = if is_png { png(drawing)? } else { drawing.svg().into_bytes() };
        Ok(whole_file::write(path, &bytes)?)
    }
}

/// Returns an error if the option writes a file whose name has another ending than these.
pub fn check_ending(option: &str, path: Option<&Path>, endings: &[&str]) -> Result<(), CliError> {
    match path.and_then(Path::extension).and_then(OsStr::to_str) {
        Some(ending) if !endings.iter().any(|known| ending.eq_ignore_ascii_case(known)) => Err(CliError::usage(
            format!("{option} writes no .{ending} files"),
            format!("end the name of the file in .{}", endings.join(" or .")),
        )),
        _ => Ok(()),
    }
}

/// Returns a figure as a PNG file.
pub fn png(drawing: &Drawing) -> Result<Vec<u8>, CliError> {
    drawing.png().map_err(|error| CliError::Data(error.into()))
}
