//! The format of the results, and the file they are written to.

use super::screen::Screen;
use super::{print_wrapped_message, to_stdout, write};
use crate::error::CliError;
use clap::ValueEnum;
use num_format::Locale;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use truecount_analysis::results::{NumberStyle, Results};
use truecount_tables::input::is_stdio;
use truecount_tables::whole_file::{self, is_stream};

/// Form of the results.
#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    /// For people
    #[default]
    Table,
    /// The table for a README, an issue or a notebook
    Markdown,
    /// The table for a paper, with the rules of booktabs
    Latex,
    /// One object with all results, every digit
    Json,
    /// One object a line, every digit
    Jsonl,
    /// One line per result, every digit
    Csv,
    /// One row per result, every digit, grouping columns of their own types
    Parquet,
    /// The table in a workbook (.xlsx), every digit in its cells, and the notes on a second sheet
    Excel,
}

/// The known file extensions with their formats.
const EXTENSIONS: [(&str, OutputFormat); 9] = [
    ("txt", OutputFormat::Table),
    ("md", OutputFormat::Markdown),
    ("tex", OutputFormat::Latex),
    ("csv", OutputFormat::Csv),
    ("json", OutputFormat::Json),
    ("jsonl", OutputFormat::Jsonl),
    ("ndjson", OutputFormat::Jsonl),
    ("parquet", OutputFormat::Parquet),
    ("xlsx", OutputFormat::Excel),
];

/// The destination and format of the results.
#[derive(clap::Args)]
pub struct OutputArgs {
    /// File for the results [default: standard output]
    ///
    /// The extension chooses the format: .csv, .json, .jsonl, .ndjson, .parquet, .xlsx, and .txt, .md or .tex for the
    /// table. The file is written whole or not at all. Pipes and devices are possible too.
    #[arg(id = "output", short = 'o', long, value_name = "FILE")]
    path: Option<PathBuf>,
    /// Format of the results; see `truecount help output`
    #[arg(long, value_enum)]
    format: Option<OutputFormat>,
    /// Show the parameters of the model and of the methods
    #[arg(short, long)]
    verbose: bool,
    /// Show shares in per cent
    ///
    /// In tables, Markdown, LaTeX and Excel; differences of shares are in percentage points. The other
    /// formats have shares.
    #[arg(long)]
    pub percent: bool,
    /// Language whose decimal mark tables have, such as de or fr-CH
    ///
    /// In tables, Markdown and LaTeX; notes stay in English. Excel shows numbers in the language of
    /// the reader's computer, and the other formats have decimal points.
    #[arg(long, value_name = "LANGUAGE", value_parser = decimal_mark, default_value = "en", hide_default_value = true)]
    locale: &'static str,
}

/// Returns the decimal mark of a language in the Unicode locale data.
fn decimal_mark(language: &str) -> Result<&'static str, String> {
    let locale =
        Locale::from_name(language.replace('_', "-")).map_err(|_| "name a language, such as de, fr or pt-PT")?;
    Ok(locale.decimal())
}

impl OutputFormat {
    /// Returns the name on the command line.
    pub fn name(self) -> String {
        self.to_possible_value().expect("every form has a name").get_name().to_owned()
    }

    /// Returns whether grouping columns and result columns share a table, so that names must differ.
    pub fn is_flat(self) -> bool {
        matches!(self, Self::Csv | Self::Parquet | Self::Excel)
    }

    /// Checks that the format suits standard output.
    ///
    /// # Errors
    /// Returns an error for Parquet or Excel if standard output is a terminal.
    pub fn for_stdout(self) -> Result<Self, CliError> {
        let is_binary = matches!(self, Self::Parquet | Self::Excel);
        if is_binary && io::stdout().is_terminal() {
            let problem = format!("--format {} cannot be shown on a terminal", self.name());
            return Err(CliError::usage(problem, "write it to a file with --output"));
        }
        Ok(self)
    }

    /// Returns the format of a file's extension; for a stream without a known extension, the table.
    fn from_extension(path: &Path) -> Result<Self, CliError> {
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
        let format = EXTENSIONS.iter().find(|(name, _)| extension.as_deref() == Some(*name)).map(|(_, format)| *format);
        format.or_else(|| is_stream(path).then_some(Self::Table)).ok_or_else(|| {
            let known = EXTENSIONS.map(|(name, _)| format!(".{name}")).join(", ");
            let problem = extension.map_or("has no extension".to_owned(), |extension| format!("ends in .{extension}"));
            let path = path.display();
            CliError::usage(
                format!("--output {path} {problem}"),
                format!("the known extensions are {known}; or name the format with --format"),
            )
        })
    }
}

impl OutputArgs {
    /// Prints results to the file or to standard output, and their warnings to standard error.
    /// Parameters are left out, except with `--verbose` and in Parquet, where they are metadata.
    pub fn print(&self, results: Results) -> Result<(), CliError> {
        let format = self.format()?;
        let style = NumberStyle { decimal: self.locale, percent: self.percent };
        let results = Results { style, ..results };
        let results = if self.verbose || format == OutputFormat::Parquet { results } else { results.concise() };
        self.print_with(|mut out, screen| write(&results, format, screen, &mut out).map(|()| results.warnings.clone()))
    }

    /// Prints what a function writes to the file or to standard output, and the warnings that it returns.
    pub fn print_with(
        &self,
        write: impl FnOnce(&mut (dyn Write + Send), Screen) -> io::Result<Vec<String>>,
    ) -> Result<(), CliError> {
        let mut warnings = Vec::new();
        match self.file() {
            Some(path) => {
                whole_file::write_with(path, |out| write(out, Screen::default()).map(|new| warnings = new))?;
            }
            None => to_stdout(|out| write(out, Screen::stdout()).map(|new| warnings = new))?,
        }
        for warning in &warnings {
            print_wrapped_message(warning);
        }
        Ok(())
    }

    /// Returns the path of the output file; `None` for standard output.
    pub fn file(&self) -> Option<&Path> {
        self.path.as_deref().filter(|path| !is_stdio(path))
    }

    /// Returns the format: that of `--format`, else of the file's extension, else the table.
    pub fn format(&self) -> Result<OutputFormat, CliError> {
        let format = match (self.format, self.file()) {
            (Some(format), _) => format,
            (None, Some(path)) => OutputFormat::from_extension(path)?,
            (None, None) => OutputFormat::Table,
        };
        if self.file().is_none() { format.for_stdout() } else { Ok(format) }
    }
}
