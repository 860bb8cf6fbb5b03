//! The results of monitoring: tables, notes, warnings and values for programs.

use crate::output::{diagnostics, fit_notes, parameters_json, variances, warning_lines};
use serde_json::json;
use truecount::monitor::{Bound, alarm_threshold};
use truecount::{IntervalOptions, Model};
use truecount_analysis::groups::GroupNames;
use truecount_analysis::monitor::MonitorSeries;
use truecount_analysis::results::{Note, ResultTable, Results, escape_untrusted, percent};
use truecount_tables::groups::Keys;

/// A series with its model and options.
pub struct MonitorReport<'a> {
    pub model: &'a Model,
    pub keys: Keys,
    pub series: MonitorSeries,
    pub interval_options: IntervalOptions,
}

/// Columns of the printed table of single periods.
const PERIOD_COLUMNS: [&str; 7] = ["n", "prevalence", "lower", "upper", "change", "change_p", "from_baseline"];
/// Columns of the printed table of the whole series. Without a bound, the last one is left out.
const SERIES_COLUMNS: [&str; 7] = [
    "smoothed", "smoothed_lower", "smoothed_upper", "running_mean", "running_mean_lower", "running_mean_upper",
    "e_value",
];

impl MonitorReport<'_> {
    /// Returns the results for all formats.
    pub fn results(&self) -> Results<'_> {
        let level = percent(self.interval_options.level());
        let column = self.keys.columns().next().unwrap_or_default();
        let table = || ResultTable::new(&self.series.rows).with_groups(&self.keys);
        let title = |text: String| vec![format!("{}:", escape_untrusted(&text))];
        let periods = table().view(&PERIOD_COLUMNS).headed("lower", format!("{level} % interval")).titled(title(
            format!("By {column}, with changes from the previous period and from {}", self.series.baseline()),
        ));
        let names = if self.series.bound.is_some() { &SERIES_COLUMNS[..] } else { &SERIES_COLUMNS[..6] };
        let series = table()
            .view(names)
            .headed("smoothed_lower", format!("{level} % band"))
            .titled(title("Smoothed line, and mean so far with a band that holds at all times".to_owned()));
        let about = vec![("model", parameters_json(self.model)), ("monitor", self.about())];
        let tables = vec![periods, series, table().for_programs()];
        Results { about, tables, notes: self.notes(), warnings: self.messages(), ..Results::default() }
    }

    fn notes(&self) -> Vec<Note> {
        let quantifiers = self.model.quantifiers();
        let n = self.series.rows.iter().map(|row| row.row.estimate.n).sum();
        let mut notes = vec![Note::target(self.interval_options.target(), Some(n))];
        notes.extend(variances(quantifiers.iter()));
        notes.extend(self.series.explain_columns(&self.interval_options).map(Note::new));
        notes.extend(fit_notes(self.model).into_iter().map(Note::source));
        notes.extend(diagnostics(self.model).into_iter().map(Note::diagnostic));
        notes
    }

    /// Returns the messages: the conclusion, and then the warnings.
    fn messages(&self) -> Vec<String> {
        let conclusion = self.series.conclusion(&self.interval_options);
        let rows = &self.series.rows;
        let left_out = self.series.describe_omissions().map(|sentence| format!("warning: {sentence}"));
        let row_warnings = warning_lines(rows.iter().map(|row| &row.row), &self.keys, 1);
        [conclusion].into_iter().chain(left_out).chain(row_warnings).collect()
    }

    /// Returns the values that describe the whole series, for programs.
    fn about(&self) -> serde_json::Value {
        let bound = match self.series.bound {
            Some(Bound::Above(share)) => json!({ "above": share }),
            Some(Bound::Below(share)) => json!({ "below": share }),
            None => json!(null),
        };
        json!({
            "bound": bound,
            "alarm_threshold": alarm_threshold(&self.interval_options),
            "alarm": self.series.alarm(),
            "conclusion": self.series.conclusion(&self.interval_options),
            "alarm_at": self.series.alarm_row.map(|row| &self.series.names[row]),
            "change_point": self.series.alarm_row.and_then(|row| self.series.rows[row].change_point.as_ref()),
            "baseline": self.series.baseline,
            "drift": self.series.drift,
            "unit": self.series.form.unit_name(),
        })
    }
}
