//! Options whose values stand in a table.

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
