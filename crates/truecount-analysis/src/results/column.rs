//! The description of a column: the one entry from which every form, language and page derives it.

use super::cell::Cell;
use super::numbers::{percent_of, short_e, short_p, short_se, signed, visible};
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
pub enum Look {
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
pub struct Column<R> {
    pub(super) description: Description,
    pub(super) heading: Option<Cow<'static, str>>,
    pub(super) look: Look,
    pub(super) missing: &'static str,
    pub(super) explained: bool,
    pub(super) cell: CellOf<R>,
}

/// Finds a column's value in a row.
pub(super) type CellOf<R> = Box<dyn for<'r> Fn(&'r R) -> Cell<'r> + Sync>;

/// What is the same about a column in every table.
#[derive(Clone, Debug)]
pub struct Description {
    /// Its name for programs.
    pub name: Cow<'static, str>,
    /// What its values are.
    pub unit: Unit,
    /// What it means, for the reference.
    pub what: Cow<'static, str>,
    /// Whether a row may have no value.
    pub optional: bool,
}

impl<R> Column<R> {
    /// A column for programs only; [`heading`](Self::heading) shows it to people too.
    pub fn new(
        name: impl Into<Cow<'static, str>>,
        unit: Unit,
        what: impl Into<Cow<'static, str>>,
        cell: impl for<'r> Fn(&'r R) -> Cell<'r> + Sync + 'static,
    ) -> Self {
        let description = Description { name: name.into(), unit, what: what.into(), optional: false };
        let (heading, look, explained) = (None, Look::AsIs, false);
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
    pub fn shown(self, look: Look) -> Self {
        let name = self.description.name.clone();
        self.heading(name, look)
    }

    /// Shown to people under this heading.
    #[must_use]
    pub fn heading(self, heading: impl Into<Cow<'static, str>>, look: Look) -> Self {
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
    pub fn of<S: 'static>(self, part: fn(&S) -> &R) -> Column<S>
    where
        R: 'static,
    {
        let Self { description, heading, look, missing, explained, cell } = self;
        Column { description, heading, look, missing, explained, cell: Box::new(move |row| cell(part(row))) }
    }

    /// What is the same about it in every table.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// Its value in a row.
    pub fn value<'r>(&self, row: &'r R) -> Cell<'r> {
        (self.cell)(row)
    }
}

impl Look {
    /// The value as people read it; `upper` is the upper end if it is an interval.
    pub(super) fn of(self, cell: &Cell, upper: Option<&Cell>, missing: &str) -> String {
        match (self, cell) {
            (_, Cell::None) => missing.to_owned(),
            (_, Cell::Text(text)) => visible(text).into_owned(),
            (_, Cell::Whole(count)) => count.to_string(),
            (_, Cell::Unlimited) => "∞".to_owned(),
            (_, Cell::Flag(flag)) => if *flag { "yes" } else { "no" }.to_owned(),
            (_, Cell::Warnings(_) | Cell::Nested(_)) => String::new(),
            (Self::IntervalTo(_), Cell::Number(lower)) => match upper {
                Some(Cell::Number(upper)) => format!("{lower:.4} – {upper:.4}"),
                _ => missing.to_owned(),
            },
            (Self::SignedIntervalTo(_), Cell::Number(lower)) => match upper {
                Some(Cell::Number(upper)) => format!("{} – {}", signed(*lower), signed(*upper)),
                _ => missing.to_owned(),
            },
            (Self::RatioTo(_), Cell::Number(lower)) => match upper {
                Some(Cell::Number(upper)) => format!("{lower:.2} – {upper:.2}"),
                _ => format!("{lower:.2} – ∞"),
            },
            (Self::AsIs | Self::AmongNumbers, Cell::Number(number)) => number.to_string(),
            (Self::Decimals(digits), Cell::Number(number)) => format!("{number:.digits$}"),
            (Self::Signed, Cell::Number(number)) => signed(*number),
            (Self::StandardError, Cell::Number(number)) => short_se(*number),
            (Self::PValue, Cell::Number(number)) => short_p(*number),
            (Self::Evidence, Cell::Number(number)) => short_e(*number),
            (Self::Percent(digits), Cell::Number(share)) => format!("{} %", percent_of(*share, digits)),
            (Self::Percentage(digits), Cell::Number(share)) => percent_of(*share, digits),
            (Self::Rare, Cell::Number(share)) if *share == 0.0 => "0".to_owned(),
            (Self::Rare, Cell::Number(share)) => percent_of(*share, 3),
        }
    }
}
