//! Groups of options that several commands share.

mod columns;
mod design;
mod estimates;
mod model;

pub use columns::{
    ByArgs, ClassScoreArgs, ColumnList, ColumnNames, EveryArgs, MISSING, ScoreNames, SortArgs, TableFormatArgs,
    TrainColumnArgs, names,
};
pub use design::{DesignArgs, ReplicateArgs};
pub use estimates::{
    AuditColumns, AuditSampleArgs, CheckedIntervalArgs, EstimationArgs, INTERVALS, LevelAndTargetArgs, LevelArgs,
    PublicationArgs, StandardiseArgs, StrataArgs, TotalArgs, named_reference, reference,
};
pub use model::{LABEL_OPTIONS, LabelledArgs, ModelArgs, TestArgs, TrainArgs};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Returns a parser of the values in a table of names, values and descriptions for the help.
pub fn one_of<T: Copy + Send + Sync + 'static>(
    table: &'static [(&'static str, T, &'static str)],
) -> impl TypedValueParser<Value = T> {
    names_of(table).map(|typed| {
        let entry = table.iter().find(|(name, ..)| *name == typed);
        entry.map(|(_, value, _)| *value).expect("only names of the table pass")
    })
}

/// Returns a parser of the names in a table of names, values and descriptions for the help.
pub fn names_of<T>(table: &'static [(&'static str, T, &'static str)]) -> PossibleValuesParser {
    PossibleValuesParser::new(table.iter().map(|(name, _, text)| PossibleValue::new(*name).help(*text)))
}

/// Parses a share such as 0.02, 2% or "2 %".
pub fn share(text: &str) -> Result<f64, String> {
    let (number, unit) = text.strip_suffix('%').map_or((text, 1.0), |number| (number, 100.0));
    let share = number.trim().parse::<f64>().map_err(|_| "it must be a share such as 2% or 0.02".to_owned())? / unit;
    if (0.0..=1.0).contains(&share) { Ok(share) } else { Err("it must lie between 0 and 1, or 0 and 100 %".to_owned()) }
}
