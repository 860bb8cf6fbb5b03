//! What is printed: results in one of the forms on stdout or in a file, messages on stderr.

mod bars;
mod by;
mod files;
mod form;
mod samples;
mod screen;
mod text;

pub use by::check_by;
pub use files::FileRoles;
pub use form::{Output, OutputFormat};
pub use samples::warn;
pub use truecount_analysis::notes::{diagnostics, fit_notes};
pub use truecount_analysis::output::{BOOTSTRAP, Stratum, columns, parameters_json, warning_lines};

use crate::failure::CliError;
use console::Term;
use screen::Screen;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::Path;
use truecount::quantifier::Quantifier;
use truecount_analysis::results::text::wrap;
use truecount_analysis::results::{self, Note, Results};
use truecount_analysis::{notes, output};
use truecount_tables::groups::Keys;
use truecount_tables::parallel::AllThreads;
use truecount_tables::whole_file;

/// Estimates of the command's groups.
pub type Answer<'a> = output::EstimateOutput<'a, Keys>;

/// Writes results to the file if there is one, else to stdout.
///
/// # Errors
/// If the file or standard output cannot be written.
pub fn print(results: &Results, form: OutputFormat, file: Option<&Path>) -> Result<(), CliError> {
    match file {
        Some(path) => Ok(whole_file::write_with(path, |out| write(results, form, Screen::default(), out))?),
        None => to_stdout(|out| write(results, form, Screen::stdout(), out)),
    }
}

/// Writes results to the file if there is one, else to stdout; and their warnings to stderr.
pub fn print_with_warnings(results: &Results, form: OutputFormat, file: Option<&Path>) -> Result<(), CliError> {
    print(results, form, file)?;
    results.warnings.iter().for_each(|warning| say_wrapped(warning));
    Ok(())
}

fn write(results: &Results, form: OutputFormat, screen: Screen, out: &mut (impl Write + Send)) -> io::Result<()> {
    let form = match form {
        OutputFormat::Table => return text::write(results, screen, out),
        OutputFormat::Parquet => return truecount_tables::parquet::write(results, out),
        OutputFormat::Markdown => results::ResultFormat::Markdown,
        OutputFormat::Latex => results::ResultFormat::Latex,
        OutputFormat::Json => results::ResultFormat::Json,
        OutputFormat::Jsonl => results::ResultFormat::Jsonl,
        OutputFormat::Csv => results::ResultFormat::Csv,
    };
    results.write(&AllThreads, form, out)
}

/// What the standard errors and intervals account for.
pub fn variances<'a>(
    quantifiers: impl Iterator<Item = &'a Quantifier>,
    variance_of: impl Fn(&Quantifier) -> Option<String>,
) -> Vec<Note> {
    notes::variance_notes(quantifiers, variance_of, BOOTSTRAP)
}

/// Results to stdout.
pub fn to_stdout(write: impl FnOnce(&mut BufWriter<io::Stdout>) -> io::Result<()>) -> Result<(), CliError> {
    let mut stdout = BufWriter::new(io::stdout());
    match write(&mut stdout).and_then(|()| stdout.flush()) {
        // A reader that stops early, as `head` does, has what it wanted.
        Err(e) if e.kind() != ErrorKind::BrokenPipe => Err(CliError::at("standard output")(e)),
        _ => Ok(()),
    }
}

/// Writes a sentence to stderr, on a terminal in lines of its width.
pub fn say_wrapped(sentence: &str) {
    match Term::stderr().size_checked() {
        Some((_rows, columns)) => {
            let lines = wrap(sentence, usize::from(columns).max(40) - 3, "");
            for (number, line) in lines.into_iter().enumerate() {
                say(&format!("{}{line}", if number > 0 { "  " } else { "" }));
            }
        }
        None => say(sentence),
    }
}

/// Writes a line to stderr. If that fails, the results matter more than a complaint about it.
pub fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
