//! What was found, in tables, sentences and for programs.

use crate::output::{diagnostics, fit_notes, parameters_json, variances, warning_lines};
use serde_json::json;
use truecount::monitor::{Bound, alarm};
use truecount::quantifier::Quantifier;
use truecount::{IntervalOptions, Model};
use truecount_analysis::groups::GroupNames;
use truecount_analysis::monitor::MonitorSeries;
use truecount_analysis::results::{Note, ResultTable, Results, escape_untrusted, percent};
use truecount_tables::groups::Keys;

/// A series with what it is based on.
pub struct MonitorReport<'a> {
    pub model: &'a Model,
    pub keys: Keys,
    pub series: MonitorSeries,
    pub reporting: IntervalOptions,
}

/// What people see of a period, and of all of them together.
const OF_PERIOD: [&str; 7] = ["n", "prevalence", "lower", "upper", "change", "change_p", "from_baseline"];
const OF_ALL: [&str; 7] = [
    "smoothed",
    "smoothed_lower",
    "smoothed_upper",
    "running_mean",
    "running_mean_lower",
    "running_mean_upper",
    "e_value",
];

impl MonitorReport<'_> {
    /// The results, for every form.
    pub fn results(&self) -> Results<'_> {
        let level = percent(self.reporting.level());
        let column = self.keys.columns().next().unwrap_or_default();
        let table = || ResultTable::new(&self.series.rows).with_groups(&self.keys);
        let title = |text: String| vec![format!("{}:", escape_untrusted(&text))];
        let each = table().view(&OF_PERIOD).headed("lower", format!("{level} % interval")).titled(title(format!(
            "By {column}, with the change from the one before and from {}",
            self.series.baseline()
        )));
        let names = if self.series.bound.is_some() { &OF_ALL[..] } else { &OF_ALL[..6] };
        let all = table()
            .view(names)
            .headed("smoothed_lower", format!("{level} % band"))
            .titled(title("The smoothed line, and the share so far with a band for all looks together".to_owned()));
        let about = vec![("model", parameters_json(self.model)), ("monitor", self.about())];
        let tables = vec![each, all, table().for_programs()];
        Results { about, tables, notes: self.notes(), warnings: self.warnings() }
    }

    fn notes(&self) -> Vec<Note> {
        let quantifiers = self.model.quantifiers();
        let mut notes =
            variances(quantifiers.iter(), |quantifier: &Quantifier| quantifier.variance_of().map(str::to_owned));
        notes.extend(self.series.explain_columns(&self.reporting).map(Note::new));
        notes.extend(fit_notes(self.model).into_iter().map(Note::source));
        notes.extend(diagnostics(self.model).into_iter().map(Note::diagnostic));
        notes
    }

    /// The alarm first, then what to beware of.
    fn warnings(&self) -> Vec<String> {
        let alarm = self.series.alarm().map(|words| format!("alarm: {words}"));
        let rows = &self.series.rows;
        let left_out = self.series.describe_omissions().map(|sentence| format!("warning: {sentence}"));
        let of_rows = warning_lines(rows.iter().map(|row| &row.row), &self.keys, rows.len(), 1);
        alarm.into_iter().chain(left_out).chain(of_rows).collect()
    }

    /// What holds for the whole series, for programs.
    fn about(&self) -> serde_json::Value {
        let bound = match self.series.bound {
            Some(Bound::Above(share)) => json!({ "above": share }),
            Some(Bound::Below(share)) => json!({ "below": share }),
            None => json!(null),
        };
        json!({
            "bound": bound,
            "alarm_threshold": alarm(&self.reporting),
            "alarm": self.series.alarm(),
            "alarm_at": self.series.alarm_row.map(|place| &self.series.names[place]),
            "change_point": self.series.alarm_row.and_then(|place| self.series.rows[place].change_point.as_ref()),
            "baseline": self.series.baseline,
            "drift": self.series.drift,
            "unit": self.series.form.unit_name(),
        })
    }
}
