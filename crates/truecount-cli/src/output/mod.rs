//! What is printed: a report in one of the formats on stdout, its warnings on stderr.

mod aligned;
mod bars;
mod csv;
mod form;
mod json;
mod latex;
mod markdown;
mod parquet;
mod readable;
mod screen;
mod table;
mod values;
mod words;

pub use aligned::{aligned, wrapped};
pub use csv::{columns, digits};
pub use form::{Form, Output, check as check_file};
pub use parquet::properties;
pub use words::{digits_at, fitted, percent, short_p, short_se, variances};

use crate::args::Format;
use crate::failure::Failure;
use crate::input::{Groups, Keys, Shifts};
use crate::whole_file;
use screen::Screen;
use std::borrow::Cow;
use std::fmt;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::Path;
use truecount::check::{ShiftCheck, ShiftTally};
use truecount::quantifier::Quantifier;
use truecount::{Estimate, Method, Model, Resamples, Warning};

/// Warnings printed in full; the rest are counted.
const WARNINGS: usize = 20;

/// One estimate: of one group by one method.
pub struct Row {
    pub group: usize,
    pub method: Method,
    pub estimate: Estimate,
}

/// All estimates, with what they rest on.
pub struct Report<'a> {
    pub model: &'a Model,
    pub keys: Keys,
    pub rows: Vec<Row>,
    /// What the shift check says of all groups together, where it does not look at each.
    together: Option<Warning>,
    /// How many resamples standard errors and intervals come from, if it is not formulas.
    resamples: Option<Resamples>,
}

impl<'a> Report<'a> {
    /// Each group with an estimate for each of the model's quantifiers, and a warning with each if its scores are no mixture.
    pub fn new(
        model: &'a Model,
        shift: Option<&ShiftCheck>,
        estimated: Groups<Vec<Estimate>>,
        resamples: Option<Resamples>,
    ) -> Result<Self, Failure> {
        let number = estimated.contents.len();
        let warning = |tally: &ShiftTally, sets: usize| match shift {
            Some(check) => check.warning(tally, sets),
            None => Ok(None),
        };
        let (each, together) = match &estimated.shift {
            Shifts::None => (None, None),
            Shifts::Each(tallies) => (Some(tallies), None),
            Shifts::Together(tally) => (None, warning(tally, 1)?),
        };
        let mut rows = Vec::with_capacity(number * model.quantifiers().len());
        for (group, estimates) in estimated.contents.into_iter().enumerate() {
            let warning = each.map_or(Ok(None), |tallies| warning(&tallies[group], number))?;
            for (quantifier, mut estimate) in model.quantifiers().iter().zip(estimates) {
                estimate.warnings.extend(warning);
                rows.push(Row { group, method: quantifier.method(), estimate });
            }
        }
        Ok(Self { model, keys: estimated.keys, rows, together, resamples })
    }

    /// What the standard error and interval of one of the methods account for; none without.
    pub fn variance(&self, method: Method) -> Option<String> {
        self.variance_of(self.model.quantifiers().iter().find(|quantifier| quantifier.method() == method)?)
    }

    /// What the standard errors and intervals of a method account for; none without.
    fn variance_of(&self, quantifier: &Quantifier) -> Option<String> {
        match self.resamples {
            Some(resamples) => Some(resamples.variance_of(quantifier.method())),
            None => quantifier.variance_of().map(str::to_owned),
        }
    }

    /// Whether the scores have weights.
    pub fn weighted(&self) -> bool {
        self.rows.first().is_some_and(|row| row.estimate.effective_n.is_some())
    }

    /// The rows of each group that has a warning.
    fn warned(&self) -> impl Iterator<Item = &[Row]> {
        let groups = self.rows.chunk_by(|a, b| a.group == b.group);
        groups.filter(|rows| rows.iter().any(|row| !row.estimate.warnings.is_empty()))
    }

    /// Warnings in words, as a terminal may show them. Only so many, and how many more there are: there may be a million.
    fn warnings(&self) -> Vec<String> {
        let (lines, more) = self.warnings_of(&self.model.settings().methods, WARNINGS);
        let more = (more > 0).then(|| format!("{more} more; --format csv or json shows each beside its estimate"));
        lines.iter().chain(&more).map(|line| format!("warning: {}", visible(line))).collect()
    }

    /// Those of some of the methods, with the group and the methods they belong to, no more than so many; and how many more there
    /// are, which are counted only.
    pub fn warnings_of(&self, methods: &[Method], most: usize) -> (Vec<String>, usize) {
        let texts = self.keys.texts();
        let mut lines: Vec<String> =
            self.together.iter().map(|warning| format!("all groups together: {warning}")).collect();
        let mut more = 0;
        for rows in self.warned() {
            let wanted = || rows.iter().filter(|row| methods.contains(&row.method));
            let warnings = by_methods(wanted().map(|row| (row.method, row.estimate.warnings.as_slice())));
            if lines.len() >= most {
                more += warnings.len();
                continue;
            }
            let named = texts.of(rows[0].group).map(|value| if value.is_empty() { "''".to_owned() } else { value });
            let place: String = named.flat_map(|value| [value, ", ".to_owned()]).collect();
            let several = wanted().count();
            lines.extend(
                warnings.iter().map(|(warning, methods)| format!("{place}{}: {warning}", whose(methods, several))),
            );
        }
        more += lines.len().saturating_sub(most);
        lines.truncate(most);
        (lines, more)
    }
}

/// Refuses grouping columns that the format cannot tell apart from each other and its own, before anything is read.
pub fn check(by: &[String], format: Format, columns: &[&str]) -> Result<(), Failure> {
    let flat = matches!(format, Format::Csv).then(|| "csv".to_owned());
    differ(by, flat, columns)
}

/// The same for the form of estimates.
pub fn check_form(by: &[String], form: Form, columns: &[&str]) -> Result<(), Failure> {
    differ(by, form.is_flat().then(|| form.name()), columns)
}

/// The same where every column has a place of its own.
pub fn check_by(by: &[String]) -> Result<(), Failure> {
    differ(by, None, &[])
}

/// Refuses a grouping column that is named twice, or, in a format of that name, as one of its own columns.
fn differ(by: &[String], flat: Option<String>, columns: &[&str]) -> Result<(), Failure> {
    if let Some((i, column)) = by.iter().enumerate().find(|(i, column)| by[..*i].contains(column) || column.is_empty())
    {
        let what = if column.is_empty() { "an empty column name" } else { "a column twice" };
        return Err(Failure::Usage(format!("--by has {what} (name {})", i + 1)));
    }
    match (flat, by.iter().find(|column| columns.contains(&column.as_str()))) {
        (Some(format), Some(column)) => Err(Failure::Usage(format!(
            "--by {column} and --format {format} would give two columns called '{column}'; \
             rename that column, or use --format json"
        ))),
        _ => Ok(()),
    }
}

/// Results to the file, if there is one, else to stdout; warnings to stderr.
pub fn print(report: &Report, form: Form, file: Option<&Path>) -> Result<(), Failure> {
    match file {
        Some(path) => whole_file::write_with(path, |out| write(report, form, Screen::default(), out))?,
        None => to_stdout(|out| write(report, form, Screen::stdout(), out))?,
    }
    report.warnings().iter().for_each(|warning| say(warning));
    Ok(())
}

fn write(report: &Report, form: Form, screen: Screen, out: &mut (impl Write + Send)) -> io::Result<()> {
    match form {
        Form::Table => table::write(report, screen, out),
        Form::Markdown => markdown::write(report, out),
        Form::Latex => latex::write(report, out),
        Form::Json => json::write(report, out),
        Form::Jsonl => json::write_lines(report, out),
        Form::Csv => csv::write(report, out),
        Form::Parquet => parquet::write(report, out),
    }
}

/// Each warning once, with the methods that have it.
fn by_methods<'a, W: PartialEq>(warnings: impl Iterator<Item = (Method, &'a [W])>) -> Vec<(&'a W, Vec<Method>)> {
    let mut once: Vec<(&W, Vec<Method>)> = Vec::new();
    for (method, of_method) in warnings {
        for warning in of_method {
            match once.iter_mut().find(|(known, _)| *known == warning) {
                Some((_, methods)) => methods.push(method),
                None => once.push((warning, vec![method])),
            }
        }
    }
    once
}

/// The methods in words.
fn whose(methods: &[Method], several: usize) -> String {
    if several > 1 && methods.len() == several {
        "all methods".to_owned()
    } else {
        methods.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    }
}

/// The warnings of many samples' estimates: those that every sample has, which are about the model; and of the others how many samples of
/// each method have some, and the first of them.
pub fn warn<I: fmt::Display>(model: &Model, ids: impl Iterator<Item = I>, estimates: &[Vec<Estimate>]) {
    let ids: Vec<String> = ids.map(|id| id.to_string()).collect();
    let (mut of_model, mut of_samples) = (Vec::new(), Vec::new());
    for (i, quantifier) in model.quantifiers().iter().enumerate() {
        let method = quantifier.method();
        let texts = |of_sample: &Vec<Estimate>| of_sample[i].warnings.iter().map(ToString::to_string).collect();
        let each: Vec<Vec<String>> = estimates.iter().map(texts).collect();
        let mut shared = each.first().cloned().unwrap_or_default();
        shared.retain(|warning| each.iter().all(|warnings| warnings.contains(warning)));
        let own = |warnings: &Vec<String>| warnings.iter().find(|warning| !shared.contains(warning)).cloned();
        let mut warned = ids.iter().zip(&each).filter_map(|(id, warnings)| own(warnings).map(|warning| (id, warning)));
        if let Some((id, warning)) = warned.next() {
            let (some, all) = (1 + warned.count(), estimates.len());
            of_samples.push(format!("{method}: {some} of {all} samples have warnings; sample {id}: {warning}"));
        }
        of_model.push((method, shared));
    }
    let of_all = by_methods(of_model.iter().map(|(method, shared)| (*method, shared.as_slice())));
    let lines = of_all.iter().map(|(warning, methods)| format!("{}: {warning}", whose(methods, of_model.len())));
    lines.chain(of_samples).for_each(|warning| say(&format!("warning: {warning}")));
}

/// Results to stdout.
pub fn to_stdout(write: impl FnOnce(&mut BufWriter<io::Stdout>) -> io::Result<()>) -> Result<(), Failure> {
    let mut stdout = BufWriter::new(io::stdout());
    match write(&mut stdout).and_then(|()| stdout.flush()) {
        // Who reads only the beginning, as `head` does, has what it wanted.
        Err(e) if e.kind() != ErrorKind::BrokenPipe => Err(Failure::at("standard output")(e)),
        _ => Ok(()),
    }
}

/// One line to stderr. Where nobody can read it, the results matter more than a complaint about that.
pub fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Text from the data as it may be shown: what would move the cursor, change colours or the direction of writing, or what cannot be seen,
/// is written as an escape. Joiners are letters of some scripts.
pub fn visible(text: &str) -> Cow<'_, str> {
    let unseen = ['\u{ad}', '\u{61c}', '\u{200b}', '\u{200e}', '\u{200f}', '\u{2060}', '\u{feff}'];
    let turns = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let hidden = |c: char| c.is_control() || turns(c) || unseen.contains(&c);
    if !text.contains(hidden) {
        return Cow::Borrowed(text);
    }
    let each = |c: char| if hidden(c) { c.escape_default().to_string() } else { c.to_string() };
    Cow::Owned(text.chars().map(each).collect())
}
