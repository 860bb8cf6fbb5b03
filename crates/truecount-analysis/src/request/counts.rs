//! Requests for prevalences from counts of positive tests and published error rates.

use super::rules::{OptionRule, check, rule};
use super::sizes::standard_name;
use crate::advice::{Message, format_error};
use crate::compare::{ComparisonSets, ReferenceOption, count_differences};
use crate::counts::{CountedGroup, count_rows, count_standardised, count_total, with_denominator};
use crate::groups::{GroupKeys, GroupNames};
use crate::output::CountOutput;
use crate::results::StandardisedSets;
use crate::standard::{Standard, StandardisedEstimates};
use serde::Deserialize;
use std::path::Path;
use truecount::counts::{Rate, RateInterval};
use truecount::error::ErrorLocation;
use truecount::{Error, IntervalOptions, Target};

/// A request for prevalences from counts. The first six fields are numbers or rates, or names of
/// columns with them; an interface with columns in memory leaves them out.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
#[allow(missing_docs)] // the command's help says what the options are
pub struct CountsRequest {
    pub positives: Option<String>,
    pub tested: Option<String>,
    pub sensitivity: Option<String>,
    pub specificity: Option<String>,
    pub sensitivity_of: Option<String>,
    pub specificity_of: Option<String>,
    pub by: Vec<String>,
    pub total: bool,
    /// The reference of comparisons, an empty text for the usual one; `None` without comparisons.
    pub compare: Option<String>,
    pub interval: Option<String>,
    pub level: Option<f64>,
    /// By default the population.
    pub target: Option<String>,
}

const RULES: [OptionRule<CountsRequest>; 1] = [rule(
    |request| request.total && request.by.is_empty(),
    "{--total} needs groups",
    "name the grouping columns with {--by}",
)];

impl CountsRequest {
    /// Returns the type of the interval, with its level and target; called before rows are read.
    ///
    /// # Errors
    /// Returns an error if options exclude each other, if the level is not in (0, 1), and for an
    /// unknown name.
    pub fn interval_options(&self) -> Result<(RateInterval, IntervalOptions), Error> {
        check(&RULES, self)?;
        let level = self.level.unwrap_or(IntervalOptions::default().level());
        let target = self.target.as_deref().map_or(Ok(Target::Population), str::parse)?;
        let interval = self.interval.as_deref().map_or(Ok(RateInterval::default()), str::parse)?;
        Ok((interval, IntervalOptions::new(level, target)?))
    }

    /// Returns the prevalence of each group, the total and the differences. `locations` has the
    /// location of each group for errors.
    ///
    /// # Errors
    /// Returns the errors of [`interval_options`](Self::interval_options), [`count_rows`],
    /// [`count_total`] and [`count_differences`].
    pub fn run<N: GroupNames>(
        &self,
        keys: N,
        groups: &[CountedGroup],
        locations: &[ErrorLocation],
    ) -> Result<CountOutput<N>, Error> {
        let (interval, options) = self.interval_options()?;
        let mut rows = count_rows(groups, locations, interval, &options)?;
        let compare = |text: &String| {
            let levels = ComparisonSets::new(&keys);
            let reference = levels.resolve_group_reference(&ReferenceOption::from_option(text), &keys)?;
            count_differences(&rows, &keys, (&levels, &reference), interval, &options)
        };
        let differences = self.compare.as_ref().map(compare).transpose()?;
        if self.total {
            rows.push(count_total(&rows, interval, &options)?);
        }
        Ok(CountOutput { keys, rows, interval, target: options.target(), standardised: None, differences })
    }

    /// Adds crude prevalences, and those of the standard population in a table.
    ///
    /// # Errors
    /// Returns the errors of [`count_standardised`].
    pub fn standardise<N: GroupKeys>(
        &self,
        output: CountOutput<N>,
        standard: &Standard,
        table: &Path,
    ) -> Result<CountOutput<N>, Error> {
        let (interval, options) = self.interval_options()?;
        let sets = count_standardised(output.groups(), standard, interval, &options)?;
        let sets = StandardisedEstimates { population: Some(standard_name(table)), ..sets };
        let standardised = Some(StandardisedSets::new(output.keys.clone(), sets));
        Ok(CountOutput { standardised, ..output })
    }

    /// Parses the typed counts and rates.
    ///
    /// # Errors
    /// Returns a message that names the option whose value is missing or not a number.
    pub fn typed(&self) -> Result<CountedGroup, Message> {
        // A rate shows whether a comma or a point separates thousands: the other one is decimal.
        let shares = [&self.sensitivity, &self.specificity].into_iter().flatten().filter(|rate| !rate.contains('/'));
        let decimal = shares.into_iter().find_map(|rate| rate.matches(['.', ',']).next());
        let count = |option: &str, typed: &str| {
            let hint = "it must be a whole number, or with --table the name of a column";
            let number = without_thousands(typed.trim(), decimal).parse();
            number.map_err(|_| Message::new(format!("{option} is '{typed}'"), hint))
        };
        let rate = |option: &str, rate: &Option<String>, of_option: &str, denominator: &Option<String>| {
            let with_option = |error: Error| format_error(&error).at(option);
            let typed = required(option, rate.as_ref())?.split('/');
            let rate = typed.map(|part| without_thousands(part.trim(), decimal)).collect::<Vec<_>>().join("/");
            let rate: Rate = rate.parse().map_err(with_option)?;
            let Some(denominator) = denominator else { return Ok(rate) };
            let denominator = count(of_option, denominator)?;
            with_denominator(rate, denominator).map_err(|problem| with_option(problem.into()))
        };
        Ok(CountedGroup {
            positives: count("--positives", required("--positives", self.positives.as_ref())?)?,
            tested: count("--tested", required("--tested", self.tested.as_ref())?)?,
            sensitivity: rate("--sensitivity", &self.sensitivity, "--sensitivity-of", &self.sensitivity_of)?,
            specificity: rate("--specificity", &self.specificity, "--specificity-of", &self.specificity_of)?,
        })
    }
}

fn required<'a>(option: &str, typed: Option<&'a String>) -> Result<&'a str, Message> {
    let hint = "add it, or name a table that has it in a column (--table FILE)";
    typed.map(String::as_str).ok_or_else(|| Message::new(format!("{option} is missing"), hint))
}

/// Removes the separators of thousands from a whole number, which `decimal` is not among.
fn without_thousands(typed: &str, decimal: Option<&str>) -> String {
    let is_grouped = |separator: &&str| {
        let mut groups = typed.split(*separator);
        let is_digits = |group: &str| !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_digit());
        groups.next().is_some_and(|first| is_digits(first) && first.len() <= 3 && !first.starts_with('0'))
            && groups.all(|group| is_digits(group) && group.len() == 3)
    };
    let separators = [",", ".", " ", "\u{a0}", "\u{202f}", "'", "’"].into_iter().filter(|one| Some(*one) != decimal);
    let separator = separators.into_iter().find(is_grouped);
    separator.map_or_else(|| typed.to_owned(), |separator| typed.replace(separator, ""))
}
