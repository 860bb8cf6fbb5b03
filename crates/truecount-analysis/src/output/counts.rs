//! Prevalences from counts and published error rates, ready for output.

use super::warning_lines;
use super::warnings::{add_set_warnings, warning_line};
use crate::compare::DifferenceResult;
use crate::groups::GroupNames;
use crate::results::{CountRow, Note, Results, Sort, StandardisedSets, count_notes, count_table};
use serde_json::json;
use truecount::Target;
use truecount::counts::{Rate, RateInterval, Rates};

/// The columns of standardised shares that only estimates from scores have.
const ONLY_OF_SCORES: [&str; 9] = [
    "method", "population_size", "positives", "positives_lower", "positives_upper", "misfit", "unexplained",
    "widening", "se_widened",
];

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

impl<N: GroupNames> CountOutput<N> {
    /// Sorts the groups.
    #[must_use]
    pub fn sorted(mut self, sort: &Sort) -> Self {
        sort.sort(&mut self.rows, &self.keys);
        if let Some(sets) = &mut self.standardised {
            sort.sort(&mut sets.rows, &self.keys);
        }
        self
    }

    /// Returns the rows of the groups, without the total.
    pub fn groups(&self) -> &[CountRow] {
        &self.rows[..self.rows.iter().filter(|row| !row.row.is_total).count()]
    }

    /// Returns the results, ready to be written in any format.
    pub fn results(&self) -> Results<'_> {
        let about = vec![
            ("interval", json!(self.interval.to_string())),
            ("target", json!(self.target.to_string())),
            ("accounts_for", json!(self.interval.accounts_for())),
        ];
        let groups = self.groups().len();
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
            tables.push(ONLY_OF_SCORES.iter().fold(sets.table(false), |table, name| table.without(name)));
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
        Results { about, tables, notes, warnings: self.warnings(), ..Results::default() }
    }

    /// Returns the warnings as sentences.
    fn warnings(&self) -> Vec<String> {
        let mut warnings = warning_lines(self.rows.iter().map(|row| &row.row), &self.keys, 0);
        add_set_warnings(&mut warnings, self.standardised.as_ref(), 0);
        warnings.extend(self.exact_rates_warning());
        warnings
    }

    /// Returns a warning about rates without a denominator, unless the interval takes all rates as exact.
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
