//! What was found, in tables, sentences and for programs.

use crate::output::{fitted, learnt, variances, warnings_of};
use serde_json::json;
use truecount::monitor::{Bound, alarm};
use truecount::quantifier::Quantifier;
use truecount::{Model, Reporting};
use truecount_analysis::groups::GroupNames;
use truecount_analysis::monitor::Series;
use truecount_analysis::results::{Note, Results, Table, percent, visible};
use truecount_tables::groups::Keys;

/// A series with what it is based on.
pub struct Found<'a> {
    pub model: &'a Model,
    pub keys: Keys,
    pub series: Series,
    pub reporting: Reporting,
}

/// What people see of a period, and of all of them together.
const OF_PERIOD: [&str; 7] = ["n", "prevalence", "lower", "upper", "change", "change_p", "from_baseline"];
const OF_ALL: [&str; 7] =
    ["smoothed", "smoothed_lower", "smoothed_upper", "running_mean", "running_mean_lower", "running_mean_upper", "e_value"];

impl Found<'_> {
    /// The results, for every form.
    pub fn results(&self) -> Results<'_> {
        let level = percent(self.reporting.level());
        let column = self.keys.columns().next().unwrap_or_default();
        let table = || Table::new(&self.series.rows).with_groups(&self.keys);
        let title = |text: String| vec![format!("{}:", visible(&text))];
        let each = table().view(&OF_PERIOD).headed("lower", format!("{level} % interval")).titled(title(format!(
            "By {column}, with the change from the one before and from {}",
            self.series.baseline()
        )));
        let names = if self.series.bound.is_some() { &OF_ALL[..] } else { &OF_ALL[..6] };
        let all = table()
            .view(names)
            .headed("smoothed_lower", format!("{level} % band"))
            .titled(title("The smoothed line, and the share so far with a band for all looks together".to_owned()));
        let about = vec![("model", learnt(self.model)), ("monitor", self.about())];
        let tables = vec![each, all, table().for_programs()];
        Results { about, tables, notes: self.notes(), warnings: self.warnings() }
    }

    fn notes(&self) -> Vec<Note> {
        let quantifiers = self.model.quantifiers();
        let mut notes =
            variances(quantifiers.iter(), |quantifier: &Quantifier| quantifier.variance_of().map(str::to_owned));
        notes.extend(self.series.explained(&self.reporting).map(Note::new));
        notes.extend(fitted(self.model).into_iter().map(Note::source));
        notes
    }

    /// The alarm first, then what to beware of.
    fn warnings(&self) -> Vec<String> {
        let alarm = self.series.alarm().map(|words| format!("alarm: {words}"));
        let rows = &self.series.rows;
        let left_out = self.series.left_out().map(|sentence| format!("warning: {sentence}"));
        let of_rows = warnings_of(rows.iter().map(|row| &row.estimated), &self.keys, rows.len(), 1);
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
            "alarm_at": alarm(&self.reporting),
            "alarm": self.series.alarm(),
            "alarm_at": self.series.raised.map(|place| &self.series.names[place]),
            "change_point": self.series.raised.and_then(|place| self.series.rows[place].since.as_ref()),
            "baseline": self.series.baseline,
            "drift": self.series.drift,
            "unit": self.series.form.unit_name(),
        })
    }
}
