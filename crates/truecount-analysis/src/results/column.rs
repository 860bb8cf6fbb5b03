//! Descriptions of columns, from which every output format, language and page is derived.

use super::cell::ResultCell;
use super::numbers::{escape_untrusted, format_e_value, format_p_value, format_se, percent_of, signed};
use std::borrow::Cow;
use truecount::Target;

/// The kind and unit of the values of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A name or words.
    Text,
    /// A number of scores, samples or settings.
    Count,
    /// A share between 0 and 1, or a quantity measured in shares: a standard error, a difference.
    Share,
    /// A number without a unit: a statistic, an effective number.
    Number,
    /// A probability under a hypothesis.
    PValue,
    /// A number on the scale of the scores.
    Score,
    /// Yes or no.
    Flag,
    /// Warnings.
    Warnings,
    /// A list or an object, which only JSON has.
    Nested,
}

impl Unit {
    /// Returns the unit's name, for the reference and for the metadata of files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Count => "count",
            Self::Share => "share",
            Self::Number => "number",
            Self::PValue => "p-value",
            Self::Score => "score",
            Self::Flag => "true or false",
            Self::Warnings => "texts",
            Self::Nested => "nested",
        }
    }
}

/// A format of values for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellFormat {
    /// Texts and counts without formatting.
    AsIs,
    /// A number with this many decimals.
    Decimals(usize),
    /// A number with three decimals, or `>1`.
    UpToOne,
    /// A number with four decimals and a sign.
    Signed,
    /// A standard error: four decimals, or scientific notation if four decimals would show 0 or the number is too long.
    StandardError,
    /// A standard error, for which people see that of the widened interval, in the column with this name.
    WidenedStandardError(&'static str),
    /// A p-value.
    PValue,
    /// An e-value.
    Evidence,
    /// A share in per cent with this many decimals and the sign %.
    Percent(usize),
    /// A share in per cent with this many decimals, without the sign %.
    Percentage(usize),
    /// The lower end of an interval; the upper end is the column with this name.
    IntervalTo(&'static str),
    /// The lower end of a range of counts; the upper end is the column with this name.
    CountTo(&'static str),
    /// The lower end of an interval, with signs; the upper end is the column with this name.
    SignedIntervalTo(&'static str),
    /// The lower end of an interval of ratios, with two decimals; the upper end is the column with this name.
    RatioTo(&'static str),
}

/// A column of rows of type R.
pub struct ResultColumn<R> {
    pub(super) description: ColumnDescription,
    pub(super) heading: Option<Cow<'static, str>>,
    pub(super) format: CellFormat,
    pub(super) explained: bool,
    pub(super) cell: CellOf<R>,
}

/// A function that returns a column's value in a row.
pub(super) type CellOf<R> = Box<dyn for<'r> Fn(&'r R) -> ResultCell<'r> + Sync>;

/// The description of a column that is the same in every table.
#[derive(Clone, Debug)]
pub struct ColumnDescription {
    /// The column's name for programs.
    pub name: Cow<'static, str>,
    /// The kind and unit of the values.
    pub unit: Unit,
    /// The meaning of the column, for the reference.
    pub meaning: Cow<'static, str>,
    /// Whether a row may have no value.
    pub optional: bool,
}

impl<R> ResultColumn<R> {
    /// Creates a column for programs only; [`heading`](Self::heading) shows it to people, too.
    pub fn new(
        name: impl Into<Cow<'static, str>>,
        unit: Unit,
        meaning: impl Into<Cow<'static, str>>,
        cell: impl for<'r> Fn(&'r R) -> ResultCell<'r> + Sync + 'static,
    ) -> Self {
        Self {
            description: ColumnDescription { name: name.into(), unit, meaning: meaning.into(), optional: false },
            heading: None,
            format: CellFormat::AsIs,
            explained: false,
            cell: Box::new(cell),
        }
    }

    /// Creates the column that says whose share a row has.
    pub fn target(target: fn(&R) -> Target) -> Self
    where
        R: 'static,
    {
        let meaning = "whose share it is: sample for these rows, population for what they were sampled from";
        Self::new("target", Unit::Text, meaning, move |row: &R| target(row).to_string().into())
    }

    /// Shows the column to people under its name.
    #[must_use]
    pub fn shown(self, format: CellFormat) -> Self {
        let name = self.description.name.clone();
        self.heading(name, format)
    }

    /// Shows the column to people under this heading.
    #[must_use]
    pub fn heading(self, heading: impl Into<Cow<'static, str>>, format: CellFormat) -> Self {
        Self { heading: Some(heading.into()), format, ..self }
    }

    /// Allows rows without a value.
    #[must_use]
    pub fn optional(mut self) -> Self {
        self.description.optional = true;
        self
    }

    /// Explains the column's meaning below the table.
    #[must_use]
    pub fn explained(self) -> Self {
        Self { explained: true, ..self }
    }

    /// Converts the column for another type of row that contains rows of this type.
    #[must_use]
    pub fn for_part<S: 'static>(self, part: fn(&S) -> &R) -> ResultColumn<S>
    where
        R: 'static,
    {
        let Self { description, heading, format, explained, cell } = self;
        ResultColumn { description, heading, format, explained, cell: Box::new(move |row| cell(part(row))) }
    }

    /// Returns the column's description.
    pub fn description(&self) -> &ColumnDescription {
        &self.description
    }

    /// Returns the column's value in a row.
    pub fn value<'r>(&self, row: &'r R) -> ResultCell<'r> {
        (self.cell)(row)
    }
}

impl CellFormat {
    /// Returns the name of a second column that the format reads.
    pub(super) fn other_column(self) -> Option<&'static str> {
        match self {
            Self::IntervalTo(name)
            | Self::CountTo(name)
            | Self::SignedIntervalTo(name)
            | Self::RatioTo(name)
            | Self::WidenedStandardError(name) => Some(name),
            _ => None,
        }
    }

    /// Formats a value for people. `upper` is the value in the [other column](Self::other_column).
    pub(super) fn format(self, cell: &ResultCell, upper: Option<&ResultCell>, missing: &str) -> String {
        match (self, cell) {
            (_, ResultCell::None) => missing.to_owned(),
            (_, ResultCell::Text(text)) => escape_untrusted(text).into_owned(),
            (Self::CountTo(_), ResultCell::Whole(_) | ResultCell::Unlimited) => match upper {
                Some(upper) => {
                    format!("{} – {}", Self::AsIs.format(cell, None, missing), Self::AsIs.format(upper, None, missing))
                }
                None => missing.to_owned(),
            },
            (_, ResultCell::Whole(count)) => count.to_string(),
            (_, ResultCell::Unlimited) => "∞".to_owned(),
            (_, ResultCell::Flag(flag)) => if *flag { "yes" } else { "no" }.to_owned(),
            (_, ResultCell::Warnings(_) | ResultCell::Nested(_)) => String::new(),
            (Self::CountTo(_), ResultCell::Number(lower)) => match upper {
                Some(ResultCell::Number(upper)) => format!("{lower:.0} – {upper:.0}"),
                _ => missing.to_owned(),
            },
            (Self::IntervalTo(_), ResultCell::Number(lower)) => match upper {
                Some(ResultCell::Number(upper)) => format!("{lower:.4} – {upper:.4}"),
                _ => missing.to_owned(),
            },
            (Self::SignedIntervalTo(_), ResultCell::Number(lower)) => match upper {
                Some(ResultCell::Number(upper)) => format!("{} – {}", signed(*lower), signed(*upper)),
                _ => missing.to_owned(),
            },
            (Self::RatioTo(_), ResultCell::Number(lower)) => match upper {
                Some(ResultCell::Number(upper)) => format!("{lower:.2} – {upper:.2}"),
                _ => format!("{lower:.2} – ∞"),
            },
            (Self::AsIs, ResultCell::Number(number)) => number.to_string(),
            (Self::Decimals(digits), ResultCell::Number(number)) => format!("{number:.digits$}"),
            (Self::UpToOne, ResultCell::Number(number)) if *number > 1.0 => ">1".to_owned(),
            (Self::UpToOne, ResultCell::Number(number)) => format!("{number:.3}"),
            (Self::Signed, ResultCell::Number(number)) => signed(*number),
            (Self::StandardError, ResultCell::Number(number)) => format_se(*number),
            (Self::WidenedStandardError(_), ResultCell::Number(number)) => match upper {
                Some(ResultCell::Number(widened)) => format_se(*widened),
                _ => format_se(*number),
            },
            (Self::PValue, ResultCell::Number(number)) => format_p_value(*number),
            (Self::Evidence, ResultCell::Number(number)) => format_e_value(*number),
            (Self::Percent(digits), ResultCell::Number(share)) => format!("{} %", percent_of(*share, digits)),
            (Self::Percentage(digits), ResultCell::Number(share)) => percent_of(*share, digits),
        }
    }
}
