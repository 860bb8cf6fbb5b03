//! Names and numbers in a form that every engine accepts.

use super::Dialect;
use crate::{Error, Problem};

/// The columns after the grouping columns of estimates.
pub(super) const ESTIMATES: [&str; 11] =
    ["method", "n", "missing", "prevalence", "raw", "se", "lower", "upper", "level", "target", "omits"];

/// The columns after the grouping columns of counts.
pub(super) const COUNTS: [&str; 6] = ["method", "bin", "n", "sum_weights", "sum_squared_weights", "fingerprint"];

impl Dialect {
    /// Quotes a name; quotes inside are doubled or escaped with a backslash.
    pub(super) fn quote(self, name: &str) -> String {
        let (open, close, escaped): (_, _, &[(char, &str)]) = match self {
            Self::Ansi | Self::Snowflake | Self::Trino | Self::Redshift => ('"', '"', &[('"', "\"\"")]),
            Self::Spark => ('`', '`', &[('`', "``")]),
            Self::BigQuery => ('`', '`', &[('`', "\\`"), ('\\', "\\\\")]),
            Self::TSql => ('[', ']', &[(']', "]]")]),
        };
        let mut quoted = String::from(open);
        for c in name.chars() {
            match escaped.iter().find(|(special, _)| *special == c) {
                Some((_, instead)) => quoted.push_str(instead),
                None => quoted.push(c),
            }
        }
        quoted.push(close);
        quoted
    }
}

/// Checks the names of the table and its columns.
///
/// # Errors
/// Returns an error if a name is empty or contains a NUL, or if a grouping column occurs twice or
/// has the name of another column of the result, ignoring case.
pub(super) fn check_names(table: &[String], columns: &[&String], by: &[String], own: &[&str]) -> Result<(), Error> {
    let names = || {
        table
            .iter()
            .map(String::as_str)
            .chain(columns.iter().map(|name| name.as_str()))
            .chain(by.iter().map(String::as_str))
    };
    if table.is_empty() || names().any(|name| name.is_empty() || name.contains('\0')) {
        return Err(Problem::SqlNameEmpty.into());
    }
    for (i, column) in by.iter().enumerate() {
        let same = |other: &str| other.to_lowercase() == column.to_lowercase();
        if by[..i].iter().any(|other| same(other)) {
            return Err(Problem::SqlColumnTwice { column: column.clone() }.into());
        }
        if own.iter().any(|other| same(other)) {
            return Err(Problem::SqlColumnTaken { column: column.to_lowercase() }.into());
        }
    }
    Ok(())
}

/// Formats a number with all digits.
///
/// The number has an exponent, since some engines read a number without one as a decimal of limited
/// precision. A negative number is in parentheses, since two minus signs begin a comment.
pub(super) fn format_number(value: f64) -> String {
    let digits = format!("{:E}", value.abs());
    if value < 0.0 { format!("(-{digits})") } else { digits }
}

/// Formats a number with its sign as a term to add.
pub(super) fn format_term(value: f64) -> String {
    format!("{} {:E}", if value < 0.0 { '-' } else { '+' }, value.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_inside_names_are_doubled() {
        assert_eq!(Dialect::Ansi.quote("a\"b`"), "\"a\"\"b`\"");
        assert_eq!(Dialect::Spark.quote("a\"b`"), "`a\"b```");
        assert_eq!(Dialect::BigQuery.quote("a`\\"), "`a\\`\\\\`");
        assert_eq!(Dialect::TSql.quote("[a]"), "[[a]]]");
    }

    #[test]
    fn numbers_have_every_digit_and_an_exponent() {
        assert_eq!([0.1 + 0.2, -1.0, 0.0].map(format_number), ["3.0000000000000004E-1", "(-1E0)", "0E0"]);
        assert_eq!([format_term(-2.5), format_term(2.5)], ["- 2.5E0", "+ 2.5E0"]);
    }
}
