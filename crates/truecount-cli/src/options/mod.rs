//! What can be typed: groups of options that commands put together. None of them knows a command.

mod columns;
mod estimates;
mod model;

pub use columns::{By, ColumnNames, ScoreNames, SortArgs, Written};
pub use estimates::{
    AuditSampleArgs, CheckedIntervalArgs, Estimated, INTERVALS, IntervalKind, LevelArgs, Reported, StrataArgs,
    TotalArgs, reference,
};
pub use model::{LABEL, LabelledArgs, ModelArgs, POSITIVE, TestArgs, Train};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// The values of a table: their names can be typed, their descriptions stand in the help.
pub fn one_of<T: Copy + Send + Sync + 'static>(
    table: &'static [(&'static str, T, &'static str)],
) -> impl TypedValueParser<Value = T> {
    let names = table.iter().map(|(name, _, what)| PossibleValue::new(*name).help(*what));
    PossibleValuesParser::new(names).map(|typed| {
        let found = table.iter().find(|(name, ..)| *name == typed);
        found.map(|(_, value, _)| *value).expect("only names of the table pass")
    })
}

/// A share, as 0.02, 2% or "2 %".
pub fn share(text: &str) -> Result<f64, String> {
    let (number, unit) = text.strip_suffix('%').map_or((text, 1.0), |number| (number, 100.0));
    let share = number.trim().parse::<f64>().map_err(|_| "it must be a share such as 2% or 0.02".to_owned())? / unit;
    if (0.0..=1.0).contains(&share) { Ok(share) } else { Err("it must lie between 0 and 1, or 0 and 100 %".to_owned()) }
}
