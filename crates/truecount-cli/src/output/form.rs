//! The form in which results are written, and where to.

use crate::failure::CliError;
use clap::ValueEnum;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use truecount_analysis::results::Results;
use truecount_tables::input::is_stdio;
use truecount_tables::whole_file::is_stream;

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
}

/// The file extensions, and the form each stands for.
const EXTENSIONS: [(&str, OutputFormat); 8] = [
    ("txt", OutputFormat::Table),
    ("md", OutputFormat::Markdown),
    ("tex", OutputFormat::Latex),
    ("csv", OutputFormat::Csv),
    ("json", OutputFormat::Json),
    ("jsonl", OutputFormat::Jsonl),
    ("ndjson", OutputFormat::Jsonl),
    ("parquet", OutputFormat::Parquet),
];

/// Where results go.
#[derive(clap::Args)]
pub struct Output {
    /// File for the results [default: standard output]
    ///
    /// The extension chooses the format: .csv, .json, .jsonl, .ndjson, .parquet, and .txt, .md or .tex for the table.
    /// The file is written whole or not at all. Pipes and devices are possible too.
    #[arg(id = "output", short = 'o', long, value_name = "FILE")]
    path: Option<PathBuf>,
    /// Format of the results; see `truecount help output`
    #[arg(long, value_enum)]
    format: Option<OutputFormat>,
    /// Show the parameters of the model and of the methods
    #[arg(short, long)]
    verbose: bool,
}

impl OutputFormat {
    /// The name on the command line.
    pub fn name(self) -> String {
        self.to_possible_value().expect("every form has a name").get_name().to_owned()
    }

    /// Whether grouping columns are in one table with the others, so that their names must differ.
    pub fn is_flat(self) -> bool {
        matches!(self, Self::Csv | Self::Parquet)
    }

    /// Refuses to write Parquet to a terminal.
    ///
    /// # Errors
    /// If standard output is a terminal.
    pub fn for_stdout(self) -> Result<Self, CliError> {
        if self == Self::Parquet && io::stdout().is_terminal() {
            return Err(CliError::Usage("Parquet is not for a terminal: write it to a file".to_owned()));
        }
        Ok(self)
    }

    /// That of a file's extension; what is written to a stream without one is for whoever looks at it.
    fn from_extension(path: &Path) -> Result<Self, CliError> {
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
        let known = || EXTENSIONS.map(|(name, _)| format!(".{name}")).join(", ");
        let found = EXTENSIONS.iter().find(|(name, _)| extension.as_deref() == Some(*name)).map(|(_, form)| *form);
        found.or_else(|| is_stream(path).then_some(Self::Table)).ok_or_else(|| {
            let what = extension.map_or("has no extension".to_owned(), |found| format!("ends in .{found}"));
            let path = path.display();
            CliError::Usage(format!("--output {path} {what}; the known ones are {}; or say it with --format", known()))
        })
    }
}

impl Output {
    /// Returns the results that this form shows: without parameters, unless they are asked for or kept as metadata.
    pub fn shown<'a>(&self, results: Results<'a>, form: OutputFormat) -> Results<'a> {
        if self.verbose || form == OutputFormat::Parquet { results } else { results.concise() }
    }

    /// The file, if it is one.
    pub fn file(&self) -> Option<&Path> {
        self.path.as_deref().filter(|path| !is_stdio(path))
    }

    /// The form asked for.
    pub fn form(&self) -> Result<OutputFormat, CliError> {
        let form = match (self.format, self.file()) {
            (Some(form), _) => form,
            (None, Some(path)) => OutputFormat::from_extension(path)?,
            (None, None) => OutputFormat::Table,
        };
        if self.file().is_none() { form.for_stdout() } else { Ok(form) }
    }
}
