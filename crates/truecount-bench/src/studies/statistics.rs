//! Named statistics: of an arm's replications in a setting, and over several settings.

use super::count;
use csv::StringRecord;

/// The statistics of an arm's replications in a setting, which are the last columns of the results.
/// A value is `None` if there is nothing to compute it from.
#[derive(Clone, Debug, PartialEq)]
pub struct Statistics {
    counts: Vec<(&'static str, u32)>,
    values: Vec<(&'static str, Option<f64>)>,
}

impl Statistics {
    /// Returns statistics with these counts and values.
    pub(super) fn new<const C: usize, const V: usize>(
        counts: [(&'static str, usize); C],
        values: [(&'static str, Option<f64>); V],
    ) -> Self {
        Self { counts: counts.map(|(name, n)| (name, count(n))).into(), values: values.into() }
    }

    /// Returns the count with this name.
    ///
    /// # Panics
    /// Panics if there is no such count.
    pub fn count(&self, name: &str) -> u32 {
        self.counts.iter().find(|(known, _)| *known == name).expect("a count of the study").1
    }

    /// Returns the value with this name.
    ///
    /// # Panics
    /// Panics if there is no such value.
    pub fn value(&self, name: &str) -> Option<f64> {
        self.values.iter().find(|(known, _)| *known == name).expect("a value of the study").1
    }

    /// Returns the names in the order of the columns.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.counts.iter().map(|(name, _)| *name).chain(self.values.iter().map(|(name, _)| *name))
    }

    /// Returns the counts and values in the order of the columns.
    pub(super) fn fields(&self) -> (Vec<u32>, Vec<Option<f64>>) {
        (self.counts.iter().map(|(_, n)| *n).collect(), self.values.iter().map(|(_, value)| *value).collect())
    }

    /// Reads statistics with these names from the fields of a row; `None` if they are not such fields.
    pub(super) fn read(mut self, row: &StringRecord) -> Option<Self> {
        let mut fields = row.iter();
        for (_, n) in &mut self.counts {
            *n = fields.next()?.parse().ok()?;
        }
        for (_, value) in &mut self.values {
            let field = fields.next()?;
            *value = if field.is_empty() { None } else { Some(field.parse().ok()?) };
        }
        fields.next().is_none().then_some(self)
    }
}

/// The statistics of one arm in several settings.
#[derive(Debug)]
pub struct SelectedSettings<'a>(pub(super) Vec<&'a Statistics>);

impl<'a> SelectedSettings<'a> {
    /// Returns the statistics of each setting.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &'a Statistics> {
        self.0.iter().copied()
    }

    /// Returns the values with this name in the settings that have one.
    pub fn values(&self, name: &str) -> Vec<f64> {
        self.iter().filter_map(|statistics| statistics.value(name)).collect()
    }

    /// Returns the mean of the values with this name, or `None` without values.
    pub fn mean(&self, name: &str) -> Option<f64> {
        super::mean(self.values(name).into_iter())
    }

    /// Returns the sum of some counts divided by the sum of others.
    pub fn share(&self, counts: &[&str], all: &[&str]) -> f64 {
        let sum = |names: &[&str]| {
            let counts = self.iter().flat_map(|statistics| names.iter().map(|name| statistics.count(name)));
            f64::from(counts.sum::<u32>())
        };
        sum(counts) / sum(all)
    }
}
