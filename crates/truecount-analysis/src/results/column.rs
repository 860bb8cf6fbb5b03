//! The description of a column: the one entry from which every form, language and page derives it.

use super::cell::ResultCell;
use super::numbers::{percent_of, format_e_value, format_p_value, format_se, signed, escape_untrusted};
use std::borrow::Cow;

/// Shown in place of a missing number.
const NONE: &str = "–";

/// What the values of a column are.
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
    /// On the scale of the scores.
    Score,
    /// Yes or no.
    Flag,
    /// Warnings.
    Warnings,
    /// A list or an object, which only JSON has.
    Nested,
}

impl Unit {
    /// The unit in a word, for the reference and for the metadata of files.
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

/// How a value is shown to people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellFormat {
    /// Texts and counts as they are.
    AsIs,
    /// Text among numbers, aligned as they are.
    AmongNumbers,
    /// With so many decimals.
    Decimals(usize),
    /// With four decimals and a sign.
    Signed,
    /// Four decimals, or an exponent for what four decimals would show as 0 and for numbers too long for them.
    StandardError,
    /// As p-values are written.
    PValue,
    /// As e-values are written.
    Evidence,
    /// In per cent, with so many decimals.
    Percent(usize),
    /// The number alone in per cent, with so many decimals.
    Percentage(usize),
    /// The percentage of cases of what should not happen: three decimals, and 0 only if it never did.
    Rare,
    /// The lower end of an interval; the upper end is the column with this name.
    IntervalTo(&'static str),
    /// The same with signs.
    SignedIntervalTo(&'static str),
    /// The same with two decimals.
    RatioTo(&'static str),
}

/// A column of rows of type R.
pub struct ResultColumn<R> {
    pub(super) description: ColumnDescription,
    pub(super) heading: Option<Cow<'static, str>>,
    pub(super) look: CellFormat,
    pub(super) missing: &'static str,
    pub(super) explained: bool,
    pub(super) cell: CellOf<R>,
}

/// Finds a column's value in a row.
pub(super) type CellOf<R> = Box<dyn for<'r> Fn(&'r R) -> ResultCell<'r> + Sync>;

/// What is the same about a column in every table.
#[derive(Clone, Debug)]
pub struct ColumnDescription {
    /// Its name for programs.
    pub name: Cow<'static, str>,
    /// What its values are.
    pub unit: Unit,
    /// What it means, for the reference.
    pub what: Cow<'static, str>,
    /// Whether a row may have no value.
    pub optional: bool,
}

impl<R> ResultColumn<R> {
    /// A column for programs only; [`heading`](Self::heading) shows it to people too.
    pub fn new(
        name: impl Into<Cow<'static, str>>,
        unit: Unit,
        what: impl Into<Cow<'static, str>>,
        cell: impl for<'r> Fn(&'r R) -> ResultCell<'r> + Sync + 'static,
    ) -> Self {
        let description = ColumnDescription { name: name.into(), unit, what: what.into(), optional: false };
        let (heading, look, explained) = (None, CellFormat::AsIs, false);
        Self {
            description,
            heading,
            look,
            missing: if unit == Unit::Text { "" } else { NONE },
            explained,
            cell: Box::new(cell),
        }
    }

    /// Shown to people under its own name.
    #[must_use]
    pub fn shown(self, look: CellFormat) -> Self {
        let name = self.description.name.clone();
        self.heading(name, look)
    }

    /// Shown to people under this heading.
    #[must_use]
    pub fn heading(self, heading: impl Into<Cow<'static, str>>, look: CellFormat) -> Self {
        Self { heading: Some(heading.into()), look, ..self }
    }

    /// A row may have no value.
    #[must_use]
    pub fn optional(mut self) -> Self {
        self.description.optional = true;
        self
    }

    /// A row may have no value; people then see this text.
    #[must_use]
    pub fn optional_as(self, missing: &'static str) -> Self {
        Self { missing, ..self.optional() }
    }

    /// Its meaning is explained below the table.
    #[must_use]
    pub fn explained(self) -> Self {
        Self { explained: true, ..self }
    }

    /// The same column of rows that have such a row as a part.
    #[must_use]
    pub fn of_part<S: 'static>(self, part: fn(&S) -> &R) -> ResultColumn<S>
    where
        R: 'static,
    {
        let Self { description, heading, look, missing, explained, cell } = self;
        ResultColumn { description, heading, look, missing, explained, cell: Box::new(move |row| cell(part(row))) }
    }

    /// What is the same about it in every table.
    pub fn description(&self) -> &ColumnDescription {
        &self.description
    }

    /// Its value in a row.
    pub fn value<'r>(&self, row: &'r R) -> ResultCell<'r> {
        (self.cell)(row)
    }
}

impl CellFormat {
    /// The value as people read it; `upper` is the upper end if it is an interval.
    pub(super) fn format(self, cell: &ResultCell, upper: Option<&ResultCell>, missing: &str) -> String {
        match (self, cell) {
            (_, ResultCell::None) => missing.to_owned(),
            (_, ResultCell::Text(text)) => escape_untrusted(text).into_owned(),
            (_, ResultCell::Whole(count)) => count.to_string(),
            (_, ResultCell::Unlimited) => "∞".to_owned(),
            (_, ResultCell::Flag(flag)) => if *flag { "yes" } else { "no" }.to_owned(),
            (_, ResultCell::Warnings(_) | ResultCell::Nested(_)) => String::new(),
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
            (Self::AsIs | Self::AmongNumbers, ResultCell::Number(number)) => number.to_string(),
            (Self::Decimals(digits), ResultCell::Number(number)) => format!("{number:.digits$}"),
            (Self::Signed, ResultCell::Number(number)) => signed(*number),
            (Self::StandardError, ResultCell::Number(number)) => format_se(*number),
            (Self::PValue, ResultCell::Number(number)) => format_p_value(*number),
            (Self::Evidence, ResultCell::Number(number)) => format_e_value(*number),
            (Self::Percent(digits), ResultCell::Number(share)) => format!("{} %", percent_of(*share, digits)),
            (Self::Percentage(digits), ResultCell::Number(share)) => percent_of(*share, digits),
            (Self::Rare, ResultCell::Number(share)) if *share == 0.0 => "0".to_owned(),
            (Self::Rare, ResultCell::Number(share)) => percent_of(*share, 3),
        }
    }
}
