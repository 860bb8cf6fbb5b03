//! Which interval a prevalence from counts has.

use crate::choice::choice;

/// How an interval follows from counts and rates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RateInterval {
    /// Lang and Reiczigel's (2014).
    #[default]
    LangReiczigel,
    /// The prevalences that the estimate does not contradict: the interval of Adjusted Count.
    Wilson,
    /// Wilson's (1927) of the share of positives, both of its ends corrected by rates that are taken for exact.
    ExactRates,
}

impl RateInterval {
    /// All of them: name, interval, what it means.
    pub const TABLE: &'static [(&'static str, Self, &'static str)] = &[
        (
            "lang-reiczigel",
            Self::LangReiczigel,
            "Lang and Reiczigel's (2014), which accounts for the denominators of both rates",
        ),
        ("wilson", Self::Wilson, "the prevalences that the estimate does not contradict, as Adjusted Count has them"),
        ("exact-rates", Self::ExactRates, "Wilson's of the share of positives, both rates taken for exact"),
    ];

    /// What it and the standard error account for.
    pub fn accounts_for(self) -> &'static str {
        match self {
            Self::LangReiczigel | Self::Wilson => "sampling of the tested and of rates with a denominator",
            Self::ExactRates => "sampling of the tested only, both rates taken for exact",
        }
    }

    /// What it is called, by its authors.
    pub fn title(self) -> &'static str {
        match self {
            Self::LangReiczigel => "Lang and Reiczigel (2014)",
            Self::Wilson => "Wilson-type",
            Self::ExactRates => "Wilson (1927), at exact rates",
        }
    }
}

choice!(RateInterval, "interval");
