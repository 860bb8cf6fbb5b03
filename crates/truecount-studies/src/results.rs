//! A study's results: for every finished setting one row per arm, and their text form, a CSV table.
//!
//! Its columns are the setting's fields, `arm`, and the fields of the study's statistics. Numbers have enough digits to
//! tell a double from its neighbours, so values survive writing and reading to the bit.

use crate::{Statistics, Study};
use csv::{StringRecord, Writer, WriterBuilder};
use serde::Serialize;

/// The results of the finished settings, which are the first ones of the study.
#[derive(Clone, Debug, PartialEq)]
pub struct Results<T> {
    settings: Vec<Vec<T>>,
}

impl<T> Default for Results<T> {
    fn default() -> Self {
        Self { settings: Vec::new() }
    }
}

/// A table that is not what the study writes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} is not what this study writes: {what}")]
pub struct Misread {
    /// The line, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub what: String,
}

impl<T: Statistics> Results<T> {
    /// Number of finished settings.
    pub fn finished(&self) -> usize {
        self.settings.len()
    }

    /// Every arm's statistics in each of the finished settings.
    pub fn settings(&self) -> &[Vec<T>] {
        &self.settings
    }

    /// The next setting's statistics, one for every arm.
    pub(crate) fn push(&mut self, arms: Vec<T>) {
        self.settings.push(arms);
    }

    /// The finished settings, with one arm's statistics.
    pub fn of_arm<'a, S: Study<Statistics = T>>(
        &'a self,
        study: &'a S,
        arm: usize,
    ) -> impl Iterator<Item = (&'a S::Setting, &'a T)> {
        study.settings().iter().zip(self.settings.iter().map(move |arms| &arms[arm]))
    }

    /// The results as a CSV table.
    pub fn to_csv<S: Study<Statistics = T>>(&self, study: &S) -> String {
        let mut table = writer(false);
        if let Some((setting, statistics)) = study.settings().first().zip(self.settings.iter().flatten().next()) {
            let header = [names(setting), vec!["arm".to_owned()], names(statistics)].concat();
            table.write_record(header).expect(IN_MEMORY);
        }
        for (setting, arms) in study.settings().iter().zip(&self.settings) {
            for (arm, statistics) in study.arms().iter().zip(arms) {
                table.serialize((setting, arm, statistics)).expect(IN_MEMORY);
            }
        }
        text(table)
    }

    /// The results in a table that [`to_csv`](Self::to_csv) wrote.
    ///
    /// # Errors
    /// [`Misread`] for any other table: one of another study, or a damaged one.
    pub fn from_csv<S: Study<Statistics = T>>(study: &S, table: &str) -> Result<Self, Misread> {
        let reader = csv::ReaderBuilder::new().flexible(true).from_reader(table.as_bytes());
        let rows: Vec<StringRecord> = reader
            .into_records()
            .collect::<Result<_, _>>()
            .map_err(|e| Misread { line: e.position().map_or(0, csv::Position::line), what: e.to_string() })?;
        let (settings, arms) = (study.settings(), study.arms());
        if let Some(row) = rows.get(settings.len() * arms.len()) {
            return Err(misread(row, "there are more rows than settings and arms"));
        }
        let of_setting = |(setting, rows): (&S::Setting, &[StringRecord])| {
            if rows.len() < arms.len() {
                return Err(misread(&rows[rows.len() - 1], "the last setting has not all its rows"));
            }
            let setting = record(setting);
            arms.iter().zip(rows).map(|(arm, row)| statistics(&setting, arm, row)).collect()
        };
        let settings = settings.iter().zip(rows.chunks(arms.len())).map(of_setting).collect::<Result<_, _>>()?;
        Ok(Self { settings })
    }
}

/// The statistics in a row, which must be that of this setting and arm.
fn statistics<T: Statistics>(setting: &StringRecord, arm: &str, row: &StringRecord) -> Result<T, Misread> {
    let known = || setting.iter().chain([arm]);
    if !row.iter().take(setting.len() + 1).eq(known()) {
        let expected = known().collect::<Vec<_>>().join(",");
        return Err(misread(row, &format!("it should begin with {expected}")));
    }
    let rest: StringRecord = row.iter().skip(setting.len() + 1).collect();
    rest.deserialize(None).map_err(|e| misread(row, &e.to_string()))
}

fn misread(row: &StringRecord, what: &str) -> Misread {
    Misread { line: row.position().map_or(0, csv::Position::line), what: what.to_owned() }
}

const IN_MEMORY: &str = "flat values are written to memory";

fn writer(header: bool) -> Writer<Vec<u8>> {
    WriterBuilder::new().has_headers(header).from_writer(Vec::new())
}

fn text(table: Writer<Vec<u8>>) -> String {
    String::from_utf8(table.into_inner().expect(IN_MEMORY)).expect("what is written is text")
}

/// The names of a flat value's fields.
fn names(value: &impl Serialize) -> Vec<String> {
    let mut table = writer(true);
    table.serialize(value).expect(IN_MEMORY);
    text(table).lines().next().unwrap_or_default().split(',').map(str::to_owned).collect()
}

/// A flat value's fields as they stand in the table.
fn record(value: &impl Serialize) -> StringRecord {
    let mut table = writer(false);
    table.serialize(value).expect(IN_MEMORY);
    let line = text(table);
    let mut rows = csv::ReaderBuilder::new().has_headers(false).from_reader(line.as_bytes()).into_records();
    rows.next().and_then(Result::ok).unwrap_or_default()
}
