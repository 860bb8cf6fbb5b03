//! Prevalences from counts and published error rates: parses typed values, and prepares the results
//! for output.

use super::warning_lines;
use super::warnings::{add_warnings_of_sets, warning_line};
use crate::advice::{Message, format_error};
use crate::compare::DifferenceResult;
use crate::groups::GroupNames;
use crate::results::{CountRow, EstimateRow, Note, Results, StandardisedSets, count_notes, count_table};
use crate::with_denominator;
use serde_json::json;
use truecount::counts::{Rate, RateInterval, Rates};
use truecount::{Error, IntervalOptions, Target};

/// The values of the options of `truecount counts`, as typed.
#[derive(Clone, Copy, Default)]
pub struct TypedCounts<'a> {
    /// The number of positive tests.
    pub positives: Option<&'a str>,
    /// The number of tests.
    pub tested: Option<&'a str>,
    /// The sensitivity.
    pub sensitivity: Option<&'a str>,
    /// The specificity.
    pub specificity: Option<&'a str>,
    /// The number of items known to be positive that the sensitivity was estimated from.
    pub sensitivity_of: Option<&'a str>,
    /// The number of items known to be negative that the specificity was estimated from.
    pub specificity_of: Option<&'a str>,
}

/// The prevalences from counts, with their interval and target.
pub struct CountOutput<N> {
    /// The names of the groups.
    pub keys: N,
    /// The prevalence of each group, followed by the total if there is one.
    pub rows: Vec<CountRow>,
    /// The type of interval.
    pub interval: RateInterval,
    /// The estimand: the prevalence among the tested, or in the population.
    pub target: Target,
    /// The crude and standardised prevalences, if requested.
    pub standardised: Option<StandardisedSets>,
    /// The differences between groups, if they are compared.
    pub differences: Option<DifferenceResult>,
}

impl TypedCounts<'_> {
    /// Parses the values and returns the prevalence.
    ///
    /// # Errors
    /// Returns a message that names the option whose value is missing, not a number or impossible.
    pub fn estimate(&self, interval: RateInterval, options: &IntervalOptions) -> Result<CountRow, Message> {
        // A rate shows whether a comma or a point separates thousands: the other one is decimal.
        let shares = [self.sensitivity, self.specificity].into_iter().flatten().filter(|rate| !rate.contains('/'));
        let decimal = shares.into_iter().find_map(|rate| rate.matches(['.', ',']).next());
        let count = |option: &str, typed: &str| {
            let hint = "it must be a whole number, or with --table the name of a column";
            let number = without_thousands(typed.trim(), decimal).parse();
            number.map_err(|_| Message::new(format!("{option} is '{typed}'"), hint))
        };
        let rate = |option: &str, rate: Option<&str>, of_option: &str, denominator: Option<&str>| {
            let with_option = |error: Error| format_error(&error).at(option);
            let typed = required(option, rate)?.split('/');
            let rate = typed.map(|part| without_thousands(part.trim(), decimal)).collect::<Vec<_>>().join("/");
            let rate: Rate = rate.parse().map_err(with_option)?;
            let Some(denominator) = denominator else { return Ok(rate) };
            let denominator = count(of_option, denominator)?;
            with_denominator(rate, denominator).map_err(|problem| with_option(problem.into()))
        };
        let positives = count("--positives", required("--positives", self.positives)?)?;
        let tested = count("--tested", required("--tested", self.tested)?)?;
        let sensitivity = rate("--sensitivity", self.sensitivity, "--sensitivity-of", self.sensitivity_of)?;
        let specificity = rate("--specificity", self.specificity, "--specificity-of", self.specificity_of)?;
        let rates = Rates::new(sensitivity, specificity).map_err(|error| format_error(&error))?;
        let estimate = rates.estimate(positives, tested, interval, options).map_err(|error| format_error(&error))?;
        Ok(CountRow { positives, rates: Some(rates), row: EstimateRow::new(0, estimate) })
    }
}

fn required<'a>(option: &str, typed: Option<&'a str>) -> Result<&'a str, Message> {
    let hint = "add it, or name a table that has it in a column (--table FILE)";
    typed.ok_or_else(|| Message::new(format!("{option} is missing"), hint))
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

impl<N: GroupNames> CountOutput<N> {
    /// Returns the results, ready to be written in any format.
    pub fn results(&self) -> Results<'_> {
        let about = vec![
            ("interval", json!(self.interval.to_string())),
            ("target", json!(self.target.to_string())),
            ("accounts_for", json!(self.interval.accounts_for())),
        ];
        let groups = self.rows.iter().filter(|row| !row.row.is_total).count();
        let mut tables = if groups == self.rows.len() {
            vec![count_table(&self.rows).with_groups(&self.keys)]
        } else {
            vec![
                count_table(&self.rows).with_groups(&self.keys).for_people(),
                count_table(&self.rows).with_groups(&self.keys).only((0..groups).collect()).for_programs(),
                count_table(&self.rows).only((groups..self.rows.len()).collect()).named("total").for_programs(),
            ]
        };
        let mut notes = count_notes(&self.rows, self.interval, self.target);
        if let Some(sets) = &self.standardised {
            let of_scores = ["method", "population_size", "positives", "positives_lower", "positives_upper", "misfit"];
            let of_scores = of_scores.iter().chain(&["unexplained", "widening", "se_widened"]);
            tables.push(of_scores.fold(sets.table(false), |table, name| table.without(name)));
            notes.push(Note::new(format!(
                "standardised: for {}, with an interval from the Wilson intervals of all counts and rates",
                sets.population
            )));
        }
        if let Some(differences) = &self.differences {
            let level = self.rows.first().map_or(0.0, |row| row.row.estimate.level);
            tables.push(differences.table(&self.keys, level, false));
            notes.extend(differences.notes(&self.keys));
        }
        Results { about, tables, notes, warnings: self.warnings() }
    }

    /// Returns the warnings as sentences.
    fn warnings(&self) -> Vec<String> {
        let mut warnings = warning_lines(self.rows.iter().map(|row| &row.row), &self.keys, 0);
        add_warnings_of_sets(&mut warnings, self.standardised.as_ref(), 0);
        warnings.extend(self.exact_rates_warning());
        warnings
    }

    /// Returns a warning about rates without a denominator, unless the interval takes all rates as
    /// exact.
    fn exact_rates_warning(&self) -> Option<String> {
        if self.interval == RateInterval::ExactRates {
            return None;
        }
        // Where a rate is exact: nowhere, in some groups, or in all of them.
        let exact_in = |rate: fn(&Rates) -> &Rate| {
            let is_exact = |rates: Rates| rate(&rates).denominator().is_none();
            let mut exact = self.rows.iter().filter_map(|row| row.rates).map(is_exact);
            let is_first_exact = exact.next()?;
            if exact.all(|is_exact| is_exact == is_first_exact) {
                is_first_exact.then_some("")
            } else {
                Some(" in some groups")
            }
        };
        let exact = match (exact_in(Rates::sensitivity), exact_in(Rates::specificity)) {
            (None, None) => return None,
            (Some(groups), None) => format!("the sensitivity is taken as exact{groups}"),
            (None, Some(groups)) => format!("the specificity is taken as exact{groups}"),
            (Some(""), Some("")) => "sensitivity and specificity are taken as exact".to_owned(),
            (Some(groups), Some(others)) => {
                format!("the sensitivity is taken as exact{groups}, and the specificity{others}")
            }
        };
        Some(warning_line(&format!(
            "the interval may be too narrow: {exact}; give the number of cases behind a rate (97/100) or its \
             published 95 % interval ('97% (91-99)')"
        )))
    }
}
