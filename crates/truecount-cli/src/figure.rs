//! Figures in files: the options, and the formats by the ending of the name.

use crate::error::CliError;
use crate::options::one_of;
use std::path::{Path, PathBuf};
use truecount_report::drawing::{Drawing, FigureSize};
use truecount_tables::whole_file;

/// The options of a figure in a file. Commands replace the help of `--figure`.
#[derive(clap::Args)]
pub struct FigureArgs {
    /// SVG or PNG file with a figure
    #[arg(long, value_name = "FILE")]
    figure: Option<PathBuf>,
    /// Size of the figure
    #[arg(long = "size", id = "figure_size", requires = "figure")]
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
        match self.ending() {
            None | Some("svg" | "png") => Ok(()),
            Some(ending) => Err(CliError::usage(
                format!("--figure writes no .{ending} files"),
                "end the name of the file in .svg or .png",
            )),
        }
    }

    fn ending(&self) -> Option<&str> {
        self.file()?.extension()?.to_str()
    }

    /// Writes the figure in the format that the ending names; without an ending as SVG.
    pub fn write(&self, drawing: &Drawing) -> Result<(), CliError> {
        let Some(path) = self.file() else { return Ok(()) };
        let bytes = if self.ending() == Some("png") { png(drawing)? } else { drawing.svg().into_bytes() };
        Ok(whole_file::write(path, &bytes)?)
    }
}

/// Returns a figure as a PNG file.
pub fn png(drawing: &Drawing) -> Result<Vec<u8>, CliError> {
    drawing.png().map_err(|error| CliError::Data(error.into()))
}
