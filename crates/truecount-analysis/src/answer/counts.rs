//! Prevalences from counts and published error rates: as they are typed, and as results with which interval it is and what it accounts for.

use super::warnings_of;
use crate::advice::worded;
use crate::groups::GroupNames;
use crate::results::{CountRow, EstimateRow, Results, count_notes, count_table};
use crate::with_denominator;
use serde_json::json;
use truecount::counts::{Rate, RateInterval, Rates};
use truecount::{Error, Reporting, Target};

/// Counts as they are typed behind the options of `truecount counts`.
#[derive(Clone, Copy, Default)]
pub struct TypedCounts<'a> {
    /// The number of positives.
    pub positives: Option<&'a str>,
    /// The number of tested.
    pub tested: Option<&'a str>,
    /// The sensitivity.
    pub sensitivity: Option<&'a str>,
    /// The specificity.
    pub specificity: Option<&'a str>,
    /// The number that the sensitivity was found from.
    pub sensitivity_of: Option<&'a str>,
    /// The number that the specificity was found from.
    pub specificity_of: Option<&'a str>,
}

/// The prevalences from counts, and how they were estimated.
pub struct CountAnswer<N> {
    /// The names of the groups.
    pub keys: N,
    /// The prevalence of each group.
    pub rows: Vec<CountRow>,
    /// Which interval it is.
    pub interval: RateInterval,
    /// Whose prevalence it is.
    pub target: Target,
}

impl TypedCounts<'_> {
    /// Returns the prevalence.
    ///
    /// # Errors
    /// Returns a sentence that names the option for what is missing, is no number, or cannot be.
    pub fn estimate(&self, interval: RateInterval, reporting: &Reporting) -> Result<CountRow, String> {
        let rate = |option: &str, typed: Option<&str>, of_option: &str, of: Option<&str>| {
            let named = |error: Error| format!("{option}: {}", worded(&error));
            let rate: Rate = there(option, typed)?.parse().map_err(named)?;
            match of {
                None => Ok(rate),
                Some(of) => with_denominator(rate, whole(of_option, of)?).map_err(|problem| named(problem.into())),
            }
        };
        let positives = whole("--positives", there("--positives", self.positives)?)?;
        let tested = whole("--tested", there("--tested", self.tested)?)?;
        let sensitivity = rate("--sensitivity", self.sensitivity, "--sensitivity-of", self.sensitivity_of)?;
        let specificity = rate("--specificity", self.specificity, "--specificity-of", self.specificity_of)?;
        let rates = Rates::new(sensitivity, specificity).map_err(|error| worded(&error))?;
        let estimate = rates.estimate(positives, tested, interval, reporting).map_err(|error| worded(&error))?;
        Ok(CountRow { positives, rates, found: EstimateRow { group: 0, is_total: false, estimate } })
    }
}

fn there<'a>(option: &str, typed: Option<&'a str>) -> Result<&'a str, String> {
    typed.ok_or_else(|| format!("{option} is missing: give it, or a table that has it in a column (--table FILE)"))
}

fn whole(option: &str, typed: &str) -> Result<u64, String> {
    let remedy = "it must be a whole number, or with --table the name of a column";
    typed.trim().parse().map_err(|_| format!("{option} is '{typed}'; {remedy}"))
}

impl<N: GroupNames> CountAnswer<N> {
    /// The results, for every form.
    pub fn results(&self) -> Results<'_> {
        let about = vec![
            ("interval", json!(self.interval.to_string())),
            ("target", json!(self.target.to_string())),
            ("accounts_for", json!(self.interval.accounts_for())),
        ];
        Results {
            about,
            tables: vec![count_table(&self.rows).with_groups(&self.keys)],
            notes: count_notes(&self.rows, self.interval, self.target),
            warnings: self.warnings(),
        }
    }

    /// Warnings as sentences.
    fn warnings(&self) -> Vec<String> {
        warnings_of(self.rows.iter().map(|row| &row.found), &self.keys, self.rows.len(), 0)
    }
}
