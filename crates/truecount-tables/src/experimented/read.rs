//! Reads the table as far as the summary needs it, batch by batch: any number of rows in the memory of its parts.

use super::errors::{Level, Part, Summary, Totals};
use super::rows::{
    CLASSIFIER, Cell, DATA, LABELLED, LABELLED_PREVALENCE, LOWER, LOWER_WIDENED, METHOD, PREVALENCE, PROTOCOL, SETTING,
    SIZE, TRAINING, TRUTH, UPPER, UPPER_WIDENED,
};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, UInt64Type};
use arrow_array::{Array, Float64Array, RecordBatch, StringArray, UInt64Array};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::fs::File;
use std::path::Path;
use truecount::evaluation::Outcome;
use truecount_analysis::Error;

/// The means of all parts of a table that [`join`](super::join) wrote.
///
/// # Errors
/// If the file cannot be read or is another.
pub fn summarise(path: &Path) -> Result<Summary, Error> {
    let file = File::open(path).map_err(Error::unreadable(path.display()))?;
    let unreadable =
        |e: &dyn std::fmt::Display| Error::unreadable(path.display())(std::io::Error::other(e.to_string()));
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).and_then(ParquetRecordBatchReaderBuilder::build);
    let mut summary = Summary::default();
    for batch in reader.map_err(|e| unreadable(&e))? {
        let batch = batch.map_err(|e| unreadable(&e))?;
        let columns = Columns::of(&batch).ok_or_else(|| unreadable(&"it is not the table of an experiment"))?;
        (0..batch.num_rows()).for_each(|row| columns.add(row, &mut summary));
    }
    Ok(summary)
}

struct Columns<'a> {
    texts: [&'a StringArray; 4],
    method: &'a StringArray,
    counts: [&'a UInt64Array; 2],
    truth: &'a Float64Array,
    labelled_prevalence: &'a Float64Array,
    setting: &'a Float64Array,
    prevalence: &'a Float64Array,
    interval: [&'a Float64Array; 2],
    widened: [&'a Float64Array; 2],
}

impl<'a> Columns<'a> {
    fn of(batch: &'a RecordBatch) -> Option<Self> {
        let text = |name| batch.column_by_name(name)?.as_string_opt();
        let count = |name| batch.column_by_name(name)?.as_primitive_opt::<UInt64Type>();
        let number = |name| batch.column_by_name(name)?.as_primitive_opt::<Float64Type>();
        Some(Self {
            texts: [text(DATA)?, text(TRAINING)?, text(CLASSIFIER)?, text(PROTOCOL)?],
            method: text(METHOD)?,
            counts: [count(LABELLED)?, count(SIZE)?],
            truth: number(TRUTH)?,
            labelled_prevalence: number(LABELLED_PREVALENCE)?,
            setting: number(SETTING)?,
            prevalence: number(PREVALENCE)?,
            interval: [number(LOWER)?, number(UPPER)?],
            widened: [number(LOWER_WIDENED)?, number(UPPER_WIDENED)?],
        })
    }

    fn add(&self, row: usize, summary: &mut Summary) {
        let given = |column: &Float64Array| column.is_valid(row).then(|| column.value(row));
        let truth = self.truth.value(row);
        let level = Level::new(given(self.setting), truth, self.labelled_prevalence.value(row));
        let [data, training, classifier, protocol] = self.texts.map(|texts| texts.value(row));
        let [labelled, n] = self.counts.map(|counts| counts.value(row));
        let is_of = |part: &Part| {
            let Cell { data: d, training: t, classifier: c, protocol: p } = &part.cell;
            [d, t, c, p] == [data, training, classifier, protocol]
                && (part.labelled, part.n, part.level) == (labelled, n, level)
        };
        // Nearly always one of the last.
        let place = summary.parts.iter().rposition(is_of).unwrap_or_else(|| {
            let [data, training, classifier, protocol] = [data, training, classifier, protocol].map(str::to_owned);
            let cell = Cell { data, training, classifier, protocol };
            summary.parts.push(Part { cell, labelled, n, level, totals: Vec::new() });
            summary.parts.len() - 1
        });
        let method = self.method.value(row);
        let known = summary.methods.iter().position(|other| other == method).unwrap_or_else(|| {
            summary.methods.push(method.to_owned());
            summary.methods.len() - 1
        });
        let totals = &mut summary.parts[place].totals;
        if totals.len() <= known {
            totals.resize(known + 1, Totals::default());
        }
        let ends = |columns: [&Float64Array; 2]| Some([given(columns[0])?, given(columns[1])?]);
        match given(self.prevalence).and_then(|estimate| Outcome::new(truth, estimate, Some(n)).ok()) {
            Some(outcome) => totals[known].add(&outcome, truth, ends(self.interval), ends(self.widened)),
            None => totals[known].missing(),
        }
    }
}
