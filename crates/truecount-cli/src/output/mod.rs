//! Printing: results to standard output or a file, messages to standard error.

mod bars;
mod by;
mod format;
mod screen;

pub use by::check_by;
pub use format::{OutputArgs, OutputFormat};
pub use truecount_analysis::notes::{diagnostics, fit_notes};
pub use truecount_analysis::output::{BOOTSTRAP, Stratum, columns, parameters_json, warning_lines};

use crate::error::CliError;
use bars::IntervalBars;
use console::Term;
use screen::Screen;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use truecount::quantifier::Quantifier;
use truecount_analysis::results::text::{self, wrap};
use truecount_analysis::results::{self, Note, ResultTable, Results};
use truecount_analysis::{notes, output};
use truecount_tables::groups::Keys;
use truecount_tables::parallel::AllThreads;

/// The estimates of groups from files, with all that is printed about them.
pub type CommandEstimates<'a> = output::EstimateOutput<'a, Keys>;

/// Writes results to standard output.
///
/// # Errors
/// Returns an error if standard output cannot be written.
pub fn print(results: &Results, format: OutputFormat) -> Result<(), CliError> {
    to_stdout(|out| write(results, format, Screen::stdout(), out))
}

fn write(results: &Results, format: OutputFormat, screen: Screen, out: &mut (impl Write + Send)) -> io::Result<()> {
    let format = match format {
        OutputFormat::Table => return text::write(results, |table, width| bars(table, width, screen), out),
        OutputFormat::Excel => return truecount_tables::excel::write(results, out),
        OutputFormat::Parquet => return truecount_tables::parquet::write(results, out),
        OutputFormat::Markdown => results::ResultFormat::Markdown,
        OutputFormat::Latex => results::ResultFormat::Latex,
        OutputFormat::Json => results::ResultFormat::Json,
        OutputFormat::Jsonl => results::ResultFormat::Jsonl,
        OutputFormat::Csv => results::ResultFormat::Csv,
    };
    results.write(&AllThreads, format, out)
}

/// Returns the texts to the right of a table of this width: the axis, its line, and a bar for each
/// row. Only a terminal has them.
fn bars(table: &ResultTable, width: usize, screen: Screen) -> Option<impl Iterator<Item = String> + use<>> {
    screen.width?;
    let spans = table.spans()?;
    let bars = IntervalBars::new(width, screen, spans.iter().copied())?;
    Some(bars.header().into_iter().chain(spans.into_iter().map(move |span| bars.bar(&span))))
}

/// Returns notes on the sampling that standard errors and intervals account for.
pub fn variances<'a>(quantifiers: impl Iterator<Item = &'a Quantifier>) -> Vec<Note> {
    notes::variance_notes(quantifiers, None, BOOTSTRAP)
}

/// Whether standard output was closed when the process started. Rust then opens `/dev/null` instead.
static IS_STDOUT_CLOSED: AtomicBool = AtomicBool::new(false);

/// Checks standard output before the runtime of Rust replaces it.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
#[used]
#[unsafe(link_section = ".init_array")]
static CHECK_STDOUT: extern "C" fn() = {
    extern "C" fn check() {
        let is_closed = std::os::fd::AsFd::as_fd(&io::stdout()).try_clone_to_owned().is_err();
        IS_STDOUT_CLOSED.store(is_closed, Ordering::Relaxed);
    }
    check
};

/// Writes to standard output.
///
/// # Errors
/// Returns an error if standard output is closed or cannot be written.
pub fn to_stdout(write: impl FnOnce(&mut BufWriter<io::Stdout>) -> io::Result<()>) -> Result<(), CliError> {
    if IS_STDOUT_CLOSED.load(Ordering::Relaxed) {
        return Err(CliError::data("standard output is closed", "write the results to a file with -o"));
    }
    let mut stdout = BufWriter::new(io::stdout());
    match write(&mut stdout).and_then(|()| stdout.flush()) {
        // A reader that stops early, such as `head`, has read all it needs.
        Err(e) if e.kind() != ErrorKind::BrokenPipe => Err(CliError::at("standard output")(e)),
        _ => Ok(()),
    }
}

/// Writes a message to standard error, wrapped to the width of a terminal.
pub fn print_wrapped_message(sentence: &str) {
    match Term::stderr().size_checked() {
        Some((_rows, columns)) => {
            let lines = wrap(sentence, usize::from(columns).max(40) - 3, "");
            for (number, line) in lines.into_iter().enumerate() {
                print_message(&format!("{}{line}", if number > 0 { "  " } else { "" }));
            }
        }
        None => print_message(sentence),
    }
}

/// Writes a line to standard error. A failure to do so is ignored, as it does not affect the results.
pub fn print_message(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
