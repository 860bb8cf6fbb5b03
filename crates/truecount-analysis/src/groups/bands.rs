//! Replaces numbers by the bands that contain them, such as ages by 50-59.

use super::PeriodGrouper;
use crate::TableProblem;
use truecount::Error;
use truecount::error::ErrorLocation;

/// The bands that replace the numbers of a grouping column.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnBands {
    /// The name of the column.
    pub column: String,
    /// The ascending limits. The first band is below the first limit, the last one begins at the last limit.
    limits: Vec<f64>,
}

impl ColumnBands {
    /// Parses a column and its limits, such as age=50,60,70; `None` unless the limits are ascending numbers.
    pub fn parse(text: &str) -> Option<Self> {
        let (column, limits) = text.rsplit_once('=').filter(|(column, _)| !column.is_empty())?;
        let limit = |text: &str| text.trim().parse().ok().filter(|limit: &f64| limit.is_finite());
        let limits = limits.split(',').map(limit).collect::<Option<Vec<f64>>>()?;
        limits.is_sorted_by(|a, b| a < b).then(|| Self { column: column.to_owned(), limits })
    }

    /// Returns the band that contains a number. Between whole limits it is named as ages are in
    /// published tables, 50-59, otherwise as 18.5-<25.
    fn band(&self, number: f64) -> String {
        let limits = &self.limits;
        let is_whole = limits.iter().all(|limit| limit.fract() == 0.0 && *limit >= 0.0);
        match limits.partition_point(|limit| *limit <= number) {
            0 => format!("<{}", limits[0]),
            index if index == limits.len() => format!("{}+", limits[index - 1]),
            index => match (limits[index - 1], limits[index]) {
                (lower, upper) if is_whole && upper - lower == 1.0 => lower.to_string(),
                (lower, upper) if is_whole => format!("{lower}-{}", upper - 1.0),
                (lower, upper) => format!("{lower}-<{upper}"),
            },
        }
    }

    /// Returns the number at which a band begins; `None` for any other text.
    pub(super) fn start(text: &str) -> Option<f64> {
        let number = |text: &str| text.parse().ok().filter(|number: &f64| number.is_finite());
        if let Some(upper) = text.strip_prefix('<') {
            return number(upper).map(|_| f64::NEG_INFINITY);
        }
        let upper_of = |index: usize| text[index..].trim_start_matches(['-', '–']).trim_start_matches('<');
        match text.char_indices().skip(1).find(|(_, character)| ['-', '–'].contains(character)) {
            Some((index, _)) => number(&text[..index]).filter(|_| number(upper_of(index)).is_some()),
            None => number(text.strip_suffix('+').unwrap_or(text)),
        }
    }
}

/// A converter from the values of a grouping column to groups.
pub enum ColumnGrouper {
    /// Dates become periods.
    Periods(PeriodGrouper),
    /// Numbers become bands.
    Bands(ColumnBands),
}

impl ColumnGrouper {
    /// Returns the groups of values; missing values stay missing.
    ///
    /// # Errors
    /// Returns an error for a date without a known period, and for a text that is not a number.
    pub fn groups_of<'a>(
        &self,
        column: &str,
        values: impl Iterator<Item = Option<&'a str>>,
    ) -> Result<Vec<Option<String>>, Error> {
        let bands = match self {
            Self::Periods(periods) => return periods.periods_of(column, values),
            Self::Bands(bands) => bands,
        };
        let band = |value: Option<&str>| match value.filter(|text| TableProblem::without_value(text).is_none()) {
            None => Ok(None),
            Some(text) => match text.trim().parse() {
                Ok(number) => Ok(Some(bands.band(number))),
                Err(_) => {
                    Err(ErrorLocation::default().column(column).error(TableProblem::not_a_number(text.to_owned())))
                }
            },
        };
        values.map(band).collect()
    }

    /// Returns the group of a value; `None` if it has none.
    pub fn group_of(&self, text: &str) -> Option<String> {
        match self {
            Self::Periods(periods) => periods.period_of(text),
            Self::Bands(bands) => text.trim().parse().ok().map(|number| bands.band(number)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::groups::GroupRanks;

    #[test]
    fn numbers_lie_in_bands_that_are_sorted() {
        let bands = |limits: &str, numbers: &[f64]| {
            let bands = ColumnBands::parse(&format!("x={limits}"))?;
            Some(numbers.iter().map(|number| bands.band(*number)).collect::<Vec<_>>())
        };
        let ages = bands("5,10,11,80", &[-1.0, 5.0, 9.9, 10.0, 79.0, 80.0, 101.0]).unwrap();
        assert_eq!(ages, ["<5", "5-9", "5-9", "10", "11-79", "80+", "80+"]);
        let indices = bands("-5,18.5,25", &[-9.0, -5.0, 18.5, 25.0]).unwrap();
        assert_eq!(indices, ["<-5", "-5-<18.5", "18.5-<25", "25+"]);
        for labels in [ages, indices] {
            let mut sorted: Vec<&String> = labels.iter().collect();
            sorted.dedup();
            let reversed: Vec<&String> = sorted.iter().rev().copied().collect();
            let ranks = GroupRanks::from_texts(|| reversed.iter().map(|text| Some(text.as_str())));
            let order = GroupRanks::order_by([ranks]).unwrap();
            assert_eq!(order.iter().map(|group| reversed[*group as usize]).collect::<Vec<_>>(), sorted);
        }
        for limits in ["", "60,50", "50,50", "50,x", "inf"] {
            assert_eq!(bands(limits, &[]), None, "{limits}");
        }
        assert!(ColumnBands::parse("age").is_none());
    }
}
